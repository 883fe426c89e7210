/* The minlex form of complete 9x9 grids: the least string over 2*6^8 transforms and all
 * relabellings.
 *
 * The first output row is always 123456789, so a choice of source row and column order determines
 * all labels. For two rows of a chute let
 *
 *    pi(c) = the column where the first row has the digit that the second row has in column c.
 *
 * Row 2 of the output depends on pi and the column order alone. Under column permutations there
 * are exactly 15 classes of pi; four numbers distinguish them:
 *
 *    pure    the first minirow of one is a minirow of the other (then all are)
 *    home    columns c with pi(pi(c)) in the stack of c
 *    fourth  columns c with pi^4(c) = c
 *    third   columns c with pi^3(c) = c
 *
 * and each class has one least second row. So 18 unordered pairs of rows, a handful of vector
 * operations each, give the exact best second row before a single digit is relabelled; only the
 * best pairs are expanded. tests/reference derives the table again from all 12 096 pi.
 *
 * Rejected: trying all 108 starts row by row (0.6 M grids/s, this does 2 M in V8); a table of
 * the 416 bands (larger than the rest of the desk and no faster); column orders one by one in
 * scalar registers (1.5 M: most fail late, at unpredictable branches).
 */
#include "sudoku/board.h"

enum { CLASSES = 15, PURE_CLASSES = 3, FIRST_OF_893 = 13, MOST_STARTS = 36 * 3 * 6 };

typedef struct {
  u8 pure, home, fourth, third; /* features of the class */
  u8 row[16];                   /* its least second row, as positions 0..8 of row 1 */
} PairClass;

static const PairClass PAIRS[CLASSES] = {
    /* ascending by row */
    {1, 0, 0, 9, {3, 4, 5, 6, 7, 8, 0, 1, 2}}, {1, 0, 0, 3, {3, 4, 5, 6, 7, 8, 0, 2, 1}},
    {1, 0, 0, 0, {3, 4, 5, 6, 7, 8, 1, 2, 0}}, {0, 6, 4, 0, {3, 4, 6, 0, 7, 8, 1, 2, 5}},
    {0, 6, 2, 0, {3, 4, 6, 0, 7, 8, 1, 5, 2}}, {0, 6, 6, 3, {3, 4, 6, 0, 7, 8, 2, 1, 5}},
    {0, 4, 6, 3, {3, 4, 6, 0, 7, 8, 5, 1, 2}}, {0, 4, 2, 0, {3, 4, 6, 0, 7, 8, 5, 2, 1}},
    {0, 6, 0, 0, {3, 4, 6, 1, 7, 8, 0, 5, 2}}, {0, 4, 4, 0, {3, 4, 6, 1, 7, 8, 5, 0, 2}},
    {0, 4, 0, 0, {3, 4, 6, 1, 7, 8, 5, 2, 0}}, {0, 2, 0, 0, {3, 4, 6, 2, 7, 8, 5, 0, 1}},
    {0, 2, 0, 3, {3, 4, 6, 2, 7, 8, 5, 1, 0}}, {0, 0, 0, 9, {3, 4, 6, 7, 8, 2, 5, 0, 1}},
    {0, 0, 0, 3, {3, 4, 6, 7, 8, 2, 5, 1, 0}},
};

static const u8 STACK_OF[16] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 9, 9, 9, 9, 9, 9, 9};
static const u8 COUNT_UP[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 15, 15, 15, 15, 15, 15};
static const u8 NEXT[16] = {1, 2, 0, 4, 5, 3, 7, 8, 6}; /* the two others of a column's stack */
static const u8 OTHER[16] = {2, 0, 1, 5, 3, 4, 8, 6, 7};
static const u8 SUM_OF_STACK[16] = {3, 12, 21};
static const u8 PAIR_FIRST[3] = {0, 0, 1}, PAIR_SECOND[3] = {1, 2, 2}; /* the third: 2 - index */

/* A grid and its transpose, each line as cells and as "where is digit d". */
typedef struct { u8 cell[2][9][16], where[2][9][16]; } __attribute__((aligned(16))) Lines;

/* A choice that attains the best two rows: orientation, first three rows, columns, labels. */
typedef struct {
  Bytes cols, labels;
  u8 turned, row[3];
} Start;

typedef struct {
  Lines lines;
  Start starts[MOST_STARTS];
  i32 count; /* starts that also attain the best third row */
  i32 best;  /* class of the second row */
  RowKey third, fourth;
  RowKey rest[6]; /* rows 4..9 of the least form so far */
} Search;

static Search search;
static u8 class_of[2][8][8][10]; /* by features; CLASSES if no class has them */
static i32 ready;

static void prepare(void) {
  if (ready) return;
  ready = 1;
  memset(class_of, CLASSES, sizeof class_of);
  for (i32 i = 0; i < CLASSES; i++) {
    const PairClass *p = &PAIRS[i];
    class_of[p->pure][p->home][p->fourth][p->third] = (u8)i;
  }
}

static void write_key(RowKey a, u8 *to) {
  u64 head = __builtin_bswap64(a.head);
  memcpy(to, &head, 8);
  to[8] = (u8)a.last;
}

/* Fills the lines; 0 unless the grid is complete and legal. */
static i32 read_grid(const u8 *grid, Lines *lines) {
  BoardLines board;
  Bytes least = all16(9), most = all16(1), up = load16(COUNT_UP);
  board_lines(grid, &board);
  for (i32 r = 0; r < 9; r++) {
    least = lesser(least, board.line[0][r]);
    most = greater(most, board.line[0][r]);
  }
  if (~equal_lanes(lesser(least, all16(1)), all16(1)) & NINE_LANES) return 0;
  if (~equal_lanes(greater(most, all16(9)), all16(9)) & NINE_LANES) return 0;
  for (i32 t = 0; t < 2; t++)
    for (i32 r = 0; r < 9; r++) {
      store16(lines->cell[t][r], board.line[t][r]);
      for (i32 c = 0; c < 9; c++) lines->where[t][r][t ? grid[9 * c + r] : grid[9 * r + c]] = (u8)c;
    }
  /* a line has nine different digits exactly if looking each of them up leads back */
  u32 straight = NINE_LANES;
  for (i32 t = 0; t < 2; t++)
    for (i32 r = 0; r < 9; r++)
      straight &= equal_lanes(look_up(load16(lines->where[t][r]), board.line[t][r]), up);
  Bytes twice = all16(0);
  for (i32 r = 0; r < 9; r += 3) twice = either(twice, twice_in_box(chute_digits(&board.line[0][r])));
  return straight == NINE_LANES && !any_bit(twice);
}

static inline Bytes pair_map(const Lines *lines, i32 t, i32 first, i32 second) {
  return look_up(load16(lines->where[t][first]), load16(lines->cell[t][second]));
}

static i32 classify(Bytes pi) {
  Bytes stack = load16(STACK_OF), up = load16(COUNT_UP);
  Bytes pi2 = look_up(pi, pi);
  u32 home = equal_lanes(look_up(stack, pi2), stack) & NINE_LANES;
  u32 third = equal_lanes(look_up(pi, pi2), up) & NINE_LANES;
  u32 fourth = equal_lanes(look_up(pi2, pi2), up) & NINE_LANES;
  u64 stacks = low_half(look_up(stack, pi));
  i32 pure = ((stacks ^ stacks >> 8) & 0xFFFF) == 0; /* the first minirow is in one stack */
  return class_of[pure][__builtin_popcount(home) & 7][__builtin_popcount(fourth) & 7]
                 [__builtin_popcount(third)];
}

/* All nine columns of the orders that begin with a column, for all columns at once: lane c of
 * column[j] is the column in position j if column c is first.
 *
 * A second row 457... has two digits from one stack of row 1 under the first stack; the third
 * digit, from another stack, is third. The rest follows from the best second row: if it has label k
 * in position j, column k is pi(column j).
 *
 *    457 x89 ...   c3 c4 c6 = pi(c0 c1 c2), c5 the rest of its stack, c7 c8 = pi(c4 c5)
 *    457 893 ...   the same, c7 c8 = pi(c3 c4)
 *
 * Returns one bit for each first column whose order attains the best second row. */
static inline u32 all_columns(Bytes pi, i32 best, Bytes column[9]) {
  Bytes stack = look_up(load16(STACK_OF), pi), next = load16(NEXT), other = load16(OTHER);
  Bytes with_next = equal16(stack, look_up(stack, next));
  Bytes fits = either(with_next, equal16(stack, look_up(stack, other)));
  column[0] = load16(COUNT_UP);
  column[1] = choose(with_next, next, other);
  column[2] = choose(with_next, other, next);
  column[3] = pi;
  column[4] = look_up(pi, column[1]);
  column[5] = less16(less16(look_up(load16(SUM_OF_STACK), stack), pi), column[4]);
  column[6] = look_up(pi, column[2]);
  column[7] = look_up(pi, column[best >= FIRST_OF_893 ? 3 : 4]);
  column[8] = look_up(pi, column[best >= FIRST_OF_893 ? 4 : 5]);
  for (i32 j = 3; j < 9; j++) fits = both(fits, equal16(look_up(pi, column[j]), column[PAIRS[best].row[j]]));
  return lanes_of(fits) & NINE_LANES;
}

/* column -> label, from the nibbles of `inverse` */
static inline Bytes label_at_column(u64 inverse) {
  Bytes below16 = all16(15);
  return interleave_low(both(make16(inverse, 0), below16), both(make16(inverse >> 4, 0), below16));
}

/* Adds the starts of one ordered pair of rows that also attain the least third row so far. */
static void expand(Search *s, i32 t, i32 first, i32 second, i32 last) {
  const Lines *lines = &s->lines;
  Bytes column[9], where = load16(lines->where[t][first]), third = load16(lines->cell[t][last]);
  u32 begins = all_columns(pair_map(lines, t, first, second), s->best, column);
  u8 at[9][16];
  for (i32 j = 0; j < 9; j++) store16(at[j], column[j]);
  for (; begins; begins &= begins - 1) {
    i32 c = __builtin_ctz(begins);
    u64 low = 0, inverse = 9ull << 4 * at[8][c];
    for (u32 j = 0; j < 8; j++) {
      low |= (u64)at[j][c] << 8 * j;
      inverse |= (u64)(j + 1) << 4 * at[j][c];
    }
    Bytes cols = make16(low, at[8][c]);
    Bytes labels = look_up(label_at_column(inverse), where); /* a digit's is its column's */
    RowKey row = row_key(look_up(labels, look_up(third, cols)));
    if (key_less(s->third, row)) continue;
    if (key_less(row, s->third)) {
      s->third = row;
      s->count = 0;
    }
    s->starts[s->count++] = (Start){cols, labels, (u8)t, {(u8)first, (u8)second, (u8)last}};
  }
}

/* Row 4 begins with label 2: rows 1..3 begin with 1, 4 and at least 6. */
static inline i32 fourth_row(const Search *s, const Start *start) {
  u32 c0 = wasm_u8x16_extract_lane(start->cols, 0), c1 = wasm_u8x16_extract_lane(start->cols, 1);
  const Lines *l = &s->lines;
  return l->where[!start->turned][c0][l->cell[start->turned][start->row[0]][c1]];
}

static inline RowKey labelled_row(const Search *s, const Start *start, i32 row) {
  Bytes cells = load16(s->lines.cell[start->turned][row]);
  return row_key(look_up(start->labels, look_up(cells, start->cols)));
}

/* Pure pairs of rows.
 *
 * Where whole minirows repeat (very regular grids do this in every chute), columns 4..9 follow the
 * first three stack by stack, so the six orders inside the first stack are one column vector and
 * one label table seen through six constant shuffles. Up to 648 starts tie even on the third row;
 * the fourth is compared at once, since it distinguishes most of them.
 *
 * A chute is perfect if pi of rows 1 and 3 is the inverse of pi of rows 1 and 2: its third row is
 * 789123456 in every order, which is the minimum, and need not be computed. */
static const u8 SHUFFLED[6][16] = { /* position -> natural position */
                                   {0, 1, 2, 3, 4, 5, 6, 7, 8}, {0, 2, 1, 3, 5, 4, 6, 8, 7},
                                   {1, 0, 2, 4, 3, 5, 7, 6, 8}, {1, 2, 0, 4, 5, 3, 7, 8, 6},
                                   {2, 0, 1, 5, 3, 4, 8, 6, 7}, {2, 1, 0, 5, 4, 3, 8, 7, 6}};
static const u8 RENAMED[6][16] = { /* natural label -> label */
                                  {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 3, 2, 4, 6, 5, 7, 9, 8},
                                  {0, 2, 1, 3, 5, 4, 6, 8, 7, 9}, {0, 3, 1, 2, 6, 4, 5, 9, 7, 8},
                                  {0, 2, 3, 1, 5, 6, 4, 8, 9, 7}, {0, 3, 2, 1, 6, 5, 4, 9, 8, 7}};
static const u8 PERFECT_THIRD[16] = {7, 8, 9, 1, 2, 3, 4, 5, 6};

/* One bit a chute of class 0 that is perfect: all six of its ordered pairs are, or none is. */
static u32 perfect_chutes(const Lines *lines, const u8 *rank) {
  u32 found = 0;
  for (i32 chute = 0; chute < 6; chute++) {
    i32 t = chute / 3, first = chute % 3 * 3;
    if (rank[3 * chute] != 0) continue;
    Bytes there = pair_map(lines, t, first, first + 1), back = pair_map(lines, t, first, first + 2);
    u32 home = equal_lanes(look_up(back, there), load16(COUNT_UP));
    if ((home & NINE_LANES) == NINE_LANES) found |= 1u << chute;
  }
  return found;
}

/* 1 if rows three and four are least so far; if they are less, the list is emptied. */
static inline i32 is_least(Search *s, const Start *start, RowKey third) {
  if (key_less(s->third, third)) return 0;
  RowKey fourth = labelled_row(s, start, fourth_row(s, start));
  if (!key_less(third, s->third)) {
    if (key_less(s->fourth, fourth)) return 0;
    if (key_equal(s->fourth, fourth)) return 1;
  }
  s->third = third;
  s->fourth = fourth;
  s->count = 0;
  return 1;
}

/* Columns c3 c4 c5 = pi(c0 c1 c2), c6 c7 c8 = pi(c3 c4 c5), from the first of a stack on. Built in
 * scalar registers: byte stores followed by a vector load would stall. */
static inline void pure_columns(const u8 *pi, u32 c0, Bytes *cols, u64 *inverse) {
  u32 c1 = c0 + 1, c2 = c0 + 2, c3 = pi[c0], c4 = pi[c1], c5 = pi[c2];
  u32 c6 = pi[c3], c7 = pi[c4], c8 = pi[c5];
  *cols =
      make16((u64)c0 | c1 << 8 | c2 << 16 | c3 << 24 | (u64)(c4 | c5 << 8 | c6 << 16 | c7 << 24) << 32, c8);
  *inverse = 1ull << 4 * c0 | 2ull << 4 * c1 | 3ull << 4 * c2 | 4ull << 4 * c3 | 5ull << 4 * c4 |
             6ull << 4 * c5 | 7ull << 4 * c6 | 8ull << 4 * c7 | 9ull << 4 * c8;
}

static void expand_pure(Search *s, i32 t, i32 first, i32 second, i32 last, i32 perfect) {
  const Lines *lines = &s->lines;
  Bytes pi = pair_map(lines, t, first, second), where = load16(lines->where[t][first]);
  Bytes cells = load16(lines->cell[t][last]), want = load16(PAIRS[s->best].row);
  RowKey perfect_third = row_key(load16(PERFECT_THIRD));
  u8 pi_bytes[16];
  store16(pi_bytes, pi);
  for (u8 base = 0; base < 9; base += 3) {
    Bytes natural;
    u64 inverse;
    pure_columns(pi_bytes, base, &natural, &inverse);
    Bytes labels = look_up(label_at_column(inverse), where);
    for (i32 o = 0; o < 6; o++) {
      Bytes cols = look_up(natural, load16(SHUFFLED[o]));
      if (s->best) { /* in class 0 every order attains the second row */
        u32 hits = equal_lanes(look_up(pi, cols), look_up(cols, want));
        if ((hits & NINE_LANES) != NINE_LANES) continue;
      }
      Start start = {cols, look_up(load16(RENAMED[o]), labels), (u8)t, {(u8)first, (u8)second, (u8)last}};
      RowKey third = perfect ? perfect_third : row_key(look_up(start.labels, look_up(cells, cols)));
      if (is_least(s, &start, third)) s->starts[s->count++] = start;
    }
  }
}

/* The best second row over all pairs of rows, then every start that attains it. 0 = not a grid */
static i32 find_starts(Search *s) {
  u8 rank[18];
  s->best = CLASSES;
  for (i32 pair = 0; pair < 18; pair++) {
    i32 t = pair / 9, chute = pair % 9 / 3 * 3, p = pair % 3;
    Bytes pi = pair_map(&s->lines, t, chute + PAIR_FIRST[p], chute + PAIR_SECOND[p]);
    rank[pair] = (u8)classify(pi);
    s->best = min32(s->best, rank[pair]);
  }
  if (s->best == CLASSES) return 0;
  s->count = 0;
  s->third = s->fourth = (RowKey){~0ull, ~0u};
  u32 perfect = s->best == 0 ? perfect_chutes(&s->lines, rank) : 0;
  for (i32 pair = 0; pair < 18; pair++) {
    if (rank[pair] != s->best) continue;
    if (perfect && !(perfect >> pair / 3 & 1)) continue; /* its third row is greater */
    i32 t = pair / 9, chute = pair % 9 / 3 * 3, p = pair % 3;
    i32 a = chute + PAIR_FIRST[p], b = chute + PAIR_SECOND[p], last = chute + 2 - p;
    /* pi and its inverse are of one class: both orders count */
    if (s->best < PURE_CLASSES) {
      expand_pure(s, t, a, b, last, perfect != 0);
      expand_pure(s, t, b, a, last, perfect != 0);
    } else {
      expand(s, t, a, b, last);
      expand(s, t, b, a, last);
    }
  }
  return s->count > 0;
}

/* Lists the source rows of output rows 4..9, sorted by their label in column 1 inside both bands,
 * then the bands by their least. Labels of a column differ, so nothing ties and no row need be
 * computed. */
static void order_rows(const Search *s, const Start *start, u8 out[6]) {
  u8 cols[16], first[16];
  u32 half[2][3]; /* label << 4 | row */
  i32 chute = start->row[0] / 3, bands[2] = {chute == 0 ? 3 : 0, chute == 2 ? 3 : 6};
  store16(cols, start->cols);
  store16(first, look_up(start->labels, load16(s->lines.cell[!start->turned][cols[0]])));
  for (i32 b = 0; b < 2; b++) {
    u32 *h = half[b];
    for (i32 i = 0; i < 3; i++) h[i] = (u32)first[bands[b] + i] << 4 | (u32)(bands[b] + i);
    sort_two(&h[0], &h[1]);
    sort_two(&h[1], &h[2]);
    sort_two(&h[0], &h[1]);
  }
  i32 lead = half[1][0] < half[0][0];
  for (i32 i = 0; i < 3; i++) {
    out[i] = half[lead][i] & 15;
    out[3 + i] = half[!lead][i] & 15;
  }
}

static void write_map(const Start *start, const u8 rows[6], u8 *map) {
  u8 cols[16], labels[16];
  store16(cols, start->cols);
  store16(labels, start->labels);
  map[0] = start->turned;
  memcpy(map + 1, start->row, 3);
  memcpy(map + 4, rows, 6);
  memcpy(map + 10, cols, 9);
  map[19] = 0;
  memcpy(map + 20, labels + 1, 9);
}

/* Compares all starts row by row with early exit. Returns the number that attain the form. */
static i32 compare_starts(Search *s, u8 *maps, i32 most) {
  i32 ties = 0;
  for (i32 i = 0; i < 6; i++) s->rest[i] = (RowKey){~0ull, ~0u};
  for (i32 n = 0; n < s->count; n++) {
    const Start *start = &s->starts[n];
    u8 rows[6];
    i32 i = 0;
    RowKey row = labelled_row(s, start, fourth_row(s, start));
    if (key_less(s->rest[0], row)) continue; /* most end here */
    order_rows(s, start, rows);
    while (i < 5 && key_equal(row, s->rest[i])) row = labelled_row(s, start, rows[++i]);
    if (key_less(s->rest[i], row)) continue;
    if (key_less(row, s->rest[i])) {
      ties = 0;
      s->rest[i] = row;
      while (++i < 6) s->rest[i] = labelled_row(s, start, rows[i]);
    }
    if (ties < most) write_map(start, rows, maps + MAP * ties);
    ties++;
  }
  return ties;
}

static i32 minlex_of(const u8 *grid, u8 *out, u8 *maps, i32 most) {
  prepare();
  if (!read_grid(grid, &search.lines) || !find_starts(&search)) return BAD;
  i32 ties = compare_starts(&search, maps, most);
  for (i32 i = 0; i < 9; i++) {
    out[i] = (u8)(i + 1);
    out[9 + i] = (u8)(PAIRS[search.best].row[i] + 1);
  }
  write_key(search.third, out + 18);
  for (i32 i = 0; i < 6; i++) write_key(search.rest[i], out + 27 + 9 * i);
  return ties;
}

EXPORT(i32, sudoku_minlex)(const u8 *grids, i32 count, u8 *out, i32 *autos) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++) autos[i] = minlex_of(grids + CELLS * i, out + CELLS * i, 0, 0);
  return count;
}

EXPORT(i32, sudoku_minlex_maps)(const u8 *grid, u8 *out, u8 *maps, i32 most) {
  return most < 0 ? BAD : minlex_of(grid, out, maps, most);
}

/* The least image of a puzzle under the maps that attain the form of its solution. */
static i32 carry_least(const u8 *puzzle, const u8 *solution, u8 *out, u8 *best) {
  static u8 maps[MAP * MOST_STARTS], form[CELLS], carried[CELLS];
  for (i32 i = 0; i < CELLS; i++)
    if (puzzle[i] && puzzle[i] != solution[i]) return BAD;
  i32 count = minlex_of(solution, form, maps, MOST_STARTS), ties = 0;
  for (i32 i = 0; i < count; i++) {
    const u8 *map = maps + MAP * i;
    for (i32 cell = 0; cell < CELLS; cell++)
      carried[cell] = map[19 + puzzle[map_source(map, cell / 9, cell % 9)]];
    i32 order = ties ? memcmp(carried, out, CELLS) : -1;
    if (order > 0) continue;
    if (order < 0) {
      ties = 0;
      memcpy(out, carried, CELLS);
      memcpy(best, map, MAP);
    }
    ties++;
  }
  return count < 0 ? count : ties;
}

EXPORT(i32, sudoku_carry)(const u8 *puzzles, const u8 *solutions, i32 count, u8 *out, u8 *maps, i32 *status) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++)
    status[i] = carry_least(puzzles + CELLS * i, solutions + CELLS * i, out + CELLS * i, maps + MAP * i);
  return count;
}
