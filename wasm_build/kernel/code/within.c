/* The most secrets that one strategy finds within k guesses: depth-first branch and bound.
 *
 *   W(S, 0) = 0, W(S, 1) = 1, W(S, 2) = the most answers that one guess can get
 *   W(S, k) = max over guesses g of [g in S] + sum of W(cell, k - 1) over g's cells but the win
 *
 * Works on the frame of a solver (solver.h) with its transposition table (key of the set, mixed
 * with k). Upper bound: at most U_k secrets of S, the heaviest ones, with U_1 = 1, U_k = 1 + K
 * U_(k-1) for K answers other than the win. Guesses are searched in descending order of the sum of
 * their cells' bounds, small cells first; a set is cut off when no guess exceeds the cutoff `need`.
 * W(S, 2) is the maximum of code_count_cells (optimal.c) over the guesses.
 *
 * With weights (code_within_weights) W is the weight of the secrets found. Members are sorted by
 * descending weight, so that the first of a cell are its heaviest.
 *
 * The stack is explicit, one Reach a set: code_within_step works for a budget and can be continued.
 */
#include "solver.h"

enum { CAP = 1 << 20, DEPTH_OF_ROWS = 64 }; /* in keys: depths of totals are smaller */

struct Reach {
  i32 m, rows, best, need, most, found, forced;
  u16 *members, *sorted;
  Candidate *list;
  i32 count, next;
  i32 expanded, column, sum, from[33], bound[32], order[32], open, next_cell;
  u64 key;
  size_t mark;
};

/* U_k: an upper bound on the secrets found within k guesses. */
static i32 capacity(const Solver *solver, i32 rows) {
  i64 most = 0;
  for (i32 k = 0; k < rows && most < CAP; k++) most = 1 + solver->win * most;
  return (i32)(most < CAP ? most : CAP);
}

static u64 key_of(const Solver *solver, const u16 *members, i32 m, i32 rows) {
  return key_of_set(solver, members, m) ^ (u64)(rows + DEPTH_OF_ROWS) * RANDOM_STEP;
}

/* 1 if the set may be split by this column: any, or under consistent_only only members of the set.
 */
static i32 is_allowed(const Solver *solver, i32 column) {
  return !solver->consistent_only || (column < solver->frame.n && solver->inside[column]);
}

/* The weight of the `cap` heaviest members. */
static i32 heaviest(const Solver *solver, const u16 *members, i32 m, i32 cap) {
  if (!solver->weight) return min32(m, cap);
  i32 weight = 0;
  for (i32 i = 0; i < m && i < cap; i++) weight += solver->weight[members[i]];
  return weight;
}

/* W(S, 2) with weights: the best sum of the heaviest member of each cell. */
static i32 heaviest_answers(Solver *solver, const u16 *members, i32 m) {
  i32 most = 0;
  mark_inside(solver, members, m, 1);
  for (i32 q = 0; q < solver->frame.columns; q++) {
    if (!is_allowed(solver, q)) continue;
    const u8 *label = label_of(solver, q);
    u32 seen = 0;
    i32 weight = 0;
    for (i32 i = 0; i < m; i++) {
      u32 bit = 1u << label[members[i]];
      if (!(seen & bit)) weight += solver->weight[members[i]];
      seen |= bit;
    }
    most = max32(most, weight);
  }
  mark_inside(solver, members, m, 0);
  solver->work += m * (solver->frame.columns >> 4);
  return most;
}

/* W(S, 2): the most cells of a guess. */
static i32 most_answers(Solver *solver, const u16 *members, i32 m) {
  if (solver->weight) return heaviest_answers(solver, members, m);
  i32 most = 1;
  code_count_cells(solver, members, m);
  mark_inside(solver, members, m, 1);
  for (i32 q = 0; q < solver->frame.columns; q++)
    if (is_allowed(solver, q)) most = max32(most, solver->parts[q]);
  mark_inside(solver, members, m, 0);
  return most;
}

/* The sizes of a guess's cells and an upper bound for each; returns the sum of the bounds. */
static i32 bound_cells(const Solver *solver, const u8 *label, const u16 *members, i32 m, i32 cap, u32 *sizes,
                       i32 *bounds) {
  i32 sum = 0;
  memset(sizes, 0, sizeof *sizes * 32);
  if (!solver->weight) {
    for (i32 i = 0; i < m; i++) sizes[label[members[i]]]++;
    for (i32 c = 0; c < solver->cells; c++)
      sum += bounds[c] = min32((i32)sizes[c], max32(cap, c == solver->win));
    return sum;
  }
  memset(bounds, 0, sizeof *bounds * 32);
  for (i32 i = 0; i < m; i++) {
    i32 c = label[members[i]];
    if ((i32)sizes[c]++ >= cap && c != solver->win) continue;
    bounds[c] += solver->weight[members[i]];
    sum += solver->weight[members[i]];
  }
  return sum;
}

static i32 in_order(const Candidate *a, const Candidate *b) {
  return a->key != b->key ? a->key > b->key : a->column < b->column;
}

/* Lists the guesses whose bound exceeds the cutoff, the greatest bound first. */
static void list_guesses(Solver *solver, Reach *reach) {
  const i32 columns = solver->frame.columns, cap = capacity(solver, reach->rows - 1);
  const i32 *chosen = code_choose_representatives(solver, reach->members, reach->m, 0);
  mark_inside(solver, reach->members, reach->m, 1);
  for (i32 q = 0; q < columns; q++) {
    if (!is_allowed(solver, q) || (chosen && chosen[solver->frame.class_of[q]] != q)) continue;
    const u8 *label = label_of(solver, q);
    u32 sizes[32];
    i32 bounds[32];
    const i32 bound = bound_cells(solver, label, reach->members, reach->m, cap, sizes, bounds);
    if (bound > reach->need) reach->list[reach->count++] = (Candidate){bound, (u16)q, 0};
  }
  mark_inside(solver, reach->members, reach->m, 0);
  SORT(reach->list, reach->count, in_order);
  solver->work += reach->m * (columns >> 4);
}

/* Pushes a set; 0 when out of memory. */
static Reach *push(Solver *solver, u16 *members, i32 m, i32 rows, i32 need) {
  size_t mark = solver->used;
  Reach *reach = allocate(solver, sizeof *reach);
  if (!reach) return 0;
  memset(reach, 0, sizeof *reach);
  *reach = (Reach){.m = m,
                   .rows = rows,
                   .best = need,
                   .need = need,
                   .members = members,
                   .most = heaviest(solver, members, m, capacity(solver, rows)),
                   .mark = mark,
                   .column = -1};
  reach->sorted = allocate(solver, sizeof(u16) * (size_t)m);
  reach->list = allocate(solver, sizeof(Candidate) * (size_t)solver->frame.columns);
  if (!reach->sorted || !reach->list) return 0;
  solver->nodes++;
  return solver->reaches[solver->reach_depth++] = reach;
}

/* Computes W of a set, or an upper bound that does not exceed the cutoff, by closed forms and the
 * table and returns 1. Else pushes the set and returns 0; -1 when out of memory. */
static i32 bound_or_push(Solver *solver, u16 *members, i32 m, i32 rows, i32 need, i32 *value) {
  *value = heaviest(solver, members, m, rows == 1 ? 1 : capacity(solver, rows));
  if (rows <= 1 || m <= 2 || rows >= m || *value <= need) return 1;
  if (rows == 2) {
    *value = most_answers(solver, members, m);
    return 1;
  }
  if (m <= solver->cells && code_perfect_member(&solver->frame, members, m) >= 0) return 1;
  u64 key = key_of(solver, members, m, rows);
  const TableEntry *entry = table_entry(solver, key);
  if (entry->key == key && ((entry->value & 1) || entry->value >> 1 <= need)) {
    *value = entry->value >> 1;
    return 1;
  }
  Reach *reach = push(solver, members, m, rows, need);
  if (!reach) return -1;
  reach->key = key;
  list_guesses(solver, reach);
  return 0;
}

/* Sorts the members by cell; lists the cells that must be searched, small ones first. */
static void expand_guess(Solver *solver, Reach *reach, const u8 *label) {
  const i32 cap = capacity(solver, reach->rows - 1);
  u32 sizes[32];
  reach->sum = bound_cells(solver, label, reach->members, reach->m, cap, sizes, reach->bound);
  sort_by_cell(solver, reach->members, reach->m, label, sizes, reach->from, reach->sorted);
  reach->open = reach->next_cell = 0;
  for (i32 c = 0; c < solver->win; c++) {
    if ((i32)sizes[c] <= (cap > 1 ? 2 : reach->m)) continue; /* the bound is exact */
    insert_by_size(reach->order, reach->open++, c, sizes);
  }
  reach->expanded = 1;
  solver->work += reach->m;
}

/* Sets the value of the current cell. */
static void set_cell_value(Reach *reach, i32 value) {
  i32 c = reach->order[reach->next_cell++];
  reach->sum += value - reach->bound[c];
  if (reach->sum <= reach->best) reach->expanded = 0;
}

/* Pops a set: stores its result in the table and passes it to its parent. */
static void pop(Solver *solver, const Reach *reach) {
  if (!reach->forced) {
    TableEntry *entry = table_entry(solver, reach->key);
    *entry = (TableEntry){reach->key, reach->best << 1 | reach->found, UNKNOWN, 0};
  }
  solver->value = reach->best;
  solver->used = reach->mark;
  solver->reach_depth--;
  if (solver->reach_depth > 0) set_cell_value(solver->reaches[solver->reach_depth - 1], solver->value);
}

EXPORT(i32, code_within_weights)(u8 *memory, const u16 *order, const i32 *weights, i32 n) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER) || !order || !weights || n != solver->frame.n) return BAD;
  solver->used = solver->frame_end;
  u16 *places = allocate(solver, sizeof *places * (size_t)n);
  i32 *weight = allocate(solver, sizeof *weight * (size_t)n);
  if (!places || !weight) return TOO_LARGE;
  memset(weight, 0, sizeof *weight * (size_t)n);
  i32 left = MOST_WEIGHTS;
  for (i32 i = 0; i < n; i++) {
    if (order[i] >= n || weight[order[i]]) return BAD;
    if (weights[i] < 1 || (i && weights[i] > weights[i - 1])) return BAD;
    if ((left -= weights[i]) < 0) return TOO_LARGE;
    places[i] = order[i];
    weight[order[i]] = weights[i];
  }
  solver->order = places;
  solver->weight = weight;
  solver->frame_end = solver->used;
  return OK;
}

static i32 is_ready(const Solver *solver, i32 rows, i32 need) {
  return seal_holds(solver, SOLVER) && solver->frame.n && rows >= 1 && rows <= UNLIMITED && need >= 0;
}

EXPORT(i32, code_within_begin)(u8 *memory, i32 rows, i32 need) {
  Solver *solver = (Solver *)memory;
  if (!is_ready(solver, rows, need)) return BAD;
  u16 *members = code_all_members(solver);
  if (!members) return TOO_LARGE;
  i32 status = bound_or_push(solver, members, solver->frame.n, rows, need, &solver->value);
  return status < 0 ? TOO_LARGE : OK;
}

EXPORT(i32, code_within_try)(u8 *memory, const Code *guess, i32 rows, i32 need) {
  Solver *solver = (Solver *)memory;
  if (!is_ready(solver, rows, need) || !guess) return BAD;
  if (!code_is_legal(&solver->rules, *guess, 1)) return BAD;
  u16 *members = code_all_members(solver);
  u8 *label = members ? code_label_secrets(solver, *guess) : 0;
  Reach *reach = label ? push(solver, members, solver->frame.n, rows, need) : 0;
  if (!reach) return TOO_LARGE;
  reach->forced = 1;
  expand_guess(solver, reach, label);
  if (reach->sum <= need) reach->expanded = 0;
  return OK;
}

EXPORT(i32, code_within_step)(u8 *memory, i32 budget) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER)) return BAD;
  solver->work = 0;
  while (solver->reach_depth > 0 && solver->work < budget) {
    Reach *reach = solver->reaches[solver->reach_depth - 1];
    solver->work += 4;
    if (!reach->expanded) {
      const i32 last = reach->best >= reach->most || reach->next == reach->count;
      if (last || reach->list[reach->next].key <= reach->best) {
        pop(solver, reach);
        continue;
      }
      reach->column = reach->list[reach->next++].column;
      expand_guess(solver, reach, label_of(solver, reach->column));
    } else if (reach->next_cell == reach->open) {
      reach->best = reach->sum;
      reach->found = 1;
      reach->expanded = 0;
    } else {
      i32 c = reach->order[reach->next_cell], size = reach->from[c + 1] - reach->from[c], value;
      i32 others = reach->sum - reach->bound[c];
      i32 status = bound_or_push(solver, reach->sorted + reach->from[c], size, reach->rows - 1,
                                 max32(0, reach->best - others), &value);
      if (status < 0) {
        solver->reach_depth = 0; /* the search cannot be continued */
        return TOO_LARGE;
      }
      if (status) set_cell_value(reach, value);
    }
  }
  return solver->reach_depth > 0;
}
