/**
 * Records: history entries and the other stored values. The key of a record names its kind:
 *
 *   moment/code/<game>/<id>  {id, desk, game, parent, label, made, position, suppose?, turn?}, never
 *                            changed
 *   name/code/<moment>       {text, made}, name of an entry; newest wins
 *   game/code/<game>         {text, made}, name of a game; newest wins
 *   cursor/code/<tab>        {game, at, tip, view, made}, a tab's current entry; newest wins;
 *                            under left-<game> the last one of a game that a tab left
 *   own/code/<field>         {value, made}, a preference (preferences.ts); an item of a list has
 *                            own/code/<field>/<mark>
 *   shelf/<id>               {id, desk, name, fragment, saved}
 *   aside/<mark>             {key, why, value}, an unreadable entry
 *
 * An entry's id is a hash of its content. Two sets of records are merged by union; of two records under
 * one key the newer wins (`newerRecord`). The merge is commutative, associative and idempotent, so the
 * order of tabs and files does not matter.
 */

import type { Entry } from "./store.js";

export type HistoryEntry = {
  id: string;
  desk: string;
  game: string;
  /** null for the first entry */
  parent: string | null;
  label: string;
  /** ms since 1970; below 10^6 if unknown */
  made: number;
  position: unknown;
  /** the name of the trial branch that begins here */
  suppose?: string;
  /** the desk's data of the step, to repeat it in another branch */
  turn?: object;
};
export type Name = { text: string; made: number };
export type Cursor = { game: string; at: string; tip: string; view: object; made: number };
/** any: a record of its key's kind */
export type Records = Map<string, any>;

/** Adds the id to an entry. */
export function historyEntry({
  desk,
  game,
  parent,
  label,
  made,
  position,
  suppose,
  turn,
}: Omit<HistoryEntry, "id">): HistoryEntry {
  const more = { ...(suppose === undefined ? {} : { suppose }), ...(turn === undefined ? {} : { turn }) };
  const content = JSON.stringify([desk, game, parent, label, position, ...Object.values(more)]);
  const id = `${made.toString(36)}-${fingerprint(content)}`;
  return { id, desk, game, parent, label, made, position, ...more };
}

export function keyOf(one: HistoryEntry) {
  return `moment/${one.desk}/${one.game}/${one.id}`;
}

let newest = 0;

/** The current time in ms, strictly increasing in this tab. */
export function now() {
  newest = Math.max(newest + 1, Date.now());
  return newest;
}

/** A random id of ten characters. */
export function random() {
  const drawn = crypto.getRandomValues(new Uint32Array(2));
  return `${drawn[0].toString(36)}${drawn[1].toString(36)}`.slice(0, 10);
}

/**
 * A 64-bit hash of a text, not collision-resistant against attacks: 32-bit FNV-1a, and a second 32-bit
 * hash that also mixes in the place of each character. Stored keys contain it, so it must not change.
 */
export function fingerprint(text: string) {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + i), 0x85ebca6b);
    b ^= b >>> 13;
  }
  return (a >>> 0).toString(36).padStart(7, "0") + (b >>> 0).toString(36).padStart(7, "0");
}

/** The union; of two records under one key the newer. */
export function mergeRecords(here: Records, there: Records): Records {
  const all = new Map(here);
  for (const [key, record] of there) all.set(key, all.has(key) ? newerRecord(all.get(key), record) : record);
  return all;
}

/** The later of two records under one key; at equal times the one with the greater text. */
export function newerRecord<T extends object>(a: T, b: T): T {
  const [timeA, timeB] = [timeOf(a), timeOf(b)];
  if (timeA !== timeB) return timeA > timeB ? a : b;
  return canonicalText(a) >= canonicalText(b) ? a : b;
}

function timeOf(record: { made?: number; saved?: number }) {
  return record?.made ?? record?.saved ?? 0;
}

/** A canonical text of a value, independent of key order. */
function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Whether an entry is later; at equal times by id. */
export function isLater(a: HistoryEntry, b: HistoryEntry) {
  return a.made === b.made ? a.id > b.id : a.made > b.made;
}

export type Game = {
  game: string;
  /** "" if none */
  name: string;
  /** ms since 1970, 0 if unknown */
  last: number;
  /** number of entries after the first */
  steps: number;
  /** the last one shown */
  position: unknown;
};

const KNOWN = 1_000_000; // ms since 1970; smaller times only order entries

/** The games of a desk, the newest first. */
export function gamesIn(records: Records, desk: string): Game[] {
  const games: Map<string, HistoryEntry[]> = new Map();
  for (const [key, one] of records)
    if (key.startsWith(`moment/${desk}/`)) games.set(one.game, [...(games.get(one.game) ?? []), one]);
  return [...games]
    .map(([game, entries]) => describeGame(records, desk, game, entries))
    .sort((a, b) => b.last - a.last || (a.game < b.game ? 1 : -1));
}

function describeGame(records: Records, desk: string, game: string, entries: HistoryEntry[]): Game {
  const newest = entries.reduce((a, b) => (isLater(b, a) ? b : a));
  const cursor = newestCursor(records, desk, game);
  const here = entries.find((one) => one.id === cursor?.at) ?? newest;
  const last = Math.max(...entries.map((one) => one.made));
  return {
    game,
    name: records.get(`game/${desk}/${game}`)?.text ?? "",
    last: last > KNOWN ? last : 0,
    steps: entries.filter((one) => one.parent !== null).length,
    position: here.position,
  };
}

/** The newest cursor in that game. */
export function newestCursor(records: Records, desk: string, game: string): Cursor | null {
  let newest = null;
  for (const [key, one] of records)
    if (key.startsWith(`cursor/${desk}/`) && one.game === game && one.made >= (newest?.made ?? 0))
      newest = one;
  return newest;
}

/** The entries, names and cursors of a game. */
export function entriesOfGame(entries: Iterable<Entry>, desk: string, game: string): Entry[] {
  const all = [...entries];
  const ids = new Set();
  for (const [key, one] of all) if (key.startsWith(`moment/${desk}/${game}/`)) ids.add(one?.id);
  return all.filter(
    ([key, one]) =>
      key.startsWith(`moment/${desk}/${game}/`) ||
      key === `game/${desk}/${game}` ||
      (key.startsWith(`cursor/${desk}/`) && one?.game === game) ||
      (key.startsWith(`name/${desk}/`) && ids.has(key.slice(`name/${desk}/`.length))),
  );
}

/*
 * Storage used by each desk, the saved positions, the console and unreadable entries. Sizes are bytes of
 * JSON text; the browser may compress it.
 */

/** `of`: a desk's name, or "shelf", "console", "aside", "rest" */
export type Part = { of: string; games: number; entries: number; bytes: number };

const OF_DESK = /^(?:moment|name|game|cursor|own)\/([a-z]{1,20})\/|^desk\.([a-z]{1,20})$/;

/** The part that a key belongs to. */
export function deskOf(key: string) {
  const [, desk, before] = OF_DESK.exec(key) ?? [];
  if (desk ?? before) return desk ?? before;
  const kind = key.split(/[/.]/)[0];
  return ["shelf", "console", "aside"].includes(kind) ? kind : "rest";
}

/** The parts with their sizes, the largest first. */
export function usageByPart(entries: Iterable<Entry>): Part[] {
  const parts: Map<string, { games: Set<string>; entries: number; bytes: number }> = new Map();
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

/** Bytes of a text, or of a value's JSON text. */
const sizeOf = (value: unknown) => encoder.encode(typeof value === "string" ? value : jsonText(value)).length;

/** The JSON text of a value; "" if JSON cannot represent it. */
export function jsonText(value: unknown) {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
