/* The easiest deduction: uniform-cost closure of the counts under crossing (Knuth 1977, Dijkstra's
 * algorithm for derivation trees).
 *
 * A count costs 0, a crossing of two overlapping facts X, Y 1 + the costs of both. Facts are
 * generated in order of cost, so the first set that is empty or full has the least cost over all
 * derivations; its level is completed to minimise the widest set. With Z = X & Y, U = X - Y, V = Y
 * - X:
 *
 *   exact    X = a, Y = b: each of Z, U, V whose two bounds meet is a fact (subset, cross, chain)
 *   bounds   X >= a: Z >= a - |U|, U >= a - |Z|, and with Y <= b U >= a - b
 *            X <= a: Z <= a, U <= a, and with Y >= b U <= a - b + |V|
 *
 * Derived sets have at most `wide` cells; counts and the decided set may be wider. A set keeps its
 * tightest bound per side and cost; a tighter one at a higher cost is a further fact.
 *
 *   fact  | cost 0 | cost 1 | ...  start[cost] = first of them; mask: `words` each; a hash table
 *
 * Cost: one test for each pair of facts whose costs sum to the level's minus 1; at most `most`
 * facts, beyond which the result is marked as not proved. */
#include "mines.h"

enum { LEVELS = 16, TREE = 64 };
enum { SIDE_EXACT, SIDE_LEAST, SIDE_MOST };

typedef struct Fact {
  i32 value, size, wide, side, cost, first, second; /* `first` below 0: -1 - clue of the problem */
  i32 inside;                                       /* from two counts, one a subset of the other */
} Fact;

typedef struct Ladder {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 words, target, wide, chain, bounds, most;
  i32 facts, table_size, table_most;
  i32 *table;
  Fact *fact;
  u64 *mask;
  u64 *part; /* Z, U, V */
  i32 start[LEVELS + 2], limit, level, cost, at, other; /* `at`, `other`: the pair to cross next */
  i32 exact, found, found_inside, full, done, tree_size;
  i32 tree[TREE];
} Ladder;

static u64 *cells_of(const Ladder *l, i32 fact) { return l->mask + (size_t)fact * (size_t)l->words; }

/* The table slot of a set and side: that of its latest fact, or the empty one for it. */
static i32 *slot_of(const Ladder *l, const u64 *set, i32 side) {
  u32 at = (u32)hash_words(set, l->words, (u64)side + 1) & (u32)(l->table_size - 1);
  for (i32 i; (i = l->table[at]) >= 0; at = (at + 1) & (u32)(l->table_size - 1))
    if (l->fact[i].side == side && same_words(cells_of(l, i), set, l->words)) break;
  return l->table + at;
}

static void clear_table(Ladder *l, i32 size) {
  l->table_size = size;
  memset(l->table, 255, sizeof(i32) * (size_t)size);
}

static void grow_table(Ladder *l) {
  if (l->facts * 2 < l->table_size || l->table_size == l->table_most) return;
  clear_table(l, l->table_size * 4);
  for (i32 i = 0; i < l->facts; i++) *slot_of(l, cells_of(l, i), l->fact[i].side) = i;
}

static i32 lowest_cell(const Ladder *l, i32 fact) {
  for (i32 w = 0; w < l->words; w++)
    if (cells_of(l, fact)[w]) return w * 64 + lowest64(cells_of(l, fact)[w]);
  return -1;
}

static i32 decides(const Ladder *l, const u64 *set, i32 side, i32 value, i32 size) {
  if (l->target >= 0 && !has_bit(set, l->target)) return 0;
  return (side != SIDE_LEAST && value <= 0) || (side != SIDE_MOST && value >= size);
}

/* Update the best deciding fact of the level: subsets first, then the smallest widest set, then the
 * lowest cell. */
static void update_best(Ladder *l, i32 i, i32 inside) {
  const Fact *f = l->fact + i;
  if (!decides(l, cells_of(l, i), f->side, f->value, f->size)) return;
  i32 better = l->found < 0 || inside > l->found_inside;
  if (!better && inside == l->found_inside) {
    i32 wide = l->fact[l->found].wide;
    better = f->wide < wide || (f->wide == wide && lowest_cell(l, i) < lowest_cell(l, l->found));
  }
  if (better) {
    l->found = i;
    l->found_inside = inside;
  }
}

/* Add a fact unless it is implied; 0 without room. */
static i32 add_fact(Ladder *l, const u64 *set, i32 side, i32 value, i32 size, i32 first, i32 second,
                    i32 inside) {
  if (!size || (side == SIDE_LEAST && value <= 0) || (side == SIDE_MOST && value >= size)) return 1;
  if (l->level && size > l->wide && !decides(l, set, side, value, size)) return 1;
  i32 wide = size;
  if (first >= 0) wide = max32(wide, max32(l->fact[first].wide, l->fact[second].wide));
  i32 *slot = slot_of(l, set, side), i = *slot;
  Fact made = {value, size, wide, side, l->level, first, second, inside};
  if (i >= 0) {
    const Fact *held = l->fact + i;
    i32 tighter = side == SIDE_LEAST ? value > held->value : side == SIDE_MOST ? value < held->value : 0;
    if (held->cost == l->level) {
      const i32 easier = decides(l, set, side, value, size) ? inside - held->inside : 0;
      const i32 narrower = easier > 0 || (easier == 0 && wide < held->wide);
      if (!tighter && (value != held->value || !narrower)) return 1;
      l->fact[i] = made;
      update_best(l, i, inside);
      return 1;
    }
    if (!tighter) return 1;
  }
  if (l->facts == l->most) return 0;
  i = *slot = l->facts++;
  l->fact[i] = made;
  memcpy(cells_of(l, i), set, sizeof(u64) * (size_t)l->words);
  update_best(l, i, inside);
  grow_table(l);
  return 1;
}

/* Compute Z, U and V of two facts and |Z|; 0 if they are disjoint. */
static i32 intersect(const Ladder *l, i32 i, i32 j, i32 *both) {
  const u64 *x = cells_of(l, i), *y = cells_of(l, j);
  const i32 words = l->words;
  u64 common = 0;
  for (i32 w = 0; w < words; w++) common |= x[w] & y[w];
  if (!common) return 0;
  *both = 0;
  for (i32 w = 0; w < words; w++) {
    l->part[w] = x[w] & y[w];
    l->part[words + w] = x[w] & ~y[w];
    l->part[2 * words + w] = y[w] & ~x[w];
    *both += popcount64(l->part[w]);
  }
  return 1;
}

/* 0 without room; cross_bounds likewise. */
static i32 cross_exact(Ladder *l, i32 i, i32 j) {
  i32 both;
  if (!intersect(l, i, j, &both)) return 1;
  const i32 a = l->fact[i].value, b = l->fact[j].value, words = l->words;
  const i32 own = l->fact[i].size - both, other = l->fact[j].size - both;
  if (!own && !other) return 1;
  const i32 inside = l->level == 1 && (!own || !other);
  const i32 low = max32(0, max32(a - own, b - other)), high = min32(both, min32(a, b));
  if (low == high && !add_fact(l, l->part, SIDE_EXACT, low, both, i, j, inside)) return 0;
  const i32 u = max32(0, a - high), v = max32(0, b - high);
  if (u == min32(own, a - low) && !add_fact(l, l->part + words, SIDE_EXACT, u, own, i, j, inside)) return 0;
  return v != min32(other, b - low) || add_fact(l, l->part + 2 * words, SIDE_EXACT, v, other, i, j, inside);
}

/* Fact i gives a bound; j splits its cells, and gives the opposite bound if it has one. */
static i32 cross_bounds(Ladder *l, i32 i, i32 j) {
  i32 both;
  if (!intersect(l, i, j, &both)) return 1;
  const Fact x = l->fact[i], y = l->fact[j];
  const i32 own = x.size - both, other = y.size - both;
  const u64 *z = l->part, *u = l->part + l->words;
  if (x.side == SIDE_LEAST)
    return add_fact(l, z, SIDE_LEAST, x.value - own, both, i, j, 0) &&
           add_fact(l, u, SIDE_LEAST, x.value - both, own, i, j, 0) &&
           (y.side != SIDE_MOST || add_fact(l, u, SIDE_LEAST, x.value - y.value, own, i, j, 0));
  return add_fact(l, z, SIDE_MOST, x.value, both, i, j, 0) &&
         add_fact(l, u, SIDE_MOST, x.value, own, i, j, 0) &&
         (y.side != SIDE_LEAST || add_fact(l, u, SIDE_MOST, x.value - y.value + other, own, i, j, 0));
}

/* Restart with the counts alone, as exact facts or as two bounds each. */
static void enter_counts(Ladder *l, i32 exact) {
  const Problem *p = &l->problem;
  l->exact = exact;
  l->facts = l->level = 0;
  l->found = -1;
  l->found_inside = 0;
  l->limit = exact ? l->chain : l->bounds;
  clear_table(l, min32(4096, l->table_most));
  for (i32 q = 0; q < p->clues; q++)
    for (i32 side = exact ? SIDE_EXACT : SIDE_LEAST; side <= (exact ? SIDE_EXACT : SIDE_MOST); side++)
      if (!add_fact(l, mask_of(p, q), side, p->need[q], p->size[q], -1 - q, -1, 0)) l->full = 1;
  l->start[0] = 0;
  l->start[1] = l->facts;
  l->level = 1;
  l->cost = l->at = 0;
  l->other = exact;
}

/* Go to the next pair of the level; 0 at its end. */
static i32 next_pair(Ladder *l) {
  for (; l->cost < l->level; l->cost++, l->at = -1) {
    const i32 rest = l->level - 1 - l->cost;
    if (l->exact && l->cost > rest) break;
    const i32 twin = l->exact && l->cost == rest;
    if (l->at < 0) l->at = l->start[l->cost], l->other = twin ? l->at + 1 : l->start[rest];
    for (; l->at < l->start[l->cost + 1]; l->at++) {
      if (l->other < l->start[rest + 1]) return 1;
      l->other = twin ? l->at + 2 : l->start[rest];
    }
  }
  return 0;
}

/* List the derivation of the best fact, parents first. */
static void collect_tree(Ladder *l) {
  l->tree[0] = l->found;
  l->tree_size = 1;
  for (i32 i = 0; i < l->tree_size; i++) {
    const Fact *f = l->fact + l->tree[i];
    for (i32 k = 0; k < 2 && f->first >= 0; k++) {
      i32 parent = k ? f->second : f->first, known = 0;
      for (i32 j = 0; j < l->tree_size; j++) known |= l->tree[j] == parent;
      if (!known && l->tree_size < TREE) l->tree[l->tree_size++] = parent;
    }
  }
  for (i32 i = 1; i < l->tree_size; i++)
    for (i32 j = i; j && l->tree[j] < l->tree[j - 1]; j--) {
      i32 moved = l->tree[j];
      l->tree[j] = l->tree[j - 1];
      l->tree[j - 1] = moved;
    }
}

static i32 finish(Ladder *l) {
  l->done = 1;
  l->tree_size = 0;
  if (l->found >= 0) collect_tree(l);
  return l->found >= 0 ? 2 : 0;
}

EXPORT(i32, mines_ladder_run)(u8 *work, i32 budget) {
  if (!seal_holds(work, CLIMBING)) return BAD;
  Ladder *l = (Ladder *)work;
  if (l->done) return l->found >= 0 ? 2 : 0;
  for (;;) {
    if (l->level == 1 && l->found >= 0 && l->fact[l->found].cost == 0) return finish(l);
    while (l->level <= l->limit && next_pair(l)) {
      if (budget-- < 0) return 1;
      const i32 i = l->at, j = l->other++;
      if (i == j) continue;
      if (l->exact ? cross_exact(l, i, j) : cross_bounds(l, i, j)) continue;
      l->full = 1;
      l->level = LEVELS; /* out of room: a fact found at this level is not proved best */
    }
    if (l->found >= 0) return finish(l);
    if (l->level < l->limit) {
      l->start[++l->level] = l->facts;
      l->cost = 0;
      l->at = -1;
    } else if (l->exact && l->bounds) {
      enter_counts(l, 0);
    } else {
      return finish(l);
    }
  }
}

EXPORT(i32, mines_ladder_result)(u8 *work, i32 *out) {
  if (!seal_holds(work, CLIMBING)) return BAD;
  const Ladder *l = (const Ladder *)work;
  if (!l->done) return BAD;
  memset(out, 0, sizeof(i32) * 6);
  out[4] = l->full;
  out[5] = l->tree_size;
  if (l->found < 0) return 0;
  const Fact *f = l->fact + l->found;
  out[0] = !l->exact ? 4 : f->cost > 1 ? 3 : f->cost == 0 ? 0 : l->found_inside ? 1 : 2;
  out[1] = f->cost + 1;
  out[2] = f->wide;
  out[3] = f->side == SIDE_LEAST || (f->side == SIDE_EXACT && f->value > 0);
  return 1;
}

EXPORT(i32, mines_ladder_log)(u8 *work, i32 count, i32 *rows) {
  if (!seal_holds(work, CLIMBING)) return BAD;
  const Ladder *l = (const Ladder *)work;
  const i32 width = 4 + 2 * ((l->problem.board_cells + 63) / 64);
  if (!l->done || count != l->tree_size) return BAD;
  memset(rows, 0, sizeof(i32) * (size_t)width * (size_t)count);
  for (i32 i = 0; i < count; i++, rows += width) {
    const Fact *f = l->fact + l->tree[i];
    rows[0] = f->side;
    rows[1] = f->value;
    rows[2] = rows[3] = f->first < 0 ? -1 - l->problem.name[-1 - f->first] : 0;
    for (i32 k = 0; k < count && f->first >= 0; k++) {
      if (l->tree[k] == f->first) rows[2] = k;
      if (l->tree[k] == f->second) rows[3] = k;
    }
    for (i32 w = 0; w < l->words; w++)
      for (u64 rest = cells_of(l, l->tree[i])[w]; rest; rest &= rest - 1) {
        i32 cell = l->problem.board_of[w * 64 + lowest64(rest)];
        rows[4 + cell / 32] |= (i32)(1u << cell % 32);
      }
  }
  return OK;
}

EXPORT(i32, mines_ladder_begin)(const i32 *packed, i32 length, const i16 *state, i32 target, i32 wide,
                                i32 chain, i32 bounds, i32 most, u8 *work, i32 size) {
  Board board;
  Ladder *l = (Ladder *)work;
  i32 status = mines_begin(work, size, sizeof *l, &l->arena, &board, &l->problem, packed, length, state, 0);
  if (status != 1) return status;
  if (target < -1 || target >= board.cells || wide < 1 || chain < 0 || chain >= LEVELS || bounds < 0 ||
      bounds >= LEVELS || most < 1)
    return BAD;
  l->words = l->problem.words;
  l->target = target < 0 ? -1 : l->problem.local_of[target];
  if (target >= 0 && l->target < 0) return BAD;
  l->wide = wide;
  l->chain = chain;
  l->bounds = bounds;
  if (!ARENA_TAKE(&l->arena, l->part, 3 * l->words)) return TOO_LARGE;
  /* A table of at least twice the facts, as far as there is room. */
  size_t room = (size_t)(l->arena.high - l->arena.low), each = sizeof(Fact) + 8 * (size_t)l->words;
  l->table_most = 4096;
  while (l->table_most < 2 * most && (size_t)l->table_most * 8 < room / 4) l->table_most *= 4;
  if ((size_t)l->table_most * sizeof(i32) + 64 + each > room) return TOO_LARGE;
  room -= (size_t)l->table_most * sizeof(i32) + 96;
  l->most = min32(most, min32(l->table_most / 2, (i32)(room / each)));
  if (!ARENA_TAKE(&l->arena, l->table, l->table_most) || !ARENA_TAKE(&l->arena, l->fact, l->most) ||
      !ARENA_TAKE(&l->arena, l->mask, (size_t)l->most * (size_t)l->words))
    return TOO_LARGE;
  enter_counts(l, 1);
  seal_set(&l->seal, CLIMBING, board.cells, board.cells + board.groups);
  return 1;
}
