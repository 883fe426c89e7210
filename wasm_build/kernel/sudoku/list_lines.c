/* Lists of 9x9 boards: read from text, a line of 81 characters and a newline for each board;
 * written; hashed to keys.
 *
 * Text: one pass over the bytes in each direction, sixteen at a time; the last sixteen of a line
 * overlap those before.
 * Keys: BLAKE2b (RFC 7693) of 81 bytes, 16 bytes long, without a secret. A board is one final block
 * of 128 bytes: the state is initialised, mixed in twelve rounds and folded once. Each column of
 * the 4x4 state, then each diagonal, takes in two words of the block; their order changes from
 * round to round with a period of ten. Two boards are hashed at once, one a 64-bit lane.
 */
#include "sudoku/board.h"

static const u8 AT[6] = {0, 16, 32, 48, 64, 65};

EXPORT(i32, sudoku_read)(const u8 *text, i32 count, u8 *boards) {
  if (count < 0) return BAD;
  Bytes right = all16(255);
  i32 ends = 1;
  for (i32 i = 0; i < count; i++) {
    const u8 *line = text + TEXT_LINE * i;
    for (i32 k = 0; k < 6; k++) {
      Bytes c = load16(line + AT[k]), digit = less16(c, all16('0'));
      Bytes known = equal16(lesser(digit, all16(9)), digit);
      Bytes blank = either(either(equal16(c, all16('.')), equal16(c, all16('*'))),
                           either(equal16(c, all16('_')), equal16(c, all16('?'))));
      right = both(right, either(known, blank));
      store16(boards + CELLS * i + AT[k], both(digit, known));
    }
    ends &= line[CELLS] == '\n';
  }
  return ends && lanes_of(right) == 65535 ? count : 0;
}

EXPORT(i32, sudoku_write)(const u8 *boards, i32 count, u8 *text) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i++) {
    u8 *line = text + TEXT_LINE * i;
    for (i32 k = 0; k < 6; k++) {
      Bytes cells = load16(boards + CELLS * i + AT[k]);
      Bytes digits = plus16(cells, all16('0'));
      store16(line + AT[k], choose(equal16(cells, all16(0)), all16('.'), digits));
    }
    line[CELLS] = '\n';
  }
  return count;
}

/* -- keys ------------------------------------------------------------------------------------ */

enum { ROUNDS = 12, SCHEDULES = 10, WORDS = 16, KEY = 16 };

static const u8 ORDER[SCHEDULES][WORDS] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

/* The fractional parts of the square roots of the first eight primes. */
static const u64 ROOT[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};

/* The mixing function G of the RFC. */
static inline void mix_step(Bytes *v, i32 a, i32 b, i32 c, i32 d, Bytes first, Bytes second) {
  v[a] = pair_plus(v[a], pair_plus(v[b], first));
  v[d] = pair_turned(differing(v[d], v[a]), 32);
  v[c] = pair_plus(v[c], v[d]);
  v[b] = pair_turned(differing(v[b], v[c]), 24);
  v[a] = pair_plus(v[a], pair_plus(v[b], second));
  v[d] = pair_turned(differing(v[d], v[a]), 16);
  v[c] = pair_plus(v[c], v[d]);
  v[b] = pair_turned(differing(v[b], v[c]), 63);
}

static inline Bytes twice(u64 word) { return make16(word, word); }

/* Writes the keys of two boards. */
static void write_keys(const u8 *one, const u8 *other, u8 *key, u8 *other_key) {
  const u64 first = ROOT[0] ^ (0x01010000 | KEY); /* one leaf of a tree of one level, no secret */
  u64 words[2][WORDS] = {{0}};
  Bytes block[WORDS], v[WORDS];
  memcpy(words[0], one, CELLS);
  memcpy(words[1], other, CELLS);
  for (i32 i = 0; i < WORDS; i++) block[i] = make16(words[0][i], words[1][i]);
  for (i32 i = 0; i < 8; i++) v[i] = v[8 + i] = twice(ROOT[i]);
  v[0] = twice(first);
  v[12] = differing(v[12], twice(CELLS)); /* bytes so far */
  v[14] = differing(v[14], twice(~0ull)); /* the last block */
  for (i32 round = 0; round < ROUNDS; round++) {
    const u8 *o = ORDER[round % SCHEDULES];
    for (i32 i = 0; i < 4; i++) mix_step(v, i, 4 + i, 8 + i, 12 + i, block[o[2 * i]], block[o[2 * i + 1]]);
    for (i32 i = 0; i < 4; i++)
      mix_step(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, block[o[8 + 2 * i]],
               block[o[9 + 2 * i]]);
  }
  Bytes low = differing(twice(first), differing(v[0], v[8]));
  Bytes high = differing(twice(ROOT[1]), differing(v[1], v[9]));
  store16(key, make16(low_half(low), low_half(high)));
  store16(other_key, make16(high_half(low), high_half(high)));
}

EXPORT(i32, sudoku_keys)(const u8 *boards, i32 count, u8 *out) {
  if (count < 0) return BAD;
  for (i32 i = 0; i < count; i += 2) {
    i32 last = i + 1 < count ? i + 1 : i;
    write_keys(boards + CELLS * i, boards + CELLS * last, out + KEY * i, out + KEY * last);
  }
  return count;
}
