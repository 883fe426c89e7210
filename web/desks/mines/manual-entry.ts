/** A board that is played elsewhere, entered by hand: the counts next to it. */
import { withLineCounts } from "./editor/edits.js";
import type { Position } from "./model.js";
import { drawnOf } from "./model.js";

export type Counts = readonly (number | null)[] | null | undefined;

/**
 * Lines that have no count yet are drawn as well, to be pressed: the drawn board, which of its groups
 * have none, and the number of a drawn group among the position's.
 */
export function entryOf(position: Position) {
  const { shown, hidden } = withLineCounts(position);
  const before = (index: number) => [...hidden].filter((h) => h < index).length;
  return { drawn: drawnOf(shown), hidden, real: (index: number) => index - before(index) };
}

/** An empty board of a shape, without counts. */
export function blank({ mines: _m, rating: _r, board, ...rest }: Position): Position {
  const shape = board && { kind: board.kind, width: board.width, height: board.height };
  const untold = shape && { rows: none(shape.height), columns: none(shape.width), total: null };
  return { ...rest, ...(shape ? { board: { ...shape, ...untold } } : {}), groups: [], revealed: [] };
}

const none = (length: number) => Array.from({ length }, () => null);

/** The board with another count of a drawn line; null takes it away. */
export function withCount(position: Position, index: number, count: number | null): Position {
  const { board } = position;
  const { drawn, hidden, real } = entryOf(position);
  const set = (list: Counts, length: number, at: number) =>
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

/** The board with another number of mines in all; null: not shown. */
export function withAll(position: Position, total: number | null): Position {
  if (position.board) return { ...position, board: { ...position.board, total } };
  const groups = (position.groups ?? []).filter((g) => g.kind !== "total");
  const cells = Array.from({ length: drawnOf(position).cells }, (_, c) => c);
  return {
    ...position,
    groups: total === null ? groups : [...groups, { kind: "total", cells, count: total }],
  };
}
