/** The rows so far and the row being typed: the board of this desk. */

import { words as shellWords } from "../../strings.js";
import { html, nothing, repeat } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import { answerPads, guessInSlots } from "./answer-pad.js";
import { keysOf, labelOf, signOf, signsOf, spelled } from "./colour-names.js";
import * as drafts from "./draft-row.js";
import { answerOf, answerText, inRound, rulesOf, SYMBOLS } from "./model.js";
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
    ${clues.length || inRound(context) || context.readOnly || rules.feedback !== "full" ? nothing : firstExample()}
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
  const asked = inRound(context) && !context.view.hint ? null : guessInSlots(context);
  const advised = asked?.advised ? [...asked.guess] : null;
  const left = leftOf(context);
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
        const state = stateOf(left, i);
        return html`<button class="peg ${colourClass(c, signs)} ${!rules.repeat && used.has(c) ? "used" : ""} ${state}"
          aria-label=${words.colour(signOf(c, signs), state)} aria-keyshortcuts=${keys[i]} @click=${() => change(drafts.put(draft, c, rules))}>${labelOf(c, signs)}${state ? html`<small>${words.colourStates[state]}</small>` : nothing}</button>`;
      })}
      ${rules.blanks ? html`<button class="peg blank" aria-label=${words.blank} @click=${() => change(drafts.put(draft, ".", rules))}></button>` : nothing}
    </div>
    ${inRound(context) ? guessButton(context, draft) : answerPads(context, draft, rules, change)}
  </div>`;
}

/** The codes left with their colours, if they fit the rows and are counted. @param {Context} context */
function leftOf({ replies, position }) {
  const value = replies.remaining?.stale ? null : replies.remaining?.value;
  return position.clues?.length && value?.count && value.holding ? value : null;
}

/** Whether a colour is in no code left, or in all. @param {ReturnType<typeof leftOf>} left @param {number} i @returns {"" | "out" | "certain"} */
function stateOf(left, i) {
  const holding = left?.holding?.[i];
  return holding === 0 ? "out" : holding !== undefined && holding === left?.count ? "certain" : "";
}

const MOST_DOTS = 8;

/** Dots for the colours that a peg can still have, unless all can. @param {number[] | undefined} counts of codes for each colour @param {string[]} signs */
function couldBe(counts, signs) {
  const there = [...SYMBOLS].filter((_, i) => counts?.[i]);
  if (!counts || there.length === counts.length || there.length > MOST_DOTS) return nothing;
  return html`<span class="could-be" aria-hidden="true">${there.map((c) => html`<i class=${`peg ${colourClass(c, signs)}`}></i>`)}</span>`;
}

/** @param {Context} context @param {drafts.Draft} draft */
function guessButton(context, draft) {
  return html`<div class="between"><p class="quiet hint"></p>
    <button class="main" ?disabled=${!drafts.complete(draft) || context.view.judging} @click=${() => guess(context)}>${words.guessNow}</button></div>`;
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

/** The rules of an answer with an example, in the place of the rows until there is one. */
function firstExample() {
  const e = words.example;
  return html`<div class="first-example stack-small"><p>${e.intro}</p>
    <div class="row wrap">${pegs("0123")}<span class="quiet">${e.against}</span>${pegs("0331")}${pins({ exact: 1, partial: 2 }, 4)}</div>
    <p>${e.exact} ${e.partial}</p></div>`;
}
