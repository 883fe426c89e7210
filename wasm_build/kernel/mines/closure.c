/* Closure of the clues under pairwise crossing of inequalities (bounds of set intersections and
 * differences): two overlapping sets X and Y bound their common part Z and both remainders
 * U = X - Y, V = Y - X.
 *
 *   Z: from max(0, X.min - |U|, Y.min - |V|)  to  min(|Z|, X.max, Y.max)
 *   U: from max(0, X.min - Z.max)             to  min(|U|, X.max - Z.min);  V likewise
 *
 * One entry per set of cells (hash table), with the intersection of its bounds. A round crosses all
 * pairs of a snapshot and merges the results afterwards, so the number of rounds does not depend on
 * the order; pairs of sets unchanged since their last crossing are skipped (semi-naive evaluation).
 * A log keeps every derived inequality with its parents, from which each deduction is traced back
 * to clues. Sound, tightest for one pair, incomplete: parity arguments are out of reach.
 *
 *   row[i], mask[i]   the log: clues, then derived inequalities
 *   current[set]      the set's row; pending[set]: the result of the running round, or NONE
 *
 * Cost: O(sets^2 words) a round; at most `most` sets.
 * One file: rounds, merging and the log share one structure. */
#include "mines.h"

#define INLINE static inline __attribute__((always_inline))
enum { INITIAL_TABLE = 256 };
enum { NONE = -1, FOUND = 1, STOPPED = 0, AGAIN = 2, GAVE_UP = 3 };

typedef struct Row { i32 kind, first, second, low, high, size, round; } Row;

typedef struct Closure {
  Tag seal;
  Arena arena;
  Board board;
  i32 words, cells, widest, highest, most;
  i32 rows, row_room;
  Row *row;
  u64 *mask;              /* row -> its cells, `words` each */
  i32 sets;
  i32 *current, *pending;
  i32 *stamp;             /* set -> the round that changed it last */
  i32 *table;             /* hash of masks -> set */
  i32 table_size, table_most;
  i16 *state;
  i32 round, rounds, inexact_rounds, changed, too_many;
  i32 last_exact, last_inexact; /* sets stamped later have pairs that are not crossed yet */
  i32 running;                  /* the running round: 0 none, 1 exact, 2 inexact */
  i32 *snapshot, snapshot_size, left, right; /* its sets, and the pair to cross next */
} Closure;

static u64 *mask_at(const Closure *c, i32 row) { return c->mask + (size_t)row * (size_t)c->words; }
static u64 *set_mask(const Closure *c, i32 set) {
  return mask_at(c, c->current[set] >= 0 ? c->current[set] : c->pending[set]);
}

/* The table slot of a mask: that of its set, or the empty one for it. */
static i32 slot_for(const Closure *c, const u64 *mask) {
  u32 at = (u32)hash_words(mask, c->words, 0) & (u32)(c->table_size - 1);
  while (c->table[at] != NONE && !same_words(set_mask(c, c->table[at]), mask, c->words))
    at = (at + 1) & (u32)(c->table_size - 1);
  return (i32)at;
}

/* Empty the table. It starts small and grows, since every step of a game empties it. */
static void clear_table(Closure *c, i32 size) {
  c->table_size = min32(size, c->table_most);
  memset(c->table, 255, sizeof(i32) * (size_t)c->table_size);
}

/* Grow the table for one more set. */
static void grow_table(Closure *c) {
  if ((c->sets + 1) * 2 <= c->table_size || c->table_size == c->table_most) return;
  clear_table(c, c->table_size * 4);
  for (i32 set = 0; set < c->sets; set++) c->table[slot_for(c, set_mask(c, set))] = set;
}

/* Add a row to the log; NONE if it is full. */
static i32 add_row(Closure *c, i32 kind, i32 first, i32 second, const u64 *mask, i32 size, i32 low,
                   i32 high) {
  if (c->rows == c->row_room) return NONE;
  c->row[c->rows] = (Row){kind, first, second, low, high, size, c->round};
  memcpy(mask_at(c, c->rows), mask, sizeof(u64) * (size_t)c->words);
  return c->rows++;
}

/* The set at a table slot; a new one without rows if it is empty. */
static i32 set_for(Closure *c, i32 slot) {
  if (c->table[slot] != NONE) return c->table[slot];
  i32 set = c->sets++;
  c->table[slot] = set;
  c->current[set] = c->pending[set] = NONE;
  c->stamp[set] = c->round;
  return set;
}

/* Whether a row implies these bounds. */
static i32 implies(const Row *row, i32 low, i32 high) { return low <= row->low && high >= row->high; }

/* The intersection of two rows over the same cells: one of them or a new row; NONE without room. */
static i32 intersect(Closure *c, i32 held, i32 row) {
  if (held == NONE) return row;
  const Row *a = c->row + held, *b = c->row + row;
  if (implies(b, a->low, a->high)) return row;
  if (implies(a, b->low, b->high)) return held;
  return add_row(c, KIND_MEET, held, row, mask_at(c, row), b->size, max32(a->low, b->low),
                 min32(a->high, b->high));
}

/* Make a row current outside of rounds. OK or TOO_LARGE. */
static i32 enter_row(Closure *c, i32 row) {
  const Row *r = c->row + row;
  if (r->size == 0 || (r->low <= 0 && r->high >= r->size)) return OK;
  if (c->sets + 1 >= c->row_room) return TOO_LARGE;
  grow_table(c);
  i32 set = set_for(c, slot_for(c, mask_at(c, row)));
  i32 merged = intersect(c, c->current[set], row);
  if (merged == NONE) return TOO_LARGE;
  c->current[set] = merged;
  return OK;
}

/* ---------------------------------------------------------------- crossing */

typedef struct Origin { i32 kind, left, right; } Origin;

/* Add an inequality of a crossing to the pending ones if it tightens a bound. OK or TOO_LARGE. */
static i32 propose(Closure *c, const Origin *from, const u64 *mask, i32 size, i32 low, i32 high) {
  if (!size || low > high || (low <= 0 && high >= size)) return OK;
  if (from->kind == KIND_EXACT && low != high) return OK;
  grow_table(c);
  i32 slot = slot_for(c, mask), known = c->table[slot];
  if (known != NONE) {
    i32 held = c->current[known], waiting = c->pending[known];
    if (held != NONE && implies(c->row + held, low, high)) return OK;
    if (waiting != NONE && implies(c->row + waiting, low, high)) return OK;
  }
  if (c->sets + 1 >= c->row_room) return TOO_LARGE;
  i32 row = add_row(c, from->kind, from->left, from->right, mask, size, low, high);
  if (row == NONE) return TOO_LARGE;
  if (known == NONE) {
    known = c->sets++;
    c->table[slot] = known;
    c->current[known] = NONE;
    c->pending[known] = row;
    return OK;
  }
  i32 merged = intersect(c, c->pending[known], row);
  if (merged == NONE) return TOO_LARGE;
  c->pending[known] = merged;
  return OK;
}

INLINE i32 cross(Closure *c, i32 left, i32 right, i32 stage, const i32 words) {
  u64 common[MINES_WORDS], rest[MINES_WORDS];
  const u64 *x = mask_at(c, left), *y = mask_at(c, right);
  i32 z = 0, status;
  for (i32 w = 0; w < words; w++) z += popcount64(common[w] = x[w] & y[w]);
  Row a = c->row[left], b = c->row[right];
  i32 u = a.size - z, v = b.size - z;
  i32 low = max32(0, max32(a.low - u, b.low - v)), high = min32(z, min32(a.high, b.high));
  if (low > high) return OK;
  Origin from = {stage == 1 ? KIND_EXACT : KIND_INEXACT, left, right};
  status = propose(c, &from, common, z, low, high);
  if (status != OK) return status;
  if (u) {
    for (i32 w = 0; w < words; w++) rest[w] = x[w] & ~common[w];
    status = propose(c, &from, rest, u, max32(0, a.low - high), min32(u, max32(0, a.high - low)));
    if (status != OK) return status;
  }
  if (!v) return OK;
  for (i32 w = 0; w < words; w++) rest[w] = y[w] & ~common[w];
  return propose(c, &from, rest, v, max32(0, b.low - high), min32(v, max32(0, b.high - low)));
}

/* Cross the remaining pairs of the snapshot. OK when all are done, AGAIN, TOO_LARGE. */
INLINE i32 cross_pairs(Closure *c, i32 *budget, const i32 words) {
  i32 last = c->running == 1 ? c->last_exact : c->last_inexact;
  for (; c->left < c->snapshot_size; c->left++, c->right = 0) {
    i32 set = c->snapshot[c->left], row = c->current[set], fresh = c->stamp[set] > last;
    const u64 *x = mask_at(c, row);
    for (; c->right < c->left; c->right++) {
      i32 other = c->snapshot[c->right];
      if (!fresh && c->stamp[other] <= last) continue;
      const u64 *y = mask_at(c, c->current[other]);
      u64 common = 0;
      for (i32 w = 0; w < words; w++) common |= x[w] & y[w];
      if (!common) continue;
      i32 status = cross(c, row, c->current[other], c->running, words);
      if (status != OK) return status;
      *budget -= 10;
    }
    *budget -= c->left;
    if (*budget < 0) {
      c->left++;
      c->right = 0;
      return AGAIN;
    }
  }
  return OK;
}

static void begin_round(Closure *c, i32 stage) {
  c->running = stage;
  c->snapshot_size = c->left = c->right = 0;
  for (i32 s = 0; s < c->sets; s++) {
    const Row *row = c->row + c->current[s];
    if (row->size > c->widest && row->low > c->highest) continue;
    if (stage == 1 && row->low != row->high) continue;
    c->snapshot[c->snapshot_size++] = s;
  }
  c->round++;
  c->rounds++;
  c->inexact_rounds += stage == 2;
}

/* End a round: make the pending rows current. OK or TOO_LARGE. */
static i32 merge(Closure *c) {
  c->changed = 0;
  for (i32 s = 0; s < c->sets; s++) {
    if (c->pending[s] == NONE) continue;
    i32 merged = intersect(c, c->current[s], c->pending[s]);
    if (merged == NONE) return TOO_LARGE;
    c->pending[s] = NONE;
    if (merged == c->current[s]) continue;
    c->current[s] = merged;
    c->stamp[s] = c->round;
    c->changed = 1;
  }
  /* The rows of this round have stamp `round` and are not crossed yet. */
  if (c->running == 1) c->last_exact = c->round - 1;
  else c->last_inexact = c->round - 1;
  c->running = 0;
  return OK;
}

static i32 run_round(Closure *c, i32 *budget) {
  i32 status;
  switch (c->words) {
    case 1: status = cross_pairs(c, budget, 1); break;
    case 2: status = cross_pairs(c, budget, 2); break;
    case 3: status = cross_pairs(c, budget, 3); break;
    default: status = cross_pairs(c, budget, c->words);
  }
  return status == OK ? merge(c) : status;
}

/* ---------------------------------------------------------------- decided cells */

static i32 is_trivial(const Row *row) { return row->high == 0 || row->low == row->size; }

/* Whether some set is trivial, or one with the cell `target`. */
static i32 decided(const Closure *c, i32 target) {
  for (i32 s = 0; s < c->sets; s++) {
    i32 row = c->current[s];
    if (!is_trivial(c->row + row)) continue;
    if (target < 0 || has_bit(mask_at(c, row), target)) return 1;
  }
  return 0;
}

static i32 step(Closure *c, i32 limit, i32 target, i32 *budget) {
  for (;;) {
    if (!c->running) {
      if (decided(c, target)) return FOUND;
      if (c->sets > c->most) return GAVE_UP;
      if (*budget < 0) return AGAIN;
      begin_round(c, 1);
    }
    i32 stage = c->running, status = run_round(c, budget);
    if (status != OK) return status;
    if (c->changed) continue;
    if (stage == 2 || c->inexact_rounds >= limit) return STOPPED;
    begin_round(c, 2);
  }
}

/* Invalidate the workspace after an error in the middle of a round. */
static i32 break_on_error(Closure *c, i32 status) {
  if (status < 0) seal_break(&c->seal);
  return status;
}

EXPORT(i32, mines_closure_step)(u8 *work, i32 limit, i32 target, i32 budget) {
  Closure *c = (Closure *)work;
  if (!seal_holds(c, CLOSING) || target >= c->cells) return BAD;
  return break_on_error(c, step(c, limit, target, &budget));
}

/* The board's state with the cells of trivial sets opened and flagged. */
static void open_trivial(const Closure *c, const i16 *shows, i16 *state) {
  memcpy(state, c->state, sizeof(i16) * (size_t)c->cells);
  for (i32 s = 0; s < c->sets; s++) {
    if (!is_trivial(c->row + c->current[s])) continue;
    for (i32 w = 0; w < c->words; w++)
      for (u64 rest = mask_at(c, c->current[s])[w]; rest; rest &= rest - 1) {
        i32 cell = w * 64 + lowest64(rest);
        state[cell] = shows[cell];
      }
  }
}

/* ---------------------------------------------------------------- clues and opened cells */

static i32 enter_clue(Closure *c, i32 name, i32 need, const i32 *list, i32 length) {
  u64 mask[MINES_WORDS] = {0};
  for (i32 i = 0; i < length; i++) {
    i32 cell = list[i];
    if (c->state[cell] == STATE_FLAG) need--;
    if (c->state[cell] == STATE_UNKNOWN) set_bit(mask, cell);
  }
  i32 size = mask_count(mask, c->words);
  if (!size || need < 0 || need > size) return OK; /* contradictions: other engines report them */
  i32 row = add_row(c, KIND_CLUE, name, NONE, mask, size, need, need);
  return row == NONE ? TOO_LARGE : enter_row(c, row);
}

static i32 enter_number(Closure *c, i32 cell) {
  const Board *b = &c->board;
  i32 from = b->neighbour_start[cell], length = b->neighbour_start[cell + 1] - from;
  return enter_clue(c, b->groups + cell, c->state[cell], b->neighbours + from, length);
}

static void clear_sets(Closure *c) {
  c->sets = 0;
  clear_table(c, INITIAL_TABLE);
}

/* The row without its known cells: itself if it has none; NONE without room. */
static i32 reduce(Closure *c, i32 row, const u64 *known, const u64 *flagged) {
  u64 mask[MINES_WORDS];
  i32 flags = 0, gone = 0;
  for (i32 w = 0; w < c->words; w++) {
    u64 old = mask_at(c, row)[w];
    flags += popcount64(old & flagged[w]);
    gone += popcount64(old & known[w]);
    mask[w] = old & ~known[w];
  }
  if (!gone) return row;
  Row r = c->row[row];
  i32 size = r.size - gone;
  return add_row(c, KIND_REDUCED, row, NONE, mask, size, min32(max32(r.low - flags, 0), size),
                 min32(max32(r.high - flags, 0), size));
}

/* Go on to a later state: drop inexact sets, reduce the exact ones and enter the opened numbers. */
static i32 advance(Closure *c, const i16 *state) {
  u64 known[MINES_WORDS] = {0}, flagged[MINES_WORDS] = {0};
  for (i32 x = 0; x < c->cells; x++) {
    if (state[x] == STATE_UNKNOWN || c->state[x] != STATE_UNKNOWN) continue;
    set_bit(known, x);
    if (state[x] == STATE_FLAG) set_bit(flagged, x);
  }
  c->round++;
  i32 exact = 0;
  for (i32 s = 0; s < c->sets; s++) {
    const Row *row = c->row + c->current[s];
    if (row->low != row->high) continue;
    c->snapshot[exact] = c->current[s];
    c->pending[exact++] = c->stamp[s];
  }
  clear_sets(c);
  for (i32 i = 0; i < exact; i++) {
    i32 stamp = c->pending[i], row = reduce(c, c->snapshot[i], known, flagged);
    i32 before = c->sets;
    if (row == NONE || enter_row(c, row) != OK) return TOO_LARGE;
    if (c->sets > before && row == c->snapshot[i]) c->stamp[before] = stamp;
  }
  for (i32 x = 0; x < c->cells; x++) {
    i32 fresh = c->state[x] == STATE_UNKNOWN && state[x] >= 0;
    known[x >> 6] = (known[x >> 6] & ~(1ull << (x & 63))) | (u64)fresh << (x & 63);
  }
  memcpy(c->state, state, sizeof(i16) * (size_t)c->cells);
  for (i32 x = 0; x < c->cells; x++)
    if (has_bit(known, x) && enter_number(c, x) != OK) return TOO_LARGE;
  for (i32 s = 0; s < c->sets; s++) c->pending[s] = NONE;
  c->rounds = c->inexact_rounds = 0;
  c->last_inexact = NONE;
  return OK;
}

static i32 exact_sets(const Closure *c) {
  i32 exact = 0;
  for (i32 s = 0; s < c->sets; s++) {
    const Row *row = c->row + c->current[s];
    exact += row->low == row->high;
  }
  return exact;
}

EXPORT(i32, mines_closure_play)
(u8 *work, const i16 *shows, i32 limit, i32 *records, i32 room, i32 budget) {
  Closure *c = (Closure *)work;
  i16 state[MINES_CELLS];
  if (!seal_holds(c, CLOSING) || room < 0) return BAD;
  for (i32 x = 0; x < c->cells; x++)
    if (shows[x] < STATE_FLAG) return BAD;
  for (;;) {
    i32 left = 0;
    for (i32 x = 0; x < c->cells; x++) left += c->state[x] == STATE_UNKNOWN && shows[x] != STATE_FLAG;
    if (!left) return FOUND;
    i32 status = step(c, limit, NONE, &budget);
    if (status != FOUND) return break_on_error(c, status);
    if (records[0] < 0 || records[0] >= room) return TOO_LARGE;
    i32 *record = records + 1 + 4 * records[0]++;
    record[0] = c->rounds;
    record[1] = c->inexact_rounds;
    record[2] = c->sets;
    record[3] = exact_sets(c);
    open_trivial(c, shows, state);
    status = advance(c, state);
    if (status != OK) return break_on_error(c, status);
  }
}

static i32 take_arrays(Closure *c) {
  Arena *arena = &c->arena;
  size_t room = (size_t)(arena->high - arena->low);
  /* per row: itself, its mask, and a set (three lists, the snapshot, four table entries) */
  size_t each = sizeof(Row) + sizeof(u64) * (size_t)c->words + 8 * sizeof(i32);
  if (room < 4096) return TOO_LARGE;
  i32 rows = (i32)((room - 2048) / each);
  c->row_room = rows;
  c->table_most = 1024;
  while (c->table_most < rows * 2) c->table_most *= 2;
  while (c->table_most > rows * 4) c->table_most /= 2;
  if (c->table_most < 64) return TOO_LARGE;
  if (!ARENA_TAKE(arena, c->row, rows) || !ARENA_TAKE(arena, c->mask, rows * c->words) ||
      !ARENA_TAKE(arena, c->current, rows) || !ARENA_TAKE(arena, c->pending, rows) ||
      !ARENA_TAKE(arena, c->stamp, rows) || !ARENA_TAKE(arena, c->snapshot, rows) ||
      !ARENA_TAKE(arena, c->table, c->table_most))
    return TOO_LARGE;
  return OK;
}

EXPORT(i32, mines_closure_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, i32 widest, i32 highest, i32 most,
 u8 *work, i32 size) {
  if (size < (i32)sizeof(Closure) + 4096 || ((uintptr_t)work & 15)) return BAD;
  Closure *c = (Closure *)work;
  Arena *arena = &c->arena;
  memset(c, 0, sizeof *c);
  *arena = arena_after(work, sizeof *c, (size_t)size);
  /* A copy: the numbers of opened cells are entered later. */
  if (!state || mines_read_board(&c->board, packed, length) != OK) return BAD;
  i32 *copy = arena_take(arena, sizeof(i32) * (size_t)length);
  if (!copy) return TOO_LARGE;
  memcpy(copy, packed, sizeof(i32) * (size_t)length);
  mines_read_board(&c->board, copy, length);
  c->cells = c->board.cells;
  c->words = max32(1, (c->cells + 63) / 64);
  c->widest = widest;
  c->highest = highest;
  c->most = most;
  c->last_exact = c->last_inexact = NONE;
  if (!ARENA_TAKE(arena, c->state, c->cells + 1) || take_arrays(c) != OK) return TOO_LARGE;
  memcpy(c->state, state, sizeof(i16) * (size_t)c->cells);
  for (i32 x = 0; x < c->cells; x++)
    if (state[x] < STATE_FLAG) return BAD;
  clear_sets(c);
  const Board *b = &c->board;
  for (i32 g = 0; g < b->groups; g++) {
    i32 from = b->group_start[g], count = b->group_start[g + 1] - from;
    if (active && !active[g]) continue;
    if (enter_clue(c, g, b->group_count[g], b->members + from, count) != OK) return TOO_LARGE;
  }
  for (i32 x = 0; x < c->cells; x++) {
    if (state[x] < 0 || (active && !active[b->groups + x])) continue;
    if (enter_number(c, x) != OK) return TOO_LARGE;
  }
  seal_set(&c->seal, CLOSING, c->cells, b->groups + c->cells);
  return OK;
}

EXPORT(i32, mines_closure_log)(u8 *work, i32 count, i32 *rows) {
  Closure *c = (Closure *)work;
  if (!seal_holds(c, CLOSING) || count < 0 || count > c->rows) return BAD;
  for (i32 i = 0; i < count; i++) {
    const Row *r = c->row + i;
    i32 head[MINES_LOG_HEAD] = {r->kind, r->first, r->second, r->low, r->high, r->size, r->round};
    memcpy(rows, head, sizeof head);
    memcpy(rows + MINES_LOG_HEAD, mask_at(c, i), sizeof(u64) * (size_t)c->words);
    rows += MINES_LOG_HEAD + 2 * c->words;
  }
  return OK;
}

EXPORT(i32, mines_closure_rows)(u8 *work) {
  const Closure *c = (const Closure *)work;
  return seal_holds(c, CLOSING) ? c->rows : BAD;
}
