/** The position and the view of the scan desk, facts derived from them, and the model of the map. */

import type {
  Change,
  Classes,
  NextOptions,
  Verbs as SchemaVerbs,
  Stairs,
  Teleport,
} from "../../types/scan.js";
import type { Areas, MapModel } from "../../widgets/map/geometry.js";
import { classAt, factsOf, stepsBetween } from "../../widgets/map/geometry.js";
import { byId } from "./regions.js";
import { capital, words } from "./strings.js";
import type { BlockedTile, SavedGround } from "./terrain.js";
import type { Saved } from "./transports.js";

export type Tile = [number, number];
export type Advice = Omit<import("../../types/scan.js").Advice, "options" | "dig"> & {
  options: NextOption[];
  dig?: Dig;
};
export type Dig = Omit<import("../../types/scan.js").Dig, "uses"> & { uses?: Use[] };
export type Route = Omit<import("../../types/scan.js").Route, "tree" | "start"> & { tree: Node; start: Tile };
export type Hidden = Omit<import("../../types/scan.js").Hidden, "start"> & { start: Tile };
/** Results whose tiles are pairs and whose route has a typed tree. */
type Narrowed = { next: { result: Advice }; route: { result: Route }; practice: { result: Hidden } };
export type Verbs = {
  [V in keyof SchemaVerbs]: V extends keyof Narrowed
    ? Omit<SchemaVerbs[V], "result"> & Narrowed[V]
    : SchemaVerbs[V];
};
export type Observation = Omit<import("../../types/scan.js").Observation, "pulse"> & { pulse: number };
export type Position = Omit<import("../../types/scan.js").Position, "observations"> & {
  observations?: Observation[];
};
export type NextOption = Omit<import("../../types/scan.js").NextOption, "tile" | "uses"> & {
  tile: Tile;
  uses?: Use[];
};
export type { Classes };
/** the outcome of a run */
export type RunOutcome = Omit<Change, "at" | "leaves" | "rows"> & { at: Tile; rows: Observation[] };
/** An ability, a teleport or stairs used on a path. */
export type Use = {
  ability: "dive" | "surge" | "escape" | "teleport" | "stairs";
  tick: number;
  at: Tile;
  to: Tile;
  name?: string;
};
export type { Stairs, Teleport };
export type DigWalk = { spot: number; walk_ticks: number; uses?: Use[] };
/** A node of a route: a scan or run with the node after each answer, a dig, or a leaf. */
export type Node = {
  tile?: Tile;
  room?: number;
  at?: Tile;
  left?: number;
  answers?: Record<string, Node>;
  heard?: (RunOutcome & { then: Node })[];
  spot?: number;
  spots?: number[];
  dig?: Tile;
  else?: Node;
  walk_ticks?: number;
  uses?: Use[];
  digs?: DigWalk[];
};
/** available abilities: charges of Surge and Escape, Dive, the perk Mobile */
export type Abilities = { surge?: number; dive?: boolean; escape?: number; mobile?: boolean };
export interface View {
  /** the tool for the map */
  tool?: string;
  /** key of the option whose details are open */
  chosen?: string;
  /** the area drawn on the map */
  drawn?: [number, number, number, number] | null;
  /** whether "different level" showed: "yes", "no", "" if not noticed */
  otherLevel?: string;
  /** the map of the sign above or below is open */
  afar?: boolean;
  /** ticks of a scan */
  stop?: number;
  policy?: NonNullable<NextOptions["policy"]>;
  /** the pulse is watched while running */
  listen?: boolean;
  /** ticks until a change of the pulse is reported */
  reaction?: number;
  /** the panel of the whole route is open */
  route?: boolean;
  /** abilities for it */
  abilities?: Abilities;
  /** saved teleports, of every region */
  teleports?: Saved<"teleports">[];
  /** the list of this clue's teleports is open */
  ports?: boolean;
  /** saved stairs, of every region */
  stairs?: Saved<"stairs">[];
  /** blocked tiles, of every region */
  blocked?: BlockedTile[];
  /** terrain from collision files, by region */
  grounds?: SavedGround[];
  /** the list of this clue's stairs is open */
  flights?: boolean;
  routeSeconds?: number;
  /** the answers chosen so far in one route, their rows for the log, and that route */
  routeWalk?: { key: string; answers: string[]; rows: Observation[]; found?: Route | null } | null;
  /** the panel of the fewest scans is open */
  fewest?: boolean;
  /** the list of pulses by spot is open */
  profile?: boolean;
  /** the panel of practice is open */
  practice?: boolean;
  /** advice during practice */
  hint?: boolean;
  /** the reviewed hunt: its spot, its number of scans */
  lookback?: { spot: number; scans: number } | null;
  /** the spot of the practice is shown */
  reveal?: boolean;
  reach?: boolean;
  /** the map shows numbers, borders and numbered spots */
  study?: boolean;
  shownSpot?: number | null;
  picture?: import("./map-images.js").SavedPicture | null;
  pictures?: import("./map-images.js").SavedPicture[];
}
export type Asked = {
  classes: "classes";
  walked: "classes";
  next: "next";
  route: "route";
  fewest: "fewest";
  doubt: "doubt";
  listen: "listen";
  review: "review";
};
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked };
export type Context = import("../desk.js").Context<Desk>;
export type Requests = import("../desk.js").Requests<Desk>;

const [MIN_COORDINATE, MAX_COORDINATE] = [-2000, 15000];
export const MEERKATS = 5; // tiles added to the range
const STOP = 3; // ticks, about the time to look and press
export const MOST_STOP = 10;
export const MOST_REACTION = 4;

export function spotsOf(position: Position): [number, number, number][] {
  const region = byId.get(position.region ?? -1);
  if (region) return region.spots;
  return (position.spots ?? []).map((s: number[]) => [s[0], s[1], s[2] ?? 0]);
}

export function rangeOf(position: Position): number {
  const range = byId.get(position.region ?? -1)?.range ?? position.range ?? 0;
  return range + (position.meerkats ? MEERKATS : 0);
}

export function nameOf(position: Position) {
  return byId.get(position.region ?? -1)?.name ?? words.ownSpots;
}

/** The options of plans in which the pulse is watched while running. */
export function listenOptions(view: View) {
  return view.listen ? { listen: true, reaction: view.reaction ?? 1 } : {};
}

export const NO_ABILITIES: Required<Abilities> = { surge: 0, dive: false, escape: 0, mobile: false };

/** The abilities that plans use; null without any. */
export function abilitiesOf(view: View): Abilities | null {
  const abilities = { ...NO_ABILITIES, ...view.abilities };
  return abilities.surge || abilities.dive || abilities.escape ? abilities : null;
}

/** The spot nearest to a tile, of the spots left if they are known. */
export function nearestSpot(context: Context, [x, y]: number[]): { spot: number; at: number[] } | null {
  const left = leftOf(context);
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [spot, at] of spotsOf(context.position).entries()) {
    if (left?.size && !left.has(spot)) continue;
    const away = stepsBetween(at, [x, y]);
    if (away < least) [best, least] = [{ spot, at }, away];
  }
  return best;
}

/** The ticks of a scan, STOP if the saved value is invalid. */
export function stopOf(view: View): number {
  const { stop = STOP } = view;
  return Number.isInteger(stop) && stop >= 0 && stop <= MOST_STOP ? stop : STOP;
}

const [HALF_WORLD, WORLD] = [6400, 12800];

/** Pulse by Chebyshev distance, the same rule as in the engine. */
export function pulseOf(tile: Tile, spot: number[], range: number) {
  const distance = stepsBetween(tile, spot);
  return distance <= range ? 3 : distance <= 2 * range ? 2 : 1;
}

/** The tile above or below: dungeons lie 6400 tiles north of what is above them. */
export const complementOf = ([x, y]: number[]): Tile => [x, (((y + HALF_WORLD) % WORLD) + WORLD) % WORLD];

/** The fields of a position for a current tile; with stairs it has a floor. */
export const hereFields = ([x, y, floor]: number[]): { here: Tile; floor?: number } => ({
  here: [x, y],
  ...(floor === undefined ? {} : { floor }),
});

/** `ruled_out` with more spots. */
export const ruledOutWith = ({ ruled_out: out = [] }: Position, spots: number[]) =>
  [...new Set([...out, ...spots])].sort((a, b) => a - b);

/** The current floor: the position's, else the lowest that has a spot. */
export function floorOf(position: Position): number {
  const levels = spotsOf(position).map(([, , level]) => level);
  return position.floor ?? (levels.length ? Math.min(...levels) : 0);
}

/** The current tile: `here`, else that of the last pulse or the start of the practice; null if unknown. */
export function hereOf(position: Position): Tile | null {
  if (position.here) return position.here;
  const last = (position.observations ?? []).findLast((o) => !o.ignored);
  if (last?.at) return [last.at[0], last.at[1]];
  if (last?.area) return middleOf(last.area);
  const start = position.practice?.start;
  return start ? [start[0], start[1]] : null;
}

/** Parse the coordinates of a tile, with its floor if there is one; throws an error for the player. */
export function parseTile(text: string): Tile {
  const numbers = /^[\d\s,;:()[\]xyz=.-]+$/i.test(text) ? (text.match(/-?\d+/g) ?? []).map(Number) : [];
  const [x, y, level = 0] = numbers;
  if (numbers.length < 2 || numbers.length > 3 || /\d\.\d/.test(text)) throw new Error(words.placeWanted);
  for (const value of [x, y])
    if (value < MIN_COORDINATE || value > MAX_COORDINATE)
      throw new Error(words.offMap(value, MIN_COORDINATE, MAX_COORDINATE));
  if (level < 0 || level > 3) throw new Error(words.offLevel(level));
  return numbers as unknown as Tile;
}

/** The settings that another clue takes over; the level sign counts if its spots are on several floors. */
export function settingsFor(
  { meerkats, levels, slack, misread }: Position,
  clue: Partial<Position>,
): Partial<Position> {
  const floors = new Set(spotsOf(clue).map(([, , level]) => level));
  const sign = levels ?? (floors.size > 1 ? "use" : undefined);
  return {
    ...(meerkats ? { meerkats } : {}),
    ...(sign ? { levels: sign } : {}),
    ...(slack ? { slack } : {}),
    ...(misread ? { misread } : {}),
  };
}

/** The start of plans: the current tile; if unknown, the start of the advice, else the middle of the spots. */
export function startOf({ position, replies }: Context): Tile {
  const from = replies.next?.value?.from_tile;
  const spots = spotsOf(position);
  return (
    hereOf(position) ?? (from ? [from[0], from[1]] : spots.length ? middleOf(boundsOf(spots, 0)) : [0, 0])
  );
}

const middleOf = ([x0, y0, x1, y1]: number[]): Tile => [Math.floor((x0 + x1) / 2), Math.floor((y0 + y1) / 2)];

/** A key of the clue: the region or the spots. */
const clueKey = ({ region, spots }: Position) => String(region ?? JSON.stringify(spots));

/** the clue of each result of `classes` */
const clueOfResult: WeakMap<object, string> = new WeakMap();

/** The result of `classes`, if it is for this clue. */
export function classesOf({ position, replies }: Context, key: "classes" | "walked" = "classes") {
  const reply = replies[key];
  if (!reply?.value) return null;
  if (!reply.stale && !clueOfResult.has(reply.value)) clueOfResult.set(reply.value, clueKey(position));
  return clueOfResult.get(reply.value) === clueKey(position) ? reply.value : null;
}

/** The bounding box of tiles, extended by `grow` on each side. */
function boundsOf(spots: number[][], grow: number): [number, number, number, number] {
  const xs = spots.map((s) => s[0]);
  const ys = spots.map((s) => s[1]);
  return [Math.min(...xs) - grow, Math.min(...ys) - grow, Math.max(...xs) + grow, Math.max(...ys) + grow];
}

/** The pulses at a tile: of each spot left, and the spots by pulse. */
export function pulsesAt(context: Context, tile: Tile) {
  const spots = spotsOf(context.position);
  const range = rangeOf(context.position);
  const left = [...(leftOf(context) ?? [])];
  const pulses = left.map((spot) => pulseOf(tile, spots[spot], range));
  const by = [1, 2, 3].map((pulse) => left.filter((_, i) => pulses[i] === pulse));
  return { left, pulses, by };
}

/** The box that the map shows at first. */
export function boxOf(position: Position): [number, number, number, number] {
  const spots = spotsOf(position);
  return spots.length ? boundsOf(spots, Math.round(1.2 * rangeOf(position)) + 3) : [3200, 3200, 3263, 3263];
}

/** The bounding box of the spots left, the current tile and the target. */
function boundsOfRemaining(
  context: Context,
  left: Set<number>,
  target: Tile | null,
): [number, number, number, number] | null {
  const { position } = context;
  const spots = spotsOf(position);
  const remaining = [...left].map((i) => spots[i]).filter((spot) => spot);
  if (!remaining.length) return null;
  return boundsOf(
    [...remaining, startOf(context), ...(target ? [target] : [])],
    Math.ceil(rangeOf(position) / 4) + 2,
  );
}

/** The spots left; null if unknown. */
export function leftOf(context: Context): Set<number> | null {
  if (context.replies.classes?.fault?.kind === "contradiction") return new Set();
  const left = classesOf(context)?.left;
  return left ? new Set(left) : null;
}

/** After a triple, the spots that its arrow may show; null if there is no choice. */
export function arrowOf(context: Context): number[] | null {
  const { position, replies } = context;
  const seen = (position.observations ?? []).findLast((o) => !o.ignored);
  if (seen?.pulse !== 3 || position.practice || replies.classes?.stale) return null;
  const left = position.misread && seen.at ? tripleSpots(position, seen.at) : [...(leftOf(context) ?? [])];
  return left.length > 1 ? left : null;
}

/** The spots with a triple at a tile. With misread pulses the arrow may also show unlikely ones. */
function tripleSpots(position: Position, [x, y]: number[]): number[] {
  const range = rangeOf(position) + (position.slack ?? 0);
  const out = new Set(position.ruled_out ?? []);
  return spotsOf(position).flatMap((spot, i) =>
    !out.has(i) && pulseOf([x, y], spot, range) === 3 ? [i] : [],
  );
}

/** The areas of the position, or of the current step of a planned route. */
export function areasOf(context: Context, key: "classes" | "walked" = "classes"): Areas | null {
  const reply = context.replies[key];
  const window = classesOf(context, key)?.window;
  if (!window || !reply?.arrays.labels || reply.fault) return null;
  if (cached?.from !== reply.arrays)
    cached = {
      from: reply.arrays,
      areas: { ox: window[0], oy: window[2], ...reply.arrays } as unknown as Areas,
    };
  return cached.areas;
}

/** `areasOf` returns the same object for the same arrays, so that the map is not redrawn */
let cached: { from: object; areas: Areas } | null = null;

/** The landings of teleports, and the ends of stairs on this floor, named by the floor of the other end. */
function placesOf({ teleports = [], stairs = [] }: Position, floor: number): MapModel["places"] {
  const ports = teleports.map(({ at: [x, y], name }, i) => ({ x, y, name: name || words.teleport.name(i) }));
  const ends = stairs.flatMap(({ at, to }) => [
    { from: at, level: to[2] },
    { from: to, level: at[2] },
  ]);
  const here = ends.filter(({ from }) => from[2] === floor);
  return [...ports, ...here.map(({ from: [x, y], level }) => ({ x, y, name: words.stairEnd(floor, level) }))];
}

/** The part of a path on a floor: before the first tile on another, or with `last` after the last one. */
function pathOnFloor(path: number[][], floor: number, last: boolean): Tile[] {
  const off = (tile: number[]) => (tile[2] ?? floor) !== floor;
  const i = last ? path.findLastIndex(off) + 1 : path.findIndex(off);
  return (last ? path.slice(i) : path.slice(0, i < 0 ? undefined : i)) as Tile[];
}

/** The observations at tiles; those on other floors are faded. */
function pulseMarks(
  rows: Observation[],
  doubted: Set<number>,
  away: (level: number | undefined) => boolean,
): MapModel["marks"] {
  return rows.flatMap(({ at, pulse, ignored }, i) => {
    const off = Boolean(ignored) || away(at?.[2]);
    return at ? [{ x: at[0], y: at[1], pulse, off, doubted: doubted.has(i) }] : [];
  });
}

/**
 * The model of one floor of the map.
 * @param parts `walked` is the set of spots left at the current step of a planned route; `uses` are the
 *   abilities, teleports and stairs on the path
 */
export function mapModel(
  context: Context,
  {
    target,
    path,
    uses = [],
    pictures,
    walked = null,
    floor,
    landmarks = [],
  }: {
    target: Tile | null;
    path: Tile[];
    uses?: Use[];
    pictures: MapModel["pictures"];
    walked?: Set<number> | null;
    floor?: number;
    landmarks?: MapModel["places"];
  },
): MapModel {
  const { position, view, replies } = context;
  const now = floorOf(position);
  const level = floor ?? now;
  const away = (other: number | undefined) => position.levels === "use" && (other ?? level) !== level;
  const spots = spotsOf(position);
  const range = rangeOf(position);
  const faded = fadedMap(context);
  const left = walked ?? leftOf(faded);
  const areas = arrowOf(faded) || left?.size === 1 ? null : areasOf(faded, walked ? "walked" : "classes"); // the arrow decides, no area
  const named = faded === context ? areas : null; // numbers of areas belong to the present position
  const out = new Set(position.ruled_out ?? []);
  const observations = position.observations ?? [];
  const doubted = new Set((replies.doubt?.value?.smallest ?? []).flat());
  const shown = view.shownSpot;
  return {
    label: words.mapLabel(capital(nameOf(position)), (walked ?? leftOf(context))?.size ?? spots.length),
    place: `${position.region ?? ""}/${position.region ? "" : spots.length > 0}/${range}`,
    box: boxOf(position),
    near: left && left.size < spots.length ? boundsOfRemaining(context, left, target) : null,
    range,
    areas,
    stale: Boolean(replies.classes?.stale) && !replies.classes?.fault,
    spots: spots.map(([x, y, z], i) => ({
      x,
      y,
      other: away(z),
      name: String(i + 1),
      open: left ? left.has(i) : !out.has(i),
      out: out.has(i),
      chosen: shown === i,
    })),
    marks: pulseMarks(observations, doubted, away),
    regions: [
      ...observations.flatMap(({ area, ignored }) => (area ? [{ rect: area, off: Boolean(ignored) }] : [])),
      ...(view.tool === "area" && view.drawn ? [{ rect: view.drawn, off: false }] : []),
    ],
    here: away(now) ? null : hereOf(position),
    target: target && away((target as number[])[2]) ? null : target,
    path: pathOnFloor(path, level, floor !== undefined),
    hops: uses
      .filter(({ ability, to }) => ability !== "stairs" && !away((to as number[])[2]))
      .map(({ ability, at, to }) => ({ from: at, to, name: words.abilities[ability] })),
    places: placesOf(position, level),
    landmarks: view.study ? [] : landmarks,
    plain: !view.study && !arrowOf(context),
    reach: Boolean(view.reach),
    draws: ["area", "wall", "free"].includes(view.tool ?? ""),
    inspects: (view.tool ?? "stand") === "stand" && !position.practice,
    pictures,
    classAt: (x, y) => (areas ? classAt(areas, x, y) : -1),
    describe: (x, y) => describeTile(context, named, [x, y]),
    words: words.map,
  };
}

/** The context with the previous areas, which the map shows faded until the new ones arrive. */
function fadedMap(context: Context): Context {
  const { position, replies } = context;
  const { classes } = replies;
  const { before } = classes ?? {};
  const asked = before?.request.position as Partial<Position> | undefined;
  const sameSpots = asked?.region === position.region && `${asked?.spots}` === `${position.spots}`;
  if (!classes?.stale || !before || !sameSpots) return context;
  return { ...context, replies: { ...replies, classes: { ...classes, ...before, stale: false } } };
}

/** A tile as text. */
function describeTile({ position }: Context, areas: Areas | null, tile: Tile) {
  if (!areas) return words.tile(tile);
  const number = classAt(areas, ...tile);
  const spots = spotsOf(position);
  const spot = spots.findIndex((s) => s[0] === tile[0] && s[1] === tile[1]);
  const name = spot < 0 ? "" : words.spotHere(spot, position.levels === "use" ? spots[spot][2] : null);
  if (number < 0) return `${words.tile(tile)}${name}${words.noArea}`;
  return `${words.tile(tile)}${name} · ${words.area(factsOf(areas, number))}`;
}
