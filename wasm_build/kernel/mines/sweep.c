/* Arithmetic over the states of a part.
 *
 *   forward[s][u]   layouts of the boxes before state s that use u coupling mines
 *   backward[s][u]  layouts of the boxes after it, times the weight of what lies outside the part
 *   forward * backward over the steps that place t mines gives every box's share
 *
 * Where interchangeable clues were merged, marks.c settles whose share it is. */
#include "numbers.h"

/* The coupling numbers two states of one step have in common. */
typedef struct Span {
  i32 from, to, count; /* first weight of each, how many */
} Span;

INLINE Span span_of(const Part *part, const State *from, const State *to, i32 mines) {
  i32 high = part->coupled ? min32(from->high, part->most - mines) : 0;
  return (Span){(i32)from->weight_at, (i32)to->weight_at + from->low + mines - to->low,
                high - from->low + 1};
}

i32 mines_sweep_prepare(Counter *c, Part *part) {
  size_t bytes = sizeof(u64) * (size_t)part->weights * (size_t)width_of(c->limbs);
  part->forward = arena_take(&c->arena, bytes);
  if (!part->forward) return TOO_LARGE;
  memset(part->forward, 0, bytes);
  set_one(part->forward, c->limbs);
  return OK;
}

static void rescale(const Layer *layer, u64 *weights) {
  for (i32 s = 0; layer->scale && s < layer->states; s++) {
    const State *state = state_at(layer, (u32)s);
    for (i32 u = 0; state->alive && u <= state->high - state->low; u++) {
      u64 *at = weights + state->weight_at + u;
      *at = word_of(real(*at) * layer->scale[s]);
    }
  }
}

INLINE i64 forward_layer(Part *part, i32 i, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  const Layer *layer = part->layer + i;
  i32 box = part->order[i];
  const u64 *ways = mines_choose_row(part->size[box]);
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++) {
      const State *to = state_at(layer + 1, *step_at(part, from->reach + (u32)t));
      if (!to->alive) continue;
      i32 mines = from->fewest + t;
      Span span = span_of(part, from, to, part->counted[box] ? mines : 0);
      for (i32 u = 0; u < span.count; u++)
        add_times(part->forward + (span.to + u) * width, part->forward + (span.from + u) * width,
                  ways[mines], limbs);
      cost += 1 + max32(0, span.count) * width / 4;
    }
  }
  if (limbs == 0) rescale(layer + 1, part->forward);
  return cost;
}

void mines_sweep_forward(Counter *c, Part *part, i32 layer, i64 *budget) {
  switch (c->limbs) {
    case 0: *budget -= forward_layer(part, layer, 0); break;
    case 1: *budget -= forward_layer(part, layer, 1); break;
    case 2: *budget -= forward_layer(part, layer, 2); break;
    default: *budget -= forward_layer(part, layer, c->limbs);
  }
}

/* ---------------------------------------------------------------- joining parts and regions */

static void convolve(u64 *out, const u64 *a, const u64 *b, i32 most, i32 limbs) {
  i32 width = width_of(limbs);
  memset(out, 0, sizeof(u64) * (size_t)((most + 1) * width));
  for (i32 i = 0; i <= most; i++) {
    if (is_zero(a + i * width, limbs)) continue;
    for (i32 j = 0; i + j <= most; j++)
      if (!is_zero(b + j * width, limbs))
        add_product(out + (i + j) * width, a + i * width, b + j * width, limbs);
  }
}

/* Row n of Pascal's triangle up to `most`, one number from the last: C(n, k + 1) is C(n, k) times
 * n - k over k + 1, in as many digits of 32 bits as it takes; what is kept of it wraps around as all
 * numbers do. In doubles by additions,
 * which round as they always did. */
static void binomials(u64 *row, i32 n, i32 most, i32 limbs) {
  i32 width = width_of(limbs), digits = 1;
  memset(row, 0, sizeof(u64) * (size_t)((most + 1) * width));
  set_one(row, limbs);
  for (i32 i = 1; limbs == 0 && i <= n; i++)
    for (i32 k = min32(i, most); k > 0; k--) add_times(row + k, row + k - 1, 1, 0);
  u32 digit[MINES_CELLS / 32 + 2] = {1}; /* C(n, k) (n - k) is less than n 2^n */
  for (i32 k = 0; limbs && k < min32(n, most); k++) {
    u64 carry = 0, rest = 0, by = (u64)k + 1, *out = row + (k + 1) * width;
    for (i32 i = 0; i < digits; i++) {
      carry += (u64)digit[i] * (u64)(n - k);
      digit[i] = (u32)carry;
      carry >>= 32;
    }
    if (carry) digit[digits++] = (u32)carry;
    for (i32 i = digits; i-- > 0;) {
      rest = rest << 32 | digit[i];
      digit[i] = (u32)(rest / by);
      rest %= by;
    }
    if (!digit[digits - 1]) digits--;
    for (i32 i = 0; i < min32(digits, 2 * limbs); i++) out[i / 2] |= (u64)digit[i] << (i & 1) * 32;
  }
}

/* A region's polynomials, each of most + 1 numbers: one per part, one for the free cells, then
 * products of all before and of all after each of them. */
static i32 members(const Region *r) { return r->parts + (r->free_class >= 0); }
static u64 *own(const Region *r, i32 i, i32 limbs) {
  return r->polynomial + (size_t)i * (size_t)(r->most + 1) * (size_t)width_of(limbs);
}
static u64 *before(const Region *r, i32 i, i32 limbs) { return own(r, members(r) + i, limbs); }
static u64 *after(const Region *r, i32 i, i32 limbs) {
  return own(r, 2 * members(r) + 1 + i, limbs);
}

static void read_end(const Part *part, u64 *row, i32 limbs) {
  i32 width = width_of(limbs);
  memset(row, 0, sizeof(u64) * (size_t)((part->most + 1) * width));
  const State *end = state_at(part->layer + part->layers, 0);
  memcpy(row + end->low * width, part->forward + (size_t)end->weight_at * (size_t)width,
         sizeof(u64) * (size_t)((end->high - end->low + 1) * width));
}

static i32 join_region(Counter *c, Region *r) {
  i32 n = members(r), limbs = c->limbs;
  size_t row = sizeof(u64) * (size_t)(r->most + 1) * (size_t)width_of(limbs);
  r->polynomial = arena_take(&c->arena, row * (size_t)(3 * n + 2));
  if (!r->polynomial) return TOO_LARGE;
  for (i32 i = 0; i < r->parts; i++)
    read_end(c->parts + r->first_part + i, own(r, i, limbs), limbs);
  if (r->free_class >= 0) binomials(own(r, r->parts, limbs), r->free_cells, r->most, limbs);
  memset(before(r, 0, limbs), 0, row);
  memset(after(r, n, limbs), 0, row);
  set_one(before(r, 0, limbs), limbs);
  set_one(after(r, n, limbs), limbs);
  for (i32 i = 0; i < n; i++)
    convolve(before(r, i + 1, limbs), before(r, i, limbs), own(r, i, limbs), r->most, limbs);
  for (i32 i = n; i-- > 0;)
    convolve(after(r, i, limbs), after(r, i + 1, limbs), own(r, i, limbs), r->most, limbs);
  return OK;
}

static u64 *region_total(const Region *r, i32 limbs) {
  return before(r, members(r), limbs) + r->most * width_of(limbs);
}

/* to = product of all regions' totals but `except`, times 2^doublings */
static void multiply_regions(const Counter *c, u64 *to, i32 except, i32 doublings) {
  u64 next[MINES_WORDS + 1];
  i32 limbs = c->limbs;
  size_t bytes = sizeof(u64) * (size_t)width_of(limbs);
  set_one(to, limbs);
  for (i32 r = 0; r < c->region_count; r++) {
    if (r == except) continue;
    memset(next, 0, bytes);
    add_product(next, to, region_total(c->regions + r, limbs), limbs);
    memcpy(to, next, bytes);
  }
  for (i32 i = 0; i < doublings; i++) {
    memcpy(next, to, bytes);
    add_times(to, next, 1, limbs);
  }
}

static i32 loose_cells(const Counter *c) { return c->loose < 0 ? 0 : c->class_size[c->loose]; }

i32 mines_join(Counter *c) {
  for (i32 r = 0; r < c->region_count; r++)
    if (join_region(c, c->regions + r) != OK) return TOO_LARGE;
  multiply_regions(c, c->mass, -1, loose_cells(c));
  return OK;
}

/* What lies outside the part, by coupling mines left for it: the weights at its end. */
i32 mines_weigh(Counter *c, i32 index) {
  Part *part = c->parts + index;
  Region *r = c->regions;
  while (index < r->first_part || index >= r->first_part + r->parts) r++;
  i32 i = index - r->first_part, limbs = c->limbs, width = width_of(limbs);
  size_t bytes = sizeof(u64) * (size_t)part->weights * (size_t)width;
  part->backward = arena_take(&c->arena, bytes);
  u64 *rest = arena_take(&c->arena, sizeof(u64) * (size_t)((r->most + 1) * width));
  if (!part->backward || !rest) return TOO_LARGE;
  memset(part->backward, 0, bytes);
  convolve(rest, before(r, i, limbs), after(r, i + 1, limbs), r->most, limbs);
  const State *end = state_at(part->layer + part->layers, 0);
  for (i32 u = end->low; u <= end->high; u++)
    memcpy(part->backward + ((i32)end->weight_at + u - end->low) * width,
           rest + (r->most - u) * width, sizeof(u64) * (size_t)width);
  if (!limbs) rescale(part->layer + part->layers, part->backward);
  return OK;
}

INLINE i64 backward_layer(Part *part, i32 i, u64 *tally, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  const Layer *layer = part->layer + i;
  i32 box = part->order[i], size = part->size[box];
  const u64 *ways = mines_choose_row(size);
  u64 share[MINES_WORDS + 1];
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++) {
      const State *to = state_at(layer + 1, *step_at(part, from->reach + (u32)t));
      if (!to->alive) continue;
      i32 mines = from->fewest + t;
      Span span = span_of(part, from, to, part->counted[box] ? mines : 0);
      for (i32 w = 0; w < width; w++) share[w] = 0;
      for (i32 u = 0; u < span.count; u++) {
        u64 *b = part->backward + (span.to + u) * width;
        add_times(part->backward + (span.from + u) * width, b, ways[mines], limbs);
        if (mines) add_product(share, part->forward + (span.from + u) * width, b, limbs);
      }
      if (mines) add_times(tally, share, mines_choose(size - 1, mines - 1), limbs);
      cost += 1 + max32(0, span.count) * width * width / 2;
    }
  }
  if (limbs == 0) rescale(layer, part->backward);
  return cost;
}

void mines_sweep_backward(Counter *c, Part *part, i32 layer, i64 *budget) {
  /* The cells of a class all fare alike, so only its first piece is counted; the clue of a
   * blurred box is settled by the marks. */
  u64 idle[MINES_WORDS + 1] = {0};
  i32 box = part->order[layer];
  u64 *tally = tally_of(c, part, box);
  if (part->copy[box] || part->layer[layer].blurred >= 0) tally = idle;
  switch (c->limbs) {
    case 0: *budget -= backward_layer(part, layer, tally, 0); break;
    case 1: *budget -= backward_layer(part, layer, tally, 1); break;
    case 2: *budget -= backward_layer(part, layer, tally, 2); break;
    default: *budget -= backward_layer(part, layer, tally, c->limbs);
  }
}

/* ---------------------------------------------------------------- the numbers of the classes */

static void finish_free(Counter *c, const Region *r, u64 *tally) {
  i32 limbs = c->limbs, width = width_of(limbs), last = members(r) - 1;
  u64 *others = own(r, last, limbs); /* its own row is not needed any more */
  binomials(others, r->free_cells - 1, r->most, limbs);
  const u64 *parts = before(r, last, limbs);
  for (i32 k = 1; k <= r->most; k++)
    add_product(tally, others + (k - 1) * width, parts + (r->most - k) * width, limbs);
}

void mines_finish(Counter *c) {
  i32 limbs = c->limbs, width = width_of(limbs);
  u64 factor[MINES_WORDS + 1], result[MINES_WORDS + 1];
  size_t bytes = sizeof(u64) * (size_t)width;
  for (i32 r = 0; r < c->region_count; r++)
    if (c->regions[r].free_class >= 0)
      finish_free(c, c->regions + r, c->mass + (1 + c->regions[r].free_class) * width);
  i32 region = -1;
  for (i32 k = 0; k < c->classes; k++) {
    u64 *tally = c->mass + (1 + k) * width;
    if (k == c->loose) {
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
}
