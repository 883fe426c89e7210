/** The sudoku desk: same or different. */

import { html, nothing } from "../../vendor.js";
import { isPicture, pictureButtons, plainLines } from "../../widgets/file.js";
import type { Binding, DeskPage, Whole } from "../desk.js";
import { analysisPanels, viewing } from "./analysis.js";
import { bar } from "./bar.js";
import { boards, enter, pad, step } from "./board-panel.js";
import { possible } from "./constraints.js";
import { pasteDialog, rulesDialog, shapeDialog, takePasted } from "./dialogs.js";
import { examples, isEmpty, start } from "./examples.js";
import { carry, make, textOf } from "./generate.js";
import { numbering } from "./grid-number.js";
import { list } from "./list-panel.js";
import type { Context, Desk, Position, Requests, View } from "./model.js";
import {
  about,
  boardOf,
  boxOf,
  clashes,
  filled,
  focus,
  givens,
  isComplete,
  SYMBOLS,
  sameQuestion,
  sizeOf,
} from "./model.js";
import { takePictures } from "./photo.js";
import { mini, picture } from "./picture.js";
import { words } from "./strings.js";
import { playTo, toggle, verdict, watch, witnessFrame } from "./verdict.js";

const LEAST = 16; // characters of the smallest board: less is no board, however it is written
const SMALL = 9; // symbols: up to here everything is answered at once

export const page: DeskPage<Desk> = {
  name: "sudoku",
  initial: () => ({ desk: "sudoku", v: 1, box: [3, 3], grids: [] }),
  examples,
  accept,
  title,
  listRequests,
  draw,
  bar,
  keys,
  describe,
  picture: ({ position }, caption) => picture(position, caption),
  mini,
  asks: words.asks,
  named: (name) => ({
    request: { want: "grid", options: { code: name } },
    position: (found) => ({ desk: "sudoku", v: 1, box: [3, 3], grids: [found.grid] }),
  }),
  recognises,
  paste(text, context, last) {
    if (!recognises(text) && !(last && text.trim().length >= LEAST)) return false;
    takePasted(text, context);
    return true;
  },
  pictures: takePictures,
};

function title(position: Position): [string, string] {
  return ["Sudoku", words.soFar(givens(boardOf(position, 0)), givens(boardOf(position, 1)))];
}

/** A board as one run of characters or nine drawn rows, or a link that holds one. */
function recognises(text: string) {
  if (/\b(f-puzzles|sudokupad|sudokuwiki|sudokuexchange|sudoku\.coach|penpa-edit)\b/i.test(text)) return true;
  if (/^\s*(fpuz|SCv7_32_)/.test(text)) return true;
  const lines = plainLines(text);
  if (lines.some((line) => /^[ #]*[0-9.*_]{81}( |$)/.test(line))) return true;
  return lines.filter((line) => line.replace(/[^0-9.*_]/g, "").length === 9).length >= 9;
}

function accept(position: Whole<Position>) {
  const { box, grids, constraints } = position;
  const size = box[0] * box[1];
  const known = new Set([...SYMBOLS.slice(0, size), ".", "0"]);
  for (const grid of grids)
    if (grid.length !== size ** 2 || ![...grid].every((c) => known.has(c)))
      throw new Error(`A board of it is no ${size}×${size} board.`);
  if (!constraints.every((one) => possible(one, box)))
    throw new Error("It has a constraint that its board cannot have.");
  return { ...position, grids: grids.map((g) => g.replaceAll("0", ".")) };
}

function listRequests(position: Position, view: View) {
  const requests: Requests = {};
  const legal = filled(position).filter((i) => clashes(position, i).size === 0);
  const one = (i: number) => about(position, [i]);
  const small = sizeOf(position) <= SMALL;
  const subject = focus({ position, view });
  const isLegal = legal.includes(subject);
  if (view.symmetries && isLegal)
    requests.automorphisms = { want: "automorphisms", position: one(subject), options: { limit: 1000 } };
  for (const i of legal) {
    const asked = view.solving && i === subject;
    if ((small && !isComplete(boardOf(position, i))) || asked)
      requests[`solve${i}`] = { want: "solve", position: one(i) };
    requests[`canon${i}`] = { want: "canon", position: one(i) };
  }
  if (view.numbering && isLegal && sizeOf(position) === 9) {
    requests.number = { want: "number", position: one(subject) };
    requests.unavoidable = { want: "unavoidable", position: one(subject), urgency: "last" };
  }
  if (view.viewing && isLegal && sizeOf(position) === 9 && isComplete(boardOf(position, subject)))
    requests.views = { want: "views", position: one(subject) };
  if (legal.length === 2) {
    const two = about(position, [0, 1]);
    if (view.near) requests.nearest = { want: "nearest", position: two };
    requests.same = { ...sameQuestion(position, Boolean(view.names)), urgency: "first" };
  }
  return requests;
}

function draw(context: Context) {
  watch(context);
  const empty = isEmpty(context);
  return html`<div class=${empty ? "sudoku-desk empty" : "sudoku-desk"}>
    <div class="between">
      <div><h1>${words.title}</h1><p class="sub">${words.lead}</p><p class="sub">${words.shape(boxOf(context.position))}</p></div>
      <div class="row wrap tools" data-edit>
        ${pictureButtons({ label: words.photo.bring, camera: words.photo.camera, onPictures: (files) => takePictures(files.filter(isPicture), context) })}
        <button class="plain" @click=${() => context.open(() => pasteDialog(context))}>${words.paste}</button>
        ${empty ? html`<button class="plain type-tool" @click=${() => context.set({ typing: true, at: { board: 0, cell: 0 } })}>${words.start.type}</button>` : nothing}
        <button class="plain rules-tool" @click=${() => context.open(() => shapeDialog(context))}>${words.changeShape}</button>
        <button class="plain rules-tool" @click=${() => context.open(() => rulesDialog(context))}>${words.rulesTitle}</button>
      </div>
    </div>
    <div class="sudoku-main">
      <div class="stack boards-area">${boards(context)}${pad(context)}</div>
      <div class="stack verdict-area">${empty ? start(context) : verdict(context)}
        <section class="card folds" data-edit>${numbering(context)}${viewing(context)}${make(context)}${list(context)}${carry(context)}</section>
      </div>
      <div class="stack more-area">${analysisPanels(context)}</div>
    </div>
  </div>`;
}

function keys(context: Context): Binding[] {
  const symbols = [...SYMBOLS.slice(0, Math.min(35, sizeOf(context.position)))];
  const done = witnessFrame(context);
  return [
    { keys: symbols, label: words.pad, run: (event) => enter(context, event.key.toLowerCase()) },
    { keys: ["Backspace", "Delete", "0", "."], label: words.erase, run: () => enter(context, ".") },
    { keys: ["ArrowUp"], label: "↑", run: () => step(context, -1, 0) },
    { keys: ["ArrowDown"], label: "↓", run: () => step(context, 1, 0) },
    { keys: ["ArrowLeft"], label: "←", run: () => step(context, 0, -1) },
    { keys: ["ArrowRight"], label: "→", run: () => step(context, 0, 1) },
    { keys: [" "], label: `${words.play} / ${words.pause}`, run: () => toggle(context) },
    { keys: ["Shift+ArrowRight"], label: words.forward, run: () => playTo(context, done + 1) },
    { keys: ["Shift+ArrowLeft"], label: words.back, run: () => playTo(context, done - 1) },
  ];
}

function describe({ position, replies, view }: Context) {
  const found = replies.same?.value;
  const out = [];
  if (found) {
    const renamed = words.renamed[String(found.same_renamed) as "true"];
    const sentence = found.same
      ? words.sameText(found.steps.length)
      : [found.because.text, renamed].filter(Boolean).join(" ");
    out.push(`${words.verdict(found)}. ${sentence}`);
    if (found.same && found.summary) out.push(found.summary);
    if (found.compared) out.push(words.comparedWith(found));
    if (found.not_compared) out.push(words.notCompared(found.not_compared));
    if (found.same) out.push(...found.steps.map((s, i) => `${i + 1}. ${s.text}`));
  }
  for (const i of filled(position)) {
    out.push(`${words.names[i]}: ${boardOf(position, i)}`);
    const form = replies[`canon${i}`]?.value;
    const text =
      form && (textOf(form, view.convention ?? "straight") ?? ("no_carried" in form && form.no_carried));
    if (text) out.push(`${words.formOf(i)}: ${text}`);
  }
  const near = replies.nearest?.value;
  if (near) out.push(words.nearResult(near));
  const group = replies.automorphisms?.value;
  if (group) out.push(`${words.names[focus({ position, view })]}: ${words.symmetriesText(group.count)}`);
  return out.length ? out : [words.needOne];
}
