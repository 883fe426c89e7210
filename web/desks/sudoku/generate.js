/** Making boards, and carrying them to other programs. */
import { html, nothing } from "../../vendor.js";
import { download } from "../../widgets/file.js";
import { waiting } from "../../widgets/waiting.js";
import { target } from "./dialogs.js";
import { disguises } from "./disguise.js";
import { copy } from "./minlex-forms.js";
import { boardOf, boxOf, sizeOf, withBoard } from "./model.js";
import { fold } from "./sections.js";
import { words } from "./strings.js";
import { filled } from "./witness-player.js";

/** @typedef {import("./model.js").Context} Context */

/** @typedef {{clues: string, minimal: boolean, symmetry: Symmetry, seed: number, steps?: "any" | "fewest" | "most"}} Form */
/** @typedef {NonNullable<import("../../types/sudoku.js").PuzzleOptions["symmetry"]>} Symmetry */
/** @typedef {NonNullable<import("../../types/sudoku.js").ExportOptions["notation"]>} Notation */

/** @type {import("../../widgets/waiting.js").Work} */
const work = { job: null, progress: null, fault: null };

/** @param {Context} context */
export function make(context) {
  const { view } = context;
  /** @type {Form} */
  const form = { clues: "", minimal: true, symmetry: "none", seed: 1, ...view.make };
  const change = (/** @type {Partial<Form>} */ part) => context.set({ make: { ...form, ...part } });
  return fold(
    context,
    "making",
    words.make,
    () => html`
    <div class="make-form">
      <label>${words.clues}<input class="field short" inputmode="numeric" placeholder=${words.any} .value=${form.clues} @input=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => change({ clues: e.target.value.replace(/\D/g, "").slice(0, 3) })}></label>
      <label>${words.symmetry}<select class="field" @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => change({ symmetry: /** @type {Symmetry} */ (e.target.value) })}>${Object.entries(words.patterns).map(([key, text]) => html`<option value=${key} ?selected=${key === form.symmetry}>${text}</option>`)}</select></label>
      <label>${words.seed}<input class="field short" inputmode="numeric" .value=${String(form.seed)} @input=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => change({ seed: Number(e.target.value.replace(/\D/g, "").slice(0, 9)) })}></label>
      <label class="check"><input type="checkbox" .checked=${form.minimal} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => change({ minimal: e.target.checked })}>${words.minimal}</label>
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

/** What to expect of so few givens. @param {string} clues @param {number} size */
function few(clues, size) {
  if (!clues || size !== 9 || Number(clues) > 21) return nothing;
  return html`<p class="quiet" role="status">${Number(clues) < 17 ? words.fewClues.none : words.fewClues.rare}</p>`;
}

/** What is under way, in the shape of a reply. @returns {import("../../widgets/waiting.js").Waited} */
function reply() {
  const { progress, fault } = work;
  return { state: fault ? "failed" : "waiting", value: null, progress, fault, late: false };
}

/**
 * @template {"puzzle" | "generate" | "disguise"} W
 * @param {Context} context @param {import("../desk.js").Question<import("./model.js").Desk, W>} request
 * @param {(found: import("../desk.js").Result<import("./model.js").Desk, W>) => void} take
 * @param {object} [position]
 */
async function run(context, request, take, position = { box: boxOf(context.position) }) {
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
    work.fault = /** @type {import("../desk.js").FaultFacts} */ (fault);
  }
  work.job = null;
  context.redraw();
}

/** @param {Context} context @param {Form} form */
function puzzle(context, form) {
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

/** @param {Context} context @param {Form} form */
function random(context, form) {
  return run(context, { want: "generate", options: { seed: form.seed } }, (found) => {
    context.commit(
      withBoard(context.position, target(context, context.position), found.grid, []),
      words.madeGrid,
      { view: { make: { ...form, seed: form.seed + 1 }, player: null } },
    );
  });
}

/** @param {Context} context */
export function carry(context) {
  if (!filled(context.position).length) return nothing;
  const nine = sizeOf(context.position) === 9;
  const names = /** @type {[Notation, string][]} */ (Object.entries(words.notations)).filter(
    ([key]) => nine || !["sudokuwiki", "sudokuexchange"].includes(key),
  );
  return fold(
    context,
    "carrying",
    words.export,
    () =>
      html`<div class="buttons">${names.map(
        ([key, text]) => html`<button class="soft" @click=${() => exported(context, key)}>${text}</button>`,
      )}${/** @type {["sdk" | "sdm", string][]} */ (Object.entries(words.files)).map(([key, text]) => html`<button class="soft" @click=${() => exported(context, key, `boards.${key}`)}>${text}</button>`)}<button class="soft" @click=${() => window.print()}>${words.print}</button></div>`,
  );
}

/** @param {Context} context @param {Notation} notation @param {string} [file] */
async function exported(context, notation, file) {
  const grids = filled(context.position).map((i) => boardOf(context.position, i));
  try {
    const position = { ...context.position, grids };
    const { text, left_out } = await context.ask({ want: "export", position, options: { notation } }).promise;
    if (file) download(file, new Blob([text], { type: "text/plain" }));
    else await copy(context, text);
    if (left_out) context.tell(words.leftOut(left_out));
  } catch (fault) {
    context.tell(/** @type {import("../desk.js").FaultFacts} */ (fault).message);
  }
}
