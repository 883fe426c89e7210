/** The board of this desk: rows so far, the row being typed, codes left, contradictory rows with their fixes. */

import type { Slip } from "../../types/code.js";
import { html, nothing, repeat } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { fixed, whole } from "../../widgets/numbers.js";
import { doubtCard, foldFor } from "../../widgets/panel.js";
import { explained } from "../../widgets/term.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { answerPads, guessInSlots } from "./answer-pad.js";
import { keysOf, labelOf, signOf, signsOf, spelled, spokenCode } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import type { Clue, Context, Rules } from "./model.js";
import { answerText, codeCount, codesAfter, inRound, parseAnswer, rulesOf, SYMBOLS } from "./model.js";
import { colourClass, pegs, pins } from "./picture.js";
import { words } from "./strings.js";

export function rowsPanel(
  context: Context,
  marks: { doubted: Set<number>; redundant: Set<number>; over: boolean },
) {
  const rules = rulesOf(context.position);
  const draft = drafts.draftFor(context.view.draft, rules);
  const clues = context.position.clues ?? [];
  const left = inRound(context) && !context.view.hint ? null : codesAfter(context.position);
  return html`<div class="card log ${rules.pegs > 5 ? "many" : ""}">
    ${clues.length || inRound(context) || context.readOnly || rules.feedback !== "full" ? nothing : firstExample(rules.repeat)}
    <div class="row-view"><ol class="rows" aria-label=${words.guesses}>
      ${repeat(
        clues,
        (_, i) => i,
        (clue, i) => (draft.editing === i ? nothing : row(context, clue, i, left?.[i], marks)),
      )}
    </ol></div>
    ${marks.over ? nothing : entry(context, draft, rules)}
  </div>`;
}

function row(
  context: Context,
  clue: Clue,
  i: number,
  left: number | undefined,
  marks: { doubted: Set<number>; redundant: Set<number> },
) {
  const state = [clue.ignored ? "off" : "", marks.doubted.has(i) ? "doubted" : ""].join(" ");
  return html`<li class="guess ${state}">
    <button class="open"
      ?disabled=${inRound(context) || context.readOnly}
      @click=${() => context.open(() => rowDialog(context, i))}>
      <span class="no" aria-hidden="true">${i + 1}</span><span class="unseen">${words.row(i)}: ${spokenCode(clue.guess, signsOf(context.position))},</span>${pegs(clue.guess, signsOf(context.position))}
      ${left === undefined ? nothing : html`<span class="left-after">${words.leftAfter(left)}</span>`}${pins(clue, rulesOf(context.position).pegs)}<span class="code" aria-hidden="true">${answerText(clue)}</span><span class="unseen">, ${words.spokenAnswer(clue)}</span>
    </button>
    ${clue.ignored ? html`<span class="mark-line">${words.ignored}</span>` : nothing}
    ${marks.redundant.has(i) && !clue.ignored ? html`<span class="mark-line">${words.redundant}</span>` : nothing}
  </li>`;
}

/** The dialog to edit, ignore or remove a row. */
function rowDialog(context: Context, i: number) {
  const clue = context.position.clues?.[i];
  if (!clue) return nothing;
  const then = (run: () => void) => () => {
    context.open(null);
    run();
  };
  return dialogIn(context, {
    title: words.row(i),
    body: html`<div class="row">${pegs(clue.guess, signsOf(context.position))}<span class="code">${answerText(clue)}</span></div>
      <div class="buttons">
        <button class="soft" @click=${then(() => context.set({ draft: drafts.fromClue(clue, i) }))}>${words.edit}</button>
        <button class="soft" @click=${then(() => replaceRow(context, i, { ...clue, ignored: !clue.ignored }, clue.ignored ? words.heed : words.ignore))}>
          ${clue.ignored ? words.heed : words.ignore}</button>
        <button class="soft" @click=${then(() => removeRow(context, i))}>${words.remove}</button>
      </div>`,
  });
}

function replaceRow(context: Context, i: number, clue: Clue, step: string) {
  const clues = context.position.clues.with(i, clue);
  context.commit({ ...context.position, clues }, `${words.row(i)}: ${step}`);
}

function removeRow(context: Context, i: number) {
  const clues = context.position.clues.toSpliced(i, 1);
  context.commit({ ...context.position, clues }, `${words.row(i)}: ${words.remove}`);
}

function entry(context: Context, draft: drafts.Draft, rules: Rules) {
  const change = (next: drafts.Draft) => context.set({ draft: next });
  const used = new Set(draft.pegs);
  const signs = signsOf(context.position);
  const keys = keysOf(signs, rules.colours);
  const slotGuess = inRound(context) && !context.view.hint ? null : guessInSlots(context);
  const advised = slotGuess?.advised ? [...slotGuess.guess] : null;
  const left = colourCounts(context);
  return html`<div class="entry" data-part="entry" data-edit role="group" aria-label=${words.yourGuess}>
    <div class="slots">
      <span class="no">${(draft.editing ?? context.position.clues?.length ?? 0) + 1}</span>
      ${(advised ?? draft.pegs).map(
        (
          peg,
          i,
        ) => html`<span class="place"><button class="peg slot ${peg ? colourClass(peg, signs) : "open"} ${advised ? "advised" : ""}"
          aria-label=${words.peg(i, signOf(peg, signs), Boolean(advised))} aria-current=${!advised && i === draft.at ? "true" : nothing}
          @click=${() => change({ ...draft, at: i })}>${peg ? labelOf(peg, signs) : ""}</button>${couldBe(left?.places?.[i], signs)}</span>`,
      )}
      <button class="icon erase" aria-label=${words.erase} @click=${() => change(drafts.erase(draft))}>⌫</button>
    </div>
    <div class="palette">
      ${[...SYMBOLS.slice(0, rules.colours)].map((c, i) => {
        const state = colourState(left, i);
        return html`<button class="peg ${colourClass(c, signs)} ${!rules.repeat && used.has(c) ? "used" : ""} ${state}"
          aria-label=${words.colour(signOf(c, signs), state)} aria-keyshortcuts=${keys[i]} @click=${() => change(drafts.setPeg(draft, c, rules))}>${labelOf(c, signs)}${state ? html`<small>${words.colourStates[state]}</small>` : nothing}</button>`;
      })}
      ${rules.blanks ? html`<button class="peg blank" aria-label=${words.blank} @click=${() => change(drafts.setPeg(draft, ".", rules))}></button>` : nothing}
    </div>
    ${inRound(context) ? guessButton(context, draft) : answerPads(context, draft, rules, change)}
  </div>`;
}

/** The result of `remaining` with its colours; null if it is stale, empty or uncounted. */
function colourCounts({ replies, position }: Context) {
  const value = replies.remaining?.value;
  return position.clues?.length && value?.count && value.holding ? value : null;
}

/** Whether a colour occurs in no remaining code ("out"), or in all of them ("certain"). */
function colourState(left: ReturnType<typeof colourCounts>, i: number): "" | "out" | "certain" {
  const holding = left?.holding?.[i];
  return holding === 0 ? "out" : holding !== undefined && holding === left?.count ? "certain" : "";
}

const MAX_DOTS = 8;

/**
 * Dots for the possible colours of a peg; none if all are possible.
 * @param counts of codes by colour
 */
function couldBe(counts: number[] | undefined, signs: string[]) {
  const there = [...SYMBOLS].filter((_, i) => counts?.[i]);
  if (!counts || there.length === counts.length || there.length > MAX_DOTS) return nothing;
  return html`<span class="could-be" aria-hidden="true">${there.map((c) => html`<i class=${`peg ${colourClass(c, signs)}`}></i>`)}</span>`;
}

function guessButton(context: Context, draft: drafts.Draft) {
  return html`<div class="between"><p class="quiet hint"></p>
    <button class="main" ?disabled=${!drafts.isComplete(draft) || context.view.judging} @click=${() => submitGuess(context)}>${words.guessNow}</button></div>`;
}

/** Submit the guess of a round; the sealed code or the undecided code maker answers. */
export async function submitGuess(context: Context) {
  const rules = rulesOf(context.position);
  const draft = drafts.draftFor(context.view.draft, rules);
  if (!drafts.isComplete(draft)) return;
  const position = context.position;
  const evil = context.view.evil && !position.sealed;
  const options = { guess: draft.pegs.join(""), ...(evil ? { evil } : {}) };
  context.set({ judging: true });
  try {
    const { answer } = await context.ask({ want: "judge", position, options }).promise;
    const row = { guess: options.guess, ...parseAnswer(answer, rules) };
    const clue = (row.won === false ? { ...row, won: undefined } : row) as Clue;
    const clues = [...(position.clues ?? []), clue];
    context.commit(
      { ...position, clues },
      `${words.row(clues.length - 1)}: ${spelled(clue.guess, signsOf(position))} ${answerText(clue)}`,
      { view: { draft: null, chosen: "", judging: false } },
    );
    context.announce(words.spokenRow(clue, signsOf(position)));
  } catch (fault) {
    context.set({ judging: false });
    context.notify((fault as FaultFacts).message);
  }
}

/** An example of an answer, shown until the first row is added. */
function firstExample(repeat: boolean) {
  const e = words.example;
  const guess = repeat ? "0331" : "0314";
  return html`<div class="first-example stack-small"><p>${e.intro(guess)}</p>
    <div class="row wrap">${pegs("0123")}<span class="quiet">${e.against}</span>${pegs(guess)}${pins({ exact: 1, partial: 2 }, 4)}</div>
    <p>${e.exact} ${e.partial(repeat)}</p></div>`;
}

const MAX_FIXES = 8; // that are shown

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
    <div class="hair"><i .style=${`width:${bitsPercent(count, total)}%`}></i></div>
    ${count === 1 && !stale ? html`<p class="note solved">${words.solved(spelled(remaining?.value?.codes?.[0] ?? "", signs))} ${pegs(remaining?.value?.codes?.[0] ?? "", signs)}</p>` : nothing}
  </div>`;
}

/** Remaining bits in percent of all bits: a linear bar would be empty after one guess. */
function bitsPercent(count: number, total: number) {
  return count < 1 ? 0 : (100 * Math.log2(count)) / Math.max(Math.log2(total), 1e-9);
}

/** A code of the list; a button unless the position is read-only. */
function codeChoice(context: Context, code: string) {
  const signs = signsOf(context.position);
  const shown = html`${pegs(code, signs)}<span class="unseen">${spelled(code, signs)}</span>`;
  return context.readOnly
    ? html`<span class="code-choice">${shown}</span>`
    : html`<button class="code-choice" aria-label=${words.listPut(spelled(code, signs))} @click=${() => context.set({ draft: drafts.fromGuess(code, rulesOf(context.position)) })}>${shown}</button>`;
}

/** The remaining codes if there are several; below the rows, so that phones show it too. */
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
      <ul class="codes choices" .style=${`--wide:${pegCount}`} tabindex="0" role="list" aria-label=${words.listLabel}>${codes.map((c: string) => html`<li>${codeChoice(context, c)}</li>`)}</ul>`,
  );
}

export function doubt(context: Context) {
  const found = context.replies.doubt?.value;
  if (!found?.contradiction) return nothing;
  const rules = rulesOf(context.position);
  const signs = signsOf(context.position);
  const rows = [...new Set(found.smallest.flat())].sort((a, b) => a - b);
  return doubtCard({
    title: words.doubtTitle,
    clashes: found.smallest.map((set: number[]) =>
      set.length === 1 ? words.alone(set[0]) : words.together(set),
    ),
    notes: [found.slips.length ? null : words.slipNone],
    fixesTitle: words.repairs,
    fixes: found.slips.slice(0, MAX_FIXES).map((slip) => ({
      label: html`${slip.changes.map((row) => html`${pegs(row.guess, signs)}${pins(row, rules.pegs)}`)}<span>${slipText(context, slip)}</span>`,
      run: () => applyRepair(context, slip),
    })),
    without: rows.map((i) => ({
      label: `${words.ignore} (${words.row(i)})`,
      run: () => replaceRow(context, i, { ...context.position.clues[i], ignored: true }, words.ignore),
    })),
  });
}

/** A typing error as a sentence. */
function slipText({ position }: Context, slip: Slip) {
  const answers = slip.changes.map(answerText).join(" and ");
  return words.slip[slip.kind](slip, answers, spelled(slip.changes[0].guess, signsOf(position)));
}

/** A typing error in the advice bar: only the changed guess or answer. */
export function slipFacts({ position }: Context, slip: Slip) {
  const other = slip.kind === "peg" || slip.kind === "swap";
  const rows = slip.changes.map((row) => (other ? spelled(row.guess, signsOf(position)) : answerText(row)));
  return [{ text: words.bar.slip(slip, rows) }, { text: words.bar.leaves(slip.remaining) }];
}

/** Replace the rows that a typing error changed, in one step for undo. */
export function applyRepair(context: Context, { changes }: Slip) {
  const clues = changes.reduce(
    (rows, { clue, ...row }) => rows.with(clue, { ...rows[clue], ...row }),
    context.position.clues,
  );
  context.commit({ ...context.position, clues }, words.slipMended(changes));
}
