/* The 9x9 solver (solve.c), also used to make boards. */
#ifndef CLUEWISE_SUDOKU_SOLVE_H
#define CLUEWISE_SUDOKU_SOLVE_H

#include "sudoku/board.h"

/* Candidates of a board as bitboards: nine digits, each three bands of 27 cells in a vector:
 *
 *    lane 0           lane 1       lane 2       lane 3
 *    rows 1..3        rows 4..6    rows 7..9    unused, 0
 *    bit 9*row + col of the band
 */
typedef struct {
  u32 digit[9][4];
  u32 fixed[4]; /* cells whose value is known and erased from the other digits */
  u64 dirty;    /* bits 4d..4d+3: digit d changed since it was last propagated */
  u64 spare;
} __attribute__((aligned(16))) Candidates;

typedef struct {
  i32 limit;    /* stop after this many solutions */
  i32 found;    /* solutions so far */
  i32 guesses;  /* branchings so far */
  u8 *first;    /* out: the first two solutions, or 0 */
  u64 *random;  /* branch at random, or 0 */
} Solve;

enum { MOST_GUESSES = 20000 }; /* about 10 ms; puzzles of people take a few hundred at most */

void sudoku_load(Candidates *s, const u8 *board);

/* Counts solutions by depth-first search. Recursion: at most 81 levels of about 200 bytes. */
void sudoku_search(Solve *solve, Candidates *s);
static inline void sudoku_forbid(Candidates *s, i32 cell, i32 digit) {
  s->digit[digit - 1][cell / 27] &= ~(1u << cell % 27);
}

/* xoroshiro128+ (Blackman and Vigna), 64 random bits; the state must not be all zero */
static inline u64 sudoku_random(u64 *s) {
  u64 a = s[0], b = s[1], out = a + b;
  b ^= a;
  s[0] = (a << 24 | a >> 40) ^ b ^ b << 16;
  s[1] = b << 37 | b >> 27;
  return out;
}
/* 0..n-1, biased by less than n / 2^32 */
static inline u32 sudoku_below(u64 *s, u32 n) { return (u32)(((sudoku_random(s) >> 32) * n) >> 32); }

#endif
