/**
 * What this browser remembers: every desk's history and drafts, named positions, settings.
 *
 * The only module that knows storage. Where storage is refused (private windows, blocked by
 * settings) everything still works for this visit; `lasting` then says no.
 */
import { createStore, del, entries, get, set } from "../vendor.js";

const place = openPlace();

/** True once a write has succeeded; false once one has failed. @type {boolean | null} */
export let lasting = null;

/** @type {Map<string, any>} what was written while storage is out of reach */
const memory = new Map();

function openPlace() {
  try {
    return createStore("cluewise", "kept");
  } catch {
    return undefined;
  }
}

/** @param {string} key @returns {Promise<any>} the value, or undefined */
export async function recall(key) {
  if (memory.has(key)) return memory.get(key);
  try {
    return await limited(get(key, place));
  } catch {
    return undefined;
  }
}

/** @param {string} key @param {any} value plain JSON values */
export async function keep(key, value) {
  memory.set(key, value);
  try {
    await limited(set(key, value, place));
    memory.delete(key);
    lasting = true;
  } catch {
    lasting = false;
  }
}

/** @param {string} key */
export async function forget(key) {
  memory.delete(key);
  try {
    await limited(del(key, place));
  } catch {
    lasting = false;
  }
}

/** Everything that is kept, for one file. @returns {Promise<Record<string, any>>} */
export async function everything() {
  let kept = /** @type {[IDBValidKey, any][]} */ ([]);
  try {
    kept = await limited(entries(place));
  } catch {
    lasting = false;
  }
  return Object.fromEntries([...kept.map(([k, v]) => [String(k), v]), ...memory]);
}

/** The small settings that must be known before the first paint. @param {string} name */
export function setting(name) {
  try {
    return localStorage.getItem(`cluewise.${name}`) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} name @param {string} value */
export function changeSetting(name, value) {
  try {
    localStorage.setItem(`cluewise.${name}`, value);
  } catch {
    lasting = false;
  }
}

/**
 * A blocked IndexedDB may never answer; five seconds are enough for one that works.
 * @template T @param {Promise<T>} promise @returns {Promise<T>}
 */
function limited(promise) {
  return Promise.race([
    promise,
    new Promise((_, fail) => setTimeout(() => fail(new Error("storage is silent")), 5000)),
  ]);
}
