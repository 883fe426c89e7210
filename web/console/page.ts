/** The page of the console: prompt, log of results, notebooks, and the Python worker. */

import { whyNotRun } from "../engine/download.js";
import { current, follow as followAddress, pythonOf } from "../session/link.js";
import { applySettings, keep, recall } from "../session/store.js";
import { InputHistory } from "./input-history.js";
import { words } from "./strings.js";

const LONGEST_LOG = 600; // entries
const LARGEST_WHEEL = 50 * 2 ** 20;

const log = element("log");
const status = element("status");
const field = element("source") as HTMLTextAreaElement;
const buttons = {
  run: element("run"),
  stop: element("stop"),
  clear: element("clear"),
} as Record<string, HTMLButtonElement>;
const inputs = new InputHistory();

let worker: Worker;
export type State = "starting" | "ready" | "asking" | "running" | "failed";
let state = "starting" as State;
/** an input to run when Python is ready */
let waiting: string | null = null;
/** output element of the current input */
let printed: HTMLElement | null = null;
/** cells of the open notebook that were not offered yet */
let cells: Cell[] = [];

applySettings();
status.removeAttribute("data-why");
recall("console.inputs").then((stored) => inputs.restore(stored));
startWorker();
showExamples();
showNotebooks();
replace(pythonOf(current())); // a position from the page's link; it runs only when the user presses Run
followAddress((fragment) => replace(pythonOf(fragment) || field.value));

field.addEventListener("input", grow);
field.addEventListener("keydown", onKey);
buttons.run.addEventListener("click", () => enter(true));
buttons.stop.addEventListener("click", stop);
buttons.clear.addEventListener("click", () => {
  log.replaceChildren();
  field.focus();
});
element("wheel").addEventListener("change", (event: Event) => {
  const chosen = event.target as HTMLInputElement;
  receiveFiles([...(chosen.files ?? [])]);
  chosen.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  receiveFiles([...(event.dataTransfer?.files ?? [])]);
});

function startWorker() {
  worker?.terminate();
  printed = null;
  turn("starting", words.phases.loading);
  worker = boundWorker();
  worker.onmessage = ({ data }) => receive(data);
  worker.onerror = async (event) => {
    event.preventDefault();
    const why = (await whyNotRun("console/worker.js")) || event.message || "";
    turn("failed", `${words.phases.failed} ${why}`);
  };
}

/** @param message any: one of the messages that console/worker.js posts */
function receive(message: any) {
  if (message.type === "phase") phase(message);
  else if (message.type === "more") continued();
  else if (message.type === "begun") begun();
  else if (message.type === "out") print(message.text);
  else finished(message);
}

function phase({ name, message, bound }: { name: string; message: string; bound?: boolean }) {
  if (name === "failed") {
    turn("failed", message);
    write("fault", message);
  } else if (name === "ready") {
    turn("ready", `${words.welcome(message)} ${bound ? words.bound : words.unbound}`);
    if (waiting !== null) enter(true);
  } else status.textContent = words.phases[name];
}

function turn(next: State, text: string) {
  state = next;
  status.textContent = text;
  document.body.dataset.state = next;
  buttons.stop.hidden = next !== "running";
  buttons.run.hidden = next === "running";
  buttons.run.disabled = next === "failed";
  field.readOnly = next === "asking";
}

/** Runs the field's text, or begins another line. @param whole run it even if a block is open */
function enter(whole: boolean) {
  if (!field.value.trim()) return;
  if (state === "starting") {
    waiting = field.value;
    status.textContent = words.phases.starting;
    return;
  }
  if (state !== "ready") {
    status.textContent = state === "failed" ? status.textContent : words.busy;
    return;
  }
  waiting = null;
  turn("asking", status.textContent ?? "");
  worker.postMessage({ type: "enter", source: whole ? `${field.value.trimEnd()}\n` : field.value });
}

/** Adds a line, indented like the last one, because the source is incomplete. */
function continued() {
  turn("ready", "");
  const last = field.value.slice(0, field.selectionStart).split("\n").pop() ?? "";
  const deeper = last.trimEnd().endsWith(":") ? "    " : "";
  field.setRangeText(
    `\n${/^ */.exec(last)?.[0] ?? ""}${deeper}`,
    field.selectionStart,
    field.selectionEnd,
    "end",
  );
  grow();
}

function begun() {
  if (state === "asking") {
    const source = field.value.trimEnd();
    write("input", source);
    inputs.add(source);
    keep("console.inputs", inputs.stored());
    field.value = "";
    grow();
  }
  turn("running", words.running);
}

function print(text: string) {
  printed ??= write("printed", "");
  printed.append(text);
  follow();
}

function finished({
  type,
  value,
  text,
  drawing,
}: {
  type: string;
  value?: string;
  text?: string;
  drawing?: string;
}) {
  if (type === "fault") write("fault", text ?? "");
  else if (drawing) writeDrawing(drawing, value ?? "");
  else if (value !== undefined) write("value", value);
  printed = null;
  turn("ready", "");
  if (type !== "fault" && !field.value) offerCell();
  field.focus();
}

/** Opens a notebook: shows its first texts and puts its first code cell into the field, to be run by the user. */
function openNotebook(name: string, text: string) {
  const found = cellsOf(text);
  if (!found) {
    write("fault", words.notNotebook(name));
    return;
  }
  cells = found;
  write("note", words.opened(name, cells.filter((cell) => cell.kind === "code").length));
  offerCell();
  field.focus();
}

/** Shows the texts up to the next code cell and puts its source into the field. */
function offerCell() {
  for (let cell = cells.shift(); cell; cell = cells.shift()) {
    if (cell.kind === "code") {
      replace(cell.source);
      const left = cells.filter((one) => one.kind === "code").length;
      if (state === "ready") status.textContent = words.nextCell(left);
      return;
    }
    write("text", cell.source);
  }
}

async function receiveFiles(files: File[]) {
  const notebook = files.find((file) => file.name.endsWith(".ipynb"));
  if (notebook) openNotebook(notebook.name, await notebook.text());
  install(files.filter((file) => file !== notebook));
}

function stop() {
  write("note", words.stopped);
  startWorker();
  field.focus();
}

async function install(files: File[]) {
  if (!files.length) return;
  const bad = files.find((file) => !/^[\w.+!-]+-none-any\.whl$/.test(file.name));
  const large = files.find((file) => file.size > LARGEST_WHEEL);
  if (bad || large) {
    write("fault", bad ? words.notWheels(bad.name) : words.tooLarge(large?.name ?? ""));
    return;
  }
  if (state !== "ready") {
    status.textContent = words.busy;
    return;
  }
  write("note", words.installing(files.map((file) => file.name)));
  turn("running", words.running);
  const contents = await Promise.all(
    files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
  );
  worker.postMessage({ type: "wheels", files: contents });
}

/** Appends an entry to the log. */
function write(kind: string, text: string) {
  const entry = document.createElement("pre");
  entry.className = kind;
  entry.textContent = text;
  append(entry);
  return entry;
}

/** Appends a value with a drawing, such as a position; its text is the alternative text. */
function writeDrawing(svg: string, text: string) {
  const picture = document.createElement("img");
  picture.className = "drawing";
  picture.alt = text;
  picture.addEventListener("load", follow);
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  append(picture);
}

function append(entry: HTMLElement) {
  log.append(entry);
  while (log.childElementCount > LONGEST_LOG) log.firstElementChild?.remove();
  follow();
}

/** Scrolls to the newest entry. */
function follow() {
  log.scrollTop = log.scrollHeight;
}

function onKey(event: KeyboardEvent) {
  if (event.isComposing) return;
  const alone = field.selectionStart === field.selectionEnd;
  const before = field.value.slice(0, field.selectionStart);
  const after = field.value.slice(field.selectionEnd);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) enter(true);
  else if (event.key === "Enter" && !event.shiftKey && !after.trim()) enter(false);
  else if (event.key === "ArrowUp" && alone && !before.includes("\n")) replace(inputs.back(field.value));
  else if (event.key === "ArrowDown" && alone && !after.includes("\n")) replace(inputs.forth(field.value));
  else if (
    event.key === "Backspace" &&
    alone &&
    /(^|\n) {4,}$/.test(before) &&
    (before.length - before.lastIndexOf("\n") - 1) % 4 === 0
  )
    field.setRangeText("", before.length - 4, before.length, "end");
  else return;
  event.preventDefault();
}

function replace(text: string) {
  field.value = text;
  field.setSelectionRange(text.length, text.length);
  grow();
}

/** Fits the field's height to its text. */
function grow() {
  field.rows = Math.min(16, field.value.split("\n").length);
}

function showExamples() {
  for (const { title, source } of words.examples)
    addButton("examples", title, () => {
      cells = [];
      replace(source);
      field.focus();
    });
}

function showNotebooks() {
  for (const [desk, title] of Object.entries(words.notebooks))
    addButton("notebooks", title, async () => {
      const name = `${desk}.ipynb`;
      const found = await fetch(`docs/notebooks/${name}`).catch(() => null);
      if (found?.ok) openNotebook(name, await found.text());
      else write("fault", words.noNotebook(name));
    });
}

function addButton(list: string, title: string, act: () => void) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = title;
  button.addEventListener("click", act);
  const item = document.createElement("li");
  item.append(button);
  element(list).append(item);
}

/** @returns any: the element type in console.html */
function element(id: string): any {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/* Reading a Jupyter notebook (nbformat 4): its cells of text and of code, in order. */

const LARGEST = 5_000_000; // characters

export interface Cell {
  kind: "text" | "code";
  source: string;
}

/**
 * The cells that are not empty, or null if the text is not a notebook.
 *
 *     cellsOf('{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["6 * ", "7"]}]}')
 *     // [{ kind: "code", source: "6 * 7" }]
 */
export function cellsOf(text: string): Cell[] | null {
  let read: any; // any: whatever the file holds
  try {
    read = text.length > LARGEST ? null : JSON.parse(text);
  } catch {
    return null;
  }
  if (read?.nbformat !== 4 || !Array.isArray(read.cells)) return null;
  const cells: Cell[] = [];
  for (const cell of read.cells) {
    const source = Array.isArray(cell?.source) ? cell.source.join("") : cell?.source;
    if (typeof source !== "string" || !source.trim()) continue;
    cells.push({ kind: cell.cell_type === "code" ? "code" : "text", source: source.trimEnd() });
  }
  return cells;
}

/**
 * The console's worker, with this page's content security policy, which forbids other sites. A worker
 * normally has the policy in the HTTP header of its script, and many hosts send none; one created from a
 * blob inherits the page's on every host. The policy allows only blob workers, so their own workers
 * inherit it too. Static imports of a worker count as workers: its script is imported dynamically.
 */
function boundWorker() {
  const script = JSON.stringify(new URL("./worker.js", import.meta.url).href);
  const text = `import(${script}).catch((problem) => setTimeout(() => { throw problem; }));`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return new Worker(address, { type: "module" });
}
