/**
 * The log of observations and ruled-out spots, contradictions with their fixes, and the review of a finished
 * hunt with the loss and luck of every scan.
 */

import type { Repair, Review, ReviewedScan as Row } from "../../types/scan.js";
import { html, nothing } from "../../vendor.js";
import { fixed } from "../../widgets/numbers.js";
import { doubtCard, fold, scrollTable } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import { changeRow, clearAll, toggleRuledOut } from "./edits.js";
import type { Context, Observation, Position, View } from "./model.js";
import { listenOptions, stopOf } from "./model.js";
import { words } from "./strings.js";

const MAX_CONFLICTS = 4; // that are shown
const MAX_FIXES = 6;

export function log(context: Context) {
  const { position, replies } = context;
  const rows = position.observations ?? [];
  const out = position.ruled_out ?? [];
  const found = replies.doubt?.value;
  const doubted = new Set((found?.smallest ?? []).flat());
  const redundant = new Set(found?.contradiction ? [] : (found?.redundant ?? []));
  return html`<section class="stack-small">
    <div class="between"><h2>${words.logTitle}</h2>
      ${rows.length || out.length ? html`<button class="plain" data-edit @click=${() => clearAll(context)}>${words.clear}</button>` : nothing}</div>
    ${rows.length || out.length ? nothing : html`<p class="quiet">${words.logEmpty}</p>`}
    <ol class="seen">${rows.map((row, i: number) => entry(context, row, i, doubted.has(i), redundant.has(i)))}</ol>
    ${
      out.length
        ? html`<p class="quiet">${words.ruledOut}</p><div class="chips">${out.map(
            (spot: number, i: number) =>
              html`<button ?disabled=${context.readOnly} class=${doubted.has(rows.length + i) ? "chip doubted" : "chip"} aria-label=${words.takeBack(spot)} title=${words.takeBack(spot)} @click=${() => toggleRuledOut(context, spot)}>${spot + 1}<span aria-hidden="true"> ✕</span></button>`,
          )}</div>`
        : nothing
    }
  </section>`;
}

function entry(context: Context, row: Observation, i: number, doubted: boolean, redundant: boolean) {
  const next = (row.pulse % 3) + 1;
  return html`<li class=${`entry${row.ignored ? " off" : ""}${doubted ? " doubted" : ""}`}>
    <button class="pulse" ?disabled=${context.readOnly} aria-label=${`${words.pulse(row.pulse)}. ${words.changeTo(next)}`} title=${words.changeTo(next)} @click=${() => changeRow(context, i, { pulse: next })}>${strokes(row.pulse)}</button>
    <span class="what"><b>${words.pulse(row.pulse)}</b>${row.different_level == null ? nothing : html` · ${row.different_level ? "≠" : "="}`}<br><span class="quiet">${words.place(row)}${row.in_passing ? ` · ${words.passing}` : ""}${redundant && !row.ignored ? ` · ${words.redundant}` : ""}</span></span>
    <button class="plain" data-edit @click=${() => changeRow(context, i, { ignored: !row.ignored })}>${row.ignored ? words.count : words.ignore}</button>
    <button class="icon" data-edit aria-label=${`${words.remove}: ${words.row(i)}`} title=${words.remove} @click=${() => changeRow(context, i, null)}>✕</button>
  </li>`;
}

/** The game's pulse as one, two or three strokes. */
export function strokes(pulse: number) {
  return html`<span class="strokes" aria-hidden="true">${Array.from({ length: pulse }, () => html`<i></i>`)}</span>`;
}

export function doubt(context: Context) {
  const reply = context.replies.doubt;
  const found = reply?.value;
  if (!found?.contradiction) return nothing;
  const { position } = context;
  const rows = position.observations ?? [];
  const name = (clue: number) =>
    clue < rows.length
      ? `“${words.pulse(rows[clue].pulse)}” (${words.row(clue)})`
      : words.ruled((position.ruled_out ?? [])[clue - rows.length]);
  const more = found.smallest.length - MAX_CONFLICTS;
  return doubtCard({
    title: words.doubtTitle,
    clashes: found.smallest.slice(0, MAX_CONFLICTS).map((set: number[]) => words.together(set.map(name))),
    notes: [more > 0 ? words.more(more) : null, found.repairs.length ? null : words.noRepair],
    fixesTitle: words.repairs,
    fixes: found.repairs.slice(0, MAX_FIXES).map((one) => ({
      label: one.pulse
        ? words.repair(name(one.clue), one)
        : words.restore(ruledOutSpot(context.position, one), one),
      run: () => repair(context, one),
    })),
  });
}

/** The spot that a repair without a pulse restores. */
const ruledOutSpot = ({ observations = [], ruled_out: out = [] }: Position, { clue }: Repair) =>
  out[clue - observations.length];

/** A repair as a question. */
export const repairQuestion = (position: Position, found: Repair) =>
  found.pulse
    ? words.bar.repairQuestion(found.clue, found)
    : `${words.takeBack(ruledOutSpot(position, found))}?`;

export function repair(context: Context, found: Repair) {
  if (found.pulse === null) toggleRuledOut(context, ruledOutSpot(context.position, found));
  else changeRow(context, found.clue, { pulse: found.pulse, different_level: found.different_level });
}

/* Review */

/** The spot of a finished hunt: the only one left, or that of the finished practice; else null. */
function foundSpot({ position, replies }: Context): number | null {
  if (position.practice) return replies.listen?.value?.spot ?? null;
  const dig = replies.next?.value?.dig;
  return dig && (dig.spots?.length ?? 1) === 1 ? dig.spot : null;
}

/** The request for the review; null unless it was opened for these scans. */
export function reviewRequest(position: Position, view: View) {
  const { lookback } = view;
  if (!lookback || lookback.scans !== (position.observations ?? []).length) return null;
  const options = { spot: lookback.spot, stop: stopOf(view), ...listenOptions(view) };
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
    ${scrollTable(words.review.title, Object.values(words.review.head), found.scans.map(scanRow), { kind: "review-table" })}
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
