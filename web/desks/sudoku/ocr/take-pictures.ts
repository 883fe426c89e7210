/** Pictures of boards: one after the other they are read, looked over and taken. */

import type { Photo, PhotoOptions } from "../../../types/sudoku.js";
import type { Shot } from "../../../widgets/picture-file.js";
import { shotOf } from "../../../widgets/picture-file.js";
import type { FaultFacts } from "../../desk.js";
import { target } from "../dialogs.js";
import type { Context, Position } from "../model.js";
import { boxOf, SYMBOLS, withBoards } from "../model.js";
import { words } from "../strings.js";
import { photoDialog } from "./dialog.js";

/** What is being looked over; nothing of it is kept when the dialog closes. */
export interface Session {
  files: File[];
  /** which of them is open */
  at: number;
  taken: { grid: string; box: [number, number] }[];
  shot: Shot | null;
  found: Photo | null;
  /** where they are, or where a person has put them */
  corners: [number, number][];
  /** as read and corrected */
  board: string;
  /** cells that a person has looked at */
  settled: number[];
  /** the chosen one */
  cell: number | null;
  /** leave out symbols of another colour */
  plain: boolean;
  busy: boolean;
  /** of what is being done */
  progress: { done: number; total: number | null; note: string } | null;
  fault: string;
  /** cells along a side, 0 to detect it */
  size: NonNullable<PhotoOptions["size"]>;
  context: Context;
}

const LONGER = 1000; // pixels: a cell of a 9×9 board needs about 30

let session: Session | null = null;

/** Read these pictures one after the other. */
export function takePictures(files: File[], context: Context) {
  if (!files.length || context.readOnly) return;
  session = { ...blank(context), files };
  next(session);
}

function blank(context: Context): Session {
  return {
    files: [], at: 0, taken: [], shot: null, found: null, corners: [], board: "", settled: [], cell: null,
    plain: false, busy: true, progress: null, fault: "", size: 0, context,
  }; // biome-ignore format: a table
}

function show(now: Session) {
  if (session === now) now.context.open(() => photoDialog(now, hands(now)));
}

async function next(now: Session) {
  const { files, at, taken, context } = now;
  Object.assign(now, { ...blank(context), files, at, taken });
  show(now);
  try {
    now.shot = await shotOf(files[at], LONGER);
  } catch (problem) {
    Object.assign(now, { busy: false, fault: (problem as Error).message });
    show(now);
    return;
  }
  await readAgain(now, []);
}

const NEAR = 0.06; // of a board's side: so far from its line a corner is put by hand

/** @param corners as a person has put them, or none */
async function readAgain(now: Session, corners: [number, number][]) {
  const { shot, size } = now;
  if (!shot) return;
  const { pixels, canvas } = shot;
  const options = { pixels, width: canvas.width, height: canvas.height, size, corners: corners.flat() };
  Object.assign(now, { busy: true, progress: null, fault: "", corners });
  show(now);
  try {
    const empty: Position = { box: [3, 3], grids: [] };
    const found: Photo = await now.context.ask({ want: "photo", position: empty, options }, (progress) => {
      now.progress = progress;
      show(now);
    }).promise;
    if (now.shot !== shot) return;
    Object.assign(now, { found, board: found.grid, settled: [], plain: false });
    now.corners = keepPlaced(corners, found.corners);
    now.cell = found.lattice_doubtful ? null : (found.doubtful[0] ?? null);
  } catch (fault) {
    const { width, height } = canvas;
    const inset = [0.1, 0.9];
    const [l, r] = inset.map((t) => t * width);
    const [t, b] = inset.map((t) => t * height);
    Object.assign(now, {
      found: null,
      fault: (fault as FaultFacts).message,
    });
    if (!corners.length) now.corners = [[l, t], [r, t], [r, b], [l, b]]; // biome-ignore format: four places
  }
  now.busy = false;
  show(now);
}

/**
 * Corners that a person put go to the lines that were found next to them. Where the lines are others,
 * they stay: somebody is on the way to another board, a corner at a time.
 */
function keepPlaced(put: [number, number][], found: [number, number][]) {
  const far = ([x, y]: [number, number], [u, v]: [number, number]) => Math.hypot(u - x, v - y);
  const side = far(found[0], found[2]) / Math.SQRT2;
  return put.every((corner, i) => far(corner, found[i]) < NEAR * side) ? found : put; // or none were put
}

/** What the dialog may do. */
function hands(now: Session) {
  return {
    close() {
      if (session === now) session = null;
      now.context.open(null);
    },
    move(corners: [number, number][]) {
      now.corners = corners;
      show(now);
    },
    again: () => readAgain(now, now.corners),
    resize(size: Session["size"]) {
      now.size = size;
      readAgain(now, []);
    },
    choose(cell: number) {
      now.cell = cell;
      show(now);
    },
    put: (cell: number, symbol: string) => put(now, cell, symbol),
    leaveOut(plain: boolean) {
      now.plain = plain;
      show(now);
    },
    accept: () => accept(now),
    skip: () => (now.at + 1 < now.files.length ? next(Object.assign(now, { at: now.at + 1 })) : finish(now)),
  };
}

function put(now: Session, cell: number, symbol: string) {
  const { found, board } = now;
  if (!found || ![...SYMBOLS.slice(0, Math.sqrt(board.length)), "."].includes(symbol)) return;
  now.board = board.slice(0, cell) + symbol + board.slice(cell + 1);
  if (!now.settled.includes(cell)) now.settled.push(cell);
  now.cell = found.doubtful.find((one) => !now.settled.includes(one)) ?? cell;
  show(now);
}

/** The board as it would be taken. */
export function outcome({ board, found, plain }: Session) {
  if (!found || !plain) return board;
  return [...board].map((c, i) => (found.own.includes(i) ? "." : c)).join("");
}

function accept(now: Session) {
  if (!now.found) return;
  now.taken.push({ grid: outcome(now), box: now.found.box as [number, number] });
  if (now.at + 1 < now.files.length) next(Object.assign(now, { at: now.at + 1 }));
  else finish(now);
}

/** One board goes to the current board, two to both, more into the list. */
function finish(now: Session) {
  const { taken, context } = now;
  session = null;
  context.open(null);
  if (!taken.length) return;
  const alike = taken.every((one) => one.box.join() === taken[0].box.join());
  if (taken.length > 2 || !alike) {
    const listText = taken.map((one) => one.grid).join("\n");
    context.set({ listing: true, listText });
    context.tell(words.photo.listed(taken.length));
    return;
  }
  const { position } = context;
  const { box } = taken[0];
  const at = box.join() === boxOf(position).join() ? target(context, position) : 0;
  context.set({ player: null, at: null });
  const [grids, rules] = [taken.map((one) => one.grid), [[], []]];
  context.commit(withBoards(position, { box, grids, rules, at }), words.photo.label(taken.length));
  context.tell(words.photo.taken(taken.length));
}
