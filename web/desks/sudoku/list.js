/** Long lists: read in pieces, answered in pieces, saved in pieces; nothing holds all of it. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { download } from "../../widgets/file.js";
import { fold } from "./fold.js";
import { boxOf } from "./model.js";
import { words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

const PIECE = 4000; // lines a request
const SHOWN = 40; // groups and bad lines that are listed

/**
 * @typedef {object} Work
 * @property {number} lines
 * @property {number} boards
 * @property {number} size bytes of the input, 0 if unknown
 * @property {number} read characters read so far
 * @property {Map<string, number>} classes key → class
 * @property {Map<number, number[]>} members class → its lines, for classes with repeats
 * @property {number[]} firsts class → its first line
 * @property {string[]} unique pieces of the list without repeats
 * @property {Blob[]} saved the same, put away
 * @property {Blob[]} answers
 * @property {string[]} bad
 * @property {number} badCount
 * @property {string} task
 * @property {boolean} stopped
 */

/** @type {{now: Work | null, running: boolean, stop: boolean, cancel: (() => void) | null, fault: string, file: File | null}} */
const state = { now: null, running: false, stop: false, cancel: null, fault: "", file: null };

/** @param {Context} context */
export function list(context) {
  return fold(context, "listing", words.list, () => {
    const task = context.view.listTask ?? "group";
    return html`<p class="quiet">${words.listText}</p>
      ${choice({ label: words.listTask, options: words.tasks, value: task, onChange: (value) => context.set({ listTask: value }) })}
      <textarea class="field" aria-label=${words.listPaste} placeholder=${words.listPaste} .value=${context.view.listText ?? ""} @change=${(/** @type {any} */ e) => keep(context, e.target.value)}></textarea>
      <div class="row wrap">
        <label class="soft file">${state.file?.name ?? words.listFile}<input class="unseen" type="file" accept=".txt,.sdm,.csv,text/plain" @change=${(/** @type {any} */ e) => choose(context, e.target.files[0])}></label>
        ${state.running ? html`<button class="soft" @click=${stop}>${words.listStop}</button>` : html`<button class="main" @click=${(/** @type {any} */ e) => start(context, task, e.target.closest(".fold-body").querySelector("textarea").value)}>${words.listRun}</button>`}
      </div>
      ${result()}`;
  });
}

/** @param {Context} context @param {string} text */
function keep(context, text) {
  if (text.length < 100_000) context.set({ listText: text });
}

/** @param {Context} context @param {File | undefined} file */
export function choose(context, file) {
  state.file = file ?? null;
  context.redraw();
}

function stop() {
  state.stop = true;
  state.cancel?.();
}

/** What has come of it so far. */
function result() {
  const work = state.now;
  if (!work) return nothing;
  const grouped = work.task === "group";
  return html`<div class="list-result" role="status">
    ${state.running ? html`<progress max="1" .value=${work.size ? Math.min(1, work.read / work.size) : 0}></progress><p class="quiet">${words.listProgress(work.lines)}</p>` : nothing}
    ${work.stopped ? html`<p>${words.listStopped}</p>` : nothing}
    ${state.fault ? html`<p class="note risk">${state.fault}</p>` : nothing}
    ${
      state.running
        ? nothing
        : html`<p><b>${grouped ? words.listDone({ lines: work.lines, boards: work.boards, classes: work.firsts.length }) : words.listDoneOther(work)}</b></p>
      <div class="buttons">${grouped ? html`<button class="soft" @click=${() => save("unique.txt", [...work.saved, ...work.unique])}>${words.saveUnique}</button>` : nothing}
      <button class="soft" @click=${() => save(grouped ? "classes.txt" : "answers.txt", work.answers)}>${grouped ? words.saveClasses : words.saveAnswers}</button></div>`
    }
    ${groups(work)}
    ${work.badCount ? html`<p class="warn">${words.listBad(work.badCount)}</p><ul class="quiet">${work.bad.map((text) => html`<li>${text}</li>`)}</ul>` : nothing}
  </div>`;
}

/** @param {Work} work */
function groups(work) {
  const repeated = [...work.members.entries()];
  if (!repeated.length) return nothing;
  return html`<h3>${words.listEqual}</h3><ul class="who">${repeated.slice(0, SHOWN).map(
    ([k, rest]) =>
      html`<li>${words.listMembers(
        work.firsts[k] + 1,
        rest.map((n) => n + 1),
      )}</li>`,
  )}</ul>
    ${repeated.length > SHOWN ? html`<p class="quiet">${words.listMore(repeated.length - SHOWN)}</p>` : nothing}`;
}

/** @param {string} name @param {BlobPart[]} parts */
function save(name, parts) {
  download(name, new Blob(parts, { type: "text/plain" }));
}

/** @param {Context} context @param {string} task @param {string} text */
async function start(context, task, text) {
  const size = state.file?.size ?? text.length;
  const work = fresh(task, size);
  Object.assign(state, { now: work, running: true, stop: false, fault: "" });
  context.redraw();
  try {
    for await (const lines of pieces(state.file, text)) {
      await answer(context, work, lines);
      context.redraw();
      if (state.stop) break;
    }
  } catch (fault) {
    if (!state.stop) state.fault = /** @type {any} */ (fault).message ?? String(fault);
  }
  work.stopped = state.stop;
  state.running = false;
  state.cancel = null;
  context.redraw();
}

/** @param {string} task @param {number} size @returns {Work} */
function fresh(task, size) {
  return {
    task, size, lines: 0, boards: 0, read: 0, classes: new Map(), members: new Map(), firsts: [],
    unique: [], saved: [], answers: [], bad: [], badCount: 0, stopped: false,
  }; // biome-ignore format: a record
}

/** The lines of a file or a text, some thousands at a time. @param {File | null} file @param {string} text @returns {AsyncGenerator<string[]>} */
async function* pieces(file, text) {
  if (!file) {
    const lines = text.replace(/\n+$/, "").split("\n");
    for (let i = 0; i < lines.length; i += PIECE) yield lines.slice(i, i + PIECE);
    return;
  }
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  /** @type {string[]} */
  let waiting = [];
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    if (done && lines.at(-1) === "") lines.pop();
    waiting.push(...lines);
    while (waiting.length >= PIECE) {
      yield waiting.slice(0, PIECE);
      waiting = waiting.slice(PIECE);
    }
    if (done) break;
  }
  if (waiting.length) yield waiting;
}

/** @param {Context} context @param {Work} work @param {string[]} lines */
async function answer(context, work, lines) {
  const options = { lines, task: work.task };
  const job = context.ask({ want: "group", position: { box: boxOf(context.position) }, options });
  state.cancel = job.cancel;
  const found = await job.promise;
  for (const problem of found.problems) {
    work.badCount++;
    if (work.bad.length < SHOWN)
      work.bad.push(problem.text.replace(/^line \d+/, `line ${work.lines + problem.line}`));
  }
  if (work.task === "group") join(work, lines, found);
  else {
    work.boards += found.answers.filter(Boolean).length;
    work.answers.push(new Blob([`${found.answers.join("\n")}\n`]));
  }
  work.lines += lines.length;
  work.read += lines.reduce((sum, line) => sum + line.length + 1, 0);
}

/** @param {Work} work @param {string[]} lines @param {any} found */
function join(work, lines, found) {
  const numbers = found.keys.map((/** @type {string} */ key, /** @type {number} */ k) => {
    const known = work.classes.get(key);
    if (known !== undefined) return known;
    work.classes.set(key, work.firsts.length);
    work.firsts.push(work.lines + found.firsts[k]);
    return work.firsts.length - 1;
  });
  const out = found.classes.map((/** @type {number | null} */ k, /** @type {number} */ i) => {
    if (k === null) return "";
    work.boards++;
    const at = work.lines + i;
    if (work.firsts[numbers[k]] === at) work.unique.push(`${lines[i]}\n`);
    else if (work.members.has(numbers[k])) work.members.get(numbers[k])?.push(at);
    else if (work.members.size < 100_000) work.members.set(numbers[k], [at]);
    return numbers[k];
  });
  work.answers.push(new Blob([`${out.join("\n")}\n`]));
  work.saved.push(new Blob(work.unique));
  work.unique = [];
}
