/* Search over runs: the player watches the pulse while walking and stops where it changes.
 * Limited-discrepancy search (Harvey & Ginsberg 1995) with branch and bound; the rules of runs are in
 * scan.h.
 *
 * State: spots, tile, discrepancies left. A run to a tile partitions the spots into groups by the first
 * tick at which their pulse differs from the initial one; a group without a change scans at the end (+
 * stop). Each group continues from its own tile.
 *   candidates  tiles of the best scans, spots, borders along 8 rays; ranked by ticks + walks +
 *               heuristic cost-to-go for runs; 4 for small sets, up to 20 otherwise
 *   bound       walks to the spots of each group; a run is dropped when its sum reaches the cutoff
 *   table       transposition table of totals and lower bounds (transposition.h)
 * In every state the scan-only plan is searched too (discrepancy_search.c) and the better one taken, so
 * watching never costs more. Explicit stack of at most one frame a spot, so that the search can stop after
 * any number of states. On terrain a run follows the game's walk, whose tiles are stored with it.
 * Cost: states x runs ranked x ticks of a run.
 * Scope: no "different level" while running; stairs only between runs. */
#include "successors.h"
#include "transposition.h"

enum {
  SMALL_LEGS = 4,  /* runs tried for a small set */
  MOST_LEGS = 20,  /* runs tried from one state */
  MOST_SCANS = 40, /* best scans whose tiles are ends of runs */
  RAY_ENDS = 8,    /* ends of runs in each of eight directions */
  MAX_DEPTH = SCAN_ROUTE_SPOTS + 1, /* every answer leaves fewer spots */
  MAX_TICKS = 160, /* of a run on terrain */
};

_Static_assert(2 * MOST_SCANS <= SCAN_LISTED, "scans are reranked from a list of twice the size");

/* A run from the tile of a state: its end. */
typedef struct Leg {
  double score;
  i16 x, y, ticks;
  i16 slot; /* index of its tiles on terrain */
} Leg;

/* The tile at the end of each tick of a run on terrain. */
typedef struct Tiles { i16 x[MAX_TICKS + 1], y[MAX_TICKS + 1]; } Tiles;

/* A group: the spots of one outcome of a run. */
typedef struct Group {
  u64 set;
  i32 ticks; /* from the start of the run until the group is identified */
  i32 bound; /* lower bound: the ticks from there to its spots */
  i16 x, y;  /* the tile where that is */
  i16 pulses, silent; /* pulse p: bit p - 1; silent: 1 = no report, `ticks` includes a scan; 2 = the only
                       * spot without a report, so no scan is needed */
  i16 first, last; /* ticks of its first and last possible report; silent: 0 */
} Group;

typedef struct State {
  u64 set;
  i32 x, y, discrepancies, limit; /* y includes the level, that of runs and groups does not */
  i32 has_scan_plan;             /* the search of the scan-only plan has finished */
  i32 best, best_leg;            /* -1: that plan */
  i32 room, count, leg;          /* most runs, runs, and the current one */
  i32 groups, group;             /* of that run */
  i32 sum, cut_off, passed_on;   /* as in discrepancy_search.c */
  ScanAction scan;               /* the first action of the scan-only plan */
  Leg legs[MOST_LEGS];
  Tiles tiles[MOST_LEGS];
  Group list[SCAN_ROUTE_SPOTS];
} State;

struct ScanListen {
  Tag seal;
  ScanPlan *plan;
  ScanSearch *search;
  TranspositionTable table;
  i32 reaction; /* most ticks between a display and its report */
  i32 less; /* by how much the allowance of scan-only plans is smaller */
  i32 depth, states, value;
  ScanAction step; /* the result: a scan, or the end of a run */
  i32 runs;        /* whether it is a run */
  u64 axes_of;     /* the set of the compressed grid below; 0: none */
  ScanAxis columns, rows;
  State stack[MAX_DEPTH + 1];
};

/* ---- the groups of a run --------------------------------------------------------------- */

/* Build the compressed grid of a set unless it is the current one. */
static void set_axes(ScanListen *s, u64 set) {
  if (s->axes_of == set) return;
  scan_cut_axis(s->plan, s->plan->columns, set, &s->columns);
  scan_cut_axis(s->plan, s->plan->rows, set, &s->rows);
  s->axes_of = set;
}

/* The interval of a coordinate, searched from interval i; -1 or count outside all of them. */
static inline i32 find_interval(const ScanAxis *axis, i32 i, i32 v) {
  while (i >= 0 && v < axis->at[i]) i--;
  while (i < axis->count && v >= axis->at[i + 1]) i++;
  return i;
}

/* The cell of a tile, and the spots whose inner and outer squares cover it. */
typedef struct Probe {
  i32 column, row;
  u64 inner, outer;
} Probe;

static inline void move_probe(const ScanListen *s, Probe *probe, i32 x, i32 y) {
  const ScanAxis *columns = &s->columns, *rows = &s->rows;
  probe->column = find_interval(columns, probe->column, x);
  probe->row = find_interval(rows, probe->row, y);
  probe->inner = probe->outer = 0;
  if (probe->column < 0 || probe->column >= columns->count) return;
  if (probe->row < 0 || probe->row >= rows->count) return;
  probe->inner = columns->sets[0][probe->column] & rows->sets[0][probe->row];
  probe->outer = columns->sets[1][probe->column] & rows->sets[1][probe->row];
}

/* The spots of a set that give a pulse at the probe. */
static inline u64 giving(const Probe *probe, u64 set, i32 pulse) {
  return set & (pulse == 3 ? probe->inner : pulse == 2 ? probe->outer & ~probe->inner : ~probe->outer);
}

/* The pulse that all spots of a set give at the probe, 0 if they differ. */
static inline i32 common_pulse(const Probe *probe, u64 set) {
  i32 pulse = 3;
  while (pulse && giving(probe, set, pulse) != set) pulse--;
  return pulse;
}

/* The first change that the display shows of some spots in one phase: at that tick, to that pulse. */
typedef struct Display {
  u64 spots;
  i32 tick, pulse;
} Display;

/* A run, with the displays and the groups found. */
typedef struct Run {
  const ScanListen *s;
  i32 x, y, dx, dy, ticks; /* its start, the difference to its end, and its ticks */
  const Tiles *tiles;    /* on terrain, else null */
  i32 first, from;         /* the common pulse at the start, 0: they differ; the first tick watched */
  u64 late, arrows;        /* spots reported too late or never; spots for which both phases show a triple */
  Display shown[2 * SCAN_ROUTE_SPOTS];
  i32 displays;
  Group *list;
  i32 count;
} Run;

static inline i32 run_x(const Run *run, i32 tick) {
  return run->tiles ? run->tiles->x[tick] : run->x + clamp32(run->dx, -2 * tick, 2 * tick);
}
static inline i32 run_y(const Run *run, i32 tick) {
  return run->tiles ? run->tiles->y[tick] : run->y + clamp32(run->dy, -2 * tick, 2 * tick);
}

/* Find the displays of a set: in each phase, every spot's first change. */
static void find_displays(Run *run, u64 set) {
  i32 reaction = run->s->reaction;
  u64 quiet[2] = {set, set}, triple[2] = {0, 0};
  Probe probe = {0};
  move_probe(run->s, &probe, run->x, run->y);
  run->first = common_pulse(&probe, set);
  run->from = run->displays = 0;
  run->late = 0;
  for (i32 tick = 1; tick <= run->ticks && (quiet[0] | quiet[1]); tick++) {
    move_probe(run->s, &probe, run_x(run, tick), run_y(run, tick));
    if (!run->first && !run->from) {
      if (common_pulse(&probe, set)) continue;
      run->from = tick;
    }
    i32 phase = tick & 1;
    for (i32 pulse = 1; pulse <= 3; pulse++) {
      u64 spots = pulse == run->first ? 0 : giving(&probe, quiet[phase], pulse);
      if (!spots) continue;
      run->shown[run->displays++] = (Display){spots, tick, pulse};
      quiet[phase] &= ~spots;
      if (pulse == 3) triple[phase] |= spots;
      if (tick + reaction >= run->ticks) run->late |= spots;
    }
  }
  run->late |= quiet[0] | quiet[1];
  run->arrows = triple[0] & triple[1] & ~run->late;
}

/* Whether all spots of a group give the same pulse at its tick, for arrows a triple: the log cannot express
 * another. */
static i32 is_loggable(const Run *run, u64 set, i32 pulses, i32 tick) {
  Probe probe = {0};
  move_probe(run->s, &probe, run_x(run, tick), run_y(run, tick));
  if (pulses == 1 << 2) return giving(&probe, set, 3) == set;
  return common_pulse(&probe, set) != 0;
}

/* Insert a reported group, sorted by its first report; 0 if the log cannot express it. */
static i32 add_reported(Run *run, u64 set, i32 pulses, i32 first, i32 last) {
  i32 at = run->count++;
  for (; at > 0 && run->list[at - 1].first > first; at--) run->list[at] = run->list[at - 1];
  last += run->s->reaction;
  run->list[at] = (Group){
      set, last, 0, (i16)run_x(run, last), (i16)run_y(run, last), (i16)pulses, 0, (i16)first, (i16)last};
  return is_loggable(run, set, pulses, last);
}

/* Add the groups that both phases show as triples: one for each pair of ticks. 0 as add_reported. */
static i32 add_arrows(Run *run) {
  for (i32 i = 0; i < run->displays && run->arrows; i++)
    for (i32 j = i + 1; j < run->displays; j++) {
      const Display *a = &run->shown[i], *b = &run->shown[j];
      if (a->pulse != 3 || b->pulse != 3 || !((a->tick ^ b->tick) & 1)) continue;
      u64 both = a->spots & b->spots & run->arrows;
      if (both && !add_reported(run, both, 1 << 2, a->tick, b->tick)) return 0;
    }
  return 1;
}

/* Unite the spots with reports in common: displays of one pulse whose ticks differ by at most the
 * reaction, and sets that share a spot. Returns the number of sets. */
static i32 merge_reports(const Run *run, u64 *joined) {
  i32 count = 0;
  for (i32 pulse = 1; pulse <= 2; pulse++) {
    for (i32 i = 0; i < run->displays;) {
      u64 set = 0;
      i32 tick = -1;
      for (; i < run->displays; i++) {
        const Display *d = &run->shown[i];
        if (d->pulse != pulse) continue;
        if (set && d->tick > tick + run->s->reaction) break;
        set |= d->spots;
        tick = d->tick;
      }
      if (!set) break;
      i32 kept = 0;
      for (i32 k = 0; k < count; k++)
        if (joined[k] & set) set |= joined[k];
        else joined[kept++] = joined[k];
      joined[kept++] = set;
      count = kept;
    }
  }
  return count;
}

/* Whether one of a group's pulses may be reported for other spots between its first and last report. */
static i32 is_ambiguous(const Run *run, u64 set, i32 pulses, i32 first, i32 last) {
  i32 reaction = run->s->reaction;
  for (i32 i = 0; i < run->displays; i++) {
    const Display *d = &run->shown[i];
    if (d->pulse == 3 || !(pulses >> (d->pulse - 1) & 1) || !(d->spots & ~set)) continue;
    if (d->tick + reaction >= first && d->tick <= last + reaction) return 1;
  }
  return 0;
}

/* List the groups of a run (scan.h: Plans over runs). Returns how many; 0 if reports are ambiguous or the
 * log cannot express a group. */
static i32 find_groups(const ScanListen *s, const State *state, const Leg *leg, const Tiles *tiles,
                       Group *list) {
  i32 x = state->x, y = scan_y_of(state->y), to_x = leg->x, to_y = leg->y;
  u64 set = state->set;
  Run run = {.s = s, .x = x, .y = y, .dx = to_x - x, .dy = to_y - y, .list = list};
  run.ticks = leg->ticks;
  if (s->plan->ground) run.tiles = tiles;
  find_displays(&run, set);
  u64 joined[4 * SCAN_ROUTE_SPOTS], end = run.late;
  i32 sets = merge_reports(&run, joined);
  if (!add_arrows(&run)) return 0;
  for (i32 k = 0; k < sets; k++) {
    if (joined[k] & run.late) {
      end |= joined[k];
      continue;
    }
    i32 pulses = 0, first = 0, last = 0;
    for (i32 i = 0; i < run.displays; i++) {
      const Display *d = &run.shown[i];
      if (!(d->spots & joined[k])) continue;
      if (!first) first = d->tick;
      last = d->tick;
      pulses |= 1 << (d->pulse - 1);
    }
    if (is_ambiguous(&run, joined[k], pulses, first, last)) return 0;
    if (!add_reported(&run, joined[k], pulses, first, last)) return 0;
  }
  if (!end) return run.count;
  i32 alone = !(end & (end - 1)) && run.count, ticks = run.ticks + s->plan->stop;
  if (alone) { /* identified once nothing else can be reported */
    ticks = 0;
    for (i32 i = 0; i < run.count; i++) ticks = max32(ticks, list[i].ticks);
    to_x = run_x(&run, ticks);
    to_y = run_y(&run, ticks);
  }
  Probe probe = {0};
  move_probe(s, &probe, to_x, to_y);
  for (i32 pulse = 1; pulse <= 3; pulse++) {
    u64 part = giving(&probe, end, pulse);
    if (!part) continue;
    list[run.count++] =
        (Group){part, ticks, 0, (i16)to_x, (i16)to_y, (i16)(1 << (pulse - 1)), alone ? 2 : 1, 0, 0};
  }
  return run.count;
}

/* Whether a group needs a search: a triple shows its spot. */
static inline i32 is_open(const Group *g) { return g->pulses != 1 << 2 && (g->set & (g->set - 1)); }

/* ---- ranking of runs ------------------------------------------------------------------- */

/* The y of a tile of a run, with the level of its state. */
static inline i32 row_at(const State *state, i32 y) { return scan_on_level(y, scan_level_of(state->y)); }

/* Ticks, walks to the spots and heuristic cost-to-go of all groups; 1e18 if the run excludes no spot. */
static double score_of(ScanListen *s, const State *state, const Leg *leg, const Tiles *tiles, double worst) {
  Group list[SCAN_ROUTE_SPOTS];
  i32 n = find_groups(s, state, leg, tiles, list);
  if (!n || list[0].silent || (n == 1 && is_open(&list[0]))) return 1e18;
  double sum = 0;
  for (i32 i = 0; i < n && sum < worst; i++) {
    const Group *g = &list[i];
    sum += popcount64(g->set) * g->ticks + scan_walks_to_spots(s->plan, g->x, row_at(state, g->y), g->set);
    if (is_open(g)) sum += scan_cost_to_go_runs(s->plan, g->set, g->x, g->y, g->pulses);
  }
  return sum;
}

/* Fill the tiles of the walk to the end of a run; 0 if it is too long or there is none. */
static i32 find_tiles(const ScanListen *s, const State *state, Leg *leg, Tiles *tiles) {
  i32 base, steps = scan_trace(s->plan, leg->x, row_at(state, leg->y), &base);
  leg->ticks = (i16)((steps + 1) >> 1);
  if (steps < 1 || leg->ticks > MAX_TICKS) return 0;
  for (i32 t = 0; t <= leg->ticks; t++) {
    tiles->x[t] = (i16)scan_traced_x(s->plan, min32(2 * t, steps));
    tiles->y[t] = (i16)scan_traced_y(s->plan, min32(2 * t, steps));
  }
  return 1;
}

/* Score the run to a tile and insert it among the best. */
static void offer(ScanListen *s, State *state, i32 x, i32 y) {
  if ((x == state->x && y == scan_y_of(state->y)) || scan_off_plane(x, y)) return;
  for (i32 i = 0; i < state->count; i++)
    if (state->legs[i].x == x && state->legs[i].y == y) return;
  double worst = state->count == state->room ? state->legs[state->room - 1].score : 1e18;
  Tiles tiles;
  Leg leg = {0, (i16)x, (i16)y, (i16)walk_between(state->x, scan_y_of(state->y), x, y), 0};
  if (s->plan->ground && !find_tiles(s, state, &leg, &tiles)) return;
  leg.score = score_of(s, state, &leg, &tiles, worst);
  if (leg.score >= worst) return;
  leg.slot = (i16)(state->count < state->room ? state->count : state->legs[state->room - 1].slot);
  i32 i = state->count < state->room ? state->count++ : state->room - 1;
  for (; i > 0 && state->legs[i - 1].score > leg.score; i--) state->legs[i] = state->legs[i - 1];
  state->legs[i] = leg;
  if (s->plan->ground) state->tiles[leg.slot] = tiles;
}

/* Offer a run to a tile, and one so far beyond it that a change there is reported. */
static void offer_beyond(ScanListen *s, State *state, i32 x, i32 y) {
  i32 dx = x - state->x, dy = y - scan_y_of(state->y), beyond = 2 * (2 + s->reaction);
  offer(s, state, x, y);
  offer(s, state, x + clamp32(dx, -beyond, beyond), y + clamp32(dy, -beyond, beyond));
}

/* Offer runs in one direction that end where a change at each of the first borders is reported. */
static void offer_ray(ScanListen *s, State *state, i32 dx, i32 dy) {
  u64 set = state->set;
  Probe probe = {0};
  i32 begin = scan_y_of(state->y);
  move_probe(s, &probe, state->x, begin);
  i32 first = common_pulse(&probe, set);
  i32 ends = 0, most = 6 * s->plan->range + 40, beyond = 2 * (2 + s->reaction);
  for (i32 far = 2; far <= most && ends < RAY_ENDS; far += 2) {
    i32 x = state->x + dx * far, y = begin + dy * far;
    move_probe(s, &probe, x, y);
    if (common_pulse(&probe, set) == first) continue;
    offer(s, state, x + dx * beyond, y + dy * beyond);
    if (!first) return;
    ends++;
    set = giving(&probe, set, first);
    if (!(set & (set - 1))) return;
  }
}

/* List the best runs of a state. */
static void rank_legs(ScanListen *s, State *state) {
  state->room = 0;
  if (popcount64(state->set) <= FIXED_WIDTH_SPOTS) state->room = SMALL_LEGS;
  else
    while (state->room < MOST_LEGS && rank_cost(state->room) <= state->discrepancies) state->room++;
  state->count = 0;
  set_axes(s, state->set);
  ScanAction scans[MOST_SCANS];
  i32 width = min32(MOST_SCANS, 2 * state->room + 4);
  i32 found =
      scan_generate(s->plan, state->set, state->x, state->y, SCAN_RANK_SEARCH, width, SCAN_EVERY, scans);
  i32 level = scan_level_of(state->y);
  if (s->plan->ground && !scan_search_walks(s->plan, state->x, state->y)) return;
  for (i32 i = 0; i < found; i++)
    if (scans[i].level == level) offer_beyond(s, state, scans[i].x, scans[i].y);
  for (u64 rest = state->set; rest; rest &= rest - 1) {
    i32 spot = lowest64(rest);
    if (s->plan->floors.spot_level[spot] == level) offer(s, state, s->plan->x[spot], s->plan->y[spot]);
  }
  for (i32 dx = -1; dx <= 1; dx++)
    for (i32 dy = -1; dy <= 1; dy++)
      if (dx || dy) offer_ray(s, state, dx, dy);
}

/* ---- states ---------------------------------------------------------------------------- */

static void open_state(ScanListen *s, u64 set, i32 x, i32 y, i32 discrepancies, i32 limit) {
  State *state = &s->stack[s->depth++];
  s->states++;
  state->set = set;
  state->x = x;
  state->y = y;
  state->discrepancies = key_allowance(set, discrepancies);
  state->limit = limit;
  state->has_scan_plan = 0;
  state->best = SCAN_NEVER;
  state->best_leg = state->leg = -1;
  state->count = state->groups = state->group = 0;
  state->scan.x = SCAN_NOWHERE;
  i32 plain = key_allowance(set, max32(0, discrepancies - s->less));
  scan_search_start(s->search, &set, x, y, plain, 0, limit);
}

/* Advance to the next run whose lower bound is below the cutoff; 0 at the end. */
static i32 next_leg(ScanListen *s, State *state) {
  while (++state->leg < state->count) {
    const Leg *leg = &state->legs[state->leg];
    set_axes(s, state->set);
    state->groups = find_groups(s, state, leg, &state->tiles[leg->slot], state->list);
    state->group = state->sum = 0;
    state->cut_off = min32(state->best, state->limit);
    i32 small = popcount64(state->set) <= FIXED_WIDTH_SPOTS;
    state->passed_on = small ? 0 : max32(0, state->discrepancies - rank_cost(state->leg));
    for (i32 i = 0; i < state->groups; i++) {
      Group *g = &state->list[i];
      g->bound = scan_walks_to_spots(s->plan, g->x, row_at(state, g->y), g->set);
      state->sum += popcount64(g->set) * g->ticks + g->bound;
    }
    if (state->sum < state->cut_off) return 1;
  }
  state->groups = state->group = 0;
  return 0;
}

/* Finish the current run: it is the best one if its sum is below the cutoff. */
static void finish_leg(State *state) {
  if (state->sum < state->cut_off) {
    state->best = state->sum;
    state->best_leg = state->leg;
  }
  state->groups = state->group = 0;
}

/* Add a group's total, or drop the run at its cutoff. */
static void absorb(State *state, i32 value) {
  state->sum += value - state->list[state->group++].bound;
  if (state->sum >= state->cut_off) state->group = state->groups;
}

/* Look up or open the next group of the current run. */
static void next_group(ScanListen *s, State *state) {
  while (state->group < state->groups && !is_open(&state->list[state->group])) state->group++;
  if (state->group >= state->groups) {
    finish_leg(state);
    return;
  }
  const Group *g = &state->list[state->group];
  i32 limit = state->cut_off - (state->sum - g->bound),
      discrepancies = key_allowance(g->set, state->passed_on);
  i32 y = row_at(state, g->y);
  i32 known = table_probe(&s->table, g->set, g->x, y, discrepancies)->value;
  if (known > 0 || (known < 0 && -known >= limit)) absorb(state, abs32(known));
  else open_state(s, g->set, g->x, y, discrepancies, limit);
}

/* Pop the top state, store its value and pass it to its parent. */
static void close_state(ScanListen *s) {
  State *state = &s->stack[s->depth - 1];
  i32 value = state->best < state->limit ? state->best : -state->best;
  table_store(&s->table, state->set, state->x, state->y, state->discrepancies, value);
  s->depth--;
  if (s->depth) {
    absorb(&s->stack[s->depth - 1], state->best);
    return;
  }
  s->value = state->best;
  s->step = state->scan;
  s->runs = state->best_leg >= 0;
  if (!s->runs) return;
  const Leg *leg = &state->legs[state->best_leg];
  s->step.x = s->step.to_x = leg->x;
  s->step.y = s->step.to_y = leg->y;
  s->step.level = scan_level_of(state->y);
}

/* Take the total of the scan-only plan as cutoff, and rank the runs. */
static void begin_runs(ScanListen *s, State *state) {
  state->has_scan_plan = 1;
  state->best = scan_search_value(s->search, &state->scan);
  rank_legs(s, state);
}

/* ---- exports --------------------------------------------------------------------------- */

EXPORT(i32, scan_listen_bytes)(void) { return (i32)sizeof(ScanListen); }

EXPORT(i32, scan_listen)(ScanListen *listen, ScanPlan *plan, ScanSearch *search, void *table, i32 bits,
                         i32 reaction) {
  if (reaction < 0 || reaction > SCAN_REACTION) return BAD;
  if (bits < 8 || bits > 21 || !seal_holds(plan, SCAN_PLAN)) return BAD;
  if (plan->on_the_way || !scan_search_of(search, plan)) return BAD;
  if (((uintptr_t)listen | (uintptr_t)table) & 15) return BAD;
  listen->plan = plan;
  listen->search = search;
  listen->reaction = reaction;
  table_clear(&listen->table, table, bits);
  listen->depth = listen->value = listen->runs = 0;
  listen->axes_of = 0;
  memset(&listen->step, 0, sizeof listen->step);
  seal_set(&listen->seal, SCAN_LISTEN, 0, 0);
  return OK;
}

static i32 is_sound(const ScanListen *s) {
  return seal_holds(s, SCAN_LISTEN) && seal_holds(s->plan, SCAN_PLAN) && !s->plan->on_the_way &&
         scan_search_of(s->search, s->plan);
}

EXPORT(i32, scan_listen_start)(ScanListen *listen, const u64 *set, i32 x, i32 y, i32 discrepancies,
                               i32 less) {
  if (!is_sound(listen)) return BAD;
  if (!is_root(listen->plan, *set, x, y, discrepancies) || less < 0) return BAD;
  listen->less = less;
  listen->depth = 0;
  listen->axes_of = 0;
  open_state(listen, *set, x, y, discrepancies, SCAN_NEVER);
  return OK;
}

EXPORT(i32, scan_listen_run)(ScanListen *listen, i32 states) {
  if (!is_sound(listen)) return BAD;
  listen->states = 0;
  while (listen->depth && listen->states < states) {
    State *state = &listen->stack[listen->depth - 1];
    if (!state->has_scan_plan) {
      i32 left = states - listen->states;
      i32 done = scan_search_run(listen->search, left);
      if (done < 0) return BAD;
      listen->states += done ? 1 : left;
      if (done) begin_runs(listen, state);
    } else if (state->groups) {
      next_group(listen, state);
    } else if (!next_leg(listen, state)) {
      close_state(listen);
    }
  }
  return !listen->depth;
}

EXPORT(i32, scan_listen_value)(ScanListen *listen, ScanAction *step, i32 *runs) {
  if (!is_sound(listen) || listen->depth) return BAD;
  *step = listen->step;
  *runs = listen->runs;
  return listen->value;
}
