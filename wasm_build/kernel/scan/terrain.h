/* Terrain of a plan: tile numbers of the grid, and breadth-first search over steps between its tiles.
 *
 * Floors joined by stairs are stacked in one grid, the lowest first:
 *
 *   row = floor * height + y - y0       tile = row * width + x - x0
 *
 * No step leads from one floor to another; a search continues at the other end of stairs, and at the
 * landing tiles of teleports, when their ticks are over. */
#ifndef CLUEWISE_SCAN_TERRAIN_H
#define CLUEWISE_SCAN_TERRAIN_H

#include "scan.h"

enum { OUT_OF_REACH = 0xffff };

/* Half the side of a layer's square: it has 2 * half + 1 tiles a side. */
static inline i32 half_of(const ScanPlan *plan, i32 layer) {
  return layer == 0 ? plan->range : layer == 1 ? 2 * plan->range : plan->range + 15;
}

/* The spots of a set whose inner, outer and complement squares cover a tile. */
static inline void squares_at(const ScanPlan *plan, u64 set, i32 x, i32 y, u64 *inner, u64 *outer,
                              u64 *other) {
  *inner = *outer = *other = 0;
  for (u64 rest = set; rest; rest &= rest - 1) {
    i32 s = lowest64(rest), d = chebyshev(x, y, plan->x[s], plan->y[s]);
    u64 bit = rest & -rest;
    if (d <= plan->range) *inner |= bit;
    if (d <= 2 * plan->range) *outer |= bit;
    if (plan->layers == 3 && chebyshev(x, y, plan->x[s], plan->other_y[s]) <= plan->range + 15) *other |= bit;
  }
}

/* The row of a tile whose y includes its level, if every floor has `count` rows from `first` on; -1
 * outside. */
static inline i32 row_on_floors(const ScanGround *g, i32 y, i32 first, i32 count) {
  i32 floor = scan_level_of(y) - g->level, row = scan_y_of(y) - first;
  return (u32)floor < (u32)g->floors && (u32)row < (u32)count ? floor * count + row : -1;
}

/* The number of a tile of the grid; -1 outside. */
static inline i32 tile_of(const ScanGround *g, i32 x, i32 y) {
  i32 row = row_on_floors(g, y, g->y0, g->height);
  x -= g->x0;
  return row < 0 || (u32)x >= (u32)g->width ? -1 : row * g->width + x;
}

/* The number of a tile of the scan window; -1 outside. */
static inline i32 window_tile(const ScanGround *g, i32 x, i32 y) {
  i32 row = row_on_floors(g, y, g->y0 + g->near_y, g->near_height);
  x -= g->x0 + g->near_x;
  return row < 0 || (u32)x >= (u32)g->near_width ? -1 : row * g->near_width + x;
}

static inline i32 is_blocked(const ScanGround *g, i32 x, i32 y) {
  i32 row = row_on_floors(g, y, g->y0, g->height);
  x -= g->x0;
  if (row < 0 || (u32)x >= (u32)g->width) return 1;
  return g->walls[(size_t)row * ((g->width + 63) / 64) + (x >> 6)] >> (x & 63) & 1;
}

/* The number of blocks along so many columns or rows of the grid. */
static inline i32 blocks_along(i32 tiles) { return (tiles + SCAN_BLOCK - 1) / SCAN_BLOCK; }
static inline i32 count_blocks(const ScanGround *g) {
  return blocks_along(g->width) * blocks_along(g->floors * g->height);
}

/* The steps from a tile of the scan window to each spot. */
static inline u16 *steps_from(const ScanPlan *plan, i32 near) {
  return plan->ground->to_spot + (size_t)near * (size_t)plan->spots;
}

/* ---- breadth-first search -------------------------------------------------------------- */

/* Directions in the order in which the game's walks try them, W, E, S, N, SW, SE, NW, NE, and the
 * number of each in ScanGround.steps. */
static const i8 DX[SCAN_DIRECTIONS] = {-1, 1, 0, 0, -1, 1, -1, 1};
static const i8 DY[SCAN_DIRECTIONS] = {0, 0, -1, 1, -1, -1, 1, 1};
static const i32 AWAY[SCAN_DIRECTIONS] = {-1,     1,      -65536, 65536,
                                          -65537, -65535, 65535,  65537}; /* in the queue */
static const u8 NUMBER[SCAN_DIRECTIONS] = {0, 2, 3, 1, 7, 6, 4, 5};

/* A queue entry is row << 16 | x, so that no tile number is divided by the width. */
static inline i32 queued_x(i32 place) { return place & 0xffff; }
static inline i32 queued_row(i32 place) { return place >> 16; }
static inline i32 queued_tile(const ScanGround *g, i32 place) {
  return queued_row(place) * g->width + queued_x(place);
}

/* The floor of a row, counted from the lowest. */
static inline i32 floor_of(const ScanGround *g, i32 row) { return g->floors > 1 ? row / g->height : 0; }

/* Select the slot of the following searches. */
static inline void select_slot(ScanGround *g, i32 slot) {
  size_t first = (size_t)slot * (size_t)g->tiles;
  g->distance = g->distances + first;
  g->arrived = g->arrivals + first;
  g->queue = g->queues + first;
}

/* Append a tile that is reached after so many steps without a step. Returns the new end of the queue. */
static inline i32 bfs_seed(const ScanGround *g, i32 tile, i32 steps, i32 tail) {
  g->distance[tile] = (u16)steps;
  g->arrived[tile] = SCAN_DIRECTIONS;
  g->queue[tail] = tile / g->width << 16 | tile % g->width;
  return tail + 1;
}

/* Expand a queue entry: append the unseen neighbours to which a step leads (`sign` 1), or from which one
 * does (-1). Steps stay inside the grid. Neighbours that the predecessor reaches by a single step are
 * skipped: its expansion has appended them (`covered`). Returns the new end of the queue. */
static inline i32 bfs_expand(const ScanGround *g, i32 place, i32 tail, i32 sign) {
  u16 *distance = g->distance;
  u8 *arrived = g->arrived;
  i32 *queue = g->queue, tile = queued_tile(g, place), by = arrived[tile];
  const i32 *away = g->offset;
  u16 next = (u16)min32(distance[tile] + 1, OUT_OF_REACH - 1);
  const u8 *ways = sign > 0 ? g->exits : g->entries;
  u32 left = ways[tile];
  if (by < SCAN_DIRECTIONS) left &= ~(u32)g->covered[by][ways[tile - sign * away[by]]];
  for (; left; left &= left - 1) {
    i32 k = __builtin_ctz(left), to = tile + sign * away[k];
    if (distance[to] != OUT_OF_REACH) continue;
    distance[to] = next;
    arrived[to] = (u8)k;
    queue[tail++] = place + sign * AWAY[k];
  }
  return tail;
}

/* Append the arrivals by stairs, and with `teleports` by teleport, at most one step later than the queue
 * entry at `head`, before that is expanded, so that distances in the queue do not decrease. A walk to
 * stairs is rounded up to whole ticks. Returns the new end of the queue. */
i32 scan_bfs_join(const ScanPlan *plan, ScanBfs *search, i32 head, i32 teleports, i32 tail);

/* The same, inlined for plans without stairs and teleports. */
static inline i32 bfs_join(const ScanPlan *plan, ScanBfs *search, i32 head, i32 tail) {
  if (LIKELY(!plan->teleports && !plan->floors.ends)) return tail;
  return scan_bfs_join(plan, search, head, 1, tail);
}

/* ---- functions of terrain.c ------------------------------------------------------------ */

/* The search from a tile in its current state, or a new one in the least recently used slot; selects it. */
ScanBfs *scan_resume_bfs(ScanGround *g, i32 tile);
/* Discard all searches: they depend on the teleports. */
void scan_drop_searches(ScanGround *g);

/* Ticks of the walk between two tiles, over stairs but without teleports. */
i32 scan_walk_on_ground(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y);

/* Find the tiles reachable from (x, y), by teleport too; returns how many. Then scan_is_in_window: whether
 * the i-th of them is in the scan window; scan_squares_at: the spots of the set whose inner, outer and
 * complement squares cover the tile at (dx, dy) from it. */
i32 scan_walkable(const ScanPlan *plan, i32 x, i32 y);
i32 scan_is_in_window(const ScanPlan *plan, i32 i);
void scan_squares_at(const ScanPlan *plan, u64 set, i32 i, i32 dx, i32 dy, u64 *inner, u64 *outer,
                     u64 *other);

/* Search from a tile on its floor; returns whether it is a tile of the grid. Then scan_trace: the number of
 * steps of the last walk to a tile, since stairs or a teleport, which begins after `base` ticks; -1 =
 * unreachable; then scan_traced_x, scan_traced_y: the tile after some of them. */
i32 scan_search_walks(const ScanPlan *plan, i32 x, i32 y);
i32 scan_trace(const ScanPlan *plan, i32 x, i32 y, i32 *base);
static inline i32 scan_traced_x(const ScanPlan *plan, i32 step) {
  return plan->ground->x0 + (plan->ground->path[step] & 0xffff);
}
static inline i32 scan_traced_y(const ScanPlan *plan, i32 step) {
  return plan->ground->y0 + (plan->ground->path[step] >> 16);
}

/* The spots whose squares cover a tile of the scan window, from its column and row; `other` also has the
 * spots on other floors. */
static inline void window_squares_at(const ScanPlan *plan, i32 column, i32 row, u64 *inner, u64 *outer,
                                     u64 *other) {
  const ScanGround *g = plan->ground;
  i32 floor = g->floors > 1 ? row / g->near_height : 0;
  const u64 *across = g->near_sets + 3 * column;
  const u64 *down = g->near_sets + 3 * (g->near_width + row);
  *inner = across[0] & down[0];
  *outer = across[1] & down[1];
  *other = (across[2] & down[2]) | plan->floors.elsewhere[g->level + floor];
}

#endif
