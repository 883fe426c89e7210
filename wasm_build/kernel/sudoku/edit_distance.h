/* The fewest cells in which two 9x9 boards differ after the best transform, for few cells. */
#ifndef CLUEWISE_SUDOKU_NEAR_H
#define CLUEWISE_SUDOKU_NEAR_H

#include "sudoku/sudoku.h"

typedef struct {
  u8 cell[9][9];
  u32 filled[9];  /* bit c of row r: a given */
  u8 mini[3][9];  /* [band][column]: givens */
  u8 box[3][3];
  i32 givens;
} Side;

/* A board as it is, or transposed. */
void near_read(const u8 *board, i32 turned, Side *side);

/* The fewest differing cells of the target and the source (both of its orientations), if they are
 * at most `most` (0 to 2); `map` takes the source there, with the most agreeing givens. Else
 * most + 1; UNSETTLED after NEAR_NODES nodes. *nodes is raised by the work done. */
i32 near_edits(const Side source[2], const Side *target, i32 most, u8 *map, i32 *nodes);

#endif
