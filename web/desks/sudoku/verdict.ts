/** The answer: the same with its steps, or different with a reason. */

import type { Because, Meetings } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { grid } from "../../widgets/grid.js";
import type { OnInput } from "../../widgets/on.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import { copy } from "./minlex-forms.js";
import type { Alike, Context, Unlike } from "./model.js";
import { boardOf, boxOf, SYMBOLS, sharedStrips, tokensOf } from "./model.js";
import { left, within } from "./sections.js";
import { words } from "./strings.js";
import { filled, go, isPlaying, scene, toggle, witnessFrame } from "./witness-player.js";

export function verdict(context: Context) {
  const there = filled(context.position);
  if (there.length < 2)
    return html`<section class="card verdict"><p>${there.length ? words.needTwo : words.needOne}</p></section>`;
  const reply = context.replies.same;
  const found = reply?.value;
  return html`<section class="card verdict ${reply?.stale ? "stale" : ""}" aria-live="polite">
    ${waiting(reply, { phase: context.phase, stop: () => context.stop("same"), again: () => context.again("same") })}
    ${found ? (found.same ? same(context, found) : different(context, found)) : nothing}
    <label class="check"><input type="checkbox" .checked=${Boolean(context.view.names)} @change=${(e: OnInput) => context.set({ names: e.target.checked, player: null })}><span>${words.noRelabel}<br><span class="quiet">${words.noRelabelHelp}</span></span></label>
  </section>`;
}

/** Reasons whose lists are numbers to look at. */
const COUNTED = new Set(["symbols", "lines", "bands"]);

/** The boards with their rectangles marked. */
function rectangles(context: Context, because: Because) {
  const [rows, cols] = boxOf(context.position);
  return html`<div class="rectangles">${[because.first_lists ?? [], because.second_lists ?? []].map(
    (found, i) => {
      const label = words.rectangles(i);
      return html`<figure>${grid({ rows, cols, tokens: tokensOf(boardOf(context.position, i)), label, moved: new Set(found.flat()) })}<figcaption class="quiet">${label}: ${found.length}</figcaption></figure>`;
    },
  )}</div>`;
}

/** The boards with the strips of their first pair marked. */
function meetings(context: Context, found: Meetings) {
  const [rows, cols] = boxOf(context.position);
  return html`<div class="rectangles">${[found.first_pairs, found.second_pairs].map((pairs, i) => {
    const board = boardOf(context.position, i);
    const label = words.meetings(i, pairs.length, found.count);
    const [first] = pairs;
    const moved = new Set(first ? sharedStrips(board, [rows, cols], first).flat() : []);
    const pair = first && found.count ? words.meetingPair(first.map((d) => SYMBOLS[d - 1])) : "";
    return html`<figure>${grid({ rows, cols, tokens: tokensOf(board), label, moved })}<figcaption class="quiet">${label}${pair}</figcaption></figure>`;
  })}</div>`;
}

function different(context: Context, found: Unlike) {
  const { because } = found;
  const lists =
    because.first_lists && because.second_lists && COUNTED.has(because.kind)
      ? [because.first_lists, because.second_lists]
      : null;
  return html`<h2 class="answer-word different">${words.verdict(found)}</h2>
    ${left(found)}${within(found)}<p>${explained(because.text)} ${words.renamed[(String(found.same_renamed) as "true")] ?? ""}</p>
    <p class="quiet">${words.decidedBy}: <b>${words.rungs[because.kind]}</b></p>
    ${because.meetings && because.kind !== "rectangles" ? meetings(context, because.meetings) : nothing}
    ${because.kind === "rectangles" ? rectangles(context, because) : nothing}
    ${lists ? html`<ul class="counts">${lists.map((rows, i) => html`<li><b>${words.lists[i]}</b> ${rows.map((r) => html`<span>${r.join(" ")}</span>`)}</li>`)}</ul>` : nothing}`;
}

function same(context: Context, found: Alike) {
  const done = witnessFrame(context);
  const n = found.steps.length;
  return html`<h2 class="answer-word ${found.not_compared ? "plainly" : "same"}">${words.verdict(found)}</h2>
    ${left(found)}${within(found)}<p>${explained(`${words.sameText(n)} ${found.ways > 1 ? words.ways(found.ways, found.shortest) : ""}`)}</p>
    ${found.summary && n ? html`<p class="witness"><q>${found.summary}</q> <button class="plain" @click=${() => copy(context, found.summary ?? "")}>${words.copySentence}</button></p>` : nothing}
    ${n ? key(context, found) : nothing}
    ${n ? controls(context, done, n) : nothing}
    ${n && done ? moving(context) : nothing}
    <ol class="steps" aria-label=${words.steps}>${found.steps.map(
      (step, i) =>
        html`<li><button class=${i < done ? "step done" : "step"} aria-current=${i === done - 1 ? "step" : nothing} @click=${() => go(context, i + 1)}>${step.text}</button></li>`,
    )}</ol>
    <p class="quiet">${words.link}</p>`;
}

/** Where each row and column of the second board comes from, and what each digit becomes. */
function key(context: Context, { witness: t }: Alike) {
  const [rows, cols] = boxOf(context.position);
  const parts = (sources: readonly number[], block: number) =>
    sources.map(
      (from, i) =>
        html`${i && i % block === 0 ? html`<i aria-hidden="true">|</i>` : nothing}<span>${from + 1}</span>`,
    );
  const digits = t.digits
    .slice(1)
    .map((to, i) => html`<span>${SYMBOLS[i]}<small>→</small>${SYMBOLS[to - 1]}</span>`);
  const lines: [string, unknown][] = t.cells?.length
    ? [[words.key.cells, words.key.move]]
    : [
        [words.key.rows, parts(t.rows, rows)],
        [words.key.cols, parts(t.cols, cols)],
      ];
  return html`<dl class="key" aria-label=${words.key.title}>
    ${t.transpose ? html`<div><dt>${words.key.first}</dt><dd>${words.key.transpose}</dd></div>` : nothing}
    ${[...lines, [words.key.digits, digits]].map(([name, text]) => html`<div><dt>${name}</dt><dd>${text}</dd></div>`)}</dl>
    <p class="quiet">${words.key.text(t.transpose)}</p>`;
}

/** On a phone the first board is out of sight here: a copy of it moves next to the controls. */
function moving(context: Context) {
  const now = scene(context, 0);
  const [rows, cols] = boxOf(context.position);
  if (!now) return nothing;
  return html`<div class="player-board">${grid({ rows, cols, tokens: now.tokens, moved: now.touched, label: now.caption })}</div>`;
}

function controls(context: Context, done: number, n: number) {
  const button = (sign: string, label: string, run: () => void, off = false) =>
    html`<button class="soft" aria-label=${label} title=${label} ?disabled=${off} @click=${run}>${sign}</button>`;
  return html`<div class="row wrap controls">
    ${button("↺", words.restart, () => go(context, 0), done === 0)}
    ${button("◀", words.back, () => go(context, done - 1), done === 0)}
    <button class="main" @click=${() => toggle(context)}>${isPlaying(context) ? words.pause : words.play}</button>
    ${button("▶", words.forward, () => go(context, done + 1), done === n)}
    ${choice({ label: words.speed, options: words.speeds, value: context.view.speed ?? "normal", onChange: (speed) => context.set({ speed }) })}
  </div>
  <p class="quiet" role="status">${words.at(done, n)}</p>`;
}
