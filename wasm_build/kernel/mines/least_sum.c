/* The fewest counts whose sum, each added or subtracted once, decides a forced cell: iterative
 * deepening over signed hitting sets (branch and bound).
 *
 * Let w(q) be -1, 0 or 1 per count and e(x) the sum of w over the counts with cell x. Every layout m
 * gives the total of e(x) m(x). With the other value of the goal c that total is out of reach if and
 * only if |e(c)|, with the sign of c's value, is larger than the loss: the sum over all other
 * cells of |e(x)| where e(x) > 0 without a mine in m or e(x) < 0 with one. (The loss is the same for
 * all layouts.) The searches are for one length, goal and margin |e(c)| = Y at a time, so the loss
 * may be Y - 1 at most; with Y = 1 a cell that is not forced has to have e(x) = 0.
 *
 * Branching: of cells whose lacking units are Y or more together, one count has to repair a unit,
 * so the counts that can are tried, each of them excluded for the ones behind it. Bounds:
 *
 *   gains    the counts left repair no more than the largest numbers of lacking cells of any counts
 *   packing  lacking cells without a common count that could repair them need a count each
 *
 * Cost: 0.01 to 0.15 s for the whole proof on real positions of 30 to 260 cells with 20 to 140 counts
 * and sums of up to 11. Rejected: sets of fewest counts that decide a cell (sums_queries.c) as a
 * bound, which is below the least sum where other arguments need fewer counts. */
#include "mines.h"

enum { ADDED = 1, MANY = 24 }; /* sides: 0 subtracted, 1 added; counts from which all are alike */
enum { FOUND = 1, DEAD, OPEN_NODE };

typedef struct Lack {
  i32 cell, side, units, counts; /* repaired by `counts` counts on that side, a unit each */
} Lack;

typedef struct Least {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 words, sets, most, length, goal, margin, depth, entered, done, cut, loss, lacks, deepest;
  u64 *mines, *forced, *goals; /* cells */
  u64 *counts, *holders;       /* one of those with the same cells; per cell the counts with it */
  u64 *fit, *left;             /* per depth and side: counts that may be taken; to be tried */
  u64 *open, *used;            /* per lack the counts that repair it; per side, scratch */
  u64 *lacking;                /* per side the lacking cells */
  i32 *weight, *taken, *often; /* per cell e(x); per depth 1 + count, below 0 subtracted; scratch */
  Lack *lack;
} Least;

static i32 in_set(const u64 *set, i32 i) { return (i32)(set[i >> 6] >> (i & 63) & 1); }

static u64 *fit_of(const Least *l, i32 depth, i32 side) {
  return l->fit + (size_t)(2 * depth + side) * (size_t)l->sets;
}

static u64 *left_of(const Least *l, i32 depth, i32 side) {
  return l->left + (size_t)(2 * depth + side) * (size_t)l->sets;
}

static i32 loss_at(const Least *l, i32 x) {
  return max32(0, in_set(l->mines, x) ? -l->weight[x] : l->weight[x]);
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
static i32 gained(const Least *l) {
  return in_set(l->mines, l->goal) ? l->weight[l->goal] : -l->weight[l->goal];
}

static void note_lack(Least *l, i32 x, i32 side, i32 units) {
  Lack *lack = l->lack + l->lacks;
  u64 *open = l->open + (size_t)l->lacks++ * (size_t)l->sets;
  const u64 *fit = fit_of(l, l->depth, side), *holders = l->holders + (size_t)x * (size_t)l->sets;
  *lack = (Lack){x, side, units, 0};
  for (i32 s = 0; s < l->sets; s++) {
    open[s] = fit[s] & holders[s];
    lack->counts += popcount64(open[s]);
  }
}

/* The goal first, if its margin is not reached; 0 where a cell lacks more than can be repaired. */
static i32 note_lacks(Least *l) {
  const i32 need = l->margin - gained(l), mine = in_set(l->mines, l->goal);
  l->lacks = 0;
  if (need) note_lack(l, l->goal, need > 0 ? mine : !mine, need > 0 ? need : -need);
  for (i32 x = 0; x < l->problem.cells; x++) {
    const i32 e = l->weight[x];
    if (!e || x == l->goal) continue;
    const i32 either = l->margin == 1 && !in_set(l->forced, x);
    const i32 units = either ? max32(e, -e) : loss_at(l, x);
    if (units) note_lack(l, x, e < 0, units);
  }
  for (i32 i = 0; i < l->lacks; i++) {
    const i32 spared = l->lack[i].cell == l->goal ? 0 : l->margin - 1;
    if (l->lack[i].counts < l->lack[i].units - spared) return 0;
  }
  return 1;
}

/* Whether the counts left could repair as many units as have to be, one of a cell each. */
static i32 gains_suffice(Least *l, i32 rest) {
  const Problem *p = &l->problem;
  i32 units = 1 - l->margin;
  memset(l->lacking, 0, sizeof(u64) * 2 * (size_t)l->words);
  for (i32 i = 0; i < l->lacks; i++) {
    const Lack *lack = l->lack + i;
    if (lack->cell == l->goal) continue;
    units += lack->units;
    l->lacking[lack->side * l->words + (lack->cell >> 6)] |= 1ull << (lack->cell & 63);
  }
  if (units <= 0) return 1;
  memset(l->often, 0, sizeof(i32) * (size_t)(p->cells + 1));
  for (i32 side = 0; side < 2; side++)
    for (i32 s = 0; s < l->sets; s++)
      for (u64 free = fit_of(l, l->depth, side)[s]; free; free &= free - 1) {
        const u64 *mask = mask_of(p, s * 64 + lowest64(free));
        i32 gain = 0;
        for (i32 w = 0; w < l->words; w++) gain += popcount64(mask[w] & l->lacking[side * l->words + w]);
        l->often[gain]++;
      }
  for (i32 gain = p->cells; gain > 0 && rest > 0 && units > 0; gain--) {
    const i32 counts = min32(l->often[gain], rest);
    rest -= counts;
    units -= counts * gain;
  }
  return units <= 0;
}

static i32 meets(const u64 *a, const u64 *b, i32 words) {
  u64 both = 0;
  for (i32 w = 0; w < words; w++) both |= a[w] & b[w];
  return both != 0;
}

/* Whether lacking cells without a common count, few counts first, need no more than are left. */
static i32 packing_fits(Least *l, i32 rest) {
  i32 units = 1 - l->margin;
  memset(l->used, 0, sizeof(u64) * 2 * (size_t)l->sets);
  for (i32 counts = 0; counts <= MANY; counts++)
    for (i32 i = 0; i < l->lacks; i++) {
      const Lack *lack = l->lack + i;
      const u64 *open = l->open + (size_t)i * (size_t)l->sets;
      u64 *used = l->used + (size_t)lack->side * (size_t)l->sets;
      if (min32(lack->counts, MANY) != counts || meets(open, used, l->sets)) continue;
      units += lack->units;
      if (units > rest) return 0;
      for (i32 s = 0; s < l->sets; s++) used[s] |= open[s];
    }
  return 1;
}

/* The lack that has to be repaired with the fewest counts; -1 where each may be left. */
static i32 hardest_lack(const Least *l) {
  i32 best = -1;
  for (i32 i = 0; i < l->lacks; i++) {
    const i32 must = l->lack[i].cell == l->goal || l->lack[i].units >= l->margin;
    if (must && (best < 0 || l->lack[i].counts < l->lack[best].counts)) best = i;
  }
  return best;
}

/* The lack with the fewest counts that are not to be tried yet; -1 if all are taken. */
static i32 next_lack(const Least *l) {
  i32 best = -1, fewest = 0;
  for (i32 i = 0; i < l->lacks; i++) {
    const u64 *open = l->open + (size_t)i * (size_t)l->sets;
    const u64 *left = left_of(l, l->depth, l->lack[i].side);
    i32 more = 0;
    if (!l->lack[i].units) continue;
    for (i32 s = 0; s < l->sets; s++) more += popcount64(open[s] & ~left[s]);
    if (best < 0 || more < fewest) best = i, fewest = more;
  }
  return best;
}

static void try_counts(Least *l, i32 lack) {
  const u64 *open = l->open + (size_t)lack * (size_t)l->sets;
  u64 *left = left_of(l, l->depth, l->lack[lack].side);
  for (i32 s = 0; s < l->sets; s++) left[s] |= open[s];
}

/* Which counts are to be tried behind those taken. */
static i32 enter(Least *l) {
  const i32 rest = l->length - l->depth, need = l->margin - gained(l);
  if (gained(l) > l->loss) return FOUND;
  if (!note_lacks(l)) return DEAD;
  if (rest < max32(1, max32(need, -need)) || !packing_fits(l, rest) || !gains_suffice(l, rest)) {
    l->cut = 1;
    return DEAD;
  }
  memset(left_of(l, l->depth, 0), 0, sizeof(u64) * 2 * (size_t)l->sets);
  const i32 hardest = hardest_lack(l);
  if (hardest >= 0) {
    try_counts(l, hardest);
    return OPEN_NODE;
  }
  for (i32 units = 0, i = 0; units < l->margin; l->lack[i].units = 0) {
    if ((i = next_lack(l)) < 0) return DEAD;
    units += l->lack[i].units;
    try_counts(l, i);
  }
  return OPEN_NODE;
}

/* Takes the next count to be tried; 0 if there is none. */
static i32 take_next(Least *l) {
  for (i32 side = 0; side < 2; side++)
    for (i32 s = 0; s < l->sets; s++) {
      u64 *left = left_of(l, l->depth, side) + s;
      if (!*left) continue;
      const u64 bit = *left & -*left;
      const i32 q = s * 64 + lowest64(bit);
      *left ^= bit;
      memcpy(fit_of(l, l->depth + 1, 0), fit_of(l, l->depth, 0), sizeof(u64) * 2 * (size_t)l->sets);
      for (i32 k = 0; k < 2; k++) fit_of(l, l->depth + 1, k)[s] &= ~bit;
      fit_of(l, l->depth, side)[s] &= ~bit;
      add_count(l, q, side == ADDED ? 1 : -1);
      l->taken[l->depth++] = side == ADDED ? 1 + q : -1 - q;
      return 1;
    }
  return 0;
}

static void take_back(Least *l) {
  const i32 taken = l->taken[--l->depth];
  add_count(l, (taken > 0 ? taken : -taken) - 1, taken > 0 ? -1 : 1);
}

static i32 holders_of(const Least *l, i32 x) {
  i32 counts = 0;
  for (i32 s = 0; s < l->sets; s++) counts += popcount64(l->holders[(size_t)x * (size_t)l->sets + s]);
  return counts;
}

/* The next margin, goal or length; 0 at the end. */
static i32 next_search(Least *l) {
  const i32 cells = l->problem.cells;
  if (l->goal < cells && l->margin < min32(l->length, holders_of(l, l->goal))) {
    l->margin++;
  } else {
    l->margin = 1;
    do l->goal++;
    while (l->goal < cells && !in_set(l->goals, l->goal));
    if (l->goal >= cells) {
      if ((!l->cut && l->length >= l->deepest) || l->length == l->most) return 0;
      l->length++;
      l->cut = 0;
      for (l->goal = 0; l->goal < cells && !in_set(l->goals, l->goal);) l->goal++;
      if (l->goal >= cells) return 0;
    }
  }
  l->loss = l->depth = l->entered = 0;
  memset(l->weight, 0, sizeof(i32) * (size_t)cells);
  memcpy(fit_of(l, 0, 0), l->counts, sizeof(u64) * (size_t)l->sets);
  memcpy(fit_of(l, 0, 1), l->counts, sizeof(u64) * (size_t)l->sets);
  return 1;
}

EXPORT(i32, mines_least_run)(u8 *work, i32 budget) {
  if (!seal_holds(work, ADDING)) return BAD;
  Least *l = (Least *)work;
  const i32 whole = l->problem.clues * l->words;
  while (!l->done) {
    if (budget < 0) return 1;
    if (!l->entered) {
      const i32 node = enter(l);
      budget -= 64 + whole + l->problem.cells + l->lacks * (l->sets + MANY);
      if (node == FOUND) l->done = 2;
      if (node == FOUND) break;
      if (node == DEAD) memset(left_of(l, l->depth, 0), 0, sizeof(u64) * 2 * (size_t)l->sets);
      l->entered = 1;
    }
    if (take_next(l)) {
      l->entered = 0;
    } else if (l->depth) {
      take_back(l);
    } else if (!next_search(l)) {
      l->done = l->cut ? 3 : 4;
    }
  }
  return l->done == 4 ? 0 : l->done;
}

EXPORT(i32, mines_least_result)(u8 *work, i8 *weights) {
  if (!seal_holds(work, ADDING)) return BAD;
  const Least *l = (const Least *)work;
  if (l->done != 2) return BAD;
  memset(weights, 0, (size_t)l->seal.second);
  for (i32 i = 0; i < l->depth; i++) {
    const i32 taken = l->taken[i];
    weights[l->problem.name[(taken > 0 ? taken : -taken) - 1]] = taken > 0 ? 1 : -1;
  }
  return l->problem.board_of[l->goal];
}

static i32 reserve(Least *l) {
  const Problem *p = &l->problem;
  const size_t cells = (size_t)p->cells + 1, sets = (size_t)l->sets, depths = (size_t)l->most + 2;
  if (!ARENA_TAKE_ZEROED(&l->arena, l->mines, l->words) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->forced, l->words) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->goals, l->words) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->counts, sets) ||
      !ARENA_TAKE_ZEROED(&l->arena, l->holders, cells * sets) ||
      !ARENA_TAKE(&l->arena, l->fit, 2 * depths * sets) ||
      !ARENA_TAKE(&l->arena, l->left, 2 * depths * sets) ||
      !ARENA_TAKE(&l->arena, l->open, cells * sets) || !ARENA_TAKE(&l->arena, l->used, 2 * sets) ||
      !ARENA_TAKE(&l->arena, l->lacking, 2 * l->words) || !ARENA_TAKE(&l->arena, l->weight, cells) ||
      !ARENA_TAKE(&l->arena, l->taken, depths) || !ARENA_TAKE(&l->arena, l->often, cells) ||
      !ARENA_TAKE(&l->arena, l->lack, cells))
    return TOO_LARGE;
  return OK;
}

/* Enters forced cells and the layout, BAD if it breaks a count. */
static i32 enter_layout(Least *l, const i8 *values, const i8 *layout) {
  const Problem *p = &l->problem;
  for (i32 x = 0; x < p->cells; x++) {
    const i32 mine = layout[p->board_of[x]], value = values[p->board_of[x]];
    if ((mine != 0 && mine != 1) || (value >= 0 && value != mine)) return BAD;
    if (mine) l->mines[x >> 6] |= 1ull << (x & 63);
    if (value >= 0) l->forced[x >> 6] |= 1ull << (x & 63);
  }
  for (i32 q = 0; q < p->clues; q++) {
    i32 mines = 0;
    for (i32 w = 0; w < l->words; w++) mines += popcount64(mask_of(p, q)[w] & l->mines[w]);
    if (mines != p->need[q]) return BAD;
    i32 twin = 0;
    while (twin < q && memcmp(mask_of(p, twin), mask_of(p, q), sizeof(u64) * (size_t)l->words)) twin++;
    if (twin < q) continue;
    l->counts[q >> 6] |= 1ull << (q & 63);
    for (i32 x = 0; x < p->cells; x++)
      if (in_set(mask_of(p, q), x)) l->holders[(size_t)x * (size_t)l->sets + (q >> 6)] |= 1ull << (q & 63);
  }
  return OK;
}

/* Of forced cells in the same counts the lowest; `cell` alone, if it is one. */
static void choose_goals(Least *l, i32 cell) {
  const size_t bytes = sizeof(u64) * (size_t)l->sets;
  for (i32 x = 0; x < l->problem.cells; x++) {
    i32 goal = in_set(l->forced, x) && (cell < 0 || x == cell);
    for (i32 y = 0; y < x && goal; y++)
      goal = !in_set(l->goals, y) || memcmp(l->holders + (size_t)x * (size_t)l->sets,
                                            l->holders + (size_t)y * (size_t)l->sets, bytes) != 0;
    if (!goal) continue;
    l->goals[x >> 6] |= 1ull << (x & 63);
    l->deepest = max32(l->deepest, holders_of(l, x));
  }
}

EXPORT(i32, mines_least_begin)(const i32 *packed, i32 length, const i16 *state, const i8 *values,
                               const i8 *layout, i32 cell, i32 most, u8 *work, i32 size) {
  Board board;
  Least *l = (Least *)work;
  i32 status = mines_begin(work, size, sizeof *l, &l->arena, &board, &l->problem, packed, length,
                           state, 0);
  if (status != 1) return status;
  if (cell < -1 || cell >= board.cells || most < 1 || most > MINES_LEAST) return BAD;
  l->words = l->problem.words;
  l->sets = max32(1, (l->problem.clues + 63) / 64);
  l->most = most;
  status = reserve(l);
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
