/* Puzzles of one solution grid as sets of its cells (81 bits in 4 words): Hamming distance of each to
 * the nearest image of another under the grid's group. Cost: O(group x masks). */
#include "sudoku/sudoku.h"

/* The cell that stands in row r, column c of the image. */
static i32 source_cell(const u8 *map, i32 r, i32 c) {
  i32 row = map[1 + r], col = map[10 + c];
  return map[0] ? 9 * col + row : 9 * row + col;
}

EXPORT(i32, sudoku_mask_images)(const u32 *mask, const u8 *maps, i32 group, u32 *images) {
  if (group < 0) return BAD;
  memset(images, 0, 16 * (size_t)group);
  for (i32 g = 0; g < group; g++) {
    const u8 *map = maps + MAP * g;
    for (i32 i = 0; i < 18; i++)
      if (map[1 + i] > 8) return BAD;
    for (i32 i = 0; i < CELLS; i++) {
      i32 cell = source_cell(map, i / 9, i % 9);
      images[4 * g + i / 32] |= (mask[cell / 32] >> cell % 32 & 1) << i % 32;
    }
  }
  return group;
}

static i32 apart(const u32 *a, const u32 *b) {
  u64 low = (a[0] ^ b[0]) | (u64)(a[1] ^ b[1]) << 32;
  return popcount64(low) + __builtin_popcount(a[2] ^ b[2]);
}

EXPORT(i32, sudoku_mask_distance)(const u32 *images, i32 group, const u32 *masks, i32 count,
                                  i32 *out) {
  if (group < 1 || count < 0) return BAD;
  for (i32 i = 0; i < count; i++) {
    i32 best = CELLS + 1, which = 0;
    for (i32 g = 0; g < group; g++) {
      i32 now = apart(images + 4 * g, masks + 4 * i);
      if (now < best) best = now, which = g;
    }
    out[2 * i] = best, out[2 * i + 1] = which;
  }
  return count;
}
