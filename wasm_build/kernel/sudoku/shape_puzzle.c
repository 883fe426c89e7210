/* The minlex form of puzzles of every shape, straight and pattern-first: the method of
 * puzzle_minlex.c (breadth-first by output rows over ordered partitions of the columns), without
 * vectors.
 *
 * In slices: a level first evaluates the rows of all states, keeping the least, then extends the
 * steps kept. Tied new symbols branch by factorials: exponential in the worst case, bounded by the
 * caller's room, beyond which the answer is TOO_LARGE. Pattern-first runs twice: with all labels 1
 * for the least pattern, then from the orders that attain it.
 */
#include "sudoku/sudoku.h"

enum { FRESH = 255 };

typedef struct {
  u64 tied;              /* bit p: positions p and p+1 of one stack are tied */
  u64 used;              /* bit r: source row r is placed */
  u32 from, to;          /* second run: its range of leaves */
  u8 turned, depth, next, stacks_tied; /* bit k: stacks k and k+1 are tied */
  u8 row[LARGEST], col[LARGEST], label[LARGEST + 1];
} State;

typedef struct { u32 state, row, from, to; } Step;

typedef struct { u8 turned, col[LARGEST], row[LARGEST]; } Leaf;

typedef enum { EVALUATE, EXTEND, DONE } Phase;

typedef struct {
  Tag seal;
  i32 R, C, N, pattern_first, second_run, depth, cursor, count, made, steps_kept;
  Phase phase;
  i32 most_states, most_steps, most_leaves;
  State *now, *then;
  Step *steps;
  Leaf *leaves;
  u64 empty[2]; /* bit r: row r has no givens */
  u8 cell[2][LARGEST][LARGEST];
  u8 least[LARGEST]; /* values of the least row of this level */
  u8 out[LARGEST * LARGEST];
} Work;
_Static_assert(sizeof(Work) <= SHAPE_PUZZLE_HEAD, "SHAPE_PUZZLE_HEAD is too small");

/* A row under a state: values by position, and the columns after sorting the ties. */
typedef struct { u8 value[LARGEST], col[LARGEST]; } View;

static void sort_tied_columns(const Work *w, const State *s, View *v) {
  for (i32 p = 1; p < w->N; p++) {
    u8 value = v->value[p], col = v->col[p];
    i32 j = p;
    for (; j > 0 && (s->tied >> (j - 1) & 1) && v->value[j - 1] > value; j--)
      v->value[j] = v->value[j - 1], v->col[j] = v->col[j - 1];
    v->value[j] = value, v->col[j] = col;
  }
}

static void swap_bytes(u8 *a, u8 *b, i32 count) {
  for (i32 i = 0; i < count; i++) {
    u8 t = a[i];
    a[i] = b[i], b[i] = t;
  }
}

static void sort_tied_stacks(const Work *w, const State *s, View *v) {
  i32 C = w->C;
  for (i32 k = 1; k < w->R; k++)
    for (i32 j = k; j > 0 && (s->stacks_tied >> (j - 1) & 1); j--) {
      u8 *a = v->value + (j - 1) * C, *b = v->value + j * C;
      if (memcmp(a, b, (size_t)C) <= 0) break;
      swap_bytes(a, b, C);
      swap_bytes(v->col + (j - 1) * C, v->col + j * C, C);
    }
}

static View view(const Work *w, const State *s, i32 row) {
  View v;
  const u8 *cells = w->cell[s->turned][row];
  for (i32 p = 0; p < w->N; p++) {
    v.col[p] = s->col[p];
    v.value[p] = s->label[cells[s->col[p]]];
  }
  if (s->tied) sort_tied_columns(w, s, &v);
  if (s->stacks_tied) sort_tied_stacks(w, s, &v);
  return v;
}

/* -- evaluating ------------------------------------------------------------------------------ */

/* Evaluates a row of a state and adds the step if it is least so far. */
static i32 try_row(Work *w, u32 state, i32 row, u32 from, u32 to) {
  View v = view(w, &w->now[state], row);
  i32 order = w->steps_kept ? memcmp(v.value, w->least, (size_t)w->N) : -1;
  if (order > 0) return OK;
  if (order < 0) {
    memcpy(w->least, v.value, (size_t)w->N);
    w->steps_kept = 0;
  }
  if (w->steps_kept == w->most_steps) return TOO_LARGE;
  w->steps[w->steps_kept++] = (Step){state, (u32)row, from, to};
  return OK;
}

/* The rows that may be next; of equivalent rows without givens only the first. */
static u64 next_rows(const Work *w, const State *s) {
  i32 R = w->R, inside = s->depth % R, had_empty_band = 0;
  u64 all = (1ull << w->N) - 1, free = all & ~s->used, one = (1ull << R) - 1;
  if (inside) free &= one << (s->row[s->depth - 1] / R * R);
  u64 empty = free & w->empty[s->turned], rows = free & ~empty;
  for (i32 h = 0; h < w->C; h++) {
    u64 here = empty >> (R * h) & one;
    if (!here) continue;
    if (!inside && (w->empty[s->turned] >> (R * h) & one) == one) {
      if (had_empty_band) continue;
      had_empty_band = 1;
    }
    rows |= (here & -here) << (R * h);
  }
  return rows;
}

static i32 evaluate(Work *w, u32 state) {
  const State *s = &w->now[state];
  i32 status = OK;
  if (!w->second_run) {
    for (u64 rows = next_rows(w, s); rows && status == OK; rows &= rows - 1)
      status = try_row(w, state, lowest64(rows), 0, 0);
    return status;
  }
  for (u32 a = s->from, b; a < s->to && status == OK; a = b) {
    u8 row = w->leaves[a].row[w->depth];
    for (b = a; b < s->to && w->leaves[b].row[w->depth] == row;) b++;
    status = try_row(w, state, row, a, b);
  }
  return status;
}

/* -- extending ------------------------------------------------------------------------------- */

/* A run of tied places whose orders are branches: `unit` columns a place. */
typedef struct { i32 start, places, unit; } Choice;

typedef struct {
  Work *work;
  State state;   /* its columns are permuted in place */
  u64 fresh;     /* positions with a new symbol */
  const u8 *cells;
  Choice choice[LARGEST];
  i32 choices;
} Branch;

static i32 emit(Branch *b) {
  Work *w = b->work;
  if (w->made == w->most_states) return TOO_LARGE;
  State *s = &w->then[w->made++];
  *s = b->state;
  for (u64 left = b->fresh; left; left &= left - 1) s->label[b->cells[s->col[lowest64(left)]]] = s->next++;
  return OK;
}

/* Tries all orders of the places of choice k from `place` on, then of the next choice. Recursion:
 * at most the number of tied places, 36 + 6. */
static i32 permute(Branch *b, i32 k, i32 place) {
  if (k == b->choices) return emit(b);
  const Choice *c = &b->choice[k];
  if (place == c->places - 1) return permute(b, k + 1, 0);
  u8 *base = b->state.col + c->start;
  for (i32 other = place; other < c->places; other++) {
    if (other != place) swap_bytes(base + place * c->unit, base + other * c->unit, c->unit);
    i32 status = permute(b, k, place + 1);
    if (other != place) swap_bytes(base + place * c->unit, base + other * c->unit, c->unit);
    if (status != OK) return status;
  }
  return OK;
}

/* Ties of equal values stay if the value is known and become choices if it is new. */
static void split_places(const Work *w, const View *v, u64 tied, Branch *b) {
  b->state.tied = 0;
  for (i32 p = 0; p < w->N;) {
    i32 end = p + 1;
    while (end < w->N && (tied >> (end - 1) & 1) && v->value[end] == v->value[p]) end++;
    if (v->value[p] == FRESH) {
      if (end - p > 1) b->choice[b->choices++] = (Choice){p, end - p, 1};
    } else {
      for (i32 i = p; i < end - 1; i++) b->state.tied |= 1ull << i;
    }
    p = end;
  }
}

static void split_stacks(const Work *w, const View *v, u32 tied, Branch *b) {
  i32 C = w->C;
  b->state.stacks_tied = 0;
  for (i32 k = 0; k < w->R;) {
    i32 end = k + 1;
    const u8 *mine = v->value + k * C;
    while (end < w->R && (tied >> (end - 1) & 1) && !memcmp(v->value + end * C, mine, (size_t)C)) end++;
    i32 fresh = 0;
    for (i32 i = 0; i < C; i++) fresh |= mine[i] == FRESH;
    if (fresh && end - k > 1) b->choice[b->choices++] = (Choice){k * C, end - k, C};
    if (!fresh)
      for (i32 i = k; i < end - 1; i++) b->state.stacks_tied |= (u8)(1 << i);
    k = end;
  }
}

static i32 extend(Work *w, const Step *step) {
  static Branch b;
  const State *from = &w->now[step->state];
  View v = view(w, from, (i32)step->row);
  b.work = w, b.state = *from, b.choices = 0, b.fresh = 0;
  b.cells = w->cell[from->turned][step->row];
  b.state.row[b.state.depth++] = (u8)step->row;
  b.state.used |= 1ull << step->row;
  b.state.from = step->from, b.state.to = step->to;
  memcpy(b.state.col, v.col, (size_t)w->N);
  for (i32 p = 0; p < w->N; p++)
    if (v.value[p] == FRESH) b.fresh |= 1ull << p;
  split_stacks(w, &v, from->stacks_tied, &b); /* blocks first: they hold the places */
  split_places(w, &v, from->tied, &b);
  return permute(&b, 0, 0);
}

/* -- runs ------------------------------------------------------------------------------------ */

static void first_state(const Work *w, State *s, i32 turned, i32 label) {
  memset(s, 0, sizeof *s);
  s->turned = (u8)turned;
  s->next = 1;
  s->stacks_tied = (u8)((1 << (w->R - 1)) - 1);
  for (i32 p = 0; p < w->N; p++) {
    s->col[p] = (u8)p;
    if (p % w->C != w->C - 1) s->tied |= 1ull << p;
  }
  memset(s->label + 1, label, LARGEST);
}

static i32 leaf_before(const Leaf *a, const Leaf *b) { return memcmp(a, b, sizeof *a) < 0; }

/* A representative of the ordered partition: tied columns ascend, tied stacks by their first. */
static void normalise_columns(const Work *w, const State *s, u8 *col) {
  View v;
  memcpy(v.value, s->col, (size_t)w->N);
  memcpy(v.col, s->col, (size_t)w->N);
  sort_tied_columns(w, s, &v);
  sort_tied_stacks(w, s, &v);
  memcpy(col, v.col, (size_t)w->N);
}

/* Makes the last states of the first run the first states of the second. */
static i32 begin_second_run(Work *w) {
  if (w->count > w->most_leaves) return TOO_LARGE;
  State ties = w->now[0];
  i32 count = w->count, groups = 0, same = 1 + LARGEST;
  for (i32 i = 0; i < count; i++) {
    const State *s = &w->now[i];
    Leaf *leaf = &w->leaves[i];
    memset(leaf, 0, sizeof *leaf);
    leaf->turned = s->turned;
    normalise_columns(w, s, leaf->col);
    memcpy(leaf->row, s->row, (size_t)w->N);
  }
  SORT(w->leaves, count, leaf_before);
  for (i32 i = 0, j; i < count; i = j) {
    for (j = i + 1; j < count && !memcmp(&w->leaves[i], &w->leaves[j], (size_t)same);) j++;
    State *s = &w->now[groups++];
    first_state(w, s, w->leaves[i].turned, FRESH);
    memcpy(s->col, w->leaves[i].col, (size_t)w->N);
    s->tied = ties.tied, s->stacks_tied = ties.stacks_tied;
    s->from = (u32)i, s->to = (u32)j;
  }
  w->second_run = 1, w->count = groups, w->depth = 0, w->phase = EVALUATE;
  w->cursor = w->steps_kept = 0;
  return OK;
}

static void begin_level(Work *w) {
  u8 *row = w->out + w->depth * w->N, next = w->now[0].next;
  for (i32 p = 0; p < w->N; p++) row[p] = w->least[p] == FRESH ? next++ : w->least[p];
  w->phase = EXTEND, w->cursor = w->made = 0;
}

static i32 end_level(Work *w) {
  State *t = w->now;
  w->now = w->then, w->then = t;
  w->count = w->made;
  w->phase = EVALUATE, w->cursor = w->steps_kept = 0;
  if (++w->depth < w->N) return OK;
  if (w->pattern_first && !w->second_run) return begin_second_run(w);
  w->phase = DONE;
  return OK;
}

static void lay_out(Work *w, i32 room) {
  i32 left = room - SHAPE_PUZZLE_HEAD, states = left / 3;
  w->most_states = states / (i32)sizeof(State);
  w->most_steps = left / 6 / (i32)sizeof(Step);
  w->most_leaves = left / 6 / (i32)sizeof(Leaf) - 1;
  w->now = (State *)((u8 *)w + SHAPE_PUZZLE_HEAD);
  w->then = w->now + w->most_states;
  w->steps = (Step *)(w->then + w->most_states);
  w->leaves = (Leaf *)(w->steps + w->most_steps);
}

EXPORT(i32, sudoku_shape_puzzle_begin)(i32 R, i32 C, const u8 *board, i32 pattern_first, u8 *work, i32 room) {
  if (!sudoku_shape_is_legal(R, C, board)) return BAD;
  if (room < SHAPE_PUZZLE_HEAD + (1 << 20)) return TOO_LARGE;
  if ((uintptr_t)work & 15) return BAD;
  Work *w = (Work *)work;
  i32 N = R * C;
  memset(w, 0, sizeof *w);
  w->R = R, w->C = C, w->N = N, w->pattern_first = pattern_first != 0;
  lay_out(w, room);
  w->empty[0] = w->empty[1] = (1ull << N) - 1;
  for (i32 r = 0; r < N; r++)
    for (i32 c = 0; c < N; c++) {
      u8 symbol = board[r * N + c];
      w->cell[0][r][c] = w->cell[1][c][r] = symbol;
      if (symbol) w->empty[0] &= ~(1ull << r), w->empty[1] &= ~(1ull << c);
    }
  w->count = R == C ? 2 : 1;
  for (i32 t = 0; t < w->count; t++) first_state(w, &w->now[t], t, w->pattern_first ? 1 : FRESH);
  seal_set(&w->seal, SEALED_PUZZLE, N, 0);
  return OK;
}

EXPORT(i32, sudoku_shape_puzzle_run)(u8 *work, i32 units) {
  Work *w = (Work *)work;
  if (!seal_holds(w, SEALED_PUZZLE)) return BAD;
  i32 status = OK;
  for (; units > 0 && status == OK && w->phase != DONE; units--) {
    if (w->phase == EVALUATE) {
      if (w->cursor < w->count) status = evaluate(w, (u32)w->cursor++);
      else begin_level(w);
    } else {
      if (w->cursor < w->steps_kept) status = extend(w, &w->steps[w->cursor++]);
      else status = end_level(w);
    }
  }
  if (status != OK) seal_break(&w->seal);
  return status != OK ? status : w->phase == DONE;
}

EXPORT(i32, sudoku_shape_puzzle_result)(const u8 *work, u8 *out, u8 *map) {
  const Work *w = (const Work *)work;
  if (!seal_holds(w, SEALED_PUZZLE) || w->phase != DONE) return BAD;
  const State *s = &w->now[0];
  i32 N = w->N;
  u8 next = s->next;
  memcpy(out, w->out, (size_t)(N * N));
  map_write(map, N, s->turned, s->row, s->col, s->label);
  for (u8 *label = map + 2 + 2 * N; label < map + 2 + 3 * N; label++)
    if (*label == FRESH) *label = next++;
  return OK;
}
