/** Long lists on the page: brought by hand, paste or drop; answered in pieces; saved. */

import type { NearPair } from "../../types/sudoku.js";
import { html, nothing } from "../../vendor.js";
import { download } from "../../widgets/file.js";
import type { OnInput, OnPress, OnText } from "../../widgets/on.js";
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
const LONG = 100_000; // characters; more is held as a file, since a text field would choke on it
const TABLE_HEAD = "line,class,givens,symmetries,form,solutions,carried,grid,number\n";
const MUCH = 20_000_000; // bytes of a file that is worth a second worker's start while Go is pressed
const DRAWN = 250; // ms between two drawings: one takes as long as some hundred lines
const AHEAD = 8; // requests that are asked and not taken in
const WHOLE = 1_000_000; // bytes of boards that are drawn over several lines

const state = {
  now: null as Listing | null,
  base: null as Listing | null,
  found: "",
  running: false,
  step: null as Progress | null,
  stop: false,
  cancel: null as (() => void) | null,
  fault: "",
  file: null as File | null,
  context: null as Context | null,
};

export function list(context: Context) {
  heed(context);
  return html`<div class="list-fold">${fold(context, "listing", words.list, () => {
    const task = context.view.listTask ?? "group";
    return html`<p class="quiet">${words.listText}</p>
      ${choice({ label: words.listTask, options: words.tasks, value: task, onChange: (value) => context.set({ listTask: value }) })}
      ${task === "group" ? choice({ label: words.listBy, options: words.listBys, value: context.view.listBy ?? "class", onChange: (value) => context.set({ listBy: value }) }) : nothing}
      ${task === "canon" || task === "annotate" ? choice({ label: words.convention, options: words.conventions, value: context.view.listForm ?? "straight", onChange: (value) => context.set({ listForm: value }) }) : nothing}
      ${task === "annotate" ? choice({ label: words.listNumber, options: words.listNumbers, value: context.view.listNumber ?? "no", onChange: (value) => context.set({ listNumber: value }) }) : nothing}
      ${task === "near" ? choice({ label: words.nearMost, options: words.nearMosts, value: context.view.nearMost ?? "2", onChange: (value) => context.set({ nearMost: value }) }) : nothing}
      ${state.file ? chosen(context, state.file) : html`<textarea class="field" aria-label=${words.listPaste} placeholder=${words.listPaste} .value=${context.view.listText ?? ""} @change=${(e: OnText) => e.target.value.length < LONG && context.set({ listText: e.target.value })}></textarea>`}
      <div class="row wrap">
        ${state.running ? nothing : html`<label class="soft file">${words.listFile}<input class="unseen" type="file" accept=".txt,.sdm,.csv,.sdk,text/plain,text/csv" @change=${(e: OnInput) => choose(context, e.target.files?.[0])}></label>`}
        ${state.running ? html`<button class="soft" @click=${stop}>${words.listStop}</button>` : html`<button class="main" @click=${(e: OnPress) => start(context, task, e.target.closest(".fold-body")?.querySelector("textarea")?.value ?? "")}>${words.listRun}</button>`}
      </div>
      ${result(context)}`;
  })}</div>`;
}

function chosen(context: Context, file: File) {
  return html`<p class="row chosen-file"><span>${words.listChosen(file.name, file.size)}</span>
    <button class="plain" ?disabled=${state.running} @click=${() => choose(context, null)}>${words.listForget}</button></p>`;
}

export function choose(context: Context, file: File | null | undefined) {
  if (state.running) return;
  state.file = file ?? null;
  if (file && file.size > MUCH) context.gather();
  context.redraw();
}

/**
 * A file dropped on the list, and a long file or text brought anywhere on the desk, come here: as a
 * text in a field or a position they would stop the browser. They are caught on their way down,
 * because the shell takes whatever reaches the window.
 */
function heed(context: Context) {
  if (!state.context)
    for (const kind of ["drop", "paste"]) document.addEventListener(kind, bring, { capture: true });
  state.context = context;
}

function bring(event: Event & { dataTransfer?: DataTransfer | null; clipboardData?: DataTransfer | null }) {
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

/** What has come of it so far. */
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
    ${state.running ? nothing : done(work)}
    ${work.near ? html`<p class="quiet">${words.nearCertain(work.near.certain)}${work.near.left_out ? ` ${words.nearLeft(work.near.left_out)}` : ""}</p>${work.near.total ? html`<p class="quiet">${words.nearSigns}</p>` : nothing}${clusterDrawing(work.near, (pair) => openNear(context, work, pair), state.running)}` : nothing}
    ${state.running || work.task !== "group" || work.by !== "class" ? nothing : further(context, work)}
    ${against(context, work)}
    ${groups(context, work)}
    ${work.badCount ? html`<p class="warn">${words.listBad(work.badCount)}</p><ul class="quiet who">${work.bad.map((text) => html`<li>${text}</li>`)}</ul>${work.badCount > SHOWN ? html`<p class="quiet">${words.listMoreBad(work.badCount - work.bad.length)}</p>` : nothing}` : nothing}
  </div>`;
}

function done(work: Listing) {
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

/** What can be asked once a list is grouped: a board's place in it, another list. */
function further(context: Context, work: Listing) {
  const there = filled(context.position);
  return html`<div class="buttons">${there.map((i) => html`<button class="soft" @click=${() => find(context, work, i)}>${words.listFind(i, there.length)}</button>`)}
    <button class="soft" aria-pressed=${state.base === work} @click=${() => hold(context, work)}>${words.listHold}</button></div>
    ${state.found ? html`<p role="status">${state.found}</p>` : nothing}
    ${state.base === work ? html`<p class="quiet">${words.listHeld}</p>` : nothing}`;
}

/** Is the board in the list? */
async function find(context: Context, work: Listing, i: number) {
  const position = { box: boxOf(context.position) };
  const options = { lines: [boardOf(context.position, i)], task: "group" as const };
  try {
    const [key] = (await asked(context, { want: "group", position, options })).keys;
    const line = key ? work.lineOf(new TextEncoder().encode(key)) : -1;
    state.found = line < 0 ? words.listAbsent(i) : words.listPresent(i, line);
  } catch (fault) {
    state.found = (fault as FaultFacts).message ?? String(fault);
  }
  context.redraw();
}

/** Keep a list, so that the next one is held against it. */
function hold(context: Context, work: Listing) {
  state.base = state.base === work ? null : work;
  state.file = null;
  context.set({ listText: "" });
}

/** What both lists have. */
function against(context: Context, work: Listing) {
  const base = work.base;
  if (!base) return nothing;
  return html`<p><b>${words.listKnown(work.known, work.boards)}</b></p>
    <ul class="who">${work.met.map(
      ([line, other]) =>
        html`<li><button class="plain" ?disabled=${state.running} @click=${() =>
          open(context, [
            [base, other],
            [work, line],
          ])}>${words.listMet(line, other)}</button></li>`,
    )}</ul>`;
}

/** Two boards of lists side by side, with the steps between them. */
async function open(context: Context, which: [Listing, number][]) {
  const texts = await Promise.all(
    which.map(async ([work, line]) => (work.source ? (await linesAt(work.source, [line]))[0] : "")),
  );
  takePasted(texts.join("\n"), context);
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
  document.querySelector(".sudoku-main")?.scrollIntoView({ block: "start", behavior });
}

/** Both boards of a pair, and below them how they can be laid on each other. */
async function openNear(context: Context, work: Listing, pair: NearPair) {
  if (state.running) return;
  await open(context, [
    [work, pair.first],
    [work, pair.second],
  ]);
  context.set({ near: true });
}

function groups(context: Context, work: Listing) {
  if (!work.repeated) return nothing;
  const show = (...lines: number[]) =>
    open(
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

async function start(context: Context, task: Task, text: string) {
  const source = state.file ?? new Blob([text]);
  const work = new Listing(task, source.size);
  work.by = task === "group" ? (context.view.listBy ?? "class") : "class";
  work.form = (context.view.listForm ?? "straight").replace("_", "-") as Form;
  work.numbers = task === "annotate" && context.view.listNumber === "yes";
  work.base = task === "group" && work.by === "class" ? state.base : null;
  Object.assign(state, { now: work, running: true, step: null, stop: false, fault: "", found: "" });
  context.redraw();
  try {
    const { box, boards } = await look(context, work, source);
    const size = box[0] * box[1];
    const pace = new Pace(work.numbers ? 16 : size < 10 ? 4000 : size < 17 ? 200 : 20);
    const from = boards ? new Blob([boards.join("\n")]) : source;
    work.source = from;
    if (task === "near") await nearIn(context, work, from, box);
    else {
      const lines = pieces(
        from,
        () => pace.lines,
        (bytes) => (work.bytes += bytes),
      );
      await through(context, work, { lines, pace, box, task });
    }
  } catch (fault) {
    if (!state.stop) state.fault = (fault as FaultFacts).message ?? String(fault);
  }
  work.stopped = state.stop;
  state.running = false;
  state.cancel = null;
  context.redraw();
}

/**
 * From piece to piece: while the workers have some lines, the next are read, and the result of those
 * before is taken in, in the lines' order.
 */
async function through(
  context: Context,
  work: Listing,
  {
    lines: source,
    pace,
    box,
    task,
  }: { lines: AsyncGenerator<Piece>; pace: Pace; box: [number, number]; task: Each },
) {
  const how = { by: work.by, convention: work.form, numbers: work.numbers };
  const under: { lines: Piece; began: number; job: ReturnType<typeof context.askInTurn<"group">> }[] = [];
  let before = 0;
  let last = 0; // when an answer came last
  let drawn = 0;
  let unread: unknown = null; // why there are no more lines, reported when those before have been taken in
  state.cancel = () => {
    for (const { job } of under) job.cancel();
  };
  try {
    for (let more = true; (more || under.length) && !state.stop; ) {
      while (more && under.length < AHEAD) {
        const { value: lines } = await source.next().catch((problem) => {
          unread = problem;
          return { value: null };
        });
        more = Boolean(lines);
        if (!lines || state.stop) break;
        const options = { task, before, joined: true, ...how };
        const job = context.askInTurn({ want: "group", position: { box }, options }, lines.bytes);
        job.promise.catch(() => {}); // it is reported when its turn has come
        under.push({ lines, began: performance.now(), job });
        before += lines.count;
      }
      if (!under.length || state.stop) break;
      const { lines, began, job } = under[0];
      const { result, text } = await job.promise;
      under.shift();
      const now = performance.now();
      pace.took(lines.count, now - Math.max(began, last));
      last = now;
      work.take(lines, { bad: result.bad, text });
      if (now - drawn < DRAWN) continue;
      drawn = now;
      context.redraw();
    }
    if (unread) throw unread;
  } finally {
    state.cancel();
    source.return(undefined);
  }
}

/** Near duplicates are a question about the list as a whole. */
async function nearIn(context: Context, work: Listing, from: Blob, box: [number, number]) {
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
  work.complain(found.bad);
}

/**
 * The box of the list's boards by its first lines, and the boards themselves if they are drawn over
 * several lines.
 */
async function look(
  context: Context,
  work: Listing,
  source: Blob,
): Promise<{ box: [number, number]; boards: string[] | null }> {
  const box = boxOf(context.position);
  const head = (await source.slice(0, 20_000).text()).replace(/[\r\n][^\r\n]*$/, "");
  if (!head.trim()) return { box, boards: null };
  const read = (text: string) => asked(context, { want: "paste", position: { box }, options: { text } });
  const found = await read(head);
  if (!found.grids.length) return { box, boards: null };
  const drawn = !/^(string|list)/.test(found.format) && source.size <= WHOLE;
  const whole = drawn ? await read(await source.text()) : found;
  if (drawn || found.box.join() !== box.join()) work.note = words.listRead(whole.format, found.box);
  if (whole.constraints) work.note = `${work.note ?? ""} ${words.listRules}`.trim();
  if (drawn) work.complain(whole.bad);
  return { box: found.box, boards: drawn ? whole.grids : null };
}

function asked<W extends "group" | "paste">(context: Context, request: Question<Desk, W>) {
  const job = context.ask(request);
  state.cancel = job.cancel;
  return job.promise;
}
