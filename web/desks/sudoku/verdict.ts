/** The verdict: “the same” with the steps of a witness, which are played on the first board, or “different” with a reason. */

import { html, nothing } from "../../vendor.js";
import { grid } from "../../widgets/grid.js";
import { tick } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { Entry } from "./marks.js";
import { isPinned, marks, pin, point, stripOutlines, target } from "./marks.js";
import type { Alike, Context, Token, Unlike } from "./model.js";
import { played as after, boardOf, boxOf, clashes, filled, SYMBOLS, tokensOf, touched } from "./model.js";
import { clashNote, copy, left, within } from "./sections.js";
import { words } from "./strings.js";

export function verdict(context: Context) {
  const there = filled(context.position);
  if (there.length < 2)
    return html`<section class="card verdict"><p>${there.length ? words.needTwo : words.needOne}</p></section>`;
  const reply = context.replies.same;
  const found = reply?.value;
  return html`<section class="card verdict ${reply?.stale ? "stale" : ""}" aria-live="polite">
    ${there.some((i) => clashes(context.position, i).size) ? clashNote() : waitingFor(context, "same")}
    ${found ? (found.same ? samePanel(context, found) : differentPanel(context, found)) : nothing}
    ${tick(words.noRelabel, context.view.names, (names) => context.set({ names, player: null }), { how: words.noRelabelHelp })}
  </section>`;
}

/** Reasons whose lists are shown as numbers. */
const COUNTED = new Set(["symbols", "lines", "bands"]);

/** Copies of both boards with their marks, for phones, where the boards are out of sight. */
function copies(context: Context) {
  const [rows, cols] = boxOf(context.position);
  const both = [0, 1].map((i) => marks(context, i));
  if (!both.some(Boolean)) return nothing;
  return html`<div class="marked-boards">${both.map((marked, i) => {
    const board = boardOf(context.position, i);
    const label = `${words.names[i]}: ${marked?.text ?? ""}`;
    return html`<figure>${grid({ rows, cols, tokens: tokensOf(board), label, moved: marked?.cells, over: stripOutlines(rows * cols, marked?.strips) })}<figcaption class="quiet">${label}</figcaption></figure>`;
  })}</div>`;
}

function differentPanel(context: Context, found: Unlike) {
  const { because } = found;
  const lists =
    because.first_lists && because.second_lists && COUNTED.has(because.kind)
      ? [because.first_lists, because.second_lists]
      : null;
  return html`<h2 class="answer-word different">${words.verdict(found)}</h2>
    ${left(found)}${within(found)}<p>${explained(because.text)} ${words.renamed[(String(found.same_renamed) as "true")] ?? ""}</p>
    <p class="quiet">${words.decidedBy}: <b>${words.rungs[because.kind]}</b></p>
    ${copies(context)}
    ${lists ? html`<ul class="counts">${lists.map((rows, i) => html`<li><b>${words.lists[i]}</b> ${rows.map((r) => html`<span>${r.join(" ")}</span>`)}</li>`)}</ul>` : nothing}`;
}

function samePanel(context: Context, found: Alike) {
  const done = witnessFrame(context);
  const n = found.steps.length;
  return html`<h2 class="answer-word ${found.not_compared ? "plainly" : "same"}">${words.verdict(found)}</h2>
    ${left(found)}${within(found)}<p>${explained(`${words.sameText(n)} ${found.ways > 1 ? words.ways(found.ways, found.shortest) : ""}`)}</p>
    ${found.summary && n ? html`<p class="witness"><q>${found.summary}</q> <button class="plain" @click=${() => copy(context, found.summary ?? "")}>${words.copySentence}</button></p>` : nothing}
    ${n ? witnessTable(context, found) : nothing}
    ${n && !done ? copies(context) : nothing}
    ${n ? controls(context, done, n) : nothing}
    ${n && done ? movingBoard(context) : nothing}
    <ol class="steps" aria-label=${words.steps}>${found.steps.map(
      (step, i) =>
        html`<li><button class=${i < done ? "step done" : "step"} aria-current=${i === done - 1 ? "step" : nothing} @click=${() => playTo(context, i + 1)}>${step.text}</button></li>`,
    )}</ol>
    <p class="quiet">${words.link}</p>`;
}

/** The witness as a table: the image of each digit, row and column. Entries are marked on both boards. */
function witnessTable(context: Context, { witness: t }: Alike) {
  const size = t.rows.length;
  const row = (part: Entry["part"], name: string, shown: (at: number) => string) =>
    html`<div><dt>${name}</dt><dd>${Array.from({ length: size }, (_, at) => {
      const entry = { part, at };
      const [from, to] = [shown(at), shown(target(t, entry))];
      return html`<button class="key-entry" aria-pressed=${isPinned(context, entry)}
        @click=${() => pin(context, entry)} @pointerleave=${() => point(context, null)} @blur=${() => point(context, null)}
        @pointerenter=${(e: PointerEvent) => e.pointerType === "mouse" && point(context, entry)}
        @focus=${(e: FocusEvent) => (e.target as Element).matches(":focus-visible") && point(context, entry)}><span class="unseen">${name} ${from} → ${to}</span><small aria-hidden="true">${from}</small><b aria-hidden="true">${to}</b></button>`;
    })}</dd></div>`;
  const number = (at: number) => String(at + 1);
  const lines = t.cells?.length
    ? html`<div><dt>${words.key.cells}</dt><dd>${words.key.move}</dd></div>`
    : (["rows", "cols"] as const).map((part) => row(part, words.key[part](t.transpose), number));
  return html`<dl class="key" aria-label=${words.key.title}>${row("digits", words.key.digits, (at) => SYMBOLS[at])}${lines}</dl>
    <p class="quiet">${words.key.text}</p>`;
}

/** A copy of the first board next to the controls, for phones. */
function movingBoard(context: Context) {
  const now = scene(context, 0);
  const [rows, cols] = boxOf(context.position);
  if (!now) return nothing;
  return html`<div class="player-board">${grid({ rows, cols, tokens: now.tokens, moved: now.touched, label: now.caption })}</div>`;
}

function controls(context: Context, done: number, n: number) {
  const button = (sign: string, label: string, run: () => void, off = false) =>
    html`<button class="soft" aria-label=${label} title=${label} ?disabled=${off} @click=${run}>${sign}</button>`;
  return html`<div class="row wrap controls">
    ${button("↺", words.restart, () => playTo(context, 0), done === 0)}
    ${button("◀", words.back, () => playTo(context, done - 1), done === 0)}
    <button class="main" @click=${() => toggle(context)}>${isPlaying(context) ? words.pause : words.play}</button>
    ${button("▶", words.forward, () => playTo(context, done + 1), done === n)}
  </div>
  <p class="quiet" role="status">${words.at(done, n)}</p>`;
}

/** Milliseconds from step to step. */
export const PACE = 800;

/** The timer of the next step. */
let clock: ReturnType<typeof setTimeout> | undefined;

/** The steps of the verdict, if it still belongs to the boards. */
function steps(context: Context) {
  const reply = context.replies.same;
  return reply?.value?.same ? reply.value.steps : null;
}

/** How many steps have been played. */
export function witnessFrame(context: Context) {
  const all = steps(context);
  return all && context.view.player ? Math.min(context.view.player.step, all.length) : 0;
}

const isPlaying = (context: Context) => Boolean(context.view.player?.running);

/** What board `i` shows while the witness is played on it; null while it shows its own symbols. */
export function scene(
  context: Context,
  i: number,
): { tokens: Token[]; touched: Set<number>; caption: string } | null {
  const box = boxOf(context.position);
  const all = steps(context);
  const done = witnessFrame(context);
  if (i !== 0 || !all || done === 0) return null;
  let tokens = tokensOf(boardOf(context.position, 0));
  for (const step of all.slice(0, done)) tokens = after(step, tokens, box);
  return { tokens, touched: touched(all[done - 1], box), caption: words.at(done, all.length) };
}

/** Shows the first board after some steps; `running` continues to the last one. */
export function playTo(context: Context, step: number, running: boolean = false) {
  const all = steps(context);
  if (!all) return;
  const to = Math.max(0, Math.min(all.length, step));
  const on = running && to < all.length;
  context.set({ player: to === 0 && !on ? null : { step: to, running: on } });
  clearTimeout(clock);
  if (on)
    clock = setTimeout(() => {
      const now = latestContext(context);
      if (isPlaying(now)) playTo(now, to + 1, true);
    }, PACE);
  if (to > 0) context.announce(all[to - 1].text);
}

/** The context of the last drawing: a timer outlives the one that it was set with. */
let latest: Context | undefined;
export function watch(context: Context) {
  latest = context;
}
export const latestContext = (context: Context) => latest ?? context;

export function toggle(context: Context) {
  const all = steps(context);
  if (!all?.length) return;
  const done = witnessFrame(context);
  if (isPlaying(context)) playTo(context, done);
  else playTo(context, done === all.length ? 0 : done, true);
}
