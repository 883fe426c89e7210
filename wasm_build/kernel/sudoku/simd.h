/* Sixteen bytes at a time: the few vector operations of the sudoku desk, under plain names.
 *
 * A line of a 9x9 board is a vector of 16 bytes: nine cells, then seven bytes that nobody reads.
 */
#ifndef CLUEWISE_SUDOKU_SIMD_H
#define CLUEWISE_SUDOKU_SIMD_H

#include <wasm_simd128.h>

#include "kernel.h"

typedef v128_t Bytes;

#define NINE_LANES 511u /* the low nine bits of a lane mask */

static inline Bytes load16(const void *from) { return wasm_v128_load(from); }
static inline void store16(void *to, Bytes x) { wasm_v128_store(to, x); }
static inline Bytes all16(i32 byte) { return wasm_i8x16_splat((i8)byte); }
static inline Bytes make16(u64 low, u64 high) { return wasm_u64x2_make(low, high); }
/* out[i] = table[index[i]], 0 where the index is 16 or more */
static inline Bytes look_up(Bytes table, Bytes index) { return wasm_i8x16_swizzle(table, index); }
static inline Bytes both(Bytes a, Bytes b) { return wasm_v128_and(a, b); }
static inline Bytes either(Bytes a, Bytes b) { return wasm_v128_or(a, b); }
static inline Bytes without(Bytes a, Bytes b) { return wasm_v128_andnot(a, b); } /* a & ~b */
static inline Bytes lesser(Bytes a, Bytes b) { return wasm_u8x16_min(a, b); }
static inline Bytes greater(Bytes a, Bytes b) { return wasm_u8x16_max(a, b); }
static inline Bytes choose(Bytes mask, Bytes yes, Bytes no) {
  return wasm_v128_bitselect(yes, no, mask);
}
/* one bit a lane: where the bytes are equal */
static inline u32 equal_lanes(Bytes a, Bytes b) {
  return (u32)wasm_i8x16_bitmask(wasm_i8x16_eq(a, b));
}
/* one bit for each of eight 16-bit lanes: where they are equal, and where a >= b */
static inline u32 equal_words(Bytes a, Bytes b) {
  return (u32)wasm_i16x8_bitmask(wasm_i16x8_eq(a, b));
}
static inline u32 not_less_words(Bytes a, Bytes b) {
  return (u32)wasm_i16x8_bitmask(wasm_u16x8_ge(a, b));
}
static inline Bytes all_words(i32 word) { return wasm_i16x8_splat((i16)word); }
static inline i32 any_bit(Bytes a) { return wasm_v128_any_true(a); }
static inline u64 low_half(Bytes a) { return (u64)wasm_i64x2_extract_lane(a, 0); }
static inline u64 high_half(Bytes a) { return (u64)wasm_i64x2_extract_lane(a, 1); }
static inline Bytes interleave_low(Bytes a, Bytes b) {
  return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

#endif
