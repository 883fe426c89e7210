/**
 * The page's side of the worker: ask, watch, cancel; restarts a worker that has gone silent. It is one module,
 * because the states of the worker, of its start and of its questions depend on each other.
 *
 *   const engine = createEngine({ onPhase: ({ name, done, total, message }) => … });
 *   const { promise, cancel } = engine.ask({ desk, want, position, options }, { onProgress });
 *   const { result, arrays } = await promise; // or a Fault with kind, message, where
 */

export type Phase = Omit<PhaseMessage, "type">;
export type Progress = Omit<import("../types/protocol.js").Progress, "type" | "id">;
/** the worker adds arrays to a result */
export type ToPage = (import("../types/protocol.js").ToPage & { arrays?: Arrays }) | { type: "missed" };
/** answers by question, or the name of the module that has one */
export type Known = Record<string, string | { result: unknown; arrays: Record<string, [string, string]> }>;
/** `arrays.text`: the option `text` as UTF-8 bytes; the answer then has its own among its arrays */
export type Question = Omit<Ask, "type" | "id" | "in_turn"> & { arrays?: { text: Uint8Array } };
/** by name */
export type Arrays = Record<string, ArrayLike<number>>;
/** any: what its desk's verb gives (desks/desk.d.ts) */
export type Answer = { result: any; arrays: Arrays };
export interface Pending {
  /** what to post, again after a restart */
  message: Ask | Bench | RunTask;
  resolve: (answer: Answer) => void;
  reject: (fault: Fault) => void;
  onProgress: (progress: Progress) => void;
  /** may keep the worker silent: a bench row is one long call */
  patient: boolean;
  /** its promise is settled; only the worker's word is awaited */
  cancelled: boolean;
  /** how often the worker died under it */
  died: number;
  /** how often the worker was replaced because it was silent */
  silent: number;
}

import type {
  Ask,
  Bench,
  Phase as PhaseMessage,
  Pong,
  Ready,
  RunTask,
  Task,
  TasksAvailable,
  ToWorker,
} from "../types/protocol.js";
import type { Runtime } from "./download.js";
import { loadRuntime, RUNTIME, WHOLE_RUNTIME, whyNotRun } from "./download.js";
import { Patience, TICK } from "./patience.js";
import { WorkerPool, workersOf } from "./pool.js";

const SLOW = 5000; // ms of silence after which the page says that the device is slow
const STILL_WORKING = "This device is slow; still working";
const MOST_SILENT = 2; // workers that may go silent under a question before it has to wait for a better time
const SANDBOX =
  "It needs a worker, which this frame forbids: it keeps the page apart from its own site (sandbox without allow-same-origin). Open the page by itself.";
const SCRIPT = "engine/worker.js"; // with all that it imports, where the build has made one file of it
const EVERY = 100; // ms between two reports of bytes
let whole = false; // a worker of this page has missed a function, so they all take the whole module
const LOADING: Phase = { name: "loading", done: 0, total: 1, message: "Downloading Python" };

/** An error with a name: `kind` is "stopped", "host", "bad_position", … ; `where` is a JSON path. */
export class Fault extends Error {
  name;
  kind;
  where;
  constructor({ kind, message, where = "$" }: { kind: string; message: string; where?: string }) {
    super(message);
    this.name = "Fault";
    this.kind = kind;
    this.where = where;
  }
}

/**
 * `workers`: how many may share the work of a question. `lazy`: nothing is fetched before `begin`,
 * `prepare` or a question.
 */
export function createEngine({
  onPhase = () => {},
  workers = workersOf(navigator),
  patience = () => new Patience(),
  lazy = false,
}: {
  onPhase?: (phase: Phase) => void;
  workers?: number;
  patience?: () => Patience;
  lazy?: boolean;
} = {}) {
  const engine = new Engine(onPhase, workers, patience);
  if (!lazy) engine.begin();
  return engine;
}

class Engine {
  /** settles with the newest start */
  ready: Promise<{ desks: string[]; version: string }>;
  #worker: Worker | null = null;
  #state: "waiting" | "starting" | "ready" | "failed" = "waiting";
  #pending: Map<number, Pending> = new Map();
  #lastId = 0;
  #known: Record<string, Promise<Known>> = {};
  #desk = "";
  /** what the worker said last */
  #phase: Phase = LOADING;
  #runtime: Runtime | null = null;
  #patience;
  #watch = 0;
  #onPhase;
  #workers;
  #pool: WorkerPool;
  #starting: {
    resolve: (facts: { desks: string[]; version: string }) => void;
    reject: (fault: Fault) => void;
  } = { resolve: () => {}, reject: () => {} };

  constructor(onPhase: (phase: Phase) => void, workers: number, patience: () => Patience) {
    this.#onPhase = onPhase;
    this.#workers = workers;
    this.#patience = patience();
    const alone = () => {
      const engine = new Engine(() => {}, 1, patience);
      engine.#desk = this.#desk;
      engine.begin();
      return engine;
    };
    this.#pool = new WorkerPool(workers - 1, alone, this, (message) => this.#post(message));
    this.ready = this.#newReady();
  }

  /** Start Python, unless that was done. */
  begin() {
    if (this.#state === "waiting") this.#start();
  }

  ask(
    { desk, want, position, options = {} }: Question,
    handlers: { onProgress?: (progress: Progress) => void } = {},
  ) {
    const workers = this.#workers;
    return this.#send({ type: "ask", desk, want, position, options, workers }, { handlers, patient: false });
  }

  /**
   * One of many questions that hang together: whichever worker has least to do answers it, after those
   * that were asked so before it, and when it has nothing else to answer.
   */
  askInTurn(question: Question) {
    return this.#pool.ask(question);
  }

  /** Such questions will come, many of them: have all workers ready. */
  gather() {
    this.#pool.gather();
  }

  /** The same, by this worker. */
  inTurn({ desk, want, position, options = {}, arrays }: Question) {
    const message = { type: "ask" as const, desk, want, position, options, in_turn: true, arrays };
    return this.#send(message, { handlers: {}, patient: false });
  }

  /** Do a piece of a question that another worker has. */
  call(name: string, args: unknown[]) {
    return this.#send({ type: "call", function: name, arguments: args }, { handlers: {}, patient: false });
  }

  /** No one will ask again. */
  end() {
    this.#fail("It was ended.");
  }

  /** Measure rows of a desk in the worker, all of them or those named. */
  bench(desk: string, rows: string[] = [], handlers = {}) {
    return this.#send({ type: "bench", desk, rows }, { handlers, patient: true });
  }

  /** Have that desk at hand before it is asked anything. */
  prepare(desk: string) {
    this.#desk = desk;
    this.begin();
    if (this.#state === "ready") this.#post({ type: "prepare", desk });
    else this.#answersOf(desk);
  }

  /** Start the worker anew; what is outstanding is asked again. */
  restart() {
    this.#start();
  }

  #send(
    body: Omit<Ask, "id"> | Omit<Bench, "id"> | Omit<RunTask, "id">,
    { handlers, patient }: { handlers: { onProgress?: (progress: Progress) => void }; patient: boolean },
  ): { promise: Promise<Answer>; cancel: () => void } {
    const message = { ...body, id: ++this.#lastId };
    const promise: Promise<Answer> = new Promise((resolve, reject) => {
      const onProgress = handlers.onProgress ?? (() => {});
      this.#pending.set(message.id, {
        message,
        resolve,
        reject,
        onProgress,
        patient,
        cancelled: false,
        died: 0,
        silent: 0,
      });
    });
    if (this.#state === "ready") this.#post(message);
    else {
      if (message.type === "ask") this.#fromTheBuild(message);
      if (this.#state === "failed") this.#start();
      else this.begin();
    }
    return { promise, cancel: () => this.#cancel(message.id) };
  }

  /** What a desk asks first has been answered by the build; Python is not waited for. */
  async #fromTheBuild({ id, desk, want, position, options }: Ask) {
    const signature = JSON.stringify([want, position, options]);
    let found = (await this.#answersOf(desk))[signature];
    if (typeof found === "string") found = (await this.#answersOf(found))[signature];
    const pending = this.#pending.get(id);
    if (!found || typeof found === "string" || !pending || pending.cancelled) return;
    this.#pending.delete(id);
    pending.resolve({ result: structuredClone(found.result), arrays: unpacked(found.arrays) });
  }

  /** @param name of a desk, or of an example of it */
  #answersOf(name: string): Promise<Known> {
    this.#known[name] ??= import(new URL(`./known/${name}.js`, import.meta.url).href).then(
      (module) => module.default,
      () => ({}), // then Python is waited for
    );
    return this.#known[name];
  }

  #post(message: ToWorker) {
    if (this.#pending.size === 1) this.#patience.heard();
    if (message.type === "ask") this.#patience.asked(message.desk);
    this.#worker?.postMessage(message);
  }

  /** The promise settles at once; the worker's own word for it keeps the watch going. */
  #cancel(id: number) {
    const pending = this.#pending.get(id);
    if (!pending || pending.cancelled) return;
    pending.cancelled = true;
    pending.reject(new Fault({ kind: "stopped", message: "Stopped." }));
    this.#pool.over(id);
    if (this.#state === "ready") this.#post({ type: "cancel", id });
    else this.#pending.delete(id);
  }

  #start() {
    this.#worker?.terminate();
    this.#pool.reset();
    const settled = this.#state === "ready" || this.#state === "failed";
    if (settled) this.ready = this.#newReady();
    this.#state = "starting";
    this.#patience.began();
    this.#phase = LOADING;
    queueMicrotask(() => this.#onPhase(LOADING)); // not before createEngine returns
    try {
      const runtime = loadRuntime(whole ? WHOLE_RUNTIME : RUNTIME);
      const address = new URL("./worker.js", import.meta.url);
      const worker = new Worker(address, { type: "module", name: this.#desk });
      worker.onmessage = ({ data }) => this.#receive(data);
      worker.onerror = (event) => this.#died(event);
      this.#worker = worker;
      this.#giveRuntime(worker, runtime);
    } catch (problem) {
      const why = self.origin === "null" ? SANDBOX : `This browser did not start a worker (${problem}).`;
      queueMicrotask(() => this.#fail(why)); // not before createEngine returns
    }
    clearInterval(this.#watch);
    this.#watch = window.setInterval(() => this.#tick(), TICK);
  }

  /** A question, or the start, needs a part of Pyodide that most never need: start again with all of it. */
  #startWhole() {
    whole = true;
    performance.mark("python_missed"); // what the tests know it by
    console.info("Fetching the whole of Pyodide: a function is missing in the part that was fetched.");
    this.#start();
  }

  #newReady() {
    const ready: Promise<{ desks: string[]; version: string }> = new Promise((resolve, reject) => {
      this.#starting = { resolve, reject };
    });
    ready.catch(() => {}); // onPhase has reported; waiting for `ready` is optional
    return ready;
  }

  /** Hand the module over when it is compiled; its bytes count among those of the start. */
  async #giveRuntime(worker: Worker, runtime: Runtime) {
    this.#runtime = runtime;
    let last = 0;
    runtime.onBytes = () => {
      if (this.#state !== "starting" || performance.now() - last < EVERY) return;
      last = performance.now();
      this.#bytes();
    };
    try {
      const module = await runtime.module;
      if (this.#worker === worker) worker.postMessage({ type: "runtime", module });
    } catch (problem) {
      if (this.#worker === worker && this.#state === "starting")
        this.#fail(problem instanceof Error ? problem.message : String(problem));
    }
  }

  #receive(message: ToPage) {
    this.#patience.heard();
    if (message.type === "pong") return;
    if (message.type === "missed") return this.#startWhole();
    if (message.type === "phase") this.#changePhase(message);
    else if (message.type === "ready") this.#nowReady(message);
    else if (message.type === "shares") this.#shares(message.id);
    else if (message.type === "piece") this.#pool.piece(message);
    else this.#settle(message);
  }

  #changePhase(phase: PhaseMessage) {
    if (phase.name === "failed") return this.#fail(phase.message);
    this.#phase = phase;
    this.#bytes();
  }

  /** Report the bytes of the worker and of the module that the page fetches for it. */
  #bytes() {
    const { name, message } = this.#phase;
    const { done, total } = this.#runtime ?? { done: 0, total: 0 };
    const phase = { name, done: this.#phase.done + done, total: this.#phase.total + total, message };
    this.#patience.phase(phase);
    this.#onPhase(phase);
  }

  #nowReady({ desks, version }: { desks: string[]; version: string }) {
    this.#state = "ready";
    this.#patience.ready();
    for (const [id, pending] of this.#pending) {
      if (pending.cancelled) this.#pending.delete(id);
      else this.#post(pending.message);
    }
    if (this.#desk) this.#post({ type: "prepare", desk: this.#desk });
    performance.mark("python_ready"); // what `make bench` measures the start by
    this.#onPhase({ name: "ready", done: 1, total: 1, message: "" });
    this.#starting.resolve({ desks, version });
  }

  #shares(id: number) {
    if (this.#pending.get(id)?.cancelled === false) this.#pool.shares(id);
  }

  #settle(
    message: Exclude<ToPage, { type: "missed" } | PhaseMessage | Ready | TasksAvailable | Task | Pong>,
  ) {
    const pending = this.#pending.get(message.id);
    if (!pending) return;
    if (message.type === "progress") {
      const { done, total, note, best } = message;
      if (!pending.cancelled) pending.onProgress({ done, total, note, best });
      return;
    }
    this.#pending.delete(message.id);
    this.#pool.over(message.id);
    const stopped = message.type === "fault" && message.kind === "stopped";
    if ("desk" in pending.message && !stopped) this.#patience.answered(pending.message.desk);
    if (message.type === "result") pending.resolve({ result: message.result, arrays: message.arrays ?? {} });
    else pending.reject(new Fault(message));
  }

  #tick() {
    if (this.#state === "failed") return;
    const silence = this.#patience.tick();
    const busy = [...this.#pending.values()];
    const patient = this.#pool.works || busy.some((one) => one.patient && !one.cancelled);
    if (this.#state === "ready" && (!busy.length || patient)) return this.#patience.heard();
    if (silence >= this.#patience.limit) return this.#wentSilent(silence);
    if (this.#state !== "ready") return;
    if (silence > TICK) this.#worker?.postMessage({ type: "ping" });
    if (silence < SLOW) return;
    for (const one of busy) {
      if (!one.cancelled) one.onProgress({ done: 0, total: null, note: STILL_WORKING, best: null });
    }
  }

  /** @param silence ms */
  #wentSilent(silence: number) {
    if (this.#state === "starting")
      return this.#fail(`Python did not start: nothing was heard from it for ${lengthOf(silence)}.`);
    this.#patience.restarted();
    for (const one of this.#pending.values()) one.silent++;
    this.#recover(
      (one) => one.silent >= MOST_SILENT,
      `This device is slow: there was no answer within ${lengthOf(silence)}.`,
    );
  }

  async #died(event: ErrorEvent) {
    event.preventDefault();
    if (this.#state === "ready") {
      for (const one of this.#pending.values()) one.died++;
      const why = `This question stopped the worker twice. ${event.message ?? ""}`.trim();
      return this.#recover((one) => one.died > 1, why);
    }
    const worker = this.#worker;
    const why = (await whyNotRun(SCRIPT)) || event.message || "The worker's script did not run.";
    if (this.#worker === worker && this.#state === "starting") this.#fail(why);
  }

  /** Start a new worker and ask it what is pending, without the questions for which there were enough. */
  #recover(enough: (one: Pending) => boolean, why: string) {
    for (const [id, pending] of this.#pending) {
      if (!pending.cancelled && !enough(pending)) continue;
      this.#pending.delete(id);
      pending.reject(new Fault({ kind: "host", message: why }));
    }
    this.#start();
  }

  #fail(message: string) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#state = "failed";
    clearInterval(this.#watch);
    this.#pool.reset();
    const fault = new Fault({ kind: "host", message });
    for (const pending of this.#pending.values()) pending.reject(fault);
    this.#pending.clear();
    this.#starting.reject(fault);
    this.#onPhase({ name: "failed", done: 0, total: 1, message });
  }
}

function lengthOf(ms: number) {
  const seconds = Math.round(ms / 1000);
  if (seconds === 60) return "a minute";
  return seconds % 60 ? `${seconds} seconds` : `${seconds / 60} minutes`;
}

const KINDS: Record<string, new (buffer: ArrayBuffer) => ArrayLike<number>> = {
  b: Int8Array,
  B: Uint8Array,
  h: Int16Array,
  H: Uint16Array,
  i: Int32Array,
  I: Uint32Array,
  f: Float32Array,
  d: Float64Array,
};

/** Arrays as the worker would send them. @param packed a typecode and base64 each */
function unpacked(packed: Record<string, [string, string]>) {
  return Object.fromEntries(
    Object.entries(packed).map(([name, [kind, text]]) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      return [name, new KINDS[kind](bytes.buffer)];
    }),
  );
}
