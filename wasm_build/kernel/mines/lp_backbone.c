/* Which cells are equal in all layouts, by the linear programmes of simplex.c: one query per cell
 * with the value that no layout found so far gives it. Every layout answers for many cells.
 *
 * CDCL takes exponential time where many long clues (rows, columns, colours) have to be added up.
 * Cost: at most one query per cell, each continued from the last basis; a cell whose query takes
 * more than CELL_BUDGET stays undecided. */
#include "tableau.h"

enum { FOUND_SAFE = 1, FOUND_MINE = 2, FORCED = 4, UNDECIDED = 8 };
enum { CELL_BUDGET = 60000000 };

/* Notes the layout of the last query. */
static void note_layout(Sums *s) {
  for (i32 c = 0; c < s->cells; c++) s->seen[c] |= s->model[c] ? FOUND_MINE : FOUND_SAFE;
}

/* Gives the cells that branching set their bounds back. */
static void end_query(Sums *s) {
  while (s->depth) sums_bound(s, s->split[--s->depth], 0, 1);
}

/* Enters the answer about the cell at the cursor. A forced cell stays fixed. */
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

/* Asks about the next cell that has the same value in all layouts found; 0 at the end. */
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
    if (s->at != NOT_ASKED || (s->ended != 0 && s->ended != 2)) return BAD;
    if (!s->seen && !ARENA_TAKE(&s->arena, s->seen, s->cells + 1)) return TOO_LARGE;
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
