/* The chance to win of each candidate under best play, where no cell is safe.
 *
 * A state is the set of layouts that are left; nothing else matters, since a cell that is safe in
 * all of them is opened at once and free of charge. With `best(L)` the layouts of L that best play
 * wins:
 *
 *   best(L) = sum over the answers of the safe cells of best(L_answer)     if a safe cell informs
 *           = product over independent components                        if L is such a product
 *           = max over cells c of the sum over numbers x of best(L where c is safe and shows x)
 *
 * Branch and bound: the value of an answer is at most the greatest count of layouts in which one
 * further cell is safe (all, if a cell is safe in all and informs). Candidates go by that bound.
 * Transposition table: columns are the cells' answers over the layouts, answers renamed by first
 * appearance, layouts ordered by two rounds of colour refinement (Weisfeiler-Leman) of rows and
 * columns, equal columns merged; the key is a 128-bit hash of the set of columns. Mirrored and
 * moved states meet; two states that do not meet cost time only.
 *
 * Slices: a call stops after a state has been stored once its budget is used up, and the next call
 * starts again from the root: what is stored is not searched again.
 *
 *   out    | layouts of local cell 0 | ... | cells - 1 |   u8: MINED, or the answer by name
 *   frames of `best`, taken from the arena and given back: rows, bounds, one bit set an answer
 *
 * Cost of a state: O(layouts cells) and O(cells^2 answers layouts / 64) for the bounds. Depth of
 * the recursion: at most DEPTH, each frame below 400 bytes. */
#include "mines.h"

enum { MINED = 255, DEPTH = 600, SEARCHED = 3000000, COARSE = 40000000 };
enum { AGAIN = 1, DONE = 2, NO_CANDIDATE = 0, UNSETTLED = 3 };

typedef struct Entry {
  u64 first, second;
  i32 won, used;
} Entry;

typedef struct Guess {
  Tag seal;
  Arena arena;
  Problem problem;
  i32 cells, clues, words, most, layouts, listed;
  i32 *first_cell, *first_clue; /* CSR clue x cell in both directions */
  i16 *cells_of, *clues_of;
  i32 *need, *left;             /* per clue: mines and cells not assigned yet */
  i8 *value;                    /* per local cell while layouts are listed */
  i16 *trail, *decided;
  i32 trail_size, depth, nodes;
  i32 *decided_at;              /* per decision: the length of the trail before it */
  u64 *layout;                  /* `words` each */
  u64 *around;                  /* per local cell: unknown neighbours */
  u8 *blocked, *secret;         /* per local cell: has a flagged neighbour; shows nothing */
  u8 *out;
  Entry *table;
  i32 table_size, stored;
  i64 spent, budget;
  i32 stop, unsettled;
  i32 *play, *play_stack;       /* rows and segments of the safest play */
  i32 play_top, play_won, play_cell, play_first;
  u64 count[256], sum[256];     /* scratch of one column */
  u8 name[256];
} Guess;

/* ---------------------------------------------------------------- listing the layouts */

static i32 assign(Guess *g, i32 cell, i32 value) {
  i32 holds = 1;
  g->value[cell] = (i8)value;
  g->trail[g->trail_size++] = (i16)cell;
  for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
    i32 q = g->clues_of[i];
    g->left[q]--;
    g->need[q] -= value;
    holds &= g->need[q] >= 0 && g->need[q] <= g->left[q];
  }
  return holds;
}

/* Unit propagation from a place of the trail on; 0 at a conflict. */
static i32 propagate(Guess *g, i32 from) {
  for (; from < g->trail_size; from++) {
    i32 cell = g->trail[from];
    for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
      i32 q = g->clues_of[i];
      if (!g->left[q] || (g->need[q] && g->need[q] != g->left[q])) continue;
      i32 value = g->need[q] > 0;
      for (i32 k = g->first_cell[q]; k < g->first_cell[q + 1]; k++)
        if (g->value[g->cells_of[k]] < 0 && !assign(g, g->cells_of[k], value)) return 0;
    }
  }
  return 1;
}

static void undo(Guess *g, i32 size) {
  while (g->trail_size > size) {
    i32 cell = g->trail[--g->trail_size];
    for (i32 i = g->first_clue[cell]; i < g->first_clue[cell + 1]; i++) {
      i32 q = g->clues_of[i];
      g->left[q]++;
      g->need[q] += g->value[cell];
    }
    g->value[cell] = -1;
  }
}

/* A cell of the open clue with the fewest cells left, any cell where no clue is open, or -1. */
static i32 pick_cell(const Guess *g) {
  i32 clue = -1;
  for (i32 q = 0; q < g->clues; q++)
    if (g->left[q] && (clue < 0 || g->left[q] < g->left[clue])) clue = q;
  i32 from = clue < 0 ? 0 : g->first_cell[clue], to = clue < 0 ? g->cells : g->first_cell[clue + 1];
  for (i32 k = from; k < to; k++) {
    i32 cell = clue < 0 ? k : g->cells_of[k];
    if (g->value[cell] < 0) return cell;
  }
  return -1;
}

static void keep_layout(Guess *g) {
  u64 *bits = g->layout + (size_t)g->layouts++ * (size_t)g->words;
  memset(bits, 0, sizeof(u64) * (size_t)g->words);
  for (i32 c = 0; c < g->cells; c++)
    bits[c >> 6] |= (u64)(g->value[c] == 1) << (c & 63);
}

/* The other value of the last decision that has one left; 0 where there is none. */
static i32 turn_back(Guess *g) {
  while (g->depth) {
    i32 cell = g->decided[--g->depth], tried = g->value[cell], at = g->decided_at[g->depth];
    undo(g, at);
    if (tried == 1) continue;
    g->decided[g->depth] = (i16)cell;
    g->decided_at[g->depth++] = at;
    if (assign(g, cell, 1) && propagate(g, at)) return 1;
  }
  return 0;
}

static i32 count_around(const Guess *g, i32 cell, i32 layout) {
  const u64 *bits = g->layout + (size_t)layout * (size_t)g->words;
  const u64 *near = g->around + (size_t)cell * (size_t)g->words;
  i32 count = 0;
  for (i32 w = 0; w < g->words; w++) count += popcount64(bits[w] & near[w]);
  return count;
}

static i32 is_mine(const Guess *g, i32 cell, i32 layout) {
  return (i32)(g->layout[(size_t)layout * (size_t)g->words + (size_t)(cell >> 6)] >> (cell & 63) & 1);
}

/* What every cell shows in every layout, and room for the table. */
static i32 prepare(Guess *g) {
  i16 named[MINES_CELLS + 1];
  size_t n = (size_t)g->layouts;
  if (!ARENA_TAKE(&g->arena, g->out, n * (size_t)g->cells + 1) ||
      !ARENA_TAKE(&g->arena, g->play, n + 1) || !ARENA_TAKE(&g->arena, g->play_stack, 2 * n + 2))
    return TOO_LARGE;
  for (i32 c = 0; c < g->cells; c++) {
    u8 *column = g->out + n * (size_t)c;
    i16 names = 0;
    memset(named, -1, sizeof named);
    for (i32 l = 0; l < g->layouts; l++) {
      i32 shown = g->secret[c] ? 0 : count_around(g, c, l);
      if (is_mine(g, c, l)) {
        column[l] = MINED;
        continue;
      }
      if (named[shown] < 0) {
        if (names == MINED) return TOO_LARGE;
        named[shown] = names++;
      }
      column[l] = (u8)named[shown];
    }
  }
  size_t room = (size_t)(g->arena.high - g->arena.low) / 2;
  g->table_size = 1024;
  while ((size_t)g->table_size * 2 * sizeof(Entry) <= room && g->table_size < 1 << 20)
    g->table_size *= 2;
  if (!ARENA_TAKE(&g->arena, g->table, g->table_size)) return TOO_LARGE;
  memset(g->table, 0, sizeof(Entry) * (size_t)g->table_size);
  g->listed = 1;
  return DONE;
}

EXPORT(i32, mines_guess_list)(u8 *work, i32 budget) {
  if (!seal_holds(work, GUESSING)) return BAD;
  Guess *g = (Guess *)work;
  if (g->listed) return DONE;
  for (i64 spent = 0; spent < budget; spent += g->clues + g->cells) {
    if (++g->nodes > SEARCHED) return TOO_LARGE;
    i32 cell = pick_cell(g);
    if (cell >= 0) {
      i32 at = g->decided_at[g->depth] = g->trail_size;
      g->decided[g->depth++] = (i16)cell;
      if (assign(g, cell, 0) && propagate(g, at)) continue;
    } else {
      if (g->layouts == g->most) return TOO_LARGE;
      keep_layout(g);
    }
    if (!turn_back(g)) return g->layouts ? prepare(g) : 0;
  }
  return AGAIN;
}

/* ---------------------------------------------------------------- states */

static u64 mix(u64 hash, u64 x) { return random_mix((hash ^ x) * 0x9E3779B97F4A7C15ull + (hash >> 7)); }

static const u8 *column_of(const Guess *g, i32 cell) {
  return g->out + (size_t)cell * (size_t)g->layouts;
}

static i32 give_up(Guess *g) {
  g->stop = g->unsettled = 1;
  return 0;
}

/* Shell sort of `order` by `key`, then by the order itself, which keeps equal keys as they are. */
static void sort_by(i32 *order, i32 count, const u64 *key) {
  for (i32 gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (i32 i = gap; i < count; i++) {
      i32 moved = order[i], j = i;
      for (; j >= gap; j -= gap) {
        i32 other = order[j - gap];
        if (key[other] < key[moved] || (key[other] == key[moved] && other < moved)) break;
        order[j] = other;
      }
      order[j] = moved;
    }
}

/* Numbers the rows 0, 1, ... by what they show in all those cells together; `class` takes them.
 * Returns how many numbers there are, or -1 without room. */
static i32 classify(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 *class) {
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

static i32 best(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth);

/* The rows by class, one class after the other; `start` takes the places, classes + 1 of them. */
static void group_rows(const i32 *rows, i32 n, const i32 *class, i32 classes, i32 *start,
                       i32 *grouped) {
  memset(start, 0, sizeof(i32) * (size_t)(classes + 1));
  for (i32 i = 0; i < n; i++) start[class[i] + 1]++;
  for (i32 c = 0; c < classes; c++) start[c + 1] += start[c];
  for (i32 i = 0; i < n; i++) grouped[start[class[i]]++] = rows[i];
  for (i32 c = classes; c > 0; c--) start[c] = start[c - 1];
  start[0] = 0;
}

/* After all informing safe cells have been opened. */
static i32 open_safe(Guess *g, const i32 *rows, i32 n, const i16 *safe, i32 safes, const i16 *rest,
                     i32 k, i32 depth) {
  i32 *class, *start, *grouped, won = 0;
  if (!ARENA_TAKE(&g->arena, class, n) || !ARENA_TAKE(&g->arena, start, n + 1) ||
      !ARENA_TAKE(&g->arena, grouped, n))
    return give_up(g);
  i32 classes = classify(g, rows, n, safe, safes, class);
  if (classes < 0) return give_up(g);
  group_rows(rows, n, class, classes, start, grouped);
  for (i32 c = 0; c < classes && !g->stop; c++)
    won += best(g, grouped + start[c], start[c + 1] - start[c], rest, k, depth);
  return won;
}

/* One state in normal form: rows in order, one cell for equal columns, a bit set an answer. */
typedef struct State {
  i32 *rows, n, k, words;
  i16 *cells;
  i32 *first; /* cell -> its answers, k + 1 of them */
  u64 *bits;  /* answer -> rows */
  u64 *safe;  /* cell -> rows */
  i32 *size, *bound; /* per answer: rows, and the most that play can win of them */
  u64 key[2];
} State;

static i32 order_rows(Guess *g, State *s, const i32 *rows) {
  u64 *row, *next;
  i32 *order, n = s->n;
  if (!ARENA_TAKE(&g->arena, row, n) || !ARENA_TAKE(&g->arena, next, n) ||
      !ARENA_TAKE(&g->arena, order, n))
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
  sort_by(order, n, row);
  for (i32 i = 0; i < n; i++) s->rows[i] = rows[order[i]];
  g->spent += 4 * (i64)n * s->k;
  return 1;
}

/* Equal columns merged, and the key. */
static i32 merge_columns(Guess *g, State *s) {
  u64 *one, *two;
  i32 *order, n = s->n, k = s->k, kept = 0;
  if (!ARENA_TAKE(&g->arena, one, k) || !ARENA_TAKE(&g->arena, two, k) ||
      !ARENA_TAKE(&g->arena, order, k))
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
  sort_by(order, k, one);
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

static i32 make_bits(Guess *g, State *s) {
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
      !ARENA_TAKE(&g->arena, s->safe, words * (size_t)s->k) ||
      !ARENA_TAKE(&g->arena, s->size, answers) || !ARENA_TAKE(&g->arena, s->bound, answers))
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
      s->bits[a * words + (size_t)(i >> 6)] |= 1ull << (i & 63);
      s->safe[(size_t)j * words + (size_t)(i >> 6)] |= 1ull << (i & 63);
      s->size[a]++;
    }
  }
  g->spent += 2 * (i64)s->n * s->k;
  return 1;
}

static i32 count_both(const u64 *a, const u64 *b, i32 words) {
  i32 count = 0;
  for (i32 w = 0; w < words; w++) count += popcount64(a[w] & b[w]);
  return count;
}

/* No play wins more of the rows of one answer. */
static i32 bound_of(const State *s, i32 answer) {
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

/* The bounds of all answers; 1 where they are the plain sizes, since more would cost too much. */
static void bound_answers(Guess *g, State *s) {
  i32 answers = s->first[s->k];
  i64 cost = (i64)answers * s->k * s->words;
  for (i32 a = 0; a < answers; a++)
    s->bound[a] = s->n > 6 && cost < COARSE ? bound_of(s, a) : s->size[a];
  if (s->n > 6 && cost < COARSE) g->spent += cost * 2;
}

static i32 are_independent(const State *s, i32 a, i32 b) {
  const size_t words = (size_t)s->words;
  for (i32 x = s->first[a]; x < s->first[a + 1]; x++)
    for (i32 y = s->first[b]; y < s->first[b + 1]; y++) {
      i64 both = count_both(s->bits + (size_t)x * words, s->bits + (size_t)y * words, s->words);
      if (both * s->n != (i64)s->size[x] * s->size[y]) return 0;
    }
  return 1;
}

static i32 root_of(i16 *parent, i32 a) {
  while (parent[a] != a) a = parent[a] = parent[parent[a]];
  return a;
}

/* The product over independent components, or -1 where there are not two of them. */
static i32 multiply_components(Guess *g, const State *s, i32 depth) {
  i16 *parent, *member;
  i32 *class, *rows, groups = s->k;
  if (s->n < 4 || (i64)s->k * s->k * s->words > COARSE) return -1;
  if (!ARENA_TAKE(&g->arena, parent, s->k) || !ARENA_TAKE(&g->arena, member, s->k) ||
      !ARENA_TAKE(&g->arena, class, s->n) || !ARENA_TAKE(&g->arena, rows, s->n))
    return give_up(g);
  for (i32 a = 0; a < s->k; a++) parent[a] = (i16)a;
  for (i32 a = 0; a < s->k && groups > 1; a++)
    for (i32 b = a + 1; b < s->k; b++) {
      i32 p = root_of(parent, a), q = root_of(parent, b);
      g->spent += s->words;
      if (p == q || are_independent(s, a, b)) continue;
      parent[p] = (i16)q;
      groups--;
    }
  if (groups < 2) return -1;
  for (i32 multiply = 0; multiply < 2; multiply++) {
    i64 product = 1;
    for (i32 r = 0; r < s->k; r++) {
      if (root_of(parent, r) != r) continue;
      i32 members = 0, kept = 0;
      for (i32 a = 0; a < s->k; a++)
        if (root_of(parent, a) == r) member[members++] = s->cells[a];
      i32 classes = classify(g, s->rows, s->n, member, members, class);
      if (classes < 0) return give_up(g);
      if (!multiply) {
        product *= classes;
        if (product > s->n) return -1;
        continue;
      }
      for (i32 i = 0; i < s->n; i++)
        if (class[i] == kept) rows[kept++] = s->rows[i];
      product *= best(g, rows, kept, member, members, depth);
      if (g->stop) return 0;
    }
    if (!multiply && product != s->n) return -1;
    if (multiply) return (i32)product;
  }
  return -1;
}

static Entry *entry_of(Guess *g, const u64 *key) {
  u32 at = (u32)key[0] & (u32)(g->table_size - 1);
  for (; g->table[at].used; at = (at + 1) & (u32)(g->table_size - 1))
    if (g->table[at].first == key[0] && g->table[at].second == key[1]) break;
  return g->table + at;
}

/* The layouts won when that cell is opened; -1 as soon as it cannot be more than `won`. */
static i32 value_of(Guess *g, const State *s, i32 j, i32 won, i32 depth) {
  u8 *mark = g->arena.low;
  const u8 *column = column_of(g, s->cells[j]);
  i32 answers = s->first[j + 1] - s->first[j], total = 0, *class, *start, *grouped;
  i32 *order = NULL, safe = 0;
  i16 *rest;
  if (!ARENA_TAKE(&g->arena, class, s->n) || !ARENA_TAKE(&g->arena, start, answers + 1) ||
      !ARENA_TAKE(&g->arena, grouped, 2 * s->n) || !ARENA_TAKE(&g->arena, order, answers) ||
      !ARENA_TAKE(&g->arena, rest, s->k))
    return give_up(g);
  u8 names = 0;
  memset(g->name, MINED, sizeof g->name);
  i32 *rows = grouped + s->n;
  for (i32 i = 0; i < s->n; i++) {
    u8 x = column[s->rows[i]];
    if (x == MINED) continue;
    if (g->name[x] == MINED) g->name[x] = names++;
    class[safe] = g->name[x];
    rows[safe++] = s->rows[i];
  }
  group_rows(rows, safe, class, answers, start, grouped);
  for (i32 d = 0, at = 0; d < s->k; d++)
    if (d != j) rest[at++] = s->cells[d];
  for (i32 a = 0; a < answers; a++) {
    total += s->bound[s->first[j] + a];
    i32 at = a;
    for (; at && s->size[s->first[j] + order[at - 1]] > s->size[s->first[j] + a]; at--)
      order[at] = order[at - 1];
    order[at] = a;
  }
  for (i32 i = 0; i < answers && !g->stop; i++) {
    i32 a = order[i];
    if (total <= won) {
      total = -1;
      break;
    }
    total += best(g, grouped + start[a], start[a + 1] - start[a], rest, s->k - 1, depth) -
             s->bound[s->first[j] + a];
  }
  g->arena.low = mark;
  return total;
}

static i32 search(Guess *g, const State *s, i32 depth) {
  u64 *key;
  i32 *order, won = multiply_components(g, s, depth);
  if (g->stop || won >= 0) return won;
  if (!ARENA_TAKE(&g->arena, key, s->k) || !ARENA_TAKE(&g->arena, order, s->k)) return give_up(g);
  for (i32 j = 0; j < s->k; j++) {
    u64 bound = 0;
    for (i32 a = s->first[j]; a < s->first[j + 1]; a++) bound += (u64)s->bound[a];
    key[j] = (u64)s->n - bound;
    order[j] = j;
  }
  sort_by(order, s->k, key);
  for (i32 i = 0; i < s->k && !g->stop && s->n - (i32)key[order[i]] > won; i++)
    won = max32(won, value_of(g, s, order[i], won, depth));
  return won;
}

/* Separates informing safe cells and cells that are neither safe nor mines in all rows. */
static void sort_cells(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i16 *safe,
                       i32 *safes, i16 *open, i32 *opens) {
  *safes = *opens = 0;
  for (i32 j = 0; j < k; j++) {
    const u8 *column = column_of(g, cells[j]);
    i32 mines = 0, first = MINED, differs = 0;
    for (i32 i = 0; i < n; i++) {
      i32 x = column[rows[i]];
      mines += x == MINED;
      if (first == MINED) first = x;
      differs |= x != first;
    }
    if (!mines && differs) safe[(*safes)++] = cells[j];
    if (mines && mines < n) open[(*opens)++] = cells[j];
  }
  g->spent += (i64)n * k;
}

static i32 solve_state(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth) {
  i16 *safe, *open;
  i32 safes, opens;
  if (!ARENA_TAKE(&g->arena, safe, k) || !ARENA_TAKE(&g->arena, open, k)) return give_up(g);
  sort_cells(g, rows, n, cells, k, safe, &safes, open, &opens);
  if (safes) return open_safe(g, rows, n, safe, safes, open, opens, depth + 1);
  if (!opens) return n;
  if (n == 2) return 1;
  State s = {.n = n, .k = opens, .cells = open};
  if (!ARENA_TAKE(&g->arena, s.rows, n) || !order_rows(g, &s, rows) || !merge_columns(g, &s))
    return give_up(g);
  Entry *held = entry_of(g, s.key);
  if (held->used) return held->won;
  if (!make_bits(g, &s)) return give_up(g);
  bound_answers(g, &s);
  i32 won = search(g, &s, depth + 1);
  if (g->stop) return 0;
  if (g->stored * 4 > g->table_size * 3) return give_up(g);
  g->stored++;
  *entry_of(g, s.key) = (Entry){s.key[0], s.key[1], won, 1};
  if (g->spent > g->budget) g->stop = 1;
  return won;
}

static i32 best(Guess *g, const i32 *rows, i32 n, const i16 *cells, i32 k, i32 depth) {
  if (n < 2) return n;
  if (g->stop) return 0;
  if (depth > DEPTH) return give_up(g);
  u8 *mark = g->arena.low;
  i32 won = solve_state(g, rows, n, cells, k, depth);
  g->arena.low = mark;
  return won;
}

/* ---------------------------------------------------------------- questions about a candidate */

enum { ANY, NO_MINE, NO_MINE_AROUND };

/* The rows that count for a candidate: it is no mine, and by the rule of the first click none of
 * its neighbours is. */
static i32 rows_for(const Guess *g, i32 cell, i32 first, i32 *rows) {
  i32 n = 0;
  for (i32 l = 0; l < g->layouts; l++) {
    if (column_of(g, cell)[l] == MINED) continue;
    if (first == NO_MINE_AROUND && (g->blocked[cell] || count_around(g, cell, l))) continue;
    rows[n++] = l;
  }
  return n;
}

/* A state of those rows with one answer a number of that cell; its other cells in `cells`. */
static i32 exact_value(Guess *g, i32 cell, const i32 *rows, i32 n) {
  i16 *cells, self[1] = {(i16)cell};
  if (!ARENA_TAKE(&g->arena, cells, g->cells)) return give_up(g);
  for (i32 c = 0; c < g->cells; c++) cells[c] = (i16)c;
  return open_safe(g, rows, n, self, 1, cells, g->cells, 0);
}

static i32 upper_bound(Guess *g, i32 cell, const i32 *rows, i32 n) {
  State s = {.n = n};
  if (!ARENA_TAKE(&g->arena, s.rows, n) || !ARENA_TAKE(&g->arena, s.cells, g->cells)) return n;
  memcpy(s.rows, rows, sizeof(i32) * (size_t)n);
  s.cells[s.k++] = (i16)cell;
  for (i32 c = 0; c < g->cells; c++)
    if (c != cell) s.cells[s.k++] = (i16)c;
  if (!make_bits(g, &s)) return n;
  i32 most = 0;
  for (i32 a = s.first[0]; a < s.first[1]; a++) most += bound_of(&s, a);
  return most;
}

/* The safest cell of a segment, or an informing safe one. */
static i32 safest_of(const Guess *g, const i32 *rows, i32 n) {
  i32 found = -1, fewest = n;
  for (i32 c = 0; c < g->cells; c++) {
    const u8 *column = column_of(g, c);
    i32 mines = 0, first = MINED, differs = 0;
    for (i32 i = 0; i < n; i++) {
      i32 x = column[rows[i]];
      mines += x == MINED;
      if (first == MINED) first = x;
      differs |= x != first;
    }
    if (mines < fewest && (mines || differs)) fewest = mines, found = c;
  }
  return found;
}

static void split_segment(Guess *g, i32 *rows, i32 from, i32 to, i32 cell) {
  const u8 *column = column_of(g, cell);
  for (i32 x = 0; from < to && x < MINED; x++) {
    i32 at = from;
    for (i32 i = from; i < to; i++)
      if (column[rows[i]] == x) {
        i32 moved = rows[i];
        rows[i] = rows[at];
        rows[at++] = moved;
      }
    if (at == from) continue;
    g->play_stack[g->play_top++] = from;
    g->play_stack[g->play_top++] = at;
    from = at;
  }
}

/* What the play wins that opens the safest cell each time, after that cell; AGAIN or DONE. */
static i32 play_safest(Guess *g, i32 cell, i32 first) {
  if (g->play_cell != cell || g->play_first != first) {
    g->play_cell = cell;
    g->play_first = first;
    g->play_top = g->play_won = 0;
    split_segment(g, g->play, 0, rows_for(g, cell, first, g->play), cell);
  }
  while (g->play_top) {
    if (g->spent > g->budget) return AGAIN;
    i32 to = g->play_stack[--g->play_top], from = g->play_stack[--g->play_top], n = to - from;
    g->spent += (i64)n * g->cells + 256;
    i32 next = n > 1 ? safest_of(g, g->play + from, n) : -1;
    if (next < 0) g->play_won += n;
    else split_segment(g, g->play, from, to, next);
  }
  return DONE;
}

EXPORT(i32, mines_guess_ask)(u8 *work, i32 bounds, i32 cell, i32 first, i32 budget, i32 *out) {
  if (!seal_holds(work, GUESSING)) return BAD;
  Guess *g = (Guess *)work;
  i32 *rows;
  if (!g->listed || cell < 0 || cell >= g->problem.board_cells || first < ANY ||
      first > NO_MINE_AROUND || g->problem.local_of[cell] < 0)
    return BAD;
  cell = g->problem.local_of[cell];
  u8 *mark = g->arena.low;
  if (!ARENA_TAKE(&g->arena, rows, g->layouts)) return TOO_LARGE;
  i32 n = rows_for(g, cell, first, rows), status = n ? DONE : NO_CANDIDATE;
  g->spent = g->stop = g->unsettled = 0;
  g->budget = budget;
  out[0] = n;
  out[1] = first == ANY ? g->layouts : n;
  if (n && !bounds) {
    out[2] = out[3] = exact_value(g, cell, rows, n);
    if (g->stop) status = g->unsettled ? UNSETTLED : AGAIN;
  } else if (n) {
    status = play_safest(g, cell, first);
    out[2] = g->play_won;
    if (status == DONE) out[3] = upper_bound(g, cell, rows, n);
  }
  g->arena.low = mark;
  return status;
}

/* ---------------------------------------------------------------- beginning */

static i32 reserve(Guess *g, i32 most) {
  Problem *p = &g->problem;
  size_t cells = (size_t)p->cells + 1, clues = (size_t)p->clues + 1, edges = 1;
  for (i32 q = 0; q < p->clues; q++) edges += (size_t)p->size[q];
  g->cells = p->cells;
  g->clues = p->clues;
  g->words = p->words;
  g->most = most;
  Arena *a = &g->arena;
  size_t bits = cells * (size_t)p->words;
  return ARENA_TAKE(a, g->first_cell, clues) && ARENA_TAKE(a, g->first_clue, cells) &&
         ARENA_TAKE(a, g->cells_of, edges) && ARENA_TAKE(a, g->clues_of, edges) &&
         ARENA_TAKE(a, g->need, clues) && ARENA_TAKE(a, g->left, clues) &&
         ARENA_TAKE(a, g->value, cells) && ARENA_TAKE(a, g->trail, cells) &&
         ARENA_TAKE(a, g->decided, cells) && ARENA_TAKE(a, g->decided_at, cells) &&
         ARENA_TAKE(a, g->around, bits) && ARENA_TAKE(a, g->blocked, cells) &&
         ARENA_TAKE(a, g->secret, cells) &&
         ARENA_TAKE(a, g->layout, (size_t)(most + 1) * (size_t)p->words);
}

static void link_clues(Guess *g) {
  const Problem *p = &g->problem;
  i32 at = 0;
  for (i32 q = 0; q < g->clues; q++) {
    g->first_cell[q] = at;
    g->need[q] = p->need[q];
    g->left[q] = p->size[q];
    for (i32 w = 0; w < p->words; w++)
      for (u64 rest = mask_of(p, q)[w]; rest; rest &= rest - 1)
        g->cells_of[at++] = (i16)(w * 64 + lowest64(rest));
  }
  g->first_cell[g->clues] = at;
  at = 0;
  for (i32 c = 0; c < g->cells; c++) {
    g->first_clue[c] = at;
    for (i32 q = 0; q < g->clues; q++)
      if (mask_of(p, q)[c >> 6] >> (c & 63) & 1) g->clues_of[at++] = (i16)q;
    g->value[c] = p->value[c];
  }
  g->first_clue[g->cells] = at;
}

EXPORT(i32, mines_guess_begin)(const i32 *packed, i32 length, const i16 *state, const u8 *secret,
                               i32 most, u8 *work, i32 size) {
  Board board;
  i32 consistent, status = mines_read_board(&board, packed, length);
  if (status != OK) return status;
  if (most < 1 || most > 1 << 20 || ((uintptr_t)work & 15)) return BAD;
  if (size < (i32)sizeof(Guess) + 64) return TOO_LARGE;
  Guess *g = (Guess *)work;
  seal_break(&g->seal);
  memset(g, 0, sizeof *g);
  g->arena = arena_after(work, sizeof *g, (size_t)size);
  status = mines_read_problem(&g->problem, &board, state, 0, &g->arena, &consistent);
  if (status != OK) return status;
  if (!consistent || !mines_simplify(&g->problem)) return 0;
  if (!reserve(g, most)) return TOO_LARGE;
  link_clues(g);
  memset(g->around, 0, sizeof(u64) * (size_t)g->cells * (size_t)g->words);
  for (i32 c = 0; c < g->cells; c++) {
    i32 cell = g->problem.board_of[c];
    g->blocked[c] = 0;
    g->secret[c] = secret[cell] != 0;
    for (i32 i = board.neighbour_start[cell]; i < board.neighbour_start[cell + 1]; i++) {
      i32 near = g->problem.local_of[board.neighbours[i]];
      if (near >= 0) g->around[(size_t)c * (size_t)g->words + (size_t)(near >> 6)] |= 1ull << (near & 63);
      else if (near == LOCAL_FLAG) g->blocked[c] = 1;
    }
  }
  g->play_cell = -1;
  seal_set(&g->seal, GUESSING, board.cells, board.cells + board.groups);
  return 1;
}
