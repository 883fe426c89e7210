/** A round against a sealed code, and how it went. */
import { html, nothing } from "../../vendor.js";
import { fixed, percent, whole } from "../../widgets/numbers.js";
import { waiting } from "../../widgets/waiting.js";
import { hits, isOver, rulesOf } from "./model.js";
import { pegs } from "./pegs.js";
import { signsOf, spelled } from "./signs.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

/** How the game ended. @param {Context} context */
export function ending({ position, replies }) {
  const [first] = hits(position);
  if (first !== undefined) return words.won(first + 1);
  const secret = replies.review?.value?.secret;
  return secret
    ? html`${words.secretWas(spelled(secret, signsOf(position)))} ${pegs(secret, signsOf(position))}`
    : nothing;
}

/** @param {Context} context */
export function playBar(context) {
  const { position, view } = context;
  if (!position.sealed)
    return html`<button class="plain" ?disabled=${context.phase !== "ready" || view.dealing} @click=${() => deal(context)}>${words.play}</button>`;
  return html`<div class="note">
    <p class="row wrap">${isOver(position) ? ending(context) : words.playing}</p>
    <div class="row wrap" data-edit>
      ${
        isOver(position)
          ? nothing
          : html`<button class="plain" @click=${() => context.set({ hint: !view.hint })}>${view.hint ? words.hideHint : words.hint}</button>
            <button class="plain" @click=${() => giveUp(context)}>${words.giveUp}</button>`
      }
      <button class="plain" @click=${() => deal(context)}>${words.play}</button>
      <button class="plain" @click=${() => stop(context)}>${words.stopPlaying}</button>
    </div></div>`;
}

/** @param {Context} context */
async function deal(context) {
  const rules = rulesOf(context.position);
  const { signs } = context.position;
  context.set({ dealing: true });
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    const request = { want: "deal", position: { rules }, options: { seed } };
    const { sealed } = await context.ask(request).promise;
    context.set({ dealing: false, draft: null, hint: false, chosen: "" });
    context.commit({ desk: "code", v: 1, rules, clues: [], sealed, ...(signs ? { signs } : {}) }, words.play);
  } catch (fault) {
    context.set({ dealing: false });
    context.tell(/** @type {any} */ (fault).message);
  }
}

/** The code is told and the round is over; undo takes it back. @param {Context} context */
function giveUp(context) {
  context.set({ draft: null });
  context.commit({ ...context.position, shown: true }, words.giveUp);
}

/** @param {Context} context */
function stop(context) {
  const { sealed, shown, ...rest } = context.position;
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
        ? html`<div class="scroll" role="region" tabindex="0" aria-label=${words.reviewTitle}><table class="table"><thead><tr>
      ${Object.values(words.reviewHead).map((head, i) => html`<th class=${i ? "n" : nothing} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows.map((/** @type {any} */ row) => reviewRow(row, signsOf(context.position)))}</tbody></table></div>
      <p class="why">${words.reviewSum(reply?.value)}</p>`
        : nothing
    }
  </section>`;
}

/** @param {any} row @param {string[]} signs */
function reviewRow(row, signs) {
  return html`<tr><th scope="row"><span class="unseen">${spelled(row.guess, signs)}</span>${pegs(row.guess, signs)}</th>
    <td class="n">${whole(row.before)} → ${whole(row.after)}</td>
    <td class="n">${fixed(row.bits)}${row.rank > 1 && row.loss < 1e-9 ? html`<br><span class="quiet">${words.reviewCannot}</span>` : nothing}</td>
    <td class="n">${fixed(row.best_bits)}<br><span class="code">${spelled(row.best, signs)}</span></td>
    <td class="n">${row.best_bits > 0 ? percent(row.bits / row.best_bits) : "–"}</td>
    <td class="n">${row.luck > 0 ? "+" : ""}${fixed(row.luck)}</td></tr>`;
}
