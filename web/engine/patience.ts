/**
 * How long a worker may be silent before it is replaced, by the speed this device has shown.
 *
 *   const patience = new Patience({ now: () => performance.now() });
 *   patience.began(); patience.phase({ done, total }); patience.ready();
 *   patience.asked("code"); patience.heard(); patience.answered("code");
 *   if (patience.tick() >= patience.limit) …
 *
 * The start-up time S is the time from a worker's begin until it is ready, without the time in which
 * bytes came. A working worker may be silent for max(10 s, 5 S), or max(30 s, 10 S) while it answers the
 * first question of a desk, whose modules it has to import; twice as long after each restart, and
 * never longer than 180 s. A starting worker may be silent for 60 s while files are missing, else for
 * 180 s.
 */

export const TICK = 500; // ms between two calls of `tick`
const LATE = 1.5 * TICK; // a tick that comes later says that the page itself had to wait
const LEAST = { turn: 10_000, first: 30_000 }; // ms
const TIMES = { turn: 5, first: 10 }; // of the start-up time
const LINE = 60_000; // ms without a byte
const MOST = 180_000; // ms

export class Patience {
  #now;
  #least;
  #times;
  #begun = 0;
  #fetching = 0; // ms in which bytes came
  #lastBytes = 0;
  #done = 0;
  #complete = false; // all files are there
  #started = false;
  #startUp = 0; // ms, the longest one so far
  #restarts = 0;
  #silent = 0;
  #lastTick = 0;
  /** desks that this worker has answered for */
  #answered: Set<string> = new Set();
  /** desks whose first question this worker has */
  #first: Set<string> = new Set();

  /** @param parts `least` and `times` are for tests */
  constructor({
    now = () => performance.now(),
    least = LEAST,
    times = TIMES,
  }: { now?: () => number; least?: typeof LEAST; times?: typeof TIMES } = {}) {
    this.#now = now;
    this.#least = least;
    this.#times = times;
  }

  /** How long silence may last now, in ms. */
  get limit() {
    const grown = (ms: number) => Math.min(MOST, ms * 2 ** this.#restarts);
    if (!this.#started) return grown(this.#complete ? MOST : LINE);
    const kind = this.#first.size ? "first" : "turn";
    return grown(Math.max(this.#least[kind], this.#times[kind] * this.#startUp));
  }

  /** A worker begins. */
  began() {
    this.#begun = this.#lastBytes = this.#lastTick = this.#now();
    this.#fetching = this.#done = this.#silent = 0;
    this.#complete = this.#started = false;
    this.#answered.clear();
    this.#first.clear();
  }

  /** How far its start has come. */
  phase({ done, total }: { done: number; total: number }) {
    const now = this.#now();
    if (done > this.#done) this.#fetching += now - this.#lastBytes;
    this.#lastBytes = now;
    this.#done = done;
    this.#complete = done >= total;
    this.#silent = 0;
  }

  /** It answers from now on. */
  ready() {
    this.#started = true;
    this.#startUp = Math.max(this.#startUp, this.#now() - this.#begun - this.#fetching);
    this.#silent = 0;
  }

  /** It has a question for a desk. */
  asked(desk: string) {
    if (!this.#answered.has(desk)) this.#first.add(desk);
  }

  /** It answered one. */
  answered(desk: string) {
    this.#answered.add(desk);
    this.#first.delete(desk);
    this.#silent = 0;
  }

  /** It said something, or there is nothing it should say. */
  heard() {
    this.#silent = 0;
  }

  /** It is replaced because it was silent for too long. */
  restarted() {
    this.#restarts++;
  }

  /** Call every TICK ms; for how long nothing was heard, in ms, without the time in which the page itself had to wait. */
  tick() {
    const now = this.#now();
    const passed = now - this.#lastTick;
    if (passed <= LATE) this.#silent += passed;
    this.#lastTick = now;
    return this.#silent;
  }
}
