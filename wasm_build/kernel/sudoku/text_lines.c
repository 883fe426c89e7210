/* 9x9 boards between text, 81 characters and a newline a line, and cells of a byte each. */
#include "sudoku/simd.h"
#include "sudoku/sudoku.h"

enum { LINE = CELLS + 1, STEP = 16, LAST = CELLS - STEP };

/* 0 to 9 for digits, 0 for the other blanks, 255 for what is no cell */
static inline Bytes read_cells(Bytes text) {
  Bytes digit = less16(text, all16('0'));
  Bytes dots = either(equal16(text, all16('.')), equal16(text, all16('*')));
  Bytes marks = either(equal16(text, all16('_')), equal16(text, all16('?')));
  Bytes other = without(all16(255), either(dots, marks));
  return choose(equal16(lesser(digit, all16(9)), digit), digit, other);
}

EXPORT(i32, sudoku_read_lines)(const u8 *text, i32 count, u8 *cells) {
  i32 complete = 0;
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++, text += LINE, cells += CELLS) {
    u32 bad = i < count - 1 && text[CELLS] != '\n', blank = 0;
    for (i32 at = 0; at < CELLS; at = at < LAST ? min32(at + STEP, LAST) : CELLS) {
      Bytes read = read_cells(load16(text + at));
      bad |= equal_lanes(read, all16(255));
      blank |= equal_lanes(read, all16(0));
      store16(cells + at, read);
    }
    if (bad) return BAD;
    complete += blank == 0;
  }
  return complete;
}

EXPORT(i32, sudoku_write_lines)(const u8 *cells, i32 count, u8 *text) {
  for (i32 i = 0; i < count; i++, text += LINE, cells += CELLS) {
    for (i32 at = 0; at < CELLS; at = at < LAST ? min32(at + STEP, LAST) : CELLS) {
      Bytes read = load16(cells + at);
      store16(text + at, choose(equal16(read, all16(0)), all16('.'), plus16(read, all16('0'))));
    }
    text[CELLS] = '\n';
  }
  return count;
}
