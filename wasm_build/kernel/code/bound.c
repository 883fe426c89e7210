/* Upper bound on the information of every guess, from the colours that guesses show.
 *
 * A guess's colours (as a multiset, wherever they stand) decide T = exact + partial. Its answer is
 * T and the exact count A, so it gives H(T) + H(A | T) bits. Given T = t, A lies in 0 … t, and for
 * any L >= 0 (Gibbs' inequality, weak duality)
 *     H(A | T = t) <= L * E[A | T = t] + log2(sum over a of 2^(-L a))
 * where E[A] is at most the best assignment of the colours to the pegs by how many secrets show
 * each there. Of one L for all totals and of one for each total the lesser bound is taken.
 *
 * Where the secrets are a sample, `spread` standard errors are added. The guess of most information is
 * fixed before the sample is drawn, and so is its multiset: the bound of that one need hold, not
 * that of all at once. The variance of its terms, -log2 p(T) + L A + log2 …, is not known, as the
 * guess is not, but sd(f(T) + L A) <= sd(f(T)) + sqrt(E[L^2 A^2]), and A^2 <= T A <= pegs A. The bias of
 * counted shares (Miller and Madow) is added, too. */
#include "code.h"

typedef struct Bounding {
  Tally tally;
  const double *factors;
  i32 steps;
  double spread;
} Bounding;

/* What the guesses of one multiset have in common. */
typedef struct Shown {
  i32 distinct, copies[MAX_PEGS], symbols[MAX_PEGS];
  double share[MAX_PEGS + 1]; /* of the secrets, by total */
} Shown;

/* The next multiset: symbols ascend; only blanks repeat without repeat. 0 after the last. */
static i32 step_on(const Rules *rules, Code *code) {
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

/* 1 if of the alike colours (bit symbol) no later one is shown more often than an earlier one. */
static i32 is_least(const Rules *rules, Code code, u32 alike) {
  u64 multiset = code_multiset(rules, code);
  i32 before = MAX_PEGS;
  for (i32 symbol = 1; symbol <= rules->colours; symbol++) {
    if (!(alike >> symbol & 1)) continue;
    i32 copies = (i32)(multiset >> (4 * (symbol - 1)) & 15);
    if (copies > before) return 0;
    before = copies;
  }
  return 1;
}

static void look(Bounding *bound, Code code, Shown *shown) {
  const i32 pegs = bound->tally.rules.pegs;
  shown->distinct = 0;
  for (i32 peg = 0; peg < pegs; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (peg && symbol == code_symbol(code, peg - 1)) {
      shown->copies[shown->distinct - 1]++;
      continue;
    }
    shown->symbols[shown->distinct] = symbol;
    shown->copies[shown->distinct++] = 1;
  }
  memset(shown->share, 0, sizeof shown->share);
  if (bound->tally.rules.exact_only) {
    shown->share[pegs] = 1;
    return;
  }
  code_tally_match(&bound->tally, code);
  double n = bound->tally.n, none = n;
  for (i32 t = 1; t <= pegs; t++) {
    shown->share[t] = bound->tally.many[t] / n;
    none -= bound->tally.many[t];
  }
  shown->share[0] = none / n;
}

/* How many of the lanes of total t (-1: of all) show the k-th symbol at a peg. */
static u32 together(const Bounding *bound, const Shown *shown, i32 peg, i32 k, i32 t) {
  const Tally *tally = &bound->tally;
  const u64 *row = tally->exact[peg][shown->symbols[k]];
  const u64 *total = t < 0 ? 0 : tally->total + (size_t)(t - 1) * tally->columns;
  u32 many = 0;
  for (i32 column = 0; column < tally->columns; column++)
    many += (u32)popcount64(total ? row[column] & total[column] : row[column]);
  return many;
}

/* The largest expected A: the best assignment of the symbols to the pegs, peg by peg over sets of
 * symbols that were used, a set being mixed-radix in the copies. */
static u32 most_exact(const Bounding *bound, const Shown *shown, i32 t) {
  const i32 pegs = bound->tally.rules.pegs;
  u32 best[1 << MAX_PEGS], worth[MAX_PEGS][MAX_PEGS];
  i32 step[MAX_PEGS + 1] = {1};
  for (i32 k = 0; k < shown->distinct; k++) {
    step[k + 1] = step[k] * (shown->copies[k] + 1);
    for (i32 peg = 0; peg < pegs; peg++) worth[peg][k] = together(bound, shown, peg, k, t);
  }
  const i32 sets = step[shown->distinct];
  memset(best, 0, sizeof(u32) * (size_t)sets);
  for (i32 set = 0; set + 1 < sets; set++) { /* adding a symbol makes a later set */
    i32 peg = 0;
    for (i32 k = 0; k < shown->distinct; k++) peg += set / step[k] % (shown->copies[k] + 1);
    for (i32 k = 0; k < shown->distinct; k++) {
      if (set / step[k] % (shown->copies[k] + 1) == shown->copies[k]) continue;
      u32 *next = &best[set + step[k]], sum = best[set] + worth[peg][k];
      if (sum > *next) *next = sum;
    }
  }
  return best[sets - 1];
}

static double width(const Bounding *bound, double variance, double second) {
  if (bound->spread <= 0) return 0;
  double n = bound->tally.n, bias = bound->tally.cells / (2 * n * 0.6931471805599453);
  double sd = __builtin_sqrt(variance > 0 ? variance : 0) + __builtin_sqrt(second);
  return bias + bound->spread * sd / __builtin_sqrt(n);
}

/* H(T) + the rest, by the factors of each total: level[t] = the row that total t goes by; mean[t]
 * at least the exact count to expect there (`apart`) or over all; with the error of a sample. */
static double sum_up(const Bounding *bound, const Shown *shown, const i32 *level,
                     const double *mean, i32 apart) {
  const i32 pegs = bound->tally.rules.pegs;
  double all = 0, first = 0, square = 0, second = 0;
  for (i32 t = 0; t <= pegs; t++) {
    const double p = shown->share[t], *row = bound->factors + (size_t)level[t] * (size_t)(pegs + 2);
    if (p <= 0) continue;
    double term = row[1 + t] - kernel_log2(p);
    all += p * (term + row[0] * mean[t]);
    first += p * term;
    square += p * term * term;
    second += p * row[0] * row[0] * (apart ? t : pegs) * mean[t];
  }
  return all + width(bound, square - first * first, second);
}

/* The row that bounds total t least; t < 0: all totals together, of this mean. */
static i32 least_level(const Bounding *bound, const Shown *shown, i32 t, double mean) {
  const i32 pegs = bound->tally.rules.pegs;
  i32 best = 0;
  double least = 0;
  for (i32 q = 0; q < bound->steps; q++) {
    const double *row = bound->factors + (size_t)q * (size_t)(pegs + 2);
    double value = row[0] * mean;
    if (t >= 0) value += row[1 + t];
    else
      for (i32 k = 0; k <= pegs; k++) value += shown->share[k] * row[1 + k];
    if (q && value >= least) break; /* convex in the factor */
    least = value;
    best = q;
  }
  return best;
}

/* The bound of one multiset, refined only while it exceeds `enough`. */
static double bound_of(Bounding *bound, Code code, double enough) {
  const i32 pegs = bound->tally.rules.pegs;
  Shown shown;
  i32 level[MAX_PEGS + 1] = {0};
  double mean[MAX_PEGS + 1] = {0};
  look(bound, code, &shown);
  double least = sum_up(bound, &shown, level, mean, 0); /* A spread evenly over 0 … T */
  if (least <= enough) return least;
  double n = bound->tally.n, whole = most_exact(bound, &shown, -1) / n;
  i32 one = least_level(bound, &shown, -1, whole);
  for (i32 t = 0; t <= pegs; t++) level[t] = one, mean[t] = whole;
  double joint = sum_up(bound, &shown, level, mean, 0);
  if (joint < least) least = joint;
  if (least <= enough || bound->tally.rules.exact_only) return least;
  for (i32 t = 0; t <= pegs; t++) {
    mean[t] = t && shown.share[t] > 0 ? most_exact(bound, &shown, t) / (n * shown.share[t]) : 0;
    level[t] = least_level(bound, &shown, t, mean[t]);
  }
  double apart = sum_up(bound, &shown, level, mean, 1);
  return apart < least ? apart : least;
}

EXPORT(i32, code_most_bits)(i32 packed, const u64 *planes, i32 n, Code *cursor, i32 many,
                            i32 alike, const double *factors, i32 steps, double spread,
                            u64 *columns, double *most) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !planes || n < 1 || !cursor || !factors) return BAD;
  if (steps < 1 || many < 0 || !columns || !most || rules.feedback > EXACT) return BAD;
  if (!code_is_legal(&rules, *cursor, rules.blanks)) return BAD;
  for (i32 peg = 1; peg < rules.pegs; peg++)
    if (code_symbol(*cursor, peg) < code_symbol(*cursor, peg - 1)) return BAD;
  Bounding bound = {.factors = factors, .steps = steps, .spread = spread};
  code_tally_start(&bound.tally, &rules, planes, n, columns);
  for (i32 i = 0; i < many; i++) {
    if (is_least(&rules, *cursor, (u32)alike)) {
      double value = bound_of(&bound, *cursor, *most);
      if (value > *most) *most = value;
    }
    if (!step_on(&rules, cursor)) return 0;
  }
  return 1;
}
