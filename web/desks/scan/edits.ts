/** Actions of the player: each commits the next position under a name for undo. */

import type { Context, Dig, Position, Observation as Seen, Tile } from "./model.js";
import { floorOf, hereFields, nameOf, ruledOutWith, settingsFor, spotsOf } from "./model.js";
import { capital, words } from "./strings.js";
import { withStroke } from "./terrain.js";
import { savedFor } from "./transports.js";

export function stand(context: Context, tile: Tile) {
  context.commit({ ...context.position, ...hereFields(tile) }, words.stood(tile));
}

/** Go to another floor; observations stay on theirs. */
export function goToFloor(context: Context, floor: number) {
  const { position } = context;
  context.commit({ ...position, floor }, words.onFloor(floor), { view: { chosen: "", otherLevel: "" } });
}

/** An observation; `other` is the level sign, null if it was not noticed. */
function observation(pulse: number, place: Seen, other: boolean | null): Seen {
  return { ...place, pulse, ...(other === null ? {} : { different_level: other }) };
}

/** The position with one more row; once a level sign is noticed, all rows use it. */
function withRow(position: Position, row: Seen): Position {
  const sign = row.different_level === undefined ? {} : { levels: "use" as const };
  return { ...position, ...sign, observations: [...(position.observations ?? []), row] };
}

/** The level sign that is selected next to the pulses; null if it was not noticed. */
const levelSign = ({ view }: Context) => (view.otherLevel ? view.otherLevel === "yes" : null);

/**
 * @param other whether "different level" showed
 * @param here the new current tile
 */
export function observe(
  context: Context,
  pulse: number,
  tile: Tile,
  other: boolean | null = levelSign(context),
  here = tile,
) {
  const { position } = context;
  const row = observation(pulse, { at: [...tile, floorOf(position)].slice(0, 3), pulse }, other);
  context.commit(withRow({ ...position, ...hereFields(here) }, row), words.saw(pulse, tile), {
    view: { chosen: "", otherLevel: "" },
  });
}

/** Add the rows of a run's outcome to the log. @param at the new current tile; by default the last row's */
export function addRunRows(context: Context, rows: Seen[], at = rows.at(-1)?.at) {
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
  const row = observation(pulse, { area, pulse }, levelSign(context));
  context.commit(withRow(position, row), words.sawArea(pulse), { view: { drawn: null, otherLevel: "" } });
}

/** @param change null removes the row */
export function changeRow(context: Context, index: number, change: Partial<Seen> | null) {
  const { position } = context;
  const rows = position.observations ?? [];
  const observations = change ? rows.with(index, { ...rows[index], ...change }) : rows.toSpliced(index, 1);
  context.commit({ ...position, observations }, words.changed(index));
}

/** Rule a spot out, or undo that. */
export function toggleRuledOut(context: Context, spot: number) {
  const { position } = context;
  const out = position.ruled_out ?? [];
  const gone = out.includes(spot);
  const next = gone ? out.filter((i) => i !== spot) : ruledOutWith(position, [spot]);
  context.commit({ ...position, ruled_out: next }, gone ? words.taken(spot) : words.ruled(spot));
}

/** After a triple, rule out all spots but the one that the arrow shows. */
export function chooseArrowSpot(context: Context, left: number[], spot: number) {
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

/** Later spots move down by one, and so do the numbers in `ruled_out`. */
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

/** After a dig that found nothing: rule out its spots and stand there. */
export function recordEmptyDig(context: Context, { spot, spots, at }: Dig) {
  const { position } = context;
  const ruled_out = ruledOutWith(position, spots ?? [spot]);
  context.commit({ ...position, ...(at ? hereFields(at) : {}), ruled_out }, words.dugInVain);
}

/** Switch to another region or other spots; settings stay. */
export function chooseClue(context: Context, clue: Partial<Position>) {
  const teleports = savedFor("teleports", context.view, clue.region);
  const stairs = savedFor("stairs", context.view, clue.region);
  const own = {
    ...settingsFor(context.position, clue),
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
