/** The turns so far: the log, in which the last five can be corrected, and the game looked back on. */

import type { Chance, PlayedTurn, Review, ReviewedTurn } from "../../types/rack.js";
import { html, nothing, svg } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { fold } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { Context, Position, View } from "./model.js";
import { nameOf, words } from "./strings.js";
import { BACK, correct, correctionOf, giveUp, leaveOut, logOf, lostFor } from "./turn-order.js";

export function log(context: Context) {
  const rows = logOf(context).reverse();
  if (!rows.length || correctionOf(context)) return nothing;
  const over = lostFor(context);
  return html`<section class="turns" aria-label=${words.log}>
    <h2>${words.log}</h2>
    ${over ? html`<p class="note risk">${over.text}</p>` : nothing}
    <ol reversed>${rows.map((step, i) => row(context, step, i))}</ol></section>`;
}

/** @param i how far back */
function row(context: Context, step: Context["past"][number], i: number) {
  if (i >= BACK || context.position.sealed) return html`<li><span>${step.label}</span></li>`;
  return html`<li><span>${step.label}</span>
    <button class="plain" data-edit aria-label=${`${words.correct}: ${step.label}`} @click=${() => correct(context, step)}>${words.correct}</button></li>`;
}

/** Above the table while a turn is entered anew: which one, and the way back. */
export function correcting(context: Context) {
  const now = correctionOf(context);
  if (!now) return nothing;
  return html`<div class="note along" role="status">
    <p>${now.stuck || words.correcting(now.steps[0].label, now.steps.length - 1)}</p>
    <div class="row wrap">${now.stuck ? html`<button class="soft" @click=${() => leaveOut(context)}>${words.leaveOut}</button>` : nothing}
      <button class="plain" @click=${() => giveUp(context)}>${words.cancel}</button></div></div>`;
}

/** The turns since the table was laid out, and the table before them; null while there are none. */
export function playedTurns({ past }: Pick<Context, "past">) {
  const begin = past.findLastIndex(({ turn }) => turn?.want === "table") + 1;
  const turns: PlayedTurn[] = [];
  let [start, last]: (Position | null)[] = [null, null];
  past.slice(Math.max(1, begin)).forEach(({ turn, position }, i) => {
    if (turn?.want !== "outcome" && turn?.want !== "use") return;
    const before = past[Math.max(1, begin) + i - 1].position;
    const same = !last || JSON.stringify(before) === JSON.stringify(last);
    turns.push({ [turn.want]: turn.options, ...(same ? {} : { position: before }) });
    start ??= before;
    last = position;
  });
  return start ? { start: start as Position, turns } : null;
}

/** Look back on these turns, or close it. */
export function lookBack(context: Context, open: boolean) {
  const show = () => document.querySelector("details.review")?.scrollIntoView({ block: "start" });
  context.set({ lookback: open ? playedTurns(context) : null }, open ? show : undefined);
}

export function reviewWant({ lookback }: View) {
  return lookback
    ? { want: "review" as const, position: lookback.start, options: { turns: lookback.turns } }
    : null;
}

/** Whether the turns that are looked back on are those of the table. */
function isOpen(context: Context) {
  const { lookback } = context.view;
  return Boolean(lookback && lookback.turns.length === playedTurns(context)?.turns.length);
}

export function review(context: Context) {
  if (!playedTurns(context)) return nothing;
  const reply = context.replies.review;
  const found = reply?.value ?? reply?.progress?.best;
  return fold(
    words.review.title,
    isOpen(context),
    (open) => lookBack(context, open),
    () => html`<div class="stack-small">
      ${waitingFor(context, "review")}
      ${found ? details(context, found as Review) : nothing}</div>`,
    "review",
  );
}

function details({ position }: Context, found: Review) {
  const notes = [...new Set(found.turns.map((turn) => turn.note).filter(Boolean))];
  return html`${found.summary.map((text) => html`<p><b>${text}</b></p>`)}
    ${found.turns.length ? html`<div class="scroll" role="img" aria-label=${words.review.chart}>${drawing(found)}</div>` : nothing}
    <div class="scroll" role="region" tabindex="0" aria-label=${words.review.title}><table class="table"><thead><tr>
      ${Object.values(words.review.head).map((head, i) => html`<th class=${i ? "n" : nothing} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${found.turns.map((turn, i) => turnRow(position, turn, i === found.lost, i))}</tbody></table></div>
    <p class="quiet">${words.review.how}</p>
    ${notes.map((text) => html`<p class="quiet">${text}</p>`)}`;
}

function turnRow(position: Position, turn: ReviewedTurn, lost: boolean, i: number) {
  const best = turn.best
    ? html`<br><span class="quiet">${words.review.better(words.cutName(turn.best, nameOf(position, turn.best.stand)))}</span>`
    : nothing;
  return html`<tr class=${lost ? "lost" : nothing}><th scope="row">${i + 1}. ${turn.text}${best}</th>
    <td class="n">${chance(turn.before)} → ${chance(turn.after)}</td>
    <td class="n">${turn.decision ? words.review.points(turn.decision.chance, turn.decision.error) : "–"}</td>
    <td class="n">${turn.luck === null ? "–" : words.review.points(turn.luck)}</td></tr>`;
}

const chance = (one: Chance | null) => (one ? percent(one.chance) : "–");

const STEP = 22;
const HIGH = 100;
const TOP = 12;
export const REVIEW_HEIGHT = HIGH + 36;

/** The chance to win turn by turn: first what the decision gave away, then what luck did. */
function drawing(found: Review) {
  const width = chartWidth(found);
  return html`<svg viewBox=${`0 0 ${width} ${REVIEW_HEIGHT}`} width=${width} height=${REVIEW_HEIGHT} class="rack-picture">${chart(found, 0)}</svg>`;
}

export const chartWidth = (found: Review) => found.turns.length * STEP + 52;

/** The chart's shapes, from `y` down. */
export function chart(found: Review, y: number) {
  const width = chartWidth(found);
  const at = (p: number) => y + TOP + HIGH * (1 - p);
  const lines = [0, 0.5, 1].map(
    (p) => svg`<line x1="38" x2=${width - 6} y1=${at(p)} y2=${at(p)} class="review-line"></line>
    <text x="34" y=${at(p) + 4} text-anchor="end" class="marks">${percent(p)}</text>`,
  );
  const bar = (x: number, from: number, to: number, name: string) =>
    svg`<rect x=${x} y=${at(Math.max(from, to))} width=${STEP / 2 - 1} height=${Math.max(1.5, Math.abs(to - from) * HIGH)} class=${name}></rect>`;
  return svg`${lines}${found.turns.map((turn, i) => {
    const x = 42 + i * STEP;
    const label = svg`<text x=${x + STEP / 2 - 1} y=${y + TOP + HIGH + 16} text-anchor="middle" class=${i === found.lost ? "marks lost" : "marks"}>${i + 1}</text>`;
    if (!turn.before || !turn.after) return label;
    const made = turn.before.chance + (turn.decision?.chance ?? 0);
    const lucky = turn.after.chance >= made ? "review-gain" : "review-loss";
    return svg`${turn.decision ? bar(x, turn.before.chance, made, "review-gave") : nothing}
      ${bar(x + STEP / 2 - 1, made, turn.after.chance, lucky)}${label}`;
  })}`;
}
