/* PNG's prediction filters undone: a million pixels are a byte at a time, too slow for Python. */
#include "scan.h"

static inline i32 distance(i32 a, i32 b) { return a > b ? a - b : b - a; }

/* The neighbour nearest to left + above - corner; ties in that order (PNG 3rd ed., 9.4). */
static inline u8 paeth(u8 left, u8 above, u8 corner) {
  i32 guess = left + above - corner;
  i32 to_left = distance(guess, left), to_above = distance(guess, above);
  i32 to_corner = distance(guess, corner);
  if (to_left <= to_above && to_left <= to_corner) return left;
  return to_above <= to_corner ? above : corner;
}

EXPORT(i32, scan_unfilter)(u8 *rows, i32 line, i32 height, i32 pixel) {
  if (line < 2 || height < 1 || pixel < 1 || pixel > 4 || (i64)line * height > 1 << 26) return BAD;
  for (i32 y = 0; y < height; y++) {
    u8 *row = rows + (size_t)y * line;
    const u8 *before = row - line; /* of the row above, read only when there is one */
    if (row[0] > 4) return 1;
    for (i32 i = 1; i < line; i++) {
      u8 left = i > pixel ? row[i - pixel] : 0, above = y ? before[i] : 0;
      u8 corner = y && i > pixel ? before[i - pixel] : 0, guess = 0;
      if (row[0] == 1) guess = left;
      if (row[0] == 2) guess = above;
      if (row[0] == 3) guess = (u8)((left + above) / 2);
      if (row[0] == 4) guess = paeth(left, above, corner);
      row[i] = (u8)(row[i] + guess);
    }
  }
  return OK;
}
