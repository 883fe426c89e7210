/** What is left: the count, the list on request, and which rows to doubt when nothing is left. */

import type { Slip } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { doubtCard, foldFor } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import { signsOf, spelled } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import type { Context } from "./model.js";
import { answerText, codeCount, rulesOf } from "./model.js";
import { pegs, pins } from "./pegs.js";
import { replaceRow } from "./rows.js";
import { words } from "./strings.js";

const MENDS = 8; // slips to show

export function remainingPanel(context: Context) {
  const { remaining } = context.replies;
  const total = codeCount(rulesOf(context.position));
  const signs = signsOf(context.position);
  const none = (context.position.clues ?? []).length === 0;
  const count = remaining?.value?.count ?? (none ? total : null);
  if (count === null)
    return html`<div class="left-box">${waiting(remaining, { phase: context.phase, room: "line" })}</div>`;
  const stale = remaining?.stale ?? false;
  return html`<div class=${stale ? "left-box stale" : "left-box"}>
    <p class="left"><b>${whole(count)}</b><span>${words.left(count)}<br>
      <span class="faint">${explained(words.leftOf(whole(total), fixed(Math.log2(Math.max(count, 1)), 1)))}</span></span></p>
    <div class="hair"><i .style=${`width:${share(count, total)}%`}></i></div>
    ${count === 1 && !stale ? html`<p class="note solved">${words.solved(spelled(remaining?.value?.codes?.[0] ?? "", signs))} ${pegs(remaining?.value?.codes?.[0] ?? "", signs)}</p>` : nothing}
  </div>`;
}

/** Bits to go as a share of all bits: a linear bar would be empty after one guess. */
function share(count: number, total: number) {
  return count < 1 ? 0 : (100 * Math.log2(count)) / Math.max(Math.log2(total), 1e-9);
}

/** A code of the list, to be pressed where a row can be typed. */
function choiceOf(context: Context, code: string) {
  const signs = signsOf(context.position);
  const shown = html`${pegs(code, signs)}<span class="unseen">${spelled(code, signs)}</span>`;
  return context.readOnly
    ? html`<span class="code-choice">${shown}</span>`
    : html`<button class="code-choice" aria-label=${words.listPut(spelled(code, signs))} @click=${() => put(context, code)}>${shown}</button>`;
}

/** A code of the list into the row that is typed. */
function put(context: Context, code: string) {
  const draft = drafts.empty(rulesOf(context.position));
  context.set({ draft: { ...draft, pegs: [...code], at: code.length } });
}

/** The codes left, where there are several; below the rows, so that a phone has it too. */
export function list(context: Context) {
  const none = (context.position.clues ?? []).length === 0;
  const total = codeCount(rulesOf(context.position));
  const count = context.replies.remaining?.value?.count ?? (none ? total : 0);
  if (count <= 1) return nothing;
  const codes = context.replies.list?.value?.codes ?? [];
  const pegCount = rulesOf(context.position).pegs;
  return foldFor(
    context,
    "list",
    words.showList,
    () => html`${waiting(context.replies.list, { phase: context.phase })}
      <p class="quiet">${codes.length ? words.listMore(codes.length, count) : nothing}</p>
      <ul class="codes choices" .style=${`--wide:${pegCount}`} tabindex="0" role="list" aria-label=${words.listLabel}>${codes.map((c: string) => html`<li>${choiceOf(context, c)}</li>`)}</ul>`,
  );
}

export function doubt(context: Context) {
  const found = context.replies.doubt?.value;
  if (!found?.contradiction || context.replies.doubt?.stale) return nothing;
  const rules = rulesOf(context.position);
  const signs = signsOf(context.position);
  const rows = [...new Set(found.smallest.flat())].sort((a, b) => a - b);
  return doubtCard({
    title: words.doubtTitle,
    clashes: found.smallest.map((set: number[]) =>
      set.length === 1 ? words.alone(set[0]) : words.together(set),
    ),
    notes: [found.slips.length ? null : words.slipNone],
    mendsTitle: words.repairs,
    mends: found.slips.slice(0, MENDS).map((slip) => ({
      label: html`${slip.changes.map((row) => html`${pegs(row.guess, signs)}${pins(row, rules.pegs)}`)}<span>${slipText(context, slip)}</span>`,
      run: () => applyRepair(context, slip),
    })),
    without: rows.map((i) => ({
      label: `${words.ignore} (${words.row(i)})`,
      run: () => replaceRow(context, i, { ...context.position.clues[i], ignored: true }, words.ignore),
    })),
  });
}

/** What may have gone wrong, in a sentence. */
function slipText({ position }: Context, slip: Slip) {
  const answers = slip.changes.map(answerText).join(" and ");
  return words.slip[slip.kind](slip, answers, spelled(slip.changes[0].guess, signsOf(position)));
}

/** The same in the advice bar: only what differs. */
export function slipFacts({ position }: Context, slip: Slip) {
  const other = slip.kind === "peg" || slip.kind === "swap";
  const rows = slip.changes.map((row) => (other ? spelled(row.guess, signsOf(position)) : answerText(row)));
  return [{ text: words.bar.slip(slip, rows) }, { text: words.bar.leaves(slip.remaining) }];
}

/** The rows as they may have been meant, in one step. */
export function applyRepair(context: Context, { changes }: Slip) {
  const clues = changes.reduce(
    (rows, { clue, ...row }) => rows.with(clue, { ...rows[clue], ...row }),
    context.position.clues,
  );
  context.commit({ ...context.position, clues }, words.slipMended(changes));
}
