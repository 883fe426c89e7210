/* Game states and seat posteriors, shared by rollout.c (policy, rollouts), moves.c (rules of the
 * game), seat_view.c (what a seat knows), seat_posterior.c and first_token.c. */
#ifndef CLUEWISE_RACK_GAME_H
#define CLUEWISE_RACK_GAME_H

#include "rack/rack.h"
#include "shared/random.h"

enum { STANDS = WIN_STANDS, SLOTS = WIN_SLOTS, HIDDEN = 0, CUT = 1, SHOWN = 2, MAX_STEPS = 9 };
enum {
  OTHERS = STANDS - 1, /* stands of other players */
  INNER = OTHERS - 2,  /* the last two, in the inner loops */
  LAST = OTHERS - 1,
  COUNTS = COPIES + 1, /* 0 to 4 copies of a layer */
  MAX_CASES = 256,
  MAX_DOUBTFUL = 12,
  SUBSETS = 1 << UNSORTED,
  FILL_BITS = SLOTS + 1, /* of a stand in State.bits */
  UNSORTED_AT = OTHERS * FILL_BITS,
  MAX_ALLOCATIONS = 35, /* of four copies to four stands */
  MAX_LAYER_ALLOCATIONS = 192, /* of four copies to four stands and four unsorted places */
  OUTCOMES = 1 << 12,
  MAX_TURNS = 128
};

/* A cut of `count` wires of a value at once, on any stands. */
typedef struct MultiCut {
  i32 value, count; /* value 0: the mission has none */
  bool explodes;    /* a failure ends the game */
  bool only;        /* the value is cut in no other way */
  bool last;        /* only if nothing else but red is left, on all stands or to the player */
} MultiCut;

/* The rules and constants of a table; see GAME ENCODING in rack.h. */
typedef struct Rules {
  i32 players, stands, layers, token_kind, value[LAYERS], copies[LAYERS];
  double caution, spare_caution; /* cost of red in successes: base, more per spare step */
  u64 of_value[VALUES], odd;     /* layers (bits) */
  i32 owner[STANDS], size[STANDS];
  i32 groups, group[LAYERS], undrawn[GROUPS + 1]; /* group 0: the wire is certainly in play */
  i32 deadly;                /* a value that counts as red; 0: none */
  u32 explodes, silent;      /* players (bits) whose failure ends the game; at whose stand it places
                                no token */
  i32 unlock, before[VALUES]; /* locked until `unlock` wires of value `before` are cut; 0: free */
  u32 unsorted[STANDS];      /* slots (bits) */
  bool locked;               /* unsorted wires may not be cut before all four yellow ones */
  bool has_counts;           /* multiplicity tokens lie or may come */
  bool turned, own_only;     /* unsorted wires: all but the owner see; only the owner cuts them */
  bool paired;               /* of a player's two unsorted wires the first is the lower */
  bool stuck_explodes;       /* a player without a legal cut loses the game; else skips */
  bool one_by_one;           /* yellow is named without holding one, cut alone, and gains a step */
  MultiCut multi_cut;
  i32 number_cards, skip_steps; /* what open cards allow (see below); steps of a skipped turn */
  i32 limit[STANDS];         /* a player's own limit card, 1 A to 12 L; 0: none */
  bool limit_off;            /* a player who cannot follow the card discards it */
  i32 next_limit, round;     /* see below */
  i32 pair[YELLOW];          /* limit card that a finished value brings; 0: none */
  i32 air;                   /* see below: who holds the air that cuts cost */
  bool costs_value;          /* a cut costs its value in air; else 1 to 3 */
  i32 single[STANDS];        /* YELLOW or RED: the stand was dealt exactly one; else 0 */
} Rules;

/* The state of a game, wires included. Counts and hash follow from wires and slot states and are
 * updated incrementally. `hash` is a Zobrist hash: the xor of a term for each slot and stand. */
typedef struct Game {
  i32 turn, active, steps; /* active: whose turn it is, if another player cuts */
  u32 open, skips;         /* values of open number cards (bits); turns skipped in a row */
  u32 free;                /* players (bits) who discarded their limit card */
  u32 seed, letters, deck; /* of card draws; limit cards and number cards to come (bits) */
  i32 draws, limit, track; /* cards drawn; common limit card; space of the robot, or NO_TRACK */
  bool turned_card;        /* the captain turned up a limit card in this turn */
  u8 air[STANDS], spent;   /* of each player, or the pot in air[0]; air that returns to the pot */
  u32 has[STANDS];         /* values (bits) of which the stand is known to hide a wire */
  u8 wire[STANDS][SLOTS], times[STANDS][SLOTS]; /* layer; number on a multiplicity token */
  u64 allowed[STANDS][SLOTS];                   /* layers that public information leaves (bits) */
  u32 hidden[STANDS], shown[STANDS], yellow[STANDS]; /* slots (bits); the others are cut */
  u64 hash;
  u8 uncut[VALUES], cut[VALUES], own[STANDS][VALUES]; /* own: uncut wires that a player knows */
  u8 wires[STANDS], harmless[STANDS], left; /* uncut wires of a player; not deadly ones; in all */
} Game;

/* ---- posterior of a seat --------------------------------------------------------------------- */

/* A way to distribute the copies of a layer: k to each stand, one to each unsorted place of `set`.
 * Legal in states with (bits & care) == need. */
typedef struct Allocation {
  u8 k[OTHERS], set;
  u64 care, need;
  double weight;
} Allocation;

/* The states between two layers: set of filled unsorted places x fill levels of stands 0, 1, 2; the
 * level of stand 3 follows. In a table: one block of `cells` doubles per set, the levels of stand 2
 * adjacent.
 *
 *   at | set 0: count[0] x count[1] x count[2] | set 1 | ... */
typedef struct LayerStates { i32 low[LAST], count[LAST], at, cells; } LayerStates;

/* A reachable state.
 *
 *   bits   one-hot fill level of stand 0 | 1 | 2 | 3 (FILL_BITS each) | filled unsorted places
 *   ends   index in its layer (16 bits) | index in the next layer if nothing is added */
typedef struct State {
  u64 bits;
  u32 ends;
} State;

/* The unknown wires and places of a seat. Absent stands come first (without places), then the
 * others by ascending number of places: the level of the last one follows from the rest, and the
 * inner loop is long. */
typedef struct SeatModel {
  i32 layers, wire[LAYERS], copies[LAYERS], total[LAYERS + 1]; /* total[d]: copies below layer d */
  i32 doubtful, doubtful_layer[MAX_DOUBTFUL]; /* layers of groups, of which some are not in play */
  i32 stand[OTHERS], places[OTHERS], slot[OTHERS][SLOTS];
  i32 colour[OTHERS], facts; /* YELLOW or RED: the stand holds one for sure; number of such */
  bool single[OTHERS];       /* it holds exactly one of that colour */
  /* Bit n of these masks is place n, from left to right, or the level n: n places are filled. */
  u32 must[OTHERS][LAYERS];         /* not 0: the stand holds a copy for sure */
  u32 need[OTHERS][LAYERS];         /* that, or the first wire of its colour in this case */
  u32 fits[OTHERS][LAYERS];         /* places where the layer may stand */
  u32 from[OTHERS][LAYERS][COUNTS]; /* levels from which k copies fit and the rest can be placed */
  u32 reach[OTHERS][LAYERS + 1];    /* levels between two layers */
  double weight[OTHERS][LAYERS][COUNTS]; /* 1 / (copies on the stand)!, for k added */
  LayerStates level[LAYERS + 1];
  bool has_counts;
  u32 counted[OTHERS][COUNTS]; /* places whose token counts so many wires of their value */
  i32 visible[OTHERS][VALUES], exact[OTHERS][VALUES]; /* visible wires; total, by a token */
  i32 unsorted, unsorted_stand[UNSORTED], unsorted_slot[UNSORTED];
  i32 equal[UNSORTED];                /* the layer of the pair's known wire, or -1 */
  bool pair, unknown;                 /* the two unsorted places are a pair; any place is unknown */
  u32 holds[LAYERS], on_stand[OTHERS]; /* unsorted places that may hold a layer; of a stand */
  double chance[OTHERS][SLOTS][VALUES], total_weight; /* chances by value, times total_weight */
  double unsorted_chance[UNSORTED][VALUES];
} SeatModel;

/* Edges of one allocation: `count` entries of Tables.edge, each the index of a state in its layer
 * (16 bits) and in the next one. */
typedef struct EdgeRun {
  double weight;
  i32 count;
} EdgeRun;

/* One case of the facts that are not local to a layer. */
typedef struct Case {
  double weight;
  u32 undrawn;       /* which doubtful layers are not in play (bits) */
  i32 first[OTHERS]; /* the layer of the stand's first (or only) wire of its colour, or -1 */
} Case;

/* Transposition table of one deal: the result of the game from a state. Entry: hash, bit 0 set if
 * the game is won; 0: empty. `path` has the states of the current game. */
typedef struct OutcomeTable {
  u64 key[OUTCOMES], path[MAX_TURNS];
  i32 used, length;
} OutcomeTable;

/* Work space of the posteriors, in the caller's buffer. */
typedef struct Tables {
  SeatModel seat;
  OutcomeTable outcomes;
  Case cases[MAX_CASES];
  i32 case_count, capacity, max_states, max_edges, first_edge[LAYERS], runs[LAYERS];
  EdgeRun run[LAYERS][MAX_LAYER_ALLOCATIONS];
  bool edges_stored;           /* of all layers; else only those of the last one listed */
  u64 random, work;            /* work: transitions tested */
  double *backward, *forward;  /* weight of all paths from a state to the end, and to the state */
  State *state;                /* of one layer */
  u32 *edge;
  Allocation allocation[LAYERS][MAX_LAYER_ALLOCATIONS]; /* while deals are drawn or listed */
} Tables;

static inline u32 first_bits(i32 n) { return ((u32)1 << n) - 1; } /* n < 32 */

/* Writes a deal: the wires, and the seed of the cards to come. */
static inline void write_deal(const u8 wire[STANDS][SLOTS], u64 random, u8 *deal) {
  u32 seed = (u32)(random >> 32);
  memcpy(deal, wire, WIN_WIRES);
  memcpy(deal + WIN_WIRES, &seed, sizeof seed);
}

/* The slots of a stand whose wire a seat would see if it were hidden: its own, except turned ones;
 * turned ones of others. */
static inline u32 visible_if_hidden(const Rules *rules, i32 viewer, i32 s) {
  u32 turned = rules->turned ? rules->unsorted[s] : 0;
  return rules->owner[s] == viewer ? ~turned : turned;
}

/* The slots of a stand whose wire a seat knows. A shown yellow's number is known to its owner. */
static inline u32 visible_slots(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u32 hidden = game->hidden[s] & ~visible_if_hidden(rules, viewer, s);
  u32 shown = rules->owner[s] == viewer ? 0 : game->shown[s] & game->yellow[s];
  return first_bits(rules->size[s]) & ~hidden & ~shown;
}

/* Reads GAME ENCODING; false if a number exceeds its limits (decode.c). */
bool read_game(Rules *rules, Game *game, const i32 *encoded, i32 length);

/* The slot of the best first token of a stand (first_token.c); -1: no blue wire; TOO_LARGE: more
 * than 16 cases of groups. */
i32 best_first_token(const Rules *rules, const Game *game, i32 stand);

/* Reads what a seat knows (seat_view.c): OK, IMPOSSIBLE if no place is unknown, or TOO_LARGE. */
i32 read_view(const Rules *rules, const Game *game, i32 viewer, SeatModel *seat);

/* Computes a seat's chances of the values of a mask at its unknown places; with mask 0 only what
 * `draw_deal` and `list_deals` need. OK, IMPOSSIBLE or TOO_LARGE. */
i32 compute_posterior(Tables *tables, const Rules *rules, const Game *game, i32 viewer, u32 values);

/* Draws the game's unknown wires, after `compute_posterior` with mask 0. False: damaged tables. */
bool draw_deal(Tables *tables, const Rules *rules, Game *game);

/* Lists all deals with their chances if they are at most `most`; their number, or most + 1. */
i32 list_deals(Tables *tables, const Rules *rules, const Game *game, i32 most, u8 *deals, double *chance);

/* ---- rules of the game (moves.c) ------------------------------------------------------------- */

enum { POLICY_MOVE = -1, NO_LEGAL_MOVE = -2, NOT_HELD = -3, DUAL = 0, SOLO, REVEAL, MULTI_CUT };
enum { PLACE_BITS = 7 };

/* A move; `slot` of a multi-wire cut: its places (stand x SLOTS + slot), PLACE_BITS each. */
typedef struct Choice { i32 kind, stand, slot, value; } Choice;

static inline i32 place_at(const Choice *choice, i32 i) {
  return choice->slot >> PLACE_BITS * i & ((1 << PLACE_BITS) - 1);
}

/* What open number cards allow: every value; the value of one, which is then turned down; the sum
 * or difference of two, which are discarded; the next card of a deck, cut by a player found by
 * radar, by a volunteer, or by one whom the active player orders. */
enum { NO_CARDS, ONE_CARD, TWO_CARDS, RADAR, VOLUNTEER, ORDERED };

/* Limit cards A to L. A to F restrict values; G (no equipment) forbids nothing here. */
enum { EVEN = 1, ODD, LOW, HIGH, MIDDLE, OUTER, NO_GEAR, NO_TOKENS, NO_RIGHT, NO_LEFT, NO_SOLO, TWO_STEPS };

/* What brings the next common limit card; the effect of a round of skipped turns. */
enum { NEVER, NEXT_STUCK, NEXT_FINISHED, NEXT_PAIR };
enum { ROUND_LOST, ROUND_FREE, ROUND_NEXT };

enum { NO_AIR, POT, EACH }; /* air: none, one pot, or in front of each player */
enum { NO_TRACK = -1, TRACK_END = 12, ROBOT_FAILED = 2 };

static inline bool is_deadly(const Rules *rules, i32 value) { return value == RED || value == rules->deadly; }

/* Whether wires of a value are cut alone, by players who need not hold one. */
static inline bool is_cut_alone(const Rules *rules, i32 value) {
  return rules->one_by_one && value == YELLOW;
}

/* The slots of a stand whose uncut wires its owner knows. */
static inline u32 known_slots(const Rules *rules, const Game *game, i32 s) {
  return game->shown[s] | (game->hidden[s] & visible_if_hidden(rules, rules->owner[s], s));
}

static inline bool is_turned(const Rules *rules, const Game *game, i32 s, i32 j) {
  return rules->turned && rules->unsorted[s] >> j & 1 && (game->hidden[s] | game->shown[s]) >> j & 1;
}

/* The limit card that binds the player to move; 0: none. */
static inline i32 limit_of(const Rules *rules, const Game *game) {
  if (rules->next_limit) return game->limit;
  return game->free >> game->turn & 1 ? 0 : rules->limit[game->turn];
}

/* Counts and hash of a game from its wires and slot states. */
void count_game(const Rules *rules, Game *game);

/* The slots of a stand that the player to move may not cut now. */
u32 locked_slots(const Rules *rules, const Game *game, i32 s);

/* The number of own wires of a value that the player to move may cut now. */
i32 count_cuttable(const Rules *rules, const Game *game, i32 value);

/* Turns up a hidden wire. */
void show_wire(const Rules *rules, Game *game, i32 s, i32 j);

/* Makes public whether a stand hides wires of a value, if it shows none (the answer to radar). */
void answer_radar(const Rules *rules, Game *game, i32 s, i32 value);

/* Plays a move of the player to move: 1 won, -1 lost, 0 the game continues. */
i32 apply_move(const Rules *rules, Game *game, const Choice *choice);

/* Whether cards are drawn at random during the game. */
bool draws_cards(const Rules *rules, const Game *game);

/* Turns number cards up again if none is open. */
void open_cards(const Rules *rules, Game *game);

/* Whether open number cards and the air of the player to move allow a value. */
bool allows_value(const Rules *rules, const Game *game, i32 value);

/* The values that a limit card allows (bits). */
u32 values_within(i32 limit);

/* Turns up the next limit card for a player without a legal move; false if that is not allowed, at
 * most once a turn. */
bool turn_limit_card(const Rules *rules, Game *game);

/* Rank among certain cuts, the largest first: cuts that move the robot back, then its lower
 * numbers, descending; cuts within an even share of the air, then cheap ones. */
i32 preference(const Rules *rules, const Game *game, i32 value);

/* The robot's distance from the end in steps of a detonator. */
i32 robot_steps(i32 track);

/* Hash of cards, air and robot; 0 if they do not change. */
u64 cards_hash(const Rules *rules, const Game *game);

#endif
