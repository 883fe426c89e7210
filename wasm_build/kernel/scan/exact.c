/* States of few spots exactly: the least ticks over all tiles, by fields of values; scan.h. */
#include "fields.h"

static void begin_scans(Cells *c, const Exact *e, u32 mask) {
  begin_cells(c, e->plan, set_of(e, mask), e->fields[mask].scans);
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
static void narrow_axis(const Exact *e, u32 mask, i32 here, const i16 *at, i32 *low, i32 *high) {
  while (*low <= *high && least_through(e, mask, *low, here, at) >= e->upper) ++*low;
  while (*low <= *high && least_through(e, mask, *high, here, at) >= e->upper) --*high;
}

/* Where scans of a set may be made, and what of its field is kept. */
static void open_field(Exact *e, u32 mask) {
  Field *f = &e->fields[mask];
  f->scans = mask + 1 == 1u << e->count ? e->known_in : e->window;
  narrow_axis(e, mask, e->x, e->plan->x, &f->scans.x0, &f->scans.x1);
  narrow_axis(e, mask, e->y, e->plan->y, &f->scans.y0, &f->scans.y1);
  f->kept = is_empty(f->scans) ? EMPTY : both(f->kept, f->scans);
}

/* What of a sheet may still beat what is known: its box in `kept`. */
static Box worth_keeping(const Exact *e, u32 mask, const Sheet *s) {
  const Field *f = &e->fields[mask];
  i32 n = popcount64(mask), rest = n * e->plan->stop;
  for (i32 i = 0; i < e->count; i++)
    if (!(mask >> i & 1)) rest += e->straight[i] + e->plan->stop;
  Box found = EMPTY;
  for (i32 y = f->kept.y0; y <= f->kept.y1; y++) {
    const u16 *row = row_of(s, y - f->scans.y0) - f->scans.x0;
    for (i32 x = f->kept.x0; x <= f->kept.x1; x++) {
      i32 ticks = (chebyshev(e->x, e->y, x, y) + 1) >> 1;
      if (n * ticks + rest + row[x] < e->upper) found = around(found, (Box){x, y, x, y});
    }
  }
  return found;
}

static i32 keep_sheet(Exact *e, u32 mask, const Sheet *s) {
  Field *f = &e->fields[mask];
  f->kept = worth_keeping(e, mask, s);
  if (is_empty(f->kept)) return OK;
  i32 taken = keep_values(f, s, e->pool + e->used, e->room - e->used);
  if (taken < 0) return TOO_LARGE;
  e->used += taken;
  return OK;
}

/* A set's values, when those of all its parts stand. Returns OK or TOO_LARGE. */
static i32 fill_field(Exact *e, u32 mask) {
  Field *f = &e->fields[mask];
  if (is_empty(f->kept)) return OK;
  i32 n = popcount64(mask);
  Sheet sheet = sheet_in(e->sheet, &f->scans);
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
  walk_pass(&sheet, n, 1);
  walk_pass(&sheet, n, -1);
  return keep_sheet(e, mask, &sheet);
}

/* ---- the state asked about -------------------------------------------------------------- */

/* Note which sets can be left and where, from the whole down. */
static void reach_sets(Exact *e) {
  u32 all = (1u << e->count) - 1;
  e->fields[all].kept = e->known_in;
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
            Field *part = &e->fields[mask_of(e, cell.parts[p])];
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
        i32 ticks = (chebyshev(e->x, e->y, x, y) + 1) >> 1;
        i32 total = row[x - cell.at.x0] + e->count * ticks;
        if (row[x - cell.at.x0] == INFINITE || total > least ||
            (total == least && (best->x == SCAN_NOWHERE || y > best->y ||
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

static void gather(Exact *e, u64 set, u64 of) {
  e->window = window_of(e->plan, set);
  e->known_in = of ? window_of(e->plan, of) : e->window;
  for (i32 k = 0; set; set &= set - 1, k++) {
    i32 s = e->spot[k] = lowest64(set);
    e->straight[k] = chebyshev(e->x, e->y, e->plan->x[s], e->plan->y[s]) >> 1;
  }
}

/* Room for a row and the sheet is taken off the end of the pool. */
static i32 lay_out(Exact *e) {
  i64 stride = stride_of(e->known_in.x1 - e->known_in.x0 + 1);
  i64 taken = stride + sheet_room(&e->known_in);
  if (taken > e->room || is_vast(&e->known_in)) return TOO_LARGE;
  e->room -= (i32)taken;
  e->row = e->pool + e->room + SPARE;
  e->sheet = e->pool + e->room + stride;
  return OK;
}

EXPORT(i32, scan_exact)(ScanExact *exact, const ScanPlan *plan, const u64 *set, i32 x, i32 y,
                        i32 upper, const u64 *of, void *pool, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  u64 all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  i32 count = popcount64(*set);
  if (of && (*of & ~all || *set & ~*of)) return BAD;
  if (plan->ground || plan->on_the_way || (*set & ~all) || count < 2 || count > SCAN_EXACT)
    return BAD;
  if (scan_off_plane(x, y) || room < 0 || upper < 0 || upper >= SCAN_NEVER) return BAD;
  if (((uintptr_t)exact | (uintptr_t)pool) & 15) return BAD;
  if (upper >= INFINITE) return TOO_LARGE;
  memset(exact, 0, sizeof(Exact) - sizeof exact->fields);
  exact->plan = plan;
  exact->count = count;
  exact->x = x;
  exact->y = y;
  exact->upper = upper;
  exact->pool = pool;
  exact->room = room;
  exact->of = of ? *of : 0;
  gather(exact, *set, of ? *of : 0);
  if (lay_out(exact) != OK) return TOO_LARGE;
  for (i32 mask = 0; mask < 1 << count; mask++) exact->fields[mask] = (Field){EMPTY, EMPTY, 0};
  reach_sets(exact);
  exact->size = 2;
  exact->sizes = of ? count + 1 : count;
  seal_set(&exact->seal, SCAN_EXACTLY, 0, 0);
  return OK;
}

EXPORT(i32, scan_exact_run)(ScanExact *exact, i32 tiles) {
  if (!seal_holds(exact, SCAN_EXACTLY) || !seal_holds(exact->plan, SCAN_PLAN)) return BAD;
  for (; exact->size < exact->sizes; exact->size++, exact->mask = 0)
    for (; exact->mask < 1 << exact->count; exact->mask++) {
      const Field *f = &exact->fields[exact->mask];
      if (popcount64((u32)exact->mask) != exact->size || is_empty(f->kept)) continue;
      if (tiles <= 0) return 0;
      tiles -= (f->scans.x1 - f->scans.x0 + 1) * (f->scans.y1 - f->scans.y0 + 1);
      if (fill_field(exact, (u32)exact->mask) != OK) return TOO_LARGE;
    }
  exact->done = 1;
  return 1;
}

EXPORT(i32, scan_exact_value)(ScanExact *exact, ScanAction *out) {
  if (!seal_holds(exact, SCAN_EXACTLY) || !seal_holds(exact->plan, SCAN_PLAN)) return BAD;
  if (!exact->done) return BAD;
  memset(out, 0, sizeof *out);
  out->x = SCAN_NOWHERE;
  first_scan(exact, out);
  return out->x == SCAN_NOWHERE ? exact->upper : (i32)out->score;
}
