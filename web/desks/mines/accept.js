/** What a link must hold to be drawn; what is merely illegal is the engine's business. */
import { isMade } from "./editor/edits.js";
import { cellsOf } from "./model.js";
import { words } from "./strings.js";

const LARGEST = 1000; // cells
const FARTHEST = 1e9; // units from the origin, far beyond what 1000 cells need

/** @typedef {import("../../types/mines.js").Position} Position */

/** The position without what its drawing does not need; throws a sentence. @param {import("./model.js").Position} position */
export function accept(position) {
  const { rating: _r, ...found } = position;
  const { mines: _m, secret: _s, ...bare } = found;
  const kept = isMade(found) ? found : bare; // a board that is played has them sealed
  const filled = Object.entries(kept).filter(([, value]) => value !== null);
  const whole = /** @type {Position} */ (Object.fromEntries(filled));
  if (whole.board !== undefined) delete whole.neighbours;
  refuseUnless(!whole.board || countsFit(whole.board), words.refuse.board);
  const cells = cellsOf(whole);
  refuseUnless(cells <= LARGEST, words.refuse.large);
  refuseUnless(namesCells(whole, cells), words.refuse.cells);
  refuseUnless(hasShapes(whole, cells), words.refuse.board);
  return whole;
}

/** @param {boolean} sound @param {string} sentence */
function refuseUnless(sound, sentence) {
  if (!sound) throw new Error(sentence);
}

/** @param {NonNullable<Position["board"]>} board */
function countsFit({ width, height, rows, columns }) {
  return (rows?.length ?? 0) <= height && (columns?.length ?? 0) <= width;
}

/** Whether every cell that is named is one of the board's. @param {Position} whole @param {number} cells */
function namesCells(
  {
    neighbours = [],
    flags = [],
    marks = [],
    notes = {},
    start,
    revealed = [],
    groups = [],
    mines,
    secret,
    forms,
    spots,
  },
  cells,
) {
  const named = [
    ...neighbours.flat(),
    ...flags,
    ...marks,
    ...Object.values(notes).flat(),
    ...(start ?? []),
    ...(mines ?? []),
    ...(secret ?? []),
    ...revealed.map((r) => r.cell),
    ...groups.flatMap((g) => g.cells),
    ...Object.keys(forms ?? {}).map(Number),
    ...(spots ?? []).flatMap((s) => [s.cell, ...s.cells]),
  ];
  return named.every((cell) => cell >= 0 && cell < cells);
}

/** @param {Position} whole @param {number} cells */
function hasShapes({ pos, polygons, polygon_of: shapeOf, groups = [], unit = 1 }, cells) {
  const known = polygons?.length ?? 0;
  /** @type {(number | number[])[][]} */
  const places = [pos ?? [], (polygons ?? []).flat(), groups.map((g) => g.label ?? [])];
  return (
    places.flat(2).every((x) => Math.abs(x) <= FARTHEST) &&
    (!pos || pos.length === cells) &&
    (!polygons || polygons.every((shape) => shape.length >= 3)) &&
    (!shapeOf || (shapeOf.length === cells && shapeOf.every((i) => i >= 0 && i < known))) &&
    unit > 0
  );
}
