/* Frames: the outermost points of large connected parts of ink.
 *
 * A part is a set of runs (stretches of ink in a row), joined by union and find as the rows go by.
 */
#include "ocr.h"

enum { PARTS = 6, TURNS = 5 };

typedef struct {
  i32 row, start, end, parent; /* the run covers start..end-1; a root is its own parent */
} Run;

typedef struct {
  i32 root, left, right, top, bottom;
} Part;

static i32 root_of(Run *runs, i32 i) {
  while (runs[i].parent != i) i = runs[i].parent = runs[runs[i].parent].parent;
  return i;
}

static void join(Run *runs, i32 a, i32 b) {
  a = root_of(runs, a), b = root_of(runs, b);
  if (a < b) runs[b].parent = a;
  else runs[a].parent = b;
}

/* The runs of a row, appended; -1 if they do not fit. */
static i32 runs_of_row(const float *row, i32 w, i32 y, float threshold, Run *runs, i32 count,
                       i32 most) {
  for (i32 x = 0; x < w;) {
    if (row[x] <= threshold) {
      x++;
      continue;
    }
    if (count == most) return -1;
    i32 start = x;
    while (x < w && row[x] > threshold) x++;
    runs[count] = (Run){y, start, x, count};
    count++;
  }
  return count;
}

/* Joins the runs of two rows that touch, corners included. */
static void join_rows(Run *runs, i32 above, i32 here, i32 end) {
  for (i32 a = above, b = here; a < here && b < end;) {
    if (runs[a].end >= runs[b].start && runs[b].end >= runs[a].start) join(runs, a, b);
    if (runs[a].end < runs[b].end) a++;
    else b++;
  }
}

static i32 all_runs(const float *ink, i32 w, i32 h, float threshold, Run *runs, i32 most) {
  i32 count = 0, above = 0;
  for (i32 y = 0; y < h; y++) {
    i32 here = count;
    count = runs_of_row(ink + (size_t)y * (size_t)w, w, y, threshold, runs, count, most);
    if (count < 0) return TOO_LARGE;
    join_rows(runs, above, here, count);
    above = here;
  }
  return count;
}

static i32 area(const Part *p) { return (p->right - p->left) * (p->bottom - p->top); }

static i32 is_frame(const Part *p, double least) {
  i32 w = p->right - p->left, h = p->bottom - p->top;
  return w > least && h > least && w < 3 * h && h < 3 * w;
}

/* Keeps the largest parts, in order. */
static i32 keep(Part *kept, i32 count, const Part *p) {
  i32 at = count;
  while (at > 0 && area(&kept[at - 1]) < area(p)) at--;
  if (at == PARTS) return count;
  for (i32 i = min32(count, PARTS - 1); i > at; i--) kept[i] = kept[i - 1];
  kept[at] = *p;
  return min32(count + 1, PARTS);
}

/* The large parts: every root's runs counted together. A root comes before its other runs. */
static i32 large_parts(Run *runs, i32 count, double least, Part *kept, Part *all) {
  i32 parts = 0, found = 0;
  for (i32 i = 0; i < count; i++) {
    i32 root = root_of(runs, i);
    if (root == i) {
      all[parts] = (Part){i, runs[i].start, runs[i].end, runs[i].row, runs[i].row};
      parts++;
    }
  }
  for (i32 i = 0; i < count; i++) {
    i32 root = root_of(runs, i), low = 0, high = parts - 1;
    while (low < high) { /* roots ascend */
      i32 middle = (low + high + 1) / 2;
      if (all[middle].root <= root) low = middle;
      else high = middle - 1;
    }
    Part *p = &all[low];
    p->left = min32(p->left, runs[i].start), p->right = max32(p->right, runs[i].end);
    p->top = min32(p->top, runs[i].row), p->bottom = max32(p->bottom, runs[i].row);
  }
  for (i32 i = 0; i < parts; i++)
    if (is_frame(&all[i], least)) found = keep(kept, found, &all[i]);
  return found;
}

typedef struct {
  double value[4];
  float x[4], y[4];
} Extremes;

static void look_at(Extremes *e, double c, double s, i32 x, i32 y) {
  double u = x * c + y * s, v = y * c - x * s;
  double value[4] = {-u - v, u - v, u + v, v - u};
  for (i32 k = 0; k < 4; k++)
    if (value[k] > e->value[k]) e->value[k] = value[k], e->x[k] = (float)x, e->y[k] = (float)y;
}

static double area_of(const Extremes *e) {
  double sum = 0;
  for (i32 k = 0; k < 4; k++) {
    i32 next = (k + 1) & 3;
    sum += (double)e->x[k] * e->y[next] - (double)e->x[next] * e->y[k];
  }
  return sum < 0 ? -sum / 2 : sum / 2;
}

/* The four points of a part that lie farthest out, in the turn in which they span most. */
static double outermost(Run *runs, i32 count, i32 root, Extremes *best) {
  static const double COS[TURNS] = {0.7660444431, 0.9396926208, 1, 0.9396926208, 0.7660444431};
  static const double SIN[TURNS] = {-0.6427876097, -0.3420201433, 0, 0.3420201433, 0.6427876097};
  Extremes found[TURNS];
  for (i32 t = 0; t < TURNS; t++)
    for (i32 k = 0; k < 4; k++) found[t].value[k] = -1e9;
  for (i32 i = root; i < count; i++) {
    if (root_of(runs, i) != root) continue;
    for (i32 t = 0; t < TURNS; t++) {
      look_at(&found[t], COS[t], SIN[t], runs[i].start, runs[i].row);
      look_at(&found[t], COS[t], SIN[t], runs[i].end - 1, runs[i].row);
    }
  }
  double most = -1;
  for (i32 t = 0; t < TURNS; t++) {
    double this = area_of(&found[t]);
    if (most < 0 || this > most * 1.02) most = this, *best = found[t];
  }
  return most;
}

static i32 sides_are_alike(const Extremes *e) {
  double least = 1e18, most = 0;
  for (i32 k = 0; k < 4; k++) {
    i32 next = (k + 1) & 3;
    double dx = e->x[k] - e->x[next], dy = e->y[k] - e->y[next], d = dx * dx + dy * dy;
    least = d < least ? d : least, most = d > most ? d : most;
  }
  return least >= 0.16 * most;
}

static void write_quad(const Extremes *e, float *out) {
  i32 first = 0;
  for (i32 k = 1; k < 4; k++)
    if (e->x[k] + e->y[k] < e->x[first] + e->y[first]) first = k;
  for (i32 k = 0; k < 4; k++)
    out[2 * k] = e->x[(first + k) & 3], out[2 * k + 1] = e->y[(first + k) & 3];
}

EXPORT(i32, sudoku_picture_quads)(const float *ink, i32 w, i32 h, double threshold, double least,
                                  float *quads, i32 *work, i32 room) {
  if (!picture_sides(w, h) || room < 0) return BAD;
  i32 most = room / (i32)(sizeof(Run) + sizeof(Part)), quantity = 0;
  Run *runs = (Run *)work;
  Part *all = (Part *)(runs + most), kept[PARTS];
  i32 count = all_runs(ink, w, h, (float)threshold, runs, most);
  if (count < 0) return count;
  i32 parts = large_parts(runs, count, least, kept, all);
  for (i32 i = 0; i < parts; i++) {
    Extremes e;
    double spanned = outermost(runs, count, kept[i].root, &e);
    if (spanned < 0.275 * area(&kept[i]) || !sides_are_alike(&e)) continue;
    write_quad(&e, quads + 8 * quantity++);
  }
  return quantity;
}
