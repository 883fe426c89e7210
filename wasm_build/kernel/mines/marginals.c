/* Marginals where interchangeable clues were merged: in how many layouts a cell of each class is a
 * mine.
 *
 * The forward-backward passes (forward_backward.c) sort the remaining needs of interchangeable
 * clues, so a state no longer says which clue sits in which slot. A third pass follows each clue,
 * or a group of clues that behave alike ("lane"), through the sorted slots:
 *
 *   ways[state][slot][lane] = layouts up to this state in which the lane's clue is in that slot
 *
 * Among slots of one class with equal need the followed clue takes the first: a free choice, since
 * they are exchangeable. Where a merged box is placed, ways x backward weight is added to the count
 * of the box that has this clue.
 * Memory: two layers at a time, states x slots x lanes x limbs words, allocated sparsely (u32
 * index, DEAD where empty). Cost: the forward pass times the slots followed. */
#include "counter.h"


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
static i32 share_lane(Component *part, i32 a, i32 b) {
  if (part->need[a] != part->need[b] || part->shape[a] != part->shape[b]) return 0;
  i32 family = long_sets_root(part->family, a);
  if (long_sets_root(part->family, b) != family) return 0;
  for (i32 i = 0; i < part->boxes; i++) {
    const Layer *layer = part->layer + i;
    if (layer->blurred < 0) continue;
    if (long_sets_root(part->family, layer->clue[layer->blurred]) == family)
      return same_class(layer, a, b);
  }
  return 1;
}

static void name_lanes(Component *part, Marks *m) {
  i16 size[MINES_CLUES] = {0};
  for (i32 q = 0; q < part->clues; q++) size[long_sets_root(part->family, q)]++;
  for (i32 q = 0; q < part->clues; q++) {
    m->lane_of[q] = -1;
    if (size[long_sets_root(part->family, q)] < 2) continue;
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

i32 mines_marginals_begin(Counter *c, Component *part) {
  Arena *arena = &c->arena;
  Marks *m;
  if (!ARENA_TAKE(arena, m, 1)) return TOO_LARGE;
  memset(m, 0, sizeof *m);
  if (!ARENA_TAKE(arena, m->member, part->clues) || !ARENA_TAKE(arena, m->lane_of, part->clues) ||
      !ARENA_TAKE(arena, m->leader, part->clues))
    return TOO_LARGE;
  name_lanes(part, m);
  m->now.room = m->next.room = ((size_t)(arena->high - arena->low) / 2) & ~(size_t)15;
  m->now.bytes = arena->low;
  m->next.bytes = arena->low + m->now.room;
  c->marks = m;
  return open_area(&m->now, part->layer, max32(1, m->lanes), width_of(c->limbs));
}

/* The boxes that a blurred box can be: its own with the merged clue replaced by each member. */
static void boxes_with_same_clues(const Counter *c, Component *part, i32 layer, i32 *twin) {
  const Marks *m = c->marks;
  i32 box = part->order[layer], blurred = part->layer[layer].blurred;
  i32 own_clue = part->layer[layer].clue[blurred], family = long_sets_root(part->family, own_clue);
  u64 sum = 0;
  for (i32 k = 0; k < part->degree[box]; k++) sum += clue_key(part->clues_of[box][k]);
  for (i32 i = 0; i < m->members; i++) {
    twin[i] = -1;
    i32 q = m->member[i];
    if (long_sets_root(part->family, q) != family) continue;
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
  i32 slot, tracked_group, need, touched;
} Marked;

/* The slots of a state, added ones last, that have marks to hand on. */
static i32 list_marked(const Marks *m, const Component *part, const Layer *layer, const u8 *touched,
                       State *from, u32 index, i32 stretch, Marked *list) {
  i32 count = 0;
  const u32 *entry = m->now.entry + index * (u32)layer->slots;
  for (i32 p = 0; p < layer->slots; p++)
    if (entry[p] != DEAD)
      list[count++] = (Marked){m->now.values + (size_t)entry[p] * (size_t)stretch, p, -1,
                               key_of(from)[p], touched[p]};
  for (i32 p = 0; p < layer->added; p++) {
    i32 q = layer->added_clue[p], tracked_group = m->lane_of[q], slot = layer->slots + p;
    if (tracked_group >= 0 && m->leader[tracked_group] == q)
      list[count++] = (Marked){NULL, slot, tracked_group, part->need[q], touched[slot]};
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

/* The layouts that pass through a mark in the blurred slot: `times` the ways behind it. */
INLINE void see_blurred(u64 *seen, const Marked *mark, const u64 *behind, i32 lanes, u64 times,
                        const i32 limbs) {
  const i32 width = limbs ? limbs : 1;
  for (i32 l = 0; l < lanes; l++) {
    u64 product[MINES_WORDS + 1];
    for (i32 w = 0; w < width; w++) product[w] = 0;
    add_product(product, mark->values + l * width, behind, limbs);
    add_times(seen + l * width, product, times, limbs);
  }
}

/* Sampled layers are scaled state by state; the marks that sit in them follow. */
static void scale_marks(Marks *m, const Layer *next, i32 stretch) {
  for (i32 s = 0; s < next->states; s++)
    for (i32 x = 0; x < next->slots; x++) {
      u32 entry = m->next.entry[s * next->slots + x];
      if (entry == DEAD) continue;
      u64 *out = m->next.values + (size_t)entry * (size_t)stretch;
      for (i32 l = 0; l < m->lanes; l++) out[l] = word_of(real(out[l]) * next->scale[s]);
    }
}

INLINE i64 mark_layer(Counter *c, Component *part, i32 i, u64 *seen, const i32 limbs) {
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
          see_blurred(seen, mark, part->backward + to->weight_at * width, lanes,
                      mines_choose(size - 1, mines - 1), limbs);
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
          add_times(out + mark->tracked_group * width, part->forward + from->weight_at * width, ways[mines],
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
  if (limbs == 0 && next->scale) scale_marks(m, next, stretch);
  return cost;
}

i32 mines_marginals_run(Counter *c, Component *part, i32 i, i64 *budget) {
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
    boxes_with_same_clues(c, part, i, twin);
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
