/* Frontier dynamic program (variable elimination in a fixed order): the states of a component,
 * layer by layer. Place a box in every way, sort interchangeable slots, merge equal states
 * (table.c), prune states that bounds propagation or the backward sweep proves infeasible. In
 * sampled mode a layer keeps a random part of its states, reweighted so that the estimate is
 * unbiased. */
#include "counter.h"

/* ---------------------------------------------------------------- infeasible states
 *
 * Bounds propagation over the remaining boxes to a fixpoint, with a stack of clues. The bounds
 * common to all states of a layer are computed once; a state starts from them and adds its open
 * clues. */

enum { UNKNOWN_NEED = -1 }; /* of an open clue, in the bounds common to all states */

typedef struct Bounds { /* scratch: rewritten for every layer or state */
  struct { i16 need, most, least; } clue[MINES_CLUES]; /* most and least: sums over its boxes */
  struct { u8 lower, upper; } box[MINES_CELLS];        /* 0 for placed ones */
  i16 stack[MINES_CLUES];
  u8 stacked[MINES_CLUES];
  i32 height;
} Bounds;
static Bounds layer_bounds, state_bounds;

static void push(Bounds *b, i32 q) {
  if (b->stacked[q] || b->clue[q].need == UNKNOWN_NEED) return;
  b->stacked[q] = 1;
  b->stack[b->height++] = (i16)q;
}

/* Tighten the boxes of clue q and push the other clues of those that change; 0 if q is infeasible.
 * One pass is a fixpoint for q alone. */
static i32 tighten(const Component *comp, Bounds *b, i32 q) {
  const i32 need = b->clue[q].need;
  if (need < b->clue[q].least || need > b->clue[q].most) return 0;
  for (i32 i = 0; i < comp->box_count[q]; i++) {
    const i32 box = comp->boxes_of[q][i], lower = b->box[box].lower, upper = b->box[box].upper;
    const i32 low = max32(lower, need - b->clue[q].most + upper);
    const i32 high = min32(upper, need - b->clue[q].least + lower);
    if (low == lower && high == upper) continue;
    b->box[box].lower = (u8)low;
    b->box[box].upper = (u8)high;
    for (i32 k = 0; k < comp->degree[box]; k++) {
      const i32 other = comp->clues_of[box][k];
      b->clue[other].least += (i16)(low - lower);
      b->clue[other].most += (i16)(high - upper);
      if (other != q) push(b, other);
    }
  }
  return 1;
}

static i32 propagate(const Component *comp, Bounds *b) {
  while (b->height) {
    const i32 q = b->stack[--b->height];
    b->stacked[q] = 0;
    if (!tighten(comp, b, q)) return 0;
  }
  return 1;
}

/* Compute the bounds common to all states of layer `from`. */
static void bound_layer(const Component *comp, i32 from) {
  Bounds *b = &layer_bounds;
  b->height = 0;
  for (i32 q = 0; q < comp->clues; q++) {
    b->clue[q].need = comp->need[q];
    b->clue[q].most = b->clue[q].least = b->stacked[q] = 0;
  }
  for (i32 i = 0; i < comp->boxes; i++) {
    const i32 box = comp->order[i];
    b->box[box].lower = 0;
    b->box[box].upper = i < from ? 0 : comp->size[box];
    for (i32 k = 0; k < comp->degree[box]; k++) {
      const i32 q = comp->clues_of[box][k];
      b->clue[q].most += b->box[box].upper;
      if (i < from) b->clue[q].need = 0; /* finished, unless it is open */
    }
  }
  const Layer *layer = comp->layer + from;
  for (i32 x = 0; x < layer->slots; x++) b->clue[layer->clue[x]].need = UNKNOWN_NEED;
  for (i32 q = 0; q < comp->clues; q++) push(b, q);
  propagate(comp, b);
}

/* 0 if bounds propagation refutes a state of layer `from`, the last one of bound_layer. Incomplete:
 * the backward sweep afterwards is exact. */
static i32 is_feasible(const Component *comp, i32 from, const u8 *key) {
  Bounds *b = &state_bounds;
  memcpy(b->clue, layer_bounds.clue, sizeof *b->clue * (size_t)comp->clues);
  memcpy(b->box, layer_bounds.box, sizeof *b->box * (size_t)comp->boxes);
  memset(b->stacked, 0, (size_t)comp->clues);
  b->height = 0;
  const Layer *layer = comp->layer + from;
  for (i32 x = 0; x < layer->slots; x++) {
    b->clue[layer->clue[x]].need = key[x];
    push(b, layer->clue[x]);
  }
  return propagate(comp, b);
}

/* Whether testing this layer's states pays: if a third of 32 of them fail. */
static i32 filtering_pays(const Component *comp, i32 index, i32 sampled) {
  enum { SAMPLES = 32, WORTH = 20000, BOXES = 450 };
  const Layer *layer = comp->layer + index;
  const i32 always = sampled && comp->boxes <= BOXES; /* few states: keep the feasible ones */
  if ((layer->states < WORTH && !always) || !layer->states || !layer->slots) return 0;
  bound_layer(comp, index);
  i32 failed = 0;
  for (i32 k = 0; k < SAMPLES; k++) {
    u32 at = (u32)((u64)layer->states * (u64)k / SAMPLES);
    failed += !is_feasible(comp, index, key_of(state_at(layer, at)));
  }
  return failed * 3 >= SAMPLES;
}

/* ---------------------------------------------------------------- expanding */

static i32 begin_layer(Counter *c, const Component *comp, i32 index) {
  Layer *next = comp->layer + index + 1;
  next->stride = (i32)sizeof(State) + ((next->slots + 7) & ~7);
  if (next->stride == sizeof(State)) next->stride += 8;
  next->records = arena_take(&c->arena, 0);
  next->states = 0;
  u32 size = 256;
  while (size < (u32)comp->layer[index].states * 2 && size * 4 <= c->table_room) size *= 2;
  mines_table_clear(c, size);
  c->state = 0;
  c->filtering = !comp->grid && filtering_pays(comp, index, c->sample);
  return next->records ? OK : TOO_LARGE;
}

static void sort_classes(u8 *key, const Layer *next) {
  for (i32 x = 1; x < next->slots; x++) {
    u8 value = key[x];
    i32 y = x;
    for (; y > next->class_from[x] && key[y - 1] > value; y--) key[y] = key[y - 1];
    key[y] = value;
  }
}

/* Add the transitions of one state: its layer's box with every possible number of mines. */
static i32 expand(Counter *c, Component *comp, i32 index, State *state) {
  Layer *layer = comp->layer + index, *next = layer + 1;
  u8 wide[WIDE + 8];
  union {
    u8 slot[MAX_SLOTS + 8];
    u64 word[MAX_SLOTS / 8 + 1];
  } key;
  for (i32 i = 0; i < key_words(layer); i++) memcpy(wide + 8 * i, words_of(state) + i, 8);
  for (i32 x = 0; x < layer->added; x++) wide[layer->slots + x] = (u8)comp->need[layer->added_clue[x]];
  i32 fewest = 0, most = comp->size[comp->order[index]];
  for (i32 x = 0; x < layer->touched; x++) {
    i32 need = wide[layer->touched_slot[x]];
    most = min32(most, need);
    fewest = max32(fewest, need - layer->touched_left[x]);
  }
  state->reach = comp->steps;
  state->fewest = (u8)fewest;
  if (most < fewest) return OK;
  if (c->arena.high - c->arena.low < 4 * (most - fewest + 1) + 64) return TOO_LARGE;
  for (i32 i = 0; i < key_words(next); i++) key.word[i] = 0;
  for (i32 mines = fewest; mines <= most; mines++) {
    for (i32 x = 0; x < layer->touched; x++)
      wide[layer->touched_slot[x]] -= (u8)(mines == fewest ? fewest : 1);
    for (i32 x = 0; x < next->slots; x++) key.slot[x] = wide[layer->source[x]];
    sort_classes(key.slot, next);
    i32 to = mines_table_find(c, next, key.word);
    if (to < 0) return to;
    c->arena.high -= 4;
    *step_at(comp, comp->steps++) = (u32)to;
    state->steps++;
  }
  return OK;
}

/* ---------------------------------------------------------------- sampling a layer
 *
 * A state's weight is the number of layouts that reach it, times the multipliers on the way; its
 * priority g is the weight times a heuristic probability that it can be completed, the product over
 * its open clues of a binomial probability. It stays with probability min(1, g / t) and is then
 * multiplied by max(1, t / g), with t such that about `sample` states stay (priority sampling). The
 * estimate is unbiased for any heuristic; with the weight alone most samples of large levels die
 * out. */

/* The t at which about `sample` of the states stay, by bisection. */
static double threshold(const double *weight, i32 count, i32 sample) {
  double low = 0, high = 0;
  for (i32 s = 0; s < count; s++) high += weight[s];
  for (i32 step = 0; step < 60; step++) {
    double middle = (low + high) / 2, kept = 0;
    for (i32 s = 0; s < count; s++) kept += weight[s] < middle ? weight[s] / middle : 1;
    if (kept > sample) low = middle;
    else high = middle;
  }
  return high;
}

/* Per slot and need: the probability that so many of the clue's remaining cells are mines. */
static double finish_chance[MAX_SLOTS][256];

static void compute_finish_chances(const Component *comp, i32 index) {
  static i32 left[MINES_CLUES];
  const Layer *layer = comp->layer + index;
  double need = 1, cells = 2;
  for (i32 q = 0; q < comp->clues; q++) {
    left[q] = 0;
    need += comp->need[q];
    cells += comp->cells[q];
  }
  for (i32 i = index; i < comp->boxes; i++)
    for (i32 k = 0; k < comp->degree[comp->order[i]]; k++)
      left[comp->clues_of[comp->order[i]][k]] += comp->size[comp->order[i]];
  const double share = need / cells;
  for (i32 x = 0; x < layer->slots; x++) {
    const i32 most = left[layer->clue[x]];
    double now = 1;
    for (i32 n = 0; n < most; n++) now *= 1 - share;
    for (i32 n = 0; n < 256; n++) {
      finish_chance[x][n] = n <= most ? now : 0;
      now *= share / (1 - share) * (most - n) / (n + 1);
    }
  }
}

static i32 sample_layer(Counter *c, Component *comp, i32 index) {
  Layer *layer = comp->layer + index, *next = layer + 1;
  size_t bytes = sizeof(double) * (size_t)next->states;
  double *weight = arena_take(&c->arena, bytes);
  next->scale = arena_take(&c->arena, bytes);
  if (!weight || !next->scale) return TOO_LARGE;
  memset(weight, 0, bytes);
  const u64 *ways = mines_choose_row(comp->size[comp->order[index]]);
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++)
      weight[*step_at(comp, from->reach + (u32)t)] +=
          (layer->ways ? layer->ways[s] : 1) * (double)ways[from->fewest + t];
  }
  next->ways = weight;
  if (!comp->grid) compute_finish_chances(comp, index + 1);
  double *priority = next->scale;
  for (i32 s = 0; s < next->states; s++) {
    const u8 *key = key_of(state_at(next, (u32)s));
    priority[s] = weight[s];
    for (i32 x = 0; x < next->slots && !comp->grid; x++) priority[s] *= finish_chance[x][key[x]];
  }
  double limit = next->states > c->sample ? threshold(priority, next->states, c->sample) : 0;
  for (i32 s = 0; s < next->states; s++) {
    const double own = priority[s];
    next->scale[s] = 1;
    if (own >= limit) continue;
    if (random_share(&c->random) * limit < own) {
      next->scale[s] = limit / own;
      weight[s] *= limit / own;
    } else {
      state_at(next, (u32)s)->alive = 0;
    }
  }
  return OK;
}

/* ---------------------------------------------------------------- pruning */

/* Clear `alive` of states that reach no end; reset the ranges of coupling mines. */
static void prune(Component *comp) {
  for (i32 i = comp->boxes; i-- > 0;)
    for (i32 s = 0; s < comp->layer[i].states; s++) {
      State *from = state_at(comp->layer + i, (u32)s);
      u8 alive = 0;
      for (u32 t = 0; from->alive && t < from->steps; t++)
        alive |= state_at(comp->layer + i + 1, *step_at(comp, from->reach + t))->alive;
      from->alive = alive;
    }
  for (i32 i = 1; i <= comp->boxes; i++)
    for (i32 s = 0; s < comp->layer[i].states; s++) {
      State *state = state_at(comp->layer + i, (u32)s);
      state->low = 30000;
      state->high = -1;
    }
}

/* Compute each state's range of coupling mines and the place of its weights. */
static void index_weights(Component *comp) {
  comp->weights = 0;
  for (i32 i = 0; i <= comp->boxes; i++) {
    Layer *layer = comp->layer + i;
    i32 counted = i < comp->boxes && comp->counted[comp->order[i]];
    for (i32 s = 0; s < layer->states; s++) {
      State *from = state_at(layer, (u32)s);
      if (from->high < from->low) from->alive = 0;
      if (!from->alive) continue;
      from->weight_at = comp->weights;
      comp->weights += (u32)(from->high - from->low + 1);
      for (i32 t = 0; i < comp->boxes && t < from->steps; t++) {
        State *to = state_at(layer + 1, *step_at(comp, from->reach + (u32)t));
        i32 mines = counted ? from->fewest + t : 0;
        if (from->low + mines > comp->most && comp->coupled) break;
        i32 high = comp->coupled ? min32(from->high + mines, comp->most) : 0;
        to->low = (i16)min32(to->low, from->low + mines);
        to->high = (i16)max32(to->high, high);
      }
    }
  }
}

/* ---------------------------------------------------------------- a component */

i32 mines_frontier_begin(Counter *c, Component *comp) {
  Layer *first = comp->layer;
  first->stride = sizeof(State) + (comp->grid ? first->slots : 8);
  first->records = arena_take(&c->arena, (size_t)first->stride);
  if (!first->records) return TOO_LARGE;
  memset(first->records, 0, (size_t)first->stride);
  first->states = 1;
  state_at(first, 0)->alive = 1;
  if (comp->grid) mines_grid_start(comp, key_of(state_at(first, 0)));
  /* Transitions grow down from here. */
  c->arena.high = (u8 *)((uintptr_t)c->arena.high & ~(uintptr_t)15);
  comp->transitions = (u32 *)c->arena.high;
  comp->steps = 0;
  c->layer = 0;
  return begin_layer(c, comp, 0);
}

static i32 finish_layer(Counter *c, Component *comp) {
  Layer *layer = comp->layer + c->layer;
  c->arena.low = (u8 *)(((uintptr_t)c->arena.low + 15) & ~(uintptr_t)15);
  if (!layer[1].states) return 0;
  c->states += layer[1].states;
  if (c->states > MAX_STATES && !c->sample) return TOO_LARGE;
  if (c->sample && sample_layer(c, comp, c->layer) != OK) return TOO_LARGE;
  if (++c->layer < comp->layers) {
    i32 status = begin_layer(c, comp, c->layer);
    return status == OK ? 1 : status;
  }
  if (comp->grid) {
    mines_grid_prune(comp);
    return state_at(comp->layer, 0)->alive ? 2 : 0;
  }
  prune(comp);
  if (!state_at(comp->layer, 0)->alive) return 0;
  index_weights(comp);
  return state_at(comp->layer + comp->layers, 0)->alive ? 2 : 0;
}

i32 mines_frontier_run(Counter *c, Component *comp, i64 *budget) {
  Layer *layer = comp->layer + c->layer;
  for (i32 first = 1; c->state < layer->states; first = 0) {
    if (*budget <= 0 && !first) return 1;
    State *state = state_at(layer, (u32)c->state++);
    if (!state->alive) continue;
    if (c->filtering) {
      *budget -= 20;
      if (!is_feasible(comp, c->layer, key_of(state))) {
        state->alive = 0;
        continue;
      }
    }
    i32 status = comp->grid ? mines_grid_expand(c, comp, c->layer, state) : expand(c, comp, c->layer, state);
    if (status != OK) return status;
    *budget -= 1 + 2 * state->steps;
  }
  return finish_layer(c, comp);
}
