/* Automata: the ways in which one part, or several together, can take the copies of each layer.
 *
 * A leaf's state after layer d is all that higher layers need to know of the part. Its key:
 *
 *   63 .......... 48 47 46 45 ......... 16  15   14  13 12  11 .. 9  8 ... 5  4 ... 0
 *   4 counters x 4   reds  15 pairs x 2     red  yel needed yellow   unsorted filled
 *
 *   filled    sorted elements placed             unsorted subset of unsorted elements placed
 *   yellow    yellow wires placed (at most 7)    needed   number on a token that stands on yellow
 *   reds      red wires placed (at most 3), if their number on the stand is known
 *   yel, red  a hidden yellow / red is placed    pairs    0 none or blue, 1 yellow, 2 red: the
 *   counters  wires of each group (tokens),               colour of the one element placed so
 *             or 0: pointed reds, 3: tied wires           far of a labelled pair
 *
 * Bits that a part does not need stay 0, so a plain stand has one state per number of wires.
 * A forward pass finds the reachable states; a backward pass drops dead ones and merges states with
 * the same future, as in minimising an acyclic automaton (Revuz 1992), which undoes most of what
 * the extra bits split.
 * A product's state is a pair of states that the other parts can complete.
 * Rejected: inclusion-exclusion over facts (signs cancel, certainty would need a tolerance). */
#include "rack/rack.h"

enum {
  MAX_STATES = 1 << 15, /* of a leaf, all layers */
  MAX_LAYER_STATES = 1 << 12,
  MAX_MOVES = 1 << 17,
  MAX_PRODUCT_MOVES = 1 << 21, /* of a layer */
  HASH_SIZE = 1 << 13,
  UNSORTED_AT = 5, /* first bits of the fields of a key */
  YELLOW_AT = 9,
  NEEDED_AT = 12,
  HAS_AT = 14,
  PAIR_AT = 16,
  RED_AT = 46,
  COUNTER_AT = 48,
  TIES_AT = 60,
  PLACED_BITS = (1 << YELLOW_AT) - 1
};

/* ---- leaves ---------------------------------------------------------------------------------- */

typedef struct Move {
  i32 from, to; /* to < 0: dead */
  u8 filled, run, unsorted;
} Move;

/* A leaf under construction; states and moves by layer. */
typedef struct Draft {
  u64 *key;
  Move *move;
  i32 *hash;          /* open addressing: state numbers of the current layer */
  i32 *place, *first; /* of a state: its representative, then its index in the layer; first move */
  i32 *kept;          /* representatives of the layer */
  bool tied;
  i32 states, moves;
  i32 first_state[LAYERS + 2], first_move[LAYERS + 2];
} Draft;

static i32 filled_of(u64 key) { return (i32)(key & 31); }
static u32 unsorted_of(u64 key) { return (u32)(key >> UNSORTED_AT) & 15; }
static i32 ties_of(u64 key) { return (i32)(key >> TIES_AT); }
static i32 held_of(u64 key) { return filled_of(key) + popcount64(unsorted_of(key)); }

/* Whether placing the elements `now` after `was` satisfies the labels of pairs; stores the colours
 * of half-placed pairs in `next`. */
static bool labels_hold(const Part *part, u64 key, u32 was, u32 now, i32 colour, u64 *next) {
  for (i32 i = 0; i < part->pairs; i++) {
    const Pair *pair = &part->pair[i];
    if (pair->kind >= HALVED) continue;
    if (pair->kind == RISING) {
      if (now >> pair->second & 1 && !((was | now) >> pair->first & 1)) return false;
      continue;
    }
    i32 at = PAIR_AT + 2 * i, memory = (i32)(key >> at & 3);
    bool old_one = was >> pair->first & 1 || was >> pair->second & 1;
    i32 new_ones = (now >> pair->first & 1) + (now >> pair->second & 1);
    if (new_ones == 2) {
      if (pair->kind != SAME) return false;
      memory = 0;
    } else if (new_ones == 1 && old_one) {
      if ((colour && memory == colour) != (pair->kind == SAME)) return false;
      memory = 0;
    } else if (new_ones == 1) {
      memory = colour;
    }
    *next |= (u64)memory << at;
  }
  return true;
}

static u32 hidden_elements(const Part *part) {
  u32 mask = 0;
  for (i32 e = 0; e < part->sorted + part->unsorted; e++) mask |= (u32)part->hidden[e] << e;
  return mask;
}

/* The counters after placing the elements `now` of a layer. */
static u64 next_counters(const Deal *deal, const Part *part, u64 key, i32 layer, u32 now) {
  u64 counters = key >> COUNTER_AT;
  if (part->groups && part->group_of[layer])
    counters += (u64)popcount64(now) << 4 * (part->group_of[layer] - 1);
  if (part->reds >= 0 && deal->counts_as[layer] == RED) counters += (u64)popcount64(now & part->pointed);
  counters += (u64)ties_among(part, now, layer) << (TIES_AT - COUNTER_AT);
  return counters << COUNTER_AT;
}

/* The state after placing a run and a set of unsorted elements; false if a fact forbids it. */
static bool next_state(const Deal *deal, const Part *part, u32 hidden, u64 key, i32 layer, i32 run,
                       u32 unsorted, u64 *next) {
  i32 value = deal->value[layer], filled = filled_of(key);
  i32 placed = run + popcount64(unsorted), needed = (i32)(key >> NEEDED_AT & 3);
  u32 was = ((1u << filled) - 1) | unsorted_of(key) << part->sorted;
  u32 now = ((1u << run) - 1) << filled | unsorted << part->sorted;
  bool blue = value < YELLOW, required = part->has >> value & 1;
  if (blue && required && !(now & hidden)) return false;
  if (blue && part->exact[value] && part->visible[value] + placed != part->exact[value]) return false;
  for (u32 rest = now; rest; rest &= rest - 1) {
    i32 times = part->times[lowest64(rest)];
    if (!times) continue;
    if (value == RED) return false;
    if (blue && part->visible[value] + placed != times) return false;
    if (!blue && needed && needed != times) return false;
    if (!blue) needed = times;
  }
  i32 yellow = (i32)(key >> YELLOW_AT & 7);
  if (value == YELLOW && part->counts_yellow) yellow = min32(yellow + placed, 7);
  *next = (u64)(filled + run) | (u64)(unsorted_of(key) | unsorted) << UNSORTED_AT | (u64)yellow << YELLOW_AT |
          (u64)needed << NEEDED_AT | (key & (u64)3 << HAS_AT);
  if (!blue && required && now & hidden) *next |= (u64)1 << (HAS_AT + value - YELLOW);
  i32 reds = (i32)(key >> RED_AT & 3);
  if (value == RED && part->exact[RED]) reds = min32(reds + placed, 3);
  *next |= (u64)reds << RED_AT | next_counters(deal, part, key, layer, now);
  return labels_hold(part, key, was, now, blue ? 0 : value - YELLOW + 1, next);
}

/* Whether a final state satisfies all facts. */
static bool accepts(const Part *part, u64 key) {
  if (filled_of(key) != part->sorted) return false;
  if (unsorted_of(key) != (1u << part->unsorted) - 1) return false;
  i32 yellow = (i32)(key >> YELLOW_AT & 7) + part->visible[YELLOW];
  i32 needed = (i32)(key >> NEEDED_AT & 3);
  if (needed && yellow != needed) return false;
  if (part->exact[YELLOW] && yellow != part->exact[YELLOW]) return false;
  i32 reds = (i32)(key >> RED_AT & 3) + part->visible[RED];
  if (part->exact[RED] && reds != part->exact[RED]) return false;
  if (part->reds >= 0 && (i32)(key >> COUNTER_AT & 15) != part->reds) return false;
  u32 has = (u32)(key >> HAS_AT & 3);
  return has == ((part->has >> YELLOW) & 3);
}

/* Finds or adds a state of layer `to`; -1 if there are too many. */
static i32 find_state(Draft *draft, i32 to, u64 key) {
  u32 at = (u32)(key * 0x9E3779B97F4A7C15ull >> 51);
  i32 first = draft->first_state[to];
  for (;; at = (at + 1) & (HASH_SIZE - 1)) {
    i32 state = draft->hash[at];
    if (state < first) break; /* empty, or left over from a lower layer */
    if (draft->key[state] == key) return state;
  }
  if (draft->states == MAX_STATES || draft->states - first == MAX_LAYER_STATES) return -1;
  draft->key[draft->states] = key;
  draft->hash[at] = draft->states;
  return draft->states++;
}

/* The unsorted elements that may still take a wire of a layer. */
static u32 unsorted_candidates(const Part *part, u64 key, i32 layer) {
  u32 candidates = 0;
  for (i32 i = 0; i < part->unsorted; i++)
    if (!(unsorted_of(key) >> i & 1) && part->allowed[part->sorted + i] >> layer & 1) candidates |= 1u << i;
  return candidates;
}

/* Adds the moves of a state with a run of sorted wires and every set of unsorted ones. */
static bool draft_moves(const Deal *deal, const Part *part, u32 hidden, Draft *draft, i32 layer, i32 from,
                        i32 run) {
  u64 key = draft->key[from], next;
  u32 candidates = unsorted_candidates(part, key, layer);
  for (u32 unsorted = candidates;; unsorted = (unsorted - 1) & candidates) {
    if (run + popcount64(unsorted) <= deal->copies[layer] &&
        next_state(deal, part, hidden, key, layer, run, unsorted, &next)) {
      i32 to = find_state(draft, layer + 1, next);
      if (to < 0 || draft->moves == MAX_MOVES) return false;
      draft->move[draft->moves++] = (Move){from, to, (u8)filled_of(key), (u8)run, (u8)unsorted};
    }
    if (!unsorted) return true;
  }
}

/* Forward pass: all reachable states and their moves. False if they are too many. */
static bool draft_forward(const Deal *deal, const Part *part, Draft *draft) {
  u32 hidden = hidden_elements(part);
  draft->key[0] = 0;
  draft->states = 1;
  draft->first_state[0] = 0;
  for (i32 d = 0; d < deal->layers; d++) {
    draft->first_state[d + 1] = draft->states;
    draft->first_move[d] = draft->moves;
    for (i32 s = draft->first_state[d]; s < draft->first_state[d + 1]; s++) {
      i32 filled = filled_of(draft->key[s]);
      for (i32 run = 0; run <= deal->copies[d] && filled + run <= part->sorted; run++) {
        if (run && !(part->allowed[filled + run - 1] >> d & 1)) break;
        if (!draft_moves(deal, part, hidden, draft, d, s, run)) return false;
      }
    }
  }
  draft->first_move[deal->layers] = draft->first_move[deal->layers + 1] = draft->moves;
  draft->first_state[deal->layers + 1] = draft->states;
  return true;
}

/* Whether the representative `other` has the same future as `state`, which has `alive` moves. */
static bool same_future(const Draft *draft, i32 state, i32 other, i32 alive, bool last) {
  u64 differ = draft->key[state] ^ draft->key[other];
  if (differ & PLACED_BITS) return false;
  if (draft->tied && last) differ &= ((u64)1 << TIES_AT) - 1; /* in the weights already */
  if (draft->tied && differ >> TIES_AT) return false; /* weights depend on ties */
  if (last) return !(differ >> COUNTER_AT); /* counters of final states are read */
  const Move *a = draft->move + draft->first[state], *b = draft->move + draft->first[other];
  for (i32 i = 0; i < alive; i++)
    if (a[i].to != b[i].to || a[i].run != b[i].run || a[i].unsorted != b[i].unsorted) return false;
  return b + alive == draft->move + draft->moves || b[alive].from != other || b[alive].to < 0;
}

/* Drops the dead moves of a state; `to` of the others becomes an index in the finished layer above.
 * Returns their number; `at` moves behind the state's moves. */
static i32 drop_dead_moves(Draft *draft, i32 state, i32 *at, i32 end) {
  i32 alive = draft->first[state] = *at, i = *at;
  for (; i < end && draft->move[i].from == state; i++) {
    i32 place = draft->place[draft->move[i].to];
    if (place < 0) continue;
    Move move = draft->move[i];
    move.to = place;
    draft->move[alive++] = move;
  }
  for (i32 j = alive; j < i; j++) draft->move[j].to = -1;
  *at = i;
  return alive - draft->first[state];
}

/* Allocates a layer's states and moves. */
static bool allocate_layer(Arena *arena, Layer *layer, i32 states, i32 moves, bool leaf) {
  size_t s = (size_t)states, m = (size_t)moves;
  layer->states = states;
  layer->moves = moves;
  layer->held = arena_take(arena, 4 * s);
  layer->first_move = arena_take(arena, 4 * (s + 1));
  layer->to = arena_take(arena, 4 * m);
  layer->taken = arena_take(arena, m);
  layer->weight = arena_take(arena, 8 * m);
  layer->mass = arena_take(arena, 8 * m);
  u8 *placed = leaf ? arena_take(arena, 3 * m) : NULL;
  i32 *factors = leaf ? NULL : arena_take(arena, 8 * m);
  if (!layer->held || !layer->first_move || !layer->to || !layer->taken || !layer->weight || !layer->mass ||
      (leaf ? !placed : !factors))
    return false;
  if (leaf) {
    layer->filled = placed;
    layer->run = placed + m;
    layer->unsorted = placed + 2 * m;
  } else {
    layer->left = factors;
    layer->right = factors + m;
  }
  return true;
}

/* Fills first_with from `held`. */
static bool index_layer(Arena *arena, Layer *layer) {
  layer->most = layer->states ? layer->held[layer->states - 1] : 0;
  layer->first_with = arena_take(arena, 4 * ((size_t)layer->most + 2));
  if (!layer->first_with) return false;
  for (i32 n = 0, s = 0; n <= layer->most + 1; n++) {
    while (s < layer->states && layer->held[s] < n) s++;
    layer->first_with[n] = s;
  }
  return true;
}

/* Writes the representatives of a layer, sorted by wires held, with their moves. */
static bool pack_layer(Deal *deal, const Part *part, Draft *draft, Automaton *leaf, i32 d, i32 kept,
                       i32 moves) {
  Layer *layer = &leaf->layer[d];
  if (!allocate_layer(&deal->arena, layer, kept, moves, true)) return false;
  for (i32 i = 1; i < kept; i++)
    for (i32 o = i; o && held_of(draft->key[draft->kept[o]]) < held_of(draft->key[draft->kept[o - 1]]); o--) {
      i32 swap = draft->kept[o];
      draft->kept[o] = draft->kept[o - 1];
      draft->kept[o - 1] = swap;
    }
  i32 m = 0;
  for (i32 i = 0; i < kept; i++) {
    i32 state = draft->kept[i], from = draft->first[state];
    layer->held[i] = held_of(draft->key[state]);
    layer->first_move[i] = m;
    for (; d < deal->layers && from < draft->first_move[d + 1] && draft->move[from].from == state &&
           draft->move[from].to >= 0;
         from++, m++) {
      const Move *move = &draft->move[from];
      i32 copies = move->run + (deal->tile_removal ? 0 : part->known[d]);
      layer->to[m] = move->to;
      layer->taken[m] = (u8)(move->run + popcount64(move->unsorted));
      layer->filled[m] = move->filled;
      layer->run[m] = move->run;
      layer->unsorted[m] = move->unsorted;
      layer->weight[m] = INVERSE_FACTORIAL[copies];
      for (i32 h = halvings(part, move->unsorted, d); h; h--) layer->weight[m] /= 2;
      double ties = 1 + ties_of(draft->key[state]);
      layer->weight[m] *= ties / (ties + ties_among(part, move_fills(part, layer, m), d));
    }
  }
  layer->first_move[kept] = m;
  leaf->size += kept;
  if (!index_layer(&deal->arena, layer)) return false;
  leaf->least[d] = kept ? layer->held[0] : 0;
  leaf->most[d] = layer->most;
  return true;
}

/* Backward pass over one layer: drops dead states, merges equal ones, packs the rest. */
static bool finish_layer(Deal *deal, const Part *part, Draft *draft, Automaton *leaf, i32 d) {
  bool last = d == deal->layers;
  i32 at = draft->first_move[d], end = draft->first_move[d + 1], kept = 0, moves = 0;
  for (i32 s = draft->first_state[d]; s < draft->first_state[d + 1]; s++) {
    i32 alive = last ? 0 : drop_dead_moves(draft, s, &at, end);
    draft->place[s] = -1;
    if (last ? !accepts(part, draft->key[s]) : !alive) continue;
    for (i32 o = 0; o < kept && draft->place[s] < 0; o++)
      if (same_future(draft, s, draft->kept[o], alive, last)) draft->place[s] = draft->kept[o];
    if (draft->place[s] >= 0) continue;
    draft->place[s] = s;
    draft->kept[kept++] = s;
    moves += alive;
  }
  if (!pack_layer(deal, part, draft, leaf, d, kept, moves)) return false;
  i32 *rank = draft->hash; /* no longer used: the forward pass is over */
  i32 first = draft->first_state[d];
  for (i32 i = 0; i < kept; i++) rank[draft->kept[i] - first] = i;
  for (i32 s = first; s < draft->first_state[d + 1]; s++)
    if (draft->place[s] >= 0) draft->place[s] = rank[draft->place[s] - first];
  if (!last) return true;
  leaf->counters = arena_take(&deal->arena, 2 * (size_t)kept);
  if (!leaf->counters) return false;
  for (i32 i = 0; i < kept; i++) leaf->counters[i] = (u16)(draft->key[draft->kept[i]] >> COUNTER_AT);
  return true;
}

Automaton *automaton_leaf(Deal *deal, const Part *part) {
  Arena *arena = &deal->arena;
  u8 *high = arena->high;
  Automaton *leaf = arena_take(arena, sizeof *leaf);
  Draft draft = {0};
  draft.key = arena_scratch(arena, sizeof *draft.key * MAX_STATES);
  draft.move = arena_scratch(arena, sizeof *draft.move * MAX_MOVES);
  draft.place = arena_scratch(arena, sizeof *draft.place * MAX_STATES);
  draft.first = arena_scratch(arena, sizeof *draft.first * MAX_STATES);
  draft.kept = arena_scratch(arena, sizeof *draft.kept * MAX_LAYER_STATES);
  draft.hash = arena_scratch(arena, sizeof *draft.hash * HASH_SIZE);
  bool fits = leaf && draft.key && draft.move && draft.place && draft.first && draft.kept && draft.hash;
  if (fits) {
    memset(leaf, 0, sizeof *leaf);
    draft.tied = part->tied;
    memset(draft.hash, 0xff, sizeof *draft.hash * HASH_SIZE);
    fits = draft_forward(deal, part, &draft);
  }
  for (i32 d = deal->layers; fits && d >= 0; d--) fits = finish_layer(deal, part, &draft, leaf, d);
  arena->high = high;
  return fits ? leaf : NULL;
}

/* ---- products -------------------------------------------------------------------------------- */

/* The number of wires that the other parts may hold, of `total`. */
typedef struct Window { i32 total, least, most; } Window;

static bool in_window(Window window, i32 held) {
  i32 others = window.total - held;
  return others >= window.least && others <= window.most;
}

/* Numbers the pairs of states that the other parts can complete, by wires held (counting sort). */
static bool product_states(Arena *arena, const Layer *left, const Layer *right, Window window, Layer *layer,
                           i32 **pair_id, i32 **left_state, i32 **right_state) {
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
  if (moves > MAX_PRODUCT_MOVES) return false;
  for (i32 n = 1; n < PARTS * ELEMENTS + 2; n++) count[n] += count[n - 1];
  *pair_id = arena_scratch(arena, 4 * (size_t)left->states * (size_t)right->states);
  *left_state = arena_scratch(arena, 4 * (size_t)states);
  *right_state = arena_scratch(arena, 4 * (size_t)states);
  if (!*pair_id || !*left_state || !*right_state || !allocate_layer(arena, layer, states, (i32)moves, false))
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

/* Adds the moves of a layer: pairs of moves that lead to a pair of the layer above. */
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
    fits = product_states(arena, &left->layer[d], &right->layer[d], window, layer, &pair_id, &left_state,
                          &right_state);
    if (!fits) break;
    product_moves(deal, product, d, above, left_state, right_state);
    fits = index_layer(arena, layer);
    above = pair_id;
    product->size += layer->states;
    product->least[d] = left->least[d] + right->least[d];
    product->most[d] = left->most[d] + right->most[d];
  }
  arena->high = high;
  return fits ? product : NULL;
}
