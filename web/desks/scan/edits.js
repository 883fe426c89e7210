/** Steps a player takes: each makes the next position and names itself for undo. */
import { floorOf, nameOf, readingFor, spotsOf, spotsOnFloor } from "./model.js";
import { stairsFor } from "./stairs.js";
import { capital, words } from "./strings.js";
import { keptFor } from "./teleports.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Position} Position */
/** @typedef {[number, number]} Tile */
/** @typedef {import("./model.js").Observation} Seen */

/** @param {Context} context @param {Tile} tile */
export function stand(context, tile) {
  context.commit({ ...context.position, ...spotsOnFloor(tile) }, words.stood(tile));
}

/** Stand on another floor; pulses at tiles keep the floor they were seen on. @param {Context} context @param {number} floor */
export function onFloor(context, floor) {
  const { position } = context;
  context.commit({ ...position, floor }, words.onFloor(floor), { view: { chosen: "", otherLevel: "" } });
}

/** What was seen, with the level sign where it was noticed. @param {number} pulse @param {Seen} place @param {boolean | null} other @returns {Seen} */
function seen(pulse, place, other) {
  return { ...place, pulse, ...(other === null ? {} : { different_level: other }) };
}

/** A position with one more row; a level sign that was noticed counts from then on. @param {Position} position @param {Seen} row @returns {Position} */
function withRow(position, row) {
  const sign = row.different_level === undefined ? {} : { levels: /** @type {const} */ ("use") };
  return { ...position, ...sign, observations: [...(position.observations ?? []), row] };
}

/** The "different level" sign as chosen next to the pulses; null where no one noticed. @param {Context} context */
const noticed = ({ view }) => (view.otherLevel ? view.otherLevel === "yes" : null);

/** @param {Context} context @param {number} pulse @param {Tile} tile @param {boolean | null} [other] whether "different level" showed */
export function observe(context, pulse, tile, other = noticed(context)) {
  const { position } = context;
  const row = seen(pulse, { at: [...tile, floorOf(position)].slice(0, 3), pulse }, other);
  context.commit(withRow({ ...position, ...spotsOnFloor(tile) }, row), words.saw(pulse, tile), {
    view: { chosen: "", otherLevel: "" },
  });
}

/** What came on a run, as the rows that tell it. @param {Context} context @param {Seen[]} rows */
export function ran(context, rows) {
  const { position } = context;
  const last = rows[rows.length - 1];
  if (!last.at) return;
  /** @type {Tile} */
  const here = [last.at[0], last.at[1]];
  context.commit(
    { ...position, here, observations: [...(position.observations ?? []), ...rows] },
    words.saw(last.pulse, here),
    { view: { chosen: "", otherLevel: "" } },
  );
}

/** @param {Context} context @param {number} pulse @param {[number, number, number, number]} area */
export function observeArea(context, pulse, area) {
  const { position } = context;
  const row = seen(pulse, { area, pulse }, noticed(context));
  context.commit(withRow(position, row), words.sawArea(pulse), { view: { drawn: null, otherLevel: "" } });
}

/** @param {Context} context @param {number} index @param {Partial<Seen> | null} change null removes the row */
export function changeRow(context, index, change) {
  const { position } = context;
  const rows = position.observations ?? [];
  const observations = change ? rows.with(index, { ...rows[index], ...change }) : rows.toSpliced(index, 1);
  context.commit({ ...position, observations }, words.changed(index));
}

/** Rule a spot out, or take it back. @param {Context} context @param {number} spot */
export function rule(context, spot) {
  const { position } = context;
  const out = position.ruled_out ?? [];
  const gone = out.includes(spot);
  const next = gone
    ? out.filter((/** @type {number} */ i) => i !== spot)
    : [...out, spot].sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  context.commit({ ...position, ruled_out: next }, gone ? words.taken(spot) : words.ruled(spot));
}

/** After a triple: the arrow shows one of the spots left, so the others are ruled out. @param {Context} context @param {number[]} left @param {number} spot */
export function shown(context, left, spot) {
  const { position } = context;
  const out = [...(position.ruled_out ?? []), ...left.filter((i) => i !== spot)];
  const ruled_out = out.sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  context.commit({ ...position, ruled_out }, words.arrowShows(spot));
}

/** @param {Context} context @param {[number, number, number, number]} box @param {boolean} wall */
export function paint(context, box, wall) {
  const { position } = context;
  const walls = position.walls ?? {};
  /** @type {[number, number, number, number, number][]} */
  const painted = [...(walls.painted ?? []), [...box, wall ? 1 : 0]];
  context.commit({ ...position, walls: { ...walls, painted } }, wall ? words.painted : words.erased);
}

/** @param {Context} context */
export function clearWalls(context) {
  const { walls, ...rest } = context.position;
  context.commit(rest, words.wallsGone);
}

/** @param {Context} context @param {Tile} tile */
export function addSpot(context, tile) {
  const { position } = context;
  const spots = [...(position.spots ?? []), [...tile, floorOf(position)]];
  context.commit({ ...position, range: position.range ?? 20, spots }, words.added);
}

/** The numbers of later spots move down, so rule-outs move with them. @param {Context} context @param {number} spot */
export function removeSpot(context, spot) {
  const { position } = context;
  const spots = (position.spots ?? []).toSpliced(spot, 1);
  const out = (position.ruled_out ?? [])
    .filter((/** @type {number} */ i) => i !== spot)
    .map((/** @type {number} */ i) => (i > spot ? i - 1 : i));
  context.commit({ ...position, spots, ruled_out: out }, words.removed);
}

/** @param {Context} context */
export function clearAll(context) {
  const { observations, ruled_out, practice, ...rest } = context.position;
  context.commit(rest, words.cleared, { view: { chosen: "", drawn: null, routeWalk: null, reveal: false } });
}

/** A dig there found nothing: these spots are ruled out, and one stands there. @param {Context} context @param {import("./model.js").Dig} dig */
export function dugInVain(context, { spot, spots, at }) {
  const { position } = context;
  const out = new Set([...(position.ruled_out ?? []), ...(spots ?? [spot])]);
  const ruled_out = [...out].sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  context.commit({ ...position, ...(at ? spotsOnFloor(at) : {}), ruled_out }, words.dugInVain);
}

/** Another clue: another region, other spots. Only what belongs to the old clue goes. @param {Context} context @param {Partial<import("./model.js").Position>} clue */
export function chooseClue(context, clue) {
  const teleports = keptFor(context.view, clue.region);
  const stairs = stairsFor(context.view, clue.region);
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

/** @param {import("./model.js").Position} position */
export function isEmpty(position) {
  return spotsOf(position).length === 0;
}
