/* 9x9 boards: lines as vectors of sixteen bytes (nine cells, then seven unused bytes), the vector
 * operations of the desk under plain names, and orders of lines.
 */
#ifndef CLUEWISE_SUDOKU_BOARD_H
#define CLUEWISE_SUDOKU_BOARD_H

#include <wasm_simd128.h>

#include "sudoku/sudoku.h"

typedef v128_t Bytes;

#define NINE_LANES 511u /* the low nine bits of a lane mask */

enum { LINE_ORDERS = 1296 }; /* orders of nine lines that keep the chutes together */

/* The permutations of three things, in ascending order. */
static const u8 ORDERS[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

/* Which of ORDERS sorts like three different numbers. */
static inline u8 order_of(i32 a, i32 b, i32 c) { return (u8)(2 * ((a > b) + (a > c)) + (b > c)); }

/* Order `n` of LINE_ORDERS: position -> line. */
static inline void line_order(i32 n, u8 *lines) {
  const i32 inner[3] = {n / 36 % 6, n / 6 % 6, n % 6};
  for (i32 k = 0; k < 3; k++)
    for (i32 i = 0; i < 3; i++) lines[3 * k + i] = (u8)(3 * ORDERS[n / 216][k] + ORDERS[inner[k]][i]);
}

static inline void sort_two(u32 *a, u32 *b) {
  u32 least = *a < *b ? *a : *b;
  *b = *a < *b ? *b : *a;
  *a = least;
}

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
static inline Bytes choose(Bytes mask, Bytes yes, Bytes no) { return wasm_v128_bitselect(yes, no, mask); }
static inline Bytes equal16(Bytes a, Bytes b) { return wasm_i8x16_eq(a, b); } /* 255 or 0 */
static inline Bytes plus16(Bytes a, Bytes b) { return wasm_i8x16_add(a, b); }
static inline Bytes less16(Bytes a, Bytes b) { return wasm_i8x16_sub(a, b); }
static inline Bytes ones16(Bytes a) { return wasm_i8x16_popcnt(a); } /* bits a byte */
/* one bit a lane: its highest; where the bytes are equal */
static inline u32 lanes_of(Bytes mask) { return (u32)wasm_i8x16_bitmask(mask); }
static inline u32 equal_lanes(Bytes a, Bytes b) { return lanes_of(equal16(a, b)); }
/* one bit for each of sixteen signed 16-bit lanes of two vectors: where they are equal to those of
 * a third, and where they are greater */
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
/* four 32-bit lanes; if three are used the last is 0 */
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
/* one bit for each lane of four vectors, the first vector's lowest: whether it is positive */
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
static inline Bytes interleave_fours_low(Bytes a, Bytes b) { return wasm_i32x4_shuffle(a, b, 0, 4, 1, 5); }
static inline Bytes interleave_fours_high(Bytes a, Bytes b) { return wasm_i32x4_shuffle(a, b, 2, 6, 3, 7); }

/* Nine bytes as a big-endian number in two words, so that < compares them as strings. */
typedef struct {
  u64 head;
  u32 last;
} RowKey;

static inline RowKey row_key(Bytes row) {
  return (RowKey){__builtin_bswap64(low_half(row)), (u32)(high_half(row) & 255)};
}
static inline i32 key_less(RowKey a, RowKey b) {
  return a.head < b.head || (a.head == b.head && a.last < b.last);
}
static inline i32 key_equal(RowKey a, RowKey b) { return a.head == b.head && a.last == b.last; }

/* -- boards ---------------------------------------------------------------------------------- */

/* The rows of a board and its columns, each in a vector with zeros behind. */
typedef struct { Bytes line[2][9]; } BoardLines;

/* Reads nothing beyond the 81 cells. The first eight cells of the first eight columns are
 * transposed by three rounds of interleaving, two columns a vector; the ninth cells and the ninth
 * column are added. */
static inline void board_lines(const u8 *board, BoardLines *lines) {
  static const u8 nine[16] = {255, 255, 255, 255, 255, 255, 255, 255, 255};
  static const u8 last[16] = {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16, 16, 16, 16, 16};
  Bytes *row = lines->line[0], *column = lines->line[1], twos[4], fours[4], eights[4];
  u64 ninth = 0;
  for (i32 r = 0; r < 8; r++) row[r] = both(load16(board + 9 * r), load16(nine));
  row[8] = look_up(load16(board + 65), load16(last));
  for (i32 i = 0; i < 4; i++) twos[i] = interleave_low(row[2 * i], row[2 * i + 1]);
  for (i32 i = 0; i < 2; i++) {
    fours[2 * i] = interleave_pairs_low(twos[2 * i], twos[2 * i + 1]);
    fours[2 * i + 1] = interleave_pairs_high(twos[2 * i], twos[2 * i + 1]);
  }
  for (i32 i = 0; i < 2; i++) {
    eights[2 * i] = interleave_fours_low(fours[i], fours[2 + i]);
    eights[2 * i + 1] = interleave_fours_high(fours[i], fours[2 + i]);
  }
  for (i32 i = 0; i < 4; i++) {
    column[2 * i] = make16(low_half(eights[i]), board[72 + 2 * i]);
    column[2 * i + 1] = make16(high_half(eights[i]), board[73 + 2 * i]);
  }
  for (i32 r = 0; r < 8; r++) ninth |= (u64)board[9 * r + 8] << (8 * r);
  column[8] = make16(ninth, board[80]);
}

/* A set of digits is a byte for 1..8 and a byte for 9. */
typedef struct { Bytes low, high; } Digits;

static inline Digits digits_of(Bytes line) {
  static const u8 low[16] = {0, 1, 2, 4, 8, 16, 32, 64, 128};
  static const u8 high[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return (Digits){look_up(load16(low), line), look_up(load16(high), line)};
}
static inline Digits join(Digits a, Digits b) {
  return (Digits){either(a.low, b.low), either(a.high, b.high)};
}

/* The digits of a chute in each position of its lines; those that occur twice in a box. */
static inline Digits chute_digits(const Bytes *line) {
  return join(digits_of(line[0]), join(digits_of(line[1]), digits_of(line[2])));
}
static inline Bytes twice_in_box(Digits chute) {
  static const u8 next[16] = {1, 2, 0, 4, 5, 3, 7, 8, 6, 15, 15, 15, 15, 15, 15, 15};
  return either(both(chute.low, look_up(chute.low, load16(next))),
                both(chute.high, look_up(chute.high, load16(next))));
}

/* 1 if all cells are 0..9 and no row, column or box holds a digit twice. Nine lines hold no digit
 * twice in a position if the set of its digits has as many elements as cells are filled. */
static inline i32 lines_are_legal(const BoardLines *lines) {
  Bytes wrong = all16(0), largest = all16(9);
  for (i32 t = 0; t < 2; t++) {
    Digits chute[3];
    Bytes filled = all16(9);
    for (i32 h = 0; h < 3; h++) chute[h] = chute_digits(&lines->line[t][3 * h]);
    for (i32 i = 0; i < 9; i++) {
      filled = plus16(filled, equal16(lines->line[t][i], all16(0)));
      largest = greater(largest, lines->line[t][i]);
    }
    for (i32 h = 0; h < 3 && t == 0; h++) wrong = either(wrong, twice_in_box(chute[h]));
    Digits seen = join(chute[0], join(chute[1], chute[2]));
    wrong = either(wrong, differing(plus16(ones16(seen.low), seen.high), filled));
  }
  return !any_bit(either(wrong, differing(largest, all16(9))));
}

static inline i32 board_is_legal(const u8 *board) {
  BoardLines lines;
  board_lines(board, &lines);
  return lines_are_legal(&lines);
}

#endif
