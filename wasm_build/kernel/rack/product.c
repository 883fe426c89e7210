/* Products of automata: several stands as one, kept to the states that can still be completed. */
#include "rack/rack.h"

typedef struct Window { /* how many wires the other parts may hold, of `total` */
  i32 total, least, most;
} Window;

static bool in_window(Window window, i32 held) {
  i32 others = window.total - held;
  return others >= window.least && others <= window.most;
}

/* Numbers the pairs of states that the other parts can complete, sorted by wires held. */
static bool product_states(Arena *arena, const Layer *left, const Layer *right, Window window,
                           Layer *layer, i32 **pair_id, i32 **left_state, i32 **right_state) {
  i32 count[PARTS * ELEMENTS + 2] = {0};
  i32 states = 0;
  i64 moves = 0;
  for (i32 s = 0; s < left->states; s++)
    for (i32 t = 0; t < right->states; t++)
      if (in_window(window, left->held[s] + right->held[t])) {
        count[left->held[s] + right->held[t] + 1]++;
        states++;
        moves += (i64)(left->first_move[s + 1] - left->first_move[s]) *
                 (right->first_move[t + 1] - right->first_move[t]);
      }
  if (moves > 1 << 21) return false;
  for (i32 n = 1; n < PARTS * ELEMENTS + 2; n++) count[n] += count[n - 1];
  *pair_id = arena_scratch(arena, 4 * (size_t)left->states * (size_t)right->states);
  *left_state = arena_scratch(arena, 4 * (size_t)states);
  *right_state = arena_scratch(arena, 4 * (size_t)states);
  if (!*pair_id || !*left_state || !*right_state ||
      !rack_layer_make(arena, layer, states, (i32)moves, false))
    return false;
  for (i32 s = 0; s < left->states; s++)
    for (i32 t = 0; t < right->states; t++) {
      i32 held = left->held[s] + right->held[t], id = -1;
      if (in_window(window, held)) {
        id = count[held]++;
        layer->held[id] = held;
        (*left_state)[id] = s;
        (*right_state)[id] = t;
      }
      (*pair_id)[s * right->states + t] = id;
    }
  return true;
}

static void product_moves(const Deal *deal, const Automaton *product, i32 d, const i32 *above,
                          const i32 *left_state, const i32 *right_state) {
  const Layer *left = &product->left->layer[d], *right = &product->right->layer[d];
  Layer *layer = (Layer *)&product->layer[d];
  i32 width = d < deal->layers ? product->right->layer[d + 1].states : 0, m = 0;
  for (i32 i = 0; i < layer->states; i++) {
    i32 s = left_state[i], t = right_state[i];
    layer->first_move[i] = m;
    for (i32 a = left->first_move[s]; a < left->first_move[s + 1]; a++)
      for (i32 b = right->first_move[t]; b < right->first_move[t + 1]; b++) {
        i32 taken = left->taken[a] + right->taken[b];
        i32 to = above[left->to[a] * width + right->to[b]];
        if (taken > deal->copies[d] || to < 0) continue;
        layer->to[m] = to;
        layer->taken[m] = (u8)taken;
        layer->left[m] = a;
        layer->right[m] = b;
        layer->weight[m++] = left->weight[a] * right->weight[b];
      }
  }
  layer->first_move[layer->states] = layer->moves = m;
}

/* Kept to the states that the other parts, holding least..most wires by layer, can complete. */
Automaton *automaton_product(Deal *deal, Automaton *left, Automaton *right, const i32 *least,
                             const i32 *most) {
  Arena *arena = &deal->arena;
  u8 *high = arena->high;
  Automaton *product = arena_take(arena, sizeof *product);
  if (!product) return NULL;
  memset(product, 0, sizeof *product);
  product->left = left;
  product->right = right;
  i32 *above = NULL;
  bool fits = true;
  for (i32 d = deal->layers; fits && d >= 0; d--) {
    i32 *pair_id, *left_state, *right_state;
    Window window = {deal->total[d], least[d], most[d]};
    Layer *layer = &product->layer[d];
    fits = product_states(arena, &left->layer[d], &right->layer[d], window, layer, &pair_id,
                          &left_state, &right_state);
    if (!fits) break;
    product_moves(deal, product, d, above, left_state, right_state);
    fits = rack_layer_index(arena, layer);
    above = pair_id;
    product->size += layer->states;
    product->least[d] = left->least[d] + right->least[d];
    product->most[d] = left->most[d] + right->most[d];
  }
  arena->high = high;
  return fits ? product : NULL;
}
