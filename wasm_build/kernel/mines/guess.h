/* Shared by the files of the best guess: the list of layouts (layouts.c), states in canonical form
 * (guess_state.c), the search (guess.c). */
#ifndef CLUEWISE_MINES_GUESS_H
#define CLUEWISE_MINES_GUESS_H

#include "mines.h"
#include "shared/sets.h"

enum { MINED = 255 }; /* the answer of a mine */
enum { AGAIN = 1, DONE = 2, NO_CANDIDATE = 0, UNSETTLED = 3 };

typedef struct Entry {
  u64 first, second;
  i32 won, used;
} Entry;

typedef struct Guess {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 cells, clues, words, most, layouts, listed;
  i32 *first_cell, *first_clue; /* CSR clue x cell in both directions */
  i16 *cells_of, *clues_of;
  i32 *need, *left;             /* per clue: mines and cells not assigned yet */
  i8 *value;                    /* per local cell: 0, 1, or -1 unassigned */
  i16 *trail, *decided;
  i32 trail_size, depth, nodes;
  i32 *decided_at;              /* per decision: trail size before it */
  u64 *layout;                  /* `words` each */
  u64 *around;                  /* per local cell: unknown neighbours */
  u8 *blocked, *secret;         /* per local cell: has a flagged neighbour; shows nothing */
  u8 *answers;                  /* cell-major: | layouts of cell 0 | ... | cells - 1 | */
  Entry *table;
  i32 table_size, stored;
  i64 spent, budget;
  i32 stop, unsettled;
  i32 *play, *play_stack;       /* rows and segments of the greedy play */
  i32 play_top, play_won, play_cell, play_first;
  u64 count[256], sum[256];     /* scratch for one column */
  u8 name[256];
} Guess;

/* A state in canonical form: rows sorted, equal columns merged, a bit set per answer. */
typedef struct State {
  i32 *rows, n, k, words;
  i16 *cells;
  i32 *first; /* cell -> its answers, k + 1 of them */
  u64 *bits;  /* answer -> rows */
  u64 *safe;  /* cell -> rows */
  i32 *size, *bound; /* per answer: its rows; an upper bound of those won */
  u64 key[2];
} State;

/* The answers of a local cell by layout. */
static inline const u8 *column_of(const Guess *g, i32 cell) {
  return g->answers + (size_t)cell * (size_t)g->layouts;
}

static inline u64 mix(u64 hash, u64 x) {
  return random_mix((hash ^ x) * 0x9E3779B97F4A7C15ull + (hash >> 7));
}

static inline i32 count_both(const u64 *a, const u64 *b, i32 words) {
  i32 count = 0;
  for (i32 w = 0; w < words; w++) count += popcount64(a[w] & b[w]);
  return count;
}

/* The mines among the unknown neighbours of a local cell in a layout. */
i32 mines_count_around(const Guess *g, i32 cell, i32 layout);

/* Sort the indices in `order` by key, then by index. */
void mines_sort_by(i32 *order, i32 count, const u64 *key);

/* Partition the rows by their answers in those cells: `class` receives each row's class, numbered
 * by first appearance. Returns the number of classes, -1 without room. */
i32 mines_classify(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 *class);

/* Group the rows by class (counting sort); `start` receives classes + 1 offsets. */
void mines_group_rows(const i32 *rows, i32 n, const i32 *class, i32 classes, i32 *start, i32 *grouped);

/* Bring a state of these rows to canonical form and compute its key. 0 without room. */
i32 mines_canonical_form(Guess *g, State *s, const i32 *rows);

/* Build the bit sets of a state. 0 without room. */
i32 mines_make_bits(Guess *g, State *s);

/* An upper bound of the rows of an answer that are won. */
i32 mines_bound_of(const State *s, i32 answer);

#endif
