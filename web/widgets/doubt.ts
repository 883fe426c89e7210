/** The doubt card: contradicting clues and fixes. */
import { html, nothing } from "../vendor.js";

export interface Doubt {
  title: string;
  /** contradicting sets of clues, a sentence each */
  clashes: unknown[];
  /** `clashes` are names for a list, not sentences */
  listed?: boolean;
  /** a note per set, or null */
  notes?: (string | null)[];
  mendsTitle?: string;
  /** changes of one clue that fix it */
  mends?: Mend[];
  /** clues whose removal fixes it */
  without?: Mend[];
}
/** a fix; without `run` it is only text */
export type Mend = { label: unknown; run?: () => void };

export function doubtCard({
  title,
  clashes,
  listed,
  notes = [],
  mendsTitle,
  mends = [],
  without = [],
}: Doubt) {
  const texts = notes.filter((note) => note !== null);
  return html`<section class="note risk doubt" role="alert">
    <h2>${title}</h2>
    ${listed ? html`<ul class="clashes">${clashes.map((one) => html`<li>${one}</li>`)}</ul>` : clashes.map((one) => html`<p>${one}</p>`)}
    ${texts.map((note) => html`<p>${note}</p>`)}
    ${mendsTitle && mends.length ? html`<h3 data-edit>${mendsTitle}</h3>` : nothing}
    ${choices(mends, "soft")}${choices(without, "plain")}
  </section>`;
}

/** @param kind of button */
function choices(mends: Mend[], kind: string) {
  if (!mends.length) return nothing;
  if (!mends[0].run) return html`<ul class="quiet">${mends.map(({ label }) => html`<li>${label}</li>`)}</ul>`;
  return html`<ul class="repairs" data-edit>${mends.map(
    ({ label, run }) => html`<li><button class=${kind} @click=${run}>${label}</button></li>`,
  )}</ul>`;
}
