/* States of the best guess in canonical form, and an upper bound of the layouts won.
 *
 * Layouts (rows) are sorted by two rounds of colour refinement (Weisfeiler-Leman) of rows and
 * columns, the answers of a cell renamed by first appearance, equal columns merged; the key is a
 * 128-bit hash of the set of columns. Most symmetric states get one key; two that do not are only
 * searched twice.
 * Cost: O(rows cells) and sorting; the bound of an answer O(cells rows / 64). */
#include "guess.h"

void mines_sort_by(i32 *order, i32 count, const u64 *key) {
#define BEFORE(a, b) (key[*(a)] != key[*(b)] ? key[*(a)] < key[*(b)] : *(a) < *(b))
  SORT(order, count, BEFORE);
#undef BEFORE
}

i32 mines_classify(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 *class) {
  u8 *mark = g->arena.low;
  u32 size = 4, *key;
  i32 *number, classes = 1;
  while (size < 2u * (u32)n) size *= 2;
  if (!ARENA_TAKE(&g->arena, key, size) || !ARENA_TAKE(&g->arena, number, size)) return -1;
  memset(class, 0, sizeof(i32) * (size_t)n);
  for (i32 j = 0; j < k && classes < n; j++) {
    const u8 *column = column_of(g, cells[j]);
    memset(key, 255, sizeof(u32) * size);
    classes = 0;
    for (i32 i = 0; i < n; i++) {
      u32 both = (u32)class[i] << 8 | column[rows[i]], at = both * 0x9E3779B1u & (size - 1);
      while (key[at] != both && key[at] != 0xFFFFFFFFu) at = (at + 1) & (size - 1);
      if (key[at] != both) {
        key[at] = both;
        number[at] = classes++;
      }
      class[i] = number[at];
    }
    g->spent += n;
  }
  g->arena.low = mark;
  return classes;
}

void mines_group_rows(const i32 *rows, i32 n, const i32 *class, i32 classes, i32 *start, i32 *grouped) {
  memset(start, 0, sizeof(i32) * (size_t)(classes + 1));
  for (i32 i = 0; i < n; i++) start[class[i] + 1]++;
  for (i32 c = 0; c < classes; c++) start[c + 1] += start[c];
  for (i32 i = 0; i < n; i++) grouped[start[class[i]]++] = rows[i];
  for (i32 c = classes; c > 0; c--) start[c] = start[c - 1];
  start[0] = 0;
}

/* Sort the rows by two rounds of colour refinement. */
static i32 sort_rows(Guess *g, State *s, const i32 *rows) {
  u64 *row, *next;
  i32 *order, n = s->n;
  if (!ARENA_TAKE(&g->arena, row, n) || !ARENA_TAKE(&g->arena, next, n) || !ARENA_TAKE(&g->arena, order, n))
    return 0;
  for (i32 i = 0; i < n; i++) row[i] = 1, order[i] = i;
  for (i32 round = 0; round < 2; round++) {
    memset(next, 0, sizeof(u64) * (size_t)n);
    for (i32 j = 0; j < s->k; j++) {
      const u8 *column = column_of(g, s->cells[j]);
      i32 most = 0;
      g->count[MINED] = g->sum[MINED] = 0;
      for (i32 i = 0; i < n; i++) {
        i32 x = column[rows[i]];
        if (x != MINED)
          while (most <= x) g->count[most] = g->sum[most] = 0, most++;
        g->count[x]++;
        g->sum[x] += row[i];
      }
      u64 hash = 5;
      for (i32 x = 0; x < most; x++)
        if (g->count[x]) {
          g->sum[x] = mix(g->count[x], g->sum[x]);
          hash += g->sum[x];
        }
      g->sum[MINED] = mix(g->count[MINED], g->sum[MINED]);
      hash = mix(hash, g->sum[MINED]);
      for (i32 x = 0; x < most; x++) g->sum[x] = mix(hash, 2 * g->sum[x]);
      g->sum[MINED] = mix(hash, 1 + 2 * g->sum[MINED]);
      for (i32 i = 0; i < n; i++) next[i] += g->sum[column[rows[i]]];
    }
    for (i32 i = 0; i < n; i++) row[i] = mix(row[i], next[i]);
  }
  mines_sort_by(order, n, row);
  for (i32 i = 0; i < n; i++) s->rows[i] = rows[order[i]];
  g->spent += 4 * (i64)n * s->k;
  return 1;
}

/* Merge equal columns and compute the key. */
static i32 merge_columns(Guess *g, State *s) {
  u64 *one, *two;
  i32 *order, n = s->n, k = s->k, kept = 0;
  if (!ARENA_TAKE(&g->arena, one, k) || !ARENA_TAKE(&g->arena, two, k) || !ARENA_TAKE(&g->arena, order, k))
    return 0;
  for (i32 j = 0; j < k; j++) {
    const u8 *column = column_of(g, s->cells[j]);
    u64 a = 7, b = 11;
    u8 names = 0;
    memset(g->name, MINED, sizeof g->name);
    for (i32 i = 0; i < n; i++) {
      u8 x = column[s->rows[i]];
      if (x != MINED) {
        if (g->name[x] == MINED) g->name[x] = names++;
        x = g->name[x];
      }
      a = (a ^ x) * 0x9E3779B97F4A7C15ull;
      a ^= a >> 29;
      b = (b + x + 1) * 0xff51afd7ed558ccdull;
      b ^= b >> 31;
    }
    one[j] = a;
    two[j] = b;
    order[j] = j;
  }
  mines_sort_by(order, k, one);
  s->key[0] = mix(3, (u64)n);
  s->key[1] = mix(4, (u64)n);
  i16 *cells = arena_take(&g->arena, sizeof(i16) * (size_t)k);
  if (!cells) return 0;
  for (i32 i = 0; i < k; i++) {
    i32 j = order[i], before = i ? order[i - 1] : -1;
    if (before >= 0 && one[j] == one[before] && two[j] == two[before]) continue;
    s->key[0] += mix(1, one[j]);
    s->key[1] += mix(2, two[j]);
    cells[kept++] = s->cells[j];
  }
  s->cells = cells;
  s->k = kept;
  g->spent += (i64)n * k;
  return 1;
}

i32 mines_canonical_form(Guess *g, State *s, const i32 *rows) {
  return ARENA_TAKE(&g->arena, s->rows, s->n) && sort_rows(g, s, rows) && merge_columns(g, s);
}

i32 mines_make_bits(Guess *g, State *s) {
  s->words = (s->n + 63) / 64;
  if (!ARENA_TAKE(&g->arena, s->first, s->k + 1)) return 0;
  i32 answers = 0;
  for (i32 j = 0; j < s->k; j++) {
    const u8 *column = column_of(g, s->cells[j]);
    s->first[j] = answers;
    memset(g->name, 0, sizeof g->name);
    for (i32 i = 0; i < s->n; i++) g->name[column[s->rows[i]]] = 1;
    for (i32 x = 0; x < MINED; x++) answers += g->name[x];
  }
  s->first[s->k] = answers;
  size_t words = (size_t)s->words;
  if (!ARENA_TAKE(&g->arena, s->bits, words * (size_t)answers) ||
      !ARENA_TAKE(&g->arena, s->safe, words * (size_t)s->k) || !ARENA_TAKE(&g->arena, s->size, answers) ||
      !ARENA_TAKE(&g->arena, s->bound, answers))
    return 0;
  memset(s->bits, 0, sizeof(u64) * words * (size_t)answers);
  memset(s->safe, 0, sizeof(u64) * words * (size_t)s->k);
  memset(s->size, 0, sizeof(i32) * (size_t)answers);
  for (i32 j = 0; j < s->k; j++) {
    const u8 *column = column_of(g, s->cells[j]);
    u8 names = 0;
    memset(g->name, MINED, sizeof g->name);
    for (i32 i = 0; i < s->n; i++) {
      u8 x = column[s->rows[i]];
      if (x == MINED) continue;
      if (g->name[x] == MINED) g->name[x] = names++;
      size_t a = (size_t)(s->first[j] + g->name[x]);
      set_bit(s->bits + a * words, i);
      set_bit(s->safe + (size_t)j * words, i);
      s->size[a]++;
    }
  }
  g->spent += 2 * (i64)s->n * s->k;
  return 1;
}

i32 mines_bound_of(const State *s, i32 answer) {
  const size_t words = (size_t)s->words;
  const u64 *rows = s->bits + (size_t)answer * words;
  i32 size = s->size[answer], most = 0;
  if (size < 2) return size;
  for (i32 d = 0; d < s->k; d++) {
    i32 safe = count_both(rows, s->safe + (size_t)d * words, s->words);
    if (safe < size) {
      most = max32(most, safe);
      continue;
    }
    for (i32 a = s->first[d]; a < s->first[d + 1]; a++) {
      i32 both = count_both(rows, s->bits + (size_t)a * words, s->words);
      if (both == size) break;
      if (both) return size; /* safe, and it informs */
    }
  }
  return most ? most : size;
}
