/* Search over runs: the pulse is watched while walking, and the player stops where it changes.
 *
 * State: spots, tile, discrepancies left. A run to a tile splits the spots into groups by the first
 * tick at which their pulse differs from the initial one; a group without a change scans at the end
 * (+ stop). Each group continues from its own tile.
 *   candidates  tiles of the best scans, spots, borders along 8 rays; ranked by ticks + walks +
 *               heuristic cost-to-go for runs; 4 for small sets, up to 20 otherwise
 *   bound       walks to the spots of each group; a run is dropped when its sum reaches the cutoff
 *   table       transposition table of totals and lower bounds (transposition.h)
 * In every state the scan-only plan is searched too (discrepancy_search.c) and the better one kept, so
 * watching never costs more. Limited-discrepancy search (Harvey & Ginsberg 1995) with its own stack,
 * one frame a state, at most one a spot; it can stop after any number of states.
 * On terrain a run goes as the game walks; its places are kept with it.
 * Scope: no "different level" while running; stairs only between runs. */
#include "successors.h"
#include "transposition.h"

enum {
  SMALL_LEGS = 4,  /* runs tried of a small set */
  MOST_LEGS = 20,  /* runs tried from one state */
  MOST_SCANS = 40, /* best scans whose tiles are run to */
  RAY_ENDS = 8,    /* runs ended in each of eight directions */
  DEEPEST = SCAN_ROUTE_SPOTS + 1, /* every answer leaves fewer spots */
  LONGEST = 160, /* ticks of a run on terrain */
};

_Static_assert(2 * MOST_SCANS <= SCAN_LISTED, "scans are chosen from twice as many");

typedef struct Leg {
  double score;
  i16 x, y, ticks;
  i16 slot; /* of its places on terrain */
} Leg;

/* The tile at the end of each tick of a run on terrain. */
typedef struct Places {
  i16 x[LONGEST + 1], y[LONGEST + 1];
} Places;

/* An answer of a run. */
typedef struct Group {
  u64 set;
  i32 ticks; /* from the start of the run until one knows to be in this group */
  i32 bound; /* its spots' ticks from there, if each were known */
  i16 x, y;  /* where that is */
  i16 pulses, silent; /* pulse p: bit p - 1; silent: 1 = no report, a scan is in `ticks`; 2 = the only
                       * spot without a report, so no scan is needed */
  i16 first, last; /* ticks of the run at which it is reported, the reaction included; silent: 0 */
} Group;

typedef struct State {
  u64 set;
  i32 x, y, discrepancies, limit;    /* y carries the level, those of runs and groups do not */
  i32 asked;                     /* the search of the scan-only plan has finished */
  i32 best, best_leg;            /* -1: that plan */
  i32 room, count, leg;          /* most runs, runs, and the one being tried */
  i32 groups, group;             /* of that run */
  i32 sum, cut_off, passed_on;   /* as in discrepancy_search.c */
  ScanAction scan;               /* the first step without listening */
  Leg legs[MOST_LEGS];
  Places places[MOST_LEGS];
  Group list[SCAN_ROUTE_SPOTS];
} State;

struct ScanListen {
  Tag seal;
  ScanPlan *plan;
  ScanSearch *search;
  KnownTable known;
  i32 reaction; /* ticks until a pulse that is displayed is reported, at most */
  i32 less; /* allowance that plans without listening have less */
  i32 depth, states, value;
  ScanAction step; /* the answer: a scan, or where a run goes */
  i32 runs;        /* whether it is a run */
  u64 axes_of; /* the set that the grid below is of; 0: none */
  ScanAxis columns, rows;
  State stack[DEEPEST + 1];
};


/* ---- what is heard on a run ------------------------------------------------------------ */

static void take_axes(ScanListen *s, u64 set) {
  if (s->axes_of == set) return;
  scan_cut_axis(s->plan, s->plan->columns, set, &s->columns);
  scan_cut_axis(s->plan, s->plan->rows, set, &s->rows);
  s->axes_of = set;
}

/* The interval of a place, looked for from the one before; -1 or count outside all of them. */
static inline i32 interval(const ScanAxis *axis, i32 i, i32 v) {
  while (i >= 0 && v < axis->at[i]) i--;
  while (i < axis->count && v >= axis->at[i + 1]) i++;
  return i;
}

typedef struct AnswerProbe {
  i32 column, row;
  u64 inner, outer;
} AnswerProbe;

static inline void probe_answer(const ScanListen *s, AnswerProbe *ear, i32 x, i32 y) {
  const ScanAxis *columns = &s->columns, *rows = &s->rows;
  ear->column = interval(columns, ear->column, x);
  ear->row = interval(rows, ear->row, y);
  ear->inner = ear->outer = 0;
  if (ear->column < 0 || ear->column >= columns->count) return;
  if (ear->row < 0 || ear->row >= rows->count) return;
  ear->inner = columns->sets[0][ear->column] & rows->sets[0][ear->row];
  ear->outer = columns->sets[1][ear->column] & rows->sets[1][ear->row];
}

static inline u64 giving(const AnswerProbe *ear, u64 set, i32 pulse) {
  return set & (pulse == 3 ? ear->inner : pulse == 2 ? ear->outer & ~ear->inner : ~ear->outer);
}

/* The pulse that all spots of a set give at the start of a run, 0 if they differ. */
static i32 initial_answer(const ScanListen *s, AnswerProbe *ear, u64 set, i32 x, i32 y) {
  probe_answer(s, ear, x, y);
  i32 pulse = 3;
  while (pulse && giving(ear, set, pulse) != set) pulse--;
  return pulse;
}

/* Where the display first shows a change: at that tick the spots with that pulse, in the phase in
 * which the display is renewed then. */
typedef struct Display {
  u64 spots;
  i32 tick, pulse;
} Display;

typedef struct Run {
  const ScanListen *s;
  i32 x, y, dx, dy, ticks; /* from, direction, and ticks to the end */
  const Places *places;    /* on terrain, else null */
  i32 first, from;         /* the pulse of all spots at the start, 0: they differ; the tick to look from */
  u64 late, arrows;        /* spots reported too late or never; spots that only a triple shows */
  Display shown[2 * SCAN_ROUTE_SPOTS];
  i32 displays;
  Group *list;
  i32 count;
} Run;

static inline i32 run_x(const Run *run, i32 tick) {
  return run->places ? run->places->x[tick] : run->x + clamp32(run->dx, -2 * tick, 2 * tick);
}
static inline i32 run_y(const Run *run, i32 tick) {
  return run->places ? run->places->y[tick] : run->y + clamp32(run->dy, -2 * tick, 2 * tick);
}

/* Fill in what the display shows of a set: in each phase, every spot's first change. */
static void watch(Run *run, u64 set) {
  i32 reaction = run->s->reaction;
  u64 quiet[2] = {set, set}, triple[2] = {0, 0};
  AnswerProbe ear = {0};
  run->first = initial_answer(run->s, &ear, set, run->x, run->y);
  run->from = run->displays = 0;
  run->late = 0;
  for (i32 tick = 1; tick <= run->ticks && (quiet[0] | quiet[1]); tick++) {
    probe_answer(run->s, &ear, run_x(run, tick), run_y(run, tick));
    if (!run->first && !run->from) {
      if (giving(&ear, set, 1) == set || giving(&ear, set, 2) == set || giving(&ear, set, 3) == set)
        continue;
      run->from = tick;
    }
    i32 phase = tick & 1;
    for (i32 pulse = 1; pulse <= 3; pulse++) {
      u64 spots = pulse == run->first ? 0 : giving(&ear, quiet[phase], pulse);
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

/* Whether a group's spots give one pulse where one goes on, arrows a triple: only then the log can hold it. */
static i32 is_read(const Run *run, u64 set, i32 pulses, i32 tick) {
  AnswerProbe ear = {0};
  probe_answer(run->s, &ear, run_x(run, tick), run_y(run, tick));
  if (pulses == 1 << 2) return giving(&ear, set, 3) == set;
  return giving(&ear, set, 1) == set || giving(&ear, set, 2) == set || giving(&ear, set, 3) == set;
}

/* Add a group that is heard, in the order of its first report; 0 if the log cannot hold it. */
static i32 add_heard(Run *run, u64 set, i32 pulses, i32 first, i32 last) {
  i32 at = run->count++;
  for (; at > 0 && run->list[at - 1].first > first; at--) run->list[at] = run->list[at - 1];
  last += run->s->reaction;
  run->list[at] = (Group){set,           last,      0, (i16)run_x(run, last), (i16)run_y(run, last),
                              (i16)pulses, 0, (i16)first, (i16)last};
  return is_read(run, set, pulses, last);
}

/* The spots that only a triple shows: together where they are shown at the same ticks. */
static i32 add_arrows(Run *run) {
  for (i32 i = 0; i < run->displays && run->arrows; i++)
    for (i32 j = i + 1; j < run->displays; j++) {
      const Display *a = &run->shown[i], *b = &run->shown[j];
      if (a->pulse != 3 || b->pulse != 3 || !((a->tick ^ b->tick) & 1)) continue;
      u64 both = a->spots & b->spots & run->arrows;
      if (both && !add_heard(run, both, 1 << 2, a->tick, b->tick)) return 0;
    }
  return 1;
}

/* The sets of spots with reports in common: displays of one pulse no further apart than the reaction
 * are one, and so are sets that share a spot. Returns how many. */
static i32 join_reports(const Run *run, u64 *joined) {
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

/* Whether a single or double of other spots may be reported between a group's first and last report. */
static i32 is_mixed_up(const Run *run, u64 set, i32 pulses, i32 first, i32 last) {
  i32 reaction = run->s->reaction;
  for (i32 i = 0; i < run->displays; i++) {
    const Display *d = &run->shown[i];
    if (d->pulse == 3 || !(pulses >> (d->pulse - 1) & 1) || !(d->spots & ~set)) continue;
    if (d->tick + reaction >= first && d->tick <= last + reaction) return 1;
  }
  return 0;
}

/* The groups of a run of a set along a leg (scan.h: Plans over runs). Returns how many; 0
 * where the reports of a group and another are not two intervals, or the log cannot hold a group. */
static i32 run_leg(const ScanListen *s, const State *state, const Leg *leg, const Places *places,
                   Group *list) {
  i32 x = state->x, y = scan_y_of(state->y), to_x = leg->x, to_y = leg->y;
  u64 set = state->set;
  Run run = {.s = s, .x = x, .y = y, .dx = to_x - x, .dy = to_y - y, .list = list};
  run.ticks = leg->ticks;
  if (s->plan->ground) run.places = places;
  watch(&run, set);
  u64 joined[4 * SCAN_ROUTE_SPOTS], end = run.late;
  i32 sets = join_reports(&run, joined);
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
    if (is_mixed_up(&run, joined[k], pulses, first, last)) return 0;
    if (!add_heard(&run, joined[k], pulses, first, last)) return 0;
  }
  if (!end) return run.count;
  i32 alone = !(end & (end - 1)) && run.count, ticks = run.ticks + s->plan->stop;
  if (alone) { /* known once nothing else can be reported */
    ticks = 0;
    for (i32 i = 0; i < run.count; i++) ticks = max32(ticks, list[i].ticks);
    to_x = run_x(&run, ticks);
    to_y = run_y(&run, ticks);
  }
  AnswerProbe ear = {0};
  probe_answer(s, &ear, to_x, to_y);
  for (i32 pulse = 1; pulse <= 3; pulse++) {
    u64 part = giving(&ear, end, pulse);
    if (!part) continue;
    list[run.count++] = (Group){part,       ticks, 0, (i16)to_x, (i16)to_y, (i16)(1 << (pulse - 1)),
                                    alone ? 2 : 1, 0,     0};
  }
  return run.count;
}

/* Whether a group has spots left to part: a triple's arrow names its spot. */
static inline i32 is_open(const Group *g) { return g->pulses != 1 << 2 && (g->set & (g->set - 1)); }

/* ---- the runs of a state, ranked ------------------------------------------------------- */

/* A place of a run of a state, with its level. */
static inline i32 row_at(const State *state, i32 y) { return scan_on_level(y, scan_level_of(state->y)); }

static double score_of(ScanListen *s, const State *state, const Leg *leg, const Places *places,
                       double worst) {
  Group list[SCAN_ROUTE_SPOTS];
  i32 n = run_leg(s, state, leg, places, list);
  if (!n || list[0].silent || (n == 1 && is_open(&list[0]))) return 1e18; /* nothing is heard */
  double sum = 0;
  for (i32 i = 0; i < n && sum < worst; i++) {
    const Group *g = &list[i];
    sum += popcount64(g->set) * g->ticks + scan_walks_to_spots(s->plan, g->x, row_at(state, g->y), g->set);
    if (is_open(g)) sum += scan_cost_to_go_runs(s->plan, g->set, g->x, g->y, g->pulses);
  }
  return sum;
}

/* The places of the walk to a tile; 0 where it is too long or there is none. */
static i32 find_places(const ScanListen *s, const State *state, Leg *leg, Places *places) {
  i32 base, steps = scan_trace(s->plan, leg->x, row_at(state, leg->y), &base);
  leg->ticks = (i16)((steps + 1) >> 1);
  if (steps < 1 || leg->ticks > LONGEST) return 0;
  for (i32 t = 0; t <= leg->ticks; t++) {
    places->x[t] = (i16)scan_traced_x(s->plan, min32(2 * t, steps));
    places->y[t] = (i16)scan_traced_y(s->plan, min32(2 * t, steps));
  }
  return 1;
}

static void offer(ScanListen *s, State *state, i32 x, i32 y) {
  if ((x == state->x && y == scan_y_of(state->y)) || scan_off_plane(x, y)) return;
  for (i32 i = 0; i < state->count; i++)
    if (state->legs[i].x == x && state->legs[i].y == y) return;
  double worst = state->count == state->room ? state->legs[state->room - 1].score : 1e18;
  Places places;
  Leg leg = {0, (i16)x, (i16)y, (i16)walk_between(state->x, scan_y_of(state->y), x, y), 0};
  if (s->plan->ground && !find_places(s, state, &leg, &places)) return;
  leg.score = score_of(s, state, &leg, &places, worst);
  if (leg.score >= worst) return;
  leg.slot = (i16)(state->count < state->room ? state->count : state->legs[state->room - 1].slot);
  i32 i = state->count < state->room ? state->count++ : state->room - 1;
  for (; i > 0 && state->legs[i - 1].score > leg.score; i--) state->legs[i] = state->legs[i - 1];
  state->legs[i] = leg;
  if (s->plan->ground) state->places[leg.slot] = places;
}

/* A run to a place, and one that passes it so far that what changes there is reported. */
static void offer_beyond(ScanListen *s, State *state, i32 x, i32 y) {
  i32 dx = x - state->x, dy = y - scan_y_of(state->y), beyond = 2 * (2 + s->reaction);
  offer(s, state, x, y);
  offer(s, state, x + clamp32(dx, -beyond, beyond), y + clamp32(dy, -beyond, beyond));
}

/* Straight on in a direction: runs that end where the first borders passed are reported. */
static void offer_ray(ScanListen *s, State *state, i32 dx, i32 dy) {
  u64 set = state->set;
  AnswerProbe ear = {0};
  i32 begin = scan_y_of(state->y), first = initial_answer(s, &ear, set, state->x, begin);
  i32 ends = 0, most = 6 * s->plan->range + 40, beyond = 2 * (2 + s->reaction);
  for (i32 far = 2; far <= most && ends < RAY_ENDS; far += 2) {
    i32 x = state->x + dx * far, y = begin + dy * far;
    probe_answer(s, &ear, x, y);
    i32 whole = 0;
    for (i32 pulse = 1; pulse <= 3; pulse++)
      if (giving(&ear, set, pulse) == set) whole = pulse;
    if (whole == first) continue;
    offer(s, state, x + dx * beyond, y + dy * beyond);
    if (!first) return;
    ends++;
    set = giving(&ear, set, first);
    if (!(set & (set - 1))) return;
  }
}

static void rank_legs(ScanListen *s, State *state) {
  state->room = 0;
  if (popcount64(state->set) <= FIXED_WIDTH_SPOTS) state->room = SMALL_LEGS;
  else
    while (state->room < MOST_LEGS && scan_price(state->room) <= state->discrepancies) state->room++;
  state->count = 0;
  take_axes(s, state->set);
  ScanAction scans[MOST_SCANS];
  i32 width = min32(MOST_SCANS, 2 * state->room + 4);
  i32 found = scan_generate(s->plan, state->set, state->x, state->y, SCAN_RANK_SEARCH, width, SCAN_EVERY,
                            scans);
  i32 level = scan_level_of(state->y);
  if (s->plan->ground && !scan_search_walks(s->plan, state->x, state->y)) return;
  for (i32 i = 0; i < found; i++)
    if (scans[i].level == level) offer_beyond(s, state, scans[i].x, scans[i].y);
  for (u64 rest = state->set; rest; rest &= rest - 1) {
    i32 spot = lowest64(rest);
    if (s->plan->floors.spot_level[spot] == level)
      offer(s, state, s->plan->x[spot], s->plan->y[spot]);
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
  state->discrepancies = known_allowance(set, discrepancies);
  state->limit = limit;
  state->asked = 0;
  state->best = SCAN_NEVER;
  state->best_leg = state->leg = -1;
  state->count = state->groups = state->group = 0;
  state->scan.x = SCAN_NOWHERE;
  i32 plain = known_allowance(set, max32(0, discrepancies - s->less));
  scan_search_start(s->search, &set, x, y, plain, 0, limit);
}

/* Advance to the next run whose lower bound is below the cutoff; 0 at the end. */
static i32 next_leg(ScanListen *s, State *state) {
  while (++state->leg < state->count) {
    const Leg *leg = &state->legs[state->leg];
    take_axes(s, state->set);
    state->groups = run_leg(s, state, leg, &state->places[leg->slot], state->list);
    state->group = state->sum = 0;
    state->cut_off = min32(state->best, state->limit);
    i32 small = popcount64(state->set) <= FIXED_WIDTH_SPOTS;
    state->passed_on = small ? 0 : max32(0, state->discrepancies - scan_price(state->leg));
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

static void absorb(State *state, i32 value) {
  state->sum += value - state->list[state->group++].bound;
  if (state->sum >= state->cut_off) state->group = state->groups; /* given up */
}

/* Look up or open the next group of the current run. */
static void next_group(ScanListen *s, State *state) {
  while (state->group < state->groups && !is_open(&state->list[state->group])) state->group++;
  if (state->group >= state->groups) {
    finish_leg(state);
    return;
  }
  const Group *g = &state->list[state->group];
  i32 limit = state->cut_off - (state->sum - g->bound), discrepancies = known_allowance(g->set, state->passed_on);
  i32 y = row_at(state, g->y);
  i32 known = table_probe(&s->known, g->set, g->x, y, discrepancies)->value;
  if (known > 0 || (known < 0 && -known >= limit)) absorb(state, abs32(known));
  else open_state(s, g->set, g->x, y, discrepancies, limit);
}

static void close_state(ScanListen *s) {
  State *state = &s->stack[s->depth - 1];
  i32 value = state->best < state->limit ? state->best : -state->best;
  table_store(&s->known, state->set, state->x, state->y, state->discrepancies, value);
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

/* The scan-only plan is found: take its total as cutoff and rank the runs. */
static void weigh_scan(ScanListen *s, State *state) {
  state->asked = 1;
  state->best = scan_search_value(s->search, &state->scan);
  rank_legs(s, state);
}

/* ---- the caller's side ----------------------------------------------------------------- */

EXPORT(i32, scan_listen_bytes)(void) { return (i32)sizeof(ScanListen); }

EXPORT(i32, scan_listen)(ScanListen *listen, ScanPlan *plan, ScanSearch *search, void *table,
                         i32 bits, i32 reaction) {
  if (reaction < 0 || reaction > SCAN_REACTION) return BAD;
  if (bits < 8 || bits > 21 || !seal_holds(plan, SCAN_PLAN)) return BAD;
  if (plan->on_the_way || !scan_search_of(search, plan)) return BAD;
  if (((uintptr_t)listen | (uintptr_t)table) & 15) return BAD;
  listen->plan = plan;
  listen->search = search;
  listen->reaction = reaction;
  known_begin(&listen->known, table, bits);
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
  if (!is_question(listen->plan, *set, x, y, discrepancies) || less < 0) return BAD;
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
    if (!state->asked) {
      i32 left = states - listen->states;
      i32 done = scan_search_run(listen->search, left);
      if (done < 0) return BAD;
      listen->states += done ? 1 : left;
      if (done) weigh_scan(listen, state);
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
