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
#include "rack/game.h"

enum { DUAL = 0, SOLO = 1, REVEAL = 2, TOGETHER = 3, POLICY_MOVE = -1, NO_LEGAL_MOVE = -2, NOT_HELD = -3,
       LEAST_ROOM = 1 << 12, PLACE = 7 };

/* `slot` of a cut of several: its places (stand x SLOTS + slot), PLACE bits each. */
typedef struct Choice {
  i32 kind, stand, slot, value;
} Choice;

static i32 place_at(const Choice *choice, i32 i) {
  return choice->slot >> PLACE * i & ((1 << PLACE) - 1);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Whether a value is found one by one, by who need not hold one. */
static bool finds(const Rules *rules, i32 value) { return rules->one_by_one && value == YELLOW; }

static bool kills(const Rules *rules, i32 value) { return value == RED || value == rules->deadly; }

/* The slots of a player's own stand whose wires she knows: such as are shown, or seen hidden. */
static u32 known_slots(const Rules *rules, const Game *game, i32 s) {
  return game->shown[s] | (game->hidden[s] & seen_hidden(rules, rules->owner[s], s));
}

/* The slots of a stand that the seat to move may not cut now: loose ones before all four yellow wires
 * are cut; under limit card H such as show a token. */
static u32 locked_slots(const Rules *rules, const Game *game, i32 s) {
  u32 loose = rules->locked && game->cut[YELLOW] < COPIES ? rules->loose[s] : 0;
  return limit_of(rules, game) == NO_TOKENS ? loose | game->shown[s] : loose;
}

/* The number of wires of a value of her own that the seat to move may cut now. */
static i32 cuttable(const Rules *rules, const Game *game, i32 value) {
  i32 count = game->own[game->turn][value];
  bool some = rules->locked || limit_of(rules, game) == NO_TOKENS;
  for (i32 s = 0; some && s < rules->stands; s++) {
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
  silent |= limit_of(rules, game) == NO_TOKENS;
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

/* A wire that was named rightly is cut, and one of the actor's with it. */
static void cut_named(const Rules *rules, Game *game, const Choice *choice) {
  cut(rules, game, choice->stand, choice->slot);
  if (!finds(rules, choice->value)) cut_own(rules, game, choice->value);
  else if (game->steps < MOST_STEPS_LEFT) game->steps++;
}

/* A hidden slot holds no wire of a value, as all know now. */
static void exclude(const Rules *rules, Game *game, i32 s, i32 j, i32 value) {
  game->hash ^= slot_hash(game, s, j);
  game->allowed[s][j] &= ~rules->of_value[value];
  game->hash ^= slot_hash(game, s, j);
}

/* All know whether a stand hides wires of a value, where it shows none. */
static void answer_for(const Rules *rules, Game *game, i32 s, i32 value) {
  bool holds = false;
  for (u32 shown = game->shown[s]; shown; shown &= shown - 1)
    if (rules->value[game->wire[s][__builtin_ctz(shown)]] == value) return;
  for (u32 hidden = game->hidden[s]; hidden; hidden &= hidden - 1)
    holds |= rules->value[game->wire[s][__builtin_ctz(hidden)]] == value;
  game->hash ^= has_print(game, s);
  if (holds) game->has[s] |= 1u << value;
  game->hash ^= has_print(game, s);
  for (u32 hidden = holds ? 0 : game->hidden[s]; hidden; hidden &= hidden - 1)
    exclude(rules, game, s, __builtin_ctz(hidden), value);
}

/* A player who was ordered to cut a value that she does not hold: a token on the first hidden wire
 * that is not red. */
static void lay_own_token(const Rules *rules, Game *game, i32 value) {
  bool laid = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn) continue;
    for (u32 hidden = game->hidden[s]; hidden; hidden &= hidden - 1) {
      i32 j = __builtin_ctz(hidden);
      exclude(rules, game, s, j, value);
      if (laid || kills(rules, rules->value[game->wire[s][j]])) continue;
      show(rules, game, s, j);
      laid = true;
    }
  }
}

/* 1 won, -1 lost, 0 the game goes on. */
static i32 apply_move(const Rules *rules, Game *game, const Choice *choice) {
  i32 value = choice->value;
  bool pays = choice->kind == DUAL || choice->kind == SOLO, hit = choice->kind == SOLO;
  if (pays) pay_for(rules, game, value);
  if (choice->kind != NO_LEGAL_MOVE) game->skips = 0;
  if (choice->kind == NO_LEGAL_MOVE) {
    if (!skip(rules, game)) return -1;
  } else if (choice->kind == NOT_HELD) {
    lay_own_token(rules, game, value);
    if (fail(rules, game)) return -1;
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
    hit = true;
  } else {
    if (kills(rules, rules->value[game->wire[choice->stand][choice->slot]])) return -1;
    if (rules->owner[choice->stand] == game->turn) return -1; /* her own turned wire */
    if (rules->explodes >> game->turn & 1 || fail(rules, game)) return -1;
    lay_token(rules, game, choice->stand, choice->slot, value);
    if (!finds(rules, value)) say_has(rules, game, value);
  }
  if (hit && succeed(rules, game, value)) return -1;
  if (!game->left) return 1; /* only red is left, and it is shown */
  next_turn(rules, game);
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
    if (!game->own[game->turn][v] && !finds(rules, v)) continue;
    bool locked = rules->before[v] && game->cut[rules->before[v]] < rules->unlock;
    bool apart = rules->together.only && v == rules->together.value;
    bool named = (finds(rules, v) || cuttable(rules, game, v)) && may_pay_and_open(rules, game, v);
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

/* What is sure without counting, so far: the cut with the largest preference, of equals the first. */
static bool prefer(const Rules *rules, const Game *game, Choice found, bool any, Choice *choice) {
  if (!any || preference(rules, game, found.value) > preference(rules, game, choice->value))
    *choice = found;
  return true;
}

/* What is sure without counting: a shown partner, the last ones (all four even of what is else cut
 * together). */
static bool sure_choice(const Rules *rules, const Game *game, u32 values, Choice *choice) {
  i32 whole = may_cut_together(rules, game) ? rules->together.value : 0;
  bool any = false, first = game->track == NO_TRACK && rules->air != POT; /* no preferences */
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == game->turn || !game->shown[s]) continue;
    u32 shown = game->shown[s] & may_point(rules, game, s);
    if (rules->turned) shown &= ~rules->loose[s];
    for (; shown; shown &= shown - 1) {
      i32 j = __builtin_ctz(shown), value = rules->value[game->wire[s][j]];
      if (values >> value & 1) any = prefer(rules, game, (Choice){DUAL, s, j, value}, any, choice);
      if (any && first) return true;
    }
  }
  if (limit_of(rules, game) == NO_SOLO) return any;
  if (whole && whole < YELLOW && game->own[game->turn][whole] == COPIES) values |= 1u << whole;
  for (u32 some = values; some; some &= some - 1) {
    i32 v = __builtin_ctz(some), own = cuttable(rules, game, v);
    if (finds(rules, v) || own != game->uncut[v] || !(v == YELLOW || own % 2 == 0)) continue;
    any = prefer(rules, game, (Choice){SOLO, 0, 0, v}, any, choice);
    if (first) return true;
  }
  return any;
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
  explodes |= game->steps <= 2 && limit_of(rules, game) == DEAR;
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
 * value. NO_LEGAL_MOVE: the mission lets the seat do nothing. `score`: of the cut, 1 if it is sure. */
static i32 policy_move(Tables *tables, const Rules *rules, const Game *game, Choice *choice,
                       double *score) {
  *score = 1;
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
  *score = w.best;
  return w.best > worst || may_be_stuck ? OK : IMPOSSIBLE;
}

/* ---- who cuts the open number ------------------------------------------------------------------ */

/* The wires of a value that a seat expects at a player, after its posterior. */
static double expected(const Rules *rules, const Game *game, const SeatModel *b, i32 player, i32 value) {
  double sum = 0, all = b->open ? b->all : 1;
  for (i32 s = 0; s < rules->stands; s++) {
    const double *chance[SLOTS] = {0};
    if (rules->owner[s] != player) continue;
    if (b->open) chances_of(b, s, chance);
    for (u32 rest = game->hidden[s] | game->shown[s]; rest; rest &= rest - 1) {
      i32 j = __builtin_ctz(rest);
      sum += chance[j] ? chance[j][value] / all : rules->value[game->wire[s][j]] == value;
    }
  }
  return sum;
}

/* Another player is ordered to cut: the one at whom the active one expects most wires of the value. */
static i32 order_other(Tables *tables, const Rules *rules, Game *game, i32 value, Choice *choice) {
  i32 status = compute_posterior(tables, rules, game, game->active, 1u << value), player = -1;
  double most = 0, score;
  if (status && (tables->belief.open || status != IMPOSSIBLE)) return status;
  for (i32 n = 1; n < rules->players; n++) {
    i32 p = (game->active + n) % rules->players;
    double wires = expected(rules, game, &tables->belief, p, value);
    if (wires <= most + 1e-12) continue;
    most = wires;
    player = p;
  }
  *choice = (Choice){NO_LEGAL_MOVE, 0, 0, value};
  if (player < 0) return OK;
  game->turn = player;
  choice->kind = NOT_HELD;
  return game->own[player][value] ? policy_move(tables, rules, game, choice, &score) : OK;
}

/* The cut of the open number, and as `turn` who does it: the holder whose own best score is largest,
 * of equals the first from the active player on; or whom she orders. Who has only red left shows it. */
static i32 cutter_move(Tables *tables, const Rules *rules, Game *game, Choice *choice) {
  i32 value = __builtin_ctz(game->open | 1u << RED), best_player = game->turn;
  double best = -1e6, score;
  Choice found;
  if (!game->harmless[game->turn]) return policy_move(tables, rules, game, choice, &score);
  for (i32 s = 0; rules->cards == RADAR && s < rules->stands; s++)
    answer_for(rules, game, s, value);
  *choice = (Choice){NO_LEGAL_MOVE, 0, 0, value};
  i32 seats = rules->cards == ORDERED ? 1 : rules->players;
  for (i32 n = 0; n < seats && best < 1 - 1e-12; n++) {
    game->turn = (game->active + n) % rules->players;
    if (!game->own[game->turn][value]) continue;
    i32 status = policy_move(tables, rules, game, &found, &score);
    if (status) return status;
    if (found.kind == NO_LEGAL_MOVE || score <= best + 1e-12) continue;
    best = score;
    best_player = game->turn;
    *choice = found;
  }
  game->turn = best_player;
  if (rules->cards == ORDERED && best < 0.5 - 1e-12)
    return order_other(tables, rules, game, value, choice);
  return OK;
}

/* ---- games of one deal ----------------------------------------------------------------------- */

/* A table's key, never 0 or 1: whose turn it is, the steps, what lies open. Of one deal alone, since
 * the wires are left out. */
static u64 key_of(const Rules *rules, const Game *game) {
  u64 round = (u64)game->free << 40 | (u64)(u32)game->turn << 32 | game->open << 16 | game->skips << 8 | (u32)game->steps;
  return random_mix(game->hash ^ round ^ cards_key(rules, game)) | 2;
}

/* Where a key lies, or would lie. */
static i32 place_of(const OutcomeTable *ends, u64 key) {
  i32 at = (i32)(key >> 40) % KEPT;
  while (ends->key[at] && (ends->key[at] ^ key) & ~(u64)1) at = (at + 1) % KEPT;
  return at;
}

/* Notes the table: 1 won or 0 lost where a game of this deal went on from it, else -1. */
static i32 probe_outcome(OutcomeTable *ends, const Rules *rules, const Game *game) {
  u64 key = key_of(rules, game);
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
    i32 known = probe_outcome(&tables->ends, rules, game);
    if (known >= 0) return store_outcome(&tables->ends, known);
    Choice choice;
    double score;
    i32 status = rules->cards >= RADAR ? cutter_move(tables, rules, game, &choice)
                                       : policy_move(tables, rules, game, &choice, &score);
    if (status) return status;
    if (choice.kind == NO_LEGAL_MOVE && turn_limit_card(rules, game)) continue;
    if (choice.kind == NO_LEGAL_MOVE && rules->limit_off && limit_of(rules, game)) {
      game->free |= 1u << game->turn;
      continue;
    }
    i32 end = apply_move(rules, game, &choice);
    if (end) return store_outcome(&tables->ends, end > 0);
  }
}

/* ---- the way in ------------------------------------------------------------------------------ */

typedef struct Session { /* a table that was read, and where its games are computed */
  Rules rules;
  Game game;
  Tables *tables;
} Session;

/* Reads the words, and lays the tables into the caller's buffer. */
static i32 open_session(Session *s, const i32 *words, i32 length, u8 *work, i32 bytes) {
  if (!read_table(&s->rules, &s->game, words, length)) return BAD;
  count_game(&s->rules, &s->game);
  i32 doubles = (bytes - (i32)sizeof(Tables) - 16) / 8;
  if (doubles < 3 * LEAST_ROOM || (uintptr_t)work & 15) return TOO_LARGE;
  Tables *t = s->tables = (Tables *)work;
  t->tried = 0;
  t->after = (double *)(work + ((sizeof(Tables) + 15) & ~(size_t)15));
  t->room = doubles / 8 * 3;
  t->front = t->after + t->room;
  t->most_states = doubles / 32;
  t->state = (State *)(t->front + t->room);
  t->most_edges = doubles / 8 * 3;
  t->edge = (u32 *)(t->state + t->most_states);
  return OK;
}

/* The posterior of the player to move; she has nothing to doubt where no stand is open. */
static i32 open_belief(Session *s, bool *open) {
  i32 status = compute_posterior(s->tables, &s->rules, &s->game, s->game.turn, 0);
  *open = s->tables->belief.open;
  return status == IMPOSSIBLE && !*open ? OK : status;
}

EXPORT(i32, rack_win_draw)(const i32 *words, i32 length, i32 seed, i32 games, u8 *work, i32 bytes,
                           u8 *deals) {
  Session s;
  bool open;
  i32 status = open_session(&s, words, length, work, bytes);
  if (status) return status;
  s.tables->random = (u64)(u32)seed * 0x2545F4914F6CDD1Dull + 1;
  status = open_belief(&s, &open);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 g = 0; g < games; g++) {
    Game dealt = s.game;
    if (open && !draw_deal(s.tables, &s.rules, &dealt)) return BAD;
    write_deal(dealt.wire, draws_cards(&s.rules, &s.game) ? random_next(&s.tables->random) : 0,
               deals + g * WIN_DEAL);
  }
  return 1;
}

EXPORT(i32, rack_win_deals)(const i32 *words, i32 length, i32 most, u8 *work, i32 bytes, u8 *deals,
                            double *chances) {
  Session s;
  bool open;
  i32 status = open_session(&s, words, length, work, bytes);
  if (status) return status;
  if (most < 1) return BAD;
  status = open_belief(&s, &open);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  if (draws_cards(&s.rules, &s.game)) return most + 1;
  if (open) return list_deals(s.tables, &s.rules, &s.game, most, deals, chances);
  write_deal(s.game.wire, 0, deals);
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

/* The table of a deal, its cards open. */
static bool read_deal(const Rules *rules, const u8 *deal, Game *dealt) {
  for (i32 i = 0; i < WIN_WIRES; i++)
    if (deal[i] >= rules->layers) return false;
  memcpy(dealt->wire, deal, WIN_WIRES);
  memcpy(&dealt->seed, deal + WIN_WIRES, sizeof dealt->seed);
  count_game(rules, dealt);
  open_cards(rules, dealt);
  return true;
}

/* One deal after a choice: 1 won, 0 lost, below 0 a status. */
static i32 play_choice(Session *s, Game played, const i32 *words) {
  Choice first;
  if (!read_choice(&s->rules, &s->game, words, &first)) return BAD;
  i32 end = first.kind == POLICY_MOVE ? 0 : apply_move(&s->rules, &played, &first);
  return end ? end > 0 : rollout(s->tables, &s->rules, &played);
}

/* One deal after a first token on a place and those of the stands laying: as `play_choice`. */
static i32 play_token(Session *s, Game played, i32 place, u32 laying) {
  if (place < 0 || place / SLOTS >= s->rules.stands || !played.wires[0]) return BAD;
  if (!(s->game.hidden[place / SLOTS] >> place % SLOTS & 1)) return BAD;
  show(&s->rules, &played, place / SLOTS, place % SLOTS);
  for (; laying; laying &= laying - 1) {
    i32 stand = __builtin_ctz(laying), j = best_first_token(&s->rules, &played, stand);
    if (j < -1) return j;
    if (j >= 0) show(&s->rules, &played, stand, j);
  }
  played.turn = played.active = 0;
  return rollout(s->tables, &s->rules, &played);
}

/* Every deal after each of the choices, or of the places of a token (choices NULL). Returns 1 + the
 * transitions that were tested, or a status. */
static i32 play_deals(Session *s, const u8 *deals, i32 games, const i32 *choices, const i32 *places,
                      i32 count, u32 laying, u8 *won) {
  for (i32 g = 0; g < games; g++) {
    Game dealt = s->game;
    if (!read_deal(&s->rules, deals + g * WIN_DEAL, &dealt)) return BAD;
    memset(&s->tables->ends, 0, sizeof s->tables->ends);
    for (i32 c = 0; c < count; c++) {
      i32 result = choices ? play_choice(s, dealt, choices + 4 * c)
                           : play_token(s, dealt, places[c], laying);
      if (result < 0) return result == IMPOSSIBLE ? BAD : result;
      won[c * games + g] = (u8)result;
    }
  }
  return s->tables->tried < 0x7FFFFFFF ? 1 + (i32)s->tables->tried : 0x7FFFFFFF;
}

EXPORT(i32, rack_win_play)(const i32 *words, i32 length, const u8 *deals, i32 games,
                           const i32 *choices, i32 count, u8 *work, i32 bytes, u8 *won) {
  Session s;
  i32 status = open_session(&s, words, length, work, bytes);
  if (status) return status;
  if (!s.game.wires[s.game.turn]) return BAD; /* who moves has something to cut with */
  return play_deals(&s, deals, games, choices, NULL, count, 0, won);
}

EXPORT(i32, rack_win_tokens)(const i32 *words, i32 length, const u8 *deals, i32 games,
                             const i32 *places, i32 count, i32 laying, u8 *work, i32 bytes, u8 *won) {
  Session s;
  i32 status = open_session(&s, words, length, work, bytes);
  if (status) return status;
  if (laying < 0 || laying >> s.rules.stands || s.rules.token_kind != BY_VALUE) return BAD;
  return play_deals(&s, deals, games, NULL, places, count, (u32)laying, won);
}

EXPORT(i32, rack_win_choose)(const i32 *words, i32 length, const u8 *deals, i32 games, u8 *work,
                             i32 bytes, i32 *choices) {
  Session s;
  double score;
  i32 status = open_session(&s, words, length, work, bytes);
  if (status) return status;
  if (!s.game.wires[s.game.turn] || s.rules.cards >= RADAR) return BAD;
  for (i32 g = 0; g < games; g++) {
    Game dealt = s.game;
    Choice made;
    if (!read_deal(&s.rules, deals + g * WIN_DEAL, &dealt)) return BAD;
    status = policy_move(s.tables, &s.rules, &dealt, &made, &score);
    if (status) return status == IMPOSSIBLE ? BAD : status;
    memcpy(choices + 4 * g, &made, sizeof made);
  }
  return 1;
}
