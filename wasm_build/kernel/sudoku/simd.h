/* Sixteen bytes at a time: the few vector operations of the sudoku desk, under plain names.
 *
 * A line of a 9x9 board is a vector of 16 bytes: nine cells, then seven bytes that no one reads.
 */
#ifndef CLUEWISE_SUDOKU_SIMD_H
#define CLUEWISE_SUDOKU_SIMD_H

#include <wasm_simd128.h>

#include "kernel.h"

typedef v128_t Bytes;

#define NINE_LANES 511u /* the low nine bits of a lane mask */

/* The permutations of three things, in ascending order. */
static const u8 ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

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
static inline Bytes equal16(Bytes a, Bytes b) { return wasm_i8x16_eq(a, b); } /* 255 or 0 */
static inline Bytes plus16(Bytes a, Bytes b) { return wasm_i8x16_add(a, b); }
static inline Bytes less16(Bytes a, Bytes b) { return wasm_i8x16_sub(a, b); }
static inline Bytes ones16(Bytes a) { return wasm_i8x16_popcnt(a); } /* bits a byte */
/* one bit a lane: its highest; where the bytes are equal */
static inline u32 lanes_of(Bytes mask) { return (u32)wasm_i8x16_bitmask(mask); }
static inline u32 equal_lanes(Bytes a, Bytes b) { return lanes_of(equal16(a, b)); }
/* one bit for each of sixteen signed 16-bit lanes of two vectors: where they are equal to those of a
 * third, and where they are greater */
static inline u32 equal_words(Bytes low, Bytes high, Bytes than) {
  return lanes_of(wasm_i8x16_narrow_i16x8(wasm_i16x8_eq(low, than), wasm_i16x8_eq(high, than)));
}
static inline u32 greater_words(Bytes low, Bytes high, Bytes than) {
  return lanes_of(wasm_i8x16_narrow_i16x8(wasm_i16x8_gt(low, than), wasm_i16x8_gt(high, than)));
}
static inline Bytes all_words(i32 word) { return wasm_i16x8_splat((i16)word); }
static inline i32 any_bit(Bytes a) { return wasm_v128_any_true(a); }
/* two 64-bit lanes; `turned`: to the right, by less than 64 bits */
static inline Bytes pair_plus(Bytes a, Bytes b) { return wasm_i64x2_add(a, b); }
static inline Bytes pair_turned(Bytes a, u32 by) {
  return wasm_v128_or(wasm_u64x2_shr(a, by), wasm_i64x2_shl(a, 64 - by));
}
static inline u64 low_half(Bytes a) { return (u64)wasm_i64x2_extract_lane(a, 0); }
static inline u64 high_half(Bytes a) { return (u64)wasm_i64x2_extract_lane(a, 1); }
/* four 32-bit lanes, where three are used the last is 0 */
static inline Bytes shift_up(Bytes a, u32 by) { return wasm_i32x4_shl(a, by); }
static inline Bytes shift_down(Bytes a, u32 by) { return wasm_u32x4_shr(a, by); }
#define lane32(a, lane) ((u32)wasm_i32x4_extract_lane(a, lane)) /* lane: a constant */
static inline Bytes all_lanes(u32 word) { return wasm_i32x4_splat((i32)word); }
static inline Bytes three_lanes(u32 a, u32 b, u32 c) { return wasm_u32x4_make(a, b, c, 0); }
static inline Bytes least_lanes(Bytes a, Bytes b) { return wasm_u32x4_min(a, b); }
static inline Bytes most_lanes(Bytes a, Bytes b) { return wasm_u32x4_max(a, b); }
/* one bit for each lane of two vectors: where they are equal to those of a third */
static inline u32 equal_to_lanes(Bytes low, Bytes high, Bytes than) {
  return (u32)wasm_i32x4_bitmask(wasm_i32x4_eq(low, than)) |
         (u32)wasm_i32x4_bitmask(wasm_i32x4_eq(high, than)) << 4;
}
static inline Bytes minus(Bytes a, Bytes b) { return wasm_i32x4_sub(a, b); }
static inline Bytes plus(Bytes a, Bytes b) { return wasm_i32x4_add(a, b); }
static inline Bytes differing(Bytes a, Bytes b) { return wasm_v128_xor(a, b); }
/* one bit for each lane of four vectors, the first vector's lowest: where it is positive */
static inline u32 positive_lanes(Bytes a, Bytes b, Bytes c, Bytes d) {
  Bytes low = wasm_i16x8_narrow_i32x4(a, b), high = wasm_i16x8_narrow_i32x4(c, d);
  return lanes_of(wasm_i8x16_gt(wasm_i8x16_narrow_i16x8(low, high), wasm_i8x16_splat(0)));
}
static inline Bytes interleave_low(Bytes a, Bytes b) {
  return wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
static inline Bytes interleave_pairs_low(Bytes a, Bytes b) {
  return wasm_i16x8_shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
static inline Bytes interleave_pairs_high(Bytes a, Bytes b) {
  return wasm_i16x8_shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
static inline Bytes interleave_fours_low(Bytes a, Bytes b) {
  return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5);
}
static inline Bytes interleave_fours_high(Bytes a, Bytes b) {
  return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
}

#endif
