/** The solution path of a puzzle move by move, and the review of the player's own presses. */

import type { Move, ReviewedPress } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import { whole } from "../../widgets/numbers.js";
import { fold, scrollTable } from "../../widgets/panel.js";
import { waitingFor } from "../../widgets/waiting.js";
import { cellName, clueName } from "./cell-names.js";
import { curve, scale } from "./difficulty-chart.js";
import type { Context, Position, View } from "./model.js";
import { drawnOf, queryPosition, startPosition } from "./model.js";
import type { Solution } from "./sealed-solution.js";
import { shownAt, solutionOf } from "./sealed-solution.js";
import { words } from "./strings.js";

const PACE = 1200; // ms a move while it plays by itself

let playing: { moves: readonly Move[]; timer: number } | null = null;

/** The board before a move of the path, and that move; null unless the replay is open. */
export function replayOf({ position, view, replies }: Context) {
  const moves = view.path ? replies.path?.value?.path : null;
  const solution = solutionOf(position);
  if (view.at == null || !moves || !solution) {
    pause();
    return null;
  }
  const at = Math.min(view.at, moves.length);
  return { moves, at, move: moves[at] ?? null, position: boardAt(position, moves.slice(0, at), solution) };
}

/** The position after some moves from the start. */
function boardAt(position: Position, moves: readonly Move[], solution: Solution): Position {
  const fresh = startPosition(position);
  const opened = moves.filter((m) => m.verdict === "safe").flatMap((m) => m.cells);
  return {
    ...fresh,
    revealed: [...(fresh.revealed ?? []), ...opened.map((cell) => shownAt(position, solution, cell))],
    flags: moves.filter((m) => m.verdict === "mine").flatMap((m) => m.cells),
  };
}

/** Under the board while the replay is open. */
export function controls(
  context: Context,
  { moves, at, move, position }: NonNullable<ReturnType<typeof replayOf>>,
) {
  const go = (to: number) => {
    pause();
    context.set({ at: Math.max(0, Math.min(moves.length, to)) });
  };
  const on = playing?.moves === moves;
  return html`<section class="stack-small replay" aria-label=${words.replay}>
    <p role="status">${move ? html`<b>${words.moveOf(at, moves.length)}</b> ${moveText(position, move)}` : words.replayOver(moves.length)}</p>
    ${move ? html`<p class="quiet">${words.techniques[move.technique]}</p>` : nothing}
    <div class="row wrap">
      <button class="plain" ?disabled=${at === 0} @click=${() => go(at - 1)}>${words.replayBack}</button>
      <button class="soft" ?disabled=${!move} @click=${() => go(at + 1)}>${words.replayNext}</button>
      <button class="plain" ?disabled=${!move} @click=${() => (on ? go(at) : play(context, moves, at))}>${on ? words.replayPause : words.replayPlay}</button>
      <button class="plain" @click=${() => context.set({ at: null })}>${words.replayClose}</button>
    </div></section>`;
}

function play(context: Context, moves: readonly Move[], from: number) {
  pause();
  let at = from;
  const timer = window.setInterval(() => {
    at += 1;
    if (at >= moves.length) pause();
    context.set({ at });
  }, PACE);
  playing = { moves, timer };
  context.redraw();
}

function pause() {
  if (playing) window.clearInterval(playing.timer);
  playing = null;
}

/** @param position as it is before the move */
function moveText(position: Position, { clues, cells, verdict }: Move) {
  const { groups } = drawnOf(position);
  const names = clues.filter((n) => !n.startsWith("flag:")).map((n) => clueName(position, groups, n));
  return words.moveText(
    names,
    cells.map((c) => cellName(position, c)),
    verdict,
  );
}

/** The moves of the solution path, on request. */
export function pathPanel(context: Context) {
  const { view, replies } = context;
  if (!view.path)
    return html`<p><button class="plain" @click=${() => context.set({ path: true })}>${words.wayAsk}</button></p>`;
  const found = replies.path?.value;
  const late = waitingFor(context, "path");
  return html`${late}${found?.path?.length ? pathSummary(context, found.path, found.thought) : nothing}`;
}

function pathSummary(context: Context, path: readonly Move[], thought?: number | null) {
  const order = Object.keys(words.techniques);
  const ranks = path.map((move) => order.indexOf(move.technique) + 1);
  const kinds = order.filter((kind) => path.some((move) => move.technique === kind));
  const label = (i: number) => words.moveKind(i, path[i].technique, path[i].length ?? 0);
  return html`<p>${words.wayTakes(path.length)}</p>
    <dl class="facts">${kinds.map((kind) => html`<dt>${words.techniques[kind]}</dt><dd>${path.filter((m) => m.technique === kind).length}</dd>`)}</dl>
    ${thought == null ? nothing : html`<p><b class="score">${words.thought(thought)}</b> <span class="quiet">${words.thoughtWhat}</span></p>${scale(thought, words.thoughtScale, whole(thought))}`}
    ${curve(ranks, order.length, words.wayChart, label)}
    <p><button class="soft" @click=${() => context.set({ at: 0, degree: 0, why: null })}>${words.replayOpen}</button> <span class="quiet">${words.replaySpoils}</span></p>`;
}

/** The query of the review; null unless it was requested for these presses. */
export function reviewQuery(position: Position, view: View) {
  const { presses, sealed } = position;
  if (!presses?.length || !sealed || view.lookback !== presses.length) return null;
  return { want: "review" as const, position: { ...queryPosition(position), sealed, presses } };
}

export function reviewPanel(context: Context) {
  const { position, view, replies } = context;
  const presses = position.presses?.length ?? 0;
  if (!presses || !position.sealed) return nothing;
  const open = view.lookback === presses;
  const found = open ? replies.review?.value : null;
  return fold(
    words.review.title,
    open,
    (on) => context.set({ lookback: on ? presses : null }),
    () => html`${waitingFor(context, "review")}
    ${
      found
        ? html`<div class="stack-small"><p role="status"><b>${words.review.sum(found)}</b> ${words.review.parts(found)}</p>
      ${scrollTable(
        words.review.title,
        words.review.head,
        found.presses.map((one) => row(position, one)),
      )}
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
