/** A region's spots, where you stand and where the last scans were, as the home page shows the desk. */
import { html, nothing, svg } from "../../vendor.js";
import { examples } from "./examples.js";
import type { Position } from "./model.js";
import { regions } from "./regions.js";

const WIDE = 120;
const HIGH = 72;
const EDGE = 7;

/** @param position by default an example */
export function mini(position: Position = examples[0].position) {
  const spots = position.spots ?? regions.find(({ id }) => id === position.region)?.spots ?? [];
  const here = position.observations?.findLast((one) => !one.ignored)?.at ?? position.here;
  const xs = spots.map(([x]) => x);
  const ys = spots.map(([, y]) => y);
  const [left, top] = [Math.min(...xs), Math.max(...ys)];
  const scale = Math.min(
    (WIDE - 2 * EDGE) / (Math.max(...xs) - left || 1),
    (HIGH - 2 * EDGE) / (top - Math.min(...ys) || 1),
  );
  const dot = ([x, y]: readonly number[], r: number, name: string) =>
    svg`<circle cx=${WIDE / 2 + (x - (left + Math.max(...xs)) / 2) * scale} cy=${HIGH / 2 + ((top + Math.min(...ys)) / 2 - y) * scale} r=${r} class=${name}></circle>`;
  return html`<svg viewBox=${`0 0 ${WIDE} ${HIGH}`}>${svg`${spots.map((spot) => dot(spot, 2.4, "scan-mini-dot"))}
    ${here ? dot(here, 4, "scan-mini-here") : nothing}`}</svg>`;
}
