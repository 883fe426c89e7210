/* Mine boards: cardinality constraints ("exactly `need` mines among these cells") over the cells of
 * any graph. Seven engines:
 *
 *   count    exact model count and marginals (count.c, with problem.c, components.c,
 *            elimination_order.c, table.c, frontier.c, forward_backward.c, marginals.c, grid.c,
 *            join.c)
 *   search   satisfiability and backbone by CDCL (cdcl.c)
 *   sums     satisfiability of many sets of clues of one board by dual simplex (simplex.c,
 *            sums_queries.c)
 *   closure  inequalities derived pair by pair, as a person would, with parents (closure.c)
 *   ladder   the deduction of least kind and length (ladder.c)
 *   least    the sum of fewest counts that decides a cell (least_sum.c)
 *   guess    the probability to win of each candidate under optimal play (guess.c, with
 *            layouts.c, guess_state.c)
 *
 * THE BOARD is one packed i32 array, written once per puzzle:
 *
 *   cells | groups | neighbour start[cells + 1] | group start[groups + 1] | count[groups]
 *         | neighbour lists | group members
 *
 * Starts count from 0 within their own list. Limits: MINES_CELLS cells, MINES_GROUPS groups.
 *
 * THE STATE is one i16 per cell: a revealed number (0..), or one of the marks below. Flags are
 * assumed to be mines. A `?` is known to be safe and is no clue.
 *
 * CLUES are numbered: group g is clue g, the number of cell c is clue groups + c. `active` is a
 * byte per clue (0: leave it out), or NULL for all of them.
 *
 * THE WORKSPACE is one buffer of the caller's: a `begin` call initialises it, the later calls
 * continue in it. Its seal has the number of cells as `first` and that of clues (groups and cells)
 * as `second`. No state is kept in static memory. 1 MB is enough for boards of 150 cells, 24 MB for
 * any position that the counter can finish within its limit of states. */
#ifndef CLUEWISE_MINES_H
#define CLUEWISE_MINES_H

#include "kernel.h"
#include "shared/arena.h"
#include "shared/random.h"
#include "shared/seal.h"

enum {
  MINES_CELLS = 1000,
  MINES_WORDS = (MINES_CELLS + 63) / 64,
  MINES_GROUPS = 500,
  MINES_CLUES = MINES_CELLS + MINES_GROUPS,
};

enum { STATE_UNKNOWN = -1, STATE_QUESTION = -2, STATE_FLAG = -3 };

/* ---------------------------------------------------------------- exported: counting
 *
 * mines_count_begin(board, length, state, active, sample, seed, work, size, budget, out)
 *   `length` of `board` in i32; `size` of `work` in bytes, 16-byte aligned.
 *   sample = 0: exact. sample > 0: an unbiased estimate that keeps at most `sample` frontier
 *   states a layer, drawn with `seed`. Works for about `budget` units of 50 ns, which suffices for
 *   most exact counts. Returns as mines_count_run does, or BAD.
 * mines_count_run(work, budget, out)
 *   Continues. Returns 1 (call again), 0 (the clues contradict), TOO_LARGE, or (limbs + 1) * 65536
 *   + classes with the result in `out` (limbs 0 for doubles): an i16 per cell, padded to a multiple
 *   of 8 bytes, is the class of an unknown cell, CLASS_SAFE or CLASS_MINE where preprocessing
 *   decides it, CLASS_NONE where it is not unknown. Then the masses: the number of layouts, then
 *   per class the number of layouts in which a given cell of it is a mine, each in `limbs` words,
 *   lowest first; doubles (1 word) when sampled. */
enum { CLASS_SAFE = -1, CLASS_MINE = -2, CLASS_NONE = -3 };

i32 mines_count_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                      const u8 *active MAY(board[0] + board[1]), i32 sample, i32 seed, u8 *work HAS(size),
                      i32 size, i32 budget, u64 *out HAS((board[0] + 3) / 4 + MINES_WORDS * (board[0] + 1)));
i32 mines_count_run(u8 *work LIVE, i32 budget,
                    u64 *out HAS((first(work) + 3) / 4 + MINES_WORDS * (first(work) + 1)));

/* ---------------------------------------------------------------- exported: searching
 *
 * mines_search_begin(board, length, state, active, work, size)
 *   Returns 1, 0 (preprocessing finds a contradiction), BAD, TOO_LARGE.
 * mines_search_solve(work, cell, value, conflicts)
 *   Is there a layout in which `cell` is `value` (0 safe, 1 mine; cell -1: any layout)?
 *   Returns 1 yes, 0 no, 2 undecided after that many conflicts (call again to continue).
 *   Learned clauses are kept, so a second query is cheaper.
 * mines_search_backbone(work, values, conflicts)   conflicts >= 300
 *   The cells that are equal in all layouts: `values` receives an i8 per cell of the board, 0 safe,
 *   1 mine, -1 open, -2 not unknown. Returns 1 done, 0 the clues contradict, 2 call again.
 * mines_search_model(work, values)
 *   After a 1 of mines_search_solve: the layout found, in the same form. Returns OK. */

i32 mines_search_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                       const u8 *active MAY(board[0] + board[1]), u8 *work HAS(size), i32 size);
i32 mines_search_solve(u8 *work LIVE, i32 cell, i32 value, i32 conflicts);
i32 mines_search_model(u8 *work LIVE, i8 *values HAS(first(work)));
i32 mines_search_backbone(u8 *work LIVE, i8 *values HAS(first(work)), i32 conflicts);

/* ---------------------------------------------------------------- exported: sums
 *
 * mines_sums_begin(board, length, state, active, work, size)
 *   Numbers the constraints of a state: groups and shown numbers in the board's order, then flags,
 *   each the constraint that its cell is a mine. A set of them is a bit per number, the lowest
 *   first, in as many bytes as all clues of the board take. `size` at least 64 KB + 8 bytes *
 *   (clues + 1) * (unknown and flagged cells + 1), clues = groups and shown numbers. Returns OK,
 *   BAD, TOO_LARGE.
 * mines_sums_backbone(work, values, budget)
 *   Before any other query: the cells that are equal in all layouts of the active clues, i8 per
 *   cell of the board: 0 safe, 1 mine, -1 open, -2 known, -3 undecided. Works for about `budget`
 *   units of 1 ns. Returns 1 done, 0 no layout, 2 call again, 3 undecided because of rounding
 *   errors (use the search), BAD.
 * mines_sums_proof(work, weights)
 *   After a 0: the Farkas certificate, the weight of each clue of the board in the sum that refutes
 *   the query, an f64 per clue (groups, then cells), up to rounding and a common factor. Returns 1;
 *   0 if it took branching and there is no single sum; BAD.
 * mines_sums_most(work, question, layout)
 *   `question`: seven i32, namely a cell (-1: none), its value (0 safe, 1 mine), a clue (-1: none),
 *   the fewest and the most mines that it may count, `again`, the budget; then two sets, `chosen`
 *   and `among`. Is there a layout in which the cell has that value, the clue such a count and
 *   `chosen` holds? If so, a subset of `among` that can hold as well, maximal unless constraints
 *   stay undecided. `layout` receives the set of all constraints that hold in it, then its mines, a
 *   bit per cell. Returns 1; 0 no layout; 2 call again with `again` 1 and all else the same (2:
 *   stop with the result so far); 3 undecided, use the search; BAD.
 * mines_sums_least(work, question, kept)
 *   The same query, of a set without a layout: `kept` receives the set without the constraints of
 *   `among` that it does not need to be unsatisfiable, deleted one by one in order. Returns 0; 1
 *   there is a layout; 2, 3, BAD as above. Undecided constraints are kept.
 * Both discard an earlier query; after a 0 of mines_sums_most the certificate can be read. */

i32 mines_sums_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                     const u8 *active MAY(board[0] + board[1]), u8 *work HAS(size), i32 size);
i32 mines_sums_backbone(u8 *work LIVE, i8 *values HAS(first(work)), i32 budget);
i32 mines_sums_proof(u8 *work LIVE, double *weights HAS(second(work)));
i32 mines_sums_most(u8 *work LIVE, const u8 *question HAS(28 + 2 * ((second(work) + 7) / 8)),
                    u8 *layout HAS((second(work) + 7) / 8 + (first(work) + 7) / 8));
i32 mines_sums_least(u8 *work LIVE, const u8 *question HAS(28 + 2 * ((second(work) + 7) / 8)),
                     u8 *kept HAS((second(work) + 7) / 8));

/* ---------------------------------------------------------------- exported: the closure
 *
 * mines_closure_begin(board, length, state, active, widest, highest, most, work, size)
 *   Enters the clues of one state. Sets of more than `widest` cells with a minimum above
 *   `highest` are never crossed (widest = MINES_CELLS lifts that cap); with more than `most`
 *   sets the closure gives up. Returns OK, BAD, TOO_LARGE.
 * mines_closure_step(work, limit, target, budget)
 *   Runs rounds until some set is trivial (target -1) or the cell `target` is decided: exact
 *   rounds, and where one derives nothing an inexact one, at most `limit` of them. Decided cells
 *   stay in the sets. Works for about `budget` pairs. Returns 1 found, 0 stopped without, 2 call
 *   again, 3 gave up beyond `most` sets, TOO_LARGE.
 * mines_closure_play(work, shows, limit, records, room, budget)
 *   Plays a puzzle to its end: steps as above, each followed by opening and flagging what is
 *   decided: inexact inequalities are purged, the others reduced by the newly known cells, the
 *   numbers of newly opened cells entered; the count of rounds restarts. `shows` is a state in
 *   which every cell is open or, if a mine, flagged. records[0] is the number of steps so far (0 at
 *   first); each adds four i32: rounds, inexact rounds, sets, exact ones; `room` steps fit. Returns
 *   1 all safe cells are open, 0 stopped before, 2 call again, 3 gave up, TOO_LARGE.
 * mines_closure_rows(work)
 *   Returns the number of rows of the log.
 * mines_closure_log(work, count, rows)
 *   The first rows of the log, each MINES_LOG_HEAD i32 as below, then its cells as
 *   2 * words i32 of bit mask, words = max(1, (cells + 63) / 64). Returns OK or BAD. */
enum { LOG_KIND, LOG_FIRST, LOG_SECOND, LOG_MIN, LOG_MAX, LOG_SIZE, LOG_ROUND, MINES_LOG_HEAD };
/* Kinds of log rows: a clue (FIRST = its number); a result of crossing rows FIRST and SECOND in an
 * exact or inexact round; the intersection of the bounds of rows FIRST and SECOND over the same
 * cells; row FIRST without cells that have become known. */
enum { KIND_CLUE, KIND_EXACT, KIND_INEXACT, KIND_MEET, KIND_REDUCED };

i32 mines_closure_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                        const u8 *active MAY(board[0] + board[1]), i32 widest, i32 highest, i32 most,
                        u8 *work HAS(size), i32 size);
i32 mines_closure_step(u8 *work LIVE, i32 limit, i32 target, i32 budget);
i32 mines_closure_play(u8 *work LIVE, const i16 *shows HAS(first(work)), i32 limit,
                       i32 *records HAS(1 + 4 * room), i32 room, i32 budget);
i32 mines_closure_log(u8 *work LIVE, i32 count,
                      i32 *rows HAS(count * (MINES_LOG_HEAD + 2 * ((first(work) + 63) / 64))));
i32 mines_closure_rows(u8 *work LIVE);

/* ---------------------------------------------------------------- exported: the easiest deduction
 *
 * mines_ladder_begin(board, length, state, target, wide, chain, bounds, most, work, size)
 *   The least derivation that decides some cell (target -1) or that one: by one count, by up to
 *   `chain` exact crossings, else by up to `bounds` crossings of one-sided facts (both below 16).
 *   Derived sets have at most `wide` cells; at most `most` facts are held, fewer in a small
 *   workspace. Returns 1 (continue with mines_ladder_run), 0 (the clues contradict), BAD,
 *   TOO_LARGE.
 * mines_ladder_run(work, budget)
 *   Works for about `budget` pairs. Returns 1 (call again), 2 (found), 0 (no such derivation).
 * mines_ladder_result(work, out)
 *   `out`: kind (0 one, 1 subset, 2 cross, 3 chain, 4 bounds), length (occurrences of counts), the
 *   cells of its widest set, the value of the decided cells, 1 if facts were left out for lack of
 *   room, rows of the derivation. Returns 1, or 0 if none was found.
 * mines_ladder_log(work, count, rows)
 *   All `count` rows, parents first, the deciding fact last, each 4 i32 and its cells as 2 * words
 *   i32 of bit mask: side (0 equal, 1 at least, 2 at most), bound, and the rows that it was crossed
 *   from; for a count both are -1 - its number on the board. Returns OK or BAD. */

i32 mines_ladder_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]), i32 target,
                       i32 wide, i32 chain, i32 bounds, i32 most, u8 *work HAS(size), i32 size);
i32 mines_ladder_run(u8 *work LIVE, i32 budget);
i32 mines_ladder_result(u8 *work LIVE, i32 *out HAS(6));
i32 mines_ladder_log(u8 *work LIVE, i32 count, i32 *rows HAS(count * (4 + 2 * ((first(work) + 63) / 64))));

/* ---------------------------------------------------------------- exported: the least sum
 *
 * mines_least_begin(board, length, state, values, layout, cell, most, work, size)
 *   The fewest counts, at most `most`, each added or subtracted once, whose sum decides a forced
 *   cell (the lowest of equal ones) or `cell` (-1: any). `values`: 0 safe, 1 mine, below 0 not
 *   forced; `layout`: 0 or 1 per cell, some layout that fits. Returns 1 (continue with
 *   mines_least_run), 0 (there is none), BAD (also if the layout violates a count), TOO_LARGE.
 * mines_least_run(work, budget)
 *   Works for about `budget` words of sets, 3 ns each. Returns 1 (call again), 2 (found), 0 (no sum
 *   decides a cell), 3 (none of at most `most` counts does).
 * mines_least_result(work, weights)
 *   After 2: the weight of each clue (groups, then cells). Returns the cell, or BAD. */
enum { MINES_LEAST = 32 };

i32 mines_least_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                      const i8 *values HAS(board[0]), const i8 *layout HAS(board[0]), i32 cell, i32 most,
                      u8 *work HAS(size), i32 size);
i32 mines_least_run(u8 *work LIVE, i32 budget);
i32 mines_least_result(u8 *work LIVE, i8 *weights HAS(second(work)));

/* ---------------------------------------------------------------- exported: the best guess
 *
 * mines_guess_begin(board, length, state, secret, most, work, size)
 *   `secret`: a byte per cell, 1 if it shows no number when it is opened. At most `most` layouts
 *   (up to 2^20). Returns 1 (continue with mines_guess_list), 0 (the clues contradict), BAD,
 *   TOO_LARGE.
 * mines_guess_list(work, budget)
 *   Lists the layouts, for about `budget` steps. Returns 1 (call again), 2 (done), 0 (the clues
 *   contradict), TOO_LARGE (more than `most` layouts, or too long a search for them).
 * mines_guess_ask(work, bounds, cell, first, budget, out)
 *   The value of opening an unknown cell now. first: 0 no rule; 1 the cell is no mine; 2 nor is any
 *   of its neighbours: other layouts do not count. `out` receives the layouts in which the cell is
 *   no mine (and the rule holds), the layouts that count, and a lower and an upper bound of the
 *   former that are won: with bounds = 0 both the layouts won by optimal play, else those won by
 *   the greedy policy (the safest cell each time) and an upper bound for every policy. Works for
 *   about `budget` steps. Returns 1 (call again), 2 (done), 0 (no candidate: a mine in all
 *   layouts), 3 (unsettled in this workspace), BAD, TOO_LARGE. */

i32 mines_guess_begin(const i32 *board HAS(length), i32 length, const i16 *state HAS(board[0]),
                      const u8 *secret HAS(board[0]), i32 most, u8 *work HAS(size), i32 size);
i32 mines_guess_list(u8 *work LIVE, i32 budget);
i32 mines_guess_ask(u8 *work LIVE, i32 bounds, i32 cell, i32 first, i32 budget, i32 *out HAS(4));

/* ---------------------------------------------------------------- shared inside this folder */

typedef struct Board {
  i32 cells, groups;
  const i32 *neighbour_start, *group_start, *group_count, *neighbours, *members;
} Board;

enum { LOCAL_NONE = -1, LOCAL_FLAG = -2 };

/* The clues of one state over its unknown cells, numbered 0..cells-1 here ("local" numbers). */
typedef struct Problem {
  i32 board_cells, cells, words, clues;
  i16 *local_of; /* board cell -> local cell, LOCAL_NONE or LOCAL_FLAG */
  i16 *board_of; /* local cell -> board cell */
  i32 *need;     /* mines among the clue's cells */
  i32 *size;     /* how many cells */
  i32 *name;     /* the clue's number on the board */
  u64 *mask;     /* clues * words */
  i16 *from, *to; /* the words of a clue's mask that may hold cells: from, and before to */
  i8 *value;     /* per local cell: -1 open, 0 safe, 1 mine */
} Problem;

static inline u64 *mask_of(const Problem *p, i32 clue) { return p->mask + (size_t)clue * p->words; }

static inline i32 has_bit(const u64 *mask, i32 i) { return (i32)(mask[i >> 6] >> (i & 63) & 1); }
static inline void set_bit(u64 *mask, i32 i) { mask[i >> 6] |= 1ull << (i & 63); }

static inline i32 mask_count(const u64 *mask, i32 words) {
  i32 count = 0;
  for (i32 w = 0; w < words; w++) count += popcount64(mask[w]);
  return count;
}

enum {
  COUNTING = TAG('m', 'c', 'n', 't'),
  SEARCHING = TAG('m', 's', 'r', 'c'),
  SUMMING = TAG('m', 's', 'u', 'm'),
  CLOSING = TAG('m', 'c', 'l', 'o'),
  GUESSING = TAG('m', 'g', 'u', 'e'),
  CLIMBING = TAG('m', 'l', 'a', 'd'),
  ADDING = TAG('m', 'l', 's', 't')
};

static inline i32 same_words(const u64 *a, const u64 *b, i32 words) {
  for (i32 w = 0; w < words; w++)
    if (a[w] != b[w]) return 0;
  return 1;
}

static inline u64 hash_words(const u64 *set, i32 words, u64 seed) {
  for (i32 w = 0; w < words; w++) seed = (seed ^ set[w]) * 0x9E3779B97F4A7C15ull + (seed >> 29);
  return random_mix(seed);
}

/* OK or BAD: `packed` is a board as described above. */
i32 mines_read_board(Board *board, const i32 *packed, i32 length);

/* Begin an engine whose struct, of `head` bytes, lies at the start of `work`: zero it, give the
 * rest of the workspace to `arena`, read the board and the clues of the state. Returns 1; 0 if a
 * clue needs a negative number of mines or more than it has unknown cells (the problem is then
 * unusable); BAD; TOO_LARGE. */
i32 mines_begin(u8 *work, i32 size, size_t head, Arena *arena, Board *board, Problem *p, const i32 *packed,
                i32 length, const i16 *state, const u8 *active);

/* Take the incidence matrix of clues and cells as lists (CSR), by clue and by cell. OK or
 * TOO_LARGE. */
i32 mines_take_lists(const Problem *p, Arena *arena, i32 **first_cell, i16 **cells_of, i32 **first_clue,
                     i16 **clues_of);

/* Preprocess to a fixpoint: fix the cells of trivial clues, subtract subsets from supersets. 0 if
 * the clues contradict, else 1. The solutions over the open cells stay the same. */
i32 mines_simplify(Problem *p);

#endif
