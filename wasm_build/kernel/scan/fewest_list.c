/* Lists of scans for the fewest scans: every distinct scan of a map, and those that no other dominates.
 *
 * A scan is the partition that it makes of the spots; a cell of the grid of square sides stands for
 * all its tiles. Dominance: every part of one scan lies in a part of the other (see `dominates`).
 * Scans are sorted by the sum of squared part sizes, so one pass keeps the Pareto front.
 * Cost: O(cells) scans, O(scans x kept) comparisons, reduced at every 4096 new ones. */
#include "fewest.h"
#include "terrain.h"

static inline i32 within(u64 a, u64 b) { return !(a & ~b); }

/* Whether the sets that a scan leaves have a spot in common, which places within the slack tell apart. */
static i32 overlaps(const Scan *a) {
  u64 seen = 0, twice = 0;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    twice |= seen & a->parts[p];
    seen |= a->parts[p];
  }
  return twice != 0;
}

/* Whether every set that `a` leaves lies in one that `b` leaves: a plan for the larger set serves
 * the disjoint smaller ones in it, so `a` is never worse. */
static inline i32 dominates(const Scan *a, const Scan *b, i32 parts) {
  for (i32 p = 0; p < parts; p++) {
    u64 part = a->parts[p];
    i32 inside = within(part, b->parts[0]) | within(part, b->parts[1]);
    if (parts > 2) inside |= within(part, b->parts[2]) | within(part, b->parts[3]);
    if (!inside) return 0;
  }
  return 1;
}

static inline __attribute__((always_inline)) i32 first_dominating(const Scan *scans, i32 kept,
                                                                  const Scan *scan, i32 parts) {
  i32 j = 0;
  while (j < kept && !dominates(&scans[j], scan, parts)) j++;
  return j;
}

/* Shell sort by bound, then by the order they came in (the gaps make it unstable, so the second
 * key is explicit in `order`). */
void scan_sort_scans(Scan *scans, i32 count) {
  static const i32 GAPS[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (i32 i = 0; i < count; i++) scans[i].order = i;
  for (u32 g = 0; g < sizeof GAPS / sizeof *GAPS; g++)
    for (i32 i = GAPS[g]; i < count; i++) {
      Scan scan = scans[i];
      i32 j = i;
      for (; j >= GAPS[g]; j -= GAPS[g]) {
        const Scan *other = &scans[j - GAPS[g]];
        if (other->bound < scan.bound) break;
        if (other->bound == scan.bound && other->order < scan.order) break;
        scans[j] = *other;
      }
      scans[j] = scan;
    }
}

/* Keep the scans that no other dominates; of equal ones the first. A scan has a larger sum of
 * squared sizes than one that dominates it, so one pass in that order is enough. */
i32 scan_reduce(ScanFewest *f, Scan *scans, i32 count) {
  for (i32 i = 0; i < count; i++) {
    scans[i].bound = 0;
    for (i32 p = 0; p < f->parts; p++) {
      i32 n = popcount64(scans[i].parts[p]);
      scans[i].bound += n * n;
    }
  }
  scan_sort_scans(scans, count);
  i32 kept = 0;
  for (i32 i = 0; i < count; i++) {
    i32 j = f->parts == 2 ? first_dominating(scans, kept, &scans[i], 2)
                          : first_dominating(scans, kept, &scans[i], SCAN_PARTS);
    while (f->merged & SCAN_PLACES && j < kept && overlaps(&scans[j]) && memcmp(scans[j].parts, scans[i].parts, sizeof scans[j].parts))
      j += 1 + first_dominating(scans + j + 1, kept - j - 1, &scans[i], SCAN_PARTS);
    f->work += j / 16;
    if (j == kept) scans[kept++] = scans[i];
  }
  f->work += count / 4 + 1;
  return kept;
}

/* ---- the scans of a map ---------------------------------------------------------------- */

typedef struct Listing {
  ScanFewest *fewest;
  i32 made, unreduced;
} Listing;

/* Add what a scan at a place may leave. */
static void add_place(const ScanFewest *f, Scan *scan, u64 inner, u64 outer, u64 near_other) {
  u64 parts[SCAN_PARTS];
  scan_partition(f->plan, f->all, inner, outer, near_other, parts);
  for (i32 p = 0; p < SCAN_PARTS; p++) scan->parts[p] |= parts[p];
}

/* Note a scan, unless the one before leaves the same; negative: no room. */
static i32 list_scan(Listing *l, Scan scan) {
  ScanFewest *f = l->fewest;
  if (f->merged & SCAN_PULSES) {
    scan.parts[0] |= scan.parts[1];
    scan.parts[2] |= scan.parts[3];
    scan.parts[1] = scan.parts[3] = 0;
  }
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (scan.parts[p] == f->all) return OK;
  if (l->made && !memcmp(f->pool[l->made - 1].parts, scan.parts, sizeof scan.parts)) return OK;
  if (l->made == f->pool_room / 2) return TOO_LARGE;
  f->pool[l->made++] = scan;
  if (++l->unreduced == 4096) { /* keep the list short while it grows: reducing is quadratic */
    l->made = scan_reduce(f, f->pool, l->made);
    l->unreduced = 0;
  }
  return OK;
}

/* Whether a cell has tiles on the map of classes; squares round complements lie elsewhere. */
static i32 on_map(const i16 *at, i32 i, const i16 *centres, i32 spots, i32 range) {
  i32 low = centres[0], high = centres[0];
  for (i32 s = 1; s < spots; s++) {
    low = min32(low, centres[s]);
    high = max32(high, centres[s]);
  }
  return at[i + 1] > low - 2 * range - 1 && at[i] <= high + 2 * range + 1;
}

/* The scans of open ground on a level, from the cells between the sides of the squares; merged, from
 * the square of places that begins at a cell's corner: others leave more. */
static i32 list_cells(Listing *l, u64 elsewhere) {
  const ScanFewest *f = l->fewest;
  const ScanPlan *plan = f->plan;
  ScanAxis columns, rows;
  i32 status = OK, wide = f->merged & SCAN_PLACES ? 2 * f->slack : 0;
  scan_cut_axis(plan, plan->columns, f->all, &columns);
  scan_cut_axis(plan, plan->rows, f->all, &rows);
  for (i32 j = 0; j < rows.count; j++)
    for (i32 i = 0; i < columns.count && status == OK; i++) {
      if (!on_map(columns.at, i, plan->x, plan->spots, plan->range)) continue;
      if (!on_map(rows.at, j, plan->y, plan->spots, plan->range)) continue;
      Scan scan = {{0}, 0, 0};
      for (i32 v = j; v <= rows.count && (v == j || rows.at[v] <= rows.at[j] + wide); v++)
        for (i32 u = i; u <= columns.count && (u == i || columns.at[u] <= columns.at[i] + wide); u++) {
          u64 sets[3] = {0, 0, 0};
          for (i32 k = 0; k < plan->layers && u < columns.count && v < rows.count; k++)
            sets[k] = columns.sets[k][u] & rows.sets[k][v];
          add_place(f, &scan, sets[0], sets[1], sets[2] | elsewhere);
        }
      status = list_scan(l, scan);
    }
  return status;
}

/* The scans of a tile of terrain: of each place within the slack, or one for all of them. */
static i32 list_tile(Listing *l, i32 tile) {
  const ScanFewest *f = l->fewest;
  Scan scan = {{0}, 0, 0};
  i32 status = OK, merged = f->merged & SCAN_PLACES;
  for (i32 v = -f->slack; v <= f->slack && status == OK; v++)
    for (i32 u = -f->slack; u <= f->slack && status == OK; u++) {
      u64 inner, outer, other;
      scan_squares_at(f->plan, f->all, tile, u, v, &inner, &outer, &other);
      if (!merged) scan = (Scan){{0}, 0, 0};
      add_place(f, &scan, inner, outer, other);
      if (!merged) status = list_scan(l, scan);
    }
  return merged ? list_scan(l, scan) : status;
}

/* Every distinct scan of the map: on open ground of each level that one gets to, between walls from the
 * tiles that a walk from (x, y) reaches. */
i32 scan_list_scans(ScanFewest *f, i32 x, i32 y) {
  const ScanPlan *plan = f->plan;
  const ScanFloors *floors = &plan->floors;
  Listing listing = {f, 0, 0};
  i32 status = OK;
  if (plan->ground) {
    i32 reached = scan_walkable(plan, x, y);
    for (i32 i = 0; i < reached && status == OK; i++)
      if (scan_is_in_window(plan, i)) status = list_tile(&listing, i);
  } else if (!floors->ends || plan->layers < 3) {
    status = list_cells(&listing, 0);
  } else {
    u32 levels = 1u << scan_level_of(y);
    for (i32 e = 0; e < floors->ends; e++)
      if (scan_over_stairs(plan, x, y, floors->x[e], scan_on_level(floors->y[e], floors->level[e])) < SCAN_NEVER)
        levels |= 1u << floors->level[e];
    for (i32 level = 0; level < SCAN_LEVELS && status == OK; level++)
      if (levels >> level & 1) status = list_cells(&listing, floors->elsewhere[level]);
  }
  return status < 0 ? status : scan_reduce(f, f->pool, listing.made);
}
