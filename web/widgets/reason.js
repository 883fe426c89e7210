/**
 * Why this question: the drawer that every advice row opens, the same on all desks.
 *
 * From top to bottom: what each answer would leave, what that means in words, the runner-up, the
 * class of equal questions, and what was assumed. Each line is a sentence of the desk.
 */
import { html, nothing } from "../vendor.js";
import { columns } from "./answer-columns.js";
import { explained } from "./term.js";

/**
 * @param {object} parts
 * @param {string} parts.title "If you ask 0203"
 * @param {[string, number][]} [parts.answers] answer and what it would leave, in reading order
 * @param {unknown} [parts.picture] something better than columns, where the game has it
 * @param {unknown[]} parts.sentences what it means: most telling first
 * @param {string} [parts.hint] how to put in an answer; not shown on paper or on an embedded board
 * @param {unknown} [parts.runnerUp]
 * @param {unknown} [parts.alike] which other questions are the same one
 * @param {unknown} parts.assumed what the numbers take for granted
 * @param {{label: string, run: () => void}} [parts.action] what to do with the question
 * @param {(answer: string) => void} [parts.onAnswer] take an answer as if it had come
 */
export function reason(parts) {
  const seen = new Set();
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
