/* Arithmetic over the states of a part.
 *
 *   forward[s][u]   layouts of the boxes before state s that use u coupling mines
 *   backward[s][u]  layouts of the boxes after it, times the weight of what lies outside the part
 *   forward * backward over the steps that place t mines gives every box's share
 *
 * Numbers are `limbs` 64-bit words, lowest first, and wrap around: every number that is read off
 * in the end is at most the total, which fits, so wrapping on the way is harmless. limbs = 0
 * means doubles. All of them are sums of positive terms: nothing cancels, so a double that is
 * zero is zero. The sweeps are inlined once per width, since a loop over one word costs three
 * times the word.
 *
 * Marks. Where interchangeable clues were merged, a box's clue is no longer known by its slot. A
 * third sweep carries, per state, slot and *lane*, the number of ways in which the lane's clue
 * sits in that slot. A lane is a clue, or several that were alike from the start and have gone
 * the same way. Of slots with equal needs the marked clue always takes the first: which of them
 * is which is a free choice, made anew for each lane. */
#include "count.h"

#define TAKE(pointer, count) ((pointer) = store_take(store, sizeof *(pointer) * (size_t)(count)))
#define INLINE static inline __attribute__((always_inline))

typedef union Real { u64 u; double d; } Real;
static inline double real(u64 word) { return ((Real){.u = word}).d; }
static inline u64 word_of(double d) { return ((Real){.d = d}).u; }
static inline i32 width_of(i32 limbs) { return limbs ? limbs : 1; }

/* a * b in 128 bits. Spelled out: the compiler's own 128-bit product is a library call here. */
INLINE u64 multiply(u64 a, u64 b, u64 *high) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 low = a0 * b0, middle = a1 * b0 + (low >> 32), cross = a0 * b1 + (u32)middle;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
  return cross << 32 | (u32)low;
}

/* to += a[0..words) * b, words from the bottom; what does not fit is dropped */
INLINE void add_row(u64 *to, const u64 *a, u64 b, const i32 words) {
  u64 carry = 0, high;
  for (i32 i = 0; i < words; i++) {
    u64 low = multiply(a[i], b, &high);
    low += carry;
    high += low < carry;
    to[i] += low;
    carry = high + (to[i] < low);
  }
}

/* to += from */
INLINE void add_number(u64 *to, const u64 *from, const i32 limbs) {
  u64 carry = 0;
  for (i32 i = 0; i < limbs; i++) {
    u64 sum = to[i] + from[i], more = sum < from[i];
    to[i] = sum + carry;
    carry = more | (to[i] < carry);
  }
}

/* to += from * times; on most boards all boxes are single cells and `times` is 1 */
INLINE void add_times(u64 *to, const u64 *from, u64 times, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*from) * (double)times);
  else if (limbs == 1) *to += *from * times;
  else if (times == 1) add_number(to, from, limbs);
  else add_row(to, from, times, limbs);
}

/* to += a * b */
INLINE void add_product(u64 *to, const u64 *a, const u64 *b, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*a) * real(*b));
  else if (limbs == 1) *to += *a * *b;
  else
    for (i32 j = 0; j < limbs; j++)
      if (b[j]) add_row(to + j, a, b[j], limbs - j);
}

static void set_one(u64 *to, i32 limbs) {
  memset(to, 0, sizeof(u64) * (size_t)width_of(limbs));
  to[0] = limbs ? 1 : word_of(1.0);
}
static i32 is_zero(const u64 *a, i32 limbs) {
  for (i32 i = 0; i < width_of(limbs); i++)
    if (a[i]) return 0;
  return 1;
}

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
  part->forward = store_take(&c->store, bytes);
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

/* Row n of Pascal's triangle up to `most`. */
static void binomials(u64 *row, i32 n, i32 most, i32 limbs) {
  i32 width = width_of(limbs);
  memset(row, 0, sizeof(u64) * (size_t)((most + 1) * width));
  set_one(row, limbs);
  for (i32 i = 1; i <= n; i++)
    for (i32 k = min32(i, most); k > 0; k--)
      add_times(row + k * width, row + (k - 1) * width, 1, limbs);
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
  const State *end = state_at(part->layer + part->boxes, 0);
  memcpy(row + end->low * width, part->forward + (size_t)end->weight_at * (size_t)width,
         sizeof(u64) * (size_t)((end->high - end->low + 1) * width));
}

static i32 join_region(Counter *c, Region *r) {
  i32 n = members(r), limbs = c->limbs;
  size_t row = sizeof(u64) * (size_t)(r->most + 1) * (size_t)width_of(limbs);
  r->polynomial = store_take(&c->store, row * (size_t)(3 * n + 2));
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
  part->backward = store_take(&c->store, bytes);
  u64 *rest = store_take(&c->store, sizeof(u64) * (size_t)((r->most + 1) * width));
  if (!part->backward || !rest) return TOO_LARGE;
  memset(part->backward, 0, bytes);
  convolve(rest, before(r, i, limbs), after(r, i + 1, limbs), r->most, limbs);
  const State *end = state_at(part->layer + part->boxes, 0);
  for (i32 u = end->low; u <= end->high; u++)
    memcpy(part->backward + ((i32)end->weight_at + u - end->low) * width,
           rest + (r->most - u) * width, sizeof(u64) * (size_t)width);
  if (!limbs) rescale(part->layer + part->boxes, part->backward);
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

static u64 *tally_of(Counter *c, const Part *part, i32 box) {
  return c->mass + (size_t)(1 + part->class_of[box]) * (size_t)width_of(c->limbs);
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

/* ---------------------------------------------------------------- marks */

typedef struct Area { /* the marks of one layer */
  u8 *bytes;
  size_t room;
  u32 *entry; /* states * slots: index into values, or DEAD */
  u64 *values;
  u32 used, most;
} Area;

typedef struct Marks {
  i32 lanes, members;
  i16 *member, *lane_of, *leader; /* merged clues; clue -> lane or -1; lane -> its clue */
  Area now, next;
} Marks;

static i32 same_class(const Layer *layer, i32 a, i32 b) {
  i32 at_a = -1, at_b = -2;
  for (i32 x = 0; x < layer->slots; x++) {
    if (layer->clue[x] == a) at_a = layer->class_from[x];
    if (layer->clue[x] == b) at_b = layer->class_from[x];
  }
  return at_a == at_b;
}

/* Clues share a lane if they were alike from the start and stood in one class when a box of
 * their family was first blurred: from then on they go the same way. */
static i32 share_lane(Part *part, i32 a, i32 b) {
  if (part->need[a] != part->need[b] || part->shape[a] != part->shape[b]) return 0;
  i32 family = root_of(part->family, a);
  if (root_of(part->family, b) != family) return 0;
  for (i32 i = 0; i < part->boxes; i++) {
    const Layer *layer = part->layer + i;
    if (layer->blurred < 0) continue;
    if (root_of(part->family, layer->clue[layer->blurred]) == family)
      return same_class(layer, a, b);
  }
  return 1;
}

static void name_lanes(Part *part, Marks *m) {
  i16 size[MINES_CLUES] = {0};
  for (i32 q = 0; q < part->clues; q++) size[root_of(part->family, q)]++;
  for (i32 q = 0; q < part->clues; q++) {
    m->lane_of[q] = -1;
    if (size[root_of(part->family, q)] < 2) continue;
    m->member[m->members++] = (i16)q;
    for (i32 l = 0; l < m->lanes && m->lane_of[q] < 0; l++)
      if (share_lane(part, m->leader[l], q)) m->lane_of[q] = (i16)l;
    if (m->lane_of[q] >= 0) continue;
    m->lane_of[q] = (i16)m->lanes;
    m->leader[m->lanes++] = (i16)q;
  }
}

static i32 open_area(Area *a, const Layer *layer, i32 lanes, i32 width) {
  size_t table = ((size_t)(layer->states * layer->slots) * sizeof(u32) + 15) & ~(size_t)15;
  if (table > a->room) return TOO_LARGE;
  a->entry = (u32 *)a->bytes;
  a->values = (u64 *)(a->bytes + table);
  a->used = 0;
  a->most = (u32)((a->room - table) / (sizeof(u64) * (size_t)(lanes * width)));
  memset(a->entry, 255, (size_t)(layer->states * layer->slots) * sizeof(u32));
  return OK;
}

i32 mines_marks_begin(Counter *c, Part *part) {
  Store *store = &c->store;
  Marks *m;
  if (!TAKE(m, 1)) return TOO_LARGE;
  memset(m, 0, sizeof *m);
  if (!TAKE(m->member, part->clues) || !TAKE(m->lane_of, part->clues) ||
      !TAKE(m->leader, part->clues))
    return TOO_LARGE;
  name_lanes(part, m);
  m->now.room = m->next.room = ((size_t)(store->high - store->low) / 2) & ~(size_t)15;
  m->now.bytes = store->low;
  m->next.bytes = store->low + m->now.room;
  c->marks = m;
  return open_area(&m->now, part->layer, max32(1, m->lanes), width_of(c->limbs));
}

/* The boxes that a blurred box can be: its own with the merged clue replaced by each member. */
static void find_twins(const Counter *c, Part *part, i32 layer, i32 *twin) {
  const Marks *m = c->marks;
  i32 box = part->order[layer], blurred = part->layer[layer].blurred;
  i32 own_clue = part->layer[layer].clue[blurred], family = root_of(part->family, own_clue);
  u64 sum = 0;
  for (i32 k = 0; k < part->degree[box]; k++) sum += clue_key(part->clues_of[box][k]);
  for (i32 i = 0; i < m->members; i++) {
    twin[i] = -1;
    i32 q = m->member[i];
    if (root_of(part->family, q) != family) continue;
    for (i32 k = 0; k < part->box_count[q]; k++) {
      i32 b = part->boxes_of[q][k];
      if (part->degree[b] != part->degree[box] || part->copy[b] != part->copy[box] ||
          part->size[b] != part->size[box] || part->counted[b] != part->counted[box])
        continue;
      u64 other = clue_key(own_clue) - clue_key(q);
      for (i32 x = 0; x < part->degree[b]; x++) other += clue_key(part->clues_of[b][x]);
      if (other == sum) twin[i] = b;
    }
  }
}

/* A slot of the state at hand that carries marks. */
typedef struct Marked {
  const u64 *values; /* its marks by lane, or NULL: the clue is added here and is `lane`'s own */
  i32 slot, lane, need, touched;
} Marked;

/* The slots of a state, added ones last, that have marks to hand on. */
static i32 list_marked(const Marks *m, const Part *part, const Layer *layer, const u8 *touched,
                       State *from, u32 index, i32 stretch, Marked *list) {
  i32 count = 0;
  const u32 *entry = m->now.entry + index * (u32)layer->slots;
  for (i32 p = 0; p < layer->slots; p++)
    if (entry[p] != DEAD)
      list[count++] = (Marked){m->now.values + (size_t)entry[p] * (size_t)stretch, p, -1,
                               key_of(from)[p], touched[p]};
  for (i32 p = 0; p < layer->added; p++) {
    i32 q = layer->added_clue[p], lane = m->lane_of[q], slot = layer->slots + p;
    if (lane >= 0 && m->leader[lane] == q)
      list[count++] = (Marked){NULL, slot, lane, part->need[q], touched[slot]};
  }
  return count;
}

/* The marks of a landing place, zeroed when they are new; NULL when the area is full. */
static u64 *marks_at(Marks *m, u32 *entry, i32 stretch) {
  if (*entry == DEAD) {
    if (m->next.used == m->next.most) return NULL;
    *entry = m->next.used++;
    memset(m->next.values + (size_t)*entry * (size_t)stretch, 0, sizeof(u64) * (size_t)stretch);
  }
  return m->next.values + (size_t)*entry * (size_t)stretch;
}

INLINE i64 mark_layer(Counter *c, Part *part, i32 i, u64 *seen, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  Marks *m = c->marks;
  const Layer *layer = part->layer + i, *next = layer + 1;
  const i32 lanes = m->lanes, stretch = lanes * width;
  i32 box = part->order[i], size = part->size[box];
  const u64 *ways = mines_choose_row(size);
  u8 touched[WIDE] = {0};
  Marked list[WIDE];
  i64 cost = layer->states;
  for (i32 x = 0; x < layer->touched; x++) touched[layer->touched_slot[x]] = 1;
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    if (!from->alive) continue;
    i32 count = list_marked(m, part, layer, touched, from, (u32)s, stretch, list);
    for (i32 t = 0; t < from->steps; t++) {
      u32 target = *step_at(part, from->reach + (u32)t);
      State *to = state_at(next, target);
      if (!to->alive) continue;
      const u8 *key = key_of(to);
      u32 *entries = m->next.entry + target * (u32)next->slots;
      i32 mines = from->fewest + t, last_class = -1, last_need = 0, at = 0;
      for (i32 k = 0; k < count; k++) {
        const Marked *mark = list + k;
        i32 need = mark->need - (mark->touched ? mines : 0), slot = layer->target[mark->slot];
        if (mark->slot == layer->blurred && mines)
          for (i32 l = 0; l < lanes; l++) {
            u64 product[MINES_WORDS + 1];
            for (i32 w = 0; w < width; w++) product[w] = 0;
            add_product(product, mark->values + l * width,
                        part->backward + to->weight_at * width, limbs);
            add_times(seen + l * width, product, mines_choose(size - 1, mines - 1), limbs);
          }
        if (slot == NO_SLOT) continue;
        /* The first slot of the class with that need. Slots of one class come in rising need, so
         * the search goes on from where the one before it landed. */
        i32 class_from = next->class_from[slot], end = next->class_to[slot];
        if (class_from != last_class || need < last_need) at = class_from;
        last_class = class_from;
        last_need = need;
        while (at < end && key[at] != need) at++;
        if (at == end) { /* cannot be: the step put it there */
          last_class = -1;
          continue;
        }
        u64 *out = marks_at(m, entries + at, stretch);
        if (!out) return -1;
        if (!mark->values)
          add_times(out + mark->lane * width, part->forward + from->weight_at * width, ways[mines],
                    limbs);
        else if (ways[mines] == 1 && limbs == 1)
          for (i32 l = 0; l < lanes; l++) out[l] += mark->values[l];
        else
          for (i32 l = 0; l < lanes; l++)
            add_times(out + l * width, mark->values + l * width, ways[mines], limbs);
      }
      cost += 1 + count * (1 + lanes * width / 8);
    }
  }
  if (limbs == 0 && next->scale)
    for (i32 s = 0; s < next->states; s++)
      for (i32 x = 0; x < next->slots; x++) {
        u32 entry = m->next.entry[s * next->slots + x];
        if (entry == DEAD) continue;
        u64 *out = m->next.values + (size_t)entry * (size_t)stretch;
        for (i32 l = 0; l < m->lanes; l++) out[l] = word_of(real(out[l]) * next->scale[s]);
      }
  return cost;
}

i32 mines_marks_run(Counter *c, Part *part, i32 i, i64 *budget) {
  Marks *m = c->marks;
  Layer *layer = part->layer + i;
  i32 width = width_of(c->limbs);
  u64 seen[MINES_WORDS * SLOTS];
  i32 twin[MINES_CLUES];
  if (m->lanes * width > MINES_WORDS * SLOTS) return TOO_LARGE;
  if (open_area(&m->next, layer + 1, max32(1, m->lanes), width) != OK) return TOO_LARGE;
  memset(seen, 0, sizeof(u64) * (size_t)(m->lanes * width));
  i64 cost;
  switch (c->limbs) {
    case 0: cost = mark_layer(c, part, i, seen, 0); break;
    case 1: cost = mark_layer(c, part, i, seen, 1); break;
    case 2: cost = mark_layer(c, part, i, seen, 2); break;
    default: cost = mark_layer(c, part, i, seen, c->limbs);
  }
  if (cost < 0) return TOO_LARGE;
  *budget -= cost;
  if (layer->blurred >= 0 && !part->copy[part->order[i]]) {
    find_twins(c, part, i, twin);
    for (i32 k = 0; k < m->members; k++)
      if (twin[k] >= 0)
        add_times(tally_of(c, part, twin[k]), seen + m->lane_of[m->member[k]] * width, 1,
                  c->limbs);
  }
  Area swap = m->now;
  m->now = m->next;
  m->next = swap;
  return OK;
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
