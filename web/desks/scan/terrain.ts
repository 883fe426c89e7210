/**
 * Terrain of a region, saved on this device for all hunts there: blocked tiles, and a ground from the game's
 * collision files. Both are added to the position only in requests, so that links do not contain them.
 */

import type { FloorWalls, Ground, Walls } from "../../types/scan.js";
import type { Position, View } from "./model.js";
import { floorOf, MEERKATS, spotsOf } from "./model.js";
import { byId } from "./regions.js";

/** a blocked tile; without a floor, on the lowest one that has a spot */
export type BlockedTile = { region: number; at: number[] };
/** the ground of a region, from collision files */
export type SavedGround = { region: number; ground: Ground; floors?: FloorWalls[] };
type Strokes = [number, number, number, number, number][];

const FILE_TILES = 1280; // on each side of a collision file

/** The blocked tiles of a region. */
export const blockedIn = (view: View, region?: number | null) =>
  region == null ? [] : (view.blocked ?? []).filter((one) => one.region === region);

/** The saved ground of a floor of a region. */
function groundOf(view: View, region: number | null | undefined, floor: number) {
  const saved = (view.grounds ?? []).findLast((one) => one.region === region);
  if (saved && (saved.ground.level ?? 0) === floor) return saved.ground;
  return saved?.floors?.find(({ level }) => level === floor)?.ground ?? undefined;
}

/** The walls of one floor, with the blocked tiles and the ground saved for its region. */
function wallsOn(position: Position, view: View, floor: number): Omit<Walls, "floors"> {
  const { floors = [], ...every } = position.walls ?? {};
  const { level: _, ...own } = floors.find(({ level }) => level === floor) ?? { level: floor, ...every };
  const ground = own.grid ? undefined : groundOf(view, position.region, floor);
  const lowest = Math.min(...spotsOf(position).map((spot) => spot[2]));
  const tiles = blockedIn(view, position.region).filter(({ at }) => (at[2] ?? lowest) === floor);
  const painted: Strokes = [
    ...(own.painted ?? []),
    ...tiles.map(({ at: [x, y] }): Strokes[number] => [x, y, x, y, 1]),
  ];
  return { ...own, ...(ground ? { ground } : {}), ...(painted.length ? { painted } : {}) };
}

/** The walls of a position with one more stroke: with stairs only on the current floor. */
export function withStroke(position: Position, stroke: Strokes[number]): Walls {
  const { floors = [], ...every } = position.walls ?? {};
  const floor = floorOf(position);
  const own = floors.find(({ level }) => level === floor);
  if (!own && !position.stairs?.length) {
    return { ...position.walls, painted: [...(every.painted ?? []), stroke] };
  }
  const { painted = [], ...rest } = own ?? { level: floor, ...every };
  const others = floors.filter(({ level }) => level !== floor);
  return { ...every, floors: [...others, { ...rest, painted: [...painted, stroke] }] };
}

/** The position of a request: with the terrain saved for its region. */
export function withTerrain(position: Position, view: View): Position {
  const stairs = position.stairs ?? [];
  const ends = stairs.flatMap(({ at, to }) => [at[2], to[2]]);
  const floors = new Set([floorOf(position), ...ends, ...spotsOf(position).map((spot) => spot[2])]);
  if (!stairs.length || floors.size === 1) {
    const walls = wallsOn(position, view, floorOf(position));
    return Object.keys(walls).length ? { ...position, walls } : position;
  }
  const each = [...floors].sort().map((level) => ({ level, ...wallsOn(position, view, level) }));
  const some = each.some((walls) => Object.keys(walls).length > 1);
  return some ? { ...position, walls: { floors: each } } : position;
}

/** Whether plans use walls or a ground. */
export const hasWalls = (position: Position, view: View) => Boolean(withTerrain(position, view).walls);

/** Whether some floor has a ground. */
export function hasGround(position: Position, view: View) {
  const { ground, floors = [] } = withTerrain(position, view).walls ?? {};
  return Boolean(ground || floors.some((one) => one.ground));
}

/** The names of the collision files of a region's ground. */
export function collisionFiles(region: number) {
  const found = byId.get(region);
  if (!found) return [];
  const grow = 2 * (found.range + MEERKATS) + 1;
  const levels = found.spots.map((spot) => spot[2]);
  const [lowest, highest] = [Math.min(...levels), Math.max(...levels)];
  const floors = Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
  const filesOn = (axis: 0 | 1) => {
    const values = found.spots.map((spot) => spot[axis]);
    const first = Math.floor((Math.min(...values) - grow) / FILE_TILES);
    const last = Math.floor((Math.max(...values) + grow) / FILE_TILES);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  return floors.flatMap((floor) =>
    filesOn(1).flatMap((y) => filesOn(0).map((x) => `collision-${x}-${y}-${floor}.bin`)),
  );
}
