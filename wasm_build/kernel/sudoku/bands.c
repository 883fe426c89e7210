/* The 416 classes of bands, numbered in minlex order, by enumerating orbits.
 *
 * All bands with the first row 0..8 are enumerated in ascending order; the first one without a
 * number is the minlex form of a new class, and its 6 * 1296 images get that number. 0.1 s, so that
 * no table has to be stored.
 */
#include "band_table.h"
#include "sudoku/sudoku.h"

_Static_assert(sizeof(Bands) <= BANDS_WORK, "the header promises that this is enough");

/* The summands of a pair's index. A second row's first minirow has k digits of stack 1 and 3 - k of
 * stack 2; its second one then 3 - k of stack 0. Each set counts among those of its size. */
static void write_summands(Bands *bands) {
  static const u32 choose[4] = {1, 3, 3, 1};
  u32 base[4], rank[8], seen[4] = {0, 0, 0, 0}, total = 0;
  for (i32 k = 0; k < 4; k++) {
    base[k] = total;
    total += choose[k] * choose[k] * choose[k];
  }
  for (u32 m = 0; m < 8; m++) rank[m] = seen[popcount64(m)]++;
  for (i32 code = 0; code < CODES; code++) {
    u8 digit[3];
    if (!digits_of_code(code, digit)) continue;
    u32 set[3] = {0, 0, 0};
    for (i32 i = 0; i < 3; i++) set[digit[i] / 3] |= 1u << digit[i] % 3;
    u32 order = bands->order[code] = order_of(digit[0], digit[1], digit[2]);
    u32 k = (u32)popcount64(set[1]);
    if (!set[0])
      bands->first[code] =
          ((base[k] + (rank[set[1]] * choose[k] + rank[set[2]]) * choose[k]) * 36 + order * 6) * 36;
    if (!set[1]) bands->second[code] = (rank[set[0]] * 36 + order) * 36;
  }
}

EXPORT(i32, sudoku_bands_begin)(u8 *work, i32 room) {
  if (room < (i32)sizeof(Bands)) return TOO_LARGE;
  if ((uintptr_t)work & 15) return BAD;
  Bands *bands = (Bands *)work;
  memset(bands, 0, sizeof *bands);
  write_summands(bands);
  static const u8 start[9] = {3, 4, 5, 0, 1, 2, 6, 7, 8}; /* no least second row begins lower */
  memcpy(bands->next, start, 9);
  seal_set(&bands->seal, SEALED_BANDS, 0, 0);
  return OK;
}

/* The next permutation of nine; 0 after the last. */
static i32 next_row(u8 *row) {
  i32 i = 7;
  while (i >= 0 && row[i] > row[i + 1]) i--;
  if (i < 0) return 0;
  i32 j = 8;
  while (row[j] < row[i]) j--;
  u8 moved = row[i];
  row[i] = row[j];
  row[j] = moved;
  for (i32 a = i + 1, b = 8; a < b; a++, b--) {
    moved = row[a];
    row[a] = row[b];
    row[b] = moved;
  }
  return 1;
}

/* A new class, of which this band is the minlex form: all its images get the number. */
static void new_class(Bands *bands, u8 rows[3][9]) {
  i32 images = 0, number = ++bands->classes;
  if (number > BANDS) return;
  memcpy(bands->rows[number], rows, BAND_CELLS);
  for (i32 n = 0; n < LINE_ORDERS; n++) {
    u8 columns[9], moved[3][9];
    line_order(n, columns);
    for (i32 r = 0; r < 3; r++)
      for (i32 c = 0; c < 9; c++) moved[r][c] = rows[r][columns[c]];
    for (i32 z = 0; z < 6; z++) {
      const u8 *a = moved[ORDERS[z][0]], *b = moved[ORDERS[z][1]], *c = moved[ORDERS[z][2]];
      u8 column[9];
      for (i32 i = 0; i < 9; i++) column[a[i]] = (u8)i;
      u32 pair = pair_of(bands, column, b, c);
      u16 *of = &bands->number[THIRDS * pair + third_of(bands, column, b, c)];
      images += !*of;
      *of = (u16)number;
    }
  }
  bands->symmetries[number] = (u16)(6 * LINE_ORDERS / images);
}

/* Enumerates the third rows under a second row, ascending. */
static void try_thirds(Bands *bands, const u8 *second) {
  u8 rows[3][9], rest[3][3];
  for (u8 i = 0; i < 9; i++) rows[0][i] = i;
  memcpy(rows[1], second, 9);
  for (i32 s = 0; s < 3; s++) {
    u32 free = 0x1FF & ~(7u << 3 * s);
    for (i32 i = 0; i < 3; i++) free &= ~(1u << second[3 * s + i]);
    for (i32 i = 0; i < 3; i++, free &= free - 1) rest[s][i] = (u8)lowest64(free);
  }
  for (i32 n = 0; n < 216; n++) {
    const i32 order[3] = {n / 36, n / 6 % 6, n % 6};
    for (i32 s = 0; s < 3; s++)
      for (i32 i = 0; i < 3; i++) rows[2][3 * s + i] = rest[s][ORDERS[order[s]][i]];
    if (!band_number(bands, rows[0], rows[1], rows[2])) new_class(bands, rows);
  }
}

EXPORT(i32, sudoku_bands_run)(u8 *work, i32 rows) {
  Bands *bands = (Bands *)work;
  if (!seal_holds(bands, SEALED_BANDS)) return BAD;
  while (!bands->finished && rows > 0) {
    i32 fits = 1;
    for (i32 i = 0; i < 9; i++) fits &= bands->next[i] / 3 != i / 3;
    if (fits) {
      try_thirds(bands, bands->next);
      rows--;
    }
    bands->finished = !next_row(bands->next);
  }
  return bands->finished;
}

EXPORT(i32, sudoku_bands_list)(const u8 *work, u8 *rows, i32 *symmetries) {
  const Bands *bands = (const Bands *)work;
  if (!seal_holds(bands, SEALED_BANDS)) return BAD;
  for (i32 n = 1; n <= BANDS && n <= bands->classes; n++) {
    for (i32 i = 0; i < BAND_CELLS; i++) *rows++ = (u8)(bands->rows[n][i] + 1);
    *symmetries++ = bands->symmetries[n];
  }
  return bands->classes;
}

EXPORT(i32, sudoku_bands_of)(const u8 *work, const u8 *grid, i32 *numbers) {
  const Bands *bands = (const Bands *)work;
  if (!seal_holds(bands, SEALED_BANDS)) return BAD;
  u8 form[CELLS];
  i32 symmetries;
  sudoku_minlex(grid, 1, form, &symmetries);
  if (symmetries < 1) return BAD;
  u8 lines[2][9][9];
  for (i32 i = 0; i < CELLS; i++) lines[0][i / 9][i % 9] = lines[1][i % 9][i / 9] = (u8)(grid[i] - 1);
  for (i32 turned = 0; turned < 2; turned++)
    for (i32 b = 0; b < 3; b++) {
      u8(*of)[9] = &lines[turned][3 * b];
      numbers[3 * turned + b] = band_number(bands, of[0], of[1], of[2]);
    }
  return symmetries;
}

/* Reads a number in LEB128 (seven bits a byte); returns the place after it, 0 if it is cut off. */
static i32 read_leb128(const u8 *table, i32 length, i32 at, u32 *value) {
  *value = 0;
  for (i32 shift = 0; at < length && shift < 32; shift += 7) {
    u8 byte = table[at++];
    *value |= (u32)(byte & 127) << shift;
    if (byte < 128) return at;
  }
  return 0;
}

EXPORT(i32, sudoku_table_read)(const u8 *table, i32 length, i32 *rows, i32 *begins, u32 *sums, i32 most) {
  i32 at = 0, written = 0;
  if (length < 0 || most < 1) return BAD;
  for (i32 band = 0; band < BANDS; band++) {
    u32 windows, grids;
    at = read_leb128(table, length, at, &windows);
    if (!at || at >= length || !table[at] || windows > (u32)(most - written - 1)) return BAD;
    rows[band] = table[at++];
    begins[band] = written;
    sums[written++] = 0;
    for (u32 i = 0; i < windows; i++, written++) {
      at = read_leb128(table, length, at, &grids);
      if (!at) return BAD;
      sums[written] = sums[written - 1] + grids;
    }
  }
  begins[BANDS] = written;
  return at == length ? written : BAD;
}
