/* Cell sizes of guesses by vectors: carry-save adders, all guesses over few secrets (small_sets.c),
 * the guesses of one colour multiset over many secrets (multiset_runs.c).
 */
#ifndef CLUEWISE_SPLITS_H
#define CLUEWISE_SPLITS_H

#include "code.h"

#include <wasm_simd128.h>

/* ---- adders ---------------------------------------------------------------------------------- */

/* Bit-sliced sums: a lane is one of 128 secrets, or one of sixteen guesses times eight secrets. The
 * number of pegs is a constant in each instance, so that loops are unrolled.
 */

#define INLINE static inline __attribute__((always_inline))

typedef u64 Two __attribute__((vector_size(16), aligned(8))); /* 128 lanes */

/* Adds `p` bits in each lane: a full adder replaces three rows of a weight by one of that weight
 * and one of the next. Overwrites `open`. */
INLINE void add_rows(const i32 p, Two *open, Two *sum) {
  Two carries[MAX_PEGS];
  i32 many = p;
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    i32 next = 0;
#pragma unroll
    while (many >= 3) {
      Two a = open[many - 1], b = open[many - 2], c = open[many - 3], ab = a ^ b;
      open[many - 3] = ab ^ c;
      carries[next++] = (a & b) | (ab & c);
      many -= 2;
    }
    if (many == 2) {
      Two a = open[0], b = open[1];
      open[0] = a ^ b;
      carries[next++] = a & b;
    }
    sum[bit] = many ? open[0] : (Two){0, 0};
    many = next;
#pragma unroll
    for (i32 i = 0; i < next; i++) open[i] = carries[i];
  }
}

/* The lanes whose sum is x. A bit is tested only if another value <= p differs in it. */
INLINE Two lanes_with(const i32 p, const Two *sum, const i32 x) {
  Two lanes = {~0ull, ~0ull};
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    if (x >> bit & 1) lanes &= sum[bit];
    else if ((x | 1 << bit) <= p) lanes &= ~sum[bit];
  }
  return lanes;
}

/* The cell of x exact matches and total t, in the order of code_cells_of. */
INLINE i32 cell_at(const i32 p, const i32 x, const i32 t) {
  return x < p ? x * (p + 1) - x * (x - 1) / 2 + t - x : p * (p + 3) / 2 - 1;
}

/* ---- few secrets ----------------------------------------------------------------------------- */

/* Partitions of few secrets by all guesses, sixteen guesses a vector.
 *
 * A run is the guesses of one colour multiset. They have the same totals, which give a lower bound
 * on their scores (branch and bound). A block is sixteen guesses of a run, as indices of a table
 * lookup: for each peg a byte a guess, colour - 1 (a blank is out of range: the lookup gives 0).
 */

enum { FEW_SECRETS = 64, FEW_PEGS = 5, SIDE = 16 };

typedef u8 Lanes __attribute__((vector_size(16))); /* a byte for each of sixteen guesses */

typedef struct Run {
  u32 from, to; /* its guesses in `order` */
  u32 block;    /* its first block */
  u32 symbols;  /* of its guesses, bit symbol */
  Code code;    /* one of its guesses */
} Run;

typedef struct Few {
  Rules rules;
  i32 runs, blocks;
  Run *run;
  v128_t *places; /* blocks · pegs */
  i64 least[MAX_PEGS + 2][FEW_SECRETS + 1]; /* [cells][secrets]: least score */
  const i64 *value; /* of a cell of 0, 1, 2 … secrets; a score is their sum over the cells */
  /* the current secrets: */
  i32 n, shift;
  v128_t high[2], low[2]; /* value >> shift in two digits, of 0 … 15 and 16 … 31 secrets */
  v128_t exact[FEW_SECRETS / 8][MAX_PEGS];    /* eight secrets a byte, a byte a colour */
  u64 match[MAX_PEGS][SYMBOLS];               /* [copies][symbol]: those with more copies */
} Few;

/* Common to the guesses of a run: the secrets of total 1 … pegs, and the number of those of total
 * 0 … pegs. */
typedef struct Common {
  u64 of[MAX_PEGS];
  u8 many[MAX_PEGS + 1];
} Common;

/* Upper bounds on the number of runs and of blocks. */
i32 code_few_runs(const Rules *rules, i32 count);
i32 code_few_blocks(const Rules *rules, i32 count);

/* Lists the runs and blocks of the guesses in few->run and few->places, which the caller has
 * allocated for those upper bounds; `order`: the guesses run by run, ascending in each. `value` is
 * convex and has `values` entries; scratch u32[24 * count]. */
void code_few_start(Few *few, const Rules *rules, const Code *space, i32 count, const i64 *value, i32 values,
                    u32 *order, u32 *scratch);

/* Sets the current secrets: 1 … FEW_SECRETS of them, fewer than `values`. */
void code_few_take(Few *few, const Code *secrets, i32 n);

/* Computes what is common to a run; returns a lower bound on its scores. At most FEW_PEGS pegs. */
i64 code_few_common(const Few *few, const Run *run, Common *common);

/* Finds the next block of the run, from *block on, with guesses that may score `most` or less;
 * writes its cells and moves *block after it. Returns those guesses, a bit each, or 0 at the end of
 * the run. A block that is not full repeats its last guess. At most FEW_PEGS pegs: the unrolled
 * loops for more would double the size of the kernel. */
u32 code_few_next(const Few *few, const Run *run, const Common *common, u32 *block, i64 most,
                  Lanes cells[MAX_CELLS]);

/* ---- many secrets ---------------------------------------------------------------------------- */

/* Partitions of many secrets by the guesses of a run (one colour multiset), for four pegs.
 *
 * Secrets of total 3 and 4, one in eight in Bulls & Cows, are compared with sixteen guesses at a
 * time. The others are not enumerated: with an exact match there are three cells (exact/total =
 * 1/1, 1/2, 2/2), and three sums over all secrets determine their sizes: of exact matches x, of x
 * (x - 1) / 2, and of x times the total. Each is a sum over pegs, or pairs of pegs, of the number
 * of secrets in two rows of the planes at once, which is counted once for all guesses.
 */

enum {
  RUN_PEGS = 4,          /* with fewer it does not pay; with more most totals are 3 or larger */
  RUN_SECRETS = 1 << 14, /* at most */
  RUN_WORK = 1 << 16,    /* guesses times columns; with less, counting pairs of rows does not pay */
  RUN_GUESSES = 6,       /* of a run; fewer are counted one by one */
  RUN_SHARE = 5,         /* at most one secret in so many is compared */
  RUN_SIDE = 16          /* guesses at a time */
};

/* Sets the secrets; 0 if so many guesses should be counted one by one. */
i32 code_runs_start(const Tally *tally, i32 guesses);

/* Sets the run to that of this guess, whose totals are in the tally; 0 if its guesses should be
 * counted one by one. */
i32 code_runs_take(const Tally *tally, Code guess);

/* Cell sizes of 1 … RUN_SIDE guesses of the run. */
void code_runs_split(const Tally *tally, const Code *guesses, i32 many, u32 cells[][MAX_CELLS]);

#endif
