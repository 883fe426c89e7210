/** Pegs, codes and answers drawn as the game draws them. */
import { html } from "../../vendor.js";
import { SYMBOLS } from "./model.js";

/** The class of a symbol's colour, "c3"; blanks have their own. @param {string} symbol */
export function colourClass(symbol) {
  return symbol === "." ? "blank" : `c${SYMBOLS.indexOf(symbol)}`;
}

/** A code as a row of pegs, each with its symbol, so that colour alone never tells. @param {string} code */
export function pegs(code) {
  return html`<span class="pegs" aria-hidden="true">${[...code].map(
    (c) => html`<span class="peg ${colourClass(c)}">${c === "." ? "" : c}</span>`,
  )}</span>`;
}

/** An answer as the little pins beside the row. @param {{exact: number, partial: number}} answer @param {number} count */
export function pins({ exact, partial }, count) {
  const kinds = Array.from({ length: count }, (_, i) =>
    i < exact ? "exact" : i < exact + partial ? "partial" : "",
  );
  return html`<span class="pins" aria-hidden="true" .style=${`--columns:${Math.ceil(count / 2)}`}>
    ${kinds.map((kind) => html`<i class=${kind}></i>`)}
  </span>`;
}
