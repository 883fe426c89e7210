/** The desk in one svg: the rows as they stand, for pictures to keep and for the home page. */
import { html, svg } from "../../vendor.js";
import { answerText, rulesOf, SYMBOLS } from "./model.js";

const STEP = 44;
const DARK_TEXT = new Set(["3", "9", "b", "c", "e"]);

/** @param {any} position @param {string} caption */
export function picture(position, caption) {
  const { pegs } = rulesOf(position);
  const clues = position.clues ?? [];
  const width = pegs * STEP + 120;
  const height = clues.length * STEP + 64;
  return html`<svg viewBox=${`0 0 ${width} ${height}`} class="code-picture" role="img">
    ${svg`<rect width=${width} height=${height} class="ground"></rect>
      <text x="20" y="32" class="caption">${caption}</text>
      ${clues.map((/** @type {any} */ clue, /** @type {number} */ i) => row(clue, i, pegs))}`}
  </svg>`;
}

/** @param {any} clue @param {number} i @param {number} pegs */
function row(clue, i, pegs) {
  const y = 48 + i * STEP + STEP / 2;
  return svg`<g opacity=${clue.ignored ? 0.4 : 1}>
    ${[...clue.guess].map((symbol, p) => peg(symbol, 20 + p * STEP + 17, y, 17))}
    <text x=${30 + pegs * STEP} y=${y + 6} class="answer-text">${answerText(clue)}</text></g>`;
}

/** @param {string} symbol @param {number} x @param {number} y @param {number} r */
function peg(symbol, x, y, r) {
  const name = symbol === "." ? "blank" : `p${SYMBOLS.indexOf(symbol)}`;
  return svg`<circle cx=${x} cy=${y} r=${r} class=${`svg-peg ${name}`}></circle>
    <text x=${x} y=${y + r / 3} class=${DARK_TEXT.has(symbol) ? "on-light" : "on-dark"} text-anchor="middle">${symbol === "." ? "" : symbol}</text>`;
}

/** Four pegs and their answer, as the home page shows the desk. */
export function mini() {
  return html`<svg viewBox="0 0 120 60">${svg`
    ${[..."0213"].map((symbol, i) => svg`<circle cx=${16 + i * 24} cy="22" r="10" class=${`svg-peg p${symbol}`}></circle>`)}
    ${[..."1105"].map((symbol, i) => svg`<circle cx=${16 + i * 24} cy="47" r="10" class=${`svg-peg p${symbol}`} opacity="0.35"></circle>`)}
    <circle cx="108" cy="18" r="3.4" class="pin-full"></circle><circle cx="116" cy="18" r="3.4" class="pin-full"></circle>
    <circle cx="108" cy="26" r="3" class="pin-open"></circle>`}</svg>`;
}
