/* The best first token by the joint metric: the hidden wire of a stand without tokens whose token
 * leaves the stand the least entropy for an observer with public information only.
 *
 * The shown wire leaves the pool. A stand weighs prod choose(copies, held) over its layers, times
 * the number of ways to draw the rest of each group ("2 of 3"). A forward and a backward pass over
 * the layers sum w and w log2 w (entropy semiring, Li & Eisner 2009) by filled slots and by the
 * wires of each group on the stand; both sums are combined once per slot.
 * Entropy = log2 W - (sum w log2 w) / W.
 * Cost: O(layers x slots x copies x cases), and O(slots^2 x copies x cases^2) to combine, with the
 * cases of groups. The general case (tokens, facts) is in token_gain.c. */
#include "rack/game.h"

enum { MAX_GROUP_CASES = 16 };

static const double EQUAL_BITS = 1e-11; /* entropies that differ by less are equal */

typedef struct Sums { /* by case and filled slots: weights, and weights times their log2 */
  double weight[MAX_GROUP_CASES][SLOTS + 1], log[MAX_GROUP_CASES][SLOTS + 1];
} Sums;

typedef struct Cases { /* the wires of each group on a stand, as a number of mixed radix */
  i32 count, radix[GROUPS + 1], step[GROUPS + 1];
  /* The number of ways to draw the rest of the groups, and its log2. */
  double factor[MAX_GROUP_CASES], log[MAX_GROUP_CASES];
} Cases;

static double choose(i32 n, i32 k) {
  double ways = k <= n;
  for (i32 i = 1; i <= k; i++) ways = ways * (n - k + i) / i;
  return ways;
}

static double log_of(double weight) { return weight > 0 ? kernel_log2(weight) : 0; }

/* Lists the cases; false if they are too many. */
static bool count_cases(const Rules *rules, Cases *cases) {
  cases->count = 1;
  for (i32 g = 1; g <= rules->groups; g++) {
    cases->radix[g] = 1;
    for (i32 d = 0; d < rules->layers; d++) cases->radix[g] += rules->group[d] == g;
    cases->step[g] = cases->count;
    cases->count *= cases->radix[g];
    if (cases->count > MAX_GROUP_CASES) return false;
  }
  for (i32 c = 0; c < cases->count; c++) {
    cases->factor[c] = 1;
    for (i32 g = 1; g <= rules->groups; g++) {
      i32 all = cases->radix[g] - 1, here = c / cases->step[g] % cases->radix[g];
      i32 more = all - rules->undrawn[g] - here;
      cases->factor[c] *= more < 0 ? 0 : choose(all - here, more);
    }
    cases->log[c] = log_of(cases->factor[c]);
  }
  return true;
}

/* The sums after one more layer; `step`: what each of its wires adds to the number of a case. */
static void add_layer(const Sums *from, i32 copies, i32 size, i32 count, i32 step, Sums *to) {
  memset(to, 0, sizeof *to);
  for (i32 k = 0; k <= copies && k <= size; k++) {
    double ways = choose(copies, k), log = log_of(ways);
    for (i32 c = 0; c < count; c++)
      for (i32 n = 0; n + k <= size; n++) {
        double weight = from->weight[c][n];
        if (weight <= 0) continue;
        to->weight[c + k * step][n + k] += weight * ways;
        to->log[c + k * step][n + k] += ways * (from->log[c][n] + weight * log);
      }
  }
}

/* The entropy of the stand if slot `at` shows a wire of a layer with `copies` in the pool. */
static double entropy_after(const Sums *below, const Sums *above, const Cases *cases, i32 copies, i32 size,
                            i32 at) {
  double all = 0, logs = 0;
  for (i32 n = 0; n <= at; n++)
    for (i32 k = at - n + 1; k <= copies && n + k <= size; k++) {
      double ways = choose(copies - 1, k - 1), log = log_of(ways);
      i32 rest = size - n - k;
      for (i32 low = 0; low < cases->count; low++) {
        double a = below->weight[low][n], a_log = below->log[low][n] + a * log;
        if (a <= 0) continue;
        for (i32 high = 0; high + low < cases->count; high++) {
          double b = above->weight[high][rest], factor = ways * cases->factor[low + high];
          all += factor * a * b;
          logs += factor * (a_log * b + a * (above->log[high][rest] + b * cases->log[low + high]));
        }
      }
    }
  return log_of(all) - logs / all;
}

i32 best_first_token(const Rules *rules, const Game *game, i32 s) {
  Sums below[LAYERS + 1], above[LAYERS + 1];
  Cases cases;
  i32 left[LAYERS], size = rules->size[s], layers = rules->layers, best = -1;
  double least = 1e9;
  if (!count_cases(rules, &cases)) return TOO_LARGE;
  memcpy(left, rules->copies, sizeof left);
  for (i32 i = 0; i < rules->stands; i++)
    for (u32 open = first_bits(rules->size[i]) & ~game->hidden[i]; open; open &= open - 1)
      left[game->wire[i][__builtin_ctz(open)]]--;
  memset(below, 0, sizeof *below);
  memset(&above[layers], 0, sizeof *above);
  below[0].weight[0][0] = above[layers].weight[0][0] = 1;
  for (i32 d = 0; d < layers; d++) {
    i32 step = rules->group[d] ? cases.step[rules->group[d]] : 0;
    add_layer(&below[d], left[d], size, cases.count, step, &below[d + 1]);
  }
  for (i32 d = layers - 1; d >= 0; d--) {
    i32 step = rules->group[d] ? cases.step[rules->group[d]] : 0;
    add_layer(&above[d + 1], left[d], size, cases.count, step, &above[d]);
  }
  for (i32 j = 0; j < size; j++) {
    i32 d = game->wire[s][j];
    if (rules->value[d] >= YELLOW) continue;
    double entropy = entropy_after(&below[d], &above[d + 1], &cases, left[d], size, j);
    if (entropy >= least - EQUAL_BITS) continue;
    least = entropy;
    best = j;
  }
  return best;
}
