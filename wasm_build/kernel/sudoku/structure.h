/* Canonical labelling and automorphisms of coloured graphs (structure.c). */
#ifndef CLUEWISE_STRUCTURE_H
#define CLUEWISE_STRUCTURE_H

#include "sudoku/sudoku.h"

/* Points with colours, and arcs between them with kinds. The arcs from point p are those from
 * starts[p] to starts[p + 1]; where there is an arc from p to q there is one from q to p, and its
 * kind follows from that of the other. */
typedef struct {
  i32 points;
  const u64 *colours;
  const u32 *starts, *targets;
  const u32 *kinds; /* or NULL: all alike */
} Structure;

typedef struct {
  u32 *places;      /* of every point in the canonical order */
  u32 *factors;     /* their number, then numbers whose product is the order of the group */
  u32 *generators;  /* each takes point p to generators[p] */
  i32 most, made;   /* room for generators, and their number */
} Symmetries;

static inline u64 mix(u64 x) {
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 29;
}

/* by_index: branch on points in ascending order; the generators are then a strong generating set
 * for the points in this order, and `places` is no canonical order.
 * Returns OK; TOO_LARGE if `room`, `most` or the budget of arcs does not suffice. */
i32 structure_search(const Structure *g, i32 by_index, Symmetries *out, u8 *work, i32 room);

#endif
