/* Symmetries: permutations of pegs and colours that keep the guesses of the clues, a set of secrets,
 * or, narrowed guess by guess in a search, the guesses so far.
 *
 * Generators: for every peg, from the last to the first, one symmetry is sought that fixes the pegs
 * before it and sends it to a place that no symmetry found so far reaches (a strong generating set,
 * Sims 1970), about a dozen in all. Of guesses: what becomes of a colour is forced where a guess
 * shows it. Of a set of secrets: the same for colours with all pegs fixed; backtracking, pruned by
 * how often a colour stands on a peg and how often two colours occur together. Exponential in the
 * worst case, so images are limited; else TOO_LARGE.
 *
 * The filter of a search keeps all peg permutations, each with the colour map that earlier guesses
 * force, and decides whether a guess is the least of its class. Cost: O(permutations pegs) a guess; at
 * most MOST_MOVES permutations are kept.
 */
#include "code.h"

static void identity(Symmetry *out) {
  for (i32 i = 0; i < MAX_PEGS; i++) out->pegs[i] = (u8)i;
  for (i32 c = 0; c < SYMBOLS; c++) out->symbols[c] = (u8)c;
}

/* What the symmetries made so far reach from a peg (or a colour). */
static u32 reach(u32 orbit, const Symmetry *made, i32 count, i32 colours) {
  for (u32 before = 0; before != orbit;) {
    before = orbit;
    for (i32 i = 0; i < count; i++)
      for (i32 x = 0; x < (colours ? SYMBOLS : MAX_PEGS); x++)
        if (orbit >> x & 1) orbit |= 1u << (colours ? made[i].symbols[x] : made[i].pegs[x]);
  }
  return orbit;
}

/* ---- that keep guesses ------------------------------------------------------------------------- */

typedef struct Stabiliser {
  Rules rules;
  const Word *guesses;
  i32 count;
  u8 pegs[MAX_PEGS];
  u8 symbols[SYMBOLS]; /* 255: not decided */
  u32 taken;           /* symbols that are images already */
} Stabiliser;

/* Send peg `from` to `to`: every guess must show there what its symbol becomes. */
static i32 send(Stabiliser *s, i32 from, i32 to) {
  s->pegs[from] = (u8)to;
  for (i32 i = 0; i < s->count; i++) {
    i32 a = code_symbol(s->guesses[i], from), b = code_symbol(s->guesses[i], to);
    if (s->symbols[a] == 255) {
      if (s->taken >> b & 1) return 0;
      s->symbols[a] = (u8)b;
      s->taken |= 1u << b;
    } else if (s->symbols[a] != b) {
      return 0;
    }
  }
  return 1;
}

/* Extend to all pegs from `peg` on; free[]: pegs not yet images. */
static i32 extend(Stabiliser *s, i32 peg, u32 free) {
  if (peg == s->rules.pegs) return 1;
  for (i32 to = 0; to < s->rules.pegs; to++) {
    if (!(free >> to & 1)) continue;
    Stabiliser saved = *s;
    if (send(s, peg, to) && extend(s, peg + 1, free & ~(1u << to))) return 1;
    *s = saved;
  }
  return 0;
}

/* A symmetry that keeps pegs 0 … peg-1 and sends `peg` to `to`, if there is one. */
static i32 find_symmetry(const Stabiliser *start, i32 peg, i32 to, Symmetry *out) {
  Stabiliser s = *start;
  u32 free = (1u << s.rules.pegs) - 1;
  for (i32 i = 0; i < peg; i++) {
    if (!send(&s, i, i)) return 0;
    free &= ~(1u << i);
  }
  if (!send(&s, peg, to) || !extend(&s, peg + 1, free & ~(1u << to))) return 0;
  memcpy(out->pegs, s.pegs, sizeof out->pegs);
  for (i32 c = 0; c < SYMBOLS; c++) out->symbols[c] = s.symbols[c] == 255 ? (u8)c : s.symbols[c];
  return 1;
}

/* The colours that no guess shows may change places: a swap and a cycle give them all. */
static i32 free_colours(u32 free, Symmetry *out) {
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

EXPORT(i32, code_symmetries)(i32 packed, const Word *guesses, i32 count, Symmetry *out) {
  Stabiliser start = {.guesses = guesses, .count = count};
  if (!code_read_rules(packed, &start.rules) || count < 0 || count > MAX_CLUES || !out) return BAD;
  memset(start.symbols, 255, sizeof start.symbols);
  start.symbols[0] = 0;
  start.taken = 1;
  identity(&out[0]);
  for (i32 i = 0; i < MAX_PEGS; i++) start.pegs[i] = (u8)i;
  u32 shown = 0;
  for (i32 i = 0; i < count; i++) {
    if (!code_is_legal(&start.rules, guesses[i], 1)) return BAD;
    for (i32 p = 0; p < start.rules.pegs; p++) shown |= 1u << code_symbol(guesses[i], p);
  }
  i32 made = free_colours(((2u << start.rules.colours) - 2) & ~shown, out);
  /* Bottom up: a generator for each peg that the deeper ones and those of this level miss. */
  for (i32 peg = start.rules.pegs - 2; peg >= 0; peg--) {
    u32 orbit = reach(1u << peg, out, made, 0);
    for (i32 to = peg + 1; to < start.rules.pegs; to++)
      if (!(orbit >> to & 1) && find_symmetry(&start, peg, to, &out[made])) {
        made++;
        orbit = reach(orbit, out, made, 0);
      }
  }
  return made;
}

/* ---- that keep a set of secrets ---------------------------------------------------------------- */

typedef struct Census {
  Rules rules;
  const Word *secrets;
  i32 n;
  i64 work, limit;
  u32 present;                        /* colours that occur, bit symbol */
  i32 at[SYMBOLS][MAX_PEGS];          /* secrets with that colour on that peg */
  i32 sorted[MAX_PEGS][SYMBOLS];      /* the numbers of a peg, in order: must fit its image */
  i32 together[SYMBOLS][SYMBOLS];     /* secrets with both colours (the diagonal: with it) */
  Symmetry now;
} Census;

static void take_census(Census *census) {
  i32 pegs = census->rules.pegs;
  for (i32 i = 0; i < census->n; i++) {
    u32 shown = 0;
    for (i32 peg = 0; peg < pegs; peg++) {
      i32 symbol = code_symbol(census->secrets[i], peg);
      census->at[symbol][peg]++;
      shown |= 1u << symbol;
    }
    census->present |= shown;
    for (i32 a = 1; a < SYMBOLS; a++)
      for (i32 b = 1; b < SYMBOLS && (shown >> a & 1); b++)
        census->together[a][b] += (i32)(shown >> b & 1);
  }
  for (i32 peg = 0; peg < pegs; peg++)
    for (i32 c = 0; c < SYMBOLS; c++) {
      i32 value = census->at[c][peg], j = c;
      for (; j > 0 && census->sorted[peg][j - 1] > value; j--)
        census->sorted[peg][j] = census->sorted[peg][j - 1];
      census->sorted[peg][j] = value;
    }
}

/* 1 if the symmetry at hand takes the set to itself; -1 at the limit. */
static i32 keeps_set(Census *census) {
  for (i32 i = 0; i < census->n; i++) {
    Word image = 0;
    for (i32 peg = 0; peg < census->rules.pegs; peg++)
      image |= code_at(census->now.symbols[code_symbol(census->secrets[i], peg)],
                       census->now.pegs[peg]);
    if (++census->work > census->limit) return -1;
    if (!code_contains(census->secrets, census->n, image)) return 0;
  }
  return 1;
}

/* May colour `from` become `to`, given the pegs and the colours before it? */
static i32 colour_fits(const Census *census, i32 from, i32 to) {
  for (i32 peg = 0; peg < census->rules.pegs; peg++)
    if (census->at[from][peg] != census->at[to][census->now.pegs[peg]]) return 0;
  for (i32 c = 1; c <= from; c++)
    if (census->present >> c & 1) {
      i32 image = c == from ? to : census->now.symbols[c];
      if (census->together[from][c] != census->together[to][image]) return 0;
    }
  return 1;
}

/* Decide the colours from `colour` on; 1 found, 0 none, -1 at the limit. */
static i32 extend_colours(Census *census, i32 colour, u32 open) {
  while (colour <= census->rules.colours && !(census->present >> colour & 1)) colour++;
  if (colour > census->rules.colours) return keeps_set(census);
  for (i32 to = 1; to <= census->rules.colours; to++) {
    if (!(open >> to & 1)) continue;
    if (++census->work > census->limit) return -1;
    if (!colour_fits(census, colour, to)) continue;
    census->now.symbols[colour] = (u8)to;
    i32 found = extend_colours(census, colour + 1, open & ~(1u << to));
    if (found) return found;
  }
  return 0;
}

static i32 extend_pegs(Census *census, i32 peg, u32 open) {
  if (peg == census->rules.pegs) return extend_colours(census, 1, census->present);
  for (i32 to = 0; to < census->rules.pegs; to++) {
    if (!(open >> to & 1)) continue;
    if (memcmp(census->sorted[peg], census->sorted[to], sizeof census->sorted[0])) continue;
    census->now.pegs[peg] = (u8)to;
    i32 found = extend_pegs(census, peg + 1, open & ~(1u << to));
    if (found) return found;
  }
  return 0;
}

static i32 colour_symmetries(Census *census, Symmetry *out) {
  i32 made = 0;
  for (i32 colour = census->rules.colours; colour >= 1; colour--) {
    if (!(census->present >> colour & 1)) continue;
    u32 orbit = reach(1u << colour, out, made, 1);
    for (i32 to = colour + 1; to <= census->rules.colours; to++) {
      if (!(census->present >> to & 1) || orbit >> to & 1) continue;
      identity(&census->now);
      if (!colour_fits(census, colour, to)) continue;
      census->now.symbols[colour] = (u8)to;
      u32 before = (1u << colour) - 1; /* these keep their colour */
      i32 found = extend_colours(census, colour + 1, census->present & ~before & ~(1u << to));
      if (found < 0) return TOO_LARGE;
      if (!found) continue;
      out[made++] = census->now;
      orbit = reach(orbit, out, made, 1);
    }
  }
  return made;
}

static i32 peg_symmetries(Census *census, Symmetry *out) {
  i32 made = 0, pegs = census->rules.pegs;
  for (i32 peg = pegs - 2; peg >= 0; peg--) {
    u32 orbit = reach(1u << peg, out, made, 0);
    for (i32 to = peg + 1; to < pegs; to++) {
      if (orbit >> to & 1) continue;
      identity(&census->now);
      if (memcmp(census->sorted[peg], census->sorted[to], sizeof census->sorted[0])) continue;
      census->now.pegs[peg] = (u8)to;
      u32 open = ((1u << pegs) - 1) & ~((1u << peg) - 1) & ~(1u << to);
      i32 found = extend_pegs(census, peg + 1, open);
      if (found < 0) return TOO_LARGE;
      if (!found) continue;
      out[made++] = census->now;
      orbit = reach(orbit, out, made, 0);
    }
  }
  return made;
}

EXPORT(i32, code_set_symmetries)(i32 packed, const Word *secrets, i32 n, i32 limit,
                                 Symmetry *out) {
  static Census census;
  memset(&census, 0, sizeof census);
  if (!code_read_rules(packed, &census.rules) || !secrets || !out || n < 0) return BAD;
  for (i32 i = 0; i < n; i++)
    if (!code_is_legal(&census.rules, secrets[i], 0)) return BAD;
  census.secrets = secrets;
  census.n = n;
  census.limit = limit;
  take_census(&census);
  i32 colours = colour_symmetries(&census, out);
  if (colours < 0) return colours;
  i32 pegs = peg_symmetries(&census, out + colours);
  return pegs < 0 ? pegs : colours + pegs;
}

/* ---- the filter of a search -------------------------------------------------------------------- */

static void add_moves(const Rules *rules, Filtering *filtering, u8 *pegs, i32 depth, u32 used) {
  if (filtering->count == MOST_MOVES) return;
  if (depth == rules->pegs) {
    memcpy(filtering->pegs[filtering->count], pegs, MAX_PEGS);
    memset(filtering->symbols[filtering->count], 255, SYMBOLS);
    filtering->symbols[filtering->count++][0] = 0;
    return;
  }
  for (i32 peg = 0; peg < rules->pegs; peg++) {
    if (used >> peg & 1) continue;
    pegs[depth] = (u8)peg;
    add_moves(rules, filtering, pegs, depth + 1, used | 1u << peg);
  }
}

void code_filter_start(const Rules *rules, Filtering *filtering) {
  u8 pegs[MAX_PEGS] = {0};
  filtering->count = 0;
  filtering->shown = 1;
  add_moves(rules, filtering, pegs, 0, 0);
}

void code_filter_narrow(const Rules *rules, const Filtering *from, Word guess, Filtering *to) {
  i32 kept = 0;
  u32 shown = from->shown;
  for (i32 peg = 0; peg < rules->pegs; peg++) shown |= 1u << code_symbol(guess, peg);
  for (i32 q = 0; q < from->count; q++) {
    u8 pegs[MAX_PEGS], symbols[SYMBOLS];
    memcpy(pegs, from->pegs[q], sizeof pegs);
    memcpy(symbols, from->symbols[q], sizeof symbols);
    u32 taken = 0;
    for (i32 c = 0; c < SYMBOLS; c++)
      if (symbols[c] != 255) taken |= 1u << symbols[c];
    i32 keeps = 1;
    for (i32 peg = 0; peg < rules->pegs && keeps; peg++) {
      i32 source = code_symbol(guess, pegs[peg]), image = code_symbol(guess, peg);
      if (symbols[source] == 255) {
        keeps = !(taken >> image & 1);
        symbols[source] = (u8)image;
        taken |= 1u << image;
      } else {
        keeps = symbols[source] == image;
      }
    }
    if (!keeps) continue;
    memcpy(to->pegs[kept], pegs, sizeof pegs);
    memcpy(to->symbols[kept++], symbols, sizeof symbols);
  }
  to->count = kept;
  to->shown = shown;
}

i32 code_filter_keeps(const Rules *rules, const Filtering *filtering, Word guess) {
  u32 every = (2u << rules->colours) - 1;
  for (i32 q = 0; q < filtering->count; q++) {
    const u8 *pegs = filtering->pegs[q], *known = filtering->symbols[q];
    u32 open = every & ~filtering->shown, fresh = 0;
    u8 symbols[SYMBOLS];
    for (i32 peg = 0; peg < rules->pegs; peg++) {
      i32 source = code_symbol(guess, pegs[peg]), here = code_symbol(guess, peg);
      i32 image = known[source];
      if (image == 255) { /* a colour no one showed yet becomes the least one that is open */
        if (fresh >> source & 1) {
          image = symbols[source];
        } else {
          image = __builtin_ctz(open);
          open &= open - 1;
          symbols[source] = (u8)image;
          fresh |= 1u << source;
        }
      }
      if (image < here) return 0;
      if (image > here) break;
    }
  }
  return 1;
}

i32 code_filter_is_idle(const Rules *rules, const Filtering *filtering) {
  u32 every = (2u << rules->colours) - 1;
  return filtering->count == 1 && popcount64(every & ~filtering->shown) <= 1;
}
