/** Entry of a board by hand: its counts, and buttons for numbers and marks. */

import { html, nothing } from "../../vendor.js";
import type { OnInput } from "../../widgets/on.js";
import { playerMark } from "../../widgets/polygon-board.js";
import { enter, eraseMarks, kindOf } from "./board-actions.js";
import { cellName, groupName } from "./cell-names.js";
import { withAll, withCount, withLineCounts } from "./editor/edits.js";
import type { Context, Drawn, Position } from "./model.js";
import { cellsOf, drawnOf, totalOf } from "./model.js";
import { KINDS, shownOf } from "./player-marks.js";
import { words } from "./strings.js";

/** Buttons with the possible numbers of the selected cell or count. */
export function pad(context: Context) {
  const { position, view } = context;
  if (position.sealed) return nothing;
  const { drawn } = entryOf(position);
  if (view.line != null && view.line < drawn.groups.length) return linePad(context, drawn, view.line);
  const cell = askedCell(context);
  return cell !== null && cell < drawn.cells ? cellPad(context, drawn, cell) : nothing;
}

/** The cell whose number is to be entered: selected, or the first that the hint proves safe. */
export function askedCell({ view, replies: { hint } }: Pick<Context, "view" | "replies">): number | null {
  const found = view.degree === 4 ? hint?.value : null;
  return view.pad ?? (found?.verdict === "safe" ? (found.cells?.[0] ?? null) : null);
}

function cellPad(context: Context, drawn: Drawn, cell: number) {
  const most = drawn.neighbours[cell].length;
  const asked = words.pad(cellName(context.position, cell));
  return html`<div class="note pad" role="group" aria-label=${asked}><p>${asked}</p>
    <div class="row wrap">${numbers(Math.min(most, 12), (n) => enter(context, cell, n))}
    <button class="soft" @click=${() => enter(context, cell, null)}>?</button>
    <button class="plain" @click=${() => enter(context, cell, undefined)}>${words.unknownAgain}</button></div></div>`;
}

function linePad(context: Context, drawn: Drawn, index: number) {
  const name = groupName(context.position, drawn.groups, index);
  const asked = words.padLine(name, drawn.groups[index].cells.length);
  const setCount = (n: number | null) =>
    context.commit(withCount(context.position, index, n), words.did.count(name), { view: { line: null } });
  return html`<div class="note pad" role="group" aria-label=${asked}><p>${asked}</p>
    <div class="row wrap">${numbers(Math.min(drawn.groups[index].cells.length, 30), setCount)}
    <button class="plain" @click=${() => setCount(null)}>${words.noCount}</button></div></div>`;
}

function numbers(most: number, setCount: (n: number) => void) {
  return Array.from(
    { length: most + 1 },
    (_, n) => html`<button class="soft" @click=${() => setCount(n)}>${n}</button>`,
  );
}

/** The field for the number of mines in all. */
export function totalField(context: Context) {
  const { position } = context;
  if (position.sealed) return nothing;
  const cells = cellsOf(position);
  return html`<label class="check" data-edit>${words.inAll}<input class="field short" type="number" min="0" max=${cells} .value=${String(totalOf(position) ?? "")} @change=${(
    e: OnInput,
  ) => {
    const text = e.target.value.trim();
    const total = text === "" ? null : Math.max(0, Math.min(cells, Math.round(Number(text))));
    context.commit(withAll(position, total), words.did.count(words.theTotal));
  }}></label>`;
}

/** The kinds of marks with their numbers of cells, and the button that removes the chosen kind. */
export function markPicker(context: Context) {
  const { position, view, set } = context;
  const chosen = kindOf(view);
  const shown = shownOf(position);
  const n = shown[chosen].length;
  return html`<div class="modes pencils" data-edit>
    <div class="seg" role="group" aria-label=${words.pencil}>${KINDS.map(
      (kind) =>
        html`<button type="button" title=${words.pencils[kind]} aria-label=${words.pencilOf(kind, shown[kind].length)} aria-pressed=${kind === chosen} @click=${() => set({ kind })}>
          <svg viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">${playerMark(kind, 0, 0, 1)}</svg>${shown[kind].length ? html`<span>${shown[kind].length}</span>` : nothing}</button>`,
    )}</div>
    ${n ? html`<button class="plain" @click=${() => eraseMarks(context)}>${words.rubOut(n)}</button>` : nothing}
  </div>`;
}

/**
 * The drawing with lines that have no count yet, to be selected; the drawn groups without a count; the
 * index of a drawn group among the position's.
 */
export function entryOf(position: Position) {
  const { shown, hidden } = withLineCounts(position);
  const before = (index: number) => [...hidden].filter((h) => h < index).length;
  return { drawn: drawnOf(shown), hidden, real: (index: number) => index - before(index) };
}

/** An empty board of a shape, without counts. */
export function blank({ mines: _m, rating: _r, board, ...rest }: Position): Position {
  const shape = board && { kind: board.kind, width: board.width, height: board.height };
  const uncounted = shape && { rows: none(shape.height), columns: none(shape.width), total: null };
  return { ...rest, ...(shape ? { board: { ...shape, ...uncounted } } : {}), groups: [], revealed: [] };
}

const none = (length: number) => Array.from({ length }, () => null);
