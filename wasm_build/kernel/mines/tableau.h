#ifndef CLUEWISE_MINES_SUMS_H
#define CLUEWISE_MINES_SUMS_H

/* The tableau of simplex.c, for the queries of sums_queries.c. */
#include "mines.h"

enum { SUMS_MUSES = 64 }; /* stored unsatisfiable cores of one cell and value */
enum { NOT_ASKED = -3, AT_ALL, AT_FIRST }; /* no query; the set with all others; the set as given */
static const double SUMS_TINY = 1e-11;     /* less is rounding */

typedef struct Sums {
  Tag seal;
  Arena arena;
  i32 board_cells, groups, cells, clues, variables; /* variables: cells, then clues */
  i16 *local_of, *cells_of;
  i32 *first_cell, *name; /* per clue: its cells, its number on the board */
  double *table;          /* clues + 1 rows of `cells`: a basic variable by the others; costs */
  i16 *basic, *other;     /* the variable of a row, of a column */
  i16 *where;             /* per variable: its column, or -1 - row */
  double *value, *low, *high, *cost;
  double *proof, *spare;  /* per clue, per cell: scratch */
  i16 *split;             /* the cells set by branching, in order */
  i8 *second, *model;     /* whether the other half was tried; the layout found */
  i32 depth, pivots, fresh, ended;
  i32 branched, proved; /* whether a cell was ever set; whether `proof` refutes the question */
  i32 names, asked, at; /* clues and flags; the cell asked about, or -1; the name being tried */
  i32 impossible;       /* clues of the set that are unsatisfiable alone */
  i16 *who, *want;      /* per name: its clue (the same number), or -1 - a flag's cell; its mines */
  i8 *in, *used, *best; /* per name: in the set, used by a certificate; a layout */
  i32 cores, of, with;  /* number of stored cores, and their cell and value */
  u8 *mus;             /* the cores, a ring buffer */
  u8 *seen;            /* backbone, per cell: the values found, whether forced */
  i32 cursor, spent;   /* the cell asked about, -1 the first layout; the work on it */
} Sums;

static inline double *row_of(const Sums *s, i32 row) {
  return s->table + (size_t)row * (size_t)s->cells;
}

static inline double size_of(double x) { return __builtin_fabs(x); }

static inline void add_row(double *restrict to, const double *restrict from, double factor,
                           i32 cells) {
  for (i32 j = 0; j < cells; j++) {
    double sum = to[j] + factor * from[j];
    to[j] = size_of(sum) < SUMS_TINY ? 0 : sum;
  }
}

/* From 0.5 to 1.5. */
static inline double random_cost(i32 cell) {
  return 0.5 + (double)(random_mix((u64)cell + 1) >> 40) / (1 << 24);
}

/* Bytes of a set. */
static inline i32 set_size(const Sums *s) { return (s->groups + s->board_cells + 7) / 8; }

/* Set nonbasic variables to the bound that their cost prefers and compute the basic ones. */
void sums_settle(Sums *s);
/* A variable's bounds; where it stands at one of them it moves along. */
void sums_bound(Sums *s, i32 variable, double low, double high);
/* Works on the question at hand: 1 yes, 0 no, 2 call again, 3 rounding errors; `budget` is what is
 * left, in units of 1 ns. */
i32 sums_run(Sums *s, i32 *budget);

#endif
