/* Elimination order of a part's boxes for the frontier method, and the slots and classes of each
 * layer.
 *
 * The number of states of a layer is the number of combinations of what the open clues still need.
 * Greedy: finish the clue that leaves the smallest estimated layer. On grids it pays to finish all
 * rows (or columns) first, so families of disjoint clues are tried too and the cheapest order is
 * kept. Rejected: minimum-fill orderings of the clue graph, 5 to 20 times more states on grids
 * with counts on both sides. One file: drafting and laying out share the estimate and its scratch.
 */
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

/* How many values clue q's remaining need can have when `left` of its cells are still to come. */
static i32 values(const Component *part, i32 q, i32 left) {
  i32 need = part->need[q], passed = part->cells[q] - left;
  return max32(1, min32(need, passed) - max32(0, need - left) + 1);
}

/* log2 of the multisets of `k` items out of `kinds`. */
static double log_multisets(i32 k, i32 kinds) {
  double sum = 0;
  for (i32 i = 0; i < k; i++) sum += log_of[min32(kinds + i, LOGS - 1)] - log_of[i + 1];
  return sum;
}

static u64 partners(const Component *part, i32 box) {
  u64 sum = 0;
  for (i32 i = 0; i < part->degree[box]; i++) sum += clue_key(part->clues_of[box][i]);
  return sum;
}

static double power_of_two(double x) {
  if (x > 900) return 1e300;
  i32 whole = (i32)x;
  double rest = (x - whole) * 0.6931471805599453, term = 1, sum = 1;
  for (i32 k = 1; k < 12; k++) sum += term *= rest / k;
  union { u64 u; double d; } scale = {(u64)(whole + 1023) << 52};
  return sum * scale.d;
}

/* What box contributes to the shape of its clue q: its size and its other clues. */
static u64 contribution(const Component *part, i32 box, u64 sum, i32 q) {
  u64 own = (u64)part->size[box] | (u64)part->counted[box] << 8 | (u64)part->copy[box] << 16;
  return random_mix(sum - clue_key(q) + own * 0xD6E8FEB86659FD93ull);
}

typedef struct Draft {
  u64 *shape, *shape_then, *sum; /* per clue, per clue after a trial, per box */
  i32 *left, *left_then, *open;  /* cells to come; clues touched after a trial, as a list */
  i32 *meets;                    /* clues that could be finished next */
  u8 *touched, *touched_then, *placed;
} Draft;

static i32 take_draft(Draft *d, const Component *part, Arena *arena) {
  i32 q = part->clues + 1, b = part->boxes + 1;
  return ARENA_TAKE(arena, d->shape, q) && ARENA_TAKE(arena, d->shape_then, q) &&
         ARENA_TAKE(arena, d->sum, b) && ARENA_TAKE(arena, d->left, q) &&
         ARENA_TAKE(arena, d->left_then, q) && ARENA_TAKE(arena, d->open, q) &&
         ARENA_TAKE(arena, d->meets, q) &&
         ARENA_TAKE(arena, d->touched, q) && ARENA_TAKE(arena, d->touched_then, q) &&
         ARENA_TAKE(arena, d->placed, b);
}

static void start_draft(Draft *d, const Component *part) {
  for (i32 q = 0; q < part->clues; q++) {
    d->shape[q] = 0;
    d->left[q] = part->cells[q];
    d->touched[q] = 0;
  }
  for (i32 b = 0; b < part->boxes; b++) {
    d->sum[b] = partners(part, b);
    d->placed[b] = 0;
    for (i32 i = 0; i < part->degree[b]; i++)
      d->shape[part->clues_of[b][i]] += contribution(part, b, d->sum[b], part->clues_of[b][i]);
  }
}

/* log2 of the estimated layer after finishing clue q. */
static double cost_of_finishing(Draft *d, const Component *part, i32 q) {
  for (i32 s = 0; s < part->clues; s++) { /* too few for calls that copy memory */
    d->left_then[s] = d->left[s];
    d->touched_then[s] = d->touched[s];
    d->shape_then[s] = d->shape[s];
  }
  for (i32 i = 0; i < part->box_count[q]; i++) {
    i32 b = part->boxes_of[q][i];
    if (d->placed[b]) continue;
    for (i32 k = 0; k < part->degree[b]; k++) {
      i32 s = part->clues_of[b][k];
      d->left_then[s] -= part->size[b];
      d->touched_then[s] = 1;
      if (!part->coupled) d->shape_then[s] -= contribution(part, b, d->sum[b], s);
    }
  }
  i32 open = 0;
  for (i32 s = 0; s < part->clues; s++)
    if (d->touched_then[s] && d->left_then[s]) d->open[open++] = s;
  double cost = 0;
  for (i32 i = 0; i < open; i++) {
    i32 s = d->open[i], alike = 1;
    if (s < 0) continue;
    i32 kinds = values(part, s, d->left_then[s]);
    for (i32 j = i + 1; j < open && !part->coupled; j++) {
      i32 r = d->open[j];
      if (r < 0 || d->shape_then[r] != d->shape_then[s]) continue;
      alike++;
      kinds = max32(kinds, values(part, r, d->left_then[r]));
      d->open[j] = -1;
    }
    cost += log_multisets(alike, kinds);
  }
  return cost;
}

static i32 touches_open(const Draft *d, const Component *part, i32 q) {
  if (d->touched[q]) return 1;
  for (i32 i = 0; i < part->box_count[q]; i++) {
    i32 b = part->boxes_of[q][i];
    if (d->placed[b]) continue;
    for (i32 k = 0; k < part->degree[b]; k++)
      if (d->touched[part->clues_of[b][k]]) return 1;
  }
  return 0;
}

/* The clue to finish next. Wishes, dropped one by one until a clue meets them: in `allowed` and
 * next to an open clue; in `allowed`; next to an open clue; any. Of clues that cost the same,
 * such as all rows of a grid, the one with most mines: what the open clues still need is then soon
 * close to nothing, which takes few values. */
static i32 next_clue(Draft *d, const Component *part, const u8 *allowed, i32 started) {
  const double same = 1e-9;
  for (i32 wish = allowed ? 0 : 2; wish < 4; wish++) {
    i32 best = -1, count = 0;
    double best_cost = 1e300;
    for (i32 q = 0; q < part->clues; q++) {
      if (!d->left[q] || (wish < 2 && !allowed[q])) continue;
      if (started && !(wish & 1) && !touches_open(d, part, q)) continue;
      d->meets[count++] = q;
    }
    if (count == 1) return d->meets[0];
    for (i32 i = 0; i < count; i++) {
      i32 q = d->meets[i];
      double cost = cost_of_finishing(d, part, q);
      if (cost > best_cost + same) continue;
      if (cost > best_cost - same && part->need[q] <= part->need[best]) continue;
      best_cost = cost;
      best = q;
    }
    if (best >= 0) return best;
  }
  return -1;
}

/* Of clue q's boxes the one whose placing lets the layer grow least. */
static i32 next_box(const Draft *d, const Component *part, i32 q) {
  i32 best = -1;
  double best_growth = 1e300;
  for (i32 i = 0; i < part->box_count[q]; i++) {
    i32 b = part->boxes_of[q][i];
    if (d->placed[b]) continue;
    double growth = 0;
    for (i32 k = 0; k < part->degree[b]; k++) {
      i32 s = part->clues_of[b][k], left = d->left[s] - part->size[b];
      if (left) growth += log_of[values(part, s, left)];
      if (d->touched[s]) growth -= log_of[values(part, s, d->left[s])];
    }
    if (growth < best_growth - 1e-9) {
      best_growth = growth;
      best = b;
    }
  }
  return best;
}

/* log2 of the ways to place clue q's mines in what is left of it, taking its share of them. */
static double freedom_of(const Draft *d, const Component *part, i32 q) {
  i32 cells = d->left[q], mines = (part->need[q] * cells + part->cells[q] / 2) / part->cells[q];
  double ways = 0;
  for (i32 i = 0; i < mines; i++) ways += log_of[min32(cells - i, LOGS - 1)] - log_of[i + 1];
  return ways;
}

/* Fills part->order; what it returns is the freedom of all clues as they were finished. */
static double draft_order(Draft *d, Component *part, const u8 *allowed) {
  double freedom = 0;
  start_draft(d, part);
  for (i32 placed = 0; placed < part->boxes;) {
    i32 q = next_clue(d, part, allowed, placed > 0);
    freedom += freedom_of(d, part, q);
    for (i32 b; (b = next_box(d, part, q)) >= 0;) {
      d->placed[b] = 1;
      part->order[placed++] = (i16)b;
      for (i32 k = 0; k < part->degree[b]; k++) {
        i32 s = part->clues_of[b][k];
        d->left[s] -= part->size[b];
        d->touched[s] = 1;
        d->shape[s] -= contribution(part, b, d->sum[b], s);
      }
    }
  }
  return freedom;
}

static i32 family_size(Component *part, i32 q) {
  i32 root = long_sets_root(part->family, q), size = 0;
  for (i32 z = 0; z < part->clues; z++) size += long_sets_root(part->family, z) == root;
  return size;
}

/* A box may touch one merged clue at most: with two, the pair of clues it belongs to would be
 * lost. Splits up the smallest family where there are two; 1 if it had to. */
static i32 unmerge(Component *part, const Draft *d, i32 box) {
  i32 merged = 0, smallest = 1 << 30, worst = -1;
  for (i32 k = 0; k < part->degree[box]; k++) {
    i32 q = part->clues_of[box][k];
    if (!part->mergeable[q] || !d->touched[q]) continue;
    i32 size = family_size(part, q);
    if (size < 2) continue;
    merged++;
    if (size < smallest) {
      smallest = size;
      worst = long_sets_root(part->family, q);
    }
  }
  if (merged < 2) return 0;
  for (i32 z = 0; z < part->clues; z++)
    if (long_sets_root(part->family, z) == worst) part->mergeable[z] = 0;
  return 1;
}

/* Sort the open wide slots by shape, so that interchangeable clues stand side by side. Equal
 * shapes are ordered by their next boxes: slots that meet the same box then map in order. */
static u64 sort_key(const Component *part, const Draft *d, i32 q) {
  return part->mergeable[q] ? d->shape[q] : clue_key(q);
}

typedef struct Upcoming { /* per clue: the places of its boxes in the order, and how many passed */
  i16 **places;
  i32 *passed;
} Upcoming;

static i32 comes_before(const Component *part, const Draft *d, const Upcoming *up, i32 a, i32 b) {
  u64 ka = sort_key(part, d, a), kb = sort_key(part, d, b);
  if (ka != kb) return ka < kb;
  return up->places[a][up->passed[a]] < up->places[b][up->passed[b]];
}

static i32 take_step(Layer *layer, const Component *part, i32 box, Arena *arena) {
  i32 degree = part->degree[box];
  return ARENA_TAKE(arena, layer->touched_slot, degree) &&
         ARENA_TAKE(arena, layer->touched_left, degree) &&
         ARENA_TAKE(arena, layer->added_clue, degree) &&
         ARENA_TAKE(arena, layer->target, layer->slots + degree + 1);
}

static i32 slot_of(const Layer *layer, i32 q) {
  for (i32 x = 0; x < layer->slots; x++)
    if (layer->clue[x] == q) return x;
  return -1;
}

/* The step over one box: which slots it touches, which it adds. */
static void take_box(Component *part, Draft *d, Upcoming *up, Layer *layer, i32 box) {
  layer->touched = layer->added = 0;
  layer->blurred = -1;
  for (i32 k = 0; k < part->degree[box]; k++) {
    i32 q = part->clues_of[box][k], slot = slot_of(layer, q);
    if (slot >= 0 && part->mergeable[q] && family_size(part, q) > 1) layer->blurred = slot;
    if (slot < 0) {
      slot = layer->slots + layer->added;
      layer->added_clue[layer->added++] = (i16)q;
    }
    d->left[q] -= part->size[box];
    d->touched[q] = 1;
    d->shape[q] -= contribution(part, box, d->sum[box], q);
    up->passed[q]++;
    layer->touched_slot[layer->touched] = (u8)slot;
    layer->touched_left[layer->touched++] = (i16)d->left[q];
  }
}

/* The next layer's slots out of the wide slots. TOO_LARGE if there are too many. */
static i32 form_layer(Component *part, const Draft *d, const Upcoming *up, Layer *layer, Layer *next,
                      Arena *arena) {
  i16 list[WIDE];
  u8 from[WIDE];
  i32 count = 0, wide = layer->slots + layer->added;
  for (i32 x = 0; x < wide; x++) {
    i32 q = x < layer->slots ? layer->clue[x] : layer->added_clue[x - layer->slots];
    if (!d->left[q]) continue;
    i32 y = count++;
    for (; y > 0 && comes_before(part, d, up, q, list[y - 1]); y--) {
      list[y] = list[y - 1];
      from[y] = from[y - 1];
    }
    list[y] = (i16)q;
    from[y] = (u8)x;
  }
  if (count > SLOTS) return TOO_LARGE;
  next->slots = count;
  if (!ARENA_TAKE(arena, next->clue, count) || !ARENA_TAKE(arena, next->class_from, count) ||
      !ARENA_TAKE(arena, next->class_to, count) || !ARENA_TAKE(arena, layer->source, count))
    return TOO_LARGE;
  memset(layer->target, NO_SLOT, (size_t)wide);
  double states = 0;
  for (i32 x = 0, y; x < count; x = y) {
    i32 kinds = 1;
    for (y = x; y < count; y++) {
      i32 q = list[y], joins = part->mergeable[list[x]] && part->mergeable[q];
      if (y > x && !(joins && d->shape[q] == d->shape[list[x]])) break;
      kinds = max32(kinds, values(part, q, d->left[q]));
      if (y > x) {
        long_sets_join(part->family, q, list[x]);
        part->merged = 1;
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
  part->estimate += power_of_two(states);
  return OK;
}

static i32 take_upcoming(Upcoming *up, const Component *part, Arena *arena) {
  if (!ARENA_TAKE(arena, up->places, part->clues) ||
      !ARENA_TAKE(arena, up->passed, part->clues)) return 0;
  for (i32 q = 0; q < part->clues; q++) {
    if (!ARENA_TAKE(arena, up->places[q], part->box_count[q] + 1)) return 0;
    up->passed[q] = 0;
  }
  for (i32 i = 0; i < part->boxes; i++)
    for (i32 b = part->order[i], k = 0; k < part->degree[b]; k++) {
      i32 q = part->clues_of[b][k];
      up->places[q][up->passed[q]++] = (i16)i;
    }
  for (i32 q = 0; q < part->clues; q++) {
    up->places[q][up->passed[q]] = 0;
    up->passed[q] = 0;
  }
  return 1;
}

/* One attempt at the layers for the part's order. OK, TOO_LARGE, or 1: a family was split up,
 * try again. */
static i32 lay_out_once(Component *part, Draft *d, Arena *arena) {
  Upcoming up;
  if (!ARENA_TAKE(arena, part->layer, part->boxes + 1) ||
      !take_upcoming(&up, part, arena)) return TOO_LARGE;
  memset(part->layer, 0, sizeof(Layer) * (size_t)(part->boxes + 1));
  start_draft(d, part);
  memcpy(part->shape, d->shape, sizeof(u64) * (size_t)part->clues);
  long_sets_init(part->family, part->clues);
  part->merged = 0;
  part->estimate = 0;
  for (i32 i = 0; i < part->boxes; i++) {
    Layer *layer = part->layer + i;
    i32 box = part->order[i];
    if (unmerge(part, d, box)) return 1;
    if (!take_step(layer, part, box, arena)) return TOO_LARGE;
    take_box(part, d, &up, layer, box);
    if (layer->slots + layer->added > WIDE) return TOO_LARGE;
    i32 status = form_layer(part, d, &up, layer, layer + 1, arena);
    if (status != OK) return status;
  }
  return OK;
}

/* Layers, slots and classes for the part's order, and the estimate of its states. */
static i32 lay_out(Component *part, Draft *d, Arena *arena) {
  u8 *mark = arena->low;
  /* Under a coupling index merging saves little and marks would cost more. */
  memset(part->mergeable, !part->coupled, (size_t)part->clues);
  i32 status;
  while ((status = lay_out_once(part, d, arena)) == 1) arena->low = mark;
  if (status == TOO_LARGE) part->estimate = 1e300;
  return status;
}

/* Sets of pairwise disjoint clues, small clues first: allowed[q] = 1 for the members of the
 * `which`-th. 1 if it has two members and covers half of the boxes. */
static i32 disjoint_family(const Component *part, i32 which, i32 *group, u8 *allowed, u8 *taken) {
  if (which == 0) memset(group, 255, sizeof(i32) * (size_t)part->clues);
  memset(taken, 0, (size_t)part->boxes);
  i32 members = 0, covered = 0, most = 0;
  for (i32 q = 0; q < part->clues; q++) most = max32(most, part->cells[q]);
  for (i32 cells = 1; cells <= most; cells++)
    for (i32 q = 0; q < part->clues; q++) {
      if (part->cells[q] != cells || group[q] >= 0) continue;
      i32 free = 1;
      for (i32 i = 0; i < part->box_count[q]; i++) free &= !taken[part->boxes_of[q][i]];
      if (!free) continue;
      for (i32 i = 0; i < part->box_count[q]; i++) taken[part->boxes_of[q][i]] = 1;
      group[q] = which;
      members++;
      covered += part->box_count[q];
    }
  for (i32 q = 0; q < part->clues; q++) allowed[q] = group[q] == which;
  return members > 1 && covered * 2 >= part->boxes;
}

/* What an order is chosen by. The estimate knows the ranges of what clues may still need, not how
 * likely they are, and calls rows first and columns first about equal. What distinguishes these is
 * how many ways there are to fill the clues that are finished first: the fewer, the fewer states
 * are ever reached. A fifth of the exponent did best on random grids of all densities. */
static double score(const Component *part, double freedom) {
  return part->estimate * power_of_two(freedom / 5);
}

i32 mines_plan(Component *part, Arena *arena) {
  enum { FAMILIES = 4, SMALL = 8 };
  Draft d;
  i32 *group;
  i16 *best;
  u8 *allowed, *taken;
  if (!take_draft(&d, part, arena) || !ARENA_TAKE(arena, group, part->clues) ||
      !ARENA_TAKE(arena, best, part->boxes) || !ARENA_TAKE(arena, allowed, part->clues) ||
      !ARENA_TAKE(arena, taken, part->boxes))
    return TOO_LARGE;
  u8 *mark = arena->low;
  size_t bytes = sizeof(i16) * (size_t)part->boxes;
  double freedom = draft_order(&d, part, NULL);
  i32 status = lay_out(part, &d, arena);
  double best_score = score(part, freedom), best_estimate = part->estimate;
  i32 stands = 1; /* the layers laid out last are those of the best order */
  memcpy(best, part->order, bytes);
  for (i32 f = 0; part->boxes > SMALL && best_estimate > 50 && f < FAMILIES; f++) {
    if (!disjoint_family(part, f, group, allowed, taken)) continue;
    arena->low = mark;
    freedom = draft_order(&d, part, allowed);
    status = lay_out(part, &d, arena);
    stands = score(part, freedom) < best_score;
    if (!stands) continue;
    best_score = score(part, freedom);
    best_estimate = part->estimate;
    memcpy(best, part->order, bytes);
  }
  if (stands) return status;
  arena->low = mark;
  memcpy(part->order, best, bytes);
  return lay_out(part, &d, arena);
}
