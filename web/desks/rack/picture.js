/** The racks in one svg, for pictures to keep and for the home page. */

import { html, svg } from "../../vendor.js";
import { seating, seen, short, sign } from "./model.js";
import { nameOf } from "./words.js";

const STEP = 46;
const ROW = 104;

/** @param {any} position @param {string} caption */
export function picture(position, caption) {
  const longest = Math.max(6, ...position.stands.map((/** @type {any} */ s) => s.slots.length));
  const width = longest * STEP + 40;
  const height = position.stands.length * ROW + 52;
  return html`<svg viewBox=${`0 0 ${width} ${height}`} class="rack-picture" role="img">${svg`
    <rect width=${width} height=${height} class="ground"></rect>
    <text x="20" y="30" class="caption">${caption}</text>
    ${seating(position).map((i, row) => stand(position, i, 44 + row * ROW, longest))}`}</svg>`;
}

/** @param {any} position @param {number} i @param {number} y @param {number} longest */
function stand(position, i, y, longest) {
  return svg`<text x="20" y=${y + 16} class="caption small">${nameOf(position, i)}</text>
    <rect x="16" y=${y + 80} width=${longest * STEP + 8} height="7" rx="3" class="wood"></rect>
    ${position.stands[i].slots.map((/** @type {any} */ slot, /** @type {number} */ j) => tile(slot, 20 + j * STEP, y + 26))}`;
}

/** @param {any} slot @param {number} x @param {number} y */
function tile(slot, x, y) {
  const value = seen(slot);
  const text = slot.wire ?? (value ? short(value) : "?");
  return svg`<g class=${`svg-tile ${slot.state}`}><rect x=${x} y=${y} width="40" height="54" rx="6"></rect>
    <text x=${x + 20} y=${y + 32} text-anchor="middle">${text}</text>
    <text x=${x + 20} y=${y + 48} text-anchor="middle" class="marks">${slot.tokens.map(sign).join(" ")}</text></g>`;
}

/** Three tiles on their stand. */
export function mini() {
  return html`<svg viewBox="0 0 120 60">${svg`
    <rect x="6" y="50" width="108" height="5" rx="2" class="svg-wood"></rect>
    ${["4", "?", "7"].map(
      (
        text,
        i,
      ) => svg`<g class=${`svg-tile ${["info", "hidden", "cut"][i]}`}><rect x=${14 + i * 33} y="12" width="27" height="37" rx="5"></rect>
      <text x=${27.5 + i * 33} y="36" text-anchor="middle">${text}</text></g>`,
    )}`}</svg>`;
}
