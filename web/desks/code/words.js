/**
 * Every sentence of the code desk; one file, so that a translator or a proofreader finds them all.
 *
 * @typedef {import("./model.js").Rules} Rules
 * @typedef {import("./model.js").Clue} Clue
 * @typedef {import("./model.js").Advice} Advice
 * @typedef {import("./model.js").Option} Option
 * @typedef {import("../../types/code.js").Mine} Mine
 * @typedef {import("../../types/code.js").Guesses} Guesses
 * @typedef {import("../../types/code.js").Slip} Slip
 * @typedef {import("../../types/code.js").Reading} Reading
 * @typedef {import("../../widgets/numbers.js").Known} Known
 */
import { count, fixed, whole } from "../../widgets/numbers.js";
import { signOf } from "./signs.js";

const codes = (/** @type {Known} */ n) => count(n, "code", "codes");

/** How much better than the first option any guess can be, rounded up. @param {Advice} a */
const proved = ({ bound, error, options }) => {
  if (bound == null || !options.length) return "";
  const more = Math.ceil(100 * Math.max(0, bound - options[0].bits + (error ?? 0))) / 100;
  return error
    ? ` No guess at all is more than ${fixed(more)} bits better: bounded by the sample, with five standard errors to spare.`
    : ` No guess at all is more than ${fixed(more)} bits better: that is proved.`;
};

/** What the rules are, in a line. */
const rulesLine = (/** @type {Rules} */ r) =>
  `${count(r.pegs, "peg", "pegs")}, ${count(r.colours, "colour", "colours")}, ${r.repeat ? "repeats allowed" : "no repeats"}${r.blanks ? ", blanks in guesses" : ""}${r.feedback === "exact" ? ", right places only" : ""}${r.leading_zero === false ? ", never 0 first" : ""}`;

export const words = {
  asks: "I have guesses and answers. What do I ask next?",
  bar: {
    comparing: "Comparing guesses",
    putIn: "Put in",
    isCode: "is the code",
    onlyOne: "is the code, the only one left",
    found: (/** @type {number} */ n) => `found in ${count(n, "guess", "guesses")}`,
    equal: (/** @type {number} */ n) => `1 of ${whole(n)} equal`,
    estimated: "estimated",
    /** A number with its unit; `error`: how far off it may be, null where it is exact. */
    number: (/** @type {string} */ n, /** @type {string} */ unit, /** @type {number | null} */ error) =>
      error === null ? `${n} ${unit}` : `≈ ${n} ${unit}${error ? ` ± ${fixed(error, 3)}` : ""}`,
    whatAnswer: "What was the answer?",
    pressAnswer: "The row is full: press the two counts.",
    clearRow: "Clear row",
    rowWrong: (/** @type {number} */ i) => `Row ${i + 1} does not fit`,
    clash: (/** @type {number[]} */ rows) =>
      rows.length > 3 ? "These rows clash" : `Rows ${rows.map((i) => i + 1).join(", ")} clash`,
    mend: "Mend",
    /** The likeliest slip, in the few words that the bar has room for. @param {Slip} s @param {string[]} rows */
    slip: (s, rows) =>
      s.changes.length > 1
        ? `${s.changes.map((c, i) => `Row ${c.clue + 1}: ${rows[i]}`).join(", ")}?`
        : `Row ${s.changes[0].clue + 1}: was it ${rows[0]}?`,
    leaves: (/** @type {number} */ n) => codes(n),
    yourTurn: "Your guess",
    fillRow: "Fill a row; the hidden code answers.",
    over: "The round is over",
    newGame: "New game",
  },
  /** @type {Record<string, string>} */
  games: {
    p4c6r: "Mastermind",
    p4c10n: "Bulls & Cows",
    p5c8r: "Super Mastermind",
    p3c4r: "Mini",
    p4c8r: "Eight colours",
    p6c9r: "Six pegs",
    other: "Code breaking",
  },
  rulesLine,
  changeGame: "Change game",
  gameTitle: "Which game?",
  known: "Known games",
  own: "Your own rules",
  pegs: "Pegs",
  colours: "Colours",
  repeat: "A colour may repeat",
  blanks: "Guesses may leave pegs blank",
  exactOnly: "The answer counts right places only",
  zeroFirst: "A code never begins with the first colour (0)",
  written: "How the colours are written",
  writtenAs: {
    zero: (/** @type {number} */ n) => `0–${"0123456789abcdef"[n - 1]}`,
    ones: (/** @type {number} */ n) => `1–${"123456789abcdefg"[n - 1]}`,
    colours: (/** @type {number} */ n) => `${"RGBYOPWKVCMTNSLI".slice(0, Math.min(n, 3))}…`,
    letters: (/** @type {number} */ n) => `A–${"ABCDEFGHIJKLMNOP"[n - 1]}`,
    names: () => "red, green…",
    emoji: () => "emoji",
  },
  notKnown: "not known",
  take: "Start with these rules",
  keepsRows: "The rows that still fit these rules are kept.",
  dropTitle: "Some rows do not fit",
  dropText: (/** @type {number} */ n) =>
    `${count(n, "row does", "rows do")} not fit the new rules and would be removed:`,
  dropGo: (/** @type {number} */ n) => `Remove ${count(n, "row", "rows")} and change the game`,
  dropBack: "Back",
  rulesImpossible: "Without repeats there must be at least as many colours as pegs.",

  guesses: "Guesses so far",
  yourGuess: "Your guess",
  peg: (/** @type {number} */ i, /** @type {string} */ c) => `Peg ${i + 1}: ${c || "empty"}`,
  colour: (/** @type {string} */ c) => `Colour ${c}`,
  blank: "Blank",
  erase: "Erase",
  exact: "Right place",
  partial: "Right colour, wrong place",
  /** The same beside the pads of a narrow screen. */
  short: { exact: "in place", partial: "elsewhere" },
  addRow: "Add this row",
  saveRow: "Save the row",
  guessNow: "Guess",
  cancel: "Cancel",
  fillFirst: "Choose a colour for every peg, then the answer you got.",
  nowAnswer: "Now the answer you got.",
  row: (/** @type {number} */ i) => `Row ${i + 1}`,
  spokenRow: (/** @type {Clue} */ c, /** @type {string[]} */ signs = []) =>
    `${[...c.guess].map((s) => signOf(s, signs)).join(" ")}: ${c.exact ?? "an unknown number"} in the right place, ${c.partial ?? "an unknown number"} in the wrong place${c.ignored ? ", ignored" : ""}`,
  edit: "Change",
  ignore: "Ignore this row",
  heed: "Count this row again",
  remove: "Remove",
  ignored: "ignored",
  redundant: "rules out nothing that the other rows leave",
  pasteOpen: "Paste a history",
  pasteTitle: "Paste your guesses",
  pasteHow:
    "One guess a line with its answer, as your game or site writes it: “0011 1A2B”, “RGBY ++-”, “red green blue blue: 1 black, 2 white”, emoji. What you don’t know is “?”: “0011 2A?B”.",
  pasteTake: "Add these rows",
  pasteBad: (/** @type {number} */ n) => `${count(n, "line", "lines")} could not be read:`,
  pastePlace: (/** @type {import("../../types/code.js").BadLine} */ b) =>
    `Line ${b.line}${b.column === null ? "" : `, place ${b.column}`}`,
  pasteForeign: (/** @type {Rules} */ rules) =>
    `Nothing was added: some rows are of another game, or written otherwise, than ${rulesLine(rules)}.`,
  pasteNewGame: (/** @type {Rules} */ rules, /** @type {Reading} */ reading) =>
    `A new game with ${count(reading.clues.length, "row", "rows")}: ${rulesLine(rules)}${reading.signs?.length ? `, written ${reading.signs.join(" ")}` : ""}`,
  pasteFitting: (/** @type {Reading} */ reading) =>
    `Add only the ${count(reading.clues.length, "row that fits", "rows that fit")}`,
  pasteSealed: "Rows cannot be pasted while a round is played.",
  pasteDone: (/** @type {number} */ n) => `${count(n, "row", "rows")} added.`,
  clear: "Clear all rows",
  cleared: "All rows cleared",
  exampleOpen: "How answers are counted",
  example: {
    intro: "Say the code is 0123 and you guess 0331.",
    exact: "0 stands where it stands in the code: 1 in the right place.",
    partial:
      "3 and 1 are in the code, but elsewhere: 2 in the wrong place. The second 3 finds no partner and counts nothing.",
    result: "The answer is 1A2B: one right place, two wrong places.",
  },

  left: (/** @type {number} */ n) => (n === 1 ? "code is still possible" : "codes are still possible"),
  leftOf: (/** @type {string} */ total, /** @type {string} */ bits) => `of ${total} · ${bits} bits to go`,
  solved: (/** @type {string} */ code) => `The code is ${code}. No other code fits your rows.`,
  showList: "Show the possible codes",
  listPut: (/** @type {string} */ code) => `Put ${code} into the row`,
  listLabel: "The possible codes, a list to scroll",
  listMore: (/** @type {number} */ shown, /** @type {number} */ all) =>
    `The first ${whole(shown)} of ${whole(all)}, in order.`,

  askNext: "Ask next",
  askLine: (/** @type {string} */ by, /** @type {Advice} */ a) => {
    if (a.tried !== undefined)
      return `${by} ${whole(a.tried)} of ${count(a.candidates, "guess", "guesses")} were compared.`;
    const merged = a.unmerged ? ": those that every possible code answers alike count once" : "";
    return `${by} ${count(a.candidates, "guess is", "guesses are")} ${a.questions ? "" : "at most "}${count(a.questions ?? a.kept, "different question", "different questions")}${merged}.`;
  },
  by: {
    entropy: "Most informative first.",
    minmax: "Smallest worst case first.",
    minavg: "Fewest codes left on average first.",
    maxparts: "Most different answers first.",
    guesses: "Fewest guesses to the end first.",
  },
  criteria: {
    entropy: "Bits",
    minmax: "Worst case",
    minavg: "Average",
    maxparts: "Answers",
    guesses: "Fewest guesses",
  },
  criterion: "What counts as best",
  toTheEnd: "Count guesses to the end, however long it takes",
  onlyPossible: "Only guesses that can be the code",
  can: "can be the code",
  cannot: "cannot be the code",
  worst: (/** @type {number} */ n) => `worst ${whole(n)}`,
  average: (/** @type {number} */ n) => `average ${fixed(n, 1)}`,
  /** What a guess costs, in a row's facts. */
  guessCost: (/** @type {Guesses} */ g) =>
    g.exact ? `${fixed(g.expected)} guesses` : `${fixed(g.low)} to ${fixed(g.high)} guesses`,
  whyGuesses: (/** @type {Guesses} */ g) =>
    g.exact
      ? `Played on as well as can be, it takes ${fixed(g.expected, 3)} guesses on average from here, this one included, and at most ${g.worst}.`
      : `From here it takes ${fixed(g.low)} to ${fixed(g.high)} guesses on average: no play needs fewer than the first number, one that is known needs the second.`,
  mineGuesses: (/** @type {number} */ n, /** @type {number} */ more) =>
    `${fixed(n, 3)} guesses on average${more > 1e-9 ? `, ${fixed(more, 3)} more than the best` : ", as few as the best"}`,
  parts: (/** @type {number} */ n) => count(n, "answer", "answers"),
  alike: (/** @type {number} */ n) => `${whole(n)} alike`,
  units: {
    entropy: "bits",
    minmax: "at worst",
    minavg: "on average",
    maxparts: "answers",
    guesses: "guesses",
  },
  spokenOption: (/** @type {Option} */ o, /** @type {string[]} */ signs = []) =>
    `${[...o.guess].map((s) => signOf(s, signs)).join(" ")}: ${fixed(o.bits)} bits, ${o.possible ? "can" : "cannot"} be the code, at worst ${codes(o.worst)} left`,
  ties: (/** @type {number} */ n) =>
    `${whole(n)} questions tell exactly as much; those that can be the code stand first.`,
  /** What the numbers are where not every guess was counted on every code. @param {Advice} a */
  howCertain: (a) => {
    const sample = codes(a.sample ?? 0);
    if (a.gap != null)
      return `Chosen by a sample of ${sample} and then counted on all: the numbers shown are exact. A guess that the sample ranked too low could tell about ${fixed(a.gap, 3)} bits more.${proved(a)}`;
    if (a.error === 0)
      return `Counted on all ${sample} left: the numbers shown are exact. Not every guess could be compared, so a better one may exist.${proved(a)}`;
    return `Estimated from ${sample} drawn at random: the bits shown are within ±${fixed(a.error ?? 0, 3)} of the true ones, 19 times in 20, and the counts in proportion. Not every guess could be compared, so a better one may exist.${proved(a)}`;
  },
  ifYouAsk: (/** @type {string} */ g) => `If you ask ${g}`,
  why: (/** @type {Option} */ o) =>
    `${count(o.parts, "answer can come", "different answers can come")}. On average ${fixed(o.expected_left, 1)} codes stay, at worst ${whole(o.worst)}. ${o.possible ? "It can itself be the code." : "It cannot be the code itself; it only asks."}`,
  runnerUp: (/** @type {Option} */ o, /** @type {Option} */ next) => {
    const gap = o.bits - next.bits;
    if (Math.abs(gap) < 0.005)
      return `The next in the list, ${next.guess}, tells as much${o.possible && !next.possible ? ", but cannot be the code itself" : ""}.`;
    return `The next in the list, ${next.guess}, tells ${fixed(Math.abs(gap))} bits ${gap > 0 ? "less" : "more"}.`;
  },
  assumed:
    "Every possible code is taken to be equally likely. Most informative is not always fewest guesses: it asks for the largest expected gain of this one question.",
  same: (/** @type {number} */ n) =>
    n > 1
      ? `${whole(n)} guesses are this same question, in other colours or places or because every possible code answers them alike; this is the first of them.`
      : "No other guess is the same question.",
  use: "Use this guess",
  /** @type {Record<string, (m: Mine, best: Option) => string>} the typed guess against the best, by criterion */
  mine: {
    entropy: (m, best) =>
      `${fixed(m.bits)} bits, ${fixed(Math.max(0, best.bits - m.bits))} fewer than the best`,
    minmax: (m, best) => `at worst ${codes(m.worst)} left; with the best ${whole(best.worst)}`,
    minavg: (m, best) =>
      `${fixed(m.expected_left, 1)} codes left on average; with the best ${fixed(best.expected_left, 1)}`,
    maxparts: (m, best) => `${count(m.parts, "answer", "answers")} can come; with the best ${best.parts}`,
  },
  yours: (/** @type {string} */ g, /** @type {string} */ rest) => `Your ${g}: ${rest}.`,
  mineBest: (/** @type {Mine} */ m) => `Your ${m.guess} is as good as the best: ${fixed(m.bits)} bits.`,
  mineEqual: (/** @type {Mine} */ m, /** @type {Option} */ best) =>
    `Your ${m.guess} tells as much as the best, but it cannot be the code itself, and ${best.guess} can.`,

  doubtTitle: "These rows cannot all be right",
  together: (/** @type {number[]} */ rows) =>
    `Rows ${rows.map((r) => r + 1).join(", ")} contradict each other.`,
  alone: (/** @type {number} */ r) => `Row ${r + 1} alone is impossible.`,
  repairs: "What may have gone wrong, the likeliest first",
  /** A slip in a button: the rows stand beside it as pegs. */
  slip: {
    answer: (/** @type {Slip} */ s, /** @type {string} */ text) =>
      `Row ${s.changes[0].clue + 1} was answered ${text}: ${codes(s.remaining)} possible`,
    peg: (/** @type {Slip} */ s, /** @type {string} */ _, /** @type {string} */ guess) =>
      `Row ${s.changes[0].clue + 1} was ${guess}, one peg mistyped: ${codes(s.remaining)} possible`,
    swap: (/** @type {Slip} */ s, /** @type {string} */ _, /** @type {string} */ guess) =>
      `Row ${s.changes[0].clue + 1} was ${guess}, two pegs exchanged: ${codes(s.remaining)} possible`,
    two: (/** @type {Slip} */ s, /** @type {string} */ text) =>
      `Rows ${s.changes.map((c) => c.clue + 1).join(" and ")} were answered ${text}: ${codes(s.remaining)} possible`,
  },
  slipNone: "No slip of one row, and no two answers that are one off, would explain it.",
  slipMended: (/** @type {Slip["changes"]} */ changes) =>
    `${changes.length > 1 ? "Rows" : "Row"} ${changes.map((c) => c.clue + 1).join(" and ")} mended`,

  moreTitle: "Questions that are the same",
  classesText:
    "How many different questions the guesses come down to, by kind of sameness. Colours nobody asked about can be swapped; pegs and colours the rows do not tell apart can be swapped.",
  classNames: {
    excluded: "Colours ruled out are interchangeable",
    colour: "…and colours never asked as well",
    constraint: "Pegs and colours that the rows leave alike",
    chain: "Both filters, one after the other (quick)",
    join: "Both together, exactly",
    partition: "Same split of the possible codes",
  },
  compare: "Are two guesses the same question?",
  compareGo: "Compare",
  compareYes: {
    constraint: (/** @type {string} */ a, /** @type {string} */ b) =>
      `Yes: swapping pegs and colours turns ${a} into ${b} and leaves every row as it is.`,
    colour: (/** @type {string} */ a, /** @type {string} */ b) =>
      `Yes: ${a} and ${b} differ only in colours that no possible code shows.`,
    join: (/** @type {string} */ a, /** @type {string} */ b) => `Yes: ${a} turns into ${b} step by step.`,
    partition: (/** @type {string} */ a, /** @type {string} */ b) =>
      `Yes: this swap turns the possible codes into each other, and what they answer to ${a} into what they answer to ${b}.`,
  },
  byColour: "colours that are ruled out",
  asItIs: "every possible code answers both alike",
  compareNo: (/** @type {string} */ a, /** @type {string} */ b) =>
    `No: no swap of pegs and colours turns the possible codes' answers to ${a} into their answers to ${b}.`,
  compareOpen: (/** @type {string} */ a, /** @type {string} */ b) =>
    `No swap that leaves your rows alone turns ${a} into ${b}. Whether they split the possible codes alike was not worked out: there are none, or too many.`,
  otherTitle: "Is another game in the same state?",
  otherHow:
    "Paste the rows of another game under the same rules. Two games are in one state if the codes they leave can be played alike: then they take the same number of guesses, whatever was asked before.",
  otherRows: "Rows of the other game",
  otherGo: "Compare the games",
  otherBad: (/** @type {{line: number, text: string, why: string}} */ b) =>
    `Line ${b.line} could not be read: ${b.why}`,
  otherLarge: "This game has too many codes to go through them all.",
  otherMore: (/** @type {number} */ n) => `… and ${count(n, "code", "codes")} more.`,
  otherSaid: (/** @type {import("../../types/code.js").SameState} */ { kind, same, remaining: [n, m] }) => {
    const both = n === 1 ? "one code" : `${whole(n)} codes`;
    if (n !== m) return `No: yours leaves ${codes(n)}, the other ${codes(m)}.`;
    if (n === 0) return "No code fits either of them.";
    if (same === null)
      return `Both leave ${both}. Whether these can be played alike would take too long to work out.`;
    if (kind === "codes") return `Yes: both leave the same ${both}.`;
    if (kind === "symmetry") return `Yes: one swap turns the ${both} of yours into the ${both} of the other:`;
    if (kind === null)
      return `No: both leave ${both}, but no renaming makes their answers the same. They may still take as many guesses.`;
    const how = {
      A: "they answer alike",
      B: "they answer alike once the answers are renamed",
      STAR: "every guess of one splits its codes as some guess of the other splits its own",
    };
    return `Yes: no swap turns one into the other, but ${how[kind]}. Each code and the one that plays its part:`;
  },
  strategyTitle: "Whole strategies",
  strategyText: "Play every possible code to the end with one rule and count the guesses.",
  strategyWhere: "Where the strategy begins",
  strategyStarts: { here: "From here", start: "From the first guess" },
  strategies: {
    first: "First that fits",
    minmax: "Smallest worst case",
    minavg: "Smallest average",
    entropy: "Most bits",
    maxparts: "Most answers",
    optimal: "Optimal, proved",
  },
  run: "Work it out",
  strategyResult: (/** @type {import("../../types/code.js").Strategy} */ s, /** @type {boolean} */ optimal) =>
    `${whole(s.total)} guesses over ${codes(s.codes)}: ${fixed(s.average, 4)} on average, at most ${s.worst}.${s.proved && optimal ? " Proved: no strategy does better." : ""}`,
  treeOpen: "Look at the decision tree",
  treeTitle: "The decision tree",
  treeText:
    "Each answer to a guess, how many codes it leaves and the guess after it. Open one to go on from there.",
  treeFirst: (/** @type {string} */ guess, /** @type {number} */ n) => `${guess} is asked of ${codes(n)}.`,
  treeFound: "found",
  treeDepth: (/** @type {number} */ left, /** @type {number} */ most) =>
    left === 1 ? "" : `${whole(most)} at most`,
  treeNext: (
    /** @type {string} */ answer,
    /** @type {string} */ guess,
    /** @type {number} */ left,
    /** @type {number} */ most,
  ) =>
    left === 1
      ? `${answer} leaves one code: ${guess}.`
      : `${answer} leaves ${codes(left)}: ask ${guess}, at most ${count(most, "more guess", "more guesses")}.`,
  saveTree: "Save the decision tree as text and JSON",

  play: "Play a round",
  playing: "A code is drawn and sealed in the link. Find it.",
  setOpen: "Set a code",
  setTitle: "Set a code for somebody",
  setHow: "Choose the code, seal it, and send the link: whoever opens it plays for your code.",
  setSoFar: (/** @type {string} */ code) => `The code so far: ${code || "empty"}`,
  setGo: "Seal this code",
  setSealed: "The seal keeps it from being read by accident, and no more.",
  setDone: "Your code is sealed in the address. Send it with Share.",
  giveUp: "Show the code",
  stopPlaying: "Back to helping",
  hint: "Show advice",
  hideHint: "Hide advice",
  secretWas: (/** @type {string} */ code) => `The code was ${code}.`,
  won: (/** @type {number} */ n) => `Found in ${count(n, "guess", "guesses")}.`,
  reviewTitle: "How it went",
  reviewHead: {
    guess: "Guess",
    codes: "Codes left",
    cost: "Guesses given away",
    expected: "Bits to expect",
    best: "The best would tell",
    skill: "Skill",
    luck: "Luck, bits",
  },
  lookBack: "Look back",
  shareCopy: "Copy the result",
  shareCopied: "Copied: the answers only, no guess and no code.",
  stepOpen: (/** @type {number} */ n) => `Show the ${codes(n)} left after it`,
  stepTitle: (/** @type {number} */ n) => `${codes(n)} left`,
  wouldLeave: (/** @type {number} */ n) => `→ ${codes(n)} left`,
  givenBetween: (/** @type {Known} */ low, /** @type {Known} */ high) =>
    (low ?? 0) > 1e-9 ? `${fixed(low)} to ${fixed(high)}` : `at most ${fixed(high)}`,
  /** The whole game in guesses. */
  reviewGuesses: (
    /** @type {Known} */ needed,
    /** @type {Known} */ given,
    /** @type {number} */ luck,
    /** @type {number} */ made,
  ) =>
    `The best play needs ${fixed(needed)} guesses on average. Yours gave away ${fixed(given)}, and luck ${luck >= 0 ? "saved" : "cost"} ${fixed(Math.abs(luck))}: ${count(made, "guess", "guesses")}.`,
  reviewCannot: "as much, but could not be the code",
  reviewSum: (/** @type {import("../../types/code.js").Review} */ r) =>
    `Skill is what your guess could be expected to tell, against the best question at that moment. Luck is what its answer told beyond that. In all your questions gave away ${fixed(r.loss, 1)} bits, and luck ${r.luck >= 0 ? "gave" : "took"} ${fixed(Math.abs(r.luck), 1)} bits.`,
  hiddenAdvice: "Advice is hidden while you play.",
  title: (/** @type {string} */ game, /** @type {number} */ rows) =>
    rows ? `${game}, ${count(rows, "row", "rows")}` : game,
};
