/** How many codes fit the rows, counted in the page at once: each code is compared with each row. */
import type { Clue, Position } from "./model.js";
import { rulesOf, SYMBOLS } from "./model.js";

const MOST_COMPARED = 10_000; // 10 ms

const counted: WeakMap<Position, number[] | null> = new WeakMap();

/** The codes left after all rows; null where `codesAfter` is. */
export const codesLeft = (position: Position) => codesAfter(position)?.at(-1) ?? null;

/** The codes left after each row; null where they are too many to compare, weighted, or hidden from the player. */
export function codesAfter(position: Position): number[] | null {
  if (!counted.has(position)) counted.set(position, count(position));
  return counted.get(position) ?? null;
}

function count(position: Position) {
  const { pegs, colours, repeat, leading_zero, feedback } = rulesOf(position);
  const arrangements = colours ** pegs;
  if (feedback !== "full" || position.sealed || position.prior || arrangements > MOST_COMPARED) return null;
  const rows = position.clues ?? [];
  const guesses = rows.map(({ guess }) => [...guess].map((symbol) => SYMBOLS.indexOf(symbol)));
  const code = new Array(pegs).fill(0);
  const left = rows.map(() => 0);
  for (let number = 0; number < arrangements; number++) {
    for (let i = 0, rest = number; i < pegs; i++, rest = Math.floor(rest / colours)) code[i] = rest % colours;
    if ((!leading_zero && code[0] === 0) || (!repeat && new Set(code).size < pegs)) continue;
    const failed = rows.findIndex((row, i) => !row.ignored && !fits(code, guesses[i], row));
    for (let i = 0; i < (failed < 0 ? rows.length : failed); i++) left[i]++;
  }
  return left;
}

/** Whether a code gives the answer of a row; a half that is not known fits. */
function fits(code: number[], guess: number[], { exact, partial = 0 }: Clue) {
  let places = 0;
  for (let i = 0; i < code.length; i++) if (code[i] === guess[i]) places++;
  if (exact !== null && places !== exact) return false;
  if (partial === null) return true;
  const spare = [...code];
  let common = 0;
  for (const symbol of guess) {
    const at = spare.indexOf(symbol);
    if (at < 0) continue;
    spare[at] = -2;
    common++;
  }
  return common - places === partial;
}
