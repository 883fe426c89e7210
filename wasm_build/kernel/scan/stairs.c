/* Shortest ways over several levels: ticks between all ends of stairs by Floyd's algorithm (1962).
 *
 * A way is a walk to an end, the table's ticks from it to another end, and a walk from there, so no
 * way needs a search. Cost: O(ends^2) a way between tiles, O(ends) to a spot; ends <= 32. */
#include "scan.h"

#define SMALL __attribute__((noinline, minsize)) /* the page loads every copy and every unrolled loop */

SMALL i32 scan_over_stairs(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  const ScanFloors *f = &plan->floors;
  i32 level = scan_level_of(y), to_level = scan_level_of(to_y), least = SCAN_NEVER;
  y = scan_y_of(y);
  to_y = scan_y_of(to_y);
  if (level == to_level) least = walk_between(x, y, to_x, to_y);
  for (i32 a = 0; a < f->ends; a++) {
    if (f->level[a] != level) continue;
    i32 first = walk_between(x, y, f->x[a], f->y[a]);
    for (i32 b = 0; b < f->ends && first < least; b++) {
      if (f->level[b] != to_level) continue;
      i32 last = walk_between(f->x[b], f->y[b], to_x, to_y);
      least = min32(least, first + f->between[a][b] + last);
    }
  }
  return least;
}

SMALL i32 scan_last_run(const ScanPlan *plan, i32 *x, i32 *y, i32 to_x, i32 to_y) {
  const ScanFloors *f = &plan->floors;
  i32 level = scan_level_of(to_y), begin_x = *x, begin_y = *y, base = 0, least = SCAN_NEVER;
  if (scan_level_of(begin_y) == level)
    least = walk_between(begin_x, scan_y_of(begin_y), to_x, scan_y_of(to_y));
  for (i32 i = 0; i < plan->teleports + f->ends; i++) {
    i32 e = i - plan->teleports;
    i32 u = e < 0 ? plan->teleport[i].x : f->x[e];
    i32 v = e < 0 ? plan->teleport[i].y : scan_on_level(f->y[e], f->level[e]);
    if (scan_level_of(v) != level) continue;
    i32 before = e < 0 ? plan->teleport[i].ticks : scan_over_stairs(plan, begin_x, begin_y, u, v);
    for (i32 t = 0; e >= 0 && t < plan->teleports; t++) {
      const ScanTeleport *by = &plan->teleport[t];
      before = min32(before, by->ticks + scan_over_stairs(plan, by->x, by->y, u, v));
    }
    i32 ticks = before + walk_between(u, scan_y_of(v), to_x, scan_y_of(to_y));
    if (ticks >= least) continue;
    least = ticks;
    base = before;
    *x = u;
    *y = v;
  }
  return base;
}

SMALL i32 scan_stairs_to_spot(const ScanPlan *plan, i32 x, i32 y, i32 spot) {
  const ScanFloors *f = &plan->floors;
  i32 level = scan_level_of(y), least = SCAN_NEVER;
  y = scan_y_of(y);
  if (level == f->spot_level[spot]) least = chebyshev(x, y, plan->x[spot], plan->y[spot]) >> 1;
  for (i32 a = 0; a < f->ends; a++)
    if (f->level[a] == level) {
      i32 first = walk_between(x, y, f->x[a], f->y[a]);
      least = min32(least, first + f->to_spot[a][spot]);
    }
  return least;
}

/* The same to all spots of a set, summed as scan_walks_to_spots does: the walks to the ends are the
 * same for all. */
i32 scan_stairs_to_all(const ScanPlan *plan, i32 x, i32 y, u64 set) {
  const ScanFloors *f = &plan->floors;
  i32 level = scan_level_of(y), sum = 0, ends = 0, end[SCAN_ENDS], first[SCAN_ENDS];
  y = scan_y_of(y);
  for (i32 e = 0; e < f->ends; e++)
    if (f->level[e] == level) {
      first[ends] = walk_between(x, y, f->x[e], f->y[e]);
      end[ends++] = e;
    }
  for (; set; set &= set - 1) {
    i32 spot = lowest64(set), least = min32(plan->by_teleport[spot], 1 << 14);
    if (level == f->spot_level[spot])
      least = min32(least, chebyshev(x, y, plan->x[spot], plan->y[spot]) >> 1);
    for (i32 e = 0; e < ends; e++) least = min32(least, first[e] + f->to_spot[end[e]][spot]);
    sum += least;
  }
  return sum;
}

/* The least ticks between all ends: walks, stairs, and any of them one after the other. */
static SMALL void measure(ScanFloors *f, const ScanStairs *stairs) {
  for (i32 a = 0; a < f->ends; a++)
    for (i32 b = 0; b < f->ends; b++) {
      i32 walk = walk_between(f->x[a], f->y[a], f->x[b], f->y[b]);
      f->between[a][b] = f->level[a] == f->level[b] ? walk : SCAN_NEVER;
      if (a >> 1 == b >> 1 && a != b)
        f->between[a][b] = min32(f->between[a][b], stairs[a >> 1].ticks);
    }
  for (i32 by = 0; by < f->ends; by++)
    for (i32 a = 0; a < f->ends; a++)
      for (i32 b = 0; b < f->ends; b++)
        f->between[a][b] = min32(f->between[a][b], f->between[a][by] + f->between[by][b]);
}

static SMALL void measure_spots(ScanPlan *plan) {
  ScanFloors *f = &plan->floors;
  for (i32 a = 0; a < f->ends; a++)
    for (i32 s = 0; s < plan->spots; s++) {
      i32 least = SCAN_NEVER;
      for (i32 b = 0; b < f->ends; b++) {
        if (f->level[b] != f->spot_level[s]) continue;
        i32 last = chebyshev(f->x[b], f->y[b], plan->x[s], plan->y[s]) >> 1;
        least = min32(least, f->between[a][b] + last);
      }
      f->to_spot[a][s] = least;
    }
}

static i32 is_level(i32 level) { return level >= 0 && level < SCAN_LEVELS; }

__attribute__((minsize)) EXPORT(i32, scan_stairs)(ScanPlan *plan, const ScanStairs *stairs, i32 count, const i32 *levels) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->ground || plan->teleports) return BAD;
  if (count < 1 || count > SCAN_STAIRS) return BAD;
  for (i32 i = 0; i < count; i++) {
    const ScanStairs *s = &stairs[i];
    if (scan_off_plane(s->x, s->y) || scan_off_plane(s->to_x, s->to_y)) return BAD;
    if (!is_level(s->level) || !is_level(s->to_level)) return BAD;
    if (s->ticks < 0 || s->ticks > SCAN_STAIRS_TICKS) return BAD;
  }
  for (i32 s = 0; s < plan->spots; s++)
    if (!is_level(levels[s])) return BAD;
  ScanFloors *f = &plan->floors;
  memset(f, 0, sizeof *f);
  for (i32 i = 0; i < count; i++) {
    const ScanStairs *s = &stairs[i];
    f->x[2 * i] = s->x;
    f->y[2 * i] = s->y;
    f->level[2 * i] = s->level;
    f->x[2 * i + 1] = s->to_x;
    f->y[2 * i + 1] = s->to_y;
    f->level[2 * i + 1] = s->to_level;
    f->ticks[i] = s->ticks;
  }
  f->ends = 2 * count;
  for (i32 s = 0; s < plan->spots; s++) {
    f->spot_level[s] = levels[s];
    for (i32 level = 0; level < SCAN_LEVELS; level++)
      f->elsewhere[level] |= (u64)(levels[s] != level) << s;
  }
  plan->elsewhere = 0; /* what is elsewhere depends on where one is */
  measure(f, stairs);
  measure_spots(plan);
  return OK;
}
