/**
 * Saved positions, and export and import of a backup.
 *
 * A backup is one JSON document with one record per line, so that a long one is written and read in
 * chunks. Import merges its records with the stored ones: nothing is overwritten, and a second import
 * changes nothing.
 *
 * @typedef {{id: string, desk: string, name: string, fragment: string, saved: number}} Kept
 * @typedef {import("./load-records.js").Aside} Aside
 */

import { asideEntries, read } from "./load-records.js";
import { mergeRecords, now, random } from "./records.js";
import * as store from "./store.js";

const FORMAT = "cluewise-everything";
const VERSIONS = [1, 2]; // version 1 had one record per desk
const LIMIT = 256 << 20; // characters of a backup
const PIECE = 1 << 20; // characters parsed between two turns of the event loop
const OURS = /^(moment|name|game|cursor|shelf|aside)\/|^desk\.[a-z]+$|^shelf$/;

/** @returns {Promise<Kept[]>} newest first */
export async function listSaved() {
  const found = read(await store.under("shelf", "shelf/\uffff"));
  if (found.old.length || found.aside.length) await settle(found);
  return /** @type {Kept[]} */ ([...found.records.values()]).sort((a, b) => b.saved - a.saved);
}

/** Unreadable entries, newest last. @returns {Promise<Aside[]>} */
export async function listUnreadable() {
  return (await store.under("aside/")).map(([, one]) => one);
}

/** @param {{desk: string, name: string, fragment: string}} position @returns {Promise<Kept[]>} */
export async function add({ desk, name, fragment }) {
  const saved = now();
  const id = `${saved.toString(36)}-${random()}`;
  store.askToStay(); // a named position should be kept
  await store.keep(`shelf/${id}`, { id, desk, name: name.trim().slice(0, 120), fragment, saved });
  return listSaved();
}

/** @param {string} id @returns {Promise<Kept[]>} */
export async function removeSaved(id) {
  await store.write([[`shelf/${id}`, undefined]]);
  return listSaved();
}

/** Whether a text looks like a backup. @param {string} text */
export function isEverything(text) {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}

/** All stored records as one file. */
export async function pack() {
  const kept = await store.under("");
  const lines = kept.map(([key, value]) => `${JSON.stringify(key)}:${textOf(value)}`);
  const head = `{"format":"${FORMAT}","version":2,"kept":{\n`;
  return new Blob([head, lines.join(",\n"), "\n}}\n"], { type: "application/json" });
}

/**
 * Merges a backup with the stored records.
 * @param {string} text
 * @returns {Promise<{news: import("./store.js").Entry[], aside: number}>} new entries, and the number of
 *   unreadable ones
 */
export async function unpack(text) {
  if (text.length > LIMIT) throw new Error("This file is larger than 256 MB.");
  const entries = await entriesOf(text);
  const theirs = read(entries.filter(([key]) => OURS.test(key)));
  const kept = new Map(await store.under(""));
  const ours = read([...kept].filter(([key]) => theirs.records.has(key)));
  /** @type {import("./store.js").Entry[]} */
  const fresh = asideEntries([...theirs.aside, ...ours.aside]).filter(([key]) => !kept.has(key));
  const news = [...mergeRecords(ours.records, theirs.records)].filter(
    ([key, one]) => textOf(kept.get(key)) !== textOf(one),
  );
  const last = entries.filter(
    ([key, value]) => key === "last" && typeof value === "string" && !kept.has("last"),
  );
  await store.write([...news, ...last, ...fresh]);
  return { news, aside: fresh.length };
}

/** Values that JSON cannot represent are not Cluewise's. @param {unknown} value */
function textOf(value) {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    return "null";
  }
}

/** @param {string} text @returns {Promise<import("./store.js").Entry[]>} */
async function entriesOf(text) {
  const data = (await byLine(text)) ?? parse(text);
  if (data?.format !== FORMAT || typeof data.kept !== "object" || data.kept === null)
    throw new Error("This file was not written by Cluewise.");
  if (!VERSIONS.includes(data.version))
    throw new Error(`This file is of version ${data.version}; this page reads 1 and 2.`);
  return Object.entries(data.kept);
}

/** Reads the layout of `pack` in chunks; null for any other. @param {string} text @returns {Promise<any>} any: checked by the caller */
async function byLine(text) {
  const end = text.indexOf("\n");
  const close = text.lastIndexOf("\n}}");
  if (end < 0 || close < end || !text.startsWith(`{"format":"${FORMAT}"`)) return null;
  try {
    const data = JSON.parse(`${text.slice(0, end)}}}`);
    for (let from = end + 1; from < close; ) {
      const cut = text.indexOf(",\n", Math.min(from + PIECE, close));
      const to = cut < 0 || cut > close ? close : cut;
      Object.assign(data.kept, JSON.parse(`{${text.slice(from, to)}}`));
      from = to + 2;
      await new Promise((done) => setTimeout(done));
    }
    return data;
  } catch {
    return null; // another layout or damaged: parsed as a whole
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This file is not a list of positions.");
  }
}

/** @param {import("./load-records.js").Found} found */
async function settle({ records, aside: damaged, old }) {
  /** @type {import("./store.js").Entry[]} */
  const gone = [...old, ...damaged.map((one) => one.key)].map((key) => [key, undefined]);
  await store.write([...gone, ...(old.length ? records : []), ...asideEntries(damaged)]);
}
