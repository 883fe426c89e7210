/* What the files of the best guess share: the listed layouts (layouts.c), one state in normal form
 * (guess_state.c), the search (guess.c). Read there first. */
#ifndef CLUEWISE_MINES_GUESS_H
#define CLUEWISE_MINES_GUESS_H

#include "mines.h"
#include "shared/sets.h"

enum { MINED = 255 }; /* an answer: the cell is a mine */
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
  i8 *value;                    /* per local cell while layouts are listed */
  i16 *trail, *decided;
  i32 trail_size, depth, nodes;
  i32 *decided_at;              /* per decision: the length of the trail before it */
  u64 *layout;                  /* `words` each */
  u64 *around;                  /* per local cell: unknown neighbours */
  u8 *blocked, *secret;         /* per local cell: has a flagged neighbour; shows nothing */
  u8 *out;
  Entry *table;
  i32 table_size, stored;
  i64 spent, budget;
  i32 stop, unsettled;
  i32 *play, *play_stack;       /* rows and segments of the safest play */
  i32 play_top, play_won, play_cell, play_first;
  u64 count[256], sum[256];     /* scratch of one column */
  u8 name[256];
} Guess;

/* One state in normal form: rows in order, one cell for equal columns, a bit set an answer. */
typedef struct State {
  i32 *rows, n, k, words;
  i16 *cells;
  i32 *first; /* cell -> its answers, k + 1 of them */
  u64 *bits;  /* answer -> rows */
  u64 *safe;  /* cell -> rows */
  i32 *size, *bound; /* per answer: rows, and the most that play can win of them */
  u64 key[2];
} State;

/* What a local cell shows in every layout. */
static inline const u8 *column_of(const Guess *g, i32 cell) {
  return g->out + (size_t)cell * (size_t)g->layouts;
}

static inline u64 mix(u64 hash, u64 x) {
  return random_mix((hash ^ x) * 0x9E3779B97F4A7C15ull + (hash >> 7));
}

static inline i32 count_both(const u64 *a, const u64 *b, i32 words) {
  i32 count = 0;
  for (i32 w = 0; w < words; w++) count += popcount64(a[w] & b[w]);
  return count;
}

/* How many unknown neighbours of a local cell are mines in a layout. */
i32 mines_count_around(const Guess *g, i32 cell, i32 layout);

/* Shell sort of `order` by `key`; equal keys keep their order. */
void mines_sort_by(i32 *order, i32 count, const u64 *key);

/* Numbers the rows 0, 1, ... by what they show in all those cells together; `class` takes them.
 * Returns how many numbers there are, or -1 without room. */
i32 mines_classify(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 *class);

/* The rows by class, one class after the other; `start` takes the places, classes + 1 of them. */
void mines_group_rows(const i32 *rows, i32 n, const i32 *class, i32 classes, i32 *start,
                      i32 *grouped);

/* The normal form of some rows: their order, one cell for equal columns, the key. 0 without room. */
i32 mines_normal_form(Guess *g, State *s, const i32 *rows);

/* The bit sets of a state's cells. 0 without room. */
i32 mines_make_bits(Guess *g, State *s);

/* No play wins more of the rows of one answer. */
i32 mines_bound_of(const State *s, i32 answer);

#endif
