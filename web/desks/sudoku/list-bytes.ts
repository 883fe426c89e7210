/**
 * Lists as bytes: the lines of a file, whatever its encoding and line ends; long columns of numbers and
 * keys, since a million lines must not fill a phone's memory.
 */

import { joined } from "../../widgets/bytes.js";
import { words } from "./strings.js";

const LONGEST = 1_000_000; // bytes of a line
export const NEWLINE = 10;
const RETURN = 13;

/** some lines: newlines between, none at the end */
export type Piece = { bytes: Bytes; count: number };

const decoder = new TextDecoder();
const encoder = new TextEncoder();
export const split = (bytes: Bytes) => decoder.decode(bytes).split("\n");

/**
 * The lines of a file or a text, so many at a time as `size` says each time, whatever system its
 * line ends are from. Throws an Error with a sentence for a file that is packed or has no lines.
 */
export async function* pieces(
  source: Blob,
  size: () => number = () => 4000,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Piece> {
  const read = await reader(source);
  const input = source.stream().getReader();
  let parts: Bytes[] = []; // of the next piece
  let count = 0; // lines that end in them
  let open = 0; // bytes of the line that does not
  let goal = size();
  for (;;) {
    const { value, done } = await input.read();
    if (done) break;
    onRead(value.length);
    const bytes = read(value);
    const find = finder(bytes);
    let from = 0;
    for (let end = find(NEWLINE, 0); end >= 0; end = find(NEWLINE, end + 1)) {
      open = 0;
      if (++count < goal) continue;
      yield { bytes: joined([...parts, bytes.subarray(from, end)]), count };
      parts = [];
      count = 0;
      from = end + 1;
      goal = size();
    }
    parts.push(bytes.subarray(from));
    open += bytes.length - Math.max(from, bytes.lastIndexOf(NEWLINE) + 1);
    if (open > LONGEST) throw new Error(words.listNoLines);
  }
  const rest = joined(parts);
  if (open) yield { bytes: rest, count: count + 1 };
  else if (count) yield { bytes: rest.subarray(0, -1), count };
}

/** A function that takes a file's bytes in parts to UTF-8 with a newline at the end of each line. */
async function reader(source: Blob): Promise<(bytes: Bytes) => Bytes> {
  const name = await encoding(source);
  const wide = name === "utf-8" ? null : new TextDecoder(name);
  let first = true;
  let afterReturn = false;
  return (bytes) => {
    let text = wide ? encoder.encode(wide.decode(bytes, { stream: true })) : bytes;
    if (first && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) text = text.subarray(3);
    first = false;
    if (afterReturn && text[0] === NEWLINE) {
      text = text.subarray(1);
      afterReturn = false;
    }
    if (text.length) afterReturn = text[text.length - 1] === RETURN;
    return finder(text)(RETURN, 0) < 0 ? text : withNewlines(text);
  };
}

/** With a newline for a carriage return, or for it and a newline. */
function withNewlines(bytes: Bytes) {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === NEWLINE && bytes[i - 1] === RETURN) continue;
    out[length++] = bytes[i] === RETURN ? NEWLINE : bytes[i];
  }
  return out.subarray(0, length);
}

/**
 * A function that finds a byte from some place on, -1 if there is none: four bytes at a time, since
 * `indexOf` takes several times as long. The subtraction borrows into the top bit of a byte that is 0.
 */
function finder(bytes: Bytes) {
  const shift = -bytes.byteOffset & 3;
  const words =
    bytes.length < 8
      ? new Int32Array(0)
      : new Int32Array(bytes.buffer, bytes.byteOffset + shift, (bytes.length - shift) >> 2);
  return (byte: number, from: number) => {
    const same = byte * 0x01010101;
    let at = from;
    for (; (at - shift) & 3 && at < bytes.length; at++) if (bytes[at] === byte) return at;
    let i = (at - shift) >> 2;
    for (; i >= 0 && i < words.length; i++) {
      const other = words[i] ^ same;
      if ((other - 0x01010101) & ~other & 0x80808080) break;
    }
    for (at = Math.max(at, 4 * i + shift); at < bytes.length; at++) if (bytes[at] === byte) return at;
    return -1;
  };
}

/** Some lines of a list, by their numbers from 0; empty where there is none. */
export async function linesAt(source: Blob, numbers: number[]): Promise<string[]> {
  const found = numbers.map(() => "");
  const last = Math.max(...numbers);
  let first = 0;
  for await (const { bytes, count } of pieces(source)) {
    const isHere = (n: number) => n >= first && n < first + count;
    const lines = numbers.some(isHere) ? split(bytes) : [];
    numbers.forEach((n, i) => {
      if (isHere(n)) found[i] = lines[n - first];
    });
    first += count;
    if (first > last) break;
  }
  return found;
}

/** By its first bytes. */
async function encoding(source: Blob) {
  const [a, b] = new Uint8Array(await source.slice(0, 2).arrayBuffer());
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b)) throw new Error(words.listPacked);
  return a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** Whole numbers in a row that grows, four bytes each. */
export class Numbers {
  #data = new Int32Array(1024);
  length = 0;

  push(value: number) {
    if (this.length === this.#data.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.#data);
      this.#data = more;
    }
    this.#data[this.length++] = value;
  }

  at(i: number) {
    return this.#data[i];
  }

  /** Add to a number; returns what it is then. */
  add(i: number, by: number = 1) {
    this.#data[i] += by;
    return this.#data[i];
  }
}

export const KEY = 32; // bytes of a key

/** Keys of 32 hexadecimal digits in ASCII, numbered from 0 as they first appear; 16 bytes each, and a table. */
export class Keys {
  #words = new Int32Array(8192); // four a key, for half as many keys as slots
  #slots = new Int32Array(4096).fill(-1);
  #key = new Int32Array(4);
  #view = new DataView(new ArrayBuffer(0));
  size = 0;

  /** The number of the key at that place; a new one if it has not been seen. */
  number(bytes: Bytes, from: number) {
    if (2 * this.size >= this.#slots.length) this.#grow();
    const at = this.#find(bytes, from);
    if (this.#slots[at] < 0) {
      this.#words.set(this.#key, 4 * this.size);
      this.#slots[at] = this.size++;
    }
    return this.#slots[at];
  }

  /** The key's number, -1 if it has not been seen. */
  find(bytes: Bytes, from: number) {
    return this.#slots[this.#find(bytes, from)];
  }

  /** Where the key stands or would stand; its words are in `#key` then. */
  #find(bytes: Bytes, from: number) {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const at = bytes.byteOffset + from;
    for (let k = 0; k < 4; k++)
      this.#key[k] = (this.#digits(at + 8 * k) << 16) | this.#digits(at + 8 * k + 4);
    return this.#place(this.#key, 0);
  }

  /** The number of four digits, without a branch: they come as they like. */
  #digits(at: number) {
    const codes = this.#view.getInt32(at);
    const bytes = (codes & 0x0f0f0f0f) + 9 * ((codes >> 6) & 0x01010101); // each 0 to 15
    const pairs = bytes | (bytes >> 4);
    return ((pairs >> 8) & 0xff00) | (pairs & 255);
  }

  #place(key: Int32Array, from: number) {
    const mask = this.#slots.length - 1;
    const words = this.#words;
    for (let at = key[from] & mask; ; at = (at + 1) & mask) {
      const k = 4 * this.#slots[at];
      const same = k >= 0 && words[k] === key[from] && words[k + 1] === key[from + 1];
      if (k < 0 || (same && words[k + 2] === key[from + 2] && words[k + 3] === key[from + 3])) return at;
    }
  }

  #grow() {
    const words = this.#words;
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    this.#words = new Int32Array(2 * this.#slots.length);
    this.#words.set(words.subarray(0, 4 * this.size));
    for (let number = 0; number < this.size; number++) {
      this.#slots[this.#place(this.#words, 4 * number)] = number;
    }
  }
}
