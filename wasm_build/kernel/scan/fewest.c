/* The fewest scans in total, proved: depth-first branch and bound with iterative deepening on the total
 * (Korf 1985) over sets of spots; recurrence in scan.h.
 *
 *   state     a set S
 *   scans     the parent's list, projected to S, without those that another dominates (fewest_list.c)
 *   bound     one step ahead: |S| + min over scans of the parts' simple bounds; then what was proved
 *   table     proven bounds of each set (open addressing); cleared when 7/8 full
 *   deepening the cutoff of the whole set is its lower bound + 1, until a total meets the bound
 *
 * Explicit stack, so that the search can stop after any number of steps; the caller reads the proven bound
 * in between. Cost: exponential in the worst case. */
#include "fewest.h"

/* ---- bounds of sets -------------------------------------------------------------------- */

/* The table entry of a set, created if it has none. */
static Bounds *bounds_of(ScanFewest *f, u64 set) {
  u32 slot = (u32)((set * 0xd6e8feb86659fd93ull) >> 32) & f->mask;
  for (u32 tries = 0; tries < f->mask; tries++, slot = (slot + 1) & f->mask)
    if (!f->table[slot].set || f->table[slot].set == set) break;
  Bounds *b = &f->table[slot];
  if (b->set == set) return b;
  if ((u32)f->used >= f->mask - f->mask / 8) { /* bounds can be recomputed; the stack is not affected */
    memset(f->table, 0, sizeof(Bounds) * ((size_t)f->mask + 1));
    f->used = 0;
    b = &f->table[(u32)((set * 0xd6e8feb86659fd93ull) >> 32) & f->mask];
  }
  f->used++;
  *b = (Bounds){set, 0, UNBOUNDED};
  return b;
}

/* A scan per spot, 0 for a single spot; exact up to two spots. */
static i32 simple_bound(u64 set) {
  i32 n = popcount64(set);
  return n < 2 ? 0 : n;
}

static i32 known_bound(ScanFewest *f, u64 set) {
  i32 simple = simple_bound(set);
  return popcount64(set) <= 2 ? simple : max32(simple, bounds_of(f, set)->low);
}

/* The lower bound from one step ahead; `scans` must include all scans of the set, projected or not. */
static i32 step_bound(ScanFewest *f, u64 set, const Scan *scans, i32 count) {
  i32 n = popcount64(set);
  if (n <= 2) return simple_bound(set);
  Bounds *b = bounds_of(f, set);
  if (b->low) return b->low;
  i32 best = UNBOUNDED;
  for (i32 i = 0; i < count && best; i++) {
    i32 sum = 0;
    for (i32 p = 0; p < f->parts; p++) {
      u64 part = scans[i].parts[p] & set;
      sum += part == set ? UNBOUNDED : simple_bound(part);
    }
    best = min32(best, sum);
  }
  f->work += count / 8 + 1;
  b->low = n + best;
  if (!best) b->high = n; /* one scan shows every spot */
  return b->low;
}

/* ---- lists of scans -------------------------------------------------------------------- */

/* Project the scans of a superset to a set, at position `to` of the pool. Returns how many, or TOO_LARGE. */
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

/* Sort the scans of a level by bound, then by remaining information (evenest partition first). */
static void rank_scans(ScanFewest *f, Level *level) {
  Scan *scans = f->pool + level->first;
  i32 n = popcount64(level->set), open = 0;
  for (i32 i = 0; i < level->count; i++) {
    scans[i].bound = n;
    for (i32 p = 0; p < f->parts; p++) scans[i].bound += known_bound(f, scans[i].parts[p]);
  }
  scan_sort_scans(scans, level->count);
  while (open < level->count && scans[open].bound < level->threshold) open++;
  level->low = open < level->count ? scans[open].bound : UNBOUNDED;
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

/* Returns 1 + a bound of the set if that is exact or reaches the cutoff; else opens a level and returns 0.
 * Negative: the pool is too small. */
static i32 open_level(ScanFewest *f, u64 set, i32 threshold, i32 first, i32 count) {
  if (popcount64(set) <= 2) return simple_bound(set) + 1;
  i32 low = step_bound(f, set, f->pool + first, count);
  if (low >= threshold || low == bounds_of(f, set)->high) return low + 1;
  i32 made = project(f, f->pool + first, count, set, first + count);
  if (made < 0) return made;
  Level *level = &f->stack[f->depth++];
  *level = (Level){.set = set, .threshold = threshold, .first = first + count, .count = made};
  level->best = UNBOUNDED;
  rank_scans(f, level);
  return 0;
}

/* Finish the current scan with a total, or a bound that reaches the cutoff. */
static void take_total(Level *level, i32 total) {
  level->best = min32(level->best, total);
  level->low = min32(level->low, total);
  level->at++;
  level->child = level->children = 0;
}

/* Pop the level and store the bounds that it proves. Returns its lower bound, exact below the cutoff. */
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

/* Pass the value of the current child to the top level. */
static void add_child_value(ScanFewest *f, i32 value) {
  Level *level = &f->stack[f->depth - 1];
  level->sum += value - level->bounds[level->child++];
  if (level->child == level->children || level->sum >= min32(level->best, level->threshold))
    take_total(level, level->sum);
}

/* Begin the current scan: list its parts, the larger sets first, with their bounds. */
static void begin_scan(ScanFewest *f, Level *level, i32 limit) {
  const Scan *scans = f->pool + level->first;
  Scan scan = scans[level->at];
  level->sum = popcount64(level->set);
  for (i32 p = 0; p < f->parts; p++) {
    if (!(scan.parts[p] & (scan.parts[p] - 1))) continue;
    i32 bound = step_bound(f, scan.parts[p], scans, level->count);
    insert_by_size(level->sets, level->bounds, level->children++, scan.parts[p], bound);
    level->sum += bound;
  }
  if (!level->children || level->sum >= limit) take_total(level, level->sum);
}

/* Do one step of the top level; negative: the pool is too small. */
static i32 advance(ScanFewest *f) {
  Level *level = &f->stack[f->depth - 1];
  const Scan *scans = f->pool + level->first;
  i32 limit = min32(level->best, level->threshold), value;
  if (level->child < level->children) {
    i32 rest = level->sum - level->bounds[level->child];
    value = open_level(f, level->sets[level->child], limit - rest, level->first, level->count);
    if (value > 0) add_child_value(f, value - 1);
    return value < 0 ? value : OK;
  }
  /* a total that meets the bound is optimal */
  i32 more = level->at < level->open && level->best > bounds_of(f, level->set)->low;
  if (more && scans[level->at].bound < limit) {
    begin_scan(f, level, limit);
    return OK;
  }
  if (more) level->low = min32(level->low, scans[level->at].bound);
  value = close_level(f);
  if (f->depth) add_child_value(f, value);
  else f->answer = value;
  return OK;
}

/* ---- exports --------------------------------------------------------------------------- */

EXPORT(i32, scan_fewest_bytes)(void) { return (i32)sizeof(ScanFewest); }

/* The spots that no scan distinguishes from some other spot. */
static u64 find_inseparable(const ScanFewest *f) {
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
  if (bits < 8 || bits > 21 || pool_room < 16384 || slack < 0 || slack > SCAN_SLACK) return BAD;
  if (merged < 0 || merged > (SCAN_PLACES | SCAN_PULSES)) return BAD;
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
  return popcount64(find_inseparable(fewest));
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
    fewest->proved = fewest->answer <= fewest->low; /* found below the cutoff: exact */
    fewest->low = max32(fewest->low, fewest->answer);
  }
  bounds[0] = fewest->low;
  bounds[1] = fewest->root_count;
  return fewest->proved;
}
