/** The answers of a guess as columns, with the number of candidates that each leaves. */
import { html, nothing } from "../vendor.js";
import { fixed, whole } from "./numbers.js";

/** A number in the width of a column: 115 k, 70 M; the whole one is its title. */
function brief(mass: number) {
  if (mass < 1e5) return whole(mass);
  return mass < 999_500 ? `${fixed(mass / 1e3, 0)} k` : `${fixed(mass / 1e6, mass < 1e7 ? 1 : 0)} M`;
}

/** @param parts answers in display order */
export function columns({
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
