/** Glossary: one entry per term, for all desks, the widget `term` and docs/glossary.html. */
export interface Entry {
  /** the term as shown */
  name: string;
  /** its meaning, paragraphs of one or two sentences */
  text: string[];
  /** an example from outside the games */
  everyday?: string;
  /** ids of related terms */
  also?: string[];
  /** a chapter of docs/theory.html */
  more?: string;
}

/** @satisfies {Record<string, Entry>} */
const entries = {
  bits: {
    name: "Bits",
    text: [
      "The unit of information. One bit halves the possibilities: 16 become 8. Two bits leave a quarter, three bits an eighth, and so on.",
      "A guess worth 3.4 bits typically leaves about a tenth of the possibilities.",
    ],
    everyday:
      "32 letters can be written with 5 binary digits, because five halvings lead from 32 to 1: 16, 8, 4, 2, 1. Finding one letter among 32 takes five yes-or-no questions that each halve the letters.",
    also: ["split", "gain", "entropy"],
    more: "information",
  },
  entropy: {
    name: "Entropy",
    text: [
      "Uncertainty, in bits. 64 equally likely possibilities have 6 bits: six halvings leave one. If some are likelier than others, it is less.",
    ],
    everyday:
      "A coin you have not looked at: 1 bit. A die: 2.58 bits. A coin with heads on both sides: 0 bits.",
    also: ["bits", "joint"],
    more: "information",
  },
  gain: {
    name: "Gain",
    text: [
      "The bits that you can expect from a guess or an action: the entropy before minus the entropy after, averaged over the answers.",
    ],
    also: ["bits", "expected"],
    more: "information",
  },
  togo: {
    name: "Bits to go",
    text: [
      "Bits still needed to know the answer. 53 possibilities are 5.7 bits to go: halving 53 five times leaves 1.7.",
    ],
    also: ["bits", "entropy"],
  },
  split: {
    name: "Split",
    text: [
      "How the answers to a guess divide the possibilities. The bar in each row of advice shows the split: one segment per answer, as wide as its probability; larger ones are darker.",
      "Many equal parts give more information than one large part and a few small ones.",
    ],
    everyday:
      "“Is it a person?” splits a room of people and chairs well. “Is it my left shoe?” splits it badly: the answer is almost always no.",
    also: ["bits", "worst", "expected"],
    more: "information",
  },
  answer: {
    name: "Answer",
    text: ["A response of the game to your guess. Each answer leaves some of the possibilities."],
    also: ["split"],
  },
  expected: {
    name: "Expected left",
    text: [
      "How many possibilities remain on average, with each answer weighted by its probability. A large part also has a large weight.",
    ],
    everyday:
      "Splitting 8 into 4, 2, 1 and 1 leaves 4 with chance one half, 2 with a quarter, 1 with a quarter: 2.75 on average, not 2.",
    also: ["split", "worst"],
    more: "information",
  },
  worst: {
    name: "Worst case",
    text: ["How many possibilities remain after the least helpful answer."],
    also: ["split", "expected"],
    more: "information",
  },
  class: {
    name: "Class",
    text: [
      "Equivalent guesses: they split the possibilities in the same way, up to exchanged colours or places. They are equally good, so only one is listed.",
    ],
    everyday: "Cutting a round cake from north to south or from east to west: two cuts, one kind of cut.",
    also: ["join", "profile", "automorphism"],
    more: "equivalence",
  },
  join: {
    name: "Join",
    text: [
      "Two equivalences combined: everything that you can reach by steps of either kind, in any order, is one class.",
    ],
    everyday:
      "Ann and Ben share a flat, Ben and Cleo an office. A cold can spread from Ann to Cleo, although they share nothing.",
    also: ["class"],
    more: "relations",
  },
  profile: {
    name: "Profile",
    text: [
      "On the scan desk: the pulse at a tile for each spot that is still possible. Tiles with the same profile give the same information.",
    ],
    also: ["class"],
    more: "scan",
  },
  posterior: {
    name: "Posterior",
    text: [
      "The probability given all clues: deals that contradict a clue are excluded, the others keep their weight.",
    ],
    everyday:
      "Two siblings, at least one a girl: the chance of two girls is a third, because three of four equally likely pairs remain.",
    also: ["marginal", "prior"],
    more: "posterior",
  },
  prior: {
    name: "Assumption",
    text: [
      "The assumption before any clue, usually that all possibilities are equally likely. Each result states its assumption.",
    ],
    also: ["posterior"],
  },
  marginal: {
    name: "Marginal",
    text: ["About one place alone. A sum over places counts their shared uncertainty more than once."],
    everyday:
      "Two clocks show the same time. Each alone is uncertain, but after reading one you know the other.",
    also: ["joint", "entropy"],
    more: "joint",
  },
  joint: {
    name: "Joint",
    text: [
      "About all places together. It takes into account that they depend on each other: on a sorted stand a high wire means that all wires to its right are at least as high.",
    ],
    also: ["marginal", "entropy"],
    more: "joint",
  },
  forced: {
    name: "Forced",
    text: [
      "Certain by logic: it holds in every layout that fits all clues. A probability close to 100 % is not enough.",
    ],
    everyday: "Two shoes in the box, one is the left one: the other is forced.",
    also: ["closure", "noguess"],
    more: "closure",
  },
  noguess: {
    name: "No guess needed",
    text: [
      "From start to end of the puzzle there is always at least one forced cell, so logic alone solves it.",
    ],
    also: ["forced"],
  },
  closure: {
    name: "Closure",
    text: [
      "Combining clues in pairs until nothing new follows, as you can do by hand. All its results are right, but it can miss certain cells.",
    ],
    everyday:
      "From a list of parents you find grandparents, then great-grandparents, until there is no new name.",
    also: ["forced"],
    more: "closure",
  },
  doubt: {
    name: "Doubt",
    text: [
      "If nothing fits all clues, at least one clue is wrong. The desk names the smallest sets of clues that contradict each other, and single changes that fix it.",
    ],
    also: ["redundant"],
    more: "doubt",
  },
  redundant: {
    name: "Redundant",
    text: ["A clue that the other clues already imply: it rules out nothing more."],
    also: ["doubt"],
    more: "doubt",
  },
  minlex: {
    name: "Minlex",
    text: [
      "The smallest of all equivalent forms, read as a row of digits, as in a dictionary. Two grids are equivalent exactly if their minlex forms are equal.",
    ],
    everyday:
      "To see whether two words are anagrams, sort the letters of each: LISTEN and SILENT both give EILNST.",
    also: ["automorphism", "witness"],
    more: "canonical",
  },
  automorphism: {
    name: "Automorphism",
    text: [
      "A symmetry: a way to move or rename parts that leaves the whole unchanged. Most sudoku grids have only the identity; the most symmetric one has 648.",
    ],
    everyday: "A square table looks the same after a quarter turn. A table with one chipped corner does not.",
    also: ["minlex", "class"],
    more: "canonical",
  },
  witness: {
    name: "Witness",
    text: [
      "The steps that turn one thing into the other, so you can check yourself that they are equivalent.",
    ],
    also: ["minlex"],
    more: "canonical",
  },
  tick: {
    name: "Tick",
    text: [
      "The game’s time unit, 0.6 seconds. You run 2 tiles per tick; a scan takes 1 tick. 33.7 ticks are about 20 seconds.",
    ],
    also: ["expected"],
  },
  layout: {
    name: "Layouts and deals",
    text: [
      "One complete arrangement of everything hidden. Those that fit all clues are counted; each has the same weight unless a result says otherwise.",
      "A chance is a share of them: a cell that is a mine in 3 of 4 layouts has a chance of 75 %.",
    ],
    everyday: "A safe dial with two digits missing: 100 numbers fit. “The last digit is even” leaves 50.",
    also: ["posterior", "bits"],
  },
  difficulty: {
    name: "Difficulty",
    text: [
      "A score from the rounds of comparing clues that each step of a puzzle takes. Consecutive steps of several rounds score high; a single hard step between easy ones adds little.",
    ],
    also: ["closure", "noguess"],
  },
  sealed: {
    name: "Sealed",
    text: [
      "A puzzle whose answer is hidden in the link, so that you do not see it by accident. It is not encrypted: a program can read it.",
    ],
  },
};

export const glossary: Readonly<Record<string, Entry>> = Object.freeze(entries);
export type Term = keyof typeof entries;

/** The term that explains a unit. */
export const units: Readonly<Record<string, Term>> = {
  bits: "bits",
  "at worst": "worst",
  "on average": "expected",
  answers: "answer",
  ticks: "tick",
};

/** Phrases in sentences that are marked as a term; longer ones before those they contain. */
export const phrases: readonly [RegExp, Term][] = [
  [/[\d.,\u202f]+ bits to go|bits to go/u, "togo"],
  [/[\d.,\u202f]+ bits?\b/u, "bits"],
  [/\bsettled\b/u, "entropy"],
  [/[\d.,\u202f]+ ticks?\b/u, "tick"],
  [/\b(?:deals|layouts?)\b/u, "layout"],
  [/\bat worst\b/u, "worst"],
  [/\b[Oo]n average\b/u, "expected"],
  [/\bequivalent\b|\bthe same question\b/u, "class"],
  [/\b[Nn]o guess\b/u, "noguess"],
  [/\b[Dd]ifficulty [\d.]+/u, "difficulty"],
  [/\b(?:[Ll]east|[Mm]inlex) forms?\b/u, "minlex"],
  [/\bsymmetr(?:y|ies|ic)\b/u, "automorphism"],
  [/\b\d+ steps?\b/u, "witness"],
];

/** Sentences of the widget and the glossary page. */
export const glossaryWords = {
  everyday: "In everyday terms",
  also: "See also",
  more: "More about this",
  close: "Close",
  unit: (name: string) => `What does “${name}” mean?`,
  explain: (name: string) => `${name}: what is this?`,
};
