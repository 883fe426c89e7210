/**
 * Boards from pictures: each picture is read, checked by the user and taken. The dialog shows the picture
 * with its lattice drawn over it, and the board as read.
 */

import type { Photo } from "../../types/sudoku.js";
import { html, nothing, ref, svg } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import { grid } from "../../widgets/grid.js";
import type { On } from "../../widgets/on.js";
import { tick } from "../../widgets/panel.js";
import type { Shot } from "../../widgets/picture-file.js";
import { shotOf } from "../../widgets/picture-file.js";
import type { FaultFacts } from "../desk.js";
import { target } from "./dialogs.js";
import type { Context, Position } from "./model.js";
import { boxOf, conflicts, givens, SYMBOLS, tokensOf, withBoards } from "./model.js";
import { words } from "./strings.js";

/** The state of the dialog; dropped when it closes. */
interface Session {
  files: File[];
  /** which of them is open */
  at: number;
  taken: { grid: string; box: [number, number] }[];
  shot: Shot | null;
  found: Photo | null;
  /** as found, or as placed by the user */
  corners: [number, number][];
  /** as read and corrected */
  board: string;
  /** cells that the user has checked */
  checked: number[];
  /** the selected cell */
  cell: number | null;
  /** leave out symbols of another colour */
  plain: boolean;
  busy: boolean;
  progress: { done: number; total: number | null; note: string } | null;
  fault: string;
  context: Context;
}

const MAX_PIXELS = 1000; // of the longer side: a cell of a 9×9 board needs about 30

let session: Session | null = null;

/** Start a session for these pictures. */
export function takePictures(files: File[], context: Context) {
  if (!files.length || context.readOnly) return;
  session = { ...blank(context), files };
  next(session);
}

function blank(context: Context): Session {
  return {
    files: [], at: 0, taken: [], shot: null, found: null, corners: [], board: "", checked: [], cell: null,
    plain: false, busy: true, progress: null, fault: "", context,
  }; // biome-ignore format: a table
}

function show(now: Session) {
  if (session === now) now.context.open(() => photoDialog(now));
}

async function next(now: Session) {
  const { files, at, taken, context } = now;
  Object.assign(now, { ...blank(context), files, at, taken });
  show(now);
  try {
    now.shot = await shotOf(files[at], MAX_PIXELS);
  } catch (problem) {
    Object.assign(now, { busy: false, fault: (problem as Error).message });
    show(now);
    return;
  }
  await readAgain(now, []);
}

const SNAP = 0.06; // of a board's side: distance within which a placed corner snaps to the lattice

/** @param corners as placed by the user, or none */
async function readAgain(now: Session, corners: [number, number][]) {
  const { shot } = now;
  if (!shot) return;
  const { pixels, canvas } = shot;
  const options = { pixels, width: canvas.width, height: canvas.height, corners: corners.flat() };
  Object.assign(now, { busy: true, progress: null, fault: "", corners });
  show(now);
  try {
    const empty: Position = { box: [3, 3], grids: [] };
    const found: Photo = await now.context.ask({ want: "photo", position: empty, options }, (progress) => {
      now.progress = progress;
      show(now);
    }).promise;
    if (now.shot !== shot) return;
    Object.assign(now, { found, board: found.grid, checked: [], plain: false });
    now.corners = snapCorners(corners, found.corners);
    now.cell = found.lattice_doubtful ? null : (found.doubtful[0] ?? null);
  } catch (fault) {
    const { width, height } = canvas;
    const inset = [0.1, 0.9];
    const [l, r] = inset.map((t) => t * width);
    const [t, b] = inset.map((t) => t * height);
    Object.assign(now, { found: null, fault: (fault as FaultFacts).message });
    if (!corners.length) now.corners = [[l, t], [r, t], [r, b], [l, b]]; // biome-ignore format: four places
  }
  now.busy = false;
  show(now);
}

/**
 * Snap corners that the user placed to the lattice found there. If it is elsewhere they stay: the user may
 * be moving them to another board, one at a time.
 */
function snapCorners(put: [number, number][], found: [number, number][]) {
  const far = ([x, y]: [number, number], [u, v]: [number, number]) => Math.hypot(u - x, v - y);
  const side = far(found[0], found[2]) / Math.SQRT2;
  return put.every((corner, i) => far(corner, found[i]) < SNAP * side) ? found : put; // also without placed corners
}

/** Change the session and draw it. */
function update(now: Session, change: Partial<Session>) {
  Object.assign(now, change);
  show(now);
}

function close(now: Session) {
  if (session === now) session = null;
  now.context.open(null);
}

/** Go on with the next picture; after the last one take the boards. */
const skip = (now: Session) =>
  now.at + 1 < now.files.length ? next(Object.assign(now, { at: now.at + 1 })) : finish(now);

function put(now: Session, cell: number, symbol: string) {
  const { found, board } = now;
  if (!found || ![...SYMBOLS.slice(0, Math.sqrt(board.length)), "."].includes(symbol)) return;
  now.board = board.slice(0, cell) + symbol + board.slice(cell + 1);
  if (!now.checked.includes(cell)) now.checked.push(cell);
  now.cell = found.doubtful.find((one) => !now.checked.includes(one)) ?? cell;
  show(now);
}

/** The board without the symbols that are left out. */
function boardToTake({ board, found, plain }: Session) {
  if (!found || !plain) return board;
  return [...board].map((c, i) => (found.own.includes(i) ? "." : c)).join("");
}

function accept(now: Session) {
  if (!now.found) return;
  now.taken.push({ grid: boardToTake(now), box: now.found.box as [number, number] });
  skip(now);
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
    context.notify(words.photo.listed(taken.length));
    return;
  }
  const { position } = context;
  const { box } = taken[0];
  const at = box.join() === boxOf(position).join() ? target(context, position) : 0;
  context.set({ player: null, at: null });
  const next = withBoards(position, { box, grids: taken.map((one) => one.grid), constraints: [[], []], at });
  context.commit(next, words.photo.label(taken.length));
  context.notify(words.photo.taken(taken.length));
}

const MAX_CELLS = 24; // shown one by one
const CROP = 56; // pixels of a cell's picture

function photoDialog(now: Session) {
  const many = now.files.length > 1;
  return dialog({
    title: many ? words.photo.titleOf(now.at + 1, now.files.length) : words.photo.title,
    onClose: () => close(now),
    wide: true,
    body: html`<div class="photo" @keydown=${(e: KeyboardEvent) => onKey(e, now)}>
      <div class="photo-side">${now.shot ? picture(now) : nothing}
        ${now.shot && !now.busy ? html`<p class="quiet">${words.photo.corners}</p>` : nothing}</div>
      <div class="photo-side">${side(now)}</div>
    </div>`,
  });
}

function side(now: Session) {
  if (now.busy) return busy(now);
  const { found, board } = now;
  const many = now.files.length > 1;
  if (!found)
    return html`<p class="note risk" role="alert">${now.fault}</p>
      ${now.shot ? html`<p>${words.photo.help}</p><div class="row wrap"><button class="main" @click=${() => readAgain(now, now.corners)}>${words.photo.again}</button></div>` : nothing}
      ${many ? html`<button class="soft" @click=${() => skip(now)}>${words.photo.skip}</button>` : nothing}`;
  const box = found.box as [number, number];
  const size = box[0] * box[1];
  const wrong = conflicts(board, box);
  const open = found.lattice_doubtful ? [] : found.doubtful.filter((cell) => !now.checked.includes(cell));
  return html`${judged(now)}
    <div class="photo-board">${grid({
      id: "photo-board",
      rows: box[0],
      cols: box[1],
      tokens: tokensOf(board),
      label: words.board(0, board),
      selected: now.cell,
      wrong,
      moved: new Set(open),
      onPick: (cell) => update(now, { cell }),
    })}</div>
    ${wrong.size ? html`<p class="risk" role="status">${words.clash}</p>` : nothing}
    ${now.cell === null ? nothing : keysOf(now, now.cell, size)}
    ${cellsToCheck(now)}
    ${found.own.length ? tick(words.photo.own(found.own.length), now.plain, (plain) => update(now, { plain })) : nothing}
    <div class="row wrap"><button class="main" @click=${() => accept(now)}>${words.photo.accept(givens(board) - (now.plain ? found.own.length : 0))}</button>
      ${many ? html`<button class="soft" @click=${() => skip(now)}>${words.photo.skip}</button>` : nothing}</div>`;
}

/** Progress, such as the download of numpy before the first picture. */
function busy({ progress }: Session) {
  const bar = progress?.total
    ? html`<progress max=${progress.total} .value=${progress.done} aria-label=${progress.note}></progress>`
    : nothing;
  return html`<p role="status" class="quiet">${words.photo.doing(progress?.note)}</p>${bar}`;
}

/** A sentence on how reliable the reading is. */
function judged({ found, checked }: Session) {
  if (!found) return nothing;
  if (found.lattice_doubtful)
    return html`<p class="note warn" role="status">${words.photo.whole[found.solutions]}</p>`;
  const open = found.doubtful.filter((cell) => !checked.includes(cell)).length;
  return html`<p role="status" class=${open ? "warn" : "good"}>${words.photo.judged(open, found.repaired.length)}</p>`;
}

/** The cells to check, each with its part of the picture. */
function cellsToCheck(now: Session) {
  const { found, checked } = now;
  if (!found || !now.shot) return nothing;
  const order = [...found.chances.keys()].sort((a, b) => found.chances[a] - found.chances[b]);
  const all = found.lattice_doubtful
    ? order.filter((cell) => found.chances[cell] < 0.95)
    : [...new Set([...found.repaired, ...found.doubtful])];
  if (!all.length) return nothing;
  const size = found.box[0] * found.box[1];
  return html`<ul class="photo-cells" aria-label=${words.photo.cells}>${all
    .slice(0, MAX_CELLS)
    .map((cell) => {
      const symbol = now.board[cell];
      const done = checked.includes(cell);
      return html`<li><button class="photo-cell" aria-pressed=${now.cell === cell} @click=${() => update(now, { cell })}>
      ${crop(now, cell)}
      <b>${symbol === "." ? words.photo.blank : symbol}</b>
      <span class=${done ? "good" : "quiet"}>${words.photo.place(cell, size)}${done ? ` ✓` : found.repaired.includes(cell) ? html`<br>${words.photo.repaired(found.seen[cell])}` : nothing}</span>
    </button></li>`;
    })}</ul>${all.length > MAX_CELLS ? html`<p class="quiet">${words.photo.more(all.length - MAX_CELLS)}</p>` : nothing}`;
}

/** Keys for the selected cell. */
function keysOf(now: Session, cell: number, size: number) {
  const here = now.board[cell];
  const symbols = [...SYMBOLS.slice(0, size), "."];
  return html`<div class="photo-keys" role="group" aria-label=${words.photo.keys(cell, size)}>${symbols.map(
    (symbol) =>
      html`<button class="soft" aria-pressed=${symbol === here} @click=${() => put(now, cell, symbol)}>${symbol === "." ? words.photo.blank : symbol}</button>`,
  )}</div>`;
}

/** A cell cut out of the picture. */
function crop({ shot, found }: Session, cell: number) {
  const draw = (element: Element | undefined) => {
    if (!(element instanceof HTMLCanvasElement) || !shot || !found) return;
    const { points } = found;
    const n = found.box[0] * found.box[1];
    const at = Math.floor(cell / n) * (n + 1) + (cell % n);
    const four = [at, at + 1, at + n + 1, at + n + 2].map((i) => points[i]);
    const [xs, ys] = [0, 1].map((k) => four.map((p) => p[k]));
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    const pen = element.getContext("2d") as CanvasRenderingContext2D;
    pen.imageSmoothingQuality = "high";
    pen.save();
    pen.clearRect(0, 0, CROP, CROP);
    pen.translate(CROP / 2, CROP / 2);
    pen.rotate((-found.turn * Math.PI) / -2);
    const [width, height] = [Math.max(...xs) - x, Math.max(...ys) - y];
    pen.drawImage(shot.canvas, x, y, width, height, -CROP / 2, -CROP / 2, CROP, CROP);
    pen.restore();
  };
  return html`<canvas width=${CROP} height=${CROP} aria-hidden="true" ${ref(draw)}></canvas>`;
}

function picture(now: Session) {
  const { shot, found, corners, busy } = now;
  if (!shot) return nothing;
  const { width, height } = shot.canvas;
  const radius = Math.max(width, height) / 45;
  return html`<div class="photo-picture ${busy ? "busy" : ""}">${shot.canvas}
    <svg viewBox=${`-0.5 -0.5 ${width} ${height}`} aria-label=${words.photo.picture} role="group">
      ${found ? svg`<path class="photo-lines" d=${lattice(found)}></path>` : nothing}
      ${corners.length === 4 ? svg`<path class="photo-frame" d=${`M${corners.map((p) => p.join(" ")).join("L")}Z`}></path>` : nothing}
      ${busy ? nothing : corners.map((_, i) => handle(now, i, radius))}
    </svg></div>`;
}

function lattice({ points, box }: Photo) {
  const n = box[0] * box[1];
  const line = (which: number[]) => `M${which.map((i) => points[i].join(" ")).join("L")}`;
  const along = [...Array(n + 1).keys()];
  return along
    .map((k) => line(along.map((i) => k * (n + 1) + i)) + line(along.map((i) => i * (n + 1) + k)))
    .join("");
}

/** A handle for a corner: dragged, or moved by the arrow keys. */
function handle(now: Session, i: number, radius: number) {
  const { corners } = now;
  const [x, y] = corners[i];
  const to = (a: number, b: number) => update(now, { corners: corners.with(i, [a, b]) });
  const drag = (e: PointerEvent) => {
    const circle = e.currentTarget as SVGCircleElement;
    if (!circle.hasPointerCapture(e.pointerId)) return;
    const area = circle.ownerSVGElement as SVGSVGElement;
    const at = new DOMPoint(e.clientX, e.clientY).matrixTransform(area.getScreenCTM()?.inverse());
    to(at.x, at.y);
  };
  const key = (e: KeyboardEvent) => {
    const step = radius / 3;
    const moves = ({
      ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step],
    } as Record<string, [number, number]>); // biome-ignore format: a table
    if (e.key === "Enter") readAgain(now, now.corners);
    if (!moves[e.key]) return;
    e.preventDefault();
    e.stopPropagation();
    to(x + moves[e.key][0], y + moves[e.key][1]);
  };
  return svg`<circle class="photo-corner" cx=${x} cy=${y} r=${radius} tabindex="0" role="button"
    aria-label=${words.photo.corner[i]}
    @pointerdown=${(e: On<SVGCircleElement, PointerEvent>) => e.currentTarget.setPointerCapture(e.pointerId)}
    @pointermove=${drag} @pointerup=${() => readAgain(now, now.corners)} @keydown=${key}></circle>`;
}

/** Symbols fill the chosen cell, arrows move it. */
function onKey(event: KeyboardEvent, now: Session) {
  const { found, cell } = now;
  if (!found || event.ctrlKey || event.metaKey || event.altKey) return;
  const size = found.box[0] * found.box[1];
  const at = cell ?? 0;
  const moves = ({
    ArrowLeft: -1, ArrowRight: 1, ArrowUp: -size, ArrowDown: size,
  } as Record<string, number>); // biome-ignore format: a table
  const symbol = ["Backspace", "Delete", "0"].includes(event.key) ? "." : event.key.toLowerCase();
  if (moves[event.key]) update(now, { cell: Math.max(0, Math.min(size * size - 1, at + moves[event.key])) });
  else if (cell !== null && (symbol === "." || SYMBOLS.slice(0, size).includes(symbol)))
    put(now, cell, symbol);
  else return;
  event.preventDefault();
}
