/* Classes of equal pulses: connected components of a compressed grid (layout in scan.h).
 *
 * Two-pass connected-component labelling by runs (Rosenfeld & Pfaltz 1966) with union-find; the smaller
 * label becomes the root. Which neighbours differ follows from the squares with a side between two rows,
 * so no cell's profile is computed, and the labels of unchanged runs are copied from the row above.
 * Cost: O(changed runs) unions, and a copy of each row of labels. */
#include "cell_edges.h"
#include "shared/sets.h"

#include <wasm_simd128.h>

static i32 map_is_bad(const ScanMap *map) {
  if (map->spots < 0 || map->spots > SCAN_SPOTS) return 1;
  if (map->range < 0 || map->range > SCAN_RANGE) return 1;
  if (map->layers != 2 && map->layers != 3) return 1;
  if (map->width < 1 || map->width > SCAN_SIDE) return 1;
  if (map->height < 1 || map->height > SCAN_SIDE) return 1;
  if (map->spots && !kernel_holds(map->centres, 12ull * (u32)map->spots)) return 1;
  for (i32 i = 0; i < 3 * map->spots; i++)
    if (map->centres[i] < -SCAN_COORDINATE || map->centres[i] > SCAN_COORDINATE) return 1;
  return 0;
}

/* Whether the input buffers, or those of scan_breaks, are not in the arena. */
static i32 lacks_room(const ScanMap *map) {
  u64 words = (u64)max32(1, (map->spots + 63) / 64), line = ((u64)map->width + 63) / 64;
  u64 across = sizeof(i16) * ((u64)map->width + 1), down = sizeof(i16) * ((u64)map->height + 1);
  return !kernel_holds(map->column_at, across) || !kernel_holds(map->column_of, across) ||
         !kernel_holds(map->row_at, down) || !kernel_holds(map->row_of, down) ||
         (map->walls && !kernel_holds(map->walls, 8 * line * (u64)map->height)) ||
         (map->closed && !kernel_holds(map->closed, 2 * 8 * line * (u64)map->height)) ||
         (map->layers == 3 && !kernel_holds(map->elsewhere, 8 * words));
}

/* Whether `at` has the first tiles of `count` intervals, then the length. */
static i32 are_breaks(const i16 *at, i32 count, i32 length) {
  if (count < 1 || count > length || at[0] != 0 || at[count] != length) return 0;
  for (i32 i = 0; i < count; i++)
    if (at[i] >= at[i + 1]) return 0;
  return 1;
}

i32 scan_map_is_broken_up(const ScanMap *map) {
  if (map_is_bad(map) || lacks_room(map)) return 0;
  if (!are_breaks(map->column_at, map->columns, map->width)) return 0;
  if (!are_breaks(map->row_at, map->rows, map->height)) return 0;
  if ((i64)map->columns * map->rows > SCAN_CELLS) return 0;
  u64 set = 8 * (u64)map->layers * (u64)max32(1, (map->spots + 63) / 64);
  u64 columns = set * (u64)map->columns, rows = set * (u64)map->rows;
  return kernel_holds(map->column_sets, columns) && kernel_holds(map->column_flips, columns) &&
         kernel_holds(map->row_sets, rows) && kernel_holds(map->row_flips, rows) &&
         kernel_holds(map->labels, sizeof(i32) * (u64)map->columns * (u64)map->rows);
}

/* Half the side of a layer's square (the square has 2 * half + 1 tiles a side). */
static inline i32 half_side(const ScanMap *map, i32 layer) {
  return layer == 0 ? map->range : layer == 1 ? 2 * map->range : map->range + 15;
}

/* The centre of a layer's square on one axis (0: x, 1: y). */
static inline i32 centre(const ScanMap *map, i32 spot, i32 layer, i32 axis) {
  return map->centres[3 * spot + (axis == 0 ? 0 : layer == 2 ? 2 : 1)];
}

/* ---- breaks ---------------------------------------------------------------------------- */

/* Mark the sides of all squares on an axis. */
static void mark_squares(const ScanMap *map, i32 axis, i32 length, u8 *marks) {
  for (i32 spot = 0; spot < map->spots; spot++)
    for (i32 layer = 0; layer < map->layers; layer++) {
      i32 c = centre(map, spot, layer, axis), half = half_side(map, layer);
      if (c - half > 0 && c - half < length) marks[c - half] = 1;
      if (c + half + 1 > 0 && c + half + 1 < length) marks[c + half + 1] = 1;
    }
}

/* The bit maps of walls: tiles, closed steps to the west, closed steps to the south. */
enum { BLOCKED, CLOSED_WEST, CLOSED_SOUTH, WALL_MAPS };

/* Returns null if there is no such map. */
static inline const u64 *wall_map(const ScanMap *map, i32 kind) {
  size_t tiles = (size_t)((map->width + 63) / 64) * (size_t)map->height;
  if (kind == BLOCKED) return map->walls;
  return map->closed ? map->closed + (kind == CLOSED_SOUTH ? tiles : 0) : 0;
}

/* Mark a column break at x if in any row a map changes between x - 1 and x (row XOR row shifted by 1), or a
 * step to the west is closed. */
static void mark_wall_columns(const ScanMap *map, i32 kind, u8 *marks) {
  i32 words = (map->width + 63) / 64;
  for (i32 w = 0; w < words; w++) {
    u64 changes = 0;
    for (i32 y = 0; y < map->height; y++) {
      const u64 *row = wall_map(map, kind) + (size_t)y * words;
      u64 before = w ? row[w - 1] >> 63 : row[0] & 1;
      changes |= kind == CLOSED_WEST ? row[w] : row[w] ^ (row[w] << 1 | before);
    }
    for (; changes; changes &= changes - 1) {
      i32 x = 64 * w + lowest64(changes);
      if (x > 0 && x < map->width) marks[x] = 1;
    }
  }
}

static void mark_wall_rows(const ScanMap *map, i32 kind, u8 *marks) {
  i32 words = (map->width + 63) / 64;
  for (i32 y = 1; y < map->height; y++) {
    const u64 *row = wall_map(map, kind) + (size_t)y * words, *above = row - words;
    u64 changes = 0;
    for (i32 w = 0; w < words; w++) changes |= kind == CLOSED_SOUTH ? row[w] : row[w] ^ above[w];
    if (changes) marks[y] = 1;
  }
}

/* Make the marked tiles the first tiles of intervals. Returns the number of intervals. */
static i32 number_intervals(const u8 *marks, i32 length, i16 *at, i16 *of) {
  i32 count = 0;
  for (i32 t = 0; t < length; t++) {
    if (t == 0 || marks[t]) at[count++] = (i16)t;
    of[t] = (i16)(count - 1);
  }
  at[count] = (i16)length;
  of[length] = (i16)count;
  return count;
}

static i32 break_axis(const ScanMap *map, i32 axis, i32 length, u8 *marks, i16 *at, i16 *of) {
  memset(marks, 0, (size_t)length);
  mark_squares(map, axis, length, marks);
  for (i32 kind = 0; kind < WALL_MAPS; kind++)
    if (wall_map(map, kind)) (axis ? mark_wall_rows : mark_wall_columns)(map, kind, marks);
  return number_intervals(marks, length, at, of);
}

EXPORT(i32, scan_breaks)(ScanMap *map, u8 *scratch) {
  if (map_is_bad(map) || lacks_room(map)) return BAD;
  map->columns = break_axis(map, 0, map->width, scratch, map->column_at, map->column_of);
  map->rows = break_axis(map, 1, map->height, scratch, map->row_at, map->row_of);
  if ((i64)map->columns * map->rows > SCAN_CELLS) return TOO_LARGE;
  return map->columns * map->rows;
}

/* ---- sets ------------------------------------------------------------------------------ */

/* The interval of an axis where a square begins, and the first beyond it. */
typedef struct Sides { i32 enter, leave; } Sides;

static inline Sides sides_of(const ScanMap *map, i32 spot, i32 layer, i32 axis, i32 length, const i16 *of) {
  i32 c = centre(map, spot, layer, axis), half = half_side(map, layer);
  return (Sides){of[clamp32(c - half, 0, length)], of[clamp32(c + half + 1, 0, length)]};
}

/* Fill the flips of an axis from the squares' sides, then the sets as their running XOR. The flip of the
 * first interval is its set. */
static void fill_axis(const ScanMap *map, i32 axis, i32 length, const i16 *of, i32 count, u64 *flips,
                      u64 *sets) {
  i32 words = set_words(map), v = map->layers * words;
  memset(flips, 0, sizeof(u64) * (size_t)(count * v));
  for (i32 spot = 0; spot < map->spots; spot++)
    for (i32 layer = 0; layer < map->layers; layer++) {
      Sides at = sides_of(map, spot, layer, axis, length, of);
      i32 word = layer * words + (spot >> 6);
      if ((u32)at.enter < (u32)count) flips[at.enter * v + word] ^= 1ull << (spot & 63);
      if ((u32)at.leave < (u32)count) flips[at.leave * v + word] ^= 1ull << (spot & 63);
    }
  for (i32 i = 0; i < count * v; i++) sets[i] = flips[i] ^ (i >= v ? sets[i - v] : 0);
}

EXPORT(i32, scan_sets)(ScanMap *map) {
  if (!scan_map_is_broken_up(map)) return BAD;
  fill_axis(map, 0, map->width, map->column_of, map->columns, map->column_flips, map->column_sets);
  fill_axis(map, 1, map->height, map->row_of, map->rows, map->row_flips, map->row_sets);
  return OK;
}

/* ---- edges ----------------------------------------------------------------------------- */

/* Whether two sets of v words intersect. */
static inline i32 intersects(const u64 *a, const u64 *b, i32 v) {
  if (v == 2) return wasm_v128_any_true(wasm_v128_and(wasm_v128_load(a), wasm_v128_load(b)));
  u64 any = 0;
  for (i32 i = 0; i < v; i++) any |= a[i] & b[i];
  return any != 0;
}

static inline void set_edge(u64 *row, i32 x, i32 on) {
  u64 bit = 1ull << (x & 63), *word = row + (x >> 6);
  *word = on ? *word | bit : *word & ~bit;
}

static inline void fill_edges(u64 *row, i32 from, i32 to) {
  for (i32 word = from >> 6; 64 * word < to; word++) {
    u64 bits = 64 * word < from ? ~0ull << (from & 63) : ~0ull;
    row[word] |= to - 64 * word < 64 ? bits & ~(~0ull << (to & 63)) : bits;
  }
}

/* Update the edges of squares from row y - 1 to y. The rows differ in the squares with a side between
 * them: in the columns of such a square every cell differs from the one above, and only at its two sides
 * can neighbours in a row begin or cease to differ. Visits squares instead of cells. */
static void cross_row(const ScanMap *map, i32 y, u64 *left, u64 *top) {
  i32 words = set_words(map), v = map->layers * words;
  const u64 *row_set = map->row_sets + (size_t)y * v, *row_flip = map->row_flips + (size_t)y * v;
  for (i32 word = 0; word < v; word++)
    for (u64 flips = row_flip[word]; flips; flips &= flips - 1) {
      i32 spot = 64 * (word % words) + lowest64(flips), layer = word / words;
      if (spot >= map->spots) break;
      Sides at = sides_of(map, spot, layer, 0, map->width, map->column_of);
      if (at.enter < 0 || at.enter > at.leave || at.leave > map->columns) continue;
      fill_edges(top, at.enter, at.leave);
      if (at.enter > 0 && at.enter < map->columns)
        set_edge(left, at.enter, intersects(map->column_flips + (size_t)at.enter * v, row_set, v));
      if (at.leave > 0 && at.leave < map->columns)
        set_edge(left, at.leave, intersects(map->column_flips + (size_t)at.leave * v, row_set, v));
    }
}

/* The bit of a cell in a map of walls; it is the same for all its tiles. */
static inline i32 is_set(const ScanMap *map, i32 kind, i32 column, i32 row) {
  i32 x = map->column_at[column], y = map->row_at[row];
  const u64 *bits = wall_map(map, kind);
  return bits ? bits[(size_t)y * ((map->width + 63) / 64) + (x >> 6)] >> (x & 63) & 1 : 0;
}

/* Add the edges of walls to a row. */
static void add_wall_edges(const ScanMap *map, i32 y, EdgeRow row) {
  i32 before = is_set(map, BLOCKED, 0, y);
  for (i32 x = 0; x < map->columns; x++) {
    i32 here = is_set(map, BLOCKED, x, y);
    if (here != before || is_set(map, CLOSED_WEST, x, y)) set_edge(row.left, x, 1);
    if (y && (here != is_set(map, BLOCKED, x, y - 1) || is_set(map, CLOSED_SOUTH, x, y)))
      set_edge(row.top, x, 1);
    before = here;
  }
}

/* Fill all edges. The last row of `edges` has the left edges of squares alone, the input of the next row. */
static void find_edges(const ScanMap *map, u64 *edges) {
  i32 words = edge_words(map);
  u64 *plain = edges + 2 * (size_t)map->rows * words;
  memset(edges, 0, sizeof(u64) * (2 * (size_t)map->rows + 1) * (size_t)words);
  set_edge(plain, 0, 1);
  set_edge(plain, map->columns, 1);
  for (i32 y = 0; y < map->rows; y++) {
    EdgeRow row = edge_row(map, edges, y);
    cross_row(map, y, plain, row.top);
    if (!y) fill_edges(row.top, 0, map->columns);
    for (i32 word = 0; word < words; word++) row.left[word] = plain[word];
    if (map->walls || map->closed) add_wall_edges(map, y, row);
  }
}

/* ---- labels ---------------------------------------------------------------------------- */

/* The label of a run: that of the equal runs above it, united if there are several, else a new one. One
 * stretch of clear `top` bits can have several runs above, because a closed step may separate cells that
 * this row connects. */
static i32 run_label(EdgeRow row, const i32 *above, i32 *parents, i32 from, i32 to, i32 made) {
  i32 label = -1;
  for (i32 x = next_gap(row.top, from, to); x < to;) {
    if (label < 0) label = above[x];
    else if (above[x] != label) long_sets_join(parents, label, above[x]);
    i32 gap = next_edge(row.top, x, to), run = next_edge(row.above, x + 1, to);
    x = run < gap ? run : next_gap(row.top, gap, to);
  }
  return label < 0 ? parents[made] = made : label;
}

/* First pass: provisional labels, visiting only the changes from row to row. Returns how many. */
static i32 label_runs(const ScanMap *map, u64 *edges, i32 *parents) {
  i32 columns = map->columns, made = 0;
  for (i32 y = 0; y < map->rows; y++) {
    EdgeRow row = edge_row(map, edges, y);
    i32 *here = map->labels + (size_t)y * columns, *above = here - columns;
    if (y) memcpy(here, above, sizeof(i32) * (size_t)columns);
    Change change = {0, 0};
    while (next_change(map, row, change.to, &change))
      for (i32 x = change.from, end; x < change.to; x = end) {
        end = next_edge(row.left, x + 1, change.to);
        i32 label = -1;
        if (!is_set(map, BLOCKED, x, y)) {
          label = run_label(row, above, parents, x, end, made);
          made += label == made;
        }
        for (i32 i = x; i < end; i++) here[i] = label;
      }
  }
  return made;
}

EXPORT(i32, scan_label)(ScanMap *map, i32 *parents, u64 *edges) {
  if (scan_sets(map) != OK) return BAD;
  find_edges(map, edges);
  i32 made = label_runs(map, edges, parents), classes = 0;
  /* a parent is smaller than its child, so it is renumbered already */
  for (i32 i = 0; i < made; i++) parents[i] = parents[i] == i ? classes++ : parents[parents[i]];
  if (classes < made)
    for (i32 i = 0; i < map->columns * map->rows; i++)
      if (map->labels[i] >= 0) map->labels[i] = parents[map->labels[i]];
  return map->classes = classes;
}
