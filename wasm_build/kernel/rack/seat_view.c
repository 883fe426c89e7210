/* What a seat knows of the other stands during a rollout: its unknown wires (layers), the places
 * where they may stand, and facts.
 *
 * A layer is a type of wire with copies that the seat does not see; layers are in sort order.
 * Visible wires of a sorted stand bound the unknown ones between them; public information
 * (`allowed`) and facts reduce them further. The result is the input of seat_posterior.c.
 * Cost: O(stands x slots x layers). */
#include "rack/game.h"

typedef struct View {
  i32 viewer;
  u32 visible[STANDS]; /* slots (bits) */
  u64 unknown;         /* wires with copies that are not visible (bits) */
} View;

/* The number of unknown wires below a wire: its layer, or the next one. */
static inline i32 layer_index(const View *view, i32 wire) {
  return popcount64(view->unknown & (bit64(wire) - 1));
}

static void read_layers(const Rules *rules, const Game *game, View *view, SeatModel *seat) {
  i8 left[LAYERS];
  for (i32 t = 0; t < rules->layers; t++) left[t] = (i8)rules->copies[t];
  for (i32 s = 0; s < rules->stands; s++) {
    view->visible[s] = visible_slots(rules, game, view->viewer, s);
    for (u32 rest = view->visible[s]; rest; rest &= rest - 1) left[game->wire[s][__builtin_ctz(rest)]]--;
  }
  view->unknown = 0;
  seat->layers = seat->total[0] = seat->doubtful = 0;
  for (i32 t = 0; t < rules->layers; t++) {
    if (left[t] <= 0) continue;
    view->unknown |= bit64(t);
    seat->wire[seat->layers] = t;
    seat->copies[seat->layers] = left[t];
    seat->total[seat->layers + 1] = seat->total[seat->layers] + left[t];
    if (rules->group[t]) {
      if (seat->doubtful < MAX_DOUBTFUL) seat->doubtful_layer[seat->doubtful] = seat->layers;
      seat->doubtful++;
    }
    seat->layers++;
  }
}

/* ---- a stand --------------------------------------------------------------------------------- */

/* What multiplicity tokens of a stand count: on unknown places, and on visible wires. */
static void read_counts(const Rules *rules, const Game *game, const View *view, SeatModel *seat, i32 q) {
  i32 s = seat->stand[q];
  memset(seat->visible[q], 0, sizeof seat->visible[q]);
  memset(seat->exact[q], 0, sizeof seat->exact[q]);
  memset(seat->counted[q], 0, sizeof seat->counted[q]);
  for (i32 n = 0; n < seat->places[q]; n++) seat->counted[q][game->times[s][seat->slot[q][n]]] |= 1u << n;
  for (u32 rest = view->visible[s]; rest; rest &= rest - 1) {
    i32 j = __builtin_ctz(rest), value = rules->value[game->wire[s][j]];
    seat->visible[q][value]++;
    if (game->times[s][j]) seat->exact[q][value] = game->times[s][j];
  }
}

/* The layers from one visible wire to the next may stand in the places between them. */
static void read_gap(SeatModel *seat, const View *view, i32 q, i32 from, i32 low, i32 high) {
  u32 gap = first_bits(seat->places[q]) & ~first_bits(from);
  for (i32 d = layer_index(view, low); gap && d < seat->layers && seat->wire[d] <= high; d++)
    seat->fits[q][d] |= gap;
}

/* The unknown places of a stand, the layers that may stand there, and the weights 1/copies!. */
static void read_places(const Rules *rules, const Game *game, const View *view, SeatModel *seat, i32 q) {
  i32 s = seat->stand[q], from = 0, low = 0;
  u8 known[LAYERS] = {0};
  seat->places[q] = 0;
  for (i32 d = 0; d < seat->layers; d++) seat->fits[q][d] = 0;
  for (u32 rest = first_bits(rules->size[s]) & ~rules->unsorted[s]; rest; rest &= rest - 1) {
    i32 j = __builtin_ctz(rest);
    if (!(view->visible[s] >> j & 1)) {
      seat->slot[q][seat->places[q]++] = j;
      continue;
    }
    i32 wire = game->wire[s][j];
    read_gap(seat, view, q, from, low, wire);
    known[wire]++;
    low = wire;
    from = seat->places[q];
  }
  read_gap(seat, view, q, from, low, LAYERS);
  for (i32 n = 0; n < seat->places[q]; n++) {
    i32 j = seat->slot[q][n];
    u64 may = game->allowed[s][j];
    if (game->shown[s] >> j & 1) may &= rules->of_value[YELLOW];
    for (u64 denied = view->unknown & ~may; denied; denied &= denied - 1)
      seat->fits[q][layer_index(view, lowest64(denied))] &= ~(1u << n);
  }
  for (i32 d = 0; d < seat->layers; d++)
    for (i32 k = 0; k <= seat->copies[d]; k++)
      seat->weight[q][d][k] = INVERSE_FACTORIAL[known[seat->wire[d]] + k];
}

/* The values (bits) of which a stand is known to hide a wire, and the viewer sees none there. */
static u32 hidden_values(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u32 has = game->has[s], seen = game->hidden[s] & visible_if_hidden(rules, viewer, s);
  for (; has && seen; seen &= seen - 1) has &= ~(1u << rules->value[game->wire[s][__builtin_ctz(seen)]]);
  return has;
}

static bool sees_value(const Rules *rules, const Game *game, const View *view, i32 s, i32 value) {
  bool sees = false;
  for (u32 rest = view->visible[s]; rest; rest &= rest - 1)
    sees |= rules->value[game->wire[s][__builtin_ctz(rest)]] == value;
  return sees;
}

static void read_stand(const Rules *rules, const Game *game, const View *view, SeatModel *seat, i32 q) {
  i32 s = seat->stand[q], single = rules->single[s];
  u32 has = hidden_values(rules, game, view->viewer, s);
  read_places(rules, game, view, seat, q);
  seat->single[q] = single;
  seat->colour[q] = has >> YELLOW & 1 ? YELLOW : 0;
  if (single && !sees_value(rules, game, view, s, single)) seat->colour[q] = single;
  seat->facts += seat->colour[q] > 0;
  for (i32 d = 0; d < seat->layers; d++) {
    i32 value = rules->value[seat->wire[d]];
    seat->must[q][d] = value < YELLOW && has >> value & 1;
    if (single && single == value && !seat->colour[q]) seat->fits[q][d] = 0; /* it is visible */
  }
  if (seat->has_counts) read_counts(rules, game, view, seat, q);
  for (i32 i = 0; i < seat->unsorted; i++) seat->on_stand[q] |= (u32)(seat->unsorted_stand[i] == s) << i;
}

static void clear_stand(SeatModel *seat, i32 q) {
  seat->stand[q] = -1;
  seat->places[q] = seat->colour[q] = 0;
  if (seat->has_counts) {
    memset(seat->visible[q], 0, sizeof seat->visible[q]);
    memset(seat->exact[q], 0, sizeof seat->exact[q]);
    memset(seat->counted[q], 0, sizeof seat->counted[q]);
  }
  for (i32 d = 0; d < seat->layers; d++) {
    seat->fits[q][d] = seat->must[q][d] = 0;
    seat->weight[q][d][0] = 1;
  }
}

/* ---- unsorted places ------------------------------------------------------------------------- */

/* The wires (bits) that a viewer's own turned wire may be if the other one of the pair is visible;
 * `equal`: that one, since equal wires count half (unequal ones have two orders). */
static u64 pair_bound(const Rules *rules, const Game *game, const View *view, i32 s, i32 j, i32 *equal) {
  bool before = false;
  for (i32 t = 0; rules->paired && t < rules->stands; t++)
    for (i32 i = 0; rules->owner[t] == view->viewer && i < rules->size[t]; i++) {
      if (!(rules->unsorted[t] >> i & 1)) continue;
      if (t == s && i == j) {
        before = true;
        continue;
      }
      if (!(view->visible[t] >> i & 1)) continue;
      i32 wire = game->wire[t][i];
      *equal = wire;
      return before ? ((u64)2 << wire) - 1 : ~(u64)0 << wire;
    }
  return ~(u64)0;
}

/* The wires (bits) that satisfy the facts of the viewer's own stand; of others all. */
static u64 fact_bound(const Rules *rules, const Game *game, i32 viewer, i32 s) {
  u64 wires = ~(u64)0;
  u32 has = rules->owner[s] == viewer ? hidden_values(rules, game, viewer, s) : 0;
  for (i32 v = 1; v < VALUES; v++)
    if (has >> v & 1) wires &= rules->of_value[v];
  return wires;
}

/* The unsorted places whose wire the viewer does not see; false if they are too many. */
static bool read_unsorted(const Rules *rules, const Game *game, const View *view, SeatModel *seat) {
  seat->unsorted = 0;
  for (i32 d = 0; d < seat->layers; d++) seat->holds[d] = 0;
  memset(seat->on_stand, 0, sizeof seat->on_stand);
  for (i32 s = 0; s < rules->stands; s++)
    for (u32 rest = rules->unsorted[s] & ~view->visible[s]; rest; rest &= rest - 1) {
      if (seat->unsorted == UNSORTED) return false;
      i32 j = __builtin_ctz(rest), at = seat->unsorted++, equal = -1;
      u64 may = game->allowed[s][j] & fact_bound(rules, game, view->viewer, s);
      if (game->shown[s] >> j & 1) may &= rules->of_value[YELLOW];
      may &= pair_bound(rules, game, view, s, j, &equal);
      seat->unsorted_stand[at] = s;
      seat->unsorted_slot[at] = j;
      seat->equal[at] = -1;
      for (i32 d = 0; d < seat->layers; d++) {
        seat->holds[d] |= (u32)(may >> seat->wire[d] & 1) << at;
        if (seat->wire[d] == equal) seat->equal[at] = d;
      }
    }
  seat->pair = rules->paired && seat->unsorted == 2;
  return true;
}

i32 read_view(const Rules *rules, const Game *game, i32 viewer, SeatModel *seat) {
  View view = {viewer, {0}, 0};
  i32 stand[OTHERS], places[OTHERS], count = 0; /* by ascending number of unknown sorted places */
  seat->has_counts = rules->has_counts;
  read_layers(rules, game, &view, seat);
  if (!read_unsorted(rules, game, &view, seat)) return TOO_LARGE;
  for (i32 s = 0; s < rules->stands; s++) {
    u32 unknown = first_bits(rules->size[s]) & ~view.visible[s];
    if (rules->owner[s] == viewer || count == OTHERS || !unknown) continue;
    i32 at = count++, sorted = __builtin_popcount(unknown & ~rules->unsorted[s]);
    for (; at && places[at - 1] > sorted; at--) {
      places[at] = places[at - 1];
      stand[at] = stand[at - 1];
    }
    places[at] = sorted;
    stand[at] = s;
  }
  seat->facts = 0;
  for (i32 q = 0; q < OTHERS; q++) {
    i32 at = q - (OTHERS - count);
    if (at < 0) {
      clear_stand(seat, q);
      continue;
    }
    seat->stand[q] = stand[at];
    read_stand(rules, game, &view, seat, q);
  }
  seat->unknown = count || seat->unsorted;
  return seat->unknown ? OK : IMPOSSIBLE;
}
