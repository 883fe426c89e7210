/**
 * Terrain of a region, kept on this device for all hunts there: tiles on which the player cannot stand, and
 * a ground cut out of the game's collision files. Both join the position only in questions to the engine, so
 * that links do not carry them.
 */

import type { Ground } from "../../types/scan.js";
import type { Position, View } from "./model.js";
import { byId } from "./regions.js";

/** a tile where one cannot stand */
export type Blocked = { region: number; at: number[] };
export type KeptGround = { region: number; ground: Ground };

const SIDE = 1280; // tiles of a collision file
const MEERKATS = 5;

export const blockedIn = (view: View, region?: number | null) =>
  region == null ? [] : (view.blocked ?? []).filter((one) => one.region === region);

const groundOf = (view: View, region?: number | null) =>
  (view.grounds ?? []).findLast((one) => one.region === region)?.ground;

/** The position with the terrain that is kept for its region, as the engine is asked. */
export function withTerrain(position: Position, view: View): Position {
  if (position.stairs?.length) return position; // ways over floors are planned without walls
  const blocked = blockedIn(view, position.region);
  const ground = position.walls?.grid ? undefined : groundOf(view, position.region);
  if (!blocked.length && !ground) return position;
  const tiles: [number, number, number, number, number][] = blocked.map(({ at: [x, y] }) => [x, y, x, y, 1]);
  const painted = [...(position.walls?.painted ?? []), ...tiles];
  return {
    ...position,
    walls: { ...position.walls, ...(ground ? { ground } : {}), ...(painted.length ? { painted } : {}) },
  };
}

/** Whether ways are planned on walls or a ground. */
export const hasWalls = (position: Position, view: View) => Boolean(withTerrain(position, view).walls);

/** Whether the engine knows where one can stand. */
export const hasGround = (position: Position, view: View) =>
  Boolean(withTerrain(position, view).walls?.ground);

/** The names of the collision files that a region's ground is cut out of. */
export function collisionFiles(region: number) {
  const found = byId.get(region);
  if (!found) return [];
  const grow = 2 * (found.range + MEERKATS) + 1;
  const floor = Math.min(...found.spots.map((spot) => spot[2]));
  const filesOn = (axis: 0 | 1) => {
    const values = found.spots.map((spot) => spot[axis]);
    const first = Math.floor((Math.min(...values) - grow) / SIDE);
    const last = Math.floor((Math.max(...values) + grow) / SIDE);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  return filesOn(1).flatMap((y) => filesOn(0).map((x) => `collision-${x}-${y}-${floor}.bin`));
}
