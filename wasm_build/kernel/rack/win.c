/* The chance to win: deals drawn from a seat's exact belief, each played to its end by every seat.
 *
 * The rules of a plain game, what a seat does at its turn, and the way in; beliefs are in belief.c.
 * One file, because all of it works on the same game, and a turn calls the most of it. */
#include "rack/win.h"

enum { DUAL = 0, SOLO = 1, REVEAL = 2, BY_RULE = -1, STUCK = -2, HEAD = 14, LAYER = 4,
       LOCKED = 1, TURNED = 2, OWN_ONLY = 4, PAIRED = 8, MOST_CAUTION = 1000, LEAST_ROOM = 1 << 12 };

typedef struct Choice {
  i32 kind, stand, slot, value;
} Choice;

/* ---- rules ----------------------------------------------------------------------------------- */

static bool kills(const Rules *rules, i32 value) { return value == RED || value == rules->deadly; }

/* Whether the seat to move knows what one of its own wires is. */
static bool knows(const Rules *rules, const Game *game, i32 s, i32 j) {
  return game->state[s][j] != HIDDEN || sees_hidden(rules, rules->owner[s], s, j);
}

static bool is_turned(const Rules *rules, const Game *game, i32 s, i32 j) {
  return rules->turned && rules->loose[s] >> j & 1 && game->state[s][j] != CUT;
}

static void uncover(const Rules *rules, Game *game, i32 s, i32 j, i32 state) {
  game->state[s][j] = (u8)state;
  game->has[s] &= ~(1u << rules->value[game->wire[s][j]]);
}

static i32 uncut_wires(const Rules *rules, const Game *game, i32 player) {
  i32 count = 0;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->owner[s] == player && j < rules->size[s]; j++)
      count += game->state[s][j] != CUT;
  return count;
}

/* The actor's own wire that goes along: a hidden copy before a shown one. */
static void cut_own(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, slot = -1;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; rules->owner[s] == game->turn && j < rules->size[s]; j++) {
      if (game->state[s][j] == CUT || rules->value[game->wire[s][j]] != value) continue;
      if (!knows(rules, game, s, j)) continue;
      if (stand >= 0 && (game->state[stand][slot] == HIDDEN || game->state[s][j] == SHOWN)) continue;
      stand = s;
      slot = j;
    }
  if (stand >= 0) uncover(rules, game, stand, slot, CUT);
}

/* Who names a value in vain holds it: known of a player with one stand that shows none. */
static void say_has(const Rules *rules, Game *game, i32 value) {
  i32 stand = -1, stands = 0;
  bool shown = false;
  for (i32 s = 0; s < rules->stands; s++) {
    if (rules->owner[s] != game->turn) continue;
    bool some = false;
    for (i32 j = 0; j < rules->size[s]; j++) {
      some |= game->state[s][j] != CUT;
      shown |= game->state[s][j] == SHOWN && rules->value[game->wire[s][j]] == value;
    }
    stands += some;
    if (some) stand = s;
  }
  if (stands == 1 && !shown) game->has[stand] |= 1u << value;
}

/* A failed cut's token: the value, in a parity mission even or odd, under x tokens how many of it
 * the stand has (for four there is none). Where there is none all know no more than what the wire is
 * not. */
static void lay_token(const Rules *rules, Game *game, i32 s, i32 j, i32 named) {
  i32 value = rules->value[game->wire[s][j]];
  game->allowed[s][j] &= ~rules->of_value[named];
  if (rules->silent >> rules->owner[s] & 1)
    game->allowed[s][j] &= ~rules->of_value[RED];
  else if (rules->told == BY_COUNT) {
    i32 count = 0;
    for (i32 i = 0; i < rules->size[s]; i++) count += rules->value[game->wire[s][i]] == value;
    if (count == COPIES) return;
    game->times[s][j] = (u8)count;
    game->allowed[s][j] &= ~rules->of_value[RED];
  } else if (rules->told == BY_PARITY && value < YELLOW)
    game->allowed[s][j] &= value % 2 ? rules->odd : ~rules->odd & ~rules->of_value[YELLOW] &
                                                        ~rules->of_value[RED];
  else
    uncover(rules, game, s, j, SHOWN);
}

/* 1 won, -1 lost, 0 the game goes on. */
static i32 act(const Rules *rules, Game *game, const Choice *choice) {
  i32 value = choice->value;
  if (choice->kind == STUCK) {
    if (!rules->turned || --game->steps <= 0) return -1; /* with turned wires one skips */
  } else if (choice->kind != DUAL) {
    for (i32 s = 0; s < rules->stands; s++)
      for (i32 j = 0; rules->owner[s] == game->turn && j < rules->size[s]; j++)
        if (choice->kind == REVEAL || rules->value[game->wire[s][j]] == value)
          uncover(rules, game, s, j, CUT);
  } else if (rules->value[game->wire[choice->stand][choice->slot]] == value) {
    bool turned = is_turned(rules, game, choice->stand, choice->slot);
    if (turned && rules->owner[choice->stand] != game->turn && --game->steps <= 0) return -1;
    uncover(rules, game, choice->stand, choice->slot, CUT);
    cut_own(rules, game, value);
  } else {
    if (kills(rules, rules->value[game->wire[choice->stand][choice->slot]])) return -1;
    if (rules->owner[choice->stand] == game->turn) return -1; /* her own turned wire */
    if (rules->explodes >> game->turn & 1 || --game->steps <= 0) return -1;
    lay_token(rules, game, choice->stand, choice->slot, value);
    say_has(rules, game, value);
  }
  bool left = false;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++)
      left |= game->state[s][j] != CUT && !kills(rules, rules->value[game->wire[s][j]]);
  if (!left) return 1; /* only red is left, and it is shown */
  do game->turn = (game->turn + 1) % rules->players;
  while (!uncut_wires(rules, game, game->turn));
  return 0;
}

/* ---- what a seat does ------------------------------------------------------------------------ */

/* How many uncut wires of each value the seat may name, and how many there are. False: the seat has
 * none but such as count as red. */
static bool count_values(const Rules *rules, const Game *game, i32 *own, i32 *all) {
  i32 cut[VALUES] = {0}, others = 0;
  for (i32 s = 0; s < rules->stands; s++)
    for (i32 j = 0; j < rules->size[s]; j++) {
      i32 value = rules->value[game->wire[s][j]];
      bool mine = rules->owner[s] == game->turn;
      if (game->state[s][j] == CUT) {
        cut[value]++;
        continue;
      }
      all[value]++;
      own[value] += mine && knows(rules, game, s, j);
      others += mine && !kills(rules, value);
    }
  own[rules->deadly] = own[RED] = 0;
  for (i32 v = 1; v <= YELLOW; v++)
    if (rules->before[v] && cut[rules->before[v]] < rules->unlock) own[v] = 0;
  return others > 0;
}

/* Whether the seat to move may point at a wire: at her own only if it is turned away from her. */
static bool may_point(const Rules *rules, const Game *game, i32 s, i32 j) {
  bool loose = rules->loose[s] >> j & 1;
  if (rules->owner[s] == game->turn) return loose && !knows(rules, game, s, j);
  return !loose || !rules->own_only;
}

/* Loose wires may be locked until all four yellow ones are cut: what may be pointed at then. */
static u32 open_slots(const Rules *rules, const Game *game, i32 s) {
  i32 cut = 0;
  for (i32 t = 0; rules->locked && t < rules->stands; t++)
    for (i32 j = 0; j < rules->size[t]; j++)
      cut += game->state[t][j] == CUT && rules->value[game->wire[t][j]] == YELLOW;
  return rules->locked && cut < COPIES ? ~rules->loose[s] : ~(u32)0;
}

/* What is sure without counting: a shown partner, the last ones. */
static bool sure_choice(const Rules *rules, const Game *game, const i32 *own, const i32 *all,
                        Choice *choice) {
  for (i32 s = 0; s < rules->stands; s++) {
    u32 open = open_slots(rules, game, s);
    for (i32 j = 0; rules->owner[s] != game->turn && j < rules->size[s]; j++) {
      i32 value = rules->value[game->wire[s][j]];
      *choice = (Choice){DUAL, s, j, value};
      if (game->state[s][j] != SHOWN || value >= RED || !own[value]) continue;
      if (open >> j & 1 && may_point(rules, game, s, j) && !is_turned(rules, game, s, j)) return true;
    }
  }
  for (i32 v = 1; v <= YELLOW; v++) {
    *choice = (Choice){SOLO, 0, 0, v};
    if (own[v] && own[v] == all[v] && (v == YELLOW || own[v] % 2 == 0)) return true;
  }
  return false;
}

/* The best of one slot: success less what red costs here, from its chances of the values. */
static void weigh_slot(const Rules *rules, const Game *game, const double *chance, double all, i32 s,
                       i32 j, const i32 *own, double *best, Choice *choice) {
  double caution = rules->caution + rules->spare_caution * (game->steps - 1);
  double red = chance[RED] + (rules->deadly ? chance[rules->deadly] : 0);
  bool explodes = rules->explodes >> game->turn & 1 || rules->owner[s] == game->turn;
  for (i32 v = 1; v <= YELLOW; v++) {
    double risk = explodes ? all - chance[v] : red;
    double score = chance[v] / all - caution * risk / all;
    if (!own[v] || chance[v] <= 0 || score <= *best + 1e-12) continue;
    *best = score;
    *choice = (Choice){DUAL, s, j, v};
  }
}

/* Another's turned wire, which the seat sees: it is worth the step that it costs, so nothing, and at
 * the last step it ends the game. */
static void weigh_turned(const Rules *rules, const Game *game, i32 s, i32 j, const i32 *own,
                         double *best, Choice *choice) {
  i32 value = rules->value[game->wire[s][j]];
  double score = game->steps > 1 ? 0 : -rules->caution;
  if (value >= RED || !own[value] || score <= *best + 1e-12) return;
  *best = score;
  *choice = (Choice){DUAL, s, j, value};
}

/* All slots of a stand, from left to right. */
static void weigh_stand(const Rules *rules, const Game *game, const Belief *b, i32 s, const i32 *own,
                        double *best, Choice *choice) {
  const double *chance[SLOTS] = {0};
  for (i32 q = 0; q < OTHERS; q++)
    for (i32 e = 0; b->stand[q] == s && e < b->places[q]; e++)
      chance[b->slot[q][e]] = b->chance[q][e];
  for (i32 i = 0; i < b->loose; i++)
    if (b->loose_stand[i] == s) chance[b->loose_slot[i]] = b->loose_chance[i];
  u32 open = open_slots(rules, game, s);
  for (i32 j = 0; j < rules->size[s]; j++) {
    if (!(open >> j & 1) || !may_point(rules, game, s, j)) continue;
    if (chance[j]) weigh_slot(rules, game, chance[j], b->all, s, j, own, best, choice);
    else if (is_turned(rules, game, s, j)) weigh_turned(rules, game, s, j, own, best, choice);
  }
}

/* The rule of the seats: what is sure, else the largest chance of success less what red costs.
 * Of equals the first stand, slot and value. STUCK: the mission lets the seat do nothing. */
static i32 choose(Tables *tables, const Rules *rules, const Game *game, Choice *choice) {
  i32 own[VALUES] = {0}, all[VALUES] = {0};
  *choice = (Choice){REVEAL, 0, 0, 0};
  if (!count_values(rules, game, own, all)) return OK;
  i32 may_name = 0;
  for (i32 v = 1; v <= YELLOW; v++) may_name += own[v];
  choice->kind = STUCK;
  if (!may_name) return OK;
  if (sure_choice(rules, game, own, all, choice)) return OK;
  u32 values = 1u << RED | (rules->deadly ? 1u << rules->deadly : 0);
  for (i32 v = 1; v <= YELLOW; v++) values |= (u32)(own[v] > 0) << v;
  i32 status = believe(tables, rules, game, game->turn, values);
  const Belief *b = &tables->belief;
  if (status && (b->open || !rules->turned)) return status; /* or all wires are seen */
  double worst = -1e6, best = worst;
  choice->kind = STUCK;
  for (i32 s = 0; s < rules->stands; s++) weigh_stand(rules, game, b, s, own, &best, choice);
  return best > worst || rules->locked || rules->turned ? OK : IMPOSSIBLE;
}

/* ---- games of one deal ----------------------------------------------------------------------- */

/* A table's key, never 0 or 1: whose turn it is, the steps, what lies open. Of one deal alone, since
 * the wires are left out. */
static u64 key_of(const Game *game) {
  u64 key = (u64)(u32)game->turn << 32 | (u32)game->steps;
  const u64 odd = 0x9E3779B97F4A7C15ull;
  for (i32 s = 0; s < STANDS; s++) {
    key = (key ^ game->has[s]) * odd;
    for (i32 j = 0; j < SLOTS; j++) {
      key = (key ^ key >> 29 ^ game->state[s][j] ^ (u64)game->times[s][j] << 2) * odd;
      key = (key ^ key >> 32 ^ game->allowed[s][j]) * odd;
    }
  }
  return (key ^ key >> 31) | 2;
}

/* Where a key lies, or would lie. */
static i32 place_of(const Ends *ends, u64 key) {
  i32 at = (i32)(key >> 40) % KEPT;
  while (ends->key[at] && (ends->key[at] ^ key) & ~(u64)1) at = (at + 1) % KEPT;
  return at;
}

/* Notes the table: 1 won or 0 lost where a game of this deal went on from it, else -1. */
static i32 known_end(Ends *ends, const Game *game) {
  u64 key = key_of(game);
  u64 found = ends->key[place_of(ends, key)];
  if (found) return found & 1;
  if (ends->length < LONGEST) ends->way[ends->length++] = key & ~(u64)1;
  return -1;
}

static i32 keep_end(Ends *ends, i32 won) {
  for (i32 i = 0; i < ends->length && ends->kept < KEPT / 2; i++, ends->kept++)
    ends->key[place_of(ends, ends->way[i])] = ends->way[i] | (u64)won;
  return won;
}

/* 1 won, 0 lost, below 0 a status. */
static i32 play_out(Tables *tables, const Rules *rules, Game *game) {
  tables->ends.length = 0;
  for (;;) {
    i32 known = known_end(&tables->ends, game);
    if (known >= 0) return keep_end(&tables->ends, known);
    Choice choice;
    i32 status = choose(tables, rules, game, &choice);
    if (status) return status;
    i32 end = act(rules, game, &choice);
    if (end) return keep_end(&tables->ends, end > 0);
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
  for (i32 g = 1; g <= rules->groups; g++) rules->undrawn[g] = w[HEAD + g - 1];
  return true;
}

static bool read_rules(Rules *rules, const i32 *w, i32 length) {
  memset(rules, 0, sizeof *rules);
  if (length < HEAD) return false;
  rules->players = w[0];
  rules->stands = w[1];
  rules->told = w[4];
  rules->locked = w[13] & LOCKED;
  rules->turned = w[13] & TURNED;
  rules->own_only = w[13] & OWN_ONLY;
  rules->paired = w[13] & PAIRED;
  if (w[4] < BY_VALUE || w[4] > BY_COUNT || w[13] < 0 || w[13] > 15) return false;
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
  i32 at = layers_end(rules->layers);
  for (i32 s = 0; s < rules->stands; s++) {
    if (at + 3 > length) return false;
    rules->owner[s] = w[at];
    rules->size[s] = w[at + 1];
    game->has[s] = (u32)w[at + 2];
    at += 3;
    if (rules->owner[s] < 0 || rules->owner[s] >= rules->players) return false;
    if (rules->size[s] < 1 || rules->size[s] > SLOTS || at + 4 * rules->size[s] > length)
      return false;
    for (i32 j = 0; j < rules->size[s]; j++, at += 4) {
      i32 state = w[at] & 3, wire = w[at + 1];
      if (w[at] < 0 || w[at] > 31 || state > SHOWN || wire < 0 || wire >= rules->layers) return false;
      game->times[s][j] = (u8)(w[at] >> 2 & 3);
      rules->counted |= game->times[s][j] > 0 || rules->told == BY_COUNT;
      rules->loose[s] |= (u32)(w[at] >> 4) << j;
      game->state[s][j] = (u8)state;
      game->wire[s][j] = (u8)wire;
      game->allowed[s][j] = (u64)(u32)w[at + 3] << 32 | (u32)w[at + 2];
    }
  }
  return at == length;
}

/* Reads the words, and lays the tables into the caller's buffer. */
static i32 open_tables(Tables **tables, Rules *rules, Game *game, const i32 *words, i32 length,
                       u8 *work, i32 bytes) {
  if (!read_rules(rules, words, length) || !read_game(rules, game, words, length)) return BAD;
  if (!uncut_wires(rules, game, game->turn)) return BAD; /* who moves has something to cut with */
  i32 doubles = (bytes - (i32)sizeof(Tables) - 16) / 8;
  if (doubles < 3 * LEAST_ROOM || (uintptr_t)work & 15) return TOO_LARGE;
  Tables *t = *tables = (Tables *)work;
  t->spread[0] = (double *)(work + ((sizeof(Tables) + 15) & ~(size_t)15));
  t->spread_room = doubles / 6;
  t->spread[1] = t->spread[0] + t->spread_room;
  t->after = t->spread[1] + t->spread_room;
  t->room = doubles - 2 * t->spread_room;
  return OK;
}

/* `believe` for the player to move, as one who has nothing to doubt where no stand is open. */
static i32 open_belief(Tables *tables, const Rules *rules, const Game *game, bool *open) {
  i32 status = believe(tables, rules, game, game->turn, 0);
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

static bool read_choice(const Rules *rules, const i32 *words, Choice *choice) {
  *choice = (Choice){words[0], words[1], words[2], words[3]};
  if (choice->kind < BY_RULE || choice->kind > REVEAL || choice->value < 0 || choice->value > RED)
    return false;
  return choice->stand >= 0 && choice->stand < rules->stands && choice->slot >= 0 &&
         choice->slot < rules->size[choice->stand];
}

/* One deal after one choice: 1 won, 0 lost, below 0 a status. */
static i32 play_deal(Tables *tables, const Rules *rules, const Game *game, const u8 *deal,
                     const Choice *first) {
  Game played = *game;
  memcpy(played.wire, deal, WIN_DEAL);
  i32 end = first->kind == BY_RULE ? 0 : act(rules, &played, first);
  i32 result = end ? end > 0 : play_out(tables, rules, &played);
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
    memset(&tables->ends, 0, sizeof tables->ends);
    for (i32 c = 0; c < count; c++) {
      Choice first;
      if (!read_choice(&rules, choices + 4 * c, &first)) return BAD;
      i32 result = play_deal(tables, &rules, &game, deal, &first);
      if (result < 0) return result;
      won[c * games + g] = (u8)result;
    }
  }
  return 1;
}
