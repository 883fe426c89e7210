/* The net: four 3x3 convolutions and one full layer.
 *
 * Weights are whole numbers from -127 to 127, each output with a scale of its own. What goes into a
 * convolution is rounded to whole numbers as well, FINE steps from 0 to the largest of the cell, so
 * that one instruction multiplies eight pairs and adds them up two by two: at most
 * 396 * 127 * FINE < 2^31. Channels lie together, so that two neighbours of one place are a pair;
 * pictures have a border of zeros.
 */
#include "ocr.h"

#include <wasm_simd128.h>

enum { C1 = 12, C2 = 24, C3 = 44, C4 = 72, FLAT = 9 * C4 };
enum { PART = 11, FINE = 16383, MANY = 20 };
enum { P1 = 6, P2 = 9 * C1 / 2, P3 = 9 * C2 / 2, P4 = 9 * C3 / 2 }; /* pairs of inputs */

typedef struct {
  float scale1[C1], bias1[C1], scale2[C2], bias2[C2], scale3[C3], bias3[C3], scale4[C4], bias4[C4];
  float weight5[FLAT * PICTURE_CLASSES], bias5[PICTURE_CLASSES], unused[3];
  i16 weight1[P1 * C1 * 2], weight2[P2 * C2 * 2], weight3[P3 * C3 * 2], weight4[P4 * C4 * 2];
} Net;

_Static_assert(sizeof(Net) == PICTURE_NET, "the header says how large it is");

typedef struct {
  const i16 *weight; /* pair, output, the pair's two */
  const float *scale, *bias;
} Weights;

typedef float Four __attribute__((vector_size(16), aligned(4)));
typedef i32 Ints __attribute__((vector_size(16)));

static inline Four at_least_0(Four x) { return (Four)((Ints)x & (x > 0)); }

/* The pairs of inputs round a place. Half of what comes out of a layer is 0; where there are many
 * outputs the pairs that are 0 are left out, without a branch. One channel's rows of three are two
 * pairs each, of which the second has a weight of 0 for what is next to. */
static inline __attribute__((always_inline)) i32 pairs_at(const i16 *x, i32 side, i32 in, i32 all,
                                                          i32 *pair, i16 *place) {
  i32 count = 0, row = (3 * in + 1) / 2;
  for (i32 di = 0; di < 3; di++)
    for (i32 k = 0; k < row; k++) {
      __builtin_memcpy(&pair[count], x + di * (side + 2) * in + 2 * k, 4);
      place[count] = (i16)(di * row + k);
      count += all || pair[count] != 0;
    }
  return count;
}

/* to[o] = max(0, bias[o] + scale[o] * unit * sum x weight[.][o]) over a 3x3 neighbourhood; the largest
 * of all. The sums of up to PART vectors of outputs stay in registers. */
static inline __attribute__((always_inline)) float layer(const i16 *x, i32 side, i32 in, i32 out,
                                                         i32 stride, Weights w, float unit,
                                                         float *to) {
  i32 small = side / stride, passes = out / 4 > PART ? 2 : 1, part = out / 4 / passes;
  Four most = {0, 0, 0, 0};
  for (i32 i = 0; i < small * small; i++) {
    i32 pair[P4 + 1];
    i16 place[P4 + 1];
    const i16 *from = x + (i / small * stride * (side + 2) + i % small * stride) * in;
    i32 count = pairs_at(from, side, in, out < MANY, pair, place);
    for (i32 pass = 0; pass < passes; pass++) {
      i32 first = 4 * part * pass;
      v128_t sum[PART];
      for (i32 o = 0; o < part; o++) sum[o] = wasm_i32x4_splat(0);
      for (i32 n = 0; n < count; n++) {
        const i16 *weight = w.weight + 2 * (place[n] * out + first);
        v128_t both = wasm_i32x4_splat(pair[n]);
        for (i32 o = 0; o < part; o++)
          sum[o] = wasm_i32x4_add(sum[o], wasm_i32x4_dot_i16x8(both, wasm_v128_load(weight + 8 * o)));
      }
      for (i32 o = 0; o < part; o++) {
        i32 at = first + 4 * o;
        Ints whole;
        __builtin_memcpy(&whole, &sum[o], sizeof whole);
        Four by = *(const Four *)(w.scale + at) * unit;
        Four value = at_least_0(*(const Four *)(w.bias + at) + by * __builtin_convertvector(whole, Four));
        *(Four *)(to + i * out + at) = value;
        Ints more = value > most;
        most = (Four)(((Ints)value & more) | ((Ints)most & ~more));
      }
    }
  }
  float one = most[0] > most[1] ? most[0] : most[1], other = most[2] > most[3] ? most[2] : most[3];
  return one > other ? one : other;
}

/* The nearest whole number; halves away from 0. */
static inline v128_t whole_of(Four x) {
  Ints half = ((Ints)x & (i32)0x80000000) | (Ints)(Four){0.5f, 0.5f, 0.5f, 0.5f};
  Ints whole = __builtin_convertvector(x + (Four)half, Ints);
  v128_t out;
  __builtin_memcpy(&out, &whole, sizeof out);
  return out;
}

/* A picture as whole numbers with a border of zeros: FINE of them from 0 to `most`. */
static float rounded(const float *x, i32 side, i32 in, float most, i16 *to) {
  float by = most > 1e-6f ? FINE / most : 0;
  for (i32 i = 0; i < side; i++) {
    const float *from = x + i * side * in;
    i16 *row = to + ((i + 1) * (side + 2) + 1) * in;
    for (i32 k = 0; k < side * in; k += 8) {
      v128_t a = whole_of(*(const Four *)(from + k) * by), b = whole_of(*(const Four *)(from + k + 4) * by);
      wasm_v128_store(row + k, wasm_i16x8_narrow_i32x4(a, b));
    }
  }
  return most / FINE;
}

static float largest(const float *cell) {
  float most = 0;
  for (i32 i = 0; i < PICTURE_PIXELS; i++) {
    float size = cell[i] < 0 ? -cell[i] : cell[i];
    most = size > most ? size : most;
  }
  return most;
}

static const i32 INPUTS[4] = {9, 9 * C1, 9 * C2, 9 * C3}, OUTPUTS[4] = {C1, C2, C3, C4};

EXPORT(i32, sudoku_picture_net_read)(const u8 *file, i32 length, u8 *to) {
  Net *net = (Net *)to;
  i32 bytes = FLAT * PICTURE_CLASSES + 8 * PICTURE_CLASSES;
  for (i32 k = 0; k < 4; k++) bytes += INPUTS[k] * OUTPUTS[k] + 8 * OUTPUTS[k];
  if (length != bytes) return BAD;
  i16 *weights[4] = {net->weight1, net->weight2, net->weight3, net->weight4};
  float *scales[4] = {net->scale1, net->scale2, net->scale3, net->scale4};
  memset(net, 0, sizeof *net);
  for (i32 k = 0; k < 4; k++) {
    i32 in = INPUTS[k], out = OUTPUTS[k];
    for (i32 i = 0; i < in; i++)
      for (i32 o = 0; o < out; o++) {
        i32 at = k ? i : i + i / 3; /* rows of three are two pairs */
        weights[k][2 * (at / 2 * out + o) + at % 2] = (i8)file[i * out + o];
      }
    memcpy(scales[k], file + in * out, sizeof(float) * 2 * (size_t)out); /* the biases behind them */
    file += in * out + 8 * out;
  }
  float scale[PICTURE_CLASSES];
  memcpy(scale, file + FLAT * PICTURE_CLASSES, sizeof scale);
  memcpy(net->bias5, file + FLAT * PICTURE_CLASSES + sizeof scale, sizeof net->bias5);
  for (i32 i = 0; i < FLAT * PICTURE_CLASSES; i++)
    net->weight5[i] = (float)(i8)file[i] * scale[i % PICTURE_CLASSES];
  return OK;
}

EXPORT(i32, sudoku_picture_net)(const u8 *weights, const float *cells, i32 count, const u8 *which,
                                i32 many, float *scores, float *work) {
  if (count < 0 || count > PICTURE_MOST * PICTURE_MOST) return BAD;
  if (many < 0 || many > PICTURE_MOST * PICTURE_MOST) return BAD;
  for (i32 n = 0; n < many; n++)
    if (which[n] >= count) return BAD;
  const Net *net = (const Net *)weights;
  const Weights w1 = {net->weight1, net->scale1, net->bias1}, w2 = {net->weight2, net->scale2, net->bias2};
  const Weights w3 = {net->weight3, net->scale3, net->bias3}, w4 = {net->weight4, net->scale4, net->bias4};
  float *values = work;
  i16 *x0 = (i16 *)(values + 24 * 24 * C1), *x1 = x0 + 26 * 26, *x2 = x1 + 26 * 26 * C1;
  i16 *x3 = x2 + 14 * 14 * C2;
  memset(x0, 0, sizeof(i16) * (26 * 26 * (1 + C1) + 14 * 14 * C2 + 8 * 8 * C3));
  for (i32 n = 0; n < many; n++) {
    const float *cell = cells + (size_t)PICTURE_PIXELS * which[n];
    float unit = rounded(cell, 24, 1, largest(cell), x0);
    unit = rounded(values, 24, C1, layer(x0, 24, 1, C1, 1, w1, unit, values), x1);
    unit = rounded(values, 12, C2, layer(x1, 24, C1, C2, 2, w2, unit, values), x2);
    unit = rounded(values, 6, C3, layer(x2, 12, C2, C3, 2, w3, unit, values), x3);
    layer(x3, 6, C3, C4, 2, w4, unit, values);
    float sum[PICTURE_CLASSES];
    for (i32 o = 0; o < PICTURE_CLASSES; o++) sum[o] = net->bias5[o];
    for (i32 i = 0; i < FLAT; i++)
      for (i32 o = 0; o < PICTURE_CLASSES; o++) sum[o] += values[i] * net->weight5[i * PICTURE_CLASSES + o];
    for (i32 o = 0; o < PICTURE_CLASSES; o++) scores[PICTURE_CLASSES * n + o] = sum[o];
  }
  return OK;
}
