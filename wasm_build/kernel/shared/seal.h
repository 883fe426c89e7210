/* Type tags: the first 16 bytes of a struct that one exported function initializes and later calls use.
 *
 *     bytes   0 … 3       4 … 7             8 … 11    12 … 15
 *             kind        its own address   first     second
 *
 * The initializing function clears the tag at its start and sets it as its last step. Every other
 * function checks it first and returns BAD if it is not valid. This rejects zeroed memory, moved
 * copies, structs of another kind and structs whose initialization failed, so the fields behind a
 * valid tag need no further checks. The caller clears the tags in a buffer that it reuses. `first` and
 * `second` are sizes that buffers of later calls depend on (cells of a board, its clues).
 */
#ifndef CLUEWISE_SEAL_H
#define CLUEWISE_SEAL_H

#include "kernel.h"

typedef struct Tag {
  u32 kind, at;
  i32 first, second;
} Tag;

/* Four letters as a kind: TAG('t', 'r', 'e', 'e'). */
#define TAG(a, b, c, d) ((u32)(a) << 24 | (u32)(b) << 16 | (u32)(c) << 8 | (u32)(d))

static inline void seal_set(Tag *seal, u32 kind, i32 first, i32 second) {
  *seal = (Tag){kind, (u32)(uintptr_t)seal, first, second};
}

static inline void seal_break(Tag *seal) { seal->kind = 0; }

/* Whether `at` points to a struct of this kind with a valid tag; may be NULL or unaligned. */
static inline i32 seal_holds(const void *at, u32 kind) {
  const Tag *seal = at;
  return at && !((uintptr_t)at & 7) && seal->kind == kind && seal->at == (u32)(uintptr_t)at;
}

#endif
