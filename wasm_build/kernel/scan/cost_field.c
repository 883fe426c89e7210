/* The exact optimum of a state of few spots: dynamic programming over subsets (Held & Karp 1962) and tiles.
 *
 * The cost field of a set S has for every tile p the least total from there:
 *
 *   V(S, p) = min over tiles q of |S| (walk(p, q) + stop) + walks from q to the spots that a triple
 *             shows there + sum of V(S_answer, q)
 *
 * "min over q" is a distance transform in two passes (Rosenfeld & Pfaltz 1966) with two tiles a tick,
 * together with the least total by teleport.
 *   pass 1, large sets first   the box where a scan of each set may lead to a total below `upper`
 *                              (scan_narrow), and the box in which its answers are needed
 *   pass 2, small sets first   the fields, clipped to tiles from which a total below `upper` is possible
 * Cost: O(2^|S| tiles / 8). */
#include "cost_field.h"

/* ---- distance transform -------------------------------------------------------------------- */

/* Eight of the sixteen values of two vectors, from the n-th on. */
#define EIGHT_FROM(v, w, n) \
  wasm_i16x8_shuffle(v, w, (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7)
#define BEFORE(v, n) EIGHT_FROM(wasm_i16x8_const_splat(-1), v, 8 - (n))
#define BEHIND(v, n) EIGHT_FROM(v, wasm_i16x8_const_splat(-1), n)

static inline v128_t relax(v128_t v, v128_t offer, v128_t price) {
  return wasm_u16x8_min(v, wasm_u16x8_add_sat(offer, price));
}

/* The minimum of each of eight values and its two neighbours on either side. */
static inline v128_t least_of_five(v128_t before, v128_t v, v128_t behind) {
  v128_t left = wasm_u16x8_min(EIGHT_FROM(before, v, 6), EIGHT_FROM(before, v, 7));
  v128_t right = wasm_u16x8_min(EIGHT_FROM(v, behind, 1), EIGHT_FROM(v, behind, 2));
  return wasm_u16x8_min(v, wasm_u16x8_min(left, right));
}

/* Relax eight tiles of a row by walks along it, two tiles a tick, within the eight and from the eight
 * before them. Within: by doubling, one tick (one or two tiles), one more (up to four), two more (up to
 * eight). From the eight before: only their two nearest tiles matter, because those are relaxed already.
 * Tile i, counted from 0, is as far in ticks from both if i is even; if i is odd it is nearer to the
 * first, whose value exceeds the second's by at most one tick. */
static inline v128_t relax_right(v128_t v, v128_t adjacent, v128_t one, v128_t two, v128_t far) {
  v = relax(v, wasm_u16x8_min(BEFORE(v, 1), BEFORE(v, 2)), one);
  v = relax(v, BEFORE(v, 2), one);
  v = relax(v, BEFORE(v, 4), two);
  v128_t first = wasm_i16x8_shuffle(adjacent, adjacent, 7, 7, 7, 7, 7, 7, 7, 7);
  v128_t nearest = wasm_i16x8_shuffle(adjacent, adjacent, 6, 7, 6, 7, 6, 7, 6, 7);
  return relax(v, wasm_u16x8_min(first, nearest), far);
}

static inline v128_t relax_left(v128_t v, v128_t adjacent, v128_t one, v128_t two, v128_t far) {
  v = relax(v, wasm_u16x8_min(BEHIND(v, 1), BEHIND(v, 2)), one);
  v = relax(v, BEHIND(v, 2), one);
  v = relax(v, BEHIND(v, 4), two);
  v128_t first = wasm_i16x8_shuffle(adjacent, adjacent, 0, 0, 0, 0, 0, 0, 0, 0);
  v128_t nearest = wasm_i16x8_shuffle(adjacent, adjacent, 0, 1, 0, 1, 0, 1, 0, 1);
  return relax(v, wasm_u16x8_min(first, nearest), far);
}

/* One row of a pass, in place: relax it from the offers of the two rows before it (`near`, `far`), then by
 * walks along it in one direction. Its own offers, the least of five neighbours, replace `far`. */
static void walk_row(u16 *row, i32 wide, i32 price, i32 right, const u16 *near, u16 *far) {
  static const i16 BACK[8] = {4, 4, 3, 3, 2, 2, 1, 1}, ON[8] = {1, 1, 2, 2, 3, 3, 4, 4};
  static const i16 EDGE[16] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
  v128_t one = wasm_i16x8_splat((i16)price), two = wasm_i16x8_splat((i16)(2 * price));
  v128_t ticks = wasm_i16x8_mul(wasm_v128_load(right ? ON : BACK), one);
  v128_t none = wasm_i16x8_const_splat(-1), last = none, before = none;
  i32 end = (wide - 1) & ~7;
  v128_t edge = wasm_v128_load(EDGE + 8 - (wide - end)); /* tiles beyond the end of the row stay infinite */
  for (i32 i = 0; i <= end; i += 8) {
    i32 x = right ? i : end - i;
    v128_t v = relax(at(row + x), wasm_u16x8_min(at(near + x), at(far + x)), one);
    if (x == end) v = wasm_v128_or(v, edge);
    v = right ? relax_right(v, last, one, two, ticks) : relax_left(v, last, one, two, ticks);
    if (x == end) v = wasm_v128_or(v, edge);
    wasm_v128_store(row + x, v);
    if (i) {
      v128_t least = right ? least_of_five(before, last, v) : least_of_five(v, last, before);
      wasm_v128_store(far + (right ? x - 8 : x + 8), least);
    }
    before = last;
    last = v;
  }
  v128_t least = right ? least_of_five(before, last, none) : least_of_five(none, last, before);
  wasm_v128_store(far + (right ? end : 0), least);
}

/* One pass: down and right (`step` 1), or up and left (-1); a copy for each direction. */
static inline __attribute__((always_inline)) void transform_pass(Raster *s, i32 price, i32 step) {
  memset(s->offers[0] - SPARE, 0xff, sizeof(u16) * 2 * (size_t)s->stride);
  u16 *near = s->offers[0], *far = s->offers[1];
  for (i32 j = 0; j < s->high; j++) {
    walk_row(row_of(s, step > 0 ? j : s->high - 1 - j), s->wide, price, step > 0, near, far);
    u16 *swap = far;
    far = near;
    near = swap;
  }
}

/* Two passes suffice: steps commute, so every walk can be ordered into steps of the first pass, then of the
 * second, and stays inside the box of its ends. */
__attribute__((noinline)) void scan_distance_transform(Raster *s, i32 price) {
  transform_pass(s, price, 1);
  transform_pass(s, price, -1);
}

/* ---- bounds -------------------------------------------------------------------------------- */

i32 scan_begin_problem(Problem *p, const ScanPlan *plan, u64 whole, i32 x, i32 y, i32 upper, u16 *pool,
                       i32 room) {
  *p = (Problem){.plan = plan, .whole = whole, .x = x, .y = y, .upper = upper, .pool = pool};
  p->window = window_of(plan, whole);
  for (i32 s = 0; s < plan->spots; s++) {
    p->straight[s] = scan_walks_to_spots(plan, x, y, 1ull << s);
    if (whole >> s & 1) p->straight_to_all += p->straight[s];
  }
  i64 stride = stride_of(p->window.x1 - p->window.x0 + 1), taken = stride + sheet_room(&p->window);
  if (upper >= INFINITE || taken > room || is_vast(&p->window)) return TOO_LARGE;
  p->room = room - (i32)taken;
  p->row = pool + p->room + SPARE;
  p->sheet = pool + p->room + stride;
  return OK;
}

i32 scan_rest_of(const Problem *p, u64 set) {
  i32 rest = p->straight_to_all + (popcount64(p->whole) - popcount64(set)) * p->plan->stop;
  for (; set; set &= set - 1) rest -= p->straight[lowest64(set)];
  return rest;
}

/* Lower bound of the total of a plan that scans a set at coordinate v of one axis: the spots of the set
 * walk there and on, the others straight with one stop. Distances on one axis are at most the true ones. */
static i32 lower_bound_through(const Problem *p, u64 set, i32 rest, i32 v, i32 axis) {
  const ScanPlan *plan = p->plan;
  const i16 *at = axis ? plan->y : plan->x;
  i32 n = popcount64(set), stops = set == p->whole ? 1 : 2;
  i32 ticks = (abs32(v - (axis ? p->y : p->x)) + 1) >> 1;
  for (i32 i = 0; i < plan->teleports; i++) {
    const ScanTeleport *t = &plan->teleport[i];
    ticks = min32(ticks, t->ticks + ((abs32(v - (axis ? t->y : t->x)) + 1) >> 1));
  }
  i32 sum = rest + n * (ticks + stops * plan->stop);
  for (; set; set &= set - 1)
    sum += min32(abs32(v - at[lowest64(set)]) >> 1, plan->teleport_ticks[lowest64(set)]);
  return sum;
}

/* Outside the set and the start the bound is monotonic, so the first tile that passes on each side is the
 * border. */
__attribute__((noinline)) void scan_narrow(const Problem *p, u64 set, Box *box) {
  i32 rest = scan_rest_of(p, set);
  while (box->x0 <= box->x1 && lower_bound_through(p, set, rest, box->x0, 0) >= p->upper) box->x0++;
  while (box->x0 <= box->x1 && lower_bound_through(p, set, rest, box->x1, 0) >= p->upper) box->x1--;
  while (box->y0 <= box->y1 && lower_bound_through(p, set, rest, box->y0, 1) >= p->upper) box->y0++;
  while (box->y0 <= box->y1 && lower_bound_through(p, set, rest, box->y1, 1) >= p->upper) box->y1--;
}

/* Ticks of the shortest path between two tiles. */
static inline i32 ticks_to(const ScanPlan *plan, i32 x, i32 y, i32 to_x, i32 to_y) {
  i32 ticks = walk_between(x, y, to_x, to_y);
  return plan->teleports ? min32(ticks, scan_by_teleport(plan, to_x, to_y)) : ticks;
}

/* The box of the tiles of a raster from which a total below `upper` is possible. */
static Box useful_box(const Problem *p, u64 set, const CostField *f, const Raster *s) {
  i32 n = popcount64(set), rest = scan_rest_of(p, set) + n * p->plan->stop;
  Box asked = f->kept, found = EMPTY;
  for (i32 y = asked.y0; y <= asked.y1; y++) {
    const u16 *row = row_of(s, y - f->scans.y0) - f->scans.x0;
    i32 low = asked.x0, high = asked.x1;
    while (low <= high && n * ticks_to(p->plan, p->x, p->y, low, y) + rest + row[low] >= p->upper) low++;
    while (high > low && n * ticks_to(p->plan, p->x, p->y, high, y) + rest + row[high] >= p->upper) high--;
    if (low <= high) found = around(found, (Box){low, y, high, y});
  }
  return found;
}

i32 scan_keep_field(Problem *p, u64 set, CostField *f, const Raster *s) {
  f->kept = useful_box(p, set, f, s);
  if (is_empty(f->kept)) return OK;
  i32 wide = f->kept.x1 - f->kept.x0 + 1, high = f->kept.y1 - f->kept.y0 + 1;
  if ((i64)wide * high > p->room - p->used) return TOO_LARGE;
  f->values = p->pool + p->used;
  p->used += wide * high;
  for (i32 j = 0; j < high; j++)
    memcpy(f->values + (size_t)j * (size_t)wide,
           row_of(s, f->kept.y0 - f->scans.y0 + j) + f->kept.x0 - f->scans.x0, sizeof(u16) * (size_t)wide);
  return OK;
}

/* ---- the cost of a scan -------------------------------------------------------------------- */

__attribute__((noinline)) void scan_costs(const Problem *p, const ScanCost *cost, const Box *box, u16 *out,
                                          i32 stride) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const i16 EDGE[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};
  const u16 *values[SCAN_PARTS];
  i32 spots = 0, wides[SCAN_PARTS];
  i16 xs[SCAN_ROUTE_SPOTS], ys[SCAN_ROUTE_SPOTS], far[SCAN_ROUTE_SPOTS];
  Box at_most = both(cost->at, *box);
  for (i32 i = 0; i < cost->parts; i++) at_most = both(at_most, cost->fields[i]->kept);
  if (is_empty(at_most)) return;
  for (i32 i = 0; i < cost->parts; i++) {
    const Box *kept = &cost->fields[i]->kept;
    wides[i] = kept->x1 - kept->x0 + 1;
    values[i] = cost->fields[i]->values + (i64)(at_most.y0 - kept->y0) * wides[i] + at_most.x0 - kept->x0;
  }
  for (u64 known = cost->known; known; known &= known - 1, spots++) {
    xs[spots] = p->plan->x[lowest64(known)];
    ys[spots] = p->plan->y[lowest64(known)];
    far[spots] = p->plan->distance_cap[lowest64(known)];
  }
  i32 wide = at_most.x1 - at_most.x0 + 1;
  v128_t stops = wasm_i16x8_splat((i16)(cost->count * p->plan->stop));
  v128_t steps = wasm_i16x8_add(wasm_v128_load(STEPS), wasm_i16x8_splat((i16)at_most.x0));
  out += (i64)(at_most.y0 - box->y0) * stride + at_most.x0 - box->x0;
  for (i32 y = at_most.y0; y <= at_most.y1; y++, out += stride) {
    for (i32 x = 0; x < wide; x += 8) {
      v128_t sum = stops, along = wasm_i16x8_add(steps, wasm_i16x8_splat((i16)x));
      for (i32 i = 0; i < cost->parts; i++) sum = wasm_u16x8_add_sat(sum, at(values[i] + x));
      for (i32 s = 0; s < spots; s++) {
        v128_t across = wasm_i16x8_abs(wasm_i16x8_sub(along, wasm_i16x8_splat(xs[s])));
        v128_t away = wasm_u16x8_max(across, wasm_i16x8_splat((i16)abs32(y - ys[s])));
        away = wasm_u16x8_min(away, wasm_i16x8_splat(far[s]));
        sum = wasm_u16x8_add_sat(sum, wasm_u16x8_shr(away, 1));
      }
      if (wide - x < 8) sum = wasm_v128_bitselect(sum, at(out + x), wasm_v128_load(EDGE + 8 - (wide - x)));
      wasm_v128_store(out + x, sum);
    }
    for (i32 i = 0; i < cost->parts; i++) values[i] += wides[i];
  }
}

void scan_take_best(const Problem *p, const ScanCost *cost, i32 x, i32 y, ScanAction *best) {
  const Box *at = &cost->at;
  for (i32 v = at->y0; v <= at->y1; v++) {
    Box row = {at->x0, v, at->x1, v};
    memset(p->row, 0xff, sizeof(u16) * (size_t)(at->x1 - at->x0 + 1));
    scan_costs(p, cost, &row, p->row, 0);
    for (i32 u = at->x0; u <= at->x1; u++) {
      i32 after = p->row[u - at->x0];
      i32 total = after + cost->count * ticks_to(p->plan, x, y, u, v);
      i32 is_first = best->x != SCAN_NOWHERE && (v < best->y || (v == best->y && u < best->x));
      if (after == INFINITE || total > best->score || (total == best->score && !is_first)) continue;
      best->score = total;
      best->x = best->to_x = (i16)u;
      best->y = best->to_y = (i16)v;
    }
  }
}

/* ---- teleports ----------------------------------------------------------------------------- */

/* The least total of n spots that use a teleport first: over all tiles of a box the cost of a scan there
 * and the walk from the landing tile. Products do not overflow (walks_fit). */
static u16 least_by_teleport(const Problem *p, const Raster *s, const Box *box, i32 n) {
  static const i16 STEPS[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  v128_t least = wasm_i16x8_const_splat(-1);
  for (i32 i = 0; i < p->plan->teleports; i++) {
    const ScanTeleport *t = &p->plan->teleport[i];
    v128_t price = wasm_i16x8_splat((i16)n), base = wasm_i16x8_splat((i16)t->ticks);
    for (i32 y = box->y0; y <= box->y1; y++) {
      const u16 *row = row_of(s, y - box->y0);
      v128_t down = wasm_i16x8_splat((i16)abs32(y - t->y)), one = wasm_i16x8_const_splat(1);
      v128_t off = wasm_i16x8_add(wasm_i16x8_splat((i16)(box->x0 - t->x)), wasm_v128_load(STEPS));
      for (i32 x = 0; x <= box->x1 - box->x0; x += 8) {
        v128_t away = wasm_u16x8_max(wasm_i16x8_abs(off), down);
        v128_t ticks = wasm_i16x8_add(wasm_u16x8_shr(wasm_i16x8_add(away, one), 1), base);
        v128_t sums = wasm_u16x8_add_sat(at(row + x), wasm_i16x8_mul(ticks, price));
        least = wasm_u16x8_min(least, sums);
        off = wasm_i16x8_add(off, wasm_i16x8_splat(8));
      }
    }
  }
  u16 eight[8], found = INFINITE;
  wasm_v128_store(eight, least);
  for (i32 i = 0; i < 8; i++) found = (u16)min32(found, eight[i]);
  return found;
}

/* Relax all tiles of a raster by the total with a teleport first. */
static void relax_by_teleport(Raster *s, u16 most) {
  v128_t value = wasm_i16x8_splat((i16)most);
  for (i32 y = 0; y < s->high; y++)
    for (i32 x = 0; x < s->wide; x += 8)
      wasm_v128_store(row_of(s, y) + x, wasm_u16x8_min(at(row_of(s, y) + x), value));
}

/* Whether the walks from all landing tiles, times the number of spots, fit u16. */
static i32 walks_fit(const Problem *p) {
  Box w = p->window;
  for (i32 i = 0; i < p->plan->teleports; i++) {
    const ScanTeleport *t = &p->plan->teleport[i];
    i32 across = max32(abs32(t->x - w.x0), abs32(t->x - w.x1));
    i32 down = max32(abs32(t->y - w.y0), abs32(t->y - w.y1));
    if (popcount64(p->whole) * (t->ticks + max32(across, down) / 2 + 8) >= INFINITE) return 0;
  }
  return 1;
}

/* ---- exact plans of few spots --------------------------------------------------------------- */

struct ScanExact {
  Problem problem;
  i32 spot[SCAN_EXACT];
  CostField fields[1 << SCAN_EXACT]; /* by subset: bit i = the i-th spot */
};

typedef struct ScanExact Exact;

static u64 set_of(const Exact *e, u32 mask) {
  u64 set = 0;
  for (; mask; mask &= mask - 1) set |= 1ull << e->spot[lowest64(mask)];
  return set;
}

static u32 mask_of(const Exact *e, u64 set) {
  u32 mask = 0;
  for (i32 i = 0; i < popcount64(e->problem.whole); i++) mask |= (u32)(set >> e->spot[i] & 1) << i;
  return mask;
}

/* The cost of the next scan of a set; 0 at the end. */
static i32 next_scan(Exact *e, Cells *cells, ScanCost *cost) {
  Cell cell;
  if (!next_cell(cells, &cell)) return 0;
  *cost = (ScanCost){.count = popcount64(cells->set), .at = cell.at, .known = cell.shown};
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = cell.parts[p];
    if (part & (part - 1)) cost->fields[cost->parts++] = &e->fields[mask_of(e, part)];
    else cost->known |= part;
  }
  return 1;
}

/* Pass 1: the box of the scans of a set, and in what box they need the fields of its parts. */
static void bound_set(Exact *e, u32 mask) {
  CostField *f = &e->fields[mask];
  Cells cells;
  ScanCost cost;
  if (is_empty(f->kept)) return;
  u64 set = set_of(e, mask);
  f->scans = e->problem.window;
  scan_narrow(&e->problem, set, &f->scans);
  f->kept = is_empty(f->scans) ? EMPTY : both(f->kept, f->scans);
  if (is_empty(f->kept)) return;
  for (begin_cells(&cells, e->problem.plan, set, f->scans); next_scan(e, &cells, &cost);)
    for (i32 i = 0; i < cost.parts; i++) cost.fields[i]->kept = around(cost.fields[i]->kept, cost.at);
}

/* Pass 2: compute the field of a set from those of its parts. Returns OK or TOO_LARGE. */
static i32 fill_field(Exact *e, u32 mask) {
  CostField *f = &e->fields[mask];
  Problem *p = &e->problem;
  Cells cells;
  ScanCost cost;
  if (is_empty(f->kept)) return OK;
  u64 set = set_of(e, mask);
  i32 n = popcount64(set);
  Raster sheet = begin_raster(p->sheet, &f->scans);
  for (begin_cells(&cells, p->plan, set, f->scans); next_scan(e, &cells, &cost);)
    scan_costs(p, &cost, &f->scans, sheet.first, sheet.stride);
  u16 most = p->plan->teleports ? least_by_teleport(p, &sheet, &f->scans, n) : INFINITE;
  scan_distance_transform(&sheet, n);
  if (most < INFINITE) relax_by_teleport(&sheet, most);
  return scan_keep_field(p, set, f, &sheet);
}

EXPORT(i32, scan_exact_bytes)(void) { return (i32)sizeof(Exact); }

EXPORT(i32, scan_exact)(ScanExact *exact, const ScanPlan *plan, const u64 *set, i32 x, i32 y, i32 upper,
                        void *pool, i32 room, ScanAction *out) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->floors.ends || plan->ground || plan->on_the_way) return BAD;
  i32 count = popcount64(*set);
  u32 all = (1u << count) - 1;
  if ((*set & ~scan_all_spots(plan)) || count < 2 || count > SCAN_EXACT) return BAD;
  if (scan_off_plane(x, y) || room < 0 || upper < 0 || upper >= SCAN_NEVER) return BAD;
  if (((uintptr_t)exact | (uintptr_t)pool) & 15) return BAD;
  if (scan_begin_problem(&exact->problem, plan, *set, x, y, upper, pool, room) != OK) return TOO_LARGE;
  if (!walks_fit(&exact->problem)) return TOO_LARGE;
  i32 i = 0;
  for (u64 rest = *set; rest; rest &= rest - 1) exact->spot[i++] = lowest64(rest);
  for (u32 mask = 0; mask <= all; mask++) exact->fields[mask] = (CostField){EMPTY, EMPTY, 0};
  exact->fields[all].kept = exact->problem.window;
  for (i32 size = count; size >= 2; size--)
    for (u32 mask = 0; mask <= all; mask++)
      if (popcount64(mask) == size) bound_set(exact, mask);
  for (i32 size = 2; size < count; size++)
    for (u32 mask = 0; mask <= all; mask++)
      if (popcount64(mask) == size && fill_field(exact, mask) != OK) return TOO_LARGE;
  *out = (ScanAction){.score = upper, .x = SCAN_NOWHERE};
  Cells cells;
  ScanCost cost;
  for (begin_cells(&cells, plan, *set, exact->fields[all].scans); next_scan(exact, &cells, &cost);)
    scan_take_best(&exact->problem, &cost, x, y, out);
  return (i32)out->score;
}
