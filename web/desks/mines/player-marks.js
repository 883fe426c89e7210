/** The player's own marks: five kinds, at most one a cell, and no clue. */

/** @typedef {import("./model.js").Position} Position */
/** @typedef {"dot" | "safe" | "unsure" | "first" | "second"} Kind */

/** As they are offered, and as one follows another on a cell. @type {readonly Kind[]} */
export const KINDS = ["dot", "safe", "unsure", "first", "second"];

/** The kind that every marked cell has. @param {Position} position @returns {Map<number, Kind>} */
export function notesOf({ marks = [], notes = {} }) {
  const lists = KINDS.map(
    (kind) => /** @type {const} */ ([kind, kind === "dot" ? marks : (notes[kind] ?? [])]),
  );
  return new Map(lists.flatMap(([kind, cells]) => cells.map((cell) => /** @type {const} */ ([cell, kind]))));
}

/** The position with that mark on some cells in place of any other; null: with none. @param {Position} position @param {readonly number[]} cells @param {Kind | null} kind @returns {Position} */
export function noted(position, cells, kind) {
  const found = notesOf(position);
  for (const cell of cells) {
    if (kind) found.set(cell, kind);
    else found.delete(cell);
  }
  const of = (/** @type {Kind} */ wanted) =>
    [...found].flatMap(([cell, has]) => (has === wanted ? [cell] : [])).sort((a, b) => a - b);
  const { marks: _m, notes: _n, ...rest } = position;
  const [marks, safe, unsure, first, second] = KINDS.map(of);
  return { ...rest, marks, notes: { safe, unsure, first, second } };
}

/** What follows a mark on its cell; null: none. @param {Kind | undefined} kind @returns {Kind | null} */
export const after = (kind) => KINDS[kind ? KINDS.indexOf(kind) + 1 : 0] ?? null;

/** The cells that show each kind: a mark below a flag is not seen. @param {Position} position @returns {Record<Kind, number[]>} */
export function shownOf(position) {
  const flags = new Set(position.flags ?? []);
  /** @type {Record<Kind, number[]>} */
  const found = { dot: [], safe: [], unsure: [], first: [], second: [] };
  for (const [cell, kind] of notesOf(position)) if (!flags.has(cell)) found[kind].push(cell);
  return found;
}
