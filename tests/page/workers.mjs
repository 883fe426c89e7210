/** Workers that a test speaks for; the newest is the last of `workers`. */
export const workers = [];

export class StandInWorker {
  static refused = false;
  posted = [];

  constructor() {
    if (StandInWorker.refused) throw new Error("refused");
    workers.push(this);
  }

  postMessage(message) {
    this.posted.push(structuredClone(message));
  }

  /** Let the page hear a message. */
  say(data) {
    this.onmessage({ data });
  }

  terminate() {
    this.gone = true;
  }

  get asks() {
    return this.posted.filter(({ type }) => type === "ask");
  }
}
