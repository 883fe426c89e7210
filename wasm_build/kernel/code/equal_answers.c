/* Guesses that every secret answers alike: classes by a linear hash, each equality confirmed.
 *
 * Every secret has two random weights. Exact matches times the first and matches at all times the
 * second, summed over the secrets modulo 2^64, are a guess's hash. Exact matches are a sum over
 * its pegs, matches at all one over the copies of its colours, so both come from tables with the
 * summed weights of the secrets that show a colour on a peg, or more than so many copies of it.
 * Two guesses with different answers have one hash with a probability of at most 2^-61, since their
 * answers differ by at most 8 somewhere (universal hashing, Carter and Wegman 1979). Guesses of one
 * hash are joined if they show the same where secrets show it too, else if a comparison secret by
 * secret confirms it: the classes are exact.
 * Cost: O(pegs (secrets + guesses)), and O(pegs secrets) a comparison. Bit planes took
 * O(pegs secrets guesses / 64). Answers that are no such sums (feedback ORDER, KEEP, SUM) are
 * hashed one by one, O(pegs secrets guesses).
 */
#include "code.h"

#include "shared/random.h"
#include "shared/sets.h"

enum { PROBES = 1 << 19 }; /* answers that a call works out: some 25 ms */

typedef struct Weights {
  u64 exact[MAX_PEGS][SYMBOLS]; /* of the secrets with that colour there; blanks: 0 */
  u64 match[MAX_PEGS][SYMBOLS]; /* of those with more than so many copies of it */
  u32 shown[MAX_PEGS];          /* bits of the colours that some secret shows there */
  u8 copies[SYMBOLS];           /* most copies in a secret */
} Weights;

static void sum_weights(const Rules *rules, const Word *secrets, i32 n, Weights *sums) {
  u64 random = RANDOM_STEP;
  memset(sums, 0, sizeof *sums);
  for (i32 i = 0; i < n; i++) {
    const u64 exact = random_next(&random), match = random_next(&random);
    u8 copies[SYMBOLS] = {0};
    for (i32 peg = 0; peg < rules->pegs; peg++) {
      const i32 symbol = code_symbol(secrets[i], peg);
      sums->exact[peg][symbol] += exact;
      sums->shown[peg] |= 1u << symbol;
      if (rules->exact_only) continue;
      sums->match[copies[symbol]++][symbol] += match;
      if (sums->copies[symbol] < copies[symbol]) sums->copies[symbol] = copies[symbol];
    }
  }
}

static u64 hash_sums(const Rules *rules, const Weights *sums, Word guess) {
  u8 copies[SYMBOLS] = {0};
  u64 hash = 0;
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    const i32 symbol = code_symbol(guess, peg);
    hash += sums->exact[peg][symbol] + sums->match[copies[symbol]++][symbol];
  }
  return hash;
}

static u64 hash_answers(const Rules *rules, const Word *secrets, i32 n, Word guess) {
  const Prober prober = code_prober(rules, guess);
  u64 hash = 1;
  for (i32 i = 0; i < n; i++) {
    i32 exact, total;
    code_probe(&prober, secrets[i], &exact, &total);
    hash = random_mix(hash ^ (u64)(exact << 5 | total));
  }
  return hash;
}

/* What decides a guess's sums: its colours on pegs where some secret shows them, and how many of
 * each it shows, up to the copies in a secret. */
typedef struct Shown {
  Word exact;
  u64 match;
} Shown;

static Shown shown_of(const Rules *rules, const Weights *sums, Word guess) {
  Shown shown = {0, 0};
  u8 copies[SYMBOLS] = {0};
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    const i32 symbol = code_symbol(guess, peg);
    if (!symbol) continue;
    if (sums->shown[peg] >> symbol & 1) shown.exact |= code_at(symbol, peg);
    if (copies[symbol]++ < sums->copies[symbol]) shown.match += 1ull << (4 * (symbol - 1));
  }
  return shown;
}

static i32 are_shown_alike(const Rules *rules, const Weights *sums, Word a, Word b) {
  const Shown one = shown_of(rules, sums, a), other = shown_of(rules, sums, b);
  return one.exact == other.exact && one.match == other.match;
}

static i32 are_answered_alike(const Rules *rules, const Word *secrets, i32 n, Word a, Word b) {
  const Prober one = code_prober(rules, a), other = code_prober(rules, b);
  for (i32 i = 0; i < n; i++) {
    i32 exact[2], total[2];
    code_probe(&one, secrets[i], &exact[0], &total[0]);
    code_probe(&other, secrets[i], &exact[1], &total[1]);
    if (exact[0] != exact[1] || total[0] != total[1]) return 0;
  }
  return 1;
}

EXPORT(i32, code_unite_equal)(i32 packed, const Word *secrets, i32 n, const Word *guesses,
                              u32 *parent, i32 from, i32 to, u64 *hashes, u32 *table, i32 bits) {
  Rules rules;
  Weights sums;
  if (!code_read_rules(packed, &rules) || n < 0 || from < 0 || from > to) return BAD;
  if (!secrets || !guesses || !parent || !hashes || !table || bits < 1 || bits > 23) return BAD;
  if (to > 1 << (bits - 1) || !code_all_fit(&rules, secrets, n)) return BAD;
  if (!code_all_fit(&rules, guesses, to)) return BAD;
  const i32 linear = rules.feedback <= EXACT;
  const u32 last = (1u << bits) - 1;
  i32 g = from;
  if (linear) sum_weights(&rules, secrets, n, &sums);
  if (from == 0) memset(table, 255, sizeof(u32) << bits);
  for (i64 probes = 0; g < to && probes <= PROBES; g++) {
    hashes[g] = linear ? hash_sums(&rules, &sums, guesses[g])
                       : hash_answers(&rules, secrets, n, guesses[g]);
    probes += linear ? 1 : n;
    u32 slot = (u32)(hashes[g] >> (64 - bits)), tried = 0;
    for (; table[slot] != ~0u; slot = (slot + 1) & last) {
      const u32 first = table[slot];
      if (first >= (u32)g || ++tried > (u32)g) return BAD; /* not what earlier calls left */
      if (hashes[first] != hashes[g]) continue;
      if (sets_root(parent, first) == sets_root(parent, (u32)g)) break;
      if (!linear || !are_shown_alike(&rules, &sums, guesses[first], guesses[g])) {
        probes += 2 * n;
        if (!are_answered_alike(&rules, secrets, n, guesses[first], guesses[g])) continue;
      }
      sets_join(parent, (u32)g, first);
      break;
    }
    if (table[slot] == ~0u) table[slot] = (u32)g;
  }
  return g - from;
}
