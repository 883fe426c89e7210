/** Constraints as they are drawn below the symbols of a board. */
import { svg } from "../../vendor.js";
import { CELL } from "../../widgets/grid.js";
import { housesOf } from "./constraints.js";
import type { Constraint } from "./model.js";

/** What of the constraints is drawn below the symbols. */
export function drawn(box: [number, number], rules: Constraint[]) {
  const size = box[0] * box[1];
  // Shades first, or they would hide lines.
  const shades = (one: Constraint) => Number(["windows", "house"].includes(one.kind));
  return rules.toSorted((a, b) => shades(b) - shades(a)).map((one) => shape(one, box, size));
}

function shape(one: Constraint, box: [number, number], size: number) {
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
      return [
        svg`<path class="rule-line" d=${line}></path>`,
        ...cells.slice(0, one.head ?? 1).map((i) => ring(middle(i, size), 15)),
      ];
    case "slow":
    case "palindrome":
    case "renban":
    case "whispers":
    case "entropic":
    case "zipper":
    case "regionsum":
      return svg`<path class="rule-tube thin" d=${line}></path>`;
    case "between":
      return [
        svg`<path class="rule-tube thin" d=${line}></path>`,
        ...[cells[0], cells[cells.length - 1]].map((i) => ring(middle(i, size), 15)),
      ];
    case "ratio":
    case "difference":
      return svg`<circle class=${one.kind === "ratio" ? "rule-dot" : "rule-dot open"} cx=${centre(cells, size)[0]} cy=${centre(cells, size)[1]} r="5"></circle>`;
    case "xv":
      return mark(one.value === 10 ? "X" : "V", centre(cells, size));
    case "quadruple":
      return mark((one.values ?? []).join(" "), centre(cells, size));
    case "minimum":
    case "maximum":
      return cells.map((i) => cellMark(i, size, "rule-shade", 3));
    default:
      return [];
  }
}

const middle = (cell: number, size: number) => [
  (cell % size) * CELL + CELL / 2,
  Math.floor(cell / size) * CELL + CELL / 2,
];

/** The middle of several cells. */
function centre(cells: number[], size: number) {
  const all = cells.map((i) => middle(i, size));
  return [0, 1].map((k) => all.reduce((sum, one) => sum + one[k], 0) / all.length);
}

const ring = ([x, y]: number[], radius: number) =>
  svg`<circle class="rule-ring" cx=${x} cy=${y} r=${radius}></circle>`;

/** A text between cells. */
const mark = (text: string, [x, y]: number[]) =>
  svg`<text class="rule-sum" text-anchor="middle" x=${x} y=${y + 4}>${text}</text>`;

/** A diagonal from corner to corner. */
function ends(house: number[], size: number) {
  const side = size * CELL;
  return house[0] === 0 ? `0 0L${side} ${side}` : `${side} 0L0 ${side}`;
}

function cellMark(cell: number, size: number, kind: string, inset: number = 0) {
  const [x, y] = middle(cell, size);
  const side = CELL - 2 * inset;
  return svg`<rect class=${kind} x=${x - side / 2} y=${y - side / 2} width=${side} height=${side}></rect>`;
}

/** A cage's dashed outline with its sum. */
function cage(cells: number[], size: number, sum?: number | null) {
  const inside = new Set(cells);
  const gap = 4;
  let path = "";
  for (const cell of cells) {
    const [r, c] = [Math.floor(cell / size), cell % size];
    const has = (down: number, right: number) =>
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
