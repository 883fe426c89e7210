/**
 * The ranked list of guesses or actions: drawing, split as a bar, facts, number with its unit.
 *
 * @typedef {object} AdviceRow
 * @property {string} key
 * @property {unknown} question drawn by the desk
 * @property {number[]} split probability of each answer, largest first; may be empty
 * @property {{text: string, tone?: "good" | "fine" | "warn" | "risk"}[]} facts
 * @property {string} number "3.36"
 * @property {string} unit "bits"
 * @property {string} spoken `question` as text, for screen readers
 */

import { glossaryWords, units } from "../strings-glossary.js";
import { html, nothing, repeat } from "../vendor.js";
import { term } from "./term.js";

/** @type {Map<string, AdviceRow[]>} the last rows by label */
const lastRows = new Map();

/**
 * @param {object} parts
 * @param {AdviceRow[]} parts.rows
 * @param {string} parts.chosen key of the row whose details are shown
 * @param {(key: string) => void} parts.onChoose
 * @param {string} parts.label
 * @param {unknown} [parts.detail] details of the chosen row, shown below it
 */
export function advice({ rows, chosen, onChoose, label, detail = nothing }) {
  lastRows.set(label, rows);
  return html`<ul class="options" aria-label=${label}>
    ${repeat(
      rows,
      (row) => row.key,
      (row) => option(row, row.key === chosen, onChoose, detail),
    )}
  </ul>
  ${about(rows[0]?.unit)}`;
}

/**
 * The last rows of a label, faded, without numbers and disabled, while a new position is being computed.
 * They keep the list's height, so that nothing below it moves.
 * @param {{state: string, stale: boolean} | undefined} reply @param {string} label
 */
export function faded(reply, label) {
  const rows = lastRows.get(label);
  if (reply?.state !== "waiting" || !reply.stale || !rows) return nothing;
  return html`<ul class="options stale" aria-hidden="true">${rows.map(
    (row) =>
      html`<li><span class="option"><span class="question">${row.question}</span><span class="middle"></span></span></li>`,
  )}</ul>`;
}

/** The way from the numbers to what their unit means. @param {string | undefined} unit */
function about(unit) {
  const id = unit && units[unit];
  return id ? html`<p class="quiet">${term(id, glossaryWords.unit(unit))}</p>` : nothing;
}

/** @param {AdviceRow} row @param {boolean} on @param {(key: string) => void} onChoose @param {unknown} detail */
function option(row, on, onChoose, detail) {
  return html`<li>
    <button
      type="button" class="option" aria-expanded=${on} data-key=${row.key}
      @click=${() => onChoose(row.key)}
    >
      <span class="question" aria-hidden="true">${row.question}</span><span class="unseen">${row.spoken}</span>
      <span class="middle">
        ${row.split.length ? bar(row.split) : nothing}
        <span class="facts">${row.facts.map(
          (fact) => html`<span class=${fact.tone ?? nothing}>${fact.text}</span>`,
        )}</span>
      </span>
      <span class="number"><b>${row.number}</b><span>${row.unit}</span></span>
    </button>
    ${on ? detail : nothing}
  </li>`;
}

/** The split as one bar: a segment an answer, its width its share, darker where larger. @param {number[]} split */
export function bar(split) {
  const total = split.reduce((a, b) => a + b, 0) || 1;
  const largest = Math.max(...split) || 1;
  return html`<span class="bar" aria-hidden="true">${split.map(
    (mass) =>
      html`<i .style=${`flex:${mass / total};--depth:${Math.round(30 + (60 * mass) / largest)}%`}></i>`,
  )}</span>`;
}
