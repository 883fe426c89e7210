/** A player's mark; every kind has its own shape and colour. */
import { svg } from "../vendor.js";

/** One unit is half the height of a tick. */
const SHAPES: Record<string, string> = {
  dot: "M0.55 0A0.55 0.55 0 1 1 -0.55 0A0.55 0.55 0 1 1 0.55 0Z",
  safe: "M-0.85 0.1L-0.25 0.7L0.9 -0.7",
  unsure: "M-0.5 -0.42C-0.5 -1.05 0.6 -1.05 0.6 -0.4C0.6 0.05 0 0 0 0.4M0 0.9L0 0.91",
  first: "M-0.68 -0.68H0.68V0.68H-0.68Z",
  second: "M0 -0.85L0.88 0.68H-0.88Z",
};

/**
 * A mark with a contrasting rim.
 * @param kind "dot" | "safe" | "unsure" | "first" | "second"
 * @param size half its height
 */
export function playerMark(kind: string, x: number, y: number, size: number) {
  const shape = SHAPES[kind];
  return svg`<g class=${`mark ${kind}`} transform=${`translate(${x} ${y}) scale(${size})`}><path class="rim" d=${shape}></path><path d=${shape}></path></g>`;
}
