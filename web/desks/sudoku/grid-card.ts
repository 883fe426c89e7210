/** What belongs to a grid's number: address and link, bands, symmetries, unavoidable sets. */

import type { Numbered, UnavoidableSets } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { copy } from "./minlex-forms.js";
import type { Context } from "./model.js";
import { boxOf, tokensOf } from "./model.js";
import { words } from "./strings.js";

export function identity(context: Context, found: Numbered) {
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
export function sets(context: Context) {
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
        <div class="form">${grid({ rows, cols, tokens: tokensOf(found.grid), moved: new Set(found.sets[i]), label: words.card.setDrawn(found.sets[i].length) })}
          ${found.givens ? html`<p class="quiet">${words.card.setGivens(found.givens[i])}</p>` : nothing}</div>`
        : nothing
    }`;
}
