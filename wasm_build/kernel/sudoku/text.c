/* Lists of 9x9 boards as text: a line of 81 characters and a newline for each board.
 *
 * One pass over the bytes in each direction, sixteen at a time: the last sixteen of a line overlap
 * those before. */
#include "sudoku/simd.h"
#include "sudoku/sudoku.h"

static const u8 AT[6] = {0, 16, 32, 48, 64, 65};

EXPORT(i32, sudoku_read)(const u8 *text, i32 count, u8 *boards) {
  if (count < 0) return BAD;
  Bytes right = all16(255);
  i32 ends = 1;
  for (i32 i = 0; i < count; i++) {
    const u8 *line = text + TEXT_LINE * i;
    for (i32 k = 0; k < 6; k++) {
      Bytes c = load16(line + AT[k]), digit = less16(c, all16('0'));
      Bytes known = equal16(lesser(digit, all16(9)), digit);
      Bytes blank = either(either(equal16(c, all16('.')), equal16(c, all16('*'))),
                           either(equal16(c, all16('_')), equal16(c, all16('?'))));
      right = both(right, either(known, blank));
      store16(boards + CELLS * i + AT[k], both(digit, known));
    }
    ends &= line[CELLS] == '\n';
  }
  return ends && lanes_of(right) == 65535 ? count : 0;
}

EXPORT(i32, sudoku_write)(const u8 *boards, i32 count, u8 *text) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++) {
    u8 *line = text + TEXT_LINE * i;
    for (i32 k = 0; k < 6; k++) {
      Bytes cells = load16(boards + CELLS * i + AT[k]);
      store16(line + AT[k], choose(equal16(cells, all16(0)), all16('.'), plus16(cells, all16('0'))));
    }
    line[CELLS] = '\n';
  }
  return count;
}
