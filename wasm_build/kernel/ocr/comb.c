/* Combs: upright square lattices found by running sums over all places, for screenshots whose frame
 * is missing, or grown together with other boxes. */
#include "ocr.h"

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
    float neighbour = kept[i - step] > kept[i + step] ? kept[i - step] : kept[i + step];
    out[i] = kept[i] > 0.8f * neighbour ? kept[i] : 0.8f * neighbour;
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

/* Places are looked at in blocks of BLOCK x BLOCK. The upright lines' share of a comb hardly changes
 * down a block, nor the level lines' share across it: one row and one column of a block bound what
 * its places can be worth, and only blocks that may hold the best one are looked at in full. */
enum { BLOCK = 4, MIDDLE = BLOCK / 2 };

typedef struct {
  i32 w, h, n, length, wide, high;                     /* the picture, the comb, how many places */
  i32 line[PICTURE_MOST + 1], third[PICTURE_MOST][2]; /* how far they lie from the first line */
  i32 across, down;                                    /* how many blocks there are */
  const float *upright, *level;
  float *columns, *rows; /* of every block the most that its upright, its level lines are worth */
} Comb;

static void lines_of(Comb *c, double pitch) {
  for (i32 k = 0; k <= c->n; k++) c->line[k] = min32((i32)(k * pitch + 0.5), c->length);
  for (i32 k = 0; k < c->n; k++) {
    c->third[k][0] = (i32)((k + 0.33) * pitch + 0.5);
    c->third[k][1] = (i32)((k + 0.67) * pitch + 0.5);
  }
}

static float weight(const Comb *c, i32 k) { return k == 0 || k == c->n ? 0.6f : 1; }

/* Mean evidence along a line; what is clearer than three quarters is clear. */
static float mean_along(const Comb *c, const float *from, i32 step) {
  float mean = (from[c->length * step] - from[0]) * (1.0f / (float)c->length);
  return mean < 0.75f ? mean : 0.75f;
}

static float upright_at(const Comb *c, i32 x, i32 y) {
  return mean_along(c, c->upright + (size_t)y * (size_t)c->w + (size_t)x, c->w);
}

static float level_at(const Comb *c, i32 x, i32 y) {
  return mean_along(c, c->level + (size_t)y * (size_t)(c->w + 1) + (size_t)x, 1);
}

/* An upright line `off` right of the place and a level one as far below it. */
static float both_at(const Comb *c, i32 x, i32 y, i32 off) {
  return upright_at(c, x + off, y) + level_at(c, x, y + off);
}

static float value_at(const Comb *c, i32 x, i32 y) {
  float sum = 0;
  for (i32 k = 0; k <= c->n; k++) {
    sum += weight(c, k) * both_at(c, x, y, c->line[k]);
    for (i32 t = 0; t < 2 && k < c->n; t++) sum -= 0.5f * both_at(c, x, y, c->third[k][t]);
  }
  return sum;
}

/* The lines of one direction added up for places side by side; a pixel is `step` numbers away. */
static void add_lines(const Comb *c, const float *seen, i32 step, i32 places, float *restrict sums) {
  const float *last = seen + step * c->line[c->n];
  for (i32 i = 0; i < places; i++) sums[i] = 0.6f * last[i];
  for (i32 k = 0; k < c->n; k++) {
    const float *line = seen + step * c->line[k];
    float by = weight(c, k);
    const float *a = seen + step * c->third[k][0], *b = seen + step * c->third[k][1];
    for (i32 i = 0; i < places; i++) sums[i] += by * line[i] - 0.5f * (a[i] + b[i]);
  }
}

static void raise(float *most, float x) {
  if (x > *most) *most = x;
}

/* Upright lines along every block's middle row; of a block's places the most. work: 2*w floats. */
static void bound_columns(Comb *c, float *work) {
  float *line = work, *sums = work + c->w;
  for (i32 j = 0; j < c->down; j++) {
    float *most = c->columns + j * c->across;
    i32 y = min32(BLOCK * j + MIDDLE, c->high - 1);
    for (i32 x = 0; x < c->w; x++) line[x] = upright_at(c, x, y);
    add_lines(c, line, 1, c->wide, sums);
    for (i32 i = 0; i < c->across; i++) most[i] = sums[BLOCK * i];
    for (i32 x = 0; x < c->wide; x++) raise(&most[x / BLOCK], sums[x]);
  }
}

/* Level lines along every block's middle column, likewise. work: across * (h + 1) floats. */
static void bound_rows(Comb *c, float *work) {
  float *sums = work, *lines = work + c->across;
  for (i32 y = 0; y < c->h; y++)
    for (i32 i = 0; i < c->across; i++)
      lines[y * c->across + i] = level_at(c, min32(BLOCK * i + MIDDLE, c->wide - 1), y);
  for (i32 y = 0; y < c->high; y++) {
    float *most = c->rows + y / BLOCK * c->across;
    add_lines(c, lines + y * c->across, c->across, c->across, sums);
    for (i32 i = 0; i < c->across; i++)
      if (y % BLOCK == 0 || sums[i] > most[i]) most[i] = sums[i];
  }
}

/* The best place of a block, if it is worth more than what was found, or as much further up. */
static void look_at_block(const Comb *c, i32 i, i32 j, double *best) {
  for (i32 y = BLOCK * j; y < min32(BLOCK * (j + 1), c->high); y++)
    for (i32 x = BLOCK * i; x < min32(BLOCK * (i + 1), c->wide); x++) {
      float value = value_at(c, x, y);
      i32 before = y < best[2] || (y == best[2] && x < best[1]);
      if (value > best[0] || (value == best[0] && before)) best[0] = value, best[1] = x, best[2] = y;
    }
}

EXPORT(i32, sudoku_picture_comb)(const float *down, const float *across, i32 w, i32 h, i32 n,
                                 double pitch, double least, double *best, float *work) {
  if (!picture_sides(w, h) || !picture_lattice(n) || !(pitch >= 2 && pitch < 4096)) return BAD;
  i32 length = (i32)(n * pitch + 0.5);
  best[0] = -1, best[1] = best[2] = 0;
  if (length + 1 >= w || length + 1 >= h || !(least >= -1)) return OK;
  Comb c = {.w = w, .h = h, .n = n, .length = length, .wide = w - length, .high = h - length,
            .upright = down, .level = across};
  c.across = (c.wide + BLOCK - 1) / BLOCK, c.down = (c.high + BLOCK - 1) / BLOCK;
  i32 blocks = c.across * c.down, first = 0;
  c.columns = work, c.rows = work + blocks;
  lines_of(&c, pitch);
  bound_columns(&c, work + 2 * blocks);
  bound_rows(&c, work + 2 * blocks);
  float *bound = c.columns;
  for (i32 k = 0; k < blocks; k++) bound[k] += c.rows[k];
  for (i32 k = 1; k < blocks; k++)
    if (bound[k] > bound[first]) first = k;
  /* A step changes a line's mean by 1 / length at most, and a place lies up to MIDDLE steps from
   * where either share was taken; the weights of a direction add up to less than 2n + 1. */
  double off = 2.0 * MIDDLE * (2 * n + 1) / length + 1e-3, found[3] = {least, -1, -1};
  look_at_block(&c, first % c.across, first / c.across, found);
  for (i32 k = 0; k < blocks; k++)
    if (bound[k] + off >= found[0]) look_at_block(&c, k % c.across, k / c.across, found);
  for (i32 k = 0; k < 3 && found[1] >= 0; k++) best[k] = found[k];
  return OK;
}
