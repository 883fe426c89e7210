/** Making boards, and carrying them to other programs. */

import type { ExportOptions, PuzzleOptions } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { download } from "../../widgets/file.js";
import type { OnInput, OnSelect } from "../../widgets/on.js";
import type { Waited, Work } from "../../widgets/waiting.js";
import { waiting } from "../../widgets/waiting.js";
import type { FaultFacts, Question, Result } from "../desk.js";
import { target } from "./dialogs.js";
import { disguises } from "./disguise.js";
import { copy } from "./minlex-forms.js";
import type { Context, Desk } from "./model.js";
import { boardOf, boxOf, sizeOf, withBoard } from "./model.js";
import { fold } from "./sections.js";
import { words } from "./strings.js";
import { filled } from "./witness-player.js";

export type Form = {
  clues: string;
  minimal: boolean;
  symmetry: Symmetry;
  seed: number;
  steps?: "any" | "fewest" | "most";
};
export type Symmetry = NonNullable<PuzzleOptions["symmetry"]>;
export type Notation = NonNullable<ExportOptions["notation"]>;

const work: Work = { job: null, progress: null, fault: null };

export function make(context: Context) {
  const { view } = context;
  const form: Form = { clues: "", minimal: true, symmetry: "none", seed: 1, ...view.make };
  const change = (part: Partial<Form>) => context.set({ make: { ...form, ...part } });
  return fold(
    context,
    "making",
    words.make,
    () => html`
    <div class="make-form">
      <label>${words.clues}<input class="field short" inputmode="numeric" placeholder=${words.any} .value=${form.clues} @input=${(e: OnInput) => change({ clues: e.target.value.replace(/\D/g, "").slice(0, 3) })}></label>
      <label>${words.symmetry}<select class="field" @change=${(e: OnSelect) => change({ symmetry: e.target.value as Symmetry })}>${Object.entries(words.patterns).map(([key, text]) => html`<option value=${key} ?selected=${key === form.symmetry}>${text}</option>`)}</select></label>
      <label>${words.seed}<input class="field short" inputmode="numeric" .value=${String(form.seed)} @input=${(e: OnInput) => change({ seed: Number(e.target.value.replace(/\D/g, "").slice(0, 9)) })}></label>
      <label class="check"><input type="checkbox" .checked=${form.minimal} @change=${(e: OnInput) => change({ minimal: e.target.checked })}>${words.minimal}</label>
    </div>
    ${few(form.clues, sizeOf(context.position))}
    <div class="row wrap">
      <button class="main" ?disabled=${Boolean(work.job)} @click=${() => puzzle(context, form)}>${words.puzzle}</button>
      <button class="soft" ?disabled=${Boolean(work.job)} @click=${() => random(context, form)}>${words.grid}</button>
    </div>
    ${disguises(context, form, Boolean(work.job), run)}
    ${work.job || work.fault ? waiting(reply(), { phase: context.phase, stop: () => work.job?.cancel() }) : nothing}`,
  );
}

/** What to expect of so few givens. */
function few(clues: string, size: number) {
  if (!clues || size !== 9 || Number(clues) > 21) return nothing;
  return html`<p class="quiet" role="status">${Number(clues) < 17 ? words.fewClues.none : words.fewClues.rare}</p>`;
}

/** What is under way, in the shape of a reply. */
function reply(): Waited {
  const { progress, fault } = work;
  return { state: fault ? "failed" : "waiting", value: null, progress, fault, late: false };
}

async function run<W extends "puzzle" | "generate" | "disguise">(
  context: Context,
  request: Question<Desk, W>,
  take: (found: Result<Desk, W>) => void,
  position: object = { box: boxOf(context.position) },
) {
  work.fault = work.progress = null;
  const job = context.ask({ ...request, position }, (progress) => {
    work.progress = progress;
    context.redraw();
  });
  work.job = job;
  context.redraw();
  try {
    take(await job.promise);
  } catch (fault) {
    work.fault = fault as FaultFacts;
  }
  work.job = null;
  context.redraw();
}

function puzzle(context: Context, form: Form) {
  const options = {
    seed: form.seed,
    minimal: form.minimal,
    symmetry: form.symmetry,
    ...(form.clues ? { clues: Number(form.clues) } : {}),
  };
  return run(context, { want: "puzzle", options }, (found) => {
    context.commit(
      withBoard(context.position, target(context, context.position), found.puzzle, []),
      words.made(found.clues, found.minimal),
      { view: { make: { ...form, seed: form.seed + 1 }, player: null } },
    );
  });
}

function random(context: Context, form: Form) {
  return run(context, { want: "generate", options: { seed: form.seed } }, (found) => {
    context.commit(
      withBoard(context.position, target(context, context.position), found.grid, []),
      words.madeGrid,
      { view: { make: { ...form, seed: form.seed + 1 }, player: null } },
    );
  });
}

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
      html`<div class="buttons">${names.map(
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
    if (left_out) context.tell(words.leftOut(left_out));
  } catch (fault) {
    context.tell((fault as FaultFacts).message);
  }
}
