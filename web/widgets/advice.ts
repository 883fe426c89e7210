/** The ranked list of guesses or actions: drawing, split as a bar, facts, number with its unit. */

import { glossaryWords, units } from "../strings-glossary.js";
import { html, nothing, repeat } from "../vendor.js";
import { fixed, whole } from "./numbers.js";
import { explained, term } from "./term.js";

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

/** the last rows drawn, by label */
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
  ${unitLink(rows[0]?.unit)}`;
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

/** A link to the glossary entry of the unit. */
function unitLink(unit: string | undefined) {
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

/** The split as a bar with one segment per answer: its width is the probability; larger ones are darker. */
export function bar(split: number[]) {
  const total = split.reduce((a, b) => a + b, 0) || 1;
  const largest = Math.max(...split) || 1;
  return html`<span class="bar" aria-hidden="true">${split.map(
    (mass) =>
      html`<i .style=${`flex:${mass / total};--depth:${Math.round(30 + (60 * mass) / largest)}%`}></i>`,
  )}</span>`;
}

/**
 * @param parts.title "If you ask 0203"
 * @param parts.answers answers with the candidates that they leave, in display order
 * @param parts.picture a drawing instead of columns
 * @param parts.sentences the explanation, most important first
 * @param parts.hint how to enter an answer; not printed and not on an embedded board
 * @param parts.alike equivalent guesses
 * @param parts.assumed the assumptions
 * @param parts.action the row's action
 * @param parts.onAnswer enters an answer
 */
export function reason(parts: {
  title: string;
  answers?: [string, number][];
  picture?: unknown;
  sentences: unknown[];
  hint?: string;
  runnerUp?: unknown;
  alike?: unknown;
  assumed: unknown;
  action?: { label: string; run: () => void };
  onAnswer?: (answer: string) => void;
}) {
  const seen = new Set() as Set<string>;
  const { title, answers = [], picture, sentences, hint, runnerUp, alike, assumed, action, onAnswer } = parts;
  return html`<section class="card reason" aria-label=${title}>
    <div class="between">
      <h2>${title}</h2>
      ${action ? html`<button class="plain" data-edit @click=${action.run}>${action.label}</button>` : nothing}
    </div>
    ${picture ?? (answers.length ? columns({ answers, label: title, onChoose: onAnswer }) : nothing)}
    ${hint ? html`<p class="why keys-hint" data-edit>${hint}</p>` : nothing}
    ${[...sentences, runnerUp, alike].filter(Boolean).map((line) => html`<p class="why">${explained(line, seen)}</p>`)}
    <p class="why assumed">${assumed}</p>
  </section>`;
}

/** A number short enough for a column: "115 k", "70 M". */
function shortNumber(mass: number) {
  if (mass < 1e5) return whole(mass);
  return mass < 999_500 ? `${fixed(mass / 1e3, 0)} k` : `${fixed(mass / 1e6, mass < 1e7 ? 1 : 0)} M`;
}

/** The answers in display order as columns, with the number of candidates that each leaves. */
function columns({
  answers,
  label,
  onChoose,
}: {
  answers: [string, number][];
  label: string;
  onChoose?: (answer: string) => void;
}) {
  const largest = Math.max(1, ...answers.map(([, mass]) => mass));
  return html`<ul class="answers" aria-label=${label}>${answers.map(([answer, mass]) => {
    const drawn = html`<span class="column"><i .style=${`height:${(100 * mass) / largest}%`}></i></span>
        <b title=${mass < 1e5 ? nothing : whole(mass)}>${shortNumber(mass)}</b><span class="code">${answer}</span>`;
    return html`<li>${
      onChoose
        ? html`<button type="button" class="answer" @click=${() => onChoose(answer)}>${drawn}</button>`
        : html`<span class="answer">${drawn}</span>`
    }</li>`;
  })}</ul>`;
}
