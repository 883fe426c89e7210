/** Falador's spots with the reach of a triple round each, as the home page shows the desk. */
import { html, svg } from "../../vendor.js";
import { examples } from "./examples.js";
import { regions } from "./regions.js";

const WIDE = 120;
const HIGH = 72;

export function mini() {
  const { region } = examples[0].position;
  const { spots, range } = /** @type {import("./regions.js").Region} */ (
    regions.find(({ id }) => id === region)
  );
  const xs = spots.map(([x]) => x);
  const ys = spots.map(([, y]) => y);
  const [left, top] = [Math.min(...xs) - range / 2, Math.max(...ys) + range / 2];
  const scale = Math.max(
    WIDE / (Math.max(...xs) - left + range / 2),
    HIGH / (top - Math.min(...ys) + range / 2),
  );
  const at = (/** @type {number[]} */ [x, y]) => [(x - left) * scale, (top - y) * scale];
  const side = (2 * range + 1) * scale;
  return html`<svg viewBox=${`0 0 ${WIDE} ${HIGH}`}>${svg`<rect width=${WIDE} height=${HIGH} class="scan-mini-ground"></rect>
    ${spots.map((spot) => {
      const [x, y] = at(spot);
      return svg`<rect x=${x - side / 2} y=${y - side / 2} width=${side} height=${side} class="scan-mini-reach"></rect>`;
    })}
    ${spots.map((spot) => {
      const [x, y] = at(spot);
      return svg`<circle cx=${x} cy=${y} r="2.2" class="scan-mini-dot"></circle>`;
    })}`}</svg>`;
}
