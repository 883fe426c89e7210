/** The racks in one svg, for pictures to keep and for the home page. */

import { html, svg } from "../../vendor.js";
import { examples } from "./examples.js";
import { seating, seen, short, sign } from "./model.js";
import { nameOf } from "./strings.js";

/** Bits that showing the wires C to J of the first example tells (a test compares). */
export const GAINS = [2.35, 3.16, 4.33, 4.46, 5.93, 6.25, 3.48, 2.89];

const STEP = 46;
const ROW = 104;

/** @param {import("./model.js").Position} position @param {string} caption */
export function picture(position, caption) {
  const longest = Math.max(6, ...position.stands.map((s) => s.slots.length));
  const width = longest * STEP + 40;
  const height = position.stands.length * ROW + 52;
  return html`<svg viewBox=${`0 0 ${width} ${height}`} class="rack-picture" role="img">${svg`
    <rect width=${width} height=${height} class="ground"></rect>
    <text x="20" y="30" class="caption">${caption}</text>
    ${seating(position).map((i, row) => stand(position, i, 44 + row * ROW, longest))}`}</svg>`;
}

/** @param {import("./model.js").Position} position @param {number} i @param {number} y @param {number} longest */
function stand(position, i, y, longest) {
  return svg`<text x="20" y=${y + 16} class="caption small">${nameOf(position, i)}</text>
    <rect x="16" y=${y + 80} width=${longest * STEP + 8} height="7" rx="3" class="wood"></rect>
    ${position.stands[i].slots.map((slot, /** @type {number} */ j) => tile(slot, 20 + j * STEP, y + 26))}`;
}

/** @param {import("./model.js").Slot} slot @param {number} x @param {number} y */
function tile(slot, x, y) {
  const value = seen(slot);
  const text = slot.wire ?? (value ? short(value) : "?");
  return svg`<g class=${`svg-tile ${slot.state}`}><rect x=${x} y=${y} width="40" height="54" rx="6"></rect>
    <text x=${x + 20} y=${y + 32} text-anchor="middle">${text}</text>
    <text x=${x + 20} y=${y + 48} text-anchor="middle" class="marks">${slot.tokens.map(sign).join(" ")}</text></g>`;
}

/** The first stand of an example, and what showing each wire would tell, as the home page shows the desk. */
export function mini() {
  const wires = examples[0].position.stands?.[0].slots?.slice(2) ?? [];
  return html`<svg viewBox="0 0 120 72">${svg`
    <rect x="4" y="66" width="112" height="4" rx="2" class="svg-wood"></rect>
    ${wires.map((slot, i) => {
      const best = i === GAINS.indexOf(Math.max(...GAINS));
      const tall = 4.2 * GAINS[i];
      return svg`<rect x=${9.5 + i * 13.5} y=${34 - tall} width="6" height=${tall} class=${best ? "mini-split" : "mini-split weak"}></rect>
        <g class=${best ? "svg-tile info" : "svg-tile"}><rect x=${6 + i * 13.5} y="38" width="12.5" height="28" rx="2.5"></rect>
        <text x=${12.2 + i * 13.5} y="56" text-anchor="middle" font-size="10">${slot.wire}</text></g>`;
    })}`}</svg>`;
}
