/* Forward-backward pass (Rabiner 1989) over the states of a part: model counts and box marginals.
 *
 *   forward[s][u]   layouts of the boxes before state s that use u coupling mines
 *   backward[s][u]  layouts of the boxes after it, times the weight of what lies outside the part
 *   forward * backward over the steps that place t mines gives every box's marginal
 *
 * Where interchangeable clues were merged, marginals.c separates the cells of each clue.
 * Cost: O(transitions coupling^2 limbs). */
#include "counter.h"

/* The coupling numbers two states of one step have in common. */
typedef struct Span {
  i32 from, to, count; /* first weight of each, how many */
} Span;

INLINE Span span_of(const Component *part, const State *from, const State *to, i32 mines) {
  i32 high = part->coupled ? min32(from->high, part->most - mines) : 0;
  return (Span){(i32)from->weight_at, (i32)to->weight_at + from->low + mines - to->low,
                high - from->low + 1};
}

i32 mines_sweep_prepare(Counter *c, Component *part) {
  size_t bytes = sizeof(u64) * (size_t)part->weights * (size_t)width_of(c->limbs);
  part->forward = arena_take(&c->arena, bytes);
  if (!part->forward) return TOO_LARGE;
  memset(part->forward, 0, bytes);
  set_one(part->forward, c->limbs);
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

INLINE i64 forward_layer(Component *part, i32 i, const i32 limbs) {
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
  if (limbs == 0) mines_rescale(layer + 1, part->forward);
  return cost;
}

void mines_forward_pass(Counter *c, Component *part, i32 layer, i64 *budget) {
  switch (c->limbs) {
    case 0: *budget -= forward_layer(part, layer, 0); break;
    case 1: *budget -= forward_layer(part, layer, 1); break;
    case 2: *budget -= forward_layer(part, layer, 2); break;
    default: *budget -= forward_layer(part, layer, c->limbs);
  }
}

INLINE i64 backward_layer(Component *part, i32 i, u64 *tally, const i32 limbs) {
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
  if (limbs == 0) mines_rescale(layer, part->backward);
  return cost;
}

void mines_backward_pass(Counter *c, Component *part, i32 layer, i64 *budget) {
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
