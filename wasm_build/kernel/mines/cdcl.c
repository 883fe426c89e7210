/* Is there a layout, and which cells are equal in all: CDCL over exact-count constraints.
 *
 * Constraint: exactly `need` mines among a clue's cells; it propagates when its mines or its safe
 * cells are used up. Conflict analysis to the first unique implication point (Marques-Silva &
 * Sakallah 1999); the reason of a count is the set of cells that filled it. Learned clauses use two
 * watched literals (Moskewicz et al. 2001). Decisions: highest activity, bumped on conflicts and
 * decayed by 1.05 (VSIDS); phase saving; restarts by Luby's sequence times 64 conflicts. When 20000
 * clauses or 400000 literals are nearly used up, the longer half is deleted.
 * Backbone: candidates are the values that all models so far share; each is tested by one query.
 * Complete; budgets count conflicts, and a query that exceeds its budget returns "undecided".
 *
 *   literal = 2 cell + value     reason: < clues a clue, else clues + clause; -1 decision
 *   trail   | level 0 | level 1 ... |   depth_start[d] = first entry of level d
 *   watch_head[literal] -> 2 clause + side -> watch_next[...]
 *
 * Before: subset subtraction (problem.c); sums take a search exponential time (see simplex.c).
 * Rejected: the same without learning: equal on human-solvable boards, unbounded on others.
 * One file: assigning, propagating and learning are one loop over one structure. */
#include "mines.h"

enum { NO_REASON = -1, MAX_LEARNTS = 20000, LITERALS = 400000, UNIT_OF_LUBY = 64 };
/* A query without conflicts costs cells^2 / QUERY of one, for the decisions. */
enum { QUERY = 20000 };

typedef struct Search {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 cells, clues, dead;
  i32 *first_cell, *first_clue;    /* starts of the lists below, by clue and by cell */
  i16 *cells_of, *clues_of;
  i32 *mines, *safe;               /* per clue, as assigned */
  i8 *value, *phase, *model, *candidate;
  u8 *seen;
  i32 *level, *place, *reason;     /* per cell: when, where on the trail, clue or clues + clause */
  double *activity, activity_increment;
  i16 *trail;
  i32 trail_size, head, depth;
  i32 *depth_start;
  i32 learnts, literals;           /* clauses kept, literals used */
  i32 *learnt_start, *learnt_size;
  i16 *literal;
  i32 *watch_head, *watch_next;    /* per literal; per clause and side: 2 * clause + side */
  i16 *learnt;                      /* the clause being made */
  i32 restarts, since_restart;
  i32 started, cursor;             /* the backbone's */
} Search;

/* ---------------------------------------------------------------- assigning */

static void assign(Search *s, i32 cell, i32 value, i32 reason) {
  s->value[cell] = (i8)value;
  s->level[cell] = s->depth;
  s->place[cell] = s->trail_size;
  s->reason[cell] = reason;
  s->trail[s->trail_size++] = (i16)cell;
  i32 *count = value ? s->mines : s->safe;
  for (i32 i = s->first_clue[cell]; i < s->first_clue[cell + 1]; i++) count[s->clues_of[i]]++;
}

static void backjump(Search *s, i32 depth) {
  if (s->depth <= depth) return;
  i32 keep = s->depth_start[depth + 1];
  while (s->trail_size > keep) {
    i32 cell = s->trail[--s->trail_size], value = s->value[cell];
    i32 *count = value ? s->mines : s->safe;
    for (i32 i = s->first_clue[cell]; i < s->first_clue[cell + 1]; i++) count[s->clues_of[i]]--;
    s->phase[cell] = (i8)value;
    s->value[cell] = -1;
  }
  s->head = keep;
  s->depth = depth;
}

static void decide(Search *s, i32 cell, i32 value) {
  s->depth_start[++s->depth] = s->trail_size;
  assign(s, cell, value, NO_REASON);
}

static i32 holds(const Search *s, i32 literal) { return s->value[literal >> 1] == (literal & 1); }
static i32 fails(const Search *s, i32 literal) { return s->value[literal >> 1] == !(literal & 1); }

/* ---------------------------------------------------------------- propagating */

/* The conflicting reason, or NO_REASON. */
static i32 propagate_clues(Search *s, i32 cell) {
  for (i32 i = s->first_clue[cell]; i < s->first_clue[cell + 1]; i++) {
    i32 q = s->clues_of[i], need = s->problem.need[q], size = s->problem.size[q];
    if (s->mines[q] > need || s->safe[q] > size - need) return q;
    if (s->mines[q] + s->safe[q] == size) continue;
    i32 others;
    if (s->mines[q] == need) others = 0;
    else if (s->safe[q] == size - need) others = 1;
    else continue;
    for (i32 k = s->first_cell[q]; k < s->first_cell[q + 1]; k++)
      if (s->value[s->cells_of[k]] < 0) assign(s, s->cells_of[k], others, q);
  }
  return NO_REASON;
}

static void swap(i16 *a, i16 *b) {
  const i16 held = *a;
  *a = *b;
  *b = held;
}

static void watch(Search *s, i32 clause, i32 side) {
  i32 literal = s->literal[s->learnt_start[clause] + side], name = 2 * clause + side;
  s->watch_next[name] = s->watch_head[literal];
  s->watch_head[literal] = name;
}

/* Visit the clauses that watch a literal that has become false. */
static i32 propagate_clauses(Search *s, i32 failed) {
  i32 *link = s->watch_head + failed;
  while (*link >= 0) {
    i32 name = *link, clause = name >> 1, side = name & 1;
    i16 *literal = s->literal + s->learnt_start[clause];
    i32 other = literal[!side];
    if (!holds(s, other)) {
      i32 k = 2;
      while (k < s->learnt_size[clause] && fails(s, literal[k])) k++;
      if (k < s->learnt_size[clause]) {
        swap(literal + side, literal + k);
        *link = s->watch_next[name];
        watch(s, clause, side);
        continue;
      }
      if (fails(s, other)) return s->clues + clause;
      assign(s, other >> 1, other & 1, s->clues + clause);
    }
    link = s->watch_next + name;
  }
  return NO_REASON;
}

static i32 propagate(Search *s) {
  while (s->head < s->trail_size) {
    i32 cell = s->trail[s->head++];
    i32 conflict = propagate_clues(s, cell);
    if (conflict == NO_REASON) conflict = propagate_clauses(s, 2 * cell + !s->value[cell]);
    if (conflict != NO_REASON) return conflict;
  }
  return NO_REASON;
}

/* ---------------------------------------------------------------- learning */

static void bump_activity(Search *s, i32 cell) {
  s->activity[cell] += s->activity_increment;
  if (s->activity[cell] < 1e100) return;
  for (i32 c = 0; c < s->cells; c++) s->activity[c] *= 1e-100;
  s->activity_increment *= 1e-100;
}

/* Add a cell to the analysis; returns 1 if it was assigned at the current depth. */
static i32 mark_literal(Search *s, i32 cell, i32 *size) {
  if (s->seen[cell] || s->level[cell] == 0) return 0;
  s->seen[cell] = 1;
  bump_activity(s, cell);
  if (s->level[cell] == s->depth) return 1;
  s->learnt[(*size)++] = (i16)(2 * cell + !s->value[cell]);
  return 0;
}

/* Add the cells that made a reason propagate before place `before`: for a clue all of the value
 * that filled it, for a clause its other literals. Returns the number from the current depth. */
static i32 resolve_reason(Search *s, i32 reason, i32 result, i32 before, i32 *size) {
  i32 here = 0;
  if (reason >= s->clues) {
    i32 clause = reason - s->clues;
    for (i32 k = 0; k < s->learnt_size[clause]; k++) {
      i32 cell = s->literal[s->learnt_start[clause] + k] >> 1;
      if (cell != result) here += mark_literal(s, cell, size);
    }
    return here;
  }
  i32 filled; /* the value of the cells that filled the clue */
  if (result >= 0) filled = !s->value[result];
  else filled = s->mines[reason] > s->problem.need[reason];
  for (i32 k = s->first_cell[reason]; k < s->first_cell[reason + 1]; k++) {
    i32 cell = s->cells_of[k];
    if (s->value[cell] == filled && s->place[cell] < before) here += mark_literal(s, cell, size);
  }
  return here;
}

/* Derive the first-UIP clause in `learnt`, the asserting literal first; returns its size and sets
 * the depth to backjump to. */
static i32 analyze_conflict(Search *s, i32 conflict, i32 *back) {
  i32 size = 1, at = s->trail_size, open = resolve_reason(s, conflict, -1, at, &size), cell;
  for (;;) {
    do cell = s->trail[--at];
    while (!s->seen[cell]);
    if (--open == 0) break;
    open += resolve_reason(s, s->reason[cell], cell, s->place[cell], &size);
  }
  s->learnt[0] = (i16)(2 * cell + !s->value[cell]);
  *back = 0;
  for (i32 k = 1; k < size; k++) {
    i32 depth = s->level[s->learnt[k] >> 1];
    if (depth <= *back) continue;
    *back = depth;
    swap(s->learnt + 1, s->learnt + k);
  }
  memset(s->seen, 0, (size_t)s->cells);
  s->activity_increment *= 1.05;
  return size;
}

/* Delete the longer half of the learned clauses; only at depth 0, where reasons are not needed. */
static void reduce_learnts(Search *s) {
  i32 longest = 3, kept = 0, used = 0;
  for (i32 total = 0; total < s->learnts / 2; longest++) {
    total = 0;
    for (i32 l = 0; l < s->learnts; l++) total += s->learnt_size[l] <= longest;
  }
  for (i32 l = 0; l < s->learnts; l++) {
    i32 size = s->learnt_size[l];
    if (size >= longest || kept >= MAX_LEARNTS / 2 || used + size > LITERALS / 2) continue;
    memmove(s->literal + used, s->literal + s->learnt_start[l], sizeof(i16) * (size_t)size);
    s->learnt_start[kept] = used;
    s->learnt_size[kept++] = size;
    used += size;
  }
  s->learnts = kept;
  s->literals = used;
  memset(s->watch_head, 255, sizeof(i32) * (size_t)(2 * s->cells + 2));
  for (i32 l = 0; l < kept; l++) {
    /* Two literals that do not fail go first; a clause without them is settled at depth 0. */
    i16 *literal = s->literal + s->learnt_start[l];
    for (i32 side = 0, k = 0; side < 2; side++) {
      for (k = side; k < s->learnt_size[l] && fails(s, literal[k]);) k++;
      if (k == s->learnt_size[l]) k = side;
      swap(literal + side, literal + k);
      watch(s, l, side);
    }
  }
}

static void learn(Search *s, i32 conflict) {
  i32 back, size = analyze_conflict(s, conflict, &back);
  backjump(s, back);
  if (size == 1) {
    assign(s, s->learnt[0] >> 1, s->learnt[0] & 1, NO_REASON);
    return;
  }
  i32 clause = s->learnts++;
  s->learnt_start[clause] = s->literals;
  s->learnt_size[clause] = size;
  memcpy(s->literal + s->literals, s->learnt, sizeof(i16) * (size_t)size);
  s->literals += size;
  watch(s, clause, 0);
  watch(s, clause, 1);
  assign(s, s->learnt[0] >> 1, s->learnt[0] & 1, s->clues + clause);
}

/* ---------------------------------------------------------------- the search */

static i32 luby(i32 i) { /* 1 1 2 1 1 2 4 …, i from 1 */
  i32 power = 1;
  while (power <= i) power *= 2;
  while (power - 1 != i) {
    power /= 2;
    if (i >= power) i -= power - 1;
    power = 1;
    while (power <= i) power *= 2;
  }
  return power / 2;
}

static i32 pick_decision_cell(const Search *s) {
  i32 best = -1;
  for (i32 c = 0; c < s->cells; c++)
    if (s->value[c] < 0 && s->first_clue[c] < s->first_clue[c + 1] &&
        (best < 0 || s->activity[c] > s->activity[best]))
      best = c;
  return best;
}

/* Restart, and delete clauses if there are too many. */
static void restart(Search *s) {
  backjump(s, 0);
  s->since_restart = 0;
  s->restarts++;
  if (s->learnts > MAX_LEARNTS - 1000 || s->literals > LITERALS - 1000 * 50) reduce_learnts(s);
}

/* 1 if a layout satisfies the assumption (cell -1: none), 0 if none does, 2 undecided. Subtracts
 * its conflicts from `budget`. */
static i32 solve(Search *s, i32 cell, i32 value, i32 *budget) {
  backjump(s, 0);
  if (s->dead) return 0;
  for (;;) {
    i32 conflict = propagate(s);
    if (conflict != NO_REASON) {
      if (s->depth == 0) {
        s->dead = 1;
        return 0;
      }
      learn(s, conflict);
      s->since_restart++;
      if ((*budget)-- <= 0) {
        restart(s);
        return 2;
      }
      if (s->learnts >= MAX_LEARNTS - 1 || s->literals >= LITERALS - MINES_CELLS) restart(s);
      continue;
    }
    if (s->since_restart >= UNIT_OF_LUBY * luby(s->restarts + 1)) {
      restart(s);
      continue;
    }
    if (s->depth == 0 && cell >= 0) {
      if (s->value[cell] == !value) return 0;
      if (s->value[cell] < 0) {
        decide(s, cell, value);
        continue;
      }
    }
    i32 next = pick_decision_cell(s);
    if (next < 0) {
      memcpy(s->model, s->value, (size_t)s->cells);
      return 1;
    }
    decide(s, next, s->phase[next]);
  }
}

static i32 take_arrays(Search *s) {
  Arena *arena = &s->arena;
  i32 cells = s->cells + 1, clues = s->clues + 1;
  if (!ARENA_TAKE(arena, s->mines, clues) || !ARENA_TAKE(arena, s->safe, clues) ||
      !ARENA_TAKE(arena, s->value, cells) || !ARENA_TAKE(arena, s->phase, cells) ||
      !ARENA_TAKE(arena, s->model, cells) || !ARENA_TAKE(arena, s->candidate, cells) ||
      !ARENA_TAKE(arena, s->seen, cells) || !ARENA_TAKE(arena, s->level, cells) ||
      !ARENA_TAKE(arena, s->place, cells) || !ARENA_TAKE(arena, s->reason, cells) ||
      !ARENA_TAKE(arena, s->activity, cells) || !ARENA_TAKE(arena, s->trail, cells) ||
      !ARENA_TAKE(arena, s->depth_start, cells + 1) || !ARENA_TAKE(arena, s->learnt_start, MAX_LEARNTS) ||
      !ARENA_TAKE(arena, s->learnt_size, MAX_LEARNTS) || !ARENA_TAKE(arena, s->literal, LITERALS) ||
      !ARENA_TAKE(arena, s->watch_head, 2 * cells) || !ARENA_TAKE(arena, s->watch_next, 2 * MAX_LEARNTS) ||
      !ARENA_TAKE(arena, s->learnt, cells))
    return TOO_LARGE;
  memset(s->mines, 0, sizeof(i32) * (size_t)clues);
  memset(s->safe, 0, sizeof(i32) * (size_t)clues);
  memset(s->value, 255, (size_t)cells);
  memset(s->phase, 0, (size_t)cells);
  memset(s->seen, 0, (size_t)cells);
  memset(s->activity, 0, sizeof(double) * (size_t)cells);
  memset(s->watch_head, 255, sizeof(i32) * (size_t)(2 * cells));
  s->activity_increment = 1;
  return OK;
}

/* Assign the cells that preprocessing fixed; they are in no clue. */
static void assign_fixed(Search *s) {
  for (i32 cell = 0; cell < s->cells; cell++)
    if (s->problem.value[cell] >= 0) assign(s, cell, s->problem.value[cell], NO_REASON);
}

EXPORT(i32, mines_search_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, u8 *work, i32 size) {
  Board board;
  Search *s = (Search *)work;
  i32 status =
      mines_begin(work, size, sizeof *s, &s->arena, &board, &s->problem, packed, length, state, active);
  if (status < 0) return status;
  s->dead = !status || !mines_simplify(&s->problem);
  s->cells = s->problem.cells;
  s->clues = s->problem.clues;
  if (mines_take_lists(&s->problem, &s->arena, &s->first_cell, &s->cells_of, &s->first_clue, &s->clues_of) !=
          OK ||
      take_arrays(s) != OK)
    return TOO_LARGE;
  memset(s->model, 0, (size_t)s->cells);
  memset(s->candidate, 0, (size_t)s->cells);
  if (!s->dead) assign_fixed(s);
  seal_set(&s->seal, SEARCHING, board.cells, board.groups + board.cells);
  return !s->dead;
}

EXPORT(i32, mines_search_solve)(u8 *work, i32 cell, i32 value, i32 conflicts) {
  Search *s = (Search *)work;
  const Problem *p = &s->problem;
  if (!seal_holds(s, SEARCHING) || cell >= p->board_cells) return BAD;
  i32 local = cell < 0 ? -1 : p->local_of[cell];
  if (cell >= 0 && local < 0) return BAD;
  return solve(s, local, value != 0, &conflicts);
}

static void write_values(const Search *s, const i8 *from, i8 *values) {
  for (i32 c = 0; c < s->problem.board_cells; c++) {
    i32 local = s->problem.local_of[c];
    values[c] = local < 0 ? -2 : from[local];
  }
}

EXPORT(i32, mines_search_model)(u8 *work, i8 *values) {
  Search *s = (Search *)work;
  if (!seal_holds(s, SEARCHING)) return BAD;
  for (i32 c = 0; c < s->cells; c++)
    if (s->model[c] < 0) s->model[c] = 0; /* in no clue: either value fits */
  write_values(s, s->model, values);
  return OK;
}

/* Candidates are the values common to all layouts so far; each is tested by a query for a layout
 * with the other value, with phases against all candidates. */
EXPORT(i32, mines_search_backbone)(u8 *work, i8 *values, i32 conflicts) {
  Search *s = (Search *)work;
  i32 budget = conflicts;
  if (!seal_holds(s, SEARCHING)) return BAD;
  if (!s->started) {
    i32 found = solve(s, -1, 0, &budget);
    if (found != 1) return found;
    memcpy(s->candidate, s->model, (size_t)s->cells);
    s->started = 1;
  }
  for (; s->cursor < s->cells; s->cursor++) {
    i32 cell = s->cursor;
    if (s->candidate[cell] < 0) continue;
    backjump(s, 0);
    budget -= 1 + s->cells * s->cells / QUERY; /* one without conflicts takes time too */
    if (budget < 0) return 2;
    for (i32 c = 0; c < s->cells; c++)
      if (s->candidate[c] >= 0) s->phase[c] = !s->candidate[c];
    i32 found = solve(s, cell, !s->candidate[cell], &budget);
    if (found == 2) return 2;
    for (i32 c = 0; found && c < s->cells; c++)
      if (s->model[c] != s->candidate[c]) s->candidate[c] = -1;
  }
  write_values(s, s->candidate, values);
  return 1;
}
