/** Every sentence of the mines desk: a table, hence its length. */

import type { GuessCandidate, Hardest, Lack, Published, Rated, Review } from "../../types/mines.js";
import { fixed, percent, whole } from "../../widgets/numbers.js";
import type { Brush } from "./model.js";
import type { Kind } from "./player-marks.js";

const some = (n: number, one: string, many = `${one}s`) => `${whole(n)} ${n === 1 ? one : many}`;

const points = (share: number) => `${share > 0 ? "+" : ""}${fixed(100 * share, 1)} %`;

export const words = {
  asks: "Which cell is certainly safe, and why?",
  bar: {
    hint: "Hint",
    more: "More",
    looking: "Looking for a move",
    noMove: "No cell is certain",
    guess: "You have to guess.",
    bestGuess: "Best guess",
    guessAt: (cell: string, win: number) => `Guess ${cell}: you win ${percent(win)}`,
    yes: "There is a certain move",
    noGuess: "No guess is needed.",
    here: "It is outlined",
    wrongFlag: "A flag is wrong",
    solved: "Solved",
    clues: (n: number) => `from ${some(n, "clue")}`,
    verdict: (cells: string[], verdict: "safe" | "mine") =>
      cells.length === 1
        ? `${cells[0]} is ${verdict === "safe" ? "safe" : "a mine"}`
        : `${whole(cells.length)} cells are ${verdict === "safe" ? "safe" : "mines"}`,
  },
  soFar: (open: number, all: number, safe: boolean) =>
    `${open} of ${some(all, safe ? "safe cell" : "cell")} open`,
  untitled: "A mine board",
  screenshot: {
    bring: "Read a screenshot",
    camera: "Camera",
    title: "Read from a screenshot",
    doing: (note: string) => `${note || "Looking for the board"} …`,
    picture: "The screenshot, with the unclear cells outlined",
    board: "The board as read",
    clash: "Check the whole board: as read, no layout of mines fits.",
    judged: (left: number) =>
      left ? `${some(left, "place")} to check.` : "Clearly read. Compare the board with the picture.",
    cells: "Cells to check",
    more: (n: number) => `${some(n, "more cell")} to check: compare the whole board.`,
    shows: { "?": "?", closed: "closed", flag: "flag" } as Record<string, string>,
    right: (cell: string) => `${cell} is right`,
    count: (name: string) => `Count of ${name}`,
    total: "Mines in all, if shown",
    unplaced: (numbers: number[]) => `Other numbers in the picture: ${numbers.join(", ")}.`,
    accept: "Use this board",
    label: "Board from a screenshot",
    taken: "Board read. The picture was not stored.",
  },
  kinds: {
    "combination-lock": "Combination lock",
    "corner-bite": "Corner bite",
    holey: "Holey square",
    colours: "Coloured shapes",
    hex: "Hexagons",
    triangle: "Triangles",
    torus: "Ring (edges touch)",
  } as Record<string, string>,
  kindsWhat: {
    "combination-lock": "No cell is open at first: you have only the counts at the edges.",
    "corner-bite": "A square without one corner.",
    holey: "A square with holes; lines continue across them.",
    colours: "Every coloured shape has a count.",
    hex: "Six neighbours per cell, counts along three directions.",
    triangle: "Up to twelve neighbours per cell.",
    torus: "Left touches right and top touches bottom.",
  } as Record<string, string>,
  levels: {
    easy: "Easy",
    medium: "Medium",
    hard: "Hard",
    fiendish: "Fiendish",
  } as Record<string, string>,
  line: (cells: number, mines: number | null, marks: number = 0) =>
    [
      some(cells, "cell"),
      ...(mines === null ? [] : [`${some(mines, "mine")} in all`]),
      ...(marks ? [some(marks, "mark")] : []),
    ].join(", "),
  safeLeft: (n: number) => `safe ${n === 1 ? "cell" : "cells"} to open`,
  left: (n: number) => (n < 0 ? `−${-n}` : String(n)),
  minesLeft: (left: number) =>
    left >= 0 ? `${some(left, "mine")} without a flag` : `${some(-left, "flag")} too many`,
  won: "Solved. Every safe cell is open.",
  slipped: (n: number) => `${some(n, "mine")} opened by mistake.`,
  wonClean: "You opened no mine.",
  boom: (cell: string) => `${cell} was a mine and is now flagged.`,
  damaged: "The solution in this link is damaged, so you cannot open cells. You can still enter numbers.",

  mode: "A press",
  modes: { open: "Open", flag: "Flag", mark: "Mark" },
  modeTip: {
    open: "Press to open a cell; hold it, or right-click, to flag it.",
    flag: "Press to flag a cell; drag for several.",
    mark: "Select a cell to mark it; drag for several. Hints ignore marks. Hold a cell, or right-click it, to cycle through marks.",
  },
  pencil: "Which mark",
  pencils: {
    dot: "Dot",
    safe: "Tick: safe",
    unsure: "Question: not sure",
    first: "Pencil 1",
    second: "Pencil 2",
  },
  pencilOf: (kind: Kind, n: number) =>
    n ? `${words.pencils[kind]}, on ${some(n, "cell")}` : words.pencils[kind],
  rubOut: (n: number) => (n === 1 ? "Remove it" : `Remove all ${whole(n)}`),
  flagStands: (cell: string) => `${cell} has a flag. Remove it before you set a mark.`,
  boardKeys: {
    mode: "Change what a press does: open, flag, mark",
    kind: "Next kind of mark",
    hint: "A hint, then more of it",
    walk: "Move from cell to cell",
    act: "Open, or a number's neighbours",
    turn: "Another mark on the cell",
    around: "Go through the neighbours",
    digits: "What the cell shows",
  },
  touchTip: {
    open: "Tap to open a cell; hold it to flag it.",
    flag: "Tap to flag a cell; drag for several.",
    mark: "Tap to set the mark; drag for several. Hints ignore marks. Hold to cycle through marks.",
  },
  fingersTip: "Pinch to zoom, drag to move.",
  larger: "Larger cells",
  whole: "Whole board",
  edit: "Select a cell, then enter its number. Select a dot or a count at the edge to enter how many mines its line has.",
  pad: (cell: string) => `What does ${cell} show?`,
  tooMany: (cell: string, most: number) =>
    `${cell} has ${some(most, "neighbour")}: it shows no larger number.`,
  unknownAgain: "Not open",
  padLine: (name: string, cells: number) => `How many mines are in ${name}, of ${some(cells, "cell")}?`,
  noCount: "No count",
  uncounted: (name: string) => `${name}: no count yet; select it to enter one`,
  inAll: "Mines in all",
  theTotal: "the total",
  byHand: "Enter the board yourself",
  chord: (n: number) => `Press again to open the ${some(n, "cell")} around it.`,
  chordFlag: (n: number) =>
    n === 1
      ? "Press again to flag the cell around it."
      : `Press again to flag all ${whole(n)} cells around it.`,
  chordNot: (number: number, flags: number) =>
    `It counts ${some(number, "mine")}; ${some(flags, "flag")} around it so far.`,
  did: {
    open: (cell: string) => `Open ${cell}`,
    flag: (cell: string) => `Flag ${cell}`,
    unflag: (cell: string) => `Unflag ${cell}`,
    mark: (cell: string, kind: Kind | null) =>
      kind ? `${words.marks[kind][0]} at ${cell}` : `Mark removed from ${cell}`,
    marks: (n: number) => some(n, "mark"),
    rubOut: (kind: Kind) => `Remove the ${words.marks[kind][1]}`,
    paint: (n: number) => some(n, "flag"),
    number: (cell: string) => `Number at ${cell}`,
    count: (name: string) => `Count of ${name}`,
    around: (cell: string) => `Open around ${cell}`,
    flagAround: (cell: string) => `Flag around ${cell}`,
    again: "Start over",
    puzzle: (name: string) => `Puzzle ${name}`,
  },

  stuck: "Stuck?",
  degrees: ["Is there a move?", "Where is it?", "Which clues?", "What is it, and why?"],
  hintNo: "The clues decide no cell. You have to guess, or a flag is wrong.",
  hintNoPlain: "The clues decide no cell. You have to guess.",
  guesses: {
    ask: "Which cell is the best guess?",
    best: (cell: string, win: number) => `Best guess: ${cell}. Your chance to win: ${percent(win)}.`,
    safest: (cell: string) => `Least likely a mine: ${cell}.`,
    win: ({ win, low, high }: GuessCandidate) =>
      win != null ? `win ${percent(win)}` : low != null ? `win ${percent(low)} to ${percent(high)}` : "",
    safe: (share: number) => `safe ${percent(share)}`,
    safestCell: (ties: boolean) => (ties ? "none is safer" : "the safest cell"),
    bestWhat: "Exact, if you always open the best cell after it. All layouts count the same.",
    safestWhat: "Too many ways to play on for the exact chance to win.",
  },
  review: {
    title: "Luck and mistakes",
    head: ["Press", "Mine risk", "Win before", "Choice", "Luck", "Win after"],
    sum: ({ mistakes, survival }: Review) =>
      `${mistakes ? some(mistakes, "mistake") : "No mistake"}.${survival == null ? "" : ` Chance to open no mine with these presses: ${percent(survival)}.`}`,
    parts: ({ decisions, luck }: Review) => `Choices: ${points(decisions)}. Luck: ${points(luck)}.`,
    kinds: { certain: "certain", best: "best guess", mistake: "mistake", risky: "needless risk", open: "" },
    better: (cell: string) => `${cell} was better`,
    mine: "a mine",
    points: (share: number | null) => (share == null ? "–" : points(share)),
    share: (share: number | null) => (share == null ? "–" : percent(share)),
    how: "Win before + choice + luck = win after. Chances follow from the cells that were open, not from your flags. A dash: too many layouts to follow every play.",
  },
  hintYes: "Yes: at least one cell is certain. No guess is needed.",
  hintWhere: (n: number) =>
    n === 1 ? "Look at the outlined cell." : `Look at the ${whole(n)} outlined cells.`,
  hintClues: (names: string[], opposite: boolean) =>
    `${names.length === 1 ? "This clue decides" : "These clues together decide"} it: ${join(names)}.${opposite ? " Assume the opposite: it leads to a contradiction." : ""}`,
  techniques: {
    one: "One count is enough.",
    subset: "One count lies inside another.",
    cross: "Two counts overlap.",
    chain: "A chain of overlapping counts.",
    bounds: "Upper and lower bounds from overlapping counts.",
    sum: "Add and subtract counts.",
    weighted: "Add counts, some of them several times.",
    parity: "Odd or even: add counts.",
    suppose: "Assume the opposite and follow it.",
    deeper: "Assume the opposite and search.",
  } as Record<string, string>,
  stepLights: "Show this step's cells on the board",
  stepName: (i: number) => `${i + 1}`,
  stages: { exact: "exact", inexact: "at least, at most", contradiction: "the opposite assumed" },
  tree: "As a tree, back to the clues",
  treeStages: (all: number, bounds: number) =>
    bounds
      ? `${whole(bounds)} of ${some(all, "step")} ${bounds === 1 ? "uses" : "use"} bounds instead of exact counts.`
      : `All ${some(all, "step")} use exact counts.`,
  asAbove: "(as above)",
  smallest: (n: number) => (n === 1 ? "" : `No fewer than ${whole(n)} counts decide it.`),
  notSmallest: "There may be a shorter explanation: the search stopped early.",
  length: (n: number) => (n > 2 ? `It names ${whole(n)} counts.` : ""),
  hintTotal: "It uses the total number of mines.",
  verdict: {
    safe: (n: number) => (n === 1 ? "It is safe." : "They are safe."),
    mine: (n: number) => (n === 1 ? "It is a mine." : "They are mines."),
  },
  doIt: { safe: "Open", mine: "Flag" },
  enough: "Hide the hint",
  checkFlags: "Is a flag wrong?",
  flagsWrong: {
    yes: "Yes, a flag is wrong.",
    no: "No, the flags are right so far.",
    unsure: "The clues do not decide it: all flags may be right, but not all are certain.",
  },
  flagged: (names: string[]) => `Flags: ${names.join(", ")}.`,
  coveredRest: "All other cells are covered.",
  noFlags: "There is no flag yet.",
  aFlagIsWrong: "At least one flag is wrong. Correct it first.",
  whichFlag: "Which one?",
  wrongFlags: (names: string[]) =>
    names.length === 1 ? `There is no mine at ${names[0]}.` : `There are no mines at ${join(names)}.`,
  beyond: "Hints come one step at a time.",

  chances: "Show every cell's chance",
  chancesOff: "Hide the chances",
  layouts: (n: string | null, exact: boolean) =>
    n === null
      ? "Too many layouts fit to count them, so the other cells have no chances."
      : exact
        ? `${n === "1" ? "One layout fits" : `${short(n)} layouts fit`} the clues.`
        : `About ${short(n)} layouts fit the clues (an estimate).`,
  forced: (safe: number, mines: number) =>
    safe + mines
      ? `Certain: ${safe ? `${whole(safe)} safe` : ""}${safe && mines ? ", " : ""}${mines ? some(mines, "mine") : ""}.`
      : "No cell is certain.",
  estimate: (error: number) =>
    `Chances are estimates with a standard error of up to ${percent(error)}. Certain cells are exact.`,
  bounds: (low: number, high: number) => `It is certainly between ${percent(low)} and ${percent(high)}.`,
  assumed:
    "All layouts count the same. Puzzles are designed, not random: chances count layouts, they are not odds.",
  why: (cell: string) => `Why ${cell}?`,
  askCell: "Mark a cell, or go to it with the arrow keys, to see why it is safe or a mine.",
  cellChance: (cell: string, p: number) =>
    p === 0
      ? `${cell} is safe.`
      : p === 1
        ? `${cell} is a mine.`
        : `${cell} is a mine in ${percent(p)} of the layouts.`,
  countdown: "Counts go down with flags",

  doubtTitle: "These clues contradict each other",
  doubtNot: "There is a contradiction, but the search stopped before it was located.",
  repair: (clue: string, value: number | null, left: string | null) =>
    `${value === null ? `Without ${clue}` : `If ${clue} were ${whole(value)}`}, ${left === null ? "the rest fits" : left === "1" ? "one layout fits" : `${short(left)} layouts fit`}.`,

  ratingTitle: "How hard is it?",
  ratingWhat: "Shows only the number of steps, not the solution.",
  noGuess: (waves: number) =>
    `No guess is needed: complete reasoning opens everything in ${some(waves, "wave")}.`,
  guess: "It cannot be finished without a guess.",
  hardest: ({ level, length }: Hardest) =>
    `${level[0].toUpperCase()}${level.slice(1)}: the hardest deduction names ${some(length, "count")}.`,
  smooth: (score: number) => `Difficulty ${score.toFixed(1)}`,
  climbs: (steps: number, most: number) =>
    `Combining clues in pairs solves it in ${some(steps, "step")}; the hardest takes ${some(most, "round")}.`,
  stops: (rounds: number | null) =>
    rounds === null
      ? "Combining clues in pairs does not solve it: some step needs three or more clues at once."
      : `Combining clues in pairs stops here. With ${some(rounds, "inexact round")} in a row it solves the board.`,
  rounds: "Inexact rounds in a row",
  roundsHow:
    "An inexact round also keeps statements such as “1 or 2 mines in these cells”. How many of them in a row may be used?",
  roundsOf: { 0: "0", 1: "1", 2: "2", 3: "3", 6: "6" } as Record<string, string>,
  publishedAsk: "On the scale of published boards",
  published: ({ score, allowed }: Published) => {
    const scale = "the scale of the boards published in 2018";
    if (score >= 0) return `On ${scale}: ${score.toFixed(2)}.`;
    if (!allowed) return `This board has no score on ${scale}.`;
    const rounds = allowed.inexact_rounds;
    const limit =
      rounds < 0 ? "without a limit of inexact rounds" : `with ${some(rounds, "inexact round")} in a row`;
    return `On ${scale}, ${limit}: ${allowed.score.toFixed(2)}.`;
  },
  orderFree: (score: number) => (score < 0 ? "" : `Without tie-breaking order: ${score.toFixed(2)}.`),
  wayAsk: "Which moves does it need?",
  wayTakes: (n: number) => `Always by the easiest deduction, this board needs ${some(n, "move")}:`,
  wayChart: "Difficulty of each move, from one count to search",
  moveKind: (i: number, kind: string, n: number) =>
    `Move ${i + 1}: ${words.techniques[kind]} ${some(n, "count")}`,
  moveOf: (i: number, n: number) => `Move ${i + 1} of ${whole(n)}.`,
  moveText: (clues: string[], cells: string[], verdict: "safe" | "mine") => {
    const are = verdict === "safe" ? "safe" : cells.length === 1 ? "a mine" : "mines";
    const which = cells.length > 8 ? some(cells.length, "cell") : join(cells);
    return `By ${join(clues)}: ${which} ${cells.length === 1 ? "is" : "are"} ${are}.`;
  },
  replay: "The solution, move by move",
  replayOpen: "Show it move by move",
  replaySpoils: "This shows the solution.",
  replayBack: "Back",
  replayNext: "Next move",
  replayPlay: "Play",
  replayPause: "Pause",
  replayClose: "Back to my game",
  replayOver: (n: number) => `That was all: ${some(n, "move")}.`,
  capped: "Sets of more than the allowed number of cells were skipped.",
  scale: [
    { to: 5, name: "easy", range: "up to 5" },
    { to: 11, name: "medium", range: "5 to 11" },
    { to: 19, name: "hard", range: "11 to 19" },
    { to: 40, name: "fiendish", range: "from 19" },
  ],
  thought: (sum: number) => `Effort ${whole(sum)}`,
  thoughtWhat:
    "Each move counts by its kind, from 0 (one count) to 9 (search), times how often it names a count.",
  thoughtScale: [
    { to: 15, name: "easy", range: "up to 15" },
    { to: 45, name: "medium", range: "15 to 45" },
    { to: 90, name: "hard", range: "45 to 90" },
    { to: 250, name: "fiendish", range: "from 90" },
  ],
  onScale: (score: string, name: string) => `${score} is ${name}`,
  inexactOf: (all: number, inexact: number) =>
    `${some(all, "round")} in all, ${inexact ? whole(inexact) : "none"} of them inexact.`,
  records: "All steps",
  recordHeads: ["Step", "Rounds", "of them inexact", "Sets stored", "of them exact"],
  chart: "Rounds of comparing, step by step",
  chartStep: (i: number, n: number) => `Step ${i + 1}: ${some(n, "round")}`,

  puzzles: "Puzzles",
  tabs: { choose: "Choose", make: "Make", own: "Open and rate" },
  puzzlesWhat: "Made by Cluewise; none needs a guess.",
  make: "Make it",
  making: "Making a puzzle",
  makeStop: "Stop and use the best",
  kind: "Board",
  size: "Size",
  harder: "Difficulty",
  bands: {
    any: "Any",
    "1..4": "Easy",
    "6..10": "Medium",
    "12..18": "Hard",
    "20..40": "Fiendish",
    wish: "By required moves",
  } as Record<string, string>,
  /** the board that is open as the model; the keys are those of the contract */
  models: {
    easier: "Slightly easier than this puzzle",
    same: "Like this puzzle",
    harder: "Slightly harder than this puzzle",
  } as Record<string, string>,
  wish: {
    many: "Number of moves",
    kind: "Kind",
    kinds: {
      one: "one count",
      subset: "one count inside another",
      cross: "two counts that overlap",
      chain: "a chain of counts",
      bounds: "upper and lower bounds",
      sum: "a sum of counts",
      weighted: "a weighted sum",
      parity: "odd or even",
      suppose: "assuming the opposite",
      deeper: "searching",
    } as Record<string, string>,
    often: (many: string) =>
      many === "0" ? "none" : many.endsWith("+") ? `${many.slice(0, -1)} or more` : many,
    another: "Another kind",
    without: "Leave out",
    withoutOf: (kind: string) => `Leave out “${kind}”`,
    widest: "Counts that one move may need",
    width: (n: number) => (n ? `${whole(n)} at most` : "any number"),
    none: "No move harder than these",
    rising: "Harder towards the end",
    what: "A move is the easiest deduction at that point.",
    met: "As you asked.",
    missed: "Not exactly what you asked for. This is the nearest:",
    stopped: "You stopped the search. This is the nearest so far:",
    lack: ({ kind, found, wanted, technique }: Lack) => {
      const name = `“${words.wish.kinds[technique ?? "one"]}”`;
      if (kind === "deep") return `${some(found, "move")} harder than ${name}`;
      if (kind === "wide") return `a move from ${some(found, "count")} instead of at most ${whole(wanted)}`;
      if (kind === "falling") return "it does not get harder towards the end";
      return `${some(found, "move")} of the kind ${name} instead of ${whole(wanted)}`;
    },
    looked: (n: number, hardest: Record<string, number>) => {
      const kinds = words.wish.row(hardest);
      return `${some(n, "candidate")} checked.${kinds ? ` The hardest move of those that need no guess: ${kinds}.` : ""}`;
    },
    near: "Other near results",
    row: (kinds: Record<string, number>) =>
      Object.entries(kinds)
        .map(([kind, k]) => `${whole(k)} × ${words.wish.kinds[kind]}`)
        .join(", "),
  },
  like: "The board I have now",
  madeName: (kind: string, size: number) => (kind === "like" ? "New mines" : `${words.kinds[kind]} ${size}`),
  missed: ({ wanted, smooth }: { wanted?: string | null; smooth: number | null }) =>
    `You asked for a difficulty of ${wanted?.replace("..", " to ")}. The nearest found ${smooth === null ? "cannot be scored" : `has ${smooth.toFixed(1)}`}; try a larger board, another kind or once more.`,
  nothingFound: "No puzzle found in time. Try another size or difficulty.",
  again: "Start over",
  own: "Type a board or open a file",
  ownWhat:
    "A .puz file, a .hexcells level, a .mine file of JSMinesweeper, a JSON position, or a rectangle as text: “.” safe, “*” mine, “?” safe without a number; in play digits, “#” closed, “!” flag.",
  openFile: "Open a file",
  take: "Use it",
  saveFile: "Save as .puz",
  batch: {
    title: "Rate many puzzles",
    what: "Choose files or archives (.zip), or drop them here. Each puzzle is read, rated and solved, each move by the easiest deduction.",
    choose: "Choose files",
    save: "Save as a table",
    pack: "Save as a campaign",
    packWhat: "A campaign is one archive for the game: the puzzles in this order, each leading to the next.",
    stop: "Stop",
    at: (n: number, total: number, file: string) => `${whole(n)} of ${whole(total)}: ${file}`,
    stopped: (done: number, total: number) => `Stopped after ${whole(done)} of ${whole(total)}.`,
    heads: ["Puzzle", "Difficulty", "Effort", "Solved", "Moves"],
    end: ({ no_guess, path }: Rated) =>
      no_guess ? "no guess" : path?.length ? `a guess after ${some(path.length, "move")}` : "a guess at once",
    none: "There is no puzzle in this archive.",
    unreadable: {
      damaged: "This archive is damaged, or packed in an unknown way.",
      locked: "This is locked by a password.",
      large: "This is too large: a puzzle may have 8 MB, an archive 64 MB.",
    },
    dash: "– has no score: combining counts alone does not solve it, or it needs a guess.",
  },
  saveName: (title: string, format: string) =>
    `${title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "board"}.${format}`,
  legend: "Groups",
  group: (name: string, count: number, cells: number) =>
    `${name}: ${some(count, "mine")} in ${some(cells, "cell")}`,
  editor: {
    title: "Level editor",
    name: "Title",
    level: {
      title: "In the game’s list of levels",
      fields: { id: "ID", next: "ID of the next puzzle", tile: "On its tile", author: "Author" },
      blank: { id: "made from the board", next: "none", tile: "ABC", author: "" },
      faults: {
        id: "An ID has letters and digits only, 40 at most.",
        next: "An ID has letters and digits only, 40 at most.",
        tile: "A tile has room for three characters.",
        author: "The author’s name has 80 characters at most.",
      },
    },
    open: "Make an empty board",
    edit: "Edit this board",
    editWhat: "The editor shows all mines.",
    brushes: {
      mine: ["Mine", "press or drag"],
      secret: ["Hidden number", "a ? when opened"],
      start: ["Open at the start", "no press needed"],
      colour: ["Colour", "cells counted together"],
      line: ["Counted set", "drag over or press its cells"],
      cell: ["Cells", "take away, or add at the edge"],
      join: ["Join", "drag or press: they become one"],
      copy: ["Copy", "drag or press, then press where"],
      ask: ["Why stuck?", "press a closed cell"],
    } as Record<Brush, [string, string]>,
    press: "Drawing sets",
    symmetry: "Mirror drawing",
    symmetries: {
      none: "not at all",
      sides: "left ↔ right",
      heads: "top ↔ bottom",
      half: "half turn",
      turns: "all turns",
    },
    counts: "Press a count at the edge to hide or show it.",
    total: "Show the total",
    hiddenCount: (name: string) => `${name}: count hidden; press to show it`,
    shownCount: (text: string) => `${text}; press to hide it`,
    wider: "Wider",
    narrower: "Narrower",
    higher: "Higher",
    lower: "Lower",
    hue: "Colour",
    hues: ["red", "orange", "yellow", "green", "blue", "indigo", "violet", "pink", "grey"],
    dark: (name: string) => (name === "grey" ? "black" : `dark ${name}`),
    selected: (n: number) => (n ? `${some(n, "cell")} selected.` : "Press cells one by one, or drag."),
    apply: { line: "Count as a set", join: "Join cells", copy: "Copy cells" },
    deselect: "Clear selection",
    stampHeld: (n: number) => `${some(n, "cell")} copied: press where the first of them goes.`,
    stampGone: "Copy other cells",
    notJoined: "These cells are not connected, so they were not joined.",
    noGuess: "Never needs a guess",
    stuck: "Needs a guess",
    noScore: "no score: combining clues in pairs stops",
    score: "difficulty, from rounds of comparing",
    closed: (n: number, all: number) => `${some(n, "cell")} of ${whole(all)} stay closed`,
    waves: "Waves",
    steps: "Steps",
    longest: "Longest step",
    rounds: (n: number) => some(n, "round"),
    waveKey: "Wave",
    regions: "Where solving stops",
    region: (name: string, n: number) => `${some(n, "cell")} from ${name}`,
    repairs: "Single-cell changes that fix it",
    partial: "No single-cell change fixes all of it. These open the most:",
    none: "No single-cell change opens any of it.",
    freeing: {
      number: (cell: string) => `Show the number at ${cell}`,
      open: (cell: string) => `Open ${cell} at the start`,
      clear: (cell: string) => `Remove the mine from ${cell}`,
      mine: (cell: string) => `Put a mine on ${cell}`,
    },
    freed: (whole_: boolean) => (whole_ ? "then no guess is needed" : "solves this part"),
    leaves: (n: number) => `leaves ${some(n, "cell")} closed`,
    more: (n: number) => `${some(n, "more change", "more changes")}`,
    play: "Play it",
    like: "Make one like it",
    computing: "Solving it",
    free: "Suggest a fix",
    did: {
      empty: "Empty board",
      edit: "Open in the editor",
      stroke: (brush: string, n: number) => `${brush}, ${some(n, "cell")}`,
      count: "A count shown or hidden",
      total: "Total",
      size: "Board size",
      repair: "Fix of one part",
    },
    states: {
      mine: "mine",
      number: (n: number) => `shows ${whole(n)}`,
      secret: "shows no number",
      start: "open at the start",
      wave: (n: number) => (n ? `decided in wave ${n}` : "known from the start"),
      stuck: "stays closed",
      selected: "selected",
      room: "room for a cell",
    },
  },
  boardLabel: (name: string) =>
    `${name}. Arrow keys move, Enter acts, F flags, M marks, Shift M changes the mark, N goes through the neighbours.`,
  states: { closed: "closed", flag: "flag", question: "open, no number", mine: "mine" },
  marks: {
    dot: ["Dot", "dots"],
    safe: ["Tick", "ticks"],
    unsure: ["Question mark", "question marks"],
    first: ["Pencil 1", "marks of pencil 1"],
    second: ["Pencil 2", "marks of pencil 2"],
  },
  markedAs: {
    dot: "marked with a dot",
    safe: "marked safe",
    unsure: "marked not sure",
    first: "marked by pencil 1",
    second: "marked by pencil 2",
  },
  marksText: (kind: Kind, cells: string[]) => {
    const said = words.markedAs[kind];
    return `${said[0].toUpperCase()}${said.slice(1)}: ${cells.join(", ")}.`;
  },
  shown: (n: number) => `open, ${whole(n)}`,
  near: (n: number, cells: number) => `${whole(n)} of ${whole(cells)} cells near`,
  inGroups: (groups: [string, number][]) =>
    groups.map(([name, n]) => `${name}: ${some(n, "mine")}`).join(", "),
  chance: (p: number) => `mine in ${percent(p)}`,
  refuse: {
    board: "Its board is damaged.",
    large: "It has more than 1 000 cells.",
    cells: "It names a cell that is not there.",
  },
};

export function join(names: string[]) {
  if (names.length < 2) return names[0] ?? "the open cells";
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A long count as a short one: 3.1 × 10¹⁸. */
function short(count: string) {
  if (count.length <= 9) return whole(count);
  const power = [...String(count.length - 1)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(d)]).join("");
  return `${count[0]}.${count[1]} × 10${power}`;
}
