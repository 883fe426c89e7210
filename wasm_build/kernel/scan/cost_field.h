/* Cost fields: the least total of a set for every tile of a box, saturated u16 row by row; eight tiles a
 * vector. Implemented in cost_field.c; used by its exact solver and by restricted_dp.c.
 *
 *   field   | row 0 | row 1 | ...                                              of the box `kept`
 *   raster  | offers of the last two rows | SPARE row 0 SPARE | SPARE row 1 SPARE | ...
 *
 * A field is computed in a raster: first the cost of a scan at each tile, then the walks there by a
 * distance transform (Rosenfeld & Pfaltz 1966) with two tiles a tick, one pass down and right, one back.
 * Cost: O(tiles / 8). */
#ifndef CLUEWISE_SCAN_FIELDS_H
#define CLUEWISE_SCAN_FIELDS_H

#include "successors.h"

enum { INFINITE = 65535 }; /* sums saturate at it */

typedef struct Box { i32 x0, y0, x1, y1; /* inclusive; empty where x0 > x1 */ } Box;

static const Box EMPTY = {1 << 20, 1 << 20, -(1 << 20), -(1 << 20)};

/* The intersection of two boxes. */
static inline Box both(Box a, Box b) {
  return (Box){max32(a.x0, b.x0), max32(a.y0, b.y0), min32(a.x1, b.x1), min32(a.y1, b.y1)};
}

/* The bounding box of two boxes. */
static inline Box around(Box a, Box b) {
  return (Box){min32(a.x0, b.x0), min32(a.y0, b.y0), max32(a.x1, b.x1), max32(a.y1, b.y1)};
}

static inline i32 is_empty(Box b) { return b.x0 > b.x1 || b.y0 > b.y1; }

/* The tiles where a scan may exclude a spot: a box round all squares of the set. */
static inline Box window_of(const ScanPlan *plan, u64 set) {
  i32 grow = plan->layers == 3 ? max32(2 * plan->range + 1, plan->range + 16) : 2 * plan->range + 1;
  Box window = EMPTY;
  for (; set; set &= set - 1) {
    i32 s = lowest64(set), x = plan->x[s], y = plan->y[s];
    window = around(window, (Box){x - grow, y - grow, x + grow, y + grow});
  }
  return window;
}

/* Whether a distance in a box needs more than 15 bits. */
static inline i32 is_vast(const Box *b) { return max32(b->x1 - b->x0, b->y1 - b->y0) >= 1 << 15; }

/* The cost field of a set. */
typedef struct CostField {
  Box scans;   /* where its scans may be */
  Box kept;    /* where scans leave it and a total below the cutoff is possible: the tiles of `values` */
  u16 *values;
} CostField;

/* ---- the cells of a set's grid that meet a box ------------------------------------------ */

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

/* The first interval of an axis that meets [low, high], and the first after those that do. */
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

/* The next cell whose scan excludes a spot, clipped to the box; 0 at the end. */
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
    if (!partition_cell(c->plan, c->set, columns, i, rows, j, 0, cell->parts)) continue;
    cell->shown = shown_spots(c->set, cell->parts);
    return 1;
  }
}

/* ---- rasters ---------------------------------------------------------------------------- */

/* Padding before and after each row, because vectors of eight read and write beyond its ends. */
enum { SPARE = 8 };

static inline v128_t at(const u16 *row) { return wasm_v128_load(row); }

/* A field under construction. */
typedef struct Raster {
  u16 *first; /* the first value of the first row */
  i32 wide, high, stride;
  u16 *offers[2]; /* the least of five neighbours for each tile of the last two rows (walk_row) */
} Raster;

static inline i32 stride_of(i32 wide) { return ((wide + 7) & ~7) + 2 * SPARE; }

/* The size of a raster of a box, in values: its rows after two rows of offers. */
static inline i64 sheet_room(const Box *box) {
  return (i64)stride_of(box->x1 - box->x0 + 1) * (box->y1 - box->y0 + 1 + 2);
}

/* A raster of a box in memory, all values INFINITE. */
static inline Raster begin_raster(u16 *memory, const Box *box) {
  i32 wide = box->x1 - box->x0 + 1, high = box->y1 - box->y0 + 1, stride = stride_of(wide);
  u16 *offers = memory + SPARE, *first = offers + 2 * stride;
  memset(memory, 0xff, sizeof(u16) * (size_t)sheet_room(box));
  return (Raster){first, wide, high, stride, {offers, offers + stride}};
}

static inline u16 *row_of(const Raster *s, i32 y) { return s->first + (i64)y * s->stride; }

/* Relax all tiles by walks, two tiles a tick. `price`: cost of a tick, the size of the set. */
void scan_distance_transform(Raster *s, i32 price);

/* ---- the problem: a set of spots from a tile ------------------------------------------------- */

/* What the fields of all subsets share: bounds of the whole set, and memory. */
typedef struct Problem {
  const ScanPlan *plan;
  u64 whole;
  i32 x, y, upper; /* the start tile, and the cutoff: a known total */
  i32 straight[SCAN_ROUTE_SPOTS],
      straight_to_all; /* ticks from the start to each spot; summed over `whole` */
  Box window;              /* scans outside it exclude no spot */
  u16 *pool, *row, *sheet; /* the fields, consecutive; a row; the raster */
  i32 room, used;          /* of the pool, in values */
} Problem;

/* Initialise. Returns OK, or TOO_LARGE if the window or the total is. */
i32 scan_begin_problem(Problem *p, const ScanPlan *plan, u64 whole, i32 x, i32 y, i32 upper, u16 *pool,
                       i32 room);

/* Lower bound of the ticks of the spots outside a set: a straight walk and a stop each. */
i32 scan_rest_of(const Problem *p, u64 set);

/* Shrink a box that covers the set or the start to where a scan of the set may lead to a total below
 * `upper`. */
void scan_narrow(const Problem *p, u64 set, Box *box);

/* The cost of a scan: a stop for each spot, the walks to the spots that are certain after it, and the
 * fields of its other answers. */
typedef struct ScanCost {
  i32 count; /* spots of the set */
  Box at;    /* the tiles of the scan */
  u64 known; /* spots that are certain after it */
  i32 parts;
  CostField *fields[SCAN_PARTS];
} ScanCost;

/* Write the cost of a scan for the tiles of a box where all its fields have values. `out`: the value of the
 * first tile of the box, in rows of `stride`. */
void scan_costs(const Problem *p, const ScanCost *cost, const Box *box, u16 *out, i32 stride);

/* Store the part of the raster that may lead to a total below `upper` as the field of a set, and shrink
 * `kept` to it. Returns OK or TOO_LARGE. */
i32 scan_keep_field(Problem *p, u64 set, CostField *f, const Raster *s);

/* Replace the best action if this scan has a smaller total from (x, y); ties by the lowest y, then the
 * lowest x. */
void scan_take_best(const Problem *p, const ScanCost *cost, i32 x, i32 y, ScanAction *best);

#endif
