/* What a complete 9x9 grid can be redrawn as: an X-sudoku, a windoku, disjoint groups, antiknight,
 * antiking.
 *
 * Backtracking over columns. A view is one of the 2*6^8 transforms of the cells. For both
 * orientations and each of the 1296 orders of the rows, columns are placed from left to right (1296
 * orders as a tree of depth 9); a branch ends at the first column that violates the rule together
 * with the columns before it. Symbols are bits, so that "these cells differ" is a test of disjoint
 * masks.
 *
 * Rejected: to test all 1296 * 1296 pairs of orders, which takes ten times as long.
 */
#include "sudoku/sudoku.h"

enum { DIAGONALS, WINDOWS, DISJOINT, ANTIKNIGHT, ANTIKING };

typedef struct {
  i32 kind, turned;
  u32 row_mask[9][9]; /* the grid with its rows in order: [column][row], a bit for the symbol */
  u32 placed[9][9];   /* the columns placed so far */
  u32 seen[10][9];    /* masks of unfinished houses before each column */
  u8 rows[9], cols[9];
  i32 count;
  u8 *best, *map; /* the least string so far and what leads to it */
} View;

/* Whether column c fits the columns before it; writes the masks that the next column starts with. */
static i32 fits(View *v, i32 c) {
  const u32 *col = v->placed[c], *seen = v->seen[c];
  u32 *next = v->seen[c + 1];
  memcpy(next, seen, 9 * sizeof *seen);
  switch (v->kind) {
    case DIAGONALS:
      if ((seen[0] & col[c]) | (seen[1] & col[8 - c])) return 0;
      next[0] |= col[c];
      next[1] |= col[8 - c];
      return 1;
    case WINDOWS:
      if (c % 4 == 0) {
        next[0] = next[1] = 0;
        return 1;
      }
      for (i32 k = 0; k < 2; k++) {
        u32 three = col[4 * k + 1] | col[4 * k + 2] | col[4 * k + 3];
        if (seen[k] & three) return 0;
        next[k] |= three;
      }
      return 1;
    case DISJOINT:
      for (i32 i = 0; i < 3; i++) {
        u32 three = col[i] | col[3 + i] | col[6 + i];
        if (seen[3 * (c % 3) + i] & three) return 0;
        next[3 * (c % 3) + i] |= three;
      }
      return 1;
    case ANTIKNIGHT:
      for (i32 r = 0; r < 9; r++) {
        u32 near = 0;
        if (c > 0) near |= (r > 1 ? col[r - 2] : 0) | (r < 7 ? col[r + 2] : 0);
        if (near & v->placed[c > 0 ? c - 1 : 0][r]) return 0;
        u32 next_to = (r > 0 ? col[r - 1] : 0) | (r < 8 ? col[r + 1] : 0);
        if (c > 1 && (next_to & v->placed[c - 2][r])) return 0;
      }
      return 1;
    default:
      for (i32 r = 0; c > 0 && r < 9; r++) {
        u32 next_to = (r > 0 ? col[r - 1] : 0) | (r < 8 ? col[r + 1] : 0);
        if (next_to & v->placed[c - 1][r]) return 0;
      }
      return 1;
  }
}

/* Keeps the view if its string, with symbols renamed in order of appearance, is the least so far. */
static void keep_least(View *v) {
  u8 name[10] = {0}, text[CELLS];
  i32 names = 0, less = v->count == 1;
  for (i32 i = 0; i < CELLS; i++) {
    i32 symbol = 1 + __builtin_ctz(v->placed[i % 9][i / 9]);
    if (!name[symbol]) name[symbol] = (u8)++names;
    text[i] = name[symbol];
    if (less || text[i] == v->best[i]) continue;
    if (text[i] > v->best[i]) return;
    less = 1;
  }
  if (!less) return;
  memcpy(v->best, text, CELLS);
  v->map[0] = (u8)v->turned;
  memcpy(v->map + 1, v->rows, 9);
  memcpy(v->map + 10, v->cols, 9);
  memcpy(v->map + 19, name, 10);
}

static void place_columns(View *v, i32 c, u32 free) {
  if (c == 9) {
    v->count++;
    keep_least(v);
    return;
  }
  u32 choice = c % 3 ? free & 7u << v->cols[c - 1] / 3 * 3 : free;
  for (; choice; choice &= choice - 1) {
    i32 from = __builtin_ctz(choice);
    v->cols[c] = (u8)from;
    memcpy(v->placed[c], v->row_mask[from], sizeof v->placed[c]);
    if (fits(v, c)) place_columns(v, c + 1, free & ~(1u << from));
  }
}

static void place_rows(View *v, const u8 *grid, i32 r, u32 free) {
  if (r == 9) {
    place_columns(v, 0, 511);
    return;
  }
  u32 choice = r % 3 ? free & 7u << v->rows[r - 1] / 3 * 3 : free;
  for (; choice; choice &= choice - 1) {
    i32 from = __builtin_ctz(choice);
    v->rows[r] = (u8)from;
    for (i32 c = 0; c < 9; c++)
      v->row_mask[c][r] = 1u << (grid[v->turned ? 9 * c + from : 9 * from + c] - 1);
    place_rows(v, grid, r + 1, free & ~(1u << from));
  }
}

EXPORT(i32, sudoku_views)(const u8 *grid, i32 kind, u8 *best, u8 *map) {
  if (kind < DIAGONALS || kind > ANTIKING || !sudoku_shape_is_legal(3, 3, grid)) return BAD;
  for (i32 i = 0; i < CELLS; i++)
    if (!grid[i]) return BAD;
  View v = {.kind = kind, .best = best, .map = map};
  memset(v.seen, 0, sizeof v.seen);
  for (v.turned = 0; v.turned < 2; v.turned++) place_rows(&v, grid, 0, 511);
  return v.count;
}
