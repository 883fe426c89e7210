/**
 * The worker: boots Python, then gives turns to the questions that are open.
 *
 * The newest question goes first; an older one is suspended while a newer one runs. Questions that
 * are asked in turn are answered in the order they came, when there is no other. Between two turns of
 * some 12 ms messages come in, so that a cancel is seen at once. Nothing is kept from one question
 * to the next: killing this worker loses only the work under way.
 */
import { boot, CannotStart } from "./boot.js";

/** @typedef {import("../types/protocol.js").ToWorker} ToWorker */
/** @typedef {Record<string, ArrayBufferView<ArrayBuffer>>} Arrays by name */
/** @typedef {import("../types/protocol.js").ToPage & {arrays?: Arrays}} ToPage */
/** @typedef {{id: number, waits: boolean, shared: boolean, desk: string}} Job `shared`: other workers may do pieces of it */

/** @type {Job[]} the next to be answered last */
const open = [];
const turns = new MessageChannel();
let turnAsked = false;

/** @type {import("./boot.js").JobRunner} */
let jobs;

self.onmessage = ({ data }) => receive(data);
turns.port1.onmessage = () => {
  turnAsked = false;
  turn();
};

start();

async function start() {
  try {
    const begun = await boot((name, done, total, message) => {
      post({ type: "phase", name, done, total, message });
    });
    jobs = begun.jobs;
    post(JSON.parse(begun.ready));
  } catch (problem) {
    const message = problem instanceof CannotStart ? problem.message : `Python did not start (${problem}).`;
    post({ type: "phase", name: "failed", done: 0, total: 1, message });
  }
}

/** @type {Set<string>} desks whose modules are imported */
const imported = new Set();

/** The page asks only after `Ready`. @param {ToWorker} message */
function receive(message) {
  if (message.type === "ping") return post({ type: "pong" });
  if (message.type === "prepare") {
    if (open.length || imported.has(message.desk)) return;
    post({ type: "pong" }); // silent from here until the desk is imported
    jobs.prepare(message.desk);
    imported.add(message.desk);
    return;
  }
  if (message.type === "cancel") {
    const fault = jobs.cancel(message.id);
    close(message.id);
    if (fault) post(JSON.parse(fault));
    return;
  }
  if (message.type === "hand") return lend(message.id);
  if (message.type === "given") return give(message);
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
    post({ type: "progress", id: job.id, done: 0, total: null, note: "Loading this desk", best: null });
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
  self.postMessage(message, { transfer });
}
