/** The desk's dialogs: which game, and a pasted history. */

import { words as shared } from "../../strings.js";
import type { Pasted, Reading } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { dialog, textDialog } from "../../widgets/dialog.js";
import { choice, tick } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { resized, SETS, setOf, signOf, signsOf } from "./colour-names.js";
import type { Clue, Context, Rules } from "./model.js";
import {
  answerText,
  feedbackFits,
  GAMES,
  gameOf,
  habitOf,
  habitsOf,
  inRound,
  legalGuess,
  legalRow,
  newGame,
  priorOf,
  rulesOf,
  SYMBOLS,
  sameRules,
} from "./model.js";
import { pegs } from "./picture.js";
import { words } from "./strings.js";

export type Unread = Pick<Pasted, "bad"> & { instead?: Reading[] };

export function gameDialog(context: Context) {
  const rules = (context.view.rules ?? rulesOf(context.position)) as Rules;
  const alter = (view: Partial<Context["view"]>) => {
    context.set(view);
    context.open(() => gameDialog({ ...context, view: { ...context.view, ...view } }));
  };
  const set = (more: Partial<Rules>) => alter({ rules: { ...rules, ...more } });
  const signs = signsIn(context, rules);
  const habit = context.view.habit ?? habitOf(context.position, rules);
  const habits = habitsOf(rules).map((name) => [name, words.habits[name]] as const);
  const possible = (rules.repeat || rules.colours >= rules.pegs) && (rules.leading_zero || rules.colours > 1);
  const answerable = possible && feedbackFits(rules);
  const games = Object.keys(GAMES).map(
    (name) => [name, words.games[name as keyof typeof words.games]] as const,
  );
  const notations = Object.keys(SETS).map(
    (name) => [name, words.writtenAs[name as keyof typeof words.writtenAs](rules.colours)] as const,
  );
  return dialog({
    title: words.gameTitle,
    onClose: () => close(context),
    body: html`${choices(words.known, games, gameOf(rules), (name) => set(GAMES[name]))}
      <h3>${words.own}</h3>
      ${stepper(words.pegs, rules.pegs, 1, 8, (pegs) => set({ pegs }))}
      ${stepper(words.colours, rules.colours, 1, 16, (colours) => set({ colours }))}
      ${tick(words.repeat, rules.repeat, (repeat) => set({ repeat }))}
      ${tick(words.blanks, rules.blanks, (blanks) => set({ blanks }))}
      ${choices(words.feedback, words.feedbacks, rules.feedback, (feedback) => set({ feedback }))}
      ${tick(words.zeroFirst, !rules.leading_zero, (on) => set({ leading_zero: !on }))}
      ${habits.length > 1 ? choices(words.habit, habits, habit, (name) => alter({ rules, habit: name })) : nothing}
      ${choices(words.written, notations, setOf(signs, rules.colours), (name) => alter({ rules, signs: SETS[name](rules.colours) }))}
      <div class="row wrap preview">${pegs(SYMBOLS.slice(0, rules.colours), signs)}</div>
      <p class="quiet">${answerable ? words.rulesLine(rules) : html`<span class="risk">${possible ? words.feedbackTooLarge : words.rulesImpossible}</span>`}</p>
      <div class="row dialog-foot"><button class="main" ?disabled=${!answerable} @click=${() => takeRules(context, rules)}>${words.take}</button></div>
      <p class="quiet">${words.keepsRows}</p>`,
  });
}

/** A heading with buttons below it, one of which is pressed. */
const choices = <K extends string>(
  label: string,
  options: Record<K, string> | (readonly [K, string])[],
  value: K | undefined,
  onChange: (value: K) => void,
) => html`<h3>${label}</h3>${choice({ label, options, value, onChange, wraps: true })}`;

/** The selected signs, for the number of colours of these rules. */
const signsIn = (context: Context, rules: Rules): string[] =>
  resized(context.view.signs ?? signsOf(context.position), rules.colours);

function close(context: Context) {
  context.set({ rules: undefined, signs: undefined, habit: undefined });
  context.open(null);
}

const fits =
  (rules: Rules): ((clue: Clue) => boolean) =>
  (clue) =>
    legalGuess(rules, clue.guess) && legalRow(rules, clue);

/** Change the game; rows that do not fit are removed after a question. */
function takeRules(context: Context, rules: Rules) {
  const lost = (context.position.clues ?? []).filter((c) => !fits(rules)(c));
  if (lost.length) context.open(() => dropDialog(context, rules, lost));
  else changeRules(context, rules);
}

function dropDialog(context: Context, rules: Rules, lost: Clue[]) {
  return dialog({
    title: words.dropTitle,
    onClose: () => close(context),
    body: html`<p>${words.rulesLine(rules)}</p><p>${words.dropText(lost.length)}</p>
      <ul class="lost">${lost.map((clue) => html`<li class="row">${pegs(clue.guess, signsIn(context, rules))}<span class="code">${answerText(clue)}</span></li>`)}</ul>
      <div class="buttons"><button class="main" @click=${() => changeRules(context, rules)}>${words.dropGo(lost.length)}</button>
      <button class="soft" @click=${() => context.open(() => gameDialog({ ...context, view: { ...context.view, rules } }))}>${words.dropBack}</button></div>`,
  });
}

function changeRules(context: Context, rules: Rules) {
  const clues = (context.position.clues ?? []).filter(fits(rules));
  const signs = signsIn(context, rules);
  const fresh = { draft: null, chosen: "", strategy: null, compare: null, hint: false };
  const prior = context.view.habit
    ? priorOf(context.view.habit, rules)
    : sameRules(rules, rulesOf(context.position)) && context.position.prior;
  const next = newGame(rules, signs, { clues, ...(prior ? { prior } : {}) });
  context.commit(next, words.rulesLine(rules), {
    view: { rules: undefined, signs: undefined, habit: undefined, ...fresh },
  });
  context.open(null);
}

function stepper(label: string, value: number, low: number, high: number, onChange: (value: number) => void) {
  return html`<div class="between stepper" role="group" aria-label=${label}><span>${label}</span>
    <span class="row"><button class="soft" aria-label=${`${label} −`} ?disabled=${value <= low} @click=${() => onChange(value - 1)}>−</button>
    <b aria-live="polite">${value}</b>
    <button class="soft" aria-label=${`${label} +`} ?disabled=${value >= high} @click=${() => onChange(value + 1)}>+</button></span></div>`;
}

/** @param found the result of the last attempt; "reading" until the engine answers */
export function pasteDialog(context: Context, text: string = "", found: Unread | "reading" | null = null) {
  const reading = found === "reading";
  const onTake = (typed: string) => {
    if (!inRound(context)) context.open(() => pasteDialog(context, typed, "reading"));
    takePasted(typed, context, () => context.open(null));
  };
  const state = context.phase === "ready" ? shared.working : shared.phases.starting;
  return textDialog(context, {
    title: words.pasteTitle,
    text,
    placeholder: "0011 1A1B",
    button: words.pasteTake,
    onTake,
    busy: reading,
    above: html`<p>${words.pasteHow}</p>`,
    between: !reading && found?.bad?.length ? unread(context, found) : nothing,
    below: reading ? html`<p class="quiet" role="status">${state}…</p>` : nothing,
  });
}

/** The unreadable lines, and other readings of the text. */
function unread(context: Context, found: Unread) {
  const instead = found.instead ?? [];
  return html`<div class="note warn" role="alert">
    <p>${instead.length ? words.pasteForeign(rulesOf(context.position)) : words.pasteBad(found.bad.length)}</p>
    <ul>${found.bad.slice(0, 12).map((b) => html`<li>${b.line ? html`<b>${words.pastePlace(b)}</b> ` : nothing}<span class="code">${b.text}</span> ${b.why}</li>`)}</ul>
    <div class="buttons">${instead.map(
      (reading) =>
        html`<button class="soft" @click=${() => takeReading(context, reading, found)}>${isSameGame(context, reading) ? words.pasteFitting(reading) : words.pasteNewGame(rulesOf(reading), reading)}</button>`,
    )}</div></div>`;
}

/** Whether a reading has the rules of the position and writes colours as it does. */
function isSameGame({ position }: Context, reading: Reading) {
  const alike = signOf("0", signsOf(position)) === signOf("0", reading.signs ?? []);
  return alike && sameRules(rulesOf(reading), rulesOf(position));
}

/** Take a reading that the player chose: a new game, or the rows that fit this one. */
function takeReading(context: Context, reading: Reading, found: Unread) {
  const clues = withPartials(reading.clues);
  if (isSameGame(context, reading)) {
    context.commit(
      { ...context.position, clues: [...(context.position.clues ?? []), ...clues] },
      describeRows(clues),
    );
    const rest = found.bad.map((b) => b.text).join("\n");
    context.open(() => pasteDialog(context, rest, { bad: found.bad }));
  } else {
    const rules = rulesOf(reading);
    context.commit(newGame(rules, reading.signs, { clues }), words.rulesLine(rules), {
      view: { draft: null, chosen: "", strategy: null, compare: null, hint: false },
    });
    context.open(null);
  }
  context.notify(words.pasteDone(clues.length));
}

/** Rows whose missing second count is 0. */
function withPartials(clues: import("../../types/code.js").Clue[]): Clue[] {
  return clues.map((c) => ({ partial: 0, ...c }));
}

function describeRows(clues: Clue[]) {
  return clues.map((c) => `${c.guess} ${answerText(c)}`).join(", ");
}

/**
 * Add the readable rows of a text; the others stay in the dialog with their reasons.
 * @param close closes the dialog in which the text was entered
 */
export async function takePasted(text: string, context: Context, close = () => {}) {
  const { position } = context;
  if (inRound(context)) return context.notify(words.pasteSealed);
  try {
    const request = { want: "paste" as const, position, options: { text } };
    const found = await context.ask(request).promise;
    const current = context.position; // with rows that were added during the request
    if (inRound(context) || !sameRules(rulesOf(current), rulesOf(position)))
      return takePasted(text, context, close); // read again: another game was chosen meanwhile
    if (found.clues.length) {
      const clues = withPartials(found.clues);
      const signs = found.signs.length ? { signs: found.signs } : {};
      const next = { ...current, ...signs, clues: [...(current.clues ?? []), ...clues] };
      context.commit(next, describeRows(clues));
      context.notify(words.pasteDone(found.clues.length));
    }
    const rest = found.clues.length ? found.bad.map((b) => b.text).join("\n") : text;
    if (found.bad.length) context.open(() => pasteDialog(context, rest, found));
    else close();
  } catch (fault) {
    const { message } = fault as FaultFacts;
    const bad = [{ line: 0, column: null, text: "", why: message }]; // no line of its own
    context.open(() => pasteDialog(context, text, { bad }));
  }
}
