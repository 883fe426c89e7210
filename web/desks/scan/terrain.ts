/**
 * Terrain of a region, kept on this device for all hunts there: tiles on which the player cannot stand, and
 * a ground cut out of the game's collision files. Both join the position only in questions to the engine, so
 * that links do not carry them.
 */

import type { FloorWalls, Ground, Walls } from "../../types/scan.js";
import type { Position, View } from "./model.js";
import { floorOf, spotsOf } from "./model.js";
import { byId } from "./regions.js";

/** a tile where one cannot stand; without a level, of the lowest floor that has a spot */
export type Blocked = { region: number; at: number[] };
export type KeptGround = { region: number; ground: Ground; floors?: FloorWalls[] };
type Strokes = [number, number, number, number, number][];

const SIDE = 1280; // tiles of a collision file
const MEERKATS = 5;

export const blockedIn = (view: View, region?: number | null) =>
  region == null ? [] : (view.blocked ?? []).filter((one) => one.region === region);

function groundOf(view: View, region: number | null | undefined, floor: number) {
  const kept = (view.grounds ?? []).findLast((one) => one.region === region);
  if (kept && (kept.ground.level ?? 0) === floor) return kept.ground;
  return kept?.floors?.find(({ level }) => level === floor)?.ground ?? undefined;
}

/** The walls of one floor as a position has them, the tiles and the ground kept for its region included. */
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

/** The walls of a position with one more stroke: where it has stairs, on the floor one stands on alone. */
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

/** The position with the terrain that is kept for its region, as the engine is asked. */
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

/** Whether ways are planned on walls or a ground. */
export const hasWalls = (position: Position, view: View) => Boolean(withTerrain(position, view).walls);

/** Whether the engine knows where one can stand. */
export function hasGround(position: Position, view: View) {
  const { ground, floors = [] } = withTerrain(position, view).walls ?? {};
  return Boolean(ground || floors.some((one) => one.ground));
}

/** The names of the collision files that a region's ground is cut out of. */
export function collisionFiles(region: number) {
  const found = byId.get(region);
  if (!found) return [];
  const grow = 2 * (found.range + MEERKATS) + 1;
  const levels = found.spots.map((spot) => spot[2]);
  const [lowest, highest] = [Math.min(...levels), Math.max(...levels)];
  const floors = Array.from({ length: highest - lowest + 1 }, (_, i) => lowest + i);
  const filesOn = (axis: 0 | 1) => {
    const values = found.spots.map((spot) => spot[axis]);
    const first = Math.floor((Math.min(...values) - grow) / SIDE);
    const last = Math.floor((Math.max(...values) + grow) / SIDE);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  return floors.flatMap((floor) =>
    filesOn(1).flatMap((y) => filesOn(0).map((x) => `collision-${x}-${y}-${floor}.bin`)),
  );
}
