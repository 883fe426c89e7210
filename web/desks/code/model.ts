/**
 * The position and the view of the code desk, and what the page computes itself: legal guesses and answers,
 * habits of the code maker, remaining codes.
 */
import type { Advice, AdviseOptions, Option, StrategyOptions, Verbs } from "../../types/code.js";
import type { Whole } from "../desk.js";
import type { Draft } from "./draft-row.js";

export type Rules = Whole<import("../../types/code.js").Rules>;
/** a row; a count that the player does not know is null */
export type Clue = import("../../types/code.js").Clue & { partial: number | null };
export type Position = Omit<import("../../types/code.js").Position, "rules" | "clues"> & {
  rules: Rules;
  clues: Clue[];
};
export type { Advice, Option };
/** what guesses are ranked by */
export type Criterion = NonNullable<AdviseOptions["criterion"]>;
/** the rule by which a whole strategy chooses its guesses */
export type Strategy = NonNullable<StrategyOptions["criterion"]>;
export interface View {
  /** the row that is typed */
  draft?: Draft | null;
  /** the two counts of this row's answer are entered one by one */
  halves?: boolean;
  /** waiting for the answer to a guess of a round */
  judging?: boolean;
  /** waiting for a random code */
  dealing?: boolean;
  /** advice during a round */
  hint?: boolean;
  /** a round against an undecided code maker */
  evil?: boolean;
  /** absent: fewest guesses once they are known, bits until then */
  criterion?: Criterion;
  /** rows of the board; absent: BOARD */
  board?: number;
  /** exact costs are computed without a limit of time */
  patient?: boolean;
  /** only guesses that can be the code */
  only?: boolean;
  /** the option whose reasons are shown */
  chosen?: string;
  /** the list of remaining codes is open */
  list?: boolean;
  /** the review of the rows so far is open */
  lookback?: boolean;
  /** the theory page is open */
  theory?: boolean;
  /** the relation whose classes are listed */
  relation?: import("../../types/code.js").Relation["name"];
  /** the guess whose class is listed, and what was typed for it */
  member?: string | null;
  memberText?: string;
  /** the code that four strategies find, and what was typed for it */
  race?: string;
  raceText?: string;
  /** two guesses that are compared */
  compare?: [string, string] | null;
  /** what was typed for them */
  compareText?: [string, string];
  /** the comparison with another game is open */
  others?: boolean;
  /** what was typed for its rows */
  otherText?: string;
  /** why they are not readable */
  otherBad?: string;
  /** its rows */
  other?: { rules: Rules; clues: import("../../types/code.js").Clue[] } | null;
  /** the panel of whole strategies is open */
  strategies?: boolean;
  /** the one that is computed */
  strategy?: Strategy | null;
  /** the one that is selected, not computed yet */
  strategyPick?: Strategy;
  strategyStart?: "here" | "start";
  /** the check of two strategies: whether it is open, the texts, those that were submitted */
  checks?: boolean;
  checkTexts?: [string, string];
  checked?: [string, string] | null;
  /** the decision tree of the computed strategy is open */
  tree?: boolean;
  /** its open nodes, as the answers on the path to each */
  unfolded?: string[];
  /** selected in the dialog of rules, not yet taken */
  rules?: Rules;
  /** the same for signs */
  signs?: string[];
  /** the same for the code maker's habit */
  habit?: Habit;
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
export type Requests = import("../desk.js").Requests<Desk>;

export const SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz";

export const MASTERMIND: Rules = {
  pegs: 4,
  colours: 6,
  repeat: true,
  blanks: false,
  feedback: "full",
  leading_zero: true,
};

/** Known games, by the names that the literature uses. */
export const GAMES: Record<string, Rules> = {
  p4c6r: MASTERMIND,
  p4c10n: { ...MASTERMIND, colours: 10, repeat: false },
  p5c8r: { ...MASTERMIND, pegs: 5, colours: 8 },
  p3c4r: { ...MASTERMIND, pegs: 3, colours: 4 },
  p4c8r: { ...MASTERMIND, colours: 8 },
  p6c9r: { ...MASTERMIND, pegs: 6, colours: 9 },
};

/** Up to this number of codes, exact costs are computed without the player's request. */
export const ALWAYS_COSTED = 1296;

/** Up to this number of codes the best guess by cost is often certain within a second. */
const QUICKLY_COSTED = 10_000;

/** Rows of a board by default. */
export const BOARD = 10;

/** The number of guesses that the board has room for. */
export function rowsLeft(position: Position, view: View) {
  const made = position.clues?.filter((clue) => !clue.ignored).length ?? 0;
  return (view.board ?? BOARD) - made;
}

/** Whether guesses are ranked by their cost in guesses. */
export function ranksByGuesses(position: Position, view: View) {
  if (view.criterion) return view.criterion === "guesses";
  return codeCount(rulesOf(position)) <= QUICKLY_COSTED;
}

export const sameRules = (a: Rules, b: Rules) =>
  JSON.stringify(rulesOf({ rules: a })) === JSON.stringify(rulesOf({ rules: b }));

/** A position without rows. @param more its other fields */
export const newGame = (rules: Rules, signs: string[] = [], more: Partial<Position> = {}): Position => ({
  desk: "code",
  v: 1,
  rules,
  clues: [],
  ...(signs.length ? { signs } : {}),
  ...more,
});

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

/** The number of codes under these rules. */
export function codeCount({ pegs, colours, repeat, leading_zero }: Rules) {
  let total = 1;
  for (let i = 0; i < pegs; i++) total *= repeat ? colours : colours - i;
  return leading_zero ? total : total - total / colours;
}

/** An answer: two counts, or a mark for each peg, or a sum. */
export type Answer = {
  exact: number | null;
  partial?: number | null;
  marks?: string | null;
  sum?: number | null;
  won?: boolean;
};

/** Whether the engine accepts this kind of answer: see MOST_LISTED and MOST_ORDERED of position.py. */
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

/** Whether an answer of two counts is possible; a count may be null. */
export function legalAnswer({ pegs, feedback }: Rules, exact: number | null, partial: number | null) {
  if (exact === null || partial === null) return feedback !== "exact" && (exact ?? partial ?? 99) <= pegs;
  if (feedback === "exact") return partial === 0 && exact <= pegs;
  return exact + partial <= pegs && (feedback === "keep" || !(exact === pegs - 1 && partial === 1));
}

/** Whether a guess follows the rules. */
export function legalGuess({ pegs, colours, repeat, blanks }: Rules, guess: string) {
  const symbols = SYMBOLS.slice(0, colours) + (blanks ? "." : "");
  if (guess.length !== pegs || [...guess].some((c) => !symbols.includes(c))) return false;
  const pegged = [...guess].filter((c) => c !== ".");
  return repeat || new Set(pegged).size === pegged.length;
}

/** "1A2B", "1A?B" with an unknown count; marks "021", a sum "3" or "4!". */
export function answerText({ exact, partial, marks, sum, won }: Answer) {
  if (marks != null) return marks;
  if (sum != null) return `${sum}${won ? "!" : ""}`;
  return `${exact ?? "?"}A${partial ?? "?"}B`;
}

/** Whether a sealed code or an undecided code maker answers. */
export const inRound = ({ position, view }: Pick<Context, "position" | "view">) =>
  Boolean(position.sealed || view.evil);

/** Whether the game is finished: a row hit, or the player gave up. */
export function isOver(position: Position) {
  return Boolean(position.sealed && position.shown) || hits(position).length > 0;
}

/** An answer from its text in a result. */
export function parseAnswer(text: string, { feedback }: Rules): Answer {
  if (feedback === "order") return { exact: null, marks: text };
  if (feedback === "sum") return { exact: null, sum: Number.parseInt(text, 10), won: text.endsWith("!") };
  const [exact, partial] = text.split(/[AB]/).map(Number);
  return { exact, partial: partial || 0 };
}

/** Whether the answer says that the guess is the code. */
const isHit = ({ exact, marks, won }: Answer, pegs: number) =>
  exact === pegs || Boolean(won) || marks === "2".repeat(pegs);

/** The indices of the rows whose guess is the code. */
export function hits(position: Position): number[] {
  const { pegs } = rulesOf(position);
  const rows = (position.clues ?? []) as Clue[];
  return rows.flatMap((row, i) => (!row.ignored && isHit(row, pegs) ? [i] : []));
}

// ---- habits of the code maker: weights of kinds of codes, the position's `prior`

const HABITS = ["any", "varied", "pair", "different"] as const;
export type Habit = (typeof HABITS)[number];
type Prior = NonNullable<Position["prior"]>;
const MAX_WEIGHTED_CODES = 32768; // the engine weighs no more

/** The kinds of codes: partitions of the pegs into counts of colours, largest first. */
function listKinds(pegs: number, colours: number, most = pegs): number[][] {
  if (!pegs) return [[]];
  if (!colours) return [];
  return Array.from({ length: Math.min(pegs, most) }, (_, i) => i + 1).flatMap((n) =>
    listKinds(pegs - n, colours - 1, n).map((rest) => [n, ...rest]),
  );
}

const WEIGHTS: Record<Exclude<Habit, "any">, (counts: number[]) => number> = {
  varied: (counts) => counts.length,
  pair: (counts) => Number(counts[0] < 3 && (counts[1] ?? 1) < 2),
  different: (counts) => Number(counts[0] < 2),
};

/** The weights of a habit; null if all weights are equal or no code is left. */
export function priorOf(habit: Habit, rules: Rules): Prior | null {
  if (habit === "any" || !rules.repeat || rules.colours ** rules.pegs > MAX_WEIGHTED_CODES) return null;
  const every = listKinds(rules.pegs, rules.colours).map((counts) => {
    const least = counts.map((n, colour) => colour.toString(16).repeat(n)).join("");
    return [least, WEIGHTS[habit](counts)] as const;
  });
  return every.some(([, weight]) => weight)
    ? { kinds: Object.fromEntries(every.filter(([, w]) => w !== 1)) }
    : null;
}

/** The habits that these rules allow. */
export const habitsOf = (rules: Rules) => HABITS.filter((habit) => habit === "any" || priorOf(habit, rules));

/** The habit of a position, undefined for other weights. */
export function habitOf({ prior }: Position, rules: Rules): Habit | undefined {
  const text = JSON.stringify(Object.entries(prior?.kinds ?? {}).sort());
  if (Object.keys(prior?.codes ?? {}).length) return undefined;
  return habitsOf(rules).find(
    (habit) => JSON.stringify(Object.entries(priorOf(habit, rules)?.kinds ?? {}).sort()) === text,
  );
}

// ---- remaining codes, counted in the page by comparing each code with each row

const MAX_COMPARED_CODES = 10_000; // 10 ms

const counted: WeakMap<Position, number[] | null> = new WeakMap();

/** The number of codes left after all rows; null if `codesAfter` is. */
export const codesLeft = (position: Position) => codesAfter(position)?.at(-1) ?? null;

/** The numbers of codes left after each row; null if codes are too many, weighted, or hidden in a round. */
export function codesAfter(position: Position): number[] | null {
  if (!counted.has(position)) counted.set(position, countRemaining(position));
  return counted.get(position) ?? null;
}

function countRemaining(position: Position) {
  const { pegs, colours, repeat, leading_zero, feedback } = rulesOf(position);
  const arrangements = colours ** pegs;
  if (feedback !== "full" || position.sealed || position.prior || arrangements > MAX_COMPARED_CODES)
    return null;
  const rows = position.clues ?? [];
  const guesses = rows.map(({ guess }) => [...guess].map((symbol) => SYMBOLS.indexOf(symbol)));
  const code = new Array(pegs).fill(0);
  const left = rows.map(() => 0);
  for (let number = 0; number < arrangements; number++) {
    for (let i = 0, rest = number; i < pegs; i++, rest = Math.floor(rest / colours)) code[i] = rest % colours;
    if ((!leading_zero && code[0] === 0) || (!repeat && new Set(code).size < pegs)) continue;
    const failed = rows.findIndex((row, i) => !row.ignored && !isConsistent(code, guesses[i], row));
    for (let i = 0; i < (failed < 0 ? rows.length : failed); i++) left[i]++;
  }
  return left;
}

/** Whether a code gives the answer of a row; an unknown count fits any. */
function isConsistent(code: number[], guess: number[], { exact, partial = 0 }: Clue) {
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
