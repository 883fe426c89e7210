/** Generating boards, taking one from a file of known puzzles, and exporting: least forms, other notations. */

import type { CanonResult, ExportOptions, MakeOptions } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { download, fileButton } from "../../widgets/file.js";
import { grid } from "../../widgets/grid.js";
import type { OnInput } from "../../widgets/on.js";
import { choice, select, tick } from "../../widgets/panel.js";
import { term } from "../../widgets/term.js";
import type { Work } from "../../widgets/waiting.js";
import { waitingFor } from "../../widgets/waiting.js";
import type { FaultFacts } from "../desk.js";
import { underneath } from "./board-panel.js";
import { target } from "./dialogs.js";
import type { Context } from "./model.js";
import {
  boardOf,
  boxOf,
  constraintsOf,
  filled,
  focus,
  givens,
  isComplete,
  sizeOf,
  tokensOf,
  withBoard,
} from "./model.js";
import { askOnce, copy, fold, left, waitingForWork, within } from "./sections.js";
import { words } from "./strings.js";

export type Form = {
  kind?: Kind;
  /** the number or name of a grid to make it from */
  name?: string;
  /** of the complete grid on the current board */
  here?: boolean;
  clues: string;
  minimal: boolean;
  symmetry: Symmetry;
  seed: number;
  steps?: Steps;
};
type Kind = NonNullable<MakeOptions["kind"]>;
type Steps = NonNullable<MakeOptions["steps"]>;
type Symmetry = NonNullable<MakeOptions["symmetry"]>;
type Notation = NonNullable<ExportOptions["notation"]>;

const work: Work = { job: null, progress: null, fault: null };

export function make(context: Context) {
  const form: Form = { clues: "", minimal: true, symmetry: "none", seed: 1, ...context.view.make };
  const change = (part: Partial<Form>) => context.set({ make: { ...form, ...part } });
  const there = filled(context.position).length > 0;
  const options = (Object.entries(words.makeDialog.kinds) as [Kind, string][]).filter(
    ([kind]) => there || kind !== "disguise",
  );
  const kind = !there && form.kind === "disguise" ? "puzzle" : (form.kind ?? "puzzle");
  const nine = sizeOf(context.position) === 9;
  const field = (label: string, value: string, read: (text: string) => Partial<Form>, hint = "") =>
    html`<label>${label}<input class="field short" inputmode="numeric" placeholder=${hint} .value=${value} @input=${(e: OnInput) => change(read(e.target.value.replace(/\D/g, "")))}></label>`;
  const symmetry = html`<label>${words.symmetry}${select(Object.entries(words.patterns) as [Symmetry, string][], form.symmetry, (symmetry) => change({ symmetry }))}</label>`;
  return fold(
    context,
    "making",
    words.make,
    () => html`
    ${choice({ label: words.makeDialog.what, options, value: kind, onChange: (kind) => change({ kind }) })}
    ${kind === "disguise" ? html`<p class="quiet">${words.makeDialog.disguiseText}</p>${choice({ label: words.makeDialog.steps, options: words.makeDialog.stepChoices, value: form.steps ?? "any", onChange: (steps) => change({ steps }) })}` : nothing}
    <div class="make-form">
      ${kind === "puzzle" ? html`${field(words.clues, form.clues, (text) => ({ clues: text.slice(0, 3) }), words.any)}${symmetry}` : nothing}
      ${field(words.seed, String(form.seed), (text) => ({ seed: Number(text.slice(0, 9)) }))}
      ${kind !== "disguise" && nine ? html`<label>${words.makeDialog.name}<input class="field" autocomplete="off" placeholder=${words.any} .value=${form.name ?? ""} @input=${(e: OnInput) => change({ name: e.target.value.trim() })}></label>` : nothing}
      ${kind === "puzzle" ? tick(words.minimal, form.minimal, (minimal) => change({ minimal })) : nothing}
      ${kind === "puzzle" && isGrid(context) ? tick(words.makeDialog.fromGrid, form.here ?? true, (here) => change({ here })) : nothing}
    </div>
    ${kind === "puzzle" && nine ? fewClues(form.clues) : nothing}
    <div class="row wrap"><button class="main" ?disabled=${Boolean(work.job)} @click=${() => generateBoard(context, form, kind)}>${words.makeDialog.go}</button></div>
    ${kind === "puzzle" && nine ? known(context, form, (lines) => generateBoard(context, form, kind, lines)) : nothing}
    ${waitingForWork(context, work)}`,
  );
}

/** Whether the current board is a complete grid. */
const isGrid = (context: Context) => isComplete(boardOf(context.position, focus(context)));

/** What to expect of few givens. */
function fewClues(clues: string) {
  if (!clues || Number(clues) > 21) return nothing;
  return html`<p class="quiet" role="status">${Number(clues) < 17 ? words.fewClues.none : words.fewClues.rare}</p>`;
}

/** Make a board; one made from the current board goes to the other side. */
async function generateBoard(context: Context, form: Form, kind: Kind, source: string[] = []) {
  const { clues, minimal, symmetry, seed, name = "", steps = "any" } = form;
  const taken = source.length > 0;
  const fromBoard =
    kind === "disguise" || (kind === "puzzle" && !name && !taken && (form.here ?? true) && isGrid(context));
  const grids = fromBoard ? [boardOf(context.position, focus(context))] : [];
  const position =
    kind === "disguise" ? { ...context.position, grids } : { box: boxOf(context.position), grids };
  const puzzle = { minimal: minimal && !taken, symmetry: taken ? ("none" as const) : symmetry, source };
  const options = {
    kind,
    seed,
    ...(kind === "disguise" ? { steps } : { name }),
    ...(kind === "puzzle" ? puzzle : {}),
    ...(kind === "puzzle" && clues ? { clues: Number(clues) } : {}),
  };
  await askOnce(context, work, { want: "make", options, position }, (found) => {
    const at = fromBoard ? 1 - focus(context) : target(context, context.position);
    const label =
      kind === "puzzle"
        ? words.made(found.clues ?? 0, found.minimal ?? false)
        : kind === "grid"
          ? words.madeGrid
          : words.makeDialog.disguised(found.steps?.length ?? 0);
    context.commit(withBoard(context.position, at, found.board, []), label, {
      view: { make: { ...form, seed: seed + 1 }, player: null },
    });
  });
}

// -- a file of known puzzles, to take one of them

const MOST_SENT = 60_000; // lines with the number of givens that one question may hold
const LARGEST_FILE = 60_000_000; // bytes

/** The open file of known puzzles; too large for the view. */
let source: { name: string; lines: string[] } | null = null;

function known(context: Context, form: Form, take: (lines: string[]) => void) {
  return html`<p><b>${words.makeDialog.known}</b></p><p class="quiet">${words.makeDialog.knownText}</p>
    <div class="row wrap">
      ${fileButton(words.makeDialog.open, ([file]) => openFile(context, file), { accept: ".txt,.sdm,.csv,text/plain,text/csv" })}
      ${source ? html`<button class="soft" ?disabled=${Boolean(work.job)} @click=${() => takeLines(context, form, take)}>${words.makeDialog.take(form.clues)}</button>` : nothing}
    </div>
    ${source ? html`<p class="quiet">${words.makeDialog.opened(source.name, source.lines.length)}</p>` : nothing}`;
}

async function openFile(context: Context, file: File | undefined) {
  if (!file) return;
  if (file.size > LARGEST_FILE) return context.notify(words.makeDialog.large(file.name));
  const lines = (await file.text()).split("\n").filter((line) => /^\s*[0-9.]{81}/.test(line));
  source = lines.length ? { name: file.name, lines } : null;
  if (!source) context.notify(words.makeDialog.none(file.name));
  context.redraw();
}

const boardIn = (line: string) => line.trim().slice(0, 81).replaceAll("0", ".");

/** Take the file's lines with the number of givens. */
function takeLines(context: Context, form: Form, take: (lines: string[]) => void) {
  const clues = Number(form.clues);
  const lines = (source?.lines ?? []).filter((line) => !clues || givens(boardIn(line)) === clues);
  if (!lines.length) return context.notify(words.makeDialog.noneWith(form.clues));
  take(lines.slice(0, MOST_SENT));
}

// -- other programs

export function carry(context: Context) {
  if (!filled(context.position).length) return nothing;
  const nine = sizeOf(context.position) === 9;
  const names = (Object.entries(words.notations) as [Notation, string][]).filter(
    ([key]) => nine || !["sudokuwiki", "sudokuexchange"].includes(key),
  );
  return fold(
    context,
    "carrying",
    words.export,
    () =>
      html`${forms(context)}<p><b>${words.exportAs}</b></p><div class="buttons">${names.map(
        ([key, text]) => html`<button class="soft" @click=${() => exported(context, key)}>${text}</button>`,
      )}${(Object.entries(words.files) as ["sdk" | "sdm", string][]).map(([key, text]) => html`<button class="soft" @click=${() => exported(context, key, `boards.${key}`)}>${text}</button>`)}<button class="soft" @click=${() => window.print()}>${words.print}</button></div>`,
  );
}

async function exported(context: Context, notation: Notation, file?: string) {
  const grids = filled(context.position).map((i) => boardOf(context.position, i));
  try {
    const position = { ...context.position, grids };
    const { text, left_out } = await context.ask({ want: "export", position, options: { notation } }).promise;
    if (file) download(file, new Blob([text], { type: "text/plain" }));
    else await copy(context, text);
    if (left_out) context.notify(words.leftOut(left_out));
  } catch (fault) {
    context.notify((fault as FaultFacts).message);
  }
}

export type Convention = keyof typeof words.conventions;

function forms(context: Context) {
  const there = filled(context.position);
  if (!there.length) return nothing;
  const convention = (context.view.convention ?? "straight") as Convention;
  const found = there.map((i) => formOf(context, i));
  const puzzle = found.some((one) => one?.kind === "puzzle");
  const names = [...new Set(there.flatMap((i) => context.replies[`canon${i}`]?.value?.not_compared ?? []))];
  return html`<div class="forms">
    <div class="between"><p><b>${words.forms}</b></p>${puzzle ? choice({ label: words.convention, options: words.conventions, value: convention, onChange: (value) => context.set({ convention: value }) }) : nothing}</div>
    <p class="quiet">${words.formsNew}</p>
    <p class="quiet">${puzzle ? words.conventionText[convention] : words.minlex}</p>
    <div class="form-list">${there.map((i) => formLine(context, i, convention))}</div>
    ${copyBoth(context, found, convention)}
    ${within(found[0] ?? {})}
    ${left({ not_compared: names.length ? names : undefined })}
    <p class="quiet">${context.view.names ? words.formsNames : words.formsText} ${term("minlex", words.formsWhat)}</p>
  </div>`;
}

/** The forms of a board, or the best ones so far. */
const formOf = ({ replies }: Context, i: number) =>
  replies[`canon${i}`]?.value ?? replies[`canon${i}`]?.progress?.best;

/** The form in a convention; null if the board has none. */
export const textOf = (found: CanonResult, convention: Convention) =>
  found.kind === "grid" ? found.minlex : found[convention];

function formLine(context: Context, i: number, convention: Convention) {
  const key = `canon${i}` as const;
  const reply = context.replies[key];
  const found = formOf(context, i);
  const text = found && textOf(found, convention);
  const [rows, cols] = boxOf(context.position);
  const wrong = firstDifference(context, convention);
  const shown = context.view.formBoards ?? wrong.size > 0;
  return html`<div class="form-line">
    ${waitingFor(context, key)}
    ${
      text && text.length === (rows * cols) ** 2
        ? html`<h3>${words.names[i]}</h3><p class="form-text code ${reply?.stale ? "stale" : ""}">${text}</p>
          <div class="row wrap"><button class="plain" @click=${() => copy(context, text)}>${words.copy}</button>
            <button class="plain" aria-expanded=${shown} @click=${() => context.set({ formBoards: !shown })}>${shown ? words.hideBoard : words.showBoard}</button></div>
          ${shown ? html`<div class="form">${grid({ rows, cols, ...underneath([rows, cols], constraintsOf(context.position, i)), tokens: tokensOf(text), label: words.formOf(i), stale: reply?.stale, wrong })}</div>` : nothing}`
        : found?.kind === "puzzle"
          ? html`<p class="note">${found.no_carried}</p>`
          : nothing
    }
  </div>`;
}

/** A button that copies both forms, one per line. */
function copyBoth(context: Context, found: (CanonResult | null | undefined)[], convention: Convention) {
  const texts = found.map((one) => one && textOf(one, convention)).filter(Boolean);
  if (texts.length < 2) return nothing;
  return html`<button class="soft" @click=${() => copy(context, texts.join("\n"))}>${words.copyBoth}</button>`;
}

/** The first cell in which two least forms differ, if that is the reason of the verdict. */
function firstDifference(context: Context, convention: Convention): Set<number> {
  const because = context.replies.same?.value?.because;
  const complete = context.replies.canon0?.value?.kind === "grid";
  const compared =
    because?.kind === "forms" && !context.view.names && (complete || convention === "straight");
  if (!compared || because.row == null || because.col == null) return new Set();
  return new Set([because.row * sizeOf(context.position) + because.col]);
}
