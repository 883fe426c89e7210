/* WebAssembly SIMD intrinsics, emulated lane by lane for the native build (codegen/native_kernel.py), so
 * that sanitizers check every access. Names and semantics of clang's wasm_simd128.h; only the
 * operations that the kernel uses.
 */
#ifndef CLUEWISE_NATIVE_SIMD_H
#define CLUEWISE_NATIVE_SIMD_H

#include <stdint.h>
#include <string.h>

typedef union __attribute__((aligned(16))) {
  uint8_t u8[16];
  int8_t i8[16];
  uint16_t u16[8];
  int16_t i16[8];
  uint32_t u32[4];
  int32_t i32[4];
  uint64_t u64[2];
  int64_t i64[2];
} v128_t;

#define LANES(count, field, value)                            \
  {                                                           \
    v128_t out;                                               \
    for (int i = 0; i < count; i++) out.field[i] = (value);   \
    return out;                                               \
  }
#define UNARY(name, count, field, value) \
  static inline v128_t wasm_##name(v128_t a) LANES(count, field, value)
#define BINARY(name, count, field, value) \
  static inline v128_t wasm_##name(v128_t a, v128_t b) LANES(count, field, value)
#define SPLAT(name, count, field, type) \
  static inline v128_t wasm_##name(type a) LANES(count, field, a)

static inline v128_t wasm_v128_load(const void *from) {
  v128_t out;
  memcpy(&out, from, 16);
  return out;
}
static inline void wasm_v128_store(void *to, v128_t a) { memcpy(to, &a, 16); }

SPLAT(i8x16_splat, 16, i8, int8_t)
SPLAT(i16x8_splat, 8, i16, int16_t)
SPLAT(i32x4_splat, 4, i32, int32_t)
#define wasm_i16x8_const_splat(a) wasm_i16x8_splat(a)
BINARY(i8x16_add, 16, u8, (uint8_t)(a.u8[i] + b.u8[i]))
BINARY(i16x8_add, 8, u16, (uint16_t)(a.u16[i] + b.u16[i]))
BINARY(i16x8_sub, 8, u16, (uint16_t)(a.u16[i] - b.u16[i]))
BINARY(u32x4_min, 4, u32, a.u32[i] < b.u32[i] ? a.u32[i] : b.u32[i])
BINARY(u32x4_max, 4, u32, a.u32[i] > b.u32[i] ? a.u32[i] : b.u32[i])
BINARY(i32x4_eq, 4, u32, a.u32[i] == b.u32[i] ? ~0u : 0u)
BINARY(i64x2_add, 2, u64, a.u64[i] + b.u64[i])
BINARY(i32x4_add, 4, u32, a.u32[i] + b.u32[i])
BINARY(i32x4_sub, 4, u32, a.u32[i] - b.u32[i])
BINARY(i8x16_sub, 16, u8, (uint8_t)(a.u8[i] - b.u8[i]))
BINARY(i8x16_ne, 16, u8, a.u8[i] != b.u8[i] ? 255 : 0)
BINARY(i8x16_eq, 16, u8, a.u8[i] == b.u8[i] ? 255 : 0)
BINARY(i8x16_gt, 16, u8, a.i8[i] > b.i8[i] ? 255 : 0)
BINARY(i8x16_lt, 16, u8, a.i8[i] < b.i8[i] ? 255 : 0)
BINARY(i16x8_eq, 8, u16, a.u16[i] == b.u16[i] ? 65535 : 0)
BINARY(u16x8_ge, 8, u16, a.u16[i] >= b.u16[i] ? 65535 : 0)
BINARY(i16x8_gt, 8, u16, a.i16[i] > b.i16[i] ? 65535 : 0)
BINARY(u8x16_min, 16, u8, a.u8[i] < b.u8[i] ? a.u8[i] : b.u8[i])
BINARY(u8x16_max, 16, u8, a.u8[i] > b.u8[i] ? a.u8[i] : b.u8[i])
BINARY(u16x8_sub_sat, 8, u16, a.u16[i] > b.u16[i] ? (uint16_t)(a.u16[i] - b.u16[i]) : 0)
BINARY(u16x8_min, 8, u16, a.u16[i] < b.u16[i] ? a.u16[i] : b.u16[i])
BINARY(u16x8_add_sat, 8, u16, (uint16_t)(a.u16[i] + b.u16[i] > 65535 ? 65535 : a.u16[i] + b.u16[i]))
BINARY(u16x8_avgr, 8, u16, (uint16_t)((a.u16[i] + b.u16[i] + 1) >> 1))
BINARY(u16x8_max, 8, u16, a.u16[i] > b.u16[i] ? a.u16[i] : b.u16[i])
BINARY(i16x8_max, 8, i16, a.i16[i] > b.i16[i] ? a.i16[i] : b.i16[i])
BINARY(i16x8_mul, 8, u16, (uint16_t)((uint32_t)a.u16[i] * b.u16[i]))
BINARY(i8x16_swizzle, 16, u8, b.u8[i] < 16 ? a.u8[b.u8[i]] : 0)
BINARY(v128_and, 2, u64, a.u64[i] & b.u64[i])
BINARY(v128_or, 2, u64, a.u64[i] | b.u64[i])
BINARY(v128_xor, 2, u64, a.u64[i] ^ b.u64[i])
BINARY(v128_andnot, 2, u64, a.u64[i] & ~b.u64[i])
UNARY(i16x8_abs, 8, u16, (uint16_t)(a.i16[i] < 0 ? -a.i16[i] : a.i16[i]))
UNARY(i8x16_popcnt, 16, u8, (uint8_t)__builtin_popcount(a.u8[i]))
UNARY(u16x8_extend_low_u8x16, 8, u16, a.u8[i])
UNARY(u16x8_extend_high_u8x16, 8, u16, a.u8[8 + i])
UNARY(u16x8_extadd_pairwise_u8x16, 8, u16, (uint16_t)(a.u8[2 * i] + a.u8[2 * i + 1]))
UNARY(u32x4_extadd_pairwise_u16x8, 4, u32, (uint32_t)(a.u16[2 * i] + a.u16[2 * i + 1]))

static inline uint8_t saturated(int16_t x) { return x < 0 ? 0 : x > 255 ? 255 : (uint8_t)x; }
BINARY(u8x16_narrow_i16x8, 16, u8, saturated(i < 8 ? a.i16[i] : b.i16[i - 8]))

static inline int64_t clamped(int64_t x, int64_t most) {
  return x < -most - 1 ? -most - 1 : x > most ? most : x;
}
BINARY(i8x16_narrow_i16x8, 16, i8, (int8_t)clamped(i < 8 ? a.i16[i] : b.i16[i - 8], 127))
BINARY(i16x8_narrow_i32x4, 8, i16, (int16_t)clamped(i < 4 ? a.i32[i] : b.i32[i - 4], 32767))

static inline uint32_t product(int16_t a, int16_t b) { return (uint32_t)((int32_t)a * b); }
BINARY(i32x4_dot_i16x8, 4, u32,
       product(a.i16[2 * i], b.i16[2 * i]) + product(a.i16[2 * i + 1], b.i16[2 * i + 1]))

static inline v128_t wasm_v128_bitselect(v128_t a, v128_t b, v128_t mask)
    LANES(2, u64, (a.u64[i] & mask.u64[i]) | (b.u64[i] & ~mask.u64[i]))
static inline v128_t wasm_u16x8_load8x8(const void *from) {
  v128_t bytes = {{0}};
  memcpy(bytes.u8, from, 8);
  LANES(8, u16, bytes.u8[i])
}
static inline v128_t wasm_u16x8_shr(v128_t a, uint32_t by)
    LANES(8, u16, (uint16_t)(a.u16[i] >> (by & 15)))
static inline v128_t wasm_u32x4_shr(v128_t a, uint32_t by) LANES(4, u32, a.u32[i] >> (by & 31))
static inline v128_t wasm_i32x4_shl(v128_t a, uint32_t by) LANES(4, u32, a.u32[i] << (by & 31))
static inline v128_t wasm_u64x2_shr(v128_t a, uint32_t by) LANES(2, u64, a.u64[i] >> (by & 63))
static inline v128_t wasm_i64x2_shl(v128_t a, uint32_t by) LANES(2, u64, a.u64[i] << (by & 63))
static inline v128_t wasm_u64x2_make(uint64_t a, uint64_t b) { return (v128_t){.u64 = {a, b}}; }
static inline v128_t wasm_u32x4_make(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return (v128_t){.u32 = {a, b, c, d}};
}
static inline _Bool wasm_v128_any_true(v128_t a) { return (a.u64[0] | a.u64[1]) != 0; }
static inline uint32_t wasm_i8x16_bitmask(v128_t a) {
  uint32_t bits = 0;
  for (int i = 0; i < 16; i++) bits |= (uint32_t)(a.u8[i] >> 7) << i;
  return bits;
}
static inline uint32_t wasm_i32x4_bitmask(v128_t a) {
  return a.u32[0] >> 31 | a.u32[1] >> 31 << 1 | a.u32[2] >> 31 << 2 | a.u32[3] >> 31 << 3;
}
#define wasm_u8x16_extract_lane(a, lane) ((a).u8[lane])
#define wasm_i32x4_extract_lane(a, lane) ((a).i32[lane])
#define wasm_i64x2_extract_lane(a, lane) ((a).i64[lane])

static inline v128_t shuffled(v128_t a, v128_t b, const uint8_t *from)
    LANES(16, u8, from[i] < 16 ? a.u8[from[i]] : b.u8[from[i] - 16])
#define wasm_i8x16_shuffle(a, b, ...) shuffled(a, b, (const uint8_t[16]){__VA_ARGS__})
static inline v128_t words_shuffled(v128_t a, v128_t b, const uint8_t *from)
    LANES(8, u16, from[i] < 8 ? a.u16[from[i]] : b.u16[from[i] - 8])
#define wasm_i16x8_shuffle(a, b, ...) words_shuffled(a, b, (const uint8_t[8]){__VA_ARGS__})
static inline v128_t fours_shuffled(v128_t a, v128_t b, const uint8_t *from)
    LANES(4, u32, from[i] < 4 ? a.u32[from[i]] : b.u32[from[i] - 4])
#define wasm_i32x4_shuffle(a, b, ...) fours_shuffled(a, b, (const uint8_t[4]){__VA_ARGS__})

#undef LANES
#undef UNARY
#undef BINARY
#undef SPLAT

#endif
