/* A canonical form of boards of every shape, complete or not, and their automorphism group: those
 * of a graph (structure.c) of rows, columns, symbols, bands, stacks, minirows, minicolumns and
 * givens.
 *
 *     given - minirow - row - band, minirow - stack
 *     given - minicolumn - column - stack, minicolumn - band
 *     given - symbol
 *
 * In complete grids all rows look alike to refinement, as every line holds every symbol. So
 * minirows and minicolumns start with a colour: how many symbols they share with the others. With
 * it random grids need no branching at all.
 *
 * Rows of a band without givens, and bands without any, are interchangeable. They get different
 * colours and are counted by factorials, so that an empty board costs nothing.
 */
#include "shared/arena.h"
#include "sudoku/structure.h"

enum { MOST_MINI = LARGEST * 6, MOST_MAPS = 256 };

typedef struct {
  u8 row, col, symbol, stack, band;
} Given;

typedef struct {
  i32 R, C, N, stacks, bands, givens, points, edges;
  Given given[LARGEST * LARGEST];
  u8 occurs[LARGEST];
  u64 seed_row[MOST_MINI], seed_col[MOST_MINI]; /* of minirows and minicolumns */
  u64 *colours;
  u32 *edge; /* pairs of points */
  u8 *generators;
  i32 made, most;
  u32 *factors;
} Graph;

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

static void seed_overlaps(Graph *s) {
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

/* -- the graph ------------------------------------------------------------------------------- */

static void join(Graph *s, i32 a, i32 b) {
  s->edge[2 * s->edges] = (u32)a;
  s->edge[2 * s->edges++ + 1] = (u32)b;
}

static i32 add(Graph *s, u64 colour) {
  s->colours[s->points] = colour;
  return s->points++;
}

/* Points of bands (or stacks), and of the minis of lines that cross the chutes of the other way. */
static void join_lines(Graph *s) {
  i32 N = s->N, band = s->points;
  for (i32 i = 0; i < s->bands; i++) add(s, mix(4));
  i32 stack = s->points;
  for (i32 i = 0; i < s->stacks; i++) add(s, mix(5));
  for (i32 i = 0; i < N; i++) {
    join(s, i, band + i / s->R);
    join(s, N + i, stack + i / s->C);
  }
  i32 minirow = s->points;
  for (i32 i = 0; i < N * s->stacks; i++) {
    i32 at = add(s, mix(s->seed_row[i] + 6));
    join(s, at, i / s->stacks);
    join(s, at, stack + i % s->stacks);
  }
  i32 minicolumn = s->points;
  for (i32 i = 0; i < N * s->bands; i++) {
    i32 at = add(s, mix(s->seed_col[i] + 7));
    join(s, at, N + i / s->bands);
    join(s, at, band + i % s->bands);
  }
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    i32 at = add(s, mix(8));
    join(s, at, minirow + g->row * s->stacks + g->stack);
    join(s, at, minicolumn + g->col * s->bands + g->band);
    join(s, at, 2 * N + g->symbol);
  }
}

/* The edges as arcs by their first point; 0 if there is no room. */
static i32 list_arcs(const Graph *s, Arena *arena, Structure *out) {
  u32 *starts, *targets, *next;
  if (!ARENA_TAKE(arena, starts, s->points + 1) || !ARENA_TAKE(arena, next, s->points) ||
      !ARENA_TAKE(arena, targets, 2 * s->edges)) return 0;
  memset(starts, 0, (size_t)(s->points + 1) * sizeof *starts);
  for (i32 i = 0; i < 2 * s->edges; i++) starts[s->edge[i] + 1]++;
  for (i32 i = 0; i < s->points; i++) starts[i + 1] += starts[i], next[i] = starts[i];
  for (i32 i = 0; i < 2 * s->edges; i++) targets[next[s->edge[i]]++] = s->edge[i ^ 1];
  *out = (Structure){s->points, s->colours, starts, targets, NULL};
  return 1;
}

/* -- results --------------------------------------------------------------------------------- */

/* Lines in the canonical order: chutes by their first line, lines inside by their own place. */
static void sort_lines(const u32 *place, i32 N, i32 lines, u8 *out) {
  u32 least[LARGEST];
  for (i32 i = 0; i < N; i++)
    if (i % lines == 0 || place[i] < least[i / lines]) least[i / lines] = place[i];
  for (i32 i = 0; i < N; i++) {
    i32 j = i;
    for (; j > 0; j--) {
      i32 a = out[j - 1] / lines, b = i / lines;
      i32 later = a == b ? place[out[j - 1]] > place[i] : least[a] > least[b];
      if (!later) break;
      out[j] = out[j - 1];
    }
    out[j] = (u8)i;
  }
}

static void write_form(const Graph *s, const u8 *board, const u32 *places, i32 labelled, u8 *form,
                       u8 *map) {
  i32 N = s->N;
  u8 next = 0, *rows = map + 1, *cols = rows + N, *label = cols + N; /* label[0] = 0 */
  map[0] = 0;
  memset(label, 0, (size_t)N + 1);
  sort_lines(places, N, s->R, rows);
  sort_lines(places + N, N, s->C, cols);
  for (i32 i = 1; labelled && i <= N; i++) label[i] = (u8)i;
  for (i32 i = 0; i < N * N; i++) {
    u8 value = board[rows[i / N] * N + cols[i % N]];
    if (value && !label[value]) label[value] = ++next;
    form[i] = label[value];
  }
  for (i32 i = 1; i <= N; i++) /* symbols that do not occur come last */
    if (!label[i]) label[i] = ++next;
}

static u8 *next_generator(Graph *s) {
  if (s->made == s->most) return 0;
  i32 N = s->N;
  u8 *map = s->generators + (3 * N + 2) * s->made++;
  map[0] = 0;
  for (i32 i = 0; i < N; i++) map[1 + i] = map[1 + N + i] = (u8)i;
  for (i32 i = 0; i <= N; i++) map[1 + 2 * N + i] = (u8)i;
  return map;
}

static void write_generator(Graph *s, const u32 *image) {
  u8 *map = next_generator(s);
  i32 N = s->N;
  if (!map) return;
  for (i32 i = 0; i < N; i++) {
    map[1 + i] = (u8)image[i];
    map[1 + N + i] = (u8)(image[N + i] - (u32)N);
    map[2 + (i32)image[2 * N + i]] = (u8)(i + 1);
  }
}

static void swap_lines(Graph *s, i32 by_row, i32 a, i32 b, i32 count) {
  u8 *map = next_generator(s);
  if (!map) return;
  u8 *line = map + 1 + (by_row ? 0 : s->N);
  for (i32 i = 0; i < count; i++) line[a + i] = (u8)(b + i), line[b + i] = (u8)(a + i);
}

/* Colours for lines without givens by index; their factorials become factors. */
static void mark_twins(Graph *s, u64 *colour, const u8 *filled, i32 lines, i32 by_row) {
  i32 empty_chutes = 0, last_chute = 0;
  for (i32 h = 0; h < s->N / lines; h++) {
    i32 empty = 0, last = 0;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) {
      if (filled[i]) continue;
      colour[i] += mix(1000 + (u64)empty);
      if (empty++) {
        s->factors[++s->factors[0]] = (u32)empty;
        swap_lines(s, by_row, last, i, 1);
      }
      last = i;
    }
    if (empty < lines) continue;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) colour[i] += mix(2000 + (u64)empty_chutes);
    if (empty_chutes++) {
      s->factors[++s->factors[0]] = (u32)empty_chutes;
      swap_lines(s, by_row, last_chute, h * lines, lines);
    }
    last_chute = h * lines;
  }
}

static void read_board(Graph *s, const u8 *board, i32 labelled) {
  u8 filled[2][LARGEST] = {{0}};
  i32 N = s->N, absent = 0;
  for (i32 i = 0; i < N * N; i++) {
    if (!board[i]) continue;
    i32 r = i / N, c = i % N;
    s->given[s->givens++] =
        (Given){(u8)r, (u8)c, (u8)(board[i] - 1), (u8)(c / s->C), (u8)(r / s->R)};
    s->occurs[board[i] - 1] = filled[0][r] = filled[1][c] = 1;
  }
  for (i32 i = 0; i < 2 * N; i++) add(s, mix(i < N ? 1 : 2));
  for (i32 i = 0; i < N; i++) {
    i32 alone = !s->occurs[i]; /* such symbols are never tied */
    add(s, mix(alone ? 500 + (u64)absent++ : labelled ? 300 + (u64)i : 3));
  }
  mark_twins(s, s->colours, filled[0], s->R, 1);
  mark_twins(s, s->colours + N, filled[1], s->C, 0);
}

EXPORT(i32, sudoku_shape_refine)(i32 R, i32 C, const u8 *board, i32 labelled, u8 *form, u8 *map,
                                 u32 *factors, u8 *generators, i32 most, u8 *work, i32 room) {
  static Graph graph;
  Graph *s = &graph;
  if (most < 0 || room < REFINE_WORK) return BAD;
  if (sudoku_shape_conflict(R, C, board) != 0) return BAD;
  *s = (Graph){.R = R, .C = C, .N = R * C, .stacks = R, .bands = C, .generators = generators,
               .most = most, .factors = factors};
  factors[0] = 0;
  Arena arena = arena_after(work, 0, (size_t)room);
  i32 N = s->N, points = 3 * N + R + C + N * (R + C) + N * N;
  Symmetries found = {.most = MOST_MAPS};
  Structure g;
  if (!ARENA_TAKE(&arena, s->colours, points) || !ARENA_TAKE(&arena, s->edge, 8 * points))
    return TOO_LARGE;
  read_board(s, board, labelled);
  seed_overlaps(s);
  join_lines(s);
  if (!list_arcs(s, &arena, &g) || !ARENA_TAKE(&arena, found.places, s->points) ||
      !ARENA_TAKE(&arena, found.factors, s->points + 1) ||
      !ARENA_TAKE(&arena, found.generators, MOST_MAPS * s->points)) return TOO_LARGE;
  i32 status = structure_search(&g, 0, &found, arena.low, (i32)(arena.high - arena.low));
  if (status != OK) return status;
  for (u32 i = 1; i <= found.factors[0]; i++) factors[++factors[0]] = found.factors[i];
  for (i32 i = 0; i < found.made; i++) write_generator(s, found.generators + i * s->points);
  write_form(s, board, found.places, labelled, form, map);
  return s->made;
}
