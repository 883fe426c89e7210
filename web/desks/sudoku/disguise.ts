/** Boards made from the current one: a puzzle of its grid, a disguise, one of a file of known puzzles. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import type { Question, Result } from "../desk.js";
import type { Form } from "./generate.js";
import type { Context, Desk } from "./model.js";
import { boardOf, givens, isComplete, sizeOf, withBoard } from "./model.js";
import { words } from "./strings.js";
import { filled, focus } from "./witness-player.js";

export type Run = <W extends "puzzle" | "disguise">(
  context: Context,
  request: Question<Desk, W>,
  take: (found: Result<Desk, W>) => void,
  position?: object,
) => Promise<void>;

const MOST_SENT = 60_000; // lines of a file that are looked through; of those with the wanted givens
const LARGEST_FILE = 60_000_000; // bytes

/** The open file of known puzzles; too large for the view. */
let source: { name: string; lines: string[] } | null = null;

/** Where a board made of the current one goes: next to it. */
const otherBoard = (context: Context) => 1 - focus(context);

export function disguises(context: Context, form: Form, busy: boolean, run: Run) {
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

function known(context: Context, form: Form, busy: boolean, run: Run) {
  return html`<p><b>${words.make2.known}</b></p><p class="quiet">${words.make2.knownText}</p>
    <div class="row wrap">
      <label class="soft file">${words.make2.open}<input class="unseen" type="file" accept=".txt,.sdm,.csv,text/plain,text/csv" @change=${(e: Event) => open(context, (e.target as HTMLInputElement).files?.[0])}></label>
      ${source ? html`<button class="soft" ?disabled=${busy} @click=${() => take(context, form, run)}>${words.make2.take(form.clues)}</button>` : nothing}
    </div>
    ${source ? html`<p class="quiet">${words.make2.opened(source.name, source.lines.length)}</p>` : nothing}`;
}

async function open(context: Context, file: File | undefined) {
  if (!file) return;
  if (file.size > LARGEST_FILE) return context.tell(words.make2.large(file.name));
  const lines = (await file.text()).split("\n").filter((line) => /^\s*[0-9.]{81}/.test(line));
  source = lines.length ? { name: file.name, lines } : null;
  if (!source) context.tell(words.make2.none(file.name));
  context.redraw();
}

const boardIn = (line: string) => line.trim().slice(0, 81).replaceAll("0", ".");

function take(context: Context, form: Form, run: Run) {
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

function fromGrid(context: Context, form: Form, run: Run) {
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

function disguise(context: Context, form: Form, run: Run) {
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

function commit(context: Context, form: Form, at: number, board: string, label: string) {
  context.commit(withBoard(context.position, at, board, []), label, {
    view: { make: { ...form, seed: form.seed + 1 }, player: null },
  });
}
