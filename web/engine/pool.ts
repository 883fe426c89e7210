/**
 * A pool of workers next to the first one, for questions that the first worker splits into tasks, and for
 * series of questions.
 *
 * Tasks: the first worker reports that a question has some ("shares"); each free member is lent to the
 * newest such question, computes one task, returns its result, and is free again.
 *
 * Series: each question goes as a whole to the worker with the fewest, including the first one. A worker
 * has up to two at a time, so that it never waits for the next.
 *
 * The pool starts once shared work has taken START_AFTER, and is closed after CLOSE_AFTER without any.
 */

import { messageOf } from "../errors.js";
import type { Task, ToWorker } from "../types/protocol.js";
import type { Answer, Question } from "./client.js";

export type Job = { promise: Promise<Answer>; cancel: () => void };
/** a worker with its own Python (engine/client.ts) */
interface PoolEngine {
  ready: Promise<unknown>;
  call: (name: string, args: unknown[]) => Job;
  inTurn: (question: Question) => Job;
  end: () => void;
}
/** `load`: questions of series that it has */
type SeriesWorker = { engine: Pick<PoolEngine, "inTurn">; load: number };
/** `lent`: the id of a question, or 0 */
type Member = SeriesWorker & { engine: PoolEngine; ready: boolean; lent: number; job: Job | null };
type SeriesQuestion = {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
  job: Job | null;
};

const MAX_WORKERS = 4;
const UNKNOWN_MEMORY = 2; // workers, if the browser does not report the device's memory
const LEAST_MEMORY = 4; // GB; each worker takes about 150 MB
const START_AFTER = 300; // ms of shared work before the pool starts, which takes a second
const CLOSE_AFTER = 60_000; // ms
const MAX_LOAD = 2; // one question at work, one waiting
const SERIES = -1; // id of all series together among the questions with tasks

/** The number of workers for this device, including the first one. */
export function workersOf({
  hardwareConcurrency: cores = 1,
  deviceMemory: memory,
}: {
  hardwareConcurrency?: number;
  deviceMemory?: number;
}) {
  if (memory !== undefined && memory < LEAST_MEMORY) return 1;
  return Math.max(1, Math.min(cores, memory === undefined ? UNKNOWN_MEMORY : MAX_WORKERS));
}

export class WorkerPool {
  #members: Member[] = [];
  #first: SeriesWorker;
  /** questions of series without a worker */
  #queue: SeriesQuestion[] = [];
  /** start times of the questions with tasks, by id, the newest last */
  #sharing: Map<number, number> = new Map();
  #sharedTime = 0; // ms of shared work since the pool was last idle
  #refused = false;
  #start: ReturnType<typeof setTimeout> | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;
  #size;
  #open;
  #post;

  /**
   * @param size workers next to the first one
   * @param open starts one
   * @param post sends a message to the first worker
   */
  constructor(
    size: number,
    open: () => PoolEngine,
    first: Pick<PoolEngine, "inTurn">,
    post: (message: ToWorker) => void,
  ) {
    this.#size = size;
    this.#open = open;
    this.#first = { engine: first, load: 0 };
    this.#post = post;
  }

  /** Whether a task is running: then the first worker may be silent. */
  get works() {
    return this.#members.some((one) => one.job);
  }

  /** Starts the members now for a long series. */
  gather() {
    if (this.#refused || this.#members.length) return;
    this.#fill();
    if (!this.#sharing.size) this.#waitForWork();
  }

  /** Asks a question of a series. */
  ask(question: Question): Job {
    let queued: SeriesQuestion;
    const promise: Promise<Answer> = new Promise((resolve, reject) => {
      queued = { question, resolve, reject, job: null };
      this.#queue.push(queued);
    });
    if (!this.#sharing.has(SERIES)) this.shares(SERIES);
    this.#assign();
    return { promise, cancel: () => this.#cancel(queued) };
  }

  /** A question has tasks for members. */
  shares(id: number) {
    clearTimeout(this.#end);
    this.#sharing.set(id, performance.now());
    if (this.#members.length) this.#lend();
    else if (!this.#refused && this.#sharing.size === 1)
      this.#start = setTimeout(() => this.#fill(), Math.max(0, START_AFTER - this.#sharedTime));
  }

  /** Has a lent member compute a task. */
  async piece({ id, number, function: name, arguments: args }: Task) {
    const member = this.#members.find((one) => one.lent === id && !one.job);
    if (!member) {
      this.#post({ type: "given", id, number, error: "Its worker has ended." });
      return;
    }
    const job = member.engine.call(name, args);
    member.job = job;
    const outcome = await job.promise.then(
      ({ result }) => ({ value: result }),
      (problem) => ({ error: messageOf(problem) }),
    );
    if (member.job !== job) return; // the question has ended
    member.job = null;
    member.lent = 0;
    this.#post({ type: "given", id, number, ...outcome });
    this.#lend();
  }

  /** A question has ended: answered, failed or cancelled. */
  over(id: number) {
    const began = this.#sharing.get(id);
    if (began === undefined) return;
    this.#sharing.delete(id);
    this.#sharedTime += performance.now() - began;
    for (const member of this.#members) if (member.lent === id) release(member);
    if (this.#sharing.size) return this.#lend();
    clearTimeout(this.#start);
    this.#waitForWork();
  }

  /** Ends all questions with tasks: the first worker restarts. */
  reset() {
    for (const id of [...this.#sharing.keys()]) if (id !== SERIES) this.over(id);
  }

  #fill() {
    while (this.#members.length < this.#size) {
      const member = { engine: this.#open(), load: 0, ready: false, lent: 0, job: null };
      this.#members.push(member);
      member.engine.ready.then(
        () => {
          member.ready = true;
          this.#lend();
          this.#assign();
        },
        () => {
          this.#refused ||= this.#members.includes(member); // the first worker computes alone
          this.#members = this.#members.filter((one) => one !== member);
        },
      );
    }
  }

  /** Lends every free member to the newest question with tasks. */
  #lend() {
    const id = [...this.#sharing.keys()].findLast((one) => one !== SERIES);
    if (id === undefined) return;
    for (const member of this.#members) {
      if (!member.ready || member.lent) continue;
      member.lent = id;
      this.#post({ type: "hand", id });
    }
  }

  /** Assigns queued questions to the least loaded workers, up to MAX_LOAD each. */
  #assign() {
    while (this.#queue.length) {
      const workers = [this.#first, ...this.#members.filter((one) => one.ready)];
      const worker = workers.reduce((a, b) => (b.load < a.load ? b : a));
      if (worker.load >= MAX_LOAD) return;
      const next = this.#queue.shift() as SeriesQuestion;
      worker.load++;
      next.job = worker.engine.inTurn(next.question);
      next.job.promise
        .then(next.resolve, (fault) => this.#failed(next, worker, fault))
        .then(() => {
          worker.load--;
          this.#assign();
          this.#endSeries();
        });
    }
  }

  /** Queues the question of a member that has ended again; rejects it for any other fault. */
  #failed(queued: SeriesQuestion, worker: SeriesWorker, fault: unknown) {
    const member = this.#members.find((one) => one === worker);
    if ((fault as { kind?: string })?.kind !== "host" || worker === this.#first) return queued.reject(fault);
    queued.job = null;
    this.#queue.unshift(queued);
    if (!member) return;
    this.#members = this.#members.filter((one) => one !== worker);
    member.engine.end();
  }

  #cancel(queued: SeriesQuestion) {
    const at = this.#queue.indexOf(queued);
    if (at >= 0) this.#queue.splice(at, 1);
    if (queued.job) queued.job.cancel();
    else queued.reject({ kind: "stopped", message: "Stopped.", where: "$" });
    this.#endSeries();
  }

  /** Ends the series once none of its questions is open. */
  #endSeries() {
    if (![this.#first, ...this.#members].some((one) => one.load) && !this.#queue.length) this.over(SERIES);
  }

  #waitForWork() {
    this.#end = setTimeout(() => {
      for (const member of this.#members.splice(0)) member.engine.end();
      this.#sharedTime = 0;
    }, CLOSE_AFTER);
  }
}

function release(member: Member) {
  const job = member.job;
  member.job = null;
  member.lent = 0;
  job?.cancel();
}
