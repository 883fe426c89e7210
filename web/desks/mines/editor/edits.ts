/** Edits of the level editor: each returns the next board, with its counts recomputed from its mines. */

import type { Freeing } from "../../../types/mines.js";
import { begin } from "../board-actions.js";
import type { Brush, Context, Group, Position } from "../model.js";
import { ascending, cellsOf, drawnOf, EMPTY, startOf } from "../model.js";
import { countIn, unseal } from "../sealed-solution.js";
import { words } from "../strings.js";
import type { Place } from "./topology.js";
import { addCells, linesOf, mergeCells, removeCells, symmetricCells, toGraph } from "./topology.js";

type Counts = readonly (number | null)[] | null | undefined;
export type Layout = { mines: Set<number>; secret: Set<number>; start: Set<number> };

/** Whether a board is in the level editor: its mines are open; those of a board in play are sealed. */
export const isMade = ({ mines, sealed }: Position) => mines != null && !sealed;

export const layoutOf = ({ mines, secret, revealed }: Position): Layout => ({
  mines: new Set(mines ?? []),
  secret: new Set(secret ?? []),
  start: new Set((revealed ?? []).map((r) => r.cell)),
});

/** The board with that layout, all counts and open numbers recomputed. */
export function withMines(position: Position, { mines, secret, start }: Layout): Position {
  const counted = (cells: readonly number[]) => countIn(mines, cells);
  const { board } = position;
  const { neighbours } = drawnOf(position);
  const safe = ascending(start).filter((c) => !mines.has(c));
  const hidden = new Set([...secret].filter((c) => !mines.has(c)));
  const lines = (list: Counts, on: (i: number, c: number) => boolean) =>
    list?.map((count, i) => (count == null ? null : [...mines].filter((c) => on(i, c)).length));
  return {
    ...position,
    ...(board && {
      board: {
        ...board,
        rows: lines(board.rows, (y, c) => Math.floor(c / board.width) === y),
        columns: lines(board.columns, (x, c) => c % board.width === x),
        total: board.total == null ? null : mines.size,
      },
    }),
    groups: withUncoloured(
      (position.groups ?? []).map((g) => ({ ...g, count: counted(g.cells) })),
      cellsOf(position),
      counted,
    ),
    mines: ascending(mines),
    secret: ascending(hidden),
    revealed: safe.map((cell) => ({ cell, number: hidden.has(cell) ? null : counted(neighbours[cell]) })),
    flags: [],
    marks: [],
    notes: {},
    start: null,
    rating: null,
  };
}

/** The groups with the one that the game adds: if some cells have a colour, those without are counted too. */
function withUncoloured(groups: Group[], cells: number, counted: (cells: number[]) => number): Group[] {
  const others = groups.filter((g) => g.kind !== "rest" && g.cells.length);
  const coloured = new Set(others.filter((g) => g.colour).flatMap((g) => g.cells));
  const bare = Array.from({ length: cells }, (_, c) => c).filter((c) => !coloured.has(c));
  if (!coloured.size || !bare.length) return others;
  return [...others, { kind: "rest", colour: "GREY", cells: bare, count: counted(bare) }];
}

/** The board for the editor, its solution unsealed; null if that is damaged or unknown. */
export async function unsealed(position: Position): Promise<Position | null> {
  const solution = await unseal(position);
  if (!solution) return null;
  const { sealed: _s, start: _t, ...rest } = position;
  return withMines(rest, { ...solution, start: new Set(startOf(position)) });
}

/** The board as drawn in the editor, with the lines without a count; `hidden`: their indices among the drawn groups. */
export function withLineCounts(position: Position): { shown: Position; hidden: Set<number> } {
  const known = lineCounts.get(position);
  if (known) return known;
  const { board } = position;
  const every = (list: Counts, length: number) => Array.from({ length }, (_, i) => list?.[i] ?? 0);
  const missing = board
    ? []
    : linesOf(position).filter((l) => !(position.groups ?? []).some((g) => same(g.cells, l.cells)));
  const shown = {
    ...position,
    ...(board && {
      board: {
        ...board,
        rows: every(board.rows, board.height),
        columns: every(board.columns, board.width),
      },
    }),
    groups: [...(position.groups ?? []), ...missing.map((l) => ({ ...l, count: 0 }))],
  };
  const { groups } = drawnOf(shown);
  const hidden = new Set(
    groups.flatMap((_, i) => {
      if (board && i < board.height) return board.rows?.[i] == null ? [i] : [];
      if (board && i < board.height + board.width)
        return board.columns?.[i - board.height] == null ? [i] : [];
      return i >= groups.length - missing.length ? [i] : [];
    }),
  );
  const made = { shown, hidden };
  lineCounts.set(position, made);
  return made;
}
const lineCounts: WeakMap<Position, { shown: Position; hidden: Set<number> }> = new WeakMap();

const same = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((c) => b.includes(c));

/** The board with another count of a drawn line; null removes it. */
export function withCount(position: Position, index: number, count: number | null): Position {
  const { board } = position;
  const set = (list: Counts, length: number, at: number) =>
    Array.from({ length }, (_, i) => (i === at ? count : (list?.[i] ?? null)));
  if (board && index < board.height)
    return { ...position, board: { ...board, rows: set(board.rows, board.height, index) } };
  if (board && index < board.height + board.width) {
    const columns = set(board.columns, board.width, index - board.height);
    return { ...position, board: { ...board, columns } };
  }
  const line = drawnOf(withLineCounts(position).shown).groups[index];
  if (line.kind === "total") return withAll(position, count);
  const groups = position.groups ?? [];
  const at = groups.findIndex((g) => g.kind === line.kind && same(g.cells, line.cells));
  const own = count === null ? [] : [{ ...line, count }];
  return { ...position, groups: at < 0 ? [...groups, ...own] : groups.toSpliced(at, 1, ...own) };
}

/** The board with another number of mines in all; null: not shown. */
export function withAll(position: Position, total: number | null): Position {
  if (position.board) return { ...position, board: { ...position.board, total } };
  const groups = (position.groups ?? []).filter((g) => g.kind !== "total");
  const cells = Array.from({ length: cellsOf(position) }, (_, c) => c);
  return {
    ...position,
    groups: total === null ? groups : [...groups, { kind: "total", cells, count: total }],
  };
}

/** A line's count shown or hidden, by its number among the drawn groups. */
export const toggleCount = (position: Position, index: number) =>
  recountMines(withCount(position, index, withLineCounts(position).hidden.has(index) ? 0 : null));

/** The total shown or not. */
export const withTotal = (position: Position, on: boolean) => recountMines(withAll(position, on ? 0 : null));

/** The board with a colour set on cells, or removed from them. */
function withColour(
  position: Position,
  cells: number[],
  { colour, dark }: { colour: string; dark: boolean },
  on: boolean,
): Position {
  const touched = new Set(cells);
  const groups = (position.groups ?? [])
    .filter((g) => g.kind !== "rest")
    .map((g) => (g.colour ? { ...g, cells: g.cells.filter((c) => !touched.has(c)) } : g));
  const at = groups.findIndex((g) => g.colour === colour && Boolean(g.dark) === dark);
  const own = { kind: "colour", colour, dark, count: 0, cells };
  if (on && at >= 0) groups[at] = { ...groups[at], cells: ascending([...groups[at].cells, ...cells]) };
  else if (on) groups.push(own);
  return { ...position, groups: groups.filter((g) => g.cells.length) };
}

/** The board with a counted set of cells, or without it if it was counted. */
function toggleSet(position: Position, cells: number[]): Position {
  const groups = position.groups ?? [];
  const others = groups.filter((g) => g.colour || !same(g.cells, cells));
  const next = others.length < groups.length ? others : [...groups, { kind: "line", cells, count: 0 }];
  return { ...position, groups: next };
}

/** The rectangle with lines added or removed at its right or lower edge. */
export function resizeBoard(position: Position, wider: number, higher: number): Position {
  const { board } = position;
  if (!board) return position;
  const [width, height] = [board.width + wider, board.height + higher];
  const at = (c: number) => [c % board.width, Math.floor(c / board.width)];
  const moved = (list: Iterable<number>) =>
    new Set(
      [...list].filter((c) => at(c)[0] < width && at(c)[1] < height).map((c) => at(c)[1] * width + at(c)[0]),
    );
  const { mines, secret, start } = layoutOf(position);
  const line = (list: Counts, length: number) =>
    Array.from({ length }, (_, i) => (list && i < list.length ? list[i] : list ? 0 : null));
  const groups = (position.groups ?? []).map((g) => ({ ...g, cells: [...moved(g.cells)] }));
  const next = {
    ...board,
    width,
    height,
    rows: line(board.rows, height),
    columns: line(board.columns, width),
  };
  return withMines(
    { ...position, board: next, groups },
    { mines: moved(mines), secret: moved(secret), start: moved(start) },
  );
}

/** The board after a stroke over those cells, which sets (`on`) or removes; null if it changes nothing. */
export function applyStroke(
  position: Position,
  brush: Brush,
  cells: number[],
  on: boolean,
  hue: { colour: string; dark: boolean },
): Position | null {
  const layout = layoutOf(position);
  if (brush === "cell") return recountMines(removeCells(position, cells));
  if (brush === "join") {
    const whole = cells.length > 1 ? mergeCells(position, cells) : null;
    return whole && recountMines(whole);
  }
  if (brush === "line") return cells.length > 1 ? withMines(toggleSet(position, cells), layout) : null;
  if (brush === "colour") return withMines(withColour(position, cells, hue, on), layout);
  for (const cell of cells) {
    layout[brush === "mine" ? "mines" : brush === "secret" ? "secret" : "start"][on ? "add" : "delete"](cell);
    if (!on) continue;
    if (brush === "mine") for (const other of [layout.secret, layout.start]) other.delete(cell);
    else layout.mines.delete(cell);
  }
  return withMines(position, layout);
}

const recountMines = (position: Position) => withMines(position, layoutOf(position));

/** Cells added at those places of the lattice. */
export const withNewCells = (position: Position, places: Place[]) => recountMines(addCells(position, places));

/** Whether a cell has what the brush sets. */
export function has(position: Position, brush: Brush, cell: number, hue: { colour: string; dark: boolean }) {
  const { mines, secret, start } = layoutOf(position);
  if (brush === "colour")
    return (position.groups ?? []).some(
      (g) =>
        g.kind !== "rest" &&
        g.colour === hue.colour &&
        Boolean(g.dark) === hue.dark &&
        g.cells.includes(cell),
    );
  return { mine: mines, secret, start }[brush as "mine" | "secret" | "start"]?.has(cell) ?? false;
}

/** A copy of cells: for each its offset from the first one, and its content. */
export function copyCells(position: Position, cells: number[]) {
  const { x, y } = drawnOf(position);
  const { mines, secret, start } = layoutOf(position);
  return cells.map((c) => ({
    x: x[c] - x[cells[0]],
    y: y[c] - y[cells[0]],
    mine: mines.has(c),
    secret: secret.has(c),
    start: start.has(c),
  }));
}

/** The board with a copy pasted at a cell, clipped to the board. */
export function pasteCells(position: Position, stamp: ReturnType<typeof copyCells>, cell: number): Position {
  const { x, y } = drawnOf(position);
  const layout = layoutOf(position);
  for (const one of stamp) {
    const at = x.findIndex((u, c) => Math.hypot(u - x[cell] - one.x, y[c] - y[cell] - one.y) < 8);
    if (at < 0) continue;
    layout.mines[one.mine ? "add" : "delete"](at);
    layout.secret[one.secret ? "add" : "delete"](at);
    layout.start[one.start ? "add" : "delete"](at);
  }
  return withMines(position, layout);
}

/** The board after a repair of one cell. */
export function applyRepair(position: Position, { kind, cell }: Freeing): Position | null {
  const plain = { colour: "", dark: false };
  if (kind === "number") return applyStroke(position, "secret", [cell], false, plain);
  if (kind === "open") return applyStroke(position, "start", [cell], true, plain);
  return applyStroke(position, "mine", [cell], kind === "mine", plain);
}

/** The cells of a stroke with their images under the chosen symmetry. */
export function withSymmetry({ position, view }: Context, cells: number[]) {
  const { x, y } = drawnOf(position);
  const all = x.map((u, c) => ({ x: u, y: y[c] }));
  return symmetricCells(cells, all, view.symmetry ?? "none", cornersOf(position));
}

/** How many corners a cell of the board has, for its symmetries. */
const cornersOf = (position: Position) => toGraph(position).polygons?.[0]?.length ?? 4;

/** Seal the board and play it. */
export async function playLevel(context: Context) {
  const text = JSON.stringify(context.position);
  const puzzle = await context.ask({ want: "read", position: EMPTY, options: { text } }).promise;
  const title = context.position.title || words.untitled;
  begin(context, { ...puzzle, title }, title);
}
