/* The transform from one board to another with the fewest steps, by best-first enumeration.
 *
 * Steps: one transposition, swaps of two bands or of two rows of a band, the same for columns, one
 * relabelling. A line order is uniquely an order of its blocks and one inside each block, so it
 * needs (length - cycles) swaps of each. Orders are listed by their cost; pairs of a row and a
 * column order are tried in order of cost until it exceeds that of the best witness.
 *
 * Two filters refute nearly all pairs before symbols are matched. The link of two columns is, for
 * each row of the one, the row of the other with the same symbol; it is invariant under
 * relabelling. A row order under which no two columns have the link of the target's first two is
 * skipped, which filters full boards. Sparse ones are filtered by the pattern of givens in each
 * column. Cost: O(row orders x column orders), at most MOST_PAIRS.
 */
#include "sudoku/sudoku.h"

enum { MOST_SIDE = 10, MOST_LINES = 4096, MOST_PAIRS = 1 << 22 };

typedef struct {
  i32 N, inside;
  i32 start[MOST_SIDE + 2]; /* the orders of cost k are start[k] .. start[k + 1] - 1 */
  u8 *lines;                /* N bytes each: by cost, then ascending */
} Orders;

/* The number of orders, blocks! * (inside!)^blocks; MOST_LINES + 1 if there are more. */
static i32 count_orders(i32 blocks, i32 inside) {
  i32 count = 1;
  for (i32 k = 2; k <= blocks; k++) count *= k;
  for (i32 b = 0; b < blocks; b++)
    for (i32 k = 2; k <= inside; k++)
      if ((count *= k) > MOST_LINES) return MOST_LINES + 1;
  return count;
}

static i32 count_swaps(const u8 *order, i32 length) {
  u32 seen = 0;
  i32 cycles = 0;
  for (i32 i = 0; i < length; i++) {
    if (seen >> i & 1) continue;
    cycles++;
    for (i32 k = i; !(seen >> k & 1); k = order[k]) seen |= 1u << k;
  }
  return length - cycles;
}

static i32 cost_of(const Orders *o, const u8 *line) {
  i32 inside = o->inside, blocks = o->N / inside;
  u8 order[MOST_SIDE];
  for (i32 b = 0; b < blocks; b++) order[b] = (u8)(line[b * inside] / inside);
  i32 total = count_swaps(order, blocks);
  for (i32 b = 0; b < blocks; b++) {
    for (i32 i = 0; i < inside; i++) order[i] = (u8)(line[b * inside + i] % inside);
    total += count_swaps(order, inside);
  }
  return total;
}

/* Enumerates the orders that agree with `line` before position `at`, ascending; counts them by
 * cost, or writes them. The first line of a block is any free one, the others are of that block.
 * Recursion: N levels. */
static void list_completions(Orders *o, u8 *line, i32 at, u32 used, i32 written) {
  if (at == o->N) {
    i32 k = cost_of(o, line);
    if (written) memcpy(o->lines + o->start[k + 1]++ * o->N, line, (size_t)o->N);
    else o->start[k + 2]++;
    return;
  }
  for (i32 v = 0; v < o->N; v++) {
    if (used >> v & 1 || (at % o->inside && v / o->inside != line[at - 1] / o->inside)) continue;
    line[at] = (u8)v;
    list_completions(o, line, at + 1, used | 1u << v, written);
  }
}

/* Lists the orders of N = blocks * inside lines by cost (counting sort); `at` has room for
 * count_orders(…) * N bytes. */
static void list_orders(Orders *o, i32 blocks, i32 inside, u8 *at) {
  u8 line[MOST_SIDE];
  *o = (Orders){.N = blocks * inside, .inside = inside, .lines = at};
  list_completions(o, line, 0, 0, 0);
  for (i32 k = 2; k < MOST_SIDE + 2; k++) o->start[k] += o->start[k - 1];
  list_completions(o, line, 0, 0, 1); /* moves the start of each cost to that of the next */
}

enum { NONE = 1000, ABSENT = 14, BLANK = 15 };

/* A board, or its transpose, with the links of all pairs of columns. */
typedef struct {
  const u8 *cells;
  u8 partner[MOST_SIDE][MOST_SIDE][MOST_SIDE]; /* [x][y][r]: the row where column y holds the symbol
                                                  of column x in row r; ABSENT or BLANK */
} Board;

typedef struct {
  i32 N, inside;         /* columns of a stack */
  i32 labelled, cost;    /* of the best so far; NONE before there is one */
  const u8 *target;
  u64 link;              /* of the target's first two columns */
  u16 filled[MOST_SIDE]; /* the rows in which a column of the target has givens */
  u8 *map;               /* the best so far */
} Search;

static void read_board(Board *b, const u8 *cells, i32 N) {
  b->cells = cells;
  for (i32 x = 0; x < N; x++)
    for (i32 y = 0; y < N; y++)
      for (i32 r = 0; r < N; r++) {
        u8 symbol = cells[r * N + x], at = ABSENT;
        for (i32 k = 0; k < N && symbol; k++)
          if (cells[k * N + y] == symbol) at = (u8)k;
        b->partner[x][y][r] = symbol ? at : BLANK;
      }
}

/* The link of columns x and y, four bits a row, with the rows in that order. */
static u64 link_of(const Board *b, i32 x, i32 y, const u8 *rows, const u8 *place, i32 N) {
  u64 link = 0;
  for (i32 r = 0; r < N; r++) link |= (u64)place[b->partner[x][y][rows[r]]] << 4 * r;
  return link;
}

/* Whether symbols correspond one to one; `digits` gets the label of each, 0 for those not met. */
static i32 relabel(const Search *s, const u8 *source, const u8 *rows, const u8 *cols, u8 *digits) {
  i32 N = s->N;
  u8 back[MOST_SIDE + 1] = {0};
  memset(digits, 0, (size_t)N + 1);
  for (i32 r = 0; r < N; r++)
    for (i32 c = 0; c < N; c++) {
      u8 x = source[rows[r] * N + cols[c]], y = s->target[r * N + c];
      if (!x && !y) continue;
      if (!x || !y || (digits[x] && digits[x] != y) || (back[y] && back[y] != x)) return 0;
      digits[x] = y;
      back[y] = x;
    }
  return 1;
}

/* Keeps the transform if it is cheaper than the best, or as cheap and lexicographically less. */
static void keep_best(Search *s, i32 cost, i32 turned, const u8 *rows, const u8 *cols, const u8 *digits) {
  i32 N = s->N;
  u8 map[3 * MOST_SIDE + 2];
  map_write(map, N, turned, rows, cols, digits);
  if (cost == s->cost && memcmp(map, s->map, (size_t)(1 + 2 * N)) > 0) return;
  s->cost = cost;
  memcpy(s->map, map, (size_t)(3 * N + 2));
}

/* Tries all column orders of cost k with one row order. */
static void try_columns(Search *s, const Board *source, i32 turned, const u8 *rows, const Orders *o, i32 k,
                        i32 base) {
  i32 N = s->N;
  u8 place[16] = {[ABSENT] = ABSENT, [BLANK] = BLANK};
  for (i32 r = 0; r < N; r++) place[rows[r]] = (u8)r;
  u16 second[MOST_SIDE] = {0}; /* columns that may follow column x at the left edge */
  u32 any = 0;
  for (i32 x = 0; x < N; x++)
    for (i32 y = x / s->inside * s->inside, end = y + s->inside; y < end; y++)
      if (x != y && link_of(source, x, y, rows, place, N) == s->link) second[x] |= 1u << y, any = 1;
  if (!any) return;
  u16 there[MOST_SIDE] = {0};
  for (i32 r = 0; r < N; r++)
    for (i32 c = 0; c < N; c++)
      if (source->cells[rows[r] * N + c]) there[c] |= (u16)(1u << r);
  for (i32 i = o->start[k]; i < o->start[k + 1]; i++) {
    const u8 *cols = o->lines + i * N;
    if (!(second[cols[0]] >> cols[1] & 1)) continue;
    i32 c = 0;
    while (c < N && there[cols[c]] == s->filled[c]) c++;
    if (c < N) continue;
    u8 digits[MOST_SIDE + 1];
    if (!relabel(s, source->cells, rows, cols, digits)) continue;
    i32 renamed = 0;
    for (i32 d = 1; d <= N; d++) renamed |= digits[d] && digits[d] != d;
    if (s->labelled && renamed) continue;
    if (base + renamed <= s->cost) keep_best(s, base + renamed, turned, rows, cols, digits);
  }
}

/* Tries all transforms with `base` steps before the relabelling. */
static void try_base(Search *s, const Board *source, i32 turned, const Orders *rows, const Orders *cols,
                     i32 base) {
  i32 most = s->N - 1, swaps_left = base - turned;
  for (i32 k = max32(0, swaps_left - most); k <= min32(swaps_left, most); k++)
    for (i32 i = rows->start[k]; i < rows->start[k + 1]; i++)
      try_columns(s, source, turned, rows->lines + i * s->N, cols, swaps_left - k, base);
}

EXPORT(i32, sudoku_shape_shortest)(i32 R, i32 C, const u8 *from, const u8 *to, i32 labelled, u8 *map,
                                   u8 *work, i32 room) {
  if (!sudoku_shape_is_legal(R, C, from) || !sudoku_shape_is_legal(R, C, to)) return BAD;
  i32 N = R * C;
  if (N > MOST_SIDE) return TOO_LARGE;
  i32 above = count_orders(C, R), across = count_orders(R, C);
  if (above > MOST_LINES || across > MOST_LINES || above * across > MOST_PAIRS) return TOO_LARGE;
  if ((above + across) * N > room) return TOO_LARGE;
  Orders rows, cols;
  list_orders(&rows, C, R, work);
  list_orders(&cols, R, C, work + above * N);
  u8 turned[MOST_SIDE * MOST_SIDE], in_order[MOST_SIDE], place[16];
  for (i32 i = 0; i < N * N; i++) turned[i % N * N + i / N] = from[i];
  for (u8 i = 0; i < 16; i++) place[i] = i;
  for (i32 i = 0; i < N; i++) in_order[i] = (u8)i;
  Board upright, lying, target;
  read_board(&upright, from, N);
  read_board(&lying, turned, N);
  read_board(&target, to, N);
  Search s = {.N = N, .inside = C, .labelled = labelled, .cost = NONE, .target = to, .map = map};
  s.link = link_of(&target, 0, 1, in_order, place, N);
  for (i32 i = 0; i < N * N; i++)
    if (to[i]) s.filled[i % N] |= (u16)(1u << i / N);
  for (i32 base = 0; base <= 2 * N - 1 && base <= s.cost; base++) {
    try_base(&s, &upright, 0, &rows, &cols, base);
    if (R == C && base) try_base(&s, &lying, 1, &rows, &cols, base);
  }
  return s.cost == NONE ? 0 : 1 + s.cost;
}
