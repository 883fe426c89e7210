/* Canonical form of a set of codes under permutations of pegs and colours, so that a search solves
 * each class of sets once.
 *
 * Colour refinement (1-dimensional Weisfeiler-Leman) of hashes: a code is the sum of what its pegs
 * show, a peg and a colour take the sum of the codes that meet there. While pegs or colours tie,
 * one member of a smallest tie with the greatest hash is individualised. Members of equal hash are
 * taken to be equivalent without a search: where they are not (sets that are regular everywhere),
 * a class has two forms and the search loses a hit of its table, no more, since a form is always
 * an image. Cost: O(rounds codes pegs).
 */
#include "solver.h"

enum { VERTICES = MAX_PEGS + SYMBOLS };

typedef struct Look {
  i32 pegs, m, ties;
  u32 shown; /* symbols that occur */
  u8 symbol[MAX_PEGS][MOST_IMAGED];
  u64 colour[VERTICES], print; /* of pegs, then of symbols */
} Look;

/* Vertices that are in play, each as many ties as others before it have its colour. */
static i32 count_ties(const Look *look) {
  i32 ties = 0;
  for (i32 v = 1; v < look->pegs; v++)
    for (i32 w = 0; w < v; w++)
      if (look->colour[v] == look->colour[w]) {
        ties++;
        break;
      }
  for (u32 left = look->shown; left; left &= left - 1) {
    u64 colour = look->colour[MAX_PEGS + lowest64(left)];
    for (u32 others = left & (left - 1); others; others &= others - 1)
      if (look->colour[MAX_PEGS + lowest64(others)] == colour) {
        ties++;
        break;
      }
  }
  return ties;
}

static void refine_once(Look *look) {
  u64 meet[MAX_PEGS][SYMBOLS] = {{0}}, known[MAX_PEGS][SYMBOLS];
  u64 *peg = look->colour, *symbol = look->colour + MAX_PEGS, sums[SYMBOLS] = {0};
  for (i32 p = 0; p < look->pegs; p++)
    for (u32 left = look->shown; left; left &= left - 1) {
      i32 s = lowest64(left);
      known[p][s] = random_mix(peg[p] + 3 * symbol[s]);
    }
  for (i32 i = 0; i < look->m; i++) {
    u64 mixed = 0;
    for (i32 p = 0; p < look->pegs; p++) mixed += known[p][look->symbol[p][i]];
    mixed = random_mix(mixed);
    for (i32 p = 0; p < look->pegs; p++) meet[p][look->symbol[p][i]] += mixed;
  }
  look->print = 0;
  for (i32 p = 0; p < look->pegs; p++) {
    u64 sum = 0;
    for (u32 left = look->shown; left; left &= left - 1) {
      i32 s = lowest64(left);
      if (!meet[p][s]) continue;
      u64 here = random_mix(meet[p][s] + known[p][s]);
      sum += here;
      sums[s] += here;
    }
    peg[p] = random_mix(peg[p] * 5 + sum);
    look->print += random_mix(peg[p]);
  }
  for (u32 left = look->shown; left; left &= left - 1) {
    i32 s = lowest64(left);
    symbol[s] = random_mix(symbol[s] * 3 + sums[s]);
    look->print += random_mix(symbol[s] ^ RANDOM_STEP);
  }
}

static void refine_all(Look *look) {
  for (;;) {
    i32 before = look->ties;
    refine_once(look);
    look->ties = count_ties(look);
    if (look->ties == 0 || look->ties == before) break;
  }
  if (look->ties == 0) refine_once(look); /* now the print is a hash of the whole ordered set */
}

/* The vertices that share a colour where the fewest do, as bits; of two such, the lesser colour. */
static u32 smallest_tie(const Look *look) {
  u32 best = 0, inside = ((1u << look->pegs) - 1) | look->shown << MAX_PEGS;
  u64 best_colour = 0;
  i32 least = VERTICES + 1;
  for (u32 left = inside; left; left &= left - 1) {
    i32 v = lowest64(left), count = 0;
    u32 part = v < MAX_PEGS ? (1u << MAX_PEGS) - 1 : ~((1u << MAX_PEGS) - 1), found = 0;
    for (u32 others = inside & part; others; others &= others - 1)
      if (look->colour[lowest64(others)] == look->colour[v]) found |= others & -others, count++;
    if (count < 2 || count > least) continue;
    if (count == least && look->colour[v] >= best_colour) continue;
    least = count, best = found, best_colour = look->colour[v];
  }
  return best;
}

/* Individualise one vertex of the smallest tie: the one with the greatest hash. */
static void break_tie(Look *look) {
  u64 start[VERTICES], best[VERTICES], print = 0;
  i32 ties = look->ties, best_ties = ties, any = 0;
  memcpy(start, look->colour, sizeof start);
  for (u32 cell = smallest_tie(look); cell; cell &= cell - 1) {
    i32 v = lowest64(cell);
    memcpy(look->colour, start, sizeof start);
    look->colour[v] = random_mix(start[v] + RANDOM_STEP);
    look->ties = ties;
    refine_all(look);
    if (any++ && look->print <= print) continue;
    print = look->print;
    best_ties = look->ties;
    memcpy(best, look->colour, sizeof best);
  }
  memcpy(look->colour, best, sizeof best);
  look->ties = best_ties;
}

static void read_codes(Look *look, const Rules *rules, const Code *codes, i32 m) {
  look->pegs = rules->pegs;
  look->m = m;
  look->shown = 0;
  for (i32 i = 0; i < m; i++)
    for (i32 p = 0; p < rules->pegs; p++) {
      i32 symbol = code_symbol(codes[i], p);
      look->symbol[p][i] = (u8)symbol;
      look->shown |= 1u << symbol;
    }
  for (i32 v = 0; v < VERTICES; v++) look->colour[v] = v < MAX_PEGS ? 1 : 2;
  look->ties = VERTICES;
}

/* Places by colour: of pegs from 0, of colours that are shown from 1, then the others in order. */
static void name_all(const Look *look, const Rules *rules, Symmetry *out) {
  const u64 *symbol = look->colour + MAX_PEGS;
  for (i32 p = 0; p < MAX_PEGS; p++) {
    out->pegs[p] = (u8)p;
    if (p >= look->pegs) continue;
    i32 place = 0;
    for (i32 q = 0; q < look->pegs; q++)
      place += look->colour[q] < look->colour[p] || (look->colour[q] == look->colour[p] && q < p);
    out->pegs[p] = (u8)place;
  }
  i32 next = popcount64(look->shown) + 1;
  for (i32 s = 0; s < SYMBOLS; s++) {
    out->symbols[s] = (u8)s;
    if (s == 0 || s > rules->colours) continue;
    if (!(look->shown >> s & 1)) {
      out->symbols[s] = (u8)next++;
      continue;
    }
    i32 place = 1;
    for (u32 left = look->shown; left; left &= left - 1) {
      i32 t = lowest64(left);
      place += symbol[t] < symbol[s] || (symbol[t] == symbol[s] && t < s);
    }
    out->symbols[s] = (u8)place;
  }
}

u64 code_canonical_key(const Rules *rules, const Code *codes, i32 m, Symmetry *out) {
  Look look;
  read_codes(&look, rules, codes, m);
  refine_all(&look);
  while (look.ties) {
    i32 before = look.ties;
    break_tie(&look);
    if (look.ties >= before) break; /* a collision of hashes: any order will do */
  }
  name_all(&look, rules, out);
  u64 key = 0;
  for (i32 i = 0; i < m; i++) key ^= key_of_secret(code_permuted(rules, out, codes[i]));
  return key;
}

EXPORT_FOR_TESTS(i32, code_image)(i32 packed, const Code *codes, i32 n, Symmetry *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !codes || !out || n < 1) return BAD;
  if (n > MOST_IMAGED) return TOO_LARGE;
  for (i32 i = 0; i < n; i++)
    if (!code_is_legal(&rules, codes[i], 0)) return BAD;
  code_canonical_key(&rules, codes, n, out);
  return OK;
}
