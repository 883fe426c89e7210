/* Cell sizes of all guesses of one colour multiset over many secrets, for four pegs (method in
 * splits.h).
 */
#include "splits.h"

enum { P = RUN_PEGS, ROWS = P * MAX_COLOURS, NOT_COUNTED = -1 };
enum { COLUMNS_HELD = 62, SECRETS_HELD = 255 }; /* until a byte counter may overflow */

/* Of the current secrets; static, since a Tally is on the stack. */
static i32 pair_counts[ROWS][2 * ROWS]; /* of secrets in an exact row and another row */
static u32 secret_of[RUN_SECRETS];  /* four bits a peg: colour - 1 */

/* Of the current run: the secrets with a total of three, then those of four; and the sum of the
 * totals of the secrets that show a symbol on a peg. */
static u32 compared[RUN_SECRETS / RUN_SHARE];
static i32 compared_from[P + 2];
static i32 paired_sum[P][SYMBOLS];

static i32 row_of(const Rules *rules, i32 peg, i32 symbol) { return peg * rules->colours + symbol - 1; }

static void read_secrets(const Tally *tally) {
  memset(secret_of, 0, sizeof(u32) * 64 * (size_t)tally->columns);
  for (i32 peg = 0; peg < P; peg++)
    for (i32 symbol = 2; symbol <= tally->rules.colours; symbol++)
      for (i32 column = 0; column < tally->columns; column++)
        for (u64 left = tally->exact[peg][symbol][column]; left; left &= left - 1)
          secret_of[64 * column + __builtin_ctzll(left)] |= (u32)(symbol - 1) << 4 * peg;
}

i32 code_runs_start(const Tally *tally, i32 guesses) {
  if (tally->rules.feedback != FULL || tally->rules.pegs != P || tally->n > RUN_SECRETS) return 0;
  if ((i64)guesses * tally->columns < RUN_WORK) return 0;
  memset(pair_counts, NOT_COUNTED, sizeof pair_counts);
  read_secrets(tally);
  return 1;
}

static i32 ones_in_both(const u64 *one, const u64 *other, i32 columns) {
  i32 ones = columns & 1 ? popcount64(one[columns - 1] & other[columns - 1]) : 0;
  for (i32 column = 0; column + 1 < columns;) {
    v128_t bytes = wasm_i8x16_splat(0);
    for (i32 end = min32(columns - 1, column + COLUMNS_HELD); column < end; column += 2) {
      v128_t lanes = wasm_v128_and(wasm_v128_load(one + column), wasm_v128_load(other + column));
      bytes = wasm_i8x16_add(bytes, wasm_i8x16_popcnt(lanes));
    }
    v128_t sums = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(bytes));
    ones += wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) +
            wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
  }
  return ones;
}

/* Counts the secrets with that symbol at that peg that are also in another row, exact or match. */
static i32 count_pair(const Tally *tally, i32 peg, i32 symbol, i32 other) {
  i32 *count = &pair_counts[row_of(&tally->rules, peg, symbol)][other];
  if (*count == NOT_COUNTED) {
    const u64 *row = tally->exact[0][1] + (size_t)other * (size_t)tally->columns;
    *count = ones_in_both(tally->exact[peg][symbol], row, tally->columns);
  }
  return *count;
}

/* The sum of the totals with a guess, over the secrets with that symbol at that peg. */
static i32 matches_at(const Tally *tally, Code guess, i32 peg, i32 symbol) {
  u8 copies[SYMBOLS] = {0};
  i32 sum = 0;
  for (i32 i = 0; i < P; i++) {
    i32 own = code_symbol(guess, i), copy = copies[own]++;
    if (own) sum += count_pair(tally, peg, symbol, row_of(&tally->rules, P + copy, own));
  }
  return sum;
}

i32 code_runs_take(const Tally *tally, Code guess) {
  if ((tally->many[3] + tally->many[4]) * RUN_SHARE > (u32)tally->n) return 0;
  i32 at = 0;
  for (i32 t = 3; t <= P; t++) {
    const u64 *lanes = tally->total + (size_t)(t - 1) * (size_t)tally->columns;
    compared_from[t] = at;
    for (i32 column = 0; column < tally->columns; column++)
      for (u64 left = lanes[column]; left; left &= left - 1)
        compared[at++] = secret_of[64 * column + __builtin_ctzll(left)];
  }
  compared_from[P + 1] = at;
  for (i32 peg = 0; peg < P; peg++)
    for (i32 i = 0; i < P; i++) {
      i32 symbol = code_symbol(guess, i);
      if (symbol) paired_sum[peg][symbol] = matches_at(tally, guess, peg, symbol);
    }
  return 1;
}

/* 1 if an answer may have x exact matches of t in total. */
INLINE i32 is_possible(const i32 x, const i32 t) { return x != P - 1 || t != P; }

/* Counts the secrets of total t: sums[x][g] of them have x exact matches with guess g. `fits` is 1
 * where a guess has a colour at a peg. */
INLINE void count_exact(const i32 t, u8 fits[P][MAX_COLOURS][RUN_SIDE], u16 sums[P + 1][RUN_SIDE]) {
  v128_t low[P + 1], high[P + 1];
#pragma unroll
  for (i32 x = 1; x <= t; x++) low[x] = high[x] = wasm_i16x8_splat(0);
  for (i32 at = compared_from[t], to = compared_from[t + 1]; at < to;) {
    v128_t bytes[P + 1];
#pragma unroll
    for (i32 x = 1; x <= t; x++) bytes[x] = wasm_i8x16_splat(0);
    for (i32 end = min32(to, at + SECRETS_HELD); at < end; at++) {
      v128_t exact = wasm_i8x16_splat(0);
#pragma unroll
      for (i32 peg = 0; peg < P; peg++)
        exact = wasm_i8x16_add(exact, wasm_v128_load(fits[peg][compared[at] >> 4 * peg & 15]));
#pragma unroll
      for (i32 x = 1; x <= t; x++) {
        v128_t equal = wasm_i8x16_eq(exact, wasm_i8x16_splat((i8)x));
        if (is_possible(x, t)) bytes[x] = wasm_i8x16_sub(bytes[x], equal);
      }
    }
#pragma unroll
    for (i32 x = 1; x <= t; x++) {
      low[x] = wasm_i16x8_add(low[x], wasm_u16x8_extend_low_u8x16(bytes[x]));
      high[x] = wasm_i16x8_add(high[x], wasm_u16x8_extend_high_u8x16(bytes[x]));
    }
  }
#pragma unroll
  for (i32 x = 1; x <= t; x++) {
    wasm_v128_store(sums[x], low[x]);
    wasm_v128_store(sums[x] + RUN_SIDE / 2, high[x]);
  }
}

/* Derives the cells of total 1 and 2, and those without an exact match, from the other cells and
 * three sums over all secrets. */
static void derive_cells(const Tally *tally, Code guess, u32 *cells) {
  i32 one = 0, paired = 0, two = 0; /* the sums of x, x t and x (x - 1) / 2 over all secrets, less
                                       those of the known cells: x exact matches, total t */
  for (i32 peg = 0; peg < P; peg++) {
    i32 symbol = code_symbol(guess, peg);
    if (!symbol) continue;
    i32 row = row_of(&tally->rules, peg, symbol);
    one += count_pair(tally, peg, symbol, row);
    paired += paired_sum[peg][symbol];
    for (i32 before = 0; before < peg; before++)
      if (code_symbol(guess, before)) two += count_pair(tally, before, code_symbol(guess, before), row);
  }
  u32 none[P + 1] = {(u32)tally->n};
  for (i32 t = 1; t <= P; t++) {
    none[t] = tally->many[t];
    none[0] -= none[t];
  }
  for (i32 t = 3; t <= P; t++)
    for (i32 x = 1; x <= t; x++) {
      if (!is_possible(x, t)) continue;
      i32 many = (i32)cells[cell_at(P, x, t)];
      one -= x * many;
      paired -= x * t * many;
      two -= x * (x - 1) / 2 * many;
      none[t] -= (u32)many;
    }
  i32 two_of_two = two, one_of_two = paired - one - 2 * two, one_of_one = 2 * one - paired;
  cells[cell_at(P, 1, 1)] = (u32)one_of_one;
  cells[cell_at(P, 1, 2)] = (u32)one_of_two;
  cells[cell_at(P, 2, 2)] = (u32)two_of_two;
  none[1] -= (u32)one_of_one;
  none[2] -= (u32)(one_of_two + two_of_two);
  for (i32 t = 0; t <= P; t++) cells[cell_at(P, 0, t)] = none[t];
}

void code_runs_split(const Tally *tally, const Code *guesses, i32 many, u32 cells[][MAX_CELLS]) {
  u8 fits[P][MAX_COLOURS][RUN_SIDE] = {0};
  u16 sums[P + 1][P + 1][RUN_SIDE];
  for (i32 g = 0; g < many; g++)
    for (i32 peg = 0; peg < P; peg++) {
      i32 symbol = code_symbol(guesses[g], peg);
      if (symbol) fits[peg][symbol - 1][g] = 1;
    }
  count_exact(3, fits, sums[3]);
  count_exact(4, fits, sums[4]);
  for (i32 g = 0; g < many; g++) {
    for (i32 t = 3; t <= P; t++)
      for (i32 x = 1; x <= t; x++)
        if (is_possible(x, t)) cells[g][cell_at(P, x, t)] = sums[t][x][g];
    derive_cells(tally, guesses[g], cells[g]);
  }
}
