/* Which boards of a list nearly are one board: all pairs that differ in at most two cells.
 *
 * A cell lies in one band and one stack. So of two boards that differ in two cells some band and
 * some stack are equal: a CROSS of five boxes, 45 cells. Each board has nine crosses; the hash of a
 * cross's least form is its key. Boards that share no key differ in three cells or more; those that
 * share one are compared exactly (edits.c). That is linear in the list as long as few boards share
 * a cross, and misses nothing. A cross that breaks the rules has no least form; the hash of its cells
 * stands for it, so of two boards that both break the rules a pair may be missed.
 *
 *     work   Head   keys: 9 hashes a board   entries: (hash, board) twice   room of sudoku_puzzle
 *                                                                           (over the second half)
 *
 * Rejected: the least forms of a board without one or two of its givens as keys. As exact, but
 * 300 keys a board.
 */
#include "sudoku/board.h"
#include "edit_distance.h"

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

static void crosses(const u8 *board, u64 *keys, u8 *puzzle) {
  static u8 cells[CROSSES * CELLS], form[CROSSES * CELLS], maps[CROSSES * MAP];
  static i32 counts[CROSSES];
  for (i32 k = 0; k < CROSSES; k++)
    for (i32 i = 0; i < CELLS; i++)
      cells[CELLS * k + i] = i / 27 == k / 3 || i % 9 / 3 == k % 3 ? board[i] : 0;
  sudoku_puzzle(cells, CROSSES, 0, form, maps, counts, puzzle, PUZZLE_WORK);
  for (i32 k = 0; k < CROSSES; k++)
    keys[k] = hash_of((counts[k] < 0 ? cells : form) + CELLS * k) + (counts[k] < 0);
}

/* -- a list ---------------------------------------------------------------------------------- */

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

/* The keys of board number `at`; its entries lie behind those of the boards before it. */
static void take_keys(u8 *work, const u8 *board, i32 count, i32 at) {
  u64 keys[CROSSES];
  u8 *puzzle = (u8 *)(((uintptr_t)entries_of(work, count, 1) + 15) & ~(uintptr_t)15);
  crosses(board, keys, puzzle);
  for (i32 k = 0; k < CROSSES; k++) {
    keys_of(work)[CROSSES * at + k] = (u32)keys[k];
    entries_of(work, count, 0)[CROSSES * at + k] = (Entry){(u32)keys[k], at};
  }
}

/* One pass of a radix sort, from the lowest bits on; stable, so the boards stay in order. */
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

/* 1 if `hash` is the first of the keys of `a` that `b` has as well: a pair is compared once. */
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
  if (differ == NEAR_UNSETTLED || differ > h->most) return;
  i32 *out = run->found + 3 * run->number++;
  out[0] = a, out[1] = b, out[2] = differ;
}

/* Pairs in buckets of equal hashes, from where the last call stopped. */
static void run_pairs(Run *run) {
  Head *h = (Head *)run->work;
  const Entry *e = entries_of(run->work, run->count, PASSES & 1);
  const u32 *keys = keys_of(run->work);
  i32 all = CROSSES * run->count;
  for (; h->at < all; h->at++, h->other = 0) {
    Entry mine = e[h->at];
    run->units--;
    if (h->at > 0 && same(e[h->at - 1], mine)) continue; /* two crosses of one board are alike */
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

EXPORT(i32, sudoku_near_run)(u8 *work, const u8 *boards, i32 units, i32 *found, u8 *maps, i32 most) {
  Head *h = (Head *)work;
  if (!seal_holds(work, SEALED_NEAR) || units < 0 || most < 1) return BAD;
  i32 count = h->seal.first;
  Run run = {work, boards, found, maps, most, count, 0, units};
  while (run.units > 0 && run.number < most && h->stage < DONE) {
    if (h->stage == KEYS) {
      if (h->at < count) take_keys(work, boards + CELLS * h->at, count, h->at);
      run.units -= NEAR_BOARD;
      if (++h->at >= count) h->at = 0, h->stage++;
    } else if (h->stage < PAIRS) {
      sort_pass(work, count, h->stage++ - SORT);
      run.units -= count;
    } else {
      run_pairs(&run);
    }
  }
  return run.number;
}

EXPORT(i32, sudoku_near_state)(const u8 *work, i32 *state) {
  const Head *h = (const Head *)work;
  if (!seal_holds(work, SEALED_NEAR)) return BAD;
  state[0] = h->stage == DONE ? 2 : h->stage >= PAIRS;
  state[1] = h->stage == SORT || h->stage == DONE ? 0 : h->at;
  state[2] = h->unsettled;
  return OK;
}
