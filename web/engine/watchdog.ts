/**
 * Watchdog timer of a worker: how long it may be silent before it is replaced. The limit adapts to the
 * measured speed of this device.
 *
 *   const watchdog = new Watchdog({ now: () => performance.now() });
 *   watchdog.began(); watchdog.phase({ done, total }); watchdog.ready();
 *   watchdog.asked("code"); watchdog.responded(); watchdog.answered("code");
 *   if (watchdog.tick() >= watchdog.limit) …
 *
 * The start-up time S is the time from a worker's start until it is ready, without downloading. A ready
 * worker may be silent for max(10 s, 5 S), or max(30 s, 10 S) during the first question of a desk, whose
 * modules it imports. The limit doubles after each restart, up to 180 s. A starting worker may be silent
 * for 60 s while it downloads, then for 180 s.
 */

export const TICK = 500; // ms between two calls of `tick`
const LATE = 1.5 * TICK; // a later tick means that the page itself was suspended
const LEAST = { turn: 10_000, first: 30_000 }; // ms
const TIMES = { turn: 5, first: 10 }; // of the start-up time
const MAX_DOWNLOAD = 60_000; // ms without a byte
const MAX_LIMIT = 180_000; // ms

export class Watchdog {
  #now;
  #least;
  #times;
  #begun = 0;
  #downloading = 0; // ms
  #lastBytes = 0;
  #done = 0;
  #complete = false; // all files are downloaded
  #started = false;
  #startUp = 0; // ms, the longest so far
  #restarts = 0;
  #silent = 0;
  #lastTick = 0;
  /** desks of which this worker has answered a question */
  #answered: Set<string> = new Set();
  /** desks whose first question is pending */
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

  /** The longest silence allowed now, in ms. */
  get limit() {
    const scaled = (ms: number) => Math.min(MAX_LIMIT, ms * 2 ** this.#restarts);
    if (!this.#started) return scaled(this.#complete ? MAX_LIMIT : MAX_DOWNLOAD);
    const kind = this.#first.size ? "first" : "turn";
    return scaled(Math.max(this.#least[kind], this.#times[kind] * this.#startUp));
  }

  /** A worker starts. */
  began() {
    this.#begun = this.#lastBytes = this.#lastTick = this.#now();
    this.#downloading = this.#done = this.#silent = 0;
    this.#complete = this.#started = false;
    this.#answered.clear();
    this.#first.clear();
  }

  /** Progress of its start, in bytes. */
  phase({ done, total }: { done: number; total: number }) {
    const now = this.#now();
    if (done > this.#done) this.#downloading += now - this.#lastBytes;
    this.#lastBytes = now;
    this.#done = done;
    this.#complete = done >= total;
    this.#silent = 0;
  }

  /** It is ready for questions. */
  ready() {
    this.#started = true;
    this.#startUp = Math.max(this.#startUp, this.#now() - this.#begun - this.#downloading);
    this.#silent = 0;
  }

  /** A question of a desk was posted. */
  asked(desk: string) {
    if (!this.#answered.has(desk)) this.#first.add(desk);
  }

  /** A question of a desk was answered. */
  answered(desk: string) {
    this.#answered.add(desk);
    this.#first.delete(desk);
    this.#silent = 0;
  }

  /** It sent a message, or has nothing to do. */
  responded() {
    this.#silent = 0;
  }

  /** It is replaced for silence. */
  restarted() {
    this.#restarts++;
  }

  /** Call every TICK ms. @returns ms of silence, without the time in which the page was suspended */
  tick() {
    const now = this.#now();
    const passed = now - this.#lastTick;
    if (passed <= LATE) this.#silent += passed;
    this.#lastTick = now;
    return this.#silent;
  }
}
