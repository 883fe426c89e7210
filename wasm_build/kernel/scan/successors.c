/* Successor generation for scan routes: the best-ranked scans of a state (S, tile).
 *
 * The sides of the 2 or 3 squares around each spot cut the plane into a compressed grid (at most
 * 6|S| lines an axis). All tiles of a cell give the same partition of S, so one scan a cell is ranked:
 * its nearest tile, and for SEARCH also the equally near tile that is best for the spots left. SEARCH
 * ranks its short list again by the heuristic cost-to-go (heuristic.c); scores: scan.h.
 * Pruning: rows and columns are visited by distance until a lower bound (walk, stop, and the median
 * bound: no tile is nearer to all spots than the median on each axis) reaches the worst listed score.
 * Listed: the best tile of each distinct partition.
 * Stairs on open floors: one pass a level from each entrance. Teleports: one pass from each landing tile.
 * Terrain: terrain_successors.c. Cost: O(cells |S| / 8).
 *
 *   ScanAxis.at | a0 | a1 | ... | an |      interval i = [a(i), a(i+1) - 1]
 *   sets[layer][i] = spots whose square covers interval i; squares of a cell = column set & row set
 *
 * One file: searches spend nearly all their time in scan_generate, into which the rest is inlined. */
#include "successors.h"

#define INNERMOST __attribute__((always_inline)) /* called for every cell of a state's map */

/* ---- the spots of a state, gathered ---------------------------------------------------- */

static i32 median(const i16 *values, i32 count) {
  i16 sorted[SCAN_ROUTE_SPOTS];
  for (i32 n = 0; n < count; n++) {
    i32 i = n;
    for (; i > 0 && sorted[i - 1] > values[n]; i--) sorted[i] = sorted[i - 1];
    sorted[i] = values[n];
  }
  return sorted[count / 2];
}

/* Lower bound of the ticks to all spots from their distances on one axis; each spot's ticks round down by
 * up to a half. */
static i32 least_ticks(const i16 *values, i32 count, i32 v) {
  v128_t here = wasm_i16x8_splat((i16)v), sums = wasm_i32x4_splat(0);
  i32 i = 0;
  for (; i + 8 <= count; i += 8) {
    v128_t away = wasm_i16x8_abs(wasm_i16x8_sub(wasm_v128_load(values + i), here));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(away));
  }
  i32 total = sum_lanes(sums);
  for (; i < count; i++) total += abs32(values[i] - v);
  return max32(0, (total - count + 1) / 2);
}

/* The same with teleports or stairs, from the nearest tile of an interval; distances are capped. */
static i32 least_capped_ticks(const SpotState *state, const i16 *values, i32 low, i32 high) {
  v128_t lows = wasm_i16x8_splat((i16)low), highs = wasm_i16x8_splat((i16)high);
  v128_t sums = wasm_i32x4_splat(0), zero = wasm_i16x8_splat(0);
  i32 i = 0, count = state->count;
  for (; i + 8 <= count; i += 8) {
    v128_t v = wasm_v128_load(values + i);
    v128_t away = wasm_i16x8_max(wasm_i16x8_sub(lows, v), wasm_i16x8_sub(v, highs));
    away = wasm_u16x8_min(wasm_i16x8_max(away, zero), wasm_v128_load(state->distance_cap + i));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(away));
  }
  i32 total = sum_lanes(sums);
  for (; i < count; i++)
    total += min32(max32(max32(low - values[i], values[i] - high), 0), state->distance_cap[i]);
  return max32(0, (total - count + 1) / 2);
}

/* Gather the spots of a set into arrays, with medians and bounds. */
static void load_spots(SpotState *state, const ScanPlan *plan, u64 set, i32 x, i32 y) {
  state->plan = plan;
  state->set = set;
  state->x = x;
  state->y = y;
  state->base = state->count = state->level = 0;
  state->elsewhere = 0;
  state->sum_x = state->sum_y = 0;
  memset(state->distance_cap, 0,
         sizeof state->distance_cap); /* entries beyond the last spot add 0 in walk_to_all */
  for (u64 rest = set; rest; rest &= rest - 1) {
    i32 spot = lowest64(rest);
    state->distance_cap[state->count] = plan->distance_cap[spot];
    state->sum_x += plan->x[spot];
    state->sum_y += plan->y[spot];
    state->xs[state->count] = plan->x[spot];
    state->ys[state->count++] = plan->y[spot];
  }
  i32 n = state->count; /* the sum of distances on an axis is least at the median */
  state->mid_x = median(state->xs, n);
  state->mid_y = median(state->ys, n);
  state->least_walk = max32(least_ticks(state->xs, n, state->mid_x), least_ticks(state->ys, n, state->mid_y));
  if (plan->teleports || plan->floors.ends) state->least_walk = 0; /* the median bound does not hold */
}

/* Sum the ticks from a tile to all spots of the state, eight spots at a time. */
static i32 walk_to_all(const SpotState *state, i32 x, i32 y) {
  if (state->plan->floors.ends)
    return scan_walks_to_spots(state->plan, x, scan_on_level(y, state->level), state->set);
  v128_t here_x = wasm_i16x8_splat((i16)x), here_y = wasm_i16x8_splat((i16)y);
  v128_t sums = wasm_i32x4_splat(0);
  for (i32 i = 0; i < state->count; i += 8) {
    v128_t dx = wasm_i16x8_abs(wasm_i16x8_sub(wasm_v128_load(state->xs + i), here_x));
    v128_t dy = wasm_i16x8_abs(wasm_i16x8_sub(wasm_v128_load(state->ys + i), here_y));
    v128_t away = wasm_u16x8_min(wasm_u16x8_max(dx, dy), wasm_v128_load(state->distance_cap + i));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_shr(away, 1)));
  }
  return sum_lanes(sums);
}

/* ---- order of the intervals ------------------------------------------------------------ */

static inline i32 distance_to(const ScanAxis *axis, i32 i, i32 v) {
  i32 low = axis->at[i], high = axis->at[i + 1] - 1;
  return v < low ? low - v : v > high ? v - high : 0;
}

/* List the intervals in ascending order, so that ties go to the lowest y and then the lowest x. */
static void list_in_order(ScanAxis *axis, i32 v) {
  for (i32 i = 0; i < axis->count; i++) {
    axis->order[i] = (i16)i;
    axis->away[i] = (i16)distance_to(axis, i, v);
  }
}

/* List the intervals by distance from v: merge those on its left and right. */
static void list_by_distance(ScanAxis *axis, i32 v) {
  i32 right = 0;
  while (right < axis->count && axis->at[right + 1] <= v) right++;
  i32 left = right - 1, made = 0;
  while (left >= 0 || right < axis->count) {
    i32 to_left = left >= 0 ? distance_to(axis, left, v) : SCAN_NEVER;
    i32 to_right = right < axis->count ? distance_to(axis, right, v) : SCAN_NEVER;
    i32 i = to_right <= to_left ? right++ : left--;
    axis->away[made] = (i16)min32(to_left, to_right);
    axis->order[made++] = (i16)i;
  }
}

/* ---- ranking --------------------------------------------------------------------------- */

double scan_left_weight(i32 policy, i32 stop) {
  return (policy == SCAN_RANK_LOOKAHEAD ? 4.0 : 3.0) + 1.3 * (stop - 1);
}

static Ranking make_ranking(const ScanPlan *plan, i32 policy) {
  return (Ranking){policy, scan_left_weight(policy, plan->stop), policy >= SCAN_RANK_LOOKAHEAD,
                   policy == SCAN_RANK_SEARCH};
}

/* Set (x, y) to the tile of a cell, within the same ticks, that is closest to the centre of the remaining
 * spots. Returns whether it is another tile. */
static i32 second_tile(const SpotState *state, const i32 *cell, i32 ticks, const u64 *parts, i32 *x, i32 *y) {
  i32 sum_x = state->sum_x, sum_y = state->sum_y, n = state->count, reach = 2 * ticks;
  for (u64 shown = shown_spots(state->set, parts); shown; shown &= shown - 1, n--) {
    sum_x -= state->plan->x[lowest64(shown)];
    sum_y -= state->plan->y[lowest64(shown)];
  }
  if (!n) return 0;
  i32 u = clamp32(sum_x / n, max32(cell[0], state->x - reach), min32(cell[1], state->x + reach));
  i32 v = clamp32(sum_y / n, max32(cell[2], state->y - reach), min32(cell[3], state->y + reach));
  i32 moved = u != *x || v != *y;
  *x = u;
  *y = v;
  return moved;
}

/* Score the nearest tile of a cell, and the second if the ranking uses one, and insert the better.
 * `least_walk`: lower bound of the ticks from the cell to all spots. */
static inline INNERMOST void offer_cell(const Ranking *r, const SpotState *state, const i32 *cell, i32 ticks,
                                        i32 least_walk, i32 here_to_all, const u64 *parts, Best *best) {
  i32 n = state->count, x = clamp32(state->x, cell[0], cell[1]);
  i32 y = clamp32(state->y, cell[2], cell[3]), level = state->level;
  double left = weight_of(state->plan, parts);
  if (!r->by_walk) {
    insert_action(best, score_by_bits(r, state, left, state->base + ticks), x, scan_on_level(y, level),
                  parts);
    return;
  }
  double fixed = n * (state->base + state->plan->stop) + r->left_weight * left;
  if (max32(here_to_all, least_walk + n * ticks) + fixed >= best->worst) return;
  double score = n * ticks + walk_to_all(state, x, y) + fixed;
  i32 across = max32(x - cell[0], cell[1] - x), down = max32(y - cell[2], cell[3] - y);
  double anywhere = score - n * ((max32(across, down) + 1) >> 1); /* lower bound in the cell */
  i32 u = x, v = y;
  if (r->second_tile && anywhere < best->worst && second_tile(state, cell, ticks, parts, &u, &v)) {
    double second = n * ticks + walk_to_all(state, u, v) + fixed;
    if (second < score) {
      insert_action(best, second, u, scan_on_level(v, level), parts);
      return;
    }
  }
  insert_action(best, score, x, scan_on_level(y, level), parts);
}

/* Lower bounds for the scans of each interval of an axis, in the order of `order`: the ticks to all spots,
 * and the weighted bits that remain. A triple shows only spots whose inner square covers the interval; the
 * others keep the fewest bits if the other answers are equally likely. */
typedef struct AxisBounds { i32 walk[SCAN_BREAKS], left[SCAN_BREAKS], least_walk, least_left; } AxisBounds;

static void bound_axis(const Ranking *r, const SpotState *state, const ScanAxis *axis, const i16 *values,
                       i32 mid, AxisBounds *bounds) {
  i32 answers = state->plan->layers == 3 ? 2 : 1; /* as a power of two, triples left out */
  bounds->least_walk = bounds->least_left = SCAN_NEVER;
  for (i32 i = 0; i < axis->count; i++) {
    i32 k = axis->order[i], nearest = clamp32(mid, axis->at[k], axis->at[k + 1] - 1);
    i32 others = state->count - popcount64(axis->sets[0][k]);
    double left = state->plan->weight[others] - others * answers;
    bounds->walk[i] = state->plan->teleports || state->plan->floors.ends
                          ? least_capped_ticks(state, values, axis->at[k], axis->at[k + 1] - 1)
                          : least_ticks(values, state->count, nearest);
    bounds->left[i] = left > 0 ? (i32)(r->left_weight * left) : 0;
    bounds->least_walk = min32(bounds->least_walk, bounds->walk[i]);
    bounds->least_left = min32(bounds->least_left, bounds->left[i]);
  }
}

/* Partition the set at a cell and score it. */
static inline INNERMOST void offer_at(const Ranking *r, const SpotState *state, const ScanAxis *columns,
                                      const ScanAxis *rows, i32 column, i32 row, i32 ticks, i32 least_walk,
                                      i32 here_to_all, Best *best) {
  u64 parts[SCAN_PARTS];
  if (!partition_cell(state->plan, state->set, columns, column, rows, row, state->elsewhere, parts)) return;
  i32 cell[4] = {columns->at[column], columns->at[column + 1] - 1, rows->at[row], rows->at[row + 1] - 1};
  offer_cell(r, state, cell, ticks, least_walk, here_to_all, parts, best);
}

/* Visit rows and columns by distance, and stop where the lower bound reaches the worst listed score. */
static void generate_by_distance(const SpotState *state, const Ranking *r, ScanAxis *columns, ScanAxis *rows,
                                 Best *best) {
  i32 n = state->count, stop = state->base + state->plan->stop;
  i32 here_to_all = walk_to_all(state, state->x, state->y);
  AxisBounds of_columns, of_rows;
  list_by_distance(columns, state->x);
  list_by_distance(rows, state->y);
  bound_axis(r, state, columns, state->xs, state->mid_x, &of_columns);
  bound_axis(r, state, rows, state->ys, state->mid_y, &of_rows);
  i32 least = max32(state->least_walk, max32(of_columns.least_walk, of_rows.least_walk));
  i32 anywhere = least + max32(of_columns.least_left, of_rows.least_left);
  for (i32 j = 0; j < rows->count; j++) {
    i32 row = rows->order[j], down = rows->away[j], start = n * (((down + 1) >> 1) + stop);
    i32 row_left = max32(of_rows.left[j], of_columns.least_left);
    if (start + anywhere >= best->worst) break;
    if (start + of_rows.walk[j] + row_left >= best->worst) continue;
    for (i32 i = 0; i < columns->count; i++) {
      i32 column = columns->order[i], ticks = (max32(columns->away[i], down) + 1) >> 1;
      i32 least_walk = max32(of_columns.walk[i], of_rows.walk[j]);
      if (least + row_left + n * (ticks + stop) >= best->worst) break;
      i32 left = max32(of_columns.left[i], of_rows.left[j]);
      if (least_walk + left + n * (ticks + stop) >= best->worst) continue;
      offer_at(r, state, columns, rows, column, row, ticks, least_walk, here_to_all, best);
    }
  }
}

/* Rank all scans of the grid from the state's tile. Not inlined: a second copy would add to the download. */
static __attribute__((noinline)) void generate_from(const SpotState *state, const Ranking *r,
                                                    ScanAxis *columns, ScanAxis *rows, Best *best) {
  if (r->by_walk) {
    generate_by_distance(state, r, columns, rows, best);
    return;
  }
  list_in_order(columns, state->x);
  list_in_order(rows, state->y);
  for (i32 j = 0; j < rows->count; j++)
    for (i32 i = 0; i < columns->count; i++)
      offer_at(r, state, columns, rows, i, j, (max32(columns->away[i], rows->away[j]) + 1) >> 1, 0, 0, best);
}

/* The same from another tile that is reached after some ticks. */
static void generate_after(SpotState *state, const Ranking *r, ScanAxis *columns, ScanAxis *rows, i32 ticks,
                           i32 x, i32 y, Best *best) {
  state->x = x;
  state->y = y;
  state->base = ticks;
  generate_from(state, r, columns, rows, best);
}

/* Rank all scans on foot, and by each teleport that is faster than the walk to its landing tile. */
static void generate_open(const ScanPlan *plan, SpotState *state, const Ranking *r, Best *best) {
  ScanAxis columns, rows;
  i32 x = state->x, y = state->y;
  scan_cut_axis(plan, plan->columns, state->set, &columns);
  scan_cut_axis(plan, plan->rows, state->set, &rows);
  generate_from(state, r, &columns, &rows, best);
  for (i32 i = 0; i < plan->teleports; i++) {
    const ScanTeleport *t = &plan->teleport[i];
    if (t->ticks >= walk_between(x, y, t->x, t->y)) continue;
    generate_after(state, r, &columns, &rows, t->ticks, t->x, t->y, best);
  }
}

/* ---- over several levels ---------------------------------------------------------------- */

/* Prepare the bounds for scans on one level: spots of other levels move beyond any tile, and the cap of
 * each spot is its distance by the best end of stairs on the level, or by teleport. */
static void restrict_to_level(SpotState *state, i32 level) {
  const ScanPlan *plan = state->plan;
  const ScanFloors *floors = &plan->floors;
  state->level = level;
  state->elsewhere = plan->layers == 3 ? floors->elsewhere[level] : 0;
  i32 i = 0;
  for (u64 rest = state->set; rest; rest &= rest - 1, i++) {
    i32 s = lowest64(rest), near = plan->teleport_ticks[s], here = floors->spot_level[s] == level;
    for (i32 e = 0; e < floors->ends; e++)
      if (floors->level[e] == level) near = min32(near, floors->to_spot[e][s]);
    state->distance_cap[i] = (i16)(near < 16383 ? 2 * near + 1 : 32767);
    state->xs[i] = here ? plan->x[s] : 32767;
    state->ys[i] = here ? plan->y[s] : 32767;
  }
}

/* Rank the scans of every level from each of its entrances: the state's tile, each end of stairs that is
 * not reached at least as early from another one, and each teleport. */
static __attribute__((noinline, minsize)) void generate_floors(const ScanPlan *plan, SpotState *state,
                                                               const Ranking *r, Best *best) {
  const ScanFloors *floors = &plan->floors;
  ScanAxis columns, rows;
  i32 x = state->x, y = state->y, from = state->level, row = scan_on_level(y, from);
  i32 ticks[SCAN_ENDS];
  for (i32 e = 0; e < floors->ends; e++)
    ticks[e] = scan_over_stairs(plan, x, row, floors->x[e], scan_on_level(floors->y[e], floors->level[e]));
  scan_cut_axis(plan, plan->columns, state->set, &columns);
  scan_cut_axis(plan, plan->rows, state->set, &rows);
  for (i32 level = 0; level < SCAN_LEVELS; level++) {
    restrict_to_level(state, level);
    if (level == from) generate_after(state, r, &columns, &rows, 0, x, y, best);
    for (i32 e = 0; e < floors->ends; e++) {
      i32 u = floors->x[e], v = floors->y[e], idle = floors->level[e] != level;
      if (level == from) idle |= walk_between(x, y, u, v) <= ticks[e];
      for (i32 f = 0; f < floors->ends && !idle; f++) {
        i32 walk = walk_between(floors->x[f], floors->y[f], u, v);
        if (floors->level[f] != level || f == e) continue;
        idle = ticks[f] + walk < ticks[e] || (ticks[f] + walk == ticks[e] && (walk || f < e));
      }
      if (!idle) generate_after(state, r, &columns, &rows, ticks[e], u, v, best);
    }
    for (i32 i = 0; i < plan->teleports; i++) {
      const ScanTeleport *t = &plan->teleport[i];
      if (scan_level_of(t->y) != level) continue;
      if (t->ticks >= scan_over_stairs(plan, x, row, t->x, t->y)) continue;
      generate_after(state, r, &columns, &rows, t->ticks, t->x, scan_y_of(t->y), best);
    }
  }
}

/* ---- all kinds of ground --------------------------------------------------------------- */

/* Rerank a list by the heuristic cost-to-go instead of the bits; stable. Returns how many are in `out`. */
static i32 rerank(const ScanPlan *plan, const Ranking *r, const Best *list, i32 room, ScanAction *out) {
  i32 count = 0;
  for (i32 n = 0; n < list->count; n++) {
    ScanAction a = list->list[n];
    a.score -= r->left_weight * weight_of(plan, a.parts);
    for (i32 p = 0; p < SCAN_PARTS; p++) a.score += scan_cost_to_go(plan, a.parts[p], a.x, a.y);
    if (count == room && out[room - 1].score <= a.score) continue;
    i32 i = count < room ? count++ : room - 1;
    for (; i > 0 && out[i - 1].score > a.score; i--) out[i] = out[i - 1];
    out[i] = a;
  }
  return count;
}

i32 scan_generate(ScanPlan *plan, u64 set, i32 x, i32 y, i32 policy, i32 room, i32 limit, ScanAction *out) {
  SpotState state;
  i32 floors = plan->floors.ends;
  load_spots(&state, plan, set, x, floors ? scan_y_of(y) : y);
  Ranking r = make_ranking(plan, policy);
  ScanAction listed[SCAN_LISTED];
  i32 reranks = policy == SCAN_RANK_SEARCH && room <= SCAN_LISTED; /* else too many to rerank */
  i32 most = reranks ? min32(SCAN_LISTED, max32(2 * room, SCAN_LISTED_LEAST)) : room;
  Best best = {reranks ? listed : out, 0, most, 1e18};
  state.level = floors ? scan_level_of(y) : 0;
  if (plan->ground) scan_generate_on_terrain(&state, &r, limit, &best);
  else if (floors) generate_floors(plan, &state, &r, &best);
  else generate_open(plan, &state, &r, &best);
  i32 count = reranks ? rerank(plan, &r, &best, room, out) : best.count;
  for (i32 i = 0; i < count; i++) {
    ScanAction *a = &out[i];
    i32 row = scan_on_level(a->y, a->level), by;
    if (!plan->ground && floors) {
      a->cost = state.count * (scan_quickest(plan, x, y, a->x, row, &by) + plan->stop);
    } else if (!plan->ground) {
      i32 walk = walk_between(x, y, a->x, a->y);
      a->cost = state.count * (min32(walk, scan_by_teleport(plan, a->x, a->y)) + plan->stop);
    }
    a->cost += scan_walks_to_spots(plan, a->x, row, shown_spots(set, a->parts));
  }
  return count;
}

/* The last walk of the shortest path to a tile on open ground: sets (x, y) to its start, returns the ticks
 * before. */
static i32 last_walk(const ScanPlan *plan, i32 *x, i32 *y, i32 to_x, i32 to_y) {
  i32 by, base = 0;
  if (plan->floors.ends) return scan_last_run(plan, x, y, to_x, to_y);
  scan_quickest(plan, *x, *y, to_x, to_y, &by);
  if (by) {
    const ScanTeleport *t = &plan->teleport[by - 1];
    *x = t->x;
    *y = t->y;
    base = t->ticks;
  }
  return base;
}

void scan_stop_at_first_change(const ScanPlan *plan, u64 set, i32 x, i32 y, ScanAction *action) {
  i32 base = 0, ticks, row = scan_on_level(action->to_y, action->level);
  if (plan->ground) {
    ticks = (scan_trace(plan, action->to_x, row, &base) + 1) >> 1;
  } else {
    base = last_walk(plan, &x, &y, action->to_x, row);
    y = scan_y_of(y);
    ticks = walk_between(x, y, action->to_x, action->to_y);
  }
  i32 dx = action->to_x - x, dy = action->to_y - y;
  u64 elsewhere = plan->floors.ends && plan->layers == 3 ? plan->floors.elsewhere[action->level] : 0;
  for (i32 t = 2; t < ticks; t += 2) {
    i32 u = plan->ground ? scan_traced_x(plan, 2 * t) : x + clamp32(dx, -2 * t, 2 * t);
    i32 v = plan->ground ? scan_traced_y(plan, 2 * t) : y + clamp32(dy, -2 * t, 2 * t);
    u64 inner, outer, other, parts[SCAN_PARTS];
    squares_at(plan, set, u, v, &inner, &outer, &other);
    if (!scan_partition(plan, set, inner, outer, other | elsewhere, parts)) continue;
    i32 at = scan_on_level(v, action->level);
    if (plan->ground && window_tile(plan->ground, u, at) < 0)
      continue; /* the window has the steps to spots */
    action->cost = popcount64(set) * (base + t) + scan_walks_to_spots(plan, u, at, shown_spots(set, parts));
    action->x = (i16)u;
    action->y = (i16)v;
    for (i32 p = 0; p < SCAN_PARTS; p++) action->parts[p] = parts[p];
    return;
  }
}

EXPORT(i32, scan_actions)(ScanPlan *plan, const u64 *set, i32 x, i32 y, i32 policy, i32 room,
                          ScanAction *out) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  u64 all = scan_all_spots(plan);
  if (!*set || (*set & ~all) || policy < 0 || policy > SCAN_RANK_SEARCH) return BAD;
  if (room < 1 || room > SCAN_ACTIONS) return BAD;
  if (scan_off_plan(plan, x, y)) return BAD;
  i32 count = scan_generate(plan, *set, x, y, policy, room, SCAN_EVERY, out);
  if (plan->on_the_way)
    for (i32 i = 0; i < count; i++) scan_stop_at_first_change(plan, *set, x, y, &out[i]);
  return count;
}
