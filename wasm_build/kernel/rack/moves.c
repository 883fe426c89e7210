/* The rules of the game for rollouts: applies moves to a game state, with number cards, limit
 * cards, air and robot.
 *
 * Missions are data (Rules); the caller refuses what is not modelled. Public information is slot
 * states, `allowed` masks and facts (`has`); each change of them updates the Zobrist hash.
 * Decks are sets of cards to come. The k-th draw takes card random_mix(seed + k STEP) mod n of the
 * n that remain, so the order of cards in a deal is the same after every choice, and (seed, draws,
 * deck) determines the rest.
 * Cost: O(slots of the stands touched + values + players) a move. */
#include "rack/game.h"

/* ---- counts and hash ------------------------------------------------------------------------- */

/* The hash term of a slot's public state. */
static u64 slot_hash(const Game *game, i32 s, i32 j) {
  u64 state = game->hidden[s] >> j & 1 ? HIDDEN : game->shown[s] >> j & 1 ? SHOWN : CUT;
  u64 at = (u64)(s * SLOTS + j) << 4 | state << 2 | game->times[s][j];
  return random_mix(at * RANDOM_STEP ^ game->allowed[s][j]);
}

/* The hash term of a stand's facts. */
static u64 has_hash(const Game *game, i32 s) { return random_mix((u64)(s + 1) << 32 | game->has[s]); }

void count_game(const Rules *rules, Game *game) {
  game->hash = 0;
  game->left = 0;
  memset(game->uncut, 0, sizeof game->uncut);
  memset(game->cut, 0, sizeof game->cut);
  memset(game->own, 0, sizeof game->own);
  memset(game->wires, 0, sizeof game->wires);
  memset(game->harmless, 0, sizeof game->harmless);
  for (i32 s = 0; s < rules->stands; s++) {
    i32 player = rules->owner[s];
    u32 uncut = game->hidden[s] | game->shown[s], known = known_slots(rules, game, s);
    game->yellow[s] = 0;
    game->hash ^= has_hash(game, s);
    for (i32 j = 0; j < rules->size[s]; j++) {
      i32 value = rules->value[game->wire[s][j]], is_uncut = uncut >> j & 1;
      game->yellow[s] |= (u32)(value == YELLOW) << j;
      game->uncut[value] += is_uncut;
      game->cut[value] += !is_uncut;
      game->own[player][value] += known >> j & 1;
      game->wires[player] += is_uncut;
      game->harmless[player] += is_uncut && !is_deadly(rules, value);
      game->left += is_uncut && !is_deadly(rules, value);
      game->hash ^= slot_hash(game, s, j);
    }
  }
}

static void set_facts(Game *game, i32 s, u32 has) {
  game->hash ^= has_hash(game, s);
  game->has[s] = has;
  game->hash ^= has_hash(game, s);
}

static void set_allowed(Game *game, i32 s, i32 j, u64 allowed) {
  game->hash ^= slot_hash(game, s, j);
  game->allowed[s][j] = allowed;
  game->hash ^= slot_hash(game, s, j);
}

/* ---- number cards ---------------------------------------------------------------------------- */

/* The values with uncut wires (bits). */
static u32 unfinished_values(const Game *game) {
  u32 values = 0;
  for (i32 v = 1; v < YELLOW; v++) values |= (u32)(game->uncut[v] > 0) << v;
  return values;
}

/* Draws a card from a deck, which is not empty; returns its bit's number. */
static i32 draw_card(Game *game, u32 *deck) {
  u64 at = random_mix((u64)game->seed + (u64)++game->draws * RANDOM_STEP);
  u32 rest = *deck;
  for (i32 n = (i32)(at % (u64)popcount64(rest)); n; n--) rest &= rest - 1;
  i32 card = __builtin_ctz(rest);
  *deck &= ~(1u << card);
  return card;
}

bool draws_cards(const Rules *rules, const Game *game) {
  u32 values = unfinished_values(game);
  bool limits = rules->next_limit == NEXT_STUCK || rules->next_limit == NEXT_FINISHED;
  return (limits && game->letters & (game->letters - 1)) ||
         (rules->number_cards >= RADAR && values & (values - 1));
}

void open_cards(const Rules *rules, Game *game) {
  if (rules->number_cards == NO_CARDS) return;
  u32 values = unfinished_values(game);
  if (rules->number_cards == ONE_CARD) game->open &= values;
  if (rules->number_cards == ONE_CARD && !game->open) game->open = values;
  if (rules->number_cards == TWO_CARDS && !(game->open & (game->open - 1)))
    game->open = first_bits(YELLOW) & ~1u;
}

/* Opens the next card of the deck of unfinished values, which is refilled when it is empty. */
static void open_next_card(Game *game) {
  u32 values = unfinished_values(game);
  game->deck &= values;
  if (!game->deck) game->deck = values;
  game->open = game->deck ? 1u << draw_card(game, &game->deck) : 0;
}

/* The first two open cards with this sum or difference (bits); 0: none. */
static u32 two_cards(const Game *game, i32 value) {
  for (i32 a = 1; a < YELLOW; a++)
    for (i32 b = a + 1; b < YELLOW; b++)
      if ((a + b == value || b - a == value) && game->open >> a & game->open >> b & 1)
        return 1u << a | 1u << b;
  return 0;
}

/* ---- air ------------------------------------------------------------------------------------- */

static i32 air_cost(const Rules *rules, i32 value) {
  return rules->costs_value ? value : (value + 3) / 4; /* 1 to 4: 1, 5 to 8: 2, 9 to 12: 3 */
}

static i32 air_holder(const Rules *rules, const Game *game) { return rules->air == EACH ? game->turn : 0; }

/* Takes air from its holder: it goes to the pot's spent air, or to the player with least air, the
 * first clockwise. */
static void pay_air(const Rules *rules, Game *game, i32 cost) {
  i32 least = -1;
  game->air[air_holder(rules, game)] -= (u8)cost;
  for (i32 n = 1; n < rules->players && rules->air == EACH; n++) {
    i32 p = (game->turn + n) % rules->players;
    if (game->wires[p] && (least < 0 || game->air[p] < game->air[least])) least = p;
  }
  if (least >= 0) game->air[least] += (u8)cost;
  else if (rules->air == POT) game->spent += (u8)cost;
}

bool allows_value(const Rules *rules, const Game *game, i32 value) {
  if (rules->air && air_cost(rules, value) > game->air[air_holder(rules, game)]) return false;
  if (rules->number_cards == NO_CARDS) return true;
  return rules->number_cards == TWO_CARDS ? two_cards(game, value) > 0 : game->open >> value & 1;
}

/* Before a cut: pays its air and uses up its number cards. */
static void pay_for_cut(const Rules *rules, Game *game, i32 value) {
  if (rules->air) pay_air(rules, game, air_cost(rules, value));
  if (rules->number_cards == ONE_CARD) game->open &= ~(1u << value);
  if (rules->number_cards == TWO_CARDS) game->open &= ~two_cards(game, value);
}

/* ---- limit cards and robot ------------------------------------------------------------------- */

u32 values_within(i32 limit) {
  const u32 even = 0x1554, low = 0x7e, middle = 0x3f0, all = 0x1ffe;
  const u32 values[] = {~0u, even, all & ~even, low, all & ~low, middle, all & ~middle};
  return limit <= OUTER ? values[limit] : ~0u;
}

static void draw_limit_card(Game *game) {
  game->limit = game->letters ? draw_card(game, &game->letters) + 1 : 0;
}

bool turn_limit_card(const Rules *rules, Game *game) {
  if (rules->next_limit != NEXT_STUCK || game->turned_card || !game->limit) return false;
  draw_limit_card(game);
  return game->turned_card = true;
}

i32 robot_steps(i32 track) {
  i32 steps = (TRACK_END - 1 - track) / 2;
  return steps > 1 ? steps : 1;
}

/* Returns whether the bomb goes off. */
static bool move_robot(Game *game, i32 by) {
  game->track += by;
  game->steps = robot_steps(game->track);
  return game->track >= TRACK_END;
}

i32 preference(const Rules *rules, const Game *game, i32 value) {
  if (game->track != NO_TRACK) return value == game->track ? YELLOW : value < game->track ? value : 0;
  if (rules->air != POT) return 0;
  i32 cost = air_cost(rules, value), players = 0; /* still to move in the captain's round */
  for (i32 p = game->turn; p < rules->players; p++) players += game->wires[p] > 0;
  return cost * players <= game->air[0] ? 0 : -cost;
}

/* After a success: the next limit card, the robot. Returns whether the bomb goes off. */
static bool after_success(const Rules *rules, Game *game, i32 value) {
  bool finished = value < YELLOW && !game->uncut[value];
  if (finished && rules->next_limit == NEXT_FINISHED) draw_limit_card(game);
  if (finished && rules->next_limit == NEXT_PAIR) game->limit = rules->pair[value];
  return game->track != NO_TRACK && move_robot(game, value == game->track ? -1 : 1);
}

/* After a failure: the detonator or the robot. Returns whether the bomb goes off. */
static bool after_failure(const Rules *rules, Game *game) {
  if (game->track != NO_TRACK) return move_robot(game, ROBOT_FAILED);
  game->steps -= limit_of(rules, game) == TWO_STEPS ? 2 : 1;
  return game->steps <= 0;
}

/* A player without a legal move; returns whether the game continues. */
static bool skip_turn(const Rules *rules, Game *game) {
  u32 players = 0;
  if (rules->stuck_explodes) return false;
  game->steps -= rules->skip_steps;
  for (i32 p = 0; p < rules->players; p++) players += game->wires[p] > 0;
  if (++game->skips < players || rules->skip_steps) return game->steps > 0;
  if (rules->round == ROUND_LOST) return false;
  game->skips = 0;
  if (rules->round == ROUND_FREE) return true;
  draw_limit_card(game);
  return --game->steps > 0;
}

u64 cards_hash(const Rules *rules, const Game *game) {
  if (!rules->next_limit && !rules->air && rules->number_cards < RADAR && game->track == NO_TRACK) return 0;
  u64 decks =
      (u64)game->letters << 32 | (u64)game->deck << 16 | (u64)(u32)game->draws << 1 | game->turned_card;
  u64 air = (u64)game->spent << 40;
  for (i32 p = 0; p < rules->players; p++) air |= (u64)game->air[p] << 8 * p;
  u64 cards = (u64)game->limit << 48 ^ (u64)(game->track + 1) << 56;
  return random_mix(decks ^ random_mix(air ^ cards));
}

/* ---- wires ----------------------------------------------------------------------------------- */

u32 locked_slots(const Rules *rules, const Game *game, i32 s) {
  u32 unsorted = rules->locked && game->cut[YELLOW] < COPIES ? rules->unsorted[s] : 0;
  return limit_of(rules, game) == NO_TOKENS ? unsorted | game->shown[s] : unsorted;
}

i32 count_cuttable(const Rules *rules, const Game *game, i32 value) {
  i32 count = game->own[game->turn][value];
  bool may_be_locked = rules->locked || limit_of(rules, game) == NO_TOKENS;
  for (i32 s = 0; may_be_locked && s < rules->stands; s++) {
    u32 known = rules->owner[s] == game->turn ? known_slots(rules, game, s) : 0;
    for (u32 rest = known & locked_slots(rules, game, s); rest; rest &= rest - 1)
      count -= rules->value[game->wire[s][__builtin_ctz(rest)]] == value;
  }
  return count;
}

/* A wire becomes public: its stand need not hide its value any more. Removes the slot's hash term;
 * returns the value. */
static i32 begin_exposing(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = rules->value[game->wire[s][j]];
  game->hash ^= slot_hash(game, s, j);
  if (game->has[s] >> value & 1) set_facts(game, s, game->has[s] & ~(1u << value));
  return value;
}

void show_wire(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = begin_exposing(rules, game, s, j);
  game->own[rules->owner[s]][value] += !(known_slots(rules, game, s) >> j & 1);
  game->hidden[s] &= ~(1u << j);
  game->shown[s] |= 1u << j;
  game->hash ^= slot_hash(game, s, j);
}

static void cut_wire(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = begin_exposing(rules, game, s, j), player = rules->owner[s];
  u8 harmless = !is_deadly(rules, value);
  game->own[player][value] -= known_slots(rules, game, s) >> j & 1;
  game->hidden[s] &= ~(1u << j);
  game->shown[s] &= ~(1u << j);
  game->uncut[value]--;
  game->cut[value]++;
  game->wires[player]--;
  game->harmless[player] -= harmless;
  game->left -= harmless;
  game->hash ^= slot_hash(game, s, j);
}

/* Cuts the actor's own matching wire: a hidden one before a shown one. */
static void cut_own_match(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, slot = -1;
  for (i32 s = 0; s < rules->stands; s++)
    for (u32 known = known_slots(rules, game, s) & ~locked_slots(rules, game, s);
         rules->owner[s] == game->turn && known; known &= known - 1) {
      i32 j = __builtin_ctz(known), hidden = game->hidden[s] >> j & 1;
      if (rules->value[game->wire[s][j]] != value) continue;
      if (stand >= 0 && (game->hidden[stand] >> slot & 1 || !hidden)) continue;
      stand = s;
      slot = j;
    }
  if (stand >= 0) cut_wire(rules, game, stand, slot);
}

/* Whether a stand shows a wire of a value. */
static bool shows_value(const Rules *rules, const Game *game, i32 s, i32 value) {
  bool shows = false;
  for (u32 shown = game->shown[s]; shown; shown &= shown - 1)
    shows |= rules->value[game->wire[s][__builtin_ctz(shown)]] == value;
  return shows;
}

/* After a failure the actor holds the value named: a fact if the player has one stand with wires
 * and shows none of the value. */
static void note_named_value(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, stands = 0;
  bool shows = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn || !(game->hidden[s] | game->shown[s])) continue;
    shows |= shows_value(rules, game, s, value);
    stands++;
    stand = s;
  }
  if (stands == 1 && !shows) set_facts(game, stand, game->has[stand] | 1u << value);
}

/* A hidden slot has no wire of a value, as all know now. */
static void exclude_value(const Rules *rules, Game *game, i32 s, i32 j, i32 value) {
  set_allowed(game, s, j, game->allowed[s][j] & ~rules->of_value[value]);
}

void answer_radar(const Rules *rules, Game *game, i32 s, i32 value) {
  bool holds = false;
  if (shows_value(rules, game, s, value)) return;
  for (u32 hidden = game->hidden[s]; hidden; hidden &= hidden - 1)
    holds |= rules->value[game->wire[s][__builtin_ctz(hidden)]] == value;
  if (holds) set_facts(game, s, game->has[s] | 1u << value);
  for (u32 hidden = holds ? 0 : game->hidden[s]; hidden; hidden &= hidden - 1)
    exclude_value(rules, game, s, __builtin_ctz(hidden), value);
}

/* The token of a failed cut: the value; in parity missions even or odd; with multiplicity tokens
 * how many wires of the value the stand has (none for four). Without a token all learn only that
 * the wire is not of the value named. */
static void place_failure_token(const Rules *rules, Game *game, i32 s, i32 j, i32 named) {
  i32 value = rules->value[game->wire[s][j]], count = 0;
  u64 *allowed = &game->allowed[s][j];
  game->hash ^= slot_hash(game, s, j);
  *allowed &= ~rules->of_value[named];
  for (i32 i = 0; rules->token_kind == BY_COUNT && i < rules->size[s]; i++)
    count += rules->value[game->wire[s][i]] == value;
  bool parity = rules->token_kind == BY_PARITY && value < YELLOW;
  bool silent = rules->silent >> rules->owner[s] & 1 || limit_of(rules, game) == NO_TOKENS;
  if (silent) *allowed &= ~rules->of_value[RED];
  else if (rules->token_kind == BY_COUNT && count < COPIES) {
    game->times[s][j] = (u8)count;
    *allowed &= ~rules->of_value[RED];
  } else if (parity)
    *allowed &= value % 2 ? rules->odd : ~rules->odd & ~rules->of_value[YELLOW] & ~rules->of_value[RED];
  game->hash ^= slot_hash(game, s, j);
  if (!silent && !parity && rules->token_kind != BY_COUNT) show_wire(rules, game, s, j);
}

/* A player ordered to cut a value not held: a token on the first hidden wire that is not deadly. */
static void place_refusal_token(const Rules *rules, Game *game, i32 value) {
  bool placed = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn) continue;
    for (u32 hidden = game->hidden[s]; hidden; hidden &= hidden - 1) {
      i32 j = __builtin_ctz(hidden);
      exclude_value(rules, game, s, j, value);
      if (placed || is_deadly(rules, rules->value[game->wire[s][j]])) continue;
      show_wire(rules, game, s, j);
      placed = true;
    }
  }
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* A cut of several wires. If not all are of the value, each gets its token; of a red one all learn
 * that it is red. Returns whether the bomb goes off. */
static bool cut_several(const Rules *rules, Game *game, const Choice *choice) {
  bool success = true;
  for (i32 i = 0; i < rules->multi_cut.count; i++) {
    i32 at = place_at(choice, i);
    success &= rules->value[game->wire[at / SLOTS][at % SLOTS]] == rules->multi_cut.value;
  }
  if (!success && (rules->multi_cut.explodes || --game->steps <= 0)) return true;
  for (i32 i = 0; i < rules->multi_cut.count; i++) {
    i32 s = place_at(choice, i) / SLOTS, j = place_at(choice, i) % SLOTS;
    if (success) cut_wire(rules, game, s, j);
    else if (rules->value[game->wire[s][j]] != RED) show_wire(rules, game, s, j);
    else set_allowed(game, s, j, game->allowed[s][j] & rules->of_value[RED]);
  }
  return false;
}

/* Solo cut of a value, or reveal: of all wires of the player to move. */
static void cut_own_wires(const Rules *rules, Game *game, const Choice *choice) {
  for (i32 s = 0; s < rules->stands; s++)
    for (u32 mine = game->hidden[s] | game->shown[s]; rules->owner[s] == game->turn && mine;
         mine &= mine - 1) {
      i32 j = __builtin_ctz(mine);
      if (choice->kind == REVEAL || rules->value[game->wire[s][j]] == choice->value)
        cut_wire(rules, game, s, j);
    }
}

/* Returns whether the bomb goes off; sets `success`. */
static bool cut_dual(const Rules *rules, Game *game, const Choice *choice, bool *success) {
  i32 s = choice->stand, j = choice->slot, wire = rules->value[game->wire[s][j]];
  bool mine = rules->owner[s] == game->turn; /* a turned wire */
  *success = wire == choice->value;
  if (*success) {
    if (is_turned(rules, game, s, j) && !mine && --game->steps <= 0) return true;
    cut_wire(rules, game, s, j);
    if (!is_cut_alone(rules, choice->value)) cut_own_match(rules, game, choice->value);
    else if (game->steps < MAX_STEPS) game->steps++;
    return false;
  }
  if (is_deadly(rules, wire) || mine || rules->explodes >> game->turn & 1) return true;
  if (after_failure(rules, game)) return true;
  place_failure_token(rules, game, s, j, choice->value);
  if (!is_cut_alone(rules, choice->value)) note_named_value(rules, game, choice->value);
  return false;
}

/* Ends a turn: the next player with wires, and the cards that a turn begins with. */
static void next_turn(const Rules *rules, Game *game) {
  game->turn = game->active;
  do {
    game->turn = game->turn + 1 == rules->players ? 0 : game->turn + 1;
    if (!game->turn) { /* the captain's turn, even without wires */
      game->air[0] += game->spent;
      game->spent = 0;
    }
  } while (!game->wires[game->turn]);
  game->active = game->turn;
  game->turned_card = false;
  if (rules->number_cards >= RADAR) open_next_card(game);
  else open_cards(rules, game);
}

i32 apply_move(const Rules *rules, Game *game, const Choice *choice) {
  i32 value = choice->value;
  bool exploded = false, success = choice->kind == SOLO;
  if (choice->kind == DUAL || choice->kind == SOLO) pay_for_cut(rules, game, value);
  if (choice->kind != NO_LEGAL_MOVE) game->skips = 0;
  switch (choice->kind) {
    case NO_LEGAL_MOVE: exploded = !skip_turn(rules, game); break;
    case NOT_HELD:
      place_refusal_token(rules, game, value);
      exploded = after_failure(rules, game);
      break;
    case MULTI_CUT: exploded = cut_several(rules, game, choice); break;
    case DUAL: exploded = cut_dual(rules, game, choice, &success); break;
    default: cut_own_wires(rules, game, choice);
  }
  if (exploded || (success && after_success(rules, game, value))) return -1;
  if (!game->left) return 1; /* only deadly wires are left, which are revealed */
  next_turn(rules, game);
  return 0;
}
