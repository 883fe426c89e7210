/* Cell sizes of a guess over many secrets, by bit planes and carry-save adders (layout in code.h).
 *
 * Two columns of 64 secrets at a time. A vector popcount counts by byte; the bytes are summed every
 * 31 steps, before they can overflow. Adders and counters are inlined into one loop for each number
 * of pegs, hence one file.
 * Cost: O(pegs^2 secrets / 64) a guess; the totals once for equal multisets in a row. Rejected:
 * loops over secrets with popcounts, byte matrices, shuffles; they are 5 to 15 times slower.
 */
#include "splits.h"

EXPORT(i32, code_plane_words)(i32 packed, i32 count) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || count < 0) return BAD;
  size_t size = (size_t)code_plane_rows(&rules) * (size_t)code_columns(count);
  return size >> 28 ? TOO_LARGE : (i32)size;
}

i32 code_fill_planes(const Rules *rules, const Code *codes, i32 count, u64 *planes, i32 from, i32 to) {
  i32 columns = code_columns(count), colours = rules->colours, pegs = rules->pegs;
  size_t rows = (size_t)code_plane_rows(rules);
  if (rules->feedback > EXACT) {
    for (i32 i = 64 * from; i < min32(64 * to, count); i++) {
      if (!code_is_legal(rules, codes[i], 0)) return BAD;
      planes[i] = codes[i];
    }
    return to - from;
  }
  for (i32 column = from; column < to; column++) {
    u64 local[2 * MAX_PEGS * MAX_COLOURS + 1] = {0};
    i32 first = column * 64, many = min32(64, count - first);
    for (i32 i = 0; i < many; i++) {
      u8 copies[SYMBOLS] = {0};
      for (i32 peg = 0; peg < pegs; peg++) {
        i32 symbol = code_symbol(codes[first + i], peg);
        if (symbol < 1 || symbol > colours) return BAD;
        local[peg * colours + symbol - 1] |= 1ull << i;
        local[(pegs + copies[symbol]++) * colours + symbol - 1] |= 1ull << i;
      }
    }
    for (size_t row = 0; row < rows; row++) planes[row * (size_t)columns + (size_t)column] = local[row];
  }
  return to - from;
}

EXPORT(i32, code_planes)(i32 packed, const Code *codes, i32 count, u64 *planes, i32 from, i32 to) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !codes || !planes || count < 0) return BAD;
  if (from < 0 || from > to || to > code_columns(count)) return BAD;
  return code_fill_planes(&rules, codes, count, planes, from, to);
}

enum { BYTES_HOLD = 31, FEW = 6 }; /* a step adds at most 8 to a byte */

/* Two columns of a row; if `whole` is 0 one column and zeros. */
INLINE Two two_of(const u64 *row, i32 column, const i32 whole) {
  return whole ? *(const Two *)(row + column) : (Two){row[column], 0};
}

/* A counter of ones: byte counters and their sum. With `few` columns summing the bytes would cost
 * more than it saves, so ones are added to the sum at once. */
typedef struct Ones {
  v128_t bytes;
  u32 many;
} Ones;

INLINE void count_ones(Ones *ones, Two lanes, const i32 whole, const i32 few) {
  const union {
    Two lanes;
    v128_t bytes;
  } same = {lanes};
  if (!few) ones->bytes = wasm_i8x16_add(ones->bytes, wasm_i8x16_popcnt(same.bytes));
  else ones->many += (u32)popcount64(lanes[0]) + (whole ? (u32)popcount64(lanes[1]) : 0);
}

/* Adds the byte counters to the sum and clears them. */
INLINE void flush_bytes(Ones *ones) {
  v128_t sums = wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(ones->bytes));
  ones->bytes = wasm_i8x16_splat(0);
  ones->many += (u32)(wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) +
                      wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3));
}

/* CALL(column, whole, few) for all columns; EACH before a byte counter may overflow. */
#define EACH_TWO(COLUMNS, CALL, EACH)                               \
  if ((COLUMNS) <= FEW) {                                           \
    i32 column = 0;                                                 \
    for (; column + 1 < (COLUMNS); column += 2) CALL(column, 1, 1); \
    if (column < (COLUMNS)) CALL(column, 0, 1);                     \
  } else                                                            \
    for (i32 column = 0; column < (COLUMNS);) {                     \
      i32 end = min32((COLUMNS), column + 2 * BYTES_HOLD);          \
      for (; column + 1 < end; column += 2) CALL(column, 1, 0);     \
      if (column < end) CALL(column, 0, 0), column++;               \
      EACH                                                          \
    }

/* Adds `p` rows in one column and the next. */
INLINE void add_two(const i32 p, const u64 *const *rows, i32 column, const i32 whole, Two *sum) {
  Two open[MAX_PEGS];
#pragma unroll
  for (i32 i = 0; i < p; i++) open[i] = two_of(rows[i], column, whole);
  add_rows(p, open, sum);
}

/* The secrets of each total in two columns. */
INLINE void match_of_two(const i32 p, const Tally *tally, const u64 *const *rows, i32 column, const i32 whole,
                         const i32 few, Ones *ones) {
  Two sum[4];
  add_two(p, rows, column, whole, sum);
#pragma unroll
  for (i32 t = 1; t <= p; t++) {
    Two lanes = lanes_with(p, sum, t);
    u64 *to = tally->total + (size_t)(t - 1) * tally->columns + column;
    if (whole) *(Two *)to = lanes;
    else *to = lanes[0];
    count_ones(&ones[t], lanes, whole, few);
  }
}

/* The secrets of total 1 … p as rows of bits, and their numbers. */
INLINE void count_match(const i32 p, Tally *tally, Code guess) {
  const u64 *rows[MAX_PEGS];
  u8 copies[SYMBOLS] = {0};
  Ones ones[MAX_PEGS + 1];
#pragma unroll
  for (i32 peg = 0; peg < p; peg++) {
    i32 symbol = code_symbol(guess, peg);
    rows[peg] = tally->match[copies[symbol]++][symbol];
    ones[peg + 1] = (Ones){0};
  }
#define CALL(COLUMN, WHOLE, SMALL) match_of_two(p, tally, rows, COLUMN, WHOLE, SMALL, ones)
  EACH_TWO(tally->columns, CALL, {
    for (i32 t = 1; t <= p; t++) flush_bytes(&ones[t]);
  })
#undef CALL
#pragma unroll
  for (i32 t = 1; t <= p; t++) tally->many[t] = ones[t].many;
}

INLINE void exact_rows(const i32 p, const Tally *tally, Code guess, const u64 **rows) {
#pragma unroll
  for (i32 peg = 0; peg < p; peg++) rows[peg] = tally->exact[peg][code_symbol(guess, peg)];
}

/* Counts secrets by exact matches x and total t; for x >= p - 1 only t = x is possible. */
INLINE void cells_of_two(const i32 p, const Tally *tally, const u64 *const *rows, i32 column, const i32 whole,
                         const i32 few, Ones ones[][MAX_PEGS + 1]) {
  Two sum[4];
  add_two(p, rows, column, whole, sum);
#pragma unroll
  for (i32 x = 1; x <= p; x++) {
    Two lanes = lanes_with(p, sum, x);
    if (x >= p - 1) {
      count_ones(&ones[x][x], lanes, whole, few);
      continue;
    }
#pragma unroll
    for (i32 t = x; t <= p; t++) {
      const u64 *total = tally->total + (size_t)(t - 1) * tally->columns;
      count_ones(&ones[x][t], lanes & two_of(total, column, whole), whole, few);
    }
  }
}

INLINE void tally_full(const i32 p, const Tally *tally, Code guess, u32 *cells) {
  const u64 *rows[MAX_PEGS];
  const i32 columns = tally->columns;
  Ones ones[MAX_PEGS + 1][MAX_PEGS + 1];
#pragma unroll
  for (i32 x = 1; x <= p; x++)
#pragma unroll
    for (i32 t = x; t <= p; t++) ones[x][t] = (Ones){0};
  exact_rows(p, tally, guess, rows);
#define CALL(COLUMN, WHOLE, SMALL) cells_of_two(p, tally, rows, COLUMN, WHOLE, SMALL, ones)
  EACH_TWO(columns, CALL, {
    for (i32 x = 1; x <= p; x++)
      for (i32 t = x; t <= p; t++)
        if (x < p - 1 || t == x) flush_bytes(&ones[x][t]);
  })
#undef CALL
  u32 none = (u32)tally->n;
#pragma unroll
  for (i32 t = 1; t <= p; t++) {
    u32 no_exact = tally->many[t];
    none -= no_exact;
#pragma unroll
    for (i32 x = 1; x <= t; x++) {
      if (x == p - 1 && t == p) continue;
      cells[cell_at(p, x, t)] = ones[x][t].many;
      no_exact -= ones[x][t].many;
    }
    if (p > 1) cells[cell_at(p, 0, t)] = no_exact; /* a single peg cannot be misplaced */
  }
  cells[0] = none;
}

INLINE void exact_of_two(const i32 p, const u64 *const *rows, i32 column, const i32 whole, const i32 few,
                         Ones *ones) {
  Two sum[4];
  add_two(p, rows, column, whole, sum);
#pragma unroll
  for (i32 x = 1; x <= p; x++) count_ones(&ones[x], lanes_with(p, sum, x), whole, few);
}

INLINE void tally_exact_only(const i32 p, const Tally *tally, Code guess, u32 *cells) {
  const u64 *rows[MAX_PEGS];
  u32 rest = (u32)tally->n;
  Ones ones[MAX_PEGS + 1] = {0};
  exact_rows(p, tally, guess, rows);
#define CALL(COLUMN, WHOLE, SMALL) exact_of_two(p, rows, COLUMN, WHOLE, SMALL, ones)
  EACH_TWO(tally->columns, CALL, {
    for (i32 x = 1; x <= p; x++) flush_bytes(&ones[x]);
  })
#undef CALL
#pragma unroll
  for (i32 x = 1; x <= p; x++) {
    cells[x] = ones[x].many;
    rest -= ones[x].many;
  }
  cells[0] = rest;
}

void code_tally_match(Tally *tally, Code guess) {
  switch (tally->rules.pegs) {
#define CASE(P) \
  case P: count_match(P, tally, guess); break;
    CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8)
#undef CASE
  }
}

#define FOR_PEGS(P)                             \
  case P:                                       \
    if (tally->rules.exact_only) {              \
      tally_exact_only(P, tally, guess, cells); \
    } else {                                    \
      if (multiset != tally->multiset) {        \
        code_tally_match(tally, guess);         \
        tally->multiset = multiset;             \
      }                                         \
      tally_full(P, tally, guess, cells);       \
    }                                           \
    break;

/* Counts secret by secret, for feedback that is not a sum of planes (ORDER, KEEP, SUM). */
static void tally_one_by_one(const Tally *tally, Code guess, u32 *cells) {
  Prober prober = code_prober(&tally->rules, guess);
  memset(cells, 0, sizeof(u32) * (size_t)tally->cells);
  for (i32 i = 0; i < tally->n; i++) cells[code_cell(&prober, tally->secrets[i], tally->number)]++;
}

void code_tally_grouped(Tally *tally, Code guess, u64 multiset, u32 *cells) {
  if (tally->rules.feedback > EXACT) {
    tally_one_by_one(tally, guess, cells);
    return;
  }
  switch (tally->rules.pegs) {
    FOR_PEGS(1) FOR_PEGS(2) FOR_PEGS(3) FOR_PEGS(4) FOR_PEGS(5) FOR_PEGS(6) FOR_PEGS(7) FOR_PEGS(8)
  }
}

void code_tally_guess(Tally *tally, Code guess, u32 *cells) {
  code_tally_grouped(tally, guess, code_multiset(&tally->rules, guess), cells);
}

void code_tally_start(Tally *tally, const Rules *rules, const u64 *planes, i32 n, u64 *total) {
  size_t columns = (size_t)code_columns(n);
  const u64 *zeros = planes + 2 * (size_t)(rules->pegs * rules->colours) * columns;
  tally->rules = *rules;
  tally->n = n;
  tally->columns = (i32)columns;
  tally->total = total;
  tally->multiset = ~0ull; /* not a multiset */
  tally->secrets = planes;
  tally->cells = code_cells_of(rules, tally->number);
  if (rules->feedback > EXACT) return;
  for (i32 i = 0; i < rules->pegs; i++) {
    tally->exact[i][0] = tally->match[i][0] = zeros;
    for (i32 symbol = 1; symbol <= rules->colours; symbol++) {
      size_t row = (size_t)(i * rules->colours + symbol - 1);
      tally->exact[i][symbol] = planes + row * columns;
      tally->match[i][symbol] = planes + (row + (size_t)(rules->pegs * rules->colours)) * columns;
    }
  }
}

EXPORT(i32, code_group)(i32 packed, const Code *guesses, i32 count, u32 *order, u32 *scratch) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guesses || !order || !scratch || count < 0) return BAD;
  if (count > MOST_GUESSES || !code_all_fit(&rules, guesses, count)) return BAD;
  i32 bits = 4;
  while (bits < 16 && 1 << bits < 4 * count) bits++;
  memset(scratch, 0, sizeof(u32) * ((1u << bits) + 1));
#define BUCKET(code) (code_multiset(&rules, code) * 0x9e3779b97f4a7c15ull >> (64 - bits))
  for (i32 i = 0; i < count; i++) scratch[BUCKET(guesses[i]) + 1]++;
  for (i32 b = 0; b < 1 << bits; b++) scratch[b + 1] += scratch[b];
  for (i32 i = 0; i < count; i++) order[scratch[BUCKET(guesses[i])]++] = (u32)i;
#undef BUCKET
  return count;
}

typedef struct Scoring {
  const Code *guesses;
  const u32 *order;
  i32 count, criterion;
  i128 *products;
  i128 *scores;
} Scoring;

static i32 store_score(const Scoring *to, const Tally *tally, i32 at, const u32 *cells) {
  if (!code_cells_within(cells, tally->cells, tally->n)) return BAD; /* planes of other secrets */
  to->scores[to->order[at]] = code_score_of(cells, tally->cells, to->criterion, to->products);
  return OK;
}

static i32 score_one(const Scoring *to, Tally *tally, i32 at) {
  u32 cells[MAX_CELLS];
  code_tally_guess(tally, to->guesses[to->order[at]], cells);
  return store_score(to, tally, at, cells);
}

/* Scores the guesses from … end-1 of the order, all of one multiset. */
static i32 score_run(const Scoring *to, Tally *tally, i32 from, i32 end) {
  Code first = to->guesses[to->order[from]];
  tally->multiset = code_multiset(&tally->rules, first);
  code_tally_match(tally, first);
  i32 batched = end - from >= RUN_GUESSES && code_runs_take(tally, first);
  for (i32 at = from; at < end && !batched; at++)
    if (score_one(to, tally, at) != OK) return BAD;
  for (i32 at = from; at < end && batched; at += RUN_SIDE) {
    u32 cells[RUN_SIDE][MAX_CELLS];
    Code asked[RUN_SIDE];
    i32 many = min32(RUN_SIDE, end - at);
    for (i32 g = 0; g < many; g++) asked[g] = to->guesses[to->order[at + g]];
    code_runs_split(tally, asked, many, cells);
    for (i32 g = 0; g < many; g++)
      if (store_score(to, tally, at + g, cells[g]) != OK) return BAD;
  }
  return OK;
}

static i32 is_valid(const Scoring *to, const Rules *rules, i32 at) {
  return to->order[at] < (u32)to->count && code_is_legal(rules, to->guesses[to->order[at]], 1);
}

EXPORT(i32, code_score)(i32 packed, const u64 *planes, i32 n, const Code *guesses, const u32 *order,
                        i32 count, i32 from, i32 to, i32 criterion, i128 *products, u64 *columns,
                        i128 *scores) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || n < 0 || from < 0 || from > to || to > count) return BAD;
  if (criterion < ENTROPY || criterion > MAXPARTS) return BAD;
  if (!planes || !guesses || !order || !columns || !scores) return BAD;
  if (criterion == ENTROPY && !products) return BAD;
  Tally tally;
  const Scoring scoring = {guesses, order, count, criterion, products, scores};
  code_tally_start(&tally, &rules, planes, n, columns);
  if (!code_runs_start(&tally, to - from)) {
    for (i32 i = from; i < to; i++)
      if (!is_valid(&scoring, &rules, i) || score_one(&scoring, &tally, i) != OK) return BAD;
    return to - from;
  }
  u64 before = 0;
  for (i32 i = from, start = from; i <= to; i++) {
    if (i < to && !is_valid(&scoring, &rules, i)) return BAD;
    u64 multiset = i < to ? code_multiset(&rules, guesses[order[i]]) : ~before;
    if (i > start && multiset != before) {
      if (score_run(&scoring, &tally, start, i) != OK) return BAD;
      start = i;
    }
    before = multiset;
  }
  return to - from;
}

EXPORT(i32, code_split)(i32 packed, const u64 *planes, i32 n, const Code *guesses, i32 count, u64 *columns,
                        u32 *cells) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || n < 0 || count < 0) return BAD;
  if (!planes || !guesses || !columns || !cells) return BAD;
  Tally tally;
  code_tally_start(&tally, &rules, planes, n, columns);
  for (i32 i = 0; i < count; i++) {
    if (!code_is_legal(&rules, guesses[i], 1)) return BAD;
    code_tally_guess(&tally, guesses[i], cells + (size_t)i * MAX_CELLS);
  }
  return count;
}
