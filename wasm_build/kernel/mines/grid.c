/* Frontier dynamic program for a component that is a whole grid: every row clue and every column
 * clue share one cell, and there is nothing else. Every combination lock begins as one.
 *
 * A layer is a row. Columns with equal need are interchangeable, so a state is the number of
 * columns of each need 0, 1, 2 … (contingency tables counted by column type, in the manner of
 * transfer matrices); a step gives the number of columns of each need that get a mine in this row,
 * weighted by a product of binomials. A 12 by 12 lock has 1 800 such states, 60 000 cell by cell.
 *
 * Marginals as in marginals.c, a lane being the columns of equal need at the start: of h columns of
 * one need, k of which get a mine, a given one gets it in k of h ways. */
#include "counter.h"

enum { KINDS = 16 }; /* needs 0 to 15; fewer rows and columns */

/* Transitions grow down from comp->transitions. */
typedef struct Move {
  u32 to, ways;
  u64 taken; /* four bits a kind: how many columns of it get a mine */
} Move;

struct Grid {
  i32 rows, columns, kinds;    /* kinds: largest need + 1 */
  i16 row[KINDS];              /* row -> its clue; its box at each column */
  i16 (*box)[KINDS];
  i32 lanes;
  u8 lane_of[KINDS], need_of[KINDS]; /* by column; by lane */
  u64 *now, *next;             /* ways by state, kind, lane */
  size_t room;                 /* words of each */
};

static inline Move *move_at(const Component *comp, u32 index) {
  return (Move *)(void *)comp->transitions - 1 - index;
}
static inline i32 taken_of(const Move *move, i32 kind) { return (i32)(move->taken >> 4 * kind & 15); }

/* ---------------------------------------------------------------- detection */

static i32 shares(const Component *comp, i32 box, i32 clue) {
  return comp->clues_of[box][0] == clue || comp->clues_of[box][1] == clue;
}

/* The columns in the order of a row's boxes; 0 if there are too many. */
static i32 find_columns(const Component *comp, i32 row, i16 *column) {
  i32 count = 0;
  for (i32 i = 0; i < comp->box_count[row]; i++) {
    i32 box = comp->boxes_of[row][i];
    if (count == KINDS - 1) return 0;
    column[count++] = comp->clues_of[box][comp->clues_of[box][0] == row];
  }
  return count;
}

/* The rows in elimination order, each with its box at every column; 0 if it is no grid. */
static i32 find_rows(const Component *comp, Grid *g, const i16 *column, i32 rows) {
  i16 at[MINES_CLUES];
  for (i32 q = 0; q < comp->clues; q++) at[q] = -1;
  for (i32 x = 0; x < g->columns; x++) at[column[x]] = (i16)x;
  i16 place[MINES_CLUES];
  for (i32 q = 0; q < comp->clues; q++) place[q] = -1;
  for (i32 i = 0; i < comp->boxes; i++) {
    i32 box = comp->order[i], a = comp->clues_of[box][0], b = comp->clues_of[box][1];
    i32 row = at[a] < 0 ? a : b, x = at[a] < 0 ? at[b] : at[a];
    if (x < 0 || at[row] >= 0) return 0;
    if (place[row] < 0) {
      if (g->rows == rows) return 0;
      for (i32 y = 0; y < g->columns; y++) g->box[g->rows][y] = -1;
      g->row[g->rows] = (i16)row;
      place[row] = (i16)g->rows++;
    }
    if (g->box[place[row]][x] >= 0) return 0;
    g->box[place[row]][x] = (i16)box;
  }
  return g->rows * g->columns == comp->boxes && g->rows + g->columns == comp->clues;
}

static void assign_lanes(const Component *comp, Grid *g, const i16 *column) {
  g->lanes = g->kinds = 0;
  for (i32 x = 0; x < g->columns; x++) {
    i32 need = comp->need[column[x]], lane = 0;
    while (lane < g->lanes && g->need_of[lane] != need) lane++;
    if (lane == g->lanes) g->need_of[g->lanes++] = (u8)need;
    g->lane_of[x] = (u8)lane;
    g->kinds = max32(g->kinds, need + 1);
  }
}

i32 mines_grid_find(Component *comp, Arena *arena) {
  enum { WORTH = 16 };
  i16 column[KINDS];
  comp->grid = NULL;
  if (comp->coupled || comp->boxes < WORTH) return OK;
  for (i32 b = 0; b < comp->boxes; b++)
    if (comp->size[b] != 1 || comp->degree[b] != 2) return OK;
  /* The first two boxes of the order are in the row that is finished first. */
  i32 first = comp->order[0], row = comp->clues_of[first][0];
  if (!shares(comp, comp->order[1], row)) row = comp->clues_of[first][1];
  if (!shares(comp, comp->order[1], row)) return OK;
  Grid *g;
  u8 *mark = arena->low;
  if (!ARENA_TAKE(arena, g, 1)) return TOO_LARGE;
  memset(g, 0, sizeof *g);
  g->columns = find_columns(comp, row, column);
  i32 rows = g->columns ? comp->boxes / g->columns : 0;
  i32 fits = rows > 1 && rows < KINDS;
  for (i32 x = 0; x < g->columns; x++) fits &= comp->need[column[x]] < KINDS;
  if (fits && !ARENA_TAKE(arena, g->box, rows)) return TOO_LARGE;
  if (!fits || !find_rows(comp, g, column, rows)) {
    arena->low = mark;
    return OK;
  }
  assign_lanes(comp, g, column);
  if (!ARENA_TAKE(arena, comp->layer, g->rows + 1)) return TOO_LARGE;
  memset(comp->layer, 0, sizeof(Layer) * (size_t)(g->rows + 1));
  for (i32 i = 0; i <= g->rows; i++) comp->layer[i].slots = KINDS;
  comp->grid = g;
  comp->layers = g->rows;
  comp->merged = 1;
  return OK;
}

void mines_grid_start(const Component *comp, u8 *key) {
  const Grid *g = comp->grid;
  for (i32 x = 0; x < g->columns; x++) key[g->need_of[g->lane_of[x]]]++;
}

/* ---------------------------------------------------------------- states */

/* Enumeration of one row's steps, by descending need; `below`: the columns of smaller need. */
typedef struct Choice {
  Counter *counter;
  Component *comp;
  Layer *next;
  State *from;
  i32 rows; /* to come, with this one */
  u8 count[KINDS], below[KINDS];
  union {
    u8 kind[KINDS];
    u64 word[KINDS / 8];
  } key;
} Choice;

static i32 take_move(Choice *c, u32 ways, u64 taken) {
  i32 to = mines_table_find(c->counter, c->next, c->key.word);
  if (to < 0) return to;
  Arena *arena = &c->counter->arena;
  if (arena->high - arena->low < (i32)sizeof(Move) + 64) return TOO_LARGE;
  arena->high -= sizeof(Move);
  *move_at(c->comp, c->comp->steps++) = (Move){(u32)to, ways, taken};
  c->from->steps++;
  return OK;
}

static i32 choose_from(Choice *c, i32 kind, i32 left, u32 ways, u64 taken) {
  while (kind > 0 && !c->count[kind]) kind--;
  if (!kind) return left ? OK : take_move(c, ways, taken);
  i32 count = c->count[kind], fewest = max32(0, left - c->below[kind]), most = min32(count, left);
  if (kind >= c->rows) fewest = max32(fewest, count); /* a mine in every remaining row */
  const u64 *choices = mines_choose_row(count);
  for (i32 k = fewest; k <= most; k++) {
    c->key.kind[kind] -= (u8)k;
    c->key.kind[kind - 1] += (u8)k;
    i32 status = choose_from(c, kind - 1, left - k, ways * (u32)choices[k], taken | (u64)k << 4 * kind);
    c->key.kind[kind] += (u8)k;
    c->key.kind[kind - 1] -= (u8)k;
    if (status != OK) return status;
  }
  return OK;
}

i32 mines_grid_expand(Counter *counter, Component *comp, i32 index, State *state) {
  const Grid *g = comp->grid;
  Choice c = {counter, comp, comp->layer + index + 1, state, g->rows - index, {0}, {0}, {{0}}};
  const u8 *key = key_of(state);
  i32 below = 0;
  for (i32 v = 0; v < KINDS; v++) {
    c.count[v] = c.key.kind[v] = key[v];
    c.below[v] = (u8)below;
    if (v) below += key[v];
  }
  state->reach = comp->steps;
  for (i32 v = c.rows + 1; v < KINDS; v++)
    if (key[v]) return OK;
  return choose_from(&c, KINDS - 1, comp->need[g->row[index]], 1, 0);
}

void mines_grid_prune(Component *comp) {
  for (i32 i = comp->layers; i-- > 0;)
    for (i32 s = 0; s < comp->layer[i].states; s++) {
      State *from = state_at(comp->layer + i, (u32)s);
      from->alive = 0;
      for (u32 t = 0; t < from->steps; t++)
        from->alive |= state_at(comp->layer + i + 1, move_at(comp, from->reach + t)->to)->alive;
    }
  comp->weights = 0; /* one a state, that of the start first */
  for (i32 i = 0; i <= comp->layers; i++)
    for (i32 s = 0; s < comp->layer[i].states; s++) {
      State *state = state_at(comp->layer + i, (u32)s);
      if (state->alive) state->weight_at = comp->weights++;
    }
}

/* ---------------------------------------------------------------- forward and backward pass */

/* A twentieth of the work, hence not inlined by width. */
static i64 sweep(const Counter *c, const Component *comp, i32 i, u64 *weights, i32 ahead) {
  const i32 limbs = c->limbs, width = width_of(limbs);
  const Layer *layer = comp->layer + i;
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (u32 t = 0; from->alive && t < from->steps; t++) {
      const Move *move = move_at(comp, from->reach + t);
      const State *to = state_at(layer + 1, move->to);
      if (!to->alive) continue;
      u64 *here = weights + from->weight_at * width, *there = weights + to->weight_at * width;
      add_times(ahead ? there : here, ahead ? here : there, move->ways, limbs);
    }
    cost += from->steps * width / 4;
  }
  return cost;
}

void mines_grid_forward(Counter *c, Component *comp, i32 layer, i64 *budget) {
  *budget -= sweep(c, comp, layer, comp->forward, 1);
}

void mines_grid_backward(Counter *c, Component *comp, i32 layer, i64 *budget) {
  *budget -= sweep(c, comp, layer, comp->backward, 0);
}

/* ---------------------------------------------------------------- marginals */

static size_t ways_words(const Grid *g, const Layer *layer, i32 limbs) {
  return (size_t)layer->states * (size_t)(g->kinds * g->lanes * limbs);
}

i32 mines_grid_marginals_begin(Counter *c, Component *comp) {
  Grid *g = comp->grid;
  g->room = 0;
  for (i32 i = 0; i <= g->rows; i++) {
    size_t words = ways_words(g, comp->layer + i, c->limbs);
    if (words > g->room) g->room = words;
  }
  if (!ARENA_TAKE(&c->arena, g->now, g->room) || !ARENA_TAKE(&c->arena, g->next, g->room)) return TOO_LARGE;
  memset(g->now, 0, sizeof(u64) * ways_words(g, comp->layer, c->limbs));
  for (i32 l = 0; l < g->lanes; l++) g->now[(size_t)((g->need_of[l] * g->lanes + l) * c->limbs)] = 1;
  return OK;
}

INLINE i64 track_layer(Component *comp, i32 i, u64 *mass, const i32 limbs) {
  Grid *g = comp->grid;
  const Layer *layer = comp->layer + i, *next = layer + 1;
  const size_t kind_words = (size_t)(g->lanes * limbs), words = kind_words * (size_t)g->kinds;
  u64 with[MINES_WORDS + 1];
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    if (!from->alive) continue;
    const u8 *key = key_of(from);
    const u64 *ways = g->now + (size_t)s * words;
    for (i32 v = 1; v < g->kinds; v++) {
      if (!key[v]) continue;
      const u64 *here = ways + (size_t)v * kind_words;
      for (i32 w = 0; w < limbs; w++) with[w] = 0;
      for (u32 t = 0; t < from->steps; t++) {
        const Move *move = move_at(comp, from->reach + t);
        const State *to = state_at(next, move->to);
        if (!to->alive) continue;
        u64 all = (u64)move->ways * (u64)taken_of(move, v) / key[v], none = move->ways - all;
        u64 *out = g->next + (size_t)move->to * words + (size_t)v * kind_words;
        if (all) {
          add_times(with, comp->backward + to->weight_at * limbs, all, limbs);
          for (i32 l = 0; l < g->lanes && v > 1; l++)
            add_times(out - kind_words + l * limbs, here + l * limbs, all, limbs);
        }
        for (i32 l = 0; l < g->lanes && none; l++) add_times(out + l * limbs, here + l * limbs, none, limbs);
      }
      for (i32 l = 0; l < g->lanes; l++) add_product(mass + l * limbs, here + l * limbs, with, limbs);
      cost += from->steps * (1 + g->lanes * limbs / 4);
    }
  }
  return cost;
}

i32 mines_grid_marginals_run(Counter *c, Component *comp, i32 i, i64 *budget) {
  Grid *g = comp->grid;
  const i32 limbs = c->limbs;
  u64 mass[KINDS * (MINES_WORDS + 1)];
  memset(mass, 0, sizeof(u64) * (size_t)(g->lanes * limbs));
  memset(g->next, 0, sizeof(u64) * ways_words(g, comp->layer + i + 1, limbs));
  *budget -= limbs == 1 ? track_layer(comp, i, mass, 1) : track_layer(comp, i, mass, limbs);
  for (i32 x = 0; x < g->columns; x++)
    add_times(mass_of(c, comp, g->box[i][x]), mass + g->lane_of[x] * limbs, 1, limbs);
  u64 *swap = g->now;
  g->now = g->next;
  g->next = swap;
  return OK;
}
