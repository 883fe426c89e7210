/* Marginals, dual cuts and detectors, from the masses of one posterior (posterior.c).
 *
 * Expected information of a cut = entropy of the public answer: the wire after a success, else the
 * token of the failure (value, parity, number of equal wires, nothing). Dual cuts compute it from
 * marginals; double detectors from tables of conditional chances (rack_joint, rack_doubles); three
 * and more wires from posteriors with the number of pointed red wires fixed (rack_detector).
 * Cost: one posterior per call, then O(elements x values^2) for dual cuts. */
#include "rack/rack.h"

static i32 elements_of(const Part *part) { return part->sorted + part->unsorted; }

EXPORT(i32, rack_posterior)(const i32 *encoded, i32 length, i32 count, u8 *work, i32 bytes, double *marginals,
                            i32 doubles) {
  Deal *deal;
  i32 status = deal_open(&deal, encoded, length, work, bytes, true);
  if (status < 0) return status;
  if (doubles < 4 + deal->total[deal->layers] * deal->layers) return BAD;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  u128 arrangements = 0;
  if (count && (status = deal_arrangements(deal, &arrangements))) return status;
  marginals[0] = deal->entropy;
  memcpy(marginals + 1, &arrangements, sizeof arrangements);
  marginals[3] = 0;
  double *out = marginals + 4;
  for (i32 p = 0; p < deal->parts; p++) {
    i32 cells = elements_of(&deal->part[p]) * deal->layers;
    for (i32 i = 0; i < cells; i++) *out++ = deal->marginals[p][i] / deal->weight;
  }
  return 1;
}

/* ---- tokens of failed cuts ------------------------------------------------------------------- */

enum { NO_TOKEN = 4 }; /* BY_COUNT: there is no token for four of a value */

/* The token on a wire of a value, of which the stand has `count`; RED: the bomb. */
static i32 token_of(i32 token_kind, i32 value, i32 count) {
  if (token_kind == BY_NOTHING) return value == RED ? RED : 1;
  if (token_kind == BY_VALUE || value >= YELLOW) return value;
  if (token_kind == BY_PARITY) return value % 2 ? 1 : 2;
  return min32(count, NO_TOKEN);
}

/* The number of wires of the layer's value on the stand in all deals that use the move. */
static i32 count_with_move(const Deal *deal, const Part *part, const Layer *layer, i32 d, i32 move) {
  return part->visible[deal->value[d]] + layer->run[move] + popcount64(layer->unsorted[move]);
}

/* ---- dual cuts ------------------------------------------------------------------------------- */

typedef struct Outcomes { /* of one element */
  double value[VALUES];          /* chance of each value */
  double failed[VALUES][VALUES]; /* the same, by value and token of a failure */
  double token_bits[VALUES];     /* -p log2 p of each token, whatever the value */
  double wire_bits[VALUES];      /* sum of -p log2 p of the wires of each value */
  bool only[VALUES];             /* no other value is possible */
} Outcomes;

/* The chance of a token, the wire having any value but v. */
static double failure_mass(const Outcomes *out, i32 v, i32 token) {
  double mass = 0;
  for (i32 u = 1; u < VALUES; u++)
    if (u != v) mass += out->failed[u][token];
  return mass;
}

/* Fills the outcomes of every element of a part. */
static void outcomes_of(const Deal *deal, i32 p, i32 token_kind, Outcomes *out) {
  const Part *part = &deal->part[p];
  memset(out, 0, sizeof *out * ELEMENTS);
  for (i32 d = 0; d < deal->layers; d++) {
    const Layer *layer = &deal->leaf[p]->layer[d];
    i32 v = deal->counts_as[d];
    for (i32 m = 0; token_kind == BY_COUNT && m < layer->moves; m++) {
      i32 token = token_of(token_kind, v, count_with_move(deal, part, layer, d, m));
      for (u32 rest = move_fills(part, layer, m); rest; rest &= rest - 1)
        out[lowest64(rest)].failed[v][token] += layer->mass[m] / deal->weight;
    }
    for (i32 e = 0; e < elements_of(part); e++) {
      double p_wire = deal->marginals[p][e * deal->layers + d] / deal->weight;
      out[e].value[v] += p_wire;
      out[e].wire_bits[v] += rack_information(p_wire);
      if (token_kind != BY_COUNT) out[e].failed[v][token_of(token_kind, v, 0)] += p_wire;
    }
  }
  for (i32 e = 0; e < elements_of(part); e++) {
    i32 possible = 0;
    for (i32 v = 1; v < VALUES; v++) possible += out[e].value[v] > 0;
    for (i32 v = 1; v < VALUES; v++) out[e].only[v] = possible == 1 && out[e].value[v] > 0;
    for (i32 token = 1; token < VALUES; token++)
      out[e].token_bits[token] = rack_information(failure_mass(&out[e], 0, token));
  }
}

/* The expected information of naming v. */
static double named_gain(const Outcomes *out, i32 v) {
  double gain = out->wire_bits[v];
  for (i32 token = 1; token < VALUES; token++)
    gain +=
        out->failed[v][token] > 0 ? rack_information(failure_mass(out, v, token)) : out->token_bits[token];
  return gain;
}

EXPORT(i32, rack_cuts)(const i32 *encoded, i32 length, const i32 *nameable, i32 token_kind, u8 *work,
                       i32 bytes, double *rows, i32 most) {
  Deal *deal;
  i32 status = deal_open(&deal, encoded, length, work, bytes, true), count = 0;
  if (status < 0) return status;
  if (token_kind < BY_VALUE || token_kind > BY_NOTHING) return BAD;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 p = 0; p < deal->parts; p++) {
    Outcomes out[ELEMENTS];
    if (nameable[p]) outcomes_of(deal, p, token_kind, out);
    for (i32 e = 0; nameable[p] && e < elements_of(&deal->part[p]); e++)
      for (i32 v = 1; v <= YELLOW; v++) {
        if (!(nameable[p] >> v & 1) || !(out[e].value[v] > 0)) continue;
        if (count == most) return TOO_LARGE;
        double success = out[e].only[v] ? 1 : out[e].value[v];
        const double row[] = {p, e, v, success, out[e].value[RED], named_gain(&out[e], v), out[e].only[v]};
        memcpy(rows + 7 * count++, row, sizeof row);
      }
  }
  return 1 + count;
}

/* ---- double detectors ------------------------------------------------------------------------ */

/* Tables have one plane per number of equal wires on the stand, if tokens show that number. */
static i32 planes_of(i32 token_kind) { return token_kind == BY_COUNT ? COPIES : 1; }

EXPORT(i32, rack_joint)(const i32 *encoded, i32 length, i32 part, i32 element, i32 value, i32 token_kind,
                        double share, u8 *work, i32 bytes, double *joint, i32 doubles) {
  Deal *deal;
  i32 status = deal_open(&deal, encoded, length, work, bytes, true);
  if (status < 0) return status;
  if (part < 0 || part >= deal->parts || value < 1 || value >= VALUES) return BAD;
  Part *stand = &deal->part[part];
  i32 elements = elements_of(stand), planes = planes_of(token_kind);
  if (token_kind < BY_VALUE || token_kind > BY_NOTHING) return BAD;
  if (element < -1 || element >= elements) return BAD;
  if (doubles < VALUES * planes * elements) return BAD;
  memset(joint, 0, sizeof *joint * (size_t)(VALUES * planes * elements));
  if (element >= 0) stand->allowed[element] &= deal->counted_as[value];
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 d = 0; d < deal->layers; d++) {
    i32 u = deal->counts_as[d];
    const Layer *layer = &deal->leaf[part]->layer[d];
    for (i32 b = 0; planes == 1 && b < elements; b++)
      joint[b * VALUES + u] += share * deal->marginals[part][b * deal->layers + d] / deal->weight;
    for (i32 m = 0; planes > 1 && m < layer->moves; m++) {
      i32 count = count_with_move(deal, stand, layer, d, m);
      i32 plane = u < YELLOW ? min32(count, planes) - 1 : 0;
      for (u32 rest = move_fills(stand, layer, m); rest; rest &= rest - 1)
        joint[(lowest64(rest) * planes + plane) * VALUES + u] += share * layer->mass[m] / deal->weight;
    }
  }
  return 1;
}

/* rack_joint of a pair a, b by value: first_then(v, u) = P(a = v, b = u), first_at: in plane n. */
typedef struct Tables {
  const double *first, *second; /* tables of a and of b */
  i32 cells, planes, a, b;
} Tables;

static double first_at(const Tables *t, i32 v, i32 n, i32 u) {
  return t->first[v * t->cells + (t->b * t->planes + n) * VALUES + u];
}
static double second_at(const Tables *t, i32 v, i32 n, i32 u) {
  return t->second[v * t->cells + (t->a * t->planes + n) * VALUES + u];
}
/* P(element = value). */
static double alone(const Tables *t, const double *table, i32 element, i32 value) {
  double sum = 0;
  for (i32 n = 0; n < t->planes; n++)
    sum += table[value * t->cells + (element * t->planes + n) * VALUES + value];
  return sum;
}
static double first_then(const Tables *t, i32 v, i32 u) {
  double sum = 0;
  for (i32 n = 0; n < t->planes; n++) sum += first_at(t, v, n, u);
  return sum;
}

/* The information of a failed pair: place and kind of the token; the holder chooses uniformly. */
static double failure_gain(const Tables *t, const double *chance_a, const double *chance_b, i32 v,
                           i32 token_kind) {
  double on_a[VALUES] = {0}, on_b[VALUES] = {0}, gain = 0, nothing = 0;
  for (i32 i = 0; i < t->planes * RED; i++) {
    i32 n = i / RED, u = i % RED;
    if (!u || u == v) continue;
    i32 token = token_of(token_kind, u, n + 1);
    double red_b = second_at(t, RED, n, u), red_a = first_at(t, RED, n, u);
    double free_a = chance_a[n * VALUES + u] - second_at(t, v, n, u) - red_b;
    double free_b = chance_b[n * VALUES + u] - first_at(t, v, n, u) - red_a;
    gain -= free_a;
    if (token_kind == BY_COUNT && token == NO_TOKEN) nothing += free_a / 2 + red_b + free_b / 2 + red_a;
    else {
      on_a[token] += free_a / 2 + red_b;
      on_b[token] += free_b / 2 + red_a;
    }
  }
  for (i32 token = 1; token < VALUES; token++)
    gain += rack_information(on_a[token]) + rack_information(on_b[token]);
  return gain + rack_information(nothing);
}

EXPORT(i32, rack_doubles)(i32 elements, i32 values, i32 token_kind, const double *chance, i32 doubles,
                          const double *joint, double *rows, i32 most) {
  i32 planes = planes_of(token_kind), wide = VALUES * planes, cells = wide * elements, count = 0;
  if (elements < 0 || elements > ELEMENTS || doubles != cells) return BAD;
  if (token_kind < BY_VALUE || token_kind > BY_NOTHING) return BAD;
  for (i32 a = 0; a < elements; a++)
    for (i32 b = a + 1; b < elements; b++) {
      Tables t = {joint + a * VALUES * cells, joint + b * VALUES * cells, cells, planes, a, b};
      for (i32 v = 1; v < YELLOW; v++) {
        double both = first_then(&t, v, v), bomb = first_then(&t, RED, RED);
        double only_a = alone(&t, t.first, a, v) - both;
        double only_b = alone(&t, t.second, b, v) - both, any = only_a + only_b + both;
        if (!(values >> v & 1) || !(any > 0)) continue;
        if (count == most) return TOO_LARGE;
        double gain = rack_information(only_a + both / 2) + rack_information(only_b + both / 2) - both +
                      rack_information(bomb);
        gain += token_kind == BY_NOTHING
                    ? rack_information(1 - any - bomb)
                    : failure_gain(&t, chance + a * wide, chance + b * wide, v, token_kind);
        const double row[] = {a, b, v, any, bomb, gain};
        memcpy(rows + 6 * count++, row, sizeof row);
      }
    }
  return count;
}

/* ---- any detector ---------------------------------------------------------------------------- */

/* out | success, red, gain, weight | chances of tokens by element | token on a known wire | none */
enum { TOKENS_AT = 4, KNOWN_TOKEN = DETECTED - 2, WITHOUT_TOKEN = DETECTED - 1 };

typedef struct Detector {
  i32 part, layer, token_kind;
  u32 pointed;
  i32 safe, match; /* known wires pointed at: of another value, not red; of the value named */
} Detector;

/* The information of a success: which matching wire was cut, less the holder's free choice. */
static double success_gain(const Deal *deal, const Detector *detector, double *success) {
  const Part *part = &deal->part[detector->part];
  const Layer *layer = &deal->leaf[detector->part]->layer[detector->layer];
  double cut[ELEMENTS] = {0}, known = 0, gain = 0;
  i32 match = detector->match;
  for (i32 m = 0; m < layer->moves; m++) {
    u32 hit = move_fills(part, layer, m) & detector->pointed;
    i32 matches = popcount64(hit) + match;
    if (!hit) continue;
    double chance = layer->mass[m] / deal->weight;
    *success += chance;
    gain -= chance * kernel_log2(matches);
    known += chance / matches;
    for (; hit; hit &= hit - 1) cut[lowest64(hit)] += chance / matches;
  }
  for (i32 e = 0; e < elements_of(part); e++) gain += rack_information(cut[e]);
  if (!match) return gain;
  double rest = *success < 1 ? 1 - *success : 0; /* only the known ones match */
  *success = 1;
  return gain - rest * kernel_log2(match) + match * rack_information(known + rest / match);
}

/* Adds the tokens of the last posterior's failures, on each wire that is not red with equal chance. */
static void add_tokens(const Deal *deal, const Detector *detector, double share, double *out) {
  const Part *part = &deal->part[detector->part];
  for (i32 d = 0; d < deal->layers; d++) {
    const Layer *layer = &deal->leaf[detector->part]->layer[d];
    i32 value = deal->counts_as[d];
    if (value == RED) continue;
    for (i32 m = 0; m < layer->moves; m++) {
      u32 rest = move_fills(part, layer, m) & detector->pointed;
      if (!rest) continue;
      i32 token = token_of(detector->token_kind, value, count_with_move(deal, part, layer, d, m));
      bool nothing = detector->token_kind == BY_COUNT && value < YELLOW && token == NO_TOKEN;
      for (; rest; rest &= rest - 1)
        out[nothing ? WITHOUT_TOKEN : TOKENS_AT + (i32)lowest64(rest) * VALUES + token] +=
            layer->mass[m] * share;
    }
  }
}

/* Adds the failures with exactly `reds` pointed red wires. */
static i32 add_failures(Deal *deal, const Detector *detector, i32 reds, double *out) {
  Part keep = deal->part[detector->part], *part = &deal->part[detector->part];
  i32 others = popcount64(detector->pointed) - reds + detector->safe;
  double all = out[3];
  for (i32 e = 0; e < elements_of(part); e++)
    if (detector->pointed >> e & 1) part->allowed[e] &= ~bit64(detector->layer);
  part->pointed = detector->pointed;
  part->reds = reds;
  i32 status = deal_posterior(deal);
  deal->part[detector->part] = keep;
  if (status) return status == IMPOSSIBLE ? OK : status;
  if (!others) {
    out[1] = deal->weight / all;
    out[2] += rack_information(out[1]);
    return OK;
  }
  if (detector->token_kind == BY_NOTHING) {
    out[WITHOUT_TOKEN] += deal->weight / all;
    return OK;
  }
  out[2] -= deal->weight / all * kernel_log2(others);
  out[KNOWN_TOKEN] += deal->weight / all / others;
  add_tokens(deal, detector, 1 / all / others, out);
  return OK;
}

static i32 red_copies(const Deal *deal) {
  i32 copies = 0;
  for (u64 rest = deal->counted_as[RED]; rest; rest &= rest - 1) copies += deal->copies[lowest64(rest)];
  return copies;
}

/* The information of place and kind of a token; known wires are interchangeable. */
static double tokens_gain(const Detector *detector, const double *out) {
  double gain = rack_information(out[WITHOUT_TOKEN]);
  for (i32 i = TOKENS_AT; i < KNOWN_TOKEN; i++) gain += rack_information(out[i]);
  return gain + detector->safe * rack_information(out[KNOWN_TOKEN]);
}

static bool is_valid_detector(const Deal *deal, const Detector *detector) {
  if (detector->part < 0 || detector->part >= deal->parts) return false;
  if (detector->layer < 0 || detector->layer >= deal->layers) return false;
  if (!detector->pointed || detector->pointed >> elements_of(&deal->part[detector->part])) return false;
  if (detector->token_kind < BY_VALUE || detector->token_kind > BY_NOTHING) return false;
  if (detector->safe < 0 || detector->safe > ELEMENTS) return false;
  return detector->match >= 0 && detector->match <= COPIES && deal->counts_as[detector->layer] < YELLOW;
}

EXPORT(i32, rack_detector)(const i32 *encoded, i32 length, i32 part, i32 pointed, i32 layer, i32 token_kind,
                           i32 safe, i32 match, i32 reds, u8 *work, i32 bytes, double *out) {
  Deal *deal;
  i32 status = deal_open(&deal, encoded, length, work, bytes, true);
  if (status < 0) return status;
  Detector detector = {part, layer, token_kind, (u32)pointed, safe, match};
  if (!is_valid_detector(deal, &detector)) return BAD;
  i32 most = match ? -1 : min32(red_copies(deal), popcount64((u32)pointed));
  if (reds < -1 || reds > most) return BAD;
  if (reds < 0) {
    memset(out, 0, sizeof *out * DETECTED);
    status = deal_posterior(deal);
    if (status) return status == IMPOSSIBLE ? 0 : status;
    out[2] = success_gain(deal, &detector, &out[0]);
    out[3] = deal->weight;
  } else {
    status = add_failures(deal, &detector, reds, out);
    if (status) return status;
  }
  if (reds == most) out[2] += tokens_gain(&detector, out);
  return 1 + most - reds;
}

/* The chance that some of the elements holds the layer. */
static double success_of(const Deal *deal, i32 p, i32 layer, u32 pointed) {
  const Layer *moves = &deal->leaf[p]->layer[layer];
  double success = 0;
  for (i32 m = 0; m < moves->moves; m++)
    if (move_fills(&deal->part[p], moves, m) & pointed) success += moves->mass[m];
  return success / deal->weight;
}

EXPORT(i32, rack_successes)(const i32 *encoded, i32 length, i32 part, i32 layer, i32 points, u8 *work,
                            i32 bytes, double *rows, i32 most) {
  Deal *deal;
  i32 status = deal_open(&deal, encoded, length, work, bytes, true), count = 0;
  if (status < 0) return status;
  if (part < 0 || part >= deal->parts || layer < 0 || layer >= deal->layers) return BAD;
  if (points < 1 || points > 3) return BAD;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  i32 elements = elements_of(&deal->part[part]);
  for (i32 a = 0; a < elements; a++)
    for (i32 b = points > 1 ? a + 1 : -1; b < elements; b++) {
      for (i32 c = points > 2 ? b + 1 : -1; c < elements; c++) {
        u32 pointed = 1u << a | (b < 0 ? 0 : 1u << b) | (c < 0 ? 0 : 1u << c);
        double success = success_of(deal, part, layer, pointed);
        if (success > 0) {
          if (count == most) return TOO_LARGE;
          const double row[] = {a, b, c, success};
          memcpy(rows + 4 * count++, row, sizeof row);
        }
        if (c < 0) break;
      }
      if (b < 0) break;
    }
  return count;
}
