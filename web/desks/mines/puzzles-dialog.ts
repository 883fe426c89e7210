/** The puzzles dialog: choose a puzzle, generate one (by size, score or moves), open, save and rate files. */

import type { GenerateOptions, Wished } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { download, fileButton, pictureButtons } from "../../widgets/file.js";
import { randomSeed } from "../../widgets/numbers.js";
import type { OnText } from "../../widgets/on.js";
import { choice, select, tick } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { begin } from "./board-actions.js";
import { batch, faultOf } from "./editor/batch.js";
import { isMade, unsealed } from "./editor/edits.js";
import type { Context, Position } from "./model.js";
import { cellsOf, EMPTY, isArranged, queryPosition, startPosition } from "./model.js";
import { blank } from "./pads.js";
import { puzzles } from "./puzzles.js";
import { takePictures } from "./screenshot.js";
import { words } from "./strings.js";

const SIZES = {
  "combination-lock": [5, 8, 14],
  "corner-bite": [5, 8, 12],
  holey: [5, 8, 12],
  colours: [5, 7, 10],
  hex: [3, 4, 6],
  triangle: [4, 7, 10],
  torus: [4, 7, 10],
} as Record<string, [number, number, number]>;
const SECONDS = 60;

/** The settings of the generator; kept while the page is open. */
const wish = { kind: "combination-lock", size: 8, band: "6..10" };
/** The required moves, for the band `wish`. */
const moves: Moves = { times: [{ many: "3", kind: "sum" }], none: true, widest: 0, rising: false };
let job: { cancel: () => void; done: number; total: number; best: Position | null; stopped: boolean } | null =
  null;
/** The errors of generating and of reading, each shown next to its button. */
const fault = { make: "", read: "" };
let typed = "";
/** The open tab. */
let tab: keyof typeof words.tabs = "choose";

/** @param kind of the board to generate, if it is known */
export function openPuzzles(context: Context, kind?: string) {
  fault.make = fault.read = "";
  if (kind) Object.assign(wish, { kind, size: SIZES[kind]?.[1] ?? 0 });
  tab = kind || job ? "make" : "choose";
  context.open(() => puzzlesDialog(context));
}

function puzzlesDialog(context: Context) {
  const levels = [...new Set(puzzles.map((p) => p.level))];
  return dialogIn(context, {
    title: words.puzzles,
    wide: true,
    body: html`${choice({
      label: words.puzzles,
      options: words.tabs,
      value: tab,
      onChange: (next) => {
        tab = next;
        context.redraw();
      },
    })}
      <div ?hidden=${tab !== "choose"}><p class="quiet">${words.puzzlesWhat}</p>
      ${levels.map(
        (level) =>
          html`<h2>${words.levels[level]}</h2><ul class="list mines-list">${puzzles
            .filter((p) => p.level === level)
            .map(
              (p) => html`<li><button class="list-item" @click=${() => begin(context, p.position, p.title)}>
            <b>${p.title}</b><span>${words.kinds[p.kind]}, ${words.line(p.cells, p.mines)}</span></button></li>`,
            )}</ul>`,
      )}</div>
      <div ?hidden=${tab !== "make"}>${maker(context)}</div>
      <div ?hidden=${tab !== "own"}>${opener(context)}${batch(context)}</div>`,
  });
}

function maker(context: Context) {
  const { kind, size, band } = wish;
  const kinds: [string, string][] = [
    ...Object.entries(words.kinds),
    ...(cellsOf(context.position) ? [["like", words.like] as [string, string]] : []),
  ];
  const [least, , most] = SIZES[kind] ?? [0, 0, -1];
  const sizes = Array.from({ length: most - least + 1 }, (_, i): [number, number] => [least + i, least + i]);
  return html`<section class="card mines-part">
    <div class="row mines-wrap fields">
      <label>${words.kind}${select(kinds, kind, (next) => wishFor(context, { kind: next, size: SIZES[next]?.[1] ?? 0 }))}</label>
      ${
        sizes.length
          ? html`<label>${words.size}${select(sizes, size, (next) => wishFor(context, { size: next }))}</label>`
          : nothing
      }
    </div>
    ${words.kindsWhat[kind] ? html`<p class="quiet">${words.kindsWhat[kind]}</p>` : nothing}
    ${choice({ label: words.harder, options: { ...words.bands, ...(context.position.sealed ? words.models : {}) }, value: band, onChange: (next) => wishFor(context, { band: next }) })}
    ${
      band === "wish"
        ? wishFields(moves, (change) => {
            Object.assign(moves, change);
            context.redraw();
          })
        : nothing
    }
    ${job ? progress() : html`<div class="row mines-wrap"><button class="main" @click=${() => generate(context)}>${words.make}</button>${kind === "like" ? nothing : html`<button class="soft" @click=${() => openEmpty(context)}>${words.editor.open}</button><button class="plain" @click=${() => openEmpty(context, true)}>${words.byHand}</button>`}</div>`}
    ${fault.make ? html`<p class="note risk" role="alert">${fault.make}</p>` : nothing}
  </section>`;
}

/** Open an empty board of the chosen kind in the editor, or to enter one that is played elsewhere. */
async function openEmpty(context: Context, elsewhere: boolean = false) {
  const { kind, size } = wish;
  const options = {
    board: kind,
    size,
    empty: true,
  } as GenerateOptions;
  try {
    const made = await context.ask({ want: "generate", position: EMPTY, options }).promise;
    const board = elsewhere ? blank(made) : made;
    begin(context, { ...board, title: words.madeName(kind, size) }, words.editor.did.empty);
  } catch (problem) {
    fault.make = (problem as FaultFacts).message;
    context.redraw();
  }
}

/** Open the current board in the editor. */
async function openEditor(context: Context) {
  const found = await unsealed(context.position);
  if (found) begin(context, found, words.editor.did.edit);
  else context.notify(words.damaged);
}

function wishFor(context: Context, change: Partial<typeof wish>) {
  Object.assign(wish, change);
  context.redraw();
}

function progress() {
  if (!job) return nothing;
  return html`<div class="job"><p class="quiet">${words.making}…</p>
    <progress .value=${job.done} max=${job.total || 1}></progress>
    <button class="plain" @click=${() => {
      if (job) job.stopped = true;
      job?.cancel();
    }}>${words.makeStop}</button></div>`;
}

/** The options of the generator for a band, besides the board. */
function kindOptions(context: Context, band: string) {
  if (band === "any") return {};
  if (band in words.models) {
    const { sealed } = context.position;
    return { model: { ...queryPosition(startPosition(context.position)), sealed }, compared: band };
  }
  return band === "wish" ? { wish: wishText(moves) } : { difficulty: band };
}

async function generate(context: Context) {
  const { kind, size, band } = wish;
  fault.make = "";
  const seed = randomSeed();
  const board =
    kind === "like"
      ? { like: { ...queryPosition(startPosition(context.position)), ...shapeOf(context.position) } }
      : { board: kind, size };
  const options = {
    ...board,
    seed,
    seconds: SECONDS,
    sealed: true,
    ...kindOptions(context, band),
  } as GenerateOptions;
  const { promise, cancel } = context.ask({ want: "generate", position: EMPTY, options }, (step) => {
    if (!job) return;
    Object.assign(job, { done: step.done, total: step.total ?? 1, best: step.best ?? job.best });
    context.redraw();
  });
  const mine: NonNullable<typeof job> = { cancel, done: 0, total: 1, best: null, stopped: false };
  job = mine;
  context.redraw();
  const name = words.madeName(kind, size);
  try {
    const { rating, ...puzzle } = await promise;
    job = null;
    begin(context, { ...puzzle, title: name }, name);
    if (rating?.hit === false || rating?.wished) context.set({ made: rating });
  } catch (problem) {
    job = null;
    const kept = mine.best;
    if (mine.stopped && kept) {
      const { rating: _, ...puzzle } = kept;
      begin(context, { ...puzzle, title: name }, name);
      if (band !== "any") await rateStopped(context, puzzle, band);
    } else {
      fault.make = mine.stopped ? words.nothingFound : (problem as FaultFacts).message;
      context.redraw();
    }
  }
}

/** Rate a puzzle whose generation was stopped, to show its difference from the band or wish. */
async function rateStopped(context: Context, puzzle: Position, wanted: string) {
  if (wanted in words.models) return;
  if (wanted === "wish") {
    const options = { wish: wishText(moves) };
    context.set({ made: await context.ask({ want: "rate", position: puzzle, options }).promise });
    return;
  }
  const { smooth } = await context.ask({ want: "rate", position: puzzle }).promise;
  const [low, high] = wanted.split("..").map(Number);
  if (smooth === null || smooth < low || smooth > high) context.set({ made: { wanted, smooth } });
}

function shapeOf({ pos, polygons, polygon_of, unit }: Position) {
  return Object.fromEntries(Object.entries({ pos, polygons, polygon_of, unit }).filter(([, v]) => v != null));
}

function opener(context: Context) {
  const takeFile = async ([file]: File[]) => file && takeText(context, await file.text());
  return html`<section class="card mines-part"><h2>${words.own}</h2><p class="quiet">${words.ownWhat}</p>
    <textarea class="field" aria-label=${words.own} .value=${typed} @input=${(e: OnText) => {
      typed = e.target.value;
    }}></textarea>
    ${fault.read ? html`<p class="note risk" role="alert">${fault.read}</p>` : nothing}
    <div class="row mines-wrap">
      <button class="soft" @click=${() => takeText(context, typed)}>${words.take}</button>
      ${fileButton(words.openFile, takeFile, { accept: ".puz,.hexcells,.mine,.json,.txt,.xml" })}
      ${pictureButtons({ label: words.screenshot.bring, camera: words.screenshot.camera, onPictures: (files) => takePictures(files, context) })}
      <button class="plain" ?disabled=${!context.position.sealed && !isMade(context.position)} @click=${() => save(context)}>${words.saveFile}</button>
    </div>
    ${context.position.sealed && !isArranged(context.position) ? html`<p><button class="soft" @click=${() => openEditor(context)}>${words.editor.edit}</button> <span class="quiet">${words.editor.editWhat}</span></p>` : nothing}</section>`;
}

/** @param notify for a fault that no dialog shows */
export async function takeText(context: Context, text: string, notify?: (text: string) => void) {
  typed = text.length < 100_000 ? text : "";
  try {
    const position = await context.ask({ want: "read", position: EMPTY, options: { text } }).promise;
    typed = fault.read = "";
    const name = position.title || words.untitled;
    begin(context, { ...position }, name);
  } catch (problem) {
    fault.read = faultOf(problem as FaultFacts);
    notify?.(fault.read);
    context.redraw();
  }
}

export async function save(context: Context) {
  try {
    const format = (isArranged(context.position) ? "hexcells" : "puz") as "hexcells" | "puz";
    const position = startPosition(context.position);
    const { text } = await context.ask({ want: "write", position, options: { format } }).promise;
    const name = words.saveName(context.position.title ?? "", format);
    download(name, new Blob([text], { type: "application/octet-stream" }));
  } catch (problem) {
    context.notify((problem as FaultFacts).message);
  }
}

/** number of moves of a kind: "3", "0", "2+" */
export type Times = { many: string; kind: string };
/** `widest` 0: no limit */
export type Moves = { times: Times[]; none: boolean; widest: number; rising: boolean };

/** The choices of a number of moves. */
export const MANY = ["1", "2", "3", "4", "5", "6", "0", "1+", "2+", "3+"];
const KINDS = ["one", "subset", "cross", "chain", "bounds", "sum"];
const FIRST = ["sum", "chain", "cross", "subset", "bounds", "one"]; // as more of them are added
const WIDEST = [0, 2, 3, 4, 5, 6, 8]; // counts that a move may rest on

/** The wish in the notation of the generator. */
export function wishText({ times, none, widest, rising }: Moves) {
  const wanted = times.some(({ many }) => many !== "0");
  return [
    ...times.map(({ many, kind }) => `${many} ${kind}`),
    ...(none && wanted ? ["none deeper"] : []),
    ...(widest ? [`at most ${widest} counts`] : []),
    ...(rising ? ["rising"] : []),
  ].join(", ");
}

/** The kinds that no other line has. */
const unusedKinds = (times: Times[], own?: number) =>
  KINDS.filter((kind) => times.every((one, i) => i === own || one.kind !== kind));

/** The lines with one more, of an unused kind. */
export function withAnotherKind(times: Times[]) {
  const left = unusedKinds(times);
  const kind = FIRST.find((one) => left.includes(one));
  return kind ? [...times, { many: "1", kind }] : times;
}

function wishFields(moves: Moves, change: (change: Partial<Moves>) => void) {
  const { times, widest } = moves;
  const box = (key: "none" | "rising") => tick(words.wish[key], moves[key], (on) => change({ [key]: on }));
  const rest = unusedKinds(times);
  return html`${times.map((one, i) => kindRow(moves, one, i, change))}
    ${rest.length ? html`<div class="row"><button class="plain" @click=${() => change({ times: withAnotherKind(times) })}>${words.wish.another}</button></div>` : nothing}
    <div class="row mines-wrap fields"><label>${words.wish.widest}${select(
      WIDEST.map((n) => [n, words.wish.width(n)]),
      widest,
      (n) => change({ widest: n }),
    )}</label></div>
    <div class="row mines-wrap">${box("none")}${box("rising")}</div>
    <p class="quiet">${words.wish.what}</p>`;
}

/** The fields of one line. */
function kindRow({ times }: Moves, one: Times, i: number, change: (change: Partial<Moves>) => void) {
  const put = (part: Partial<Times>) =>
    change({ times: times.map((other, k) => (k === i ? { ...other, ...part } : other)) });
  return html`<div class="row mines-wrap fields" role="group" aria-label=${words.wish.kinds[one.kind]}>
      <label>${words.wish.many}${select(
        MANY.map((many) => [many, words.wish.often(many)]),
        one.many,
        (many) => put({ many }),
      )}</label>
      <label>${words.wish.kind}${select(
        unusedKinds(times, i).map((kind) => [kind, words.wish.kinds[kind]]),
        one.kind,
        (kind) => put({ kind }),
      )}</label>
      ${times.length > 1 ? html`<button class="plain" aria-label=${words.wish.withoutOf(words.wish.kinds[one.kind])} @click=${() => change({ times: times.filter((_, k) => k !== i) })}>${words.wish.without}</button>` : nothing}
    </div>`;
}

/** The result of a wish: differences, statistics of the search, and other near results. */
export function wishResult({ met, lacks, looked, hardest, kept }: Wished) {
  const rest = kept.slice(1);
  const first = met ? words.wish.met : looked ? words.wish.missed : words.wish.stopped;
  return html`<div class=${met ? "note good-note stack-small" : "note warn stack-small"} role="status">
    <p><b>${first}</b>${lacks.length ? ` ${lacks.map(words.wish.lack).join("; ")}.` : ""}</p>
    ${looked ? html`<p>${words.wish.looked(looked, hardest)}</p>` : nothing}
    ${
      rest.length
        ? html`<details class="more"><summary>${words.wish.near}</summary><ul class="mines-near">${rest.map(
            (row) =>
              html`<li>${words.wish.row(row.kinds)}<br><span class="quiet">${row.lacks.map(words.wish.lack).join("; ")}</span></li>`,
          )}</ul></details>`
        : nothing
    }</div>`;
}
