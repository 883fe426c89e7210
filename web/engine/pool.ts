/**
 * Workers next to the first one, for questions whose work falls into pieces, and for many questions
 * that hang together.
 *
 * The first worker says that a question has pieces; then a free worker of the pool is lent to it,
 * gets a piece, brings its result, and may be lent again. A question that is newer goes first.
 *
 * Questions that are asked in turn need no such go-between: each goes whole to the worker that has
 * least to do, the first one among them. Each is given two, so that it need not wait for the next.
 *
 * The pool starts once either has taken a while, and is gone after a minute without them.
 */

import type { Task, ToWorker } from "../types/protocol.js";
import type { Answer, Question } from "./client.js";

export type Job = { promise: Promise<Answer>; cancel: () => void };
/** a worker with a Python of its own (engine/client.js) */
export interface Other {
  ready: Promise<unknown>;
  call: (name: string, args: unknown[]) => Job;
  inTurn: (question: Question) => Job;
  end: () => void;
}
/** `turns`: questions in turn that it has */
export type Hand = { engine: Pick<Other, "inTurn">; turns: number };
/** `lent` to a question by its number, 0 to none */
export type Member = Hand & { engine: Other; ready: boolean; lent: number; job: Job | null };
export type Turn = {
  question: Question;
  resolve: (answer: Answer) => void;
  reject: (fault: unknown) => void;
  job: Job | null;
};

const MOST = 4;
const UNTOLD = 2; // workers, where the device does not say how much memory it has
const LEAST_MEMORY = 4; // GB; every worker takes some 150 MB
const WORTH = 300; // ms of shared work before the pool starts, which takes a second
const IDLE = 60_000; // ms
const TURNS = 2; // questions in turn that a worker has at a time: one at work, one waiting
const IN_TURN = -1; // all of them together, among the questions with pieces

/** How many workers this device bears, the first one among them. */
export function workersOf({
  hardwareConcurrency: cores = 1,
  deviceMemory: memory,
}: {
  hardwareConcurrency?: number;
  deviceMemory?: number;
}) {
  if (memory !== undefined && memory < LEAST_MEMORY) return 1;
  return Math.max(1, Math.min(cores, memory === undefined ? UNTOLD : MOST));
}

export class WorkerPool {
  #members: Member[] = [];
  #first: Hand;
  /** questions in turn that no worker has yet */
  #queue: Turn[] = [];
  /** questions with pieces, the newest last: when they said so */
  #sharing: Map<number, number> = new Map();
  #took = 0; // ms that questions with pieces took since the pool was last idle
  #refused = false;
  #start: ReturnType<typeof setTimeout> | undefined;
  #end: ReturnType<typeof setTimeout> | undefined;
  #size;
  #open;
  #post;

  /**
   * @param size workers next to the first one
   * @param open starts one
   * @param first the first worker
   * @param post says something to the first worker
   */
  constructor(
    size: number,
    open: () => Other,
    first: Pick<Other, "inTurn">,
    post: (message: ToWorker) => void,
  ) {
    this.#size = size;
    this.#open = open;
    this.#first = { engine: first, turns: 0 };
    this.#post = post;
  }

  /** Whether a piece is under way: then the first worker may be silent. */
  get works() {
    return this.#members.some((one) => one.job);
  }

  /** How many workers there are next to the first one. */
  get size() {
    return this.#members.length;
  }

  /** Much work is coming: the others start now, and wait for it a minute. */
  gather() {
    if (this.#refused || this.#members.length) return;
    this.#fill();
    if (!this.#sharing.size) this.#waitForWork();
  }

  /** A question in turn: who has least to do answers it. */
  ask(question: Question): Job {
    let turn: Turn;
    const promise: Promise<Answer> = new Promise((resolve, reject) => {
      turn = { question, resolve, reject, job: null };
      this.#queue.push(turn);
    });
    if (!this.#sharing.has(IN_TURN)) this.shares(IN_TURN);
    this.#deal();
    return { promise, cancel: () => this.#forget(turn) };
  }

  /** A question has pieces for others. */
  shares(id: number) {
    clearTimeout(this.#end);
    this.#sharing.set(id, performance.now());
    if (this.#members.length) this.#lend();
    else if (!this.#refused && this.#sharing.size === 1)
      this.#start = setTimeout(() => this.#fill(), Math.max(0, WORTH - this.#took));
  }

  /** A piece for a worker that was lent. */
  async piece({ id, number, function: name, arguments: args }: Task) {
    const member = this.#members.find((one) => one.lent === id && !one.job);
    if (!member) {
      this.#post({ type: "given", id, number, error: "Its worker is gone." });
      return;
    }
    const job = member.engine.call(name, args);
    member.job = job;
    let given: { value?: unknown; error?: string };
    try {
      given = { value: (await job.promise).result };
    } catch (problem) {
      given = { error: problem instanceof Error ? problem.message : String(problem) };
    }
    if (member.job !== job) return; // the question is over
    member.job = null;
    member.lent = 0;
    this.#post({ type: "given", id, number, ...given });
    this.#lend();
  }

  /** The question is over, however it ended. */
  over(id: number) {
    const began = this.#sharing.get(id);
    if (began === undefined) return;
    this.#sharing.delete(id);
    this.#took += performance.now() - began;
    for (const member of this.#members) if (member.lent === id) release(member);
    if (this.#sharing.size) return this.#lend();
    clearTimeout(this.#start);
    this.#waitForWork();
  }

  /** The first worker begins anew: no one is lent to anything. */
  reset() {
    for (const id of [...this.#sharing.keys()]) if (id !== IN_TURN) this.over(id);
  }

  #fill() {
    while (this.#members.length < this.#size) {
      const member = { engine: this.#open(), turns: 0, ready: false, lent: 0, job: null };
      this.#members.push(member);
      member.engine.ready.then(
        () => {
          member.ready = true;
          this.#lend();
          this.#deal();
        },
        () => {
          this.#refused ||= this.#members.includes(member); // the first worker does it alone
          this.#members = this.#members.filter((one) => one !== member);
        },
      );
    }
  }

  /** Every free worker goes to the newest question. */
  #lend() {
    const id = [...this.#sharing.keys()].findLast((one) => one !== IN_TURN);
    if (id === undefined) return;
    for (const member of this.#members) {
      if (!member.ready || member.lent) continue;
      member.lent = id;
      this.#post({ type: "hand", id });
    }
  }

  /** Questions in turn go to the worker with the least to do, as long as one has fewer than two. */
  #deal() {
    while (this.#queue.length) {
      const hands = [this.#first, ...this.#members.filter((one) => one.ready)];
      const hand = hands.reduce((a, b) => (b.turns < a.turns ? b : a));
      if (hand.turns >= TURNS) return;
      const turn = this.#queue.shift() as Turn;
      hand.turns++;
      turn.job = hand.engine.inTurn(turn.question);
      turn.job.promise
        .then(turn.resolve, (fault) => this.#failed(turn, hand, fault))
        .then(() => {
          hand.turns--;
          this.#deal();
          this.#rest();
        });
    }
  }

  /** What a worker of the pool could not do because it is gone is done by another. */
  #failed(turn: Turn, hand: Hand, fault: unknown) {
    const gone = this.#members.find((one) => one === hand);
    if ((fault as { kind?: string })?.kind !== "host" || hand === this.#first) return turn.reject(fault);
    turn.job = null;
    this.#queue.unshift(turn);
    if (!gone) return;
    this.#members = this.#members.filter((one) => one !== hand);
    gone.engine.end();
  }

  /** No one waits for it any more. */
  #forget(turn: Turn) {
    const at = this.#queue.indexOf(turn);
    if (at >= 0) this.#queue.splice(at, 1);
    if (turn.job) turn.job.cancel();
    else turn.reject({ kind: "stopped", message: "Stopped.", where: "$" });
    this.#rest();
  }

  /** Are there no questions in turn any more? */
  #rest() {
    if (![this.#first, ...this.#members].some((one) => one.turns) && !this.#queue.length) this.over(IN_TURN);
  }

  #waitForWork() {
    this.#end = setTimeout(() => this.#leave(), IDLE);
  }

  #leave() {
    for (const member of this.#members.splice(0)) member.engine.end();
    this.#took = 0;
  }
}

function release(member: Member) {
  const job = member.job;
  member.job = null;
  member.lent = 0;
  job?.cancel();
}
