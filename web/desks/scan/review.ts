/** A hunt looked back on: every scan with its ticks, what the plan would have done, luck and skill. */

import type { Review, ReviewedScan as Row } from "../../types/scan.js";
import { html, nothing } from "../../vendor.js";
import { fixed } from "../../widgets/numbers.js";
import { fold } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { Context, Position, View } from "./model.js";
import { listening, stopOf } from "./model.js";
import { strokes } from "./observation-log.js";
import { words } from "./strings.js";

/** The spot that is found: the only one left, or the one that a practice has shown. */
function foundSpot({ position, replies }: Context): number | null {
  if (position.practice) return replies.listen?.stale ? null : (replies.listen?.value?.spot ?? null);
  const dig = replies.next?.stale ? null : replies.next?.value?.dig;
  return dig && (dig.spots?.length ?? 1) === 1 ? dig.spot : null;
}

/** The question behind the review; null unless it was asked for these very scans. */
export function reviewWant(position: Position, view: View) {
  const { lookback } = view;
  if (!lookback || lookback.scans !== (position.observations ?? []).length) return null;
  const options = { spot: lookback.spot, stop: stopOf(view), ...listening(view) };
  return { want: "review" as const, position, options };
}

export function review(context: Context) {
  const spot = foundSpot(context);
  const scans = (context.position.observations ?? []).length;
  if (spot === null || !context.position.observations?.some((o) => o.at && !o.ignored)) return nothing;
  const { lookback } = context.view;
  const open = lookback?.spot === spot && lookback.scans === scans;
  const reply = context.replies.review;
  return fold(
    words.review.title,
    open,
    (on) => context.set({ lookback: on ? { spot, scans } : null }),
    () => html`<div class="stack-small">
      ${waitingFor(context, "review")}
      ${reply?.value ? details(context, reply.value, reply.stale) : nothing}</div>`,
  );
}

function details(context: Context, found: Review, stale: boolean) {
  const began = Boolean(context.position.practice);
  return html`<div class=${stale ? "stale" : nothing}>
    <p><b>${words.review.sum(found)}</b></p>
    <p class="quiet">${words.review.parts(found)} ${began ? "" : words.review.fromFirst}</p>
    <div class="scroll" role="region" tabindex="0" aria-label=${words.review.title}><table class="table review-table"><thead><tr>
      ${Object.values(words.review.head).map((head, i) => html`<th class=${i ? "n" : nothing} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${found.scans.map(scanRow)}</tbody></table></div>
    <p class="quiet">${explained(words.review.how)}</p></div>`;
}

function scanRow(row: Row, i: number) {
  return html`<tr><th scope="row"><span class="review-scan">${i + 1} ${strokes(row.pulse)}<span class="unseen">${words.pulse(row.pulse)}</span></span><span class="quiet">${words.tile(row.tile)}</span></th>
    <td class="n">${row.before} → ${row.after}</td>
    <td class="n">${fixed(row.expected_ticks, 1)}</td>
    <td class="n">${fixed(row.best_ticks, 1)}${row.loss > 0.05 ? html`<br><span class="quiet">${words.tile(row.best)}</span>` : nothing}</td>
    <td class="n">${fixed(row.loss, 1)}</td>
    <td class="n">${row.luck > 0.05 ? "+" : ""}${fixed(row.luck, 1)}</td></tr>`;
}
