/* The least pattern of givens: breadth-first search over the three bands.
 *
 * Whatever the order of its rows, a pattern is least with its columns ascending: column by column
 * in each stack, then stack by stack. So a band has six candidates, one for each order of its rows,
 * and each takes three table look-ups and a sort: nine bits of a box, the ties of its columns and
 * the order of rows give the box's rows with its columns sorted. The six orders are lanes of a
 * vector. In both orientations; a later band sorts only what the earlier ones leave tied.
 *
 * A box is nine bits, three a column (the left one highest), in them the upper row lowest.
 */
#include "sudoku/pattern.h"

enum { ORDER_LANES = 8 }; /* six orders of rows, the last one repeated */

/* [ties][box][order of rows]: the box's rows, at bits 18, 9 and 0, << 3 | the order of its
 * columns */
static u32 sorted[4][512][ORDER_LANES] __attribute__((aligned(16)));
static u16 moved[6][512];   /* the box with its columns in an order */
static u8 composed[6][6];   /* an order of columns after another */
static u8 index_order[8];   /* orders of rows that leave rows without givens in index order */
static i32 ready;

static u32 column_of(u32 box, u32 place) { return box >> (6 - 3 * place) & 7; }

static u32 box_rows(u32 box, const u8 *columns, const u8 *rows) {
  u32 out = 0;
  for (u32 i = 0; i < 3; i++)
    for (u32 k = 0; k < 3; k++) out |= (column_of(box, columns[k]) >> rows[i] & 1) << (18 - 9 * i + 2 - k);
  return out;
}

/* Whether an order permutes tied columns only. */
static i32 is_free(u32 ties, const u8 *order) {
  static const u8 part[4][3] = {{0, 1, 2}, {0, 1, 1}, {0, 0, 1}, {0, 0, 0}};
  for (u32 k = 0; k < 3; k++)
    if (part[ties][order[k]] != part[ties][k]) return 0;
  return 1;
}

static void prepare(void) {
  if (ready) return;
  ready = 1;
  for (u32 box = 0; box < 512; box++)
    for (u32 o = 0; o < ORDER_LANES; o++)
      for (u32 ties = 0; ties < 4; ties++) {
        u32 least = ~0u;
        for (u32 c = 0; c < 6; c++) {
          u32 rows = box_rows(box, ORDERS[c], ORDERS[o < 6 ? o : 5]) << 3 | c;
          if (is_free(ties, ORDERS[c]) && rows < least) least = rows;
        }
        sorted[ties][box][o] = least;
      }
  for (u32 a = 0; a < 6; a++) {
    for (u32 box = 0; box < 512; box++)
      for (u32 k = 0; k < 3; k++) moved[a][box] |= (u16)(column_of(box, ORDERS[a][k]) << (6 - 3 * k));
    for (u32 b = 0; b < 6; b++)
      composed[a][b] = order_of(ORDERS[a][ORDERS[b][0]], ORDERS[a][ORDERS[b][1]], ORDERS[a][ORDERS[b][2]]);
  }
  for (u32 empty = 0; empty < 8; empty++)
    for (u32 o = 0; o < 6; o++) {
      i32 last = -1, ascends = 1;
      for (u32 i = 0; i < 3; i++)
        if (empty >> ORDERS[o][i] & 1) ascends &= ORDERS[o][i] > last, last = ORDERS[o][i];
      index_order[empty] |= (u8)((u32)ascends << o);
    }
}

/* -- a band ---------------------------------------------------------------------------------- */

typedef struct {
  u16 box[2][3][3]; /* by orientation, band, stack */
  u8 empty[2][3];   /* bit i: row i of the band has no given */
  Ties ties;
  Choice *now, *then;
  Next *next;
  i32 count;
} Search;

static void find_boxes(Search *s, const u32 filled[2][9]) {
  for (i32 t = 0; t < 2; t++)
    for (i32 b = 0; b < 3; b++) {
      const u32 *row = filled[t] + 3 * b;
      s->empty[t][b] = (u8)((row[0] == 0) | (row[1] == 0) << 1 | (row[2] == 0) << 2);
      for (i32 j = 0; j < 3; j++) {
        const u32 *column = filled[!t] + 3 * j;
        u32 left = column[0] >> 3 * b & 7, right = column[2] >> 3 * b & 7;
        s->box[t][b][j] = (u16)(left << 6 | (column[1] >> 3 * b & 7) << 3 | right);
      }
    }
}

/* The table entries of a band's boxes, by position. */
static inline void find_sorted(const Search *s, const Choice *c, i32 band, const u32 *box[3]) {
  for (i32 p = 0; p < 3; p++) {
    u32 one = s->box[c->turned][band][c->stack[p]];
    box[p] = sorted[s->ties.columns[p]][moved[c->columns[p]][one]];
  }
}

static inline void order_lanes(Bytes *a, Bytes *b) {
  Bytes least = least_lanes(*a, *b);
  *b = most_lanes(*a, *b);
  *a = least;
}

/* Four orders of rows at once. */
static inline Bytes band_rows(const Ties *ties, const u32 *box[3], i32 from) {
  Bytes a = load16(box[0] + from), b = load16(box[1] + from), c = load16(box[2] + from);
  if (ties->stack01) order_lanes(&a, &b);
  if (ties->stack12) order_lanes(&b, &c);
  if (ties->stack01 & ties->stack12) order_lanes(&a, &b);
  a = shift_up(shift_down(a, 3), 6);
  b = shift_up(shift_down(b, 3), 3);
  return either(either(a, b), shift_down(c, 3));
}

/* Extends a choice by a band. */
static void choose_band(const Search *s, const Next *next, u32 o, Choice *to) {
  const Choice *from = &s->now[next->choice];
  const u32 *box[3];
  u32 key[3];
  find_sorted(s, from, next->band, box);
  for (u32 p = 0; p < 3; p++) key[p] = (box[p][o] >> 3) << 2 | p;
  if (s->ties.stack01) sort_two(&key[0], &key[1]);
  if (s->ties.stack12) sort_two(&key[1], &key[2]);
  if (s->ties.stack01 & s->ties.stack12) sort_two(&key[0], &key[1]);
  *to = *from;
  to->band[from->depth] = (u8)next->band;
  to->order[from->depth] = (u8)o;
  to->depth++;
  for (u32 p = 0; p < 3; p++) {
    u32 q = key[p] & 3;
    to->stack[p] = from->stack[q];
    to->columns[p] = composed[from->columns[q]][box[q][o] & 7];
  }
}

/* Keeps the ties of columns and stacks that are equal in the three rows. */
static void keep_ties(Ties *ties, u32 rows) {
  u32 columns = rows ^ rows >> 1, stacks = rows ^ rows >> 3;
  columns = ~(columns | columns >> 9 | columns >> 18);
  stacks |= stacks >> 9 | stacks >> 18;
  for (i32 p = 0; p < 3; p++) ties->columns[p] &= columns >> (6 - 3 * p) & 3;
  ties->stack01 &= (stacks & 070) == 0;
  ties->stack12 &= (stacks & 007) == 0;
}

/* -- levels ---------------------------------------------------------------------------------- */

/* Evaluates the bands that may be next (of those without givens only the first). Returns their
 * number; *least is the least of their rows. */
static i32 try_bands(Search *s, u32 *least) {
  i32 count = 0;
  Bytes lanes = all_lanes(~0u);
  for (i32 i = 0; i < s->count; i++) {
    const Choice *c = &s->now[i];
    u32 left = 7, had_empty = 0;
    for (i32 k = 0; k < c->depth; k++) left &= ~(1u << c->band[k]);
    for (; left; left &= left - 1) {
      i32 band = __builtin_ctz(left);
      u32 empty = s->empty[c->turned][band];
      if (empty == 7 && had_empty) continue;
      had_empty |= empty == 7;
      const u32 *box[3];
      find_sorted(s, c, band, box);
      Bytes first = band_rows(&s->ties, box, 0), second = band_rows(&s->ties, box, 4);
      s->next[count++] = (Next){{first, second}, (u32)i, (u16)band, index_order[empty]};
      lanes = least_lanes(lanes, least_lanes(first, second));
    }
  }
  u32 a = lane32(lanes, 0), b = lane32(lanes, 1), c = lane32(lanes, 2), d = lane32(lanes, 3);
  sort_two(&a, &b);
  sort_two(&c, &d);
  *least = a < c ? a : c;
  return count;
}

static void add_band(Search *s) {
  u32 least;
  i32 bands = try_bands(s, &least), made = 0;
  Bytes target = all_lanes(least);
  for (i32 i = 0; i < bands; i++) {
    const Next *next = &s->next[i];
    u32 orders = equal_to_lanes(next->rows[0], next->rows[1], target) & next->orders;
    for (; orders; orders &= orders - 1) choose_band(s, next, (u32)__builtin_ctz(orders), &s->then[made++]);
  }
  keep_ties(&s->ties, least);
  Choice *t = s->now;
  s->now = s->then, s->then = t;
  s->count = made;
}

static void write_leaf(const Choice *c, Leaf *leaf) {
  leaf->turned = c->turned;
  for (i32 p = 0; p < 3; p++)
    for (i32 k = 0; k < 3; k++) {
      leaf->row[3 * p + k] = (u8)(3 * c->band[p] + ORDERS[c->order[p]][k]);
      leaf->cols[3 * p + k] = (u8)(3 * c->stack[p] + ORDERS[c->columns[p]][k]);
    }
}

i32 least_pattern(const u32 filled[2][9], Choice *choices, Next *bands, Leaf *leaves, Ties *ties) {
  Search s = {
      .ties = {1, 1, {3, 3, 3}}, .now = choices, .then = choices + ALL_CHOICES, .next = bands, .count = 2};
  prepare();
  find_boxes(&s, filled);
  for (u8 t = 0; t < 2; t++) s.now[t] = (Choice){.turned = t, .stack = {0, 1, 2}};
  for (i32 level = 0; level < 3; level++) add_band(&s);
  for (i32 i = 0; i < s.count; i++) write_leaf(&s.now[i], &leaves[i]);
  *ties = s.ties;
  return s.count;
}
