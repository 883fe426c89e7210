/** The doubt card: which clues cannot all hold, and what would mend it; the same on every desk. */
import { html, nothing } from "../vendor.js";

/**
 * @typedef {object} Doubt
 * @property {string} title
 * @property {unknown[]} clashes what cannot hold together, each in a sentence
 * @property {boolean} [listed] they are names in a list rather than sentences
 * @property {(string | null)[]} [notes] what else is to be known, null where there is nothing
 * @property {string} [mendsTitle]
 * @property {Mend[]} [mends] changes of one clue after which it makes sense
 * @property {Mend[]} [without] clues that could be left out
 */
/** @typedef {{label: unknown, run?: () => void}} Mend without `run` it is only shown */

/** @param {Doubt} doubt */
export function doubtCard({ title, clashes, listed, notes = [], mendsTitle, mends = [], without = [] }) {
  const shown = notes.filter((note) => note !== null);
  return html`<section class="note risk doubt" role="alert">
    <h2>${title}</h2>
    ${listed ? html`<ul class="clashes">${clashes.map((one) => html`<li>${one}</li>`)}</ul>` : clashes.map((one) => html`<p>${one}</p>`)}
    ${shown.map((note) => html`<p>${note}</p>`)}
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
