/* Exact posterior of one seat during a rollout, and deals drawn from it or listed.
 *
 * Layers: wires whose place the seat does not know, in sort order. Stands are sorted, so within a
 * layer each of up to 4 stands takes k adjacent slots: k0 + k1 + k2 + k3 (+ unsorted slots) = copies.
 * A step weighs the product of 1/(copies of that wire on the stand)!, so that a deal counts by the
 * ways to hand out equal wires.
 *   state    filled slots of stands 0..2 (the fourth follows) x subset of at most 4 unsorted slots
 *   from[k]  bit mask a stand: the fill levels at which k copies fit and the rest can be completed
 *   bits     one bit for the fill level of each stand, and the unsorted set: a step is legal iff
 *            (bits & care) == need, one test an edge without branches
 * Forward and backward passes over the layers (forward-backward algorithm, Rabiner 1989); the
 * backward table is the sampler. Facts about a colour split into cases that are solved one by one and
 * added: which wire is a stand's first yellow or its only red one; which of at most 12 wires of
 * "2 of 3" groups are not in play.
 * Cost: states x at most 35 steps a layer (192 with unsorted slots), once a turn of every game.
 * One file, because counting, drawing and listing walk the same tables. */
#include "game.h"

/* 1/n! */
static const double SHARE[2 * COPIES + 1] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
    0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-05};

/* A set of loose places that take a copy of a layer each; the filled ones must hold all of `after`
 * and none of `before`. `apart`: stands that need a copy of it and have none in the set (bits). */
typedef struct Add {
  u32 set, after, before, apart;
  i32 count;
  double half;
} Add;

/* What a seat sees: slots of each stand, and the layers of which some copy lies elsewhere. */
typedef struct View {
  i32 viewer;
  u32 seen[STANDS];
  u64 open;
} View;

/* How many open layers lie below a wire. */
static inline i32 rank_of(const View *view, i32 wire) {
  return popcount64(view->open & (bit64(wire) - 1));
}

/* ---- what is open ---------------------------------------------------------------------------- */

/* What the tokens of a stand say of numbers of wires: on open places, and on wires that are seen. */
static void read_view_times(const Rules *rules, const Game *game, const View *view, SeatModel *b, i32 q) {
  i32 s = b->stand[q];
  memset(b->on[q], 0, sizeof b->on[q]);
  memset(b->exact[q], 0, sizeof b->exact[q]);
  memset(b->timed[q], 0, sizeof b->timed[q]);
  for (i32 n = 0; n < b->places[q]; n++) b->timed[q][game->times[s][b->slot[q][n]]] |= 1u << n;
  for (u32 seen = view->seen[s]; seen; seen &= seen - 1) {
    i32 j = __builtin_ctz(seen), value = rules->value[game->wire[s][j]];
    b->on[q][value]++;
    if (game->times[s][j]) b->exact[q][value] = game->times[s][j];
  }
}

static void read_view_layers(const Rules *rules, const Game *game, View *view, SeatModel *b) {
  i8 left[LAYERS];
  for (i32 t = 0; t < rules->layers; t++) left[t] = (i8)rules->copies[t];
  for (i32 s = 0; s < rules->stands; s++) {
    view->seen[s] = seen_slots(rules, game, view->viewer, s);
    for (u32 seen = view->seen[s]; seen; seen &= seen - 1)
      left[game->wire[s][__builtin_ctz(seen)]]--;
  }
  view->open = 0;
  b->layers = b->total[0] = b->doubtful = 0;
  for (i32 t = 0; t < rules->layers; t++) {
    if (left[t] <= 0) continue;
    view->open |= bit64(t);
    b->wire[b->layers] = t;
    b->copies[b->layers] = left[t];
    b->total[b->layers + 1] = b->total[b->layers] + left[t];
    if (rules->group[t]) {
      if (b->doubtful < DOUBTFUL) b->doubt[b->doubtful] = b->layers;
      b->doubtful++;
    }
    b->layers++;
  }
}

/* Open places of a stand between two wires that are seen: what may stand there by their order. */
static void read_view_gap(SeatModel *b, const View *view, i32 q, i32 from, i32 low, i32 high) {
  u32 gap = first_bits(b->places[q]) & ~first_bits(from);
  for (i32 d = rank_of(view, low); gap && d < b->layers && b->wire[d] <= high; d++)
    b->fits[q][d] |= gap;
}

/* A stand's open places, the layers that fit in each, and what copies known there make of shares. */
static void read_view_places(const Rules *rules, const Game *game, const View *view, SeatModel *b, i32 q) {
  i32 s = b->stand[q], from = 0, low = 0;
  u8 known[LAYERS] = {0};
  b->places[q] = 0;
  for (i32 d = 0; d < b->layers; d++) b->fits[q][d] = 0;
  for (u32 sorted = first_bits(rules->size[s]) & ~rules->loose[s]; sorted; sorted &= sorted - 1) {
    i32 j = __builtin_ctz(sorted);
    if (!(view->seen[s] >> j & 1)) {
      b->slot[q][b->places[q]++] = j;
      continue;
    }
    i32 wire = game->wire[s][j];
    read_view_gap(b, view, q, from, low, wire);
    known[wire]++;
    low = wire;
    from = b->places[q];
  }
  read_view_gap(b, view, q, from, low, LAYERS);
  for (i32 n = 0; n < b->places[q]; n++) {
    i32 j = b->slot[q][n];
    u64 may = game->allowed[s][j];
    if (game->shown[s] >> j & 1) may &= rules->of_value[YELLOW];
    for (u64 denied = view->open & ~may; denied; denied &= denied - 1)
      b->fits[q][rank_of(view, lowest64(denied))] &= ~(1u << n);
  }
  for (i32 d = 0; d < b->layers; d++)
    for (i32 k = 0; k <= b->copies[d]; k++) b->weight[q][d][k] = SHARE[known[b->wire[d]] + k];
}

/* Of a viewer's two turned wires one is known: the other lies on its side of it, and of two that
 * are equal only half the ways count. */
static u64 beside_partner(const Rules *rules, const Game *game, const View *view, i32 s, i32 j,
                          i32 *equal) {
  bool before = false;
  for (i32 t = 0; rules->paired && t < rules->stands; t++)
    for (i32 i = 0; rules->owner[t] == view->viewer && i < rules->size[t]; i++) {
      if (!(rules->loose[t] >> i & 1)) continue;
      if (t == s && i == j) {
        before = true;
        continue;
      }
      if (!(view->seen[t] >> i & 1)) continue;
      i32 wire = game->wire[t][i];
      *equal = wire;
      return before ? ((u64)2 << wire) - 1 : ~(u64)0 << wire;
    }
  return ~(u64)0;
}

/* What a stand is known to hide (bits) next to what the viewer sees of it. */
static u32 owed(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u32 has = game->has[s], seen = game->hidden[s] & seen_hidden(rules, viewer, s);
  for (; has && seen; seen &= seen - 1)
    has &= ~(1u << rules->value[game->wire[s][__builtin_ctz(seen)]]);
  return has;
}

/* Of a viewer's own stand only loose places are open: what one must hold. */
static u64 must_be(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u64 only = ~(u64)0;
  u32 has = rules->owner[s] == viewer ? owed(rules, game, viewer, s) : 0;
  for (i32 v = 1; v < VALUES; v++)
    if (has >> v & 1) only &= rules->of_value[v];
  return only;
}

/* The loose places whose wire the viewer does not see; false where they are too many. */
static bool read_view_loose(const Rules *rules, const Game *game, const View *view, SeatModel *b) {
  b->loose = 0;
  for (i32 d = 0; d < b->layers; d++) b->holds[d] = 0;
  memset(b->lent, 0, sizeof b->lent);
  for (i32 s = 0; s < rules->stands; s++)
    for (u32 open = rules->loose[s] & ~view->seen[s]; open; open &= open - 1) {
      if (b->loose == LOOSE) return false;
      i32 j = __builtin_ctz(open), at = b->loose++, equal = -1;
      u64 may = game->allowed[s][j] & must_be(rules, game, view->viewer, s);
      if (game->shown[s] >> j & 1) may &= rules->of_value[YELLOW];
      may &= beside_partner(rules, game, view, s, j, &equal);
      b->loose_stand[at] = s;
      b->loose_slot[at] = j;
      b->equal[at] = -1;
      for (i32 d = 0; d < b->layers; d++) {
        b->holds[d] |= (u32)(may >> b->wire[d] & 1) << at;
        if (b->wire[d] == equal) b->equal[at] = d;
      }
    }
  b->pair = rules->paired && b->loose == 2;
  return true;
}

/* Takes those doubtful layers as undrawn. False where a group has another number of such wires. */
static bool leave_out(const Rules *rules, SeatModel *b, u32 out) {
  i32 undrawn[GROUPS + 1] = {0};
  for (i32 i = 0; i < b->doubtful; i++)
    undrawn[rules->group[b->wire[b->doubt[i]]]] += out >> i & 1;
  for (i32 g = 1; g <= rules->groups; g++)
    if (undrawn[g] != rules->undrawn[g]) return false;
  for (i32 i = 0; i < b->doubtful; i++) b->copies[b->doubt[i]] = !(out >> i & 1);
  for (i32 d = 0; d < b->layers; d++) b->total[d + 1] = b->total[d] + b->copies[d];
  return true;
}

/* Whether the viewer sees a wire of a value on a stand. */
static bool holds_seen(const Rules *rules, const Game *game, const View *view, i32 s, i32 value) {
  bool some = false;
  for (u32 seen = view->seen[s]; seen; seen &= seen - 1)
    some |= rules->value[game->wire[s][__builtin_ctz(seen)]] == value;
  return some;
}

static void read_view_stand(const Rules *rules, const Game *game, const View *view, SeatModel *b, i32 q) {
  i32 s = b->stand[q];
  u32 has = owed(rules, game, view->viewer, s);
  read_view_places(rules, game, view, b, q);
  i32 single = rules->single[s];
  b->single[q] = single;
  b->has[q] = single && !holds_seen(rules, game, view, s, single) ? single
              : has >> YELLOW & 1                                 ? YELLOW
                                                                  : 0;
  b->facts += b->has[q] > 0;
  for (i32 d = 0; d < b->layers; d++) {
    i32 value = rules->value[b->wire[d]];
    b->must[q][d] = value < YELLOW && has >> value & 1;
    if (single && single == value && !b->has[q]) b->fits[q][d] = 0; /* it is seen already */
  }
  if (b->counted) read_view_times(rules, game, view, b, q);
  for (i32 i = 0; i < b->loose; i++) b->lent[q] |= (u32)(b->loose_stand[i] == s) << i;
}

static void no_stand(SeatModel *b, i32 q) {
  b->stand[q] = -1;
  b->places[q] = b->has[q] = 0;
  if (b->counted) {
    memset(b->on[q], 0, sizeof b->on[q]);
    memset(b->exact[q], 0, sizeof b->exact[q]);
    memset(b->timed[q], 0, sizeof b->timed[q]);
  }
  for (i32 d = 0; d < b->layers; d++) {
    b->fits[q][d] = b->must[q][d] = 0;
    b->weight[q][d][0] = 1;
  }
}

/* What lies open to the viewer. OK, IMPOSSIBLE where nothing does, or TOO_LARGE. */
static i32 belief_open(const Rules *rules, const Game *game, i32 viewer, SeatModel *b) {
  View view = {viewer, {0}, 0};
  i32 stand[OTHERS], places[OTHERS], count = 0;
  b->counted = rules->counted;
  read_view_layers(rules, game, &view, b);
  if (!read_view_loose(rules, game, &view, b)) return TOO_LARGE;
  for (i32 s = 0; s < rules->stands; s++) {
    u32 open = first_bits(rules->size[s]) & ~view.seen[s];
    if (rules->owner[s] == viewer || count == OTHERS || !open) continue;
    i32 at = count++, mine = __builtin_popcount(open & ~rules->loose[s]);
    for (; at && places[at - 1] > mine; at--) {
      places[at] = places[at - 1];
      stand[at] = stand[at - 1];
    }
    places[at] = mine;
    stand[at] = s;
  }
  b->facts = 0;
  for (i32 q = 0; q < OTHERS; q++) {
    i32 at = q - (OTHERS - count);
    if (at < 0) {
      no_stand(b, q);
      continue;
    }
    b->stand[q] = stand[at];
    read_view_stand(rules, game, &view, b, q);
  }
  b->open = count || b->loose;
  return b->open ? OK : IMPOSSIBLE;
}

/* ---- what can be completed ------------------------------------------------------------------- */

/* The places where a wire fits by tokens that count, where k copies stand on that stand. */
static u32 counted_fits(const Rules *rules, const SeatModel *b, i32 q, i32 d, i32 k) {
  i32 value = rules->value[b->wire[d]], count = b->on[q][value] + k;
  u32 fits = b->fits[q][d];
  if (b->exact[q][value] && b->exact[q][value] != count) return 0;
  for (i32 t = 1; t < CELL; t++)
    if (t != count) fits &= ~b->timed[q][t];
  return fits;
}

/* Whether a stand may hold no further copy of a layer. */
static bool may_hold_none(const SeatModel *b, i32 q, i32 d, i32 value) {
  if (b->counted && b->exact[q][value] && b->exact[q][value] != b->on[q][value]) return false;
  return !b->need[q][d] || b->lent[q] & b->holds[d];
}

/* From where a stand may take its copies of a layer: bit n of from[k], so many places filled. `first`:
 * the layer of the first wire of the colour that it has for sure. */
static u32 take_from(const Rules *rules, SeatModel *b, i32 q, i32 d, u32 up, const i32 *first) {
  u32 *from = b->from[q][d], fits = b->fits[q][d], all = first_bits(b->places[q] + 1), run = all;
  i32 value = rules->value[b->wire[d]], most = b->copies[d];
  if (b->has[q] == value && d < first[q]) most = 0;
  if (b->has[q] == value && b->single[q]) most = d == first[q];
  u32 next = from[0] = may_hold_none(b, q, d, value) ? up : 0;
  for (i32 k = 1; k <= b->copies[d]; k++) {
    if (b->counted) {
      fits = counted_fits(rules, b, q, d, k);
      run = all;
      for (i32 i = 0; i < k - 1; i++) run &= fits >> i;
    }
    run &= fits >> (k - 1);
    from[k] = k <= most ? up & run : 0;
    next |= from[k] << k;
  }
  return next;
}

/* Keeps of each stand what lies on some way from empty to full. */
static bool complete(const Rules *rules, SeatModel *b, const i32 *first) {
  for (i32 q = 0; q < OTHERS; q++) {
    u32 up = 1, down = 1u << b->places[q];
    for (i32 d = 0; d < b->layers; d++) {
      b->need[q][d] = b->must[q][d] || (b->has[q] && d == first[q]);
      up = take_from(rules, b, q, d, up, first);
    }
    if (!(up & down)) return false;
    b->reach[q][b->layers] = down;
    for (i32 d = b->layers - 1; d >= 0; d--) {
      u32 here = 0;
      for (i32 k = 0; k <= b->copies[d]; k++) here |= b->from[q][d][k] &= down >> k;
      b->reach[q][d] = down = here;
    }
  }
  return true;
}

static bool lay_out(const Tables *tables, SeatModel *b) {
  i32 at = 0;
  for (i32 d = 0; d <= b->layers; d++) {
    LayerStates *level = &b->level[d];
    i32 cells = 1;
    for (i32 q = 0; q < LAST; q++) {
      level->low[q] = __builtin_ctz(b->reach[q][d]);
      level->count[q] = 32 - __builtin_clz(b->reach[q][d]) - level->low[q];
      cells *= level->count[q];
    }
    level->at = at;
    level->cells = cells;
    at += cells << b->loose;
    if (cells << b->loose > tables->most_states) return false;
  }
  return at <= tables->room;
}

/* ---- the two passes -------------------------------------------------------------------------- */

/* The weight of equal wires that were drawn blindly: unequal ones came in either order. */
static double half_of(const SeatModel *b, i32 d, u32 set) {
  double half = b->pair && set == 3 ? 0.5 : 1;
  for (i32 i = 0; i < b->loose; i++)
    if (set >> i & 1 && b->equal[i] == d) half /= 2;
  return half;
}

/* The sets of loose places that may take a copy each of a layer. */
static i32 adds_of(const Rules *rules, const SeatModel *b, i32 d, const i32 *first, Add *add) {
  i32 adds = 0;
  i32 value = rules->value[b->wire[d]];
  for (u32 set = 0; set <= b->holds[d]; set++) {
    Add one = {set, 0, set, 0, __builtin_popcount(set), 1};
    bool may = !(set & ~b->holds[d]) && one.count <= b->copies[d];
    for (i32 q = 0; q < OTHERS; q++) {
      if (b->has[q] == value && d < first[q] && set & b->lent[q]) may = false;
      if (b->need[q][d] && !(set & b->lent[q])) one.apart |= 1u << q;
    }
    if (!may) continue;
    one.half = half_of(b, d, set);
    if (b->pair && set == 2) one.after = 1;
    if (b->pair && set == 1) one.before = 3;
    add[adds++] = one;
  }
  return adds;
}

/* The ways to share out a layer, each with its test: what a state must show, and what it must not, so
 * that stands may take k and a set is added. */
static i32 steps_of(const SeatModel *b, i32 d, const Add *add, Allocation *step) {
  i32 copies = b->copies[d] - add->count;
  u32 apart = add->apart; /* these stands take some themselves */
  u64 need = (u64)add->after << FILLED;
  const Allocation *first = step;
  for (i32 k0 = apart & 1; k0 <= copies; k0++) {
    if (!b->from[0][d][k0]) continue;
    u64 one_may = (u64)~add->before << FILLED | b->from[0][d][k0];
    for (i32 k1 = apart >> 1 & 1; k0 + k1 <= copies; k1++) {
      if (!b->from[1][d][k1]) continue;
      u64 two_may = one_may | (u64)b->from[1][d][k1] << FIELD;
      double outer = b->weight[0][d][k0] * b->weight[1][d][k1] * add->half;
      for (i32 k2 = apart >> 2 & 1; k0 + k1 + k2 <= copies; k2++) {
        i32 k3 = copies - k0 - k1 - k2;
        u64 inner = b->from[INNER][d][k2], last = b->from[LAST][d][k3];
        if (!inner || !last || (!k3 && apart >> LAST & 1)) continue;
        u64 may = two_may | inner << FIELD * INNER | last << FIELD * LAST;
        *step++ = (Allocation){{(u8)k0, (u8)k1, (u8)k2, (u8)k3}, (u8)add->set, ~may | need, need,
                               outer * b->weight[INNER][d][k2] * b->weight[LAST][d][k3]};
      }
    }
  }
  return (i32)(step - first);
}

/* Where a level's row for n0 and n1 would have the third stand's place 0. */
static inline i32 row_of(const LayerStates *level, i32 n0, i32 n1) {
  return ((n0 - level->low[0]) * level->count[1] + n1 - level->low[1]) * level->count[INNER] -
         level->low[INNER];
}

static const Add NONE = {0, 0, 0, 0, 0, 1}; /* the set where no loose place is open */

/* Lists the states of a level that some way leads to, of one set of filled loose places. */
static State *list_set(const Tables *tables, i32 d, u32 set, State *state) {
  const SeatModel *b = &tables->belief;
  const LayerStates *level = &b->level[d], *next = &b->level[d + 1];
  i32 here = (i32)set * level->cells, there = (i32)set * next->cells;
  i32 low = level->low[INNER], end = low + level->count[INNER];
  for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
    for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
      i32 from = here + row_of(level, n0, n1), to = there + row_of(next, n0, n1);
      i32 rest = b->total[d] - n0 - n1 - __builtin_popcount(set);
      u64 bits = (u64)set << FILLED | bit64(n0) | bit64(FIELD + n1);
      for (i32 n = low; n < end; n++) { /* one that no way leads to is written over */
        i32 last = (rest - n) & 15;
        *state = (State){bits | bit64(FIELD * INNER + n) | bit64(FIELD * LAST + last),
                         (u32)(from + n) | (u32)(to + n) << 16};
        state += tables->front[level->at + from + n] > 0;
      }
    }
  return state;
}

/* Lists a layer's edges from a place on, step by step. Where they end, or -1: there is no room. */
static i32 list_layer(Tables *tables, const Rules *rules, i32 d, const i32 *first, i32 at) {
  const SeatModel *b = &tables->belief;
  const LayerStates *next = &b->level[d + 1];
  const State *end = tables->state;
  i32 adds = 1, groups = 0;
  Allocation step[MOST_STEPS];
  Add some[WAYS];
  const Add *add = b->loose ? some : &NONE;
  for (u32 set = 0; !(set >> b->loose); set++) end = list_set(tables, d, set, (State *)end);
  if (b->loose) adds = adds_of(rules, b, d, first, some);
  for (i32 a = 0; a < adds; a++) {
    i32 steps = steps_of(b, d, &add[a], step);
    tables->tried += (u64)(steps * (end - tables->state));
    for (const Allocation *one = step; one < step + steps; one++) {
      if (tables->most_edges - at < end - tables->state) return -1;
      u32 ahead = (u32)((one->k[0] * next->count[1] + one->k[1]) * next->count[INNER] +
                        one->k[INNER] + one->add * next->cells) << 16;
      u32 *edge = tables->edge + at, *begin = edge;
      for (const State *state = tables->state; state < end; state++) {
        *edge = state->ends + ahead;
        edge += (state->bits & one->care) == one->need;
      }
      tables->group[d][groups] = (Group){one->weight, (i32)(edge - begin)};
      groups += edge > begin;
      at = (i32)(edge - tables->edge);
    }
  }
  tables->groups[d] = groups;
  return at;
}

/* The same behind the edges of other layers, or in their place. */
static i32 list_edges(Tables *tables, const Rules *rules, i32 d, const i32 *first, i32 at) {
  i32 end = list_layer(tables, rules, d, first, tables->first_edge[d] = at);
  if (end >= 0) return end;
  tables->listed_all = false;
  return list_layer(tables, rules, d, first, tables->first_edge[d] = 0);
}

/* The weight of all deals; below 0 where there is no room. `first` as in `complete`. */
static double forward(Tables *tables, const Rules *rules, const SeatModel *b, const i32 *first) {
  double *front = tables->front;
  for (u32 set = 0; !(set >> b->loose); set++) front[set] = !set;
  tables->listed_all = true;
  tables->tried += 4096; /* what else a case takes: 2 to 9 x 10^8 a second on 16 tables' first turns */
  for (i32 d = 0, at = 0; d < b->layers; d++) {
    const LayerStates *next = &b->level[d + 1];
    const double *here = front + b->level[d].at;
    double *there = front + next->at;
    if ((at = list_edges(tables, rules, d, first, at)) < 0) return -1;
    memset(there, 0, sizeof(double) * (size_t)(next->cells << b->loose));
    const u32 *edge = tables->edge + tables->first_edge[d];
    for (i32 g = 0; g < tables->groups[d]; g++) {
      double weight = tables->group[d][g].weight;
      for (const u32 *end = edge + tables->group[d][g].count; edge < end; edge++)
        there[*edge >> 16] += weight * here[*edge & 0xFFFF];
    }
  }
  return front[b->level[b->layers].at + (1 << b->loose) - 1];
}

/* What comes after the states of the levels from one on. */
static void backward(Tables *tables, const Rules *rules, const SeatModel *b, i32 from,
                     const i32 *first) {
  double *after = tables->after;
  const LayerStates *level = &b->level[b->layers];
  for (i32 set = 0; !(set >> b->loose); set++) after[level->at + set] = (set + 1) >> b->loose;
  for (i32 d = b->layers - 1; d >= from; d--) {
    level = &b->level[d];
    double *here = after + level->at;
    const double *there = after + b->level[d + 1].at;
    memset(here, 0, sizeof(double) * (size_t)(level->cells << b->loose));
    if (!tables->listed_all) list_edges(tables, rules, d, first, 0);
    const u32 *edge = tables->edge + tables->first_edge[d];
    for (i32 g = 0; g < tables->groups[d]; g++) {
      double weight = tables->group[d][g].weight;
      for (const u32 *end = edge + tables->group[d][g].count; edge < end; edge++)
        here[*edge & 0xFFFF] += weight * there[*edge >> 16];
    }
  }
}

/* The mass of the deals in which more than n places of a stand are filled by the layers below one;
 * and those in which a loose place is. */
typedef struct FilledMass {
  double more[OTHERS][SLOTS + 1], loose[LOOSE];
} FilledMass;

/* Adds the mass of one set of filled loose places by how many places are filled. */
static void add_set(const Tables *tables, const SeatModel *b, i32 d, u32 set, FilledMass *filling) {
  const LayerStates *level = &b->level[d];
  i32 at = level->at + (i32)set * level->cells, low = level->low[INNER];
  const double *front = tables->front + at, *after = tables->after + at;
  double sum = 0;
  for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
    for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
      i32 row = row_of(level, n0, n1), rest = b->total[d] - n0 - n1 - __builtin_popcount(set);
      i32 n = max32(low, rest - b->places[LAST]), end = min32(low + level->count[INNER], rest + 1);
      double outer = 0;
      for (; n < end; n++) {
        double mass = front[row + n] * after[row + n];
        filling->more[INNER][n] += mass;
        filling->more[LAST][rest - n] += mass;
        outer += mass;
      }
      filling->more[0][n0] += outer;
      filling->more[1][n1] += outer;
      sum += outer;
    }
  for (; set; set &= set - 1) filling->loose[__builtin_ctz(set)] += sum;
}

static void filled_mass(const Tables *tables, const SeatModel *b, i32 d, FilledMass *filling) {
  memset(filling, 0, sizeof *filling);
  for (u32 set = 0; !(set >> b->loose); set++) add_set(tables, b, d, set, filling);
  for (i32 q = 0; q < OTHERS; q++) {
    double sum = 0;
    for (i32 n = b->places[q]; n >= 0; n--) {
      double mass = filling->more[q][n];
      filling->more[q][n] = sum;
      sum += mass;
    }
  }
}

/* A layer fills what is filled above it and was not below. */
static void add_chances(SeatModel *b, i32 d, i32 value, const FilledMass *below, const FilledMass *above) {
  for (i32 i = 0; i < b->loose; i++)
    b->loose_chance[i][value] += above->loose[i] - below->loose[i];
  for (i32 q = 0; q < OTHERS; q++) {
    u32 takes = 0, more = 0; /* more: from where it takes more than k copies */
    for (i32 k = b->copies[d] - 1; k >= 0; k--) takes |= (more |= b->from[q][d][k + 1]) << k;
    for (; takes; takes &= takes - 1) {
      i32 n = __builtin_ctz(takes);
      b->chance[q][n][value] += above->more[q][n] - below->more[q][n];
    }
  }
}

/* Adds this run's chances of the values of a mask, layer by layer. */
static void add_run(Tables *tables, const Rules *rules, SeatModel *b, u32 values, const i32 *first) {
  FilledMass filling[2];
  i32 from = 0, filled = -1;
  while (from < b->layers && !(values >> rules->value[b->wire[from]] & 1)) from++;
  backward(tables, rules, b, from, first);
  for (i32 d = from; d < b->layers; d++) {
    i32 value = rules->value[b->wire[d]];
    if (!(values >> value & 1)) continue;
    if (filled < d) filled_mass(tables, b, d, &filling[d & 1]);
    filled_mass(tables, b, filled = d + 1, &filling[~d & 1]);
    add_chances(b, d, value, &filling[d & 1], &filling[~d & 1]);
  }
}

/* The n-th layer of a colour, or -1. */
static i32 layer_of(const Rules *rules, const SeatModel *b, i32 value, i32 n) {
  for (i32 d = 0; d < b->layers; d++)
    if (rules->value[b->wire[d]] == value && !n--) return d;
  return -1;
}

/* Adds the run of one way to place first wires. */
static i32 add_way(Tables *tables, const Rules *rules, u32 values, CaseSplit *run) {
  SeatModel *b = &tables->belief;
  run->all = 0;
  if (complete(rules, b, run->first)) {
    if (!lay_out(tables, b)) return TOO_LARGE;
    run->all = forward(tables, rules, b, run->first);
    if (run->all < 0) return TOO_LARGE;
  }
  if (run->all <= 0) return OK;
  if (values) add_run(tables, rules, b, values, run->first);
  else backward(tables, rules, b, 0, run->first);
  b->all += run->all;
  return ++tables->runs == MOST_RUNS ? TOO_LARGE : OK;
}

/* Adds the runs of one choice of undrawn wires. */
static i32 add_runs(Tables *tables, const Rules *rules, u32 out, u32 values) {
  const SeatModel *b = &tables->belief;
  i32 pick[OTHERS] = {0};
  for (;;) {
    CaseSplit *run = &tables->run[tables->runs];
    bool may = true;
    for (i32 q = 0; q < OTHERS; q++) {
      run->first[q] = b->has[q] ? layer_of(rules, b, b->has[q], pick[q]) : -1;
      may &= !b->has[q] || run->first[q] >= 0;
    }
    if (!may) return IMPOSSIBLE; /* a colour of which nothing is left */
    run->out = out;
    i32 status = add_way(tables, rules, values, run), q = 0;
    if (status) return status;
    for (; q < OTHERS; pick[q++] = 0)
      if (b->has[q] && layer_of(rules, b, b->has[q], ++pick[q]) >= 0) break;
    if (q == OTHERS) return OK;
  }
}

i32 compute_posterior(Tables *tables, const Rules *rules, const Game *game, i32 viewer, u32 values) {
  SeatModel *b = &tables->belief;
  i32 open = belief_open(rules, game, viewer, b);
  if (open) return open;
  if (b->doubtful > DOUBTFUL) return TOO_LARGE;
  for (i32 q = 0; values && q < OTHERS; q++)
    memset(b->chance[q], 0, sizeof b->chance[q][0] * (size_t)b->places[q]);
  if (values && b->loose) memset(b->loose_chance, 0, sizeof b->loose_chance);
  tables->runs = 0;
  b->all = 0;
  for (u32 out = 0; !(out >> b->doubtful); out++) {
    i32 status = leave_out(rules, b, out) ? add_runs(tables, rules, out, values) : OK;
    if (status == TOO_LARGE) return status;
  }
  return b->all > 0 ? OK : IMPOSSIBLE;
}

/* ---- deals ----------------------------------------------------------------------------------- */

/* The table of one run again; false where it cannot be. */
static bool back_to(Tables *tables, const Rules *rules, const CaseSplit *run) {
  SeatModel *b = &tables->belief;
  bool may = leave_out(rules, b, run->out) && complete(rules, b, run->first) &&
             lay_out(tables, b) && forward(tables, rules, b, run->first) > 0;
  if (may) backward(tables, rules, b, 0, run->first);
  return may;
}

/* What is filled of a deal's places, layer by layer. */
typedef struct Filled {
  i32 places[OTHERS];
  u32 loose;
} Filled;

/* The steps from a state, each with its weight times what comes after. */
static i32 weigh_steps(const Tables *tables, const Rules *rules, i32 d, const i32 *first,
                       const Filled *at, Allocation *step) {
  const SeatModel *b = &tables->belief;
  const LayerStates *next = &b->level[d + 1];
  i32 kept = 0, adds = 1;
  u64 bits = (u64)at->loose << FILLED;
  Add listed[WAYS];
  const Add *add = b->loose ? listed : &NONE;
  for (i32 q = 0; q < OTHERS; q++) bits |= bit64(FIELD * q + at->places[q]);
  if (b->loose) adds = adds_of(rules, b, d, first, listed);
  for (i32 a = 0; a < adds; a++) {
    Allocation some[MOST_STEPS];
    i32 steps = steps_of(b, d, &add[a], some);
    const double *after = tables->after + next->at + (i32)(at->loose | add[a].set) * next->cells;
    for (i32 i = 0; i < steps; i++) {
      const u8 *k = some[i].k;
      if ((bits & some[i].care) != some[i].need) continue;
      step[kept] = some[i];
      step[kept].weight *= after[row_of(next, at->places[0] + k[0], at->places[1] + k[1]) +
                                at->places[INNER] + k[INNER]];
      kept += step[kept].weight > 0;
    }
  }
  return kept;
}

static void take(const SeatModel *b, i32 d, const Allocation *step, Filled *filled, Game *game) {
  u8 wire = (u8)b->wire[d];
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 i = 0; i < step->k[q]; i++)
      game->wire[b->stand[q]][b->slot[q][filled->places[q]++]] = wire;
  for (i32 i = 0; i < b->loose; i++)
    if (step->add >> i & 1) game->wire[b->loose_stand[i]][b->loose_slot[i]] = wire;
  filled->loose |= step->add;
}

bool draw_deal(Tables *tables, const Rules *rules, Game *game) {
  SeatModel *b = &tables->belief;
  i32 run = 0;
  if (b->facts || b->doubtful) {
    double at = random_share(&tables->random) * b->all;
    while (run + 1 < tables->runs && (at -= tables->run[run].all) >= 0) run++;
    if (!back_to(tables, rules, &tables->run[run])) return false;
  }
  Filled filled = {{0}, 0};
  for (i32 d = 0; d < b->layers; d++) {
    Allocation *step = tables->step[d];
    i32 steps = weigh_steps(tables, rules, d, tables->run[run].first, &filled, step), taken = 0;
    double sum = 0;
    for (i32 i = 0; i < steps; i++) sum += step[i].weight;
    if (sum <= 0) return false;
    double at = random_share(&tables->random) * sum;
    while (taken + 1 < steps && (at -= step[taken].weight) >= 0) taken++;
    take(b, d, &step[taken], &filled, game);
  }
  return true;
}

/* Lists the deals of one run behind those listed, layer by layer, in the order of the steps. */
static i32 list_run(Tables *tables, const Rules *rules, const i32 *first, Game *game, i32 listed,
                    i32 most, u8 *deals, double *chance) {
  const SeatModel *b = &tables->belief;
  i32 steps[LAYERS + 1], at[LAYERS + 1];
  Filled filled[LAYERS + 1] = {{{0}, 0}};
  double weight[LAYERS + 1];
  i32 d = 0;
  weight[0] = 1;
  at[0] = -1;
  for (;;) {
    if (d == b->layers) {
      if (listed == most) return most + 1;
      write_deal(game->wire, 0, deals + listed * WIN_DEAL);
      chance[listed++] = weight[d] / b->all;
      d--;
    }
    if (at[d] < 0) steps[d] = weigh_steps(tables, rules, d, first, &filled[d], tables->step[d]);
    if (++at[d] == steps[d]) {
      if (!d--) return listed;
      continue;
    }
    const Allocation *one = &tables->step[d][at[d]];
    filled[d + 1] = filled[d];
    take(b, d, one, &filled[d + 1], game);
    weight[d + 1] = weight[d] * half_of(b, d, one->add);
    for (i32 q = 0; q < OTHERS; q++) weight[d + 1] *= b->weight[q][d][one->k[q]];
    at[++d] = -1;
  }
}

i32 list_deals(Tables *tables, const Rules *rules, const Game *game, i32 most, u8 *deals,
               double *chance) {
  i32 listed = 0;
  Game dealt = *game;
  for (i32 run = 0; run < tables->runs && listed <= most; run++) {
    if (!back_to(tables, rules, &tables->run[run])) return BAD;
    listed = list_run(tables, rules, tables->run[run].first, &dealt, listed, most, deals, chance);
  }
  return listed;
}
