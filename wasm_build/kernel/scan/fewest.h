/* What the search for the fewest scans (fewest.c) and its lists of scans (fewest_list.c) share. */
#ifndef CLUEWISE_SCAN_FEWEST_H
#define CLUEWISE_SCAN_FEWEST_H

#include "successors.h"

enum { DEPTH = SCAN_ROUTE_SPOTS + 1, NOTHING = 1 << 20 };

/* A scan, by what its answers leave of the set at hand; `bound` also serves as a sort key. */
typedef struct Scan {
  u64 parts[SCAN_PARTS];
  i32 bound, order;
} Scan;

/* Proven bounds of a set; set 0 = free, low 0 = not looked at yet. */
typedef struct Bounds {
  u64 set;
  i32 low, high;
} Bounds;

typedef struct Level {
  u64 set;
  i32 threshold;       /* values from here on are of no interest */
  i32 first, count;    /* its scans in the pool */
  i32 open;            /* the first so many may be below the threshold */
  i32 at;              /* the scan being tried */
  i32 children, child; /* what it leaves, the larger sets first, and the one being solved */
  i32 best, low;       /* the least total so far, the least proven bound so far */
  i32 sum;             /* set size + totals of the children, bounds for those not yet solved */
  u64 sets[SCAN_PARTS];
  i32 bounds[SCAN_PARTS];
} Level;

struct ScanFewest {
  Tag seal;
  const ScanPlan *plan;
  Scan *pool;
  Bounds *table;
  i32 pool_room, used, depth, low, proved;
  i32 parts; /* 2, with levels 4 */
  i32 slack, merged; /* SCAN_PLACES, SCAN_PULSES */
  u32 mask;
  i64 work;
  u64 all;
  i32 root_count, answer;
  Level stack[DEPTH + 1];
};

_Static_assert(sizeof(Scan) == SCAN_POOLED_SCAN && sizeof(Bounds) == SCAN_BOUNDS_ENTRY,
               "the caller makes room by these");

/* Sort by bound; stable. */
void scan_sort_scans(Scan *scans, i32 count);

/* Keep the scans that no other dominates; of equal ones the first. Returns how many. */
i32 scan_reduce(ScanFewest *f, Scan *scans, i32 count);

/* Every distinct scan of the map, reduced, at the start of the pool; how many, negative: no room. */
i32 scan_list_scans(ScanFewest *f, i32 x, i32 y);

#endif
