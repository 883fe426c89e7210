/** The boards as one svg: to save as a picture, and as a thumbnail for the home page. */
import { html, nothing, svg } from "../../vendor.js";
import { examples } from "./examples.js";
import type { Position } from "./model.js";
import { boardOf, boxOf, filled } from "./model.js";

const CELL = 32;

export function picture(position: Position, caption: string) {
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

function board(text: string, rows: number, cols: number, left: number, top: number) {
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

/** The upper left corners of a position's boards; by default of an example's, with an arrow between them. */
export function mini(position?: Position) {
  const size = position ? boxOf(position).reduce((a, b) => a * b) : 9;
  const grids = position ? [0, 1].map((i) => boardOf(position, i)) : examples[0].position.grids;
  return html`<svg viewBox="0 0 120 72">${svg`${corner(grids[0], 4, size)}${corner(grids[1], 64, size)}
    ${position ? nothing : svg`<path class="mini-arrow" d="M30 62c14 9 46 9 60 0M84 61l6 1 -2 6"></path>`}`}</svg>`;
}

/** @param size of a row */
function corner(grid: string, left: number, size: number) {
  const cells = Array.from({ length: 16 }, (_, i) => grid[size * (i >> 2) + (i & 3)] ?? ".");
  return svg`<g transform=${`translate(${left} 4)`}><rect class="mini-ground" width="52" height="52" rx="2"></rect>
    <path class="mini-line" d="M13 0V52M26 0V52M0 13H52M0 26H52"></path><path class="mini-box" d="M39 0V52M0 39H52"></path>
    ${cells.map((s, i) => (s === "." ? "" : svg`<text class="mini-text" x=${6.5 + 13 * (i & 3)} y=${10.2 + 13 * (i >> 2)} text-anchor="middle">${s}</text>`))}</g>`;
}
