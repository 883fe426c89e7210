/* Kernel of the code desk (Mastermind, Bulls & Cows): codes, answers, partitions, scores,
 * equivalent guesses. See solver.h for optimal strategies, answer_table.h for tables of answers.
 *
 * RULES, one integer in every call:
 *     bits 0-3 pegs (1-8) | 4-8 colours (1-16) | 9 repeat | 10 blanks | 11-13 feedback
 *
 * SYMBOLS: 0 = blank (guesses only), 1 … colours = the colours, as '.', '0', '1' … in texts.
 *
 * CODE: a code or guess in 64 bits, a byte a peg, the first peg on top; unused bytes are 0. So
 * codes sort as their texts do:
 *     63      56 55      48                 7       0
 *     | peg 0   | peg 1   |  …              | peg 7 |
 *
 * FEEDBACK, the kind of answer to a guess (`answer` of position.py is the twin):
 *     0 full   exact matches x, and y colours that match elsewhere, each copy once
 *     1 exact  x alone
 *     2 order  a mark a peg: 2 right place, 1 right colour elsewhere (copies are used up by right
 *              places, then from the left), 0 neither; at most MOST_ORDERED pegs
 *     3 keep   x, and y pegs that are not exact and whose colour the code shows anywhere
 *     4 sum    s colours that match at all, each copy once; the win is an answer of its own
 * ANSWER: x << 4 | y; in a clue either half may be UNKNOWN_HALF. Marks are a number m in base 3
 * with x = m / 9, y = m % 9; a sum is (0, s), its win (pegs, 0).
 * CELLS: the possible answers in ascending order; the win is last.
 *
 * SPACE: all guesses in ascending order: codes, and codes with blanks where those are allowed.
 *
 * PLANES of n secrets, rows of W = ceil(n / 64) words of 64 bits, a bit a secret:
 *     row peg * colours + (colour - 1)                          secrets with that colour there
 *     row (pegs + copy) * colours + (colour - 1)                … with more than `copy` of it
 *     row 2 * pegs * colours                                    zeros (for blanks)
 * (ORDER, KEEP, SUM: the secrets themselves, one code each.) See bit_planes.c.
 *
 * SCORE: a signed 128-bit integer, smaller is better; see order.c.
 *
 * MEMORY: the caller's buffers, for a million codes up to 60 MB (space and secrets 8 MB each,
 * parents 4, planes up to 21, products 16, scores 16 bytes a guess); 220 KB of static scratch; less
 * than 20 KB of stack, since recursion is at most `pegs` or `colours` deep.
 */
#ifndef CLUEWISE_CODE_H
#define CLUEWISE_CODE_H

#include "kernel.h"
#include "shared/seal.h"

enum { MAX_PEGS = 8, MAX_COLOURS = 16, SYMBOLS = MAX_COLOURS + 1, MAX_CELLS = 81, MAX_CLUES = 64 };
enum { MOST_ORDERED = 4 }; /* pegs whose marks fit into MAX_CELLS */
enum { MOST_GUESSES = 1 << 21 }; /* of a space that is listed */
enum { UNKNOWN_HALF = 15 }; /* of the answer of a clue */

typedef __int128 i128;
typedef u64 Code;

typedef struct Rules {
  i32 pegs, colours;
  i32 repeat, blanks, exact_only, feedback;
} Rules;

typedef enum Feedback { FULL, EXACT, ORDER, KEEP, SUM } Feedback;

typedef enum Criterion { ENTROPY = 0, MINMAX = 1, MINAVG = 2, MAXPARTS = 3 } Criterion;

/* Unpacks rules; 0 if they are outside the limits. */
static inline i32 code_read_rules(i32 packed, Rules *rules) {
  rules->pegs = packed & 15;
  rules->colours = packed >> 4 & 31;
  rules->repeat = packed >> 9 & 1;
  rules->blanks = packed >> 10 & 1;
  rules->feedback = packed >> 11 & 7;
  rules->exact_only = rules->feedback == EXACT;
  if (packed >> 14 || rules->feedback > SUM) return 0;
  if (rules->pegs < 1 || rules->pegs > MAX_PEGS) return 0;
  if (rules->colours < 1 || rules->colours > MAX_COLOURS) return 0;
  if (rules->feedback == ORDER && rules->pegs > MOST_ORDERED) return 0;
  return rules->repeat || rules->pegs <= rules->colours;
}

static inline i32 code_symbol(Code code, i32 peg) { return (i32)(code >> (56 - 8 * peg) & 255); }

static inline Code code_at(i32 symbol, i32 peg) { return (Code)symbol << (56 - 8 * peg); }

/* 1 if this is a legal code (`blanks` = 1: a legal guess) under the rules. */
static inline i32 code_is_legal(const Rules *rules, Code code, i32 blanks) {
  u32 used = 0;
  for (i32 peg = 0; peg < MAX_PEGS; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (peg >= rules->pegs) {
      if (symbol) return 0;
      continue;
    }
    if (symbol > rules->colours || (symbol == 0 && !blanks)) return 0;
    if (symbol && !rules->repeat && (used >> symbol & 1)) return 0;
    used |= 1u << symbol;
  }
  return 1;
}

/* 1 if no symbol is above the colours or after the last peg, so that symbols may be used as
 * indices. The top bit of a byte marks symbols above the colours: in the code itself, or after the
 * addition. */
static inline i32 code_fits(const Rules *rules, Code code) {
  const u64 each = 0x0101010101010101ull;
  u64 beyond = ((code + (u64)(127 - rules->colours) * each) | code) & 128 * each;
  u64 behind = rules->pegs == MAX_PEGS ? 0 : code & ~0ull >> (8 * rules->pegs);
  return !(beyond | behind);
}

static inline i32 code_all_fit(const Rules *rules, const Code *codes, i32 count) {
  i32 fit = 1;
  for (i32 i = 0; i < count; i++) fit &= code_fits(rules, codes[i]);
  return fit;
}

/* 1 if all of these are legal codes (`blanks` = 1: legal guesses). */
static inline i32 code_all_legal(const Rules *rules, const Code *codes, i32 count, i32 blanks) {
  for (i32 i = 0; i < count; i++)
    if (!code_is_legal(rules, codes[i], blanks)) return 0;
  return 1;
}

/* 1 if these are legal codes in strictly ascending order. */
static inline i32 code_are_ascending(const Rules *rules, const Code *codes, i32 count) {
  for (i32 i = 0; i < count; i++)
    if (!code_is_legal(rules, codes[i], 0) || (i && codes[i] <= codes[i - 1])) return 0;
  return 1;
}

/* Binary search: 1 if the code is among these ascending ones. */
static inline i32 code_contains(const Code *codes, i32 count, Code code) {
  i32 low = 0, high = count;
  while (low < high) {
    i32 middle = (low + high) >> 1;
    if (codes[middle] < code) low = middle + 1;
    else high = middle;
  }
  return low < count && codes[low] == code;
}

/* 1 if some guess can get the answer x, y. */
static inline i32 code_can_answer(const Rules *rules, i32 x, i32 y) {
  const i32 p = rules->pegs;
  if (rules->feedback == ORDER) { /* a peg cannot be the only one in a wrong place */
    i32 marks = x * 9 + y, pegs = 1, counts[3] = {0};
    for (i32 peg = 0; peg < p; peg++, marks /= 3) counts[marks % 3]++, pegs *= 3;
    return x * 9 + y < pegs && !(counts[1] == 1 && counts[2] == p - 1);
  }
  if (rules->feedback == SUM) return x == p ? y == 0 : x == 0 && y <= p;
  if (rules->feedback == EXACT) return x <= p && y == 0;
  return x + y <= p && (rules->feedback == KEEP || x != p - 1 || y != 1);
}

/* Numbers the cells: number[exact][partial], -1 where impossible. Returns how many there are. */
static inline i32 code_cells_of(const Rules *rules, i8 number[MAX_PEGS + 1][MAX_PEGS + 1]) {
  i32 cells = 0;
  for (i32 x = 0; x <= MAX_PEGS; x++)
    for (i32 y = 0; y <= MAX_PEGS; y++) number[x][y] = code_can_answer(rules, x, y) ? (i8)cells++ : -1;
  return cells;
}

/* The multiset of colours: the count of each colour in a nibble. */
static inline u64 code_multiset(const Rules *rules, Code code) {
  u64 key = 0;
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 symbol = code_symbol(code, peg);
    if (symbol) key += 1ull << (4 * (symbol - 1));
  }
  return key;
}

/* A guess prepared for comparisons with many secrets. */
typedef struct Prober {
  Code code;
  i32 pegs;
  i32 feedback;
  u64 multiset;
} Prober;

static inline Prober code_prober(const Rules *rules, Code code) {
  return (Prober){code, rules->pegs, rules->feedback, code_multiset(rules, code)};
}

/* Exact matches; symbols are below 128. */
static inline i32 code_exact(const Prober *prober, Code secret) {
  const u64 each = 0x0101010101010101ull;
  u64 differ = ((prober->code ^ secret) + 127 * each) & 128 * each;
  return prober->pegs - popcount64(differ);
}

/* Colours that match on any peg, each copy once. */
static inline i32 code_matches(const Prober *prober, Code secret) {
  u64 left = prober->multiset;
  i32 matches = 0;
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 at = (code_symbol(secret, peg) - 1) * 4 & 63, match = (left >> at & 15) > 0;
    left -= (u64)match << at;
    matches += match;
  }
  return matches;
}

/* x and x + y of a guess's answer under ORDER, KEEP or SUM (answers.c). */
void code_probe_other(const Prober *prober, Code secret, i32 *exact, i32 *total);

/* x and x + y of the answer of the prober's guess to a secret. */
static inline void code_probe(const Prober *prober, Code secret, i32 *exact, i32 *total) {
  if (prober->feedback > EXACT) {
    code_probe_other(prober, secret, exact, total);
    return;
  }
  *exact = code_exact(prober, secret);
  *total = prober->feedback == EXACT ? *exact : code_matches(prober, secret);
}

/* The cell of the secret's answer; number from code_cells_of. */
static inline i32 code_cell(const Prober *prober, Code secret, const i8 number[MAX_PEGS + 1][MAX_PEGS + 1]) {
  i32 exact, total;
  code_probe(prober, secret, &exact, &total);
  return number[exact][total - exact];
}

/* The place of the first code that separates all codes, or -1; number from code_cells_of. */
i32 code_separating(const Rules *rules, const i8 number[MAX_PEGS + 1][MAX_PEGS + 1], const Code *codes,
                    i32 count);

/* code_guesses(rules): the size of the space; TOO_LARGE above 2^21. */
i32 code_guesses(i32 rules);

/* ---- encoding.c ---------------------------------------------------------------------------- */

/* Counts the guesses (blanks = 1) or codes (blanks = 0), at most 2^63. */
u64 code_count_guesses(const Rules *rules, i32 blanks);

/* Ranking: the place of a legal guess in the space, and back. code_ranking fills the table. */
typedef struct Ranking {
  Rules rules;
  u32 guesses_left[MAX_PEGS + 1][SYMBOLS]; /* [pegs left][colours unused] */
} Ranking;
void code_ranking(const Rules *rules, Ranking *ranking);
u32 code_rank(const Ranking *ranking, Code code);
Code code_unrank(const Ranking *ranking, u32 rank);

/* code_space(rules, from, to, out): lists guesses from … to-1 of the space. Returns to - from. */
i32 code_space(i32 rules, i32 from, i32 to, Code *out HAS(to - from));

/* code_secrets(rules, guesses, answers, clues, depth, from, to, out, room, stop, total): lists the
 * codes that are consistent with all clues, ascending.
 *   guesses Code[clues], answers u8[clues], clues <= 64
 *   depth, from, to: a slice: only codes whose first `depth` colours, as a number in base
 *     `colours`, are in from … to-1 (with depth 0: 0 … 1)
 *   out Code[room]: the first `room` codes found; stop > 0: end after that many
 *   total u64[1]: increased by the number found
 * Returns the number written. */
i32 code_secrets(i32 rules, const Code *guesses HAS(clues), const u8 *answers HAS(clues), i32 clues,
                 i32 depth, i32 from, i32 to, Code *out HAS(room), i32 room, i32 stop, u64 *total HAS(1));

/* code_secret_answers(…, to, asked, tally u64[256]): counts the same codes by their answer to the
 * asked guess; tally is indexed by the answer's byte. */
i32 code_secret_answers(i32 rules, const Code *guesses HAS(clues), const u8 *answers HAS(clues), i32 clues,
                        i32 depth, i32 from, i32 to, const Code *asked HAS(1), u64 *tally HAS(256));

/* code_present(codes, count): the colours that occur, bit symbol. */
i32 code_present(const Code *codes HAS(count), i32 count);

/* code_answers(rules, guess, codes, count, out u8[count]): the answer of each secret. */
i32 code_answers(i32 rules, const Code *guess HAS(1), const Code *codes HAS(count), i32 count,
                 u8 *out HAS(count));

/* ---- bit_planes.c --------------------------------------------------------------------------- */

/* code_plane_words(rules, count): 64-bit words that the planes of `count` secrets take. */
i32 code_plane_words(i32 rules, i32 count);

/* code_planes(rules, codes, count, planes, from, to): fills the 64-secret columns
 * from … to-1 (of W) of the planes. Every column must be filled once, in any order. */
i32 code_planes(i32 rules, const Code *codes HAS(count), i32 count,
                u64 *planes HAS(code_plane_words(rules, count)), i32 from, i32 to);

/* code_group(rules, guesses, count, order, scratch u32[65537]): sorts the guesses by a hash
 * of their colour multiset, so that code_score computes most multisets once; halves its work. */
i32 code_group(i32 rules, const Code *guesses HAS(count), i32 count, u32 *order HAS(count),
               u32 *scratch HAS(65537));

/* code_score(rules, planes, n, guesses, order, from, to, criterion, products, columns, scores):
 * scores[order[i]] of the guesses order[from … to-1].
 *   products: i128[n + 1], zeros before the first call, kept between calls (see order.c)
 *   columns u64[pegs * W]: scratch
 * Returns to - from. */
i32 code_score(i32 rules, const u64 *planes HAS(code_plane_words(rules, n)), i32 n,
               const Code *guesses HAS(count), const u32 *order HAS(count), i32 count, i32 from, i32 to,
               i32 criterion, i128 *products MAY((criterion == ENTROPY) * (n + 1)),
               u64 *columns HAS((rules & 15) * ((n + 63) / 64)), i128 *scores HAS(count));

/* code_split(rules, planes, n, guesses, count, columns, cells u32[count][MAX_CELLS]): cell sizes;
 * columns as for code_score. */
i32 code_split(i32 rules, const u64 *planes HAS(code_plane_words(rules, n)), i32 n,
               const Code *guesses HAS(count), i32 count, u64 *columns HAS((rules & 15) * ((n + 63) / 64)),
               u32 *cells HAS(count * MAX_CELLS));

static inline i32 code_columns(i32 count) { return (count + 63) >> 6; }

/* Rows of the planes of these rules; enough for one word a secret where the secrets are listed. */
static inline i32 code_plane_rows(const Rules *rules) {
  const i32 rows = 2 * rules->pegs * rules->colours + 1;
  return rules->feedback > EXACT ? max32(rows, 64) : rows;
}

/* Fills the columns from … to-1 of the planes; BAD if a code is not legal. */
i32 code_fill_planes(const Rules *rules, const Code *codes, i32 count, u64 *planes, i32 from, i32 to);

/* Counts partitions over the same planes; intermediate results of a colour multiset are reused. */
typedef struct Tally {
  Rules rules;
  i32 n, columns, cells;
  const Code *secrets; /* for ORDER, KEEP and SUM */
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  u64 multiset;
  u64 *total; /* pegs rows of scratch: the secrets with 1 … pegs matches at all */
  u32 many[MAX_PEGS + 1];
  const u64 *exact[MAX_PEGS][SYMBOLS], *match[MAX_PEGS][SYMBOLS];
} Tally;
void code_tally_start(Tally *tally, const Rules *rules, const u64 *planes, i32 n, u64 *total);

/* The cell sizes of a legal guess, cells[tally->cells]; _grouped: with its multiset. */
void code_tally_guess(Tally *tally, Code guess, u32 *cells);
void code_tally_grouped(Tally *tally, Code guess, u64 multiset, u32 *cells);

/* Computes only what depends on the guess's multiset: `many` and `total`. */
void code_tally_match(Tally *tally, Code guess);

/* ---- bound.c ---------------------------------------------------------------------------- */

/* code_most_bits(rules, planes, n, cursor Code[1], many, alike, factors, steps, spread, columns,
 * most double[1]): raises `most` to an upper bound of the information of any guess in bits.
 *   cursor: the multiset to begin with, symbols ascending; afterwards the next one. `many` of them
 *     are evaluated. Returns 1 if there are more, 0 after the last.
 *   alike: interchangeable colours (bit symbol); of equivalent multisets one is evaluated
 *   factors double[steps][pegs + 2]: rows of L and, for each total t, log2 of the sum of 2^(-L a)
 *     over the exact counts a that can come with it; L ascending from 0
 *   spread: standard errors to add where the secrets are a sample, else 0
 *   columns u64[pegs * W]: scratch */
i32 code_most_bits(i32 rules, const u64 *planes HAS(code_plane_words(rules, n)), i32 n, Code *cursor HAS(1),
                   i32 many, i32 alike, const double *factors HAS(steps * ((rules & 15) + 2)), i32 steps,
                   double spread, u64 *columns HAS((rules & 15) * ((n + 63) / 64)), double *most HAS(1));

/* ---- order.c ---------------------------------------------------------------------------- */

/* The score of a partition with these cell sizes under a criterion. */
i128 code_score_of(const u32 *cells, i32 count, i32 criterion, i128 *products);

/* 1 if every cell is at most n: the length of `products` is n + 1. */
i32 code_cells_within(const u32 *cells, i32 count, i32 n);

/* code_score_cells(cells u32[count], count, n, criterion, products, out i128[1]): the score of one
 * partition of n secrets; products as for code_score. */
i32 code_score_cells(const u32 *cells HAS(count), i32 count, i32 n, i32 criterion,
                     i128 *products MAY((criterion == ENTROPY) * (n + 1)), i128 *out HAS(1));

/* n log2(n) in units of 2^-40 from doubles; the error of a whole partition is below FAST_ERROR. */
enum { FAST_ERROR = 1 << 16 };
i64 code_fast_product(u32 n);

/* code_top(scores, guesses, can, count, most, out u32[most]): the best rows in order: by score,
 * then `can` (u8: 1 if the guess can be the secret), then the guess. Returns how many. */
i32 code_top(const i128 *scores HAS(count), const Code *guesses HAS(count), const u8 *can HAS(count),
             i32 count, i32 most, u32 *out HAS(most));

/* code_standing(scores, can, count, row, out u32[3]): how many of the first `count` rows have a
 * better score than row `row`, how many the same, and how many of the same are ahead of it because
 * they can be the secret and it cannot. */
i32 code_standing(const i128 *scores HAS(max32(count, row + 1)), const u8 *can HAS(max32(count, row + 1)),
                  i32 count, i32 row, u32 *out HAS(3));

/* code_sample(codes, n, m, seed, out Code[m]): m of the n codes, ascending, one drawn at random
 * from each of m equal stretches. */
i32 code_sample(const Code *codes HAS(n), i32 n, i32 m, i32 seed, Code *out HAS(m));

/* ---- symmetries.c ----------------------------------------------------------------------- */

/* A symmetry of the rules in 25 bytes: peg i is mapped to pegs[i], symbol s to symbols[s]. */
typedef struct Symmetry {
  u8 pegs[MAX_PEGS];
  u8 symbols[SYMBOLS];
} Symmetry;

/* The image of a code under a symmetry, and under its inverse. */
Code code_permuted(const Rules *rules, const Symmetry *symmetry, Code code);
Code code_permuted_back(const Rules *rules, const Symmetry *symmetry, Code code);

/* code_symmetries(rules, guesses, count, out Symmetry[48]): generators of the symmetries that fix
 * each of these guesses. Returns how many. */
i32 code_symmetries(i32 rules, const Code *guesses HAS(count), i32 count, Symmetry *out HAS(48));

/* code_set_symmetries(rules, secrets, n, limit, out Symmetry[160]): generators of the symmetries
 * that map the ascending secrets to themselves. Returns how many; TOO_LARGE after `limit` images.
 */
i32 code_set_symmetries(i32 rules, const Code *secrets HAS(n), i32 n, i32 limit, Symmetry *out HAS(160));

/* The incremental constraint filter of a search: the peg permutations that can fix all guesses so
 * far, each with the colour images that it forces. With more than six pegs MAX_FILTERED limits
 * them; the filter then keeps a few more guesses, which costs only time. */
enum { MAX_FILTERED = 720 };
typedef struct SymmetryFilter {
  i32 count;
  u32 shown;                         /* symbols that some guess showed */
  u8 pegs[MAX_FILTERED][MAX_PEGS];   /* pegs[q][i] = the peg that is mapped to i */
  u8 symbols[MAX_FILTERED][SYMBOLS]; /* 255: free */
} SymmetryFilter;
/* start: the filter after these guesses; narrow: `to` = `from` after one more, may be the same.
 * keeps: 1 if no permutation maps the guess to a smaller one; is_idle: 1 if it keeps every guess.
 * list: writes the places of the guesses that it keeps, in the given order; returns how many. */
void code_filter_start(const Rules *rules, const Code *guesses, i32 count, SymmetryFilter *filter);
void code_filter_narrow(const Rules *rules, const SymmetryFilter *from, Code guess, SymmetryFilter *to);
i32 code_filter_keeps(const Rules *rules, const SymmetryFilter *filter, Code guess);
i32 code_filter_list(const Rules *rules, const SymmetryFilter *filter, const Code *space, const u32 *order,
                     i32 count, u32 *out);
i32 code_filter_is_idle(const Rules *rules, const SymmetryFilter *filter);

/* ---- classes.c -------------------------------------------------------------------------- */

/* code_alone(parent u32[count], count): makes every guess its own class. */
i32 code_alone(u32 *parent HAS(count), i32 count);

/* code_unite(rules, space, parent, symmetries, count, from, to): joins guesses from … to-1 with
 * their images. parent[] is a union-find forest in which parents are smaller: roots are least
 * members. */
i32 code_unite(i32 rules, const Code *space HAS(to), u32 *parent HAS(code_guesses(rules)),
               const Symmetry *symmetries HAS(count), i32 count, i32 from, i32 to);

/* code_unite_excluded(rules, space, parent, excluded, from, to): joins guesses that differ only in
 * excluded colours (bit symbol; bit 0 for blanks, which match as little). */
i32 code_unite_excluded(i32 rules, const Code *space HAS(to), u32 *parent HAS(code_guesses(rules)),
                        i32 excluded, i32 from, i32 to);

/* code_gather(space, parent, count, secrets, n, best Code[room], size u32[room], can u8[room],
 * room): replaces the forest by class numbers (parent[g] = number of g's class, in order of least
 * members) and lists for each class its least member that is a secret, else its least member; its
 * size; 1 if it has a secret. secrets: ascending. Returns the classes, TOO_LARGE over room. */
i32 code_gather(const Code *space HAS(count), u32 *parent HAS(count), i32 count, const Code *secrets HAS(n),
                i32 n, Code *best HAS(room), u32 *size HAS(room), u8 *can HAS(room), i32 room);

/* code_only(best, size, can, count): moves the classes with a secret to the front; how many. */
i32 code_only(Code *best HAS(count), u32 *size HAS(count), u8 *can HAS(count), i32 count);

/* code_place(rules, guess): the place of the guess in the space. */
i32 code_place(i32 rules, const Code *guess HAS(1));

/* code_roots(parent, count): the number of classes of a forest. */
i32 code_roots(const u32 *parent HAS(count), i32 count);

typedef enum Filter { F_EXCLUDED, F_COLOUR, F_CONSTRAINT, F_CHAIN, F_ROOTS } Filter;

/* code_kept(rules, space, parent, excluded, free, filter, from, to, out u32[to - from]): guesses
 * from … to-1 that a filter keeps; parent: the constraint forest (join forest for F_ROOTS);
 * excluded, free: colour bits. Returns how many; `out` may be 0 to count only. */
i32 code_kept(i32 rules, const Code *space HAS(to), const u32 *parent MAY(to), i32 excluded, i32 free,
              i32 filter, i32 from, i32 to, u32 *out MAY(to - from));

/* Excluded colours: those of no secret, and blanks. Least: no smaller guess differs in them only. */
u32 code_excluded(const Rules *rules, const Code *secrets, i32 n);
i32 code_is_least_excluded(const Rules *rules, Code code, u32 excluded);

/* ---- answers.c -------------------------------------------------------------------------- */

/* code_unite_equal(rules, secrets, n, guesses, parent, from, to, hashes, table u32[2^bits], bits):
 * joins guesses from … to-1 with earlier ones that every secret answers alike. Calls go on from 0
 * with the same hashes and table; 2^bits >= 2 * to. Returns how many guesses were joined. */
i32 code_unite_equal(i32 rules, const Code *secrets HAS(n), i32 n, const Code *guesses HAS(to),
                     u32 *parent HAS(to), i32 from, i32 to, u64 *hashes HAS(to), u32 *table HAS(power(bits)),
                     i32 bits);

/* ---- count.c ---------------------------------------------------------------------------- */

/* Counts the consistent codes by dynamic programming, without listing them; for rules of any size.
 * code_counter_start(memory, size, rules, guesses, answers u8[], count, asked): at most seven
 *   guesses; with asked = 1 the answer of the last one is ignored. 128 KB of memory or more: a
 *   state takes 24 bytes, TOO_LARGE when they run out.
 * code_counter_step(memory, budget): 1 = more to do, 0 = done, TOO_LARGE.
 * code_counter_cells(memory, out u64[256]): the number of codes for each answer to the asked guess,
 *   by the answer's byte; without an asked guess all of them in out[0].
 * code_counter_draw(memory, seed, count, out Code[count]): consistent codes drawn uniformly, with
 *   replacement (asked = 0 only). Returns 0 if there is none. */
i32 code_counter_start(u8 *memory HAS(size), i32 size, i32 rules, const Code *guesses HAS(count),
                       const u8 *answers HAS(count), i32 count, i32 asked);
i32 code_counter_step(u8 *memory LIVE, i32 budget);
i32 code_counter_cells(const u8 *memory LIVE, u64 *out HAS(256));
i32 code_counter_draw(const u8 *memory LIVE, i32 seed, i32 count, Code *out HAS(count));

/* ---- tree.c ----------------------------------------------------------------------------- */

/* Greedy strategies: at every state the guess of the best score (ties: possible, then least).
 * code_tree_bytes(rules, guesses, secrets): bytes of memory for code_tree_start; at most
 *   65536 of each, else TOO_LARGE.
 * code_tree_start(tree, rules, space, count, secrets, n, clues, clue_count, criterion,
 *   consistent_only): criterion as for code_score, or 4 for the first code that fits.
 *   `secrets` ascend; both lists are copied.
 * code_tree_step(tree, budget): scores about `budget` guesses; 1 = more to do, 0 = done.
 * code_tree_nodes(tree, out u32[2]): address of the nodes, secrets solved so far; returns the
 *   number of nodes, in preorder. */
typedef struct Node {
  Code guess;
  u32 parent; /* ~0 for the first */
  u32 n;      /* remaining secrets before the guess */
  u16 depth;  /* guesses up to this one */
  u8 cell;    /* answer to the parent's guess */
  u8 can;     /* the guess can be the secret */
  u32 unused;
} Node;
i32 code_tree_bytes(i32 rules, i32 count, i32 n);
i32 code_tree_start(u8 *memory HAS(code_tree_bytes(rules, count, n)), i32 rules, const Code *space HAS(count),
                    i32 count, const Code *secrets HAS(n), i32 n, const Code *clues HAS(clue_count),
                    i32 clue_count, i32 criterion, i32 consistent_only);
i32 code_tree_step(u8 *memory LIVE, i32 budget);
i32 code_tree_nodes(const u8 *memory LIVE, u32 *out HAS(2));

#endif
