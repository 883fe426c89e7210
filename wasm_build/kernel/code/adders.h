/* Sums of bits lane by lane: carry-save adders over 128 secrets, or over sixteen guesses by eight
 * secrets; the same operations. All is constant-folded where the number of pegs is a constant.
 */
#ifndef CLUEWISE_ADDERS_H
#define CLUEWISE_ADDERS_H

#include "code.h"

#define INLINE static inline __attribute__((always_inline))

typedef u64 Two __attribute__((vector_size(16), aligned(8))); /* two words of lanes */

/* Binary sum of `p` one-bit numbers in each lane: full adders take three rows of a weight to one
 * of that weight and one of the next. `open` is used up. */
INLINE void add_rows(const i32 p, Two *open, Two *sum) {
  Two carries[MAX_PEGS];
  i32 many = p;
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    i32 next = 0;
#pragma unroll
    while (many >= 3) {
      Two a = open[many - 1], b = open[many - 2], c = open[many - 3], ab = a ^ b;
      open[many - 3] = ab ^ c;
      carries[next++] = (a & b) | (ab & c);
      many -= 2;
    }
    if (many == 2) {
      Two a = open[0], b = open[1];
      open[0] = a ^ b;
      carries[next++] = a & b;
    }
    sum[bit] = many ? open[0] : (Two){0, 0};
    many = next;
#pragma unroll
    for (i32 i = 0; i < next; i++) open[i] = carries[i];
  }
}

/* The lanes whose sum is x. A bit is only looked at where another value <= p differs in it. */
INLINE Two lanes_with(const i32 p, const Two *sum, const i32 x) {
  Two lanes = {~0ull, ~0ull};
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    if (x >> bit & 1) lanes &= sum[bit];
    else if ((x | 1 << bit) <= p) lanes &= ~sum[bit];
  }
  return lanes;
}

/* The cell of x exact and t matches at all, in the order of code_cells_of. */
INLINE i32 cell_at(const i32 p, const i32 x, const i32 t) {
  return x < p ? x * (p + 1) - x * (x - 1) / 2 + t - x : p * (p + 3) / 2 - 1;
}

#endif
