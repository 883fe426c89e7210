/** Pictures of boards: one after the other they are read, looked over and taken. */

import { target } from "../dialogs.js";
import { boxOf, SYMBOLS, withBoard, withRules } from "../model.js";
import { words } from "../strings.js";
import { photoDialog } from "./dialog.js";
import { shotOf } from "./picture-file.js";

/** @typedef {import("../model.js").Context} Context */
/** @typedef {import("../../../types/sudoku.js").Photo} Photo */
/** @typedef {import("./picture-file.js").Shot} Shot */

/**
 * What is being looked over; nothing of it is kept when the dialog closes.
 * @typedef {object} Session
 * @property {File[]} files
 * @property {number} at which of them is open
 * @property {{grid: string, box: [number, number]}[]} taken
 * @property {Shot | null} shot
 * @property {Photo | null} found
 * @property {[number, number][]} corners where they are, or where a person has put them
 * @property {string} board as read and corrected
 * @property {number[]} settled cells that a person has looked at
 * @property {number | null} cell the chosen one
 * @property {boolean} plain leave out symbols of another colour
 * @property {boolean} busy
 * @property {{done: number, total: number | null, note: string} | null} progress of what is being done
 * @property {string} fault
 * @property {NonNullable<import("../../../types/sudoku.js").PhotoOptions["size"]>} size cells along a side, 0 to detect it
 * @property {Context} context
 */

/** @type {Session | null} */
let session = null;

/** Read these pictures one after the other. @param {File[]} files @param {Context} context */
export function takePictures(files, context) {
  if (!files.length || context.readOnly) return;
  session = { ...blank(context), files };
  next(session);
}

/** @param {Context} context @returns {Session} */
function blank(context) {
  return {
    files: [], at: 0, taken: [], shot: null, found: null, corners: [], board: "", settled: [], cell: null,
    plain: false, busy: true, progress: null, fault: "", size: 0, context,
  }; // biome-ignore format: a table
}

/** @param {Session} now */
function show(now) {
  if (session === now) now.context.open(() => photoDialog(now, hands(now)));
}

/** @param {Session} now */
async function next(now) {
  const { files, at, taken, context } = now;
  Object.assign(now, { ...blank(context), files, at, taken });
  show(now);
  try {
    now.shot = await shotOf(files[at]);
  } catch (problem) {
    Object.assign(now, { busy: false, fault: /** @type {Error} */ (problem).message });
    show(now);
    return;
  }
  await readAgain(now, []);
}

const NEAR = 0.06; // of a board's side: so far from its line a corner is put by hand

/** @param {Session} now @param {[number, number][]} corners as a person has put them, or none */
async function readAgain(now, corners) {
  const { shot, size } = now;
  if (!shot) return;
  const { pixels, canvas } = shot;
  const options = { pixels, width: canvas.width, height: canvas.height, size, corners: corners.flat() };
  Object.assign(now, { busy: true, progress: null, fault: "", corners });
  show(now);
  try {
    /** @type {import("../model.js").Position} */
    const empty = { box: [3, 3], grids: [] };
    /** @type {Photo} */
    const found = await now.context.ask({ want: "photo", position: empty, options }, (progress) => {
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
      fault: /** @type {import("../../desk.js").FaultFacts} */ (fault).message,
    });
    if (!corners.length) now.corners = [[l, t], [r, t], [r, b], [l, b]]; // biome-ignore format: four places
  }
  now.busy = false;
  show(now);
}

/**
 * Corners that a person put go to the lines that were found next to them. Where the lines are others,
 * they stay: somebody is on the way to another board, a corner at a time.
 * @param {[number, number][]} put @param {[number, number][]} found
 */
function keepPlaced(put, found) {
  /** @param {[number, number]} a @param {[number, number]} b */
  const far = ([x, y], [u, v]) => Math.hypot(u - x, v - y);
  const side = far(found[0], found[2]) / Math.SQRT2;
  return put.every((corner, i) => far(corner, found[i]) < NEAR * side) ? found : put; // or none were put
}

/** What the dialog may do. @param {Session} now */
function hands(now) {
  return {
    close() {
      if (session === now) session = null;
      now.context.open(null);
    },
    /** @param {[number, number][]} corners */
    move(corners) {
      now.corners = corners;
      show(now);
    },
    again: () => readAgain(now, now.corners),
    /** @param {Session["size"]} size */
    resize(size) {
      now.size = size;
      readAgain(now, []);
    },
    /** @param {number} cell */
    choose(cell) {
      now.cell = cell;
      show(now);
    },
    /** @param {number} cell @param {string} symbol */
    put: (cell, symbol) => put(now, cell, symbol),
    /** @param {boolean} plain */
    leaveOut(plain) {
      now.plain = plain;
      show(now);
    },
    accept: () => accept(now),
    skip: () => (now.at + 1 < now.files.length ? next(Object.assign(now, { at: now.at + 1 })) : finish(now)),
  };
}

/** @param {Session} now @param {number} cell @param {string} symbol */
function put(now, cell, symbol) {
  const { found, board } = now;
  if (!found || ![...SYMBOLS.slice(0, Math.sqrt(board.length)), "."].includes(symbol)) return;
  now.board = board.slice(0, cell) + symbol + board.slice(cell + 1);
  if (!now.settled.includes(cell)) now.settled.push(cell);
  now.cell = found.doubtful.find((one) => !now.settled.includes(one)) ?? cell;
  show(now);
}

/** The board as it would be taken. @param {Session} now */
export function outcome({ board, found, plain }) {
  if (!found || !plain) return board;
  return [...board].map((c, i) => (found.own.includes(i) ? "." : c)).join("");
}

/** @param {Session} now */
function accept(now) {
  if (!now.found) return;
  now.taken.push({ grid: outcome(now), box: /** @type {[number, number]} */ (now.found.box) });
  if (now.at + 1 < now.files.length) next(Object.assign(now, { at: now.at + 1 }));
  else finish(now);
}

/** One board goes to the current board, two to both, more into the list. @param {Session} now */
function finish(now) {
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
  const same = box.join() === boxOf(position).join();
  const at = same ? target(context, position) : 0;
  context.set({ player: null, at: null });
  let after = same ? position : withRules({ ...position, box, grids: [] }, [[], []]);
  if (taken.length === 2) after = withRules({ ...after, grids: taken.map((one) => one.grid) }, [[], []]);
  else after = withBoard(after, at, taken[0].grid, []);
  context.commit(after, words.photo.label(taken.length));
  context.tell(words.photo.taken(taken.length));
}
