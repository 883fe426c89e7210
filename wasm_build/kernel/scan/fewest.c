/* The fewest scans that are enough on average, proved; scan.h has the method. */
#include "scan.h"

enum { DEPTH = SCAN_ROUTE_SPOTS + 1, NOTHING = 1 << 20 };

/* A scan, by what its answers leave of the set at hand; `bound` also serves as a sort key. */
typedef struct Scan {
  u64 one, two;
  i32 bound, unused;
} Scan;

/* Proven bounds of a set; set 0 = free, low 0 = not looked at yet. */
typedef struct Bounds {
  u64 set;
  i32 low, high;
} Bounds;

typedef struct Level {
  u64 set, larger, smaller;
  i32 threshold;     /* values from here on are of no interest */
  i32 first, count;  /* its scans in the pool */
  i32 open;          /* the first so many may be below the threshold */
  i32 at, stage;     /* the scan being tried; 0 fresh, 1 larger set open, 2 smaller set open */
  i32 best, low;     /* the least total so far, the least proven bound so far */
  i32 small_bound;   /* of the smaller set, counted in while the larger is open */
  i32 partial;       /* set size + the larger set's total */
} Level;

struct ScanFewest {
  const ScanPlan *plan;
  Scan *pool;
  Bounds *table;
  i32 pool_room, used, depth, low, proved, threshold_set;
  u32 mask;
  i64 work;
  u64 all;
  i32 root_count, answer;
  Level stack[DEPTH + 1];
};

_Static_assert(sizeof(Scan) == 24 && sizeof(Bounds) == 16, "the caller makes room by these");

/* ---- bounds of sets -------------------------------------------------------------------- */

static Bounds *bounds_of(ScanFewest *f, u64 set) {
  u32 slot = (u32)((set * 0xd6e8feb86659fd93ull) >> 32) & f->mask;
  while (f->table[slot].set && f->table[slot].set != set) slot = (slot + 1) & f->mask;
  Bounds *b = &f->table[slot];
  if (b->set) return b;
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
    u64 one = scans[i].one & set, two = scans[i].two & set;
    if (one == set || two == set) continue;
    best = min32(best, simple_bound(one) + simple_bound(two));
  }
  f->work += count / 8 + 1;
  b->low = n + best;
  if (!best) b->high = n; /* one scan shows every spot */
  return b->low;
}

/* ---- lists of scans -------------------------------------------------------------------- */

static inline i32 within(u64 a, u64 b) { return !(a & ~b); }

static inline i32 dominates(const Scan *a, const Scan *b) {
  return (within(a->one, b->one) && within(a->two, b->two)) ||
         (within(a->one, b->two) && within(a->two, b->one));
}

/* Shell sort by bound, then by the order they came in (the gaps make it unstable, so the second
 * key is explicit in `unused`). */
static void sort_scans(Scan *scans, i32 count) {
  static const i32 GAPS[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (i32 i = 0; i < count; i++) scans[i].unused = i;
  for (u32 g = 0; g < sizeof GAPS / sizeof *GAPS; g++)
    for (i32 i = GAPS[g]; i < count; i++) {
      Scan scan = scans[i];
      i32 j = i;
      for (; j >= GAPS[g]; j -= GAPS[g]) {
        const Scan *other = &scans[j - GAPS[g]];
        if (other->bound < scan.bound) break;
        if (other->bound == scan.bound && other->unused < scan.unused) break;
        scans[j] = *other;
      }
      scans[j] = scan;
    }
}

/* Keep the scans that no other dominates; of equal ones the first. A scan can only be dominated
 * by one that leaves no more spots, so one pass in that order is enough. */
static i32 reduce(ScanFewest *f, Scan *scans, i32 count) {
  for (i32 i = 0; i < count; i++) scans[i].bound = popcount64(scans[i].one | scans[i].two);
  sort_scans(scans, count);
  i32 kept = 0;
  for (i32 i = 0; i < count; i++) {
    i32 j = 0;
    while (j < kept && !dominates(&scans[j], &scans[i])) j++;
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
    u64 one = from[i].one & set, two = from[i].two & set;
    if (one == set || two == set) continue;
    scans[made++] = (Scan){one, two, 0, 0};
  }
  return reduce(f, scans, made);
}

/* ---- the stack ------------------------------------------------------------------------- */

/* The order to try scans in: proven bound, then how evenly they cut. */
static void rank_scans(ScanFewest *f, Level *level) {
  Scan *scans = f->pool + level->first;
  i32 n = popcount64(level->set), open = 0;
  for (i32 i = 0; i < level->count; i++)
    scans[i].bound = n + known_bound(f, scans[i].one) + known_bound(f, scans[i].two);
  sort_scans(scans, level->count);
  while (open < level->count && scans[open].bound < level->threshold) open++;
  level->low = open < level->count ? scans[open].bound : NOTHING;
  for (i32 i = 0; i < open; i++) {
    const double *w = f->plan->weight;
    i32 bound = n + step_bound(f, scans[i].one, scans, level->count) +
                step_bound(f, scans[i].two, scans, level->count);
    double left = w[popcount64(scans[i].one)] + w[popcount64(scans[i].two)];
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
  level->stage = 0;
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
  i32 limit = min32(level->best, level->threshold);
  if (level->stage == 1) {
    i32 total = popcount64(level->set) + level->small_bound + value;
    if (total >= limit) {
      take_total(level, total);
      return;
    }
    level->partial = total - level->small_bound;
    level->stage = 2;
  } else {
    take_total(level, level->partial + value);
  }
}

/* One step of the top level; negative: no room. */
static i32 advance(ScanFewest *f) {
  Level *level = &f->stack[f->depth - 1];
  const Scan *scans = f->pool + level->first;
  i32 n = popcount64(level->set), limit = min32(level->best, level->threshold), value;
  if (level->stage == 2) {
    value = open_level(f, level->smaller, limit - level->partial, level->first, level->count);
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
  Scan scan = scans[level->at];
  i32 one_larger = popcount64(scan.one) >= popcount64(scan.two);
  level->larger = one_larger ? scan.one : scan.two;
  level->smaller = one_larger ? scan.two : scan.one;
  level->small_bound = step_bound(f, level->smaller, scans, level->count);
  i32 total = n + level->small_bound + step_bound(f, level->larger, scans, level->count);
  if (total >= limit) {
    take_total(level, total);
    return OK;
  }
  level->stage = 1;
  value = open_level(f, level->larger, limit - n - level->small_bound, level->first,
                     level->count);
  if (value > 0) deliver(f, value - 1);
  return value < 0 ? value : OK;
}

/* ---- the caller's side ----------------------------------------------------------------- */

EXPORT(i32, scan_fewest_bytes)(void) { return (i32)sizeof(ScanFewest); }

/* Every distinct scan of the map, from the cells between the sides of the squares. */
static i32 list_scans(ScanFewest *f) {
  const ScanPlan *plan = f->plan;
  i32 made = 0, unreduced = 0;
  for (i32 i = 0; i < plan->sides; i++) {
    if (plan->rows[i].layer == 2 || (i && plan->rows[i].at == plan->rows[i - 1].at)) continue;
    for (i32 j = 0; j < plan->sides; j++) {
      if (plan->columns[j].layer == 2) continue;
      if (j && plan->columns[j].at == plan->columns[j - 1].at) continue;
      u64 inner = 0, outer = 0;
      i32 x = plan->columns[j].at, y = plan->rows[i].at;
      for (i32 s = 0; s < plan->spots; s++) {
        i32 dx = x - plan->x[s], dy = y - plan->y[s];
        i32 d = max32(max32(dx, -dx), max32(dy, -dy));
        if (d <= plan->range) inner |= 1ull << s;
        if (d <= 2 * plan->range) outer |= 1ull << s;
      }
      u64 one = f->all & ~outer, two = outer & ~inner;
      if (one == f->all || two == f->all) continue;
      const Scan *last = made ? &f->pool[made - 1] : 0;
      if (last && last->one == one && last->two == two) continue;
      if (made == f->pool_room / 2) return TOO_LARGE;
      f->pool[made++] = (Scan){one, two, 0, 0};
      if (++unreduced == 4096) { /* keep the list short while it grows: reducing is quadratic */
        made = reduce(f, f->pool, made);
        unreduced = 0;
      }
    }
  }
  return reduce(f, f->pool, made);
}

EXPORT(i32, scan_fewest)(ScanFewest *fewest, const ScanPlan *plan, void *pool, i32 pool_room,
                         void *table, i32 bits) {
  if (bits < 8 || bits > 21 || pool_room < 16384) return BAD;
  memset(fewest, 0, sizeof *fewest);
  fewest->plan = plan;
  fewest->pool = pool;
  fewest->pool_room = pool_room;
  fewest->table = table;
  fewest->mask = (1u << bits) - 1;
  fewest->all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  memset(table, 0, sizeof(Bounds) << bits);
  i32 count = list_scans(fewest);
  if (count < 0) return count;
  fewest->root_count = count;
  fewest->low = step_bound(fewest, fewest->all, fewest->pool, count);
  fewest->proved = plan->spots <= 2;
  return OK;
}

EXPORT(i32, scan_fewest_run)(ScanFewest *fewest, i32 work, i32 *bounds) {
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
    if (value < 0) return value;
    if (fewest->depth) continue;
    fewest->proved = fewest->answer <= fewest->low; /* met below the threshold: exact */
    fewest->low = max32(fewest->low, fewest->answer);
  }
  bounds[0] = fewest->low;
  bounds[1] = fewest->root_count;
  return fewest->proved;
}
