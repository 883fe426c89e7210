/* Proves the optimal scan plan on the open plane, or that none is below a known total: branch and bound
 * over states (S, t), S the spots left, t a tile.
 *
 *   V(S, t) = min over tiles q of |S| (walk(t, q) + stop) + walks from q to the spots that a triple shows at q
 *                                 + sum over the other answers of V(S_answer, q)
 *   in ticks, summed over the spots of S
 *
 * Values are stored as reduced cost R = V - |S| stop - straight walks to the spots, so that bounds fit a
 * byte.
 *
 * Lower bound: additive pattern databases (Korf & Felner 2002). Spots are divided into groups of at most
 * GROUP (fewer if memory is short), every subset of a group is solved exactly, and R(S) >= sum of R(S &
 * group), because a plan for a set is a plan for each of its parts. Entries are minima of 2 x 2 tiles,
 * saturated at 255. Above MANY spots the better of two groupings is used.
 * Pass 1, large sets first: each state has cutoffs (tile, value that R must stay below). A scan at q
 * passes on to each answer: cutoff - walk - stops - bounds of the other answers. Walks are a distance
 * transform (cost_field.h). States without a cutoff above their bound are dropped.
 * Pass 2, small sets first: exact dynamic program over the remaining states.
 *
 *   pool | states | hash | 2 rows | marks | raster | PDB bytes | cutoff lists, later values | rows of states |
 *   cutoff = tile (TILE_BITS) | R << TILE_BITS, in blocks of BLOCK
 *
 * scan_optimum: the least total of a set from (x, y), or `upper` if no plan takes less. `pool`: `room`
 * numbers of two bytes. TOO_LARGE: out of memory, more than 2^18 tiles or 2^20 states, or totals from HIGH
 * on. */
#include "cost_field.h"

enum {
  GROUP = 8, /* most spots of a group, */
  LEAST_GROUP = 3, /* and fewest */
  GROUPS = 24, /* at least 64 / LEAST_GROUP, rounded up */
  TILE_BITS = 18, /* of a tile number in a cutoff; the other bits are its R */
  MAX_CUTOFF = 1 << (32 - TILE_BITS),
  BLOCK = 15, /* cutoffs of one block */
  HIGH = 60000, /* totals are stored as HIGH - total, so that a minimum is the largest cutoff */
  FEWEST_STATES = 1 << 10,
  MOST_STATES = 1 << 20,
  LONG = 8,     /* blocks of a state before its duplicate tiles are merged */
  MANY = 32     /* spots, above which two groupings are compared */
};

/* A block of the cutoff list of a state: tile | R << TILE_BITS. */
typedef struct Cutoffs {
  u32 next; /* a block number, 0 after the last */
  u32 each[BLOCK];
} Cutoffs;

/* A row of values: the tiles x0 to x1, from index `first` on. */
typedef struct Row {
  i64 first;
  i16 x0, x1;
} Row;

typedef struct State {
  u64 set;
  i32 next;  /* the next one of its size, -1 after the last */
  u32 head;  /* its first block of cutoffs, the only one that may be partly filled */
  i32 count; /* cutoffs in that block */
  i32 blocks, limit; /* its blocks, and at how many duplicates are merged */
  i32 open;          /* whether a cutoff exceeds the bound somewhere: in `at` */
  Box at, scans;     /* `scans`: where its scans may be below the cutoffs */
  Row *rows;         /* of `at` */
} State;

struct ScanOptimum {
  const ScanPlan *plan;
  u64 whole;
  i32 x, y, upper; /* the start tile and a known total */
  Box window;
  i32 wide, high;           /* of the window */
  i32 half, field;          /* 2 x 2 tiles of a row, and of a field */
  i32 groups, states, most; /* numbers of groups and states, and most states */
  i32 in;                   /* the current group */
  i32 across;               /* the grouping: see rank_of */
  u64 group[GROUPS];
  i64 first[GROUPS]; /* the first byte of a group's entries */
  u8 group_of[SCAN_ROUTE_SPOTS], place_of[SCAN_ROUTE_SPOTS];
  i32 of_size[SCAN_ROUTE_SPOTS + 1];
  State *state;
  i32 *slots;
  u16 *row, *halves, *sheet;
  u16 *marks;  /* a number for each tile of the window, 0 between calls */
  u8 *pdb;     /* the pattern databases: R of all subsets of groups */
  u16 *free;   /* the rest: fields of a group's subsets, then cutoffs, then values */
  i64 room, used; /* of that, in numbers of two bytes (cutoffs: blocks); the rows of states are at its end */
  u32 spare;      /* the first free block of cutoffs */
};

typedef struct ScanOptimum Optimum;

/* The size of some bytes in numbers of two, rounded up for alignment. */
static inline i64 numbers(i64 bytes) { return (bytes + 15) / 16 * 8; }

/* ---- sets and tiles --------------------------------------------------------------------- */

/* The slot of a set in the hash table, -1 in it if it is no state. */
static inline i32 slot_of(const Optimum *o, u64 set) {
  u32 mask = 2 * (u32)o->most - 1, slot = (u32)((set * 0x9e3779b97f4a7c15ull) >> 32) & mask;
  while (o->slots[slot] >= 0 && o->state[o->slots[slot]].set != set) slot = (slot + 1) & mask;
  return (i32)slot;
}

static inline i32 several(u64 set) { return (set & (set - 1)) != 0; }

/* Ticks of a stop for each spot of the answers that leave several. */
static inline i32 stops_after(const Optimum *o, const u64 *parts) {
  i32 spots = 0;
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (several(parts[p])) spots += popcount64(parts[p]);
  return spots * o->plan->stop;
}

/* Add the ticks to one spot to a row of values. */
static void add_walk(u16 *row, const Box *box, i32 y, i32 sx, i32 sy) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  v128_t down = wasm_i16x8_splat((i16)abs32(y - sy));
  v128_t off = wasm_i16x8_add(wasm_i16x8_splat((i16)(box->x0 - sx)), wasm_v128_load(STEPS));
  for (i32 x = 0; x <= box->x1 - box->x0; x += 8) {
    v128_t away = wasm_u16x8_max(wasm_i16x8_abs(off), down);
    wasm_v128_store(row + x, wasm_u16x8_add_sat(at(row + x), wasm_u16x8_shr(away, 1)));
    off = wasm_i16x8_add(off, wasm_i16x8_splat(8));
  }
}

/* Fill a row with `more` + the walks to the spots of a set; writes up to eight values beyond the box. */
static void fill_walks(const Optimum *o, u64 set, const Box *box, i32 y, i32 more, u16 *row) {
  v128_t begin = wasm_i16x8_splat((i16)more);
  for (i32 x = 0; x <= box->x1 - box->x0; x += 8) wasm_v128_store(row + x, begin);
  for (; set; set &= set - 1) {
    i32 s = lowest64(set);
    add_walk(row, box, y, o->plan->x[s], o->plan->y[s]);
  }
}

/* ---- pattern databases ------------------------------------------------------------------- */

/* The entries whose sum is the lower bound of R of a set. */
typedef struct Low {
  i32 count;
  const u8 *of[GROUPS];
} Low;

static void find_entries(const Optimum *o, u64 set, Low *low) {
  u32 subs[GROUPS] = {0};
  low->count = 0;
  for (; set; set &= set - 1) {
    i32 s = lowest64(set);
    subs[o->group_of[s]] |= 1u << o->place_of[s];
  }
  for (i32 g = 0; g < o->groups; g++)
    if (several(subs[g])) low->of[low->count++] = o->pdb + o->first[g] + (i64)subs[g] * o->field;
}

static inline i32 block_of(const Optimum *o, i32 x, i32 y) {
  return ((y - o->window.y0) >> 1) * o->half + ((x - o->window.x0) >> 1);
}

static inline i32 lower_bound_at(const Low *low, i32 block) {
  i32 sum = 0;
  for (i32 i = 0; i < low->count; i++) sum += low->of[i][block];
  return sum;
}

static inline u64 set_in(const Optimum *o, u32 sub) {
  u64 set = 0;
  for (u64 rest = o->group[o->in]; rest; rest &= rest - 1)
    if (sub >> o->place_of[lowest64(rest)] & 1) set |= rest & -rest;
  return set;
}

/* A subset of a group as a mask of the group's spots, and back (set_in). */
static inline u32 sub_of(const Optimum *o, u64 set) {
  u32 sub = 0;
  for (; set; set &= set - 1) sub |= 1u << o->place_of[lowest64(set)];
  return sub;
}

/* The field of a subset of the current group, in full totals. */
static inline u16 *field_of(const Optimum *o, u32 sub) { return o->free + (i64)sub * o->wide * o->high; }

/* The cost of a scan in a cell, a row in full totals, from the fields of the current group. */
static void cost_in_group(const Optimum *o, const Cell *cell, i32 n, i32 y, u16 *row) {
  i32 wide = cell->at.x1 - cell->at.x0 + 1;
  u64 straight = cell->shown;
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (!several(cell->parts[p])) straight |= cell->parts[p];
  fill_walks(o, straight, &cell->at, y, n * o->plan->stop, row);
  i64 from = (i64)(y - o->window.y0) * o->wide + cell->at.x0 - o->window.x0;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    if (!several(cell->parts[p])) continue;
    const u16 *values = field_of(o, sub_of(o, cell->parts[p])) + from;
    for (i32 x = 0; x < wide; x += 8)
      wasm_v128_store(row + x, wasm_u16x8_add_sat(at(row + x), at(values + x)));
  }
}

/* Store two rows as R: the minimum of 2 x 2 tiles, saturated at 255. */
static void store_reduced_2x2(Optimum *o, u64 set, const Raster *s, i32 j, u8 *out) {
  i32 n = popcount64(set) * o->plan->stop;
  for (i32 i = 0; i < 2 && j + i < s->high; i++) {
    fill_walks(o, set, &o->window, o->window.y0 + j + i, n, o->row);
    u16 *row = row_of(s, j + i);
    for (i32 x = 0; x < s->wide; x += 8) {
      v128_t more = wasm_u16x8_sub_sat(at(row + x), at(o->row + x));
      wasm_v128_store(o->halves + x, i ? wasm_u16x8_min(more, at(o->halves + x)) : more);
    }
  }
  o->halves[s->wide] = INFINITE;
  for (i32 b = 0; b < o->half; b++)
    out[b] = (u8)min32(255, min32(o->halves[2 * b], o->halves[2 * b + 1]));
}

/* Solve a subset of the current group from its smaller subsets, and store its entry. */
static void build_pdb_entry(Optimum *o, u32 sub) {
  u64 set = set_in(o, sub);
  i32 n = popcount64(set);
  Raster sheet = begin_raster(o->sheet, &o->window);
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, o->plan, set, o->window); next_cell(&cells, &cell);)
    for (i32 y = cell.at.y0; y <= cell.at.y1; y++) {
      cost_in_group(o, &cell, n, y, o->row);
      memcpy(row_of(&sheet, y - o->window.y0) + cell.at.x0 - o->window.x0, o->row,
             sizeof(u16) * (size_t)(cell.at.x1 - cell.at.x0 + 1));
    }
  scan_distance_transform(&sheet, n);
  u16 *kept = field_of(o, sub);
  for (i32 j = 0; j < o->high; j++)
    memcpy(kept + (i64)j * o->wide, row_of(&sheet, j), sizeof(u16) * (size_t)o->wide);
  u8 *out = o->pdb + o->first[o->in] + (i64)sub * o->field;
  for (i32 j = 0; j < o->high; j += 2) store_reduced_2x2(o, set, &sheet, j, out + (i64)(j / 2) * o->half);
}

/* ---- cutoffs ----------------------------------------------------------------------------- */

static inline Cutoffs *blocks_in(const Optimum *o) { return (Cutoffs *)o->free; }

/* Allocate a block; 0 if there is no room. */
static u32 allocate_block(Optimum *o) {
  u32 found = o->spare;
  if (found) {
    o->spare = blocks_in(o)[found].next;
    return found;
  }
  if ((o->used + 2) * (i64)sizeof(Cutoffs) > 2 * o->room) return 0;
  return (u32)++o->used;
}

/* The number of the state of a set, created if there is none; -1 if there are too many. */
static i32 state_of(Optimum *o, u64 set) {
  i32 slot = slot_of(o, set);
  if (o->slots[slot] >= 0) return o->slots[slot];
  if (o->states == o->most) return -1;
  i32 size = popcount64(set);
  o->state[o->states] = (State){.set = set, .next = o->of_size[size], .count = BLOCK, .limit = LONG,
                                .at = EMPTY, .scans = EMPTY};
  return o->of_size[size] = o->slots[slot] = o->states++;
}

/* Append a cutoff to the list of a state. Returns OK or TOO_LARGE. */
static i32 append_cutoff(Optimum *o, State *s, u32 each) {
  if (s->count == BLOCK) {
    u32 more = allocate_block(o);
    if (!more) return TOO_LARGE;
    blocks_in(o)[more].next = s->head;
    s->head = more;
    s->count = 0;
    s->blocks++;
  }
  blocks_in(o)[s->head].each[s->count++] = each;
  return OK;
}

/* Keep only the largest cutoff of each tile in the list of a state. */
static void merge_cutoffs(Optimum *o, State *s) {
  i32 count = s->count;
  u32 list = s->head;
  for (u32 w = list, n = (u32)count; w; w = blocks_in(o)[w].next, n = BLOCK)
    for (u32 i = 0; i < n; i++) {
      u32 each = blocks_in(o)[w].each[i], tile = each & ((1u << TILE_BITS) - 1);
      o->marks[tile] = (u16)max32(o->marks[tile], (i32)(each >> TILE_BITS));
    }
  s->head = 0;
  s->blocks = 0;
  s->count = BLOCK;
  for (u32 w = list, next; w; w = next, count = BLOCK) {
    Cutoffs old = blocks_in(o)[w];
    next = old.next;
    blocks_in(o)[w].next = o->spare;
    o->spare = w;
    for (i32 i = 0; i < count; i++) {
      u32 tile = old.each[i] & ((1u << TILE_BITS) - 1);
      if (!o->marks[tile]) continue;
      append_cutoff(o, s, tile | (u32)o->marks[tile] << TILE_BITS); /* cannot fail: a block was just freed */
      o->marks[tile] = 0;
    }
  }
  s->limit = max32(LONG, 2 * s->blocks);
}

/* Post the cutoff of a state at a tile. States of two spots are solved in the whole box of their cutoffs,
 * so they have no list. Returns OK or TOO_LARGE. */
static i32 post_cutoff(Optimum *o, State *s, i32 x, i32 y, i32 number) {
  s->at = around(s->at, (Box){x, y, x, y});
  if (popcount64(s->set) == 2) return OK;
  if (number >= MAX_CUTOFF) return TOO_LARGE;
  if (s->count == BLOCK && s->blocks >= s->limit) merge_cutoffs(o, s);
  i32 tile = (y - o->window.y0) * o->wide + x - o->window.x0;
  return append_cutoff(o, s, (u32)tile | (u32)number << TILE_BITS);
}

/* Lower bound of the walks from any tile to all spots of a set: distances to the median of each axis. */
static i32 least_walks(const Optimum *o, u64 set) {
  i32 most = 0;
  for (i32 axis = 0; axis < 2; axis++) {
    i16 sorted[SCAN_ROUTE_SPOTS];
    i32 n = 0, sum = 0;
    for (u64 rest = set; rest; rest &= rest - 1) {
      i16 v = (axis ? o->plan->y : o->plan->x)[lowest64(rest)];
      i32 i = n++;
      for (; i > 0 && sorted[i - 1] > v; i--) sorted[i] = sorted[i - 1];
      sorted[i] = v;
    }
    for (i32 i = 0; i < n; i++) sum += abs32(sorted[i] - sorted[n / 2]);
    most = max32(most, (sum - n) / 2);
  }
  return most;
}

/* Allocate empty rows for the values of a state. Returns OK or TOO_LARGE. */
static i32 make_rows(Optimum *o, State *s) {
  i32 high = s->at.y1 - s->at.y0 + 1;
  i64 taken = numbers((i64)sizeof(Row) * high);
  if (taken > o->room || (o->used + 2) * (i64)sizeof(Cutoffs) > 2 * (o->room - taken))
    return TOO_LARGE;
  o->room -= taken;
  s->rows = (Row *)(o->free + o->room);
  for (i32 i = 0; i < high; i++) s->rows[i] = (Row){0, (i16)s->at.x1, (i16)(s->at.x0 - 1)};
  return OK;
}

/* Clear the cutoffs of a state that its lower bound reaches. Returns the box of the others, and the largest
 * total among them in `most`. */
static Box prune_cutoffs(Optimum *o, const State *s, i32 *most) {
  Low low;
  Box box = EMPTY;
  i32 n = popcount64(s->set), count = s->count;
  find_entries(o, s->set, &low);
  *most = 0;
  for (u32 w = s->head; w; w = blocks_in(o)[w].next, count = BLOCK) {
    Cutoffs *block = &blocks_in(o)[w];
    for (i32 i = 0; i < count; i++) {
      i32 tile = (i32)(block->each[i] & ((1u << TILE_BITS) - 1));
      i32 number = (i32)(block->each[i] >> TILE_BITS);
      i32 x = o->window.x0 + tile % o->wide, y = o->window.y0 + tile / o->wide;
      if (lower_bound_at(&low, block_of(o, x, y)) >= number) {
        block->each[i] = 0;
        continue;
      }
      box = around(box, (Box){x, y, x, y});
      *most = max32(*most, number + n * o->plan->stop + scan_walks_to_spots(o->plan, x, y, s->set));
    }
  }
  return box;
}

/* Write the totals of the cutoffs to a raster, as HIGH - total, and free their blocks. */
static void raster_cutoffs(Optimum *o, State *s, const Raster *sheet, const Box *box) {
  i32 n = popcount64(s->set), count = s->count;
  for (u32 w = s->head, next; w; w = next, count = BLOCK) {
    Cutoffs *block = &blocks_in(o)[w];
    for (i32 i = 0; i < count; i++) {
      i32 tile = (i32)(block->each[i] & ((1u << TILE_BITS) - 1));
      i32 number = (i32)(block->each[i] >> TILE_BITS);
      if (!number) continue;
      i32 x = o->window.x0 + tile % o->wide, y = o->window.y0 + tile / o->wide;
      u16 *value = row_of(sheet, y - box->y0) + x - box->x0;
      i32 total = number + n * o->plan->stop + scan_walks_to_spots(o->plan, x, y, s->set);
      *value = (u16)min32(*value, HIGH - total);
      Row *row = &s->rows[y - s->at.y0];
      row->x0 = (i16)min32(row->x0, x);
      row->x1 = (i16)max32(row->x1, x);
    }
    next = block->next;
    block->next = o->spare;
    o->spare = w;
  }
  s->head = 0;
}

/* Fill a row of a box with the lower bound of R; the box begins at an even column of the window. */
static void lower_bound_row(const Optimum *o, const Low *low, const Box *box, i32 y, u16 *row) {
  i32 halves = (box->x1 - box->x0) / 2 + 1, from = block_of(o, box->x0, y);
  for (i32 b = 0; b < halves; b += 8) {
    v128_t sum = wasm_i16x8_splat(0);
    for (i32 i = 0; i < low->count; i++)
      sum = wasm_i16x8_add(sum, wasm_u16x8_load8x8(low->of[i] + from + b));
    wasm_v128_store(row + 2 * b, wasm_i16x8_shuffle(sum, sum, 0, 0, 1, 1, 2, 2, 3, 3));
    wasm_v128_store(row + 2 * b + 8, wasm_i16x8_shuffle(sum, sum, 4, 4, 5, 5, 6, 6, 7, 7));
  }
}

/* Turn a raster of cutoffs after the walks into the budgets of a scan at each tile: the cutoff less stops
 * and walks to the spots, 0 where the lower bound reaches it. */
static void residual_budget_rows(Optimum *o, u64 set, const Raster *sheet, const Box *box) {
  Low low;
  i32 stops = popcount64(set) * o->plan->stop;
  v128_t high = wasm_i16x8_splat((i16)HIGH);
  find_entries(o, set, &low);
  for (i32 j = 0; j < sheet->high; j++) {
    u16 *row = row_of(sheet, j);
    fill_walks(o, set, box, box->y0 + j, stops, o->row);
    lower_bound_row(o, &low, box, box->y0 + j, o->halves);
    for (i32 x = 0; x < sheet->wide; x += 8) {
      v128_t left = wasm_u16x8_sub_sat(wasm_u16x8_sub_sat(high, at(row + x)), at(o->row + x));
      v128_t none = wasm_i16x8_eq(wasm_u16x8_sub_sat(left, at(o->halves + x)), wasm_i16x8_splat(0));
      wasm_v128_store(row + x, wasm_v128_andnot(left, none));
    }
  }
}

/* Whether a cell has a tile with a budget. */
static i32 has_any(const Raster *sheet, const Box *box, const Box *cell) {
  for (i32 y = cell->y0; y <= cell->y1; y++) {
    const u16 *row = row_of(sheet, y - box->y0) - box->x0;
    for (i32 x = cell->x0; x <= cell->x1; x++)
      if (row[x]) return 1;
  }
  return 0;
}

/* Post the cutoffs of the children of a scan in a cell: the budget of the tile less the lower bounds of the
 * other children. Returns OK or TOO_LARGE. */
static i32 post_child_cutoffs(Optimum *o, State *s, const Cell *cell, const Raster *sheet, const Box *box) {
  Low low[SCAN_PARTS];
  State *left[SCAN_PARTS] = {0};
  i32 part[SCAN_PARTS], parts = 0, stops = stops_after(o, cell->parts);
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (several(cell->parts[p])) {
      find_entries(o, cell->parts[p], &low[parts]);
      part[parts++] = p;
    }
  for (i32 y = cell->at.y0; y <= cell->at.y1; y++) {
    const u16 *row = row_of(sheet, y - box->y0) - box->x0;
    for (i32 x = cell->at.x0; x <= cell->at.x1; x++) {
      i32 number = row[x] - stops, least[SCAN_PARTS];
      if (number <= 0) continue;
      for (i32 p = 0; p < parts; p++) number -= least[p] = lower_bound_at(&low[p], block_of(o, x, y));
      if (number <= 0) continue;
      s->scans = around(s->scans, (Box){x, y, x, y});
      for (i32 p = 0; p < parts; p++) {
        if (!left[p]) {
          i32 i = state_of(o, cell->parts[part[p]]);
          if (i < 0) return TOO_LARGE;
          left[p] = &o->state[i];
        }
        if (post_cutoff(o, left[p], x, y, number + least[p]) != OK) return TOO_LARGE;
      }
    }
  }
  return OK;
}

/* Pass 1 for a state: pass its cutoffs on to its children. Returns OK or TOO_LARGE. */
static i32 expand(Optimum *o, State *s) {
  i32 n = popcount64(s->set), most;
  if (n == 2) {
    s->open = 1;
    s->scans = both(window_of(o->plan, s->set), o->window);
    if (make_rows(o, s) != OK) return TOO_LARGE;
    for (i32 y = s->at.y0; y <= s->at.y1; y++)
      s->rows[y - s->at.y0] = (Row){0, (i16)s->at.x0, (i16)s->at.x1};
    return OK;
  }
  s->at = prune_cutoffs(o, s, &most);
  s->open = !is_empty(s->at);
  i32 reach = max32(0, most - n * o->plan->stop - least_walks(o, s->set)) / n;
  Box box = {s->at.x0 - 2 * reach, s->at.y0 - 2 * reach, s->at.x1 + 2 * reach,
             s->at.y1 + 2 * reach};
  box = s->open ? both(box, o->window)
                : (Box){o->window.x0, o->window.y0, o->window.x0, o->window.y0};
  box = around(box, s->at);
  box.x0 -= (box.x0 - o->window.x0) & 1;
  Raster sheet = begin_raster(o->sheet, &box);
  if (s->open && make_rows(o, s) != OK) return TOO_LARGE;
  raster_cutoffs(o, s, &sheet, &box);
  if (!s->open) return OK;
  scan_distance_transform(&sheet, n);
  residual_budget_rows(o, s->set, &sheet, &box);
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, o->plan, s->set, box); next_cell(&cells, &cell);)
    if (has_any(&sheet, &box, &cell.at) && post_child_cutoffs(o, s, &cell, &sheet, &box) != OK)
      return TOO_LARGE;
  return OK;
}

/* ---- values ------------------------------------------------------------------------------ */

/* Find the states that a scan in a cell leaves, and the box where all of them have values; 0 if one is no
 * open state. */
static i32 find_children(const Optimum *o, const Cell *cell, const State **left, i32 *count, Box *box) {
  *count = 0;
  *box = cell->at;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    if (!several(cell->parts[p])) continue;
    i32 i = o->slots[slot_of(o, cell->parts[p])];
    if (i < 0 || !o->state[i].open) return 0;
    left[(*count)++] = &o->state[i];
    *box = both(*box, o->state[i].at);
  }
  return !is_empty(*box);
}

/* Shrink a row of a cell to the tiles where all children have values. */
static void clip_row(const State **left, i32 count, i32 y, i32 *from, i32 *to) {
  for (i32 p = 0; p < count; p++) {
    const Row *row = &left[p]->rows[y - left[p]->at.y0];
    *from = max32(*from, row->x0);
    *to = min32(*to, row->x1);
  }
}

/* The stops and R of the children of a scan at a tile; INFINITE if one reaches its cutoff. */
static inline i32 sum_children(const Optimum *o, const State **left, i32 count, i32 stops, i32 x, i32 y) {
  i32 sum = stops;
  for (i32 p = 0; p < count; p++) {
    const Row *row = &left[p]->rows[y - left[p]->at.y0];
    sum += o->free[row->first + x - row->x0];
  }
  return min32(sum, INFINITE);
}

/* Pass 2 for a state: compute its values from those of its children. Returns OK or TOO_LARGE. */
static i32 solve_state(Optimum *o, State *s) {
  i32 n = popcount64(s->set), count;
  const State *left[SCAN_PARTS];
  Box box = around(s->at, s->scans), common;
  Raster sheet = begin_raster(o->sheet, &box);
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, o->plan, s->set, s->scans); next_cell(&cells, &cell);) {
    if (!find_children(o, &cell, left, &count, &common)) continue;
    i32 stops = stops_after(o, cell.parts);
    for (i32 y = common.y0; y <= common.y1; y++) {
      u16 *row = row_of(&sheet, y - box.y0) - box.x0;
      i32 from = common.x0, to = common.x1;
      clip_row(left, count, y, &from, &to);
      for (i32 x = from; x <= to; x++) row[x] = (u16)sum_children(o, left, count, stops, x, y);
    }
  }
  for (i32 j = 0; j < sheet.high; j++) {
    fill_walks(o, s->set, &box, box.y0 + j, n * o->plan->stop, o->row);
    u16 *row = row_of(&sheet, j);
    for (i32 x = 0; x < sheet.wide; x += 8)
      wasm_v128_store(row + x, wasm_u16x8_add_sat(at(row + x), at(o->row + x)));
  }
  scan_distance_transform(&sheet, n);
  for (i32 y = s->at.y0; y <= s->at.y1; y++) {
    const u16 *row = row_of(&sheet, y - box.y0) - box.x0;
    Row *kept = &s->rows[y - s->at.y0];
    kept->first = o->used;
    if (o->used + kept->x1 - kept->x0 + 1 > o->room) return TOO_LARGE;
    for (i32 x = kept->x0; x <= kept->x1; x++) {
      i32 straight = n * o->plan->stop + scan_walks_to_spots(o->plan, x, y, s->set);
      o->free[o->used++] = row[x] == INFINITE ? INFINITE : (u16)(row[x] - straight);
    }
  }
  return OK;
}

/* ---- the stages ------------------------------------------------------------------------- */

/* The order of spots for grouping: by distance from the start, or from west to east. */
static inline i32 rank_of(const Optimum *o, i32 spot) {
  return o->across ? o->plan->x[spot] : chebyshev(o->x, o->y, o->plan->x[spot], o->plan->y[spot]);
}

/* Divide the spots into groups: consecutive spots by distance, or every n-th spot from west to east. */
static void make_groups(Optimum *o, i32 groups) {
  i32 order[SCAN_ROUTE_SPOTS], n = 0;
  for (u64 rest = o->whole; rest; rest &= rest - 1) {
    i32 s = lowest64(rest), i = n++;
    for (; i > 0 && rank_of(o, order[i - 1]) > rank_of(o, s); i--) order[i] = order[i - 1];
    order[i] = s;
  }
  memset(o->group, 0, sizeof o->group);
  o->groups = groups;
  for (i32 i = 0; i < n; i++) {
    i32 g = o->across ? i % groups : i * groups / n;
    o->group_of[order[i]] = (u8)g;
    o->place_of[order[i]] = (u8)popcount64(o->group[g]);
    o->group[g] |= 1ull << order[i];
  }
}

/* Set the first byte of each group's entries. Returns the bytes of all. */
static i64 place_entries(Optimum *o) {
  i64 bytes = 0;
  for (i32 g = 0; g < o->groups; g++) {
    o->first[g] = bytes;
    bytes += (i64)o->field << popcount64(o->group[g]);
  }
  return bytes;
}

/* Divide the pool, with groups as large as it allows. Returns OK or TOO_LARGE. */
static i32 lay_out(Optimum *o, u16 *pool, i64 room) {
  i32 n = popcount64(o->whole), stride = stride_of(o->wide) + 2 * SPARE;
  for (o->most = FEWEST_STATES; o->most < MOST_STATES && o->most < room / 1024; o->most *= 2) {}
  i64 states = numbers((i64)sizeof(State) * o->most), slots = numbers(8ll * o->most);
  i64 rows = 2ll * stride, marks = numbers(2ll * o->wide * o->high);
  i64 sheet = (sheet_room(&o->window) + 7) / 8 * 8, fixed = states + slots + rows + marks + sheet;
  for (i32 size = GROUP; size >= LEAST_GROUP; size--) {
    make_groups(o, (n + size - 1) / size);
    i64 fields = place_entries(o);
    i32 largest = (n + o->groups - 1) / o->groups;
    i64 entries = numbers(fields + 16), left = room - fixed - entries;
    i64 making = ((i64)o->wide * o->high << largest) + SPARE;
    if (left < making || left < room / 4) continue;
    o->state = (State *)pool;
    o->slots = (i32 *)(pool + states);
    o->row = pool + states + slots + SPARE;
    o->halves = o->row + stride;
    o->sheet = pool + states + slots + rows;
    o->marks = o->sheet + sheet;
    o->pdb = (u8 *)(pool + fixed);
    o->free = pool + fixed + entries;
    o->room = left;
    return OK;
  }
  return TOO_LARGE;
}

/* Build the pattern databases, small subsets first. Above MANY spots build both groupings and use the one
 * with the better bound of the whole set. */
static void build_pdbs(Optimum *o) {
  for (i32 compared = 0, best = 0;; compared++) {
    for (o->in = 0; o->in < o->groups; o->in++) {
      i32 in = popcount64(o->group[o->in]);
      for (i32 size = 2; size <= in; size++)
        for (u32 sub = 0; sub < 1u << in; sub++)
          if (popcount64(sub) == size) build_pdb_entry(o, sub);
    }
    if (popcount64(o->whole) <= MANY || compared == 2) return;
    Low low;
    find_entries(o, o->whole, &low);
    i32 found = lower_bound_at(&low, block_of(o, o->x, o->y));
    if (compared == 1 && found >= best) return;
    best = found;
    o->across = !o->across;
    make_groups(o, o->groups);
    place_entries(o);
  }
}

/* Pass 1: post cutoffs from the whole set down. Returns OK or TOO_LARGE. */
static i32 expand_top_down(Optimum *o) {
  i32 n = popcount64(o->whole);
  i32 number = o->upper - n * o->plan->stop - scan_walks_to_spots(o->plan, o->x, o->y, o->whole);
  if (number <= 0) return OK;
  if (post_cutoff(o, &o->state[state_of(o, o->whole)], o->x, o->y, number) != OK) return TOO_LARGE;
  for (i32 size = n; size >= 2; size--)
    for (i32 i = o->of_size[size]; i >= 0; i = o->state[i].next)
      if (expand(o, &o->state[i]) != OK) return TOO_LARGE;
  return OK;
}

/* Pass 2: solve the open states, in the memory of the bounds and cutoffs. Returns OK or TOO_LARGE. */
static i32 solve_bottom_up(Optimum *o) {
  o->used = 0;
  o->room += o->free - (u16 *)o->pdb;
  o->free = (u16 *)o->pdb;
  for (i32 size = 2; size <= popcount64(o->whole); size++)
    for (i32 i = o->of_size[size]; i >= 0; i = o->state[i].next)
      if (o->state[i].open && solve_state(o, &o->state[i]) != OK) return TOO_LARGE;
  return OK;
}

EXPORT(i32, scan_optimum)(const ScanPlan *plan, const u64 *set, i32 x, i32 y, i32 upper, void *pool,
                          i32 room) {
  static Optimum optimum;
  Optimum *o = &optimum;
  if (!seal_holds(plan, SCAN_PLAN) || plan->ground || plan->on_the_way || plan->teleports)
    return BAD;
  if (plan->floors.ends || scan_off_plane(x, y) || room < 0 || upper < 1 || upper >= SCAN_NEVER)
    return BAD;
  if (!several(*set) || (*set & ~scan_all_spots(plan)) || (uintptr_t)pool & 15) return BAD;
  if (upper >= HIGH) return TOO_LARGE;
  memset(o, 0, sizeof *o);
  memset(o->of_size, 0xff, sizeof o->of_size);
  o->plan = plan;
  o->whole = *set;
  o->x = x;
  o->y = y;
  o->upper = upper;
  o->window = around(window_of(plan, *set), (Box){x, y, x, y});
  if (is_vast(&o->window)) return TOO_LARGE;
  o->wide = o->window.x1 - o->window.x0 + 1;
  o->high = o->window.y1 - o->window.y0 + 1;
  o->half = (o->wide + 1) / 2;
  o->field = o->half * ((o->high + 1) / 2);
  if ((i64)o->wide * o->high > 1 << TILE_BITS) return TOO_LARGE;
  if (lay_out(o, pool, room) != OK) return TOO_LARGE;
  memset(o->slots, 0xff, 8 * (size_t)o->most);
  memset(o->marks, 0, sizeof(u16) * (size_t)(o->wide * o->high));
  build_pdbs(o);
  if (expand_top_down(o) != OK || solve_bottom_up(o) != OK) return TOO_LARGE;
  i32 whole = o->slots[slot_of(o, *set)];
  if (whole < 0 || !o->state[whole].open) return upper;
  i32 more = o->free[o->state[whole].rows->first]; /* its total is needed at one tile */
  i32 straight = popcount64(*set) * plan->stop + scan_walks_to_spots(o->plan, x, y, *set);
  return min32(upper, straight + more);
}
