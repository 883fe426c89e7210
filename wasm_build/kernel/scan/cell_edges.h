/* Edges between cells as bit rows: where a run of equal cells begins, and where a cell differs from the one
 * above.
 *
 *   edges | left of row 0 | top of row 0 | left of row 1 | top of row 1 | ...      a bit a column
 *   left    a run begins here; bit 0 and the bit after the last column are always set
 *   top     the cell above differs; in row 0 all bits
 *
 * Where neither changes, a run continues from the row above, and its cells need not be visited. scan_label
 * writes the edges, scan_measure reads them. No function here reads beyond its row, whatever the bits.
 */
#ifndef CLUEWISE_SCAN_CELL_EDGES_H
#define CLUEWISE_SCAN_CELL_EDGES_H

#include "scan.h"

static inline i32 set_words(const ScanMap *map) { return max32(1, (map->spots + 63) / 64); }

static inline i32 edge_words(const ScanMap *map) { return map->columns / 64 + 1; }

typedef struct EdgeRow {
  u64 *left, *top;
  const u64 *above; /* the left edges of the row above; in row 0 its own */
} EdgeRow;

static inline EdgeRow edge_row(const ScanMap *map, u64 *edges, i32 y) {
  i32 words = edge_words(map);
  u64 *left = edges + 2 * (size_t)y * words;
  return (EdgeRow){left, left + words, y ? left - 2 * words : left};
}

/* The first bit in `from` .. `end` - 1 that is set in a row XOR `flip`; `end` if there is none. */
static inline i32 next_bit(const u64 *row, u64 flip, i32 from, i32 end) {
  if (from >= end) return end;
  i32 word = from >> 6;
  u64 bits = (row[word] ^ flip) >> (from & 63) << (from & 63);
  while (!bits) {
    if (64 * ++word >= end) return end;
    bits = row[word] ^ flip;
  }
  return min32(end, 64 * word + lowest64(bits));
}

static inline i32 next_edge(const u64 *row, i32 from, i32 end) { return next_bit(row, 0, from, end); }

static inline i32 next_gap(const u64 *row, i32 from, i32 end) { return next_bit(row, ~0ull, from, end); }

/* Columns `from` to `to` - 1 of a row in which no run continues from the row above. */
typedef struct Change { i32 from, to; } Change;

/* Find the next such columns from `from` on, which is 0 or the end of the last ones; 0 if there are none. */
static inline i32 next_change(const ScanMap *map, EdgeRow row, i32 from, Change *change) {
  i32 words = edge_words(map), word = from >> 6;
  u64 mask = ~0ull << (from & 63);
  for (; word < words; word++, mask = ~0ull) {
    u64 moved = row.left[word] ^ row.above[word];
    u64 next = word + 1 < words ? row.left[word + 1] ^ row.above[word + 1] : 0;
    u64 bits = (row.top[word] | moved | moved >> 1 | next << 63) & mask;
    if (!bits) continue;
    i32 x = 64 * word + lowest64(bits);
    if (x >= map->columns) return 0;
    u64 both = row.left[word] & row.above[word] & ~0ull >> (63 - (x & 63));
    for (i32 w = word; !both && w > 0; w--) {
      both = row.left[w - 1] & row.above[w - 1];
      if (both) word = w - 1;
    }
    change->from = both ? max32(from, 64 * word + 63 - __builtin_clzll(both)) : from;
    word = (x + 1) >> 6;
    u64 after = ~0ull << ((x + 1) & 63);
    for (; word < words; word++, after = ~0ull) {
      both = row.left[word] & row.above[word] & after;
      if (both) break;
    }
    change->to = word < words ? min32(map->columns, 64 * word + lowest64(both)) : map->columns;
    return 1;
  }
  return 0;
}

#endif
