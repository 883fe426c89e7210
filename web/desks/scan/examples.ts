/** What the home page shows: examples with known answers, and the small picture and the spots left of a game. */

import { html, nothing, svg } from "../../vendor.js";
import type { Example } from "../desk.js";
import type { Position } from "./model.js";
import { pulseOf, rangeOf, spotsOf } from "./model.js";
import { regions } from "./regions.js";

export const examples: Example<Position>[] = [
  {
    title: "Falador",
    fact: "18 spots, about 20 seconds to the dig",
    position: { desk: "scan", v: 1, region: 364, here: [2990, 3390] },
  },
  {
    title: "The desert, east of the Elid",
    fact: "51 spots, about 27 seconds to the dig",
    position: { desk: "scan", v: 1, region: 349 },
  },
  {
    title: "Two pulses that cannot both be true",
    fact: "The log names them and what would make sense",
    position: {
      desk: "scan",
      v: 1,
      region: 364,
      observations: [
        { at: [2960, 3340, 0], pulse: 3 },
        { at: [3040, 3400, 0], pulse: 3 },
      ],
    },
  },
  {
    title: "Brimhaven Dungeon on two levels",
    fact: "With the level sign the best area gives 2.20 bits instead of 1.54",
    position: { desk: "scan", v: 1, region: 356, levels: "use" },
  },
];

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

/** How many spots are left, if all is plain: pulses on known tiles of one floor, none of them misread. */
export function spotsLeft(position: Position): number | null {
  const { observations = [], ruled_out = [], levels, slack, misread, practice } = position;
  const seen = observations.filter((one) => !one.ignored);
  if (levels === "use" || slack || misread || practice || seen.some(({ at, towards }) => !at || towards))
    return null;
  const range = rangeOf(position);
  return spotsOf(position).filter(
    (spot, i) =>
      !ruled_out.includes(i) &&
      seen.every(({ at, pulse }) => pulseOf([at?.[0] ?? 0, at?.[1] ?? 0], spot, range) === pulse),
  ).length;
}
