/* The net: four 3x3 convolutions and one full layer.
 *
 * Channels lie together, so that four of them are one vector; every layer is a function of its own
 * with its sizes known, which the compiler unrolls. Pictures have a border of zeros.
 */
#include "sudoku/picture.h"

enum { C1 = 12, C2 = 24, C3 = 44, C4 = 72, FLAT = 9 * C4 };

enum { PART = 11 };

typedef float Four __attribute__((vector_size(16), aligned(4)));
typedef i32 Four_bits __attribute__((vector_size(16)));

static inline Four at_least_0(Four x) { return (Four)((Four_bits)x & (x > 0)); }

/* Adds x w[.][o] for `part` vectors of outputs, over the inputs of the list. */
static inline __attribute__((always_inline)) void add_up(const float *x, const i16 *list, i32 count,
                                                         const float *w, i32 out, i32 part, Four *sum) {
  for (i32 n = 0; n < count; n++) {
    const float *weight = w + list[n] * out;
    float by = x[n];
    for (i32 o = 0; o < part; o++) sum[o] += by * *(const Four *)(weight + 4 * o);
  }
}

/* out[o] = max(0, b[o] + sum x w[.][o]) over a 3x3 neighbourhood, `to` with a border of its own.
 * Half of what comes out of a layer is 0: the other inputs are listed first, without a branch. The
 * sums of up to PART vectors of outputs stay in registers. */
static inline __attribute__((always_inline)) void layer(
    const float *x, i32 side, i32 in, i32 out, i32 stride, const float *w, const float *b, float *to,
    i32 border) {
  i32 small = side / stride, row = (small + 2 * border) * out;
  i32 passes = out / 4 > PART ? 2 : 1, part = out / 4 / passes;
  for (i32 i = 0; i < small; i++)
    for (i32 j = 0; j < small; j++) {
      float values[9 * C3 + 1];
      i16 list[9 * C3 + 1];
      i32 count = 0;
      for (i32 di = 0; di < 3; di++) {
        const float *from = x + ((i * stride + di) * (side + 2) + j * stride) * in;
        for (i32 k = 0; k < 3 * in; k++) {
          values[count] = from[k], list[count] = (i16)(di * 3 * in + k);
          count += in == 1 || from[k] != 0;
        }
      }
      float *at = to + (i + border) * row + (j + border) * out;
      for (i32 pass = 0; pass < passes; pass++) {
        i32 first = 4 * part * pass;
        Four sum[PART];
        for (i32 o = 0; o < part; o++) sum[o] = *(const Four *)(b + first + 4 * o);
        add_up(values, list, count, w + first, out, part, sum);
        for (i32 o = 0; o < part; o++) *(Four *)(at + first + 4 * o) = at_least_0(sum[o]);
      }
    }
}

typedef struct {
  const float *w1, *b1, *w2, *b2, *w3, *b3, *w4, *b4, *w5, *b5;
} Net;

static Net parts(const float *p) {
  Net net;
  net.w1 = p, p += 9 * C1, net.b1 = p, p += C1;
  net.w2 = p, p += 9 * C1 * C2, net.b2 = p, p += C2;
  net.w3 = p, p += 9 * C2 * C3, net.b3 = p, p += C3;
  net.w4 = p, p += 9 * C3 * C4, net.b4 = p, p += C4;
  net.w5 = p, p += FLAT * PICTURE_CLASSES, net.b5 = p;
  return net;
}

static const i32 INPUTS[5] = {9, 9 * C1, 9 * C2, 9 * C3, FLAT};
static const i32 OUTPUTS[5] = {C1, C2, C3, C4, PICTURE_CLASSES};

EXPORT(i32, sudoku_picture_net_read)(const u8 *file, i32 length, float *weights) {
  i32 bytes = 0;
  for (i32 k = 0; k < 5; k++) bytes += INPUTS[k] * OUTPUTS[k] + 8 * OUTPUTS[k];
  if (length != bytes) return BAD;
  for (i32 k = 0; k < 5; k++) {
    i32 in = INPUTS[k], out = OUTPUTS[k];
    float scale[2 * C4];
    memcpy(scale, file + in * out, sizeof(float) * 2 * (size_t)out);
    for (i32 i = 0; i < in * out; i++) weights[i] = (float)(i8)file[i] * scale[i % out];
    memcpy(weights + in * out, scale + out, sizeof(float) * (size_t)out);
    weights += in * out + out, file += in * out + 8 * out;
  }
  return OK;
}

EXPORT(i32, sudoku_picture_net)(const float *weights, const float *cells, i32 count, const u8 *which,
                                i32 many, float *scores, float *work) {
  if (count < 0 || count > PICTURE_MOST * PICTURE_MOST) return BAD;
  if (many < 0 || many > PICTURE_MOST * PICTURE_MOST) return BAD;
  for (i32 n = 0; n < many; n++)
    if (which[n] >= count) return BAD;
  Net net = parts(weights);
  float *x0 = work, *x1 = x0 + 26 * 26, *x2 = x1 + 26 * 26 * C1, *x3 = x2 + 14 * 14 * C2;
  float *x4 = x3 + 8 * 8 * C3;
  memset(work, 0, sizeof(float) * (size_t)(x4 + FLAT - work));
  for (i32 n = 0; n < many; n++) {
    const float *cell = cells + (size_t)PICTURE_PIXELS * which[n];
    for (i32 i = 0; i < PICTURE_PIXELS; i++) x0[(i / 24 + 1) * 26 + i % 24 + 1] = cell[i];
    layer(x0, 24, 1, C1, 1, net.w1, net.b1, x1, 1);
    layer(x1, 24, C1, C2, 2, net.w2, net.b2, x2, 1);
    layer(x2, 12, C2, C3, 2, net.w3, net.b3, x3, 1);
    layer(x3, 6, C3, C4, 2, net.w4, net.b4, x4, 0);
    float sum[PICTURE_CLASSES];
    for (i32 o = 0; o < PICTURE_CLASSES; o++) sum[o] = net.b5[o];
    for (i32 i = 0; i < FLAT; i++)
      for (i32 o = 0; o < PICTURE_CLASSES; o++) sum[o] += x4[i] * net.w5[i * PICTURE_CLASSES + o];
    for (i32 o = 0; o < PICTURE_CLASSES; o++) scores[PICTURE_CLASSES * n + o] = sum[o];
  }
  return OK;
}
