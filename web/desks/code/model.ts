/** The rules of a code game, its symbols and its legal answers: what the page must know itself. */
import type { Advice, AdviseOptions, Option, StrategyOptions, Verbs } from "../../types/code.js";
import type { Whole } from "../desk.js";
import type { Draft } from "./draft-row.js";

export type Rules = Whole<import("../../types/code.js").Rules>;
/**
 * a half of an answer that is not
 * known is null
 */
export type Clue = import("../../types/code.js").Clue & { partial: number | null };
export type Position = Omit<import("../../types/code.js").Position, "rules" | "clues"> & {
  rules: Rules;
  clues: Clue[];
};
export type { Advice, Option };
/** what counts as best */
export type Criterion = NonNullable<AdviseOptions["criterion"]>;
/** how each guess is chosen */
export type Strategy = NonNullable<StrategyOptions["criterion"]>;
export interface View {
  /** the row being typed */
  draft?: Draft | null;
  /** the two numbers of an answer are entered one by one, for this row */
  halves?: boolean;
  /** the hidden code is being asked */
  judging?: boolean;
  /** a code is being drawn */
  dealing?: boolean;
  /** advice during a round */
  hint?: boolean;
  /** a round against a code maker who has not decided */
  evil?: boolean;
  /** absent: fewest guesses where they are known, bits until then */
  criterion?: Criterion;
  /** rows that the board has in all */
  board?: number;
  /** what a guess costs is worked out however long it takes */
  patient?: boolean;
  /** only guesses that can be the code */
  only?: boolean;
  /** the option whose reasons are shown */
  chosen?: string;
  /** the codes left are listed */
  list?: boolean;
  /** the rows so far are reviewed */
  lookback?: boolean;
  /** the theory page is open */
  theory?: boolean;
  /** the relation whose classes are listed */
  relation?: import("../../types/code.js").Relation["name"];
  /** the guess whose class is listed, and what was typed for it */
  member?: string | null;
  memberText?: string;
  /** the code that four strategies look for, and what was typed for it */
  race?: string;
  raceText?: string;
  /** two guesses that are compared */
  compare?: [string, string] | null;
  /** what was typed for them */
  compareText?: [string, string];
  /** another game is compared */
  others?: boolean;
  /** what was typed for its rows */
  otherText?: string;
  /** why they could not be read */
  otherBad?: string;
  /** its rows */
  other?: { rules: Rules; clues: import("../../types/code.js").Clue[] } | null;
  /** whole strategies are shown */
  strategies?: boolean;
  /** the one that is worked out */
  strategy?: Strategy | null;
  /** the one that is picked */
  strategyPick?: Strategy;
  strategyStart?: "here" | "start";
  /** a given strategy is checked: this part is open, what is typed, what is played */
  checks?: boolean;
  checkTexts?: [string, string];
  checked?: [string, string] | null;
  /** its tree is shown */
  tree?: boolean;
  /** what is open of it, each by the answers on the way there */
  unfolded?: string[];
  /** as they are being chosen */
  rules?: Rules;
  /** likewise */
  signs?: string[];
  /** likewise, how the code maker chooses */
  habit?: import("./habits.js").Habit;
}
export type Asked = {
  advise: "advise";
  costs: "advise";
  mine: "advise";
  remaining: "remaining";
  list: "remaining";
  doubt: "doubt";
  review: "review";
  priced: "review";
  relations: "relations";
  race_first: "strategy";
  race_minmax: "strategy";
  race_entropy: "strategy";
  race_maxparts: "strategy";
  other: "equivalent";
  strategy: "strategy";
  check: "check";
};
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked };
export type Context = import("../desk.js").Context<Desk>;
export type Wanted = import("../desk.js").Wanted<Desk>;

export const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";

export const MASTERMIND: Rules = {
  pegs: 4,
  colours: 6,
  repeat: true,
  blanks: false,
  feedback: "full",
  leading_zero: true,
};

/** The games people know, by the name the literature gives their rules. */
export const GAMES: Record<string, Rules> = {
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

/** Guesses that may still be made. */
export function rowsLeft(position: Position, view: View) {
  const made = position.clues?.filter((clue) => !clue.ignored).length ?? 0;
  return (view.board ?? BOARD) - made;
}

/** Whether guesses are ranked by what they cost in guesses. */
export function ranksByGuesses(position: Position, view: View) {
  if (view.criterion) return view.criterion === "guesses";
  return codeCount(rulesOf(position)) <= QUICKLY_COSTED;
}

/** "p4c6r", or "other" for rules without a name. */
export function gameOf(rules: Rules) {
  const name = `p${rules.pegs}c${rules.colours}${rules.repeat ? "r" : "n"}`;
  const plain = rules.feedback === "full" && !rules.blanks && rules.leading_zero;
  return name in GAMES && plain ? name : "other";
}

/** Rules with their defaults filled in. */
export function rulesOf(position: import("../../types/code.js").Position): Rules {
  return { ...MASTERMIND, ...position.rules };
}

/** How many codes there are. */
export function codeCount({ pegs, colours, repeat, leading_zero }: Rules) {
  let total = 1;
  for (let i = 0; i < pegs; i++) total *= repeat ? colours : colours - i;
  return leading_zero ? total : total - total / colours;
}

/** An answer: two counts, or marks, or a sum. */
export type Answer = {
  exact: number | null;
  partial?: number | null;
  marks?: string | null;
  sum?: number | null;
  won?: boolean;
};

/** Whether answers of this kind can be compared: see MOST_LISTED and MOST_ORDERED of position.py. */
export function feedbackFits(rules: Rules) {
  if (rules.feedback === "full" || rules.feedback === "exact") return true;
  return (
    (rules.feedback !== "order" || rules.pegs <= 4) && codeCount({ ...rules, leading_zero: true }) <= 40_000
  );
}

/** Whether a row's answer is one of these rules. */
export function legalRow(rules: Rules, { exact, partial = 0, marks, sum, won }: Answer) {
  const { pegs, feedback } = rules;
  if (feedback === "order") {
    const ones = [...(marks ?? "")].filter((mark) => mark === "1").length;
    return new RegExp(`^[012]{${pegs}}$`).test(marks ?? "") && !(ones === 1 && !marks?.includes("0"));
  }
  if (feedback === "sum") return sum != null && sum >= 0 && sum <= pegs && (!won || sum === pegs);
  return marks == null && sum == null && legalAnswer(rules, exact, partial);
}

/** Whether an answer can be given at all; one half of it may not be known. */
export function legalAnswer({ pegs, feedback }: Rules, exact: number | null, partial: number | null) {
  if (exact === null || partial === null) return feedback !== "exact" && (exact ?? partial ?? 99) <= pegs;
  if (feedback === "exact") return partial === 0 && exact <= pegs;
  return exact + partial <= pegs && (feedback === "keep" || !(exact === pegs - 1 && partial === 1));
}

/** Whether a guess can be asked. */
export function legalGuess({ pegs, colours, repeat, blanks }: Rules, guess: string) {
  const symbols = SYMBOLS.slice(0, colours) + (blanks ? "." : "");
  if (guess.length !== pegs || [...guess].some((c) => !symbols.includes(c))) return false;
  const pegged = [...guess].filter((c) => c !== ".");
  return repeat || new Set(pegged).size === pegged.length;
}

/** "1A2B", "1A?B" where a half is not known; marks "021", a sum "3" or "4!". */
export function answerText({ exact, partial, marks, sum, won }: Answer) {
  if (marks != null) return marks;
  if (sum != null) return `${sum}${won ? "!" : ""}`;
  return `${exact ?? "?"}A${partial ?? "?"}B`;
}

/** Whether a hidden code, or a code maker who has not decided, answers. */
export const inRound = ({ position, view }: Pick<Context, "position" | "view">) =>
  Boolean(position.sealed || view.evil);

/** Whether the game is finished: a row hit, or the player gave up. */
export function isOver(position: Position) {
  return Boolean(position.sealed && position.shown) || hits(position).length > 0;
}

/** The answer that a text of a result stands for. */
export function answerOf(text: string, { feedback }: Rules): Answer {
  if (feedback === "order") return { exact: null, marks: text };
  if (feedback === "sum") return { exact: null, sum: Number.parseInt(text, 10), won: text.endsWith("!") };
  const [exact, partial] = text.split(/[AB]/).map(Number);
  return { exact, partial: partial || 0 };
}

/** Whether the answer says that the guess is the code. */
const isHit = ({ exact, marks, won }: Answer, pegs: number) =>
  exact === pegs || Boolean(won) || marks === "2".repeat(pegs);

/** The places of the rows that hit. */
export function hits(position: Position): number[] {
  const { pegs } = rulesOf(position);
  const rows = (position.clues ?? []) as Clue[];
  return rows.flatMap((row, i) => (!row.ignored && isHit(row, pegs) ? [i] : []));
}
