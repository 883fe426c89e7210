/** All texts of the code desk. */

import type {
  BadLine,
  CheckedStrategy,
  Guesses,
  Mine,
  Reading,
  Review,
  SameState,
  Slip,
  Strategy,
  StrategyComparison,
  StrategyProblem,
  Within,
} from "../../types/code.js";
import type { Known } from "../../widgets/numbers.js";
import { count, fixed, percent, whole } from "../../widgets/numbers.js";
import { spokenCode } from "./colour-names.js";
import type { Advice, Clue, Option, Rules } from "./model.js";

const codes = (n: Known) => count(n, "code", "codes");

/** The bound on how much better than the first option any guess is, rounded up; "" without one. */
const bestGapText = ({ bound, error, options }: Advice) => {
  if (bound == null || !options.length) return "";
  const more = Math.ceil(100 * Math.max(0, bound - options[0].bits + (error ?? 0))) / 100;
  return error
    ? ` No guess is more than ${fixed(more)} bits better (bound from the sample, with a margin of five standard errors).`
    : ` No guess is more than ${fixed(more)} bits better: this is proven.`;
};

const answerKinds = {
  exact: "right places only",
  order: "a mark for each peg",
  keep: "colours counted anywhere",
  sum: "only the number of matching colours",
};

const spokenCounts = (c: Clue) =>
  `${c.exact ?? "an unknown number"} in the right place, ${c.partial ?? "an unknown number"} in the wrong place`;

/** The rules in one line. */
const rulesLine = (r: Rules) =>
  `${count(r.pegs, "peg", "pegs")}, ${count(r.colours, "colour", "colours")}, ${r.repeat ? "repeats allowed" : "no repeats"}${r.blanks ? ", blanks in guesses" : ""}${r.feedback === "full" ? "" : `, ${answerKinds[r.feedback]}`}${r.leading_zero === false ? ", never 0 first" : ""}`;

export const words = {
  asks: "Which guess finds the code soonest?",
  bar: {
    comparing: "Comparing guesses",
    others: "Others",
    isCode: "is the code",
    onlyOne: "is the code, the only one left",
    found: (n: number) => `found in ${count(n, "guess", "guesses")}`,
    equal: (n: number) => `1 of ${whole(n)} equal`,
    estimated: "estimated",
    /** A number with its unit; `error` is null if the number is exact. */
    number: (n: string, unit: string, error: number | null) =>
      error === null ? `${n} ${unit}` : `≈ ${n} ${unit}${error ? ` ± ${fixed(error, 3)}` : ""}`,
    pressAnswer: "Enter the answer: right place and wrong place.",
    clearRow: "Clear row",
    rowWrong: (i: number) => `Row ${i + 1} does not fit`,
    clash: (rows: number[]) =>
      rows.length > 3 ? "Contradictory rows" : `Rows ${rows.map((i) => i + 1).join(", ")} contradict`,
    fix: "Fix",
    /** The likeliest typing error, in the few words that fit into the bar. */
    slip: (s: Slip, rows: string[]) =>
      s.changes.length > 1
        ? `${s.changes.map((c, i) => `Row ${c.clue + 1}: ${rows[i]}`).join(", ")}?`
        : `Row ${s.changes[0].clue + 1}: was it ${rows[0]}?`,
    leaves: (n: number) => codes(n),
    fillRow: "Enter a guess to get its answer.",
    over: "The round is over",
    newGame: "New game",
  },
  games: {
    p4c6r: "Mastermind",
    p4c10n: "Bulls & Cows",
    p5c8r: "Super Mastermind",
    p3c4r: "Mini",
    p4c8r: "Eight colours",
    p6c9r: "Six pegs",
    other: "Code breaking",
  } as Record<string, string>,
  rulesLine,
  changeGame: "Change game",
  gameTitle: "Which game?",
  known: "Known games",
  own: "Your own rules",
  pegs: "Pegs",
  colours: "Colours",
  repeat: "A colour may repeat",
  blanks: "Guesses may leave pegs blank",
  feedback: "What an answer says",
  feedbacks: {
    full: "Right places, and right colours elsewhere",
    exact: "Right places only",
    order: "A mark for each peg, as in word games",
    keep: "Right places, and pegs whose colour occurs anywhere",
    sum: "How many colours match",
  },
  feedbackTooLarge:
    "With these answers there are at most 40 000 codes, and at most 4 pegs with a mark for each peg.",
  marks: "Mark each peg",
  markNames: ["neither", "right colour, wrong place", "right place"],
  mark: (i: number, mark: number) => `Peg ${i + 1}: ${words.markNames[mark]}`,
  marksDone: "Use these marks",
  sum: "Matching colours",
  sumWon: "all in the right place",
  zeroFirst: "The first peg is never 0",
  written: "Colours written as",
  writtenAs: {
    zero: (n: number) => `0–${"0123456789abcdef"[n - 1]}`,
    ones: (n: number) => `1–${"123456789abcdefg"[n - 1]}`,
    colours: (n: number) => `${"RGBYOPWKVCMTNSLI".slice(0, Math.min(n, 3))}…`,
    letters: (n: number) => `A–${"ABCDEFGHIJKLMNOP"[n - 1]}`,
    names: () => "red, green…",
    emoji: () => "emoji",
  },
  notKnown: "unknown",
  take: "Start with these rules",
  keepsRows: "Rows that fit the new rules are kept.",
  dropTitle: "Some rows do not fit",
  dropText: (n: number) => `${count(n, "row does", "rows do")} not fit the new rules and would be removed:`,
  dropGo: (n: number) => `Remove ${count(n, "row", "rows")} and change the game`,
  dropBack: "Back",
  rulesImpossible: "Without repeats there must be at least as many colours as pegs.",

  guesses: "Guesses so far",
  yourGuess: "Your guess",
  peg: (i: number, c: string, advised: boolean = false) =>
    `Peg ${i + 1}: ${c || "empty"}${advised ? ", advised" : ""}`,
  colour: (c: string, state: "" | "out" | "certain" = "") =>
    `Colour ${c}${state && `, ${words.colourStates[state]}`}`,
  /** Under a colour of the palette. */
  colourStates: { out: "out", certain: "in it", "": "" },
  answerPad: "What was the answer?",
  answerKey: (exact: number, partial: number, left: number | null) =>
    `${exact} in place, ${partial} elsewhere${left === null ? "" : `: ${whole(left)} left`}`,
  padNote: "codes left by each answer",
  oneUnknown: "One number unknown?",
  blank: "Blank",
  erase: "Erase",
  exact: "Right place",
  partial: "Right colour, wrong place",
  short: { exact: "in place", partial: "elsewhere" },
  addRow: "Add this row",
  saveRow: "Save the row",
  guessNow: "Guess",
  cancel: "Cancel",
  fillFirst: "Choose a colour for each peg, then enter the answer.",
  nowAnswer: "Now enter the answer.",
  row: (i: number) => `Row ${i + 1}`,
  spokenAnswer: (c: Clue): string =>
    `${c.marks != null ? [...c.marks].map((m) => words.markNames[Number(m)]).join("; ") : c.sum != null ? `${c.sum} matching colours${c.won ? ", found" : ""}` : spokenCounts(c)}${c.ignored ? ", ignored" : ""}`,
  spokenRow: (c: Clue, signs: string[] = []) => `${spokenCode(c.guess, signs)}: ${words.spokenAnswer(c)}`,
  edit: "Edit",
  ignore: "Ignore this row",
  heed: "Use this row again",
  remove: "Remove",
  ignored: "ignored",
  redundant: "redundant: the other rows already imply it",
  pasteOpen: "Paste a history",
  pasteTitle: "Paste your guesses",
  pasteHow:
    "One guess a line with its answer, as your game or site writes it: “0011 1A2B”, “RGBY ++-”, “red green blue blue: 1 black, 2 white”, emoji. Write “?” for an unknown count: “0011 2A?B”.",
  pasteTake: "Add these rows",
  pasteBad: (n: number) => `${count(n, "line", "lines")} could not be read:`,
  pastePlace: (b: BadLine) => `Line ${b.line}${b.column === null ? "" : `, column ${b.column}`}`,
  pasteForeign: (rules: Rules) =>
    `Nothing was added: some rows do not fit the rules ${rulesLine(rules)}, or are written differently.`,
  pasteNewGame: (rules: Rules, reading: Reading) =>
    `A new game with ${count(reading.clues.length, "row", "rows")}: ${rulesLine(rules)}${reading.signs?.length ? `, written ${reading.signs.join(" ")}` : ""}`,
  pasteFitting: (reading: Reading) =>
    `Add only the ${count(reading.clues.length, "row that fits", "rows that fit")}`,
  pasteSealed: "You cannot paste rows during a round.",
  pasteDone: (n: number) => `${count(n, "row", "rows")} added.`,
  clear: "Clear all rows",
  cleared: "All rows cleared",
  example: {
    intro: (code: string) => `Your opponent hides a code. Each guess gets two numbers. If you guess ${code}:`,
    against: "the code, and your guess",
    exact: "1 in place: the 0.",
    partial: (repeat: boolean) =>
      `2 elsewhere: the 3 and the 1. ${repeat ? "The second 3 has no match" : "The 4 is not in the code"}.`,
  },
  leftAfter: (n: number) => `${whole(n)} left`,
  left: (n: number) => (n === 1 ? "code is still possible" : "codes are still possible"),
  leftOf: (total: string, bits: string) => `of ${total} · ${bits} bits to go`,
  solved: (code: string) => `The code is ${code}. No other code fits your rows.`,
  showList: "Show the possible codes",
  listPut: (code: string) => `Enter ${code} as the guess`,
  listLabel: "The possible codes, a list to scroll",
  listMore: (shown: number, all: number) => `The first ${whole(shown)} of ${whole(all)}, in order.`,
  askNext: "Guess next",
  askLine: (by: string, a: Advice) => {
    if (a.tried !== undefined)
      return `${by} ${whole(a.tried)} of ${count(a.candidates, "guess", "guesses")} were compared.`;
    const once = ": guesses that get the same answer from every possible code count once";
    const merged = a.unmerged ? once : " of equivalent guesses";
    return `${by} ${count(a.candidates, "guess falls", "guesses fall")} into ${a.questions ? "" : "at most "}${count(a.questions ?? a.kept, "class", "classes")}${merged}.`;
  },
  pricing: "Computing guess counts…",
  by: {
    entropy: "Most informative first.",
    minmax: "Smallest worst case first.",
    minavg: "Fewest codes left on average first.",
    maxparts: "Most different answers first.",
    guesses: "Fewest guesses to the end first.",
    within: "Most codes found within the rows first.",
  },
  criteria: {
    entropy: "Bits",
    minmax: "Worst case",
    minavg: "Average",
    maxparts: "Answers",
    guesses: "Fewest guesses",
    within: "Rows left",
  },
  board: "Rows on the board",
  boardLeft: (n: number) => count(n, "row left", "rows left"),
  boardFull: "No rows are left.",
  withinCodes({ codes: n, low, high }: Within, { remaining, weight }: Advice) {
    const shown = (found: number) => (weight ? percent(found / weight) : whole(found));
    return `${n == null ? `${shown(low ?? 0)} to ${shown(high ?? 0)}` : shown(n)} of ${weight ? "the weight" : `${whole(remaining)} codes`}`;
  },
  whyWithin: (w: Within, found: Advice) =>
    `With best play you find ${words.withinCodes(w, found)} within ${count(w.rows, "row", "rows")}, this guess included.`,
  withinOpen:
    "The time was too short to count every guess to the end: the first number is certain, and another guess may find more codes.",
  mineWithin: (m: Mine, best: Option, found: Advice) =>
    m.within && best.within
      ? `${words.withinCodes(m.within, found)} within the rows; with the best ${words.withinCodes(best.within, found)}`
      : `${fixed(m.bits)} bits`,
  criterion: "What counts as best",
  toTheEnd: "Compute exact guess counts (may take minutes)",
  onlyPossible: "Only guesses that can be the code",
  can: "can be the code",
  cannot: "cannot be the code",
  worst: (n: number) => `worst ${whole(n)}`,
  atMost: (n: Known) => `at most ${n}`,
  /** The cost of a guess, in a row's facts. */
  guessCost: (g: Guesses) =>
    g.exact ? `${fixed(g.expected)} guesses` : `${fixed(g.low)} to ${fixed(g.high)} guesses`,
  whyGuesses: (g: Guesses) =>
    g.exact
      ? `With best play you need ${fixed(g.expected, 3)} guesses on average from here, this one included, and at most ${g.worst}.`
      : `From here it takes ${fixed(g.low)} to ${fixed(g.high)} guesses on average: the first number is a proven lower bound, the second is the best strategy found.`,
  mineGuesses: (n: number, more: number) =>
    `${fixed(n, 3)} guesses on average${more > 1e-9 ? `, ${fixed(more, 3)} more than the best` : ", as few as the best"}`,
  parts: (n: number) => count(n, "answer", "answers"),
  alike: (n: number) => `${whole(n)} equivalent`,
  units: {
    entropy: "bits",
    minmax: "at worst",
    minavg: "on average",
    maxparts: "answers",
    guesses: "guesses",
    within: "found",
  },
  spokenOption: (o: Option, signs: string[] = []) =>
    `${spokenCode(o.guess, signs)}: ${o.guesses?.exact ? `${fixed(o.guesses.expected)} guesses on average, at most ${o.guesses.worst}, ` : ""}${fixed(o.bits)} bits, ${o.possible ? "can" : "cannot"} be the code, at worst ${codes(o.worst)} left`,
  ties: (n: number, criterion: string = "entropy") =>
    `${whole(n)} guesses ${{ guesses: "need equally few guesses", within: "find equally many codes" }[criterion] ?? "give the same number of bits"}. Those that can be the code are listed first.`,
  /** How exact the numbers are if not every guess was counted on every code. */
  howCertain: (a: Advice) => {
    const sample = codes(a.sample ?? 0);
    if (a.gap != null)
      return `Chosen from a sample of ${sample}, then counted on all codes: these numbers are exact. A guess missed by the sample could give about ${fixed(a.gap, 3)} bits more.${bestGapText(a)}`;
    if (a.error === 0)
      return `Counted on all ${sample} left: these numbers are exact. Not all guesses were compared, so a better one may exist.${bestGapText(a)}`;
    return `Estimated from ${sample} drawn at random: ± ${fixed(a.error ?? 0, 3)} bits (95 % confidence). Not all guesses were compared, so a better one may exist.${bestGapText(a)}`;
  },
  ifYouAsk: (g: string) => `If you guess ${g}`,
  why: (o: Option) =>
    `${count(o.parts, "answer is possible", "different answers are possible")}. On average ${fixed(o.expected_left, 1)} codes remain, at worst ${whole(o.worst)}. Expected information: ${fixed(o.bits)} bits. ${o.possible ? "It can be the code." : "It cannot be the code."}`,
  runnerUp: (o: Option, next: Option, criterion: string = "entropy") => {
    if (criterion === "guesses" && o.guesses?.exact && next.guesses?.exact) {
      const more = (next.guesses.expected ?? 0) - (o.guesses.expected ?? 0);
      return more < 0.0005
        ? `The next in the list, ${next.guess}, needs as few guesses.`
        : `The next in the list, ${next.guess}, needs ${fixed(more, 3)} guesses more.`;
    }
    const gap = o.bits - next.bits;
    if (Math.abs(gap) < 0.005)
      return `The next in the list, ${next.guess}, gives as many bits${o.possible && !next.possible ? ", but cannot be the code" : ""}.`;
    return `The next in the list, ${next.guess}, gives ${fixed(Math.abs(gap))} bits ${gap > 0 ? "fewer" : "more"}.`;
  },
  likely: (weight: number | null | undefined) =>
    weight ? "Codes count by their weights." : "All possible codes count as equally likely.",
  looksAhead: "The guess with the most bits may need more guesses in all: it looks one guess ahead.",
  same: (n: number) =>
    n > 1
      ? `${whole(n)} guesses are equivalent to this one (colours or places swapped, or the same answer from every possible code). This is the first of them.`
      : "No other guess is equivalent.",
  use: "Use this guess",
  /** the typed guess against the best, by criterion */
  mine: {
    entropy: (m, best) =>
      `${fixed(m.bits)} bits, ${fixed(Math.max(0, best.bits - m.bits))} fewer than the best`,
    minmax: (m, best) => `at worst ${codes(m.worst)} left; with the best ${whole(best.worst)}`,
    minavg: (m, best) =>
      `${fixed(m.expected_left, 1)} codes left on average; with the best ${fixed(best.expected_left, 1)}`,
    maxparts: (m, best) =>
      `${count(m.parts, "possible answer", "possible answers")}; with the best ${best.parts}`,
  } as Record<string, (m: Mine, best: Option) => string>,
  yours: (g: string, rest: string) => `Your ${g}: ${rest}.`,
  mineBest: (m: Mine) => `Your ${m.guess} is as good as the best: ${fixed(m.bits)} bits.`,
  mineEqual: (m: Mine, best: Option) =>
    `Your ${m.guess} gives as many bits as the best, but it cannot be the code; ${best.guess} can.`,

  doubtTitle: "These rows cannot all be right",
  together: (rows: number[]) => `Rows ${rows.map((r) => r + 1).join(", ")} contradict each other.`,
  alone: (r: number) => `Row ${r + 1} alone is impossible.`,
  repairs: "Possible errors, the likeliest first",
  /** A typing error in a button: the rows are next to it as pegs. */
  slip: {
    answer: (s: Slip, text: string) =>
      `Row ${s.changes[0].clue + 1} was answered ${text}: ${codes(s.remaining)} possible`,
    peg: (s: Slip, _: string, guess: string) =>
      `Row ${s.changes[0].clue + 1} was ${guess}, one peg mistyped: ${codes(s.remaining)} possible`,
    swap: (s: Slip, _: string, guess: string) =>
      `Row ${s.changes[0].clue + 1} was ${guess}, two pegs swapped: ${codes(s.remaining)} possible`,
    two: (s: Slip, text: string) =>
      `Rows ${s.changes.map((c) => c.clue + 1).join(" and ")} were answered ${text}: ${codes(s.remaining)} possible`,
  },
  slipNone: "No single typing error explains it, and no two answers that are off by one.",
  slipMended: (changes: Slip["changes"]) =>
    `${changes.length > 1 ? "Rows" : "Row"} ${changes.map((c) => c.clue + 1).join(" and ")} fixed`,

  answerLetters: "Add the guess with the answer of that letter",
  typeRow: "Enter a colour, then the answer (u: unknown number)",
  pegKeys: ["Previous peg", "Next peg"],
  theoryOpen: "Equivalent guesses",
  theoryBack: "Back to the game",
  theoryText:
    "Two guesses are equivalent if you can play on in the same way after either. Each relation below is a stricter or looser meaning of that, for the rows of this game.",
  relationsText: (guesses: number, left: number) =>
    `${whole(guesses)} guesses in classes, with ${codes(left)} possible. Choose a relation to list its classes.`,
  relationsHead: ["Relation", "Classes", "Contained in"],
  relationOver: "not counted",
  relationSame: (names: string) => `same as ${names}`,
  relationNames: {
    discrete: "Discrete",
    colour: "Colour",
    constraint: "Constraint",
    chain: "Chain",
    join: "Join",
    partition: "Partition",
    state: "Same state",
    cost: "Same cost",
    spatial: "Spatial",
  },
  relationTexts: {
    discrete: "every guess is different",
    colour: "excluded colours, or colours never used, exchanged",
    constraint: "a permutation of pegs and colours keeps every row's guess",
    chain: "excluded colours and constraint, one filter after the other",
    join: "excluded colours and constraint, as many steps as needed",
    partition: "a permutation of the possible codes maps one split to the other",
    state: "the answers leave positions that can be played alike",
    cost: "equally many guesses under best play",
    spatial: "an exchange of all codes keeps every answer and the set of possible codes",
  },
  compare: "Are two guesses equivalent?",
  compareGo: "Compare",
  compareFirst: (a: string, b: string, name: string) => `${a} and ${b}: first joined by ${name}.`,
  compareNone: (a: string, b: string) => `None of the computed relations joins ${a} and ${b}.`,
  compareOpen: (names: string) => `Not computed: ${names}.`,
  compareBy: {
    colour: "colours that are excluded, or that no row uses",
    constraint: "this permutation keeps every row's guess",
    join: "step by step",
    partition: "this permutation maps the possible codes, and their answers",
  } as Record<string, string>,
  compareCells: "Answers to the first guess, answers to the second, and the codes they leave:",
  compareCell: (left: [number, number], same: boolean) =>
    `${whole(left[0])} and ${codes(left[1])}${same ? ", the same state" : ", different states"}`,
  compareTotals: ([a, b]: [number, number]) =>
    a === b
      ? `Under best play both take ${whole(a)} guesses over all possible codes.`
      : `Under best play they take ${whole(a)} and ${whole(b)} guesses over all possible codes.`,
  compareSpatial: (yes: boolean, exchanged: boolean) =>
    yes
      ? `Spatially equivalent${exchanged ? ", with pegs and colours exchanged at the end" : ""}:`
      : "Not spatially equivalent.",
  asItIs: "every possible code gives both the same answer",
  members: "Class of a guess",
  membersGo: "List",
  membersSaid: (guess: string, name: string, n: number) =>
    n === 1
      ? `${name}: ${guess} is alone in its class.`
      : `${name}: ${count(n, "guess is", "guesses are")} in the class of ${guess}.`,
  filterTitle: "Incremental filter",
  filterText:
    "After each row the filters keep the colours never used, the colours that no possible code shows, and the peg permutations that can map every guess to itself.",
  filterHead: ["After", "Never used", "Excluded", "Peg permutations"],
  filterStart: "the rules",
  filterNow: "Permutations kept now; colours without a number are free.",
  raceTitle: "One code, four strategies",
  raceText:
    "The same code, found by four rules for the next guess. Try 7450 in Bulls & Cows: four different lists of rows that leave one code. The number is how many codes were possible before the guess.",
  raceCode: "Code to find",
  raceGo: "Play",
  raceBad: (code: string) => `${code || "This"} is not a code of this game or of Bulls & Cows.`,
  raceSaid: (n: number) => count(n, "guess", "guesses"),
  questionsTitle: "Open questions and their answers",
  questionsText: "Each chapter has a check that you can run.",
  questions: [
    ["finest", "Is partition the finest relation that preserves costs?"],
    ["finest", "Is spatial equivalence correct, and is it weaker than partition?"],
    ["chaining", "Do two canonical filters in a row keep the classes of the join?"],
    ["states", "How many sets of codes can clues produce, and are the clues of one code irreducible?"],
    ["incremental", "How is the constraint filter updated after each guess?"],
    ["information", "Why do the most bits not give the fewest guesses?"],
  ],
  otherTitle: "Is another game in the same state?",
  otherHow:
    "Paste the rows of another game under the same rules. Two games are in the same state if their remaining codes have the same structure. They then need the same number of guesses.",
  otherRows: "Rows of the other game",
  otherGo: "Compare the games",
  otherBad: (b: { line: number; text: string; why: string }) => `Line ${b.line} could not be read: ${b.why}`,
  otherLarge: "This game has too many codes to compare.",
  otherMore: (n: number) => `… and ${count(n, "code", "codes")} more.`,
  otherSaid: ({ kind, same, remaining: [n, m] }: SameState) => {
    const both = n === 1 ? "one code" : `${whole(n)} codes`;
    if (n !== m) return `No: yours leaves ${codes(n)}, the other ${codes(m)}.`;
    if (n === 0) return "No code fits either of them.";
    if (same === null) return `Both leave ${both}. Whether they can be played alike was not determined.`;
    if (kind === "codes") return `Yes: both leave the same ${both}.`;
    if (kind === "symmetry") return `Yes: one swap turns the ${both} of yours into the ${both} of the other:`;
    if (kind === null)
      return `No: both leave ${both}, but no renaming makes their answers the same. They may still take as many guesses.`;
    const how = {
      A: "they answer alike",
      B: "they answer alike once the answers are renamed",
      STAR: "every guess of one splits its codes as some guess of the other splits its own",
    };
    return `Yes: no swap turns one into the other, but ${how[kind]}. Matching codes:`;
  },
  strategyTitle: "Whole strategies",
  strategyText: "Play every possible code with one rule and count the guesses.",
  strategyWhere: "Start of the strategy",
  strategyStarts: { here: "From here", start: "From the first guess" },
  strategies: {
    first: "First that fits",
    minmax: "Smallest worst case",
    minavg: "Smallest average",
    entropy: "Most bits",
    maxparts: "Most answers",
    optimal: "Optimal, proven",
  },
  checkTitle: "Check a strategy",
  checkText:
    "Paste a strategy or open a file: a decision tree saved here, as text or JSON, or nested braces such as {0012:{00:{3345:…}}}. Every code is played with it, from the first guess.",
  checkField: ["The strategy", "A second strategy to compare"],
  checkPlaceholder: ["0012 (1296)\n  0A0B 3345 (81)", "A second strategy, if you want to compare"],
  checkGo: "Play every code",
  checkFiles: "Open files…",
  checkResult: (one: CheckedStrategy, number: number) =>
    `${number ? `Strategy ${number}: ` : ""}${whole(one.total)} ${one.weight ? "weighted " : ""}guesses over ${whole(one.found)} of ${codes(one.codes)}${one.average === null ? "" : `: ${fixed(one.average, 4)} on average, at most ${one.worst}`}.${one.complete ? " It finds every code." : ""}`,
  checkLost: (lost: number, first: string[]) =>
    `${codes(lost)} not found: ${first.join(" ")}${lost > first.length ? " …" : ""}`,
  checkFault: (fault: StrategyProblem) => `Line ${fault.line}, column ${fault.column}: ${fault.message}`,
  checkMore: (n: number) => `And ${whole(n)} more faults.`,
  checkCompared: (c: StrategyComparison) =>
    `Strategy 1 is faster for ${codes(c.sooner)}, strategy 2 for ${codes(c.later)}; ${codes(c.same)} take as many guesses. The largest differences:`,
  checkColumns: ["Code", "Strategy 1", "Strategy 2"],
  habit: "How the code maker chooses",
  habits: {
    any: "Every code alike",
    varied: "Prefers different colours",
    pair: "At most one colour twice",
    different: "No colour twice",
  },
  run: "Compute",
  strategyResult: (s: Strategy, optimal: boolean) =>
    `${whole(s.total)} ${s.weight ? "weighted " : ""}guesses over ${codes(s.codes)}: ${fixed(s.average, 4)} on average, at most ${s.worst}.${s.proved && optimal ? " Proven: no strategy does better." : ""}`,
  treeOpen: "Show the decision tree",
  treeTitle: "The decision tree",
  treeText: "Each answer, how many codes it leaves, and the next guess. Open one to continue there.",
  treeFirst: (guess: string, n: number) => `Guess ${guess}, with ${codes(n)} possible.`,
  treeFound: "found",
  treeDepth: (left: number, most: number) => (left === 1 ? "" : `${whole(most)} at most`),
  treeNext: (answer: string, guess: string, left: number, most: number) =>
    left === 1
      ? `${answer} leaves one code: ${guess}.`
      : `${answer} leaves ${codes(left)}: guess ${guess}, at most ${count(most, "more guess", "more guesses")}.`,
  saveTree: "Save the decision tree as text and JSON",

  play: "Play a round",
  playing: "A code is hidden in the link. Find it.",
  evil: "Play an undecided code maker",
  evilAgain: "Start again",
  evilPlaying:
    "The code maker has not decided on a code. Each guess gets the answer after which you need most guesses; some code always fits all answers.",
  setOpen: "Set a code",
  setTitle: "Set a code for a friend",
  setHow: "Choose a code and send the link. The person who opens it has to find your code.",
  setSoFar: (code: string) => `The code so far: ${code || "empty"}`,
  setGo: "Hide this code",
  setSealed: "The code is hidden in the link, not encrypted.",
  setDone: "Your code is hidden in the address. Send it with Share.",
  giveUp: "Show the code",
  stopPlaying: "Stop playing",
  hint: "Show advice",
  hideHint: "Hide advice",
  secretWas: (code: string) => `The code was ${code}.`,
  won: (n: number) => `Found in ${count(n, "guess", "guesses")}.`,
  reviewTitle: "Your game",
  reviewHead: {
    guess: "Guess",
    codes: "Codes left",
    cost: "Guesses lost",
    fortune: "Luck, guesses",
    expected: "Expected bits",
    best: "Most bits",
    skill: "Skill",
    luck: "Luck, bits",
  },
  inBits: "In bits",
  lookBack: "Review",
  shareCopy: "Copy the result",
  shareCopied: "Copied: the answers only, no guess and no code.",
  stepOpen: (n: number) => `Show the ${codes(n)} left after it`,
  stepTitle: (n: number) => `${codes(n)} left`,
  wouldLeave: (n: number) => `→ ${codes(n)} left`,
  givenBetween: (low: Known, high: Known) =>
    (low ?? 0) > 1e-9 ? `${fixed(low)} to ${fixed(high)}` : `at most ${fixed(high)}`,
  /** The whole game in guesses. */
  reviewGuesses: (needed: Known, given: Known, luck: number, made: number) =>
    `Best play needs ${fixed(needed)} guesses on average. You lost ${fixed(given)}, and luck ${luck >= 0 ? "saved" : "cost"} ${fixed(Math.abs(luck))}: ${count(made, "guess", "guesses")}.`,
  reviewCannot: "equal, but cannot be the code",
  reviewSum: (r: Review) =>
    `Skill compares your guess’s expected bits with the best guess’s. Luck is the bits you got beyond that. In total you lost ${fixed(r.loss, 1)} bits, and luck ${r.luck >= 0 ? "gave" : "took"} ${fixed(Math.abs(r.luck), 1)} bits.`,
  hiddenAdvice: "Advice is hidden while you play.",
  soFar: (rows: number, left: number | null) =>
    `${count(rows, "row", "rows")}${left === null ? "" : `, ${codes(left)} left`}`,
};
