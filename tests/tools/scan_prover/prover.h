/* The prover of least plans: what its two C files add to the scan desk's kernel. prove_scan.py
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

/* ---- A lower bound for routes (bound.c) -----------------------------------------------------
 *
 * A plan for a set is a plan for each group of a partition of it, so no plan takes less than the
 * groups' exact plans together. Nor less than these if the first scan, or the first and the second,
 * are common to all groups: then the sums are taken tile by tile before the least is. On the open
 * plane, without pulses on the way.
 *
 * A sheet has a number of two bytes for every tile of the window of a set `of`; scan_sheet: how many
 * numbers with what is stored with them. scan_bound_field_begin: a sheet for the scans of one of its
 * subsets, all it or what a first scan left. scan_bound_field_add: what a group pays from such a scan on,
 * once scan_exact has run with that `of`. After all groups, for a subset: scan_bound_field_walk makes of
 * sums at the place of a scan those at the place of the scan before. For all of it:
 * scan_bound_field_cells lists the cells where a first scan may lead to less than `limit`, with the least
 * of each; scan_bound_field_second: that cell's least (or `limit`) when each answer that leaves several
 * spots has a walked sheet, `which` of `sheets` of `room` numbers each, -1 for the others. */
typedef struct ScanFirst {
  i32 least, column, row, spare;
  u64 parts[SCAN_PARTS];
} ScanFirst;
i32 scan_sheet(const ScanPlan *plan LIVE, const u64 *of HAS(1));
i32 scan_bound_field_begin(const ScanPlan *plan LIVE, const u64 *of HAS(1), const u64 *set HAS(1),
                     u16 *memory HAS(room), i32 room);
i32 scan_bound_field_add(const ScanExact *exact LIVE, const u64 *of HAS(1), const u64 *set HAS(1),
                   u16 *memory HAS(room), i32 room);
i32 scan_bound_field_walk(const ScanPlan *plan LIVE, const u64 *of HAS(1), const u64 *set HAS(1),
                    u16 *memory HAS(room), i32 room);
i32 scan_bound_field_cells(const ScanPlan *plan LIVE, const u64 *of HAS(1), i32 x, i32 y, i32 limit,
                     u16 *memory HAS(room), i32 room, ScanFirst *out HAS(most), i32 most);
i32 scan_bound_field_second(const ScanExact *exact LIVE, const u64 *of HAS(1), i32 x, i32 y, i32 column,
                      i32 row, i32 limit, u16 *memory HAS(sheets * room), i32 room, i32 sheets,
                      const i32 *which HAS(4));
