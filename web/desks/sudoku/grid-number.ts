/**
 * The number of a grid, its rank among the minlex forms: shown, entered, stepped through; with its address
 * and link, bands, symmetries and unavoidable sets. The table behind it is fetched when the section opens.
 */

import type { GridOfNumber, Numbered, UnavoidableSets } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid as drawnGrid } from "../../widgets/grid.js";
import { whole } from "../../widgets/numbers.js";
import type { On } from "../../widgets/on.js";
import { explained } from "../../widgets/term.js";
import type { Work } from "../../widgets/waiting.js";
import { waitingFor } from "../../widgets/waiting.js";
import { target } from "./dialogs.js";
import type { Context } from "./model.js";
import { boardOf, boxOf, filled, focus, sizeOf, tokensOf, withBoard } from "./model.js";
import { askOnce, copy, fold, left, waitingForWork, which } from "./sections.js";
import { words } from "./strings.js";

const GRIDS = 5_472_730_538;
const PREFETCH = 20; // grids fetched on either side, so that stepping needs no question
const CACHE_SIZE = 2000;

/** Cache of minlex grids and their numbers, both ways. */
const grids: Map<number, string> = new Map();
const numbers: Map<string, number> = new Map();
const work: Work = { job: null, progress: null, fault: null };

export function numbering(context: Context) {
  return fold(context, "numbering", words.number, () => body(context));
}

function body(context: Context) {
  if (sizeOf(context.position) !== 9) return html`<p class="quiet">${words.numberNine}</p>`;
  const there = filled(context.position).length > 0;
  const reply = context.replies.number;
  const board = boardOf(context.position, focus(context));
  const known = numbers.get(board);
  const found = reply?.value;
  const value = known ?? found?.number;
  return html`${there ? which(context) : html`<p class="quiet">${words.numberText}</p>`}
    ${value ? card(context, value) : there ? waitingFor(context, "number") : nothing}
    ${found ? html`${found.carried ? html`<p class="quiet">${words.numberPuzzle}</p>` : nothing}${identity(context, found)}${left(found)}${sets(context)}` : nothing}
    ${entry(context)}
    ${waitingForWork(context, work)}`;
}

function card(context: Context, value: number) {
  const off = Boolean(work.job);
  return html`<div class="number-card" role="status">
      <p><b class="number">${whole(value)}</b><br><span class="quiet">${words.numberOf(whole(GRIDS))}</span></p>
      <svg class="number-place" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label=${words.numberPlace}>
        <rect class="number-track" y="7" width="1000" height="6"></rect><rect class="number-mark" x=${Math.round((992 * value) / GRIDS)} width="8" height="20"></rect></svg>
    </div>
    <div class="row number-steps">
      <button class="soft" aria-label=${words.numberBack} title=${words.numberBack} ?disabled=${off || value === 1} @click=${() => openGrid(context, value - 1)}>‹</button>
      <button class="soft grow" @click=${() => copy(context, String(value))}>${words.numberCopy}</button>
      <button class="soft" aria-label=${words.numberOn} title=${words.numberOn} ?disabled=${off || value === GRIDS} @click=${() => openGrid(context, value + 1)}>›</button>
    </div>`;
}

function entry(context: Context) {
  const go = (event: On<HTMLFormElement>) => {
    event.preventDefault();
    requestGrid(context, { code: event.target.closest("form")?.querySelector("input")?.value ?? "" });
  };
  return html`<form class="row wrap number-entry" @submit=${go}>
    <input class="field" aria-label=${words.numberType} placeholder=${words.numberType} autocomplete="off">
    <button class="soft" ?disabled=${Boolean(work.job)}>${words.numberGo}</button>
    <button class="plain" type="button" ?disabled=${Boolean(work.job)} @click=${() => openGrid(context, randomNumber())}>${words.numberRandom}</button>
  </form><p class="quiet">${words.numberRandomText}</p>`;
}

/** A number drawn uniformly, by rejection sampling of 53 random bits. */
function randomNumber() {
  const most = 2 ** 53 - (2 ** 53 % GRIDS);
  for (;;) {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    const value = (high % 2 ** 21) * 2 ** 32 + low;
    if (value < most) return 1 + (value % GRIDS);
  }
}

/** Put the grid of that number on the current board; at once if it is cached. */
function openGrid(context: Context, number: number) {
  const grid = grids.get(number);
  if (grid) place(context, grid, number);
  else requestGrid(context, { number });
}

async function requestGrid(context: Context, options: { number?: number; code?: string }) {
  if (work.job) return;
  await askOnce(context, work, { want: "grid", position: {}, options }, (found) => {
    addToCache(found);
    place(context, found.grid, found.number);
    prefetch(context, found.number);
  });
}

/** Fetch the neighbours; a fault is ignored, because stepping then asks for each grid. */
async function prefetch(context: Context, number: number) {
  const first = Math.max(1, number - PREFETCH);
  try {
    const options = { number: first, count: 2 * PREFETCH + 1 };
    addToCache(await context.ask({ want: "grid", position: {}, options }).promise);
  } catch {
    // the next step asks again and reports its fault
  }
}

function addToCache(found: GridOfNumber) {
  if (grids.size > CACHE_SIZE) {
    grids.clear();
    numbers.clear();
  }
  found.grids.forEach((grid, i) => {
    grids.set(found.number + i, grid);
    numbers.set(grid, found.number + i);
  });
}

function place(context: Context, grid: string, number: number) {
  const { position } = context;
  const at = filled(position).length ? focus(context) : target(context, position);
  context.commit(withBoard(position, at, grid, []), words.numberMade(whole(number)), {
    view: { player: null },
  });
  if (!grids.has(number + 1) || !grids.has(number - 1)) prefetch(context, number);
}

function identity(context: Context, found: Numbered) {
  const rows = [
    [words.card.address, html`<code>${found.address}</code>`],
    [words.card.bands, words.card.chutes(found.chutes)],
    [words.card.canonical, words.card.least(found)],
    [words.card.symmetries, words.card.group(found)],
    [words.card.disguises, words.card.size(found.class_size)],
  ];
  return html`<dl class="identity">${rows.map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
    <div class="buttons">
      <button class="soft" @click=${() => copy(context, found.address)}>${words.card.copyAddress}</button>
      <button class="soft" @click=${() => copy(context, context.address(found.class_address))}>${words.card.copyLink}</button>
    </div>
    <p class="quiet">${words.card.addressText(Boolean(found.carried))}</p>`;
}

/** Unavoidable sets, one drawn at a time. */
function sets(context: Context) {
  const reply = context.replies.unavoidable;
  const found = (reply?.value ?? null) as UnavoidableSets | null;
  if (!found) return waitingFor(context, "unavoidable");
  const n = found.sets.length;
  const i = Math.min(context.view.set ?? 0, n - 1);
  const go = (next: number) => context.set({ set: (next + n) % n });
  const [rows, cols] = boxOf(context.position);
  return html`<p><b>${words.card.sets}</b></p><p>${explained(words.card.setsText(found.counts))}</p>
    ${
      n
        ? html`<div class="row wrap controls"><button class="soft" aria-label=${words.card.setBack} @click=${() => go(i - 1)}>‹</button>
          <span class="counter" role="status">${words.card.setOf(i, n)}</span>
          <button class="soft" aria-label=${words.card.setOn} @click=${() => go(i + 1)}>›</button></div>
        <div class="form">${drawnGrid({ rows, cols, tokens: tokensOf(found.grid), moved: new Set(found.sets[i]), label: words.card.setDrawn(found.sets[i].length) })}
          ${found.givens ? html`<p class="quiet">${words.card.setGivens(found.givens[i])}</p>` : nothing}</div>`
        : nothing
    }`;
}
