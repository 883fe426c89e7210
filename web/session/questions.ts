/**
 * The open desk's questions and their replies.
 *
 * A desk lists its questions for a position. Each is sent once and cancelled when it is no longer
 * listed. A reply belongs to its question: when the question under a key changes, `value` becomes null,
 * so that no number or action of an earlier position is shown.
 */
import type { Arrays, Progress, Question } from "../engine/client.js";

/** Order of a question: at once, after those, or when idle. */
export type Urgency = "first" | "soon" | "last";
export type Request = Question & { urgency?: Urgency };
export type { Progress };
export type FaultFacts = { kind: string; message: string; where: string };
/** an answer that is known without asking */
type Known = { request: Request; result: unknown };
type Asks = {
  ask: (
    request: Request,
    handlers?: { onProgress?: (p: Progress) => void },
  ) => { promise: Promise<{ result: unknown; arrays: Arrays }>; cancel: () => void };
};

/** The state of a reply of type T to a question with options of type O. */
export type Reply<T = unknown, O = unknown> = {
  state: "waiting" | "done" | "failed";
  /** the answer; null unless the state is "done", so that it always belongs to the position shown */
  value: T | null;
  arrays: Arrays;
  progress: (Omit<Progress, "best"> & { best: T | null }) | null;
  fault: FaultFacts | null;
  /** while waiting or failed, the last answer to an earlier question under the same key, drawn faded */
  before: { value: T; arrays: Arrays; request: Request & { options?: O } } | null;
  /** waiting, with `before` present */
  stale: boolean;
  /** waiting for so long that a notice is due */
  late: boolean;
  request: Request & { options?: O };
  signature: string;
};

const LATE = 200; // ms after which a waiting reply is late

const MAX_RETRIES = 3; // of a question that keeps failing

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
  engine;
  changed;
  replies: Record<string, Reply> = {};
  /** cancel functions of running questions */
  running: Map<string, () => void> = new Map();
  /** automatic retries by signature */
  retried: Map<string, number> = new Map();
  /** @param changed called after every change of a reply */
  constructor(engine: Asks, changed: (key: string) => void) {
    this.engine = engine;
    this.changed = changed;
  }

  /**
   * Sends new questions of `listed` and cancels those not in it.
   * @param known an answer that is already known
   */
  reconcile(listed: Record<string, Request>, known?: Known) {
    const knownSignature = known && JSON.stringify(known.request);
    for (const key of Object.keys(this.replies)) if (!(key in listed)) this.drop(key);
    for (const [key, { urgency: _, ...request }] of byUrgency(listed)) {
      const signature = JSON.stringify(request);
      if (this.replies[key]?.signature === signature) continue;
      if (signature !== knownSignature) {
        this.start(key, request, signature);
        continue;
      }
      this.drop(key);
      this.replies[key] = { ...NOTHING, state: "done", value: known?.result, request, signature };
      this.changed(key);
    }
  }

  /** Forgets all replies and cancels all jobs. */
  clear() {
    for (const key of Object.keys(this.replies)) this.drop(key);
  }

  /** Sends a failed or stopped question again. */
  again(key: string) {
    const reply = this.replies[key];
    if (reply) this.start(key, reply.request, reply.signature);
  }

  /** Sends questions again that failed for lack of a working worker. */
  retry() {
    for (const [key, { state, fault, signature }] of Object.entries(this.replies)) {
      const times = this.retried.get(signature) ?? 0;
      if (state !== "failed" || fault?.kind !== "host" || times >= MAX_RETRIES) continue;
      this.retried.set(signature, times + 1);
      this.again(key);
    }
  }

  /** Stops a job; its reply stays, marked as stopped. */
  stop(key: string) {
    this.running.get(key)?.();
  }

  drop(key: string) {
    this.running.get(key)?.();
    this.running.delete(key);
    delete this.replies[key];
  }

  start(key: string, request: Request, signature: string) {
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
    const onProgress = (progress: Progress) => {
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

  /** Ignores a job that was replaced, also by an equal question. */
  settle(key: string, cancel: () => void, change: Partial<Reply>) {
    if (this.running.get(key) !== cancel) return;
    this.running.delete(key);
    this.update(key, change);
  }

  update(key: string, change: Partial<Reply>) {
    this.replies[key] = { ...this.replies[key], ...change };
    this.changed(key);
  }
}

/** The questions, least urgent first, because the worker starts the newest question first. */
function byUrgency(listed: Record<string, Request>) {
  const rank = ({ urgency = "soon" }: Request) => ["last", "soon", "first"].indexOf(urgency);
  return Object.entries(listed).sort(([, a], [, b]) => rank(a) - rank(b));
}

/** A fault's fields; anything else that was thrown is a fault of the host. */
export function facts(fault: Partial<FaultFacts> | undefined): FaultFacts {
  return {
    kind: fault?.kind ?? "host",
    message: fault?.message ?? String(fault),
    where: fault?.where ?? "$",
  };
}
