/** The board as one SVG, for exported pictures and for the home page. */
import { html, nothing, svg } from "../../vendor.js";
import { withForm } from "./cell-names.js";
import { examples } from "./examples.js";
import type { Position } from "./model.js";
import { drawnOf, knownOf, tintsOf } from "./model.js";

/** Cells of the first example with their numbers, and some of its mines (a test compares). */
export const OPEN = [[1, 4], [2, 2], [3, 3], [5, 3], [9, 3], [12, 4], [13, 5], [14, 3], [15, 2], [20, 2], [21, 1]]; // biome-ignore format: pairs
export const FLAGS = [0, 4, 6, 7];

/**
 * Draw a board.
 * @param position any: drawn before it is checked
 * @param view the part of it that is drawn, without the counts of lines; default the whole board with them
 */
export function picture(position: Position, view?: number[], label?: string) {
  const drawn = drawnOf(position);
  const known = knownOf(position);
  const tints = tintsOf(drawn.groups);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox=${(view ?? drawn.view).join(" ")} class="mines-picture" role="img" aria-label=${label ?? nothing}>${svg`<g class="board">${drawn.points.map(
    (points, i) => {
      const number = known.numbers.get(i);
      const face = known.numbers.has(i) ? "open" : known.flags.has(i) ? "flag" : "closed";
      const text =
        face === "open"
          ? number == null
            ? "?"
            : withForm(String(number), position.forms?.[i])
          : face === "flag"
            ? "⚑"
            : "";
      return svg`<g class=${`cell ${face} ${tints[i] ?? ""}`}><polygon class="face" points=${points}></polygon><text class="n" x=${drawn.x[i]} y=${drawn.y[i]} font-size=${drawn.size * 0.5}>${text}</text></g>`;
    },
  )}${(view ? [] : drawn.labels).map((l) => svg`<g class="edge"><text x=${l.x} y=${l.y} font-size=${drawn.size * (l.inside ? 0.24 : 0.4)}>${withForm(String(drawn.groups[l.group].count), drawn.groups[l.group].form)}</text></g>`)}</g>`}</svg>`;
}

/** A board; by default the first four rows of a bundled puzzle in the middle of a game. */
export function mini(own?: Position) {
  if (own) return picture(own);
  const { position } = examples[0];
  const revealed = OPEN.map(([cell, number]) => ({ cell, number }));
  const { x, y, size } = drawnOf(position);
  return picture({ ...position, revealed, flags: FLAGS }, [
    x[0] - size / 2,
    y[0] - size / 2,
    6 * size,
    4 * size,
  ]);
}
