/* Builds a greedy strategy: at every state the guess with the best score (one-step look-ahead;
 * Knuth 1977 for the worst case, Neuwirth 1982 for entropy).
 *
 * Depth first with an explicit stack; a state is a range of one array of secrets, which its guess
 * sorts by answer. Guesses are filtered by excluded colours and by the symmetries of the guesses so
 * far, with one SymmetryFilter a depth: in depth-first order that of the parent is in place. Both
 * filters keep least members, so ties are decided as without them. One or two secrets, and a secret
 * that separates all others, need no scores; up to FEW_SECRETS secrets go through small_sets.c. A
 * score in doubles with a proven error decides clear cases, the exact one (order.c) the others.
 * Cost: O(guesses secrets / 64) a state.
 *
 * One file, since scoring is inlined into both loops over guesses.
 */
#include "splits.h"

#include "shared/arena.h"

enum { MOST_STATES = 65536, DEPTHS = 24, FIRST = 4 };
enum { TREE = TAG('t', 'r', 'e', 'e') };

typedef struct State {
  u32 from, to, parent;
  u16 depth;
  u8 cell;
} State;

typedef struct Level {
  SymmetryFilter filter;
  i32 idle;   /* the filter keeps every guess */
  i32 listed; /* length of the list of this depth; -1: not yet computed */
} Level;

typedef struct Tree {
  Tag seal;
  Rules rules;
  Code *space;
  i32 count, n, criterion, consistent_only;
  i32 states, nodes, cells;
  i32 by_few; /* small_sets.c applies to small states */
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  u32 solved;
  State *stack;
  Node *node;
  Code *secrets, *sorted;
  u8 *cell_of;
  u32 *lists, *all_guesses;
  u64 *planes, *columns;
  i128 *products;
  i64 *fast;      /* [n]: what a cell of n secrets adds to the fast score */
  u64 *multisets; /* of each guess */
  Few few;
  u64 size_counts[FEW_SECRETS + 1]; /* see size_count */
  Level *levels;
} Tree;

/* Allocates all arrays in `memory`; returns the bytes. With memory 0 it only computes them. */
static size_t allocate(Tree *tree, u8 *memory) {
  Arena arena = arena_after(memory, sizeof *tree, (size_t)INT32_MAX);
  size_t n = (size_t)tree->n, count = (size_t)tree->count;
  ARENA_TAKE(&arena, tree->stack, n + MAX_CELLS);
  ARENA_TAKE(&arena, tree->node, 2 * n + 2);
  ARENA_TAKE(&arena, tree->secrets, n);
  ARENA_TAKE(&arena, tree->sorted, n);
  ARENA_TAKE(&arena, tree->space, count);
  ARENA_TAKE(&arena, tree->cell_of, n);
  ARENA_TAKE(&arena, tree->all_guesses, count);
  ARENA_TAKE(&arena, tree->lists, count * DEPTHS);
  size_t columns = (size_t)code_columns(tree->n);
  ARENA_TAKE(&arena, tree->planes, (size_t)code_plane_rows(&tree->rules) * columns);
  ARENA_TAKE(&arena, tree->columns, (size_t)tree->rules.pegs * columns);
  ARENA_TAKE(&arena, tree->products, n + 1);
  ARENA_TAKE(&arena, tree->fast, n + 1);
  ARENA_TAKE(&arena, tree->multisets, count);
  ARENA_TAKE(&arena, tree->few.run, (size_t)code_few_runs(&tree->rules, tree->count));
  size_t blocks = (size_t)code_few_blocks(&tree->rules, tree->count);
  ARENA_TAKE(&arena, tree->few.places, (size_t)tree->rules.pegs * blocks);
  ARENA_TAKE(&arena, tree->levels, DEPTHS);
  return (size_t)(arena.low - memory);
}

static i32 read_sizes(Tree *tree, i32 packed, i32 count, i32 n) {
  if (!code_read_rules(packed, &tree->rules) || count < 1 || n < 1) return BAD;
  if (count > MOST_STATES || n > MOST_STATES) return TOO_LARGE;
  tree->count = count;
  tree->n = n;
  return OK;
}

EXPORT(i32, code_tree_bytes)(i32 packed, i32 count, i32 n) {
  Tree tree;
  i32 status = read_sizes(&tree, packed, count, n);
  return status == OK ? (i32)allocate(&tree, 0) : status;
}

/* What a cell of n secrets adds to a fast score (with MINMAX the score is the maximum). Criteria
 * other than entropy are multiples of a step that exceeds the tolerance. */
static i64 fast_value(i32 criterion, i32 n) {
  const i64 step = 4 * FAST_ERROR;
  switch (criterion) {
    case ENTROPY: return code_fast_product((u32)n);
    case MINMAX: return n * step;
    case MINAVG: return (i64)n * n * step;
    default: return n ? 0 : step; /* the fewest empty cells */
  }
}

/* A count of cell sizes in 64 bits: six bits for each of the sizes 1 … 10, the rest for larger
 * ones. If no cell is larger, equal sums over the cells are equal multisets of sizes. */
enum { LARGE_SHIFT = 60 };
static u64 size_count(i32 n) { return n < 1 ? 0 : 1ull << (n <= 10 ? 6 * (n - 1) : LARGE_SHIFT); }

EXPORT(i32, code_tree_start)(u8 *memory, i32 packed, const Code *space, i32 count, const Code *secrets, i32 n,
                             const Code *clues, i32 clue_count, i32 criterion, i32 consistent_only) {
  Tree *tree = (Tree *)memory;
  if (!memory || !space || !secrets || ((uintptr_t)memory & 15)) return BAD;
  seal_break(&tree->seal);
  i32 status = read_sizes(tree, packed, count, n);
  if (status != OK) return status;
  if (criterion < 0 || criterion > FIRST || clue_count < 0 || clue_count > MAX_CLUES) return BAD;
  if (!code_all_fit(&tree->rules, space, count)) return BAD;
  if (!code_all_legal(&tree->rules, clues, clue_count, 1)) return BAD;
  if (!code_are_ascending(&tree->rules, secrets, n)) return BAD;
  allocate(tree, memory);
  memcpy(tree->space, space, sizeof(Code) * (size_t)count);
  tree->criterion = criterion;
  tree->consistent_only = consistent_only;
  tree->by_few =
      tree->rules.pegs <= FEW_PEGS && tree->rules.feedback == FULL && !consistent_only && criterion != MINMAX;
  tree->nodes = 0;
  tree->solved = 0;
  tree->cells = code_cells_of(&tree->rules, tree->number);
  memcpy(tree->secrets, secrets, sizeof(Code) * (size_t)n);
  memset(tree->products, 0, sizeof(i128) * ((size_t)n + 1));
  for (i32 i = 0; i <= FEW_SECRETS; i++) tree->size_counts[i] = size_count(i);
  for (i32 i = 0; i <= n; i++) tree->fast[i] = fast_value(criterion, i);
  for (i32 i = 0; i < count; i++) tree->multisets[i] = code_multiset(&tree->rules, space[i]);
  /* scratch: the lists are not in use yet */
  code_few_start(&tree->few, &tree->rules, tree->space, count, tree->fast, n + 1, tree->all_guesses,
                 tree->lists);
  Level *start = &tree->levels[0];
  code_filter_start(&tree->rules, clues, clue_count, &start->filter);
  start->idle = code_filter_is_idle(&tree->rules, &start->filter);
  start->listed = -1;
  tree->stack[0] = (State){0, (u32)n, ~0u, 1, 0};
  tree->states = 1;
  seal_set(&tree->seal, TREE, 0, 0);
  return OK;
}

/* ---- choosing a guess --------------------------------------------------------------------- */

/* The guesses that the filter of this depth keeps, grouped by multiset; listed on first use. */
static const u32 *filtered_guesses(Tree *tree, i32 depth, i32 *many) {
  Level *level = &tree->levels[min32(depth, DEPTHS - 1)];
  if (depth >= DEPTHS || level->idle) {
    *many = tree->count;
    return tree->all_guesses;
  }
  u32 *list = tree->lists + (size_t)depth * (size_t)tree->count;
  if (level->listed < 0)
    level->listed =
        code_filter_list(&tree->rules, &level->filter, tree->space, tree->all_guesses, tree->count, list);
  *many = level->listed;
  return list;
}

typedef struct Best {
  i64 fast;
  i128 score;
  Code guess;
  i32 can, any;
  u64 sizes; /* sum of size_count over the cells, or 0 if not computed */
} Best;

static inline i64 fast_score(const Tree *tree, const u32 *cells) {
  i64 score = 0;
  i32 many = tree->cells;
  for (i32 i = 0; i < many; i++) {
    i64 cell = tree->fast[cells[i]];
    if (tree->criterion != MINMAX) score += cell;
    else if (cell > score) score = cell;
  }
  return score;
}

/* Replaces the best guess by a better one: by the fast score, in close cases by the exact score. */
static inline void update_best(Tree *tree, Best *best, const u32 *cells, Code guess) {
  i64 fast = fast_score(tree, cells);
  if (best->any && fast > best->fast + 2 * FAST_ERROR) return;
  i32 can = cells[tree->cells - 1] > 0; /* the cell of a win */
  i128 score = tree->criterion == ENTROPY ? code_score_of(cells, tree->cells, ENTROPY, tree->products) : fast;
  if (best->any) {
    if (score > best->score) return;
    if (score == best->score && (can < best->can || (can == best->can && guess > best->guess))) return;
  }
  *best = (Best){fast, score, guess, can, 1, 0};
}

/* The same for a guess of a block over few secrets. Nearly all guesses here tie with the best one,
 * most of them with the same cell sizes, which need no score. */
static inline void update_best_lane(Tree *tree, Best *best, const Lanes *cells, u32 lane, Code guess) {
  u32 push_cells[MAX_CELLS];
  i64 fast = 0;
  u64 sizes = 0;
  for (i32 i = 0; i < tree->cells; i++) {
    push_cells[i] = cells[i][lane];
    fast += tree->fast[push_cells[i]];
    sizes += tree->size_counts[push_cells[i]];
  }
  if (best->any && fast > best->fast + 2 * FAST_ERROR) return;
  if (sizes == best->sizes && !(sizes >> LARGE_SHIFT)) {
    i32 can = push_cells[tree->cells - 1] > 0;
    if (can > best->can || (can == best->can && guess < best->guess)) {
      best->can = can;
      best->guess = guess;
    }
    return;
  }
  update_best(tree, best, push_cells, guess);
  if (best->guess == guess) best->sizes = sizes;
}

/* The best guess for few secrets. */
static Code find_best_of_few(Tree *tree, const Code *secrets, i32 n, u32 excluded, i32 *work) {
  Few *few = &tree->few;
  code_few_take(few, secrets, n);
  Best best = {0};
  for (i32 r = 0; r < few->runs; r++) {
    const Run *run = &few->run[r];
    u32 unseen = run->symbols & excluded; /* canonical: the least excluded symbols */
    if (unseen && unseen != (excluded & ~0u >> __builtin_clz(unseen))) continue;
    Common common;
    i64 least = code_few_common(few, run, &common);
    if (best.any && least > best.fast + 4 * FAST_ERROR) continue;
    Lanes cells[MAX_CELLS];
    u32 block = run->block, lanes;
    for (;;) {
      i64 most = best.any ? best.fast + 2 * FAST_ERROR : INT64_MAX;
      if (!(lanes = code_few_next(few, run, &common, &block, most, cells))) break;
      const u32 *place = tree->all_guesses + run->from + (block - 1 - run->block) * SIDE;
      u32 last = (u32)(tree->all_guesses + run->to - place) - 1;
      for (; lanes; lanes &= lanes - 1) {
        u32 lane = (u32)__builtin_ctz(lanes);
        if (lane <= last) update_best_lane(tree, &best, cells, lane, tree->space[place[lane]]);
      }
    }
  }
  *work += tree->count / 4;
  return best.guess;
}

/* The best guess for the secrets of a state. */
static Code find_best_guess(Tree *tree, const Code *secrets, i32 n, i32 depth, i32 *work) {
  u32 excluded = code_excluded(&tree->rules, secrets, n), cells[MAX_CELLS];
  if (tree->by_few && n <= FEW_SECRETS) return find_best_of_few(tree, secrets, n, excluded, work);
  code_fill_planes(&tree->rules, secrets, n, tree->planes, 0, code_columns(n));
  Tally tally;
  code_tally_start(&tally, &tree->rules, tree->planes, n, tree->columns);
  Best best = {0};
  if (tree->consistent_only) {
    for (i32 i = 0; i < n; i++) {
      code_tally_guess(&tally, secrets[i], cells);
      update_best(tree, &best, cells, secrets[i]);
    }
    *work += n * code_columns(n);
    return best.guess;
  }
  i32 many;
  const u32 *list = filtered_guesses(tree, depth - 1, &many);
  for (i32 i = 0; i < many; i++) {
    Code guess = tree->space[list[i]];
    if (excluded && !code_is_least_excluded(&tree->rules, guess, excluded)) continue;
    code_tally_grouped(&tally, guess, tree->multisets[list[i]], cells);
    update_best(tree, &best, cells, guess);
  }
  *work += many * code_columns(n) + many / 4;
  return best.guess;
}

static Code choose_guess(Tree *tree, const State *state, i32 *work) {
  const Code *secrets = tree->secrets + state->from;
  i32 n = (i32)(state->to - state->from);
  if (n <= 2 || tree->criterion == FIRST) return secrets[0];
  if (n <= tree->cells) {
    i32 separating = code_separating(&tree->rules, tree->number, secrets, n);
    if (separating >= 0) return secrets[separating];
  }
  return find_best_guess(tree, secrets, n, state->depth, work);
}

/* 1 if a guess splits the secrets: a given space may have no guess that does. */
static i32 splits_secrets(const Tree *tree, const Code *secrets, i32 n, Code guess) {
  if (!guess) return 0;
  Prober prober = code_prober(&tree->rules, guess);
  i32 first = code_cell(&prober, secrets[0], tree->number);
  for (i32 i = 1; i < n; i++)
    if (code_cell(&prober, secrets[i], tree->number) != first) return 1;
  return 0;
}

/* ---- expansion of states ------------------------------------------------------------------ */

/* Sorts the secrets of a state stably by answer and pushes its cells, but the win. */
static void push_cells(Tree *tree, const State *state, u32 node, Code guess) {
  u32 at[MAX_CELLS + 1] = {0};
  Code *secrets = tree->secrets + state->from;
  i32 n = (i32)(state->to - state->from), win = tree->cells - 1;
  Prober prober = code_prober(&tree->rules, guess);
  for (i32 i = 0; i < n; i++) {
    tree->cell_of[i] = (u8)code_cell(&prober, secrets[i], tree->number);
    at[tree->cell_of[i] + 1]++;
  }
  for (i32 c = 0; c < tree->cells; c++) at[c + 1] += at[c];
  for (i32 c = win - 1; c >= 0; c--)
    if (at[c] < at[c + 1])
      tree->stack[tree->states++] =
          (State){state->from + at[c], state->from + at[c + 1], node, (u16)(state->depth + 1), (u8)c};
  for (i32 i = 0; i < n; i++) tree->sorted[at[tree->cell_of[i]]++] = secrets[i];
  memcpy(secrets, tree->sorted, sizeof(Code) * (size_t)n);
}

static void narrow_filter(Tree *tree, i32 depth, Code guess) {
  if (depth >= DEPTHS) return;
  const Level *above = &tree->levels[depth - 1];
  Level *level = &tree->levels[depth];
  level->idle = above->idle;
  level->listed = -1;
  if (above->idle) return;
  code_filter_narrow(&tree->rules, &above->filter, guess, &level->filter);
  level->idle = code_filter_is_idle(&tree->rules, &level->filter);
}

EXPORT(i32, code_tree_step)(u8 *memory, i32 budget) {
  Tree *tree = (Tree *)memory;
  if (!seal_holds(tree, TREE)) return BAD;
  for (i32 work = 0; tree->states > 0 && work < budget; work += 4) {
    State state = tree->stack[--tree->states];
    i32 n = (i32)(state.to - state.from);
    Code guess = choose_guess(tree, &state, &work);
    u32 node = (u32)tree->nodes++;
    const Code *secrets = tree->secrets + state.from;
    i32 can = code_contains(secrets, n, guess);
    if (!can && !splits_secrets(tree, secrets, n, guess)) guess = secrets[0], can = 1;
    tree->node[node] = (Node){guess, state.parent, (u32)n, state.depth, state.cell, (u8)can, 0};
    tree->solved += (u32)can;
    if (n == 1) continue;
    if (n > 2 && !tree->consistent_only && tree->criterion != FIRST) narrow_filter(tree, state.depth, guess);
    push_cells(tree, &state, node, guess);
    work += n / 4;
  }
  return tree->states > 0;
}

EXPORT(i32, code_tree_nodes)(const u8 *memory, u32 *out) {
  const Tree *tree = (const Tree *)memory;
  if (!seal_holds(tree, TREE) || !out) return BAD;
  out[0] = (u32)(uintptr_t)tree->node;
  out[1] = tree->solved;
  return tree->nodes;
}
