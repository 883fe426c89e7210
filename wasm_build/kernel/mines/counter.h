/* Model counting by the frontier method: the structures that problem, components,
 * elimination_order, table, frontier, forward_backward, join, marginals, grid and count share.
 *
 *   cells ──equal membership──> classes ──linked by clues──> regions
 *   region = one *coupling* clue that covers most of it (such as the board's total), whose mines
 *            are carried as an index, + *parts* that hang together without it
 *   part   = boxes (pieces of a class, at most 60 cells) in an order; the clues that are begun
 *            but not finished after i boxes are the *slots* of layer i
 *   state  = what each slot still needs; one step places 0..size mines into the next box
 *
 * Clues whose rest of the way looks alike (same boxes to come, same partners) are
 * interchangeable: their needs are kept sorted and many states become one. That is what makes a
 * 12 by 12 board with row and column counts cheap: 18 000 states instead of 10 million. Which
 * clue sits in which slot is then no longer known; marginals.c says how the cells of one particular
 * clue are counted all the same. "Looks alike" compares 64-bit sums of mixed keys; a false match
 * has a chance below 2^-40 for a board. */
#ifndef CLUEWISE_MINES_COUNT_H
#define CLUEWISE_MINES_COUNT_H

#include "mines.h"
#include "shared/sets.h"

enum {
  BOX_CELLS = 60,   /* binomials of a box fit 64 bits */
  DEGREE = 48,      /* clues a box may lie in */
  SLOTS = 64,       /* clues open at once */
  WIDE = 2 * SLOTS, /* slots of a layer and those that its box adds */
  NO_SLOT = 255,
  PARTS = 256,
  STATES = 1200000, /* the limit of states of a position */
};
#define DEAD 0xFFFFFFFFu

/* A state's record: this head, then one byte per slot, padded to 8.
 *   reach     of its steps in the part's transitions, `steps` of them from `fewest` mines up
 *   weight_at where its weights begin, one per number of coupling mines from `low` to `high` */
typedef struct State {
  u32 reach, weight_at;
  i16 low, high;
  u16 steps;
  u8 fewest, alive;
} State;

typedef struct Layer {
  /* before box i */
  i32 slots;
  i16 *clue;                  /* slot -> clue that sits there by name (its class is what counts) */
  u8 *class_from, *class_to;  /* slot -> the slots of its class */
  i32 stride, states;         /* bytes a record; number of records */
  u8 *records;
  double *scale, *ways;       /* sampled runs, per state: its multiplier, ways to reach it */
  /* the step over box i. Wide slots: the layer's, then the ones added. */
  i32 touched, added;
  u8 *touched_slot;           /* wide slots of the box's clues */
  i16 *touched_left;          /* cells of that clue after this box */
  i16 *added_clue;
  u8 *source;                 /* next layer's slot -> wide slot */
  u8 *target;                 /* wide slot -> next layer's slot or NO_SLOT */
  i32 blurred;                /* the touched slot whose clue is not known by name, or -1 */
  u32 last_step;              /* transitions up to and with this box */
} Layer;

typedef struct Grid Grid;

typedef struct Component {
  i32 boxes, clues;
  i32 layers;                 /* steps from the start to the end: its boxes, or a grid's rows */
  Grid *grid;                 /* grid.c, or NULL */
  i32 coupled, most;          /* 1 if a coupling clue runs through it; how many mines that has */
  u8 *size, *counted, *copy;  /* box: cells; lies in the coupling clue; piece number of its class */
  i16 *class_of;              /* box -> class */
  i32 *degree;
  i16 (*clues_of)[DEGREE];
  i16 *need, *cells;          /* clue: mines, cells within the part */
  i32 *box_count;
  i16 **boxes_of;
  i16 *order;                 /* boxes as they are placed */
  i32 *family;                /* clue -> representative of those it was ever interchangeable with */
  u8 *mergeable;              /* clue: may share a class */
  u64 *shape;                 /* clue: hash of its whole structure at the start */
  i32 merged;                 /* some class has two clues */
  double estimate;            /* states expected, summed over layers */
  Layer *layer;               /* boxes + 1 */
  u32 *transitions;           /* grows down: step e is transitions[-1 - e] */
  u32 steps, weights;
  u64 *forward, *backward;
} Component;

typedef struct Region {
  i32 coupling, most;         /* clue of the problem or -1; its need */
  i32 first_part, parts;
  i32 free_class, free_cells; /* cells in no clue but the coupling one; class -1 if none */
  struct Row *before, *after; /* join.c: layouts by coupling mines, a row per part and one more */
} Region;

typedef struct Counter {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 classes, unconstrained;         /* loose: the class of cells in no clue, or -1 */
  i32 *class_of;              /* local cell -> class, -1 where simplify decided */
  i32 *class_size, *class_degree, *class_region;
  i16 **class_clues;
  Component *parts;
  i32 part_count;
  Region *regions;
  i32 region_count;
  i32 limbs;                  /* words of a number; 0 = doubles */
  i32 sample;                 /* most states a layer when sampling, 0 = exact */
  u64 random;
  i32 states;                 /* so far, against STATES */
  u64 *mass;                  /* [0] the total, [1 + class] */
  /* where the work stands */
  i32 phase, part, layer, state, filtering;
  u32 *table;                 /* frontier: hash table of the next layer */
  u32 table_room, table_size;
  u8 *resume;                 /* sweep: store mark to return to */
  struct Marks *marks;
} Counter;

static inline State *state_at(const Layer *layer, u32 index) {
  return (State *)(layer->records + (size_t)index * (size_t)layer->stride);
}
static inline u8 *key_of(State *state) { return (u8 *)(state + 1); }
/* The same as words: a record is a whole number of them, and what pads it is 0. */
static inline u64 *words_of(State *state) { return (u64 *)(void *)(state + 1); }
static inline i32 key_words(const Layer *layer) {
  return (layer->stride - (i32)sizeof(State)) / 8;
}
static inline u32 *step_at(const Component *part, u32 index) { return part->transitions - 1 - index; }
static inline u64 clue_key(i32 clue) { return random_mix((u64)(clue + 1) * 0x9FB21C651E98DF25ull); }

/* components.c: classes, regions and parts of the simplified problem. OK or TOO_LARGE. */
i32 mines_split(Counter *counter);
/* elimination_order.c: an order of the part's boxes and its layers. OK or TOO_LARGE. */
i32 mines_plan(Component *part, Arena *arena);
/* table.c: an empty table for a layer, a power of two; the state of `next` with that key, new if
 * need be, or TOO_LARGE. */
void mines_table_clear(Counter *counter, u32 size);
i32 mines_table_find(Counter *counter, Layer *next, const u64 *key);
/* frontier.c: all states of a part, a slice of about `*budget` units at a time. 1 go on, 2 done,
 * 0 the part has no layout, TOO_LARGE. */
i32 mines_frontier_begin(Counter *counter, Component *part);
i32 mines_frontier_run(Counter *counter, Component *part, i64 *budget);
/* forward_backward.c: numbers over the states; each works on one layer and takes its cost off *budget. */
i32 mines_sweep_prepare(Counter *counter, Component *part);
void mines_forward_pass(Counter *counter, Component *part, i32 layer, i64 *budget);
void mines_backward_pass(Counter *counter, Component *part, i32 layer, i64 *budget);
void mines_rescale(const Layer *layer, u64 *weights);  /* sampled runs: a layer's multipliers */
/* join.c: OK or TOO_LARGE. */
i32 mines_join(Counter *counter);                      /* totals; doubles choose `limbs` */
i32 mines_weigh(Counter *counter, i32 part);           /* weights at a part's end, for backward */
i32 mines_finish(Counter *counter);
/* grid.c: parts that are whole grids go row by row. `find` says in part->grid whether it is one; the
 * others do what the frontier, the sweeps and the marks do. */
i32 mines_grid_find(Component *part, Arena *arena);
void mines_grid_start(const Component *part, u8 *key);
i32 mines_grid_expand(Counter *counter, Component *part, i32 layer, State *state);
void mines_grid_prune(Component *part);
void mines_grid_forward(Counter *counter, Component *part, i32 layer, i64 *budget);
void mines_grid_backward(Counter *counter, Component *part, i32 layer, i64 *budget);
i32 mines_grid_marks_begin(Counter *counter, Component *part);
i32 mines_grid_marks_run(Counter *counter, Component *part, i32 layer, i64 *budget);
/* marginals.c: whose share a box's layouts are, where interchangeable clues were merged. */
i32 mines_marginals_begin(Counter *counter, Component *part);
i32 mines_marginals_run(Counter *counter, Component *part, i32 layer, i64 *budget);
/* C(n, k) for n <= BOX_CELLS */
u64 mines_choose(i32 n, i32 k);
const u64 *mines_choose_row(i32 n);
void mines_choose_begin(void);

/* ---------------------------------------------------------------- numbers
 *
 * Numbers of the sweeps: `limbs` 64-bit words, lowest first, that wrap around. Every number that
 * is read off in the end is at most the total, which fits, so wrapping on the way is harmless.
 * limbs = 0 means doubles. All of them are sums of positive terms: nothing cancels, so a double
 * that is zero is zero. Inlined once per width, since a loop over one word costs three times the
 * word. */

#define INLINE static inline __attribute__((always_inline))

typedef union Real { u64 u; double d; } Real;
static inline double real(u64 word) { return ((Real){.u = word}).d; }
static inline u64 word_of(double d) { return ((Real){.d = d}).u; }
static inline i32 width_of(i32 limbs) { return limbs ? limbs : 1; }

/* a * b in 128 bits. Spelled out: the compiler's own 128-bit product is a library call here. */
INLINE u64 multiply(u64 a, u64 b, u64 *high) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 low = a0 * b0, middle = a1 * b0 + (low >> 32), cross = a0 * b1 + (u32)middle;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
  return cross << 32 | (u32)low;
}

/* to += a[0..words) * b, words from the bottom; what does not fit is dropped */
INLINE void add_row(u64 *to, const u64 *a, u64 b, const i32 words) {
  u64 carry = 0, high;
  for (i32 i = 0; i < words; i++) {
    u64 low = multiply(a[i], b, &high);
    low += carry;
    high += low < carry;
    to[i] += low;
    carry = high + (to[i] < low);
  }
}

/* to += from */
INLINE void add_number(u64 *to, const u64 *from, const i32 limbs) {
  u64 carry = 0;
  for (i32 i = 0; i < limbs; i++) {
    u64 sum = to[i] + from[i], more = sum < from[i];
    to[i] = sum + carry;
    carry = more | (to[i] < carry);
  }
}

/* to += from * times; on most boards all boxes are single cells and `times` is 1 */
INLINE void add_times(u64 *to, const u64 *from, u64 times, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*from) * (double)times);
  else if (limbs == 1) *to += *from * times;
  else if (times == 1) add_number(to, from, limbs);
  else add_row(to, from, times, limbs);
}

/* to += a * b */
INLINE void add_product(u64 *to, const u64 *a, const u64 *b, const i32 limbs) {
  if (limbs == 0) *to = word_of(real(*to) + real(*a) * real(*b));
  else if (limbs == 1) *to += *a * *b;
  else
    for (i32 j = 0; j < limbs; j++)
      if (b[j]) add_row(to + j, a, b[j], limbs - j);
}

static inline void set_one(u64 *to, i32 limbs) {
  memset(to, 0, sizeof(u64) * (size_t)width_of(limbs));
  to[0] = limbs ? 1 : word_of(1.0);
}
static inline i32 is_zero(const u64 *a, i32 limbs) {
  for (i32 i = 0; i < width_of(limbs); i++)
    if (a[i]) return 0;
  return 1;
}

/* Where the layouts are added up in which a cell of the box's class is a mine. */
static inline u64 *tally_of(Counter *c, const Component *part, i32 box) {
  return c->mass + (size_t)(1 + part->class_of[box]) * (size_t)width_of(c->limbs);
}

#endif
