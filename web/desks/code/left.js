/** What is left: the count, the list on request, and which rows to doubt when nothing is left. */
import { html, nothing } from "../../vendor.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import { replaceRow } from "./log.js";
import { answerText, codeCount, rulesOf } from "./model.js";
import { pegs, pins } from "./pegs.js";
import { signsOf, spelled } from "./signs.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

/** @param {Context} context */
export function left(context) {
  const { remaining } = context.replies;
  const total = codeCount(rulesOf(context.position));
  const signs = signsOf(context.position);
  const none = (context.position.clues ?? []).length === 0;
  const count = remaining?.value?.count ?? (none ? total : null);
  if (count === null)
    return html`<div class="left-box">${waiting(remaining, { phase: context.phase, room: "line" })}</div>`;
  const stale = remaining?.stale ?? false;
  return html`<div class=${stale ? "left-box stale" : "left-box"}>
    <p class="left"><b>${whole(count)}</b><span>${words.left(count)}<br>
      <span class="faint">${explained(words.leftOf(whole(total), fixed(Math.log2(Math.max(count, 1)), 1)))}</span></span></p>
    <div class="hair"><i .style=${`width:${share(count, total)}%`}></i></div>
    ${count === 1 && !stale ? html`<p class="note solved">${words.solved(spelled(remaining?.value?.codes?.[0] ?? "", signs))} ${pegs(remaining?.value?.codes?.[0] ?? "", signs)}</p>` : nothing}
    ${count > 1 ? list(context, count) : nothing}
  </div>`;
}

/** Bits to go as a share of all bits: a linear bar would be empty after one guess. @param {number} count @param {number} total */
function share(count, total) {
  return count < 1 ? 0 : (100 * Math.log2(count)) / Math.max(Math.log2(total), 1e-9);
}

/** @param {Context} context @param {number} count */
function list(context, count) {
  const codes = context.replies.list?.value?.codes ?? [];
  return html`<details class="more" ?open=${Boolean(context.view.list)} @toggle=${(/** @type {any} */ e) => e.target.open !== Boolean(context.view.list) && context.set({ list: e.target.open })}>
    <summary>${words.showList}</summary>
    ${
      context.view.list
        ? html`${waiting(context.replies.list, { phase: context.phase })}
        <p class="quiet">${codes.length ? words.listMore(codes.length, count) : nothing}</p>
        <ul class="codes code" tabindex="0" role="list" aria-label=${words.listLabel}>${codes.map((/** @type {string} */ c) => html`<li>${spelled(c, signsOf(context.position))}</li>`)}</ul>`
        : nothing
    }
  </details>`;
}

/** @param {Context} context */
export function doubt(context) {
  const found = context.replies.doubt?.value;
  if (!found?.contradiction || context.replies.doubt.stale) return nothing;
  const rules = rulesOf(context.position);
  return html`<section class="note risk doubt" role="alert">
    <h2>${words.doubtTitle}</h2>
    ${found.smallest.map((/** @type {number[]} */ rows) => html`<p>${rows.length === 1 ? words.alone(rows[0]) : words.together(rows)}</p>`)}
    ${found.repairs.length ? html`<h3 data-edit>${words.repairs}</h3>` : nothing}
    <ul class="repairs" data-edit>${found.repairs.slice(0, 8).map((/** @type {any} */ repair) => {
      const clue = context.position.clues[repair.clue];
      const answer = { exact: repair.exact, partial: repair.partial };
      return html`<li><button class="soft" @click=${() => replaceRow(context, repair.clue, { ...clue, ...answer }, answerText(answer))}>
        ${pegs(clue.guess, signsOf(context.position))}${pins(answer, rules.pegs)}<span>${words.repair(repair, answerText(answer))}</span></button></li>`;
    })}</ul>
    <ul class="repairs" data-edit>${[...new Set(found.smallest.flat())]
      .sort((a, b) => a - b)
      .map(
        (
          i,
        ) => html`<li><button class="plain" @click=${() => replaceRow(context, i, { ...context.position.clues[i], ignored: true }, words.ignore)}>
        ${words.ignore} (${words.row(i)})</button></li>`,
      )}</ul>
  </section>`;
}
