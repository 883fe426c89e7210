/* Finds the least total of guesses by branch and bound and writes its proof (see code-proofs.md).
 *
 *   cc -O3 -march=native -o prove_code prove_code.c && ./prove_code p4c6r any any 5625 > p4c6r.proof
 *
 * Arguments: the rules, `any` or `consistent` guesses, a first guess or `any`, and a total that some
 * strategy has. The bounds of check_proof.c are used, so what is found here is what it can follow.
 * With the total 0 only the last line is written: a bound for all codes by looks at what each answer
 * to the first guess leaves; with -1 also lines for these, by looks after the second guess.
 *
 * For rules that are too large, `bracket` in place of the total writes a strategy and the bound of 0.
 * The strategy improves a greedy one: of the WIDTH guesses with the least estimate that is asked whose
 * cells the greedy strategy finds with the fewest guesses (a rollout), and then so in each cell. Sets of
 * at most EXACT codes are solved. The estimate gives a cell of m codes m + m ln m / ln FAN guesses.
 */
#include <math.h>
#define NO_MAIN
#include "check_proof.c"

enum { EXACT = 36, WIDTH = 64, BLOCK = 64 };
static const double FAN = 6.5; /* the number of equal cells that estimates suppose */

typedef struct Candidate {
  int base, squares, guess, member;
} Candidate;

static int in_order(const void *a, const void *b) {
  const Candidate *x = a, *y = b;
  if (x->base != y->base) return x->base - y->base;
  if (x->squares != y->squares) return x->squares - y->squares;
  if (x->member != y->member) return y->member - x->member;
  return x->guess - y->guess;
}

static Candidate *list_candidates(const uint16_t *set, int n, const Path *path, int limit, int first,
                                  int *many) {
  static Filter filter;
  int size[MOST_CELLS], next = 0, count = consistent ? n : codes;
  Candidate *list = malloc(sizeof *list * (size_t)count);
  *many = 0;
  start_filter(&filter, path, set, n);
  for (int i = 0; i < count; i++) {
    int guess = consistent ? set[i] : i;
    while (next < n && set[next] < guess) next++;
    int base = base_of(guess, set, n, size);
    if (base >= limit || (first >= 0 ? guess != first : !is_needed(&filter, guess))) continue;
    int squares = 0;
    for (int c = 0; c < cells - 1; c++) squares += size[c] * size[c];
    list[(*many)++] = (Candidate){base, squares, guess, next < n && set[next] == guess};
  }
  qsort(list, (size_t)*many, sizeof *list, in_order);
  return list;
}

/* The least total of the set if it is below `limit`, else a bound of at least `limit`. */
static int solve(const uint16_t *set, int n, const Path *path, int limit, int first) {
  if (n <= 2) return perfect[n];
  Entry *entry = entry_of(set, n);
  if (entry->exact || entry->value >= limit) return entry->value;
  if (first < 0 && look_at(set, n) >= limit) return entry->look;
  int many, best = limit;
  Candidate *list = list_candidates(set, n, path, limit, first, &many);
  uint16_t *sorted = malloc(sizeof *sorted * (size_t)n);
  for (int i = 0; i < many && list[i].base < best; i++) {
    int guess = list[i].guess, at[MOST_CELLS + 1], order[MOST_CELLS], known[MOST_CELLS];
    if (cost_bound(guess, set, n, list[i].base, best, 0) >= best) continue;
    split(guess, set, n, sorted, at);
    int count = cells_by_size(at, order), total = list[i].base;
    for (int k = 0; k < count; k++) {
      const uint16_t *cell = sorted + at[order[k]];
      int m = at[order[k] + 1] - at[order[k]];
      known[k] = larger(look_at(cell, m), entry_of(cell, m)->value);
      total += known[k] - perfect[m];
    }
    Path longer = *path;
    longer.guess[longer.length] = guess;
    longer.length++;
    for (int k = 0; k < count && total < best; k++) {
      longer.answer[path->length] = order[k];
      int m = at[order[k] + 1] - at[order[k]];
      total += solve(sorted + at[order[k]], m, &longer, best - (total - known[k]), -1) - known[k];
    }
    if (total < best) {
      best = total;
      entry->guess = guess;
      entry->exact = 1;
    }
  }
  free(sorted);
  free(list);
  entry->value = best;
  entry->path = *path;
  if (path->length == 1) fprintf(stderr, "%d codes: %d%s\n", n, best, entry->exact ? "" : " or more");
  return best;
}

/* The `width` guesses with the least estimates, best first; their number. */
static int choose_guesses(const uint16_t *set, int n, int width, int *chosen) {
  static double estimate[MOST_CODES + 1];
  double least[WIDTH];
  int many = 0;
  for (int m = 1; !estimate[codes] && m <= codes; m++) estimate[m] = m + m * log(m) / log(FAN);
  for (int from = 0; from < codes; from += BLOCK) {
    uint16_t size[BLOCK][MOST_CELLS] = {0};
    int length = codes - from < BLOCK ? codes - from : BLOCK;
    for (int i = 0; i < n; i++) {
      const uint8_t *row = answers + (size_t)set[i] * (size_t)codes + from; /* answers are symmetric */
      for (int g = 0; g < length; g++) size[g][row[g]]++;
    }
    for (int g = 0; g < length; g++) {
      double cost = 0;
      int alike = 0;
      for (int c = 0; c < cells - 1; c++) {
        cost += estimate[size[g][c]];
        alike |= size[g][c] == n;
      }
      if (alike || (many == width && cost >= least[many - 1])) continue;
      int at = many < width ? many++ : many - 1;
      for (; at > 0 && least[at - 1] > cost; at--) {
        least[at] = least[at - 1];
        chosen[at] = chosen[at - 1];
      }
      least[at] = cost;
      chosen[at] = from + g;
    }
  }
  return many;
}

/* The total of the greedy strategy if it is below `limit`, else a number of at least `limit`. */
static int play_greedily(const uint16_t *set, int n, int limit) {
  if (n <= 2) return perfect[n];
  int guess, at[MOST_CELLS + 1], total = n;
  uint16_t *sorted = malloc(sizeof *sorted * (size_t)n);
  choose_guesses(set, n, 1, &guess);
  split(guess, set, n, sorted, at);
  for (int c = 0; c < cells - 1; c++) total += perfect[at[c + 1] - at[c]];
  for (int c = 0; c < cells - 1 && total < limit; c++) {
    int m = at[c + 1] - at[c];
    total += play_greedily(sorted + at[c], m, limit - total + perfect[m]) - perfect[m];
  }
  free(sorted);
  return total;
}

/* The total of the improved strategy, whose guesses are left in the table. */
static int improve_strategy(const uint16_t *set, int n, Path *path, int first) {
  if (n <= 2) return perfect[n];
  if (n <= EXACT) return solve(set, n, path, NEVER, -1);
  int chosen[WIDTH] = {first}, at[MOST_CELLS + 1], best = 0, least = NEVER;
  int many = first < 0 ? choose_guesses(set, n, path->length ? WIDTH : 1, chosen) : 1;
  uint16_t *sorted = malloc(sizeof *sorted * (size_t)n);
  for (int i = 0; i < many && many > 1; i++) {
    int total = n;
    split(chosen[i], set, n, sorted, at);
    for (int c = 0; c < cells - 1 && total < least; c++)
      total += play_greedily(sorted + at[c], at[c + 1] - at[c], least - total);
    if (total < least) {
      least = total;
      best = i;
    }
  }
  int guess = entry_of(set, n)->guess = chosen[best], total = n;
  split(guess, set, n, sorted, at);
  path->guess[path->length++] = guess;
  for (int c = 0; c < cells - 1; c++) {
    path->answer[path->length - 1] = c;
    total += improve_strategy(sorted + at[c], at[c + 1] - at[c], path, -1);
  }
  path->length--;
  if (path->length == 1) fprintf(stderr, "%d codes: %d by rollout, %d\n", n, least, total);
  free(sorted);
  return total;
}

/* The least cost bound of all guesses. */
static int bound_by_looks(const uint16_t *set, int n, const Path *path, int first) {
  int many, least = NEVER;
  Candidate *list = list_candidates(set, n, path, NEVER, first, &many);
  for (int i = 0; i < many && list[i].base < least; i++) {
    int cost = cost_bound(list[i].guess, set, n, list[i].base, least, 1);
    least = cost < least ? cost : least;
  }
  free(list);
  return least;
}

static void print_path(int bound, const Path *path);

static void print_bounds(const uint16_t *set, int n, int first) {
  static uint16_t sorted[MOST_CODES];
  int many, at[MOST_CELLS + 1];
  Path path = {0};
  Candidate *list = list_candidates(set, n, &path, NEVER, first, &many);
  for (int i = 0; i < many; i++) {
    split(list[i].guess, set, n, sorted, at);
    for (int c = 0; c < cells - 1; c++) {
      int m = at[c + 1] - at[c];
      if (m < 3) continue;
      path = (Path){1, {list[i].guess}, {c}};
      Entry *entry = entry_of(sorted + at[c], m);
      entry->value = bound_by_looks(sorted + at[c], m, &path, -1);
      print_path(entry->value, &path);
    }
  }
  free(list);
  print_path(bound_by_looks(set, n, &(Path){0}, first), &(Path){0});
}

static void print_word(int guess) {
  for (int i = 0; i < pegs; i++) putchar("0123456789abcdef"[symbol[guess][i]]);
}

static void print_answer(int cell) {
  for (int x = 0; x <= pegs; x++)
    for (int y = 0; x + y <= pegs; y++)
      if (cell_of[x][y] == cell) printf("%dA%dB", x, y);
}

static void print_strategy(const uint16_t *set, int n, int depth) {
  uint16_t *sorted = malloc(sizeof *sorted * (size_t)n);
  int at[MOST_CELLS + 1], guess = n <= 2 ? set[0] : entry_of(set, n)->guess;
  print_word(guess);
  putchar('\n');
  split(guess, set, n, sorted, at);
  for (int c = 0; c < cells - 1; c++) {
    if (at[c] == at[c + 1]) continue;
    printf("%*s", 2 * depth + 2, "");
    print_answer(c);
    putchar(' ');
    print_strategy(sorted + at[c], at[c + 1] - at[c], depth + 1);
  }
  free(sorted);
}

static void print_path(int bound, const Path *path) {
  printf("%d", bound);
  for (int k = 0; k < path->length; k++) {
    putchar(' ');
    print_word(path->guess[k]);
    putchar(' ');
    print_answer(path->answer[k]);
  }
  putchar('\n');
  fflush(stdout);
}

static int by_size(const void *a, const void *b) {
  return (*(Entry *const *)a)->n - (*(Entry *const *)b)->n;
}

int main(int count, char **given) {
  static uint16_t set[MOST_CODES];
  char kind;
  file_name = "prove_code";
  if (count != 5 || sscanf(given[1], "p%1dc%2d%c", &pegs, &colours, &kind) != 3) return 2;
  repeat = kind == 'r';
  consistent = !strcmp(given[2], "consistent");
  set_rules();
  table_mask = (1 << 22) - 1;
  table = calloc(table_mask + 1, sizeof *table);
  int first = strcmp(given[3], "any") ? read_code(given[3]) : -1, total = atoi(given[4]);
  int n = every_code(set);
  Path path = {0};
  const char *heading = "code-proof 1\nrules %s guesses %s first %s total %d\n";
  if (total <= 0) {
    int bracket = !strcmp(given[4], "bracket"), bound = total ? 0 : bound_by_looks(set, n, &path, first);
    if (bracket) {
      printf(heading, given[1], given[2], given[3], improve_strategy(set, n, &path, first));
      print_strategy(set, n, 0);
    }
    if (total) print_bounds(set, n, first);
    else print_path(bound, &path);
    return 0;
  }
  int found = solve(set, n, &path, total + 1, first);
  if (found != total) {
    fprintf(stderr, "the least total is %d%s\n", found, found > total ? " or more" : "");
    return 1;
  }
  printf(heading, given[1], given[2], given[3], total);
  print_strategy(set, n, 0);
  size_t many = 0, room = 0;
  Entry **list = 0;
  for (size_t slot = 0; slot <= table_mask; slot++)
    for (Entry *e = table[slot]; e; e = e->next)
      if (e->value && e->n < n) {
        if (many == room) list = realloc(list, sizeof *list * (room = 2 * room + 1024));
        e->used = 0;
        list[many++] = e;
      }
  qsort(list, many, sizeof *list, by_size);
  check_bound(set, n, &path, total, first, 1);
  size_t kept = 0;
  for (size_t i = many; i-- > 0;)
    if (list[i]->used) {
      check_bound(list[i]->code, list[i]->n, &list[i]->path, list[i]->value, -1, 1);
      kept++;
    }
  for (size_t i = 0; i < many; i++) {
    if (list[i]->used) print_path(list[i]->value, &list[i]->path);
  }
  print_path(total, &path);
  fprintf(stderr, "%zu of %zu bounds are needed\n", kept, many);
}
