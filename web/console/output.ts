/**
 * Passes on printed output: at once if it is little, in larger portions if it is much, cut at a limit.
 */
const PAUSE = 40; // ms between two portions
const LONGEST = 400_000; // characters of one input

export class Output {
  #send: (text: string) => void;
  #decoder = new TextDecoder();
  #waiting = "";
  #sent = 0;
  #last = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Resets the limit for a new input. */
  begin() {
    this.#sent = 0;
    this.#last = 0;
  }

  /** Bytes as Python writes them; a character may be split between two calls. */
  write(bytes: Uint8Array) {
    this.#waiting += this.#decoder.decode(bytes, { stream: true });
    if (performance.now() - this.#last >= PAUSE) this.#pass();
    return bytes.length;
  }

  /** Sends the rest of the output. */
  end() {
    this.#pass();
  }

  #pass() {
    const room = LONGEST - this.#sent;
    const text = this.#waiting.slice(0, Math.max(0, room));
    const cut = room > 0 && this.#waiting.length > room;
    this.#sent += this.#waiting.length;
    this.#waiting = "";
    this.#last = performance.now();
    if (text) this.#send(cut ? `${text}\n… the rest is not shown\n` : text);
  }
}
