/* Near duplicates: all pairs of a list that differ in at most two cells after the best transform;
 * and distances between puzzles of one solution grid.
 *
 * Blocking: a cell is in one band and one stack, so two boards that differ in two cells agree in
 * some band and some stack, a CROSS of five boxes, 45 cells. The keys of a board are hashes of the
 * minlex forms of its nine crosses. Boards without a common key differ in three cells or more; the
 * others are compared exactly. That misses nothing and is linear in the list as long as few boards
 * share a cross. A cross that breaks the rules has no form; its key is a hash of its cells, so that
 * a pair may be missed if both boards break the rules.
 *
 *     work   Head   keys: 9 hashes a board   entries: (hash, board) twice   room of sudoku_puzzle
 *                                                                           (over the second half)
 *
 * Rejected: the forms of a board without one or two of its givens as keys. As exact, but 300 keys a
 * board.
 */
#include "sudoku/board.h"
#include "sudoku/tally.h"

/* -- two boards ------------------------------------------------------------------------------
 *
 * Exact branch and bound on the number of differing cells, if it is small. A cell differs if one
 * board has a given and the other none or another one. Lower bounds from counts of givens, which
 * every transform preserves, prune in the order
 *
 *  1 boxes: orientation, order of bands, order of stacks (72 ways);
 *  2 minicolumns: the order of the columns in each stack;
 *  3 rows, one after the other: cells filled on one side only, and of the cells filled on both
 *    sides those that no assignment of digits can make agree (tally.h);
 *  4 the best assignment of digits, exactly.
 *
 * Of transforms with equally few differing cells the one with the most agreeing givens is taken,
 * which has the fewest changed givens. So a cell filled on one side costs ONE_SIDED and a changed
 * given CHANGED; with at most two differing cells, the fewest cells come first.
 *
 * Of equal rows and columns and of empty bands and stacks of the source only one order is tried. */

enum { ONE_SIDED = 4, CHANGED = ONE_SIDED + 1 };

typedef struct {
  u8 cell[9][9];
  u32 filled[9];  /* bit c of row r: a given */
  u8 mini[3][9];  /* [band][column]: givens */
  u8 box[3][3];
  i32 givens;
} Side;

typedef struct {
  const Side *source, *target;
  i32 turned, limit, nodes; /* the greatest cost allowed, remaining nodes */
  i32 edits;                /* of the best transform so far */
  u8 band[3], stack[3], cols[9], rows[9];
  u8 cell[9][16]; /* source rows with the columns in order */
  u32 filled[9];
  u8 twin[9];     /* of a source row: 1 + an earlier one of its band with the same cells, or 0 */
  u8 *map;
} Fit;

/* A board as it is, or transposed. */
static __attribute__((noinline)) void near_read(const u8 *board, i32 turned, Side *side) {
  memset(side, 0, sizeof *side);
  for (i32 r = 0; r < 9; r++)
    for (i32 c = 0; c < 9; c++) {
      u8 digit = board[turned ? 9 * c + r : 9 * r + c];
      if (!digit || digit > 9) continue; /* the caller may have changed the boards meanwhile */
      side->cell[r][c] = digit;
      side->filled[r] |= 1u << c;
      side->mini[r / 3][c]++;
      side->box[r / 3][c / 3]++;
      side->givens++;
    }
}

/* Assigns the digits and keeps the transform if it is the best so far. */
static void assign_digits(Fit *f, const Tally *t, i32 differ, i32 both) {
  u8 label[10] = {0};
  i32 changed = both - assign(t, label), total = ONE_SIDED * differ + CHANGED * changed;
  if (total > f->limit) return;
  map_write(f->map, 9, f->turned, f->rows, f->cols, label);
  f->edits = differ + changed;
  /* Whether the number of changed givens is odd is fixed by the numbers of givens and of cells. */
  f->limit = changed > 1 ? total - 1 : CHANGED * (f->edits - 1);
}

/* Chooses source rows for target row r and those after it: `differ` cells are filled on one side
 * only so far, `both` on both sides. Recursion: nine levels. */
static void fit_row(Fit *f, i32 r, i32 differ, i32 both, const Tally *tally, u32 used) {
  if (r == 9) {
    assign_digits(f, tally, differ, both);
    return;
  }
  for (i32 i = 0; i < 3; i++) {
    i32 row = 3 * f->band[r / 3] + i, twin = f->twin[row];
    if (used >> row & 1 || (twin && !(used >> (twin - 1) & 1))) continue;
    i32 now = differ + __builtin_popcount(f->filled[row] ^ f->target->filled[r]);
    if (ONE_SIDED * now > f->limit || --f->nodes < 0) continue;
    i32 more = both + __builtin_popcount(f->filled[row] & f->target->filled[r]);
    Tally next = *tally;
    count_row(&next, f->target->cell[r], f->cell[row]);
    if (ONE_SIDED * now + CHANGED * (more - most_agreeing(&next)) > f->limit) continue;
    f->rows[r] = (u8)row;
    fit_row(f, r + 1, now, more, &next, used | 1u << row);
  }
}

static void fit_rows(Fit *f) {
  for (i32 r = 0; r < 9; r++) {
    f->filled[r] = f->twin[r] = 0;
    for (i32 c = 0; c < 9; c++) {
      f->cell[r][c] = f->source->cell[r][f->cols[c]];
      f->filled[r] |= (u32)(f->cell[r][c] != 0) << c;
    }
    for (i32 q = r / 3 * 3; q < r; q++)
      if (!memcmp(f->cell[q], f->cell[r], 9)) f->twin[r] = (u8)(q + 1);
  }
  Tally none;
  memset(&none, 0, sizeof none);
  fit_row(f, 0, 0, 0, &none, 0);
}

static i32 column_is_empty(const Side *s, i32 c) { return !(s->mini[0][c] | s->mini[1][c] | s->mini[2][c]); }

/* Orders the columns of target stack j and of those after it. Recursion: three levels. */
static void fit_columns(Fit *f, i32 j, i32 differ) {
  if (j == 3) {
    fit_rows(f);
    return;
  }
  const Side *s = f->source;
  for (i32 o = 0; o < 6; o++) {
    i32 sum = differ, order = 1, last = -1;
    for (i32 k = 0; k < 3; k++) {
      i32 from = 3 * f->stack[j] + ORDERS[o][k], to = 3 * j + k;
      for (i32 h = 0; h < 3; h++) sum += abs32(s->mini[f->band[h]][from] - f->target->mini[h][to]);
      f->cols[to] = (u8)from;
      if (!column_is_empty(s, from)) continue;
      order &= from > last; /* empty columns are equal: in ascending order only */
      last = from;
    }
    if (order && ONE_SIDED * sum <= f->limit && f->nodes > 0) fit_columns(f, j + 1, sum);
  }
}

static i32 chute_is_empty(const Side *s, i32 h, i32 stack) {
  for (i32 i = 0; i < 3; i++)
    if (stack ? s->box[i][h] : s->box[h][i]) return 0;
  return 1;
}

/* Whether empty bands (or stacks) are in ascending order. */
static i32 in_order(const Side *s, const u8 *chutes, i32 stack) {
  i32 last = -1;
  for (i32 k = 0; k < 3; k++) {
    if (!chute_is_empty(s, chutes[k], stack)) continue;
    if (chutes[k] < last) return 0;
    last = chutes[k];
  }
  return 1;
}

static void fit_boxes(Fit *f, i32 fewest) {
  for (i32 way = 0; way < 36; way++) {
    i32 sum = 0;
    memcpy(f->band, ORDERS[way / 6], 3);
    memcpy(f->stack, ORDERS[way % 6], 3);
    for (i32 h = 0; h < 3; h++)
      for (i32 j = 0; j < 3; j++)
        sum += abs32(f->source->box[f->band[h]][f->stack[j]] - f->target->box[h][j]);
    if (ONE_SIDED * sum > f->limit || f->limit < ONE_SIDED * fewest || f->nodes <= 0) continue;
    if (in_order(f->source, f->band, 0) && in_order(f->source, f->stack, 1)) fit_columns(f, 0, 0);
  }
}

/* The fewest differing cells of the target and the source (in both orientations) if they are at
 * most `most` (0 to 2), and a map that attains them with the most agreeing givens; else most + 1;
 * NEAR_UNSETTLED after NEAR_NODES nodes. *nodes is raised by the nodes visited. */
static i32 near_edits(const Side source[2], const Side *target, i32 most, u8 *map, i32 *nodes) {
  Fit f = {.target = target, .limit = CHANGED * most, .nodes = NEAR_NODES, .edits = most + 1, .map = map};
  i32 fewest = abs32(source->givens - target->givens);
  memset(f.cell, 0, sizeof f.cell);
  for (i32 t = 0; t < 2 && ONE_SIDED * fewest <= f.limit; t++) {
    f.source = &source[t];
    f.turned = t;
    fit_boxes(&f, fewest);
  }
  *nodes += NEAR_NODES - max32(f.nodes, 0);
  return f.nodes <= 0 && f.limit >= ONE_SIDED * fewest ? NEAR_UNSETTLED : f.edits;
}

/* -- puzzles of one grid ---------------------------------------------------------------------
 *
 * Puzzles are sets of cells (81 bits in 4 words): the Hamming distance of each to the nearest image
 * of another one under the grid's group. Cost: O(group x masks). */

static i32 hamming(const u32 *a, const u32 *b) {
  u64 low = (a[0] ^ b[0]) | (u64)(a[1] ^ b[1]) << 32;
  return popcount64(low) + __builtin_popcount(a[2] ^ b[2]);
}

EXPORT(i32, sudoku_mask_distance)(const u32 *mask, const u8 *maps, i32 group, const u32 *masks, i32 count,
                                  i32 *out) {
  static u32 images[MOST_GROUP][4];
  if (group < 1 || group > MOST_GROUP || count < 0) return BAD;
  memset(images, 0, sizeof images);
  for (i32 g = 0; g < group; g++) {
    const u8 *map = maps + MAP * g;
    for (i32 i = 0; i < 18; i++)
      if (map[1 + i] > 8) return BAD;
    for (i32 i = 0; i < CELLS; i++) {
      i32 cell = map_source(map, i / 9, i % 9);
      images[g][i / 32] |= (mask[cell / 32] >> cell % 32 & 1) << i % 32;
    }
  }
  for (i32 i = 0; i < count; i++) {
    i32 best = CELLS + 1, which = 0;
    for (i32 g = 0; g < group; g++) {
      i32 now = hamming(images[g], masks + 4 * i);
      if (now < best) best = now, which = g;
    }
    out[2 * i] = best, out[2 * i + 1] = which;
  }
  return count;
}

/* -- a list ---------------------------------------------------------------------------------- */

enum { CROSSES = 9, BITS = 11, PASSES = 3 }; /* a hash is sorted by 11, 11 and 10 bits */
enum { KEYS, SORT, PAIRS = SORT + PASSES, DONE };

typedef struct {
  u32 hash;
  i32 board;
} Entry;

typedef struct {
  Tag seal;
  i32 most, stage, at, other, unsettled;
} Head;

/* FNV-1a over the form's cells, mixed (Murmur3's finaliser). */
static u64 hash_of(const u8 *form) {
  u64 h = 0xcbf29ce484222325ull;
  for (i32 i = 0; i < CELLS; i++) h = (h ^ form[i]) * 0x100000001b3ull;
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdull;
  return h ^ h >> 33;
}

static void hash_crosses(const u8 *board, u64 *keys, u8 *puzzle) {
  static u8 cells[CROSSES * CELLS], form[CROSSES * CELLS], maps[CROSSES * MAP];
  static i32 counts[CROSSES];
  for (i32 k = 0; k < CROSSES; k++)
    for (i32 i = 0; i < CELLS; i++)
      cells[CELLS * k + i] = i / 27 == k / 3 || i % 9 / 3 == k % 3 ? board[i] : 0;
  sudoku_puzzle(cells, CROSSES, 0, form, maps, counts, puzzle, PUZZLE_WORK);
  for (i32 k = 0; k < CROSSES; k++)
    keys[k] = hash_of((counts[k] < 0 ? cells : form) + CELLS * k) + (counts[k] < 0);
}

static u32 *keys_of(u8 *work) { return (u32 *)(work + NEAR_HEAD); }
static Entry *entries_of(u8 *work, i32 count, i32 half) {
  return (Entry *)(work + NEAR_HEAD + (size_t)(4 + 8 * half) * CROSSES * (size_t)count);
}

EXPORT(i32, sudoku_near_begin)(const u8 *boards, i32 count, i32 most, u8 *work, i32 room) {
  if (count < 0 || most < 0 || most > 2 || room < NEAR_HEAD || ((uintptr_t)work & 15)) return BAD;
  Head *h = (Head *)work;
  seal_break(&h->seal);
  if (count > NEAR_MOST) return TOO_LARGE;
  if (room < NEAR_HEAD + 108 * count + max32(PUZZLE_WORK + 16, 72 * count)) return TOO_LARGE;
  *h = (Head){.most = most};
  for (i32 i = 0; i < CELLS * count; i++)
    if (boards[i] > 9) return BAD;
  seal_set(&h->seal, SEALED_NEAR, count, 0);
  return OK;
}

/* Writes the keys and entries of board number `at`. */
static void add_keys(u8 *work, const u8 *board, i32 count, i32 at) {
  u64 keys[CROSSES];
  u8 *puzzle = (u8 *)(((uintptr_t)entries_of(work, count, 1) + 15) & ~(uintptr_t)15);
  hash_crosses(board, keys, puzzle);
  for (i32 k = 0; k < CROSSES; k++) {
    keys_of(work)[CROSSES * at + k] = (u32)keys[k];
    entries_of(work, count, 0)[CROSSES * at + k] = (Entry){(u32)keys[k], at};
  }
}

/* One pass of an LSD radix sort; stable, so the boards of a bucket stay in order. */
static void sort_pass(u8 *work, i32 count, i32 pass) {
  static u32 starts[1 << BITS];
  Entry *from = entries_of(work, count, pass & 1), *to = entries_of(work, count, !(pass & 1));
  i32 all = CROSSES * count, shift = BITS * pass;
  u32 sum = 0, mask = (1u << BITS) - 1;
  memset(starts, 0, sizeof starts);
  for (i32 i = 0; i < all; i++) starts[from[i].hash >> shift & mask]++;
  for (u32 d = 0; d <= mask; d++) {
    u32 here = starts[d];
    starts[d] = sum;
    sum += here;
  }
  for (i32 i = 0; i < all; i++) to[starts[from[i].hash >> shift & mask]++] = from[i];
}

/* Whether `hash` is the first common key of `a` and `b`: a pair is compared once. */
static i32 first_shared(const u32 *a, const u32 *b, u32 hash) {
  for (i32 i = 0; a[i] != hash; i++)
    for (i32 k = 0; k < CROSSES; k++)
      if (a[i] == b[k]) return 0;
  return 1;
}

static i32 same(Entry a, Entry b) { return a.hash == b.hash && a.board == b.board; }

typedef struct {
  u8 *work;
  const u8 *boards;
  i32 *found;
  u8 *maps;
  i32 most, count, number, units;
} Run;

static void compare(Run *run, i32 a, i32 b) {
  Head *h = (Head *)run->work;
  Side from[2], to;
  i32 nodes = 0;
  for (i32 t = 0; t < 2; t++) near_read(run->boards + CELLS * a, t, &from[t]);
  near_read(run->boards + CELLS * b, 0, &to);
  i32 differ = near_edits(from, &to, h->most, run->maps + MAP * run->number, &nodes);
  run->units -= 32 + nodes;
  h->unsettled += differ == NEAR_UNSETTLED;
  if (differ > h->most) return; /* NEAR_UNSETTLED as well */
  i32 *out = run->found + 3 * run->number++;
  out[0] = a, out[1] = b, out[2] = differ;
}

/* Compares the pairs of buckets of equal hashes, from where the last call stopped. */
static void compare_pairs(Run *run) {
  Head *h = (Head *)run->work;
  const Entry *e = entries_of(run->work, run->count, PASSES & 1);
  const u32 *keys = keys_of(run->work);
  i32 all = CROSSES * run->count;
  for (; h->at < all; h->at++, h->other = 0) {
    Entry mine = e[h->at];
    run->units--;
    if (h->at > 0 && same(e[h->at - 1], mine)) continue; /* two crosses of one board are equal */
    for (i32 i = max32(h->other, h->at + 1); i < all && e[i].hash == mine.hash; i++) {
      run->units--;
      if (!same(e[i - 1], e[i]) &&
          first_shared(keys + CROSSES * mine.board, keys + CROSSES * e[i].board, mine.hash))
        compare(run, mine.board, e[i].board);
      h->other = i + 1;
      if (run->units <= 0 || run->number == run->most) return;
    }
    if (run->units > 0) continue;
    h->at++, h->other = 0;
    return;
  }
  h->stage = DONE;
}

EXPORT(i32, sudoku_near_run)(u8 *work, const u8 *boards, i32 units, i32 *found, u8 *maps, i32 most,
                             i32 *state) {
  Head *h = (Head *)work;
  if (!seal_holds(work, SEALED_NEAR) || units < 0 || most < 1) return BAD;
  i32 count = h->seal.first;
  Run run = {work, boards, found, maps, most, count, 0, units};
  while (run.units > 0 && run.number < most && h->stage < DONE) {
    if (h->stage == KEYS) {
      if (h->at < count) add_keys(work, boards + CELLS * h->at, count, h->at);
      run.units -= NEAR_BOARD;
      if (++h->at >= count) h->at = 0, h->stage++;
    } else if (h->stage < PAIRS) {
      sort_pass(work, count, h->stage++ - SORT);
      run.units -= count;
    } else {
      compare_pairs(&run);
    }
  }
  state[0] = h->stage == DONE ? 2 : h->stage >= PAIRS;
  state[1] = h->stage == SORT || h->stage == DONE ? 0 : h->at;
  state[2] = h->unsettled;
  return run.number;
}
