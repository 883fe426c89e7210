/* Canonical forms of tables by colour refinement and individualisation, as McKay's nauty does it
 * for graphs, with hashes for colours.
 *
 * A round of refinement goes through the columns. A cell (a column's rows with one label) is the
 * sum of their colours, mixed with what the label is known by; a column is the sum of its cells; a
 * row's new colour takes the sum over all columns of its cell in it, a renamed label's the sum of
 * its cells. It ends when no more colours appear. Sums do not depend on an order, so tables that
 * are the same get the same colours, and the same PRINT, the sum of all.
 *
 * While rows or labels share a colour, one of the smallest such cell is given a colour of its own,
 * each of its members in turn, and of these children only those with the greatest print are gone
 * down into. A leaf, where all differ, orders the rows and
 * with them the whole table; the greatest print of a leaf is the key. Two leaves of one print are an
 * automorphism: the branch in which the second was found is like that of the first, and left.
 *
 * The search keeps its own stack, so that it can stop between two refinements.
 */
#include "answer_table.h"

#include "shared/arena.h"
#include "shared/random.h"
#include "shared/sets.h"

enum { CANON = TAG('c', 'a', 'n', 'o') };
enum { MOST_LEVELS = 24, MOST_LEAVES = 24, MOST_REFINEMENTS = 1 << 20 };

typedef struct Print {
  u64 a, b;
} Print;

typedef struct Seat { /* a vertex (a row, or n + a label) and its colour */
  u64 colour;
  u32 vertex, unused;
} Seat;

typedef struct Level { /* a node of the search tree on the way to the one at hand */
  u64 *colours;
  u32 *cell, *orbit;
  Print *prints, best; /* of the children */
  i32 count, seen, next, chosen, first, on_first;
} Level;

typedef struct Canon {
  Tag seal;
  const u8 *table;
  i32 n, m, labels, win, renaming;
  i32 started, depth, discrete, refinements, work, leaves;
  u64 used; /* labels that occur */
  u64 order;
  Print root, greatest;
  u64 *sums, *sorted, *trial, *form;
  Seat *here, *there;
  Print leaf_print[MOST_LEAVES];
  u64 *leaf[MOST_LEAVES];
  i32 leaf_path[MOST_LEAVES][MOST_LEVELS];
  Level levels[MOST_LEVELS];
} Canon;

static i32 print_order(Print x, Print y) {
  if (x.a != y.a) return x.a < y.a ? -1 : 1;
  return x.b == y.b ? 0 : x.b < y.b ? -1 : 1;
}

/* ---- colours -------------------------------------------------------------------------------- */

static i32 is_less(const u64 *a, const u64 *b) { return *a < *b; }

static i32 has_less(const Seat *a, const Seat *b) { return a->colour < b->colour; }

static i32 different(u64 *sorted, i32 count) {
  SORT(sorted, count, is_less);
  i32 found = count > 0;
  for (i32 i = 1; i < count; i++) found += sorted[i] != sorted[i - 1];
  return found;
}

/* How many colours there are, of rows and of labels that rename; canon->discrete if all differ. */
static i32 count_colours(Canon *canon, const u64 *colours) {
  i32 n = canon->n, vertices = n;
  memcpy(canon->sorted, colours, 8 * (size_t)n);
  i32 found = different(canon->sorted, n);
  if (canon->renaming == RENAMED) {
    i32 used = 0;
    for (i32 l = 0; l < canon->labels; l++)
      if (canon->used >> l & 1) canon->sorted[used++] = colours[n + l];
    found += different(canon->sorted, used);
    vertices += used;
  }
  canon->discrete = found == vertices;
  return found;
}

/* One round; returns the print of the columns. */
static Print refine_round(Canon *canon, u64 *colours) {
  i32 n = canon->n, labels = canon->labels;
  u64 *known = colours + n, *sums = canon->sums, met[MOST_LABELS] = {0};
  Print print = {0, 0};
  memset(sums, 0, 8 * (size_t)n);
  for (i32 j = 0; j < canon->m; j++) {
    const u8 *column = canon->table + (size_t)j * (size_t)n;
    u64 cell[64] = {0}, whole = 0; /* a table that is changed meanwhile stays within */
    for (i32 i = 0; i < n; i++) cell[column[i] & 63] += colours[i];
    for (i32 l = 0; l < labels; l++)
      if (cell[l]) whole += cell[l] = random_mix(cell[l] + known[l]);
    whole = random_mix(whole);
    print.a += whole;
    print.b += random_mix(whole ^ RANDOM_STEP);
    for (i32 l = 0; l < labels; l++)
      if (cell[l]) met[l] += cell[l] = random_mix(cell[l] ^ whole);
    for (i32 i = 0; i < n; i++) sums[i] += cell[column[i] & 63];
  }
  for (i32 i = 0; i < n; i++) colours[i] = random_mix(colours[i] * 3 + sums[i]);
  if (canon->renaming == RENAMED)
    for (i32 l = 0; l < labels; l++)
      if (canon->used >> l & 1) known[l] = random_mix(known[l] * 5 + met[l]);
  canon->work += n * canon->m;
  return print;
}

/* Refines until no more colours appear; the print is a hash of the result. */
static Print refine(Canon *canon, u64 *colours) {
  Print print;
  canon->refinements++;
  for (i32 before = count_colours(canon, colours);;) {
    print = refine_round(canon, colours);
    i32 now = count_colours(canon, colours);
    if (now == before) break;
    before = now;
  }
  i32 vertices = canon->n + (canon->renaming == RENAMED ? canon->labels : 0);
  for (i32 v = 0; v < vertices; v++) {
    if (v >= canon->n && !(canon->used >> (v - canon->n) & 1)) continue;
    u64 salt = v < canon->n ? 0 : 99;
    print.a += random_mix(colours[v] + salt);
    print.b += random_mix(colours[v] ^ (salt + 77));
  }
  return (Print){random_mix(print.a), random_mix(print.b)};
}

/* ---- the search ------------------------------------------------------------------------------- */

static size_t vertices_of(const Canon *canon) { return (size_t)(canon->n + canon->labels); }

/* The vertices of part 0 (rows) or 1 (labels that rename) with their colours, in order. */
static i32 seat(const Canon *canon, const u64 *colours, i32 part, Seat *out) {
  i32 count = 0, n = canon->n;
  if (part == 0)
    for (i32 i = 0; i < n; i++) out[count++] = (Seat){colours[i], (u32)i, 0};
  else if (canon->renaming == RENAMED)
    for (i32 l = 0; l < canon->labels; l++)
      if (canon->used >> l & 1) out[count++] = (Seat){colours[n + l], (u32)(n + l), 0};
  SORT(out, count, has_less);
  return count;
}

/* The smallest set of vertices that share a colour; how many they are. Labels are few: where they
 * tie, individualising one separates many rows at once. */
static i32 choose_cell(Canon *canon, const u64 *colours, u32 *cell) {
  Seat *seats = canon->here;
  i32 least = 0;
  for (i32 part = 0; part < 2; part++) {
    i32 count = seat(canon, colours, part, seats);
    for (i32 i = 0, j; i < count; i = j) {
      for (j = i; j < count && seats[j].colour == seats[i].colour; j++) {}
      if (j - i < 2 || (least && j - i >= least)) continue;
      least = j - i;
      for (i32 k = 0; k < least; k++) cell[k] = seats[i + k].vertex;
    }
  }
  return least;
}

static i32 push(Canon *canon, const u64 *colours, i32 on_first) {
  if (canon->depth == MOST_LEVELS) return TOO_LARGE;
  Level *level = &canon->levels[canon->depth++];
  memcpy(level->colours, colours, 8 * vertices_of(canon));
  level->count = choose_cell(canon, colours, level->cell);
  level->seen = level->next = 0;
  level->first = level->chosen = -1;
  level->on_first = on_first;
  sets_init(level->orbit, (i32)vertices_of(canon));
  return OK;
}

/* The colours of a level's child, refined into canon->trial. */
static Print child(Canon *canon, const Level *level, i32 i) {
  memcpy(canon->trial, level->colours, 8 * vertices_of(canon));
  u64 *colour = &canon->trial[level->cell[i]];
  *colour = random_mix(*colour + RANDOM_STEP * (u64)canon->depth);
  return refine(canon, canon->trial);
}

/* What takes one leaf to the other joins orbits on the levels that both passed the same way. */
static void join_orbits(Canon *canon, const u64 *one, const u64 *other, i32 shared) {
  for (i32 part = 0; part < 2; part++) {
    i32 count = seat(canon, one, part, canon->here);
    seat(canon, other, part, canon->there);
    for (i32 i = 0; i < count; i++)
      for (i32 d = 0; d <= shared; d++)
        sets_join(canon->levels[d].orbit, canon->here[i].vertex, canon->there[i].vertex);
  }
}

/* A leaf like an earlier one sends the search back to where they parted; else it is kept. */
static void meet_leaf(Canon *canon, Print print) {
  for (i32 q = 0; q < canon->leaves; q++) {
    if (print_order(print, canon->leaf_print[q])) continue;
    i32 parted = 0;
    while (parted < canon->depth - 1 &&
           canon->levels[parted].chosen == canon->leaf_path[q][parted])
      parted++;
    join_orbits(canon, canon->leaf[q], canon->trial, parted);
    canon->depth = parted + 1;
    return;
  }
  size_t bytes = 8 * vertices_of(canon);
  if (!canon->leaves || print_order(print, canon->greatest) > 0) {
    canon->greatest = print;
    memcpy(canon->form, canon->trial, bytes);
  }
  if (canon->leaves == MOST_LEAVES) return;
  i32 q = canon->leaves++;
  canon->leaf_print[q] = print;
  memcpy(canon->leaf[q], canon->trial, bytes);
  for (i32 d = 0; d < canon->depth; d++) canon->leaf_path[q][d] = canon->levels[d].chosen;
}

/* 1 if a child has the greatest print and no child before it is like it. */
static i32 is_new(const Level *level, i32 i) {
  if (print_order(level->prints[i], level->best)) return 0;
  u32 root = sets_root(level->orbit, level->cell[i]);
  for (i32 q = 0; q < i; q++)
    if (!print_order(level->prints[q], level->best) &&
        sets_root(level->orbit, level->cell[q]) == root)
      return 0;
  return 1;
}

/* One refinement further. */
static i32 advance(Canon *canon) {
  Level *level = &canon->levels[canon->depth - 1];
  if (level->seen < level->count) {
    i32 i = level->seen++;
    level->prints[i] = child(canon, level, i);
    if (i == 0 || print_order(level->prints[i], level->best) > 0) level->best = level->prints[i];
    return OK;
  }
  while (level->next < level->count && !is_new(level, level->next)) level->next++;
  if (level->next == level->count) { /* all children are done */
    u32 root = sets_root(level->orbit, level->cell[level->first]);
    u64 alike = 0;
    for (i32 i = 0; i < level->count; i++)
      alike += sets_root(level->orbit, level->cell[i]) == root;
    if (level->on_first) canon->order *= alike;
    canon->depth--;
    return OK;
  }
  i32 i = level->next++, on_first = level->on_first && level->first < 0;
  if (level->first < 0) level->first = i;
  level->chosen = (i32)level->cell[i];
  Print print = child(canon, level, i);
  if (!canon->discrete) return push(canon, canon->trial, on_first);
  meet_leaf(canon, print);
  return OK;
}

static i32 begin(Canon *canon) {
  u64 *colours = canon->trial;
  for (i32 i = 0; i < canon->n; i++) colours[i] = RANDOM_STEP;
  for (i32 l = 0; l < canon->labels; l++) {
    u64 known = canon->renaming == LABELLED ? (u64)l + 100 : l == canon->win ? 7 : 8;
    colours[canon->n + l] = random_mix(known);
  }
  canon->started = 1;
  canon->root = refine(canon, colours);
  if (!canon->discrete) return push(canon, colours, 1);
  memcpy(canon->form, colours, 8 * vertices_of(canon));
  return OK;
}

/* ---- calls -------------------------------------------------------------------------------------- */

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
             ARENA_TAKE(&arena, canon->here, v) && ARENA_TAKE(&arena, canon->there, v);
  for (i32 q = 0; fits && q < MOST_LEAVES; q++) fits = !!ARENA_TAKE(&arena, canon->leaf[q], v);
  for (i32 d = 0; fits && d < MOST_LEVELS; d++) {
    Level *level = &canon->levels[d];
    fits = ARENA_TAKE(&arena, level->colours, v) && ARENA_TAKE(&arena, level->cell, v) &&
           ARENA_TAKE(&arena, level->orbit, v) && ARENA_TAKE(&arena, level->prints, v);
  }
  canon->order = 1;
  canon->started = canon->depth = canon->leaves = canon->refinements = 0;
  return fits ? OK : TOO_LARGE;
}

EXPORT(i32, code_canon_start)(u8 *memory, const u8 *table, i32 n, i32 m, i32 labels, i32 win,
                              i32 renaming) {
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
  i32 status = canon->started ? OK : begin(canon);
  while (status == OK && canon->depth > 0 && canon->work < budget) {
    status = advance(canon);
    if (canon->refinements > MOST_REFINEMENTS) status = TOO_LARGE;
  }
  if (status != OK) seal_break(&canon->seal);
  return status != OK ? status : !is_done(canon);
}

static Print key_of(const Canon *canon) {
  u64 shape = random_mix((u64)canon->n * 131 + (u64)canon->m);
  Print leaf = canon->leaves && is_done(canon) ? canon->greatest : (Print){0, 0};
  return (Print){random_mix(canon->root.a ^ leaf.a) ^ shape, random_mix(canon->root.b + leaf.b)};
}

EXPORT(i32, code_canon_key)(const u8 *memory, u64 *out) {
  const Canon *canon = (const Canon *)memory;
  if (!seal_holds(canon, CANON) || !out || !canon->started) return BAD;
  Print key = key_of(canon);
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
