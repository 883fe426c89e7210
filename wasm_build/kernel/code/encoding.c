/* Ranking and unranking of guesses in ascending order, enumeration of the space, and the consistent
 * codes by depth-first search.
 *
 * Rank: the sum over the pegs of the guesses with a smaller symbol there, from a table of counts
 * [pegs left][colours unused]. Cost: O(pegs) a rank, O(1) amortised a listed guess.
 */
#include "code.h"

#include <wasm_simd128.h>

/* Counts the codes of `pegs` symbols; `unused`: colours that may be used, each once without
 * repetition. */
static u64 count_left(const Rules *rules, i32 blanks, i32 pegs, i32 unused) {
  if (pegs == 0) return 1;
  u64 codes = blanks ? count_left(rules, blanks, pegs - 1, unused) : 0;
  i32 after = rules->repeat ? unused : unused - 1;
  if (unused > 0) codes += (u64)unused * count_left(rules, blanks, pegs - 1, after);
  return codes;
}

u64 code_count_guesses(const Rules *rules, i32 blanks) {
  return count_left(rules, blanks, rules->pegs, rules->colours);
}

void code_ranking(const Rules *rules, Ranking *ranking) {
  ranking->rules = *rules;
  for (i32 pegs = 0; pegs <= rules->pegs; pegs++)
    for (i32 unused = 0; unused <= rules->colours; unused++)
      ranking->guesses_left[pegs][unused] = (u32)count_left(rules, rules->blanks, pegs, unused);
}

u32 code_rank(const Ranking *ranking, Code code) {
  const Rules *rules = &ranking->rules;
  u32 rank = 0, used = 0;
  i32 unused = rules->colours;
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 symbol = code_symbol(code, peg), after = rules->pegs - 1 - peg;
    if (symbol == 0) continue;
    u32 below = (1u << symbol) - 2; /* the colours before this one */
    if (rules->blanks) rank += ranking->guesses_left[after][unused];
    if (rules->repeat) {
      rank += (u32)(symbol - 1) * ranking->guesses_left[after][unused];
    } else {
      unused--;
      rank += (u32)popcount64(below & ~used) * ranking->guesses_left[after][unused];
      used |= 1u << symbol;
    }
  }
  return rank;
}

Code code_unrank(const Ranking *ranking, u32 rank) {
  const Rules *rules = &ranking->rules;
  Code code = 0;
  u32 used = 0;
  i32 unused = rules->colours;
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    i32 after = rules->pegs - 1 - peg;
    if (rules->blanks) {
      u32 here = ranking->guesses_left[after][unused];
      if (rank < here) continue;
      rank -= here;
    }
    if (!rules->repeat) unused--;
    u32 here = ranking->guesses_left[after][unused];
    i32 skip = (i32)(rank / here), symbol = 1;
    rank %= here;
    while ((used >> symbol & 1) || skip-- > 0) symbol++;
    if (!rules->repeat) used |= 1u << symbol;
    code |= code_at(symbol, peg);
  }
  return code;
}

/* The next guess that differs from `code` at `peg` or before; 0 after the last one. */
static Code next_guess(const Rules *rules, Code code, i32 peg) {
  i32 symbols[MAX_PEGS], low = rules->blanks ? 0 : 1;
  u32 used = 0;
  for (i32 i = 0; i <= peg; i++) {
    symbols[i] = code_symbol(code, i);
    if (!rules->repeat && symbols[i]) used |= 1u << symbols[i];
  }
  for (;; peg--) {
    if (peg < 0) return 0;
    i32 s = symbols[peg];
    if (s) used &= ~(1u << s);
    for (s++; s <= rules->colours && (used >> s & 1);) s++;
    if (s > rules->colours) continue;
    symbols[peg] = s;
    if (!rules->repeat) used |= 1u << s;
    break;
  }
  for (peg++; peg < rules->pegs; peg++) {
    i32 s = low;
    while (s && (used >> s & 1)) s++;
    symbols[peg] = s;
    if (!rules->repeat && s) used |= 1u << s;
  }
  Code next = 0;
  for (i32 i = 0; i < rules->pegs; i++) next |= code_at(symbols[i], i);
  return next;
}

/* Lists `code` and the guesses after it that differ only at the last peg, at most `most`; returns
 * how many. */
static i32 list_last_peg(const Rules *rules, Code code, Code *out, i32 most) {
  const i32 last = rules->pegs - 1, symbol = code_symbol(code, last);
  const Code before = code - code_at(symbol, last);
  u32 symbols = ((2u << rules->colours) - 1) & ~0u << symbol;
  for (i32 peg = 0; peg < last && !rules->repeat; peg++)
    if (code_symbol(code, peg)) symbols &= ~(1u << code_symbol(code, peg));
  i32 listed = 0;
  for (; symbols && listed < most; symbols &= symbols - 1)
    out[listed++] = before | code_at(__builtin_ctz(symbols), last);
  return listed;
}

EXPORT(i32, code_guesses)(i32 packed) {
  Rules rules;
  if (!code_read_rules(packed, &rules)) return BAD;
  u64 count = code_count_guesses(&rules, rules.blanks);
  return count > MOST_GUESSES ? TOO_LARGE : (i32)count;
}

EXPORT(i32, code_space)(i32 packed, i32 from, i32 to, Code *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !out) return BAD;
  u64 count = code_count_guesses(&rules, rules.blanks);
  if (count > MOST_GUESSES) return TOO_LARGE;
  if (from < 0 || from > to || (u64)to > count) return BAD;
  if (from == to) return 0;
  Ranking ranking;
  code_ranking(&rules, &ranking);
  Code code = code_unrank(&ranking, (u32)from);
  const i32 last = rules.pegs - 1, many = to - from;
  for (i32 i = 0; i < many; code = next_guess(&rules, code, last - 1))
    i += list_last_peg(&rules, code, out + i, many - i);
  return many;
}

EXPORT(i32, code_present)(const Code *codes, i32 count) {
  if (!codes || count < 0) return BAD;
  u32 present = 0;
  for (i32 i = 0; i < count; i++)
    for (Code rest = codes[i]; rest; rest <<= 8) present |= 1u << (rest >> 56 & 31);
  return (i32)(present & ~1u);
}

EXPORT(i32, code_answers)(i32 packed, const Code *guess, const Code *codes, i32 count, u8 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guess || !codes || !out || count < 0) return BAD;
  if (!code_is_legal(&rules, *guess, 1)) return BAD;
  Prober prober = code_prober(&rules, *guess);
  for (i32 i = 0; i < count; i++) {
    if (!code_is_legal(&rules, codes[i], 0)) return BAD;
    i32 exact, total;
    code_probe(&prober, codes[i], &exact, &total);
    out[i] = (u8)(exact << 4 | (total - exact));
  }
  return count;
}

/* ---- consistent codes ---------------------------------------------------------------------
 *
 * Backtracking, a peg at a time, with sixteen clues in the bytes of a vector: exact and total
 * matches of the prefix with each guess. A prefix is pruned when a count exceeds that of the answer
 * or can no longer reach it. Cost: O(pegs clues / 16) a prefix and symbol.
 */
enum { BLOCKS = MAX_CLUES / 16 };

typedef struct Search {
  Rules rules;
  i32 blocks;
  v128_t exact[MAX_PEGS][SYMBOLS][BLOCKS];     /* 1 where the guess has that symbol there */
  v128_t match[SYMBOLS][MAX_PEGS][BLOCKS];     /* 1 where the guess has more copies of it */
  v128_t exact_most[BLOCKS], match_most[BLOCKS];
  v128_t exact_least[MAX_PEGS + 1][BLOCKS];    /* after that many pegs */
  v128_t match_least[MAX_PEGS + 1][BLOCKS];
  v128_t exact_now[MAX_PEGS + 1][BLOCKS], match_now[MAX_PEGS + 1][BLOCKS];
  v128_t partial[BLOCKS], partial_only[BLOCKS];   /* clues of which only y is known */
  i32 any_partial_only;
  i32 probers; /* clues that are compared with complete codes: ORDER, KEEP, SUM */
  Prober prober[MAX_CLUES];
  u8 answer[MAX_CLUES];
  i32 symbol[MAX_PEGS], copies[SYMBOLS];
} Search;

static void set_byte(v128_t *blocks, i32 clue, i32 value) { ((i8 *)blocks)[clue] = (i8)value; }

static void prepare_clue(Search *search, i32 clue, Code guess, i32 answer) {
  i32 pegs = search->rules.pegs, counts[SYMBOLS] = {0}, filled = 0;
  for (i32 peg = 0; peg < pegs; peg++) {
    i32 symbol = code_symbol(guess, peg);
    if (!symbol) continue;
    set_byte(search->exact[peg][symbol], clue, 1);
    set_byte(search->match[symbol][counts[symbol]++], clue, 1);
    filled++;
  }
  i32 exact = answer >> 4, misplaced = answer & 15, total = exact + misplaced;
  i32 exact_known = exact != UNKNOWN_HALF;
  i32 total_known = exact_known && misplaced != UNKNOWN_HALF && !search->rules.exact_only;
  if (!exact_known) {
    set_byte(search->partial, clue, misplaced);
    set_byte(search->partial_only, clue, -1);
    search->any_partial_only = 1;
  }
  set_byte(search->exact_most, clue, exact_known ? exact : 127);
  set_byte(search->match_most, clue, total_known ? total : 127);
  for (i32 peg = 0; peg <= pegs; peg++) {
    set_byte(search->exact_least[peg], clue, exact_known ? exact - filled : -1);
    set_byte(search->match_least[peg], clue, total_known ? total - (pegs - peg) : -1);
    filled -= peg < pegs && code_symbol(guess, peg);
  }
}

/* Places `symbol` on `peg`; 0 if the prefix is inconsistent. */
static inline i32 place(Search *search, i32 peg, i32 symbol) {
  i32 copy = search->copies[symbol];
  if (copy && !search->rules.repeat) return 0;
  for (i32 b = 0; b < search->blocks; b++) {
    v128_t x = wasm_i8x16_add(search->exact_now[peg][b], search->exact[peg][symbol][b]);
    v128_t t = wasm_i8x16_add(search->match_now[peg][b], search->match[symbol][copy][b]);
    v128_t violated = wasm_v128_or(
        wasm_v128_or(wasm_i8x16_gt(x, search->exact_most[b]), wasm_i8x16_gt(t, search->match_most[b])),
        wasm_v128_or(wasm_i8x16_lt(x, search->exact_least[peg + 1][b]),
                     wasm_i8x16_lt(t, search->match_least[peg + 1][b])));
    if (search->any_partial_only && peg + 1 == search->rules.pegs)
      violated = wasm_v128_or(
          violated,
          wasm_v128_and(search->partial_only[b], wasm_i8x16_ne(wasm_i8x16_sub(t, x), search->partial[b])));
    if (wasm_v128_any_true(violated)) return 0;
    search->exact_now[peg + 1][b] = x;
    search->match_now[peg + 1][b] = t;
  }
  search->copies[symbol]++;
  search->symbol[peg] = symbol;
  return 1;
}

typedef struct Results {
  Code *out;
  u64 count;
  i32 room, stop;
  const Prober *asked; /* 0: list the codes */
  u64 *tally;          /* by the answer's byte */
} Results;

/* Without clues: lists the codes that extend a prefix by the last peg; 1 to stop. */
static i32 complete_freely(const Search *search, Code prefix, Results *results) {
  const i32 last = search->rules.pegs - 1;
  for (i32 symbol = 1; symbol <= search->rules.colours; symbol++) {
    if (!search->rules.repeat && search->copies[symbol]) continue;
    if (results->count < (u64)results->room) results->out[results->count] = prefix | code_at(symbol, last);
    if (++results->count == (u64)results->stop) return 1;
  }
  return 0;
}

/* 1 if a code gives the known halves of total_known answers. If only x is known it means exact
 * matches under every feedback, so that "no code begins with 0" can be a clue. */
static i32 has_answers(const Search *search, Code code) {
  for (i32 i = 0; i < search->probers; i++) {
    const Prober *prober = &search->prober[i];
    const i32 exact = search->answer[i] >> 4, partial = search->answer[i] & 15;
    i32 x = 0, total = 0;
    if (partial == UNKNOWN_HALF) {
      for (i32 peg = 0; peg < prober->pegs; peg++)
        x += code_symbol(code, peg) == code_symbol(prober->code, peg);
      if (x != exact) return 0;
      continue;
    }
    code_probe(prober, code, &x, &total);
    if (total - x != partial || (exact != UNKNOWN_HALF && x != exact)) return 0;
  }
  return 1;
}

/* Visits total_known consistent codes that begin with the `depth` symbols placed so far; 1 to stop.
 */
static i32 complete(Search *search, i32 depth, Code prefix, Results *results) {
  i32 pegs = search->rules.pegs;
  if (depth == pegs - 1 && !search->blocks && !search->probers && !results->asked)
    return complete_freely(search, prefix, results);
  if (depth == pegs) {
    if (!has_answers(search, prefix)) return 0;
    if (results->count < (u64)results->room) results->out[results->count] = prefix;
    if (results->asked) {
      i32 exact, total;
      code_probe(results->asked, prefix, &exact, &total);
      results->tally[exact << 4 | (total - exact)]++;
    }
    return ++results->count == (u64)results->stop;
  }
  for (i32 symbol = 1; symbol <= search->rules.colours; symbol++) {
    if (!place(search, depth, symbol)) continue;
    i32 stop = complete(search, depth + 1, prefix | code_at(symbol, depth), results);
    search->copies[symbol]--;
    if (stop) return 1;
  }
  return 0;
}

/* Visits the consistent codes of the prefix with number `rank`; 1 to stop. */
static i32 complete_prefix(Search *search, i32 depth, i32 rank, Results *results) {
  i32 symbols[MAX_PEGS], placed = 0, stop = 0;
  Code prefix = 0;
  for (i32 peg = depth - 1; peg >= 0; peg--) {
    symbols[peg] = rank % search->rules.colours + 1;
    rank /= search->rules.colours;
    prefix |= code_at(symbols[peg], peg);
  }
  while (placed < depth && place(search, placed, symbols[placed])) placed++;
  if (placed == depth) stop = complete(search, depth, prefix, results);
  while (placed > 0) search->copies[symbols[--placed]]--;
  return stop;
}

/* Initialises the search with the clues; OK or BAD. */
static i32 prepare(Search *search, i32 packed, const Code *guesses, const u8 *answers, i32 clues, i32 depth,
                   i32 from, i32 to) {
  memset(search, 0, sizeof *search);
  if (!code_read_rules(packed, &search->rules) || clues < 0 || clues > MAX_CLUES) return BAD;
  if (depth < 0 || depth >= search->rules.pegs) return BAD;
  i64 prefixes = 1;
  for (i32 i = 0; i < depth; i++) prefixes *= search->rules.colours;
  if (from < 0 || from > to || to > prefixes) return BAD;
  if (!code_all_legal(&search->rules, guesses, clues, 1)) return BAD;
  if (search->rules.feedback > EXACT) {
    for (i32 clue = 0; clue < clues; clue++) {
      search->prober[clue] = code_prober(&search->rules, guesses[clue]);
      search->answer[clue] = answers[clue];
    }
    search->probers = clues;
    return OK;
  }
  search->blocks = (clues + 15) / 16;
  for (i32 b = 0; b < search->blocks; b++) { /* unused bytes accept everything */
    search->exact_most[b] = search->match_most[b] = wasm_i8x16_splat(127);
    for (i32 peg = 0; peg <= search->rules.pegs; peg++)
      search->exact_least[peg][b] = search->match_least[peg][b] = wasm_i8x16_splat(-1);
  }
  for (i32 clue = 0; clue < clues; clue++) prepare_clue(search, clue, guesses[clue], answers[clue]);
  return OK;
}

static Search the_search; /* 21 KB, too large for the stack; cleared by every call */

EXPORT(i32, code_secrets)(i32 packed, const Code *guesses, const u8 *answers, i32 clues, i32 depth, i32 from,
                          i32 to, Code *out, i32 room, i32 stop, u64 *total) {
  if (prepare(&the_search, packed, guesses, answers, clues, depth, from, to) != OK) return BAD;
  if (!total || room < 0 || stop < 0) return BAD;
  Results results = {out, 0, room, stop, 0, 0};
  for (i32 rank = from; rank < to; rank++)
    if (complete_prefix(&the_search, depth, rank, &results)) break;
  *total += results.count;
  return results.count < (u64)room ? (i32)results.count : room;
}

EXPORT(i32, code_secret_answers)(i32 packed, const Code *guesses, const u8 *answers, i32 clues, i32 depth,
                                 i32 from, i32 to, const Code *asked, u64 *tally) {
  if (prepare(&the_search, packed, guesses, answers, clues, depth, from, to) != OK) return BAD;
  if (!asked || !tally || !code_is_legal(&the_search.rules, *asked, 1)) return BAD;
  Prober prober = code_prober(&the_search.rules, *asked);
  Results results = {0, 0, 0, 0, &prober, tally};
  for (i32 rank = from; rank < to; rank++) complete_prefix(&the_search, depth, rank, &results);
  return OK;
}
