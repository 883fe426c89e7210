/** The answer pad: a grid with one key for each answer and the codes that it leaves, or one pad for each number. */

import { html, nothing } from "../../vendor.js";
import { whole } from "../../widgets/numbers.js";
import { advisedGuess } from "./advice.js";
import { keysOf, signsOf, spelled } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import type { Context, Rules, View } from "./model.js";
import { answerText, inRound, legalAnswer, rulesOf } from "./model.js";
import { words } from "./strings.js";

const MAX_GRID_PEGS = 5; // of a grid that fits a phone

/** Lower bounds of the shades 2 to 5, as shares of the largest count. */
const SHADE_BOUNDS = [0.12, 0.3, 0.55, 0.8];

/**
 * The guess that the pad is for: the one typed, or the advised one while nothing is typed; null while
 * the row is incomplete or no advice is known.
 */
export function guessInSlots(
  context: Context,
): { guess: string; advised: boolean; answers: Record<string, number> | null } | null {
  const draft = drafts.draftFor(context.view.draft, rulesOf(context.position));
  const best = inRound(context) && !context.view.hint ? null : advisedGuess(context);
  if (drafts.isUntouched(draft)) return best && { guess: best.guess, advised: true, answers: best.answers };
  if (!drafts.isComplete(draft)) return null;
  const guess = draft.pegs.join("");
  const { mine } = context.replies;
  const own = mine?.value?.mine;
  const known = [best, own].find((one) => one?.guess === guess);
  return { guess, advised: false, answers: (draft.editing === null && known?.answers) || null };
}

/** Whether answers are entered by one key of the grid. */
export const usesGrid = ({ feedback, pegs }: Rules, view: View) =>
  !view.halves && pegs <= MAX_GRID_PEGS && (feedback === "full" || feedback === "keep");

/** The answers of the grid in its order, and the key of each: a letter that is neither a colour nor u. */
export function answerKeys({ position, view }: Pick<Context, "position" | "view">) {
  const rules = rulesOf(position);
  if (!usesGrid(rules, view)) return [];
  const taken = new Set(["u", ...keysOf(signsOf(position), rules.colours)]);
  const letters = [..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => !taken.has(letter));
  const counts = Array.from({ length: rules.pegs + 1 }, (_, n) => n);
  return counts
    .flatMap((exact) => counts.map((partial) => ({ exact, partial })))
    .filter(({ exact, partial }) => exact + partial <= rules.pegs && legalAnswer(rules, exact, partial))
    .map((answer, i) => ({ ...answer, key: letters[i] ?? "" }));
}

export function answerPads(
  context: Context,
  draft: drafts.Draft,
  rules: Rules,
  change: (next: drafts.Draft) => void,
) {
  return usesGrid(rules, context.view)
    ? grid(context, draft, rules)
    : numberPads(context, draft, rules, change);
}

/** The grid: rows by right places, columns by right colours; a press adds the row. */
function grid(context: Context, draft: drafts.Draft, rules: Rules) {
  const { pegs, feedback } = rules;
  const slotGuess = guessInSlots(context);
  const joined = feedback === "full" && pegs > 2; // the key of the win is in the row above, where two cells are free
  const rows = Array.from({ length: joined ? pegs : pegs + 1 }, (_, exact) => exact);
  const largest = Math.max(1, ...Object.values(slotGuess?.answers ?? {}));
  const letters = new Map(answerKeys(context).map((one) => [`${one.exact} ${one.partial}`, one.key]));
  const key = (exact: number, partial: number) => {
    const letter = letters.get(`${exact} ${partial}`) || nothing;
    const left = slotGuess?.answers ? (slotGuess.answers[`${exact}A${partial}B`] ?? 0) : null;
    const shade = left
      ? SHADE_BOUNDS.filter((least) => left / largest > least).length + 1
      : left === 0
        ? "none"
        : 0;
    return html`<button class=${`an shade-${shade} ${exact === pegs ? "win" : ""}`} ?disabled=${!slotGuess}
      aria-pressed=${draft.editing !== null && draft.exact === exact && draft.partial === partial ? "true" : nothing}
      aria-label=${words.answerKey(exact, partial, left)} aria-keyshortcuts=${letter} data-letter=${letter} @click=${() => addAnsweredRow(context, exact, partial)}>${left === null ? "" : left === 0 ? "·" : whole(left)}</button>`;
  };
  const cell = (exact: number, partial: number) => {
    if (exact + partial <= pegs && legalAnswer(rules, exact, partial)) return key(exact, partial);
    if (!joined || exact < pegs - 1 || partial > 2) return html`<span></span>`;
    return partial === 1 ? axis(pegs, "exact") : key(pegs, 0);
  };
  return html`<div class="anspad" role="group" aria-label=${words.answerPad} .style=${`--columns:${pegs + 1}`}>
      <span></span>${Array.from({ length: pegs + 1 }, (_, n) => axis(n, "partial"))}
      ${rows.map((exact) => [axis(exact, "exact"), ...Array.from({ length: pegs + 1 }, (_, partial) => cell(exact, partial))])}
    </div>
    <div class="pad-foot"><p class="quiet">${slotGuess ? words.padNote : words.fillFirst}</p>
      ${draft.editing === null ? nothing : html`<button class="plain" @click=${() => context.set({ draft: null })}>${words.cancel}</button>`}
      <button class="plain" @click=${() => context.set({ halves: true, draft: withAdvisedGuess(context, draft, slotGuess) })}>${words.oneUnknown}</button></div>`;
}

/** A number of an axis with its pin. */
const axis = (n: number, half: "exact" | "partial") =>
  html`<span class="ax" aria-hidden="true">${n}<i class=${`pin ${half}`}></i></span>`;

/** The draft, with the advised guess if nothing is typed. */
export function withAdvisedGuess(
  { position }: Context,
  draft: drafts.Draft,
  slotGuess: ReturnType<typeof guessInSlots>,
): drafts.Draft {
  return slotGuess?.advised ? { ...draft, pegs: [...slotGuess.guess], at: rulesOf(position).pegs } : draft;
}

/** Add the row of the guess in the slots with this answer. */
export function addAnsweredRow(context: Context, exact: number, partial: number) {
  const draft = drafts.draftFor(context.view.draft, rulesOf(context.position));
  addRow(context, { ...withAdvisedGuess(context, draft, guessInSlots(context)), exact, partial });
}

function numberPads(
  context: Context,
  draft: drafts.Draft,
  rules: Rules,
  change: (next: drafts.Draft) => void,
) {
  const clue = drafts.toClue(draft, rules);
  const pads = { order: marksPad, sum: sumPad }[rules.feedback as string];
  return html`
    <div class="pads">
      ${pads ? pads(draft, rules, change) : pad("exact", words.exact, draft, rules, change)}
      ${pads || rules.feedback === "exact" ? nothing : pad("partial", words.partial, draft, rules, change)}
    </div>
    <div class="between">
      <p class="quiet hint">${clue ? answerText(clue) : drafts.isComplete(draft) ? words.nowAnswer : words.fillFirst}</p>
      <div class="row">
        ${draft.editing === null ? nothing : html`<button class="plain" @click=${() => context.set({ draft: null })}>${words.cancel}</button>`}
        <button class="main" ?disabled=${!clue} @click=${() => addRow(context)}>${draft.editing === null ? words.addRow : words.saveRow}</button>
      </div>
    </div>`;
}

function pad(
  half: "exact" | "partial",
  label: string,
  draft: drafts.Draft,
  rules: Rules,
  change: (next: drafts.Draft) => void,
) {
  const other = half === "exact" ? draft.partial : draft.exact;
  const fits = (n: number | "?") =>
    n === "?"
      ? other !== "?"
      : half === "exact" || other === null || legalAnswer(rules, drafts.known(other), n);
  const keys = Array.from({ length: rules.pegs + 1 }, (_, n) => n) as (number | "?")[];
  if (rules.feedback !== "exact") keys.push("?");
  return html`<div class="pad" role="group" aria-label=${label}>
    <span class="pad-name" aria-hidden="true"><i class="pin ${half}"></i><span class="whole">${label}</span><span class="brief">${words.short[half]}</span></span>
    <span class="pad-keys">${keys.map(
      (n) => html`<button
      class="soft ${n === "?" ? "unsure" : ""}" aria-label=${n === "?" ? words.notKnown : nothing} title=${n === "?" ? words.notKnown : nothing}
      aria-pressed=${draft[half] === n} ?disabled=${!fits(n)} @click=${() => change(drafts.answer(draft, half, n, rules))}>${n}</button>`,
    )}</span>
  </div>`;
}

/** A button for each peg that cycles through its marks: neither, elsewhere, right place. */
function marksPad(draft: drafts.Draft, rules: Rules, change: (next: drafts.Draft) => void) {
  const marks = [...(draft.text ?? "").padEnd(rules.pegs, "0")];
  const turn = (i: number) => marks.with(i, String((Number(marks[i]) + 1) % 3)).join("");
  return html`<div class="pad" role="group" aria-label=${words.marks}>
    <span class="pad-name">${words.marks}</span>
    <span class="pad-keys">${marks.map(
      (
        mark,
        i,
      ) => html`<button class="soft mark-${mark}" aria-label=${words.mark(i, Number(mark))} title=${words.markNames[Number(mark)]}
        ?disabled=${!drafts.isComplete(draft)} @click=${() => change({ ...draft, text: turn(i) })}>${mark}</button>`,
    )}</span>
    ${draft.text?.length === rules.pegs ? nothing : html`<button class="plain tight" ?disabled=${!drafts.isComplete(draft)} @click=${() => change({ ...draft, text: marks.join("") })}>${words.marksDone}</button>`}
  </div>`;
}

/** The keys of the number of matching colours, and of the win. */
function sumPad(draft: drafts.Draft, rules: Rules, change: (next: drafts.Draft) => void) {
  const keys = [...Array.from({ length: rules.pegs + 1 }, (_, n) => String(n)), `${rules.pegs}!`];
  return html`<div class="pad" role="group" aria-label=${words.sum}>
    <span class="pad-name">${words.sum}</span>
    <span class="pad-keys">${keys.map(
      (
        key,
      ) => html`<button class="soft" aria-label=${key.endsWith("!") ? words.sumWon : nothing} aria-pressed=${draft.text === key}
        @click=${() => change({ ...draft, text: key })}>${key}</button>`,
    )}</span>
  </div>`;
}

/** Add the draft as a row; with nothing typed, take the advised guess into the draft. */
export function addRow(context: Context, row?: drafts.Draft) {
  const rules = rulesOf(context.position);
  const draft = row ?? drafts.draftFor(context.view.draft, rules);
  const slotGuess = guessInSlots(context);
  if (!row && slotGuess?.advised) return context.set({ draft: withAdvisedGuess(context, draft, slotGuess) });
  const clue = drafts.toClue(draft, rules);
  if (!clue) return undefined;
  const clues = context.position.clues ?? [];
  const at = draft.editing ?? clues.length;
  const next = draft.editing === null ? [...clues, clue] : clues.with(at, { ...clues[at], ...clue });
  context.commit(
    { ...context.position, clues: next },
    `${words.row(at)}: ${spelled(clue.guess, signsOf(context.position))} ${answerText(clue)}`,
    { view: { draft: null, chosen: "", halves: false } },
  );
  return context.announce(`${words.row(at)}. ${words.spokenRow(clue, signsOf(context.position))}`);
}
