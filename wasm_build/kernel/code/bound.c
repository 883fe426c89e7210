/* Upper bound on the information of every guess, by colour multisets.
 *
 * The multiset of a guess's colours determines T = exact + partial. The answer is T with the exact
 * count A, so its information is H(T) + H(A | T). Given T = t, A is in 0 … t, and for any L >= 0
 * (Gibbs' inequality, weak duality)
 *     H(A | T = t) <= L E[A | T = t] + log2(sum over a of 2^(-L a))
 * E[A] is at most the maximum assignment of the colours to the pegs, weighted by how many secrets
 * show a colour on a peg (dynamic programming over subsets). The lesser of two bounds counts: with
 * one L for all totals, or with one for each.
 *
 * If the secrets are a sample, `spread` standard errors are added. The guess of most information,
 * and with it its multiset, does not depend on the sample, so one bound must hold, not all at once.
 * The variance of its terms -log2 p(T) + L A + log2 … is unknown, but sd(f(T) + L A) <= sd(f(T)) +
 * sqrt(E[L^2 A^2]), and A^2 <= T A <= pegs A. The bias of estimated entropy (Miller & Madow) is
 * added.
 * Cost a multiset: O(pegs secrets / 64); an assignment O(pegs^2 secrets / 64 + 2^pegs pegs).
 */
#include "code.h"

typedef struct Bounding {
  Tally tally;
  const double *factors;
  i32 steps;
  double spread;
} Bounding;

/* A multiset of colours and the distribution of T. */
typedef struct Multiset {
  i32 distinct, copies[MAX_PEGS], symbols[MAX_PEGS]; /* of the distinct symbols */
  double share[MAX_PEGS + 1]; /* of the secrets, by total */
} Multiset;

/* Advances to the next multiset: symbols ascend; without repetition only blanks repeat. 0 at the
 * end. */
static i32 next_multiset(const Rules *rules, Code *code) {
  for (i32 peg = rules->pegs - 1; peg >= 0; peg--) {
    i32 after = rules->repeat ? 0 : rules->pegs - 1 - peg, symbol = code_symbol(*code, peg);
    if (symbol + after >= rules->colours) continue;
    for (i32 i = peg; i < rules->pegs; i++) {
      *code &= ~code_at(255, i);
      *code |= code_at(symbol + 1 + (rules->repeat ? 0 : i - peg), i);
    }
    return 1;
  }
  return 0;
}

/* 1 if no interchangeable colour (bit symbol) has more copies than an earlier one. */
static i32 is_canonical(const Rules *rules, Code code, u32 alike) {
  u64 counts = code_multiset(rules, code);
  i32 before = MAX_PEGS;
  for (i32 symbol = 1; symbol <= rules->colours; symbol++) {
    if (!(alike >> symbol & 1)) continue;
    i32 copies = (i32)(counts >> (4 * (symbol - 1)) & 15);
    if (copies > before) return 0;
    before = copies;
  }
  return 1;
}

static void count_totals(Bounding *bound, Code code, Multiset *multiset) {
  const i32 pegs = bound->tally.rules.pegs;
  multiset->distinct = 0;
  for (i32 peg = 0; peg < pegs; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (peg && symbol == code_symbol(code, peg - 1)) {
      multiset->copies[multiset->distinct - 1]++;
      continue;
    }
    multiset->symbols[multiset->distinct] = symbol;
    multiset->copies[multiset->distinct++] = 1;
  }
  memset(multiset->share, 0, sizeof multiset->share);
  if (bound->tally.rules.exact_only) {
    multiset->share[pegs] = 1;
    return;
  }
  code_tally_match(&bound->tally, code);
  double n = bound->tally.n, none = n;
  for (i32 t = 1; t <= pegs; t++) {
    multiset->share[t] = bound->tally.many[t] / n;
    none -= bound->tally.many[t];
  }
  multiset->share[0] = none / n;
}

/* Counts the secrets of total t (-1: all) that show the k-th symbol at a peg. */
static u32 count_both(const Bounding *bound, const Multiset *multiset, i32 peg, i32 k, i32 t) {
  const Tally *tally = &bound->tally;
  const u64 *row = tally->exact[peg][multiset->symbols[k]];
  const u64 *total = t < 0 ? 0 : tally->total + (size_t)(t - 1) * tally->columns;
  u32 many = 0;
  for (i32 column = 0; column < tally->columns; column++)
    many += (u32)popcount64(total ? row[column] & total[column] : row[column]);
  return many;
}

/* n E[A] at most: the maximum assignment of the symbols to the pegs, by dynamic programming over
 * the sets of symbols used so far; a set is a mixed-radix number of copies. */
static u32 max_assignment(const Bounding *bound, const Multiset *multiset, i32 t) {
  const i32 pegs = bound->tally.rules.pegs;
  u32 best[1 << MAX_PEGS], weight[MAX_PEGS][MAX_PEGS];
  i32 step[MAX_PEGS + 1] = {1};
  for (i32 k = 0; k < multiset->distinct; k++) {
    step[k + 1] = step[k] * (multiset->copies[k] + 1);
    for (i32 peg = 0; peg < pegs; peg++) weight[peg][k] = count_both(bound, multiset, peg, k, t);
  }
  const i32 sets = step[multiset->distinct];
  memset(best, 0, sizeof(u32) * (size_t)sets);
  for (i32 set = 0; set + 1 < sets; set++) { /* adding a symbol gives a larger number */
    i32 peg = 0;
    for (i32 k = 0; k < multiset->distinct; k++) peg += set / step[k] % (multiset->copies[k] + 1);
    for (i32 k = 0; k < multiset->distinct; k++) {
      if (set / step[k] % (multiset->copies[k] + 1) == multiset->copies[k]) continue;
      u32 *next = &best[set + step[k]], sum = best[set] + weight[peg][k];
      if (sum > *next) *next = sum;
    }
  }
  return best[sets - 1];
}

static double sampling_error(const Bounding *bound, double variance, double second) {
  if (bound->spread <= 0) return 0;
  double n = bound->tally.n, bias = bound->tally.cells / (2 * n * 0.6931471805599453);
  double sd = __builtin_sqrt(variance > 0 ? variance : 0) + __builtin_sqrt(second);
  return bias + bound->spread * sd / __builtin_sqrt(n);
}

/* The bound by given factors: level[t] is the row of total t, mean[t] >= E[A | T = t] (`per_total`
 * = 1) or E[A]; with the error of a sample. */
static double bound_with(const Bounding *bound, const Multiset *multiset, const i32 *level,
                         const double *mean, i32 per_total) {
  const i32 pegs = bound->tally.rules.pegs;
  double all = 0, first = 0, square = 0, second = 0;
  for (i32 t = 0; t <= pegs; t++) {
    const double p = multiset->share[t];
    const double *row = bound->factors + (size_t)level[t] * (size_t)(pegs + 2);
    if (p <= 0) continue;
    double term = row[1 + t] - kernel_log2(p);
    all += p * (term + row[0] * mean[t]);
    first += p * term;
    square += p * term * term;
    second += p * row[0] * row[0] * (per_total ? t : pegs) * mean[t];
  }
  return all + sampling_error(bound, square - first * first, second);
}

/* The row with the least bound for total t, or for all totals if t < 0, with this mean. */
static i32 best_level(const Bounding *bound, const Multiset *multiset, i32 t, double mean) {
  const i32 pegs = bound->tally.rules.pegs;
  i32 best = 0;
  double least = 0;
  for (i32 q = 0; q < bound->steps; q++) {
    const double *row = bound->factors + (size_t)q * (size_t)(pegs + 2);
    double value = row[0] * mean;
    if (t >= 0) value += row[1 + t];
    else
      for (i32 k = 0; k <= pegs; k++) value += multiset->share[k] * row[1 + k];
    if (q && value >= least) break; /* convex in the factor */
    least = value;
    best = q;
  }
  return best;
}

/* The bound of one multiset; tighter bounds are computed only while it exceeds `enough`. */
static double bound_of(Bounding *bound, Code code, double enough) {
  const i32 pegs = bound->tally.rules.pegs;
  Multiset multiset;
  i32 level[MAX_PEGS + 1] = {0};
  double mean[MAX_PEGS + 1] = {0};
  count_totals(bound, code, &multiset);
  double least = bound_with(bound, &multiset, level, mean, 0); /* A spread evenly over 0 … T */
  if (least <= enough) return least;
  double n = bound->tally.n, whole = max_assignment(bound, &multiset, -1) / n;
  i32 one = best_level(bound, &multiset, -1, whole);
  for (i32 t = 0; t <= pegs; t++) level[t] = one, mean[t] = whole;
  double joint = bound_with(bound, &multiset, level, mean, 0);
  if (joint < least) least = joint;
  if (least <= enough || bound->tally.rules.exact_only) return least;
  for (i32 t = 0; t <= pegs; t++) {
    if (t == 0 || multiset.share[t] <= 0) mean[t] = 0;
    else mean[t] = max_assignment(bound, &multiset, t) / (n * multiset.share[t]);
    level[t] = best_level(bound, &multiset, t, mean[t]);
  }
  double per_total = bound_with(bound, &multiset, level, mean, 1);
  return per_total < least ? per_total : least;
}

EXPORT(i32, code_most_bits)(i32 packed, const u64 *planes, i32 n, Code *cursor, i32 many, i32 alike,
                            const double *factors, i32 steps, double spread, u64 *columns, double *most) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !planes || n < 1 || !cursor || !factors) return BAD;
  if (steps < 1 || many < 0 || !columns || !most || rules.feedback > EXACT) return BAD;
  if (!code_is_legal(&rules, *cursor, rules.blanks)) return BAD;
  for (i32 peg = 1; peg < rules.pegs; peg++)
    if (code_symbol(*cursor, peg) < code_symbol(*cursor, peg - 1)) return BAD;
  Bounding bound = {.factors = factors, .steps = steps, .spread = spread};
  code_tally_start(&bound.tally, &rules, planes, n, columns);
  for (i32 i = 0; i < many; i++) {
    if (is_canonical(&rules, *cursor, (u32)alike)) {
      double value = bound_of(&bound, *cursor, *most);
      if (value > *most) *most = value;
    }
    if (!next_multiset(&rules, cursor)) return 0;
  }
  return 1;
}
