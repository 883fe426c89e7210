/**
 * Reads records of this or an earlier version from storage, a file or another tab. Unreadable entries
 * are set aside, never deleted.
 *
 * @typedef {import("./records.js").Records} Records
 * @typedef {{key: string, why: string, value: unknown}} Aside
 * @typedef {{records: Records, aside: Aside[], old: string[]}} Found `old`: keys whose content has
 *   moved to other keys
 */
import { fingerprint, historyEntry, keyOf } from "./records.js";

const KEY = /^[\w.~-]{1,80}$/;
const DESK = /^[a-z]{1,20}$/;

/** @param {Iterable<[string, unknown]>} entries @returns {Found} */
export function read(entries) {
  /** @type {Found} */
  const found = { records: new Map(), aside: [], old: [] };
  for (const [key, value] of entries) readOne(key, value, found);
  return found;
}

/** @param {string} key @param {unknown} value @param {Found} found */
function readOne(key, value, found) {
  const [kind, ...rest] = key.split("/");
  try {
    if (key === "shelf") oldShelf(value, found);
    else if (/^desk\.[a-z]+$/.test(key)) oldDesk(key.slice(5), value, found);
    else found.records.set(key, (READERS[kind] ?? unknown)(value, rest));
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    found.aside.push({ key, why, value });
  }
}

/** The records of entries that could not be read. @param {Aside[]} aside @returns {[string, Aside][]} */
export function asideEntries(aside) {
  return aside.map((one) => [`aside/${fingerprint(one.key + text(one.value))}`, one]);
}

/** @param {unknown} value */
function text(value) {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** @type {Record<string, (value: unknown, rest: string[]) => object>} */
const READERS = {
  moment: readMoment,
  name: readName,
  game: readName,
  cursor: readCursor,
  own: readOwn,
  shelf: readShelf,
  aside: readAside,
};

/** @param {unknown} value @param {string[]} place */
function readMoment(value, [desk, game, id]) {
  const { id: said, parent, label, made, position, suppose, turn } = objectIn(value, "a step");
  if (!DESK.test(desk) || !KEY.test(game)) throw new Error("Its key has no valid desk or game.");
  if (typeof label !== "string") throw new Error("The step has no name.");
  if (parent !== null && typeof parent !== "string") throw new Error("It does not name the previous step.");
  if (!isTime(made)) throw new Error("It has no time.");
  objectIn(position, "a position");
  if (suppose !== undefined && typeof suppose !== "string")
    throw new Error("The name of its branch is not text.");
  if (turn !== undefined) objectIn(turn, "a turn");
  const again = historyEntry({ desk, game, parent, label, made, position, suppose, turn });
  if (again.id !== id || said !== id) throw new Error("Its content does not match its key.");
  return again;
}

/** @param {unknown} value */
function readName(value) {
  const { text: name, made } = objectIn(value, "a name");
  if (typeof name !== "string" || !isTime(made)) throw new Error("It has no name or no time.");
  return { text: name, made };
}

/** @param {unknown} value */
function readCursor(value) {
  const { game, at, tip, view, made } = objectIn(value, "a place in a history");
  if (![game, at, tip].every((x) => typeof x === "string") || !isTime(made))
    throw new Error("It does not name a step of a history.");
  return { game, at, tip, view: viewOf(view), made };
}

/** @param {unknown} value @param {string[]} place */
function readOwn(value, [desk, name]) {
  const { value: held, made } = objectIn(value, "a preference of a desk");
  if (!DESK.test(desk) || !KEY.test(name ?? "")) throw new Error("Its key has no valid desk or field.");
  if (held === undefined || !isTime(made)) throw new Error("It has no value or no time.");
  return { value: held, made };
}

/** @param {unknown} value */
function readShelf(value) {
  const { id, desk, name, fragment, saved } = objectIn(value, "a saved position");
  if (![id, name, fragment].every((x) => typeof x === "string") || !isTime(saved))
    throw new Error("It is not a saved position.");
  return { id, desk, name, fragment, saved };
}

/** @param {unknown} value */
function readAside(value) {
  return objectIn(value, "an entry that was set aside");
}

/** @returns {never} */
function unknown() {
  throw new Error("This page does not know this kind of entry.");
}

/** Reads the saved positions of version 1: one list. @param {unknown} value @param {Found} found */
function oldShelf(value, found) {
  if (!Array.isArray(value)) throw new Error("It is not a list of saved positions.");
  found.old.push("shelf");
  value.forEach((one, i) => {
    try {
      found.records.set(`shelf/${one.id}`, readShelf(one));
    } catch (problem) {
      found.aside.push({ key: `shelf[${i}]`, why: messageOf(problem), value: one });
    }
  });
}

/**
 * Reads a desk's history of version 1: a list of entries without times, and the index of the current
 * one. Ids are hashes of the content, so reading it twice is harmless.
 * @param {string} desk @param {unknown} value @param {Found} found
 */
function oldDesk(desk, value, found) {
  const { moments, at: index, view } = objectIn(value, "a history");
  if (!Array.isArray(moments) || !moments.length)
    throw new Error("It is not a history: it has no list of steps.");
  found.old.push(`desk.${desk}`);
  const game = `first-${fingerprint(text(moments[0]))}`;
  /** @type {string[]} the ids by index */
  const ids = [];
  moments.forEach((one, i) => {
    ids.push(oldMoment({ desk, game, parent: ids[i - 1] ?? null, made: i }, one, found) ?? ids[i - 1]);
  });
  const at = ids[Number.isInteger(index) ? Math.min(Math.max(index, 0), ids.length - 1) : ids.length - 1];
  const tip = ids[ids.length - 1];
  if (at) found.records.set(`cursor/${desk}/first`, { game, at, tip, view: viewOf(view), made: 0 });
}

/**
 * @param {{desk: string, game: string, parent: string | null, made: number}} place
 * @param {unknown} one @param {Found} found
 * @returns {string | null} the id, null for an unreadable entry
 */
function oldMoment(place, one, found) {
  try {
    const { label, position, mark } = objectIn(one, "a step");
    if (typeof label !== "string") throw new Error("The step has no name.");
    const read = historyEntry({ ...place, label, position: objectIn(position, "a position") });
    found.records.set(keyOf(read), read);
    if (typeof mark === "string") found.records.set(`name/${place.desk}/${read.id}`, { text: mark, made: 0 });
    return read.id;
  } catch (problem) {
    const key = `desk.${place.desk}.moments[${place.made}]`;
    found.aside.push({ key, why: messageOf(problem), value: one });
    return null;
  }
}

/** @param {unknown} value @param {string} what @returns {Record<string, any>} any: fields not yet checked */
function objectIn(value, what) {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error(`It is not ${what}.`);
  return value;
}

/** A view belongs to the desk; only its type is checked here. @param {unknown} view @returns {object} */
function viewOf(view) {
  return view !== null && typeof view === "object" && !Array.isArray(view) ? view : {};
}

/** @param {unknown} made @returns {made is number} */
function isTime(made) {
  return Number.isSafeInteger(made) && Number(made) >= 0;
}

/** @param {unknown} problem */
export function messageOf(problem) {
  return problem instanceof Error ? problem.message : String(problem);
}
