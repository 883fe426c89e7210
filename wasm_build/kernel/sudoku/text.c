/* Lists of 9x9 boards as text: a line of 81 characters and a newline for each board.
 *
 * One pass over the bytes in each direction, without branches inside a line. */
#include "sudoku/sudoku.h"

EXPORT(i32, sudoku_read)(const u8 *text, i32 count, u8 *boards) {
  if (count < 0) return BAD;
  u8 wrong = 0;
  for (i32 i = 0; i < count; i++) {
    const u8 *line = text + TEXT_LINE * i;
    u8 *board = boards + CELLS * i;
    for (i32 k = 0; k < CELLS; k++) {
      u8 c = line[k], digit = (u8)(c - '0');
      u8 blank = (u8)-(c == '.' || c == '*' || c == '_' || c == '?');
      u8 known = (u8)-(digit <= 9);
      board[k] = digit & known;
      wrong |= (u8) ~(blank | known);
    }
    wrong |= line[CELLS] != '\n';
  }
  return wrong ? 0 : count;
}

EXPORT(i32, sudoku_write)(const u8 *boards, i32 count, u8 *text) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++) {
    const u8 *board = boards + CELLS * i;
    u8 *line = text + TEXT_LINE * i;
    for (i32 k = 0; k < CELLS; k++) line[k] = (u8)(board[k] ? board[k] + '0' : '.');
    line[CELLS] = '\n';
  }
  return count;
}
