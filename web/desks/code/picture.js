/** The desk in one svg: the rows as they stand, for pictures to keep and for the home page. */
import { html, svg } from "../../vendor.js";
import { hueOf, labelOf, signsOf } from "./colour-names.js";
import { examples } from "./examples.js";
import { answerText, rulesOf } from "./model.js";

/** What the desk advises in that example (a test compares). */
export const NEXT = { guess: "0203", answers: [39, 32, 23, 21, 20, 20, 13, 13, 12, 7, 3, 2, 2, 1] };

const STEP = 44;
const DARK_TEXT = new Set([3, 9, 11, 12, 14]);

/** @param {import("./model.js").Position} position @param {string} caption */
export function picture(position, caption) {
  const { pegs } = rulesOf(position);
  const clues = position.clues ?? [];
  const width = pegs * STEP + 120;
  const height = clues.length * STEP + 64;
  return html`<svg viewBox=${`0 0 ${width} ${height}`} class="code-picture" role="img">
    ${svg`<rect width=${width} height=${height} class="ground"></rect>
      <text x="20" y="32" class="caption">${caption}</text>
      ${clues.map((clue, i) => row(clue, i, pegs, signsOf(position)))}`}
  </svg>`;
}

/** @param {import("./model.js").Clue} clue @param {number} i @param {number} pegs @param {string[]} signs */
function row(clue, i, pegs, signs) {
  const y = 48 + i * STEP + STEP / 2;
  return svg`<g opacity=${clue.ignored ? 0.4 : 1}>
    ${[...clue.guess].map((symbol, p) => peg(symbol, 20 + p * STEP + 17, y, 17, signs))}
    <text x=${30 + pegs * STEP} y=${y + 6} class="answer-text">${answerText(clue)}</text></g>`;
}

/** @param {string} symbol @param {number} x @param {number} y @param {number} r @param {string[]} [signs] */
function peg(symbol, x, y, r, signs = []) {
  const hue = hueOf(symbol, signs);
  const name = symbol === "." ? "blank" : `p${hue}`;
  return svg`<circle cx=${x} cy=${y} r=${r} class=${`svg-peg ${name}`}></circle>
    <text x=${x} y=${y + r / 3} class=${DARK_TEXT.has(hue) ? "on-light" : "on-dark"} text-anchor="middle">${labelOf(symbol, signs)}</text>`;
}

/** The row of an example with its answer, and the best next guess with its split, as the home page shows the desk. */
export function mini() {
  const [clue] = examples[1].position.clues;
  return html`<svg viewBox="0 0 120 72">${svg`
    <rect x="0" y="37" width="120" height="35" class="mini-advice"></rect>
    ${[...clue.guess].map((symbol, i) => peg(symbol, 15 + i * 21, 18, 9))}
    ${[...NEXT.guess].map((symbol, i) => peg(symbol, 15 + i * 21, 53, 9))}
    <circle cx="102" cy="14" r="3" class="pin-full"></circle><circle cx="110" cy="14" r="3" class="pin-open"></circle>
    ${splitOf(NEXT.answers)}`}</svg>`;
}

/** @param {number[]} answers how many codes each leaves */
function splitOf(answers) {
  const all = answers.reduce((a, b) => a + b, 0);
  let x = 4;
  return answers.map((n) => {
    const wide = (112 * n) / all;
    x += wide;
    return svg`<rect x=${x - wide} y="66" width=${Math.max(0.4, wide - 0.8)} height="4" class="mini-split"></rect>`;
  });
}
