/* The optimal-strategy solver: branch and bound over partitions, below the first guesses.
 *
 * A FRAME is a set of n secrets with one guess for each distinct partition of it; subsets are lists
 * of local numbers (u16). A SOLVER is the memory of a search: the transposition table, which
 * outlives frames, and the stack of sets.
 */
#ifndef CLUEWISE_CODE_OPTIMAL_H
#define CLUEWISE_CODE_OPTIMAL_H

#include "answer_table.h"
#include "code.h"
#include "shared/random.h"

enum {
  NEVER = 1000000,   /* total of a set that cannot be solved within the depth */
  UNLIMITED = 40,    /* depth limit that no strategy reaches */
  MOST_SECRETS = 4096,
  MOST_COLUMNS = 65536,
  MOST_WEIGHT = 1000000,
  MOST_WEIGHTS = (1 << 30) - 1,
  UNKNOWN = (1 << 24) - 1,
  LEAST_IMAGED = 4, /* sizes of sets whose canonical forms are keys too: smaller sets have closed */
  MOST_IMAGED = 63  /* forms, few larger ones are equivalent */
};

typedef struct TableEntry {
  u64 key;
  i32 value;      /* twice the total or a lower bound, + 1 if exact */
  u32 guess : 24; /* place of the best guess in the space, or UNKNOWN */
  u32 worst : 8;  /* worst case of that strategy, if exact */
} TableEntry;

typedef struct Frame {
  i32 n, columns, stride; /* stride: columns rounded up to 32 */
  u32 *guess;  /* [columns] place in the space; the first n are the secrets themselves */
  Code *code;  /* [columns] */
  u8 *own;     /* [columns] 1 if the column has a canonical guess: searched first */
  u8 *label;   /* [columns][n] the cell of each secret */
  u16 *hot[2]; /* [n][stride] one-hot cells: 1 << cell, for cells 0-15 and 16-31 */
  u32 *member; /* [n][n] the same for secrets as guesses, all cells in one word */
  u64 *key;    /* [n] Zobrist keys: the key of a set is their xor */
  u64 *class_key;     /* SUM: [n] equal for permutations: the key of a set is their sum; else 0 */
  i32 *class_of;      /* SUM: [columns] the first column that is a permutation of this one */
  u16 *copies;        /* SUM: [columns] zeros, scratch of code_class_bound */
  i32 *representative; /* SUM: [columns] scratch of code_choose_representatives */
} Frame;

typedef struct Candidate {
  i32 key;
  u16 column;
  i16 bound; /* over 3m - 64, see optimal.c */
} Candidate;

typedef enum Phase { BUCKET, CANDIDATE, CELL } Phase;

typedef struct Set { /* a set on the stack: a node of the search */
  Phase phase;
  i32 m, depth, limit, best, least, found, only_own;
  u64 key, canonical_key; /* canonical_key: of the canonical form, 0 if not computed */
  Symmetry to_image;
  u16 *members, *sorted;
  Candidate *by_cell_count, *by_size_bound, *current_bucket;
  i32 waiting_count, next_waiting, late_count, bucket_count, next_candidate;
  i32 current;                 /* bound of the current bucket */
  i32 best_column, best_worst;
  i32 forced;                  /* first guess given: the total is not the least one */
  i32 cost, column, worst;     /* of the current candidate */
  i32 from[33], bounds[32], order[32], open, next_cell;
  size_t mark;                 /* the stack's top before this set */
  Tally tally;
  i32 has_tally;
} Set;

typedef struct Reach Reach; /* a set on the stack of within.c */

enum { SOLVER = TAG('s', 'o', 'l', 'v') };

typedef struct Solver {
  Tag seal;
  Rules rules;
  i32 cells, win, consistent_only, largest_imaged, nodes, guesses;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  Ranking ranking;
  TableEntry *memo; /* the transposition table */
  i32 memo_bits;
  Frame frame;
  u8 *memory;
  size_t size, used, frame_used, frame_end;
  u16 *bounds[UNLIMITED + 1]; /* [n]: least total of n secrets in so many guesses */
  Set *sets[64];
  Reach *reaches[UNLIMITED + 1];
  u16 *order;  /* within.c: the secrets by falling weight, and the weights; 0: all weigh 1 */
  i32 *weight;
  i32 reach_depth;
  i32 depth, value, worst, work;
  u32 *kept;
  u8 *parts, *inside;
} Solver;

/* ---- shared by optimal.c, within.c, split_table.c, root_guesses.c ------------------------ */

/* Allocates from the solver's memory, 64-byte aligned; 0 if there is no room. */
static inline void *allocate(Solver *solver, size_t bytes) {
  size_t need = (bytes + 63) & ~(size_t)63;
  if (solver->size - solver->used < need) return 0;
  void *piece = solver->memory + solver->used;
  solver->used += need;
  return piece;
}

/* The total of n secrets in a complete K-ary tree: 1 is found by the first guess, then K, K² … */
static inline i32 perfect_total(i32 n, i32 depth, i32 answers) {
  i64 total = 0, room = 1;
  for (i32 guess = 1; n > 0; guess++) {
    if (guess > depth) return NEVER;
    i64 solved = n < room ? n : room;
    total += solved * guess;
    n -= (i32)solved;
    room *= answers;
    if (room > 1 << 20) room = 1 << 20;
  }
  return (i32)total;
}

/* The depth limit after one guess. */
static inline i32 after(i32 depth) { return depth == UNLIMITED ? UNLIMITED : depth - 1; }

/* The slot of a key in the direct-mapped transposition table. */
static inline TableEntry *table_entry(const Solver *solver, u64 key) {
  return &solver->memo[key >> (64 - solver->memo_bits)];
}

/* Whether permutations of a code are interchangeable: under SUM every other guess answers them
 * alike. Different weights distinguish them. */
static inline i32 is_permutation_invariant(const Solver *solver) {
  return solver->rules.feedback == SUM && !solver->weight;
}

/* Zobrist keys: a random number for each secret, their xor for a set. */
static inline u64 key_of_secret(Code code) { return random_mix(code * RANDOM_STEP + 1); }

/* Adds a secret to the key of a set. Under SUM the permutations of a secret are interchangeable:
 * only the number of them in the set matters. */
static inline u64 add_to_key(const Rules *rules, u64 key, Code code) {
  if (rules->feedback == SUM) return key + key_of_secret(code_multiset(rules, code));
  return key ^ key_of_secret(code);
}

static inline u64 key_of_set(const Solver *solver, const u16 *members, i32 m) {
  u64 key = 0;
  if (is_permutation_invariant(solver))
    for (i32 i = 0; i < m; i++) key += solver->frame.class_key[members[i]];
  else
    for (i32 i = 0; i < m; i++) key ^= solver->frame.key[members[i]];
  return key;
}

static inline const u8 *label_of(const Solver *solver, i32 column) {
  return solver->frame.label + (size_t)column * (size_t)solver->frame.n;
}

/* Sets or clears the flags of a set's members in solver->inside. */
static inline void mark_inside(Solver *solver, const u16 *members, i32 m, u8 value) {
  for (i32 i = 0; i < m; i++) solver->inside[members[i]] = value;
}

/* Sorts the members of a set by cell, stably: cell c is sorted[from[c]] … sorted[from[c + 1] - 1].
 */
static inline void sort_by_cell(const Solver *solver, const u16 *members, i32 m, const u8 *label,
                                const u32 *sizes, i32 *from, u16 *sorted) {
  i32 at[33];
  from[0] = 0;
  for (i32 c = 0; c < solver->cells; c++) from[c + 1] = from[c] + (i32)sizes[c];
  memcpy(at, from, sizeof at);
  for (i32 i = 0; i < m; i++) sorted[at[label[members[i]]]++] = members[i];
}

/* Inserts cell c into the first `count` cells of `order`, ascending by size: small cells are cheap
 * to refute. */
static inline void insert_by_size(i32 *order, i32 count, i32 c, const u32 *sizes) {
  for (; count > 0 && sizes[order[count - 1]] > sizes[c]; count--) order[count] = order[count - 1];
  order[count] = c;
}

/* ---- canonical_set.c ---------------------------------------------------------------------- */

/* code_image(rules, codes, n, out Symmetry[1]): a permutation that maps a set of 1 to 63 codes to
 * its canonical form. Equivalent sets have the same form but for rare ties (5 of 21 000 random
 * sets). */
i32 code_image(i32 rules, const Code *codes HAS(n), i32 n, Symmetry *out HAS(1));

/* Returns the Zobrist key of the canonical form of a set, and the permutation that maps to it. */
u64 code_canonical_key(const Rules *rules, const Code *codes, i32 m, Symmetry *out);

/* ---- split_table.c ----------------------------------------------------------------------- */

/* code_solver_start(memory, size, rules, memo, memo_bits, consistent_only, largest): sets up a
 * solver in `size` bytes of memory (at least 1 MB) with a zeroed transposition table of 2^memo_bits
 * entries. Sets of 4 to `largest` codes (at most 63; 0: none) are also looked up by their canonical
 * forms. */
i32 code_solver_start(u8 *memory HAS(size), i32 size, i32 rules, TableEntry *memo HAS(power(memo_bits)),
                      i32 memo_bits, i32 consistent_only, i32 largest);

/* code_solver_frame(solver, space, count, secrets, n, canonical, canonical_count): builds the frame
 * of these ascending secrets. `canonical`: ascending places of the guesses that suffice as the
 * first guess for the whole set. Returns the number of columns; TOO_LARGE if it does not fit. */
i32 code_solver_frame(u8 *memory LIVE, const Code *space HAS(count), i32 count, const Code *secrets HAS(n),
                      i32 n, const u32 *canonical HAS(canonical_count), i32 canonical_count);

/* Under SUM: one guess of each class of permutations, 0 if they are not interchangeable; a lower
 * bound of a total; the table's guess for a set. */
const i32 *code_choose_representatives(Solver *solver, const u16 *members, i32 m, i32 only_own);
i32 code_class_bound(const Frame *frame, const u16 *members, i32 m, i32 *most);
u32 code_guess_of_set(const Solver *solver, u32 guess, const Code *secrets, i32 n);

/* ---- optimal.c --------------------------------------------------------------------------- */

/* code_solver_begin(solver, depth, limit): begins the search for the least total of the frame with
 *   at most `depth` guesses a code and `limit` as the cutoff.
 * code_solver_try(solver, guess Code[1], depth, limit): the same with that guess as the first one.
 *   A guess that all secrets answer alike has no total below a cutoff.
 * code_solver_step(solver, budget): searches; 1 = more to do, 0 = done.
 * code_solver_value(solver): the total if below the cutoff, else a lower bound >= the cutoff.
 * code_solver_worst(solver): the worst case of that strategy, if below the cutoff. */
i32 code_solver_begin(u8 *memory LIVE, i32 depth, i32 limit);
i32 code_solver_try(u8 *memory LIVE, const Code *guess HAS(1), i32 depth, i32 limit);
i32 code_solver_worst(const u8 *memory LIVE);
i32 code_solver_step(u8 *memory LIVE, i32 budget);
i32 code_solver_value(const u8 *memory LIVE);

/* code_solver_nodes(solver): the number of sets searched since it was started. */
i32 code_solver_nodes(const u8 *memory LIVE);

/* For within.c. Counts the cells of each guess of the frame on a set into parts[column]. Returns a
 * member that separates all members, or -1. Allocates a list of all secrets on an empty stack; the
 * cell of each secret's answer to a guess (0 when out of memory). */
void code_count_cells(Solver *solver, const u16 *members, i32 m);
i32 code_perfect_member(const Frame *frame, const u16 *members, i32 m);
u16 *code_all_members(Solver *solver);
u8 *code_label_secrets(Solver *solver, Code guess);

/* ---- within.c ---------------------------------------------------------------------------- */

/* code_within_begin(solver, rows, need): begins the search for the most secrets of the frame that
 *   one strategy finds within `rows` guesses.
 * code_within_try(solver, guess Code[1], rows, need): the same with that guess as the first one.
 * code_within_step(solver, budget): searches; 1 = more to do, 0 = done. code_solver_value(solver)
 *   is then the number if it is above `need`, else an upper bound that is at most `need`.
 *
 * code_within_weights(solver, order, weights, n): the places of the frame's secrets by falling
 * weight, and the weights, at most MOST_WEIGHTS in all. Until the next frame the weight of the
 * secrets found is maximised. The weights of a solver must not change: its table depends on them.
 */
i32 code_within_weights(u8 *memory LIVE, const u16 *order HAS(n), const i32 *weights HAS(n), i32 n);
i32 code_within_begin(u8 *memory LIVE, i32 rows, i32 need);
i32 code_within_try(u8 *memory LIVE, const Code *guess HAS(1), i32 rows, i32 need);
i32 code_within_step(u8 *memory LIVE, i32 budget);

/* ---- optimal.c ---------------------------------------------------------------------------- */

/* code_solver_guess(solver, secrets, n, depth): 1 + the place of a set's best guess, from the
 * transposition table; 0 if there is no entry (any more). */
i32 code_solver_guess(const u8 *memory LIVE, const Code *secrets HAS(n), i32 n, i32 depth);

/* ---- root_guesses.c ----------------------------------------------------------------------- */

/* code_canonical(rules, space, count, clues, clue_count, secrets, n, consistent_only,
 * out u32[count]): places of the guesses that are least in their constraint class and in their
 * excluded-colour class. Returns how many. */
i32 code_canonical(i32 rules, const Code *space HAS(count), i32 count, const Code *clues HAS(clue_count),
                   i32 clue_count, const Code *secrets HAS(n), i32 n, i32 consistent_only,
                   u32 *out HAS(count));

/* code_bounds(rules, secrets, n, space, guesses u32[count], count, depth, planes, columns, out):
 * for each guess the lower bound out[2i] = n + totals of complete trees of its cells (NEVER if it
 * splits nothing), and out[2i + 1] = the sum of squares of its cells. planes: scratch. */
i32 code_bounds(i32 rules, const Code *secrets HAS(n), i32 n, const Code *space HAS(code_guesses(rules)),
                const u32 *guesses HAS(count), i32 count, i32 depth,
                u64 *planes HAS(code_plane_words(rules, n)), u64 *columns HAS((rules & 15) * ((n + 63) / 64)),
                i32 *out HAS(2 * count));

/* code_look(rules, space, count, clues, clue_count, secrets, n, guesses, from, to, depth, limit,
 * consistent_only, scratch, totals): bounds the totals of the guesses from … to-1 below, by a
 * look-ahead of one guess in every cell; it ends for a guess whose bound reaches the cutoff
 * `limit`.
 *   totals i32[to - from][1 + MAX_CELLS]: the bound, then that of each cell
 *   scratch: code_look_bytes(rules, count, n) bytes */
i32 code_look_bytes(i32 rules, i32 count, i32 n);
i32 code_look(i32 rules, const Code *space HAS(count), i32 count, const Code *clues HAS(clue_count),
              i32 clue_count, const Code *secrets HAS(n), i32 n, const u32 *guesses HAS(to), i32 from, i32 to,
              i32 depth, i32 limit, i32 consistent_only, u8 *scratch HAS(code_look_bytes(rules, count, n)),
              i32 *totals HAS((to - from) * (1 + MAX_CELLS)));

/* code_part(rules, guess, secrets, n, out Code[n], starts u32[MAX_CELLS + 1]): partitions the
 * secrets by their answer, stably; cell c is out[starts[c]] … out[starts[c + 1] - 1]. Returns the
 * number of cells, empty ones included. */
i32 code_part(i32 rules, const Code *guess HAS(1), const Code *secrets HAS(n), i32 n, Code *out HAS(n),
              u32 *starts HAS(MAX_CELLS + 1));

/* code_weighted_bounds(rules, secrets, weights, n, guesses, count, out): for each guess a lower
 * bound of the weighted total (the sum of weight times guesses) by complete trees below its
 * answers; -1 if all secrets answer it alike and it does not win. Weights are 0 to MOST_WEIGHT,
 * falling. */
i32 code_weighted_bounds(i32 rules, const Code *secrets HAS(n), const i64 *weights HAS(n), i32 n,
                         const Code *guesses HAS(count), i32 count, i64 *out HAS(count));

/* code_tells_all(rules, secrets, n): 1 + the place of the first secret that separates all secrets:
 * each gives it another answer; 0 if there is none. */
i32 code_tells_all(i32 rules, const Code *secrets HAS(n), i32 n);

#endif
