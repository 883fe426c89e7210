/* Enumerates all layouts: depth-first search with unit propagation over the counts.
 *
 * A decision takes a cell of the open clue with the fewest unassigned cells, safe first. After the
 * last layout the answers of all cells are tabulated for guess.c: a cell's numbers are renamed by
 * first appearance, so that 255 different ones fit a byte.
 * Cost: O(clues + cells) a decision; at most SEARCHED decisions, else TOO_LARGE. */
#include "guess.h"

enum { SEARCHED = 3000000 };

static i32 assign(Guess *g, i32 cell, i32 value) {
  i32 holds = 1;
  g->value[cell] = (i8)value;
  g->trail[g->trail_size++] = (i16)cell;
  for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
    i32 q = g->clues_of[i];
    g->left[q]--;
    g->need[q] -= value;
    holds &= g->need[q] >= 0 && g->need[q] <= g->left[q];
  }
  return holds;
}

/* Unit propagation from a position of the trail; 0 at a conflict. */
static i32 propagate(Guess *g, i32 from) {
  for (; from < g->trail_size; from++) {
    i32 cell = g->trail[from];
    for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
      i32 q = g->clues_of[i];
      if (!g->left[q] || (g->need[q] && g->need[q] != g->left[q])) continue;
      i32 value = g->need[q] > 0;
      for (i32 k = g->first_cell[q]; k < g->first_cell[q + 1]; k++)
        if (g->value[g->cells_of[k]] < 0 && !assign(g, g->cells_of[k], value)) return 0;
    }
  }
  return 1;
}

static void undo(Guess *g, i32 size) {
  while (g->trail_size > size) {
    i32 cell = g->trail[--g->trail_size];
    for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
      i32 q = g->clues_of[i];
      g->left[q]++;
      g->need[q] += g->value[cell];
    }
    g->value[cell] = -1;
  }
}

/* A cell of the open clue with the fewest unassigned cells; any cell if no clue is open; -1. */
static i32 pick_cell(const Guess *g) {
  i32 clue = -1;
  for (i32 q = 0; q < g->clues; q++)
    if (g->left[q] && (clue < 0 || g->left[q] < g->left[clue])) clue = q;
  i32 from = clue < 0 ? 0 : g->first_cell[clue], to = clue < 0 ? g->cells : g->first_cell[clue + 1];
  for (i32 k = from; k < to; k++) {
    i32 cell = clue < 0 ? k : g->cells_of[k];
    if (g->value[cell] < 0) return cell;
  }
  return -1;
}

static void add_layout(Guess *g) {
  u64 *bits = g->layout + (size_t)g->layouts++ * (size_t)g->words;
  memset(bits, 0, sizeof(u64) * (size_t)g->words);
  for (i32 c = 0; c < g->cells; c++) bits[c >> 6] |= (u64)(g->value[c] == 1) << (c & 63);
}

/* Backtrack to the last decision with a value left and take it; 0 if there is none. */
static i32 backtrack(Guess *g) {
  while (g->depth) {
    i32 cell = g->decided[--g->depth], tried = g->value[cell], at = g->decided_at[g->depth];
    undo(g, at);
    if (tried == 1) continue;
    g->decided[g->depth] = (i16)cell;
    g->decided_at[g->depth++] = at;
    if (assign(g, cell, 1) && propagate(g, at)) return 1;
  }
  return 0;
}

i32 mines_count_around(const Guess *g, i32 cell, i32 layout) {
  const u64 *bits = g->layout + (size_t)layout * (size_t)g->words;
  const u64 *near = g->around + (size_t)cell * (size_t)g->words;
  i32 count = 0;
  for (i32 w = 0; w < g->words; w++) count += popcount64(bits[w] & near[w]);
  return count;
}

static i32 is_mine(const Guess *g, i32 cell, i32 layout) {
  return has_bit(g->layout + (size_t)layout * (size_t)g->words, cell);
}

/* Tabulate the answers and take the transposition table. DONE or TOO_LARGE. */
static i32 tabulate_answers(Guess *g) {
  i16 named[MINES_CELLS + 1];
  size_t n = (size_t)g->layouts;
  if (!ARENA_TAKE(&g->arena, g->answers, n * (size_t)g->cells + 1) ||
      !ARENA_TAKE(&g->arena, g->play, n + 1) || !ARENA_TAKE(&g->arena, g->play_stack, 2 * n + 2))
    return TOO_LARGE;
  for (i32 c = 0; c < g->cells; c++) {
    u8 *column = g->answers + n * (size_t)c;
    i16 names = 0;
    memset(named, -1, sizeof named);
    for (i32 l = 0; l < g->layouts; l++) {
      i32 shown = g->secret[c] ? 0 : mines_count_around(g, c, l);
      if (is_mine(g, c, l)) {
        column[l] = MINED;
        continue;
      }
      if (named[shown] < 0) {
        if (names == MINED) return TOO_LARGE;
        named[shown] = names++;
      }
      column[l] = (u8)named[shown];
    }
  }
  size_t room = (size_t)(g->arena.high - g->arena.low) / 2;
  g->table_size = 1024;
  while ((size_t)g->table_size * 2 * sizeof(Entry) <= room && g->table_size < 1 << 20) g->table_size *= 2;
  if (!ARENA_TAKE(&g->arena, g->table, g->table_size)) return TOO_LARGE;
  memset(g->table, 0, sizeof(Entry) * (size_t)g->table_size);
  g->listed = 1;
  return DONE;
}

EXPORT(i32, mines_guess_list)(u8 *work, i32 budget) {
  if (!seal_holds(work, GUESSING)) return BAD;
  Guess *g = (Guess *)work;
  if (g->listed) return DONE;
  for (i64 spent = 0; spent < budget; spent += g->clues + g->cells) {
    if (++g->nodes > SEARCHED) return TOO_LARGE;
    i32 cell = pick_cell(g);
    if (cell >= 0) {
      i32 at = g->decided_at[g->depth] = g->trail_size;
      g->decided[g->depth++] = (i16)cell;
      if (assign(g, cell, 0) && propagate(g, at)) continue;
    } else {
      if (g->layouts == g->most) return TOO_LARGE;
      add_layout(g);
    }
    if (!backtrack(g)) return g->layouts ? tabulate_answers(g) : 0;
  }
  return AGAIN;
}

static i32 take_arrays(Guess *g, i32 most) {
  Problem *p = &g->problem;
  size_t cells = (size_t)p->cells + 1, clues = (size_t)p->clues + 1;
  g->cells = p->cells;
  g->clues = p->clues;
  g->words = p->words;
  g->most = most;
  Arena *a = &g->arena;
  size_t bits = cells * (size_t)p->words;
  return mines_take_lists(p, a, &g->first_cell, &g->cells_of, &g->first_clue, &g->clues_of) == OK &&
         ARENA_TAKE(a, g->need, clues) && ARENA_TAKE(a, g->left, clues) && ARENA_TAKE(a, g->value, cells) &&
         ARENA_TAKE(a, g->trail, cells) && ARENA_TAKE(a, g->decided, cells) &&
         ARENA_TAKE(a, g->decided_at, cells) && ARENA_TAKE_ZEROED(a, g->around, bits) &&
         ARENA_TAKE(a, g->blocked, cells) && ARENA_TAKE(a, g->secret, cells) &&
         ARENA_TAKE(a, g->layout, (size_t)(most + 1) * (size_t)p->words);
}

EXPORT(i32, mines_guess_begin)(const i32 *packed, i32 length, const i16 *state, const u8 *secret, i32 most,
                               u8 *work, i32 size) {
  Board board;
  Guess *g = (Guess *)work;
  if (most < 1 || most > 1 << 20) return BAD;
  i32 status = mines_begin(work, size, sizeof *g, &g->arena, &board, &g->problem, packed, length, state, 0);
  if (status != 1) return status;
  if (!mines_simplify(&g->problem)) return 0;
  if (!take_arrays(g, most)) return TOO_LARGE;
  memcpy(g->need, g->problem.need, sizeof(i32) * (size_t)g->clues);
  memcpy(g->left, g->problem.size, sizeof(i32) * (size_t)g->clues);
  memcpy(g->value, g->problem.value, (size_t)g->cells);
  for (i32 c = 0; c < g->cells; c++) {
    i32 cell = g->problem.board_of[c];
    g->blocked[c] = 0;
    g->secret[c] = secret[cell] != 0;
    for (i32 i = board.neighbour_start[cell]; i < board.neighbour_start[cell + 1]; i++) {
      i32 near = g->problem.local_of[board.neighbours[i]];
      if (near >= 0) set_bit(g->around + (size_t)c * (size_t)g->words, near);
      else if (near == LOCAL_FLAG) g->blocked[c] = 1;
    }
  }
  g->play_cell = -1;
  seal_set(&g->seal, GUESSING, board.cells, board.cells + board.groups);
  return 1;
}
