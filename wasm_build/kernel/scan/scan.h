/* The scan desk's kernel: classes of tiles with equal pulses, routes between scans, fewest scans.
 *
 * A spot is a place where the treasure may lie; callers pass the remaining spots only. Sets of spots
 * are bit sets: spot i is bit (i % 64) of word (i / 64).
 *
 *   pulse of spot s on tile t, d = max(|tx - sx|, |ty - sy|), range r
 *      d <= r           triple    inside the inner square
 *      r < d <= 2r      double    inside the outer square only
 *      2r < d           single
 *
 * With levels a third square, of half side r + 15 round the spot's complement (the tile above or below
 * it), decides the second part of an answer ("different level") for spots on the scanner's floor; for
 * spots on other floors the sign always shows.
 *
 * ---- Classes (classes.c, measure.c, shapes.c) ----------------------------------------------
 *
 * The sides of the squares cut the window into columns and rows (a compressed grid). The profile of a
 * tile is, per kind of square, its column's set AND its row's set, so all tiles of a cell (column x
 * row) have the same profile:
 *
 *   column sets, V = layers * words words a column       row sets, likewise
 *   [ inner: word 0 .. | outer: word 0 .. | complement ]
 *
 * Neighbouring columns x-1, x differ on row y iff (column flip of x) AND (row set of y) != 0, where the
 * flip is the XOR of both column sets. No profile of a cell is stored. Between two rows only the columns
 * of squares that begin or end there change (cell_edges.h); the rest is copied from the row above. Walls
 * add breaks, so one code path handles them; in the worst case a cell is a tile.
 *
 * Call order: scan_breaks, scan_label, scan_measure, scan_shapes. Peak memory for 2 M cells and 500 000
 * classes: about 60 MB.
 */
#ifndef CLUEWISE_SCAN_H
#define CLUEWISE_SCAN_H

#include "kernel.h"
#include "shared/seal.h"

/* Steps between two tiles on open ground, diagonal ones included. */
static inline i32 chebyshev(i32 ax, i32 ay, i32 bx, i32 by) { return max32(abs32(ax - bx), abs32(ay - by)); }

/* Ticks of the straight walk between two tiles: two tiles a tick, rounded up. */
static inline i32 walk_between(i32 ax, i32 ay, i32 bx, i32 by) {
  return (chebyshev(ax, ay, bx, by) + 1) >> 1;
}

enum {
  SCAN_SPOTS = 256,          /* most spots for classes */
  SCAN_ROUTE_SPOTS = 64,     /* most spots for routes and fewest scans: one word */
  SCAN_SIDE = 32000,         /* longest side of a window, in tiles */
  SCAN_CELLS = 1 << 21,      /* most cells */
  SCAN_RANGE = 505,          /* largest range, meerkats included */
  SCAN_COORDINATE = 1 << 20, /* largest absolute coordinate of a square's centre */
};

/* A map: input and buffers first, then what the functions compute. Coordinates are tiles relative to the
 * window's lowest corner. */
typedef struct ScanMap {
  i32 spots;         /* 0 .. SCAN_SPOTS */
  i32 range;         /* 0 .. SCAN_RANGE */
  i32 layers;        /* 2: inner, outer; 3: complement squares too */
  i32 width, height; /* of the window, 1 .. SCAN_SIDE */
  const i32 *centres;   /* 3 per spot: x, y, y of the complement */
  const u64 *walls;     /* bit per tile, a row is (width + 63) / 64 words, 1 = wall; or null */
  const u64 *closed;    /* two such bit maps: no step between a free tile and its western, then its
                         * southern, free neighbour; or null */
  const u64 *elsewhere; /* words: spots on another level than the floor; read if layers == 3 */
  i16 *column_at;       /* capacity width + 1: first tile of each column, then width */
  i16 *row_at;          /* capacity height + 1 */
  i16 *column_of;       /* capacity width + 1: the column of each tile */
  i16 *row_of;          /* capacity height + 1 */
  u64 *column_sets, *column_flips; /* columns * layers * words each */
  u64 *row_sets, *row_flips;       /* rows * layers * words each */
  i32 *labels;                     /* columns * rows: class of a cell, -1 = wall */

  i32 columns, rows; /* set by scan_breaks */
  i32 classes;       /* set by scan_label */
} ScanMap;

/* Fill column_at, row_at, column_of, row_of, columns and rows. Returns the number of cells.
 * BAD: a length or value outside the limits above. TOO_LARGE: over SCAN_CELLS cells. */
i32 scan_breaks(ScanMap *map HAS(1), u8 *scratch HAS(max32(map->width, map->height) + 64));

/* Whether a map satisfies what scan_breaks establishes: limits, buffers in the arena, sorted breaks. */
i32 scan_map_is_broken_up(const ScanMap *map);

/* Fill the four set buffers, for scan_rank; scan_label calls it. BAD as above. */
i32 scan_sets(ScanMap *map HAS(1));

/* Label the connected (4-neighbour) classes, numbered by their first tile, lowest y then lowest x.
 * `edges`: two rows of bits a row and one more, which scan_measure reads (cell_edges.h). Returns the
 * number of classes. */
i32 scan_label(ScanMap *map HAS(1), i32 *parents HAS(map->columns * map->rows),
               u64 *edges HAS((2 * map->rows + 1) * (map->columns / 64 + 1)));

/* Measure the classes. Per class: first_cell (row << 16 | column), tiles, split (an index into splits).
 * A split is six counts: spots that give single, double, triple on this level, then the same for
 * "different level" (zero without levels); splits are numbered by the first class that has them.
 * Rectangles: the classes cut into rectangles x0, y0, x1, y1 (inclusive) with the class of each, in
 * raster order of their first tiles. `hash_size`: a power of two above 2 * classes.
 * found[0] = number of splits, found[1] = of distinct profiles, found[2] = of rectangles; if that is
 * above `room`, the list is cut short. TOO_LARGE: more than split_room splits. */
i32 scan_measure(const ScanMap *map HAS(1), i32 *first_cell HAS(map->classes), i32 *tiles HAS(map->classes),
                 i32 *split HAS(map->classes), i16 *splits HAS(6 * split_room), i32 split_room,
                 u64 *edges HAS((2 * map->rows + 1) * (map->columns / 64 + 1)), i16 *rects MAY(4 * room),
                 i32 *owners MAY(room), i32 room, i32 *scratch HAS(2 * map->columns),
                 i32 *hash HAS(hash_size), i32 hash_size, i32 *found HAS(3));

/* Compute label boxes and outlines of the classes from the `count` rectangles of scan_measure.
 *
 * Boxes: per class the inscribed rectangle x, y, width, height that maximises
 * min(width * text_height, height * text_width), the best place for a text of that aspect (1, 1:
 * the largest square), ties by area.
 *
 * Outlines are closed rings of tile corners (x, y) with the class on the right hand if y points
 * downwards, so outer rings and holes turn opposite ways. The first ring of a class is its outer one.
 * ring_ends: vertices up to the ring's end; ring_owners: its class. found[0] = rings, found[1] =
 * vertices; if vertex_room or ring_room is too small, only these two are valid. BAD also for rectangles
 * outside this map. */
i32 scan_shapes(const ScanMap *map HAS(1), const i16 *rects HAS(4 * count), const i32 *owners HAS(count),
                i32 count, i32 text_width, i32 text_height, i16 *boxes HAS(4 * map->classes),
                i16 *vertices MAY(2 * vertex_room), i32 vertex_room, i32 *ring_ends MAY(ring_room),
                i32 *ring_owners MAY(ring_room), i32 ring_room, u8 *seen HAS(map->columns * map->rows),
                i32 *scratch HAS(3 * map->columns + 2 + 2 * map->classes), i32 *found HAS(2));

/* ---- Routes (plan.c, successors.c, discrepancy_search.c) ------------------------------------
 *
 * A walk of d tiles (Chebyshev; with walls, d steps) takes ceil(d / 2) ticks, a scan `stop` ticks: the
 * time to look and enter the pulse. A triple shows the spot; a known spot is reached within one tile of
 * it: floor(d / 2) ticks. All spots are equally likely, so values are totals of ticks over the spots of
 * a set: integers, no rounding. A path may also use teleports and stairs.
 */

enum {
  SCAN_BREAKS = 6 * SCAN_ROUTE_SPOTS, /* sides of three squares a spot, per axis */
  SCAN_ACTIONS = 32,                  /* most actions returned for a state */
  SCAN_LISTED_LEAST = 12,             /* SEARCH reranks a list of at least so many */
  SCAN_LISTED = 3 * SCAN_ACTIONS,     /* and at most so many actions */
  SCAN_PARTS = 4, /* answers that leave several spots: single, double; both with "different level" */
  SCAN_PLANE = 16000,  /* largest absolute coordinate of a plan */
  SCAN_NEVER = 1 << 28, /* ticks: infinite */
  SCAN_STOP = 1000, /* most ticks a scan */
  SCAN_NOWHERE = -32768, /* x of an action that does not exist */
  /* bytes of one entry of the tables and pools that the caller allocates */
  SCAN_KNOWN_ENTRY = 24,
  SCAN_POOLED_SCAN = 40,
  SCAN_BOUNDS_ENTRY = 16,
  SCAN_CELL_BOUND_ENTRY = 16,
};

/* Tags of the structs (seal.h). */
enum {
  SCAN_PLAN = TAG('s', 'p', 'l', 'n'),
  SCAN_SEARCH = TAG('s', 's', 'r', 'c'),
  SCAN_FEWEST = TAG('s', 'f', 'e', 'w'),
  SCAN_LISTEN = TAG('s', 'l', 's', 'n'),
  SCAN_KIN = TAG('s', 'k', 'i', 'n')
};

/* Policies that rank actions, best first.
 * BITS: most information, then nearest, then lowest y, then lowest x. RATE: fewest ticks per bit.
 * LOOKAHEAD: walk + mean walk to the spots + 4 ticks per remaining bit, at the nearest tile of each cell.
 * SEARCH: 3 ticks per remaining bit; also at the equally near tile of the cell that is closest to the
 * centre of the remaining spots. The best of a list of twice the size are reranked with the heuristic
 * cost-to-go (scan_cost_to_go) in place of the bits.
 * Both weights grow by 1.3 for each tick of a stop beyond the first. */
enum { SCAN_BITS = 0, SCAN_RATE = 1, SCAN_RANK_LOOKAHEAD = 2, SCAN_RANK_SEARCH = 3 };

/* A side of a spot's square on one axis: the first tile inside, or the first beyond. */
typedef struct ScanSide {
  i16 at;
  u8 spot, layer;
} ScanSide;

/* Terrain: a grid with steps between neighbouring tiles and, per spot, the steps to within one tile of
 * it. The caller chooses the grid so that no path outside it is shorter. The scan window is the part of
 * the grid where scans and starts may be; only its tiles have distances to the spots.
 *
 * A step has one of eight directions, numbered W, N, E, S, NW, NE, SE, SW; north is y + 1. Steps may
 * lead off a wall, never onto one. A walk is the one that the game takes: a breadth-first search from
 * its start that tries W, E, S, N, SW, SE, NW, NE.
 *
 * Floors joined by stairs lie above each other in one grid (terrain.h). */
enum { SCAN_DIRECTIONS = 8, SCAN_ROOM = 2, SCAN_BLOCK = 8, SCAN_SEARCHES = 64 };

/* Per cell of a state: the cost of a scan there without the walks, and the score above which another
 * tile of its partition is of no use. */
typedef struct ScanCellBound { double fixed, score; } ScanCellBound;
_Static_assert(sizeof(ScanCellBound) == SCAN_CELL_BOUND_ENTRY, "callers allocate by this size");

/* A breadth-first search that can be resumed. */
typedef struct ScanBfs {
  i32 tile;              /* its start; -1: off the grid, -2: unused */
  i32 expanded, reached; /* queue entries expanded, and all */
  i32 teleports;         /* how many teleports have been appended to the queue */
  u32 stairs;            /* which ends of stairs have been, as bits */
  i32 joined_until;      /* all arrivals up to this number of steps have been */
  i32 last_used;
} ScanBfs;

typedef struct ScanGround {
  i32 x0, y0, width, height;
  i32 level, floors; /* lowest floor and number of floors, each of `height` rows; without stairs 0, 1 */
  i32 tiles, states; /* set by the kernel: floors * width * height, and a count of states generated */
  i32 near_x, near_y, near_width, near_height; /* the scan window of each floor, relative to the grid */
  i32 prefer_room; /* rank tiles with room higher: a tile of room counts as 0.1 ticks per spot */
  const u64 *walls; /* as in ScanMap */
  const u64 *steps; /* SCAN_DIRECTIONS such bit maps, 1 = a step in that direction */
  u8 *exits,
      *entries; /* tiles, set by scan_ground: bit k = a step from, or to it, in terrain.h's direction k */
  u64 *near_sets;   /* 3 * (near_width + floors * near_height), set by scan_ground: per column, then per row
                     * of the scan window the spots whose squares cover it, by layer */
  i16 *near_cells;  /* near_width + floors * near_height: scratch, the cell numbers of columns and rows */
  struct ScanCellBound *cell_bounds; /* min32(near_width, SCAN_BREAKS) * floors * min32(near_height,
                                      * SCAN_BREAKS): scratch */
  u16 *to_spot;     /* floors * near_width * near_height tiles, each with a number per spot, 0xffff =
                     * unreachable; and 8 numbers more, so that vectors may read beyond the end */
  u16 *block_steps; /* the minimum of to_spot over blocks of SCAN_BLOCK x SCAN_BLOCK tiles; and 8 more */
  i32 *block_bounds; /* two a block: scratch, lower bounds of the ticks to all spots, then with a scan */
  i32 slots;        /* resumable searches, 1 .. SCAN_SEARCHES: the next three have as many parts */
  u16 *distance;    /* tiles: scratch */
  u8 *arrived;      /* tiles: scratch, the direction of the step by which the search reached a tile */
  i32 *queue;       /* tiles: scratch */
  i32 *path;        /* tiles: scratch */
  i32 offset[SCAN_DIRECTIONS];      /* set by scan_ground: tile number plus this is the neighbour */
  u8 covered[SCAN_DIRECTIONS][256]; /* likewise: directions already covered after a step (bfs_expand) */
  u16 *distances;   /* likewise: the parts of the first slot */
  u8 *arrivals;
  i32 *queues;
  ScanBfs searches[SCAN_SEARCHES];
} ScanGround;

/* A teleport, usable at any tile: its landing tile, and the ticks until the player stands there. With
 * stairs y includes the level. */
enum { SCAN_TELEPORTS = 64, SCAN_TELEPORT_TICKS = 100 };
typedef struct ScanTeleport { i32 x, y, ticks; } ScanTeleport;

/* Stairs between two tiles, mostly of two levels, usable in both directions. */
enum { SCAN_STAIRS = 16, SCAN_ENDS = 2 * SCAN_STAIRS, SCAN_LEVELS = 4, SCAN_STAIRS_TICKS = 100 };
typedef struct ScanStairs { i32 x, y, level, to_x, to_y, to_level, ticks; } ScanStairs;

/* The ends of stairs. On open floors also shortest paths over walks and stairs: the ticks between all
 * ends, and from each end to within a tile of each spot. */
typedef struct ScanFloors {
  i32 ends; /* two for each stairs, 0 without */
  i32 x[SCAN_ENDS], y[SCAN_ENDS], level[SCAN_ENDS], ticks[SCAN_STAIRS];
  i32 between[SCAN_ENDS][SCAN_ENDS], to_spot[SCAN_ENDS][SCAN_ROUTE_SPOTS];
  i32 spot_level[SCAN_ROUTE_SPOTS];
  u64 elsewhere[SCAN_LEVELS]; /* by the scanner's level, the spots on other levels */
} ScanFloors;

typedef struct ScanPlan {
  Tag seal; /* first: the spots */
  i32 spots, range, layers;
  i32 on_the_way; /* use the pulse at every second tick of a walk */
  i32 stop;       /* ticks of a scan */
  i16 x[SCAN_ROUTE_SPOTS], y[SCAN_ROUTE_SPOTS], other_y[SCAN_ROUTE_SPOTS];
  u64 elsewhere;
  double weight[SCAN_ROUTE_SPOTS + 1]; /* n log2 n (scan_weights) */
  i32 sides;
  ScanSide columns[SCAN_BREAKS], rows[SCAN_BREAKS]; /* sorted by `at` */
  ScanGround *ground;                               /* &own_ground; null on the open plane */
  ScanGround own_ground;
  i32 teleports; /* how many */
  ScanTeleport teleport[SCAN_TELEPORTS], by_ticks[SCAN_TELEPORTS]; /* in the caller's order; by ticks */
  i32 teleport_ticks[SCAN_ROUTE_SPOTS]; /* to each spot by the best teleport, SCAN_NEVER: none */
  i16 distance_cap[SCAN_ROUTE_SPOTS]; /* the distance in tiles from which on that is faster, 32767: none */
  ScanFloors floors;
} ScanPlan;

/* A scan: where its answer is known (x, y), the tile walked to (the same unless a pulse on the way gives
 * the answer), and the spots that each answer leaves. */
typedef struct ScanAction {
  double score;
  i32 cost; /* set size * ticks until the answer + ticks to the spots that a triple shows */
  i16 x, y, to_x, to_y;
  i32 level; /* of both with stairs, else 0 */
  u64 parts[SCAN_PARTS];
} ScanAction;

/* With stairs, functions take and return a tile's y with its level: y + 65536 * level. Without stairs
 * every tile is on level 0. */
static inline i32 scan_on_level(i32 y, i32 level) { return y + (level << 16); }
static inline i32 scan_level_of(i32 y) { return (y + 32768) >> 16; }
static inline i32 scan_y_of(i32 y) { return (i16)y; }

static inline u64 scan_all_spots(const ScanPlan *plan) {
  return plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
}

static inline i32 scan_off_plane(i32 x, i32 y) {
  return x < -SCAN_PLANE || x > SCAN_PLANE || y < -SCAN_PLANE || y > SCAN_PLANE;
}

/* The parts of a partition from the spots that give a single, a double, and the sign "different level". */
static inline void split_parts(u64 single, u64 twice, u64 other, u64 *parts) {
  parts[0] = single & ~other;
  parts[1] = twice & ~other;
  parts[2] = single & other;
  parts[3] = twice & other;
}

/* Whether a tile is outside a plan's coordinates. */
static inline i32 scan_off_plan(const ScanPlan *plan, i32 x, i32 y) {
  if (!plan->floors.ends) return scan_off_plane(x, y);
  return y < -SCAN_PLANE || scan_level_of(y) >= SCAN_LEVELS || scan_off_plane(x, scan_y_of(y));
}

/* sizeof ScanPlan, sizeof ScanSearch. */
i32 scan_plan_bytes(void);
i32 scan_search_bytes(void);

/* Initialise a plan for 1 .. 64 spots on the open plane. `centres` as in ScanMap, but in map coordinates
 * (within +-SCAN_PLANE); `elsewhere`: one word. BAD otherwise. */
i32 scan_plan(ScanPlan *plan HAS(1), const i32 *centres HAS(3 * spots), i32 spots, i32 range, i32 layers,
              const u64 *elsewhere MAY(1), i32 on_the_way, i32 stop);

/* Use pulses seen while walking, or not. */
i32 scan_on_the_way(ScanPlan *plan LIVE, i32 on);

/* Add terrain to a plan, after its stairs; at most 2^22 tiles. Then call scan_ground_spot for every spot,
 * which fills its to_spot. scan_reach: the spots reachable from a tile, as a bit set in `out`. */
i32 scan_ground(ScanPlan *plan LIVE, ScanGround *ground HAS(1));
i32 scan_ground_spot(ScanPlan *plan LIVE, i32 spot);
i32 scan_reach(ScanPlan *plan LIVE, i32 x, i32 y, u64 *out HAS(1));

/* The tiles of the walk on one floor from (x, y) to the nearest tile within `within` (0 or 1) of (to_x,
 * to_y), both ends included: y << 16 | x relative to the floor's lowest corner. Returns how many, 0 =
 * unreachable. BAD: no terrain, no such tile, more than `room`. */
i32 scan_path(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y, i32 within, i32 *out HAS(room),
              i32 room);

/* The steps from each tile of a floor to within `within` (0 or 1) of a tile on it, row by row; 0xffff =
 * unreachable. BAD: no terrain, no such tile, or `room` is not the number of a floor's tiles. */
i32 scan_steps_to(ScanPlan *plan LIVE, i32 x, i32 y, i32 within, u16 *out HAS(room), i32 room);

/* The room of a tile of the scan window: the largest distance, up to SCAN_ROOM, within which every free
 * tile gives each spot of the set the same answer. BAD: no terrain, or outside the window. */
i32 scan_room(ScanPlan *plan LIVE, const u64 *set HAS(1), i32 x, i32 y);

/* Set the teleports that paths may use; count 0 removes them. Call it after scan_ground_spot; on terrain
 * a teleport lands on a free tile of the scan window. BAD: more than SCAN_TELEPORTS, or out of bounds. */
i32 scan_teleports(ScanPlan *plan LIVE, const ScanTeleport *places HAS(count), i32 count);

/* Make a plan one over several levels that only stairs join. `levels`: of each spot; a spot is dug on its
 * level. Call it before terrain and teleports are set. On terrain an end on a wall or off the grid leads
 * nowhere. scan_exact and scan_family return BAD for such plans.
 * BAD: no stairs, more than SCAN_STAIRS, or out of bounds. */
i32 scan_stairs(ScanPlan *plan LIVE, const ScanStairs *stairs HAS(count), i32 count,
                const i32 *levels HAS(first(plan)));

/* The number, from 1, of the teleport with which the path from (x, y) to a tile, or to within a tile of a
 * spot, is shortest; 0 if no teleport makes it shorter. */
i32 scan_way(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y);
i32 scan_dig(ScanPlan *plan LIVE, i32 x, i32 y, i32 spot);

/* The best `room` <= SCAN_ACTIONS actions with distinct partitions, best first. Returns how many.
 * BAD: no such set or policy. */
i32 scan_actions(ScanPlan *plan LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 policy, i32 room,
                 ScanAction *out HAS(room));

/* Ticks from a tile to within a tile of each spot (SCAN_NEVER = unreachable). */
i32 scan_ticks(ScanPlan *plan LIVE, i32 x, i32 y, i32 *out HAS(first(plan)));

/* Ticks of the shortest path from (x, y) to (to_x, to_y); SCAN_NEVER = unreachable. */
i32 scan_walk(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y);

/* A tile to scan at, and its cell of the map. */
typedef struct ScanCell {
  double score;
  i32 ticks; /* to walk there */
  i16 x, y, column, row;
} ScanCell;

/* Rank the scans of a map with any number of spots (many_spots.c): the cells of a map without walls, after
 * scan_breaks and scan_sets, each partition once, at the tile nearest to (x, y), in the map's own
 * coordinates; SCAN_RANK_SEARCH without its second tile and reranking. Processes the rows first .. end - 1
 * in the order of their distance from y, and continues from the `count` cells in `out`. Scratch:
 * `weights`, `order`. Returns the new count. */
i32 scan_rank(const ScanMap *map HAS(1), i32 x, i32 y, i32 policy, i32 stop, i32 first, i32 end, i32 count,
              i32 room, ScanCell *out HAS(room), double *weights HAS(map->spots + 1), i16 *order HAS(end));
double scan_left_weight(i32 policy, i32 stop); /* ticks per remaining bit in a score */

/* Limited-discrepancy search (discrepancy_search.c). A state is a set of spots and a tile. Its actions are
 * ranked; rank 0 is free, ranks 1-2 cost 1, 3-7 cost 2, 8-19 cost 3, 20-31 cost 4 of an allowance of
 * discrepancies, and all answers inherit the rest. Sets of up to four spots are searched with a fixed
 * width at no cost. With `every`, all actions of the root are tried, with allowance 0 for those that it
 * cannot pay: the root's value is then at most that of any action listed for it.
 *
 * scan_search: initialise; `table` is the transposition table, shared by all searches of one plan.
 * scan_search_start: set the root (allowance 0 .. 15; `limit`: the cutoff). scan_search_run: continue for
 * about `states` states; 1 = finished. scan_search_value: the total; out = the best action, SCAN_NOWHERE
 * if none excludes a spot. */
typedef struct ScanSearch ScanSearch;
i32 scan_price(i32 rank); /* the discrepancies that an action of that rank costs */
i32 scan_search(ScanSearch *search HAS(scan_search_bytes()), ScanPlan *plan LIVE,
                void *table HAS(SCAN_KNOWN_ENTRY * power(bits)), i32 bits);
i32 scan_search_start(ScanSearch *search LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 allowance, i32 every,
                      i32 limit);
i32 scan_search_run(ScanSearch *search LIVE, i32 states);
i32 scan_search_value(ScanSearch *search LIVE, ScanAction *out HAS(1));

/* ---- Plans over runs (run_search.c) ---------------------------------------------------------
 *
 * On a run the player watches the pulse. Its display is renewed at the even or at the odd ticks of a run
 * (the phase, unknown); a tick is two tiles, the diagonal first. The first change that each phase
 * displays for a spot is reported 0 to `reaction` ticks later. Two spots belong to one outcome if a
 * report of one is also a report of the other, with the same pulse (closed transitively); a triple shows
 * its spot. After a report the player runs on to the tick of the outcome's last possible report. Changes
 * that may be reported in the last tick or later do not count: the player runs to the end and scans,
 * `stop` ticks, unless only one spot has no report. If the spots differ at the start, the player watches
 * from the first tick at which they differ. Each outcome leads to a new state with its spots. The sign
 * "different level" is not watched; with stairs a run stays on its level, and the tiles of its outcomes
 * omit it. In every state the plan that only scans is searched as well, with an allowance smaller by
 * `less`, and the better one counts.
 *
 * scan_listen: initialise; without pulses on the way; `table` as for scan_search, and a search of the
 * same plan, which it uses. scan_listen_start: set the root (allowance 0 .. 15; less >= 0).
 * scan_listen_run: continue for about `states` states; 1 = finished. scan_listen_value: the total;
 * runs[0] = whether a run is best; `step` = the end of the run, or the best scan (SCAN_NOWHERE if none
 * excludes a spot). */
enum { SCAN_REACTION = 4 };
typedef struct ScanListen ScanListen;
i32 scan_listen_bytes(void);
i32 scan_listen(ScanListen *listen HAS(scan_listen_bytes()), ScanPlan *plan LIVE, ScanSearch *search LIVE,
                void *table HAS(SCAN_KNOWN_ENTRY * power(bits)), i32 bits, i32 reaction);
i32 scan_listen_start(ScanListen *listen LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 allowance, i32 less);
i32 scan_listen_run(ScanListen *listen LIVE, i32 states);
i32 scan_listen_value(ScanListen *listen LIVE, ScanAction *step HAS(1), i32 *runs HAS(1));

/* ---- States of few spots, exactly (cost_field.c) --------------------------------------------
 *
 * V(S, p) = min over tiles q of [ |S| (ticks(p, q) + stop) + ticks from q to the spots that a triple shows
 *                                 + sum over the other answers of V(S_answer, q) ]
 *
 * on the open plane, by dynamic programming over all subsets and tiles.
 *
 * scan_exact: the least total of a set of 2 .. SCAN_EXACT spots from (x, y), or `upper` if no plan takes
 * less; out = the first scan of such a plan (only its tile), SCAN_NOWHERE if there is none. `pool`: `room`
 * numbers of two bytes. TOO_LARGE: the pool is too small, or totals reach 65535. BAD: with terrain, stairs
 * or pulses on the way, or values outside the limits. */
enum { SCAN_EXACT = 7 };
typedef struct ScanExact ScanExact;
i32 scan_exact_bytes(void);
i32 scan_exact(ScanExact *exact HAS(scan_exact_bytes()), const ScanPlan *plan LIVE, const u64 *set HAS(1),
               i32 x, i32 y, i32 upper, void *pool HAS(2 * room), i32 room, ScanAction *out HAS(1));

/* ---- Restricted dynamic program (restricted_dp.c) -------------------------------------------
 *
 * A family of sets grows from seeds, each with the tile from which its scans are ranked and an allowance:
 * the sets that the best ranked scans of a member leave join it, with the ranking and the costs of
 * scan_search, until the allowances are used up or the family is full. The result is an optimal plan
 * among all plans whose states are members: at any tile, with any scan whose answers leave members or
 * fewer than two spots. So it is never worse than a plan whose states are the seeds.
 *
 * scan_family: initialise; the first seed is the set of all remaining spots and the start tile; `upper`:
 * a known total, only plans below it are of interest. The open plane, without pulses on the way. `pool`:
 * `room` numbers of two bytes; a member whose values do not fit is left out. scan_family_run: continue
 * for about `work` tiles; 1 = finished. scan_family_list: the members, as many as fit; returns how many
 * there are. scan_family_value: the least total of a member from a tile at which such a plan may leave
 * it; out = its first scan (only its tile); SCAN_NEVER and SCAN_NOWHERE if there is none below `upper`.
 * TOO_LARGE (also from the run): the map does not fit, or totals reach 65535. */
typedef struct ScanFamily ScanFamily;
typedef struct ScanSeed {
  u64 set;
  i16 x, y;
  i32 allowance; /* 0 .. 15 */
} ScanSeed;
i32 scan_family_bytes(void);
i32 scan_family(ScanFamily *family HAS(scan_family_bytes()), ScanPlan *plan LIVE,
                const ScanSeed *seeds HAS(count), i32 count, i32 upper, void *pool HAS(2 * room), i32 room);
i32 scan_family_run(ScanFamily *family LIVE, i32 work);
i32 scan_family_list(ScanFamily *family LIVE, u64 *out HAS(room), i32 room);
i32 scan_family_value(ScanFamily *family LIVE, const u64 *set HAS(1), i32 x, i32 y, ScanAction *out HAS(1));

/* ---- Shared by the files of routes ---------------------------------------------------------- */

/* Ticks to within a tile of each spot of a set, summed; unreachable counts as 16384. */
i32 scan_walks_to_spots(const ScanPlan *plan, i32 x, i32 y, u64 set);
/* Heuristic cost-to-go beyond those ticks (heuristic.c); the second over runs, after an outcome with one
 * of some pulses, for ranking only. Both are 0 for fewer than two spots. */
double scan_cost_to_go(const ScanPlan *plan, u64 set, i32 x, i32 y);
double scan_cost_to_go_runs(const ScanPlan *plan, u64 set, i32 x, i32 y, i32 pulses);
/* Ticks of the shortest path between two tiles, and its teleport in `by` (from 1; 0: none). */
i32 scan_quickest(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y, i32 *by);
/* Ticks to a tile of open ground by the best teleport. */
i32 scan_by_teleport(const ScanPlan *plan, i32 x, i32 y);
/* Ticks of the shortest path over open floors without teleports. */
i32 scan_over_stairs(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y);
/* The last walk of the shortest path over open floors: sets (x, y) to its start, returns the ticks before. */
i32 scan_last_run(const ScanPlan *plan, i32 *x, i32 *y, i32 to_x, i32 to_y);
/* Whether a search is one of that plan. */
i32 scan_search_of(const ScanSearch *search, const ScanPlan *plan);

/* weights[n] = n log2 n up to `count`, from logarithms of primes rounded to 2^-30: sums of these are
 * exact, so partitions of equal information have equal sums whatever their sizes (6, 2 and 4, 3, 3). */
void scan_weights(double *weights, i32 count);

/* ---- Fewest scans (fewest.c) ----------------------------------------------------------------
 *
 *   F(S) = |S| + min over scans [ sum over answers of F(S_answer) ], F = 0 for one spot
 *
 * the least total of scans over the spots of a set, whatever their distances. A triple shows the spot;
 * with levels there are four answers that leave several spots. Exact, by iterative deepening (fewest.c).
 *
 * With `slack`, at most SCAN_SLACK, a scan is made at some tile within that distance of the planned one.
 * `merged` is a sum of SCAN_PLACES: an answer leaves all spots that give it at one of those tiles; and
 * SCAN_PULSES: a single may be a double. Then a spot may be in several parts and counts in each, so the
 * total is an upper bound of the scans until one spot is certain; without merging it is a lower bound.
 *
 * scan_fewest: initialise for the spots of `plan`; on terrain scans are made at tiles reachable from (x,
 * y), with stairs on every level they lead to. Returns the number of spots that no scan distinguishes
 * from some other spot; unless that is 0, nothing can be proved and scan_fewest_run must not be called.
 * TOO_LARGE: the pool is too small (also from the run).
 * scan_fewest_run: continue for about `work` steps; 1 = proved. bounds[0] = a lower bound of F(all),
 * bounds[1] = the number of scans that no other dominates. */
enum { SCAN_PLACES = 1, SCAN_PULSES = 2, SCAN_SLACK = 2 };
typedef struct ScanFewest ScanFewest;
i32 scan_fewest_bytes(void);
i32 scan_fewest(ScanFewest *fewest HAS(scan_fewest_bytes()), const ScanPlan *plan LIVE, i32 x, i32 y,
                i32 slack, i32 merged, void *pool HAS(SCAN_POOLED_SCAN * pool_room), i32 pool_room,
                void *table HAS(SCAN_BOUNDS_ENTRY * power(bits)), i32 bits);
i32 scan_fewest_run(ScanFewest *fewest LIVE, i32 work, i32 *bounds HAS(2));

#endif
