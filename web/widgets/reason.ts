/**
 * The details of an advice row.
 *
 * From top to bottom: the candidates that each answer leaves, an explanation, the runner-up, equivalent
 * guesses, and the assumptions. Each line is a sentence of the desk.
 */
import { html, nothing } from "../vendor.js";
import { fixed, whole } from "./numbers.js";
import { explained } from "./term.js";

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

/** A number in the width of a column: 115 k, 70 M; the whole one is its title. */
function brief(mass: number) {
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
        <b title=${mass < 1e5 ? nothing : whole(mass)}>${brief(mass)}</b><span class="code">${answer}</span>`;
    return html`<li>${
      onChoose
        ? html`<button type="button" class="answer" @click=${() => onChoose(answer)}>${drawn}</button>`
        : html`<span class="answer">${drawn}</span>`
    }</li>`;
  })}</ul>`;
}
