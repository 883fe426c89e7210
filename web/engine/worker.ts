/**
 * The worker: boots Python, then gives turns to the questions that are open.
 *
 * The newest question goes first; an older one is suspended while a newer one runs. Questions that
 * are asked in turn are answered in the order they came, when there is no other. Between two turns of
 * some 12 ms messages come in, so that a cancel is seen at once. Nothing is kept from one question
 * to the next: killing this worker loses only the work under way.
 *
 * Pyodide's module may lack functions (wasm_build/site/thin.mjs). Once one of them was called, nothing
 * that this worker computes is posted any more, only that it was: the page then starts another.
 */

import type { TaskDone, ToWorker } from "../types/protocol.js";
import type { JobRunner, PyArray, Started } from "./boot.js";
import { boot, CannotStart, PICTURES } from "./boot.js";

/** `arrays.text`: the option `text` as UTF-8 bytes */
export type Work = Extract<ToWorker, { type: "ask" | "bench" | "call" }> & { arrays?: { text: Uint8Array } };
/** by name */
export type Arrays = Record<string, ArrayBufferView<ArrayBuffer>>;
export type ToPage = import("../types/protocol.js").ToPage & { arrays?: Arrays };
/** `shared`: other workers may do pieces of it */
export type Job = { id: number; waits: boolean; shared: boolean; desk: string };

/** the next to be answered last */
const open: Job[] = [];
const LOADING = "Loading this desk";
const LOADING_PICTURES = "Downloading numpy, which reads pictures";
const READS_PICTURES = ["photo"]; // verbs
const STARTING = 500; // ms between two looks for a missing function, on which a start may wait for ever
const turns = new MessageChannel();
let turnAsked = false;

let python: Started;
let jobs: JobRunner;
let takeRuntime: (module: WebAssembly.Module) => void;
/** which the page compiles */
const runtime: Promise<WebAssembly.Module> = new Promise((resolve) => {
  takeRuntime = resolve;
});
/** Pyodide's */
let instance: WebAssembly.Instance | undefined;
let ended = false; // a function was missing
/** questions whose desk's modules are being fetched */
const fetching: Set<number> = new Set();

self.onmessage = ({ data }) => attempt(() => receive(data));
turns.port1.onmessage = () => {
  turnAsked = false;
  attempt(turn);
};

/** Whether Pyodide's module lacked a function that was called. */
const isMissed = () => (instance?.exports.missed as WebAssembly.Global | undefined)?.value === 1;

// Pyodide reports a missing function as a fatal error of its own; the page replaces this worker instead.
const { error } = console;
console.error = (...said) => {
  if (!isMissed()) error.apply(console, said);
};

/** Run; an error of a missing function is reported as such. */
function attempt(run: () => unknown) {
  try {
    run();
  } catch (problem) {
    if (!isMissed()) throw problem;
    post({ type: "pong" });
  }
}

start();

async function start() {
  const watch = setInterval(() => isMissed() && post({ type: "pong" }), STARTING);
  try {
    const report = (name: string, done: number, total: number, message: string) =>
      post({ type: "phase", name, done, total, message } as ToPage);
    const instantiated = (made: WebAssembly.Instance) => {
      instance = made;
    };
    // The page names the worker by the open desk.
    python = await boot(report, { runtime, desk: self.name, instantiated });
    jobs = python.jobs;
    post(JSON.parse(python.ready));
  } catch (problem) {
    const message = problem instanceof CannotStart ? problem.message : `Python did not start (${problem}).`;
    post({ type: "phase", name: "failed", done: 0, total: 1, message });
  }
  clearInterval(watch);
}

/** desks whose modules are imported */
const imported: Set<string> = new Set();

/** The page asks only after `Ready`. */
function receive(message: ToWorker | { type: "runtime"; module: WebAssembly.Module }) {
  if (message.type === "runtime") return takeRuntime(message.module);
  if (message.type === "ping") return post({ type: "pong" });
  if (message.type === "prepare") {
    if (python.lacks(message.desk))
      return void python
        .install(message.desk, () => {})
        .then(
          () => attempt(() => prepare(message.desk)),
          () => {},
        );
    return prepare(message.desk);
  }
  if (message.type === "cancel") {
    if (fetching.delete(message.id))
      return post({ type: "fault", id: message.id, kind: "stopped", message: "Stopped.", where: "$" });
    const fault = jobs.cancel(message.id);
    close(message.id);
    if (fault) post(JSON.parse(fault));
    return;
  }
  if (message.type === "hand") return lend(message.id);
  if (message.type === "given") return give(message);
  const lacking = partsOf(message).filter(python.lacks);
  if (lacking.length) return void fetchFor(message, lacking);
  begin(message);
}

/** Import a desk's modules, where nothing else is to be done. */
function prepare(desk: string) {
  if (open.length || imported.has(desk)) return;
  post({ type: "pong" }); // silent from here until the desk is imported
  jobs.prepare(desk);
  imported.add(desk);
}

/** The desk whose modules that takes, and PICTURES if it reads one. */
function partsOf(message: Work) {
  if (message.type === "call") return [/^cluewise\.desks\.(\w+)/.exec(message.function)?.[1] ?? ""];
  const reads = message.type === "ask" && READS_PICTURES.includes(message.want);
  return reads ? [message.desk, PICTURES] : [message.desk];
}

/** Begin it once the modules it lacks are there. */
async function fetchFor(message: Work, parts: string[]) {
  const { id } = message;
  fetching.add(id);
  try {
    for (const part of parts) {
      const note = part === PICTURES ? LOADING_PICTURES : LOADING;
      const report = (done: number, total: number | null) => {
        if (fetching.has(id)) post({ type: "progress", id, done, total, note, best: null });
      };
      report(0, null);
      await python.install(part, report);
    }
    if (fetching.has(id)) attempt(() => begin(message));
  } catch (problem) {
    const why = problem instanceof Error ? problem.message : String(problem);
    if (fetching.has(id)) post({ type: "fault", id, kind: "host", message: why, where: "$" });
  }
  fetching.delete(id);
}

function begin({ arrays, ...message }: Work) {
  if (arrays) fill(jobs.text_buffer(arrays.text.length), arrays.text);
  const shared = message.type === "ask" && (message.workers ?? 1) > 1;
  const desk = message.type === "ask" ? message.desk : "";
  const job = { id: jobs.begin(JSON.stringify(message)), waits: false, shared, desk };
  if (message.type === "ask" && message.in_turn) open.unshift(job);
  else open.push(job);
  askForTurn();
}

function fill(array: PyArray, bytes: Uint8Array) {
  const buffer = array.getBuffer();
  buffer.data.set(bytes);
  buffer.release();
  array.destroy();
}

/** A worker is free for pieces of a question. */
function lend(id: number) {
  const job = open.find((one) => one.id === id);
  if (!job) return;
  jobs.lend(id);
  tell(job);
}

/** The result of a task. */
function give(message: TaskDone) {
  const job = open.find((one) => one.id === message.id);
  if (!job) return;
  jobs.give(JSON.stringify(message));
  job.waits = false;
  askForTurn();
}

/** What a shared question has to say besides its progress. */
function tell(job: Job) {
  for (const message of JSON.parse(jobs.due(job.id))) {
    if (message.type === "waits") job.waits = true;
    else post(message);
  }
}

/** One turn of the first question that can run. */
function turn() {
  const job = open.findLast((one) => !one.waits);
  if (!job) return;
  if (job.desk && !imported.has(job.desk)) {
    post({ type: "progress", id: job.id, done: 0, total: null, note: LOADING, best: null });
    imported.add(job.desk); // by its first step
  }
  const text = jobs.step(job.id);
  if (text) deliver(job, JSON.parse(text));
  if (job.shared && open.includes(job)) tell(job);
  askForTurn();
}

function askForTurn() {
  if (turnAsked || !open.some((one) => !one.waits)) return;
  turnAsked = true;
  turns.port2.postMessage(null);
}

function deliver(job: Job, message: ToPage) {
  if (message.type === "progress") {
    post(message);
    return;
  }
  close(job.id);
  if (message.type === "result") {
    message.arrays = takeArrays(job.id);
  }
  post(message, transferable(message.arrays));
}

/** Copies of the arrays next to a result, each as the typed array of its typecode. */
function takeArrays(id: number) {
  const arrays: Record<string, ArrayBufferView<ArrayBuffer>> = {};
  const found = jobs.arrays(id);
  for (const name of found.keys()) {
    const item = found.get(name) as PyArray;
    const buffer = item.getBuffer();
    arrays[name] = buffer.data.slice();
    buffer.release();
    item.destroy();
  }
  found.destroy();
  return arrays;
}

function transferable(arrays: Record<string, ArrayBufferView<ArrayBuffer>> = {}) {
  return Object.values(arrays).map((array) => array.buffer);
}

function close(id: number) {
  const at = open.findIndex((one) => one.id === id);
  if (at >= 0) open.splice(at, 1);
}

function post(message: ToPage, transfer: Transferable[] = []) {
  if (ended) return;
  ended = isMissed();
  if (ended) self.postMessage({ type: "missed" });
  else self.postMessage(message, { transfer });
}
