/* A proven lower bound for routes: exact plans of groups of spots, side by side; prover.h. */
#include "cost_field.h"

_Static_assert(sizeof(ScanFirst) == SCAN_FIRST_SCAN, "the caller makes room by this size");

static inline i32 is_set_of(const ScanPlan *plan, u64 set) {
  return set & (set - 1) && !plan->floors.ends && (plan->spots == 64 || !(set >> plan->spots));
}

/* The sheet over the window of a set, in the caller's memory; 0 if there is no room. */
static i32 take_sheet(const ScanPlan *plan, u64 set, u16 *memory, i32 room, Box *window,
                      Raster *sheet) {
  *window = window_of(plan, set);
  if (is_vast(window) || sheet_room(window) > room) return 0;
  *sheet = sheet_in(memory, window);
  return 1;
}

EXPORT(i32, scan_sheet)(const ScanPlan *plan, const u64 *of) {
  if (!seal_holds(plan, SCAN_PLAN) || !is_set_of(plan, *of)) return BAD;
  Box window = window_of(plan, *of);
  if (is_vast(&window) || sheet_room(&window) >= 1 << 26) return TOO_LARGE;
  return (i32)sheet_room(&window);
}

/* ---- what a group pays from a scan on --------------------------------------------------- */

/* What of a group a scan leaves whole is asked for anywhere; its field may end before. There each
 * of its spots pays a stop more and goes straight. */
static void cost_outside(const Exact *e, const Cell *cell, i32 y, u16 *row) {
  v128_t stops = wasm_i16x8_splat((i16)(2 * popcount64(cell->shown) * e->plan->stop));
  for (i32 x = 0; x <= cell->at.x1 - cell->at.x0; x += 8) wasm_v128_store(row + x, stops);
  for (u64 rest = cell->shown; rest; rest &= rest - 1)
    add_walk(row, &cell->at, y, e->plan->x[lowest64(rest)], e->plan->y[lowest64(rest)], 32767);
}

static void add_row(u16 *sums, const u16 *row, i32 wide) {
  i32 i = 0;
  for (; i + 8 <= wide; i += 8)
    wasm_v128_store(sums + i, wasm_u16x8_add_sat(at(sums + i), at(row + i)));
  for (; i < wide; i++) sums[i] = (u16)min32(sums[i] + row[i], INFINITE);
}

/* The left, middle and right piece of a row of a cell: outside a field, in it, and outside. */
static i32 piece_of(const Cell *cell, const Box *kept, i32 y, i32 number, Box *piece) {
  i32 misses = is_empty(*kept) || y < kept->y0 || y > kept->y1;
  i32 from = misses ? cell->at.x1 + 1 : max32(cell->at.x0, min32(kept->x0, cell->at.x1 + 1));
  i32 to = misses ? cell->at.x1 : min32(cell->at.x1, kept->x1);
  if (to < from - 1) to = from - 1;
  *piece = cell->at;
  if (number == 0) piece->x1 = from - 1;
  if (number == 1) piece->x0 = from, piece->x1 = to;
  if (number == 2) piece->x0 = to + 1;
  return !is_empty(*piece);
}

/* A row of a cell in which a scan excludes nothing that is left of the group. */
static void add_untold(const Exact *e, const Cell *cell, i32 y, u16 *sums) {
  u64 left = cell->parts[0] | cell->parts[1] | cell->parts[2] | cell->parts[3];
  const CostField *f = &e->fields[mask_of(e, left)];
  for (i32 number = 0; number < 3; number++) {
    Cell piece = *cell;
    if (!piece_of(cell, &f->kept, y, number, &piece.at)) continue;
    if (number == 1) {
      cost_row(e, &piece, popcount64(left), y, e->row);
    } else {
      piece.shown = left;
      cost_outside(e, &piece, y, e->row);
    }
    add_row(sums + piece.at.x0 - cell->at.x0, e->row, piece.at.x1 - piece.at.x0 + 1);
  }
}

/* Whether one answer leaves all of a set of several spots. */
static i32 leaves_all(const Cell *cell, u64 set) {
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (set & (set - 1) && cell->parts[p] == set) return 1;
  return 0;
}

EXPORT(i32, scan_bound_field_add)(const ScanExact *exact, const u64 *of, const u64 *set, u16 *memory,
                            i32 room) {
  if (!seal_holds(exact, SCAN_EXACTLY) || !seal_holds(exact->plan, SCAN_PLAN)) return BAD;
  const ScanPlan *plan = exact->plan;
  u64 group = set_of(exact, (1u << exact->count) - 1) & *set;
  Box window;
  Raster sheet;
  if (!exact->done || exact->of != *of || !is_set_of(plan, *set) || *set & ~*of) return BAD;
  if (!take_sheet(plan, *of, memory, room, &window, &sheet)) return BAD;
  if (!group) return OK;
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, plan, *set, window); next_cell(&cells, &cell);) {
    cell.shown &= group;
    for (i32 p = 0; p < SCAN_PARTS; p++) cell.parts[p] &= group;
    i32 untold = *set != *of && leaves_all(&cell, group);
    for (i32 y = cell.at.y0; y <= cell.at.y1; y++) {
      u16 *sums = row_of(&sheet, y - window.y0) + cell.at.x0 - window.x0;
      i32 wide = cell.at.x1 - cell.at.x0 + 1;
      if (untold)
        add_untold(exact, &cell, y, sums);
      else if (cost_row(exact, &cell, popcount64(group), y, exact->row))
        add_row(sums, exact->row, wide);
      else
        forget(sums, 0, wide);
    }
  }
  return OK;
}

/* ---- the least over all groups ---------------------------------------------------------- */

/* The sheet of a set, where it is asked for a group of it and has the room. */
static i32 sheet_of(const ScanPlan *plan, const u64 *of, const u64 *set, u16 *memory, i32 room,
                    Box *window, Raster *sheet) {
  return seal_holds(plan, SCAN_PLAN) && is_set_of(plan, *of) && is_set_of(plan, *set) &&
         !(*set & ~*of) && take_sheet(plan, *of, memory, room, window, sheet);
}

EXPORT(i32, scan_bound_field_begin)(const ScanPlan *plan, const u64 *of, const u64 *set, u16 *memory,
                              i32 room) {
  Box window;
  Raster sheet;
  if (!sheet_of(plan, of, set, memory, room, &window, &sheet)) return BAD;
  memset(memory, 0xff, sizeof(u16) * (size_t)sheet_room(&window));
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, plan, *set, window); next_cell(&cells, &cell);)
    for (i32 y = cell.at.y0; y <= cell.at.y1; y++)
      memset(row_of(&sheet, y - window.y0) + cell.at.x0 - window.x0, 0,
             sizeof(u16) * (size_t)(cell.at.x1 - cell.at.x0 + 1));
  return OK;
}

EXPORT(i32, scan_bound_field_walk)(const ScanPlan *plan, const u64 *of, const u64 *set, u16 *memory,
                             i32 room) {
  Box window;
  Raster sheet;
  if (!sheet_of(plan, of, set, memory, room, &window, &sheet)) return BAD;
  distance_transform(&sheet, popcount64(*set), 1);
  distance_transform(&sheet, popcount64(*set), -1);
  return OK;
}

/* The walk from a place to all of a row of a cell, for so many spots, and the rest of the row. */
static i32 least_of_row(const Cell *cell, i32 n, i32 x, i32 y, i32 v, const u16 *row, i32 least) {
  for (i32 u = cell->at.x0; u <= cell->at.x1; u++)
    if (row[u - cell->at.x0] < INFINITE)
      least = min32(least, row[u - cell->at.x0] + n * ((chebyshev(x, y, u, v) + 1) >> 1));
  return least;
}

EXPORT(i32, scan_bound_field_cells)(const ScanPlan *plan, const u64 *of, i32 x, i32 y, i32 limit,
                              u16 *memory, i32 room, ScanFirst *out, i32 most) {
  Box window;
  Raster sheet;
  if (!seal_holds(plan, SCAN_PLAN) || !is_set_of(plan, *of) || scan_off_plane(x, y)) return BAD;
  if (!take_sheet(plan, *of, memory, room, &window, &sheet)) return BAD;
  i32 n = popcount64(*of), count = 0;
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, plan, *of, window); next_cell(&cells, &cell);) {
    i32 least = limit;
    for (i32 v = cell.at.y0; v <= cell.at.y1; v++)
      least = least_of_row(&cell, n, x, y, v,
                           row_of(&sheet, v - window.y0) + cell.at.x0 - window.x0, least);
    if (least >= limit) continue;
    if (count == most) return TOO_LARGE;
    ScanFirst *first = &out[count++];
    first->least = least;
    first->column = cells.column;
    first->row = cells.row;
    first->spare = 0;
    memcpy(first->parts, cell.parts, sizeof first->parts);
  }
  return count;
}

/* Add the values of a sheet to a row of a cell. */
static void add_values(u16 *row, const Raster *sheet, const Box *window, const Cell *cell, i32 y) {
  add_row(row, row_of(sheet, y - window->y0) + cell->at.x0 - window->x0,
          cell->at.x1 - cell->at.x0 + 1);
}

EXPORT(i32, scan_bound_field_second)(const ScanExact *exact, const u64 *of, i32 x, i32 y, i32 column,
                               i32 row, i32 limit, u16 *memory, i32 room, i32 sheets,
                               const i32 *which) {
  if (!seal_holds(exact, SCAN_EXACTLY) || !seal_holds(exact->plan, SCAN_PLAN)) return BAD;
  const ScanPlan *plan = exact->plan;
  Box window;
  Raster sheet[SCAN_PARTS];
  if (!is_set_of(plan, *of) || exact->of != *of || scan_off_plane(x, y)) return BAD;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    i32 number = which[p];
    if (number >= sheets) return BAD;
    u16 *place = memory + (i64)max32(number, 0) * room;
    if (!take_sheet(plan, *of, place, room, &window, &sheet[p])) return BAD;
  }
  Cells cells;
  Cell cell;
  begin_cells(&cells, plan, *of, window);
  if (column < 0 || row < 0 || column >= cells.columns.count || row >= cells.rows.count) return BAD;
  cells.column = column - 1;
  cells.row = row;
  if (!next_cell(&cells, &cell) || cells.column != column || cells.row != row) return BAD;
  i32 n = popcount64(*of), least = limit;
  for (i32 v = cell.at.y0; v <= cell.at.y1; v++) {
    Cell known = cell;
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (cell.parts[p] & (cell.parts[p] - 1)) known.parts[p] = 0;
    cost_row(exact, &known, n, v, exact->row);
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (which[p] >= 0) add_values(exact->row, &sheet[p], &window, &cell, v);
    least = least_of_row(&cell, n, x, y, v, exact->row, least);
  }
  return least;
}
