/** The ranked list of guesses or actions: drawing, split as a bar, facts, number with its unit. */
export interface AdviceRow {
  key: string;
  /** drawn by the desk */
  question: unknown;
  /** probability of each answer, largest first; may be empty */
  split: number[];
  facts: { text: string; tone?: "good" | "fine" | "warn" | "risk" }[];
  /** "3.36" */
  number: string;
  /** "bits" */
  unit: string;
  /** `question` as text, for screen readers */
  spoken: string;
}

import { glossaryWords, units } from "../strings-glossary.js";
import { html, nothing, repeat } from "../vendor.js";
import { term } from "./term.js";

/** the last rows by label */
const lastRows: Map<string, AdviceRow[]> = new Map();

/**
 * @param parts.chosen key of the row whose details are shown
 * @param parts.detail details of the chosen row, shown below it
 */
export function advice({
  rows,
  chosen,
  onChoose,
  label,
  detail = nothing,
}: {
  rows: AdviceRow[];
  chosen: string;
  onChoose: (key: string) => void;
  label: string;
  detail?: unknown;
}) {
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
 */
export function faded(reply: { state: string; stale: boolean } | undefined, label: string) {
  const rows = lastRows.get(label);
  if (reply?.state !== "waiting" || !reply.stale || !rows) return nothing;
  return html`<ul class="options stale" aria-hidden="true">${rows.map(
    (row) =>
      html`<li><span class="option"><span class="question">${row.question}</span><span class="middle"></span></span></li>`,
  )}</ul>`;
}

/** The way from the numbers to what their unit means. */
function about(unit: string | undefined) {
  const id = unit && units[unit];
  return id ? html`<p class="quiet">${term(id, glossaryWords.unit(unit))}</p>` : nothing;
}

function option(row: AdviceRow, on: boolean, onChoose: (key: string) => void, detail: unknown) {
  return html`<li>
    <button
      type="button" class="option" aria-expanded=${on} data-key=${row.key}
      @click=${() => onChoose(row.key)}
    >
      <span class="question" aria-hidden="true">${row.question}</span><span class="unseen">${row.spoken}, </span>
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

/** The split as one bar: a segment an answer, its width its share, darker where larger. */
export function bar(split: number[]) {
  const total = split.reduce((a, b) => a + b, 0) || 1;
  const largest = Math.max(...split) || 1;
  return html`<span class="bar" aria-hidden="true">${split.map(
    (mass) =>
      html`<i .style=${`flex:${mass / total};--depth:${Math.round(30 + (60 * mass) / largest)}%`}></i>`,
  )}</span>`;
}
