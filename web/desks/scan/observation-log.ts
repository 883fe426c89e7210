/** What the player knows: pulses in order, ruled-out spots, and which of them disagree. */

import type { Repair } from "../../types/scan.js";
import { html, nothing } from "../../vendor.js";
import { doubtCard } from "../../widgets/panel.js";
import { changeRow, clearAll, rule } from "./edits.js";
import type { Context, Observation } from "./model.js";
import { words } from "./strings.js";

const SETS = 4; // smallest contradictions to show
const MENDS = 6; // changes that would mend them

export function log(context: Context) {
  const { position, replies } = context;
  const rows = position.observations ?? [];
  const out = position.ruled_out ?? [];
  const found = replies.doubt?.stale ? null : replies.doubt?.value;
  const doubted = new Set((found?.smallest ?? []).flat());
  const idle = new Set(found?.contradiction ? [] : (found?.redundant ?? []));
  return html`<section class="stack-small">
    <div class="between"><h2>${words.logTitle}</h2>
      ${rows.length || out.length ? html`<button class="plain" data-edit @click=${() => clearAll(context)}>${words.clear}</button>` : nothing}</div>
    ${rows.length || out.length ? nothing : html`<p class="quiet">${words.logEmpty}</p>`}
    <ol class="seen">${rows.map((row, i: number) => entry(context, row, i, doubted.has(i), idle.has(i)))}</ol>
    ${
      out.length
        ? html`<p class="quiet">${words.ruledOut}</p><div class="chips">${out.map(
            (spot: number, i: number) =>
              html`<button ?disabled=${context.readOnly} class=${doubted.has(rows.length + i) ? "chip doubted" : "chip"} aria-label=${words.takeBack(spot)} title=${words.takeBack(spot)} @click=${() => rule(context, spot)}>${spot + 1}<span aria-hidden="true"> ✕</span></button>`,
          )}</div>`
        : nothing
    }
  </section>`;
}

function entry(context: Context, row: Observation, i: number, doubted: boolean, idle: boolean) {
  const next = (row.pulse % 3) + 1;
  return html`<li class=${`entry${row.ignored ? " off" : ""}${doubted ? " doubted" : ""}`}>
    <button class="pulse" ?disabled=${context.readOnly} aria-label=${`${words.pulse(row.pulse)}. ${words.changeTo(next)}`} title=${words.changeTo(next)} @click=${() => changeRow(context, i, { pulse: next })}>${strokes(row.pulse)}</button>
    <span class="what"><b>${words.pulse(row.pulse)}</b>${row.different_level == null ? nothing : html` · ${row.different_level ? "≠" : "="}`}<br><span class="quiet">${words.place(row)}${row.in_passing ? ` · ${words.passing}` : ""}${idle && !row.ignored ? ` · ${words.redundant}` : ""}</span></span>
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
  const found = reply?.stale ? null : reply?.value;
  if (!found?.contradiction) return nothing;
  const { position } = context;
  const rows = position.observations ?? [];
  const name = (clue: number) =>
    clue < rows.length
      ? `“${words.pulse(rows[clue].pulse)}” (${words.row(clue)})`
      : words.ruled((position.ruled_out ?? [])[clue - rows.length]);
  const more = found.smallest.length - SETS;
  return doubtCard({
    title: words.doubtTitle,
    clashes: found.smallest.slice(0, SETS).map((set: number[]) => words.together(set.map(name))),
    notes: [more > 0 ? words.more(more) : null],
    mendsTitle: words.repairs,
    mends: found.repairs.slice(0, MENDS).map((one) => ({
      label: words.repair(name(one.clue), one),
      run: () => repair(context, one),
    })),
  });
}

export function repair(context: Context, found: Repair) {
  const { observations = [], ruled_out: out = [] } = context.position;
  if (found.pulse === null) rule(context, out[found.clue - observations.length]);
  else changeRow(context, found.clue, { pulse: found.pulse, different_level: found.different_level });
}
