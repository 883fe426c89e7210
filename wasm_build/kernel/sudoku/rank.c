/* The rank of a minlex grid among all of them, band by band and fourth row by fourth row.
 *
 * A minlex grid's first band b is the least of its six chutes. For fixed b two masks of 36 bits a
 * pair say which bands have a number >= b ("fair") and which have b itself ("even").
 *
 *  - Rows 4: those that no symmetry of band b makes smaller.
 *  - Rows 5 < 6 (by first column) make a second band, whose number is one bit of the masks. What a
 *    stack gets in it leaves 36 arrangements of its third block, and these have 36 indices in a
 *    row: one look says which of them keep the stack's number >= b. Kept per row 4 and minirow of
 *    row 5 (`Fifth`); most blocks die here.
 *  - Rows 7 < 8 < 9: a row takes one of 27 options in each stack, only those alive. Rows 8 are bits:
 *    what fits an option of row 7 is one word a stack, and three words give all rows 8 that fit a
 *    row 7 (one in fifteen). The third band's number is one more bit of the masks.
 *  - A symmetry of band b takes one of rows 4..9 to a row that begins with 2: if that is smaller
 *    than row 4 the grid is no minlex grid, if equal it is doubtful. So is a grid with another
 *    chute of number b. Only these (about 1 %) are given to sudoku_minlex.
 *
 * Proofs and figures are in tests/oracle/test_sudoku_numbers.py.
 *
 * Rejected: minlex for every completion (40 * 10^9 of them, six hours; this takes 12 minutes for
 * all grids); a count for each of the 652 408 fourth rows (1.3 MB; windows of rows make 95 kB); rows
 * 7 and 8 pair by pair (1.4 million tests a number, a third of the time).
 */
#include "band_table.h"
#include "sudoku/board.h"

enum { MINIROWS = 336, MOST_SYMMETRIES = 108, FOURTHS = 2048, MOST_FILLS = 512, NO_OPTION = 255,
       MOST_ROWS = 2 * 243 };

/* Three ordered digits that a stack of the first band leaves for a row. */
typedef struct {
  u8 digit[3];
  u16 set, place; /* the digits as bits; where it stands in the stack's ascending list */
} Minirow;

typedef struct {
  u64 fair, even; /* of the 36 arrangements of a third block: number >= b, number == b */
} Masks;

/* A stack whose third block is open: what its three rows may hold. Option 9i+3j+k of a row takes
 * the i-th, j-th and k-th of the digits that the columns have left. */
typedef struct {
  u64 fair, even;
  u32 alive, holds[9]; /* options that occur in a fair arrangement; those with a digit */
  u32 others[27];      /* an option's others in its fair arrangements */
  u32 digits[27];      /* an option's three digits, one a byte */
  u16 set[27];
  u8 option[512]; /* the option with this set of digits */
} Block;

typedef struct {
  u8 digit[3], order; /* the minirow of row 6, and its order under row 4 */
  Block block;
} Sixth;

typedef struct {
  i32 count;
  Sixth sixth[6];
} Fifth;

/* A symmetry of the first band: column c comes from column[c], digits are renamed by label. */
typedef struct {
  u8 column[9], label[9], two; /* the digit that becomes 1 (a row's "2") */
} Symmetry;

typedef struct {
  u8 option[3], doubtful, digit[12];
} Row;

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
  u8 fourth[9], column[9], fourth_doubtful;
  u8 known[3][MINIROWS];
  Fifth fifth[3][MINIROWS];
  u8 grid[CELLS + 3];
  /* of one question */
  Purpose purpose;
  u32 seen, wanted, second_bands;
  i32 stopped, fill_count, written, most;
  const u8 *target;
  u8 *out;
  u8 fills[MOST_FILLS][27];
  u32 histogram[MOST_GROUP + 1];
} Rank;

_Static_assert(sizeof(Rank) <= RANK_WORK, "the header promises that this is enough");

static u8 pairs_of_options[27][27]; /* two rows' options -> arrangement, 63 where they clash */
static u32 options_of[36];          /* an arrangement's three options */
static i32 prepared;

static u8 order_at(u8 a, u8 b) {
  u8 i = 0;
  while (ORDERS[i][0] != a || ORDERS[i][1] != b) i++;
  return i;
}

/* An arrangement is 6x + y: x is the order of the rows with the first column's digits, by
 * the second column's digits in the order of the first column's, y by the third column's. */
static void prepare(void) {
  if (prepared) return;
  prepared = 1;
  for (i32 n = 0; n < 36; n++)
    for (i32 r = 0; r < 3; r++)
      options_of[n] |= 1u << (9 * r + 3 * ORDERS[n / 6][r] + ORDERS[n % 6][r]);
  for (i32 x = 0; x < 27; x++)
    for (i32 y = 0; y < 27; y++) {
      const u8 one[3] = {(u8)(x / 9), (u8)(x / 3 % 3), (u8)(x % 3)};
      const u8 two[3] = {(u8)(y / 9), (u8)(y / 3 % 3), (u8)(y % 3)};
      u8 second[3], third[3], clash = 0;
      for (i32 j = 0; j < 3; j++) clash |= one[j] == two[j];
      pairs_of_options[x][y] = 63;
      if (clash) continue;
      const u8 rest[3] = {(u8)(3 - one[0] - two[0]), (u8)(3 - one[1] - two[1]),
                          (u8)(3 - one[2] - two[2])};
      second[one[0]] = one[1];
      third[one[0]] = one[2];
      second[two[0]] = two[1];
      third[two[0]] = two[2];
      second[rest[0]] = rest[1];
      third[rest[0]] = rest[2];
      pairs_of_options[x][y] =
          (u8)(6 * order_at(second[0], second[1]) + order_at(third[0], third[1]));
    }
}

/* -- the first band ---------------------------------------------------------------------------- */

static void list_minirows(Rank *rank, i32 stack) {
  Minirow *list = rank->list[stack];
  i32 n = 0;
  for (i32 code = 0; code < CODES; code++) {
    const u8 digit[3] = {(u8)(code / 81), (u8)(code / 9 % 9), (u8)(code % 9)};
    i32 fits = digit[0] != digit[1] && digit[0] != digit[2] && digit[1] != digit[2];
    for (i32 j = 0; j < 3 && fits; j++)
      for (i32 r = 0; r < 3; r++) fits &= rank->first[r][3 * stack + j] != digit[j];
    if (!fits) continue;
    memcpy(list[n].digit, digit, 3);
    list[n].set = (u16)(1u << digit[0] | 1u << digit[1] | 1u << digit[2]);
    list[n].place = (u16)n;
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

/* The symmetries of the first band other than doing nothing. */
static void list_symmetries(Rank *rank) {
  rank->symmetry_count = 0;
  for (i32 n = 0; n < 1296; n++)
    for (i32 z = 0; z < 6; z++) {
      Symmetry one;
      columns_of(n, one.column);
      i32 same = 1, idle = z == 0;
      for (i32 c = 0; c < 9; c++) {
        one.label[rank->first[ORDERS[z][0]][one.column[c]]] = (u8)c;
        idle &= one.column[c] == c;
      }
      for (i32 r = 1; r < 3 && same; r++)
        for (i32 c = 0; c < 9; c++)
          same &= one.label[rank->first[ORDERS[z][r]][one.column[c]]] == rank->first[r][c];
      if (!same || idle || rank->symmetry_count == MOST_SYMMETRIES) continue;
      for (u8 d = 0; d < 9; d++)
        if (one.label[d] == 1) one.two = d;
      rank->symmetry[rank->symmetry_count++] = one;
    }
}

/* What the symmetries make of a row: 1 smaller than row 4, 2 equal to it at least once, 0 larger. */
static inline u8 compare_row(const Rank *rank, const u8 *row, const u8 *fourth) {
  u8 doubtful = 0;
  for (i32 i = 0; i < rank->symmetry_count; i++) {
    const Symmetry *one = &rank->symmetry[i];
    if (row[one->column[0]] != one->two) continue;
    i32 j = 1;
    while (j < 9 && one->label[row[one->column[j]]] == fourth[j]) j++;
    if (j == 9) doubtful = 2;
    else if (one->label[row[one->column[j]]] < fourth[j]) return 1;
  }
  return doubtful;
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
        memcpy(row, a->digit, 3);
        memcpy(row + 3, b->digit, 3);
        memcpy(row + 6, rank->by_set[2][k].digit, 3);
        if (compare_row(rank, row, row) != 1 && ++n == FOURTHS) return TOO_LARGE;
      }
    }
  }
  return n;
}

/* Sixteen numbers at a time; the last eight of the 36 overlap those before. */
static inline Masks masks_of(const u16 *number, i32 band) {
  const Bytes wanted = all_words(band), below = all_words(band - 1);
  Bytes a = load16(number), b = load16(number + 8), c = load16(number + 16);
  Bytes d = load16(number + 24), e = load16(number + THIRDS - 8);
  u64 fair = greater_words(a, b, below) | (u64)greater_words(c, d, below) << 16;
  u64 even = equal_words(a, b, wanted) | (u64)equal_words(c, d, wanted) << 16;
  return (Masks){fair | (u64)(greater_words(e, e, below) & 255) << (THIRDS - 8),
                 even | (u64)(equal_words(e, e, wanted) & 255) << (THIRDS - 8)};
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
    u8 kept = digit[i];
    digit[i] = digit[i + 1];
    digit[i + 1] = kept;
  }
}

/* What is left of a stack under three minirows of the second band; fair is 0 if nothing is. */
static void make_block(const Rank *rank, i32 stack, const u8 *fourth, const u8 *fifth,
                       const u8 *sixth, Block *block) {
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
  const Masks *masks = &rank->masks[pair_of(rank->bands, place, column[1], column[2])];
  block->fair = masks->fair;
  block->even = masks->even;
  if (!block->fair) return;
  sort_by(rest[1], place);
  sort_by(rest[2], place);
  u32 seen = 0;
  memset(block->others, 0, sizeof block->others);
  for (u64 left = block->fair; left; left &= left - 1) {
    u32 three = options_of[lowest64(left)];
    seen |= three;
    for (u32 one = three; one; one &= one - 1) block->others[lowest64(one)] |= three & ~(one & -one);
  }
  memset(block->holds, 0, sizeof block->holds);
  memset(block->option, NO_OPTION, sizeof block->option);
  block->alive = 0;
  for (; seen; seen &= seen - 1) {
    i32 n = lowest64(seen);
    u8 a = rest[0][n / 9], b = rest[1][n / 3 % 3], c = rest[2][n % 3];
    if (a == b || a == c || b == c) continue;
    u32 bit = 1u << n;
    block->alive |= bit;
    block->holds[a] |= bit;
    block->holds[b] |= bit;
    block->holds[c] |= bit;
    block->digits[n] = (u32)a | (u32)b << 8 | (u32)c << 16;
    block->set[n] = (u16)(1u << a | 1u << b | 1u << c);
    block->option[block->set[n]] = (u8)n;
  }
  if (!block->alive) block->fair = 0;
}

/* The blocks of a stack with this minirow in row 5, made when first asked for. */
static Fifth *fifth_of(Rank *rank, i32 stack, const Minirow *fourth, i32 place) {
  Fifth *made = &rank->fifth[stack][place];
  if (rank->known[stack][place]) return made;
  rank->known[stack][place] = 1;
  made->count = 0;
  const Minirow *fifth = &rank->list[stack][place];
  i32 rest = 0x1FF ^ fourth->set ^ fifth->set;
  for (i32 i = rank->set_begin[stack][rest]; i < rank->set_begin[stack][rest + 1]; i++) {
    const Minirow *sixth = &rank->by_set[stack][i];
    if (stack == 0 && sixth->digit[0] < fifth->digit[0]) continue;
    Sixth *one = &made->sixth[made->count];
    make_block(rank, stack, fourth->digit, fifth->digit, sixth->digit, &one->block);
    if (!one->block.fair) continue;
    memcpy(one->digit, sixth->digit, 3);
    one->order = rank->bands->order[code_of(rank->column, sixth->digit)];
    made->count++;
  }
  return made;
}

/* -- the third band ---------------------------------------------------------------------------- */

static inline void put3(u8 *to, u32 digits) { memcpy(to, &digits, 4); } /* one byte too many */

/* Rows that begin with the 0th digit that column 1 has left, then those with the 1st, by their
 * options (8 bits a stack). One in four of the tries is a row and none can be foreseen, so all are
 * written and the wrong ones written over. */
static inline void list_options(const Block *const *block, u32 *found, i32 *count) {
  i32 n = 0;
  count[0] = 0;
  for (u32 left = block[0]->alive & 0x3FFFF; left; left &= left - 1) {
    u32 first = (u32)lowest64(left), digits = block[0]->digits[first];
    i32 others = 0x1FF ^ block[0]->set[first];
    u32 next = block[1]->alive & ~(block[1]->holds[digits & 15] | block[1]->holds[digits >> 8 & 15] |
                                   block[1]->holds[digits >> 16 & 15]);
    for (; next; next &= next - 1) {
      u32 second = (u32)lowest64(next), last = block[2]->option[others ^ block[1]->set[second]];
      found[n] = first | second << 8 | last << 16;
      n += last != NO_OPTION;
    }
    if (first < 9) count[0] = n;
  }
  count[1] = n - count[0];
}

/* The same with digits, without those that a symmetry makes too small; 0 if one kind is missing. */
static i32 list_rows(const Rank *rank, const Block *const *block, Row *rows, i32 *count) {
  u32 found[MOST_ROWS + 1];
  list_options(block, found, count);
  i32 n = 0, kept[2] = {0, 0};
  for (i32 which = 0, i = 0, end = 0; which < 2; which++)
    for (end += count[which]; i < end; i++) {
      Row *row = &rows[n];
      for (i32 s = 0; s < 3; s++) {
        row->option[s] = (u8)(found[i] >> 8 * s);
        put3(row->digit + 3 * s, block[s]->digits[row->option[s]]);
      }
      row->doubtful = compare_row(rank, row->digit, rank->fourth);
      n += row->doubtful != 1;
      kept[which] += row->doubtful != 1;
    }
  count[0] = kept[0];
  count[1] = kept[1];
  return count[0] && count[1];
}

/* Whether a doubtful grid is a minlex grid; its symmetries are counted. */
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

/* Whether rows 7 and 8, and the ninth that follows, make a grid that counts. Their arrangements are
 * fair. column: where row 7 has its digits. */
static inline i32 is_grid(Rank *rank, const Block *const *block, const Row *one, const Row *two,
                          const u8 *column, u8 doubtful, u8 *ninth) {
  u64 even = 0;
  for (i32 s = 0; s < 3; s++) {
    put3(ninth + 3 * s, block[s]->digits[39 - one->option[s] - two->option[s]]);
    even |= block[s]->even >> pairs_of_options[one->option[s]][two->option[s]];
  }
  const Masks *masks = &rank->masks[pair_of(rank->bands, column, two->digit, ninth)];
  u32 bit = third_of(rank->bands, column, two->digit, ninth);
  if (!(masks->fair >> bit & 1)) return 0;
  u8 test = compare_row(rank, ninth, rank->fourth);
  if (test == 1) return 0;
  even |= masks->even >> bit;
  return !(doubtful | one->doubtful | two->doubtful | test | (u8)(even & 1)) ||
         is_minlex(rank, one, two, ninth);
}

/* Up to 64 rows 8 as bits: those with an option in a stack, and those that an option of row 7 fits,
 * gathered when first asked for. */
typedef struct {
  u64 with[3][27], fitting[3][27];
  u32 present[3], known[3];
} Eighths;

static inline void begin_eighths(Eighths *eighths, const Row *rows, i32 count) {
  memset(eighths->with, 0, sizeof eighths->with);
  for (i32 s = 0; s < 3; s++) eighths->present[s] = eighths->known[s] = 0;
  for (i32 j = 0; j < count; j++)
    for (i32 s = 0; s < 3; s++) {
      eighths->with[s][rows[j].option[s]] |= 1ull << j;
      eighths->present[s] |= 1u << rows[j].option[s];
    }
}

static inline u64 fitting(Eighths *eighths, const Block *block, i32 stack, u8 option) {
  if (eighths->known[stack] >> option & 1) return eighths->fitting[stack][option];
  u64 rows = 0;
  for (u32 left = block->others[option] & eighths->present[stack]; left; left &= left - 1)
    rows |= eighths->with[stack][lowest64(left)];
  eighths->known[stack] |= 1u << option;
  return eighths->fitting[stack][option] = rows;
}

/* The fills of the third band under a second one; written out where `keep`. */
static u32 count_fills(Rank *rank, const Block *const *block, u8 doubtful, i32 keep) {
  Row rows[MOST_ROWS];
  i32 count[2];
  u32 total = 0;
  if (!list_rows(rank, block, rows, count)) return 0;
  for (i32 from = 0; from < count[1]; from += 64) {
    Eighths eighths;
    begin_eighths(&eighths, rows + count[0] + from, min32(64, count[1] - from));
    for (i32 i = 0; i < count[0]; i++) {
      const Row *one = &rows[i];
      u64 fit = fitting(&eighths, block[0], 0, one->option[0]);
      for (i32 s = 1; s < 3; s++) fit &= fitting(&eighths, block[s], s, one->option[s]);
      if (!fit) continue;
      u8 column[9], ninth[12];
      for (u8 c = 0; c < 9; c++) column[one->digit[c]] = c;
      for (; fit; fit &= fit - 1) {
        const Row *two = &rows[count[0] + from + lowest64(fit)];
        if (!is_grid(rank, block, one, two, column, doubtful, ninth)) continue;
        total++;
        if (!keep || rank->fill_count == MOST_FILLS) continue;
        u8 *fill = rank->fills[rank->fill_count++];
        memcpy(fill, one->digit, 9);
        memcpy(fill + 9, two->digit, 9);
        memcpy(fill + 18, ninth, 9);
      }
    }
  }
  return total;
}

/* -- the second band --------------------------------------------------------------------------- */

/* The place of a minirow in its stack's list, -1 if the first band does not leave it. */
static i32 place_of(const Rank *rank, i32 stack, const u8 *digit) {
  for (i32 i = 0; i < rank->list_count[stack]; i++)
    if (!memcmp(rank->list[stack][i].digit, digit, 3)) return i;
  return -1;
}

/* The fills of the second band now in the grid, sorted. */
static void write_fills(Rank *rank) {
  const Block *block[3];
  for (i32 s = 0; s < 3; s++) {
    Fifth *fifth = &rank->fifth[s][place_of(rank, s, rank->grid + 36 + 3 * s)];
    i32 i = 0;
    while (memcmp(fifth->sixth[i].digit, rank->grid + 45 + 3 * s, 3)) i++;
    block[s] = &fifth->sixth[i].block;
  }
  u8 doubtful = rank->fourth_doubtful | compare_row(rank, rank->grid + 36, rank->fourth) |
                compare_row(rank, rank->grid + 45, rank->fourth);
  i32 number = band_number(rank->bands, rank->grid + 27, rank->grid + 36, rank->grid + 45);
  rank->fill_count = 0;
  count_fills(rank, block, doubtful | (number == rank->band), 1);
  for (i32 i = 1; i < rank->fill_count; i++) {
    u8 kept[27];
    memcpy(kept, rank->fills[i], 27);
    i32 j = i;
    for (; j && memcmp(rank->fills[j - 1], kept, 27) > 0; j--)
      memcpy(rank->fills[j], rank->fills[j - 1], 27);
    memcpy(rank->fills[j], kept, 27);
  }
}

/* After a second band with `fills` grids: 1 if the walk has found what it was made for. */
static i32 arrived(Rank *rank, u32 fills) {
  if (rank->purpose == LIST && rank->seen + fills > rank->wanted) {
    write_fills(rank);
    u32 from = rank->wanted > rank->seen ? rank->wanted - rank->seen : 0;
    for (u32 i = from; i < fills && rank->written < rank->most; i++) {
      u8 *grid = rank->out + CELLS * rank->written++;
      for (i32 c = 0; c < 54; c++) grid[c] = (u8)(rank->grid[c] + 1);
      for (i32 c = 0; c < 27; c++) grid[54 + c] = (u8)(rank->fills[i][c] + 1);
    }
    if (rank->written == rank->most) return rank->stopped = 1;
  }
  if (rank->purpose == PLACE && memcmp(rank->grid + 36, rank->target + 36, 18) >= 0)
    return rank->stopped = 1;
  rank->seen += fills;
  return 0;
}

/* Rows 6 under the minirows of row 5 now in the grid; 1 if the walk is over. */
static i32 walk_sixths(Rank *rank, Fifth *const *fifth, u32 pair, u32 order, u8 doubtful) {
  u8 *row = rank->grid + 45;
  for (i32 i = 0; i < fifth[0]->count; i++)
    for (i32 j = 0; j < fifth[1]->count; j++) {
      const Sixth *a = &fifth[0]->sixth[i], *b = &fifth[1]->sixth[j];
      Masks masks = rank->masks[pair + 6u * a->order + b->order];
      u64 fair = masks.fair >> order & 63, even = masks.even >> order;
      if (!fair) continue;
      for (i32 k = 0; k < fifth[2]->count; k++) {
        const Sixth *c = &fifth[2]->sixth[k];
        if (!(fair >> c->order & 1)) continue;
        memcpy(row, a->digit, 3);
        memcpy(row + 3, b->digit, 3);
        memcpy(row + 6, c->digit, 3);
        u8 test = compare_row(rank, row, rank->fourth);
        if (test == 1) continue;
        const Block *const block[3] = {&a->block, &b->block, &c->block};
        rank->second_bands++;
        u32 n = count_fills(rank, block, doubtful | test | (u8)(even >> c->order & 1), 0);
        if (n && arrived(rank, n)) return 1;
      }
    }
  return 0;
}

/* Rows 5 whose first minirow is `a`; 1 if the walk is over. */
static i32 walk_fifths(Rank *rank, const Minirow *fourth, const Minirow *a, Fifth *first) {
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
      Fifth *const fifth[3] = {first, second, fifth_of(rank, 2, &fourth[2], c->place)};
      if (!fifth[2]->count) continue;
      memcpy(row, a->digit, 3);
      memcpy(row + 3, b->digit, 3);
      memcpy(row + 6, c->digit, 3);
      u8 test = compare_row(rank, row, rank->fourth);
      if (test == 1) continue;
      u32 order = 6u * rank->bands->order[code_of(rank->column, c->digit)];
      if (walk_sixths(rank, fifth, pair, order, rank->fourth_doubtful | test)) return 1;
    }
  }
  return 0;
}

/* All grids under a fourth row, in ascending order of their second bands, until stopped. */
static i32 walk(Rank *rank, const u8 *row, Purpose purpose) {
  Minirow fourth[3];
  for (i32 s = 0; s < 3; s++) {
    i32 at = place_of(rank, s, row + 3 * s);
    if (at < 0) return BAD;
    fourth[s] = rank->list[s][at];
  }
  rank->purpose = purpose;
  rank->seen = 0;
  rank->stopped = 0;
  memcpy(rank->fourth, row, 9);
  for (u8 c = 0; c < 9; c++) rank->column[row[c]] = c;
  rank->fourth_doubtful = compare_row(rank, row, row);
  if (rank->fourth_doubtful == 1) return OK;
  memset(rank->known, 0, sizeof rank->known);
  memcpy(rank->grid, rank->first, BAND_CELLS);
  memcpy(rank->grid + 27, row, 9);
  for (i32 i = 0; i < rank->list_count[0]; i++) {
    const Minirow *a = &rank->list[0][i];
    if (a->set & fourth[0].set) continue;
    Fifth *first = fifth_of(rank, 0, &fourth[0], i);
    if (first->count && walk_fifths(rank, fourth, a, first)) break;
  }
  return OK;
}

static i32 is_sound(const Rank *rank) {
  return seal_holds(rank, SEALED_RANK) && seal_holds(rank->bands, SEALED_BANDS);
}

/* -- questions --------------------------------------------------------------------------------- */

EXPORT(i32, sudoku_rank_count)(u8 *work, i32 from, i32 count, u32 *counts) {
  Rank *rank = (Rank *)work;
  if (!is_sound(rank) || from < 0 || count < 0 || from > rank->row_count - count) return BAD;
  for (i32 i = 0; i < count; i++) {
    rank->second_bands = 0;
    walk(rank, rank->rows[from + i], COUNT);
    counts[2 * i] = rank->seen;
    counts[2 * i + 1] = rank->second_bands;
  }
  return count;
}

EXPORT(i32, sudoku_rank_grids)(u8 *work, i32 row, u32 place, i32 most, u8 *grids, u32 *seen) {
  Rank *rank = (Rank *)work;
  if (!is_sound(rank) || row < 0 || row >= rank->row_count || most < 1) return BAD;
  rank->wanted = place;
  rank->out = grids;
  rank->most = most;
  rank->written = 0;
  walk(rank, rank->rows[row], LIST);
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
  walk(rank, rank->rows[low], PLACE);
  if (!rank->stopped || memcmp(rank->grid, target, 54)) return BAD;
  write_fills(rank);
  for (i32 i = 0; i < rank->fill_count; i++)
    if (!memcmp(rank->fills[i], target + 54, 27)) {
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
