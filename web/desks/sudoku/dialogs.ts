/** The desk's dialogs: size, rules, pasting, and which board a third one replaces. */

import type { Pasted } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { dialog, dialogIn, textDialog } from "../../widgets/dialog.js";
import { grid } from "../../widgets/grid.js";
import { tick } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { globalFor, possible } from "./constraints.js";
import type { Constraint, Context, Position } from "./model.js";
import {
  BOXES,
  boardOf,
  boxOf,
  constraintsOf,
  filled,
  focus,
  isBlank,
  sameQuestion,
  tokensOf,
  withBoards,
  withConstraints,
} from "./model.js";
import type { Bad } from "./strings.js";
import { words } from "./strings.js";

/** the result of the last attempt */
type Unread = Pick<Pasted, "format" | "grids"> & { bad: Bad[] };

export function shapeDialog(context: Context) {
  const now = boxOf(context.position).join("×");
  return dialogIn(context, {
    title: words.shapeTitle,
    body: html`<p class="quiet">${words.shapeText}</p>
      <div class="buttons">${BOXES.map((box) => html`<button class="soft" aria-pressed=${box.join("×") === now} @click=${() => reshape(context, box)}>${box[0] * box[1]}×${box[0] * box[1]} <span class="faint">(${box.join("×")})</span></button>`)}</div>`,
  });
}

function reshape(context: Context, box: [number, number]) {
  const kept = box[0] * box[1] === boxOf(context.position)[0] * boxOf(context.position)[1];
  const next = { ...context.position, box, grids: kept ? context.position.grids : [] };
  const constraints = [0, 1].map((i) =>
    kept ? constraintsOf(next, i).filter((one) => possible(one, box)) : [],
  );
  context.commit(withConstraints(next, constraints), words.shape(box), {
    view: { player: null, at: null },
  });
  context.open(null);
}

/** The rules that hold for the whole board, for both boards. */
export function rulesDialog(context: Context) {
  const { position } = context;
  const both = [0, 1].map((i) => constraintsOf(position, i));
  const rows = globalFor(boxOf(position)).map((kind) => {
    const count = both.filter((all) => all.some((one) => one.kind === kind)).length;
    const how = count === 1 ? `${words.ruleHelp[kind]} ${words.ruleOfOne}` : words.ruleHelp[kind];
    return tick(words.ruleNames[kind], count === 2, (on) => setForBoth(context, kind, on), { how });
  });
  return dialogIn(context, {
    title: words.rulesTitle,
    body: html`<p class="quiet">${words.rulesText}</p><div class="rule-choices">${rows}</div>`,
  });
}

function setForBoth(context: Context, kind: Constraint["kind"], on: boolean) {
  const { position } = context;
  const both = [0, 1].map((i) => {
    const others = constraintsOf(position, i).filter((one) => one.kind !== kind);
    return on ? [...others, { kind }] : others;
  });
  context.commit(withConstraints(position, both), words.ruleNames[kind], { view: { player: null } });
  context.open(() => rulesDialog(context));
}

export function pasteDialog(context: Context, text: string = "", found: Unread | null = null) {
  return textDialog(context, {
    title: words.pasteTitle,
    text,
    button: words.pasteTake,
    onTake: (typed) => takePasted(typed, context, () => context.open(null)),
    above: html`<p>${words.pasteHow}</p>`,
    between: found
      ? html`${found.grids.length ? html`<p class="good">${words.recognised(found.format, found.grids.length)}</p>` : nothing}
          ${found.bad.length ? html`<p class="warn">${words.badPlaces}</p><ul class="quiet">${found.bad.slice(0, 8).map((p) => html`<li>${words.place(p)}</li>`)}</ul>` : nothing}`
      : nothing,
  });
}

/**
 * Read a text: one board goes to the current board, two to both, more into the list.
 * @param close closes the dialog in which the text was entered
 */
export async function takePasted(text: string, context: Context, close = () => {}) {
  if (context.phase !== "ready") context.notify(words.readSoon);
  try {
    const { position, view } = context;
    // With the verdict, which would otherwise take a second round trip to the worker.
    const options = { text, same: true, into: target(context, position), no_relabel: Boolean(view.names) };
    const found = await context.ask({ want: "paste", position, options }).promise;
    if (found.grids.length > 2) {
      context.set({ listing: true, listText: text.slice(0, 99_000) });
      close();
    } else if (found.grids.length === 1 && filled(position).length === 2) {
      if (!found.bad.length) return context.open(() => replaceDialog(context, found));
      place(context, found);
    } else if (found.grids.length) place(context, found);
    if (found.bad.length) context.open(() => pasteDialog(context, text, found));
    else if (found.grids.length) {
      close();
      context.notify(words.recognised(found.format, found.grids.length));
    }
  } catch (fault) {
    const problem = {
      line: 1,
      column: 1,
      why: (fault as FaultFacts).message,
    };
    context.open(() => pasteDialog(context, text, { format: "", grids: [], bad: [problem] }));
  }
}

/** Ask which of two boards a third one replaces. */
function replaceDialog(context: Context, found: Pasted) {
  const [rows, cols] = found.box;
  const put = (at: number) => {
    context.open(null);
    place(context, found, at);
  };
  const close = () => context.open(null);
  return dialog({
    title: words.replaceTitle,
    onClose: close,
    body: html`<p>${words.replaceText}</p>
      <div class="form">${grid({ rows, cols, tokens: tokensOf(found.grids[0]), label: words.replaceNew })}</div>
      <div class="buttons">${[0, 1].map((i) => html`<button class="main" @click=${() => put(i)}>${words.replace(i)}</button>`)}
        <button class="plain" @click=${close}>${words.replaceNone}</button></div>`,
  });
}

function place(context: Context, found: Pasted, at: number = target(context, context.position)) {
  const { position } = context;
  const same = found.box.join() === boxOf(position).join();
  const constraints = found.grids.map((_, i) => {
    const slot = found.grids.length === 2 ? i : at;
    const chosen = same && isBlank(boardOf(position, slot)) ? constraintsOf(position, slot) : [];
    return found.constraints?.[i]?.length ? found.constraints[i] : chosen;
  });
  const next = withBoards(position, { box: found.box, grids: found.grids, constraints, at });
  const label = words.recognised(found.format, found.grids.length);
  const request = sameQuestion(next, Boolean(context.view.names));
  const own = constraints.every((some, i) => !some.length || some === found.constraints?.[i]);
  const isAsked = own && (found.grids.length === 2 || at === target(context, position));
  context.commit(next, label, {
    view: { player: null, at: null },
    known: isAsked && found.same ? { request, result: found.same } : undefined,
  });
}

/** Where a new board goes: the chosen place, else the first blank one, else the board in focus. */
export function target(context: Context, position: Position) {
  if (context.view.at) return context.view.at.board === 1 ? 1 : 0;
  const empty = [0, 1].find((i) => isBlank(boardOf(position, i)));
  return empty ?? (filled(position).length ? focus(context) : 0);
}
