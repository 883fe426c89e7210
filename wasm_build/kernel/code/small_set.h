/* How all guesses split few secrets: sixteen guesses side by side, a byte each.
 *
 * A run is all guesses of one multiset of colours; matches at all are the same for them, which
 * bounds what any of them scores before one is looked at. A block is sixteen guesses of a run,
 * written as the places to look up: for each peg a byte a guess, the colour less one (a blank lies
 * beyond the table and finds nothing).
 */
#ifndef CLUEWISE_FEW_H
#define CLUEWISE_FEW_H

#include "code.h"

#include <wasm_simd128.h>

enum { FEW_SECRETS = 64, FEW_PEGS = 5, SIDE = 16 };

typedef u8 Lanes __attribute__((vector_size(16))); /* a byte for each of sixteen guesses */

typedef struct Run {
  u32 from, to; /* in the order of the guesses */
  u32 block;    /* the first of its blocks */
  u32 symbols;  /* that its guesses show, bit symbol */
  Word word;    /* one of them */
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
void code_few_start(Few *few, const Rules *rules, const Word *space, i32 count, const i64 *value,
                    i32 values, u32 *order, u32 *scratch);

/* Turns to 1 … FEW_SECRETS secrets, fewer than `values`. */
void code_few_take(Few *few, const Word *secrets, i32 n);

/* What the run has in common; returns what no guess of it scores less than (FEW_PEGS, too). */
i64 code_few_common(const Few *few, const Run *run, Common *common);

/* For rules of at most FEW_PEGS pegs (above, the unrolled loops would double the kernel's size for
 * few games): goes on from block *block of the run to the first one in which a guess may score
 * `most` or less; writes the block's cells and moves *block behind it. Returns those guesses, a bit
 * each, or 0 at the run's end. A block that is not full repeats its last guess. */
u32 code_few_next(const Few *few, const Run *run, const Common *common, u32 *block, i64 most,
                  Lanes cells[MAX_CELLS]);

#endif
