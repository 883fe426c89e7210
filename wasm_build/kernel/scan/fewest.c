/* The fewest scans in total, proved: iterative deepening on the total (Korf 1985) over sets of spots,
 * with proven bounds of each set in a table; recurrence and dominance: scan.h.
 *
 * State: a set S. Scans that another scan dominates are dropped; a child projects its parent's list.
 * Bound: from one step for every set that is met, then what the search has proved. The threshold of
 * the whole set rises from its lower bound until a plan meets it. Cost: exponential in the worst
 * case; the caller gives steps and reads the proven bound in between. */
#include "successors.h"
#include "terrain.h"

enum { DEPTH = SCAN_ROUTE_SPOTS + 1, NOTHING = 1 << 20 };

/* A scan, by what its answers leave of the set at hand; `bound` also serves as a sort key. */
typedef struct Scan {
  u64 parts[SCAN_PARTS];
  i32 bound, order;
} Scan;

/* Proven bounds of a set; set 0 = free, low 0 = not looked at yet. */
typedef struct Bounds {
  u64 set;
  i32 low, high;
} Bounds;

typedef struct Level {
  u64 set;
  i32 threshold;       /* values from here on are of no interest */
  i32 first, count;    /* its scans in the pool */
  i32 open;            /* the first so many may be below the threshold */
  i32 at;              /* the scan being tried */
  i32 children, child; /* what it leaves, the larger sets first, and the one being solved */
  i32 best, low;       /* the least total so far, the least proven bound so far */
  i32 sum;             /* set size + totals of the children, bounds for those not yet solved */
  u64 sets[SCAN_PARTS];
  i32 bounds[SCAN_PARTS];
} Level;

struct ScanFewest {
  Tag seal;
  const ScanPlan *plan;
  Scan *pool;
  Bounds *table;
  i32 pool_room, used, depth, low, proved;
  i32 parts; /* 2, with levels 4 */
  u32 mask;
  i64 work;
  u64 all;
  i32 root_count, answer;
  Level stack[DEPTH + 1];
};

_Static_assert(sizeof(Scan) == SCAN_POOLED_SCAN && sizeof(Bounds) == SCAN_BOUNDS_ENTRY,
               "the caller makes room by these");

/* ---- bounds of sets -------------------------------------------------------------------- */

static Bounds *bounds_of(ScanFewest *f, u64 set) {
  u32 slot = (u32)((set * 0xd6e8feb86659fd93ull) >> 32) & f->mask;
  for (u32 tries = 0; tries < f->mask; tries++, slot = (slot + 1) & f->mask)
    if (!f->table[slot].set || f->table[slot].set == set) break;
  Bounds *b = &f->table[slot];
  if (b->set == set) return b;
  if ((u32)f->used >= f->mask - f->mask / 8) { /* bounds can be found again; the stack stays */
    memset(f->table, 0, sizeof(Bounds) * ((size_t)f->mask + 1));
    f->used = 0;
    b = &f->table[(u32)((set * 0xd6e8feb86659fd93ull) >> 32) & f->mask];
  }
  f->used++;
  *b = (Bounds){set, 0, NOTHING};
  return b;
}

/* What is known without work: 0, 2 and otherwise at least a scan per spot. */
static i32 simple_bound(u64 set) {
  i32 n = popcount64(set);
  return n < 2 ? 0 : n;
}

static i32 known_bound(ScanFewest *f, u64 set) {
  i32 simple = simple_bound(set);
  return popcount64(set) <= 2 ? simple : max32(simple, bounds_of(f, set)->low);
}

/* The bound from looking one step ahead, over scans that include all of the set's own. */
static i32 step_bound(ScanFewest *f, u64 set, const Scan *scans, i32 count) {
  i32 n = popcount64(set);
  if (n <= 2) return simple_bound(set);
  Bounds *b = bounds_of(f, set);
  if (b->low) return b->low;
  i32 best = NOTHING;
  for (i32 i = 0; i < count && best; i++) {
    i32 sum = 0;
    for (i32 p = 0; p < f->parts; p++) {
      u64 part = scans[i].parts[p] & set;
      sum += part == set ? NOTHING : simple_bound(part);
    }
    best = min32(best, sum);
  }
  f->work += count / 8 + 1;
  b->low = n + best;
  if (!best) b->high = n; /* one scan shows every spot */
  return b->low;
}

/* ---- lists of scans -------------------------------------------------------------------- */

static inline i32 within(u64 a, u64 b) { return !(a & ~b); }

/* Whether every set that `a` leaves lies in one that `b` leaves: a plan for the larger set serves
 * the smaller ones in it, so `a` is never worse. */
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
static void sort_scans(Scan *scans, i32 count) {
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
static i32 reduce(ScanFewest *f, Scan *scans, i32 count) {
  for (i32 i = 0; i < count; i++) {
    scans[i].bound = 0;
    for (i32 p = 0; p < f->parts; p++) {
      i32 n = popcount64(scans[i].parts[p]);
      scans[i].bound += n * n;
    }
  }
  sort_scans(scans, count);
  i32 kept = 0;
  for (i32 i = 0; i < count; i++) {
    i32 j = f->parts == 2 ? first_dominating(scans, kept, &scans[i], 2)
                          : first_dominating(scans, kept, &scans[i], SCAN_PARTS);
    f->work += j / 16;
    if (j == kept) scans[kept++] = scans[i];
  }
  f->work += count / 4 + 1;
  return kept;
}

/* The scans of a set from those of a set that contains it, written to the end of the pool. */
static i32 project(ScanFewest *f, const Scan *from, i32 count, u64 set, i32 to) {
  if (to + count > f->pool_room) return TOO_LARGE;
  Scan *scans = f->pool + to;
  i32 made = 0;
  for (i32 i = 0; i < count; i++) {
    Scan scan = {{0}, 0, 0};
    i32 informs = 1;
    for (i32 p = 0; p < f->parts; p++) {
      scan.parts[p] = from[i].parts[p] & set;
      informs &= scan.parts[p] != set;
    }
    if (informs) scans[made++] = scan;
  }
  return reduce(f, scans, made);
}

/* ---- the stack ------------------------------------------------------------------------- */

/* The order to try scans in: proven bound, then how evenly they cut. */
static void rank_scans(ScanFewest *f, Level *level) {
  Scan *scans = f->pool + level->first;
  i32 n = popcount64(level->set), open = 0;
  for (i32 i = 0; i < level->count; i++) {
    scans[i].bound = n;
    for (i32 p = 0; p < f->parts; p++) scans[i].bound += known_bound(f, scans[i].parts[p]);
  }
  sort_scans(scans, level->count);
  while (open < level->count && scans[open].bound < level->threshold) open++;
  level->low = open < level->count ? scans[open].bound : NOTHING;
  for (i32 i = 0; i < open; i++) {
    i32 bound = n;
    double left = 0;
    for (i32 p = 0; p < f->parts; p++) {
      bound += step_bound(f, scans[i].parts[p], scans, level->count);
      left += f->plan->weight[popcount64(scans[i].parts[p])];
    }
    scans[i].bound = bound << 12 | (i32)(left * 8); /* left < 384, so 12 bits hold it */
  }
  sort_scans(scans, open);
  for (i32 i = 0; i < open; i++) scans[i].bound >>= 12;
  level->open = open;
}

/* Returns the total if it needs no search, else 0 with a new level; negative: no room. */
static i32 open_level(ScanFewest *f, u64 set, i32 threshold, i32 first, i32 count) {
  if (popcount64(set) <= 2) return simple_bound(set) + 1;
  i32 low = step_bound(f, set, f->pool + first, count);
  if (low >= threshold || low == bounds_of(f, set)->high) return low + 1;
  i32 made = project(f, f->pool + first, count, set, first + count);
  if (made < 0) return made;
  Level *level = &f->stack[f->depth++];
  *level = (Level){.set = set, .threshold = threshold, .first = first + count, .count = made};
  level->best = NOTHING;
  rank_scans(f, level);
  return 0;
}

static void take_total(Level *level, i32 total) {
  level->best = min32(level->best, total);
  level->low = min32(level->low, total);
  level->at++;
  level->child = level->children = 0;
}

/* The level is done: write down what it proves. */
static i32 close_level(ScanFewest *f) {
  Level *level = &f->stack[--f->depth];
  Bounds *b = bounds_of(f, level->set);
  if (level->best < level->threshold) {
    b->low = b->high = level->best;
    return level->best;
  }
  b->low = max32(max32(b->low, popcount64(level->set)), min32(level->low, level->best));
  return b->low;
}

/* A value for the set that the top level waits for. */
static void deliver(ScanFewest *f, i32 value) {
  Level *level = &f->stack[f->depth - 1];
  level->sum += value - level->bounds[level->child++];
  if (level->child == level->children || level->sum >= min32(level->best, level->threshold))
    take_total(level, level->sum);
}

/* Take up the next scan: what it leaves, the larger sets first, with a bound for each. */
static void begin_scan(ScanFewest *f, Level *level, i32 limit) {
  const Scan *scans = f->pool + level->first;
  Scan scan = scans[level->at];
  level->sum = popcount64(level->set);
  for (i32 p = 0; p < f->parts; p++) {
    if (!(scan.parts[p] & (scan.parts[p] - 1))) continue;
    i32 bound = step_bound(f, scan.parts[p], scans, level->count), i = level->children++;
    for (; i > 0 && popcount64(level->sets[i - 1]) < popcount64(scan.parts[p]); i--) {
      level->sets[i] = level->sets[i - 1];
      level->bounds[i] = level->bounds[i - 1];
    }
    level->sets[i] = scan.parts[p];
    level->bounds[i] = bound;
    level->sum += bound;
  }
  if (!level->children || level->sum >= limit) take_total(level, level->sum);
}

/* One step of the top level; negative: no room. */
static i32 advance(ScanFewest *f) {
  Level *level = &f->stack[f->depth - 1];
  const Scan *scans = f->pool + level->first;
  i32 limit = min32(level->best, level->threshold), value;
  if (level->child < level->children) {
    i32 rest = level->sum - level->bounds[level->child];
    value = open_level(f, level->sets[level->child], limit - rest, level->first, level->count);
    if (value > 0) deliver(f, value - 1);
    return value < 0 ? value : OK;
  }
  i32 enough = bounds_of(f, level->set)->low; /* a total that meets the bound cannot be beaten */
  if (level->at < level->open && level->best > enough && scans[level->at].bound >= limit)
    level->low = min32(level->low, scans[level->at].bound);
  if (level->at >= level->open || level->best <= enough || scans[level->at].bound >= limit) {
    value = close_level(f);
    if (f->depth)
      deliver(f, value);
    else
      f->answer = value;
    return OK;
  }
  begin_scan(f, level, limit);
  return OK;
}

/* ---- the caller's side ----------------------------------------------------------------- */

EXPORT(i32, scan_fewest_bytes)(void) { return (i32)sizeof(ScanFewest); }

typedef struct Listing {
  ScanFewest *fewest;
  i32 made, unreduced;
} Listing;

/* Note the scan of a place, unless the place before it has the same; negative: no room. */
static i32 list_scan(Listing *l, u64 inner, u64 outer, u64 near_other) {
  ScanFewest *f = l->fewest;
  Scan scan = {{0}, 0, 0};
  if (!scan_partition(f->plan, f->all, inner, outer, near_other, scan.parts)) return OK;
  if (l->made && !memcmp(f->pool[l->made - 1].parts, scan.parts, sizeof scan.parts)) return OK;
  if (l->made == f->pool_room / 2) return TOO_LARGE;
  f->pool[l->made++] = scan;
  if (++l->unreduced == 4096) { /* keep the list short while it grows: reducing is quadratic */
    l->made = reduce(f, f->pool, l->made);
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

/* Every distinct scan of the map, from the cells between the sides of the squares; between walls
 * from the tiles that a walk from (x, y) reaches. */
static i32 list_scans(ScanFewest *f, i32 x, i32 y) {
  Listing listing = {f, 0, 0};
  i32 status = OK;
  if (f->plan->ground) {
    i32 reached = scan_walkable(f->plan, x, y);
    for (i32 i = 0; i < reached && status == OK; i++) {
      u64 inner, outer, other;
      if (scan_answer_at_tile(f->plan, f->all, i, &inner, &outer, &other))
        status = list_scan(&listing, inner, outer, other);
    }
  } else {
    const ScanPlan *plan = f->plan;
    ScanAxis columns, rows;
    scan_cut_axis(plan, plan->columns, f->all, &columns);
    scan_cut_axis(plan, plan->rows, f->all, &rows);
    for (i32 j = 0; j < rows.count; j++)
      for (i32 i = 0; i < columns.count && status == OK; i++) {
        if (!on_map(columns.at, i, plan->x, plan->spots, plan->range)) continue;
        if (!on_map(rows.at, j, plan->y, plan->spots, plan->range)) continue;
        u64 other = plan->layers == 3 ? columns.sets[2][i] & rows.sets[2][j] : 0;
        status = list_scan(&listing, columns.sets[0][i] & rows.sets[0][j],
                           columns.sets[1][i] & rows.sets[1][j], other);
      }
  }
  return status < 0 ? status : reduce(f, f->pool, listing.made);
}

/* Spots that no scan distinguishes from another one. */
static u64 never_apart(const ScanFewest *f) {
  u64 stuck = 0;
  for (u64 rest = f->all; rest; rest &= rest - 1) {
    u64 spot = rest & -rest, together = f->all;
    for (i32 i = 0; i < f->root_count && together != spot; i++) {
      u64 with = spot; /* a triple shows the spot */
      for (i32 p = 0; p < f->parts; p++)
        if (f->pool[i].parts[p] & spot) with = f->pool[i].parts[p];
      together &= with;
    }
    if (together != spot) stuck |= spot;
  }
  return stuck;
}

EXPORT(i32, scan_fewest)(ScanFewest *fewest, const ScanPlan *plan, i32 x, i32 y, void *pool,
                         i32 pool_room, void *table, i32 bits) {
  if (bits < 8 || bits > 21 || pool_room < 16384 || scan_off_plane(x, y)) return BAD;
  if (!seal_holds(plan, SCAN_PLAN) || plan->floors.ends) return BAD;
  if (((uintptr_t)fewest | (uintptr_t)pool | (uintptr_t)table) & 15) return BAD;
  memset(fewest, 0, sizeof *fewest);
  fewest->plan = plan;
  fewest->parts = plan->layers == 3 ? SCAN_PARTS : 2;
  fewest->pool = pool;
  fewest->pool_room = pool_room;
  fewest->table = table;
  fewest->mask = (1u << bits) - 1;
  fewest->all = scan_all_spots(plan);
  memset(table, 0, sizeof(Bounds) << bits);
  i32 count = list_scans(fewest, x, y);
  if (count < 0) return count;
  fewest->root_count = count;
  fewest->low = step_bound(fewest, fewest->all, fewest->pool, count);
  fewest->proved = plan->spots <= 2;
  seal_set(&fewest->seal, SCAN_FEWEST, 0, 0);
  return popcount64(never_apart(fewest));
}

EXPORT(i32, scan_fewest_run)(ScanFewest *fewest, i32 work, i32 *bounds) {
  if (!seal_holds(fewest, SCAN_FEWEST) || !seal_holds(fewest->plan, SCAN_PLAN)) return BAD;
  fewest->work = 0;
  while (!fewest->proved && fewest->work < work) {
    i32 value;
    if (!fewest->depth) {
      value = open_level(fewest, fewest->all, fewest->low + 1, 0, fewest->root_count);
      fewest->answer = value > 0 ? value - 1 : 0;
    } else {
      value = advance(fewest);
    }
    fewest->work++;
    if (value < 0) {
      seal_break(&fewest->seal);
      return value;
    }
    if (fewest->depth) continue;
    fewest->proved = fewest->answer <= fewest->low; /* met below the threshold: exact */
    fewest->low = max32(fewest->low, fewest->answer);
  }
  bounds[0] = fewest->low;
  bounds[1] = fewest->root_count;
  return fewest->proved;
}
