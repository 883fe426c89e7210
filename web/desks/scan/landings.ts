/** Where teleports land in a region: the start of a hunt, and teleports to plan with. */

import { html, nothing } from "../../vendor.js";
import type { OnSelect } from "../../widgets/on.js";
import type { Context } from "./model.js";
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
