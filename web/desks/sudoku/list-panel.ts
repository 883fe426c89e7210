/** Long lists: chosen, pasted or dropped; processed in pieces by the workers; the result listed and saved. */

import type { NearPair } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { download, fileButton } from "../../widgets/file.js";
import type { OnPress, OnText } from "../../widgets/on.js";
import { choice } from "../../widgets/panel.js";
import type { FaultFacts, Progress, Question } from "../desk.js";
import { clusterDrawing } from "./clusters.js";
import { takePasted } from "./dialogs.js";
import type { Piece } from "./list-bytes.js";
import { linesAt, pieces, split } from "./list-bytes.js";
import type { Each, Form, Task } from "./list-job.js";
import { Listing, Pace, SHOWN, tableOf } from "./list-job.js";
import type { Context, Desk } from "./model.js";
import { boardOf, boxOf, filled } from "./model.js";
import { fold } from "./sections.js";
import { words } from "./strings.js";

const PAIRS = 10_000; // near pairs that are reported
const LONG = 100_000; // characters; more is treated as a file, since a text field would block the browser
const TABLE_HEAD = "line,class,givens,symmetries,form,solutions,carried,grid,number\n";
const MANY_BYTES = 20_000_000; // of a file for which all workers start when it is chosen
const REDRAW_MS = 250; // one drawing takes as long as some hundred lines
const PIPELINE = 8; // requests in flight
const MAX_DRAWN_BYTES = 1_000_000; // of boards that are drawn over several lines

const state = {
  now: null as Listing | null,
  base: null as Listing | null,
  membership: "",
  running: false,
  step: null as Progress | null,
  stop: false,
  cancel: null as (() => void) | null,
  fault: "",
  file: null as File | null,
  context: null as Context | null,
};

export function list(context: Context) {
  watchDocument(context);
  return html`<div class="list-fold">${fold(context, "listing", words.list, () => {
    const task = context.view.listTask ?? "group";
    return html`<p class="quiet">${words.listText}</p>
      ${choice({ label: words.listTask, options: words.tasks, value: task, onChange: (value) => context.set({ listTask: value }) })}
      ${task === "group" ? choice({ label: words.listBy, options: words.listBys, value: context.view.listBy ?? "class", onChange: (value) => context.set({ listBy: value }) }) : nothing}
      ${task === "canon" || task === "annotate" ? choice({ label: words.convention, options: words.conventions, value: context.view.listForm ?? "straight", onChange: (value) => context.set({ listForm: value }) }) : nothing}
      ${task === "annotate" ? choice({ label: words.listNumber, options: words.listNumbers, value: context.view.listNumber ?? "no", onChange: (value) => context.set({ listNumber: value }) }) : nothing}
      ${task === "near" ? choice({ label: words.nearMost, options: words.nearMosts, value: context.view.nearMost ?? "2", onChange: (value) => context.set({ nearMost: value }) }) : nothing}
      ${state.file ? chosenFile(context, state.file) : html`<textarea class="field" aria-label=${words.listPaste} placeholder=${words.listPaste} .value=${context.view.listText ?? ""} @change=${(e: OnText) => e.target.value.length < LONG && context.set({ listText: e.target.value })}></textarea>`}
      <div class="row wrap">
        ${state.running ? nothing : fileButton(words.listFile, ([file]) => choose(context, file), { accept: ".txt,.sdm,.csv,.sdk,text/plain,text/csv" })}
        ${state.running ? html`<button class="soft" @click=${stop}>${words.listStop}</button>` : html`<button class="main" @click=${(e: OnPress) => startList(context, task, e.target.closest(".fold-body")?.querySelector("textarea")?.value ?? "")}>${words.listRun}</button>`}
      </div>
      ${result(context)}`;
  })}</div>`;
}

function chosenFile(context: Context, file: File) {
  return html`<p class="row chosen-file"><span>${words.listChosen(file.name, file.size)}</span>
    <button class="plain" ?disabled=${state.running} @click=${() => choose(context, null)}>${words.listForget}</button></p>`;
}

export function choose(context: Context, file: File | null | undefined) {
  if (state.running) return;
  state.file = file ?? null;
  if (file && file.size > MANY_BYTES) context.gather();
  context.redraw();
}

/**
 * Take files dropped on the list, and long files or texts that are dropped or pasted anywhere on the
 * desk: as a text in a field or a position they would block the browser. The listeners capture, because
 * the shell handles every such event that reaches the window.
 */
function watchDocument(context: Context) {
  if (!state.context)
    for (const kind of ["drop", "paste"]) document.addEventListener(kind, takeFile, { capture: true });
  state.context = context;
}

function takeFile(
  event: Event & { dataTransfer?: DataTransfer | null; clipboardData?: DataTransfer | null },
) {
  if (!state.context || !document.querySelector(".sudoku-desk")) return;
  const data = event.dataTransfer ?? event.clipboardData;
  const here = event.target instanceof Element && event.target.closest(".list-fold") !== null;
  let file = [...(data?.files ?? [])].find((one) => !one.type.startsWith("image/"));
  if (!file) {
    const text = data?.getData("text/plain") ?? "";
    if (text.length > LONG) file = new File([text], words.listPasted);
  }
  if (!file || (file.size <= LONG && !(here && event.type === "drop"))) return;
  event.preventDefault();
  event.stopPropagation();
  choose(state.context, file);
  state.context.open(null);
  state.context.set({ listing: true });
  state.context.notify(words.listBrought(file.name));
  requestAnimationFrame(() => document.querySelector(".list-fold")?.scrollIntoView({ block: "nearest" }));
}

function stop() {
  state.stop = true;
  state.cancel?.();
}

/** The result so far. */
function result(context: Context) {
  const work = state.now;
  if (!work) return nothing;
  const share = state.step
    ? state.step.done / (state.step.total || 1)
    : work.size
      ? Math.min(1, work.bytes / work.size)
      : 0;
  return html`<div class="list-result" role="status">
    ${state.running ? html`<progress max="1" .value=${share} aria-label=${words.list}></progress><p class="quiet">${state.step ? words.nearProgress(state.step) : words.listProgress(work.lines, share)}</p>` : nothing}
    ${work.stopped ? html`<p>${words.listStopped}</p>` : nothing}
    ${state.fault ? html`<p class="note risk">${state.fault}</p>` : nothing}
    ${work.note ? html`<p class="quiet">${work.note}</p>` : nothing}
    ${state.running ? nothing : summary(work)}
    ${work.near ? html`<p class="quiet">${words.nearCertain(work.near.certain)}${work.near.left_out ? ` ${words.nearLeft(work.near.left_out)}` : ""}</p>${work.near.total ? html`<p class="quiet">${words.nearSigns}</p>` : nothing}${clusterDrawing(work.near, (pair) => openNear(context, work, pair), state.running)}` : nothing}
    ${state.running || work.task !== "group" || work.by !== "class" ? nothing : queries(context, work)}
    ${intersection(context, work)}
    ${groups(context, work)}
    ${work.badCount ? html`<p class="warn">${words.listBad(work.badCount)}</p><ul class="quiet who">${work.bad.map((text) => html`<li>${text}</li>`)}</ul>${work.badCount > SHOWN ? html`<p class="quiet">${words.listMoreBad(work.badCount - work.bad.length)}</p>` : nothing}` : nothing}
  </div>`;
}

/** The counts, and the files to save. */
function summary(work: Listing) {
  const { task, near } = work;
  if (task === "near" && !near) return nothing;
  const files: [string, string, () => (string | Blob)[]][] = [];
  if (near?.total) files.push([words.saveNear, "near.csv", () => [tableOf(near.pairs)]]);
  if (task === "group")
    files.push(
      [words.saveUnique, "unique.txt", () => work.unique],
      [words.saveEqual, "equal.txt", () => work.equal()],
      [words.saveClasses, "classes.txt", () => work.answers],
    );
  else if (task === "annotate")
    files.push([words.saveTable, "boards.csv", () => [TABLE_HEAD, ...work.answers]]);
  else if (task !== "near") files.push([words.saveAnswers, "answers.txt", () => work.answers]);
  if (work.badCount) files.push([words.saveUnread, "unread.txt", () => work.unread]);
  const text = near
    ? words.nearDone(near)
    : task === "group"
      ? words.listDone(work)
      : words.listDoneOther(work);
  return html`<p><b>${text}</b></p>
    <div class="buttons">${files.map(([label, name, parts]) => html`<button class="soft" @click=${() => download(name, new Blob(parts(), { type: "text/plain" }))}>${label}</button>`)}</div>`;
}

/** Queries to a grouped list: the line of a board, the intersection with another list. */
function queries(context: Context, work: Listing) {
  const there = filled(context.position);
  return html`<div class="buttons">${there.map((i) => html`<button class="soft" @click=${() => findBoard(context, work, i)}>${words.listFind(i, there.length)}</button>`)}
    <button class="soft" aria-pressed=${state.base === work} @click=${() => toggleBase(context, work)}>${words.listHold}</button></div>
    ${state.membership ? html`<p role="status">${state.membership}</p>` : nothing}
    ${state.base === work ? html`<p class="quiet">${words.listHeld}</p>` : nothing}`;
}

/** Look a board up in the list. */
async function findBoard(context: Context, work: Listing, i: number) {
  const position = { box: boxOf(context.position) };
  const options = { lines: [boardOf(context.position, i)], task: "group" as const };
  try {
    const [key] = (await ask(context, { want: "group", position, options })).keys;
    const line = key ? work.lineOf(new TextEncoder().encode(key)) : -1;
    state.membership = line < 0 ? words.listAbsent(i) : words.listPresent(i, line);
  } catch (fault) {
    state.membership = (fault as FaultFacts).message ?? String(fault);
  }
  context.redraw();
}

/** Make this list the base of the comparison with the next one, or end that. */
function toggleBase(context: Context, work: Listing) {
  state.base = state.base === work ? null : work;
  state.file = null;
  context.set({ listText: "" });
}

/** The boards that both lists have. */
function intersection(context: Context, work: Listing) {
  const base = work.base;
  if (!base) return nothing;
  return html`<p><b>${words.listKnown(work.shared, work.boards)}</b></p>
    <ul class="who">${work.sharedLines.map(
      ([line, other]) =>
        html`<li><button class="plain" ?disabled=${state.running} @click=${() =>
          openBoards(context, [
            [base, other],
            [work, line],
          ])}>${words.listMet(line, other)}</button></li>`,
    )}</ul>`;
}

/** Two boards of lists side by side, with the steps between them. */
async function openBoards(context: Context, which: [Listing, number][]) {
  const texts = await Promise.all(
    which.map(async ([work, line]) => (work.source ? (await linesAt(work.source, [line]))[0] : "")),
  );
  takePasted(texts.join("\n"), context);
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  document.querySelector(".sudoku-main")?.scrollIntoView({ block: "start", behavior });
}

/** Both boards of a pair, with their closest match. */
async function openNear(context: Context, work: Listing, pair: NearPair) {
  if (state.running) return;
  await openBoards(context, [
    [work, pair.first],
    [work, pair.second],
  ]);
  context.set({ near: true });
}

function groups(context: Context, work: Listing) {
  if (!work.repeated) return nothing;
  const show = (...lines: number[]) =>
    openBoards(
      context,
      lines.map((line) => [work, line]),
    );
  return html`<h3>${words.listEqual}</h3>
    <ul class="who">${work.groups().map(
      ({ lines: [first, ...rest], more }) =>
        html`<li>${rest.map((line, i) => {
          const text = words.listPair(first, line);
          return html`<button class="plain" aria-label=${i ? text : nothing} ?disabled=${state.running} @click=${() => show(first, line)}>${i ? words.listAlso(line) : text}</button>`;
        })}${more ? words.listAnd(more) : nothing}</li>`,
    )}</ul>
    <p class="quiet">${words.listPress}</p>
    ${work.repeated > SHOWN ? html`<p class="quiet">${words.listMore(work.repeated - SHOWN)}</p>` : nothing}`;
}

async function startList(context: Context, task: Task, text: string) {
  const source = state.file ?? new Blob([text]);
  const work = new Listing(task, source.size);
  work.by = task === "group" ? (context.view.listBy ?? "class") : "class";
  work.form = (context.view.listForm ?? "straight").replace("_", "-") as Form;
  work.numbers = task === "annotate" && context.view.listNumber === "yes";
  work.base = task === "group" && work.by === "class" ? state.base : null;
  Object.assign(state, { now: work, running: true, step: null, stop: false, fault: "", membership: "" });
  context.redraw();
  try {
    const { box, boards } = await detectFormat(context, work, source);
    work.source = boards ? new Blob([boards.join("\n")]) : source;
    if (task === "near") await findNear(context, work, work.source, box);
    else await processPieces(context, work, work.source, { box, task });
  } catch (fault) {
    if (!state.stop) state.fault = (fault as FaultFacts).message ?? String(fault);
  }
  work.stopped = state.stop;
  state.running = false;
  state.cancel = null;
  context.redraw();
}

/** Pipeline: while the workers process some pieces, the next ones are read and results are merged in order. */
async function processPieces(
  context: Context,
  work: Listing,
  source: Blob,
  { box, task }: { box: [number, number]; task: Each },
) {
  const size = box[0] * box[1];
  const pace = new Pace(work.numbers ? 16 : size < 10 ? 4000 : size < 17 ? 200 : 20);
  const input = pieces(
    source,
    () => pace.lines,
    (bytes) => (work.bytes += bytes),
  );
  const how = { by: work.by, convention: work.form, numbers: work.numbers };
  const queue: { lines: Piece; began: number; job: ReturnType<typeof context.askInTurn<"group">> }[] = [];
  let before = 0; // lines of earlier pieces
  let last = 0; // time of the last result
  let drawn = 0;
  let readFault: unknown = null; // thrown after the results of the pieces before it
  state.cancel = () => {
    for (const { job } of queue) job.cancel();
  };
  try {
    for (let more = true; (more || queue.length) && !state.stop; ) {
      while (more && queue.length < PIPELINE) {
        const { value: lines } = await input.next().catch((problem) => {
          readFault = problem;
          return { value: null };
        });
        more = Boolean(lines);
        if (!lines || state.stop) break;
        const options = { task, before, joined: true, ...how };
        const job = context.askInTurn({ want: "group", position: { box }, options }, lines.bytes);
        job.promise.catch(() => {}); // handled when the job is first in the queue
        queue.push({ lines, began: performance.now(), job });
        before += lines.count;
      }
      if (!queue.length || state.stop) break;
      const { lines, began, job } = queue[0];
      const { result, text } = await job.promise;
      queue.shift();
      const now = performance.now();
      pace.update(lines.count, now - Math.max(began, last));
      last = now;
      work.add(lines, { bad: result.bad, text });
      if (now - drawn < REDRAW_MS) continue;
      drawn = now;
      context.redraw();
    }
    if (readFault) throw readFault;
  } finally {
    state.cancel();
    input.return(undefined);
  }
}

/** Near duplicates are one question about the whole list. */
async function findNear(context: Context, work: Listing, from: Blob, box: [number, number]) {
  const lines: string[] = [];
  for await (const { bytes } of pieces(from)) lines.push(...split(bytes));
  const options = { lines, most: Number(context.view.nearMost ?? 2), limit: PAIRS };
  const position = { box };
  const job = context.ask({ want: "duplicates", position, options }, (progress) => {
    state.step = progress;
    context.redraw();
  });
  state.cancel = job.cancel;
  const found = await job.promise;
  work.lines = lines.length;
  work.near = found;
  work.addBad(found.bad);
}

/**
 * The box of the list's boards by its first lines, and the boards themselves if they are drawn over
 * several lines.
 */
async function detectFormat(
  context: Context,
  work: Listing,
  source: Blob,
): Promise<{ box: [number, number]; boards: string[] | null }> {
  const box = boxOf(context.position);
  const head = (await source.slice(0, 20_000).text()).replace(/[\r\n][^\r\n]*$/, "");
  if (!head.trim()) return { box, boards: null };
  const read = (text: string) => ask(context, { want: "paste", position: { box }, options: { text } });
  const found = await read(head);
  if (!found.grids.length) return { box, boards: null };
  const drawn = !/^(string|list)/.test(found.format) && source.size <= MAX_DRAWN_BYTES;
  const whole = drawn ? await read(await source.text()) : found;
  if (drawn || found.box.join() !== box.join()) work.note = words.listRead(whole.format, found.box);
  if (whole.constraints) work.note = `${work.note ?? ""} ${words.listRules}`.trim();
  if (drawn) work.addBad(whole.bad);
  return { box: found.box, boards: drawn ? whole.grids : null };
}

/** Ask a question that “Stop” cancels. */
function ask<W extends "group" | "paste">(context: Context, request: Question<Desk, W>) {
  const job = context.ask(request);
  state.cancel = job.cancel;
  return job.promise;
}
