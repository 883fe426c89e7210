/* Exact or sampled model count as calls of bounded length: a state machine over the components
 * (frontier.c, forward_backward.c, marginals.c or grid.c) and their combination (join.c).
 *
 *   BUILD         the states of each component
 *   MEASURE       forward pass in doubles; their product determines the width of the exact numbers
 *   FORWARD, JOIN the exact total
 *   BACKWARD, MARGINALS, FINISH  the mass of each class */
#include "counter.h"

enum Phase { BUILD, MEASURE, CHOOSE_WIDTH, FORWARD, JOIN, BACKWARD, MARGINALS, FINISH, DONE };

/* Decompose and order the problem. 1 call again, 0 contradiction, or an error. */
static i32 begin(Counter *c) {
  enum { TABLE = 1 << 20 };
  if (!mines_simplify(&c->problem)) return 0;
  i32 status = mines_decompose(c);
  if (status != OK) return status;
  for (i32 i = 0; i < c->component_count; i++) {
    Component *comp = c->components + i;
    if ((status = mines_order_boxes(comp, &c->arena)) != OK) return status;
    comp->layers = comp->boxes;
    comp->grid = NULL;
    if (!c->sample && (status = mines_grid_find(comp, &c->arena)) != OK) return status;
  }
  c->table_room = TABLE;
  while (c->table_room > 1024 && c->table_room * sizeof(u32) * 4 > (size_t)(c->arena.high - c->arena.low))
    c->table_room /= 2;
  c->table = arena_take(&c->arena, sizeof(u32) * c->table_room);
  if (!c->table) return TOO_LARGE;
  c->phase = BUILD;
  if (!c->component_count) return 1;
  status = mines_frontier_begin(c, c->components);
  return status == OK ? 1 : status;
}

/* Go to the next component, or to the next phase after the last. */
static void next_component(Counter *c, enum Phase then) {
  c->layer = 0;
  if (++c->component < c->component_count) return;
  c->component = 0;
  c->phase = then;
}

static i32 build_layers(Counter *c, i64 *budget) {
  if (!c->component_count) {
    c->phase = CHOOSE_WIDTH;
    return 1;
  }
  i32 status = mines_frontier_run(c, c->components + c->component, budget);
  if (status != 2) return status;
  next_component(c, MEASURE);
  if (c->phase == MEASURE) {
    c->limbs = 0;
    c->resume = c->arena.low;
    return 1;
  }
  status = mines_frontier_begin(c, c->components + c->component);
  return status == OK ? 1 : status;
}

static i32 forward(Counter *c, i64 *budget, enum Phase then) {
  if (!c->component_count) {
    c->phase = then;
    return 1;
  }
  Component *comp = c->components + c->component;
  if (c->layer == 0 && mines_forward_begin(c, comp) != OK) return TOO_LARGE;
  if (comp->grid) mines_grid_forward(c, comp, c->layer++, budget);
  else mines_forward_pass(c, comp, c->layer++, budget);
  if (c->layer == comp->layers) next_component(c, then);
  return 1;
}

static i32 take_mass(Counter *c) {
  size_t bytes = sizeof(u64) * (size_t)max32(1, c->limbs) * (size_t)(c->classes + 1);
  c->mass = arena_take(&c->arena, bytes);
  if (!c->mass) return TOO_LARGE;
  memset(c->mass, 0, bytes);
  return OK;
}

/* The width of the exact numbers, from the total as a double: its relative error is below 1e-9, so
 * one spare bit is enough. */
static i32 choose_width(Counter *c) {
  if (!c->component_count) c->resume = c->arena.low;
  if (take_mass(c) != OK || mines_join(c) != OK) return TOO_LARGE;
  union {
    u64 u;
    double d;
  } total = {c->mass[0]};
  if (!(total.d > 0)) return c->sample ? TOO_LARGE : 0;
  i32 bits = (i32)(total.u >> 52 & 0x7ff) - 1023 + 2;
  if (c->sample) {
    c->phase = BACKWARD;
    return 1;
  }
  c->limbs = (bits + 63) / 64;
  if (c->limbs > MINES_WORDS) return OVERFLOW;
  c->arena.low = c->resume;
  c->phase = FORWARD;
  return 1;
}

static i32 join(Counter *c) {
  if (take_mass(c) != OK || mines_join(c) != OK) return TOO_LARGE;
  c->phase = BACKWARD;
  return 1;
}

static i32 backward(Counter *c, i64 *budget) {
  if (!c->component_count) {
    c->phase = FINISH;
    return 1;
  }
  Component *comp = c->components + c->component;
  if (c->layer == 0) {
    c->resume = c->arena.low;
    if (mines_outside_weights(c, c->component) != OK) return TOO_LARGE;
  }
  i32 layer = comp->layers - 1 - c->layer++;
  if (comp->grid) mines_grid_backward(c, comp, layer, budget);
  else mines_backward_pass(c, comp, layer, budget);
  if (c->layer < comp->layers) return 1;
  c->layer = 0;
  if (!comp->merged) {
    c->arena.low = c->resume;
    next_component(c, FINISH);
    return 1;
  }
  c->phase = MARGINALS;
  i32 status = comp->grid ? mines_grid_marginals_begin(c, comp) : mines_marginals_begin(c, comp);
  return status == OK ? 1 : TOO_LARGE;
}

static i32 marginals(Counter *c, i64 *budget) {
  Component *comp = c->components + c->component;
  i32 status = comp->grid ? mines_grid_marginals_run(c, comp, c->layer++, budget)
                          : mines_marginals_run(c, comp, c->layer++, budget);
  if (status != OK) return status;
  if (c->layer < comp->layers) return 1;
  c->arena.low = c->resume;
  c->phase = BACKWARD;
  next_component(c, FINISH);
  return 1;
}

static i32 class_at(const Counter *c, i32 cell) {
  const Problem *p = &c->problem;
  i32 local = p->local_of[cell];
  if (local < 0) return CLASS_NONE;
  if (p->value[local] >= 0) return p->value[local] ? CLASS_MINE : CLASS_SAFE;
  return c->class_of[local];
}

/* Write the classes and masses; the result of mines_count_run. */
static i32 write_result(const Counter *c, u64 *out) {
  i16 *classes = (i16 *)out;
  for (i32 x = 0; x < c->problem.board_cells; x++) classes[x] = (i16)class_at(c, x);
  memcpy(out + (c->problem.board_cells + 3) / 4, c->mass,
         sizeof(u64) * (size_t)(max32(1, c->limbs) * (c->classes + 1)));
  return (c->limbs + 1) << 16 | c->classes;
}

EXPORT(i32, mines_count_run)(u8 *work, i32 allowance, u64 *out) {
  Counter *c = (Counter *)work;
  if (!seal_holds(c, COUNTING)) return BAD;
  i64 budget = allowance;
  i32 status = 1;
  while (status == 1 && c->phase != DONE) {
    if (budget <= 0) return 1;
    budget--;
    switch (c->phase) {
      case BUILD: status = build_layers(c, &budget); break;
      case MEASURE: status = forward(c, &budget, CHOOSE_WIDTH); break;
      case CHOOSE_WIDTH: status = choose_width(c); break;
      case FORWARD: status = forward(c, &budget, JOIN); break;
      case JOIN: status = join(c); break;
      case BACKWARD: status = backward(c, &budget); break;
      case MARGINALS: status = marginals(c, &budget); break;
      default:
        if (mines_scale_masses(c) != OK) status = TOO_LARGE;
        c->phase = DONE;
    }
  }
  if (status == 1) return write_result(c, out);
  seal_break(&c->seal);
  return status;
}

EXPORT(i32, mines_count_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, i32 sample, i32 seed, u8 *work, i32 size,
 i32 budget, u64 *out) {
  Board board;
  if (sample < 0) return BAD;
  mines_choose_begin();
  Counter *c = (Counter *)work;
  i32 status =
      mines_begin(work, size, sizeof *c, &c->arena, &board, &c->problem, packed, length, state, active);
  if (status != 1) return status;
  c->sample = sample;
  c->random = random_mix((u64)(u32)seed + 1);
  status = begin(c);
  if (status != 1) return status;
  seal_set(&c->seal, COUNTING, board.cells, board.groups + board.cells);
  return mines_count_run(work, budget, out);
}
