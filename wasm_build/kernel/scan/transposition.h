/* Transposition table of the searches: totals and lower bounds of states, in the caller's memory; and the
 * costs of ranks in limited-discrepancy search.
 *
 * Key: set, tile, level, allowance. Open addressing with linear probing; the table is cleared when it is
 * 7/8 full, which is safe because the search's stack does not refer to it. */
#ifndef CLUEWISE_SCAN_TRANSPOSITION_H
#define CLUEWISE_SCAN_TRANSPOSITION_H

#include "scan.h"

/* value > 0: a state's total; < 0: the total is at least -value.
 *   [ set 64 | x 16 | y 16 | allowance 16 | level 16 | value 32 | - 32 ]     set 0 = free */
typedef struct TableEntry {
  u64 set;
  i16 x, y, discrepancies, level;
  i32 value, padding;
} TableEntry;

_Static_assert(sizeof(TableEntry) == SCAN_KNOWN_ENTRY, "callers allocate by this size");

enum { FIXED_WIDTH_SPOTS = 4 }; /* sets up to this size are searched with a fixed width */

/* The discrepancies that an action of that rank costs. */
static inline i32 rank_cost(i32 rank) {
  return rank == 0 ? 0 : rank < 3 ? 1 : rank < 8 ? 2 : rank < 20 ? 3 : 4;
}

/* The number of actions that are tried for a set of so many spots. */
static inline i32 width_of(i32 count, i32 discrepancies) {
  if (count <= FIXED_WIDTH_SPOTS) return count <= 3 ? 6 : 5;
  i32 width = 0;
  while (width < SCAN_ACTIONS && rank_cost(width) <= discrepancies) width++;
  return width;
}

/* Whether set, tile and allowance are valid for a search of a plan. */
static inline i32 is_root(const ScanPlan *plan, u64 set, i32 x, i32 y, i32 discrepancies) {
  return (set & (set - 1)) && !(set & ~scan_all_spots(plan)) && discrepancies >= 0 && discrepancies <= 15 &&
         !scan_off_plan(plan, x, y);
}

/* The allowance in the key of a state: 0 for small sets, whose width does not depend on it. */
static inline i32 key_allowance(u64 set, i32 discrepancies) {
  return popcount64(set) <= FIXED_WIDTH_SPOTS ? 0 : discrepancies;
}

typedef struct TranspositionTable {
  TableEntry *entries;
  u32 mask, used;
} TranspositionTable;

/* Initialise an empty table of 2^bits entries. */
static inline void table_clear(TranspositionTable *table, void *entries, i32 bits) {
  *table = (TranspositionTable){entries, (1u << bits) - 1, 0};
  memset(entries, 0, sizeof(TableEntry) << bits);
}

/* The entry of a state, or the free one where it would go. */
static inline TableEntry *table_probe(const TranspositionTable *table, u64 set, i32 x, i32 y,
                                      i32 discrepancies) {
  i32 level = scan_level_of(y);
  u64 rest = (u64)(u16)x | (u64)(u16)y << 16 | (u64)(u32)discrepancies << 32 | (u64)(u32)level << 48;
  u64 h = (set ^ rest * 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
  u32 slot = (u32)(h >> 32) & table->mask;
  for (u32 tries = 0;; tries++, slot = (slot + 1) & table->mask) {
    TableEntry *k = &table->entries[slot];
    if (UNLIKELY(tries > table->mask)) return k; /* only if the memory was overwritten */
    if (!k->set) return k;
    if (k->set == set && k->x == x && k->y == (i16)y && k->discrepancies == discrepancies &&
        k->level == level)
      return k;
  }
}

/* Store the value of a state. */
static inline void table_store(TranspositionTable *table, u64 set, i32 x, i32 y, i32 discrepancies,
                               i32 value) {
  if (table->used >= table->mask - table->mask / 8) {
    memset(table->entries, 0, sizeof(TableEntry) * ((size_t)table->mask + 1));
    table->used = 0;
  }
  TableEntry *k = table_probe(table, set, x, y, discrepancies);
  if (!k->set) table->used++;
  *k = (TableEntry){set, (i16)x, (i16)y, (i16)discrepancies, (i16)scan_level_of(y), value, 0};
}

#endif
