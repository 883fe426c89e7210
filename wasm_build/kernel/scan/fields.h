/* Fields: totals of ticks for every tile of a box, in rows of 16-bit numbers worked on by eights.
 * What exact.c and bound.c share. */
#ifndef CLUEWISE_SCAN_FIELDS_H
#define CLUEWISE_SCAN_FIELDS_H

#include "scan.h"

#include <wasm_simd128.h>

enum { MASKS = 1 << SCAN_EXACT, INFINITE = 65535 }; /* sums stay there: they saturate */

static inline i32 abs32(i32 v) { return v < 0 ? -v : v; }
static inline i32 chebyshev(i32 ax, i32 ay, i32 bx, i32 by) {
  return max32(abs32(ax - bx), abs32(ay - by));
}

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
typedef struct Field {
  Box scans, kept;
  u16 *values; /* of `kept` */
} Field;

struct ScanExact {
  Seal seal;
  const ScanPlan *plan;
  u64 of; /* the set that the spots are a group of, 0: of none */
  i32 count, x, y, upper; /* spots, where one stands, a total that is known */
  Box window;             /* no scan elsewhere tells anything */
  Box known_in;           /* where the value of the whole set is asked for */
  i32 spot[SCAN_EXACT], straight[SCAN_EXACT];
  u16 *pool, *row, *sheet; /* kept values; a row; the rows of a field being made */
  i32 room, used, size, mask, done;
  i32 sizes; /* sets below this size get fields */
  Field fields[MASKS];
};

typedef struct ScanExact Exact;

static inline u64 set_of(const Exact *e, u32 mask) {
  u64 set = 0;
  for (; mask; mask &= mask - 1) set |= 1ull << e->spot[lowest64(mask)];
  return set;
}

static inline u32 mask_of(const Exact *e, u64 set) {
  u32 mask = 0;
  for (i32 i = 0; i < e->count; i++) mask |= (u32)(set >> e->spot[i] & 1) << i;
  return mask;
}

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
  ScanAxis columns, rows;
} Cells;

static inline void begin_cells(Cells *c, const ScanPlan *plan, u64 set, Box box) {
  c->plan = plan;
  c->box = box;
  c->set = set;
  c->row = 0;
  c->column = -1;
  scan_cut_axis(plan, plan->columns, set, &c->columns);
  scan_cut_axis(plan, plan->rows, set, &c->rows);
}

/* The next cell that tells something, cut to the box; 0 at the end. */
static inline i32 next_cell(Cells *c, Cell *cell) {
  const ScanAxis *columns = &c->columns, *rows = &c->rows;
  for (;;) {
    if (++c->column >= columns->count) {
      c->column = 0;
      if (++c->row >= rows->count) return 0;
    }
    i32 i = c->column, j = c->row;
    Box whole = {columns->at[i], rows->at[j], columns->at[i + 1] - 1, rows->at[j + 1] - 1};
    cell->at = both(whole, c->box);
    if (is_empty(cell->at)) continue;
    u64 inner = columns->sets[0][i] & rows->sets[0][j];
    u64 outer = columns->sets[1][i] & rows->sets[1][j];
    u64 other = c->plan->layers == 3 ? columns->sets[2][i] & rows->sets[2][j] : 0;
    if (!scan_cut(c->plan, c->set, inner, outer, other, cell->parts)) continue;
    cell->shown = c->set;
    for (i32 p = 0; p < SCAN_PARTS; p++) cell->shown &= ~cell->parts[p];
    return 1;
  }
}

/* ---- values ----------------------------------------------------------------------------- */

/* Rows are worked on by eights: they begin and end with eight values to spare. */
enum { SPARE = 8 };

static inline v128_t at(const u16 *row) { return wasm_v128_load(row); }

/* Add the ticks to one spot to a row of values. */
static inline void add_walk(u16 *row, const Box *box, i32 y, i32 sx, i32 sy) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  v128_t down = wasm_i16x8_splat((i16)abs32(y - sy));
  v128_t off = wasm_i16x8_add(wasm_i16x8_splat((i16)(box->x0 - sx)), wasm_v128_load(STEPS));
  for (i32 x = 0; x <= box->x1 - box->x0; x += 8) {
    v128_t away = wasm_u16x8_max(wasm_i16x8_abs(off), down);
    wasm_v128_store(row + x, wasm_u16x8_add_sat(at(row + x), wasm_u16x8_shr(away, 1)));
    off = wasm_i16x8_add(off, wasm_i16x8_splat(8));
  }
}

static inline void forget(u16 *row, i32 from, i32 to) {
  for (i32 x = from; x < to; x++) row[x] = INFINITE;
}

/* Add a field's row; outside it nothing can beat what is known. Returns whether anything is left. */
static inline i32 add_field(const Field *f, u16 *row, const Box *box, i32 y) {
  i32 wide = box->x1 - box->x0 + 1;
  if (is_empty(f->kept) || y < f->kept.y0 || y > f->kept.y1) return 0;
  i32 from = max32(box->x0, f->kept.x0), to = min32(box->x1, f->kept.x1) + 1;
  if (from >= to) return 0;
  const u16 *values = f->values + (size_t)(y - f->kept.y0) * (f->kept.x1 - f->kept.x0 + 1);
  values += from - f->kept.x0;
  forget(row, 0, from - box->x0);
  u16 *out = row + from - box->x0;
  i32 i = 0;
  for (; i + 8 <= to - from; i += 8)
    wasm_v128_store(out + i, wasm_u16x8_add_sat(at(out + i), at(values + i)));
  for (; i < to - from; i++) out[i] = (u16)min32(out[i] + values[i], INFINITE);
  forget(row, to - box->x0, wide);
  return 1;
}

/* What a scan at each tile of a row of a cell costs: the stop, and all that follows. Returns
 * whether any of that may beat what is known. */
static inline i32 cost_row(const Exact *e, const Cell *cell, i32 count, i32 y, u16 *row) {
  const ScanPlan *plan = e->plan;
  v128_t stops = wasm_i16x8_splat((i16)(count * plan->stop));
  for (i32 x = 0; x <= cell->at.x1 - cell->at.x0; x += 8) wasm_v128_store(row + x, stops);
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = cell->parts[p];
    if (part & (part - 1) && !add_field(&e->fields[mask_of(e, part)], row, &cell->at, y))
      return 0;
  }
  u64 known = cell->shown;
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (!(cell->parts[p] & (cell->parts[p] - 1))) known |= cell->parts[p];
  for (; known; known &= known - 1) {
    i32 s = lowest64(known);
    add_walk(row, &cell->at, y, plan->x[s], plan->y[s]);
  }
  return 1;
}

/* The least of five neighbours in a row; there are two to spare on each side. */
static inline void least_of_five(const u16 *row, i32 wide, u16 *out) {
  for (i32 x = 0; x < wide; x += 8) {
    v128_t two = wasm_u16x8_min(at(row + x - 2), at(row + x - 1));
    v128_t four = wasm_u16x8_min(at(row + x + 1), at(row + x + 2));
    wasm_v128_store(out + x, wasm_u16x8_min(at(row + x), wasm_u16x8_min(two, four)));
  }
}

/* A sheet: a field being made, its rows with SPARE values before and after. */
typedef struct Sheet {
  u16 *first; /* the first row's first value */
  i32 wide, high, stride;
  u16 *offers[2]; /* what the last two rows offer the next, as rows */
} Sheet;

static inline i32 stride_of(i32 wide) { return ((wide + 7) & ~7) + 2 * SPARE; }

/* Numbers that a sheet of a box takes, with two rows for its offers before it. */
static inline i64 sheet_room(const Box *box) {
  return (i64)stride_of(box->x1 - box->x0 + 1) * (box->y1 - box->y0 + 1 + 2);
}

static inline Sheet sheet_in(u16 *memory, const Box *box) {
  i32 wide = box->x1 - box->x0 + 1, high = box->y1 - box->y0 + 1, stride = stride_of(wide);
  u16 *offers = memory + SPARE, *first = offers + 2 * stride;
  return (Sheet){first, wide, high, stride, {offers, offers + stride}};
}

static inline u16 *row_of(const Sheet *s, i32 y) { return s->first + (i64)y * s->stride; }

/* Copy what is kept of a field out of its sheet. Returns the numbers that it has, -1 if there is no
 * room for so many. */
static inline i32 keep_values(Field *f, const Sheet *s, u16 *values, i32 room) {
  i32 wide = f->kept.x1 - f->kept.x0 + 1, high = f->kept.y1 - f->kept.y0 + 1;
  if ((i64)wide * high > room) return -1;
  f->values = values;
  for (i32 j = 0; j < high; j++)
    memcpy(values + (size_t)j * (size_t)wide,
           row_of(s, f->kept.y0 - f->scans.y0 + j) + f->kept.x0 - f->scans.x0,
           sizeof(u16) * (size_t)wide);
  return wide * high;
}

/* Along a row: two tiles a tick, in one direction. */
static inline void walk_along(u16 *row, i32 wide, i32 price, i32 step) {
  i32 one = INFINITE, two = INFINITE;
  u16 *v = step > 0 ? row : row + wide - 1;
  for (i32 i = 0; i < wide; i++, v += step) {
    i32 now = min32(*v, min32(one, two) + price);
    *v = (u16)now;
    two = one;
    one = now;
  }
}

/* One pass of walks: down the rows and along each in one direction (dy, dx = 1), or back. Any walk
 * is some steps of the one pass, then of the other: steps commute, and a walk between two tiles of
 * a box has one inside it. */
static inline void walk_pass(Sheet *s, i32 price, i32 step) {
  v128_t tick = wasm_i16x8_splat((i16)price);
  memset(s->offers[0] - SPARE, 0xff, sizeof(u16) * 2 * (size_t)s->stride);
  u16 *near = s->offers[0], *far = s->offers[1];
  for (i32 j = 0; j < s->high; j++) {
    u16 *row = row_of(s, step > 0 ? j : s->high - 1 - j);
    for (i32 x = 0; x < s->wide; x += 8) {
      v128_t offer = wasm_u16x8_add_sat(wasm_u16x8_min(at(near + x), at(far + x)), tick);
      wasm_v128_store(row + x, wasm_u16x8_min(at(row + x), offer));
    }
    forget(row, s->wide, (s->wide + 7) & ~7);
    walk_along(row, s->wide, price, step);
    u16 *swap = far;
    far = near;
    near = swap;
    least_of_five(row, s->wide, near);
  }
}

#endif
