/**
 * Storage in this browser: history entries, saved positions, settings.
 *
 * The only module that uses browser storage. If storage is refused (private windows, settings) or full,
 * the page works for this visit; `isWritable` is then false, and failed writes are retried with the next
 * one.
 */

import { createStore, promisifyRequest } from "../vendor.js";

/** A key and its record; any: its kind depends on the key and is checked only by load-records.ts. */
export type Entry = [string, any];

const TIMEOUT = 5000; // ms

const database = openDatabase();

/** Whether the last write succeeded; null before the first. */
export let isWritable: boolean | null = null;

/** pending writes; undefined removes */
const memory: Map<string, unknown> = new Map();

function openDatabase() {
  try {
    return createStore("cluewise", "kept");
  } catch {
    return null;
  }
}

/** @returns the value, or undefined; any: known to the caller */
export async function recall(key: string): Promise<any> {
  return (await under(key, key)).find(([name]) => name === key)?.[1];
}

/** All entries whose key begins with `first`. @param last the greatest key */
export async function under(first: string, last: string = `${first}\uffff`): Promise<Entry[]> {
  const kept = new Map(await readRange(first, last));
  for (const [key, value] of memory) if (key >= first && key <= last) kept.set(key, value);
  return [...kept].filter(([, value]) => value !== undefined);
}

async function readRange(first: string, last: string): Promise<Entry[]> {
  const range = globalThis.IDBKeyRange?.bound(first, last);
  const keys = await transact("readonly", (store) => promisifyRequest(store.getAllKeys(range))).catch(
    () => [],
  );
  if (!keys.length) return [];
  try {
    const values = await transact("readonly", (store) => promisifyRequest(store.getAll(range)));
    if (values.length === keys.length) return keys.map((key, i) => [String(key), values[i]]);
  } catch {
    // One unreadable value makes the whole range fail, so read one by one.
  }
  return Promise.all(
    keys.map(async (key) => {
      const value = await transact("readonly", (store) => promisifyRequest(store.get(key))).catch(
        () => UNREADABLE,
      );
      return [String(key), value] as Entry;
    }),
  );
}

const UNREADABLE = "the browser could not read this entry";

/** Writes entries in one transaction; undefined removes one. @returns whether it succeeded */
export async function write(entries: [string, unknown][]): Promise<boolean> {
  for (const [key, value] of entries) memory.set(key, value);
  const everything = [...memory];
  isWritable =
    (await tryWriting(everything)) || (entries.length < everything.length && (await tryWriting(entries)));
  return isWritable;
}

async function tryWriting(entries: [string, unknown][]) {
  try {
    await transact("readwrite", (store) => {
      for (const [key, value] of entries)
        if (value === undefined) store.delete(key);
        else store.put(value, key);
      const done = promisifyRequest(store.transaction);
      store.transaction.commit(); // commits even if the page closes now
      return done;
    });
  } catch {
    return false;
  }
  for (const [key, value] of entries) if (memory.get(key) === value) memory.delete(key);
  return true;
}

/** @param value plain JSON values */
export async function keep(key: string, value: unknown) {
  await write([[key, value]]);
}

/** Removes the entries whose key is selected, but no settings. */
export async function wipe(meant: (key: string) => boolean): Promise<boolean> {
  const keys = (await under("")).map(([key]) => key).filter(meant);
  for (const key of [...memory.keys()].filter(meant)) memory.delete(key);
  return write(keys.map((key) => [key, undefined]));
}

/**
 * Bytes used, bytes allowed, and whether storage is persistent; null if the browser does not report
 * it.
 * @returns bytes
 */
export async function room(): Promise<{ used: number; allowed: number; promised: boolean } | null> {
  try {
    const { usage = 0, quota = 0 } = await navigator.storage.estimate();
    return { used: usage, allowed: quota, promised: await navigator.storage.persisted() };
  } catch {
    return null;
  }
}

/** Asks the browser for persistent storage, once the user has named something. */
export async function askToStay(): Promise<boolean> {
  try {
    return (await navigator.storage.persisted()) || (await navigator.storage.persist());
  } catch {
    return false;
  }
}

/** The id of this tab; the same after a reload. */
export function tab() {
  const fresh = crypto.getRandomValues(new Uint32Array(1))[0].toString(36);
  try {
    const known = sessionStorage.getItem("cluewise.tab");
    if (known && /^\w{1,20}$/.test(known)) return known;
    sessionStorage.setItem("cluewise.tab", fresh);
  } catch {
    // refused: a new id after a reload
  }
  return fresh;
}

/** A setting needed before the first paint (localStorage). */
export function setting(name: string) {
  try {
    return localStorage.getItem(`cluewise.${name}`) ?? "";
  } catch {
    return "";
  }
}

export function changeSetting(name: string, value: string) {
  try {
    localStorage.setItem(`cluewise.${name}`, value);
  } catch {
    isWritable = false;
  }
}

/** The result of a transaction. A blocked IndexedDB may never answer, so it fails after TIMEOUT. */
async function transact<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  if (!database) throw new Error("storage is refused");
  return Promise.race([
    database(mode, use),
    new Promise((_, fail) =>
      setTimeout(() => fail(new Error("storage is silent")), TIMEOUT),
    ) as Promise<never>,
  ]);
}

/*
 * Messages between tabs: new records as soon as they are stored. Without BroadcastChannel, tabs read
 * storage when they are opened or shown again.
 */

export type Tabs = { broadcast: (entries: Entry[]) => void };

export function tabs(onNews: (entries: Entry[]) => void): Tabs {
  let channel: BroadcastChannel | null = null;
  try {
    channel = new BroadcastChannel("cluewise");
    channel.onmessage = ({ data }) => {
      if (Array.isArray(data) && data.every((one) => Array.isArray(one) && typeof one[0] === "string"))
        onNews(data);
    };
  } catch {
    // not supported, or refused in a cross-origin frame
  }
  return {
    broadcast(entries) {
      if (entries.length) channel?.postMessage(entries);
    },
  };
}

/** Applies the theme and palette to the root element and to the browser's theme colour. */
export function applySettings() {
  const root = document.documentElement;
  for (const name of ["theme", "palette"]) root.dataset[name] = setting(name);
  const colours = document.querySelectorAll(
    'meta[name="theme-color"][data-theme]',
  ) as NodeListOf<HTMLMetaElement>;
  for (const meta of colours) {
    const { theme } = meta.dataset;
    const chosen = root.dataset.theme;
    meta.media = chosen ? (chosen === theme ? "all" : "not all") : `(prefers-color-scheme: ${theme})`;
  }
}
