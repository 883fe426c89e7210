/**
 * The worker: starts Python, then runs the open questions in time slices of about 12 ms.
 *
 * The newest question runs first and suspends older ones; questions of a series run in their order when
 * there is no other. Messages are received between two slices, so that a cancel takes effect at once. No
 * state is kept between questions: terminating this worker loses only the running ones.
 *
 * Pyodide's module may lack functions (wasm_build/site/thin.mjs). After a call of one, the worker posts
 * only "missed", and the page starts another with the complete module.
 */

import { messageOf } from "../errors.js";
import type { TaskDone, ToPage as ToPageMessage, ToWorker } from "../types/protocol.js";
import type { JobRunner, PyArray, Started } from "./boot.js";
import { boot, CannotStart, PICTURES } from "./boot.js";

/** `arrays.text`: the option `text` as UTF-8 bytes */
type Work = Extract<ToWorker, { type: "ask" | "bench" | "call" }> & { arrays?: { text: Uint8Array } };
/** by name */
type Arrays = Record<string, ArrayBufferView<ArrayBuffer>>;
type ToPage = ToPageMessage & { arrays?: Arrays };
/** `waits`: for tasks of other workers; `shared`: other workers may compute tasks of it */
type Job = { id: number; waits: boolean; shared: boolean; desk: string };

/** the last one runs next */
const open: Job[] = [];
const LOADING = "Loading this desk";
const LOADING_PICTURES = "Downloading numpy, which reads pictures";
const READS_PICTURES = ["photo"]; // verbs
const CHECK_INTERVAL = 500; // ms between checks for a missing function, which may block a start
const slices = new MessageChannel();
let sliceDue = false;

let python: Started;
let jobs: JobRunner;
let takeRuntime: (module: WebAssembly.Module) => void;
/** compiled by the page */
const runtime: Promise<WebAssembly.Module> = new Promise((resolve) => {
  takeRuntime = resolve;
});
/** Pyodide's */
let instance: WebAssembly.Instance | undefined;
let ended = false; // a function was missing
/** questions that wait for the download of modules */
const fetching: Set<number> = new Set();

self.onmessage = ({ data }) => attempt(() => receive(data));
slices.port1.onmessage = () => {
  sliceDue = false;
  attempt(runSlice);
};

/** Whether a function was called that Pyodide's module lacks. */
const isMissed = () => (instance?.exports.missed as WebAssembly.Global | undefined)?.value === 1;

// Pyodide reports a missing function as a fatal error of its own; the page replaces this worker instead.
const { error } = console;
console.error = (...texts) => {
  if (!isMissed()) error.apply(console, texts);
};

/** Runs a step; an error caused by a missing function is reported by `post`. */
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
  const watch = setInterval(() => isMissed() && post({ type: "pong" }), CHECK_INTERVAL);
  try {
    const report = (name: string, done: number, total: number, message: string) =>
      post({ type: "phase", name, done, total, message } as ToPage);
    const instantiated = (made: WebAssembly.Instance) => {
      instance = made;
    };
    // The worker's name is the open desk.
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

/** The page sends questions only after `Ready`. */
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

/** Imports a desk's modules unless there are questions. */
function prepare(desk: string) {
  if (open.length || imported.has(desk)) return;
  post({ type: "pong" }); // silent from here until the desk is imported
  jobs.prepare(desk);
  imported.add(desk);
}

/** The modules that a message needs: its desk, and PICTURES if it reads one. */
function partsOf(message: Work) {
  if (message.type === "call") return [/^cluewise\.desks\.(\w+)/.exec(message.function)?.[1] ?? ""];
  const reads = message.type === "ask" && READS_PICTURES.includes(message.want);
  return reads ? [message.desk, PICTURES] : [message.desk];
}

/** Begins a question after downloading the modules that it lacks. */
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
    if (fetching.has(id)) post({ type: "fault", id, kind: "host", message: messageOf(problem), where: "$" });
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
  scheduleSlice();
}

function fill(array: PyArray, bytes: Uint8Array) {
  const buffer = array.getBuffer();
  buffer.data.set(bytes);
  buffer.release();
  array.destroy();
}

/** A free worker may compute tasks of a question. */
function lend(id: number) {
  const job = open.find((one) => one.id === id);
  if (!job) return;
  jobs.lend(id);
  postDue(job);
}

/** Takes the result of a task. */
function give(message: TaskDone) {
  const job = open.find((one) => one.id === message.id);
  if (!job) return;
  jobs.give(JSON.stringify(message));
  job.waits = false;
  scheduleSlice();
}

/** Posts the tasks of a shared question. */
function postDue(job: Job) {
  for (const message of JSON.parse(jobs.due(job.id))) {
    if (message.type === "waits") job.waits = true;
    else post(message);
  }
}

/** Runs one slice of the newest question that does not wait. */
function runSlice() {
  const job = open.findLast((one) => !one.waits);
  if (!job) return;
  if (job.desk && !imported.has(job.desk)) {
    post({ type: "progress", id: job.id, done: 0, total: null, note: LOADING, best: null });
    imported.add(job.desk); // by the first step
  }
  const text = jobs.step(job.id);
  if (text) deliver(job, JSON.parse(text));
  if (job.shared && open.includes(job)) postDue(job);
  scheduleSlice();
}

function scheduleSlice() {
  if (sliceDue || !open.some((one) => !one.waits)) return;
  sliceDue = true;
  slices.port2.postMessage(null);
}

function deliver(job: Job, message: ToPage) {
  if (message.type === "progress") return post(message);
  close(job.id);
  if (message.type === "result") message.arrays = takeArrays(job.id);
  post(
    message,
    Object.values(message.arrays ?? {}).map((array) => array.buffer),
  );
}

/** Copies the arrays of a result, each as the typed array of its typecode. */
function takeArrays(id: number) {
  const arrays: Arrays = {};
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
