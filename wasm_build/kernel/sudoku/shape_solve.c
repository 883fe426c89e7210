/* Count the solutions of boards of every shape, in slices: depth-first search with naked and hidden
 * singles and minimum remaining values (cells, or places of a symbol in a unit).
 *
 * A cell's candidates are a 64-bit set. Propagation: a fixed cell's symbol is removed from its
 * peers; a cell with one candidate is fixed; a symbol with one place in a row, column or box is
 * fixed there. The branching cell has the fewest candidates, unless a symbol has only two places in
 * a unit; the alternative stays on its level. Levels are whole copies of the candidates on an
 * explicit stack in the caller's memory, so a call can stop anywhere and nothing recurses.
 * Exponential in the worst case; room O(cells^2), 13 MB at 6x6.
 */
#include "sudoku/sudoku.h"

/* All pairs of cells, O(cells^2), so no table is needed. */
i32 sudoku_shape_is_legal(i32 R, i32 C, const u8 *board) {
  if (R < 2 || R > 6 || C < 2 || C > 6) return 0;
  i32 N = R * C;
  for (i32 later = 0; later < N * N; later++) {
    i32 symbol = board[later], r = later / N, c = later % N;
    if (symbol > N) return 0;
    if (symbol == 0) continue;
    for (i32 earlier = 0; earlier < later; earlier++) {
      if (board[earlier] != symbol) continue;
      i32 q = earlier / N, d = earlier % N;
      if (q == r || d == c || (q / R == r / R && d / C == c / C)) return 0;
    }
  }
  return 1;
}

i32 sudoku_shape_is_grid(i32 R, i32 C, const u8 *board) {
  i32 complete = sudoku_shape_is_legal(R, C, board);
  for (i32 i = 0; complete && i < R * C * R * C; i++) complete = board[i] != 0;
  return complete;
}

enum { HEAD = 256, MOST_LEVELS = 1200 }; /* bytes of a Work; guesses on a path of a 6x6 board */

typedef struct {
  Tag seal;
  i32 R, C, N, cells, limit, found, depth, most_depth, done;
  u64 *candidates; /* a board of them per level */
  u64 *fixed;      /* bit per cell, cells/64 + 1 words per level */
  i32 words;
} Work;
_Static_assert(sizeof(Work) <= HEAD, "HEAD is too small");

static inline i32 box_of(const Work *w, i32 cell) { return cell / w->N / w->R * w->R + cell % w->N / w->C; }

/* The i-th cell of unit u: rows, then columns, then boxes. */
static inline i32 cell_of(const Work *w, i32 unit, i32 i) {
  i32 N = w->N, k = unit % N;
  if (unit < N) return k * N + i;
  if (unit < 2 * N) return i * N + k;
  return (k / w->R * w->R + i / w->C) * N + k % w->R * w->C + i % w->C;
}

static i32 fix(const Work *w, u64 *cand, u64 *fixed, i32 cell) {
  u64 bit = cand[cell];
  fixed[cell >> 6] |= 1ull << (cell & 63);
  i32 units[3] = {cell / w->N, w->N + cell % w->N, 2 * w->N + box_of(w, cell)};
  for (i32 u = 0; u < 3; u++)
    for (i32 i = 0; i < w->N; i++) {
      i32 peer = cell_of(w, units[u], i);
      if (peer == cell) continue;
      cand[peer] &= ~bit;
      if (!cand[peer]) return 0;
    }
  return 1;
}

/* Fixes hidden singles of a unit. Returns 1 if something changed, 0 if nothing, -1 on a
 * contradiction. */
static i32 fix_hidden_singles(const Work *w, u64 *cand, i32 unit) {
  u64 once = 0, twice = 0, all = (1ull << w->N) - 1;
  for (i32 i = 0; i < w->N; i++) {
    u64 c = cand[cell_of(w, unit, i)];
    twice |= once & c;
    once |= c;
  }
  if (once != all) return -1;
  u64 lone = once & ~twice;
  i32 changed = 0;
  for (i32 i = 0; i < w->N && lone; i++) {
    i32 cell = cell_of(w, unit, i);
    u64 here = cand[cell] & lone;
    if (!here) continue;
    if (here & (here - 1)) return -1;
    changed |= cand[cell] != here;
    cand[cell] = here;
    lone &= ~here;
  }
  return changed;
}

static i32 propagate(const Work *w, u64 *cand, u64 *fixed) {
  for (i32 changed = 1; changed;) {
    changed = 0;
    for (i32 cell = 0; cell < w->cells; cell++) {
      if (cand[cell] & (cand[cell] - 1) || (fixed[cell >> 6] >> (cell & 63) & 1)) continue;
      if (!fix(w, cand, fixed, cell)) return 0;
      changed = 1;
    }
    if (changed) continue;
    for (i32 unit = 0; unit < 3 * w->N; unit++) {
      i32 state = fix_hidden_singles(w, cand, unit);
      if (state < 0) return 0;
      changed |= state;
    }
  }
  return 1;
}

static inline u64 *board_at(const Work *w, i32 level) { return w->candidates + level * w->cells; }
static inline u64 *fixed_at(const Work *w, i32 level) { return w->fixed + level * w->words; }

/* The cell with the fewest candidates of those with several; -1 if there is none. */
static i32 fewest_candidates(const Work *w, const u64 *cand) {
  i32 best = -1, least = 65;
  for (i32 cell = 0; cell < w->cells; cell++) {
    i32 n = popcount64(cand[cell]);
    if (n > 1 && n < least) {
      least = n, best = cell;
      if (n == 2) break;
    }
  }
  return best;
}

typedef struct {
  i32 cell; /* -1: all cells are fixed */
  u64 bit;
} Guess;

/* A symbol with two places in a unit, if there is one: its first place. */
static Guess two_places(const Work *w, const u64 *cand) {
  for (i32 unit = 0; unit < 3 * w->N; unit++) {
    u64 once = 0, twice = 0, thrice = 0;
    for (i32 i = 0; i < w->N; i++) {
      u64 c = cand[cell_of(w, unit, i)];
      thrice |= twice & c;
      twice |= once & c;
      once |= c;
    }
    u64 two = twice & ~thrice;
    for (i32 i = 0; i < w->N && two; i++) {
      i32 cell = cell_of(w, unit, i);
      u64 here = cand[cell] & two;
      if (here) return (Guess){cell, here & -here};
    }
  }
  return (Guess){-1, 0};
}

static Guess choose_guess(const Work *w, const u64 *cand) {
  i32 cell = fewest_candidates(w, cand);
  if (cell < 0) return (Guess){-1, 0};
  if (popcount64(cand[cell]) > 2) {
    Guess two = two_places(w, cand);
    if (two.cell >= 0) return two;
  }
  return (Guess){cell, cand[cell] & -cand[cell]};
}

static void record_solution(Work *w, const u64 *cand, u8 *found) {
  if (w->found < 2)
    for (i32 cell = 0; cell < w->cells; cell++)
      found[w->found * w->cells + cell] = (u8)(lowest64(cand[cell]) + 1);
  w->found++;
}

EXPORT(i32, sudoku_shape_solve_room)(i32 R, i32 C) {
  if (R < 2 || R > 6 || C < 2 || C > 6) return BAD;
  i32 cells = R * C * R * C, words = cells / 64 + 1, levels = min32(cells, MOST_LEVELS);
  return HEAD + levels * (cells + words) * 8;
}

EXPORT(i32, sudoku_shape_solve_begin)(i32 R, i32 C, const u8 *board, i32 limit, u8 *work, i32 room) {
  if (limit < 1 || !sudoku_shape_is_legal(R, C, board)) return BAD;
  i32 need = sudoku_shape_solve_room(R, C);
  if (need < 0 || room < need) return BAD;
  if ((uintptr_t)work & 15) return BAD;
  Work *w = (Work *)work;
  memset(w, 0, sizeof *w);
  w->R = R, w->C = C, w->N = R * C, w->cells = w->N * w->N, w->limit = limit;
  w->words = w->cells / 64 + 1;
  w->most_depth = min32(w->cells, MOST_LEVELS);
  w->candidates = (u64 *)(work + HEAD);
  w->fixed = w->candidates + w->most_depth * w->cells;
  u64 all = (1ull << w->N) - 1;
  for (i32 i = 0; i < w->cells; i++) w->candidates[i] = board[i] ? 1ull << (board[i] - 1) : all;
  memset(w->fixed, 0, (size_t)w->words * 8);
  seal_set(&w->seal, SEALED_SOLVE, w->N, 0);
  return OK;
}

/* One node: propagate the deepest level, then branch, record a solution, or backtrack. */
static void visit(Work *w, u8 *found) {
  u64 *cand = board_at(w, w->depth), *fixed = fixed_at(w, w->depth);
  i32 alive = propagate(w, cand, fixed);
  Guess guess = alive ? choose_guess(w, cand) : (Guess){-1, 0};
  if (alive && guess.cell < 0) record_solution(w, cand, found);
  if (w->found >= w->limit) {
    w->done = 1;
  } else if (guess.cell >= 0 && w->depth + 1 < w->most_depth) {
    u64 *next = board_at(w, w->depth + 1);
    memcpy(next, cand, (size_t)w->cells * 8);
    memcpy(fixed_at(w, w->depth + 1), fixed, (size_t)w->words * 8);
    next[guess.cell] = guess.bit;
    cand[guess.cell] &= ~guess.bit; /* the alternative, searched after the next level */
    w->depth++;
  } else if (w->depth-- == 0) {
    w->done = 1;
  }
}

EXPORT(i32, sudoku_shape_solve_run)(u8 *work, u8 *found, i32 nodes) {
  Work *w = (Work *)work;
  if (!seal_holds(w, SEALED_SOLVE)) return BAD;
  while (nodes-- > 0 && !w->done) visit(w, found);
  return w->done ? 1 + w->found : 0;
}
