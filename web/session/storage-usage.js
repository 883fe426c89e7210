/**
 * What this browser keeps, by what it is of: a desk, the saved positions, the console, or entries set
 * aside. Sizes are what the entries take as text, in bytes; the browser itself may pack them.
 *
 * @typedef {import("./store.js").Entry} Entry
 * @typedef {{of: string, games: number, entries: number, bytes: number}} Part `of`: a desk's name, or
 *   "shelf", "console", "aside", "rest"
 */

const OF_DESK = /^(?:moment|name|game|cursor|own)\/([a-z]{1,20})\/|^desk\.([a-z]{1,20})$/;

/** Whose an entry is. @param {string} key */
export function deskOf(key) {
  const [, desk, before] = OF_DESK.exec(key) ?? [];
  if (desk ?? before) return desk ?? before;
  const kind = key.split(/[/.]/)[0];
  return ["shelf", "console", "aside"].includes(kind) ? kind : "rest";
}

/** The parts with their sizes, the largest first. @param {Iterable<Entry>} entries @returns {Part[]} */
export function usageByPart(entries) {
  /** @type {Map<string, {games: Set<string>, entries: number, bytes: number}>} */
  const parts = new Map();
  for (const [key, value] of entries) {
    const of = deskOf(key);
    const part = parts.get(of) ?? { games: new Set(), entries: 0, bytes: 0 };
    parts.set(of, part);
    if (key.startsWith("moment/")) part.games.add(key.split("/")[2]);
    part.entries += 1;
    part.bytes += sizeOf(key) + sizeOf(value);
  }
  return [...parts]
    .map(([of, { games, ...rest }]) => ({ of, games: games.size, ...rest }))
    .sort((a, b) => b.bytes - a.bytes);
}

const encoder = new TextEncoder();

/** Bytes of a value's text; what JSON cannot write was not written by us. @param {unknown} value */
function sizeOf(value) {
  try {
    return encoder.encode(typeof value === "string" ? value : (JSON.stringify(value) ?? "")).length;
  } catch {
    return 0;
  }
}
