/** The rules of a code game, its symbols, legal answers and codes left: what the page computes itself. */
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

// ---- habits of the code maker, as weights of kinds of codes: the position's `prior`

const HABITS = ["any", "varied", "pair", "different"] as const;
export type Habit = (typeof HABITS)[number];
type Prior = NonNullable<Position["prior"]>;
const MOST_WEIGHED = 32768; // above that, codes are not weighed one by one

/** The kinds of codes as how often each of their colours stands in them, the most often first. */
function kinds(pegs: number, colours: number, most = pegs): number[][] {
  if (!pegs) return [[]];
  if (!colours) return [];
  return Array.from({ length: Math.min(pegs, most) }, (_, i) => i + 1).flatMap((n) =>
    kinds(pegs - n, colours - 1, n).map((rest) => [n, ...rest]),
  );
}

const WEIGHTS: Record<Exclude<Habit, "any">, (counts: number[]) => number> = {
  varied: (counts) => counts.length,
  pair: (counts) => Number(counts[0] < 3 && (counts[1] ?? 1) < 2),
  different: (counts) => Number(counts[0] < 2),
};

/** @returns the weights, null where every code weighs the same or the habit leaves none */
export function priorOf(habit: Habit, rules: Rules): Prior | null {
  if (habit === "any" || !rules.repeat || rules.colours ** rules.pegs > MOST_WEIGHED) return null;
  const every = kinds(rules.pegs, rules.colours).map((counts) => {
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

// ---- codes left, counted in the page at once: each code is compared with each row

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
