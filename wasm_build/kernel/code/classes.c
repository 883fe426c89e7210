/* Equivalence classes of guesses: orbits of the symmetries of the clues, guesses that differ only
 * in excluded colours, and the join of both.
 *
 * Union-find: each guess is joined with its images under generators (symmetries.c). Parents are
 * smaller, so roots are least members. Cost: O(guesses generators pegs).
 * Rejected: the least image over all pegs! permutations, 720 a guess for six pegs.
 */
#include "code.h"

#include "shared/sets.h"

/* ---- disjoint sets ---------------------------------------------------------------------- */

EXPORT(i32, code_alone)(u32 *parent, i32 count) {
  if (!parent || count < 0) return BAD;
  sets_init(parent, count);
  return count;
}

EXPORT(i32, code_roots)(const u32 *parent, i32 count) {
  if (!parent || count < 0) return BAD;
  i32 roots = 0;
  for (i32 i = 0; i < count; i++) roots += parent[i] == (u32)i;
  return roots;
}

static i32 is_symmetry(const Rules *rules, const Symmetry *symmetry) {
  u32 pegs = 0, symbols = 0;
  for (i32 i = 0; i < rules->pegs; i++) pegs |= 1u << (symmetry->pegs[i] & 31);
  for (i32 c = 0; c <= rules->colours; c++) symbols |= 1u << (symmetry->symbols[c] & 31);
  return pegs == (1u << rules->pegs) - 1 && symbols == (2u << rules->colours) - 1 &&
         symmetry->symbols[0] == 0;
}

/* Joins guesses with their images; 0 if an image is not in the space. The rank of an image is
 * computed from the guess, as in code_rank; with repetition it is a sum of weights, in a loop of
 * its own because a common one takes a fifth longer. */
static inline __attribute__((always_inline)) i32 unite_images(const Rules *rules, i32 repeat, u32 guesses,
                                                              const Code *space, u32 *parent,
                                                              const Symmetry *symmetry, i32 from, i32 to) {
  Ranking ranking;
  code_ranking(rules, &ranking);
  const i32 pegs = rules->pegs;
  i32 source[MAX_PEGS] = {0};
  u32 bit[SYMBOLS] = {0}, weight[MAX_PEGS][SYMBOLS] = {{0}};
  for (i32 peg = 0; peg < pegs; peg++) source[symmetry->pegs[peg]] = 56 - 8 * peg;
  for (i32 c = 0; c <= rules->colours; c++) {
    const u32 image = symmetry->symbols[c];
    bit[c] = 1u << image;
    for (i32 peg = 0; peg < pegs; peg++)
      weight[peg][c] = (image - !rules->blanks) * ranking.guesses_left[pegs - 1 - peg][rules->colours];
  }
  for (i32 g = from; g < to; g++) {
    u32 rank = 0, used = 1;
    i32 unused = rules->colours;
    for (i32 peg = 0; peg < pegs; peg++) {
      const u32 symbol = space[g] >> source[peg] & 255;
      const u32 *left = ranking.guesses_left[pegs - 1 - peg];
      if (repeat) {
        rank += weight[peg][symbol];
      } else if (symbol) {
        if (rules->blanks) rank += left[unused];
        rank += (u32)__builtin_popcount((bit[symbol] - 1) & ~used) * left[--unused];
        used |= bit[symbol];
      }
    }
    if (rank >= guesses) return 0;
    if (rank != (u32)g) sets_join(parent, (u32)g, rank);
  }
  return 1;
}

EXPORT(i32, code_unite)(i32 packed, const Code *space, u32 *parent, const Symmetry *symmetries, i32 count,
                        i32 from, i32 to) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !space || !parent || from < 0 || from > to) return BAD;
  u32 space_size = (u32)code_guesses(packed);
  if (!symmetries || count < 0 || to > (i32)space_size) return BAD;
  if (!code_all_fit(&rules, space + from, to - from)) return BAD;
  for (i32 i = 0; i < count; i++) {
    const Symmetry *one = &symmetries[i];
    if (!is_symmetry(&rules, one)) return BAD;
    i32 done = rules.repeat ? unite_images(&rules, 1, space_size, space, parent, one, from, to)
                            : unite_images(&rules, 0, space_size, space, parent, one, from, to);
    if (!done) return BAD;
  }
  return to - from;
}

/* The least guess that differs from `code` only in interchangeable symbols. `merge`: all of them
 * are replaced by the smallest; else they are renumbered in order of appearance. */
static Code least_colours(const Rules *rules, Code code, u32 interchangeable, i32 merge) {
  if (!interchangeable) return code;
  Code least = 0;
  u8 image[SYMBOLS] = {0};
  u32 unused_symbols = interchangeable;
  i32 smallest = __builtin_ctz(interchangeable);
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (interchangeable >> symbol & 1) {
      if (merge) {
        symbol = smallest;
      } else {
        if (!image[symbol]) {
          image[symbol] = (u8)__builtin_ctz(unused_symbols);
          unused_symbols &= unused_symbols - 1;
        }
        symbol = image[symbol];
      }
    }
    least |= code_at(symbol, peg);
  }
  return least;
}

/* The same for excluded colours, which may replace each other freely if copies are legal. */
static Code least_excluded(const Rules *rules, Code code, u32 excluded) {
  return least_colours(rules, code, excluded, rules->repeat || (excluded & 1));
}

EXPORT(i32, code_unite_excluded)(i32 packed, const Code *space, u32 *parent, i32 excluded, i32 from, i32 to) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !space || !parent || from < 0 || from > to) return BAD;
  if ((u32)excluded & ~((2u << rules.colours) - 2 + (u32)rules.blanks)) return BAD;
  u32 space_size = (u32)code_guesses(packed);
  if (to > (i32)space_size || !code_all_fit(&rules, space + from, to - from)) return BAD;
  Ranking ranking;
  code_ranking(&rules, &ranking);
  for (i32 g = from; g < to; g++) {
    Code least = least_excluded(&rules, space[g], (u32)excluded);
    u32 rank = least == space[g] ? (u32)g : code_rank(&ranking, least);
    if (rank >= space_size) return BAD;
    if (rank != (u32)g) sets_join(parent, (u32)g, rank);
  }
  return to - from;
}

EXPORT(i32, code_gather)(const Code *space, u32 *parent, i32 count, const Code *secrets, i32 n, Code *best,
                         u32 *size, u8 *can, i32 room) {
  if (!space || !parent || !best || !size || !can || count < 0 || n < 0) return BAD;
  i32 classes = 0, next = 0;
  for (i32 g = 0; g < count; g++) {
    u32 number;
    if (parent[g] > (u32)g) return BAD;
    if (parent[g] == (u32)g) {
      if (classes == room) return TOO_LARGE;
      number = (u32)classes++;
      best[number] = space[g];
      size[number] = 0;
      can[number] = 0;
    } else {
      number = parent[parent[g]]; /* parent[g] is smaller: replaced by its number already */
      if (number >= (u32)classes) return BAD;
    }
    parent[g] = number;
    size[number]++;
    while (next < n && secrets[next] < space[g]) next++;
    if (next < n && secrets[next] == space[g] && !can[number]) {
      can[number] = 1;
      best[number] = space[g];
    }
  }
  return classes;
}

EXPORT(i32, code_only)(Code *best, u32 *size, u8 *can, i32 count) {
  if (!best || !size || !can || count < 0) return BAD;
  i32 kept = 0;
  for (i32 i = 0; i < count; i++) {
    if (!can[i]) continue;
    best[kept] = best[i];
    size[kept] = size[i];
    can[kept++] = 1;
  }
  return kept;
}

EXPORT(i32, code_place)(i32 packed, const Code *guess) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guess) return BAD;
  if (code_count_guesses(&rules, rules.blanks) > MOST_GUESSES) return TOO_LARGE;
  if (!code_is_legal(&rules, *guess, rules.blanks)) return BAD;
  Ranking ranking;
  code_ranking(&rules, &ranking);
  return (i32)code_rank(&ranking, *guess);
}

/* ---- filters ---------------------------------------------------------------------------- */

EXPORT(i32, code_kept)(i32 packed, const Code *space, const u32 *parent, i32 excluded, i32 free, i32 filter,
                       i32 from, i32 to, u32 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !space || from < 0 || from > to) return BAD;
  if (filter < F_EXCLUDED || filter > F_ROOTS || (filter >= F_CONSTRAINT && !parent)) return BAD;
  u32 symbols = (2u << rules.colours) - 1;
  if (((u32)excluded | (u32)free) & ~symbols) return BAD;
  if (!code_all_fit(&rules, space + from, to - from)) return BAD;
  i32 kept = 0;
  for (i32 g = from; g < to; g++) {
    i32 keep = 1;
    if (filter == F_EXCLUDED || filter == F_CHAIN || filter == F_COLOUR)
      keep &= least_excluded(&rules, space[g], (u32)excluded) == space[g];
    if (filter == F_COLOUR) keep &= least_colours(&rules, space[g], (u32)free, 0) == space[g];
    if (filter >= F_CONSTRAINT) keep &= parent[g] == (u32)g;
    if (keep && out) out[kept] = (u32)g;
    kept += keep;
  }
  return kept;
}

u32 code_excluded(const Rules *rules, const Code *secrets, i32 n) {
  return (((2u << rules->colours) - 2) & ~(u32)code_present(secrets, n)) | (u32)rules->blanks;
}

i32 code_is_least_excluded(const Rules *rules, Code code, u32 excluded) {
  return least_excluded(rules, code, excluded) == code;
}
