/** The boards in one svg: for pictures to keep, and small for the home page. */
import { html, svg } from "../../vendor.js";
import { boardOf, boxOf } from "./model.js";
import { filled } from "./player.js";

const CELL = 32;

/** @param {any} position @param {string} caption */
export function picture(position, caption) {
  const there = filled(position);
  const [rows, cols] = boxOf(position);
  const side = rows * cols * CELL;
  const width = Math.max(1, there.length) * (side + 24) + 16;
  return html`<svg viewBox=${`0 0 ${width} ${side + 72}`} class="sudoku-picture" role="img">
    ${svg`<rect class="grid-ground" width=${width} height=${side + 72}></rect>
      <text x="20" y="30" class="caption">${caption}</text>
      ${(there.length ? there : [0]).map((i, k) => board(boardOf(position, i), rows, cols, 20 + k * (side + 24), 48))}`}
  </svg>`;
}

/** @param {string} text @param {number} rows @param {number} cols @param {number} left @param {number} top */
function board(text, rows, cols, left, top) {
  const size = rows * cols;
  const side = size * CELL;
  let thin = "";
  let thick = "";
  for (let i = 0; i <= size; i++) {
    const across = `M0 ${i * CELL}H${side}`;
    const down = `M${i * CELL} 0V${side}`;
    if (i % rows) thin += across;
    else thick += across;
    if (i % cols) thin += down;
    else thick += down;
  }
  return svg`<g transform=${`translate(${left} ${top})`}><path class="grid-thin" d=${thin}></path><path class="grid-thick" d=${thick}></path>
    ${[...text].map((s, i) => (s === "." ? "" : svg`<text x=${(i % size) * CELL + CELL / 2} y=${Math.floor(i / size) * CELL + 22} text-anchor="middle" class="caption">${s}</text>`))}</g>`;
}

/** Two small boards and an arrow. */
export function mini() {
  const cells = [[0, 0, "5"], [2, 1, "3"], [1, 2, "7"]]; // biome-ignore format: a table
  const other = [[2, 2, "1"], [0, 1, "4"], [1, 0, "8"]]; // biome-ignore format: a table
  const one = (
    /** @type {any[][]} */ list,
    /** @type {number} */ left,
  ) => svg`<g transform=${`translate(${left} 9)`}>
    <rect class="mini-ground" width="42" height="42" rx="3"></rect><path class="mini-line" d="M14 0V42M28 0V42M0 14H42M0 28H42"></path>
    ${list.map(([x, y, s]) => svg`<text class="mini-text" x=${7 + 14 * x} y=${11 + 14 * y} text-anchor="middle">${s}</text>`)}</g>`;
  return html`<svg viewBox="0 0 120 60">${svg`${one(cells, 4)}${one(other, 74)}
    <path class="mini-arrow" d="M52 26H66M62 22l4 4-4 4M66 36H52M56 32l-4 4 4 4"></path>`}</svg>`;
}
