/** Where teleports land in a region: landmarks for directions in a player's words, and teleports to plan with. */

import { html, nothing } from "../../vendor.js";
import { compassPoint, stepsBetween } from "../../widgets/map/geometry.js";
import type { OnSelect } from "../../widgets/on.js";
import type { Context, Tile } from "./model.js";
import type { Landing } from "./regions.js";
import { landingsIn } from "./regions.js";
import { words } from "./strings.js";

/** The landings of the region, those of the player's own teleports first. */
export function landingsOf({ position, view }: Context): Landing[] {
  const rows = position.region == null ? [] : landingsIn(position.region);
  const own = new Set((view.teleports ?? []).map((one) => one.name));
  return rows.sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)));
}

/** Where a landing is: with its floor only where stairs lead to others. */
export const tileOf = ({ position }: Context, { at }: Landing): [number, number] =>
  (position.stairs?.length ? at : at.slice(0, 2)) as number[] as [number, number];

/** A list to choose a teleport from. */
export function landingChoice(
  context: Context,
  add: (one: { at: number[]; ticks: number; name: string }) => void,
) {
  const rows = landingsOf(context).filter((one) => one.anywhere);
  if (!rows.length) return nothing;
  return html`<select class="field" aria-label=${words.landing.add} .value=${""} @change=${(e: OnSelect) => {
    const one = rows[Number(e.target.value)];
    if (e.target.value && one)
      add({ at: tileOf(context, one), ticks: one.ticks, name: one.name.slice(0, 40) });
  }}><option value="">${words.landing.add}</option>
    ${rows.map((one, i) => html`<option value=${i}>${words.landing.row(one)}</option>`)}</select>`;
}

const NEAR = 20; // tiles, up to which a landmark says where a tile is

type Landmark = { name: string; at: number[] };

/**
 * The landings of the region without repetitions: of those within three tiles of each other the first.
 * Where several have the same name, it is told what leads there.
 */
export function landmarksOf(context: Context): Landmark[] {
  const kept: Landing[] = [];
  for (const landing of landingsOf(context))
    if (kept.every((one) => stepsBetween(one.at, landing.at) > 3)) kept.push(landing);
  const many = (name: string) => kept.filter((one) => one.name === name).length > 1;
  return kept.map(({ name, group, at }) => ({ name: many(name) ? `${name} (${group})` : name, at }));
}

/**
 * Where a tile is by the landmark nearest to it: "at", "before" or "past" one on the way, else a
 * distance from it; "" without one within NEAR tiles.
 */
export function nearestLandmark(context: Context, from: Tile, to: Tile): string {
  const near = landmarksOf(context)
    .map((one) => ({ ...one, steps: stepsBetween(one.at, to) }))
    .filter(({ steps }) => steps <= NEAR)
    .toSorted((a, b) => a.steps - b.steps)[0];
  if (!near) return "";
  const [wayX, wayY] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(wayX, wayY);
  const [x, y] = [near.at[0] - to[0], near.at[1] - to[1]];
  const along = length ? (x * wayX + y * wayY) / length : 0; // > 0: beyond the tile
  const across = length ? Math.abs(x * wayY - y * wayX) / length : Number.POSITIVE_INFINITY;
  const alongside = across <= 5 && Math.abs(along) > 2;
  return words.landmark(
    near.name,
    near.steps <= 2 ? "at" : alongside ? (along < 0 && -along < length ? "past" : "before") : "from",
    near.steps,
    compassPoint(near.at, to),
  );
}
