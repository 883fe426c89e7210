/** Workers that a test speaks for; the newest is the last of `workers`. */
export const workers = [];

export class StandInWorker {
  static refused = false;
  posted = [];

  constructor(_address, { name } = {}) {
    this.name = name;
    if (StandInWorker.refused) throw new Error("refused");
    workers.push(this);
  }

  postMessage(message) {
    // A compiled module cannot be cloned in Node.
    this.posted.push(message.module ? message : structuredClone(message));
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
