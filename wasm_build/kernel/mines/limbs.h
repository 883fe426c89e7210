/* Numbers of the sweeps: `limbs` 64-bit words, lowest first, that wrap around. Every number that
 * is read off in the end is at most the total, which fits, so wrapping on the way is harmless.
 * limbs = 0 means doubles. All of them are sums of positive terms: nothing cancels, so a double
 * that is zero is zero. Inlined once per width, since a loop over one word costs three times the
 * word. */
#ifndef CLUEWISE_MINES_NUMBERS_H
#define CLUEWISE_MINES_NUMBERS_H

#include "counter.h"

#define INLINE static inline __attribute__((always_inline))

typedef union Real { u64 u; double d; } Real;
static inline double real(u64 word) { return ((Real){.u = word}).d; }
static inline u64 word_of(double d) { return ((Real){.d = d}).u; }
static inline i32 width_of(i32 limbs) { return limbs ? limbs : 1; }

/* a * b in 128 bits. Spelled out: the compiler's own 128-bit product is a library call here. */
INLINE u64 multiply(u64 a, u64 b, u64 *high) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 low = a0 * b0, middle = a1 * b0 + (low >> 32), cross = a0 * b1 + (u32)middle;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
  return cross << 32 | (u32)low;
}

/* to += a[0..words) * b, words from the bottom; what does not fit is dropped */
INLINE void add_row(u64 *to, const u64 *a, u64 b, const i32 words) {
  u64 carry = 0, high;
  for (i32 i = 0; i < words; i++) {
    u64 low = multiply(a[i], b, &high);
    low += carry;
    high += low < carry;
    to[i] += low;
    carry = high + (to[i] < low);
  }
}

/* to += from */
INLINE void add_number(u64 *to, const u64 *from, const i32 limbs) {
  u64 carry = 0;
  for (i32 i = 0; i < limbs; i++) {
    u64 sum = to[i] + from[i], more = sum < from[i];
    to[i] = sum + carry;
    carry = more | (to[i] < carry);
  }
}

/* to += from * times; on most boards all boxes are single cells and `times` is 1 */
INLINE void add_times(u64 *to, const u64 *from, u64 times, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*from) * (double)times);
  else if (limbs == 1) *to += *from * times;
  else if (times == 1) add_number(to, from, limbs);
  else add_row(to, from, times, limbs);
}

/* to += a * b */
INLINE void add_product(u64 *to, const u64 *a, const u64 *b, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*a) * real(*b));
  else if (limbs == 1) *to += *a * *b;
  else
    for (i32 j = 0; j < limbs; j++)
      if (b[j]) add_row(to + j, a, b[j], limbs - j);
}

static inline void set_one(u64 *to, i32 limbs) {
  memset(to, 0, sizeof(u64) * (size_t)width_of(limbs));
  to[0] = limbs ? 1 : word_of(1.0);
}
static inline i32 is_zero(const u64 *a, i32 limbs) {
  for (i32 i = 0; i < width_of(limbs); i++)
    if (a[i]) return 0;
  return 1;
}

/* Where the layouts are added up in which a cell of the box's class is a mine. */
static inline u64 *tally_of(Counter *c, const Component *part, i32 box) {
  return c->mass + (size_t)(1 + part->class_of[box]) * (size_t)width_of(c->limbs);
}

#endif
