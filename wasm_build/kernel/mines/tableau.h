#ifndef CLUEWISE_MINES_TABLEAU_H
#define CLUEWISE_MINES_TABLEAU_H

/* The tableau of simplex.c, for the queries of sums_queries.c. */
#include "mines.h"

enum { MAX_CORES = 64 }; /* stored unsatisfiable cores of one cell and value */
enum { INFEASIBLE, FEASIBLE, RUNNING, ROUNDING_ERRORS }; /* a query */
/* `candidate`: no query; the query's set with all others added; the set as given; from 0 on one of
 * the constraints. */
enum { IDLE = -3, ALL_ADDED, AS_GIVEN };
static const double ROUNDING = 1e-11; /* less is a rounding error */

typedef struct Tableau {
  Tag seal;
  Arena arena;
  i32 board_cells, groups, cells, clues, variables; /* variables: cells, then clues */
  i16 *local_of, *cells_of;
  i32 *first_cell, *name; /* per clue: its cells, its number on the board */
  double *table;          /* clues + 1 rows of `cells`: a basic variable by the others; costs */
  i16 *basic, *nonbasic;  /* the variable of a row, of a column */
  i16 *where;             /* per variable: its column, or -1 - row */
  double *value, *low, *high, *cost;
  double *proof, *scratch; /* per clue: the Farkas certificate; per cell */
  i16 *branch_cell;        /* the cells set by branching, in order */
  i8 *second_branch, *model; /* whether on the other branch; the integral solution */
  i32 depth, pivots, fresh, status;
  i32 branched, proved; /* whether the query branched; whether `proof` refutes it */
  i32 constraints, query_cell, candidate; /* number of clues and flags; the query's cell, or -1 */
  i32 impossible;          /* active constraints that are unsatisfiable alone */
  i16 *subject, *required; /* per constraint: its clue, or -1 - a flag's cell; its mines */
  i8 *active, *in_core, *layout; /* per constraint; per cell: the last layout accepted */
  i32 core_count, core_cell, core_value; /* the stored cores, and their cell and value */
  u8 *core;                /* bit sets of constraints, a ring buffer */
  u8 *seen;                /* backbone, per cell: the values found, whether forced */
  i32 backbone_cell, spent; /* its query's cell, -1 the first layout; the work on it */
} Tableau;

static inline double *row_of(const Tableau *s, i32 row) { return s->table + (size_t)row * (size_t)s->cells; }

static inline double size_of(double x) { return __builtin_fabs(x); }

static inline void add_row(double *restrict to, const double *restrict from, double factor, i32 cells) {
  for (i32 j = 0; j < cells; j++) {
    double sum = to[j] + factor * from[j];
    to[j] = size_of(sum) < ROUNDING ? 0 : sum;
  }
}

/* From 0.5 to 1.5. */
static inline double random_cost(i32 cell) {
  return 0.5 + (double)(random_mix((u64)cell + 1) >> 40) / (1 << 24);
}

/* Bytes of a set of constraints. */
static inline i32 set_size(const Tableau *s) { return (s->groups + s->board_cells + 7) / 8; }

static inline void put_bit(u8 *set, i32 n, i32 on) { set[n >> 3] |= (u8)((on != 0) << (n & 7)); }

/* Set nonbasic variables to the bound that their cost prefers and compute the basic ones. */
void tableau_settle(Tableau *s);
/* Set a variable's bounds; a nonbasic variable moves to the one that its cost prefers. */
void tableau_set_bounds(Tableau *s, i32 variable, double low, double high);
/* Run the query by dual simplex and branching until it ends or `budget`, in units of 1 ns, is used
 * up. Returns its status; RUNNING: call again. */
i32 tableau_solve(Tableau *s, i32 *budget);

#endif
