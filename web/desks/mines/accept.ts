/** Checks of a position from a link that its drawing needs; the engine checks the rest. */

import type { Position } from "../../types/mines.js";
import { isMade } from "./editor/edits.js";
import { cellsOf } from "./model.js";
import { words } from "./strings.js";

const LARGEST = 1000; // cells
const FARTHEST = 1e9; // units from the origin, far beyond what 1000 cells need

/** The position without unused fields; throws an error with a sentence. */
export function accept(position: import("./model.js").Position) {
  const { rating: _r, ...found } = position;
  const { mines: _m, secret: _s, ...bare } = found;
  const kept = isMade(found) ? found : bare; // a board that is played has them sealed
  const filled = Object.entries(kept).filter(([, value]) => value !== null);
  const whole = Object.fromEntries(filled) as Position;
  if (whole.board !== undefined) delete whole.neighbours;
  refuseUnless(!whole.board || countsFit(whole.board), words.refuse.board);
  const cells = cellsOf(whole);
  refuseUnless(cells <= LARGEST, words.refuse.large);
  refuseUnless(namesCells(whole, cells), words.refuse.cells);
  refuseUnless(hasShapes(whole, cells), words.refuse.board);
  return whole;
}

function refuseUnless(sound: boolean, sentence: string) {
  if (!sound) throw new Error(sentence);
}

function countsFit({ width, height, rows, columns }: NonNullable<Position["board"]>) {
  return (rows?.length ?? 0) <= height && (columns?.length ?? 0) <= width;
}

/** Whether all cell indices are on the board. */
function namesCells(
  {
    neighbours = [],
    flags = [],
    marks = [],
    notes = {},
    start,
    presses,
    revealed = [],
    groups = [],
    mines,
    secret,
    forms,
    spots,
  }: Position,
  cells: number,
) {
  const named = [
    ...neighbours.flat(),
    ...flags,
    ...marks,
    ...Object.values(notes).flat(),
    ...(start ?? []),
    ...(presses ?? []),
    ...(mines ?? []),
    ...(secret ?? []),
    ...revealed.map((r) => r.cell),
    ...groups.flatMap((g) => g.cells),
    ...Object.keys(forms ?? {}).map(Number),
    ...(spots ?? []).flatMap((s) => [s.cell, ...s.cells]),
  ];
  return named.every((cell) => cell >= 0 && cell < cells);
}

function hasShapes({ pos, polygons, polygon_of: shapeOf, groups = [], unit = 1 }: Position, cells: number) {
  const known = polygons?.length ?? 0;
  const places: (number | number[])[][] = [
    pos ?? [],
    (polygons ?? []).flat(),
    groups.map((g) => g.label ?? []),
  ];
  return (
    places.flat(2).every((x) => Math.abs(x) <= FARTHEST) &&
    (!pos || pos.length === cells) &&
    (!polygons || polygons.every((shape) => shape.length >= 3)) &&
    (!shapeOf || (shapeOf.length === cells && shapeOf.every((i) => i >= 0 && i < known))) &&
    unit > 0
  );
}
