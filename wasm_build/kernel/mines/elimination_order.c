/* Elimination order of a component's boxes, and the slots and classes of each layer.
 *
 * The states of a layer are the combinations of remaining needs of its open clues. The order is
 * built greedily: finish the clue that leaves the smallest estimated layer. On grids it pays to
 * finish all rows (or columns) first, so families of disjoint clues are tried too and the order
 * with the best score wins. Rejected: min-fill orderings of the clue graph (the usual heuristic for
 * small treewidth), 5 to 20 times more states on grids with counts on both sides. Cost: O(clues^2
 * degree) an order; at most five orders. */
#include "counter.h"

enum { LOGS = 2048 };
static double log_of[LOGS];
static u64 choose[BOX_CELLS + 1][BOX_CELLS + 1];

void mines_choose_begin(void) {
  if (choose[0][0]) return;
  for (i32 n = 0; n <= BOX_CELLS; n++)
    for (i32 k = 0; k <= n; k++)
      choose[n][k] = k == 0 || k == n ? 1 : choose[n - 1][k - 1] + choose[n - 1][k];
  for (i32 i = 1; i < LOGS; i++) log_of[i] = kernel_log2(i);
}
const u64 *mines_choose_row(i32 n) { return choose[n]; }
u64 mines_choose(i32 n, i32 k) { return k < 0 || k > n ? 0 : choose[n][k]; }

/* The number of values of clue q's remaining need when `left` of its cells are still to come. */
static i32 need_values(const Component *comp, i32 q, i32 left) {
  i32 need = comp->need[q], passed = comp->cells[q] - left;
  return max32(1, min32(need, passed) - max32(0, need - left) + 1);
}

/* log2 of the number of multisets of `k` items out of `kinds`. */
static double log_multisets(i32 k, i32 kinds) {
  double sum = 0;
  for (i32 i = 0; i < k; i++) sum += log_of[min32(kinds + i, LOGS - 1)] - log_of[i + 1];
  return sum;
}

static double exp2_of(double x) {
  if (x > 900) return 1e300;
  i32 whole = (i32)x;
  double rest = (x - whole) * 0.6931471805599453, term = 1, sum = 1;
  for (i32 k = 1; k < 12; k++) sum += term *= rest / k;
  union {
    u64 u;
    double d;
  } scale = {(u64)(whole + 1023) << 52};
  return sum * scale.d;
}

/* The summand of a box in the shape of its clue q: its size and its other clues. */
static u64 box_key(const Component *comp, i32 box, u64 sum, i32 q) {
  u64 own = (u64)comp->size[box] | (u64)comp->counted[box] << 8 | (u64)comp->copy[box] << 16;
  return random_mix(sum - clue_key(q) + own * 0xD6E8FEB86659FD93ull);
}

/* A partial order; `_then`: after a trial. */
typedef struct Draft {
  u64 *shape, *shape_then, *sum; /* clue: hash of its boxes to come; box: clue_sum */
  i32 *left, *left_then, *open;  /* clue: cells to come; list of the open clues after a trial */
  i32 *candidates;               /* clues that could be finished next */
  u8 *touched, *touched_then, *placed;
} Draft;

static i32 take_draft_arrays(Draft *d, const Component *comp, Arena *arena) {
  i32 q = comp->clues + 1, b = comp->boxes + 1;
  return ARENA_TAKE(arena, d->shape, q) && ARENA_TAKE(arena, d->shape_then, q) &&
         ARENA_TAKE(arena, d->sum, b) && ARENA_TAKE(arena, d->left, q) &&
         ARENA_TAKE(arena, d->left_then, q) && ARENA_TAKE(arena, d->open, q) &&
         ARENA_TAKE(arena, d->candidates, q) && ARENA_TAKE(arena, d->touched, q) &&
         ARENA_TAKE(arena, d->touched_then, q) && ARENA_TAKE(arena, d->placed, b);
}

static void start_draft(Draft *d, const Component *comp) {
  for (i32 q = 0; q < comp->clues; q++) {
    d->shape[q] = 0;
    d->left[q] = comp->cells[q];
    d->touched[q] = 0;
  }
  for (i32 b = 0; b < comp->boxes; b++) {
    d->sum[b] = clue_sum(comp, b);
    d->placed[b] = 0;
    for (i32 i = 0; i < comp->degree[b]; i++)
      d->shape[comp->clues_of[b][i]] += box_key(comp, b, d->sum[b], comp->clues_of[b][i]);
  }
}

/* log2 of the estimated states of the layer after clue q is finished. */
static double cost_of_finishing(Draft *d, const Component *comp, i32 q) {
  for (i32 s = 0; s < comp->clues; s++) { /* too short for memcpy */
    d->left_then[s] = d->left[s];
    d->touched_then[s] = d->touched[s];
    d->shape_then[s] = d->shape[s];
  }
  for (i32 i = 0; i < comp->box_count[q]; i++) {
    i32 b = comp->boxes_of[q][i];
    if (d->placed[b]) continue;
    for (i32 k = 0; k < comp->degree[b]; k++) {
      i32 s = comp->clues_of[b][k];
      d->left_then[s] -= comp->size[b];
      d->touched_then[s] = 1;
      if (!comp->coupled) d->shape_then[s] -= box_key(comp, b, d->sum[b], s);
    }
  }
  i32 open = 0;
  for (i32 s = 0; s < comp->clues; s++)
    if (d->touched_then[s] && d->left_then[s]) d->open[open++] = s;
  double cost = 0;
  for (i32 i = 0; i < open; i++) {
    i32 s = d->open[i], alike = 1;
    if (s < 0) continue;
    i32 kinds = need_values(comp, s, d->left_then[s]);
    for (i32 j = i + 1; j < open && !comp->coupled; j++) {
      i32 r = d->open[j];
      if (r < 0 || d->shape_then[r] != d->shape_then[s]) continue;
      alike++;
      kinds = max32(kinds, need_values(comp, r, d->left_then[r]));
      d->open[j] = -1;
    }
    cost += log_multisets(alike, kinds);
  }
  return cost;
}

static i32 touches_open(const Draft *d, const Component *comp, i32 q) {
  if (d->touched[q]) return 1;
  for (i32 i = 0; i < comp->box_count[q]; i++) {
    i32 b = comp->boxes_of[q][i];
    if (d->placed[b]) continue;
    for (i32 k = 0; k < comp->degree[b]; k++)
      if (d->touched[comp->clues_of[b][k]]) return 1;
  }
  return 0;
}

/* The clue to finish next: the cheapest of the first of these classes that has one: allowed and
 * adjacent to an open clue; allowed; adjacent to an open clue; any. Ties, such as all rows of a
 * grid, go to the clue with most mines: the needs of the open clues then shrink soonest. */
static i32 next_clue(Draft *d, const Component *comp, const u8 *allowed, i32 started) {
  const double same = 1e-9;
  for (i32 class = allowed ? 0 : 2; class < 4; class++) {
    i32 best = -1, count = 0;
    double best_cost = 1e300;
    for (i32 q = 0; q < comp->clues; q++) {
      if (!d->left[q] || (class < 2 && !allowed[q])) continue;
      if (started && !(class & 1) && !touches_open(d, comp, q)) continue;
      d->candidates[count++] = q;
    }
    if (count == 1) return d->candidates[0];
    for (i32 i = 0; i < count; i++) {
      i32 q = d->candidates[i];
      double cost = cost_of_finishing(d, comp, q);
      if (cost > best_cost + same) continue;
      if (cost > best_cost - same && comp->need[q] <= comp->need[best]) continue;
      best_cost = cost;
      best = q;
    }
    if (best >= 0) return best;
  }
  return -1;
}

/* The box of clue q whose placement makes the layer grow least; -1 if all are placed. */
static i32 next_box(const Draft *d, const Component *comp, i32 q) {
  i32 best = -1;
  double best_growth = 1e300;
  for (i32 i = 0; i < comp->box_count[q]; i++) {
    i32 b = comp->boxes_of[q][i];
    if (d->placed[b]) continue;
    double growth = 0;
    for (i32 k = 0; k < comp->degree[b]; k++) {
      i32 s = comp->clues_of[b][k], left = d->left[s] - comp->size[b];
      if (left) growth += log_of[need_values(comp, s, left)];
      if (d->touched[s]) growth -= log_of[need_values(comp, s, d->left[s])];
    }
    if (growth < best_growth - 1e-9) {
      best_growth = growth;
      best = b;
    }
  }
  return best;
}

/* log2 of the layouts of clue q's remaining cells with a proportional share of its mines. */
static double log_choices(const Draft *d, const Component *comp, i32 q) {
  i32 cells = d->left[q], mines = (comp->need[q] * cells + comp->cells[q] / 2) / comp->cells[q];
  double ways = 0;
  for (i32 i = 0; i < mines; i++) ways += log_of[min32(cells - i, LOGS - 1)] - log_of[i + 1];
  return ways;
}

/* Fill in comp->order; the sum of log_choices over the clues as they were finished. */
static double draft_order(Draft *d, Component *comp, const u8 *allowed) {
  double choices = 0;
  start_draft(d, comp);
  for (i32 placed = 0; placed < comp->boxes;) {
    i32 q = next_clue(d, comp, allowed, placed > 0);
    choices += log_choices(d, comp, q);
    for (i32 b; (b = next_box(d, comp, q)) >= 0;) {
      d->placed[b] = 1;
      comp->order[placed++] = (i16)b;
      for (i32 k = 0; k < comp->degree[b]; k++) {
        i32 s = comp->clues_of[b][k];
        d->left[s] -= comp->size[b];
        d->touched[s] = 1;
        d->shape[s] -= box_key(comp, b, d->sum[b], s);
      }
    }
  }
  return choices;
}

static i32 family_size(Component *comp, i32 q) {
  i32 root = long_sets_root(comp->family, q), size = 0;
  for (i32 z = 0; z < comp->clues; z++) size += long_sets_root(comp->family, z) == root;
  return size;
}

/* A box may touch at most one merged clue: with two, its pair of clues would be ambiguous. Where it
 * touches two, bar the smallest family from merging and return 1. */
static i32 split_family(Component *comp, const Draft *d, i32 box) {
  i32 merged = 0, smallest = 1 << 30, worst = -1;
  for (i32 k = 0; k < comp->degree[box]; k++) {
    i32 q = comp->clues_of[box][k];
    if (!comp->mergeable[q] || !d->touched[q]) continue;
    i32 size = family_size(comp, q);
    if (size < 2) continue;
    merged++;
    if (size < smallest) {
      smallest = size;
      worst = long_sets_root(comp->family, q);
    }
  }
  if (merged < 2) return 0;
  for (i32 z = 0; z < comp->clues; z++)
    if (long_sets_root(comp->family, z) == worst) comp->mergeable[z] = 0;
  return 1;
}

/* Slots are sorted by shape, so that those of a class are adjacent, and equal shapes by their next
 * box, so that the slots of one box map in order. */
static u64 sort_key(const Component *comp, const Draft *d, i32 q) {
  return comp->mergeable[q] ? d->shape[q] : clue_key(q);
}

typedef struct Upcoming { /* clue: positions of its boxes in the order; how many are placed */
  i16 **places;
  i32 *passed;
} Upcoming;

static i32 comes_before(const Component *comp, const Draft *d, const Upcoming *up, i32 a, i32 b) {
  u64 ka = sort_key(comp, d, a), kb = sort_key(comp, d, b);
  if (ka != kb) return ka < kb;
  return up->places[a][up->passed[a]] < up->places[b][up->passed[b]];
}

static i32 take_step_arrays(Layer *layer, const Component *comp, i32 box, Arena *arena) {
  i32 degree = comp->degree[box];
  return ARENA_TAKE(arena, layer->touched_slot, degree) && ARENA_TAKE(arena, layer->touched_left, degree) &&
         ARENA_TAKE(arena, layer->added_clue, degree) &&
         ARENA_TAKE(arena, layer->target, layer->slots + degree + 1);
}

static i32 slot_of(const Layer *layer, i32 q) {
  for (i32 x = 0; x < layer->slots; x++)
    if (layer->clue[x] == q) return x;
  return -1;
}

/* Place a box: note the slots that it touches and those that it adds. */
static void place_box(Component *comp, Draft *d, Upcoming *up, Layer *layer, i32 box) {
  layer->touched = layer->added = 0;
  layer->ambiguous = -1;
  for (i32 k = 0; k < comp->degree[box]; k++) {
    i32 q = comp->clues_of[box][k], slot = slot_of(layer, q);
    if (slot >= 0 && comp->mergeable[q] && family_size(comp, q) > 1) layer->ambiguous = slot;
    if (slot < 0) {
      slot = layer->slots + layer->added;
      layer->added_clue[layer->added++] = (i16)q;
    }
    d->left[q] -= comp->size[box];
    d->touched[q] = 1;
    d->shape[q] -= box_key(comp, box, d->sum[box], q);
    up->passed[q]++;
    layer->touched_slot[layer->touched] = (u8)slot;
    layer->touched_left[layer->touched++] = (i16)d->left[q];
  }
}

/* Sort the wide slots that stay open into slots and classes of the next layer. OK or TOO_LARGE. */
static i32 form_layer(Component *comp, const Draft *d, const Upcoming *up, Layer *layer, Arena *arena) {
  Layer *next = layer + 1;
  i16 list[WIDE];
  u8 from[WIDE];
  i32 count = 0, wide = layer->slots + layer->added;
  for (i32 x = 0; x < wide; x++) {
    i32 q = x < layer->slots ? layer->clue[x] : layer->added_clue[x - layer->slots];
    if (!d->left[q]) continue;
    i32 y = count++;
    for (; y > 0 && comes_before(comp, d, up, q, list[y - 1]); y--) {
      list[y] = list[y - 1];
      from[y] = from[y - 1];
    }
    list[y] = (i16)q;
    from[y] = (u8)x;
  }
  if (count > MAX_SLOTS) return TOO_LARGE;
  next->slots = count;
  if (!ARENA_TAKE(arena, next->clue, count) || !ARENA_TAKE(arena, next->class_from, count) ||
      !ARENA_TAKE(arena, next->class_to, count) || !ARENA_TAKE(arena, layer->source, count))
    return TOO_LARGE;
  memset(layer->target, NO_SLOT, (size_t)wide);
  double states = 0;
  for (i32 x = 0, y; x < count; x = y) {
    i32 kinds = 1;
    for (y = x; y < count; y++) {
      i32 q = list[y], joins = comp->mergeable[list[x]] && comp->mergeable[q];
      if (y > x && !(joins && d->shape[q] == d->shape[list[x]])) break;
      kinds = max32(kinds, need_values(comp, q, d->left[q]));
      if (y > x) {
        long_sets_join(comp->family, q, list[x]);
        comp->merged = 1;
      }
    }
    states += log_multisets(y - x, kinds);
    for (i32 z = x; z < y; z++) {
      next->clue[z] = list[z];
      next->class_from[z] = (u8)x;
      next->class_to[z] = (u8)y;
      layer->source[z] = from[z];
      layer->target[from[z]] = (u8)z;
    }
  }
  comp->estimate += exp2_of(states);
  return OK;
}

static i32 take_upcoming(Upcoming *up, const Component *comp, Arena *arena) {
  if (!ARENA_TAKE(arena, up->places, comp->clues) || !ARENA_TAKE(arena, up->passed, comp->clues)) return 0;
  for (i32 q = 0; q < comp->clues; q++) {
    if (!ARENA_TAKE(arena, up->places[q], comp->box_count[q] + 1)) return 0;
    up->passed[q] = 0;
  }
  for (i32 i = 0; i < comp->boxes; i++)
    for (i32 b = comp->order[i], k = 0; k < comp->degree[b]; k++) {
      i32 q = comp->clues_of[b][k];
      up->places[q][up->passed[q]++] = (i16)i;
    }
  for (i32 q = 0; q < comp->clues; q++) {
    up->places[q][up->passed[q]] = 0;
    up->passed[q] = 0;
  }
  return 1;
}

/* Build the layers for the component's order. OK, TOO_LARGE, or 1: a family was split, retry. */
static i32 build_layers_once(Component *comp, Draft *d, Arena *arena) {
  Upcoming up;
  if (!ARENA_TAKE(arena, comp->layer, comp->boxes + 1) || !take_upcoming(&up, comp, arena)) return TOO_LARGE;
  memset(comp->layer, 0, sizeof(Layer) * (size_t)(comp->boxes + 1));
  start_draft(d, comp);
  memcpy(comp->shape, d->shape, sizeof(u64) * (size_t)comp->clues);
  long_sets_init(comp->family, comp->clues);
  comp->merged = 0;
  comp->estimate = 0;
  for (i32 i = 0; i < comp->boxes; i++) {
    Layer *layer = comp->layer + i;
    i32 box = comp->order[i];
    if (split_family(comp, d, box)) return 1;
    if (!take_step_arrays(layer, comp, box, arena)) return TOO_LARGE;
    place_box(comp, d, &up, layer, box);
    if (layer->slots + layer->added > WIDE) return TOO_LARGE;
    i32 status = form_layer(comp, d, &up, layer, arena);
    if (status != OK) return status;
  }
  return OK;
}

/* The layers for the component's order, and the estimate of their states. */
static i32 build_layers(Component *comp, Draft *d, Arena *arena) {
  u8 *mark = arena->low;
  /* With a coupling clue merging saves little and its marginals would cost more. */
  memset(comp->mergeable, !comp->coupled, (size_t)comp->clues);
  i32 status;
  while ((status = build_layers_once(comp, d, arena)) == 1) arena->low = mark;
  if (status == TOO_LARGE) comp->estimate = 1e300;
  return status;
}

/* Greedy families of pairwise disjoint clues, small clues first: allowed[q] = 1 for the members of
 * the `which`-th. Returns 1 if it has two members and covers half of the boxes. */
static i32 disjoint_family(const Component *comp, i32 which, i32 *group, u8 *allowed, u8 *taken) {
  if (which == 0) memset(group, 255, sizeof(i32) * (size_t)comp->clues);
  memset(taken, 0, (size_t)comp->boxes);
  i32 members = 0, covered = 0, most = 0;
  for (i32 q = 0; q < comp->clues; q++) most = max32(most, comp->cells[q]);
  for (i32 cells = 1; cells <= most; cells++)
    for (i32 q = 0; q < comp->clues; q++) {
      if (comp->cells[q] != cells || group[q] >= 0) continue;
      i32 free = 1;
      for (i32 i = 0; i < comp->box_count[q]; i++) free &= !taken[comp->boxes_of[q][i]];
      if (!free) continue;
      for (i32 i = 0; i < comp->box_count[q]; i++) taken[comp->boxes_of[q][i]] = 1;
      group[q] = which;
      members++;
      covered += comp->box_count[q];
    }
  for (i32 q = 0; q < comp->clues; q++) allowed[q] = group[q] == which;
  return members > 1 && covered * 2 >= comp->boxes;
}

/* The score of an order, lower is better. The estimate uses the ranges of the needs, not their
 * distribution, and rates rows first and columns first about equal. Fewer layouts of the clues that
 * are finished first mean fewer reachable states, hence the factor; a fifth of the exponent did
 * best on random grids of all densities. */
static double score(const Component *comp, double choices) { return comp->estimate * exp2_of(choices / 5); }

i32 mines_order_boxes(Component *comp, Arena *arena) {
  enum { FAMILIES = 4, SMALL = 8 };
  Draft d;
  i32 *group;
  i16 *best;
  u8 *allowed, *taken;
  if (!take_draft_arrays(&d, comp, arena) || !ARENA_TAKE(arena, group, comp->clues) ||
      !ARENA_TAKE(arena, best, comp->boxes) || !ARENA_TAKE(arena, allowed, comp->clues) ||
      !ARENA_TAKE(arena, taken, comp->boxes))
    return TOO_LARGE;
  u8 *mark = arena->low;
  size_t bytes = sizeof(i16) * (size_t)comp->boxes;
  double choices = draft_order(&d, comp, NULL);
  i32 status = build_layers(comp, &d, arena);
  double best_score = score(comp, choices), best_estimate = comp->estimate;
  i32 current = 1; /* the layers are those of the best order */
  memcpy(best, comp->order, bytes);
  for (i32 f = 0; comp->boxes > SMALL && best_estimate > 50 && f < FAMILIES; f++) {
    if (!disjoint_family(comp, f, group, allowed, taken)) continue;
    arena->low = mark;
    choices = draft_order(&d, comp, allowed);
    status = build_layers(comp, &d, arena);
    current = score(comp, choices) < best_score;
    if (!current) continue;
    best_score = score(comp, choices);
    best_estimate = comp->estimate;
    memcpy(best, comp->order, bytes);
  }
  if (current) return status;
  arena->low = mark;
  memcpy(comp->order, best, bytes);
  return build_layers(comp, &d, arena);
}
