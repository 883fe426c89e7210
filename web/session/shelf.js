/**
 * Positions kept under a name, and everything as one file to carry away and bring back.
 *
 * @typedef {{id: string, desk: string, name: string, fragment: string, saved: number}} Kept
 */
import * as store from "./store.js";

const SHELF = "shelf";
const FORMAT = "cluewise-everything";
const LIMIT = 64 << 20; // bytes of a file to bring back

/** @returns {Promise<Kept[]>} newest first */
export async function list() {
  const kept = await store.recall(SHELF);
  return Array.isArray(kept) ? kept.filter(isKept) : [];
}

/** @param {{desk: string, name: string, fragment: string}} position @returns {Promise<Kept[]>} */
export async function add({ desk, name, fragment }) {
  const saved = Date.now();
  const id = `${saved.toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  return put([{ id, desk, name: name.trim().slice(0, 120), fragment, saved }, ...(await list())]);
}

/** @param {string} id @returns {Promise<Kept[]>} */
export async function remove(id) {
  return put((await list()).filter((kept) => kept.id !== id));
}

/** @param {Kept[]} kept */
async function put(kept) {
  await store.keep(SHELF, kept);
  return kept;
}

/** Everything this browser keeps, as the text of one file. */
export async function pack() {
  return JSON.stringify({ format: FORMAT, version: 1, kept: await store.everything() });
}

/**
 * Bring back what a file holds. Saved positions are joined with those here; the histories of desks
 * are replaced, after the present ones have been put on the shelf by the caller.
 * @param {string} text
 * @returns {Promise<number>} how many entries came
 */
export async function unpack(text) {
  if (text.length > LIMIT) throw new Error("This file is larger than 64 MB.");
  const data = parse(text);
  if (data?.format !== FORMAT || typeof data.kept !== "object" || data.kept === null)
    throw new Error("This file was not written by Cluewise.");
  if (data.version !== 1) throw new Error(`This file is of version ${data.version}; this page reads 1.`);
  const entries = Object.entries(data.kept).filter(([key]) => /^(desk\.[a-z]+|last)$/.test(key));
  for (const [key, value] of entries) await store.keep(key, value);
  const here = await list();
  const known = new Set(here.map((kept) => kept.id));
  const theirs = Array.isArray(data.kept[SHELF]) ? data.kept[SHELF].filter(isKept) : [];
  const fresh = theirs.filter((/** @type {Kept} */ kept) => !known.has(kept.id));
  await put([...here, ...fresh].sort((a, b) => b.saved - a.saved));
  return entries.length + fresh.length;
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This file is not a list of positions.");
  }
}

/** @param {any} kept @returns {kept is Kept} */
function isKept(kept) {
  return (
    typeof kept?.id === "string" &&
    typeof kept.name === "string" &&
    typeof kept.fragment === "string" &&
    typeof kept.saved === "number"
  );
}
