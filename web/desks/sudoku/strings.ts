/** Every sentence of the sudoku desk, in one file. */
export type Listed = { lines: number; boards: number; classes: number };
export type Edits = Pick<NearPair, "edits" | "only_first" | "only_second" | "changed">;
/** a line that could not be read */
export type Bad = Pick<BadLine, "line" | "column" | "why">;

import { KINDS } from "../../types/constraint-kinds.js";
import type {
  BadLine,
  Cluster,
  Constraint,
  Duplicates,
  Nearest,
  NearPair,
  Numbered,
  Same,
} from "../../types/sudoku.js";
import { count, whole } from "../../widgets/numbers.js";
import type { Progress } from "../desk.js";

const boards = (n: number) => count(n, "board", "boards");

/** A count; beyond 2^53, where a number is not exact, as “about”. */
const many = (n: number) =>
  Number.isSafeInteger(n) ? whole(n) : `about ${n.toExponential(1).replace("e+", " · 10^")}`;

export const words = {
  asks: "Are two boards the same puzzle?",
  bar: {
    paste: "Paste",
    clash: "Repeated digit",
    twice: "The same symbol in cells that must differ.",
    show: "Where?",
    next: "Next step",
    again: "Once more",
    empty: "Which puzzles?",
    type: "Enter one, or paste two to compare.",
    second: "One board",
    another: "add one to compare",
    comparing: "Comparing the boards",
    steps: (n: number) => count(n, "step", "steps"),
  },
  title: "Same or different?",
  key: {
    title: "From the first board to the second",
    digits: "Digit",
    rows: (turned: boolean) => (turned ? "Column → row" : "Row"),
    cols: (turned: boolean) => (turned ? "Row → column" : "Column"),
    cells: "Cells",
    move: "move as the first step says",
    digit: (symbol: string) => `digit ${symbol}`,
    line: (isRow: boolean, n: number) => `${isRow ? "row" : "column"} ${n}`,
    text: "Small: first board. Bold: second board. Press an entry to see it on both.",
  },
  soFar: (a: number, b: number) =>
    b ? `two boards, ${a} and ${count(b, "given", "givens")}` : a ? count(a, "given", "givens") : "",
  shape: ([r, c]: [number, number]) => `${r * c}×${r * c}, boxes of ${r} rows and ${c} columns`,
  lead: "Two puzzles can be equivalent: rows and columns moved, the board transposed, digits renamed.",
  changeShape: "Change size",
  shapeTitle: "Which size?",
  shapeText: "Rows × columns of a box. Boards of another size are cleared.",
  paste: "Paste or type boards",
  pasteTitle: "Paste boards",
  pasteHow:
    "One or two boards, or a list: 81 characters, a drawn or copied table, an .sdk or .sdm file, a link of f-puzzles, SudokuPad, sudokuwiki, sudokuexchange, sudoku.coach or Penpa.",
  pasteTake: "Read this",
  recognised: (format: string, n: number) => `Recognised: ${format}, ${boards(n)}.`,
  photo: {
    bring: "Read a picture",
    camera: "Camera",
    title: "Read from a picture",
    titleOf: (k: number, n: number) => `Read from a picture, ${k} of ${n}`,
    doing: (note = "looking for the board") => `${note[0].toUpperCase()}${note.slice(1)} …`,
    picture: "The picture with the detected lines drawn over it",
    corners: "Lines in the wrong place? Drag the corners.",
    corner: ["Upper left corner", "Upper right corner", "Lower right corner", "Lower left corner"],
    help: "Drag the four corners onto the board; it is then read again.",
    again: "Read again",
    skip: "Skip this one",
    accept: (n: number) => `Use this board (${count(n, "symbol", "symbols")})`,
    blank: "blank",
    cells: "Cells to check",
    keys: (at: number, size: number) => `Symbol in ${words.photo.place(at, size)}`,
    place: (at: number, size: number) => `row ${Math.floor(at / size) + 1}, column ${(at % size) + 1}`,
    more: (n: number) => `${count(n, "more cell is", "more cells are")} unclear: compare the whole board.`,
    repaired: (seen: string) => `looked like ${seen === "." ? "a blank" : seen}; the rules say otherwise`,
    judged: (open: number, repaired: number) =>
      open
        ? `One solution. ${count(open, "cell is", "cells are")} unclear.`
        : repaired
          ? "One solution. The corrected cells are below."
          : "Clearly read, with exactly one solution.",
    whole: {
      0: "Check the whole board: as read, it has no solution.",
      1: "Check the whole board: its lines are hard to see.",
      ">=2": "Check the whole board: as read, it has several solutions.",
      unknown: "Check the whole board: it has too few givens to verify by solving.",
    } as Record<string, string>,
    own: (n: number) =>
      `Leave out the ${count(n, "symbol", "symbols")} in another colour: they may be entered digits, not givens.`,
    label: (n: number) => `${boards(n)} from ${n === 1 ? "a picture" : "pictures"}`,
    taken: (n: number) => `${boards(n)} read. The picture was not stored.`,
    listed: (n: number) => `${boards(n)} read; they are in the list.`,
  },
  readSoon: "Your text will be read when Python has started.",
  badPlaces: "What could not be read:",
  place: (p: Bad) => `Line ${p.line}${p.column ? `, column ${p.column}` : ""}: ${p.why}`,
  names: ["First board", "Second board"],
  board: (i: number, b: string) =>
    `${words.names[i]}, ${count([...b].filter((c) => c !== ".").length, "given", "givens")}. Arrow keys move, symbols fill, Backspace clears.`,
  givens: (n: number) => count(n, "given", "givens"),
  complete: "complete",
  empty: "empty",
  solutions: { 0: "no solution", 1: "one solution", ">=2": "several solutions" },
  clash: "Marked cells break the rules: the same symbol in cells that must differ.",
  clashFirst: "Correct the marked cells first.",
  clear: "Clear",
  cleared: "Board cleared",
  cell: (at: number, size: number, symbol: string) =>
    `Row ${Math.floor(at / size) + 1}, column ${(at % size) + 1}: ${symbol === "." ? "cleared" : symbol}`,
  swap: "Swap boards",
  erase: "Erase",
  symbol: (s: string) => `Symbol ${s}`,
  pad: "Symbols for the chosen cell",
  print: "Print",

  needTwo: "Enter another board to compare, or analyse this one below.",
  needOne: "Paste a puzzle, enter one in the grid, or use an example.",
  same: "The same",
  different: "Different",
  verdict: (found: Pick<Same, "same" | "not_compared" | "compared">) =>
    `${found.same ? words.same : words.different}${found.not_compared ? (found.compared ? words.asFar : words.asPlain) : ""}`,
  asFar: " as far as compared",
  asPlain: " as plain sudoku",
  plainly: " by plain rules",
  asPlainHead: "As plain sudoku: ",
  notCompared: (names: string[]) => `Not compared: ${names.join(", ")}.`,
  rulesTitle: "Rules",
  rulesText:
    "Beyond rows, columns and boxes, for both boards. Cages, lines and irregular regions come with a pasted link.",
  ruleOfOne: "Now on one board only.",
  ruleNames: {
    diagonals: "X: both diagonals",
    windows: "Windows",
    disjoint: "Disjoint groups",
    antiknight: "Anti-knight",
    antiking: "Anti-king",
    nonconsecutive: "Nonconsecutive",
  } as Record<string, string>,
  ruleHelp: {
    diagonals: "Each symbol once on each long diagonal.",
    windows: "Each symbol once in every shaded window (Windoku).",
    disjoint: "Cells in the same place of every box differ.",
    antiknight: "Cells a knight's move apart differ.",
    antiking: "Cells that touch at a corner differ.",
    nonconsecutive: "Neighbours do not hold consecutive digits.",
  } as Record<string, string>,
  comparedWith: (found: { compared?: string[]; cell_maps?: number }) =>
    `Compared with ${(found.compared ?? []).join(", ")}${found.cell_maps ? `: ${whole(found.cell_maps)} ${found.cell_maps === 1 ? "symmetry of the cells keeps" : "symmetries of the cells keep"} these rules` : ""}.`,
  also: (constraints: Constraint[]) =>
    `With ${[...new Set(constraints.map((one) => KINDS[one.kind]?.plural ?? one.name))].join(", ")}.`,
  forget: "Ignore these rules",
  forgotten: "Rules ignored",
  leftOut: (names: string[]) => `Left out, because this notation does not support it: ${names.join(", ")}.`,
  listRules: "Some of these boards have constraints beyond rows, columns and boxes; they are not compared.",
  sameText: (n: number) =>
    n === 0
      ? "The boards are identical."
      : `${count(n, "step turns", "steps turn")} the first board into the second.`,
  ways: (n: number, shortest: boolean) =>
    `The board is symmetric, so ${many(n)} transforms work; ${shortest ? "none takes fewer steps than this one" : "these are the fewest steps found, not proven to be the fewest"}.`,
  noRelabel: "Do not rename digits",
  noRelabelHelp: "Rows and columns may move; digits may not be renamed.",
  play: "Play",
  pause: "Pause",
  back: "Step back",
  forward: "Step forward",
  restart: "From the start",
  steps: "Steps",
  at: (k: number, n: number) =>
    k === 0
      ? "The first board as given"
      : k === n
        ? "Now it is the second board"
        : `After ${k} of ${n} steps`,
  link: "Point at a cell (or choose one) to see where it goes on the other board.",
  decidedBy: "Decided by",
  rungs: {
    constraints: "the constraints",
    givens: "counting givens",
    symbols: "counting symbols",
    names: "counting symbols by name",
    lines: "givens in rows and columns",
    atoms: "minirows and minicolumns",
    meetings: "pairs of digits that share a strip",
    table: "the co-occurrence table",
    rectangles: "unavoidable rectangles",
    cycles: "cycles of two parallel lines",
    bands: "the 416 bands",
    refinement: "refinement",
    certificate: "refinement after fixing a cell",
    automorphisms: "counting symmetries",
    forms: "the least forms",
  } as Record<string, string>,
  rectangles: (n: number) => count(n, "rectangle", "rectangles"),
  noneHere: "none here",
  ofBand: (n: number) => `: band ${whole(n)} of 416`,
  /** Lines, boxes, a band or a stack by their cells. */
  lined: (places: number[][], size: number) => places.map((cells) => words.house(cells, size)).join(", "),
  house: (cells: number[], size: number) => {
    const [from, to] = [cells[0], cells[cells.length - 1]];
    const [top, left] = [Math.floor(from / size) + 1, (from % size) + 1];
    const [bottom, right] = [Math.floor(to / size) + 1, (to % size) + 1];
    const rows = top === bottom ? `row ${top}` : `rows ${top} to ${bottom}`;
    const columns = left === right ? `column ${left}` : `columns ${left} to ${right}`;
    if (right - left + 1 === size) return rows;
    return bottom - top + 1 === size ? columns : `${rows}, ${columns}`;
  },
  described: (symbols: string[]) => `${symbols.join(", ") || "no symbol"} with these counts`,
  stands: (symbol: string, n: number) => `${symbol} stands ${count(n, "time", "times")}`,
  chute: (isRow: boolean, from: number, to: number, counts: number[]) =>
    `${isRow ? "rows" : "columns"} ${from} to ${to}: ${counts.join(", ")} givens`,
  meetings: (strips: number, pairs: number, a: string, b: string) => {
    const shared = count(strips, "strip", "strips");
    if (pairs) return `${a} and ${b} share ${strips ? shared : "no strip"}`;
    return strips ? `no pair with ${shared}` : "any two digits share a strip";
  },
  lists: ["in the first", "in the second"],

  forms: "Least forms",
  formsNew:
    "Write a board as one line of symbols. Of all lines that it and its equivalent boards give, the smallest one is its least form (minlex). Two boards are equivalent exactly if their least forms are equal.",
  showBoard: "Show board",
  hideBoard: "Hide board",
  copyBoth: "Copy both",
  copySentence: "Copy this sentence",
  replaceTitle: "Which board should it replace?",
  replaceText: "There are already two boards. The new board:",
  replaceNew: "The new board",
  replace: (i: number) => (i ? "The second" : "The first"),
  replaceNone: "Neither",
  start: {
    lead: "Enter one board to see its number and symmetries, two to compare them, or a list to sort.",
    type: "Fill in a board",
    look: "Or try an example",
  },
  formsWhat: "What is a least form?",
  formsNames:
    "Least forms rename digits. If digits keep their names, boards with the same least form can differ; boards with different ones always differ.",
  renamed: {
    true: "With digits renamed they are the same.",
    false: "With digits renamed they are different, too.",
  },
  formsText: "Programs use different conventions. State which one when you share a form.",
  conventions: { straight: "Straight", pattern_first: "Pattern first", solution_carried: "Solution carried" },
  convention: "Convention",
  conventionText: {
    straight: "Minlex: smallest string, blank before 1 before 2. sudoku.coach does so.",
    pattern_first:
      "Pattern first: givens as late as possible, then the smallest digits. sudoku-minlexing-tool does so.",
    solution_carried:
      "By solution: minlex form of the solution, with the givens moved along. SudokuWiki does so.",
  },
  minlex: "A full grid's least form begins with 123456789.",
  copy: "Copy",
  copied: "Copied.",
  formOf: (i: number) => `Least form of the ${i ? "second" : "first"} board`,

  symmetries: "Symmetries",
  symmetriesText: (n: number) =>
    n === 1
      ? "Only the identity maps this board to itself."
      : `${many(n)} transforms map this board to itself.`,
  automorphism: (i: number, n: number) => `${whole(i + 1)} of ${whole(n)}`,
  partial: (n: number) => `The first ${whole(n)} can be browsed.`,
  previous: "Previous",
  next: "Next",
  playOne: "Play it",
  stages: ["The board as given", "Rows and columns moved", "Digits renamed: the same board again"],
  staying: (n: number) =>
    n ? `${count(n, "cell stays", "cells stay")} in place.` : "No cell stays in place.",
  follow: "Point at a cell to see where it goes.",
  identity: "The identity: nothing moves.",
  parts: { transpose: "transpose", rows: "rows", cols: "columns", digits: "symbols" },
  generators: (n: number) => `${count(n, "generator generates", "generators generate")} all of them.`,
  onlyGenerators: "Generators only",

  solve: "Solutions",
  solveText: {
    0: "It has no solution.",
    1: "It has exactly one solution.",
    ">=2": "It has several solutions; here are two.",
  },
  useSolution: "Put it on the board",

  near: "Closest match",
  nearText: "How many givens can be made to agree by moving rows and columns and renaming digits?",
  nearResult: (r: Nearest) =>
    `${r.agree} of ${r.of} givens can be made to agree${r.exact ? "" : ` (at most ${r.bound} are possible)`}.`,
  nearExact: "Proven: no transform does better.",
  nearAll: "All givens of one board are in the other.",
  nearShow: "The first board, moved to match; cells that differ are marked",

  views: "What this grid can be",
  viewsText:
    "A solved grid stays the same sudoku when its rows, columns, bands and stacks change places. Some of its 3\u00a0359\u00a0232 layouts also obey the rules of a variant.",
  viewsNeed: "Enter a complete 9×9 grid.",
  viewWays: (n: number) => (n ? count(n, "way", "ways") : "in no way"),
  viewDrawn: (kind: string) => `The grid in a layout that obeys: ${KINDS[kind]?.plural}`,
  viewUse: (i: number) => `Open as the ${i ? "second" : "first"} board`,
  viewTaken: "Layout opened.",

  number: "The number of a grid",
  numberText:
    "There are 5\u00a0472\u00a0730\u00a0538 essentially different grids. Each has a number, its rank among their least forms: two complete grids are equivalent exactly if their numbers are equal.",
  numberNine: "Only 9×9 grids have numbers.",
  numberOf: (n: string) => `of ${n} essentially different ones`,
  numberPlace: "Rank among all grids",
  numberPuzzle: "This is the number of its solution.",
  card: {
    address: "Address",
    copyAddress: "Copy address",
    copyLink: "Copy link",
    addressText: (puzzle: boolean) =>
      puzzle
        ? "Seven letters for the number of the solution, eighteen for the givens, nine for the order of lines and digits: enter it below to get this exact puzzle. The link leaves out the last nine and opens the least form."
        : "Seven letters for the number, nine for the order of lines and digits: enter it below to get this exact grid. The link has the first seven and opens the least form.",
    bands: "Bands and stacks",
    chutes: (c: number[]) =>
      `${c.slice(0, 3).join(", ")} from the top; ${c.slice(3).join(", ")} from the left (classes 1 to 416)`,
    canonical: "Most canonical",
    least: (r: Numbered) => `band ${r.least_band + 1} and stack ${r.least_stack + 1}: of the lowest classes`,
    symmetries: "Symmetries",
    group: (r: Numbered) =>
      r.automorphisms === 1
        ? `only the identity, like ${whole(r.as_symmetric)} of the essentially different grids`
        : `${whole(r.automorphisms)} transforms map it to itself, like ${count(r.as_symmetric, "essentially different grid", "essentially different grids")}: ${Object.entries(
            r.orders,
          )
            .map(([order, n]) => (order === "1" ? "the identity" : `${whole(n)} of order ${order}`))
            .join(", ")}`,
    disguises: "Equivalent grids",
    size: (n: number) => `${whole(n)} grids are equivalent to this one`,
    sets: "Unavoidable sets",
    setsText: (counts: Record<string, number>) =>
      `${whole(counts[4])} of four cells and ${whole(counts[6])} of six. The cells of such a set can be filled in another way, so every puzzle of this grid has a given in each.`,
    setBack: "Previous set",
    setOn: "Next set",
    setOf: (i: number, n: number) => `${whole(i + 1)} of ${whole(n)}`,
    setDrawn: (n: number) => `The grid, with an unavoidable set of ${n} cells marked`,
    setGivens: (n: number) => `${count(n, "given", "givens")} of the puzzle in it.`,
  },
  numberBack: "Previous grid",
  numberOn: "Next grid",
  numberCopy: "Copy number",
  numberType: "A number, or an address",
  numberGo: "Open it",
  numberRandom: "Random grid",
  numberRandomText:
    "A random grid is drawn from all 5\u00a0472\u00a0730\u00a0538, each with the same chance, however many equivalent grids it has.",
  numberMade: (n: string) => `Grid ${n}`,

  make: "Make a board",
  makeDialog: {
    what: "What to make",
    kinds: { puzzle: "Puzzle", grid: "Complete grid", disguise: "Scrambled board" },
    name: "From the grid with the number or name",
    go: "Make it",
    fromGrid: "From the grid on the current board",
    disguiseText: "An equivalent board, with rows and columns moved and digits renamed, as the second board.",
    steps: "Steps to undo it",
    stepChoices: { any: "Any", fewest: "One", most: "Most" },
    disguised: (n: number) => `Scrambled by ${count(n, "step", "steps")}`,
    known: "Known puzzles",
    knownText:
      "Puzzles of 17 to 20 givens are rarely found by chance. Open a file of known puzzles, one per line, and use one of them.",
    open: "Open a file",
    opened: (name: string, n: number) => `${name}: ${count(n, "puzzle", "puzzles")}.`,
    take: (clues: string) => (clues ? `Use one of ${clues} givens` : "Use one"),
    none: (name: string) => `${name} has no line of 81 symbols.`,
    noneWith: (clues: string) => `None of its puzzles has ${clues} givens.`,
    large: (name: string) => `${name} is larger than 60 MB. Split it first.`,
  },
  clues: "Givens",
  any: "any",
  fewClues: {
    none: "There is none: 17 givens are the fewest that leave one solution (McGuire, Tugemann and Civario, 2012).",
    rare: "Rare: of 300\u00a0000 random minimal puzzles 648 had 21 givens, 13 had 20 and none had fewer. It can take long and may fail.",
  },
  minimal: "Minimal: no given is redundant",
  symmetry: "Pattern",
  patterns: {
    none: "no symmetry",
    "half-turn": "half turn",
    "quarter-turn": "quarter turn",
    horizontal: "top and bottom",
    vertical: "left and right",
    diagonal: "diagonal",
    antidiagonal: "other diagonal",
  },
  seed: "Seed",
  made: (n: number, minimal: boolean) => `${count(n, "given", "givens")}${minimal ? ", minimal" : ""}`,
  madeGrid: "Random grid",

  list: "A list",
  listText:
    "Up to a million boards, one per line, pasted or dropped here: find duplicates and near duplicates, compute minlex forms, or solve them.",
  listTask: "Task",
  tasks: {
    group: "Find duplicates",
    canon: "Least forms",
    solve: "Solve",
    annotate: "Table",
    near: "Near duplicates",
  },
  listBy: "Group boards by",
  listBys: { class: "Equivalence", solution: "Solution", pattern: "Pattern", symmetries: "Symmetries" },
  listNumber: "Number of each grid",
  listNumbers: { no: "Without numbers", yes: "Numbers, 10 ms each" },
  saveTable: "Save the table (CSV)",
  saveNear: "Save the pairs (CSV)",
  nearMost: "Cells that may differ",
  nearMosts: { 1: "1", 2: "2", 10: "10 on one solution grid" },
  nearDone: (r: Duplicates) =>
    `${boards(r.boards)}, ${count(r.same, "duplicate", "duplicates")}: ${count(r.total, "near pair", "near pairs")} in ${count(r.groups, "cluster", "clusters")}.`,
  nearProgress: (p: Progress) => `${p.note}, ${Math.floor((100 * p.done) / (p.total || 1))} %`,
  nearNone: (n: number) =>
    `No two boards differ in at most ${n} cells under any transform. All pairs were checked.`,
  nearCertain: (n: number) =>
    `All pairs of up to ${n} cells are listed; pairs of more cells only if they have the same solution grid.`,
  nearLeft: (n: number) => `${count(n, "pair", "pairs")} could not be decided.`,
  nearPair: (p: NearPair) => `Line ${whole(p.first + 1)} ~ line ${whole(p.second + 1)}: ${p.text}`,
  nearPress: "Press one to see both boards, and what differs under “Closest match”.",
  nearMorePairs: (n: number) => `… and ${count(n, "pair", "pairs")} more.`,
  nearMoreClusters: (n: number) => `… and ${count(n, "cluster", "clusters")} more.`,
  nearMoreLines: (n: number) => `… and ${count(n, "line", "lines")} more.`,
  nearNode: (line: number) => `line ${whole(line + 1)}`,
  nearSign: (p: Edits) =>
    p.edits
      ? [
          p.only_second && `+${p.only_second}`,
          p.only_first && `−${p.only_first}`,
          p.changed && `≠${p.changed}`,
        ]
          .filter(Boolean)
          .join(" ")
      : "=",
  nearSigns: "In the later line: + more givens, − fewer givens, ≠ changed givens; = equivalent boards.",
  nearCluster: (cluster: Cluster, pairs: NearPair[]) =>
    `A cluster of ${count(cluster.size, "line", "lines")}: ${pairs.map((p) => words.nearPair(p)).join("; ")}`,
  listPaste: "One board per line",
  listFile: "Choose a file",
  listRun: "Go",
  listStop: "Stop",
  listPasted: "Pasted text",
  listChosen: (name: string, bytes: number) =>
    `${name}, ${bytes < 1e6 ? `${whole(Math.ceil(bytes / 1000))} kB` : `${whole(Math.round(bytes / 1e6))} MB`}`,
  listForget: "Remove",
  listBrought: (name: string) => `${name} is ready in “A list”.`,
  listRead: (format: string, box: [number, number]) =>
    /^(string|list)/.test(format)
      ? `The boards are ${words.shape(box)}.`
      : `Recognised: ${format}; its boards are numbered below, ${words.shape(box)}.`,
  listPacked: "This file is packed (.gz, .zip or the like): unpack it first.",
  listNoLines: "This file has a line of more than a million characters, so it is not a list of boards.",
  listProgress: (n: number, share: number) => `${whole(n)} lines, ${Math.floor(100 * share)} %`,
  listDone: (r: Listed) =>
    `${count(r.lines, "line", "lines")}: ${boards(r.boards)}, ${count(r.classes, "different one", "different ones")}, ${count(r.boards - r.classes, "duplicate", "duplicates")}.`,
  listDoneOther: (r: Pick<Listed, "lines" | "boards">) =>
    `${count(r.lines, "line", "lines")}, ${count(r.boards, "answer", "answers")}.`,
  listStopped: "Stopped. Results so far:",
  listBad: (n: number) => `${count(n, "line", "lines")} could not be read:`,
  listEqual: "Equivalent lines",
  listPair: (a: number, b: number) => `Line ${whole(a + 1)} = line ${whole(b + 1)}`,
  listAlso: (n: number) => `, ${whole(n + 1)}`,
  listAnd: (more: number) => ` and ${whole(more)} more`,
  listPress: "Press one to see both boards with the steps between them.",
  listFind: (i: number, n: number) =>
    n > 1 ? `Is the ${i ? "second" : "first"} board in the list?` : "Is the board in the list?",
  listPresent: (i: number, line: number) =>
    `The ${i ? "second" : "first"} board is in the list: it is line ${whole(line + 1)}.`,
  listAbsent: (i: number) => `The ${i ? "second" : "first"} board is not in the list.`,
  listHold: "Compare with another list",
  listHeld: "Paste or choose the other list above and press “Go”.",
  listKnown: (n: number, all: number) =>
    `${whole(n)} of ${boards(all)} ${n === 1 ? "is" : "are"} in the first list as well.`,
  listMet: (line: number, other: number) =>
    `Line ${whole(line + 1)} = line ${whole(other + 1)} of the first list`,
  listMore: (n: number) => `… and ${whole(n)} more groups; “Save equivalent lines” has them all.`,
  listMoreBad: (n: number) => `… and ${whole(n)} more; the saved file has them all.`,
  saveUnique: "Save without duplicates",
  saveEqual: "Save equivalent lines",
  saveClasses: "Save the class of every line",
  saveUnread: "Save unreadable lines",
  saveAnswers: "Save the answers",

  export: "For other programs",
  exportAs: "Copy as",
  notations: {
    string: "One line",
    zeros: "One line with zeros",
    grid: "Drawn grid",
    sudokuwiki: "sudokuwiki link",
    sudokuexchange: "sudokuexchange link",
    "f-puzzles": "f-puzzles link",
    sudokupad: "SudokuPad link",
    "sudoku.coach": "sudoku.coach link",
    penpa: "Penpa link",
  },
  files: { sdk: "Save as .sdk", sdm: "Save as .sdm" },
  which: "Board",
  whichNames: { 0: "First", 1: "Second" },
};
