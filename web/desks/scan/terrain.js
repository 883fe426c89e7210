/**
 * Terrain of a region, kept on this device for all hunts there: tiles on which the player cannot stand, and
 * a ground cut out of the game's collision files. Both join the position only in questions to the engine, so
 * that links do not carry them.
 */
import { byId } from "./regions.js";

/** @typedef {import("./model.js").Position} Position */
/** @typedef {import("./model.js").View} View */
/** @typedef {{region: number, at: number[]}} Blocked a tile where one cannot stand */
/** @typedef {{region: number, ground: import("../../types/scan.js").Ground}} KeptGround */

const SIDE = 1280; // tiles of a collision file
const MEERKATS = 5;

/** @param {View} view @param {number | null} [region] */
export const blockedIn = (view, region) =>
  region == null ? [] : (view.blocked ?? []).filter((one) => one.region === region);

/** @param {View} view @param {number | null} [region] */
const groundOf = (view, region) => (view.grounds ?? []).findLast((one) => one.region === region)?.ground;

/** The position with the terrain that is kept for its region, as the engine is asked. @param {Position} position @param {View} view @returns {Position} */
export function withTerrain(position, view) {
  if (position.stairs?.length) return position; // ways over floors are planned without walls
  const blocked = blockedIn(view, position.region);
  const ground = position.walls?.grid ? undefined : groundOf(view, position.region);
  if (!blocked.length && !ground) return position;
  /** @type {[number, number, number, number, number][]} */
  const tiles = blocked.map(({ at: [x, y] }) => [x, y, x, y, 1]);
  const painted = [...(position.walls?.painted ?? []), ...tiles];
  return {
    ...position,
    walls: { ...position.walls, ...(ground ? { ground } : {}), ...(painted.length ? { painted } : {}) },
  };
}

/** Whether ways are planned on walls or a ground. @param {Position} position @param {View} view */
export const hasWalls = (position, view) => Boolean(withTerrain(position, view).walls);

/** Whether the engine knows where one can stand. @param {Position} position @param {View} view */
export const hasGround = (position, view) => Boolean(withTerrain(position, view).walls?.ground);

/** The names of the collision files that a region's ground is cut out of. @param {number} region */
export function collisionFiles(region) {
  const found = byId.get(region);
  if (!found) return [];
  const grow = 2 * (found.range + MEERKATS) + 1;
  const floor = Math.min(...found.spots.map((spot) => spot[2]));
  const filesOn = (/** @type {0 | 1} */ axis) => {
    const values = found.spots.map((spot) => spot[axis]);
    const first = Math.floor((Math.min(...values) - grow) / SIDE);
    const last = Math.floor((Math.max(...values) + grow) / SIDE);
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  };
  return filesOn(1).flatMap((y) => filesOn(0).map((x) => `collision-${x}-${y}-${floor}.bin`));
}
