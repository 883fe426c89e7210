/* A mission's cards, air and robot: what they allow, what a cut costs, what changes with the turns. */
#ifndef CLUEWISE_RACK_CARDS_H
#define CLUEWISE_RACK_CARDS_H

#include "rack/game.h"

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
