/** The desk's types; boards as strings in the position and as tokens in drawings; transforms of them. */

import type {
  Verbs as AsTyped,
  Because,
  Constraint,
  Position,
  Same,
  Step,
  Transform,
} from "../../types/sudoku.js";
import type { Token } from "../../widgets/grid.js";
import { GLOBAL, pairsOf } from "./constraints.js";
import type { Convention, Form } from "./generate.js";
import type { By, Task } from "./list-job.js";
import type { Entry } from "./marks.js";

export type { Constraint, Position, Token, Transform };
export type Compared = Pick<Same, "not_compared" | "compared" | "cell_maps">;
export type Alike = Compared & {
  same: true;
  witness: Transform;
  steps: Step[];
  ways: number;
  shortest: boolean;
  summary?: string;
  because?: null;
  same_renamed?: null;
};
export type Unlike = Compared & {
  same: false;
  because: Because;
  same_renamed?: boolean | null;
  steps?: null;
};
/** the desk's verbs; the result of `same` is a union of its two verdicts */
export type Verbs = Omit<AsTyped, "same"> & {
  same: Omit<AsTyped["same"], "result"> & { result: Alike | Unlike };
};

export interface View {
  /** the chosen cell */
  at?: { board: number; cell: number } | null;
  /** the state of the playback of a witness */
  player?: { step: number; running: boolean } | null;
  /** the entry of the key that is marked on both boards */
  entry?: Entry | null;
  /** the board that questions about one board refer to */
  board?: number;
  /** symbols are not renamed */
  names?: boolean;
  /** the convention of least forms */
  convention?: "straight" | "pattern_first" | "solution_carried";
  /** symmetries are shown */
  symmetries?: boolean;
  onlyGenerators?: boolean;
  /** the symmetry that is shown */
  browse?: number | null;
  /** the step of its playback */
  stage?: number;
  /** solutions are shown */
  solving?: boolean;
  /** the closest match is shown */
  near?: boolean;
  /** the number of a grid is shown */
  numbering?: boolean;
  /** the views of a grid are shown */
  viewing?: boolean;
  /** the form that makes a board is shown */
  making?: boolean;
  /** the values of that form */
  make?: Partial<Form>;
  /** other notations and links to other sites are shown */
  carrying?: boolean;
  /** the list is shown */
  listing?: boolean;
  /** what was typed or pasted into it */
  listText?: string;
  listTask?: Task;
  listBy?: By;
  listForm?: Convention;
  listNumber?: "no" | "yes";
  /** cells in which near duplicates may differ */
  nearMost?: "1" | "2" | "10";
  /** typing into the empty desk has begun */
  typing?: boolean;
  /** least forms are drawn as well */
  formBoards?: boolean;
  /** the unavoidable set that is shown */
  set?: number;
}
/** questions about one board, by its number */
type OfOne = { [key in `solve${number}`]: "solve" } & { [key in `canon${number}`]: "canon" };
type Asked = {
  same: "same";
  nearest: "nearest";
  number: "number";
  unavoidable: "unavoidable";
  views: "views";
  automorphisms: "automorphisms";
} & OfOne;
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked };
export type Context = import("../desk.js").Context<Desk>;
export type Requests = import("../desk.js").Requests<Desk>;

export const SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
export const BOXES: [number, number][] = [[2, 2], [2, 3], [3, 2], [3, 3], [3, 4], [4, 3], [4, 4], [5, 5]]; // biome-ignore format: a table

export const boxOf = (position: Position): [number, number] => position.box ?? [3, 3];
export const sizeOf = (position: Position) => boxOf(position)[0] * boxOf(position)[1];
/** @returns the board, blank where there is none */
export function boardOf(position: Position, i: number): string {
  return position.grids?.[i] ?? ".".repeat(sizeOf(position) ** 2);
}
export const givens = (board: string) => [...board].filter((c) => c !== ".").length;
export const isBlank = (board: string) => /^\.*$/.test(board);
export const isComplete = (board: string) => !board.includes(".");

/** The boards that are not blank. */
export function filled(position: Position) {
  return [0, 1].filter((i) => !isBlank(boardOf(position, i)));
}

/** The board that questions about one board refer to. */
export function focus(context: Pick<Context, "position" | "view">) {
  const there = filled(context.position);
  const { board = 0 } = context.view;
  return there.includes(board) ? board : (there[0] ?? 0);
}

/**
 * The strips (a line's part inside one box) that hold both symbols of a pair, as lists of cells.
 * @param pair symbols from 1
 */
export function sharedStrips(board: string, [rows, cols]: [number, number], pair: number[]) {
  const size = rows * cols;
  const strips = Array.from({ length: size }, (_, line) => [
    ...Array.from({ length: rows }, (_, k) => cellsFrom(line * size + k * cols, 1, cols)),
    ...Array.from({ length: cols }, (_, k) => cellsFrom(k * rows * size + line, size, rows)),
  ]).flat();
  return strips.filter((cells) => pair.every((d) => cells.some((i) => board[i] === SYMBOLS[d - 1])));
}
const cellsFrom = (first: number, step: number, count: number) =>
  Array.from({ length: count }, (_, k) => first + k * step);

/** The constraints of one board, without the field `board`. */
export function constraintsOf(position: Position, i: number): Constraint[] {
  const all = position.constraints ?? [];
  return all.filter((one) => (one.board ?? i) === i).map(({ board: _, ...rest }) => rest);
}

/** The position with these constraints for its boards; those of both have no field `board`. */
export function withConstraints(position: Position, [first, second]: Constraint[][]): Position {
  const [texts, others] = [first, second].map((all) => all.map((one) => JSON.stringify(one)));
  const constraints = [
    ...first.map((one, k) => (others.includes(texts[k]) ? one : { ...one, board: 0 as const })),
    ...second.filter((_, k) => !texts.includes(others[k])).map((one) => ({ ...one, board: 1 as const })),
  ];
  const { constraints: _, ...rest } = position;
  return constraints.length ? { ...rest, constraints } : rest;
}

/**
 * The position with one board changed; blank boards at the end are dropped. A board that becomes blank
 * loses its constraints, but for those that were chosen for both boards: the other may still be typed.
 * @param own its constraints if they change too
 */
export function withBoard(position: Position, i: number, board: string, own?: Constraint[]): Position {
  const grids = [boardOf(position, 0), boardOf(position, 1)].with(i, board);
  while (grids.length && isBlank(grids.at(-1) as string)) grids.pop();
  const chosen = (position.constraints ?? []).filter((one) => one.board == null && GLOBAL.includes(one.kind));
  const left = (k: number) => (isBlank(grids[k] ?? "") ? chosen : constraintsOf(position, k));
  const here = own ?? left(i);
  const isHere = ({ kind }: Constraint) => here.some((one) => one.kind === kind);
  const there = left(1 - i) === chosen ? chosen.filter(isHere) : left(1 - i);
  return withConstraints({ ...position, grids }, i ? [there, here] : [here, there]);
}

/** The position with new boards: two take both places, one the place `at`. A new size drops the other board. */
export function withBoards(
  position: Position,
  {
    box,
    grids,
    constraints,
    at,
  }: { box: [number, number]; grids: string[]; constraints: Constraint[][]; at: number },
): Position {
  const same = box.join() === boxOf(position).join();
  const there = same ? position : withConstraints({ ...position, box, grids: [] }, [[], []]);
  return grids.length === 2
    ? withConstraints({ ...there, grids }, constraints)
    : withBoard(there, at, grids[0], constraints[0]);
}

/** The position of a question about some of the boards. */
export function about(position: Position, which: number[]) {
  const asked: Position = { box: boxOf(position), grids: which.map((i) => boardOf(position, i)) };
  const [first, second = first] = which.map((i) => constraintsOf(position, i));
  return withConstraints(asked, [first, second]);
}

/** The question whether both boards are the same; `names`: without renaming symbols. */
export function sameQuestion(position: Position, names: boolean) {
  const options = names ? { no_relabel: true } : {};
  return { want: "same" as const, position: about(position, [0, 1]), options };
}

/** Cells whose symbol is repeated in a cell that must differ. */
export function conflicts(board: string, box: [number, number], constraints: Constraint[] = []) {
  const pairs = pairsOf(box, constraints).filter(([a, b]) => board[a] !== "." && board[a] === board[b]);
  return new Set(pairs.flat());
}

/** The same for a board of a position, with its constraints. */
export const clashes = (position: Position, i: number) =>
  conflicts(boardOf(position, i), boxOf(position), constraintsOf(position, i));

export const tokensOf = (board: string): Token[] => [...board].map((symbol, id) => ({ id, symbol }));

/** The source cell of every cell under a transform. */
export function sources(t: Transform) {
  if (t.cells) return t.cells;
  const size = t.rows.length;
  return t.rows.flatMap((r) => t.cols.map((c) => (t.transpose ? c * size + r : r * size + c)));
}

export function moved(t: Transform, tokens: Token[]): Token[] {
  return sources(t).map((i) => ({ ...tokens[i], symbol: renamed(tokens[i].symbol, t.digits) }));
}

function renamed(symbol: string, digits: number[]) {
  return symbol === "." ? "." : SYMBOLS[digits[SYMBOLS.indexOf(symbol) + 1] - 1];
}

/** The tokens after one step of a witness. */
export function played(step: Step, tokens: Token[], box: [number, number]) {
  if (step.move) return moved(step.move, tokens);
  if (step.kind !== "relabel") return stepSources(step, box).map((i) => tokens[i]);
  const { a, b } = step as { a: string; b: string };
  return tokens.map((t) => ({ ...t, symbol: b[a.indexOf(t.symbol)] ?? t.symbol }));
}

/** The source cell of every cell under a transposition, or a swap of rows, columns, bands or stacks. */
function stepSources(step: Step, [rows, cols]: [number, number]) {
  const size = rows * cols;
  const cells = Array.from({ length: size * size }, (_, i) => [Math.floor(i / size), i % size]);
  if (step.kind === "transpose") return cells.map(([r, c]) => c * size + r);
  const { a, b } = step as { a: number; b: number };
  const width = step.kind === "swap bands" ? rows : step.kind === "swap stacks" ? cols : 1;
  const line = Array.from({ length: size }, (_, i) => i);
  for (let i = 0; i < width; i++) {
    line[a * width + i] = b * width + i;
    line[b * width + i] = a * width + i;
  }
  const byRow = step.kind === "swap rows" || step.kind === "swap bands";
  return cells.map(([r, c]) => (byRow ? line[r] * size + c : r * size + line[c]));
}

/** The cells that a step moves, to mark them; none if it moves or renames all of them. */
export function touched(step: Step, box: [number, number]): Set<number> {
  if (!step.move && !step.kind.startsWith("swap")) return new Set();
  const from = step.move ? sources(step.move) : stepSources(step, box);
  return new Set(from.flatMap((source, i) => (source === i ? [] : [i])));
}

/** A permutation in cycles: "1→4→1, 2→3→2"; empty for the identity. */
export function cycles(line: number[], name: (i: number) => string) {
  const seen = new Set();
  const out = [];
  for (let i = 0; i < line.length; i++) {
    const cycle = [];
    for (let k = i; !seen.has(k); k = line[k]) {
      seen.add(k);
      cycle.push(name(k));
    }
    if (cycle.length > 1) out.push([...cycle, cycle[0]].join("→"));
  }
  return out.join(", ");
}
