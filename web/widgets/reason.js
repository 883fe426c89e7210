/**
 * The details of an advice row.
 *
 * From top to bottom: the candidates that each answer leaves, an explanation, the runner-up, equivalent
 * guesses, and the assumptions. Each line is a sentence of the desk.
 */
import { html, nothing } from "../vendor.js";
import { columns } from "./answer-columns.js";
import { explained } from "./term.js";

/**
 * @param {object} parts
 * @param {string} parts.title "If you ask 0203"
 * @param {[string, number][]} [parts.answers] answers with the candidates that they leave, in display order
 * @param {unknown} [parts.picture] a drawing instead of columns
 * @param {unknown[]} parts.sentences the explanation, most important first
 * @param {string} [parts.hint] how to enter an answer; not printed and not on an embedded board
 * @param {unknown} [parts.runnerUp]
 * @param {unknown} [parts.alike] equivalent guesses
 * @param {unknown} parts.assumed the assumptions
 * @param {{label: string, run: () => void}} [parts.action] the row's action
 * @param {(answer: string) => void} [parts.onAnswer] enters an answer
 */
export function reason(parts) {
  const seen = /** @type {Set<string>} */ (new Set());
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
