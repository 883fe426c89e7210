/* Optimal strategies: the least total number of guesses for a set of secrets, by depth-first branch
 * and bound with a transposition table.
 *
 *   total(S) = |S| + min over guesses of the sum of total(C) over the cells C but the win
 *
 * Lower bounds, in order of cost: complete tree (1, K, K^2 … secrets a level; K answers other than
 * the win); cell count, 3|S| - cells - [guess in S], for all guesses at once by OR-ing one-hot
 * rows; the sum of the cells' bounds, first from the table, then by the cell-count bound of each
 * open cell. Up to 3 secrets, and a secret that separates all others, have closed forms.
 * Order: guesses wait in buckets by lower bound; within one by sum of squares, members first.
 * Table: key = xor of a random number a secret (Zobrist 1970), mixed with the depth; value is exact
 * or a bound. Sets of LEAST_IMAGED to `largest_imaged` secrets are looked up under their canonical
 * form too (canonical_set.c).
 * The stack is explicit: code_solver_step works for a budget and can be continued.
 *
 * Knuth 1977; first proof for 4 pegs, 6 colours (5625/1296): Koyama & Lai 1993.
 * Rejected: rebuilding the frame for smaller sets never paid.
 * One file: bounds, buckets and the stack are one loop, inlined.
 */
#include "solver.h"

#include <wasm_simd128.h>

/* ---- bounds, table ------------------------------------------------------------------------ */

/* Lower bound by size alone: a complete tree of at most `depth` levels. 65535 in the table is
 * NEVER. */
static inline i32 bound_of(const Solver *solver, i32 n, i32 depth) {
  if (depth <= 0) return n ? NEVER : 0;
  u16 total = solver->bounds[depth][n];
  return total == 65535 ? NEVER : total;
}

static u64 key_at_depth(u64 key, i32 depth) { return key ^ (u64)(depth + 1) * RANDOM_STEP; }

static u64 key_of(const Solver *solver, const u16 *members, i32 m, i32 depth) {
  return key_at_depth(key_of_set(solver, members, m), depth);
}

/* Stores a total or a lower bound; an exact entry or a higher bound of the same set stays. */
static void table_store(Solver *solver, u64 key, i32 value, i32 exact, u32 guess, i32 worst) {
  TableEntry *memo = table_entry(solver, key);
  if (memo->key == key && ((memo->value & 1) || (!exact && memo->value >> 1 >= value))) return;
  *memo = (TableEntry){key, value << 1 | exact, guess & UNKNOWN, (u32)worst};
}

/* The place of a member whose answers separate all members, or -1. */
i32 code_perfect_member(const Frame *frame, const u16 *members, i32 m) {
  for (i32 i = 0; i < m; i++) {
    const u32 *row = frame->member + (size_t)members[i] * frame->n;
    u32 seen = 0;
    i32 j = 0;
    for (; j < m; j++) {
      u32 bit = row[members[j]];
      if (seen & bit) break;
      seen |= bit;
    }
    if (j == m) return i;
  }
  return -1;
}

/* The total of a set (exact = 1), with the worst case of a strategy that has it, or a lower bound.
 */
typedef struct Bound { i32 value, exact, worst; } Bound;

/* Bounds a set by closed forms, the transposition table and its size. */
static Bound cheap_bound(Solver *solver, const u16 *members, i32 m, i32 depth) {
  const Frame *frame = &solver->frame;
  if (depth <= 0) return (Bound){NEVER, 1, 0};
  if (m == 1) return (Bound){1, 1, 1};
  if (depth < 2) return (Bound){NEVER, 1, 0};
  if (m == 2) return (Bound){3, 1, 2};
  if (m == 3) {
    if (code_perfect_member(frame, members, 3) >= 0) return (Bound){5, 1, 2};
    if (depth >= 3) return (Bound){6, 1, 3};
    if (solver->consistent_only) return (Bound){NEVER, 1, 0};
    return (Bound){6, 0, 0}; /* a guess outside the set may separate the three */
  }
  u64 key = key_of(solver, members, m, depth);
  const TableEntry *memo = table_entry(solver, key);
  if (memo->key == key) return (Bound){memo->value >> 1, memo->value & 1, (i32)memo->worst};
  if (m <= solver->cells) {
    i32 best = code_perfect_member(frame, members, m);
    if (best >= 0) {
      table_store(solver, key, 2 * m - 1, 1, frame->guess[members[best]], 2);
      return (Bound){2 * m - 1, 1, 2};
    }
  }
  i32 bound = bound_of(solver, m, depth);
  if (depth == 2 && solver->consistent_only) bound = NEVER;
  if (bound < 2 * m) bound = 2 * m; /* 2m - 1 takes a perfect member */
  if (is_permutation_invariant(solver)) {
    i32 most, total = code_class_bound(frame, members, m, &most);
    if (most > depth && depth != UNLIMITED) return (Bound){NEVER, 1, 0};
    if (most == m) { /* all are permutations of one code */
      table_store(solver, key, total, 1, frame->guess[members[0]], m);
      return (Bound){total, 1, m};
    }
    bound = max32(bound, total);
  }
  table_store(solver, key, bound, 0, UNKNOWN, 0);
  return (Bound){bound, 0, 0};
}

/* Counts the cells of every column on the set into parts[]: popcounts of the OR of one-hot rows. */
void code_count_cells(Solver *solver, const u16 *members, i32 m) {
  const Frame *frame = &solver->frame;
  size_t stride = (size_t)frame->stride;
  i32 planes = frame->hot[1] ? 2 : 1;
  for (size_t at = 0; at < stride; at += 32) {
    v128_t counts[4] = {wasm_i16x8_splat(0), wasm_i16x8_splat(0), wasm_i16x8_splat(0), wasm_i16x8_splat(0)};
    for (i32 plane = 0; plane < planes; plane++) {
      const u16 *base = frame->hot[plane] + at;
      const u16 *row = base + members[0] * stride;
      v128_t a = wasm_v128_load(row), b = wasm_v128_load(row + 8);
      v128_t c = wasm_v128_load(row + 16), d = wasm_v128_load(row + 24);
      for (i32 i = 1; i < m; i++) {
        row = base + members[i] * stride;
        a = wasm_v128_or(a, wasm_v128_load(row));
        b = wasm_v128_or(b, wasm_v128_load(row + 8));
        c = wasm_v128_or(c, wasm_v128_load(row + 16));
        d = wasm_v128_or(d, wasm_v128_load(row + 24));
      }
#define ADD(i, x) \
  counts[i] = wasm_i16x8_add(counts[i], wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt(x)))
      ADD(0, a);
      ADD(1, b);
      ADD(2, c);
      ADD(3, d);
#undef ADD
    }
    wasm_v128_store(solver->parts + at, wasm_u8x16_narrow_i16x8(counts[0], counts[1]));
    wasm_v128_store(solver->parts + at + 16, wasm_u8x16_narrow_i16x8(counts[2], counts[3]));
  }
  solver->work += m * (frame->stride >> 5) * planes;
}

/* The least cell-count bound over all guesses, from parts[]. */
static i32 cell_count_bound(const Solver *solver, const u16 *members, i32 m) {
  i32 most = 0, most_member = 0;
  for (i32 i = 0; i < m; i++) most_member = max32(most_member, solver->parts[members[i]]);
  i32 by_member = 3 * m - 1 - most_member;
  if (solver->consistent_only) return by_member;
  for (i32 q = 0; q < solver->frame.columns; q++) most = max32(most, solver->parts[q]);
  return min32(by_member, 3 * m - most);
}

/* ---- pushing a set -------------------------------------------------------------------------- */

/* The cell sizes of a column on the set. */
static void count_cells(const Solver *solver, const Set *set, const u8 *label, u32 *sizes) {
  for (i32 c = 0; c < solver->cells; c++) sizes[c] = 0;
  for (i32 i = 0; i < set->m; i++) sizes[label[set->members[i]]]++;
}

/* Counting sort of the candidates below the cutoff by cell-count bound, stable in the columns. */
static void list_candidates(Solver *solver, Set *set) {
  const Frame *frame = &solver->frame;
  i32 m = set->m, base = 3 * m - 64, starts[66] = {0};
  const i32 *chosen = code_choose_representatives(solver, set->members, m, set->only_own);
  mark_inside(solver, set->members, m, 1);
#define EACH_CANDIDATE(BODY)                                 \
  for (i32 q = 0; q < frame->columns; q++) {                 \
    if (set->only_own && !frame->own[q]) continue;           \
    if (chosen && chosen[frame->class_of[q]] != q) continue; \
    i32 in = q < frame->n && solver->inside[q];              \
    if (solver->consistent_only && !in) continue;            \
    if (solver->parts[q] < 2) continue;                      \
    i32 bound = 3 * m - solver->parts[q] - in;               \
    if (bound >= set->limit) continue;                       \
    BODY                                                     \
  }
  EACH_CANDIDATE(starts[bound - base + 1]++;)
  for (i32 b = 0; b < 65; b++) starts[b + 1] += starts[b];
  set->waiting_count = starts[65];
  EACH_CANDIDATE({
    Candidate *to = &set->by_cell_count[starts[bound - base]++];
    to->column = (u16)q;
    to->bound = (i16)(bound - base);
    to->key = !in;
  })
#undef EACH_CANDIDATE
  mark_inside(solver, set->members, m, 0);
}

/* Pushes a set, with memory for its candidates; 0 if there is no memory or the stack is full. */
static Set *push(Solver *solver, u16 *members, i32 m, i32 depth, i32 limit) {
  if (solver->depth == 64) return 0;
  size_t mark = solver->used, columns = (size_t)solver->frame.columns;
  Set *set = allocate(solver, sizeof(Set));
  if (!set) return 0;
  memset(set, 0, offsetof(Set, tally));
  *set = (Set){.phase = BUCKET,
               .m = m,
               .depth = depth,
               .limit = limit,
               .best = limit,
               .members = members,
               .mark = mark,
               .best_column = -1};
  set->sorted = allocate(solver, sizeof(u16) * (size_t)m);
  set->by_cell_count = allocate(solver, sizeof(Candidate) * columns);
  set->by_size_bound = allocate(solver, sizeof(Candidate) * columns);
  set->current_bucket = allocate(solver, sizeof(Candidate) * columns);
  if (!set->sorted || !set->by_cell_count || !set->by_size_bound || !set->current_bucket) return 0;
  solver->nodes++;
  return solver->sets[solver->depth++] = set;
}

/* ---- canonical forms ------------------------------------------------------------------------ */

/* The image of a guess under the symmetry, or with `back` its preimage, as places in the space. */
static u32 permuted_guess(const Solver *solver, const Symmetry *to_image, u32 guess, i32 back) {
  if (guess >= (u32)solver->guesses) return UNKNOWN;
  Code code = code_unrank(&solver->ranking, guess);
  code = back ? code_permuted_back(&solver->rules, to_image, code)
              : code_permuted(&solver->rules, to_image, code);
  return code_rank(&solver->ranking, code);
}

/* Looks up the canonical form of a set and copies a better entry to the set. Returns the key of the
 * form, 0 if the size of the set has none. */
static u64 probe_canonical(Solver *solver, const u16 *members, i32 m, i32 depth, u64 key, Bound *result,
                           Symmetry *to_image) {
  if (m < LEAST_IMAGED || m > solver->largest_imaged) return 0;
  Code codes[MOST_IMAGED];
  for (i32 i = 0; i < m; i++) codes[i] = solver->frame.code[members[i]];
  u64 canonical_key = key_at_depth(code_canonical_key(&solver->rules, codes, m, to_image), depth);
  solver->work += 4 * m;
  const TableEntry *memo = table_entry(solver, canonical_key);
  if (memo->key != canonical_key || canonical_key == key) return canonical_key;
  i32 value = memo->value >> 1, exact = memo->value & 1;
  if (!exact && value <= result->value) return canonical_key;
  u32 guess = permuted_guess(solver, to_image, memo->guess, 1);
  *result = (Bound){value, exact, (i32)memo->worst};
  table_store(solver, key, value, exact, guess, result->worst);
  return canonical_key;
}

/* Bounds a set: 1 if its total is result or its bound reaches the cutoff. Else pushes it and
 * returns 0; -1 when out of memory. */
static i32 bound_or_push(Solver *solver, u16 *members, i32 m, i32 depth, i32 limit, i32 only_own,
                         Bound *result) {
  *result = cheap_bound(solver, members, m, depth);
  if (result->exact || result->value >= limit) return 1;
  u64 key = key_of(solver, members, m, depth);
  Symmetry to_image;
  u64 canonical_key = probe_canonical(solver, members, m, depth, key, result, &to_image);
  if (result->exact || result->value >= limit) return 1;
  code_count_cells(solver, members, m);
  result->value = max32(result->value, cell_count_bound(solver, members, m));
  if (result->value >= limit) {
    table_store(solver, key, result->value, 0, UNKNOWN, 0);
    return 1;
  }
  Set *set = push(solver, members, m, depth, limit);
  if (!set) return -1;
  set->least = result->value;
  set->only_own = only_own;
  set->key = key;
  set->canonical_key = canonical_key;
  set->to_image = to_image;
  list_candidates(solver, set);
  if (m >= 24) { /* large sets count cells by bit planes, small ones by labels */
    size_t rows = (size_t)code_plane_rows(&solver->rules);
    size_t columns = (size_t)code_columns(m);
    Code *codes = allocate(solver, sizeof(Code) * (size_t)m);
    u64 *planes = allocate(solver, 8 * rows * columns);
    u64 *total = allocate(solver, 8 * columns * (size_t)solver->rules.pegs);
    if (!codes || !planes || !total) return -1;
    for (i32 i = 0; i < m; i++) codes[i] = solver->frame.code[members[i]];
    code_fill_planes(&solver->rules, codes, m, planes, 0, (i32)columns);
    code_tally_start(&set->tally, &solver->rules, planes, m, total);
    set->has_tally = 1;
  }
  return 0;
}

/* ---- the steps of a set -------------------------------------------------------------------- */

static i32 in_order(const Candidate *a, const Candidate *b) {
  return a->key != b->key ? a->key < b->key : a->column < b->column;
}

/* Bounds a candidate by the sizes of its cells; puts it into the current bucket or a later one,
 * unless it is refuted. */
static void bound_candidate(Solver *solver, Set *set, Candidate candidate, i32 base) {
  u32 sizes[MAX_CELLS];
  if (set->has_tally) code_tally_guess(&set->tally, solver->frame.code[candidate.column], sizes);
  else count_cells(solver, set, label_of(solver, candidate.column), sizes);
  i32 bound = set->m, squares = 0, depth = after(set->depth);
  u32 largest = 0;
  for (i32 c = 0; c < solver->win; c++)
    if (sizes[c]) {
      bound += bound_of(solver, (i32)sizes[c], depth);
      squares += (i32)(sizes[c] * sizes[c]);
      largest = sizes[c] > largest ? sizes[c] : largest;
    }
  if ((i32)largest == set->m || bound >= set->best) return;
  candidate.key = squares * 2 + candidate.key;
  solver->work += set->m >> 3;
  if (bound > set->current) {
    candidate.bound = (i16)min32(bound - base, 32767);
    set->by_size_bound[set->late_count++] = candidate;
  } else {
    set->current_bucket[set->bucket_count++] = candidate;
  }
}

/* Fills the bucket of the least bound still waiting; 0 when no candidate is below the best. */
static i32 next_bucket(Solver *solver, Set *set) {
  i32 base = 3 * set->m - 64;
  if (set->best <= set->least) return 0;
  i32 bound = NEVER;
  if (set->next_waiting < set->waiting_count) bound = set->by_cell_count[set->next_waiting].bound + base;
  for (i32 i = 0; i < set->late_count; i++) bound = min32(bound, set->by_size_bound[i].bound + base);
  if (bound >= set->best) return 0;
  set->current = bound;
  set->bucket_count = set->next_candidate = 0;
  for (i32 i = 0; i < set->late_count;) {
    if (set->by_size_bound[i].bound + base != bound) {
      i++;
      continue;
    }
    set->current_bucket[set->bucket_count++] = set->by_size_bound[i];
    set->by_size_bound[i] = set->by_size_bound[--set->late_count];
  }
  while (set->next_waiting < set->waiting_count &&
         set->by_cell_count[set->next_waiting].bound + base == bound)
    bound_candidate(solver, set, set->by_cell_count[set->next_waiting++], base);
  SORT(set->current_bucket, set->bucket_count, in_order);
  return 1;
}

static void set_best(Set *set, i32 total) {
  set->best = total;
  set->found = 1;
  set->best_column = set->column;
  set->best_worst = set->worst;
}

/* Sorts the members by cell: set->from, set->sorted. Returns the largest size but the win's. */
static i32 sort_cells(const Solver *solver, Set *set, const u8 *label, u32 *sizes) {
  i32 largest = 0;
  count_cells(solver, set, label, sizes);
  sort_by_cell(solver, set->members, set->m, label, sizes, set->from, set->sorted);
  for (i32 c = 0; c < solver->win; c++) largest = max32(largest, (i32)sizes[c]);
  return largest;
}

/* Bounds every cell; lists those without an exact total in set->order, small ones first. */
static void bound_cells(Solver *solver, Set *set, const u32 *sizes) {
  i32 depth = after(set->depth);
  set->cost = set->m;
  set->open = 0;
  set->worst = 1;
  for (i32 c = 0; c < solver->win; c++) {
    if (!sizes[c]) continue;
    Bound result = cheap_bound(solver, set->sorted + set->from[c], (i32)sizes[c], depth);
    set->bounds[c] = result.value;
    set->cost += result.value;
    if (result.exact) set->worst = max32(set->worst, 1 + result.worst);
    else insert_by_size(set->order, set->open++, c, sizes);
  }
}

/* Tightens the open cells by their cell-count bounds; 0 if that refutes the candidate. */
static i32 tighten_cells(Solver *solver, Set *set, const u32 *sizes) {
  i32 depth = after(set->depth);
  for (i32 i = 0; i < set->open; i++) {
    i32 c = set->order[i], m = (i32)sizes[c];
    const u16 *members = set->sorted + set->from[c];
    code_count_cells(solver, members, m);
    i32 bound = cell_count_bound(solver, members, m);
    if (bound <= set->bounds[c]) continue;
    table_store(solver, key_of(solver, members, m, depth), bound, 0, UNKNOWN, 0);
    set->cost += bound - set->bounds[c];
    set->bounds[c] = bound;
    if (set->cost >= set->best) return 0;
  }
  return 1;
}

/* Partitions by the next candidate and bounds its cells; 1 if cells must be searched. */
static i32 expand_candidate(Solver *solver, Set *set) {
  u32 sizes[MAX_CELLS];
  set->column = set->current_bucket[set->next_candidate++].column;
  i32 largest = sort_cells(solver, set, label_of(solver, set->column), sizes);
  if (largest <= 2) { /* the bound is exact */
    set->worst = 1 + largest;
    set_best(set, set->current);
    return 0;
  }
  bound_cells(solver, set, sizes);
  solver->work += set->m;
  if (set->cost >= set->best || !tighten_cells(solver, set, sizes)) return 0;
  set->next_cell = 0;
  return 1;
}

/* Sets the total of the current cell, or a bound that refutes the candidate. */
static void set_cell_total(Set *set, i32 value, i32 worst) {
  i32 c = set->order[set->next_cell];
  set->cost += value - set->bounds[c];
  set->bounds[c] = value;
  set->worst = max32(set->worst, 1 + worst);
  set->next_cell++;
  set->phase = set->cost >= set->best ? CANDIDATE : CELL;
}

/* Pops a set: stores its result in the table and passes it to its parent. */
static void pop(Solver *solver, const Set *set) {
  u32 guess = set->best_column >= 0 ? solver->frame.guess[set->best_column] : UNKNOWN;
  if (!set->forced) table_store(solver, set->key, set->best, set->found, guess, set->best_worst);
  if (set->canonical_key && set->canonical_key != set->key) {
    guess = permuted_guess(solver, &set->to_image, guess, 0);
    table_store(solver, set->canonical_key, set->best, set->found, guess, set->best_worst);
  }
  solver->value = set->best;
  solver->worst = set->best_worst;
  solver->used = set->mark;
  solver->depth--;
  if (solver->depth > 0) set_cell_total(solver->sets[solver->depth - 1], solver->value, solver->worst);
}

EXPORT(i32, code_solver_step)(u8 *memory, i32 budget) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER)) return BAD;
  solver->work = 0;
  while (solver->depth > 0 && solver->work < budget) {
    Set *set = solver->sets[solver->depth - 1];
    solver->work += 4;
    if (set->phase == BUCKET) {
      if (!next_bucket(solver, set)) pop(solver, set);
      else set->phase = CANDIDATE;
    } else if (set->phase == CANDIDATE) {
      if (set->next_candidate == set->bucket_count || set->current >= set->best || set->best <= set->least)
        set->phase = BUCKET;
      else if (expand_candidate(solver, set)) set->phase = CELL;
    } else if (set->next_cell == set->open) {
      set_best(set, set->cost);
      set->phase = CANDIDATE;
    } else {
      i32 c = set->order[set->next_cell];
      Bound result;
      i32 limit = set->best - (set->cost - set->bounds[c]);
      i32 m = set->from[c + 1] - set->from[c];
      i32 status = bound_or_push(solver, set->sorted + set->from[c], m, after(set->depth), limit, 0, &result);
      if (status < 0) {
        solver->depth = 0; /* the search cannot be continued */
        return TOO_LARGE;
      }
      if (status) set_cell_total(set, result.value, result.worst);
    }
  }
  return solver->depth > 0;
}

/* ---- calls ---------------------------------------------------------------------------------- */

u16 *code_all_members(Solver *solver) {
  solver->depth = solver->reach_depth = 0;
  solver->used = solver->frame_end;
  u16 *members = allocate(solver, sizeof(u16) * (size_t)solver->frame.n);
  for (i32 i = 0; members && i < solver->frame.n; i++) members[i] = solver->order ? solver->order[i] : (u16)i;
  return members;
}

u8 *code_label_secrets(Solver *solver, Code guess) {
  u8 *label = allocate(solver, (size_t)solver->frame.n);
  Prober prober = code_prober(&solver->rules, guess);
  for (i32 i = 0; label && i < solver->frame.n; i++)
    label[i] = (u8)code_cell(&prober, solver->frame.code[i], solver->number);
  return label;
}

EXPORT(i32, code_solver_begin)(u8 *memory, i32 depth, i32 limit) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER) || depth < 0 || depth > UNLIMITED || !solver->frame.n) return BAD;
  u16 *members = code_all_members(solver);
  if (!members) return TOO_LARGE;
  Bound result;
  i32 status = bound_or_push(solver, members, solver->frame.n, depth, limit, 1, &result);
  solver->value = result.value;
  solver->worst = result.worst;
  return status < 0 ? TOO_LARGE : OK;
}

EXPORT(i32, code_solver_try)(u8 *memory, const Code *guess, i32 depth, i32 limit) {
  Solver *solver = (Solver *)memory;
  if (!seal_holds(solver, SOLVER) || !guess || depth < 1 || depth > UNLIMITED) return BAD;
  if (!solver->frame.n) return BAD;
  if (!code_is_legal(&solver->rules, *guess, 1)) return BAD;
  i32 n = solver->frame.n;
  u16 *members = code_all_members(solver);
  u8 *label = members ? code_label_secrets(solver, *guess) : 0;
  Set *set = label ? push(solver, members, n, depth, limit) : 0;
  if (!set) return TOO_LARGE;
  u32 sizes[MAX_CELLS];
  set->forced = 1;
  if (sort_cells(solver, set, label, sizes) < n) {
    bound_cells(solver, set, sizes);
    if (set->cost < set->best && tighten_cells(solver, set, sizes)) set->phase = CELL;
  }
  return OK;
}

EXPORT(i32, code_solver_value)(const u8 *memory) {
  return seal_holds(memory, SOLVER) ? ((const Solver *)memory)->value : BAD;
}

EXPORT(i32, code_solver_nodes)(const u8 *memory) {
  return seal_holds(memory, SOLVER) ? ((const Solver *)memory)->nodes : BAD;
}

EXPORT(i32, code_solver_worst)(const u8 *memory) {
  return seal_holds(memory, SOLVER) ? ((const Solver *)memory)->worst : BAD;
}

EXPORT(i32, code_solver_guess)(const u8 *memory, const Code *secrets, i32 n, i32 depth) {
  const Solver *solver = (const Solver *)memory;
  if (!seal_holds(solver, SOLVER) || !secrets || n < 1) return BAD;
  const Rules *rules = &solver->rules;
  u64 key = 0;
  for (i32 i = 0; i < n; i++) key = add_to_key(rules, key, secrets[i]);
  key = key_at_depth(key, depth);
  const TableEntry *memo = table_entry(solver, key);
  if (memo->key != key || !(memo->value & 1)) return 0;
  return (i32)code_guess_of_set(solver, memo->guess, secrets, n) + 1;
}
