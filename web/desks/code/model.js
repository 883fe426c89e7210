/** The rules of a code game, its symbols and its legal answers: what the page must know itself. */

export const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";

/** @typedef {{pegs: number, colours: number, repeat: boolean, blanks: boolean, feedback: "full" | "exact", leading_zero: boolean}} Rules */
/** @typedef {{guess: string, exact: number | null, partial: number | null, ignored?: boolean}} Clue a half of an answer that is not known is null */
/** @typedef {{desk: "code", v: 1, rules: Rules, clues: Clue[], sealed?: string, signs?: string[]}} Position */

/** @type {Rules} */
export const MASTERMIND = {
  pegs: 4,
  colours: 6,
  repeat: true,
  blanks: false,
  feedback: "full",
  leading_zero: true,
};

/** The games people know, by the name the literature gives their rules. @type {Record<string, Rules>} */
export const GAMES = {
  p4c6r: MASTERMIND,
  p4c10n: { ...MASTERMIND, colours: 10, repeat: false },
  p5c8r: { ...MASTERMIND, pegs: 5, colours: 8 },
  p3c4r: { ...MASTERMIND, pegs: 3, colours: 4 },
  p4c8r: { ...MASTERMIND, colours: 8 },
  p6c9r: { ...MASTERMIND, pegs: 6, colours: 9 },
};

/** "p4c6r", or "other" for rules without a name. @param {Rules} rules */
export function gameOf(rules) {
  const name = `p${rules.pegs}c${rules.colours}${rules.repeat ? "r" : "n"}`;
  const plain = rules.feedback === "full" && !rules.blanks && rules.leading_zero;
  return name in GAMES && plain ? name : "other";
}

/** Rules with their defaults filled in. @param {any} position @returns {Rules} */
export function rulesOf(position) {
  return { ...MASTERMIND, ...position.rules };
}

/** How many codes there are. @param {Rules} rules */
export function codeCount({ pegs, colours, repeat, leading_zero }) {
  let total = 1;
  for (let i = 0; i < pegs; i++) total *= repeat ? colours : colours - i;
  return leading_zero ? total : total - total / colours;
}

/** Whether an answer can be given at all; one half of it may not be known. @param {Rules} rules @param {number | null} exact @param {number | null} partial */
export function legalAnswer({ pegs, feedback }, exact, partial) {
  if (exact === null || partial === null) return feedback === "full" && (exact ?? partial ?? 99) <= pegs;
  if (feedback === "exact") return partial === 0 && exact <= pegs;
  return exact + partial <= pegs && !(exact === pegs - 1 && partial === 1);
}

/** Whether a guess can be asked. @param {Rules} rules @param {string} guess */
export function legalGuess({ pegs, colours, repeat, blanks }, guess) {
  const symbols = SYMBOLS.slice(0, colours) + (blanks ? "." : "");
  if (guess.length !== pegs || [...guess].some((c) => !symbols.includes(c))) return false;
  const pegged = [...guess].filter((c) => c !== ".");
  return repeat || new Set(pegged).size === pegged.length;
}

/** "1A2B", "1A?B" where a half is not known. @param {{exact: number | null, partial: number | null}} answer */
export function answerText({ exact, partial }) {
  return `${exact ?? "?"}A${partial ?? "?"}B`;
}

/** Whether the game is finished: a row hit, or the player gave up. @param {any} position */
export function isOver(position) {
  return Boolean(position.sealed && position.shown) || hits(position).length > 0;
}

/** The places of the rows that hit. @param {any} position @returns {number[]} */
export function hits(position) {
  const { pegs } = rulesOf(position);
  const rows = /** @type {Clue[]} */ (position.clues ?? []);
  return rows.flatMap((row, i) => (!row.ignored && row.exact === pegs ? [i] : []));
}
