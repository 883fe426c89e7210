/** The rows so far and the row being typed: the board of this desk. */

import { words as shellWords } from "../../strings.js";
import { html, nothing, repeat } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import { keysOf, labelOf, signOf, signsOf, spelled } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import { answerOf, answerText, inRound, legalAnswer, rulesOf, SYMBOLS } from "./model.js";
import { colourClass, pegs, pins } from "./pegs.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Rules} Rules */
/** @typedef {import("./model.js").Clue} Clue */

/** @param {Context} context @param {{doubted: Set<number>, idle: Set<number>, over: boolean}} marks */
export function rowsPanel(context, marks) {
  const rules = rulesOf(context.position);
  const draft = drafts.fitting(context.view.draft, rules);
  const clues = context.position.clues ?? [];
  return html`<div class="card log ${rules.pegs > 5 ? "many" : ""}">
    <ol class="rows" aria-label=${words.guesses}>
      ${repeat(
        clues,
        (_, i) => i,
        (clue, i) => (draft.editing === i ? nothing : row(context, clue, i, rules, marks)),
      )}
    </ol>
    ${marks.over ? nothing : entry(context, draft, rules)}
  </div>`;
}

/** @param {Context} context @param {Clue} clue @param {number} i @param {Rules} rules @param {{doubted: Set<number>, idle: Set<number>}} marks */
function row(context, clue, i, rules, marks) {
  const state = [clue.ignored ? "off" : "", marks.doubted.has(i) ? "doubted" : ""].join(" ");
  return html`<li class="guess ${state}">
    <button class="open"
      ?disabled=${inRound(context) || context.readOnly}
      @click=${() => context.open(() => rowDialog(context, i))}>
      <span class="no" aria-hidden="true">${i + 1}</span><span class="unseen">${words.row(i)}: ${spoken(context, clue.guess)},</span>${pegs(clue.guess, signsOf(context.position))}
      ${pins(clue, rules.pegs)}<span class="code">${answerText(clue)}</span>
    </button>
    ${clue.ignored ? html`<span class="mark-line">${words.ignored}</span>` : nothing}
    ${marks.idle.has(i) && !clue.ignored ? html`<span class="mark-line">${words.redundant}</span>` : nothing}
  </li>`;
}

/** A guess sign by sign, to be read out. @param {Context} context @param {string} guess */
const spoken = ({ position }, guess) => [...guess].map((c) => signOf(c, signsOf(position))).join(" ");

/** What can be done with a row. @param {Context} context @param {number} i */
function rowDialog(context, i) {
  const clue = context.position.clues?.[i];
  if (!clue) return nothing;
  /** @param {() => void} run */
  const then = (run) => () => {
    context.open(null);
    run();
  };
  return dialog({
    title: words.row(i),
    close: shellWords.close,
    onClose: () => context.open(null),
    body: html`<div class="row">${pegs(clue.guess, signsOf(context.position))}<span class="code">${answerText(clue)}</span></div>
      <div class="buttons">
        <button class="soft" @click=${then(() => context.set({ draft: drafts.fromClue(clue, i) }))}>${words.edit}</button>
        <button class="soft" @click=${then(() => replaceRow(context, i, { ...clue, ignored: !clue.ignored }, clue.ignored ? words.heed : words.ignore))}>
          ${clue.ignored ? words.heed : words.ignore}</button>
        <button class="soft" @click=${then(() => removeRow(context, i))}>${words.remove}</button>
      </div>`,
  });
}

/** @param {Context} context @param {number} i @param {Clue} clue @param {string} step */
export function replaceRow(context, i, clue, step) {
  const clues = context.position.clues.with(i, clue);
  context.commit({ ...context.position, clues }, `${words.row(i)}: ${step}`);
}

/** @param {Context} context @param {number} i */
function removeRow(context, i) {
  const clues = context.position.clues.toSpliced(i, 1);
  context.commit({ ...context.position, clues }, `${words.row(i)}: ${words.remove}`);
}

/** @param {Context} context @param {drafts.Draft} draft @param {Rules} rules */
function entry(context, draft, rules) {
  const change = (/** @type {drafts.Draft} */ next) => context.set({ draft: next });
  const used = new Set(draft.pegs);
  const signs = signsOf(context.position);
  const keys = keysOf(signs, rules.colours);
  return html`<div class="entry" data-part="entry" data-edit role="group" aria-label=${words.yourGuess}>
    <div class="slots">
      <span class="no">${(draft.editing ?? context.position.clues?.length ?? 0) + 1}</span>
      ${draft.pegs.map(
        (
          peg,
          i,
        ) => html`<button class="peg slot ${peg ? colourClass(peg, signs) : "open"}" aria-label=${words.peg(i, signOf(peg, signs))}
          aria-current=${i === draft.at ? "true" : nothing} @click=${() => change({ ...draft, at: i })}>${peg ? labelOf(peg, signs) : ""}</button>`,
      )}
      <button class="icon erase" aria-label=${words.erase} @click=${() => change(drafts.erase(draft))}>⌫</button>
    </div>
    <div class="palette">
      ${[...SYMBOLS.slice(0, rules.colours)].map(
        (
          c,
          i,
        ) => html`<button class="peg ${colourClass(c, signs)} ${!rules.repeat && used.has(c) ? "used" : ""}"
          aria-label=${words.colour(signOf(c, signs))} aria-keyshortcuts=${keys[i]} @click=${() => change(drafts.put(draft, c, rules))}>${labelOf(c, signs)}</button>`,
      )}
      ${rules.blanks ? html`<button class="peg blank" aria-label=${words.blank} @click=${() => change(drafts.put(draft, ".", rules))}></button>` : nothing}
    </div>
    ${inRound(context) ? guessButton(context, draft) : answerPads(context, draft, rules, change)}
  </div>`;
}

/** @param {Context} context @param {drafts.Draft} draft @param {Rules} rules @param {(next: drafts.Draft) => void} change */
function answerPads(context, draft, rules, change) {
  const clue = drafts.toClue(draft, rules);
  const pads = { order: marksPad, sum: sumPad }[/** @type {string} */ (rules.feedback)];
  return html`
    <div class="pads">
      ${pads ? pads(draft, rules, change) : pad("exact", words.exact, draft, rules, change)}
      ${pads || rules.feedback === "exact" ? nothing : pad("partial", words.partial, draft, rules, change)}
    </div>
    <div class="between">
      <p class="quiet hint">${clue ? answerText(clue) : drafts.complete(draft) ? words.nowAnswer : words.fillFirst}</p>
      <div class="row">
        ${draft.editing === null ? nothing : html`<button class="plain" @click=${() => context.set({ draft: null })}>${words.cancel}</button>`}
        <button class="main" ?disabled=${!clue} @click=${() => addRow(context)}>${draft.editing === null ? words.addRow : words.saveRow}</button>
      </div>
    </div>`;
}

/** @param {"exact" | "partial"} half @param {string} label @param {drafts.Draft} draft @param {Rules} rules @param {(next: drafts.Draft) => void} change */
function pad(half, label, draft, rules, change) {
  const other = half === "exact" ? draft.partial : draft.exact;
  const known = (/** @type {drafts.Half} */ value) => (value === "?" ? null : value);
  const fits = (/** @type {number | "?"} */ n) =>
    n === "?" ? other !== "?" : half === "exact" || other === null || legalAnswer(rules, known(other), n);
  const keys = /** @type {(number | "?")[]} */ (Array.from({ length: rules.pegs + 1 }, (_, n) => n));
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

/** A button a peg that goes through its marks: neither, elsewhere, right place. @param {drafts.Draft} draft @param {Rules} rules @param {(next: drafts.Draft) => void} change */
function marksPad(draft, rules, change) {
  const marks = [...(draft.text ?? "").padEnd(rules.pegs, "0")];
  const turn = (/** @type {number} */ i) => marks.with(i, String((Number(marks[i]) + 1) % 3)).join("");
  return html`<div class="pad" role="group" aria-label=${words.marks}>
    <span class="pad-name">${words.marks}</span>
    <span class="pad-keys">${marks.map(
      (
        mark,
        i,
      ) => html`<button class="soft mark-${mark}" aria-label=${words.mark(i, Number(mark))} title=${words.markNames[Number(mark)]}
        ?disabled=${!drafts.complete(draft)} @click=${() => change({ ...draft, text: turn(i) })}>${mark}</button>`,
    )}</span>
    ${draft.text?.length === rules.pegs ? nothing : html`<button class="plain tight" ?disabled=${!drafts.complete(draft)} @click=${() => change({ ...draft, text: marks.join("") })}>${words.marksDone}</button>`}
  </div>`;
}

/** How many colours match, and the win. @param {drafts.Draft} draft @param {Rules} rules @param {(next: drafts.Draft) => void} change */
function sumPad(draft, rules, change) {
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

/** @param {Context} context @param {drafts.Draft} draft */
function guessButton(context, draft) {
  return html`<div class="between"><p class="quiet hint"></p>
    <button class="main" ?disabled=${!drafts.complete(draft) || context.view.judging} @click=${() => guess(context)}>${words.guessNow}</button></div>`;
}

/** Take the draft as a row. @param {Context} context */
export function addRow(context) {
  const rules = rulesOf(context.position);
  const draft = drafts.fitting(context.view.draft, rules);
  const clue = drafts.toClue(draft, rules);
  if (!clue) return;
  const clues = context.position.clues ?? [];
  const at = draft.editing ?? clues.length;
  const next = draft.editing === null ? [...clues, clue] : clues.with(at, { ...clues[at], ...clue });
  context.commit(
    { ...context.position, clues: next },
    `${words.row(at)}: ${spelled(clue.guess, signsOf(context.position))} ${answerText(clue)}`,
    { view: { draft: null, chosen: "" } },
  );
  context.say(`${words.row(at)}. ${words.spokenRow(clue, signsOf(context.position))}`);
}

/** In a round: let the sealed code answer, or the code maker who has not decided. @param {Context} context */
export async function guess(context) {
  const rules = rulesOf(context.position);
  const draft = drafts.fitting(context.view.draft, rules);
  if (!drafts.complete(draft)) return;
  const position = context.position;
  const evil = context.view.evil && !position.sealed;
  const options = { guess: draft.pegs.join(""), ...(evil ? { evil } : {}) };
  context.set({ judging: true });
  try {
    const { answer } = await context.ask({ want: "judge", position, options }).promise;
    const row = { guess: options.guess, ...answerOf(answer, rules) };
    const clue = /** @type {import("./model.js").Clue} */ (
      row.won === false ? { ...row, won: undefined } : row
    );
    const clues = [...(position.clues ?? []), clue];
    context.commit(
      { ...position, clues },
      `${words.row(clues.length - 1)}: ${spelled(clue.guess, signsOf(position))} ${answerText(clue)}`,
      { view: { draft: null, chosen: "", judging: false } },
    );
    context.say(words.spokenRow(clue, signsOf(position)));
  } catch (fault) {
    context.set({ judging: false });
    context.tell(/** @type {import("../desk.js").FaultFacts} */ (fault).message);
  }
}

/** The worked example next to the input. */
export function answerExample() {
  const e = words.example;
  return html`<details class="more"><summary>${words.exampleOpen}</summary>
    <div class="stack-small">
      <div class="row wrap">${pegs("0123")}<span class="quiet">→</span>${pegs("0331")}${pins({ exact: 1, partial: 2 }, 4)}<span class="code">1A2B</span></div>
      <p>${e.intro} ${e.exact} ${e.partial}</p><p>${e.result}</p>
    </div></details>`;
}
