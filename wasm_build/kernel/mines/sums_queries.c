/* Queries over the tableau of simplex.c: sets of clues, and the backbone. Each goes on from the
 * basis of the one before.
 *
 * Maximal satisfiable and minimal unsatisfiable sets of clues, thousands about one board for the
 * hitting-set search of explanations. Growing starts with all clues: each refutation is a weighted
 * sum of some, one of these is dropped until the rest fits; dropped clues then come back one by one,
 * most of them ruled out by a stored refutation without a query. Rejected: growing clue by clue,
 * nearly three times as many queries. Shrinking: deletion-based, clue by clue (Chinneck & Dravnieks
 * 1991).
 *
 * Backbone: one query per cell with the value that no layout found so far gives it; every layout
 * answers for many cells. CDCL takes exponential time where many long clues (rows, columns, colours)
 * have to be added up. Cost: at most one query per cell; a cell whose query takes more than
 * CELL_BUDGET stays undecided. */
#include "tableau.h"

enum { STOP = 2 };   /* as `again`: return the result so far */
enum { FOUND_SAFE = 1, FOUND_MINE = 2, FORCED = 4, UNDECIDED = 8 };
enum { CELL_BUDGET = 60000000 };

static i32 clue_size(const Sums *s, i32 q) { return s->first_cell[q + 1] - s->first_cell[q]; }

static i32 variable_of(const Sums *s, i32 name) {
  i32 q = s->who[name];
  return q < 0 ? -1 - q : s->cells + q;
}

static i32 within(const u8 *set, i32 name) { return set[name >> 3] >> (name & 7) & 1; }

/* Whether a clue is satisfiable alone. */
static i32 possible(const Sums *s, i32 name) {
  i32 q = s->who[name], c = -1 - q;
  if (q >= 0) return s->want[name] >= 0 && s->want[name] <= clue_size(s, q);
  return s->want[name] == 1 && (c != s->asked || s->high[c] == 1);
}

static i32 agrees(const Sums *s, i32 name) {
  i32 q = s->who[name], sum = 0;
  if (q < 0) return s->best[-1 - q] == s->want[name];
  for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++) sum += s->best[s->cells_of[k]];
  return sum == s->want[name];
}

/* Add a clue to the set of the query, or remove it. */
static void demand(Sums *s, i32 name, i32 on) {
  i32 q = s->who[name], want = s->want[name];
  s->in[name] = (i8)on;
  if (!possible(s, name)) s->impossible += on ? 1 : -1;
  else if (q >= 0) sums_bound(s, s->cells + q, on ? want : 0, on ? want : clue_size(s, q));
  else if (-1 - q != s->asked) sums_bound(s, -1 - q, on, 1);
  s->ended = s->impossible ? 0 : 2;
  s->branched = s->proved = 0;
}

/* Undo branching: restore the bounds of its cells. */
static void end_query(Sums *s) {
  while (s->depth) sums_bound(s, s->split[--s->depth], 0, 1);
}

typedef struct Question { /* as mines_sums_most has it */
  i32 cell, value, other, low, high, again, budget;
  const u8 *chosen, *among;
} Question;

/* Set the bounds of a query. BAD if its cell is not open or its clue does not exist. */
static i32 choose(Sums *s, const Question *q) {
  if (q->cell < -1 || q->cell >= s->board_cells || q->value < 0 || q->value > 1) return BAD;
  s->asked = q->cell < 0 ? -1 : s->local_of[q->cell];
  if ((q->cell >= 0 && s->asked < 0) || q->other < -1 || q->other >= s->names) return BAD;
  for (i32 c = 0; c < s->cells; c++) {
    s->low[c] = c == s->asked ? q->value : 0;
    s->high[c] = c == s->asked ? q->value : 1;
  }
  for (i32 k = 0; k < s->clues; k++) {
    s->low[s->cells + k] = 0;
    s->high[s->cells + k] = clue_size(s, k);
  }
  s->depth = s->branched = s->proved = s->impossible = 0;
  for (i32 n = 0; n < s->names; n++) {
    i32 v = variable_of(s, n);
    s->in[n] = (i8)within(q->chosen, n);
    if (!s->in[n]) continue;
    if (!possible(s, n)) s->impossible++;
    else s->low[v] = s->high[v] = s->want[n];
  }
  if (q->other >= 0) {
    i32 v = variable_of(s, q->other);
    s->low[v] = max32(q->low, (i32)s->low[v]);
    s->high[v] = min32(q->high, (i32)s->high[v]);
    s->impossible += s->low[v] > s->high[v];
  }
  sums_settle(s);
  s->ended = s->impossible ? 0 : 2;
  s->at = AT_FIRST;
  s->cursor = NOT_ASKED;
  if (s->of != s->asked || s->with != q->value) s->cores = 0;
  s->of = s->asked;
  s->with = q->value;
  return OK;
}

/* Make the stored layout the optimum of the costs, so that the next query starts there: a quarter
 * fewer pivots. */
static void stay_near(Sums *s) {
  double *cost = row_of(s, s->clues);
  for (i32 c = 0; c < s->cells; c++)
    s->cost[c] = s->best[c] ? -random_cost(c) : random_cost(c);
  for (i32 j = 0; j < s->cells; j++) cost[j] = s->other[j] < s->cells ? s->cost[s->other[j]] : 0;
  for (i32 i = 0; i < s->clues; i++)
    if (s->basic[i] < s->cells) add_row(cost, row_of(s, i), s->cost[s->basic[i]], s->cells);
  sums_settle(s);
}

/* Store the layout found and add the clues that it satisfies. */
static void accept(Sums *s, const u8 *among) {
  memcpy(s->best, s->model, sizeof(i8) * (size_t)s->cells);
  stay_near(s);
  for (i32 n = 0; n < s->names; n++)
    if (within(among, n) && !s->in[n] && agrees(s, n)) demand(s, n, 1);
}

static void write_layout(const Sums *s, u8 *held, u8 *mines) {
  memset(held, 0, (size_t)set_size(s));
  memset(mines, 0, (size_t)(s->board_cells + 7) / 8);
  for (i32 n = 0; n < s->names; n++) held[n >> 3] |= (u8)(agrees(s, n) << (n & 7));
  for (i32 c = 0; c < s->board_cells; c++)
    if (s->local_of[c] >= 0) mines[c >> 3] |= (u8)(s->best[s->local_of[c]] << (c & 7));
}

static i32 read_question(Sums *s, const u8 *bytes, Question *q) {
  if (!seal_holds(s, SUMMING)) return BAD;
  memcpy(q, bytes, 7 * sizeof(i32));
  q->chosen = bytes + 7 * sizeof(i32);
  q->among = q->chosen + set_size(s);
  if (q->budget < 1 || (q->again && s->at == NOT_ASKED)) return BAD;
  return q->again ? OK : choose(s, q);
}

static i32 answered(Sums *s, i32 status) {
  s->at = NOT_ASKED;
  return status;
}

/* Mark the clues with a nonzero weight in the last certificate. */
static void note_used(Sums *s) {
  for (i32 n = 0; n < s->names; n++) {
    i32 q = s->who[n];
    s->used[n] = !s->proved || (q < 0 ? size_of(s->spare[-1 - q]) > SUMS_TINY : s->proof[q] != 0);
  }
}

/* Store the clues of the last certificate as an unsatisfiable core for this cell and value. */
static void learn(Sums *s) {
  i32 bytes = set_size(s);
  note_used(s);
  if (!s->proved) return;
  u8 *mus = s->mus + s->cores++ % SUMS_MUSES * bytes;
  memset(mus, 0, (size_t)bytes);
  for (i32 n = 0; n < s->names; n++) mus[n >> 3] |= (u8)((s->in[n] && s->used[n]) << (n & 7));
}

/* Whether a core is a subset of the query's set and `other`. */
static i32 broken(const Sums *s, const u8 *mus, i32 other) {
  for (i32 n = 0; n < s->names; n++)
    if (within(mus, n) && !s->in[n] && n != other) return 0;
  return 1;
}

static i32 known_not_to_fit(const Sums *s, i32 other) {
  for (i32 i = 0; i < min32(s->cores, SUMS_MUSES); i++)
    if (broken(s, s->mus + i * set_size(s), other)) return 1 + i;
  return 0;
}

/* The last removable clue that the certificate uses; -1 if there is none. */
static i32 victim(const Sums *s, const u8 *mus, const u8 *chosen) {
  i32 found = -1;
  for (i32 n = 0; n < s->names; n++)
    if (s->in[n] && !within(chosen, n) && (mus ? within(mus, n) : s->used[n])) found = n;
  return found;
}

/* Remove one clue from every stored core that the set contains. */
static void thin(Sums *s, const u8 *chosen) {
  i32 found;
  while ((found = known_not_to_fit(s, -1)) != 0) {
    i32 gone = victim(s, s->mus + (found - 1) * set_size(s), chosen);
    if (gone < 0) return;
    demand(s, gone, 0);
  }
}

/* Add to the chosen clues those `among` that the stored layout satisfies (or all of them). */
static void demand_others(Sums *s, const u8 *chosen, const u8 *among, i32 all) {
  for (i32 n = 0; n < s->names; n++) {
    if (!within(among, n) || within(chosen, n) || !possible(s, n)) continue;
    i32 on = all || agrees(s, n);
    if (on != s->in[n]) demand(s, n, on);
  }
}

/* Descend from all clues: remove one clue of each certificate until the set is satisfiable. */
static void go_down(Sums *s, const u8 *chosen, const u8 *among, i32 found) {
  i32 gone = -1;
  if (s->at == AT_FIRST) demand_others(s, chosen, among, 1);
  else if (!found) gone = victim(s, 0, chosen);
  if (gone >= 0) demand(s, gone, 0);
  s->at = AT_ALL;
  if (found != 3 && (found || gone >= 0)) {
    thin(s, chosen);
    return;
  }
  demand_others(s, chosen, among, 0);
  s->at = AT_FIRST;
}

/* Ascend: try the removed clues again one by one. 0 when all have been tried. */
static i32 go_up(Sums *s, const u8 *among, i32 found) {
  if (s->at >= 0 && found != 1) demand(s, s->at, 0);
  for (s->at = max32(s->at, AT_FIRST) + 1; s->at < s->names; s->at++) {
    if (!within(among, s->at) || s->in[s->at] || !possible(s, s->at)) continue;
    if (known_not_to_fit(s, s->at)) continue;
    demand(s, s->at, 1);
    return 1;
  }
  return 0;
}

EXPORT(i32, mines_sums_most)(u8 *work, const u8 *question, u8 *layout) {
  Sums *s = (Sums *)work;
  Question q;
  if (read_question(s, question, &q) != OK) return BAD;
  for (;;) {
    i32 found = q.again == STOP ? 3 : sums_run(s, &q.budget);
    if (found == 2) return 2;
    if (s->at == AT_FIRST && found != 1) return answered(s, found);
    if (q.again == STOP) break;
    if (!found) learn(s);
    end_query(s);
    if (found == 1) accept(s, q.among);
    if (s->at == AT_FIRST || (s->at == AT_ALL && found != 1)) {
      go_down(s, q.chosen, q.among, found);
      if (s->at == AT_ALL) continue;
    }
    if (!go_up(s, q.among, found)) break;
  }
  write_layout(s, layout, layout + set_size(s));
  return answered(s, 1);
}

EXPORT(i32, mines_sums_least)(u8 *work, const u8 *question, u8 *kept) {
  Sums *s = (Sums *)work;
  Question q;
  if (read_question(s, question, &q) != OK) return BAD;
  for (;;) {
    i32 found = q.again == STOP ? 3 : sums_run(s, &q.budget);
    if (found == 2) return 2;
    if (s->at == AT_FIRST && found) return answered(s, found);
    if (!found) note_used(s);
    end_query(s);
    if (found) demand(s, s->at, 1);
    if (q.again == STOP) break;
    for (s->at++; s->at < s->names; s->at++) {
      if (!within(q.among, s->at) || !s->in[s->at]) continue;
      demand(s, s->at, 0);
      if (s->used[s->at]) break;
    }
    if (s->at == s->names) break;
  }
  memset(kept, 0, (size_t)set_size(s));
  for (i32 n = 0; n < s->names; n++) kept[n >> 3] |= (u8)((s->in[n] != 0) << (n & 7));
  return answered(s, 0);
}

/* ---------------------------------------------------------------- the backbone */

/* Record the values of the last query's layout. */
static void note_layout(Sums *s) {
  for (i32 c = 0; c < s->cells; c++) s->seen[c] |= s->model[c] ? FOUND_MINE : FOUND_SAFE;
}

/* Record the verdict on the cell at the cursor. A forced cell stays fixed. */
static void enter_answer(Sums *s) {
  const i32 c = s->cursor;
  const double forced = s->seen[c] == FOUND_MINE;
  end_query(s);
  if (s->ended == 1) note_layout(s);
  if (s->ended == 0) {
    s->seen[c] |= FORCED;
    sums_bound(s, c, forced, forced);
    return;
  }
  if (s->ended != 1) s->seen[c] |= UNDECIDED;
  sums_bound(s, c, 0, 1);
}

/* Start the query of the next cell that has one value in all layouts found; 0 at the end. */
static i32 ask_next(Sums *s) {
  while (++s->cursor < s->cells) {
    const i32 c = s->cursor, seen = s->seen[c];
    if (s->low[c] == s->high[c] || (seen != FOUND_SAFE && seen != FOUND_MINE)) continue;
    const double other = seen == FOUND_SAFE;
    sums_bound(s, c, other, other);
    s->branched = s->proved = 0;
    s->ended = 2;
    s->spent = 0;
    return 1;
  }
  return 0;
}

static i8 verdict_of(const Sums *s, i32 c) {
  const i32 seen = s->seen[c];
  if (seen & UNDECIDED) return -3;
  return seen == (FOUND_SAFE | FOUND_MINE) ? -1 : (i8)(seen & FOUND_MINE ? 1 : 0);
}

EXPORT(i32, mines_sums_backbone)(u8 *work, i8 *values, i32 budget) {
  Sums *s = (Sums *)work;
  if (!seal_holds(s, SUMMING) || budget <= 0) return BAD;
  if (s->cursor == NOT_ASKED) {
    if (s->at != NOT_ASKED || s->ended != 3) return BAD;
    choose(s, &(Question){.cell = -1, .other = -1, .chosen = s->mus}); /* the active ones */
    s->at = NOT_ASKED;
    memset(s->seen, 0, (size_t)s->cells + 1);
    s->cursor = -1;
  }
  for (;;) {
    const i32 before = budget;
    i32 found = sums_run(s, &budget);
    s->spent += before - budget;
    if (found == 2 && (s->cursor < 0 || s->spent < CELL_BUDGET)) return 2;
    if (s->cursor >= 0) {
      enter_answer(s);
    } else {
      end_query(s);
      if (found != 1) return found; /* nothing fits, or rounding errors */
      note_layout(s);
    }
    if (!ask_next(s)) break;
  }
  for (i32 c = 0; c < s->board_cells; c++)
    values[c] = s->local_of[c] < 0 ? -2 : verdict_of(s, s->local_of[c]);
  return 1;
}
