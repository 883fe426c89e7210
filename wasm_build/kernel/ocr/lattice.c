/* Lattices: begun from four corners, moved onto the lines, judged.
 *
 * No camera model: a polynomial over the board takes in perspective that is left, curl and folds.
 * Its degree rises while the search narrows, so that faint lines cannot make it wobble early.
 */
#include "ocr.h"

enum { STEPS = 25, LOOKS = 11, JUDGED = 17, MOST = PICTURE_MOST, TERMS = 15 };

typedef struct {
  const float *ink;
  i32 w, h, n;
  const double *points;
} View;

EXPORT(i32, sudoku_picture_start)(const double *corners, i32 n, double *points) {
  if (!picture_lattice(n)) return BAD;
  const double *p = corners;
  double ax = p[2] - p[4], ay = p[3] - p[5], bx = p[6] - p[4], by = p[7] - p[5];
  double sx = p[0] - p[2] + p[4] - p[6], sy = p[1] - p[3] + p[5] - p[7];
  double den = ax * by - bx * ay;
  if (!(den > 1e-6 || den < -1e-6)) return BAD;
  double g = (sx * by - bx * sy) / den, k = (ax * sy - sx * ay) / den;
  for (i32 i = 0; i <= n; i++)
    for (i32 j = 0; j <= n; j++) {
      double u = (double)j / n, v = (double)i / n, depth = g * u + k * v + 1;
      if (!(depth > 1e-3)) return BAD;
      double *to = points + 2 * (i * (n + 1) + j);
      for (i32 c = 0; c < 2; c++) {
        double a = p[2 + c] - p[c] + g * p[2 + c], b = p[6 + c] - p[c] + k * p[6 + c];
        to[c] = (a * u + b * v + p[c]) / depth;
      }
    }
  return OK;
}

/* Point `along` of line `line`; d = 0 upright lines, 1 level ones. */
static const double *point(const View *v, i32 d, i32 line, i32 along) {
  i32 row = d ? line : along, col = d ? along : line;
  return v->points + 2 * (row * (v->n + 1) + col);
}

/* The step from this line to the next one, at that point. */
static void across(const View *v, i32 d, i32 line, i32 along, double *out) {
  i32 before = line ? line - 1 : 0, after = line < v->n ? line + 1 : line;
  const double *a = point(v, d, before, along), *b = point(v, d, after, along);
  for (i32 c = 0; c < 2; c++) out[c] = (b[c] - a[c]) / (after - before);
}

enum { FRACTION = 18 }; /* bits of a place's fraction: sides have 12 bits, so a place fits 31 */

/* In 1 / 2^FRACTION pixels, to the nearest. */
static i32 fixed(double x) { return (i32)__builtin_floor(x * (1 << FRACTION) + 0.5); }

static i32 well_inside(double x, i32 side) { return x >= 0.001 && x <= side - 1.002; }

/* Adds the ink at `steps` places as far apart as `step` says, an odd number; `at` is the middle one. */
static void add_ink(const View *v, const double *at, const double *step, i32 steps, float *out) {
  double half = steps / 2, x = step[0] * half, y = step[1] * half;
  if (!(well_inside(at[0] - x, v->w) && well_inside(at[0] + x, v->w) &&
        well_inside(at[1] - y, v->h) && well_inside(at[1] + y, v->h))) {
    for (i32 k = 0; k < steps; k++)
      out[k] += picture_sample(v->ink, v->w, v->h, 1, at[0] + step[0] * (k - half),
                               at[1] + step[1] * (k - half));
    return;
  }
  i32 sx = fixed(step[0]), sy = fixed(step[1]), w = v->w;
  i32 fx = fixed(at[0]) - steps / 2 * sx, fy = fixed(at[1]) - steps / 2 * sy;
  const float part = 1.0f / (1 << FRACTION);
  for (i32 k = 0; k < steps; k++, fx += sx, fy += sy) {
    float right = (float)(fx & ((1 << FRACTION) - 1)) * part;
    float down = (float)(fy & ((1 << FRACTION) - 1)) * part;
    const float *p = v->ink + ((fy >> FRACTION) * w + (fx >> FRACTION)), *q = p + w;
    float upper = p[0] + (p[1] - p[0]) * right, lower = q[0] + (q[1] - q[0]) * right;
    out[k] += upper + (lower - upper) * down;
  }
}

/* Mean ink along one edge at `steps` offsets from -reach to reach cells across it. */
static void profile(const View *v, i32 d, i32 line, i32 along, double reach, i32 steps,
                    float *out) {
  const double *a = point(v, d, line, along), *b = point(v, d, line, along + 1);
  double na[2], nb[2], apart = 2 * reach / (steps - 1);
  across(v, d, line, along, na), across(v, d, line, along + 1, nb);
  for (i32 k = 0; k < steps; k++) out[k] = 0;
  for (i32 i = 0; i < LOOKS; i++) {
    double t = 0.14 + 0.072 * i, at[2], step[2];
    for (i32 c = 0; c < 2; c++) {
      at[c] = a[c] + (b[c] - a[c]) * t;
      step[c] = (na[c] + (nb[c] - na[c]) * t) * apart;
    }
    add_ink(v, at, step, steps, out);
  }
  for (i32 k = 0; k < steps; k++) out[k] /= LOOKS;
}

static void sort(float *a, i32 n) {
  for (i32 i = 1; i < n; i++) {
    float x = a[i];
    i32 k = i;
    for (; k > 0 && a[k - 1] > x; k--) a[k] = a[k - 1];
    a[k] = x;
  }
}

/* The middle of n sorted numbers. */
static float middle(const float *a, i32 n) { return n & 1 ? a[n / 2] : (a[n / 2 - 1] + a[n / 2]) / 2; }

static double median(const float *a, i32 n) {
  static float copy[2 * (MOST + 1) * MOST];
  for (i32 i = 0; i < n; i++) copy[i] = a[i];
  sort(copy, n);
  return middle(copy, n);
}

static i32 terms(double x, double y, i32 degree, double *out) {
  i32 count = 0;
  double px = 1;
  for (i32 i = 0; i <= degree; i++, px *= x) {
    double p = px;
    for (i32 j = 0; j <= degree - i; j++, p *= y) out[count++] = p;
  }
  return count;
}

/* A x = b for a symmetric positive A, in place; x lands in b. */
static void solve(double A[TERMS][TERMS], double *b, i32 n) {
  for (i32 i = 0; i < n; i++)
    for (i32 j = 0; j <= i; j++) {
      double sum = A[i][j];
      for (i32 k = 0; k < j; k++) sum -= A[i][k] * A[j][k];
      A[i][j] = i == j ? __builtin_sqrt(sum > 1e-12 ? sum : 1e-12) : sum / A[j][j];
    }
  for (i32 i = 0; i < n; i++) {
    for (i32 k = 0; k < i; k++) b[i] -= A[i][k] * b[k];
    b[i] /= A[i][i];
  }
  for (i32 i = n - 1; i >= 0; i--) {
    for (i32 k = i + 1; k < n; k++) b[i] -= A[k][i] * b[k];
    b[i] /= A[i][i];
  }
}

typedef struct {
  i32 count;
  double x[(MOST + 1) * MOST], y[(MOST + 1) * MOST], off[(MOST + 1) * MOST];
  float weight[(MOST + 1) * MOST];
} Offsets;

/* The best offset of an edge from its profile and its neighbours' along the line. */
static void best_offset(const float (*p)[STEPS], i32 n, i32 along, double reach, Offsets *o) {
  float seen[STEPS], most = -1e9f, peak = -1e9f;
  for (i32 k = 0; k < STEPS; k++) {
    seen[k] = p[along][k];
    if (along) seen[k] += 0.5f * p[along - 1][k];
    if (along + 1 < n) seen[k] += 0.5f * p[along + 1][k];
    most = seen[k] > most ? seen[k] : most;
  }
  i32 at = 0;
  for (i32 k = 0; k < STEPS; k++) {
    float t = (float)(2.0 * k / (STEPS - 1) - 1);
    seen[k] -= 0.15f * most * t * t;
    if (seen[k] > peak) peak = seen[k], at = k;
  }
  o->off[o->count] = reach * (2.0 * at / (STEPS - 1) - 1);
  sort(seen, STEPS);
  float clear = peak - seen[STEPS / 2];
  o->weight[o->count] = clear > 0 ? clear : 0;
}

static void offsets(const View *v, i32 d, double reach, Offsets *o) {
  float p[MOST][STEPS];
  o->count = 0;
  for (i32 line = 0; line <= v->n; line++) {
    for (i32 along = 0; along < v->n; along++) profile(v, d, line, along, reach, STEPS, p[along]);
    for (i32 along = 0; along < v->n; along++, o->count++) {
      best_offset((const float(*)[STEPS])p, v->n, along, reach, o);
      double a = 2.0 * line / v->n - 1, b = 2 * (along + 0.5) / v->n - 1;
      o->x[o->count] = d ? b : a, o->y[o->count] = d ? a : b;
    }
  }
  double usual = median(o->weight, o->count) + 1e-9;
  for (i32 i = 0; i < o->count; i++) {
    double weight = o->weight[i] / usual;
    o->weight[i] = (float)(weight < 1.5 ? weight : 1.5);
  }
}

/* The polynomial through the offsets; what lies far off it counts less and less. */
static void polynomial(const Offsets *o, i32 degree, double *c) {
  static const double STIFF[5] = {1e-3, 0.2, 1, 2, 3};
  double t[TERMS];
  i32 n = 0;
  for (i32 round = 0; round < 5; round++) {
    double A[TERMS][TERMS] = {{0}}, b[TERMS] = {0};
    for (i32 e = 0; e < o->count; e++) {
      n = terms(o->x[e], o->y[e], degree, t);
      double left = o->off[e], weight = o->weight[e];
      for (i32 i = 0; i < n && round; i++) left -= c[i] * t[i];
      if (round) weight /= 1 + left * left / 0.0025;
      for (i32 i = 0; i < n; i++) {
        b[i] += weight * t[i] * o->off[e];
        for (i32 j = 0; j <= i; j++) A[i][j] += weight * t[i] * t[j];
      }
    }
    for (i32 i = 0, k = 0; i <= degree; i++)
      for (i32 j = 0; j <= degree - i; j++, k++) A[k][k] += STIFF[i + j];
    solve(A, b, n);
    for (i32 i = 0; i < n; i++) c[i] = b[i];
  }
}

EXPORT(i32, sudoku_picture_fit)(const float *ink, i32 w, i32 h, i32 n, double *points, double reach,
                                i32 degree) {
  if (!picture_sides(w, h) || !picture_lattice(n) || degree < 1 || degree > 4) return BAD;
  if (!(reach > 0 && reach <= 0.5)) return BAD;
  static Offsets o;
  static double moved[2 * (MOST + 1) * (MOST + 1)];
  View v = {ink, w, h, n, points};
  i32 all = (n + 1) * (n + 1);
  for (i32 i = 0; i < 2 * all; i++) moved[i] = points[i];
  for (i32 d = 0; d < 2; d++) {
    double c[TERMS] = {0}, t[TERMS], step[2];
    offsets(&v, d, reach, &o);
    polynomial(&o, degree, c);
    for (i32 i = 0; i < all; i++) {
      i32 row = i / (n + 1), col = i % (n + 1), count = terms(2.0 * col / n - 1, 2.0 * row / n - 1, degree, t);
      double by = 0;
      for (i32 k = 0; k < count; k++) by += c[k] * t[k];
      across(&v, d, d ? row : col, d ? col : row, step);
      moved[2 * i] += by * step[0], moved[2 * i + 1] += by * step[1];
    }
  }
  for (i32 i = 0; i < 2 * all; i++) points[i] = moved[i];
  return OK;
}

/* How much more ink lies on an edge than next to it; and how much lies on it. */
static float clearness(const View *v, i32 d, i32 line, i32 along, float *on) {
  float p[JUDGED];
  profile(v, d, line, along, 0.4, JUDGED, p);
  float best = p[7] > p[8] ? p[7] : p[8];
  *on = best > p[9] ? best : p[9];
  sort(p, 5), sort(p + JUDGED - 5, 5);
  float left = p[2], right = p[JUDGED - 3];
  return *on - (left > right ? left : right);
}

/* The share of points that lie in the picture. */
static double inside(const View *v) {
  i32 all = (v->n + 1) * (v->n + 1), count = 0;
  for (i32 i = 0; i < all; i++) {
    double x = v->points[2 * i], y = v->points[2 * i + 1];
    count += x > -3 && x < v->w + 2 && y > -3 && y < v->h + 2;
  }
  return (double)count / all;
}

EXPORT(i32, sudoku_picture_score)(const float *ink, i32 w, i32 h, i32 n, const double *points,
                                  double *score) {
  if (!picture_sides(w, h) || !picture_lattice(n)) return BAD;
  static float clear[2 * (MOST + 1) * MOST], above[2 * (MOST + 1) * MOST];
  View v = {ink, w, h, n, points};
  i32 count = 0, positive = 0;
  for (i32 d = 0; d < 2; d++)
    for (i32 line = 0; line <= n; line++) {
      score[1 + d * (n + 1) + line] = 0;
      for (i32 along = 0; along < n; along++, count++) {
        float on;
        clear[count] = clearness(&v, d, line, along, &on);
        score[1 + d * (n + 1) + line] += clear[count] / n;
        if (clear[count] > 0) above[positive++] = clear[count];
      }
    }
  double usual = positive ? median(above, positive) : 1e-9, good = 0;
  for (i32 line = 0; line < 2 * (n + 1); line++) {
    float *edge = clear + line * n, sorted[MOST];
    for (i32 i = 0; i < n; i++) sorted[i] = edge[i];
    sort(sorted, n);
    for (i32 i = 0; i < n; i++) { /* a line is a line along most of its length */
      double q = (0.5 * edge[i] + 0.5 * sorted[n / 4]) / (0.5 * usual + 0.002);
      good += q < -0.5 ? -0.5 : q > 1 ? 1 : q;
    }
  }
  score[0] = good / count * inside(&v) * (usual < 0.006 ? usual / 0.006 : 1);
  return OK;
}
