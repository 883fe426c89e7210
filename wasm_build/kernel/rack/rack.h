/* The rack desk's kernel: exact counting of deals, and what a cut or a token reveals of them.
 *
 * A *layer* is a type of wire with copies whose place is unknown; layers go up in sort order.
 * A *part* is a stand, or the box that keeps the wires left undrawn of an X-of-Y group. Its
 * *elements* are the slots whose wire is unknown: first the sorted ones from left to right, then
 * up to 4 unsorted ones. A deal gives every element a layer; sorted elements never go down, and
 * every copy goes to exactly one element.
 *
 * The weight of a deal is the product over stands and layers of 1/(known + placed)! (the true
 * posterior of a uniform deal; `known` counts the sorted copies whose place on that stand is
 * known) or of 1/placed! (tile removal: known copies are forgotten).
 *
 * DEAL WORDS (i32), the one way in:
 *   model               0 true posterior, 1 tile removal
 *   layers D            1..34 (0: nothing is unknown)
 *   parts P             1..12
 *   D x (value, copies, called)
 *                       value 1..12, 13 yellow, 14 red; copies 1..4; called: what it counts as
 *                       when it is pointed at: the value, or 14 where a mission treats it as red
 *   P x part:
 *     sorted, unsorted, pairs, has       has: bit v: a hidden element must hold value v
 *     visible[15]                        known wires of each value on the stand
 *     exact[15]                          0, or how many wires of the value the stand holds
 *                                        (red: at most 2)
 *     known[D]                           known sorted copies of each layer on the stand
 *     (sorted + unsorted) x (allowed low, allowed high, times, hidden)
 *                                        allowed: bit d = layer d may stand here; times: 0 or
 *                                        the number on its multiplicity token; hidden: counts
 *                                        for `has` (a shown yellow of open identity does not)
 *     pairs x (element, element, kind)   labels between two unknown neighbours: DIFFERENT, SAME;
 *                                        RISING: two unsorted wires that were drawn blindly, the
 *                                        lower one first: an equal pair counts half; HALVED: of
 *                                        such a pair one is known: (unsorted element, layer, kind)
 *                                        where the other one would be equal; TIED: (element, layer,
 *                                        kind): a stand with n such wires weighs 1/(1 + n)
 * The elements of all parts together must number as many as the copies.
 *
 * WORK: a buffer of the caller, 16-byte aligned; 24 MB serves everything met at a table, and a
 * call returns TOO_LARGE when it does not suffice. Nothing is kept in it between calls.
 *
 * MARGINALS: doubles, one row of D per element, parts and elements in order. Impossible layers
 * are exactly 0, so "certain" needs no epsilon.
 */
#ifndef CLUEWISE_RACK_H
#define CLUEWISE_RACK_H

#include <stdbool.h>

#include "kernel.h"
#include "shared/arena.h"

enum {
  LAYERS = 34,
  PARTS = 12,
  ELEMENTS = 20,
  UNSORTED = 4,
  PAIRS = 15,
  GROUPS = 4,
  COPIES = 4,
  VALUES = 15, /* 1..12, YELLOW, RED; 0 unused */
  YELLOW = 13,
  RED = 14,
  DETECTED = 6 + ELEMENTS * VALUES,
  WIN_STANDS = 5,
  WIN_SLOTS = 14,
  WIN_WIRES = WIN_STANDS * WIN_SLOTS,
  WIN_DEAL = WIN_WIRES + 4,
  BY_VALUE = 0, /* what a failed cut lays: the value, even or odd, how many of its value */
  BY_PARITY = 1,
  BY_COUNT = 2,
  BY_NOTHING = 3, /* nothing, or a token that only denies what was named */
  DIFFERENT = 0, /* kinds of pairs */
  SAME = 1,
  RISING = 2,
  HALVED = 3,
  TIED = 4
};

/* rack_posterior: marginals[0] = joint entropy of the deal in bits; [1..2] = number of distinct
 * arrangements, a 128-bit integer laid over two doubles, low half first, when `count` is set;
 * from [4] the MARGINALS. Returns 1, or 0 when no deal fits; OVERFLOW past 2^128 arrangements. */
i32 rack_posterior(const i32 *words HAS(length), i32 length, i32 count, u8 *work HAS(bytes),
                   i32 bytes, double *marginals HAS(doubles), i32 doubles);

/* rack_cuts: every dual cut with a chance. `ask` holds one value mask per part (bit v: v may be
 * named there). Rows of 7 doubles: part, element, value, success, red, gain, certain (0 or 1).
 * A success shows the wire; a failure what `token_kind` says (BY_VALUE, BY_PARITY, BY_COUNT,
 * BY_NOTHING; YELLOW without its number; four of a value: no token is laid; red: the bomb). BY_COUNT is exact for
 * elements that cannot be yellow. Returns 1 + the number of rows, or 0 when no deal fits. */
i32 rack_cuts(const i32 *words HAS(length), i32 length, const i32 *ask HAS(words[2]), i32 token_kind,
              u8 *work HAS(bytes), i32 bytes, double *rows HAS(7 * most), i32 most);

/* rack_joint: the conditional chances that double detectors are made of, by one posterior. Given
 * that an element of a part holds `value`, which has the chance `share`: joint[b * 15 + u] =
 * P(it holds the value and element b holds u), for every element b of the part; element -1: nothing
 * is given. `joint` holds 15 doubles an element, or where `token_kind` is BY_COUNT four times as many:
 * joint[(b * 4 + n - 1) * 15 + u], the stand having n of a blue u (else n = 1). Returns 1, or 0
 * when no deal fits. */
i32 rack_joint(const i32 *words HAS(length), i32 length, i32 part, i32 element, i32 value,
               i32 token_kind, double share, u8 *work HAS(bytes), i32 bytes, double *joint HAS(doubles),
               i32 doubles);

/* rack_doubles: every double detector on a part of n elements, from `chance` (a rack_joint of
 * element -1) and n tables of 15 rack_joint, by element and value, one behind the other, all of the
 * same `token_kind`. Rows of 6 doubles: element, element, value, success, red, gain; BY_COUNT it is exact
 * for elements that cannot be yellow. Returns the number of rows (those with a chance). */
i32 rack_doubles(i32 elements, i32 values, i32 token_kind, const double *chance HAS(doubles),
                 i32 doubles, const double *joint HAS(doubles * elements * VALUES),
                 double *rows HAS(6 * most), i32 most);

/* rack_detector: any detector that names one blue value (layer) for the `pointed` elements, and
 * for known wires of the same stand next to them: `safe` of another value than red, `match` of the
 * value itself.
 * Success: the holder cuts one of the matching wires, chosen evenly, and says no more. Failure:
 * a token (`token_kind` as above) goes on one pointed wire that is not red, chosen evenly; the bomb
 * goes off when all are red. One posterior a call: first reds = -1 (the successes), then 0, 1, …
 * (the failures with so many reds pointed at), always with the same `out`, which holds DETECTED
 * doubles: success, red, gain, then what the next calls need. Returns 1 + the number of calls
 * still to come, so that `out` is complete at 1; 0 when no deal fits. */
i32 rack_detector(const i32 *words HAS(length), i32 length, i32 part, i32 pointed, i32 layer,
                  i32 token_kind, i32 safe, i32 match, i32 reds, u8 *work HAS(bytes), i32 bytes,
                  double *out HAS(DETECTED));

/* rack_successes: success alone of every set of `points` (1..3) elements of a part for one layer,
 * from one posterior. Rows of 4 doubles: the elements (-1 where there are fewer than three),
 * success. Returns the number of rows. */
i32 rack_successes(const i32 *words HAS(length), i32 length, i32 part, i32 layer, i32 points,
                   u8 *work HAS(bytes), i32 bytes, double *rows HAS(4 * most), i32 most);

/* rack_indicate: what showing a token would tell about one stand. DEAL WORDS of one part whose
 * copies may outnumber its elements (the rest lies elsewhere), `known` always filled in; `extra`:
 *   the highest multiplicity token (3; 4 for benchmarks that count an x4 on blue wires; 0: none
 *   is weighed, which saves most of the time),
 *   groups G (0..4), G x (candidates left, drawn left), D x (group of the layer, from 1; 0 none),
 *   one layer per element: the wire that stands there.
 * out: baseline published, joint, bayes; then per element standard, parity, multiplicity, each
 * in these three models: gains in bits, NaN where the token cannot go on that wire.
 * Returns 1 + the number of elements, or 0 when the stand cannot be. */
i32 rack_indicate(const i32 *words HAS(length), i32 length, const i32 *extra HAS(extras),
                  i32 extras, u8 *work HAS(bytes), i32 bytes, double *out HAS(doubles),
                  i32 doubles);

/* rack_gains: what a token would tell on every element, whichever layer stood there: `gains` holds
 * a row of D per element, in bits by the true posterior, NaN where that layer cannot stand or the
 * token cannot go on it. `token`: 0 standard, 1 parity. DEAL WORDS and `extra` as of rack_indicate,
 * without the wires that stand there. Returns 1 + the number of elements, or 0 when the stand
 * cannot be. */
i32 rack_gains(const i32 *words HAS(length), i32 length, const i32 *extra HAS(extras), i32 extras,
               i32 token, u8 *work HAS(bytes), i32 bytes, double *gains HAS(doubles), i32 doubles);

/* GAME WORDS (i32): players, stands (2..5), the player to move, steps of the detonator (1..9),
 * what a failed cut lays (BY_VALUE, BY_PARITY or BY_COUNT), what red costs the seats (in tenths of a success) and what more with every step
 * to spare, layers, a value that counts as red (0: none), players (bits) whose failed cut ends the
 * game, players (bits) at whose wires it lays no token, how many cut wires unlock the next value,
 * groups (0..4), what is with loose wires (+1: locked until four yellow ones are cut, +2: turned, so
 * that all but the owner see them, +4: only the owner may cut them, +8: of a player's two the first is
 * the lower; +16: yellow wires are found one by one, by who need not hold one; +32: a seat that may do nothing
 * has lost, else it skips), a value of which
 * several wires are cut at once, wherever they stand (0: none), how many,
 * and how (+1: a failure ends the game, +2: the value is cut only so, +4: only when nothing else is left
 * of all but red, or in the hand); what open number cards allow (0 all; 1 the value of one, which is
 * turned down then; 2 the sum or the difference of two, which are laid away; 3 to 5 the next of a deck: RADAR, VOLUNTEER, ORDERED), the steps that a skipped
 * turn takes, the open values (bits); 1 where a player who cannot follow her limit card turns it down for
 * good, 5 x a player's own limit card (1 A to 12 L; 0: none); what brings the next limit card of all and
 * what a round of skipped turns does (game.h), who holds air (0 no one, 1 a pot, 2 each player), 1
 * where a cut costs its value, 12 x the limit card that a finished number brings; the limit card of all,
 * limit cards (bits) and number cards (bits) to come, the robot's space (-1: none), air that comes back
 * to the pot, 5 x air of each player, the first of the pot; 4 x wires of that group which lie undrawn; layers x (value, copies,
 * group from 1 or 0, the value that unlocks this one or 0), all wires of the game, undrawn ones among
 * them; stands x (owner, slots (1..14), has: bit v; bit 16 + v: it was dealt exactly one of that
 * colour), slots x (state: 0 hidden, 1 cut, 2 shown, + 4 x the number on a multiplicity token, + 16
 * for a loose wire, which is not sorted in; layer that stands there, any
 * where it is unknown; allowed low, high: layers that may stand there as far as all can tell).
 *
 * rack_win_draw: `games` deals as the player to move may think of them, each WIN_DEAL bytes
 * (5 x 14 layers, the seed of cards that are drawn), from the exact posterior. Returns 1, or 0 when none fits. */
i32 rack_win_draw(const i32 *words HAS(length), i32 length, i32 seed, i32 games,
                  u8 *work HAS(bytes), i32 bytes, u8 *deals HAS(games * WIN_DEAL));

/* rack_win_deals: all of these deals with their chances, where they are at most `most` and no cards are
 * drawn. Returns their number, most + 1 where there are more, or 0 when none fits. */
i32 rack_win_deals(const i32 *words HAS(length), i32 length, i32 most, u8 *work HAS(bytes),
                   i32 bytes, u8 *deals HAS(most * WIN_DEAL), double *chances HAS(most));

/* rack_win_play: in each of the deals the player to move does each of the choices (0 dual, 1 solo,
 * 2 reveal, -1 what the rule says; stand, slot, value; or 3 for several wires at once: 0, the places
 * (14 x stand + slot, 7 bits each), value), then every seat plays by its own exact
 * belief: what is sure, else the largest chance of success less what red costs. Games of one deal
 * that come to the same table are played on once. won[c * games + g] is 1 where all was cut.
 * Returns 1 + how many transitions between states were tested for the beliefs, the measure of the work. */
i32 rack_win_play(const i32 *words HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                  i32 games, const i32 *choices HAS(4 * count), i32 count, u8 *work HAS(bytes),
                  i32 bytes, u8 *won HAS(count * games));

/* rack_win_choose: what the player to move does in each of the deals by the rule of rack_win_play, four
 * words each: kind (-2 where the mission lets her do nothing), stand, slot, value, as choices are
 * given there. Not where players agree who cuts the open number. Returns 1. */
i32 rack_win_choose(const i32 *words HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                    i32 games, u8 *work HAS(bytes), i32 bytes, i32 *choices HAS(4 * games));

/* rack_win_tokens: in each deal a token on each of the places (14 x stand + slot), then the players
 * of the stands `laying` (bits) show their best first token by the joint metric, in that order; then
 * the captain begins, and every seat plays as in rack_win_play. Tokens show values, of groups
 * there are at most 16 cases, the stands laying have no token. won[c * games + g] is 1 where all was cut. Returns as rack_win_play. */
i32 rack_win_tokens(const i32 *words HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                    i32 games, const i32 *places HAS(count), i32 count, i32 laying,
                    u8 *work HAS(bytes), i32 bytes, u8 *won HAS(count * games));

/* ---- shared by the files of this folder ---------------------------------------------------- */

enum { IMPOSSIBLE = -5 }; /* a Status of this folder; the exported functions return 0 for it */

typedef struct Pair {
  u8 first, second, kind;
} Pair;

typedef struct Part {
  i32 sorted, unsorted, pairs;
  u32 has;
  bool counts_yellow; /* some multiplicity token may stand on a yellow wire */
  i32 visible[VALUES], exact[VALUES], known[LAYERS];
  u64 allowed[ELEMENTS];
  u8 times[ELEMENTS], hidden[ELEMENTS];
  Pair pair[PAIRS];
  bool turned; /* some pair is RISING or HALVED */
  bool tied;   /* some pair is TIED */
  u32 pointed; /* detectors: elements whose red wires are counted, and how many there must be */
  i32 reds;
  i32 groups; /* indicate: group of each layer, from 1 */
  u8 group_of[LAYERS];
} Part;

/* One layer of an automaton: states by number of wires held, moves grouped by state. A leaf's
 * move puts `run` sorted wires from element `filled` on, and the unsorted set `loose`; a
 * product's move is made of one move of each factor. */
typedef struct Layer {
  i32 states, moves, most; /* most: wires held by the last state */
  i32 *held, *first_move, *first_with; /* first_with[n]: first state that holds n or more */
  i32 *to, *left, *right;
  u8 *taken, *filled, *run, *loose;
  double *weight, *mass;
} Layer;

typedef struct Automaton {
  Layer layer[LAYERS + 1];
  struct Automaton *left, *right; /* factors of a product, NULL in a leaf */
  i32 size, least[LAYERS + 1], most[LAYERS + 1];
  u16 *counters; /* leaf: the counter bits of each final state */
} Automaton;

typedef struct Row {
  i32 first, count, at; /* states first.. of the other half; their values begin at `at` */
} Row;

typedef struct Deal {
  i32 layers, parts, tile_removal;
  i32 value[LAYERS], called[LAYERS], copies[LAYERS], total[LAYERS + 1]; /* total[d]: copies in layers below d */
  u64 of_value[VALUES], of_called[VALUES];
  Part part[PARTS];
  Arena fresh, arena; /* fresh: before anything was built */
  Automaton *leaf[PARTS], *half[2], *product[PARTS];
  i32 products;
  Row *rows[LAYERS + 1], *mixed[LAYERS];
  double *after[LAYERS + 1], *between[LAYERS];
  double weight, entropy;
  double *marginals[PARTS]; /* mass (not divided by weight) by element and layer */
} Deal;

/* Room for a layer's states and moves; and, once it is filled, its index by wires held. */
bool rack_layer_make(Arena *arena, Layer *layer, i32 states, i32 moves, bool leaf);
bool rack_layer_index(Arena *arena, Layer *layer);

Automaton *automaton_leaf(Deal *deal, const Part *part);
Automaton *automaton_product(Deal *deal, Automaton *left, Automaton *right, const i32 *least,
                             const i32 *most);

/* Puts a Deal and its arena into a caller's buffer and reads the words. Words taken or Status. */
i32 deal_open(Deal **deal, const i32 *words, i32 length, u8 *work, i32 bytes, bool all_dealt);

/* The two passes: OK, IMPOSSIBLE or a Status. Starts over from `deal->fresh`. */
i32 deal_posterior(Deal *deal);
i32 deal_arrangements(Deal *deal, u128 *count);

double rack_information(double p); /* -p log2 p */
double inverse_factorial(i32 k);   /* 1/k! for 0 <= k <= 24 */
double log_factorial(i32 k);       /* log2 k! */

static inline u64 bit64(i32 at) { return (u64)1 << at; }

/* The elements that a leaf's move fills, as a mask. */
static inline u32 move_fills(const Part *part, const Layer *layer, i32 move) {
  return ((1u << layer->run[move]) - 1) << layer->filled[move] |
         (u32)layer->loose[move] << part->sorted;
}

/* How many of the elements of a mask are TIED where layer d stands on them. */
static inline i32 ties_among(const Part *part, u32 placed, i32 d) {
  i32 count = 0;
  for (i32 i = 0; part->tied && i < part->pairs; i++) {
    const Pair *pair = &part->pair[i];
    count += pair->kind == TIED && pair->second == d && placed >> pair->first & 1;
  }
  return count;
}

/* How often the weight of a leaf's move in layer d is halved: equal wires that were drawn blindly. */
static inline i32 halvings(const Part *part, u32 loose, i32 d) {
  i32 count = 0;
  for (i32 i = 0; part->turned && i < part->pairs; i++) {
    const Pair *pair = &part->pair[i];
    u32 placed = loose << part->sorted, first = 1u << pair->first;
    if (pair->kind == HALVED) count += placed & first && pair->second == d;
    if (pair->kind == RISING) count += placed & first && placed >> pair->second & 1;
  }
  return count;
}

#endif
