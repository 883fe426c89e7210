/** The doubt card: contradicting clues and fixes. */
import { html, nothing } from "../vendor.js";

/**
 * @typedef {object} Doubt
 * @property {string} title
 * @property {unknown[]} clashes contradicting sets of clues, a sentence each
 * @property {boolean} [listed] `clashes` are names for a list, not sentences
 * @property {(string | null)[]} [notes] a note per set, or null
 * @property {string} [mendsTitle]
 * @property {Mend[]} [mends] changes of one clue that fix it
 * @property {Mend[]} [without] clues whose removal fixes it
 */
/** @typedef {{label: unknown, run?: () => void}} Mend a fix; without `run` it is only text */

/** @param {Doubt} doubt */
export function doubtCard({ title, clashes, listed, notes = [], mendsTitle, mends = [], without = [] }) {
  const texts = notes.filter((note) => note !== null);
  return html`<section class="note risk doubt" role="alert">
    <h2>${title}</h2>
    ${listed ? html`<ul class="clashes">${clashes.map((one) => html`<li>${one}</li>`)}</ul>` : clashes.map((one) => html`<p>${one}</p>`)}
    ${texts.map((note) => html`<p>${note}</p>`)}
    ${mendsTitle && mends.length ? html`<h3 data-edit>${mendsTitle}</h3>` : nothing}
    ${choices(mends, "soft")}${choices(without, "plain")}
  </section>`;
}

/** @param {Mend[]} mends @param {string} kind of button */
function choices(mends, kind) {
  if (!mends.length) return nothing;
  if (!mends[0].run) return html`<ul class="quiet">${mends.map(({ label }) => html`<li>${label}</li>`)}</ul>`;
  return html`<ul class="repairs" data-edit>${mends.map(
    ({ label, run }) => html`<li><button class=${kind} @click=${run}>${label}</button></li>`,
  )}</ul>`;
}
