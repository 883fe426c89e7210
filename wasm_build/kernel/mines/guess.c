/* The probability to win of each candidate under optimal play (expectimax over the layouts), where
 * no cell is safe.
 *
 * A state is the set of remaining layouts; nothing else matters, since a cell that is safe in all
 * of them is opened at once at no risk. Let best(L) be the number of layouts of L that optimal play
 * wins:
 *
 *   best(L) = sum over the answers of the safe cells of best(L_answer)     if a safe cell informs
 *           = product over independent components                        if L is such a product
 *           = max over cells c of the sum over numbers x of best(L where c is safe and shows x)
 *
 * Branch and bound: an answer's value is at most the largest number of its layouts in which one
 * further cell is safe (all, if a cell is safe in all and informs). Candidates are searched in
 * order of that bound. Transposition table: states by the key of their canonical form
 * (guess_state.c).
 *
 * Slices: once its budget is used up, a call ends after the next state is stored; the following
 * call restarts at the root, and stored states are not searched again. The frames of `best` are
 * taken from the arena and released.
 *
 * Cost of a state: O(layouts cells) and O(cells^2 answers layouts / 64) for the bounds. Recursion
 * depth: at most DEPTH, each frame below 400 bytes. */
#include "guess.h"

enum { DEPTH = 600, COARSE = 40000000 };

static i32 give_up(Guess *g) {
  g->stop = g->unsettled = 1;
  return 0;
}

static i32 best(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth);

/* The layouts won after the informing safe cells have been opened. */
static i32 open_safe(Guess *g, const i32 *rows, i32 n, const i16 *safe, i32 safes, const i16 *rest, i32 k,
                     i32 depth) {
  i32 *class, *start, *grouped, won = 0;
  if (!ARENA_TAKE(&g->arena, class, n) || !ARENA_TAKE(&g->arena, start, n + 1) ||
      !ARENA_TAKE(&g->arena, grouped, n))
    return give_up(g);
  i32 classes = mines_classify(g, rows, n, safe, safes, class);
  if (classes < 0) return give_up(g);
  mines_group_rows(rows, n, class, classes, start, grouped);
  for (i32 c = 0; c < classes && !g->stop; c++)
    won += best(g, grouped + start[c], start[c + 1] - start[c], rest, k, depth);
  return won;
}

/* Compute the bounds of all answers; their sizes where more would cost too much. */
static void bound_answers(Guess *g, State *s) {
  i32 answers = s->first[s->k];
  i64 cost = (i64)answers * s->k * s->words;
  for (i32 a = 0; a < answers; a++)
    s->bound[a] = s->n > 6 && cost < COARSE ? mines_bound_of(s, a) : s->size[a];
  if (s->n > 6 && cost < COARSE) g->spent += cost * 2;
}

static i32 are_independent(const State *s, i32 a, i32 b) {
  const size_t words = (size_t)s->words;
  for (i32 x = s->first[a]; x < s->first[a + 1]; x++)
    for (i32 y = s->first[b]; y < s->first[b + 1]; y++) {
      i64 both = count_both(s->bits + (size_t)x * words, s->bits + (size_t)y * words, s->words);
      if (both * s->n != (i64)s->size[x] * s->size[y]) return 0;
    }
  return 1;
}

/* The product over independent components; -1 if there is only one. */
static i32 multiply_components(Guess *g, const State *s, i32 depth) {
  i16 *member;
  i32 *parent, *class, *rows, groups = s->k;
  if (s->n < 4 || (i64)s->k * s->k * s->words > COARSE) return -1;
  if (!ARENA_TAKE(&g->arena, parent, s->k) || !ARENA_TAKE(&g->arena, member, s->k) ||
      !ARENA_TAKE(&g->arena, class, s->n) || !ARENA_TAKE(&g->arena, rows, s->n))
    return give_up(g);
  long_sets_init(parent, s->k);
  for (i32 a = 0; a < s->k && groups > 1; a++)
    for (i32 b = a + 1; b < s->k; b++) {
      g->spent += s->words;
      if (long_sets_root(parent, a) == long_sets_root(parent, b)) continue;
      if (are_independent(s, a, b)) continue;
      long_sets_join(parent, a, b);
      groups--;
    }
  if (groups < 2) return -1;
  for (i32 multiply = 0; multiply < 2; multiply++) {
    i64 product = 1;
    for (i32 r = 0; r < s->k; r++) {
      if (long_sets_root(parent, r) != r) continue;
      i32 members = 0, kept = 0;
      for (i32 a = 0; a < s->k; a++)
        if (long_sets_root(parent, a) == r) member[members++] = s->cells[a];
      i32 classes = mines_classify(g, s->rows, s->n, member, members, class);
      if (classes < 0) return give_up(g);
      if (!multiply) {
        product *= classes;
        if (product > s->n) return -1;
        continue;
      }
      for (i32 i = 0; i < s->n; i++)
        if (class[i] == kept) rows[kept++] = s->rows[i];
      product *= best(g, rows, kept, member, members, depth);
      if (g->stop) return 0;
    }
    if (!multiply && product != s->n) return -1;
    if (multiply) return (i32)product;
  }
  return -1;
}

static Entry *entry_of(Guess *g, const u64 *key) {
  u32 at = (u32)key[0] & (u32)(g->table_size - 1);
  for (; g->table[at].used; at = (at + 1) & (u32)(g->table_size - 1))
    if (g->table[at].first == key[0] && g->table[at].second == key[1]) break;
  return g->table + at;
}

/* The layouts won when cell j is opened; -1 as soon as they cannot exceed `won`. */
static i32 value_of(Guess *g, const State *s, i32 j, i32 won, i32 depth) {
  u8 *mark = g->arena.low;
  const u8 *column = column_of(g, s->cells[j]);
  i32 answers = s->first[j + 1] - s->first[j], total = 0, *class, *start, *grouped;
  i32 *order = NULL, safe = 0;
  i16 *rest;
  if (!ARENA_TAKE(&g->arena, class, s->n) || !ARENA_TAKE(&g->arena, start, answers + 1) ||
      !ARENA_TAKE(&g->arena, grouped, 2 * s->n) || !ARENA_TAKE(&g->arena, order, answers) ||
      !ARENA_TAKE(&g->arena, rest, s->k))
    return give_up(g);
  u8 names = 0;
  memset(g->name, MINED, sizeof g->name);
  i32 *rows = grouped + s->n;
  for (i32 i = 0; i < s->n; i++) {
    u8 x = column[s->rows[i]];
    if (x == MINED) continue;
    if (g->name[x] == MINED) g->name[x] = names++;
    class[safe] = g->name[x];
    rows[safe++] = s->rows[i];
  }
  mines_group_rows(rows, safe, class, answers, start, grouped);
  for (i32 d = 0, at = 0; d < s->k; d++)
    if (d != j) rest[at++] = s->cells[d];
  for (i32 a = 0; a < answers; a++) {
    total += s->bound[s->first[j] + a];
    i32 at = a;
    for (; at && s->size[s->first[j] + order[at - 1]] > s->size[s->first[j] + a]; at--)
      order[at] = order[at - 1];
    order[at] = a;
  }
  for (i32 i = 0; i < answers && !g->stop; i++) {
    i32 a = order[i];
    if (total <= won) {
      total = -1;
      break;
    }
    total += best(g, grouped + start[a], start[a + 1] - start[a], rest, s->k - 1, depth) -
             s->bound[s->first[j] + a];
  }
  g->arena.low = mark;
  return total;
}

static i32 search(Guess *g, const State *s, i32 depth) {
  u64 *key;
  i32 *order, won = multiply_components(g, s, depth);
  if (g->stop || won >= 0) return won;
  if (!ARENA_TAKE(&g->arena, key, s->k) || !ARENA_TAKE(&g->arena, order, s->k)) return give_up(g);
  for (i32 j = 0; j < s->k; j++) {
    u64 bound = 0;
    for (i32 a = s->first[j]; a < s->first[j + 1]; a++) bound += (u64)s->bound[a];
    key[j] = (u64)s->n - bound;
    order[j] = j;
  }
  mines_sort_by(order, s->k, key);
  for (i32 i = 0; i < s->k && !g->stop && s->n - (i32)key[order[i]] > won; i++)
    won = max32(won, value_of(g, s, order[i], won, depth));
  return won;
}

/* The number of rows in which a cell is a mine; `differs`: whether its answers differ. */
static inline i32 mines_in_column(const u8 *column, const i32 *rows, i32 n, i32 *differs) {
  i32 mines = 0, first = MINED;
  *differs = 0;
  for (i32 i = 0; i < n; i++) {
    i32 x = column[rows[i]];
    mines += x == MINED;
    if (first == MINED) first = x;
    *differs |= x != first;
  }
  return mines;
}

/* Collect the informing safe cells and those that are neither safe nor mines in all rows. */
static void classify_cells(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i16 *safe, i32 *safes,
                           i16 *open, i32 *opens) {
  *safes = *opens = 0;
  for (i32 j = 0; j < k; j++) {
    i32 differs, mines = mines_in_column(column_of(g, cells[j]), rows, n, &differs);
    if (!mines && differs) safe[(*safes)++] = cells[j];
    if (mines && mines < n) open[(*opens)++] = cells[j];
  }
  g->spent += (i64)n * k;
}

static i32 solve_state(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth) {
  i16 *safe, *open;
  i32 safes, opens;
  if (!ARENA_TAKE(&g->arena, safe, k) || !ARENA_TAKE(&g->arena, open, k)) return give_up(g);
  classify_cells(g, rows, n, cells, k, safe, &safes, open, &opens);
  if (safes) return open_safe(g, rows, n, safe, safes, open, opens, depth + 1);
  if (!opens) return n;
  if (n == 2) return 1;
  State s = {.n = n, .k = opens, .cells = open};
  if (!mines_canonical_form(g, &s, rows)) return give_up(g);
  Entry *held = entry_of(g, s.key);
  if (held->used) return held->won;
  if (!mines_make_bits(g, &s)) return give_up(g);
  bound_answers(g, &s);
  i32 won = search(g, &s, depth + 1);
  if (g->stop) return 0;
  if (g->stored * 4 > g->table_size * 3) return give_up(g);
  g->stored++;
  *entry_of(g, s.key) = (Entry){s.key[0], s.key[1], won, 1};
  if (g->spent > g->budget) g->stop = 1;
  return won;
}

static i32 best(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth) {
  if (n < 2) return n;
  if (g->stop) return 0;
  if (depth > DEPTH) return give_up(g);
  u8 *mark = g->arena.low;
  i32 won = solve_state(g, rows, n, cells, k, depth);
  g->arena.low = mark;
  return won;
}

/* ---------------------------------------------------------------- queries about a candidate */

enum { ANY, NO_MINE, NO_MINE_AROUND };

/* The rows in which a candidate is no mine and, by the rule of the first click, none of its
 * neighbours is. */
static i32 rows_for(const Guess *g, i32 cell, i32 first, i32 *rows) {
  i32 n = 0;
  for (i32 l = 0; l < g->layouts; l++) {
    if (column_of(g, cell)[l] == MINED) continue;
    if (first == NO_MINE_AROUND && (g->blocked[cell] || mines_count_around(g, cell, l))) continue;
    rows[n++] = l;
  }
  return n;
}

/* The layouts won by opening the cell and optimal play after. */
static i32 exact_value(Guess *g, i32 cell, const i32 *rows, i32 n) {
  i16 *cells, self[1] = {(i16)cell};
  if (!ARENA_TAKE(&g->arena, cells, g->cells)) return give_up(g);
  for (i32 c = 0; c < g->cells; c++) cells[c] = (i16)c;
  return open_safe(g, rows, n, self, 1, cells, g->cells, 0);
}

static i32 upper_bound(Guess *g, i32 cell, const i32 *rows, i32 n) {
  State s = {.n = n};
  if (!ARENA_TAKE(&g->arena, s.rows, n) || !ARENA_TAKE(&g->arena, s.cells, g->cells)) return n;
  memcpy(s.rows, rows, sizeof(i32) * (size_t)n);
  s.cells[s.k++] = (i16)cell;
  for (i32 c = 0; c < g->cells; c++)
    if (c != cell) s.cells[s.k++] = (i16)c;
  if (!mines_make_bits(g, &s)) return n;
  i32 most = 0;
  for (i32 a = s.first[0]; a < s.first[1]; a++) most += mines_bound_of(&s, a);
  return most;
}

/* The cell with the fewest mines in these rows, or a safe one that informs; -1 if none informs. */
static i32 safest_of(const Guess *g, const i32 *rows, i32 n) {
  i32 found = -1, fewest = n;
  for (i32 c = 0; c < g->cells; c++) {
    i32 differs, mines = mines_in_column(column_of(g, c), rows, n, &differs);
    if (mines < fewest && (mines || differs)) fewest = mines, found = c;
  }
  return found;
}

/* Sort a segment of rows by the answers of a cell and push the parts without a mine there. */
static void split_segment(Guess *g, i32 *rows, i32 from, i32 to, i32 cell) {
  const u8 *column = column_of(g, cell);
  for (i32 x = 0; from < to && x < MINED; x++) {
    i32 at = from;
    for (i32 i = from; i < to; i++)
      if (column[rows[i]] == x) {
        i32 moved = rows[i];
        rows[i] = rows[at];
        rows[at++] = moved;
      }
    if (at == from) continue;
    g->play_stack[g->play_top++] = from;
    g->play_stack[g->play_top++] = at;
    from = at;
  }
}

/* Play the greedy policy, the safest cell each time, after that cell; AGAIN or DONE. */
static i32 play_greedily(Guess *g, i32 cell, i32 first) {
  if (g->play_cell != cell || g->play_first != first) {
    g->play_cell = cell;
    g->play_first = first;
    g->play_top = g->play_won = 0;
    split_segment(g, g->play, 0, rows_for(g, cell, first, g->play), cell);
  }
  while (g->play_top) {
    if (g->spent > g->budget) return AGAIN;
    i32 to = g->play_stack[--g->play_top], from = g->play_stack[--g->play_top], n = to - from;
    g->spent += (i64)n * g->cells + 256;
    i32 next = n > 1 ? safest_of(g, g->play + from, n) : -1;
    if (next < 0) g->play_won += n;
    else split_segment(g, g->play, from, to, next);
  }
  return DONE;
}

EXPORT(i32, mines_guess_ask)(u8 *work, i32 bounds, i32 cell, i32 first, i32 budget, i32 *out) {
  if (!seal_holds(work, GUESSING)) return BAD;
  Guess *g = (Guess *)work;
  i32 *rows;
  if (!g->listed || cell < 0 || cell >= g->problem.board_cells || first < ANY || first > NO_MINE_AROUND ||
      g->problem.local_of[cell] < 0)
    return BAD;
  cell = g->problem.local_of[cell];
  u8 *mark = g->arena.low;
  if (!ARENA_TAKE(&g->arena, rows, g->layouts)) return TOO_LARGE;
  i32 n = rows_for(g, cell, first, rows), status = n ? DONE : NO_CANDIDATE;
  g->spent = g->stop = g->unsettled = 0;
  g->budget = budget;
  out[0] = n;
  out[1] = first == ANY ? g->layouts : n;
  if (n && !bounds) {
    out[2] = out[3] = exact_value(g, cell, rows, n);
    if (g->stop) status = g->unsettled ? UNSETTLED : AGAIN;
  } else if (n) {
    status = play_greedily(g, cell, first);
    out[2] = g->play_won;
    if (status == DONE) out[3] = upper_bound(g, cell, rows, n);
  }
  g->arena.low = mark;
  return status;
}
