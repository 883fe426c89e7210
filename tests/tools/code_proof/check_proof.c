/* Checks a proof that no strategy needs fewer guesses in all than the one in the file.
 *
 *   cc -O3 -march=native -o check_proof check_proof.c && ./check_proof FILE...
 *
 * It uses no part of Cluewise. The format and the argument are in code-proofs.md. Exit status: 0 where
 * every file is a proof, 1 where one is not (its line is named), 2 for a file that cannot be read.
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PEGS = 6, MOST_CODES = 32768, MOST_CELLS = 32, LONGEST = 16, NEVER = 1 << 28 };

typedef struct Path { /* guesses and their answers */
  int length, guess[LONGEST], answer[LONGEST];
} Path;

typedef struct Entry { /* what is known of a set of codes */
  struct Entry *next;
  int n, value, look, exact, guess, used; /* value: a proved bound, 0 = none; look: see below */
  Path path;
  uint16_t code[];
} Entry;

static int pegs, colours, repeat, codes, cells, consistent;
static uint8_t symbol[MOST_CODES][MOST_PEGS], shown[MOST_CODES][16], *answers; /* answers[guess * codes + code]: its cell */
static int cell_of[MOST_PEGS + 1][MOST_PEGS + 1], perfect[MOST_CODES + 1];
static uint64_t random_of[MOST_CODES];
static Entry **table;
static size_t table_mask;
static const char *file_name;
static int line_number;

static _Noreturn void refuse(const char *format, ...) {
  va_list rest;
  va_start(rest, format);
  fprintf(stderr, "%s:%d: ", file_name, line_number);
  vfprintf(stderr, format, rest);
  fputc('\n', stderr);
  exit(1);
}

/* ---- the game --------------------------------------------------------------------------------- */

static int answer_to(int guess, int code) {
  int exact = 0, matches = 0;
  for (int i = 0; i < pegs; i++) exact += symbol[guess][i] == symbol[code][i];
  for (int c = 0; c < colours; c++)
    matches += shown[guess][c] < shown[code][c] ? shown[guess][c] : shown[code][c];
  return cell_of[exact][matches - exact];
}

static void set_rules(void) {
  codes = cells = 0;
  int power = 1;
  for (int i = 0; i < pegs; i++) power *= colours;
  for (int number = 0; number < power; number++) {
    uint8_t word[MOST_PEGS];
    int rest = number, twice = 0;
    for (int i = pegs - 1; i >= 0; i--, rest /= colours) word[i] = (uint8_t)(rest % colours);
    for (int i = 0; i < pegs; i++)
      for (int j = 0; j < i; j++) twice |= word[i] == word[j];
    if (twice && !repeat) continue;
    if (codes == MOST_CODES) refuse("more than %d codes", MOST_CODES);
    memset(shown[codes], 0, sizeof shown[codes]);
    for (int i = 0; i < pegs; i++) shown[codes][word[i]]++;
    memcpy(symbol[codes++], word, sizeof word);
  }
  for (int x = 0; x <= pegs; x++)
    for (int y = 0; x + y <= pegs; y++)
      cell_of[x][y] = x == pegs - 1 && y == 1 ? -1 : cells++; /* the win is the last */
  answers = realloc(answers, (size_t)codes * (size_t)codes);
  for (int g = 0; g < codes; g++)
    for (int s = 0; s < codes; s++) answers[(size_t)g * (size_t)codes + (size_t)s] = (uint8_t)answer_to(g, s);
  /* The least total of n codes: one is found by the first guess, then K, K^2 ... (K = cells - 1). */
  for (int n = 0; n <= codes; n++) {
    int left = n, total = 0, room = 1;
    for (int guess = 1; left > 0; guess++) {
      int found = left < room ? left : room;
      total += found * guess;
      left -= found;
      room = room > codes ? room : room * (cells - 1);
    }
    perfect[n] = total;
  }
  uint64_t seed = 1;
  for (int i = 0; i < codes; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    random_of[i] = seed ^ seed >> 29;
  }
}

/* ---- sets of codes ------------------------------------------------------------------------------ */

static Entry *entry_of(const uint16_t *set, int n) {
  uint64_t key = 0;
  for (int i = 0; i < n; i++) key ^= random_of[set[i]];
  Entry **slot = &table[(key ^ key >> 31) & table_mask];
  for (Entry *e = *slot; e; e = e->next)
    if (e->n == n && !memcmp(e->code, set, sizeof *set * (size_t)n)) return e;
  Entry *e = calloc(1, sizeof *e + sizeof *set * (size_t)n);
  if (!e) refuse("out of memory");
  e->next = *slot;
  e->n = n;
  e->guess = -1;
  memcpy(e->code, set, sizeof *set * (size_t)n);
  return *slot = e;
}

/* n + the perfect totals of the cells but the win; NEVER if one cell holds all codes. */
static int base_of(int guess, const uint16_t *set, int n, int *size) {
  const uint8_t *row = answers + (size_t)guess * (size_t)codes;
  int total = n;
  memset(size, 0, sizeof *size * MOST_CELLS);
  for (int i = 0; i < n; i++) size[row[set[i]]]++;
  for (int c = 0; c < cells - 1; c++) {
    if (size[c] == n) return NEVER;
    total += perfect[size[c]];
  }
  return total;
}

/* The least base of all guesses: no strategy for the set takes less. Two guesses find one code of
 * each cell at most, so a base is 3n - cells or more, one less if the guess may win: this is found for
 * all guesses at once (answers are symmetric), and the base only where it may be less. */
static int look_at(const uint16_t *set, int n) {
  static uint32_t seen[MOST_CODES];
  if (n <= 2) return perfect[n];
  Entry *entry = entry_of(set, n);
  if (entry->look) return entry->look;
  int least = NEVER, size[MOST_CELLS], count = consistent ? n : codes;
  memset(seen, 0, sizeof *seen * (size_t)codes);
  for (int i = 0; !consistent && i < n; i++) {
    const uint8_t *row = answers + (size_t)set[i] * (size_t)codes;
    for (int g = 0; g < codes; g++) seen[g] |= 1u << row[g];
  }
  for (int i = 0; i < count && least > perfect[n]; i++) {
    int found = __builtin_popcount(seen[i]) + (int)(seen[i] >> (cells - 1));
    if (!consistent && 3 * n - found >= least) continue;
    int base = base_of(consistent ? set[i] : i, set, n, size);
    least = base < least ? base : least;
  }
  return entry->look = least;
}

/* The cells of a guess in `sorted`; cell c from at[c] to at[c + 1]. */
static void split(int guess, const uint16_t *set, int n, uint16_t *sorted, int *at) {
  const uint8_t *row = answers + (size_t)guess * (size_t)codes;
  int next[MOST_CELLS + 1] = {0};
  for (int i = 0; i < n; i++) next[row[set[i]] + 1]++;
  for (int c = 0; c < cells; c++) next[c + 1] += next[c];
  memcpy(at, next, sizeof next);
  for (int i = 0; i < n; i++) sorted[next[row[set[i]]]++] = set[i];
}

static int cells_by_size(const int *at, int *order) {
  int count = 0;
  for (int c = 0; c < cells - 1; c++) {
    if (at[c + 1] - at[c] < 3) continue; /* the perfect total is the truth */
    int i = count++;
    for (; i > 0 && at[order[i - 1] + 1] - at[order[i - 1]] > at[c + 1] - at[c]; i--)
      order[i] = order[i - 1];
    order[i] = c;
  }
  return count;
}

static int larger(int a, int b) { return a > b ? a : b; }

/* What the guess takes at least, as far as `enough`: proved bounds of its cells, and a look at each.
 * With `sparing` looks come first, so that fewer bounds are marked as used. */
static int cost_bound(int guess, const uint16_t *set, int n, int base, int enough, int sparing) {
  uint16_t sorted[MOST_CODES];
  int at[MOST_CELLS + 1], order[MOST_CELLS], known[MOST_CELLS];
  split(guess, set, n, sorted, at);
  int count = cells_by_size(at, order);
  for (int i = 0; i < count; i++) known[i] = perfect[at[order[i] + 1] - at[order[i]]];
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < count && base < enough; i++) {
      const uint16_t *cell = sorted + at[order[i]];
      int m = at[order[i] + 1] - at[order[i]], value;
      if (pass == sparing) {
        Entry *entry = entry_of(cell, m);
        value = entry->value;
        if (value > known[i]) entry->used = 1;
      } else {
        value = look_at(cell, m);
      }
      base += larger(0, value - known[i]);
      known[i] = larger(known[i], value);
    }
  return base;
}

/* ---- guesses that need not be looked at ----------------------------------------------------------- */

typedef struct Symmetry { /* a permutation of the pegs that can leave all guesses of a path alone */
  int peg[MOST_PEGS], to[16], taken; /* to: the colours of the path; taken: bits of their images */
} Symmetry;

typedef struct Filter {
  int count, present;
  Symmetry symmetry[720];
} Filter;

static int fixes(Symmetry *s, int guess) {
  for (int i = 0; i < pegs; i++) {
    int from = symbol[guess][s->peg[i]], to = symbol[guess][i];
    if (s->to[from] >= 0 ? s->to[from] != to : s->taken >> to & 1) return 0;
    s->to[from] = to;
    s->taken |= 1 << to;
  }
  return 1;
}

static void list_symmetries(Filter *filter, const Path *path, int *peg, int length) {
  if (length < pegs && length < MOST_PEGS) {
    for (int p = 0; p < pegs; p++) {
      int seen = 0;
      for (int i = 0; i < length; i++) seen |= peg[i] == p;
      if (seen) continue;
      peg[length] = p;
      list_symmetries(filter, path, peg, length + 1);
    }
    return;
  }
  Symmetry *s = &filter->symmetry[filter->count];
  memcpy(s->peg, peg, sizeof s->peg);
  memset(s->to, -1, sizeof s->to);
  s->taken = 0;
  for (int i = 0; i < path->length; i++)
    if (!fixes(s, path->guess[i])) return;
  filter->count++;
}

static void start_filter(Filter *filter, const Path *path, const uint16_t *set, int n) {
  int peg[MOST_PEGS] = {0};
  filter->count = filter->present = 0;
  for (int i = 0; i < n; i++)
    for (int p = 0; p < pegs; p++) filter->present |= 1 << symbol[set[i]][p];
  list_symmetries(filter, path, peg, 0);
}

/* 0 where the image of the guess is less: colours outside the path go to the least ones left. */
static int is_least(const Symmetry *s, const uint8_t *guess) {
  int to[16], taken = s->taken;
  memcpy(to, s->to, sizeof to);
  for (int i = 0; i < pegs; i++) {
    int from = guess[s->peg[i]];
    if (to[from] < 0) {
      to[from] = 0;
      while (taken >> to[from] & 1) to[from]++;
      taken |= 1 << to[from];
    }
    if (to[from] != guess[i]) return to[from] > guess[i];
  }
  return 1;
}

/* Whether the guess is the least of those that cost the same by two rules: a symmetry of the path
 * turns one into the other, or they differ in colours that no code of the set shows. */
static int is_needed(const Filter *filter, int guess) {
  int next = 0, seen = 0;
  for (int i = 0; i < pegs; i++) {
    int c = symbol[guess][i];
    if (filter->present >> c & 1 || seen >> c & 1) continue;
    if (repeat && seen) return 0;
    while (filter->present >> next & 1) next++;
    if (c != next++) return 0;
    seen |= 1 << c;
  }
  for (int i = 0; i < filter->count; i++)
    if (!is_least(&filter->symmetry[i], symbol[guess])) return 0;
  return 1;
}

/* ---- a step of the proof --------------------------------------------------------------------------- */

/* Raises unless every guess takes `bound` guesses at least; `first` >= 0: only that one is asked. */
static void check_bound(const uint16_t *set, int n, const Path *path, int bound, int first,
                        int sparing) {
  static Filter filter;
  int size[MOST_CELLS], count = consistent ? n : codes;
  if (bound <= perfect[n]) return;
  start_filter(&filter, path, set, n);
  for (int i = 0; i < count; i++) {
    int guess = consistent ? set[i] : i;
    if (first >= 0 && guess != first) continue;
    int base = base_of(guess, set, n, size);
    if (base >= bound || (first < 0 && !is_needed(&filter, guess))) continue;
    int cost = cost_bound(guess, set, n, base, bound, sparing);
    if (cost < bound) {
      char text[MOST_PEGS + 1] = {0};
      for (int p = 0; p < pegs; p++) text[p] = "0123456789abcdef"[symbol[guess][p]];
      refuse("%s may take %d guesses in all, which is less than %d", text, cost, bound);
    }
  }
}

static int read_code(const char *text) {
  for (int g = 0; g < codes; g++) {
    int i = 0;
    while (i < pegs && text[i] == "0123456789abcdef"[symbol[g][i]]) i++;
    if (i == pegs) return g;
  }
  refuse("%.*s is no code", pegs, text);
}

static int every_code(uint16_t *set) {
  for (int i = 0; i < codes; i++) set[i] = (uint16_t)i;
  return codes;
}

#ifndef NO_MAIN

static int read_answer(const char *text) {
  int x, y;
  if (sscanf(text, "%1dA%1dB", &x, &y) != 2 || x + y > pegs || cell_of[x][y] < 0)
    refuse("%.4s is no answer", text);
  return cell_of[x][y];
}

/* The strategy: a guess a line, indented by two spaces a guess, with the answer before it. Returns
 * its total; every code must be found, every guess must split its codes or be the last. */
static int play(FILE *file, char *line, size_t room, const uint16_t *set, int n, int depth, int first) {
  uint16_t sorted[MOST_CODES];
  int at[MOST_CELLS + 1], total = n;
  int before = depth ? 2 * depth + 5 : 0, member = 0; /* indent, answer, space */
  if ((int)strlen(line) != before + pegs + 1) refuse("the line has a wrong length");
  int guess = read_code(line + before);
  for (int i = 0; i < n; i++) member |= set[i] == guess;
  if (consistent && !member) refuse("the guess cannot be the code");
  if (depth == 0 && first >= 0 && guess != first) refuse("the first guess is another");
  if (depth == LONGEST) refuse("more than %d guesses", LONGEST);
  split(guess, set, n, sorted, at);
  int left = n - member;
  while (left > 0) {
    line_number++;
    if (!fgets(line, (int)room, file)) refuse("the strategy ends too early");
    for (int i = 0; i < 2 * depth + 2; i++)
      if (line[i] != ' ') refuse("%d codes are not found", left);
    int c = read_answer(line + 2 * depth + 2);
    if (c == cells - 1 || at[c + 1] == at[c]) refuse("no code answers so, or it is listed twice");
    int m = at[c + 1] - at[c];
    total += play(file, line, room, sorted + at[c], m, depth + 1, first);
    left -= m;
    at[c] = at[c + 1];
  }
  return total;
}

static void check_file(FILE *file) {
  static char line[4096];
  uint16_t set[MOST_CODES], next[MOST_CODES];
  char kind, how[16], text[16];
  int claimed, first = -1, n, proved = 0;
  line_number = 1;
  if (!fgets(line, sizeof line, file) || strcmp(line, "code-proof 1\n")) refuse("no proof");
  line_number++;
  if (!fgets(line, sizeof line, file) ||
      sscanf(line, "rules p%1dc%2d%c guesses %15s first %15s total %d", &pegs, &colours, &kind, how,
             text, &claimed) != 6 ||
      pegs < 1 || pegs > MOST_PEGS || colours < 2 || colours > 16 || (kind != 'r' && kind != 'n'))
    refuse("the rules cannot be read");
  repeat = kind == 'r';
  consistent = !strcmp(how, "consistent");
  if (!consistent && strcmp(how, "any")) refuse("guesses are any or consistent");
  set_rules();
  table_mask = (1 << 20) - 1;
  table = calloc(table_mask + 1, sizeof *table);
  if (strcmp(text, "any")) first = read_code(text);
  line_number++;
  if (!fgets(line, sizeof line, file)) refuse("the strategy is missing");
  n = every_code(set);
  int total = play(file, line, sizeof line, set, n, 0, first);
  if (total != claimed) refuse("the strategy takes %d guesses in all, not %d", total, claimed);
  while (line_number++, fgets(line, sizeof line, file)) {
    int bound, used, length = (int)strlen(line);
    if (sscanf(line, "%d%n", &bound, &used) != 1 || line[length - 1] != '\n')
      refuse("a bound is expected");
    if (proved) refuse("the proof is complete before");
    Path path = {0};
    n = every_code(set);
    for (const char *t = line + used; *t == ' '; t += pegs + 6) {
      if (path.length == LONGEST || strlen(t) < (size_t)pegs + 6) refuse("the row cannot be read");
      int guess = read_code(t + 1), answer = read_answer(t + pegs + 2), kept = 0;
      for (int i = 0; i < n; i++)
        if (answer_to(guess, set[i]) == answer) next[kept++] = set[i];
      memcpy(set, next, sizeof *set * (size_t)kept);
      n = kept;
      path.guess[path.length] = guess;
      path.answer[path.length++] = answer;
      used += pegs + 6;
    }
    if (line[used] != '\n') refuse("the end of the line cannot be read");
    if (n < 1) refuse("no code fits");
    check_bound(set, n, &path, bound, path.length ? -1 : first, 0);
    if (path.length) {
      Entry *entry = entry_of(set, n);
      entry->value = larger(entry->value, bound);
    } else {
      proved = bound;
    }
  }
  if (!proved) refuse("the last bound, for all codes, is missing");
  if (proved > claimed) refuse("the bound %d is above the total %d", proved, claimed);
  printf("%s: p%dc%d%c, %s guesses%s%s: total %d, %s %d\n", file_name, pegs, colours, kind, how,
         first < 0 ? "" : " after ", first < 0 ? "" : text, claimed,
         proved == claimed ? "least total" : "no strategy takes less than", proved);
}

int main(int count, char **names) {
  for (int i = 1; i < count; i++) {
    file_name = names[i];
    FILE *file = fopen(file_name, "r");
    if (!file) {
      fprintf(stderr, "%s cannot be read\n", file_name);
      return 2;
    }
    check_file(file);
    fclose(file);
  }
  return count < 2;
}
#endif
