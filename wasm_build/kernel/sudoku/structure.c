/* Canonical labelling and automorphism group of a coloured graph, by individualisation-refinement
 * (McKay & Piperno 2014).
 *
 * An ordered partition of the points is refined to an equitable one: all points of a class have,
 * for every kind, equally many arcs to each class. Then a target class is chosen, each of its
 * members in turn is individualised (gets a class of its own before the rest), and the partition is
 * refined again. Leaves are discrete partitions. Refinement is hashed into a trace that does not
 * depend on the names of points: nodes whose traces are neither those of the first path nor least
 * are pruned. A leaf that equals the first or the best one gives an automorphism, which is checked
 * arc by arc; the search then backjumps to the level where the two paths diverge. A child is pruned
 * if an automorphism that fixes the path to its parent takes an earlier child to it.
 *
 * Counts are compared by 64-bit sums of mixed kinds and leaves by 64-bit sums over their arcs. A
 * collision can make two isomorphic graphs look different, never the reverse.
 *
 * Cost: O(arcs log points) a node. The number of nodes is exponential in the worst case; after
 * MOST_ARCS arcs visited the answer is TOO_LARGE.
 */
#include "shared/arena.h"
#include "shared/random.h"
#include "shared/sets.h"
#include "sudoku/sudoku.h"

static const i64 MOST_ARCS = 2000000000;

typedef struct {
  u16 *at, *place; /* points in the order of classes, and the inverse */
  u16 *head;       /* of each point: the first place of its class */
  u16 *size;       /* of the class that begins at a place */
  u16 *orbit;      /* a forest: orbits of the automorphisms that fix the path, */
  i32 orbit_of;    /* among the first so many generators */
  i32 classes;
  i32 target, next, end; /* the chosen class, its next child, its end */
} Level;

typedef struct {
  u64 *trace; /* trace[i]: of the node below path[i] */
  u16 *path, *at;
  u64 sum; /* over the arcs of a leaf */
  i32 depth;
} Leaf;

/* The arcs from point p are those from starts[p] to starts[p + 1]; where there is an arc from p to
 * q there is one from q to p, and its kind follows from that of the other. */
typedef struct {
  const u64 *colours;
  const u32 *starts, *targets, *kinds; /* kinds: NULL if all are equal */
} Graph;

typedef struct {
  const Graph *g;
  u32 *places;      /* of each point in the canonical order */
  u32 *factors;     /* their number, then numbers whose product is the order of the group */
  u32 *generators;  /* each takes point p to generators[p] */
  i32 most, made;   /* room for generators, and their number */
  Arena arena;
  i32 points, by_index, have_leaf, floor; /* floor: the deepest open node of the first path */
  i64 budget;
  Level *level;
  u64 *score;
  u16 *queue, *touched, *heads;
  u8 *queued, *marked;
  i32 levels, first, last, waiting; /* levels with memory; ends and length of the ring buffer */
  Leaf now, first_leaf, best;
  u32 *kind_to;
} Search;

static u64 kind_of(const Graph *g, u32 arc) { return g->kinds ? g->kinds[arc] : 0; }

/* -- refinement ------------------------------------------------------------------------------ */

static void enqueue(Search *s, i32 head) {
  if (s->queued[head]) return;
  s->queued[head] = 1;
  s->waiting++;
  s->queue[s->last] = (u16)head;
  s->last = s->last + 1 == s->points ? 0 : s->last + 1;
}

#define SCORE_BEFORE(a, b) (score[*(a)] < score[*(b)])
static void sort_by_score(const u64 *score, u16 *at, i32 count) { SORT(at, count, SCORE_BEFORE); }

/* Splits the class at `head` by score; queues all parts but the largest (Hopcroft 1971), or all if
 * the class was queued. */
static u64 split(Search *s, Level *p, i32 head, u64 trace) {
  i32 end = head + p->size[head], largest = head;
  sort_by_score(s->score, p->at + head, end - head);
  for (i32 from = head, to; from < end; from = to) {
    u64 score = s->score[p->at[from]];
    for (to = from; to < end && s->score[p->at[to]] == score; to++) {
      p->place[p->at[to]] = (u16)to;
      p->head[p->at[to]] = (u16)from;
    }
    p->size[from] = (u16)(to - from);
    p->classes += from > head;
    if (p->size[from] > p->size[largest]) largest = from;
    trace = hash_mix(trace ^ score) + (u64)(from << 16 | to);
  }
  i32 whole = s->queued[head];
  for (i32 from = head; from < end; from += p->size[from])
    if (whole || from != largest) enqueue(s, from);
  return trace;
}

static i32 dequeue(Search *s) {
  i32 head = s->queue[s->first];
  s->first = s->first + 1 == s->points ? 0 : s->first + 1;
  s->queued[head] = 0;
  s->waiting--;
  return head;
}

/* Refines until the partition is equitable or discrete. Returns the trace. */
static u64 refine(Search *s, Level *p) {
  u64 trace = 1;
  const Graph *g = s->g;
  while (s->waiting && p->classes < s->points) {
    i32 head = dequeue(s), touched = 0, heads = 0;
    trace = hash_mix(trace + (u64)head);
    for (i32 i = head; i < head + p->size[head]; i++) {
      u32 from = g->starts[p->at[i]], to = g->starts[p->at[i] + 1];
      s->budget -= to - from;
      for (u32 arc = from; arc < to; arc++) {
        u32 q = g->targets[arc];
        if (!s->score[q]) s->touched[touched++] = (u16)q;
        s->score[q] += hash_mix(kind_of(g, arc) + 1) | 1;
      }
    }
    for (i32 i = 0; i < touched; i++) {
      i32 other = p->head[s->touched[i]], j = heads;
      if (s->marked[other]) continue;
      s->marked[other] = 1;
      heads++;
      for (; j > 0 && s->heads[j - 1] > other; j--) s->heads[j] = s->heads[j - 1];
      s->heads[j] = (u16)other;
    }
    for (i32 i = 0; i < heads; i++) {
      s->marked[s->heads[i]] = 0;
      trace = split(s, p, s->heads[i], trace);
    }
    for (i32 i = 0; i < touched; i++) s->score[s->touched[i]] = 0;
  }
  while (s->waiting) dequeue(s);
  return trace;
}

static void refine_root(Search *s, Level *p) {
  for (i32 i = 0; i < s->points; i++) p->at[i] = (u16)i, s->score[i] = s->g->colours[i];
  p->size[0] = (u16)s->points;
  p->classes = 1;
  enqueue(s, 0);
  split(s, p, 0, 0);
  memset(s->score, 0, (size_t)s->points * sizeof *s->score);
  s->now.trace[0] = refine(s, p);
}

/* -- leaves ---------------------------------------------------------------------------------- */

static i32 compare_traces(const Leaf *a, const Leaf *b, i32 depth) {
  for (i32 i = 0; i <= depth; i++)
    if (a->trace[i] != b->trace[i]) return a->trace[i] < b->trace[i] ? -1 : 1;
  return 0;
}

static i32 compare_leaves(const Leaf *a, const Leaf *b) {
  i32 order = compare_traces(a, b, min32(a->depth, b->depth));
  if (order || a->depth != b->depth) return order ? order : a->depth - b->depth;
  return a->sum == b->sum ? 0 : a->sum < b->sum ? -1 : 1;
}

static void copy_leaf(Leaf *to, const Leaf *from, i32 points) {
  memcpy(to->trace, from->trace, (size_t)(from->depth + 1) * sizeof *to->trace);
  memcpy(to->path, from->path, (size_t)from->depth * sizeof *to->path);
  memcpy(to->at, from->at, (size_t)points * sizeof *to->at);
  to->sum = from->sum, to->depth = from->depth;
}

static u64 sum_of_arcs(const Search *s, const u16 *place) {
  const Graph *g = s->g;
  u64 sum = 0;
  for (i32 p = 0; p < s->points; p++)
    for (u32 arc = g->starts[p]; arc < g->starts[p + 1]; arc++)
      sum += hash_mix(((u64)place[p] << 48 | (u64)place[g->targets[arc]] << 32) + kind_of(g, arc));
  return sum;
}

static i32 is_automorphism(Search *s, const u32 *image) {
  const Graph *g = s->g;
  for (i32 p = 0; p < s->points; p++) {
    u32 q = image[p], from = g->starts[q], to = g->starts[q + 1];
    i32 equal = to - from == g->starts[p + 1] - g->starts[p];
    for (u32 arc = from; arc < to; arc++) s->kind_to[g->targets[arc]] = (u32)kind_of(g, arc) + 1;
    for (u32 arc = g->starts[p]; equal && arc < g->starts[p + 1]; arc++)
      equal = s->kind_to[image[g->targets[arc]]] == (u32)kind_of(g, arc) + 1;
    for (u32 arc = from; arc < to; arc++) s->kind_to[g->targets[arc]] = 0;
    if (!equal) return 0;
  }
  return 1;
}

/* Adds the automorphism that takes a leaf to the present one. Returns the level at which their
 * paths diverge; -1 if they are not equal, -2 if there is no room. */
static i32 add_automorphism(Search *s, const Leaf *leaf) {
  if (s->made == s->most) return -2;
  u32 *image = s->generators + s->made * s->points;
  for (i32 i = 0; i < s->points; i++) image[leaf->at[i]] = s->now.at[i];
  if (!is_automorphism(s, image)) return -1;
  s->made++;
  i32 level = 0;
  while (leaf->path[level] == s->now.path[level]) level++;
  return level;
}

/* Returns the level to continue at; -2 if there is no room for a generator. */
static i32 reach_leaf(Search *s, i32 depth) {
  const Level *p = s->level + depth;
  s->now.depth = depth;
  memcpy(s->now.at, p->at, (size_t)s->points * sizeof *p->at);
  s->now.sum = sum_of_arcs(s, p->place);
  if (!s->have_leaf) {
    s->have_leaf = 1;
    s->floor = depth - 1;
    copy_leaf(&s->first_leaf, &s->now, s->points);
    copy_leaf(&s->best, &s->now, s->points);
    return depth - 1;
  }
  i32 level = -1, order = compare_leaves(&s->now, &s->best);
  if (!compare_leaves(&s->now, &s->first_leaf)) level = add_automorphism(s, &s->first_leaf);
  else if (order == 0) level = add_automorphism(s, &s->best);
  if (order < 0) copy_leaf(&s->best, &s->now, s->points);
  return level == -1 ? depth - 1 : level;
}

/* -- the search ------------------------------------------------------------------------------ */

static i32 add_level(Search *s) {
  Level *p = s->level + s->levels++;
  i32 n = s->points;
  if (!ARENA_TAKE(&s->arena, p->at, 4 * n) || !ARENA_TAKE(&s->arena, p->orbit, n)) return 0;
  p->place = p->at + n, p->head = p->place + n, p->size = p->head + n;
  return 1;
}

/* Moves a point to the first place of its class; returns that place. */
static i32 move_to_head(Level *p, i32 v) {
  i32 head = p->head[v], place = p->place[v];
  p->at[place] = p->at[head], p->place[p->at[place]] = (u16)place;
  p->at[head] = (u16)v, p->place[v] = (u16)head;
  return head;
}

/* By index: the class of the least point in a class of several, this point first in it. */
static i32 class_of_least(Level *p, i32 points) {
  i32 v = 0;
  while (v < points && p->size[p->head[v]] == 1) v++;
  return v == points ? -1 : move_to_head(p, v);
}

static i32 largest_class(const Level *p, i32 points) {
  i32 found = -1, most = 1;
  for (i32 at = 0; at < points; at += p->size[at])
    if (p->size[at] > most) most = p->size[at], found = at;
  return found;
}

/* Chooses the target class, by rules that do not depend on names. Returns 0 at a leaf. */
static i32 choose_target(Search *s, i32 level) {
  Level *p = s->level + level;
  i32 chosen;
  if (!s->by_index) chosen = largest_class(p, s->points);
  else if (!s->have_leaf) chosen = class_of_least(p, s->points);
  else chosen = level < s->first_leaf.depth ? p->target : -1; /* that of the first path */
  if (chosen < 0 || p->head[p->at[chosen]] != chosen) return 0;
  p->target = p->next = chosen;
  p->end = chosen + p->size[chosen];
  p->orbit_of = -1;
  return 1;
}

/* The orbits of the automorphisms so far that fix the path to a node, as a forest. */
static u16 *orbits(Search *s, i32 level) {
  Level *at = s->level + level;
  u16 *forest = at->orbit;
  if (at->orbit_of < 0) {
    point_sets_init(forest, s->points);
    at->orbit_of = 0;
  }
  for (; at->orbit_of < s->made; at->orbit_of++) {
    const u32 *image = s->generators + at->orbit_of * s->points;
    i32 fixed = 0;
    while (fixed < level && image[s->now.path[fixed]] == s->now.path[fixed]) fixed++;
    if (fixed < level) continue;
    for (i32 p = 0; p < s->points; p++) point_sets_join(forest, (u16)p, (u16)image[p]);
  }
  return forest;
}

/* Whether an earlier child is in the orbit of this one. */
static i32 is_in_earlier_orbit(Search *s, i32 level, i32 v) {
  u16 *forest = orbits(s, level);
  const u16 *at = s->level[level].at;
  i32 root = point_sets_root(forest, (u16)v);
  for (i32 i = s->level[level].target; at[i] != v; i++)
    if (point_sets_root(forest, at[i]) == root) return 1;
  return 0;
}

/* A factor of the group's order: the orbit of a point of the first path under the stabiliser of
 * those before it. */
static void count_orbit(Search *s, i32 level) {
  u16 *forest = orbits(s, level);
  i32 count = 0, root = point_sets_root(forest, s->first_leaf.path[level]);
  for (i32 p = 0; p < s->points; p++) count += point_sets_root(forest, (u16)p) == root;
  if (count > 1) s->factors[++s->factors[0]] = (u32)count;
}

static void make_child(Search *s, i32 level, i32 v) {
  Level *from = s->level + level, *to = from + 1;
  memcpy(to->at, from->at, 4 * (size_t)s->points * sizeof *to->at); /* all four arrays */
  i32 head = move_to_head(to, v), size = to->size[head];
  for (i32 i = head + 1; i < head + size; i++) to->head[to->at[i]] = (u16)(head + 1);
  to->size[head] = 1;
  to->size[head + 1] = (u16)(size - 1);
  to->classes = from->classes + 1;
  enqueue(s, head);
  s->now.path[level] = (u16)v;
  s->now.trace[level + 1] = refine(s, to);
}

/* Whether no leaf below can equal the first one or be better than the best. */
static i32 can_prune(const Search *s, i32 depth) {
  if (!s->have_leaf) return 0;
  if (depth <= s->first_leaf.depth && !compare_traces(&s->now, &s->first_leaf, depth)) return 0;
  return s->by_index || compare_traces(&s->now, &s->best, min32(depth, s->best.depth)) > 0;
}

/* Returns the number of generators, or TOO_LARGE. */
static i32 search(Search *s) {
  i32 level = 0;
  if (!add_level(s)) return TOO_LARGE;
  refine_root(s, s->level);
  if (!choose_target(s, 0)) reach_leaf(s, 0), level = -1;
  while (level >= 0) {
    Level *p = s->level + level;
    if (p->next == p->end) {
      if (level == s->floor) count_orbit(s, s->floor--);
      level--;
      continue;
    }
    i32 v = p->at[p->next++];
    if (is_in_earlier_orbit(s, level, v)) continue;
    if (s->budget < 0 || (s->levels == level + 1 && !add_level(s))) return TOO_LARGE;
    make_child(s, level, v);
    if (can_prune(s, level + 1)) continue;
    if (!choose_target(s, ++level)) level = reach_leaf(s, level);
    if (level == -2) return TOO_LARGE;
  }
  for (i32 i = 0; i < s->points; i++) s->places[s->best.at[i]] = (u32)i;
  return s->made;
}

static i32 allocate_leaf(Arena *arena, Leaf *leaf, i32 n) {
  return ARENA_TAKE(arena, leaf->trace, n + 1) && ARENA_TAKE(arena, leaf->path, n) &&
         ARENA_TAKE(arena, leaf->at, n);
}

/* Allocates the arrays of a search; 0 if there is no room. */
static i32 allocate(Search *s) {
  Arena *arena = &s->arena;
  i32 n = s->points;
  return ARENA_TAKE(arena, s->level, n + 1) && ARENA_TAKE_ZEROED(arena, s->score, n) &&
         ARENA_TAKE_ZEROED(arena, s->queue, n) && ARENA_TAKE(arena, s->touched, n) &&
         ARENA_TAKE(arena, s->heads, n) && ARENA_TAKE_ZEROED(arena, s->queued, n) &&
         ARENA_TAKE_ZEROED(arena, s->marked, n) && ARENA_TAKE_ZEROED(arena, s->kind_to, n) &&
         allocate_leaf(arena, &s->now, n) && allocate_leaf(arena, &s->first_leaf, n) &&
         allocate_leaf(arena, &s->best, n);
}

EXPORT(i32, sudoku_structure)(i32 points, const u64 *colours, const u32 *starts, i32 arcs, const u32 *targets,
                              const u32 *kinds, i32 by_index, u32 *places, u32 *factors, u32 *generators,
                              i32 most, u8 *work, i32 room) {
  if (points < 1 || points > MOST_POINTS || arcs < 0 || most < 0 || room < 0) return BAD;
  if (starts[0] != 0 || starts[points] != (u32)arcs) return BAD;
  for (i32 p = 0; p < points; p++)
    if (starts[p] > starts[p + 1]) return BAD;
  for (i32 arc = 0; arc < arcs; arc++)
    if (targets[arc] >= (u32)points) return BAD;
  Search s = {.g = &(Graph){colours, starts, targets, kinds},
              .places = places,
              .factors = factors,
              .generators = generators,
              .most = most,
              .points = points,
              .by_index = by_index != 0,
              .floor = -1,
              .budget = MOST_ARCS,
              .arena = arena_after(work, 0, (size_t)room)};
  factors[0] = 0;
  return allocate(&s) ? search(&s) : TOO_LARGE;
}
