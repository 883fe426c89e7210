/* Legality of boards of every shape: all pairs of cells, O(cells^2), so no table is needed. */
#include "sudoku/sudoku.h"

static i32 shape_is_known(i32 R, i32 C) { return R >= 2 && R <= 6 && C >= 2 && C <= 6; }

i32 sudoku_shape_conflict(i32 R, i32 C, const u8 *board) {
  if (!shape_is_known(R, C)) return BAD;
  i32 N = R * C;
  for (i32 later = 0; later < N * N; later++) {
    i32 symbol = board[later], r = later / N, c = later % N;
    if (symbol > N) return BAD;
    if (symbol == 0) continue;
    for (i32 earlier = 0; earlier < later; earlier++) {
      if (board[earlier] != symbol) continue;
      i32 q = earlier / N, d = earlier % N;
      if (q == r || d == c || (q / R == r / R && d / C == c / C))
        return 1 + (earlier << 12 | later);
    }
  }
  return 0;
}
