/* Root of the optimal-strategy search (engine/optimal.py): canonical guesses under the symmetries
 * of the clues, lower bounds of their totals from complete trees, and from a look-ahead of one
 * guess.
 *
 * Look-ahead: the total of a cell is at least its size plus, for the best next guess, the
 * totals of complete trees of that guess's cells. Largest cells first, until the bound reaches the
 * cutoff.
 * Cost: O(guesses secrets / 64) for each cell of a root guess.
 */
#include "solver.h"

EXPORT(i32, code_canonical)(i32 packed, const Code *space, i32 count, const Code *clues, i32 clue_count,
                            const Code *secrets, i32 n, i32 consistent_only, u32 *out) {
  static SymmetryFilter filter;
  Rules rules;
  if (!code_read_rules(packed, &rules) || !space || !secrets || !out || count < 0) return BAD;
  if (clue_count < 0 || clue_count > MAX_CLUES || n < 0) return BAD;
  if (!code_all_fit(&rules, space, count) || !code_all_fit(&rules, clues, clue_count)) return BAD;
  code_filter_start(&rules, clues, clue_count, &filter);
  u32 excluded = code_excluded(&rules, secrets, n);
  i32 kept = 0, next = 0;
  for (i32 g = 0; g < count; g++) {
    i32 secret = next < n && secrets[next] == space[g];
    next += secret;
    if (consistent_only && !secret) continue;
    if (!code_is_least_excluded(&rules, space[g], excluded)) continue;
    if (code_filter_keeps(&rules, &filter, space[g])) out[kept++] = (u32)g;
  }
  return kept;
}

EXPORT(i32, code_bounds)(i32 packed, const Code *secrets, i32 n, const Code *space, const u32 *guesses,
                         i32 count, i32 depth, u64 *planes, u64 *columns, i32 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !secrets || !guesses || n < 1 || count < 0) return BAD;
  if (!space || !planes || !columns || !out || depth < 1 || depth > UNLIMITED) return BAD;
  u32 guess_count = (u32)max32(0, code_guesses(packed));
  for (i32 i = 0; i < count; i++)
    if (guesses[i] >= guess_count || !code_fits(&rules, space[guesses[i]])) return BAD;
  if (code_fill_planes(&rules, secrets, n, planes, 0, code_columns(n)) < 0) return BAD;
  Tally tally;
  code_tally_start(&tally, &rules, planes, n, columns);
  i32 win = tally.cells - 1;
  for (i32 i = 0; i < count; i++) {
    u32 sizes[MAX_CELLS], largest = 0;
    i64 bound = n, squares = 0;
    code_tally_guess(&tally, space[guesses[i]], sizes);
    for (i32 c = 0; c < win; c++) {
      if (!sizes[c]) continue;
      bound += perfect_total((i32)sizes[c], after(depth), win);
      squares += (i64)sizes[c] * sizes[c];
      largest = sizes[c] > largest ? sizes[c] : largest;
    }
    out[2 * i] = (i32)largest == n || bound >= NEVER ? NEVER : (i32)bound;
    out[2 * i + 1] = squares > 0x7fffffff ? 0x7fffffff : (i32)squares;
  }
  return count;
}

EXPORT(i32, code_part)(i32 packed, const Code *guess, const Code *secrets, i32 n, Code *out, u32 *starts) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !guess || !secrets || !out || !starts) return BAD;
  if (!code_is_legal(&rules, *guess, 1) || n < 0) return BAD;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 cells = code_cells_of(&rules, number);
  Prober prober = code_prober(&rules, *guess);
  memset(starts, 0, sizeof(u32) * (MAX_CELLS + 1));
  for (i32 i = 0; i < n; i++) {
    if (!code_is_legal(&rules, secrets[i], 0)) return BAD;
    starts[code_cell(&prober, secrets[i], number) + 1]++;
  }
  for (i32 c = 0; c < cells; c++) starts[c + 1] += starts[c];
  u32 at[MAX_CELLS];
  memcpy(at, starts, sizeof at);
  for (i32 i = 0; i < n; i++) out[at[code_cell(&prober, secrets[i], number)]++] = secrets[i];
  return cells;
}

EXPORT(i32, code_weighted_bounds)(i32 packed, const Code *secrets, const i64 *weights, i32 n,
                                  const Code *guesses, i32 count, i64 *out) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !secrets || !weights || !guesses || !out) return BAD;
  if (n < 1 || n > MOST_GUESSES || count < 0 || !code_all_fit(&rules, secrets, n)) return BAD;
  i64 all = 0;
  for (i32 i = 0; i < n; i++) {
    if (weights[i] < 0 || weights[i] > MOST_WEIGHT) return BAD;
    if (i && weights[i] > weights[i - 1]) return BAD;
    all += weights[i];
  }
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 win = code_cells_of(&rules, number) - 1;
  for (i32 g = 0; g < count; g++) {
    if (!code_is_legal(&rules, guesses[g], 1)) return BAD;
    Prober prober = code_prober(&rules, guesses[g]);
    i32 size[MAX_CELLS] = {0}, level[MAX_CELLS] = {0}, room[MAX_CELLS] = {0}, one = -1;
    i64 bound = all;
    for (i32 i = 0; i < n; i++) {
      i32 c = code_cell(&prober, secrets[i], number);
      one = i == 0 || one == c ? c : -1;
      if (c == win) continue;
      if (size[c] == room[c]) { /* the next level: K nodes for each node of this one */
        level[c]++;
        room[c] = room[c] ? room[c] * win + 1 : 1;
      }
      size[c]++;
      bound += weights[i] * level[c];
    }
    out[g] = one < 0 || one == win ? bound : -1;
  }
  return count;
}

EXPORT(i32, code_tells_all)(i32 packed, const Code *secrets, i32 n) {
  Rules rules;
  if (!code_read_rules(packed, &rules) || !secrets || n < 0) return BAD;
  if (!code_all_fit(&rules, secrets, n)) return BAD;
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  if (n > code_cells_of(&rules, number)) return 0;
  return code_separating(&rules, number, secrets, n) + 1;
}

typedef struct LookAhead {
  u32 *order;     /* all guesses, those of equal colours together */
  u32 *list;      /* those that the symmetry filter keeps, in that order */
  u64 *multisets; /* of each guess */
  u32 *least;     /* [n]: totals of complete trees */
  Code *sorted;
  u64 *planes, *columns;
} LookAhead;

static size_t look_layout(const Rules *rules, u8 *memory, i32 count, i32 n, LookAhead *look) {
  size_t wide = (size_t)code_columns(n), rows = (size_t)code_plane_rows(rules);
  size_t many = ((size_t)count + 3) & ~(size_t)3;
  look->multisets = (u64 *)memory;
  look->order = (u32 *)(look->multisets + many);
  look->list = look->order + many;
  look->least = look->list + many;
  look->sorted = (Code *)(look->least + (((size_t)n + 4) & ~(size_t)3));
  look->planes = look->sorted + n;
  look->columns = look->planes + rows * wide;
  return (size_t)((u8 *)(look->columns + (size_t)rules->pegs * wide) - memory);
}

EXPORT(i32, code_look_bytes)(i32 packed, i32 count, i32 n) {
  Rules rules;
  LookAhead look;
  if (!code_read_rules(packed, &rules) || count < 0 || n < 0) return BAD;
  if (count > MOST_GUESSES || n > MOST_GUESSES) return TOO_LARGE;
  return (i32)max32((i32)look_layout(&rules, 0, count, n, &look), 4 * 65537 + 8 * count);
}

/* The least bound of a set over the listed guesses (or, consistent only, over its members); ends
 * early at `enough`, which is a lower bound already. */
static i32 look_ahead(const Rules *rules, const LookAhead *look, i32 listed, const Code *space,
                      const Code *secrets, i32 n, const u32 *least, i32 enough, i32 consistent_only) {
  u32 excluded = code_excluded(rules, secrets, n), sizes[MAX_CELLS];
  code_fill_planes(rules, secrets, n, look->planes, 0, code_columns(n));
  Tally tally;
  code_tally_start(&tally, rules, look->planes, n, look->columns);
  i32 best = NEVER, win = tally.cells - 1;
  for (i32 i = 0; i < (consistent_only ? n : listed) && best > enough; i++) {
    if (consistent_only) {
      code_tally_guess(&tally, secrets[i], sizes);
    } else {
      Code guess = space[look->list[i]];
      if (excluded && !code_is_least_excluded(rules, guess, excluded)) continue;
      code_tally_grouped(&tally, guess, look->multisets[look->list[i]], sizes);
    }
    u32 bound = (u32)n, largest = 0;
    for (i32 c = 0; c < win; c++) {
      bound += least[sizes[c]];
      largest = sizes[c] > largest ? sizes[c] : largest;
    }
    if ((i32)largest < n && (i32)bound < best) best = (i32)bound;
  }
  return best;
}

EXPORT(i32, code_look)(i32 packed, const Code *space, i32 count, const Code *clues, i32 clue_count,
                       const Code *secrets, i32 n, const u32 *guesses, i32 from, i32 to, i32 depth, i32 limit,
                       i32 consistent_only, u8 *scratch, i32 *totals) {
  static SymmetryFilter before, with;
  Rules rules;
  LookAhead look;
  if (!code_read_rules(packed, &rules) || !space || !secrets || !guesses || !scratch || !totals) return BAD;
  if (clue_count < 0 || clue_count > MAX_CLUES || n < 1 || from < 0 || from > to) return BAD;
  if (count < 0 || count > MOST_GUESSES || depth < 1 || depth > UNLIMITED) return BAD;
  if (((uintptr_t)scratch & 15) || !code_all_fit(&rules, space, count)) return BAD;
  if (!code_all_fit(&rules, clues, clue_count)) return BAD;
  if (!code_all_legal(&rules, secrets, n, 0)) return BAD;
  for (i32 row = from; row < to; row++)
    if (guesses[row] >= (u32)count) return BAD;
  look_layout(&rules, scratch, count, n, &look);
  code_group(packed, space, count, look.order, look.list); /* scratch from the list on */
  for (i32 g = 0; g < count; g++) look.multisets[g] = code_multiset(&rules, space[g]);
  i8 number[MAX_PEGS + 1][MAX_PEGS + 1];
  i32 win = code_cells_of(&rules, number) - 1, next = after(after(depth));
  for (i32 m = 0; m <= n; m++) look.least[m] = (u32)perfect_total(m, next, win);
  code_filter_start(&rules, clues, clue_count, &before);
  for (i32 row = from; row < to; row++) {
    i32 *total = totals + (size_t)(row - from) * (1 + MAX_CELLS), listed = -1;
    Code guess = space[guesses[row]];
    u32 starts[MAX_CELLS + 1];
    i32 cells = code_part(packed, &guess, secrets, n, look.sorted, starts);
    if (cells < 0) return BAD;
    total[0] = n;
    for (i32 c = 0; c < cells - 1; c++) {
      i32 m = (i32)(starts[c + 1] - starts[c]);
      total[1 + c] = m ? perfect_total(m, after(depth), cells - 1) : 0;
      total[0] = min32(NEVER, total[0] + total[1 + c]);
    }
    for (u32 done = 0; total[0] < limit;) { /* the largest cell that is not done */
      i32 c = -1, most = 2;
      for (i32 k = 0; k < cells - 1; k++)
        if (!(done >> k & 1) && (i32)(starts[k + 1] - starts[k]) > most)
          most = (i32)(starts[k + 1] - starts[k]), c = k;
      if (c < 0) break;
      done |= 1u << c;
      if (listed < 0 && !consistent_only) {
        code_filter_narrow(&rules, &before, guess, &with);
        listed = code_filter_list(&rules, &with, space, look.order, count, look.list);
      }
      i32 bound = look_ahead(&rules, &look, listed, space, look.sorted + starts[c], most, look.least,
                             total[1 + c], consistent_only);
      if (bound <= total[1 + c]) continue;
      total[0] = min32(NEVER, total[0] + bound - total[1 + c]);
      total[1 + c] = bound;
    }
  }
  return to - from;
}
