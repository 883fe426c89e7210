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

/* One way to share out the copies of a layer. */
typedef struct Step {
  i32 k[OTHERS];
  double share;
} Step;

enum { MOST_STEPS = 35 }; /* four copies to four stands */

/* The wire that everybody sees in a slot, or -1: of a shown yellow only the colour is known. */
static i32 seen_by_all(const Rules *rules, const Game *game, i32 s, i32 j) {
  i32 state = game->state[s][j], wire = game->wire[s][j];
  return state == CUT || (state == SHOWN && rules->value[wire] != YELLOW) ? wire : -1;
}

/* ---- what is open ---------------------------------------------------------------------------- */

/* One stand: its open slots, the layers that may stand in each, and the copies known on it. */
typedef struct Open {
  i32 stand, places, slot[SLOTS];
  u64 ok[SLOTS];
  u8 known[LAYERS];
} Open;

static void open_stand(const Rules *rules, const Game *game, i32 s, Open *open) {
  u64 from = ~(u64)0;
  i32 waiting = 0; /* the first open place whose next known neighbour has not come yet */
  memset(open->known, 0, sizeof open->known);
  open->stand = s;
  open->places = 0;
  for (i32 j = 0; j < rules->size[s]; j++) {
    i32 wire = seen_by_all(rules, game, s, j);
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
      bool own = rules->owner[s] == viewer;
      i32 wire = own ? game->wire[s][j] : seen_by_all(rules, game, s, j);
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

static void weigh_stand(const Rules *rules, const Game *game, const Open *open, Belief *b, i32 q) {
  u32 has = game->has[open->stand];
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
  for (i32 d = 0; d < b->layers; d++) {
    b->fits[q][d] = b->must[q][d] = 0;
    b->share[q][d][0] = 1;
  }
}

/* The number of open stands. */
static i32 belief_open(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  Open open[OTHERS], one;
  i32 count = 0;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == viewer || count == OTHERS) continue;
    open_stand(rules, game, s, &one);
    if (!one.places) continue;
    i32 at = count++;
    for (; at && open[at - 1].places > one.places; at--) open[at] = open[at - 1];
    open[at] = one;
  }
  open_layers(rules, game, viewer, b);
  b->yellow_facts = 0;
  for (i32 q = 0; q < OTHERS; q++) {
    i32 at = q - (OTHERS - count);
    if (at < 0) no_stand(b, q);
    else weigh_stand(rules, game, &open[at], b, q);
  }
  return count;
}

/* ---- what can be completed ------------------------------------------------------------------- */

/* Bit n: k copies may follow n filled places. `first`: the layer of the stand's first yellow. */
static u32 may_take(const Rules *rules, const Belief *b, i32 q, i32 d, i32 k, const i32 *first) {
  if (k > b->copies[d]) return 0;
  if (!k && b->must[q][d]) return 0;
  if (first && b->has_yellow[q] && rules->value[b->wire[d]] == YELLOW && d <= first[q])
    if (d == first[q] ? !k : k) return 0;
  u32 run = ((u32)2 << b->places[q]) - 1;
  for (i32 i = 0; i < k; i++) run &= b->fits[q][d] >> i;
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
  for (i32 d = 0; d <= b->layers; d++) {
    Level *level = &b->level[d];
    i32 cells = 1;
    for (i32 q = 0; q < LAST; q++) {
      level->low[q] = __builtin_ctz(b->reach[q][d]);
      level->count[q] = 32 - __builtin_clz(b->reach[q][d]) - level->low[q];
      cells *= level->count[q];
    }
    level->at = at;
    at += cells;
    if (cells > tables->spread_room) return false;
  }
  return at <= tables->room;
}

/* ---- the two passes -------------------------------------------------------------------------- */

/* The ways to share out a layer that are possible with n0 and n1 places filled on the outer two. */
static i32 steps_of(const Belief *b, i32 d, i32 n0, i32 n1, Step *step) {
  i32 steps = 0, copies = b->copies[d];
  for (i32 k0 = 0; k0 <= copies; k0++) {
    if (!(b->from[0][d][k0] >> n0 & 1)) continue;
    for (i32 k1 = 0; k0 + k1 <= copies; k1++) {
      if (!(b->from[1][d][k1] >> n1 & 1)) continue;
      double outer = b->share[0][d][k0] * b->share[1][d][k1];
      for (i32 k2 = 0; k0 + k1 + k2 <= copies; k2++) {
        i32 k3 = copies - k0 - k1 - k2;
        if (!b->from[INNER][d][k2] || !b->from[LAST][d][k3]) continue;
        step[steps++] = (Step){{k0, k1, k2, k3},
                               outer * b->share[INNER][d][k2] * b->share[LAST][d][k3]};
      }
    }
  }
  return steps;
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

/* The weight of all deals. */
static double backward(Tables *tables, Belief *b) {
  Level *level = &b->level[b->layers];
  tables->after[level->at] = 1;
  for (i32 d = b->layers - 1; d >= 0; d--) {
    const Level *next = level;
    level = &b->level[d];
    const double *after = tables->after + next->at;
    double *here = tables->after + level->at;
    for (i32 x = 0; x < level->count[0]; x++)
      for (i32 y = 0; y < level->count[1]; y++, here += level->count[INNER]) {
        i32 n0 = x + level->low[0], n1 = y + level->low[1];
        for (i32 n = 0; n < level->count[INNER]; n++) here[n] = 0;
        Step step[MOST_STEPS];
        i32 steps = steps_of(b, d, n0, n1, step);
        for (i32 i = 0; i < steps; i++) {
          u32 mask = places_of(b, d, &step[i], b->total[d] - n0 - n1);
          const double *row = after + row_of(next, n0 + step[i].k[0], n1 + step[i].k[1]) +
                              step[i].k[INNER];
          double *to = here - level->low[INNER], share = step[i].share;
          while (mask) {
            i32 end, n = next_run(&mask, &end);
            for (; n < end; n++) to[n] += share * row[n];
          }
        }
      }
  }
  return tables->after[0];
}

/* The mass with which stands take k copies of one layer after so many filled places. */
typedef struct Mass {
  double of[OTHERS][CELL][SLOTS + 1];
} Mass;

/* One row's step: hands its weight on, and notes its mass where it is wanted. */
static inline void hand_on(const Belief *b, i32 rest, const Step *step, u32 mask, const double *here,
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
}

static void add_chances(Belief *b, i32 d, i32 value, const Mass *mass) {
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 k = 1; k <= b->copies[d]; k++)
      for (u32 mask = b->from[q][d][k]; mask; mask &= mask - 1) {
        i32 n = __builtin_ctz(mask);
        for (i32 i = 0; i < k; i++) b->chance[q][n + i][value] += mass->of[q][k][n];
      }
}

/* Adds this run's chances of the values of a mask, layer by layer until the last of them. */
static void forward(Tables *tables, const Rules *rules, Belief *b, u32 values) {
  i32 layers = b->layers;
  while (layers && !(values >> rules->value[b->wire[layers - 1]] & 1)) layers--;
  tables->spread[0][0] = 1;
  for (i32 d = 0; d < layers; d++) {
    const Level *level = &b->level[d], *next = &b->level[d + 1];
    const double *after = tables->after + next->at, *here = tables->spread[d & 1];
    double *to = tables->spread[~d & 1];
    i32 value = rules->value[b->wire[d]];
    Mass mass, *wanted = values >> value & 1 ? &mass : NULL;
    if (wanted) memset(&mass, 0, sizeof mass);
    memset(to, 0, sizeof(double) * (size_t)(next->count[0] * next->count[1] * next->count[INNER]));
    for (i32 x = 0; x < level->count[0]; x++)
      for (i32 y = 0; y < level->count[1]; y++, here += level->count[INNER]) {
        i32 n0 = x + level->low[0], n1 = y + level->low[1], rest = b->total[d] - n0 - n1;
        Step step[MOST_STEPS];
        i32 steps = steps_of(b, d, n0, n1, step);
        for (i32 i = 0; i < steps; i++) {
          u32 mask = places_of(b, d, &step[i], rest);
          i32 row = row_of(next, n0 + step[i].k[0], n1 + step[i].k[1]) + step[i].k[INNER];
          hand_on(b, rest, &step[i], mask, here - level->low[INNER], after + row, to + row, wanted,
                  n0, n1);
        }
      }
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
      run->all = backward(tables, b);
    }
    if (run->all > 0) {
      if (values) forward(tables, rules, b, values);
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
  if (!belief_open(rules, game, viewer, b)) return IMPOSSIBLE;
  if (b->doubtful > DOUBTFUL) return TOO_LARGE;
  if (values) memset(b->chance, 0, sizeof b->chance);
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
         backward(tables, b) > 0;
}

/* The steps from a state, each with its weight times what comes after. */
static i32 weigh_steps(const Tables *tables, const Belief *b, i32 d, const i32 *filled, Step *step) {
  const Level *next = &b->level[d + 1];
  i32 steps = steps_of(b, d, filled[0], filled[1], step), kept = 0;
  for (i32 i = 0; i < steps; i++) {
    const i32 *k = step[i].k;
    u32 mask = places_of(b, d, &step[i], b->total[d] - filled[0] - filled[1]);
    if (!(mask >> filled[INNER] & 1)) continue;
    i32 at = row_of(next, filled[0] + k[0], filled[1] + k[1]) + filled[INNER] + k[INNER];
    step[kept] = step[i];
    step[kept].share *= tables->after[next->at + at];
    kept += step[kept].share > 0;
  }
  return kept;
}

static void take(const Belief *b, i32 d, const Step *step, i32 *filled, Game *game) {
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 i = 0; i < step->k[q]; i++)
      game->wire[b->stand[q]][b->slot[q][filled[q]++]] = (u8)b->wire[d];
}

bool draw_deal(Tables *tables, const Rules *rules, Game *game) {
  Belief *b = &tables->belief;
  if (b->yellow_facts || b->doubtful) {
    double at = random_share(&tables->random) * b->all;
    i32 run = 0;
    while (run + 1 < tables->runs && (at -= tables->run[run].all) >= 0) run++;
    if (!back_to(tables, rules, &tables->run[run])) return false;
  }
  i32 filled[OTHERS] = {0};
  for (i32 d = 0; d < b->layers; d++) {
    Step step[MOST_STEPS];
    i32 steps = weigh_steps(tables, b, d, filled, step), taken = 0;
    double sum = 0;
    for (i32 i = 0; i < steps; i++) sum += step[i].share;
    if (sum <= 0) return false;
    double at = random_share(&tables->random) * sum;
    while (taken + 1 < steps && (at -= step[taken].share) >= 0) taken++;
    take(b, d, &step[taken], filled, game);
  }
  return true;
}

/* Lists the deals of one run behind those listed, layer by layer, in the order of the steps. */
static i32 list_run(Tables *tables, Game *game, i32 listed, i32 most, u8 *deals, double *chance) {
  const Belief *b = &tables->belief;
  Step step[LAYERS][MOST_STEPS];
  i32 steps[LAYERS + 1], at[LAYERS + 1], filled[LAYERS + 1][OTHERS] = {{0}};
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
    if (at[d] < 0) steps[d] = weigh_steps(tables, b, d, filled[d], step[d]);
    if (++at[d] == steps[d]) {
      if (!d--) return listed;
      continue;
    }
    const Step *one = &step[d][at[d]];
    memcpy(filled[d + 1], filled[d], sizeof filled[d]);
    take(b, d, one, filled[d + 1], game);
    share[d + 1] = share[d];
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
    listed = list_run(tables, &dealt, listed, most, deals, chance);
  }
  return listed;
}
