/* Exact or sampled model count as calls of bounded length: begin, run until done.
 * Drives the passes over the parts: frontier.c, forward_backward.c, marginals.c or grid.c, join.c.
 */
#include "counter.h"

enum Phase { BUILD, MEASURE, CHOOSE_WIDTH, FORWARD, JOIN, BACKWARD, MARK, FINISH, DONE };

/* 1 go on, 0 contradiction, or an error. */
static i32 begin(Counter *c, const Board *board, const i16 *state, const u8 *active) {
  enum { TABLE = 1 << 20 };
  i32 status = mines_read_problem(&c->problem, board, state, active, &c->arena);
  if (status != 1) return status;
  if (!mines_simplify(&c->problem)) return 0;
  status = mines_split(c);
  if (status != OK) return status;
  for (i32 i = 0; i < c->part_count; i++) {
    Component *part = c->parts + i;
    if ((status = mines_plan(part, &c->arena)) != OK) return status;
    part->layers = part->boxes;
    part->grid = NULL;
    if (!c->sample && (status = mines_grid_find(part, &c->arena)) != OK) return status;
  }
  c->table_room = TABLE;
  while (c->table_room > 1024 &&
         c->table_room * sizeof(u32) * 4 > (size_t)(c->arena.high - c->arena.low))
    c->table_room /= 2;
  c->table = arena_take(&c->arena, sizeof(u32) * c->table_room);
  if (!c->table) return TOO_LARGE;
  c->phase = BUILD;
  if (!c->part_count) return 1;
  status = mines_frontier_begin(c, c->parts);
  return status == OK ? 1 : status;
}

/* The next part of a phase that walks parts, or the phase after it. */
static void next_part(Counter *c, enum Phase then) {
  c->layer = 0;
  if (++c->part < c->part_count) return;
  c->part = 0;
  c->phase = then;
}

static i32 build(Counter *c, i64 *budget) {
  if (!c->part_count) {
    c->phase = CHOOSE_WIDTH;
    return 1;
  }
  i32 status = mines_frontier_run(c, c->parts + c->part, budget);
  if (status != 2) return status;
  next_part(c, MEASURE);
  if (c->phase == MEASURE) {
    c->limbs = 0;
    c->resume = c->arena.low;
    return 1;
  }
  status = mines_frontier_begin(c, c->parts + c->part);
  return status == OK ? 1 : status;
}

static i32 forward(Counter *c, i64 *budget, enum Phase then) {
  if (!c->part_count) {
    c->phase = then;
    return 1;
  }
  Component *part = c->parts + c->part;
  if (c->layer == 0 && mines_sweep_prepare(c, part) != OK) return TOO_LARGE;
  if (part->grid) mines_grid_forward(c, part, c->layer++, budget);
  else mines_forward_pass(c, part, c->layer++, budget);
  if (c->layer == part->layers) next_part(c, then);
  return 1;
}

static i32 take_mass(Counter *c) {
  size_t bytes = sizeof(u64) * (size_t)max32(1, c->limbs) * (size_t)(c->classes + 1);
  c->mass = arena_take(&c->arena, bytes);
  if (!c->mass) return TOO_LARGE;
  memset(c->mass, 0, bytes);
  return OK;
}

/* The total as a double tells how many words the exact numbers need. Its relative error is below
 * 1e-9, so one spare bit is plenty. */
static i32 choose_width(Counter *c) {
  if (!c->part_count) c->resume = c->arena.low;
  if (take_mass(c) != OK || mines_join(c) != OK) return TOO_LARGE;
  union { u64 u; double d; } total = {c->mass[0]};
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
  if (!c->part_count) {
    c->phase = FINISH;
    return 1;
  }
  Component *part = c->parts + c->part;
  if (c->layer == 0) {
    c->resume = c->arena.low;
    if (mines_weigh(c, c->part) != OK) return TOO_LARGE;
  }
  i32 layer = part->layers - 1 - c->layer++;
  if (part->grid) mines_grid_backward(c, part, layer, budget);
  else mines_backward_pass(c, part, layer, budget);
  if (c->layer < part->layers) return 1;
  c->layer = 0;
  if (!part->merged) {
    c->arena.low = c->resume;
    next_part(c, FINISH);
    return 1;
  }
  c->phase = MARK;
  i32 status = part->grid ? mines_grid_marks_begin(c, part) : mines_marginals_begin(c, part);
  return status == OK ? 1 : TOO_LARGE;
}

static i32 mark(Counter *c, i64 *budget) {
  Component *part = c->parts + c->part;
  i32 status = part->grid ? mines_grid_marks_run(c, part, c->layer++, budget)
                          : mines_marginals_run(c, part, c->layer++, budget);
  if (status != OK) return status;
  if (c->layer < part->layers) return 1;
  c->arena.low = c->resume;
  c->phase = BACKWARD;
  next_part(c, FINISH);
  return 1;
}

static i32 class_at(const Counter *c, i32 cell) {
  const Problem *p = &c->problem;
  i32 local = p->local_of[cell];
  if (local < 0) return CLASS_NONE;
  if (p->value[local] >= 0) return p->value[local] ? CLASS_MINE : CLASS_SAFE;
  return c->class_of[local];
}

/* The classes and masses, and what the calls return with them. */
static i32 hand_over(const Counter *c, u64 *out) {
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
      case BUILD: status = build(c, &budget); break;
      case MEASURE: status = forward(c, &budget, CHOOSE_WIDTH); break;
      case CHOOSE_WIDTH: status = choose_width(c); break;
      case FORWARD: status = forward(c, &budget, JOIN); break;
      case JOIN: status = join(c); break;
      case BACKWARD: status = backward(c, &budget); break;
      case MARK: status = mark(c, &budget); break;
      default:
        if (mines_finish(c) != OK) status = TOO_LARGE;
        c->phase = DONE;
    }
  }
  if (status == 1) return hand_over(c, out);
  seal_break(&c->seal);
  return status;
}

EXPORT(i32, mines_count_begin)
(const i32 *packed, i32 length, const i16 *state, const u8 *active, i32 sample, i32 seed, u8 *work,
 i32 size, i32 budget, u64 *out) {
  Board board;
  if (!state || mines_read_board(&board, packed, length) != OK) return BAD;
  if (size < (i32)sizeof(Counter) + 64 || ((uintptr_t)work & 15) || sample < 0) return BAD;
  mines_choose_begin();
  Counter *c = (Counter *)work;
  memset(c, 0, sizeof *c);
  c->arena = arena_after(work, sizeof *c, (size_t)size);
  c->sample = sample;
  c->random = random_mix((u64)(u32)seed + 1);
  i32 status = begin(c, &board, state, active);
  if (status != 1) return status;
  seal_set(&c->seal, COUNTING, board.cells, board.groups + board.cells);
  return mines_count_run(work, budget, out);
}
