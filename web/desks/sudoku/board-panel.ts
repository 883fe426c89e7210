/** The two boards: drawn with their constraints, filled by keys, linked cell by cell if they are the same. */

import { html, nothing, svg } from "../../vendor.js";
import { CELL, grid } from "../../widgets/grid.js";
import { housesOf } from "./constraints.js";
import { marks, stripOutlines } from "./marks.js";
import type { Constraint, Context, View } from "./model.js";
import {
  boardOf,
  boxOf,
  clashes,
  constraintsOf,
  givens,
  isBlank,
  isComplete,
  SYMBOLS,
  sizeOf,
  sources,
  tokensOf,
  withBoard,
  withConstraints,
} from "./model.js";
import { words } from "./strings.js";
import { scene } from "./verdict.js";

/** The cell under the mouse, which no view stores. */
let pointed: { board: number; cell: number } | null = null;

/** The chosen cell. */
export function chosen(view: View, size: number): { board: number; cell: number } {
  const at = view.at ?? { board: 0, cell: 0 };
  return { board: at.board === 1 ? 1 : 0, cell: Math.min(Math.max(0, at.cell | 0), size * size - 1) };
}

export function boards(context: Context) {
  return html`<div class="boards">${[0, 1].map((i) => boardPanel(context, i))}</div>`;
}

function boardPanel(context: Context, i: number) {
  const { position, view } = context;
  const [rows, cols] = boxOf(position);
  const board = boardOf(position, i);
  const at = chosen(view, rows * cols);
  const playing = scene(context, i);
  const wrong = playing ? (new Set() as Set<number>) : clashes(position, i);
  const constraints = isBlank(board) ? [] : constraintsOf(position, i);
  const marked = playing ? null : marks(context, i);
  const focused = view.at != null && at.board === i;
  return html`<section class="board ${focused ? "focused" : ""}">
    <div class="board-head"><h2>${words.names[i]}</h2><p class="quiet">${playing?.caption ?? marked?.text ?? facts(context, i, board)}</p></div>
    ${grid({
      id: `board-${i}`,
      rows,
      cols,
      ...underneath([rows, cols], constraints),
      over: stripOutlines(rows * cols, marked?.strips),
      tokens: playing?.tokens ?? tokensOf(board),
      label: words.board(i, board),
      selected: focused && !playing ? at.cell : null,
      linked: linkedCell(context, i),
      wrong,
      moved: playing?.touched ?? marked?.cells,
      onPick: (cell) => context.set({ at: { board: i, cell }, ...still }),
      onHover: (cell) => point(context, cell === null ? null : { board: i, cell }),
      onFocus: () => (view.at == null || at.board !== i) && context.set({ at: { board: i, cell: at.cell } }),
    })}
    ${constraints.length ? html`<p class="also">${words.also(constraints)}</p>` : nothing}
    ${wrong.size ? html`<p class="risk" role="status">${words.clash}</p>` : nothing}
    <div class="row wrap board-tools" data-edit>
      <button class="plain" ?disabled=${isBlank(board)} @click=${() => clear(context, i)}>${words.clear}</button>
      ${i === 0 ? html`<button class="plain" ?disabled=${!position.grids?.length} @click=${() => swap(context)}>${words.swap}</button>` : nothing}
      ${constraints.length ? html`<button class="plain" @click=${() => context.commit(withBoard(position, i, board, []), words.forgotten)}>${words.forget}</button>` : nothing}
    </div>
  </section>`;
}

/** A board's constraints as the grid widget draws them: shapes below the symbols, and regions. */
export function underneath(box: [number, number], constraints: Constraint[]) {
  const size = box[0] * box[1];
  // Shades first, or they would hide lines.
  const shades = (one: Constraint) => Number(["windows", "house"].includes(one.kind));
  return {
    under: constraints.toSorted((a, b) => shades(b) - shades(a)).map((one) => shape(one, box, size)),
    regions: constraints.find((one) => one.kind === "regions")?.cells,
  };
}

/** Empty a board; with the last one the constraints chosen for both boards go too. */
function clear({ position, commit }: Context, i: number) {
  const next = withBoard(position, i, ".".repeat(sizeOf(position) ** 2));
  commit(next.grids?.length ? next : withConstraints(next, [[], []]), words.cleared);
}

/** Clear and swap, for the sheet of a narrow screen, where the boards have no room for them. */
export function boardTools(context: Context) {
  const { position } = context;
  return html`<div class="row wrap sheet-tools" data-edit>${[0, 1].map(
    (i) =>
      html`<button class="soft" ?disabled=${isBlank(boardOf(position, i))} @click=${() => clear(context, i)}>${words.clear} ${i + 1}</button>`,
  )}<button class="soft" ?disabled=${!position.grids?.length} @click=${() => swap(context)}>${words.swap}</button></div>`;
}

/** Typing ends the playback of a witness. */
export const still = { player: null };

function facts(context: Context, i: number, board: string) {
  if (isBlank(board)) return words.empty;
  if (isComplete(board)) return words.complete;
  const solved = context.replies[`solve${i}`];
  const found = solved?.value?.solutions;
  const text = words.solutions[found as keyof typeof words.solutions];
  const plain = solved?.value?.not_compared && !solved.value.compared ? words.plainly : "";
  return `${words.givens(givens(board))}${text ? `, ${text}${plain}` : ""}`;
}

function swap(context: Context) {
  const { position } = context;
  const [first, second] = [0, 1].map((i) => boardOf(position, i));
  const [own, others] = [0, 1].map((i) => constraintsOf(position, i));
  context.commit(withBoard(withBoard(position, 0, second, others), 1, first, own), words.swap, {
    view: { ...still },
  });
}

function point(context: Context, place: { board: number; cell: number } | null) {
  if (place?.board === pointed?.board && place?.cell === pointed?.cell) return;
  pointed = place;
  if (context.replies.same?.value?.same) context.redraw();
}

/** The cell of this board that the pointed or chosen cell of the other board is moved to or from. */
function linkedCell(context: Context, i: number) {
  const reply = context.replies.same;
  const size = sizeOf(context.position);
  const place = pointed ?? (context.view.at ? chosen(context.view, size) : null);
  if (!place || !reply?.value?.same || scene(context, 0)) return null;
  if (place.board === i) return null;
  const source = sources(reply.value.witness);
  return i === 0 ? source[place.cell] : source.indexOf(place.cell);
}

/** Keys for the chosen cell. */
export function pad(context: Context) {
  const size = sizeOf(context.position);
  return html`<div class="pad-symbols" data-part="entry" data-edit role="group" aria-label=${words.pad}>
    ${[...SYMBOLS.slice(0, size)].map((s) => html`<button class="soft" aria-label=${words.symbol(s)} @click=${() => enter(context, s)}>${s}</button>`)}
    <button class="soft" aria-label=${words.erase} @click=${() => enter(context, ".")}>⌫</button>
  </div>`;
}

/** Put a symbol into the chosen cell. */
export function enter(context: Context, symbol: string) {
  const { position, view } = context;
  const size = sizeOf(position);
  const at = chosen(view, size);
  const board = boardOf(position, at.board);
  const shown = { at, ...still };
  if (board[at.cell] === symbol) return context.set(shown);
  const next = board.slice(0, at.cell) + symbol + board.slice(at.cell + 1);
  context.commit(withBoard(position, at.board, next), words.cell(at.cell, size, symbol), { view: shown });
}

/** Move the chosen cell; across the edge between the boards it goes to the other board. */
export function step(context: Context, down: number, right: number) {
  const size = sizeOf(context.position);
  const at = chosen(context.view, size);
  if (context.view.at == null) return context.set({ at });
  const row = Math.min(size - 1, Math.max(0, Math.floor(at.cell / size) + down));
  let col = (at.cell % size) + right;
  let board = at.board;
  if (col < 0 && board === 1) [board, col] = [0, size - 1];
  if (col >= size && board === 0) [board, col] = [1, 0];
  context.set({ at: { board, cell: row * size + Math.min(size - 1, Math.max(0, col)) }, ...still });
}

const THIN_LINES = ["slow", "palindrome", "renban", "whispers", "entropic", "zipper", "regionsum", "between"];

/** A constraint as drawn below the symbols; some kinds are only named below the board. */
function shape(one: Constraint, box: [number, number], size: number) {
  const cells = one.cells ?? [];
  const at = cells.map((i) => middle(i, size));
  const line = `M${at.map((point) => point.join(" ")).join("L")}`;
  if (THIN_LINES.includes(one.kind))
    return [
      svg`<path class="rule-tube thin" d=${line}></path>`,
      ...(one.kind === "between"
        ? [at[0], at[at.length - 1]].map((end) => circle("rule-ring", end, 15))
        : []),
    ];
  switch (one.kind) {
    case "diagonals":
    case "diagonal":
    case "antidiagonal":
      return housesOf(one, box).map(
        (house) => svg`<path class="rule-line" d=${`M${ends(house, size)}`}></path>`,
      );
    case "windows":
    case "house":
      return housesOf(one, box)
        .flat()
        .map((i) => shade(middle(i, size)));
    case "even":
      return at.map((point) => shade(point, 6));
    case "odd":
      return at.map((point) => circle("rule-shade", point, 15));
    case "killer":
      return cage(cells, size, one.sum);
    case "thermometer":
      return [svg`<path class="rule-tube" d=${line}></path>`, circle("rule-bulb", at[0], 14)];
    case "arrow":
      return [
        svg`<path class="rule-line" d=${line}></path>`,
        ...at.slice(0, one.head ?? 1).map((point) => circle("rule-ring", point, 15)),
      ];
    case "ratio":
      return circle("rule-dot", centre(at), 5);
    case "difference":
      return circle("rule-dot open", centre(at), 5);
    case "xv":
      return mark(one.value === 10 ? "X" : "V", centre(at));
    case "quadruple":
      return mark((one.values ?? []).join(" "), centre(at));
    case "minimum":
    case "maximum":
      return at.map((point) => shade(point, 3));
    default:
      return [];
  }
}

const middle = (cell: number, size: number) => [
  (cell % size) * CELL + CELL / 2,
  Math.floor(cell / size) * CELL + CELL / 2,
];

const centre = (points: number[][]) =>
  [0, 1].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);

const circle = (kind: string, [x, y]: number[], radius: number) =>
  svg`<circle class=${kind} cx=${x} cy=${y} r=${radius}></circle>`;

/** A text between cells. */
const mark = (text: string, [x, y]: number[]) =>
  svg`<text class="rule-sum" text-anchor="middle" x=${x} y=${y + 4}>${text}</text>`;

/** A diagonal from corner to corner. */
function ends(house: number[], size: number) {
  const side = size * CELL;
  return house[0] === 0 ? `0 0L${side} ${side}` : `${side} 0L0 ${side}`;
}

function shade([x, y]: number[], inset: number = 0) {
  const side = CELL - 2 * inset;
  return svg`<rect class="rule-shade" x=${x - side / 2} y=${y - side / 2} width=${side} height=${side}></rect>`;
}

/** A cage's dashed outline with its sum. */
function cage(cells: number[], size: number, sum?: number | null) {
  const inside = new Set(cells);
  const gap = 4;
  let path = "";
  for (const cell of cells) {
    const [r, c] = [Math.floor(cell / size), cell % size];
    const has = (down: number, right: number) =>
      c + right >= 0 && c + right < size && inside.has((r + down) * size + c + right);
    const [left, top] = [c * CELL + (has(0, -1) ? 0 : gap), r * CELL + (has(-1, 0) ? 0 : gap)];
    const [right, bottom] = [(c + 1) * CELL - (has(0, 1) ? 0 : gap), (r + 1) * CELL - (has(1, 0) ? 0 : gap)];
    if (!has(-1, 0)) path += `M${left} ${r * CELL + gap}H${right}`;
    if (!has(1, 0)) path += `M${left} ${(r + 1) * CELL - gap}H${right}`;
    if (!has(0, -1)) path += `M${c * CELL + gap} ${top}V${bottom}`;
    if (!has(0, 1)) path += `M${(c + 1) * CELL - gap} ${top}V${bottom}`;
  }
  const first = Math.min(...cells);
  const [x, y] = [(first % size) * CELL + 5, Math.floor(first / size) * CELL + 13];
  return svg`<path class="rule-cage" d=${path}></path>${sum == null ? [] : svg`<text class="rule-sum" x=${x} y=${y}>${sum}</text>`}`;
}
