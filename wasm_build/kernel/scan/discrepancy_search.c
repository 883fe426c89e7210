/* Limited-discrepancy search (Harvey & Ginsberg 1995) for the cheapest scan route of a state.
 *
 * State: spots, tile, discrepancies left. Action of rank k costs rank_cost(k) of the allowance; all
 * answers inherit the rest. Sets of up to FIXED_WIDTH_SPOTS have a fixed width at no charge.
 *   value  cost of the action (walk, stop, walks to spots that a triple shows) + sum over answers
 *   bound  straight walk to each spot, + a stop each where several are left; an action is dropped
 *          when cost + bounds reach the cutoff, answers with more spots are searched first
 *   table  transposition table of totals and lower bounds by (set, tile, allowance)
 * Explicit stack of at most one frame a spot, so that it can stop after any number of states.
 * Cost: states x one successor generation (successors.c). */
#include "successors.h"
#include "transposition.h"

enum { MAX_DEPTH = SCAN_ROUTE_SPOTS + 1 }; /* every answer leaves fewer spots */

typedef struct State {
  u64 set;
  i32 x, y, discrepancies, limit;
  i32 best, best_action;
  i32 count, action;                /* actions, and the current one */
  i32 children, child;              /* its parts, the larger sets first, and the current one */
  i32 sum;                          /* its cost + totals of the solved children + bounds of the others */
  i32 cut_off, passed_on;           /* the cutoff of `sum`; the allowance for the children */
  u64 sets[SCAN_PARTS];
  i32 bounds[SCAN_PARTS];
  ScanAction actions[SCAN_ACTIONS];
} State;

struct ScanSearch {
  Tag seal;
  ScanPlan *plan;
  TranspositionTable table;
  i32 try_all_at_root;  /* try every action of the root */
  i32 depth;  /* states on the stack */
  i32 states; /* states opened in this run */
  i32 value;
  ScanAction answer;
  State stack[MAX_DEPTH + 1];
};

/* ---- states ---------------------------------------------------------------------------- */

static inline i32 row_of(const ScanAction *a) { return scan_on_level(a->y, a->level); }

/* Whether the top state is the root and all its actions are tried. */
static inline i32 is_full_root(const ScanSearch *s) { return s->try_all_at_root && s->depth == 1; }

static void open_state(ScanSearch *s, u64 set, i32 x, i32 y, i32 discrepancies, i32 limit) {
  State *state = &s->stack[s->depth++];
  s->states++;
  state->set = set;
  state->x = x;
  state->y = y;
  state->discrepancies = key_allowance(set, discrepancies);
  state->limit = limit;
  state->best = SCAN_NEVER;
  state->best_action = state->action = -1;
  state->children = state->child = 0;
  i32 width = is_full_root(s) ? SCAN_ACTIONS : width_of(popcount64(set), state->discrepancies);
  if (s->plan->on_the_way) limit = SCAN_NEVER; /* a pulse on the way may cost less than the scan */
  state->count = scan_generate(s->plan, set, x, y, SCAN_RANK_SEARCH, width, limit, state->actions);
  if (!state->count && limit < SCAN_NEVER) /* no action, or none below the cutoff */
    state->count = scan_generate(s->plan, set, x, y, SCAN_RANK_SEARCH, width, SCAN_NEVER, state->actions);
  if (s->plan->on_the_way)
    for (i32 i = 0; i < state->count; i++) scan_stop_at_first_change(s->plan, set, x, y, &state->actions[i]);
}

/* Lower bound of the total: straight walks to the spots, plus a stop each if there are several. */
static i32 bound_of(const ScanPlan *plan, u64 set, i32 x, i32 y) {
  i32 n = popcount64(set);
  return scan_walks_to_spots(plan, x, y, set) + (n > 1 && !plan->on_the_way ? n * plan->stop : 0);
}

/* Advance to the next action whose lower bound is below the cutoff; 0 at the end. */
static i32 next_action(ScanSearch *s, State *state) {
  while (++state->action < state->count) {
    const ScanAction *a = &state->actions[state->action];
    state->children = state->child = 0;
    state->sum = a->cost;
    state->cut_off = min32(state->best, state->limit);
    i32 small = popcount64(state->set) <= FIXED_WIDTH_SPOTS;
    state->passed_on = small ? 0 : max32(0, state->discrepancies - rank_cost(state->action));
    for (i32 p = 0; p < SCAN_PARTS; p++) {
      if (!a->parts[p]) continue;
      i32 bound = bound_of(s->plan, a->parts[p], a->x, row_of(a));
      insert_by_size(state->sets, state->bounds, state->children++, a->parts[p], bound);
      state->sum += bound;
    }
    if (state->sum < state->cut_off) return 1;
    state->best = min32(state->best, state->sum); /* a lower bound */
  }
  return 0;
}

/* Add a child's total: continue with the action, or drop it at its cutoff. */
static void absorb(State *state, i32 value) {
  state->sum += value - state->bounds[state->child++];
  if (state->sum >= state->cut_off) {
    state->best = min32(state->best, state->sum);
    state->child = state->children = 0;
  } else if (state->child == state->children) {
    state->best = state->sum;
    state->best_action = state->action;
  }
}

/* Returns 1 + the child's total or a bound that reaches the cutoff, if one is known; else opens it and
 * returns 0. */
static i32 value_or_open(ScanSearch *s, const State *state) {
  const ScanAction *a = &state->actions[state->action];
  u64 set = state->sets[state->child];
  i32 bound = state->bounds[state->child];
  if (!(set & (set - 1))) return bound + 1; /* one spot: the bound is exact */
  i32 limit = state->cut_off - (state->sum - bound);
  i32 discrepancies = key_allowance(set, state->passed_on);
  i32 known = table_probe(&s->table, set, a->x, row_of(a), discrepancies)->value;
  if (known > 0) return known + 1;
  if (known < 0 && -known >= limit) return -known + 1;
  open_state(s, set, a->x, row_of(a), discrepancies, limit);
  return 0;
}

/* Pop the top state, store its value and pass it to its parent. */
static void close_state(ScanSearch *s) {
  State *state = &s->stack[s->depth - 1];
  if (!state->count) state->best = scan_walks_to_spots(s->plan, state->x, state->y, state->set);
  if (s->plan->ground)
    state->best = min32(state->best, state->limit); /* actions at or above the cutoff were omitted */
  if (state->best < SCAN_NEVER && !is_full_root(s)) { /* the table holds values of the normal width */
    i32 value = state->best < state->limit ? state->best : -state->best;
    table_store(&s->table, state->set, state->x, state->y, state->discrepancies, value);
  }
  s->depth--;
  if (s->depth) {
    absorb(&s->stack[s->depth - 1], state->best);
    return;
  }
  s->value = state->best;
  memset(&s->answer, 0, sizeof s->answer);
  s->answer.x = SCAN_NOWHERE;
  if (state->best_action >= 0) s->answer = state->actions[state->best_action];
}

/* ---- exports --------------------------------------------------------------------------- */

EXPORT(i32, scan_price)(i32 rank) { return rank_cost(rank); }

EXPORT(i32, scan_search_bytes)(void) { return (i32)sizeof(ScanSearch); }

EXPORT(i32, scan_search)(ScanSearch *search, ScanPlan *plan, void *table, i32 bits) {
  if (bits < 8 || bits > 21 || !seal_holds(plan, SCAN_PLAN)) return BAD;
  if (((uintptr_t)search | (uintptr_t)table) & 15) return BAD;
  search->plan = plan;
  table_clear(&search->table, table, bits);
  search->depth = 0;
  search->value = 0;
  memset(&search->answer, 0, sizeof search->answer);
  seal_set(&search->seal, SCAN_SEARCH, 0, 0);
  return OK;
}

static i32 is_sound(const ScanSearch *search) {
  return seal_holds(search, SCAN_SEARCH) && seal_holds(search->plan, SCAN_PLAN);
}

i32 scan_search_of(const ScanSearch *search, const ScanPlan *plan) {
  return seal_holds(search, SCAN_SEARCH) && search->plan == plan;
}

EXPORT(i32, scan_search_start)(ScanSearch *search, const u64 *set, i32 x, i32 y, i32 discrepancies,
                               i32 try_all_at_root, i32 limit) {
  if (!is_sound(search)) return BAD;
  if (!is_root(search->plan, *set, x, y, discrepancies) || limit < 1) return BAD;
  search->depth = 0;
  search->try_all_at_root = try_all_at_root;
  open_state(search, *set, x, y, discrepancies, min32(limit, SCAN_NEVER));
  return OK;
}

EXPORT(i32, scan_search_run)(ScanSearch *search, i32 states) {
  if (!is_sound(search)) return BAD;
  search->states = 0;
  while (search->depth && search->states < states) {
    State *state = &search->stack[search->depth - 1];
    if (state->child < state->children) {
      i32 value = value_or_open(search, state);
      if (value) absorb(state, value - 1);
    } else if (!next_action(search, state)) {
      close_state(search);
    } else if (!state->children) { /* every answer shows the spot */
      state->best = state->sum;
      state->best_action = state->action;
    }
  }
  return !search->depth;
}

EXPORT(i32, scan_search_value)(ScanSearch *search, ScanAction *out) {
  if (!is_sound(search) || search->depth) return BAD;
  *out = search->answer;
  return search->value;
}
