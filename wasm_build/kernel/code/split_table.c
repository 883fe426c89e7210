/* Memory of the optimal-strategy solver, and the frame: its secrets with every distinct partition
 * of them (layout in solver.h).
 *
 * Columns are deduplicated by a hash of the partition, the labels of the cells ignored. An answer
 * is two popcounts: common bits (peg, colour) are the exact matches, common bits (copy, colour) the
 * total. ORDER, KEEP and SUM go through code_cell. Cost: O(guesses secrets).
 *
 * Under SUM permutations of a code are interchangeable (is_permutation_invariant of solver.h): a set is identified
 * by the number of its secrets in each class of permutations, and one guess of each class is tried.
 */
#include "solver.h"

EXPORT(i32, code_solver_start)(u8 *memory, i32 size, i32 packed, TableEntry *memo, i32 memo_bits,
                               i32 consistent_only, i32 largest) {
  Solver *solver = (Solver *)memory;
  if (!memory || !memo || size < 1 << 20 || memo_bits < 4 || memo_bits > 24) return BAD;
  if (((uintptr_t)memory | (uintptr_t)memo) & 15) return BAD;
  if (largest < 0 || largest > MOST_IMAGED) return BAD;
  memset(solver, 0, sizeof *solver);
  if (!code_read_rules(packed, &solver->rules)) return BAD;
  solver->cells = code_cells_of(&solver->rules, solver->number);
  if (solver->cells > 32) return TOO_LARGE;
  solver->win = solver->cells - 1;
  solver->consistent_only = consistent_only;
  solver->largest_imaged = largest;
  solver->guesses = max32(0, code_guesses(packed));
  code_ranking(&solver->rules, &solver->ranking);
  solver->memo = memo;
  solver->memo_bits = memo_bits;
  solver->memory = memory;
  solver->size = (size_t)size;
  solver->used = (sizeof *solver + 63) & ~(size_t)63;
  for (i32 depth = 1; depth <= UNLIMITED; depth++) {
    solver->bounds[depth] = allocate(solver, sizeof(u16) * (MOST_SECRETS + 1));
    for (i32 n = 0; n <= MOST_SECRETS; n++) {
      i32 total = perfect_total(n, depth, solver->win);
      solver->bounds[depth][n] = total >= 65535 ? 65535 : (u16)total;
    }
  }
  solver->frame_used = solver->used;
  seal_set(&solver->seal, SOLVER, 0, 0);
  return OK;
}

/* A hash of the partition by a column, independent of the labels; counts its cells. */
static u64 partition_hash(const u8 *label, const u64 *keys, i32 n, i32 cells, i32 *parts) {
  u64 cell[32] = {0}, sum = 1;
  for (i32 i = 0; i < n; i++) cell[label[i]] ^= keys[i];
  *parts = 0;
  for (i32 c = 0; c < cells; c++)
    if (cell[c]) {
      sum += random_mix(cell[c]);
      ++*parts;
    }
  return sum;
}

typedef struct Bits { u64 exact, match; /* bits (peg, colour), bits (copy, colour) */ } Bits;

static Bits bits_of(const Rules *rules, Code code) {
  Bits bits = {0, 0};
  u8 copies[SYMBOLS] = {0};
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (!symbol) continue;
    bits.exact |= 1ull << (peg * rules->colours + symbol - 1);
    bits.match |= 1ull << (copies[symbol]++ * rules->colours + symbol - 1);
  }
  return bits;
}

/* Labels each secret with the cell of its answer to a guess. */
static void label_secrets(const Solver *solver, Code guess, const Code *secrets, const Bits *secret_bits,
                          i32 n, u8 *label) {
  const Rules *rules = &solver->rules;
  if (rules->feedback > EXACT) {
    Prober prober = code_prober(rules, guess);
    for (i32 i = 0; i < n; i++) label[i] = (u8)code_cell(&prober, secrets[i], solver->number);
    return;
  }
  const Bits guess_bits = bits_of(rules, guess);
  for (i32 i = 0; i < n; i++) {
    i32 exact = popcount64(guess_bits.exact & secret_bits[i].exact);
    i32 match = rules->exact_only ? exact : popcount64(guess_bits.match & secret_bits[i].match);
    label[i] = (u8)solver->number[exact][match - exact];
  }
}

/* Lists the columns of the frame: the secrets, then one other guess for each new partition. Returns
 * how many. */
static i32 list_columns(Solver *solver, const Bits *secret_bits, const Code *space, i32 count,
                        const Code *secrets, i32 n, const u32 *canonical, i32 canonical_count) {
  Frame *frame = &solver->frame;
  i32 bits = 10;
  while (1 << bits < 2 * (count + n)) bits++;
  size_t mark = solver->used;
  u64 *hash = allocate(solver, 8ull << bits);
  u32 *column = allocate(solver, 4ull << bits);
  u8 *label = allocate(solver, (size_t)n);
  if (!hash || !column || !label) return TOO_LARGE;
  memset(column, 0, 4ull << bits);
  i32 columns = 0, next = 0, next_canonical = 0;
  for (i32 pass = 0; pass < 2; pass++) {
    next = next_canonical = 0;
    for (i32 g = 0; g < count; g++) {
      i32 secret = next < n && secrets[next] == space[g];
      i32 is_canonical = next_canonical < canonical_count && canonical[next_canonical] == (u32)g;
      next += secret;
      next_canonical += is_canonical;
      if (secret == pass || (pass && solver->consistent_only)) continue;
      i32 parts;
      label_secrets(solver, space[g], secrets, secret_bits, n, label);
      u64 key = partition_hash(label, frame->key, n, solver->cells, &parts);
      if (pass && parts < 2) continue;
      u32 slot = (u32)(key >> (64 - bits));
      while (column[slot] && hash[slot] != key) slot = (slot + 1) & ((1u << bits) - 1);
      if (column[slot] && pass) {
        frame->own[column[slot] - 1] |= (u8)is_canonical;
        continue;
      }
      if (columns == MOST_COLUMNS) return TOO_LARGE;
      if (!column[slot]) {
        hash[slot] = key;
        column[slot] = (u32)columns + 1;
      }
      frame->guess[columns] = (u32)g;
      frame->code[columns] = space[g];
      frame->own[columns++] = (u8)is_canonical;
    }
    if (!pass && next != n) return BAD;
  }
  solver->used = mark;
  return columns;
}

static i32 fill_columns(Solver *solver, const Bits *secret_bits, const Code *secrets) {
  Frame *frame = &solver->frame;
  size_t n = (size_t)frame->n, columns = (size_t)frame->columns;
  size_t stride = (columns + 31) & ~(size_t)31;
  frame->stride = (i32)stride;
  frame->label = allocate(solver, columns * n);
  frame->hot[0] = allocate(solver, 2 * n * stride);
  frame->hot[1] = solver->cells > 16 ? allocate(solver, 2 * n * stride) : 0;
  frame->member = allocate(solver, 4 * n * n);
  solver->parts = allocate(solver, stride);
  solver->inside = allocate(solver, n);
  if (!frame->label || !frame->hot[0] || (solver->cells > 16 && !frame->hot[1])) return TOO_LARGE;
  if (!frame->member || !solver->parts || !solver->inside) return TOO_LARGE;
  memset(solver->inside, 0, n);
  for (i32 plane = 0; plane < 2; plane++) {
    if (!frame->hot[plane]) continue;
    memset(frame->hot[plane], 0, 2 * n * stride);
  }
  for (size_t q = 0; q < columns; q++) {
    u8 *label = frame->label + q * n;
    label_secrets(solver, frame->code[q], secrets, secret_bits, frame->n, label);
    for (size_t i = 0; i < n; i++) {
      frame->hot[label[i] >> 4][i * stride + q] = (u16)(1u << (label[i] & 15));
      if (q < n) frame->member[q * n + i] = 1u << label[i];
    }
  }
  return OK;
}

/* ---- permutations of a code under SUM ------------------------------------------------------- */

/* Sets the first column with the same multiset of colours as each column, and the secrets' class keys. */
static i32 find_permutations(Solver *solver) {
  Frame *frame = &solver->frame;
  const size_t columns = (size_t)frame->columns;
  frame->class_key = allocate(solver, 8 * (size_t)frame->n);
  frame->class_of = allocate(solver, 4 * columns);
  frame->copies = allocate(solver, 2 * columns);
  frame->representative = allocate(solver, 4 * columns);
  const size_t mark = solver->used;
  i32 bits = 4;
  while (1 << bits < 2 * frame->columns) bits++;
  i32 *first = allocate(solver, 4ull << bits);
  if (!frame->class_key || !frame->class_of || !frame->copies) return TOO_LARGE;
  if (!frame->representative || !first) return TOO_LARGE;
  memset(frame->copies, 0, 2 * columns);
  memset(first, -1, 4ull << bits);
  for (i32 q = 0; q < frame->columns; q++) {
    const u64 multiset = code_multiset(&solver->rules, frame->code[q]), key = key_of_secret(multiset);
    if (q < frame->n) frame->class_key[q] = key;
    u32 slot = (u32)(key >> (64 - bits));
    while (first[slot] >= 0 && code_multiset(&solver->rules, frame->code[first[slot]]) != multiset)
      slot = (slot + 1) & ((1u << bits) - 1);
    if (first[slot] < 0) first[slot] = q;
    frame->class_of[q] = first[slot];
  }
  solver->used = mark;
  return OK;
}

/* For each class of permutations in a set of columns the one guess that is tried: a member of the
 * set if there is one, since it leaves one secret less than its permutations outside the set, which
 * get the same answers. 0 if permutations are not interchangeable. */
const i32 *code_choose_representatives(Solver *solver, const u16 *members, i32 m, i32 only_own) {
  const Frame *frame = &solver->frame;
  if (!is_permutation_invariant(solver)) return 0;
  i32 *representative = frame->representative;
  for (i32 q = 0; q < frame->columns; q++) representative[q] = -1;
#define CHOOSE(column)                                      \
  if (!only_own || frame->own[column]) {                    \
    i32 *chosen = &representative[frame->class_of[column]]; \
    if (*chosen < 0) *chosen = column;                      \
  }
  for (i32 i = 0; i < m; i++) CHOOSE(members[i])
  for (i32 q = 0; q < frame->columns; q++) CHOOSE(q)
#undef CHOOSE
  return representative;
}

/* A lower bound of the total, and the size of the largest class of permutations. A guess separates
 * at most itself from its permutations, so the k of a class take 1 + 2 + … + k guesses; all classes
 * but that of the first guess take one more each. */
i32 code_class_bound(const Frame *frame, const u16 *members, i32 m, i32 *most) {
  i32 total = 0;
  *most = 0;
  for (i32 i = 0; i < m; i++) {
    i32 copies = ++frame->copies[frame->class_of[members[i]]];
    total += copies;
    *most = max32(*most, copies);
  }
  for (i32 i = 0; i < m; i++) frame->copies[frame->class_of[members[i]]] = 0;
  return total + m - *most;
}

/* The table's guess for a set. Under SUM it may belong to another set with the same key: then the
 * secret that is a permutation of it. */
u32 code_guess_of_set(const Solver *solver, u32 guess, const Code *secrets, i32 n) {
  const Rules *rules = &solver->rules;
  if (rules->feedback != SUM || guess >= (u32)solver->guesses) return guess;
  u64 multiset = code_multiset(rules, code_unrank(&solver->ranking, guess));
  for (i32 i = 0; i < n; i++)
    if (code_multiset(rules, secrets[i]) == multiset) return code_rank(&solver->ranking, secrets[i]);
  return guess;
}

/* ---- the frame ------------------------------------------------------------------------------ */

EXPORT(i32, code_solver_frame)(u8 *memory, const Code *space, i32 count, const Code *secrets, i32 n,
                               const u32 *canonical, i32 canonical_count) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER)) return BAD;
  solver->frame.n = 0; /* no frame until this call succeeds */
  solver->order = 0;
  solver->weight = 0;
  if (!space || !secrets || n < 1 || count < n || canonical_count < 0) return BAD;
  if (canonical_count && !canonical) return BAD;
  if (n > MOST_SECRETS || count > MOST_COLUMNS) return TOO_LARGE;
  if (solver->rules.pegs * solver->rules.colours > 64) return TOO_LARGE;
  if (!code_all_fit(&solver->rules, space, count)) return BAD;
  if (!code_are_ascending(&solver->rules, secrets, n)) return BAD;
  solver->used = solver->frame_used;
  solver->depth = 0;
  Frame *frame = &solver->frame;
  frame->key = allocate(solver, 8 * (size_t)n);
  frame->guess = allocate(solver, 4 * (size_t)count);
  frame->code = allocate(solver, 8 * (size_t)count);
  frame->own = allocate(solver, (size_t)count);
  Bits *secret_bits = allocate(solver, sizeof(Bits) * (size_t)n);
  if (!frame->key || !frame->guess || !frame->code || !frame->own || !secret_bits) return TOO_LARGE;
  for (i32 i = 0; i < n; i++) frame->key[i] = key_of_secret(secrets[i]);
  for (i32 i = 0; i < n; i++) secret_bits[i] = bits_of(&solver->rules, secrets[i]);
  i32 columns = list_columns(solver, secret_bits, space, count, secrets, n, canonical, canonical_count);
  if (columns < 0) return columns;
  frame->columns = columns;
  frame->n = n;
  i32 status = fill_columns(solver, secret_bits, secrets);
  if (status == OK && solver->rules.feedback == SUM) status = find_permutations(solver);
  solver->frame_end = solver->used;
  if (status != OK) frame->n = 0;
  return status == OK ? columns : status;
}
