/* A seat's exact belief in the middle of a game that is played out, and deals drawn from it.
 *
 * It is counted at every turn of every game, so it must be quick. Layers are the wires whose place
 * the seat does not know; within a layer each stand takes some copies, k0 + k1 + k2 + k3 in all.
 * The weight of such a step is one number a layer, and where it may be taken is one bit mask a
 * stand, so that the inner loop adds runs of one row to another. The backward table is the sampler.
 * "Has a hidden yellow" is split by the first yellow wire of that stand, a group of which some wires
 * are drawn by those that are not. One file, because counting, drawing and listing walk the same
 * tables. */
#include "rack/win.h"

/* Made anew for each call, since its constant arguments take branches out of the inner loops. */
#define FOLDED static inline __attribute__((always_inline))

/* A set of loose places that take a copy of a layer each; the filled ones must hold all of `after`
 * and none of `before`. `apart`: stands that need a copy of it and have none in the set (bits). */
typedef struct Add {
  u32 set, after, before, apart;
  i32 count;
  double half;
} Add;

/* The wire that a seat sees in a slot, or -1: of a shown yellow only its owner knows the number. */
static i32 seen_by(const Rules *rules, const Game *game, i32 viewer, i32 s, i32 j) {
  i32 state = game->state[s][j], wire = game->wire[s][j];
  bool face = state == HIDDEN ? sees_hidden(rules, viewer, s, j)
                              : state == CUT || rules->value[wire] != YELLOW ||
                                    rules->owner[s] == viewer;
  return face ? wire : -1;
}

/* ---- what is open ---------------------------------------------------------------------------- */

/* One stand: its open slots, the layers that may stand in each, and the copies known on it. */
typedef struct Open {
  i32 stand, places, slot[SLOTS];
  u64 ok[SLOTS];
  u8 known[LAYERS];
} Open;

/* What the tokens of a stand say of numbers of wires: on open places, and on wires that are seen. */
static void open_times(const Rules *rules, const Game *game, i32 viewer, const Open *open, Belief *b,
                       i32 q) {
  i32 s = open->stand;
  memset(b->on[q], 0, sizeof b->on[q]);
  memset(b->exact[q], 0, sizeof b->exact[q]);
  memset(b->timed[q], 0, sizeof b->timed[q]);
  for (i32 n = 0; n < open->places; n++)
    b->timed[q][game->times[s][open->slot[n]]] |= 1u << n;
  for (i32 j = 0; j < rules->size[s]; j++) {
    i32 wire = seen_by(rules, game, viewer, s, j);
    if (wire < 0) continue;
    b->on[q][rules->value[wire]]++;
    if (game->times[s][j]) b->exact[q][rules->value[wire]] = game->times[s][j];
  }
}

static void open_stand(const Rules *rules, const Game *game, i32 viewer, i32 s, Open *open) {
  u64 from = ~(u64)0;
  i32 waiting = 0; /* the first open place whose next known neighbour has not come yet */
  memset(open->known, 0, sizeof open->known);
  open->stand = s;
  open->places = 0;
  for (i32 j = 0; j < rules->size[s]; j++) {
    if (rules->loose[s] >> j & 1) continue;
    i32 wire = seen_by(rules, game, viewer, s, j);
    if (wire < 0) {
      u64 may = game->allowed[s][j] & from;
      if (game->state[s][j] == SHOWN) may &= rules->of_value[YELLOW];
      open->ok[open->places] = may;
      open->slot[open->places++] = j;
      continue;
    }
    open->known[wire]++;
    from = ~(u64)0 << wire;
    u64 up_to = ((u64)2 << wire) - 1;
    while (waiting < open->places) open->ok[waiting++] &= up_to;
  }
}

static void open_layers(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  i32 left[LAYERS];
  for (i32 t = 0; t < rules->layers; t++) left[t] = rules->copies[t];
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++) {
      i32 wire = seen_by(rules, game, viewer, s, j);
      if (wire >= 0) left[wire]--;
    }
  b->layers = b->total[0] = 0;
  for (i32 t = 0; t < rules->layers; t++) {
    if (left[t] <= 0) continue;
    b->wire[b->layers] = t;
    b->copies[b->layers] = left[t];
    b->total[b->layers + 1] = b->total[b->layers] + left[t];
    b->layers++;
  }
  b->doubtful = 0;
  for (i32 d = 0; d < b->layers; d++) {
    if (!rules->group[b->wire[d]]) continue;
    if (b->doubtful < DOUBTFUL) b->doubt[b->doubtful] = d;
    b->doubtful++;
  }
}

/* Of a viewer's two turned wires one is known: the other lies on its side of it, and of two that
 * are equal only half the ways count. */
static u64 beside_partner(const Rules *rules, const Game *game, i32 viewer, i32 s, i32 j, i32 *equal) {
  bool before = false;
  for (i32 t = 0; rules->paired && t < rules->stands; t++)
    for (i32 i = 0; rules->owner[t] == viewer && i < rules->size[t]; i++) {
      if (!(rules->loose[t] >> i & 1)) continue;
      if (t == s && i == j) {
        before = true;
        continue;
      }
      i32 wire = seen_by(rules, game, viewer, t, i);
      if (wire < 0) continue;
      *equal = wire;
      return before ? ((u64)2 << wire) - 1 : ~(u64)0 << wire;
    }
  return ~(u64)0;
}

/* What a stand is known to hide (bits) beside what the viewer sees of it. */
static u32 owed(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u32 has = game->has[s];
  for (i32 j = 0; has && j < rules->size[s]; j++)
    if (game->state[s][j] == HIDDEN && sees_hidden(rules, viewer, s, j))
      has &= ~(1u << rules->value[game->wire[s][j]]);
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
static bool open_loose(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  b->loose = 0;
  for (i32 d = 0; d < b->layers; d++) b->holds[d] = 0;
  memset(b->lent, 0, sizeof b->lent);
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->loose[s] && j < rules->size[s]; j++) {
      if (!(rules->loose[s] >> j & 1) || seen_by(rules, game, viewer, s, j) >= 0) continue;
      if (b->loose == LOOSE) return false;
      i32 at = b->loose++, equal = -1;
      u64 may = game->allowed[s][j] & must_be(rules, game, viewer, s);
      if (game->state[s][j] == SHOWN) may &= rules->of_value[YELLOW];
      may &= beside_partner(rules, game, viewer, s, j, &equal);
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
static bool leave_out(const Rules *rules, Belief *b, u32 out) {
  i32 undrawn[GROUPS + 1] = {0};
  for (i32 i = 0; i < b->doubtful; i++)
    undrawn[rules->group[b->wire[b->doubt[i]]]] += out >> i & 1;
  for (i32 g = 1; g <= rules->groups; g++)
    if (undrawn[g] != rules->undrawn[g]) return false;
  for (i32 i = 0; i < b->doubtful; i++) b->copies[b->doubt[i]] = !(out >> i & 1);
  for (i32 d = 0; d < b->layers; d++) b->total[d + 1] = b->total[d] + b->copies[d];
  return true;
}

static void weigh_stand(const Rules *rules, const Game *game, i32 viewer, const Open *open, Belief *b,
                        i32 q) {
  u32 has = owed(rules, game, viewer, open->stand);
  b->stand[q] = open->stand;
  b->places[q] = open->places;
  memcpy(b->slot[q], open->slot, sizeof open->slot);
  b->has_yellow[q] = has >> YELLOW & 1;
  b->yellow_facts += b->has_yellow[q];
  for (i32 d = 0; d < b->layers; d++) {
    i32 wire = b->wire[d], value = rules->value[wire];
    u32 fits = 0;
    for (i32 n = 0; n < open->places; n++) fits |= (u32)(open->ok[n] >> wire & 1) << n;
    b->fits[q][d] = fits;
    b->must[q][d] = value < YELLOW && has >> value & 1;
    for (i32 k = 0; k < CELL; k++) b->share[q][d][k] = inverse_factorial(open->known[wire] + k);
  }
}

static void no_stand(Belief *b, i32 q) {
  b->stand[q] = -1;
  b->places[q] = b->has_yellow[q] = 0;
  if (b->counted) {
    memset(b->on[q], 0, sizeof b->on[q]);
    memset(b->exact[q], 0, sizeof b->exact[q]);
    memset(b->timed[q], 0, sizeof b->timed[q]);
  }
  for (i32 d = 0; d < b->layers; d++) {
    b->fits[q][d] = b->must[q][d] = 0;
    b->share[q][d][0] = 1;
  }
}

/* What lies open to the viewer. OK, IMPOSSIBLE where nothing does, or TOO_LARGE. */
static i32 belief_open(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  Open open[OTHERS], one;
  i32 count = 0;
  b->counted = rules->counted;
  open_layers(rules, game, viewer, b);
  if (!open_loose(rules, game, viewer, b)) return TOO_LARGE;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == viewer || count == OTHERS) continue;
    open_stand(rules, game, viewer, s, &one);
    u32 lent = 0;
    for (i32 i = 0; i < b->loose; i++) lent |= (u32)(b->loose_stand[i] == s) << i;
    if (!one.places && !lent) continue;
    i32 at = count++;
    for (; at && open[at - 1].places > one.places; at--) open[at] = open[at - 1];
    open[at] = one;
  }
  b->yellow_facts = 0;
  for (i32 q = 0; q < OTHERS; q++) {
    i32 at = q - (OTHERS - count);
    if (at < 0) {
      no_stand(b, q);
      continue;
    }
    weigh_stand(rules, game, viewer, &open[at], b, q);
    if (b->counted) open_times(rules, game, viewer, &open[at], b, q);
    for (i32 i = 0; i < b->loose; i++)
      b->lent[q] |= (u32)(b->loose_stand[i] == open[at].stand) << i;
  }
  b->open = count || b->loose;
  return b->open ? OK : IMPOSSIBLE;
}

/* ---- what can be completed ------------------------------------------------------------------- */

/* Bit n: k copies may follow n filled places. `first`: the layer of the stand's first yellow. */
static u32 may_take(const Rules *rules, const Belief *b, i32 q, i32 d, i32 k, const i32 *first) {
  if (k > b->copies[d]) return 0;
  i32 value = rules->value[b->wire[d]], count = b->counted ? b->on[q][value] + k : 0;
  if (!k && b->need[q][d] && !(b->lent[q] & b->holds[d])) return 0;
  if (k && b->has_yellow[q] && value == YELLOW && d < first[q]) return 0;
  if (b->counted && b->exact[q][value] && b->exact[q][value] != count) return 0;
  u32 run = ((u32)2 << b->places[q]) - 1, fits = b->fits[q][d];
  for (i32 t = 1; b->counted && t < CELL; t++)
    if (t != count) fits &= ~b->timed[q][t];
  for (i32 i = 0; i < k; i++) run &= fits >> i;
  return run;
}

static u32 mirror(u32 bits) {
  bits = (bits >> 1 & 0x55555555) | (bits & 0x55555555) << 1;
  bits = (bits >> 2 & 0x33333333) | (bits & 0x33333333) << 2;
  bits = (bits >> 4 & 0x0f0f0f0f) | (bits & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(bits);
}

/* Keeps of each stand what lies on some way from empty to full. */
static bool complete(const Rules *rules, Belief *b, const i32 *first) {
  for (i32 q = 0; q < OTHERS; q++) {
    u32 up = 1, down = 1u << b->places[q];
    for (i32 d = 0; d < b->layers; d++)
      b->need[q][d] = b->must[q][d] || (b->has_yellow[q] && d == first[q]);
    for (i32 d = 0; d < b->layers; d++) {
      u32 next = 0;
      for (i32 k = 0; k < CELL; k++) {
        b->from[q][d][k] = up & may_take(rules, b, q, d, k, first);
        next |= b->from[q][d][k] << k;
      }
      up = next;
    }
    if (!(up & down)) return false;
    b->reach[q][b->layers] = down;
    for (i32 d = b->layers - 1; d >= 0; d--) {
      u32 here = 0;
      for (i32 k = 0; k < CELL; k++) here |= b->from[q][d][k] &= down >> k;
      b->reach[q][d] = down = here;
    }
  }
  for (i32 d = 0; d < b->layers; d++)
    for (i32 k = 0; k < CELL; k++) b->mirrored[d][k] = mirror(b->from[LAST][d][k]);
  return true;
}

static bool lay_out(const Tables *tables, Belief *b) {
  i32 at = 0;
  u32 all = (1u << b->loose) - 1, filled = 0;
  for (i32 d = 0; d <= b->layers; d++) {
    Level *level = &b->level[d];
    i32 cells = 1;
    for (i32 q = 0; q < LAST; q++) {
      level->low[q] = __builtin_ctz(b->reach[q][d]);
      level->count[q] = 32 - __builtin_clz(b->reach[q][d]) - level->low[q];
      cells *= level->count[q];
    }
    level->at = at;
    level->cells = cells;
    level->most = filled;
    level->least = all;
    if (d < b->layers && b->copies[d]) filled |= b->holds[d];
    at += cells << b->loose;
    if (cells << b->loose > tables->spread_room) return false;
  }
  for (i32 d = b->layers - 1; d >= 0; d--)
    b->level[d].least = b->level[d + 1].least & ~(b->copies[d] ? b->holds[d] : 0);
  return at <= tables->room;
}

/* ---- the two passes -------------------------------------------------------------------------- */

/* The weight of equal wires that were drawn blindly: unequal ones came in either order. */
static double half_of(const Belief *b, i32 d, u32 set) {
  double half = b->pair && set == 3 ? 0.5 : 1;
  for (i32 i = 0; i < b->loose; i++)
    if (set >> i & 1 && b->equal[i] == d) half /= 2;
  return half;
}

/* The sets of loose places that may take a copy each of a layer. */
static i32 adds_of(const Rules *rules, const Belief *b, i32 d, const i32 *first, Add *add) {
  i32 adds = 0;
  bool yellow = rules->value[b->wire[d]] == YELLOW;
  for (u32 set = 0; set <= b->holds[d]; set++) {
    Add one = {set, 0, set, 0, __builtin_popcount(set), 1};
    bool may = !(set & ~b->holds[d]) && one.count <= b->copies[d];
    for (i32 q = 0; q < OTHERS; q++) {
      if (yellow && b->has_yellow[q] && d < first[q] && set & b->lent[q]) may = false;
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

/* The ways to share out a layer that are possible with n0 and n1 places filled on the outer two. */
FOLDED i32 steps_of(const Belief *b, i32 d, i32 n0, i32 n1, const Add *add, Step *step) {
  i32 steps = 0, copies = b->copies[d] - add->count;
  u32 apart = add->apart; /* these stands take some themselves */
  for (i32 k0 = apart & 1; k0 <= copies; k0++) {
    if (!(b->from[0][d][k0] >> n0 & 1)) continue;
    for (i32 k1 = apart >> 1 & 1; k0 + k1 <= copies; k1++) {
      if (!(b->from[1][d][k1] >> n1 & 1)) continue;
      double outer = b->share[0][d][k0] * b->share[1][d][k1] * add->half;
      for (i32 k2 = apart >> 2 & 1; k0 + k1 + k2 <= copies; k2++) {
        i32 k3 = copies - k0 - k1 - k2;
        if (!b->from[INNER][d][k2] || !b->from[LAST][d][k3] || (!k3 && apart >> LAST & 1)) continue;
        step[steps++] = (Step){{(u8)k0, (u8)k1, (u8)k2, (u8)k3},
                               (u8)add->set,
                               outer * b->share[INNER][d][k2] * b->share[LAST][d][k3]};
      }
    }
  }
  return steps;
}

/* The next set of filled loose places at a level, from `set` on, that an addition may follow. */
static inline u32 next_set(const Level *level, const Add *add, u32 set) {
  while (set <= level->most && (set & ~level->most || level->least & ~set || set & add->before ||
                                add->after & ~set))
    set++;
  return set;
}

/* The places of the third stand from which a step may be taken; `rest`: filled on the last two. */
static inline u32 places_of(const Belief *b, i32 d, const Step *step, i32 rest) {
  if (rest < 0 || rest > 31) return 0;
  return b->from[INNER][d][step->k[INNER]] & b->mirrored[d][step->k[LAST]] >> (31 - rest);
}

/* Where a level's row for n0 and n1 would have the third stand's place 0. */
static inline i32 row_of(const Level *level, i32 n0, i32 n1) {
  return ((n0 - level->low[0]) * level->count[1] + n1 - level->low[1]) * level->count[INNER] -
         level->low[INNER];
}

/* Takes the lowest run of set bits off a mask: its first bit; `end` behind its last. */
static inline i32 next_run(u32 *mask, i32 *end) {
  i32 first = __builtin_ctz(*mask);
  u32 rest = ~(*mask >> first);
  *end = first + __builtin_ctz(rest); /* fewer than 31 places: some bit ends the run */
  *mask &= ~(u32)0 << *end;
  return first;
}

static const Add NONE = {0, 0, 0, 0, 0, 1}; /* the set where no loose place is open */

/* The rows of one level from which some steps may be taken, all of one set of filled loose places. */
FOLDED void back_row(const Belief *b, i32 d, i32 n0, i32 n1, const Step *step, i32 steps,
                            i32 rest, const double *after, double *to) {
  const Level *next = &b->level[d + 1];
  for (i32 i = 0; i < steps; i++) {
    u32 mask = places_of(b, d, &step[i], rest);
    const double *row = after + row_of(next, n0 + step[i].k[0], n1 + step[i].k[1]) +
                        step[i].k[INNER];
    double share = step[i].share;
    while (mask) {
      i32 end, n = next_run(&mask, &end);
      for (; n < end; n++) to[n] += share * row[n];
    }
  }
}

/* One level from the next; `loose` as a constant, for most tables have no loose places. */
FOLDED void back_level(Tables *tables, const Belief *b, i32 d, const Add *add, i32 adds, bool loose) {
  const Level *level = &b->level[d], *next = &b->level[d + 1];
  const double *after = tables->after + next->at;
  double *here = tables->after + level->at;
  for (; adds; adds--, add++)
    for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
      for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
        Step step[MOST_STEPS];
        i32 steps = steps_of(b, d, n0, n1, loose ? add : &NONE, step), rest = b->total[d] - n0 - n1;
        double *to = here + row_of(level, n0, n1);
        if (!loose) back_row(b, d, n0, n1, step, steps, rest, after, to);
        for (u32 set = loose ? next_set(level, add, 0) : 1; loose && set <= level->most;
             set = next_set(level, add, set + 1))
          back_row(b, d, n0, n1, step, steps, rest - __builtin_popcount(set),
                   after + (i32)(set | add->set) * next->cells, to + (i32)set * level->cells);
      }
}

/* The weight of all deals. `first` as in `complete`. */
static double backward(Tables *tables, const Rules *rules, Belief *b, const i32 *first) {
  const Level *level = &b->level[b->layers];
  u32 all = (1u << b->loose) - 1;
  if (b->level[0].least || all & ~level->most) return 0; /* some loose place fits nothing */
  for (u32 set = 0; set < all; set++) tables->after[level->at + (i32)set] = 0;
  tables->after[level->at + (i32)all] = 1;
  for (i32 d = b->layers - 1; d >= 0; d--) {
    level = &b->level[d];
    memset(tables->after + level->at, 0, sizeof(double) * (size_t)(level->cells << b->loose));
    Add add[WAYS];
    if (b->loose) back_level(tables, b, d, add, adds_of(rules, b, d, first, add), true);
    else back_level(tables, b, d, &NONE, 1, false);
  }
  return tables->after[0];
}

/* The mass with which stands take k copies of one layer after so many filled places. */
typedef struct Mass {
  double of[OTHERS][CELL][SLOTS + 1], loose[LOOSE];
} Mass;

/* One row's step: hands its weight on, and notes its mass where it is wanted. */
FOLDED void hand_on(const Belief *b, i32 rest, const Step *step, u32 mask, const double *here,
                           const double *after, double *to, Mass *mass, i32 n0, i32 n1) {
  double outer = 0;
  while (mask) {
    i32 end, n = next_run(&mask, &end);
    if (!mass) {
      for (; n < end; n++) to[n] += step->share * here[n];
      continue;
    }
    double *inner = mass->of[INNER][step->k[INNER]], *last = mass->of[LAST][step->k[LAST]];
    for (; n < end; n++) {
      double share = step->share * here[n], all = share * after[n];
      to[n] += share;
      inner[n] += all;
      last[rest - n] += all;
      outer += all;
    }
  }
  if (!mass) return;
  mass->of[0][step->k[0]][n0] += outer;
  mass->of[1][step->k[1]][n1] += outer;
  for (u32 set = step->add; set; set &= set - 1) mass->loose[__builtin_ctz(set)] += outer;
}

static void add_chances(Belief *b, i32 d, i32 value, const Mass *mass) {
  for (i32 i = 0; i < b->loose; i++) b->loose_chance[i][value] += mass->loose[i];
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 k = 1; k <= b->copies[d]; k++)
      for (u32 mask = b->from[q][d][k]; mask; mask &= mask - 1) {
        i32 n = __builtin_ctz(mask);
        for (i32 i = 0; i < k; i++) b->chance[q][n + i][value] += mass->of[q][k][n];
      }
}

/* One layer forward, both weights by sets of loose places; `mass` and `loose` as constants. */
FOLDED void forward_level(Tables *tables, const Belief *b, i32 d, const Add *add, i32 adds,
                          Mass *mass, bool loose) {
  const Level *level = &b->level[d], *next = &b->level[d + 1];
  const double *here = tables->spread[d & 1], *after = tables->after + next->at;
  double *to = tables->spread[~d & 1];
  for (; adds; adds--, add++)
    for (i32 n0 = level->low[0]; n0 < level->low[0] + level->count[0]; n0++)
      for (i32 n1 = level->low[1]; n1 < level->low[1] + level->count[1]; n1++) {
        Step step[MOST_STEPS];
        i32 steps = steps_of(b, d, n0, n1, loose ? add : &NONE, step);
        for (u32 set = loose ? next_set(level, add, 0) : 0; set <= (loose ? level->most : 0);
             set = loose ? next_set(level, add, set + 1) : 1) {
          i32 block = loose ? (i32)(set | add->set) * next->cells : 0;
          i32 rest = b->total[d] - n0 - n1 - (loose ? __builtin_popcount(set) : 0);
          const double *from = here + (loose ? (i32)set * level->cells : 0) + row_of(level, n0, n1);
          for (i32 i = 0; i < steps; i++) {
            u32 mask = places_of(b, d, &step[i], rest);
            i32 row = block + row_of(next, n0 + step[i].k[0], n1 + step[i].k[1]) + step[i].k[INNER];
            hand_on(b, rest, &step[i], mask, from, after + row, to + row, mass, n0, n1);
          }
        }
      }
}

static void forward_layer(Tables *tables, const Rules *rules, const Belief *b, i32 d,
                          const i32 *first, Mass *mass) {
  const Level *next = &b->level[d + 1];
  memset(tables->spread[~d & 1], 0, sizeof(double) * (size_t)(next->cells << b->loose));
  Add add[WAYS];
  i32 adds = b->loose ? adds_of(rules, b, d, first, add) : 1;
  if (b->loose && mass) forward_level(tables, b, d, add, adds, mass, true);
  else if (b->loose) forward_level(tables, b, d, add, adds, NULL, true);
  else if (mass) forward_level(tables, b, d, &NONE, 1, mass, false);
  else forward_level(tables, b, d, &NONE, 1, NULL, false);
}

/* Adds this run's chances of the values of a mask, layer by layer until the last of them. */
static void forward(Tables *tables, const Rules *rules, Belief *b, u32 values, const i32 *first) {
  i32 layers = b->layers;
  while (layers && !(values >> rules->value[b->wire[layers - 1]] & 1)) layers--;
  tables->spread[0][0] = 1;
  for (u32 set = 1; !(set >> b->loose); set++) tables->spread[0][set] = 0;
  for (i32 d = 0; d < layers; d++) {
    i32 value = rules->value[b->wire[d]];
    Mass mass, *wanted = values >> value & 1 ? &mass : NULL;
    if (wanted) memset(&mass, 0, sizeof mass);
    forward_layer(tables, rules, b, d, first, wanted);
    if (wanted) add_chances(b, d, value, &mass);
  }
}

/* Adds the runs of one choice of undrawn wires. */
static i32 add_runs(Tables *tables, const Rules *rules, u32 out, u32 values) {
  Belief *b = &tables->belief;
  i32 yellow[LAYERS], some = 0, pick[OTHERS] = {0};
  for (i32 d = 0; d < b->layers; d++)
    if (rules->value[b->wire[d]] == YELLOW) yellow[some++] = d;
  if (b->yellow_facts && !some) return IMPOSSIBLE;
  for (;;) {
    Run *run = &tables->run[tables->runs];
    for (i32 q = 0; q < OTHERS; q++) run->first[q] = b->has_yellow[q] ? yellow[pick[q]] : -1;
    run->all = 0;
    run->out = out;
    if (complete(rules, b, run->first)) {
      if (!lay_out(tables, b)) return TOO_LARGE;
      run->all = backward(tables, rules, b, run->first);
    }
    if (run->all > 0) {
      if (values) forward(tables, rules, b, values, run->first);
      b->all += run->all;
      if (++tables->runs == MOST_RUNS) return TOO_LARGE;
    }
    i32 q = 0;
    while (q < OTHERS && (!b->has_yellow[q] || ++pick[q] == some)) pick[q++] = 0;
    if (q == OTHERS) return OK;
  }
}

i32 believe(Tables *tables, const Rules *rules, const Game *game, i32 viewer, u32 values) {
  Belief *b = &tables->belief;
  i32 open = belief_open(rules, game, viewer, b);
  if (open) return open;
  if (b->doubtful > DOUBTFUL) return TOO_LARGE;
  if (values) {
    memset(b->chance, 0, sizeof b->chance);
    memset(b->loose_chance, 0, sizeof b->loose_chance);
  }
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
static bool back_to(Tables *tables, const Rules *rules, const Run *run) {
  Belief *b = &tables->belief;
  return leave_out(rules, b, run->out) && complete(rules, b, run->first) && lay_out(tables, b) &&
         backward(tables, rules, b, run->first) > 0;
}

/* What is filled of a deal's places, layer by layer. */
typedef struct Filled {
  i32 places[OTHERS];
  u32 loose;
} Filled;

/* The steps from a state, each with its weight times what comes after. */
static i32 weigh_steps(const Tables *tables, const Rules *rules, i32 d, const i32 *first,
                       const Filled *at, Step *step) {
  const Belief *b = &tables->belief;
  const Level *level = &b->level[d], *next = &b->level[d + 1];
  const i32 *filled = at->places;
  i32 kept = 0, rest = b->total[d] - filled[0] - filled[1] - __builtin_popcount(at->loose);
  Add add[WAYS];
  i32 adds = adds_of(rules, b, d, first, add);
  for (i32 a = 0; a < adds; a++) {
    if (next_set(level, &add[a], at->loose) != at->loose || at->loose > level->most) continue;
    Step some[MOST_STEPS];
    i32 steps = steps_of(b, d, filled[0], filled[1], &add[a], some);
    const double *after = tables->after + next->at + (i32)(at->loose | add[a].set) * next->cells;
    for (i32 i = 0; i < steps; i++) {
      const u8 *k = some[i].k;
      u32 mask = places_of(b, d, &some[i], rest);
      if (!(mask >> filled[INNER] & 1)) continue;
      step[kept] = some[i];
      step[kept].share *=
          after[row_of(next, filled[0] + k[0], filled[1] + k[1]) + filled[INNER] + k[INNER]];
      kept += step[kept].share > 0;
    }
  }
  return kept;
}

static void take(const Belief *b, i32 d, const Step *step, Filled *filled, Game *game) {
  u8 wire = (u8)b->wire[d];
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 i = 0; i < step->k[q]; i++)
      game->wire[b->stand[q]][b->slot[q][filled->places[q]++]] = wire;
  for (i32 i = 0; i < b->loose; i++)
    if (step->add >> i & 1) game->wire[b->loose_stand[i]][b->loose_slot[i]] = wire;
  filled->loose |= step->add;
}

bool draw_deal(Tables *tables, const Rules *rules, Game *game) {
  Belief *b = &tables->belief;
  i32 run = 0;
  if (b->yellow_facts || b->doubtful) {
    double at = random_share(&tables->random) * b->all;
    while (run + 1 < tables->runs && (at -= tables->run[run].all) >= 0) run++;
    if (!back_to(tables, rules, &tables->run[run])) return false;
  }
  Filled filled = {{0}, 0};
  for (i32 d = 0; d < b->layers; d++) {
    Step *step = tables->listed[d];
    i32 steps = weigh_steps(tables, rules, d, tables->run[run].first, &filled, step), taken = 0;
    double sum = 0;
    for (i32 i = 0; i < steps; i++) sum += step[i].share;
    if (sum <= 0) return false;
    double at = random_share(&tables->random) * sum;
    while (taken + 1 < steps && (at -= step[taken].share) >= 0) taken++;
    take(b, d, &step[taken], &filled, game);
  }
  return true;
}

/* Lists the deals of one run behind those listed, layer by layer, in the order of the steps. */
static i32 list_run(Tables *tables, const Rules *rules, const i32 *first, Game *game, i32 listed,
                    i32 most, u8 *deals, double *chance) {
  const Belief *b = &tables->belief;
  i32 steps[LAYERS + 1], at[LAYERS + 1];
  Filled filled[LAYERS + 1] = {{{0}, 0}};
  double share[LAYERS + 1];
  i32 d = 0;
  share[0] = 1;
  at[0] = -1;
  for (;;) {
    if (d == b->layers) {
      if (listed == most) return most + 1;
      memcpy(deals + listed * WIN_DEAL, game->wire, WIN_DEAL);
      chance[listed++] = share[d] / b->all;
      d--;
    }
    if (at[d] < 0) steps[d] = weigh_steps(tables, rules, d, first, &filled[d], tables->listed[d]);
    if (++at[d] == steps[d]) {
      if (!d--) return listed;
      continue;
    }
    const Step *one = &tables->listed[d][at[d]];
    filled[d + 1] = filled[d];
    take(b, d, one, &filled[d + 1], game);
    share[d + 1] = share[d] * half_of(b, d, one->add);
    for (i32 q = 0; q < OTHERS; q++) share[d + 1] *= b->share[q][d][one->k[q]];
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
