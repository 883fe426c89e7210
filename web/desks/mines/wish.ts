/** A puzzle by the moves that it takes: what is wished for, its text, and its result. */

import type { Wished } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import type { OnInput, OnSelect } from "../../widgets/on.js";
import { words } from "./strings.js";

/** so many moves of a kind: "3", "0", "2+" */
export type Times = { many: string; kind: string };
/** `widest` 0: no limit */
export type Moves = { times: Times[]; none: boolean; widest: number; rising: boolean };

/** How many of a kind can be wished for: so many, none, at least so many. */
export const MANY = ["1", "2", "3", "4", "5", "6", "0", "1+", "2+", "3+"];
const KINDS = ["one", "subset", "cross", "chain", "bounds", "sum"];
const FIRST = ["sum", "chain", "cross", "subset", "bounds", "one"]; // as more of them are added
export const WIDEST = [0, 2, 3, 4, 5, 6, 8]; // counts that a move may rest on

/** The wish as the generator reads it. */
export function wishText({ times, none, widest, rising }: Moves) {
  const wanted = times.some(({ many }) => many !== "0");
  return [
    ...times.map(({ many, kind }) => `${many} ${kind}`),
    ...(none && wanted ? ["none deeper"] : []),
    ...(widest ? [`at most ${widest} counts`] : []),
    ...(rising ? ["rising"] : []),
  ].join(", ");
}

/** The kinds that no other line names. */
export const free = (times: Times[], own?: number) =>
  KINDS.filter((kind) => times.every((one, i) => i === own || one.kind !== kind));

/** One more line, of a kind that none names yet. */
export function another(times: Times[]) {
  const left = free(times);
  const kind = FIRST.find((one) => left.includes(one));
  return kind ? [...times, { many: "1", kind }] : times;
}

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
