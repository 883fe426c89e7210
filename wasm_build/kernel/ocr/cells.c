/* Cells: looked up through the lattice, their ink along their own colour, in units of its strength. */
#include "ocr.h"

enum { SIDE = PICTURE_SIDE, EDGE = 4, INNER = SIDE - 2 * EDGE, MIDDLE = INNER * INNER };

/* The k-th smallest of n numbers, which are moved about (Hoare's selection). */
static float nth(float *a, i32 n, i32 k) {
  i32 low = 0, high = n - 1;
  while (low < high) {
    float pivot = a[(low + high) / 2];
    i32 i = low, j = high;
    while (i <= j) {
      while (a[i] < pivot) i++;
      while (a[j] > pivot) j--;
      if (i <= j) {
        float t = a[i];
        a[i++] = a[j], a[j--] = t;
      }
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return a[k];
}

static float median_of(float *a, i32 n) {
  float upper = nth(a, n, n / 2);
  return (nth(a, n, n / 2 - 1) + upper) / 2;
}

typedef struct {
  float pixel[PICTURE_PIXELS][3];
  float paper[3], axis[3];
} Cell;

/* All three colours at one place, as picture_sample has them one by one. */
static void sample_all(const float *rgb, i32 w, i32 h, double x, double y, float *out) {
  double right = w - 1.001, bottom = h - 1.001;
  x = x < 0 ? 0 : x > right ? right : x;
  y = y < 0 ? 0 : y > bottom ? bottom : y;
  i32 i = (i32)y, j = (i32)x;
  float v = (float)(y - i), u = (float)(x - j);
  const float *p = rgb + 3 * (i * w + j), *q = p + 3 * w;
  for (i32 k = 0; k < 3; k++) {
    float upper = p[k] * (1 - u) + p[k + 3] * u, lower = q[k] * (1 - u) + q[k + 3] * u;
    out[k] = upper * (1 - v) + lower * v;
  }
}

static void look_up(const float *rgb, i32 w, i32 h, const double *a, const double *b,
                    const double *c, const double *d, Cell *cell) {
  for (i32 row = 0; row < SIDE; row++) {
    double v = (row + 0.5) / SIDE, left[2], step[2];
    for (i32 k = 0; k < 2; k++) {
      left[k] = a[k] * (1 - v) + c[k] * v;
      step[k] = b[k] * (1 - v) + d[k] * v - left[k];
    }
    for (i32 col = 0; col < SIDE; col++) {
      double u = (col + 0.5) / SIDE;
      sample_all(rgb, w, h, left[0] + step[0] * u, left[1] + step[1] * u, cell->pixel[row * SIDE + col]);
    }
  }
}

/* Differences from the paper, the middle of the cell alone. */
static void middle_of(Cell *cell, float (*off)[3]) {
  float values[MIDDLE];
  for (i32 k = 0; k < 3; k++) {
    for (i32 i = 0; i < MIDDLE; i++)
      off[i][k] = values[i] = cell->pixel[(i / INNER + EDGE) * SIDE + i % INNER + EDGE][k];
    cell->paper[k] = median_of(values, MIDDLE);
    for (i32 i = 0; i < MIDDLE; i++) off[i][k] -= cell->paper[k];
  }
}

static float along(const float *off, const float *axis) {
  return off[0] * axis[0] + off[1] * axis[1] + off[2] * axis[2];
}

/* The main direction of the differences (power iteration), pointing where the few strong ones lie. */
static void main_axis(float (*off)[3], float *axis) {
  double cov[3][3] = {{0}}, cubes = 0, v[3] = {0.57735027, 0.57735027, 0.57735027};
  for (i32 i = 0; i < MIDDLE; i++)
    for (i32 a = 0; a < 3; a++)
      for (i32 b = 0; b < 3; b++) cov[a][b] += (double)off[i][a] * off[i][b];
  for (i32 round = 0; round < 6; round++) {
    double next[3], length = 0;
    for (i32 a = 0; a < 3; a++) {
      next[a] = cov[a][0] * v[0] + cov[a][1] * v[1] + cov[a][2] * v[2] + 1e-9;
      length += next[a] * next[a];
    }
    for (i32 a = 0; a < 3; a++) v[a] = next[a] / (__builtin_sqrt(length) + 1e-12);
  }
  for (i32 a = 0; a < 3; a++) axis[a] = (float)v[a];
  for (i32 i = 0; i < MIDDLE; i++) {
    double p = along(off[i], axis);
    cubes += p * p * p;
  }
  for (i32 a = 0; a < 3 && cubes < 0; a++) axis[a] = -axis[a];
}

/* Strength, ink colour and paper colour. */
static void tell(Cell *cell, float *facts) {
  float off[MIDDLE][3], size[MIDDLE], colour[3] = {0, 0, 0};
  middle_of(cell, off);
  main_axis(off, cell->axis);
  for (i32 i = 0; i < MIDDLE; i++) size[i] = along(off[i], cell->axis);
  float strength = nth(size, MIDDLE, (i32)(0.96 * MIDDLE));
  i32 count = 0;
  for (i32 i = 0; i < MIDDLE; i++)
    if (along(off[i], cell->axis) >= strength) {
      for (i32 k = 0; k < 3; k++) colour[k] += off[i][k];
      count++;
    }
  facts[0] = strength, facts[7] = 0;
  for (i32 k = 0; k < 3; k++) {
    facts[1 + k] = cell->paper[k] + colour[k] / (float)count;
    facts[4 + k] = cell->paper[k];
  }
}

EXPORT(i32, sudoku_picture_cells)(const float *rgb, i32 w, i32 h, i32 n, const double *points,
                                  float *ink, float *facts) {
  if (!picture_sides(w, h) || !picture_lattice(n)) return BAD;
  static Cell cell;
  for (i32 i = 0; i < n * n; i++) {
    const double *a = points + 2 * (i / n * (n + 1) + i % n), *c = a + 2 * (n + 1);
    look_up(rgb, w, h, a, a + 2, c, c + 2, &cell);
    tell(&cell, facts + PICTURE_FACTS * i);
    for (i32 p = 0; p < PICTURE_PIXELS; p++) {
      float off[3];
      for (i32 k = 0; k < 3; k++) off[k] = cell.pixel[p][k] - cell.paper[k];
      ink[(size_t)PICTURE_PIXELS * (size_t)i + (size_t)p] = along(off, cell.axis);
    }
  }
  return OK;
}

EXPORT(i32, sudoku_picture_normal)(float *ink, const float *facts, i32 count, double scale) {
  if (count < 0 || count > PICTURE_MOST * PICTURE_MOST || !(scale >= 0)) return BAD;
  for (i32 i = 0; i < count; i++) {
    float strength = facts[PICTURE_FACTS * i], least = (float)(0.42 * scale);
    float by = 1 / ((strength > least ? strength : least) + 1e-6f), *p = ink + PICTURE_PIXELS * i;
    for (i32 k = 0; k < PICTURE_PIXELS; k++) {
      float x = p[k] * by;
      p[k] = x < -1.2f ? -1.2f : x > 1.6f ? 1.6f : x;
    }
  }
  return OK;
}

/* The most ink of a row, away from the cell's sides. */
static float most_of_row(const float *cell, i32 y) {
  float most = cell[y * SIDE + EDGE];
  for (i32 x = EDGE + 1; x < SIDE - EDGE; x++)
    if (cell[y * SIDE + x] > most) most = cell[y * SIDE + x];
  return most;
}

/* From a row with ink step by step to where it is half as strong, between two rows. */
static float end_of(const float *rows, i32 y, i32 step) {
  while (y + step >= 0 && y + step < SIDE && rows[y + step] >= 0.5f) y += step;
  if (y + step < 0 || y + step >= SIDE) return (float)y;
  return (float)y + (float)step * (rows[y] - 0.5f) / (rows[y] - rows[y + step]);
}

EXPORT(i32, sudoku_picture_reach)(const float *ink, i32 count, float *reach) {
  if (count < 0 || count > PICTURE_MOST * PICTURE_MOST) return BAD;
  for (i32 i = 0; i < count; i++) {
    float rows[SIDE];
    for (i32 y = 0; y < SIDE; y++) rows[y] = most_of_row(ink + PICTURE_PIXELS * i, y);
    i32 from = SIDE / 2, off = 0; /* the row with ink nearest to the middle, above it first */
    while (off < SIDE / 2 && !(rows[from = SIDE / 2 - off] >= 0.5f) &&
           !(rows[from = SIDE / 2 + off] >= 0.5f))
      off++;
    i32 none = off == SIDE / 2;
    reach[2 * i] = none ? 0 : end_of(rows, from, -1);
    reach[2 * i + 1] = none ? 0 : end_of(rows, from, 1);
  }
  return OK;
}

enum { CENTRE = 7, FEWEST = 4 }; /* where every symbol has ink; pixels of it */
static const float INKED = 0.4f;

EXPORT(i32, sudoku_picture_inked)(const float *ink, i32 count, u8 *marks) {
  if (count < 0 || count > PICTURE_MOST * PICTURE_MOST) return BAD;
  for (i32 i = 0; i < count; i++) {
    i32 pixels = 0;
    for (i32 y = CENTRE; y < SIDE - CENTRE; y++)
      for (i32 x = CENTRE; x < SIDE - CENTRE; x++)
        pixels += ink[PICTURE_PIXELS * i + SIDE * y + x] >= INKED;
    marks[i] = pixels >= FEWEST;
  }
  return OK;
}

enum { OFF = 2, PLACES = (2 * OFF + 1) * (2 * OFF + 1) }; /* pixels a symbol may lie off its like */

typedef float Four __attribute__((vector_size(16)));
typedef struct {
  Four part[MIDDLE / 4];
} Shape;

/* The INNER x INNER pixels from there on, less their mean, and divided by their length. */
static i32 shape_of(const float *from, Shape *out) {
  float *to = (float *)out->part, sum = 0, squares = 0;
  for (i32 i = 0; i < MIDDLE; i++) sum += to[i] = from[i / INNER * SIDE + i % INNER];
  for (i32 i = 0; i < MIDDLE; i++) to[i] -= sum / MIDDLE, squares += to[i] * to[i];
  if (!(squares > 1e-6f)) return 0;
  for (i32 i = 0; i < MIDDLE / 4; i++) out->part[i] /= (float)__builtin_sqrt(squares);
  return 1;
}

static float product(const Shape *a, const Shape *b) {
  Four sum = {0, 0, 0, 0};
  for (i32 i = 0; i < MIDDLE / 4; i++) sum += a->part[i] * b->part[i];
  return sum[0] + sum[1] + sum[2] + sum[3];
}

static i32 among(const u8 *cells, i32 many, i32 count) {
  for (i32 k = 0; k < many; k++)
    if (cells[k] >= count) return 0;
  return 1;
}

EXPORT(i32, sudoku_picture_alike)(const float *ink, i32 count, const u8 *these, i32 a,
                                  const u8 *those, i32 b, float *out) {
  i32 most = PICTURE_MOST * PICTURE_MOST;
  if (count < 0 || count > most || a < 0 || a > most || b < 0 || b > most) return BAD;
  if (!among(these, a, count) || !among(those, b, count)) return BAD;
  static Shape places[PLACES], others[PICTURE_MOST * PICTURE_MOST];
  static u8 shaped[PICTURE_MOST * PICTURE_MOST];
  for (i32 j = 0; j < b; j++)
    shaped[j] = (u8)shape_of(ink + PICTURE_PIXELS * those[j] + (SIDE + 1) * EDGE, others + j);
  for (i32 i = 0; i < a; i++) {
    i32 found = 0;
    for (i32 k = 0; k < PLACES; k++) {
      i32 y = EDGE - OFF + k / (2 * OFF + 1), x = EDGE - OFF + k % (2 * OFF + 1);
      found += shape_of(ink + PICTURE_PIXELS * these[i] + SIDE * y + x, places + found);
    }
    for (i32 j = 0; j < b; j++) {
      float best = found && shaped[j] ? -1 : 0;
      for (i32 k = 0; k < found && shaped[j]; k++) {
        float value = product(places + k, others + j);
        if (value > best) best = value;
      }
      out[i * b + j] = best;
    }
  }
  return OK;
}
