/* Reading a board from a picture: from pixels to the chances of every symbol in every cell.
 *
 * Pictures are rows of floats, 0 black to 1 white; w, h their width and height in pixels, 2..4096
 * each. A pixel's centre lies at integer coordinates. A lattice of n x n cells is (n+1) x (n+1)
 * points, row by row, x and y as doubles; n is 2..PICTURE_MOST. Every function returns OK unless it
 * says something else, and BAD for numbers outside these limits. `work` buffers are the caller's;
 * their bytes stand with each function. Nothing traps on any pixel value that is finite, and a
 * lattice may lie outside its picture: samples there repeat the edge.
 */
#ifndef CLUEWISE_SUDOKU_PICTURE_H
#define CLUEWISE_SUDOKU_PICTURE_H

#include "kernel.h"

enum {
  PICTURE_MOST = 16,  /* cells along a side */
  PICTURE_SIDE = 24,  /* pixels along the side of a normalised cell */
  PICTURE_PIXELS = PICTURE_SIDE * PICTURE_SIDE,
  PICTURE_CLASSES = 17,     /* blank, then the symbols */
  PICTURE_NET = 126864,     /* bytes of the net's weights, scales and biases */
  PICTURE_FACTS = 8         /* floats per cell that sudoku_picture_cells writes */
};

static inline i32 picture_sides(i32 w, i32 h) { return w >= 2 && h >= 2 && w <= 4096 && h <= 4096; }
static inline i32 picture_lattice(i32 n) { return n >= 2 && n <= PICTURE_MOST; }

/* Bilinear sample of one channel of `step` interleaved ones; the edge is repeated. */
static inline float picture_sample(const float *a, i32 w, i32 h, i32 step, double x, double y) {
  double right = w - 1.001, bottom = h - 1.001;
  x = x < 0 ? 0 : x > right ? right : x;
  y = y < 0 ? 0 : y > bottom ? bottom : y;
  i32 i = (i32)y, j = (i32)x;
  float v = (float)(y - i), u = (float)(x - j);
  const float *p = a + ((size_t)i * (size_t)w + (size_t)j) * (size_t)step, *q = p + (size_t)w * (size_t)step;
  float upper = p[0] * (1 - u) + p[step] * u, lower = q[0] * (1 - u) + q[step] * u;
  return upper * (1 - v) + lower * v;
}

/* -- the picture (image.c) ------------------------------------------------------------ */

/* sudoku_picture_shrink: bytes (red, green, blue) as floats of a smaller or equal picture; every
 * pixel is the mean of the area it stands for. out: 3*W*H floats; W <= w, H <= h. */
i32 sudoku_picture_shrink(const u8 *rgb HAS(3 * w * h), i32 w, i32 h, i32 W, i32 H, float *out
                          HAS(3 * W * H));

/* sudoku_picture_relief: how much darker each place is than its surroundings, in units of the
 * light there. rgb: 3*w*h; grey, relief: w*h out; noise: double[1] out, the median of the relief's
 * size in steps of 1/8192; work: 3*w*h floats + w doubles + 8. */
i32 sudoku_picture_relief(const float *rgb HAS(3 * w * h), i32 w, i32 h, float *grey HAS(w * h),
                          float *relief HAS(w * h), double *noise HAS(1), float *work HAS(3 * w * h
                          + 2 * w + 2));

/* sudoku_picture_ink: sign * relief, kept between low and high. count: numbers, up to 2^24. */
i32 sudoku_picture_ink(const float *relief HAS(count), i32 count, double sign, double low, double
                       high, float *out HAS(count));

/* sudoku_picture_tints: where colours change: twice the larger slope of the softened grey, at most
 * 0.1. out: w*h floats; work: 2*w*h floats + w doubles + 8. */
i32 sudoku_picture_tints(const float *grey HAS(w * h), i32 w, i32 h, float *out HAS(w * h), float
                         *work HAS(2 * w * h + 2 * w + 2));

/* -- frames (quads.c) ------------------------------------------------------------------ */

/* sudoku_picture_quads: the outermost four points of the large connected parts of ink > threshold
 * (8 neighbours), the largest first, at most 6. least: pixels that width and height must exceed;
 * quads: 8 floats each, x and y clockwise from the corner nearest the upper left; work: `room` bytes,
 * 36 a run of ink. Returns how many; TOO_LARGE if the runs do not fit. */
i32 sudoku_picture_quads(const float *ink HAS(w * h), i32 w, i32 h, double threshold, double least,
                         float *quads HAS(48), i32 *work HAS(room / 4), i32 room);

/* -- lattices (lattice.c) -------------------------------------------------------------- */

/* sudoku_picture_start: the lattice of a plane square seen with these four corners (x and y,
 * clockwise from the first). Returns BAD where three corners lie on a line. */
i32 sudoku_picture_start(const double *corners HAS(8), i32 n, double *points HAS(2 * (n + 1) * (n +
                         1)));

/* sudoku_picture_fit: one step of moving a lattice onto the lines. Along every edge the ink is
 * looked up at 25 offsets across it, up to `reach` cells to either side; the best offsets become a
 * polynomial of that degree (1..4) in both directions, and the points move by it. */
i32 sudoku_picture_fit(const float *ink HAS(w * h), i32 w, i32 h, i32 n, double *points HAS(2 * (n
                       + 1) * (n + 1)), double reach, i32 degree);

/* sudoku_picture_score: score: double[1 + 2(n+1)] out: how much this looks like a lattice, up to 1,
 * then the strength of the vertical lines from the left and of the horizontal ones from the top. */
i32 sudoku_picture_score(const float *ink HAS(w * h), i32 w, i32 h, i32 n, const double *points
                         HAS(2 * (n + 1) * (n + 1)), double *score HAS(1 + 2 * (n + 1)));

/* -- combs (comb.c) ---------------------------------------------------------------------*/

/* sudoku_picture_ridges: evidence of thin upright and level lines at least 11 pixels long, summed up:
 * down: (h+1)*w floats, column sums of the upright ones; across: h*(w+1), row sums of the level
 * ones. kind: 1 dark lines, -1 light ones, 0 edges of tints. work: 4*w*h floats. h, w >= 16. */
i32 sudoku_picture_ridges(const float *grey HAS(w * h), i32 w, i32 h, i32 kind, float *down HAS((h
                          + 1) * w), float *across HAS(h * (w + 1)), float *work HAS(4 * w * h));

/* sudoku_picture_comb: the best upright square lattice of n+1 and n+1 lines `pitch` pixels apart.
 * best: double[3] out: its value, the left and the top line; value -1 where it does not fit, or where
 * none is worth more than `least`, which is -1 or more. work: 4*w*h floats. Lines a third between
 * two others count against it. down and across: what sudoku_picture_ridges wrote. */
i32 sudoku_picture_comb(const float *down HAS((h + 1) * w), const float *across HAS(h * (w + 1)),
                        i32 w, i32 h, i32 n, double pitch, double least, double *best HAS(3), float
                        *work HAS(4 * w * h));

/* -- cells (cells.c) ------------------------------------------------------------------- */

/* sudoku_picture_cells: what lies inside every cell of a lattice. rgb: 3*w*h. ink: 576*n*n floats
 * out, along the cell's own main colour; facts: PICTURE_FACTS floats a cell: the strength of its
 * ink, the ink's red, green and blue, the paper's red, green and blue, 0. */
i32 sudoku_picture_cells(const float *rgb HAS(3 * w * h), i32 w, i32 h, i32 n, const double *points
                         HAS(2 * (n + 1) * (n + 1)), float *ink HAS(PICTURE_PIXELS * n * n), float
                         *facts HAS(PICTURE_FACTS * n * n));

/* sudoku_picture_normal: ink in units of its strength, of 0.42 * scale where that is more, cut off
 * at -1.2 and 1.6. count: cells, up to 256. */
i32 sudoku_picture_normal(float *ink HAS(PICTURE_PIXELS * count), const float *facts
                          HAS(PICTURE_FACTS * count), i32 count, double scale);

/* sudoku_picture_reach: where the symbols end. ink: normalised; reach: two floats a cell, the upper
 * and the lower end in rows of 24, of the ink nearest to the cell's middle; where there is none, 0
 * and 0. count: cells, up to 256. */
i32 sudoku_picture_reach(const float *ink HAS(PICTURE_PIXELS * count), i32 count, float *reach HAS(2
                         * count));

/* sudoku_picture_inked: which cells have ink in their middle: marks is 1 for a cell with at least four
 * pixels of 0.4 or more among its middle 10 x 10, else 0. ink: normalised; count: cells, up to 256. */
i32 sudoku_picture_inked(const float *ink HAS(PICTURE_PIXELS * count), i32 count, u8 *marks
                         HAS(count));

/* sudoku_picture_alike: how much the symbols of two lists of cells look the same: for every one of
 * `these` its correlation with every one of `those`, the middle 16 x 16 of the latter against the
 * best of 25 places up to two pixels off in the former; 0 where either has no ink at all. ink:
 * normalised; count: cells, up to 256; out: a * b floats, row by row. BAD for cells that are not
 * among the count. */
i32 sudoku_picture_alike(const float *ink HAS(PICTURE_PIXELS * count), i32 count, const u8 *these
                         HAS(a), i32 a, const u8 *those HAS(b), i32 b, float *out HAS(a * b));

/* -- the net (net.c) ------------------------------------------------------------------- */

/* sudoku_picture_net_read: the net's file (from after its first line) as sudoku_picture_net wants it.
 * weights: PICTURE_NET bytes. BAD unless the length is right. */
i32 sudoku_picture_net_read(const u8 *file HAS(length), i32 length, u8 *weights HAS(PICTURE_NET));

/* sudoku_picture_net: scores of the 17 classes for some of the cells. cells: 576*count floats,
 * normalised; which: the numbers of the cells to be read; scores: 17*many, in that order; work: 72
 * KB. 1.03 million multiplications a cell; count and many up to 256. BAD for cells that are not among
 * the count. */
i32 sudoku_picture_net(const u8 *weights HAS(PICTURE_NET), const float *cells
                       HAS(PICTURE_PIXELS * count), i32 count, const u8 *which HAS(many), i32 many,
                       float *scores HAS(PICTURE_CLASSES * many), float *work HAS(18432));

#endif
