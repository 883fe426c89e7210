/* Decomposition of a simplified problem: cells of equal clue membership form classes (64-bit sums
 * of keys in an open-addressing table), classes linked by clues form regions, and regions split
 * into components that are independent given the mines of one coupling clue (counter.h). Cost:
 * linear in the clues' cells. */
#include "counter.h"

/* Group cells into classes; sum: per cell the sum of the keys of its clues. */
static i32 find_classes(Counter *c, const u64 *sum) {
  Problem *p = &c->problem;
  i16 *table, *first;
  u32 room = 64;
  while (room < 2 * (u32)p->cells) room *= 2;
  if (!ARENA_TAKE(&c->arena, table, room) || !ARENA_TAKE(&c->arena, first, p->cells + 1)) return TOO_LARGE;
  memset(table, 255, sizeof(i16) * room);
  c->classes = 0;
  c->unconstrained = -1;
  for (i32 x = 0, before = -1; x < p->cells; x++) {
    c->class_of[x] = -1;
    if (p->value[x] >= 0) continue;
    if (before >= 0 && sum[before] == sum[x]) { /* the class of the cell before: no lookup */
      c->class_of[x] = c->class_of[before];
      c->class_size[c->class_of[x]]++;
      continue;
    }
    before = x;
    u32 at = (u32)random_mix(sum[x]) & (room - 1);
    while (table[at] >= 0 && sum[first[table[at]]] != sum[x]) at = (at + 1) & (room - 1);
    if (table[at] < 0) {
      table[at] = (i16)c->classes;
      first[c->classes] = (i16)x;
      c->class_size[c->classes++] = 0;
    }
    c->class_of[x] = table[at];
    c->class_size[table[at]]++;
    if (!sum[x]) c->unconstrained = table[at];
  }
  return OK;
}

/* List the clues of each class, from its first cell. */
static i32 list_class_clues(Counter *c) {
  Problem *p = &c->problem;
  u64 first[MINES_WORDS] = {0}; /* the first cell of every class, a bit each */
  for (i32 x = 0, k = 0; x < p->cells && k < c->classes; x++)
    if (c->class_of[x] == k) { /* classes are numbered by first cell */
      set_bit(first, x);
      k++;
    }
  memset(c->class_degree, 0, sizeof(i32) * (size_t)c->classes);
  for (i32 pass = 0; pass < 2; pass++) {
    for (i32 q = 0; q < p->clues; q++)
      for (i32 w = p->from[q]; w < p->to[q]; w++)
        for (u64 rest = mask_of(p, q)[w] & first[w]; rest; rest &= rest - 1) {
          i32 k = c->class_of[w * 64 + lowest64(rest)];
          if (pass) c->class_clues[k][c->class_degree[k]] = (i16)q;
          c->class_degree[k]++;
        }
    for (i32 k = 0; k < c->classes && !pass; k++) {
      if (!ARENA_TAKE(&c->arena, c->class_clues[k], c->class_degree[k])) return TOO_LARGE;
      c->class_degree[k] = 0;
    }
  }
  return OK;
}

/* List the boxes of every clue; `box_count` has their numbers. */
static i32 list_boxes(Counter *c, Component *comp) {
  for (i32 q = 0; q < comp->clues; q++) {
    if (!ARENA_TAKE(&c->arena, comp->boxes_of[q], comp->box_count[q])) return TOO_LARGE;
    comp->box_count[q] = 0;
  }
  for (i32 b = 0; b < comp->boxes; b++)
    for (i32 i = 0; i < comp->degree[b]; i++) {
      i32 q = comp->clues_of[b][i];
      comp->boxes_of[q][comp->box_count[q]++] = (i16)b;
    }
  return OK;
}

typedef struct Scratch {
  i32 *link, *inner; /* disjoint sets of clues: regions; components, without the coupling clue */
  i32 *number;       /* clue -> its number in its component */
  /* linked lists of a component's clues and classes, ascending: the first by the component's root,
   * then the next; -1 ends a list */
  i32 *clue, *next_clue, *class, *next_class;
} Scratch;

/* Fill in a component from the lists of its root. */
static i32 make_component(Counter *c, Component *comp, const Region *region, const Scratch *lists, i32 root) {
  const Problem *p = &c->problem;
  i32 *number = lists->number;
  memset(comp, 0, sizeof *comp);
  comp->coupled = region->coupling >= 0;
  comp->most = region->most;
  i32 boxes = 0;
  for (i32 q = lists->clue[root]; q >= 0; q = lists->next_clue[q]) number[q] = comp->clues++;
  for (i32 k = lists->class[root]; k >= 0; k = lists->next_class[k])
    boxes += (c->class_size[k] + BOX_CELLS - 1) / BOX_CELLS;
  i32 n = comp->clues;
  if (!ARENA_TAKE(&c->arena, comp->size, boxes) || !ARENA_TAKE(&c->arena, comp->counted, boxes) ||
      !ARENA_TAKE(&c->arena, comp->copy, boxes) || !ARENA_TAKE(&c->arena, comp->class_of, boxes) ||
      !ARENA_TAKE(&c->arena, comp->degree, boxes) || !ARENA_TAKE(&c->arena, comp->clues_of, boxes) ||
      !ARENA_TAKE(&c->arena, comp->need, n) || !ARENA_TAKE(&c->arena, comp->cells, n) ||
      !ARENA_TAKE(&c->arena, comp->box_count, n) || !ARENA_TAKE(&c->arena, comp->boxes_of, n) ||
      !ARENA_TAKE(&c->arena, comp->order, boxes) || !ARENA_TAKE(&c->arena, comp->family, n) ||
      !ARENA_TAKE(&c->arena, comp->mergeable, n) || !ARENA_TAKE(&c->arena, comp->shape, n))
    return TOO_LARGE;
  for (i32 q = lists->clue[root]; q >= 0; q = lists->next_clue[q]) {
    comp->need[number[q]] = (i16)p->need[q];
    if (p->need[q] > 250) return TOO_LARGE;
    comp->cells[number[q]] = 0;
    comp->box_count[number[q]] = 0;
  }
  for (i32 k = lists->class[root]; k >= 0; k = lists->next_class[k]) {
    i16 mine[MAX_DEGREE];
    i32 degree = 0, counted = 0;
    for (i32 i = 0; i < c->class_degree[k]; i++) {
      i32 q = c->class_clues[k][i];
      if (q == region->coupling) {
        counted = 1;
        continue;
      }
      if (degree == MAX_DEGREE) return TOO_LARGE;
      mine[degree++] = (i16)number[q];
    }
    for (i32 rest = c->class_size[k], copy = 0; rest > 0; rest -= BOX_CELLS, copy++) {
      i32 b = comp->boxes++;
      comp->size[b] = (u8)min32(rest, BOX_CELLS);
      comp->counted[b] = (u8)counted;
      comp->copy[b] = (u8)copy;
      comp->class_of[b] = (i16)k;
      comp->degree[b] = degree;
      memcpy(comp->clues_of[b], mine, sizeof(i16) * (size_t)degree);
      for (i32 i = 0; i < degree; i++) {
        comp->cells[mine[i]] += comp->size[b];
        comp->box_count[mine[i]]++;
      }
    }
  }
  return list_boxes(c, comp);
}

/* The coupling clue of a region: its largest clue if that covers at least 60 % of the region, else
 * -1. A smaller one is cheaper as a slot than as an index of every state. */
static i32 coupling_of(const Counter *c, i32 *link, i32 root) {
  const Problem *p = &c->problem;
  i32 largest = -1, cells = 0;
  for (i32 q = 0; q < p->clues; q++)
    if (long_sets_root(link, q) == root && (largest < 0 || p->size[q] > p->size[largest])) largest = q;
  for (i32 k = 0; k < c->classes; k++)
    if (c->class_degree[k] && long_sets_root(link, c->class_clues[k][0]) == root) cells += c->class_size[k];
  return p->size[largest] * 10 >= cells * 6 ? largest : -1;
}

static i32 first_other_clue(const Counter *c, i32 k, i32 coupling) {
  for (i32 i = 0; i < c->class_degree[k]; i++)
    if (c->class_clues[k][i] != coupling) return c->class_clues[k][i];
  return -1;
}

/* Fill in the region of `root` in `link`, and its components. */
static i32 make_region(Counter *c, Region *region, Scratch *lists, i32 root) {
  const Problem *p = &c->problem;
  i32 *link = lists->link, *inner = lists->inner;
  region->coupling = coupling_of(c, link, root);
  region->most = region->coupling >= 0 ? p->need[region->coupling] : 0;
  region->free_class = -1;
  region->free_cells = 0;
  region->first_component = c->component_count;
  region->components = 0;
  long_sets_init(inner, p->clues);
  memset(lists->clue, 255, sizeof(i32) * (size_t)p->clues);
  memset(lists->class, 255, sizeof(i32) * (size_t)p->clues);
  for (i32 k = 0; k < c->classes; k++) {
    if (!c->class_degree[k] || long_sets_root(link, c->class_clues[k][0]) != root) continue;
    c->class_region[k] = (i32)(region - c->regions);
    i32 first = first_other_clue(c, k, region->coupling);
    for (i32 i = 0; i < c->class_degree[k]; i++)
      if (c->class_clues[k][i] != region->coupling) long_sets_join(inner, c->class_clues[k][i], first);
    if (first < 0) {
      region->free_class = k;
      region->free_cells = c->class_size[k];
    }
  }
  for (i32 q = p->clues; q-- > 0;) {
    if (q == region->coupling || long_sets_root(link, q) != root) continue;
    i32 at = long_sets_root(inner, q);
    lists->next_clue[q] = lists->clue[at];
    lists->clue[at] = q;
  }
  for (i32 k = c->classes; k-- > 0;) {
    if (!c->class_degree[k] || long_sets_root(link, c->class_clues[k][0]) != root) continue;
    i32 first = first_other_clue(c, k, region->coupling);
    if (first < 0) continue;
    i32 at = long_sets_root(inner, first);
    lists->next_class[k] = lists->class[at];
    lists->class[at] = k;
  }
  for (i32 q = 0; q < p->clues; q++) {
    if (lists->clue[q] < 0) continue;
    if (c->component_count == MAX_COMPONENTS) return TOO_LARGE;
    Component *comp = c->components + c->component_count++;
    region->components++;
    i32 status = make_component(c, comp, region, lists, q);
    if (status != OK) return status;
  }
  return OK;
}

i32 mines_decompose(Counter *c) {
  const Problem *p = &c->problem;
  const i32 cells = p->cells + 1, clues = p->clues + 1;
  Scratch s;
  u64 *sum;
  if (!ARENA_TAKE_ZEROED(&c->arena, sum, cells) || !ARENA_TAKE(&c->arena, c->class_of, cells) ||
      !ARENA_TAKE(&c->arena, c->class_size, cells) || !ARENA_TAKE(&c->arena, c->class_degree, cells) ||
      !ARENA_TAKE(&c->arena, c->class_region, cells) || !ARENA_TAKE(&c->arena, c->class_clues, cells) ||
      !ARENA_TAKE(&c->arena, s.link, clues) || !ARENA_TAKE(&c->arena, s.inner, clues) ||
      !ARENA_TAKE(&c->arena, s.number, clues) || !ARENA_TAKE(&c->arena, s.clue, clues) ||
      !ARENA_TAKE(&c->arena, s.next_clue, clues) || !ARENA_TAKE(&c->arena, s.class, clues) ||
      !ARENA_TAKE(&c->arena, s.next_class, cells) ||
      !ARENA_TAKE(&c->arena, c->components, min32(MAX_COMPONENTS, clues)) ||
      !ARENA_TAKE(&c->arena, c->regions, clues))
    return TOO_LARGE;
  for (i32 q = 0; q < p->clues; q++)
    for (i32 w = p->from[q]; w < p->to[q]; w++)
      for (u64 rest = mask_of(p, q)[w]; rest; rest &= rest - 1) sum[w * 64 + lowest64(rest)] += clue_key(q);
  i32 status = find_classes(c, sum);
  if (status == OK) status = list_class_clues(c);
  long_sets_init(s.link, p->clues);
  for (i32 k = 0; status == OK && k < c->classes; k++)
    for (i32 i = 1; i < c->class_degree[k]; i++)
      long_sets_join(s.link, c->class_clues[k][i], c->class_clues[k][0]);
  for (i32 q = 0; status == OK && q < p->clues; q++)
    if (s.link[q] == q) status = make_region(c, c->regions + c->region_count++, &s, q);
  return status;
}
