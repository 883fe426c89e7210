/* Constraint filter for searches: keeps the peg permutations, each with the colour map that earlier
 * guesses force, and tells whether a guess is the least of its class. Narrowed guess by guess.
 * Cost: O(permutations pegs) a guess; at most MOST_MOVES permutations are kept.
 */
#include "code.h"

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
