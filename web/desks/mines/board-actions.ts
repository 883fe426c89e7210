/** Actions of the player: each commits the next position. */

import { cellName } from "./cell-names.js";
import type { Context, Position, View } from "./model.js";
import { drawnOf, EMPTY, knownOf, startOf, startPosition } from "./model.js";
import type { Kind } from "./player-marks.js";
import { after, notesOf, shownOf, withMarks } from "./player-marks.js";
import { shownAt, solutionOf, unseal } from "./sealed-solution.js";
import { words } from "./strings.js";

export const modeOf = (view: View): "open" | "flag" | "mark" => view.mode ?? "open";

/** Which mark a press sets. */
export const kindOf = (view: View): Kind => view.kind ?? "dot";

/** View state that belongs to one position: gone with the next move. */
const PASSING = {
  degree: 0,
  guess: false,
  check: false,
  why: null,
  step: null,
  at: null,
  which: false,
  chord: null,
  pad: null,
  line: null,
  made: null,
};

function commitMove(context: Context, next: Position, label: string, view: Partial<View> = {}) {
  context.commit(next, label, { view: { ...PASSING, ...view } });
}

/** Opening knows the solution; the first press of a fresh page may have to wait for it. */
export async function act(context: Context, cell: number) {
  const { position, view } = context;
  const mode = modeOf(view);
  if (mode === "flag") return flag(context, cell);
  if (mode === "mark") return mark(context, cell);
  const known = knownOf(position);
  if (known.flags.has(cell)) return undefined;
  if (!position.sealed) return context.set({ pad: view.pad === cell ? null : cell, line: null, focus: cell });
  if (known.numbers.has(cell)) return chord(context, cell);
  const solution = solutionOf(position) ?? (await unseal(position));
  if (!solution) return context.notify(words.damaged);
  return openCells(context, [cell], words.did.open(cellName(position, cell)));
}

export function openCells(context: Context, cells: number[], label: string) {
  const { position, view } = context;
  const solution = solutionOf(position);
  if (!solution) return;
  const known = knownOf(position);
  const fresh = cells.filter((c) => !known.numbers.has(c) && !known.flags.has(c));
  const shown = fresh.filter((c) => !solution.mines.has(c)).map((c) => shownAt(position, solution, c));
  const hit = fresh.filter((c) => solution.mines.has(c));
  if (!fresh.length) return;
  const next = {
    ...withMarks(position, fresh, null),
    start: startOf(position),
    presses: [...(position.presses ?? []), ...fresh],
    revealed: [...(position.revealed ?? []), ...shown],
    flags: [...(position.flags ?? []), ...hit],
  };
  commitMove(context, next, label);
  if (hit.length) {
    context.set({ slips: (view.slips ?? 0) + hit.length });
    context.notify(words.boom(cellName(position, hit[0])), "undo");
  }
}

/** A press on an open number: first show what a second press would open or flag. */
function chord(context: Context, cell: number) {
  const { position, view } = context;
  const known = knownOf(position);
  const number = known.numbers.get(cell);
  if (number == null) return context.set({ chord: null });
  const around = drawnOf(position).neighbours[cell];
  const flags = around.filter((n) => known.flags.has(n)).length;
  const closed = around.filter((n) => !known.flags.has(n) && !known.numbers.has(n));
  const mine = flags + closed.length === number;
  if ((flags !== number && !mine) || !closed.length)
    return context.set({ chord: { cell, cells: [], flags, number, mine: false } });
  if (view.chord?.cell !== cell || !view.chord.cells.length)
    return context.set({ chord: { cell, cells: closed, flags, number, mine } });
  const name = cellName(position, cell);
  if (mine) return paint(context, closed, true, words.did.flagAround(name));
  return openCells(context, closed, words.did.around(name));
}

export function flag(context: Context, cell: number) {
  const { position } = context;
  const known = knownOf(position);
  if (known.numbers.has(cell)) return;
  const on = !known.flags.has(cell);
  const name = cellName(position, cell);
  paint(context, [cell], on, on ? words.did.flag(name) : words.did.unflag(name));
}

export function paint(context: Context, cells: number[], on: boolean, label?: string) {
  const { position } = context;
  const known = knownOf(position);
  const touched = new Set(cells.filter((c) => !known.numbers.has(c)));
  const kept = (position.flags ?? []).filter((f: number) => !touched.has(f));
  const start = position.sealed ? startOf(position) : undefined;
  const flags = on ? [...kept, ...touched] : kept;
  const bare = on ? withMarks(position, [...touched], null) : position;
  commitMove(
    context,
    { ...bare, ...(start ? { start } : {}), flags },
    label ?? words.did.paint(touched.size),
  );
}

/** The chosen mark on a cell, or off it. */
export function mark(context: Context, cell: number) {
  const kind = kindOf(context.view);
  setMark(context, cell, notesOf(context.position).get(cell) === kind ? null : kind);
}

/** The next kind of mark on a cell, none after the last. */
export function nextMark(context: Context, cell: number) {
  setMark(context, cell, after(notesOf(context.position).get(cell)));
}

function setMark(context: Context, cell: number, kind: Kind | null) {
  const { position } = context;
  const name = cellName(position, cell);
  if (knownOf(position).flags.has(cell)) return context.notify(words.flagStands(name));
  context.commit(withMarks(position, [cell], kind), words.did.mark(name, kind));
}

/** The chosen mark on cells that were dragged over, or off them; flags stay. */
export function paintMarks(context: Context, cells: number[], on: boolean) {
  const { position, view } = context;
  const kind = kindOf(view);
  const { flags, marks } = knownOf(position);
  const touched = cells.filter((c) => !flags.has(c) && (on || marks.get(c) === kind));
  if (touched.length)
    context.commit(withMarks(position, touched, on ? kind : null), words.did.marks(touched.length));
}

/** Remove all marks of the chosen kind. */
export function eraseMarks(context: Context) {
  const { position, view } = context;
  const cells = shownOf(position)[kindOf(view)];
  context.commit(withMarks(position, cells, null), words.did.rubOut(kindOf(view)));
}

/**
 * On a board without a solution: what a cell shows. A whole hint is followed by the next one.
 * @param number undefined: not open
 */
export function enter(context: Context, cell: number, number: number | null | undefined) {
  const { position, view } = context;
  const others = (position.revealed ?? []).filter((r) => r.cell !== cell);
  const revealed = number === undefined ? others : [...others, { cell, number }];
  const flags = (position.flags ?? []).filter((f: number) => f !== cell);
  commitMove(
    context,
    { ...withMarks(position, [cell], null), revealed, flags },
    words.did.number(cellName(position, cell)),
    { focus: view.focus, degree: view.degree === 4 ? 4 : 0 },
  );
}

export function restart(context: Context) {
  context.set({ slips: 0 });
  context.notify("");
  commitMove(context, startPosition(context.position), words.did.again);
}

/** Start another board; `desk` and `v` may be missing, as in results. */
export function begin(context: Context, position: Omit<Position, "desk" | "v">, name: string) {
  context.set({ slips: 0, focus: null, rate: false, chances: false }, () => scrollTo(0, 0));
  commitMove(context, { ...EMPTY, ...position }, words.did.puzzle(name));
  context.notify(""); // of the board before
  context.open(null);
}

/** The safe cells left and the mines, if the solution is known. */
export function boardProgress(position: Position) {
  const solution = solutionOf(position);
  if (!solution) return null;
  const left = drawnOf(position).cells - solution.mines.size - (position.revealed ?? []).length;
  return { left, mines: solution.mines.size, over: left === 0 };
}
