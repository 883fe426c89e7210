/**
 * The words behind the numbers, in everyday terms: one entry a term, shared by all desks, by the
 * widget `term` and by docs/glossary.html.
 *
 * @typedef {object} Entry
 * @property {string} name how the term is written
 * @property {string[]} text what it means, a sentence or two a paragraph
 * @property {string} [everyday] an example from outside the games
 * @property {string[]} [also] ids of related terms
 * @property {string} [more] a chapter of docs/theory.html
 */

/** @satisfies {Record<string, Entry>} */
const entries = {
  bits: {
    name: "Bits",
    text: [
      "The unit of information. One bit halves what is possible: 16 possibilities become 8. Two bits leave a quarter, three bits an eighth, and so on.",
      "A question worth 3.4 bits divides the possibilities by about 10, on average over its answers.",
    ],
    everyday:
      "32 letters can be written in 5 binary digits, because five halvings lead from 32 to 1: 16, 8, 4, 2, 1. Finding one letter among 32 needs 5 bits, and so five yes-or-no questions that each cut in half.",
    also: ["split", "gain", "entropy"],
    more: "information",
  },
  entropy: {
    name: "Entropy",
    text: [
      "How much is still unknown, in bits. With 64 equally likely possibilities it is 6 bits: six halvings away from knowing. Where some are likelier than others it is less.",
    ],
    everyday:
      "A coin you have not looked at: 1 bit. A die: 2.58 bits. A coin with heads on both sides: 0 bits, nothing to learn.",
    also: ["bits", "joint"],
    more: "information",
  },
  gain: {
    name: "Gain",
    text: [
      "How many bits you can expect to learn from a question or an action: what is unknown before, less what will be unknown after, averaged over the answers.",
    ],
    also: ["bits", "expected"],
    more: "information",
  },
  togo: {
    name: "Bits to go",
    text: [
      "How many bits separate you from knowing. 53 possibilities are 5.7 bits to go, since five halvings of 53 leave between one and two.",
    ],
    also: ["bits", "entropy"],
  },
  split: {
    name: "Split",
    text: [
      "How the answers to a question divide what is possible. The bar in every row of advice is the split: one segment an answer, as wide as its share, darker where larger.",
      "Many even parts tell more than one large part and crumbs.",
    ],
    everyday:
      "“Is it a person?” splits a room of people and chairs well. “Is it my left shoe?” splits it badly: the answer is almost always no.",
    also: ["bits", "worst", "expected"],
    more: "information",
  },
  answer: {
    name: "Answer",
    text: ["What the game can say to your question. Each answer leaves a part of the possibilities."],
    also: ["split"],
  },
  expected: {
    name: "Expected left",
    text: [
      "How many possibilities stay on average, over all answers, each weighted by how likely it is. Large parts count twice: they are larger, and they come more often.",
    ],
    everyday:
      "Splitting 8 into 4, 2, 1 and 1 leaves 4 with chance one half, 2 with a quarter, 1 with a quarter: 2.75 on average, not 2.",
    also: ["split", "worst"],
    more: "information",
  },
  worst: {
    name: "Worst case",
    text: [
      "How many possibilities stay if the least helpful answer comes. A careful player keeps this small.",
    ],
    also: ["split", "expected"],
    more: "information",
  },
  class: {
    name: "Class",
    text: [
      "A group of questions that are one question in disguise: they split what is possible in the same way, only with names or places swapped. Asking one is as good as asking another, so only one of them is listed.",
    ],
    everyday: "Cutting a round cake from north to south or from east to west: two cuts, one kind of cut.",
    also: ["join", "profile", "automorphism"],
    more: "equivalence",
  },
  join: {
    name: "Join",
    text: [
      "Two kinds of sameness taken together: whatever you can reach by steps of either kind, in any order, is one class.",
    ],
    everyday:
      "Ann and Ben share a flat, Ben and Cleo share an office: news travels from Ann to Cleo, though they share nothing.",
    also: ["class"],
    more: "relations",
  },
  profile: {
    name: "Profile",
    text: [
      "On the scan desk: the pulse a tile would give for every spot that is still possible. Tiles with the same profile tell the same.",
    ],
    also: ["class"],
    more: "scan",
  },
  posterior: {
    name: "Posterior",
    text: [
      "How likely something is after all that has been seen, found by keeping every possible deal in its true weight and dropping those that contradict a clue.",
    ],
    everyday:
      "Two siblings, at least one a girl: the chance of two girls is a third, because of four equally likely pairs three remain.",
    also: ["marginal", "prior"],
    more: "posterior",
  },
  prior: {
    name: "Assumption",
    text: [
      "What is taken for granted before any clue: usually that everything possible is equally likely. A number is only as good as its assumption, so each one says which it uses.",
    ],
    also: ["posterior"],
  },
  marginal: {
    name: "Marginal",
    text: [
      "About one place by itself, whatever the others hold. Adding up what is unknown in each place counts twice what the places share.",
    ],
    everyday:
      "Two clocks on one wall show the same time. Each alone could show anything; but once you have read one, the other tells you nothing new.",
    also: ["joint", "entropy"],
    more: "joint",
  },
  joint: {
    name: "Joint",
    text: [
      "About all places together, as one thing. It takes into account that they depend on each other, as in a sorted rack, where a high wire pushes up all to its right.",
    ],
    also: ["marginal", "entropy"],
    more: "joint",
  },
  forced: {
    name: "Forced",
    text: [
      "Certain by logic: it holds in every single layout that fits all the clues. No probability, however near to 100 %, makes something forced.",
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
      "Crossing clues with each other until nothing new comes out: the way a patient person solves a board. Everything it finds is right, but it can miss things that are certain.",
    ],
    everyday:
      "Knowing who is whose parent, you work out grandparents, then great-grandparents, until no new name turns up.",
    also: ["forced"],
    more: "closure",
  },
  doubt: {
    name: "Doubt",
    text: [
      "When nothing fits all clues, some clue is wrong. The desk names the smallest sets of clues that cannot all hold, and single changes that would restore sense.",
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
      "The first in the dictionary: of all the ways to write the same thing, the one with the smallest row of digits. Two grids are the same exactly if their minlex forms are equal.",
    ],
    everyday:
      "To see whether two words are anagrams, sort the letters of each: LISTEN and SILENT both give EILNST.",
    also: ["automorphism", "witness"],
    more: "canonical",
  },
  automorphism: {
    name: "Automorphism",
    text: [
      "A way to move or rename things that leaves the whole as it was: a symmetry. Most sudoku grids have none but doing nothing; the most symmetric one has 648.",
    ],
    everyday: "A square table looks the same after a quarter turn. A table with one chipped corner does not.",
    also: ["minlex", "class"],
    more: "canonical",
  },
  witness: {
    name: "Witness",
    text: [
      "The steps that turn one thing into the other, so that you can check that they are the same without trusting anybody.",
    ],
    also: ["minlex"],
    more: "canonical",
  },
  tick: {
    name: "Tick",
    text: [
      "The game's own beat, 0.6 seconds. You run two tiles in a tick, and a scan takes one. 33.7 ticks are about 20 seconds.",
    ],
    also: ["expected"],
  },
  layout: {
    name: "Layouts and deals",
    text: [
      "One complete way in which everything hidden could lie. Those that break no clue are counted, exactly; every one of them counts the same.",
      "A chance is a share of that count: a cell that is a mine in 3 of 4 layouts has a chance of 75 %.",
    ],
    everyday: "A safe dial with two digits missing: 100 numbers fit. “The last digit is even” leaves 50.",
    also: ["posterior", "bits"],
  },
  difficulty: {
    name: "Difficulty",
    text: [
      "How many rounds of comparing clues with each other every step of a puzzle takes, as one number. A steady row of steps that each take several rounds scores high; single peaks between easy steps add little.",
    ],
    also: ["closure", "noguess"],
  },
  sealed: {
    name: "Sealed",
    text: [
      "A puzzle whose answer travels inside the link, made unreadable to the eye so that nobody sees it by accident. It is not a lock: a program can open it.",
    ],
  },
};

/** @type {Readonly<Record<string, Entry>>} */
export const glossary = Object.freeze(entries);
/** @typedef {keyof typeof entries} Term */

/** Which term explains the unit that stands beside a number. @type {Readonly<Record<string, Term>>} */
export const units = {
  bits: "bits",
  "at worst": "worst",
  "on average": "expected",
  answers: "answer",
  ticks: "tick",
};

/**
 * Phrases of running text that lead to a term, longer ones before those that they contain.
 * @type {readonly [RegExp, Term][]}
 */
export const phrases = [
  [/[\d.,\u202f]+ bits to go|bits to go/u, "togo"],
  [/[\d.,\u202f]+ bits?\b/u, "bits"],
  [/\bsettled\b/u, "entropy"],
  [/[\d.,\u202f]+ ticks?\b/u, "tick"],
  [/\b(?:deals|layouts?)\b/u, "layout"],
  [/\bat worst\b/u, "worst"],
  [/\b[Oo]n average\b/u, "expected"],
  [/\bthe same question\b|\bthis same question\b/u, "class"],
  [/\b[Nn]o guess\b/u, "noguess"],
  [/\b[Dd]ifficulty [\d.]+/u, "difficulty"],
  [/\b[Ll]east forms?\b/u, "minlex"],
  [/\bsymmetr(?:y|ies|ic)\b/u, "automorphism"],
  [/\b\d+ steps?\b/u, "witness"],
];

/** Words of the widget and of the glossary page. */
export const glossaryWords = {
  everyday: "In everyday terms",
  also: "See also",
  more: "More about this",
  close: "Close",
  unit: (/** @type {string} */ name) => `What does “${name}” mean?`,
  explain: (/** @type {string} */ name) => `${name}: what is this?`,
};
