/** Looking at one board: symmetries, solutions, which other rules it can obey; and at two: the closest match. */

import type { Automorphisms, View } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { tick } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { underneath } from "./board-panel.js";
import type { Context, Transform } from "./model.js";
import {
  boardOf,
  boxOf,
  clashes,
  constraintsOf,
  cycles,
  filled,
  focus,
  isComplete,
  moved,
  SYMBOLS,
  sizeOf,
  sources,
  tokensOf,
  withBoard,
} from "./model.js";
import { clashNote, fold, left, which, within } from "./sections.js";
import { words } from "./strings.js";
import { latestContext, PACE } from "./verdict.js";

export function analysisPanels(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  return html`<section class="card folds">
    ${fold(context, "symmetries", words.symmetries, () => symmetries(context))}
    ${fold(context, "solving", words.solve, () => solving(context))}
    ${there.length === 2 ? fold(context, "near", words.near, () => nearestPanel(context)) : nothing}
  </section>`;
}

function solving(context: Context) {
  const board = focus(context);
  const key = `solve${board}` as const;
  const found = context.replies[key]?.value;
  const [rows, cols] = boxOf(context.position);
  if (!found) return html`${which(context)}${waitingFor(context, key)}`;
  return html`${which(context)}
    <p>${found.not_compared && !found.compared ? words.asPlainHead : ""}${words.solveText[found.solutions as keyof typeof words.solveText]} ${found.conflict ?? ""}</p>
    ${left(found)}
    <div class="form-row">${found.found.map(
      (text) => html`<div class="form">${grid({ rows, cols, tokens: tokensOf(text), label: words.solve })}
        <button class="plain" data-edit @click=${() => context.commit(withBoard(context.position, board, text), words.useSolution)}>${words.useSolution}</button></div>`,
    )}</div>`;
}

function nearestPanel(context: Context) {
  const found = context.replies.nearest?.value;
  const [rows, cols] = boxOf(context.position);
  const clash = [0, 1].some((i) => clashes(context.position, i).size);
  return html`<p class="quiet">${words.nearText}</p>${clash ? clashNote() : waitingFor(context, "nearest")}
    ${
      found
        ? html`<p><b class="big">${words.nearResult(found)}</b> ${found.exact ? words.nearExact : ""} ${found.agree === found.of ? words.nearAll : ""}</p>
        ${left(found)}<p class="quiet">${words.nearShow}</p>
        <div class="form">${grid({ rows, cols, tokens: moved(found.witness, tokensOf(boardOf(context.position, 0))), label: words.nearShow, wrong: new Set(found.differs) })}</div>`
        : nothing
    }`;
}

/** How many layouts of a complete grid are an X-sudoku, a windoku and others, with an example of each. */
export function viewing(context: Context) {
  return fold(context, "viewing", words.views, () => views(context));
}

function views(context: Context) {
  const board = boardOf(context.position, focus(context));
  const reply = context.replies.views;
  const refused = sizeOf(context.position) !== 9 || !isComplete(board);
  return html`${which(context)}<p class="quiet">${words.viewsText}</p>${
    refused
      ? html`<p class="note">${words.viewsNeed}</p>`
      : html`${waitingFor(context, "views")}
        ${reply?.value ? html`${left(reply.value)}<ul class="views">${reply.value.views.map((one) => html`<li>${view(context, one)}</li>`)}</ul>` : nothing}`
  }`;
}

function view(context: Context, { kind, ways, example }: View) {
  const title = html`<b>${words.ruleNames[kind]}</b>: ${words.viewWays(ways)}`;
  if (!example) return html`<p>${title}</p>`;
  const constraints = [{ kind }];
  const at = 1 - focus(context);
  const use = () => context.commit(withBoard(context.position, at, example, constraints), words.viewTaken);
  return html`<details><summary>${title}</summary>
    <div class="form">${grid({ rows: 3, cols: 3, ...underneath([3, 3], constraints), tokens: tokensOf(example), label: words.viewDrawn(kind) })}
      <div class="row wrap" data-edit><button class="plain" @click=${use}>${words.viewUse(at)}</button></div></div></details>`;
}

const LAST = 2; // stages: as given, lines moved, symbols renamed

/** The timer of the next stage. */
let clock: ReturnType<typeof setTimeout> | undefined;
/** The cell under the mouse, which no view stores. */
let pointed: number | null = null;

/** Browse the automorphisms of a board, each played on a copy of it. */
function symmetries(context: Context) {
  const found = context.replies.automorphisms?.value;
  return html`${which(context)}${waitingFor(context, "automorphisms")}${found ? browser(context, found) : nothing}`;
}

function browser(context: Context, found: Automorphisms) {
  const { view } = context;
  const all = view.onlyGenerators ? found.generators : found.all;
  const first = view.onlyGenerators ? 0 : 1; // all of them begin with the identity, where nothing moves
  const i = Math.max(0, Math.min(all.length - 1, view.browse ?? first));
  const head = html`<p><b class="big">${explained(words.symmetriesText(found.count))}</b></p>`;
  if (found.count === 1 || !all[i]) return html`${head}${within(found)}${left(found)}`;
  const go = (next: number) => {
    clearTimeout(clock);
    context.set({ browse: (next + all.length) % all.length, stage: 0 });
  };
  return html`${head}${within(found)}${left(found)}
    <p class="quiet">${words.generators(found.generators.length)} ${found.complete ? "" : words.partial(found.all.length)}</p>
    ${tick(words.onlyGenerators, view.onlyGenerators, (onlyGenerators) => context.set({ onlyGenerators, browse: null, stage: 0 }))}
    <div class="symmetry">
      <div class="symmetry-board">${board(context, all[i])}</div>
      <div class="symmetry-words">
        <div class="row wrap controls">
          <button class="soft" aria-label=${words.previous} @click=${() => go(i - 1)}>◀</button>
          <span class="counter">${words.automorphism(i, all.length)}</span>
          <button class="soft" aria-label=${words.next} @click=${() => go(i + 1)}>▶</button>
          <button class="main" @click=${() => play(context)}>${words.playOne}</button>
        </div>
        <p class="cycles">${described(all[i])}</p>
        <p class="quiet">${words.staying(countFixedCells(all[i]))} ${words.follow}</p>
      </div>
    </div>`;
}

function board(context: Context, t: Transform) {
  const text = boardOf(context.position, focus(context));
  const stage = Math.min(LAST, context.view.stage ?? 0);
  const still = t.digits.map((_, d) => d);
  const tokens =
    stage === 0 ? tokensOf(text) : moved(stage === LAST ? t : { ...t, digits: still }, tokensOf(text));
  const [rows, cols] = boxOf(context.position);
  const follow = stage === 0 && pointed !== null && pointed < tokens.length ? pointed : null;
  return html`${grid({
    rows,
    cols,
    tokens,
    ...underneath([rows, cols], constraintsOf(context.position, focus(context))),
    label: words.stages[stage],
    selected: follow,
    linked: follow === null ? null : sources(t).indexOf(follow),
    onHover: (cell) => point(context, cell),
  })}<p class="quiet" role="status">${words.stages[stage]}</p>`;
}

function point(context: Context, cell: number | null) {
  if (cell === pointed) return;
  pointed = cell;
  context.redraw();
}

/** Play all stages of a transform. */
function play(context: Context) {
  clearTimeout(clock);
  pointed = null;
  context.set({ stage: 0 });
  // The first stage begins some frames later, so that tokens glide from their own cells.
  clock = setTimeout(() => advance(latestContext(context)), 60);
}

function advance(context: Context) {
  const stage = (context.view.stage ?? 0) + 1;
  context.set({ stage });
  context.announce(words.stages[stage]);
  if (stage < LAST) clock = setTimeout(() => advance(latestContext(context)), PACE);
}

const countFixedCells = (t: Transform) => sources(t).filter((source, i) => source === i).length;

/** A transform as cycles of rows, columns (or cells) and symbols. */
function described(t: Transform) {
  // A transform holds where each line comes from; people read an arrow as where it goes.
  const inverse = (line: number[]) => line.map((_, i) => line.indexOf(i));
  const size = t.rows.length;
  const number = (k: number) => String(k + 1);
  const cell = (i: number) => `r${Math.floor(i / size) + 1}c${(i % size) + 1}`;
  const moves = t.cells
    ? [cycles(inverse(t.cells), cell)]
    : [
        t.transpose ? words.parts.transpose : "",
        labelled(words.parts.rows, cycles(inverse(t.rows), number)),
        labelled(words.parts.cols, cycles(inverse(t.cols), number)),
      ];
  const digits = labelled(
    words.parts.digits,
    cycles(t.digits, (k) => SYMBOLS[k - 1] ?? ""),
  );
  return [...moves, digits].filter(Boolean).join("; ") || words.identity;
}

const labelled = (name: string, text: string) => (text ? `${name} ${text}` : "");
