/* The chance to win: deals drawn from a seat's exact belief, each played to its end by every seat.
 *
 * The belief of a seat is counted exactly at every turn of every game, so it must be quick. Layers
 * are the wires whose place the seat does not know; within a layer the other stands take copies one
 * after another. A state holds how many places are filled on all stands but the last, and how many
 * copies of the layer are still to give out; the last stand follows from the total. Each stand's
 * range is cut to what can still be completed. The backward table is the sampler too.
 * "Has a hidden yellow" is split by the first yellow wire of that stand. One file, because the
 * belief, the rules and the seats' choices share the few structs below. */
#include "rack/rack.h"
#include "shared/random.h"

enum { STANDS = WIN_STANDS, SLOTS = WIN_SLOTS, OTHERS = 4, BOX = OTHERS - 1, HIDDEN = 0, CUT = 1, SHOWN = 2 };
enum { DUAL = 0, SOLO = 1, REVEAL = 2, NO_ACTION = -1, MOST_CHOICES = 1024, MOST_RUNS = 256 };
enum { SPREAD = 1 << 17, CELL = COPIES + 1 };

typedef struct Rules { /* what no turn changes */
  i32 players, stands, layers, parity, value[LAYERS], copies[LAYERS];
  u64 of_value[VALUES], odd;
  i32 owner[STANDS], size[STANDS];
} Rules;

typedef struct Game {
  i32 turn, steps;
  u32 has[STANDS];
  u8 wire[STANDS][SLOTS], state[STANDS][SLOTS];
  u64 allowed[STANDS][SLOTS];
} Game;

typedef struct Choice {
  i32 kind, stand, slot, value;
  double success, red;
} Choice;

typedef struct Belief {
  i32 stands, layers, stand[OTHERS], places[OTHERS], slot[OTHERS][SLOTS];
  i32 wire[LAYERS], copies[LAYERS], total[LAYERS + 1];
  i32 low[OTHERS][LAYERS + 1], high[OTHERS][LAYERS + 1], at[(LAYERS + 1) * OTHERS];
  double weight[OTHERS][LAYERS][SLOTS + 1][CELL], mass[OTHERS][LAYERS][SLOTS + 1][CELL];
  double chance[OTHERS][SLOTS][LAYERS], all;
  i32 yellow_facts, yellow_stand[OTHERS];
} Belief;

typedef struct Run { /* one way to place the first yellow wires of the stands that have some */
  double all;
  i32 first[OTHERS];
} Run;

typedef struct Room { /* what a call works in */
  const Rules *rules;
  Belief belief, base;
  Choice choice[MOST_CHOICES];
  Run run[MOST_RUNS];
  i32 runs, room;
  u64 random;
  double spread[2][SPREAD], *after;
} Room;

typedef struct Grid { /* the states of one stand's turn within a layer */
  i32 low[BOX], count[BOX], stride[BOX], cells;
} Grid;

/* The wire that everybody sees in a slot, or -1: of a shown yellow only the colour is known. */
static i32 seen_by_all(const Rules *rules, const Game *game, i32 s, i32 j) {
  i32 state = game->state[s][j], wire = game->wire[s][j];
  return state == CUT || (state == SHOWN && rules->value[wire] != YELLOW) ? wire : -1;
}

/* ---- a seat's belief ------------------------------------------------------------------------- */

static void open_layers(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  i32 left[LAYERS];
  for (i32 t = 0; t < rules->layers; t++) left[t] = rules->copies[t];
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++) {
      bool own = rules->owner[s] == viewer;
      i32 wire = own ? game->wire[s][j] : seen_by_all(rules, game, s, j);
      if (wire >= 0) left[wire]--;
    }
  b->layers = 0;
  b->total[0] = 0;
  for (i32 t = 0; t < rules->layers; t++) {
    if (left[t] <= 0) continue;
    b->wire[b->layers] = t;
    b->copies[b->layers] = left[t];
    b->total[b->layers + 1] = b->total[b->layers] + left[t];
    b->layers++;
  }
}

/* Which layers may stand in each unknown place of a stand, and how many known copies it has. */
static i32 open_places(const Rules *rules, const Game *game, i32 s, Belief *b, u64 *ok,
                       i32 *known) {
  i32 places = 0, *slot = b->slot[b->stands];
  for (i32 j = 0, low = 0; j < rules->size[s]; j++) {
    i32 wire = seen_by_all(rules, game, s, j), high = rules->layers - 1;
    if (wire >= 0) {
      known[wire]++;
      low = wire;
      continue;
    }
    for (i32 k = j + 1; k < rules->size[s]; k++)
      if (seen_by_all(rules, game, s, k) >= 0) {
        high = seen_by_all(rules, game, s, k);
        break;
      }
    u64 may = game->allowed[s][j];
    if (game->state[s][j] == SHOWN) may &= rules->of_value[YELLOW];
    ok[places] = 0;
    for (i32 d = 0; d < b->layers; d++)
      if (b->wire[d] >= low && b->wire[d] <= high && may >> b->wire[d] & 1) ok[places] |= bit64(d);
    slot[places++] = j;
  }
  return places;
}

static void weigh_stand(const Rules *rules, const Game *game, i32 s, Belief *b, const u64 *ok,
                        const i32 *known) {
  i32 q = b->stands, places = b->places[q];
  for (i32 d = 0; d < b->layers; d++) {
    i32 value = rules->value[b->wire[d]];
    bool must = value < YELLOW && game->has[s] >> value & 1;
    for (i32 filled = 0; filled <= places; filled++) {
      bool run = true;
      for (i32 k = 0; k <= COPIES; k++) {
        if (k && (filled + k > places || !(ok[filled + k - 1] >> d & 1))) run = false;
        bool may = run && k <= b->copies[d] && !(must && !k);
        b->weight[q][d][filled][k] = may ? inverse_factorial(known[b->wire[d]] + k) : 0;
      }
    }
  }
}

static void belief_open(const Rules *rules, const Game *game, i32 viewer, Belief *b) {
  open_layers(rules, game, viewer, b);
  b->stands = b->yellow_facts = 0;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == viewer) continue;
    u64 ok[SLOTS];
    i32 known[LAYERS] = {0}, places = open_places(rules, game, s, b, ok, known);
    if (!places) continue;
    b->stand[b->stands] = s;
    b->places[b->stands] = places;
    weigh_stand(rules, game, s, b, ok, known);
    if (game->has[s] >> YELLOW & 1) b->yellow_stand[b->yellow_facts++] = b->stands;
    b->stands++;
  }
}

/* Cuts each stand's range of filled places to those on some way from empty to full. */
static bool cut_ranges(Belief *b) {
  for (i32 q = 0; q < b->stands; q++) {
    u32 up[LAYERS + 1] = {1}, down[LAYERS + 1] = {0};
    for (i32 d = 0; d < b->layers; d++)
      for (i32 n = 0; n <= b->places[q]; n++)
        for (i32 k = 0; up[d] >> n & 1 && k <= b->copies[d]; k++)
          if (b->weight[q][d][n][k] > 0) up[d + 1] |= 1u << (n + k);
    down[b->layers] = 1u << b->places[q];
    for (i32 d = b->layers - 1; d >= 0; d--)
      for (i32 n = 0; n <= b->places[q]; n++)
        for (i32 k = 0; up[d] >> n & 1 && k <= b->copies[d]; k++)
          if (b->weight[q][d][n][k] > 0 && down[d + 1] >> (n + k) & 1) down[d] |= 1u << n;
    for (i32 d = 0; d <= b->layers; d++) {
      u32 both = up[d] & down[d];
      if (!both) return false;
      b->low[q][d] = lowest64(both);
      b->high[q][d] = 63 - __builtin_clzll(both);
    }
  }
  return true;
}

/* The grid when stand `turn` of layer d is next: stands before it have taken theirs. */
static Grid grid_of(const Belief *b, i32 d, i32 turn) {
  Grid grid;
  grid.cells = CELL;
  for (i32 z = BOX - 1; z >= 0; z--) {
    bool there = z < b->stands - 1;
    i32 layer = d + (z < turn);
    grid.low[z] = there ? b->low[z][layer] : 0;
    grid.count[z] = there ? b->high[z][layer] - grid.low[z] + 1 : 1;
    grid.stride[z] = grid.cells;
    grid.cells *= grid.count[z];
  }
  return grid;
}

static bool lay_out(Room *room, Belief *b) {
  i32 at = 0;
  for (i32 d = 0; d <= b->layers; d++)
    for (i32 q = 0; q < b->stands && (q == 0 || d < b->layers); q++) {
      b->at[d * OTHERS + q] = at;
      Grid grid = grid_of(b, d, q);
      if (grid.cells > SPREAD) return false;
      at += grid.cells;
    }
  return at <= room->room;
}

/* One state of a grid: places filled on the stands but the last, copies to give, and where the
 * next grid has the state in which the stand takes k of them. */
typedef struct Cell {
  i32 filled[BOX], sum, left, base;
} Cell;

static i32 fresh_copies(const Belief *b, i32 d) { return d + 1 < b->layers ? b->copies[d + 1] : 0; }

/* What the last stand does is forced: it takes all that is left. Its places so far, or -1. */
static i32 last_filled(const Belief *b, i32 d, const Cell *cell) {
  i32 last = b->stands - 1, filled = b->total[d + 1] - cell->left - cell->sum;
  if (filled < b->low[last][d] || filled > b->high[last][d]) return -1;
  i32 then = filled + cell->left;
  return then < b->low[last][d + 1] || then > b->high[last][d + 1] ? -1 : filled;
}

typedef void Visit(Room *room, Belief *b, i32 d, i32 q, const Grid *next, const Cell *cell,
                   i32 index);

__attribute__((always_inline)) static inline void each_cell(Room *room, Belief *b, i32 d, i32 q, Visit *visit) {
  i32 last = b->stands - 1;
  Grid grid = grid_of(b, d, q), next = grid_of(b, q == last ? d + 1 : d, q == last ? 0 : q + 1);
  i32 index = 0;
  for (i32 x = 0; x < grid.count[0]; x++)
    for (i32 y = 0; y < grid.count[1]; y++)
      for (i32 z = 0; z < grid.count[2]; z++, index += CELL) {
        Cell cell = {{x + grid.low[0], y + grid.low[1], z + grid.low[2]}, 0, 0, 0};
        for (i32 i = 0; i < BOX; i++) {
          cell.sum += cell.filled[i];
          cell.base += (cell.filled[i] - next.low[i]) * next.stride[i];
        }
        /* the first stand of a layer finds all its copies */
        for (cell.left = q ? 0 : b->copies[d]; cell.left <= b->copies[d]; cell.left++)
          visit(room, b, d, q, &next, &cell, index + cell.left);
      }
}

static double *table_at(Room *room, const Belief *b, i32 d, i32 q) {
  bool over = q == b->stands;
  return room->after + b->at[over ? (d + 1) * OTHERS : d * OTHERS + q];
}

static inline void go_back(Room *room, Belief *b, i32 d, i32 q, const Grid *next, const Cell *cell,
                    i32 index) {
  const double *after = table_at(room, b, d, q + 1);
  double sum = 0;
  if (q == b->stands - 1) {
    i32 filled = last_filled(b, d, cell);
    if (filled >= 0)
      sum = b->weight[q][d][filled][cell->left] * after[cell->base + fresh_copies(b, d)];
  } else {
    for (i32 k = 0; k <= cell->left; k++) {
      i32 then = cell->filled[q] + k - next->low[q];
      if (then < 0 || then >= next->count[q]) continue;
      sum += b->weight[q][d][cell->filled[q]][k] *
             after[cell->base + k * next->stride[q] + cell->left - k];
    }
  }
  table_at(room, b, d, q)[index] = sum;
}

/* The weight of all deals; 0 when none fits, -1 when there is no room for them. */
static double backward(Room *room, Belief *b) {
  if (!lay_out(room, b)) return -1;
  double *end = room->after + b->at[b->layers * OTHERS];
  Grid grid = grid_of(b, b->layers, 0);
  for (i32 i = 0; i < grid.cells; i++) end[i] = 1;
  for (i32 d = b->layers - 1; d >= 0; d--)
    for (i32 q = b->stands - 1; q >= 0; q--) each_cell(room, b, d, q, go_back);
  return room->after[b->at[0] + (b->layers ? b->copies[0] : 0)];
}

static inline void go_on(Room *room, Belief *b, i32 d, i32 q, const Grid *next, const Cell *cell,
                  i32 index) {
  i32 turn = (d * b->stands + q) & 1;
  double here = room->spread[turn][index], *spread = room->spread[turn ^ 1];
  const double *after = table_at(room, b, d, q + 1);
  if (here == 0) return;
  if (q == b->stands - 1) {
    i32 filled = last_filled(b, d, cell), to = cell->base + fresh_copies(b, d);
    if (filled < 0) return;
    double share = here * b->weight[q][d][filled][cell->left];
    spread[to] += share;
    b->mass[q][d][filled][cell->left] += share * after[to];
    return;
  }
  for (i32 k = 0; k <= cell->left; k++) {
    i32 then = cell->filled[q] + k - next->low[q];
    if (then < 0 || then >= next->count[q]) continue;
    i32 to = cell->base + k * next->stride[q] + cell->left - k;
    double share = here * b->weight[q][d][cell->filled[q]][k];
    spread[to] += share;
    b->mass[q][d][cell->filled[q]][k] += share * after[to];
  }
}

/* Adds the masses of this run to the chances of every place. */
static void forward(Room *room, Belief *b) {
  for (i32 q = 0; q < b->stands; q++)
    memset(b->mass[q], 0, sizeof b->mass[q][0] * (size_t)b->layers);
  Grid first = grid_of(b, 0, 0);
  memset(room->spread[0], 0, sizeof(double) * (size_t)first.cells);
  room->spread[0][b->copies[0]] = 1;
  for (i32 d = 0; d < b->layers; d++)
    for (i32 q = 0; q < b->stands; q++) {
      bool over = q == b->stands - 1;
      Grid next = grid_of(b, over ? d + 1 : d, over ? 0 : q + 1);
      i32 turn = (d * b->stands + q) & 1;
      memset(room->spread[turn ^ 1], 0, sizeof(double) * (size_t)next.cells);
      each_cell(room, b, d, q, go_on);
    }
  for (i32 q = 0; q < b->stands; q++)
    for (i32 d = 0; d < b->layers; d++)
      for (i32 n = 0; n < b->places[q]; n++)
        for (i32 k = 1; k <= b->copies[d] && n + k <= b->places[q]; k++)
          for (i32 i = 0; i < k && b->mass[q][d][n][k] > 0; i++)
            b->chance[q][n + i][d] += b->mass[q][d][n][k];
}

/* The weights where the first yellow wire of each stand that has one is layer first[i]. */
static void first_yellow(const Rules *rules, Belief *b, const Belief *base, const i32 *first) {
  for (i32 i = 0; i < base->yellow_facts; i++) {
    i32 q = base->yellow_stand[i];
    memcpy(b->weight[q], base->weight[q], sizeof b->weight[q]);
    for (i32 d = 0; d <= first[i]; d++) {
      if (rules->value[b->wire[d]] != YELLOW) continue;
      for (i32 n = 0; n <= b->places[q]; n++)
        for (i32 k = 0; k <= COPIES; k++)
          if (d == first[i] ? !k : k) b->weight[q][d][n][k] = 0;
    }
  }
}

/* Chances of a seat. OK, IMPOSSIBLE, or TOO_LARGE. */
static i32 believe(Room *room, const Game *game, i32 viewer, bool chances) {
  Belief *b = &room->belief;
  belief_open(room->rules, game, viewer, b);
  for (i32 q = 0; q < b->stands; q++)
    memset(b->chance[q], 0, sizeof b->chance[q][0] * (size_t)b->places[q]);
  room->runs = 0;
  b->all = 0;
  i32 yellow[LAYERS], some = 0, pick[OTHERS] = {0};
  for (i32 d = 0; d < b->layers; d++)
    if (room->rules->value[b->wire[d]] == YELLOW) yellow[some++] = d;
  if (!b->stands || (b->yellow_facts && !some)) return IMPOSSIBLE;
  if (b->yellow_facts) room->base = *b;
  for (;;) {
    Run *run = &room->run[room->runs];
    for (i32 i = 0; i < b->yellow_facts; i++) run->first[i] = yellow[pick[i]];
    if (b->yellow_facts) first_yellow(room->rules, b, &room->base, run->first);
    run->all = cut_ranges(b) ? backward(room, b) : 0;
    if (run->all < 0) return TOO_LARGE;
    if (run->all > 0) {
      if (chances) forward(room, b);
      b->all += run->all;
      if (++room->runs == MOST_RUNS) return TOO_LARGE;
    }
    i32 i = 0;
    while (i < b->yellow_facts && ++pick[i] == some) pick[i++] = 0;
    if (i == b->yellow_facts) break;
  }
  return b->all > 0 ? OK : IMPOSSIBLE;
}

/* ---- drawing deals --------------------------------------------------------------------------- */

static i32 draw_copies(Room *room, const Belief *b, i32 d, i32 q, const i32 *filled, i32 left) {
  if (q == b->stands - 1) return left;
  Grid next = grid_of(b, d, q + 1);
  const double *after = table_at(room, b, d, q + 1);
  double share[CELL], sum = 0;
  i32 base = 0, taken = 0;
  for (i32 z = 0; z < b->stands - 1; z++) base += (filled[z] - next.low[z]) * next.stride[z];
  for (i32 k = 0; k <= left; k++) {
    i32 then = filled[q] + k - next.low[q];
    bool may = then >= 0 && then < next.count[q];
    share[k] = may ? b->weight[q][d][filled[q]][k] * after[base + k * next.stride[q] + left - k] : 0;
    sum += share[k];
  }
  double at = random_share(&room->random) * sum;
  for (i32 k = 0; k <= left; k++)
    if (share[k] > 0) {
      taken = k;
      at -= share[k];
      if (at < 0) break;
    }
  return taken;
}

/* One deal from the table of the last backward pass. */
static void draw_deal(Room *room, const Belief *b, Game *game) {
  i32 filled[OTHERS] = {0};
  for (i32 d = 0; d < b->layers; d++) {
    i32 left = b->copies[d];
    for (i32 q = 0; q < b->stands; q++) {
      i32 k = draw_copies(room, b, d, q, filled, left);
      for (i32 i = 0; i < k; i++)
        game->wire[b->stand[q]][b->slot[q][filled[q] + i]] = (u8)b->wire[d];
      filled[q] += k;
      left -= k;
    }
  }
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void uncover(const Rules *rules, Game *game, i32 s, i32 j, i32 state) {
  game->state[s][j] = (u8)state;
  game->has[s] &= ~(1u << rules->value[game->wire[s][j]]);
}

static i32 uncut_wires(const Rules *rules, const Game *game, i32 player) {
  i32 count = 0;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->owner[s] == player && j < rules->size[s]; j++)
      count += game->state[s][j] != CUT;
  return count;
}

/* The actor's own wire that goes along: a hidden copy before a shown one. */
static void cut_own(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, slot = -1;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->owner[s] == game->turn && j < rules->size[s]; j++) {
      if (game->state[s][j] == CUT || rules->value[game->wire[s][j]] != value) continue;
      if (stand >= 0 && (game->state[stand][slot] == HIDDEN || game->state[s][j] == SHOWN)) continue;
      stand = s;
      slot = j;
    }
  if (stand >= 0) uncover(rules, game, stand, slot, CUT);
}

/* Who names a value in vain holds it: known of a player with one stand that shows none. */
static void say_has(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, stands = 0;
  bool shown = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn) continue;
    bool some = false;
    for (i32 j = 0; j < rules->size[s]; j++) {
      some |= game->state[s][j] != CUT;
      shown |= game->state[s][j] == SHOWN && rules->value[game->wire[s][j]] == value;
    }
    stands += some;
    if (some) stand = s;
  }
  if (stands == 1 && !shown) game->has[stand] |= 1u << value;
}

/* A failed cut's token: the value, or in a parity mission even or odd. */
static void lay_token(const Rules *rules, Game *game, i32 s, i32 j, i32 named) {
  i32 value = rules->value[game->wire[s][j]];
  game->allowed[s][j] &= ~rules->of_value[named];
  if (rules->parity && value < YELLOW)
    game->allowed[s][j] &= value % 2 ? rules->odd : ~rules->odd & ~rules->of_value[YELLOW] &
                                                        ~rules->of_value[RED];
  else
    uncover(rules, game, s, j, SHOWN);
}

/* 1 won, -1 lost, 0 the game goes on. */
static i32 act(const Rules *rules, Game *game, const Choice *choice) {
  i32 value = choice->value;
  if (choice->kind != DUAL) {
    for (i32 s = 0; s < rules->stands; s++)
      for (i32 j = 0; rules->owner[s] == game->turn && j < rules->size[s]; j++)
        if (choice->kind == REVEAL || rules->value[game->wire[s][j]] == value)
          uncover(rules, game, s, j, CUT);
  } else if (rules->value[game->wire[choice->stand][choice->slot]] == value) {
    uncover(rules, game, choice->stand, choice->slot, CUT);
    cut_own(rules, game, value);
  } else {
    if (rules->value[game->wire[choice->stand][choice->slot]] == RED) return -1;
    if (--game->steps <= 0) return -1;
    lay_token(rules, game, choice->stand, choice->slot, value);
    say_has(rules, game, value);
  }
  bool left = false;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++)
      left |= game->state[s][j] != CUT && rules->value[game->wire[s][j]] != RED;
  if (!left) return 1; /* only red is left, and it is shown */
  do game->turn = (game->turn + 1) % rules->players;
  while (!uncut_wires(rules, game, game->turn));
  return 0;
}

/* ---- what a seat does ------------------------------------------------------------------------ */

/* How many uncut wires of each value the seat holds, and how many there are. */
static void count_values(const Rules *rules, const Game *game, i32 *own, i32 *all) {
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++) {
      if (game->state[s][j] == CUT) continue;
      i32 value = rules->value[game->wire[s][j]];
      all[value]++;
      own[value] += rules->owner[s] == game->turn;
    }
}

/* What is sure without counting: a shown partner, the last ones, nothing but red. */
static bool sure_choice(const Rules *rules, const Game *game, const i32 *own, const i32 *all,
                        Choice *choice) {
  i32 others = 0;
  for (i32 v = 1; v < RED; v++) others += own[v];
  *choice = (Choice){REVEAL, 0, 0, 0, 1, 0};
  if (!others) return true;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->owner[s] != game->turn && j < rules->size[s]; j++) {
      i32 value = rules->value[game->wire[s][j]];
      *choice = (Choice){DUAL, s, j, value, 1, 0};
      if (game->state[s][j] == SHOWN && value < RED && own[value]) return true;
    }
  for (i32 v = 1; v <= YELLOW; v++) {
    *choice = (Choice){SOLO, 0, 0, v, 1, 0};
    if (own[v] && own[v] == all[v] && (v == YELLOW || own[v] % 2 == 0)) return true;
  }
  return false;
}

/* The roll-out rule: what is sure, else the largest chance of success less the chance of red. */
static i32 choose(Room *room, const Game *game, Choice *choice) {
  const Rules *rules = room->rules;
  i32 own[VALUES] = {0}, all[VALUES] = {0};
  count_values(rules, game, own, all);
  if (sure_choice(rules, game, own, all, choice)) return OK;
  i32 status = believe(room, game, game->turn, true);
  if (status) return status;
  const Belief *b = &room->belief;
  double best = -2;
  for (i32 q = 0; q < b->stands; q++)
    for (i32 e = 0; e < b->places[q]; e++) {
      double value[VALUES] = {0};
      for (i32 d = 0; d < b->layers; d++)
        value[rules->value[b->wire[d]]] += b->chance[q][e][d] / b->all;
      for (i32 v = 1; v <= YELLOW; v++) {
        double score = value[v] - value[RED];
        if (!own[v] || value[v] <= 0 || score <= best + 1e-12) continue;
        best = score;
        *choice = (Choice){DUAL, b->stand[q], b->slot[q][e], v, value[v], value[RED]};
      }
    }
  return best > -2 ? OK : IMPOSSIBLE;
}

/* 1 won, 0 lost, below 0 a status. */
static i32 play_out(Room *room, Game *game) {
  for (;;) {
    Choice choice;
    i32 status = choose(room, game, &choice);
    if (status) return status;
    i32 end = act(room->rules, game, &choice);
    if (end) return end > 0;
  }
}

/* ---- the way in ------------------------------------------------------------------------------ */

static bool read_rules(Rules *rules, const i32 *w, i32 length) {
  memset(rules, 0, sizeof *rules);
  if (length < 6) return false;
  rules->players = w[0];
  rules->stands = w[1];
  rules->parity = w[4];
  rules->layers = w[5];
  if (w[0] < 2 || w[0] > STANDS || w[1] < 2 || w[1] > STANDS || w[5] < 1 || w[5] > LAYERS)
    return false;
  if (w[2] < 0 || w[2] >= w[0] || w[3] < 1 || w[3] > 9 || length < 6 + 2 * w[5]) return false;
  for (i32 t = 0; t < rules->layers; t++) {
    i32 value = w[6 + 2 * t], copies = w[7 + 2 * t];
    if (value < 1 || value > RED || copies < 1 || copies > COPIES) return false;
    rules->value[t] = value;
    rules->copies[t] = copies;
    rules->of_value[value] |= bit64(t);
    if (value < YELLOW && value % 2) rules->odd |= bit64(t);
  }
  return true;
}

static bool read_game(Rules *rules, Game *game, const i32 *w, i32 length) {
  memset(game, 0, sizeof *game);
  game->turn = w[2];
  game->steps = w[3];
  i32 at = 6 + 2 * rules->layers;
  for (i32 s = 0; s < rules->stands; s++) {
    if (at + 3 > length) return false;
    rules->owner[s] = w[at];
    rules->size[s] = w[at + 1];
    game->has[s] = (u32)w[at + 2];
    at += 3;
    if (rules->owner[s] < 0 || rules->owner[s] >= rules->players) return false;
    if (rules->size[s] < 1 || rules->size[s] > SLOTS || at + 4 * rules->size[s] > length)
      return false;
    for (i32 j = 0; j < rules->size[s]; j++, at += 4) {
      i32 state = w[at], wire = w[at + 1];
      if (state < HIDDEN || state > SHOWN || wire < 0 || wire >= rules->layers) return false;
      game->state[s][j] = (u8)state;
      game->wire[s][j] = (u8)wire;
      game->allowed[s][j] = (u64)(u32)w[at + 3] << 32 | (u32)w[at + 2];
    }
  }
  return at == length;
}

static i32 open_room(Room **room, Rules *rules, Game *game, const i32 *words, i32 length, u8 *work,
                     i32 bytes) {
  if (!read_rules(rules, words, length) || !read_game(rules, game, words, length)) return BAD;
  if (!uncut_wires(rules, game, game->turn)) return BAD; /* who moves has something to cut with */
  if (bytes < (i32)sizeof(Room) + 8 * SPREAD || (uintptr_t)work & 15) return TOO_LARGE;
  *room = (Room *)work;
  (*room)->rules = rules;
  (*room)->after = (double *)(work + ((sizeof(Room) + 15) & ~(size_t)15));
  (*room)->room = (bytes - (i32)sizeof(Room) - 16) / 8;
  return OK;
}

EXPORT(i32, rack_win_draw)(const i32 *words, i32 length, i32 seed, i32 games, u8 *work, i32 bytes,
                           u8 *deals) {
  Rules rules;
  Game game;
  Room *room;
  i32 status = open_room(&room, &rules, &game, words, length, work, bytes);
  if (status) return status;
  room->random = (u64)(u32)seed * 0x2545F4914F6CDD1Dull + 1;
  status = believe(room, &game, game.turn, false);
  if (status == IMPOSSIBLE && room->belief.stands) return 0;
  if (status == TOO_LARGE) return status;
  for (i32 g = 0; g < games; g++) {
    Game dealt = game;
    if (status == OK) {
      if (room->belief.yellow_facts || g == 0) { /* the table of the run that is drawn */
        double at = random_share(&room->random) * room->belief.all;
        i32 run = 0;
        while (run + 1 < room->runs && (at -= room->run[run].all) >= 0) run++;
        if (room->belief.yellow_facts)
          first_yellow(&rules, &room->belief, &room->base, room->run[run].first);
        if (!cut_ranges(&room->belief) || backward(room, &room->belief) <= 0) return BAD;
      }
      draw_deal(room, &room->belief, &dealt);
    }
    memcpy(deals + g * STANDS * SLOTS, dealt.wire, STANDS * SLOTS);
  }
  return 1;
}

EXPORT(i32, rack_win_play)(const i32 *words, i32 length, const u8 *deals, i32 games,
                           const i32 *choice, u8 *work, i32 bytes, u8 *won) {
  Rules rules;
  Game game;
  Room *room;
  i32 status = open_room(&room, &rules, &game, words, length, work, bytes);
  if (status) return status;
  Choice first = {choice[0], choice[1], choice[2], choice[3], 0, 0};
  if (first.kind < DUAL || first.kind > REVEAL || first.value < 0 || first.value > RED) return BAD;
  if (first.stand < 0 || first.stand >= rules.stands || first.slot < 0 ||
      first.slot >= rules.size[first.stand])
    return BAD;
  for (i32 g = 0; g < games; g++) {
    Game played = game;
    memcpy(played.wire, deals + g * STANDS * SLOTS, STANDS * SLOTS);
    for (i32 s = 0; s < STANDS; s++)
      for (i32 j = 0; j < SLOTS; j++)
        if (played.wire[s][j] >= rules.layers) return BAD;
    i32 end = act(&rules, &played, &first);
    i32 result = end ? end > 0 : play_out(room, &played);
    if (result < 0) return result == IMPOSSIBLE ? BAD : result;
    won[g] = (u8)result;
  }
  return 1;
}
