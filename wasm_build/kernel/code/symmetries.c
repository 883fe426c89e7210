/* Symmetries: permutations of pegs with permutations of colours. Generators of the stabiliser of
 * the earlier guesses, or of a set of secrets; and the filter that keeps the least guess of each
 * orbit.
 *
 * Generators: a strong generating set (Sims 1970), bottom up. For every point, the last one first,
 * a symmetry is searched that fixes all points before it and maps it out of its orbit under the
 * generators found so far; about a dozen in all.
 *   guesses: the points are pegs; colours that a guess shows have forced images.
 *   secrets: first with all pegs fixed and colours as points, then with pegs as points;
 *   backtracking with invariants: how often a colour occurs on each peg, and with another colour.
 * Exponential in the worst case: above a number of images TOO_LARGE.
 *
 * Filter: all peg permutations that can fix the guesses so far, each with the colour images that
 * they force. A guess is kept if no permutation maps it to a smaller one. Cost: O(permutations
 * pegs) a guess; at most MAX_FILTERED permutations are kept.
 */
#include "code.h"

static void identity(Symmetry *out) {
  for (i32 i = 0; i < MAX_PEGS; i++) out->pegs[i] = (u8)i;
  for (i32 c = 0; c < SYMBOLS; c++) out->symbols[c] = (u8)c;
}

Code code_permuted(const Rules *rules, const Symmetry *symmetry, Code code) {
  Code image = 0;
  for (i32 p = 0; p < rules->pegs; p++)
    image |= code_at(symmetry->symbols[code_symbol(code, p)], symmetry->pegs[p]);
  return image;
}

Code code_permuted_back(const Rules *rules, const Symmetry *symmetry, Code code) {
  u8 back[SYMBOLS];
  Code image = 0;
  for (i32 s = 0; s < SYMBOLS; s++) back[symmetry->symbols[s]] = (u8)s;
  for (i32 p = 0; p < rules->pegs; p++) image |= code_at(back[code_symbol(code, symmetry->pegs[p])], p);
  return image;
}

/* The orbit of a set of pegs (or of symbols) under some symmetries. */
static u32 orbit_of(u32 orbit, const Symmetry *generators, i32 count, i32 of_symbols) {
  for (u32 before = 0; before != orbit;) {
    before = orbit;
    for (i32 i = 0; i < count; i++)
      for (i32 x = 0; x < (of_symbols ? SYMBOLS : MAX_PEGS); x++)
        if (orbit >> x & 1) orbit |= 1u << (of_symbols ? generators[i].symbols[x] : generators[i].pegs[x]);
  }
  return orbit;
}

/* ---- the stabiliser of guesses ----------------------------------------------------------- */

typedef struct GuessSearch { /* a partial symmetry */
  Rules rules;
  const Code *guesses;
  i32 count;
  u8 pegs[MAX_PEGS];
  u8 symbols[SYMBOLS]; /* 255: free */
  u32 images;          /* of the symbols that are mapped */
} GuessSearch;

/* Maps peg `from` to `to`; 0 if some guess would have to map a symbol to two images. */
static i32 map_peg(GuessSearch *s, i32 from, i32 to) {
  s->pegs[from] = (u8)to;
  for (i32 i = 0; i < s->count; i++) {
    i32 a = code_symbol(s->guesses[i], from), b = code_symbol(s->guesses[i], to);
    if (s->symbols[a] == 255) {
      if (s->images >> b & 1) return 0;
      s->symbols[a] = (u8)b;
      s->images |= 1u << b;
    } else if (s->symbols[a] != b) {
      return 0;
    }
  }
  return 1;
}

/* Maps the pegs from `peg` on to the free ones; 0 if that is impossible. */
static i32 extend(GuessSearch *s, i32 peg, u32 free) {
  if (peg == s->rules.pegs) return 1;
  for (i32 to = 0; to < s->rules.pegs; to++) {
    if (!(free >> to & 1)) continue;
    GuessSearch saved = *s;
    if (map_peg(s, peg, to) && extend(s, peg + 1, free & ~(1u << to))) return 1;
    *s = saved;
  }
  return 0;
}

/* Finds a symmetry that fixes pegs 0 … peg-1 and maps `peg` to `to`; 0 if there is none. */
static i32 find_symmetry(const GuessSearch *start, i32 peg, i32 to, Symmetry *out) {
  GuessSearch s = *start;
  u32 free = (1u << s.rules.pegs) - 1;
  for (i32 i = 0; i < peg; i++) {
    if (!map_peg(&s, i, i)) return 0;
    free &= ~(1u << i);
  }
  if (!map_peg(&s, peg, to) || !extend(&s, peg + 1, free & ~(1u << to))) return 0;
  memcpy(out->pegs, s.pegs, sizeof out->pegs);
  for (i32 c = 0; c < SYMBOLS; c++) out->symbols[c] = s.symbols[c] == 255 ? (u8)c : s.symbols[c];
  return 1;
}

/* Generates all permutations of the free colours, which no guess shows: a transposition, a cycle.
 */
static i32 permute_free(u32 free, Symmetry *out) {
  i32 colours[MAX_COLOURS], many = 0, made = 0;
  for (i32 c = 1; c < SYMBOLS; c++)
    if (free >> c & 1) colours[many++] = c;
  if (many < 2) return 0;
  identity(&out[made]);
  out[made].symbols[colours[0]] = (u8)colours[1];
  out[made++].symbols[colours[1]] = (u8)colours[0];
  if (many == 2) return made;
  identity(&out[made]);
  for (i32 i = 0; i < many; i++) out[made].symbols[colours[i]] = (u8)colours[(i + 1) % many];
  return made + 1;
}

EXPORT(i32, code_symmetries)(i32 packed, const Code *guesses, i32 count, Symmetry *out) {
  GuessSearch start = {.guesses = guesses, .count = count};
  if (!code_read_rules(packed, &start.rules) || count < 0 || count > MAX_CLUES || !out) return BAD;
  memset(start.symbols, 255, sizeof start.symbols);
  start.symbols[0] = 0;
  start.images = 1;
  identity(&out[0]);
  for (i32 i = 0; i < MAX_PEGS; i++) start.pegs[i] = (u8)i;
  u32 shown = 0;
  for (i32 i = 0; i < count; i++) {
    if (!code_is_legal(&start.rules, guesses[i], 1)) return BAD;
    for (i32 p = 0; p < start.rules.pegs; p++) shown |= 1u << code_symbol(guesses[i], p);
  }
  i32 made = permute_free(((2u << start.rules.colours) - 2) & ~shown, out);
  for (i32 peg = start.rules.pegs - 2; peg >= 0; peg--) {
    u32 orbit = orbit_of(1u << peg, out, made, 0);
    for (i32 to = peg + 1; to < start.rules.pegs; to++)
      if (!(orbit >> to & 1) && find_symmetry(&start, peg, to, &out[made])) {
        made++;
        orbit = orbit_of(orbit, out, made, 0);
      }
  }
  return made;
}

/* ---- the stabiliser of a set of secrets --------------------------------------------------- */

typedef struct SetSearch {
  Rules rules;
  const Code *secrets;
  i32 n;
  i64 work, limit;                /* images */
  u32 present;                    /* colours that occur, bit symbol */
  i32 at[SYMBOLS][MAX_PEGS];      /* secrets with that colour on that peg */
  i32 sorted[MAX_PEGS][SYMBOLS];  /* the numbers of a peg, ascending: equal for peg and image */
  i32 together[SYMBOLS][SYMBOLS]; /* secrets with both colours (on the diagonal: with that one) */
  Symmetry now;                   /* the partial symmetry */
} SetSearch;

static void count_occurrences(SetSearch *s) {
  i32 pegs = s->rules.pegs;
  for (i32 i = 0; i < s->n; i++) {
    u32 shown = 0;
    for (i32 peg = 0; peg < pegs; peg++) {
      i32 symbol = code_symbol(s->secrets[i], peg);
      s->at[symbol][peg]++;
      shown |= 1u << symbol;
    }
    s->present |= shown;
    for (i32 a = 1; a < SYMBOLS; a++)
      for (i32 b = 1; b < SYMBOLS && (shown >> a & 1); b++) s->together[a][b] += (i32)(shown >> b & 1);
  }
  for (i32 peg = 0; peg < pegs; peg++)
    for (i32 c = 0; c < SYMBOLS; c++) {
      i32 value = s->at[c][peg], j = c;
      for (; j > 0 && s->sorted[peg][j - 1] > value; j--) s->sorted[peg][j] = s->sorted[peg][j - 1];
      s->sorted[peg][j] = value;
    }
}

/* 1 if the symmetry maps the set to itself, else 0; -1 at the limit. */
static i32 fixes_set(SetSearch *s) {
  for (i32 i = 0; i < s->n; i++) {
    if (++s->work > s->limit) return -1;
    Code image = code_permuted(&s->rules, &s->now, s->secrets[i]);
    if (!code_contains(s->secrets, s->n, image)) return 0;
  }
  return 1;
}

/* 1 if peg or colour `from` may be mapped to `to`, given the pegs and the colours before it. */
static i32 peg_fits(const SetSearch *s, i32 from, i32 to) {
  return !memcmp(s->sorted[from], s->sorted[to], sizeof s->sorted[0]);
}

static i32 colour_fits(const SetSearch *s, i32 from, i32 to) {
  for (i32 peg = 0; peg < s->rules.pegs; peg++)
    if (s->at[from][peg] != s->at[to][s->now.pegs[peg]]) return 0;
  for (i32 c = 1; c <= from; c++)
    if (s->present >> c & 1) {
      i32 image = c == from ? to : s->now.symbols[c];
      if (s->together[from][c] != s->together[to][image]) return 0;
    }
  return 1;
}

/* Map the colours (the pegs and all colours) from a point on to the free ones; 1 if a symmetry is
 * found, 0 if there is none, -1 at the limit. */
static i32 extend_colours(SetSearch *s, i32 colour, u32 free) {
  while (colour <= s->rules.colours && !(s->present >> colour & 1)) colour++;
  if (colour > s->rules.colours) return fixes_set(s);
  for (i32 to = 1; to <= s->rules.colours; to++) {
    if (!(free >> to & 1)) continue;
    if (++s->work > s->limit) return -1;
    if (!colour_fits(s, colour, to)) continue;
    s->now.symbols[colour] = (u8)to;
    i32 found = extend_colours(s, colour + 1, free & ~(1u << to));
    if (found) return found;
  }
  return 0;
}

static i32 extend_pegs(SetSearch *s, i32 peg, u32 free) {
  if (peg == s->rules.pegs) return extend_colours(s, 1, s->present);
  for (i32 to = 0; to < s->rules.pegs; to++) {
    if (!(free >> to & 1) || !peg_fits(s, peg, to)) continue;
    s->now.pegs[peg] = (u8)to;
    i32 found = extend_pegs(s, peg + 1, free & ~(1u << to));
    if (found) return found;
  }
  return 0;
}

/* Adds the generators with these pegs, or these colours (then pegs are fixed), as points. */
static i32 add_generators(SetSearch *s, u32 points, i32 of_colours, Symmetry *out) {
  i32 made = 0;
  for (i32 point = MAX_COLOURS; point >= 0; point--) {
    if (!(points >> point & 1)) continue;
    u32 orbit = orbit_of(1u << point, out, made, of_colours);
    for (i32 to = point + 1; to <= MAX_COLOURS; to++) {
      if (!((points & ~orbit) >> to & 1)) continue;
      identity(&s->now);
      if (!(of_colours ? colour_fits(s, point, to) : peg_fits(s, point, to))) continue;
      (of_colours ? s->now.symbols : s->now.pegs)[point] = (u8)to;
      u32 free = points & ~((1u << point) - 1) & ~(1u << to);
      i32 found = of_colours ? extend_colours(s, point + 1, free) : extend_pegs(s, point + 1, free);
      if (found < 0) return TOO_LARGE;
      if (!found) continue;
      out[made++] = s->now;
      orbit = orbit_of(orbit, out, made, of_colours);
    }
  }
  return made;
}

EXPORT(i32, code_set_symmetries)(i32 packed, const Code *secrets, i32 n, i32 limit, Symmetry *out) {
  static SetSearch search;
  memset(&search, 0, sizeof search);
  if (!code_read_rules(packed, &search.rules) || !secrets || !out || n < 0) return BAD;
  if (!code_all_legal(&search.rules, secrets, n, 0)) return BAD;
  search.secrets = secrets;
  search.n = n;
  search.limit = limit;
  count_occurrences(&search);
  i32 colours = add_generators(&search, search.present, 1, out);
  if (colours < 0) return colours;
  i32 pegs = add_generators(&search, (1u << search.rules.pegs) - 1, 0, out + colours);
  return pegs < 0 ? pegs : colours + pegs;
}

/* ---- the filter --------------------------------------------------------------------------- */

static void add_permutations(const Rules *rules, SymmetryFilter *filter, u8 *pegs, i32 depth, u32 used) {
  if (filter->count == MAX_FILTERED) return;
  if (depth == rules->pegs) {
    memcpy(filter->pegs[filter->count], pegs, MAX_PEGS);
    memset(filter->symbols[filter->count], 255, SYMBOLS);
    filter->symbols[filter->count++][0] = 0;
    return;
  }
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    if (used >> peg & 1) continue;
    pegs[depth] = (u8)peg;
    add_permutations(rules, filter, pegs, depth + 1, used | 1u << peg);
  }
}

void code_filter_start(const Rules *rules, const Code *guesses, i32 count, SymmetryFilter *filter) {
  u8 pegs[MAX_PEGS] = {0};
  filter->count = 0;
  filter->shown = 1;
  add_permutations(rules, filter, pegs, 0, 0);
  for (i32 i = 0; i < count; i++) code_filter_narrow(rules, filter, guesses[i], filter);
}

void code_filter_narrow(const Rules *rules, const SymmetryFilter *from, Code guess, SymmetryFilter *to) {
  i32 kept = 0;
  u32 shown = from->shown;
  for (i32 peg = 0; peg < rules->pegs; peg++) shown |= 1u << code_symbol(guess, peg);
  for (i32 q = 0; q < from->count; q++) {
    u8 pegs[MAX_PEGS], symbols[SYMBOLS];
    memcpy(pegs, from->pegs[q], sizeof pegs);
    memcpy(symbols, from->symbols[q], sizeof symbols);
    u32 images = 0;
    for (i32 c = 0; c < SYMBOLS; c++)
      if (symbols[c] != 255) images |= 1u << symbols[c];
    i32 fixes = 1;
    for (i32 peg = 0; peg < rules->pegs && fixes; peg++) {
      i32 source = code_symbol(guess, pegs[peg]), image = code_symbol(guess, peg);
      if (symbols[source] == 255) {
        fixes = !(images >> image & 1);
        symbols[source] = (u8)image;
        images |= 1u << image;
      } else {
        fixes = symbols[source] == image;
      }
    }
    if (!fixes) continue;
    memcpy(to->pegs[kept], pegs, sizeof pegs);
    memcpy(to->symbols[kept++], symbols, sizeof symbols);
  }
  to->count = kept;
  to->shown = shown;
}

i32 code_filter_keeps(const Rules *rules, const SymmetryFilter *filter, Code guess) {
  u32 every = (2u << rules->colours) - 1;
  for (i32 q = 0; q < filter->count; q++) {
    const u8 *pegs = filter->pegs[q], *known = filter->symbols[q];
    u32 free = every & ~filter->shown, mapped = 0;
    u8 symbols[SYMBOLS];
    for (i32 peg = 0; peg < rules->pegs; peg++) {
      i32 source = code_symbol(guess, pegs[peg]), here = code_symbol(guess, peg);
      i32 image = known[source];
      if (image == 255) { /* a colour that no guess showed is mapped to the least free one */
        if (mapped >> source & 1) {
          image = symbols[source];
        } else {
          image = __builtin_ctz(free);
          free &= free - 1;
          symbols[source] = (u8)image;
          mapped |= 1u << source;
        }
      }
      if (image < here) return 0;
      if (image > here) break;
    }
  }
  return 1;
}

i32 code_filter_list(const Rules *rules, const SymmetryFilter *filter, const Code *space, const u32 *order,
                     i32 count, u32 *out) {
  i32 kept = 0;
  for (i32 i = 0; i < count; i++)
    if (code_filter_keeps(rules, filter, space[order[i]])) out[kept++] = order[i];
  return kept;
}

i32 code_filter_is_idle(const Rules *rules, const SymmetryFilter *filter) {
  u32 every = (2u << rules->colours) - 1;
  return filter->count == 1 && popcount64(every & ~filter->shown) <= 1;
}
