/**
 * The open desk's questions and their replies.
 *
 * A desk lists its questions for a position. Each is sent once and cancelled when it is no longer
 * listed. A reply belongs to its question: when the question under a key changes, `value` becomes null,
 * so that no number or action of an earlier position is shown.
 *
 * @typedef {"first" | "soon" | "last"} Urgency first: at once; soon: after those; last: when idle
 * @typedef {import("../engine/client.js").Question & {urgency?: Urgency}} Request
 * @typedef {import("../engine/client.js").Progress} Progress
 * @typedef {{kind: string, message: string, where: string}} FaultFacts
 * @typedef {import("../engine/client.js").Arrays} Arrays
 * @typedef {{request: Request, result: unknown}} Known an answer included in another one
 * @typedef {{ask: (request: Request, handlers?: {onProgress?: (p: Progress) => void}) =>
 *   {promise: Promise<{result: unknown, arrays: Arrays}>, cancel: () => void}}} Asks
 */

/**
 * The state of a reply of type T to a question with options of type O. `before`: the last answer to an earlier
 * question under the same key, only for drawing it faded; `stale`: waiting, with `before` present; `late`: waiting for
 * so long that a notice is due.
 * @template [T=unknown]
 * @template [O=unknown]
 * @typedef {{state: "waiting" | "done" | "failed", value: T | null, arrays: Arrays,
 *   progress: (Omit<Progress, "best"> & {best: T | null}) | null, fault: FaultFacts | null,
 *   before: {value: T, arrays: Arrays, request: Request & {options?: O}} | null,
 *   stale: boolean, late: boolean, request: Request & {options?: O}, signature: string}} Reply
 */

const LATE = 200; // ms after which a waiting reply is late

const MOST_RETRIES = 3; // of a question that keeps failing

const NOTHING = {
  value: null,
  arrays: {},
  progress: null,
  fault: null,
  before: null,
  stale: false,
  late: false,
};

export class Questions {
  /**
   * @param {Asks} engine
   * @param {(key: string) => void} changed called after every change of a reply
   */
  constructor(engine, changed) {
    this.engine = engine;
    this.changed = changed;
    /** @type {Record<string, Reply>} */
    this.replies = {};
    /** @type {Map<string, () => void>} cancel functions of running questions */
    this.running = new Map();
    /** @type {Map<string, number>} automatic retries by signature */
    this.retried = new Map();
  }

  /**
   * Sends new questions of `wanted` and cancels those not in it.
   * @param {Record<string, Request>} wanted
   * @param {Known} [known] an answer that is already known
   */
  want(wanted, known) {
    const inHand = known && JSON.stringify(known.request);
    for (const key of Object.keys(this.replies)) if (!(key in wanted)) this.drop(key);
    for (const [key, { urgency: _, ...request }] of byUrgency(wanted)) {
      const signature = JSON.stringify(request);
      if (this.replies[key]?.signature === signature) continue;
      if (signature === inHand) this.take(key, request, signature, known?.result);
      else this.start(key, request, signature);
    }
  }

  /** @param {string} key @param {Request} request @param {string} signature @param {unknown} value */
  take(key, request, signature, value) {
    this.drop(key);
    this.replies[key] = { ...NOTHING, state: "done", value, request, signature };
    this.changed(key);
  }

  /** Forgets all replies and cancels all jobs. */
  clear() {
    for (const key of Object.keys(this.replies)) this.drop(key);
  }

  /** Sends a failed or stopped question again. @param {string} key */
  again(key) {
    const reply = this.replies[key];
    if (reply) this.start(key, reply.request, reply.signature);
  }

  /** Sends questions again that failed for lack of a working worker. */
  retry() {
    for (const [key, { state, fault, signature }] of Object.entries(this.replies)) {
      const times = this.retried.get(signature) ?? 0;
      if (state !== "failed" || fault?.kind !== "host" || times >= MOST_RETRIES) continue;
      this.retried.set(signature, times + 1);
      this.again(key);
    }
  }

  /** Stops a job; its reply stays, marked as stopped. @param {string} key */
  stop(key) {
    this.running.get(key)?.();
  }

  /** @param {string} key */
  drop(key) {
    this.running.get(key)?.();
    this.running.delete(key);
    delete this.replies[key];
  }

  /** @param {string} key @param {Request} request @param {string} signature */
  start(key, request, signature) {
    this.running.get(key)?.();
    const last = this.replies[key];
    const before = last?.value != null ? last : (last?.before ?? null);
    this.replies[key] = {
      ...NOTHING,
      state: "waiting",
      before: before && { value: before.value, arrays: before.arrays, request: before.request },
      stale: before !== null,
      request,
      signature,
    };
    const onProgress = (/** @type {Progress} */ progress) => {
      if (this.running.get(key) !== job.cancel) return;
      const best = progress.best ?? this.replies[key].progress?.best ?? null;
      this.update(key, { progress: { ...progress, best } });
    };
    const job = this.engine.ask(request, { onProgress });
    this.running.set(key, job.cancel);
    setTimeout(() => this.running.get(key) === job.cancel && this.update(key, { late: true }), LATE);
    job.promise.then(
      ({ result, arrays }) => {
        const change = { value: result, arrays, before: null, stale: false, progress: null };
        this.settle(key, job.cancel, { state: "done", ...change });
        this.retry();
      },
      (fault) => this.settle(key, job.cancel, { state: "failed", fault: facts(fault), stale: false }),
    );
  }

  /** Ignores a job that was replaced, also by an equal question. @param {string} key @param {() => void} cancel @param {Partial<Reply>} change */
  settle(key, cancel, change) {
    if (this.running.get(key) !== cancel) return;
    this.running.delete(key);
    this.update(key, change);
  }

  /** @param {string} key @param {Partial<Reply>} change */
  update(key, change) {
    this.replies[key] = { ...this.replies[key], ...change };
    this.changed(key);
  }
}

/** The worker starts the newest question first, so the most urgent are sent last. @param {Record<string, Request>} wanted */
function byUrgency(wanted) {
  const turn = (/** @type {Request} */ { urgency = "soon" }) => ["last", "soon", "first"].indexOf(urgency);
  return Object.entries(wanted).sort(([, a], [, b]) => turn(a) - turn(b));
}

/** @param {Partial<FaultFacts> | undefined} fault @returns {FaultFacts} */
export function facts(fault) {
  return {
    kind: fault?.kind ?? "host",
    message: fault?.message ?? String(fault),
    where: fault?.where ?? "$",
  };
}
