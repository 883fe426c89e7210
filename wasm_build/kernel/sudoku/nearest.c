/* The closest match of two 9x9 puzzles: the most givens that a transform can make agree, by branch
 * and bound.
 *
 *  1 A first answer (lower bound) by hill climbing from random transforms: swaps of two lines or
 *    chutes, digits by the best assignment. For related puzzles it is nearly always the optimum.
 *  2 An upper bound for every orientation and column order (2592): common givens by the best row
 *    order in bands and the best band order, whatever the digits. Sorted; those not above the
 *    answer are pruned.
 *  3 For each, a source row for target row 1, 2, ... 9. The tally counts target digit i over source
 *    digit j; at most min(sum of row maxima, sum of column maxima) of these can agree, plus the
 *    common givens of the remaining rows.
 *  4 At a leaf the best assignment of digits, exactly (Hungarian method, Kuhn 1955).
 *
 * At most 2592 choices x 1296 row orders.
 */
#include "sudoku/board.h"
#include "solver.h"
#include "sudoku/tally.h"

enum { CHOICES = 2 * LINE_ORDERS, CLIMBS = 60 };

typedef struct {
  i16 bound, order;
  u8 turned;
} Choice;

typedef struct {
  Tag seal;
  u8 target[9][9], source[2][9][9];
  u8 order[LINE_ORDERS][9];
  Choice choice[CHOICES];
  i32 choices, cursor, agree;
  i64 nodes, node_limit;
  u8 map[MAP];
  u64 random[2];
  /* of the present choice */
  u8 turned, cols[9], rows[9];
  u8 moved[9][9];     /* source rows with its columns in order */
  u8 common[9][9];    /* [target row][source row]: common givens */
  u8 bound[3][8];     /* [band][bands used]: upper bound of this band and those after it */
} Work;
_Static_assert(sizeof(Work) <= NEAREST_WORK, "NEAREST_WORK is too small");

/* Assigns the digits and keeps the transform if more givens agree. */
static void keep_best(Work *w, const Tally *t, i32 turned, const u8 *rows, const u8 *cols) {
  u8 label[10] = {0};
  i32 sum = assign(t, label);
  if (sum <= w->agree) return;
  w->agree = sum;
  map_write(w->map, 9, turned, rows, cols, label);
}

/* -- hill climbing --------------------------------------------------------------------------- */

static void tally_all(const Work *w, Tally *t, i32 turned, const u8 *rows, const u8 *cols) {
  memset(t, 0, sizeof *t);
  for (i32 r = 0; r < 9; r++) {
    u8 source[9];
    for (i32 c = 0; c < 9; c++) source[c] = w->source[turned][rows[r]][cols[c]];
    count_row(t, w->target[r], source);
  }
}

/* Move 0..8 swaps two lines of a chute, 9..11 two chutes. */
static void swap_move(u8 *line, i32 move) {
  i32 pick = move % 3, a = pick == 2, b = pick == 0 ? 1 : 2, size = move < 9 ? 1 : 3;
  u8 *base = line + (move < 9 ? move / 3 * 3 : 0);
  for (i32 i = 0; i < size; i++) {
    u8 t = base[a * size + i];
    base[a * size + i] = base[b * size + i];
    base[b * size + i] = t;
  }
}

static void climb(Work *w) {
  Tally t;
  u8 line[2][9];
  i32 turned = (i32)sudoku_below(w->random, 2), better = 1;
  for (i32 k = 0; k < 2; k++) memcpy(line[k], w->order[sudoku_below(w->random, LINE_ORDERS)], 9);
  tally_all(w, &t, turned, line[0], line[1]);
  i32 sum = assign(&t, 0);
  while (better) {
    better = 0;
    for (i32 move = 0; move < 24; move++) {
      u8 *moved = line[move / 12];
      swap_move(moved, move % 12);
      tally_all(w, &t, turned, line[0], line[1]);
      i32 now = most_agreeing(&t) > sum ? assign(&t, 0) : 0;
      if (now > sum) sum = now, better = 1;
      else swap_move(moved, move % 12);
    }
  }
  tally_all(w, &t, turned, line[0], line[1]);
  keep_best(w, &t, turned, line[0], line[1]);
}

/* -- bounds ---------------------------------------------------------------------------------- */

static void prepare_choice(Work *w, i32 turned, const u8 *cols) {
  u32 target[9] = {0}, source[9] = {0};
  u8 pair[3][3];
  w->turned = (u8)turned;
  memcpy(w->cols, cols, 9);
  for (i32 r = 0; r < 9; r++)
    for (i32 c = 0; c < 9; c++) {
      w->moved[r][c] = w->source[turned][r][cols[c]];
      target[r] |= (u32)(w->target[r][c] != 0) << c;
      source[r] |= (u32)(w->moved[r][c] != 0) << c;
    }
  for (i32 i = 0; i < 9; i++)
    for (i32 j = 0; j < 9; j++) w->common[i][j] = (u8)__builtin_popcount(target[i] & source[j]);
  for (i32 x = 0; x < 3; x++)
    for (i32 y = 0; y < 3; y++) {
      i32 most = 0;
      for (i32 p = 0; p < 6; p++) {
        i32 sum = 0;
        for (i32 k = 0; k < 3; k++) sum += w->common[3 * x + k][3 * y + ORDERS[p][k]];
        most = max32(most, sum);
      }
      pair[x][y] = (u8)most;
    }
  memset(w->bound, 0, sizeof w->bound);
  for (i32 band = 2; band >= 0; band--)
    for (u32 used = 0; used < 8; used++)
      for (i32 h = 0; h < 3; h++) {
        if (used >> h & 1) continue;
        i32 after = band < 2 ? w->bound[band + 1][used | 1u << h] : 0;
        w->bound[band][used] = (u8)max32(w->bound[band][used], pair[band][h] + after);
      }
}

static void sort_choices(Work *w) {
  Choice *c = w->choice;
  for (i32 gap = w->choices / 2; gap > 0; gap /= 2)
    for (i32 i = gap; i < w->choices; i++) {
      Choice x = c[i];
      i32 j = i;
      for (; j >= gap && c[j - gap].bound < x.bound; j -= gap) c[j] = c[j - gap];
      c[j] = x;
    }
}

/* -- the search ------------------------------------------------------------------------------ */

/* The most common givens of the remaining rows in the band of target row r. */
static i32 bound_of_band(const Work *w, i32 r, i32 band, u32 used) {
  i32 open[3], count = 0;
  for (i32 i = 3 * band; i < 3 * band + 3; i++)
    if (!(used >> i & 1)) open[count++] = i;
  if (count == 0) return 0;
  if (count == 1) return w->common[r + 1][open[0]];
  return max32(w->common[r + 1][open[0]] + w->common[r + 2][open[1]],
               w->common[r + 1][open[1]] + w->common[r + 2][open[0]]);
}

/* Chooses source rows for target row r and those after it. Recursion: nine levels. */
static void match_row(Work *w, i32 r, const Tally *tally, u32 bands, u32 used) {
  if (r == 9) {
    keep_best(w, tally, w->turned, w->rows, w->cols);
    return;
  }
  for (i32 row = 0; row < 9; row++) {
    i32 band = row / 3;
    if (used >> row & 1) continue;
    if (r % 3 ? band != w->rows[r - 1] / 3 : bands >> band & 1) continue;
    u32 now_bands = bands | 1u << band, now_used = used | 1u << row;
    i32 later = r / 3 < 2 ? w->bound[r / 3 + 1][now_bands] : 0;
    i32 open = later + bound_of_band(w, r, band, now_used);
    Tally next = *tally;
    w->nodes++;
    count_row(&next, w->target[r], w->moved[row]);
    if (most_agreeing(&next) + open <= w->agree) continue;
    w->rows[r] = (u8)row;
    match_row(w, r + 1, &next, now_bands, now_used);
  }
}

EXPORT(i32, sudoku_nearest_begin)(const u8 *source, const u8 *target, u8 *work, i32 room) {
  if (room < NEAREST_WORK || ((uintptr_t)work & 15)) return BAD;
  if (!board_is_legal(source) || !board_is_legal(target)) return BAD;
  Work *w = (Work *)work;
  memset(w, 0, sizeof *w);
  w->agree = -1;
  w->random[0] = 1, w->random[1] = 2;
  for (i32 r = 0; r < 9; r++)
    for (i32 c = 0; c < 9; c++) {
      w->target[r][c] = target[9 * r + c];
      w->source[0][r][c] = w->source[1][c][r] = source[9 * r + c];
    }
  for (i32 n = 0; n < LINE_ORDERS; n++) line_order(n, w->order[n]);
  for (i32 i = 0; i < CLIMBS; i++) climb(w);
  for (i32 t = 0; t < 2; t++)
    for (i32 n = 0; n < LINE_ORDERS; n++) {
      prepare_choice(w, t, w->order[n]);
      if (w->bound[0][0] > w->agree) w->choice[w->choices++] = (Choice){w->bound[0][0], (i16)n, (u8)t};
    }
  sort_choices(w);
  seal_set(&w->seal, SEALED_NEAREST, 0, 0);
  return w->agree;
}

EXPORT(i32, sudoku_nearest_run)(u8 *work, i32 nodes) {
  Work *w = (Work *)work;
  if (!seal_holds(w, SEALED_NEAREST)) return BAD;
  i64 stop = w->nodes + nodes;
  while (w->cursor < w->choices && w->nodes < stop) {
    const Choice *c = &w->choice[w->cursor];
    if (c->bound <= w->agree) w->cursor = w->choices;
    if (w->cursor == w->choices) break;
    Tally none;
    memset(&none, 0, sizeof none);
    prepare_choice(w, c->turned, w->order[c->order]);
    match_row(w, 0, &none, 0, 0);
    w->cursor++;
  }
  return w->cursor == w->choices;
}

EXPORT(i32, sudoku_nearest_result)(const u8 *work, u8 *map, i32 *numbers) {
  const Work *w = (const Work *)work;
  if (!seal_holds(w, SEALED_NEAREST)) return BAD;
  memcpy(map, w->map, MAP);
  numbers[0] = w->agree;
  numbers[1] = w->cursor < w->choices ? max32(w->agree, w->choice[w->cursor].bound) : w->agree;
  return OK;
}
