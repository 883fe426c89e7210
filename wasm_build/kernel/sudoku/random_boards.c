/* Random complete grids of every shape by Markov chain Monte Carlo; random minimal 9x9 puzzles.
 *
 * Grids of order 3 are filled by the solver with random guesses, which is fast but biased (best
 * second row 456... in 25.4 % of the grids instead of 19.7 %), and then moved by random CYCLE
 * SWITCHES: two rows of a band (or columns of a stack) differ by a permutation of their entries;
 * exchanging the entries of one of its cycles leaves a legal grid. One move in eight is a Kempe
 * switch of two symbols, without which not all 2x3 grids can be reached. A move and its reverse are
 * equally likely, so the uniform distribution is stationary; 60 moves after the biased start are
 * enough that a million grids show no bias (tests/property/test_sudoku_random.py). Other shapes
 * start from the cyclic grid and take about N*N moves.
 */
#include "sudoku/board.h"
#include "solver.h"

enum { MOVES_AFTER_FILL = 60 };

typedef struct {
  i32 R, C, N;
  u8 *cell;
  u64 *random;
} Mixer;

/* Exchanges two lines of a chute along one cycle. `along` steps inside a line, `across` between. */
static void switch_cycle(const Mixer *m, i32 by_row) {
  i32 lines = by_row ? m->R : m->C, N = m->N;
  i32 along = by_row ? 1 : N, across = by_row ? N : 1;
  i32 chute = (i32)sudoku_below(m->random, (u32)(N / lines));
  i32 i = (i32)sudoku_below(m->random, (u32)lines);
  i32 j = (i32)sudoku_below(m->random, (u32)lines - 1);
  j += j >= i;
  u8 *a = m->cell + (chute * lines + i) * across, *b = m->cell + (chute * lines + j) * across;
  u8 where[LARGEST + 1];
  for (i32 k = 0; k < N; k++) where[a[k * along]] = (u8)k;
  i32 start = (i32)sudoku_below(m->random, (u32)N), k = start;
  do {
    i32 next = where[b[k * along]];
    u8 t = a[k * along];
    a[k * along] = b[k * along], b[k * along] = t;
    k = next;
  } while (k != start);
}

/* Exchanges two symbols in one connected component of the cells that hold them. */
static void switch_symbols(const Mixer *m) {
  i32 N = m->N;
  u8 pair[2] = {(u8)(1 + sudoku_below(m->random, (u32)N)), (u8)(1 + sudoku_below(m->random, (u32)N - 1))};
  pair[1] += pair[1] >= pair[0];
  u16 at[2][LARGEST];                                            /* row -> cell, by symbol */
  u8 by_col[2][LARGEST], by_box[2][LARGEST], seen[2][LARGEST];   /* -> row */
  memset(seen, 0, sizeof seen);
  for (i32 i = 0; i < N * N; i++)
    for (i32 s = 0; s < 2; s++)
      if (m->cell[i] == pair[s]) {
        i32 r = i / N, c = i % N;
        at[s][r] = (u16)i, by_col[s][c] = (u8)r, by_box[s][r / m->R * m->R + c / m->C] = (u8)r;
      }
  u8 stack[2 * LARGEST]; /* row << 1 | symbol */
  i32 top = 0, begin = (i32)sudoku_below(m->random, (u32)N);
  stack[top++] = (u8)(begin << 1);
  seen[0][begin] = 1;
  while (top) {
    i32 s = stack[--top] & 1, r = stack[top] >> 1, o = !s, c = at[s][r] % N;
    u8 next[3] = {(u8)r, by_col[o][c], by_box[o][r / m->R * m->R + c / m->C]};
    for (i32 i = 0; i < 3; i++)
      if (!seen[o][next[i]]) seen[o][next[i]] = 1, stack[top++] = (u8)(next[i] << 1 | o);
  }
  for (i32 s = 0; s < 2; s++)
    for (i32 r = 0; r < N; r++)
      if (seen[s][r]) m->cell[at[s][r]] = pair[!s];
}

static void mix(const Mixer *m, i32 moves) {
  while (moves--) {
    u32 kind = sudoku_below(m->random, 8);
    if (kind < 7) switch_cycle(m, kind & 1);
    else switch_symbols(m);
  }
}

static void fill_randomly(u64 *random, u8 *out) {
  u8 board[CELLS] = {0};
  for (i32 b = 0; b < 3; b++) { /* three boxes on the diagonal never clash */
    u8 digits[9];
    for (u32 i = 0; i < 9; i++) {
      u32 j = sudoku_below(random, i + 1);
      digits[i] = digits[j];
      digits[j] = (u8)(i + 1);
    }
    for (i32 i = 0; i < 9; i++) board[(3 * b + i / 3) * 9 + 3 * b + i % 3] = digits[i];
  }
  u8 found[2 * CELLS];
  Candidates s;
  Solve solve = {.limit = 1, .first = found, .random = random};
  sudoku_load(&s, board);
  sudoku_search(&solve, &s);
  memcpy(out, found, CELLS);
}

EXPORT(i32, sudoku_grids)(u64 *random, i32 count, u8 *out) {
  if (count < 0 || !(random[0] | random[1])) return BAD;
  for (i32 i = 0; i < count; i++) {
    Mixer m = {3, 3, 9, out + CELLS * i, random};
    fill_randomly(random, m.cell);
    mix(&m, MOVES_AFTER_FILL);
  }
  return count;
}

EXPORT(i32, sudoku_shape_mix)(u64 *random, i32 R, i32 C, u8 *grid, i32 moves) {
  Mixer m = {R, C, R * C, grid, random};
  if (moves < 0 || !(random[0] | random[1])) return BAD;
  if (!sudoku_shape_is_grid(R, C, grid)) return BAD;
  mix(&m, moves);
  return OK;
}

static i32 count_solutions(const u8 *board, i32 limit) {
  Candidates s;
  Solve solve = {.limit = limit};
  sudoku_load(&s, board);
  sudoku_search(&solve, &s);
  return solve.guesses > MOST_GUESSES ? limit : solve.found; /* unknown: the given stays */
}

/* Whether there is a solution with another value in a cell, so that its given is needed. */
static i32 is_needed(const u8 *board, i32 cell) {
  u8 without_it[CELLS];
  Candidates s;
  Solve solve = {.limit = 1};
  memcpy(without_it, board, CELLS);
  without_it[cell] = 0;
  sudoku_load(&s, without_it);
  sudoku_forbid(&s, cell, board[cell]);
  sudoku_search(&solve, &s);
  return solve.found || solve.guesses > MOST_GUESSES;
}

/* Removes givens in a random order as long as the solution is unique. The first 40 or so are
 * removed at once: nearly always possible, and it saves half the work. */
static i32 make_minimal(u64 *random, const u8 *grid, u8 *out) {
  u8 order[CELLS];
  for (u32 i = 0; i < CELLS; i++) {
    u32 j = sudoku_below(random, i + 1);
    order[i] = order[j];
    order[j] = (u8)i;
  }
  i32 done = 0;
  for (i32 at_once = 40; at_once > 0 && !done; at_once -= 6) {
    memcpy(out, grid, CELLS);
    for (i32 i = 0; i < at_once; i++) out[order[i]] = 0;
    if (count_solutions(out, 2) == 1) done = at_once;
  }
  if (!done) memcpy(out, grid, CELLS);
  i32 clues = CELLS - done;
  for (i32 i = done; i < CELLS; i++)
    if (!is_needed(out, order[i])) out[order[i]] = 0, clues--;
  return clues;
}

EXPORT(i32, sudoku_minimal)(u64 *random, const u8 *grids, i32 count, u8 *out, i32 *clues) {
  if (count < 0 || !(random[0] | random[1])) return BAD;
  for (i32 i = 0; i < count; i++) {
    const u8 *grid = grids + CELLS * i;
    i32 complete = board_is_legal(grid);
    for (i32 c = 0; c < CELLS; c++) complete &= grid[c] != 0;
    clues[i] = complete ? make_minimal(random, grid, out + CELLS * i) : BAD;
  }
  return count;
}
