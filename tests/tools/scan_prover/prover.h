/* The prover of least plans: what optimum.c adds to the scan desk's kernel. prove_scan.py
 * appends this text to scan.h in a copy of the kernel's sources. */

/* ---- The least plan of all (optimum.c) ---------------------------------------------------------
 *
 * Over all tiles and all scans, as scan_exact, for sets of any size on the open plane, without pulses
 * on the way: either a plan that takes less than `upper`, the least of all, or the proof that there is
 * none. What is wanted of the whole is handed down to what scans leave, and dropped where groups of
 * spots show that it cannot be; so few of the sets are looked at, mostly some hundreds or thousands.
 *
 * scan_optimum: set up for a set from (x, y); `pool` has room for `room` numbers of two bytes.
 * scan_optimum_run: work for about so many tiles; 1 = finished. scan_optimum_value: the least total
 * from a tile of the set asked for, or of one that a plan's scan leaves, with its first scan (only the
 * tile is filled in); SCAN_NEVER and SCAN_NOWHERE where nothing is less than was wanted: of the set
 * asked for, than `upper`. TOO_LARGE (also from the run): it does not fit, or totals reach 60000. */
typedef struct ScanOptimum ScanOptimum;
i32 scan_optimum_bytes(void);
i32 scan_optimum(ScanOptimum *optimum HAS(scan_optimum_bytes()), const ScanPlan *plan LIVE,
                 const u64 *set HAS(1), i32 x, i32 y, i32 upper, void *pool HAS(2 * room), i32 room);
i32 scan_optimum_run(ScanOptimum *optimum LIVE, i32 tiles);
i32 scan_optimum_value(ScanOptimum *optimum LIVE, const u64 *set HAS(1), i32 x, i32 y,
                       ScanAction *out HAS(1));
