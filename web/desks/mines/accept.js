/** What a link must hold to be drawn; what is merely illegal is the engine's business. */
import { cellsOf } from "./model.js";
import { words } from "./words.js";

const LARGEST = 1000; // cells
const FARTHEST = 1e9; // units from the origin, far beyond what 1000 cells need

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
const isCount = (n) => n == null || Number.isInteger(n);
/** @type {Test} */
const isName = (name) => name == null || typeof name === "string";
/** @type {Test} */
const isPlace = (x) => Number.isFinite(x) && Math.abs(x) <= FARTHEST;
/** @type {Test} */
const isPoint = (p) => Array.isArray(p) && p.length === 2 && p.every(isPlace);
/** @type {Test} */
const isSide = (n) => Number.isInteger(n) && n >= 1;
/** @param {Test} test @returns {Test} */
const listOf = (test) => (list) => Array.isArray(list) && list.every(test);
/** @param {Test} test @returns {Test} */
const perhaps = (test) => (value) => value == null || test(value);

/** The position without what its drawing does not need; throws a sentence. @param {any} position */
export function accept(position) {
  const { mines: _m, secret: _s, rating: _r, ...kept } = position;
  const whole = Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null));
  if (typeof whole.title !== "string") delete whole.title;
  if (whole.board !== undefined) delete whole.neighbours;
  else whole.neighbours ??= [];
  refuseUnless(
    whole.board !== undefined ? isRectangle(whole.board) : Array.isArray(whole.neighbours),
    words.refuse.board,
  );
  const cells = cellsOf(whole);
  refuseUnless(cells <= LARGEST, words.refuse.large);
  refuseUnless(namesCells(whole, cells), words.refuse.cells);
  refuseUnless(hasShapes(whole, cells), words.refuse.board);
  refuseUnless(isName(whole.sealed), words.refuse.board);
  if (whole.groups)
    whole.groups = whole.groups.map((/** @type {any} */ g) => ({ ...g, kind: g.kind ?? "set" }));
  return whole;
}

/** @param {boolean} sound @param {string} sentence */
function refuseUnless(sound, sentence) {
  if (!sound) throw new Error(sentence);
}

/** @param {any} board */
function isRectangle({ kind, width, height, rows, columns, total }) {
  const fits = (/** @type {any} */ counts, /** @type {number} */ most) =>
    perhaps(listOf(isCount))(counts) && (counts?.length ?? 0) <= most;
  return (
    ["square", "torus"].includes(kind) &&
    isSide(width) &&
    isSide(height) &&
    fits(rows, height) &&
    fits(columns, width) &&
    isCount(total)
  );
}

/** @param {any} whole @param {number} cells */
function namesCells({ neighbours, flags, marks, start, revealed, groups }, cells) {
  const isCell = (/** @type {any} */ c) => Number.isInteger(c) && c >= 0 && c < cells;
  const isGroup = (/** @type {any} */ g) =>
    listOf(isCell)(g?.cells) &&
    Number.isInteger(g.count) &&
    isName(g.kind) &&
    isName(g.colour) &&
    perhaps((l) => listOf(isPlace)(l) && l.length === 3)(g.label);
  return (
    perhaps(listOf(listOf(isCell)))(neighbours) &&
    [flags, marks, start].every(perhaps(listOf(isCell))) &&
    perhaps(listOf((r) => isCell(r?.cell) && isCount(r.number)))(revealed) &&
    perhaps(listOf(isGroup))(groups)
  );
}

/** @param {any} whole @param {number} cells */
function hasShapes({ pos, polygons, polygon_of: shapeOf, unit }, cells) {
  const isShape = (/** @type {any} */ s) => listOf(isPoint)(s) && s.length >= 3;
  const known = polygons?.length ?? 0;
  return (
    perhaps((list) => listOf(isPoint)(list) && list.length === cells)(pos) &&
    perhaps(listOf(isShape))(polygons) &&
    perhaps(
      (list) => listOf((i) => Number.isInteger(i) && i >= 0 && i < known)(list) && list.length === cells,
    )(shapeOf) &&
    perhaps((n) => Number.isFinite(n) && n > 0)(unit)
  );
}
