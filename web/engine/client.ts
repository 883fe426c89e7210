/**
 * The page's side of the worker: asks questions, cancels them, and restarts a worker that fails or stays
 * silent. One module, because the states of the worker, of its start and of its questions depend on each
 * other.
 *
 *   const engine = createEngine({ onPhase: ({ name, done, total, message }) => … });
 *   const { promise, cancel } = engine.ask({ desk, want, position, options }, { onProgress });
 *   const { result, arrays } = await promise; // or a Fault with kind, message, where
 */

import { messageOf } from "../errors.js";
import type {
  Ask,
  Bench,
  Phase as PhaseMessage,
  Pong,
  Progress as ProgressMessage,
  Ready,
  RunTask,
  Task,
  TasksAvailable,
  ToPage as ToPageMessage,
  ToWorker,
} from "../types/protocol.js";
import type { Runtime } from "./download.js";
import { loadRuntime, RUNTIME, WHOLE_RUNTIME, whyNotRun } from "./download.js";
import { WorkerPool, workersOf } from "./pool.js";
import { TICK, Watchdog } from "./watchdog.js";

export type Phase = Omit<PhaseMessage, "type">;
export type Progress = Omit<ProgressMessage, "type" | "id">;
/** the worker adds arrays to a result */
type ToPage = (ToPageMessage & { arrays?: Arrays }) | { type: "missed" };
/** precomputed answers by question, or the name of the module that has one */
type Known = Record<string, string | { result: unknown; arrays: Record<string, [string, string]> }>;
/** `arrays.text`: the option `text` as UTF-8 bytes; the answer then has its own `text` among its arrays */
export type Question = Omit<Ask, "type" | "id" | "in_turn"> & { arrays?: { text: Uint8Array } };
/** by name */
export type Arrays = Record<string, ArrayLike<number>>;
/** any: the result of a desk's verb (desks/desk.d.ts) */
export type Answer = { result: any; arrays: Arrays };
interface Pending {
  /** posted, and posted again after a restart */
  message: Ask | Bench | RunTask;
  resolve: (answer: Answer) => void;
  reject: (fault: Fault) => void;
  onProgress: (progress: Progress) => void;
  /** the worker may be silent meanwhile: a bench row is one long call */
  isLong: boolean;
  /** its promise is settled; the worker has not confirmed the cancel yet */
  cancelled: boolean;
  /** workers that died during it */
  died: number;
  /** workers that were replaced for silence during it */
  silent: number;
}

const SLOW = 5000; // ms of silence until the page reports a slow device
const STILL_WORKING = "This device is slow; still working";
const MAX_SILENT = 2; // silent workers after which a question fails
const SANDBOX =
  "It needs a worker, which this frame forbids (sandbox without allow-same-origin). Open the page outside the frame.";
const SCRIPT = "engine/worker.js"; // bundled with its imports by the build
const REPORT_INTERVAL = 100; // ms between two reports of bytes
let whole = false; // a function was missing in a worker: all workers now get the complete module
const LOADING: Phase = { name: "loading", done: 0, total: 1, message: "Downloading Python" };

/** An error of a question: `kind` is "stopped", "host", "bad_position", …; `where` is a JSON path. */
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
 * @param parts `workers`: the most that share a question; `lazy`: fetches nothing before `begin`, `prepare`
 *   or a question
 */
export function createEngine({
  onPhase = () => {},
  workers = workersOf(navigator),
  watchdog = () => new Watchdog(),
  lazy = false,
}: {
  onPhase?: (phase: Phase) => void;
  workers?: number;
  watchdog?: () => Watchdog;
  lazy?: boolean;
} = {}) {
  const engine = new Engine(onPhase, workers, watchdog);
  if (!lazy) engine.begin();
  return engine;
}

class Engine {
  /** settles with the latest start */
  ready: Promise<{ desks: string[]; version: string }>;
  #worker: Worker | null = null;
  #state: "waiting" | "starting" | "ready" | "failed" = "waiting";
  #pending: Map<number, Pending> = new Map();
  #lastId = 0;
  #known: Record<string, Promise<Known>> = {};
  #desk = "";
  /** the worker's last report */
  #phase: Phase = LOADING;
  #runtime: Runtime | null = null;
  #watchdog;
  #ticker = 0;
  #onPhase;
  #workers;
  #pool: WorkerPool;
  #starting: {
    resolve: (facts: { desks: string[]; version: string }) => void;
    reject: (fault: Fault) => void;
  } = { resolve: () => {}, reject: () => {} };

  constructor(onPhase: (phase: Phase) => void, workers: number, watchdog: () => Watchdog) {
    this.#onPhase = onPhase;
    this.#workers = workers;
    this.#watchdog = watchdog();
    const openMember = () => {
      const engine = new Engine(() => {}, 1, watchdog);
      engine.#desk = this.#desk;
      engine.begin();
      return engine;
    };
    this.#pool = new WorkerPool(workers - 1, openMember, this, (message) => this.#post(message));
    this.ready = this.#newReady();
  }

  /** Starts Python unless it has been started. */
  begin() {
    if (this.#state === "waiting") this.#start();
  }

  ask(
    { desk, want, position, options = {} }: Question,
    handlers: { onProgress?: (progress: Progress) => void } = {},
  ) {
    const workers = this.#workers;
    return this.#send({ type: "ask", desk, want, position, options, workers }, { handlers, isLong: false });
  }

  /**
   * Asks a question of a series: the least loaded worker answers it, after the earlier ones of the series
   * and when it has no other question.
   */
  askInTurn(question: Question) {
    return this.#pool.ask(question);
  }

  /** Starts all workers for a long series. */
  gather() {
    this.#pool.gather();
  }

  /** Asks this worker a question of a series. */
  inTurn({ desk, want, position, options = {}, arrays }: Question) {
    const message = { type: "ask" as const, desk, want, position, options, in_turn: true, arrays };
    return this.#send(message, { handlers: {}, isLong: false });
  }

  /** Computes a task of another worker's question. */
  call(name: string, args: unknown[]) {
    return this.#send({ type: "call", function: name, arguments: args }, { handlers: {}, isLong: false });
  }

  /** Terminates the worker. */
  end() {
    this.#fail("It has ended.");
  }

  /** Runs benchmark rows of a desk in the worker, by default all. */
  bench(desk: string, rows: string[] = [], handlers = {}) {
    return this.#send({ type: "bench", desk, rows }, { handlers, isLong: true });
  }

  /** Loads a desk's modules before its first question. */
  prepare(desk: string) {
    this.#desk = desk;
    this.begin();
    if (this.#state === "ready") this.#post({ type: "prepare", desk });
    else this.#answersOf(desk);
  }

  /** Restarts the worker and asks the pending questions again. */
  restart() {
    this.#start();
  }

  #send(
    body: Omit<Ask, "id"> | Omit<Bench, "id"> | Omit<RunTask, "id">,
    { handlers, isLong }: { handlers: { onProgress?: (progress: Progress) => void }; isLong: boolean },
  ): { promise: Promise<Answer>; cancel: () => void } {
    const message = { ...body, id: ++this.#lastId };
    const promise: Promise<Answer> = new Promise((resolve, reject) => {
      const onProgress = handlers.onProgress ?? (() => {});
      this.#pending.set(message.id, {
        message,
        resolve,
        reject,
        onProgress,
        isLong,
        cancelled: false,
        died: 0,
        silent: 0,
      });
    });
    if (this.#state === "ready") this.#post(message);
    else {
      if (message.type === "ask") this.#answerFromBuild(message);
      if (this.#state === "failed") this.#start();
      else this.begin();
    }
    return { promise, cancel: () => this.#cancel(message.id) };
  }

  /** Answers a desk's first question from the answers precomputed by the build, without waiting for Python. */
  async #answerFromBuild({ id, desk, want, position, options }: Ask) {
    const signature = JSON.stringify([want, position, options]);
    let found = (await this.#answersOf(desk))[signature];
    if (typeof found === "string") found = (await this.#answersOf(found))[signature];
    const pending = this.#pending.get(id);
    if (!found || typeof found === "string" || !pending || pending.cancelled) return;
    this.#pending.delete(id);
    pending.resolve({ result: structuredClone(found.result), arrays: unpacked(found.arrays) });
  }

  /** @param name of a desk or of one of its examples */
  #answersOf(name: string): Promise<Known> {
    this.#known[name] ??= import(new URL(`./known/${name}.js`, import.meta.url).href).then(
      (module) => module.default,
      () => ({}), // Python answers instead
    );
    return this.#known[name];
  }

  #post(message: ToWorker) {
    if (this.#pending.size === 1) this.#watchdog.responded();
    if (message.type === "ask") this.#watchdog.asked(message.desk);
    this.#worker?.postMessage(message);
  }

  /** Settles the promise at once; the question stays pending until the worker confirms, so silence is noticed. */
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
    this.#watchdog.began();
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
    clearInterval(this.#ticker);
    this.#ticker = window.setInterval(() => this.#tick(), TICK);
  }

  /** Restarts with the complete module of Pyodide: a function is missing in the reduced one. */
  #startWhole() {
    whole = true;
    performance.mark("python_missed"); // read by tests
    console.info("Downloading the complete Pyodide: the reduced one lacks a function.");
    this.#start();
  }

  #newReady() {
    const ready: Promise<{ desks: string[]; version: string }> = new Promise((resolve, reject) => {
      this.#starting = { resolve, reject };
    });
    ready.catch(() => {}); // reported by onPhase; awaiting `ready` is optional
    return ready;
  }

  /** Posts the compiled module to the worker; its bytes count in the progress of the start. */
  async #giveRuntime(worker: Worker, runtime: Runtime) {
    this.#runtime = runtime;
    let last = 0;
    runtime.onBytes = () => {
      if (this.#state !== "starting" || performance.now() - last < REPORT_INTERVAL) return;
      last = performance.now();
      this.#reportPhase();
    };
    try {
      const module = await runtime.module;
      if (this.#worker === worker) worker.postMessage({ type: "runtime", module });
    } catch (problem) {
      if (this.#worker === worker && this.#state === "starting") this.#fail(messageOf(problem));
    }
  }

  #receive(message: ToPage) {
    this.#watchdog.responded();
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
    this.#reportPhase();
  }

  /** Reports the bytes of the worker and of the module that the page downloads for it. */
  #reportPhase() {
    const { name, message } = this.#phase;
    const { done, total } = this.#runtime ?? { done: 0, total: 0 };
    const phase = { name, done: this.#phase.done + done, total: this.#phase.total + total, message };
    this.#watchdog.phase(phase);
    this.#onPhase(phase);
  }

  #nowReady({ desks, version }: { desks: string[]; version: string }) {
    this.#state = "ready";
    this.#watchdog.ready();
    for (const [id, pending] of this.#pending) {
      if (pending.cancelled) this.#pending.delete(id);
      else this.#post(pending.message);
    }
    if (this.#desk) this.#post({ type: "prepare", desk: this.#desk });
    performance.mark("python_ready"); // read by `make bench`
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
    if ("desk" in pending.message && !stopped) this.#watchdog.answered(pending.message.desk);
    if (message.type === "result") pending.resolve({ result: message.result, arrays: message.arrays ?? {} });
    else pending.reject(new Fault(message));
  }

  #tick() {
    if (this.#state === "failed") return;
    const silence = this.#watchdog.tick();
    const busy = [...this.#pending.values()];
    const isLong = this.#pool.works || busy.some((one) => one.isLong && !one.cancelled);
    if (this.#state === "ready" && (!busy.length || isLong)) return this.#watchdog.responded();
    if (silence >= this.#watchdog.limit) return this.#wentSilent(silence);
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
      return this.#fail(`Python did not start: it did not respond for ${lengthOf(silence)}.`);
    this.#watchdog.restarted();
    for (const one of this.#pending.values()) one.silent++;
    this.#recover(
      (one) => one.silent >= MAX_SILENT,
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

  /** Restarts and asks the pending questions again, except those that `fails` rejects. */
  #recover(fails: (one: Pending) => boolean, why: string) {
    for (const [id, pending] of this.#pending) {
      if (!pending.cancelled && !fails(pending)) continue;
      this.#pending.delete(id);
      pending.reject(new Fault({ kind: "host", message: why }));
    }
    this.#start();
  }

  #fail(message: string) {
    this.#worker?.terminate();
    this.#worker = null;
    this.#state = "failed";
    clearInterval(this.#ticker);
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

/** Decodes arrays of the build. @param packed typecode and base64 of each */
function unpacked(packed: Record<string, [string, string]>) {
  return Object.fromEntries(
    Object.entries(packed).map(([name, [kind, text]]) => {
      const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
      return [name, new KINDS[kind](bytes.buffer)];
    }),
  );
}
