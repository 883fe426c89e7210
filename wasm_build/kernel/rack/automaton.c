/* Automata: what one stand, or several together, can do with the copies of each layer.
 *
 * A leaf state after layer d is all that the layers above need to know of the stand. Its key:
 *
 *   63 .......... 48 47 46 45 ......... 16  15   14  13 12  11 .. 9  8 ... 5  4 ... 0
 *   4 counters x 4   reds  15 pairs x 2     red  yel needed yellow   loose    filled
 *
 *   filled    sorted elements placed             loose    mask of unsorted elements placed
 *   yellow    yellow wires placed (at most 7)    needed   number on a token that stands on yellow
 *   reds      red wires placed (at most 3), where the stand holds so many
 *   yel, red  a hidden yellow / red is placed    pairs    0 none or blue, 1 yellow, 2 red: the
 *   counters  wires of each group (indicate),             colour of the one element placed so
 *             or 0: pointed reds, 3: tied wires           far of a labelled pair
 *
 * Bits that a stand has no use for stay 0, so a plain stand has one state a number of wires.
 * States with the same future are merged, which undoes most of what the extra bits split.
 * Rejected: inclusion-exclusion over facts (signs cancel, "certain" would need an epsilon). */
#include "rack/rack.h"

enum {
  MOST_STATES = 1 << 15, /* of a leaf, all layers */
  MOST_IN_LAYER = 1 << 12,
  MOST_MOVES = 1 << 17,
  HASH = 1 << 13,
  LOOSE_AT = 5,
  YELLOW_AT = 9,
  NEEDED_AT = 12,
  HAS_AT = 14,
  PAIR_AT = 16,
  RED_AT = 46,
  COUNTER_AT = 48,
  TIES_AT = 60,
  PLACED_BITS = (1 << YELLOW_AT) - 1
};

typedef struct Move {
  i32 from, to; /* to < 0: dead */
  u8 filled, run, loose;
} Move;

typedef struct Draft { /* a leaf while it is built */
  u64 *key;
  Move *move;
  i32 *hash, *place, *kept, *first;
  bool tied;
  i32 states, moves;
  i32 first_state[LAYERS + 2], first_move[LAYERS + 2];
} Draft;

static i32 filled_of(u64 key) { return (i32)(key & 31); }
static u32 loose_of(u64 key) { return (u32)(key >> LOOSE_AT) & 15; }
static i32 ties_of(u64 key) { return (i32)(key >> TIES_AT); }
static i32 held_of(u64 key) { return filled_of(key) + popcount64(loose_of(key)); }

/* Colours of a labelled pair: whether placing `now` after `was` keeps the labels. */
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

/* The counters after `placed` wires of the layer; group counters stay below 16 by COPIES * 34. */
static u64 count_on(const Deal *deal, const Part *part, u64 key, i32 layer, u32 now) {
  u64 counters = key >> COUNTER_AT;
  if (part->groups && part->group_of[layer])
    counters += (u64)popcount64(now) << 4 * (part->group_of[layer] - 1);
  if (part->reds >= 0 && deal->called[layer] == RED)
    counters += (u64)popcount64(now & part->pointed);
  counters += (u64)ties_among(part, now, layer) << (TIES_AT - COUNTER_AT);
  return counters << COUNTER_AT;
}

/* The state after placing a run and a loose set of `layer`; false when a fact forbids it. */
static bool step(const Deal *deal, const Part *part, u32 hidden, u64 key, i32 layer, i32 run,
                 u32 loose, u64 *next) {
  i32 value = deal->value[layer], filled = filled_of(key);
  i32 placed = run + popcount64(loose), needed = (i32)(key >> NEEDED_AT & 3);
  u32 was = ((1u << filled) - 1) | loose_of(key) << part->sorted;
  u32 now = ((1u << run) - 1) << filled | loose << part->sorted;
  bool blue = value < YELLOW, wanted = part->has >> value & 1;
  if (blue && wanted && !(now & hidden)) return false;
  if (blue && part->exact[value] && part->visible[value] + placed != part->exact[value])
    return false;
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
  *next = (u64)(filled + run) | (u64)(loose_of(key) | loose) << LOOSE_AT |
          (u64)yellow << YELLOW_AT | (u64)needed << NEEDED_AT | (key & (u64)3 << HAS_AT);
  if (!blue && wanted && now & hidden) *next |= (u64)1 << (HAS_AT + value - YELLOW);
  i32 reds = (i32)(key >> RED_AT & 3);
  if (value == RED && part->exact[RED]) reds = min32(reds + placed, 3);
  *next |= (u64)reds << RED_AT | count_on(deal, part, key, layer, now);
  return labels_hold(part, key, was, now, blue ? 0 : value - YELLOW + 1, next);
}

static bool accepts(const Part *part, u64 key) {
  if (filled_of(key) != part->sorted || loose_of(key) != (1u << part->unsorted) - 1) return false;
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

/* The number of the state `key` of layer `to`, new or old; -1 when there are too many. */
static i32 find_state(Draft *draft, i32 to, u64 key) {
  u32 at = (u32)(key * 0x9E3779B97F4A7C15ull >> 51);
  i32 first = draft->first_state[to];
  for (;; at = (at + 1) & (HASH - 1)) {
    i32 state = draft->hash[at];
    if (state < first) break; /* empty, or left over from a lower layer */
    if (draft->key[state] == key) return state;
  }
  if (draft->states == MOST_STATES || draft->states - first == MOST_IN_LAYER) return -1;
  draft->key[draft->states] = key;
  draft->hash[at] = draft->states;
  return draft->states++;
}

static u32 loose_candidates(const Part *part, u64 key, i32 layer) {
  u32 open = 0;
  for (i32 i = 0; i < part->unsorted; i++)
    if (!(loose_of(key) >> i & 1) && part->allowed[part->sorted + i] >> layer & 1)
      open |= 1u << i;
  return open;
}

static bool draft_moves(const Deal *deal, const Part *part, u32 hidden, Draft *draft, i32 layer,
                        i32 from, i32 run) {
  u64 key = draft->key[from], next;
  u32 open = loose_candidates(part, key, layer);
  for (u32 loose = open;; loose = (loose - 1) & open) {
    if (run + popcount64(loose) <= deal->copies[layer] &&
        step(deal, part, hidden, key, layer, run, loose, &next)) {
      i32 to = find_state(draft, layer + 1, next);
      if (to < 0 || draft->moves == MOST_MOVES) return false;
      draft->move[draft->moves++] =
          (Move){from, to, (u8)filled_of(key), (u8)run, (u8)loose};
    }
    if (!loose) return true;
  }
}

/* Forward: every state that can be reached. */
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

/* Whether the kept state `other` has the very future of `state`; both have `alive` moves. */
static bool same_future(const Draft *draft, i32 state, i32 other, i32 alive, bool last) {
  u64 differ = draft->key[state] ^ draft->key[other];
  if (differ & PLACED_BITS) return false;
  if (draft->tied && last) differ &= ((u64)1 << TIES_AT) - 1; /* the weights have them all */
  if (draft->tied && differ >> TIES_AT) return false;         /* and depend on how many there are */
  if (last) return !(differ >> COUNTER_AT); /* final states of different counters stay apart */
  const Move *a = draft->move + draft->first[state], *b = draft->move + draft->first[other];
  for (i32 i = 0; i < alive; i++)
    if (a[i].to != b[i].to || a[i].run != b[i].run || a[i].loose != b[i].loose) return false;
  return b + alive == draft->move + draft->moves || b[alive].from != other || b[alive].to < 0;
}

/* Drops the dead moves of `state` (their `to` becomes a place in the finished layer above). */
static i32 living_moves(Draft *draft, i32 state, i32 *at, i32 end) {
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

bool rack_layer_make(Arena *arena, Layer *layer, i32 states, i32 moves, bool leaf) {
  size_t s = (size_t)states, m = (size_t)moves;
  layer->states = states;
  layer->moves = moves;
  layer->held = arena_take(arena, 4 * s);
  layer->first_move = arena_take(arena, 4 * (s + 1));
  layer->to = arena_take(arena, 4 * m);
  layer->taken = arena_take(arena, m);
  layer->weight = arena_take(arena, 8 * m);
  layer->mass = arena_take(arena, 8 * m);
  u8 *small = leaf ? arena_take(arena, 3 * m) : NULL;
  i32 *parts = leaf ? NULL : arena_take(arena, 8 * m);
  if (!layer->held || !layer->first_move || !layer->to || !layer->taken || !layer->weight ||
      !layer->mass || (leaf ? !small : !parts))
    return false;
  if (leaf) {
    layer->filled = small;
    layer->run = small + m;
    layer->loose = small + 2 * m;
  } else {
    layer->left = parts;
    layer->right = parts + m;
  }
  return true;
}

bool rack_layer_index(Arena *arena, Layer *layer) {
  layer->most = layer->states ? layer->held[layer->states - 1] : 0;
  layer->first_with = arena_take(arena, 4 * ((size_t)layer->most + 2));
  if (!layer->first_with) return false;
  for (i32 n = 0, s = 0; n <= layer->most + 1; n++) {
    while (s < layer->states && layer->held[s] < n) s++;
    layer->first_with[n] = s;
  }
  return true;
}

/* Writes the kept states of layer d, sorted by wires held, with their moves. */
static bool pack_layer(Deal *deal, const Part *part, Draft *draft, Automaton *leaf, i32 d,
                       i32 kept, i32 moves) {
  Layer *layer = &leaf->layer[d];
  if (!rack_layer_make(&deal->arena, layer, kept, moves, true)) return false;
  for (i32 i = 1; i < kept; i++)
    for (i32 o = i; o && held_of(draft->key[draft->kept[o]]) <
                             held_of(draft->key[draft->kept[o - 1]]); o--) {
      i32 swap = draft->kept[o];
      draft->kept[o] = draft->kept[o - 1];
      draft->kept[o - 1] = swap;
    }
  i32 m = 0;
  for (i32 i = 0; i < kept; i++) {
    i32 state = draft->kept[i], from = draft->first[state];
    layer->held[i] = held_of(draft->key[state]);
    layer->first_move[i] = m;
    for (; d < deal->layers && from < draft->first_move[d + 1] &&
           draft->move[from].from == state && draft->move[from].to >= 0; from++, m++) {
      const Move *move = &draft->move[from];
      i32 copies = move->run + (deal->tile_removal ? 0 : part->known[d]);
      layer->to[m] = move->to;
      layer->taken[m] = (u8)(move->run + popcount64(move->loose));
      layer->filled[m] = move->filled;
      layer->run[m] = move->run;
      layer->loose[m] = move->loose;
      layer->weight[m] = inverse_factorial(copies);
      for (i32 h = halvings(part, move->loose, d); h; h--) layer->weight[m] /= 2;
      double ties = 1 + ties_of(draft->key[state]);
      layer->weight[m] *= ties / (ties + ties_among(part, move_fills(part, layer, m), d));
    }
  }
  layer->first_move[kept] = m;
  leaf->size += kept;
  if (!rack_layer_index(&deal->arena, layer)) return false;
  leaf->least[d] = kept ? layer->held[0] : 0;
  leaf->most[d] = layer->most;
  return true;
}

/* Backward over one layer: dead states go, equal ones merge, the rest is packed. */
static bool finish_layer(Deal *deal, const Part *part, Draft *draft, Automaton *leaf, i32 d) {
  bool last = d == deal->layers;
  i32 at = draft->first_move[d], end = draft->first_move[d + 1], kept = 0, moves = 0;
  for (i32 s = draft->first_state[d]; s < draft->first_state[d + 1]; s++) {
    i32 alive = last ? 0 : living_moves(draft, s, &at, end);
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
  i32 *rank = draft->hash; /* free again: the forward search is over */
  i32 first = draft->first_state[d];
  for (i32 i = 0; i < kept; i++) rank[draft->kept[i] - first] = i;
  for (i32 s = first; s < draft->first_state[d + 1]; s++)
    if (draft->place[s] >= 0) draft->place[s] = rank[draft->place[s] - first];
  if (!last) return true;
  leaf->counters = arena_take(&deal->arena, 2 * (size_t)kept);
  if (!leaf->counters) return false;
  for (i32 i = 0; i < kept; i++)
    leaf->counters[i] = (u16)(draft->key[draft->kept[i]] >> COUNTER_AT);
  return true;
}

Automaton *automaton_leaf(Deal *deal, const Part *part) {
  Arena *arena = &deal->arena;
  u8 *high = arena->high;
  Automaton *leaf = arena_take(arena, sizeof *leaf);
  Draft draft = {0};
  draft.key = arena_scratch(arena, sizeof *draft.key * MOST_STATES);
  draft.move = arena_scratch(arena, sizeof *draft.move * MOST_MOVES);
  draft.place = arena_scratch(arena, sizeof *draft.place * MOST_STATES);
  draft.first = arena_scratch(arena, sizeof *draft.first * MOST_STATES);
  draft.kept = arena_scratch(arena, sizeof *draft.kept * MOST_IN_LAYER);
  draft.hash = arena_scratch(arena, sizeof *draft.hash * HASH);
  bool fits = leaf && draft.key && draft.move && draft.place && draft.first && draft.kept &&
              draft.hash;
  if (fits) {
    memset(leaf, 0, sizeof *leaf);
    draft.tied = part->tied;
    memset(draft.hash, 0xff, sizeof *draft.hash * HASH);
    fits = draft_forward(deal, part, &draft);
  }
  for (i32 d = deal->layers; fits && d >= 0; d--)
    fits = finish_layer(deal, part, &draft, leaf, d);
  arena->high = high;
  return fits ? leaf : NULL;
}
