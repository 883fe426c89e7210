/* Reads GAME WORDS (rack.h): the rules that no turn changes, and the table. Every word is checked, as
 * positions come from links. Cost: O(words). */
#include "rack/cards.h"

enum { HEAD = 52, LAYER = 4, LOCKED = 1, TURNED = 2, OWN_ONLY = 4, PAIRED = 8, ONE_BY_ONE = 16,
       STUCK_EXPLODES = 32, EXPLODES = 1, ONLY = 2, LAST_OF_ALL = 4, ONE = 16, MOST_CAUTION = 1000,
       MOST_AIR = 40 };

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
  if (w[17] < NO_CARDS || w[17] > ORDERED || w[18] < 0 || w[18] > 9) return false;
  if (w[19] < 0 || w[19] >> YELLOW || w[19] & 1) return false;
  rules->limit_off = w[20] == 1;
  if (w[20] < 0 || w[20] > 1) return false;
  for (i32 p = 0; p < STANDS; p++) {
    rules->limit[p] = w[21 + p];
    if (w[21 + p] < 0 || w[21 + p] > DEAR) return false;
  }
  rules->next_limit = w[26];
  rules->round = w[27];
  rules->air = w[28];
  rules->dear_values = w[29] == 1;
  if (w[26] < NEVER || w[26] > NEXT_PAIR || w[27] < ROUND_LOST || w[27] > ROUND_NEXT) return false;
  if (w[28] < NO_AIR || w[28] > EACH || w[29] < 0 || w[29] > 1) return false;
  for (i32 v = 1; v < YELLOW; v++) {
    rules->pair[v] = w[29 + v];
    if (w[29 + v] < 0 || w[29 + v] > DEAR) return false;
  }
  for (i32 g = 1; g <= rules->groups; g++) rules->undrawn[g] = w[HEAD + g - 1];
  return true;
}

bool read_rules(Rules *rules, const i32 *w, i32 length) {
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

/* Limit card, limit and number cards to come, robot, air: the words from 42 on. */
static bool read_cards(const Rules *rules, Game *game, const i32 *w) {
  game->limit = w[0];
  game->letters = (u32)w[1];
  game->deck = (u32)w[2];
  game->track = w[3];
  if (w[0] < 0 || w[0] > DEAR || w[1] < 0 || w[1] >> DEAR || w[2] < 0 || w[2] >> YELLOW || w[2] & 1)
    return false;
  if (w[3] < NO_TRACK || w[3] >= TRACK_END || w[4] < 0 || w[4] > MOST_AIR) return false;
  if (w[3] != NO_TRACK) game->steps = robot_steps(w[3]);
  game->spent = (u8)w[4];
  for (i32 p = 0; p < STANDS; p++) {
    if (w[5 + p] < 0 || w[5 + p] > MOST_AIR) return false;
    game->air[p] = (u8)w[5 + p];
  }
  return rules->cards < RADAR || (game->open && !(game->open & (game->open - 1)));
}

bool read_game(Rules *rules, Game *game, const i32 *w, i32 length) {
  memset(game, 0, sizeof *game);
  game->turn = w[2];
  game->steps = w[3];
  game->open = rules->cards ? (u32)w[19] : 0;
  game->active = game->turn;
  if (!read_cards(rules, game, w + 42)) return false;
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
  return at == length;
}
