/** A game looked back on: every press with its risk, and luck separated from mistakes. */

import type { ReviewedPress } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import { fold } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import { cellName } from "./cell-names.js";
import type { Context, Position, View } from "./model.js";
import { bareOf } from "./model.js";
import { words } from "./strings.js";

/** The question behind the review; null unless it was asked for these very presses. */
export function reviewWant(position: Position, view: View) {
  const { presses, sealed } = position;
  if (!presses?.length || !sealed || view.lookback !== presses.length) return null;
  return { want: "review" as const, position: { ...bareOf(position), sealed, presses } };
}

export function review(context: Context) {
  const { position, view, replies } = context;
  const presses = position.presses?.length ?? 0;
  if (!presses || !position.sealed) return nothing;
  const open = view.lookback === presses;
  const found = open && !replies.review?.stale ? replies.review?.value : null;
  return fold(
    words.review.title,
    open,
    (on) => context.set({ lookback: on ? presses : null }),
    () => html`${waitingFor(context, "review")}
    ${
      found
        ? html`<div class="stack-small"><p role="status"><b>${words.review.sum(found)}</b> ${words.review.parts(found)}</p>
      <div class="scroll" role="region" tabindex="0" aria-label=${words.review.title}><table class="table"><thead><tr>
        ${words.review.head.map((head, i) => html`<th class=${i ? "n" : nothing} scope="col">${head}</th>`)}</tr></thead>
        <tbody>${found.presses.map((one) => row(position, one))}</tbody></table></div>
      <p class="quiet">${words.review.how}</p></div>`
        : nothing
    }`,
  );
}

function row(
  position: Position,
  { cell, mine, kind, best, risk, before, decision, luck, after }: ReviewedPress,
) {
  const { review } = words;
  const notes = [
    mine ? review.mine : "",
    review.kinds[kind],
    best == null ? "" : review.better(cellName(position, best)),
  ].filter(Boolean);
  const numbers = [
    review.share(risk),
    review.share(before),
    review.points(decision),
    review.points(luck),
    review.share(after),
  ];
  return html`<tr><th scope="row">${cellName(position, cell)}<br><span class="quiet">${notes.join(", ")}</span></th>
    ${numbers.map((text) => html`<td class="n">${text}</td>`)}</tr>`;
}
