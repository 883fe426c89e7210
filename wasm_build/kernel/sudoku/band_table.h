/* The table of band numbers, shared by bands.c and rank.c: the class of every band whose first row
 * is 0..8.
 *
 * Here digits are 0..8. Relabel a band so that its first row reads 0..8; its second row B is then
 * one of 12 096 and its third row C one of 216, 2 612 736 bands in all. With a minirow's code
 * 81a + 9b + c for its digits' columns in the first row, a band's index is
 *
 *    36 * pair + 6 * order(third minirow of B) + order(third minirow of C)
 *    pair = first[B's first] + second[B's second] + 6 * order[C's first] + order[C's second]
 *
 * so that the 36 arrangements of a third block are consecutive: a mask of 36 bits for a pair holds
 * which of them have a property.
 */
#ifndef CLUEWISE_SUDOKU_BAND_TABLE_H
#define CLUEWISE_SUDOKU_BAND_TABLE_H

#include "kernel.h"
#include "shared/seal.h"
#include "sudoku/board.h"

enum { PAIRS = 72576, THIRDS = 36, CODES = 729, BANDS = 416, BAND_CELLS = 27 };

typedef struct {
  Tag seal;
  u32 first[CODES], second[CODES];
  u8 order[CODES];                   /* the index in ORDERS of the order of three digits */
  u8 rows[BANDS + 1][BAND_CELLS];    /* the least band of each class, from 1 */
  u16 symmetries[BANDS + 1];
  i32 classes, finished;
  u8 next[9];                        /* the next second row of the enumeration */
  u16 number[PAIRS * THIRDS];        /* 1..416; 0 while unknown */
} Bands;

/* The three digits of a code; 0 if they are not different. */
static inline i32 digits_of_code(i32 code, u8 *digit) {
  digit[0] = (u8)(code / 81), digit[1] = (u8)(code / 9 % 9), digit[2] = (u8)(code % 9);
  return digit[0] != digit[1] && digit[0] != digit[2] && digit[1] != digit[2];
}

/* The code of a minirow, given the column of each digit in the first row. */
static inline i32 code_of(const u8 *column, const u8 *minirow) {
  return 81 * column[minirow[0]] + 9 * column[minirow[1]] + column[minirow[2]];
}

static inline u32 pair_of(const Bands *bands, const u8 *column, const u8 *b, const u8 *c) {
  return bands->first[code_of(column, b)] + bands->second[code_of(column, b + 3)] +
         6u * bands->order[code_of(column, c)] + bands->order[code_of(column, c + 3)];
}

static inline u32 third_of(const Bands *bands, const u8 *column, const u8 *b, const u8 *c) {
  return 6u * bands->order[code_of(column, b + 6)] + bands->order[code_of(column, c + 6)];
}

/* The number of a band of any three legal rows (digits 0..8). */
static inline i32 band_number(const Bands *bands, const u8 *a, const u8 *b, const u8 *c) {
  u8 column[9];
  for (i32 i = 0; i < 9; i++) column[a[i]] = (u8)i;
  return bands->number[THIRDS * pair_of(bands, column, b, c) + third_of(bands, column, b, c)];
}

#endif
