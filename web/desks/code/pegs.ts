/** Pegs, codes and answers drawn as the game draws them. */
import { html } from "../../vendor.js";
import { hueOf, labelOf } from "./colour-names.js";
import type { Answer } from "./model.js";

/** The class of a symbol's colour, "c3"; blanks have their own. */
export function colourClass(symbol: string, signs: string[] = []) {
  return symbol === "." ? "blank" : `c${hueOf(symbol, signs)}${isPicture(symbol, signs) ? " emoji" : ""}`;
}

function isPicture(symbol: string, signs: string[]) {
  return /\p{Extended_Pictographic}/u.test(labelOf(symbol, signs)) && !/^\d/.test(labelOf(symbol, signs));
}

/** A code as a row of pegs, each with its sign, so that it is never known by colour alone. */
export function pegs(code: string, signs: string[] = []) {
  return html`<span class="pegs" aria-hidden="true">${[...code].map(
    (c) => html`<span class="peg ${colourClass(c, signs)}">${labelOf(c, signs)}</span>`,
  )}</span>`;
}

/** An answer as the little pins next to the row; a half that is not known is a question mark. */
export function pins({ exact, partial, marks, sum, won }: Answer, count: number) {
  if (marks != null || sum != null) {
    const shown = marks != null ? [...marks] : Array(Number(sum)).fill(won ? "2" : "1");
    return html`<span class="pins ${marks != null ? "marks" : ""}" aria-hidden="true" .style=${`--columns:${marks != null ? count : Math.ceil(count / 2)}`}>
      ${Array.from({ length: count }, (_, i) => html`<i class=${["", "partial", "exact"][Number(shown[i] ?? 0)]}></i>`)}</span>`;
  }
  const sure = (exact ?? 0) + (partial ?? 0);
  const open = exact === null || partial == null;
  const kinds = Array.from({ length: count }, (_, i) =>
    i < (exact ?? 0) ? "exact" : i < sure ? "partial" : open ? "untold" : "",
  );
  return html`<span class="pins" aria-hidden="true" .style=${`--columns:${Math.ceil(count / 2)}`}>
    ${kinds.map((kind) => html`<i class=${kind}></i>`)}
  </span>`;
}
