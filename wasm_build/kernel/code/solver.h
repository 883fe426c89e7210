/* Optimal strategies: the search below the first guesses.
 *
 * A FRAME is a set of n secrets with one guess for each way of splitting it; subsets are lists of
 * local numbers (u16). A SOLVER is the memory of one search: the transposition table, which
 * outlives frames, and the stack of sets.
 */
#ifndef CLUEWISE_CODE_OPTIMAL_H
#define CLUEWISE_CODE_OPTIMAL_H

#include "answer_table.h"
#include "code.h"
#include "shared/random.h"

enum {
  NEVER = 1000000,   /* total of a set that cannot be solved within the depth */
  UNLIMITED = 40,    /* a depth that no strategy reaches */
  MOST_SECRETS = 4096,
  MOST_COLUMNS = 65536,
  MOST_WEIGHT = 1000000,
  MOST_WEIGHTS = (1 << 30) - 1,
  UNKNOWN = (1 << 24) - 1,
  LEAST_IMAGED = 4, /* size of sets with a canonical form: smaller ones have closed forms, … */
  MOST_IMAGED = 63  /* … and few larger ones share theirs */
};

typedef struct TableEntry {
  u64 key;
  i32 value;  /* twice the total or its lower bound; odd: exact */
  u32 guess : 24; /* number of the best guess in the space, or UNKNOWN */
  u32 worst : 8;  /* worst case of that strategy, where exact */
} TableEntry;

typedef struct Frame {
  i32 n, columns, stride; /* stride: columns rounded up to 32 */
  u32 *guess;  /* [columns] number in the space; the first n are the secrets themselves */
  Code *code;  /* [columns] */
  u8 *own;     /* [columns] stands for a canonical guess: the ones to try first */
  u8 *label;   /* [columns][n] the cell of each secret */
  u16 *hot[2]; /* [n][stride] 1 << cell, cells 0-15 and 16-31 */
  u32 *member; /* [n][n] the same for secrets as guesses, in one word */
  u64 *key;    /* [n] a random number for each secret: a set is their xor */
} Frame;

typedef struct Candidate {
  i32 key;
  u16 column;
  i16 bound; /* over 3m - 64, see optimal.c */
} Candidate;

typedef enum Phase { BUCKET, CANDIDATE, CELL } Phase;

typedef struct Set { /* one set on the stack */
  Phase phase;
  i32 m, depth, limit, best, least, found, only_own;
  u64 key, canonical_key; /* canonical_key: of the canonical form, 0 if not computed */
  Symmetry to_image;
  u16 *members, *sorted;
  Candidate *by_cell_count, *by_size_bound, *current_bucket;
  i32 waiting_count, next_waiting, late_count, bucket_count, next_candidate;
  i32 current;                 /* bound of the current bucket */
  i32 best_column, best_worst;
  i32 forced;                  /* first guess fixed: the total is not the least one */
  i32 cost, column, worst;     /* of the current candidate */
  i32 from[33], bounds[32], order[32], open, next_cell;
  size_t mark;                 /* the stack's top before this set */
  Tally tally;
  i32 has_tally;
} Set;

typedef struct Reach Reach; /* one set on the stack of within.c */

enum { SOLVER = TAG('s', 'o', 'l', 'v') };

typedef struct Solver {
  Tag seal;
  Rules rules;
  i32 cells, win, consistent_only, largest_imaged, nodes, guesses;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  Ranking ranking;
  TableEntry *memo;
  i32 memo_bits;
  Frame frame;
  u8 *memory;
  size_t size, used, frame_used, frame_end;
  u16 *bounds[UNLIMITED + 1]; /* [n]: least total of n secrets in so many guesses */
  Set *sets[64];
  Reach *reaches[UNLIMITED + 1];
  u16 *order;  /* within.c: the secrets by falling weight, and their weights; 0: all weigh 1 */
  i32 *weight;
  i32 reach_depth;
  i32 depth, value, worst, work;
  u32 *kept;
  u8 *parts, *inside;
} Solver;

/* ---- shared by optimal.c, within.c, split_table.c, root_guesses.c ------------------------------ */

static inline void *take(Solver *solver, size_t bytes) {
  size_t need = (bytes + 63) & ~(size_t)63;
  if (solver->size - solver->used < need) return 0;
  void *piece = solver->memory + solver->used;
  solver->used += need;
  return piece;
}

/* The least total of n secrets in a perfect tree: 1 is found by the first guess, then K, K² … */
static inline i32 perfect_total(i32 n, i32 depth, i32 answers) {
  i64 total = 0, room = 1;
  for (i32 guess = 1; n > 0; guess++) {
    if (guess > depth) return NEVER;
    i64 found = n < room ? n : room;
    total += found * guess;
    n -= (i32)found;
    room *= answers;
    if (room > 1 << 20) room = 1 << 20;
  }
  return (i32)total;
}

/* The depth limit after one guess. */
static inline i32 after(i32 depth) { return depth == UNLIMITED ? UNLIMITED : depth - 1; }

static inline TableEntry *memo_at(const Solver *solver, u64 key) {
  return &solver->memo[key >> (64 - solver->memo_bits)];
}

/* Zobrist keys: a random number for each secret, their xor for a set. */
static inline u64 key_of_secret(Code code) { return random_mix(code * RANDOM_STEP + 1); }

static inline u64 key_of_set(const Solver *solver, const u16 *members, i32 m) {
  u64 key = 0;
  for (i32 i = 0; i < m; i++) key ^= solver->frame.key[members[i]];
  return key;
}

static inline const u8 *label_of(const Solver *solver, i32 column) {
  return solver->frame.label + (size_t)column * (size_t)solver->frame.n;
}

/* Marks members of a set in solver->inside, or takes the marks away. */
static inline void mark_inside(Solver *solver, const u16 *members, i32 m, u8 value) {
  for (i32 i = 0; i < m; i++) solver->inside[members[i]] = value;
}

/* Inserts cell c into the first `count` cells of `order`, ascending by size: small cells are cheap to
 * refute. */
static inline void insert_by_size(i32 *order, i32 count, i32 c, const u32 *sizes) {
  for (; count > 0 && sizes[order[count - 1]] > sizes[c]; count--) order[count] = order[count - 1];
  order[count] = c;
}

/* ---- canonical_set.c -----------------------------------------------------------------------------

 * code_image(rules, codes, n, out Symmetry[1]): the permutation that takes a set of 1 to 63 codes
 * to its image: always one of the sets that permuting pegs and colours turns it into, and for nearly
 * all sets (of 21 000 drawn, all but 5) the same one wherever one starts. */
i32 code_image(i32 rules, const Code *codes HAS(n), i32 n, Symmetry *out HAS(1));

/* Returns the Zobrist key of the canonical form of a set, and the permutation that maps to it. */
u64 code_canonical_key(const Rules *rules, const Code *codes, i32 m, Symmetry *out);

/* ---- split_table.c ----------------------------------------------------------------------------- */

/* code_solver_start(memory, size, rules, memo, memo_bits, consistent_only, largest): a solver in
 * `size` bytes of memory (at least 1 MB) with a zeroed memo of 2^memo_bits entries. Sets of 4 to
 * `largest` codes (at most 63; 0: none) are known by their images as well. */
i32 code_solver_start(u8 *memory HAS(size), i32 size, i32 rules, TableEntry *memo HAS(power(memo_bits)),
                      i32 memo_bits, i32 consistent_only, i32 largest);

/* code_solver_frame(solver, space, count, secrets, n, canonical, canonical_count, mask): makes the
 * frame of these ascending secrets. `canonical`: ascending numbers of the guesses that need be
 * tried for the whole set. Returns its columns; TOO_LARGE if it does not fit. */
i32 code_solver_frame(u8 *memory LIVE, const Code *space HAS(count), i32 count,
                      const Code *secrets HAS(n), i32 n, const u32 *canonical HAS(canonical_count),
                      i32 canonical_count);

/* ---- optimal.c --------------------------------------------------------------------------- */

/* code_solver_begin(solver, depth, limit): begins the search for the least total of the whole frame
 * in at most `depth` guesses each, if below `limit`. code_solver_step(solver, budget): 1 = more to do, 0 =
 * done. code_solver_value(solver): the total if below `limit`, else a lower bound >= limit;
 * code_solver_worst(solver): the worst case of that strategy, if below.
 * code_solver_try(solver, guess Code[1], depth, limit): as code_solver_begin, for the least total
 * if that guess is the first one. A guess that all secrets answer alike never comes below a limit. */
i32 code_solver_begin(u8 *memory LIVE, i32 depth, i32 limit);
i32 code_solver_try(u8 *memory LIVE, const Code *guess HAS(1), i32 depth, i32 limit);
i32 code_solver_worst(const u8 *memory LIVE);
i32 code_solver_step(u8 *memory LIVE, i32 budget);
i32 code_solver_value(const u8 *memory LIVE);

/* code_solver_nodes(solver): the number of sets searched since it was started. */
i32 code_solver_nodes(const u8 *memory LIVE);

/* For within.c: parts[column] = cells into which each guess of the frame splits the set; a member
 * whose answers separate all members, or -1; all secrets of the frame on an empty stack, and the
 * cell of each secret's answer to a guess (0 when out of memory). */
void code_count_cells(Solver *solver, const u16 *members, i32 m);
i32 code_perfect_member(const Frame *frame, const u16 *members, i32 m);
u16 *code_all_members(Solver *solver);
u8 *code_label_secrets(Solver *solver, Code guess);

/* ---- within.c ---------------------------------------------------------------------------------- */

/* code_within_begin(solver, rows, need): begins the search for the most secrets of the frame that one
 * strategy finds within `rows` guesses. code_within_try(solver, guess Code[1], rows, need): the same if that guess is the
 * first one. code_within_step(solver, budget): 1 = more to do, 0 = done. code_solver_value(solver)
 * is then the number if it is above `need`, else an upper bound that is at most `need`.
 *
 * code_within_weights(solver, order, weights, n): the places of the frame's secrets by falling
 * weight, and the weights, at most MOST_WEIGHTS in all. Until the next frame the number is the weight
 * of the secrets found. A solver keeps to one weight for each secret, as its memo does. */
i32 code_within_weights(u8 *memory LIVE, const u16 *order HAS(n), const i32 *weights HAS(n), i32 n);
i32 code_within_begin(u8 *memory LIVE, i32 rows, i32 need);
i32 code_within_try(u8 *memory LIVE, const Code *guess HAS(1), i32 rows, i32 need);
i32 code_within_step(u8 *memory LIVE, i32 budget);

/* ---- optimal.c ---------------------------------------------------------------------------------- */

/* code_solver_guess(solver, secrets, n, depth): the number of the best guess of a set in the table,
 * plus 1; 0 if it has none (any more). */
i32 code_solver_guess(const u8 *memory LIVE, const Code *secrets HAS(n), i32 n, i32 depth);

/* ---- root_guesses.c ----------------------------------------------------------------------------- */

/* code_canonical(rules, space, count, clues, clue_count, secrets, n, consistent_only,
 * out u32[count]): guesses that are least in their constraint and their excluded-colour class. */
i32 code_canonical(i32 rules, const Code *space HAS(count), i32 count,
                   const Code *clues HAS(clue_count), i32 clue_count, const Code *secrets HAS(n),
                   i32 n, i32 consistent_only, u32 *out HAS(count));

/* code_bounds(rules, secrets, n, space, guesses u32[count], count, depth, planes, columns, out):
 * for each guess out[2i] = n + the least totals of its cells (NEVER if it splits nothing), and
 * out[2i + 1] = the sum of squares of its cells. planes: code_plane_words(n) words. */
i32 code_bounds(i32 rules, const Code *secrets HAS(n), i32 n,
                const Code *space HAS(code_guesses(rules)),
                const u32 *guesses HAS(count), i32 count, i32 depth,
                u64 *planes HAS(code_plane_words(rules, n)),
                u64 *columns HAS((rules & 15) * ((n + 63) / 64)), i32 *out HAS(2 * count));

/* code_look(rules, space, count, clues, clue_count, secrets, n, guesses, from, to, depth, limit,
 * consistent_only, scratch, totals): a lower bound for the total of each of the guesses from …
 * to-1, by looking one guess further in every cell; a bound that reaches `limit` is left there.
 *   totals i32[to - from][1 + MAX_CELLS]: the bound, then that of each cell
 *   scratch: code_look_bytes(rules, count, n) bytes */
i32 code_look_bytes(i32 rules, i32 count, i32 n);
i32 code_look(i32 rules, const Code *space HAS(count), i32 count,
              const Code *clues HAS(clue_count), i32 clue_count, const Code *secrets HAS(n), i32 n,
              const u32 *guesses HAS(to), i32 from, i32 to, i32 depth, i32 limit,
              i32 consistent_only, u8 *scratch HAS(code_look_bytes(rules, count, n)),
              i32 *totals HAS((to - from) * (1 + MAX_CELLS)));

/* code_part(rules, guess, secrets, n, out Code[n], starts u32[MAX_CELLS + 1]): the secrets sorted
 * by their answer, in order within an answer; cell c is starts[c] … starts[c + 1] - 1. Returns
 * the number of cells, empty ones included. */
i32 code_part(i32 rules, const Code *guess HAS(1), const Code *secrets HAS(n), i32 n,
              Code *out HAS(n), u32 *starts HAS(MAX_CELLS + 1));

/* code_weighted_bounds(rules, secrets, weights, n, guesses, count, out): for each guess a lower bound
 * of the weighted total, sum of weight times guesses, from perfect trees below its answers; -1 if all
 * secrets answer it alike and it is not the last one. Weights are 0 to MOST_WEIGHT, falling. */
i32 code_weighted_bounds(i32 rules, const Code *secrets HAS(n), const i64 *weights HAS(n), i32 n,
                         const Code *guesses HAS(count), i32 count, i64 *out HAS(count));

/* code_tells_all(rules, secrets, n): place + 1 of the first secret that all others answer
 * differently; 0 if there is none. */
i32 code_tells_all(i32 rules, const Code *secrets HAS(n), i32 n);

#endif
