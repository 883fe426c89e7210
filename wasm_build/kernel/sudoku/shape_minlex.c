/* The minlex form of complete grids of every shape: breadth-first search over the positions of the
 * second row.
 *
 * Row 1 of the output is 1..N, so a symbol's label is the position of its column in row 1. Row 2 is
 * minimised position by position, over all orientations and ordered pairs of rows of a band at
 * once. The column at a position is either assigned already or any free one that the stacks allow;
 * its value is the position of the column where row 1 has the symbol, and that column is assigned
 * to the least position its stack allows. After row 2 all columns and labels are assigned; the
 * remaining rows and bands are sorted by their first label and compared with early exit.
 *
 * States are in the caller's memory; if too many tie, the answer is TOO_LARGE.
 */
#include "sudoku/sudoku.h"

enum { OPEN = 255 };

typedef struct {
  u8 turned, row1, row2, stacks;      /* stacks placed so far */
  u8 col_at[LARGEST], pos_of[LARGEST]; /* position -> column, column -> position, or OPEN */
  u8 place_of[6], filled[6];          /* stack -> its place, place -> columns assigned in it */
} State;

typedef struct {
  Tag seal;
  i32 R, C, N, most, count, ties, have_best, compared; /* states that are compared */
  i32 position; /* the next one of the second row */
  State *now, *then;
  u8 cell[2][LARGEST][LARGEST], where[2][LARGEST][LARGEST + 1];
  u8 best[LARGEST * LARGEST];
  State winner;
  u8 winner_rows[LARGEST], winner_label[LARGEST + 1];
} Work;
_Static_assert(sizeof(Work) <= SHAPE_MINLEX_HEAD, "SHAPE_MINLEX_HEAD is too small");

static void start_states(Work *w) {
  w->count = 0;
  for (i32 t = 0; t < (w->R == w->C ? 2 : 1); t++)
    for (i32 a = 0; a < w->N; a++)
      for (i32 b = a / w->R * w->R; b < a / w->R * w->R + w->R; b++) {
        if (a == b) continue;
        State *s = &w->now[w->count++];
        memset(s, OPEN, sizeof *s);
        s->turned = (u8)t, s->row1 = (u8)a, s->row2 = (u8)b, s->stacks = 0;
        memset(s->filled, 0, sizeof s->filled);
      }
}

EXPORT(i32, sudoku_shape_minlex_begin)(i32 R, i32 C, const u8 *grid, u8 *work, i32 room) {
  i32 N = R * C;
  if (!sudoku_shape_is_grid(R, C, grid)) return BAD;
  if (room < SHAPE_MINLEX_HEAD + 4 * LARGEST * LARGEST * (i32)sizeof(State)) return TOO_LARGE;
  if ((uintptr_t)work & 15) return BAD;
  Work *w = (Work *)work;
  w->position = 0;
  w->R = R, w->C = C, w->N = N, w->ties = w->have_best = w->compared = 0;
  w->most = (room - SHAPE_MINLEX_HEAD) / (2 * (i32)sizeof(State));
  w->now = (State *)(work + SHAPE_MINLEX_HEAD);
  w->then = w->now + w->most;
  for (i32 r = 0; r < N; r++)
    for (i32 c = 0; c < N; c++) {
      u8 symbol = grid[r * N + c];
      w->cell[0][r][c] = w->cell[1][c][r] = symbol;
      w->where[0][r][symbol] = (u8)c;
      w->where[1][c][symbol] = (u8)r;
    }
  start_states(w);
  seal_set(&w->seal, SEALED_MINLEX, N, 0);
  return OK;
}

/* The columns allowed at a position. */
static i32 candidates(const Work *w, const State *s, i32 position, u8 *out) {
  i32 place = position / w->C, count = 0;
  if (s->col_at[position] != OPEN) {
    out[0] = s->col_at[position];
    return 1;
  }
  for (i32 stack = 0; stack < w->R; stack++) {
    i32 allowed = s->place_of[stack] == place || (s->place_of[stack] == OPEN && s->stacks == place);
    if (!allowed) continue;
    for (i32 c = stack * w->C; c < (stack + 1) * w->C; c++)
      if (s->pos_of[c] == OPEN) out[count++] = (u8)c;
  }
  return count;
}

static inline i32 partner(const Work *w, const State *s, i32 col) {
  return w->where[s->turned][s->row1][w->cell[s->turned][s->row2][col]];
}

/* The value of row 2 (from 0) at the next position if `col` is assigned to it. */
static i32 value_with(const Work *w, const State *s, i32 col) {
  i32 other = partner(w, s, col), stack = other / w->C;
  if (s->pos_of[other] != OPEN) return s->pos_of[other];
  if (s->place_of[stack] != OPEN) return s->place_of[stack] * w->C + s->filled[s->place_of[stack]];
  return (s->stacks + (s->place_of[col / w->C] == OPEN)) * w->C;
}

static void assign(const Work *w, State *s, i32 col) {
  i32 stack = col / w->C;
  if (s->pos_of[col] != OPEN) return;
  if (s->place_of[stack] == OPEN) s->place_of[stack] = s->stacks++;
  i32 place = s->place_of[stack], position = place * w->C + s->filled[place]++;
  s->pos_of[col] = (u8)position;
  s->col_at[position] = (u8)col;
}

/* Minimises the next position of the second row. */
static i32 minimise_position(Work *w) {
  i32 best = OPEN, made = 0;
  for (i32 i = 0; i < w->count; i++) {
    const State *s = &w->now[i];
    u8 cols[LARGEST];
    i32 count = candidates(w, s, w->position, cols);
    for (i32 k = 0; k < count; k++) {
      i32 value = value_with(w, s, cols[k]);
      if (value > best) continue;
      if (value < best) best = value, made = 0;
      if (made == w->most) return TOO_LARGE;
      State *next = &w->then[made++];
      *next = *s;
      assign(w, next, cols[k]);
      assign(w, next, partner(w, s, cols[k]));
    }
  }
  State *t = w->now;
  w->now = w->then, w->then = t;
  w->count = made;
  w->position++;
  return OK;
}

static void sort_rows(const Work *w, const State *s, const u8 *label, u8 *rows, i32 count) {
  const u8 *column = w->cell[!s->turned][s->col_at[0]];
  for (i32 i = 1; i < count; i++) {
    u8 row = rows[i];
    i32 j = i;
    for (; j > 0 && label[column[rows[j - 1]]] > label[column[row]]; j--) rows[j] = rows[j - 1];
    rows[j] = row;
  }
}

static void order_rows(const Work *w, const State *s, const u8 *label, u8 *rows) {
  const u8 *column = w->cell[!s->turned][s->col_at[0]];
  i32 R = w->R, home = s->row1 / R, count = 2, bands = 0;
  u8 band[6][6];
  rows[0] = s->row1, rows[1] = s->row2;
  for (i32 r = home * R; r < (home + 1) * R; r++)
    if (r != s->row1 && r != s->row2) rows[count++] = (u8)r;
  sort_rows(w, s, label, rows + 2, count - 2);
  for (i32 b = 0; b < w->C; b++) {
    if (b == home) continue;
    u8 mine[6];
    for (i32 i = 0; i < R; i++) mine[i] = (u8)(b * R + i);
    sort_rows(w, s, label, mine, R);
    i32 at = bands++;
    for (; at > 0 && label[column[band[at - 1][0]]] > label[column[mine[0]]]; at--)
      memcpy(band[at], band[at - 1], 6);
    memcpy(band[at], mine, 6);
  }
  for (i32 b = 0; b < bands; b++)
    for (i32 i = 0; i < R; i++) rows[count++] = band[b][i];
}

static void compare_state(Work *w, const State *s) {
  u8 label[LARGEST + 1] = {0}, rows[LARGEST], row[LARGEST];
  i32 N = w->N, order = w->have_best ? 0 : -1;
  for (i32 p = 0; p < N; p++) label[w->cell[s->turned][s->row1][s->col_at[p]]] = (u8)(p + 1);
  order_rows(w, s, label, rows);
  for (i32 r = 0; r < N; r++) {
    const u8 *cells = w->cell[s->turned][rows[r]];
    for (i32 p = 0; p < N; p++) row[p] = label[cells[s->col_at[p]]];
    if (order == 0) order = memcmp(row, w->best + r * N, (size_t)N);
    if (order > 0) return;
    if (order < 0) memcpy(w->best + r * N, row, (size_t)N);
  }
  if (order < 0) {
    w->ties = 0, w->have_best = 1;
    w->winner = *s;
    memcpy(w->winner_rows, rows, (size_t)N);
    memcpy(w->winner_label, label, (size_t)N + 1);
  }
  w->ties++;
}

EXPORT(i32, sudoku_shape_minlex_run)(u8 *work, i32 units) {
  Work *w = (Work *)work;
  if (!seal_holds(w, SEALED_MINLEX)) return BAD;
  while (units > 0 && w->position < w->N) {
    if (minimise_position(w) != OK) {
      seal_break(&w->seal);
      return TOO_LARGE;
    }
    units -= w->count;
  }
  for (; units > 0 && w->compared < w->count; units--) compare_state(w, &w->now[w->compared++]);
  return w->position == w->N && w->compared == w->count;
}

EXPORT(i32, sudoku_shape_minlex_result)(const u8 *work, u8 *out, u8 *map) {
  const Work *w = (const Work *)work;
  if (!seal_holds(w, SEALED_MINLEX) || w->compared < w->count || !w->have_best) return BAD;
  i32 N = w->N;
  memcpy(out, w->best, (size_t)(N * N));
  map_write(map, N, w->winner.turned, w->winner_rows, w->winner.col_at, w->winner_label);
  return w->ties;
}
