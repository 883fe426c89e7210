/* The rack desk's kernel: exact posterior of deals, and the information of cuts and tokens.
 *
 * A *layer* is a type of wire with copies whose place is unknown; layers are in sort order.
 * A *part* is a stand, or the box with the wires of an X-of-Y group that were not drawn. Its
 * *elements* are the slots whose wire is unknown: first the sorted ones from left to right, then up
 * to 4 unsorted ones. A deal assigns a layer to every element; along sorted elements layers do not
 * descend, and every copy goes to exactly one element.
 *
 * The weight of a deal is the product over stands and layers of 1/(known + placed)! (the true
 * posterior of a uniform deal; `known` counts the sorted copies whose place on that stand is
 * known) or of 1/placed! (tile removal: known copies are ignored).
 *
 * DEAL ENCODING (i32), the input of all functions on deals:
 *   model               0 true posterior, 1 tile removal
 *   layers D            1..34 (0: nothing is unknown)
 *   parts P             1..12
 *   D x (value, copies, counts as)
 *                       value 1..12, 13 yellow, 14 red; copies 1..4; what it counts as if a cut
 *                       points at it: the value, or 14 where a mission treats it as red
 *   P x part:
 *     sorted, unsorted, pairs, has       has: bit v: a hidden element holds value v
 *     visible[15]                        known wires of each value on the stand
 *     exact[15]                          0, or the number of wires of the value on the stand
 *                                        (red: at most 2)
 *     known[D]                           known sorted copies of each layer on the stand
 *     (sorted + unsorted) x (allowed low, allowed high, times, hidden)
 *                                        allowed: bit d = layer d may stand here; times: 0 or
 *                                        the number on its multiplicity token; hidden: counts
 *                                        for `has` (a shown yellow of unknown number does not)
 *     pairs x (element, element, kind)   labels between two unknown neighbours: DIFFERENT, SAME;
 *                                        RISING: two unsorted wires that were drawn blindly, the
 *                                        lower one first: an equal pair counts half; HALVED: one
 *                                        of such a pair is known: (unsorted element, layer, kind)
 *                                        where the other one would be equal; TIED: (element,
 *                                        layer, kind): a stand with n such wires weighs 1/(1 + n)
 * All parts together have as many elements as there are copies.
 *
 * `work`: a buffer of the caller, 16-byte aligned; 24 MB suffice for all tables of the game, and a
 * call returns TOO_LARGE if it is too small. Nothing is kept in it between calls.
 *
 * MARGINALS: doubles, one row of D per element, parts and elements in order. Impossible layers
 * are exactly 0, so certainty needs no tolerance.
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
  BY_VALUE = 0, /* token of a failed cut: the value, its parity, the number of its value */
  BY_PARITY = 1,
  BY_COUNT = 2,
  BY_NOTHING = 3, /* none, or one that only excludes the value named */
  DIFFERENT = 0, /* kinds of pairs */
  SAME = 1,
  RISING = 2,
  HALVED = 3,
  TIED = 4
};

/* rack_posterior: marginals[0] = joint entropy of the deal in bits; [1..2] = if `count` is set, the
 * number of distinct arrangements, a 128-bit integer in two doubles, low half first; from [4] the
 * MARGINALS. Returns 1, or 0 if no deal fits; OVERFLOW past 2^128 arrangements. */
i32 rack_posterior(const i32 *encoded HAS(length), i32 length, i32 count, u8 *work HAS(bytes), i32 bytes,
                   double *marginals HAS(doubles), i32 doubles);

/* rack_cuts: every dual cut with a chance. `nameable` has a mask of values per part (bit v: v may
 * be named there). Rows of 7 doubles: part, element, value, success, red, gain, certain (0 or 1).
 * A success reveals the wire; a failure what `token_kind` reveals (BY_VALUE, BY_PARITY, BY_COUNT,
 * BY_NOTHING; YELLOW without its number; four of a value: no token; red: the bomb). BY_COUNT is
 * exact for elements that cannot be yellow. Returns 1 + the number of rows, or 0: no deal fits. */
i32 rack_cuts(const i32 *encoded HAS(length), i32 length, const i32 *nameable HAS(encoded[2]), i32 token_kind,
              u8 *work HAS(bytes), i32 bytes, double *rows HAS(7 * most), i32 most);

/* rack_joint: conditional chances for double detectors, from one posterior. Given that an element
 * of a part holds `value`, which has the chance `share`: joint[b * 15 + u] = P(it holds the value
 * and element b holds u), for every element b of the part; element -1: no condition. `joint` has 15
 * doubles per element, or with `token_kind` BY_COUNT four times as many:
 * joint[(b * 4 + n - 1) * 15 + u], the stand having n wires of a blue u (else n = 1). Returns 1, or
 * 0 if no deal fits. */
i32 rack_joint(const i32 *encoded HAS(length), i32 length, i32 part, i32 element, i32 value, i32 token_kind,
               double share, u8 *work HAS(bytes), i32 bytes, double *joint HAS(doubles), i32 doubles);

/* rack_doubles: every double detector on a part of n elements, from `chance` (rack_joint with
 * element -1) and n x 15 tables of rack_joint, by element and value, all with the same
 * `token_kind`. Rows of 6 doubles: element, element, value, success, red, gain; BY_COUNT is exact
 * for elements that cannot be yellow. Returns the number of rows (those with a chance). */
i32 rack_doubles(i32 elements, i32 values, i32 token_kind, const double *chance HAS(doubles), i32 doubles,
                 const double *joint HAS(doubles * elements * VALUES), double *rows HAS(6 * most), i32 most);

/* rack_detector: any detector that names one blue value (layer) for the `pointed` elements, and
 * for known wires of the same stand: `safe` of another value than red, `match` of the value itself.
 * Success: the holder cuts one of the matching wires, chosen uniformly, and reveals nothing else.
 * Failure: a token (`token_kind` as above) on one pointed wire that is not red, chosen uniformly;
 * the bomb goes off if all are red. One posterior per call: first reds = -1 (the successes), then
 * 0, 1, ... (the failures with so many pointed red wires), always with the same `out`, which has
 * DETECTED doubles: success, red, gain, then intermediate sums. Returns 1 + the number of calls
 * still to come, so `out` is complete at 1; 0 if no deal fits. */
i32 rack_detector(const i32 *encoded HAS(length), i32 length, i32 part, i32 pointed, i32 layer,
                  i32 token_kind, i32 safe, i32 match, i32 reds, u8 *work HAS(bytes), i32 bytes,
                  double *out HAS(DETECTED));

/* rack_successes: the chance of success of every set of `points` (1..3) elements of a part for one
 * layer, from one posterior. Rows of 4 doubles: the elements (-1 if fewer than three), success.
 * Returns the number of rows. */
i32 rack_successes(const i32 *encoded HAS(length), i32 length, i32 part, i32 layer, i32 points,
                   u8 *work HAS(bytes), i32 bytes, double *rows HAS(4 * most), i32 most);

/* rack_indicate: the information of a token on one stand. DEAL ENCODING of one part, whose elements
 * may be fewer than the copies (the rest lies elsewhere), with `known`; `extra`:
 *   the highest multiplicity token (3; 4 for benchmarks that count an x4 on blue wires; 0: without
 *   multiplicity tokens, which saves most of the time),
 *   groups G (0..4), G x (candidates left, drawn left), D x (group of the layer, from 1; 0 none),
 *   one layer per element: the wire that stands there.
 * out: baseline published, joint, bayes; then per element standard, parity, multiplicity, each
 * in these three models: gains in bits, NaN where the token cannot go on that wire.
 * Returns 1 + the number of elements, or 0 if the stand is impossible. */
i32 rack_indicate(const i32 *encoded HAS(length), i32 length, const i32 *extra HAS(extras), i32 extras,
                  u8 *work HAS(bytes), i32 bytes, double *out HAS(doubles), i32 doubles);

/* rack_gains: the information of a token on every element for every layer that may stand there:
 * `gains` has a row of D per element, in bits by the true posterior, NaN where that layer is
 * impossible or the token cannot go on it. `token`: 0 standard, 1 parity. Input as of
 * rack_indicate, without the wires that stand there. Returns 1 + the number of elements, or 0 if
 * the stand is impossible. */
i32 rack_gains(const i32 *encoded HAS(length), i32 length, const i32 *extra HAS(extras), i32 extras,
               i32 token, u8 *work HAS(bytes), i32 bytes, double *gains HAS(doubles), i32 doubles);

/* GAME ENCODING (i32), the input of rollouts:
 *   players, stands     2..5 stands
 *   turn, steps         the player to move; steps of the detonator (1..9)
 *   token kind          BY_VALUE, BY_PARITY or BY_COUNT
 *   2 x caution         cost of red in tenths of a success; what every spare step adds
 *   layers, deadly      deadly: a value that counts as red (0: none)
 *   explodes, silent    players (bits) whose failure ends the game; at whose stands it places no
 *                       token
 *   unlock              cut wires that unlock the next value
 *   groups              0..4
 *   unsorted            flags: 1 locked until four yellow wires are cut, 2 turned (all but the
 *                       owner see them), 4 only the owner may cut them, 8 of a player's two the
 *                       first is the lower; 16 yellow wires are cut alone, by players who need not
 *                       hold one; 32 a player without a legal move loses the game, else skips
 *   multi-wire cut      value (0: none), number of wires, flags: 1 a failure ends the game, 2 the
 *                       value is cut only so, 4 only if nothing else but red is left, on all
 *                       stands or to the player
 *   number cards        what they allow: 0 everything, 1 the value of one, which is then turned
 *                       down, 2 the sum or difference of two, which are discarded, 3 to 5 the next
 *                       card of a deck: RADAR, VOLUNTEER, ORDERED
 *   skip steps, open    steps of a skipped turn; open values (bits)
 *   limit off, 5 x own  1 if a player who cannot follow the own limit card discards it; the cards:
 *                       1 A to 12 L, 0 none
 *   next limit, round   what brings the next common limit card; what a round of skipped turns does
 *                       (game.h)
 *   air, costs value    0 no air, 1 a pot, 2 each player; 1 if a cut costs its value
 *   12 x pair           the limit card that a finished value brings
 *   limit, letters, deck
 *                       the common limit card; limit cards and number cards to come (bits)
 *   track               the robot's space (-1: no robot)
 *   spent, 5 x air      air that returns to the pot; air of each player, the pot's is the first
 *   4 x undrawn         wires of each group that are not in play
 *   layers x (value, copies, group from 1 or 0, the value that unlocks this one or 0)
 *                       all wires of the game, undrawn ones included
 *   stands x (owner, slots (1..14), facts: bit v: hides value v; bit 16 + v: was dealt exactly one)
 *     slots x (state: 0 hidden, 1 cut, 2 shown, + 4 x the number on a multiplicity token, + 16 if
 *             unsorted; its layer, any if unknown; allowed low, high: layers that public
 *             information leaves)
 * A deal has WIN_DEAL bytes: 5 x 14 layers, the seed of cards to come.
 *
 * rack_win_draw: draws `games` deals from the exact posterior of the player to move. Returns 1, or
 * 0 if none fits. */
i32 rack_win_draw(const i32 *encoded HAS(length), i32 length, i32 seed, i32 games, u8 *work HAS(bytes),
                  i32 bytes, u8 *deals HAS(games * WIN_DEAL));

/* rack_win_deals: lists all of these deals with their chances, if they are at most `most` and no
 * cards are drawn. Returns their number, most + 1 if there are more, or 0 if none fits. */
i32 rack_win_deals(const i32 *encoded HAS(length), i32 length, i32 most, u8 *work HAS(bytes), i32 bytes,
                   u8 *deals HAS(most * WIN_DEAL), double *chances HAS(most));

/* rack_win_play: plays each of the deals after each of the choices of the player to move, by the
 * policy of rollout.c. A choice: kind (0 dual, 1 solo, 2 reveal, -1 the policy's move), stand,
 * slot, value; or 3 for several wires: 0, places (14 x stand + slot, 7 bits each), value.
 * won[c * games + g] is 1 if the game is won. Returns 1 + the transitions tested for posteriors,
 * the measure of work. */
i32 rack_win_play(const i32 *encoded HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                  i32 games, const i32 *choices HAS(4 * count), i32 count, u8 *work HAS(bytes), i32 bytes,
                  u8 *won HAS(count * games));

/* rack_win_choose: the policy's move of the player to move in each of the deals, as a choice; kind
 * -2: there is no legal move. Not for missions in which another player may cut. Returns 1. */
i32 rack_win_choose(const i32 *encoded HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                    i32 games, u8 *work HAS(bytes), i32 bytes, i32 *choices HAS(4 * games));

/* rack_win_tokens: in each deal a token on each of the places (14 x stand + slot), then the best
 * first token of each stand of `laying` (bits) by the joint metric, in that order; then the captain
 * begins, and every seat plays by the policy. Tokens show values, groups have at most 16 cases, and
 * the stands of `laying` have no token. Results as of rack_win_play. */
i32 rack_win_tokens(const i32 *encoded HAS(length), i32 length, const u8 *deals HAS(games * WIN_DEAL),
                    i32 games, const i32 *places HAS(count), i32 count, i32 laying, u8 *work HAS(bytes),
                    i32 bytes, u8 *won HAS(count * games));

/* ---- shared by the files of this folder ------------------------------------------------------ */

enum { IMPOSSIBLE = -5 }; /* a status: no deal fits; exported functions return 0 instead */

typedef struct Pair { u8 first, second, kind; } Pair;

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
  u32 pointed; /* detectors: `reds` of these elements are red; reds < 0: any number */
  i32 reds;
  i32 groups; /* tokens: the group of each layer, from 1 */
  u8 group_of[LAYERS];
} Part;

/* The states and moves of an automaton in one layer, as compressed sparse rows. States are sorted
 * by the number of wires that lower layers placed (`held`); first_with[n] is the first state that
 * holds n or more.
 *
 *   to, taken, weight, mass | moves of state 0 | moves of state 1 | ... |     ^first_move[s]
 *
 * A move of a leaf puts `run` sorted wires from element `filled` on and the set `unsorted`; a move
 * of a product combines one move of each factor (left, right). `taken`: wires placed; `mass`:
 * posterior weight. */
typedef struct Layer {
  i32 states, moves, most; /* most: wires held by the last state */
  i32 *held, *first_move, *first_with;
  i32 *to, *left, *right;
  u8 *taken, *filled, *run, *unsorted;
  double *weight, *mass;
} Layer;

typedef struct Automaton {
  Layer layer[LAYERS + 1];
  struct Automaton *left, *right;                /* factors of a product, NULL in a leaf */
  i32 size, least[LAYERS + 1], most[LAYERS + 1]; /* states in all; wires held in each layer */
  u16 *counters;                                 /* leaf: the counter bits of each final state */
} Automaton;

/* The states first .. first + count - 1 of one half; their values begin at `at`. */
typedef struct Row { i32 first, count, at; } Row;

typedef struct Deal {
  i32 layers, parts, tile_removal;
  i32 value[LAYERS], counts_as[LAYERS], copies[LAYERS];
  i32 total[LAYERS + 1];                    /* copies of the layers below */
  u64 of_value[VALUES], counted_as[VALUES]; /* layers (bits) */
  Part part[PARTS];
  Arena fresh, arena; /* fresh: before anything was built */
  Automaton *leaf[PARTS], *half[2], *product[PARTS];
  i32 products;
  Row *rows[LAYERS + 1], *mixed[LAYERS]; /* see posterior.c */
  double *backward[LAYERS + 1], *between[LAYERS];
  double weight, entropy;   /* of all deals; in bits */
  double *marginals[PARTS]; /* mass by element and layer, not divided by `weight` */
} Deal;

/* The automaton of a part; the product of two, reduced to states that the other parts can complete:
 * these hold least[d] to most[d] wires of the layers below d. NULL if there is no room. */
Automaton *automaton_leaf(Deal *deal, const Part *part);
Automaton *automaton_product(Deal *deal, Automaton *left, Automaton *right, const i32 *least,
                             const i32 *most);

/* Puts a Deal and its arena into a caller's buffer and decodes it. Returns how many numbers were
 * read, or a status. `all_dealt`: there must be as many elements as copies. */
i32 deal_open(Deal **deal, const i32 *encoded, i32 length, u8 *work, i32 bytes, bool all_dealt);

/* Builds the automata from `deal->fresh` on and runs both passes: OK, IMPOSSIBLE or a status. */
i32 deal_posterior(Deal *deal);

/* Counts the arrangements, directly after `deal_posterior`; OVERFLOW past 2^128. */
i32 deal_arrangements(Deal *deal, u128 *count);

extern const double INVERSE_FACTORIAL[25]; /* 1/k! */

double rack_information(double p); /* -p log2 p */
double log_factorial(i32 k);       /* log2 k!, k <= 24 */

static inline u64 bit64(i32 at) { return (u64)1 << at; }

/* The elements that a leaf's move fills (bits). */
static inline u32 move_fills(const Part *part, const Layer *layer, i32 move) {
  return ((1u << layer->run[move]) - 1) << layer->filled[move] | (u32)layer->unsorted[move] << part->sorted;
}

/* The number of placed elements (bits) that are TIED to layer d. */
static inline i32 ties_among(const Part *part, u32 placed, i32 d) {
  i32 count = 0;
  for (i32 i = 0; part->tied && i < part->pairs; i++) {
    const Pair *pair = &part->pair[i];
    count += pair->kind == TIED && pair->second == d && placed >> pair->first & 1;
  }
  return count;
}

/* How often the weight of a leaf's move in layer d is halved: once per equal pair drawn blindly. */
static inline i32 halvings(const Part *part, u32 unsorted, i32 d) {
  i32 count = 0;
  for (i32 i = 0; part->turned && i < part->pairs; i++) {
    const Pair *pair = &part->pair[i];
    u32 placed = unsorted << part->sorted, first = 1u << pair->first;
    if (pair->kind == HALVED) count += placed & first && pair->second == d;
    if (pair->kind == RISING) count += placed & first && placed >> pair->second & 1;
  }
  return count;
}

#endif
