/**
 * Saved positions, and export and import of a backup.
 *
 * A backup is one JSON document with one record per line, so that a long one is written and read in
 * chunks. Import merges its records with the stored ones: nothing is overwritten, and a second import
 * changes nothing.
 */

import type { Aside } from "./load-records.js";
import { asideEntries, read, settlingEntries } from "./load-records.js";
import { jsonText, mergeRecords, now, random } from "./records.js";
import type { Entry } from "./store.js";
import * as store from "./store.js";

/** a saved position */
export type Saved = { id: string; desk: string; name: string; fragment: string; saved: number };

const FORMAT = "cluewise-everything";
const VERSIONS = [1, 2]; // version 1 had one record per desk
const LIMIT = 256 << 20; // characters of a backup
const CHUNK = 1 << 20; // characters parsed between two turns of the event loop
const OURS = /^(moment|name|game|cursor|shelf|aside)\/|^desk\.[a-z]+$|^shelf$/;

/** @returns newest first */
export async function listSaved(): Promise<Saved[]> {
  const found = read(await store.under("shelf", "shelf/\uffff"));
  const changes = [...settlingEntries(found), ...asideEntries(found.aside)];
  if (changes.length) await store.write(changes);
  return ([...found.records.values()] as Saved[]).sort((a, b) => b.saved - a.saved);
}

/** Unreadable entries, newest last. */
export async function listUnreadable(): Promise<Aside[]> {
  return (await store.under("aside/")).map(([, one]) => one);
}

export async function add({
  desk,
  name,
  fragment,
}: {
  desk: string;
  name: string;
  fragment: string;
}): Promise<Saved[]> {
  const saved = now();
  const id = `${saved.toString(36)}-${random()}`;
  store.askToStay(); // a named position should be kept
  await store.keep(`shelf/${id}`, { id, desk, name: name.trim().slice(0, 120), fragment, saved });
  return listSaved();
}

export async function removeSaved(id: string): Promise<Saved[]> {
  await store.write([[`shelf/${id}`, undefined]]);
  return listSaved();
}

/** Whether a text looks like a backup. */
export function isBackup(text: string) {
  return text.slice(0, 200).includes(`"${FORMAT}"`);
}

/** All stored records as one file. */
export async function pack() {
  const kept = await store.under("");
  const lines = kept.map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value) || "null"}`);
  const head = `{"format":"${FORMAT}","version":2,"kept":{\n`;
  return new Blob([head, lines.join(",\n"), "\n}}\n"], { type: "application/json" });
}

/** Merges a backup with the stored records. @returns new entries, and the number of unreadable ones */
export async function unpack(text: string): Promise<{ news: Entry[]; aside: number }> {
  if (text.length > LIMIT) throw new Error("This file is larger than 256 MB.");
  const entries = await entriesOf(text);
  const theirs = read(entries.filter(([key]) => OURS.test(key)));
  const kept = new Map(await store.under(""));
  const ours = read([...kept].filter(([key]) => theirs.records.has(key)));
  const fresh: Entry[] = asideEntries([...theirs.aside, ...ours.aside]).filter(([key]) => !kept.has(key));
  const news = [...mergeRecords(ours.records, theirs.records)].filter(
    ([key, one]) => jsonText(kept.get(key)) !== jsonText(one),
  );
  const last = entries.filter(
    ([key, value]) => key === "last" && typeof value === "string" && !kept.has("last"),
  );
  await store.write([...news, ...last, ...fresh]);
  return { news, aside: fresh.length };
}

async function entriesOf(text: string): Promise<Entry[]> {
  const data = (await byLine(text)) ?? parse(text);
  if (data?.format !== FORMAT || typeof data.kept !== "object" || data.kept === null)
    throw new Error("This file was not written by Cluewise.");
  if (!Number.isInteger(data.version)) throw new Error("This file is damaged: it has no version.");
  if (!VERSIONS.includes(data.version))
    throw new Error(`This file is of version ${data.version}; this page reads 1 and 2.`);
  return Object.entries(data.kept);
}

/** Reads the layout of `pack` in chunks; null for any other. @returns any: checked by the caller */
async function byLine(text: string): Promise<any> {
  const end = text.indexOf("\n");
  const close = text.lastIndexOf("\n}}");
  if (end < 0 || close < end || !text.startsWith(`{"format":"${FORMAT}"`)) return null;
  try {
    const data = JSON.parse(`${text.slice(0, end)}}}`);
    for (let from = end + 1; from < close; ) {
      const cut = text.indexOf(",\n", Math.min(from + CHUNK, close));
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

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This file is not a backup of Cluewise.");
  }
}
