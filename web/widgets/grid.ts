/**
 * A square board of boxes, with symbols that move when rows or columns are exchanged. Screen readers get
 * an invisible grid (or a table, if cells cannot be selected) over the drawing.
 */

import { words } from "../strings.js";
import { html, nothing, repeat, svg } from "../vendor.js";

export const CELL = 40; // side of a cell in drawing units

/** content of a cell; `id` identifies it when it moves */
export type Token = { id: number; symbol: string };

export type Parts = {
  /** rows and columns of a box */
  rows: number;
  cols: number;
  tokens: Token[];
  label: string;
  /** id of the element, if cells can be selected */
  id?: string;
  selected?: number | null;
  linked?: number | null;
  wrong?: Set<number>;
  moved?: Set<number>;
  stale?: boolean;
  onPick?: (cell: number) => void;
  onHover?: (cell: number | null) => void;
  onFocus?: () => void;
  /** drawn below the marks (`under`), and between the marks and the lines (`over`) */
  under?: unknown;
  over?: unknown;
  /** a number per cell; outlined instead of the boxes */
  regions?: number[];
};

/** Tokens keep their id when lines are swapped, so they glide to their new cells. */
export function grid(parts: Parts) {
  const { rows, cols, tokens, label } = parts;
  const size = rows * cols;
  const side = size * CELL;
  const at = (event: PointerEvent | MouseEvent) => cellAt(event, size);
  const body = html`<svg class="grid" viewBox=${`-2 -2 ${side + 4} ${side + 4}`} aria-hidden="true"
    @click=${(e: MouseEvent) => parts.onPick?.(at(e))}
    @pointermove=${(e: PointerEvent) => e.pointerType === "mouse" && parts.onHover?.(at(e))}
    @pointerleave=${() => parts.onHover?.(null)}>
    ${svg`<rect class="grid-ground" width=${side} height=${side}></rect>
      ${parts.under ?? nothing}
      ${marks(parts, size)}
      ${parts.over ?? nothing}
      <path class="grid-thin" d=${lines(size, 1, 1)}></path>
      <path class="grid-thick" d=${parts.regions ? outlines(parts.regions, size) : lines(size, rows, cols)}></path>
      <g class="grid-symbols">${repeat(
        inOrder(tokens),
        (i) => tokens[i].id,
        (i) => symbol(tokens[i].symbol, i, size),
      )}</g>`}
  </svg>${readable(parts, size)}`;
  const name = `grid-box ${parts.stale ? "stale" : ""}`;
  if (!parts.onPick) return html`<div class=${name} role="table" aria-label=${label}>${body}</div>`;
  return html`<div class=${name} id=${parts.id ?? nothing} tabindex="0" role="grid" aria-label=${label}
    aria-activedescendant=${parts.selected == null ? nothing : `${parts.id}-${parts.selected}`}
    @focus=${() => parts.onFocus?.()}>${body}</div>`;
}

/** The rows and cells for screen readers, each cell in its place over the drawing. */
function readable({ tokens, id, onPick, selected, wrong }: Parts, size: number) {
  const given = tokens.some((token) => token.symbol === ".");
  const lines = Array.from({ length: size }, (_, row) => tokens.slice(row * size, (row + 1) * size));
  /** @param event a click that a screen reader makes on a cell */
  const pick = ({ target }: MouseEvent) => {
    const cell = (target as Element).closest("[data-cell]")?.getAttribute("data-cell");
    if (cell) onPick?.(Number(cell));
  };
  return html`<div class="grid-cells" role="rowgroup" @click=${pick}>${lines.map(
    (line, row) =>
      html`<div role="row">${line.map((token, col) => {
        const cell = row * size + col;
        return html`<span role=${onPick ? "gridcell" : "cell"} data-cell=${cell} id=${onPick ? `${id}-${cell}` : nothing}
          aria-selected=${onPick ? cell === selected : nothing}
          aria-label=${words.gridCell(row + 1, col + 1, token.symbol, given, Boolean(wrong?.has(cell)))}></span>`;
      })}</div>`,
  )}</div>`;
}

/** The filled cells in the order of their tokens: an element that moves in the document would not glide. */
function inOrder(tokens: Token[]) {
  const filled = [...tokens.keys()].filter((i) => tokens[i].symbol !== ".");
  return filled.sort((a, b) => tokens[a].id - tokens[b].id);
}

function marks({ selected, linked, wrong, moved }: Parts, size: number) {
  const box = (cell: number, kind: string) =>
    svg`<rect class=${`grid-mark ${kind}`} x=${(cell % size) * CELL} y=${Math.floor(cell / size) * CELL} width=${CELL} height=${CELL}></rect>`;
  return [
    ...[...(moved ?? [])].map((cell) => box(cell, "moved")),
    ...[...(wrong ?? [])].map((cell) => box(cell, "wrong")),
    linked == null ? nothing : box(linked, "linked"),
    selected == null ? nothing : box(selected, "selected"),
  ];
}

function symbol(text: string, cell: number, size: number) {
  const x = (cell % size) * CELL + CELL / 2;
  const y = Math.floor(cell / size) * CELL + CELL / 2;
  return svg`<g class="grid-token" .style=${`transform: translate(${x}px, ${y}px)`}><text text-anchor="middle" dy="0.36em">${text}</text></g>`;
}

/** Every line between blocks of `down` × `across` cells, and the frame. */
function lines(size: number, down: number, across: number) {
  const side = size * CELL;
  let path = "";
  for (let y = 0; y <= size; y += down) path += `M0 ${y * CELL}H${side}`;
  for (let x = 0; x <= size; x += across) path += `M${x * CELL} 0V${side}`;
  return path;
}

/** The borders between different regions, and the frame. */
function outlines(regions: number[], size: number) {
  const side = size * CELL;
  let path = `M0 0H${side}V${side}H0Z`;
  for (let i = 0; i < size * size; i++) {
    const [x, y] = [((i % size) + 1) * CELL, (Math.floor(i / size) + 1) * CELL];
    if ((i + 1) % size && regions[i] !== regions[i + 1]) path += `M${x} ${y - CELL}V${y}`;
    if (i + size < size * size && regions[i] !== regions[i + size]) path += `M${x - CELL} ${y}H${x}`;
  }
  return path;
}

function cellAt(event: MouseEvent, size: number) {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const unit = box.width / (size * CELL + 4);
  const index = (offset: number) => Math.max(0, Math.min(size - 1, Math.floor((offset / unit - 2) / CELL)));
  return index(event.clientY - box.top) * size + index(event.clientX - box.left);
}
