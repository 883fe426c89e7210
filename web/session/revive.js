/** Positions as frozen values, and histories as they come back from storage. */
import { History } from "./history.js";
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

/** The history that was kept, or null if there is none that can still be drawn. @param {any} kept @param {Accepts} page @returns {History<any> | null} */
export function revive(kept, page) {
  if (!Array.isArray(kept?.moments) || !kept.moments.length) return null;
  try {
    const moments = kept.moments.map((/** @type {any} */ moment) => ({
      ...moment,
      position: freeze(page.accept(moment.position)),
    }));
    return new History(moments, kept.at).moved(0);
  } catch {
    return null;
  }
}

/** Whether two positions have the same link. @param {any} a @param {any} b @param {Accepts} page */
export function samePosition(a, b, page) {
  return canonical(a, page.defaults) === canonical(b, page.defaults);
}
