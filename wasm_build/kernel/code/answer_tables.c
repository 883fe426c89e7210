/* Builds the tables whose canonical forms canon.c computes (answer_table.h): of a set of codes, a
 * column a peg; of a state, a column for each way in which some guess is answered by the codes
 * left. Equal columns are kept once (hash table). Cost: O(guesses codes).
 */
#include "answer_table.h"

#include "shared/random.h"

static u64 factorial(i32 n) { return n < 2 ? 1 : (u64)n * factorial(n - 1); }

/* Permutations of pegs and colours that no code of the set notices: pegs that are always of one
 * colour, colours that no code shows. */
static u64 unnoticed(const Rules *rules, const u8 *table, i32 n) {
  u32 shown = 0, counted = 0;
  for (i32 i = 0; i < n * rules->pegs; i++) shown |= 1u << table[i];
  u64 ways = factorial(rules->colours - popcount64(shown));
  for (i32 a = 0; a < rules->pegs; a++) {
    if (counted >> a & 1) continue;
    i32 alike = 1;
    for (i32 b = a + 1; b < rules->pegs; b++)
      if (!memcmp(table + a * n, table + b * n, (size_t)n)) counted |= 1u << b, alike++;
    ways *= factorial(alike);
  }
  return ways;
}

EXPORT(i32, code_set_keys)(i32 packed, const Word *words, i32 codes, const u32 *starts, i32 from,
                           i32 to, u8 *memory, i32 bytes, u64 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !words || !starts || !memory || !out) return BAD;
  if (from < 0 || from > to || codes < 0 || bytes < 0 || (uintptr_t)memory & 15) return BAD;
  if (!code_all_fit(&rules, words, codes)) return BAD;
  for (i32 set = from; set < to; set++) {
    if (starts[set] >= starts[set + 1] || starts[set + 1] > (u32)codes) return BAD;
    i32 n = (i32)(starts[set + 1] - starts[set]);
    const Word *members = words + starts[set];
    i32 need = code_canon_bytes(n, MAX_COLOURS), room = (n * rules.pegs + 15) & ~15;
    if (need < 0 || need > bytes - room) return TOO_LARGE;
    u8 *table = memory + bytes - (bytes & 15) - room;
    for (i32 peg = 0; peg < rules.pegs; peg++)
      for (i32 i = 0; i < n; i++) {
        i32 symbol = code_symbol(members[i], peg);
        if (!symbol) return BAD;
        table[peg * n + i] = (u8)(symbol - 1);
      }
    i32 status = code_canon_start(memory, table, n, rules.pegs, MAX_COLOURS, NO_WIN, RENAMED);
    while (status >= 0 && (status = code_canon_step(memory, 1 << 30)) > 0) {}
    if (status < 0) return status;
    code_canon_key(memory, out + 3 * set);
    out[3 * set + 2] *= unnoticed(&rules, table, n);
  }
  return to - from;
}

/* ---- the ways of answering --------------------------------------------------------------------- */

typedef struct Columns {
  Rules rules;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 win, n, unlabelled;
} Columns;

/* What the secrets answer to a guess; unlabelled: answers numbered as they come, the win as it is. */
static void answer_all(const Columns *columns, Word guess, const Word *secrets, u8 *out) {
  Prober prober = code_prober(&columns->rules, guess);
  u8 names[MAX_CELLS];
  memset(names, 255, sizeof names);
  names[columns->win] = (u8)columns->win;
  u8 next = 0;
  for (i32 i = 0; i < columns->n; i++) {
    i32 cell = code_cell(&prober, secrets[i], columns->number);
    if (columns->unlabelled && names[cell] == 255) names[cell] = next++;
    out[i] = columns->unlabelled ? names[cell] : (u8)cell;
  }
}

static u64 hash_of(const u8 *column, i32 n) {
  u64 hash = 1;
  for (i32 i = 0; i < n; i++) hash = (hash ^ column[i]) * 0x100000001b3ull;
  return random_mix(hash) | 1;
}

EXPORT(i32, code_table)(i32 packed, const Word *space, i32 from, i32 to, const Word *secrets,
                        i32 n, i32 unlabelled, u8 *table, i32 room, u64 *slots, i32 bits,
                        i32 many) {
  Columns columns = {.n = n, .unlabelled = unlabelled};
  if (!code_read_rules(packed, &columns.rules) || !space || !secrets || !table || !slots) return BAD;
  if (from < 0 || from > to || n < 1 || many < 0 || bits < 1 || bits > 24) return BAD;
  if (room < 1 || 2ll * room > 1ll << bits || many > room) return BAD;
  columns.win = code_cells_of(&columns.rules, columns.number) - 1;
  if (!code_all_fit(&columns.rules, space + from, to - from)) return BAD;
  for (i32 i = 0; i < n; i++)
    if (!code_is_legal(&columns.rules, secrets[i], 0)) return BAD;
  u64 mask = (1ull << bits) - 1;
  for (i32 g = from; g < to; g++) {
    if (many == room) return TOO_LARGE;
    u8 *column = table + (size_t)many * (size_t)n; /* kept if it is new */
    answer_all(&columns, space[g], secrets, column);
    u64 hash = hash_of(column, n), slot = hash >> (64 - bits), tried = 0;
    while (slots[slot] && slots[slot] != hash && tried++ < mask) slot = (slot + 1) & mask;
    if (slots[slot]) continue;
    slots[slot] = hash;
    many++;
  }
  return many;
}
