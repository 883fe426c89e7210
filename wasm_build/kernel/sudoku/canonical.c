/* A canonical form of boards of every shape, complete or not, and their automorphism group, by
 * individualisation and refinement (McKay 1981) on rows, columns and symbols.
 *
 * Colours are 64-bit hashes that do not depend on names or order. A round of refinement mixes into
 * each row what its minirows hold, and the same for columns and symbols:
 *
 *     cell (row r, column c, symbol s)
 *        -> minirow (r, stack of c): sum of mix(column, symbol)   -> row r
 *        -> minicolumn (c, band of r): sum of mix(row, symbol)    -> column c
 *        -> both together                                        -> symbol s
 *
 * On complete grids this alone sees nothing, every line holds every symbol. So minirows and
 * minicolumns start with a seed: how many symbols they share with the others. With it random grids
 * become discrete without a single guess.
 *
 * Where classes remain, the largest is split: each member in turn gets a colour of its own, the
 * children with the least trace are searched. Leaves are compared as whole boards; equal leaves
 * are an automorphism, which prunes by orbits along the first path and jumps back to where the
 * paths parted. A collision of hashes can therefore cost time, never a wrong group.
 *
 * Twins: rows of a band without givens, and bands without any, are interchangeable. They are
 * distinguished by index beforehand and counted by factorials, so that an empty board costs nothing.
 *
 * Cost: O(cells) a round. Sparse boards may need exponentially many leaves; after REFINE_BUDGET cells
 * visited the answer is TOO_LARGE.
 *
 * Rejected: splitting the smallest class (the rows of a singled-out band say nothing new).
 */
#include "shared/sets.h"
#include "sudoku/sudoku.h"

enum {
  VERTICES = 3 * LARGEST,
  MOST_MINI = LARGEST * 6,
  DEEPEST = VERTICES,
  STAY = 1 << 20, /* no jump back */
  ROOM = 4 << 20  /* bytes for children: at most 108 levels of 36 children of 864 bytes */
};
_Static_assert((int)ROOM <= (int)REFINE_WORK, "REFINE_WORK is too small");

typedef struct {
  u64 at[VERTICES]; /* rows 0..N-1, columns N..2N-1, symbols 2N..3N-1 */
} Colours;

typedef struct {
  u8 row[LARGEST], col[LARGEST], symbol[LARGEST]; /* position -> source */
  u8 form[LARGEST * LARGEST];
  u8 path[DEEPEST];
  u64 trace[DEEPEST + 1]; /* per level the children's least; then the colouring's signature */
  i32 length;
} Leaf;

typedef struct {
  u8 row, col, symbol, stack, band;
} Given;

typedef struct {
  i32 R, C, N, stacks, bands, labelled, givens, symbols;
  Given given[LARGEST * LARGEST];
  u8 board[LARGEST * LARGEST];
  u8 occurs[LARGEST];
  u64 seed_row[MOST_MINI], seed_col[MOST_MINI]; /* of minirows and minicolumns */
  Leaf first, best, now;
  i32 have_leaf, gave_up;
  u8 path[DEEPEST];
  u64 trace[DEEPEST + 1];
  u8 orbit[DEEPEST + 1][VERTICES]; /* per level of the first path: a union-find forest */
  u8 *generators;
  i32 made, most;
  u32 *factors;
  i32 factor_count;
  i64 budget; /* cells that refinement may still visit */
  u8 *work;
  i32 used;
} Search;

static Search search;

/* Its own and not shared/random.h's: least forms that people keep depend on every bit of it. */
static inline u64 mix(u64 x) {
  x *= 0x9E3779B97F4A7C15ull;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  return x ^ x >> 29;
}

/* -- seeds ----------------------------------------------------------------------------------- */

/* All minirows, or all minicolumns: number i is part i % parts of line i / parts, and `depth` lines
 * make a chute. */
typedef struct {
  u64 held[MOST_MINI]; /* the symbols in each */
  i32 count, parts, depth;
} Minis;

/* An overlap of up to 36 symbols and a relation of two bits stay below OTHER_KIND, so that minis of
 * the same kind and of the other one never give the same number. */
enum { SAME_KIND = 0, OTHER_KIND = 1024 };

static u64 overlap(u64 a, u64 b, i32 kind, i32 along, i32 across) {
  return mix((u64)(kind + 8 * popcount64(a & b) + 2 * along + across));
}

/* A mini's seed: how much it shares with each of the others, and how these lie to it: `along` in
 * its chute, `across` in the same chute the other way. */
static void seed_minis(const Minis *own, const Minis *other, u64 *seed) {
  for (i32 i = 0; i < own->count; i++) {
    i32 line = i / own->parts, part = i % own->parts, chute = line / own->depth;
    u64 held = own->held[i], sum = 0;
    for (i32 j = 0; j < own->count; j++) {
      i32 next = j / own->parts;
      if (next == line) continue;
      sum += overlap(held, own->held[j], SAME_KIND, next / own->depth == chute,
                     j % own->parts == part);
    }
    for (i32 j = 0; j < other->count; j++)
      sum += overlap(held, other->held[j], OTHER_KIND, j % other->parts == chute,
                     j / other->parts / other->depth == part);
    seed[i] = mix(sum);
  }
}

static void seed_overlaps(Search *s) {
  Minis rows = {{0}, s->N * s->stacks, s->stacks, s->R};
  Minis cols = {{0}, s->N * s->bands, s->bands, s->C};
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    rows.held[g->row * s->stacks + g->stack] |= 1ull << g->symbol;
    cols.held[g->col * s->bands + g->band] |= 1ull << g->symbol;
  }
  seed_minis(&rows, &cols, s->seed_row);
  seed_minis(&cols, &rows, s->seed_col);
}

/* -- refinement ------------------------------------------------------------------------------ */

static i32 distinct(const u64 *values, i32 count) {
  u64 sorted[LARGEST];
  i32 classes = count > 0;
  for (i32 i = 0; i < count; i++) {
    u64 x = values[i];
    i32 j = i;
    for (; j > 0 && sorted[j - 1] > x; j--) sorted[j] = sorted[j - 1];
    sorted[j] = x;
  }
  for (i32 i = 1; i < count; i++) classes += sorted[i] != sorted[i - 1];
  return classes;
}

/* Added before mixing, so that a row, a column and a symbol of one colour say different things, and
 * so does what is said of a mini and by it. Any different numbers would do; forms depend on them. */
enum {
  AS_COLUMN = 77,
  AS_SYMBOL = 177,
  OF_MINIROW = 9,
  OF_MINICOLUMN = 19,
  NEW_COLUMN = 1,
  NEW_SYMBOL = 2
};

static void refine_round(const Search *s, Colours *colours) {
  i32 N = s->N;
  u64 *row = colours->at, *col = row + N, *symbol = col + N;
  u64 xr[LARGEST], xc[LARGEST], xs[LARGEST], band[LARGEST] = {0}, stack[LARGEST] = {0};
  u64 mini_row[MOST_MINI], mini_col[MOST_MINI], seen[LARGEST] = {0};
  memcpy(mini_row, s->seed_row, sizeof(u64) * (size_t)(N * s->stacks));
  memcpy(mini_col, s->seed_col, sizeof(u64) * (size_t)(N * s->bands));
  for (i32 i = 0; i < N; i++) {
    xr[i] = mix(row[i]), xc[i] = mix(col[i] + AS_COLUMN);
    xs[i] = mix(symbol[i] + AS_SYMBOL);
    band[i / s->R] += xr[i];
    stack[i / s->C] += xc[i];
  }
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    mini_row[g->row * s->stacks + g->stack] += mix(xc[g->col] + xs[g->symbol]);
    mini_col[g->col * s->bands + g->band] += mix(xr[g->row] ^ xs[g->symbol]);
  }
  for (i32 r = 0; r < N; r++)
    for (i32 t = 0; t < s->stacks; t++)
      mini_row[r * s->stacks + t] = mix(mini_row[r * s->stacks + t] + mix(xr[r] + 3 * stack[t]));
  for (i32 c = 0; c < N; c++)
    for (i32 b = 0; b < s->bands; b++)
      mini_col[c * s->bands + b] = mix(mini_col[c * s->bands + b] + mix(xc[c] + 5 * band[b]));
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    seen[g->symbol] += mix(mini_row[g->row * s->stacks + g->stack] ^
                           mini_col[g->col * s->bands + g->band] << 1);
  }
  for (i32 i = 0; i < N; i++) {
    u64 h = 0, w = 0;
    for (i32 t = 0; t < s->stacks; t++) h += mix(mini_row[i * s->stacks + t] + OF_MINIROW);
    for (i32 b = 0; b < s->bands; b++) w += mix(mini_col[i * s->bands + b] + OF_MINICOLUMN);
    row[i] = mix(row[i] + h + mix(band[i / s->R]));
    col[i] = mix(col[i] + w + mix(stack[i / s->C]) + NEW_COLUMN);
    symbol[i] = mix(symbol[i] + seen[i] + NEW_SYMBOL);
  }
}

static u64 signature(const Search *s, const Colours *c) {
  u64 sum = 0;
  for (i32 i = 0; i < 3 * s->N; i++) sum += mix(c->at[i] + 1 + (u64)(i / s->N));
  return sum;
}

/* Rounds until the classes stop growing; 1 if every row and column has its own colour. */
static i32 refine(Search *s, Colours *colours) {
  i32 N = s->N, before = -1;
  for (;;) {
    s->budget -= s->givens + 4 * N * (s->stacks + s->bands);
    refine_round(s, colours);
    i32 rows = distinct(colours->at, N), cols = distinct(colours->at + N, N);
    if (rows == N && cols == N) return 1;
    i32 all = rows + cols + distinct(colours->at + 2 * N, N);
    if (all == before) return 0;
    before = all;
  }
}

/* -- leaves ---------------------------------------------------------------------------------- */

/* Lines in the order of colours: chutes by their least colour, lines inside by their own. */
static void sort_lines(const u64 *colour, i32 N, i32 lines, u8 *out) {
  u64 least[LARGEST];
  for (i32 i = 0; i < N; i++)
    if (i % lines == 0 || colour[i] < least[i / lines]) least[i / lines] = colour[i];
  for (i32 i = 0; i < N; i++) {
    i32 j = i;
    for (; j > 0; j--) {
      i32 a = out[j - 1] / lines, b = i / lines;
      i32 later = a == b ? colour[out[j - 1]] > colour[i] : least[a] > least[b];
      if (!later) break;
      out[j] = out[j - 1];
    }
    out[j] = (u8)i;
  }
}

static void write_leaf(Search *s, const Colours *c, i32 depth) {
  Leaf *leaf = &s->now;
  i32 N = s->N, next = 0;
  u8 label[LARGEST] = {0};
  sort_lines(c->at, N, s->R, leaf->row);
  sort_lines(c->at + N, N, s->C, leaf->col);
  if (s->labelled)
    for (i32 i = 0; i < N; i++) label[i] = (u8)(i + 1), leaf->symbol[i] = (u8)i;
  for (i32 r = 0; r < N; r++)
    for (i32 k = 0; k < N; k++) {
      i32 value = s->board[leaf->row[r] * N + leaf->col[k]];
      if (value && !label[value - 1]) {
        leaf->symbol[next] = (u8)(value - 1);
        label[value - 1] = (u8)++next;
      }
      leaf->form[r * N + k] = value ? label[value - 1] : 0;
    }
  for (i32 i = 0; i < N; i++) /* symbols that do not occur come last */
    if (!label[i]) leaf->symbol[next++] = (u8)i;
  leaf->length = depth;
  memcpy(leaf->path, s->path, (size_t)depth);
  memcpy(leaf->trace, s->trace, sizeof(u64) * (size_t)depth);
  leaf->trace[depth] = signature(s, c);
}

static i32 compare_traces(const u64 *a, const u64 *b, i32 count) {
  for (i32 i = 0; i < count; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

static i32 compare_leaves(const Leaf *a, const Leaf *b, i32 cells) {
  i32 n = min32(a->length, b->length), c = compare_traces(a->trace, b->trace, n);
  if (c) return c;
  if (a->length != b->length) return a->length < b->length ? -1 : 1;
  c = compare_traces(a->trace + n, b->trace + n, 1);
  return c ? c : memcmp(a->form, b->form, (size_t)cells);
}

/* -- automorphisms --------------------------------------------------------------------------- */

static i32 join(u8 *forest, u8 a, u8 b) {
  if (small_sets_root(forest, a) == small_sets_root(forest, b)) return 0;
  small_sets_join(forest, a, b);
  return 1;
}

static i32 shared(const Leaf *a, const Leaf *b) {
  i32 i = 0, n = min32(a->length, b->length);
  while (i < n && a->path[i] == b->path[i]) i++;
  return i;
}

/* Where the automorphism `from` -> `to` takes a vertex. */
static i32 image(const Search *s, const Leaf *from, const Leaf *to, i32 vertex) {
  i32 kind = vertex / s->N, at = vertex % s->N;
  const u8 *x = kind == 0 ? from->row : kind == 1 ? from->col : from->symbol;
  const u8 *y = kind == 0 ? to->row : kind == 1 ? to->col : to->symbol;
  i32 i = 0;
  while (x[i] != at) i++;
  return kind * s->N + y[i];
}

static u8 *next_generator(Search *s) {
  if (s->made == s->most) return 0;
  i32 N = s->N;
  u8 *map = s->generators + (3 * N + 2) * s->made++;
  map[0] = 0;
  for (i32 i = 0; i < N; i++) map[1 + i] = map[1 + N + i] = (u8)i;
  for (i32 i = 0; i <= N; i++) map[1 + 2 * N + i] = (u8)i;
  return map;
}

static void write_generator(Search *s, const Leaf *from, const Leaf *to) {
  u8 *map = next_generator(s);
  i32 N = s->N;
  if (!map) return;
  for (i32 i = 0; i < N; i++) {
    map[1 + from->row[i]] = to->row[i];
    map[1 + N + from->col[i]] = to->col[i];
    if (s->occurs[from->symbol[i]]) map[2 + 2 * N + to->symbol[i]] = (u8)(from->symbol[i] + 1);
  }
}

/* Two equal leaves: joins orbits, keeps a generator if it says something new; the depth to return
 * to, where the two paths part. */
static i32 note_automorphism(Search *s, const Leaf *twin) {
  const Leaf *now = &s->now;
  i32 with_first = shared(now, &s->first), with_twin = shared(now, twin), fresh = 0;
  for (i32 i = 0; i < with_twin; i++) /* only a collision of hashes could break this */
    if (image(s, twin, now, now->path[i]) != now->path[i]) return STAY;
  for (i32 level = 0; level <= min32(with_first, with_twin); level++)
    for (i32 i = 0; i < s->N; i++) {
      fresh |= join(s->orbit[level], twin->row[i], now->row[i]);
      fresh |= join(s->orbit[level], s->N + twin->col[i], s->N + now->col[i]);
      fresh |= join(s->orbit[level], 2 * s->N + twin->symbol[i], 2 * s->N + now->symbol[i]);
    }
  if (fresh) write_generator(s, twin, now);
  return with_twin;
}

static i32 reach_leaf(Search *s, const Colours *c, i32 depth) {
  i32 cells = s->N * s->N;
  write_leaf(s, c, depth);
  if (!s->have_leaf) {
    s->have_leaf = 1;
    s->first = s->best = s->now;
    return STAY;
  }
  if (!compare_leaves(&s->now, &s->first, cells)) return note_automorphism(s, &s->first);
  i32 order = compare_leaves(&s->now, &s->best, cells);
  if (order < 0) s->best = s->now;
  return order == 0 ? note_automorphism(s, &s->best) : STAY;
}

/* -- the search ------------------------------------------------------------------------------ */

/* The members of the largest class, ties by the least colour. */
static i32 largest_class(const Search *s, const Colours *c, u8 *members) {
  i32 most = 1, count = 0;
  u64 colour = 0;
  for (i32 i = 0; i < 3 * s->N; i++) {
    if (i >= 2 * s->N && !s->occurs[i - 2 * s->N]) continue;
    i32 n = 0;
    for (i32 j = 0; j < 3 * s->N; j++) n += c->at[j] == c->at[i];
    if (n > most || (n == most && n > 1 && c->at[i] < colour)) most = n, colour = c->at[i];
  }
  if (most == 1) return 0;
  for (i32 i = 0; i < 3 * s->N; i++)
    if (c->at[i] == colour) members[count++] = (u8)i;
  return count;
}

typedef struct {
  Colours *child;
  u8 vertex[VERTICES], discrete[VERTICES];
  i32 count;
  u64 trace;
} Family;

/* The children of a node with the least trace (discrete ones first). */
static i32 make_children(Search *s, const Colours *parent, Family *f) {
  u8 members[VERTICES];
  i32 count = largest_class(s, parent, members);
  f->count = 0;
  f->trace = ~0ull;
  f->child = (Colours *)(s->work + s->used);
  i32 bytes = (i32)sizeof(Colours) * (count + 1);
  if (count == 0 || s->used + bytes > ROOM || s->budget < 0) return 0;
  s->used += bytes;
  for (i32 i = 0; i < count; i++) {
    Colours *c = &f->child[f->count];
    *c = *parent;
    c->at[members[i]] = mix(c->at[members[i]] + 0xABCDEF);
    i32 discrete = refine(s, c);
    u64 trace = signature(s, c) >> 1 | (discrete ? 0 : 1ull << 63);
    if (trace > f->trace) continue;
    if (trace < f->trace) {
      if (f->count) f->child[0] = *c;
      f->count = 0;
      f->trace = trace;
    }
    f->vertex[f->count] = members[i];
    f->discrete[f->count++] = (u8)discrete;
  }
  return 1;
}

/* Neither along the first path nor able to beat the best leaf? */
static i32 hopeless(const Search *s, i32 depth) {
  if (!s->have_leaf) return 0;
  if (depth < s->first.length && !compare_traces(s->trace, s->first.trace, depth + 1)) return 0;
  return compare_traces(s->trace, s->best.trace, min32(depth + 1, s->best.length)) > 0;
}

static i32 seen_in_orbit(Search *s, const Family *f, i32 depth, i32 i) {
  for (i32 j = 0; j < i; j++)
    if (small_sets_root(s->orbit[depth], f->vertex[j]) == small_sets_root(s->orbit[depth], f->vertex[i])) return 1;
  return 0;
}

/* Returns the depth to jump back to, or STAY. */
static i32 descend(Search *s, const Colours *c, i32 discrete, i32 depth, i32 on_first) {
  if (discrete) return reach_leaf(s, c, depth);
  i32 used = s->used, jump = STAY, orbit = 0;
  Family f;
  if (depth == DEEPEST || !make_children(s, c, &f)) {
    s->gave_up = 1;
    return STAY;
  }
  s->trace[depth] = f.trace;
  if (on_first)
    small_sets_alone(s->orbit[depth], 3 * s->N);
  if (on_first || !hopeless(s, depth))
    for (i32 i = 0; i < f.count && !s->gave_up; i++) {
      if (on_first && seen_in_orbit(s, &f, depth, i)) continue;
      s->path[depth] = f.vertex[i];
      s->trace[depth] = f.trace;
      i32 back = descend(s, &f.child[i], f.discrete[i], depth + 1, on_first && i == 0);
      if (back < depth) {
        jump = back;
        break;
      }
    }
  if (on_first) {
    for (i32 i = 0; i < f.count; i++)
      orbit += small_sets_root(s->orbit[depth], f.vertex[i]) == small_sets_root(s->orbit[depth], f.vertex[0]);
    if (orbit > 1) s->factors[++s->factor_count] = (u32)orbit;
  }
  s->used = used;
  return jump;
}

/* -- twins ----------------------------------------------------------------------------------- */

static void swap_lines(Search *s, i32 by_row, i32 a, i32 b, i32 count) {
  u8 *map = next_generator(s);
  if (!map) return;
  u8 *line = map + 1 + (by_row ? 0 : s->N);
  for (i32 i = 0; i < count; i++) line[a + i] = (u8)(b + i), line[b + i] = (u8)(a + i);
}

/* Colours for lines without givens by index; their factorials become factors. */
static void mark_twins(Search *s, u64 *colour, const u8 *filled, i32 lines, i32 by_row) {
  i32 empty_chutes = 0, last_chute = 0;
  for (i32 h = 0; h < s->N / lines; h++) {
    i32 empty = 0, last = 0;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) {
      if (filled[i]) continue;
      colour[i] += mix(1000 + (u64)empty);
      if (empty++) {
        s->factors[++s->factor_count] = (u32)empty;
        swap_lines(s, by_row, last, i, 1);
      }
      last = i;
    }
    if (empty < lines) continue;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) colour[i] += mix(2000 + (u64)empty_chutes);
    if (empty_chutes++) {
      s->factors[++s->factor_count] = (u32)empty_chutes;
      swap_lines(s, by_row, last_chute, h * lines, lines);
    }
    last_chute = h * lines;
  }
}

static void read_board(Search *s, const u8 *board, Colours *start) {
  u8 filled[2][LARGEST] = {{0}};
  i32 N = s->N;
  memcpy(s->board, board, (size_t)(N * N));
  memset(s->occurs, 0, sizeof s->occurs);
  s->givens = 0;
  for (i32 i = 0; i < N * N; i++) {
    if (!board[i]) continue;
    i32 r = i / N, c = i % N;
    s->given[s->givens++] =
        (Given){(u8)r, (u8)c, (u8)(board[i] - 1), (u8)(c / s->C), (u8)(r / s->R)};
    s->occurs[board[i] - 1] = filled[0][r] = filled[1][c] = 1;
  }
  i32 absent = 0;
  for (i32 i = 0; i < N; i++) {
    start->at[i] = 1, start->at[N + i] = 2;
    start->at[2 * N + i] = s->labelled ? mix(300 + (u64)i) : 3;
    if (!s->occurs[i]) start->at[2 * N + i] = mix(500 + (u64)absent++); /* never tied */
  }
  mark_twins(s, start->at, filled[0], s->R, 1);
  mark_twins(s, start->at + N, filled[1], s->C, 0);
}

EXPORT(i32, sudoku_shape_refine)(i32 R, i32 C, const u8 *board, i32 labelled, u8 *form, u8 *map,
                                 u32 *factors, u8 *generators, i32 most, u8 *work, i32 room) {
  Search *s = &search;
  static Colours start;
  if (most < 0 || room < REFINE_WORK) return BAD;
  if (sudoku_shape_conflict(R, C, board) != 0) return BAD;
  s->R = R, s->C = C, s->N = R * C, s->stacks = R, s->bands = C, s->labelled = labelled != 0;
  s->have_leaf = s->gave_up = s->made = s->factor_count = s->used = 0;
  s->generators = generators, s->most = most, s->factors = factors, s->work = work;
  s->budget = REFINE_BUDGET;
  read_board(s, board, &start);
  seed_overlaps(s);
  i32 discrete = refine(s, &start), N = s->N;
  descend(s, &start, discrete, 0, 1);
  if (s->gave_up) return TOO_LARGE;
  factors[0] = (u32)s->factor_count;
  const Leaf *best = &s->best;
  memcpy(form, best->form, (size_t)(N * N));
  map[0] = 0;
  memcpy(map + 1, best->row, (size_t)N);
  memcpy(map + 1 + N, best->col, (size_t)N);
  map[1 + 2 * N] = 0;
  for (i32 i = 0; i < N; i++) map[2 + 2 * N + best->symbol[i]] = (u8)(i + 1);
  return s->made;
}
