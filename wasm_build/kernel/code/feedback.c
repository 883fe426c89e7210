/* Answers under the kinds of feedback that are no two counts of matches (ORDER, KEEP, SUM in code.h),
 * a secret at a time. Cost: O(pegs) a pair.
 */
#include "code.h"

/* Marks as a number in base 3, the first peg on top. */
static i32 marks_of(const Prober *prober, Word secret) {
  u8 left[SYMBOLS] = {0};
  i32 marks = 0;
  for (i32 peg = 0; peg < prober->pegs; peg++)
    if (code_symbol(secret, peg) != code_symbol(prober->word, peg)) left[code_symbol(secret, peg)]++;
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 symbol = code_symbol(prober->word, peg), mark = 2;
    if (symbol != code_symbol(secret, peg)) {
      mark = left[symbol] > 0;
      left[symbol] -= (u8)mark;
    }
    marks = 3 * marks + mark;
  }
  return marks;
}

void code_probe_other(const Prober *prober, Word secret, i32 *exact, i32 *total) {
  if (prober->feedback == ORDER) {
    i32 marks = marks_of(prober, secret);
    *exact = marks / 9;
    *total = marks / 9 + marks % 9;
    return;
  }
  i32 right = 0, elsewhere = 0, matches = 0;
  u32 shown = 0;
  u8 left[SYMBOLS];
  memcpy(left, prober->left, SYMBOLS);
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 symbol = code_symbol(secret, peg);
    shown |= 1u << symbol;
    right += symbol == code_symbol(prober->word, peg);
    if (left[symbol]) left[symbol]--, matches++;
  }
  for (i32 peg = 0; peg < prober->pegs; peg++) {
    i32 symbol = code_symbol(prober->word, peg);
    elsewhere += symbol != code_symbol(secret, peg) && (shown >> symbol & 1);
  }
  if (prober->feedback == KEEP) {
    *exact = right;
    *total = right + elsewhere;
    return;
  }
  *exact = right == prober->pegs ? right : 0;
  *total = *exact ? right : matches;
}
