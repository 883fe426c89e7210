/* Frontier dynamic program (variable elimination in a fixed order): all states of a part, layer by
 * layer. Expand a box, sort interchangeable slots, merge equal states (table.c), drop states that
 * bounds propagation or the backward sweep proves dead. In sampled mode a layer keeps some of its
 * states, reweighted so that the estimate is unbiased. */
#include "counter.h"

/* ---------------------------------------------------------------- states without a future
 *
 * Bounds propagation over the boxes to come, to its fixpoint, by a stack of clues. What holds in
 * every state of a layer is derived once; a state starts from there with its open clues. */

enum { ANY = -1 }; /* the need of a clue that is open, before a state is given */

typedef struct Bounds { /* rewritten for every layer or state, carries nothing over */
  struct { i16 need, most, least; } clue[MINES_CLUES]; /* most and least: sums over its boxes */
  struct { u8 lower, upper; } box[MINES_CELLS];        /* both 0 for those before the layer */
  i16 stack[MINES_CLUES];
  u8 stacked[MINES_CLUES];
  i32 height;
} Bounds;
static Bounds of_layer, of_state;

static void push(Bounds *b, i32 q) {
  if (b->stacked[q] || b->clue[q].need == ANY) return;
  b->stacked[q] = 1;
  b->stack[b->height++] = (i16)q;
}

/* Tighten the boxes of clue q; the other clues of those that change are pushed. Once is enough: no
 * box of q gets tighter from q by what q just did. 0 if that is impossible. */
static i32 tighten(const Component *part, Bounds *b, i32 q) {
  const i32 need = b->clue[q].need;
  if (need < b->clue[q].least || need > b->clue[q].most) return 0;
  for (i32 i = 0; i < part->box_count[q]; i++) {
    const i32 box = part->boxes_of[q][i], lower = b->box[box].lower, upper = b->box[box].upper;
    const i32 low = max32(lower, need - b->clue[q].most + upper);
    const i32 high = min32(upper, need - b->clue[q].least + lower);
    if (low == lower && high == upper) continue;
    b->box[box].lower = (u8)low;
    b->box[box].upper = (u8)high;
    for (i32 k = 0; k < part->degree[box]; k++) {
      const i32 other = part->clues_of[box][k];
      b->clue[other].least += (i16)(low - lower);
      b->clue[other].most += (i16)(high - upper);
      if (other != q) push(b, other);
    }
  }
  return 1;
}

static i32 propagate(const Component *part, Bounds *b) {
  while (b->height) {
    const i32 q = b->stack[--b->height];
    b->stacked[q] = 0;
    if (!tighten(part, b, q)) return 0;
  }
  return 1;
}

/* The bounds that hold in every state of layer `from`. */
static void bound_layer(const Component *part, i32 from) {
  Bounds *b = &of_layer;
  b->height = 0;
  for (i32 q = 0; q < part->clues; q++) {
    b->clue[q].need = part->need[q];
    b->clue[q].most = b->clue[q].least = b->stacked[q] = 0;
  }
  for (i32 i = 0; i < part->boxes; i++) {
    const i32 box = part->order[i];
    b->box[box].lower = 0;
    b->box[box].upper = i < from ? 0 : part->size[box];
    for (i32 k = 0; k < part->degree[box]; k++) {
      const i32 q = part->clues_of[box][k];
      b->clue[q].most += b->box[box].upper;
      if (i < from) b->clue[q].need = 0; /* finished, if it is not one of the open ones */
    }
  }
  for (i32 x = 0; x < part->layer[from].slots; x++) b->clue[part->layer[from].clue[x]].need = ANY;
  for (i32 q = 0; q < part->clues; q++) push(b, q);
  propagate(part, b);
}

/* 0 if bounds propagation shows that a state of layer `from`, whose bounds are derived, has no
 * future. Necessary, not sufficient: pruning afterwards is exact. */
static i32 hopeful(const Component *part, i32 from, const u8 *key) {
  Bounds *b = &of_state;
  memcpy(b->clue, of_layer.clue, sizeof *b->clue * (size_t)part->clues);
  memcpy(b->box, of_layer.box, sizeof *b->box * (size_t)part->boxes);
  memset(b->stacked, 0, (size_t)part->clues);
  b->height = 0;
  const Layer *layer = part->layer + from;
  for (i32 x = 0; x < layer->slots; x++) {
    b->clue[layer->clue[x]].need = key[x];
    push(b, layer->clue[x]);
  }
  return propagate(part, b);
}

/* Does the test pay on this layer? Yes if a third of 32 samples fail it. */
static i32 worth_filtering(const Component *part, i32 index, i32 sampled) {
  enum { SAMPLES = 32, WORTH = 20000, BOXES = 450 };
  const Layer *layer = part->layer + index;
  const i32 always = sampled && part->boxes <= BOXES; /* few states, each of which counts */
  if ((layer->states < WORTH && !always) || !layer->states || !layer->slots) return 0;
  bound_layer(part, index);
  i32 failed = 0;
  for (i32 k = 0; k < SAMPLES; k++) {
    u32 at = (u32)((u64)layer->states * (u64)k / SAMPLES);
    failed += !hopeful(part, index, key_of(state_at(layer, at)));
  }
  return failed * 3 >= SAMPLES;
}

/* ---------------------------------------------------------------- expanding */

static i32 begin_layer(Counter *c, const Component *part, i32 index) {
  Layer *next = part->layer + index + 1;
  next->stride = (i32)sizeof(State) + ((next->slots + 7) & ~7);
  if (next->stride == sizeof(State)) next->stride += 8;
  next->records = arena_take(&c->arena, 0);
  next->states = 0;
  u32 size = 256;
  while (size < (u32)part->layer[index].states * 2 && size * 4 <= c->table_room) size *= 2;
  mines_table_clear(c, size);
  c->state = 0;
  c->filtering = !part->grid && worth_filtering(part, index, c->sample);
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

/* All steps of one state over its layer's box. */
static i32 expand(Counter *c, Component *part, i32 index, State *state) {
  Layer *layer = part->layer + index, *next = layer + 1;
  u8 wide[WIDE + 8];
  union { u8 slot[SLOTS + 8]; u64 word[SLOTS / 8 + 1]; } key;
  for (i32 i = 0; i < key_words(layer); i++) memcpy(wide + 8 * i, words_of(state) + i, 8);
  for (i32 x = 0; x < layer->added; x++)
    wide[layer->slots + x] = (u8)part->need[layer->added_clue[x]];
  i32 fewest = 0, most = part->size[part->order[index]];
  for (i32 x = 0; x < layer->touched; x++) {
    i32 need = wide[layer->touched_slot[x]];
    most = min32(most, need);
    fewest = max32(fewest, need - layer->touched_left[x]);
  }
  state->reach = part->steps;
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
    *step_at(part, part->steps++) = (u32)to;
    state->steps++;
  }
  return OK;
}

/* ---------------------------------------------------------------- sampling a layer
 *
 * Every state gets its weight (ways to reach it, times the scales on the way) and a priority: the
 * weight times a guess at the share of its ways on that end well, the product over its open clues
 * of a binomial chance. A state of priority g stays with chance min(1, g / t) and is then scaled by
 * max(1, t / g), with t chosen so that about `sample` states stay. All counts that follow are
 * unbiased, whatever the guess is; without it most of the large levels' samples die out. */

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

/* Per slot of a layer and need, the chance that so many of its clue's cells to come are mines. */
static double chance[SLOTS][256];

static void find_chances(const Component *part, i32 index) {
  static i32 left[MINES_CLUES];
  const Layer *layer = part->layer + index;
  double need = 1, cells = 2;
  for (i32 q = 0; q < part->clues; q++) {
    left[q] = 0;
    need += part->need[q];
    cells += part->cells[q];
  }
  for (i32 i = index; i < part->boxes; i++)
    for (i32 k = 0; k < part->degree[part->order[i]]; k++)
      left[part->clues_of[part->order[i]][k]] += part->size[part->order[i]];
  const double share = need / cells;
  for (i32 x = 0; x < layer->slots; x++) {
    const i32 most = left[layer->clue[x]];
    double now = 1;
    for (i32 n = 0; n < most; n++) now *= 1 - share;
    for (i32 n = 0; n < 256; n++) {
      chance[x][n] = n <= most ? now : 0;
      now *= share / (1 - share) * (most - n) / (n + 1);
    }
  }
}

static i32 sample_layer(Counter *c, Component *part, i32 index) {
  Layer *layer = part->layer + index, *next = layer + 1;
  size_t bytes = sizeof(double) * (size_t)next->states;
  double *weight = arena_take(&c->arena, bytes);
  next->scale = arena_take(&c->arena, bytes);
  if (!weight || !next->scale) return TOO_LARGE;
  memset(weight, 0, bytes);
  const u64 *ways = mines_choose_row(part->size[part->order[index]]);
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++)
      weight[*step_at(part, from->reach + (u32)t)] +=
          (layer->ways ? layer->ways[s] : 1) * (double)ways[from->fewest + t];
  }
  next->ways = weight;
  if (!part->grid) find_chances(part, index + 1);
  double *priority = next->scale;
  for (i32 s = 0; s < next->states; s++) {
    const u8 *key = key_of(state_at(next, (u32)s));
    priority[s] = weight[s];
    for (i32 x = 0; x < next->slots && !part->grid; x++) priority[s] *= chance[x][key[x]];
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

/* Which states can be finished, and with how many coupling mines each can be reached. */
static void prune(Component *part) {
  for (i32 i = part->boxes; i-- > 0;)
    for (i32 s = 0; s < part->layer[i].states; s++) {
      State *from = state_at(part->layer + i, (u32)s);
      u8 alive = 0;
      for (u32 t = 0; from->alive && t < from->steps; t++)
        alive |= state_at(part->layer + i + 1, *step_at(part, from->reach + t))->alive;
      from->alive = alive;
    }
  for (i32 i = 1; i <= part->boxes; i++)
    for (i32 s = 0; s < part->layer[i].states; s++) {
      State *state = state_at(part->layer + i, (u32)s);
      state->low = 30000;
      state->high = -1;
    }
}

static void spread(Component *part) {
  part->weights = 0;
  for (i32 i = 0; i <= part->boxes; i++) {
    Layer *layer = part->layer + i;
    i32 counted = i < part->boxes && part->counted[part->order[i]];
    for (i32 s = 0; s < layer->states; s++) {
      State *from = state_at(layer, (u32)s);
      if (from->high < from->low) from->alive = 0;
      if (!from->alive) continue;
      from->weight_at = part->weights;
      part->weights += (u32)(from->high - from->low + 1);
      for (i32 t = 0; i < part->boxes && t < from->steps; t++) {
        State *to = state_at(layer + 1, *step_at(part, from->reach + (u32)t));
        i32 mines = counted ? from->fewest + t : 0;
        if (from->low + mines > part->most && part->coupled) break;
        i32 high = part->coupled ? min32(from->high + mines, part->most) : 0;
        to->low = (i16)min32(to->low, from->low + mines);
        to->high = (i16)max32(to->high, high);
      }
    }
  }
}

/* ---------------------------------------------------------------- the part as a whole */

i32 mines_frontier_begin(Counter *c, Component *part) {
  Layer *first = part->layer;
  first->stride = sizeof(State) + (part->grid ? first->slots : 8);
  first->records = arena_take(&c->arena, (size_t)first->stride);
  if (!first->records) return TOO_LARGE;
  memset(first->records, 0, (size_t)first->stride);
  first->states = 1;
  state_at(first, 0)->alive = 1;
  if (part->grid) mines_grid_start(part, key_of(state_at(first, 0)));
  /* Transitions are addressed from here down. */
  c->arena.high = (u8 *)((uintptr_t)c->arena.high & ~(uintptr_t)15);
  part->transitions = (u32 *)c->arena.high;
  part->steps = 0;
  c->layer = 0;
  return begin_layer(c, part, 0);
}

static i32 finish_layer(Counter *c, Component *part) {
  Layer *layer = part->layer + c->layer;
  layer->last_step = part->steps;
  c->arena.low = (u8 *)(((uintptr_t)c->arena.low + 15) & ~(uintptr_t)15);
  if (!layer[1].states) return 0;
  c->states += layer[1].states;
  if (c->states > STATES && !c->sample) return TOO_LARGE;
  if (c->sample && sample_layer(c, part, c->layer) != OK) return TOO_LARGE;
  if (++c->layer < part->layers) {
    i32 status = begin_layer(c, part, c->layer);
    return status == OK ? 1 : status;
  }
  if (part->grid) {
    mines_grid_prune(part);
    return state_at(part->layer, 0)->alive ? 2 : 0;
  }
  prune(part);
  if (!state_at(part->layer, 0)->alive) return 0;
  spread(part);
  return state_at(part->layer + part->layers, 0)->alive ? 2 : 0;
}

i32 mines_frontier_run(Counter *c, Component *part, i64 *budget) {
  Layer *layer = part->layer + c->layer;
  for (i32 first = 1; c->state < layer->states; first = 0) {
    if (*budget <= 0 && !first) return 1;
    State *state = state_at(layer, (u32)c->state++);
    if (!state->alive) continue;
    if (c->filtering) {
      *budget -= 20;
      if (!hopeful(part, c->layer, key_of(state))) {
        state->alive = 0;
        continue;
      }
    }
    i32 status = part->grid ? mines_grid_expand(c, part, c->layer, state)
                            : expand(c, part, c->layer, state);
    if (status != OK) return status;
    *budget -= 1 + 2 * state->steps;
  }
  return finish_layer(c, part);
}
