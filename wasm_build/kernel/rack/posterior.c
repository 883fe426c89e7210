/* Exact posterior of a deal: forward-backward algorithm (Rabiner 1989) over the layers, on the
 * automata of all parts.
 *
 * The parts are multiplied into two halves. The states of layer d are pairs (a, b) of states of the
 * halves with held(a) + held(b) = total[d]: since states are sorted by wires held, for each b one
 * contiguous range of a's, a Row. A layer is passed in two half steps, through mixed states (a in
 * layer d + 1, b in layer d), so that the inner loops are runs of multiply-adds.
 *
 *   backward[d]  rows of b = 0, 1, ...: weight of all completions of (a, b)
 *   between[d]   rows of mixed states
 *
 * The forward pass gives each move its mass, the weight of all deals that use it; masses of
 * products are passed down to their factors. The logarithm of a deal's weight is a sum over moves,
 * so sum(mass * log weight) gives the joint entropy from the same pass.
 * Cost: (moves of one half x states of the other), summed over layers; parts are distributed to
 * keep the halves equal in size. */
#include "rack/rack.h"

/* The states that hold least to most wires; their values begin at `*at`, which is advanced. */
static Row row_of(const Layer *layer, i32 least, i32 most, i32 *at) {
  i32 first = least > layer->most ? layer->states : layer->first_with[max32(least, 0)];
  i32 end = most < 0 ? 0 : most >= layer->most ? layer->states : layer->first_with[most + 1];
  Row row = {first, max32(end - first, 0), *at};
  *at += row.count;
  return row;
}

/* ---- halves ---------------------------------------------------------------------------------- */

/* The wires that the parts outside a product hold, by layer: those of the other half, and those of
 * this half after part number `at`. */
static void range_of_others(const Deal *deal, const i32 *part, const i32 *side, i32 parts, i32 at, i32 *least,
                            i32 *most) {
  for (i32 d = 0; d <= deal->layers; d++) {
    least[d] = most[d] = 0;
    for (i32 i = 0; i < parts; i++)
      if (side[i] != side[at] || i > at) {
        least[d] += deal->leaf[part[i]]->least[d];
        most[d] += deal->leaf[part[i]]->most[d];
      }
  }
}

/* Distributes the parts, the largest first, each to the half whose product is smaller so far. */
static void choose_sides(const Deal *deal, i32 *part, i32 *side) {
  double size[2] = {1, 1};
  for (i32 i = 0; i < deal->parts; i++) {
    i32 at = i;
    for (; at && deal->leaf[part[at - 1]]->size < deal->leaf[i]->size; at--) part[at] = part[at - 1];
    part[at] = i;
  }
  for (i32 i = 0; i < deal->parts; i++) {
    side[i] = size[0] > size[1];
    size[side[i]] *= deal->leaf[part[i]]->size;
  }
}

/* Builds the automata of all parts and of the two halves. */
static i32 build(Deal *deal) {
  i32 part[PARTS], side[PARTS], least[LAYERS + 1], most[LAYERS + 1];
  for (i32 p = 0; p < deal->parts; p++) {
    deal->leaf[p] = automaton_leaf(deal, &deal->part[p]);
    if (!deal->leaf[p]) return TOO_LARGE;
    if (!deal->leaf[p]->layer[0].states) return IMPOSSIBLE;
  }
  choose_sides(deal, part, side);
  deal->products = 0;
  deal->half[0] = deal->half[1] = NULL;
  for (i32 i = 0; i < deal->parts; i++) {
    Automaton **half = &deal->half[side[i]];
    if (!*half) {
      *half = deal->leaf[part[i]];
      continue;
    }
    range_of_others(deal, part, side, deal->parts, i, least, most);
    *half = automaton_product(deal, *half, deal->leaf[part[i]], least, most);
    if (!*half) return TOO_LARGE;
    deal->product[deal->products++] = *half;
  }
  if (deal->half[1]) return OK;
  Part no_stand;
  memset(&no_stand, 0, sizeof no_stand);
  no_stand.reds = -1;
  deal->half[1] = automaton_leaf(deal, &no_stand);
  return deal->half[1] ? OK : TOO_LARGE;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Builds the rows of a layer, and counts the values of states and of mixed states. */
static bool make_rows(Deal *deal, i32 d, i32 *values, i32 *mixed_values) {
  const Layer *below = &deal->half[0]->layer[d], *other = &deal->half[1]->layer[d];
  deal->rows[d] = arena_take(&deal->arena, sizeof(Row) * (size_t)other->states);
  if (!deal->rows[d]) return false;
  *values = *mixed_values = 0;
  for (i32 b = 0; b < other->states; b++) {
    i32 left = deal->total[d] - other->held[b];
    deal->rows[d][b] = row_of(below, left, left, values);
  }
  if (d == deal->layers) return true;
  deal->mixed[d] = arena_take(&deal->arena, sizeof(Row) * (size_t)other->states);
  if (!deal->mixed[d]) return false;
  for (i32 b = 0; b < other->states; b++) {
    i32 left = deal->total[d] - other->held[b];
    const Layer *above = &deal->half[0]->layer[d + 1];
    deal->mixed[d][b] = row_of(above, left, left + deal->copies[d], mixed_values);
  }
  return true;
}

/* The backward values of a layer for state b of the second half. */
static void backward_row(const Deal *deal, i32 d, i32 b) {
  const Layer *below = &deal->half[0]->layer[d], *other = &deal->half[1]->layer[d];
  Row row = deal->rows[d][b], mixed = deal->mixed[d][b];
  double *between = deal->between[d] + mixed.at;
  for (i32 m = other->first_move[b]; m < other->first_move[b + 1]; m++) {
    Row above = deal->rows[d + 1][other->to[m]];
    const double *from = deal->backward[d + 1] + above.at;
    double *to = between + (above.first - mixed.first), weight = other->weight[m];
    for (i32 i = 0; i < above.count; i++) to[i] += weight * from[i];
  }
  for (i32 x = 0; x < row.count; x++) {
    i32 a = row.first + x;
    double sum = 0;
    for (i32 m = below->first_move[a]; m < below->first_move[a + 1]; m++)
      sum += below->weight[m] * between[below->to[m] - mixed.first];
    deal->backward[d][row.at + x] = sum;
  }
}

/* Computes the backward values of all layers and the weight of all deals. */
static i32 backward_pass(Deal *deal) {
  for (i32 d = deal->layers; d >= 0; d--) {
    i32 values, mixed;
    if (!make_rows(deal, d, &values, &mixed)) return TOO_LARGE;
    deal->backward[d] = arena_take(&deal->arena, 8 * (size_t)values);
    if (!deal->backward[d]) return TOO_LARGE;
    if (d == deal->layers) {
      for (i32 i = 0; i < values; i++) deal->backward[d][i] = 1;
      continue;
    }
    deal->between[d] = arena_take(&deal->arena, 8 * (size_t)mixed);
    if (!deal->between[d]) return TOO_LARGE;
    memset(deal->between[d], 0, 8 * (size_t)mixed);
    for (i32 b = 0; b < deal->half[1]->layer[d].states; b++)
      if (deal->rows[d][b].count) backward_row(deal, d, b);
  }
  bool some = deal->half[1]->layer[0].states && deal->rows[0][0].count;
  deal->weight = some ? deal->backward[0][0] : 0;
  return deal->weight > 0 ? OK : IMPOSSIBLE;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* First half step for state b: moves of the first half. False if no deal passes through. */
static bool spread_first(const Deal *deal, i32 d, i32 b, const double *before, double *spread) {
  Layer *below = &deal->half[0]->layer[d];
  Row row = deal->rows[d][b], mixed = deal->mixed[d][b];
  const double *between = deal->between[d] + mixed.at;
  bool any = false;
  for (i32 x = 0; x < row.count; x++) {
    double here = before[row.at + x];
    if (here == 0 || deal->backward[d][row.at + x] == 0) continue;
    any = true;
    i32 a = row.first + x;
    for (i32 m = below->first_move[a]; m < below->first_move[a + 1]; m++) {
      i32 to = below->to[m] - mixed.first;
      double part = below->weight[m] * here;
      spread[to] += part;
      below->mass[m] += part * between[to];
    }
  }
  return any;
}

/* Second half step for state b: its moves, from mixed states to the next layer. */
static void spread_second(const Deal *deal, i32 d, i32 b, const double *spread, double *next) {
  Layer *other = &deal->half[1]->layer[d];
  Row mixed = deal->mixed[d][b];
  for (i32 m = other->first_move[b]; m < other->first_move[b + 1]; m++) {
    Row above = deal->rows[d + 1][other->to[m]];
    const double *from = spread + (above.first - mixed.first);
    const double *after = deal->backward[d + 1] + above.at;
    double *to = next + above.at, weight = other->weight[m], mass = 0;
    for (i32 i = 0; i < above.count; i++) {
      to[i] += weight * from[i];
      mass += from[i] * after[i];
    }
    other->mass[m] += weight * mass;
  }
}

/* The largest number of states of a row. */
static i32 widest(const Row *rows, i32 count) {
  i32 most = 0;
  for (i32 i = 0; i < count; i++) most = max32(most, rows[i].count);
  return most;
}

/* The number of values of a layer. */
static i32 count_values(const Deal *deal, i32 d) {
  i32 states = deal->half[1]->layer[d].states;
  return states ? deal->rows[d][states - 1].at + deal->rows[d][states - 1].count : 0;
}

/* Computes the masses of all moves of the halves. */
static i32 forward_pass(Deal *deal) {
  double one = 1, *before = &one;
  for (i32 d = 0; d < deal->layers; d++) {
    Layer *below = &deal->half[0]->layer[d], *other = &deal->half[1]->layer[d];
    size_t values = 8 * (size_t)count_values(deal, d + 1);
    size_t width = 8 * (size_t)widest(deal->mixed[d], other->states);
    double *next = arena_take(&deal->arena, values), *spread = arena_take(&deal->arena, width);
    if (!next || !spread) return TOO_LARGE;
    memset(next, 0, values);
    memset(below->mass, 0, 8 * (size_t)below->moves);
    memset(other->mass, 0, 8 * (size_t)other->moves);
    for (i32 b = 0; b < other->states; b++) {
      memset(spread, 0, 8 * (size_t)deal->mixed[d][b].count);
      if (spread_first(deal, d, b, before, spread)) spread_second(deal, d, b, spread, next);
    }
    before = next;
  }
  return OK;
}

/* ---- marginals ------------------------------------------------------------------------------- */

/* Adds the masses of a product's moves to the moves of its factors, the outermost product first. */
static void share_masses(const Deal *deal) {
  for (i32 i = deal->products - 1; i >= 0; i--) {
    Automaton *product = deal->product[i];
    for (i32 d = 0; d < deal->layers; d++) {
      Layer *layer = &product->layer[d];
      Layer *left = &product->left->layer[d], *right = &product->right->layer[d];
      memset(left->mass, 0, 8 * (size_t)left->moves);
      memset(right->mass, 0, 8 * (size_t)right->moves);
      for (i32 m = 0; m < layer->moves; m++) {
        left->mass[layer->left[m]] += layer->mass[m];
        right->mass[layer->right[m]] += layer->mass[m];
      }
    }
  }
}

/* Computes marginals and joint entropy from the masses of the leaves. */
static i32 read_marginals(Deal *deal) {
  double logs = 0;
  for (i32 p = 0; p < deal->parts; p++) {
    const Part *part = &deal->part[p];
    size_t cells = 8 * (size_t)(part->sorted + part->unsorted) * (size_t)deal->layers;
    deal->marginals[p] = arena_take(&deal->arena, cells);
    if (!deal->marginals[p]) return TOO_LARGE;
    memset(deal->marginals[p], 0, cells);
    for (i32 d = 0; d < deal->layers; d++) {
      const Layer *layer = &deal->leaf[p]->layer[d];
      i32 known = deal->tile_removal ? 0 : part->known[d];
      for (i32 m = 0; m < layer->moves; m++) {
        double mass = layer->mass[m];
        if (mass == 0) continue;
        if (part->tied) /* its weight also depends on lower layers */
          logs += mass * kernel_log2(layer->weight[m]);
        else logs -= mass * (log_factorial(layer->run[m] + known) + halvings(part, layer->unsorted[m], d));
        for (u32 rest = move_fills(part, layer, m); rest; rest &= rest - 1)
          deal->marginals[p][lowest64(rest) * deal->layers + d] += mass;
      }
    }
  }
  deal->entropy = kernel_log2(deal->weight) - logs / deal->weight;
  if (deal->entropy < 0) deal->entropy = 0;
  return OK;
}

i32 deal_posterior(Deal *deal) {
  deal->arena = deal->fresh;
  i32 status = build(deal);
  if (!status) status = backward_pass(deal);
  if (!status) status = forward_pass(deal);
  if (!status) {
    share_masses(deal);
    status = read_marginals(deal);
  }
  return status;
}

/* ---- exact counting -------------------------------------------------------------------------- */

/* False on overflow. */
static bool add128(u128 *sum, u128 more) {
  *sum += more;
  return *sum >= more;
}

/* As backward_row, with integers and all weights 1; false on overflow. */
static bool count_row(const Deal *deal, i32 d, i32 b, const u128 *above, u128 *between, u128 *out) {
  const Layer *below = &deal->half[0]->layer[d], *other = &deal->half[1]->layer[d];
  Row row = deal->rows[d][b], mixed = deal->mixed[d][b];
  for (i32 i = 0; i < mixed.count; i++) between[i] = 0;
  for (i32 m = other->first_move[b]; m < other->first_move[b + 1]; m++) {
    Row from = deal->rows[d + 1][other->to[m]];
    for (i32 i = 0; i < from.count; i++)
      if (!add128(&between[from.first - mixed.first + i], above[from.at + i])) return false;
  }
  for (i32 x = 0; x < row.count; x++) {
    i32 a = row.first + x;
    out[row.at + x] = 0;
    for (i32 m = below->first_move[a]; m < below->first_move[a + 1]; m++)
      if (!add128(&out[row.at + x], between[below->to[m] - mixed.first])) return false;
  }
  return true;
}

i32 deal_arrangements(Deal *deal, u128 *count) {
  i32 most = 1, width = 1;
  for (i32 d = 0; d <= deal->layers; d++) {
    most = max32(most, count_values(deal, d));
    if (d < deal->layers) width = max32(width, widest(deal->mixed[d], deal->half[1]->layer[d].states));
  }
  u8 *high = deal->arena.high;
  u128 *above = arena_scratch(&deal->arena, 16 * (size_t)most);
  u128 *here = arena_scratch(&deal->arena, 16 * (size_t)most);
  u128 *between = arena_scratch(&deal->arena, 16 * (size_t)width);
  deal->arena.high = high;
  if (!above || !here || !between) return TOO_LARGE;
  for (i32 i = 0; i < count_values(deal, deal->layers); i++) above[i] = 1;
  for (i32 d = deal->layers - 1; d >= 0; d--) {
    for (i32 b = 0; b < deal->half[1]->layer[d].states; b++)
      if (deal->rows[d][b].count && !count_row(deal, d, b, above, between, here)) return OVERFLOW;
    u128 *swap = above;
    above = here;
    here = swap;
  }
  *count = above[0];
  return OK;
}
