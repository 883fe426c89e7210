/* Count the solutions of 9x9 puzzles: bitboards by digit and band, propagated by table look-ups,
 * and depth-first search.
 *
 * Each digit is propagated by itself by two tables, which contain hidden singles in rows, columns
 * and boxes and all locked candidates:
 *
 *    rows     the 9 minirows of a band (3 rows x 3 boxes) that hold a candidate; a digit fills
 *             three of them, a permutation: keep the union of the permutations that fit
 *    columns  the same for a stack: 3 bands x 3 columns
 *
 * A row with one candidate left fixes a cell, which the other eight digits lose. This is done in
 * rounds: each table is applied once to every digit that changed, without waiting for the others,
 * and all cells that became fixed are erased together. When no digit is dirty, a bit-sliced adder
 * over the nine vectors finds all empty, single and two-candidate cells of the board at once. The
 * branching cell has two candidates and is in the band with the fewest open cells; the last
 * alternative is searched in place, so a guess copies once.
 *
 * Rejected: exact cover by dancing links (a tenth of the speed); 256-bit vectors (WebAssembly has
 * none); bands in separate arrays (the adder needs them in one vector); each digit to its own fixed
 * point, its fixed cells erased at once (fewer steps, but each depends on the one before, and loop
 * ends mispredict: rounds take two thirds of the time).
 */
#include "solver.h"

#include "sudoku/board.h"

#define BAND_CELLS 0x7FFFFFFu
#define ROW_CELLS 511u
#define EVERY_ROW 0x40201u /* one bit a row of a band */
#define OUTER_ROWS (ROW_CELLS | ROW_CELLS << 18)
#define INNER_ROW (ROW_CELLS << 9)
#define ABOVE_OUTER (1u << 9 | 1u << 27)
#define ABOVE_INNER (1u << 18)
#define EVERY_DIGIT 0x111111111ull /* as Candidates.dirty has them */
#define FIRST_OF_MINIROWS 0111111111u

static u32 row_union[512]; /* minirows -> cells of the permutations they contain */
static u32 spread[512];    /* nine columns -> one row (3 columns) of each of three stacks */
/* bands x columns of the first stack -> each band's cells of the permutations they contain */
static u32 column_union[512][4] __attribute__((aligned(16)));
static i32 ready;

static void prepare(void) {
  if (ready) return;
  ready = 1;
  for (u32 m = 0; m < 512; m++) {
    spread[m] = (m & 7) | (m >> 3 & 7) << 9 | (m >> 6) << 18;
    u32 minirows = 0, cells = 0;
    for (i32 i = 0; i < 6; i++) {
      u32 p = 1u << ORDERS[i][0] | 8u << ORDERS[i][1] | 64u << ORDERS[i][2];
      if ((m & p) == p) minirows |= p;
    }
    for (u32 i = 0; i < 9; i++)
      if (minirows >> i & 1) cells |= 7u << (3 * i);
    row_union[m] = cells;
    for (u32 k = 0; k < 3; k++) column_union[m][k] = (minirows >> (3 * k) & 7) * EVERY_ROW;
  }
}

/* The minirows of a band that have candidates: nine bits; those above are unspecified. */
static inline Bytes minirows_of(Bytes bands) {
  Bytes cells = either(bands, either(shift_down(bands, 1), shift_down(bands, 2)));
  Bytes first = both(cells, all_lanes(FIRST_OF_MINIROWS));
  Bytes three = either(first, either(shift_down(first, 2), shift_down(first, 4)));
  Bytes rows = both(three, all_lanes(7 * EVERY_ROW));
  return either(rows, either(shift_down(rows, 6), shift_down(rows, 12)));
}

static inline Bytes by_rows(Bytes bands) {
  Bytes at = minirows_of(bands);
  return both(bands, three_lanes(row_union[lane32(at, 0) & 511], row_union[lane32(at, 1) & 511],
                                 row_union[lane32(at, 2) & 511]));
}

static inline Bytes by_columns(Bytes bands) {
  Bytes columns = either(bands, either(shift_down(bands, 9), shift_down(bands, 18)));
  /* one word a stack: 3 bands x 3 columns in 9 bits, the stacks 9 bits apart */
  u32 f = spread[lane32(columns, 0) & 511] | spread[lane32(columns, 1) & 511] << 3 |
          spread[lane32(columns, 2) & 511] << 6;
  Bytes first = load16(column_union[f & 511]), second = load16(column_union[f >> 9 & 511]);
  Bytes third = load16(column_union[f >> 18]);
  return both(bands, either(first, either(shift_up(second, 3), shift_up(third, 6))));
}

/* All cells of the rows with any. Rows 1 and 3 of a band are computed together with a free bit
 * above each, row 2 separately. */
static inline Bytes filled_rows(Bytes bands) {
  const Bytes outer = all_lanes(OUTER_ROWS), inner = all_lanes(INNER_ROW);
  Bytes a = both(plus(both(bands, outer), outer), all_lanes(ABOVE_OUTER));
  Bytes b = both(plus(both(bands, inner), inner), all_lanes(ABOVE_INNER));
  Bytes above = either(a, b);
  return minus(above, shift_down(above, 9));
}

/* The cells of rows that hold one candidate and no second: x & (x - 1) is 0 there. */
static inline Bytes lone_cells(Bytes bands) {
  Bytes a = both(bands, all_lanes(OUTER_ROWS)), b = both(bands, all_lanes(INNER_ROW));
  Bytes more_a = both(a, minus(either(a, all_lanes(ABOVE_OUTER)), all_lanes(1u | 1u << 18)));
  Bytes more_b = both(b, minus(b, all_lanes(1u << 9)));
  return without(bands, filled_rows(either(more_a, more_b)));
}

/* Erases newly fixed cells from the other digits; returns the dirty bits of the changed digits. */
static inline u64 erase(Candidates *s, Bytes cells, const Bytes own[9]) {
  Bytes lost[9];
  for (i32 d = 0; d < 9; d++) {
    Bytes here = load16(s->digit[d]);
    lost[d] = both(here, without(cells, own[d]));
    store16(s->digit[d], differing(here, lost[d]));
  }
  return positive_lanes(lost[0], lost[1], lost[2], lost[3]) |
         (u64)positive_lanes(lost[4], lost[5], lost[6], lost[7]) << 16 | (u64)any_bit(lost[8]) << 32;
}

/* Rounds until no digit is dirty; 0 if a digit has no place in some band. (The tables then leave it
 * no candidate in the other bands either.) */
static inline i32 propagate_digits(Candidates *s) {
  Bytes fixed = load16(s->fixed);
  while (s->dirty) {
    Bytes fresh[9], cells = all16(0), twice = cells;
    for (i32 d = 0; d < 9; d++) fresh[d] = cells;
    u64 dirty = s->dirty, again = 0;
    while (dirty) {
      i32 d = __builtin_ctzll(dirty) >> 2;
      dirty &= ~(15ull << 4 * d);
      Bytes once = by_rows(load16(s->digit[d])), bands = by_columns(once);
      again |= (u64)any_bit(differing(once, bands)) << 4 * d;
      store16(s->digit[d], bands);
      if (!any_bit(bands)) return 0;
      fresh[d] = without(lone_cells(bands), fixed);
      twice = either(twice, both(cells, fresh[d])); /* fixed for two digits */
      cells = either(cells, fresh[d]);
    }
    s->dirty = again;
    if (!any_bit(cells)) continue;
    if (any_bit(twice)) return 0;
    fixed = either(fixed, cells);
    s->dirty |= erase(s, cells, fresh);
  }
  store16(s->fixed, fixed);
  return 1;
}

typedef enum { DEAD, SOLVED, OPEN } Outcome;

/* Propagates to the fixed point. If OPEN, `two` and `more` are the cells with 2 and > 2
 * candidates. */
static Outcome propagate(Candidates *s, Bytes *two, Bytes *more) {
  const Bytes full = three_lanes(BAND_CELLS, BAND_CELLS, BAND_CELLS);
  for (;;) {
    if (!propagate_digits(s)) return DEAD;
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
    for (i32 d = 0; d < 9; d++) { /* their rows lose this digit elsewhere */
      Bytes here = load16(s->digit[d]), cells = both(here, single);
      if (!any_bit(cells)) continue;
      if (any_bit(without(cells, lone_cells(cells)))) return DEAD;
      store16(s->digit[d], either(cells, without(here, filled_rows(cells))));
      s->dirty |= 1ull << 4 * d;
    }
  }
}

static void record_solution(Solve *solve, const Candidates *s) {
  if (solve->first && solve->found < 2)
    for (i32 d = 0; d < 9; d++)
      for (i32 k = 0; k < 3; k++)
        for (u32 left = s->digit[d][k], i = 0; i < 3; i++, left &= left - 1) /* 3 in a band */
          solve->first[CELLS * solve->found + 27 * k + __builtin_ctz(left)] = (u8)(d + 1);
  solve->found++;
}

typedef struct {
  i32 band;
  u32 cell; /* one bit */
} Place;

static Place random_place(u64 *random, const u32 *cells) {
  i32 n[3] = {__builtin_popcount(cells[0]), __builtin_popcount(cells[1]), __builtin_popcount(cells[2])};
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

static Place choose_place(const Solve *solve, const Candidates *s, Bytes two, Bytes more) {
  u32 cells[4] __attribute__((aligned(16)));
  if (any_bit(two)) {
    store16(cells, two);
    return solve->random ? random_place(solve->random, cells) : two_candidates(s, cells);
  }
  store16(cells, more);
  return solve->random ? random_place(solve->random, cells) : fewest_candidates(s, cells);
}

static i32 choose_digit(Solve *solve, u32 digits) {
  if (solve->random)
    for (u32 skip = sudoku_below(solve->random, (u32)__builtin_popcount(digits)); skip--;)
      digits &= digits - 1;
  return __builtin_ctz(digits);
}

static inline void fix(Candidates *s, i32 d, Place at) {
  u32 row = ROW_CELLS << (__builtin_ctz(at.cell) / 9 * 9);
  s->digit[d][at.band] = (s->digit[d][at.band] & ~row) | at.cell;
  s->dirty |= 1ull << 4 * d;
}

void sudoku_search(Solve *solve, Candidates *s) {
  Bytes two, more;
  for (;;) {
    Outcome outcome = propagate(s, &two, &more);
    if (outcome == SOLVED) record_solution(solve, s);
    if (outcome != OPEN || ++solve->guesses > MOST_GUESSES) return;
    Place at = choose_place(solve, s, two, more);
    u32 digits = 0;
    for (u32 d = 0; d < 9; d++)
      if (s->digit[d][at.band] & at.cell) digits |= 1u << d;
    while (digits & (digits - 1)) {
      i32 d = choose_digit(solve, digits);
      digits &= ~(1u << d);
      Candidates child = *s;
      fix(&child, d, at);
      sudoku_search(solve, &child);
      if (solve->found >= solve->limit || solve->guesses > MOST_GUESSES) return;
      s->digit[d][at.band] &= ~at.cell;
      s->dirty |= 1ull << 4 * d;
    }
    fix(s, __builtin_ctz(digits), at); /* the last alternative needs no copy */
  }
}

/* The cells of a band, one bit each, that hold a digit: from vectors of cells 0..15 and 11..26. */
static inline u32 cells_with(const Bytes band[2], Bytes digit) {
  return equal_lanes(band[0], digit) | equal_lanes(band[1], digit) << 11;
}

void sudoku_load(Candidates *s, const u8 *board) {
  const Bytes full = three_lanes(BAND_CELLS, BAND_CELLS, BAND_CELLS);
  Bytes band[3][2], own[9], given = all16(0);
  prepare();
  for (i32 k = 0; k < 3; k++) {
    band[k][0] = load16(board + 27 * k);
    band[k][1] = load16(board + 27 * k + 11);
  }
  for (i32 d = 0; d < 9; d++) {
    Bytes digit = all16(d + 1);
    own[d] = three_lanes(cells_with(band[0], digit), cells_with(band[1], digit), cells_with(band[2], digit));
    given = either(given, own[d]);
  }
  for (i32 d = 0; d < 9; d++) { /* tables do the columns and boxes */
    Bytes taken = either(given, filled_rows(own[d]));
    store16(s->digit[d], either(own[d], without(full, taken)));
  }
  store16(s->fixed, given);
  s->dirty = EVERY_DIGIT;
}

EXPORT(i32, sudoku_solve)(const u8 *puzzles, i32 count, i32 limit, u8 *found, i32 *counts) {
  if (count < 0 || limit < 1 || limit > 1000) return BAD;
  for (i32 i = 0; i < count; i++) {
    Candidates s;
    Solve solve = {.limit = limit, .first = found + 2 * CELLS * i};
    if (!board_is_legal(puzzles + CELLS * i)) {
      counts[i] = BAD;
      continue;
    }
    sudoku_load(&s, puzzles + CELLS * i);
    sudoku_search(&solve, &s);
    counts[i] = solve.guesses > MOST_GUESSES && solve.found < limit ? TOO_LARGE : solve.found;
  }
  return count;
}
