/** A board that is played elsewhere, entered by hand: the counts next to it. */
import { withLineCounts } from "./editor/edits.js";
import { drawnOf } from "./model.js";

/** @typedef {import("./model.js").Position} Position */
/** @typedef {readonly (number | null)[] | null | undefined} Counts */

/** Lines that have no count yet are drawn as well, to be pressed: the drawn board, which of its groups
 * have none, and the number of a drawn group among the position's. @param {Position} position */
export function entryOf(position) {
  const { shown, hidden } = withLineCounts(position);
  const before = (/** @type {number} */ index) => [...hidden].filter((h) => h < index).length;
  return { drawn: drawnOf(shown), hidden, real: (/** @type {number} */ index) => index - before(index) };
}

/** An empty board of a shape, without counts. @param {Position} position @returns {Position} */
export function blank({ mines: _m, rating: _r, board, ...rest }) {
  const shape = board && { kind: board.kind, width: board.width, height: board.height };
  const untold = shape && { rows: none(shape.height), columns: none(shape.width), total: null };
  return { ...rest, ...(shape ? { board: { ...shape, ...untold } } : {}), groups: [], revealed: [] };
}

/** @param {number} length */
const none = (length) => Array.from({ length }, () => null);

/** The board with another count of a drawn line; null takes it away. @param {Position} position @param {number} index @param {number | null} count @returns {Position} */
export function withCount(position, index, count) {
  const { board } = position;
  const { drawn, hidden, real } = entryOf(position);
  const set = (/** @type {Counts} */ list, /** @type {number} */ length, /** @type {number} */ at) =>
    Array.from({ length }, (_, i) => (i === at ? count : (list?.[i] ?? null)));
  if (board && index < board.height)
    return { ...position, board: { ...board, rows: set(board.rows, board.height, index) } };
  if (board && index < board.height + board.width)
    return {
      ...position,
      board: { ...board, columns: set(board.columns, board.width, index - board.height) },
    };
  const groups = [...(position.groups ?? [])];
  const own = groups.length - (drawn.groups.length - hidden.size) + real(index);
  if (hidden.has(index))
    return { ...position, groups: [...groups, { ...drawn.groups[index], count: count ?? 0 }] };
  if (count === null) groups.splice(own, 1);
  else groups[own] = { ...groups[own], count };
  return { ...position, groups };
}

/** The board with another number of mines in all; null: not shown. @param {Position} position @param {number | null} total @returns {Position} */
export function withAll(position, total) {
  if (position.board) return { ...position, board: { ...position.board, total } };
  const groups = (position.groups ?? []).filter((g) => g.kind !== "total");
  const cells = Array.from({ length: drawnOf(position).cells }, (_, c) => c);
  return {
    ...position,
    groups: total === null ? groups : [...groups, { kind: "total", cells, count: total }],
  };
}
