/* Canonical form of a set of codes under permutations of pegs and colours, so that the
 * optimal-strategy search solves each class of equivalent sets once.
 *
 * Colour refinement (1-dimensional Weisfeiler-Leman) with hashes as colours, individualisation
 * without backtracking. Vertices are pegs and symbols; the hash of a code is the sum over its (peg,
 * symbol) pairs, the new colour of a vertex the sum over the codes that have it. While vertices
 * share a colour, one of the smallest such cell is individualised, the one with the greatest
 * invariant. Vertices of equal invariant are assumed to be equivalent. Where they are not (regular
 * sets), a class has several forms: the search loses a table hit, but stays correct, since a form
 * is always an image of the set. Cost: O(rounds codes pegs).
 */
#include "solver.h"

enum { VERTICES = MAX_PEGS + SYMBOLS };

typedef struct Refinement {
  i32 pegs, m, ties;
  u32 shown; /* symbols that occur */
  u8 symbol[MAX_PEGS][MOST_IMAGED];
  u64 colour[VERTICES]; /* of pegs, then of symbols */
  u64 invariant;        /* hash of the coloured set */
} Refinement;

/* Counts the vertices whose colour an earlier peg, or a later symbol, has too. */
static i32 count_ties(const Refinement *state) {
  i32 ties = 0;
  for (i32 v = 1; v < state->pegs; v++)
    for (i32 w = 0; w < v; w++)
      if (state->colour[v] == state->colour[w]) {
        ties++;
        break;
      }
  for (u32 left = state->shown; left; left &= left - 1) {
    u64 colour = state->colour[MAX_PEGS + lowest64(left)];
    for (u32 others = left & (left - 1); others; others &= others - 1)
      if (state->colour[MAX_PEGS + lowest64(others)] == colour) {
        ties++;
        break;
      }
  }
  return ties;
}

static void refine_once(Refinement *state) {
  u64 incidence[MAX_PEGS][SYMBOLS] = {{0}}, edge[MAX_PEGS][SYMBOLS];
  u64 *peg = state->colour, *symbol = state->colour + MAX_PEGS, sums[SYMBOLS] = {0};
  for (i32 p = 0; p < state->pegs; p++)
    for (u32 left = state->shown; left; left &= left - 1) {
      i32 s = lowest64(left);
      edge[p][s] = random_mix(peg[p] + 3 * symbol[s]);
    }
  for (i32 i = 0; i < state->m; i++) {
    u64 mixed = 0;
    for (i32 p = 0; p < state->pegs; p++) mixed += edge[p][state->symbol[p][i]];
    mixed = random_mix(mixed);
    for (i32 p = 0; p < state->pegs; p++) incidence[p][state->symbol[p][i]] += mixed;
  }
  state->invariant = 0;
  for (i32 p = 0; p < state->pegs; p++) {
    u64 sum = 0;
    for (u32 left = state->shown; left; left &= left - 1) {
      i32 s = lowest64(left);
      if (!incidence[p][s]) continue;
      u64 here = random_mix(incidence[p][s] + edge[p][s]);
      sum += here;
      sums[s] += here;
    }
    peg[p] = random_mix(peg[p] * 5 + sum);
    state->invariant += random_mix(peg[p]);
  }
  for (u32 left = state->shown; left; left &= left - 1) {
    i32 s = lowest64(left);
    symbol[s] = random_mix(symbol[s] * 3 + sums[s]);
    state->invariant += random_mix(symbol[s] ^ RANDOM_STEP);
  }
}

static void refine_all(Refinement *state) {
  for (;;) {
    i32 before = state->ties;
    refine_once(state);
    state->ties = count_ties(state);
    if (state->ties == 0 || state->ties == before) break;
  }
  if (state->ties == 0) refine_once(state); /* with all colours distinct: a hash of the whole set */
}

/* The smallest cell of more than one vertex, as bits; of equally small ones that of least colour.
 */
static u32 smallest_tie(const Refinement *state) {
  u32 best = 0, vertices = ((1u << state->pegs) - 1) | state->shown << MAX_PEGS;
  u64 best_colour = 0;
  i32 least = VERTICES + 1;
  for (u32 left = vertices; left; left &= left - 1) {
    i32 v = lowest64(left), count = 0;
    u32 side = v < MAX_PEGS ? (1u << MAX_PEGS) - 1 : ~((1u << MAX_PEGS) - 1), members = 0;
    for (u32 others = vertices & side; others; others &= others - 1)
      if (state->colour[lowest64(others)] == state->colour[v]) members |= others & -others, count++;
    if (count < 2 || count > least) continue;
    if (count == least && state->colour[v] >= best_colour) continue;
    least = count, best = members, best_colour = state->colour[v];
  }
  return best;
}

/* Individualises the vertex of the smallest cell that has the greatest invariant afterwards. */
static void break_tie(Refinement *state) {
  u64 start[VERTICES], best[VERTICES], invariant = 0;
  i32 ties = state->ties, best_ties = ties, any = 0;
  memcpy(start, state->colour, sizeof start);
  for (u32 cell = smallest_tie(state); cell; cell &= cell - 1) {
    i32 v = lowest64(cell);
    memcpy(state->colour, start, sizeof start);
    state->colour[v] = random_mix(start[v] + RANDOM_STEP);
    state->ties = ties;
    refine_all(state);
    if (any++ && state->invariant <= invariant) continue;
    invariant = state->invariant;
    best_ties = state->ties;
    memcpy(best, state->colour, sizeof best);
  }
  memcpy(state->colour, best, sizeof best);
  state->ties = best_ties;
}

static void init_refinement(Refinement *state, const Rules *rules, const Code *codes, i32 m) {
  state->pegs = rules->pegs;
  state->m = m;
  state->shown = 0;
  for (i32 i = 0; i < m; i++)
    for (i32 p = 0; p < rules->pegs; p++) {
      i32 symbol = code_symbol(codes[i], p);
      state->symbol[p][i] = (u8)symbol;
      state->shown |= 1u << symbol;
    }
  for (i32 v = 0; v < VERTICES; v++) state->colour[v] = v < MAX_PEGS ? 1 : 2;
  state->ties = VERTICES;
}

/* Orders by colour: pegs from 0, symbols that occur from 1; the other symbols follow in order. */
static void write_permutation(const Refinement *state, const Rules *rules, Symmetry *out) {
  const u64 *peg = state->colour, *symbol = peg + MAX_PEGS;
  for (i32 p = 0; p < MAX_PEGS; p++) {
    out->pegs[p] = (u8)p;
    if (p >= state->pegs) continue;
    i32 place = 0;
    for (i32 q = 0; q < state->pegs; q++) place += peg[q] < peg[p] || (peg[q] == peg[p] && q < p);
    out->pegs[p] = (u8)place;
  }
  i32 next = popcount64(state->shown) + 1;
  for (i32 s = 0; s < SYMBOLS; s++) {
    out->symbols[s] = (u8)s;
    if (s == 0 || s > rules->colours) continue;
    if (!(state->shown >> s & 1)) {
      out->symbols[s] = (u8)next++;
      continue;
    }
    i32 place = 1;
    for (u32 left = state->shown; left; left &= left - 1) {
      i32 t = lowest64(left);
      place += symbol[t] < symbol[s] || (symbol[t] == symbol[s] && t < s);
    }
    out->symbols[s] = (u8)place;
  }
}

u64 code_canonical_key(const Rules *rules, const Code *codes, i32 m, Symmetry *out) {
  Refinement state;
  init_refinement(&state, rules, codes, m);
  refine_all(&state);
  while (state.ties) {
    i32 before = state.ties;
    break_tie(&state);
    if (state.ties >= before) break; /* hash collision: any order is an image */
  }
  write_permutation(&state, rules, out);
  u64 key = 0;
  for (i32 i = 0; i < m; i++) key = add_to_key(rules, key, code_permuted(rules, out, codes[i]));
  return key;
}

EXPORT_FOR_TESTS(i32, code_image)(i32 packed, const Code *codes, i32 n, Symmetry *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !codes || !out || n < 1) return BAD;
  if (n > MOST_IMAGED) return TOO_LARGE;
  if (!code_all_legal(&rules, codes, n, 0)) return BAD;
  code_canonical_key(&rules, codes, n, out);
  return OK;
}
