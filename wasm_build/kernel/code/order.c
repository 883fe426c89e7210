/* Exact scores of partitions as 128-bit integers, and selection of the best rows.
 *
 * Entropy ranks by the product of n^n over the cells (smaller is better); equal products must tie
 * exactly ({4,1,1,1,1} and {2,2,2,2}: 256 each). The logarithm of a prime is rounded once, at
 * 2^-88, and all other logarithms are sums of those: equal products give bit-equal sums in any
 * order of addition. Unequal products differ by more than the rounding (below 2^-60 for 2^20
 * secrets; the smallest difference found among small partitions is 1.2e-6), so the order is right
 * too.
 * Rejected: doubles with a tolerance; no fixed tolerance separates ties from small differences.
 * Best rows: a bounded heap. Cost: O(rows log most).
 *
 *     products[n] = n * log2(n) in units of 2^-88, 0 = not yet computed
 */
#include "code.h"

#include "shared/random.h"

enum { FRACTION = 88 };

/* 64 x 64 -> 128 bits from halves, since there is no runtime library. */
static u128 wide(u64 a, u64 b) {
  u64 a1 = a >> 32, a0 = (u32)a, b1 = b >> 32, b0 = (u32)b;
  u64 low = a0 * b0, x = a1 * b0 + (low >> 32), y = a0 * b1 + (u32)x;
  return (u128)(a1 * b1 + (x >> 32) + (y >> 32)) << 64 | (y << 32 | (u32)low);
}

static i128 times(i128 log, u32 n) { /* log >= 0 */
  return (i128)(wide((u64)log, n) + (wide((u64)(log >> 64), n) << 64));
}

/* High half of y * y; y in 2^127 … 2^128 - 1 represents a number in [1, 2). */
static u128 square_high(u128 y) {
  u64 high = (u64)(y >> 64), low = (u64)y;
  u128 hl = wide(high, low), middle = (wide(low, low) >> 64) + (u64)hl + (u64)hl;
  return wide(high, high) + (hl >> 64) + (hl >> 64) + (middle >> 64);
}

/* log2 of a prime, bit by bit: the next bit is 1 if the square is at least 2. */
static i128 log2_prime(u32 n) {
  i32 whole = 31 - __builtin_clz(n);
  u128 y = (u128)(n << (31 - whole)) << 96;
  i128 log = whole;
  for (i32 bit = 0; bit < FRACTION; bit++) {
    y = square_high(y); /* in [1, 4), at half the scale */
    i32 passed = (i32)(y >> 127);
    log = log << 1 | passed;
    if (!passed) y <<= 1;
  }
  return log;
}

static i128 log2_cached(u32 prime) {
  static i128 known[1024];
  if (!known[prime]) known[prime] = log2_prime(prime);
  return known[prime];
}

/* log2 of n >= 2 as the sum over its primes. */
static i128 log2_of(u32 n) {
  i128 log = 0;
  for (u32 d = 2; d < 1024 && d * d <= n; d += 1 + (d > 2))
    for (; n % d == 0; n /= d) log += log2_cached(d);
  if (n > 1) log += n < 1024 ? log2_cached(n) : log2_prime(n);
  return log;
}

static inline i128 product_of(u32 n, i128 *products) {
  if (n < 2) return 0;
  if (UNLIKELY(!products[n])) products[n] = times(log2_of(n), n);
  return products[n];
}

i64 code_fast_product(u32 n) { return n < 2 ? 0 : (i64)((double)n * kernel_log2((double)n) * 0x1p40); }

static u32 largest_cell(const u32 *cells, i32 count) {
  u32 largest = 0;
  for (i32 i = 0; i < count; i++) largest = cells[i] > largest ? cells[i] : largest;
  return largest;
}

i128 code_score_of(const u32 *cells, i32 count, i32 criterion, i128 *products) {
  i128 score = 0;
  i64 sum = 0;
  i32 parts = 0;
  switch (criterion) {
    case ENTROPY:
      for (i32 i = 0; i < count; i++) score += product_of(cells[i], products);
      return score;
    case MINMAX: return largest_cell(cells, count);
    case MINAVG:
      for (i32 i = 0; i < count; i++) sum += (i64)cells[i] * cells[i];
      return sum;
    default:
      for (i32 i = 0; i < count; i++) parts += cells[i] > 0;
      return -parts;
  }
}

i32 code_cells_within(const u32 *cells, i32 count, i32 n) { return largest_cell(cells, count) <= (u32)n; }

EXPORT_FOR_TESTS(i32, code_score_cells)(const u32 *cells, i32 count, i32 n, i32 criterion, i128 *products,
                                        i128 *out) {
  if (!cells || !out || count < 0 || count > MAX_CELLS || n < 0) return BAD;
  if ((criterion == ENTROPY && !products) || !code_cells_within(cells, count, n)) return BAD;
  if (criterion < ENTROPY || criterion > MAXPARTS) return BAD;
  *out = code_score_of(cells, count, criterion, products);
  return OK;
}

typedef struct Rows {
  const i128 *scores;
  const Code *guesses;
  const u8 *can;
} Rows;

/* 1 if row a ranks ranks_before row b. */
static inline i32 ranks_before(const Rows *rows, u32 a, u32 b) {
  if (rows->scores[a] != rows->scores[b]) return rows->scores[a] < rows->scores[b];
  if (rows->can[a] != rows->can[b]) return rows->can[a] > rows->can[b];
  return rows->guesses[a] < rows->guesses[b];
}

/* Restores a heap with the worst row on top. */
static void sift_down(const Rows *rows, u32 *heap, i32 size, i32 at) {
  for (;;) {
    i32 child = 2 * at + 1;
    if (child >= size) return;
    if (child + 1 < size && ranks_before(rows, heap[child], heap[child + 1])) child++;
    if (!ranks_before(rows, heap[at], heap[child])) return;
    u32 row = heap[at];
    heap[at] = heap[child];
    heap[child] = row;
    at = child;
  }
}

EXPORT(i32, code_top)(const i128 *scores, const Code *guesses, const u8 *can, i32 count, i32 most, u32 *out) {
  if (!scores || !guesses || !can || !out || count < 0 || most < 0) return BAD;
  Rows rows = {scores, guesses, can};
  i32 size = min32(count, most);
  if (size == 0) return 0;
  for (i32 i = 0; i < size; i++) out[i] = (u32)i;
  for (i32 i = size / 2; i-- > 0;) sift_down(&rows, out, size, i);
  for (i32 i = size; i < count; i++)
    if (ranks_before(&rows, (u32)i, out[0])) {
      out[0] = (u32)i;
      sift_down(&rows, out, size, 0);
    }
  for (i32 last = size - 1; last > 0; last--) {
    u32 row = out[last];
    out[last] = out[0];
    out[0] = row;
    sift_down(&rows, out, last, 0);
  }
  return size;
}

EXPORT(i32, code_standing)(const i128 *scores, const u8 *can, i32 count, i32 row, u32 *out) {
  if (!scores || !can || !out || row < 0 || count < 0) return BAD;
  out[0] = out[1] = out[2] = 0;
  for (i32 i = 0; i < count; i++) {
    i32 same = scores[i] == scores[row];
    out[0] += scores[i] < scores[row];
    out[1] += same;
    out[2] += same && can[i] > can[row];
  }
  return count;
}

EXPORT(i32, code_sample)(const Code *codes, i32 n, i32 m, i32 seed, Code *out) {
  if (!codes || !out || m < 1 || n < m) return BAD;
  u64 state = (u64)(u32)seed + RANDOM_STEP;
  for (i32 i = 0; i < m; i++) {
    i64 from = (i64)n * i / m, to = (i64)n * (i + 1) / m;
    out[i] = codes[from + (i64)(random_next(&state) % (u64)(to - from))];
  }
  return m;
}
