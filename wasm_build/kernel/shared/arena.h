/* Arena allocator: a stack allocator at each end of a buffer of the caller.
 *
 *     | results: allocated upwards  low ->   free   <- high  scratch: allocated downwards |
 *
 * To free everything that was allocated later, save `low` or `high` and restore it.
 */
#ifndef CLUEWISE_ARENA_H
#define CLUEWISE_ARENA_H

#include "kernel.h"

typedef struct Arena { u8 *low, *high; } Arena;

/* The arena of the `size` bytes at `from` (16-byte aligned), behind a header of `head` bytes. */
static inline Arena arena_after(u8 *from, size_t head, size_t size) {
  return (Arena){from + ((head + 15) & ~(size_t)15), from + (size & ~(size_t)15)};
}

/* Allocates `bytes` at the low end, 16-byte aligned; NULL if there is no room. */
static inline void *arena_take(Arena *arena, size_t bytes) {
  size_t need = (bytes + 15) & ~(size_t)15;
  if (need < bytes || need > (size_t)(arena->high - arena->low)) return NULL;
  void *at = arena->low;
  arena->low += need;
  return at;
}

/* The same at the high end. */
static inline void *arena_scratch(Arena *arena, size_t bytes) {
  size_t need = (bytes + 15) & ~(size_t)15;
  if (need < bytes || need > (size_t)(arena->high - arena->low)) return NULL;
  return arena->high -= need;
}

/* Points `pointer` to a new array of `count` items; false if there is no room. */
#define ARENA_TAKE(arena, pointer, count) ((pointer) = arena_take(arena, sizeof *(pointer) * (size_t)(count)))

/* The same, zeroed. */
#define ARENA_TAKE_ZEROED(arena, pointer, count) \
  (ARENA_TAKE(arena, pointer, count) && memset(pointer, 0, sizeof *(pointer) * (size_t)(count)))

#endif
