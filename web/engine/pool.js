/**
 * Workers beside the first one, for questions whose work falls into pieces.
 *
 * The first worker says that a question has pieces; then a free worker of the pool is lent to it,
 * gets a piece, brings what came of it, and may be lent again. A question that is newer goes first.
 * The pool starts once such questions have taken a while, and is gone after a minute without one.
 */

/** @typedef {import("../types/protocol.js").ToWorker} ToWorker */
/** @typedef {import("../types/protocol.js").Piece} Piece */
/** @typedef {{promise: Promise<{result: unknown}>, cancel: () => void}} Job */
/**
 * @typedef {object} Other a worker with a Python of its own (engine/client.js)
 * @property {Promise<unknown>} ready
 * @property {(name: string, args: unknown[]) => Job} call
 * @property {() => void} end
 */
/** @typedef {{engine: Other, ready: boolean, lent: number, job: Job | null}} Member `lent` to a question by its number, 0 to none */

const MOST = 4;
const UNTOLD = 2; // workers, where the device does not say how much memory it has
const LEAST_MEMORY = 4; // GB; every worker takes some 150 MB
const WORTH = 300; // ms of shared work before the pool starts, which takes a second
const IDLE = 60_000; // ms

/**
 * How many workers this device bears, the first one among them.
 * @param {{hardwareConcurrency?: number, deviceMemory?: number}} device
 */
export function workersOf({ hardwareConcurrency: cores = 1, deviceMemory: memory }) {
  if (memory !== undefined && memory < LEAST_MEMORY) return 1;
  return Math.max(1, Math.min(cores, memory === undefined ? UNTOLD : MOST));
}

export class Pool {
  /** @type {Member[]} */
  #members = [];
  /** @type {Map<number, number>} questions with pieces, the newest last: when they said so */
  #sharing = new Map();
  #took = 0; // ms that questions with pieces took since the pool was last idle
  #refused = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #start;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #end;
  #size;
  #open;
  #post;

  /**
   * @param {number} size workers beside the first one
   * @param {() => Other} open starts one
   * @param {(message: ToWorker) => void} post says something to the first worker
   */
  constructor(size, open, post) {
    this.#size = size;
    this.#open = open;
    this.#post = post;
  }

  /** Whether a piece is under way: then the first worker may be silent. */
  get works() {
    return this.#members.some((one) => one.job);
  }

  /** How many workers there are beside the first one. */
  get size() {
    return this.#members.length;
  }

  /** A question has pieces for others. @param {number} id */
  shares(id) {
    clearTimeout(this.#end);
    this.#sharing.set(id, performance.now());
    if (this.#members.length) this.#lend();
    else if (!this.#refused && this.#sharing.size === 1)
      this.#start = setTimeout(() => this.#fill(), Math.max(0, WORTH - this.#took));
  }

  /** A piece for a worker that was lent. @param {Piece} piece */
  async piece({ id, number, function: name, arguments: args }) {
    const member = this.#members.find((one) => one.lent === id && !one.job);
    if (!member) {
      this.#post({ type: "given", id, number, error: "Its worker is gone." });
      return;
    }
    const job = member.engine.call(name, args);
    member.job = job;
    /** @type {{value?: unknown, error?: string}} */
    let given;
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

  /** The question is over, however it ended. @param {number} id */
  over(id) {
    const began = this.#sharing.get(id);
    if (began === undefined) return;
    this.#sharing.delete(id);
    this.#took += performance.now() - began;
    for (const member of this.#members) if (member.lent === id) release(member);
    if (this.#sharing.size) return this.#lend();
    clearTimeout(this.#start);
    this.#end = setTimeout(() => this.#leave(), IDLE);
  }

  /** The first worker begins anew: nobody is lent to anything. */
  reset() {
    for (const id of [...this.#sharing.keys()]) this.over(id);
  }

  #fill() {
    while (this.#members.length < this.#size) {
      const member = { engine: this.#open(), ready: false, lent: 0, job: null };
      this.#members.push(member);
      member.engine.ready.then(
        () => {
          member.ready = true;
          this.#lend();
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
    const id = [...this.#sharing.keys()].at(-1);
    if (id === undefined) return;
    for (const member of this.#members) {
      if (!member.ready || member.lent) continue;
      member.lent = id;
      this.#post({ type: "hand", id });
    }
  }

  #leave() {
    for (const member of this.#members.splice(0)) member.engine.end();
    this.#took = 0;
  }
}

/** @param {Member} member */
function release(member) {
  const job = member.job;
  member.job = null;
  member.lent = 0;
  job?.cancel();
}
