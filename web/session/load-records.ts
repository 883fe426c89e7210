/**
 * Reads records of this or an earlier version from storage, a file or another tab. Unreadable entries
 * are set aside, never deleted.
 */

import { messageOf } from "../errors.js";
import type { Records } from "./records.js";
import { fingerprint, historyEntry, jsonText, keyOf } from "./records.js";
import type { Entry } from "./store.js";

/** an unreadable entry */
export type Aside = { key: string; why: string; value: unknown };
/** `old`: keys whose content has moved to other keys */
export type Found = { records: Records; aside: Aside[]; old: string[] };

const KEY = /^[\w.~-]{1,80}$/;
const DESK = /^[a-z]{1,20}$/;

export function read(entries: Iterable<[string, unknown]>): Found {
  const found: Found = { records: new Map(), aside: [], old: [] };
  for (const [key, value] of entries) readOne(key, value, found);
  return found;
}

function readOne(key: string, value: unknown, found: Found) {
  const [kind, ...rest] = key.split("/");
  try {
    if (key === "shelf") readOldShelf(value, found);
    else if (/^desk\.[a-z]+$/.test(key)) readOldDesk(key.slice(5), value, found);
    else found.records.set(key, (READERS[kind] ?? unknown)(value, rest));
  } catch (problem) {
    found.aside.push({ key, why: messageOf(problem), value });
  }
}

/** The records of unreadable entries. */
export function asideEntries(aside: Aside[]): [string, Aside][] {
  return aside.map((one) => [`aside/${fingerprint(one.key + jsonText(one.value))}`, one]);
}

/** The writes that remove migrated and unreadable entries and store migrated ones under their new keys. */
export function settlingEntries({ records, aside, old }: Found): Entry[] {
  const unreadable = new Set(aside.map((one) => one.key));
  const gone: Entry[] = [...old, ...unreadable].map((key) => [key, undefined]);
  return [...gone, ...(old.length ? [...records].filter(([key]) => !unreadable.has(key)) : [])];
}

const READERS: Record<string, (value: unknown, rest: string[]) => object> = {
  moment: readHistoryEntry,
  name: readName,
  game: readName,
  cursor: readCursor,
  own: readOwn,
  shelf: readShelf,
  aside: readAside,
};

function readHistoryEntry(value: unknown, [desk, game, id]: string[]) {
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

function readName(value: unknown) {
  const { text: name, made } = objectIn(value, "a name");
  if (typeof name !== "string" || !isTime(made)) throw new Error("It has no name or no time.");
  return { text: name, made };
}

function readCursor(value: unknown) {
  const { game, at, tip, view, made } = objectIn(value, "a place in a history");
  if (![game, at, tip].every((x) => typeof x === "string") || !isTime(made))
    throw new Error("It does not name a step of a history.");
  return { game, at, tip, view: viewOf(view), made };
}

function readOwn(value: unknown, [desk, name]: string[]) {
  const { value: held, made } = objectIn(value, "a preference of a desk");
  if (!DESK.test(desk) || !KEY.test(name ?? "")) throw new Error("Its key has no valid desk or field.");
  if (held === undefined || !isTime(made)) throw new Error("It has no value or no time.");
  return { value: held, made };
}

function readShelf(value: unknown) {
  const { id, desk, name, fragment, saved } = objectIn(value, "a saved position");
  if (![id, name, fragment].every((x) => typeof x === "string") || !isTime(saved))
    throw new Error("It is not a saved position.");
  return { id, desk, name, fragment, saved };
}

function readAside(value: unknown) {
  return objectIn(value, "an entry that was set aside");
}

function unknown(): never {
  throw new Error("This page does not know this kind of entry.");
}

/** Reads the saved positions of version 1: one list. */
function readOldShelf(value: unknown, found: Found) {
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
 */
function readOldDesk(desk: string, value: unknown, found: Found) {
  const { moments, at: index, view } = objectIn(value, "a history");
  if (!Array.isArray(moments) || !moments.length)
    throw new Error("It is not a history: it has no list of steps.");
  found.old.push(`desk.${desk}`);
  const game = `first-${fingerprint(jsonText(moments[0]))}`;
  /** the ids by index */
  const ids: string[] = [];
  moments.forEach((one, i) => {
    ids.push(readOldEntry({ desk, game, parent: ids[i - 1] ?? null, made: i }, one, found) ?? ids[i - 1]);
  });
  const at = ids[Number.isInteger(index) ? Math.min(Math.max(index, 0), ids.length - 1) : ids.length - 1];
  const tip = ids[ids.length - 1];
  if (at) found.records.set(`cursor/${desk}/first`, { game, at, tip, view: viewOf(view), made: 0 });
}

/** @returns the id, null for an unreadable entry */
function readOldEntry(
  place: { desk: string; game: string; parent: string | null; made: number },
  one: unknown,
  found: Found,
): string | null {
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

/** @returns any: fields not yet checked */
function objectIn(value: unknown, what: string): Record<string, any> {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    throw new Error(`It is not ${what}.`);
  return value;
}

/** A view belongs to the desk; only its type is checked here. */
function viewOf(view: unknown): object {
  return view !== null && typeof view === "object" && !Array.isArray(view) ? view : {};
}

function isTime(made: unknown): made is number {
  return Number.isSafeInteger(made) && Number(made) >= 0;
}
