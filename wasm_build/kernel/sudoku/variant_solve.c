/* Solutions of a variant: constraint propagation and depth-first search.
 *
 * State: a domain (mask of symbols) for each cell. Propagators run in order of cost until a fixed
 * point, and again from the cheapest after a change: differing cells with naked and hidden singles;
 * tables of pairs by support; sets of symbols with a sum; bounds consistency of linear equations,
 * where differing cells of one coefficient are bounded together (the least sum of their sorted
 * minima, each at least one above the last); runs; between; contained values; whole lines. A rule
 * is propagated only if one of its cells changed since it last ran (the bits `due`).
 *
 * Branching: the cell with the least quotient of its candidates and its weight (dom/wdeg:
 * Boussemart, Hemery, Lecoutre & Sais 2004). A cell's weight is the number of its rules plus the
 * number of failures of one of them. Values ascending. Exponential in the worst case; a call visits
 * at most `nodes` nodes.
 */
#include "sudoku/variant_rules.h"

typedef struct {
  Variant *v;
  u32 *d;
} Node;

static inline i32 least_of(u32 domain) { return __builtin_ctz(domain) + 1; }
static inline i32 greatest_of(u32 domain) { return 32 - __builtin_clz(domain); }

__attribute__((noinline)) static void make_rules_due(Variant *v, i32 cell) {
  for (i32 w = 0; w < v->words; w++) v->due[w] |= v->of_cell[cell * v->words + w];
}

/* Intersects a cell's domain with a mask; 0 if it becomes empty. */
static inline i32 narrow(Node *node, i32 cell, u32 allowed) {
  u32 left = node->d[cell] & allowed;
  if (left == node->d[cell]) return 1;
  node->d[cell] = left;
  make_rules_due(node->v, cell);
  return left != 0;
}

static i32 narrow_hidden_singles(Node *node, const Rule *rule) {
  u32 one = 0, two = 0;
  for (i32 i = 0; i < rule->k; i++) {
    u32 here = node->d[rule->cells[i]];
    two |= one & here;
    one |= here;
  }
  if (one != node->v->all) return 0;
  u32 once = one & ~two;
  for (i32 i = 0; once && i < rule->k; i++) {
    u32 here = node->d[rule->cells[i]] & once;
    if (here & (here - 1)) return 0;
    if (here && !narrow(node, rule->cells[i], here)) return 0;
  }
  return 1;
}

static i32 propagate_differ(Node *node, const Rule *rule) {
  u32 single = 0;
  for (i32 i = 0; i < rule->k; i++) {
    u32 here = node->d[rule->cells[i]];
    if (here & (here - 1)) continue;
    if (here & single) return 0;
    single |= here;
  }
  for (i32 i = 0; i < rule->k; i++) {
    u32 here = node->d[rule->cells[i]];
    if (here & (here - 1) && !narrow(node, rule->cells[i], ~single)) return 0;
  }
  return rule->k != node->v->n || narrow_hidden_singles(node, rule);
}

static i32 propagate_table(Node *node, const Rule *rule) {
  for (i32 side = 0; side < 2; side++) {
    const i32 *table = rule->extra + side * node->v->n;
    u32 allowed = 0;
    for (u32 m = node->d[rule->cells[side]]; m; m &= m - 1) allowed |= (u32)table[__builtin_ctz(m)];
    if (!narrow(node, rule->cells[1 - side], allowed)) return 0;
  }
  return 1;
}

static i32 narrow_all(Node *node, const Rule *rule, u32 allowed) {
  for (i32 i = 0; i < rule->k; i++)
    if (!narrow(node, rule->cells[i], allowed)) return 0;
  return 1;
}

/* Whether the cells may hold exactly the symbols of a set, by the domains of single cells. */
static i32 can_hold(const Node *node, const Rule *rule, u32 set) {
  u32 all = 0;
  for (i32 i = 0; i < rule->k; i++) {
    u32 here = node->d[rule->cells[i]] & set;
    if (!here) return 0;
    all |= here;
  }
  return all == set;
}

static i32 propagate_set(Node *node, const Rule *rule) {
  u32 allowed = 0;
  for (i32 i = 0; i < rule->count; i++)
    if (can_hold(node, rule, (u32)rule->extra[i])) allowed |= (u32)rule->extra[i];
  return narrow_all(node, rule, allowed);
}

static i32 propagate_run(Node *node, const Rule *rule) {
  u32 allowed = 0, window = (1u << rule->k) - 1;
  for (i32 s = 0; s + rule->k <= node->v->n; s++)
    if (can_hold(node, rule, window << s)) allowed |= window << s;
  return narrow_all(node, rule, allowed);
}

static i32 propagate_between(Node *node, const Rule *rule) {
  i32 first = rule->cells[0], last = rule->cells[rule->k - 1];
  u32 at_first = 0, at_last = 0, inner = 0;
  for (u32 p = node->d[first]; p; p &= p - 1)
    for (u32 q = node->d[last]; q; q &= q - 1) {
      i32 x = least_of(p), y = least_of(q), low = min32(x, y), high = max32(x, y);
      u32 middle = high > low ? ((1u << (high - 1)) - 1) & ~((1u << low) - 1) : 0;
      i32 fits = 1;
      for (i32 i = 1; i < rule->k - 1 && fits; i++) fits = (node->d[rule->cells[i]] & middle) != 0;
      if (!fits) continue;
      at_first |= p & -p;
      at_last |= q & -q;
      inner |= middle;
    }
  if (!at_first || !narrow(node, first, at_first) || !narrow(node, last, at_last)) return 0;
  for (i32 i = 1; i < rule->k - 1; i++)
    if (!narrow(node, rule->cells[i], inner)) return 0;
  return 1;
}

/* -- linear equations -------------------------------------------------------------------------- */

static void insert(i32 *sorted, i32 count, i32 value) {
  for (; count > 0 && sorted[count - 1] > value; count--) sorted[count] = sorted[count - 1];
  sorted[count] = value;
}

/* The least and the greatest sum of a group's terms without one of them, values all different. */
static void bound_group(const Node *node, const Rule *rule, i32 begin, i32 skip, i32 *least, i32 *most) {
  i32 low[16], high[16], k = 0, a = rule->extra[begin], low_sum = 0, high_sum = 0;
  for (i32 i = begin; i < rule->extra[rule->k + begin]; i++) {
    if (i == skip) continue;
    insert(low, k, least_of(node->d[rule->cells[i]]));
    insert(high, k++, greatest_of(node->d[rule->cells[i]]));
  }
  for (i32 i = 0, last = 0; i < k; i++) low_sum += last = max32(low[i], last + 1);
  for (i32 i = k - 1, last = 99; i >= 0; i--) high_sum += last = min32(high[i], last - 1);
  *least = a > 0 ? a * low_sum : a * high_sum;
  *most = a > 0 ? a * high_sum : a * low_sum;
}

static i32 propagate_linear(Node *node, const Rule *rule) {
  i32 least = 0, most = 0, low[MOST_TERMS], high[MOST_TERMS];
  const i32 *ends = rule->extra + rule->k;
  for (i32 g = 0; g < rule->k; g = ends[g]) {
    bound_group(node, rule, g, -1, low + g, high + g);
    least += low[g], most += high[g];
  }
  if (rule->value < least || rule->value > most) return 0;
  for (i32 g = 0; g < rule->k; g = ends[g])
    for (i32 i = g; i < ends[g]; i++) {
      i32 below, above, cell = rule->cells[i];
      bound_group(node, rule, g, i, &below, &above);
      below += least - low[g], above += most - high[g];
      u32 allowed = 0;
      for (u32 m = node->d[cell]; m; m &= m - 1) {
        i32 rest = rule->value - rule->extra[i] * least_of(m);
        if (rest >= below && rest <= above) allowed |= m & -m;
      }
      if (allowed == node->d[cell]) continue;
      if (!narrow(node, cell, allowed)) return 0;
      least -= low[g], most -= high[g];
      bound_group(node, rule, g, -1, low + g, high + g);
      least += low[g], most += high[g];
    }
  return 1;
}

/* -- contained values and whole lines ---------------------------------------------------------- */

enum { MOST_PLACEMENTS = 2000 };

typedef struct {
  const Node *node;
  const Rule *rule;
  i32 budget;
  u32 placed[MOST_TERMS], held[MOST_TERMS]; /* values of one placement; those of all */
} Placements;

/* Places the values from `at` on in different cells; equal values in ascending cells. Recursion: at
 * most MOST_TERMS levels. */
static void place_values(Placements *p, i32 at, i32 from) {
  const Rule *rule = p->rule;
  if (--p->budget < 0) return;
  if (at == rule->count) {
    for (i32 i = 0; i < rule->k; i++) p->held[i] |= p->placed[i] ? p->placed[i] : p->node->d[rule->cells[i]];
    return;
  }
  u32 value = 1u << (rule->extra[at] - 1);
  for (i32 i = from; i < rule->k; i++) {
    if (p->placed[i] || !(p->node->d[rule->cells[i]] & value)) continue;
    p->placed[i] = value;
    i32 again = at + 1 < rule->count && rule->extra[at + 1] == rule->extra[at];
    place_values(p, at + 1, again ? i + 1 : 0);
    p->placed[i] = 0;
  }
}

/* Whether every value has as many cells that may hold it as it is listed. */
static i32 has_cells_for_values(const Node *node, const Rule *rule) {
  i32 left[MOST_SIZE] = {0};
  for (i32 i = 0; i < rule->count; i++) left[rule->extra[i] - 1]++;
  for (i32 i = 0; i < rule->k; i++)
    for (u32 m = node->d[rule->cells[i]]; m; m &= m - 1) left[__builtin_ctz(m)]--;
  for (i32 s = 0; s < node->v->n; s++)
    if (left[s] > 0) return 0;
  return 1;
}

static i32 propagate_contains(Node *node, const Rule *rule) {
  Placements all = {.node = node, .rule = rule, .budget = MOST_PLACEMENTS};
  if (!has_cells_for_values(node, rule)) return 0;
  place_values(&all, 0, 0);
  if (all.budget < 0) return 1; /* complete boards are decided by the count above */
  for (i32 i = 0; i < rule->k; i++)
    if (!narrow(node, rule->cells[i], all.held[i])) return 0;
  return 1;
}

static i32 propagate_line(Node *node, const Rule *rule) {
  i32 n = node->v->n;
  u32 held[MOST_SIZE] = {0};
  const u8 *line = (const u8 *)(const void *)rule->extra;
  for (i32 k = 0; k < rule->count; k++, line += n) {
    i32 i = 0;
    while (i < n && node->d[rule->cells[i]] >> (line[i] - 1) & 1) i++;
    if (i < n) continue;
    for (i = 0; i < n; i++) held[i] |= 1u << (line[i] - 1);
  }
  for (i32 i = 0; i < n; i++)
    if (!narrow(node, rule->cells[i], held[i])) return 0;
  return 1;
}

/* -- search ------------------------------------------------------------------------------------ */

static i32 propagate_rule(Node *node, const Rule *rule) {
  switch (rule->kind) {
    case DIFFER: return propagate_differ(node, rule);
    case TABLE: return propagate_table(node, rule);
    case SET: return propagate_set(node, rule);
    case LINEAR: return propagate_linear(node, rule);
    case RUN: return propagate_run(node, rule);
    case BETWEEN: return propagate_between(node, rule);
    case CONTAINS: return propagate_contains(node, rule);
    default: return propagate_line(node, rule);
  }
}

/* The first rule from `from` on that is due, -1 if none is. */
static i32 next_due(const Variant *v, i32 from) {
  for (i32 w = from / 64; w < v->words; w++) {
    u64 due = v->due[w];
    if (w == from / 64) due &= ~0ull << from % 64;
    if (due) return 64 * w + __builtin_ctzll(due);
  }
  return -1;
}

/* Propagates the rules that are due: all of one kind, then again from the cheapest kind, until none
 * is due. 0 on a contradiction. */
static i32 propagate(Node *node) {
  Variant *v = node->v;
  for (i32 at = -1;;) {
    i32 next = next_due(v, at + 1);
    if (next < 0 || (at >= 0 && v->rule[next].kind != v->rule[at].kind)) next = next_due(v, 0);
    if (next < 0) return 1;
    at = next;
    v->due[at / 64] &= ~(1ull << at % 64); /* its own changes may make it due again */
    const Rule *rule = v->rule + at;
    if (propagate_rule(node, rule)) continue;
    for (i32 i = 0; i < rule->k; i++) v->weight[rule->cells[i]]++;
    memset(v->due, 0, (size_t)v->words * sizeof *v->due);
    return 0;
  }
}

/* The branching cell by dom/wdeg, -1 if all domains are single. */
static i32 choose_cell(const Variant *v, const u32 *d) {
  i32 best = -1, fewest = 0;
  for (i32 cell = 0; cell < v->cells; cell++) {
    i32 count = __builtin_popcount(d[cell]);
    if (count < 2) continue;
    if (best >= 0 && (i64)count * v->weight[best] >= (i64)fewest * v->weight[cell]) continue;
    best = cell, fewest = count;
  }
  return best;
}

/* Backtracks to the next value of the deepest level that has one; 0 if the search is over. */
static i32 backtrack(Variant *v) {
  for (; v->depth > 0; v->depth--) {
    i32 parent = v->depth - 1;
    u32 value = v->rest[parent] & -v->rest[parent];
    if (!value) continue;
    v->rest[parent] &= ~value;
    u32 *d = v->domains + v->depth * v->cells;
    memcpy(d, d - v->cells, (size_t)v->cells * sizeof *d);
    d[v->chosen[parent]] = value;
    make_rules_due(v, v->chosen[parent]);
    return 1;
  }
  return 0;
}

static void visit(Variant *v, u8 *found) {
  Node node = {v, v->domains + v->depth * v->cells};
  if (propagate(&node)) {
    i32 cell = choose_cell(v, node.d);
    if (cell >= 0) {
      v->chosen[v->depth] = cell;
      v->rest[v->depth] = node.d[cell];
      v->depth++;
    } else {
      for (i32 i = 0; i < v->cells; i++) found[v->found * v->cells + i] = (u8)least_of(node.d[i]);
      v->found++;
    }
  }
  v->done = v->found >= v->limit || !backtrack(v);
}

EXPORT(i32, sudoku_variant_begin)(i32 n, const u32 *domains, const i32 *rules, i32 length, i32 limit,
                                  u8 *work, i32 room) {
  if (n < 2 || n > MOST_SIZE || length < 0 || limit < 1 || limit > MOST_SOLUTIONS || ((uintptr_t)work & 15))
    return BAD;
  if (room < (i32)sizeof(Variant) + 64) return TOO_LARGE;
  Variant *v = (Variant *)work;
  seal_break(&v->seal);
  *v = (Variant){.n = n,
                 .cells = n * n,
                 .limit = limit,
                 .all = (1u << n) - 1,
                 .arena = arena_after(work, sizeof *v, (size_t)room)};
  i32 cells = v->cells;
  if (!ARENA_TAKE_ZEROED(&v->arena, v->rule, MOST_RULES) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->domains, (cells + 1) * cells) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->rest, cells + 1) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->chosen, cells + 1) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->weight, cells) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->differ, cells * cells))
    return TOO_LARGE;
  for (i32 i = 0; i < v->cells; i++) {
    v->domains[i] = domains[i] & v->all;
    v->done |= !v->domains[i];
  }
  i32 status = variant_read_rules(v, rules, length);
  if (status != OK) return status;
  seal_set(&v->seal, SEALED_VARIANT, n, limit);
  return OK;
}

EXPORT(i32, sudoku_variant_run)(u8 *work, u8 *found, i32 nodes) {
  Variant *v = (Variant *)work;
  if (!seal_holds(v, SEALED_VARIANT)) return BAD;
  while (nodes-- > 0 && !v->done) visit(v, found);
  return v->done ? 1 + v->found : 0;
}
