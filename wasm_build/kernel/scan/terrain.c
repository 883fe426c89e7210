/* Shortest paths on terrain: breadth-first search (Moore 1959) over steps between neighbouring tiles, and
 * for each spot a backward search from the tiles within one of it, stored as its field of steps.
 *
 * Arrivals by stairs and teleport enter the queue at their distance, so one search finds the shortest paths
 * over several floors. A tick is two steps; a walk that ends at stairs is rounded up to whole ticks.
 * Searches from recent tiles are stored in slots and resumed; the least recently used slot is replaced.
 * Cost: O(tiles) a search, O(tiles x spots) for the fields. */
#include "terrain.h"

enum { GROUND_TILES = 1 << 22 };

/* Begin a search in slot 0, which is not resumed. */
static ScanBfs bfs_begin(ScanGround *g) {
  select_slot(g, 0);
  memset(g->distance, 0xff, sizeof(u16) * (size_t)g->tiles);
  return (ScanBfs){0};
}

void scan_drop_searches(ScanGround *g) {
  for (i32 i = 0; i < SCAN_SEARCHES; i++) g->searches[i] = (ScanBfs){.tile = -2};
}

ScanBfs *scan_resume_bfs(ScanGround *g, i32 tile) {
  i32 slot = min32(1, g->slots - 1);
  for (i32 i = slot; i < g->slots; i++) {
    if (g->searches[i].tile == tile && i) {
      slot = i;
      break;
    }
    if (g->searches[i].last_used < g->searches[slot].last_used) slot = i;
  }
  ScanBfs *search = &g->searches[slot];
  if (search->tile != tile || !slot) {
    select_slot(g, slot);
    memset(g->distance, 0xff, sizeof(u16) * (size_t)g->tiles);
    *search = (ScanBfs){.tile = tile, .reached = tile < 0 ? 0 : bfs_seed(g, tile, 0, 0)};
  }
  select_slot(g, slot);
  search->last_used = g->states;
  return search;
}

/* ---- arrivals by stairs and teleport --------------------------------------------------- */

/* The distance in steps of an end of stairs by these stairs, its tile in `tile`; -1 until the search has
 * reached the other end. */
static i32 arrival_by_stairs(const ScanPlan *plan, i32 end, i32 *tile) {
  const ScanGround *g = plan->ground;
  const ScanFloors *f = &plan->floors;
  i32 other = end ^ 1, y = scan_on_level(f->y[end], f->level[end]);
  i32 before = scan_on_level(f->y[other], f->level[other]), from = tile_of(g, f->x[other], before);
  if (from < 0 || g->distance[from] == OUT_OF_REACH) return -1;
  if (is_blocked(g, f->x[end], y) || is_blocked(g, f->x[other], before)) return -1;
  *tile = tile_of(g, f->x[end], y);
  return ((g->distance[from] + 1) & ~1) + 2 * f->ticks[end >> 1];
}

i32 scan_bfs_join(const ScanPlan *plan, ScanBfs *search, i32 head, i32 teleports, i32 tail) {
  const ScanGround *g = plan->ground;
  for (;;) { /* append the earliest pending arrival */
    i32 now = head < tail ? g->distance[queued_tile(g, g->queue[head])] : SCAN_NEVER;
    i32 least = SCAN_NEVER, by = -1, tile = -1;
    if (search->joined_until > now) return tail; /* none is due at this distance */
    if (teleports && search->teleports < plan->teleports) {
      const ScanTeleport *t = &plan->by_ticks[search->teleports];
      least = 2 * t->ticks;
      tile = tile_of(g, t->x, t->y);
    }
    for (i32 end = 0; end < plan->floors.ends; end++) {
      i32 to, steps = search->stairs >> end & 1 ? -1 : arrival_by_stairs(plan, end, &to);
      if (steps < 0 || steps >= least) continue;
      least = steps;
      by = end;
      tile = to;
    }
    if (least > now + 1 || least == SCAN_NEVER) {
      search->joined_until = plan->floors.ends && head < tail ? now + 1 : 0;
      return tail;
    }
    if (by < 0) search->teleports++;
    else search->stairs |= 1u << by;
    if (tile >= 0 && g->distance[tile] > least)
      tail = bfs_seed(g, tile, min32(least, OUT_OF_REACH - 1), tail);
  }
}

/* ---- setting up ------------------------------------------------------------------------ */

/* Fill exits and entries from the bit maps of steps, without steps that lead off their floor. */
static void index_steps(const ScanGround *g) {
  i32 line = (g->width + 63) / 64, rows = g->floors * g->height;
  memset(g->exits, 0, (size_t)g->tiles);
  memset(g->entries, 0, (size_t)g->tiles);
  for (i32 k = 0; k < SCAN_DIRECTIONS; k++)
    for (i32 y = 0; y < rows; y++) {
      const u64 *row = g->steps + ((size_t)NUMBER[k] * (size_t)rows + (size_t)y) * (size_t)line;
      if ((u32)(y % g->height + DY[k]) >= (u32)g->height) continue;
      for (i32 w = 0; w < line; w++)
        for (u64 bits = row[w]; bits; bits &= bits - 1) {
          i32 x = 64 * w + lowest64(bits), tile = y * g->width + x;
          if (x >= g->width || (u32)(x + DX[k]) >= (u32)g->width) continue;
          g->exits[tile] |= (u8)(1 << k);
          g->entries[tile + DY[k] * g->width + DX[k]] |= (u8)(1 << k);
        }
    }
}

/* Fill the table covered[k][exits of the predecessor]: the directions that, after a step in direction k,
 * lead to a neighbour of the predecessor that it reaches by a single step, or back to it. */
static void build_covered(ScanGround *g) {
  memset(g->covered, 0, sizeof g->covered);
  for (i32 k = 0; k < SCAN_DIRECTIONS; k++) {
    g->offset[k] = DY[k] * g->width + DX[k];
    for (i32 m = 0; m < SCAN_DIRECTIONS; m++) {
      i32 dx = DX[k] + DX[m], dy = DY[k] + DY[m], always = !dx && !dy;
      for (i32 j = 0; j < SCAN_DIRECTIONS; j++)
        for (i32 steps = 0; steps < 256; steps++)
          if (always || (DX[j] == dx && DY[j] == dy && steps >> j & 1)) g->covered[k][steps] |= (u8)(1 << m);
    }
  }
}

/* Fill near_sets: by layer the spots whose squares cover each column and each row of the scan window. */
static void build_window_sets(const ScanPlan *plan) {
  const ScanGround *g = plan->ground;
  u64 *columns = g->near_sets, *rows = columns + 3 * (size_t)g->near_width;
  i32 high = g->near_height, x0 = g->x0 + g->near_x, y0 = g->y0 + g->near_y;
  memset(columns, 0, 3 * sizeof(u64) * (size_t)(g->near_width + g->floors * high));
  for (i32 s = 0; s < plan->spots; s++)
    for (i32 layer = 0; layer < plan->layers; layer++) {
      i32 half = half_of(plan, layer), cx = plan->x[s] - x0;
      i32 cy = (layer == 2 ? plan->other_y[s] : plan->y[s]) - y0;
      for (i32 x = max32(0, cx - half); x <= min32(g->near_width - 1, cx + half); x++)
        columns[3 * x + layer] |= 1ull << s;
      for (i32 y = max32(0, cy - half); y <= min32(high - 1, cy + half); y++)
        for (i32 floor = 0; floor < g->floors; floor++) rows[3 * (floor * high + y) + layer] |= 1ull << s;
    }
}

static i32 has_sizes(const ScanGround *g) {
  if (scan_off_plane(g->x0 / 2, g->y0 / 2)) return 0;
  if (g->slots < 1 || g->slots > SCAN_SEARCHES) return 0;
  if (g->floors < 1 || g->level < 0 || g->floors > SCAN_LEVELS - g->level) return 0;
  if (g->width < 1 || g->width > SCAN_SIDE || g->height < 1) return 0;
  if (g->height > SCAN_SIDE / g->floors) return 0;
  if (g->near_x < 0 || g->near_y < 0) return 0;
  if (g->near_width < 1 || g->near_width > g->width - g->near_x) return 0;
  return g->near_height >= 1 && g->near_height <= g->height - g->near_y;
}

static i32 has_buffers(const ScanGround *g, i32 spots) {
  u64 floors = (u64)g->floors, tiles = floors * (u64)g->width * (u64)g->height;
  u64 near = floors * (u64)g->near_width * (u64)g->near_height;
  u64 bits = 8ull * (((u32)g->width + 63) / 64) * floors * (u32)g->height;
  u64 sides = (u64)g->near_width + floors * (u64)g->near_height;
  u64 across = (u64)min32(g->near_width, SCAN_BREAKS), down = (u64)min32(g->near_height, SCAN_BREAKS);
  u64 cells = across * floors * down;
  u64 blocks = (u64)count_blocks(g);
  return kernel_holds(g->walls, bits) && kernel_holds(g->steps, SCAN_DIRECTIONS * bits) &&
         kernel_holds(g->exits, tiles) && kernel_holds(g->entries, tiles) &&
         kernel_holds(g->near_sets, 3 * 8 * sides) && kernel_holds(g->near_cells, sizeof(i16) * sides) &&
         kernel_holds(g->cell_bounds, sizeof(ScanCellBound) * cells) &&
         kernel_holds(g->to_spot, sizeof(u16) * (near * (u64)spots + 8)) &&
         kernel_holds(g->block_steps, sizeof(u16) * (blocks * (u64)spots + 8)) &&
         kernel_holds(g->block_bounds, 2 * sizeof(i32) * blocks) &&
         kernel_holds(g->distance, sizeof(u16) * tiles * (u64)g->slots) &&
         kernel_holds(g->arrived, tiles * (u64)g->slots) &&
         kernel_holds(g->queue, sizeof(i32) * tiles * (u64)g->slots) &&
         kernel_holds(g->path, sizeof(i32) * tiles);
}

EXPORT(i32, scan_ground)(ScanPlan *plan, ScanGround *ground) {
  if (!seal_holds(plan, SCAN_PLAN) || !has_sizes(ground)) return BAD;
  if ((i64)ground->floors * ground->width * ground->height > GROUND_TILES) return TOO_LARGE;
  if (!has_buffers(ground, plan->spots)) return BAD;
  plan->own_ground = *ground;
  ScanGround *g = plan->ground = &plan->own_ground;
  g->tiles = g->floors * g->width * g->height;
  g->distances = g->distance;
  g->arrivals = g->arrived;
  g->queues = g->queue;
  scan_drop_searches(g);
  index_steps(g);
  build_covered(g);
  build_window_sets(plan);
  g->states = 0;
  return OK;
}

/* Search backwards from the tiles within `within` of a tile, over stairs or on its floor. */
static void search_backwards(const ScanPlan *plan, i32 x, i32 y, i32 within, i32 stairs) {
  ScanGround *g = plan->ground;
  ScanBfs search = bfs_begin(g);
  i32 tail = 0;
  for (i32 v = y - within; v <= y + within; v++)
    for (i32 u = x - within; u <= x + within; u++)
      if (!is_blocked(g, u, v)) tail = bfs_seed(g, tile_of(g, u, v), 0, tail);
  for (i32 head = 0;; head++) {
    if (stairs && plan->floors.ends) tail = scan_bfs_join(plan, &search, head, 0, tail);
    if (head >= tail) break;
    tail = bfs_expand(g, g->queue[head], tail, -1);
  }
}

EXPORT(i32, scan_ground_spot)(ScanPlan *plan, i32 spot) {
  if (!seal_holds(plan, SCAN_PLAN)) return BAD;
  ScanGround *g = plan->ground;
  if (!g || spot < 0 || spot >= plan->spots) return BAD;
  i32 y = scan_on_level(plan->y[spot], plan->floors.spot_level[spot]);
  search_backwards(plan, plan->x[spot], y, 1, 1);
  u16 *out = g->to_spot + spot;
  i32 across = blocks_along(g->width), blocks = count_blocks(g);
  for (i32 i = 0; i < blocks; i++) g->block_steps[i * plan->spots + spot] = OUT_OF_REACH;
  for (i32 i = 0; i < g->floors * g->near_height; i++) {
    i32 row = i / g->near_height * (g->height - g->near_height) + g->near_y + i,
        end = g->near_x + g->near_width;
    const u16 *from = g->distance + (size_t)row * (size_t)g->width;
    u16 *block = g->block_steps + row / SCAN_BLOCK * across * plan->spots + spot;
    for (i32 x = g->near_x; x < end; x++, out += plan->spots) {
      *out = from[x];
      u16 *least = block + x / SCAN_BLOCK * plan->spots;
      if (*out < *least) *least = *out;
    }
  }
  return OK;
}

/* ---- paths ----------------------------------------------------------------------------- */

/* Search from a tile until `goal` is reached (-1: everywhere), over stairs or on one floor, with teleports
 * or without. Returns the end of the queue. */
static i32 search_from(const ScanPlan *plan, i32 tile, i32 goal, i32 stairs, i32 teleports) {
  ScanGround *g = plan->ground;
  ScanBfs search = bfs_begin(g);
  i32 tail = tile < 0 ? 0 : bfs_seed(g, tile, 0, 0), joins = stairs && (plan->floors.ends || teleports);
  for (i32 head = 0;; head++) {
    if (joins) tail = scan_bfs_join(plan, &search, head, teleports, tail);
    if (head >= tail || (goal >= 0 && g->distance[goal] != OUT_OF_REACH)) return tail;
    tail = bfs_expand(g, g->queue[head], tail, 1);
  }
}

i32 scan_walk_on_ground(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  const ScanGround *g = plan->ground;
  i32 here = tile_of(g, x, y), goal = tile_of(g, to_x, to_y);
  if (here < 0 || goal < 0) return BAD;
  search_from(plan, here, goal, 1, 0);
  return g->distance[goal] == OUT_OF_REACH ? SCAN_NEVER : (g->distance[goal] + 1) >> 1;
}

i32 scan_search_walks(const ScanPlan *plan, i32 x, i32 y) {
  i32 here = tile_of(plan->ground, x, y);
  if (here < 0) return 0;
  search_from(plan, here, -1, 0, 0);
  return 1;
}

i32 scan_trace(const ScanPlan *plan, i32 x, i32 y, i32 *base) {
  const ScanGround *g = plan->ground;
  i32 tile = tile_of(g, x, y), steps = 0;
  if (tile < 0 || g->distance[tile] == OUT_OF_REACH) return -1;
  i32 end = tile, first = floor_of(g, tile / g->width) * g->height;
  for (; g->arrived[tile] < SCAN_DIRECTIONS; steps++)
    tile -= DY[g->arrived[tile]] * g->width + DX[g->arrived[tile]];
  *base = g->distance[tile] >> 1;
  tile = end;
  for (i32 i = steps; i >= 0; i--) {
    g->path[i] = (tile / g->width - first) << 16 | tile % g->width;
    if (i) tile -= DY[g->arrived[tile]] * g->width + DX[g->arrived[tile]];
  }
  return steps;
}

EXPORT(i32, scan_path)(ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y, i32 within, i32 *out, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN) || !plan->ground || scan_off_plan(plan, x, y)) return BAD;
  if (scan_off_plan(plan, to_x, to_y) || within < 0 || within > 1) return BAD;
  const ScanGround *g = plan->ground;
  i32 here = tile_of(g, x, y), level = scan_level_of(y), base;
  if (here < 0) return BAD;
  if (scan_level_of(to_y) != level) return 0;
  bfs_begin(plan->ground);
  i32 tail = bfs_seed(g, here, 0, 0), first = floor_of(g, here / g->width) * g->height;
  for (i32 head = 0; head < tail; head++) {
    i32 place = g->queue[head], u = g->x0 + queued_x(place), v = g->y0 + queued_row(place) - first;
    if (chebyshev(u, v, to_x, scan_y_of(to_y)) <= within) {
      i32 steps = scan_trace(plan, u, scan_on_level(v, level), &base);
      if (steps >= room) return BAD;
      memcpy(out, g->path, sizeof(i32) * (size_t)(steps + 1));
      return steps + 1;
    }
    tail = bfs_expand(g, place, tail, 1);
  }
  return 0;
}

EXPORT(i32, scan_steps_to)(ScanPlan *plan, i32 x, i32 y, i32 within, u16 *out, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN) || !plan->ground || scan_off_plan(plan, x, y)) return BAD;
  const ScanGround *g = plan->ground;
  i32 tile = tile_of(g, x, y), floor_tiles = g->width * g->height;
  if (tile < 0 || within < 0 || within > 1 || room != floor_tiles) return BAD;
  search_backwards(plan, x, y, within, 0);
  memcpy(out, g->distance + (size_t)(tile / floor_tiles) * (size_t)floor_tiles,
         sizeof(u16) * (size_t)floor_tiles);
  return OK;
}

i32 scan_walkable(const ScanPlan *plan, i32 x, i32 y) {
  return search_from(plan, tile_of(plan->ground, x, y), -1, 1, 1);
}

/* The i-th tile that scan_walkable found; returns its level. */
static i32 reached_tile(const ScanGround *g, i32 i, i32 *x, i32 *y) {
  i32 row = queued_row(g->queue[i]), floor = floor_of(g, row);
  *x = g->x0 + queued_x(g->queue[i]);
  *y = g->y0 + row - floor * g->height;
  return g->level + floor;
}

i32 scan_is_in_window(const ScanPlan *plan, i32 i) {
  i32 x, y, level = reached_tile(plan->ground, i, &x, &y);
  return window_tile(plan->ground, x, scan_on_level(y, level)) >= 0;
}

void scan_squares_at(const ScanPlan *plan, u64 set, i32 i, i32 dx, i32 dy, u64 *inner, u64 *outer,
                     u64 *other) {
  const ScanGround *g = plan->ground;
  i32 x, y, level = reached_tile(g, i, &x, &y), near = window_tile(g, x += dx, scan_on_level(y += dy, level));
  if (near >= 0) {
    window_squares_at(plan, near % g->near_width, near / g->near_width, inner, outer, other);
  } else {
    squares_at(plan, set, x, y, inner, outer, other);
    *other |= plan->floors.elsewhere[level];
  }
  *inner &= set;
  *outer &= set;
  *other &= set;
}
