/** The player's own marks: five kinds, at most one per cell; they are no clues. */

import type { Position } from "./model.js";

export type Kind = "dot" | "safe" | "unsure" | "first" | "second";

/** In the order in which they are offered and cycled. */
export const KINDS: readonly Kind[] = ["dot", "safe", "unsure", "first", "second"];

/** The kind of mark by cell. */
export function notesOf({ marks = [], notes = {} }: Position): Map<number, Kind> {
  const lists = KINDS.map((kind) => [kind, kind === "dot" ? marks : (notes[kind] ?? [])] as const);
  return new Map(lists.flatMap(([kind, cells]) => cells.map((cell) => [cell, kind] as const)));
}

/** The position with that mark on some cells instead of any other; null: none. */
export function withMarks(position: Position, cells: readonly number[], kind: Kind | null): Position {
  const found = notesOf(position);
  for (const cell of cells) {
    if (kind) found.set(cell, kind);
    else found.delete(cell);
  }
  const of = (wanted: Kind) =>
    [...found].flatMap(([cell, has]) => (has === wanted ? [cell] : [])).sort((a, b) => a - b);
  const { marks: _m, notes: _n, ...rest } = position;
  const [marks, safe, unsure, first, second] = KINDS.map(of);
  return { ...rest, marks, notes: { safe, unsure, first, second } };
}

/** The next mark in the cycle; null: none. */
export const after = (kind: Kind | undefined): Kind | null =>
  KINDS[kind ? KINDS.indexOf(kind) + 1 : 0] ?? null;

/** The cells that show each kind; a flag hides the mark below. */
export function shownOf(position: Position): Record<Kind, number[]> {
  const flags = new Set(position.flags ?? []);
  const found: Record<Kind, number[]> = { dot: [], safe: [], unsure: [], first: [], second: [] };
  for (const [cell, kind] of notesOf(position)) if (!flags.has(cell)) found[kind].push(cell);
  return found;
}
