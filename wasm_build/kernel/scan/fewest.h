/* Types of the search for the fewest scans (fewest.c) and of its lists of scans (fewest_list.c). */
#ifndef CLUEWISE_SCAN_FEWEST_H
#define CLUEWISE_SCAN_FEWEST_H

#include "successors.h"

enum { MAX_DEPTH = SCAN_ROUTE_SPOTS + 1, UNBOUNDED = 1 << 20 };

/* A scan as a partition of the current set; `bound` and `order` are the sort keys. */
typedef struct Scan {
  u64 parts[SCAN_PARTS];
  i32 bound, order;
} Scan;

/* Table entry: proven bounds of a set; set 0 = free, low 0 = not computed yet. */
typedef struct Bounds {
  u64 set;
  i32 low, high;
} Bounds;

/* A frame of the search's stack. */
typedef struct Level {
  u64 set;
  i32 threshold;       /* cutoff */
  i32 first, count;    /* the list of its scans in the pool */
  i32 open;            /* how many of them, sorted, have a bound below the cutoff */
  i32 at;              /* the current scan */
  i32 children, child; /* its parts, the larger sets first, and the current one */
  i32 best, low;       /* the least total so far, the least bound of all scans so far */
  i32 sum;             /* set size + totals of the solved children + bounds of the others */
  u64 sets[SCAN_PARTS];
  i32 bounds[SCAN_PARTS];
} Level;

struct ScanFewest {
  Tag seal;
  const ScanPlan *plan;
  Scan *pool;
  Bounds *table;
  i32 pool_room, used, depth, low, proved; /* used: table entries */
  i32 parts; /* answers that leave several spots: 2, with levels 4 */
  i32 slack, merged; /* SCAN_PLACES, SCAN_PULSES */
  u32 mask;
  i64 work;
  u64 all;
  i32 root_count, answer;
  Level stack[MAX_DEPTH + 1];
};

_Static_assert(sizeof(Scan) == SCAN_POOLED_SCAN && sizeof(Bounds) == SCAN_BOUNDS_ENTRY,
               "callers allocate by these sizes");

/* Sort by bound; stable. */
void scan_sort_scans(Scan *scans, i32 count);

/* Remove the scans that another dominates, and all but the first of equal ones. Returns how many remain. */
i32 scan_reduce(ScanFewest *f, Scan *scans, i32 count);

/* List the scans of the map that no other dominates at the start of the pool. Returns how many, or
 * TOO_LARGE. */
i32 scan_list_scans(ScanFewest *f, i32 x, i32 y);

#endif
