/* Successor generation: the best ranked scans of a state (set of spots, tile). Declares the compressed grid
 * of a set, partitions, and what the generators of the open plane (successors.c) and of terrain
 * (terrain_successors.c) share: the state's spots and the list of the best actions. */
#ifndef CLUEWISE_SCAN_SUCCESSORS_H
#define CLUEWISE_SCAN_SUCCESSORS_H

#include "terrain.h"

#include <wasm_simd128.h>

/* One axis of the compressed grid: the intervals between the sides of a set's squares. */
typedef struct ScanAxis {
  i32 count; /* intervals: [at[i], at[i + 1] - 1] */
  i16 at[SCAN_BREAKS + 1];
  u64 sets[3][SCAN_BREAKS + 1]; /* inner, outer, complement */
  i16 order[SCAN_BREAKS];       /* intervals by distance from the state's tile */
  i16 away[SCAN_BREAKS];        /* that distance, in the same order */
} ScanAxis;

/* Build the axis of a set from a plan's sorted sides. */
void scan_cut_axis(const ScanPlan *plan, const ScanSide *sides, u64 set, ScanAxis *axis);

/* Partition a set by the answer of a scan; returns 0 if one answer leaves all of it, so that the scan gives
 * no information.
 *   parts: single, double, and both again for spots with the sign "different level" */
static inline i32 scan_partition(const ScanPlan *plan, u64 set, u64 inner, u64 outer, u64 near_other,
                                 u64 *parts) {
  u64 other = plan->layers == 3 ? plan->elsewhere | near_other : 0;
  split_parts(set & ~outer, set & outer & ~inner, other, parts);
  return parts[0] != set && parts[1] != set && parts[2] != set && parts[3] != set;
}

/* The same for a cell of the grid; `elsewhere`: the spots on other floors than the cell. */
static inline i32 partition_cell(const ScanPlan *plan, u64 set, const ScanAxis *columns, i32 column,
                                 const ScanAxis *rows, i32 row, u64 elsewhere, u64 *parts) {
  u64 inner = columns->sets[0][column] & rows->sets[0][row];
  u64 outer = columns->sets[1][column] & rows->sets[1][row];
  u64 other = plan->layers == 3 ? columns->sets[2][column] & rows->sets[2][row] : 0;
  return scan_partition(plan, set, inner, outer, other | elsewhere, parts);
}

/* The spots that a triple shows: those in no other part. */
static inline u64 shown_spots(u64 set, const u64 *parts) {
  return set & ~(parts[0] | parts[1] | parts[2] | parts[3]);
}

/* Insert a set and its bound into lists sorted by size, largest first, after sets of equal size. */
static inline void insert_by_size(u64 *sets, i32 *bounds, i32 count, u64 set, i32 bound) {
  for (; count > 0 && popcount64(sets[count - 1]) < popcount64(set); count--) {
    sets[count] = sets[count - 1];
    bounds[count] = bounds[count - 1];
  }
  sets[count] = set;
  bounds[count] = bound;
}

static inline i32 sum_lanes(v128_t sums) {
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) +
         wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
}

/* List the best `room` actions of a state, best first; returns how many. On terrain those are omitted whose
 * total is proved to be `limit` or more, or no better than that of another action; with SCAN_EVERY none
 * is. */
enum { SCAN_EVERY = SCAN_NEVER + 1 };
i32 scan_generate(ScanPlan *plan, u64 set, i32 x, i32 y, i32 policy, i32 room, i32 limit, ScanAction *out);

/* With pulses on the way: a pulse shows at every second tick of the last walk of a path. Move the action to
 * the first that excludes a spot: there the answer is known without a stop. On terrain call it right after
 * scan_generate, because it traces that search. */
void scan_stop_at_first_change(const ScanPlan *plan, u64 set, i32 x, i32 y, ScanAction *action);

/* ---- shared by successors.c and terrain_successors.c ------------------------------------- */

typedef struct SpotState {
  const ScanPlan *plan;
  u64 set;
  i32 count, x, y;  /* spots, and the tile from which scans are generated */
  i32 base;         /* ticks to that tile, by teleport or stairs */
  i32 level;        /* with stairs the level of the scans, */
  u64 elsewhere;    /* and the spots on other levels if answers depend on that */
  i32 least_walk;   /* lower bound of the ticks from any tile to all spots */
  i32 mid_x, mid_y; /* medians */
  i32 sum_x, sum_y; /* of all spots */
  i16 xs[SCAN_ROUTE_SPOTS], ys[SCAN_ROUTE_SPOTS], distance_cap[SCAN_ROUTE_SPOTS];
} SpotState;

typedef struct Ranking {
  i32 policy;
  double left_weight; /* ticks per remaining bit of a spot */
  i32 by_walk;        /* the score includes the walk, so that distance prunes */
  i32 second_tile;    /* also rank the tile closest to the centre of the remaining spots */
} Ranking;

/* The best actions so far, sorted by score, each partition once. */
typedef struct Best {
  ScanAction *list;
  i32 count, room;
  double worst; /* cutoff: only scores below this are inserted */
} Best;

static inline i32 same_parts(const ScanAction *a, const u64 *parts) {
  return a->parts[0] == parts[0] && a->parts[1] == parts[1] && a->parts[2] == parts[2] &&
         a->parts[3] == parts[3];
}

/* The cutoff of a partition: the score of the same one in the list, else the worst. `hint`: its index,
 * cached between calls. */
static inline double cutoff_of(const Best *best, const u64 *parts, i32 *hint) {
  if (*hint >= best->count || !same_parts(&best->list[*hint], parts)) {
    i32 i = 0;
    while (i < best->count && !same_parts(&best->list[i], parts)) i++;
    *hint = i;
  }
  return *hint < best->count ? best->list[*hint].score : best->worst;
}

/* Insert by score. Of equal partitions only the better tile stays, of equal scores the earlier, so that
 * the order of the cells breaks ties. */
static inline void insert_action(Best *best, double score, i32 x, i32 y, const u64 *parts) {
  if (score >= best->worst) return;
  i32 i = 0;
  while (i < best->count && !same_parts(&best->list[i], parts)) i++;
  if (i < best->count) {
    if (best->list[i].score <= score) return;
  } else if (best->count < best->room) {
    best->count++;
  } else {
    i = best->count - 1;
  }
  for (; i > 0 && best->list[i - 1].score > score; i--) best->list[i] = best->list[i - 1];
  ScanAction *a = &best->list[i];
  a->score = score;
  a->x = a->to_x = (i16)x;
  a->y = a->to_y = (i16)scan_y_of(y);
  a->level = scan_level_of(y);
  for (i32 p = 0; p < SCAN_PARTS; p++) a->parts[p] = parts[p];
  if (best->count == best->room) best->worst = best->list[best->count - 1].score;
}

/* Sum of n log2 n over the parts: |set| times the bits that remain on average. */
static inline double weight_of(const ScanPlan *plan, const u64 *parts) {
  const double *w = plan->weight;
  double sum = w[popcount64(parts[0])] + w[popcount64(parts[1])];
  if (plan->layers == 3) sum += w[popcount64(parts[2])] + w[popcount64(parts[3])];
  return sum;
}

/* The score of BITS or RATE, with `left` the weight of the parts. */
static inline double score_by_bits(const Ranking *r, const SpotState *state, double left, i32 ticks) {
  double bits = (state->plan->weight[state->count] - left) / state->count;
  return r->policy == SCAN_BITS ? ticks - 1e6 * bits : (ticks + state->plan->stop) / bits;
}

/* Insert the best actions on terrain (terrain_successors.c); `limit` as in scan_generate. */
void scan_generate_on_terrain(const SpotState *state, const Ranking *r, i32 limit, Best *best);

#endif
