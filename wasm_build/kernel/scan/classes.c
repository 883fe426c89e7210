/* Classes of equal pulses by the compressed grid; scan.h documents buffers and limits. */
#include "scan.h"

#include "shared/sets.h"

#include <wasm_simd128.h>

static inline i32 clamp32(i32 v, i32 low, i32 high) { return max32(low, min32(v, high)); }

static inline i32 set_words(const ScanMap *map) { return max32(1, (map->spots + 63) / 64); }

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

static i32 lacks_room(const ScanMap *map) {
  u64 words = (u64)max32(1, (map->spots + 63) / 64), line = ((u64)map->width + 63) / 64;
  u64 across = sizeof(i16) * ((u64)map->width + 1), down = sizeof(i16) * ((u64)map->height + 1);
  return !kernel_holds(map->column_at, across) || !kernel_holds(map->column_of, across) ||
         !kernel_holds(map->row_at, down) || !kernel_holds(map->row_of, down) ||
         (map->walls && !kernel_holds(map->walls, 8 * line * (u64)map->height)) ||
         (map->layers == 3 && !kernel_holds(map->elsewhere, 8 * words));
}

/* 1 if `at` are the first tiles of `count` intervals, and then the length. */
static i32 is_broken_up(const i16 *at, i32 count, i32 length) {
  if (count < 1 || count > length || at[0] != 0 || at[count] != length) return 0;
  for (i32 i = 0; i < count; i++)
    if (at[i] >= at[i + 1]) return 0;
  return 1;
}

i32 scan_map_is_broken_up(const ScanMap *map) {
  if (map_is_bad(map) || lacks_room(map)) return 0;
  if (!is_broken_up(map->column_at, map->columns, map->width)) return 0;
  if (!is_broken_up(map->row_at, map->rows, map->height)) return 0;
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

static void mark_squares(const ScanMap *map, i32 axis, i32 length, u8 *marks) {
  for (i32 spot = 0; spot < map->spots; spot++)
    for (i32 layer = 0; layer < map->layers; layer++) {
      i32 c = centre(map, spot, layer, axis), half = half_side(map, layer);
      if (c - half > 0 && c - half < length) marks[c - half] = 1;
      if (c + half + 1 > 0 && c + half + 1 < length) marks[c + half + 1] = 1;
    }
}

/* A column breaks at x where any row changes between x - 1 and x: row XOR (row shifted by 1). */
static void mark_wall_columns(const ScanMap *map, u8 *marks) {
  i32 words = (map->width + 63) / 64;
  for (i32 w = 0; w < words; w++) {
    u64 changes = 0;
    for (i32 y = 0; y < map->height; y++) {
      const u64 *row = map->walls + (size_t)y * words;
      u64 before = w ? row[w - 1] >> 63 : row[0] & 1;
      changes |= row[w] ^ (row[w] << 1 | before);
    }
    for (; changes; changes &= changes - 1) {
      i32 x = 64 * w + lowest64(changes);
      if (x > 0 && x < map->width) marks[x] = 1;
    }
  }
}

static void mark_wall_rows(const ScanMap *map, u8 *marks) {
  i32 words = (map->width + 63) / 64;
  for (i32 y = 1; y < map->height; y++) {
    const u64 *row = map->walls + (size_t)y * words, *above = row - words;
    u64 changes = 0;
    for (i32 w = 0; w < words; w++) changes |= row[w] ^ above[w];
    if (changes) marks[y] = 1;
  }
}

/* The marked tiles become the first tiles of intervals; returns the number of intervals. */
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

EXPORT(i32, scan_breaks)(ScanMap *map, u8 *scratch) {
  if (map_is_bad(map) || lacks_room(map)) return BAD;
  memset(scratch, 0, (size_t)map->width);
  mark_squares(map, 0, map->width, scratch);
  if (map->walls) mark_wall_columns(map, scratch);
  map->columns = number_intervals(scratch, map->width, map->column_at, map->column_of);
  memset(scratch, 0, (size_t)map->height);
  mark_squares(map, 1, map->height, scratch);
  if (map->walls) mark_wall_rows(map, scratch);
  map->rows = number_intervals(scratch, map->height, map->row_at, map->row_of);
  if ((i64)map->columns * map->rows > SCAN_CELLS) return TOO_LARGE;
  return map->columns * map->rows;
}

/* ---- sets ------------------------------------------------------------------------------ */

/* Flips first (each square's two sides), then sets as running XOR of the flips. The first
 * interval's flip is its set: what lies left of the window is nobody's neighbour. */
static void fill_axis(const ScanMap *map, i32 axis, i32 length, const i16 *of, i32 count,
                      u64 *flips, u64 *sets) {
  i32 words = set_words(map), v = map->layers * words;
  memset(flips, 0, sizeof(u64) * (size_t)(count * v));
  for (i32 spot = 0; spot < map->spots; spot++)
    for (i32 layer = 0; layer < map->layers; layer++) {
      i32 c = centre(map, spot, layer, axis), half = half_side(map, layer);
      i32 enter = of[clamp32(c - half, 0, length)], leave = of[clamp32(c + half + 1, 0, length)];
      i32 word = layer * words + (spot >> 6);
      if ((u32)enter < (u32)count) flips[enter * v + word] ^= 1ull << (spot & 63);
      if ((u32)leave < (u32)count) flips[leave * v + word] ^= 1ull << (spot & 63);
    }
  for (i32 i = 0; i < count * v; i++) sets[i] = flips[i] ^ (i >= v ? sets[i - v] : 0);
}

EXPORT(i32, scan_sets)(ScanMap *map) {
  if (!scan_map_is_broken_up(map)) return BAD;
  fill_axis(map, 0, map->width, map->column_of, map->columns, map->column_flips,
            map->column_sets);
  fill_axis(map, 1, map->height, map->row_of, map->rows, map->row_flips, map->row_sets);
  return OK;
}

/* ---- labels ---------------------------------------------------------------------------- */

static inline i32 meet(const u64 *a, const u64 *b, i32 v) {
  if (v == 2) return wasm_v128_any_true(wasm_v128_and(wasm_v128_load(a), wasm_v128_load(b)));
  u64 any = 0;
  for (i32 i = 0; i < v; i++) any |= a[i] & b[i];
  return any != 0;
}

static inline i32 is_wall(const ScanMap *map, i32 column, i32 row) {
  i32 x = map->column_at[column], y = map->row_at[row];
  return map->walls[(size_t)y * ((map->width + 63) / 64) + (x >> 6)] >> (x & 63) & 1;
}

/* One raster pass with provisional labels. A cell joins its left neighbour, else the one above,
 * and where both are equal to it but differ in label the two are united: the smaller label (the
 * earlier first tile) wins. Joining without uniting would cut true classes in two. `v` is a
 * constant in the common case, so that the set loops unroll. */
static inline __attribute__((always_inline)) i32 join_cells(const ScanMap *map, i32 *parents,
                                                            i32 v) {
  i32 made = 0;
  for (i32 y = 0; y < map->rows; y++) {
    const u64 *row_set = map->row_sets + (size_t)y * v, *row_flip = map->row_flips + (size_t)y * v;
    i32 *here = map->labels + (size_t)y * map->columns, *above = here - map->columns;
    i32 current = -1, above_joined = 0;
    for (i32 x = 0; x < map->columns; x++) {
      if (map->walls && is_wall(map, x, y)) {
        here[x] = current = -1;
        above_joined = 0;
        continue;
      }
      i32 left = current >= 0 && !meet(map->column_flips + (size_t)x * v, row_set, v);
      i32 up = y > 0 && above[x] >= 0 && !meet(map->column_sets + (size_t)x * v, row_flip, v);
      if (!left) {
        if (!up) parents[made] = made;
        current = up ? above[x] : made++;
      } else if (up && !(above_joined && above[x] == above[x - 1])) {
        long_sets_join(parents, current, above[x]);
      }
      above_joined = up;
      here[x] = current;
    }
  }
  return made;
}

EXPORT(i32, scan_label)(ScanMap *map, i32 *parents) {
  if (scan_sets(map) != OK) return BAD;
  i32 v = map->layers * set_words(map);
  i32 made = v == 2 ? join_cells(map, parents, 2) : join_cells(map, parents, v);
  i32 classes = 0; /* a parent is smaller than its child, hence already renumbered */
  for (i32 i = 0; i < made; i++) parents[i] = parents[i] == i ? classes++ : parents[parents[i]];
  for (i32 i = 0; i < map->columns * map->rows; i++)
    if (map->labels[i] >= 0) map->labels[i] = parents[map->labels[i]];
  return map->classes = classes;
}

/* ---- rectangles ------------------------------------------------------------------------ */

/* Maximal runs of a row; a run continues the rectangle above if that has the same class and the
 * same ends. Per column where a run begins: its rectangle, its end, and the row it was met on. */
typedef struct Runs {
  i32 *rect, *end, *met;
} Runs;

/* Tiles, first cells and rectangles of all classes in one pass. Returns how many rectangles there
 * are, or BAD if a label is none of the map's classes. */
static i32 measure_runs(const ScanMap *map, i32 *first_cell, i32 *tiles, i16 *rects, i32 *owners,
                        i32 room, Runs runs) {
  i32 columns = map->columns, made = 0;
  memset(tiles, 0, sizeof(i32) * (size_t)map->classes);
  memset(runs.met, 0xff, sizeof(i32) * (size_t)columns);
  for (i32 y = 0; y < map->rows; y++) {
    const i32 *labels = map->labels + (size_t)y * columns, *above = labels - columns;
    i32 y0 = map->row_at[y], y1 = map->row_at[y + 1];
    for (i32 x = 0, end; x < columns; x = end) {
      i32 owner = labels[x];
      for (end = x + 1; end < columns && labels[end] == owner;) end++;
      if (owner < 0) continue;
      if (owner >= map->classes) return BAD;
      i32 x0 = map->column_at[x], x1 = map->column_at[end];
      if (!tiles[owner]) first_cell[owner] = y << 16 | x;
      tiles[owner] += (x1 - x0) * (y1 - y0);
      i32 goes_on = y && runs.met[x] == y - 1 && above[x] == owner && runs.end[x] == end;
      i32 rect = goes_on ? runs.rect[x] : made++;
      if (rect < room) {
        i16 *box = rects + 4 * (size_t)rect;
        if (!goes_on) {
          box[0] = (i16)x0;
          box[1] = (i16)y0;
          box[2] = (i16)(x1 - 1);
          owners[rect] = owner;
        }
        box[3] = (i16)(y1 - 1);
      }
      runs.rect[x] = rect;
      runs.end[x] = end;
      runs.met[x] = y;
    }
  }
  return made;
}

/* ---- counts ---------------------------------------------------------------------------- */

static inline u32 mix(u64 h) {
  h *= 0xd6e8feb86659fd93ull;
  return (u32)(h >> 32);
}

/* Open addressing over class numbers: the entry of an equal earlier class, or a new one. */
typedef struct Table {
  i32 *slots;
  u32 mask;
} Table;

/* A cell as row << 16 | column: dividing by the number of columns costs more than all the rest. */
static inline const u64 *column_sets_of(const ScanMap *map, i32 cell, i32 v) {
  return map->column_sets + (size_t)(cell & 0xffff) * v;
}

static inline const u64 *row_sets_of(const ScanMap *map, i32 cell, i32 v) {
  return map->row_sets + (size_t)(cell >> 16) * v;
}

static void count_split(const ScanMap *map, i32 cell, i16 *counts) {
  i32 words = set_words(map), v = map->layers * words;
  const u64 *column = column_sets_of(map, cell, v), *row = row_sets_of(map, cell, v);
  for (i32 i = 0; i < 6; i++) counts[i] = 0;
  for (i32 w = 0; w < words; w++) {
    i32 spots_here = min32(64, map->spots - 64 * w);
    if (spots_here <= 0) break;
    u64 all = spots_here == 64 ? ~0ull : (1ull << spots_here) - 1;
    u64 inner = column[w] & row[w], outer = column[words + w] & row[words + w];
    u64 other = 0;
    if (map->layers == 3)
      other = map->elsewhere[w] | (column[2 * words + w] & row[2 * words + w]);
    u64 pulse[3] = {all & ~outer, all & outer & ~inner, all & inner};
    for (i32 p = 0; p < 3; p++) {
      counts[p] += (i16)popcount64(pulse[p] & ~other);
      counts[3 + p] += (i16)popcount64(pulse[p] & other);
    }
  }
}

static inline u32 profile_hash(const ScanMap *map, i32 cell, i32 v) {
  const u64 *column = column_sets_of(map, cell, v), *row = row_sets_of(map, cell, v);
  u64 h = 0;
  for (i32 i = 0; i < v; i++)
    h = ((h << 29 | h >> 35) ^ (column[i] & row[i])) * 0x9e3779b97f4a7c15ull;
  return mix(h);
}

static inline i32 same_profile(const ScanMap *map, i32 cell, i32 other, i32 v) {
  const u64 *column = column_sets_of(map, cell, v), *row = row_sets_of(map, cell, v);
  const u64 *column2 = column_sets_of(map, other, v), *row2 = row_sets_of(map, other, v);
  for (i32 i = 0; i < v; i++)
    if ((column[i] & row[i]) != (column2[i] & row2[i])) return 0;
  return 1;
}

static i32 count_profiles(const ScanMap *map, const i32 *first_cell, Table table) {
  i32 v = map->layers * set_words(map), profiles = 0;
  for (i32 c = 0; c < map->classes; c++) {
    u32 slot = profile_hash(map, first_cell[c], v) & table.mask;
    while (table.slots[slot] >= 0 && !same_profile(map, first_cell[c], table.slots[slot], v))
      slot = (slot + 1) & table.mask;
    if (table.slots[slot] >= 0) continue;
    table.slots[slot] = first_cell[c];
    profiles++;
  }
  return profiles;
}

/* A split as one number: no count is above SCAN_SPOTS, so ten bits hold one. */
static inline u64 key_of(const i16 *counts) {
  u64 key = 0;
  for (i32 i = 0; i < 6; i++) key = key << 10 ^ (u64)counts[i];
  return key;
}

/* With three answers a table of all splits there could be may have room: nothing is looked for. */
static i32 number_splits(const ScanMap *map, const i32 *first_cell, i32 *split, i16 *splits,
                         i32 split_room, Table table) {
  i32 made = 0, wide = map->spots + 1;
  i32 direct = map->layers == 2 && (u32)(wide * wide) <= table.mask + 1;
  size_t size = direct ? (size_t)(wide * wide) : (size_t)table.mask + 1;
  memset(table.slots, 0xff, sizeof(i32) * size);
  for (i32 c = 0; c < map->classes; c++) {
    i16 counts[6];
    count_split(map, first_cell[c], counts);
    u32 slot = (u32)(counts[2] * wide + counts[1]);
    if (!direct) {
      u64 key = key_of(counts);
      slot = mix(key ^ key >> 31) & table.mask;
      while (table.slots[slot] >= 0 && key_of(splits + 6 * table.slots[slot]) != key)
        slot = (slot + 1) & table.mask;
    }
    if (table.slots[slot] < 0) {
      if (made == split_room) return TOO_LARGE;
      memcpy(splits + 6 * made, counts, 12);
      table.slots[slot] = made++;
    }
    split[c] = table.slots[slot];
  }
  return made;
}

EXPORT(i32, scan_measure)(const ScanMap *map, i32 *first_cell, i32 *tiles, i32 *split,
                          i16 *splits, i32 split_room, i16 *rects, i32 *owners, i32 room,
                          i32 *scratch, i32 *hash, i32 hash_size, i32 *found) {
  if (!scan_map_is_broken_up(map) || map->classes < 0 || hash_size < 2 || room < 0) return BAD;
  if (map->classes > map->columns * map->rows || (room && !(rects && owners))) return BAD;
  if (hash_size <= 2 * map->classes || (hash_size & (hash_size - 1))) return BAD;
  Runs runs = {scratch, scratch + map->columns, scratch + 2 * map->columns};
  for (i32 c = 0; c < map->classes; c++) first_cell[c] = 0; /* a class of no tile has none */
  i32 found_rects = measure_runs(map, first_cell, tiles, rects, owners, room, runs);
  if (found_rects < 0) return BAD;
  Table table = {hash, (u32)hash_size - 1};
  memset(hash, 0xff, sizeof(i32) * (size_t)hash_size);
  found[1] = count_profiles(map, first_cell, table);
  i32 made = number_splits(map, first_cell, split, splits, split_room, table);
  if (made < 0) return made;
  found[0] = made;
  found[2] = found_rects;
  return OK;
}
