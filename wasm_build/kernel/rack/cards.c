/* A mission's cards, air and robot during a rollout; see game.h for the readings that are data.
 *
 * Decks are sets of cards that may still come. The k-th draw of a deal takes card
 * random_mix(seed + k STEP) mod n of the n that are left, so that a deal has the same order of cards
 * whatever is chosen, and a state (seed, draws, deck) determines the rest.
 * Cost: O(values + players) a turn. */
#include "rack/game.h"

static u32 live_numbers(const Game *game) {
  u32 live = 0;
  for (i32 v = 1; v < YELLOW; v++) live |= (u32)(game->uncut[v] > 0) << v;
  return live;
}

/* Takes a card out of a deck that holds some; its bit's place. */
static i32 draw(Game *game, u32 *deck) {
  u64 at = random_mix((u64)game->seed + (u64)++game->draws * RANDOM_STEP);
  u32 rest = *deck;
  for (i32 n = (i32)(at % (u64)popcount64(rest)); n; n--) rest &= rest - 1;
  i32 card = __builtin_ctz(rest);
  *deck &= ~(1u << card);
  return card;
}

bool draws_cards(const Rules *rules, const Game *game) {
  u32 live = live_numbers(game);
  bool limits = rules->next_limit == NEXT_STUCK || rules->next_limit == NEXT_FINISHED;
  return (limits && game->letters & (game->letters - 1)) ||
         (rules->cards >= RADAR && live & (live - 1));
}

/* ---- number cards ---------------------------------------------------------------------------- */

void open_cards(const Rules *rules, Game *game) {
  if (rules->cards == NO_CARDS) return;
  u32 live = live_numbers(game);
  if (rules->cards == ONE_CARD) game->open &= live;
  if (rules->cards == ONE_CARD && !game->open) game->open = live;
  if (rules->cards == TWO_CARDS && !(game->open & (game->open - 1)))
    game->open = first_bits(YELLOW) & ~1u;
}

/* The next card of the deck of numbers that are not finished; of all of them, if it has run out. */
static void open_next(Game *game) {
  u32 live = live_numbers(game);
  game->deck &= live;
  if (!game->deck) game->deck = live;
  game->open = game->deck ? 1u << draw(game, &game->deck) : 0;
}

/* The first two open cards of which a value is the sum or the difference (bits); 0: there are none. */
static u32 two_cards(const Game *game, i32 value) {
  for (i32 a = 1; a < YELLOW; a++)
    for (i32 b = a + 1; b < YELLOW; b++)
      if ((a + b == value || b - a == value) && game->open >> a & game->open >> b & 1)
        return 1u << a | 1u << b;
  return 0;
}

/* ---- air ------------------------------------------------------------------------------------- */

static i32 cost_of(const Rules *rules, i32 value) {
  return rules->dear_values ? value : (value + 3) / 4; /* 1 to 4: 1, 5 to 8: 2, 9 to 12: 3 */
}

static u8 *air_of(const Rules *rules, Game *game) {
  return &game->air[rules->air == EACH ? game->turn : 0];
}

/* The seats from the one to move to the end of the captain's round. */
static i32 seats_left(const Rules *rules, const Game *game) {
  i32 seats = 0;
  for (i32 p = game->turn; p < rules->players; p++) seats += game->wires[p] > 0;
  return seats;
}

/* Air that was paid: to the card, or to the player clockwise who has least. */
static void pay(const Rules *rules, Game *game, i32 cost) {
  i32 least = -1;
  *air_of(rules, game) -= (u8)cost;
  for (i32 n = 1; n < rules->players && rules->air == EACH; n++) {
    i32 p = (game->turn + n) % rules->players;
    if (game->wires[p] && (least < 0 || game->air[p] < game->air[least])) least = p;
  }
  if (least >= 0) game->air[least] += (u8)cost;
  else if (rules->air == POT) game->spent += (u8)cost;
}

bool may_pay_and_open(const Rules *rules, const Game *game, i32 value) {
  i32 held = game->air[rules->air == EACH ? game->turn : 0];
  if (rules->air && cost_of(rules, value) > held) return false;
  if (rules->cards == NO_CARDS) return true;
  return rules->cards == TWO_CARDS ? two_cards(game, value) > 0 : game->open >> value & 1;
}

void pay_for(const Rules *rules, Game *game, i32 value) {
  if (rules->air) pay(rules, game, cost_of(rules, value));
  if (rules->cards == ONE_CARD) game->open &= ~(1u << value);
  if (rules->cards == TWO_CARDS) game->open &= ~two_cards(game, value);
}

/* ---- limit cards ----------------------------------------------------------------------------- */

u32 within_limit(i32 limit) {
  const u32 even = 0x1554, low = 0x7e, middle = 0x3f0, all = 0x1ffe;
  const u32 left[] = {~0u, even, all & ~even, low, all & ~low, middle, all & ~middle};
  return limit <= OUTER ? left[limit] : ~0u;
}

static void next_limit(Game *game) { game->limit = game->letters ? draw(game, &game->letters) + 1 : 0; }

bool turn_limit_card(const Rules *rules, Game *game) {
  if (rules->next_limit != NEXT_STUCK || game->turned_card || !game->limit) return false;
  next_limit(game);
  return game->turned_card = true;
}

/* ---- turns ----------------------------------------------------------------------------------- */

i32 robot_steps(i32 track) {
  i32 steps = (TRACK_END - 1 - track) / 2;
  return steps > 1 ? steps : 1;
}

static bool move_robot(Game *game, i32 by) {
  game->track += by;
  game->steps = robot_steps(game->track);
  return game->track >= TRACK_END;
}

bool succeed(const Rules *rules, Game *game, i32 value) {
  bool finished = value < YELLOW && !game->uncut[value];
  if (finished && rules->next_limit == NEXT_FINISHED) next_limit(game);
  if (finished && rules->next_limit == NEXT_PAIR) game->limit = rules->pair[value];
  return game->track != NO_TRACK && move_robot(game, value == game->track ? -1 : 1);
}

bool fail(const Rules *rules, Game *game) {
  if (game->track != NO_TRACK) return move_robot(game, ROBOT_FAILED);
  game->steps -= limit_of(rules, game) == DEAR ? 2 : 1;
  return game->steps <= 0;
}

bool skip(const Rules *rules, Game *game) {
  u32 seats = 0;
  if (rules->stuck_explodes) return false;
  game->steps -= rules->skip_steps;
  for (i32 p = 0; p < rules->players; p++) seats += game->wires[p] > 0;
  if (++game->skips < seats || rules->skip_steps) return game->steps > 0;
  if (rules->round == ROUND_LOST) return false;
  game->skips = 0;
  if (rules->round == ROUND_FREE) return true;
  next_limit(game);
  return --game->steps > 0;
}

void next_turn(const Rules *rules, Game *game) {
  game->turn = game->active;
  do {
    game->turn = game->turn + 1 == rules->players ? 0 : game->turn + 1;
    if (!game->turn) { /* the captain's turn, though she may have no wires left */
      game->air[0] += game->spent;
      game->spent = 0;
    }
  } while (!game->wires[game->turn]);
  game->active = game->turn;
  game->turned_card = false;
  if (rules->cards >= RADAR) open_next(game);
  else open_cards(rules, game);
}

i32 preference(const Rules *rules, const Game *game, i32 value) {
  if (game->track != NO_TRACK)
    return value == game->track ? YELLOW : value < game->track ? value : 0;
  if (rules->air != POT) return 0;
  i32 cost = cost_of(rules, value);
  return cost * seats_left(rules, game) <= game->air[0] ? 0 : -cost;
}

u64 cards_key(const Rules *rules, const Game *game) {
  if (!rules->next_limit && !rules->air && rules->cards < RADAR && game->track == NO_TRACK) return 0;
  u64 decks = (u64)game->letters << 32 | (u64)game->deck << 16 | (u64)(u32)game->draws << 1 |
              game->turned_card;
  u64 air = (u64)game->spent << 40;
  for (i32 p = 0; p < rules->players; p++) air |= (u64)game->air[p] << 8 * p;
  return random_mix(decks ^ random_mix(air ^ (u64)game->limit << 48 ^ (u64)(game->track + 1) << 56));
}
