/* Information of a token on one stand for an observer: entropy of the stand before and after it, by
 * forward and backward passes over the stand's automaton.
 *
 * The automaton (automaton.c) is built once. A standard or parity token only forbids moves, so it
 * is a filter on both passes. A multiplicity token changes what the automaton must remember, so
 * each one builds its own, which accepts exactly the stands in which the value at the slot occurs
 * that often.
 *
 * Weights of a layer with c copies, `known` on the stand, k sorted and x unsorted placed:
 *   tile removal    c! / (k! (c - k - x)!)
 *   true posterior  c! / ((known + k)! (c - k - x)!)
 * and, for the wires of an X-of-Y group, a factor by how many of them the stand holds. The
 * published model omits that factor, as if all candidates were in play.
 * Cost: one to three pairs of passes per token, and an automaton per multiplicity token. */
#include "rack/rack.h"

enum { PUBLISHED, JOINT, BAYES, MODELS, STANDARD = 0, PARITY, MULTIPLICITY, TOKENS };

typedef struct Weights {
  double weight[LAYERS][COPIES + 1][UNSORTED + 1], log[LAYERS][COPIES + 1][UNSORTED + 1];
} Weights;

typedef struct Group { /* candidates whose place is unknown; those of them in play */
  i32 left, drawn;
} Group;

typedef struct Filter { /* the shown element may hold only these layers; element < 0: no filter */
  i32 element;
  u64 layers;
} Filter;

typedef struct Measure {
  double weight, joint, published; /* published: sum of marginal entropies */
} Measure;

typedef struct Stand {
  Deal *deal;
  const Part *part;
  Automaton *leaf;
  i32 elements, groups, most_times; /* most_times: the highest multiplicity token on blue */
  Group group[GROUPS];
  i32 truth[ELEMENTS];
  bool known; /* some copy on the stand is known, so the models' weights differ */
  Weights *tile, *bayes, *removed; /* removed: tile removal after a standard token */
  double *marginals; /* elements x layers */
} Stand;

static double factorial(i32 k) { return k < 0 ? 0 : 1 / INVERSE_FACTORIAL[k]; }

static double choose(i32 n, i32 k) {
  return k < 0 || k > n ? 0 : factorial(n) / (factorial(k) * factorial(n - k));
}

/* Fills the weights of a layer. `gone` copies, shown on this stand, have left the pool: sorted
 * ones, or `unsorted` ones, which are not part of the run. */
static void fill_weights(Weights *out, i32 layer, i32 copies, i32 known, i32 gone, bool unsorted) {
  for (i32 k = 0; k <= COPIES; k++)
    for (i32 x = 0; x <= UNSORTED; x++) {
      double weight = 0;
      i32 run = unsorted && x ? k : k - gone;
      if (run >= 0 && k + x <= copies)
        weight =
            factorial(copies - gone) * INVERSE_FACTORIAL[known + run] * INVERSE_FACTORIAL[copies - k - x];
      out->weight[layer][k][x] = weight;
      out->log[layer][k][x] = kernel_log2(weight);
    }
}

/* The factor of a final state: the number of ways to draw the rest of each group. */
static double final_weight(const Stand *stand, u16 counters) {
  double weight = 1;
  for (i32 g = 0; g < stand->groups; g++) {
    i32 here = counters >> 4 * g & 15;
    weight *= choose(stand->group[g].left - here, stand->group[g].drawn - here);
  }
  return weight;
}

/* Whether the filter forbids a move. */
static bool is_filtered(const Stand *stand, const Layer *layer, i32 move, i32 d, Filter filter) {
  if (filter.element < 0 || filter.layers >> d & 1) return false;
  return move_fills(stand->part, layer, move) >> filter.element & 1;
}

static double move_weight(const Weights *weights, const Layer *layer, i32 move, i32 d) {
  return weights->weight[d][layer->run[move]][popcount64(layer->unsorted[move])];
}

/* Computes the weight of all completions of each state; `drawn`: with the factor of groups. */
static void backward_pass(const Stand *stand, const Automaton *leaf, const Weights *weights, Filter filter,
                          bool drawn, double **after) {
  i32 layers = stand->deal->layers;
  for (i32 s = 0; s < leaf->layer[layers].states; s++)
    after[layers][s] = drawn ? final_weight(stand, leaf->counters[s]) : 1;
  for (i32 d = layers - 1; d >= 0; d--) {
    const Layer *layer = &leaf->layer[d];
    for (i32 s = 0; s < layer->states; s++) {
      double sum = 0;
      for (i32 m = layer->first_move[s]; m < layer->first_move[s + 1]; m++)
        if (!is_filtered(stand, layer, m, d, filter))
          sum += move_weight(weights, layer, m, d) * after[d + 1][layer->to[m]];
      after[d][s] = sum;
    }
  }
}

static void add_marginals(const Stand *stand, const Layer *layer, i32 move, i32 d, double mass) {
  for (u32 rest = move_fills(stand->part, layer, move); rest; rest &= rest - 1)
    stand->marginals[lowest64(rest) * stand->deal->layers + d] += mass;
}

/* Returns sum(weight log2 weight) over the stands, and fills the marginals. */
static double forward_pass(const Stand *stand, const Automaton *leaf, const Weights *weights, Filter filter,
                           bool drawn, double **after, double **before) {
  i32 layers = stand->deal->layers;
  double logs = 0;
  before[0][0] = 1;
  memset(stand->marginals, 0, 8 * (size_t)(stand->elements * layers));
  for (i32 d = 0; d < layers; d++) {
    const Layer *layer = &leaf->layer[d];
    memset(before[d + 1], 0, 8 * (size_t)leaf->layer[d + 1].states);
    for (i32 s = 0; s < layer->states; s++)
      for (i32 m = layer->first_move[s]; m < layer->first_move[s + 1]; m++) {
        if (is_filtered(stand, layer, m, d, filter)) continue;
        double here = before[d][s] * move_weight(weights, layer, m, d);
        double mass = here * after[d + 1][layer->to[m]];
        before[d + 1][layer->to[m]] += here;
        if (mass == 0) continue;
        logs += mass * weights->log[d][layer->run[m]][popcount64(layer->unsorted[m])];
        add_marginals(stand, layer, m, d, mass);
      }
  }
  for (i32 s = 0; drawn && s < leaf->layer[layers].states; s++)
    logs += before[layers][s] * after[layers][s] * kernel_log2(after[layers][s]);
  return logs;
}

/* The sum of the entropies of single elements, without the shown one. */
static double marginal_entropy(const Stand *stand, double weight, i32 shown) {
  double sum = 0;
  for (i32 e = 0; e < stand->elements; e++)
    for (i32 d = 0; e != shown && d < stand->deal->layers; d++)
      sum += rack_information(stand->marginals[e * stand->deal->layers + d] / weight);
  return sum;
}

/* Measures a stand's weight and entropies. `shown`: the element whose wire is public, or -1. */
static i32 measure(Stand *stand, const Automaton *leaf, const Weights *weights, Filter filter, bool drawn,
                   i32 shown, Measure *out) {
  Arena *arena = &stand->deal->arena;
  u8 *high = arena->high;
  i32 layers = stand->deal->layers;
  double *after[LAYERS + 1], *before[LAYERS + 1];
  memset(out, 0, sizeof *out);
  for (i32 d = 0; d <= layers; d++) {
    after[d] = arena_scratch(arena, 8 * (size_t)leaf->layer[d].states);
    before[d] = arena_scratch(arena, 8 * (size_t)leaf->layer[d].states);
    if (!after[d] || !before[d]) return TOO_LARGE;
  }
  arena->high = high;
  if (!leaf->layer[0].states) return OK;
  backward_pass(stand, leaf, weights, filter, drawn, after);
  out->weight = after[0][0];
  if (!(out->weight > 0)) return OK;
  double logs = forward_pass(stand, leaf, weights, filter, drawn, after, before);
  out->joint = kernel_log2(out->weight) - logs / out->weight;
  out->published = marginal_entropy(stand, out->weight, shown);
  return OK;
}

/* The entropies in the three models after one token; `tile`: the weights of tile removal. */
static i32 three_models(Stand *stand, const Automaton *leaf, const Weights *tile, Filter filter, i32 shown,
                        double *entropy) {
  Measure one;
  i32 status = measure(stand, leaf, tile, filter, false, shown, &one);
  entropy[PUBLISHED] = one.published;
  if (!status && stand->groups) status = measure(stand, leaf, tile, filter, true, shown, &one);
  entropy[JOINT] = entropy[BAYES] = one.joint;
  if (!status && (stand->known || tile != stand->tile)) {
    status = measure(stand, leaf, stand->bayes, filter, stand->groups > 0, shown, &one);
    entropy[BAYES] = one.joint;
  }
  if (!status && !(one.weight > 0)) return IMPOSSIBLE;
  return status;
}

/* The layers of blue values with the parity of a value. */
static u64 same_parity(const Deal *deal, i32 value) {
  u64 layers = 0;
  for (i32 v = 2 - value % 2; v < YELLOW; v += 2) layers |= deal->of_value[v];
  return layers;
}

/* The entropies after a standard token on an element. */
static i32 standard_token(Stand *stand, i32 e, double *entropy) {
  i32 d = stand->truth[e], copies = stand->deal->copies[d];
  Filter filter = {e, bit64(d)};
  fill_weights(stand->removed, d, copies, 0, 1, e >= stand->part->sorted);
  i32 status = three_models(stand, stand->leaf, stand->removed, filter, e, entropy);
  fill_weights(stand->removed, d, copies, 0, 0, false);
  return status;
}

/* The entropies after a multiplicity token on an element. */
static i32 multiplicity_token(Stand *stand, i32 e, i32 times, double *entropy) {
  Deal *deal = stand->deal;
  Part token = *stand->part;
  Arena before = deal->arena;
  token.times[e] = (u8)times;
  if (token.allowed[e] & deal->of_value[YELLOW]) token.counts_yellow = true;
  Automaton *leaf = automaton_leaf(deal, &token);
  i32 status = TOO_LARGE;
  if (leaf) status = three_models(stand, leaf, stand->tile, (Filter){-1, 0}, -1, entropy);
  deal->arena = before;
  return status;
}

/* The number of wires on the stand with the value of an element. */
static i32 times_on_stand(const Stand *stand, i32 e) {
  i32 value = stand->deal->value[stand->truth[e]], times = stand->part->visible[value];
  for (i32 i = 0; i < stand->elements; i++) times += stand->deal->value[stand->truth[i]] == value;
  return times;
}

/* The gains of all tokens on an element in all models. */
static i32 token_gains(Stand *stand, i32 e, const double *baseline, double *gain) {
  i32 value = stand->deal->value[stand->truth[e]], times = times_on_stand(stand, e), status = OK;
  i32 most = value < YELLOW || !stand->most_times ? stand->most_times : 3;
  double entropy[TOKENS][MODELS];
  bool legal[TOKENS] = {value < YELLOW, value < YELLOW, value != RED && times <= most};
  if (legal[STANDARD]) status = standard_token(stand, e, entropy[STANDARD]);
  Filter parity = {e, same_parity(stand->deal, value)};
  if (!status && legal[PARITY])
    status = three_models(stand, stand->leaf, stand->tile, parity, -1, entropy[PARITY]);
  if (!status && legal[MULTIPLICITY]) status = multiplicity_token(stand, e, times, entropy[MULTIPLICITY]);
  for (i32 t = 0; t < TOKENS; t++)
    for (i32 m = 0; m < MODELS; m++)
      gain[MODELS * t + m] = legal[t] ? baseline[m] - entropy[t][m] : __builtin_nan("");
  return status;
}

/* Reads `extra` up to the `truths` wires. Returns how many numbers were read, or BAD. */
static i32 read_extra(Stand *stand, const i32 *extra, i32 extras, i32 truths) {
  Deal *deal = stand->deal;
  Part *part = &deal->part[0];
  const i32 *start = extra;
  if (extras < 2 || extra[1] < 0 || extra[1] > GROUPS) return BAD;
  stand->most_times = *extra++;
  if (stand->most_times && (stand->most_times < 3 || stand->most_times > COPIES)) return BAD;
  stand->groups = part->groups = *extra++;
  if (extras != 2 + 2 * stand->groups + deal->layers + truths) return BAD;
  for (i32 g = 0; g < stand->groups; g++, extra += 2) {
    stand->group[g] = (Group){extra[0], extra[1]};
    if (extra[0] < 0 || extra[0] > 15 || extra[1] < 0 || extra[1] > extra[0]) return BAD;
  }
  for (i32 d = 0; d < deal->layers; d++, extra++) {
    if (*extra < 0 || *extra > stand->groups) return BAD;
    part->group_of[d] = (u8)*extra;
  }
  return (i32)(extra - start);
}

/* Reads the wires that stand there. */
static i32 read_truth(Stand *stand, const i32 *extra) {
  for (i32 e = 0; e < stand->elements; e++) {
    if (extra[e] < 0 || extra[e] >= stand->deal->layers) return BAD;
    if (!(stand->part->allowed[e] >> extra[e] & 1)) return IMPOSSIBLE;
    stand->truth[e] = extra[e];
  }
  return OK;
}

/* Builds weights and automaton. */
static i32 prepare(Stand *stand) {
  Deal *deal = stand->deal;
  deal->arena = deal->fresh;
  stand->tile = arena_take(&deal->arena, sizeof(Weights));
  stand->bayes = arena_take(&deal->arena, sizeof(Weights));
  stand->removed = arena_take(&deal->arena, sizeof(Weights));
  stand->marginals = arena_take(&deal->arena, 8 * (size_t)(stand->elements * deal->layers));
  if (!stand->tile || !stand->bayes || !stand->removed || !stand->marginals) return TOO_LARGE;
  for (i32 d = 0; d < deal->layers; d++) {
    fill_weights(stand->tile, d, deal->copies[d], 0, 0, false);
    fill_weights(stand->removed, d, deal->copies[d], 0, 0, false);
    fill_weights(stand->bayes, d, deal->copies[d], stand->part->known[d], 0, false);
    stand->known |= stand->part->known[d] > 0;
  }
  stand->leaf = automaton_leaf(deal, stand->part);
  return stand->leaf ? OK : TOO_LARGE;
}

static i32 open_stand(Stand *stand, const i32 *encoded, i32 length, u8 *work, i32 bytes) {
  i32 status = deal_open(&stand->deal, encoded, length, work, bytes, false);
  if (status < 0) return status;
  if (stand->deal->parts != 1) return BAD;
  stand->part = &stand->deal->part[0];
  stand->elements = stand->part->sorted + stand->part->unsorted;
  return OK;
}

EXPORT(i32, rack_indicate)(const i32 *encoded, i32 length, const i32 *extra, i32 extras, u8 *work, i32 bytes,
                           double *out, i32 doubles) {
  Stand stand = {0};
  i32 status = open_stand(&stand, encoded, length, work, bytes);
  if (status) return status;
  if (doubles < MODELS + stand.elements * TOKENS * MODELS) return BAD;
  i32 taken = read_extra(&stand, extra, extras, stand.elements);
  status = taken < 0 ? taken : read_truth(&stand, extra + taken);
  if (!status) status = prepare(&stand);
  Filter none = {-1, 0};
  if (!status) status = three_models(&stand, stand.leaf, stand.tile, none, -1, out);
  for (i32 e = 0; !status && e < stand.elements; e++)
    status = token_gains(&stand, e, out, out + MODELS + e * TOKENS * MODELS);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  return 1 + stand.elements;
}

/* The gain of a standard or parity token on an element that is layer d; NaN if it cannot be. */
static i32 gain_of(Stand *stand, i32 token, i32 e, i32 d, double before, double *gain) {
  i32 value = stand->deal->value[d];
  double entropy[MODELS];
  *gain = __builtin_nan("");
  if (value >= YELLOW || !(stand->part->allowed[e] >> d & 1)) return OK;
  stand->truth[e] = d;
  Filter parity = {e, same_parity(stand->deal, value)};
  i32 status = token == STANDARD ? standard_token(stand, e, entropy)
                                 : three_models(stand, stand->leaf, stand->tile, parity, -1, entropy);
  if (!status) *gain = before - entropy[BAYES];
  return status == IMPOSSIBLE ? OK : status;
}

EXPORT(i32, rack_gains)(const i32 *encoded, i32 length, const i32 *extra, i32 extras, i32 token, u8 *work,
                        i32 bytes, double *gains, i32 doubles) {
  Stand stand = {0};
  i32 status = open_stand(&stand, encoded, length, work, bytes);
  if (status) return status;
  i32 layers = stand.deal->layers;
  if (token != STANDARD && token != PARITY) return BAD;
  if (doubles < stand.elements * layers) return BAD;
  i32 taken = read_extra(&stand, extra, extras, 0);
  status = taken < 0 ? taken : prepare(&stand);
  double before[MODELS];
  Filter none = {-1, 0};
  if (!status) status = three_models(&stand, stand.leaf, stand.tile, none, -1, before);
  for (i32 i = 0; !status && i < stand.elements * layers; i++)
    status = gain_of(&stand, token, i / layers, i % layers, before[BAYES], gains + i);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  return 1 + stand.elements;
}
