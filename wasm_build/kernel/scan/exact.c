/* States of few spots exactly: the least ticks over all tiles, by fields of values; scan.h. */
#include "scan.h"

enum { MASKS = 1 << SCAN_EXACT, INFINITE = 1 << 28 };

static inline i32 abs32(i32 v) { return v < 0 ? -v : v; }
static inline i32 chebyshev(i32 ax, i32 ay, i32 bx, i32 by) {
  return max32(abs32(ax - bx), abs32(ay - by));
}

/* Of a set: where its value may matter, and there its least total for every tile. */
typedef struct Field {
  i32 x0, y0, x1, y1; /* inclusive; empty where x0 > x1 */
  i32 reached;        /* whether some scan leaves this set */
  i32 *values;
} Field;

typedef struct Exact {
  const ScanPlan *plan;
  i32 count, x, y, upper; /* spots, where one stands, a total that is known */
  i32 window[4];          /* x0, y0, x1, y1: no scan elsewhere tells anything */
  i32 spot[SCAN_EXACT], straight[SCAN_EXACT];
  i32 *pool, room, used;
  Field fields[MASKS];
} Exact;

static u64 set_of(const Exact *e, u32 mask) {
  u64 set = 0;
  for (; mask; mask &= mask - 1) set |= 1ull << e->spot[lowest64(mask)];
  return set;
}

static u32 mask_of(const Exact *e, u64 set) {
  u32 mask = 0;
  for (i32 i = 0; i < e->count; i++) mask |= (u32)(set >> e->spot[i] & 1) << i;
  return mask;
}

/* ---- where a set's value may matter ----------------------------------------------------- */

/* A plan that scans in v on one axis takes no less than this: every spot of the set goes there and
 * on, every other goes straight and stops once. Distances on one axis are at most the true ones. */
static i32 least_through(const Exact *e, u32 mask, i32 v, i32 here, const i16 *at) {
  i32 n = popcount64(mask), stops = mask + 1 == 1u << e->count ? 1 : 2;
  i32 sum = n * (((abs32(v - here) + 1) >> 1) + stops * e->plan->stop);
  for (i32 i = 0; i < e->count; i++)
    sum += mask >> i & 1 ? abs32(v - at[e->spot[i]]) >> 1 : e->straight[i] + e->plan->stop;
  return sum;
}

/* The values on one axis that may still beat what is known, as low and high; they are cut to the
 * window and to where the set lies or one stands: beyond both, the sum grows for good. */
static void narrow(const Exact *e, u32 mask, i32 here, const i16 *at, i32 *low, i32 *high) {
  while (*low <= *high && least_through(e, mask, *low, here, at) >= e->upper) ++*low;
  while (*low <= *high && least_through(e, mask, *high, here, at) >= e->upper) --*high;
}

static i32 open_field(Exact *e, u32 mask) {
  Field *f = &e->fields[mask];
  f->x0 = e->window[0];
  f->y0 = e->window[1];
  f->x1 = e->window[2];
  f->y1 = e->window[3];
  narrow(e, mask, e->x, e->plan->x, &f->x0, &f->x1);
  narrow(e, mask, e->y, e->plan->y, &f->y0, &f->y1);
  if (f->x0 > f->x1 || f->y0 > f->y1) {
    f->x0 = 1;
    f->x1 = 0;
    return OK;
  }
  i64 tiles = (i64)(f->x1 - f->x0 + 1) * (f->y1 - f->y0 + 1);
  if (e->used + tiles > e->room) return TOO_LARGE;
  f->values = e->pool + e->used;
  e->used += (i32)tiles;
  return OK;
}

/* ---- the cells of a set's map that lie in its field ------------------------------------- */

typedef struct Cell {
  i32 x0, y0, x1, y1;
  u64 parts[SCAN_PARTS];
  u64 shown;
} Cell;

typedef struct Cells {
  const Exact *e;
  const Field *field;
  u64 set;
  i32 column, row;
  ScanAxis columns, rows;
} Cells;

static void begin_cells(Cells *c, const Exact *e, u32 mask) {
  c->e = e;
  c->field = &e->fields[mask];
  c->set = set_of(e, mask);
  c->row = 0;
  c->column = -1;
  scan_cut_axis(e->plan, e->plan->columns, c->set, &c->columns);
  scan_cut_axis(e->plan, e->plan->rows, c->set, &c->rows);
}

/* The next cell that tells something, cut to the field; 0 at the end. */
static i32 next_cell(Cells *c, Cell *cell) {
  const ScanAxis *columns = &c->columns, *rows = &c->rows;
  for (;;) {
    if (++c->column >= columns->count) {
      c->column = 0;
      if (++c->row >= rows->count) return 0;
    }
    i32 i = c->column, j = c->row;
    cell->x0 = max32(columns->at[i], c->field->x0);
    cell->x1 = min32(columns->at[i + 1] - 1, c->field->x1);
    cell->y0 = max32(rows->at[j], c->field->y0);
    cell->y1 = min32(rows->at[j + 1] - 1, c->field->y1);
    if (cell->x0 > cell->x1 || cell->y0 > cell->y1) continue;
    u64 inner = columns->sets[0][i] & rows->sets[0][j];
    u64 outer = columns->sets[1][i] & rows->sets[1][j];
    u64 other = c->e->plan->layers == 3 ? columns->sets[2][i] & rows->sets[2][j] : 0;
    if (!scan_cut(c->e->plan, c->set, inner, outer, other, cell->parts)) continue;
    cell->shown = c->set;
    for (i32 p = 0; p < SCAN_PARTS; p++) cell->shown &= ~cell->parts[p];
    return 1;
  }
}

/* ---- values ----------------------------------------------------------------------------- */

/* Add the ticks to one spot to a row of values. */
static void add_walk(i32 *row, const Cell *cell, i32 y, i32 sx, i32 sy) {
  i32 down = abs32(y - sy);
  for (i32 x = cell->x0; x <= cell->x1; x++) row[x - cell->x0] += max32(abs32(x - sx), down) >> 1;
}

/* Add a field's row; outside it nothing can beat what is known. */
static void add_field(const Field *f, i32 *row, const Cell *cell, i32 y) {
  i32 wide = f->x1 - f->x0 + 1;
  if (f->x0 > f->x1 || y < f->y0 || y > f->y1) {
    for (i32 x = cell->x0; x <= cell->x1; x++) row[x - cell->x0] = INFINITE;
    return;
  }
  const i32 *values = f->values + (size_t)(y - f->y0) * wide - f->x0;
  i32 from = max32(cell->x0, f->x0), to = min32(cell->x1, f->x1);
  for (i32 x = cell->x0; x < min32(from, cell->x1 + 1); x++) row[x - cell->x0] = INFINITE;
  for (i32 x = from; x <= to; x++) row[x - cell->x0] += values[x];
  for (i32 x = max32(to + 1, cell->x0); x <= cell->x1; x++) row[x - cell->x0] = INFINITE;
}

/* What a scan at each tile of a row of a cell costs: the stop, and all that follows. */
static void cost_row(const Exact *e, const Cell *cell, i32 count, i32 y, i32 *row) {
  const ScanPlan *plan = e->plan;
  for (i32 x = cell->x0; x <= cell->x1; x++) row[x - cell->x0] = count * plan->stop;
  for (u64 rest = cell->shown; rest; rest &= rest - 1) {
    i32 s = lowest64(rest);
    add_walk(row, cell, y, plan->x[s], plan->y[s]);
  }
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = cell->parts[p];
    if (!part) continue;
    if (part & (part - 1))
      add_field(&e->fields[mask_of(e, part)], row, cell, y);
    else
      add_walk(row, cell, y, plan->x[lowest64(part)], plan->y[lowest64(part)]);
  }
}

/* The least of five neighbours in a row. */
static void least_of_five(const i32 *row, i32 wide, i32 *out) {
  for (i32 x = 0; x < wide; x++) {
    i32 least = row[x];
    for (i32 k = max32(0, x - 2); k <= min32(wide - 1, x + 2); k++) least = min32(least, row[k]);
    out[x] = least;
  }
}

/* One pass of walks: down the rows and along each in one direction (dy, dx = 1), or back. `least`
 * holds two rows and what they offer. Any walk is some steps of the one pass, then of the other:
 * steps commute, and a walk between two tiles of a box has one inside it. */
static void walk_pass(const Field *f, i32 price, i32 step, i32 *least) {
  i32 wide = f->x1 - f->x0 + 1, high = f->y1 - f->y0 + 1;
  i32 *near = least, *far = least + wide;
  for (i32 x = 0; x < 2 * wide; x++) least[x] = INFINITE;
  for (i32 j = 0; j < high; j++) {
    i32 *row = f->values + (size_t)(step > 0 ? j : high - 1 - j) * wide;
    for (i32 x = 0; x < wide; x++) row[x] = min32(row[x], min32(near[x], far[x]) + price);
    i32 one = INFINITE, two = INFINITE;
    for (i32 i = 0; i < wide; i++) {
      i32 x = step > 0 ? i : wide - 1 - i;
      row[x] = min32(row[x], min32(one, two) + price);
      two = one;
      one = row[x];
    }
    i32 *swap = far;
    far = near;
    near = swap;
    least_of_five(row, wide, near);
  }
}

/* A set's values, when those of all its parts stand. `row`: room for 3 rows. */
static void fill_field(Exact *e, u32 mask, i32 *row) {
  Field *f = &e->fields[mask];
  if (f->x0 > f->x1) return;
  i32 wide = f->x1 - f->x0 + 1, n = popcount64(mask);
  for (i32 i = 0; i < wide * (f->y1 - f->y0 + 1); i++) f->values[i] = INFINITE;
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, e, mask); next_cell(&cells, &cell);)
    for (i32 y = cell.y0; y <= cell.y1; y++) {
      cost_row(e, &cell, n, y, row);
      memcpy(f->values + (size_t)(y - f->y0) * wide + cell.x0 - f->x0, row,
             sizeof(i32) * (size_t)(cell.x1 - cell.x0 + 1));
    }
  walk_pass(f, n, 1, row);
  walk_pass(f, n, -1, row);
}

/* ---- the state asked about -------------------------------------------------------------- */

/* Note which sets can be left, from the whole down. */
static i32 reach_sets(Exact *e) {
  u32 all = (1u << e->count) - 1;
  e->fields[all].reached = 1;
  for (i32 size = e->count; size >= 2; size--)
    for (u32 mask = 0; mask <= all; mask++) {
      if (popcount64(mask) != size || !e->fields[mask].reached) continue;
      i32 status = open_field(e, mask);
      if (status != OK) return status;
      Cells cells;
      Cell cell;
      for (begin_cells(&cells, e, mask); next_cell(&cells, &cell);)
        for (i32 p = 0; p < SCAN_PARTS; p++)
          if (cell.parts[p] & (cell.parts[p] - 1))
            e->fields[mask_of(e, cell.parts[p])].reached = 1;
    }
  return OK;
}

/* The best first scan, if it beats what is known; ties by the lowest y, then the lowest x. */
static void first_scan(const Exact *e, i32 *row, ScanAction *best) {
  Cells cells;
  Cell cell;
  i32 least = e->upper;
  for (begin_cells(&cells, e, (1u << e->count) - 1); next_cell(&cells, &cell);)
    for (i32 y = cell.y0; y <= cell.y1; y++) {
      cost_row(e, &cell, e->count, y, row);
      for (i32 x = cell.x0; x <= cell.x1; x++) {
        i32 ticks = (chebyshev(e->x, e->y, x, y) + 1) >> 1;
        i32 total = row[x - cell.x0] + e->count * ticks;
        if (total > least || (total == least && (best->x == SCAN_NOWHERE || y > best->y ||
                                                 (y == best->y && x > best->x))))
          continue;
        least = total;
        best->score = total;
        best->x = best->to_x = (i16)x;
        best->y = best->to_y = (i16)y;
        best->cost = e->count * (ticks + e->plan->stop) + scan_fin(e->plan, x, y, cell.shown);
        memcpy(best->parts, cell.parts, sizeof best->parts);
      }
    }
}

EXPORT(i32, scan_exact_bytes)(void) { return (i32)sizeof(Exact); }

EXPORT(i32, scan_exact)(void *scratch, const ScanPlan *plan, const u64 *set, i32 x, i32 y,
                        i32 upper, i32 *pool, i32 room, ScanAction *out) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  u64 all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  i32 count = popcount64(*set);
  if (plan->ground || plan->on_the_way || (*set & ~all) || count < 2 || count > SCAN_EXACT)
    return BAD;
  if (scan_off_plane(x, y) || room < 0 || upper < 0 || upper >= INFINITE) return BAD;
  Exact *e = scratch;
  memset(e, 0, sizeof *e);
  *e = (Exact){.plan = plan, .count = count, .x = x, .y = y, .upper = upper, .pool = pool};
  i32 k = 0, *w = e->window; /* the window of the classes, with levels the squares round complements */
  i32 grow = plan->layers == 3 ? max32(2 * plan->range + 1, plan->range + 16) : 2 * plan->range + 1;
  w[0] = w[1] = 1 << 20;
  w[2] = w[3] = -(1 << 20);
  for (u64 rest = *set; rest; rest &= rest - 1, k++) {
    i32 s = e->spot[k] = lowest64(rest);
    e->straight[k] = chebyshev(x, y, plan->x[s], plan->y[s]) >> 1;
    w[0] = min32(w[0], plan->x[s] - grow);
    w[1] = min32(w[1], plan->y[s] - grow);
    w[2] = max32(w[2], plan->x[s] + grow);
    w[3] = max32(w[3], plan->y[s] + grow);
  }
  i32 rows = 3 * (w[2] - w[0] + 1);
  e->room = room - rows;
  if (e->room < 0) return TOO_LARGE;
  i32 *row = pool + e->room, status = reach_sets(e);
  if (status != OK) return status;
  for (i32 size = 2; size < count; size++)
    for (u32 mask = 0; mask < (1u << count); mask++)
      if (popcount64(mask) == size && e->fields[mask].reached) fill_field(e, mask, row);
  memset(out, 0, sizeof *out);
  out->x = SCAN_NOWHERE;
  first_scan(e, row, out);
  return out->x == SCAN_NOWHERE ? upper : (i32)out->score;
}
