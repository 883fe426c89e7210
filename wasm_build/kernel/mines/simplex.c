/* Satisfiability of a set of clues as a 0/1 integer program: every clue an equation, every cell a
 * variable from 0 to 1; branch and bound where the linear relaxation has a fractional solution.
 *
 * Decides at once what takes CDCL (cdcl.c) exponential time, such as rows and columns with
 * different totals. One tableau serves all queries about one set of open cells: variables are the
 * cells and, per clue, its sum; a clue that is left out is a sum with wide bounds, a flag a cell
 * with narrow ones. A query changes bounds only, and the dual simplex method (Lemke 1954) restarts
 * from the last basis. Costs are random: they break ties (degeneracy), nothing is optimised.
 *
 * Floating-point results are verified: a layout by adding up its counts in integers, infeasibility
 * by recomputing its Farkas certificate from the clues with a margin far above any rounding. A
 * query that fails both ends with ROUNDING_ERRORS. Cost: O(clues cells) a pivot.
 *
 * Rejected: equations without bounds, which miss 52 of 390 contradictions that CDCL could not find
 * in 50 ms; this misses none.
 * One file: pivots, certificates and branching are one loop over one structure. */
#include "tableau.h"

enum { SOLVED, IMPOSSIBLE, UNFINISHED, NUMERICALLY_FAILED }; /* how a run of pivots ends */
enum { PIVOTS = 3000 };                        /* between two resets of the tableau */
static const double NO_RATIO = 1e300, FLIPPED = 2e300; /* ratios of columns */
static const double TOLERANCE = 1e-7, PIVOT = 1e-6, MARGIN = 1e-6;

/* ---------------------------------------------------------------- the tableau */

/* The initial basis: every clue's sum is basic. */
static void reset_tableau(Tableau *s) {
  memset(s->table, 0, sizeof(double) * (size_t)(s->clues + 1) * (size_t)s->cells);
  for (i32 q = 0; q < s->clues; q++)
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) row_of(s, q)[s->cells_of[k]] = 1;
  memcpy(row_of(s, s->clues), s->cost, sizeof(double) * (size_t)s->cells);
  for (i32 c = 0; c < s->cells; c++) s->where[s->nonbasic[c] = (i16)c] = (i16)c;
  for (i32 q = 0; q < s->clues; q++) s->where[s->basic[q] = (i16)(s->cells + q)] = (i16)(-1 - q);
  s->pivots = 0;
  s->fresh = 1;
}

void tableau_settle(Tableau *s) {
  const double *cost = row_of(s, s->clues);
  for (i32 j = 0; j < s->cells; j++) {
    i32 v = s->nonbasic[j];
    s->value[v] = cost[j] >= 0 ? s->low[v] : s->high[v];
  }
  for (i32 i = 0; i < s->clues; i++) {
    const double *row = row_of(s, i);
    double sum = 0;
    for (i32 j = 0; j < s->cells; j++) sum += row[j] * s->value[s->nonbasic[j]];
    s->value[s->basic[i]] = sum;
  }
}

/* Change the value of a column's variable, and of the basic ones with it. */
static void shift(Tableau *s, i32 column, double by) {
  s->value[s->nonbasic[column]] += by;
  for (i32 i = 0; i < s->clues; i++) s->value[s->basic[i]] += row_of(s, i)[column] * by;
}

void tableau_set_bounds(Tableau *s, i32 v, double low, double high) {
  s->low[v] = low;
  s->high[v] = high;
  if (s->where[v] < 0) return;
  double to = row_of(s, s->clues)[s->where[v]] >= 0 ? low : high;
  if (to != s->value[v]) shift(s, s->where[v], to - s->value[v]);
}

/* Pivot: exchange the variables of a row and a column; values stay. Returns the entries changed. */
static i32 pivot(Tableau *s, i32 row, i32 column) {
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
  i16 in = s->nonbasic[column], out = s->basic[row];
  s->basic[row] = in;
  s->nonbasic[column] = out;
  s->where[in] = (i16)(-1 - row);
  s->where[out] = (i16)column;
  s->pivots++;
  s->fresh = 0;
  return touched;
}

/* ---------------------------------------------------------------- the dual simplex method */

/* 1 + the squared norm of a row. */
static double row_norm(const Tableau *s, i32 row) {
  const double *line = row_of(s, row);
  double even = 1, odd = 0;
  for (i32 j = 0; j + 1 < s->cells; j += 2) {
    even += line[j] * line[j];
    odd += line[j + 1] * line[j + 1];
  }
  return even + odd + (s->cells & 1 ? line[s->cells - 1] * line[s->cells - 1] : 0);
}

/* The leaving row by dual steepest edge: the largest bound violation relative to the norm; a third
 * fewer pivots than by the violation alone. -1 if no bound is violated. */
static i32 leaving_row(const Tableau *s) {
  i32 worst = -1;
  double most = 0;
  for (i32 i = 0; i < s->clues; i++) {
    i32 v = s->basic[i];
    double off = s->value[v] < s->low[v] ? s->low[v] - s->value[v] : s->value[v] - s->high[v];
    if (off <= TOLERANCE) continue;
    off *= off / row_norm(s, i);
    if (off > most) {
      most = off;
      worst = i;
    }
  }
  return worst;
}

/* Write the dual ratio of every column for moving `row` up (or down) to `scratch`; NO_RATIO if the
 * column cannot move it. */
static void compute_ratios(Tableau *s, const double *row, i32 up) {
  const double *cost = row_of(s, s->clues);
  for (i32 j = 0; j < s->cells; j++) {
    i32 v = s->nonbasic[j];
    double pull = up ? row[j] : -row[j], low = s->low[v], high = s->high[v];
    i32 stuck = low == high || size_of(pull) < PIVOT || (s->value[v] == low) != (pull > 0);
    s->scratch[j] = stuck ? NO_RATIO : size_of(cost[j]) / size_of(pull);
  }
}

/* The entering column: the first one with the smallest ratio; -1 if there is none. */
static i32 entering_column(const Tableau *s) {
  double least = NO_RATIO;
  i32 best = -1;
  for (i32 j = 0; j < s->cells; j++) {
    if (s->scratch[j] >= least) continue;
    least = s->scratch[j];
    best = j;
  }
  return best;
}

/* One pivot with the bound-flipping ratio test (long-step rule): columns flip to their other bound
 * while the row still violates its bounds, the next one enters the basis. 0 if the row violates
 * them even with all columns flipped: then it is infeasible. */
static i32 pivot_step(Tableau *s, i32 row, i32 *budget) {
  const double *line = row_of(s, row);
  i32 v = s->basic[row], up = s->value[v] < s->low[v], column;
  double target = up ? s->low[v] : s->high[v];
  double left = size_of(target - s->value[v]);
  compute_ratios(s, line, up);
  for (;;) {
    column = entering_column(s);
    *budget -= s->cells;
    if (column < 0) return 0;
    i32 w = s->nonbasic[column];
    left -= size_of(line[column]) * (s->high[w] - s->low[w]);
    if (left <= TOLERANCE) break;
    s->scratch[column] = FLIPPED;
  }
  for (i32 j = 0; j < s->cells; j++) {
    i32 w = s->nonbasic[j];
    if (s->scratch[j] != FLIPPED) continue;
    shift(s, j, s->value[w] == s->low[w] ? s->high[w] - s->low[w] : s->low[w] - s->high[w]);
    *budget -= s->clues;
  }
  shift(s, column, (target - s->value[v]) / line[column]);
  s->value[v] = target;
  *budget -= pivot(s, row, column) + s->clues;
  return 1;
}

/* Whether a row gives a Farkas certificate of infeasibility, recomputed from the clues: the sum
 * over clues of proof * their sum = the sum over cells of scratch * cell. */
static i32 is_certificate(Tableau *s, i32 row) {
  const double *line = row_of(s, row);
  double largest = 1, low = 0, high = 0;
  memset(s->proof, 0, sizeof(double) * (size_t)(s->clues + 1));
  memset(s->scratch, 0, sizeof(double) * (size_t)(s->cells + 1));
  if (s->basic[row] >= s->cells) s->proof[s->basic[row] - s->cells] = 1;
  for (i32 j = 0; j < s->cells; j++)
    if (s->nonbasic[j] >= s->cells && size_of(line[j]) > PIVOT)
      s->proof[s->nonbasic[j] - s->cells] = -line[j];
  for (i32 q = 0; q < s->clues; q++) {
    double y = s->proof[q], a = y * s->low[s->cells + q], b = y * s->high[s->cells + q];
    if (y == 0) continue;
    if (size_of(y) > largest) largest = size_of(y);
    low -= a > b ? a : b;
    high -= a > b ? b : a;
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) s->scratch[s->cells_of[k]] += y;
  }
  for (i32 c = 0; c < s->cells; c++) {
    double a = s->scratch[c] * s->low[c], b = s->scratch[c] * s->high[c];
    low += a < b ? a : b;
    high += a < b ? b : a;
  }
  return low > MARGIN * largest || high < -MARGIN * largest;
}

static i32 run_dual_simplex(Tableau *s, i32 *budget) {
  for (;;) {
    if (*budget <= 0) return UNFINISHED;
    i32 row = leaving_row(s);
    *budget -= s->clues + 1;
    if (row < 0) return SOLVED;
    if (s->pivots < PIVOTS && pivot_step(s, row, budget)) continue;
    if (s->pivots < PIVOTS && is_certificate(s, row)) return IMPOSSIBLE;
    if (s->fresh) return NUMERICALLY_FAILED;
    reset_tableau(s);
    tableau_settle(s);
  }
}

/* ---------------------------------------------------------------- branch and bound */

static double round_to_bit(double x) { return x < 0.5 ? 0 : 1; }

/* The most fractional cell, -1 if all are integral. */
static i32 most_fractional(const Tableau *s) {
  i32 found = -1;
  double most = 1e-5;
  for (i32 c = 0; c < s->cells; c++) {
    double off = size_of(s->value[c] - round_to_bit(s->value[c]));
    if (off > most) {
      most = off;
      found = c;
    }
  }
  return found;
}

/* Whether the rounded values, written to `model`, satisfy every clue in integers. */
static i32 accept_rounding(Tableau *s) {
  for (i32 c = 0; c < s->cells; c++) {
    s->model[c] = (i8)round_to_bit(s->value[c]);
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
static i32 backtrack(Tableau *s) {
  while (s->depth) {
    i32 c = s->branch_cell[s->depth - 1];
    if (!s->second_branch[s->depth - 1]) {
      s->second_branch[s->depth - 1] = 1;
      double other = 1 - s->low[c];
      tableau_set_bounds(s, c, other, other);
      return 1;
    }
    s->depth--;
    tableau_set_bounds(s, c, 0, 1);
  }
  return 0;
}

i32 tableau_solve(Tableau *s, i32 *budget) {
  while (s->status == RUNNING) {
    i32 end = run_dual_simplex(s, budget);
    if (end == UNFINISHED) return RUNNING;
    if (end == NUMERICALLY_FAILED) {
      s->status = ROUNDING_ERRORS;
    } else if (end == IMPOSSIBLE) {
      s->proved = !s->branched;
      if (!backtrack(s)) s->status = INFEASIBLE;
    } else {
      i32 c = most_fractional(s);
      if (c < 0) {
        s->status = accept_rounding(s) ? FEASIBLE : ROUNDING_ERRORS;
        continue;
      }
      double first = round_to_bit(s->value[c]);
      s->branched = 1;
      s->branch_cell[s->depth] = (i16)c;
      s->second_branch[s->depth++] = 0;
      tableau_set_bounds(s, c, first, first);
    }
  }
  return s->status;
}

/* ---------------------------------------------------------------- reading */

static i32 take_arrays(Tableau *s, i32 members) {
  Arena *arena = &s->arena;
  i32 cells = s->cells + 1, clues = s->clues + 1, variables = cells + clues;
  i32 constraints = s->constraints + 1;
  if (!ARENA_TAKE(arena, s->cells_of, members + 1) || !ARENA_TAKE(arena, s->first_cell, clues) ||
      !ARENA_TAKE(arena, s->name, clues) || !ARENA_TAKE(arena, s->basic, clues) ||
      !ARENA_TAKE(arena, s->nonbasic, cells) || !ARENA_TAKE(arena, s->where, variables) ||
      !ARENA_TAKE(arena, s->value, variables) || !ARENA_TAKE(arena, s->low, variables) ||
      !ARENA_TAKE(arena, s->high, variables) || !ARENA_TAKE(arena, s->cost, cells) ||
      !ARENA_TAKE(arena, s->proof, clues) || !ARENA_TAKE(arena, s->scratch, cells) ||
      !ARENA_TAKE(arena, s->branch_cell, cells) || !ARENA_TAKE(arena, s->second_branch, cells) ||
      !ARENA_TAKE(arena, s->model, cells) || !ARENA_TAKE(arena, s->subject, constraints) ||
      !ARENA_TAKE(arena, s->required, constraints) || !ARENA_TAKE(arena, s->active, constraints) ||
      !ARENA_TAKE(arena, s->in_core, constraints) || !ARENA_TAKE(arena, s->layout, cells) ||
      !ARENA_TAKE(arena, s->seen, cells) || !ARENA_TAKE(arena, s->core, MAX_CORES * set_size(s)) ||
      !ARENA_TAKE(arena, s->table, clues * s->cells + 1))
    return TOO_LARGE;
  return OK;
}

static i32 count_members(Tableau *s, const Board *board, const i16 *state) {
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
static void add_clue(Tableau *s, i32 *clue, i32 name, i32 want, const i32 *list, i32 length) {
  i32 at = s->first_cell[*clue], from = at;
  for (i32 i = 0; i < length; i++) {
    i32 c = s->local_of[list[i]], k = from;
    if (c < 0) continue;
    while (k < at && s->cells_of[k] != c) k++;
    if (k == at) s->cells_of[at++] = (i16)c;
  }
  s->subject[*clue] = (i16)*clue;
  s->required[*clue] = (i16)max32(-1, min32(want, MINES_CELLS + 1)); /* out of range: impossible */
  s->name[(*clue)++] = name;
  s->first_cell[*clue] = at;
}

EXPORT(i32, mines_sums_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, u8 *work, i32 size) {
  Board board;
  if (!state || mines_read_board(&board, packed, length) != OK) return BAD;
  if (size < (i32)sizeof(Tableau) + 64 || ((uintptr_t)work & 15)) return BAD;
  Tableau *s = (Tableau *)work;
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
  s->constraints = s->clues + flags;
  if (take_arrays(s, members) != OK) return TOO_LARGE;
  i32 clue = 0;
  s->first_cell[0] = 0;
  for (i32 g = 0; g < board.groups; g++)
    add_clue(s, &clue, g, board.group_count[g], board.members + board.group_start[g],
             board.group_start[g + 1] - board.group_start[g]);
  for (i32 c = 0; c < board.cells; c++)
    if (state[c] >= 0)
      add_clue(s, &clue, board.groups + c, state[c], board.neighbours + board.neighbour_start[c],
               board.neighbour_start[c + 1] - board.neighbour_start[c]);
  for (i32 c = 0; c < board.cells; c++) {
    if (state[c] != STATE_FLAG) continue;
    s->subject[clue] = (i16)(-1 - s->local_of[c]);
    s->required[clue++] = 1;
  }
  for (i32 c = 0; c < s->cells; c++) s->cost[c] = random_cost(c) - 1;
  reset_tableau(s);
  memset(s->core, 0, (size_t)set_size(s));
  for (i32 n = 0; n < s->constraints; n++) /* the backbone's set, in place of a core */
    put_bit(s->core, n, n >= s->clues || !active || active[s->name[n]]);
  s->status = ROUNDING_ERRORS; /* no query yet */
  s->candidate = s->backbone_cell = IDLE;
  seal_set(&s->seal, SUMMING, board.cells, board.groups + board.cells);
  return OK;
}

EXPORT(i32, mines_sums_proof)(u8 *work, double *weights) {
  Tableau *s = (Tableau *)work;
  if (!seal_holds(s, SUMMING) || s->status != INFEASIBLE) return BAD;
  memset(weights, 0, sizeof(double) * (size_t)(s->groups + s->board_cells));
  for (i32 q = 0; q < s->clues && s->proved; q++) weights[s->name[q]] = s->proof[q];
  return s->proved;
}
