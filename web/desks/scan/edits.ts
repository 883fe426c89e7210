/** Actions of the player: each commits the next position, with a name for undo. */

import type { Context, Dig, Position, Observation as Seen, Tile } from "./model.js";
import { floorOf, nameOf, readingFor, ruledOutWith, spotsOf, spotsOnFloor } from "./model.js";
import { capital, words } from "./strings.js";
import { withStroke } from "./terrain.js";
import { keptFor } from "./transports.js";

export function stand(context: Context, tile: Tile) {
  context.commit({ ...context.position, ...spotsOnFloor(tile) }, words.stood(tile));
}

/** Stand on another floor; pulses at tiles keep the floor they were seen on. */
export function onFloor(context: Context, floor: number) {
  const { position } = context;
  context.commit({ ...position, floor }, words.onFloor(floor), { view: { chosen: "", otherLevel: "" } });
}

/** An observation, with the level sign if it was noticed. */
function seen(pulse: number, place: Seen, other: boolean | null): Seen {
  return { ...place, pulse, ...(other === null ? {} : { different_level: other }) };
}

/** A position with one more row; a level sign that was noticed counts from then on. */
function withRow(position: Position, row: Seen): Position {
  const sign = row.different_level === undefined ? {} : { levels: "use" as const };
  return { ...position, ...sign, observations: [...(position.observations ?? []), row] };
}

/** The "different level" sign as chosen next to the pulses; null if not noticed. */
const noticed = ({ view }: Context) => (view.otherLevel ? view.otherLevel === "yes" : null);

/**
 * @param other whether "different level" showed
 * @param here the new current tile
 */
export function observe(
  context: Context,
  pulse: number,
  tile: Tile,
  other: boolean | null = noticed(context),
  here = tile,
) {
  const { position } = context;
  const row = seen(pulse, { at: [...tile, floorOf(position)].slice(0, 3), pulse }, other);
  context.commit(withRow({ ...position, ...spotsOnFloor(here) }, row), words.saw(pulse, tile), {
    view: { chosen: "", otherLevel: "" },
  });
}

/** Add the rows of a run's outcome to the log. @param at the new current tile; by default the last row's */
export function ran(context: Context, rows: Seen[], at = rows.at(-1)?.at) {
  const { position } = context;
  if (!at) return;
  const here: Tile = [at[0], at[1]];
  context.commit(
    { ...position, here, observations: [...(position.observations ?? []), ...rows] },
    words.saw(rows.at(-1)?.pulse ?? 0, here),
    { view: { chosen: "", otherLevel: "" } },
  );
}

export function observeArea(context: Context, pulse: number, area: [number, number, number, number]) {
  const { position } = context;
  const row = seen(pulse, { area, pulse }, noticed(context));
  context.commit(withRow(position, row), words.sawArea(pulse), { view: { drawn: null, otherLevel: "" } });
}

/** @param change null removes the row */
export function changeRow(context: Context, index: number, change: Partial<Seen> | null) {
  const { position } = context;
  const rows = position.observations ?? [];
  const observations = change ? rows.with(index, { ...rows[index], ...change }) : rows.toSpliced(index, 1);
  context.commit({ ...position, observations }, words.changed(index));
}

/** Rule a spot out, or take it back. */
export function rule(context: Context, spot: number) {
  const { position } = context;
  const out = position.ruled_out ?? [];
  const gone = out.includes(spot);
  const next = gone ? out.filter((i) => i !== spot) : ruledOutWith(position, [spot]);
  context.commit({ ...position, ruled_out: next }, gone ? words.taken(spot) : words.ruled(spot));
}

/** After a triple: the arrow shows one of the spots left, so the others are ruled out. */
export function shown(context: Context, left: number[], spot: number) {
  const { position } = context;
  const others = left.filter((i) => i !== spot);
  context.commit({ ...position, ruled_out: ruledOutWith(position, others) }, words.arrowShows(spot));
}

export function paint(context: Context, box: [number, number, number, number], wall: boolean) {
  const { position } = context;
  const walls = withStroke(position, [...box, wall ? 1 : 0]);
  context.commit({ ...position, walls }, wall ? words.painted : words.erased);
}

export function clearWalls(context: Context) {
  const { walls, ...rest } = context.position;
  context.commit(rest, words.wallsGone);
}

export function addSpot(context: Context, tile: Tile) {
  const { position } = context;
  const spots = [...(position.spots ?? []), [...tile, floorOf(position)]];
  context.commit({ ...position, range: position.range ?? 20, spots }, words.added);
}

/** The numbers of later spots move down, so rule-outs move with them. */
export function removeSpot(context: Context, spot: number) {
  const { position } = context;
  const spots = (position.spots ?? []).toSpliced(spot, 1);
  const out = (position.ruled_out ?? [])
    .filter((i: number) => i !== spot)
    .map((i: number) => (i > spot ? i - 1 : i));
  context.commit({ ...position, spots, ruled_out: out }, words.removed);
}

export function clearAll(context: Context) {
  const { observations, ruled_out, practice, ...rest } = context.position;
  context.commit(rest, words.cleared, { view: { chosen: "", drawn: null, routeWalk: null, reveal: false } });
}

/** After a dig that found nothing: rule its spots out and stand there. */
export function dugInVain(context: Context, { spot, spots, at }: Dig) {
  const { position } = context;
  const ruled_out = ruledOutWith(position, spots ?? [spot]);
  context.commit({ ...position, ...(at ? spotsOnFloor(at) : {}), ruled_out }, words.dugInVain);
}

/** Switch to another region or other spots; settings stay. */
export function chooseClue(context: Context, clue: Partial<Position>) {
  const teleports = keptFor("teleports", context.view, clue.region);
  const stairs = keptFor("stairs", context.view, clue.region);
  const own = {
    ...readingFor(context.position, clue),
    ...(teleports.length ? { teleports } : {}),
    ...(stairs.length ? { stairs } : {}),
  };
  context.commit({ desk: "scan", v: 1, ...clue, ...own }, capital(nameOf(clue)), {
    view: {
      chosen: "",
      drawn: null,
      routeWalk: null,
      route: false,
      fewest: false,
      reveal: false,
      tool: "stand",
    },
  });
}

export function isEmpty(position: Position) {
  return spotsOf(position).length === 0;
}
