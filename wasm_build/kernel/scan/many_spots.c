/* One-step lookahead for more than 64 spots: ranks the cells of a map with the policies of successors.c.
 *
 * Sets are several words; a cell's partition follows from column set & row set, word by word. Rows are
 * visited by distance, and a cell is skipped if its lower bound exceeds the worst listed score. Listed: the
 * best cell of each distinct partition. Cost: O(cells spots / 64). */
#include "scan.h"

_Static_assert(sizeof(ScanCell) == 24, "callers read this struct by offsets");

typedef struct Rank {
  const ScanMap *map;
  const double *weights; /* n log2 n */
  i32 x, y, policy, stop, words, here_to_all, least_walk;
  double left_weight;
} Rank;

/* The distance of a coordinate from an interval. */
static inline i32 away(i32 low, i32 high, i32 v) { return v < low ? low - v : max32(0, v - high); }

/* Word w of the partition of a cell: single, double, and both with "different level". */
static inline void partition_word(const ScanMap *map, i32 column, i32 row, i32 w, i32 words, u64 *parts) {
  const u64 *c = map->column_sets + (size_t)column * map->layers * words + w;
  const u64 *r = map->row_sets + (size_t)row * map->layers * words + w;
  i32 beyond = map->spots - 64 * w;
  u64 all = beyond >= 64 ? ~0ull : (1ull << beyond) - 1;
  u64 inner = c[0] & r[0], outer = c[words] & r[words], other = 0;
  if (map->layers == 3) other = map->elsewhere[w] | (c[2 * words] & r[2 * words]);
  split_parts(all & ~outer, outer & ~inner, other, parts);
}

static i32 same_partition(const Rank *r, const ScanCell *a, i32 column, i32 row) {
  for (i32 w = 0; w < r->words; w++) {
    u64 p[SCAN_PARTS], q[SCAN_PARTS];
    partition_word(r->map, a->column, a->row, w, r->words, p);
    partition_word(r->map, column, row, w, r->words, q);
    if (memcmp(p, q, sizeof p)) return 0;
  }
  return 1;
}

/* The sizes of the parts of a cell without levels. */
static inline void count_parts(const Rank *r, i32 column, i32 row, i32 *counts) {
  const u64 *c = r->map->column_sets + (size_t)column * 2 * r->words;
  const u64 *w = r->map->row_sets + (size_t)row * 2 * r->words;
  i32 inner = 0, outer = 0;
  for (i32 i = 0; i < r->words; i++) inner += popcount64(c[i] & w[i]);
  for (i32 i = r->words; i < 2 * r->words; i++) outer += popcount64(c[i] & w[i]);
  counts[0] = r->map->spots - outer;
  counts[1] = outer - inner;
}

/* Sum of n log2 n over the parts; negative if one answer leaves every spot. */
static double weight_of(const Rank *r, i32 column, i32 row) {
  i32 counts[SCAN_PARTS] = {0, 0, 0, 0};
  if (r->map->layers == 2) {
    count_parts(r, column, row, counts);
  } else {
    for (i32 w = 0; w < r->words; w++) {
      u64 parts[SCAN_PARTS];
      partition_word(r->map, column, row, w, r->words, parts);
      for (i32 p = 0; p < SCAN_PARTS; p++) counts[p] += popcount64(parts[p]);
    }
  }
  double sum = 0;
  for (i32 p = 0; p < SCAN_PARTS; p++) {
    if (counts[p] == r->map->spots) return -1;
    sum += r->weights[counts[p]];
  }
  return sum;
}

/* The sum of distances to the median, the least possible on one axis. */
static i32 median_distances(const i32 *centres, i32 count, i32 axis) {
  i32 sorted[SCAN_SPOTS], sum = 0;
  for (i32 n = 0; n < count; n++) {
    i32 i = n, v = centres[3 * n + axis];
    for (; i > 0 && sorted[i - 1] > v; i--) sorted[i] = sorted[i - 1];
    sorted[i] = v;
  }
  for (i32 n = 0; n < count; n++) sum += abs32(sorted[n] - sorted[count / 2]);
  return sum;
}

/* Lower bound of the ticks from any tile to all spots; each spot's ticks round down by up to a half. */
static i32 least_walk(const ScanMap *map) {
  i32 x = median_distances(map->centres, map->spots, 0);
  i32 y = median_distances(map->centres, map->spots, 1);
  return max32(0, (max32(x, y) - map->spots) / 2);
}

static i32 walk_to_all(const ScanMap *map, i32 x, i32 y) {
  i32 sum = 0;
  for (i32 i = 0; i < map->spots; i++)
    sum += max32(abs32(map->centres[3 * i] - x), abs32(map->centres[3 * i + 1] - y)) >> 1;
  return sum;
}

/* The score as in successors.c, 1e18 if its bound exceeds `worst`. */
static double score_of(const Rank *r, double left, i32 ticks, i32 x, i32 y, double worst) {
  i32 n = r->map->spots;
  double bits = (r->weights[n] - left) / n;
  if (r->policy == SCAN_BITS) return ticks - 1e6 * bits;
  if (r->policy == SCAN_RATE) return (ticks + r->stop) / bits;
  double fixed = n * r->stop + r->left_weight * left;
  if (max32(r->here_to_all, r->least_walk + n * ticks) + fixed > worst) return 1e18;
  return n * ticks + walk_to_all(r->map, x, y) + fixed;
}

/* Whether a cell ranks before another: by score, then lowest y, then lowest x. */
static i32 before(const ScanCell *a, const ScanCell *b) {
  if (a->score != b->score) return a->score < b->score;
  return a->y != b->y ? a->y < b->y : a->x < b->x;
}

/* Insert in that order; of equal partitions only the better tile stays. Returns the new count. */
static i32 insert(const Rank *r, ScanCell cell, ScanCell *out, i32 count, i32 room) {
  i32 i = 0;
  while (i < count && !same_partition(r, &out[i], cell.column, cell.row)) i++;
  if (i < count) {
    if (!before(&cell, &out[i])) return count;
  } else if (count < room) {
    count++;
  } else {
    i = count - 1;
    if (!before(&cell, &out[i])) return count;
  }
  for (; i > 0 && before(&cell, &out[i - 1]); i--) out[i] = out[i - 1];
  out[i] = cell;
  return count;
}

/* List the `count` rows nearest to y by distance. */
static void list_rows(const ScanMap *map, i32 y, i16 *order, i32 count) {
  i32 above = 0;
  while (above < map->rows && map->row_at[above + 1] <= y) above++;
  for (i32 made = 0, below = above - 1; made < count; made++) {
    i32 down = below >= 0 ? y + 1 - map->row_at[below + 1] : SCAN_NEVER;
    i32 up = above < map->rows ? map->row_at[above] - y : SCAN_NEVER;
    order[made] = (i16)(up <= down ? above++ : below--);
  }
}

/* Rank the cells of a row. Returns the new count. */
static i32 rank_row(const Rank *r, i32 row, ScanCell *out, i32 count, i32 room) {
  const ScanMap *map = r->map;
  i32 low = map->row_at[row], high = map->row_at[row + 1] - 1, n = map->spots;
  i32 down = away(low, high, r->y), v = max32(low, min32(high, r->y));
  for (i32 column = 0; column < map->columns; column++) {
    i32 left = map->column_at[column], right = map->column_at[column + 1] - 1;
    i32 ticks = (max32(away(left, right, r->x), down) + 1) >> 1;
    double worst = count == room ? out[room - 1].score : 1e17;
    if (r->policy >= SCAN_RANK_LOOKAHEAD && r->least_walk + n * (ticks + r->stop) > worst) continue;
    double weight = weight_of(r, column, row);
    if (weight < 0) continue;
    i32 u = max32(left, min32(right, r->x));
    double score = score_of(r, weight, ticks, u, v, worst);
    if (score > worst) continue;
    ScanCell cell = {score, ticks, (i16)u, (i16)v, (i16)column, (i16)row};
    count = insert(r, cell, out, count, room);
  }
  return count;
}

EXPORT(i32, scan_rank)(const ScanMap *map, i32 x, i32 y, i32 policy, i32 stop, i32 first, i32 end, i32 count,
                       i32 room, ScanCell *out, double *weights, i16 *order) {
  if (!scan_map_is_broken_up(map)) return BAD;
  if (map->spots < 2 || map->walls || policy < 0 || policy > SCAN_RANK_SEARCH) return BAD;
  if (stop < 0 || stop > SCAN_STOP || first < 0 || end > map->rows || room < 1 || room > SCAN_ACTIONS)
    return BAD;
  if (count < 0 || count > room || x < -SCAN_COORDINATE || x > SCAN_COORDINATE || y < -SCAN_COORDINATE ||
      y > SCAN_COORDINATE)
    return BAD;
  scan_weights(weights, map->spots);
  for (i32 i = 0; i < count; i++)
    if ((u32)out[i].column >= (u32)map->columns || (u32)out[i].row >= (u32)map->rows) return BAD;
  Rank r = {map,
            weights,
            x,
            y,
            policy,
            stop,
            (map->spots + 63) / 64,
            walk_to_all(map, x, y),
            least_walk(map),
            scan_left_weight(policy, stop)};
  list_rows(map, y, order, end);
  for (i32 i = first; i < end; i++) count = rank_row(&r, order[i], out, count, room);
  return count;
}
