/** Boards made from the current one: a puzzle of its grid, a disguise, one of a file of known puzzles. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { boardOf, givens, isComplete, sizeOf, withBoard } from "./model.js";
import { words } from "./strings.js";
import { filled, focus } from "./witness-player.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Desk} Desk */
/** @typedef {import("./generate.js").Form} Form */
/**
 * @typedef {<W extends "puzzle" | "disguise">(context: Context, request: import("../desk.js").Question<Desk, W>,
 *   take: (found: import("../desk.js").Result<Desk, W>) => void, position?: object) => Promise<void>} Run
 */

const MOST_SENT = 60_000; // lines of a file that are looked through; of those with the wanted givens
const LARGEST_FILE = 60_000_000; // bytes

/** The open file of known puzzles; too large for the view. @type {{name: string, lines: string[]} | null} */
let source = null;

/** Where a board made of the current one goes: next to it. @param {Context} context */
const otherBoard = (context) => 1 - focus(context);

/** @param {Context} context @param {Form} form @param {boolean} busy @param {Run} run */
export function disguises(context, form, busy, run) {
  const there = filled(context.position).length > 0;
  const board = boardOf(context.position, focus(context));
  const from = there && isComplete(board);
  return html`${from ? html`<button class="soft" ?disabled=${busy} @click=${() => fromGrid(context, form, run)}>${words.make2.fromGrid}</button>` : nothing}
    ${
      there
        ? html`<p><b>${words.make2.disguise}</b></p><p class="quiet">${words.make2.disguiseText}</p>
        <div class="row wrap">${choice({ label: words.make2.steps, options: words.make2.stepChoices, value: form.steps ?? "any", onChange: (steps) => context.set({ make: { ...form, steps } }) })}
          <button class="soft" ?disabled=${busy} @click=${() => disguise(context, form, run)}>${words.make2.disguiseGo}</button></div>`
        : nothing
    }
    ${sizeOf(context.position) === 9 ? known(context, form, busy, run) : nothing}`;
}

/** @param {Context} context @param {Form} form @param {boolean} busy @param {Run} run */
function known(context, form, busy, run) {
  return html`<p><b>${words.make2.known}</b></p><p class="quiet">${words.make2.knownText}</p>
    <div class="row wrap">
      <label class="soft file">${words.make2.open}<input class="unseen" type="file" accept=".txt,.sdm,.csv,text/plain,text/csv" @change=${(/** @type {Event} */ e) => open(context, /** @type {HTMLInputElement} */ (e.target).files?.[0])}></label>
      ${source ? html`<button class="soft" ?disabled=${busy} @click=${() => take(context, form, run)}>${words.make2.take(form.clues)}</button>` : nothing}
    </div>
    ${source ? html`<p class="quiet">${words.make2.opened(source.name, source.lines.length)}</p>` : nothing}`;
}

/** @param {Context} context @param {File | undefined} file */
async function open(context, file) {
  if (!file) return;
  if (file.size > LARGEST_FILE) return context.tell(words.make2.large(file.name));
  const lines = (await file.text()).split("\n").filter((line) => /^\s*[0-9.]{81}/.test(line));
  source = lines.length ? { name: file.name, lines } : null;
  if (!source) context.tell(words.make2.none(file.name));
  context.redraw();
}

/** @param {string} line */
const boardIn = (line) => line.trim().slice(0, 81).replaceAll("0", ".");

/** @param {Context} context @param {Form} form @param {Run} run */
function take(context, form, run) {
  const wanted = form.clues ? Number(form.clues) : null;
  const lines = (source?.lines ?? []).filter((line) => !wanted || givens(boardIn(line)) === wanted);
  if (!lines.length) return context.tell(words.make2.noneWith(form.clues));
  const options = {
    seed: form.seed,
    source: lines.slice(0, MOST_SENT),
    ...(wanted ? { clues: wanted } : {}),
  };
  return run(context, { want: "puzzle", options }, (found) => {
    const at = filled(context.position).length ? focus(context) : 0;
    commit(context, form, at, found.puzzle, words.made(found.clues, found.minimal));
  });
}

/** @param {Context} context @param {Form} form @param {Run} run */
function fromGrid(context, form, run) {
  const position = { box: context.position.box, grids: [boardOf(context.position, focus(context))] };
  const { seed, minimal, symmetry } = form;
  const options = { seed, minimal, symmetry, ...(form.clues ? { clues: Number(form.clues) } : {}) };
  const at = otherBoard(context);
  return run(
    context,
    { want: "puzzle", options },
    (found) => commit(context, form, at, found.puzzle, words.made(found.clues, found.minimal)),
    position,
  );
}

/** @param {Context} context @param {Form} form @param {Run} run */
function disguise(context, form, run) {
  const position = { ...context.position, grids: [boardOf(context.position, focus(context))] };
  const options = { seed: form.seed, steps: form.steps ?? "any" };
  const at = otherBoard(context);
  return run(
    context,
    { want: "disguise", options },
    (found) => commit(context, form, at, found.grid, words.make2.disguised(found.steps.length)),
    position,
  );
}

/** @param {Context} context @param {Form} form @param {number} at @param {string} board @param {string} label */
function commit(context, form, at, board, label) {
  context.commit(withBoard(context.position, at, board, []), label, {
    view: { make: { ...form, seed: form.seed + 1 }, player: null },
  });
}
