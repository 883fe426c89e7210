/* Rank and unrank minlex grids of one first band, ordered by their fourth rows: backtracking row by
 * row, with pruning by the numbers of all bands.
 *
 * In a minlex grid the first band b has the least number of the six bands and stacks. For fixed b
 * two masks of 36 bits for each pair of band_table.h hold which bands have a number >= b
 * (`at_least`) and which have b itself (`equal`).
 *
 *  - Rows 4: those that no automorphism of band b makes smaller.
 *  - Rows 5 < 6 (by first column) complete the second band, whose number is one bit of the masks.
 *    Its minirows in a stack leave 36 arrangements of the stack's third block with 36 indices in a
 *    row: one mask holds which of them keep the stack's number >= b. Cached per row 4 and minirow
 *    of row 5 (`Fifth`); most blocks have none.
 *  - Rows 7 < 8 < 9: a row has one of 27 options in each stack. Rows 8 are bits: those compatible
 *    with an option of row 7 are one word a stack, and the AND of three words gives all rows 8 for
 *    a row 7 (one in fifteen). The third band's number is one more bit of the masks.
 *  - An automorphism of band b takes one of rows 4..9 to a row that begins with 2. If that is
 *    smaller than row 4 the grid is not minlex. If it is equal, or another band or stack has the
 *    number b, the grid is `tied`: only these (about 1 %) are checked by sudoku_minlex.
 *
 * Proofs and figures are in tests/oracle/test_sudoku_numbers.py.
 *
 * Rejected: minlex for every completion (40 * 10^9 of them, six hours; this takes 12 minutes for
 * all grids); a count for each of the 652 408 fourth rows (1.3 MB; windows of rows make 95 kB);
 * rows 7 and 8 pair by pair (1.4 million tests a number, a third of the time).
 */
#include "band_table.h"
#include "sudoku/board.h"

enum {
  MINIROWS = 336,
  MOST_SYMMETRIES = 108,
  FOURTHS = 2048,
  MOST_COMPLETIONS = 512,
  NO_OPTION = 255,
  MOST_ROWS = 2 * 243
};

/* Three ordered digits of a row that the first band allows in a stack. */
typedef struct {
  u8 digit[3];
  u16 set, index; /* the digits as bits; its index in the stack's ascending list */
} Minirow;

typedef struct {
  u64 at_least, equal; /* of the 36 arrangements of a third block: number >= b, number == b */
} Masks;

/* The third block of a stack under the two above it. Option 9i+3j+k of a row holds the i-th, j-th
 * and k-th of the digits that are free in the three columns. */
typedef struct {
  Masks masks;
  u32 options, with[9];  /* options that occur in an arrangement >= b; those with a digit */
  u32 compatible[27];    /* the other options of an option's arrangements >= b */
  u32 digits[27];        /* an option's three digits, one a byte */
  u16 set[27];
  u8 option[512]; /* the option with this set of digits */
} Block;

typedef struct {
  u8 digit[3], order; /* the minirow of row 6, and its order under row 4 */
  Block block;
} Sixth;

/* The minirows of row 6 that may follow one of row 5. */
typedef struct {
  i32 count;
  Sixth sixth[6];
} Fifth;

/* An automorphism of the first band: column c comes from column[c], digits are renamed by label. */
typedef struct { u8 column[9], label[9], two; /* the digit that becomes 1 (a row's "2") */ } Symmetry;

/* A row of the third band; `tied` if a symmetry takes it to row 4. */
typedef struct { u8 option[3], tied, digit[12]; } Row;

typedef struct { u8 cell[27]; /* rows 7, 8 and 9 */ } Completion;

typedef enum { COUNT, LIST, PLACE } Purpose;

typedef struct {
  Tag seal;
  const Bands *bands;
  i32 band, row_count, symmetry_count;
  u8 first[3][9];
  i32 list_count[3];
  Minirow list[3][MINIROWS], by_set[3][MINIROWS];
  u16 set_begin[3][513];
  Symmetry symmetry[MOST_SYMMETRIES];
  u8 rows[FOURTHS][9]; /* fourth rows, ascending */
  Masks masks[PAIRS];
  /* of one fourth row */
  u8 fourth[9], column[9], fourth_tied;
  u8 cached[3][MINIROWS];
  Fifth fifth[3][MINIROWS];
  u8 grid[CELLS + 3];
  /* of one call */
  Purpose purpose;
  u32 seen, from, second_bands; /* grids so far; the first one to list */
  i32 stopped, completions, written, most;
  const u8 *target;
  u8 *out;
  Completion completion[MOST_COMPLETIONS];
  u32 histogram[MOST_GROUP + 1];
} Rank;

_Static_assert(sizeof(Rank) <= RANK_WORK, "the header promises that this is enough");

static u8 arrangement_of[27][27]; /* two rows' options -> arrangement, 63 if they clash */
static u32 options_of[36];          /* an arrangement's three options */
static i32 ready;

/* An arrangement is 6x + y: x is the order of the rows with the first column's digits, by
 * the second column's digits in the order of the first column's, y by the third column's. */
static void prepare(void) {
  if (ready) return;
  ready = 1;
  for (i32 n = 0; n < 36; n++)
    for (i32 r = 0; r < 3; r++) options_of[n] |= 1u << (9 * r + 3 * ORDERS[n / 6][r] + ORDERS[n % 6][r]);
  for (i32 x = 0; x < 27; x++)
    for (i32 y = 0; y < 27; y++) {
      const u8 one[3] = {(u8)(x / 9), (u8)(x / 3 % 3), (u8)(x % 3)};
      const u8 two[3] = {(u8)(y / 9), (u8)(y / 3 % 3), (u8)(y % 3)};
      u8 second[3], third[3], clash = 0;
      for (i32 j = 0; j < 3; j++) clash |= one[j] == two[j];
      arrangement_of[x][y] = 63;
      if (clash) continue;
      const u8 rest[3] = {(u8)(3 - one[0] - two[0]), (u8)(3 - one[1] - two[1]), (u8)(3 - one[2] - two[2])};
      second[one[0]] = one[1];
      third[one[0]] = one[2];
      second[two[0]] = two[1];
      third[two[0]] = two[2];
      second[rest[0]] = rest[1];
      third[rest[0]] = rest[2];
      arrangement_of[x][y] =
          (u8)(6 * order_of(second[0], second[1], second[2]) + order_of(third[0], third[1], third[2]));
    }
}

/* -- the first band ---------------------------------------------------------------------------- */

static void list_minirows(Rank *rank, i32 stack) {
  Minirow *list = rank->list[stack];
  i32 n = 0;
  for (i32 code = 0; code < CODES; code++) {
    u8 digit[3];
    i32 fits = digits_of_code(code, digit);
    for (i32 j = 0; j < 3 && fits; j++)
      for (i32 r = 0; r < 3; r++) fits &= rank->first[r][3 * stack + j] != digit[j];
    if (!fits) continue;
    memcpy(list[n].digit, digit, 3);
    list[n].set = (u16)(1u << digit[0] | 1u << digit[1] | 1u << digit[2]);
    list[n].index = (u16)n;
    n++;
  }
  rank->list_count[stack] = n;
  i32 at = 0;
  for (i32 set = 0; set < 512; set++) {
    rank->set_begin[stack][set] = (u16)at;
    if (popcount64((u64)set) != 3) continue;
    for (i32 i = 0; i < n; i++)
      if (list[i].set == set) rank->by_set[stack][at++] = list[i];
  }
  rank->set_begin[stack][512] = (u16)at;
}

/* The automorphisms of the first band but the identity. */
static void list_symmetries(Rank *rank) {
  rank->symmetry_count = 0;
  for (i32 n = 0; n < LINE_ORDERS; n++)
    for (i32 z = 0; z < 6; z++) {
      Symmetry one;
      line_order(n, one.column);
      i32 same = 1, identity = z == 0;
      for (i32 c = 0; c < 9; c++) {
        one.label[rank->first[ORDERS[z][0]][one.column[c]]] = (u8)c;
        identity &= one.column[c] == c;
      }
      for (i32 r = 1; r < 3 && same; r++)
        for (i32 c = 0; c < 9; c++)
          same &= one.label[rank->first[ORDERS[z][r]][one.column[c]]] == rank->first[r][c];
      if (!same || identity || rank->symmetry_count == MOST_SYMMETRIES) continue;
      for (u8 d = 0; d < 9; d++)
        if (one.label[d] == 1) one.two = d;
      rank->symmetry[rank->symmetry_count++] = one;
    }
}

enum { LARGER = 0, SMALLER = 1, TIED = 2 };

/* The least image of a row under the symmetries, compared with row 4. */
static inline u8 compare_row(const Rank *rank, const u8 *row, const u8 *fourth) {
  u8 result = LARGER;
  for (i32 i = 0; i < rank->symmetry_count; i++) {
    const Symmetry *one = &rank->symmetry[i];
    if (row[one->column[0]] != one->two) continue;
    i32 j = 1;
    while (j < 9 && one->label[row[one->column[j]]] == fourth[j]) j++;
    if (j == 9) result = TIED;
    else if (one->label[row[one->column[j]]] < fourth[j]) return SMALLER;
  }
  return result;
}

static inline void join_minirows(u8 *row, const u8 *a, const u8 *b, const u8 *c) {
  memcpy(row, a, 3);
  memcpy(row + 3, b, 3);
  memcpy(row + 6, c, 3);
}

static i32 list_fourths(Rank *rank) {
  i32 n = 0;
  for (i32 i = 0; i < rank->list_count[0]; i++) {
    const Minirow *a = &rank->list[0][i];
    if (a->digit[0] != 1) continue;
    for (i32 j = 0; j < rank->list_count[1]; j++) {
      const Minirow *b = &rank->list[1][j];
      if (a->set & b->set) continue;
      i32 rest = 0x1FF ^ a->set ^ b->set;
      for (i32 k = rank->set_begin[2][rest]; k < rank->set_begin[2][rest + 1]; k++) {
        u8 *row = rank->rows[n];
        join_minirows(row, a->digit, b->digit, rank->by_set[2][k].digit);
        if (compare_row(rank, row, row) != SMALLER && ++n == FOURTHS) return TOO_LARGE;
      }
    }
  }
  return n;
}

/* Sixteen numbers at a time; the last eight of the 36 overlap those before. */
static inline Masks masks_of(const u16 *number, i32 band) {
  const Bytes here = all_words(band), below = all_words(band - 1);
  Bytes a = load16(number), b = load16(number + 8), c = load16(number + 16);
  Bytes d = load16(number + 24), e = load16(number + THIRDS - 8);
  u64 at_least = greater_words(a, b, below) | (u64)greater_words(c, d, below) << 16;
  u64 equal = equal_words(a, b, here) | (u64)equal_words(c, d, here) << 16;
  return (Masks){at_least | (u64)(greater_words(e, e, below) & 255) << (THIRDS - 8),
                 equal | (u64)(equal_words(e, e, here) & 255) << (THIRDS - 8)};
}

EXPORT(i32, sudoku_rank_begin)(const u8 *bands, i32 band, u8 *work, i32 room) {
  if (room < (i32)sizeof(Rank)) return TOO_LARGE;
  Rank *rank = (Rank *)work;
  rank->bands = (const Bands *)bands;
  if (((uintptr_t)work & 15) || !seal_holds(bands, SEALED_BANDS)) return BAD;
  if (band < 1 || band > BANDS || !rank->bands->finished) return BAD;
  prepare();
  rank->band = band;
  memcpy(rank->first, rank->bands->rows[band], BAND_CELLS);
  memset(rank->histogram, 0, sizeof rank->histogram);
  for (i32 pair = 0; pair < PAIRS; pair++)
    rank->masks[pair] = masks_of(&rank->bands->number[THIRDS * pair], band);
  for (i32 s = 0; s < 3; s++) list_minirows(rank, s);
  list_symmetries(rank);
  rank->row_count = list_fourths(rank);
  if (rank->row_count < 0) return TOO_LARGE;
  seal_set(&rank->seal, SEALED_RANK, rank->row_count, 0);
  return rank->row_count;
}

/* -- blocks ------------------------------------------------------------------------------------ */

static inline void sort_by(u8 *digit, const u8 *key) {
  for (i32 step = 0; step < 3; step++) {
    i32 i = step & 1;
    if (key[digit[i]] <= key[digit[i + 1]]) continue;
    u8 moved = digit[i];
    digit[i] = digit[i + 1];
    digit[i + 1] = moved;
  }
}

/* The third block under three minirows of the second band; no arrangement if there is none >= b. */
static void make_block(const Rank *rank, i32 stack, const u8 *fourth, const u8 *fifth, const u8 *sixth,
                       Block *block) {
  u8 column[3][6], rest[3][3], place[9];
  for (i32 j = 0; j < 3; j++) {
    for (i32 r = 0; r < 3; r++) column[j][r] = rank->first[r][3 * stack + j];
    column[j][3] = fourth[j];
    column[j][4] = fifth[j];
    column[j][5] = sixth[j];
    u32 free = 0x1FF;
    for (i32 r = 0; r < 6; r++) free &= ~(1u << column[j][r]);
    for (i32 r = 0; r < 3; r++, free &= free - 1) rest[j][r] = (u8)lowest64(free);
  }
  for (u8 r = 0; r < 6; r++) place[column[0][r]] = r;
  for (u8 r = 0; r < 3; r++) place[rest[0][r]] = (u8)(6 + r);
  block->masks = rank->masks[pair_of(rank->bands, place, column[1], column[2])];
  if (!block->masks.at_least) return;
  sort_by(rest[1], place);
  sort_by(rest[2], place);
  u32 seen = 0;
  memset(block->compatible, 0, sizeof block->compatible);
  for (u64 left = block->masks.at_least; left; left &= left - 1) {
    u32 three = options_of[lowest64(left)];
    seen |= three;
    for (u32 one = three; one; one &= one - 1) block->compatible[lowest64(one)] |= three & ~(one & -one);
  }
  memset(block->with, 0, sizeof block->with);
  memset(block->option, NO_OPTION, sizeof block->option);
  block->options = 0;
  for (; seen; seen &= seen - 1) {
    i32 n = lowest64(seen);
    u8 a = rest[0][n / 9], b = rest[1][n / 3 % 3], c = rest[2][n % 3];
    if (a == b || a == c || b == c) continue;
    u32 bit = 1u << n;
    block->options |= bit;
    block->with[a] |= bit;
    block->with[b] |= bit;
    block->with[c] |= bit;
    block->digits[n] = (u32)a | (u32)b << 8 | (u32)c << 16;
    block->set[n] = (u16)(1u << a | 1u << b | 1u << c);
    block->option[block->set[n]] = (u8)n;
  }
  if (!block->options) block->masks.at_least = 0;
}

/* The blocks of a stack with this minirow in row 5, cached. */
static Fifth *fifth_of(Rank *rank, i32 stack, const Minirow *fourth, i32 index) {
  Fifth *made = &rank->fifth[stack][index];
  if (rank->cached[stack][index]) return made;
  rank->cached[stack][index] = 1;
  made->count = 0;
  const Minirow *fifth = &rank->list[stack][index];
  i32 rest = 0x1FF ^ fourth->set ^ fifth->set;
  for (i32 i = rank->set_begin[stack][rest]; i < rank->set_begin[stack][rest + 1]; i++) {
    const Minirow *sixth = &rank->by_set[stack][i];
    if (stack == 0 && sixth->digit[0] < fifth->digit[0]) continue;
    Sixth *one = &made->sixth[made->count];
    make_block(rank, stack, fourth->digit, fifth->digit, sixth->digit, &one->block);
    if (!one->block.masks.at_least) continue;
    memcpy(one->digit, sixth->digit, 3);
    one->order = rank->bands->order[code_of(rank->column, sixth->digit)];
    made->count++;
  }
  return made;
}

/* -- the third band ---------------------------------------------------------------------------- */

static inline void put3(u8 *to, u32 digits) { memcpy(to, &digits, 4); } /* one byte too many */

/* Rows that begin with the least free digit of column 1 (rows 7), then those with the second (rows
 * 8), by their options (8 bits a stack). One in four tries is a row, which branches would
 * mispredict: all are written and the wrong ones overwritten. */
static inline void list_options(const Block *const *block, u32 *found, i32 *count) {
  i32 n = 0;
  count[0] = 0;
  for (u32 left = block[0]->options & 0x3FFFF; left; left &= left - 1) {
    u32 first = (u32)lowest64(left), digits = block[0]->digits[first];
    i32 others = 0x1FF ^ block[0]->set[first];
    const u32 *with = block[1]->with;
    u32 clashing = with[digits & 15] | with[digits >> 8 & 15] | with[digits >> 16 & 15];
    u32 next = block[1]->options & ~clashing;
    for (; next; next &= next - 1) {
      u32 second = (u32)lowest64(next), last = block[2]->option[others ^ block[1]->set[second]];
      found[n] = first | second << 8 | last << 16;
      n += last != NO_OPTION;
    }
    if (first < 9) count[0] = n;
  }
  count[1] = n - count[0];
}

/* The same with digits, without those that a symmetry makes smaller than row 4; 0 if there is no
 * row 7 or no row 8. */
static i32 list_rows(const Rank *rank, const Block *const *block, Row *rows, i32 *count) {
  u32 found[MOST_ROWS + 1];
  list_options(block, found, count);
  i32 n = 0, rest[2] = {0, 0};
  for (i32 which = 0, i = 0, end = 0; which < 2; which++)
    for (end += count[which]; i < end; i++) {
      Row *row = &rows[n];
      for (i32 s = 0; s < 3; s++) {
        row->option[s] = (u8)(found[i] >> 8 * s);
        put3(row->digit + 3 * s, block[s]->digits[row->option[s]]);
      }
      row->tied = compare_row(rank, row->digit, rank->fourth);
      n += row->tied != SMALLER;
      rest[which] += row->tied != SMALLER;
    }
  count[0] = rest[0];
  count[1] = rest[1];
  return count[0] && count[1];
}

/* Whether a tied grid is minlex; if so its group is counted. */
static i32 is_minlex(Rank *rank, const Row *seventh, const Row *eighth, const u8 *ninth) {
  u8 grid[CELLS], form[CELLS];
  i32 symmetries;
  memcpy(rank->grid + 54, seventh->digit, 9);
  memcpy(rank->grid + 63, eighth->digit, 9);
  memcpy(rank->grid + 72, ninth, 9);
  for (i32 i = 0; i < CELLS; i++) grid[i] = (u8)(rank->grid[i] + 1);
  sudoku_minlex(grid, 1, form, &symmetries);
  if (symmetries < 1 || memcmp(grid, form, CELLS)) return 0;
  rank->histogram[symmetries]++;
  return 1;
}

/* Whether rows 7 and 8, and the ninth that follows, complete a minlex grid. Their arrangements are
 * >= b. column: where row 7 has its digits. */
static inline i32 is_grid(Rank *rank, const Block *const *block, const Row *one, const Row *two,
                          const u8 *column, u8 tied, u8 *ninth) {
  u64 equal = 0;
  for (i32 s = 0; s < 3; s++) {
    put3(ninth + 3 * s, block[s]->digits[39 - one->option[s] - two->option[s]]);
    equal |= block[s]->masks.equal >> arrangement_of[one->option[s]][two->option[s]];
  }
  const Masks *masks = &rank->masks[pair_of(rank->bands, column, two->digit, ninth)];
  u32 bit = third_of(rank->bands, column, two->digit, ninth);
  if (!(masks->at_least >> bit & 1)) return 0;
  u8 test = compare_row(rank, ninth, rank->fourth);
  if (test == SMALLER) return 0;
  equal |= masks->equal >> bit;
  return !(tied | one->tied | two->tied | test | (u8)(equal & 1)) || is_minlex(rank, one, two, ninth);
}

/* Up to 64 rows 8 as bits: those with an option in a stack, and those compatible with an option of
 * row 7, cached. */
typedef struct {
  u64 with[3][27], compatible[3][27];
  u32 present[3], cached[3];
} Eighths;

static inline void begin_eighths(Eighths *eighths, const Row *rows, i32 count) {
  memset(eighths->with, 0, sizeof eighths->with);
  for (i32 s = 0; s < 3; s++) eighths->present[s] = eighths->cached[s] = 0;
  for (i32 j = 0; j < count; j++)
    for (i32 s = 0; s < 3; s++) {
      eighths->with[s][rows[j].option[s]] |= 1ull << j;
      eighths->present[s] |= 1u << rows[j].option[s];
    }
}

static inline u64 compatible_rows(Eighths *eighths, const Block *block, i32 stack, u8 option) {
  if (eighths->cached[stack] >> option & 1) return eighths->compatible[stack][option];
  u64 rows = 0;
  for (u32 left = block->compatible[option] & eighths->present[stack]; left; left &= left - 1)
    rows |= eighths->with[stack][lowest64(left)];
  eighths->cached[stack] |= 1u << option;
  return eighths->compatible[stack][option] = rows;
}

/* The number of completions of the third band; `store`: they are stored too. */
static u32 count_completions(Rank *rank, const Block *const *block, u8 tied, i32 store) {
  Row rows[MOST_ROWS];
  i32 count[2];
  u32 total = 0;
  if (!list_rows(rank, block, rows, count)) return 0;
  for (i32 from = 0; from < count[1]; from += 64) {
    Eighths eighths;
    begin_eighths(&eighths, rows + count[0] + from, min32(64, count[1] - from));
    for (i32 i = 0; i < count[0]; i++) {
      const Row *one = &rows[i];
      u64 fit = compatible_rows(&eighths, block[0], 0, one->option[0]);
      for (i32 s = 1; s < 3; s++) fit &= compatible_rows(&eighths, block[s], s, one->option[s]);
      if (!fit) continue;
      u8 column[9], ninth[12];
      for (u8 c = 0; c < 9; c++) column[one->digit[c]] = c;
      for (; fit; fit &= fit - 1) {
        const Row *two = &rows[count[0] + from + lowest64(fit)];
        if (!is_grid(rank, block, one, two, column, tied, ninth)) continue;
        total++;
        if (!store || rank->completions == MOST_COMPLETIONS) continue;
        u8 *cell = rank->completion[rank->completions++].cell;
        memcpy(cell, one->digit, 9);
        memcpy(cell + 9, two->digit, 9);
        memcpy(cell + 18, ninth, 9);
      }
    }
  }
  return total;
}

/* -- the second band --------------------------------------------------------------------------- */

/* The index of a minirow in its stack's list, -1 if the first band does not allow it. */
static i32 index_of(const Rank *rank, i32 stack, const u8 *digit) {
  for (i32 i = 0; i < rank->list_count[stack]; i++)
    if (!memcmp(rank->list[stack][i].digit, digit, 3)) return i;
  return -1;
}

static i32 completion_before(const Completion *a, const Completion *b) {
  return memcmp(a->cell, b->cell, sizeof a->cell) < 0;
}

/* Lists the completions of the second band that is in the grid, ascending. */
static void list_completions(Rank *rank) {
  const Block *block[3];
  for (i32 s = 0; s < 3; s++) {
    Fifth *fifth = &rank->fifth[s][index_of(rank, s, rank->grid + 36 + 3 * s)];
    i32 i = 0;
    while (memcmp(fifth->sixth[i].digit, rank->grid + 45 + 3 * s, 3)) i++;
    block[s] = &fifth->sixth[i].block;
  }
  u8 tied = rank->fourth_tied | compare_row(rank, rank->grid + 36, rank->fourth) |
            compare_row(rank, rank->grid + 45, rank->fourth);
  i32 number = band_number(rank->bands, rank->grid + 27, rank->grid + 36, rank->grid + 45);
  rank->completions = 0;
  count_completions(rank, block, tied | (number == rank->band), 1);
  SORT(rank->completion, rank->completions, completion_before);
}

/* After a second band with `count` grids: 1 if the purpose is reached. */
static i32 is_done(Rank *rank, u32 count) {
  if (rank->purpose == LIST && rank->seen + count > rank->from) {
    list_completions(rank);
    u32 from = rank->from > rank->seen ? rank->from - rank->seen : 0;
    for (u32 i = from; i < count && rank->written < rank->most; i++) {
      u8 *grid = rank->out + CELLS * rank->written++;
      for (i32 c = 0; c < 54; c++) grid[c] = (u8)(rank->grid[c] + 1);
      for (i32 c = 0; c < 27; c++) grid[54 + c] = (u8)(rank->completion[i].cell[c] + 1);
    }
    if (rank->written == rank->most) return rank->stopped = 1;
  }
  if (rank->purpose == PLACE && memcmp(rank->grid + 36, rank->target + 36, 18) >= 0) return rank->stopped = 1;
  rank->seen += count;
  return 0;
}

/* Tries all rows 6 under the row 5 that is in the grid; 1 to stop. */
static i32 try_sixths(Rank *rank, Fifth *const *fifth, u32 pair, u32 order, u8 tied) {
  u8 *row = rank->grid + 45;
  for (i32 i = 0; i < fifth[0]->count; i++)
    for (i32 j = 0; j < fifth[1]->count; j++) {
      const Sixth *a = &fifth[0]->sixth[i], *b = &fifth[1]->sixth[j];
      Masks masks = rank->masks[pair + 6u * a->order + b->order];
      u64 at_least = masks.at_least >> order & 63, equal = masks.equal >> order;
      if (!at_least) continue;
      for (i32 k = 0; k < fifth[2]->count; k++) {
        const Sixth *c = &fifth[2]->sixth[k];
        if (!(at_least >> c->order & 1)) continue;
        join_minirows(row, a->digit, b->digit, c->digit);
        u8 test = compare_row(rank, row, rank->fourth);
        if (test == SMALLER) continue;
        const Block *const block[3] = {&a->block, &b->block, &c->block};
        rank->second_bands++;
        u32 n = count_completions(rank, block, tied | test | (u8)(equal >> c->order & 1), 0);
        if (n && is_done(rank, n)) return 1;
      }
    }
  return 0;
}

/* Tries all rows 5 whose first minirow is `a`; 1 to stop. */
static i32 try_fifths(Rank *rank, const Minirow *fourth, const Minirow *a, Fifth *first) {
  u8 *row = rank->grid + 36;
  u32 share = rank->bands->first[code_of(rank->column, a->digit)];
  for (i32 j = 0; j < rank->list_count[1]; j++) {
    const Minirow *b = &rank->list[1][j];
    i32 rest = 0x1FF ^ a->set ^ b->set;
    if (b->set & (fourth[1].set | a->set) || rest & fourth[2].set) continue;
    i32 from = rank->set_begin[2][rest], upto = rank->set_begin[2][rest + 1];
    if (from == upto) continue;
    Fifth *second = fifth_of(rank, 1, &fourth[1], j);
    if (!second->count) continue;
    u32 pair = share + rank->bands->second[code_of(rank->column, b->digit)];
    for (i32 k = from; k < upto; k++) {
      const Minirow *c = &rank->by_set[2][k];
      Fifth *const fifth[3] = {first, second, fifth_of(rank, 2, &fourth[2], c->index)};
      if (!fifth[2]->count) continue;
      join_minirows(row, a->digit, b->digit, c->digit);
      u8 test = compare_row(rank, row, rank->fourth);
      if (test == SMALLER) continue;
      u32 order = 6u * rank->bands->order[code_of(rank->column, c->digit)];
      if (try_sixths(rank, fifth, pair, order, rank->fourth_tied | test)) return 1;
    }
  }
  return 0;
}

/* Enumerates the grids with a fourth row, ascending by their second bands, until stopped. */
static i32 enumerate(Rank *rank, const u8 *row, Purpose purpose) {
  Minirow fourth[3];
  for (i32 s = 0; s < 3; s++) {
    i32 at = index_of(rank, s, row + 3 * s);
    if (at < 0) return BAD;
    fourth[s] = rank->list[s][at];
  }
  rank->purpose = purpose;
  rank->seen = 0;
  rank->stopped = 0;
  memcpy(rank->fourth, row, 9);
  for (u8 c = 0; c < 9; c++) rank->column[row[c]] = c;
  rank->fourth_tied = compare_row(rank, row, row);
  if (rank->fourth_tied == SMALLER) return OK;
  memset(rank->cached, 0, sizeof rank->cached);
  memcpy(rank->grid, rank->first, BAND_CELLS);
  memcpy(rank->grid + 27, row, 9);
  for (i32 i = 0; i < rank->list_count[0]; i++) {
    const Minirow *a = &rank->list[0][i];
    if (a->set & fourth[0].set) continue;
    Fifth *first = fifth_of(rank, 0, &fourth[0], i);
    if (first->count && try_fifths(rank, fourth, a, first)) break;
  }
  return OK;
}

static i32 is_sound(const Rank *rank) {
  return seal_holds(rank, SEALED_RANK) && seal_holds(rank->bands, SEALED_BANDS);
}

/* -- exports ----------------------------------------------------------------------------------- */

EXPORT(i32, sudoku_rank_count)(u8 *work, i32 from, i32 count, u32 *counts) {
  Rank *rank = (Rank *)work;
  if (!is_sound(rank) || from < 0 || count < 0 || from > rank->row_count - count) return BAD;
  for (i32 i = 0; i < count; i++) {
    rank->second_bands = 0;
    enumerate(rank, rank->rows[from + i], COUNT);
    counts[2 * i] = rank->seen;
    counts[2 * i + 1] = rank->second_bands;
  }
  return count;
}

EXPORT(i32, sudoku_rank_grids)(u8 *work, i32 row, u32 place, i32 most, u8 *grids, u32 *seen) {
  Rank *rank = (Rank *)work;
  if (!is_sound(rank) || row < 0 || row >= rank->row_count || most < 1) return BAD;
  rank->from = place;
  rank->out = grids;
  rank->most = most;
  rank->written = 0;
  enumerate(rank, rank->rows[row], LIST);
  *seen = rank->seen;
  return rank->written;
}

EXPORT(i32, sudoku_rank_place)(u8 *work, const u8 *grid, u32 *place) {
  Rank *rank = (Rank *)work;
  u8 target[CELLS];
  if (!is_sound(rank)) return BAD;
  for (i32 i = 0; i < CELLS; i++) {
    if (grid[i] < 1 || grid[i] > 9) return BAD;
    target[i] = (u8)(grid[i] - 1);
  }
  if (memcmp(target, rank->first, BAND_CELLS)) return BAD;
  i32 low = 0, high = rank->row_count - 1;
  while (low < high) {
    i32 middle = (low + high) / 2;
    if (memcmp(rank->rows[middle], target + 27, 9) < 0) low = middle + 1;
    else high = middle;
  }
  if (memcmp(rank->rows[low], target + 27, 9)) return BAD;
  rank->target = target;
  enumerate(rank, rank->rows[low], PLACE);
  if (!rank->stopped || memcmp(rank->grid, target, 54)) return BAD;
  list_completions(rank);
  for (i32 i = 0; i < rank->completions; i++)
    if (!memcmp(rank->completion[i].cell, target + 54, 27)) {
      *place = rank->seen + (u32)i;
      return low;
    }
  return BAD;
}

EXPORT(i32, sudoku_rank_rows)(const u8 *work, u8 *rows) {
  const Rank *rank = (const Rank *)work;
  if (!is_sound(rank)) return BAD;
  for (i32 i = 0; i < 9 * rank->row_count; i++) rows[i] = (u8)(rank->rows[i / 9][i % 9] + 1);
  return rank->row_count;
}

EXPORT(i32, sudoku_rank_histogram)(const u8 *work, u32 *counts) {
  if (!seal_holds(work, SEALED_RANK)) return BAD;
  memcpy(counts, ((const Rank *)work)->histogram, sizeof(u32) * (MOST_GROUP + 1));
  return MOST_GROUP + 1;
}
