/**
 * The rules of a code game, its symbols and its legal answers: what the page must know itself.
 *
 * @typedef {import("../../types/code.js").Verbs} Verbs
 * @typedef {import("../desk.js").Whole<import("../../types/code.js").Rules>} Rules
 * @typedef {import("../../types/code.js").Clue & {partial: number | null}} Clue a half of an answer that is not
 *   known is null
 * @typedef {Omit<import("../../types/code.js").Position, "rules" | "clues"> & {rules: Rules, clues: Clue[]}} Position
 * @typedef {import("../../types/code.js").Advice} Advice
 * @typedef {import("../../types/code.js").Option} Option
 * @typedef {NonNullable<import("../../types/code.js").AdviseOptions["criterion"]>} Criterion what counts as best
 * @typedef {NonNullable<import("../../types/code.js").StrategyOptions["criterion"]>} Strategy how each guess is chosen
 *
 * @typedef {object} View
 * @property {import("./draft-row.js").Draft | null} [draft] the row being typed
 * @property {boolean} [halves] the two numbers of an answer are entered one by one, for this row
 * @property {boolean} [judging] the hidden code is being asked
 * @property {boolean} [dealing] a code is being drawn
 * @property {boolean} [hint] advice during a round
 * @property {boolean} [evil] a round against a code maker who has not decided
 * @property {Criterion} [criterion] absent: fewest guesses where they are known, bits until then
 * @property {number} [board] rows that the board has in all
 * @property {boolean} [patient] what a guess costs is worked out however long it takes
 * @property {boolean} [only] only guesses that can be the code
 * @property {string} [chosen] the option whose reasons are shown
 * @property {boolean} [list] the codes left are listed
 * @property {boolean} [lookback] the rows so far are reviewed
 * @property {boolean} [classes] kinds of sameness are shown
 * @property {[string, string] | null} [compare] two guesses that are compared
 * @property {[string, string]} [compareText] what was typed for them
 * @property {boolean} [others] another game is compared
 * @property {string} [otherText] what was typed for its rows
 * @property {string} [otherBad] why they could not be read
 * @property {{rules: Rules, clues: import("../../types/code.js").Clue[]} | null} [other] its rows
 * @property {boolean} [strategies] whole strategies are shown
 * @property {Strategy | null} [strategy] the one that is worked out
 * @property {Strategy} [strategyPick] the one that is picked
 * @property {"here" | "start"} [strategyStart]
 * @property {boolean} [tree] its tree is shown
 * @property {string[]} [unfolded] what is open of it, each by the answers on the way there
 * @property {Rules} [rules] as they are being chosen
 * @property {string[]} [signs] likewise
 *
 * @typedef {{advise: "advise", costs: "advise", mine: "advise", remaining: "remaining", list: "remaining", doubt: "doubt",
 *   review: "review", priced: "review", classes: "classes", compare: "equivalent", other: "equivalent", strategy: "strategy"}} Asked
 * @typedef {{position: Position, view: View, verbs: Verbs, asked: Asked}} Desk
 * @typedef {import("../desk.js").Context<Desk>} Context
 * @typedef {import("../desk.js").Wanted<Desk>} Wanted
 */

export const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";

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

/** Up to so many codes, every cost in guesses is worked out exactly without being asked for. */
export const ALWAYS_COSTED = 1296;

/** In rules of at most so many codes the first place by guesses is often settled in a second. */
const QUICKLY_COSTED = 10_000;

/** Rows of a board, where the player chose no other number. */
export const BOARD = 10;

/** Guesses that may still be made. @param {Position} position @param {View} view */
export function rowsLeft(position, view) {
  const made = position.clues?.filter((clue) => !clue.ignored).length ?? 0;
  return (view.board ?? BOARD) - made;
}

/** Whether guesses are ranked by what they cost in guesses. @param {Position} position @param {View} view */
export function ranksByGuesses(position, view) {
  if (view.criterion) return view.criterion === "guesses";
  return codeCount(rulesOf(position)) <= QUICKLY_COSTED;
}

/** "p4c6r", or "other" for rules without a name. @param {Rules} rules */
export function gameOf(rules) {
  const name = `p${rules.pegs}c${rules.colours}${rules.repeat ? "r" : "n"}`;
  const plain = rules.feedback === "full" && !rules.blanks && rules.leading_zero;
  return name in GAMES && plain ? name : "other";
}

/** Rules with their defaults filled in. @param {import("../../types/code.js").Position} position @returns {Rules} */
export function rulesOf(position) {
  return { ...MASTERMIND, ...position.rules };
}

/** How many codes there are. @param {Rules} rules */
export function codeCount({ pegs, colours, repeat, leading_zero }) {
  let total = 1;
  for (let i = 0; i < pegs; i++) total *= repeat ? colours : colours - i;
  return leading_zero ? total : total - total / colours;
}

/** An answer: two counts, or marks, or a sum. @typedef {{exact: number | null, partial?: number | null, marks?: string | null, sum?: number | null, won?: boolean}} Answer */

/** Whether answers of this kind can be compared: see MOST_LISTED and MOST_ORDERED of position.py. @param {Rules} rules */
export function feedbackFits(rules) {
  if (rules.feedback === "full" || rules.feedback === "exact") return true;
  return (
    (rules.feedback !== "order" || rules.pegs <= 4) && codeCount({ ...rules, leading_zero: true }) <= 40_000
  );
}

/** Whether a row's answer is one of these rules. @param {Rules} rules @param {Answer} row */
export function legalRow(rules, { exact, partial = 0, marks, sum, won }) {
  const { pegs, feedback } = rules;
  if (feedback === "order") {
    const ones = [...(marks ?? "")].filter((mark) => mark === "1").length;
    return new RegExp(`^[012]{${pegs}}$`).test(marks ?? "") && !(ones === 1 && !marks?.includes("0"));
  }
  if (feedback === "sum") return sum != null && sum >= 0 && sum <= pegs && (!won || sum === pegs);
  return marks == null && sum == null && legalAnswer(rules, exact, partial);
}

/** Whether an answer can be given at all; one half of it may not be known. @param {Rules} rules @param {number | null} exact @param {number | null} partial */
export function legalAnswer({ pegs, feedback }, exact, partial) {
  if (exact === null || partial === null) return feedback !== "exact" && (exact ?? partial ?? 99) <= pegs;
  if (feedback === "exact") return partial === 0 && exact <= pegs;
  return exact + partial <= pegs && (feedback === "keep" || !(exact === pegs - 1 && partial === 1));
}

/** Whether a guess can be asked. @param {Rules} rules @param {string} guess */
export function legalGuess({ pegs, colours, repeat, blanks }, guess) {
  const symbols = SYMBOLS.slice(0, colours) + (blanks ? "." : "");
  if (guess.length !== pegs || [...guess].some((c) => !symbols.includes(c))) return false;
  const pegged = [...guess].filter((c) => c !== ".");
  return repeat || new Set(pegged).size === pegged.length;
}

/** "1A2B", "1A?B" where a half is not known; marks "021", a sum "3" or "4!". @param {Answer} answer */
export function answerText({ exact, partial, marks, sum, won }) {
  if (marks != null) return marks;
  if (sum != null) return `${sum}${won ? "!" : ""}`;
  return `${exact ?? "?"}A${partial ?? "?"}B`;
}

/** Whether a hidden code, or a code maker who has not decided, answers. @param {Pick<Context, "position" | "view">} context */
export const inRound = ({ position, view }) => Boolean(position.sealed || view.evil);

/** Whether the game is finished: a row hit, or the player gave up. @param {Position} position */
export function isOver(position) {
  return Boolean(position.sealed && position.shown) || hits(position).length > 0;
}

/** The answer that a text of a result stands for. @param {string} text @param {Rules} rules @returns {Answer} */
export function answerOf(text, { feedback }) {
  if (feedback === "order") return { exact: null, marks: text };
  if (feedback === "sum") return { exact: null, sum: Number.parseInt(text, 10), won: text.endsWith("!") };
  const [exact, partial] = text.split(/[AB]/).map(Number);
  return { exact, partial: partial || 0 };
}

/** Whether the answer says that the guess is the code. @param {Answer} row @param {number} pegs */
const isHit = ({ exact, marks, won }, pegs) => exact === pegs || Boolean(won) || marks === "2".repeat(pegs);

/** The places of the rows that hit. @param {Position} position @returns {number[]} */
export function hits(position) {
  const { pegs } = rulesOf(position);
  const rows = /** @type {Clue[]} */ (position.clues ?? []);
  return rows.flatMap((row, i) => (!row.ignored && isHit(row, pegs) ? [i] : []));
}
