/* Canonical form of a table: colour refinement and individualisation with automorphism pruning
 * (McKay & Piperno 2014), with hashes as colours.
 *
 * A round of refinement: the hash of a cell (the rows of a column with one label) is the sum of
 * their colours, mixed with the colour of the label; that of a column the sum of its cells. The new
 * colour of a row is the sum of its cells over all columns, that of a renamed label the sum of its
 * cells. Rounds end when the number of colours stays. Sums do not depend on the order of rows and
 * columns, so equivalent tables get equal colours and an equal INVARIANT, the sum of all.
 *
 * Search tree: while rows or labels share a colour, each vertex of a smallest cell is
 * individualised; only children of the greatest invariant are expanded. A leaf, where all colours
 * differ, orders the table; the greatest invariant of a leaf is the key. Two leaves of equal
 * invariant are an automorphism: orbits are joined along the common path, and the second branch is
 * abandoned. The order of the group is the product of the orbits on the first path
 * (orbit-stabiliser theorem).
 *
 * The stack is explicit: the search can pause between two refinements. Exponential in the worst
 * case: TOO_LARGE after MOST_REFINEMENTS. Cost of a round: O(rows columns).
 */
#include "answer_table.h"

#include "shared/arena.h"
#include "shared/random.h"
#include "shared/sets.h"

enum { CANON = TAG('c', 'a', 'n', 'o') };
enum { MOST_LEVELS = 24, MOST_LEAVES = 24, MOST_REFINEMENTS = 1 << 20 };

typedef struct Invariant { u64 a, b; } Invariant;

typedef struct Vertex {
  u64 colour;
  u32 vertex, unused; /* a row, or n + a label */
} Vertex;

typedef struct Level { /* a node on the path to the current node of the search tree */
  u64 *colours;
  u32 *cell, *orbit;
  Invariant *invariants, best; /* of the children */
  i32 count, refined, next, chosen, first, on_first_path;
} Level;

typedef struct Canon {
  Tag seal;
  const u8 *table;
  i32 n, m, labels, win, renaming;
  i32 started, depth, discrete, refinements, work, leaves;
  u64 used; /* labels that occur */
  u64 order;
  Invariant root, greatest;
  u64 *sums, *sorted, *trial, *form;
  Vertex *order_a, *order_b;
  Invariant leaf_invariant[MOST_LEAVES];
  u64 *leaf[MOST_LEAVES];
  i32 leaf_path[MOST_LEAVES][MOST_LEVELS];
  Level levels[MOST_LEVELS];
} Canon;

static i32 compare_invariants(Invariant x, Invariant y) {
  if (x.a != y.a) return x.a < y.a ? -1 : 1;
  return x.b == y.b ? 0 : x.b < y.b ? -1 : 1;
}

/* ---- colours -------------------------------------------------------------------------------- */

static i32 is_less(const u64 *a, const u64 *b) { return *a < *b; }

static i32 has_less(const Vertex *a, const Vertex *b) { return a->colour < b->colour; }

static i32 count_distinct(u64 *sorted, i32 count) {
  SORT(sorted, count, is_less);
  i32 distinct = count > 0;
  for (i32 i = 1; i < count; i++) distinct += sorted[i] != sorted[i - 1];
  return distinct;
}

/* Counts the colours of rows and of renamed labels; sets canon->discrete if all differ. */
static i32 count_colours(Canon *canon, const u64 *colours) {
  i32 n = canon->n, vertices = n;
  memcpy(canon->sorted, colours, 8 * (size_t)n);
  i32 distinct = count_distinct(canon->sorted, n);
  if (canon->renaming == RENAMED) {
    i32 used = 0;
    for (i32 l = 0; l < canon->labels; l++)
      if (canon->used >> l & 1) canon->sorted[used++] = colours[n + l];
    distinct += count_distinct(canon->sorted, used);
    vertices += used;
  }
  canon->discrete = distinct == vertices;
  return distinct;
}

/* One round of refinement; returns the invariant of the columns. */
static Invariant refine_round(Canon *canon, u64 *colours) {
  i32 n = canon->n, labels = canon->labels;
  u64 *label_colour = colours + n, *sums = canon->sums, label_sum[MOST_LABELS] = {0};
  Invariant invariant = {0, 0};
  memset(sums, 0, 8 * (size_t)n);
  for (i32 j = 0; j < canon->m; j++) {
    const u8 *column = canon->table + (size_t)j * (size_t)n;
    u64 cell[64] = {0}, whole = 0; /* & 63: the caller may have changed the table meanwhile */
    for (i32 i = 0; i < n; i++) cell[column[i] & 63] += colours[i];
    for (i32 l = 0; l < labels; l++)
      if (cell[l]) whole += cell[l] = random_mix(cell[l] + label_colour[l]);
    whole = random_mix(whole);
    invariant.a += whole;
    invariant.b += random_mix(whole ^ RANDOM_STEP);
    for (i32 l = 0; l < labels; l++)
      if (cell[l]) label_sum[l] += cell[l] = random_mix(cell[l] ^ whole);
    for (i32 i = 0; i < n; i++) sums[i] += cell[column[i] & 63];
  }
  for (i32 i = 0; i < n; i++) colours[i] = random_mix(colours[i] * 3 + sums[i]);
  if (canon->renaming == RENAMED)
    for (i32 l = 0; l < labels; l++)
      if (canon->used >> l & 1) label_colour[l] = random_mix(label_colour[l] * 5 + label_sum[l]);
  canon->work += n * canon->m;
  return invariant;
}

/* Refines until the number of colours stays; returns a hash of the result. */
static Invariant refine(Canon *canon, u64 *colours) {
  Invariant invariant;
  canon->refinements++;
  for (i32 before = count_colours(canon, colours);;) {
    invariant = refine_round(canon, colours);
    i32 now = count_colours(canon, colours);
    if (now == before) break;
    before = now;
  }
  i32 vertices = canon->n + (canon->renaming == RENAMED ? canon->labels : 0);
  for (i32 v = 0; v < vertices; v++) {
    if (v >= canon->n && !(canon->used >> (v - canon->n) & 1)) continue;
    u64 salt = v < canon->n ? 0 : 99;
    invariant.a += random_mix(colours[v] + salt);
    invariant.b += random_mix(colours[v] ^ (salt + 77));
  }
  return (Invariant){random_mix(invariant.a), random_mix(invariant.b)};
}

/* ---- the search ------------------------------------------------------------------------- */

static size_t vertices_of(const Canon *canon) { return (size_t)(canon->n + canon->labels); }

/* Lists the vertices of part 0 (rows) or 1 (renamed labels) by colour; returns how many. */
static i32 sort_vertices(const Canon *canon, const u64 *colours, i32 part, Vertex *out) {
  i32 count = 0, n = canon->n;
  if (part == 0)
    for (i32 i = 0; i < n; i++) out[count++] = (Vertex){colours[i], (u32)i, 0};
  else if (canon->renaming == RENAMED)
    for (i32 l = 0; l < canon->labels; l++)
      if (canon->used >> l & 1) out[count++] = (Vertex){colours[n + l], (u32)(n + l), 0};
  SORT(out, count, has_less);
  return count;
}

/* Writes the smallest cell of more than one vertex; returns its size. Labels are included, because
 * individualising one of them separates many rows at once. */
static i32 choose_cell(Canon *canon, const u64 *colours, u32 *cell) {
  Vertex *list = canon->order_a;
  i32 least = 0;
  for (i32 part = 0; part < 2; part++) {
    i32 count = sort_vertices(canon, colours, part, list);
    for (i32 i = 0, j; i < count; i = j) {
      for (j = i; j < count && list[j].colour == list[i].colour; j++) {
      }
      if (j - i < 2 || (least && j - i >= least)) continue;
      least = j - i;
      for (i32 k = 0; k < least; k++) cell[k] = list[i + k].vertex;
    }
  }
  return least;
}

static i32 push(Canon *canon, const u64 *colours, i32 on_first_path) {
  if (canon->depth == MOST_LEVELS) return TOO_LARGE;
  Level *level = &canon->levels[canon->depth++];
  memcpy(level->colours, colours, 8 * vertices_of(canon));
  level->count = choose_cell(canon, colours, level->cell);
  level->refined = level->next = 0;
  level->first = level->chosen = -1;
  level->on_first_path = on_first_path;
  sets_init(level->orbit, (i32)vertices_of(canon));
  return OK;
}

/* Individualises vertex i of a level's cell and refines into canon->trial. */
static Invariant refine_child(Canon *canon, const Level *level, i32 i) {
  memcpy(canon->trial, level->colours, 8 * vertices_of(canon));
  u64 *colour = &canon->trial[level->cell[i]];
  *colour = random_mix(*colour + RANDOM_STEP * (u64)canon->depth);
  return refine(canon, canon->trial);
}

/* Joins orbits, on the levels of the common path, by the automorphism that maps one leaf to the
 * other. */
static void join_orbits(Canon *canon, const u64 *one, const u64 *other, i32 shared) {
  for (i32 part = 0; part < 2; part++) {
    i32 count = sort_vertices(canon, one, part, canon->order_a);
    sort_vertices(canon, other, part, canon->order_b);
    for (i32 i = 0; i < count; i++)
      for (i32 d = 0; d <= shared; d++)
        sets_join(canon->levels[d].orbit, canon->order_a[i].vertex, canon->order_b[i].vertex);
  }
}

/* Backtracks to the fork if an earlier leaf has this invariant, else stores the leaf. */
static void visit_leaf(Canon *canon, Invariant invariant) {
  for (i32 q = 0; q < canon->leaves; q++) {
    if (compare_invariants(invariant, canon->leaf_invariant[q])) continue;
    i32 fork = 0;
    while (fork < canon->depth - 1 && canon->levels[fork].chosen == canon->leaf_path[q][fork]) fork++;
    join_orbits(canon, canon->leaf[q], canon->trial, fork);
    canon->depth = fork + 1;
    return;
  }
  size_t bytes = 8 * vertices_of(canon);
  if (!canon->leaves || compare_invariants(invariant, canon->greatest) > 0) {
    canon->greatest = invariant;
    memcpy(canon->form, canon->trial, bytes);
  }
  if (canon->leaves == MOST_LEAVES) return;
  i32 q = canon->leaves++;
  canon->leaf_invariant[q] = invariant;
  memcpy(canon->leaf[q], canon->trial, bytes);
  for (i32 d = 0; d < canon->depth; d++) canon->leaf_path[q][d] = canon->levels[d].chosen;
}

/* 1 if a child has the greatest invariant and no earlier one is in its orbit. */
static i32 is_new(const Level *level, i32 i) {
  if (compare_invariants(level->invariants[i], level->best)) return 0;
  u32 root = sets_root(level->orbit, level->cell[i]);
  for (i32 q = 0; q < i; q++)
    if (!compare_invariants(level->invariants[q], level->best) &&
        sets_root(level->orbit, level->cell[q]) == root)
      return 0;
  return 1;
}

/* Does one step of the search: at most one refinement. */
static i32 advance(Canon *canon) {
  Level *level = &canon->levels[canon->depth - 1];
  if (level->refined < level->count) {
    i32 i = level->refined++;
    level->invariants[i] = refine_child(canon, level, i);
    if (i == 0 || compare_invariants(level->invariants[i], level->best) > 0)
      level->best = level->invariants[i];
    return OK;
  }
  while (level->next < level->count && !is_new(level, level->next)) level->next++;
  if (level->next == level->count) { /* all children were visited */
    u32 root = sets_root(level->orbit, level->cell[level->first]);
    u64 alike = 0;
    for (i32 i = 0; i < level->count; i++) alike += sets_root(level->orbit, level->cell[i]) == root;
    if (level->on_first_path) canon->order *= alike;
    canon->depth--;
    return OK;
  }
  i32 i = level->next++, on_first_path = level->on_first_path && level->first < 0;
  if (level->first < 0) level->first = i;
  level->chosen = (i32)level->cell[i];
  Invariant invariant = refine_child(canon, level, i);
  if (!canon->discrete) return push(canon, canon->trial, on_first_path);
  visit_leaf(canon, invariant);
  return OK;
}

static i32 refine_root(Canon *canon) {
  u64 *colours = canon->trial;
  for (i32 i = 0; i < canon->n; i++) colours[i] = RANDOM_STEP;
  for (i32 l = 0; l < canon->labels; l++) {
    u64 label_colour = canon->renaming == LABELLED ? (u64)l + 100 : l == canon->win ? 7 : 8;
    colours[canon->n + l] = random_mix(label_colour);
  }
  canon->started = 1;
  canon->root = refine(canon, colours);
  if (!canon->discrete) return push(canon, colours, 1);
  memcpy(canon->form, colours, 8 * vertices_of(canon));
  return OK;
}

/* ---- calls -------------------------------------------------------------------------------- */

EXPORT(i32, code_canon_bytes)(i32 n, i32 labels) {
  if (n < 1 || n > MOST_ROWS || labels < 1 || labels > MOST_LABELS) return BAD;
  i32 vertex = MOST_LEVELS * (8 + 4 + 4 + 16) + MOST_LEAVES * 8 + 4 * 8 + 2 * 16;
  return (i32)sizeof(Canon) + (n + labels) * vertex + 16 * (4 * MOST_LEVELS + MOST_LEAVES + 8);
}

static i32 set_up(Canon *canon, u8 *memory, size_t bytes) {
  size_t v = vertices_of(canon);
  Arena arena = arena_after(memory, sizeof *canon, bytes);
  i32 fits = ARENA_TAKE(&arena, canon->sums, v) && ARENA_TAKE(&arena, canon->sorted, v) &&
             ARENA_TAKE(&arena, canon->trial, v) && ARENA_TAKE(&arena, canon->form, v) &&
             ARENA_TAKE(&arena, canon->order_a, v) && ARENA_TAKE(&arena, canon->order_b, v);
  for (i32 q = 0; fits && q < MOST_LEAVES; q++) fits = !!ARENA_TAKE(&arena, canon->leaf[q], v);
  for (i32 d = 0; fits && d < MOST_LEVELS; d++) {
    Level *level = &canon->levels[d];
    fits = ARENA_TAKE(&arena, level->colours, v) && ARENA_TAKE(&arena, level->cell, v) &&
           ARENA_TAKE(&arena, level->orbit, v) && ARENA_TAKE(&arena, level->invariants, v);
  }
  canon->order = 1;
  canon->started = canon->depth = canon->leaves = canon->refinements = 0;
  return fits ? OK : TOO_LARGE;
}

EXPORT(i32, code_canon_start)(u8 *memory, const u8 *table, i32 n, i32 m, i32 labels, i32 win, i32 renaming) {
  Canon *canon = (Canon *)memory;
  i32 bytes = code_canon_bytes(n, labels);
  if (!memory || (uintptr_t)memory & 15 || !table || bytes < 0 || m < 1) return BAD;
  if (renaming < LABELLED || renaming > UNLABELLED) return BAD;
  if ((i64)n * m > 1 << 26) return TOO_LARGE;
  seal_break(&canon->seal);
  canon->used = 0;
  for (i32 i = 0; i < n * m; i++) {
    if (table[i] >= labels) return BAD;
    canon->used |= 1ull << table[i];
  }
  canon->table = table;
  canon->n = n, canon->m = m, canon->labels = labels, canon->win = win;
  canon->renaming = renaming;
  if (set_up(canon, memory, (size_t)bytes) != OK) return TOO_LARGE;
  seal_set(&canon->seal, CANON, n, labels);
  return OK;
}

static i32 is_done(const Canon *canon) { return canon->started && canon->depth == 0; }

EXPORT(i32, code_canon_step)(u8 *memory, i32 budget) {
  Canon *canon = (Canon *)memory;
  if (!seal_holds(canon, CANON)) return BAD;
  if (!kernel_holds(canon->table, (u64)canon->n * (u64)canon->m)) return BAD;
  canon->work = 0;
  i32 status = canon->started ? OK : refine_root(canon);
  while (status == OK && canon->depth > 0 && canon->work < budget) {
    status = advance(canon);
    if (canon->refinements > MOST_REFINEMENTS) status = TOO_LARGE;
  }
  if (status != OK) seal_break(&canon->seal);
  return status != OK ? status : !is_done(canon);
}

static Invariant key_of(const Canon *canon) {
  u64 shape = random_mix((u64)canon->n * 131 + (u64)canon->m);
  Invariant leaf = canon->leaves && is_done(canon) ? canon->greatest : (Invariant){0, 0};
  return (Invariant){random_mix(canon->root.a ^ leaf.a) ^ shape, random_mix(canon->root.b + leaf.b)};
}

EXPORT(i32, code_canon_key)(const u8 *memory, u64 *out) {
  const Canon *canon = (const Canon *)memory;
  if (!seal_holds(canon, CANON) || !out || !canon->started) return BAD;
  Invariant key = key_of(canon);
  out[0] = key.a;
  out[1] = key.b;
  out[2] = canon->order;
  return OK;
}

EXPORT(i32, code_canon_read)(const u8 *memory, u64 *out) {
  const Canon *canon = (const Canon *)memory;
  if (code_canon_key(memory, out) != OK) return BAD;
  memcpy(out + 3, is_done(canon) ? canon->form : canon->trial, 8 * vertices_of(canon));
  return OK;
}
