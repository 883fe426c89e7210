/* Exact model counting by dynamic programming over the frontier (transfer matrix method): the
 * structures of problem, components, elimination_order, table, frontier, forward_backward, join,
 * marginals, grid and count.
 *
 *   cells ──equal clue membership──> classes ──linked by clues──> regions
 *   region    = one *coupling* clue that covers most of it (such as the board's total), and the
 *               connected *components* without it; counts of a component are generating functions
 *               in the number of mines that it takes from the coupling clue
 *   component = boxes (at most 60 cells of a class) in an elimination order; the clues begun but not
 *               finished after i boxes, the frontier, are the *slots* of layer i
 *   state     = the remaining need of every slot; a step places 0..size mines into the next box
 *
 * Clues with equal future (same boxes to come, same other clues) are interchangeable: their needs
 * are sorted, so that symmetric states merge. A 12 by 12 board with row and column counts has 18
 * 000 states instead of 10 million. A slot of such a class no longer identifies its clue;
 * marginals.c recovers the counts of each clue's cells. Futures are compared by 64-bit sums of
 * mixed keys: a false match has a probability below 2^-40 for a board. */
#ifndef CLUEWISE_MINES_COUNTER_H
#define CLUEWISE_MINES_COUNTER_H

#include "mines.h"
#include "shared/sets.h"

enum {
  BOX_CELLS = 60,       /* binomials of a box fit 64 bits */
  MAX_DEGREE = 48,      /* clues of a box */
  MAX_SLOTS = 64,       /* slots of a layer */
  WIDE = 2 * MAX_SLOTS, /* slots of a layer and those that its box adds */
  NO_SLOT = 255,
  MAX_COMPONENTS = 256,
  MAX_STATES = 1200000, /* of a position, over all layers */
};
#define DEAD 0xFFFFFFFFu

/* A state's record: this head, then one byte per slot, padded to 8.
 *   reach     first of its `steps` transitions, which place `fewest` mines and up
 *   weight_at first of its weights, one per number of coupling mines from `low` to `high` */
typedef struct State {
  u32 reach, weight_at;
  i16 low, high;
  u16 steps;
  u8 fewest, alive;
} State;

typedef struct Layer {
  /* before box i */
  i32 slots;
  i16 *clue;                 /* slot -> a clue of its class; its own where the class has one */
  u8 *class_from, *class_to; /* slot -> the slots of its class */
  i32 stride, states;        /* bytes a record; number of records */
  u8 *records;
  double *scale, *ways;      /* sampled, per state: its multiplier; layouts that reach it */
  /* the step over box i. Wide slots: the layer's, then the added ones. */
  i32 touched, added;
  u8 *touched_slot;          /* wide slots of the box's clues */
  i16 *touched_left;         /* cells of that clue after this box */
  i16 *added_clue;
  u8 *source;                /* next layer's slot -> wide slot */
  u8 *target;                /* wide slot -> next layer's slot or NO_SLOT */
  i32 ambiguous;             /* the touched slot of a merged class, or -1 */
} Layer;

typedef struct Grid Grid;

typedef struct Component {
  i32 boxes, clues;
  i32 layers;                /* its boxes, or the rows of a grid */
  Grid *grid;                /* grid.c, or NULL */
  i32 coupled, most;         /* whether its region has a coupling clue; the mines of that clue */
  u8 *size, *counted, *copy; /* box: cells; whether in the coupling clue; its number in its class */
  i16 *class_of;             /* box -> class */
  i32 *degree;
  i16 (*clues_of)[MAX_DEGREE];
  i16 *need, *cells;         /* clue: mines, cells within the component */
  i32 *box_count;
  i16 **boxes_of;
  i16 *order;                /* boxes in elimination order */
  i32 *family;               /* disjoint sets of clues that were ever interchangeable */
  u8 *mergeable;             /* clue: may share a class */
  u64 *shape;                /* clue: hash of its boxes and their other clues */
  i32 merged;                /* whether some class has two clues */
  double estimate;           /* expected states, over all layers */
  Layer *layer;              /* layers + 1 */
  u32 *transitions;          /* grow down: transition e is transitions[-1 - e] */
  u32 steps, weights;
  u64 *forward, *backward;
} Component;

typedef struct Region {
  i32 coupling, most;         /* clue of the problem or -1; its need */
  i32 first_component, components;
  i32 free_class, free_cells; /* the cells in the coupling clue alone; class -1 if there are none */
  struct Polynomial *before, *after; /* join.c: prefix and suffix products, components + 1 each */
} Region;

typedef struct Counter {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 classes, unconstrained; /* number of classes; the class of the cells in no clue, or -1 */
  i32 *class_of;              /* local cell -> class, -1 where preprocessing decided it */
  i32 *class_size, *class_degree, *class_region;
  i16 **class_clues;
  Component *components;
  i32 component_count;
  Region *regions;
  i32 region_count;
  i32 limbs;                  /* words of a number; 0: doubles */
  i32 sample;                 /* most states a layer when sampling; 0: exact */
  u64 random;
  i32 states;                 /* so far, at most MAX_STATES */
  u64 *mass;                  /* layouts: [0] in all, [1 + class] with a given cell a mine */
  /* progress of a sliced run */
  i32 phase, component, layer, state, filtering;
  u32 *table;                 /* hash table of the next layer's states */
  u32 table_room, table_size;
  u8 *resume;                 /* arena mark to return to */
  struct Tracking *tracking;  /* marginals.c */
} Counter;

static inline State *state_at(const Layer *layer, u32 index) {
  return (State *)(layer->records + (size_t)index * (size_t)layer->stride);
}
static inline u8 *key_of(State *state) { return (u8 *)(state + 1); }
/* The same in words; the padding is 0. */
static inline u64 *words_of(State *state) { return (u64 *)(void *)(state + 1); }
static inline i32 key_words(const Layer *layer) { return (layer->stride - (i32)sizeof(State)) / 8; }
static inline u32 *step_at(const Component *comp, u32 index) { return comp->transitions - 1 - index; }
static inline u64 clue_key(i32 clue) { return random_mix((u64)(clue + 1) * 0x9FB21C651E98DF25ull); }

/* The sum of the keys of a box's clues: equal for boxes with the same clues. */
static inline u64 clue_sum(const Component *comp, i32 box) {
  u64 sum = 0;
  for (i32 i = 0; i < comp->degree[box]; i++) sum += clue_key(comp->clues_of[box][i]);
  return sum;
}

/* components.c: classes, regions and components of the simplified problem. OK or TOO_LARGE. */
i32 mines_decompose(Counter *counter);
/* elimination_order.c: the order of a component's boxes, and its layers. OK or TOO_LARGE. */
i32 mines_order_boxes(Component *comp, Arena *arena);
/* table.c: clear the table (`size`, a power of two); the state of `next` with a key, added if it is
 * new, or TOO_LARGE. */
void mines_table_clear(Counter *counter, u32 size);
i32 mines_table_find(Counter *counter, Layer *next, const u64 *key);
/* frontier.c: the states of a component, in slices of about `*budget` units. 1 call again, 2 done,
 * 0 the component has no layout, TOO_LARGE. */
i32 mines_frontier_begin(Counter *counter, Component *comp);
i32 mines_frontier_run(Counter *counter, Component *comp, i64 *budget);
/* forward_backward.c: weights of the states, a layer a call; each takes its cost off *budget. */
i32 mines_forward_begin(Counter *counter, Component *comp);
void mines_forward_pass(Counter *counter, Component *comp, i32 layer, i64 *budget);
void mines_backward_pass(Counter *counter, Component *comp, i32 layer, i64 *budget);
void mines_rescale(const Layer *layer, u64 *weights); /* apply a sampled layer's multipliers */
/* join.c: the total; the weights at a component's end, for its backward pass; the classes' masses
 * out of those of their regions. OK or TOO_LARGE. */
i32 mines_join(Counter *counter);
i32 mines_outside_weights(Counter *counter, i32 component);
i32 mines_scale_masses(Counter *counter);
/* grid.c: components that are whole grids go row by row. `find` sets comp->grid if it is one; the
 * others take the place of frontier.c, forward_backward.c and marginals.c. */
i32 mines_grid_find(Component *comp, Arena *arena);
void mines_grid_start(const Component *comp, u8 *key);
i32 mines_grid_expand(Counter *counter, Component *comp, i32 layer, State *state);
void mines_grid_prune(Component *comp);
void mines_grid_forward(Counter *counter, Component *comp, i32 layer, i64 *budget);
void mines_grid_backward(Counter *counter, Component *comp, i32 layer, i64 *budget);
i32 mines_grid_marginals_begin(Counter *counter, Component *comp);
i32 mines_grid_marginals_run(Counter *counter, Component *comp, i32 layer, i64 *budget);
/* marginals.c: the masses of boxes whose clues were merged. */
i32 mines_marginals_begin(Counter *counter, Component *comp);
i32 mines_marginals_run(Counter *counter, Component *comp, i32 layer, i64 *budget);
/* C(n, k) for n <= BOX_CELLS */
u64 mines_choose(i32 n, i32 k);
const u64 *mines_choose_row(i32 n);
void mines_choose_begin(void);

/* ---------------------------------------------------------------- numbers
 *
 * `limbs` 64-bit words, lowest first, modulo 2^(64 limbs): every result is at most the total, which
 * fits, so intermediate overflow is harmless. limbs = 0 means doubles; all are sums of positive
 * terms, without cancellation. Inlined once per width: a loop over one word takes three times as
 * long as the word. */

#define INLINE static inline __attribute__((always_inline))

typedef union Real {
  u64 u;
  double d;
} Real;
static inline double real(u64 word) { return ((Real){.u = word}).d; }
static inline u64 word_of(double d) { return ((Real){.d = d}).u; }
static inline i32 width_of(i32 limbs) { return limbs ? limbs : 1; }

/* a * b in 128 bits. The compiler's own 128-bit product is a library call on this target. */
INLINE u64 multiply(u64 a, u64 b, u64 *high) {
  u64 a0 = (u32)a, a1 = a >> 32, b0 = (u32)b, b1 = b >> 32;
  u64 low = a0 * b0, middle = a1 * b0 + (low >> 32), cross = a0 * b1 + (u32)middle;
  *high = a1 * b1 + (middle >> 32) + (cross >> 32);
  return cross << 32 | (u32)low;
}

/* to += a[0..words) * b modulo 2^(64 words) */
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

/* to += from * times; `times` is 1 on most boards, whose boxes are single cells */
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

/* Calls a function whose last parameter is `limbs`, inlined once for each of the usual widths. */
#define BY_LIMBS(limbs, function, ...)       \
  ((limbs) == 0   ? function(__VA_ARGS__, 0) \
   : (limbs) == 1 ? function(__VA_ARGS__, 1) \
   : (limbs) == 2 ? function(__VA_ARGS__, 2) \
                  : function(__VA_ARGS__, limbs))

static inline void set_one(u64 *to, i32 limbs) {
  memset(to, 0, sizeof(u64) * (size_t)width_of(limbs));
  to[0] = limbs ? 1 : word_of(1.0);
}

/* The number of layouts in which a given cell of the box's class is a mine. */
static inline u64 *mass_of(Counter *c, const Component *comp, i32 box) {
  return c->mass + (size_t)(1 + comp->class_of[box]) * (size_t)width_of(c->limbs);
}

#endif
