/* Decodes DEAL ENCODING and GAME ENCODING (rack.h), and defines the desk's numeric helpers. Every
 * number is checked against its limits, since positions come from links. Cost: O(numbers). */
#include "rack/game.h"

/* 1/k! and log2 k!, as literals: a table filled at first use would be state between calls. */
/* clang-format off */
const double INVERSE_FACTORIAL[25] = {
    1.0, 1.0, 0.5, 0.16666666666666666, 0.041666666666666664, 0.008333333333333333,
    0.001388888888888889, 0.0001984126984126984, 2.48015873015873e-05, 2.7557319223985893e-06,
    2.755731922398589e-07, 2.505210838544172e-08, 2.08767569878681e-09, 1.6059043836821613e-10,
    1.1470745597729725e-11, 7.647163731819816e-13, 4.779477332387385e-14, 2.8114572543455206e-15,
    1.5619206968586225e-16, 8.22063524662433e-18, 4.110317623312165e-19, 1.9572941063391263e-20,
    8.896791392450574e-22, 3.8681701706306835e-23, 1.6117375710961184e-24};
static const double LOG_FACTORIAL[9] = {
    0.0, 0.0, 1.0, 2.584962500721156, 4.584962500721156, 6.906890595608519, 9.491853096329675,
    12.299208018387276, 15.299208018387276};
/* clang-format on */

double log_factorial(i32 k) { return k < 9 ? LOG_FACTORIAL[k] : -kernel_log2(INVERSE_FACTORIAL[k]); }
double rack_information(double p) { return p > 0 ? -p * kernel_log2(p) : 0; }

/* ---- reader ---------------------------------------------------------------------------------- */

typedef struct Reader {
  const i32 *at, *end;
  bool bad;
} Reader;

/* The next number; out of range or past the end: `least`, and the reader is bad. */
static __attribute__((noinline)) i32 next_number(Reader *in, i32 least, i32 most) {
  if (in->at == in->end) {
    in->bad = true;
    return least;
  }
  i32 number = *in->at++;
  if (number >= least && number <= most) return number;
  in->bad = true;
  return least;
}

/* Numbers from 0 to `most`, such as the air of every player. */
static void next_numbers(Reader *in, i32 count, i32 most, i32 *out) {
  for (i32 i = 0; i < count; i++) out[i] = next_number(in, 0, most);
}

static u64 next_mask(Reader *in) {
  u32 low = (u32)next_number(in, INT32_MIN, INT32_MAX);
  return (u64)(u32)next_number(in, INT32_MIN, INT32_MAX) << 32 | low;
}

/* ---- deals ----------------------------------------------------------------------------------- */

static void read_elements(Part *part, Reader *in, i32 layers) {
  u64 all = bit64(layers) - 1;
  for (i32 e = 0; e < part->sorted + part->unsorted; e++) {
    part->allowed[e] = next_mask(in) & all;
    part->times[e] = (u8)next_number(in, 0, 3);
    part->hidden[e] = (u8)next_number(in, 0, 1);
  }
}

static void read_part(Deal *deal, Part *part, Reader *in) {
  memset(part, 0, sizeof *part);
  part->reds = -1;
  part->sorted = next_number(in, 0, ELEMENTS);
  part->unsorted = next_number(in, 0, UNSORTED);
  part->pairs = next_number(in, 0, PAIRS);
  part->has = (u32)next_number(in, 0, (1 << VALUES) - 1);
  if (part->sorted + part->unsorted > ELEMENTS) in->bad = true;
  if (in->bad) return;
  for (i32 v = 0; v < VALUES; v++) part->visible[v] = next_number(in, 0, ELEMENTS);
  for (i32 v = 0; v < VALUES; v++) part->exact[v] = next_number(in, 0, 3);
  for (i32 d = 0; d < deal->layers; d++) part->known[d] = next_number(in, 0, ELEMENTS);
  read_elements(part, in, deal->layers);
  i32 last = part->sorted + part->unsorted - 1;
  for (i32 i = 0; i < part->pairs; i++) {
    Pair *pair = &part->pair[i];
    i32 first = next_number(in, 0, max32(last, 0)), second = next_number(in, 0, LAYERS - 1);
    *pair = (Pair){(u8)first, (u8)second, (u8)next_number(in, DIFFERENT, TIED)};
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

static i32 deal_read(Deal *deal, const i32 *encoded, i32 length, bool all_dealt) {
  if (length < 3) return BAD;
  Reader in = {encoded, encoded + length, false};
  deal->tile_removal = next_number(&in, 0, 1);
  deal->layers = next_number(&in, 0, LAYERS);
  deal->parts = next_number(&in, 1, PARTS);
  memset(deal->of_value, 0, sizeof deal->of_value);
  memset(deal->counted_as, 0, sizeof deal->counted_as);
  deal->total[0] = 0;
  for (i32 d = 0; d < deal->layers; d++) {
    deal->value[d] = next_number(&in, 1, RED);
    deal->copies[d] = next_number(&in, 1, COPIES);
    deal->counts_as[d] = next_number(&in, 1, RED);
    if (deal->counts_as[d] != deal->value[d] && deal->counts_as[d] != RED) in.bad = true;
    deal->counted_as[deal->counts_as[d]] |= bit64(d);
    deal->total[d + 1] = deal->total[d] + deal->copies[d];
    deal->of_value[deal->value[d]] |= bit64(d);
  }
  i32 elements = 0;
  for (i32 p = 0; p < deal->parts && !in.bad; p++) {
    read_part(deal, &deal->part[p], &in);
    elements += deal->part[p].sorted + deal->part[p].unsorted;
  }
  if (in.bad || (all_dealt && elements != deal->total[deal->layers])) return BAD;
  return (i32)(in.at - encoded);
}

i32 deal_open(Deal **deal, const i32 *encoded, i32 length, u8 *work, i32 bytes, bool all_dealt) {
  size_t own = (sizeof(Deal) + 15) & ~(size_t)15;
  if (bytes < 0 || (size_t)bytes < own || (uintptr_t)work & 15) return TOO_LARGE;
  *deal = (Deal *)work;
  (*deal)->fresh = arena_after(work, own, (size_t)bytes);
  return deal_read(*deal, encoded, length, all_dealt);
}

/* ---- games ----------------------------------------------------------------------------------- */

enum {
  LOCKED = 1, /* flags of unsorted and yellow wires */
  TURNED = 2,
  OWN_ONLY = 4,
  PAIRED = 8,
  ONE_BY_ONE = 16,
  STUCK_EXPLODES = 32,
  EXPLODES = 1, /* flags of the multi-wire cut */
  ONLY = 2,
  LAST_OF_ALL = 4,
  SINGLE_AT = 16, /* where the values dealt once begin in a stand's facts */
  MAX_CAUTION = 1000,
  MAX_AIR = 40,
  ALL_VALUES = (1 << YELLOW) - 2
};

/* A set of values (bits); 0 is none. */
static u32 next_values(Reader *in) {
  u32 values = (u32)next_number(in, 0, ALL_VALUES);
  in->bad |= values & 1;
  return values;
}

/* Players, detonator, and the rules for unsorted wires and multi-wire cuts. */
static void read_mission(Rules *rules, Game *game, Reader *in) {
  rules->players = next_number(in, 2, STANDS);
  rules->stands = next_number(in, 2, STANDS);
  i32 all_players = (1 << rules->players) - 1;
  game->turn = game->active = next_number(in, 0, rules->players - 1);
  game->steps = next_number(in, 1, MAX_STEPS);
  rules->token_kind = next_number(in, BY_VALUE, BY_COUNT);
  rules->caution = next_number(in, 0, MAX_CAUTION) / 10.0;
  rules->spare_caution = next_number(in, 0, MAX_CAUTION) / 10.0;
  rules->layers = next_number(in, 1, LAYERS);
  rules->deadly = next_number(in, 0, YELLOW - 1);
  rules->explodes = (u32)next_number(in, 0, all_players);
  rules->silent = (u32)next_number(in, 0, all_players);
  rules->unlock = next_number(in, 0, COPIES);
  rules->groups = next_number(in, 0, GROUPS);
  i32 unsorted = next_number(in, 0, 2 * STUCK_EXPLODES - 1);
  rules->locked = unsorted & LOCKED;
  rules->turned = unsorted & TURNED;
  rules->own_only = unsorted & OWN_ONLY;
  rules->paired = unsorted & PAIRED;
  rules->one_by_one = unsorted & ONE_BY_ONE;
  rules->stuck_explodes = unsorted & STUCK_EXPLODES;
  rules->multi_cut.value = next_number(in, 0, RED);
  rules->multi_cut.count = next_number(in, 0, COPIES);
  i32 how = next_number(in, 0, 2 * LAST_OF_ALL - 1);
  rules->multi_cut.explodes = how & EXPLODES;
  rules->multi_cut.only = how & ONLY;
  rules->multi_cut.last = how & LAST_OF_ALL;
}

/* Number cards, limit cards, robot and air: their rules, then their state. */
static void read_cards(Rules *rules, Game *game, Reader *in) {
  i32 air[STANDS];
  rules->number_cards = next_number(in, NO_CARDS, ORDERED);
  rules->skip_steps = next_number(in, 0, MAX_STEPS);
  u32 open = next_values(in);
  game->open = rules->number_cards ? open : 0;
  rules->limit_off = next_number(in, 0, 1);
  next_numbers(in, STANDS, TWO_STEPS, rules->limit);
  rules->next_limit = next_number(in, NEVER, NEXT_PAIR);
  rules->round = next_number(in, ROUND_LOST, ROUND_NEXT);
  rules->air = next_number(in, NO_AIR, EACH);
  rules->costs_value = next_number(in, 0, 1);
  next_numbers(in, YELLOW - 1, TWO_STEPS, rules->pair + 1);
  game->limit = next_number(in, 0, TWO_STEPS);
  game->letters = (u32)next_number(in, 0, (1 << TWO_STEPS) - 1);
  game->deck = next_values(in);
  game->track = next_number(in, NO_TRACK, TRACK_END - 1);
  if (game->track != NO_TRACK) game->steps = robot_steps(game->track);
  game->spent = (u8)next_number(in, 0, MAX_AIR);
  next_numbers(in, STANDS, MAX_AIR, air);
  for (i32 p = 0; p < STANDS; p++) game->air[p] = (u8)air[p];
  if (rules->number_cards >= RADAR && popcount64(game->open) != 1) in->bad = true;
}

static void read_layers(Rules *rules, Reader *in) {
  for (i32 g = 1; g <= GROUPS; g++) {
    i32 undrawn = next_number(in, INT32_MIN, INT32_MAX);
    if (g <= rules->groups) rules->undrawn[g] = undrawn;
  }
  for (i32 t = 0; t < rules->layers; t++) {
    i32 value = rules->value[t] = next_number(in, 1, RED);
    rules->copies[t] = next_number(in, 1, COPIES);
    rules->group[t] = next_number(in, 0, rules->groups);
    i32 before = next_number(in, 0, YELLOW - 1);
    if (before) rules->before[value] = before;
    if (rules->group[t] && rules->copies[t] > 1) in->bad = true;
    rules->of_value[value] |= bit64(t);
    if (value < YELLOW && value % 2) rules->odd |= bit64(t);
  }
}

static void read_stand(Rules *rules, Game *game, i32 s, Reader *in) {
  rules->owner[s] = next_number(in, 0, rules->players - 1);
  rules->size[s] = next_number(in, 1, SLOTS);
  u32 facts = (u32)next_number(in, INT32_MIN, INT32_MAX), single = facts >> SINGLE_AT;
  game->has[s] = facts & ((1u << SINGLE_AT) - 1);
  rules->single[s] = single >> YELLOW & 1 ? YELLOW : single ? RED : 0;
  for (i32 j = 0; j < rules->size[s] && !in->bad; j++) {
    i32 slot = next_number(in, 0, 31), state = slot & 3;
    if (state > SHOWN) in->bad = true;
    game->times[s][j] = (u8)(slot >> 2 & 3);
    rules->has_counts |= game->times[s][j] > 0 || rules->token_kind == BY_COUNT;
    rules->unsorted[s] |= (u32)(slot >> 4) << j;
    game->hidden[s] |= (u32)(state == HIDDEN) << j;
    game->shown[s] |= (u32)(state == SHOWN) << j;
    game->wire[s][j] = (u8)next_number(in, 0, rules->layers - 1);
    game->allowed[s][j] = next_mask(in);
  }
}

bool read_game(Rules *rules, Game *game, const i32 *encoded, i32 length) {
  Reader in = {encoded, encoded + max32(length, 0), false};
  memset(rules, 0, sizeof *rules);
  memset(game, 0, sizeof *game);
  read_mission(rules, game, &in);
  read_cards(rules, game, &in);
  read_layers(rules, &in);
  for (i32 s = 0; s < rules->stands && !in.bad; s++) read_stand(rules, game, s, &in);
  return !in.bad && in.at == in.end;
}
