/* The least total number of guesses for a set of secrets, by branch and bound.
 *
 *   total(S) = |S| + sum over the cells of the guess that are not the win, of total(cell)
 *
 * Bounds, from cheap to dear:
 *   - a perfect tree: 1 secret is found by the first guess, then K, K², … (K answers not a win);
 *   - parts: a guess with k cells costs at least 3|S| - k - [it is one of the secrets]; the
 *     numbers of cells of all guesses at once come from OR-ing rows of one-hot words;
 *   - the cells of a guess, by the two bounds above or the memo.
 * Guesses wait in buckets by parts bound and are looked at only when the search comes to their
 * bucket. Up to three secrets have closed forms; a secret that tells all others apart ends it.
 *
 * The search keeps its own stack, so that it can stop anywhere after a slice of work.
 * Rebuilding the frame for smaller sets was tried in the prototype: it never paid.
 *
 * One file, since bounds, buckets and the stack are parts of one loop that stops and goes on, and
 * the compiler inlines them into it.
 */
#include "optimal.h"

#include <wasm_simd128.h>

/* ---- memory ------------------------------------------------------------------------------- */

static void *take(Solver *solver, size_t bytes) {
  size_t need = (bytes + 63) & ~(size_t)63;
  if (solver->size - solver->used < need) return 0;
  void *piece = solver->memory + solver->used;
  solver->used += need;
  return piece;
}

static i32 perfect_total(i32 n, i32 depth, i32 answers) {
  i64 total = 0, room = 1;
  for (i32 guess = 1; n > 0; guess++) {
    if (guess > depth) return NEVER;
    i64 found = n < room ? n : room;
    total += found * guess;
    n -= (i32)found;
    room *= answers;
    if (room > 1 << 20) room = 1 << 20;
  }
  return (i32)total;
}

/* ---- bounds, memo ------------------------------------------------------------------------- */

/* Least total of n secrets in at most `depth` guesses. The table holds 65535 for NEVER. */
static inline i32 bound_of(const Solver *solver, i32 n, i32 depth) {
  if (depth <= 0) return n ? NEVER : 0;
  u16 known = solver->bounds[depth][n];
  return known == 65535 ? NEVER : known;
}

static inline i32 after(i32 depth) { return depth == UNLIMITED ? UNLIMITED : depth - 1; }

static u64 mix(u64 x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

static u64 key_of_secret(Word word) { return mix(word * 0x9e3779b97f4a7c15ull + 1); }

static u64 key_at_depth(u64 key, i32 depth) {
  return key ^ (u64)(depth + 1) * 0x9e3779b97f4a7c15ull;
}

static u64 key_of(const Solver *solver, const u16 *members, i32 m, i32 depth) {
  u64 key = 0;
  for (i32 i = 0; i < m; i++) key ^= solver->frame.key[members[i]];
  return key_at_depth(key, depth);
}

static Memo *memo_at(const Solver *solver, u64 key) {
  return &solver->memo[key >> (64 - solver->memo_bits)];
}

static void remember(Solver *solver, u64 key, i32 value, i32 exact, u32 guess) {
  Memo *memo = memo_at(solver, key);
  if (memo->key == key && ((memo->value & 1) || (!exact && memo->value >> 1 >= value))) return;
  *memo = (Memo){key, value << 1 | exact, guess};
}

/* A member whose answers tell all members apart: its place, or -1. */
static i32 perfect_member(const Frame *frame, const u16 *members, i32 m) {
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

/* What is known of a set without searching: its total (*exact = 1) or a lower bound. */
static i32 quick(Solver *solver, const u16 *members, i32 m, i32 depth, i32 *exact) {
  const Frame *frame = &solver->frame;
  *exact = 1;
  if (depth <= 0) return NEVER;
  if (m == 1) return 1;
  if (depth < 2) return NEVER;
  if (m == 2) return 3;
  if (m == 3) {
    if (perfect_member(frame, members, 3) >= 0) return 5;
    if (depth >= 3 || solver->consistent_only) return depth < 3 ? NEVER : 6;
    *exact = 0; /* another guess may tell the three apart in two */
    return 6;
  }
  u64 key = key_of(solver, members, m, depth);
  const Memo *memo = memo_at(solver, key);
  if (memo->key == key) {
    *exact = memo->value & 1;
    return memo->value >> 1;
  }
  if (m <= solver->cells) {
    i32 best = perfect_member(frame, members, m);
    if (best >= 0) {
      remember(solver, key, 2 * m - 1, 1, frame->guess[members[best]]);
      return 2 * m - 1;
    }
  }
  *exact = 0;
  i32 bound = bound_of(solver, m, depth);
  if (depth == 2 && solver->consistent_only) bound = NEVER;
  if (bound < 2 * m) bound = 2 * m; /* 2m - 1 takes a perfect member */
  remember(solver, key, bound, 0, ~0u);
  return bound;
}

/* parts[column] = number of cells into which each guess of the frame splits the set. */
static void count_parts(Solver *solver, const u16 *members, i32 m) {
  const Frame *frame = &solver->frame;
  size_t stride = (size_t)frame->stride;
  i32 planes = frame->hot[1] ? 2 : 1;
  for (size_t at = 0; at < stride; at += 32) {
    v128_t counts[4] = {wasm_i16x8_splat(0), wasm_i16x8_splat(0), wasm_i16x8_splat(0),
                        wasm_i16x8_splat(0)};
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

/* The parts bound of the whole set, from parts[]. */
static i32 parts_bound(const Solver *solver, const u16 *members, i32 m) {
  i32 most = 0, most_member = 0;
  for (i32 i = 0; i < m; i++) most_member = max32(most_member, solver->parts[members[i]]);
  i32 by_member = 3 * m - 1 - most_member;
  if (solver->consistent_only) return by_member;
  for (i32 q = 0; q < solver->frame.columns; q++) most = max32(most, solver->parts[q]);
  return min32(by_member, 3 * m - most);
}

/* ---- a set comes onto the stack ------------------------------------------------------------ */

static void count_cells(const Solver *solver, const Set *set, i32 column, u32 *sizes) {
  const u8 *label = solver->frame.label + (size_t)column * solver->frame.n;
  for (i32 c = 0; c < solver->cells; c++) sizes[c] = 0;
  for (i32 i = 0; i < set->m; i++) sizes[label[set->members[i]]]++;
}

/* Candidates by parts bound, at most `limit`; equal bounds keep the order of columns. */
static void list_candidates(Solver *solver, Set *set) {
  const Frame *frame = &solver->frame;
  i32 m = set->m, base = 3 * m - 64, starts[66] = {0};
  for (i32 i = 0; i < m; i++) solver->inside[set->members[i]] = 1;
#define EACH_CANDIDATE(BODY)                                          \
  for (i32 q = 0; q < frame->columns; q++) {                          \
    if (set->only_own && !frame->own[q]) continue;                    \
    i32 in = q < frame->n && solver->inside[q];                       \
    if (solver->consistent_only && !in) continue;                     \
    if (solver->parts[q] < 2) continue;                               \
    i32 bound = 3 * m - solver->parts[q] - in;                        \
    if (bound >= set->limit) continue;                                \
    BODY                                                              \
  }
  EACH_CANDIDATE(starts[bound - base + 1]++;)
  for (i32 b = 0; b < 65; b++) starts[b + 1] += starts[b];
  set->waiting_count = starts[65];
  EACH_CANDIDATE({
    Candidate *to = &set->waiting[starts[bound - base]++];
    to->column = (u16)q;
    to->bound = (i16)(bound - base);
    to->key = !in;
  })
#undef EACH_CANDIDATE
  for (i32 i = 0; i < m; i++) solver->inside[set->members[i]] = 0;
}

/* The total of a set if it is known or above the limit at once (1), else the set is pushed (0).
 * -1: out of memory. */
static i32 enter(Solver *solver, u16 *members, i32 m, i32 depth, i32 limit, i32 only_own,
                 i32 *value) {
  i32 exact, least = quick(solver, members, m, depth, &exact);
  *value = least;
  if (exact || least >= limit) return 1;
  u64 key = key_of(solver, members, m, depth);
  count_parts(solver, members, m);
  least = max32(least, parts_bound(solver, members, m));
  if (least >= limit) {
    remember(solver, key, least, 0, ~0u);
    *value = least;
    return 1;
  }
  if (solver->depth == 64) return -1;
  size_t mark = solver->used, columns = (size_t)solver->frame.columns;
  Set *set = take(solver, sizeof(Set));
  if (!set) return -1;
  memset(set, 0, offsetof(Set, tally));
  *set = (Set){.phase = BUCKET, .m = m, .depth = depth, .limit = limit, .best = limit,
               .least = least, .only_own = only_own, .key = key, .members = members,
               .mark = mark, .best_column = -1};
  set->sorted = take(solver, sizeof(u16) * (size_t)m);
  set->waiting = take(solver, sizeof(Candidate) * columns);
  set->late = take(solver, sizeof(Candidate) * columns);
  set->bucket = take(solver, sizeof(Candidate) * columns);
  if (!set->sorted || !set->waiting || !set->late || !set->bucket) return -1;
  list_candidates(solver, set);
  if (m >= 24) { /* large sets count cells by planes, small ones by labels */
    size_t rows = 2 * (size_t)solver->rules.pegs * solver->rules.colours + 1;
    size_t wide = (size_t)code_columns(m);
    Word *words = take(solver, sizeof(Word) * (size_t)m);
    u64 *planes = take(solver, 8 * rows * wide);
    u64 *total = take(solver, 8 * wide * (size_t)solver->rules.pegs);
    if (!words || !planes || !total) return -1;
    for (i32 i = 0; i < m; i++) words[i] = solver->frame.word[members[i]];
    code_fill_planes(&solver->rules, words, m, planes, 0, (i32)wide);
    code_tally_start(&set->tally, &solver->rules, planes, m, total);
    set->has_tally = 1;
  }
  solver->sets[solver->depth++] = set;
  return 0;
}

/* ---- the steps of a set -------------------------------------------------------------------- */

static i32 in_order(const Candidate *a, const Candidate *b) {
  return a->key != b->key ? a->key < b->key : a->column < b->column;
}

static void sort_bucket(Candidate *bucket, i32 count) { /* shell sort: buckets are short */
  i32 gap = 1;
  while (gap < count / 3) gap = gap * 3 + 1;
  for (; gap > 0; gap /= 3)
    for (i32 i = gap; i < count; i++) {
      Candidate held = bucket[i];
      i32 j = i;
      for (; j >= gap && in_order(&held, &bucket[j - gap]); j -= gap) bucket[j] = bucket[j - gap];
      bucket[j] = held;
    }
}

/* Look at the cells of a waiting candidate: into the bucket, to the late ones, or out. */
static void examine(Solver *solver, Set *set, Candidate candidate, i32 base) {
  u32 sizes[MAX_CELLS];
  if (set->has_tally)
    code_tally_guess(&set->tally, solver->frame.word[candidate.column], sizes);
  else
    count_cells(solver, set, candidate.column, sizes);
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
    set->late[set->late_count++] = candidate;
  } else {
    set->bucket[set->bucket_count++] = candidate;
  }
}

/* Fill the bucket of the least bound still waiting; 0 when nothing better can come. */
static i32 next_bucket(Solver *solver, Set *set) {
  i32 base = 3 * set->m - 64;
  if (set->best <= set->least) return 0;
  i32 bound = NEVER;
  if (set->next_waiting < set->waiting_count) bound = set->waiting[set->next_waiting].bound + base;
  for (i32 i = 0; i < set->late_count; i++) bound = min32(bound, set->late[i].bound + base);
  if (bound >= set->best) return 0;
  set->current = bound;
  set->bucket_count = set->next_candidate = 0;
  for (i32 i = 0; i < set->late_count;) {
    if (set->late[i].bound + base != bound) {
      i++;
      continue;
    }
    set->bucket[set->bucket_count++] = set->late[i];
    set->late[i] = set->late[--set->late_count];
  }
  while (set->next_waiting < set->waiting_count &&
         set->waiting[set->next_waiting].bound + base == bound)
    examine(solver, set, set->waiting[set->next_waiting++], base);
  sort_bucket(set->bucket, set->bucket_count);
  return 1;
}

static void improve(Set *set, i32 total) {
  set->best = total;
  set->found = 1;
  set->best_column = set->column;
}

/* Split by the next candidate and bound its cells; 1 if cells are left to be solved. */
static i32 open_candidate(Solver *solver, Set *set) {
  Candidate candidate = set->bucket[set->next_candidate++];
  u32 sizes[MAX_CELLS];
  i32 column = candidate.column, depth = after(set->depth), largest = 0;
  const u8 *label = solver->frame.label + (size_t)column * solver->frame.n;
  set->column = column;
  count_cells(solver, set, column, sizes);
  set->from[0] = 0;
  for (i32 c = 0; c < solver->cells; c++) set->from[c + 1] = set->from[c] + (i32)sizes[c];
  for (i32 c = 0; c < solver->win; c++) largest = max32(largest, (i32)sizes[c]);
  if (largest <= 2) { /* the bound is the truth */
    improve(set, set->current);
    return 0;
  }
  i32 at[32];
  memcpy(at, set->from, sizeof at);
  for (i32 i = 0; i < set->m; i++) set->sorted[at[label[set->members[i]]]++] = set->members[i];
  set->cost = set->m;
  set->open = 0;
  for (i32 c = 0; c < solver->win; c++) {
    if (!sizes[c]) continue;
    i32 exact;
    set->bounds[c] = quick(solver, set->sorted + set->from[c], (i32)sizes[c], depth, &exact);
    set->cost += set->bounds[c];
    if (!exact) set->order[set->open++] = c;
  }
  solver->work += set->m;
  if (set->cost >= set->best) return 0;
  for (i32 i = 1; i < set->open; i++) { /* small cells first: they are cheap to refute */
    i32 c = set->order[i], j = i;
    for (; j > 0 && sizes[set->order[j - 1]] > sizes[c]; j--) set->order[j] = set->order[j - 1];
    set->order[j] = c;
  }
  for (i32 i = 0; i < set->open; i++) { /* the parts bound of every cell before any is solved */
    i32 c = set->order[i], m = (i32)sizes[c];
    const u16 *members = set->sorted + set->from[c];
    count_parts(solver, members, m);
    i32 bound = parts_bound(solver, members, m);
    if (bound <= set->bounds[c]) continue;
    remember(solver, key_of(solver, members, m, depth), bound, 0, ~0u);
    set->cost += bound - set->bounds[c];
    set->bounds[c] = bound;
    if (set->cost >= set->best) return 0;
  }
  set->next_cell = 0;
  return 1;
}

/* A cell's total (or a bound too high) has come. */
static void take_cell(Set *set, i32 value) {
  i32 c = set->order[set->next_cell];
  set->cost += value - set->bounds[c];
  set->bounds[c] = value;
  set->next_cell++;
  set->phase = set->cost >= set->best ? CANDIDATE : CELL;
}

static void leave(Solver *solver, const Set *set) {
  u32 guess = set->best_column >= 0 ? solver->frame.guess[set->best_column] : ~0u;
  remember(solver, set->key, set->best, set->found, guess);
  solver->value = set->best;
  solver->used = set->mark;
  solver->depth--;
  if (solver->depth > 0) take_cell(solver->sets[solver->depth - 1], solver->value);
}

EXPORT(i32, code_solver_step)(u8 *memory, i32 budget) {
  Solver *solver = (Solver *)memory;
  if (!solver) return BAD;
  solver->work = 0;
  while (solver->depth > 0 && solver->work < budget) {
    Set *set = solver->sets[solver->depth - 1];
    solver->work += 4;
    if (set->phase == BUCKET) {
      if (!next_bucket(solver, set)) leave(solver, set);
      else set->phase = CANDIDATE;
    } else if (set->phase == CANDIDATE) {
      if (set->next_candidate == set->bucket_count || set->current >= set->best ||
          set->best <= set->least)
        set->phase = BUCKET;
      else if (open_candidate(solver, set))
        set->phase = CELL;
    } else if (set->next_cell == set->open) {
      improve(set, set->cost);
      set->phase = CANDIDATE;
    } else {
      i32 c = set->order[set->next_cell], value;
      i32 limit = set->best - (set->cost - set->bounds[c]);
      i32 status = enter(solver, set->sorted + set->from[c], set->from[c + 1] - set->from[c],
                         after(set->depth), limit, 0, &value);
      if (status < 0) return TOO_LARGE;
      if (status) take_cell(set, value);
    }
  }
  return solver->depth > 0;
}

/* ---- solvers and frames -------------------------------------------------------------------- */

EXPORT(i32, code_solver_start)(u8 *memory, i32 size, i32 packed, Memo *memo, i32 memo_bits,
                               i32 consistent_only) {
  Solver *solver = (Solver *)memory;
  if (!memory || !memo || size < 1 << 20 || memo_bits < 4 || memo_bits > 24) return BAD;
  memset(solver, 0, sizeof *solver);
  if (!code_read_rules(packed, &solver->rules)) return BAD;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  solver->cells = code_cells_of(&solver->rules, number);
  if (solver->cells > 32) return TOO_LARGE;
  solver->win = solver->cells - 1;
  solver->consistent_only = consistent_only;
  solver->memo = memo;
  solver->memo_bits = memo_bits;
  solver->memory = memory;
  solver->size = (size_t)size;
  solver->used = (sizeof *solver + 63) & ~(size_t)63;
  for (i32 depth = 1; depth <= UNLIMITED; depth++) {
    solver->bounds[depth] = take(solver, sizeof(u16) * (MOST_SECRETS + 1));
    for (i32 n = 0; n <= MOST_SECRETS; n++) {
      i32 total = perfect_total(n, depth, solver->win);
      solver->bounds[depth][n] = total >= 65535 ? 65535 : (u16)total;
    }
  }
  solver->frame_used = solver->used;
  return OK;
}

/* What a guess does to the set, whatever the answers are called: a hash of its cells. */
static u64 signature(const u8 *label, const u64 *keys, i32 n, i32 cells, i32 *parts) {
  u64 cell[32] = {0}, sum = 1;
  for (i32 i = 0; i < n; i++) cell[label[i]] ^= keys[i];
  *parts = 0;
  for (i32 c = 0; c < cells; c++)
    if (cell[c]) {
      sum += mix(cell[c]);
      ++*parts;
    }
  return sum;
}

typedef struct Labeller {
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 pegs, colours, exact_only;
  u64 *hot, *copies; /* of each secret: bits (peg, colour) and (colour, how many) */
  u8 table[128];     /* by exact * 9 + total */
} Labeller;

static u64 hot_bits(const Labeller *labeller, Word word) {
  u64 bits = 0;
  for (i32 peg = 0; peg < labeller->pegs; peg++) {
    i32 symbol = code_symbol(word, peg);
    if (symbol) bits |= 1ull << (peg * labeller->colours + symbol - 1);
  }
  return bits;
}

static u64 copy_bits(const Labeller *labeller, Word word) {
  u64 bits = 0;
  u8 copies[SYMBOLS] = {0};
  for (i32 peg = 0; peg < labeller->pegs; peg++) {
    i32 symbol = code_symbol(word, peg);
    if (symbol) bits |= 1ull << (copies[symbol]++ * labeller->colours + symbol - 1);
  }
  return bits;
}

static void label_all(const Labeller *labeller, Word guess, i32 n, u8 *label) {
  u64 hot = hot_bits(labeller, guess), copies = copy_bits(labeller, guess);
  for (i32 i = 0; i < n; i++)
    label[i] = labeller->table[popcount64(hot & labeller->hot[i]) * 9 +
                               popcount64(copies & labeller->copies[i])];
}

static i32 prepare_labels(Solver *solver, Labeller *labeller, const Word *secrets, i32 n) {
  if (solver->rules.pegs * solver->rules.colours > 64) return TOO_LARGE;
  code_cells_of(&solver->rules, labeller->number);
  labeller->pegs = solver->rules.pegs;
  labeller->colours = solver->rules.colours;
  labeller->hot = take(solver, 8 * (size_t)n);
  labeller->copies = take(solver, 8 * (size_t)n);
  if (!labeller->hot || !labeller->copies) return TOO_LARGE;
  for (i32 x = 0; x <= MAX_PEGS; x++)
    for (i32 t = 0; t <= MAX_PEGS; t++) {
      i32 y = solver->rules.exact_only ? 0 : t - x;
      i32 cell = x <= solver->rules.pegs && y >= 0 ? labeller->number[x][y] : -1;
      labeller->table[x * 9 + t] = cell < 0 ? 0 : (u8)cell;
    }
  for (i32 i = 0; i < n; i++) {
    labeller->hot[i] = hot_bits(labeller, secrets[i]);
    labeller->copies[i] = copy_bits(labeller, secrets[i]);
  }
  return OK;
}

/* Columns of the frame: the secrets, then one outsider for each new way of splitting them. */
static i32 choose_columns(Solver *solver, const Labeller *labeller, const Word *space, i32 count,
                          const Word *secrets, i32 n, const u32 *canonical, i32 canonical_count) {
  Frame *frame = &solver->frame;
  i32 bits = 10;
  while (1 << bits < 2 * (count + n)) bits++;
  size_t mark = solver->used;
  u64 *hash = take(solver, 8ull << bits);
  u32 *column = take(solver, 4ull << bits);
  u8 *label = take(solver, (size_t)n);
  if (!hash || !column || !label) return TOO_LARGE;
  memset(column, 0, 4ull << bits);
  i32 columns = 0, next = 0, own_next = 0;
  for (i32 pass = 0; pass < 2; pass++) {
    next = own_next = 0;
    for (i32 g = 0; g < count; g++) {
      i32 secret = next < n && secrets[next] == space[g];
      i32 own = own_next < canonical_count && canonical[own_next] == (u32)g;
      next += secret;
      own_next += own;
      if (secret == pass || (pass && solver->consistent_only)) continue;
      i32 parts;
      label_all(labeller, space[g], n, label);
      u64 sign = signature(label, frame->key, n, solver->cells, &parts);
      if (pass && parts < 2) continue;
      u32 slot = (u32)(sign >> (64 - bits));
      while (column[slot] && hash[slot] != sign) slot = (slot + 1) & ((1u << bits) - 1);
      if (column[slot] && pass) {
        frame->own[column[slot] - 1] |= (u8)own;
        continue;
      }
      if (columns == MOST_COLUMNS) return TOO_LARGE;
      if (!column[slot]) {
        hash[slot] = sign;
        column[slot] = (u32)columns + 1;
      }
      frame->guess[columns] = (u32)g;
      frame->word[columns] = space[g];
      frame->own[columns++] = (u8)own;
    }
    if (!pass && next != n) return BAD;
  }
  solver->used = mark;
  return columns;
}

static i32 fill_columns(Solver *solver, const Labeller *labeller) {
  Frame *frame = &solver->frame;
  size_t n = (size_t)frame->n, columns = (size_t)frame->columns;
  size_t stride = (columns + 31) & ~(size_t)31;
  frame->stride = (i32)stride;
  frame->label = take(solver, columns * n);
  frame->hot[0] = take(solver, 2 * n * stride);
  frame->hot[1] = solver->cells > 16 ? take(solver, 2 * n * stride) : 0;
  frame->member = take(solver, 4 * n * n);
  solver->parts = take(solver, stride);
  solver->inside = take(solver, n);
  if (!frame->label || !frame->hot[0] || (solver->cells > 16 && !frame->hot[1])) return TOO_LARGE;
  if (!frame->member || !solver->parts || !solver->inside) return TOO_LARGE;
  memset(solver->inside, 0, n);
  for (i32 plane = 0; plane < 2; plane++) {
    if (!frame->hot[plane]) continue;
    memset(frame->hot[plane], 0, 2 * n * stride);
  }
  for (size_t q = 0; q < columns; q++) {
    u8 *label = frame->label + q * n;
    label_all(labeller, frame->word[q], frame->n, label);
    for (size_t i = 0; i < n; i++) {
      frame->hot[label[i] >> 4][i * stride + q] = (u16)(1u << (label[i] & 15));
      if (q < n) frame->member[q * n + i] = 1u << label[i];
    }
  }
  return OK;
}

EXPORT(i32, code_solver_frame)(u8 *memory, const Word *space, i32 count, const Word *secrets,
                               i32 n, const u32 *canonical, i32 canonical_count) {
  Solver *solver = (Solver *)memory;
  if (!solver || !space || !secrets || !canonical || n < 1 || count < n) return BAD;
  if (n > MOST_SECRETS || count > MOST_COLUMNS) return TOO_LARGE;
  solver->used = solver->frame_used;
  solver->depth = 0;
  Frame *frame = &solver->frame;
  frame->n = n;
  frame->key = take(solver, 8 * (size_t)n);
  frame->guess = take(solver, 4 * (size_t)count);
  frame->word = take(solver, 8 * (size_t)count);
  frame->own = take(solver, (size_t)count);
  if (!frame->key || !frame->guess || !frame->word || !frame->own) return TOO_LARGE;
  for (i32 i = 0; i < n; i++) frame->key[i] = key_of_secret(secrets[i]);
  Labeller labeller = {0};
  i32 status = prepare_labels(solver, &labeller, secrets, n);
  if (status != OK) return status;
  i32 columns = choose_columns(solver, &labeller, space, count, secrets, n, canonical,
                               canonical_count);
  if (columns < 0) return columns;
  frame->columns = columns;
  status = fill_columns(solver, &labeller);
  return status == OK ? columns : status;
}

EXPORT(i32, code_solver_begin)(u8 *memory, i32 depth, i32 limit) {
  Solver *solver = (Solver *)memory;
  if (!solver || depth < 0 || depth > UNLIMITED || !solver->frame.n) return BAD;
  solver->depth = 0;
  u16 *members = take(solver, sizeof(u16) * (size_t)solver->frame.n);
  if (!members) return TOO_LARGE;
  for (i32 i = 0; i < solver->frame.n; i++) members[i] = (u16)i;
  i32 status = enter(solver, members, solver->frame.n, depth, limit, 1, &solver->value);
  return status < 0 ? TOO_LARGE : OK;
}

EXPORT(i32, code_solver_value)(const u8 *memory) {
  return memory ? ((const Solver *)memory)->value : BAD;
}

EXPORT(i32, code_solver_guess)(const u8 *memory, const Word *secrets, i32 n, i32 depth) {
  const Solver *solver = (const Solver *)memory;
  if (!solver || !secrets || n < 1) return BAD;
  u64 key = 0;
  for (i32 i = 0; i < n; i++) key ^= key_of_secret(secrets[i]);
  key = key_at_depth(key, depth);
  const Memo *memo = memo_at(solver, key);
  return memo->key == key && (memo->value & 1) ? (i32)(memo->guess + 1) : 0;
}

/* ---- the first guesses --------------------------------------------------------------------- */

static u32 excluded_of(const Rules *rules, const Word *secrets, i32 n) {
  return (((2u << rules->colours) - 2) & ~(u32)code_present(secrets, n)) | (u32)rules->blanks;
}

EXPORT(i32, code_canonical)(i32 packed, const Word *space, i32 count, const Word *clues,
                            i32 clue_count, const Word *secrets, i32 n, i32 consistent_only,
                            u32 *out) {
  static Filtering filtering;
  Rules rules;
  if (!code_read_rules(packed, &rules) || !space || !secrets || !out || count < 0) return BAD;
  if (clue_count < 0 || clue_count > MAX_CLUES || n < 0) return BAD;
  code_filter_start(&rules, &filtering);
  for (i32 i = 0; i < clue_count; i++)
    code_filter_narrow(&rules, &filtering, clues[i], &filtering);
  u32 excluded = excluded_of(&rules, secrets, n);
  i32 kept = 0, next = 0;
  for (i32 g = 0; g < count; g++) {
    i32 secret = next < n && secrets[next] == space[g];
    next += secret;
    if (consistent_only && !secret) continue;
    if (!code_is_least_excluded(&rules, space[g], excluded)) continue;
    if (code_filter_keeps(&rules, &filtering, space[g])) out[kept++] = (u32)g;
  }
  return kept;
}

EXPORT(i32, code_bounds)(i32 packed, const Word *secrets, i32 n, const Word *space,
                         const u32 *guesses, i32 count, i32 depth, u64 *planes, u64 *columns,
                         i32 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !secrets || !guesses || n < 1 || count < 0) return BAD;
  if (code_fill_planes(&rules, secrets, n, planes, 0, code_columns(n)) < 0) return BAD;
  Tally tally;
  code_tally_start(&tally, &rules, planes, n, columns);
  i32 win = tally.cells - 1;
  for (i32 i = 0; i < count; i++) {
    u32 sizes[MAX_CELLS], largest = 0;
    i64 bound = n, squares = 0;
    code_tally_guess(&tally, space[guesses[i]], sizes);
    for (i32 c = 0; c < win; c++) {
      if (!sizes[c]) continue;
      bound += perfect_total((i32)sizes[c], after(depth), win);
      squares += (i64)sizes[c] * sizes[c];
      largest = sizes[c] > largest ? sizes[c] : largest;
    }
    out[2 * i] = (i32)largest == n || bound >= NEVER ? NEVER : (i32)bound;
    out[2 * i + 1] = squares > 0x7fffffff ? 0x7fffffff : (i32)squares;
  }
  return count;
}

static i32 cell_of(const Prober *prober, Word secret, i8 number[MAX_PEGS + 1][MAX_PEGS + 1]) {
  i32 exact, total;
  code_probe(prober, secret, &exact, &total);
  return number[exact][total - exact];
}

EXPORT(i32, code_part)(i32 packed, const Word *guess, const Word *secrets, i32 n, Word *out,
                       u32 *starts) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guess || !secrets || !out || !starts) return BAD;
  if (!code_is_legal(&rules, *guess, 1) || n < 0) return BAD;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 cells = code_cells_of(&rules, number);
  Prober prober = code_prober(&rules, *guess);
  memset(starts, 0, sizeof(u32) * (MAX_CELLS + 1));
  for (i32 i = 0; i < n; i++) {
    if (!code_is_legal(&rules, secrets[i], 0)) return BAD;
    starts[cell_of(&prober, secrets[i], number) + 1]++;
  }
  for (i32 c = 0; c < cells; c++) starts[c + 1] += starts[c];
  u32 at[MAX_CELLS];
  memcpy(at, starts, sizeof at);
  for (i32 i = 0; i < n; i++) out[at[cell_of(&prober, secrets[i], number)]++] = secrets[i];
  return cells;
}

EXPORT(i32, code_tells_all)(i32 packed, const Word *secrets, i32 n) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !secrets || n < 0) return BAD;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  if (n > code_cells_of(&rules, number)) return 0;
  for (i32 i = 0; i < n; i++) {
    Prober prober = code_prober(&rules, secrets[i]);
    u64 seen = 0;
    i32 j = 0;
    for (; j < n; j++) {
      u64 bit = 1ull << cell_of(&prober, secrets[j], number);
      if (seen & bit) break;
      seen |= bit;
    }
    if (j == n) return i + 1;
  }
  return 0;
}

typedef struct Look {
  u32 *order;     /* all guesses, those of equal colours together */
  u32 *list;      /* … that the symmetries leave */
  u64 *multisets; /* of each guess */
  u32 *least;     /* [n]: perfect totals */
  Word *sorted;
  u64 *planes, *columns;
} Look;

static size_t look_layout(const Rules *rules, u8 *memory, i32 count, i32 n, Look *look) {
  size_t wide = (size_t)code_columns(n), rows = 2 * (size_t)rules->pegs * rules->colours + 1;
  size_t many = ((size_t)count + 3) & ~(size_t)3;
  look->multisets = (u64 *)memory;
  look->order = (u32 *)(look->multisets + many);
  look->list = look->order + many;
  look->least = look->list + many;
  look->sorted = (Word *)(look->least + (((size_t)n + 4) & ~(size_t)3));
  look->planes = look->sorted + n;
  look->columns = look->planes + rows * wide;
  return (size_t)((u8 *)(look->columns + (size_t)rules->pegs * wide) - memory);
}

EXPORT(i32, code_look_bytes)(i32 packed, i32 count, i32 n) {
  Rules rules;
  Look look;
  if (!code_read_rules(packed, &rules) || count < 0 || n < 0) return BAD;
  return (i32)max32((i32)look_layout(&rules, 0, count, n, &look), 4 * 65537 + 8 * count);
}

/* The least bound of a set over the listed guesses (or, consistent only, over its members);
 * `enough` is known to be a lower bound. */
static i32 look_at(const Rules *rules, const Look *look, i32 listed, const Word *space,
                   const Word *secrets, i32 n, const u32 *least, i32 enough, i32 consistent_only) {
  u32 excluded = excluded_of(rules, secrets, n), sizes[MAX_CELLS];
  code_fill_planes(rules, secrets, n, look->planes, 0, code_columns(n));
  Tally tally;
  code_tally_start(&tally, rules, look->planes, n, look->columns);
  i32 best = NEVER, win = tally.cells - 1;
  for (i32 i = 0; i < (consistent_only ? n : listed) && best > enough; i++) {
    if (consistent_only) {
      code_tally_guess(&tally, secrets[i], sizes);
    } else {
      Word guess = space[look->list[i]];
      if (excluded && !code_is_least_excluded(rules, guess, excluded)) continue;
      code_tally_grouped(&tally, guess, look->multisets[look->list[i]], sizes);
    }
    u32 bound = (u32)n, largest = 0;
    for (i32 c = 0; c < win; c++) {
      bound += least[sizes[c]];
      largest = sizes[c] > largest ? sizes[c] : largest;
    }
    if ((i32)largest < n && (i32)bound < best) best = (i32)bound;
  }
  return best;
}

EXPORT(i32, code_look)(i32 packed, const Word *space, i32 count, const Word *clues, i32 clue_count,
                       const Word *secrets, i32 n, const u32 *guesses, i32 from, i32 to, i32 depth,
                       i32 limit, i32 consistent_only, u8 *scratch, i32 *totals) {
  static Filtering before, with;
  Rules rules;
  Look look;
  if (!code_read_rules(packed, &rules) || !space || !secrets || !guesses || !scratch || !totals)
    return BAD;
  if (clue_count < 0 || clue_count > MAX_CLUES || n < 1 || from < 0 || from > to) return BAD;
  look_layout(&rules, scratch, count, n, &look);
  code_group(packed, space, count, look.order, look.list); /* the list and more lie unused yet */
  for (i32 g = 0; g < count; g++) look.multisets[g] = code_multiset(&rules, space[g]);
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 win = code_cells_of(&rules, number) - 1, next = after(after(depth));
  for (i32 m = 0; m <= n; m++) look.least[m] = (u32)perfect_total(m, next, win);
  code_filter_start(&rules, &before);
  for (i32 i = 0; i < clue_count; i++) code_filter_narrow(&rules, &before, clues[i], &before);
  for (i32 row = from; row < to; row++) {
    i32 *total = totals + (size_t)(row - from) * (1 + MAX_CELLS), listed = -1;
    Word guess = space[guesses[row]];
    u32 starts[MAX_CELLS + 1];
    i32 cells = code_part(packed, &guess, secrets, n, look.sorted, starts);
    if (cells < 0) return BAD;
    total[0] = n;
    for (i32 c = 0; c < cells - 1; c++) {
      i32 m = (i32)(starts[c + 1] - starts[c]);
      total[1 + c] = m ? perfect_total(m, after(depth), cells - 1) : 0;
      total[0] = min32(NEVER, total[0] + total[1 + c]);
    }
    for (u32 done = 0; total[0] < limit;) { /* the largest cell that is left */
      i32 c = -1, most = 2;
      for (i32 k = 0; k < cells - 1; k++)
        if (!(done >> k & 1) && (i32)(starts[k + 1] - starts[k]) > most)
          most = (i32)(starts[k + 1] - starts[k]), c = k;
      if (c < 0) break;
      done |= 1u << c;
      if (listed < 0 && !consistent_only) {
        code_filter_narrow(&rules, &before, guess, &with);
        listed = 0;
        for (i32 i = 0; i < count; i++) {
          u32 g = look.order[i];
          if (code_filter_keeps(&rules, &with, space[g])) look.list[listed++] = g;
        }
      }
      i32 bound = look_at(&rules, &look, listed, space, look.sorted + starts[c], most, look.least,
                          total[1 + c], consistent_only);
      if (bound <= total[1 + c]) continue;
      total[0] = min32(NEVER, total[0] + bound - total[1 + c]);
      total[1 + c] = bound;
    }
  }
  return to - from;
}
