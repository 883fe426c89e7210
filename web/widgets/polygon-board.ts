/**
 * A board of polygons in SVG: open, flag and mark cells by mouse, touch or keyboard.
 *
 * Mouse: press to act, right button to flag, drag while flagging. Touch: tap to act, hold to flag (a ring
 * shows how long); a second finger cancels the press. Keys on the focused cell: arrows move to the nearest
 * cell in that direction, Enter and Space act, F flags, M marks, Shift+M changes the mark, N cycles through
 * the neighbours, digits go to the desk. The neighbours of the hovered, held or focused cell are
 * highlighted, and the cells of a hovered count.
 */

import { html, nothing, svg } from "../vendor.js";
import { scaled } from "./zoom.js";

export interface Cell {
  /** its centre */
  x: number;
  y: number;
  /** its corners, for a polygon */
  points: string;
  /** "closed" | "open" | "flag" | "mine" | "room" (no cell yet) */
  face: string;
  /** its text */
  text: string;
  /** text for screen readers */
  label: string;
  /** class of its colour */
  tint?: string;
  /** probability of a mine, drawn as a fill from below */
  shade?: number | null;
  /** class of an outline: "target" | "clue" | "near" | "wrong" */
  ring?: string;
  /** kind of the player's mark */
  mark?: string | null;
}
export interface Label {
  x: number;
  y: number;
  text: string;
  title: string;
  lit?: boolean;
  tint?: string;
  done?: boolean;
  /** small, in a corner of a cell */
  inside?: boolean;
  /** its action, which makes it a button */
  press?: () => void;
  /** the cells that it counts, highlighted under the pointer */
  cells?: readonly number[];
}
/** a letter or number that names a column, a row or (`inside`) a cell in texts */
export type Name = { x: number; y: number; text: string; inside?: boolean };
interface Events {
  act: (cell: number) => void;
  flag: (cell: number) => void;
  /** flags set or removed by one drag */
  paint: (cells: number[], on: boolean) => void;
  mark: (cell: number) => void;
  /** set the next kind of mark on the cell */
  nextMark?: (cell: number) => void;
  /** action of the right button and of holding, if it is not the default */
  secondary?: (cell: number) => void;
  /** returns whether the cell handles it */
  digit?: (cell: number, digit: string) => boolean;
  focus: (cell: number) => void;
}

const HOLD = 420; // ms until a held cell is flagged
const SLOP = 10; // px that a finger may move while holding

/** Pattern of covered cells under forced colours; style sheets use `url("#covered")`. */
const COVERED = svg`<defs><pattern id="covered" width="6" height="6" patternUnits="userSpaceOnUse">
  <rect width="6" height="6" fill="Canvas"></rect><path d="M-1 7 7 -1M-4 4 4 -4M2 10 10 2" stroke="CanvasText" stroke-width="0.9"></path></pattern></defs>`;

let press: {
  cell: number;
  x: number;
  y: number;
  timer: number;
  done: boolean;
  drag: Set<number> | null;
  on: boolean;
  pointer: number;
} | null = null;

export type BoardParts = {
  cells: Cell[];
  labels: Label[];
  names: Name[];
  fences: string;
  view: [number, number, number, number];
  size: number;
  neighbours: number[][];
  focus: number;
  /** a drag sets flags */
  flagging: boolean;
  /** the flagged cells */
  flags: Set<number>;
  label: string;
  /** pixels per unit, 0 to fit the frame */
  scale: number;
  /** a drag also covers open cells */
  stroke?: boolean;
  events: Events;
};

/** Draws a board and handles its input. */
export function polygonBoard(parts: BoardParts) {
  const { cells, labels, view, size, focus } = parts;
  return html`<svg class=${parts.flagging && !parts.scale ? "board dragging" : "board"} .style=${scaled(view[2], parts.scale)} viewBox=${view.join(" ")} role="group" aria-label=${parts.label}
    @pointerdown=${(e: PointerEvent) => onPointerDown(e, parts)}
    @pointermove=${(e: PointerEvent) => onPointerMove(e, parts)}
    @pointerup=${(e: PointerEvent) => onPointerUp(e, parts)}
    @pointercancel=${cancelPress}
    @pointerover=${(e: PointerEvent) => highlight(e, parts)}
    @pointerleave=${clearHighlight}
    @focusin=${(e: FocusEvent) => (e.target as Element).matches(":focus-visible") && highlight(e, parts)}
    @focusout=${clearHighlight}
    @contextmenu=${(e: Event) => e.preventDefault()}
    @keydown=${(e: KeyboardEvent) => onKey(e, parts)}>
    ${COVERED}
    ${cells.map((cell, i) => drawCell(cell, i, i === focus, size))}
    ${parts.fences ? svg`<path class="fence" d=${parts.fences}></path>` : nothing}
    ${cells.map((cell) => (cell.ring ? svg`<polygon class=${`ring ${cell.ring}`} points=${cell.points}></polygon>` : nothing))}
    <path class="lights" d=""></path>
    ${cells[focus] ? svg`<polygon class="focus-ring" points=${cells[focus].points}></polygon>` : nothing}
    ${labels.map((label, i) => drawLabel(label, i, size, cells))}
    ${parts.names.map((n) => svg`<text class=${n.inside ? "name inside" : "name"} x=${n.x} y=${n.y} aria-hidden="true">${n.text}</text>`)}
    <circle class="hold" r=${size * 0.62} cx="0" cy="0"></circle>
  </svg>`;
}

function drawCell(cell: Cell, i: number, focused: boolean, size: number) {
  const shade = cell.shade == null ? nothing : heat(cell, size);
  return svg`<g class=${`cell ${cell.face} ${cell.tint ?? ""}`} data-cell=${i} role="button"
    tabindex=${focused ? 0 : -1} aria-label=${cell.label}>
    <polygon class="face" points=${cell.points}></polygon>${shade}
    ${cell.face === "flag" && !cell.text ? flagShape(cell, size) : nothing}
    ${cell.face === "mine" ? svg`<circle class="mine-dot" cx=${cell.x} cy=${cell.y} r=${size * 0.22}></circle>` : nothing}
    ${
      cell.text
        ? svg`<text x=${cell.x} y=${cell.y} class=${cell.shade == null ? "n" : "n chance"} font-size=${cell.shade == null ? size * 0.5 : size * 0.3}>${cell.text}</text>`
        : nothing
    }
    ${cell.mark ? cellMark(cell, cell.mark, size) : nothing}
  </g>`;
}

/**
 * A player's mark: in the centre, or small in a corner if the cell has a text: the upper right one, but the
 * left one in a triangle on its tip, whose name is on the right.
 */
function cellMark({ x, y, points, text }: Cell, kind: string, size: number) {
  if (!text) return playerMark(kind, x, y, size * 0.19);
  const corners = points.split(" ").map((p) => p.split(",").map(Number));
  const left = corners.length === 3;
  const [[u, v]] = corners.sort(([a, b], [c, d]) => (left ? b - d || a - c : c - d - (a - b)));
  return playerMark(kind, x + 0.6 * (u - x), y + 0.6 * (v - y), size * 0.13);
}

/** A tint, and a meter whose width is the chance, readable without colours. */
function heat(cell: Cell, size: number) {
  const chance = cell.shade ?? 0;
  const kind = chance === 0 ? "sure-safe" : chance === 1 ? "sure-mine" : "";
  return svg`<polygon class=${`heat ${kind}`} points=${cell.points} fill-opacity=${kind ? 1 : 0.08 + 0.5 * chance}></polygon>
    <rect class=${`meter ${kind}`} x=${cell.x - size * 0.26} y=${cell.y + size * 0.22} width=${size * 0.52 * chance} height=${size * 0.07} rx=${size * 0.03}></rect>`;
}

function flagShape({ x, y }: Cell, size: number) {
  const s = size * 0.24;
  return svg`<path class="flag-shape" d=${`M${x - s * 0.6} ${y + s * 1.2}V${y - s * 1.2}L${x + s} ${y - s * 0.55}L${x - s * 0.6} ${y + s * 0.1}`}></path>`;
}

/** A small triangle between a count and its line. */
function pointer({ x, y, cells = [] }: Label, size: number, all: Cell[]) {
  const away = (cell: Cell) => Math.hypot(cell.x - x, cell.y - y);
  const [near] = cells.map((i) => all[i]).sort((a, b) => away(a) - away(b));
  if (!near) return nothing;
  const turn = (180 * Math.atan2(near.y - y, near.x - x)) / Math.PI;
  return svg`<path class="pointer" d="M36 -6 43 0 36 6Z" transform=${`translate(${x} ${y}) rotate(${turn}) scale(${size / 100})`}></path>`;
}

function drawLabel(label: Label, index: number, full: number, cells: Cell[]) {
  const size = label.inside ? full * 0.62 : full;
  const { press } = label;
  const key = (e: KeyboardEvent) => (e.key === "Enter" || e.key === " ") && press?.();
  return svg`<g class=${`edge ${label.inside ? "inside" : ""} ${label.lit ? "lit" : ""} ${label.done ? "done" : ""} ${label.tint ?? ""} ${press ? "pressed" : ""}`} data-label=${index}
    role=${press ? "button" : nothing} tabindex=${press ? 0 : nothing} aria-label=${press ? label.title : nothing} aria-hidden=${press ? nothing : "true"}
    @click=${press ?? nothing} @keydown=${press ? key : nothing}>
    <title>${label.title}</title>
    ${
      label.tint?.includes("dark")
        ? svg`<rect x=${label.x - size * 0.27} y=${label.y - size * 0.27} width=${size * 0.54} height=${size * 0.54}></rect>`
        : svg`<circle cx=${label.x} cy=${label.y} r=${size * 0.32}></circle>`
    }
    ${label.inside ? nothing : pointer(label, size, cells)}
    <text x=${label.x} y=${label.y} font-size=${size * 0.36}>${label.text}</text></g>`;
}

function cellOf(event: Event) {
  const found = (event.target as Element).closest("[data-cell]");
  return found ? Number(found.getAttribute("data-cell")) : -1;
}

/** Highlights the neighbours of the cell, or the cells of the count, under the pointer. */
function highlight(event: Event, parts: BoardParts) {
  const label = (event.target as Element).closest("[data-label]");
  const about = label
    ? parts.labels[Number(label.getAttribute("data-label"))]?.cells
    : parts.neighbours[cellOf(event)];
  const path = (about ?? []).map((cell) => `M${parts.cells[cell].points.replaceAll(" ", "L")}Z`);
  highlightPath(event)?.setAttribute("d", path.join(""));
}

const clearHighlight = (event: Event) => highlightPath(event)?.setAttribute("d", "");

const highlightPath = (event: Event) => (event.currentTarget as Element).querySelector(".lights");

function onPointerDown(event: PointerEvent, parts: BoardParts) {
  const cell = cellOf(event);
  if (press && press.pointer !== event.pointerId) return cancelPress(event);
  if (cell < 0) return;
  event.preventDefault();
  // preventDefault suppresses the focus change, and typed digits must go to this cell
  const pressed = (event.target as Element).closest("[data-cell]");
  (pressed as SVGElement).focus({ preventScroll: true });
  if (event.button === 2) {
    (parts.events.secondary ?? parts.events.flag)(cell);
    return;
  }
  if (event.button !== 0) return;
  const frame = event.currentTarget as SVGSVGElement;
  const scrolls = parts.scale > 0 && event.pointerType === "touch";
  const drag = !scrolls && (parts.stroke || (parts.flagging && parts.cells[cell].face !== "open"));
  press = {
    cell,
    x: event.clientX,
    y: event.clientY,
    done: false,
    drag: drag ? new Set([cell]) : null,
    on: !parts.flags.has(cell),
    pointer: event.pointerId,
    timer: window.setTimeout(() => onHold(parts, frame), HOLD),
  };
  if (!drag) showHoldRing(frame, parts, cell, true);
}

function onPointerMove(event: PointerEvent, parts: BoardParts) {
  if (!press || press.pointer !== event.pointerId) return;
  if (press.drag) {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    const cell = under ? Number(under.getAttribute("data-cell")) : -1;
    const takes = cell >= 0 && (parts.stroke || parts.cells[cell].face !== "open");
    if (takes && !press.drag.has(cell)) {
      const frame = event.currentTarget as Element;
      frame.querySelector(`[data-cell="${press.cell}"]`)?.classList.add("touched");
      press.drag.add(cell);
      under?.classList.add("touched");
    }
    if (press.drag.size > 1) window.clearTimeout(press.timer);
    return;
  }
  if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLOP) cancelPress(event);
}

function onPointerUp(event: PointerEvent, parts: BoardParts) {
  if (!press || press.pointer !== event.pointerId) return;
  const { cell, done, drag, on } = press;
  cancelPress(event);
  parts.events.focus(cell);
  if (drag && drag.size > 1) parts.events.paint([...drag], on);
  else if (!done) parts.events.act(cell);
}

function cancelPress(event: Event) {
  if (!press) return;
  window.clearTimeout(press.timer);
  press = null;
  const frame = event.currentTarget as SVGSVGElement;
  for (const touched of frame.querySelectorAll(".touched")) touched.classList.remove("touched");
  frame.querySelector(".hold")?.classList.remove("on");
}

function onHold(parts: BoardParts, frame: SVGSVGElement) {
  if (!press || (press.drag && press.drag.size > 1)) return;
  press.done = true;
  showHoldRing(frame, parts, press.cell, false);
  navigator.vibrate?.(12);
  if (parts.events.secondary) parts.events.secondary(press.cell);
  else if (parts.flagging) parts.events.mark(press.cell);
  else parts.events.flag(press.cell);
}

function showHoldRing(frame: SVGSVGElement, parts: BoardParts, cell: number, on: boolean) {
  const circle = frame.querySelector(".hold");
  if (!circle) return;
  circle.setAttribute("cx", String(parts.cells[cell].x));
  circle.setAttribute("cy", String(parts.cells[cell].y));
  circle.classList.toggle("on", on);
}

const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
} as Record<string, [number, number]>;

function onKey(event: KeyboardEvent, parts: BoardParts) {
  const cell = cellOf(event);
  if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const go = (next: number) => focusCell(event, parts, next);
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (DIRECTIONS[pressed]) go(nearestTowards(parts.cells, cell, DIRECTIONS[pressed]));
  else if (pressed === "n") go(nextNeighbour(parts, cell));
  else if (pressed === "Enter" || pressed === " ") parts.events.act(cell);
  else if (pressed === "f") parts.events.flag(cell);
  else if (pressed === "m" && event.shiftKey && parts.events.nextMark) parts.events.nextMark(cell);
  else if (pressed === "m") parts.events.mark(cell);
  else if (!/^[0-9?]$/.test(pressed) || !parts.events.digit?.(cell, pressed)) return;
  event.preventDefault();
  event.stopPropagation();
}

function focusCell(event: KeyboardEvent, parts: BoardParts, next: number) {
  const frame = event.currentTarget as Element;
  parts.events.focus(next);
  (frame.querySelector(`[data-cell="${next}"]`) as SVGElement | null)?.focus();
}

/** The nearest cell in a direction; sideways distance counts 1.6 times. */
function nearestTowards(cells: Cell[], from: number, [dx, dy]: [number, number]) {
  let best = from;
  let least = Number.POSITIVE_INFINITY;
  cells.forEach((cell, i) => {
    const x = cell.x - cells[from].x;
    const y = cell.y - cells[from].y;
    const ahead = x * dx + y * dy;
    const sideways = Math.abs(x * dy) + Math.abs(y * dx);
    if (i === from || ahead <= 0.01 || sideways > ahead * 2) return;
    if (ahead + 1.6 * sideways < least) {
      least = ahead + 1.6 * sideways;
      best = i;
    }
  });
  return best;
}

/** the cell whose neighbours N cycles through, and the current one's index */
let tour: { home: number; at: number } = { home: -1, at: -1 };

/** The next neighbour of the cell at which the tour of neighbours began. */
function nextNeighbour(parts: BoardParts, cell: number) {
  const ring = parts.neighbours[tour.home] ?? [];
  if (ring[tour.at] !== cell) tour = { home: cell, at: -1 };
  const list = parts.neighbours[tour.home] ?? [];
  if (!list.length) return cell;
  tour.at = (tour.at + 1) % list.length;
  return list[tour.at];
}

/** One unit is half the height of a tick. */
const SHAPES: Record<string, string> = {
  dot: "M0.55 0A0.55 0.55 0 1 1 -0.55 0A0.55 0.55 0 1 1 0.55 0Z",
  safe: "M-0.85 0.1L-0.25 0.7L0.9 -0.7",
  unsure: "M-0.5 -0.42C-0.5 -1.05 0.6 -1.05 0.6 -0.4C0.6 0.05 0 0 0 0.4M0 0.9L0 0.91",
  first: "M-0.68 -0.68H0.68V0.68H-0.68Z",
  second: "M0 -0.85L0.88 0.68H-0.88Z",
};

/**
 * A mark with a contrasting rim.
 * @param kind "dot" | "safe" | "unsure" | "first" | "second"
 * @param size half its height
 */
export function playerMark(kind: string, x: number, y: number, size: number) {
  const shape = SHAPES[kind];
  return svg`<g class=${`mark ${kind}`} transform=${`translate(${x} ${y}) scale(${size})`}><path class="rim" d=${shape}></path><path d=${shape}></path></g>`;
}
