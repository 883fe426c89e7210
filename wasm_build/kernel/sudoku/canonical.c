/* A canonical form of boards of every shape, complete or not, and their automorphism group, by a
 * reduction to graphs (structure.c) of rows, columns, symbols, bands, stacks, minirows and
 * minicolumns.
 *
 *     minirow - row - band, minirow - stack
 *     minicolumn - column - stack, minicolumn - band
 *     minirow - symbol, minicolumn - symbol for each given
 *
 * A box holds a symbol at most once, so its minirow and minicolumn determine its cell. On square
 * shapes rows and columns have one colour, so that the group includes transpositions.
 *
 * Refinement alone cannot distinguish the rows of a complete grid, as every line holds every
 * symbol. So minirows and minicolumns have initial colours: how many symbols they share with the
 * others. With them random grids need no branching at all.
 *
 * Rows of a band without givens, and bands without any, are interchangeable. They get different
 * colours and their orders are multiplied in as factorials, so that an empty board costs nothing.
 */
#include "shared/arena.h"
#include "shared/random.h"
#include "sudoku/sudoku.h"

enum { MOST_MINI = LARGEST * 6, MOST_MAPS = 256 };

typedef struct { u8 row, col, symbol, stack, band; } Given;

typedef struct {
  i32 R, C, N, stacks, bands, givens, points, edges;
  Given given[LARGEST * LARGEST];
  u8 occurs[LARGEST];
  u64 seed[2 * MOST_MINI]; /* initial colours of minirows, then minicolumns */
  u64 *colours;
  u32 *edge;             /* pairs of points */
  u32 *starts, *targets; /* arcs, as sudoku_structure reads them */
  u8 *generators;
  i32 made, most;
  u32 *factors;
} Graph;

/* -- initial colours ------------------------------------------------------------------------- */

/* A minirow or a minicolumn: the symbols in it, the chute of its line, its part of the line. */
typedef struct {
  u64 held;
  i32 kind, chute, part;
} Mini;

/* A hash of b as seen from a: shared symbols, whether b crosses a's chute and a's part. */
static u64 hash_of_pair(const Mini *a, const Mini *b) {
  i32 shared = popcount64(a->held & b->held);
  if (a->kind == b->kind)
    return hash_mix((u64)(shared << 3 | (a->chute == b->chute) << 1 | (a->part == b->part)));
  return hash_mix((u64)(shared << 3 | 4 | (a->chute == b->part) << 1 | (a->part == b->chute)));
}

static void compute_seeds(Graph *s) {
  Mini mini[2 * MOST_MINI];
  i32 rows = s->N * s->stacks, count = rows + s->N * s->bands;
  for (i32 i = 0; i < rows; i++) mini[i] = (Mini){0, 0, i / s->stacks / s->R, i % s->stacks};
  for (i32 i = rows; i < count; i++)
    mini[i] = (Mini){0, 1, (i - rows) / s->bands / s->C, (i - rows) % s->bands};
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    mini[g->row * s->stacks + g->stack].held |= 1ull << g->symbol;
    mini[rows + g->col * s->bands + g->band].held |= 1ull << g->symbol;
  }
  memset(s->seed, 0, sizeof s->seed);
  for (i32 i = 0; i < count; i++)
    for (i32 j = 0; j < i; j++) {
      s->seed[i] += hash_of_pair(&mini[i], &mini[j]);
      s->seed[j] += hash_of_pair(&mini[j], &mini[i]);
    }
}

/* -- the graph ------------------------------------------------------------------------------- */

static void add_edge(Graph *s, i32 a, i32 b) {
  s->edge[2 * s->edges] = (u32)a;
  s->edge[2 * s->edges++ + 1] = (u32)b;
}

static i32 add_point(Graph *s, u64 colour) {
  s->colours[s->points] = colour;
  return s->points++;
}

/* Adds the points of bands, stacks, minirows and minicolumns, and all edges. */
static void build_graph(Graph *s) {
  i32 N = s->N, band = s->points;
  for (i32 i = 0; i < s->bands; i++) add_point(s, hash_mix(4));
  i32 stack = s->points;
  for (i32 i = 0; i < s->stacks; i++) add_point(s, hash_mix(s->R == s->C ? 4 : 5));
  for (i32 i = 0; i < N; i++) {
    add_edge(s, i, band + i / s->R);
    add_edge(s, N + i, stack + i / s->C);
  }
  i32 minirow = s->points;
  for (i32 i = 0; i < N * s->stacks; i++) {
    i32 at = add_point(s, hash_mix(s->seed[i] + 6));
    add_edge(s, at, i / s->stacks);
    add_edge(s, at, stack + i % s->stacks);
  }
  i32 minicolumn = s->points;
  for (i32 i = 0; i < N * s->bands; i++) {
    i32 at = add_point(s, hash_mix(s->seed[N * s->stacks + i] + (s->R == s->C ? 6 : 7)));
    add_edge(s, at, N + i / s->bands);
    add_edge(s, at, band + i % s->bands);
  }
  for (i32 i = 0; i < s->givens; i++) {
    const Given *g = &s->given[i];
    add_edge(s, minirow + g->row * s->stacks + g->stack, 2 * N + g->symbol);
    add_edge(s, minicolumn + g->col * s->bands + g->band, 2 * N + g->symbol);
  }
}

/* Lists the edges as arcs by their first point; 0 if there is no room. */
static i32 list_arcs(Graph *s, Arena *arena) {
  u32 *starts, *targets, *next;
  if (!ARENA_TAKE(arena, starts, s->points + 1) || !ARENA_TAKE(arena, next, s->points) ||
      !ARENA_TAKE(arena, targets, 2 * s->edges))
    return 0;
  memset(starts, 0, (size_t)(s->points + 1) * sizeof *starts);
  for (i32 i = 0; i < 2 * s->edges; i++) starts[s->edge[i] + 1]++;
  for (i32 i = 0; i < s->points; i++) starts[i + 1] += starts[i], next[i] = starts[i];
  for (i32 i = 0; i < 2 * s->edges; i++) targets[next[s->edge[i]]++] = s->edge[i ^ 1];
  s->starts = starts, s->targets = targets;
  return 1;
}

/* -- results --------------------------------------------------------------------------------- */

/* Sorts lines into the canonical order: chutes by their least place, then lines by their place. */
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

static u32 least_place(const u32 *place, i32 lines) {
  u32 least = place[0];
  for (i32 i = 1; i < lines; i++)
    if (place[i] < least) least = place[i];
  return least;
}

static void write_form(const Graph *s, const u8 *board, const u32 *places, i32 labelled, u8 *form, u8 *map) {
  i32 N = s->N;
  u8 next = 0, *rows = map + 1, *cols = rows + N, *label = cols + N; /* label[0] = 0 */
  map[0] = s->R == s->C && least_place(places + N, N) < least_place(places, N);
  memset(label, 0, (size_t)N + 1);
  sort_lines(places + (map[0] ? N : 0), N, s->R, rows);
  sort_lines(places + (map[0] ? 0 : N), N, s->C, cols);
  for (i32 i = 1; labelled && i <= N; i++) label[i] = (u8)i;
  for (i32 i = 0; i < N * N; i++) {
    i32 r = rows[i / N], c = cols[i % N];
    u8 value = board[map[0] ? c * N + r : r * N + c];
    if (value && !label[value]) label[value] = ++next;
    form[i] = label[value];
  }
  for (i32 i = 1; i <= N; i++) /* symbols that do not occur come last */
    if (!label[i]) label[i] = ++next;
}

/* Adds the identity map; returns it, NULL if there is no room. */
static u8 *new_generator(Graph *s) {
  if (s->made == s->most) return 0;
  i32 N = s->N;
  u8 *map = s->generators + (3 * N + 2) * s->made++;
  map[0] = 0;
  for (i32 i = 0; i < N; i++) map[1 + i] = map[1 + N + i] = (u8)i;
  for (i32 i = 0; i <= N; i++) map[1 + 2 * N + i] = (u8)i;
  return map;
}

static void write_generator(Graph *s, const u32 *image) {
  u8 *map = new_generator(s);
  i32 N = s->N;
  if (!map) return;
  map[0] = image[0] >= (u32)N;
  for (i32 i = 0; i < N; i++) {
    map[1 + i] = (u8)(image[i] % (u32)N);
    map[1 + N + i] = (u8)(image[N + i] % (u32)N);
    map[2 + (i32)image[2 * N + i]] = (u8)(i + 1);
  }
}

/* Adds a generator that exchanges two runs of `count` lines. */
static void add_swap(Graph *s, i32 by_row, i32 a, i32 b, i32 count) {
  u8 *map = new_generator(s);
  if (!map) return;
  u8 *line = map + 1 + (by_row ? 0 : s->N);
  for (i32 i = 0; i < count; i++) line[a + i] = (u8)(b + i), line[b + i] = (u8)(a + i);
}

/* Distinguishes lines without givens by index; adds the generators and factors of their orders. */
static void colour_empty_lines(Graph *s, u64 *colour, const u8 *filled, i32 lines, i32 by_row) {
  i32 empty_chutes = 0, last_chute = 0;
  for (i32 h = 0; h < s->N / lines; h++) {
    i32 empty = 0, last = 0;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) {
      if (filled[i]) continue;
      colour[i] += hash_mix(1000 + (u64)empty);
      if (empty++) {
        s->factors[++s->factors[0]] = (u32)empty;
        add_swap(s, by_row, last, i, 1);
      }
      last = i;
    }
    if (empty < lines) continue;
    for (i32 i = h * lines; i < (h + 1) * lines; i++) colour[i] += hash_mix(2000 + (u64)empty_chutes);
    if (empty_chutes++) {
      s->factors[++s->factors[0]] = (u32)empty_chutes;
      add_swap(s, by_row, last_chute, h * lines, lines);
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
    s->given[s->givens++] = (Given){(u8)r, (u8)c, (u8)(board[i] - 1), (u8)(c / s->C), (u8)(r / s->R)};
    s->occurs[board[i] - 1] = filled[0][r] = filled[1][c] = 1;
  }
  for (i32 i = 0; i < 2 * N; i++) add_point(s, hash_mix(i < N || s->R == s->C ? 1 : 2));
  for (i32 i = 0; i < N; i++) {
    i32 is_absent = !s->occurs[i]; /* such symbols are never tied */
    add_point(s, hash_mix(is_absent ? 500 + (u64)absent++ : labelled ? 300 + (u64)i : 3));
  }
  colour_empty_lines(s, s->colours, filled[0], s->R, 1);
  colour_empty_lines(s, s->colours + N, filled[1], s->C, 0);
}

EXPORT(i32, sudoku_shape_refine)(i32 R, i32 C, const u8 *board, i32 labelled, u8 *form, u8 *map, u32 *factors,
                                 u8 *generators, i32 most, u8 *work, i32 room) {
  static Graph graph;
  Graph *s = &graph;
  if (most < 0 || room < REFINE_WORK) return BAD;
  if (!sudoku_shape_is_legal(R, C, board)) return BAD;
  *s = (Graph){.R = R,
               .C = C,
               .N = R * C,
               .stacks = R,
               .bands = C,
               .generators = generators,
               .most = most,
               .factors = factors};
  factors[0] = 0;
  Arena arena = arena_after(work, 0, (size_t)room);
  i32 N = s->N, points = 3 * N + R + C + N * (R + C);
  u32 *places, *orbits, *maps;
  if (!ARENA_TAKE(&arena, s->colours, points) || !ARENA_TAKE(&arena, s->edge, 4 * (N + N * (R + C) + N * N)))
    return TOO_LARGE;
  read_board(s, board, labelled);
  compute_seeds(s);
  build_graph(s);
  if (!list_arcs(s, &arena) || !ARENA_TAKE(&arena, places, points) ||
      !ARENA_TAKE(&arena, orbits, points + 1) || !ARENA_TAKE(&arena, maps, MOST_MAPS * points))
    return TOO_LARGE;
  i32 made = sudoku_structure(points, s->colours, s->starts, 2 * s->edges, s->targets, NULL, 0, places,
                              orbits, maps, MOST_MAPS, arena.low, (i32)(arena.high - arena.low));
  if (made < 0) return made;
  for (u32 i = 1; i <= orbits[0]; i++) factors[++factors[0]] = orbits[i];
  for (i32 i = 0; i < made; i++) write_generator(s, maps + i * points);
  write_form(s, board, places, labelled, form, map);
  return s->made;
}
