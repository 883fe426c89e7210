/* The picture made smaller, its light taken out, its ink. */
#include "ocr.h"

/* How much of the pixels first, first + 1, … lies between two places; how many there are. */
typedef struct {
  i32 first, count;
  double from, to;
} Part;

static Part part_of(i32 k, i32 count, i32 size) {
  double step = (double)size / count;
  Part p = {.from = k * step, .to = k + 1 == count ? size : (k + 1) * step};
  p.first = (i32)p.from;
  p.count = (i32)__builtin_ceil(p.to - 1e-9) - p.first;
  return p;
}

static float share_of(const Part *p, i32 k) {
  i32 at = p->first + k;
  return (float)((at + 1 < p->to ? at + 1 : p->to) - (at > p->from ? at : p->from));
}

EXPORT(i32, sudoku_picture_shrink)(const u8 *rgb, i32 w, i32 h, i32 W, i32 H, float *out) {
  if (!picture_sides(w, h) || !picture_sides(W, H) || W > w || H > h) return BAD;
  if (W == w && H == h) {
    for (i32 i = 0; i < 3 * w * h; i++) out[i] = (float)rgb[i] / 255;
    return OK;
  }
  static float sums[3 * 4096]; /* rows added up, all columns side by side */
  float by = (float)(((double)W / w) * ((double)H / h) / 255);
  for (i32 y = 0; y < H; y++) {
    Part down = part_of(y, H, h);
    for (i32 i = 0; i < 3 * w; i++) sums[i] = 0;
    for (i32 k = 0; k < down.count; k++) {
      const u8 *row = rgb + 3 * (size_t)w * (size_t)(down.first + k);
      float share = share_of(&down, k);
      for (i32 i = 0; i < 3 * w; i++) sums[i] += share * row[i];
    }
    float *to = out + 3 * (size_t)W * (size_t)y;
    for (i32 x = 0; x < W; x++, to += 3) {
      Part across = part_of(x, W, w);
      float sum[3] = {0, 0, 0};
      for (i32 k = 0; k < across.count; k++) {
        const float *p = sums + 3 * (across.first + k);
        float share = share_of(&across, k);
        for (i32 c = 0; c < 3; c++) sum[c] += share * p[c];
      }
      for (i32 c = 0; c < 3; c++) to[c] = sum[c] * by;
    }
  }
  return OK;
}

static i32 within(i32 i, i32 n) { return i < 0 ? 0 : i >= n ? n - 1 : i; }

/* Means over (2r+1) x (2r+1) pixels, the edge repeated. sums: w doubles; between: w*h floats. */
static void soften(const float *in, i32 w, i32 h, i32 r, float *out, float *between, double *sums) {
  double part = 1.0 / (2 * r + 1);
  for (i32 y = 0; y < h; y++) {
    const float *row = in + (size_t)y * (size_t)w;
    float *to = between + (size_t)y * (size_t)w;
    double sum = 0;
    for (i32 k = -r; k <= r; k++) sum += row[within(k, w)];
    for (i32 x = 0; x < w; x++) {
      to[x] = (float)(sum * part);
      sum += row[within(x + r + 1, w)] - row[within(x - r, w)];
    }
  }
  for (i32 x = 0; x < w; x++) sums[x] = 0;
  for (i32 k = -r; k <= r; k++) {
    const float *row = between + (size_t)within(k, h) * (size_t)w;
    for (i32 x = 0; x < w; x++) sums[x] += row[x];
  }
  for (i32 y = 0; y < h; y++) {
    const float *in_row = between + (size_t)within(y + r + 1, h) * (size_t)w;
    const float *out_row = between + (size_t)within(y - r, h) * (size_t)w;
    float *to = out + (size_t)y * (size_t)w;
    for (i32 x = 0; x < w; x++) {
      to[x] = (float)(sums[x] * part);
      sums[x] += in_row[x] - out_row[x];
    }
  }
}

enum { BINS = 8192 };

/* The middle size of many numbers, in steps of 1/BINS; 1 at most. */
static double middle_size(const float *a, i32 count) {
  static u32 bins[BINS + 1];
  memset(bins, 0, sizeof bins);
  for (i32 i = 0; i < count; i++) {
    float size = (a[i] < 0 ? -a[i] : a[i]) * BINS;
    bins[size < BINS ? (i32)size : BINS]++;
  }
  i32 left = count / 2, k = 0;
  while (left >= (i32)bins[k]) left -= (i32)bins[k++];
  return (double)k / BINS;
}

static double *doubles_after(float *work, i32 count) {
  return (double *)(((uintptr_t)(work + count) + 7) & ~(uintptr_t)7);
}

static i32 smaller_side(i32 w, i32 h) { return w < h ? w : h; }
static i32 rounded(double x) { return (i32)__builtin_floor(x + 0.5); }

EXPORT(i32, sudoku_picture_relief)(const float *rgb, i32 w, i32 h, float *grey, float *relief,
                                   double *noise, float *work) {
  if (!picture_sides(w, h)) return BAD;
  i32 count = w * h, near = max32(4, rounded(smaller_side(w, h) / 40.0));
  float *soft = work, *light = work + count, *between = work + 2 * count;
  double *sums = doubles_after(work, 3 * count);
  for (i32 i = 0; i < count; i++) grey[i] = (rgb[3 * i] + rgb[3 * i + 1] + rgb[3 * i + 2]) / 3;
  soften(grey, w, h, 1, soft, between, sums);
  for (i32 i = 0; i < count; i++) soft[i] = 0.7f * soft[i] + 0.3f * grey[i];
  soften(soft, w, h, near, light, between, sums);
  soften(light, w, h, near, relief, between, sums);
  soften(soft, w, h, max32(1, rounded(smaller_side(w, h) / 8.0)), light, between, sums);
  for (i32 i = 0; i < count; i++) relief[i] = (relief[i] - soft[i]) / (light[i] + 0.06f);
  noise[0] = middle_size(relief, count);
  return OK;
}

EXPORT(i32, sudoku_picture_ink)(const float *relief, i32 count, double sign, double low,
                                double high, float *out) {
  if (count < 0 || count > 1 << 24 || !(low <= high)) return BAD;
  float s = (float)sign, least = (float)low, most = (float)high;
  for (i32 i = 0; i < count; i++) {
    float x = s * relief[i];
    out[i] = x < least ? least : x > most ? most : x;
  }
  return OK;
}

static float slope(const float *a, i32 i, i32 n, i32 step) {
  i32 before = i ? i - 1 : 0, after = i + 1 < n ? i + 1 : i;
  float x = (a[(i64)after * step] - a[(i64)before * step]) / (float)(after - before);
  return x < 0 ? -x : x;
}

EXPORT(i32, sudoku_picture_tints)(const float *grey, i32 w, i32 h, float *out, float *work) {
  if (!picture_sides(w, h)) return BAD;
  float *soft = work;
  soften(grey, w, h, 1, soft, work + w * h, doubles_after(work, 2 * w * h));
  for (i32 y = 0; y < h; y++)
    for (i32 x = 0; x < w; x++) {
      float across = slope(soft + (size_t)y * (size_t)w, x, w, 1), down = slope(soft + x, y, h, w);
      float most = 2 * (across > down ? across : down);
      out[(size_t)y * (size_t)w + (size_t)x] = most > 0.1f ? 0.1f : most;
    }
  return OK;
}
