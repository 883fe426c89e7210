/** A round against a sealed code, and how it went. */
import { html, nothing } from "../../vendor.js";
import { fixed, percent, whole } from "../../widgets/numbers.js";
import { waiting } from "../../widgets/waiting.js";
import { pegs } from "./pegs.js";
import { rulesOf } from "./rules.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

/** Whether a round is finished: the last guess hit, or the code was shown. @param {any} position */
export function isOver(position) {
  if (!position.sealed) return false;
  const last = position.clues?.at(-1);
  return last !== undefined && last.exact === rulesOf(position).pegs;
}

/** @param {Context} context */
export function playBar(context) {
  const { position, view } = context;
  if (!position.sealed)
    return html`<button class="plain" ?disabled=${context.phase !== "ready" || view.dealing} @click=${() => deal(context)}>${words.play}</button>`;
  return html`<div class="note">
    <p>${isOver(position) ? words.won(position.clues.length) : words.playing}</p>
    <div class="row wrap" data-edit>
      ${isOver(position) ? nothing : html`<button class="plain" @click=${() => context.set({ hint: !view.hint })}>${view.hint ? words.hideHint : words.hint}</button>`}
      <button class="plain" @click=${() => deal(context)}>${words.play}</button>
      <button class="plain" @click=${() => stop(context)}>${words.stopPlaying}</button>
    </div></div>`;
}

/** @param {Context} context */
async function deal(context) {
  const rules = rulesOf(context.position);
  context.set({ dealing: true });
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const request = { want: "deal", position: { rules }, options: { seed } };
    const { sealed } = await context.ask(request).promise;
    context.set({ dealing: false, draft: null, hint: false, chosen: "" });
    context.commit({ desk: "code", v: 1, rules, clues: [], sealed }, words.play);
  } catch (fault) {
    context.set({ dealing: false });
    context.tell(/** @type {any} */ (fault).message);
  }
}

/** @param {Context} context */
function stop(context) {
  const { sealed, ...rest } = context.position;
  context.set({ draft: null, hint: false });
  context.commit(rest, words.stopPlaying);
}

/** @param {Context} context */
export function review(context) {
  const reply = context.replies.review;
  const rows = reply?.value?.guesses ?? [];
  return html`<section class="card"><h1>${words.reviewTitle}</h1>
    ${waiting(reply, { phase: context.phase, stop: () => context.stop("review"), again: () => context.again("review") })}
    ${
      rows.length
        ? html`<div class="scroll"><table class="table"><thead><tr>
      ${Object.values(words.reviewHead).map((head, i) => html`<th class=${i ? "n" : nothing} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows.map(reviewRow)}</tbody></table></div>
      <p class="why">${words.reviewSum(reply?.value)}</p>`
        : nothing
    }
  </section>`;
}

/** @param {any} row */
function reviewRow(row) {
  return html`<tr><th scope="row">${pegs(row.guess)}</th>
    <td class="n">${whole(row.before)} → ${whole(row.after)}</td>
    <td class="n">${fixed(row.bits)}</td>
    <td class="n">${fixed(row.best_bits)}<br><span class="code">${row.best}</span></td>
    <td class="n">${row.best_bits > 0 ? percent(row.bits / row.best_bits) : "–"}</td>
    <td class="n">${row.luck > 0 ? "+" : ""}${fixed(row.luck)}</td></tr>`;
}
