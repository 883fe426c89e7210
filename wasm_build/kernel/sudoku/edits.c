/* The fewest cells in which two boards differ, if they are few: exact, and quick to say no.
 *
 * A cell differs if one board has a given there and the other none, or another one. What must fit
 * within `limit` cells is narrowed down by counts of givens that any such transform has to keep:
 *
 *  1 boxes: orientation, order of bands, order of stacks (72 ways);
 *  2 minicolumns: the order of the columns inside each stack;
 *  3 rows, one after the other: cells filled on one side only, and of the cells filled on both
 *    those that no assignment of digits can make agree (see tally.h);
 *  4 the best assignment of digits, exactly.
 *
 * Among transforms with equally few differing cells the one with the most agreeing givens is taken,
 * which has the fewest changed givens. So a cell filled on one side costs ONE_SIDED and a changed
 * given CHANGED; with at most two differing cells, the fewest cells come first.
 *
 * Of rows, columns, bands and stacks that are alike in the source only one order is tried.
 */
#include "edit_distance.h"
#include "sudoku/tally.h"

enum { ONE_SIDED = 4, CHANGED = ONE_SIDED + 1 };

typedef struct {
  const Side *source, *target;
  i32 turned, limit, nodes; /* the greatest cost that is of interest, nodes that are left */
  i32 edits;                /* of the best transform so far */
  u8 band[3], stack[3], cols[9], rows[9];
  u8 cell[9][16]; /* source rows with the columns in order */
  u32 filled[9];
  u8 twin[9];     /* of a source row: 1 + an earlier one of its band with the same cells, or 0 */
  u8 *map;
} Fit;

void near_read(const u8 *board, i32 turned, Side *side) {
  memset(side, 0, sizeof *side);
  for (i32 r = 0; r < 9; r++)
    for (i32 c = 0; c < 9; c++) {
      u8 digit = board[turned ? 9 * c + r : 9 * r + c];
      if (!digit || digit > 9) continue; /* what changed meanwhile must not lead astray */
      side->cell[r][c] = digit;
      side->filled[r] |= 1u << c;
      side->mini[r / 3][c]++;
      side->box[r / 3][c / 3]++;
      side->givens++;
    }
}

static i32 apart(i32 a, i32 b) { return a < b ? b - a : a - b; }

static void settle(Fit *f, const Tally *t, i32 differ, i32 both) {
  u8 label[10] = {0};
  i32 changed = both - assign(t, label), total = ONE_SIDED * differ + CHANGED * changed;
  if (total > f->limit) return;
  f->map[0] = (u8)f->turned;
  memcpy(f->map + 1, f->rows, 9);
  memcpy(f->map + 10, f->cols, 9);
  memcpy(f->map + 19, label, 10);
  f->edits = differ + changed;
  /* Whether the number of changed givens is odd is fixed by the numbers of givens and of cells. */
  f->limit = changed > 1 ? total - 1 : CHANGED * (f->edits - 1);
}

/* Places target row r and those after it: `differ` cells are filled on one side only so far, `both`
 * on both. Recursion: nine levels. */
static void place(Fit *f, i32 r, i32 differ, i32 both, const Tally *tally, u32 used) {
  if (r == 9) {
    settle(f, tally, differ, both);
    return;
  }
  for (i32 i = 0; i < 3; i++) {
    i32 row = 3 * f->band[r / 3] + i, twin = f->twin[row];
    if (used >> row & 1 || (twin && !(used >> (twin - 1) & 1))) continue;
    i32 now = differ + __builtin_popcount(f->filled[row] ^ f->target->filled[r]);
    if (ONE_SIDED * now > f->limit || --f->nodes < 0) continue;
    i32 more = both + __builtin_popcount(f->filled[row] & f->target->filled[r]);
    Tally next = *tally;
    count_row(&next, f->target->cell[r], f->cell[row]);
    if (ONE_SIDED * now + CHANGED * (more - most_agreeing(&next)) > f->limit) continue;
    f->rows[r] = (u8)row;
    place(f, r + 1, now, more, &next, used | 1u << row);
  }
}

static void fit_rows(Fit *f) {
  for (i32 r = 0; r < 9; r++) {
    f->filled[r] = f->twin[r] = 0;
    for (i32 c = 0; c < 9; c++) {
      f->cell[r][c] = f->source->cell[r][f->cols[c]];
      f->filled[r] |= (u32)(f->cell[r][c] != 0) << c;
    }
    for (i32 q = r / 3 * 3; q < r; q++)
      if (!memcmp(f->cell[q], f->cell[r], 9)) f->twin[r] = (u8)(q + 1);
  }
  Tally none;
  memset(&none, 0, sizeof none);
  place(f, 0, 0, 0, &none, 0);
}

static i32 column_is_empty(const Side *s, i32 c) { return !s->mini[0][c] && !s->mini[1][c] && !s->mini[2][c]; }

/* Orders the columns of target stack j and of those after it. Recursion: three levels. */
static void fit_columns(Fit *f, i32 j, i32 differ) {
  if (j == 3) {
    fit_rows(f);
    return;
  }
  const Side *s = f->source;
  for (i32 o = 0; o < 6; o++) {
    i32 sum = differ, order = 1, last = -1;
    for (i32 k = 0; k < 3; k++) {
      i32 from = 3 * f->stack[j] + ORDERS[o][k], to = 3 * j + k;
      for (i32 h = 0; h < 3; h++) sum += apart(s->mini[f->band[h]][from], f->target->mini[h][to]);
      f->cols[to] = (u8)from;
      if (!column_is_empty(s, from)) continue;
      order &= from > last; /* empty columns are alike: in ascending order only */
      last = from;
    }
    if (order && ONE_SIDED * sum <= f->limit && f->nodes > 0) fit_columns(f, j + 1, sum);
  }
}

static i32 chute_is_empty(const Side *s, i32 h, i32 stack) {
  for (i32 i = 0; i < 3; i++)
    if (stack ? s->box[i][h] : s->box[h][i]) return 0;
  return 1;
}

/* 1 if empty bands (or stacks) stand in ascending order. */
static i32 in_order(const Side *s, const u8 *chutes, i32 stack) {
  i32 last = -1;
  for (i32 k = 0; k < 3; k++) {
    if (!chute_is_empty(s, chutes[k], stack)) continue;
    if (chutes[k] < last) return 0;
    last = chutes[k];
  }
  return 1;
}

static void fit_boxes(Fit *f, i32 fewest) {
  for (i32 way = 0; way < 36; way++) {
    i32 sum = 0;
    memcpy(f->band, ORDERS[way / 6], 3);
    memcpy(f->stack, ORDERS[way % 6], 3);
    for (i32 h = 0; h < 3; h++)
      for (i32 j = 0; j < 3; j++)
        sum += apart(f->source->box[f->band[h]][f->stack[j]], f->target->box[h][j]);
    if (ONE_SIDED * sum > f->limit || f->limit < ONE_SIDED * fewest || f->nodes <= 0) continue;
    if (in_order(f->source, f->band, 0) && in_order(f->source, f->stack, 1)) fit_columns(f, 0, 0);
  }
}

i32 near_edits(const Side source[2], const Side *target, i32 most, u8 *map, i32 *nodes) {
  Fit f = {.target = target, .limit = CHANGED * most, .nodes = NEAR_NODES, .edits = most + 1, .map = map};
  i32 fewest = apart(source->givens, target->givens);
  memset(f.cell, 0, sizeof f.cell);
  for (i32 t = 0; t < 2 && ONE_SIDED * fewest <= f.limit; t++) {
    f.source = &source[t];
    f.turned = t;
    fit_boxes(&f, fewest);
  }
  *nodes += NEAR_NODES - max32(f.nodes, 0);
  return f.nodes <= 0 && f.limit >= ONE_SIDED * fewest ? NEAR_UNSETTLED : f.edits;
}
