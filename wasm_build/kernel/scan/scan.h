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
 * ---- Classes (classes.c) -----------------------------------------------------------------
 *
 * The sides of the squares cut the window into columns and rows. A tile's profile is, per kind
 * of square, columns' set AND rows' set, so whole cells (column x row) share a profile:
 *
 *   column sets, V = layers * words words a column       row sets, likewise
 *   [ inner: word 0 .. | outer: word 0 .. | complement ]
 *
 * Neighbouring columns x-1, x differ on row y iff (column flip of x) AND (row set of y) != 0,
 * where the flip is the XOR of both column sets. No cell ever stores its mask. Walls are further
 * breaks, so that there is one code path; in the worst case a cell is a tile.
 *
 * Call in this order: scan_breaks, scan_sets, scan_label, scan_measure, then any of scan_boxes,
 * scan_rects, scan_outlines. Peak for 2 M cells and 500 000 classes: about 60 MB.
 */
#ifndef CLUEWISE_SCAN_H
#define CLUEWISE_SCAN_H

#include "kernel.h"

enum {
  SCAN_SPOTS = 256,          /* most spots for classes */
  SCAN_ROUTE_SPOTS = 64,     /* most spots for routes and fewest scans: one word */
  SCAN_SIDE = 32000,         /* longest side of a window, in tiles */
  SCAN_CELLS = 1 << 21,      /* most cells */
  SCAN_RANGE = 500,          /* largest range */
  SCAN_COORDINATE = 1 << 20, /* largest absolute coordinate of a square's centre */
};

/* All fields are 32 bits wide (pointers too); the caller writes the first block, the functions
 * the second. Coordinates are tiles relative to the window's lowest corner. */
typedef struct ScanMap {
  i32 spots;         /* 0 .. SCAN_SPOTS */
  i32 range;         /* 0 .. SCAN_RANGE */
  i32 layers;        /* 2: inner, outer; 3: complement squares too */
  i32 width, height; /* of the window, 1 .. SCAN_SIDE */
  const i32 *centres;   /* 3 per spot: x, y, y of the complement */
  const u64 *walls;     /* bit per tile, a row is (width + 63) / 64 words, 1 = wall; or null */
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
i32 scan_breaks(ScanMap *map, u8 *scratch);

/* Fill the four set buffers. BAD as above. */
i32 scan_sets(ScanMap *map);

/* Fill labels with the connected (4-neighbour) classes, numbered by their first tile, lowest y
 * then lowest x. `parents`: room columns * rows. Returns the number of classes. */
i32 scan_label(ScanMap *map, i32 *parents);

/* Per class: first_cell (row * columns + column), tiles, split (an index into splits).
 * Per split six counts: single, double, triple on this level, then the same for "different
 * level" (zero without levels): i16 each. `hash`: room for `hash_size` numbers, a power of two
 * above 2 * classes. `splits` has room for split_room splits; a split is numbered by the first
 * class that has it. found[0] = number of splits, found[1] = number of distinct profiles.
 * TOO_LARGE: more splits than room. */
i32 scan_measure(const ScanMap *map, i32 *first_cell, i32 *tiles, i32 *split, i16 *splits,
                 i32 split_room, i32 *hash, i32 hash_size, i32 *found);

/* Per class the inscribed rectangle x, y, width, height that maximises
 * min(width * text_height, height * text_width): the best place for a text of that aspect (1, 1:
 * the largest square), ties by area. `scratch`: room for 3 * columns + 3 + 2 * classes. */
i32 scan_boxes(const ScanMap *map, i32 text_width, i32 text_height, i16 *boxes, i32 *scratch);

/* The classes as rectangles x0, y0, x1, y1 (inclusive) and the class of each; in raster order.
 * `scratch`: room for 2 * columns. Returns their number; with room 0 only counts. */
i32 scan_rects(const ScanMap *map, i16 *rects, i32 *owners, i32 room, i32 *scratch);

/* Outlines as closed rings of tile corners (x, y), the class on the right hand seen with y
 * downwards: outer rings and holes turn opposite ways. The first ring of a class is its outer
 * one. ring_ends: vertices up to the ring's end; ring_owners: its class. `seen`: room for
 * columns * rows bytes. found[0] = rings, found[1] = vertices. Without room for all (vertex_room,
 * ring_room) only counts are right; they are always set. */
i32 scan_outlines(const ScanMap *map, i16 *vertices, i32 vertex_room, i32 *ring_ends,
                  i32 *ring_owners, i32 ring_room, u8 *seen, i32 *found);

#endif
