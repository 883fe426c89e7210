/* Exact posterior of one seat during a rollout, and deals drawn from it or listed: dynamic
 * programming over the layers of its unknown wires (seat_view.c).
 *
 * Stands are sorted, so within a layer each of up to 4 stands takes k adjacent places:
 * k0 + k1 + k2 + k3 (+ unsorted places) = copies. An allocation weighs the product of
 * 1/(copies of that wire on the stand)!, so that a deal counts by the number of ways to hand out
 * equal wires.
 *   state    filled places of stands 0..2 (the fourth follows) x subset of up to 4 unsorted places
 *   from[k]  bit mask per stand: the levels at which k copies fit and the rest can be completed
 *   bits     one bit for the level of each stand, and the unsorted subset: a transition is legal
 *            iff (bits & care) == need, one test per edge without branches
 * Forward and backward passes over the layers (forward-backward algorithm, Rabiner 1989); the
 * backward table is also the sampler. Facts about a colour split into cases that are solved one by
 * one and added: which wire is a stand's first yellow or its only red one; which of at most 12
 * wires of "2 of 3" groups are not in play.
 * Cost: states x at most 35 allocations a layer (192 with unsorted places); once per turn. */
#include "rack/game.h"

/* Unsorted places that take one copy of a layer each. Of the places in `filled` and `empty` states
 * must have filled all and none; `stands` (bits) need a copy and have none in the set. */
typedef struct UnsortedSet {
  u32 set, filled, empty, stands;
  i32 count;
  double factor;
} UnsortedSet;

static const UnsortedSet EMPTY_SET = {0, 0, 0, 0, 0, 1}; /* if no unsorted place is unknown */

/* ---- levels from which a stand can be completed ---------------------------------------------- */

/* The places where a layer fits by the multiplicity tokens, if k copies of it are on the stand. */
static u32 counted_fits(const Rules *rules, const SeatModel *seat, i32 q, i32 d, i32 k) {
  i32 value = rules->value[seat->wire[d]], count = seat->visible[q][value] + k;
  u32 fits = seat->fits[q][d];
  if (seat->exact[q][value] && seat->exact[q][value] != count) return 0;
  for (i32 t = 1; t < COUNTS; t++)
    if (t != count) fits &= ~seat->counted[q][t];
  return fits;
}

/* Whether a stand may take no copy of a layer. */
static bool may_skip_layer(const SeatModel *seat, i32 q, i32 d, i32 value) {
  if (seat->has_counts && seat->exact[q][value] && seat->exact[q][value] != seat->visible[q][value])
    return false;
  return !seat->need[q][d] || seat->on_stand[q] & seat->holds[d];
}

/* Fills from[k] for a layer and a stand, given the levels reachable from below, without regard to
 * the layers above. Returns the levels reachable after it. */
static u32 extend_levels(const Rules *rules, SeatModel *seat, i32 q, i32 d, u32 levels, const i32 *first) {
  u32 *from = seat->from[q][d], fits = seat->fits[q][d];
  u32 all = first_bits(seat->places[q] + 1), run = all;
  i32 value = rules->value[seat->wire[d]], most = seat->copies[d];
  if (seat->colour[q] == value && d < first[q]) most = 0;
  if (seat->colour[q] == value && seat->single[q]) most = d == first[q];
  u32 next = from[0] = may_skip_layer(seat, q, d, value) ? levels : 0;
  for (i32 k = 1; k <= seat->copies[d]; k++) { /* run: k places from the level on fit */
    if (seat->has_counts) {
      fits = counted_fits(rules, seat, q, d, k);
      run = all;
      for (i32 i = 0; i < k - 1; i++) run &= fits >> i;
    }
    run &= fits >> (k - 1);
    from[k] = k <= most ? levels & run : 0;
    next |= from[k] << k;
  }
  return next;
}

/* Reduces each stand to levels on some path from empty to full. False if there is none. */
static bool prune_levels(const Rules *rules, SeatModel *seat, const i32 *first) {
  for (i32 q = 0; q < OTHERS; q++) {
    u32 levels = 1, goal = 1u << seat->places[q];
    for (i32 d = 0; d < seat->layers; d++) {
      seat->need[q][d] = seat->must[q][d] || (seat->colour[q] && d == first[q]);
      levels = extend_levels(rules, seat, q, d, levels, first);
    }
    if (!(levels & goal)) return false;
    seat->reach[q][seat->layers] = goal;
    for (i32 d = seat->layers - 1; d >= 0; d--) {
      u32 here = 0;
      for (i32 k = 0; k <= seat->copies[d]; k++) here |= seat->from[q][d][k] &= goal >> k;
      seat->reach[q][d] = goal = here;
    }
  }
  return true;
}

/* Lays the states of all layers out in the tables. False if there is no room. */
static bool place_layers(const Tables *tables, SeatModel *seat) {
  i32 at = 0;
  for (i32 d = 0; d <= seat->layers; d++) {
    LayerStates *level = &seat->level[d];
    i32 cells = 1;
    for (i32 q = 0; q < LAST; q++) {
      level->low[q] = __builtin_ctz(seat->reach[q][d]);
      level->count[q] = 32 - __builtin_clz(seat->reach[q][d]) - level->low[q];
      cells *= level->count[q];
    }
    level->at = at;
    level->cells = cells;
    at += cells << seat->unsorted;
    if (cells << seat->unsorted > tables->max_states) return false;
  }
  return at <= tables->capacity;
}

/* ---- transitions ----------------------------------------------------------------------------- */

/* The factor of equal wires of a blindly drawn pair, 1/2, since unequal ones have two orders. */
static double pair_factor(const SeatModel *seat, i32 d, u32 set) {
  double factor = seat->pair && set == 3 ? 0.5 : 1;
  for (i32 i = 0; i < seat->unsorted; i++)
    if (set >> i & 1 && seat->equal[i] == d) factor /= 2;
  return factor;
}

/* Lists the sets of unsorted places that may take a copy each of a layer. */
static i32 list_unsorted_sets(const Rules *rules, const SeatModel *seat, i32 d, const i32 *first,
                              UnsortedSet *list) {
  i32 count = 0, value = rules->value[seat->wire[d]];
  for (u32 set = 0; set <= seat->holds[d]; set++) {
    UnsortedSet one = {set, 0, set, 0, __builtin_popcount(set), 1};
    bool may = !(set & ~seat->holds[d]) && one.count <= seat->copies[d];
    for (i32 q = 0; q < OTHERS; q++) {
      if (seat->colour[q] == value && d < first[q] && set & seat->on_stand[q]) may = false;
      if (seat->need[q][d] && !(set & seat->on_stand[q])) one.stands |= 1u << q;
    }
    if (!may) continue;
    one.factor = pair_factor(seat, d, set);
    if (seat->pair && set == 2) one.filled = 1; /* the first wire of a pair is the lower one */
    if (seat->pair && set == 1) one.empty = 3;
    list[count++] = one;
  }
  return count;
}

/* Lists the allocations of a layer with a set of unsorted places. */
static i32 list_allocations(const SeatModel *seat, i32 d, const UnsortedSet *set, Allocation *allocation) {
  i32 copies = seat->copies[d] - set->count;
  u32 stands = set->stands;
  u64 need = (u64)set->filled << UNSORTED_AT;
  const Allocation *first = allocation;
  for (i32 k0 = stands & 1; k0 <= copies; k0++) {
    if (!seat->from[0][d][k0]) continue;
    u64 may0 = (u64)~set->empty << UNSORTED_AT | seat->from[0][d][k0];
    for (i32 k1 = stands >> 1 & 1; k0 + k1 <= copies; k1++) {
      if (!seat->from[1][d][k1]) continue;
      u64 may1 = may0 | (u64)seat->from[1][d][k1] << FILL_BITS;
      double outer = seat->weight[0][d][k0] * seat->weight[1][d][k1] * set->factor;
      for (i32 k2 = stands >> 2 & 1; k0 + k1 + k2 <= copies; k2++) {
        i32 k3 = copies - k0 - k1 - k2;
        u64 inner = seat->from[INNER][d][k2], last = seat->from[LAST][d][k3];
        if (!inner || !last || (!k3 && stands >> LAST & 1)) continue;
        u64 may = may1 | inner << FILL_BITS * INNER | last << FILL_BITS * LAST;
        double weight = outer * seat->weight[INNER][d][k2] * seat->weight[LAST][d][k3];
        *allocation++ =
            (Allocation){{(u8)k0, (u8)k1, (u8)k2, (u8)k3}, (u8)set->set, ~may | need, need, weight};
      }
    }
  }
  return (i32)(allocation - first);
}

/* The index of levels n0, n1 and 0 within a block of a layer. */
static inline i32 row_index(const LayerStates *level, i32 n0, i32 n1) {
  return ((n0 - level->low[0]) * level->count[1] + n1 - level->low[1]) * level->count[INNER] -
         level->low[INNER];
}

/* Lists the states of a layer with forward weight, for one set of filled unsorted places. */
static State *list_states(const Tables *tables, i32 d, u32 set, State *state) {
  const SeatModel *seat = &tables->seat;
  const LayerStates *level = &seat->level[d], *next = &seat->level[d + 1];
  i32 here = (i32)set * level->cells, there = (i32)set * next->cells;
  i32 low = level->low[INNER], end = low + level->count[INNER];
  for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
    for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
      i32 from = here + row_index(level, n0, n1), to = there + row_index(next, n0, n1);
      i32 rest = seat->total[d] - n0 - n1 - __builtin_popcount(set);
      u64 bits = (u64)set << UNSORTED_AT | bit64(n0) | bit64(FILL_BITS + n1);
      for (i32 n = low; n < end; n++) { /* without branches: unreachable ones are overwritten */
        i32 last = (rest - n) & 15;
        *state = (State){bits | bit64(FILL_BITS * INNER + n) | bit64(FILL_BITS * LAST + last),
                         (u32)(from + n) | (u32)(to + n) << 16};
        state += tables->forward[level->at + from + n] > 0;
      }
    }
  return state;
}

/* Lists a layer's edges from index `at` on, allocation by allocation. Returns the end, or -1 if
 * there is no room. */
static i32 list_edges_at(Tables *tables, const Rules *rules, i32 d, const i32 *first, i32 at) {
  const SeatModel *seat = &tables->seat;
  const LayerStates *next = &seat->level[d + 1];
  const State *end = tables->state;
  i32 sets = 1, runs = 0;
  Allocation allocation[MAX_ALLOCATIONS];
  UnsortedSet list[SUBSETS];
  const UnsortedSet *set = seat->unsorted ? list : &EMPTY_SET;
  for (u32 filled = 0; !(filled >> seat->unsorted); filled++)
    end = list_states(tables, d, filled, (State *)end);
  if (seat->unsorted) sets = list_unsorted_sets(rules, seat, d, first, list);
  for (i32 a = 0; a < sets; a++) {
    i32 count = list_allocations(seat, d, &set[a], allocation);
    tables->work += (u64)(count * (end - tables->state));
    for (const Allocation *one = allocation; one < allocation + count; one++) {
      if (tables->max_edges - at < end - tables->state) return -1;
      u32 ahead = (u32)((one->k[0] * next->count[1] + one->k[1]) * next->count[INNER] + one->k[INNER] +
                        one->set * next->cells)
                  << 16;
      u32 *edge = tables->edge + at, *begin = edge;
      for (const State *state = tables->state; state < end; state++) {
        *edge = state->ends + ahead;
        edge += (state->bits & one->care) == one->need;
      }
      tables->run[d][runs] = (EdgeRun){one->weight, (i32)(edge - begin)};
      runs += edge > begin;
      at = (i32)(edge - tables->edge);
    }
  }
  tables->runs[d] = runs;
  return at;
}

/* Lists a layer's edges after those of other layers, or in their place if there is no room. */
static i32 list_edges(Tables *tables, const Rules *rules, i32 d, const i32 *first, i32 at) {
  i32 end = list_edges_at(tables, rules, d, first, tables->first_edge[d] = at);
  if (end >= 0) return end;
  tables->edges_stored = false;
  return list_edges_at(tables, rules, d, first, tables->first_edge[d] = 0);
}

/* ---- forward and backward pass --------------------------------------------------------------- */

/* Returns the weight of all deals of a case; below 0 if there is no room. */
static double forward_pass(Tables *tables, const Rules *rules, const SeatModel *seat, const i32 *first) {
  double *forward = tables->forward;
  for (u32 set = 0; !(set >> seat->unsorted); set++) forward[set] = !set;
  tables->edges_stored = true;
  tables->work += 4096; /* the rest of a case, so that work is proportional to time: 2 to 9 x 10^8 a
                           second on the first turns of 16 tables */
  for (i32 d = 0, at = 0; d < seat->layers; d++) {
    const LayerStates *next = &seat->level[d + 1];
    const double *here = forward + seat->level[d].at;
    double *there = forward + next->at;
    if ((at = list_edges(tables, rules, d, first, at)) < 0) return -1;
    memset(there, 0, sizeof(double) * (size_t)(next->cells << seat->unsorted));
    const u32 *edge = tables->edge + tables->first_edge[d];
    for (i32 r = 0; r < tables->runs[d]; r++) {
      double weight = tables->run[d][r].weight;
      for (const u32 *end = edge + tables->run[d][r].count; edge < end; edge++)
        there[*edge >> 16] += weight * here[*edge & 0xFFFF];
    }
  }
  return forward[seat->level[seat->layers].at + (1 << seat->unsorted) - 1];
}

/* Computes the backward weights of the layers from `from` on. */
static void backward_pass(Tables *tables, const Rules *rules, const SeatModel *seat, i32 from,
                          const i32 *first) {
  double *backward = tables->backward;
  const LayerStates *level = &seat->level[seat->layers];
  for (i32 set = 0; !(set >> seat->unsorted); set++) backward[level->at + set] = (set + 1) >> seat->unsorted;
  for (i32 d = seat->layers - 1; d >= from; d--) {
    level = &seat->level[d];
    double *here = backward + level->at;
    const double *there = backward + seat->level[d + 1].at;
    memset(here, 0, sizeof(double) * (size_t)(level->cells << seat->unsorted));
    if (!tables->edges_stored) list_edges(tables, rules, d, first, 0);
    const u32 *edge = tables->edge + tables->first_edge[d];
    for (i32 r = 0; r < tables->runs[d]; r++) {
      double weight = tables->run[d][r].weight;
      for (const u32 *end = edge + tables->run[d][r].count; edge < end; edge++)
        here[*edge & 0xFFFF] += weight * there[*edge >> 16];
    }
  }
}

/* ---- marginals ------------------------------------------------------------------------------- */

/* The weight of the deals in which the layers below one fill more than n places of a stand, that
 * is, place n; and in which they fill an unsorted place. */
typedef struct FilledMass { double more[OTHERS][SLOTS + 1], unsorted[UNSORTED]; } FilledMass;

/* Adds the mass of one set of filled unsorted places to `more` by level, not yet cumulated. */
static void add_filled_mass(const Tables *tables, const SeatModel *seat, i32 d, u32 set, FilledMass *filled) {
  const LayerStates *level = &seat->level[d];
  i32 at = level->at + (i32)set * level->cells, low = level->low[INNER];
  const double *forward = tables->forward + at, *backward = tables->backward + at;
  double sum = 0;
  for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
    for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
      i32 row = row_index(level, n0, n1);
      i32 rest = seat->total[d] - n0 - n1 - __builtin_popcount(set);
      i32 n = max32(low, rest - seat->places[LAST]);
      i32 end = min32(low + level->count[INNER], rest + 1);
      double outer = 0;
      for (; n < end; n++) {
        double mass = forward[row + n] * backward[row + n];
        filled->more[INNER][n] += mass;
        filled->more[LAST][rest - n] += mass;
        outer += mass;
      }
      filled->more[0][n0] += outer;
      filled->more[1][n1] += outer;
      sum += outer;
    }
  for (; set; set &= set - 1) filled->unsorted[__builtin_ctz(set)] += sum;
}

static void filled_mass(const Tables *tables, const SeatModel *seat, i32 d, FilledMass *filled) {
  memset(filled, 0, sizeof *filled);
  for (u32 set = 0; !(set >> seat->unsorted); set++) add_filled_mass(tables, seat, d, set, filled);
  for (i32 q = 0; q < OTHERS; q++) {
    double sum = 0;
    for (i32 n = seat->places[q]; n >= 0; n--) {
      double mass = filled->more[q][n];
      filled->more[q][n] = sum;
      sum += mass;
    }
  }
}

/* Adds a layer's chances: a place that is filled after the layer and was not before it. */
static void add_chances(SeatModel *seat, i32 d, i32 value, const FilledMass *before,
                        const FilledMass *after) {
  for (i32 i = 0; i < seat->unsorted; i++)
    seat->unsorted_chance[i][value] += after->unsorted[i] - before->unsorted[i];
  for (i32 q = 0; q < OTHERS; q++) {
    u32 places = 0, more = 0; /* more: levels from which the layer takes more than k copies */
    for (i32 k = seat->copies[d] - 1; k >= 0; k--) places |= (more |= seat->from[q][d][k + 1]) << k;
    for (; places; places &= places - 1) {
      i32 n = __builtin_ctz(places);
      seat->chance[q][n][value] += after->more[q][n] - before->more[q][n];
    }
  }
}

/* Adds a case's chances of the values of a mask. */
static void add_case_chances(Tables *tables, const Rules *rules, SeatModel *seat, u32 values,
                             const i32 *first) {
  FilledMass filled[2]; /* before and after a layer, alternating */
  i32 from = 0, computed = -1;
  while (from < seat->layers && !(values >> rules->value[seat->wire[from]] & 1)) from++;
  backward_pass(tables, rules, seat, from, first);
  for (i32 d = from; d < seat->layers; d++) {
    i32 value = rules->value[seat->wire[d]];
    if (!(values >> value & 1)) continue;
    if (computed < d) filled_mass(tables, seat, d, &filled[d & 1]);
    filled_mass(tables, seat, computed = d + 1, &filled[~d & 1]);
    add_chances(seat, d, value, &filled[d & 1], &filled[~d & 1]);
  }
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The n-th layer of a colour, or -1. */
static i32 nth_layer(const Rules *rules, const SeatModel *seat, i32 value, i32 n) {
  for (i32 d = 0; d < seat->layers; d++)
    if (rules->value[seat->wire[d]] == value && !n--) return d;
  return -1;
}

/* Takes these doubtful layers as not in play. False if the numbers of the groups do not match. */
static bool set_undrawn(const Rules *rules, SeatModel *seat, u32 undrawn) {
  i32 count[GROUPS + 1] = {0};
  for (i32 i = 0; i < seat->doubtful; i++)
    count[rules->group[seat->wire[seat->doubtful_layer[i]]]] += undrawn >> i & 1;
  for (i32 g = 1; g <= rules->groups; g++)
    if (count[g] != rules->undrawn[g]) return false;
  for (i32 i = 0; i < seat->doubtful; i++) seat->copies[seat->doubtful_layer[i]] = !(undrawn >> i & 1);
  for (i32 d = 0; d < seat->layers; d++) seat->total[d + 1] = seat->total[d] + seat->copies[d];
  return true;
}

/* Solves one case, adds it to the posterior and keeps it if it has weight. */
static i32 solve_case(Tables *tables, const Rules *rules, u32 values, Case *one) {
  SeatModel *seat = &tables->seat;
  one->weight = 0;
  if (prune_levels(rules, seat, one->first)) {
    if (!place_layers(tables, seat)) return TOO_LARGE;
    one->weight = forward_pass(tables, rules, seat, one->first);
    if (one->weight < 0) return TOO_LARGE;
  }
  if (one->weight <= 0) return OK;
  if (values) add_case_chances(tables, rules, seat, values, one->first);
  else backward_pass(tables, rules, seat, 0, one->first);
  seat->total_weight += one->weight;
  return ++tables->case_count == MAX_CASES ? TOO_LARGE : OK;
}

/* Solves the cases with these layers not in play: all first wires of colours. */
static i32 solve_cases(Tables *tables, const Rules *rules, u32 undrawn, u32 values) {
  const SeatModel *seat = &tables->seat;
  i32 pick[OTHERS] = {0};
  for (;;) {
    Case *one = &tables->cases[tables->case_count];
    bool may = true;
    for (i32 q = 0; q < OTHERS; q++) {
      one->first[q] = seat->colour[q] ? nth_layer(rules, seat, seat->colour[q], pick[q]) : -1;
      may &= !seat->colour[q] || one->first[q] >= 0;
    }
    if (!may) return IMPOSSIBLE; /* no wire of the colour is left */
    one->undrawn = undrawn;
    i32 status = solve_case(tables, rules, values, one), q = 0;
    if (status) return status;
    for (; q < OTHERS; pick[q++] = 0)
      if (seat->colour[q] && nth_layer(rules, seat, seat->colour[q], ++pick[q]) >= 0) break;
    if (q == OTHERS) return OK;
  }
}

i32 compute_posterior(Tables *tables, const Rules *rules, const Game *game, i32 viewer, u32 values) {
  SeatModel *seat = &tables->seat;
  i32 status = read_view(rules, game, viewer, seat);
  if (status) return status;
  if (seat->doubtful > MAX_DOUBTFUL) return TOO_LARGE;
  for (i32 q = 0; values && q < OTHERS; q++)
    memset(seat->chance[q], 0, sizeof seat->chance[q][0] * (size_t)seat->places[q]);
  if (values && seat->unsorted) memset(seat->unsorted_chance, 0, sizeof seat->unsorted_chance);
  tables->case_count = 0;
  seat->total_weight = 0;
  for (u32 undrawn = 0; !(undrawn >> seat->doubtful); undrawn++) {
    if (!set_undrawn(rules, seat, undrawn)) continue;
    if (solve_cases(tables, rules, undrawn, values) == TOO_LARGE) return TOO_LARGE;
  }
  return seat->total_weight > 0 ? OK : IMPOSSIBLE;
}

/* ---- deals ----------------------------------------------------------------------------------- */

/* Recomputes the tables of a case. False if it is impossible. */
static bool restore_case(Tables *tables, const Rules *rules, const Case *one) {
  SeatModel *seat = &tables->seat;
  bool may = set_undrawn(rules, seat, one->undrawn) && prune_levels(rules, seat, one->first) &&
             place_layers(tables, seat) && forward_pass(tables, rules, seat, one->first) > 0;
  if (may) backward_pass(tables, rules, seat, 0, one->first);
  return may;
}

/* The filled places of a partial deal. */
typedef struct Filled {
  i32 places[OTHERS];
  u32 unsorted;
} Filled;

/* Lists the allocations from a state, each weighted by the deals that follow it. */
static i32 weigh_allocations(const Tables *tables, const Rules *rules, i32 d, const i32 *first,
                             const Filled *at, Allocation *allocation) {
  const SeatModel *seat = &tables->seat;
  const LayerStates *next = &seat->level[d + 1];
  i32 count = 0, sets = 1;
  u64 bits = (u64)at->unsorted << UNSORTED_AT;
  UnsortedSet list[SUBSETS];
  const UnsortedSet *set = seat->unsorted ? list : &EMPTY_SET;
  for (i32 q = 0; q < OTHERS; q++) bits |= bit64(FILL_BITS * q + at->places[q]);
  if (seat->unsorted) sets = list_unsorted_sets(rules, seat, d, first, list);
  for (i32 a = 0; a < sets; a++) {
    Allocation some[MAX_ALLOCATIONS];
    i32 listed = list_allocations(seat, d, &set[a], some);
    const double *backward = tables->backward + next->at + (i32)(at->unsorted | set[a].set) * next->cells;
    for (i32 i = 0; i < listed; i++) {
      const u8 *k = some[i].k;
      if ((bits & some[i].care) != some[i].need) continue;
      allocation[count] = some[i];
      allocation[count].weight *= backward[row_index(next, at->places[0] + k[0], at->places[1] + k[1]) +
                                           at->places[INNER] + k[INNER]];
      count += allocation[count].weight > 0;
    }
  }
  return count;
}

/* Places the copies of a layer by an allocation. */
static void place_copies(const SeatModel *seat, i32 d, const Allocation *allocation, Filled *filled,
                         Game *game) {
  u8 wire = (u8)seat->wire[d];
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 i = 0; i < allocation->k[q]; i++)
      game->wire[seat->stand[q]][seat->slot[q][filled->places[q]++]] = wire;
  for (i32 i = 0; i < seat->unsorted; i++)
    if (allocation->set >> i & 1) game->wire[seat->unsorted_stand[i]][seat->unsorted_slot[i]] = wire;
  filled->unsorted |= allocation->set;
}

bool draw_deal(Tables *tables, const Rules *rules, Game *game) {
  SeatModel *seat = &tables->seat;
  const Case *one = tables->cases;
  if (seat->facts || seat->doubtful) {
    const Case *last = tables->cases + tables->case_count - 1;
    double at = random_share(&tables->random) * seat->total_weight;
    while (one < last && (at -= one->weight) >= 0) one++;
    if (!restore_case(tables, rules, one)) return false;
  }
  Filled filled = {{0}, 0};
  for (i32 d = 0; d < seat->layers; d++) {
    Allocation *list = tables->allocation[d];
    i32 count = weigh_allocations(tables, rules, d, one->first, &filled, list), drawn = 0;
    double sum = 0;
    for (i32 i = 0; i < count; i++) sum += list[i].weight;
    if (sum <= 0) return false;
    double at = random_share(&tables->random) * sum;
    while (drawn + 1 < count && (at -= list[drawn].weight) >= 0) drawn++;
    place_copies(seat, d, &list[drawn], &filled, game);
  }
  return true;
}

/* Appends the deals of a case to the list, depth first in the order of the allocations. Returns the
 * number of deals, or most + 1. */
static i32 list_case_deals(Tables *tables, const Rules *rules, const i32 *first, Game *game, i32 listed,
                           i32 most, u8 *deals, double *chance) {
  const SeatModel *seat = &tables->seat;
  i32 count[LAYERS + 1], at[LAYERS + 1]; /* allocations of a layer; the current one */
  Filled filled[LAYERS + 1] = {{{0}, 0}};
  double weight[LAYERS + 1];
  i32 d = 0;
  weight[0] = 1;
  at[0] = -1;
  for (;;) {
    if (d == seat->layers) {
      if (listed == most) return most + 1;
      write_deal(game->wire, 0, deals + listed * WIN_DEAL);
      chance[listed++] = weight[d] / seat->total_weight;
      d--;
    }
    if (at[d] < 0) count[d] = weigh_allocations(tables, rules, d, first, &filled[d], tables->allocation[d]);
    if (++at[d] == count[d]) {
      if (!d--) return listed;
      continue;
    }
    const Allocation *one = &tables->allocation[d][at[d]];
    filled[d + 1] = filled[d];
    place_copies(seat, d, one, &filled[d + 1], game);
    weight[d + 1] = weight[d] * pair_factor(seat, d, one->set);
    for (i32 q = 0; q < OTHERS; q++) weight[d + 1] *= seat->weight[q][d][one->k[q]];
    at[++d] = -1;
  }
}

i32 list_deals(Tables *tables, const Rules *rules, const Game *game, i32 most, u8 *deals, double *chance) {
  i32 listed = 0;
  Game dealt = *game;
  for (i32 i = 0; i < tables->case_count && listed <= most; i++) {
    if (!restore_case(tables, rules, &tables->cases[i])) return BAD;
    listed = list_case_deals(tables, rules, tables->cases[i].first, &dealt, listed, most, deals, chance);
  }
  return listed;
}
