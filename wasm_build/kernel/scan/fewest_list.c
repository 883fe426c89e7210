/* Lists of scans for the fewest scans: the distinct scans of a map that no other dominates.
 *
 * A scan is a partition of the spots; all tiles of a cell of the compressed grid (successors.c) make the
 * same. Scan a dominates b if every part of a is a subset of a part of b: a plan for the larger sets also
 * solves the smaller ones. A dominated scan has a larger sum of squared part sizes, so one pass in that
 * order finds the maximal elements. Dominance survives projection to subsets (fewest.c).
 * Cost: O(cells) scans, O(scans x front) comparisons; the list is reduced after every 4096 new scans. */
#include "fewest.h"
#include "terrain.h"

static inline i32 is_subset(u64 a, u64 b) { return !(a & ~b); }

/* Whether parts of a scan overlap: some tiles within the slack distinguish their common spots. */
static i32 overlaps(const Scan *a) {
  u64 seen = 0, twice = 0;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    twice |= seen & a->parts[p];
    seen |= a->parts[p];
  }
  return twice != 0;
}

/* Whether every part of `a` is a subset of a part of `b`. If parts overlap this is not sufficient: see
 * scan_reduce. */
static inline i32 dominates(const Scan *a, const Scan *b, i32 parts) {
  for (i32 p = 0; p < parts; p++) {
    u64 part = a->parts[p];
    i32 inside = is_subset(part, b->parts[0]) | is_subset(part, b->parts[1]);
    if (parts > 2) inside |= is_subset(part, b->parts[2]) | is_subset(part, b->parts[3]);
    if (!inside) return 0;
  }
  return 1;
}

/* The index of the first scan that dominates another; `kept` if none does. */
static inline __attribute__((always_inline)) i32 first_dominating(const Scan *scans, i32 kept,
                                                                  const Scan *scan, i32 parts) {
  i32 j = 0;
  while (j < kept && !dominates(&scans[j], scan, parts)) j++;
  return j;
}

/* Shell sort by bound, then by input position: Shell sort is unstable, so `order` is an explicit key. */
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

/* A scan with overlapping parts removes only its equals: if two of its parts lie in one part of another
 * scan, their common spots count twice. */
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
    while (f->merged & SCAN_PLACES && j < kept && overlaps(&scans[j]) &&
           memcmp(scans[j].parts, scans[i].parts, sizeof scans[j].parts))
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

/* Add the parts of a scan at a tile. */
static void add_place(const ScanFewest *f, Scan *scan, u64 inner, u64 outer, u64 near_other) {
  u64 parts[SCAN_PARTS];
  scan_partition(f->plan, f->all, inner, outer, near_other, parts);
  for (i32 p = 0; p < SCAN_PARTS; p++) scan->parts[p] |= parts[p];
}

/* List a scan unless it excludes no spot or equals the one before. Returns OK or TOO_LARGE. */
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
  if (++l->unreduced == 4096) { /* reducing is quadratic: do it while the list is short */
    l->made = scan_reduce(f, f->pool, l->made);
    l->unreduced = 0;
  }
  return OK;
}

/* Whether an interval has tiles on the map of classes; the squares round complements extend beyond it. */
static i32 on_map(const i16 *at, i32 i, const i16 *centres, i32 spots, i32 range) {
  i32 low = centres[0], high = centres[0];
  for (i32 s = 1; s < spots; s++) {
    low = min32(low, centres[s]);
    high = max32(high, centres[s]);
  }
  return at[i + 1] > low - 2 * range - 1 && at[i] <= high + 2 * range + 1;
}

/* List the scans of open ground on a level, one a cell; if merged, those of the square of tiles within the
 * slack whose lowest corner is the lowest corner of a cell: other squares leave more spots. */
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

/* List the scans of a tile of terrain: one for each tile within the slack, or one for all of them. */
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

/* On open ground those of each level that stairs lead to, on terrain those of the tiles reachable from (x,
 * y) in the scan window. */
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
      if (scan_over_stairs(plan, x, y, floors->x[e], scan_on_level(floors->y[e], floors->level[e])) <
          SCAN_NEVER)
        levels |= 1u << floors->level[e];
    for (i32 level = 0; level < SCAN_LEVELS && status == OK; level++)
      if (levels >> level & 1) status = list_cells(&listing, floors->elsewhere[level]);
  }
  return status < 0 ? status : scan_reduce(f, f->pool, listing.made);
}
