/* How guesses split secrets: adders of bits, all guesses over few secrets (small_sets.c), the guesses
 * of one multiset of colours over many (multiset_runs.c).
 */
#ifndef CLUEWISE_SPLITS_H
#define CLUEWISE_SPLITS_H

#include "code.h"

#include <wasm_simd128.h>

/* ---- adders ---------------------------------------------------------------------------------- */

/* Sums of bits lane by lane: carry-save adders over 128 secrets, or over sixteen guesses by eight
 * secrets; the same operations. All is constant-folded where the number of pegs is a constant.
 */

#define INLINE static inline __attribute__((always_inline))

typedef u64 Two __attribute__((vector_size(16), aligned(8))); /* two words of lanes */

/* Binary sum of `p` one-bit numbers in each lane: full adders take three rows of a weight to one
 * of that weight and one of the next. `open` is used up. */
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

/* The lanes whose sum is x. A bit is only looked at where another value <= p differs in it. */
INLINE Two lanes_with(const i32 p, const Two *sum, const i32 x) {
  Two lanes = {~0ull, ~0ull};
#pragma unroll
  for (i32 bit = 0; bit < 4; bit++) {
    if (x >> bit & 1) lanes &= sum[bit];
    else if ((x | 1 << bit) <= p) lanes &= ~sum[bit];
  }
  return lanes;
}

/* The cell of x exact and t matches at all, in the order of code_cells_of. */
INLINE i32 cell_at(const i32 p, const i32 x, const i32 t) {
  return x < p ? x * (p + 1) - x * (x - 1) / 2 + t - x : p * (p + 3) / 2 - 1;
}

/* ---- few secrets ----------------------------------------------------------------------------- */

/* How all guesses split few secrets: sixteen guesses side by side, a byte each.
 *
 * A run is all guesses of one multiset of colours; matches at all are the same for them, which
 * bounds what any of them scores before one is looked at. A block is sixteen guesses of a run,
 * written as the places to look up: for each peg a byte a guess, the colour less one (a blank lies
 * beyond the table and finds nothing).
 */

enum { FEW_SECRETS = 64, FEW_PEGS = 5, SIDE = 16 };

typedef u8 Lanes __attribute__((vector_size(16))); /* a byte for each of sixteen guesses */

typedef struct Run {
  u32 from, to; /* in the order of the guesses */
  u32 block;    /* the first of its blocks */
  u32 symbols;  /* that its guesses show, bit symbol */
  Code code;    /* one of them */
} Run;

typedef struct Few {
  Rules rules;
  i32 runs, blocks;
  Run *run;
  v128_t *places; /* blocks · pegs */
  i64 least[MAX_PEGS + 2][FEW_SECRETS + 1]; /* the least score of so many cells, of so many secrets */
  const i64 *value; /* of a cell of 0, 1, 2 … secrets; the sum over its cells is a split's score */
  /* The secrets at hand: */
  i32 n, shift;
  v128_t high[2], low[2]; /* value >> shift in two digits, of 0 … 15 and 16 … 31 secrets */
  v128_t exact[FEW_SECRETS / 8][MAX_PEGS];    /* eight secrets a byte, a byte a colour */
  u64 match[MAX_PEGS][SYMBOLS];               /* those with more than so many of a symbol */
} Few;

/* What a run's guesses have in common: the secrets with 1 … pegs matches at all, and how many
 * there are with 0 … pegs. */
typedef struct Common {
  u64 of[MAX_PEGS];
  u8 many[MAX_PEGS + 1];
} Common;

/* At most so many runs and blocks. */
i32 code_few_runs(const Rules *rules, i32 count);
i32 code_few_blocks(const Rules *rules, i32 count);

/* Lists the runs and blocks of the guesses into few->run and few->places, which hold what the two
 * above say; `order` becomes the guesses run by run, ascending in each. `value` is convex and has
 * `values` entries; scratch u32[24 * count]. */
void code_few_start(Few *few, const Rules *rules, const Code *space, i32 count, const i64 *value,
                    i32 values, u32 *order, u32 *scratch);

/* Turns to 1 … FEW_SECRETS secrets, fewer than `values`. */
void code_few_take(Few *few, const Code *secrets, i32 n);

/* What the run has in common; returns what no guess of it scores less than (FEW_PEGS, too). */
i64 code_few_common(const Few *few, const Run *run, Common *common);

/* For rules of at most FEW_PEGS pegs (above, the unrolled loops would double the kernel's size for
 * few games): goes on from block *block of the run to the first one in which a guess may score
 * `most` or less; writes the block's cells and moves *block behind it. Returns those guesses, a bit
 * each, or 0 at the run's end. A block that is not full repeats its last guess. */
u32 code_few_next(const Few *few, const Run *run, const Common *common, u32 *block, i64 most,
                  Lanes cells[MAX_CELLS]);

/* ---- many secrets ---------------------------------------------------------------------------- */

/* How the guesses of a run split many secrets: all guesses of one multiset of colours together, in
 * games of four pegs.
 *
 * Secrets that share at most two colours with the run are not looked at one by one: of them there
 * are three kinds with an exact match (one of one, one of two, two of two), and three sums tell how
 * many of each there are. Over all secrets and a guess's pegs: how many have its colour at a peg;
 * how many at two pegs; and how many matches at all those have that have its colour at a peg. Each
 * adds up numbers of secrets in two rows of planes at once, counted once for all guesses. The
 * others, one in eight in Bulls & Cows, are compared with sixteen guesses at a time, a byte each.
 */

enum {
  RUN_PEGS = 4,          /* with fewer all is soon counted, with more most secrets share three colours */
  RUN_SECRETS = 1 << 14, /* at most */
  RUN_WORK = 1 << 16,    /* guesses times columns: with fewer, numbers of two rows do not pay */
  RUN_GUESSES = 6,       /* of a run: fewer are split one by one */
  RUN_SHARE = 5,         /* at most every so-manieth secret is compared */
  RUN_SIDE = 16          /* guesses at a time */
};

/* Turns to the secrets of the tally, for so many guesses; 0 where they are to be split one by one. */
i32 code_runs_start(const Tally *tally, i32 guesses);

/* Turns to the run of this guess, whose matches at all the tally holds; 0 if its guesses are to be
 * split one by one. */
i32 code_runs_take(const Tally *tally, Code guess);

/* Cell sizes of 1 … RUN_SIDE guesses of the run. */
void code_runs_split(const Tally *tally, const Code *guesses, i32 many, u32 cells[][MAX_CELLS]);

#endif
