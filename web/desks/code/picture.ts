/** Drawings of pegs, codes and answers; the rows in one SVG, for export and for the home page. */

import { html, nothing, svg } from "../../vendor.js";
import { hueOf, labelOf, signsOf } from "./colour-names.js";
import { examples } from "./examples.js";
import type { Answer, Clue, Position } from "./model.js";
import { answerText, rulesOf } from "./model.js";

/** The class of a symbol's colour, "c3", or "blank". */
export function colourClass(symbol: string, signs: string[] = []) {
  return symbol === "." ? "blank" : `c${hueOf(symbol, signs)}${isPicture(symbol, signs) ? " emoji" : ""}`;
}

function isPicture(symbol: string, signs: string[]) {
  return /\p{Extended_Pictographic}/u.test(labelOf(symbol, signs)) && !/^\d/.test(labelOf(symbol, signs));
}

/** A code as a row of pegs, each with its sign: colour is never the only cue. */
export function pegs(code: string, signs: string[] = []) {
  return html`<span class="pegs" aria-hidden="true">${[...code].map(
    (c) => html`<span class="peg ${colourClass(c, signs)}">${labelOf(c, signs)}</span>`,
  )}</span>`;
}

/** An answer as pins; an unknown count shows as question marks. */
export function pins({ exact, partial, marks, sum, won }: Answer, count: number) {
  if (marks != null || sum != null) {
    const shown = marks != null ? [...marks] : Array(Number(sum)).fill(won ? "2" : "1");
    return html`<span class="pins ${marks != null ? "marks" : ""}" aria-hidden="true" .style=${`--columns:${marks != null ? count : Math.ceil(count / 2)}`}>
      ${Array.from({ length: count }, (_, i) => html`<i class=${["", "partial", "exact"][Number(shown[i] ?? 0)]}></i>`)}</span>`;
  }
  const sure = (exact ?? 0) + (partial ?? 0);
  const open = exact === null || partial == null;
  const kinds = Array.from({ length: count }, (_, i) =>
    i < (exact ?? 0) ? "exact" : i < sure ? "partial" : open ? "unknown" : "",
  );
  return html`<span class="pins" aria-hidden="true" .style=${`--columns:${Math.ceil(count / 2)}`}>
    ${kinds.map((kind) => html`<i class=${kind}></i>`)}
  </span>`;
}

/** The advised guess after the second example's row (a test compares). */
export const NEXT = "0203";

const STEP = 44;
const DARK_TEXT = new Set([3, 9, 11, 12, 14]);

export function picture(position: Position, caption: string) {
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

function row(clue: Clue, i: number, pegs: number, signs: string[]) {
  const y = 48 + i * STEP + STEP / 2;
  return svg`<g opacity=${clue.ignored ? 0.4 : 1}>
    ${[...clue.guess].map((symbol, p) => peg(symbol, 20 + p * STEP + 17, y, 17, signs))}
    <text x=${30 + pegs * STEP} y=${y + 6} class="answer-text">${answerText(clue)}</text></g>`;
}

function peg(symbol: string, x: number, y: number, r: number, signs: string[] = []) {
  const hue = hueOf(symbol, signs);
  const name = symbol === "." ? "blank" : `p${hue}`;
  return svg`<circle cx=${x} cy=${y} r=${r} class=${`svg-peg ${name}`}></circle>
    <text x=${x} y=${y + r / 3} class=${DARK_TEXT.has(hue) ? "on-light" : "on-dark"} text-anchor="middle">${labelOf(symbol, signs)}</text>`;
}

const MINI_ROWS = 2;
const MAX_PEG_STEP = 21; // of a small picture

/** A small picture of the last rows; by default of an example's row and the advised guess. */
export function mini(position?: Position) {
  const { clues = [] } = position ?? examples[1].position;
  const last = clues.slice(-MINI_ROWS);
  const rows = last.map((clue, i) => miniRow(clue, 18 + 35 * i, signsOf(position ?? examples[1].position)));
  const next = miniRow({ guess: NEXT }, 53, []);
  return html`<svg viewBox="0 0 120 72">${svg`
    ${position ? nothing : svg`<rect x="0" y="36" width="120" height="36" class="mini-advice"></rect>`}
    ${position ? rows : [rows, next]}`}</svg>`;
}

function miniRow(
  { guess, exact, partial }: { guess: string; exact?: number | null; partial?: number | null },
  y: number,
  signs: string[],
) {
  const step = Math.min(MAX_PEG_STEP, 88 / guess.length);
  const pins = [..."x".repeat(exact ?? 0), ..."o".repeat(partial ?? 0)].slice(0, 8);
  return svg`${[...guess].map((symbol, i) => peg(symbol, 15 + i * step, y, step * 0.43, signs))}
    ${pins.map((pin, i) => svg`<circle cx=${102 + 8 * (i % 2)} cy=${y - 4 + 8 * (i >> 1)} r="3" class=${pin === "x" ? "pin-full" : "pin-open"}></circle>`)}`;
}
