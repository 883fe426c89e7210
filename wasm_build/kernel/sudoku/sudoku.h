/* The sudoku desk's kernel.
 *
 * Boards. A board of boxes with R rows and C columns has N = R*C rows, columns and symbols; it is
 * N*N bytes row by row, 0 for a blank and 1..N for a symbol. Functions whose name has no `shape`
 * are for R = C = 3 only. Shapes: 2 <= R, C <= 6, N <= 36.
 *
 * Maps. A map is a transform as 3N + 2 bytes, laid out for N = 9 as
 *
 *    byte  0          1..9        10..18      19..28
 *          transpose  rows[9]     cols[9]     digits[10], digits[0] = 0
 *
 * with out[r][c] = digits[src[rows[r]][cols[c]]], where src is the transposed board if `transpose`.
 *
 * Forms. The minlex form of a board is the least string of all its images; a map attains it if it
 * takes the board there.
 *
 * No function traps on any bytes in a board: cells out of range are reported as BAD. A computation
 * in slices has its state in a `work` buffer (16-byte aligned) with a seal (shared/seal.h), whose
 * `first` is N, or the number of fourth rows.
 */
#ifndef CLUEWISE_SUDOKU_H
#define CLUEWISE_SUDOKU_H

#include "kernel.h"

#ifdef __wasm__
/* Without a C library the compiler does not know what these functions do. As builtins they copy a
 * known number of bytes without a call. */
#define memcpy(to, from, n) (__builtin_constant_p(n) ? __builtin_memcpy(to, from, n) : (memcpy)(to, from, n))
#define memset(to, byte, n) (__builtin_constant_p(n) ? __builtin_memset(to, byte, n) : (memset)(to, byte, n))
#endif
#include "shared/seal.h"

enum {
  CELLS = 81,
  TEXT_LINE = 82,    /* bytes of a board in a list: its cells and a newline */
  MAP = 29,          /* bytes of a map of a 9x9 board */
  LARGEST = 36,      /* symbols of the largest shape */
  MOST_GROUP = 648   /* automorphisms of the most symmetric 9x9 grid */
};

/* -- legality (shape_solve.c) ---------------------------------------------------------------- */

/* 1 if shape and symbols are in range and no row, column or box holds a symbol twice. */
i32 sudoku_shape_is_legal(i32 R, i32 C, const u8 *board HAS(R * C * R * C));

/* The same, and 1 only if no cell is blank. */
i32 sudoku_shape_is_grid(i32 R, i32 C, const u8 *board HAS(R * C * R * C));

static inline void map_write(u8 *map, i32 N, i32 transpose, const u8 *rows, const u8 *cols,
                             const u8 *digits) {
  map[0] = (u8)transpose;
  memcpy(map + 1, rows, (size_t)N);
  memcpy(map + 1 + N, cols, (size_t)N);
  memcpy(map + 1 + 2 * N, digits, (size_t)N + 1);
}

/* The cell of a 9x9 board that a map moves to row r, column c. */
static inline i32 map_source(const u8 *map, i32 r, i32 c) {
  i32 row = map[1 + r], col = map[10 + c];
  return map[0] ? 9 * col + row : 9 * row + col;
}

/* -- complete 9x9 grids (minlex.c) ----------------------------------------------------------- */

/* sudoku_minlex: the minlex form of `count` complete grids.
 * grids: 81*count bytes in; out: 81*count bytes; autos: count i32, the number of geometric
 * transforms that attain the form (= the order of the automorphism group), or BAD for a board
 * that is not a complete legal grid (its `out` is then unspecified). Returns count.
 * About 0.7 us a grid. */
i32 sudoku_minlex(const u8 *grids HAS(CELLS * count), i32 count, u8 *out HAS(CELLS * count),
                  i32 *autos HAS(count));

/* sudoku_minlex_maps: one grid's form and every map that attains it.
 * out: 81 bytes; maps: MAP*most bytes. Returns the number of maps, of which the first `most` are
 * written, in an order that depends on nothing but the grid; BAD as above. */
i32 sudoku_minlex_maps(const u8 *grid HAS(CELLS), u8 *out HAS(CELLS), u8 *maps HAS(MAP * most), i32 most);

/* sudoku_carry: images of puzzles under the maps that take their solutions to minlex form.
 * puzzles, solutions: 81*count bytes; out: 81*count bytes, the least image over all these maps
 * (blank < 1 < ... < 9); maps: MAP*count bytes, one map that attains it; status:
 * count i32, the number of maps that attain it (>= 1) or BAD (no legal solution, or a given that
 * differs from it). Returns count. About 1 us a puzzle, more where the solution is symmetric. */
i32 sudoku_carry(const u8 *puzzles HAS(CELLS * count), const u8 *solutions HAS(CELLS * count), i32 count,
                 u8 *out HAS(CELLS * count), u8 *maps HAS(MAP * count), i32 *status HAS(count));

/* -- layouts of a grid that obey the rules of a variant (views.c) ------------------------------ */

/* sudoku_views: the number of the 2*6^8 cell maps of a complete grid under which the cells of each
 * pair differ. pairs: two cells each, the second in a column no earlier than the first one's,
 * ascending by this column. best: the least string of these images with symbols renamed,
 * unspecified if there is none; map: MAP bytes, takes the grid there. Returns the number; BAD. Up
 * to 0.1 s. */
i32 sudoku_views(const u8 *grid HAS(CELLS), const u8 *pairs HAS(2 * count), i32 count, u8 *best HAS(CELLS),
                 u8 *map HAS(MAP));
enum { MOST_VIEW_PAIRS = 512 };

/* -- keys of boards (list_lines.c) ------------------------------------------------------------- */

/* sudoku_keys: 16 bytes for each of `count` boards of 81 bytes, whatever these hold: BLAKE2b
 * without a secret. Returns count. About 0.3 us a board. */
i32 sudoku_keys(const u8 *boards HAS(CELLS * count), i32 count, u8 *out HAS(16 * count));

/* -- lists of boards as text (list_lines.c) ---------------------------------------------------- */

/* sudoku_read: the boards of `count` lines of 81 characters, 0 . * _ ? for a blank. Returns count;
 * 0 with unspecified boards if a line has another form. */
i32 sudoku_read(const u8 *text HAS(TEXT_LINE * count), i32 count, u8 *boards HAS(CELLS * count));

/* sudoku_write: `count` boards as such lines, `.` for a blank. Returns count. */
i32 sudoku_write(const u8 *boards HAS(CELLS * count), i32 count, u8 *text HAS(TEXT_LINE * count));

/* -- 9x9 puzzles (puzzle_minlex.c) ------------------------------------------------------------ */

/* sudoku_puzzle: the minlex form of `count` boards in one convention.
 * convention: 0 straight (blank < 1 < ... < 9), 1 pattern-first (least 0/1 pattern of givens, then
 * the least digits among the transforms that attain it). boards, out: 81*count; maps: MAP*count or
 * null, a map that attains the form; counts: count i32, the number of geometric transforms that
 * attain it (= automorphisms of the board; at most 3 359 232), or BAD, or TOO_LARGE if `work` did
 * not suffice. Digits that do not occur get the remaining labels, in ascending order.
 * work: `room` bytes; PUZZLE_WORK serves every board. Returns count; TOO_LARGE if `room` is less.
 * About 0.6 us a sparse puzzle pattern-first, 1.3 us straight. */
i32 sudoku_puzzle(const u8 *boards HAS(CELLS * count), i32 count, i32 convention, u8 *out HAS(CELLS * count),
                  u8 *maps MAY(MAP * count), i32 *counts HAS(count), u8 *work HAS(room), i32 room);
enum { PUZZLE_WORK = 16 << 20 };

/* -- boards of every shape (canonical.c) ------------------------------------------------------ */

/* sudoku_shape_refine: a canonical form and the automorphism group.
 * board: N*N bytes, legal. labelled: 1 if symbols keep their names (position-only comparison).
 * form: N*N bytes, equal for two boards exactly if a transform (and, unless labelled, a
 * relabelling) takes one to the other; map: 3N+2 bytes, takes the board to the form.
 * factors: u32[256], their number and then numbers whose product is the order of the group (of
 * transforms; symbols that do not occur are not counted). generators: (3N+2)*most bytes, maps that
 * take the board to itself and generate the group; a few dozen at most.
 * work: `room` >= REFINE_WORK bytes, 16-byte aligned. Returns the number of generators; BAD;
 * TOO_LARGE as sudoku_structure. */
i32 sudoku_shape_refine(i32 R, i32 C, const u8 *board HAS(R * C * R * C), i32 labelled,
                        u8 *form HAS(R * C * R * C), u8 *map HAS(3 * R * C + 2), u32 *factors HAS(256),
                        u8 *generators HAS((3 * R * C + 2) * most), i32 most, u8 *work HAS(room), i32 room);
enum { REFINE_WORK = 4 << 20 };

/* sudoku_structure: canonical labelling and automorphisms of a coloured graph (structure.c).
 * colours: u64 a point; the arcs from point p are numbers starts[p] to starts[p + 1], with a target
 * and a kind each; with an arc there is its reverse, whose kind follows from the arc's. by_index: 1
 * for generators that are a strong generating set for the points in ascending order.
 * places: u32 a point, its place in the canonical order (without by_index); factors: their number
 * and then numbers whose product is the order of the group; generators: u32[points] each, where
 * each point goes. work: `room` bytes, 16-byte aligned. Returns the number of generators; BAD;
 * TOO_LARGE if `most` or `room` does not suffice, or after 2*10^9 arcs visited (seconds). */
i32 sudoku_structure(i32 points, const u64 *colours HAS(points), const u32 *starts HAS(points + 1), i32 arcs,
                     const u32 *targets HAS(arcs), const u32 *kinds HAS(arcs), i32 by_index,
                     u32 *places HAS(points), u32 *factors HAS(points + 1),
                     u32 *generators HAS(points * most), i32 most, u8 *work HAS(room), i32 room);
enum { MOST_POINTS = 20000 };

/* sudoku_shape_shortest: of all transforms that take one board to another, one with the fewest
 * steps (a transposition, swaps of bands or of rows in a band, the same for columns, a
 * relabelling); of several the least by transpose, then rows, then cols.
 * from, to: N*N bytes, legal; labelled: 1 if symbols keep their names; map: 3N+2 bytes, labels of
 * symbols that do not occur left at 0. work: `room` bytes, SHORTEST_WORK is enough. Returns 1 + the
 * number of steps, 0 if there is no such transform; BAD; TOO_LARGE for shapes with more than 4
 * million pairs of a row and a column order (N >= 10). At most about 30 ms, for boards with no
 * transform. */
i32 sudoku_shape_shortest(i32 R, i32 C, const u8 *from HAS(R * C * R * C), const u8 *to HAS(R * C * R * C),
                          i32 labelled, u8 *map HAS(3 * R * C + 2), u8 *work HAS(room), i32 room);
enum { SHORTEST_WORK = 32768 };

/* Minlex of a complete grid of any shape (shape_minlex.c), in slices:
 *   begin   returns OK, BAD, or TOO_LARGE if `room` is too small to start
 *   run     visits about `units` states (1 us each), all states of a position of the second row at
 *           once (under 50 ms for 40 MB); returns 1 when done, 0 when there is more to do,
 *           TOO_LARGE if the states that tie do not fit (room / 176 bytes of them)
 *   result  out: N*N bytes; map: 3N+2 bytes; returns the order of the automorphism group
 * work: `room` bytes, 16-byte aligned; at least 500 KB, 40 MB is ample up to 5x5 boxes. */
i32 sudoku_shape_minlex_begin(i32 R, i32 C, const u8 *grid HAS(R * C * R * C), u8 *work HAS(room), i32 room);
i32 sudoku_shape_minlex_run(u8 *work LIVE, i32 units);
i32 sudoku_shape_minlex_result(const u8 *work LIVE, u8 *out HAS(first(work) * first(work)),
                               u8 *map HAS(3 * first(work) + 2));
enum { SHAPE_MINLEX_HEAD = 8192 };

/* The minlex form of a puzzle of any shape (shape_puzzle.c), straight or pattern-first, in slices:
 *   begin   returns OK, BAD or TOO_LARGE
 *   run     does `units` evaluations or extensions of states (1 to 10 us each); returns 1 when
 *           done, 0 when there is more to do, TOO_LARGE if the states do not fit `room`
 *   result  out: N*N bytes; map: 3N+2 bytes; returns OK */
i32 sudoku_shape_puzzle_begin(i32 R, i32 C, const u8 *board HAS(R * C * R * C), i32 pattern_first,
                              u8 *work HAS(room), i32 room);
i32 sudoku_shape_puzzle_run(u8 *work LIVE, i32 units);
i32 sudoku_shape_puzzle_result(const u8 *work LIVE, u8 *out HAS(first(work) * first(work)),
                               u8 *map HAS(3 * first(work) + 2));
enum { SHAPE_PUZZLE_HEAD = 8192 };

/* Solutions of a board of any shape (shape_solve.c), in slices:
 *   room    bytes of work that the shape needs (13 MB at 6x6)
 *   begin   returns OK or BAD
 *   run     visits `nodes` nodes (1 to 100 us each); found: 2*N*N bytes, the first two solutions;
 *           returns 0 when there is more to do, else 1 + their number, at most `limit` */
i32 sudoku_shape_solve_room(i32 R, i32 C);
i32 sudoku_shape_solve_begin(i32 R, i32 C, const u8 *board HAS(R * C * R * C), i32 limit, u8 *work HAS(room),
                             i32 room);
i32 sudoku_shape_solve_run(u8 *work LIVE, u8 *found HAS(2 * first(work) * first(work)), i32 nodes);

/* Solutions of a variant (variant_solve.c, variant_rules.c), in slices.
 *   begin   domains: n*n masks of symbols, bit v-1 for symbol v; rules: one after the other,
 *             1 k 0 cells            different symbols (k = n: every symbol)
 *             2 2 0 a b masks        for each symbol of a the mask of those of b, n masks
 *             3 k sum cells          different symbols with this sum; n <= 9
 *             4 k c cells factors    the sum of factor * symbol is c; |c|, |factors| < 10^6
 *             5 k 0 cells            different symbols without a gap
 *             6 k 0 cells            all but first and last strictly between these two
 *             7 k m cells values     the cells hold the m values, as often as they are listed
 *             8 n type value cells   a line with each symbol once; its sandwich sum (type 0), X-sum
 *                                    (1) or visible skyscrapers (2) is the value; n <= 10
 *           work: 16-byte aligned; VARIANT_WORK serves without lines. Returns OK; BAD; TOO_LARGE
 *   run     visits `nodes` nodes (10 to 1000 us each); found: limit*n*n bytes, the solutions, the
 *           same buffer in every call; returns 0 when there is more to do, else 1 + their number */
i32 sudoku_variant_begin(i32 n, const u32 *domains HAS(n * n), const i32 *rules HAS(length), i32 length,
                         i32 limit, u8 *work HAS(room), i32 room);
i32 sudoku_variant_run(u8 *work LIVE, u8 *found HAS(second(work) * first(work) * first(work)), i32 nodes);
enum { VARIANT_WORK = 2 << 20, MOST_SOLUTIONS = 10000 };

/* The closest match: the most givens that a map can make agree (nearest.c), in slices; 9x9 only:
 *   begin   source, target: 81 bytes each, legal; returns a first answer (about 10 ms) or BAD
 *   run     visits about `nodes` nodes (about 60 ns each); returns 1 when the answer is proved
 *   result  map: MAP bytes, takes the source to its closest match; numbers: i32[2], the givens that
 *           agree and an upper bound; returns OK */
i32 sudoku_nearest_begin(const u8 *source HAS(CELLS), const u8 *target HAS(CELLS), u8 *work HAS(room),
                         i32 room);
i32 sudoku_nearest_run(u8 *work LIVE, i32 nodes);
i32 sudoku_nearest_result(const u8 *work LIVE, u8 *map HAS(MAP), i32 *numbers HAS(2));
enum { NEAREST_WORK = 65536 };

/* -- near duplicates (near_pairs.c) ------------------------------------------------------------ */

/* All pairs of a list that differ in at most `most` (0..2) cells after the best transform and of
 * which at least one board is legal, in slices.
 * A cell differs if one board has a given and the other none or another symbol.
 *   begin   boards: 81*count, 0..9, count <= NEAR_MOST; work: 16-byte aligned, `room` bytes:
 *           NEAR_HEAD + 108*count + the larger of PUZZLE_WORK + 16 and 72*count; returns OK; BAD;
 *           TOO_LARGE
 *   run     works for about `units` (0.3 us each; a board's keys are NEAR_BOARD of them), on the
 *           same boards; found: three i32 a pair, the earlier board, the later one, the number of
 *           cells that differ; maps: takes the earlier one there; returns the number of pairs, at
 *           most `most`; each pair once, in no order; 1 to 10 us a pair
 *           state: 0 keys, 1 pairs, 2 done; boards or keys (9 a board) done; undecided pairs (after
 *           NEAR_NODES nodes, 0.1 s; only boards of which nearly all lines are equal)
 * Many boards that share a cross make many pairs: a list of one grid with a few blanks each. */
i32 sudoku_near_begin(const u8 *boards HAS(CELLS * count), i32 count, i32 most, u8 *work HAS(room), i32 room);
i32 sudoku_near_run(u8 *work LIVE, const u8 *boards HAS(CELLS * first(work)), i32 units,
                    i32 *found HAS(3 * most), u8 *maps HAS(MAP * most), i32 most, i32 *state HAS(3));
enum { NEAR_NODES = 1000000, NEAR_UNSETTLED = 255, NEAR_MOST = 150000, NEAR_HEAD = 64, NEAR_BOARD = 100 };

/* sudoku_mask_distance: puzzles of one solution grid as masks of 81 bits in that grid's minlex
 * form: u32[4], bit i of word i/32 is cell i, the last 47 bits are 0.
 * maps: MAP*group bytes, the grid's automorphisms, at most MOST_GROUP; masks: u32[4*count]; out:
 * two i32 each, the least Hamming distance between it and an image of `mask`, and the number of the
 * map. Returns count; BAD for a line out of range. */
i32 sudoku_mask_distance(const u32 *mask HAS(4), const u8 *maps HAS(MAP * group), i32 group,
                         const u32 *masks HAS(4 * count), i32 count, i32 *out HAS(2 * count));

/* -- ranks of bands and grids (bands.c, rank.c) ------------------------------------------------ */

/* The 416 classes of bands in minlex order, in slices:
 *   begin   returns OK, TOO_LARGE if `room` < BANDS_WORK
 *   run     enumerates `rows` of 12 000 second rows (10 us each); returns 1 when done, else 0
 *   list    rows: 27*416 bytes, the least band of each class; symmetries: 416 i32, how many of
 *           the 7776 transforms of a band are its automorphisms; returns 416
 *   of      grid: complete and legal; numbers: six i32, those of its bands and then its stacks,
 *           1..416; returns the order of the grid's group, or BAD
 * All functions below read work; none changes it after `run` is done. */
i32 sudoku_bands_begin(u8 *work HAS(room), i32 room);
i32 sudoku_bands_run(u8 *work LIVE, i32 rows);
i32 sudoku_bands_list(const u8 *work LIVE, u8 *rows HAS(27 * 416), i32 *symmetries HAS(416));
i32 sudoku_bands_of(const u8 *work LIVE, const u8 *grid HAS(CELLS), i32 *numbers HAS(6));
enum { BANDS_WORK = 5600000 };

/* sudoku_table_read: the table of numbers (its layout is in engine/grid_rank.py) as prefix sums.
 * table: `length` bytes. rows: 416 i32, fourth rows a window; begins: 417 i32, where a band's sums
 * begin; sums: at most `most` u32, for each band 0 and then its grids up to and with each window.
 * Returns the number of sums; BAD for a table that is cut off, too long or does not fit. */
i32 sudoku_table_read(const u8 *table HAS(length), i32 length, i32 *rows HAS(416), i32 *begins HAS(417),
                      u32 *sums HAS(most), i32 most);

/* The minlex grids whose first band is `band`, ordered by their fourth rows (rank.c):
 *   begin      work: `room` >= RANK_WORK bytes; returns the number of fourth rows; BAD; TOO_LARGE.
 *              1 ms
 *   rows       rows: 9 bytes each, ascending; returns their number
 *   count      counts: two u32 for each fourth row from `from` on: minlex grids, and second bands
 *              tried (about 1 us each); returns count
 *   grids      unrank: the grids with that fourth row from the `place`-th (from 0) on, `most` of
 *              them or up to the last, 81 bytes each; returns their number; if it is 0, *seen is
 *              the number of all; BAD
 *   place      rank: grid: a minlex grid with this first band; its place among those with its
 *              fourth row; returns that row's index, BAD if it is no such grid
 *   histogram  counts: MOST_GROUP+1 u32, grids counted so far by the order of their groups, without
 *              most of those of order 1; returns MOST_GROUP+1
 * A row has up to 300 000 grids and takes up to 20 ms, 0.6 ms in the mean. */
i32 sudoku_rank_begin(const u8 *bands LIVE, i32 band, u8 *work HAS(room), i32 room);
i32 sudoku_rank_rows(const u8 *work LIVE, u8 *rows HAS(9 * first(work)));
i32 sudoku_rank_count(u8 *work LIVE, i32 from, i32 count, u32 *counts HAS(2 * count));
i32 sudoku_rank_grids(u8 *work LIVE, i32 row, u32 place, i32 most, u8 *grids HAS(CELLS * most),
                      u32 *seen HAS(1));
i32 sudoku_rank_place(u8 *work LIVE, const u8 *grid HAS(CELLS), u32 *place HAS(1));
i32 sudoku_rank_histogram(const u8 *work LIVE, u32 *counts HAS(MOST_GROUP + 1));
enum {
  SEALED_BANDS = TAG('b', 'a', 'n', 'd'),
  SEALED_RANK = TAG('r', 'a', 'n', 'k'),
  SEALED_NEAREST = TAG('n', 'e', 'a', 'r'),
  SEALED_NEAR = TAG('d', 'u', 'p', 'l'),
  SEALED_MINLEX = TAG('m', 'i', 'n', 'l'),
  SEALED_PUZZLE = TAG('p', 'u', 'z', 'z'),
  SEALED_SOLVE = TAG('s', 's', 'o', 'l'),
  SEALED_VARIANT = TAG('v', 'a', 'r', 's')
};
enum { RANK_WORK = 6500000 };

/* -- solving and making boards (solve.c, random_boards.c) -------------------------------------- */

/* sudoku_solve: the number of solutions up to `limit` (1..1000) of `count` puzzles.
 * puzzles: 81*count; found: 162*count bytes, the first two solutions (unspecified where there are
 * fewer); counts: count i32, the number or BAD, or TOO_LARGE after 20 000 guesses (about 10 ms;
 * the shape solver has no such limit). Returns count. About 2 us a sparse puzzle with one
 * solution. */
i32 sudoku_solve(const u8 *puzzles HAS(CELLS * count), i32 count, i32 limit, u8 *found HAS(2 * CELLS * count),
                 i32 *counts HAS(count));

/* Random state: two u64 words, any value but both zero; advanced in place (xoroshiro128+). */

/* sudoku_grids: `count` random complete grids, 81 bytes each, into out. Returns count.
 * A grid is filled at random (which is biased) and then moved by 60 random cycle switches, a Markov
 * chain whose stationary distribution is uniform. About 8 us a grid. */
i32 sudoku_grids(u64 *random HAS(2), i32 count, u8 *out HAS(CELLS * count));

/* sudoku_shape_mix: `moves` random switches of a complete grid of any shape, in place. Returns OK,
 * BAD for a grid that is not complete and legal. About 0.1 us a move at N = 9, 1 us at N = 25. */
i32 sudoku_shape_mix(u64 *random HAS(2), i32 R, i32 C, u8 *grid HAS(R * C * R * C), i32 moves);

/* sudoku_minimal: a random minimal puzzle of each complete grid.
 * grids, out: 81*count; clues: count i32, the number of givens, or BAD. Returns count. About 75 us
 * a puzzle. */
i32 sudoku_minimal(u64 *random HAS(2), const u8 *grids HAS(CELLS * count), i32 count,
                   u8 *out HAS(CELLS * count), i32 *clues HAS(count));

#endif
