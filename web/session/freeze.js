/** Deep freezing of positions, and their equality. */
import { canonical } from "./link.js";

/** @typedef {{accept(position: unknown): unknown}} Accepts */

/** Freezes a position, so that a desk that changes one gets an error. @template T @param {T} value @returns {T} */
export function freeze(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Whether two positions have the same link. @param {string} desk @param {unknown} a @param {unknown} b */
export function samePosition(desk, a, b) {
  return canonical(desk, a) === canonical(desk, b);
}
