/* Combs: upright square lattices found by running sums over all places, for screenshots whose frame
 * is missing, or grown together with other boxes. */
#include "sudoku/picture.h"

static float up_to_1(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* Thin lines across steps of `step` pixels; 0 in the two outermost pixels. */
static void thin(const float *g, i32 w, i32 h, i32 step, i32 kind, float *out) {
  memset(out, 0, sizeof(float) * (size_t)w * (size_t)h);
  for (i32 y = 2; y < h - 2; y++)
    for (i32 x = 2; x < w - 2; x++) {
      const float *p = g + (size_t)y * (size_t)w + (size_t)x;
      float value;
      if (kind) {
        float a = p[2 * step] - p[0], b = p[-2 * step] - p[0];
        if (kind < 0) a = -a, b = -b;
        value = 0.5f * (a < b ? a : b) + 0.25f * (a + b);
      } else {
        value = 0.5f * (p[step] - p[-step]);
        value = value < 0 ? -value : value;
      }
      out[(size_t)y * (size_t)w + (size_t)x] = up_to_1(value * 50);
    }
}

/* Only what is at least 11 pixels long: strokes of digits are shorter. Then a pixel wider. */
static void long_and_wider(const float *one, i32 count, i32 along, i32 step, float *kept,
                           float *out) {
  for (i32 i = 0; i < count; i++) kept[i] = 0;
  for (i32 i = 5 * along; i < count - 5 * along; i++) {
    float run = 0;
    for (i32 k = -5; k <= 5; k++) run += one[i + k * along];
    kept[i] = one[i] * up_to_1(run * (2.2f / 11) - 1);
  }
  for (i32 i = 0; i < count; i++) out[i] = kept[i];
  for (i32 i = step; i < count - step; i++) {
    float beside = kept[i - step] > kept[i + step] ? kept[i - step] : kept[i + step];
    out[i] = kept[i] > 0.8f * beside ? kept[i] : 0.8f * beside;
  }
}

EXPORT(i32, sudoku_picture_ridges)(const float *grey, i32 w, i32 h, i32 kind, float *down,
                                   float *across, float *work) {
  if (!picture_sides(w, h) || w < 16 || h < 16 || kind < -1 || kind > 1) return BAD;
  i32 count = w * h;
  float *one = work, *kept = work + count, *line = work + 2 * count;
  thin(grey, w, h, 1, kind, one);
  long_and_wider(one, count, w, 1, kept, line);
  for (i32 x = 0; x < w; x++) down[x] = 0;
  for (i32 i = 0; i < count; i++) down[i + w] = down[i] + line[i];
  thin(grey, w, h, w, kind, one);
  long_and_wider(one, count, 1, w, kept, line);
  for (i32 y = 0; y < h; y++) {
    float *row = across + (size_t)y * (size_t)(w + 1);
    row[0] = 0;
    for (i32 x = 0; x < w; x++) row[x + 1] = row[x] + line[(size_t)y * (size_t)w + (size_t)x];
  }
  return OK;
}

typedef struct {
  i32 w, h, wide, high; /* the picture, and how many places there are */
  const float *upright, *level;
  float *sum;
} Comb;

/* Adds the evidence of an upright line `off` pixels right of every place, and of a level one below. */
static void add(const Comb *c, i32 off, float weight) {
  for (i32 y = 0; y < c->high; y++) {
    const float *a = c->upright + (size_t)y * (size_t)c->w + (size_t)off;
    const float *b = c->level + (size_t)(y + off) * (size_t)c->wide;
    float *to = c->sum + (size_t)y * (size_t)c->wide;
    for (i32 x = 0; x < c->wide; x++) to[x] += weight * (a[x] + b[x]);
  }
}

/* Means of the evidence over the comb's length: upright lines for every column, level ones for every row. */
static void windows(const float *down, const float *across, i32 w, i32 h, i32 length,
                    float *upright, float *level) {
  i32 wide = w - length, high = h - length;
  float part = 1.0f / (float)length, most = 0.75f;
  for (i32 i = 0; i < high * w; i++) {
    float mean = (down[i + length * w] - down[i]) * part;
    upright[i] = mean < most ? mean : most;
  }
  for (i32 y = 0; y < h; y++) {
    const float *row = across + (size_t)y * (size_t)(w + 1);
    for (i32 x = 0; x < wide; x++) {
      float mean = (row[x + length] - row[x]) * part;
      level[(size_t)y * (size_t)wide + (size_t)x] = mean < most ? mean : most;
    }
  }
}

EXPORT(i32, sudoku_picture_comb)(const float *down, const float *across, i32 w, i32 h, i32 n,
                                 double pitch, double *best, float *work) {
  if (!picture_sides(w, h) || !picture_lattice(n) || !(pitch >= 2 && pitch < 4096)) return BAD;
  i32 length = (i32)(n * pitch + 0.5);
  best[0] = -1, best[1] = best[2] = 0;
  if (length + 1 >= w || length + 1 >= h) return OK;
  Comb c = {w, h, w - length, h - length, work, work + (size_t)w * (size_t)h,
            work + 2 * (size_t)w * (size_t)h};
  windows(down, across, w, h, length, work, work + (size_t)w * (size_t)h);
  for (i32 i = 0; i < c.wide * c.high; i++) c.sum[i] = 0;
  for (i32 k = 0; k <= n; k++) {
    add(&c, min32((i32)(k * pitch + 0.5), length), k == 0 || k == n ? 0.6f : 1);
    if (k == n) break;
    add(&c, (i32)((k + 0.33) * pitch + 0.5), -0.5f);
    add(&c, (i32)((k + 0.67) * pitch + 0.5), -0.5f);
  }
  for (i32 i = 0; i < c.wide * c.high; i++)
    if (c.sum[i] > best[0]) best[0] = c.sum[i], best[1] = i % c.wide, best[2] = i / c.wide;
  return OK;
}
