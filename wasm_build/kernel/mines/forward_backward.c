/* Forward-backward pass (Rabiner 1989) over a component's states: the number of layouts and the
 * marginals of its boxes.
 *
 *   forward[s][u]   layouts of the boxes before state s that use u coupling mines
 *   backward[s][u]  layouts of the boxes after it, times the weight outside the component
 *   forward * backward over the steps that place t mines gives every box's marginal
 *
 * Where interchangeable clues were merged, marginals.c separates the cells of each clue.
 * Cost: O(transitions coupling^2 limbs). */
#include "counter.h"

/* The coupling mines that the two states of a step share. */
typedef struct Span { i32 from, to, count; /* index of the first weight of each; their number */ } Span;

INLINE Span span_of(const Component *comp, const State *from, const State *to, i32 mines) {
  i32 high = comp->coupled ? min32(from->high, comp->most - mines) : 0;
  return (Span){(i32)from->weight_at, (i32)to->weight_at + from->low + mines - to->low, high - from->low + 1};
}

i32 mines_forward_begin(Counter *c, Component *comp) {
  size_t bytes = sizeof(u64) * (size_t)comp->weights * (size_t)width_of(c->limbs);
  comp->forward = arena_take(&c->arena, bytes);
  if (!comp->forward) return TOO_LARGE;
  memset(comp->forward, 0, bytes);
  set_one(comp->forward, c->limbs);
  return OK;
}

void mines_rescale(const Layer *layer, u64 *weights) {
  for (i32 s = 0; layer->scale && s < layer->states; s++) {
    const State *state = state_at(layer, (u32)s);
    for (i32 u = 0; state->alive && u <= state->high - state->low; u++) {
      u64 *at = weights + state->weight_at + u;
      *at = word_of(real(*at) * layer->scale[s]);
    }
  }
}

INLINE i64 forward_layer(Component *comp, i32 i, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  const Layer *layer = comp->layer + i;
  i32 box = comp->order[i];
  const u64 *ways = mines_choose_row(comp->size[box]);
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++) {
      const State *to = state_at(layer + 1, *step_at(comp, from->reach + (u32)t));
      if (!to->alive) continue;
      i32 mines = from->fewest + t;
      Span span = span_of(comp, from, to, comp->counted[box] ? mines : 0);
      for (i32 u = 0; u < span.count; u++)
        add_times(comp->forward + (span.to + u) * width, comp->forward + (span.from + u) * width, ways[mines],
                  limbs);
      cost += 1 + max32(0, span.count) * width / 4;
    }
  }
  if (limbs == 0) mines_rescale(layer + 1, comp->forward);
  return cost;
}

void mines_forward_pass(Counter *c, Component *comp, i32 layer, i64 *budget) {
  *budget -= BY_LIMBS(c->limbs, forward_layer, comp, layer);
}

INLINE i64 backward_layer(Component *comp, i32 i, u64 *mass, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  const Layer *layer = comp->layer + i;
  i32 box = comp->order[i], size = comp->size[box];
  const u64 *ways = mines_choose_row(size);
  u64 share[MINES_WORDS + 1];
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (i32 t = 0; from->alive && t < from->steps; t++) {
      const State *to = state_at(layer + 1, *step_at(comp, from->reach + (u32)t));
      if (!to->alive) continue;
      i32 mines = from->fewest + t;
      Span span = span_of(comp, from, to, comp->counted[box] ? mines : 0);
      for (i32 w = 0; w < width; w++) share[w] = 0;
      for (i32 u = 0; u < span.count; u++) {
        u64 *b = comp->backward + (span.to + u) * width;
        add_times(comp->backward + (span.from + u) * width, b, ways[mines], limbs);
        if (mines) add_product(share, comp->forward + (span.from + u) * width, b, limbs);
      }
      if (mines) add_times(mass, share, mines_choose(size - 1, mines - 1), limbs);
      cost += 1 + max32(0, span.count) * width * width / 2;
    }
  }
  if (limbs == 0) mines_rescale(layer, comp->backward);
  return cost;
}

void mines_backward_pass(Counter *c, Component *comp, i32 layer, i64 *budget) {
  /* The cells of a class are interchangeable: only its first box is counted. Ambiguous boxes are
   * left to marginals.c. */
  u64 idle[MINES_WORDS + 1] = {0};
  i32 box = comp->order[layer];
  u64 *mass = mass_of(c, comp, box);
  if (comp->copy[box] || comp->layer[layer].ambiguous >= 0) mass = idle;
  *budget -= BY_LIMBS(c->limbs, backward_layer, comp, layer, mass);
}
