/* Satisfiability of a set of clues as a 0/1 integer program: every clue an equation, every cell a
 * variable from 0 to 1; branch and bound where the relaxation has a fractional solution.
 *
 * Decides at once what CDCL (cdcl.c) would need exponential time for, such as rows and columns with
 * different totals. One tableau serves all queries about one set of open cells: variables are the
 * cells and, per clue, its sum; a clue that is left out is a sum with wide bounds, a flag a cell
 * with narrow ones. A query changes bounds only, and the dual simplex method (Lemke 1954)
 * continues from the last basis. Costs are random: they break ties (degeneracy), nothing is
 * optimised.
 *
 * Doubles do not decide: a layout is accepted after adding it up in whole numbers, infeasibility
 * after its Farkas combination has been recomputed from the clues with a margin far above any
 * rounding. What passes neither is answered with "cannot tell".
 * Cost: O(clues cells) a pivot.
 *
 * Rejected: equations without bounds, which miss 52 of 390 contradictions that CDCL could not find
 * in 50 ms; this misses none.
 * One file: pivots, proofs and branching are one loop over one structure. */
#include "tableau.h"

enum { SOLVED, IMPOSSIBLE, UNFINISHED, NUMERICALLY_FAILED }; /* how a run of pivots ends */
enum { PIVOTS = 3000 };                        /* between two fresh starts of the tableau */
static const double NEVER = 1e300, USED_PRICE = 2e300; /* prices of columns */
static const double TOLERANCE = 1e-7, PIVOT = 1e-6, MARGIN = 1e-6;

/* ---------------------------------------------------------------- the tableau */

/* The initial basis: every clue's sum is basic. */
static void restart(Sums *s) {
  memset(s->table, 0, sizeof(double) * (size_t)(s->clues + 1) * (size_t)s->cells);
  for (i32 q = 0; q < s->clues; q++)
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++)
      row_of(s, q)[s->cells_of[k]] = 1;
  memcpy(row_of(s, s->clues), s->cost, sizeof(double) * (size_t)s->cells);
  for (i32 c = 0; c < s->cells; c++) s->where[s->other[c] = (i16)c] = (i16)c;
  for (i32 q = 0; q < s->clues; q++)
    s->where[s->basic[q] = (i16)(s->cells + q)] = (i16)(-1 - q);
  s->pivots = 0;
  s->fresh = 1;
}

void sums_settle(Sums *s) {
  const double *cost = row_of(s, s->clues);
  for (i32 j = 0; j < s->cells; j++) {
    i32 v = s->other[j];
    s->value[v] = cost[j] >= 0 ? s->low[v] : s->high[v];
  }
  for (i32 i = 0; i < s->clues; i++) {
    const double *row = row_of(s, i);
    double sum = 0;
    for (i32 j = 0; j < s->cells; j++) sum += row[j] * s->value[s->other[j]];
    s->value[s->basic[i]] = sum;
  }
}

static void move(Sums *s, i32 column, double by) {
  s->value[s->other[column]] += by;
  for (i32 i = 0; i < s->clues; i++) s->value[s->basic[i]] += row_of(s, i)[column] * by;
}

void sums_bound(Sums *s, i32 v, double low, double high) {
  s->low[v] = low;
  s->high[v] = high;
  if (s->where[v] < 0) return;
  double to = row_of(s, s->clues)[s->where[v]] >= 0 ? low : high;
  if (to != s->value[v]) move(s, s->where[v], to - s->value[v]);
}

/* Pivot: exchange the variables of a row and a column; values stay. Returns the entries changed. */
static i32 pivot(Sums *s, i32 row, i32 column) {
  double *pivoted = row_of(s, row), inverse = 1 / pivoted[column];
  i32 touched = s->cells;
  for (i32 j = 0; j < s->cells; j++) pivoted[j] *= -inverse;
  pivoted[column] = inverse;
  for (i32 i = 0; i <= s->clues; i++) {
    double *target = row_of(s, i), factor = target[column];
    if (i == row || factor == 0) continue;
    target[column] = 0;
    add_row(target, pivoted, factor, s->cells);
    touched += s->cells;
  }
  i16 in = s->other[column], out = s->basic[row];
  s->basic[row] = in;
  s->other[column] = out;
  s->where[in] = (i16)(-1 - row);
  s->where[out] = (i16)column;
  s->pivots++;
  s->fresh = 0;
  return touched;
}

/* ---------------------------------------------------------------- the dual simplex method */

/* 1 + the square of a row's length. */
static double steepness(const Sums *s, i32 row) {
  const double *line = row_of(s, row);
  double even = 1, odd = 0;
  for (i32 j = 0; j + 1 < s->cells; j += 2) {
    even += line[j] * line[j];
    odd += line[j + 1] * line[j + 1];
  }
  return even + odd + (s->cells & 1 ? line[s->cells - 1] * line[s->cells - 1] : 0);
}

/* Dual steepest edge: the row with the largest bound violation relative to its length; a third
 * fewer pivots than by the violation alone. */
static i32 worst_row(const Sums *s) {
  i32 worst = -1;
  double most = 0;
  for (i32 i = 0; i < s->clues; i++) {
    i32 v = s->basic[i];
    double off = s->value[v] < s->low[v] ? s->low[v] - s->value[v] : s->value[v] - s->high[v];
    if (off <= TOLERANCE) continue;
    off *= off / steepness(s, i);
    if (off > most) {
      most = off;
      worst = i;
    }
  }
  return worst;
}

/* The dual ratio of every column for moving `row` up (or down), into `spare`; NEVER if the column
 * cannot move it. */
static void price(Sums *s, const double *row, i32 up) {
  const double *cost = row_of(s, s->clues);
  for (i32 j = 0; j < s->cells; j++) {
    i32 v = s->other[j];
    double pull = up ? row[j] : -row[j], low = s->low[v], high = s->high[v];
    i32 stuck = low == high || size_of(pull) < PIVOT || (s->value[v] == low) != (pull > 0);
    s->spare[j] = stuck ? NEVER : size_of(cost[j]) / size_of(pull);
  }
}

/* The first column with the smallest ratio, -1 if none is left. */
static i32 cheapest(const Sums *s) {
  double least = NEVER;
  i32 best = -1;
  for (i32 j = 0; j < s->cells; j++) {
    if (s->spare[j] >= least) continue;
    least = s->spare[j];
    best = j;
  }
  return best;
}

/* One pivot of the bound-flipping ratio test (long-step rule): columns flip to their other bound
 * while the row stays out of its bounds, the next one enters the basis. 0 if the row stays out even
 * with all of them flipped: then it is infeasible. */
static i32 step(Sums *s, i32 row, i32 *budget) {
  const double *line = row_of(s, row);
  i32 v = s->basic[row], up = s->value[v] < s->low[v], column;
  double target = up ? s->low[v] : s->high[v];
  double left = size_of(target - s->value[v]);
  price(s, line, up);
  for (;;) {
    column = cheapest(s);
    *budget -= s->cells;
    if (column < 0) return 0;
    i32 w = s->other[column];
    left -= size_of(line[column]) * (s->high[w] - s->low[w]);
    if (left <= TOLERANCE) break;
    s->spare[column] = USED_PRICE;
  }
  for (i32 j = 0; j < s->cells; j++) {
    i32 w = s->other[j];
    if (s->spare[j] != USED_PRICE) continue;
    move(s, j, s->value[w] == s->low[w] ? s->high[w] - s->low[w] : s->low[w] - s->high[w]);
    *budget -= s->clues;
  }
  move(s, column, (target - s->value[v]) / line[column]);
  s->value[v] = target;
  *budget -= pivot(s, row, column) + s->clues;
  return 1;
}

/* Does that row give a Farkas certificate of infeasibility? Recomputed from the clues themselves:
 * sum over clues of proof * their sum = sum over cells of spare * cell. */
static i32 proves(Sums *s, i32 row) {
  const double *line = row_of(s, row);
  double largest = 1, low = 0, high = 0;
  memset(s->proof, 0, sizeof(double) * (size_t)(s->clues + 1));
  memset(s->spare, 0, sizeof(double) * (size_t)(s->cells + 1));
  if (s->basic[row] >= s->cells) s->proof[s->basic[row] - s->cells] = 1;
  for (i32 j = 0; j < s->cells; j++)
    if (s->other[j] >= s->cells && size_of(line[j]) > PIVOT)
      s->proof[s->other[j] - s->cells] = -line[j];
  for (i32 q = 0; q < s->clues; q++) {
    double y = s->proof[q], a = y * s->low[s->cells + q], b = y * s->high[s->cells + q];
    if (y == 0) continue;
    if (size_of(y) > largest) largest = size_of(y);
    low -= a > b ? a : b;
    high -= a > b ? b : a;
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) s->spare[s->cells_of[k]] += y;
  }
  for (i32 c = 0; c < s->cells; c++) {
    double a = s->spare[c] * s->low[c], b = s->spare[c] * s->high[c];
    low += a < b ? a : b;
    high += a < b ? b : a;
  }
  return low > MARGIN * largest || high < -MARGIN * largest;
}

static i32 solve(Sums *s, i32 *budget) {
  for (;;) {
    if (*budget <= 0) return UNFINISHED; /* first, so that every call makes a step */
    i32 row = worst_row(s);
    *budget -= s->clues + 1;
    if (row < 0) return SOLVED;
    if (s->pivots < PIVOTS && step(s, row, budget)) continue;
    if (s->pivots < PIVOTS && proves(s, row)) return IMPOSSIBLE;
    if (s->fresh) return NUMERICALLY_FAILED;
    restart(s);
    sums_settle(s);
  }
}

/* ---------------------------------------------------------------- branch and bound */

static double whole(double x) { return x < 0.5 ? 0 : 1; }

/* The most fractional cell, -1 if all are integral. */
static i32 fraction(const Sums *s) {
  i32 found = -1;
  double most = 1e-5;
  for (i32 c = 0; c < s->cells; c++) {
    double off = size_of(s->value[c] - whole(s->value[c]));
    if (off > most) {
      most = off;
      found = c;
    }
  }
  return found;
}

/* Whether the rounded values satisfy every clue, in integers. */
static i32 adds_up(Sums *s) {
  for (i32 c = 0; c < s->cells; c++) {
    s->model[c] = (i8)whole(s->value[c]);
    if (s->model[c] < s->low[c] || s->model[c] > s->high[c]) return 0;
  }
  for (i32 q = 0; q < s->clues; q++) {
    i32 sum = 0;
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) sum += s->model[s->cells_of[k]];
    if (sum < s->low[s->cells + q] || sum > s->high[s->cells + q]) return 0;
  }
  return 1;
}

/* Backtrack to the other branch of the last split that has one; 0 if there is none. */
static i32 turn_back(Sums *s) {
  while (s->depth) {
    i32 c = s->split[s->depth - 1];
    if (!s->second[s->depth - 1]) {
      s->second[s->depth - 1] = 1;
      double other = 1 - s->low[c];
      sums_bound(s, c, other, other);
      return 1;
    }
    s->depth--;
    sums_bound(s, c, 0, 1);
  }
  return 0;
}

i32 sums_run(Sums *s, i32 *budget) {
  while (s->ended == 2) {
    i32 end = solve(s, budget);
    if (end == UNFINISHED) return 2;
    if (end == NUMERICALLY_FAILED) s->ended = 3;
    else if (end == IMPOSSIBLE) {
      s->proved = !s->branched;
      if (!turn_back(s)) s->ended = 0;
    } else {
      i32 c = fraction(s);
      if (c < 0) s->ended = adds_up(s) ? 1 : 3;
      else {
        double first = whole(s->value[c]);
        s->branched = 1;
        s->split[s->depth] = (i16)c;
        s->second[s->depth++] = 0;
        sums_bound(s, c, first, first);
      }
    }
  }
  return s->ended;
}

/* ---------------------------------------------------------------- reading */

static i32 take_arrays(Sums *s, i32 members) {
  Arena *arena = &s->arena;
  i32 cells = s->cells + 1, clues = s->clues + 1, variables = cells + clues, names = s->names + 1;
  if (!ARENA_TAKE(arena, s->cells_of, members + 1) || !ARENA_TAKE(arena, s->first_cell, clues) ||
      !ARENA_TAKE(arena, s->name, clues) || !ARENA_TAKE(arena, s->basic, clues) ||
      !ARENA_TAKE(arena, s->other, cells) || !ARENA_TAKE(arena, s->where, variables) ||
      !ARENA_TAKE(arena, s->value, variables) || !ARENA_TAKE(arena, s->low, variables) ||
      !ARENA_TAKE(arena, s->high, variables) || !ARENA_TAKE(arena, s->cost, cells) ||
      !ARENA_TAKE(arena, s->proof, clues) || !ARENA_TAKE(arena, s->spare, cells) ||
      !ARENA_TAKE(arena, s->split, cells) || !ARENA_TAKE(arena, s->second, cells) ||
      !ARENA_TAKE(arena, s->model, cells) || !ARENA_TAKE(arena, s->who, names) ||
      !ARENA_TAKE(arena, s->want, names) || !ARENA_TAKE(arena, s->in, names) ||
      !ARENA_TAKE(arena, s->used, names) || !ARENA_TAKE(arena, s->best, cells) ||
      !ARENA_TAKE(arena, s->seen, cells) || !ARENA_TAKE(arena, s->mus, SUMS_MUSES * set_size(s)) ||
      !ARENA_TAKE(arena, s->table, clues * s->cells + 1))
    return TOO_LARGE;
  return OK;
}

static i32 count_members(Sums *s, const Board *board, const i16 *state) {
  i32 members = board->group_start[board->groups];
  s->clues = board->groups;
  for (i32 c = 0; c < board->cells; c++) {
    if (state[c] < 0) continue;
    s->clues++;
    members += board->neighbour_start[c + 1] - board->neighbour_start[c];
  }
  return members;
}

/* A cell that a list names twice counts once, as in the other engines. */
static void enter(Sums *s, i32 *clue, i32 name, i32 want, const i32 *list, i32 length) {
  i32 at = s->first_cell[*clue], from = at;
  for (i32 i = 0; i < length; i++) {
    i32 c = s->local_of[list[i]], k = from;
    if (c < 0) continue;
    while (k < at && s->cells_of[k] != c) k++;
    if (k == at) s->cells_of[at++] = (i16)c;
  }
  s->who[*clue] = (i16)*clue;
  s->want[*clue] = (i16)max32(-1, min32(want, MINES_CELLS + 1)); /* out of range: impossible */
  s->name[(*clue)++] = name;
  s->first_cell[*clue] = at;
}

EXPORT(i32, mines_sums_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, u8 *work, i32 size) {
  Board board;
  if (!state || mines_read_board(&board, packed, length) != OK) return BAD;
  if (size < (i32)sizeof(Sums) + 64 || ((uintptr_t)work & 15)) return BAD;
  Sums *s = (Sums *)work;
  memset(s, 0, sizeof *s);
  s->arena = arena_after(work, sizeof *s, (size_t)size);
  s->board_cells = board.cells;
  s->groups = board.groups;
  s->local_of = arena_take(&s->arena, sizeof(i16) * ((size_t)board.cells + 1));
  if (!s->local_of) return TOO_LARGE;
  i32 flags = 0;
  for (i32 c = 0; c < board.cells; c++) {
    if (state[c] < STATE_FLAG) return BAD;
    flags += state[c] == STATE_FLAG;
    s->local_of[c] = state[c] >= 0 || state[c] == STATE_QUESTION ? -1 : (i16)s->cells++;
  }
  const i32 members = count_members(s, &board, state);
  s->names = s->clues + flags;
  if (take_arrays(s, members) != OK) return TOO_LARGE;
  i32 clue = 0;
  s->first_cell[0] = 0;
  for (i32 g = 0; g < board.groups; g++)
    enter(s, &clue, g, board.group_count[g], board.members + board.group_start[g],
          board.group_start[g + 1] - board.group_start[g]);
  for (i32 c = 0; c < board.cells; c++)
    if (state[c] >= 0)
      enter(s, &clue, board.groups + c, state[c], board.neighbours + board.neighbour_start[c],
            board.neighbour_start[c + 1] - board.neighbour_start[c]);
  for (i32 c = 0; c < board.cells; c++) {
    if (state[c] != STATE_FLAG) continue;
    s->who[clue] = (i16)(-1 - s->local_of[c]);
    s->want[clue++] = 1;
  }
  for (i32 c = 0; c < s->cells; c++)
    s->cost[c] = random_cost(c) - 1;
  restart(s);
  memset(s->mus, 0, (size_t)set_size(s));
  for (i32 n = 0; n < s->names; n++) {
    const i32 holds = n >= s->clues || !active || active[s->name[n]];
    s->mus[n >> 3] |= (u8)(holds << (n & 7));
  }
  s->ended = 3; /* no query yet */
  s->at = s->cursor = NOT_ASKED;
  seal_set(&s->seal, SUMMING, board.cells, board.groups + board.cells);
  return OK;
}

EXPORT(i32, mines_sums_proof)(u8 *work, double *weights) {
  Sums *s = (Sums *)work;
  if (!seal_holds(s, SUMMING) || s->ended != 0) return BAD;
  memset(weights, 0, sizeof(double) * (size_t)(s->groups + s->board_cells));
  for (i32 q = 0; q < s->clues && s->proved; q++) weights[s->name[q]] = s->proof[q];
  return s->proved;
}
