/* Pseudorandom numbers: splitmix64 (Steele, Lea and Flood, OOPSLA 2014); and two 64-bit hashes. */
#ifndef CLUEWISE_RANDOM_H
#define CLUEWISE_RANDOM_H

#include "kernel.h"

#define RANDOM_STEP 0x9e3779b97f4a7c15ull /* 2^64 / golden ratio, odd */

/* The finalizer of splitmix64: each bit of x affects all bits of the result. A bijection. */
static inline u64 random_mix(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/* A cheaper hash. It must not change: it decides which of several equivalent canonical labellings
 * and sets of generators of a sudoku board is returned. */
static inline u64 hash_mix(u64 x) {
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 29;
}

/* Returns 64 random bits and advances the state; any initial state is valid. */
static inline u64 random_next(u64 *state) { return random_mix(*state += RANDOM_STEP); }

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double random_share(u64 *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

#endif
