/* Answers of secrets to guesses: feedback that is not two counts of matches, tables of answers, and
 * classes of guesses with equal answers.
 *
 * ORDER, KEEP and SUM (code.h) are computed a secret at a time. Cost: O(pegs) a pair.
 *
 * Tables for canon.c (answer_table.h): of a set of codes, a column a peg; of a state, a column for
 * each distinct vector of answers of the remaining codes to a guess. Equal columns are dropped by a
 * hash table. Cost: O(guesses codes).
 *
 * Guesses with equal answers: union-find classes by universal hashing (Carter & Wegman 1979).
 *   hash(guess) = sum over secrets of w1 exact + w2 total  mod 2^64,  w1, w2 random for each secret
 * Exact matches are a sum over the pegs of the guess, matches in total a sum over the copies of its
 * colours, so the hash is a sum of table entries: the summed weights of the secrets with a colour
 * on a peg, or with more than so many copies of it. Answers differ by at most 8, so two guesses
 * with different answers collide with probability at most 2^-61. Equal hashes are confirmed, by
 * equal profiles (below) or secret by secret: the classes are exact. Cost: O(pegs (secrets +
 * guesses)), and O(pegs secrets) a comparison. Rejected: bit planes, O(pegs secrets guesses / 64).
 * Answers that are not such sums (ORDER, KEEP, SUM) are hashed one by one, O(pegs secrets guesses).
 */
#include "answer_table.h"

#include "shared/random.h"
#include "shared/sets.h"

/* The marks of ORDER as a number in base 3, first peg most significant. */
static i32 marks_of(const Prober *prober, Code secret) {
  u8 left[SYMBOLS] = {0};
  i32 marks = 0;
  for (i32 peg = 0; peg < prober->pegs; peg++)
    if (code_symbol(secret, peg) != code_symbol(prober->code, peg)) left[code_symbol(secret, peg)]++;
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 symbol = code_symbol(prober->code, peg), mark = 2;
    if (symbol != code_symbol(secret, peg)) {
      mark = left[symbol] > 0;
      left[symbol] -= (u8)mark;
    }
    marks = 3 * marks + mark;
  }
  return marks;
}

void code_probe_other(const Prober *prober, Code secret, i32 *exact, i32 *total) {
  if (prober->feedback == ORDER) {
    i32 marks = marks_of(prober, secret);
    *exact = marks / 9;
    *total = marks / 9 + marks % 9;
    return;
  }
  const i32 right = code_exact(prober, secret);
  if (prober->feedback == SUM) {
    *exact = right == prober->pegs ? right : 0;
    *total = code_matches(prober, secret);
    return;
  }
  u32 shown = 0;
  for (i32 peg = 0; peg < prober->pegs; peg++) shown |= 1u << code_symbol(secret, peg);
  *exact = *total = right;
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 symbol = code_symbol(prober->code, peg);
    *total += symbol != code_symbol(secret, peg) && (shown >> symbol & 1);
  }
}

i32 code_separating(const Rules *rules, const i8 number[MAX_PEGS + 1][MAX_PEGS + 1], const Code *codes,
                    i32 count) {
  for (i32 i = 0; i < count; i++) {
    Prober prober = code_prober(rules, codes[i]);
    u8 seen[MAX_CELLS] = {0};
    i32 j = 0;
    while (j < count && !seen[code_cell(&prober, codes[j], number)]++) j++;
    if (j == count) return i;
  }
  return -1;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static u64 factorial(i32 n) { return n < 2 ? 1 : (u64)n * factorial(n - 1); }

/* Order of the kernel of the action on the codes: permutations of pegs that have the same colour in
 * every code, times permutations of colours that occur in none. canon.c does not count them. */
static u64 order_of_kernel(const Rules *rules, const u8 *table, i32 n) {
  u32 shown = 0, counted = 0;
  for (i32 i = 0; i < n * rules->pegs; i++) shown |= 1u << table[i];
  u64 ways = factorial(rules->colours - popcount64(shown));
  for (i32 a = 0; a < rules->pegs; a++) {
    if (counted >> a & 1) continue;
    i32 alike = 1;
    for (i32 b = a + 1; b < rules->pegs; b++)
      if (!memcmp(table + a * n, table + b * n, (size_t)n)) counted |= 1u << b, alike++;
    ways *= factorial(alike);
  }
  return ways;
}

EXPORT(i32, code_set_keys)(i32 packed, const Code *codes, i32 total, const u32 *starts, i32 from, i32 to,
                           u8 *memory, i32 bytes, u64 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !codes || !starts || !memory || !out) return BAD;
  if (from < 0 || from > to || total < 0 || bytes < 0 || (uintptr_t)memory & 15) return BAD;
  if (!code_all_fit(&rules, codes, total)) return BAD;
  for (i32 set = from; set < to; set++) {
    if (starts[set] >= starts[set + 1] || starts[set + 1] > (u32)total) return BAD;
    i32 n = (i32)(starts[set + 1] - starts[set]);
    const Code *members = codes + starts[set];
    i32 need = code_canon_bytes(n, MAX_COLOURS), room = (n * rules.pegs + 15) & ~15;
    if (need < 0 || need > bytes - room) return TOO_LARGE;
    u8 *table = memory + bytes - (bytes & 15) - room;
    for (i32 peg = 0; peg < rules.pegs; peg++)
      for (i32 i = 0; i < n; i++) {
        i32 symbol = code_symbol(members[i], peg);
        if (!symbol) return BAD;
        table[peg * n + i] = (u8)(symbol - 1);
      }
    i32 status = code_canon_start(memory, table, n, rules.pegs, MAX_COLOURS, NO_WIN, RENAMED);
    while (status >= 0 && (status = code_canon_step(memory, 1 << 30)) > 0) {
    }
    if (status < 0) return status;
    code_canon_key(memory, out + 3 * set);
    out[3 * set + 2] *= order_of_kernel(&rules, table, n);
  }
  return to - from;
}

typedef struct Columns {
  Rules rules;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 win, n, unlabelled;
} Columns;

/* Writes the secrets' answers to a guess; unlabelled: numbered by appearance, except the win. */
static void fill_column(const Columns *columns, Code guess, const Code *secrets, u8 *out) {
  Prober prober = code_prober(&columns->rules, guess);
  u8 renamed[MAX_CELLS];
  memset(renamed, 255, sizeof renamed);
  renamed[columns->win] = (u8)columns->win;
  u8 next = 0;
  for (i32 i = 0; i < columns->n; i++) {
    i32 cell = code_cell(&prober, secrets[i], columns->number);
    if (columns->unlabelled && renamed[cell] == 255) renamed[cell] = next++;
    out[i] = columns->unlabelled ? renamed[cell] : (u8)cell;
  }
}

static u64 hash_column(const u8 *column, i32 n) {
  u64 hash = 1;
  for (i32 i = 0; i < n; i++) hash = (hash ^ column[i]) * 0x100000001b3ull;
  return random_mix(hash) | 1;
}

EXPORT(i32, code_table)(i32 packed, const Code *space, i32 from, i32 to, const Code *secrets, i32 n,
                        i32 unlabelled, u8 *table, i32 room, u64 *slots, i32 bits, i32 many) {
  Columns columns = {.n = n, .unlabelled = unlabelled};
  if (!code_read_rules(packed, &columns.rules) || !space || !secrets) return BAD;
  if (!table || !slots) return BAD;
  if (from < 0 || from > to || n < 1 || many < 0 || bits < 1 || bits > 24) return BAD;
  if (room < 1 || 2ll * room > 1ll << bits || many > room) return BAD;
  columns.win = code_cells_of(&columns.rules, columns.number) - 1;
  if (!code_all_fit(&columns.rules, space + from, to - from)) return BAD;
  if (!code_all_legal(&columns.rules, secrets, n, 0)) return BAD;
  u64 mask = (1ull << bits) - 1;
  for (i32 g = from; g < to; g++) {
    if (many == room) return TOO_LARGE;
    u8 *column = table + (size_t)many * (size_t)n; /* overwritten by the next one if not new */
    fill_column(&columns, space[g], secrets, column);
    u64 hash = hash_column(column, n), slot = hash >> (64 - bits), tried = 0;
    while (slots[slot] && slots[slot] != hash && tried++ < mask) slot = (slot + 1) & mask;
    if (slots[slot]) continue;
    slots[slot] = hash;
    many++;
  }
  return many;
}

/* ---- guesses answered alike ------------------------------------------------------------------ */

enum { PROBES = 1 << 19 }; /* answers computed in one call, at most */

typedef struct Weights {
  u64 exact[MAX_PEGS][SYMBOLS]; /* sum of w1 of the secrets with that colour there; blanks: 0 */
  u64 match[MAX_PEGS][SYMBOLS]; /* sum of w2 of those with more than so many copies of it */
  u32 shown[MAX_PEGS];          /* colours that some secret shows there, bit symbol */
  u8 copies[SYMBOLS];           /* most copies in a secret */
} Weights;

static void sum_weights(const Rules *rules, const Code *secrets, i32 n, Weights *sums) {
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

static u64 hash_sums(const Rules *rules, const Weights *sums, Code guess) {
  u8 copies[SYMBOLS] = {0};
  u64 hash = 0;
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    const i32 symbol = code_symbol(guess, peg);
    hash += sums->exact[peg][symbol] + sums->match[copies[symbol]++][symbol];
  }
  return hash;
}

static u64 hash_answers(const Rules *rules, const Code *secrets, i32 n, Code guess) {
  const Prober prober = code_prober(rules, guess);
  u64 hash = 1;
  for (i32 i = 0; i < n; i++) {
    i32 exact, total;
    code_probe(&prober, secrets[i], &exact, &total);
    hash = random_mix(hash ^ (u64)(exact << 5 | total));
  }
  return hash;
}

/* The features of a guess that its answers depend on: its colours on pegs where some secret shows
 * them, and its copies of each colour, up to the most in a secret. */
typedef struct Profile {
  Code exact;
  u64 match;
} Profile;

static Profile profile_of(const Rules *rules, const Weights *sums, Code guess) {
  Profile shown = {0, 0};
  u8 copies[SYMBOLS] = {0};
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    const i32 symbol = code_symbol(guess, peg);
    if (!symbol) continue;
    if (sums->shown[peg] >> symbol & 1) shown.exact |= code_at(symbol, peg);
    if (copies[symbol]++ < sums->copies[symbol]) shown.match += 1ull << (4 * (symbol - 1));
  }
  return shown;
}

static i32 have_equal_profiles(const Rules *rules, const Weights *sums, Code a, Code b) {
  const Profile one = profile_of(rules, sums, a), other = profile_of(rules, sums, b);
  return one.exact == other.exact && one.match == other.match;
}

static i32 are_answered_alike(const Rules *rules, const Code *secrets, i32 n, Code a, Code b) {
  const Prober one = code_prober(rules, a), other = code_prober(rules, b);
  for (i32 i = 0; i < n; i++) {
    i32 exact[2], total[2];
    code_probe(&one, secrets[i], &exact[0], &total[0]);
    code_probe(&other, secrets[i], &exact[1], &total[1]);
    if (exact[0] != exact[1] || total[0] != total[1]) return 0;
  }
  return 1;
}

EXPORT(i32, code_unite_equal)(i32 packed, const Code *secrets, i32 n, const Code *guesses, u32 *parent,
                              i32 from, i32 to, u64 *hashes, u32 *table, i32 bits) {
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
    hashes[g] = linear ? hash_sums(&rules, &sums, guesses[g]) : hash_answers(&rules, secrets, n, guesses[g]);
    probes += linear ? 1 : n;
    u32 slot = (u32)(hashes[g] >> (64 - bits)), tried = 0;
    for (; table[slot] != ~0u; slot = (slot + 1) & last) {
      const u32 first = table[slot];
      if (first >= (u32)g || ++tried > (u32)g) return BAD; /* not the table of earlier calls */
      if (hashes[first] != hashes[g]) continue;
      if (sets_root(parent, first) == sets_root(parent, (u32)g)) break;
      if (!linear || !have_equal_profiles(&rules, &sums, guesses[first], guesses[g])) {
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
