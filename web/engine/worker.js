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
import { boot, CannotStart, PICTURES } from "./boot.js";

/** @typedef {import("../types/protocol.js").ToWorker} ToWorker */
/** @typedef {Extract<ToWorker, {type: "ask" | "bench" | "call"}>} Work */
/** @typedef {Record<string, ArrayBufferView<ArrayBuffer>>} Arrays by name */
/** @typedef {import("../types/protocol.js").ToPage & {arrays?: Arrays}} ToPage */
/** @typedef {{id: number, waits: boolean, shared: boolean, desk: string}} Job `shared`: other workers may do pieces of it */

/** @type {Job[]} the next to be answered last */
const open = [];
const LOADING = "Loading this desk";
const LOADING_PICTURES = "Downloading numpy, which reads pictures";
const READS_PICTURES = ["photo"]; // verbs
const STARTING = 500; // ms between two looks for a missing function, on which a start may wait for ever
const turns = new MessageChannel();
let turnAsked = false;

/** @type {import("./boot.js").Started} */
let python;
/** @type {import("./boot.js").JobRunner} */
let jobs;
/** @type {(module: WebAssembly.Module) => void} */
let takeRuntime;
/** @type {Promise<WebAssembly.Module>} which the page compiles */
const runtime = new Promise((resolve) => {
  takeRuntime = resolve;
});
/** @type {WebAssembly.Instance | undefined} Pyodide's */
let instance;
let ended = false; // a function was missing
/** @type {Set<number>} questions whose desk's modules are being fetched */
const fetching = new Set();

self.onmessage = ({ data }) => attempt(() => receive(data));
turns.port1.onmessage = () => {
  turnAsked = false;
  attempt(turn);
};

/** Whether Pyodide's module lacked a function that was called. */
const isMissed = () => /** @type {WebAssembly.Global | undefined} */ (instance?.exports.missed)?.value === 1;

// Pyodide reports a missing function as a fatal error of its own; the page replaces this worker instead.
const { error } = console;
console.error = (...said) => {
  if (!isMissed()) error.apply(console, said);
};

/** Run; an error of a missing function is reported as such. @param {() => unknown} run */
function attempt(run) {
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
    const report = (
      /** @type {string} */ name,
      /** @type {number} */ done,
      /** @type {number} */ total,
      /** @type {string} */ message,
    ) => post(/** @type {ToPage} */ ({ type: "phase", name, done, total, message }));
    const instantiated = (/** @type {WebAssembly.Instance} */ made) => {
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

/** @type {Set<string>} desks whose modules are imported */
const imported = new Set();

/** The page asks only after `Ready`. @param {ToWorker | {type: "runtime", module: WebAssembly.Module}} message */
function receive(message) {
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

/** Import a desk's modules, where nothing else is to be done. @param {string} desk */
function prepare(desk) {
  if (open.length || imported.has(desk)) return;
  post({ type: "pong" }); // silent from here until the desk is imported
  jobs.prepare(desk);
  imported.add(desk);
}

/** The desk whose modules that takes, and PICTURES if it reads one. @param {Work} message */
function partsOf(message) {
  if (message.type === "call") return [/^cluewise\.desks\.(\w+)/.exec(message.function)?.[1] ?? ""];
  const reads = message.type === "ask" && READS_PICTURES.includes(message.want);
  return reads ? [message.desk, PICTURES] : [message.desk];
}

/** Begin it once the modules it lacks are there. @param {Work} message @param {string[]} parts */
async function fetchFor(message, parts) {
  const { id } = message;
  fetching.add(id);
  try {
    for (const part of parts) {
      const note = part === PICTURES ? LOADING_PICTURES : LOADING;
      /** @param {number} done @param {number | null} total */
      const report = (done, total) => post({ type: "progress", id, done, total, note, best: null });
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

/** @param {Work} message */
function begin(message) {
  const shared = message.type === "ask" && (message.workers ?? 1) > 1;
  const desk = message.type === "ask" ? message.desk : "";
  const job = { id: jobs.begin(JSON.stringify(message)), waits: false, shared, desk };
  if (message.type === "ask" && message.in_turn) open.unshift(job);
  else open.push(job);
  askForTurn();
}

/** A worker is free for pieces of a question. @param {number} id */
function lend(id) {
  const job = open.find((one) => one.id === id);
  if (!job) return;
  jobs.lend(id);
  tell(job);
}

/** The result of a task. @param {import("../types/protocol.js").TaskDone} message */
function give(message) {
  const job = open.find((one) => one.id === message.id);
  if (!job) return;
  jobs.give(JSON.stringify(message));
  job.waits = false;
  askForTurn();
}

/** What a shared question has to say besides its progress. @param {Job} job */
function tell(job) {
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

/** @param {Job} job @param {ToPage} message */
function deliver(job, message) {
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

/** Copies of the arrays next to a result, each as the typed array of its typecode. @param {number} id */
function takeArrays(id) {
  /** @type {Record<string, ArrayBufferView<ArrayBuffer>>} */
  const arrays = {};
  const found = jobs.arrays(id);
  for (const name of found.keys()) {
    const item = /** @type {import("./boot.js").PyArray} */ (found.get(name));
    const buffer = item.getBuffer();
    arrays[name] = buffer.data.slice();
    buffer.release();
    item.destroy();
  }
  found.destroy();
  return arrays;
}

/** @param {Record<string, ArrayBufferView<ArrayBuffer>>} [arrays] */
function transferable(arrays = {}) {
  return Object.values(arrays).map((array) => array.buffer);
}

/** @param {number} id */
function close(id) {
  const at = open.findIndex((one) => one.id === id);
  if (at >= 0) open.splice(at, 1);
}

/** @param {ToPage} message @param {Transferable[]} [transfer] */
function post(message, transfer = []) {
  if (ended) return;
  ended = isMissed();
  if (ended) self.postMessage({ type: "missed" });
  else self.postMessage(message, { transfer });
}
