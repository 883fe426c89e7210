/**
 * Names of cells, groups and clues, in all sentences and on the board. The engine's cell_names.py has the same
 * rules; a test compares them.
 */

import type { Group, Position } from "./model.js";

const NEAR = 0.001; // steps that a place may be off its grid
const MOST = 1000; // columns or rows

/** A column as in a spreadsheet: A, Z, AA. */
export function letters(column: number) {
  let name = "";
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    name = String.fromCharCode(65 + ((n - 1) % 26)) + name;
  return name;
}

const grids: WeakMap<object, number[][] | null> = new WeakMap();

/** Column and row of every cell where the cells lie on a grid of squares, null elsewhere. */
export function placesOn({ board, pos, unit = 1 }: Position): number[][] | null {
  const key = board ?? pos;
  if (!key) return null;
  const kept = grids.get(key);
  if (kept !== undefined) return kept;
  const found = board
    ? Array.from({ length: board.width * board.height }, (_, c) => [
        c % board.width,
        Math.floor(c / board.width),
      ])
    : onGrid(pos ?? [], unit);
  grids.set(key, found);
  return found;
}

function onGrid(pos: number[][], unit: number) {
  if (!pos.length || new Set(pos.map(String)).size < pos.length) return null;
  const [left, top] = [0, 1].map((axis) => Math.min(...pos.map((p) => p[axis])));
  for (const step of [unit, smallestGap(pos) ?? unit]) {
    const grid = pos.map(([x, y]) => [(x - left) / step, (y - top) / step]);
    if (grid.flat().every((n) => Math.abs(n - Math.round(n)) < NEAR && n < MOST))
      return grid.map((place) => place.map(Math.round));
  }
  return null;
}

/** The smallest distance of two columns or two rows of places. */
function smallestGap(pos: number[][]): number | null {
  const lines = [0, 1].map((axis) => [...new Set(pos.map((p) => p[axis]))].sort((a, b) => a - b));
  const noise = Math.max(...lines.map((l) => l[l.length - 1] - l[0])) * 1e-6;
  const gaps = lines.flatMap((l) => l.slice(1).map((n, i) => n - l[i])).filter((gap) => gap > noise);
  return gaps.length ? Math.min(...gaps) : null;
}

/** `C4` on a grid of squares, `cell 17` elsewhere. */
export function cellName(position: Position, cell: number) {
  const grid = placesOn(position);
  return grid ? `${letters(grid[cell][0])}${grid[cell][1] + 1}` : `cell ${cell}`;
}

const called: WeakMap<Group[], string[]> = new WeakMap();

/** `row 3`, `column B`, `the total`, `the red shape`; no two groups of a board share one. */
export function groupName(position: Position, groups: Group[], index: number) {
  let names = called.get(groups);
  if (!names) {
    const plain = groups.map((_, i) => plainName(groups, placesOn(position), i));
    names = plain.map((name, i) =>
      plain.filter((other) => other === name).length === 1
        ? name
        : `${name} (${plain.slice(0, i + 1).filter((other) => other === name).length})`,
    );
    called.set(groups, names);
  }
  return names[index];
}

function plainName(groups: Group[], grid: number[][] | null, index: number) {
  const group = groups[index];
  if (group.kind === "total") return "the total";
  if (group.kind === "rest") return "the tiles without a colour";
  if (group.colour) return `the ${colourName(group)} shape`;
  if (grid && group.cells.length && ["row", "column", "line"].includes(group.kind ?? "")) {
    const [columns, rows] = [0, 1].map((i) => [...new Set(group.cells.map((c) => grid[c][i]))]);
    if (rows.length === 1 && (columns.length > 1 || group.kind === "row")) return `row ${rows[0] + 1}`;
    if (columns.length === 1) return `column ${letters(columns[0])}`;
  }
  const number = groups.filter((g) => g.kind === group.kind).indexOf(group) + 1;
  if (group.kind?.startsWith("line-")) return `line ${group.kind.slice(5).toUpperCase()}${number}`;
  return `${group.kind === "set" ? "group" : group.kind} ${number}`;
}

/** `red`, `dark red`, `black` for dark grey. */
function colourName({ colour, dark }: Group) {
  const name = (colour ?? "").toLowerCase();
  return dark ? (name === "grey" ? "black" : `dark ${name}`) : name;
}

/** A count as Hexcells writes it: `{2}` where its mines are together, `−2−` where they are apart. */
export const withForm = (count: string, form: "together" | "apart" | null | undefined) =>
  form === "together" ? `{${count}}` : form === "apart" ? `−${count}−` : count;

/** A clue's name in words. */
export function clueName(position: Position, groups: Group[], name: string) {
  const [kind, index] = name.split(":");
  if (kind === "group") {
    const { form } = groups[Number(index)];
    return `${groupName(position, groups, Number(index))}${form ? `, ${form}` : ""}`;
  }
  if (kind === "spot") return `the count on ${cellName(position, Number(index))}`;
  if (kind === "flag") return `the flag at ${cellName(position, Number(index))}`;
  const shown = (position.revealed ?? []).find((r) => r.cell === Number(index));
  const form = position.forms?.[Number(index)];
  return `the ${withForm(String(shown?.number), form)} at ${cellName(position, Number(index))}`;
}
