/**
 * Storage used by each desk, the saved positions, the console and unreadable entries. Sizes are bytes of
 * JSON text; the browser may compress it.
 */
import type { Entry } from "./store.js";

/**
 * `of`: a desk's name, or
 *  "shelf", "console", "aside", "rest"
 */
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

/** Bytes of a value's JSON text; 0 for what JSON cannot represent. */
function sizeOf(value: unknown) {
  try {
    return encoder.encode(typeof value === "string" ? value : (JSON.stringify(value) ?? "")).length;
  } catch {
    return 0;
  }
}
