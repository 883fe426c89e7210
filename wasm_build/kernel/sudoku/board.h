/* What every file of the desk needs to know of a 9x9 board. */
#ifndef CLUEWISE_SUDOKU_BOARD_H
#define CLUEWISE_SUDOKU_BOARD_H

#include "sudoku/sudoku.h"

/* 1 if all cells are 0..9 and no row, column or box holds a digit twice. */
static inline i32 board_is_legal(const u8 *board) {
  u16 row[9] = {0}, col[9] = {0}, box[9] = {0};
  u32 twice = 0;
  for (i32 r = 0; r < 9; r++)
    for (i32 c = 0; c < 9; c++) {
      u32 digit = board[9 * r + c], b = (u32)(r / 3 * 3 + c / 3);
      if (digit == 0) continue;
      if (digit > 9) return 0;
      u16 bit = (u16)(1u << digit);
      twice |= (u32)(row[r] | col[c] | box[b]) & bit;
      row[r] |= bit, col[c] |= bit, box[b] |= bit;
    }
  return twice == 0;
}

#endif
