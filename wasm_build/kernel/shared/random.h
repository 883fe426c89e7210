/* Random numbers and hashes from a mixer: splitmix64 (Steele, Lea and Flood, 2014). */
#ifndef CLUEWISE_RANDOM_H
#define CLUEWISE_RANDOM_H

#include "kernel.h"

#define RANDOM_STEP 0x9e3779b97f4a7c15ull /* 2^64 / golden ratio, odd */

/* Every bit of x moves every bit of the result. */
static inline u64 random_mix(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/* The same, shorter. Which of equal canonical forms and generators of a sudoku board is found first
 * depends on it, so it stays as it is. */
static inline u64 hash_mix(u64 x) {
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 29;
}

/* 64 random bits; any state will do, and it is moved on. */
static inline u64 random_next(u64 *state) { return random_mix(*state += RANDOM_STEP); }

/* From 0 on and below 1, in steps of 2^-53. */
static inline double random_share(u64 *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

#endif
