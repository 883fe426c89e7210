/* The cell maps of a complete 9x9 grid under which given pairs of cells differ, as the rules of an
 * X-sudoku, a windoku, disjoint groups, antiknight or antiking ask: their number and the least
 * image.
 *
 * Backtracking over columns. A view is the image under one of the 2*6^8 cell maps. For both
 * orientations and each of the 1296 orders of the rows, columns are placed from left to right (1296
 * orders as a tree of depth 9); a branch is pruned at the first column with a symbol equal to one
 * that must differ, in the same column or one before it.
 *
 * Rejected: to test all 1296 * 1296 pairs of orders, which takes ten times as long.
 */
#include "sudoku/sudoku.h"

typedef struct {
  i32 turned, count;
  i32 starts[10];                  /* of the pairs whose later cell lies in a column */
  u8 pairs[MOST_VIEW_PAIRS][2];    /* the earlier cell first; here cells count column by column */
  u8 symbols[9][9], placed[CELLS]; /* columns of the grid with its rows in order; those placed */
  u8 rows[9], cols[9];
  u8 *best, *map; /* the least string so far and its map */
} View;

/* Whether all pairs with the later cell in column c differ. */
static i32 fits(const View *v, i32 c) {
  for (i32 i = v->starts[c]; i < v->starts[c + 1]; i++)
    if (v->placed[v->pairs[i][0]] == v->placed[v->pairs[i][1]]) return 0;
  return 1;
}

/* Keeps the view if its string, symbols renamed in order of appearance, is the least so far. */
static void keep_least(View *v) {
  u8 name[10] = {0}, text[CELLS];
  i32 names = 0, less = v->count == 1;
  for (i32 i = 0; i < CELLS; i++) {
    u8 symbol = v->placed[i % 9 * 9 + i / 9];
    if (!name[symbol]) name[symbol] = (u8)++names;
    text[i] = name[symbol];
    if (less || text[i] == v->best[i]) continue;
    if (text[i] > v->best[i]) return;
    less = 1;
  }
  if (!less) return;
  memcpy(v->best, text, CELLS);
  map_write(v->map, 9, v->turned, v->rows, v->cols, name);
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
    memcpy(v->placed + 9 * c, v->symbols[from], 9);
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
    for (i32 c = 0; c < 9; c++) v->symbols[c][r] = grid[v->turned ? 9 * c + from : 9 * from + c];
    place_rows(v, grid, r + 1, free & ~(1u << from));
  }
}

static u8 column_major(i32 cell) { return (u8)(cell % 9 * 9 + cell / 9); }

/* Reads the pairs; 0 if they do not ascend by the column of their later cell. */
static i32 read_pairs(View *v, const u8 *pairs, i32 count) {
  i32 column = 0;
  for (i32 i = 0; i < count; i++) {
    i32 a = pairs[2 * i], b = pairs[2 * i + 1];
    if (a >= CELLS || b >= CELLS || a % 9 > b % 9 || b % 9 < column) return 0;
    while (column < b % 9) v->starts[++column] = i;
    v->pairs[i][0] = column_major(a);
    v->pairs[i][1] = column_major(b);
  }
  while (column < 9) v->starts[++column] = count;
  return 1;
}

EXPORT(i32, sudoku_views)(const u8 *grid, const u8 *pairs, i32 count, u8 *best, u8 *map) {
  View v = {.best = best, .map = map};
  if (count < 0 || count > MOST_VIEW_PAIRS || !read_pairs(&v, pairs, count)) return BAD;
  if (!sudoku_shape_is_grid(3, 3, grid)) return BAD;
  for (v.turned = 0; v.turned < 2; v.turned++) place_rows(&v, grid, 0, 511);
  return v.count;
}
