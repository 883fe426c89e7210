/* Heuristic cost-to-go of a state (S, tile): ticks over all spots beyond the straight walks.
 *
 *   h = |S| max(stop, a + b stop + (c + d stop) bits + (e + f bits) spread + (g + i bits) distance
 *                     + k stop spread / range)
 *   bits = log2 |S|; spread = root mean square distance of the spots from their centre;
 *   distance = mean distance from the tile
 *
 * Weighted least squares over 33 000 states of good plans (26 regions, stop = 1, 3, 6; errors weigh
 * by a state's total). Not admissible: ranks scans, never prunes. A second fit over 6 400 states ranks
 * runs; its factor COUNTS was chosen by trial. Cost: O(|S|). Refit when rules or ranking change. */
#include "scan.h"

static const double STOP = -0.278084, ANY = 2.447724;          /* times stop; 1 */
static const double BITS = -0.908889, BITS_STOP = 0.430742;    /* bits; bits times stop */
static const double WIDE = -0.219394, WIDE_BITS = 0.148974;    /* times spread; times spread and bits */
static const double WIDE_STOP = 0.466894;                      /* times stop and spread in ranges */
static const double FAR = 0.073783, FAR_BITS = -0.052524;      /* times distance; times distance and bits */

/* Sums over spots, relative to the tile: coordinates, their squares, and distances. */
typedef struct Spread {
  i64 x, y, squares, away;
  i32 count;
} Spread;

static Spread spread_of(const ScanPlan *plan, u64 set, i32 x, i32 y) {
  Spread sums = {0};
  for (; set; set &= set - 1, sums.count++) {
    i32 s = lowest64(set), u = plan->x[s] - x, v = plan->y[s] - y;
    sums.x += u;
    sums.y += v;
    sums.squares += (i64)u * u + (i64)v * v;
    sums.away += max32(max32(u, -u), max32(v, -v));
  }
  return sums;
}

/* Root mean square distance of the spots from their centre. */
static double rms_spread(const Spread *sums) {
  double n = sums->count;
  double middle = ((double)sums->x * (double)sums->x + (double)sums->y * (double)sums->y) / n;
  return __builtin_sqrt(((double)sums->squares - middle) / n);
}

double scan_cost_to_go(const ScanPlan *plan, u64 set, i32 x, i32 y) {
  if (!(set & (set - 1))) return 0;
  Spread sums = spread_of(plan, set, x, y);
  double n = sums.count, stop = plan->stop, bits = plan->weight[sums.count] / n;
  double wide = rms_spread(&sums), away = (double)sums.away / n;
  double each = ANY + STOP * stop + (BITS + BITS_STOP * stop) * bits + (WIDE + WIDE_BITS * bits) * wide +
                (FAR + FAR_BITS * bits) * away + WIDE_STOP * stop * wide / max32(plan->range, 1);
  return n * (each > stop ? each : stop); /* at least a stop */
}

static const double RUN = -5.25, DOUBLE = 2.46;                 /* 1; 1 after a double */
static const double RUN_WIDE = -0.405, RUN_WIDE_BITS = 0.184; /* times spread; times spread and bits */
static const double RUN_FAR = 0.216, RUN_FAR_BITS = -0.0945;  /* times distance; times distance and bits */
static const double RANGES = 2.8, RANGES_STOP = 0.196;            /* times spread in ranges; and stop */
static const double COUNTS = 1.2; /* factor of the estimate, chosen by trial: it favours information */

double scan_cost_to_go_runs(const ScanPlan *plan, u64 set, i32 x, i32 y, i32 pulses) {
  if (!(set & (set - 1))) return 0;
  Spread sums = spread_of(plan, set, x, y);
  double n = sums.count, bits = plan->weight[sums.count] / n;
  double wide = rms_spread(&sums), away = (double)sums.away / n;
  double each = RUN + (pulses == 1 << 1 ? DOUBLE : 0) + (RUN_WIDE + RUN_WIDE_BITS * bits) * wide +
                (RUN_FAR + RUN_FAR_BITS * bits) * away +
                (RANGES + RANGES_STOP * plan->stop) * wide / max32(plan->range, 1);
  return each > 0 ? COUNTS * n * each : 0;
}
