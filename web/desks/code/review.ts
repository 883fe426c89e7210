/** A game looked back on: every row in guesses, and on request in bits; what was skill, what was luck. */

import type { Review, Reviewed } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { fixed, percent, whole } from "../../widgets/numbers.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { signsOf, spelled } from "./colour-names.js";
import type { Context } from "./model.js";
import { pegs } from "./pegs.js";
import { words } from "./strings.js";

const MOST_LISTED = 500;
const IN_BITS = 4; // columns before those in bits

export function review(context: Context) {
  const reply = context.replies.review;
  const found = priced(context, reply?.value);
  const rows = found?.guesses ?? [];
  const unpriced = context.replies.priced?.state === "done" && rows.every((row) => !row.guesses);
  return html`<section class="card review"><div class="between"><h2 class="head">${words.reviewTitle}</h2>
    ${found?.share && rows.length && !context.readOnly ? html`<button class="plain" @click=${() => copy(context, found.share)}>${words.shareCopy}</button>` : nothing}</div>
    ${waitingFor(context, "review")}
    ${
      found && rows.length
        ? html`${inGuesses(context, found)}
      <div class="scroll" role="region" tabindex="0" aria-label=${words.reviewTitle}><table class="table"><thead><tr>
      ${Object.values(words.reviewHead).map((head, i) => html`<th class=${i < IN_BITS ? (i ? "n" : nothing) : "n bits"} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows.map((row, i) => reviewRow(context, row, i))}</tbody></table></div>
      <details class="more in-bits" ?open=${unpriced}><summary>${words.inBits}</summary><p class="why">${words.reviewSum(found)}</p></details>`
        : nothing
    }
  </section>`;
}

/** The review with what its rows cost in guesses, as far as that is known by now. */
function priced({ replies }: Context, found: Review | null | undefined) {
  const { priced } = replies;
  const known = priced?.state === "done" ? priced.value : priced?.progress?.best;
  return known && !priced?.stale && known.guesses.length === found?.guesses.length ? known : found;
}

/** The game in guesses: what it needed, what was given away, what luck did. */
function inGuesses(context: Context, found: Review) {
  const costs = found.guesses.map((row) => row.guesses);
  const late = waitingFor(context, "priced", { room: "line" });
  if (context.replies.priced?.state !== "done") return late;
  const reasons = new Set(found.guesses.flatMap((row) => row.uncosted ?? []));
  if (reasons.size) return html`${[...reasons].map((text) => html`<p class="why">${text}</p>`)}`;
  if (!found.won || found.given === null || costs.some((c) => !c || c.luck === null)) return nothing;
  const luck = costs.reduce((sum, c) => sum + (c?.luck ?? 0), 0);
  return html`<p class="sum">${words.reviewGuesses(costs[0]?.best.expected, found.given, luck, costs.length)}</p>`;
}

function reviewRow(context: Context, row: Reviewed, i: number) {
  const signs = signsOf(context.position);
  const heads = Object.values(words.reviewHead);
  return html`<tr><th scope="row"><span class="unseen">${spelled(row.guess, signs)}</span>${pegs(row.guess, signs)}</th>
    <td class="n" data-head=${heads[1]}>${steps(context, row, i)}</td>
    <td class="n" data-head=${heads[2]}>${cost(row, signs)}</td>
    <td class="n" data-head=${heads[3]}>${luckInGuesses(row)}</td>
    <td class="n bits" data-head=${heads[4]}>${fixed(row.bits)}${row.rank > 1 && row.loss < 1e-9 ? html`<br><span class="quiet">${words.reviewCannot}</span>` : nothing}</td>
    <td class="n bits" data-head=${heads[5]}>${fixed(row.best_bits)}<br><span class="code">${spelled(row.best, signs)}</span>${row.best_after ? html`<br><span class="quiet">${words.wouldLeave(row.best_after)}</span>` : nothing}</td>
    <td class="n bits" data-head=${heads[6]}>${row.best_bits > 0 ? percent(row.bits / row.best_bits) : "–"}</td>
    <td class="n bits" data-head=${heads[7]}>${row.luck > 0 ? "+" : ""}${fixed(row.luck)}</td></tr>`;
}

/** The codes before and after a row; pressed, it lists those after. */
function steps(context: Context, row: Reviewed, i: number) {
  const text = `${whole(row.before)} → ${whole(row.after)}`;
  if (context.readOnly) return text;
  return html`<button class="plain tight" title=${words.stepOpen(row.after)} @click=${() => showCodes(context, row, i)}>${text}</button>`;
}

/** What the row gave away, in guesses, and the guess that gives nothing. */
function cost(row: Reviewed, signs: string[]) {
  if (!row.guesses) return "–";
  const { given, cheapest } = row.guesses;
  if (!given.exact) return words.givenBetween(given.low, given.high);
  return html`${fixed(given.expected)}${(given.expected ?? 0) > 1e-9 ? html`<br><span class="code">${spelled(cheapest, signs)}</span>` : nothing}`;
}

/** The guesses that the answer saved, or cost with a minus. */
function luckInGuesses({ guesses }: Reviewed) {
  const luck = guesses?.luck ?? null;
  return luck === null ? "–" : `${luck > 0 ? "+" : ""}${fixed(luck)}`;
}

/** The places of the rows that count. */
function counted({ position }: Context): number[] {
  return (position.clues ?? []).flatMap((clue, i) => (clue.ignored ? [] : [i]));
}

async function showCodes(context: Context, row: Reviewed, i: number) {
  const { rules, prior } = context.position;
  const clues = context.position.clues.slice(0, counted(context)[i] + 1);
  const request = {
    want: "remaining" as const,
    position: { rules, clues, ...(prior ? { prior } : {}) },
    options: { top: MOST_LISTED },
  };
  try {
    const { codes } = await context.ask(request).promise;
    context.open(() => codesDialog(context, row, codes));
  } catch (fault) {
    context.tell((fault as FaultFacts).message);
  }
}

/** The codes that were left after a row. */
function codesDialog(context: Context, row: Reviewed, codes: string[]) {
  const signs = signsOf(context.position);
  return dialogIn(context, {
    title: words.stepTitle(row.after),
    body: html`<div class="row">${pegs(row.guess, signs)}<span class="code">${row.answer}</span></div>
      ${codes.length < row.after ? html`<p class="quiet">${words.listMore(codes.length, row.after)}</p>` : nothing}
      <ul class="codes code" tabindex="0" role="list" aria-label=${words.stepTitle(row.after)}>${codes.map((c: string) => html`<li>${spelled(c, signs)}</li>`)}</ul>`,
  });
}

async function copy(context: Context, text: string) {
  try {
    await navigator.clipboard.writeText(text);
    context.tell(words.shareCopied);
  } catch {
    context.open(() =>
      dialogIn(context, {
        title: words.shareCopy,
        body: html`<textarea class="field" readonly aria-label=${words.shareCopy} .value=${text}></textarea>`,
      }),
    );
  }
}
