/* The least plan whose states are sets of a family, over all tiles; see scan.h. */
#include "fields.h"
#include "known.h"

enum {
  MEMBERS = 1 << 14, /* most sets of a family */
  SLOTS = 2 * MEMBERS,
  PLACES = 1 << 18,  /* most places of scans, of all sets together */
  OF_GROWTH = 1 << 12 /* tiles' worth of work in ranking a set's scans */
};

/* A cell where a set may be scanned: each answer leaves a member, or spots that are known then. */
typedef struct Place {
  i16 x0, y0, x1, y1;
  i16 parts[SCAN_PARTS]; /* members, -1 where an answer leaves less than two */
  u64 known;
} Place;

typedef struct Member {
  u64 set;
  i16 x, y;      /* where one comes from when its scans are ranked */
  i32 allowance; /* for what ranks low */
  i32 next;      /* the next one of its size, -1 after the last */
  i32 first, count; /* its places */
  Field field;
} Member;

struct ScanFamily {
  Seal seal;
  ScanPlan *plan;
  u64 whole;
  i32 x, y, upper; /* where one stands, a total that is known */
  i32 count, places;
  i32 stage, size, at; /* what is being done, for sets of which size, the member in hand */
  i32 of_size[SCAN_ROUTE_SPOTS + 1];
  i32 straight[SCAN_ROUTE_SPOTS], straight_to_all;
  Box known_in;
  u16 *pool, *row, *sheet; /* as in ScanExact */
  i32 room, used;
  i32 slots[SLOTS];
  Member members[MEMBERS];
  Place list[PLACES];
  ScanAction actions[SCAN_ACTIONS];
};

typedef struct ScanFamily Family;

enum { GROW, LIST, FILL, DONE };

/* ---- members ---------------------------------------------------------------------------- */

static i32 *slot_of(Family *f, u64 set) {
  u32 slot = (u32)((set * 0x9e3779b97f4a7c15ull) >> 40) & (SLOTS - 1);
  while (f->slots[slot] >= 0 && f->members[f->slots[slot]].set != set)
    slot = (slot + 1) & (SLOTS - 1);
  return &f->slots[slot];
}

/* A set joins, or is given more to try. A full family takes no more. */
static void join(Family *f, u64 set, i32 x, i32 y, i32 allowance) {
  i32 *slot = slot_of(f, set);
  if (*slot < 0) {
    if (f->count == MEMBERS) return;
    i32 size = popcount64(set);
    f->members[f->count] =
        (Member){.set = set, .next = f->of_size[size], .allowance = -1, .field = {EMPTY, EMPTY, 0}};
    f->of_size[size] = *slot = f->count++;
  }
  Member *m = &f->members[*slot];
  if (allowance <= m->allowance) return;
  m->allowance = allowance;
  m->x = (i16)x;
  m->y = (i16)y;
}

/* What the best ranked scans of a set leave joins, with what their rank leaves of the allowance. */
static void grow(Family *f, const Member *m) {
  i32 width = width_of(popcount64(m->set), m->allowance), allowance = m->allowance;
  i32 count = scan_generate(f->plan, m->set, m->x, m->y, SCAN_FAR, width, f->actions);
  for (i32 i = 0; i < count; i++) {
    const ScanAction *a = &f->actions[i];
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (a->parts[p] & (a->parts[p] - 1))
        join(f, a->parts[p], a->x, a->y, max32(0, allowance - price(i)));
  }
}

/* ---- where a set may be scanned --------------------------------------------------------- */

/* A plan that scans a set in v on one axis takes no less than this; as in exact.c. */
static i32 least_through(const Family *f, u64 set, i32 rest, i32 v, i32 here, const i16 *at) {
  i32 n = popcount64(set), stops = set == f->whole ? 1 : 2;
  i32 sum = rest + n * (((abs32(v - here) + 1) >> 1) + stops * f->plan->stop);
  for (; set; set &= set - 1) sum += abs32(v - at[lowest64(set)]) >> 1;
  return sum;
}

/* What the spots outside a set take at least. */
static i32 rest_of(const Family *f, u64 set) {
  i32 rest = f->straight_to_all + (popcount64(f->whole) - popcount64(set)) * f->plan->stop;
  for (; set; set &= set - 1) rest -= f->straight[lowest64(set)];
  return rest;
}

static void narrow_axis(const Family *f, u64 set, i32 here, const i16 *at, i32 *low, i32 *high) {
  i32 rest = rest_of(f, set);
  while (*low <= *high && least_through(f, set, rest, *low, here, at) >= f->upper) ++*low;
  while (*low <= *high && least_through(f, set, rest, *high, here, at) >= f->upper) --*high;
}

/* The members that the answers of a cell leave; 0 if one leaves a set that is none. */
static i32 parts_of(Family *f, const Cell *cell, Place *place) {
  place->known = cell->shown;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    u64 part = cell->parts[p];
    place->parts[p] = -1;
    if (!(part & (part - 1))) {
      place->known |= part;
    } else if ((place->parts[p] = (i16)*slot_of(f, part)) < 0) {
      return 0;
    }
  }
  return 1;
}

/* Note the places of a set's scans as far as there is room, and for what they leave where its values
 * will be asked for. Returns the cells looked at. */
static i32 list_places(Family *f, Member *m) {
  Field *field = &m->field;
  m->first = f->places;
  if (is_empty(field->kept)) return 1;
  field->scans = both(around(window_of(f->plan, m->set), field->kept), f->known_in);
  narrow_axis(f, m->set, f->x, f->plan->x, &field->scans.x0, &field->scans.x1);
  narrow_axis(f, m->set, f->y, f->plan->y, &field->scans.y0, &field->scans.y1);
  if (is_empty(field->scans)) {
    field->kept = EMPTY;
    return 1;
  }
  Cells cells;
  Cell cell;
  for (begin_cells(&cells, f->plan, m->set, field->scans); next_cell(&cells, &cell);) {
    if (f->places == PLACES) break;
    Place *place = &f->list[f->places];
    if (!parts_of(f, &cell, place)) continue;
    *place = (Place){(i16)cell.at.x0, (i16)cell.at.y0, (i16)cell.at.x1, (i16)cell.at.y1,
                     {place->parts[0], place->parts[1], place->parts[2], place->parts[3]},
                     place->known};
    f->places++;
    for (i32 p = 0; p < SCAN_PARTS; p++)
      if (place->parts[p] >= 0) {
        Field *part = &f->members[place->parts[p]].field;
        part->kept = around(part->kept, cell.at);
      }
  }
  m->count = f->places - m->first;
  return cells.columns.count * cells.rows.count;
}

/* ---- values ----------------------------------------------------------------------------- */

/* What a scan at each tile of a row of a place costs; as cost_row. */
static i32 cost_at(const Family *f, const Place *place, const Box *at, i32 count, i32 y) {
  v128_t stops = wasm_i16x8_splat((i16)(count * f->plan->stop));
  for (i32 x = 0; x <= at->x1 - at->x0; x += 8) wasm_v128_store(f->row + x, stops);
  for (i32 p = 0; p < SCAN_PARTS; p++)
    if (place->parts[p] >= 0 && !add_field(&f->members[place->parts[p]].field, f->row, at, y))
      return 0;
  for (u64 known = place->known; known; known &= known - 1) {
    i32 s = lowest64(known);
    add_walk(f->row, at, y, f->plan->x[s], f->plan->y[s]);
  }
  return 1;
}

static inline Box box_of(const Place *place) {
  return (Box){place->x0, place->y0, place->x1, place->y1};
}

/* The part of a sheet that may still beat what is known. */
static Box worth_keeping(const Family *f, const Member *m, const Sheet *s) {
  const Field *field = &m->field;
  i32 n = popcount64(m->set), rest = rest_of(f, m->set) + n * f->plan->stop;
  Box asked = field->kept, found = EMPTY;
  for (i32 y = asked.y0; y <= asked.y1; y++) {
    const u16 *row = row_of(s, y - field->scans.y0) - field->scans.x0;
    i32 down = abs32(y - f->y), low = asked.x0, high = asked.x1;
    while (low <= high && n * ((max32(abs32(low - f->x), down) + 1) >> 1) + rest + row[low] >= f->upper)
      low++;
    while (high > low && n * ((max32(abs32(high - f->x), down) + 1) >> 1) + rest + row[high] >= f->upper)
      high--;
    if (low <= high) found = around(found, (Box){low, y, high, y});
  }
  return found;
}

/* A set whose values find no room is left out. */
static void keep_member(Family *f, Member *m, const Sheet *s) {
  Field *field = &m->field;
  field->kept = worth_keeping(f, m, s);
  if (is_empty(field->kept)) return;
  i32 taken = keep_values(field, s, f->pool + f->used, f->room - f->used);
  if (taken < 0)
    field->kept = EMPTY;
  else
    f->used += taken;
}

/* A set's values, when those of all its parts stand; nobody asks for those of the whole. Returns the
 * tiles looked at. */
static i32 fill_values(Family *f, Member *m) {
  Field *field = &m->field;
  field->kept = is_empty(field->kept) ? EMPTY : both(field->kept, field->scans);
  if (is_empty(field->kept) || !m->count || m->set == f->whole) {
    field->kept = EMPTY;
    return 1;
  }
  i32 n = popcount64(m->set);
  Sheet sheet = sheet_in(f->sheet, &field->scans);
  memset(f->sheet, 0xff, sizeof(u16) * (size_t)sheet_room(&field->scans));
  for (i32 i = m->first; i < m->first + m->count; i++) {
    Box at = box_of(&f->list[i]);
    for (i32 y = at.y0; y <= at.y1; y++)
      if (cost_at(f, &f->list[i], &at, n, y))
        memcpy(row_of(&sheet, y - field->scans.y0) + at.x0 - field->scans.x0, f->row,
               sizeof(u16) * (size_t)(at.x1 - at.x0 + 1));
  }
  walk_pass(&sheet, n, 1);
  walk_pass(&sheet, n, -1);
  keep_member(f, m, &sheet);
  return sheet.wide * sheet.high;
}

/* ---- the caller's side ------------------------------------------------------------------ */

EXPORT(i32, scan_family_bytes)(void) { return (i32)sizeof(Family); }

static i32 seed_is_bad(const Family *f, const ScanSeed *seed) {
  if (!(seed->set & (seed->set - 1)) || (seed->set & ~f->whole)) return 1;
  return scan_off_plane(seed->x, seed->y) || seed->allowance < 0 || seed->allowance > 15;
}

EXPORT(i32, scan_family)(ScanFamily *f, ScanPlan *plan, const ScanSeed *seeds, i32 count,
                         i32 upper, void *pool, i32 room) {
  if (!seal_holds(plan, SCAN_PLAN) || plan->ground || plan->on_the_way) return BAD;
  if (count < 1 || room < 0 || upper < 1 || upper >= SCAN_NEVER) return BAD;
  if (((uintptr_t)f | (uintptr_t)pool) & 15) return BAD;
  if (upper >= INFINITE) return TOO_LARGE;
  u64 all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  memset(f, 0, offsetof(Family, slots));
  memset(f->slots, 0xff, sizeof f->slots);
  memset(f->of_size, 0xff, sizeof f->of_size);
  f->plan = plan;
  f->whole = seeds->set & all;
  f->x = seeds->x;
  f->y = seeds->y;
  f->upper = upper;
  f->size = popcount64(f->whole);
  for (i32 i = 0; i < count; i++) {
    if (seed_is_bad(f, &seeds[i])) return BAD;
    join(f, seeds[i].set, seeds[i].x, seeds[i].y, seeds[i].allowance);
  }
  for (i32 s = 0; s < plan->spots; s++) {
    f->straight[s] = chebyshev(f->x, f->y, plan->x[s], plan->y[s]) >> 1;
    if (f->whole >> s & 1) f->straight_to_all += f->straight[s];
  }
  f->known_in = window_of(plan, f->whole);
  i64 stride = stride_of(f->known_in.x1 - f->known_in.x0 + 1);
  i64 taken = stride + sheet_room(&f->known_in);
  if (taken > room || is_vast(&f->known_in)) return TOO_LARGE;
  f->pool = pool;
  f->room = room - (i32)taken;
  f->row = f->pool + f->room + SPARE;
  f->sheet = f->pool + f->room + stride;
  f->members[0].field.kept = f->known_in;
  f->at = f->of_size[f->size];
  seal_set(&f->seal, SCAN_KIN, 0, 0);
  return OK;
}

/* The next member in the order of the stage: sizes go down, and up again for values. */
static i32 next_member(Family *f) {
  i32 whole = popcount64(f->whole);
  while (f->at < 0 && f->stage < DONE) {
    f->size += f->stage == FILL ? 1 : -1;
    if (f->stage == FILL ? f->size > whole : f->size < 2) {
      f->stage++;
      f->size = f->stage == FILL ? 2 : whole;
    }
    f->at = f->of_size[f->size];
  }
  if (f->stage == DONE) return -1;
  i32 i = f->at;
  f->at = f->members[i].next;
  return i;
}

EXPORT(i32, scan_family_run)(ScanFamily *f, i32 work) {
  if (!seal_holds(f, SCAN_KIN) || !seal_holds(f->plan, SCAN_PLAN)) return BAD;
  while (work > 0) {
    i32 i = next_member(f), spent = OF_GROWTH;
    if (i < 0) return 1;
    Member *m = &f->members[i];
    if (f->stage == GROW)
      grow(f, m);
    else
      spent = f->stage == LIST ? list_places(f, m) : fill_values(f, m);
    if (spent < 0) return spent;
    work -= spent;
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
  memset(out, 0, sizeof *out);
  out->x = SCAN_NOWHERE;
  i32 least = SCAN_NEVER, member = *slot_of(f, *set), n = popcount64(*set);
  if (member < 0) return least;
  const Member *m = &f->members[member];
  for (i32 i = m->first; i < m->first + m->count; i++) {
    Box at = box_of(&f->list[i]);
    for (i32 v = at.y0; v <= at.y1; v++) {
      if (!cost_at(f, &f->list[i], &at, n, v)) continue;
      for (i32 u = at.x0; u <= at.x1; u++) {
        i32 ticks = (chebyshev(x, y, u, v) + 1) >> 1, after = f->row[u - at.x0];
        i32 total = after + n * ticks;
        if (after == INFINITE || total > least) continue;
        if (total == least && (v > out->y || (v == out->y && u > out->x))) continue;
        least = total;
        out->score = total;
        out->x = out->to_x = (i16)u;
        out->y = out->to_y = (i16)v;
      }
    }
  }
  return least;
}
