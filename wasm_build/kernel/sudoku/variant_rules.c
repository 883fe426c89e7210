/* Reads the rules of a variant: checks them, lists sets of symbols and whole lines, groups terms.
 *
 * Sets of symbols with a sum are listed on boards of up to 9 symbols, whole lines with a value on
 * boards of up to 10, by backtracking; the search filters these lists. Memory is taken from the
 * arena in `work`; TOO_LARGE if a list does not fit. */
#include "sudoku/variant_rules.h"

enum { MOST_SET_SYMBOLS = 9, MOST_LINE_SYMBOLS = 10 }; /* of boards whose sets, lines are listed */
enum { MOST_FACTOR = 1 << 20, MOST_REACH = 1 << 29 }; /* sums stay within 32 bits */

/* The sandwich sum (0), X-sum (1) or number of visible skyscrapers (2) of a complete line, from its
 * beginning. */
i32 variant_line_value(const u8 *line, i32 n, i32 type) {
  i32 sum = 0, inside = 0, highest = 0;
  if (type == 1) {
    for (i32 i = 0; i < line[0]; i++) sum += line[i];
    return sum;
  }
  for (i32 i = 0; i < n; i++) {
    if (type == 2) {
      sum += line[i] > highest;
      highest = max32(highest, line[i]);
    } else if (line[i] == 1 || line[i] == n) {
      if (inside) return sum;
      inside = 1;
    } else if (inside) {
      sum += line[i];
    }
  }
  return sum;
}

/* Whether no completion of the first `placed` cells of a line has the value. */
static i32 cannot_reach_value(const u8 *line, i32 placed, i32 n, const Rule *rule) {
  i32 ends = 0, inside = 0, sum = 0, highest = 0, value = rule->count;
  for (i32 i = 0; i < placed; i++) {
    i32 is_end = line[i] == 1 || line[i] == n;
    ends += is_end;
    inside += ends == 1 && !is_end ? line[i] : 0;
    sum += i < line[0] ? line[i] : 0;
    highest = max32(highest, line[i]);
  }
  if (rule->value == 0) return inside > value || (ends == 2 && inside < value);
  if (rule->value == 1) return sum > value || (placed >= line[0] && sum < value);
  i32 visible = variant_line_value(line, placed, 2);
  return visible > value || visible + min32(n - placed, n - highest) < value;
}

/* Lists the permutations that fit the domains and the value (rule->count), one after the other. */
static i32 list_lines(Variant *v, Rule *rule, u8 *line, i32 at, u32 left, i32 *lines) {
  if (at == v->n) {
    if (variant_line_value(line, v->n, rule->value) != rule->count) return OK;
    if (v->arena.high - v->arena.low < v->n + 16) return TOO_LARGE;
    memcpy(v->arena.low, line, (size_t)v->n);
    v->arena.low += v->n;
    ++*lines;
    return OK;
  }
  for (u32 some = left & v->domains[rule->cells[at]]; some; some &= some - 1) {
    line[at] = (u8)(__builtin_ctz(some) + 1);
    if (cannot_reach_value(line, at + 1, v->n, rule)) continue;
    i32 status = list_lines(v, rule, line, at + 1, left & ~(some & -some), lines);
    if (status != OK) return status;
  }
  return OK;
}

static i32 read_line(Variant *v, Rule *rule, i32 value) {
  u8 line[MOST_SIZE];
  i32 lines = 0;
  if (v->n > MOST_LINE_SYMBOLS) return TOO_LARGE;
  rule->extra = (const i32 *)(void *)v->arena.low;
  rule->count = value;
  i32 status = list_lines(v, rule, line, 0, v->all, &lines);
  rule->count = lines;
  v->arena.low += -(uintptr_t)v->arena.low & 15;
  return status;
}

/* Adds the sets of `left` symbols from `least` on with that sum; returns their number. */
static i32 list_sets(i32 *sets, i32 least, i32 n, i32 left, i32 sum, i32 mask) {
  if (left == 0) {
    if (sum == 0) *sets = mask;
    return sum == 0;
  }
  i32 count = 0;
  for (i32 s = least; s <= n && s <= sum; s++)
    count += list_sets(sets + count, s + 1, n, left - 1, sum - s, mask | 1 << (s - 1));
  return count;
}

static i32 read_set(Variant *v, Rule *rule) {
  if (v->n > MOST_SET_SYMBOLS || rule->k > v->n) return BAD;
  i32 *sets;
  if (!ARENA_TAKE_ZEROED(&v->arena, sets, 130)) return TOO_LARGE; /* 126 sets of 4 of 9 symbols */
  rule->extra = sets;
  rule->count = list_sets(sets, 1, v->n, rule->k, rule->value, 0);
  return OK;
}

static i32 read_table(Variant *v, Rule *rule, const i32 *masks) {
  i32 n = v->n, *table;
  if (!ARENA_TAKE_ZEROED(&v->arena, table, 2 * n)) return TOO_LARGE;
  for (i32 x = 0; x < n; x++) {
    table[x] = masks[x] & (i32)v->all;
    for (i32 y = 0; y < n; y++) table[n + y] |= (masks[x] >> y & 1) << x;
  }
  rule->extra = table;
  return OK;
}

/* Orders the terms by group: equal coefficients, at most 16 cells that differ from each other. */
static i32 read_linear(Variant *v, Rule *rule, u16 *cells, const i32 *coefficients) {
  i32 k = rule->k, *extra, placed = 0;
  u8 used[MOST_TERMS] = {0};
  u16 sorted[MOST_TERMS];
  if (!ARENA_TAKE_ZEROED(&v->arena, extra, 2 * k)) return TOO_LARGE;
  i32 reach = abs32(rule->value);
  for (i32 i = 0; i < k; i++) {
    if (abs32(coefficients[i]) > MOST_FACTOR || reach > MOST_REACH) return BAD;
    reach += abs32(coefficients[i]) * v->n;
  }
  while (placed < k) {
    i32 begin = placed;
    for (i32 i = 0; i < k && placed - begin < 16; i++) {
      i32 fits = !used[i] && (placed == begin || coefficients[i] == extra[begin]);
      for (i32 j = begin; j < placed && fits; j++) fits = v->differ[sorted[j] * v->cells + cells[i]];
      if (!fits) continue;
      used[i] = 1;
      extra[placed] = coefficients[i];
      sorted[placed++] = cells[i];
    }
    extra[k + begin] = placed;
  }
  memcpy(cells, sorted, (size_t)k * sizeof *cells);
  rule->extra = extra;
  return OK;
}

/* The length of a rule that begins here, 0 if it is cut off or no rule. */
static i32 rule_length(const i32 *rule, i32 left, i32 n) {
  if (left < 3) return 0;
  i32 k = rule[1];
  if (k < 1 || k > MOST_TERMS) return 0;
  switch (rule[0]) {
    case TABLE: return k == 2 ? 5 + n : 0;
    case LINEAR: return 3 + 2 * k;
    case CONTAINS: return rule[2] > 0 && rule[2] <= k ? 3 + k + rule[2] : 0;
    case LINE: return k == n ? 4 + k : 0;
    case DIFFER:
    case SET:
    case RUN:
    case BETWEEN: return 3 + k;
    default: return 0;
  }
}

static i32 read_rule(Variant *v, const i32 *from, i32 length) {
  i32 k = from[1], more = from[0] == LINE;
  const i32 *rest = from + 3 + more + k;
  if (v->rules >= MOST_RULES) return TOO_LARGE;
  Rule *rule = v->rule + v->rules++;
  u16 *cells;
  if (!ARENA_TAKE_ZEROED(&v->arena, cells, k)) return TOO_LARGE;
  *rule = (Rule){.kind = from[0], .k = k, .value = from[2], .cells = cells};
  for (i32 i = 0; i < k; i++) {
    i32 cell = from[3 + more + i];
    if (cell < 0 || cell >= v->cells) return BAD;
    cells[i] = (u16)cell;
    v->weight[cell]++;
  }
  switch (rule->kind) {
    case TABLE: return read_table(v, rule, rest);
    case SET: return read_set(v, rule);
    case LINEAR: return read_linear(v, rule, cells, rest);
    case RUN: return k <= v->n ? OK : BAD;
    case LINE: return rule->value < 0 || rule->value > 2 ? BAD : read_line(v, rule, from[3]);
    case CONTAINS:
      for (const i32 *value = rest; value < from + length; value++)
        if (*value < 1 || *value > v->n) return BAD;
      rule->count = rule->value;
      i32 *values;
      if (!ARENA_TAKE(&v->arena, values, rule->count)) return TOO_LARGE;
      memcpy(values, rest, (size_t)rule->count * sizeof *values);
      rule->extra = values;
      return OK;
    default: return OK;
  }
}

static void mark_differing(Variant *v, const i32 *from) {
  for (i32 i = 0; i < from[1]; i++)
    for (i32 j = 0; j < from[1]; j++) {
      i32 a = from[3 + i], b = from[3 + j];
      if (a != b && a >= 0 && b >= 0 && a < v->cells && b < v->cells) v->differ[a * v->cells + b] = 1;
    }
}

i32 variant_read_rules(Variant *v, const i32 *rules, i32 length) {
  for (i32 at = 0, step; at < length; at += step) {
    step = rule_length(rules + at, length - at, v->n);
    if (step == 0 || step > length - at) return BAD;
    i32 kind = rules[at];
    if (kind == DIFFER || kind == SET || kind == RUN) mark_differing(v, rules + at);
  }
  for (i32 kind = DIFFER; kind < RULE_KINDS; kind++)
    for (i32 at = 0, step; at < length; at += step) {
      step = rule_length(rules + at, length - at, v->n);
      if (rules[at] != kind) continue;
      i32 status = read_rule(v, rules + at, step);
      if (status != OK) return status;
    }
  v->words = (v->rules + 63) / 64;
  if (!ARENA_TAKE_ZEROED(&v->arena, v->due, v->words) ||
      !ARENA_TAKE_ZEROED(&v->arena, v->of_cell, v->words * v->cells))
    return TOO_LARGE;
  for (i32 r = 0; r < v->rules; r++) {
    v->due[r / 64] |= 1ull << r % 64;
    for (i32 i = 0; i < v->rule[r].k; i++)
      v->of_cell[v->rule[r].cells[i] * v->words + r / 64] |= 1ull << r % 64;
  }
  return OK;
}
