/* Frontier dynamic program for a part that is a whole grid: every row clue and every column clue
 * share one cell, and there is nothing else. So begins every combination lock.
 *
 * A layer is a row. Columns that still need as many mines are interchangeable, so a state is how
 * many columns need 0, 1, 2 … mines (counting contingency tables by column type); a step says how
 * many of each kind get one in this row and is weighted by a product of binomials. A 12 by 12 lock
 * has 1 800 such states, 60 000 cell by cell.
 *
 * Marginals as in marginals.c, a lane being the columns that began alike: of h columns of a kind
 * that get k mines, a given one gets its mine in k of h ways. */
#include "counter.h"

enum { KINDS = 16 }; /* needs that a key holds, 0 to 15; rows and columns are fewer */

/* Transitions grow down from part->transitions. */
typedef struct Move {
  u32 to, ways;
  u64 taken; /* four bits a kind: how many columns of it get a mine */
} Move;

struct Grid {
  i32 rows, columns, kinds;    /* kinds: the largest need, and one */
  i16 row[KINDS];              /* in their order: the clue, and the box at each column */
  i16 (*box)[KINDS];
  i32 lanes;
  u8 lane_of[KINDS], need_of[KINDS]; /* by column; by lane */
  u64 *now, *next;             /* marks: state, kind, lane */
  size_t room;                 /* words of each */
};

static inline Move *move_at(const Component *part, u32 index) {
  return (Move *)(void *)part->transitions - 1 - index;
}
static inline i32 taken_of(const Move *move, i32 kind) { return (i32)(move->taken >> 4 * kind & 15); }

/* ---------------------------------------------------------------- is it a grid */

static i32 shares(const Component *part, i32 box, i32 clue) {
  return part->clues_of[box][0] == clue || part->clues_of[box][1] == clue;
}

/* The columns as they stand in the first row of the plan's order; 0 if there are too many. */
static i32 find_columns(const Component *part, i32 row, i16 *column) {
  i32 count = 0;
  for (i32 i = 0; i < part->box_count[row]; i++) {
    i32 box = part->boxes_of[row][i];
    if (count == KINDS - 1) return 0;
    column[count++] = part->clues_of[box][part->clues_of[box][0] == row];
  }
  return count;
}

/* The rows in the order in which the plan meets them, each with its box at every column. */
static i32 find_rows(const Component *part, Grid *g, const i16 *column, i32 rows) {
  i16 at[MINES_CLUES];
  for (i32 q = 0; q < part->clues; q++) at[q] = -1;
  for (i32 x = 0; x < g->columns; x++) at[column[x]] = (i16)x;
  i16 place[MINES_CLUES];
  for (i32 q = 0; q < part->clues; q++) place[q] = -1;
  for (i32 i = 0; i < part->boxes; i++) {
    i32 box = part->order[i], a = part->clues_of[box][0], b = part->clues_of[box][1];
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
  return g->rows * g->columns == part->boxes && g->rows + g->columns == part->clues;
}

static void name_lanes(const Component *part, Grid *g, const i16 *column) {
  g->lanes = g->kinds = 0;
  for (i32 x = 0; x < g->columns; x++) {
    i32 need = part->need[column[x]], lane = 0;
    while (lane < g->lanes && g->need_of[lane] != need) lane++;
    if (lane == g->lanes) g->need_of[g->lanes++] = (u8)need;
    g->lane_of[x] = (u8)lane;
    g->kinds = max32(g->kinds, need + 1);
  }
}

i32 mines_grid_find(Component *part, Arena *arena) {
  enum { WORTH = 16 };
  i16 column[KINDS];
  part->grid = NULL;
  if (part->coupled || part->boxes < WORTH) return OK;
  for (i32 b = 0; b < part->boxes; b++)
    if (part->size[b] != 1 || part->degree[b] != 2) return OK;
  /* The first two boxes of the order lie in the row that is finished first. */
  i32 first = part->order[0], row = part->clues_of[first][0];
  if (!shares(part, part->order[1], row)) row = part->clues_of[first][1];
  if (!shares(part, part->order[1], row)) return OK;
  Grid *g;
  u8 *mark = arena->low;
  if (!ARENA_TAKE(arena, g, 1)) return TOO_LARGE;
  memset(g, 0, sizeof *g);
  g->columns = find_columns(part, row, column);
  i32 rows = g->columns ? part->boxes / g->columns : 0;
  i32 fits = rows > 1 && rows < KINDS;
  for (i32 x = 0; x < g->columns; x++) fits &= part->need[column[x]] < KINDS;
  if (fits && !ARENA_TAKE(arena, g->box, rows)) return TOO_LARGE;
  if (!fits || !find_rows(part, g, column, rows)) {
    arena->low = mark;
    return OK;
  }
  name_lanes(part, g, column);
  if (!ARENA_TAKE(arena, part->layer, g->rows + 1)) return TOO_LARGE;
  memset(part->layer, 0, sizeof(Layer) * (size_t)(g->rows + 1));
  for (i32 i = 0; i <= g->rows; i++) part->layer[i].slots = KINDS;
  part->grid = g;
  part->layers = g->rows;
  part->merged = 1;
  return OK;
}

void mines_grid_start(const Component *part, u8 *key) {
  const Grid *g = part->grid;
  for (i32 x = 0; x < g->columns; x++) key[g->need_of[g->lane_of[x]]]++;
}

/* ---------------------------------------------------------------- states */

/* One row's choices, kind by kind from the neediest on; `below` counts the columns of lesser ones. */
typedef struct Choice {
  Counter *counter;
  Component *part;
  Layer *next;
  State *from;
  i32 rows; /* to come, with this one */
  u8 count[KINDS], below[KINDS];
  union { u8 kind[KINDS]; u64 word[KINDS / 8]; } key;
} Choice;

static i32 take_move(Choice *c, u32 ways, u64 taken) {
  i32 to = mines_table_find(c->counter, c->next, c->key.word);
  if (to < 0) return to;
  Arena *arena = &c->counter->arena;
  if (arena->high - arena->low < (i32)sizeof(Move) + 64) return TOO_LARGE;
  arena->high -= sizeof(Move);
  *move_at(c->part, c->part->steps++) = (Move){(u32)to, ways, taken};
  c->from->steps++;
  return OK;
}

static i32 choose_from(Choice *c, i32 kind, i32 left, u32 ways, u64 taken) {
  while (kind > 0 && !c->count[kind]) kind--;
  if (!kind) return left ? OK : take_move(c, ways, taken);
  i32 count = c->count[kind], fewest = max32(0, left - c->below[kind]), most = min32(count, left);
  if (kind >= c->rows) fewest = max32(fewest, count); /* a mine in every row that is left */
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

i32 mines_grid_expand(Counter *counter, Component *part, i32 index, State *state) {
  const Grid *g = part->grid;
  Choice c = {counter, part, part->layer + index + 1, state, g->rows - index, {0}, {0}, {{0}}};
  const u8 *key = key_of(state);
  i32 below = 0;
  for (i32 v = 0; v < KINDS; v++) {
    c.count[v] = c.key.kind[v] = key[v];
    c.below[v] = (u8)below;
    if (v) below += key[v];
  }
  state->reach = part->steps;
  for (i32 v = c.rows + 1; v < KINDS; v++)
    if (key[v]) return OK;
  return choose_from(&c, KINDS - 1, part->need[g->row[index]], 1, 0);
}

void mines_grid_prune(Component *part) {
  for (i32 i = part->layers; i-- > 0;)
    for (i32 s = 0; s < part->layer[i].states; s++) {
      State *from = state_at(part->layer + i, (u32)s);
      from->alive = 0;
      for (u32 t = 0; t < from->steps; t++)
        from->alive |= state_at(part->layer + i + 1, move_at(part, from->reach + t)->to)->alive;
    }
  part->weights = 0; /* one a state, the start's first */
  for (i32 i = 0; i <= part->layers; i++)
    for (i32 s = 0; s < part->layer[i].states; s++) {
      State *state = state_at(part->layer + i, (u32)s);
      if (state->alive) state->weight_at = part->weights++;
    }
}

/* ---------------------------------------------------------------- sweeps */

/* A twentieth of the work: not worth a copy for each width. */
static i64 sweep(const Counter *c, const Component *part, i32 i, u64 *weights, i32 ahead) {
  const i32 limbs = c->limbs, width = width_of(limbs);
  const Layer *layer = part->layer + i;
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    const State *from = state_at(layer, (u32)s);
    for (u32 t = 0; from->alive && t < from->steps; t++) {
      const Move *move = move_at(part, from->reach + t);
      const State *to = state_at(layer + 1, move->to);
      if (!to->alive) continue;
      u64 *here = weights + from->weight_at * width, *there = weights + to->weight_at * width;
      add_times(ahead ? there : here, ahead ? here : there, move->ways, limbs);
    }
    cost += from->steps * width / 4;
  }
  return cost;
}

void mines_grid_forward(Counter *c, Component *part, i32 layer, i64 *budget) {
  *budget -= sweep(c, part, layer, part->forward, 1);
}

void mines_grid_backward(Counter *c, Component *part, i32 layer, i64 *budget) {
  *budget -= sweep(c, part, layer, part->backward, 0);
}

/* ---------------------------------------------------------------- whose share it is */

static size_t marks_words(const Grid *g, const Layer *layer, i32 limbs) {
  return (size_t)layer->states * (size_t)(g->kinds * g->lanes * limbs);
}

i32 mines_grid_marks_begin(Counter *c, Component *part) {
  Grid *g = part->grid;
  g->room = 0;
  for (i32 i = 0; i <= g->rows; i++) {
    size_t words = marks_words(g, part->layer + i, c->limbs);
    if (words > g->room) g->room = words;
  }
  if (!ARENA_TAKE(&c->arena, g->now, g->room) || !ARENA_TAKE(&c->arena, g->next, g->room))
    return TOO_LARGE;
  memset(g->now, 0, sizeof(u64) * marks_words(g, part->layer, c->limbs));
  for (i32 l = 0; l < g->lanes; l++)
    g->now[(size_t)((g->need_of[l] * g->lanes + l) * c->limbs)] = 1;
  return OK;
}

INLINE i64 mark_layer(Component *part, i32 i, u64 *seen, const i32 limbs) {
  Grid *g = part->grid;
  const Layer *layer = part->layer + i, *next = layer + 1;
  const size_t kind_words = (size_t)(g->lanes * limbs), words = kind_words * (size_t)g->kinds;
  u64 with[MINES_WORDS + 1];
  i64 cost = layer->states;
  for (i32 s = 0; s < layer->states; s++) {
    State *from = state_at(layer, (u32)s);
    if (!from->alive) continue;
    const u8 *key = key_of(from);
    const u64 *marks = g->now + (size_t)s * words;
    for (i32 v = 1; v < g->kinds; v++) {
      if (!key[v]) continue;
      const u64 *mark = marks + (size_t)v * kind_words;
      for (i32 w = 0; w < limbs; w++) with[w] = 0;
      for (u32 t = 0; t < from->steps; t++) {
        const Move *move = move_at(part, from->reach + t);
        const State *to = state_at(next, move->to);
        if (!to->alive) continue;
        u64 all = (u64)move->ways * (u64)taken_of(move, v) / key[v], none = move->ways - all;
        u64 *out = g->next + (size_t)move->to * words + (size_t)v * kind_words;
        if (all) {
          add_times(with, part->backward + to->weight_at * limbs, all, limbs);
          for (i32 l = 0; l < g->lanes && v > 1; l++)
            add_times(out - kind_words + l * limbs, mark + l * limbs, all, limbs);
        }
        for (i32 l = 0; l < g->lanes && none; l++)
          add_times(out + l * limbs, mark + l * limbs, none, limbs);
      }
      for (i32 l = 0; l < g->lanes; l++) add_product(seen + l * limbs, mark + l * limbs, with, limbs);
      cost += from->steps * (1 + g->lanes * limbs / 4);
    }
  }
  return cost;
}

i32 mines_grid_marks_run(Counter *c, Component *part, i32 i, i64 *budget) {
  Grid *g = part->grid;
  const i32 limbs = c->limbs;
  u64 seen[KINDS * (MINES_WORDS + 1)];
  memset(seen, 0, sizeof(u64) * (size_t)(g->lanes * limbs));
  memset(g->next, 0, sizeof(u64) * marks_words(g, part->layer + i + 1, limbs));
  *budget -= limbs == 1 ? mark_layer(part, i, seen, 1) : mark_layer(part, i, seen, limbs);
  for (i32 x = 0; x < g->columns; x++)
    add_times(tally_of(c, part, g->box[i][x]), seen + g->lane_of[x] * limbs, 1, limbs);
  u64 *swap = g->now;
  g->now = g->next;
  g->next = swap;
  return OK;
}
