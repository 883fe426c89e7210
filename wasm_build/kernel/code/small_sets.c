/* Partitions of at most 64 secrets by all guesses, sixteen guesses a vector (layout in splits.h).
 *
 * Lower bound of a score: the sum over the cells of table values rounded down to two small digits,
 * in bytes, by table lookup. Guesses whose bound exceeds the cutoff need no exact score.
 * Cost: O(pegs^2 secrets / 8) vector operations a block.
 */
#include "splits.h"

enum { FULL_CELLS = (MAX_PEGS + 1) * (MAX_PEGS + 2) / 2 }; /* answers of two counts, at most */

/* Bits of the low digit, such that its sum over all cells is below 256. */
INLINE i32 low_bits(const i32 p) { return p <= 4 ? 4 : 3; }

/* The largest score that two digits represent. */
INLINE i32 digits_hold(const i32 p) { return 250 << low_bits(p); }

i32 code_few_runs(const Rules *rules, i32 count) {
  u64 ways = 1; /* multisets of the symbols, a blank among them */
  for (i32 i = 1; i <= rules->pegs; i++) ways = ways * (u64)(rules->colours + i) / (u64)i;
  return ways < (u64)count ? (i32)ways : count;
}

i32 code_few_blocks(const Rules *rules, i32 count) { return code_few_runs(rules, count) + count / SIDE; }

/* ---- the guesses ------------------------------------------------------------------------ */

static u32 symbols_of(const Rules *rules, Code code) {
  u32 symbols = 0;
  for (i32 peg = 0; peg < rules->pegs; peg++) symbols |= 1u << code_symbol(code, peg);
  return symbols;
}

/* Groups the guesses by multiset (hash table); writes the run of each guess. */
static void list_runs(Few *few, const Code *space, i32 count, u32 *run_of, u32 *slots) {
  const Rules *rules = &few->rules;
  i32 bits = 4;
  while (1 << bits < 2 * count) bits++;
  u32 mask = (1u << bits) - 1;
  memset(slots, 0, sizeof(u32) << bits);
  few->runs = 0;
  for (i32 i = 0; i < count; i++) {
    u64 multiset = code_multiset(rules, space[i]);
    u32 at = (u32)(multiset * 0x9e3779b97f4a7c15ull >> (64 - bits));
    while (slots[at] && code_multiset(rules, few->run[slots[at] - 1].code) != multiset) at = (at + 1) & mask;
    if (!slots[at]) {
      few->run[few->runs++] = (Run){0, 0, 0, symbols_of(rules, space[i]), space[i]};
      slots[at] = (u32)few->runs;
    }
    run_of[i] = slots[at] - 1;
    few->run[run_of[i]].to++; /* the count, until code_few_start replaces it */
  }
}

static void write_block(Few *few, const Code *space, const u32 *order, const Run *run, u32 from) {
  union {
    v128_t bytes;
    u8 each[SIDE];
  } places;
  for (i32 peg = 0; peg < few->rules.pegs; peg++) {
    for (u32 i = 0; i < SIDE; i++) {
      u32 at = from + i < run->to ? from + i : run->to - 1;
      places.each[i] = (u8)(code_symbol(space[order[at]], peg) - 1);
    }
    few->places[(size_t)few->blocks * (size_t)few->rules.pegs + (size_t)peg] = places.bytes;
  }
  few->blocks++;
}

/* The values are convex, so the most even partition has the least score. */
static void fill_least(Few *few, i32 values) {
  memset(few->least, 0, sizeof few->least);
  for (i32 cells = 1; cells <= few->rules.pegs + 1; cells++)
    for (i32 n = 0; n < values && n <= FEW_SECRETS; n++) {
      i32 each = n / cells, more = n % cells;
      few->least[cells][n] = (cells - more) * few->value[each];
      if (more) few->least[cells][n] += more * few->value[each + 1];
    }
}

void code_few_start(Few *few, const Rules *rules, const Code *space, i32 count, const i64 *value, i32 values,
                    u32 *order, u32 *scratch) {
  few->rules = *rules;
  few->value = value;
  few->blocks = 0;
  u32 *run_of = scratch, *slots = scratch + count;
  list_runs(few, space, count, run_of, slots);
  for (i32 r = 0, at = 0; r < few->runs; r++) {
    i32 many = (i32)few->run[r].to;
    few->run[r].from = few->run[r].to = (u32)at;
    at += many;
  }
  for (i32 i = 0; i < count; i++) order[few->run[run_of[i]].to++] = (u32)i;
  for (i32 r = 0; r < few->runs; r++) {
    Run *run = &few->run[r];
    run->block = (u32)few->blocks;
    for (u32 from = run->from; from < run->to; from += SIDE) write_block(few, space, order, run, from);
  }
  fill_least(few, values);
}

/* ---- the secrets ------------------------------------------------------------------------ */

static void fill_digits(Few *few, i32 n) {
  union {
    v128_t bytes[2];
    u8 each[2 * SIDE];
  } high, low;
  i32 bits = low_bits(few->rules.pegs), room = digits_hold(few->rules.pegs);
  i64 greatest = few->value[n] + FULL_CELLS * few->value[0];
  for (few->shift = 0; greatest >> few->shift > room;) few->shift++;
  for (i32 i = 0; i < 2 * SIDE; i++) {
    i64 value = i <= n ? few->value[i] >> few->shift : 0;
    high.each[i] = (u8)(value >> bits);
    low.each[i] = (u8)(value & ((1 << bits) - 1));
  }
  memcpy(few->high, high.bytes, sizeof few->high);
  memcpy(few->low, low.bytes, sizeof few->low);
}

void code_few_take(Few *few, const Code *secrets, i32 n) {
  few->n = n;
  fill_digits(few, n);
  memset(few->exact, 0, sizeof few->exact[0] * (size_t)((n + 7) / 8));
  memset(few->match, 0, sizeof few->match[0] * (size_t)few->rules.pegs);
  for (i32 i = 0; i < n; i++) {
    u8 copies[SYMBOLS] = {0};
    for (i32 peg = 0; peg < few->rules.pegs; peg++) {
      i32 symbol = code_symbol(secrets[i], peg);
      ((u8 *)&few->exact[i / 8][peg])[symbol - 1] |= (u8)(1 << i % 8);
      few->match[copies[symbol]++][symbol] |= 1ull << i;
    }
  }
}

/* ---- runs and blocks, an instance for each number of pegs ------------------------------------ */

INLINE i64 compute_common(const i32 p, const Few *few, const Run *run, Common *common) {
  u8 copies[SYMBOLS] = {0};
  Two open[MAX_PEGS], sum[4];
#pragma unroll
  for (i32 peg = 0; peg < p; peg++) {
    i32 symbol = code_symbol(run->code, peg);
    open[peg] = (Two){few->match[copies[symbol]++][symbol], 0};
  }
  add_rows(p, open, sum);
  i32 none = few->n;
  i64 least = 0;
#pragma unroll
  for (i32 t = 1; t <= p; t++) {
    u64 lanes = lanes_with(p, sum, t)[0];
    i32 many = popcount64(lanes);
    common->of[t - 1] = lanes;
    common->many[t] = (u8)many;
    least += few->least[t < p ? t + 1 : p][many];
    none -= many;
  }
  common->many[0] = (u8)none;
  return least + few->least[1][none];
}

typedef union Both {
  Lanes lanes;
  v128_t bytes;
} Both;

INLINE Lanes lookup(v128_t table, Lanes places) {
  const Both at = {.lanes = places}, result = {.bytes = wasm_i8x16_swizzle(table, at.bytes)};
  return result.lanes;
}

INLINE Lanes popcounts(Two lanes) {
  const Both of = {.lanes = (Lanes)lanes}, result = {.bytes = wasm_i8x16_popcnt(of.bytes)};
  return result.lanes;
}

INLINE Lanes splat(i32 byte) {
  const Both result = {.bytes = wasm_i8x16_splat((i8)byte)};
  return result.lanes;
}

/* Adds the digits of one cell of each guess. `wide`: cells may have SIDE or more secrets. */
INLINE void add_cell(const Few *few, const i32 wide, Lanes cell, Lanes *high, Lanes *low) {
  if (wide) {
    const Both of = {.lanes = cell};
    const Both most = {.bytes = wasm_u8x16_min(of.bytes, wasm_i8x16_splat(2 * SIDE - 1))};
    cell = most.lanes;
    *high += lookup(few->high[1], cell - SIDE);
    *low += lookup(few->low[1], cell - SIDE);
  }
  *high += lookup(few->high[0], cell);
  *low += lookup(few->low[0], cell);
}

/* The cells of the guesses of a block and the digits of their scores, both without the cell of no
 * match. */
INLINE void split_block(const i32 p, const i32 wide, const Few *few, const Common *common,
                        const v128_t *places, Lanes *cells, Lanes *high, Lanes *low) {
  const i32 bytes = (few->n + 7) / 8;
  Lanes counts[MAX_PEGS + 1][MAX_PEGS + 1];
#pragma unroll
  for (i32 x = 1; x <= p; x++)
#pragma unroll
    for (i32 t = x; t <= p; t++) counts[x][t] = (Lanes){0};
  for (i32 byte = 0; byte < bytes; byte++) {
    Two open[MAX_PEGS], sum[4];
#pragma unroll
    for (i32 peg = 0; peg < p; peg++) {
      const Both at = {.bytes = places[peg]};
      open[peg] = (Two)lookup(few->exact[byte][peg], at.lanes);
    }
    add_rows(p, open, sum);
#pragma unroll
    for (i32 x = 1; x <= p; x++) {
      Two lanes = lanes_with(p, sum, x);
      if (x >= p - 1) {
        counts[x][x] += popcounts(lanes);
        continue;
      }
#pragma unroll
      for (i32 t = x; t <= p; t++)
        counts[x][t] += popcounts(lanes & (Two)splat(((const u8 *)&common->of[t - 1])[byte]));
    }
  }
  *high = *low = (Lanes){0};
#pragma unroll
  for (i32 t = 1; t <= p; t++) {
    Lanes none = splat(common->many[t]);
#pragma unroll
    for (i32 x = 1; x <= t; x++) {
      if (x == p - 1 && t == p) continue;
      cells[cell_at(p, x, t)] = counts[x][t];
      none -= counts[x][t];
      add_cell(few, wide, counts[x][t], high, low);
    }
    if (p == 1) continue; /* a single peg cannot be misplaced */
    cells[cell_at(p, 0, t)] = none;
    add_cell(few, wide, none, high, low);
  }
}

/* The guesses whose digits are at most those of `most`. */
INLINE u32 lanes_at_most(const i32 p, i64 most, Lanes high, Lanes low) {
  const i32 bits = low_bits(p);
  high += low >> bits;
  low &= splat((1 << bits) - 1);
  Lanes top = splat((i32)(most >> bits)), rest = splat((i32)most & ((1 << bits) - 1));
  const Both less = {.lanes = (Lanes)(high < top) | ((Lanes)(high == top) & (Lanes)(low <= rest))};
  return wasm_i8x16_bitmask(less.bytes);
}

INLINE u32 next_block(const i32 p, const i32 wide, const Few *few, const Run *run, const Common *common,
                      u32 *block, i64 most, Lanes *cells) {
  u32 end = run->block + (run->to - run->from + SIDE - 1) / SIDE;
  most = (most >> few->shift) - (few->value[common->many[0]] >> few->shift);
  if (most < 0) return 0;
  if (most > digits_hold(p)) most = digits_hold(p);
  cells[0] = splat(common->many[0]);
  while (*block < end) {
    Lanes high, low;
    const v128_t *places = few->places + (size_t)(*block)++ * p;
    split_block(p, wide, few, common, places, cells, &high, &low);
    u32 lanes = lanes_at_most(p, most, high, low);
    if (lanes) return lanes;
  }
  return 0;
}

i64 code_few_common(const Few *few, const Run *run, Common *common) {
  switch (few->rules.pegs) {
#define CASE(P) \
  case P: return compute_common(P, few, run, common);
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5)
#undef CASE
  }
  return 0;
}

u32 code_few_next(const Few *few, const Run *run, const Common *common, u32 *block, i64 most,
                  Lanes cells[MAX_CELLS]) {
  const i32 wide = few->n >= SIDE;
  switch (few->rules.pegs) {
#define CASE(P)                                                          \
  case P:                                                                \
    return wide ? next_block(P, 1, few, run, common, block, most, cells) \
                : next_block(P, 0, few, run, common, block, most, cells);
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5)
#undef CASE
  }
  return 0;
}
