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
#ifndef CLUEWISE_RUNS_H
#define CLUEWISE_RUNS_H

#include "code.h"

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
i32 code_runs_take(const Tally *tally, Word guess);

/* Cell sizes of 1 … RUN_SIDE guesses of the run. */
void code_runs_split(const Tally *tally, const Word *guesses, i32 many, u32 cells[][MAX_CELLS]);

#endif
