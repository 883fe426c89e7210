/* The successors of a state: the best ranked scans of a set of spots from a tile. */
#ifndef CLUEWISE_SCAN_SUCCESSORS_H
#define CLUEWISE_SCAN_SUCCESSORS_H

#include "scan.h"

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

#endif
