/** Where teleports land in a region: the start of a hunt, and teleports to plan with. */
import { html, nothing } from "../../vendor.js";
import { hereOf } from "./model.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("../../types/scan.js").Landing} Landing */

/** Whether the table of landings is needed. @param {import("./model.js").Position} position @param {import("./model.js").View} view */
export const wantsLandings = (position, view) =>
  position.region != null && Boolean(view.ports || (view.arrivals && !hereOf(position)));

/** The landings of the region, those of the player's own teleports first. @param {Context} context @returns {Landing[]} */
export function landingsOf({ position, view, replies }) {
  const rows = replies.regions?.value?.regions.find((one) => one.id === position.region)?.landings ?? [];
  const own = new Set((view.teleports ?? []).map((one) => one.name));
  return [...rows].sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)));
}

/** Where a landing is: with its floor only where stairs lead to others. @param {Context} context @param {Landing} one @returns {[number, number]} */
export const tileOf = ({ position }, { at }) =>
  /** @type {[number, number]} */ (/** @type {number[]} */ (position.stairs?.length ? at : at.slice(0, 2)));

/** A list to choose a teleport from. @param {Context} context @param {(one: {at: number[], ticks: number, name: string}) => void} add */
export function landingChoice(context, add) {
  const rows = landingsOf(context).filter((one) => one.anywhere);
  if (!rows.length) return nothing;
  return html`<select class="field" aria-label=${words.landing.add} .value=${""} @change=${(
    /** @type {import("../../widgets/on.js").OnSelect} */ e,
  ) => {
    const one = rows[Number(e.target.value)];
    if (e.target.value && one)
      add({ at: tileOf(context, one), ticks: one.ticks, name: one.name.slice(0, 40) });
  }}><option value="">${words.landing.add}</option>
    ${rows.map((one, i) => html`<option value=${i}>${words.landing.row(one)}</option>`)}</select>`;
}
