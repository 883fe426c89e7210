/* A plan: its spots, and the ticks of shortest paths to them and between tiles, with stairs and teleports.
 *
 * On the open plane a path is a straight walk; on terrain see terrain.c. Over stairs: all-pairs shortest
 * paths between the ends by the Floyd-Warshall algorithm (Floyd 1962); a path is a walk to an end, the
 * table's ticks to another end, and a walk from there, so no path needs a search. A path uses at most one
 * teleport, at its start. Cost: O(ends^2) a path between tiles, O(ends) to a spot; ends <= 32. */
#include "successors.h"

#define SMALL __attribute__((noinline, minsize)) /* rarely called: favour the size of the download */

/* ---- setting up ------------------------------------------------------------------------ */

void scan_weights(double *weights, i32 count) {
  const double grid = 1 << 30;
  weights[0] = 0;
  if (count > 0) weights[1] = 0;
  for (i32 n = 2; n <= count; n++) { /* logarithms first */
    i32 p = 2;
    while (n % p) p++;
    weights[n] = p < n ? weights[p] + weights[n / p] : (double)(i64)(kernel_log2(n) * grid + 0.5) / grid;
  }
  for (i32 n = 2; n <= count; n++) weights[n] *= n;
}

/* Remove all teleports. */
static void clear_teleports(ScanPlan *plan) {
  plan->teleports = 0;
  for (i32 i = 0; i < SCAN_ROUTE_SPOTS; i++) {
    plan->teleport_ticks[i] = SCAN_NEVER;
    plan->distance_cap[i] = 32767;
  }
}

EXPORT(i32, scan_plan_bytes)(void) { return (i32)sizeof(ScanPlan); }

/* Insert a side into a sorted list. */
static void add_side(ScanSide *sides, i32 count, i32 at, i32 spot, i32 layer) {
  i32 i = count;
  for (; i > 0 && sides[i - 1].at > at; i--) sides[i] = sides[i - 1];
  sides[i] = (ScanSide){(i16)at, (u8)spot, (u8)layer};
}

EXPORT(i32, scan_plan)(ScanPlan *plan, const i32 *centres, i32 spots, i32 range, i32 layers,
                       const u64 *elsewhere, i32 on_the_way, i32 stop) {
  if (spots < 1 || spots > SCAN_ROUTE_SPOTS || range < 0 || range > SCAN_RANGE) return BAD;
  if ((layers != 2 && layers != 3) || stop < 0 || stop > SCAN_STOP) return BAD;
  for (i32 i = 0; i < 3 * spots; i++)
    if (scan_off_plane(centres[i], 0)) return BAD;
  if ((layers == 3 && !elsewhere) || ((uintptr_t)plan & 15)) return BAD;
  memset(plan, 0, sizeof *plan);
  plan->spots = spots;
  plan->range = range;
  plan->layers = layers;
  plan->on_the_way = on_the_way;
  plan->stop = stop;
  plan->elsewhere = layers == 3 ? *elsewhere : 0;
  scan_weights(plan->weight, SCAN_ROUTE_SPOTS);
  for (i32 i = 0; i < spots; i++) {
    plan->x[i] = (i16)centres[3 * i];
    plan->y[i] = (i16)centres[3 * i + 1];
    plan->other_y[i] = (i16)centres[3 * i + 2];
    for (i32 layer = 0; layer < layers; layer++) {
      i32 half = half_of(plan, layer), y = layer == 2 ? plan->other_y[i] : plan->y[i];
      add_side(plan->columns, plan->sides, plan->x[i] - half, i, layer);
      add_side(plan->rows, plan->sides++, y - half, i, layer);
      add_side(plan->columns, plan->sides, plan->x[i] + half + 1, i, layer);
      add_side(plan->rows, plan->sides++, y + half + 1, i, layer);
    }
  }
  clear_teleports(plan);
  seal_set(&plan->seal, SCAN_PLAN, spots, 0);
  return OK;
}

EXPORT(i32, scan_on_the_way)(ScanPlan *plan, i32 on) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  plan->on_the_way = on;
  return OK;
}

/* ---- over stairs ----------------------------------------------------------------------- */

/* Shortest paths between all ends of stairs, by walks and stairs. */
static SMALL void connect_ends(ScanFloors *f, const ScanStairs *stairs) {
  for (i32 a = 0; a < f->ends; a++)
    for (i32 b = 0; b < f->ends; b++) {
      i32 walk = walk_between(f->x[a], f->y[a], f->x[b], f->y[b]);
      f->between[a][b] = f->level[a] == f->level[b] ? walk : SCAN_NEVER;
      if (a >> 1 == b >> 1 && a != b) f->between[a][b] = min32(f->between[a][b], stairs[a >> 1].ticks);
    }
  for (i32 by = 0; by < f->ends; by++)
    for (i32 a = 0; a < f->ends; a++)
      for (i32 b = 0; b < f->ends; b++)
        f->between[a][b] = min32(f->between[a][b], f->between[a][by] + f->between[by][b]);
}

/* Shortest paths from all ends to within a tile of each spot. */
static SMALL void connect_spots(ScanPlan *plan) {
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

__attribute__((minsize)) EXPORT(i32, scan_stairs)(ScanPlan *plan, const ScanStairs *stairs, i32 count,
                                                  const i32 *levels) {
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
    for (i32 level = 0; level < SCAN_LEVELS; level++) f->elsewhere[level] |= (u64)(levels[s] != level) << s;
  }
  plan->elsewhere = 0; /* depends on the scanner's level: floors.elsewhere */
  connect_ends(f, stairs);
  connect_spots(plan);
  return OK;
}

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

static SMALL i32 stairs_to_spot(const ScanPlan *plan, i32 x, i32 y, i32 spot) {
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

/* Sum the ticks to the spots of a set as scan_walks_to_spots does; the walks to the ends are computed
 * once. */
static i32 stairs_to_all(const ScanPlan *plan, i32 x, i32 y, u64 set) {
  const ScanFloors *f = &plan->floors;
  i32 level = scan_level_of(y), sum = 0, ends = 0, end[SCAN_ENDS], first[SCAN_ENDS];
  y = scan_y_of(y);
  for (i32 e = 0; e < f->ends; e++)
    if (f->level[e] == level) {
      first[ends] = walk_between(x, y, f->x[e], f->y[e]);
      end[ends++] = e;
    }
  for (; set; set &= set - 1) {
    i32 spot = lowest64(set), least = min32(plan->teleport_ticks[spot], 1 << 14);
    if (level == f->spot_level[spot])
      least = min32(least, chebyshev(x, y, plan->x[spot], plan->y[spot]) >> 1);
    for (i32 e = 0; e < ends; e++) least = min32(least, first[e] + f->to_spot[end[e]][spot]);
    sum += least;
  }
  return sum;
}

/* ---- ticks to the spots ---------------------------------------------------------------- */

static inline i32 walk_to_spot(const ScanPlan *plan, i32 x, i32 y, i32 spot) {
  if (!plan->ground && UNLIKELY(plan->floors.ends)) return stairs_to_spot(plan, x, y, spot);
  if (!plan->ground) return chebyshev(x, y, plan->x[spot], plan->y[spot]) >> 1;
  i32 tile = window_tile(plan->ground, x, y);
  i32 tiles = tile < 0 ? OUT_OF_REACH : steps_from(plan, tile)[spot];
  return tiles == OUT_OF_REACH ? SCAN_NEVER : (tiles + 1) >> 1;
}

static inline i32 ticks_to_spot(const ScanPlan *plan, i32 x, i32 y, i32 spot) {
  return min32(walk_to_spot(plan, x, y, spot), plan->teleport_ticks[spot]);
}

i32 scan_walks_to_spots(const ScanPlan *plan, i32 x, i32 y, u64 set) {
  i32 sum = 0;
  if (!plan->ground && UNLIKELY(plan->floors.ends)) return stairs_to_all(plan, x, y, set);
  i32 tile = plan->ground ? window_tile(plan->ground, x, y) : -1;
  if (tile >= 0) { /* one look-up of the tile for all spots */
    const u16 *steps = steps_from(plan, tile);
    for (; set; set &= set - 1) {
      i32 s = lowest64(set), walk = steps[s] == OUT_OF_REACH ? 1 << 14 : (steps[s] + 1) >> 1;
      sum += min32(min32(walk, plan->teleport_ticks[s]), 1 << 14);
    }
    return sum;
  }
  for (; set; set &= set - 1) sum += min32(ticks_to_spot(plan, x, y, lowest64(set)), 1 << 14);
  return sum;
}

EXPORT(i32, scan_ticks)(ScanPlan *plan, i32 x, i32 y, i32 *out) {
  if (!seal_holds(plan, SCAN_PLAN) || scan_off_plan(plan, x, y)) return BAD;
  for (i32 i = 0; i < plan->spots; i++) out[i] = ticks_to_spot(plan, x, y, i);
  return OK;
}

EXPORT(i32, scan_reach)(ScanPlan *plan, i32 x, i32 y, u64 *out) {
  if (!seal_holds(plan, SCAN_PLAN) || scan_off_plan(plan, x, y)) return BAD;
  if (!plan->ground || window_tile(plan->ground, x, y) < 0) return BAD;
  *out = 0;
  for (i32 i = 0; i < plan->spots; i++)
    if (ticks_to_spot(plan, x, y, i) < SCAN_NEVER) *out |= 1ull << i;
  return OK;
}

/* ---- paths between tiles --------------------------------------------------------------- */

/* Ticks of the shortest path between two tiles without teleports. */
static i32 walk_ticks(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  if (plan->ground) return scan_walk_on_ground(plan, x, y, to_x, to_y);
  if (UNLIKELY(plan->floors.ends)) return scan_over_stairs(plan, x, y, to_x, to_y);
  return walk_between(x, y, to_x, to_y);
}

i32 scan_quickest(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y, i32 *by) {
  i32 least = walk_ticks(plan, x, y, to_x, to_y);
  *by = 0;
  for (i32 i = 0; i < plan->teleports && least >= 0; i++) {
    const ScanTeleport *t = &plan->teleport[i];
    if (t->ticks >= least) continue;
    i32 ticks = t->ticks + walk_ticks(plan, t->x, t->y, to_x, to_y);
    if (ticks >= least) continue;
    least = ticks;
    *by = i + 1;
  }
  return least;
}

EXPORT(i32, scan_walk)(ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  if (scan_off_plan(plan, x, y) || scan_off_plan(plan, to_x, to_y)) return BAD;
  i32 by;
  return scan_quickest(plan, x, y, to_x, to_y, &by);
}

/* ---- teleports ------------------------------------------------------------------------- */

i32 scan_by_teleport(const ScanPlan *plan, i32 x, i32 y) {
  i32 least = SCAN_NEVER;
  for (i32 i = 0; i < plan->teleports; i++) {
    const ScanTeleport *t = &plan->teleport[i];
    i32 walk = plan->floors.ends ? scan_over_stairs(plan, t->x, t->y, x, y) : walk_between(t->x, t->y, x, y);
    least = min32(least, t->ticks + walk);
  }
  return least;
}

/* Whether a teleport is valid and lands on a tile of the plan. */
static i32 is_teleport(const ScanPlan *plan, const ScanTeleport *t) {
  if (t->ticks < 0 || t->ticks > SCAN_TELEPORT_TICKS || scan_off_plan(plan, t->x, t->y)) return 0;
  const ScanGround *g = plan->ground;
  return !g || (window_tile(g, t->x, t->y) >= 0 && !is_blocked(g, t->x, t->y));
}

EXPORT(i32, scan_teleports)(ScanPlan *plan, const ScanTeleport *places, i32 count) {
  if (!seal_holds(plan, SCAN_PLAN) || count < 0 || count > SCAN_TELEPORTS) return BAD;
  for (i32 i = 0; i < count; i++)
    if (!is_teleport(plan, &places[i])) return BAD;
  clear_teleports(plan);
  if (plan->ground) scan_drop_searches(plan->ground);
  for (i32 n = 0; n < count; n++) {
    const ScanTeleport *t = &places[n];
    plan->teleport[n] = *t;
    i32 i = n;
    for (; i > 0 && plan->by_ticks[i - 1].ticks > t->ticks; i--) plan->by_ticks[i] = plan->by_ticks[i - 1];
    plan->by_ticks[i] = *t;
    for (i32 s = 0; s < plan->spots; s++) {
      i32 ticks = min32(plan->teleport_ticks[s], t->ticks + walk_to_spot(plan, t->x, t->y, s));
      plan->teleport_ticks[s] = min32(ticks, SCAN_NEVER);
      plan->distance_cap[s] = (i16)(ticks < 16383 ? 2 * ticks + 1 : 32767);
    }
  }
  plan->teleports = count;
  return OK;
}

EXPORT(i32, scan_way)(ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  if (scan_off_plan(plan, x, y) || scan_off_plan(plan, to_x, to_y)) return BAD;
  i32 by, ticks = scan_quickest(plan, x, y, to_x, to_y, &by);
  return ticks < 0 ? BAD : by;
}

EXPORT(i32, scan_dig)(ScanPlan *plan, i32 x, i32 y, i32 spot) {
  if (!seal_holds(plan, SCAN_PLAN) || scan_off_plan(plan, x, y)) return BAD;
  if (spot < 0 || spot >= plan->spots) return BAD;
  if (walk_to_spot(plan, x, y, spot) <= plan->teleport_ticks[spot]) return 0;
  i32 by = 0;
  for (i32 i = 1; i < plan->teleports; i++) {
    const ScanTeleport *t = &plan->teleport[i], *best = &plan->teleport[by];
    i32 ticks = t->ticks + walk_to_spot(plan, t->x, t->y, spot);
    if (ticks < best->ticks + walk_to_spot(plan, best->x, best->y, spot)) by = i;
  }
  return by + 1;
}

/* ---- the compressed grid of a set ------------------------------------------------------ */

void scan_cut_axis(const ScanPlan *plan, const ScanSide *sides, u64 set, ScanAxis *axis) {
  i32 last = -1, layers = plan->layers;
  u64 now[3] = {0, 0, 0};
  for (i32 i = 0; i < plan->sides; i++) {
    ScanSide side = sides[i];
    if (!(set >> side.spot & 1)) continue;
    if (last < 0 || axis->at[last] != side.at) {
      if (last >= 0)
        for (i32 l = 0; l < layers; l++) axis->sets[l][last] = now[l];
      axis->at[++last] = side.at;
    }
    now[side.layer] ^= 1ull << side.spot;
  }
  axis->count = last; /* the last side closes the last interval */
}
