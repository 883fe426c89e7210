/* The minlex form of 9x9 puzzles, straight and pattern-first: breadth-first search by output rows
 * over ordered partitions of the columns.
 *
 * A state is a partial transform: orientation, the rows so far, and a column vector that is an
 * ORDERED PARTITION: neighbouring positions of a stack are tied while nothing distinguishes them,
 * and so may neighbouring stacks be. To add a row, its values are looked up and the ties sorted:
 * blank < known labels < NEW. One byte a position:
 *
 *      bit  7 6 5 4   3 2 1 0
 *           value     source column      value 0 blank, 1..9 a label, 15 = NEW
 *
 * so the sorted vector holds the new column order in its low nibbles. All states of a level have
 * the same output rows, hence the same next label, which makes comparing with NEW exact. Equal
 * known values stay tied at no cost; equal NEW digits in tied positions become branches. These and
 * the choice of the next row are the only branching.
 *
 * Pattern-first starts from all row orders that attain the least pattern (pattern.c), its leaves. A
 * state then has a range of leaves, sorted by row order, instead of free rows. If there is one leaf
 * without ties (most puzzles) its digits are labelled in order.
 *
 * Empty rows and bands are taken in index order only, and tied empty columns are never expanded:
 * the count is multiplied afterwards. The empty board takes no time and counts 3 359 232. Complete
 * grids, on which both conventions agree, go to minlex.c.
 *
 * Rejected: depth-first branch and bound (most time goes into rows that a breadth-first level
 * discards after one comparison).
 */
#include "sudoku/board.h"
#include "sudoku/pattern.h"

enum { NEW = 0xF0, ALL_STATES = 80000, ALL_STEPS = 131072, EVERY_STACK = 0111 };

typedef struct {
  Bytes cols;            /* position -> source column */
  u64 labels;            /* four bits a digit, 15 while it has none; blank -> 0 */
  u8 tie01, tie12;       /* bit 3j: positions 0 and 1 (1 and 2) of stack j are tied */
  u8 stack01, stack12;   /* stacks 0 and 1 (1 and 2) are tied */
  u8 turned, next, depth, spare;
  u32 used;              /* bit r: source row r is placed */
  u32 from, to;          /* pattern-first: its leaves */
  u8 row[9];
} State;

typedef struct {
  Bytes sorted; /* the row's bytes after sorting the ties */
  u32 state, row, from, to;
} Step;

typedef struct {
  u8 cell[2][9][16];
  u32 filled[2][9]; /* bit c: column c has a given */
  u32 empty[2];     /* bit r: row r has none */
} __attribute__((aligned(16))) Board;

typedef struct {
  State *now, *then;
  Step *steps;
  Leaf *leaves;
  i32 count; /* states in `now` */
  Board board;
} Run;

static const u8 SWAP01[16] = {1, 0, 2, 4, 3, 5, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
static const u8 SWAP12[16] = {0, 2, 1, 3, 5, 4, 6, 8, 7, 9, 10, 11, 12, 13, 14, 15};
static const u8 UPPER01[16] = {0, 255, 0, 0, 255, 0, 0, 255, 0};
static const u8 UPPER12[16] = {0, 0, 255, 0, 0, 255, 0, 0, 255};
static const u8 STRAIGHT[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 15, 15, 15, 15, 15, 15};
/* the ORDERS that permute tied positions only: none tied, 1-2 tied, 0-1 tied, all tied */
static const u8 FREE_COUNT[4] = {1, 2, 2, 6};
static const u8 FREE[4][6] = {{0}, {0, 1}, {0, 2}, {0, 1, 2, 3, 4, 5}};
static const u8 FACTORIAL[4] = {1, 1, 2, 6};

/* the positions of the stacks in an order, by its first two */
static const u8 STACKS[3][3][16] = {{{0}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {0, 1, 2, 6, 7, 8, 3, 4, 5, 9}},
                                    {{3, 4, 5, 0, 1, 2, 6, 7, 8, 9}, {0}, {3, 4, 5, 6, 7, 8, 0, 1, 2, 9}},
                                    {{6, 7, 8, 0, 1, 2, 3, 4, 5, 9}, {6, 7, 8, 3, 4, 5, 0, 1, 2, 9}, {0}}};

/* bytes of the tied positions, by tie bits */
static u8 mask01[EVERY_STACK + 1][16], mask12[EVERY_STACK + 1][16];
static u16 row_rank[512]; /* a row of givens sorted freely: its least 0/1 string */
static i32 ready;

static u32 sorted_bits(u32 filled) {
  static const u8 packed[4] = {0, 1, 3, 7};
  i32 n[3];
  for (i32 j = 0; j < 3; j++) n[j] = __builtin_popcount(filled >> (3 * j) & 7);
  i32 least = min32(n[0], min32(n[1], n[2])), most = max32(n[0], max32(n[1], n[2]));
  i32 middle = n[0] + n[1] + n[2] - least - most;
  return (u32)packed[least] << 6 | (u32)packed[middle] << 3 | packed[most];
}

static void prepare(void) {
  if (ready) return;
  ready = 1;
  for (i32 m = 0; m <= EVERY_STACK; m++)
    for (i32 j = 0; j < 3; j++)
      if (m >> 3 * j & 1) {
        mask01[m][3 * j] = mask01[m][3 * j + 1] = 255;
        mask12[m][3 * j + 1] = mask12[m][3 * j + 2] = 255;
      }
  for (u32 m = 0; m < 512; m++) row_rank[m] = (u16)sorted_bits(m);
}

/* -- evaluating a row ------------------------------------------------------------------------ */

static inline Bytes sort_pair(Bytes x, const u8 *swap, const u8 *upper, const u8 *tied) {
  Bytes other = look_up(x, load16(swap));
  Bytes sorted = choose(load16(upper), greater(x, other), lesser(x, other));
  return choose(load16(tied), sorted, x);
}

/* Sorts tied stacks by their values; equal ones keep their order. */
static inline Bytes sort_stacks(Bytes x, const State *s) {
  Bytes values = both(x, all16(0xF0));
  u64 head = __builtin_bswap64(low_half(values));
  u32 last = (u32)high_half(values) & 255;
  u32 a = (u32)(head >> 40) << 2, b = ((u32)(head >> 16) & 0xFFFFFF) << 2 | 1;
  u32 c = ((u32)head & 0xFFFF) << 10 | last << 2 | 2;
  if (s->stack01) sort_two(&a, &b);
  if (s->stack12) sort_two(&b, &c);
  if (s->stack01 & s->stack12) sort_two(&a, &b);
  return look_up(x, load16(STACKS[a & 3][b & 3]));
}

/* digit -> label << 4, from four bits a digit */
static inline Bytes label_bytes(u64 labels) {
  Bytes upper = all16(0xF0);
  return interleave_low(both(make16(labels << 4, 0), upper), both(make16(labels, 0), upper));
}

/* A row under a state: values and columns (see the head) after sorting the ties. */
static inline Bytes evaluate(const State *s, Bytes labels, Bytes row) {
  Bytes x = either(look_up(labels, look_up(row, s->cols)), s->cols);
  if (s->tie01 | s->tie12) {
    u32 three = s->tie01 & s->tie12;
    x = sort_pair(x, SWAP01, UPPER01, mask01[s->tie01]);
    x = sort_pair(x, SWAP12, UPPER12, mask12[s->tie12]);
    if (three) x = sort_pair(x, SWAP01, UPPER01, mask01[three]);
  }
  if (s->stack01 | s->stack12) x = sort_stacks(x, s);
  return x;
}

/* The rows that may be next; of equivalent rows without givens only the first. */
static u32 next_rows(const Board *board, const State *s) {
  u32 free = NINE_LANES & ~s->used, inside = s->depth % 3u;
  if (inside) free &= 7u << (3 * (s->row[s->depth - 1] / 3));
  u32 empty = free & board->empty[s->turned];
  if ((empty & (empty - 1)) == 0) return free;
  u32 rows = free & ~empty;
  i32 had_empty_band = 0;
  for (i32 h = 0; h < 3; h++) {
    u32 here = empty >> (3 * h) & 7;
    if (here == 0) continue;
    if (!inside && (board->empty[s->turned] >> (3 * h) & 7) == 7) {
      if (had_empty_band) continue;
      had_empty_band = 1;
    }
    rows |= (here & -here) << (3 * h);
  }
  return rows;
}

/* -- extending a state ----------------------------------------------------------------------- */

/* Labels the digits at the positions `fresh` of a row; the columns have their new order. */
static inline void label_new(State *s, Bytes row, u32 fresh) {
  Bytes digits = look_up(row, s->cols);
  u64 low = low_half(digits);
  u32 last = (u32)high_half(digits) & 15;
  for (; fresh; fresh &= fresh - 1) {
    i32 at = __builtin_ctz(fresh);
    u32 digit = at == 8 ? last : (u32)(low >> 8 * at) & 15;
    s->labels ^= (u64)(15u ^ s->next++) << 4 * digit;
  }
}

/* Writes a state for each order of the tied NEW digits; returns their number (<= room), -1 if too
 * many. */
static i32 branch(const State *base, Bytes sorted, Bytes row, u32 fresh, u32 tied_stacks, const u32 tied[3],
                  State *to, i32 room) {
  i32 made = 0;
  Bytes cols = both(sorted, all16(15));
  for (i32 o = 0; o < FREE_COUNT[tied_stacks]; o++) {
    const u8 *stack = ORDERS[FREE[tied_stacks][o]];
    const u32 ties[3] = {tied[stack[0]], tied[stack[1]], tied[stack[2]]};
    i32 ways = FREE_COUNT[ties[0]] * FREE_COUNT[ties[1]] * FREE_COUNT[ties[2]];
    for (i32 w = 0; w < ways; w++) {
      u8 place[16];
      u32 moved = 0;
      i32 rest = w;
      memset(place, 15, 16);
      for (i32 j = 0; j < 3; j++) {
        const u8 *inner = ORDERS[FREE[ties[j]][rest % FREE_COUNT[ties[j]]]];
        rest /= FREE_COUNT[ties[j]];
        for (i32 k = 0; k < 3; k++) {
          i32 from = 3 * stack[j] + inner[k];
          place[3 * j + k] = (u8)from;
          moved |= (fresh >> from & 1) << (3 * j + k);
        }
      }
      if (made == room) return -1;
      State *s = &to[made++];
      *s = *base;
      s->cols = look_up(cols, load16(place));
      label_new(s, row, moved);
    }
  }
  return made;
}

/* Ties after a row. Bits of `same01`, `same12` and `fresh` are positions, three a stack:
 *
 *      position   8 7 6   5 4 3   2 1 0
 *      same01     . . x   . . x   . . x     the values of positions 0 and 1 of a stack are equal
 *      same12     . x .   . x .   . x .     … of positions 1 and 2
 *      tie01      . . x   . . x   . . x     a stack's tie of 0 and 1, as in a state
 *      tie12      . . x   . . x   . . x     … of 1 and 2
 *
 * A tie stays if the values are equal and known. If they are equal and NEW it is opened, because
 * two new labels cannot be equal: tied[j] holds the opened ties of stack j, 2 = (0, 1), 1 = (1, 2),
 * and `branch` tries their orders.
 *
 * Adds a row to a state; returns the number of states written (<= room), or -1 if too many. */
static i32 extend(const State *from, Bytes sorted, Bytes row, i32 r, State *to, i32 room) {
  State s = *from;
  s.row[s.depth++] = (u8)r;
  s.used |= 1u << r;
  Bytes values = both(sorted, all16(0xF0));
  u32 fresh = equal_lanes(values, all16(NEW)) & NINE_LANES;
  u32 same01 = equal_lanes(values, look_up(values, load16(SWAP01)));
  u32 same12 = equal_lanes(values, look_up(values, load16(SWAP12)));
  u32 a = from->tie01 & same01, b = from->tie12 & same12 >> 1;
  u32 new_a = a & fresh, new_b = b & fresh >> 1;
  s.tie01 = (u8)(a ^ new_a);
  s.tie12 = (u8)(b ^ new_b);
  u32 tied_stacks = 0;
  if (from->stack01 | from->stack12) {
    u64 low = low_half(values), high = high_half(values);
    u32 word[3] = {(u32)low & 0xFFFFFF, (u32)(low >> 24) & 0xFFFFFF,
                   (u32)(low >> 48) | (u32)(high & 255) << 16};
    u32 first = from->stack01 && word[0] == word[1], second = from->stack12 && word[1] == word[2];
    u32 new_first = first && (fresh & 7), new_second = second && (fresh & 070);
    s.stack01 = (u8)(first && !new_first);
    s.stack12 = (u8)(second && !new_second);
    tied_stacks = new_first << 1 | new_second;
  }
  if (room < 1) return -1;
  if (!(tied_stacks | new_a | new_b)) {
    s.cols = both(sorted, all16(15));
    if (fresh) label_new(&s, row, fresh);
    *to = s;
    return 1;
  }
  u32 tied[3];
  for (i32 j = 0; j < 3; j++) tied[j] = (new_a >> 3 * j & 1) << 1 | (new_b >> 3 * j & 1);
  return branch(&s, sorted, row, fresh, tied_stacks, tied, to, room);
}

/* -- levels ---------------------------------------------------------------------------------- */

typedef struct {
  RowKey best;
  i32 count;
} Level;

/* Evaluates a row of a state and adds the step if it is least so far. 0 = out of room */
static inline i32 try_row(Run *run, Level *level, u32 state, Bytes labels, i32 row, u32 from, u32 to) {
  const State *s = &run->now[state];
  Bytes sorted = evaluate(s, labels, load16(run->board.cell[s->turned][row]));
  RowKey key = row_key(both(sorted, all16(0xF0)));
  if (key_less(key, level->best)) {
    level->best = key;
    level->count = 0;
  } else if (!key_equal(key, level->best)) {
    return 1;
  }
  if (level->count == ALL_STEPS) return 0;
  run->steps[level->count++] = (Step){sorted, state, (u32)row, from, to};
  return 1;
}

static i32 try_free_rows(Run *run, Level *level, u32 state, i32 most_filled) {
  const State *s = &run->now[state];
  Bytes labels = label_bytes(s->labels);
  for (u32 rows = next_rows(&run->board, s); rows; rows &= rows - 1) {
    i32 r = __builtin_ctz(rows);
    if (row_rank[run->board.filled[s->turned][r]] > most_filled) continue;
    if (!try_row(run, level, state, labels, r, 0, 0)) return 0;
  }
  return 1;
}

static i32 try_leaf_rows(Run *run, Level *level, u32 state, i32 depth) {
  const State *s = &run->now[state];
  Bytes labels = label_bytes(s->labels);
  for (u32 a = s->from; a < s->to;) {
    u32 b = a;
    u8 row = run->leaves[a].row[depth];
    while (b < s->to && run->leaves[b].row[depth] == row) b++;
    if (!try_row(run, level, state, labels, row, a, b)) return 0;
    a = b;
  }
  return 1;
}

static i32 least_first_row(const Run *run) {
  i32 least = 511;
  for (i32 t = 0; t < 2; t++)
    for (i32 r = 0; r < 9; r++) least = min32(least, row_rank[run->board.filled[t][r]]);
  return least;
}

/* Writes the labels of a row, NEW ones numbered from `next`: a prefix sum of their number, by one
 * multiplication. */
static inline void write_row(RowKey best, u32 next, u8 *out) {
  const u64 ones = 0x0101010101010101ull;
  u64 values = __builtin_bswap64(best.head) >> 4;
  u64 fresh = values & values >> 1 & values >> 2 & values >> 3 & ones;
  u64 before = fresh * ones, labels = (before + (next - 1) * ones) & fresh * 255;
  u64 row = (values & ~(fresh * 255)) | labels;
  memcpy(out, &row, 8);
  out[8] = best.last == NEW ? (u8)(next + (before >> 56)) : (u8)(best.last >> 4);
}

/* Runs all nine levels from the states in `now`. Returns 0 if the room does not suffice. */
static i32 run_levels(Run *run, i32 by_leaves, u8 *out) {
  for (i32 depth = 0; depth < 9; depth++) {
    Level level = {{~0ull, ~0u}, 0};
    i32 most_filled = depth == 0 ? least_first_row(run) : 511, made = 0;
    for (i32 i = 0; i < run->count; i++)
      if (by_leaves ? !try_leaf_rows(run, &level, (u32)i, depth)
                    : !try_free_rows(run, &level, (u32)i, most_filled))
        return 0;
    write_row(level.best, run->now[0].next, out + 9 * depth);
    for (i32 i = 0; i < level.count; i++) {
      const Step *step = &run->steps[i];
      const State *s = &run->now[step->state];
      Bytes row = load16(run->board.cell[s->turned][step->row]);
      i32 n = extend(s, step->sorted, row, (i32)step->row, run->then + made, ALL_STATES - made);
      if (n < 0) return 0;
      for (i32 j = made; j < made + n; j++) {
        run->then[j].from = step->from;
        run->then[j].to = step->to;
      }
      made += n;
    }
    State *t = run->now;
    run->now = run->then, run->then = t;
    run->count = made;
  }
  return 1;
}

/* -- pattern-first: leaves ------------------------------------------------------------------- */

static i32 leaf_before(const Leaf *a, const Leaf *b) { return memcmp(a, b, 19) < 0; }

static State fresh_state(u8 turned) {
  State s = {.cols = load16(STRAIGHT),
             .labels = 0xFFFFFFFFF0ull,
             .tie01 = EVERY_STACK,
             .tie12 = EVERY_STACK,
             .stack01 = 1,
             .stack12 = 1,
             .next = 1,
             .turned = turned};
  return s;
}

static State leaf_state(const Leaf *leaf, const Ties *ties) {
  State s = fresh_state(leaf->turned);
  u8 cols[16];
  memset(cols, 15, 16);
  memcpy(cols, leaf->cols, 9);
  s.cols = load16(cols);
  s.stack01 = ties->stack01, s.stack12 = ties->stack12;
  s.tie01 = s.tie12 = 0;
  for (i32 j = 0; j < 3; j++) {
    s.tie01 |= (u8)((ties->columns[j] >> 1) << 3 * j);
    s.tie12 |= (u8)((ties->columns[j] & 1) << 3 * j);
  }
  return s;
}

/* The first states: one for each column order, with its leaves. */
static void start_from_leaves(Run *run, i32 count, const Ties *ties) {
  SORT(run->leaves, count, leaf_before);
  run->count = 0;
  for (i32 i = 0, j; i < count; i = j) {
    const Leaf *leaf = &run->leaves[i];
    for (j = i + 1; j < count && !memcmp(leaf, &run->leaves[j], 10);) j++;
    State *s = &run->now[run->count++];
    *s = leaf_state(leaf, ties);
    s->from = (u32)i, s->to = (u32)j;
  }
}

static i32 has_no_ties(const State *s) { return !(s->tie01 | s->tie12 | s->stack01 | s->stack12); }

/* Replaces the digits of the cells in `filled` by labels; new ones in order of appearance. */
static void label_in_order(State *s, u8 *cells, u64 filled) {
  for (; filled; filled &= filled - 1) {
    u8 *cell = cells + __builtin_ctzll(filled);
    i32 at = 4 * *cell;
    u32 label = s->labels >> at & 15, fresh = label == 15;
    label = fresh ? s->next : label;
    s->labels ^= (u64)(fresh ? 15 ^ label : 0) << at;
    s->next += (u8)fresh;
    *cell = (u8)label;
  }
}

/* Writes the form of the only order of rows and columns. */
static void write_leaf(Run *run, const Leaf *leaf, u8 *out) {
  State *s = &run->now[0];
  u8 cells[CELLS + 7];
  u64 filled = 0, last = 0;
  memcpy(s->row, leaf->row, 9);
  for (i32 depth = 0; depth < 9; depth++) {
    Bytes digits = look_up(load16(run->board.cell[s->turned][leaf->row[depth]]), s->cols);
    u64 here = NINE_LANES & ~equal_lanes(digits, all16(0));
    store16(cells + 9 * depth, digits);
    if (depth < 7) filled |= here << 9 * depth;
    else last |= here << 9 * (depth - 7);
  }
  label_in_order(s, cells, filled);
  label_in_order(s, cells + 63, last);
  memcpy(out, cells, CELLS);
}

/* -- one board ------------------------------------------------------------------------------- */

/* 0 if the board is not legal */
static i32 read_board(const u8 *cells, Board *board) {
  BoardLines lines;
  board_lines(cells, &lines);
  for (i32 t = 0; t < 2; t++) {
    board->empty[t] = 0;
    for (i32 r = 0; r < 9; r++) {
      Bytes line = lines.line[t][r];
      u32 filled = NINE_LANES & ~equal_lanes(line, all16(0));
      store16(board->cell[t][r], line);
      board->filled[t][r] = filled;
      board->empty[t] |= (u32)(filled == 0) << r;
    }
  }
  return lines_are_legal(&lines);
}

/* The number of transforms of each last state: orders of what is still tied or empty. */
static i32 multiplicity(const State *s, u32 empty) {
  i32 ways = FACTORIAL[1 + (s->stack01 != 0) + (s->stack12 != 0)], empty_bands = 0;
  for (i32 j = 0; j < 3; j++) ways *= FACTORIAL[1 + (s->tie01 >> 3 * j & 1) + (s->tie12 >> 3 * j & 1)];
  for (i32 h = 0; h < 3; h++) {
    u32 here = empty >> (3 * h) & 7;
    ways *= FACTORIAL[__builtin_popcount(here)];
    empty_bands += here == 7;
  }
  return ways * FACTORIAL[empty_bands];
}

static void write_map(const State *s, u8 *map) {
  u8 cols[16];
  i32 next = s->next;
  store16(cols, s->cols);
  map[0] = s->turned;
  memcpy(map + 1, s->row, 9);
  memcpy(map + 10, cols, 9);
  map[19] = 0;
  for (i32 d = 1; d < 10; d++) {
    u32 label = s->labels >> 4 * d & 15;
    map[19 + d] = (u8)(label == 15 ? next++ : (i32)label);
  }
}

static i32 run_straight(Run *run, u8 *out) {
  for (u8 t = 0; t < 2; t++) run->now[t] = fresh_state(t);
  run->count = 2;
  return run_levels(run, 0, out);
}

/* `filled` is a copy: if another file saw the address of the run, the compiler would load its
 * fields again after each store, and straight forms took 10 % longer. */
static i32 run_pattern_first(Run *run, u8 *out) {
  Ties ties;
  u32 filled[2][9];
  memcpy(filled, run->board.filled, sizeof filled);
  i32 count = least_pattern(filled, (Choice *)run->now, (Next *)run->then, run->leaves, &ties);
  run->now[0] = leaf_state(&run->leaves[0], &ties);
  run->count = 1;
  if (count == 1 && has_no_ties(&run->now[0])) {
    write_leaf(run, &run->leaves[0], out);
    return 1;
  }
  start_from_leaves(run, count, &ties);
  return run_levels(run, 1, out);
}

static i32 is_complete(const Board *board) {
  u32 filled = NINE_LANES;
  for (i32 r = 0; r < 9; r++) filled &= board->filled[0][r];
  return filled == NINE_LANES;
}

static i32 minlex_form(Run *run, const u8 *cells, i32 pattern_first, u8 *out, u8 *map) {
  if (!read_board(cells, &run->board)) return BAD;
  if (is_complete(&run->board)) return sudoku_minlex_maps(cells, out, map, map != 0);
  if (!(pattern_first ? run_pattern_first(run, out) : run_straight(run, out))) return TOO_LARGE;
  const State *s = &run->now[0];
  if (map) write_map(s, map);
  return run->count * multiplicity(s, run->board.empty[s->turned]);
}

EXPORT(i32, sudoku_puzzle)(const u8 *boards, i32 count, i32 convention, u8 *out, u8 *maps, i32 *counts,
                           u8 *work, i32 room) {
  static Run run;
  _Static_assert(
      (2 * sizeof(State)) * ALL_STATES + sizeof(Step) * ALL_STEPS + sizeof(Leaf) * ALL_CHOICES <= PUZZLE_WORK,
      "PUZZLE_WORK is too small");
  _Static_assert(2 * ALL_CHOICES * sizeof(Choice) <= sizeof(State) * ALL_STATES &&
                     2 * ALL_CHOICES * sizeof(Next) <= sizeof(State) * ALL_STATES,
                 "a run's memory is too small for patterns");
  if (count < 0 || convention < 0 || convention > 1) return BAD;
  if (room < PUZZLE_WORK) return TOO_LARGE;
  prepare();
  run.now = (State *)work;
  run.then = run.now + ALL_STATES;
  run.steps = (Step *)(run.then + ALL_STATES);
  run.leaves = (Leaf *)(run.steps + ALL_STEPS);
  for (i32 i = 0; i < count; i++)
    counts[i] = minlex_form(&run, boards + CELLS * i, convention, out + CELLS * i, maps ? maps + MAP * i : 0);
  return count;
}
