/** Cells marked on both boards: those of an entry of the key, or of the reason why the boards differ. */

import type { Because } from "../../types/sudoku.js";
import { svg } from "../../vendor.js";
import { CELL } from "../../widgets/grid.js";
import type { Context, Transform } from "./model.js";
import { boardOf, boxOf, SYMBOLS, sharedStrips } from "./model.js";
import { words } from "./strings.js";

/** a digit, row or column of the first board (turned if the boards are), from 0 */
export type Entry = { part: "digits" | "rows" | "cols"; at: number };
type Marks = { cells: Set<number>; strips?: number[][]; text: string };

/** The entry under the mouse or with the keyboard focus; not stored in the view. */
let pointed: Entry | null = null;

export function point(context: Context, entry: Entry | null) {
  pointed = entry;
  context.redraw();
}

const isSame = (one: Entry | null | undefined, other: Entry) =>
  one?.part === other.part && one.at === other.at;

export const isPinned = ({ view }: Context, entry: Entry) => isSame(view.entry, entry);

/** Pins the mark of an entry, or unpins it. */
export function pin(context: Context, entry: Entry) {
  const already = isPinned(context, entry);
  if (already) pointed = null;
  context.set({ entry: already ? null : entry, player: null });
}

/** The image of an entry on the second board, from 0. */
export const target = (t: Transform, { part, at }: Entry) =>
  part === "digits" ? t.digits[at + 1] - 1 : t[part].indexOf(at);

/** The marks on board `i` with a caption; null if there are none. */
export function marks(context: Context, i: number): Marks | null {
  const reply = context.replies.same;
  if (!reply?.value) return null;
  if (!reply.value.same) return reasonMarks(context, reply.value.because, i);
  const entry = pointed ?? context.view.entry;
  return entry && reply.value.steps.length ? entryMarks(context, reply.value.witness, entry, i) : null;
}

/** Outlines around strips, drawn below the lines of a board. */
export const stripOutlines = (size: number, strips: number[][] = []) =>
  strips.map((cells) => {
    const [first, last] = [cells[0], cells[cells.length - 1]];
    const [x, y] = [first % size, Math.floor(first / size)];
    const [across, down] = [(last % size) - x + 1, Math.floor(last / size) - y + 1];
    return svg`<rect class="grid-strip" x=${x * CELL + 3} y=${y * CELL + 3} width=${across * CELL - 6} height=${down * CELL - 6} rx="8"></rect>`;
  });

function entryMarks(context: Context, t: Transform, entry: Entry, i: number): Marks {
  const size = t.rows.length;
  const at = i ? target(t, entry) : entry.at;
  if (entry.part === "digits") return symbolMarks(boardOf(context.position, i), at + 1, words.key.digit);
  const isRow = (entry.part === "rows") === (i === 1 || !t.transpose);
  return { cells: lineCells(size, isRow, at, at + 1), text: words.key.line(isRow, at + 1) };
}

function symbolMarks(board: string, value: number, text: (symbol: string, count: number) => string): Marks {
  const symbol = SYMBOLS[value - 1];
  const cells = [...board].flatMap((one, cell) => (one === symbol ? [cell] : []));
  return { cells: new Set(cells), text: text(symbol, cells.length) };
}

/** The cells of some rows, or columns. */
function lineCells(size: number, isRow: boolean, from: number, to: number) {
  const all = Array.from({ length: size ** 2 }, (_, cell) => cell);
  const line = (cell: number) => (isRow ? Math.floor(cell / size) : cell % size);
  return new Set(all.filter((cell) => line(cell) >= from && line(cell) < to));
}

function reasonMarks(context: Context, because: Because, i: number): Marks | null {
  const [rows, cols] = boxOf(context.position);
  const boards = [0, 1].map((k) => boardOf(context.position, k));
  const lists = [because.first_lists ?? [], because.second_lists ?? []];
  const found = because.meetings;
  switch (because.kind) {
    case "atoms":
    case "bands":
    case "cycles":
      return placeMarks(because, boards[i], i);
    case "rectangles":
      return { cells: new Set(lists[i].flat()), text: words.rectangles(lists[i].length) };
    case "symbols":
    case "names":
      return symbolMarks(
        boards[i],
        differingSymbols(boards, rows * cols, because.kind === "symbols")[i],
        words.stands,
      );
    case "lines":
      return chuteMarks(boards, [rows, cols], i);
    case "meetings": {
      if (!found) return null;
      const pairs = i ? found.second_pairs : found.first_pairs;
      const strips = found.count && pairs.length ? sharedStrips(boards[i], [rows, cols], pairs[0]) : [];
      const [a, b] = (pairs[0] ?? []).map((value) => SYMBOLS[value - 1]);
      const cells = strips.flat().filter((cell) => [a, b].includes(boards[i][cell]));
      return { cells: new Set(cells), strips, text: words.meetings(found.count, pairs.length, a, b) };
    }
    case "table":
      return tableMarks(boards[i], [rows, cols], lists as number[][][]);
    case "refinement":
      return vertexMarks(boards[i], lists[i].flat()) ?? { cells: new Set(), text: words.noneHere };
    case "certificate":
      return vertexMarks(boards[i], lists[i].flat());
    default:
      return null;
  }
}

/** Lines, boxes, a band or a stack that one board has more often. */
function placeMarks(because: Because, board: string, i: number): Marks {
  const places = (i ? because.second_cells : because.first_cells) ?? [];
  const size = Math.sqrt(board.length);
  if (!places.length) return { cells: new Set(), text: words.noneHere };
  if (because.kind === "cycles")
    return { cells: smallestCycle(board, places), strips: places, text: words.lined(places, size) };
  const text = words.lined(places, size);
  const number = because.kind === "bands" ? words.ofBand(Number(i ? because.second : because.first)) : "";
  return { cells: new Set(places.flat()), strips: places, text: text + number };
}

/** The cells of the smallest cycle or chain of two parallel lines: pairs of cells linked by equal symbols. */
function smallestCycle(board: string, [one, other]: number[][]) {
  const both = one.map((_, k) => k).filter((k) => board[one[k]] !== "." && board[other[k]] !== ".");
  const linked = (k: number) =>
    both.filter((m) => board[one[m]] === board[other[k]] || board[other[m]] === board[one[k]]);
  const cycles = both.map((k) => {
    const cycle = new Set([k]);
    for (const m of cycle) for (const next of linked(m)) cycle.add(next);
    return cycle;
  });
  const [least = new Set<number>()] = cycles.toSorted((a, b) => a.size - b.size);
  return new Set([...least].flatMap((k) => [one[k], other[k]]));
}

/** The symbols whose sorted row of the co-occurrence table is more frequent in the first board. */
function tableMarks(board: string, box: [number, number], [first, second]: number[][][]): Marks | null {
  const size = box[0] * box[1];
  const ascending = (row: number[]) => String(row.toSorted((a, b) => a - b));
  const many = (rows: number[][], row: number[]) =>
    rows.filter((one) => ascending(one) === ascending(row)).length;
  const compareRows = (one: number[], other: number[]) => {
    const at = one.findIndex((count, k) => count !== other[k]);
    return (one[at] ?? 0) - (other[at] ?? 0);
  };
  const [row] = first.filter((one) => many(first, one) > many(second, one)).sort(compareRows);
  const symbols = Array.from({ length: size }, (_, d) => d + 1);
  const having = symbols.filter((d) => {
    const counts = symbols.map((e) => (e === d ? 0 : sharedStrips(board, box, [d, e]).length));
    return ascending(counts) === ascending(row);
  });
  const cells = [...board].flatMap((one, cell) => (having.includes(SYMBOLS.indexOf(one) + 1) ? [cell] : []));
  return { cells: new Set(cells), text: words.described(having.map((d) => SYMBOLS[d - 1])) };
}

/** @param vertices of the refinement: the rows from 0, then the columns, then the symbols */
function vertexMarks(board: string, vertices: number[]): Marks | null {
  if (!vertices.length) return null;
  const size = Math.sqrt(board.length);
  const one = (vertex: number) => {
    const at = vertex % size;
    if (vertex < 2 * size)
      return [lineCells(size, vertex < size, at, at + 1), words.key.line(vertex < size, at + 1)];
    return [symbolMarks(board, at + 1, words.key.digit).cells, words.symbol(SYMBOLS[at]).toLowerCase()];
  };
  const all = vertices.map(one) as [Set<number>, string][];
  return {
    cells: new Set(all.flatMap(([cells]) => [...cells])),
    text: all.map(([, text]) => text).join(", "),
  };
}

/** A symbol of each board whose counts differ: of one name, or the first in order of counts. */
function differingSymbols(boards: string[], size: number, renamed: boolean) {
  const counted = boards.map((board) => {
    const counts = Array.from({ length: size }, (_, d) => ({
      value: d + 1,
      count: board.split(SYMBOLS[d]).length - 1,
    }));
    return renamed ? counts.sort((a, b) => b.count - a.count) : counts;
  });
  const at = counted[0].findIndex(({ count }, k) => count !== counted[1][k].count);
  return counted.map((counts) => counts[at].value);
}

/** A band or stack whose sorted counts of givens per line no band or stack of the other board has. */
function chuteMarks(boards: string[], [rows, cols]: [number, number], i: number): Marks | null {
  const size = rows * cols;
  const count = (board: string, isRow: boolean, line: number) =>
    [...lineCells(size, isRow, line, line + 1)].filter((cell) => board[cell] !== ".").length;
  const chutes = boards.map((board) =>
    [true, false].flatMap((isRow) => {
      const width = isRow ? rows : cols;
      return Array.from({ length: size / width }, (_, k) => {
        const [from, to] = [k * width, (k + 1) * width];
        const counts = Array.from({ length: width }, (_, l) => count(board, isRow, from + l));
        return { isRow, from, to, counts: counts.sort((a, b) => a - b) };
      });
    }),
  );
  const others = chutes[1 - i].map(({ counts }) => String(counts));
  for (const { isRow, from, to, counts } of chutes[i]) {
    const match = others.indexOf(String(counts));
    if (match < 0)
      return { cells: lineCells(size, isRow, from, to), text: words.chute(isRow, from + 1, to, counts) };
    others.splice(match, 1);
  }
  return null;
}
