/** A puzzle by the moves that it takes: what is wished for, and its result. */

import type { Wished } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import type { OnInput, OnSelect } from "../../widgets/on.js";
import type { Moves, Times } from "./move-profile.js";
import { another, free, MANY, WIDEST } from "./move-profile.js";
import { words } from "./strings.js";

export function wishFields(moves: Moves, change: (change: Partial<Moves>) => void) {
  const { times, widest } = moves;
  const box = (key: "none" | "rising") =>
    html`<label class="check"><input type="checkbox" .checked=${moves[key]} @change=${(e: OnInput) => change({ [key]: e.target.checked })}>${words.wish[key]}</label>`;
  const rest = free(times);
  return html`${times.map((one, i) => line(moves, one, i, change))}
    ${rest.length ? html`<div class="row"><button class="plain" @click=${() => change({ times: another(times) })}>${words.wish.another}</button></div>` : nothing}
    <div class="row mines-wrap fields"><label>${words.wish.widest}<select class="field" @change=${(e: OnSelect) => change({ widest: Number(e.target.value) })}>
        ${WIDEST.map((n) => html`<option value=${n} .selected=${n === widest}>${words.wish.width(n)}</option>`)}</select></label></div>
    <div class="row mines-wrap">${box("none")}${box("rising")}</div>
    <p class="quiet">${words.wish.what}</p>`;
}

/** So many moves of a kind. */
function line({ times }: Moves, one: Times, i: number, change: (change: Partial<Moves>) => void) {
  const put = (part: Partial<Times>) =>
    change({ times: times.map((other, k) => (k === i ? { ...other, ...part } : other)) });
  return html`<div class="row mines-wrap fields" role="group" aria-label=${words.wish.kinds[one.kind]}>
      <label>${words.wish.many}<select class="field" @change=${(e: OnSelect) => put({ many: e.target.value })}>
        ${MANY.map((many) => html`<option value=${many} .selected=${many === one.many}>${words.wish.often(many)}</option>`)}</select></label>
      <label>${words.wish.kind}<select class="field" @change=${(e: OnSelect) => put({ kind: e.target.value })}>
        ${free(times, i).map((kind) => html`<option value=${kind} .selected=${kind === one.kind}>${words.wish.kinds[kind]}</option>`)}</select></label>
      ${times.length > 1 ? html`<button class="plain" aria-label=${words.wish.withoutOf(words.wish.kinds[one.kind])} @click=${() => change({ times: times.filter((_, k) => k !== i) })}>${words.wish.without}</button>` : nothing}
    </div>`;
}

/** The result of a wish: what the puzzle lacks, why nothing nearer was found, and what else was near. */
export function wishTold({ met, lacks, looked, hardest, kept }: Wished) {
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
