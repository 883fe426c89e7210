/** A puzzle by the moves that it takes: what is wished for, and what came of it. */
import { html, nothing } from "../../vendor.js";
import { words } from "./words.js";

/** @typedef {{many: number, kind: string, none: boolean, rising: boolean}} Moves */
/** @typedef {import("../../types/mines.js").Wished} Wished */

const MOST = 6;
const KINDS = ["subset", "cross", "chain", "bounds", "sum"];

/** The wish as the generator reads it. @param {Moves} moves */
export function wishText({ many, kind, none, rising }) {
  return `${many} ${kind}${none ? ", none deeper" : ""}${rising ? ", rising" : ""}`;
}

/** @param {Moves} moves @param {(change: Partial<Moves>) => void} change */
export function wishFields(moves, change) {
  const numbers = Array.from({ length: MOST }, (_, i) => i + 1);
  const box = (/** @type {"none" | "rising"} */ key) =>
    html`<label class="check"><input type="checkbox" .checked=${moves[key]} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => change({ [key]: e.target.checked })}>${words.wish[key]}</label>`;
  return html`<div class="row mines-wrap fields">
      <label>${words.wish.many}<select class="field" @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => change({ many: Number(e.target.value) })}>
        ${numbers.map((n) => html`<option value=${n} ?selected=${n === moves.many}>${n}</option>`)}</select></label>
      <label>${words.wish.kind}<select class="field" @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => change({ kind: e.target.value })}>
        ${KINDS.map((kind) => html`<option value=${kind} ?selected=${kind === moves.kind}>${words.wish.kinds[kind]}</option>`)}</select></label>
    </div>
    <div class="row mines-wrap">${box("none")}${box("rising")}</div>
    <p class="quiet">${words.wish.what}</p>`;
}

/** What came of a wish: what the puzzle lacks, why nothing nearer was found, and what else was near. @param {Wished} wished */
export function wishTold({ met, lacks, looked, hardest, kept }) {
  const rest = kept.slice(1);
  const first = met ? words.wish.met : looked ? words.wish.missed : words.wish.stopped;
  return html`<div class=${met ? "note good-note stack-small" : "note warn stack-small"} role="status">
    <p><b>${first}</b>${lacks.length ? ` ${lacks.map(words.wish.lack).join("; ")}.` : ""}</p>
    ${looked ? html`<p>${words.wish.looked(looked, hardest)}</p>` : nothing}
    ${
      rest.length
        ? html`<details class="more"><summary>${words.wish.near}</summary><ul class="mines-near">${rest.map(
            (row) =>
              html`<li>${words.wish.row(row.kinds)}<br><span class="quiet">${row.lacks.map(words.wish.lack).join("; ")}</span></li>`,
          )}</ul></details>`
        : nothing
    }</div>`;
}
