/* What every file of the desk needs to know of a 9x9 board. */
#ifndef CLUEWISE_SUDOKU_BOARD_H
#define CLUEWISE_SUDOKU_BOARD_H

#include "sudoku/simd.h"
#include "sudoku/sudoku.h"

/* The rows of a board and its columns, each in a vector with zeros behind. */
typedef struct {
  Bytes line[2][9];
} BoardLines;

/* Reads nothing behind the 81 cells. The first eight cells of the first eight columns come by three
 * rounds of interleaving, two columns a vector; the ninth cells and the ninth column are added. */
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
typedef struct {
  Bytes low, high;
} Digits;

static inline Digits digits_of(Bytes line) {
  static const u8 low[16] = {0, 1, 2, 4, 8, 16, 32, 64, 128};
  static const u8 high[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return (Digits){look_up(load16(low), line), look_up(load16(high), line)};
}
static inline Digits join(Digits a, Digits b) {
  return (Digits){either(a.low, b.low), either(a.high, b.high)};
}

/* A chute's digits in each place of its lines, and whether they occur in two places of a box. */
static inline Digits chute_digits(const Bytes *line) {
  return join(digits_of(line[0]), join(digits_of(line[1]), digits_of(line[2])));
}
static inline Bytes twice_in_box(Digits chute) {
  static const u8 next[16] = {1, 2, 0, 4, 5, 3, 7, 8, 6, 15, 15, 15, 15, 15, 15, 15};
  return either(both(chute.low, look_up(chute.low, load16(next))),
                both(chute.high, look_up(chute.high, load16(next))));
}

/* 1 if all cells are 0..9 and no row, column or box holds a digit twice. Nine lines hold no digit
 * twice in a place if as many are in the set of that place as cells are filled. */
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
