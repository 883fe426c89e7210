/* Cost fields: totals of ticks for every tile of a box, u16 row by row, eight at a time; saturated.
 * Made by cost_field.c, for its exact plans of few spots and for restricted_dp.c.
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

/* One pass of walks: down the rows and along each in one direction (dy, dx = 1), or back. */
void scan_distance_transform(Raster *s, i32 price, i32 step);

/* ---- a set of spots to be found from a tile -------------------------------------------------- */

/* What the fields of its subsets have in common: what is known of the whole, and their memory. */
typedef struct Problem {
  const ScanPlan *plan;
  u64 whole;
  i32 x, y, upper; /* where one stands, a total that is known */
  i32 straight[SCAN_ROUTE_SPOTS], straight_to_all; /* ticks to each spot, and to the whole's */
  Box window;              /* no scan elsewhere excludes a spot */
  u16 *pool, *row, *sheet; /* fields, one after the other; a row; the sheet of a field being made */
  i32 room, used;          /* of the pool, in numbers */
} Problem;

/* Returns OK, or TOO_LARGE where the window or the total is. */
i32 scan_begin_problem(Problem *p, const ScanPlan *plan, u64 whole, i32 x, i32 y, i32 upper, u16 *pool,
                       i32 room);

/* What the spots outside a set take at least. */
i32 scan_rest_of(const Problem *p, u64 set);

/* Cut a box that holds the set, or where one stands, to where a scan of the set may lead to less than
 * `upper`. */
void scan_narrow(const Problem *p, u64 set, Box *box);

/* What a scan costs: the stop of each spot, the walks to those that are known after it, and all that its
 * other answers take, which their fields have. */
typedef struct ScanCost {
  i32 count; /* spots of the set */
  Box at;    /* where the scan is made */
  u64 known;
  i32 parts;
  CostField *fields[SCAN_PARTS];
} ScanCost;

/* Write what a scan costs at the tiles of a box where all its fields have values. `out`: the number of the
 * box's first tile, in rows of `stride`. */
void scan_costs(const Problem *p, const ScanCost *cost, const Box *box, u16 *out, i32 stride);

/* Keep what of a set's sheet may still beat what is known, in the field's box `kept`. Returns OK or
 * TOO_LARGE. */
i32 scan_keep_field(Problem *p, u64 set, CostField *f, const Raster *s);

/* Make a scan the best one if its total from a tile is less than the best one's score; ties by the lowest
 * y, then the lowest x. */
void scan_take_best(const Problem *p, const ScanCost *cost, i32 x, i32 y, ScanAction *best);

#endif
