/** Every sentence of the rack desk, in one file. */

import type { Cut, Indication, Win } from "../../types/rack.js";
import { count, fixed, percent } from "../../widgets/numbers.js";
import { MISSION_TITLES } from "./mission-notes.js";
import type { Fact, Position } from "./model.js";
import { isMine, letter, letters, ownerOf, slotsOf, standOfPlayer } from "./model.js";
import type { Device, Draft } from "./turn.js";

const MOST_ERROR = 0.05 / 1.96; // standard error of a chance to win that is shown

const isVague = ({ error }: Win) => error > MOST_ERROR;

/** The mission's open cards, as the line above the table shows them. */
const openCards = ({ numbers, constraint, locked }: Position) => [
  ...(numbers.length > 11
    ? ["all number cards open"]
    : numbers.length
      ? [`${numbers.length > 1 ? "cards" : "card"} ${numbers.join(", ")}`]
      : []),
  ...(constraint ? [`limit ${constraint}`] : []),
  ...(locked.length ? [`may not be named: ${locked.map(valueName).join(", ")}`] : []),
];

export const words = {
  asks: "Which wire do I cut, and is it safe?",
  bar: {
    weighingCuts: "Evaluating cuts",
    weighingTokens: "Evaluating tokens",
    orderSoFar: "simulating games",
    otherTurn: "Not your turn",
    token: "Enter the token",
    stays: "Your wires stay on this device.",
    tokenOf: (who: string) => (who === words.you ? "Your token" : `${who}’s token`),
    tapToken: "Tap the wire with the token, then the token’s value.",
    turnedOf: (who: string) => `${who}’s turned wire`,
    turned: "You can see this wire: enter its value.",
    turnOf: (who: string) => `${who}’s turn`,
    showAt: (wire: string, slot: number) => `Indicate ${valueName(wire)} at ${letter(slot)}`,
    yourWires: "Your own wires",
    fromLeft: "Enter them from left to right.",
    enter: "Enter them",
    noCut: "No cut can succeed",
    stuck: "You have no legal move",
    explodes: "The bomb goes off",
    skip: "Skip the turn",
    lost: "The bomb has gone off",
    lostHow: "The game is lost. Press Undo to take back the turn.",
    missionLost: "The mission is lost",
    noPlayer: "No player can cut any more",
    unless: "lost, unless a Disintegrator is still unused",
    defused: "The bomb is defused",
    allCut: "All your wires are cut",
    wellDone: "well done",
    look: "Look",
  },
  title: "Bomb Busters",
  titleOf: (p: Position): [string, string] => {
    const slots = slotsOf(p);
    const cut = slots.filter((s) => s.state === "cut").length;
    return [p.mission ? `Mission ${p.mission}` : "Bomb Busters", `${cut} of ${slots.length} wires cut`];
  },
  you: "You",
  secondStand: "second stand",
  standName: (i: number) => `Stand ${i + 1}`,
  line: (p: Position) => {
    const { blue, yellow, red, groups } = p.wires;
    const some = (word: string, wires: string[]) =>
      wires.length ? [`${word} ${wires.map((w) => w.slice(1)).join(", ")}`] : [];
    const drawn = groups.map((g) => {
      const colour = g.of[0]?.[0] === "R" ? "red" : "yellow";
      const numbers = g.of.map((w: string) => w.slice(1));
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
  review: {
    title: "Look back on the game",
    open: "Look back",
    chart: "Chance to win before and after each turn",
    head: { turn: "Turn", chance: "Chance to win", decision: "Decision", luck: "Luck" },
    points: (p: number, error = 0) =>
      `${100 * p > 0.5 ? "+" : 100 * p < -0.5 ? "−" : ""}${fixed(Math.abs(100 * p), 0)}${error ? ` ± ${fixed(196 * error, 0)}` : ""}`,
    better: (cut: string) => `better: ${cut}`,
    how: "Points of the chance to win. A decision is judged by what the player knew; luck is what the result changed. Red: given away by the decision; green and grey: luck.",
  },
  whatChanges: "what this mission changes",
  table: "Table",
  changeGame: "New table…",
  asText: "Table as text…",
  practice: "Practise",
  fillIn: "Enter your wires, from left to right.",
  turnedAway: "You cannot see one of your wires, so tokens are not ranked. Tap the wire you indicate.",
  slotKeys: "Select that slot of the stand",
  keysHint:
    "On a keyboard: arrows or a letter (A to M, except E and I) select a wire. Type what lies there, then Enter: 7 cut, .7 hidden, i7 shown, Y3 yellow, !7 not a 7, E even, 2x two alike, . unknown.",
  nameIt: "Name the typed value, or enter it as the token’s",
  slot: (who: string, j: number) => `${who}, slot ${letter(j)}`,
  place: (who: string, j: number) => `${who} ${letter(j)}`,
  states: { hidden: "Hidden", info: "Shown", cut: "Cut" },
  erase: "Erase",
  done: "Done",
  unknownWire: "?",
  tokens: "Tokens",
  notValue: "Not …",
  tokenNames: {
    even: "even",
    odd: "odd",
    x1: "one of its value",
    x2: "two of its value",
    x3: "three of its value",
    unsorted: "unsorted",
    "same-as-next": "same as next",
    "differs-from-next": "differs from next",
    moved: "moved from another stand",
  } as Record<string, string>,
  tokenName: (t: string) => (t.startsWith("not:") ? `not ${valueName(t.slice(4))}` : words.tokenNames[t]),
  nots: (values: string[]) => `not ${values.join(" ")}`,
  who: "Whose turn",
  itWorked: "It worked",
  itFailed: "It failed",
  device: "With",
  devices: {
    dual: "Cut",
    double: "Double",
    triple: "Triple",
    super: "Super",
    either: "X or Y",
  } as Record<Exclude<Device, "together" | "miss">, string>,
  ended: "Result",
  pointed: "Slots pointed at",
  slotKey: (j: number) => `Slot ${letter(j)}`,
  slots: (who: string, slots: number[]) => `${who}, slots ${letters([...slots].sort((a, b) => a - b))}`,
  pointAt: (n: number) => `Tap the ${n} slots that it points at, here or on the stand.`,
  pointAny: "Tap all wires that were cut together, on any stand.",
  pointAll: "It covers all uncut wires of the stand except unsorted ones.",
  pointMore: (n: number) => (n === 1 ? "One more slot." : `${n} more slots.`),
  names: (draft: Draft, who: string, open: boolean) => {
    const you = who === "You";
    if (draft.device === "either" || draft.ray)
      return draft.values.length
        ? `And the other value that ${you ? "you" : who} named?`
        : `Which two values did ${you ? "you" : who} name?`;
    if (draft.device === "dual" && !draft.failing)
      return open ? `${who} name the value` : `${who} cut${you ? "" : "s"} this as`;
    return `Which value did ${you ? "you" : who} name?`;
  },
  noted: (draft: Draft, who: string) =>
    `${who} named ${draft.values.map(valueName).join(" or ")}: ${draft.failing ? "it failed." : "it worked."}`,
  whichCut: "Which one was cut?",
  whichValue: "Which of the two was it?",
  whichToken: "Which one got the token?",
  whatShown: "What does the token show?",
  whatShownOn: (j: number) => `What does the token on ${letter(j)} show?`,
  allRed: "All of them red: the bomb",
  onlyRed: "red left",
  atOnce: "at once",
  aloneHow: (who: string) => `Solo cut by ${who}. Tap the wires, here or on the stand.`,
  aloneWhat: "They are",
  back: "Back",
  alongHers: "Tap an uncut wire of the player who made the cut.",
  whoAreYou: "Who are you?",
  nothingLeaves: "Your wires stay in this browser. Shared links do not include them.",
  onlyLook: "Watch only",
  gear: {
    open: "Other moves…",
    title: "Other moves",
    card: "What happened",
    cards: {
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
    } as Record<string, string>,
    what: {
      8: "Each player says whether they hold an uncut blue wire of this number (indicated wires count).",
      2: "Two players swap one uncut wire each and sort it in. Everyone sees both places.",
      4: "Put another info token on one of your blue wires.",
      12: "Two neighbouring wires have the same value; one of them may be cut.",
      1: "Two neighbouring wires have different values; one of them may be cut.",
      6: "The detonator goes back one step.",
      2.2: "The wire is the only one of its number on the stand.",
      9.9: "Cut two of your wires of one number, even if others remain elsewhere.",
      "10.10": "All uncut wires of one number are cut, on all stands.",
      11.11: "Take a teammate’s uncut wire and sort it into your stand.",
      skip: "Skip the turn: no legal cut, or the mug is used.",
      draw: "A wire set aside is sorted into a stand; everyone sees the place.",
    } as Record<string, string>,
    who: "Whose turn it is",
    steps: "Steps it costs",
    number: "Which number",
    yes: "Who said yes",
    wire: "Which wire",
    left: "The left one of the two",
    other: "Compared with which wire",
    at: (who: string) => `Place of the new wire: ${who}`,
    to: "To which stand",
    pair: "Which two wires",
    gone: "Which wires were cut",
    note: "Add to log",
    notNow: "Not now",
  },
  ray: "With the X-or-Y ray",
  stabilizer: "With the stabilizer",
  explode: "Red: the bomb",
  bomb: "bomb",
  orFailed: "Or it failed, and the token shows:",
  noTokenLaid: "No token",
  wrongGuess: "It failed: the bomb",
  firstToken: "The first token is here. It shows:",
  falseToken: "This token is false: the wire is not the value shown. Token:",
  nextToShows: "A token lies next to the stand: no wire has this value. Token:",
  nextToOrOn: "Tap the wire with the token. If the token lies next to the stand, tap its value:",
  tokenHow: {
    random: "Drawn at random: tap its wire, or its number.",
    absent: "It lies next to the stand: no wire has this value.",
    false: "The token is false: tap the wire, then its number.",
  } as Record<string, string>,
  said: (who: string, fact: { kind: string; value: string }) => `${who}: ${words.facts(fact)}`,
  noTokens: "No more first tokens",
  hiddenWires: (n: number) => `${n} hidden`,
  log: "Turns so far",
  correct: "Correct",
  correcting: (turn: string, after: number) =>
    `Edit this turn: “${turn}”${after ? ` Later turns (${count(after, "step", "steps")}) are replayed.` : ""}`,
  noLongerFits: (turn: string, why: string) => `“${turn}” no longer fits: ${why} Edit the turn or delete it.`,
  leaveOut: "Delete the turn",
  corrected: (after: number) =>
    after ? `Corrected; ${count(after, "later step", "later steps")} replayed.` : "Corrected.",
  whichNumber: (who: string, slot: number) => `Which yellow wire was ${who}’s ${letter(slot)}?`,
  alongWith: (who: string, value: string) => `Now tap the ${valueName(value)} that ${who} cut along with it.`,
  cancel: "Cancel",
  setDirectly: "Set slot directly",
  whatIsThere: { cut: "Which wire was cut?", info: "What does it show?" },
  named: {
    set: (where: string, what: string) => `${where}: ${what}`,
    newTable: "New table",
    cards: "Mission cards",
    seat: (who: string) => `You are ${who}`,
    text: "Stands from text",
    practice: "Practice game",
  },
  chances: "Chances",
  sureWire: (value: string) => `Certainly ${valueName(value)}.`,
  certainly: (value: string) => `certainly ${valueName(value)}`,
  left: (n: string) => (n === "1" ? "deal fits" : "deals fit"),
  bitsOpen: (bits: number) => `${fixed(bits, 1)} bits to go`,
  indicateTitle: "Which wire to indicate",
  indicateLine: "What your team would learn",
  cutTitle: "What to cut",
  cutLine: "Certain cuts first, then by safety and information",
  cutLineByWin: "By the share of games won from here",
  cutLineAgreed: "The list that all of you cut by",
  turn: "Your move",
  tabs: { cut: "Cut", indicate: "Indicate" },
  models: { bayes: "True chances", joint: "Whole stand", published: "Published" },
  modelLabel: "How it is measured",
  modelText: {
    bayes:
      "The whole stand, with true chances: an indicated wire still counts among the holder’s possible copies.",
    joint: "The whole stand; indicated wires are taken out of the pool.",
    published:
      "The published metric: the sum over single slots, with indicated wires taken out. It can be negative: where one token links slots, the sum over slots can rise even though the stand as a whole is better known.",
  },
  kinds: { standard: "Info", parity: "Even/odd", multiplicity: "1×2×3×" },
  kindLabel: "Kind of token",
  bands: { poor: "poor", moderate: "moderate", good: "good", excellent: "excellent" } as Record<
    string,
    string
  >,
  bandsFrom: ([moderate, good, excellent]: number[]) =>
    `A token is moderate from ${fixed(100 * moderate, 1)} % settled, good from ${fixed(100 * good, 1)} %, excellent from ${fixed(100 * excellent, 1)} %.`,
  xOfY: "Only some of the drawn yellow or red wires are in play. The published metric counts all of them and so overstates the uncertainty; the two other measures are exact.",
  settled: (share: number) => `${fixed(share * 100, 0)} % settled`,
  compare: "Compare the three tokens on this rack",
  compareHide: "Hide the comparison",
  comparePoints: [
    "An info token at the edge of a group tells most: it bounds all wires on one side.",
    "A wire in an unusual place (a 4 far right, a 9 far left) narrows down more neighbours.",
    "Indicating a neighbour of a red wire excludes red on one side, so it also makes cuts safe.",
  ],
  slotColumn: "Slot",
  seenBy: "As each teammate sees it",
  seenByNote: "Teammates also know their own wires. Average over sampled hands, ± standard error.",
  follows: "We use Cluewise’s token convention",
  followsNot: "No token convention",
  followsHow:
    "Every player’s first token goes on the wire that is ranked first here (Info, whole stand, seen by an observer). A token then also tells which better wires are missing from that stand.",
  allFollow: "We all follow Cluewise",
  notAllFollow: "Not everybody follows Cluewise",
  allFollowHow:
    "Everybody makes the first cut of this list. Then what a teammate did not cut counts too: the chances include the last six choices of the others. The list is ordered by success and red, not by the chance to win.",
  plusMinus: (e: number) => `± ${fixed(e, 2)}`,
  reading: "What bits and per cent mean",
  readingRows: [
    ["1 bit", "half of the possibilities left"],
    ["2 bits", "a quarter"],
    ["4 bits", "a sixteenth"],
    ["6 bits", "one in 64"],
    ["8 bits", "one in 256"],
  ],
  readingText: "One more bit halves the possibilities. “Settled” is the gain’s share of the uncertainty.",
  detectors: "With detectors and rays too",
  withDetectors: "Double, triple and super detectors, X-or-Y ray, both together",
  allCuts: (n: number) => `All ${n} cuts`,
  fewer: "Only the best cuts",
  actions: {
    dual: "cut",
    solo: "alone",
    reveal: "show red",
    double: "double detector",
    triple: "triple detector",
    super: "super detector",
    either: "X-or-Y ray",
    together: "all at once",
    miss: "miss on purpose",
  } as Record<string, string>,
  /** What a cut is made with. */
  madeWith: (cut: Cut) => {
    const joined = cut.action !== "either" && cut.value.includes("/");
    return `${words.actions[cut.action]}${joined ? " with the ray" : ""}`;
  },
  rankLabel: "Rank by",
  tokenRanks: { information: "Information", win: "Chance to win" },
  tokenSays: (says: string) => {
    const [kind, value] = says.split(":");
    return kind === "lacks" ? `says: no ${valueName(value)} here` : `says: not ${valueName(value)}`;
  },
  ranks: { success: "Chance to succeed", win: "Chance to win" },
  /** The chance with its 95 % interval; hidden if that is wider than 5 points either way. */
  wins: (w: Win, running = false) => {
    if (isVague(w)) return running ? words.winsLater : words.winsVague;
    return `wins ${percent(w.chance)} ± ${fixed(196 * w.error, 0)}`;
  },
  /** "84 %", or nothing while too few games are played. */
  winNumber: (w: Win | null) => (w && !isVague(w) ? percent(w.chance) : ""),
  winsUnit: "wins",
  worksWith: (p: number) => `works ${percent(p)}`,
  winsLater: "wins: too few games yet",
  winsVague: "wins: not known within 5 points",
  missCosts: "costs a step, cannot explode",
  missedIt: "I missed",
  winsAlike: "Not clearly worse than the best cut.",
  certain: "certain",
  noRed: "no red",
  redRisk: (p: number) => `red ${percent(p)}`,
  bits: (b: number) => `${fixed(b)} bits`,
  works: "works",
  sayToMiss: (cut: string) => `Say ${cut}, to miss`,
  recordNo: "It failed…",
  detectorWorked: "It worked. Which one was cut?",
  detectorFailed: "It failed. Which one has the token?",
  rayWorked: "It worked. Which one was it?",
  firstCuts: (n: number) => `The first ${n} of them.`,
  ownUnknown: "Enter your wires to see your cuts.",
  allCut: "All your wires are cut. Your teammates continue without you.",
  gameWon: "You have won",
  defused: "All wires are cut: the bomb is defused.",
  gameLost: "The game is lost",
  takeBack: "Take back the turn",
  noCuts: "You have no legal cut.",
  doubtTitle: "These cannot all hold",
  doubtHow: "One of these entries must be wrong. They are outlined on the stands.",
  spokenTile: (where: string, what: string, tokens: string[]) =>
    [where, what, ...tokens.map((t) => words.tokenName(t))].join(", "),
  standTold: (who: string, parts: string[]) => `${who}: ${parts.join("; ")}.`,
  isCut: (v: string) => `${valueName(v)}, cut`,
  isShown: (v: string) => `${valueName(v)}, shown`,
  isYours: (v: string) => `${valueName(v)}, hidden`,
  isHidden: "hidden",
  isAdvised: ", advised",
  danger: (p: number) => `red with ${percent(p)}`,
  likely: (v: string, p: number) => `${valueName(v)} with ${percent(p)}`,
  facts: (f: { kind: string; value: string }) =>
    f.kind === "one"
      ? `has one ${valueName(f.value)}, cut or not`
      : f.kind === "has"
        ? `has a hidden ${valueName(f.value)}`
        : `has no hidden ${valueName(f.value)}`,
  factChip: (f: Fact) => `${{ has: "has", lacks: "no", one: "one" }[f.kind]} ${valueName(f.value)}`,
  factsOwn: (f: Fact) => (f.kind === "has" ? `all know: a hidden ${valueName(f.value)}` : words.facts(f)),
  factTitle: (who: string) => `What is known of ${who === words.you ? "you" : who}`,
  factKinds: { none: "–", has: "Has", lacks: "Has none", one: "Just one" },
  factHow: "“Has” and “Has none” are about hidden wires; “Just one” counts cut wires too.",
  missionCards: "Mission cards…",
  missionCardsTitle: (n: number) => `The cards of mission ${n}`,
  numberDeck: "Number cards left in the deck",
  numberCards: "Open number cards, in their order",
  drawnCards: (many: number, cards: string[]) =>
    `${count(many, "open number card", "open number cards")}${cards.length ? `: ${cards.join(", ")}` : `: press ${many > 1 ? "them in their order" : "it"}`}`,
  holderCard: "Select the seat of the player with the captain card.",
  captainCard: "Who holds the captain card",
  noActor: "–",
  limitCard: "The limit card that binds you now",
  limitOf: (who: string) => `Limit card: ${who}`,
  noLimit: "none",
  robot: "Robot’s space",
  reserve: "Air on the card",
  airOf: (who: string) => `Air: ${who}`,
  pairOf: (n: string) => `Limit card at ${n}`,
  lockedValues: "Values that no player may name now",
  seeCard: "see the card",
  checkCard: (n: number) => `Check the card (${count(n, "rule", "rules")} not included)`,
  aside: (n: number) => `${count(n, "wire", "wires")} set aside`,
  nameLabel: "Name",
  mission: "Mission",
  whichMission: "Which mission?",
  missionKey: (n: number) => `Mission ${n}`,
  missionTitle: (n: number) => `Mission ${n}: ${MISSION_TITLES[n - 1]}`,
  findMission: "Find a mission",
  findHow: "number or word, such as red",
  otherMission: "Another mission",
  seat: "Select your seat, clockwise from the captain (★)",
  seatKey: (seat: number, players: number) =>
    seat ? `${players} players, you are player ${seat + 1}` : `${players} players, you are the captain`,
  playersRow: (n: number) => `${n} players`,
  namesOf: "Names of the others",
  nameOfOther: (k: number) => `Name ${k + 1}, clockwise from the captain`,
  ownWires: "Or set up a custom table",
  blueTo: "Highest blue wire",
  yellowWires: "Yellow wires (numbers, or 2 of 3 7 9)",
  redWires: "Red wires (numbers, or 1 of 2 5)",
  dealPractice: "Practice game: Cluewise deals the wires",
  drawnYellow: (many: string) => `Yellow wires, ${many}: select the numbers on the table (none: random)`,
  drawnRed: (many: string) => `Red wires, ${many}: select the numbers on the table (none: random)`,
  drawnWrong: (yellow: number, red: number) => {
    const many = [yellow && `${yellow} yellow`, red && `${red} red`].filter(Boolean).join(" and ");
    return `Select all ${many} numbers, or none for a random draw.`;
  },
  textHow:
    "One stand a line: 7 cut, ? hidden, ?7 your own, i5 shown, Y3 or 3.1 yellow, R3 or 3.5 red, !7 not 7, b? y? r? of that colour, E O even or odd, 2x two of them, X unsorted (also in front: 2x?7), = / same as or different from the next, @ moved from another stand. After |: +7 (has one hidden), -3 (has none) or ~R (has one red).",
  textTitle: "The stands as text",
  take: "Use these stands",
  detonator: "Detonator",
  countSteps: "Count the detonator’s steps",
  noCount: "Stop counting the detonator’s steps",
  stepsLeft: (n: number) => count(n, "step left", "steps left"),
  stepLess: "One step less",
  stepMore: "One step more",
  setSteps: (n: number | null) => (n === null ? "Detonator not counted" : `Detonator: ${words.stepsLeft(n)}`),
  lastStep: "One step is left on the detonator: a cut that fails ends the game.",
  ranOut: "The detonator has run out: the bomb has gone off.",
  takesStep: "takes a step",
  lastStepGoes: "takes the last step: game over",
  endsGame: (p: number) => `game over ${percent(p).replaceAll(" ", "\u00a0")}`,
  partners: {
    play: "Partners play too",
    turn: (who: string) => `${who}’s turn`,
    go: "Let them play",
    untilYou: "Cluewise plays until your turn.",
    how: "They make certain cuts first. Otherwise they cut where the chance to succeed minus the chance of red is largest.",
    because: (reason: string) => `Reason: ${reason}`,
  },
  practiceOpen: "Practice game: the other stands are hidden in the link. Cuts are answered automatically.",
  practiceQuestion: "Which wire would you indicate? Tap it to see its score.",
  practiceShow: "Only show the scores",
  practiceBest: (slot: string) => `Slot ${slot} is the best choice.`,
  practiceScore: (mine: string, share: number, best: string) =>
    `Slot ${mine} gives ${percent(share)} of the bits of the best slot, ${best}.`,
  practiceTake: "Indicate this wire",
  exploded: "The bomb has gone off. Press Undo to take back the turn.",
  assumed: (text: string) => `Assumed: ${text}`,
  cutName: (cut: Cut, who: string) =>
    cut.action === "together"
      ? `${cut.slots.length + cut.also.length} × ${valueName(cut.value)}`
      : cut.action === "solo" || cut.action === "reveal"
        ? `${valueName(cut.value)} alone, ${letters(cut.slots)}`
        : `${valueName(cut.value)} at ${who} ${letters(cut.slots)}`,
  spokenCut: (cut: Cut, who: string) =>
    `${words.madeWith(cut)} ${words.cutName(cut, who)}: works with ${percent(cut.success)}, ${cut.red ? words.redRisk(cut.red) : words.noRed}${cut.gain === null ? "" : `, ${words.bits(cut.gain)}`}`,
  spokenIndication: (o: Indication) =>
    `${o.says ? words.tokenSays(o.says) : `Slot ${letter(o.slot ?? 0)}, wire ${valueName(o.wire)}`}: ${words.bits(o.gain)}, ${words.settled(o.resolved)}${o.band ? `, ${o.band}` : ""}`,
};

const LONGEST = 24; // characters of a name, as its field takes them; a link may hold more

function shortName(name: string) {
  const letters = [...name];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join("").trim()}…` : name;
}

/** What a stand's player is called. */
export function nameOf(position: Position, i: number): string {
  const first = standOfPlayer(position, ownerOf(position, i));
  const own = shortName(position.stands[i].name || position.stands[first]?.name || "");
  const name = isMine(position, i) ? words.you : own || words.standName(i);
  return first === i ? name : `${name}, ${words.secondStand}`;
}

/** What a player is called: as her first stand is. */
export function playerName(position: Position, player: number | null): string {
  return nameOf(position, standOfPlayer(position, player));
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** A wire or value as a key shows it: "7", "◆4" for Y4, "◆" for YELLOW. */
export function face(wire: string) {
  return wire.replace(/^Y(?:ELLOW)?/, "◆").replace(/^R(?:ED)?/, "✸");
}

/** A wire or value as a player says it: "7", "yellow 4" for Y4, "yellow" for YELLOW, "3 or 5" for 3/5. */
export function valueName(wire: string): string {
  const name = (one: string) =>
    one
      .replace(/^Y(?:ELLOW)?/, "yellow ")
      .replace(/^R(?:ED)?/, "red ")
      .trim();
  return wire.split("/").map(name).join(" or ");
}
