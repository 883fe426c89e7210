/* The chance to win, shared by rollout.c (turns, policy, entry points), cards.c (cards, air,
 * robot) and seat_posterior.c (posterior of a seat). */
#ifndef CLUEWISE_RACK_WIN_H
#define CLUEWISE_RACK_WIN_H

#include "rack/rack.h"
#include "shared/random.h"

enum { STANDS = WIN_STANDS, SLOTS = WIN_SLOTS, OTHERS = 4, HIDDEN = 0, CUT = 1, SHOWN = 2 };
enum { CELL = COPIES + 1, LAST = OTHERS - 1, INNER = OTHERS - 2, MOST_RUNS = 256, DOUBTFUL = 12,
       KEPT = 1 << 12, LONGEST = 128, FIELD = SLOTS + 1, FILLED = OTHERS * FIELD };
enum { MOST_STEPS_LEFT = 9 }; /* as a position may say */
enum { LOOSE = 4, WAYS = 1 << LOOSE, MOST_STEPS = 35, ALL_STEPS = 192 }; /* 35: four copies to four
       stands; 192: to four stands and four loose places */

/* So many wires of a value that a mission has cut at once, wherever they stand; value 0: none. */
typedef struct Together {
  i32 value, count;
  bool explodes, only, last; /* a failure ends the game; cut only so; only when nothing else is left */
} Together;

typedef struct Rules { /* what no turn changes */
  i32 players, stands, layers, token_kind, value[LAYERS], copies[LAYERS];
  double caution, spare_caution; /* what red costs, and what more with every spare step */
  u64 of_value[VALUES], odd;
  i32 owner[STANDS], size[STANDS];
  i32 groups, group[LAYERS], undrawn[GROUPS + 1]; /* group 0: the wire is in play for sure */
  i32 deadly;                  /* a value that counts as red; 0: none */
  u32 explodes, silent;        /* players: whose failure ends the game; where it lays no token */
  i32 unlock, before[VALUES];  /* locked until so many of the value `before` are cut; 0: free */
  u32 loose[STANDS];           /* slots that are not sorted in */
  bool locked;                 /* loose wires: not to be cut before all four yellow ones are */
  bool counted;                /* there are x tokens, or may be */
  bool turned, own_only;       /* all but the owner see them; no one else may cut them */
  bool paired;                 /* of a player's two the first is the lower */
  bool stuck_explodes;         /* a seat that may do nothing has lost; else it skips */
  bool one_by_one;             /* yellow is named without holding one, and cut alone: a step back */
  Together together;
  i32 cards, skip_steps;       /* what open cards allow (below); steps that a skipped turn takes */
  i32 limit[STANDS];           /* a player's own limit card, 1 A to 12 L; 0: none */
  bool limit_off;              /* a player who cannot follow the card turns it down for good */
  i32 next_limit, round;       /* below: when all get another limit card; turns skipped by all */
  i32 pair[YELLOW];            /* the limit card that a finished number brings; 0: none */
  i32 air;                     /* below: who holds the air that cuts cost */
  bool dear_values;            /* a cut costs its value; else 1 to 3 */
  i32 single[STANDS];          /* YELLOW or RED: the stand was dealt exactly one; or 0 */
} Rules;

/* A table. What follows from its wires and states is counted once a deal, and kept: a turn looks at
 * few slots. `print` is the sum (xor) of what each slot shows, whatever way led there. */
typedef struct Game {
  i32 turn, active, steps; /* active: whose turn it is, where another player cuts */
  u32 open, skips; /* values of open number cards; seats that did nothing, one after the other */
  u32 free;        /* players who have turned their limit card down */
  u32 seed, letters, deck; /* of draws; limit cards and number cards that may still come */
  i32 draws, limit, track; /* limit: of all; track: of the robot, or NO_TRACK */
  bool turned_card;        /* the captain has turned up a limit card this turn */
  u8 air[STANDS], spent;   /* of each player, or of the pot; what comes back to it */
  u32 has[STANDS];
  u8 wire[STANDS][SLOTS], times[STANDS][SLOTS]; /* times: of a x token */
  u64 allowed[STANDS][SLOTS];
  u32 hidden[STANDS], shown[STANDS], yellow[STANDS]; /* slots; the others are cut */
  u64 hash;
  u8 uncut[VALUES], cut[VALUES], own[STANDS][VALUES]; /* own: of a player, that she knows */
  u8 wires[STANDS], harmless[STANDS], left; /* uncut ones of a player; such as do not kill; in all */
} Game;

/* One way to share out the copies of a layer: so many a stand, and one each to the loose places of
 * a set. */
typedef struct Allocation {
  u8 k[OTHERS], add;
  u64 care, need; /* a state that shows `need` of what is cared for may take it */
  double weight;
} Allocation;

/* The states between two layers: which loose places are filled, and how many places of the first
 * three stands; the last one follows. For each such set the weights lie in one block of `cells`, the
 * third stand's places side by side. */
typedef struct LayerStates {
  i32 low[LAST], count[LAST], at, cells;
} LayerStates;

/* A state that some way leads to, as bits: how many places of each stand are filled (one of FIELD
 * bits a stand), and the loose places. `ends`: its place in its level (the low 16 bits; a level has no
 * more), and the one in the next if nothing were added. */
typedef struct State {
  u64 bits;
  u32 ends;
} State;

/* What a seat knows of the stands of others. Stands that are not there come first, without places,
 * then the open ones, fewest places first: the last one is free, and the inner loop long.
 *
 * Within a layer a stand takes k copies next to one another with the weight share[k], if its bit
 * for the places filled so far is set in from[k]: the run fits, and can be completed. */
typedef struct SeatModel {
  i32 layers, wire[LAYERS], copies[LAYERS], total[LAYERS + 1];
  i32 doubtful, doubt[DOUBTFUL]; /* layers of a group that may lie undrawn */
  i32 stand[OTHERS], places[OTHERS], slot[OTHERS][SLOTS];
  i32 has[OTHERS], facts; /* the colour of which a stand holds some for sure, or 0; such stands */
  bool single[OTHERS];    /* one wire of it, and no more */
  u32 must[OTHERS][LAYERS], fits[OTHERS][LAYERS], from[OTHERS][LAYERS][CELL];
  u32 reach[OTHERS][LAYERS + 1];
  double weight[OTHERS][LAYERS][CELL];
  LayerStates level[LAYERS + 1];
  bool counted;            /* there are x tokens */
  u32 timed[OTHERS][CELL]; /* places with a token of so many wires of their value */
  i32 on[OTHERS][VALUES], exact[OTHERS][VALUES]; /* seen there; as a cut wire's token says, or 0 */
  i32 loose, loose_stand[LOOSE], loose_slot[LOOSE], equal[LOOSE]; /* equal: a layer, or -1 */
  bool pair, open;                           /* the two loose places are a pair; any place is open */
  u32 holds[LAYERS], lent[OTHERS];           /* loose places: that may hold it, of the stand */
  u32 need[OTHERS][LAYERS];                  /* must, and a run's first wire of a colour */
  double chance[OTHERS][SLOTS][VALUES], all; /* chances by value, not divided by all */
  double loose_chance[LOOSE][VALUES];
} SeatModel;

/* The edges of one step: so many, of such a share. An edge is the place of a state in its level (the
 * low 16 bits) and of one in the next. */
typedef struct Group {
  double weight;
  i32 count;
} Group;

typedef struct CaseSplit { /* one way to place the first wires of the colours that stands have for sure */
  double all;
  u32 out; /* which of the doubtful layers lie undrawn */
  i32 first[OTHERS];
} CaseSplit;

/* How games of one deal ended from tables that some of them came to: keys, even where the game was
 * lost, odd where it was won; 0: nothing. `way`: the tables of the game that is being played. */
typedef struct OutcomeTable {
  u64 key[KEPT], way[LONGEST];
  i32 kept, length;
} OutcomeTable;

typedef struct Tables { /* what beliefs are counted in */
  SeatModel belief;
  OutcomeTable ends;
  CaseSplit run[MOST_RUNS];
  i32 runs, room, most_states, most_edges, first_edge[LAYERS], groups[LAYERS];
  Group group[LAYERS][ALL_STEPS];
  bool listed_all; /* all edges are there; else those of the last layer alone */
  u64 random, tried; /* tried: transitions that were tested, the measure of the work */
  double *after, *front; /* the weight of all ways from a state to the end, and to it */
  State *state; /* of one level */
  u32 *edge;
  Allocation step[LAYERS][ALL_STEPS]; /* where deals are drawn */
} Tables;

static inline u32 first_bits(i32 n) { return ((u32)1 << n) - 1; } /* n < 32 */

/* A deal: the wires, and the seed of the order in which cards come. */
static inline void write_deal(const u8 wire[STANDS][SLOTS], u64 random, u8 *deal) {
  u32 seed = (u32)(random >> 32);
  memcpy(deal, wire, WIN_WIRES);
  memcpy(deal + WIN_WIRES, &seed, sizeof seed);
}

/* The slots of a stand whose wire a seat sees where it lies hidden: her own, of turned ones all
 * others'. */
static inline u32 seen_hidden(const Rules *rules, i32 viewer, i32 s) {
  u32 turned = rules->turned ? rules->loose[s] : 0;
  return rules->owner[s] == viewer ? ~turned : turned;
}

/* The slots of a stand whose wire a seat sees: of a shown yellow only its owner knows the number. */
static inline u32 seen_slots(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u32 hidden = game->hidden[s] & ~seen_hidden(rules, viewer, s);
  u32 shown = rules->owner[s] == viewer ? 0 : game->shown[s] & game->yellow[s];
  return first_bits(rules->size[s]) & ~hidden & ~shown;
}

/* The words of a table; false where one is out of its limits. */
bool read_table(Rules *rules, Game *game, const i32 *words, i32 length);

/* The slot of a stand whose token its player shows first (first_token.c); -1: no blue
 * wire; TOO_LARGE beyond 16 cases of groups. */
i32 best_first_token(const Rules *rules, const Game *game, i32 stand);

/* The chances of a seat for the values of a mask, as far as they hang on unknown wires; none for
 * mask 0. OK, IMPOSSIBLE, or TOO_LARGE. */
i32 compute_posterior(Tables *tables, const Rules *rules, const Game *game, i32 viewer, u32 values);

/* Draws a deal into the game's unknown wires, after `believe`. False: the tables are damaged. */
bool draw_deal(Tables *tables, const Rules *rules, Game *game);

/* All deals, if they are at most `most`, with their chances. Their number; most + 1 beyond that. */
i32 list_deals(Tables *tables, const Rules *rules, const Game *game, i32 most, u8 *deals,
               double *chance);

/* ---- cards, air and robot (cards.c) ------------------------------------------------------------ */

/* What open number cards allow: all; the value of one, which is turned down then; the sum or the
 * difference of two, which are laid away; the next of a deck, cut by a player who is found by radar,
 * who volunteers, or whom the active player orders. */
enum { NO_CARDS, ONE_CARD, TWO_CARDS, RADAR, VOLUNTEER, ORDERED };

/* Limit cards, as words number them; B to F by their values, G (no equipment) forbids nothing here. */
enum { EVEN = 1, ODD, LOW, HIGH, MIDDLE, OUTER, NO_GEAR, NO_TOKENS, NO_RIGHT, NO_LEFT, NO_SOLO, DEAR };

/* What brings the next limit card of all, and what a round of skipped turns does. */
enum { NEVER, NEXT_STUCK, NEXT_FINISHED, NEXT_PAIR };
enum { ROUND_LOST, ROUND_FREE, ROUND_NEXT };

enum { NO_AIR, POT, EACH }; /* one pot that goes round or lies open, or air before each player */
enum { NO_TRACK = -1, TRACK_END = 12, ROBOT_FAILED = 2 };

/* Whether cards are drawn at random as the game goes on. */
bool draws_cards(const Rules *rules, const Game *game);

/* Cards lie open again where none is left: of what is not cut yet, or all. */
void open_cards(const Rules *rules, Game *game);

/* Whether the open cards, the limit card and the air of the seat to move allow a value. */
bool may_pay_and_open(const Rules *rules, const Game *game, i32 value);

/* The limit card that binds the seat to move; 0: none. */
static inline i32 limit_of(const Rules *rules, const Game *game) {
  if (rules->next_limit) return game->limit;
  return game->free >> game->turn & 1 ? 0 : rules->limit[game->turn];
}

/* The values that a limit card leaves (bits). */
u32 within_limit(i32 limit);

/* Whether the captain turns up the next limit card for a seat that may do nothing: once a turn. */
bool turn_limit_card(const Rules *rules, Game *game);

/* Before a cut: its air is paid and its number card laid away. */
void pay_for(const Rules *rules, Game *game, i32 value);

/* After a cut that worked: the next limit card, the robot. Whether the bomb goes off. */
bool succeed(const Rules *rules, Game *game, i32 value);

/* After one that did not: the steps of the detonator, or of the robot. Whether the bomb goes off. */
bool fail(const Rules *rules, Game *game);

/* A seat that may do nothing: whether the game goes on. */
bool skip(const Rules *rules, Game *game);

/* The next player with wires, and what a turn begins with. */
void next_turn(const Rules *rules, Game *game);

/* Of sure cuts the one with the largest preference is done, of equals the first: cuts that move the
 * robot back, then its lower numbers from above; cuts within an even share of the air, then cheap ones. */
i32 preference(const Rules *rules, const Game *game, i32 value);

/* The steps that the robot is from the end, as a detonator would have them. */
i32 robot_steps(i32 track);

/* A digest of cards, air and robot, for the key of a table. */
u64 cards_key(const Rules *rules, const Game *game);

#endif
