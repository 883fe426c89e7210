/**
 * Boards as the page holds them: strings in the position, tokens while they move.
 *
 * @typedef {Pick<import("../../types/sudoku.js").Same, "not_compared" | "compared" | "cell_maps">} Compared
 * @typedef {Compared & {same: true, witness: Transform, steps: Step[], ways: number, shortest: boolean, summary?: string, because?: null,
 *   same_renamed?: null}} Alike
 * @typedef {Compared & {same: false, because: import("../../types/sudoku.js").Because, same_renamed?: boolean | null,
 *   steps?: null}} Unlike
 * @typedef {Omit<AsTyped, "same"> & {same: Omit<AsTyped["same"], "result"> & {result: Alike | Unlike}}} Verbs what
 *   belongs to each of the two verdicts is said of it
 * @typedef {import("../../types/sudoku.js").Verbs} AsTyped
 * @typedef {import("../../types/sudoku.js").Position} Position
 * @typedef {import("../../types/sudoku.js").Constraint} Constraint what a puzzle asks beyond rows, columns and boxes
 * @typedef {import("../../types/sudoku.js").Transform} Transform
 * @typedef {import("../../types/sudoku.js").Step} Step
 * @typedef {import("../../widgets/grid.js").Token} Token
 *
 * @typedef {object} View
 * @property {{board: number, cell: number} | null} [at] the chosen cell
 * @property {{step: number, running: boolean} | null} [player] how far a witness is played
 * @property {"slow" | "normal" | "fast"} [speed]
 * @property {number} [board] the one that single questions are about
 * @property {boolean} [names] symbols keep theirs
 * @property {"straight" | "pattern_first" | "solution_carried"} [convention] of least forms
 * @property {boolean} [symmetries] they are shown
 * @property {boolean} [onlyGenerators]
 * @property {number | null} [browse] the symmetry that is shown
 * @property {number} [stage] how far it is played
 * @property {boolean} [solving] solutions are shown
 * @property {boolean} [table] the table method is shown
 * @property {boolean} [near] the closest match is shown
 * @property {boolean} [numbering] the number of a grid is shown
 * @property {boolean} [viewing] what a grid can be is shown
 * @property {boolean} [making] what makes a board is shown
 * @property {Partial<import("./generate.js").Form>} [make] how it is to be made
 * @property {boolean} [carrying] ways to carry boards elsewhere are shown
 * @property {boolean} [listing] the list is shown
 * @property {string} [listText] what was typed or pasted into it
 * @property {import("./list-job.js").Task} [listTask]
 * @property {import("./list-job.js").By} [listBy]
 * @property {import("./minlex-forms.js").Convention} [listForm]
 * @property {"no" | "yes"} [listNumber]
 * @property {"1" | "2" | "10"} [nearMost] cells in which near duplicates may differ
 * @property {boolean} [typing] somebody has begun to type into the empty desk
 * @property {boolean} [formBoards] least forms are drawn as well
 * @property {number} [set] the unavoidable set that is shown
 *
 * @typedef {{[key in `solve${number}`]: "solve"} & {[key in `canon${number}`]: "canon"}} OfOne board
 * @typedef {{same: "same", compare: "compare", nearest: "nearest", cooccurrence: "table", number: "number", unavoidable: "unavoidable", views: "views",
 *   automorphisms: "automorphisms"} & OfOne} Asked
 * @typedef {{position: Position, view: View, verbs: Verbs, asked: Asked}} Desk
 * @typedef {import("../desk.js").Context<Desk>} Context
 * @typedef {import("../desk.js").Wanted<Desk>} Wanted
 */

import { pairsOf } from "./constraints.js";

export const SYMBOLS = "123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** @type {[number, number][]} */
export const BOXES = [[2, 2], [2, 3], [3, 2], [3, 3], [3, 4], [4, 3], [4, 4], [5, 5]]; // biome-ignore format: a table

/** @param {Position} position @returns {[number, number]} */
export const boxOf = (position) => position.box ?? [3, 3];
/** @param {Position} position */
export const sizeOf = (position) => boxOf(position)[0] * boxOf(position)[1];
/** @param {Position} position @param {number} i @returns {string} the board, blank where there is none */
export function boardOf(position, i) {
  return position.grids?.[i] ?? ".".repeat(sizeOf(position) ** 2);
}
/** @param {string} board */
export const givens = (board) => [...board].filter((c) => c !== ".").length;
/** @param {string} board */
export const isBlank = (board) => /^\.*$/.test(board);
/** @param {string} board */
export const isComplete = (board) => !board.includes(".");

/**
 * The strips (a line's part inside one box) that hold both symbols of a pair, as lists of cells.
 * @param {string} board @param {[number, number]} box @param {number[]} pair symbols from 1
 */
export function sharedStrips(board, [rows, cols], pair) {
  const size = rows * cols;
  const strips = Array.from({ length: size }, (_, line) => [
    ...Array.from({ length: rows }, (_, k) => cellsFrom(line * size + k * cols, 1, cols)),
    ...Array.from({ length: cols }, (_, k) => cellsFrom(k * rows * size + line, size, rows)),
  ]).flat();
  return strips.filter((cells) => pair.every((d) => cells.some((i) => board[i] === SYMBOLS[d - 1])));
}
const cellsFrom = (/** @type {number} */ first, /** @type {number} */ step, /** @type {number} */ count) =>
  Array.from({ length: count }, (_, k) => first + k * step);

/** The constraints of one board, without saying whose they are. @param {Position} position @param {number} i @returns {Constraint[]} */
export function rulesOf(position, i) {
  const all = position.constraints ?? [];
  return all.filter((one) => (one.board ?? i) === i).map(({ board: _, ...rest }) => rest);
}

/** The position with these constraints for its boards; shared ones belong to both. @param {Position} position @param {Constraint[][]} rules @returns {Position} */
export function withRules(position, [first, second]) {
  const [mine, theirs] = [first, second].map((rules) => rules.map((one) => JSON.stringify(one)));
  const constraints = [
    ...first.map((one, k) => (theirs.includes(mine[k]) ? one : { ...one, board: /** @type {const} */ (0) })),
    ...second
      .filter((_, k) => !mine.includes(theirs[k]))
      .map((one) => ({ ...one, board: /** @type {const} */ (1) })),
  ];
  const { constraints: _, ...rest } = position;
  return constraints.length ? { ...rest, constraints } : rest;
}

/**
 * The position with one board changed; blank boards at the end are dropped. The board keeps its
 * constraints while anything is left of it, unless it comes with others.
 * @param {Position} position @param {number} i @param {string} board @param {Constraint[]} [rules]
 * @returns {Position}
 */
export function withBoard(position, i, board, rules) {
  const grids = [boardOf(position, 0), boardOf(position, 1)].with(i, board);
  while (grids.length && isBlank(/** @type {string} */ (grids.at(-1)))) grids.pop();
  const both = [0, 1].map((k) => (k === i && rules) || (isBlank(grids[k] ?? "") ? [] : rulesOf(position, k)));
  return withRules({ ...position, grids }, both);
}

/** The position that a question about some of the boards is asked with. @param {Position} position @param {number[]} which */
export function about(position, which) {
  /** @type {Position} */
  const asked = { box: boxOf(position), grids: which.map((i) => boardOf(position, i)) };
  const rules = which.map((i) => rulesOf(position, i));
  return which.length === 2 ? withRules(asked, rules) : withRules(asked, [rules[0], rules[0]]);
}

/** What decides about both boards; `names`: symbols keep theirs. @param {Position} position @param {boolean} names */
export function sameQuestion(position, names) {
  const options = names ? { no_relabel: true } : {};
  return { want: /** @type {const} */ ("same"), position: about(position, [0, 1]), options };
}

/** Cells that share their symbol with one that must differ. @param {string} board @param {[number, number]} box @param {Constraint[]} [rules] @returns {Set<number>} */
export function conflicts(board, box, rules = []) {
  const found = /** @type {Set<number>} */ (new Set());
  for (const [a, b] of pairsOf(box, rules))
    if (board[a] !== "." && board[a] === board[b]) found.add(a).add(b);
  return found;
}

/** The same for a board of a position, with its constraints. @param {Position} position @param {number} i */
export const clashes = (position, i) =>
  conflicts(boardOf(position, i), boxOf(position), rulesOf(position, i));

/** @param {string} board @returns {Token[]} */
export const tokensOf = (board) => [...board].map((symbol, id) => ({ id, symbol }));

/** The source cell of every cell under a transform. @param {Transform} t */
export function sources(t) {
  if (t.cells) return t.cells;
  const size = t.rows.length;
  return t.rows.flatMap((r) => t.cols.map((c) => (t.transpose ? c * size + r : r * size + c)));
}

/** @param {Transform} t @param {Token[]} tokens @returns {Token[]} */
export function moved(t, tokens) {
  return sources(t).map((i) => ({ ...tokens[i], symbol: renamed(tokens[i].symbol, t.digits) }));
}

/** @param {string} symbol @param {number[]} digits */
function renamed(symbol, digits) {
  return symbol === "." ? "." : SYMBOLS[digits[SYMBOLS.indexOf(symbol) + 1] - 1];
}

/** The tokens after one step of a witness. @param {Step} step @param {Token[]} tokens @param {[number, number]} box */
export function played(step, tokens, box) {
  const size = box[0] * box[1];
  if (step.move) return moved(step.move, tokens);
  if (step.kind === "transpose")
    return tokens.map((_, i) => tokens[(i % size) * size + Math.floor(i / size)]);
  if (step.kind === "relabel") {
    const { a, b } = /** @type {{a: string, b: string}} */ (step);
    return tokens.map((t) => ({ ...t, symbol: b[a.indexOf(t.symbol)] ?? t.symbol }));
  }
  const line = swapped(step, box);
  const byRow = step.kind === "swap rows" || step.kind === "swap bands";
  return tokens.map((_, i) => {
    const r = Math.floor(i / size);
    const c = i % size;
    return tokens[byRow ? line[r] * size + c : r * size + line[c]];
  });
}

/** Which line stands where after a swap. @param {Step} step @param {[number, number]} box */
function swapped(step, [rows, cols]) {
  const { a, b } = /** @type {{a: number, b: number}} */ (step);
  const width = step.kind === "swap bands" ? rows : step.kind === "swap stacks" ? cols : 1;
  const line = Array.from({ length: rows * cols }, (_, i) => i);
  for (let i = 0; i < width; i++) {
    line[a * width + i] = b * width + i;
    line[b * width + i] = a * width + i;
  }
  return line;
}

/** The cells a step has touched, to mark them. @param {Step} step @param {[number, number]} box @returns {Set<number>} */
export function touched(step, box) {
  const size = box[0] * box[1];
  if (step.move) return new Set(sources(step.move).flatMap((source, i) => (source === i ? [] : [i])));
  if (!step.kind.startsWith("swap")) return /** @type {Set<number>} */ (new Set());
  const line = swapped(step, box);
  const byRow = step.kind === "swap rows" || step.kind === "swap bands";
  const all = Array.from({ length: size * size }, (_, i) => i);
  return new Set(
    all.filter(
      (i) => line[byRow ? Math.floor(i / size) : i % size] !== (byRow ? Math.floor(i / size) : i % size),
    ),
  );
}

/** A permutation in cycles: "1→4→1, 2→3→2"; empty for the identity. @param {number[]} line @param {(i: number) => string} name */
export function cycles(line, name) {
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
