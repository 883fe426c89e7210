/* A proven lower bound for routes, by relaxing every scan's tile to a piece of its cell. */
#include "scan.h"

enum { MOST_DEPTH = 6 };

typedef struct Piece {
  i32 x0, y0, x1, y1;
} Piece;

/* A first scan of a state: where, by when, what it leaves, and the bound for the whole state. */
typedef struct Item {
  i32 total, ticks;
  i16 x0, y0, x1, y1;
  u64 parts[SCAN_PARTS];
} Item;

struct ScanBound {
  Seal seal;
  const ScanPlan *plan;
  Item *pool;
  i32 pool_room, piece, depth, patience, best, root_count, next, done;
  i32 work, spent; /* cells: in this call, under this first piece */
  i32 straight[SCAN_ROUTE_SPOTS]; /* ticks from the start straight to each spot */
  i32 start_x, start_y;
};

_Static_assert(sizeof(Item) == SCAN_POOLED_ITEM, "the caller makes room by this size");

static inline i32 beyond(i32 v, i32 low, i32 high) {
  return v < low ? low - v : v > high ? v - high : 0;
}

static inline i32 ticks_to_spot(const ScanPlan *plan, const Piece *p, i32 spot) {
  i32 dx = beyond(plan->x[spot], p->x0, p->x1), dy = beyond(plan->y[spot], p->y0, p->y1);
  return max32(dx, dy) >> 1;
}

static inline i32 ticks_between(const Piece *a, const Piece *b) {
  i32 dx = max32(0, max32(b->x0 - a->x1, a->x0 - b->x1));
  i32 dy = max32(0, max32(b->y0 - a->y1, a->y0 - b->y1));
  return (max32(dx, dy) + 1) >> 1;
}

/* The spots of a set one by one: from a piece at a time, never quicker than straight. */
static i32 spots_total(const ScanBound *b, const Piece *p, u64 set, i32 ticks, i32 scans) {
  i32 sum = 0;
  for (; set; set &= set - 1) {
    i32 spot = lowest64(set);
    i32 straight = b->straight[spot] + scans * b->plan->stop;
    sum += max32(ticks + ticks_to_spot(b->plan, p, spot), straight);
  }
  return sum;
}

/* The simple bound: where several spots are left, each pays at least one stop more. */
static i32 simple_total(const ScanBound *b, const Piece *p, u64 set, i32 ticks, i32 scans) {
  i32 n = popcount64(set);
  return spots_total(b, p, set, ticks, scans) + (n > 1 ? n * b->plan->stop : 0);
}

static void sort_items(Item *items, i32 count) {
  static const i32 GAPS[] = {57350, 14170, 3500, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
  for (u32 g = 0; g < sizeof GAPS / sizeof *GAPS; g++)
    for (i32 i = GAPS[g]; i < count; i++) {
      Item item = items[i];
      i32 j = i;
      for (; j >= GAPS[g] && items[j - GAPS[g]].total > item.total; j -= GAPS[g])
        items[j] = items[j - GAPS[g]];
      items[j] = item;
    }
}

typedef struct Question {
  Piece from;
  u64 set;
  i32 ticks, scans;
} Question;

/* One piece of a cell as a first scan; returns 1 if it was kept. */
static i32 add_item(const ScanBound *b, const Question *q, const Piece *p, const u64 *parts,
                    i32 limit, Item *out) {
  i32 ticks = q->ticks + ticks_between(&q->from, p) + b->plan->stop;
  if (popcount64(q->set) * ticks >= limit) return 0;
  u64 shown = q->set & ~(parts[0] | parts[1] | parts[2] | parts[3]);
  i32 total = spots_total(b, p, shown, ticks, q->scans + 1);
  for (i32 i = 0; i < SCAN_PARTS; i++)
    total += simple_total(b, p, parts[i], ticks, q->scans + 1);
  if (total >= limit) return 0;
  *out = (Item){total, ticks, (i16)p->x0, (i16)p->y0, (i16)p->x1, (i16)p->y1, {0}};
  for (i32 i = 0; i < SCAN_PARTS; i++) out->parts[i] = parts[i];
  return 1;
}

/* All first scans of a state below the limit, by total; -1 if the pool is too small. */
static i32 list_items(ScanBound *b, const Question *q, i32 limit, i32 first) {
  const ScanPlan *plan = b->plan;
  ScanAxis columns, rows;
  scan_cut_axis(plan, plan->columns, q->set, &columns);
  scan_cut_axis(plan, plan->rows, q->set, &rows);
  i32 made = 0;
  for (i32 j = 0; j < rows.count; j++)
    for (i32 i = 0; i < columns.count; i++) {
      u64 inner = columns.sets[0][i] & rows.sets[0][j], parts[SCAN_PARTS];
      u64 outer = columns.sets[1][i] & rows.sets[1][j];
      u64 other = plan->layers == 3 ? columns.sets[2][i] & rows.sets[2][j] : 0;
      b->work++;
      b->spent++;
      if (!scan_cut(plan, q->set, inner, outer, other, parts)) continue;
      for (i32 y = rows.at[j]; y < rows.at[j + 1]; y += b->piece)
        for (i32 x = columns.at[i]; x < columns.at[i + 1]; x += b->piece) {
          Piece p = {x, y, min32(x + b->piece, columns.at[i + 1]) - 1,
                     min32(y + b->piece, rows.at[j + 1]) - 1};
          if (first + made == b->pool_room) return -1;
          b->work++;
          b->spent++;
          made += add_item(b, q, &p, parts, limit, b->pool + first + made);
        }
    }
  sort_items(b->pool + first, made);
  return made;
}

static i32 least_total(ScanBound *b, const Question *q, i32 depth, i32 limit, i32 first);

/* An item's total with its larger questions looked into, as long as that can reach the limit. */
static i32 deeper_total(ScanBound *b, const Question *q, const Item *item, i32 depth, i32 limit,
                        i32 first) {
  Piece p = {item->x0, item->y0, item->x1, item->y1};
  i32 total = item->total;
  for (i32 i = 0; i < SCAN_PARTS && total < limit; i++) {
    if (!(item->parts[i] & (item->parts[i] - 1))) continue;
    i32 simple = simple_total(b, &p, item->parts[i], item->ticks, q->scans + 1);
    Question next = {p, item->parts[i], item->ticks, q->scans + 1};
    total += least_total(b, &next, depth, limit - (total - simple), first) - simple;
  }
  return total;
}

/* A bound for a state; `limit` and more all count as `limit` at least. */
static i32 least_total(ScanBound *b, const Question *q, i32 depth, i32 limit, i32 first) {
  i32 simple = simple_total(b, &q->from, q->set, q->ticks, q->scans);
  if (depth == 0 || simple >= limit || b->spent > b->patience) return simple;
  i32 count = list_items(b, q, limit, first), best = limit;
  if (count < 0) return simple;
  for (i32 i = 0; i < count && b->pool[first + i].total < best; i++) {
    Item item = b->pool[first + i];
    i32 total = depth > 1 ? deeper_total(b, q, &item, depth - 1, best, first + count) : item.total;
    best = min32(best, total);
  }
  return max32(best, simple);
}

/* ---- the caller's side ----------------------------------------------------------------- */

EXPORT(i32, scan_bound_bytes)(void) { return (i32)sizeof(ScanBound); }

EXPORT(i32, scan_bound)(ScanBound *bound, const ScanPlan *plan, i32 x, i32 y, i32 piece,
                        i32 depth, i32 upper, i32 patience, void *pool, i32 pool_room) {
  if (piece < 1 || piece > 4096 || depth < 1 || depth > MOST_DEPTH) return BAD;
  if (!seal_holds(plan, SCAN_PLAN) || scan_off_plane(x, y) || upper < 1) return BAD;
  if (((uintptr_t)bound | (uintptr_t)pool) & 15) return BAD;
  if (pool_room < 1 || patience < 1) return BAD;
  memset(bound, 0, sizeof *bound);
  bound->plan = plan;
  bound->pool = pool;
  bound->pool_room = pool_room;
  bound->piece = piece;
  bound->depth = depth;
  bound->patience = patience;
  bound->best = upper;
  bound->start_x = x;
  bound->start_y = y;
  Piece start = {x, y, x, y};
  for (i32 i = 0; i < plan->spots; i++) bound->straight[i] = ticks_to_spot(plan, &start, i);
  u64 all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  Question root = {start, all, 0, 0};
  bound->root_count = list_items(bound, &root, upper, 0);
  if (bound->root_count < 0) return TOO_LARGE;
  seal_set(&bound->seal, SCAN_BOUND, 0, 0);
  return OK;
}

EXPORT(i32, scan_bound_run)(ScanBound *bound, i32 work, i32 *out) {
  if (!seal_holds(bound, SCAN_BOUND) || !seal_holds(bound->plan, SCAN_PLAN)) return BAD;
  const ScanPlan *plan = bound->plan;
  u64 all = plan->spots == 64 ? ~0ull : (1ull << plan->spots) - 1;
  Piece start = {bound->start_x, bound->start_y, bound->start_x, bound->start_y};
  Question root = {start, all, 0, 0};
  bound->work = 0;
  while (!bound->done && bound->work < work) {
    if (bound->next >= bound->root_count ||
        bound->pool[bound->next].total >= bound->best) {
      bound->done = 1;
      break;
    }
    Item item = bound->pool[bound->next++];
    bound->spent = 0;
    bound->work++;
    i32 total = item.total;
    if (bound->depth > 1)
      total = deeper_total(bound, &root, &item, bound->depth - 1, bound->best,
                           bound->root_count);
    bound->best = min32(bound->best, total);
  }
  out[0] = bound->best;
  return bound->done;
}
