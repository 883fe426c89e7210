/** What each answer would leave, as columns with their numbers: the answer table of a question. */
import { html } from "../vendor.js";
import { whole } from "./numbers.js";

/**
 * @param {{answers: [string, number][], label: string, onChoose?: (answer: string) => void}} parts
 *   answers in the order they should stand
 */
export function columns({ answers, label, onChoose }) {
  const largest = Math.max(1, ...answers.map(([, mass]) => mass));
  return html`<ul class="answers" aria-label=${label}>${answers.map(
    ([answer, mass]) => html`<li>
      <button
        type="button" class="answer" ?disabled=${!onChoose} @click=${() => onChoose?.(answer)}
      >
        <span class="column"><i .style=${`height:${(100 * mass) / largest}%`}></i></span>
        <b>${whole(mass)}</b><span class="code">${answer}</span>
      </button>
    </li>`,
  )}</ul>`;
}
