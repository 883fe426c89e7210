/* The scan desk's kernel: classes of equal pulses on a map, routes between them, fewest scans.
 *
 * A spot is a place where the treasure may lie; only the spots that remain are handed in. Sets
 * of spots are bit sets: spot i is bit (i % 64) of word (i / 64).
 *
 *   pulse of spot s on tile t, d = max(|tx - sx|, |ty - sy|), range r
 *      d <= r           triple    inside the inner square
 *      r < d <= 2r      double    inside the outer square only
 *      2r < d           single
 *
 * With levels a third square, side r + 15 round the spot's complement, changes the second bit of
 * an answer ("different level") for spots on the floor one stands on.
 *
 * ---- Classes (classes.c, measure.c, shapes.c) ----------------------------------------------
 *
 * The sides of the squares cut the window into columns and rows. A tile's profile is, per kind
 * of square, columns' set AND rows' set, so whole cells (column x row) share a profile:
 *
 *   column sets, V = layers * words words a column       row sets, likewise
 *   [ inner: word 0 .. | outer: word 0 .. | complement ]
 *
 * Neighbouring columns x-1, x differ on row y iff (column flip of x) AND (row set of y) != 0,
 * where the flip is the XOR of both column sets. No cell ever stores its mask. Between two rows
 * only the columns of the squares that begin or end there change (cell_edges.h); all else is taken over
 * from the row above. Walls are further breaks, so that there is one code path; in the worst case a
 * cell is a tile.
 *
 * Call in this order: scan_breaks, scan_label, scan_measure, scan_shapes. Peak for 2 M cells and
 * 500 000 classes: about 60 MB.
 */
#ifndef CLUEWISE_SCAN_H
#define CLUEWISE_SCAN_H

#include "kernel.h"

/* Tiles from one tile to another, diagonal steps allowed. */
static inline i32 chebyshev(i32 ax, i32 ay, i32 bx, i32 by) {
  return max32(abs32(ax - bx), abs32(ay - by));
}

/* Ticks of the straight walk between two tiles, two tiles a tick. */
static inline i32 walk_between(i32 ax, i32 ay, i32 bx, i32 by) {
  return (chebyshev(ax, ay, bx, by) + 1) >> 1;
}
#include "shared/seal.h"

enum {
  SCAN_SPOTS = 256,          /* most spots for classes */
  SCAN_ROUTE_SPOTS = 64,     /* most spots for routes and fewest scans: one word */
  SCAN_SIDE = 32000,         /* longest side of a window, in tiles */
  SCAN_CELLS = 1 << 21,      /* most cells */
  SCAN_RANGE = 505,          /* largest range, meerkats included */
  SCAN_COORDINATE = 1 << 20, /* largest absolute coordinate of a square's centre */
};

/* The caller writes the first block, the functions
 * the second. Coordinates are tiles relative to the window's lowest corner. */
typedef struct ScanMap {
  i32 spots;         /* 0 .. SCAN_SPOTS */
  i32 range;         /* 0 .. SCAN_RANGE */
  i32 layers;        /* 2: inner, outer; 3: complement squares too */
  i32 width, height; /* of the window, 1 .. SCAN_SIDE */
  const i32 *centres;   /* 3 per spot: x, y, y of the complement */
  const u64 *walls;     /* bit per tile, a row is (width + 63) / 64 words, 1 = wall; or null */
  const u64 *closed;    /* two such bit maps: no step between the tile and its western, then its
                         * southern neighbour, although both are no walls; or null */
  const u64 *elsewhere; /* words: spots on another level than the floor; read if layers == 3 */
  i16 *column_at;       /* room width + 1: first tile of each column, then width */
  i16 *row_at;          /* room height + 1 */
  i16 *column_of;       /* room width + 1: the column of each tile */
  i16 *row_of;          /* room height + 1 */
  u64 *column_sets, *column_flips; /* columns * layers * words each */
  u64 *row_sets, *row_flips;       /* rows * layers * words each */
  i32 *labels;                     /* columns * rows: class of a cell, -1 = wall */

  i32 columns, rows; /* set by scan_breaks */
  i32 classes;       /* set by scan_label */
} ScanMap;

/* Fill column_at, row_at, column_of, row_of, columns and rows. `scratch` has room for
 * (max(width, height) + 64) bytes rounded up to whole words. Returns the number of cells.
 * BAD: a length or value outside the limits above. TOO_LARGE: over SCAN_CELLS cells. */
i32 scan_breaks(ScanMap *map HAS(1), u8 *scratch HAS(max32(map->width, map->height) + 64));

/* 1 if a map is as scan_breaks leaves it: limits kept, buffers in the arena, breaks in order. */
i32 scan_map_is_broken_up(const ScanMap *map);

/* Fill the four set buffers, for scan_rank; scan_label does it by itself. BAD as above. */
i32 scan_sets(ScanMap *map HAS(1));

/* Fill labels with the connected (4-neighbour) classes, numbered by their first tile, lowest y
 * then lowest x. `parents`: room columns * rows. `edges`: two rows of bits a row and one more, of
 * (columns / 64 + 1) words, which scan_measure reads (cell_edges.h). Returns the number of classes. */
i32 scan_label(ScanMap *map HAS(1), i32 *parents HAS(map->columns * map->rows),
               u64 *edges HAS((2 * map->rows + 1) * (map->columns / 64 + 1)));

/* Per class: first_cell (row << 16 | column), tiles, split (an index into splits).
 * Per split six counts: single, double, triple on this level, then the same for "different
 * level" (zero without levels): i16 each. `hash`: room for `hash_size` numbers, a power of two
 * above 2 * classes. `splits` has room for split_room splits; a split is numbered by the first
 * class that has it. The classes as rectangles x0, y0, x1, y1 (inclusive) and the class of each, in
 * raster order of their first tiles. found[0] = number of splits, found[1] = of distinct profiles,
 * found[2] = of rectangles; where that is above `room`, the list is cut short. `scratch`: room for
 * 2 * columns. TOO_LARGE: more splits than room. */
i32 scan_measure(const ScanMap *map HAS(1), i32 *first_cell HAS(map->classes),
                 i32 *tiles HAS(map->classes), i32 *split HAS(map->classes),
                 i16 *splits HAS(6 * split_room), i32 split_room,
                 u64 *edges HAS((2 * map->rows + 1) * (map->columns / 64 + 1)),
                 i16 *rects MAY(4 * room), i32 *owners MAY(room), i32 room,
                 i32 *scratch HAS(2 * map->columns),
                 i32 *hash HAS(hash_size), i32 hash_size, i32 *found HAS(3));

/* What is drawn of each class, from the `count` rectangles of scan_measure.
 *
 * Boxes: the inscribed rectangle x, y, width, height that maximises
 * min(width * text_height, height * text_width), the best place for a text of that aspect (1, 1:
 * the largest square), ties by area.
 *
 * Outlines as closed rings of tile corners (x, y), the class on the right hand seen with y
 * downwards: outer rings and holes turn opposite ways. The first ring of a class is its outer
 * one. ring_ends: vertices up to the ring's end; ring_owners: its class. found[0] = rings,
 * found[1] = vertices; without room for all (vertex_room, ring_room) only these are right.
 *
 * `seen`: room for columns * rows bytes, `scratch`: for 3 * columns + 2 + 2 * classes numbers. BAD also
 * for rectangles that are none of this map's. */
i32 scan_shapes(const ScanMap *map HAS(1), const i16 *rects HAS(4 * count),
                const i32 *owners HAS(count), i32 count, i32 text_width, i32 text_height,
                i16 *boxes HAS(4 * map->classes), i16 *vertices MAY(2 * vertex_room),
                i32 vertex_room, i32 *ring_ends MAY(ring_room), i32 *ring_owners MAY(ring_room),
                i32 ring_room, u8 *seen HAS(map->columns * map->rows),
                i32 *scratch HAS(3 * map->columns + 2 + 2 * map->classes), i32 *found HAS(2));

/* ---- Routes (plan.c, successors.c, discrepancy_search.c) -------------------------------------------------------------
 *
 * A walk of d tiles (Chebyshev; with walls, d steps) takes ceil(d / 2) ticks, a scan `stop` ticks
 * more: what one needs to look and press. A triple shows the spot; a known spot is reached within
 * one tile of it: floor(d / 2) ticks. All spots that remain are equally likely, so values are
 * totals of ticks over the spots of a set: whole numbers, no rounding.
 */

enum {
  SCAN_BREAKS = 6 * SCAN_ROUTE_SPOTS, /* sides of three squares a spot, per axis */
  SCAN_ACTIONS = 32,                  /* most actions kept of one state */
  SCAN_LISTED_LEAST = 12,             /* of so many at least the best are chosen, */
  SCAN_LISTED = 3 * SCAN_ACTIONS,     /* and at most; runs ask for more than SCAN_ACTIONS */
  SCAN_PARTS = 4, /* answers that leave several spots: single, double; both on another level */
  SCAN_PLANE = 16000,  /* largest absolute coordinate of a plan */
  SCAN_NEVER = 1 << 28,
  SCAN_STOP = 1000, /* most ticks a scan */
  SCAN_NOWHERE = -32768, /* x of an action where there is nothing to ask */
  /* bytes of one entry of the tables and pools that the caller makes room for */
  SCAN_KNOWN_ENTRY = 24,
  SCAN_POOLED_SCAN = 40,
  SCAN_BOUNDS_ENTRY = 16,
  SCAN_FIRST_SCAN = 48,
  SCAN_SEEN_ENTRY = 16,
};

/* How actions are ranked. BITS: most information, then nearest, then lowest y, then lowest x.
 * RATE: fewest ticks per bit.
 * LOOKAHEAD: walk + mean ticks left + 4 bits left, from the nearest tile of each class.
 * SEARCH: the same with 3 bits left, and also from the equally near tile that lies best for the
 * spots left; of twice as many as asked for, SCAN_LISTED_LEAST at least, those are the best from which
 * least is likely to be left (scan_cost_to_go), in place of the bits. A dearer stop makes what is left
 * dearer: 1.3 bits more a tick beyond the first. */
enum {
  SCAN_PLAN = TAG('s', 'p', 'l', 'n'),
  SCAN_SEARCH = TAG('s', 's', 'r', 'c'),
  SCAN_FEWEST = TAG('s', 'f', 'e', 'w'),
  SCAN_LISTEN = TAG('s', 'l', 's', 'n'),
  SCAN_KIN = TAG('s', 'k', 'i', 'n')
};

enum { SCAN_BITS = 0, SCAN_RATE = 1, SCAN_RANK_LOOKAHEAD = 2, SCAN_RANK_SEARCH = 3 };

typedef struct ScanSide {
  i16 at;
  u8 spot, layer;
} ScanSide;

/* The walkable grid as steps between neighbouring tiles and, per spot, the steps to walk until within
 * one tile of it. No way outside the grid is shorter. Where one may scan, and where one starts, is a
 * part of it: only that part keeps the distances to the spots.
 *
 * A step has one of eight directions, numbered W, N, E, S, NW, NE, SE, SW; north is y + 1. Steps may
 * lead off a wall; none leads onto one. A walk is the one that the game takes: a breadth-first search
 * from its start that tries W, E, S, N, SW, SE, NW, NE. */
enum { SCAN_DIRECTIONS = 8, SCAN_ROOM = 2, SCAN_BLOCK = 8 };
/* Of a cell of a state: `fixed`, what a scan there costs without the walks, and a score of its partition
 * that is known. */
typedef struct ScanSeen {
  double fixed, score;
} ScanSeen;
_Static_assert(sizeof(ScanSeen) == SCAN_SEEN_ENTRY, "as callers make room");
/* A search from a tile, kept so that it can go on: the tile (-1: none on the grid, -2: no search), how many
 * of its queue are expanded, how many are in it, the teleports that have joined, and when it was used. */
enum { SCAN_WALKS = 64 };
typedef struct ScanWalks {
  i32 tile, expanded, reached, joined, used;
  u32 climbed; /* the ends of stairs that have joined, as bits */
  i32 looked;  /* the steps up to which all have */
} ScanWalks;
typedef struct ScanGround {
  i32 x0, y0, width, height;
  i32 level, floors; /* the lowest floor, and how many lie above each other (terrain.h): each has `height`
                      * rows, and `near_height` rows of the part; without stairs 0, 1 */
  i32 tiles, states; /* filled by the kernel: floors * width * height, and the states looked at */
  i32 near_x, near_y, near_width, near_height; /* of the part, in the grid's own coordinates */
  i32 prefer_room;  /* of tiles with equal answers prefer one with room: a tile of it counts as 0.1 ticks */
  const u64 *walls; /* as in ScanMap */
  const u64 *steps; /* SCAN_DIRECTIONS such bit maps, 1 = one may step that way */
  u8 *exits, *entries; /* tiles, filled by scan_ground: bit k = a step from, or to it, in terrain.h's direction k */
  u64 *near_sets;   /* 3 * (near_width + floors * near_height), filled by scan_ground: by layer, the spots
                     * whose squares hold a column of the part, then a row */
  i16 *near_cells;  /* near_width + floors * near_height: scratch, the numbers of a state's columns and rows */
  struct ScanSeen *seen; /* min32(near_width, SCAN_BREAKS) * floors * min32(near_height, SCAN_BREAKS): scratch */
  u16 *to_spot;     /* floors * near_width * near_height tiles, each with a number per spot, 0xffff = out of reach;
                     * and 8 numbers more */
  u16 *blocks;      /* blocks of SCAN_BLOCK by SCAN_BLOCK tiles of the grid: the least of each, per spot; and 8 more */
  i32 *block_walks; /* two a block: scratch, the least ticks from each to all spots of a state, then with a scan */
  i32 slots;        /* searches from a tile that are kept, 1 .. SCAN_WALKS: each of the next three has as many parts */
  u16 *distance;    /* tiles: scratch */
  u8 *arrived;      /* tiles: scratch, the direction of the step by which a search came */
  i32 *queue;       /* tiles: scratch */
  i32 *path;        /* tiles: scratch */
  i32 away[SCAN_DIRECTIONS]; /* filled by scan_ground like the next, for breadth-first searches */
  u8 covered[SCAN_DIRECTIONS][256];
  u16 *distances;   /* filled by scan_ground: the first slot's parts */
  u8 *arrivals;
  i32 *queues;
  ScanWalks walks[SCAN_WALKS];
} ScanGround;

/* A place that one can be at after so many ticks, wherever one was; with stairs y carries the level. */
enum { SCAN_TELEPORTS = 64, SCAN_TELEPORT_TICKS = 100 };
typedef struct ScanTeleport {
  i32 x, y, ticks;
} ScanTeleport;

/* A way between two tiles, mostly of two levels, gone either way in so many ticks. */
enum { SCAN_STAIRS = 16, SCAN_ENDS = 2 * SCAN_STAIRS, SCAN_LEVELS = 4, SCAN_STAIRS_TICKS = 100 };
typedef struct ScanStairs {
  i32 x, y, level, to_x, to_y, to_level, ticks;
} ScanStairs;

/* Where stairs begin and end, and on open floors what lies between: the ticks from each end to each other,
 * and to within a tile of each spot, by whatever walks and stairs are quickest. */
typedef struct ScanFloors {
  i32 ends; /* two for each stairs, 0 without */
  i32 x[SCAN_ENDS], y[SCAN_ENDS], level[SCAN_ENDS], ticks[SCAN_STAIRS];
  i32 between[SCAN_ENDS][SCAN_ENDS], to_spot[SCAN_ENDS][SCAN_ROUTE_SPOTS];
  i32 spot_level[SCAN_ROUTE_SPOTS];
  u64 elsewhere[SCAN_LEVELS]; /* by the level one is on, the spots on other levels */
} ScanFloors;

typedef struct ScanPlan {
  Tag seal; /* first: the spots */
  i32 spots, range, layers;
  i32 on_the_way; /* count on the pulse at every second tick of a walk */
  i32 stop;       /* ticks of a scan */
  i16 x[SCAN_ROUTE_SPOTS], y[SCAN_ROUTE_SPOTS], other_y[SCAN_ROUTE_SPOTS];
  u64 elsewhere;
  double weight[SCAN_ROUTE_SPOTS + 1]; /* n log2 n, see scan_weights */
  i32 sides;
  ScanSide columns[SCAN_BREAKS], rows[SCAN_BREAKS]; /* sorted by `at` */
  ScanGround *ground;                               /* null on the open plane, else the copy */
  ScanGround own_ground;
  i32 teleports; /* how many, in the order of their ticks next to their own */
  ScanTeleport teleport[SCAN_TELEPORTS], by_ticks[SCAN_TELEPORTS];
  i32 by_teleport[SCAN_ROUTE_SPOTS]; /* ticks to each spot by the best of them, SCAN_NEVER: none */
  i16 far[SCAN_ROUTE_SPOTS]; /* tiles from which on a teleport is nearer, 32767: none */
  ScanFloors floors;
} ScanPlan;

/* Somewhere to stand: where the answer comes, where one was walking to (the same but for news on
 * the way), and what each answer leaves. */
typedef struct ScanAction {
  double score;
  i32 cost; /* set size * ticks until the answer + ticks to the spots that a triple shows */
  i16 x, y, to_x, to_y;
  i32 level; /* of both with stairs, else 0 */
  u64 parts[SCAN_PARTS];
} ScanAction;

/* With stairs a tile's y carries its level, wherever a function takes or hands on a tile:
 * y + 65536 * level. Without, all is on level 0 and y is y. */
static inline i32 scan_on_level(i32 y, i32 level) { return y + (level << 16); }
static inline i32 scan_level_of(i32 y) { return (y + 32768) >> 16; }
static inline i32 scan_y_of(i32 y) { return (i16)y; }

static inline u64 scan_all_spots(const ScanPlan *plan) {
  return plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
}

static inline i32 scan_off_plane(i32 x, i32 y) {
  return x < -SCAN_PLANE || x > SCAN_PLANE || y < -SCAN_PLANE || y > SCAN_PLANE;
}

/* Whether a tile that is handed in is none of a plan's. */
static inline i32 scan_off_plan(const ScanPlan *plan, i32 x, i32 y) {
  if (!plan->floors.ends) return scan_off_plane(x, y);
  return y < -SCAN_PLANE || scan_level_of(y) >= SCAN_LEVELS || scan_off_plane(x, scan_y_of(y));
}

/* sizeof ScanPlan / ScanSearch, for the caller's buffers. */
i32 scan_plan_bytes(void);
i32 scan_search_bytes(void);

/* Set up a plan for 1 .. 64 spots. `centres` as in ScanMap, but in map coordinates (all within
 * +-16000); `elsewhere`: one word. BAD otherwise. */
i32 scan_plan(ScanPlan *plan HAS(1), const i32 *centres HAS(3 * spots), i32 spots, i32 range,
              i32 layers, const u64 *elsewhere MAY(1), i32 on_the_way, i32 stop);

/* Count on pulses seen while walking, or not. */
i32 scan_on_the_way(ScanPlan *plan LIVE, i32 on);

/* Put walls under a plan, after its stairs. `ground` as in ScanGround, at most 2^22 tiles. Then call
 * scan_ground_spot for every spot: fills its to_spot. Then scan_reach(x, y): a bit set of the
 * spots that can be reached from there, in `out`. */
i32 scan_ground(ScanPlan *plan LIVE, ScanGround *ground HAS(1));
i32 scan_ground_spot(ScanPlan *plan LIVE, i32 spot);
i32 scan_reach(ScanPlan *plan LIVE, i32 x, i32 y, u64 *out HAS(1));

/* The tiles of a walk on one floor from (x, y) to the nearest tile within `within` of (to_x, to_y), step by step, both
 * ends included: y << 16 | x relative to the floor's lowest corner. Returns how many, 0 = out of
 * reach. `out` has room for the ground's tiles or `room`. BAD: no walls, no such tile, more than `room`. */
i32 scan_path(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y, i32 within, i32 *out HAS(room), i32 room);

/* The steps from each tile of a floor to within `within` of a place on it, row by row; 0xffff = out of
 * reach. BAD: no walls, no such tile, or `room` is not one floor's tiles. */
i32 scan_steps_to(ScanPlan *plan LIVE, i32 x, i32 y, i32 within, u16 *out HAS(room), i32 room);

/* Tiles, up to SCAN_ROOM, by which one may be off a tile of the part: every tile so near that is no
 * wall gives each spot of the set the same answer. BAD: no walls, or a tile outside the part. */
i32 scan_room(ScanPlan *plan LIVE, const u64 *set HAS(1), i32 x, i32 y);

/* From now on every way may go by a teleport: there, `ticks` wherever one was, and on from it; with
 * none, all ways are walked again. After the walls and their spots; between walls a teleport is on a
 * free tile of the part where one may scan. BAD: more than SCAN_TELEPORTS, or out of bounds. */
i32 scan_teleports(ScanPlan *plan LIVE, const ScanTeleport *places HAS(count), i32 count);

/* From now on a plan is one over several levels: a tile has a level, and leads to other levels by
 * stairs alone, each gone either way. `levels`: of each spot; one digs on its level, and what is
 * heard of it depends on whether one is there. Before any walls and teleports. On terrain an end on a
 * wall or outside leads nowhere. Then exact values, families and fewest scans answer BAD. BAD: no stairs or more than SCAN_STAIRS, or out of bounds. */
i32 scan_stairs(ScanPlan *plan LIVE, const ScanStairs *stairs HAS(count), i32 count,
                const i32 *levels HAS(first(plan)));

/* By which teleport the way from (x, y) to a tile, or to within a tile of a spot, is quickest, from
 * 1 on; 0 where one walks, also if that takes as long. */
i32 scan_way(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y);
i32 scan_dig(ScanPlan *plan LIVE, i32 x, i32 y, i32 spot);

/* The best `room` <= SCAN_ACTIONS actions of distinct partitions, best first. Returns how many.
 * BAD: a set or policy that does not exist. */
i32 scan_actions(ScanPlan *plan LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 policy, i32 room,
                 ScanAction *out HAS(room));

/* Ticks from a tile to each spot: i32 per spot of the plan (SCAN_NEVER = out of reach). */
i32 scan_ticks(ScanPlan *plan LIVE, i32 x, i32 y, i32 *out HAS(first(plan)));

/* Ticks of the way from (x, y) to (to_x, to_y); SCAN_NEVER = out of reach. */
i32 scan_walk(ScanPlan *plan LIVE, i32 x, i32 y, i32 to_x, i32 to_y);

/* A tile to scan from, and its cell of the map. */
typedef struct ScanCell {
  double score;
  i32 ticks; /* to walk there */
  i16 x, y, column, row;
} ScanCell;

/* The same ranking for any number of spots, one step ahead (many_spots.c): the cells of a map without
 * walls, after scan_breaks and scan_sets, each partition once, from the tile nearest to (x, y) in
 * the map's own coordinates; SCAN_RANK_SEARCH goes without its second tile. Of the rows by distance from
 * y it looks at numbers first to end - 1 and goes on from the `count` cells already in `out`,
 * which has room for `room` <= SCAN_ACTIONS. Scratch: `weights` for spots + 1, `order` for the
 * rows. Returns how many cells there are now. */
i32 scan_rank(const ScanMap *map HAS(1), i32 x, i32 y, i32 policy, i32 stop, i32 first, i32 end,
              i32 count, i32 room, ScanCell *out HAS(room), double *weights HAS(map->spots + 1),
              i16 *order HAS(end));
double scan_left_weight(i32 policy, i32 stop); /* ticks that a bit still to be learned counts */

/* Limited-discrepancy search. A state is a set of spots and a tile. Its actions are ranked; the
 * first is free, ranks 1-2 cost 1, 3-7 cost 2, 8-19 cost 3, 20-31 cost 4 of an allowance, and
 * all answers inherit the rest. Sets of up to four spots are searched with a fixed width at no
 * charge. With `every`, all actions of the state asked about are tried, with nothing to inherit
 * where the allowance does not reach: so its value is never above that of an action listed for it.
 *
 * scan_search: set up; `table` has 2^bits entries of 24 bytes and keeps what is known about
 * states between searches of one plan. scan_search_start: a question (allowance 0 .. 15; values
 * of `limit` and more are of no interest). scan_search_run: think on for about `states` states;
 * 1 = finished. scan_search_value: the total; out = the best action, SCAN_NOWHERE if none excludes
 * a spot. */
typedef struct ScanSearch ScanSearch;
i32 scan_price(i32 rank); /* of the allowance */
i32 scan_search(ScanSearch *search HAS(scan_search_bytes()), ScanPlan *plan LIVE,
                void *table HAS(SCAN_KNOWN_ENTRY * power(bits)), i32 bits);
i32 scan_search_start(ScanSearch *search LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 allowance,
                      i32 every, i32 limit);
i32 scan_search_run(ScanSearch *search LIVE, i32 states);
i32 scan_search_value(ScanSearch *search LIVE, ScanAction *out HAS(1));

/* ---- Plans over runs (run_search.c) ---------------------------------------------------------------
 *
 * The display of the pulse is renewed at the even or at the odd ticks of a run (the phase, unknown); a
 * tick is two tiles, the diagonal first. What each phase first shows of a spot other than the pulse
 * of the start is reported 0 to `reaction` ticks later. Two spots are one answer where a report of
 * one is also a report of the other, with the same pulse (closed transitively); a triple names its
 * spot. After an answer one runs on to the tick of its last report. Answers that may be reported in
 * the last tick or later are none: one runs to the end and scans, `stop` ticks, unless only
 * one spot gives no answer. Where the spots differ at the start, one looks from the first tick at
 * which they differ. Then a new state begins, with the spots of that group. The sign "different
 * level" is not listened for; with stairs a run stays on its level, and so do the places of its groups,
 * which do not say it. In every state the route that scans only is searched as well, with `less` of
 * the allowance there, and the better one counts.
 *
 * scan_listen: set up; no news on the way; `table` as for scan_search, and a search
 * of the same plan, which it uses. scan_listen_start: a question (allowance 0 .. 15; less >= 0).
 * scan_listen_run: think on for about `states` states; 1 = finished. scan_listen_value: the total;
 * runs[0] = whether a run is best; `step` = where that goes, or the best scan (SCAN_NOWHERE if none
 * excludes a spot). */
enum { SCAN_REACTION = 4 };
typedef struct ScanListen ScanListen;
i32 scan_listen_bytes(void);
i32 scan_listen(ScanListen *listen HAS(scan_listen_bytes()), ScanPlan *plan LIVE,
                ScanSearch *search LIVE, void *table HAS(SCAN_KNOWN_ENTRY * power(bits)), i32 bits, i32 reaction);
i32 scan_listen_start(ScanListen *listen LIVE, const u64 *set HAS(1), i32 x, i32 y, i32 allowance,
                      i32 less);
i32 scan_listen_run(ScanListen *listen LIVE, i32 states);
i32 scan_listen_value(ScanListen *listen LIVE, ScanAction *step HAS(1), i32 *runs HAS(1));

/* ---- States of few spots, exactly (cost_field.c) ---------------------------------------------------
 *
 * value(set, p) = least over tiles q of [ n * (ticks(p, q) + stop) + ticks to the triples at q
 *                                         + sum of value(what each other answer leaves, q) ]
 *
 * on the open plane, for every tile at once: a set's values are a field, and "the least of a value
 * and its walk" is two passes over it with the tiles within two, a tick's run. Fields reach only
 * as far as a plan through them could still beat `upper`, a total that is known.
 *
 * scan_exact: of a set of 2 .. SCAN_EXACT spots from (x, y), the least total, or `upper` if nothing is
 * less; out = the first scan of a plan with that total (only the tile), SCAN_NOWHERE if nothing is less than `upper`.
 * `pool` has room for `room` numbers of two bytes. TOO_LARGE: the fields do not fit, or totals reach
 * 65535. BAD: with walls, with pulses on the way, or values outside the limits. */
enum { SCAN_EXACT = 7 };
typedef struct ScanExact ScanExact;
i32 scan_exact_bytes(void);
i32 scan_exact(ScanExact *exact HAS(scan_exact_bytes()), const ScanPlan *plan LIVE,
               const u64 *set HAS(1), i32 x, i32 y, i32 upper, void *pool HAS(2 * room), i32 room,
               ScanAction *out HAS(1));

/* ---- The least plan of a family of sets (restricted_dp.c) ---------------------------------------------
 *
 * A family grows from seeds: sets, each with the tile one comes from and an allowance. What the best
 * ranked scans of a member leave joins it, as scan_search ranks and prices them, until none is left
 * to try or the family is full. Of all plans whose states are members the least is found: as with
 * scan_exact every tile counts, and every scan whose answers leave members or less than two spots.
 * So a plan whose states are the seeds is never worse for it; one that takes `upper` or more is of no
 * interest. Of a set's scans only those are looked at that may beat the plan its ranked scans give,
 * from some tile where it may be left.
 *
 * scan_family: set up; the first seed is all that remains, and where one stands. The open plane,
 * without pulses on the way; `pool` has room for `room` numbers of two bytes, where a member's
 * values find none it is left out. scan_family_run: work for about so many tiles; 1 = finished.
 * scan_family_list: the members, as many as there is room for; returns how many there are.
 * scan_family_value: the least total of a member from a tile where such a plan may leave it, and
 * in `out` its first scan (only the tile); SCAN_NEVER and SCAN_NOWHERE if there is none below
 * `upper`. TOO_LARGE (also from the run): the map does not fit, or totals reach 65535. */
typedef struct ScanFamily ScanFamily;
typedef struct ScanSeed {
  u64 set;
  i16 x, y;
  i32 allowance; /* 0 .. 15 */
} ScanSeed;
i32 scan_family_bytes(void);
i32 scan_family(ScanFamily *family HAS(scan_family_bytes()), ScanPlan *plan LIVE,
                const ScanSeed *seeds HAS(count), i32 count, i32 upper, void *pool HAS(2 * room),
                i32 room);
i32 scan_family_run(ScanFamily *family LIVE, i32 work);
i32 scan_family_list(ScanFamily *family LIVE, u64 *out HAS(room), i32 room);
i32 scan_family_value(ScanFamily *family LIVE, const u64 *set HAS(1), i32 x, i32 y,
                      ScanAction *out HAS(1));

/* Shared between the files of routes (plan.c, heuristic.c). */
i32 scan_walks_to_spots(const ScanPlan *plan, i32 x, i32 y, u64 set);
double scan_cost_to_go(const ScanPlan *plan, u64 set, i32 x, i32 y); /* ticks that a set takes from a tile
                          * beyond the way straight to each spot, computed; 0 of less than two */
double scan_cost_to_go_runs(const ScanPlan *plan, u64 set, i32 x, i32 y, i32 pulses); /* over runs, where
                          * each of them gives one of the pulses; for ranking, no measure of ticks */
/* The quickest way between two tiles: its ticks, and by which teleport, from 1; 0 on foot. */
i32 scan_quickest(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y, i32 *by);
i32 scan_by_teleport(const ScanPlan *plan, i32 x, i32 y); /* ticks to a tile of the open plane */
i32 scan_over_stairs(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y); /* ticks of a way */
/* Over stairs and by teleports on open ground: the ticks before the last run to a tile, and its start. */
i32 scan_last_run(const ScanPlan *plan, i32 *x, i32 *y, i32 to_x, i32 to_y);
i32 scan_search_of(const ScanSearch *search, const ScanPlan *plan); /* whether it is one of that plan */

/* weights[n] = n log2 n up to `count`, from logarithms of primes rounded to 2^-30: such sums are
 * exact, so splits of equal information have equal sums whatever their sizes (6, 2 and 4, 3, 3). */
void scan_weights(double *weights, i32 count);

/* ---- Fewest scans (fewest.c) ----------------------------------------------------------------
 *
 * least(set) = |set| + min over scans [ sum of least(what each answer leaves) ], 0 for one spot:
 * the least total of scans over the spots of a set, however far apart the scans are (a triple
 * shows the spot; with levels there are four answers that leave several). Exact, by
 *  - scans as sets that answers leave, only those that no other scan dominates (all of whose sets
 *    lie in sets of the other): dominance survives when a set shrinks, so a child projects its
 *    parent's short list;
 *  - proven bounds per set in a table, with a bound from one step for every set that matters;
 *  - a threshold that rises from the lower bound until it is met.
 *
 * With `slack`, at most SCAN_SLACK, scans are made at tiles so near to the one that is named. `merged` sums
 * SCAN_PLACES: an answer leaves all that may give it at one of those; SCAN_PULSES: a single may be a double.
 * Then a spot may be in several sets, and counts in each: the total is an upper bound of the scans until one
 * spot is left for certain, without merging a lower one.
 *
 * scan_fewest: set up for the spots of `plan`; between walls, scans are made where a walk from
 * (x, y) leads, with stairs on each level that they lead to. `pool` has room for pool_room scans of 40 bytes, `table` for 2^bits entries of 16.
 * Returns how many spots no scan distinguishes from some other spot; unless that is 0, nothing is
 * proved and the run must not be asked for. TOO_LARGE: the pool is too small (also from the run).
 * scan_fewest_run: think on for about `work` steps; 1 = proved. bounds[0] = least(all) is at
 * least this, bounds[1] = number of scans that count. */
enum { SCAN_PLACES = 1, SCAN_PULSES = 2, SCAN_SLACK = 2 };
typedef struct ScanFewest ScanFewest;
i32 scan_fewest_bytes(void);
i32 scan_fewest(ScanFewest *fewest HAS(scan_fewest_bytes()), const ScanPlan *plan LIVE, i32 x,
                i32 y, i32 slack, i32 merged, void *pool HAS(SCAN_POOLED_SCAN * pool_room), i32 pool_room,
                void *table HAS(SCAN_BOUNDS_ENTRY * power(bits)), i32 bits);
i32 scan_fewest_run(ScanFewest *fewest LIVE, i32 work, i32 *bounds HAS(2));

#endif
