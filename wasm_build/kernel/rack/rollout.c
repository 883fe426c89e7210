/* Win probability by Monte Carlo rollouts of deals that are drawn from a seat's exact posterior.
 *
 * All candidate moves play the same deals (common random numbers). After the candidate every seat
 * plays one fixed policy on its own posterior (seat_posterior.c), never on the true wires:
 *   1 reveal if only red is left
 *   2 a cut that is certain without a posterior: a shown match, then the last wires of a value
 *   3 the mission's cut of several wires, if certain or if no value may be named
 *   4 the single cut with the largest P(success) - caution P(explosion); caution grows with the
 *     spare steps of the detonator
 * Ties: first stand, slot, value. Missions are data (Rules); the caller refuses what is not
 * modelled.
 *
 * Within one deal the rest of a game depends on the public state alone, so its result is stored
 * under the state's Zobrist hash (Zobrist 1970: xor over slots; turn, steps, cards, skips mixed
 * in): OUTCOMES entries, linear probing, at most half full; bit 0 of an entry is the result.
 * Result: one byte per candidate and deal. Cost: games x turns x one posterior. */
#include "rack/game.h"

enum { MIN_DOUBLES = 1 << 12 }; /* of each table of a posterior */

/* Chances below this are rounding errors of impossible values. */
static const double ROUNDING = 1e-13;
static const double EQUAL = 1e-12; /* scores that differ by less are equal */

/* ---- legal moves ----------------------------------------------------------------------------- */

/* Whether the player to move may make the mission's cut of several wires. */
static bool may_multi_cut(const Rules *rules, const Game *game) {
  const MultiCut *cut = &rules->multi_cut;
  if (!cut->value || game->uncut[cut->value] < cut->count) return false;
  bool alone = game->own[game->turn][cut->value] == game->wires[game->turn];
  return !cut->last || game->left == game->uncut[cut->value] || alone;
}

/* The values that the player to move may name (bits). */
static u32 nameable_values(const Rules *rules, const Game *game) {
  u32 values = 0;
  for (i32 v = 1; v <= YELLOW; v++) {
    bool alone = is_cut_alone(rules, v);
    if (!game->own[game->turn][v] && !alone) continue;
    bool locked = rules->before[v] && game->cut[rules->before[v]] < rules->unlock;
    bool only_several = rules->multi_cut.only && v == rules->multi_cut.value;
    bool may = (alone || count_cuttable(rules, game, v)) && allows_value(rules, game, v);
    values |= (u32)(may && !locked && !only_several && !is_deadly(rules, v)) << v;
  }
  return values & values_within(limit_of(rules, game));
}

/* The slots of a stand that the player to move may point at; of an own one turned wires only. */
static u32 pointable_slots(const Rules *rules, const Game *game, i32 s) {
  u32 uncut = game->hidden[s] | game->shown[s], free = uncut & ~locked_slots(rules, game, s);
  u32 unsorted = rules->unsorted[s];
  if (rules->owner[s] == game->turn) return free & unsorted & ~known_slots(rules, game, s);
  i32 limit = limit_of(rules, game);
  if (limit == NO_LEFT) free &= ~(uncut & -uncut);
  if (limit == NO_RIGHT && uncut) free &= ~(1u << (31 - __builtin_clz(uncut)));
  return rules->own_only ? free & ~unsorted : free;
}

/* ---- certain cuts ---------------------------------------------------------------------------- */

/* Keeps the cut with the larger preference, of equals the earlier one; `any`: there is one. */
static void keep_preferred(const Rules *rules, const Game *game, Choice cut, bool *any, Choice *choice) {
  if (!*any || preference(rules, game, cut.value) > preference(rules, game, choice->value)) *choice = cut;
  *any = true;
}

/* Finds a cut that is certain by public information: a shown match; the last wires of a value (also
 * all four of the value of the multi-wire cut). */
static bool certain_cut(const Rules *rules, const Game *game, u32 values, Choice *choice) {
  i32 several = may_multi_cut(rules, game) ? rules->multi_cut.value : 0;
  bool any = false, first = game->track == NO_TRACK && rules->air != POT; /* no preferences */
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] == game->turn || !game->shown[s]) continue;
    u32 shown = game->shown[s] & pointable_slots(rules, game, s);
    if (rules->turned) shown &= ~rules->unsorted[s];
    for (; shown; shown &= shown - 1) {
      i32 j = __builtin_ctz(shown), value = rules->value[game->wire[s][j]];
      if (values >> value & 1) keep_preferred(rules, game, (Choice){DUAL, s, j, value}, &any, choice);
      if (any && first) return true;
    }
  }
  if (limit_of(rules, game) == NO_SOLO) return any;
  if (several && several < YELLOW && game->own[game->turn][several] == COPIES) values |= 1u << several;
  for (u32 rest = values; rest; rest &= rest - 1) {
    i32 v = __builtin_ctz(rest), own = count_cuttable(rules, game, v);
    if (is_cut_alone(rules, v) || own != game->uncut[v] || !(v == YELLOW || own % 2 == 0)) continue;
    keep_preferred(rules, game, (Choice){SOLO, 0, 0, v}, &any, choice);
    if (first) return true;
  }
  return any;
}

/* ---- cuts scored by a posterior -------------------------------------------------------------- */

/* The best cut so far. */
typedef struct BestCut {
  u32 values; /* that may be named (bits) */
  double total_weight, caution, score;
  Choice *choice;
} BestCut;

/* Scores the cuts of a slot, from its chances by value: success less the cost of red. */
static void score_slot(const Rules *rules, const Game *game, const double *chance, i32 s, i32 j,
                       BestCut *best) {
  double red = chance[RED] + (rules->deadly ? chance[rules->deadly] : 0);
  double all = best->total_weight;
  bool explodes = rules->explodes >> game->turn & 1 || rules->owner[s] == game->turn;
  explodes |= game->steps <= 2 && limit_of(rules, game) == TWO_STEPS;
  for (u32 rest = best->values; rest; rest &= rest - 1) {
    i32 v = __builtin_ctz(rest);
    if (chance[v] < ROUNDING * all || chance[v] < (best->score - 1e-9) * all) continue;
    double risk = explodes ? all - chance[v] : red;
    double score = chance[v] / all - best->caution * risk / all;
    if (score <= best->score + EQUAL) continue;
    best->score = score;
    *best->choice = (Choice){DUAL, s, j, v};
  }
}

/* Scores another player's turned wire, which the seat sees: its success costs a step, so it is
 * worth nothing; at the last step it ends the game. */
static void score_turned(const Rules *rules, const Game *game, i32 s, i32 j, BestCut *best) {
  i32 value = rules->value[game->wire[s][j]];
  double score = game->steps > 1 ? 0 : -rules->caution;
  if (!(best->values >> value & 1) || score <= best->score + EQUAL) return;
  best->score = score;
  *best->choice = (Choice){DUAL, s, j, value};
}

/* The chances by value of a stand's slots; NULL where the seat sees the wire. */
static void slot_chances(const SeatModel *seat, i32 s, const double **chance) {
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 e = 0; seat->stand[q] == s && e < seat->places[q]; e++)
      chance[seat->slot[q][e]] = seat->chance[q][e];
  for (i32 i = 0; i < seat->unsorted; i++)
    if (seat->unsorted_stand[i] == s) chance[seat->unsorted_slot[i]] = seat->unsorted_chance[i];
}

static void score_stand(const Rules *rules, const Game *game, const SeatModel *seat, i32 s, BestCut *best) {
  const double *chance[SLOTS] = {0};
  slot_chances(seat, s, chance);
  for (u32 rest = pointable_slots(rules, game, s); rest; rest &= rest - 1) {
    i32 j = __builtin_ctz(rest);
    if (chance[j]) score_slot(rules, game, chance[j], s, j, best);
    else if (is_turned(rules, game, s, j)) score_turned(rules, game, s, j, best);
  }
}

/* Picks the places of the multi-wire cut by their single chances, of equals the first. Returns
 * whether all are certain. */
static bool pick_multi_cut(const Rules *rules, const Game *game, const SeatModel *seat, Choice *choice) {
  double share[STANDS * SLOTS], all = seat->unknown ? seat->total_weight : 1;
  i32 value = rules->multi_cut.value;
  bool certain = true;
  for (i32 s = 0; s < rules->stands; s++) {
    const double *chance[SLOTS] = {0};
    if (seat->unknown) slot_chances(seat, s, chance);
    for (i32 j = 0; j < SLOTS; j++) {
      bool uncut = (game->hidden[s] | game->shown[s]) >> j & 1;
      bool same = uncut && rules->value[game->wire[s][j]] == value;
      share[s * SLOTS + j] = !uncut ? -1 : chance[j] ? chance[j][value] / all : same;
    }
  }
  *choice = (Choice){MULTI_CUT, 0, 0, value};
  for (i32 i = 0; i < rules->multi_cut.count; i++) {
    i32 best = 0;
    for (i32 at = 1; at < rules->stands * SLOTS; at++)
      if (share[at] > share[best] + EQUAL) best = at;
    choice->slot |= best << PLACE_BITS * i;
    certain &= share[best] >= 1 - EQUAL;
    share[best] = -1;
  }
  return certain;
}

/* ---- policy ---------------------------------------------------------------------------------- */

/* The policy's move of the player to move, and its score: that of the cut, 1 if it is certain. Kind
 * NO_LEGAL_MOVE: the mission allows none. */
static i32 policy_move(Tables *tables, const Rules *rules, const Game *game, Choice *choice, double *score) {
  *score = 1;
  bool several = may_multi_cut(rules, game), only_red = !game->harmless[game->turn];
  *choice = (Choice){REVEAL, 0, 0, 0};
  if (only_red && !(several && rules->multi_cut.value == RED)) return OK;
  double worst = -1e6, caution = rules->caution + rules->spare_caution * (game->steps - 1);
  BestCut best = {nameable_values(rules, game), 0, caution, worst, choice};
  choice->kind = NO_LEGAL_MOVE;
  if (!best.values && !several) return OK;
  if (certain_cut(rules, game, best.values, choice)) return OK;
  u32 values = best.values | 1u << RED | (rules->deadly ? 1u << rules->deadly : 0);
  if (several) values |= 1u << rules->multi_cut.value;
  i32 status = compute_posterior(tables, rules, game, game->turn, values);
  const SeatModel *seat = &tables->seat;
  bool may_be_stuck = rules->locked || rules->turned || rules->one_by_one || limit_of(rules, game);
  if (status && (seat->unknown || !(may_be_stuck || several))) return status;
  if (several && (pick_multi_cut(rules, game, seat, choice) || !best.values)) return OK;
  best.total_weight = seat->total_weight;
  choice->kind = NO_LEGAL_MOVE;
  for (i32 s = 0; s < rules->stands; s++) score_stand(rules, game, seat, s, &best);
  *score = best.score;
  return best.score > worst || may_be_stuck ? OK : IMPOSSIBLE;
}

/* The number of wires of a value that a seat expects at a player, by its posterior. */
static double expected_wires(const Rules *rules, const Game *game, const SeatModel *seat, i32 player,
                             i32 value) {
  double sum = 0, all = seat->unknown ? seat->total_weight : 1;
  for (i32 s = 0; s < rules->stands; s++) {
    const double *chance[SLOTS] = {0};
    if (rules->owner[s] != player) continue;
    if (seat->unknown) slot_chances(seat, s, chance);
    for (u32 rest = game->hidden[s] | game->shown[s]; rest; rest &= rest - 1) {
      i32 j = __builtin_ctz(rest);
      sum += chance[j] ? chance[j][value] / all : rules->value[game->wire[s][j]] == value;
    }
  }
  return sum;
}

/* The active player orders another one to cut: where most wires of the value are expected. */
static i32 order_other_player(Tables *tables, const Rules *rules, Game *game, i32 value, Choice *choice) {
  i32 status = compute_posterior(tables, rules, game, game->active, 1u << value), player = -1;
  double most = 0, score;
  if (status && (tables->seat.unknown || status != IMPOSSIBLE)) return status;
  for (i32 n = 1; n < rules->players; n++) {
    i32 p = (game->active + n) % rules->players;
    double wires = expected_wires(rules, game, &tables->seat, p, value);
    if (wires <= most + EQUAL) continue;
    most = wires;
    player = p;
  }
  *choice = (Choice){NO_LEGAL_MOVE, 0, 0, value};
  if (player < 0) return OK;
  game->turn = player;
  choice->kind = NOT_HELD;
  return game->own[player][value] ? policy_move(tables, rules, game, choice, &score) : OK;
}

/* The cut of the open number card; `turn` becomes its player: the holder with the best score, of
 * equals the first clockwise from the active player, or one whom that player orders. An active
 * player with red only reveals. */
static i32 cutter_move(Tables *tables, const Rules *rules, Game *game, Choice *choice) {
  i32 value = __builtin_ctz(game->open | 1u << RED), best_player = game->turn;
  double best = -1e6, score;
  Choice cut;
  if (!game->harmless[game->turn]) return policy_move(tables, rules, game, choice, &score);
  for (i32 s = 0; rules->number_cards == RADAR && s < rules->stands; s++) answer_radar(rules, game, s, value);
  *choice = (Choice){NO_LEGAL_MOVE, 0, 0, value};
  i32 players = rules->number_cards == ORDERED ? 1 : rules->players;
  for (i32 n = 0; n < players && best < 1 - EQUAL; n++) {
    game->turn = (game->active + n) % rules->players;
    if (!game->own[game->turn][value]) continue;
    i32 status = policy_move(tables, rules, game, &cut, &score);
    if (status) return status;
    if (cut.kind == NO_LEGAL_MOVE || score <= best + EQUAL) continue;
    best = score;
    best_player = game->turn;
    *choice = cut;
  }
  game->turn = best_player;
  if (rules->number_cards == ORDERED && best < 0.5 - EQUAL)
    return order_other_player(tables, rules, game, value, choice);
  return OK;
}

/* ---- rollouts of one deal -------------------------------------------------------------------- */

/* The key of a state within its deal (wires are left out), never 0 or 1. */
static u64 state_key(const Rules *rules, const Game *game) {
  u64 turn = (u64)game->free << 40 | (u64)(u32)game->turn << 32 | game->open << 16 | game->skips << 8 |
             (u32)game->steps;
  return random_mix(game->hash ^ turn ^ cards_hash(rules, game)) | 2;
}

/* The entry of a key, or the empty one where it belongs. */
static i32 find_entry(const OutcomeTable *outcomes, u64 key) {
  i32 at = (i32)(key >> 40) % OUTCOMES;
  while (outcomes->key[at] && (outcomes->key[at] ^ key) & ~(u64)1) at = (at + 1) % OUTCOMES;
  return at;
}

/* Returns the stored result of a state, 1 won or 0 lost; else adds the state to the path: -1. */
static i32 probe_outcome(OutcomeTable *outcomes, const Rules *rules, const Game *game) {
  u64 key = state_key(rules, game);
  u64 entry = outcomes->key[find_entry(outcomes, key)];
  if (entry) return entry & 1;
  if (outcomes->length < MAX_TURNS) outcomes->path[outcomes->length++] = key & ~(u64)1;
  return -1;
}

/* Stores the result for the states of the path; returns it. */
static i32 store_outcome(OutcomeTable *outcomes, i32 won) {
  for (i32 i = 0; i < outcomes->length && outcomes->used < OUTCOMES / 2; i++, outcomes->used++)
    outcomes->key[find_entry(outcomes, outcomes->path[i])] = outcomes->path[i] | (u64)won;
  return won;
}

/* Plays the game to its end by the policy: 1 won, 0 lost, below 0 a status. */
static i32 rollout(Tables *tables, const Rules *rules, Game *game) {
  tables->outcomes.length = 0;
  for (;;) {
    i32 known = probe_outcome(&tables->outcomes, rules, game);
    if (known >= 0) return store_outcome(&tables->outcomes, known);
    Choice choice;
    double score;
    i32 status = rules->number_cards >= RADAR ? cutter_move(tables, rules, game, &choice)
                                              : policy_move(tables, rules, game, &choice, &score);
    if (status) return status;
    if (choice.kind == NO_LEGAL_MOVE && turn_limit_card(rules, game)) continue;
    if (choice.kind == NO_LEGAL_MOVE && rules->limit_off && limit_of(rules, game)) {
      game->free |= 1u << game->turn;
      continue;
    }
    i32 end = apply_move(rules, game, &choice);
    if (end) return store_outcome(&tables->outcomes, end > 0);
  }
}

/* ---- exported functions ---------------------------------------------------------------------- */

typedef struct Session { /* a decoded table and its work space */
  Rules rules;
  Game game;
  Tables *tables;
} Session;

/* Decodes the table and lays out the work space:
 *
 *   Tables | backward | forward | states | edges */
static i32 open_session(Session *s, const i32 *encoded, i32 length, u8 *work, i32 bytes) {
  if (!read_game(&s->rules, &s->game, encoded, length)) return BAD;
  count_game(&s->rules, &s->game);
  i32 doubles = (bytes - (i32)sizeof(Tables) - 16) / 8;
  if (doubles < 3 * MIN_DOUBLES || (uintptr_t)work & 15) return TOO_LARGE;
  Tables *t = s->tables = (Tables *)work;
  t->work = 0;
  t->backward = (double *)(work + ((sizeof(Tables) + 15) & ~(size_t)15));
  t->capacity = doubles / 8 * 3;
  t->forward = t->backward + t->capacity;
  t->max_states = doubles / 32;
  t->state = (State *)(t->forward + t->capacity);
  t->max_edges = doubles / 8 * 3;
  t->edge = (u32 *)(t->state + t->max_states);
  return OK;
}

/* Prepares the posterior of the player to move for drawing deals; `unknown`: some wire is. */
static i32 open_posterior(Session *s, bool *unknown) {
  i32 status = compute_posterior(s->tables, &s->rules, &s->game, s->game.turn, 0);
  *unknown = s->tables->seat.unknown;
  return status == IMPOSSIBLE && !*unknown ? OK : status;
}

EXPORT(i32, rack_win_draw)(const i32 *encoded, i32 length, i32 seed, i32 games, u8 *work, i32 bytes,
                           u8 *deals) {
  Session s;
  bool unknown;
  i32 status = open_session(&s, encoded, length, work, bytes);
  if (status) return status;
  s.tables->random = (u64)(u32)seed * 0x2545F4914F6CDD1Dull + 1;
  status = open_posterior(&s, &unknown);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 g = 0; g < games; g++) {
    Game dealt = s.game;
    if (unknown && !draw_deal(s.tables, &s.rules, &dealt)) return BAD;
    write_deal(dealt.wire, draws_cards(&s.rules, &s.game) ? random_next(&s.tables->random) : 0,
               deals + g * WIN_DEAL);
  }
  return 1;
}

EXPORT(i32, rack_win_deals)(const i32 *encoded, i32 length, i32 most, u8 *work, i32 bytes, u8 *deals,
                            double *chances) {
  Session s;
  bool unknown;
  i32 status = open_session(&s, encoded, length, work, bytes);
  if (status) return status;
  if (most < 1) return BAD;
  status = open_posterior(&s, &unknown);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  if (draws_cards(&s.rules, &s.game)) return most + 1;
  if (unknown) return list_deals(s.tables, &s.rules, &s.game, most, deals, chances);
  write_deal(s.game.wire, 0, deals);
  chances[0] = 1;
  return 1;
}

/* Whether a multi-wire cut points at as many different uncut wires as it needs. */
static bool is_valid_multi_cut(const Rules *rules, const Game *game, const Choice *choice) {
  u32 seen[STANDS] = {0};
  for (i32 i = 0; i < rules->multi_cut.count; i++) {
    i32 s = place_at(choice, i) / SLOTS, j = place_at(choice, i) % SLOTS;
    if (s >= rules->stands) return false;
    if (!((game->hidden[s] | game->shown[s]) & ~seen[s] & 1u << j)) return false;
    seen[s] |= 1u << j;
  }
  return choice->value && choice->value == rules->multi_cut.value;
}

static bool read_choice(const Rules *rules, const Game *game, const i32 *encoded, Choice *choice) {
  *choice = (Choice){encoded[0], encoded[1], encoded[2], encoded[3]};
  if (choice->kind < POLICY_MOVE || choice->kind > MULTI_CUT) return false;
  if (choice->value < 0 || choice->value > RED) return false;
  if (choice->kind == MULTI_CUT) return is_valid_multi_cut(rules, game, choice);
  return choice->stand >= 0 && choice->stand < rules->stands && choice->slot >= 0 &&
         choice->slot < rules->size[choice->stand];
}

/* Sets the wires and the cards of a deal. */
static bool read_deal(const Rules *rules, const u8 *deal, Game *dealt) {
  for (i32 i = 0; i < WIN_WIRES; i++)
    if (deal[i] >= rules->layers) return false;
  memcpy(dealt->wire, deal, WIN_WIRES);
  memcpy(&dealt->seed, deal + WIN_WIRES, sizeof dealt->seed);
  count_game(rules, dealt);
  open_cards(rules, dealt);
  return true;
}

/* Plays a deal after a choice: 1 won, 0 lost, below 0 a status. */
static i32 play_choice(Session *s, Game game, const i32 *encoded) {
  Choice first;
  if (!read_choice(&s->rules, &s->game, encoded, &first)) return BAD;
  i32 end = first.kind == POLICY_MOVE ? 0 : apply_move(&s->rules, &game, &first);
  return end ? end > 0 : rollout(s->tables, &s->rules, &game);
}

/* Plays a deal after a first token on a place and then those of the stands `laying`. */
static i32 play_token(Session *s, Game game, i32 place, u32 laying) {
  if (place < 0 || place / SLOTS >= s->rules.stands || !game.wires[0]) return BAD;
  if (!(s->game.hidden[place / SLOTS] >> place % SLOTS & 1)) return BAD;
  show_wire(&s->rules, &game, place / SLOTS, place % SLOTS);
  for (; laying; laying &= laying - 1) {
    i32 stand = __builtin_ctz(laying), j = best_first_token(&s->rules, &game, stand);
    if (j < -1) return j;
    if (j >= 0) show_wire(&s->rules, &game, stand, j);
  }
  game.turn = game.active = 0;
  return rollout(s->tables, &s->rules, &game);
}

/* Plays every deal after each of the choices, or of the places of a token if `choices` is NULL.
 * Returns 1 + the transitions tested, or a status. */
static i32 play_deals(Session *s, const u8 *deals, i32 games, const i32 *choices, const i32 *places,
                      i32 count, u32 laying, u8 *won) {
  for (i32 g = 0; g < games; g++) {
    Game dealt = s->game;
    if (!read_deal(&s->rules, deals + g * WIN_DEAL, &dealt)) return BAD;
    memset(&s->tables->outcomes, 0, sizeof s->tables->outcomes);
    for (i32 c = 0; c < count; c++) {
      i32 result = choices ? play_choice(s, dealt, choices + 4 * c) : play_token(s, dealt, places[c], laying);
      if (result < 0) return result == IMPOSSIBLE ? BAD : result;
      won[c * games + g] = (u8)result;
    }
  }
  return s->tables->work < 0x7FFFFFFF ? 1 + (i32)s->tables->work : 0x7FFFFFFF;
}

EXPORT(i32, rack_win_play)(const i32 *encoded, i32 length, const u8 *deals, i32 games, const i32 *choices,
                           i32 count, u8 *work, i32 bytes, u8 *won) {
  Session s;
  i32 status = open_session(&s, encoded, length, work, bytes);
  if (status) return status;
  if (!s.game.wires[s.game.turn]) return BAD;
  return play_deals(&s, deals, games, choices, NULL, count, 0, won);
}

EXPORT(i32, rack_win_tokens)(const i32 *encoded, i32 length, const u8 *deals, i32 games, const i32 *places,
                             i32 count, i32 laying, u8 *work, i32 bytes, u8 *won) {
  Session s;
  i32 status = open_session(&s, encoded, length, work, bytes);
  if (status) return status;
  if (laying < 0 || laying >> s.rules.stands || s.rules.token_kind != BY_VALUE) return BAD;
  return play_deals(&s, deals, games, NULL, places, count, (u32)laying, won);
}

EXPORT(i32, rack_win_choose)(const i32 *encoded, i32 length, const u8 *deals, i32 games, u8 *work, i32 bytes,
                             i32 *choices) {
  Session s;
  double score;
  i32 status = open_session(&s, encoded, length, work, bytes);
  if (status) return status;
  if (!s.game.wires[s.game.turn] || s.rules.number_cards >= RADAR) return BAD;
  for (i32 g = 0; g < games; g++) {
    Game dealt = s.game;
    Choice move;
    if (!read_deal(&s.rules, deals + g * WIN_DEAL, &dealt)) return BAD;
    status = policy_move(s.tables, &s.rules, &dealt, &move, &score);
    if (status) return status == IMPOSSIBLE ? BAD : status;
    memcpy(choices + 4 * g, &move, sizeof move);
  }
  return 1;
}
