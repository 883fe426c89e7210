/* Generators of the automorphism group of a set of secrets under peg and colour permutations.
 *
 * For every peg, from the last to the first, one symmetry is sought that fixes the pegs before it
 * and sends it to a place that no symmetry found so far reaches (a strong generating set, Sims
 * 1970); then the same for colours with all pegs fixed. Backtracking, pruned by how often a colour
 * stands on a peg and how often two colours occur together. Exponential in the worst case, so
 * images are limited; else TOO_LARGE.
 */
#include "code.h"

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

static i32 contains(const Census *census, Word word) {
  i32 low = 0, high = census->n;
  while (low < high) {
    i32 middle = (low + high) >> 1;
    if (census->secrets[middle] < word) low = middle + 1;
    else high = middle;
  }
  return low < census->n && census->secrets[low] == word;
}

/* 1 if the symmetry at hand takes the set to itself; -1 at the limit. */
static i32 keeps_set(Census *census) {
  for (i32 i = 0; i < census->n; i++) {
    Word image = 0;
    for (i32 peg = 0; peg < census->rules.pegs; peg++)
      image |= code_at(census->now.symbols[code_symbol(census->secrets[i], peg)],
                       census->now.pegs[peg]);
    if (++census->work > census->limit) return -1;
    if (!contains(census, image)) return 0;
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

static void start_identity(Census *census) {
  for (i32 i = 0; i < MAX_PEGS; i++) census->now.pegs[i] = (u8)i;
  for (i32 c = 0; c < SYMBOLS; c++) census->now.symbols[c] = (u8)c;
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

static i32 colour_symmetries(Census *census, Symmetry *out) {
  i32 made = 0;
  for (i32 colour = census->rules.colours; colour >= 1; colour--) {
    if (!(census->present >> colour & 1)) continue;
    u32 orbit = reach(1u << colour, out, made, 1);
    for (i32 to = colour + 1; to <= census->rules.colours; to++) {
      if (!(census->present >> to & 1) || orbit >> to & 1) continue;
      start_identity(census);
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
      start_identity(census);
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
