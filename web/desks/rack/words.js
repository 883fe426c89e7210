/** Every sentence of the rack desk, in one file: read them aloud one after the other. */
import { count, fixed, percent } from "../../widgets/numbers.js";
import { isMine, letter, letters, ownerOf, short, sign } from "./model.js";

/** @typedef {import("../../types/rack.js").Cut} Cut */

/** The mission's cards that lie open, as the table's line says them. @param {import("./model.js").Position} position */
const openCards = ({ numbers, constraint, locked }) => [
  ...(numbers.length > 11
    ? ["all number cards open"]
    : numbers.length
      ? [`${numbers.length > 1 ? "cards" : "card"} ${numbers.join(", ")}`]
      : []),
  ...(constraint ? [`limit ${constraint}`] : []),
  ...(locked.length ? [`nobody names ${locked.map((v) => (v === "YELLOW" ? "yellow" : v)).join(", ")}`] : []),
];

export const words = {
  asks: "My turn: which wire do I cut, which do I show?",
  bar: {
    weighingCuts: "Weighing the cuts",
    weighingTokens: "Weighing the tokens",
    orderSoFar: "still playing games",
    otherTurn: "Another’s turn",
    token: "Enter the token",
    stays: "Your own wires stay on this phone.",
    tokenOf: (/** @type {string} */ who) => (who === words.you ? "Your token" : `${who}’s token`),
    tapToken: "Tap the wire it lies on, then what it shows.",
    turnedOf: (/** @type {string} */ who) => `${who}’s turned wire`,
    turned: "You see it: tap in what it is.",
    turnOf: (/** @type {string} */ who) => `${who}’s turn`,
    show: "Show it",
    yourWires: "Your own wires",
    fromLeft: "Tap them in from left to right.",
    enter: "Enter them",
    noCut: "No cut can work",
    stuck: "There is nothing you may do",
    explodes: "The bomb goes off",
    skip: "Skip the turn",
    lost: "The bomb has gone off",
    lostHow: "Undo takes the turn back.",
    missionLost: "The mission is lost",
    nobody: "Nobody can cut any more",
    unless: "lost, unless a disintegrator lies there unused",
    defused: "The bomb is defused",
    allCut: "All your wires are cut",
    wellDone: "well done",
    look: "Look",
  },
  title: "Bomb Busters",
  titleOf: (/** @type {import("./model.js").Position} */ p) => {
    const cut = p.stands.flatMap((s) => s.slots).filter((s) => s.state === "cut").length;
    return `${p.mission ? `Mission ${p.mission}` : "Bomb Busters"}, ${count(cut, "wire", "wires")} cut`;
  },
  you: "You",
  secondStand: "second stand",
  standName: (/** @type {number} */ i) => `Stand ${i + 1}`,
  line: (/** @type {import("./model.js").Position} */ p) => {
    const { blue, yellow, red, groups } = p.wires;
    const some = (/** @type {string} */ word, /** @type {string[]} */ wires) =>
      wires.length ? [`${word} ${wires.map((w) => w.slice(1)).join(", ")}`] : [];
    const drawn = groups.map((g) => {
      const colour = g.of[0]?.[0] === "R" ? "red" : "yellow";
      const numbers = g.of.map((/** @type {string} */ w) => w.slice(1));
      return g.drawn ? `${g.drawn} of ${colour} ${numbers.join(", ")}` : `no ${colour} on the stands`;
    });
    return [
      ...openCards(p),
      ...some("yellow", yellow),
      ...some("red", red),
      ...drawn,
      ...(p.wires.aside ? [words.aside(p.wires.aside)] : []),
      ...(blue[1] - blue[0] < 11 ? [`blue ${blue[0]}–${blue[1]}`] : []),
    ].join(" · ");
  },
  changeGame: "New table…",
  asText: "As text…",
  practice: "Practise",
  fillIn: "Tap your wires in, from left to right.",
  turnedAway:
    "A wire of yours is turned away from you, so what a token tells is not weighed. Tap the wire that you show.",
  keysHint:
    "On a keyboard: arrows choose a slot; type 7, .7 for a hidden 7, . for unknown, i5, Y3 or 3.1, !7, E, 2x and Enter.",
  slot: (/** @type {string} */ who, /** @type {number} */ j) => `${who}, slot ${letter(j)}`,
  states: { hidden: "Hidden", info: "Shown", cut: "Cut" },
  erase: "Erase",
  done: "Done",
  unknownWire: "?",
  tokens: "Tokens",
  notValue: "Not …",
  tokenNames: /** @type {Record<string, string>} */ ({
    even: "even",
    odd: "odd",
    x1: "one of its value",
    x2: "two of its value",
    x3: "three of its value",
    unsorted: "unsorted",
    "same-as-next": "same as next",
    "differs-from-next": "differs from next",
    moved: "came from another stand",
  }),
  tokenName: (/** @type {string} */ t) =>
    t.startsWith("not:") ? `not ${valueName(t.slice(4))}` : words.tokenNames[t],
  nots: (/** @type {string[]} */ values) => `not ${values.join(" ")}`,
  who: "Whose turn",
  itWorked: "It worked",
  itFailed: "It failed",
  device: "With what",
  devices: /** @type {Record<Exclude<import("./turn.js").Device, "together">, string>} */ ({
    dual: "Cut",
    double: "Double",
    triple: "Triple",
    super: "Super",
    either: "X or Y",
  }),
  ended: "How it ended",
  pointed: "Slots pointed at",
  slotKey: (/** @type {number} */ j) => `Slot ${letter(j)}`,
  slots: (/** @type {string} */ who, /** @type {number[]} */ slots) =>
    `${who}, slots ${letters([...slots].sort((a, b) => a - b))}`,
  pointAt: (/** @type {number} */ n) => `Tap the ${n} slots it points at, here or on the stand.`,
  pointAny: "Tap the wires that were cut at once, wherever they stand.",
  pointAll: "It points at every wire of the stand that is not cut, but for unsorted ones.",
  pointMore: (/** @type {number} */ n) => (n === 1 ? "One more slot." : `${n} more slots.`),
  names: (
    /** @type {import("./turn.js").Told} */ told,
    /** @type {string} */ who,
    /** @type {boolean} */ open,
  ) => {
    const you = who === "You";
    if (told.device === "either" || told.ray)
      return told.values.length
        ? `And the other value that ${you ? "you" : who} named?`
        : `Which two values did ${you ? "you" : who} name?`;
    if (told.device === "dual" && !told.failing)
      return open ? `${who} name the value` : `${who} cut${you ? "" : "s"} this as`;
    return `Which value did ${you ? "you" : who} name?`;
  },
  noted: (/** @type {import("./turn.js").Told} */ told, /** @type {string} */ who) =>
    `${who} named ${told.values.map(valueName).join(" or ")}: ${told.failing ? "it failed." : "it worked."}`,
  whichCut: "Which one was cut?",
  whichValue: "Which of the two was it?",
  whichToken: "Which one got the token?",
  whatShown: "What does the token show?",
  whatShownOn: (/** @type {number} */ j) => `What does the token on ${letter(j)} show?`,
  allRed: "All of them red: the bomb",
  onlyRed: "red left",
  atOnce: "at once",
  aloneHow: (/** @type {string} */ who) => `${who} cuts alone. Tap the wires, here or on the stand.`,
  aloneWhat: "They are",
  back: "Back",
  alongHers: "Tap a wire of the player who cut, one that is not cut yet.",
  whoAreYou: "Who are you?",
  nothingLeaves: "Your own wires stay in this browser; no link that you share holds them.",
  onlyLook: "Only looking",
  gear: {
    open: "Other moves…",
    title: "Other moves",
    card: "What happened",
    cards: /** @type {Record<string, string>} */ ({
      8: "Radar",
      2: "Walkie-talkies",
      4: "Post-it",
      12: "Label =",
      1: "Label ≠",
      6: "Rewinder",
      2.2: "Single label",
      9.9: "Fast pass",
      "10.10": "Disintegrator",
      11.11: "Grappling hook",
      skip: "A turn is skipped",
      draw: "A wire joins a stand",
    }),
    what: /** @type {Record<string, string>} */ ({
      8: "Everybody says whether an uncut blue wire of the number stands on the stand, shown ones too.",
      2: "Two players exchange an uncut wire each and sort it in; everybody sees both places.",
      4: "A token more on a blue wire of one’s own.",
      12: "Two neighbours are of the same value; one of them may be cut.",
      1: "Two neighbours are of different values; one of them may be cut.",
      6: "The detonator goes back one step.",
      2.2: "The wire is the only one of its number on the stand.",
      9.9: "Two wires of a number of one’s own are cut, though others may be left.",
      "10.10": "All uncut wires of a number are cut, wherever they stand.",
      11.11: "A teammate’s uncut wire is taken and sorted into one’s own stand.",
      skip: "A player who can cut nothing, or uses the mug, lets the turn pass.",
      draw: "A wire from beside the stands is sorted in; all see the place.",
    }),
    who: "Whose turn it is",
    steps: "Steps that it costs",
    number: "Which number",
    yes: "Who said yes",
    wire: "Which wire",
    left: "The left one of the two",
    other: "Against which wire",
    at: (/** @type {string} */ who) => `Where the new wire now stands: ${who}`,
    to: "To which stand",
    pair: "Which two wires",
    gone: "Which wires were cut",
    note: "Note it",
    notNow: "Not now",
  },
  ray: "With the X-or-Y ray",
  stabilizer: "With the stabilizer",
  explode: "Red: the bomb",
  bomb: "bomb",
  orFailed: "Or it failed, and the token shows:",
  noTokenLaid: "No token",
  wrongGuess: "It failed: the bomb",
  firstToken: "The first token lies here. It shows:",
  falseToken: "A lying token lies here: the wire is not what it shows. It shows:",
  besideShows: "Beside the stand lies a token: no wire there is of it. It shows:",
  besideOrOn: "Tap the wire it lies on. Or, if it lies beside the stand, what it shows:",
  tokenHow: /** @type {Record<string, string>} */ ({
    random: "Drawn, not chosen: tap its wire, or its number.",
    absent: "It lies beside the stand: none of it is there.",
    false: "It lies: tap the wire, then its number.",
  }),
  said: (/** @type {string} */ who, /** @type {{kind: string, value: string}} */ fact) =>
    `${who}: ${words.facts(fact)}`,
  noTokens: "No more first tokens",
  hiddenWires: (/** @type {number} */ n) => `${n} hidden`,
  log: "Turns so far",
  correct: "Correct",
  correcting: (/** @type {string} */ turn, /** @type {number} */ after) =>
    `Tell this turn anew: “${turn}”${after ? ` What followed (${count(after, "step", "steps")}) is then made again.` : ""}`,
  noLongerFits: (/** @type {string} */ turn, /** @type {string} */ why) =>
    `“${turn}” no longer fits: ${why} Tell the turn anew, or leave this one out.`,
  leaveOut: "Leave it out",
  corrected: (/** @type {number} */ after) =>
    after ? `Corrected; ${count(after, "later step", "later steps")} made again.` : "Corrected.",
  alongWith: (/** @type {string} */ who, /** @type {string} */ value) =>
    `Now tap the ${valueName(value)} that ${who} cut along with it.`,
  cancel: "Cancel",
  close: "Close",
  setDirectly: "Set it as it is",
  whatIsThere: { cut: "Which wire was cut?", info: "What does it show?" },
  named: {
    set: (/** @type {string} */ where, /** @type {string} */ what) => `${where}: ${what}`,
    newTable: "New table",
    cards: "Mission cards",
    seat: (/** @type {string} */ who) => `You are ${who}`,
    text: "Stands from text",
    practice: "Practice game",
  },
  chances: "Chances",
  sureWire: (/** @type {string} */ value) => `Certainly ${valueName(value)}.`,
  left: (/** @type {string} */ n) => (n === "1" ? "deal fits" : "deals fit"),
  bitsOpen: (/** @type {number} */ bits) => `${fixed(bits, 1)} bits to go`,
  indicateTitle: "Which wire to show",
  indicateLine: "What your team would learn",
  cutTitle: "What to cut",
  cutLine: "Certain cuts first, then what is safe and what tells most",
  cutLineByWin: "Those first that win most games from here",
  tabs: { cut: "Cut", indicate: "Show a token" },
  models: { bayes: "True chances", joint: "Whole stand", published: "Published" },
  modelLabel: "How it is measured",
  modelText: {
    bayes: "The whole stand, with true chances: a shown wire stays among the copies its holder may have.",
    joint: "The whole stand, with shown wires taken out of the pool.",
    published:
      "The published metric: slots one by one, added up, with shown wires taken out. It can fall below zero: where one token ties slots together, the slots' own sums may grow although the stand is better known.",
  },
  kinds: { standard: "Info", parity: "Even/odd", multiplicity: "1×2×3×" },
  kindLabel: "Kind of token",
  bands: /** @type {Record<string, string>} */ ({
    poor: "poor",
    moderate: "moderate",
    good: "good",
    excellent: "excellent",
  }),
  bandsFrom: (/** @type {number[]} */ [moderate, good, excellent]) =>
    `Here a token is called moderate from ${fixed(100 * moderate, 1)} % settled, good from ${fixed(100 * good, 1)} %, excellent from ${fixed(100 * excellent, 1)} %.`,
  xOfY: "Of the drawn yellow or red wires only some are in play. The published metric counts all of them, so that what is open looks larger than it is; the two other measures count exactly.",
  settled: (/** @type {number} */ share) => `${fixed(share * 100, 0)} % settled`,
  compare: "Compare the three tokens on this rack",
  compareHide: "Hide the comparison",
  comparePoints: [
    "At the edges of a cluster an info token says most: every wire on one side is bounded by it.",
    "A wire in a surprising place (a 4 far right, a 9 far left) moves more neighbours than one where all expect it.",
    "A high or low neighbour of a red one, once shown, makes red impossible on one side: it makes cuts safe as well.",
  ],
  slotColumn: "Slot",
  seenBy: "As each teammate would see it",
  seenByNote:
    "Each teammate also knows her own wires: averaged over hands drawn from the exact chances, with the error of the mean.",
  follows: "My table follows Cluewise",
  followsNot: "First tokens say what they show, no more",
  followsHow:
    "Everybody’s first token lies on the wire that stands first here (Info, the whole stand, seen by anybody). Then it tells more: whatever would have stood above it is not on that rack.",
  plusMinus: (/** @type {number} */ e) => `± ${fixed(e, 2)}`,
  reading: "How to read bits and per cent",
  readingRows: [
    ["1 bit", "half of the possibilities left"],
    ["2 bits", "a quarter"],
    ["4 bits", "a sixteenth"],
    ["6 bits", "one in 64"],
    ["8 bits", "one in 256"],
  ],
  readingText:
    "Equal differences in bits are equal ratios wherever they start. Per cent settled is the gain as a part of what was open: 30 % is twice 15 %.",
  detectors: "With detectors and rays too",
  withDetectors: "Double, triple and super detectors, X-or-Y ray, both together",
  allCuts: (/** @type {number} */ n) => `All ${n} cuts`,
  fewer: "Only those worth a look",
  actions: /** @type {Record<string, string>} */ ({
    dual: "cut",
    solo: "alone",
    reveal: "show red",
    double: "double detector",
    triple: "triple detector",
    super: "super detector",
    either: "X-or-Y ray",
    together: "all at once",
  }),
  /** What a cut is made with. @param {Cut} cut */
  madeWith: (cut) => {
    const joined = cut.action !== "either" && cut.value.includes("/");
    return `${words.actions[cut.action]}${joined ? " with the ray" : ""}`;
  },
  rankLabel: "Rank by",
  ranks: { success: "Chance to work", win: "Chance to win" },
  wins: (/** @type {import("../../types/rack.js").Win} */ w) =>
    `wins ${percent(w.chance)} ± ${fixed(200 * w.error, 0)}`,
  winsAlike: "as good as the best, as far as the games tell",
  certain: "certain",
  noRed: "no red",
  redRisk: (/** @type {number} */ p) => `red ${percent(p)}`,
  bits: (/** @type {number} */ b) => `${fixed(b)} bits`,
  works: "works",
  recordIt: "It worked",
  recordNo: "It failed…",
  detectorWorked: "It worked. Which one was cut?",
  detectorFailed: "It failed. Which one has the token?",
  rayWorked: "It worked. Which one was it?",
  firstCuts: (/** @type {number} */ n) => `The first ${n} of them.`,
  ownUnknown: "Tap your own wires in to see what you can cut.",
  allCut: "All your own wires are cut. Your teammates go on without you.",
  defused: "All your own wires are cut, and so is every other: the bomb is defused.",
  noCuts: "There is no wire that you can cut now.",
  doubtTitle: "These cannot all hold",
  doubtHow: "One of them must be wrong. They are outlined on the stands; nothing was changed.",
  spokenTile: (/** @type {string} */ where, /** @type {string} */ what, /** @type {string[]} */ tokens) =>
    [where, what, ...tokens.map((t) => words.tokenName(t))].join(", "),
  standTold: (/** @type {string} */ who, /** @type {string[]} */ parts) => `${who}: ${parts.join("; ")}.`,
  isCut: (/** @type {string} */ v) => `${valueName(v)}, cut`,
  isShown: (/** @type {string} */ v) => `${valueName(v)}, shown`,
  isYours: (/** @type {string} */ v) => `${valueName(v)}, hidden`,
  isHidden: "hidden",
  danger: (/** @type {number} */ p) => `red with ${percent(p)}`,
  likely: (/** @type {string} */ v, /** @type {number} */ p) => `${valueName(v)} with ${percent(p)}`,
  facts: (/** @type {{kind: string, value: string}} */ f) =>
    f.kind === "one"
      ? `has one ${valueName(f.value)}, cut or not`
      : f.kind === "has"
        ? `has a hidden ${valueName(f.value)}`
        : `has no hidden ${valueName(f.value)}`,
  factChip: (/** @type {import("./model.js").Fact} */ f) =>
    `${{ has: "has", lacks: "no", one: "one" }[f.kind]} ${valueName(f.value)}`,
  factsOwn: (/** @type {import("./model.js").Fact} */ f) =>
    f.kind === "has" ? `all know: a hidden ${valueName(f.value)}` : words.facts(f),
  factTitle: (/** @type {string} */ who) => `What is known of ${who}`,
  factHas: "Has a hidden one",
  factLacks: "Has none hidden",
  factOne: "One, cut or not",
  missionCards: "Mission cards…",
  missionCardsTitle: (/** @type {number} */ n) => `The cards of mission ${n}`,
  numberCards: "Open number cards, in their order",
  drawnCards: (/** @type {number} */ many, /** @type {string[]} */ cards) =>
    `${count(many, "open number card", "open number cards")}${cards.length ? `: ${cards.join(", ")}` : `: press ${many > 1 ? "them in their order" : "it"}`}`,
  holderCard: "Who holds the captain card, counted like the seats? Press it once it is dealt.",
  captainCard: "Who holds the captain card",
  nobody: "–",
  limitCard: "The limit card that binds you now",
  noLimit: "none",
  lockedValues: "Values that nobody may name now",
  seeCard: "see the card",
  checkCard: (/** @type {number} */ n) => `Check the card (${count(n, "rule", "rules")} not in the numbers)`,
  aside: (/** @type {number} */ n) => `${count(n, "wire", "wires")} beside the stands`,
  nameLabel: "Name",
  mission: "Mission",
  players: "Players",
  whichMission: "Which mission?",
  missionKey: (/** @type {number} */ n) => `Mission ${n}`,
  otherMission: "Another mission",
  seat: "Press your seat, clockwise from the captain (★), and the table is laid out",
  seatKey: (/** @type {number} */ seat, /** @type {number} */ players) =>
    seat ? `${players} players, you are player ${seat + 1}` : `${players} players, you are the captain`,
  playersRow: (/** @type {number} */ n) => `${n} players`,
  namesOf: "Names of the others",
  nameOfOther: (/** @type {number} */ k) => `Name ${k + 1}, clockwise from the captain`,
  ownWires: "Or lay out a table of your own",
  blueTo: "Highest blue wire",
  yellowWires: "Yellow wires (numbers, or 2 of 3 7 9)",
  redWires: "Red wires (numbers, or 1 of 2 5)",
  dealPractice: "A practice game: the wires are dealt here",
  drawnYellow: (/** @type {string} */ many) =>
    `Yellow wires, ${many}: press those on the table (none: drawn by lot)`,
  drawnRed: (/** @type {string} */ many) =>
    `Red wires, ${many}: press those on the table (none: drawn by lot)`,
  drawnWrong: (/** @type {number} */ yellow, /** @type {number} */ red) => {
    const many = [yellow && `${yellow} yellow`, red && `${red} red`].filter(Boolean).join(" and ");
    return `Press all the numbers, ${many}, or none to have them drawn by lot.`;
  },
  textHow:
    "One stand a line: 7 cut, ? hidden, ?7 your own, i5 shown, Y3 or 3.1 yellow, R3 or 3.5 red, !7 not 7, b? y? r? of that colour, E O even or odd, 2x two of them, X unsorted (also in front: 2x?7), = / same or different from the next, @ came from another stand. Behind | say +7 (has one hidden), -3 (has none) or ~R (has one red).",
  textTitle: "The stands as text",
  take: "Take it",
  detonator: "Detonator",
  countSteps: "Count the detonator’s steps",
  noCount: "Stop counting",
  stepsLeft: (/** @type {number} */ n) => count(n, "step left", "steps left"),
  stepLess: "One step less",
  stepMore: "One step more",
  setSteps: (/** @type {number | null} */ n) =>
    n === null ? "Detonator not counted" : `Detonator: ${words.stepsLeft(n)}`,
  lastStep: "One step is left on the detonator: a cut that fails ends the game.",
  ranOut: "The detonator has run out: the bomb has gone off. Undo takes the turn back.",
  takesStep: "takes a step",
  lastStepGoes: "takes the last step: game over",
  endsGame: (/** @type {number} */ p) => `game over ${percent(p).replaceAll(" ", "\u00a0")}`,
  practiceOpen: "Practice game: the other racks are sealed in the link. Cuts answer by themselves.",
  practiceQuestion: "Which wire would you show? Tap it, and see how it scores.",
  practiceShow: "Only show the scores",
  practiceBest: (/** @type {string} */ slot) => `Slot ${slot}: nothing tells more. Well chosen.`,
  practiceScore: (/** @type {string} */ mine, /** @type {number} */ share, /** @type {string} */ best) =>
    `Slot ${mine} tells ${percent(share)} of what the best one, ${best}, would tell.`,
  practiceTake: "Show this one to the table",
  exploded: "The bomb has gone off; undo takes the turn back.",
  assumed: (/** @type {string} */ text) => `Assumed: ${text}`,
  cutName: (/** @type {Cut} */ cut, /** @type {string} */ who) =>
    cut.action === "together"
      ? `${cut.slots.length + cut.also.length} × ${valueName(cut.value)}`
      : cut.action === "solo" || cut.action === "reveal"
        ? `${valueName(cut.value)} alone, ${letters(cut.slots)}`
        : `${valueName(cut.value)} at ${who} ${letters(cut.slots)}`,
  spokenCut: (/** @type {Cut} */ cut, /** @type {string} */ who) =>
    `${words.madeWith(cut)} ${words.cutName(cut, who)}: works with ${percent(cut.success)}, ${cut.red ? words.redRisk(cut.red) : words.noRed}${cut.gain === null ? "" : `, ${words.bits(cut.gain)}`}`,
  spokenIndication: (/** @type {import("../../types/rack.js").Indication} */ o) =>
    `Slot ${letter(o.slot)}, wire ${o.wire}: ${words.bits(o.gain)}, ${words.settled(o.resolved)}${o.band ? `, ${o.band}` : ""}`,
};

const LONGEST = 24; // characters of a name, as its field takes them; a link may hold more

/** @param {string} name */
function shortName(name) {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trim()}…` : name;
}

/** What a stand's player is called. @param {import("./model.js").Position} position @param {number} i @returns {string} */
export function nameOf(position, i) {
  const owner = ownerOf(position, i);
  const first = position.stands.findIndex((_, /** @type {number} */ k) => ownerOf(position, k) === owner);
  const own = shortName(position.stands[i].name || position.stands[first]?.name || "");
  const name = isMine(position, i) ? words.you : own || words.standName(i);
  return first === i ? name : `${name}, ${words.secondStand}`;
}

/** "yellow" for YELLOW. @param {string} value @returns {string} */
export function valueName(value) {
  if (value.includes("/")) return value.split("/").map(valueName).join(" or ");
  return value === "YELLOW" ? "yellow" : value === "RED" ? "red" : value;
}

export { short, sign };
