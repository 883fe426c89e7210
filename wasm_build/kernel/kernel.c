/* The arena's bounds, the four memory functions the compiler may call, and log2. */
#include "kernel.h"

#ifdef __wasm__
/* The linker places the stack and our static data first; everything above is the arena. */
extern u8 __heap_base;

static u64 arena_from(void) { return ((uintptr_t)&__heap_base + 15) & ~(uintptr_t)15; }
static u64 arena_end(void) { return (u64)__builtin_wasm_memory_size(0) << 16; }
#else
static u64 arena[2]; /* set by the caller, below 2 GB: addresses in structs have 32 bits */

__attribute__((visibility("default"))) void arena_is(i32 from, i32 to) {
  arena[0] = (u32)from;
  arena[1] = (u32)to;
}

static u64 arena_from(void) { return arena[0]; }
static u64 arena_end(void) { return arena[1]; }
#endif

/* arena_base: the first byte of the arena, 16-byte aligned. The arena ends with the memory. */
EXPORT(i32, arena_base)(void) { return (i32)arena_from(); }

i32 kernel_holds(const void *at, u64 bytes) {
  u64 from = (uintptr_t)at, end = arena_end();
  return from >= arena_from() && from <= end && bytes <= end - from;
}

/* kernel_version: increased whenever a function's interface changes; the host checks it at start. */
EXPORT(i32, kernel_version)(void) { return 1; }

#ifdef __wasm__
/* With -mbulk-memory large copies are one instruction; these functions serve the small ones. Without
 * no_builtin the compiler would turn each loop into a call of the function itself. */
__attribute__((no_builtin("memcpy"))) void *memcpy(void *restrict to, const void *restrict from,
                                                   size_t length) {
  u8 *t = to;
  const u8 *f = from;
  for (size_t i = 0; i < length; i++) t[i] = f[i];
  return to;
}

__attribute__((no_builtin("memmove", "memcpy"))) void *memmove(void *to, const void *from, size_t length) {
  u8 *t = to;
  const u8 *f = from;
  if (t < f)
    for (size_t i = 0; i < length; i++) t[i] = f[i];
  else
    for (size_t i = length; i-- > 0;) t[i] = f[i];
  return to;
}

__attribute__((no_builtin("memset"))) void *memset(void *to, int value, size_t length) {
  u8 *t = to;
  for (size_t i = 0; i < length; i++) t[i] = (u8)value;
  return to;
}

__attribute__((no_builtin("memcmp"))) int memcmp(const void *a, const void *b, size_t length) {
  const u8 *x = a, *y = b;
  for (size_t i = 0; i < length; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

#endif

/* x = m * 2^e with m in [sqrt(1/2), sqrt(2)); ln m = 2 atanh(s), s = (m - 1) / (m + 1), by its
 * odd series: |s| <= 0.1716, so the term after s^23 is below 2^-63. */
double kernel_log2(double x) {
  if (!(x > 0)) return 0;
  union {
    double d;
    u64 u;
  } bits = {x};
  i32 exponent = (i32)(bits.u >> 52) - 1023;
  if (exponent == -1023) { /* subnormal: scale up first */
    bits.d = x * 0x1p54;
    exponent = (i32)(bits.u >> 52) - 1023 - 54;
  }
  bits.u = (bits.u & 0x000fffffffffffffull) | 0x3ff0000000000000ull;
  double m = bits.d;
  if (m > 1.4142135623730951) {
    m *= 0.5;
    exponent++;
  }
  double s = (m - 1) / (m + 1), s2 = s * s, sum = 0;
  for (i32 k = 23; k >= 1; k -= 2) sum = sum * s2 + 1.0 / k;
  return exponent + 2 * s * sum * 1.4426950408889634;
}
