/** Positions as frozen values, and whether two of them are one. */
import { canonical } from "./link.js";

/** @typedef {{accept: (position: any) => any, defaults: any}} Accepts */

/** Positions are values: a desk that tried to change one would get an error. @param {any} value */
export function freeze(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Whether two positions have the same link. @param {any} a @param {any} b @param {Accepts} page */
export function samePosition(a, b, page) {
  return canonical(a, page.defaults) === canonical(b, page.defaults);
}
