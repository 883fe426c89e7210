/**
 * What a program prints, passed on in portions: at once while it prints little, in larger pieces
 * when it prints much, and cut where no one could read it any more.
 */
const PAUSE = 40; // ms between two portions
const LONGEST = 400_000; // characters of one input

export class Output {
  /** @type {(text: string) => void} */
  #send;
  #decoder = new TextDecoder();
  #waiting = "";
  #sent = 0;
  #last = 0;

  /** @param {(text: string) => void} send */
  constructor(send) {
    this.#send = send;
  }

  /** A new input begins: it may print as much as any. */
  begin() {
    this.#sent = 0;
    this.#last = 0;
  }

  /** Bytes as Python writes them; a character may come in two pieces. @param {Uint8Array} bytes */
  write(bytes) {
    this.#waiting += this.#decoder.decode(bytes, { stream: true });
    if (performance.now() - this.#last >= PAUSE) this.#pass();
    return bytes.length;
  }

  /** Nothing more will come: whatever waits goes out. */
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
