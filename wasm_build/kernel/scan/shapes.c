/* Label box and outline of each class.
 *
 * Label box: the stack algorithm for the largest rectangle in a histogram, row by row over the cells of a
 * class, so it is exact. Rejected: a distance transform finds the largest square only, and a centroid can
 * lie outside. Outline: boundary following, left turns first, so that cells that touch only at a corner
 * are separate (4-connectivity). Nearly all classes are one or two rectangles, for which both follow
 * directly.
 * Cost: O(cells of the other classes). */
#include "scan.h"

typedef struct Shapes {
  const ScanMap *map;
  const i16 *rects; /* x0, y0, x1, y1 */
  const i32 *owners;
  i32 count, text_width, text_height;
  i16 *boxes;
  i32 *parts, *last; /* per class: the number of rectangles, and the last of them */
  i32 *left, *tall; /* a stack of bars: first column, height in tiles */
  i32 *top;         /* per column: the first tile of the vertical run of the class that includes this row */
  u8 *seen;         /* cells whose top side is on a ring already */
  i16 *vertices;
  i32 *ring_ends, *ring_owners;
  i32 vertex_room, ring_room, corners, rings;
} Shapes;

/* ---- rectangles by class --------------------------------------------------------------- */

/* Count the rectangles of each class and set its box to their bounding box x0, y0, x1, y1. Returns 0 if a
 * rectangle is outside the map, or a class has none. */
static i32 gather_rects(Shapes *s) {
  const ScanMap *map = s->map;
  memset(s->parts, 0, sizeof(i32) * (size_t)map->classes);
  for (i32 i = 0; i < s->count; i++) {
    const i16 *rect = s->rects + 4 * (size_t)i;
    i32 owner = s->owners[i];
    if ((u32)owner >= (u32)map->classes) return 0;
    if (rect[0] < 0 || rect[0] > rect[2] || rect[2] >= map->width) return 0;
    if (rect[1] < 0 || rect[1] > rect[3] || rect[3] >= map->height) return 0;
    i16 *box = s->boxes + 4 * (size_t)owner;
    s->last[owner] = i;
    if (s->parts[owner]++) {
      for (i32 k = 0; k < 2; k++) {
        if (rect[k] < box[k]) box[k] = rect[k];
        if (rect[2 + k] > box[2 + k]) box[2 + k] = rect[2 + k];
      }
    } else {
      memcpy(box, rect, 4 * sizeof(i16));
    }
  }
  for (i32 c = 0; c < map->classes; c++)
    if (!s->parts[c]) return 0;
  return 1;
}

/* ---- label boxes ----------------------------------------------------------------------- */

enum { ABOVE = 1, BELOW = 2 }; /* whether the class may have cells there */

typedef struct Box { i32 fit, area, x, y, wide, tall; } Box;

/* Take a rectangle if it fits a larger text, or is as good and larger. */
static inline void offer_box(const Shapes *s, Box *best, i32 x0, i32 x1, i32 y1, i32 tall) {
  i32 wide = x1 - x0;
  i32 fit = min32(wide * s->text_height, tall * s->text_width), area = wide * tall;
  if (fit > best->fit || (fit == best->fit && area > best->area))
    *best = (Box){fit, area, x0, y1 - tall, wide, tall};
}

static inline void put_box(i16 *box, Box best) {
  box[0] = (i16)best.x;
  box[1] = (i16)best.y;
  box[2] = (i16)best.wide;
  box[3] = (i16)best.tall;
}

/* Offer the maximal rectangles that end on tile y1 - 1 in columns `from` to `to` - 1, all of one class:
 * bars of a histogram on a stack, adjacent bars of one height merged. */
static void box_run(Shapes *s, Box *best, i32 from, i32 to, i32 y1) {
  const i16 *at = s->map->column_at;
  i32 depth = 0;
  for (i32 x = from; x <= to; x++) {
    i32 tall = x < to ? y1 - s->top[x] : 0, begin = at[x];
    if (depth && s->tall[depth - 1] == tall) continue;
    while (depth && s->tall[depth - 1] >= tall) {
      begin = s->left[--depth];
      offer_box(s, best, begin, at[x], y1, s->tall[depth]);
    }
    s->left[depth] = begin;
    s->tall[depth++] = tall;
  }
}

/* Process the runs of a class on a row of cells. No maximal rectangle ends in a run that continues below
 * over its whole width. */
static void box_row(Shapes *s, Box *best, i32 owner, i32 first, i32 last, i32 row, i32 rows) {
  const ScanMap *map = s->map;
  const i32 *here = map->labels + (size_t)row * map->columns;
  const i32 *above = rows & ABOVE ? here - map->columns : 0;
  const i32 *below = rows & BELOW ? here + map->columns : 0;
  i32 y0 = map->row_at[row];
  for (i32 x = first; x <= last; x++) {
    if (here[x] != owner) continue;
    i32 from = x, ends = !below;
    for (; x <= last && here[x] == owner; x++) {
      if (!above || above[x] != owner) s->top[x] = y0;
      if (below) ends |= below[x] != owner;
    }
    if (ends) box_run(s, best, from, x, map->row_at[row + 1]);
  }
}

/* Find the best box in a class of several rectangles, over all its maximal rectangles. Returns 0 if the
 * class is outside the map. */
static i32 box_class(Shapes *s, i32 owner) {
  const ScanMap *map = s->map;
  i16 *box = s->boxes + 4 * (size_t)owner;
  i32 first = map->column_of[box[0]], last = map->column_of[box[2]];
  i32 row = map->row_of[box[1]], end = map->row_of[box[3]];
  if (first < 0 || first > last || last >= map->columns) return 0;
  if (row < 0 || row > end || end >= map->rows) return 0;
  Box best = {-1, -1, 0, 0, 0, 0};
  for (i32 y = row; y <= end; y++)
    box_row(s, &best, owner, first, last, y, (y > row ? ABOVE : 0) | (y < end ? BELOW : 0));
  put_box(box, best);
  return best.fit >= 0;
}

/* The same for two rectangles, the first on top of the second: either of them, or the one through both. */
static void box_pair(const Shapes *s, i32 owner, const i16 *upper, const i16 *lower) {
  i32 x0 = max32(upper[0], lower[0]), x1 = min32(upper[2], lower[2]) + 1;
  i32 tall = upper[3] - upper[1] + 1, under = lower[3] - lower[1] + 1, end = lower[3] + 1;
  Box best = {-1, -1, 0, 0, 0, 0};
  offer_box(s, &best, upper[0], upper[2] + 1, upper[3] + 1, tall);
  offer_box(s, &best, x0, x1, end, tall + under);
  offer_box(s, &best, lower[0], lower[2] + 1, end, under);
  put_box(s->boxes + 4 * (size_t)owner, best);
}

/* ---- outlines -------------------------------------------------------------------------- */

static inline void corner(Shapes *s, i32 x, i32 y) {
  if (s->corners < s->vertex_room) {
    s->vertices[2 * (size_t)s->corners] = (i16)x;
    s->vertices[2 * (size_t)s->corners + 1] = (i16)y;
  }
  s->corners++;
}

static inline void end_ring(Shapes *s, i32 owner) {
  if (s->rings < s->ring_room) {
    s->ring_ends[s->rings] = s->corners;
    s->ring_owners[s->rings] = owner;
  }
  s->rings++;
}

/* Boundary following: a cell of the class, and the direction along its side. */
typedef struct Walk {
  const ScanMap *map;
  i32 owner, x, y, heading; /* heading: 0 east, 1 down (y grows), 2 west, 3 up */
} Walk;

static inline i32 owns(const Walk *w, i32 x, i32 y) {
  return (u32)x < (u32)w->map->columns && (u32)y < (u32)w->map->rows &&
         w->map->labels[(size_t)y * w->map->columns + x] == w->owner;
}

/* Advance by one side, the class on the right hand. Returns whether the boundary turns; the column and row
 * break of the corner go to *cx, *cy. */
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

/* Follow the rings that begin on the top side of a rectangle; 0 if one does not close because the labels
 * were overwritten. */
static i32 walk_rings(Shapes *s, i32 owner, const i16 *rect) {
  const ScanMap *map = s->map;
  i32 y = map->row_of[rect[1]], x = map->column_of[rect[0]], last = map->column_of[rect[2]];
  if (y < 0 || y >= map->rows || x < 0 || last >= map->columns) return 0;
  for (; x <= last; x++) {
    i32 cell = y * map->columns + x, most = s->corners + 4 * map->columns * map->rows;
    if (s->seen[cell] || map->labels[cell] != owner) continue;
    if (y && map->labels[cell - map->columns] == owner) continue;
    Walk walk = {map, owner, x, y, 0};
    do {
      i32 cx, cy;
      if (walk.heading == 0) s->seen[walk.y * map->columns + walk.x] = 1;
      if (!step(&walk, &cx, &cy)) continue;
      if (s->corners > most) return 0;
      corner(s, map->column_at[cx], map->row_at[cy]);
    } while (walk.x != x || walk.y != y || walk.heading != 0);
    end_ring(s, owner);
  }
  return 1;
}

/* The ring round a rectangle, from its upper right corner. */
static inline void ring_one(Shapes *s, i32 owner, const i16 *rect) {
  i16 x0 = rect[0], y0 = rect[1], x1 = (i16)(rect[2] + 1), y1 = (i16)(rect[3] + 1);
  i16 ring[8] = {x1, y0, x1, y1, x0, y1, x0, y0};
  if (s->corners + 4 <= s->vertex_room) {
    memcpy(s->vertices + 2 * (size_t)s->corners, ring, sizeof ring);
    s->corners += 4;
  } else {
    for (i32 i = 0; i < 4; i++) corner(s, ring[2 * i], ring[2 * i + 1]);
  }
  end_ring(s, owner);
}

/* The ring round two rectangles, the first on top of the second. */
static void ring_pair(Shapes *s, i32 owner, const i16 *upper, const i16 *lower) {
  corner(s, upper[2] + 1, upper[1]);
  if (upper[2] != lower[2]) {
    corner(s, upper[2] + 1, lower[1]);
    corner(s, lower[2] + 1, lower[1]);
  }
  corner(s, lower[2] + 1, lower[3] + 1);
  corner(s, lower[0], lower[3] + 1);
  if (upper[0] != lower[0]) {
    corner(s, lower[0], lower[1]);
    corner(s, upper[0], lower[1]);
  }
  corner(s, upper[0], upper[1]);
  end_ring(s, owner);
}

static i32 is_pair(const i16 *upper, const i16 *lower) {
  return lower[1] == upper[3] + 1 && lower[0] <= upper[2] && upper[0] <= lower[2];
}

/* Compute boxes and outlines; 0 as above. Every ring has a top side, followed eastwards. Rectangles are in
 * raster order, so the first top side of a class is on its outer ring. */
static i32 shape_all(Shapes *s) {
  memset(s->seen, 0, (size_t)s->map->columns * (size_t)s->map->rows);
  for (i32 i = 0; i < s->count; i++) {
    const i16 *rect = s->rects + 4 * (size_t)i;
    i32 owner = s->owners[i], last = s->last[owner];
    i16 *box = s->boxes + 4 * (size_t)owner;
    if (s->parts[owner] == 1) {
      box[2] = (i16)(box[2] - box[0] + 1);
      box[3] = (i16)(box[3] - box[1] + 1);
      ring_one(s, owner, rect);
    } else if (s->parts[owner] > 2) {
      if (!walk_rings(s, owner, rect) || (i == last && !box_class(s, owner))) return 0;
    } else if (i < last) {
      const i16 *lower = s->rects + 4 * (size_t)last;
      if (!is_pair(rect, lower)) return 0;
      box_pair(s, owner, rect, lower);
      ring_pair(s, owner, rect, lower);
    }
  }
  return 1;
}

EXPORT(i32, scan_shapes)(const ScanMap *map, const i16 *rects, const i32 *owners, i32 count, i32 text_width,
                         i32 text_height, i16 *boxes, i16 *vertices, i32 vertex_room, i32 *ring_ends,
                         i32 *ring_owners, i32 ring_room, u8 *seen, i32 *scratch, i32 *found) {
  if (!scan_map_is_broken_up(map) || count < 0 || vertex_room < 0 || ring_room < 0) return BAD;
  if (map->classes < 0 || map->classes > map->columns * map->rows) return BAD;
  if ((vertex_room && !vertices) || (ring_room && !(ring_ends && ring_owners))) return BAD;
  if (text_width < 1 || text_width > 1000 || text_height < 1 || text_height > 1000) return BAD;
  Shapes s = {.map = map, .rects = rects, .owners = owners, .count = count};
  s.text_width = text_width;
  s.text_height = text_height;
  s.boxes = boxes;
  s.top = scratch;
  s.left = s.top + map->columns;
  s.tall = s.left + map->columns + 1;
  s.parts = s.tall + map->columns + 1;
  s.last = s.parts + map->classes;
  s.seen = seen;
  s.vertices = vertices;
  s.ring_ends = ring_ends;
  s.ring_owners = ring_owners;
  s.vertex_room = vertex_room;
  s.ring_room = ring_room;
  if (!gather_rects(&s) || !shape_all(&s)) return BAD;
  found[0] = s.rings;
  found[1] = s.corners;
  return OK;
}
