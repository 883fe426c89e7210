/* Exact optimum of a state of few spots: dynamic programming over all subsets and all tiles.
 *
 *   V(S, p) = min over tiles q of |S| (walk(p, q) + stop) + walks from q to the spots that a triple
 *             shows there + sum of V(S_answer, q)
 *
 * Subsets by size, smallest first. "min over q" is a distance transform in two passes (Rosenfeld &
 * Pfaltz 1966) with steps of up to two tiles a tick. A field reaches only as far as a plan through it
 * could beat `upper`; the bound on one axis is least_through. Cost: O(2^|S| tiles / 8).
 *
 *   pool | kept fields, one after the other | row | sheet (a field being made, cost_field.h) */
#include "cost_field.h"

enum { MASKS = 1 << SCAN_EXACT };

struct ScanExact {
  const ScanPlan *plan;
  i32 count, x, y, upper; /* spots, where one stands, a total that is known */
  Box window;             /* no scan elsewhere excludes a spot */
  i32 spot[SCAN_EXACT], straight[SCAN_EXACT];
  u16 *pool, *row, *sheet; /* kept values; a row; the rows of a field being made */
  i32 room, used;
  CostField fields[MASKS];
};

typedef struct ScanExact Exact;

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

static void begin_scans(Cells *c, const Exact *e, u32 mask) {
  begin_cells(c, e->plan, set_of(e, mask), e->fields[mask].scans);
}

/* ---- the cost of a scan ------------------------------------------------------------------ */

/* Add a field's row; outside it nothing can beat what is known. Returns whether anything is left. */
static i32 add_field(const CostField *f, u16 *row, const Box *box, i32 y) {
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
static i32 cost_row(const Exact *e, const Cell *cell, i32 count, i32 y, u16 *row) {
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
    add_walk(row, &cell->at, y, plan->x[s], plan->y[s], plan->far[s]);
  }
  return 1;
}

/* ---- where a set's value may matter ----------------------------------------------------- */

/* A plan that scans in v on one axis takes no less than this: every spot of the set goes there and
 * on, every other goes straight and stops once. Distances on one axis are at most the true ones. */
static i32 least_through(const Exact *e, u32 mask, i32 v, i32 here, const i16 *at) {
  i32 n = popcount64(mask), stops = mask + 1 == 1u << e->count ? 1 : 2;
  i32 ticks = (abs32(v - here) + 1) >> 1;
  for (i32 i = 0; i < e->plan->teleports; i++) {
    const ScanTeleport *t = &e->plan->teleport[i];
    i32 place = at == e->plan->x ? t->x : t->y;
    ticks = min32(ticks, t->ticks + ((abs32(v - place) + 1) >> 1));
  }
  i32 sum = n * (ticks + stops * e->plan->stop);
  for (i32 i = 0; i < e->count; i++) {
    i32 s = e->spot[i];
    sum += mask >> i & 1 ? min32(abs32(v - at[s]) >> 1, e->plan->by_teleport[s])
                         : e->straight[i] + e->plan->stop;
  }
  return sum;
}

/* Ticks from where one stands to a tile. */
static inline i32 ticks_to(const Exact *e, i32 x, i32 y) {
  i32 ticks = walk_between(e->x, e->y, x, y);
  return e->plan->teleports ? min32(ticks, scan_by_teleport(e->plan, x, y)) : ticks;
}

/* The values on one axis that may still beat what is known, as low and high; they are cut to the
 * window and to where the set lies or one stands: beyond both, the sum grows for good. */
static void narrow_axis(const Exact *e, u32 mask, i32 here, const i16 *at, i32 *low, i32 *high) {
  while (*low <= *high && least_through(e, mask, *low, here, at) >= e->upper) ++*low;
  while (*low <= *high && least_through(e, mask, *high, here, at) >= e->upper) --*high;
}

/* Where scans of a set may be made, and what of its field is kept. */
static void open_field(Exact *e, u32 mask) {
  CostField *f = &e->fields[mask];
  f->scans = e->window;
  narrow_axis(e, mask, e->x, e->plan->x, &f->scans.x0, &f->scans.x1);
  narrow_axis(e, mask, e->y, e->plan->y, &f->scans.y0, &f->scans.y1);
  f->kept = is_empty(f->scans) ? EMPTY : both(f->kept, f->scans);
}

/* What of a sheet may still beat what is known: its box in `kept`. */
static Box worth_keeping(const Exact *e, u32 mask, const Raster *s) {
  const CostField *f = &e->fields[mask];
  i32 n = popcount64(mask), rest = n * e->plan->stop;
  for (i32 i = 0; i < e->count; i++)
    if (!(mask >> i & 1)) rest += e->straight[i] + e->plan->stop;
  Box found = EMPTY;
  for (i32 y = f->kept.y0; y <= f->kept.y1; y++) {
    const u16 *row = row_of(s, y - f->scans.y0) - f->scans.x0;
    for (i32 x = f->kept.x0; x <= f->kept.x1; x++) {
      if (n * ticks_to(e, x, y) + rest + row[x] < e->upper) found = around(found, (Box){x, y, x, y});
    }
  }
  return found;
}

static i32 keep_sheet(Exact *e, u32 mask, const Raster *s) {
  CostField *f = &e->fields[mask];
  f->kept = worth_keeping(e, mask, s);
  if (is_empty(f->kept)) return OK;
  i32 taken = keep_values(f, s, e->pool + e->used, e->room - e->used);
  if (taken < 0) return TOO_LARGE;
  e->used += taken;
  return OK;
}

/* The least total of going by a teleport, for so many spots of a set: what each row's scans take, and
 * from its place on. No sum reaches 65535 that is not too much for the row as well; see fits_ways. */
static u16 least_by_teleport(const Exact *e, const Raster *s, const Box *box, i32 n) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  v128_t least = wasm_i16x8_const_splat(-1);
  for (i32 i = 0; i < e->plan->teleports; i++) {
    const ScanTeleport *t = &e->plan->teleport[i];
    v128_t price = wasm_i16x8_splat((i16)n), base = wasm_i16x8_splat((i16)t->ticks);
    for (i32 y = box->y0; y <= box->y1; y++) {
      const u16 *row = row_of(s, y - box->y0);
      v128_t down = wasm_i16x8_splat((i16)abs32(y - t->y)), one = wasm_i16x8_const_splat(1);
      v128_t off = wasm_i16x8_add(wasm_i16x8_splat((i16)(box->x0 - t->x)), wasm_v128_load(STEPS));
      for (i32 x = 0; x <= box->x1 - box->x0; x += 8) {
        v128_t away = wasm_u16x8_max(wasm_i16x8_abs(off), down);
        v128_t ticks = wasm_i16x8_add(wasm_u16x8_shr(wasm_i16x8_add(away, one), 1), base);
        v128_t sums = wasm_u16x8_add_sat(at(row + x), wasm_i16x8_mul(ticks, price));
        least = wasm_u16x8_min(least, sums);
        off = wasm_i16x8_add(off, wasm_i16x8_splat(8));
      }
    }
  }
  u16 eight[8], found = INFINITE;
  wasm_v128_store(eight, least);
  for (i32 i = 0; i < 8; i++) found = (u16)min32(found, eight[i]);
  return found;
}

/* From every tile of a sheet a teleport takes no more than this. */
static void take_teleports(Raster *s, u16 most) {
  v128_t value = wasm_i16x8_splat((i16)most);
  for (i32 y = 0; y < s->high; y++)
    for (i32 x = 0; x < s->wide; x += 8)
      wasm_v128_store(row_of(s, y) + x, wasm_u16x8_min(at(row_of(s, y) + x), value));
}

/* Whether all ways from the places of teleports can be summed in two bytes. */
static i32 fits_ways(const Exact *e) {
  Box w = e->window;
  for (i32 i = 0; i < e->plan->teleports; i++) {
    const ScanTeleport *t = &e->plan->teleport[i];
    i32 across = max32(abs32(t->x - w.x0), abs32(t->x - w.x1));
    i32 down = max32(abs32(t->y - w.y0), abs32(t->y - w.y1));
    if (e->count * (t->ticks + max32(across, down) / 2 + 8) >= INFINITE) return 0;
  }
  return 1;
}

/* A set's values, when those of all its parts stand. Returns OK or TOO_LARGE. */
static i32 fill_field(Exact *e, u32 mask) {
  CostField *f = &e->fields[mask];
  if (is_empty(f->kept)) return OK;
  i32 n = popcount64(mask);
  Raster sheet = sheet_in(e->sheet, &f->scans);
  memset(e->sheet, 0xff, sizeof(u16) * (size_t)sheet_room(&f->scans));
  Cells cells;
  Cell cell;
  u16 *row = e->row;
  for (begin_scans(&cells, e, mask); next_cell(&cells, &cell);)
    for (i32 y = cell.at.y0; y <= cell.at.y1; y++) {
      if (!cost_row(e, &cell, n, y, row)) continue;
      memcpy(row_of(&sheet, y - f->scans.y0) + cell.at.x0 - f->scans.x0, row,
             sizeof(u16) * (size_t)(cell.at.x1 - cell.at.x0 + 1));
    }
  u16 most = e->plan->teleports ? least_by_teleport(e, &sheet, &f->scans, n) : INFINITE;
  distance_transform(&sheet, n, 1);
  distance_transform(&sheet, n, -1);
  if (most < INFINITE) take_teleports(&sheet, most);
  return keep_sheet(e, mask, &sheet);
}

/* ---- the state asked about -------------------------------------------------------------- */

/* Note which sets can be left and where, from the whole down. */
static void reach_sets(Exact *e) {
  u32 all = (1u << e->count) - 1;
  e->fields[all].kept = e->window;
  for (i32 size = e->count; size >= 2; size--)
    for (u32 mask = 0; mask <= all; mask++) {
      if (popcount64(mask) != size || is_empty(e->fields[mask].kept)) continue;
      open_field(e, mask);
      if (is_empty(e->fields[mask].kept)) continue;
      Cells cells;
      Cell cell;
      for (begin_scans(&cells, e, mask); next_cell(&cells, &cell);)
        for (i32 p = 0; p < SCAN_PARTS; p++)
          if (cell.parts[p] & (cell.parts[p] - 1)) {
            CostField *part = &e->fields[mask_of(e, cell.parts[p])];
            part->kept = around(part->kept, cell.at);
          }
    }
}

/* The best first scan, if it beats what is known; ties by the lowest y, then the lowest x. */
static void first_scan(const Exact *e, ScanAction *best) {
  Cells cells;
  Cell cell;
  u16 *row = e->row;
  i32 least = e->upper;
  for (begin_scans(&cells, e, (1u << e->count) - 1); next_cell(&cells, &cell);)
    for (i32 y = cell.at.y0; y <= cell.at.y1; y++) {
      if (!cost_row(e, &cell, e->count, y, row)) continue;
      for (i32 x = cell.at.x0; x <= cell.at.x1; x++) {
        i32 ticks = ticks_to(e, x, y);
        i32 total = row[x - cell.at.x0] + e->count * ticks;
        if (row[x - cell.at.x0] == INFINITE || total > least ||
            (total == least && (best->x == SCAN_NOWHERE || y > best->y ||
                                (y == best->y && x > best->x))))
          continue;
        least = total;
        best->score = total;
        best->x = best->to_x = (i16)x;
        best->y = best->to_y = (i16)y;
        best->cost = e->count * (ticks + e->plan->stop) + scan_walks_to_spots(e->plan, x, y, cell.shown);
        memcpy(best->parts, cell.parts, sizeof best->parts);
      }
    }
}

EXPORT(i32, scan_exact_bytes)(void) { return (i32)sizeof(Exact); }

static void gather(Exact *e, u64 set) {
  e->window = window_of(e->plan, set);
  for (i32 k = 0; set; set &= set - 1, k++) {
    i32 s = e->spot[k] = lowest64(set);
    e->straight[k] = scan_walks_to_spots(e->plan, e->x, e->y, 1ull << s);
  }
}

/* Room for a row and the sheet is taken off the end of the pool. */
static i32 lay_out(Exact *e) {
  i64 stride = stride_of(e->window.x1 - e->window.x0 + 1);
  i64 taken = stride + sheet_room(&e->window);
  if (taken > e->room || is_vast(&e->window)) return TOO_LARGE;
  e->room -= (i32)taken;
  e->row = e->pool + e->room + SPARE;
  e->sheet = e->pool + e->room + stride;
  return OK;
}

EXPORT(i32, scan_exact)(ScanExact *exact, const ScanPlan *plan, const u64 *set, i32 x, i32 y,
                        i32 upper, void *pool, i32 room, ScanAction *out) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->floors.ends || plan->ground || plan->on_the_way) return BAD;
  i32 count = popcount64(*set);
  if ((*set & ~scan_all_spots(plan)) || count < 2 || count > SCAN_EXACT) return BAD;
  if (scan_off_plane(x, y) || room < 0 || upper < 0 || upper >= SCAN_NEVER) return BAD;
  if (((uintptr_t)exact | (uintptr_t)pool) & 15) return BAD;
  if (upper >= INFINITE) return TOO_LARGE;
  memset(exact, 0, sizeof(Exact));
  exact->plan = plan;
  exact->count = count;
  exact->x = x;
  exact->y = y;
  exact->upper = upper;
  exact->pool = pool;
  exact->room = room;
  gather(exact, *set);
  if (lay_out(exact) != OK || !fits_ways(exact)) return TOO_LARGE;
  for (i32 mask = 0; mask < 1 << count; mask++) exact->fields[mask] = (CostField){EMPTY, EMPTY, 0};
  reach_sets(exact);
  for (i32 size = 2; size < count; size++)
    for (i32 mask = 0; mask < 1 << count; mask++)
      if (popcount64((u32)mask) == size && fill_field(exact, (u32)mask) != OK) return TOO_LARGE;
  memset(out, 0, sizeof *out);
  out->x = SCAN_NOWHERE;
  first_scan(exact, out);
  return out->x == SCAN_NOWHERE ? upper : (i32)out->score;
}
