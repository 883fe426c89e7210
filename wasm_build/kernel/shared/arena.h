/* An arena: a piece of the caller's memory, given out from both ends. What lasts is taken from the
 * low end, scratch from the high one; marks of either are kept and restored to give back.
 */
#ifndef CLUEWISE_ARENA_H
#define CLUEWISE_ARENA_H

#include "kernel.h"

typedef struct Arena {
  u8 *low, *high;
} Arena;

/* The `size` bytes at `from` without what the head of so many bytes needs; `from` is 16-aligned. */
static inline Arena arena_after(u8 *from, size_t head, size_t size) {
  return (Arena){from + ((head + 15) & ~(size_t)15), from + (size & ~(size_t)15)};
}

/* `bytes` from the low end, 16-byte aligned, or NULL. */
static inline void *arena_take(Arena *arena, size_t bytes) {
  size_t need = (bytes + 15) & ~(size_t)15;
  if (need < bytes || need > (size_t)(arena->high - arena->low)) return NULL;
  void *at = arena->low;
  arena->low += need;
  return at;
}

/* The same from the high end. */
static inline void *arena_scratch(Arena *arena, size_t bytes) {
  size_t need = (bytes + 15) & ~(size_t)15;
  if (need < bytes || need > (size_t)(arena->high - arena->low)) return NULL;
  return arena->high -= need;
}

/* Room for `count` items of what a pointer points to; 0 if there is none. */
#define ARENA_TAKE(arena, pointer, count) \
  ((pointer) = arena_take(arena, sizeof *(pointer) * (size_t)(count)))

/* The same, all bytes 0. */
#define ARENA_TAKE_ZEROED(arena, pointer, count) \
  (ARENA_TAKE(arena, pointer, count) && \
   memset(pointer, 0, sizeof *(pointer) * (size_t)(count)))

#endif
