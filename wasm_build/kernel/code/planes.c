/* How a guess splits many secrets: bit planes and carry-save adders (layout in code.h). */
#include "code.h"

#define INLINE static inline __attribute__((always_inline))

static i32 columns_of(i32 count) { return (count + 63) >> 6; }

static size_t rows_of(const Rules *rules) { return 2 * (size_t)rules->pegs * rules->colours + 1; }

EXPORT(i32, code_plane_words)(i32 packed, i32 count) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || count < 0) return BAD;
  size_t words = rows_of(&rules) * (size_t)columns_of(count);
  return words >> 28 ? TOO_LARGE : (i32)words;
}

EXPORT(i32, code_planes)(i32 packed, const Word *words, i32 count, u64 *planes, i32 from, i32 to) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !words || !planes || count < 0) return BAD;
  i32 columns = columns_of(count), colours = rules.colours;
  if (from < 0 || from > to || to > columns) return BAD;
  size_t rows = rows_of(&rules);
  for (i32 column = from; column < to; column++) {
    u64 local[2 * MAX_PEGS * MAX_COLOURS + 1] = {0};
    i32 first = column * 64, many = min32(64, count - first);
    for (i32 i = 0; i < many; i++) {
      u8 copies[SYMBOLS] = {0};
      for (i32 peg = 0; peg < rules.pegs; peg++) {
        i32 symbol = code_symbol(words[first + i], peg);
        if (symbol < 1 || symbol > colours) return BAD;
        local[peg * colours + symbol - 1] |= 1ull << i;
        local[(rules.pegs + copies[symbol]++) * colours + symbol - 1] |= 1ull << i;
      }
    }
    for (size_t row = 0; row < rows; row++) planes[row * (size_t)columns + (size_t)column] = local[row];
  }
  return to - from;
}

/* The rows that a guess adds up: `exact` for its pegs, `match` for its colours. */
typedef struct Rows {
  const u64 *exact[MAX_PEGS], *match[MAX_PEGS];
} Rows;

INLINE void find_rows(const Rules *rules, const u64 *planes, i32 columns, Word guess, Rows *rows) {
  u8 copies[SYMBOLS] = {0};
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 symbol = code_symbol(guess, peg), last = 2 * rules->pegs * rules->colours;
    i32 exact = symbol ? peg * rules->colours + symbol - 1 : last;
    i32 match = symbol ? (rules->pegs + copies[symbol]) * rules->colours + symbol - 1 : last;
    copies[symbol]++;
    rows->exact[peg] = planes + (size_t)exact * columns;
    rows->match[peg] = planes + (size_t)match * columns;
  }
}

/* Binary sum of `p` one-bit numbers in each of 64 lanes: full adders take three rows of a
 * weight to one of that weight and one of the next. `p` is a constant where this is inlined. */
INLINE void add_rows(const i32 p, const u64 *const *rows, size_t column, u64 *sum) {
  u64 open[MAX_PEGS], carries[MAX_PEGS];
  i32 many = p;
#pragma unroll
  for (i32 i = 0; i < p; i++) open[i] = rows[i][column];
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    i32 next = 0;
#pragma unroll
    while (many >= 3) {
      u64 a = open[many - 1], b = open[many - 2], c = open[many - 3], ab = a ^ b;
      open[many - 3] = ab ^ c;
      carries[next++] = (a & b) | (ab & c);
      many -= 2;
    }
    if (many == 2) {
      u64 a = open[0], b = open[1];
      open[0] = a ^ b;
      carries[next++] = a & b;
    }
    sum[bit] = many ? open[0] : 0;
    many = next;
#pragma unroll
    for (i32 i = 0; i < next; i++) open[i] = carries[i];
  }
}

/* The lanes whose sum is x. A bit is only looked at where another value <= p differs in it. */
INLINE u64 lanes_with(const i32 p, const u64 *sum, const i32 x) {
  u64 lanes = ~0ull;
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    if (x >> bit & 1) lanes &= sum[bit];
    else if ((x | 1 << bit) <= p) lanes &= ~sum[bit];
  }
  return lanes;
}

/* counts[x][t]: secrets with x exact matches and t matches at all, for 1 <= x <= t; of
 * x = p-1 and x = p only the diagonal. `total` holds the lanes by t, `p` rows of W words. */
INLINE void count_exact(const i32 p, const Rows *rows, i32 columns, const u64 *total,
                        u32 counts[MAX_PEGS + 1][MAX_PEGS + 1]) {
  u32 local[MAX_PEGS + 1][MAX_PEGS + 1] = {{0}};
  for (i32 column = 0; column < columns; column++) {
    u64 sum[4];
    add_rows(p, rows->exact, (size_t)column, sum);
#pragma unroll
    for (i32 x = 1; x <= p; x++) {
      u64 lanes = lanes_with(p, sum, x);
      if (x >= p - 1) {
        local[x][x] += (u32)popcount64(lanes);
        continue;
      }
#pragma unroll
      for (i32 t = x; t <= p; t++)
        local[x][t] += (u32)popcount64(lanes & total[(size_t)(t - 1) * columns + column]);
    }
  }
  memcpy(counts, local, sizeof local);
}

/* Exact matches alone. */
INLINE void count_exact_only(const i32 p, const Rows *rows, i32 columns, u32 *counts) {
  u32 local[MAX_PEGS + 1] = {0};
  for (i32 column = 0; column < columns; column++) {
    u64 sum[4];
    add_rows(p, rows->exact, (size_t)column, sum);
#pragma unroll
    for (i32 x = 1; x <= p; x++) local[x] += (u32)popcount64(lanes_with(p, sum, x));
  }
  memcpy(counts, local, sizeof local);
}

/* Lanes by number of matches at all, 1 … p, and how many there are of each. */
INLINE void count_match(const i32 p, const Rows *rows, i32 columns, u64 *total, u32 *many) {
  for (i32 t = 1; t <= p; t++) many[t] = 0;
  for (i32 column = 0; column < columns; column++) {
    u64 sum[4];
    add_rows(p, rows->match, (size_t)column, sum);
#pragma unroll
    for (i32 t = 1; t <= p; t++) {
      u64 lanes = lanes_with(p, sum, t);
      total[(size_t)(t - 1) * columns + column] = lanes;
      many[t] += (u32)popcount64(lanes);
    }
  }
}

/* The state of a run over guesses: what a colour multiset has in common is kept. */
typedef struct Tally {
  Rules rules;
  const u64 *planes;
  i32 n, columns, cells;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  u64 multiset;
  i32 have_multiset;
  u64 *total;
  u32 many[MAX_PEGS + 1];
} Tally;

INLINE void tally_exact_only(const i32 p, Tally *tally, const Rows *rows, u32 *cells) {
  u32 counts[MAX_PEGS + 1], rest = (u32)tally->n;
  count_exact_only(p, rows, tally->columns, counts);
  for (i32 x = 1; x <= p; x++) {
    cells[x] = counts[x];
    rest -= counts[x];
  }
  cells[0] = rest;
}

INLINE void tally_full(const i32 p, Tally *tally, const Rows *rows, u64 multiset, u32 *cells) {
  if (!tally->have_multiset || multiset != tally->multiset) {
    count_match(p, rows, tally->columns, tally->total, tally->many);
    tally->multiset = multiset;
    tally->have_multiset = 1;
  }
  u32 counts[MAX_PEGS + 1][MAX_PEGS + 1];
  count_exact(p, rows, tally->columns, tally->total, counts);
  u32 none = (u32)tally->n;
  for (i32 t = 1; t <= p; t++) {
    u32 no_exact = tally->many[t];
    none -= no_exact;
    for (i32 x = 1; x <= t; x++) {
      i32 cell = tally->number[x][t - x];
      if (cell < 0) continue;
      cells[cell] = counts[x][t];
      no_exact -= counts[x][t];
    }
    i32 cell = tally->number[0][t];
    if (cell >= 0) cells[cell] = no_exact;
  }
  cells[0] = none;
}

#define FOR_PEGS(P)                                              \
  case P:                                                        \
    if (tally->rules.exact_only) tally_exact_only(P, tally, &rows, cells); \
    else tally_full(P, tally, &rows, multiset, cells);           \
    break;

static void tally_guess(Tally *tally, Word guess, u32 *cells) {
  Rows rows;
  find_rows(&tally->rules, tally->planes, tally->columns, guess, &rows);
  u64 multiset = code_multiset(&tally->rules, guess);
  switch (tally->rules.pegs) {
    FOR_PEGS(1) FOR_PEGS(2) FOR_PEGS(3) FOR_PEGS(4)
    FOR_PEGS(5) FOR_PEGS(6) FOR_PEGS(7) FOR_PEGS(8)
  }
}

static void start_tally(Tally *tally, const Rules *rules, const u64 *planes, i32 n, u64 *total) {
  tally->rules = *rules;
  tally->planes = planes;
  tally->n = n;
  tally->columns = columns_of(n);
  tally->total = total;
  tally->have_multiset = 0;
  tally->cells = code_cells_of(rules, tally->number);
}

EXPORT(i32, code_group)(i32 packed, const Word *guesses, i32 count, u32 *order, u32 *scratch) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guesses || !order || !scratch || count < 0) return BAD;
  i32 bits = 4;
  while (bits < 16 && 1 << bits < 4 * count) bits++;
  memset(scratch, 0, sizeof(u32) * ((1u << bits) + 1));
#define BUCKET(word) (code_multiset(&rules, word) * 0x9e3779b97f4a7c15ull >> (64 - bits))
  for (i32 i = 0; i < count; i++) scratch[BUCKET(guesses[i]) + 1]++;
  for (i32 b = 0; b < 1 << bits; b++) scratch[b + 1] += scratch[b];
  for (i32 i = 0; i < count; i++) order[scratch[BUCKET(guesses[i])]++] = (u32)i;
#undef BUCKET
  return count;
}

EXPORT(i32, code_score)(i32 packed, const u64 *planes, i32 n, const Word *guesses,
                        const u32 *order, i32 from, i32 to, i32 criterion, i128 *products,
                        u64 *columns, i128 *scores) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || n < 0 || from < 0 || from > to) return BAD;
  if (criterion < ENTROPY || criterion > MAXPARTS) return BAD;
  Tally tally;
  start_tally(&tally, &rules, planes, n, columns);
  u32 cells[MAX_CELLS];
  for (i32 i = from; i < to; i++) {
    if (!code_is_legal(&rules, guesses[order[i]], 1)) return BAD;
    tally_guess(&tally, guesses[order[i]], cells);
    scores[order[i]] = code_score_of(cells, tally.cells, criterion, products);
  }
  return to - from;
}

EXPORT(i32, code_split)(i32 packed, const u64 *planes, i32 n, const Word *guesses, i32 count,
                        u64 *columns, u32 *cells) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || n < 0 || count < 0) return BAD;
  Tally tally;
  start_tally(&tally, &rules, planes, n, columns);
  for (i32 i = 0; i < count; i++) {
    if (!code_is_legal(&rules, guesses[i], 1)) return BAD;
    tally_guess(&tally, guesses[i], cells + (size_t)i * MAX_CELLS);
  }
  return count;
}
