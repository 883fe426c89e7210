/** The stands in one svg, for pictures to keep and for the home page. */

import type { Review } from "../../types/rack.js";
import { html, nothing, svg } from "../../vendor.js";
import { examples } from "./examples.js";
import type { Position, Slot } from "./model.js";
import { seating, sign } from "./model.js";
import { chart, chartWidth, REVIEW_HEIGHT } from "./review.js";
import { face, nameOf, words } from "./strings.js";

/** The wire that the home page's picture indicates: the desk's choice for that stand (a test compares). */
export const BEST = 7;

const STEP = 46; // px a tile
const ROW = 104; // px a stand
const MIN_TILES = 6;
const MINI_TILES = 8;
const MINI_STEP = 13.5;

/** @param review drawn below the stands, if the game was reviewed */
export function picture(position: Position, caption: string, review: Review | null = null) {
  const longest = Math.max(MIN_TILES, ...position.stands.map(({ slots }) => slots.length));
  const width = Math.max(longest * STEP + 40, review ? chartWidth(review) : 0);
  const below = position.stands.length * ROW + 52;
  const height = below + (review ? REVIEW_HEIGHT + 24 : 0);
  return html`<svg viewBox=${`0 0 ${width} ${height}`} class="rack-picture" role="img">${svg`
    <rect width=${width} height=${height} class="ground"></rect>
    <text x="20" y="30" class="caption">${caption}</text>
    ${seating(position).map((i, row) => stand(position, i, 44 + row * ROW, longest))}
    ${review ? svg`<text x="20" y=${below + 12} class="caption small">${words.review.chart}</text>${chart(review, below + 16)}` : nothing}`}</svg>`;
}

function stand(position: Position, i: number, y: number, longest: number) {
  return svg`<text x="20" y=${y + 16} class="caption small">${nameOf(position, i)}</text>
    <rect x="16" y=${y + 80} width=${longest * STEP + 8} height="7" rx="3" class="wood"></rect>
    ${position.stands[i].slots.map((slot, j) => tile(slot, 20 + j * STEP, y + 26))}`;
}

function tile(slot: Slot, x: number, y: number) {
  return svg`<g class=${`svg-tile ${slot.state}`}><rect x=${x} y=${y} width="40" height="54" rx="6"></rect>
    <text x=${x + 20} y=${y + 32} text-anchor="middle">${face(slot.wire ?? slot.value ?? "?")}</text>
    <text x=${x + 20} y=${y + 48} text-anchor="middle" class="marks">${slot.tokens.map(sign).join(" ")}</text></g>`;
}

/** The last wires of your stand; by default those of an example, with the one to indicate. */
export function mini(position?: Position) {
  const { slots = [] } = (position ?? examples[1].position).stands?.[0] ?? {};
  const from = Math.max(0, slots.length - MINI_TILES);
  return html`<svg viewBox="0 0 120 72">${svg`
    <rect x="4" y="58" width="112" height="4" rx="2" class="svg-wood"></rect>
    ${slots.slice(from).map(({ wire, state }, i) => {
      const x = 6 + i * MINI_STEP;
      const best = !position && from + i === BEST;
      const text = face(wire ?? "");
      const kind = best ? "info" : wire && state === "hidden" ? "" : state;
      return svg`${best ? svg`<path class="mini-arrow" d=${`M${x + 6} 9v12m-4 -4 4 4 4 -4`}></path>` : nothing}
        <g class=${`svg-tile ${kind}`}><rect x=${x} y="28" width="12.5" height="30" rx="2.5"></rect>
        <text x=${x + 6.2} y="47" text-anchor="middle" font-size=${text.length > 1 ? 8.5 : 10}>${text}</text></g>`;
    })}`}</svg>`;
}
