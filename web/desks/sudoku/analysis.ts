/** Looking at one board: symmetries, solutions, which other rules it can obey; and at two: the closest match. */

import type { Automorphisms, View } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import type { OnInput } from "../../widgets/on.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { underneath } from "./board-panel.js";
import type { Context, Transform } from "./model.js";
import {
  boardOf,
  boxOf,
  cycles,
  filled,
  focus,
  isComplete,
  moved,
  rulesOf,
  SYMBOLS,
  sizeOf,
  sources,
  tokensOf,
  withBoard,
} from "./model.js";
import { fold, left, which, within } from "./sections.js";
import { words } from "./strings.js";
import { lastWitness, PACE } from "./verdict.js";

export function analysisPanels(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  return html`<section class="card folds">
    ${fold(context, "symmetries", words.symmetries, () => symmetries(context))}
    ${fold(context, "solving", words.solve, () => solving(context))}
    ${there.length === 2 ? fold(context, "near", words.near, () => near(context)) : nothing}
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

function near(context: Context) {
  const found = context.replies.nearest?.value;
  const [rows, cols] = boxOf(context.position);
  return html`<p class="quiet">${words.nearText}</p>${waitingFor(context, "nearest")}
    ${
      found
        ? html`<p><b class="big">${words.nearResult(found)}</b> ${found.exact ? words.nearExact : ""} ${found.agree === found.of ? words.nearAll : ""}</p>
        ${left(found)}<p class="quiet">${words.nearShow}</p>
        <div class="form">${grid({ rows, cols, tokens: moved(found.witness, tokensOf(boardOf(context.position, 0))), label: words.nearShow, wrong: new Set(found.differs) })}</div>`
        : nothing
    }`;
}

/** In how many ways a complete grid can be an X-sudoku, a windoku and others, with a redrawn board each. */
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
  const rules = [{ kind }];
  const at = 1 - focus(context);
  const use = () => context.commit(withBoard(context.position, at, example, rules), words.viewTaken);
  return html`<details><summary>${title}</summary>
    <div class="form">${grid({ rows: 3, cols: 3, ...underneath([3, 3], rules), tokens: tokensOf(example), label: words.viewDrawn(kind) })}
      <div class="row wrap" data-edit><button class="plain" @click=${use}>${words.viewUse(at)}</button></div></div></details>`;
}

const LAST = 2; // stages: as given, lines moved, symbols renamed

/** The clock between two stages. */
let clock: ReturnType<typeof setTimeout> | undefined;
/** The cell under the mouse; not worth keeping. */
let pointed: number | null = null;

/** Browsing what takes a board to itself, each transform played on a board of its own. */
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
    <label class="check"><input type="checkbox" .checked=${Boolean(view.onlyGenerators)} @change=${(e: OnInput) => context.set({ onlyGenerators: e.target.checked, browse: null, stage: 0 })}>${words.onlyGenerators}</label>
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
        <p class="quiet">${words.staying(fixed(all[i]))} ${words.follow}</p>
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
    ...underneath([rows, cols], rulesOf(context.position, focus(context))),
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

/** From the board as it is through both stages. */
function play(context: Context) {
  clearTimeout(clock);
  pointed = null;
  context.set({ stage: 0 });
  // The first stage begins a frame later, so that tokens glide there from where they stand.
  clock = setTimeout(() => advance(lastWitness(context)), 60);
}

function advance(context: Context) {
  const stage = (context.view.stage ?? 0) + 1;
  context.set({ stage });
  context.announce(words.stages[stage]);
  if (stage < LAST) clock = setTimeout(() => advance(lastWitness(context)), PACE);
}

/** How many cells stay where they are. */
const fixed = (t: Transform) => sources(t).filter((source, i) => source === i).length;

/** A transform in words: which line goes where, which symbol becomes which. */
function described(t: Transform) {
  // A transform says where each line comes from; people read an arrow as where it goes.
  const goes = (line: number[]) => line.map((_, i) => line.indexOf(i));
  const number = (k: number) => String(k + 1);
  const symbol = (k: number) => SYMBOLS[k - 1] ?? "";
  if (t.cells) {
    const size = t.rows.length;
    const cell = (i: number) => `r${Math.floor(i / size) + 1}c${(i % size) + 1}`;
    return [cycles(goes(t.cells), cell), labelled(words.parts.digits, cycles(t.digits, symbol))]
      .filter(Boolean)
      .join("; ");
  }
  const parts = [
    t.transpose ? words.parts.transpose : "",
    labelled(words.parts.rows, cycles(goes(t.rows), number)),
    labelled(words.parts.cols, cycles(goes(t.cols), number)),
    labelled(words.parts.digits, cycles(t.digits, symbol)),
  ].filter(Boolean);
  return parts.length ? parts.join("; ") : words.identity;
}

const labelled = (name: string, text: string) => (text ? `${name} ${text}` : "");
