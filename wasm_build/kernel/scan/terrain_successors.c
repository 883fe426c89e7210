/* Successor generation on terrain: tiles in the order of a breadth-first search from the state's tile, with
 * branch and bound over blocks.
 *
 * The compressed grid of a state (successors.c) yields each cell's partition once. The grid is also divided
 * into blocks of SCAN_BLOCK x SCAN_BLOCK tiles.
 *   bound  of a block: the least steps from its tiles to each spot, + the least cost of a scan in its cells
 *   stop   when no block can be among the best, or an action after which no scan is needed costs no more
 * Cost: O(tiles) for the search, which can be resumed (terrain.c), O(blocks |spots| / 8 + cells) for the
 * bounds. */
#include "successors.h"

static const double ROOM_TICKS = 0.1; /* a tile of room, per spot */
static const double NO_SCAN = 1e18;   /* cost of a cell that excludes no spot */
enum { MOST_TICKS = 1 << 14 };        /* ticks that an unreachable spot counts */

/* The room of a tile (scan.h: scan_room). `near`: its number in the scan window. */
static i32 room_at(const ScanPlan *plan, u64 set, i32 x, i32 y, i32 near) {
  const ScanGround *g = plan->ground;
  u64 a, b, c, inner, outer, other;
  i32 column = near % g->near_width, row = near / g->near_width;
  window_squares_at(plan, column, row, &inner, &outer, &other);
  for (i32 room = 1; room <= SCAN_ROOM; room++)
    for (i32 v = -room; v <= room; v++)
      for (i32 u = -room; u <= room; u += abs32(v) == room ? 1 : 2 * room) {
        if (is_blocked(g, x + u, y + v)) continue;
        if (window_tile(g, x + u, y + v) < 0) return room - 1;
        window_squares_at(plan, column + u, row + v, &a, &b, &c);
        if (((a ^ inner) | (b ^ outer) | (c ^ other)) & set) return room - 1;
      }
  return SCAN_ROOM;
}

EXPORT(i32, scan_room)(ScanPlan *plan, const u64 *set, i32 x, i32 y) {
  if (!seal_holds(plan, SCAN_PLAN) || !plan->ground || scan_off_plan(plan, x, y)) return BAD;
  i32 near = window_tile(plan->ground, x, y);
  return near < 0 ? BAD : room_at(plan, *set, x, y, near);
}

/* Bounds of a state on terrain. */
typedef struct Field {
  u16 most[SCAN_ROUTE_SPOTS]; /* cap of the ticks to each spot; 0 for spots outside the set */
  i32 across, down;           /* columns and rows of cells in the scan window */
  i32 least_walk, least;      /* lower bounds over all blocks: ticks to all spots, and with a scan */
  i32 limit, solves;          /* cutoff of totals, and whether a found total lowers it */
  i32 here_to_all, hint;      /* ticks from the state's tile to all spots; see cutoff_of */
  double most_room;           /* largest bonus for room */
} Field;

/* Sum the ticks to the spots of a set from their steps, eight spots at a time. */
static inline i32 sum_ticks(const u16 *steps, const u16 *most, i32 spots) {
  v128_t sums = wasm_i32x4_splat(0), zero = wasm_i16x8_splat(0);
  for (i32 s = 0; s < spots; s += 8) {
    v128_t ticks = wasm_u16x8_avgr(wasm_v128_load(steps + s), zero);
    ticks = wasm_u16x8_min(ticks, wasm_v128_load(most + s));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(ticks));
  }
  return sum_lanes(sums);
}

/* Whether no spot of the set is unreachable from a tile, given the steps from there to each spot. */
static inline i32 reaches_all(const u16 *steps, const u16 *most, i32 spots) {
  v128_t out_of_reach = wasm_i16x8_splat((i16)OUT_OF_REACH), no_teleport = wasm_i16x8_splat(MOST_TICKS);
  v128_t lost = wasm_i16x8_splat(0);
  for (i32 s = 0; s < spots; s += 8) {
    v128_t on_foot = wasm_i16x8_eq(wasm_v128_load(steps + s), out_of_reach);
    lost = wasm_v128_or(lost, wasm_v128_and(on_foot, wasm_i16x8_eq(wasm_v128_load(most + s), no_teleport)));
  }
  return !wasm_v128_any_true(lost);
}

/* Number the intervals of an axis that meet the `count` tiles from `origin`: `numbers` by tile (-1: none),
 * `tiles`: the first tile of each. Returns how many. */
static i32 number_axis(const ScanAxis *axis, i32 origin, i32 count, i16 *numbers, i16 *tiles) {
  i32 made = 0;
  memset(numbers, 0xff, sizeof(i16) * (size_t)count);
  for (i32 i = 0; i < axis->count; i++) {
    i32 from = max32(axis->at[i] - origin, 0), to = min32(axis->at[i + 1] - origin, count);
    if (from >= to) continue;
    tiles[made] = (i16)from;
    for (; from < to; from++) numbers[from] = (i16)made;
    made++;
  }
  return made;
}

/* Fill cell_bounds: the cost of a scan in each cell without the walks. */
static void bound_cells(const SpotState *state, const Ranking *r, Field *f, const i16 *columns,
                        const i16 *rows) {
  const ScanPlan *plan = state->plan;
  const ScanGround *g = plan->ground;
  i32 stops = state->count * plan->stop;
  ScanCellBound *cell = g->cell_bounds;
  for (i32 j = 0; j < g->floors * f->down; j++)
    for (i32 i = 0; i < f->across; i++, cell++) {
      u64 inner, outer, other, parts[SCAN_PARTS];
      window_squares_at(plan, columns[i], j / f->down * g->near_height + rows[j % f->down], &inner, &outer,
                        &other);
      i32 informs = scan_partition(plan, state->set, inner, outer, other, parts);
      double fixed = informs ? stops + r->left_weight * weight_of(plan, parts) : NO_SCAN;
      *cell = (ScanCellBound){fixed, NO_SCAN};
    }
}

/* The smallest and largest cell number of the columns or rows of a block; (32767, -1) if it has none. */
static inline void find_cell_range(const i16 *numbers, i32 count, i32 first, i16 *range) {
  range[0] = 32767;
  range[1] = -1;
  for (i32 i = max32(first, 0); i < min32(first + SCAN_BLOCK, count); i++) {
    if (numbers[i] < 0) continue;
    range[0] = (i16)min32(range[0], numbers[i]);
    range[1] = (i16)max32(range[1], numbers[i]);
  }
}

/* Fill block_bounds: lower bounds of the ticks from a block to all spots, then with the cost of a scan. */
static void bound_blocks(const SpotState *state, Field *f) {
  const ScanPlan *plan = state->plan;
  const ScanGround *g = plan->ground;
  i32 across = blocks_along(g->width), down = blocks_along(g->floors * g->height), blocks = across * down;
  i16 columns[SCAN_SIDE / SCAN_BLOCK][2], rows[2];
  i32 *walks = g->block_bounds, *least = walks + blocks;
  for (i32 i = 0; i < across; i++)
    find_cell_range(g->near_cells, g->near_width, i * SCAN_BLOCK - g->near_x, columns[i]);
  for (i32 i = 0; i < blocks; i++) {
    walks[i] = sum_ticks(g->block_steps + i * plan->spots, f->most, plan->spots);
    least[i] = SCAN_NEVER;
  }
  f->least_walk = f->least = SCAN_NEVER;
  for (i32 j = 0; j < down; j++)
    for (i32 floor = 0; floor < g->floors; floor++) {
      i32 first = j * SCAN_BLOCK - floor * g->height - g->near_y;
      find_cell_range(g->near_cells + g->near_width, g->near_height, first, rows);
      for (i32 i = 0; i < across; i++) {
        double fixed = NO_SCAN;
        for (i32 v = rows[0]; v <= rows[1]; v++)
          for (i32 u = columns[i][0]; u <= columns[i][1]; u++) {
            double here = g->cell_bounds[(floor * f->down + v) * f->across + u].fixed;
            if (here < fixed) fixed = here;
          }
        i32 block = j * across + i;
        if (fixed < NO_SCAN) least[block] = min32(least[block], walks[block] + (i32)fixed);
      }
    }
  for (i32 i = 0; i < blocks; i++) {
    if (least[i] == SCAN_NEVER) continue;
    f->least_walk = min32(f->least_walk, walks[i]);
    f->least = min32(f->least, least[i]);
  }
  f->least_walk = max32(f->least_walk, state->least_walk);
}

static void build_field(const SpotState *state, const Ranking *r, Field *f) {
  const ScanPlan *plan = state->plan;
  const ScanGround *g = plan->ground;
  ScanAxis axis;
  i16 columns[SCAN_BREAKS], rows[SCAN_BREAKS];
  memset(f->most, 0, sizeof f->most);
  for (u64 rest = state->set; rest; rest &= rest - 1)
    f->most[lowest64(rest)] = (u16)min32(plan->teleport_ticks[lowest64(rest)], MOST_TICKS);
  scan_cut_axis(plan, plan->columns, state->set, &axis);
  f->across = number_axis(&axis, g->x0 + g->near_x, g->near_width, g->near_cells, columns);
  scan_cut_axis(plan, plan->rows, state->set, &axis);
  f->down = number_axis(&axis, g->y0 + g->near_y, g->near_height, g->near_cells + g->near_width, rows);
  bound_cells(state, r, f, columns, rows);
  bound_blocks(state, f);
}

/* Whether some part has more than one spot. */
static inline i32 needs_scan(const u64 *parts) {
  u64 several = 0;
  for (i32 p = 0; p < SCAN_PARTS; p++) several |= parts[p] & (parts[p] - 1);
  return several != 0;
}

/* The smallest integer not below a score plus the largest bonus for room. */
static inline i32 round_up_score(double score, double room) {
  double most = score + room;
  if (most >= 2.0 * SCAN_NEVER) return 2 * SCAN_NEVER;
  return (i32)most + ((i32)most < most);
}

/* Score a tile of a block that may be among the best, unless the bound of its cell rules it out. */
static inline void offer_tile(const SpotState *state, const Ranking *r, Field *f, i32 place, i32 ticks,
                              i32 block, Best *best) {
  const ScanPlan *plan = state->plan;
  const ScanGround *g = plan->ground;
  i32 n = state->count, stops = n * plan->stop;
  i32 floor = floor_of(g, queued_row(place)), column = queued_x(place) - g->near_x;
  i32 row = queued_row(place) - floor * g->height - g->near_y;
  if ((u32)column >= (u32)g->near_width || (u32)row >= (u32)g->near_height) return;
  i32 cell_x = g->near_cells[column], cell_y = g->near_cells[g->near_width + row];
  if ((cell_x | cell_y) < 0) return;
  ScanCellBound *cell = g->cell_bounds + (floor * f->down + cell_y) * f->across + cell_x;
  i32 walks = max32(g->block_bounds[block] + n * ticks, f->here_to_all);
  double lowest = walks - f->most_room + cell->fixed;
  if (cell->fixed == NO_SCAN || walks + stops >= f->limit) return;
  if (r->by_walk && (lowest >= best->worst || lowest >= cell->score)) return;
  i32 x = g->x0 + queued_x(place), y = scan_on_level(g->y0 + g->near_y + row, g->level + floor);
  row += floor * g->near_height;
  u64 inner, outer, other, parts[SCAN_PARTS];
  window_squares_at(plan, column, row, &inner, &outer, &other);
  scan_partition(plan, state->set, inner, outer, other, parts);
  const u16 *steps = steps_from(plan, row * g->near_width + column);
  if (!r->by_walk) {
    if (!reaches_all(steps, f->most, plan->spots)) return;
    insert_action(best, score_by_bits(r, state, weight_of(plan, parts), ticks), x, y, parts);
    return;
  }
  cell->score = cutoff_of(best, parts, &f->hint);
  if (lowest >= cell->score) return;
  i32 straight = sum_ticks(steps, f->most, plan->spots);
  if (straight >= MOST_TICKS && !reaches_all(steps, f->most, plan->spots)) return;
  walks = n * ticks + straight;
  double score = walks + cell->fixed;
  if (walks + stops >= f->limit || score - f->most_room >= cell->score) return;
  if (g->prefer_room) score -= ROOM_TICKS * n * room_at(plan, state->set, x, y, row * g->near_width + column);
  if (score < cell->score) cell->score = score;
  if (f->solves && score < best->worst && !needs_scan(parts))
    f->limit = walks + stops + 1; /* this total is exact */
  insert_action(best, score, x, y, parts);
}

void scan_generate_on_terrain(const SpotState *state, const Ranking *r, i32 limit, Best *best) {
  const ScanPlan *plan = state->plan;
  const ScanGround *g = plan->ground;
  i32 n = state->count, from_y = scan_on_level(state->y, state->level), ticks = -1;
  plan->ground->states++;
  ScanBfs *from = scan_resume_bfs(plan->ground, tile_of(g, state->x, from_y));
  Field f;
  f.limit = limit;
  f.solves = limit <= SCAN_NEVER && !plan->on_the_way;
  f.here_to_all = scan_walks_to_spots(plan, state->x, from_y, state->set);
  f.most_room = g->prefer_room ? ROOM_TICKS * n * SCAN_ROOM : 0;
  f.hint = 0;
  build_field(state, r, &f);
  const i32 *block_least = g->block_bounds + count_blocks(g);
  i32 blocks_across = blocks_along(g->width);
  i32 worst = r->by_walk ? round_up_score(best->worst, f.most_room) : 4 * SCAN_NEVER - 1;
  for (i32 i = 0;; i++) {
    if (i == from->expanded) from->reached = bfs_join(plan, from, i, from->reached);
    if (i >= from->reached) break;
    i32 place = g->queue[i], arrives = (g->distance[queued_tile(g, place)] + 1) >> 1;
    if (arrives > ticks) {
      ticks = arrives;
      if (r->by_walk) worst = round_up_score(best->worst, f.most_room);
      if (f.least + n * ticks >= worst || f.least_walk + n * (ticks + plan->stop) >= f.limit) break;
    }
    if (i == from->expanded) {
      from->reached = bfs_expand(g, place, from->reached, 1);
      from->expanded++;
    }
    i32 block = queued_row(place) / SCAN_BLOCK * blocks_across + queued_x(place) / SCAN_BLOCK;
    if (block_least[block] + n * ticks < worst) offer_tile(state, r, &f, place, ticks, block, best);
  }
  for (i32 i = 0; i < best->count; i++) {
    ScanAction *a = &best->list[i];
    i32 tile = tile_of(g, a->x, scan_on_level(a->y, a->level));
    a->cost = n * (((g->distance[tile] + 1) >> 1) + plan->stop);
  }
}
