/** Constraints as they are drawn below the symbols of a board. */
import { svg } from "../../vendor.js";
import { CELL } from "../../widgets/grid.js";
import { housesOf } from "./constraints.js";

/** @typedef {import("./model.js").Constraint} Constraint */

/** What of the constraints is drawn below the symbols. @param {[number, number]} box @param {Constraint[]} rules */
export function drawn(box, rules) {
  const size = box[0] * box[1];
  // Shades first, or they would hide lines.
  const shades = (/** @type {Constraint} */ one) => Number(["windows", "house"].includes(one.kind));
  return rules.toSorted((a, b) => shades(b) - shades(a)).map((one) => shape(one, box, size));
}

/** @param {Constraint} one @param {[number, number]} box @param {number} size */
function shape(one, box, size) {
  const cells = one.cells ?? [];
  const line = `M${cells.map((i) => middle(i, size).join(" ")).join("L")}`;
  switch (one.kind) {
    case "diagonals":
    case "diagonal":
    case "antidiagonal":
      return housesOf(one, box).map(
        (house) => svg`<path class="rule-line" d=${`M${ends(house, size)}`}></path>`,
      );
    case "windows":
    case "house":
      return housesOf(one, box)
        .flat()
        .map((i) => cellMark(i, size, "rule-shade"));
    case "even":
      return cells.map((i) => cellMark(i, size, "rule-shade", 6));
    case "odd":
      return cells.map(
        (i) =>
          svg`<circle class="rule-shade" cx=${middle(i, size)[0]} cy=${middle(i, size)[1]} r="15"></circle>`,
      );
    case "killer":
      return cage(cells, size, one.sum);
    case "thermometer":
      return svg`<path class="rule-tube" d=${line}></path><circle class="rule-bulb" cx=${middle(cells[0], size)[0]} cy=${middle(cells[0], size)[1]} r="14"></circle>`;
    case "arrow":
      return svg`<path class="rule-line" d=${line}></path><circle class="rule-ring" cx=${middle(cells[0], size)[0]} cy=${middle(cells[0], size)[1]} r="15"></circle>`;
    case "palindrome":
    case "renban":
      return svg`<path class="rule-tube thin" d=${line}></path>`;
    default:
      return [];
  }
}

/** @param {number} cell @param {number} size */
const middle = (cell, size) => [(cell % size) * CELL + CELL / 2, Math.floor(cell / size) * CELL + CELL / 2];

/** A diagonal from corner to corner. @param {number[]} house @param {number} size */
function ends(house, size) {
  const side = size * CELL;
  return house[0] === 0 ? `0 0L${side} ${side}` : `${side} 0L0 ${side}`;
}

/** @param {number} cell @param {number} size @param {string} kind @param {number} [inset] */
function cellMark(cell, size, kind, inset = 0) {
  const [x, y] = middle(cell, size);
  const side = CELL - 2 * inset;
  return svg`<rect class=${kind} x=${x - side / 2} y=${y - side / 2} width=${side} height=${side}></rect>`;
}

/** A cage's dashed outline with its sum. @param {number[]} cells @param {number} size @param {number | null} [sum] */
function cage(cells, size, sum) {
  const inside = new Set(cells);
  const gap = 4;
  let path = "";
  for (const cell of cells) {
    const [r, c] = [Math.floor(cell / size), cell % size];
    const has = (/** @type {number} */ down, /** @type {number} */ right) =>
      c + right >= 0 && c + right < size && inside.has((r + down) * size + c + right);
    const [left, top] = [c * CELL + (has(0, -1) ? 0 : gap), r * CELL + (has(-1, 0) ? 0 : gap)];
    const [right, bottom] = [(c + 1) * CELL - (has(0, 1) ? 0 : gap), (r + 1) * CELL - (has(1, 0) ? 0 : gap)];
    if (!has(-1, 0)) path += `M${left} ${r * CELL + gap}H${right}`;
    if (!has(1, 0)) path += `M${left} ${(r + 1) * CELL - gap}H${right}`;
    if (!has(0, -1)) path += `M${c * CELL + gap} ${top}V${bottom}`;
    if (!has(0, 1)) path += `M${(c + 1) * CELL - gap} ${top}V${bottom}`;
  }
  const first = Math.min(...cells);
  const [x, y] = [(first % size) * CELL + 5, Math.floor(first / size) * CELL + 13];
  return svg`<path class="rule-cage" d=${path}></path>${sum == null ? [] : svg`<text class="rule-sum" x=${x} y=${y}>${sum}</text>`}`;
}
