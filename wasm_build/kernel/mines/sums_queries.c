/* Queries over the tableau of simplex.c, each from the basis of the last: sets of clues, and the
 * backbone.
 *
 * Maximal satisfiable and minimal unsatisfiable sets of clues, thousands for one board in the
 * hitting-set search of explanations. Growing starts with all constraints: each Farkas certificate
 * names an unsatisfiable core, one member of which is removed until the rest is satisfiable. The
 * removed constraints are then tried again one by one; a stored core rules out most of them without
 * a query. Rejected: growing one by one, nearly three times as many queries. Shrinking:
 * deletion-based, one by one (Chinneck & Dravnieks 1991).
 *
 * Backbone: one query per cell with the value that no layout found so far gives it; every layout
 * serves all cells. CDCL takes exponential time where many long clues (rows, columns, colours) have
 * to be added up. Cost: at most one query per cell; a cell whose query takes more than CELL_BUDGET
 * stays undecided. */
#include "tableau.h"

enum { STOP = 2 }; /* `again`: return the result so far */
enum { SEEN_SAFE = 1, SEEN_MINE = 2, FORCED = 4, UNDECIDED = 8 };
enum { CELL_BUDGET = 60000000 };

static i32 clue_size(const Tableau *s, i32 q) { return s->first_cell[q + 1] - s->first_cell[q]; }

static i32 variable_of(const Tableau *s, i32 n) {
  i32 q = s->subject[n];
  return q < 0 ? -1 - q : s->cells + q;
}

static i32 contains(const u8 *set, i32 n) { return set[n >> 3] >> (n & 7) & 1; }

/* Whether a constraint is satisfiable alone. */
static i32 satisfiable_alone(const Tableau *s, i32 n) {
  i32 q = s->subject[n], c = -1 - q;
  if (q >= 0) return s->required[n] >= 0 && s->required[n] <= clue_size(s, q);
  return s->required[n] == 1 && (c != s->query_cell || s->high[c] == 1);
}

static i32 layout_satisfies(const Tableau *s, i32 n) {
  i32 q = s->subject[n], sum = 0;
  if (q < 0) return s->layout[-1 - q] == s->required[n];
  for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) sum += s->layout[s->cells_of[k]];
  return sum == s->required[n];
}

/* Add a constraint to the query's set, or remove it. */
static void set_active(Tableau *s, i32 n, i32 on) {
  i32 q = s->subject[n], required = s->required[n];
  s->active[n] = (i8)on;
  if (!satisfiable_alone(s, n)) s->impossible += on ? 1 : -1;
  else if (q >= 0) tableau_set_bounds(s, s->cells + q, on ? required : 0, on ? required : clue_size(s, q));
  else if (-1 - q != s->query_cell) tableau_set_bounds(s, -1 - q, on, 1);
  s->status = s->impossible ? INFEASIBLE : RUNNING;
  s->branched = s->proved = 0;
}

/* Undo branching: restore the bounds of its cells. */
static void undo_branching(Tableau *s) {
  while (s->depth) tableau_set_bounds(s, s->branch_cell[--s->depth], 0, 1);
}

typedef struct Query { /* see mines_sums_most */
  i32 cell, value, clue, low, high, again, budget;
  const u8 *chosen, *among;
} Query;

/* Set the bounds of a query. BAD if its cell is not open or its clue does not exist. */
static i32 begin_query(Tableau *s, const Query *q) {
  if (q->cell < -1 || q->cell >= s->board_cells || q->value < 0 || q->value > 1) return BAD;
  s->query_cell = q->cell < 0 ? -1 : s->local_of[q->cell];
  if ((q->cell >= 0 && s->query_cell < 0) || q->clue < -1 || q->clue >= s->constraints) return BAD;
  for (i32 c = 0; c < s->cells; c++) {
    s->low[c] = c == s->query_cell ? q->value : 0;
    s->high[c] = c == s->query_cell ? q->value : 1;
  }
  for (i32 k = 0; k < s->clues; k++) {
    s->low[s->cells + k] = 0;
    s->high[s->cells + k] = clue_size(s, k);
  }
  s->depth = s->branched = s->proved = s->impossible = 0;
  for (i32 n = 0; n < s->constraints; n++) {
    i32 v = variable_of(s, n);
    s->active[n] = (i8)contains(q->chosen, n);
    if (!s->active[n]) continue;
    if (!satisfiable_alone(s, n)) s->impossible++;
    else s->low[v] = s->high[v] = s->required[n];
  }
  if (q->clue >= 0) {
    i32 v = variable_of(s, q->clue);
    s->low[v] = max32(q->low, (i32)s->low[v]);
    s->high[v] = min32(q->high, (i32)s->high[v]);
    s->impossible += s->low[v] > s->high[v];
  }
  tableau_settle(s);
  s->status = s->impossible ? INFEASIBLE : RUNNING;
  s->candidate = AS_GIVEN;
  s->backbone_cell = IDLE;
  if (s->core_cell != s->query_cell || s->core_value != q->value) s->core_count = 0;
  s->core_cell = s->query_cell;
  s->core_value = q->value;
  return OK;
}

/* Set the costs so that the stored layout is optimal and the next query starts there: a quarter
 * fewer pivots. */
static void prefer_layout(Tableau *s) {
  double *cost = row_of(s, s->clues);
  for (i32 c = 0; c < s->cells; c++) s->cost[c] = s->layout[c] ? -random_cost(c) : random_cost(c);
  for (i32 j = 0; j < s->cells; j++) cost[j] = s->nonbasic[j] < s->cells ? s->cost[s->nonbasic[j]] : 0;
  for (i32 i = 0; i < s->clues; i++)
    if (s->basic[i] < s->cells) add_row(cost, row_of(s, i), s->cost[s->basic[i]], s->cells);
  tableau_settle(s);
}

/* Store the layout found and activate the constraints that it satisfies. */
static void accept_layout(Tableau *s, const u8 *among) {
  memcpy(s->layout, s->model, sizeof(i8) * (size_t)s->cells);
  prefer_layout(s);
  for (i32 n = 0; n < s->constraints; n++)
    if (contains(among, n) && !s->active[n] && layout_satisfies(s, n)) set_active(s, n, 1);
}

static void write_layout(const Tableau *s, u8 *satisfied, u8 *mines) {
  memset(satisfied, 0, (size_t)set_size(s));
  memset(mines, 0, (size_t)(s->board_cells + 7) / 8);
  for (i32 n = 0; n < s->constraints; n++) put_bit(satisfied, n, layout_satisfies(s, n));
  for (i32 c = 0; c < s->board_cells; c++)
    if (s->local_of[c] >= 0) put_bit(mines, c, s->layout[s->local_of[c]]);
}

static i32 read_query(Tableau *s, const u8 *bytes, Query *q) {
  if (!seal_holds(s, SUMMING)) return BAD;
  memcpy(q, bytes, 7 * sizeof(i32));
  q->chosen = bytes + 7 * sizeof(i32);
  q->among = q->chosen + set_size(s);
  if (q->budget < 1 || (q->again && s->candidate == IDLE)) return BAD;
  return q->again ? OK : begin_query(s, q);
}

static i32 end_query(Tableau *s, i32 status) {
  s->candidate = IDLE;
  return status;
}

/* Mark the constraints with a nonzero weight in the last certificate; all without one. */
static void mark_core(Tableau *s) {
  for (i32 n = 0; n < s->constraints; n++) {
    i32 q = s->subject[n];
    s->in_core[n] = !s->proved || (q < 0 ? size_of(s->scratch[-1 - q]) > ROUNDING : s->proof[q] != 0);
  }
}

static u8 *stored_core(const Tableau *s, i32 i) { return s->core + i % MAX_CORES * set_size(s); }

/* Store the core of the last certificate for this cell and value. */
static void store_core(Tableau *s) {
  mark_core(s);
  if (!s->proved) return;
  u8 *core = stored_core(s, s->core_count++);
  memset(core, 0, (size_t)set_size(s));
  for (i32 n = 0; n < s->constraints; n++) put_bit(core, n, s->active[n] && s->in_core[n]);
}

/* Whether a core is a subset of the query's set and `extra`. */
static i32 applies(const Tableau *s, const u8 *core, i32 extra) {
  for (i32 n = 0; n < s->constraints; n++)
    if (contains(core, n) && !s->active[n] && n != extra) return 0;
  return 1;
}

/* A stored core that applies, or NULL. */
static const u8 *find_core(const Tableau *s, i32 extra) {
  for (i32 i = 0; i < min32(s->core_count, MAX_CORES); i++)
    if (applies(s, stored_core(s, i), extra)) return stored_core(s, i);
  return NULL;
}

/* The last removable constraint of a core, NULL: of the last certificate; -1 if there is none. */
static i32 pick_member(const Tableau *s, const u8 *core, const u8 *chosen) {
  i32 last = -1;
  for (i32 n = 0; n < s->constraints; n++)
    if (s->active[n] && !contains(chosen, n) && (core ? contains(core, n) : s->in_core[n])) last = n;
  return last;
}

/* Remove a member of every stored core that the set contains. */
static void break_stored_cores(Tableau *s, const u8 *chosen) {
  for (const u8 *core; (core = find_core(s, -1));) {
    i32 removed = pick_member(s, core, chosen);
    if (removed < 0) return;
    set_active(s, removed, 0);
  }
}

/* Activate the constraints `among` that the stored layout satisfies, or all of them. */
static void activate_others(Tableau *s, const u8 *chosen, const u8 *among, i32 all) {
  for (i32 n = 0; n < s->constraints; n++) {
    if (!contains(among, n) || contains(chosen, n) || !satisfiable_alone(s, n)) continue;
    i32 on = all || layout_satisfies(s, n);
    if (on != s->active[n]) set_active(s, n, on);
  }
}

/* Add all constraints, then remove a member of each core until the set is satisfiable. */
static void remove_step(Tableau *s, const u8 *chosen, const u8 *among, i32 status) {
  i32 removed = -1;
  if (s->candidate == AS_GIVEN) activate_others(s, chosen, among, 1);
  else if (status == INFEASIBLE) removed = pick_member(s, NULL, chosen);
  if (removed >= 0) set_active(s, removed, 0);
  s->candidate = ALL_ADDED;
  if (status != ROUNDING_ERRORS && (status != INFEASIBLE || removed >= 0)) {
    break_stored_cores(s, chosen);
    return;
  }
  activate_others(s, chosen, among, 0);
  s->candidate = AS_GIVEN;
}

/* Try the next removed constraint again; 0 when all have been tried. */
static i32 add_step(Tableau *s, const u8 *among, i32 status) {
  if (s->candidate >= 0 && status != FEASIBLE) set_active(s, s->candidate, 0);
  for (i32 n = max32(s->candidate, AS_GIVEN) + 1; n < s->constraints; n++) {
    if (!contains(among, n) || s->active[n] || !satisfiable_alone(s, n)) continue;
    if (find_core(s, n)) continue;
    set_active(s, n, 1);
    s->candidate = n;
    return 1;
  }
  return 0;
}

EXPORT(i32, mines_sums_most)(u8 *work, const u8 *question, u8 *layout) {
  Tableau *s = (Tableau *)work;
  Query q;
  if (read_query(s, question, &q) != OK) return BAD;
  for (;;) {
    i32 status = q.again == STOP ? ROUNDING_ERRORS : tableau_solve(s, &q.budget);
    if (status == RUNNING) return RUNNING;
    if (s->candidate == AS_GIVEN && status != FEASIBLE) return end_query(s, status);
    if (q.again == STOP) break;
    if (status == INFEASIBLE) store_core(s);
    undo_branching(s);
    if (status == FEASIBLE) accept_layout(s, q.among);
    if (s->candidate == AS_GIVEN || (s->candidate == ALL_ADDED && status != FEASIBLE)) {
      remove_step(s, q.chosen, q.among, status);
      if (s->candidate == ALL_ADDED) continue;
    }
    if (!add_step(s, q.among, status)) break;
  }
  write_layout(s, layout, layout + set_size(s));
  return end_query(s, FEASIBLE);
}

EXPORT(i32, mines_sums_least)(u8 *work, const u8 *question, u8 *kept) {
  Tableau *s = (Tableau *)work;
  Query q;
  if (read_query(s, question, &q) != OK) return BAD;
  for (;;) {
    i32 status = q.again == STOP ? ROUNDING_ERRORS : tableau_solve(s, &q.budget);
    if (status == RUNNING) return RUNNING;
    if (s->candidate == AS_GIVEN && status != INFEASIBLE) return end_query(s, status);
    if (status == INFEASIBLE) mark_core(s);
    undo_branching(s);
    if (status != INFEASIBLE) set_active(s, s->candidate, 1);
    if (q.again == STOP) break;
    for (s->candidate++; s->candidate < s->constraints; s->candidate++) {
      if (!contains(q.among, s->candidate) || !s->active[s->candidate]) continue;
      set_active(s, s->candidate, 0);
      if (s->in_core[s->candidate]) break;
    }
    if (s->candidate == s->constraints) break;
  }
  memset(kept, 0, (size_t)set_size(s));
  for (i32 n = 0; n < s->constraints; n++) put_bit(kept, n, s->active[n]);
  return end_query(s, INFEASIBLE);
}

/* ---------------------------------------------------------------- the backbone */

/* Record the values of the last query's layout. */
static void record_layout(Tableau *s) {
  for (i32 c = 0; c < s->cells; c++) s->seen[c] |= s->model[c] ? SEEN_MINE : SEEN_SAFE;
}

/* Record the verdict on the cell of the last query. A forced cell stays fixed. */
static void record_verdict(Tableau *s) {
  const i32 c = s->backbone_cell;
  const double forced = s->seen[c] == SEEN_MINE;
  undo_branching(s);
  if (s->status == FEASIBLE) record_layout(s);
  if (s->status == INFEASIBLE) {
    s->seen[c] |= FORCED;
    tableau_set_bounds(s, c, forced, forced);
    return;
  }
  if (s->status != FEASIBLE) s->seen[c] |= UNDECIDED;
  tableau_set_bounds(s, c, 0, 1);
}

/* Start the query of the next cell that has one value in all layouts found; 0 at the end. */
static i32 next_cell(Tableau *s) {
  while (++s->backbone_cell < s->cells) {
    const i32 c = s->backbone_cell, seen = s->seen[c];
    if (s->low[c] == s->high[c] || (seen != SEEN_SAFE && seen != SEEN_MINE)) continue;
    const double other = seen == SEEN_SAFE;
    tableau_set_bounds(s, c, other, other);
    s->branched = s->proved = 0;
    s->status = RUNNING;
    s->spent = 0;
    return 1;
  }
  return 0;
}

static i8 verdict_of(const Tableau *s, i32 c) {
  const i32 seen = s->seen[c];
  if (seen & UNDECIDED) return -3;
  return seen == (SEEN_SAFE | SEEN_MINE) ? -1 : (i8)(seen & SEEN_MINE ? 1 : 0);
}

EXPORT(i32, mines_sums_backbone)(u8 *work, i8 *values, i32 budget) {
  Tableau *s = (Tableau *)work;
  if (!seal_holds(s, SUMMING) || budget <= 0) return BAD;
  if (s->backbone_cell == IDLE) {
    if (s->candidate != IDLE || s->status != ROUNDING_ERRORS) return BAD;
    /* the set of mines_sums_begin */
    begin_query(s, &(Query){.cell = -1, .clue = -1, .chosen = s->core});
    s->candidate = IDLE;
    memset(s->seen, 0, (size_t)s->cells + 1);
    s->backbone_cell = -1;
  }
  for (;;) {
    const i32 before = budget;
    i32 status = tableau_solve(s, &budget);
    s->spent += before - budget;
    if (status == RUNNING && (s->backbone_cell < 0 || s->spent < CELL_BUDGET)) return RUNNING;
    if (s->backbone_cell >= 0) {
      record_verdict(s);
    } else {
      undo_branching(s);
      if (status != FEASIBLE) return status;
      record_layout(s);
    }
    if (!next_cell(s)) break;
  }
  for (i32 c = 0; c < s->board_cells; c++)
    values[c] = s->local_of[c] < 0 ? -2 : verdict_of(s, s->local_of[c]);
  return 1;
}
