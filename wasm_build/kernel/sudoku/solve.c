/* Counting the solutions of 9x9 puzzles.
 *
 * Each digit by itself, to a fixpoint, by two tables that contain hidden singles in rows, columns
 * and boxes and every locked-candidate step:
 *
 *    rows     the 9 minirows of a band (3 rows x 3 boxes) that hold a candidate; a digit fills
 *             three of them, a permutation: keep the union of the permutations that fit
 *    columns  the same for a stack: 3 bands x 3 columns
 *
 * Across digits by vector: a row with one candidate left fixes a cell, which the other eight
 * digits lose. When no digit is dirty, an adder of bits over the nine vectors finds all empty,
 * single and two-candidate cells of the board at once. The guess is a two-candidate cell in the
 * band with the fewest open cells; its second alternative runs in place, so a guess copies once.
 *
 * Rejected: exact cover by linked lists (a tenth of the speed), 256-bit vectors (WebAssembly has
 * none), bands in separate arrays (the adder wants them in one vector).
 */
#include "sudoku/solve.h"

#include "sudoku/board.h"

#define BAND_CELLS 0x7FFFFFFu
#define ROW_CELLS 511u
#define EVERY_ROW 0x40201u /* one bit a row of a band */

static u8 occupied[512];       /* nine cells of a row -> which of its three minirows have any */
static u32 row_union[512];     /* minirows -> cells of the permutations they contain */
static u16 column_union[512];  /* bands x columns -> those of the permutations they contain */
static u32 spread[512];        /* nine columns -> one row (3 columns) of each of three stacks */
static u16 lone[512];          /* the row itself if it has at most one candidate, else 0 */
static i32 ready;

static void prepare(void) {
  static const u8 orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  if (ready) return;
  ready = 1;
  for (u32 m = 0; m < 512; m++) {
    occupied[m] = (u8)((m & 7 ? 1 : 0) | (m & 070 ? 2 : 0) | (m & 0700 ? 4 : 0));
    lone[m] = (u16)(m & (m - 1) ? 0 : m);
    spread[m] = (m & 7) | (m >> 3 & 7) << 9 | (m >> 6) << 18;
    u32 kept = 0, cells = 0;
    for (i32 i = 0; i < 6; i++) {
      u32 p = 1u << orders[i][0] | 8u << orders[i][1] | 64u << orders[i][2];
      if ((m & p) == p) kept |= p;
    }
    for (u32 i = 0; i < 9; i++)
      if (kept >> i & 1) cells |= 7u << (3 * i);
    column_union[m] = (u16)kept;
    row_union[m] = cells;
  }
}

static inline u32 by_rows(u32 band) {
  return band & row_union[occupied[band & 511] | occupied[band >> 9 & 511] << 3 |
                          occupied[band >> 18 & 511] << 6];
}
static inline u32 columns_of(u32 band) { return (band | band >> 9 | band >> 18) & 511; }

/* One digit's own rules to their fixpoint; 0 = it has no place in some band. */
static inline i32 settle_digit(u32 *bands) {
  u32 a = bands[0], b = bands[1], c = bands[2];
  for (;;) {
    a = by_rows(a), b = by_rows(b), c = by_rows(c);
    if (!a || !b || !c) return 0;
    /* one word a stack: 3 bands x 3 columns in 9 bits, the stacks 9 bits apart */
    u32 f = spread[columns_of(a)] | spread[columns_of(b)] << 3 | spread[columns_of(c)] << 6;
    u32 s0 = column_union[f & 511], s1 = column_union[f >> 9 & 511], s2 = column_union[f >> 18];
    u32 keep_a = (s0 & 7) | (s1 & 7) << 3 | (s2 & 7) << 6;
    u32 keep_b = (s0 >> 3 & 7) | (s1 & 070) | (s2 & 070) << 3;
    u32 keep_c = s0 >> 6 | s1 >> 6 << 3 | (s2 & 0700);
    u32 na = a & keep_a * EVERY_ROW, nb = b & keep_b * EVERY_ROW, nc = c & keep_c * EVERY_ROW;
    if (na == a && nb == b && nc == c) break;
    a = na, b = nb, c = nc;
  }
  bands[0] = a, bands[1] = b, bands[2] = c;
  return 1;
}

static inline u32 lone_cells(u32 band) {
  return lone[band & 511] | (u32)lone[band >> 9 & 511] << 9 | (u32)lone[band >> 18] << 18;
}

/* The cells `single` have no other digit: their rows lose this digit elsewhere. 0 = two in a row */
static inline i32 keep_in_rows(u32 *band, u32 single) {
  for (i32 at = 0; at < 27; at += 9) {
    u32 here = single & ROW_CELLS << at;
    if (!here) continue;
    if (here & (here - 1)) return 0;
    *band &= ~(ROW_CELLS << at) | here;
  }
  return 1;
}

/* Runs the rules of dirty digits until none is. */
static inline i32 settle_digits(Candidates *s) {
  while (s->dirty) {
    i32 d = __builtin_ctz(s->dirty);
    s->dirty &= s->dirty - 1;
    u32 *bands = s->digit[d];
    if (!settle_digit(bands)) return 0;
    u32 fresh[4] __attribute__((aligned(16))) = {lone_cells(bands[0]) & ~s->fixed[0],
                                                 lone_cells(bands[1]) & ~s->fixed[1],
                                                 lone_cells(bands[2]) & ~s->fixed[2], 0};
    if (!(fresh[0] | fresh[1] | fresh[2])) continue;
    Bytes cells = load16(fresh);
    store16(s->fixed, either(load16(s->fixed), cells));
    for (i32 e = 0; e < 9; e++) {
      Bytes other = load16(s->digit[e]);
      if (e == d || !any_bit(both(other, cells))) continue;
      store16(s->digit[e], without(other, cells));
      s->dirty |= 1u << e;
    }
  }
  return 1;
}

typedef enum { DEAD, SOLVED, OPEN } Outcome;

/* Every rule to the fixpoint. If OPEN, `two` and `more` are the cells with 2 and > 2 candidates. */
static Outcome settle(Candidates *s, Bytes *two, Bytes *more) {
  const Bytes full = wasm_u32x4_make(BAND_CELLS, BAND_CELLS, BAND_CELLS, 0);
  for (;;) {
    if (!settle_digits(s)) return DEAD;
    Bytes fixed = load16(s->fixed);
    if (equal_lanes(fixed, full) == 0xFFFF) return SOLVED;
    Bytes once = all16(0), twice = once, thrice = once;
    for (i32 d = 0; d < 9; d++) {
      Bytes here = load16(s->digit[d]);
      thrice = either(thrice, both(twice, here));
      twice = either(twice, both(once, here));
      once = either(once, here);
    }
    if (equal_lanes(once, full) != 0xFFFF) return DEAD;
    Bytes single = without(without(once, twice), fixed);
    if (!any_bit(single)) {
      *two = without(twice, thrice);
      *more = thrice;
      return OPEN;
    }
    for (i32 d = 0; d < 9; d++) {
      u32 cells[4] __attribute__((aligned(16)));
      store16(cells, both(load16(s->digit[d]), single));
      if (!(cells[0] | cells[1] | cells[2])) continue;
      for (i32 k = 0; k < 3; k++)
        if (!keep_in_rows(&s->digit[d][k], cells[k])) return DEAD;
      s->dirty |= 1u << d;
    }
  }
}

static void report(Hunt *hunt, const Candidates *s) {
  if (hunt->first && hunt->found < 2)
    for (i32 d = 0; d < 9; d++)
      for (i32 k = 0; k < 3; k++)
        for (u32 left = s->digit[d][k]; left; left &= left - 1)
          hunt->first[CELLS * hunt->found + 27 * k + __builtin_ctz(left)] = (u8)(d + 1);
  hunt->found++;
}

typedef struct {
  i32 band;
  u32 cell; /* one bit */
} Place;

static Place random_place(u64 *random, const u32 *cells) {
  i32 n[3] = {__builtin_popcount(cells[0]), __builtin_popcount(cells[1]),
              __builtin_popcount(cells[2])};
  u32 k = sudoku_below(random, (u32)(n[0] + n[1] + n[2]));
  i32 band = 0;
  while (k >= (u32)n[band]) k -= (u32)n[band++];
  u32 left = cells[band];
  while (k--) left &= left - 1;
  return (Place){band, left & -left};
}

/* A two-candidate cell in the band with the fewest open cells. */
static Place two_candidates(const Candidates *s, const u32 *cells) {
  i32 best = 0, least = 99;
  for (i32 k = 0; k < 3; k++) {
    i32 open = 27 - __builtin_popcount(s->fixed[k]);
    if (cells[k] && open < least) best = k, least = open;
  }
  return (Place){best, cells[best] & -cells[best]};
}

static Place fewest_candidates(const Candidates *s, const u32 *cells) {
  Place best = {0, 0};
  i32 least = 99;
  for (i32 k = 0; k < 3 && least > 3; k++)
    for (u32 left = cells[k]; left && least > 3; left &= left - 1) {
      u32 cell = left & -left;
      i32 count = 0;
      for (i32 d = 0; d < 9; d++) count += (s->digit[d][k] & cell) != 0;
      if (count < least) least = count, best = (Place){k, cell};
    }
  return best;
}

static Place choose_place(const Hunt *hunt, const Candidates *s, Bytes two, Bytes more) {
  u32 cells[4] __attribute__((aligned(16)));
  if (any_bit(two)) {
    store16(cells, two);
    return hunt->random ? random_place(hunt->random, cells) : two_candidates(s, cells);
  }
  store16(cells, more);
  return hunt->random ? random_place(hunt->random, cells) : fewest_candidates(s, cells);
}

static i32 take_digit(Hunt *hunt, u32 digits) {
  if (hunt->random)
    for (u32 skip = sudoku_below(hunt->random, (u32)__builtin_popcount(digits)); skip--;)
      digits &= digits - 1;
  return __builtin_ctz(digits);
}

static inline void fix(Candidates *s, i32 d, Place at) {
  u32 row = ROW_CELLS << (__builtin_ctz(at.cell) / 9 * 9);
  s->digit[d][at.band] = (s->digit[d][at.band] & ~row) | at.cell;
  s->dirty |= 1u << d;
}

void sudoku_hunt(Hunt *hunt, Candidates *s) {
  Bytes two, more;
  for (;;) {
    Outcome outcome = settle(s, &two, &more);
    if (outcome == SOLVED) report(hunt, s);
    if (outcome != OPEN || ++hunt->guesses > MOST_GUESSES) return;
    Place at = choose_place(hunt, s, two, more);
    u32 digits = 0;
    for (u32 d = 0; d < 9; d++)
      if (s->digit[d][at.band] & at.cell) digits |= 1u << d;
    while (digits & (digits - 1)) {
      i32 d = take_digit(hunt, digits);
      digits &= ~(1u << d);
      Candidates child = *s;
      fix(&child, d, at);
      sudoku_hunt(hunt, &child);
      if (hunt->found >= hunt->limit || hunt->guesses > MOST_GUESSES) return;
      s->digit[d][at.band] &= ~at.cell;
      s->dirty |= 1u << d;
    }
    fix(s, __builtin_ctz(digits), at); /* the last alternative needs no copy */
  }
}

void sudoku_load(Candidates *s, const u8 *board) {
  u32 given[3] = {0, 0, 0}, own[9][3];
  prepare();
  memset(s, 0, sizeof *s);
  memset(own, 0, sizeof own);
  for (i32 d = 0; d < 9; d++)
    for (i32 k = 0; k < 3; k++) s->digit[d][k] = BAND_CELLS;
  for (i32 i = 0; i < CELLS; i++) {
    if (!board[i]) continue;
    i32 d = board[i] - 1, k = i / 27, at = i % 27;
    u32 cell = 1u << at;
    given[k] |= cell;
    own[d][k] |= cell;
    s->digit[d][k] &= ~(ROW_CELLS << (at / 9 * 9)) | cell;
  }
  for (i32 d = 0; d < 9; d++)
    for (i32 k = 0; k < 3; k++) s->digit[d][k] &= ~(given[k] & ~own[d][k]);
  s->dirty = 511;
}

EXPORT(i32, sudoku_solve)(const u8 *puzzles, i32 count, i32 limit, u8 *found, i32 *counts) {
  if (count < 0 || limit < 1 || limit > 1000) return BAD;
  for (i32 i = 0; i < count; i++) {
    Candidates s;
    Hunt hunt = {.limit = limit, .first = found + 2 * CELLS * i};
    if (!board_is_legal(puzzles + CELLS * i)) {
      counts[i] = BAD;
      continue;
    }
    sudoku_load(&s, puzzles + CELLS * i);
    sudoku_hunt(&hunt, &s);
    counts[i] = hunt.guesses > MOST_GUESSES && hunt.found < limit ? TOO_LARGE : hunt.found;
  }
  return count;
}
