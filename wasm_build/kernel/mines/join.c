/* Combines components and regions: products of generating functions in the number of coupling
 * mines.
 *
 * The polynomial of a component has its layouts by the coupling mines that it takes. The free
 * cells, in no clue but the coupling one, take the remaining mines in a binomial number of ways.
 * Prefix and suffix products:
 *
 *   before[i][m]  layouts of the components before component i that take m coupling mines
 *   after[i][m]   layouts of component i, those after it and the free cells if those before took m
 *
 * Cost: O(components mines^2 limbs), for the few dozen mines that the components can take. */
#include "counter.h"

typedef struct Polynomial { /* coefficients `low` to `high`; empty if low > high */
  u64 *of;
  i32 low, high;
} Polynomial;

static inline u64 *coefficient(const Polynomial *p, i32 mines, i32 limbs) {
  return p->of + (mines - p->low) * width_of(limbs);
}

/* to[m] += a[j] * b[k]; b is usually the smaller number. */
static void add_term(const Polynomial *to, i32 m, const Polynomial *a, i32 j, const Polynomial *b, i32 k,
                     i32 limbs) {
  BY_LIMBS(limbs, add_product, coefficient(to, m, limbs), coefficient(a, j, limbs), coefficient(b, k, limbs));
}

/* The polynomial in `weights` at a component's end. */
static Polynomial polynomial_of(const Component *comp, u64 *weights, i32 limbs) {
  const State *end = state_at(comp->layer + comp->layers, 0);
  return (Polynomial){weights + (size_t)end->weight_at * (size_t)width_of(limbs), end->low, end->high};
}

/* ---------------------------------------------------------------- binomials */

/* 1 / d modulo 2^64, d odd, by Newton's iteration: 5 bits are right at first, then twice as many.
 */
static u64 inverse(u64 d) {
  u64 x = 3 * d ^ 2;
  for (i32 bits = 5; bits < 64; bits *= 2) x *= 2 - d * x;
  return x;
}

/* A binomial modulo 2^(64 limbs): odd * 2^doubled. */
typedef struct Binomial {
  u64 odd[MINES_WORDS + 1];
  i32 doubled;
} Binomial;

/* odd := odd * by / over, all odd, the division exact (Jebelean 1993): from the lowest word up,
 * each word of the quotient is the remainder's times the inverse of `over`. */
static void scale_odd(u64 *odd, u64 by, u64 over, i32 limbs) {
  u64 carry = 0, owed = 0, high;
  const u64 inverted = inverse(over);
  for (i32 w = 0; w < limbs; w++) {
    u64 low = multiply(odd[w], by, &high);
    low += carry;
    carry = high + (low < carry);
    u64 less = low < owed;
    odd[w] = (low - owed) * inverted;
    multiply(odd[w], over, &high);
    owed = high + less;
  }
}

/* From C(n, from) to C(n, to). Six factors fit a word, as n is below 1024. */
static void advance(Binomial *b, i32 n, i32 from, i32 to, i32 limbs) {
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

/* Set each coefficient m of a zero polynomial to C(n, most - m), the layouts of n free cells. */
static void set_binomials(const Polynomial *to, i32 n, i32 most, i32 limbs) {
  i32 k = max32(0, most - to->high), last = min32(n, most - to->low);
  if (to->high < to->low) return;
  if (limbs) {
    Binomial b = {{1}, 0};
    for (i32 at = 0; k <= last; at = k++) {
      advance(&b, n, at, k, limbs);
      write_doubled(coefficient(to, most - k, limbs), &b, limbs);
    }
    return;
  }
  double ways = 1;
  for (i32 i = 0; i <= last; ways = ways * (n - i) / (i + 1), i++)
    if (i >= k) *coefficient(to, most - i, 0) = word_of(ways);
}

/* ---------------------------------------------------------------- a region */

/* A zero polynomial; 0 without room. */
static i32 take_polynomial(Arena *arena, Polynomial *p, i32 low, i32 high, i32 limbs) {
  p->low = low;
  p->high = high;
  return ARENA_TAKE_ZEROED(arena, p->of, max32(0, high - low + 1) * width_of(limbs));
}

/* The prefix and suffix products of a region. */
static i32 join_region(Counter *c, Region *r) {
  const i32 n = r->components, limbs = c->limbs, most = r->most;
  const Component *comp = c->components + r->first_component;
  if (!ARENA_TAKE(&c->arena, r->before, n + 1) || !ARENA_TAKE(&c->arena, r->after, n + 1)) return TOO_LARGE;
  i32 low = 0, high = 0;
  for (i32 i = 0; i <= n; i++) {
    if (!take_polynomial(&c->arena, r->before + i, low, high, limbs) ||
        !take_polynomial(&c->arena, r->after + i, low, high, limbs))
      return TOO_LARGE;
    if (i == n) break;
    Polynomial one = polynomial_of(comp + i, comp[i].forward, limbs);
    low += one.low;
    high = min32(most, high + one.high);
  }
  set_one(r->before[0].of, limbs);
  for (i32 i = 0; i < n; i++) {
    Polynomial one = polynomial_of(comp + i, comp[i].forward, limbs);
    Polynomial *from = r->before + i, *to = from + 1;
    for (i32 m = from->low; m <= from->high; m++)
      for (i32 u = one.low; u <= one.high && m + u <= to->high; u++)
        add_term(to, m + u, from, m, &one, u, limbs);
  }
  Polynomial *last = r->after + n;
  if (r->free_class >= 0) set_binomials(last, r->free_cells, most, limbs);
  else if (last->low <= most && most <= last->high) set_one(coefficient(last, most, limbs), limbs);
  for (i32 i = n; i-- > 0;) {
    Polynomial one = polynomial_of(comp + i, comp[i].forward, limbs);
    Polynomial *to = r->after + i, *from = to + 1;
    for (i32 m = to->low; m <= to->high; m++)
      for (i32 u = one.low; u <= one.high && m + u <= from->high; u++)
        add_term(to, m, from, m + u, &one, u, limbs);
  }
  return OK;
}

static u64 *region_total(const Region *r) { return r->after[0].of; }

/* to := product of the totals of all regions but `except`, times 2^doublings. */
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

static i32 unconstrained_cells(const Counter *c) {
  return c->unconstrained < 0 ? 0 : c->class_size[c->unconstrained];
}

i32 mines_join(Counter *c) {
  for (i32 r = 0; r < c->region_count; r++)
    if (join_region(c, c->regions + r) != OK) return TOO_LARGE;
  multiply_regions(c, c->mass, -1, unconstrained_cells(c));
  return OK;
}

/* ---------------------------------------------------------------- weights outside a component */

i32 mines_outside_weights(Counter *c, i32 index) {
  Component *comp = c->components + index;
  Region *r = c->regions;
  while (index < r->first_component || index >= r->first_component + r->components) r++;
  const i32 limbs = c->limbs;
  const Polynomial *before = r->before + (index - r->first_component);
  const Polynomial *after = r->after + (index - r->first_component) + 1;
  if (!ARENA_TAKE_ZEROED(&c->arena, comp->backward, comp->weights * (u32)width_of(limbs))) return TOO_LARGE;
  Polynomial weight = polynomial_of(comp, comp->backward, limbs);
  for (i32 u = weight.low; u <= weight.high; u++)
    for (i32 m = before->low; m <= before->high && m + u <= after->high; m++)
      add_term(&weight, u, after, m + u, before, m, limbs);
  if (!limbs) mines_rescale(comp->layer + comp->layers, comp->backward);
  return OK;
}

/* ---------------------------------------------------------------- masses of the classes */

/* Add the layouts in which a given free cell is a mine: the others take one mine less. */
static i32 add_free_mass(Counter *c, const Region *r) {
  const i32 limbs = c->limbs;
  const Polynomial *taken = r->before + r->components;
  Polynomial others, mass = {c->mass + (1 + r->free_class) * width_of(limbs), 0, 0};
  if (!take_polynomial(&c->arena, &others, taken->low, min32(taken->high, r->most - 1), limbs))
    return TOO_LARGE;
  set_binomials(&others, r->free_cells - 1, r->most - 1, limbs);
  for (i32 m = others.low; m <= others.high; m++) add_term(&mass, 0, &others, m, taken, m, limbs);
  return OK;
}

i32 mines_scale_masses(Counter *c) {
  i32 limbs = c->limbs, width = width_of(limbs);
  u64 factor[MINES_WORDS + 1], result[MINES_WORDS + 1];
  size_t bytes = sizeof(u64) * (size_t)width;
  for (i32 r = 0; r < c->region_count; r++)
    if (c->regions[r].free_class >= 0 && add_free_mass(c, c->regions + r) != OK) return TOO_LARGE;
  i32 region = -1;
  for (i32 k = 0; k < c->classes; k++) {
    u64 *mass = c->mass + (1 + k) * width;
    if (k == c->unconstrained) {
      multiply_regions(c, mass, -1, unconstrained_cells(c) - 1);
      continue;
    }
    if (c->class_region[k] != region) {
      region = c->class_region[k];
      multiply_regions(c, factor, region, unconstrained_cells(c));
    }
    memset(result, 0, bytes);
    add_product(result, mass, factor, limbs);
    memcpy(mass, result, bytes);
  }
  return OK;
}
