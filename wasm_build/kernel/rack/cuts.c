/* What may be asked about a deal: chances, dual cuts and detectors. */
#include "rack/rack.h"

static i32 elements_of(const Part *part) { return part->sorted + part->unsorted; }

EXPORT(i32, rack_posterior)(const i32 *words, i32 length, i32 count, u8 *work, i32 bytes,
                            double *marginals, i32 doubles) {
  Deal *deal;
  i32 status = deal_open(&deal, words, length, work, bytes, true);
  if (status < 0) return status;
  if (doubles < 4 + deal->total[deal->layers] * deal->layers) return BAD;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  u128 arrangements = 0;
  if (count) {
    status = deal_arrangements(deal, &arrangements);
    if (status) return status;
  }
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

/* ---- dual cuts ------------------------------------------------------------------------------- */

typedef struct Outcomes { /* of one element */
  double value[VALUES];   /* chance of each value */
  double shown;           /* information if a failure shows the value and a success the wire */
  double inside[VALUES];  /* what a success adds where one value has several wires: yellow */
  bool only[VALUES];      /* no other value can stand here */
} Outcomes;

static void outcomes_of(const Deal *deal, const double *mass, Outcomes *out) {
  memset(out, 0, sizeof *out);
  i32 possible = 0;
  for (i32 d = 0; d < deal->layers; d++) out->value[deal->value[d]] += mass[d] / deal->weight;
  for (i32 v = 1; v < VALUES; v++) {
    possible += out->value[v] > 0;
    out->shown += rack_information(out->value[v]);
  }
  for (i32 v = 1; v < VALUES; v++) out->only[v] = possible == 1 && out->value[v] > 0;
  for (i32 d = 0; d < deal->layers; d++)
    if (deal->value[d] == YELLOW) out->inside[YELLOW] += rack_information(mass[d] / deal->weight);
  if (out->value[YELLOW] > 0) out->inside[YELLOW] -= rack_information(out->value[YELLOW]);
}

EXPORT(i32, rack_cuts)(const i32 *words, i32 length, const i32 *ask, u8 *work, i32 bytes,
                       double *rows, i32 most) {
  Deal *deal;
  i32 status = deal_open(&deal, words, length, work, bytes, true), count = 0;
  if (status < 0) return status;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 p = 0; p < deal->parts; p++)
    for (i32 e = 0; ask[p] && e < elements_of(&deal->part[p]); e++) {
      Outcomes out;
      outcomes_of(deal, deal->marginals[p] + e * deal->layers, &out);
      for (i32 v = 1; v <= YELLOW; v++) {
        if (!(ask[p] >> v & 1) || !(out.value[v] > 0)) continue;
        if (count == most) return TOO_LARGE;
        double *row = rows + 7 * count++;
        row[0] = p;
        row[1] = e;
        row[2] = v;
        row[3] = out.only[v] ? 1 : out.value[v];
        row[4] = out.value[RED];
        row[5] = out.shown + out.inside[v];
        row[6] = out.only[v];
      }
    }
  return 1 + count;
}

/* ---- double detectors ------------------------------------------------------------------------ */

EXPORT(i32, rack_joint)(const i32 *words, i32 length, i32 part, i32 element, i32 value,
                        double share, u8 *work, i32 bytes, double *joint, i32 doubles) {
  Deal *deal;
  i32 status = deal_open(&deal, words, length, work, bytes, true);
  if (status < 0) return status;
  if (part < 0 || part >= deal->parts || value < 1 || value >= VALUES) return BAD;
  Part *stand = &deal->part[part];
  i32 elements = elements_of(stand);
  if (element < 0 || element >= elements || doubles < VALUES * elements) return BAD;
  memset(joint, 0, sizeof *joint * (size_t)(VALUES * elements));
  stand->allowed[element] &= deal->of_value[value];
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  for (i32 b = 0; b < elements; b++)
    for (i32 d = 0; d < deal->layers; d++)
      joint[b * VALUES + deal->value[d]] +=
          share * deal->marginals[part][b * deal->layers + d] / deal->weight;
  return 1;
}

/* The tables of a pair of elements a, b, one of rack_joint a value: first_then(v, u) = P(a = v and b = u). */
typedef struct Tables {
  const double *first, *second; /* tables of a and of b */
  i32 cells, a, b;
} Tables;

static double alone(const double *table, i32 cells, i32 element, i32 value) {
  return table[value * cells + element * VALUES + value];
}
static double first_then(const Tables *t, i32 v, i32 u) {
  return t->first[v * t->cells + t->b * VALUES + u];
}
static double second_then(const Tables *t, i32 v, i32 u) {
  return t->second[v * t->cells + t->a * VALUES + u];
}

/* What a failed pair tells: the token's place and value; both wires not red leave a free choice. */
static double failure_gain(const Tables *t, const double *chance_a, const double *chance_b, i32 v) {
  double gain = 0, free_choice = 0;
  for (i32 u = 1; u < RED; u++) {
    if (u == v) continue;
    double red_b = second_then(t, RED, u), red_a = first_then(t, RED, u);
    double free_a = chance_a[u] - second_then(t, v, u) - red_b;
    double free_b = chance_b[u] - first_then(t, v, u) - red_a;
    gain += rack_information(free_a / 2 + red_b) + rack_information(free_b / 2 + red_a);
    free_choice += free_a;
  }
  return gain - free_choice;
}

EXPORT(i32, rack_doubles)(i32 elements, i32 values, const double *chance, const double *joint,
                          double *rows, i32 most) {
  i32 cells = VALUES * elements, count = 0;
  if (elements < 0 || elements > ELEMENTS) return BAD;
  for (i32 a = 0; a < elements; a++)
    for (i32 b = a + 1; b < elements; b++) {
      Tables t = {joint + a * VALUES * cells, joint + b * VALUES * cells, cells, a, b};
      for (i32 v = 1; v < YELLOW; v++) {
        double both = first_then(&t, v, v), boom = first_then(&t, RED, RED);
        double only_a = alone(t.first, cells, a, v) - both;
        double only_b = alone(t.second, cells, b, v) - both, any = only_a + only_b + both;
        if (!(values >> v & 1) || !(any > 0)) continue;
        if (count == most) return TOO_LARGE;
        double *row = rows + 6 * count++;
        row[0] = a;
        row[1] = b;
        row[2] = v;
        row[3] = any;
        row[4] = boom;
        row[5] = rack_information(only_a + both / 2) + rack_information(only_b + both / 2) -
                 both + rack_information(boom) +
                 failure_gain(&t, chance + a * VALUES, chance + b * VALUES, v);
      }
    }
  return count;
}

/* ---- any detector ---------------------------------------------------------------------------- */

/* A success tells which of the matching wires was cut, less the holder's even choice. */
static double success_gain(const Deal *deal, i32 p, u32 pointed, i32 d, double *success) {
  const Part *part = &deal->part[p];
  const Layer *layer = &deal->leaf[p]->layer[d];
  double cut[ELEMENTS + UNSORTED] = {0}, gain = 0;
  for (i32 m = 0; m < layer->moves; m++) {
    u32 hit = move_fills(part, layer, m) & pointed;
    i32 matches = popcount64(hit);
    if (!matches) continue;
    double chance = layer->mass[m] / deal->weight;
    *success += chance;
    gain -= chance * kernel_log2(matches);
    for (; hit; hit &= hit - 1) cut[lowest64(hit)] += chance / matches;
  }
  for (i32 e = 0; e < elements_of(part); e++) gain += rack_information(cut[e]);
  return gain;
}

/* Failures with exactly `reds` red wires pointed at, added to the tokens' chances. */
static i32 failures(Deal *deal, i32 p, u32 pointed, i32 layer, i32 reds, double *out) {
  Part keep = deal->part[p], *part = &deal->part[p];
  i32 others = popcount64(pointed) - reds;
  double all = out[3];
  for (i32 e = 0; e < elements_of(part); e++)
    if (pointed >> e & 1) part->allowed[e] &= ~bit64(layer);
  part->pointed = pointed;
  part->reds = reds;
  i32 status = deal_posterior(deal);
  deal->part[p] = keep;
  if (status) return status == IMPOSSIBLE ? OK : status;
  if (!others) {
    out[1] = deal->weight / all;
    out[2] += rack_information(out[1]);
    return OK;
  }
  out[2] -= deal->weight / all * kernel_log2(others);
  for (i32 e = 0; e < elements_of(part); e++)
    for (i32 d = 0; pointed >> e & 1 && d < deal->layers; d++)
      if (deal->value[d] != RED)
        out[4 + e * VALUES + deal->value[d]] +=
            deal->marginals[p][e * deal->layers + d] / all / others;
  return OK;
}

static i32 red_copies(const Deal *deal) {
  i32 copies = 0;
  for (u64 rest = deal->of_value[RED]; rest; rest &= rest - 1)
    copies += deal->copies[lowest64(rest)];
  return copies;
}

EXPORT(i32, rack_detector)(const i32 *words, i32 length, i32 part, i32 pointed, i32 layer,
                           i32 reds, u8 *work, i32 bytes, double *out) {
  Deal *deal;
  i32 status = deal_open(&deal, words, length, work, bytes, true);
  if (status < 0) return status;
  if (part < 0 || part >= deal->parts || layer < 0 || layer >= deal->layers) return BAD;
  if (pointed <= 0 || pointed >= 1 << elements_of(&deal->part[part])) return BAD;
  i32 most = min32(red_copies(deal), popcount64((u32)pointed));
  if (deal->value[layer] >= YELLOW || reds < -1 || reds > most) return BAD;
  if (reds < 0) {
    memset(out, 0, sizeof *out * DETECTED);
    status = deal_posterior(deal);
    if (status) return status == IMPOSSIBLE ? 0 : status;
    out[2] = success_gain(deal, part, (u32)pointed, layer, &out[0]);
    out[3] = deal->weight;
  } else {
    status = failures(deal, part, (u32)pointed, layer, reds, out);
    if (status) return status;
  }
  if (reds == most)
    for (i32 i = 4; i < DETECTED; i++) out[2] += rack_information(out[i]);
  return 1 + most - reds;
}

EXPORT(i32, rack_successes)(const i32 *words, i32 length, i32 part, i32 layer, u8 *work, i32 bytes,
                            double *rows, i32 most) {
  Deal *deal;
  i32 status = deal_open(&deal, words, length, work, bytes, true), count = 0;
  if (status < 0) return status;
  if (part < 0 || part >= deal->parts || layer < 0 || layer >= deal->layers) return BAD;
  status = deal_posterior(deal);
  if (status) return status == IMPOSSIBLE ? 0 : status;
  const Layer *moves = &deal->leaf[part]->layer[layer];
  i32 elements = elements_of(&deal->part[part]);
  for (i32 a = 0; a < elements; a++)
    for (i32 b = a + 1; b < elements; b++)
      for (i32 c = b + 1; c < elements; c++) {
        double success = 0;
        u32 pointed = 1u << a | 1u << b | 1u << c;
        for (i32 m = 0; m < moves->moves; m++)
          if (move_fills(&deal->part[part], moves, m) & pointed)
            success += moves->mass[m] / deal->weight;
        if (success == 0) continue;
        if (count == most) return TOO_LARGE;
        double *row = rows + 4 * count++;
        row[0] = a;
        row[1] = b;
        row[2] = c;
        row[3] = success;
      }
  return count;
}
