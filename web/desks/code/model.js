/** The rules of a code game, its symbols and its legal answers: what the page must know itself. */

export const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * @typedef {import("../../types/code.js").Verbs} Verbs
 * @typedef {Required<import("../../types/code.js").Rules>} Rules
 * @typedef {import("../../types/code.js").Clue & {partial: number}} Clue
 * @typedef {Omit<import("../../types/code.js").Position, "rules" | "clues"> & {rules: Rules, clues: Clue[]}} Position
 * @typedef {import("../../types/code.js").Advice} Advice
 * @typedef {import("../../types/code.js").Option} Option
 * @typedef {NonNullable<import("../../types/code.js").AdviseOptions["criterion"]>} Criterion
 * @typedef {NonNullable<import("../../types/code.js").StrategyOptions["criterion"]>} Strategy
 *
 * @typedef {object} View
 * @property {import("./draft.js").Draft | null} [draft] the row being typed
 * @property {string} [chosen] the guess whose reasons are shown
 * @property {Criterion} [criterion]
 * @property {boolean} [only] guesses that can be the secret
 * @property {boolean} [hint] advice during a round
 * @property {boolean} [list] the codes left are listed
 * @property {boolean} [classes] kinds of sameness are shown
 * @property {boolean} [strategies] whole strategies are shown
 * @property {string[]} [compareText] two guesses as typed
 * @property {[string, string] | null} [compare] two guesses to compare
 * @property {Strategy} [strategyPick]
 * @property {Strategy | null} [strategy] the one worked out
 * @property {boolean} [treeing] its tree is being fetched
 * @property {boolean} [judging] a guess is being answered
 * @property {boolean} [dealing] a code is being drawn
 * @property {Rules} [rules] rules being put together
 *
 * @typedef {{remaining: "remaining", list: "remaining", advise: "advise", mine: "advise", costs: "advise",
 *   doubt: "doubt", review: "review", classes: "classes", compare: "equivalent", strategy: "strategy"}} Asked
 * @typedef {{position: Position, view: View, verbs: Verbs, asked: Asked}} Desk
 * @typedef {import("../desk.js").Context<Desk>} Context
 * @typedef {import("../desk.js").Wanted<Desk>} Wanted
 */

/** @type {Rules} */
export const MASTERMIND = { pegs: 4, colours: 6, repeat: true, blanks: false, feedback: "full" };

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
  return name in GAMES && rules.feedback === "full" && !rules.blanks ? name : "other";
}

/** Rules with their defaults filled in. @param {{rules?: import("../../types/code.js").Rules}} position @returns {Rules} */
export function rulesOf(position) {
  return { ...MASTERMIND, ...position.rules };
}

/** How many codes there are. @param {Rules} rules */
export function codeCount({ pegs, colours, repeat }) {
  let total = 1;
  for (let i = 0; i < pegs; i++) total *= repeat ? colours : colours - i;
  return total;
}

/** Whether an answer can be given at all. @param {Rules} rules @param {number} exact @param {number} partial */
export function legalAnswer({ pegs, feedback }, exact, partial) {
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

/** "1A2B". @param {{exact: number, partial: number}} answer */
export function answerText({ exact, partial }) {
  return `${exact}A${partial}B`;
}

/** Whether the game is finished: a row hit, or the player gave up. @param {Position} position */
export function isOver(position) {
  return Boolean(position.sealed && position.shown) || hits(position).length > 0;
}

/** The places of the rows that hit. @param {Position} position @returns {number[]} */
export function hits(position) {
  const { pegs } = rulesOf(position);
  const rows = /** @type {Clue[]} */ (position.clues ?? []);
  return rows.flatMap((row, i) => (!row.ignored && row.exact === pegs ? [i] : []));
}
