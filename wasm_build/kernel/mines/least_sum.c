/* The fewest counts whose sum, each added or subtracted once, decides a forced cell: iterative
 * deepening over signed hitting sets, depth first with lower bounds.
 *
 * Let w(q) in {-1, 0, 1} be the sign of count q and e(x) the sum of w over the counts with cell x.
 * In every layout m, sum e(x) m(x) is the signed total. With the other value of the goal cell c it
 * is out of reach if and only if |e(c)|, with the sign of c's value, exceeds the loss: the sum over
 * all other cells of |e(x)| where e(x) > 0 without a mine in m or e(x) < 0 with one. (The loss is
 * the same for all layouts.) Each search fixes the length, the goal and the margin |e(c)| = Y, so
 * the loss may be at most Y - 1; with Y = 1 a cell that is not forced needs e(x) = 0.
 *
 * A *deficit* is a cell with a loss, or the goal below its margin; a further count with that cell
 * and the opposite sign repairs a unit of it. Branching: on the deficit with the fewest counts
 * among those that need a repair; each count tried is excluded from later branches. Bounds:
 *
 *   gains    the remaining counts repair at most the largest numbers of deficient cells of counts
 *   packing  deficits without a common repairing count need a count each
 *
 * Cost: 0.01 to 0.15 s for the whole proof on positions of 30 to 260 cells with 20 to 140 counts
 * and sums of up to 11. Rejected: the smallest set of counts that decides a cell (sums_queries.c)
 * as a lower bound; it is too low where other arguments need fewer counts. */
#include "mines.h"

enum { ADDED = 1, MANY = 24 }; /* sides: 0 subtracted, 1 added; deficits are sorted up to MANY */
enum { FOUND = 1, DEAD, OPEN_NODE }; /* a node */
enum { AGAIN = 1, DECIDED, NONE_SO_SHORT, NONE }; /* the search; NONE_SO_SHORT: of at most `most` */

typedef struct Deficit {
  i32 cell, side, units, counts; /* `counts` counts on that side repair a unit each */
} Deficit;

typedef struct Least {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 words, sets, most, length, goal, margin, depth, entered, done, cut, loss, deficits, deepest;
  u64 *mines, *forced, *goals; /* cells */
  u64 *counts, *holders;       /* the counts, one of equal ones; per cell the counts with it */
  u64 *allowed, *pending;      /* per depth and side: counts that may be taken; to be tried */
  u64 *repairs, *packed;       /* per deficit the counts that repair it; per side, scratch */
  u64 *deficient;              /* per side the deficient cells */
  i32 *weight, *taken;         /* per cell e(x); per depth 1 + count, negative: subtracted */
  i32 *histogram;              /* scratch */
  Deficit *deficit;
} Least;

static u64 *allowed_at(const Least *l, i32 depth, i32 side) {
  return l->allowed + (size_t)(2 * depth + side) * (size_t)l->sets;
}

static u64 *pending_at(const Least *l, i32 depth, i32 side) {
  return l->pending + (size_t)(2 * depth + side) * (size_t)l->sets;
}

static u64 *holders_of(const Least *l, i32 x) { return l->holders + (size_t)x * (size_t)l->sets; }

static u64 *repairs_of(const Least *l, i32 deficit) { return l->repairs + (size_t)deficit * (size_t)l->sets; }

static i32 loss_at(const Least *l, i32 x) {
  return max32(0, has_bit(l->mines, x) ? -l->weight[x] : l->weight[x]);
}

static void add_count(Least *l, i32 q, i32 times) {
  for (i32 w = 0; w < l->words; w++)
    for (u64 rest = mask_of(&l->problem, q)[w]; rest; rest &= rest - 1) {
      const i32 x = w * 64 + lowest64(rest), counted = x != l->goal;
      if (counted) l->loss -= loss_at(l, x);
      l->weight[x] += times;
      if (counted) l->loss += loss_at(l, x);
    }
}

/* e(c) with the sign of the goal's value. */
static i32 margin_reached(const Least *l) {
  return has_bit(l->mines, l->goal) ? l->weight[l->goal] : -l->weight[l->goal];
}

static void add_deficit(Least *l, i32 x, i32 side, i32 units) {
  Deficit *deficit = l->deficit + l->deficits;
  u64 *repairs = repairs_of(l, l->deficits++);
  const u64 *allowed = allowed_at(l, l->depth, side), *holders = holders_of(l, x);
  *deficit = (Deficit){x, side, units, 0};
  for (i32 s = 0; s < l->sets; s++) repairs[s] = allowed[s] & holders[s];
  deficit->counts = mask_count(repairs, l->sets);
}

/* List the deficits, the goal's first; 0 where one is larger than can be repaired. */
static i32 list_deficits(Least *l) {
  const i32 need = l->margin - margin_reached(l), mine = has_bit(l->mines, l->goal);
  l->deficits = 0;
  if (need) add_deficit(l, l->goal, need > 0 ? mine : !mine, abs32(need));
  for (i32 x = 0; x < l->problem.cells; x++) {
    const i32 e = l->weight[x];
    if (!e || x == l->goal) continue;
    const i32 either = l->margin == 1 && !has_bit(l->forced, x);
    const i32 units = either ? abs32(e) : loss_at(l, x);
    if (units) add_deficit(l, x, e < 0, units);
  }
  for (i32 i = 0; i < l->deficits; i++) {
    const i32 spared = l->deficit[i].cell == l->goal ? 0 : l->margin - 1;
    if (l->deficit[i].counts < l->deficit[i].units - spared) return 0;
  }
  return 1;
}

/* The gains bound: whether `rest` counts can repair the units that must be repaired. */
static i32 gains_suffice(Least *l, i32 rest) {
  const Problem *p = &l->problem;
  i32 units = 1 - l->margin;
  memset(l->deficient, 0, sizeof(u64) * 2 * (size_t)l->words);
  for (i32 i = 0; i < l->deficits; i++) {
    const Deficit *deficit = l->deficit + i;
    if (deficit->cell == l->goal) continue;
    units += deficit->units;
    set_bit(l->deficient + deficit->side * l->words, deficit->cell);
  }
  if (units <= 0) return 1;
  memset(l->histogram, 0, sizeof(i32) * (size_t)(p->cells + 1));
  for (i32 side = 0; side < 2; side++)
    for (i32 s = 0; s < l->sets; s++)
      for (u64 free = allowed_at(l, l->depth, side)[s]; free; free &= free - 1) {
        const u64 *mask = mask_of(p, s * 64 + lowest64(free));
        i32 gain = 0;
        for (i32 w = 0; w < l->words; w++) gain += popcount64(mask[w] & l->deficient[side * l->words + w]);
        l->histogram[gain]++;
      }
  for (i32 gain = p->cells; gain > 0 && rest > 0 && units > 0; gain--) {
    const i32 counts = min32(l->histogram[gain], rest);
    rest -= counts;
    units -= counts * gain;
  }
  return units <= 0;
}

static i32 intersects(const u64 *a, const u64 *b, i32 words) {
  u64 both = 0;
  for (i32 w = 0; w < words; w++) both |= a[w] & b[w];
  return both != 0;
}

/* The packing bound, greedily with few counts first: whether `rest` counts suffice. */
static i32 packing_fits(Least *l, i32 rest) {
  i32 units = 1 - l->margin;
  memset(l->packed, 0, sizeof(u64) * 2 * (size_t)l->sets);
  for (i32 counts = 0; counts <= MANY; counts++)
    for (i32 i = 0; i < l->deficits; i++) {
      const Deficit *deficit = l->deficit + i;
      const u64 *repairs = repairs_of(l, i);
      u64 *packed = l->packed + (size_t)deficit->side * (size_t)l->sets;
      if (min32(deficit->counts, MANY) != counts || intersects(repairs, packed, l->sets)) continue;
      units += deficit->units;
      if (units > rest) return 0;
      for (i32 s = 0; s < l->sets; s++) packed[s] |= repairs[s];
    }
  return 1;
}

/* The deficit with the fewest repairing counts that must be repaired; -1 if none must. */
static i32 hardest_deficit(const Least *l) {
  i32 best = -1;
  for (i32 i = 0; i < l->deficits; i++) {
    const i32 must = l->deficit[i].cell == l->goal || l->deficit[i].units >= l->margin;
    if (must && (best < 0 || l->deficit[i].counts < l->deficit[best].counts)) best = i;
  }
  return best;
}

/* The deficit with the fewest repairing counts that are not pending yet; -1 if none is left. */
static i32 next_deficit(const Least *l) {
  i32 best = -1, fewest = 0;
  for (i32 i = 0; i < l->deficits; i++) {
    const u64 *repairs = repairs_of(l, i);
    const u64 *pending = pending_at(l, l->depth, l->deficit[i].side);
    i32 more = 0;
    if (!l->deficit[i].units) continue;
    for (i32 s = 0; s < l->sets; s++) more += popcount64(repairs[s] & ~pending[s]);
    if (best < 0 || more < fewest) best = i, fewest = more;
  }
  return best;
}

static void try_counts(Least *l, i32 deficit) {
  const u64 *repairs = repairs_of(l, deficit);
  u64 *pending = pending_at(l, l->depth, l->deficit[deficit].side);
  for (i32 s = 0; s < l->sets; s++) pending[s] |= repairs[s];
}

/* Bound the node and determine the counts to branch on: FOUND, DEAD or OPEN_NODE. */
static i32 expand(Least *l) {
  const i32 rest = l->length - l->depth, need = l->margin - margin_reached(l);
  if (margin_reached(l) > l->loss) return FOUND;
  if (!list_deficits(l)) return DEAD;
  if (rest < max32(1, abs32(need)) || !packing_fits(l, rest) || !gains_suffice(l, rest)) {
    l->cut = 1;
    return DEAD;
  }
  memset(pending_at(l, l->depth, 0), 0, sizeof(u64) * 2 * (size_t)l->sets);
  const i32 hardest = hardest_deficit(l);
  if (hardest >= 0) {
    try_counts(l, hardest);
    return OPEN_NODE;
  }
  for (i32 units = 0, i = 0; units < l->margin; l->deficit[i].units = 0) {
    if ((i = next_deficit(l)) < 0) return DEAD;
    units += l->deficit[i].units;
    try_counts(l, i);
  }
  return OPEN_NODE;
}

/* Take the next pending count; 0 if there is none. */
static i32 take_next(Least *l) {
  for (i32 side = 0; side < 2; side++)
    for (i32 s = 0; s < l->sets; s++) {
      u64 *pending = pending_at(l, l->depth, side) + s;
      if (!*pending) continue;
      const u64 bit = *pending & -*pending;
      const i32 q = s * 64 + lowest64(bit);
      *pending ^= bit;
      memcpy(allowed_at(l, l->depth + 1, 0), allowed_at(l, l->depth, 0), sizeof(u64) * 2 * (size_t)l->sets);
      for (i32 k = 0; k < 2; k++) allowed_at(l, l->depth + 1, k)[s] &= ~bit;
      allowed_at(l, l->depth, side)[s] &= ~bit;
      add_count(l, q, side == ADDED ? 1 : -1);
      l->taken[l->depth++] = side == ADDED ? 1 + q : -1 - q;
      return 1;
    }
  return 0;
}

static void undo(Least *l) {
  const i32 taken = l->taken[--l->depth];
  add_count(l, abs32(taken) - 1, taken > 0 ? -1 : 1);
}

/* Start the search of the next margin, goal or length; 0 at the end. */
static i32 next_search(Least *l) {
  const i32 cells = l->problem.cells;
  const i32 most = l->goal < cells ? mask_count(holders_of(l, l->goal), l->sets) : 0;
  if (l->margin < min32(l->length, most)) {
    l->margin++;
  } else {
    l->margin = 1;
    do l->goal++;
    while (l->goal < cells && !has_bit(l->goals, l->goal));
    if (l->goal >= cells) {
      if ((!l->cut && l->length >= l->deepest) || l->length == l->most) return 0;
      l->length++;
      l->cut = 0;
      for (l->goal = 0; l->goal < cells && !has_bit(l->goals, l->goal);) l->goal++;
      if (l->goal >= cells) return 0;
    }
  }
  l->loss = l->depth = l->entered = 0;
  memset(l->weight, 0, sizeof(i32) * (size_t)cells);
  memcpy(allowed_at(l, 0, 0), l->counts, sizeof(u64) * (size_t)l->sets);
  memcpy(allowed_at(l, 0, 1), l->counts, sizeof(u64) * (size_t)l->sets);
  return 1;
}

EXPORT(i32, mines_least_run)(u8 *work, i32 budget) {
  if (!seal_holds(work, ADDING)) return BAD;
  Least *l = (Least *)work;
  const i32 whole = l->problem.clues * l->words;
  while (!l->done) {
    if (budget < 0) return AGAIN;
    if (!l->entered) {
      const i32 node = expand(l);
      budget -= 64 + whole + l->problem.cells + l->deficits * (l->sets + MANY);
      if (node == FOUND) l->done = DECIDED;
      if (node == FOUND) break;
      if (node == DEAD) memset(pending_at(l, l->depth, 0), 0, sizeof(u64) * 2 * (size_t)l->sets);
      l->entered = 1;
    }
    if (take_next(l)) {
      l->entered = 0;
    } else if (l->depth) {
      undo(l);
    } else if (!next_search(l)) {
      l->done = l->cut ? NONE_SO_SHORT : NONE;
    }
  }
  return l->done == NONE ? 0 : l->done;
}

EXPORT(i32, mines_least_result)(u8 *work, i8 *weights) {
  if (!seal_holds(work, ADDING)) return BAD;
  const Least *l = (const Least *)work;
  if (l->done != DECIDED) return BAD;
  memset(weights, 0, (size_t)l->seal.second);
  for (i32 i = 0; i < l->depth; i++) {
    const i32 taken = l->taken[i];
    weights[l->problem.name[abs32(taken) - 1]] = taken > 0 ? 1 : -1;
  }
  return l->problem.board_of[l->goal];
}

static i32 take_arrays(Least *l) {
  const Problem *p = &l->problem;
  const size_t cells = (size_t)p->cells + 1, sets = (size_t)l->sets, depths = (size_t)l->most + 2;
  if (!ARENA_TAKE_ZEROED(&l->arena, l->mines, l->words) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->forced, l->words) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->goals, l->words) || !ARENA_TAKE_ZEROED(&l->arena, l->counts, sets) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->holders, cells * sets) ||
      !ARENA_TAKE(&l->arena, l->allowed, 2 * depths * sets) ||
      !ARENA_TAKE(&l->arena, l->pending, 2 * depths * sets) ||
      !ARENA_TAKE(&l->arena, l->repairs, cells * sets) || !ARENA_TAKE(&l->arena, l->packed, 2 * sets) ||
      !ARENA_TAKE(&l->arena, l->deficient, 2 * l->words) || !ARENA_TAKE(&l->arena, l->weight, cells) ||
      !ARENA_TAKE(&l->arena, l->taken, depths) || !ARENA_TAKE(&l->arena, l->histogram, cells) ||
      !ARENA_TAKE(&l->arena, l->deficit, cells))
    return TOO_LARGE;
  return OK;
}

/* Read the forced cells and the layout. OK, or BAD if it violates a count. */
static i32 enter_layout(Least *l, const i8 *values, const i8 *layout) {
  const Problem *p = &l->problem;
  for (i32 x = 0; x < p->cells; x++) {
    const i32 mine = layout[p->board_of[x]], value = values[p->board_of[x]];
    if ((mine != 0 && mine != 1) || (value >= 0 && value != mine)) return BAD;
    if (mine) set_bit(l->mines, x);
    if (value >= 0) set_bit(l->forced, x);
  }
  for (i32 q = 0; q < p->clues; q++) {
    i32 mines = 0;
    for (i32 w = 0; w < l->words; w++) mines += popcount64(mask_of(p, q)[w] & l->mines[w]);
    if (mines != p->need[q]) return BAD;
    i32 twin = 0;
    while (!same_words(mask_of(p, twin), mask_of(p, q), l->words)) twin++;
    if (twin < q) continue;
    set_bit(l->counts, q);
    for (i32 x = 0; x < p->cells; x++)
      if (has_bit(mask_of(p, q), x)) set_bit(holders_of(l, x), q);
  }
  return OK;
}

/* The goals: of forced cells with equal counts the lowest; only `cell` if it is given. */
static void choose_goals(Least *l, i32 cell) {
  for (i32 x = 0; x < l->problem.cells; x++) {
    i32 goal = has_bit(l->forced, x) && (cell < 0 || x == cell);
    for (i32 y = 0; y < x && goal; y++)
      goal = !has_bit(l->goals, y) || !same_words(holders_of(l, x), holders_of(l, y), l->sets);
    if (!goal) continue;
    set_bit(l->goals, x);
    l->deepest = max32(l->deepest, mask_count(holders_of(l, x), l->sets));
  }
}

EXPORT(i32, mines_least_begin)(const i32 *packed, i32 length, const i16 *state, const i8 *values,
                               const i8 *layout, i32 cell, i32 most, u8 *work, i32 size) {
  Board board;
  Least *l = (Least *)work;
  i32 status = mines_begin(work, size, sizeof *l, &l->arena, &board, &l->problem, packed, length, state, 0);
  if (status != 1) return status;
  if (cell < -1 || cell >= board.cells || most < 1 || most > MINES_LEAST) return BAD;
  l->words = l->problem.words;
  l->sets = max32(1, (l->problem.clues + 63) / 64);
  l->most = most;
  status = take_arrays(l);
  if (status == OK) status = enter_layout(l, values, layout);
  if (status != OK) return status;
  if (cell >= 0 && l->problem.local_of[cell] < 0) return BAD;
  choose_goals(l, cell < 0 ? -1 : l->problem.local_of[cell]);
  l->goal = l->problem.cells;
  l->cut = 1;
  if (!next_search(l)) return 0;
  seal_set(&l->seal, ADDING, board.cells, board.cells + board.groups);
  return 1;
}
