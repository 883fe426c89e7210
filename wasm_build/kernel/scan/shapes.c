/* What a page draws of each class: rectangles, the best place for its number, its outline. */
#include "scan.h"

/* ---- label boxes ----------------------------------------------------------------------- */

/* The largest-rectangle-in-a-histogram stack, row by row, restarted wherever the class changes.
 * It meets every maximal rectangle of every class, so the best one is exact and always inside:
 * a distance transform would find the largest square only, and a centroid can lie outside. */
typedef struct Boxes {
  const ScanMap *map;
  i32 text_width, text_height;
  i16 *boxes;
  i32 *fit, *area; /* per class: the best so far */
  i32 *left, *tall; /* the stack: first column of a bar, its height in tiles */
} Boxes;

static inline void offer_box(Boxes *b, i32 owner, i32 x0, i32 x1, i32 y1, i32 tall) {
  i32 wide = x1 - x0;
  i32 fit = min32(wide * b->text_height, tall * b->text_width), area = wide * tall;
  if (fit < b->fit[owner] || (fit == b->fit[owner] && area <= b->area[owner])) return;
  b->fit[owner] = fit;
  b->area[owner] = area;
  i16 *box = b->boxes + 4 * (size_t)owner;
  box[0] = (i16)x0;
  box[1] = (i16)(y1 - tall);
  box[2] = (i16)wide;
  box[3] = (i16)tall;
}

static void box_row(Boxes *b, const i32 *labels, const i32 *heights, i32 y1) {
  const i16 *at = b->map->column_at;
  i32 depth = 0, owner = -1;
  for (i32 x = 0; x <= b->map->columns; x++) {
    i32 next = x < b->map->columns ? labels[x] : -1;
    i32 tall = next >= 0 && next == owner ? heights[x] : 0, begin = at[x];
    while (depth && b->tall[depth - 1] >= tall) {
      depth--;
      begin = b->left[depth];
      if (owner >= 0) offer_box(b, owner, begin, at[x], y1, b->tall[depth]);
    }
    if (next != owner) { /* the stack is empty now: tall was 0 */
      owner = next;
      begin = at[x];
      tall = next >= 0 ? heights[x] : 0;
    }
    if (next < 0) continue;
    b->left[depth] = begin;
    b->tall[depth++] = tall;
  }
}

static i32 largest_label(const ScanMap *map) {
  i32 largest = -1;
  for (i32 i = 0; i < map->columns * map->rows; i++) largest = max32(largest, map->labels[i]);
  return largest;
}

EXPORT(i32, scan_boxes)(const ScanMap *map, i32 text_width, i32 text_height, i16 *boxes,
                        i32 *scratch) {
  if (!scan_map_is_broken_up(map) || largest_label(map) >= map->classes) return BAD;
  if (text_width < 1 || text_width > 1000 || text_height < 1 || text_height > 1000) return BAD;
  i32 columns = map->columns, *heights = scratch;
  Boxes b = {.map = map, .text_width = text_width, .text_height = text_height, .boxes = boxes};
  b.left = heights + columns;
  b.tall = b.left + columns + 1;
  b.fit = b.tall + columns + 1;
  b.area = b.fit + map->classes;
  for (i32 c = 0; c < map->classes; c++) b.fit[c] = b.area[c] = -1;
  for (i32 y = 0; y < map->rows; y++) {
    const i32 *labels = map->labels + (size_t)y * columns;
    i32 tall = map->row_at[y + 1] - map->row_at[y];
    for (i32 x = 0; x < columns; x++)
      heights[x] = y && labels[x] == labels[x - columns] ? heights[x] + tall : tall;
    box_row(&b, labels, heights, map->row_at[y + 1]);
  }
  return OK;
}

/* ---- rectangles ------------------------------------------------------------------------ */

/* Maximal runs of a row; a run continues the rectangle above if that has the same class and the
 * same ends. `open` holds, per first column, the rectangle that ends on the row above. */
EXPORT(i32, scan_rects)(const ScanMap *map, i16 *rects, i32 *owners, i32 room, i32 *scratch) {
  if (!scan_map_is_broken_up(map) || room < 0 || (room && !(rects && owners))) return BAD;
  i32 columns = map->columns, made = 0;
  i32 *open = scratch, *open_end = scratch + columns;
  for (i32 x = 0; x < columns; x++) open[x] = -1;
  for (i32 y = 0; y < map->rows; y++) {
    const i32 *labels = map->labels + (size_t)y * columns, *above = labels - columns;
    i16 y1 = (i16)(map->row_at[y + 1] - 1);
    for (i32 x = 0, end; x < columns; x = end) {
      i32 owner = labels[x];
      for (end = x + 1; end < columns && labels[end] == owner;) end++;
      i32 rect = y ? open[x] : -1, goes_on = rect >= 0 && above[x] == owner && open_end[x] == end;
      for (i32 i = x; i < end; i++) open[i] = -1;
      if (owner < 0) continue;
      if (!goes_on) {
        rect = made++;
        if (rect < room) {
          i16 first[4] = {map->column_at[x], map->row_at[y], (i16)(map->column_at[end] - 1), y1};
          memcpy(rects + 4 * (size_t)rect, first, sizeof first);
          owners[rect] = owner;
        }
      }
      if (rect < room) rects[4 * (size_t)rect + 3] = y1;
      open[x] = rect;
      open_end[x] = end;
    }
  }
  return made;
}

/* ---- outlines -------------------------------------------------------------------------- */

typedef struct Walk {
  const ScanMap *map;
  i32 owner, x, y, heading; /* heading: 0 east, 1 down (y grows), 2 west, 3 up */
} Walk;

static inline i32 owns(const Walk *w, i32 x, i32 y) {
  return (u32)x < (u32)w->map->columns && (u32)y < (u32)w->map->rows &&
         w->map->labels[(size_t)y * w->map->columns + x] == w->owner;
}

/* One side further, the class kept on the right hand. Turning left before going straight keeps
 * two cells that touch only at a corner apart, as 4-neighbour classes are. Returns 1 at a
 * corner, whose column and row break go to *cx, *cy. */
static i32 step(Walk *w, i32 *cx, i32 *cy) {
  static const i8 DX[4] = {1, 0, -1, 0}, DY[4] = {0, 1, 0, -1};
  i32 heading = w->heading, next = heading, x = w->x, y = w->y;
  i32 ahead_x = x + DX[heading], ahead_y = y + DY[heading];
  i32 left_x = ahead_x + DY[heading], left_y = ahead_y - DX[heading];
  *cx = heading < 2 ? x + 1 : x;
  *cy = heading == 1 || heading == 2 ? y + 1 : y;
  if (!owns(w, ahead_x, ahead_y)) {
    next = (heading + 1) & 3;
  } else if (owns(w, left_x, left_y)) {
    next = (heading + 3) & 3;
    w->x = left_x;
    w->y = left_y;
  } else {
    w->x = ahead_x;
    w->y = ahead_y;
  }
  w->heading = next;
  return next != heading;
}

/* Every ring has a top side (walked east), and the first top side of a class in raster order
 * lies on its outer ring; `seen` marks the cells whose top side is done. */
EXPORT(i32, scan_outlines)(const ScanMap *map, i16 *vertices, i32 vertex_room, i32 *ring_ends,
                           i32 *ring_owners, i32 ring_room, u8 *seen, i32 *found) {
  if (!scan_map_is_broken_up(map) || vertex_room < 0 || ring_room < 0) return BAD;
  if ((vertex_room && !vertices) || (ring_room && !(ring_ends && ring_owners))) return BAD;
  i32 columns = map->columns, rings = 0, corners = 0;
  memset(seen, 0, (size_t)columns * map->rows);
  for (i32 y = 0; y < map->rows; y++)
    for (i32 x = 0; x < columns; x++) {
      i32 cell = y * columns + x, owner = map->labels[cell];
      if (owner < 0 || seen[cell] || (y && map->labels[cell - columns] == owner)) continue;
      Walk walk = {map, owner, x, y, 0};
      do {
        i32 cx, cy;
        if (walk.heading == 0) seen[walk.y * columns + walk.x] = 1;
        if (!step(&walk, &cx, &cy)) continue;
        if (corners < vertex_room) {
          vertices[2 * (size_t)corners] = map->column_at[cx];
          vertices[2 * (size_t)corners + 1] = map->row_at[cy];
        }
        corners++;
      } while (walk.x != x || walk.y != y || walk.heading != 0);
      if (rings < ring_room) {
        ring_ends[rings] = corners;
        ring_owners[rings] = owner;
      }
      rings++;
    }
  found[0] = rings;
  found[1] = corners;
  return OK;
}
