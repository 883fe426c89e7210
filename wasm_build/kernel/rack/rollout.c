/* Win probability by Monte Carlo rollouts of deals that are drawn from a seat's exact posterior.
 *
 * All candidate moves play the same deals (common random numbers). After the candidate every seat
 * plays one fixed policy on its own posterior (seat_posterior.c), never on the true wires:
 *   1 reveal if only red is left
 *   2 a cut that is sure without counting: a shown partner, then the last wires of a value
 *   3 the mission's cut of several wires, if sure or if nothing else may be named
 *   4 the single cut with the largest P(success) - caution P(explosion); caution grows with the
 *     spare steps of the detonator
 * Ties: first stand, slot, value. Missions are data (Rules); the caller refuses what is not modelled.
 *
 * Within one deal the rest of a game depends on the public state alone, so its result is stored
 * under the state's Zobrist hash (Zobrist 1970: xor over slots; turn, steps, cards, skips mixed in):
 * KEPT entries, linear probing, at most half full; bit 0 of a key is the result.
 * Result: one byte a candidate and deal. Cost: games x turns x one posterior.
 * One file, because rules, policy and entry points work on the same game state. */
#include "game.h"

enum { DUAL = 0, SOLO = 1, REVEAL = 2, TOGETHER = 3, POLICY_MOVE = -1, NO_LEGAL_MOVE = -2, HEAD = 26, LAYER = 4,
       LOCKED = 1, TURNED = 2, OWN_ONLY = 4, PAIRED = 8, ONE_BY_ONE = 16, STUCK_EXPLODES = 32,
       MOST_STEPS_LEFT = 9, /* as a position may say */
       MOST_CAUTION = 1000, LEAST_ROOM = 1 << 12,
       EXPLODES = 1, ONLY = 2, LAST_OF_ALL = 4, PLACE = 7, ONE = 16 };

/* `slot` of a cut of several: its places (stand x SLOTS + slot), PLACE bits each. */
typedef struct Choice {
  i32 kind, stand, slot, value;
} Choice;

static i32 place_at(const Choice *choice, i32 i) {
  return choice->slot >> PLACE * i & ((1 << PLACE) - 1);
}

/* ---- number cards ---------------------------------------------------------------------------- */

/* Cards lie open again before a turn: where none is left those of what is not cut yet, or all. */
static void open_cards(const Rules *rules, Game *game) {
  u32 live = 0;
  for (i32 v = 1; v < YELLOW; v++) live |= (u32)(game->uncut[v] > 0) << v;
  if (rules->cards == ONE_CARD) game->open &= live;
  if (rules->cards == ONE_CARD && !game->open) game->open = live;
  if (rules->cards == TWO_CARDS && !(game->open & (game->open - 1)))
    game->open = first_bits(YELLOW) & ~1u;
}

/* The first two open cards of which a value is the sum or the difference (bits); 0: there are none. */
static u32 two_cards(const Game *game, i32 value) {
  for (i32 a = 1; a < YELLOW; a++)
    for (i32 b = a + 1; b < YELLOW; b++)
      if ((a + b == value || b - a == value) && game->open >> a & game->open >> b & 1)
        return 1u << a | 1u << b;
  return 0;
}

/* Whether the open cards allow a value. */
static bool is_open(const Rules *rules, const Game *game, i32 value) {
  if (rules->cards == NO_CARDS) return true;
  return rules->cards == ONE_CARD ? game->open >> value & 1 : two_cards(game, value) > 0;
}

static void lay_away(const Rules *rules, Game *game, i32 value) {
  if (rules->cards) game->open &= ~(rules->cards == ONE_CARD ? 1u << value : two_cards(game, value));
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Limit cards, as words number them; B to F by their values, G (no equipment) forbids nothing here. */
enum { EVEN = 1, ODD, LOW, HIGH, MIDDLE, OUTER, NO_GEAR, NO_TOKENS, NO_RIGHT, NO_LEFT, NO_SOLO, DEAR };

/* The limit card that binds the seat to move; 0: none. */
static i32 limit_of(const Rules *rules, const Game *game) {
  return game->free >> game->turn & 1 ? 0 : rules->limit[game->turn];
}

/* The values that a limit card leaves (bits). */
static u32 within_limit(i32 limit) {
  const u32 even = 0x1554, low = 0x7e, middle = 0x3f0, all = 0x1ffe;
  const u32 left[] = {~0u, even, all & ~even, low, all & ~low, middle, all & ~middle};
  return limit <= OUTER ? left[limit] : ~0u;
}

/* Whether a value is found one by one, by who need not hold one. */
static bool finds(const Rules *rules, i32 value) { return rules->one_by_one && value == YELLOW; }

static bool kills(const Rules *rules, i32 value) { return value == RED || value == rules->deadly; }

/* The slots of a player's own stand whose wires she knows: such as are shown, or seen hidden. */
static u32 known_slots(const Rules *rules, const Game *game, i32 s) {
  return game->shown[s] | (game->hidden[s] & seen_hidden(rules, rules->owner[s], s));
}

/* The slots of a stand that no player may cut yet: loose ones before all four yellow wires are cut. */
static u32 locked_slots(const Rules *rules, const Game *game, i32 s) {
  return rules->locked && game->cut[YELLOW] < COPIES ? rules->loose[s] : 0;
}

/* The number of wires of a value of her own that the seat to move may cut now. */
static i32 cuttable(const Rules *rules, const Game *game, i32 value) {
  i32 count = game->own[game->turn][value];
  for (i32 s = 0; rules->locked && s < rules->stands; s++) {
    u32 known = rules->owner[s] == game->turn ? known_slots(rules, game, s) : 0;
    for (u32 rest = known & locked_slots(rules, game, s); rest; rest &= rest - 1)
      count -= rules->value[game->wire[s][__builtin_ctz(rest)]] == value;
  }
  return count;
}

static bool is_turned(const Rules *rules, const Game *game, i32 s, i32 j) {
  return rules->turned && rules->loose[s] >> j & 1 && (game->hidden[s] | game->shown[s]) >> j & 1;
}

/* What a slot shows, as a term of the game's print. */
static u64 slot_hash(const Game *game, i32 s, i32 j) {
  u64 state = game->hidden[s] >> j & 1 ? HIDDEN : game->shown[s] >> j & 1 ? SHOWN : CUT;
  u64 at = (u64)(s * SLOTS + j) << 4 | state << 2 | game->times[s][j];
  return random_mix(at * RANDOM_STEP ^ game->allowed[s][j]);
}

static u64 has_print(const Game *game, i32 s) {
  return random_mix((u64)(s + 1) << 32 | game->has[s]);
}

/* Counts what follows from the wires and states of a deal. */
static void count_game(const Rules *rules, Game *game) {
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
    game->hash ^= has_print(game, s);
    for (i32 j = 0; j < rules->size[s]; j++) {
      i32 value = rules->value[game->wire[s][j]], is_uncut = uncut >> j & 1;
      game->yellow[s] |= (u32)(value == YELLOW) << j;
      game->uncut[value] += is_uncut;
      game->cut[value] += !is_uncut;
      game->own[player][value] += known >> j & 1;
      game->wires[player] += is_uncut;
      game->harmless[player] += is_uncut && !kills(rules, value);
      game->left += is_uncut && !kills(rules, value);
      game->hash ^= slot_hash(game, s, j);
    }
  }
}

/* A wire of a stand is seen: its stand need not hide one of its value any more. */
static i32 take_up(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = rules->value[game->wire[s][j]];
  game->hash ^= slot_hash(game, s, j);
  if (game->has[s] >> value & 1) {
    game->hash ^= has_print(game, s);
    game->has[s] &= ~(1u << value);
    game->hash ^= has_print(game, s);
  }
  return value;
}

static void show(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = take_up(rules, game, s, j);
  game->own[rules->owner[s]][value] += !(known_slots(rules, game, s) >> j & 1);
  game->hidden[s] &= ~(1u << j);
  game->shown[s] |= 1u << j;
  game->hash ^= slot_hash(game, s, j);
}

static void cut(const Rules *rules, Game *game, i32 s, i32 j) {
  i32 value = take_up(rules, game, s, j), player = rules->owner[s], harmless = !kills(rules, value);
  game->own[player][value] -= known_slots(rules, game, s) >> j & 1;
  game->hidden[s] &= ~(1u << j);
  game->shown[s] &= ~(1u << j);
  game->uncut[value]--;
  game->cut[value]++;
  game->wires[player]--;
  game->harmless[player] -= (u8)harmless;
  game->left -= (u8)harmless;
  game->hash ^= slot_hash(game, s, j);
}

/* The actor's own wire that goes along: a hidden copy before a shown one. */
static void cut_own(const Rules *rules, Game *game, i32 value) {
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
  if (stand >= 0) cut(rules, game, stand, slot);
}

/* Who names a value in vain holds it: known of a player with one stand that shows none. */
static void say_has(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, stands = 0;
  bool shows = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn || !(game->hidden[s] | game->shown[s])) continue;
    for (u32 shown = game->shown[s]; shown; shown &= shown - 1)
      shows |= rules->value[game->wire[s][__builtin_ctz(shown)]] == value;
    stands++;
    stand = s;
  }
  if (stands != 1 || shows) return;
  game->hash ^= has_print(game, stand);
  game->has[stand] |= 1u << value;
  game->hash ^= has_print(game, stand);
}

/* A failed cut's token: the value, in a parity mission even or odd, under x tokens how many of it
 * the stand has (for four there is none). Where there is none all know no more than what the wire is
 * not. */
static void lay_token(const Rules *rules, Game *game, i32 s, i32 j, i32 named) {
  i32 value = rules->value[game->wire[s][j]], count = 0;
  u64 *allowed = &game->allowed[s][j];
  game->hash ^= slot_hash(game, s, j);
  *allowed &= ~rules->of_value[named];
  for (i32 i = 0; rules->token_kind == BY_COUNT && i < rules->size[s]; i++)
    count += rules->value[game->wire[s][i]] == value;
  bool parity = rules->token_kind == BY_PARITY && value < YELLOW, silent = rules->silent >> rules->owner[s] & 1;
  if (silent) *allowed &= ~rules->of_value[RED];
  else if (rules->token_kind == BY_COUNT && count < COPIES) {
    game->times[s][j] = (u8)count;
    *allowed &= ~rules->of_value[RED];
  } else if (parity)
    *allowed &= value % 2 ? rules->odd
                          : ~rules->odd & ~rules->of_value[YELLOW] & ~rules->of_value[RED];
  game->hash ^= slot_hash(game, s, j);
  if (!silent && !parity && rules->token_kind != BY_COUNT) show(rules, game, s, j);
}

/* Several wires at once; where they are not all of the value each gets its token, or all is over.
 * Of a red one nothing more is known than that it is red. */
static i32 cut_together(const Rules *rules, Game *game, const Choice *choice) {
  bool hit = true;
  for (i32 i = 0; i < rules->together.count; i++) {
    i32 at = place_at(choice, i);
    hit &= rules->value[game->wire[at / SLOTS][at % SLOTS]] == rules->together.value;
  }
  if (!hit && (rules->together.explodes || --game->steps <= 0)) return -1;
  for (i32 i = 0; i < rules->together.count; i++) {
    i32 s = place_at(choice, i) / SLOTS, j = place_at(choice, i) % SLOTS;
    if (hit) cut(rules, game, s, j);
    else if (rules->value[game->wire[s][j]] != RED) show(rules, game, s, j);
    else {
      game->hash ^= slot_hash(game, s, j);
      game->allowed[s][j] &= rules->of_value[RED];
      game->hash ^= slot_hash(game, s, j);
    }
  }
  return 0;
}

/* A seat that may do nothing has lost where the card says so; else it skips, for the card's steps. The
 * game is lost too once all have skipped one after the other for no step. Whether the game goes on. */
static bool skip(const Rules *rules, Game *game) {
  i32 steps = rules->skip_steps;
  if (rules->stuck_explodes) return false;
  game->steps -= steps;
  return game->steps > 0 && (++game->skips < (u32)rules->players || steps);
}

/* A wire that was named rightly is cut, and one of the actor's with it. */
static void cut_named(const Rules *rules, Game *game, const Choice *choice) {
  cut(rules, game, choice->stand, choice->slot);
  if (!finds(rules, choice->value)) cut_own(rules, game, choice->value);
  else if (game->steps < MOST_STEPS_LEFT) game->steps++;
}

/* 1 won, -1 lost, 0 the game goes on. */
static i32 apply_move(const Rules *rules, Game *game, const Choice *choice) {
  i32 value = choice->value;
  if (choice->kind == DUAL || choice->kind == SOLO) lay_away(rules, game, value);
  if (choice->kind != NO_LEGAL_MOVE) game->skips = 0;
  if (choice->kind == NO_LEGAL_MOVE) {
    if (!skip(rules, game)) return -1;
  } else if (choice->kind == TOGETHER) {
    if (cut_together(rules, game, choice)) return -1;
  } else if (choice->kind != DUAL) {
    for (i32 s = 0; s < rules->stands; s++)
      for (u32 mine = game->hidden[s] | game->shown[s]; rules->owner[s] == game->turn && mine;
           mine &= mine - 1) {
        i32 j = __builtin_ctz(mine);
        if (choice->kind == REVEAL || rules->value[game->wire[s][j]] == value) cut(rules, game, s, j);
      }
  } else if (rules->value[game->wire[choice->stand][choice->slot]] == value) {
    bool turned = is_turned(rules, game, choice->stand, choice->slot);
    if (turned && rules->owner[choice->stand] != game->turn && --game->steps <= 0) return -1;
    cut_named(rules, game, choice);
  } else {
    if (kills(rules, rules->value[game->wire[choice->stand][choice->slot]])) return -1;
    if (rules->owner[choice->stand] == game->turn) return -1; /* her own turned wire */
    if (rules->explodes >> game->turn & 1 || --game->steps <= 0) return -1;
    lay_token(rules, game, choice->stand, choice->slot, value);
    if (!finds(rules, value)) say_has(rules, game, value);
  }
  if (!game->left) return 1; /* only red is left, and it is shown */
  do game->turn = game->turn + 1 == rules->players ? 0 : game->turn + 1;
  while (!game->wires[game->turn]);
  open_cards(rules, game);
  return 0;
}

/* ---- what a seat does ------------------------------------------------------------------------ */

/* Whether the seat to move may cut the mission's several wires at once. */
static bool may_cut_together(const Rules *rules, const Game *game) {
  const Together *t = &rules->together;
  if (!t->value || game->uncut[t->value] < t->count) return false;
  bool alone = game->own[game->turn][t->value] == game->wires[game->turn];
  return !t->last || game->left == game->uncut[t->value] || alone;
}

/* The values that the seat to move may name (bits). */
static u32 may_name(const Rules *rules, const Game *game) {
  u32 values = 0;
  for (i32 v = 1; v <= YELLOW; v++) {
    bool locked = rules->before[v] && game->cut[rules->before[v]] < rules->unlock;
    bool apart = rules->together.only && v == rules->together.value;
    bool named = (cuttable(rules, game, v) || finds(rules, v)) && is_open(rules, game, v);
    values |= (u32)(named && !locked && !apart && !kills(rules, v)) << v;
  }
  return values & within_limit(limit_of(rules, game));
}

/* The slots of a stand that the seat to move may point at: of her own only such as are turned away
 * from her. Loose wires may be locked until all four yellow ones are cut. */
static u32 may_point(const Rules *rules, const Game *game, i32 s) {
  u32 uncut = (game->hidden[s] | game->shown[s]) & ~locked_slots(rules, game, s);
  u32 loose = rules->loose[s];
  if (rules->owner[s] == game->turn) return uncut & loose & ~known_slots(rules, game, s);
  u32 whole = game->hidden[s] | game->shown[s];
  i32 limit = limit_of(rules, game);
  if (limit == NO_LEFT) uncut &= ~(whole & -whole);
  if (limit == NO_RIGHT && whole) uncut &= ~(1u << (31 - __builtin_clz(whole)));
  return rules->own_only ? uncut & ~loose : uncut;
}

/* What is sure without counting: a shown partner, the last ones (all four even of what is else cut
 * together). */
static bool sure_choice(const Rules *rules, const Game *game, u32 values, Choice *choice) {
  i32 whole = may_cut_together(rules, game) ? rules->together.value : 0;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == game->turn || !game->shown[s]) continue;
    u32 shown = game->shown[s] & may_point(rules, game, s);
    if (rules->turned) shown &= ~rules->loose[s];
    for (; shown; shown &= shown - 1) {
      i32 j = __builtin_ctz(shown), value = rules->value[game->wire[s][j]];
      *choice = (Choice){DUAL, s, j, value};
      if (values >> value & 1) return true;
    }
  }
  if (limit_of(rules, game) == NO_SOLO) return false;
  if (whole && whole < YELLOW && game->own[game->turn][whole] == COPIES) values |= 1u << whole;
  for (u32 some = values; some; some &= some - 1) {
    i32 v = __builtin_ctz(some), own = cuttable(rules, game, v);
    *choice = (Choice){SOLO, 0, 0, v};
    if (finds(rules, v)) continue;
    if (own == game->uncut[v] && (v == YELLOW || own % 2 == 0)) return true;
  }
  return false;
}

/* What the seats weigh: the values they may name, and what each failure costs. */
typedef struct Weighing {
  u32 values;
  double all, caution, best;
  Choice *choice;
} Weighing;

/* A smaller chance is none: what is impossible may come out as some 1e-16. */
static const double NONE = 1e-13;

/* The best of one slot: success less what red costs here, from its chances of the values. */
static void score_slot(const Rules *rules, const Game *game, const double *chance, i32 s, i32 j,
                       Weighing *w) {
  double red = chance[RED] + (rules->deadly ? chance[rules->deadly] : 0), all = w->all;
  bool explodes = rules->explodes >> game->turn & 1 || rules->owner[s] == game->turn;
  for (u32 some = w->values; some; some &= some - 1) {
    i32 v = __builtin_ctz(some);
    if (chance[v] < NONE * all || chance[v] < (w->best - 1e-9) * all) continue;
    double risk = explodes ? all - chance[v] : red;
    double score = chance[v] / all - w->caution * risk / all;
    if (score <= w->best + 1e-12) continue;
    w->best = score;
    *w->choice = (Choice){DUAL, s, j, v};
  }
}

/* Another's turned wire, which the seat sees: it is worth the step that it costs, so nothing, and at
 * the last step it ends the game. */
static void score_turned(const Rules *rules, const Game *game, i32 s, i32 j, Weighing *w) {
  i32 value = rules->value[game->wire[s][j]];
  double score = game->steps > 1 ? 0 : -rules->caution;
  if (!(w->values >> value & 1) || score <= w->best + 1e-12) return;
  w->best = score;
  *w->choice = (Choice){DUAL, s, j, value};
}

/* Of a stand's slots the chances of the values; NULL where the seat sees the wire. */
static void chances_of(const SeatModel *b, i32 s, const double **chance) {
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 e = 0; b->stand[q] == s && e < b->places[q]; e++)
      chance[b->slot[q][e]] = b->chance[q][e];
  for (i32 i = 0; i < b->loose; i++)
    if (b->loose_stand[i] == s) chance[b->loose_slot[i]] = b->loose_chance[i];
}

/* All slots of a stand, from left to right. */
static void score_stand(const Rules *rules, const Game *game, const SeatModel *b, i32 s, Weighing *w) {
  const double *chance[SLOTS] = {0};
  chances_of(b, s, chance);
  for (u32 open = may_point(rules, game, s); open; open &= open - 1) {
    i32 j = __builtin_ctz(open);
    if (chance[j]) score_slot(rules, game, chance[j], s, j, w);
    else if (is_turned(rules, game, s, j)) score_turned(rules, game, s, j, w);
  }
}

/* The likeliest places for a cut of several wires, each by itself; of equals the first. Whether all
 * of them are sure. */
static bool likeliest(const Rules *rules, const Game *game, const SeatModel *b, Choice *choice) {
  double share[STANDS * SLOTS], all = b->open ? b->all : 1;
  i32 value = rules->together.value;
  bool sure = true;
  for (i32 s = 0; s < rules->stands; s++) {
    const double *chance[SLOTS] = {0};
    if (b->open) chances_of(b, s, chance);
    for (i32 j = 0; j < SLOTS; j++) {
      bool uncut = (game->hidden[s] | game->shown[s]) >> j & 1;
      bool same = uncut && rules->value[game->wire[s][j]] == value;
      share[s * SLOTS + j] = !uncut ? -1 : chance[j] ? chance[j][value] / all : same;
    }
  }
  *choice = (Choice){TOGETHER, 0, 0, value};
  for (i32 i = 0; i < rules->together.count; i++) {
    i32 best = 0;
    for (i32 at = 1; at < rules->stands * SLOTS; at++)
      if (share[at] > share[best] + 1e-12) best = at;
    choice->slot |= best << PLACE * i;
    sure &= share[best] >= 1 - 1e-12;
    share[best] = -1;
  }
  return sure;
}

/* The rule of the seats: what is sure, else the largest chance of success less what red costs; a cut
 * of several wires where it is sure, or nothing else is left. Of equals the first stand, slot and
 * value. NO_LEGAL_MOVE: the mission lets the seat do nothing. */
static i32 policy_move(Tables *tables, const Rules *rules, const Game *game, Choice *choice) {
  bool together = may_cut_together(rules, game), only_red = !game->harmless[game->turn];
  *choice = (Choice){REVEAL, 0, 0, 0};
  if (only_red && !(together && rules->together.value == RED)) return OK;
  double worst = -1e6, caution = rules->caution + rules->spare_caution * (game->steps - 1);
  Weighing w = {may_name(rules, game), 0, caution, worst, choice};
  choice->kind = NO_LEGAL_MOVE;
  if (!w.values && !together) return OK;
  if (sure_choice(rules, game, w.values, choice)) return OK;
  u32 values = w.values | 1u << RED | (rules->deadly ? 1u << rules->deadly : 0);
  if (together) values |= 1u << rules->together.value;
  i32 status = compute_posterior(tables, rules, game, game->turn, values);
  const SeatModel *b = &tables->belief;
  bool may_be_stuck = rules->locked || rules->turned || rules->one_by_one || limit_of(rules, game);
  if (status && (b->open || !(may_be_stuck || together))) return status; /* or all is seen */
  if (together && (likeliest(rules, game, b, choice) || !w.values)) return OK;
  w.all = b->all;
  choice->kind = NO_LEGAL_MOVE;
  for (i32 s = 0; s < rules->stands; s++) score_stand(rules, game, b, s, &w);
  return w.best > worst || may_be_stuck ? OK : IMPOSSIBLE;
}

/* ---- games of one deal ----------------------------------------------------------------------- */

/* A table's key, never 0 or 1: whose turn it is, the steps, what lies open. Of one deal alone, since
 * the wires are left out. */
static u64 key_of(const Game *game) {
  u64 round = (u64)game->free << 40 | (u64)(u32)game->turn << 32 | game->open << 16 | game->skips << 8 | (u32)game->steps;
  return random_mix(game->hash ^ round) | 2;
}

/* Where a key lies, or would lie. */
static i32 place_of(const OutcomeTable *ends, u64 key) {
  i32 at = (i32)(key >> 40) % KEPT;
  while (ends->key[at] && (ends->key[at] ^ key) & ~(u64)1) at = (at + 1) % KEPT;
  return at;
}

/* Notes the table: 1 won or 0 lost where a game of this deal went on from it, else -1. */
static i32 probe_outcome(OutcomeTable *ends, const Game *game) {
  u64 key = key_of(game);
  u64 found = ends->key[place_of(ends, key)];
  if (found) return found & 1;
  if (ends->length < LONGEST) ends->way[ends->length++] = key & ~(u64)1;
  return -1;
}

static i32 store_outcome(OutcomeTable *ends, i32 won) {
  for (i32 i = 0; i < ends->length && ends->kept < KEPT / 2; i++, ends->kept++)
    ends->key[place_of(ends, ends->way[i])] = ends->way[i] | (u64)won;
  return won;
}

/* 1 won, 0 lost, below 0 a status. */
static i32 rollout(Tables *tables, const Rules *rules, Game *game) {
  tables->ends.length = 0;
  for (;;) {
    i32 known = probe_outcome(&tables->ends, game);
    if (known >= 0) return store_outcome(&tables->ends, known);
    Choice choice;
    i32 status = policy_move(tables, rules, game, &choice);
    if (status) return status;
    if (choice.kind == NO_LEGAL_MOVE && rules->limit_off && limit_of(rules, game)) {
      game->free |= 1u << game->turn;
      continue;
    }
    i32 end = apply_move(rules, game, &choice);
    if (end) return store_outcome(&tables->ends, end > 0);
  }
}

/* ---- the way in ------------------------------------------------------------------------------ */

static i32 layers_end(i32 layers) { return HEAD + GROUPS + LAYER * layers; }

static bool read_special(Rules *rules, const i32 *w) {
  rules->deadly = w[8];
  rules->explodes = (u32)w[9];
  rules->silent = (u32)w[10];
  rules->unlock = w[11];
  rules->groups = w[12];
  if (w[8] < 0 || w[8] >= YELLOW || w[11] < 0 || w[11] > COPIES) return false;
  if (w[9] < 0 || w[9] >> w[0] || w[10] < 0 || w[10] >> w[0]) return false;
  if (w[12] < 0 || w[12] > GROUPS) return false;
  rules->together =
      (Together){w[14], w[15], w[16] & EXPLODES, w[16] & ONLY, w[16] & LAST_OF_ALL};
  if (w[14] < 0 || w[14] > RED || w[15] < 0 || w[15] > COPIES || w[16] < 0 || w[16] > 7) return false;
  rules->cards = w[17];
  rules->skip_steps = w[18];
  if (w[17] < NO_CARDS || w[17] > TWO_CARDS || w[18] < 0 || w[18] > 9) return false;
  if (w[19] < 0 || w[19] >> YELLOW || w[19] & 1) return false;
  rules->limit_off = w[20] == 1;
  if (w[20] < 0 || w[20] > 1) return false;
  for (i32 p = 0; p < STANDS; p++) {
    rules->limit[p] = w[21 + p];
    if (w[21 + p] < 0 || w[21 + p] > NO_SOLO || w[21 + p] == NO_TOKENS) return false;
  }
  for (i32 g = 1; g <= rules->groups; g++) rules->undrawn[g] = w[HEAD + g - 1];
  return true;
}

static bool read_rules(Rules *rules, const i32 *w, i32 length) {
  memset(rules, 0, sizeof *rules);
  if (length < HEAD) return false;
  rules->players = w[0];
  rules->stands = w[1];
  rules->token_kind = w[4];
  rules->locked = w[13] & LOCKED;
  rules->turned = w[13] & TURNED;
  rules->own_only = w[13] & OWN_ONLY;
  rules->paired = w[13] & PAIRED;
  rules->one_by_one = w[13] & ONE_BY_ONE;
  rules->stuck_explodes = w[13] & STUCK_EXPLODES;
  if (w[4] < BY_VALUE || w[4] > BY_COUNT || w[13] < 0 || w[13] > 63) return false;
  rules->caution = w[5] / 10.0;
  rules->spare_caution = w[6] / 10.0;
  rules->layers = w[7];
  if (w[0] < 2 || w[0] > STANDS || w[1] < 2 || w[1] > STANDS || w[7] < 1 || w[7] > LAYERS)
    return false;
  if (w[2] < 0 || w[2] >= w[0] || w[3] < 1 || w[3] > 9 || length < layers_end(w[7])) return false;
  if (w[5] < 0 || w[5] > MOST_CAUTION || w[6] < 0 || w[6] > MOST_CAUTION) return false;
  if (!read_special(rules, w)) return false;
  for (i32 t = 0; t < rules->layers; t++) {
    const i32 *layer = w + HEAD + GROUPS + LAYER * t;
    i32 value = layer[0], copies = layer[1], group = layer[2], before = layer[3];
    if (value < 1 || value > RED || copies < 1 || copies > COPIES) return false;
    if (group < 0 || group > rules->groups || (group && copies > 1)) return false;
    if (before < 0 || before >= YELLOW) return false;
    rules->group[t] = group;
    if (before) rules->before[value] = before;
    rules->value[t] = value;
    rules->copies[t] = copies;
    rules->of_value[value] |= bit64(t);
    if (value < YELLOW && value % 2) rules->odd |= bit64(t);
  }
  return true;
}

static bool read_game(Rules *rules, Game *game, const i32 *w, i32 length) {
  memset(game, 0, sizeof *game);
  game->turn = w[2];
  game->steps = w[3];
  game->open = rules->cards ? (u32)w[19] : 0;
  i32 at = layers_end(rules->layers);
  for (i32 s = 0; s < rules->stands; s++) {
    if (at + 3 > length) return false;
    rules->owner[s] = w[at];
    rules->size[s] = w[at + 1];
    game->has[s] = (u32)w[at + 2] & ((1u << ONE) - 1);
    u32 single = (u32)w[at + 2] >> ONE;
    rules->single[s] = single >> YELLOW & 1 ? YELLOW : single ? RED : 0;
    at += 3;
    if (rules->owner[s] < 0 || rules->owner[s] >= rules->players) return false;
    if (rules->size[s] < 1 || rules->size[s] > SLOTS || at + 4 * rules->size[s] > length)
      return false;
    for (i32 j = 0; j < rules->size[s]; j++, at += 4) {
      i32 state = w[at] & 3, wire = w[at + 1];
      if (w[at] < 0 || w[at] > 31 || state > SHOWN || wire < 0 || wire >= rules->layers) return false;
      game->times[s][j] = (u8)(w[at] >> 2 & 3);
      rules->counted |= game->times[s][j] > 0 || rules->token_kind == BY_COUNT;
      rules->loose[s] |= (u32)(w[at] >> 4) << j;
      game->hidden[s] |= (u32)(state == HIDDEN) << j;
      game->shown[s] |= (u32)(state == SHOWN) << j;
      game->wire[s][j] = (u8)wire;
      game->allowed[s][j] = (u64)(u32)w[at + 3] << 32 | (u32)w[at + 2];
    }
  }
  if (at != length) return false;
  count_game(rules, game);
  return true;
}

/* Reads the words, and lays the tables into the caller's buffer. */
static i32 open_tables(Tables **tables, Rules *rules, Game *game, const i32 *words, i32 length,
                       u8 *work, i32 bytes) {
  if (!read_rules(rules, words, length) || !read_game(rules, game, words, length)) return BAD;
  if (!game->wires[game->turn]) return BAD; /* who moves has something to cut with */
  i32 doubles = (bytes - (i32)sizeof(Tables) - 16) / 8;
  if (doubles < 3 * LEAST_ROOM || (uintptr_t)work & 15) return TOO_LARGE;
  Tables *t = *tables = (Tables *)work;
  t->after = (double *)(work + ((sizeof(Tables) + 15) & ~(size_t)15));
  t->room = doubles / 8 * 3;
  t->front = t->after + t->room;
  t->most_states = doubles / 32;
  t->state = (State *)(t->front + t->room);
  t->most_edges = doubles / 8 * 3;
  t->edge = (u32 *)(t->state + t->most_states);
  return OK;
}

/* `believe` for the player to move, as one who has nothing to doubt where no stand is open. */
static i32 open_belief(Tables *tables, const Rules *rules, const Game *game, bool *open) {
  i32 status = compute_posterior(tables, rules, game, game->turn, 0);
  *open = tables->belief.open;
  return status == IMPOSSIBLE && !*open ? OK : status;
}

EXPORT(i32, rack_win_draw)(const i32 *words, i32 length, i32 seed, i32 games, u8 *work, i32 bytes,
                           u8 *deals) {
  Rules rules;
  Game game;
  Tables *tables;
  bool open;
  i32 status = open_tables(&tables, &rules, &game, words, length, work, bytes);
  if (status) return status;
  tables->random = (u64)(u32)seed * 0x2545F4914F6CDD1Dull + 1;
  status = open_belief(tables, &rules, &game, &open);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 g = 0; g < games; g++) {
    Game dealt = game;
    if (open && !draw_deal(tables, &rules, &dealt)) return BAD;
    memcpy(deals + g * WIN_DEAL, dealt.wire, WIN_DEAL);
  }
  return 1;
}

EXPORT(i32, rack_win_deals)(const i32 *words, i32 length, i32 most, u8 *work, i32 bytes, u8 *deals,
                            double *chances) {
  Rules rules;
  Game game;
  Tables *tables;
  bool open;
  i32 status = open_tables(&tables, &rules, &game, words, length, work, bytes);
  if (status) return status;
  if (most < 1) return BAD;
  status = open_belief(tables, &rules, &game, &open);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  if (open) return list_deals(tables, &rules, &game, most, deals, chances);
  memcpy(deals, game.wire, WIN_DEAL);
  chances[0] = 1;
  return 1;
}

/* Whether a cut of several wires points at as many that are not cut, each once. */
static bool points_well(const Rules *rules, const Game *game, const Choice *choice) {
  u32 seen[STANDS] = {0};
  for (i32 i = 0; i < rules->together.count; i++) {
    i32 s = place_at(choice, i) / SLOTS, j = place_at(choice, i) % SLOTS;
    if (s >= rules->stands || !((game->hidden[s] | game->shown[s]) & ~seen[s] & 1u << j)) return false;
    seen[s] |= 1u << j;
  }
  return choice->value && choice->value == rules->together.value;
}

static bool read_choice(const Rules *rules, const Game *game, const i32 *words, Choice *choice) {
  *choice = (Choice){words[0], words[1], words[2], words[3]};
  if (choice->kind < POLICY_MOVE || choice->kind > TOGETHER || choice->value < 0 || choice->value > RED)
    return false;
  if (choice->kind == TOGETHER) return points_well(rules, game, choice);
  return choice->stand >= 0 && choice->stand < rules->stands && choice->slot >= 0 &&
         choice->slot < rules->size[choice->stand];
}

/* One deal after one choice: 1 won, 0 lost, below 0 a status. */
static i32 play_deal(Tables *tables, const Rules *rules, const Game *dealt, const Choice *first) {
  Game played = *dealt;
  i32 end = first->kind == POLICY_MOVE ? 0 : apply_move(rules, &played, first);
  i32 result = end ? end > 0 : rollout(tables, rules, &played);
  return result == IMPOSSIBLE ? BAD : result;
}

EXPORT(i32, rack_win_play)(const i32 *words, i32 length, const u8 *deals, i32 games,
                           const i32 *choices, i32 count, u8 *work, i32 bytes, u8 *won) {
  Rules rules;
  Game game;
  Tables *tables;
  i32 status = open_tables(&tables, &rules, &game, words, length, work, bytes);
  if (status) return status;
  for (i32 g = 0; g < games; g++) {
    const u8 *deal = deals + g * WIN_DEAL;
    for (i32 i = 0; i < WIN_DEAL; i++)
      if (deal[i] >= rules.layers) return BAD;
    Game dealt = game;
    memcpy(dealt.wire, deal, WIN_DEAL);
    count_game(&rules, &dealt);
    open_cards(&rules, &dealt);
    memset(&tables->ends, 0, sizeof tables->ends);
    for (i32 c = 0; c < count; c++) {
      Choice first;
      if (!read_choice(&rules, &game, choices + 4 * c, &first)) return BAD;
      i32 result = play_deal(tables, &rules, &dealt, &first);
      if (result < 0) return result;
      won[c * games + g] = (u8)result;
    }
  }
  return 1;
}
