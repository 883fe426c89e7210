/* Combines parts and regions by convolution: layouts of a region, the weight outside a part, and
 * the masses of the classes.
 *
 * A part is a short row: layouts by the coupling mines that it takes, from fewest to most. The
 * cells in no other clue take the rest in a binomial of ways. Prefix and suffix products:
 *
 *   before[i][m]  layouts of the parts before part i that take m coupling mines
 *   after[i][m]   layouts of part i, those after it and the free cells, where those before took m
 *
 * Cost: O(parts mines^2 limbs), mines the few dozen that the parts can take together. */
#include "counter.h"

typedef struct Row { /* numbers for `low` to `high` mines, none if there is no such */
  u64 *of;
  i32 low, high;
} Row;

static inline u64 *number_at(const Row *row, i32 mines, i32 limbs) {
  return row->of + (mines - row->low) * width_of(limbs);
}

/* A part's own row lies at its end. */
static Row own(const Component *part, i32 limbs) {
  const State *end = state_at(part->layer + part->layers, 0);
  return (Row){part->forward + (size_t)end->weight_at * (size_t)width_of(limbs), end->low, end->high};
}

/* to += a * b, of which b is the smaller number as a rule */
static void add_both(u64 *to, const u64 *a, const u64 *b, i32 limbs) {
  switch (limbs) {
    case 0: add_product(to, a, b, 0); break;
    case 1: add_product(to, a, b, 1); break;
    case 2: add_product(to, a, b, 2); break;
    default: add_product(to, a, b, limbs);
  }
}

/* ---------------------------------------------------------------- binomials */

/* 1 / d modulo 2^64, d odd: right in 5 bits at first, in twice as many after each step. */
static u64 inverse(u64 d) {
  u64 x = 3 * d ^ 2;
  for (i32 bits = 5; bits < 64; bits *= 2) x *= 2 - d * x;
  return x;
}

/* A binomial modulo 2^(64 limbs): an odd number and how often it is doubled. */
typedef struct Binomial {
  u64 odd[MINES_WORDS + 1];
  i32 doubled;
} Binomial;

/* odd := odd * by / over, both odd. Word by word from the lowest: what is divided exactly has the
 * same low words as its quotient by the inverse. */
static void scale_odd(u64 *odd, u64 by, u64 over, i32 limbs) {
  u64 carry = 0, owed = 0, high;
  const u64 turn = inverse(over);
  for (i32 w = 0; w < limbs; w++) {
    u64 low = multiply(odd[w], by, &high);
    low += carry;
    carry = high + (low < carry);
    u64 less = low < owed;
    odd[w] = (low - owed) * turn;
    multiply(odd[w], over, &high);
    owed = high + less;
  }
}

/* From C(n, from) to C(n, to). Six factors at once fit a word, as n is below 1024. */
static void walk(Binomial *b, i32 n, i32 from, i32 to, i32 limbs) {
  enum { AT_ONCE = 6 };
  for (i32 k = from; k < to;) {
    u64 by = 1, over = 1;
    for (i32 i = 0; i < AT_ONCE && k < to; i++, k++) {
      i32 up = lowest64((u64)(n - k)), down = lowest64((u64)(k + 1));
      by *= (u64)(n - k) >> up;
      over *= (u64)(k + 1) >> down;
      b->doubled += up - down;
    }
    scale_odd(b->odd, by, over, limbs);
  }
}

static void write_doubled(u64 *to, const Binomial *b, i32 limbs) {
  i32 words = b->doubled >> 6, bits = b->doubled & 63;
  for (i32 w = limbs; w-- > 0;) {
    u64 high = w >= words ? b->odd[w - words] << bits : 0;
    to[w] = high | (bits && w > words ? b->odd[w - words - 1] >> (64 - bits) : 0);
  }
}

/* C(n, most - m) for every m of the row; 0 where there is no such choice. */
static void free_ways(Row *row, i32 n, i32 most, i32 limbs) {
  i32 k = max32(0, most - row->high), last = min32(n, most - row->low);
  if (row->high < row->low) return;
  memset(row->of, 0, sizeof(u64) * (size_t)((row->high - row->low + 1) * width_of(limbs)));
  if (limbs) {
    Binomial b = {{1}, 0};
    for (i32 at = 0; k <= last; at = k++) {
      walk(&b, n, at, k, limbs);
      write_doubled(number_at(row, most - k, limbs), &b, limbs);
    }
    return;
  }
  double ways = 1;
  for (i32 i = 0; i <= last; ways = ways * (n - i) / (i + 1), i++)
    if (i >= k) *number_at(row, most - i, 0) = word_of(ways);
}

/* ---------------------------------------------------------------- a region */

static i32 take_row(Arena *arena, Row *row, i32 low, i32 high, i32 limbs) {
  size_t numbers = (size_t)max32(0, high - low + 1);
  *row = (Row){arena_take(arena, sizeof(u64) * numbers * (size_t)width_of(limbs)), low, high};
  if (!row->of) return TOO_LARGE;
  memset(row->of, 0, sizeof(u64) * numbers * (size_t)width_of(limbs));
  return OK;
}

static i32 join_region(Counter *c, Region *r) {
  const i32 n = r->parts, limbs = c->limbs, most = r->most;
  const Component *part = c->parts + r->first_part;
  if (!ARENA_TAKE(&c->arena, r->before, n + 1) || !ARENA_TAKE(&c->arena, r->after, n + 1))
    return TOO_LARGE;
  i32 low = 0, high = 0;
  for (i32 i = 0; i <= n; i++) {
    if (take_row(&c->arena, r->before + i, low, high, limbs) != OK ||
        take_row(&c->arena, r->after + i, low, high, limbs) != OK) return TOO_LARGE;
    if (i == n) break;
    Row one = own(part + i, limbs);
    low += one.low;
    high = min32(most, high + one.high);
  }
  set_one(r->before[0].of, limbs);
  for (i32 i = 0; i < n; i++) {
    Row one = own(part + i, limbs), *from = r->before + i, *to = from + 1;
    for (i32 m = from->low; m <= from->high; m++)
      for (i32 u = one.low; u <= one.high && m + u <= to->high; u++)
        add_both(number_at(to, m + u, limbs), number_at(from, m, limbs), number_at(&one, u, limbs),
                 limbs);
  }
  Row *last = r->after + n;
  if (r->free_class >= 0) free_ways(last, r->free_cells, most, limbs);
  else if (last->low <= most && most <= last->high) set_one(number_at(last, most, limbs), limbs);
  for (i32 i = n; i-- > 0;) {
    Row one = own(part + i, limbs), *to = r->after + i, *from = to + 1;
    for (i32 m = to->low; m <= to->high; m++)
      for (i32 u = one.low; u <= one.high && m + u <= from->high; u++)
        add_both(number_at(to, m, limbs), number_at(from, m + u, limbs), number_at(&one, u, limbs),
                 limbs);
  }
  return OK;
}

static u64 *region_total(const Region *r) { return r->after[0].of; }

/* to = product of all regions' totals but `except`, times 2^doublings */
static void multiply_regions(const Counter *c, u64 *to, i32 except, i32 doublings) {
  u64 next[MINES_WORDS + 1];
  i32 limbs = c->limbs;
  size_t bytes = sizeof(u64) * (size_t)width_of(limbs);
  set_one(to, limbs);
  for (i32 r = 0; r < c->region_count; r++) {
    if (r == except) continue;
    memset(next, 0, bytes);
    add_product(next, to, region_total(c->regions + r), limbs);
    memcpy(to, next, bytes);
  }
  for (i32 i = 0; i < doublings; i++) {
    memcpy(next, to, bytes);
    add_times(to, next, 1, limbs);
  }
}

static i32 loose_cells(const Counter *c) { return c->unconstrained < 0 ? 0 : c->class_size[c->unconstrained]; }

i32 mines_join(Counter *c) {
  for (i32 r = 0; r < c->region_count; r++)
    if (join_region(c, c->regions + r) != OK) return TOO_LARGE;
  multiply_regions(c, c->mass, -1, loose_cells(c));
  return OK;
}

/* ---------------------------------------------------------------- what lies outside a part */

i32 mines_weigh(Counter *c, i32 index) {
  Component *part = c->parts + index;
  Region *r = c->regions;
  while (index < r->first_part || index >= r->first_part + r->parts) r++;
  const i32 limbs = c->limbs;
  const Row *before = r->before + (index - r->first_part), *after = r->after + (index - r->first_part) + 1;
  size_t bytes = sizeof(u64) * (size_t)part->weights * (size_t)width_of(limbs);
  part->backward = arena_take(&c->arena, bytes);
  if (!part->backward) return TOO_LARGE;
  memset(part->backward, 0, bytes);
  const State *end = state_at(part->layer + part->layers, 0);
  Row weight = {part->backward + (size_t)end->weight_at * (size_t)width_of(limbs), end->low, end->high};
  for (i32 u = weight.low; u <= weight.high; u++)
    for (i32 m = before->low; m <= before->high && m + u <= after->high; m++)
      add_both(number_at(&weight, u, limbs), number_at(after, m + u, limbs),
               number_at(before, m, limbs), limbs);
  if (!limbs) mines_rescale(part->layer + part->layers, part->backward);
  return OK;
}

/* ---------------------------------------------------------------- the numbers of the classes */

/* One of the free cells is a mine: the others take one less. */
static i32 finish_free(Counter *c, const Region *r, u64 *tally) {
  const Row *parts = r->before + r->parts;
  i32 limbs = c->limbs;
  Row others;
  if (take_row(&c->arena, &others, parts->low, min32(parts->high, r->most - 1), limbs) != OK)
    return TOO_LARGE;
  free_ways(&others, r->free_cells - 1, r->most - 1, limbs);
  for (i32 m = others.low; m <= others.high; m++)
    add_both(tally, number_at(&others, m, limbs), number_at(parts, m, limbs), limbs);
  return OK;
}

i32 mines_finish(Counter *c) {
  i32 limbs = c->limbs, width = width_of(limbs);
  u64 factor[MINES_WORDS + 1], result[MINES_WORDS + 1];
  size_t bytes = sizeof(u64) * (size_t)width;
  for (i32 r = 0; r < c->region_count; r++)
    if (c->regions[r].free_class >= 0 &&
        finish_free(c, c->regions + r, c->mass + (1 + c->regions[r].free_class) * width) != OK)
      return TOO_LARGE;
  i32 region = -1;
  for (i32 k = 0; k < c->classes; k++) {
    u64 *tally = c->mass + (1 + k) * width;
    if (k == c->unconstrained) {
      multiply_regions(c, tally, -1, loose_cells(c) - 1);
      continue;
    }
    if (c->class_region[k] != region) {
      region = c->class_region[k];
      multiply_regions(c, factor, region, loose_cells(c));
    }
    memset(result, 0, bytes);
    add_product(result, tally, factor, limbs);
    memcpy(tally, result, bytes);
  }
  return OK;
}
