/* Improves a scan plan by an exact dynamic program on a restricted state space.
 *
 * States are sets S of a family of at most 2^14: the incumbent's states (seeds) and what their best-ranked
 * scans leave, expanded while the discrepancy allowance lasts (limited-discrepancy search, Harvey &
 * Ginsberg 1995). Over that family the optimum is exact: every tile, and every scan whose answers stay in
 * the family, so the result is never worse than the incumbent.
 *
 *   GROW   large sets first   expand states by ranked scans: their answers become members
 *   BOUND  small sets first   upper bound of each set from its ranked scans
 *   LIST   large sets first   cells where a scan may beat that bound; the box a child is needed in
 *   FILL   small sets first   cost field: minimum over listed cells, then distance transform
 *
 * Fields (cost_field.h) are clipped to tiles from which a total below `upper` is possible; a set whose
 * field does not fit the pool is omitted. Sets are found by hashing (open addressing, `slots`).
 * Cost: O(cells listed x tiles / 8). */
#include "cost_field.h"
#include "transposition.h"

enum {
  MEMBERS = 1 << 14, /* most sets of a family */
  SLOTS = 2 * MEMBERS,
  CANDIDATES = 3 << 17,  /* most cells of scans, of all sets together */
  GROW_WORK = 1 << 12, /* work of a stage for one set, in tiles */
  BOUND_WORK = 1 << 6
};

/* A cell where a set may be scanned: each answer leaves a member, or spots that are certain then. */
typedef struct CandidateCell {
  i16 x0, y0, x1, y1;
  i16 parts[SCAN_PARTS]; /* numbers of members, -1: the answer leaves fewer than two spots */
  u64 known;
} CandidateCell;

typedef struct State {
  u64 set;
  i16 x, y;      /* the tile from which its scans are ranked */
  i32 allowance; /* of discrepancies */
  i32 next;      /* the next one of its size, -1 after the last */
  i32 first, count; /* its cells in the list; after GROW the tiles of its best ranked scans */
  i16 best_x, best_y; /* its best known scan, */
  i32 after;          /* and the total from there, the stop included; SCAN_NEVER: unknown */
  CostField field;
} State;

struct ScanFamily {
  Tag seal;
  ScanPlan *plan;
  Problem problem;
  i32 count, candidates; /* members, cells listed */
  i32 stage, size, at;   /* the stage, the size of the sets, the current member */
  i32 of_size[SCAN_ROUTE_SPOTS + 1];
  i32 slots[SLOTS];
  State members[MEMBERS];
  CandidateCell list[CANDIDATES];
  ScanAction actions[SCAN_ACTIONS];
};

typedef struct ScanFamily Family;

enum { GROW, BOUND, LIST, FILL, DONE };

/* ---- members ---------------------------------------------------------------------------- */

/* The slot of a set in the hash table, -1 in it if it is no member. */
static i32 *slot_of(Family *f, u64 set) {
  u32 slot = (u32)((set * 0x9e3779b97f4a7c15ull) >> 40) & (SLOTS - 1);
  while (f->slots[slot] >= 0 && f->members[f->slots[slot]].set != set) slot = (slot + 1) & (SLOTS - 1);
  return &f->slots[slot];
}

/* Add a set to the family unless it is full, or raise its allowance. */
static void add_state(Family *f, u64 set, i32 x, i32 y, i32 allowance) {
  i32 *slot = slot_of(f, set);
  if (*slot < 0) {
    if (f->count == MEMBERS) return;
    i32 size = popcount64(set);
    f->members[f->count] =
        (State){.set = set, .next = f->of_size[size], .allowance = -1, .field = {EMPTY, EMPTY, 0}};
    f->of_size[size] = *slot = f->count++;
  }
  State *m = &f->members[*slot];
  if (allowance <= m->allowance) return;
  m->allowance = allowance;
  m->x = (i16)x;
  m->y = (i16)y;
}

/* Find the members that the answers of a scan leave; 0 if one leaves a set that is none. */
static i32 find_parts(Family *f, const u64 *parts, u64 shown, CandidateCell *candidate) {
  candidate->known = shown;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = parts[p];
    candidate->parts[p] = -1;
    if (!(part & (part - 1))) {
      candidate->known |= part;
    } else if ((candidate->parts[p] = (i16)*slot_of(f, part)) < 0) {
      return 0;
    }
  }
  return 1;
}

/* List a ranked scan of a set, for its upper bound. */
static void list_scan(Family *f, State *m, const ScanAction *a) {
  if (f->candidates == CANDIDATES) return;
  CandidateCell *candidate = &f->list[f->candidates];
  if (!find_parts(f, a->parts, shown_spots(m->set, a->parts), candidate)) return;
  candidate->x0 = candidate->x1 = a->x;
  candidate->y0 = candidate->y1 = a->y;
  f->candidates++;
  m->count++;
}

/* GROW: add the parts of the best ranked scans of a set, with the allowance less the cost of the rank. */
static void expand(Family *f, State *m) {
  i32 width = width_of(popcount64(m->set), m->allowance), allowance = m->allowance;
  m->first = f->candidates;
  i32 count = scan_generate(f->plan, m->set, m->x, m->y, SCAN_RANK_SEARCH, width, SCAN_NEVER, f->actions);
  for (i32 i = 0; i < count; i++) {
    const ScanAction *a = &f->actions[i];
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (a->parts[p] & (a->parts[p] - 1))
        add_state(f, a->parts[p], a->x, a->y, max32(0, allowance - rank_cost(i)));
    list_scan(f, m, a);
  }
}

/* ---- upper bounds ------------------------------------------------------------------------- */

/* BOUND: the best of the listed scans of a set, with the upper bounds of its parts. */
static void find_upper_bound(Family *f, State *m) {
  i32 n = popcount64(m->set), least = SCAN_NEVER;
  m->after = SCAN_NEVER;
  for (i32 i = m->first; i < m->first + m->count; i++) {
    const CandidateCell *candidate = &f->list[i];
    i32 x = candidate->x0, y = candidate->y0;
    i32 after = n * f->plan->stop + scan_walks_to_spots(f->plan, x, y, candidate->known);
    for (i32 p = 0; p < SCAN_PARTS && after < SCAN_NEVER; p++) {
      if (candidate->parts[p] < 0) continue;
      const State *part = &f->members[candidate->parts[p]];
      i32 ticks = popcount64(part->set) * walk_between(x, y, part->best_x, part->best_y);
      after = part->after < SCAN_NEVER ? after + ticks + part->after : SCAN_NEVER;
    }
    if (after == SCAN_NEVER || n * walk_between(m->x, m->y, x, y) + after >= least) continue;
    least = n * walk_between(m->x, m->y, x, y) + after;
    m->best_x = (i16)x;
    m->best_y = (i16)y;
    m->after = after;
  }
}

/* ---- cells ------------------------------------------------------------------------------ */

/* A set whose field is needed in a box, and the known plan that bounds it: a scan at (x, y), `after` from
 * there. */
typedef struct Query {
  i32 count, stop, x, y, after, far; /* far: ticks from (x, y) to the farthest tile of the box */
  Box box;
  i16 xs[SCAN_ROUTE_SPOTS], ys[SCAN_ROUTE_SPOTS], real[SCAN_ROUTE_SPOTS];
} Query;

/* Describe the set of a member for is_dominated. */
static void make_query(const Family *f, const State *m, Query *query) {
  Box box = m->field.kept;
  memset(query, 0, sizeof *query);
  for (u64 set = m->set; set; set &= set - 1, query->count++) {
    query->xs[query->count] = f->plan->x[lowest64(set)];
    query->ys[query->count] = f->plan->y[lowest64(set)];
    query->real[query->count] = -1;
  }
  query->stop = f->plan->stop;
  query->box = box;
  query->x = m->best_x;
  query->y = m->best_y;
  query->after = m->after;
  i32 across = max32(abs32(query->x - box.x0), abs32(query->x - box.x1));
  i32 down = max32(abs32(query->y - box.y0), abs32(query->y - box.y1));
  query->far = (max32(across, down) + 1) >> 1;
  i32 known = f->problem.upper - 1 - query->count * query->far;
  if (m->set == f->problem.whole) query->after = min32(query->after, known);
}

/* Lower bound of the ticks from any tile of a box to all spots of the set. */
static i32 least_walk(const Query *query, const Box *at) {
  v128_t x0 = wasm_i16x8_splat((i16)at->x0), x1 = wasm_i16x8_splat((i16)at->x1);
  v128_t y0 = wasm_i16x8_splat((i16)at->y0), y1 = wasm_i16x8_splat((i16)at->y1);
  v128_t sums = wasm_i32x4_splat(0), zero = wasm_i16x8_splat(0);
  for (i32 i = 0; i < query->count; i += 8) {
    v128_t x = wasm_v128_load(query->xs + i), y = wasm_v128_load(query->ys + i);
    v128_t across = wasm_i16x8_max(wasm_i16x8_sub(x0, x), wasm_i16x8_sub(x, x1));
    v128_t down = wasm_i16x8_max(wasm_i16x8_sub(y0, y), wasm_i16x8_sub(y, y1));
    v128_t away = wasm_i16x8_max(zero, wasm_i16x8_max(across, down));
    away = wasm_v128_and(wasm_u16x8_shr(away, 1), wasm_v128_load(query->real + i));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(away));
  }
  return sum_lanes(sums);
}

/* The least distance between tiles of two boxes, and the largest from a tile to one of a box. */
static inline i32 nearest_distance(const Box *a, const Box *b) {
  i32 across = max32(a->x0 - b->x1, b->x0 - a->x1), down = max32(a->y0 - b->y1, b->y0 - a->y1);
  return max32(0, max32(across, down));
}

static inline i32 farthest_distance(const Box *at, i32 x, i32 y) {
  i32 across = max32(abs32(x - at->x0), abs32(x - at->x1));
  return max32(across, max32(abs32(y - at->y0), abs32(y - at->y1)));
}

/* Whether the known plan costs less than every plan that scans in the cell, from every tile of the box. A
 * scan in the cell costs a stop for each spot, another for those not certain after it, and walks. It can be
 * nearer than the known scan by at most their distance (triangle inequality), and by at most the largest
 * walk to the known scan less the shortest to the cell. */
static i32 is_dominated(const Query *query, const CandidateCell *candidate, const Box *at) {
  if (query->after >= SCAN_NEVER) return 0;
  i32 again = query->count - popcount64(candidate->known);
  i32 excess = (query->count + again) * query->stop + least_walk(query, at) - query->after;
  i32 nearer = (farthest_distance(at, query->x, query->y) + 1) >> 1;
  nearer = min32(nearer, query->far - ((nearest_distance(&query->box, at) + 1) >> 1));
  return excess > query->count * nearer;
}

/* LIST: list the cells that no known plan dominates, as far as there is room, and extend the boxes in which
 * the fields of their parts are needed. Returns the number of cells. */
static i32 list_cells(Family *f, State *m) {
  CostField *field = &m->field;
  m->first = f->candidates;
  m->count = 0;
  if (is_empty(field->kept)) return 1;
  Query query;
  make_query(f, m, &query);
  field->scans = both(around(window_of(f->plan, m->set), field->kept), f->problem.window);
  scan_narrow(&f->problem, m->set, &field->scans);
  if (is_empty(field->scans)) {
    field->kept = EMPTY;
    return 1;
  }
  Box sheet = both(field->kept, field->scans);
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, f->plan, m->set, field->scans); next_cell(&cells, &cell);) {
    if (f->candidates == CANDIDATES) break;
    CandidateCell *candidate = &f->list[f->candidates];
    if (!find_parts(f, cell.parts, cell.shown, candidate)) continue;
    if (is_dominated(&query, candidate, &cell.at)) continue;
    sheet = around(sheet, cell.at);
    candidate->x0 = (i16)cell.at.x0;
    candidate->y0 = (i16)cell.at.y0;
    candidate->x1 = (i16)cell.at.x1;
    candidate->y1 = (i16)cell.at.y1;
    f->candidates++;
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (candidate->parts[p] >= 0) {
        CostField *part = &f->members[candidate->parts[p]].field;
        part->kept = around(part->kept, cell.at);
      }
  }
  m->count = f->candidates - m->first;
  field->scans = sheet;
  return cells.columns.count * cells.rows.count;
}

/* ---- fields ----------------------------------------------------------------------------- */

/* The cost of a scan of a set of so many spots in a cell. */
static ScanCost cost_of(Family *f, const CandidateCell *candidate, i32 count) {
  Box at = {candidate->x0, candidate->y0, candidate->x1, candidate->y1};
  ScanCost cost = {.count = count, .at = at, .known = candidate->known};
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (candidate->parts[p] >= 0) cost.fields[cost.parts++] = &f->members[candidate->parts[p]].field;
  return cost;
}

/* FILL: compute the field of a set from those of its parts; the whole set needs none. A set whose field
 * does not fit is omitted. Returns the number of tiles. */
static i32 fill_field(Family *f, State *m) {
  CostField *field = &m->field;
  field->kept = is_empty(field->kept) ? EMPTY : both(field->kept, field->scans);
  if (is_empty(field->kept) || !m->count || m->set == f->problem.whole) {
    field->kept = EMPTY;
    return 1;
  }
  i32 n = popcount64(m->set);
  Raster sheet = begin_raster(f->problem.sheet, &field->scans);
  for (i32 i = m->first; i < m->first + m->count; i++) {
    ScanCost cost = cost_of(f, &f->list[i], n);
    scan_costs(&f->problem, &cost, &field->scans, sheet.first, sheet.stride);
  }
  scan_distance_transform(&sheet, n);
  if (scan_keep_field(&f->problem, m->set, field, &sheet) != OK) field->kept = EMPTY;
  return sheet.wide * sheet.high;
}

/* ---- the caller's side ------------------------------------------------------------------ */

EXPORT(i32, scan_family_bytes)(void) { return (i32)sizeof(Family); }

static i32 seed_is_bad(const Family *f, const ScanSeed *seed) {
  if (!(seed->set & (seed->set - 1)) || (seed->set & ~f->problem.whole)) return 1;
  return scan_off_plane(seed->x, seed->y) || seed->allowance < 0 || seed->allowance > 15;
}

EXPORT(i32, scan_family)(ScanFamily *f, ScanPlan *plan, const ScanSeed *seeds, i32 count, i32 upper,
                         void *pool, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->ground || plan->on_the_way || plan->teleports) return BAD;
  if (plan->floors.ends) return BAD;
  if (count < 1 || room < 0 || upper < 1 || upper >= SCAN_NEVER) return BAD;
  if (((uintptr_t)f | (uintptr_t)pool) & 15) return BAD;
  memset(f, 0, offsetof(Family, slots));
  memset(f->slots, 0xff, sizeof f->slots);
  memset(f->of_size, 0xff, sizeof f->of_size);
  f->plan = plan;
  u64 whole = seeds->set & scan_all_spots(plan);
  i32 begun = scan_begin_problem(&f->problem, plan, whole, seeds->x, seeds->y, upper, pool, room);
  if (begun != OK) return begun;
  f->size = popcount64(whole);
  for (i32 i = 0; i < count; i++) {
    if (seed_is_bad(f, &seeds[i])) return BAD;
    add_state(f, seeds[i].set, seeds[i].x, seeds[i].y, seeds[i].allowance);
  }
  f->members[0].field.kept = (Box){seeds->x, seeds->y, seeds->x, seeds->y};
  f->at = f->of_size[f->size];
  seal_set(&f->seal, SCAN_KIN, 0, 0);
  return OK;
}

/* Advance to the next member in the order of the stages; -1 at the end. */
static i32 next_member(Family *f) {
  i32 whole = popcount64(f->problem.whole);
  while (f->at < 0 && f->stage < DONE) {
    i32 up = f->stage == BOUND || f->stage == FILL;
    f->size += up ? 1 : -1;
    if (up ? f->size > whole : f->size < 2) {
      f->stage++;
      f->size = up ? whole : 2;
      if (f->stage == LIST) f->candidates = 0;
    }
    f->at = f->of_size[f->size];
  }
  if (f->stage == DONE) return -1;
  i32 i = f->at;
  f->at = f->members[i].next;
  return i;
}

/* Do the current stage for a member. Returns the work, in tiles. */
static i32 run_stage(Family *f, State *m) {
  if (f->stage == LIST) return list_cells(f, m);
  if (f->stage == FILL) return fill_field(f, m);
  if (f->stage == GROW) expand(f, m);
  if (f->stage == BOUND) find_upper_bound(f, m);
  return f->stage == GROW ? GROW_WORK : BOUND_WORK;
}

EXPORT(i32, scan_family_run)(ScanFamily *f, i32 work) {
  if (!seal_holds(f, SCAN_KIN) || !seal_holds(f->plan, SCAN_PLAN)) return BAD;
  while (work > 0) {
    i32 i = next_member(f);
    if (i < 0) return 1;
    work -= run_stage(f, &f->members[i]);
  }
  return 0;
}

EXPORT(i32, scan_family_list)(ScanFamily *f, u64 *out, i32 room) {
  if (!seal_holds(f, SCAN_KIN) || room < 0) return BAD;
  for (i32 i = 0; i < f->count && i < room; i++) out[i] = f->members[i].set;
  return f->count;
}

EXPORT(i32, scan_family_value)(ScanFamily *f, const u64 *set, i32 x, i32 y, ScanAction *out) {
  if (!seal_holds(f, SCAN_KIN) || !seal_holds(f->plan, SCAN_PLAN) || f->stage != DONE) return BAD;
  if (scan_off_plane(x, y) || !*set) return BAD;
  *out = (ScanAction){.score = SCAN_NEVER, .x = SCAN_NOWHERE};
  i32 member = *slot_of(f, *set);
  if (member < 0) return SCAN_NEVER;
  const State *m = &f->members[member];
  for (i32 i = m->first; i < m->first + m->count; i++) {
    ScanCost cost = cost_of(f, &f->list[i], popcount64(*set));
    scan_take_best(&f->problem, &cost, x, y, out);
  }
  return (i32)out->score;
}
