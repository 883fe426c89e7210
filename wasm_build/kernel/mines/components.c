/* Decomposes a simplified problem: cells with equal clue membership into classes (64-bit sums of
 * keys, open addressing), classes linked by clues into regions, and regions into parts that are
 * independent but for one coupling clue (counter.h). Cost: linear in the clues' cells. */
#include "counter.h"

/* Cells of equal clue membership get one class. Membership is compared by a sum of 64-bit keys,
 * found through a small open-addressed table. */
static i32 find_classes(Counter *c, u64 *sum, Arena *arena) {
  Problem *p = &c->problem;
  i16 *table, *first;
  u32 room = 64;
  while (room < 2 * (u32)p->cells) room *= 2;
  if (!ARENA_TAKE(arena, table, room) ||
      !ARENA_TAKE(arena, first, p->cells + 1)) return TOO_LARGE;
  memset(table, 255, sizeof(i16) * room);
  c->classes = 0;
  c->unconstrained = -1;
  for (i32 x = 0, before = -1; x < p->cells; x++) {
    c->class_of[x] = -1;
    if (p->value[x] >= 0) continue;
    if (before >= 0 && sum[before] == sum[x]) { /* as the one before: nothing to look up */
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

/* The clues of each class, through its first cell. */
static i32 find_members(Counter *c, Arena *arena) {
  Problem *p = &c->problem;
  u64 first[MINES_WORDS] = {0}; /* the first cell of every class */
  for (i32 x = 0, k = 0; x < p->cells && k < c->classes; x++)
    if (c->class_of[x] == k) { /* classes are numbered as they are met */
      first[x >> 6] |= 1ull << (x & 63);
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
      if (!ARENA_TAKE(arena, c->class_clues[k], c->class_degree[k])) return TOO_LARGE;
      c->class_degree[k] = 0;
    }
  }
  return OK;
}

/* The boxes of every clue, once `box_count` says how many there are. */
static i32 list_boxes(Component *part, Arena *arena) {
  for (i32 q = 0; q < part->clues; q++) {
    if (!ARENA_TAKE(arena, part->boxes_of[q], part->box_count[q])) return TOO_LARGE;
    part->box_count[q] = 0;
  }
  for (i32 b = 0; b < part->boxes; b++)
    for (i32 i = 0; i < part->degree[b]; i++) {
      i32 q = part->clues_of[b][i];
      part->boxes_of[q][part->box_count[q]++] = (i16)b;
    }
  return OK;
}

/* The clues and the classes of every part as lists, in order: the first one by the part's root, and
 * the next one by each; -1 ends a list. */
typedef struct Lists {
  i32 *clue, *next_clue, *class, *next_class;
} Lists;

/* One part: the clues that hang together under `root`, without the coupling one, and their
 * classes. `number` takes the part's own numbers of its clues. */
static i32 make_part(Counter *c, Component *part, const Region *region, const Lists *lists, i32 root,
                     i32 *number, Arena *arena) {
  Problem *p = &c->problem;
  memset(part, 0, sizeof *part);
  part->coupled = region->coupling >= 0;
  part->most = region->most;
  i32 pieces = 0;
  for (i32 q = lists->clue[root]; q >= 0; q = lists->next_clue[q]) number[q] = part->clues++;
  for (i32 k = lists->class[root]; k >= 0; k = lists->next_class[k])
    pieces += (c->class_size[k] + BOX_CELLS - 1) / BOX_CELLS;
  i32 n = part->clues;
  if (!ARENA_TAKE(arena, part->size, pieces) || !ARENA_TAKE(arena, part->counted, pieces) ||
      !ARENA_TAKE(arena, part->copy, pieces) || !ARENA_TAKE(arena, part->class_of, pieces) ||
      !ARENA_TAKE(arena, part->degree, pieces) || !ARENA_TAKE(arena, part->clues_of, pieces) ||
      !ARENA_TAKE(arena, part->need, n) || !ARENA_TAKE(arena, part->cells, n) ||
      !ARENA_TAKE(arena, part->box_count, n) || !ARENA_TAKE(arena, part->boxes_of, n) ||
      !ARENA_TAKE(arena, part->order, pieces) || !ARENA_TAKE(arena, part->family, n) ||
      !ARENA_TAKE(arena, part->mergeable, n) || !ARENA_TAKE(arena, part->shape, n))
    return TOO_LARGE;
  for (i32 q = lists->clue[root]; q >= 0; q = lists->next_clue[q]) {
    part->need[number[q]] = (i16)p->need[q];
    if (p->need[q] > 250) return TOO_LARGE;
    part->cells[number[q]] = 0;
    part->box_count[number[q]] = 0;
  }
  for (i32 k = lists->class[root]; k >= 0; k = lists->next_class[k]) {
    i16 mine[DEGREE];
    i32 degree = 0, counted = 0;
    for (i32 i = 0; i < c->class_degree[k]; i++) {
      i32 q = c->class_clues[k][i];
      if (q == region->coupling) {
        counted = 1;
        continue;
      }
      if (degree == DEGREE) return TOO_LARGE;
      mine[degree++] = (i16)number[q];
    }
    for (i32 rest = c->class_size[k], copy = 0; rest > 0; rest -= BOX_CELLS, copy++) {
      i32 b = part->boxes++;
      part->size[b] = (u8)min32(rest, BOX_CELLS);
      part->counted[b] = (u8)counted;
      part->copy[b] = (u8)copy;
      part->class_of[b] = (i16)k;
      part->degree[b] = degree;
      memcpy(part->clues_of[b], mine, sizeof(i16) * (size_t)degree);
      for (i32 i = 0; i < degree; i++) {
        part->cells[mine[i]] += part->size[b];
        part->box_count[mine[i]]++;
      }
    }
  }
  return list_boxes(part, arena);
}

/* The coupling clue of a region: its largest, if that covers at least 60 % of the region.
 * A smaller one is cheaper as part of the state than as an index over every state. */
static i32 coupling_of(const Counter *c, i32 *link, i32 root) {
  const Problem *p = &c->problem;
  i32 largest = -1, cells = 0;
  for (i32 q = 0; q < p->clues; q++)
    if (long_sets_root(link, q) == root && (largest < 0 || p->size[q] > p->size[largest]))
      largest = q;
  for (i32 k = 0; k < c->classes; k++)
    if (c->class_degree[k] && long_sets_root(link, c->class_clues[k][0]) == root)
      cells += c->class_size[k];
  return p->size[largest] * 10 >= cells * 6 ? largest : -1;
}

static i32 first_but(const Counter *c, i32 k, i32 coupling) {
  for (i32 i = 0; i < c->class_degree[k]; i++)
    if (c->class_clues[k][i] != coupling) return c->class_clues[k][i];
  return -1;
}

static i32 make_region(Counter *c, Region *region, i32 *link, i32 root, i32 *inner,
                       const Lists *lists, i32 *number, Arena *arena) {
  Problem *p = &c->problem;
  region->coupling = coupling_of(c, link, root);
  region->most = region->coupling >= 0 ? p->need[region->coupling] : 0;
  region->free_class = -1;
  region->free_cells = 0;
  region->first_part = c->part_count;
  region->parts = 0;
  long_sets_init(inner, p->clues);
  memset(lists->clue, 255, sizeof(i32) * (size_t)p->clues);
  memset(lists->class, 255, sizeof(i32) * (size_t)p->clues);
  for (i32 k = 0; k < c->classes; k++) {
    if (!c->class_degree[k] || long_sets_root(link, c->class_clues[k][0]) != root) continue;
    c->class_region[k] = (i32)(region - c->regions);
    i32 first = first_but(c, k, region->coupling);
    for (i32 i = 0; i < c->class_degree[k]; i++)
      if (c->class_clues[k][i] != region->coupling)
        long_sets_join(inner, c->class_clues[k][i], first);
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
    i32 first = first_but(c, k, region->coupling);
    if (first < 0) continue;
    i32 at = long_sets_root(inner, first);
    lists->next_class[k] = lists->class[at];
    lists->class[at] = k;
  }
  for (i32 q = 0; q < p->clues; q++) {
    if (lists->clue[q] < 0) continue;
    if (c->part_count == PARTS) return TOO_LARGE;
    Component *part = c->parts + c->part_count++;
    region->parts++;
    i32 status = make_part(c, part, region, lists, q, number, arena);
    if (status != OK) return status;
  }
  return OK;
}

i32 mines_split(Counter *c) {
  Arena *arena = &c->arena;
  Problem *p = &c->problem;
  u64 *sum;
  i32 *link, *inner, *number;
  Lists lists;
  i32 most = p->cells + 1;
  if (!ARENA_TAKE(arena, sum, most) || !ARENA_TAKE(arena, c->class_of, most) ||
      !ARENA_TAKE(arena, c->class_size, most) || !ARENA_TAKE(arena, c->class_degree, most) ||
      !ARENA_TAKE(arena, c->class_region, most) || !ARENA_TAKE(arena, c->class_clues, most) ||
      !ARENA_TAKE(arena, link, p->clues + 1) || !ARENA_TAKE(arena, inner, p->clues + 1) ||
      !ARENA_TAKE(arena, number, p->clues + 1) ||
      !ARENA_TAKE(arena, lists.clue, p->clues + 1) ||
      !ARENA_TAKE(arena, lists.next_clue, p->clues + 1) ||
      !ARENA_TAKE(arena, lists.class, p->clues + 1) ||
      !ARENA_TAKE(arena, lists.next_class, most) ||
      !ARENA_TAKE(arena, c->parts, min32(PARTS, p->clues + 1)) ||
      !ARENA_TAKE(arena, c->regions, p->clues + 1))
    return TOO_LARGE;
  memset(sum, 0, sizeof(u64) * (size_t)most);
  for (i32 q = 0; q < p->clues; q++)
    for (i32 w = p->from[q]; w < p->to[q]; w++)
      for (u64 rest = mask_of(p, q)[w]; rest; rest &= rest - 1)
        sum[w * 64 + lowest64(rest)] += clue_key(q);
  i32 status = find_classes(c, sum, arena);
  if (status == OK) status = find_members(c, arena);
  if (status != OK) return status;
  long_sets_init(link, p->clues);
  for (i32 k = 0; k < c->classes; k++)
    for (i32 i = 1; i < c->class_degree[k]; i++)
      long_sets_join(link, c->class_clues[k][i], c->class_clues[k][0]);
  c->part_count = c->region_count = 0;
  for (i32 q = 0; q < p->clues; q++)
    if (link[q] == q) {
      status = make_region(c, c->regions + c->region_count++, link, q, inner, &lists,
                           number, arena);
      if (status != OK) return status;
    }
  return OK;
}
