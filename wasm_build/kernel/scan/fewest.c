/* The fewest scans in total, proved: iterative deepening on the total (Korf 1985) over sets of spots,
 * with proven bounds of each set in a table; recurrence and dominance: scan.h.
 *
 * State: a set S. Scans that another scan dominates are dropped; a child projects its parent's list.
 * Bound: from one step for every set that is met, then what the search has proved. The threshold of
 * the whole set rises from its lower bound until a plan meets it. Cost: exponential in the worst
 * case; the caller gives steps and reads the proven bound in between. */
#include "fewest.h"

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
  return scan_reduce(f, scans, made);
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
  scan_sort_scans(scans, level->count);
  while (open < level->count && scans[open].bound < level->threshold) open++;
  level->low = open < level->count ? scans[open].bound : NOTHING;
  for (i32 i = 0; i < open; i++) {
    i32 bound = n;
    double left = 0;
    for (i32 p = 0; p < f->parts; p++) {
      bound += step_bound(f, scans[i].parts[p], scans, level->count);
      left += f->plan->weight[popcount64(scans[i].parts[p])];
    }
    scans[i].bound = bound << 12 | min32((i32)(left * 8), 4095); /* left < 384 unless sets overlap */
  }
  scan_sort_scans(scans, open);
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

/* Spots that no scan distinguishes from another one. */
static u64 never_apart(const ScanFewest *f) {
  u64 stuck = 0;
  for (u64 rest = f->all; rest; rest &= rest - 1) {
    u64 spot = rest & -rest, together = f->all;
    for (i32 i = 0; i < f->root_count && together != spot; i++) {
      u64 with = spot; /* a triple shows the spot */
      for (i32 p = 0; p < f->parts; p++)
        if (f->pool[i].parts[p] & spot) with |= f->pool[i].parts[p];
      together &= with;
    }
    if (together != spot) stuck |= spot;
  }
  return stuck;
}

EXPORT(i32, scan_fewest)(ScanFewest *fewest, const ScanPlan *plan, i32 x, i32 y, i32 slack, i32 merged,
                         void *pool, i32 pool_room, void *table, i32 bits) {
  if (bits < 8 || bits > 21 || pool_room < 16384 || slack < 0 || slack > SCAN_SLACK || merged < 0 || merged > (SCAN_PLACES | SCAN_PULSES)) return BAD;
  if (!seal_holds(plan, SCAN_PLAN) || scan_off_plan(plan, x, y)) return BAD;
  if (((uintptr_t)fewest | (uintptr_t)pool | (uintptr_t)table) & 15) return BAD;
  memset(fewest, 0, sizeof *fewest);
  fewest->plan = plan;
  fewest->parts = plan->layers == 3 ? SCAN_PARTS : 2;
  fewest->slack = slack;
  fewest->merged = merged;
  fewest->pool = pool;
  fewest->pool_room = pool_room;
  fewest->table = table;
  fewest->mask = (1u << bits) - 1;
  fewest->all = scan_all_spots(plan);
  memset(table, 0, sizeof(Bounds) << bits);
  i32 count = scan_list_scans(fewest, x, y);
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
