/* Improves a scan plan by an exact dynamic program on a restricted state space.
 *
 * States are sets S of a family of at most 2^14: the incumbent's states (seeds) and what their
 * best-ranked scans leave, expanded while the discrepancy allowance lasts (limited-discrepancy
 * search, Harvey & Ginsberg 1995). Over that family the optimum is exact: every tile, and every scan
 * whose answers stay in the family, so the result is never worse than the incumbent.
 *
 *   GROW   large sets first   expand states by ranked scans
 *   BOUND  small sets first   upper bound of each set from its ranked scans
 *   LIST   large sets first   cells where a scan may beat that bound; the box a child is needed in
 *   FILL   small sets first   cost field: minimum over listed cells, then distance transform
 *
 * A field holds u16 totals for the tiles of a box, row by row (cost_field.h), cut to where it can
 * still lead to less than `upper`; a set whose field finds no room is left out.
 * Cost: O(cells listed x tiles / 8). */
#include "cost_field.h"
#include "transposition.h"

enum {
  MEMBERS = 1 << 14, /* most sets of a family */
  SLOTS = 2 * MEMBERS,
  PLACES = 3 << 17,  /* most places of scans, of all sets together */
  OF_GROWTH = 1 << 12, /* tiles' worth of work in ranking a set's scans */
  OF_BOUND = 1 << 6
};

/* A cell where a set may be scanned: each answer leaves a member, or spots that are known then. */
typedef struct CandidateCell {
  i16 x0, y0, x1, y1;
  i16 parts[SCAN_PARTS]; /* members, -1 where an answer leaves less than two */
  u64 known;
} CandidateCell;

typedef struct State {
  u64 set;
  i16 x, y;      /* where one comes from when its scans are ranked */
  i32 allowance; /* for what ranks low */
  i32 next;      /* the next one of its size, -1 after the last */
  i32 first, count; /* its places; of a set that has just grown, its best ranked scans */
  i16 best_x, best_y; /* a scan that is known for it, */
  i32 after;          /* and what it takes from there, the stop included; SCAN_NEVER: unknown */
  CostField field;
} State;

struct ScanFamily {
  Tag seal;
  ScanPlan *plan;
  Problem problem;
  i32 count, places;
  i32 stage, size, at; /* what is being done, for sets of which size, the current member */
  i32 of_size[SCAN_ROUTE_SPOTS + 1];
  i32 slots[SLOTS];
  State members[MEMBERS];
  CandidateCell list[PLACES];
  ScanAction actions[SCAN_ACTIONS];
};

typedef struct ScanFamily Family;

enum { GROW, BOUND, LIST, FILL, DONE };

/* ---- members ---------------------------------------------------------------------------- */

static i32 *slot_of(Family *f, u64 set) {
  u32 slot = (u32)((set * 0x9e3779b97f4a7c15ull) >> 40) & (SLOTS - 1);
  while (f->slots[slot] >= 0 && f->members[f->slots[slot]].set != set)
    slot = (slot + 1) & (SLOTS - 1);
  return &f->slots[slot];
}

/* A set joins, or is given more to try. A full family takes no more. */
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

/* The members that the answers of a scan leave; 0 if one leaves a set that is none. */
static i32 parts_of(Family *f, const u64 *parts, u64 shown, CandidateCell *place) {
  place->known = shown;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = parts[p];
    place->parts[p] = -1;
    if (!(part & (part - 1))) {
      place->known |= part;
    } else if ((place->parts[p] = (i16)*slot_of(f, part)) < 0) {
      return 0;
    }
  }
  return 1;
}

/* One of the best ranked scans of a set, in the list until all have grown. */
static void note_scan(Family *f, State *m, const ScanAction *a) {
  if (f->places == PLACES) return;
  CandidateCell *place = &f->list[f->places];
  u64 shown = m->set;
  for (i32 p = 0; p < SCAN_PARTS; p++) shown &= ~a->parts[p];
  if (!parts_of(f, a->parts, shown, place)) return;
  place->x0 = place->x1 = a->x;
  place->y0 = place->y1 = a->y;
  f->places++;
  m->count++;
}

/* What the best ranked scans of a set leave joins, with what their rank leaves of the allowance. */
static void expand(Family *f, State *m) {
  i32 width = width_of(popcount64(m->set), m->allowance), allowance = m->allowance;
  m->first = f->places;
  i32 count = scan_generate(f->plan, m->set, m->x, m->y, SCAN_RANK_SEARCH, width, SCAN_NEVER, f->actions);
  for (i32 i = 0; i < count; i++) {
    const ScanAction *a = &f->actions[i];
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (a->parts[p] & (a->parts[p] - 1))
        add_state(f, a->parts[p], a->x, a->y, max32(0, allowance - rank_cost(i)));
    note_scan(f, m, a);
  }
}

/* ---- what a set takes at most ------------------------------------------------------------- */

/* The best of a set's scans that were noted, with what is known of the sets it leaves. */
static void upper_bound(Family *f, State *m) {
  i32 n = popcount64(m->set), least = SCAN_NEVER;
  m->after = SCAN_NEVER;
  for (i32 i = m->first; i < m->first + m->count; i++) {
    const CandidateCell *place = &f->list[i];
    i32 x = place->x0, y = place->y0;
    i32 after = n * f->plan->stop + scan_walks_to_spots(f->plan, x, y, place->known);
    for (i32 p = 0; p < SCAN_PARTS && after < SCAN_NEVER; p++) {
      if (place->parts[p] < 0) continue;
      const State *part = &f->members[place->parts[p]];
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

/* A set that is asked for in a box, and what it takes there at most. */
typedef struct Asked {
  i32 count, stop, x, y, after, far; /* the farthest of the box is so many ticks from (x, y) */
  Box box;
  i16 xs[SCAN_ROUTE_SPOTS], ys[SCAN_ROUTE_SPOTS], real[SCAN_ROUTE_SPOTS];
} Asked;

static void make_query(const Family *f, const State *m, Asked *asked) {
  Box box = m->field.kept;
  memset(asked, 0, sizeof *asked);
  for (u64 set = m->set; set; set &= set - 1, asked->count++) {
    asked->xs[asked->count] = f->plan->x[lowest64(set)];
    asked->ys[asked->count] = f->plan->y[lowest64(set)];
    asked->real[asked->count] = -1;
  }
  asked->stop = f->plan->stop;
  asked->box = box;
  asked->x = m->best_x;
  asked->y = m->best_y;
  asked->after = m->after;
  i32 across = max32(abs32(asked->x - box.x0), abs32(asked->x - box.x1));
  i32 down = max32(abs32(asked->y - box.y0), abs32(asked->y - box.y1));
  asked->far = (max32(across, down) + 1) >> 1;
  i32 known = f->problem.upper - 1 - asked->count * asked->far;
  if (m->set == f->problem.whole) asked->after = min32(asked->after, known);
}

/* No fewer ticks lead from a box of tiles to all spots of the set. */
static i32 least_walk(const Asked *asked, const Box *at) {
  v128_t x0 = wasm_i16x8_splat((i16)at->x0), x1 = wasm_i16x8_splat((i16)at->x1);
  v128_t y0 = wasm_i16x8_splat((i16)at->y0), y1 = wasm_i16x8_splat((i16)at->y1);
  v128_t sums = wasm_i32x4_splat(0), zero = wasm_i16x8_splat(0);
  for (i32 i = 0; i < asked->count; i += 8) {
    v128_t x = wasm_v128_load(asked->xs + i), y = wasm_v128_load(asked->ys + i);
    v128_t across = wasm_i16x8_max(wasm_i16x8_sub(x0, x), wasm_i16x8_sub(x, x1));
    v128_t down = wasm_i16x8_max(wasm_i16x8_sub(y0, y), wasm_i16x8_sub(y, y1));
    v128_t away = wasm_i16x8_max(zero, wasm_i16x8_max(across, down));
    away = wasm_v128_and(wasm_u16x8_shr(away, 1), wasm_v128_load(asked->real + i));
    sums = wasm_i32x4_add(sums, wasm_u32x4_extadd_pairwise_u16x8(away));
  }
  return wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) +
         wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
}

/* Tiles that lie apart at least, and at most. */
static inline i32 nearest_of(const Box *a, const Box *b) {
  i32 across = max32(a->x0 - b->x1, b->x0 - a->x1), down = max32(a->y0 - b->y1, b->y0 - a->y1);
  return max32(0, max32(across, down));
}

static inline i32 farthest_of(const Box *at, i32 x, i32 y) {
  i32 across = max32(abs32(x - at->x0), abs32(x - at->x1));
  return max32(across, max32(abs32(y - at->y0), abs32(y - at->y1)));
}

/* Whether the plan that is known takes fewer ticks than any that scans the set in a cell, wherever it
 * is asked for. From a tile of the box the cell is so much nearer than the scan that is known as it
 * is away from it, at most; and at most as the farthest tile is from the one, less the way to the
 * cell. After a scan all walk to their spots, and the rest scan again. */
static i32 is_dominated(const Asked *asked, const CandidateCell *place, const Box *at) {
  if (asked->after >= SCAN_NEVER) return 0;
  i32 again = asked->count - popcount64(place->known);
  i32 takes = (asked->count + again) * asked->stop + least_walk(asked, at) - asked->after;
  i32 nearer = (farthest_of(at, asked->x, asked->y) + 1) >> 1;
  nearer = min32(nearer, asked->far - ((nearest_of(&asked->box, at) + 1) >> 1));
  return takes > asked->count * nearer;
}

/* Note the places of a set's scans as far as there is room, and for what they leave where its values
 * will be asked for. Returns the cells looked at. */
static i32 list_places(Family *f, State *m) {
  CostField *field = &m->field;
  m->first = f->places;
  m->count = 0;
  if (is_empty(field->kept)) return 1;
  Asked asked;
  make_query(f, m, &asked);
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
    if (f->places == PLACES) break;
    CandidateCell *place = &f->list[f->places];
    if (!parts_of(f, cell.parts, cell.shown, place) || is_dominated(&asked, place, &cell.at)) continue;
    sheet = around(sheet, cell.at);
    *place = (CandidateCell){(i16)cell.at.x0, (i16)cell.at.y0, (i16)cell.at.x1, (i16)cell.at.y1,
                     {place->parts[0], place->parts[1], place->parts[2], place->parts[3]},
                     place->known};
    f->places++;
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (place->parts[p] >= 0) {
        CostField *part = &f->members[place->parts[p]].field;
        part->kept = around(part->kept, cell.at);
      }
  }
  m->count = f->places - m->first;
  field->scans = sheet;
  return cells.columns.count * cells.rows.count;
}

/* ---- values ----------------------------------------------------------------------------- */

/* What a scan of so many spots at a place costs. */
static ScanCost cost_of(Family *f, const CandidateCell *place, i32 count) {
  ScanCost cost = {.count = count, .at = {place->x0, place->y0, place->x1, place->y1}, .known = place->known};
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (place->parts[p] >= 0) cost.fields[cost.parts++] = &f->members[place->parts[p]].field;
  return cost;
}

/* A set's values, when those of all its parts stand; no one asks for those of the whole. A set whose
 * values find no room is left out. Returns the tiles looked at. */
static i32 solve_state(Family *f, State *m) {
  CostField *field = &m->field;
  field->kept = is_empty(field->kept) ? EMPTY : both(field->kept, field->scans);
  if (is_empty(field->kept) || !m->count || m->set == f->problem.whole) {
    field->kept = EMPTY;
    return 1;
  }
  i32 n = popcount64(m->set);
  Raster sheet = sheet_in(f->problem.sheet, &field->scans);
  memset(f->problem.sheet, 0xff, sizeof(u16) * (size_t)sheet_room(&field->scans));
  for (i32 i = m->first; i < m->first + m->count; i++) {
    ScanCost cost = cost_of(f, &f->list[i], n);
    scan_costs(&f->problem, &cost, &field->scans, sheet.first, sheet.stride);
  }
  scan_distance_transform(&sheet, n, 1);
  scan_distance_transform(&sheet, n, -1);
  if (scan_keep_field(&f->problem, m->set, field, &sheet) != OK) field->kept = EMPTY;
  return sheet.wide * sheet.high;
}

/* ---- the caller's side ------------------------------------------------------------------ */

EXPORT(i32, scan_family_bytes)(void) { return (i32)sizeof(Family); }

static i32 seed_is_bad(const Family *f, const ScanSeed *seed) {
  if (!(seed->set & (seed->set - 1)) || (seed->set & ~f->problem.whole)) return 1;
  return scan_off_plane(seed->x, seed->y) || seed->allowance < 0 || seed->allowance > 15;
}

EXPORT(i32, scan_family)(ScanFamily *f, ScanPlan *plan, const ScanSeed *seeds, i32 count,
                         i32 upper, void *pool, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->ground || plan->on_the_way || plan->teleports)
    return BAD;
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

/* The next member in the order of the stage: sizes go down, up for bounds, and so again for places
 * and values. */
static i32 next_member(Family *f) {
  i32 whole = popcount64(f->problem.whole);
  while (f->at < 0 && f->stage < DONE) {
    i32 up = f->stage == BOUND || f->stage == FILL;
    f->size += up ? 1 : -1;
    if (up ? f->size > whole : f->size < 2) {
      f->stage++;
      f->size = up ? whole : 2;
      if (f->stage == LIST) f->places = 0;
    }
    f->at = f->of_size[f->size];
  }
  if (f->stage == DONE) return -1;
  i32 i = f->at;
  f->at = f->members[i].next;
  return i;
}

/* What is to be done for a member now. Returns the tiles' worth of work. */
static i32 work_on(Family *f, State *m) {
  if (f->stage == LIST) return list_places(f, m);
  if (f->stage == FILL) return solve_state(f, m);
  if (f->stage == GROW) expand(f, m);
  if (f->stage == BOUND) upper_bound(f, m);
  return f->stage == GROW ? OF_GROWTH : OF_BOUND;
}

EXPORT(i32, scan_family_run)(ScanFamily *f, i32 work) {
  if (!seal_holds(f, SCAN_KIN) || !seal_holds(f->plan, SCAN_PLAN)) return BAD;
  while (work > 0) {
    i32 i = next_member(f);
    if (i < 0) return 1;
    work -= work_on(f, &f->members[i]);
  }
  return 0;
}

EXPORT(i32, scan_family_list)(ScanFamily *f, u64 *out, i32 room) {
  if (!seal_holds(f, SCAN_KIN) || room < 0) return BAD;
  for (i32 i = 0; i < f->count && i < room; i++) out[i] = f->members[i].set;
  return f->count;
}

/* The best first scan from a tile; ties by the lowest y, then the lowest x. */
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
