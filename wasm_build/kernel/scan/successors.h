/* The successors of a state: the best ranked scans of a set of spots from a tile; and what the two ways
 * to generate them, on the plane and on terrain, share: the state's spots, the list of the best. */
#ifndef CLUEWISE_SCAN_SUCCESSORS_H
#define CLUEWISE_SCAN_SUCCESSORS_H

#include "terrain.h"

/* The grid between the sides of a set's squares, on one axis. */
typedef struct ScanAxis {
  i32 count; /* intervals: [at[i], at[i + 1] - 1] */
  i16 at[SCAN_BREAKS + 1];
  u64 sets[3][SCAN_BREAKS + 1]; /* inner, outer, complement */
  i16 order[SCAN_BREAKS];       /* intervals by distance from here */
  i16 away[SCAN_BREAKS];        /* that distance, in the same order */
} ScanAxis;

void scan_cut_axis(const ScanPlan *plan, const ScanSide *sides, u64 set, ScanAxis *axis);

/* What each answer leaves of a set; 0 if some answer leaves all of it (then nothing is learned).
 *   parts: single, double, and both again for spots with the sign "different level" */
static inline i32 scan_partition(const ScanPlan *plan, u64 set, u64 inner, u64 outer, u64 near_other, u64 *parts) {
  u64 single = set & ~outer, twice = set & outer & ~inner, other = 0;
  if (plan->layers == 3) other = plan->elsewhere | near_other;
  parts[0] = single & ~other;
  parts[1] = twice & ~other;
  parts[2] = single & other;
  parts[3] = twice & other;
  return parts[0] != set && parts[1] != set && parts[2] != set && parts[3] != set;
}

/* The best ranked actions of a set. On terrain, actions whose total is proved to be `limit` or more
 * are left out, and those that are proved to be no better than another one; with SCAN_EVERY none is. */
enum { SCAN_EVERY = SCAN_NEVER + 1 };
i32 scan_generate(ScanPlan *plan, u64 set, i32 x, i32 y, i32 policy, i32 room, i32 limit, ScanAction *out);

/* On the last run of a way (two tiles a tick) a pulse comes at every second tick. The first that would
 * exclude a spot is where one decides anew: the action becomes that place, without the tick of a scan.
 * On terrain right after scan_generate, whose search has the ways. */
void scan_stop_at_first_change(const ScanPlan *plan, u64 set, i32 x, i32 y, ScanAction *action);

/* ---- shared by successors.c and terrain_successors.c ------------------------------------- */

typedef struct SpotState {
  const ScanPlan *plan;
  u64 set;
  i32 count, x, y; /* how many, and where one stands */
  i32 base;        /* ticks until one stands there: those of a teleport, or over stairs */
  i32 level;       /* with stairs the level looked at, */
  u64 elsewhere;   /* and the spots that are on others, if that is heard */
  i32 least_walk;  /* no tile has fewer ticks to all spots together */
  i32 mid_x, mid_y; /* medians */
  i32 sum_x, sum_y; /* of all spots */
  i16 xs[SCAN_ROUTE_SPOTS], ys[SCAN_ROUTE_SPOTS], distance_cap[SCAN_ROUTE_SPOTS];
} SpotState;

typedef struct Ranking {
  i32 policy;
  double left_weight; /* of a spot-bit still to be learned, in ticks */
  i32 by_walk;        /* the score has the walk in it, so that distance can prune */
  i32 second_tile;    /* also the tile that lies best for the spots left */
} Ranking;

typedef struct Best {
  ScanAction *list;
  i32 count, room;
  double worst; /* a score at or above this is of no use */
} Best;

static inline i32 same_parts(const ScanAction *a, const u64 *parts) {
  return a->parts[0] == parts[0] && a->parts[1] == parts[1] && a->parts[2] == parts[2] &&
         a->parts[3] == parts[3];
}

/* What a score has to be below to be kept: the worst one, or that of the same partition, whose place in
 * the list is looked for from `hint` on. */
static inline double limit_of(const Best *best, const u64 *parts, i32 *hint) {
  if (*hint >= best->count || !same_parts(&best->list[*hint], parts)) {
    i32 i = 0;
    while (i < best->count && !same_parts(&best->list[i], parts)) i++;
    *hint = i;
  }
  return *hint < best->count ? best->list[*hint].score : best->worst;
}

/* Insertion by score; of equal partitions only the better tile stays, and the earlier of two
 * equal scores, so that the order of the cells decides ties. */
static inline void keep(Best *best, double score, i32 x, i32 y, const u64 *parts) {
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

static inline double weight_of(const ScanPlan *plan, const u64 *parts) {
  const double *w = plan->weight;
  double sum = w[popcount64(parts[0])] + w[popcount64(parts[1])];
  if (plan->layers == 3) sum += w[popcount64(parts[2])] + w[popcount64(parts[3])];
  return sum;
}

/* Most bits first, the nearest of equals; or fewest ticks per bit. */
static inline double rank_by_bits(const Ranking *r, const SpotState *state, double left, i32 ticks) {
  double bits = (state->plan->weight[state->count] - left) / state->count;
  return r->policy == SCAN_BITS ? ticks - 1e6 * bits : (ticks + state->plan->stop) / bits;
}

/* The best ranked actions of a set on terrain. */
void scan_generate_on_terrain(const SpotState *state, const Ranking *r, i32 limit, Best *best);

#endif
