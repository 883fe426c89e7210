/**
 * What this browser remembers: the log of moments, named positions, settings.
 *
 * The only module that knows storage. Where storage is refused (private windows, blocked by
 * settings) or full everything still works for this visit; `lasting` then says no, and what could
 * not be written is tried again with the next write.
 *
 * @typedef {[string, any]} Entry a key and its record; any: the key names its kind, and only
 *   reading.js looks whether it is so
 */
import { createStore, promisifyRequest } from "../vendor.js";

const place = openPlace();

/** True once a write has succeeded; false once one has failed. @type {boolean | null} */
export let lasting = null;

/** @type {Map<string, unknown>} what is not written yet; undefined: to be removed */
const memory = new Map();

function openPlace() {
  try {
    return createStore("cluewise", "kept");
  } catch {
    return null;
  }
}

/** @param {string} key @returns {Promise<any>} the value, or undefined; any: anyone who kept it knows */
export async function recall(key) {
  return (await under(key, key)).find(([name]) => name === key)?.[1];
}

/**
 * Every entry whose key begins so.
 * @param {string} first @param {string} [last] the greatest key that is wanted
 * @returns {Promise<Entry[]>}
 */
export async function under(first, last = `${first}\uffff`) {
  const kept = new Map(await readRange(first, last));
  for (const [key, value] of memory) if (key >= first && key <= last) kept.set(key, value);
  return [...kept].filter(([, value]) => value !== undefined);
}

/** @param {string} first @param {string} last @returns {Promise<Entry[]>} */
async function readRange(first, last) {
  const range = globalThis.IDBKeyRange?.bound(first, last);
  const keys = await asked("readonly", (store) => promisifyRequest(store.getAllKeys(range))).catch(() => []);
  if (!keys.length) return [];
  try {
    const values = await asked("readonly", (store) => promisifyRequest(store.getAll(range)));
    if (values.length === keys.length) return keys.map((key, i) => [String(key), values[i]]);
  } catch {
    // One value that the browser cannot read any more spoils the whole range: one by one, then.
  }
  return Promise.all(
    keys.map(async (key) => {
      const value = await asked("readonly", (store) => promisifyRequest(store.get(key))).catch(
        () => UNREADABLE,
      );
      return /** @type {Entry} */ ([String(key), value]);
    }),
  );
}

const UNREADABLE = "the browser could not read this entry";

/** Write entries, all or none; undefined removes one. @param {[string, unknown][]} entries @returns {Promise<boolean>} whether they are written */
export async function write(entries) {
  for (const [key, value] of entries) memory.set(key, value);
  const everything = [...memory];
  lasting =
    (await tryWriting(everything)) || (entries.length < everything.length && (await tryWriting(entries)));
  return lasting;
}

/** @param {[string, unknown][]} entries */
async function tryWriting(entries) {
  try {
    await asked("readwrite", (store) => {
      for (const [key, value] of entries)
        if (value === undefined) store.delete(key);
        else store.put(value, key);
      const done = promisifyRequest(store.transaction);
      store.transaction.commit(); // nothing more comes: it ends even if the page does, a moment later
      return done;
    });
  } catch {
    return false;
  }
  for (const [key, value] of entries) if (memory.get(key) === value) memory.delete(key);
  return true;
}

/** @param {string} key @param {unknown} value plain JSON values */
export async function keep(key, value) {
  await write([[key, value]]);
}

/** Remove the entries whose key is meant; the settings stay. @param {(key: string) => boolean} meant @returns {Promise<boolean>} */
export async function wipe(meant) {
  const keys = (await under("")).map(([key]) => key).filter(meant);
  for (const key of [...memory.keys()].filter(meant)) memory.delete(key);
  return write(keys.map((key) => [key, undefined]));
}

/**
 * How much is kept, how much the browser allows, and whether it promises not to clear it when space
 * is short; null where it does not tell.
 * @returns {Promise<{used: number, allowed: number, promised: boolean} | null>} bytes
 */
export async function room() {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, allowed: quota, promised: await navigator.storage.persisted() };
  } catch {
    return null;
  }
}

/** Ask the browser to keep what is here for good: once somebody has named something, not before. @returns {Promise<boolean>} */
export async function askToStay() {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}

/** Which tab this is; the same after a reload. */
export function tab() {
  const fresh = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  try {
    const known = sessionStorage.getItem("cluewise.tab");
    if (known && /^\w{1,20}$/.test(known)) return known;
    sessionStorage.setItem("cluewise.tab", fresh);
  } catch {
    // Refused: the tab is another one after a reload.
  }
  return fresh;
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
 * @template T @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => Promise<T>} use
 * @returns {Promise<T>}
 */
async function asked(mode, use) {
  if (!place) throw new Error("storage is refused");
  return Promise.race([
    place(mode, use),
    new Promise((_, fail) => setTimeout(() => fail(new Error("storage is silent")), 5000)),
  ]);
}
