/* A seal: the first 16 bytes of what one call begins and others go on with.
 *
 *     bytes   0 … 3       4 … 7             8 … 11    12 … 15
 *             kind        its own address   first     second
 *
 * A begin breaks the seal, and sets it as the last thing it does; every later call looks at it
 * first and answers BAD where it does not hold. So zeroed memory, a copy, another desk's work, and
 * work whose begin failed are refused, and nothing behind the seal needs to be read with suspicion.
 * The caller breaks the seals in a buffer that it takes back. `first` and `second` are sizes that
 * the caller's buffers must have in later calls (cells of a board, its clues).
 */
#ifndef CLUEWISE_SEAL_H
#define CLUEWISE_SEAL_H

#include "kernel.h"

typedef struct Tag {
  u32 kind, at;
  i32 first, second;
} Tag;

/* Four letters as a number: TAG('t', 'r', 'e', 'e'). */
#define TAG(a, b, c, d) ((u32)(a) << 24 | (u32)(b) << 16 | (u32)(c) << 8 | (u32)(d))

static inline void seal_set(Tag *seal, u32 kind, i32 first, i32 second) {
  *seal = (Tag){kind, (u32)(uintptr_t)seal, first, second};
}

static inline void seal_break(Tag *seal) { seal->kind = 0; }

/* 1 if `at` is the address of something of that kind whose seal holds. */
static inline i32 seal_holds(const void *at, u32 kind) {
  const Tag *seal = at;
  return at && !((uintptr_t)at & 7) && seal->kind == kind && seal->at == (u32)(uintptr_t)at;
}

#endif
