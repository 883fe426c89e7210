/* Reading a deal, and the small numbers every part of the desk needs. */
#include "rack/rack.h"

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

typedef struct Reader {
  const i32 *at, *end;
  bool bad;
} Reader;

static i32 next_word(Reader *in, i32 least, i32 most) {
  if (in->at == in->end) {
    in->bad = true;
    return least;
  }
  i32 word = *in->at++;
  if (word >= least && word <= most) return word;
  in->bad = true;
  return least;
}

static void read_elements(Part *part, Reader *in, i32 layers) {
  u64 all = bit64(layers) - 1;
  for (i32 e = 0; e < part->sorted + part->unsorted; e++) {
    u32 low = (u32)next_word(in, INT32_MIN, INT32_MAX);
    u32 high = (u32)next_word(in, INT32_MIN, INT32_MAX);
    part->allowed[e] = ((u64)high << 32 | low) & all;
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
