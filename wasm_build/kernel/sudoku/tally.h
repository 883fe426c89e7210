/* A contingency table of the digits of two boards, bounds on the best assignment of digits, and the
 * assignment itself. Stored twice, by target and by source digit, so that the sums of row and
 * column maxima are nine vector operations each.
 */
#ifndef CLUEWISE_SUDOKU_TALLY_H
#define CLUEWISE_SUDOKU_TALLY_H

#include "sudoku/board.h"

typedef struct {
  u8 cell[2][9][16]; /* [0] counts by target digit, [1] by source digit; lanes 0..8 */
} __attribute__((aligned(16))) Tally;

static inline void count_row(Tally *t, const u8 *target, const u8 *source) {
  for (i32 c = 0; c < 9; c++) {
    if (!target[c] || !source[c]) continue;
    t->cell[0][target[c] - 1][source[c] - 1]++;
    t->cell[1][source[c] - 1][target[c] - 1]++;
  }
}

static inline i32 sum_of_maxima(const u8 half[9][16]) {
  Bytes most = load16(half[0]);
  for (i32 i = 1; i < 9; i++) most = greater(most, load16(half[i]));
  v128_t pairs = wasm_u16x8_extadd_pairwise_u8x16(most);
  v128_t fours = wasm_u32x4_extadd_pairwise_u16x8(pairs);
  return wasm_i32x4_extract_lane(fours, 0) + wasm_i32x4_extract_lane(fours, 1) +
         wasm_i32x4_extract_lane(fours, 2) + wasm_i32x4_extract_lane(fours, 3);
}

static inline i32 most_agreeing(const Tally *t) {
  return min32(sum_of_maxima(t->cell[0]), sum_of_maxima(t->cell[1]));
}

/* The best assignment of source digits to target digits: its sum; label[source] = target, 1..9.
 * Hungarian method (Kuhn 1955) with potentials, costs negated. */
static inline i32 assign(const Tally *t, u8 *label) {
  i32 u[10] = {0}, v[10] = {0}, match[10] = {0}, way[10] = {0}, sum = 0;
  for (i32 row = 1; row <= 9; row++) {
    i32 least[10], used[10] = {0}, col = 0;
    for (i32 j = 0; j < 10; j++) least[j] = 1 << 20;
    match[0] = row;
    do {
      i32 r = match[col], delta = 1 << 20, next = 0;
      used[col] = 1;
      for (i32 j = 1; j <= 9; j++) {
        if (used[j]) continue;
        i32 reduced = -(i32)t->cell[0][r - 1][j - 1] - u[r] - v[j];
        if (reduced < least[j]) least[j] = reduced, way[j] = col;
        if (least[j] < delta) delta = least[j], next = j;
      }
      for (i32 j = 0; j < 10; j++) {
        if (used[j]) u[match[j]] += delta, v[j] -= delta;
        else least[j] -= delta;
      }
      col = next;
    } while (match[col]);
    while (col) {
      match[col] = match[way[col]];
      col = way[col];
    }
  }
  for (i32 j = 1; j <= 9; j++) {
    sum += t->cell[0][match[j] - 1][j - 1];
    if (label) label[j] = (u8)match[j];
  }
  return sum;
}

#endif
