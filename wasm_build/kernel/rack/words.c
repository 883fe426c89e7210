/* Reads the desk's words: DEAL WORDS and GAME WORDS (rack.h); and the small numbers that every part of
 * the desk needs. Every word is checked against its limits, as positions come from links. Cost: O(words). */
#include "rack/game.h"

/* 1/k! and log2 k!, as literals: a table filled at first use would be state between calls. */
static const double INVERSE_FACTORIAL[25] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
    0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-05, 2.7557319223985893e-06,
    2.755731922398589e-07, 2.505210838544172e-08, 2.08767569878681e-09, 1.6059043836821613e-10,
    1.1470745597729725e-11, 7.647163731819816e-13, 4.779477332387385e-14, 2.8114572543455206e-15,
    1.5619206968586225e-16, 8.22063524662433e-18, 4.110317623312165e-19, 1.9572941063391263e-20,
    8.896791392450574e-22, 3.8681701706306835e-23, 1.6117375710961184e-24};
static const double LOG_FACTORIAL[9] = {0.0,
                                        0.0,
                                        1.0,
                                        2.584962500721156,
                                        4.584962500721156,
                                        6.906890595608519,
                                        9.491853096329675,
                                        12.299208018387276,
                                        15.299208018387276};

double inverse_factorial(i32 k) { return INVERSE_FACTORIAL[k]; }
double log_factorial(i32 k) {
  return k < 9 ? LOG_FACTORIAL[k] : -kernel_log2(INVERSE_FACTORIAL[k]);
}
double rack_information(double p) { return p > 0 ? -p * kernel_log2(p) : 0; }

/* ---- words ------------------------------------------------------------------------------------ */

typedef struct Reader {
  const i32 *at, *end;
  bool bad;
} Reader;

static __attribute__((noinline)) i32 next_word(Reader *in, i32 least, i32 most) {
  if (in->at == in->end) {
    in->bad = true;
    return least;
  }
  i32 word = *in->at++;
  if (word >= least && word <= most) return word;
  in->bad = true;
  return least;
}

/* Words of a limited range each, such as the air of every player. */
static void next_words(Reader *in, i32 count, i32 most, i32 *out) {
  for (i32 i = 0; i < count; i++) out[i] = next_word(in, 0, most);
}

static u64 next_mask(Reader *in) {
  u32 low = (u32)next_word(in, INT32_MIN, INT32_MAX);
  return (u64)(u32)next_word(in, INT32_MIN, INT32_MAX) << 32 | low;
}

/* ---- deals ------------------------------------------------------------------------------------ */

static void read_elements(Part *part, Reader *in, i32 layers) {
  u64 all = bit64(layers) - 1;
  for (i32 e = 0; e < part->sorted + part->unsorted; e++) {
    part->allowed[e] = next_mask(in) & all;
    part->times[e] = (u8)next_word(in, 0, 3);
    part->hidden[e] = (u8)next_word(in, 0, 1);
  }
}

static void read_part(Deal *deal, Part *part, Reader *in) {
  memset(part, 0, sizeof *part);
  part->reds = -1;
  part->sorted = next_word(in, 0, ELEMENTS);
  part->unsorted = next_word(in, 0, UNSORTED);
  part->pairs = next_word(in, 0, PAIRS);
  part->has = (u32)next_word(in, 0, (1 << VALUES) - 1);
  if (part->sorted + part->unsorted > ELEMENTS) in->bad = true;
  if (in->bad) return;
  for (i32 v = 0; v < VALUES; v++) part->visible[v] = next_word(in, 0, ELEMENTS);
  for (i32 v = 0; v < VALUES; v++) part->exact[v] = next_word(in, 0, 3);
  for (i32 d = 0; d < deal->layers; d++) part->known[d] = next_word(in, 0, ELEMENTS);
  read_elements(part, in, deal->layers);
  i32 last = part->sorted + part->unsorted - 1;
  for (i32 i = 0; i < part->pairs; i++) {
    Pair *pair = &part->pair[i];
    i32 first = next_word(in, 0, max32(last, 0)), second = next_word(in, 0, LAYERS - 1);
    *pair = (Pair){(u8)first, (u8)second, (u8)next_word(in, DIFFERENT, TIED)};
    bool turned = pair->kind == RISING || pair->kind == HALVED;
    part->turned |= turned;
    if (turned && first < part->sorted) in->bad = true;
    part->tied |= pair->kind == TIED;
    if (pair->kind >= HALVED) continue;
    if (second > last || first == second || (turned && second < part->sorted)) in->bad = true;
  }
  part->counts_yellow = part->exact[YELLOW] > 0;
  for (i32 e = 0; e <= last; e++)
    if (part->times[e] && part->allowed[e] & deal->of_value[YELLOW]) part->counts_yellow = true;
}

static i32 deal_read(Deal *deal, const i32 *words, i32 length, bool all_dealt) {
  if (length < 3) return BAD;
  Reader in = {words, words + length, false};
  deal->tile_removal = next_word(&in, 0, 1);
  deal->layers = next_word(&in, 0, LAYERS);
  deal->parts = next_word(&in, 1, PARTS);
  memset(deal->of_value, 0, sizeof deal->of_value);
  memset(deal->of_called, 0, sizeof deal->of_called);
  deal->total[0] = 0;
  for (i32 d = 0; d < deal->layers; d++) {
    deal->value[d] = next_word(&in, 1, RED);
    deal->copies[d] = next_word(&in, 1, COPIES);
    deal->called[d] = next_word(&in, 1, RED);
    if (deal->called[d] != deal->value[d] && deal->called[d] != RED) in.bad = true;
    deal->of_called[deal->called[d]] |= bit64(d);
    deal->total[d + 1] = deal->total[d] + deal->copies[d];
    deal->of_value[deal->value[d]] |= bit64(d);
  }
  i32 elements = 0;
  for (i32 p = 0; p < deal->parts && !in.bad; p++) {
    read_part(deal, &deal->part[p], &in);
    elements += deal->part[p].sorted + deal->part[p].unsorted;
  }
  if (in.bad || (all_dealt && elements != deal->total[deal->layers])) return BAD;
  return (i32)(in.at - words);
}

i32 deal_open(Deal **deal, const i32 *words, i32 length, u8 *work, i32 bytes, bool all_dealt) {
  size_t own = (sizeof(Deal) + 15) & ~(size_t)15;
  if (bytes < 0 || (size_t)bytes < own || (uintptr_t)work & 15) return TOO_LARGE;
  *deal = (Deal *)work;
  (*deal)->fresh = arena_after(work, own, (size_t)bytes);
  return deal_read(*deal, words, length, all_dealt);
}

/* ---- games ------------------------------------------------------------------------------------ */

enum { LOCKED = 1, TURNED = 2, OWN_ONLY = 4, PAIRED = 8, ONE_BY_ONE = 16, STUCK_EXPLODES = 32,
       EXPLODES = 1, ONLY = 2, LAST_OF_ALL = 4, ONE = 16, MOST_CAUTION = 1000, MOST_AIR = 40,
       ALL_NUMBERS = (1 << YELLOW) - 2 };

/* Numbers (bits), of which 0 is none. */
static u32 next_numbers(Reader *in) {
  u32 numbers = (u32)next_word(in, 0, ALL_NUMBERS);
  in->bad |= numbers & 1;
  return numbers;
}

/* What the players and their steps are, and the rules of loose wires and of cuts of several. */
static void read_mission(Rules *rules, Game *game, Reader *in) {
  rules->players = next_word(in, 2, STANDS);
  rules->stands = next_word(in, 2, STANDS);
  i32 everybody = (1 << rules->players) - 1;
  game->turn = game->active = next_word(in, 0, rules->players - 1);
  game->steps = next_word(in, 1, MOST_STEPS_LEFT);
  rules->token_kind = next_word(in, BY_VALUE, BY_COUNT);
  rules->caution = next_word(in, 0, MOST_CAUTION) / 10.0;
  rules->spare_caution = next_word(in, 0, MOST_CAUTION) / 10.0;
  rules->layers = next_word(in, 1, LAYERS);
  rules->deadly = next_word(in, 0, YELLOW - 1);
  rules->explodes = (u32)next_word(in, 0, everybody);
  rules->silent = (u32)next_word(in, 0, everybody);
  rules->unlock = next_word(in, 0, COPIES);
  rules->groups = next_word(in, 0, GROUPS);
  i32 loose = next_word(in, 0, 2 * STUCK_EXPLODES - 1);
  rules->locked = loose & LOCKED;
  rules->turned = loose & TURNED;
  rules->own_only = loose & OWN_ONLY;
  rules->paired = loose & PAIRED;
  rules->one_by_one = loose & ONE_BY_ONE;
  rules->stuck_explodes = loose & STUCK_EXPLODES;
  rules->together.value = next_word(in, 0, RED);
  rules->together.count = next_word(in, 0, COPIES);
  i32 how = next_word(in, 0, 2 * LAST_OF_ALL - 1);
  rules->together.explodes = how & EXPLODES;
  rules->together.only = how & ONLY;
  rules->together.last = how & LAST_OF_ALL;
}

/* Number cards, limit cards, robot and air: what they do, then what lies on the table. */
static void read_cards(Rules *rules, Game *game, Reader *in) {
  i32 air[STANDS];
  rules->cards = next_word(in, NO_CARDS, ORDERED);
  rules->skip_steps = next_word(in, 0, MOST_STEPS_LEFT);
  u32 open = next_numbers(in);
  game->open = rules->cards ? open : 0;
  rules->limit_off = next_word(in, 0, 1);
  next_words(in, STANDS, DEAR, rules->limit);
  rules->next_limit = next_word(in, NEVER, NEXT_PAIR);
  rules->round = next_word(in, ROUND_LOST, ROUND_NEXT);
  rules->air = next_word(in, NO_AIR, EACH);
  rules->dear_values = next_word(in, 0, 1);
  next_words(in, YELLOW - 1, DEAR, rules->pair + 1);
  game->limit = next_word(in, 0, DEAR);
  game->letters = (u32)next_word(in, 0, (1 << DEAR) - 1);
  game->deck = next_numbers(in);
  game->track = next_word(in, NO_TRACK, TRACK_END - 1);
  if (game->track != NO_TRACK) game->steps = robot_steps(game->track);
  game->spent = (u8)next_word(in, 0, MOST_AIR);
  next_words(in, STANDS, MOST_AIR, air);
  for (i32 p = 0; p < STANDS; p++) game->air[p] = (u8)air[p];
  if (rules->cards >= RADAR && popcount64(game->open) != 1) in->bad = true;
}

static void read_wires(Rules *rules, Reader *in) {
  for (i32 g = 1; g <= GROUPS; g++) {
    i32 undrawn = next_word(in, INT32_MIN, INT32_MAX);
    if (g <= rules->groups) rules->undrawn[g] = undrawn;
  }
  for (i32 t = 0; t < rules->layers; t++) {
    i32 value = rules->value[t] = next_word(in, 1, RED);
    rules->copies[t] = next_word(in, 1, COPIES);
    rules->group[t] = next_word(in, 0, rules->groups);
    i32 before = next_word(in, 0, YELLOW - 1);
    if (before) rules->before[value] = before;
    if (rules->group[t] && rules->copies[t] > 1) in->bad = true;
    rules->of_value[value] |= bit64(t);
    if (value < YELLOW && value % 2) rules->odd |= bit64(t);
  }
}

static void read_stand(Rules *rules, Game *game, i32 s, Reader *in) {
  rules->owner[s] = next_word(in, 0, rules->players - 1);
  rules->size[s] = next_word(in, 1, SLOTS);
  u32 facts = (u32)next_word(in, INT32_MIN, INT32_MAX), single = facts >> ONE;
  game->has[s] = facts & ((1u << ONE) - 1);
  rules->single[s] = single >> YELLOW & 1 ? YELLOW : single ? RED : 0;
  for (i32 j = 0; j < rules->size[s] && !in->bad; j++) {
    i32 word = next_word(in, 0, 31), state = word & 3;
    if (state > SHOWN) in->bad = true;
    game->times[s][j] = (u8)(word >> 2 & 3);
    rules->counted |= game->times[s][j] > 0 || rules->token_kind == BY_COUNT;
    rules->loose[s] |= (u32)(word >> 4) << j;
    game->hidden[s] |= (u32)(state == HIDDEN) << j;
    game->shown[s] |= (u32)(state == SHOWN) << j;
    game->wire[s][j] = (u8)next_word(in, 0, rules->layers - 1);
    game->allowed[s][j] = next_mask(in);
  }
}

bool read_table(Rules *rules, Game *game, const i32 *words, i32 length) {
  Reader in = {words, words + max32(length, 0), false};
  memset(rules, 0, sizeof *rules);
  memset(game, 0, sizeof *game);
  read_mission(rules, game, &in);
  read_cards(rules, game, &in);
  read_wires(rules, &in);
  for (i32 s = 0; s < rules->stands && !in.bad; s++) read_stand(rules, game, s, &in);
  return !in.bad && in.at == in.end;
}
