/** The mines desk: Tametsi boards, to play, to analyse and to make. */
import { html, nothing } from "../../vendor.js";
import { choice, tick } from "../../widgets/panel.js";
import type { Binding, DeskPage } from "../desk.js";
import { accept } from "./accept.js";
import { bar } from "./bar.js";
import { drawBoard, resize, WIDE } from "./board.js";
import { boardProgress, enter, kindOf, modeOf, restart } from "./board-actions.js";
import { cellName, groupName } from "./cell-names.js";
import { describeEditor } from "./editor/analysis.js";
import { applySelection, brushOf, canApply, editorPage, selectBrush } from "./editor/editor-page.js";
import { isMade } from "./editor/edits.js";
import { examples } from "./examples.js";
import {
  chancesPanel,
  contradictionPanel,
  hintPanel,
  outlines,
  ratingPanel,
  wrongFlagPanel,
} from "./hints.js";
import type { Brush, Context, Desk, Position, Requests, View } from "./model.js";
import { cellsOf, drawnOf, knownOf, queryPosition, startPosition, tintOf, totalOf } from "./model.js";
import { askedCell, markPicker, totalField } from "./pads.js";
import { mini, picture } from "./picture.js";
import { after, KINDS, shownOf } from "./player-marks.js";
import { puzzles } from "./puzzles.js";
import { openPuzzles, takeText, wishResult } from "./puzzles-dialog.js";
import { controls, replayOf, reviewPanel, reviewQuery } from "./replay.js";
import { takePictures } from "./screenshot.js";
import { solutionOf, unseal } from "./sealed-solution.js";
import { words } from "./strings.js";

export const page: DeskPage<Desk> = {
  name: "mines",
  initial: () => puzzles[0].position,
  anew: (position) => (position.start ? startPosition(position) : puzzles[0].position),
  examples,
  accept,
  title: (position) => {
    const mines = totalOf(position) ?? 0;
    return [
      position.title || words.untitled,
      words.soFar(position.revealed?.length ?? 0, cellsOf(position) - mines, mines > 0),
    ];
  },
  listRequests,
  draw,
  bar,
  keys,
  describe,
  pictures: takePictures,
  picture: (context) => picture(context.position),
  mini,
  asks: words.asks,
  fresh: (position) => (position.start ? startPosition(position) : null),
  recognises: (text) =>
    /^\s*<PUZZLE/i.test(text) ||
    MINE_FILE.test(text) ||
    HEXCELLS.test(text) ||
    /^\s*[.*?]{3,}(\r?\n[.*?]{3,})+\s*$/.test(text) ||
    /^\s*[#!?0-9]{3,}(\r?\n[#!?0-9]{3,})+/.test(text),
  paste(text, context) {
    if (!/<PUZZLE|[.*#]{3}/i.test(text) && !MINE_FILE.test(text) && !HEXCELLS.test(text)) return false;
    takeText(context, text, context.notify);
    return true;
  },
};

/** The first line of a .mine file of JSMinesweeper: width, height and mines, such as `30x16x99`. */
const HEXCELLS = /^[ \t]*Hexcells level v1[ \t]*\r?$/m;
const MINE_FILE = /^\s*\d+x\d+x\d+\s*\r?\n\s*[HF?0-8]+/i;

function listRequests(position: Position, view: View) {
  const requests: Requests = {};
  if (!cellsOf(position)) return requests;
  if (isMade(position)) return listEditorRequests(position, view);
  const bare = queryPosition(position);
  const puzzle = position.sealed ? { ...bare, sealed: position.sealed } : bare;
  if (view.degree)
    requests.hint = { want: "hint", position: puzzle, options: { degree: view.degree }, urgency: "first" };
  if (view.degree && view.guess) requests.guess = { want: "guess", position: bare };
  const back = reviewQuery(position, view);
  if (back) requests.review = { ...back, urgency: "last" };
  if (view.check) requests.check = { want: "check", position: puzzle };
  if (view.chances) requests.solve = { want: "solve", position: bare };
  if (view.why != null && view.chances)
    requests.explain = { want: "explain", position: bare, options: { cell: view.why } };
  // A wrong flag is named on request only; until then the flags are left out.
  if (!position.sealed)
    requests.doubt = {
      want: "doubt",
      position: view.which ? bare : { ...bare, flags: [] },
      options: { redundant: false },
    };
  if (view.rate && position.sealed)
    requests.rate = {
      want: "rate",
      position: { ...queryPosition(startPosition(position)), sealed: position.sealed },
      options: { inexact_rounds: view.rounds ?? 1 },
      urgency: "last",
    };
  if (requests.rate && view.published)
    requests.published = { ...requests.rate, options: { ...requests.rate.options, score: "published" } };
  if (requests.rate) requests.path = { ...requests.rate, options: { path: true } };
  return requests;
}

/** In the level editor: the analysis of the board, and of the selected region. */
function listEditorRequests(position: Position, view: View) {
  const board = queryPosition(position);
  const requests: Requests = { author: { want: "author", position: board, urgency: "first" } };
  if (view.region != null)
    requests.freeing = { want: "author", position: board, options: { region: view.region } };
  return requests;
}

function draw(context: Context) {
  const { position } = context;
  if (isMade(position)) return editorPage(context);
  if (position.sealed && !solutionOf(position)) unseal(position).then((found) => found && context.redraw());
  const replay = replayOf(context);
  return html`<div class="mines-desk">
    <section class="board-side stack">
      ${head(context)}
      ${drawBoard(context, replay)}
      ${replay ? controls(context, replay) : tools(context)}
    </section>
    <div class="stack side">
      ${status(context)}
      ${contradictionPanel(context)}
      ${wrongFlagPanel(context)}
      ${hintPanel(context)}
      ${chancesPanel(context)}
      ${reviewPanel(context)}
      ${legend(context)}
      ${ratingPanel(context)}
    </div>
  </div>`;
}

function head(context: Context) {
  const { position } = context;
  const marks = Object.values(shownOf(position)).flat().length;
  return html`<div class="between"><div><h1>${position.title || words.untitled}</h1>
    <p class="sub">${words.line(cellsOf(position), totalOf(position), marks)}</p></div>
    <button class="plain" data-edit @click=${() => openPuzzles(context)}>${words.puzzles}</button></div>`;
}

function status(context: Context) {
  const { position, view } = context;
  const now = boardProgress(position);
  if (view.made?.wished) return wishResult(view.made.wished);
  if (view.made) return html`<p class="note warn" role="status">${words.missed(view.made)}</p>`;
  if (!now)
    return position.sealed
      ? nothing
      : html`<p class="quiet keys-hint">${words.edit}</p>${totalField(context)}`;
  const slips = view.slips ? words.slipped(view.slips) : words.wonClean;
  if (now.over)
    return html`<div class="note good-note" role="status"><p><b>${words.won}</b> ${slips}</p>
    <div class="row wrap" data-edit><button class="main" @click=${() => openPuzzles(context)}>${words.puzzles}</button>
    <button class="plain" @click=${() => restart(context)}>${words.again}</button></div></div>`;
  const flags = position.flags?.length ?? 0;
  return html`<div><p class="left"><b>${now.left}</b><span>${words.safeLeft(now.left)}<br><span class="faint">${words.minesLeft(now.mines - flags)}</span></span></p></div>`;
}

/**
 * What a press does, in the words of a finger or of a mouse.
 * @param wide the cells are small on a phone
 */
function tip(view: View, wide: boolean) {
  const finger = matchMedia("(pointer: coarse)").matches;
  const mode = modeOf(view);
  const press = (finger ? words.touchTip : words.modeTip)[mode];
  const tip = mode === "mark" ? `${words.pencils[kindOf(view)]}. ${press}` : press;
  return finger && wide ? `${tip} ${words.fingersTip}` : tip;
}

/** Counts that have no place at the edge: colours, any set, the total. */
function legend(context: Context) {
  const { position, view } = context;
  const drawn = drawnOf(position);
  const placed = new Set(drawn.labels.filter((l) => !l.inside).map((l) => l.group));
  const { lit, known } = outlines(context);
  const rest = drawn.groups.map((g, i) => ({ ...g, i })).filter(({ i }) => !placed.has(i));
  const plain = rest.every((g) => g.kind === "total" && !lit.has(g.i));
  return html`<section class="stack-small">
    ${
      rest.length && !(plain && !view.countdown)
        ? html`<h2>${words.legend}</h2><ul class="legend">${rest.map((g) => {
            const flags = view.countdown ? g.cells.filter((c) => known.flags.has(c)).length : 0;
            const name = groupName(position, drawn.groups, g.i);
            return html`<li class=${`${lit.has(g.i) ? "lit" : ""} ${tintOf(g)}`}><b>${words.left(g.count - flags)}</b><span>${words.group(name[0].toUpperCase() + name.slice(1), g.count, g.cells.length)}</span></li>`;
          })}</ul>`
        : nothing
    }
    ${tick(words.countdown, view.countdown, (countdown) => context.set({ countdown }))}
  </section>`;
}

function tools(context: Context) {
  const { position, view } = context;
  const mode = modeOf(view);
  return html`<div class="modes" data-edit>
    ${choice({ label: words.mode, options: words.modes, value: mode, onChange: (next) => context.set({ mode: next }) })}
    ${resize(context)}
    ${position.start && !boardProgress(position)?.over ? html`<button class="plain" @click=${() => restart(context)}>${words.again}</button>` : nothing}
  </div>${mode === "mark" ? markPicker(context) : nothing}<p class="quiet tip" data-edit role="status">${chordLine(view.chord) ?? tip(view, drawnOf(position).view[2] > WIDE)}</p>`;
}

/** What a second press on an open number would do, or why nothing. */
function chordLine(chord: View["chord"]) {
  if (!chord) return null;
  if (!chord.cells.length) return words.chordNot(chord.number, chord.flags);
  return (chord.mine ? words.chordFlag : words.chord)(chord.cells.length);
}

function keys(context: Context): Binding[] {
  if (isMade(context.position)) return editorKeys(context);
  const order = ["open", "flag", "mark"] as const;
  const next = order[(order.indexOf(modeOf(context.view)) + 1) % 3];
  return [
    { keys: ["x"], label: words.boardKeys.mode, run: () => context.set({ mode: next }) },
    {
      keys: ["k"],
      label: words.boardKeys.kind,
      run: () => context.set({ mode: "mark", kind: after(kindOf(context.view)) ?? KINDS[0] }),
    },
    {
      keys: ["h"],
      label: words.boardKeys.hint,
      run: () => context.set({ degree: Math.min(4, (context.view.degree ?? 0) + 1), why: null }),
    },
    {
      keys: ["c"],
      label: words.chances,
      run: () => context.set({ chances: !context.view.chances, why: null }),
    },
    { keys: ["p"], label: words.puzzles, opens: true, run: () => openPuzzles(context) },
    ...boardKeys(context),
  ];
}

/**
 * The keys that the board itself takes while one of its cells has the focus, for the sheet. What the
 * asked cell of a board played elsewhere shows is taken wherever the focus is.
 */
function boardKeys(context: Context) {
  const board = { when: () => false, run: () => {} };
  const cell = askedCell(context);
  const digits = {
    keys: [..."0123456789"],
    label: words.boardKeys.digits,
    when: () => cell !== null,
    run: ({ key }: KeyboardEvent) => cell !== null && enter(context, cell, Number(key)),
  };
  return [
    { keys: ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"], label: words.boardKeys.walk, ...board },
    { keys: ["Enter"], label: words.boardKeys.act, ...board },
    { keys: ["f"], label: words.modes.flag, ...board },
    { keys: ["m"], label: words.modes.mark, ...board },
    { keys: ["Shift+m"], label: words.boardKeys.turn, ...board },
    { keys: ["n"], label: words.boardKeys.around, ...board },
    ...(context.position.sealed ? [] : [digits]),
  ];
}

function editorKeys(context: Context): Binding[] {
  const order = Object.keys(words.editor.brushes) as Brush[];
  const next = order[(order.indexOf(brushOf(context)) + 1) % order.length];
  return [
    { keys: ["x"], label: words.editor.press, run: () => selectBrush(context, next) },
    {
      keys: ["a"],
      label: Object.values(words.editor.apply).join(", "),
      when: () => canApply(context),
      run: () => applySelection(context),
    },
    { keys: ["p"], label: words.puzzles, opens: true, run: () => openPuzzles(context) },
  ];
}

function describe(context: Context) {
  const { position, replies, view } = context;
  if (isMade(position)) return describeEditor(context);
  const drawn = drawnOf(position);
  const known = knownOf(position);
  const now = boardProgress(position);
  const first = now
    ? now.over
      ? words.won
      : `${now.left} ${words.safeLeft(now.left)}, ${words.minesLeft(now.mines - known.flags.size)}.`
    : `${position.title || words.untitled}.`;
  const lines = drawn.groups.map(
    (g, i) => `${words.group(groupName(position, drawn.groups, i), g.count, g.cells.length)}.`,
  );
  const open = [...known.numbers].map(
    ([cell, n]) => `${cellName(position, cell)}: ${n == null ? words.states.question : n}.`,
  );
  const flags = [...known.flags].map((cell) => cellName(position, cell));
  const marks = shownOf(position);
  const hint = view.degree ? replies.hint?.value : null;
  const sentences = (hint?.steps ?? []).map((s) => s.text);
  const found = view.chances ? replies.solve?.value : null;
  return [
    first,
    ...(found
      ? [words.layouts(found.solutions, found.exact), words.forced(found.safe.length, found.mines.length)]
      : []),
    ...sentences,
    ...lines,
    ...open,
    ...(flags.length ? [words.flagged(flags)] : []),
    ...KINDS.flatMap((kind) =>
      marks[kind].length
        ? [
            words.marksText(
              kind,
              marks[kind].map((c) => cellName(position, c)),
            ),
          ]
        : [],
    ),
    ...(now?.over ? [] : [words.coveredRest]),
  ];
}
