/* Tiles, splits, profiles and rectangles of the classes of scan_label, in one pass over runs
 * (cell_edges.h).
 *
 * Runs that continue unchanged from row to row form one rectangle. Distinct profiles and splits are
 * counted by hash tables with open addressing; with three answers splits are numbered by a direct-address
 * table if it fits. Cost: O(runs + classes words). */
#include "cell_edges.h"

/* ---- rectangles ------------------------------------------------------------------------ */

/* The rectangles so far. `number`, `row`: for each column where a run begins, the rectangle of that run
 * and its first row of cells. */
typedef struct Rects {
  i16 *boxes; /* x0, y0, x1, y1 */
  i32 *owners, room, made;
  i32 *number, *row;
} Rects;

/* Tiles of the intervals `from` to `to` - 1. */
static inline i32 length_of(const i16 *at, i32 from, i32 to) { return at[to] - at[from]; }

/* Close the rectangles of the runs above row y in columns `from` to `to` - 1, and count their tiles. */
static void end_runs(const ScanMap *map, Rects *s, const u64 *left, const i32 *labels, i32 *tiles, i32 from,
                     i32 to, i32 y) {
  for (i32 x = from, end; x < to; x = end) {
    end = next_edge(left, x + 1, to);
    i32 owner = labels[x], begun = s->row[x];
    if ((u32)owner >= (u32)map->classes || (u32)begun >= (u32)y) continue;
    tiles[owner] += length_of(map->column_at, x, end) * length_of(map->row_at, begun, y);
    if ((u32)s->number[x] < (u32)s->room) s->boxes[4 * (size_t)s->number[x] + 3] = (i16)(map->row_at[y] - 1);
  }
}

/* Open rectangles for the runs that begin on row y. Classes are numbered by their first tiles, so class
 * `met` has its first cell here if it is seen. Returns BAD if a label is no class of the map. */
static i32 begin_runs(const ScanMap *map, Rects *s, const u64 *left, const i32 *labels, i32 *first_cell,
                      i32 *met, Change change, i32 y) {
  for (i32 x = change.from, end; x < change.to; x = end) {
    end = next_edge(left, x + 1, change.to);
    i32 owner = labels[x], number = s->made;
    if (owner < 0) continue;
    if (owner >= map->classes) return BAD;
    if (owner == *met) first_cell[(*met)++] = y << 16 | x;
    s->row[x] = y;
    s->number[x] = number;
    s->made++;
    if (number >= s->room) continue;
    i16 *box = s->boxes + 4 * (size_t)number;
    box[0] = map->column_at[x];
    box[1] = box[3] = map->row_at[y];
    box[2] = (i16)(map->column_at[end] - 1);
    s->owners[number] = owner;
  }
  return OK;
}

/* Compute tiles, first cells and rectangles of all classes; BAD as above. */
static i32 measure_runs(const ScanMap *map, u64 *edges, Rects *s, i32 *first_cell, i32 *tiles) {
  i32 columns = map->columns, met = 0;
  memset(tiles, 0, sizeof(i32) * (size_t)map->classes);
  memset(first_cell, 0, sizeof(i32) * (size_t)map->classes); /* defined for classes without tiles too */
  for (i32 y = 0; y < map->rows; y++) {
    EdgeRow row = edge_row(map, edges, y);
    const i32 *labels = map->labels + (size_t)y * columns;
    Change change = {0, 0};
    while (next_change(map, row, change.to, &change)) {
      if (y) end_runs(map, s, row.above, labels - columns, tiles, change.from, change.to, y);
      if (begin_runs(map, s, row.left, labels, first_cell, &met, change, y) != OK) return BAD;
    }
  }
  i32 last = map->rows - 1;
  end_runs(map, s, edge_row(map, edges, last).left, map->labels + (size_t)last * columns, tiles, 0, columns,
           map->rows);
  return OK;
}

/* ---- counts ---------------------------------------------------------------------------- */

static inline u32 mix(u64 h) {
  h *= 0xd6e8feb86659fd93ull;
  return (u32)(h >> 32);
}

/* A hash table with open addressing; -1 = free. */
typedef struct Table {
  i32 *slots;
  u32 mask;
} Table;

/* A cell is row << 16 | column, which avoids a division by the number of columns. */
static inline const u64 *column_sets_of(const ScanMap *map, i32 cell, i32 v) {
  return map->column_sets + (size_t)(cell & 0xffff) * v;
}

static inline const u64 *row_sets_of(const ScanMap *map, i32 cell, i32 v) {
  return map->row_sets + (size_t)(cell >> 16) * v;
}

/* Count the split of a cell. */
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
    if (map->layers == 3) other = map->elsewhere[w] | (column[2 * words + w] & row[2 * words + w]);
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
  for (i32 i = 0; i < v; i++) h = ((h << 29 | h >> 35) ^ (column[i] & row[i])) * 0x9e3779b97f4a7c15ull;
  return mix(h);
}

static inline i32 same_profile(const ScanMap *map, i32 cell, i32 other, i32 v) {
  const u64 *column = column_sets_of(map, cell, v), *row = row_sets_of(map, cell, v);
  const u64 *column2 = column_sets_of(map, other, v), *row2 = row_sets_of(map, other, v);
  for (i32 i = 0; i < v; i++)
    if ((column[i] & row[i]) != (column2[i] & row2[i])) return 0;
  return 1;
}

/* The number of distinct profiles. */
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

/* A split as an integer: counts are at most SCAN_SPOTS, so ten bits suffice for one. */
static inline u64 key_of(const i16 *counts) {
  u64 key = 0;
  for (i32 i = 0; i < 6; i++) key = key << 10 ^ (u64)counts[i];
  return key;
}

/* Number the distinct splits. With three answers a direct-address table of all possible splits is used if
 * it fits. Returns how many, or TOO_LARGE. */
static i32 number_splits(const ScanMap *map, const i32 *first_cell, i32 *split, i16 *splits, i32 split_room,
                         Table table) {
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

EXPORT(i32, scan_measure)(const ScanMap *map, i32 *first_cell, i32 *tiles, i32 *split, i16 *splits,
                          i32 split_room, u64 *edges, i16 *rects, i32 *owners, i32 room, i32 *scratch,
                          i32 *hash, i32 hash_size, i32 *found) {
  if (!scan_map_is_broken_up(map) || map->classes < 0 || hash_size < 2 || room < 0) return BAD;
  if (map->classes > map->columns * map->rows || (room && !(rects && owners))) return BAD;
  if (hash_size <= 2 * map->classes || (hash_size & (hash_size - 1))) return BAD;
  Rects runs = {rects, owners, room, 0, scratch, scratch + map->columns};
  memset(scratch, 0xff, 2 * sizeof(i32) * (size_t)map->columns);
  if (measure_runs(map, edges, &runs, first_cell, tiles) != OK) return BAD;
  Table table = {hash, (u32)hash_size - 1};
  memset(hash, 0xff, sizeof(i32) * (size_t)hash_size);
  found[1] = count_profiles(map, first_cell, table);
  i32 made = number_splits(map, first_cell, split, splits, split_room, table);
  if (made < 0) return made;
  found[0] = made;
  found[2] = runs.made;
  return OK;
}
