/* Cost fields: totals of ticks for every tile of a box, u16 row by row, eight at a time; saturated.
 * Shared by exact.c and restricted_dp.c.
 *
 *   sheet | offers of the last two rows | SPARE | row 0 | SPARE | SPARE | row 1 | SPARE | ...
 *
 * Walks spread by a distance transform (Rosenfeld & Pfaltz 1966), two tiles a tick: one pass down and
 * right, one back. Cost: O(tiles / 8). */
#ifndef CLUEWISE_SCAN_FIELDS_H
#define CLUEWISE_SCAN_FIELDS_H

#include "successors.h"

#include <wasm_simd128.h>

enum { INFINITE = 65535 }; /* sums stay there: they saturate */

typedef struct Box {
  i32 x0, y0, x1, y1; /* inclusive; empty where x0 > x1 */
} Box;

static const Box EMPTY = {1 << 20, 1 << 20, -(1 << 20), -(1 << 20)};

static inline Box both(Box a, Box b) {
  return (Box){max32(a.x0, b.x0), max32(a.y0, b.y0), min32(a.x1, b.x1), min32(a.y1, b.y1)};
}

static inline Box around(Box a, Box b) {
  return (Box){min32(a.x0, b.x0), min32(a.y0, b.y0), max32(a.x1, b.x1), max32(a.y1, b.y1)};
}

static inline i32 is_empty(Box b) { return b.x0 > b.x1 || b.y0 > b.y1; }

/* The window of the classes, with levels the squares round complements. */
static inline Box window_of(const ScanPlan *plan, u64 set) {
  i32 grow = plan->layers == 3 ? max32(2 * plan->range + 1, plan->range + 16) : 2 * plan->range + 1;
  Box window = EMPTY;
  for (; set; set &= set - 1) {
    i32 s = lowest64(set), x = plan->x[s], y = plan->y[s];
    window = around(window, (Box){x - grow, y - grow, x + grow, y + grow});
  }
  return window;
}

/* Whether a way across takes more than 15 bits. */
static inline i32 is_vast(const Box *b) { return max32(b->x1 - b->x0, b->y1 - b->y0) >= 1 << 15; }

/* Of a set: where its scans may be made, where scans leave it, and there its least total for every
 * tile that may still beat what is known. */
typedef struct CostField {
  Box scans, kept;
  u16 *values; /* of `kept` */
} CostField;

/* ---- the cells of a set's map that lie in its field ------------------------------------- */

typedef struct Cell {
  Box at;
  u64 parts[SCAN_PARTS];
  u64 shown;
} Cell;

typedef struct Cells {
  const ScanPlan *plan;
  Box box;
  u64 set;
  i32 column, row;
  i32 from, to, end; /* columns and the last row that meet the box */
  ScanAxis columns, rows;
} Cells;

/* The intervals of an axis that meet [low, high]: from the first to before the last. */
static inline i32 first_meeting(const ScanAxis *axis, i32 low) {
  i32 i = 0;
  while (i < axis->count && axis->at[i + 1] <= low) i++;
  return i;
}

static inline i32 after_meeting(const ScanAxis *axis, i32 high) {
  i32 i = axis->count;
  while (i > 0 && axis->at[i - 1] > high) i--;
  return i;
}

static inline void begin_cells(Cells *c, const ScanPlan *plan, u64 set, Box box) {
  c->plan = plan;
  c->box = box;
  c->set = set;
  scan_cut_axis(plan, plan->columns, set, &c->columns);
  scan_cut_axis(plan, plan->rows, set, &c->rows);
  c->from = first_meeting(&c->columns, box.x0);
  c->to = after_meeting(&c->columns, box.x1);
  c->row = first_meeting(&c->rows, box.y0);
  c->end = after_meeting(&c->rows, box.y1);
  c->column = c->from - 1;
}

/* The next cell whose scan excludes a spot, cut to the box; 0 at the end. */
static inline i32 next_cell(Cells *c, Cell *cell) {
  const ScanAxis *columns = &c->columns, *rows = &c->rows;
  for (;;) {
    if (++c->column >= c->to) {
      c->column = c->from;
      c->row++;
    }
    if (c->row >= c->end || c->from >= c->to) return 0;
    i32 i = c->column, j = c->row;
    Box whole = {columns->at[i], rows->at[j], columns->at[i + 1] - 1, rows->at[j + 1] - 1};
    cell->at = both(whole, c->box);
    u64 inner = columns->sets[0][i] & rows->sets[0][j];
    u64 outer = columns->sets[1][i] & rows->sets[1][j];
    u64 other = c->plan->layers == 3 ? columns->sets[2][i] & rows->sets[2][j] : 0;
    if (!scan_partition(c->plan, c->set, inner, outer, other, cell->parts)) continue;
    cell->shown = c->set;
    for (i32 p = 0; p < SCAN_PARTS; p++) cell->shown &= ~cell->parts[p];
    return 1;
  }
}

/* ---- values ----------------------------------------------------------------------------- */

/* Rows are worked on by eights: they begin and end with eight values to spare. */
enum { SPARE = 8 };

static inline v128_t at(const u16 *row) { return wasm_v128_load(row); }

/* Add the ticks to one spot to a row of values; a teleport is nearer than `far` tiles. */
static inline void add_walk(u16 *row, const Box *box, i32 y, i32 sx, i32 sy, i32 far) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  v128_t down = wasm_i16x8_splat((i16)abs32(y - sy));
  v128_t off = wasm_i16x8_add(wasm_i16x8_splat((i16)(box->x0 - sx)), wasm_v128_load(STEPS));
  v128_t most = wasm_i16x8_splat((i16)far);
  for (i32 x = 0; x <= box->x1 - box->x0; x += 8) {
    v128_t away = wasm_u16x8_min(wasm_u16x8_max(wasm_i16x8_abs(off), down), most);
    wasm_v128_store(row + x, wasm_u16x8_add_sat(at(row + x), wasm_u16x8_shr(away, 1)));
    off = wasm_i16x8_add(off, wasm_i16x8_splat(8));
  }
}

static inline void forget(u16 *row, i32 from, i32 to) {
  for (i32 x = from; x < to; x++) row[x] = INFINITE;
}

/* A sheet: a field being made, its rows with SPARE values before and after. */
typedef struct Raster {
  u16 *first; /* the first row's first value */
  i32 wide, high, stride;
  u16 *offers[2]; /* what the last two rows offer the next, as rows */
} Raster;

static inline i32 stride_of(i32 wide) { return ((wide + 7) & ~7) + 2 * SPARE; }

/* Numbers that a sheet of a box takes, with two rows for its offers before it. */
static inline i64 sheet_room(const Box *box) {
  return (i64)stride_of(box->x1 - box->x0 + 1) * (box->y1 - box->y0 + 1 + 2);
}

static inline Raster sheet_in(u16 *memory, const Box *box) {
  i32 wide = box->x1 - box->x0 + 1, high = box->y1 - box->y0 + 1, stride = stride_of(wide);
  u16 *offers = memory + SPARE, *first = offers + 2 * stride;
  return (Raster){first, wide, high, stride, {offers, offers + stride}};
}

static inline u16 *row_of(const Raster *s, i32 y) { return s->first + (i64)y * s->stride; }

/* Copy what is kept of a field out of its sheet. Returns the numbers that it has, -1 if there is no
 * room for so many. */
static inline i32 keep_values(CostField *f, const Raster *s, u16 *values, i32 room) {
  i32 wide = f->kept.x1 - f->kept.x0 + 1, high = f->kept.y1 - f->kept.y0 + 1;
  if ((i64)wide * high > room) return -1;
  f->values = values;
  for (i32 j = 0; j < high; j++)
    memcpy(values + (size_t)j * (size_t)wide,
           row_of(s, f->kept.y0 - f->scans.y0 + j) + f->kept.x0 - f->scans.x0,
           sizeof(u16) * (size_t)wide);
  return wide * high;
}

/* Of sixteen values in a row, eight from the n-th on. */
#define EIGHT_FROM(v, w, n)                                                                   \
  wasm_i16x8_shuffle(v, w, (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7)
#define BEFORE(v, n) EIGHT_FROM(wasm_i16x8_const_splat(-1), v, 8 - (n))
#define BEHIND(v, n) EIGHT_FROM(v, wasm_i16x8_const_splat(-1), n)

static inline v128_t less(v128_t v, v128_t offer, v128_t price) {
  return wasm_u16x8_min(v, wasm_u16x8_add_sat(offer, price));
}

/* The least of five neighbours of each of eight values, with the eight before and behind. */
static inline v128_t least_of_five(v128_t before, v128_t v, v128_t behind) {
  v128_t left = wasm_u16x8_min(EIGHT_FROM(before, v, 6), EIGHT_FROM(before, v, 7));
  v128_t right = wasm_u16x8_min(EIGHT_FROM(v, behind, 1), EIGHT_FROM(v, behind, 2));
  return wasm_u16x8_min(v, wasm_u16x8_min(left, right));
}

/* Walks along a row, two tiles a tick, within eight tiles and from the eight adjacent ones. Within, a
 * tick leads one or two tiles on, the next to four and the next two to eight. From the adjacent
 * eight, all comes over the two nearest: an even tile, counted from 0, is as far from both in
 * ticks, an odd one is nearer to the first, which is no more than a tick above the second. */
static inline v128_t walked_right(v128_t v, v128_t adjacent, v128_t one, v128_t two, v128_t far) {
  v = less(v, wasm_u16x8_min(BEFORE(v, 1), BEFORE(v, 2)), one);
  v = less(v, BEFORE(v, 2), one);
  v = less(v, BEFORE(v, 4), two);
  v128_t first = wasm_i16x8_shuffle(adjacent, adjacent, 7, 7, 7, 7, 7, 7, 7, 7);
  v128_t nearest = wasm_i16x8_shuffle(adjacent, adjacent, 6, 7, 6, 7, 6, 7, 6, 7);
  return less(v, wasm_u16x8_min(first, nearest), far);
}

static inline v128_t walked_left(v128_t v, v128_t adjacent, v128_t one, v128_t two, v128_t far) {
  v = less(v, wasm_u16x8_min(BEHIND(v, 1), BEHIND(v, 2)), one);
  v = less(v, BEHIND(v, 2), one);
  v = less(v, BEHIND(v, 4), two);
  v128_t first = wasm_i16x8_shuffle(adjacent, adjacent, 0, 0, 0, 0, 0, 0, 0, 0);
  v128_t nearest = wasm_i16x8_shuffle(adjacent, adjacent, 0, 1, 0, 1, 0, 1, 0, 1);
  return less(v, wasm_u16x8_min(first, nearest), far);
}

/* A row of a pass, in place: what the two rows before it offer, then walks along it one way. What it
 * offers itself, the least of five neighbours, goes where the second row's offers were. */
static inline void walk_row(u16 *row, i32 wide, i32 price, i32 right, const u16 *near, u16 *far) {
  static const i16 BACK[8] = {4, 4, 3, 3, 2, 2, 1, 1}, ON[8] = {1, 1, 2, 2, 3, 3, 4, 4};
  static const i16 EDGE[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
  v128_t one = wasm_i16x8_splat((i16)price), two = wasm_i16x8_splat((i16)(2 * price));
  v128_t ticks = wasm_i16x8_mul(wasm_v128_load(right ? ON : BACK), one);
  v128_t none = wasm_i16x8_const_splat(-1), last = none, before = none;
  i32 end = (wide - 1) & ~7;
  v128_t edge = wasm_v128_load(EDGE + 8 - (wide - end)); /* of the last eight, those outside */
  for (i32 i = 0; i <= end; i += 8) {
    i32 x = right ? i : end - i;
    v128_t v = less(at(row + x), wasm_u16x8_min(at(near + x), at(far + x)), one);
    if (x == end) v = wasm_v128_or(v, edge);
    v = right ? walked_right(v, last, one, two, ticks) : walked_left(v, last, one, two, ticks);
    if (x == end) v = wasm_v128_or(v, edge);
    wasm_v128_store(row + x, v);
    if (i) {
      v128_t least = right ? least_of_five(before, last, v) : least_of_five(v, last, before);
      wasm_v128_store(far + (right ? x - 8 : x + 8), least);
    }
    before = last;
    last = v;
  }
  v128_t least = right ? least_of_five(before, last, none) : least_of_five(none, last, before);
  wasm_v128_store(far + (right ? end : 0), least);
}

/* One pass of walks: down the rows and along each in one direction (dy, dx = 1), or back. Any walk
 * is some steps of the one pass, then of the other: steps commute, and a walk between two tiles of
 * a box has one inside it. Not inlined: the page loads every copy of it. */
static inline __attribute__((noinline)) void distance_transform(Raster *s, i32 price, i32 step) {
  memset(s->offers[0] - SPARE, 0xff, sizeof(u16) * 2 * (size_t)s->stride);
  u16 *near = s->offers[0], *far = s->offers[1];
  for (i32 j = 0; j < s->high; j++) {
    if (step > 0)
      walk_row(row_of(s, j), s->wide, price, 1, near, far);
    else
      walk_row(row_of(s, s->high - 1 - j), s->wide, price, 0, near, far);
    u16 *swap = far;
    far = near;
    near = swap;
  }
}

#endif
