/** Browsing what takes a board to itself, each transform played on a board of its own. */

import type { Automorphisms } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import type { OnInput } from "../../widgets/on.js";
import { explained } from "../../widgets/term.js";
import { underneath } from "./board-panel.js";
import type { Context, Transform } from "./model.js";
import { boardOf, boxOf, cycles, moved, rulesOf, SYMBOLS, sources, tokensOf } from "./model.js";
import { left, which, within } from "./sections.js";
import { words } from "./strings.js";
import { focus, lastWitness, PACE } from "./witness-player.js";

const LAST = 2; // stages: as given, lines moved, symbols renamed

/** The clock between two stages. */
let clock: ReturnType<typeof setTimeout> | undefined;
/** The cell under the mouse; not worth keeping. */
let pointed: number | null = null;

/** @param wait what is said while the answer is on its way */
export function symmetries(context: Context, wait: unknown) {
  const found = context.replies.automorphisms?.value;
  return html`${which(context)}${wait}${found ? browser(context, found) : nothing}`;
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
  context.say(words.stages[stage]);
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
