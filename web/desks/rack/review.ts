/** The turns so far: the log, corrections, the end of the game and its review. */

import type { Chance, PlayedTurn, Review, ReviewedTurn } from "../../types/rack.js";
import { html, nothing, svg } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { fold, scrollTable } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { Context, Position, View } from "./model.js";
import { nameOf, words } from "./strings.js";
import type { End } from "./turn-order.js";
import {
  cancelCorrection,
  correctionOf,
  loggedSteps,
  lostFor,
  MAX_CORRECTED,
  skipStuckStep,
  startCorrection,
} from "./turn-order.js";

export function log(context: Context) {
  const steps = loggedSteps(context).reverse();
  if (!steps.length || correctionOf(context)) return nothing;
  const stuck = lostFor(context);
  const correct = (step: (typeof steps)[number]) =>
    html`<button class="plain" data-edit aria-label=${`${words.correct}: ${step.label}`} @click=${() => startCorrection(context, step)}>${words.correct}</button>`;
  return html`<section class="turns" aria-label=${words.log}>
    <h2>${words.log}</h2>
    ${stuck ? html`<p class="note risk">${stuck.text}</p>` : nothing}
    <ol reversed>${steps.map(
      (step, i) =>
        html`<li><span>${step.label}</span>${i < MAX_CORRECTED && !context.position.sealed ? correct(step) : nothing}</li>`,
    )}</ol></section>`;
}

/** The turn that is being corrected, and the ways out. */
export function correctionNote(context: Context) {
  const correction = correctionOf(context);
  if (!correction) return nothing;
  const { stuck, steps } = correction;
  return html`<div class="note along" role="status">
    <p>${stuck || words.correcting(steps[0].label, steps.length - 1)}</p>
    <div class="row wrap">${stuck ? html`<button class="soft" @click=${() => skipStuckStep(context)}>${words.leaveOut}</button>` : nothing}
      <button class="plain" @click=${() => cancelCorrection(context)}>${words.cancel}</button></div></div>`;
}

/** In place of the advice once the game is over: the result, its reason, the review and, after a loss, undo. */
export function endPanel(context: Context, { won, title, reason }: End) {
  const review = reviewAction(context);
  const before = won ? undefined : context.past.at(-2);
  return html`<section class="stack advice-box game-end">
    <h2 class="head">${title}</h2>
    <p class=${won ? "note" : "note risk"}>${reason}</p>
    <div class="row wrap">${review ? html`<button class="main" @click=${review.run}>${review.label}</button>` : nothing}
      ${before ? html`<button class="soft" data-edit @click=${() => context.follow(before.id, [])}>${words.takeBack}</button>` : nothing}</div>
  </section>`;
}

/** The turns since the table was laid out, and the table before them; null while there are none. */
function playedTurns({ past }: Pick<Context, "past">) {
  const first = Math.max(1, past.findLastIndex(({ turn }) => turn?.want === "table") + 1);
  const turns: PlayedTurn[] = [];
  let [start, last]: (Position | null)[] = [null, null];
  past.slice(first).forEach(({ turn, position }, i) => {
    if (turn?.want !== "outcome" && turn?.want !== "use") return;
    const before = past[first + i - 1].position;
    const isSame = !last || JSON.stringify(before) === JSON.stringify(last);
    turns.push({ [turn.want]: turn.options, ...(isSame ? {} : { position: before }) });
    start ??= before;
    last = position;
  });
  return start ? { start: start as Position, turns } : null;
}

/** The action that opens the review; undefined while no turn is noted. */
export function reviewAction(context: Context) {
  if (!playedTurns(context)) return undefined;
  return { label: words.review.open, main: true, run: () => setReview(context, true) };
}

function setReview(context: Context, open: boolean) {
  const show = () => document.querySelector("details.review")?.scrollIntoView({ block: "start" });
  context.set({ lookback: open ? playedTurns(context) : null }, open ? show : undefined);
}

export function reviewRequest({ lookback }: View) {
  if (!lookback) return undefined;
  const { start: position, turns } = lookback;
  return { want: "review", position, options: { turns }, urgency: "last" } as const;
}

export function review(context: Context) {
  const played = playedTurns(context);
  if (!played) return nothing;
  const reply = context.replies.review;
  const partial = reply?.progress?.best as Review | null | undefined;
  // What lost the game is known once every turn is judged.
  const found = reply?.value ?? (partial && { ...partial, summary: [], lost: null });
  const isOpen = context.view.lookback?.turns.length === played.turns.length;
  return fold(
    words.review.title,
    isOpen,
    (open) => setReview(context, open),
    () => html`<div class="stack-small">
      ${waitingFor(context, "review")}
      ${found ? details(context.position, found) : nothing}</div>`,
    "review",
  );
}

function details(position: Position, found: Review) {
  const notes = [...new Set(found.turns.map((turn) => turn.note).filter(Boolean))];
  const [width, height] = [chartWidth(found), REVIEW_HEIGHT];
  return html`${found.summary.map((text) => html`<p><b>${text}</b></p>`)}
    ${found.turns.length ? html`<div class="scroll" role="img" aria-label=${words.review.chart}><svg viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} class="rack-picture">${chart(found, 0)}</svg></div>` : nothing}
    ${scrollTable(
      words.review.title,
      Object.values(words.review.head),
      found.turns.map((turn, i) => turnRow(position, turn, i === found.lost, i)),
    )}
    ${[words.review.how, ...notes].map((text) => html`<p class="quiet">${text}</p>`)}`;
}

function turnRow(position: Position, turn: ReviewedTurn, lost: boolean, i: number) {
  const { best, decision, luck } = turn;
  const better =
    best && decision && decision.chance < 0
      ? html`<br><span class="quiet">${words.review.better(words.cutName(best, nameOf(position, best.stand)))}</span>`
      : nothing;
  return html`<tr class=${lost ? "lost" : nothing}><th scope="row">${i + 1}. ${turn.text}${better}</th>
    <td class="n">${chance(turn.before)} → ${chance(turn.after)}</td>
    <td class="n">${decision ? words.review.points(decision.chance, decision.error) : "–"}</td>
    <td class="n">${luck === null ? "–" : words.review.points(luck)}</td></tr>`;
}

const chance = (one: Chance | null) => (one ? percent(one.chance) : "–");

const STEP = 22; // px a turn
const HEIGHT = 100; // px of the chart's scale
const TOP = 12; // px above it
const AXIS = 44; // px left of it, for "100 %"
export const REVIEW_HEIGHT = HEIGHT + 36;

export const chartWidth = (found: Review) => found.turns.length * STEP + AXIS + 14;

/** The chance to win turn by turn as shapes from `y` down: what the decision changed, then luck. */
export function chart(found: Review, y: number) {
  const width = chartWidth(found);
  const at = (p: number) => y + TOP + HEIGHT * (1 - p);
  const lines = [0, 0.5, 1].map(
    (p) => svg`<line x1=${AXIS} x2=${width - 6} y1=${at(p)} y2=${at(p)} class="review-line"></line>
    <text x=${AXIS - 4} y=${at(p) + 4} text-anchor="end" class="marks">${percent(p)}</text>`,
  );
  const bar = (x: number, from: number, to: number, name: string) =>
    svg`<rect x=${x} y=${at(Math.max(from, to))} width=${STEP / 2 - 1} height=${Math.max(1.5, Math.abs(to - from) * HEIGHT)} class=${name}></rect>`;
  return svg`${lines}${found.turns.map((turn, i) => {
    const x = AXIS + 4 + i * STEP;
    const label = svg`<text x=${x + STEP / 2 - 1} y=${y + TOP + HEIGHT + 16} text-anchor="middle" class=${i === found.lost ? "marks lost" : "marks"}>${i + 1}</text>`;
    if (!turn.before || !turn.after) return label;
    const decided = turn.before.chance + (turn.decision?.chance ?? 0);
    const luck = turn.after.chance >= decided ? "review-gain" : "review-loss";
    return svg`${turn.decision ? bar(x, turn.before.chance, decided, "review-gave") : nothing}
      ${bar(x + STEP / 2 - 1, decided, turn.after.chance, luck)}${label}`;
  })}`;
}
