/* Marginals where interchangeable clues were merged: in how many layouts a cell of each class is a
 * mine.
 *
 * The forward-backward passes (forward_backward.c) sort the needs of interchangeable clues, so a
 * slot does not identify its clue. A third pass follows each clue, or a group of clues with equal
 * course ("lane"), through the sorted slots:
 *
 *   ways[state][slot][lane] = layouts up to this state in which the lane's clue is in that slot
 *
 * Among slots of one class with equal need the followed clue takes the first: a free choice, since
 * they are exchangeable. Where an ambiguous box is placed, ways x backward weight is added to the
 * mass of the box that has this clue. Memory: two layers at a time, states x slots x lanes x limbs
 * words, allocated sparsely (u32 index, DEAD where empty). Cost: the forward pass times the slots
 * followed. */
#include "counter.h"

typedef struct WayTable { /* `ways` of one layer */
  u8 *bytes;
  size_t room;
  u32 *entry; /* states * slots: index into values, or DEAD */
  u64 *values;
  u32 used, most;
} WayTable;

typedef struct Tracking {
  i32 lanes, members;
  i16 *member, *lane_of, *leader; /* merged clues; clue -> lane or -1; lane -> its clue */
  WayTable now, next;
} Tracking;

static i32 same_class(const Layer *layer, i32 a, i32 b) {
  i32 at_a = -1, at_b = -2;
  for (i32 x = 0; x < layer->slots; x++) {
    if (layer->clue[x] == a) at_a = layer->class_from[x];
    if (layer->clue[x] == b) at_b = layer->class_from[x];
  }
  return at_a == at_b;
}

/* Clues share a lane if they are equal at the start and in one class where a box of their family is
 * first ambiguous: from then on their courses are equal. */
static i32 share_lane(Component *comp, i32 a, i32 b) {
  if (comp->need[a] != comp->need[b] || comp->shape[a] != comp->shape[b]) return 0;
  i32 family = long_sets_root(comp->family, a);
  if (long_sets_root(comp->family, b) != family) return 0;
  for (i32 i = 0; i < comp->boxes; i++) {
    const Layer *layer = comp->layer + i;
    if (layer->ambiguous < 0) continue;
    if (long_sets_root(comp->family, layer->clue[layer->ambiguous]) == family) return same_class(layer, a, b);
  }
  return 1;
}

static void assign_lanes(Component *comp, Tracking *m) {
  i16 size[MINES_CLUES] = {0};
  for (i32 q = 0; q < comp->clues; q++) size[long_sets_root(comp->family, q)]++;
  for (i32 q = 0; q < comp->clues; q++) {
    m->lane_of[q] = -1;
    if (size[long_sets_root(comp->family, q)] < 2) continue;
    m->member[m->members++] = (i16)q;
    for (i32 l = 0; l < m->lanes && m->lane_of[q] < 0; l++)
      if (share_lane(comp, m->leader[l], q)) m->lane_of[q] = (i16)l;
    if (m->lane_of[q] >= 0) continue;
    m->lane_of[q] = (i16)m->lanes;
    m->leader[m->lanes++] = (i16)q;
  }
}

/* Empty the table for a layer. OK or TOO_LARGE. */
static i32 clear_ways(WayTable *a, const Layer *layer, i32 lanes, i32 width) {
  size_t table = ((size_t)(layer->states * layer->slots) * sizeof(u32) + 15) & ~(size_t)15;
  if (table > a->room) return TOO_LARGE;
  a->entry = (u32 *)a->bytes;
  a->values = (u64 *)(a->bytes + table);
  a->used = 0;
  a->most = (u32)((a->room - table) / (sizeof(u64) * (size_t)(lanes * width)));
  memset(a->entry, 255, (size_t)(layer->states * layer->slots) * sizeof(u32));
  return OK;
}

i32 mines_marginals_begin(Counter *c, Component *comp) {
  Arena *arena = &c->arena;
  Tracking *m;
  if (!ARENA_TAKE_ZEROED(arena, m, 1)) return TOO_LARGE;
  if (!ARENA_TAKE(arena, m->member, comp->clues) || !ARENA_TAKE(arena, m->lane_of, comp->clues) ||
      !ARENA_TAKE(arena, m->leader, comp->clues))
    return TOO_LARGE;
  assign_lanes(comp, m);
  m->now.room = m->next.room = ((size_t)(arena->high - arena->low) / 2) & ~(size_t)15;
  m->now.bytes = arena->low;
  m->next.bytes = arena->low + m->now.room;
  c->tracking = m;
  return clear_ways(&m->now, comp->layer, max32(1, m->lanes), width_of(c->limbs));
}

/* For each merged clue, the box with the ambiguous box's clues and this one in place of the merged
 * one; -1 if there is none. */
static void find_possible_boxes(const Counter *c, Component *comp, i32 layer, i32 *box_of) {
  const Tracking *m = c->tracking;
  i32 box = comp->order[layer], own_clue = comp->layer[layer].clue[comp->layer[layer].ambiguous];
  i32 family = long_sets_root(comp->family, own_clue);
  u64 others = clue_sum(comp, box) - clue_key(own_clue);
  for (i32 i = 0; i < m->members; i++) {
    box_of[i] = -1;
    i32 q = m->member[i];
    if (long_sets_root(comp->family, q) != family) continue;
    for (i32 k = 0; k < comp->box_count[q]; k++) {
      i32 b = comp->boxes_of[q][k];
      if (comp->degree[b] != comp->degree[box] || comp->copy[b] != comp->copy[box] ||
          comp->size[b] != comp->size[box] || comp->counted[b] != comp->counted[box])
        continue;
      if (clue_sum(comp, b) - clue_key(q) == others) box_of[i] = b;
    }
  }
}

/* A slot of one state that holds a followed clue. */
typedef struct TrackedSlot {
  const u64 *values; /* ways by lane, or NULL: the leader of `lane`, added by this box */
  i32 slot, lane, need, touched;
} TrackedSlot;

/* List the tracked slots of a state, added ones last. */
static i32 list_tracked_slots(const Tracking *m, const Component *comp, const Layer *layer, const u8 *touched,
                              State *from, u32 index, i32 stretch, TrackedSlot *list) {
  i32 count = 0;
  const u32 *entry = m->now.entry + index * (u32)layer->slots;
  for (i32 p = 0; p < layer->slots; p++)
    if (entry[p] != DEAD)
      list[count++] = (TrackedSlot){m->now.values + (size_t)entry[p] * (size_t)stretch, p, -1,
                                    key_of(from)[p], touched[p]};
  for (i32 p = 0; p < layer->added; p++) {
    i32 q = layer->added_clue[p], lane = m->lane_of[q], slot = layer->slots + p;
    if (lane >= 0 && m->leader[lane] == q)
      list[count++] = (TrackedSlot){NULL, slot, lane, comp->need[q], touched[slot]};
  }
  return count;
}

/* The ways at a table entry of the next layer, zero if it is new; NULL if the table is full. */
static u64 *ways_at(Tracking *m, u32 *entry, i32 stretch) {
  if (*entry == DEAD) {
    if (m->next.used == m->next.most) return NULL;
    *entry = m->next.used++;
    memset(m->next.values + (size_t)*entry * (size_t)stretch, 0, sizeof(u64) * (size_t)stretch);
  }
  return m->next.values + (size_t)*entry * (size_t)stretch;
}

/* mass[lane] += ways * behind * times, for the tracked clues of the ambiguous slot. */
INLINE void add_ambiguous(u64 *mass, const TrackedSlot *tracked, const u64 *behind, i32 lanes, u64 times,
                          const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  for (i32 l = 0; l < lanes; l++) {
    u64 product[MINES_WORDS + 1];
    for (i32 w = 0; w < width; w++) product[w] = 0;
    add_product(product, tracked->values + l * width, behind, limbs);
    add_times(mass + l * width, product, times, limbs);
  }
}

/* Apply a sampled layer's multipliers to the ways. */
static void rescale_ways(Tracking *m, const Layer *next, i32 stretch) {
  for (i32 s = 0; s < next->states; s++)
    for (i32 x = 0; x < next->slots; x++) {
      u32 entry = m->next.entry[s * next->slots + x];
      if (entry == DEAD) continue;
      u64 *out = m->next.values + (size_t)entry * (size_t)stretch;
      for (i32 l = 0; l < m->lanes; l++) out[l] = word_of(real(out[l]) * next->scale[s]);
    }
}

INLINE i64 track_layer(Counter *c, Component *comp, i32 i, u64 *mass, const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  Tracking *m = c->tracking;
  const Layer *layer = comp->layer + i, *next = layer + 1;
  const i32 lanes = m->lanes, stretch = lanes * width;
  i32 box = comp->order[i], size = comp->size[box];
  const u64 *ways = mines_choose_row(size);
  u8 touched[WIDE] = {0};
  TrackedSlot list[WIDE];
  i64 cost = layer->states;
  for (i32 x = 0; x < layer->touched; x++) touched[layer->touched_slot[x]] = 1;
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    if (!from->alive) continue;
    i32 count = list_tracked_slots(m, comp, layer, touched, from, (u32)s, stretch, list);
    for (i32 t = 0; t < from->steps; t++) {
      u32 target = *step_at(comp, from->reach + (u32)t);
      State *to = state_at(next, target);
      if (!to->alive) continue;
      const u8 *key = key_of(to);
      u32 *entries = m->next.entry + target * (u32)next->slots;
      i32 mines = from->fewest + t, last_class = -1, last_need = 0, at = 0;
      for (i32 k = 0; k < count; k++) {
        const TrackedSlot *tracked = list + k;
        i32 need = tracked->need - (tracked->touched ? mines : 0);
        i32 slot = layer->target[tracked->slot];
        if (tracked->slot == layer->ambiguous && mines)
          add_ambiguous(mass, tracked, comp->backward + to->weight_at * width, lanes,
                        mines_choose(size - 1, mines - 1), limbs);
        if (slot == NO_SLOT) continue;
        /* The first slot of the class with that need. The tracked slots of a class ascend by need,
         * so the search continues where the last one ended. */
        i32 class_from = next->class_from[slot], end = next->class_to[slot];
        if (class_from != last_class || need < last_need) at = class_from;
        last_class = class_from;
        last_need = need;
        while (at < end && key[at] != need) at++;
        if (at == end) { /* unreachable: the step put it there */
          last_class = -1;
          continue;
        }
        u64 *out = ways_at(m, entries + at, stretch);
        if (!out) return -1;
        if (!tracked->values)
          add_times(out + tracked->lane * width, comp->forward + from->weight_at * width, ways[mines], limbs);
        else if (ways[mines] == 1 && limbs == 1)
          for (i32 l = 0; l < lanes; l++) out[l] += tracked->values[l];
        else
          for (i32 l = 0; l < lanes; l++)
            add_times(out + l * width, tracked->values + l * width, ways[mines], limbs);
      }
      cost += 1 + count * (1 + lanes * width / 8);
    }
  }
  if (limbs == 0 && next->scale) rescale_ways(m, next, stretch);
  return cost;
}

i32 mines_marginals_run(Counter *c, Component *comp, i32 i, i64 *budget) {
  Tracking *m = c->tracking;
  Layer *layer = comp->layer + i;
  i32 width = width_of(c->limbs);
  u64 mass[MINES_WORDS * MAX_SLOTS];
  i32 box_of[MINES_CLUES];
  if (m->lanes * width > MINES_WORDS * MAX_SLOTS) return TOO_LARGE;
  if (clear_ways(&m->next, layer + 1, max32(1, m->lanes), width) != OK) return TOO_LARGE;
  memset(mass, 0, sizeof(u64) * (size_t)(m->lanes * width));
  i64 cost = BY_LIMBS(c->limbs, track_layer, c, comp, i, mass);
  if (cost < 0) return TOO_LARGE;
  *budget -= cost;
  if (layer->ambiguous >= 0 && !comp->copy[comp->order[i]]) {
    find_possible_boxes(c, comp, i, box_of);
    for (i32 k = 0; k < m->members; k++)
      if (box_of[k] >= 0)
        add_times(mass_of(c, comp, box_of[k]), mass + m->lane_of[m->member[k]] * width, 1, c->limbs);
  }
  WayTable swap = m->now;
  m->now = m->next;
  m->next = swap;
  return OK;
}
