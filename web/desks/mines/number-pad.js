/** Numbers to choose from, next to a board that is entered by hand: of a cell, of a line, in all. */
import { html, nothing } from "../../vendor.js";
import { enter } from "./board-actions.js";
import { cellName, groupName } from "./cell-names.js";
import { entryOf, withAll, withCount } from "./manual-entry.js";
import { drawnOf } from "./model.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */

/** Numbers to choose from, for the cell or the count that was pressed. @param {Context} context */
export function pad(context) {
  const { position, view } = context;
  if (position.sealed) return nothing;
  const { drawn } = entryOf(position);
  if (view.line != null && view.line < drawn.groups.length) return ofLine(context, drawn, view.line);
  return view.pad != null && view.pad < drawn.cells ? ofCell(context, drawn, view.pad) : nothing;
}

/** @param {Context} context @param {import("./model.js").Drawn} drawn @param {number} cell */
function ofCell(context, drawn, cell) {
  const most = drawn.neighbours[cell].length;
  const asked = words.pad(cellName(context.position, cell));
  return html`<div class="note pad" role="group" aria-label=${asked}><p>${asked}</p>
    <div class="row wrap">${numbers(Math.min(most, 12), (n) => enter(context, cell, n))}
    <button class="soft" @click=${() => enter(context, cell, null)}>?</button>
    <button class="plain" @click=${() => enter(context, cell, undefined)}>${words.unknownAgain}</button></div></div>`;
}

/** @param {Context} context @param {import("./model.js").Drawn} drawn @param {number} index */
function ofLine(context, drawn, index) {
  const name = groupName(context.position, drawn.groups, index);
  const asked = words.padLine(name, drawn.groups[index].cells.length);
  const tell = (/** @type {number | null} */ n) =>
    context.commit(withCount(context.position, index, n), words.did.count(name), { view: { line: null } });
  return html`<div class="note pad" role="group" aria-label=${asked}><p>${asked}</p>
    <div class="row wrap">${numbers(Math.min(drawn.groups[index].cells.length, 30), tell)}
    <button class="plain" @click=${() => tell(null)}>${words.noCount}</button></div></div>`;
}

/** @param {number} most @param {(n: number) => void} tell */
function numbers(most, tell) {
  return Array.from(
    { length: most + 1 },
    (_, n) => html`<button class="soft" @click=${() => tell(n)}>${n}</button>`,
  );
}

/** The number of mines in all, to type. @param {Context} context */
export function inAll(context) {
  const { position } = context;
  if (position.sealed) return nothing;
  const total = drawnOf(position).groups.find((g) => g.kind === "total")?.count;
  const cells = drawnOf(position).cells;
  return html`<label class="check" data-edit>${words.inAll}<input class="field short" type="number" min="0" max=${cells} .value=${total == null ? "" : String(total)} @change=${(
    /** @type {import("../../widgets/on.js").OnInput} */ e,
  ) => {
    const text = e.target.value.trim();
    const total = text === "" ? null : Math.max(0, Math.min(cells, Math.round(Number(text))));
    context.commit(withAll(position, total), words.did.count(words.theTotal));
  }}></label>`;
}
