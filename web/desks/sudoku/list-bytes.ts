/**
 * Lists as bytes: the lines of a file in any encoding and with any line ends; compact columns of numbers
 * and a hash table of keys, since a million lines must fit a phone's memory.
 */

import { joined } from "../../widgets/bytes.js";
import { words } from "./strings.js";

const MAX_LINE_BYTES = 1_000_000;
export const NEWLINE = 10;
const RETURN = 13;

/** consecutive lines: newlines between, none at the end */
export type Piece = { bytes: Bytes; count: number };

const decoder = new TextDecoder();
const encoder = new TextEncoder();
export const split = (bytes: Bytes) => decoder.decode(bytes).split("\n");

/**
 * Yield the lines of a file or text in pieces; `size` is called for the number of lines of each. Throws an
 * Error with a sentence for a file that is packed or has no lines.
 */
export async function* pieces(
  source: Blob,
  size: () => number = () => 4000,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<Piece> {
  const read = await reader(source);
  const input = source.stream().getReader();
  let parts: Bytes[] = []; // of the next piece
  let count = 0; // complete lines in them
  let open = 0; // bytes of the incomplete line
  let limit = size();
  for (;;) {
    const { value, done } = await input.read();
    if (done) break;
    onRead(value.length);
    const bytes = read(value);
    const find = finder(bytes);
    let from = 0;
    for (let end = find(NEWLINE, 0); end >= 0; end = find(NEWLINE, end + 1)) {
      open = 0;
      if (++count < limit) continue;
      yield { bytes: joined([...parts, bytes.subarray(from, end)]), count };
      parts = [];
      count = 0;
      from = end + 1;
      limit = size();
    }
    parts.push(bytes.subarray(from));
    open += bytes.length - Math.max(from, bytes.lastIndexOf(NEWLINE) + 1);
    if (open > MAX_LINE_BYTES) throw new Error(words.listNoLines);
  }
  const rest = joined(parts);
  if (open) yield { bytes: rest, count: count + 1 };
  else if (count) yield { bytes: rest.subarray(0, -1), count };
}

/** A function that converts the chunks of a file to UTF-8 with a newline after each line. */
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

/** The bytes with a newline for each CR and each CR LF. */
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
 * `indexOf` for a byte, four bytes at a time (SWAR), which takes a fraction of the time. The subtraction
 * borrows into the top bit of a byte that is 0.
 */
function finder(bytes: Bytes) {
  const shift = -bytes.byteOffset & 3;
  const ints =
    bytes.length < 8
      ? new Int32Array(0)
      : new Int32Array(bytes.buffer, bytes.byteOffset + shift, (bytes.length - shift) >> 2);
  return (byte: number, from: number) => {
    const same = byte * 0x01010101;
    let at = from;
    for (; (at - shift) & 3 && at < bytes.length; at++) if (bytes[at] === byte) return at;
    let i = (at - shift) >> 2;
    for (; i >= 0 && i < ints.length; i++) {
      const other = ints[i] ^ same;
      if ((other - 0x01010101) & ~other & 0x80808080) break;
    }
    for (at = Math.max(at, 4 * i + shift); at < bytes.length; at++) if (bytes[at] === byte) return at;
    return -1;
  };
}

/** Lines of a list by their numbers from 0; empty beyond its end. */
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

/** The encoding by the byte order mark. */
async function encoding(source: Blob) {
  const [a, b] = new Uint8Array(await source.slice(0, 2).arrayBuffer());
  if ((a === 0x1f && b === 0x8b) || (a === 0x50 && b === 0x4b)) throw new Error(words.listPacked);
  return a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** A growing array of 32-bit integers. */
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

  /** Add to a number; returns the sum. */
  add(i: number, by: number = 1) {
    this.#data[i] += by;
    return this.#data[i];
  }
}

export const KEY = 32; // bytes of a key

/**
 * Number keys of 32 hexadecimal digits in ASCII by their first appearance: a hash table with linear
 * probing, at most half full. The keys are hashes, so their low bits are the slot.
 */
export class Keys {
  #packed = new Int32Array(8192); // the keys, 16 bytes each
  #slots = new Int32Array(4096).fill(-1);
  #sought = new Int32Array(4);
  #view = new DataView(new ArrayBuffer(0));
  size = 0;

  /** The number of the key at that offset; a new one if it is new. */
  number(bytes: Bytes, from: number) {
    if (2 * this.size >= this.#slots.length) this.#grow();
    const at = this.#find(bytes, from);
    if (this.#slots[at] < 0) {
      this.#packed.set(this.#sought, 4 * this.size);
      this.#slots[at] = this.size++;
    }
    return this.#slots[at];
  }

  /** The key's number, -1 if it is unknown. */
  find(bytes: Bytes, from: number) {
    return this.#slots[this.#find(bytes, from)];
  }

  /** The key's slot, which is empty if it is unknown. `#sought` then holds the packed key. */
  #find(bytes: Bytes, from: number) {
    if (this.#view.buffer !== bytes.buffer) this.#view = new DataView(bytes.buffer);
    const at = bytes.byteOffset + from;
    for (let k = 0; k < 4; k++)
      this.#sought[k] = (this.#digits(at + 8 * k) << 16) | this.#digits(at + 8 * k + 4);
    return this.#place(this.#sought, 0);
  }

  /** The value of four digits, without branches, which the processor could not predict. */
  #digits(at: number) {
    const codes = this.#view.getInt32(at);
    const bytes = (codes & 0x0f0f0f0f) + 9 * ((codes >> 6) & 0x01010101); // each 0 to 15
    const pairs = bytes | (bytes >> 4);
    return ((pairs >> 8) & 0xff00) | (pairs & 255);
  }

  #place(key: Int32Array, from: number) {
    const mask = this.#slots.length - 1;
    const packed = this.#packed;
    for (let at = key[from] & mask; ; at = (at + 1) & mask) {
      const k = 4 * this.#slots[at];
      const same = k >= 0 && packed[k] === key[from] && packed[k + 1] === key[from + 1];
      if (k < 0 || (same && packed[k + 2] === key[from + 2] && packed[k + 3] === key[from + 3])) return at;
    }
  }

  #grow() {
    const packed = this.#packed;
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    this.#packed = new Int32Array(2 * this.#slots.length);
    this.#packed.set(packed.subarray(0, 4 * this.size));
    for (let number = 0; number < this.size; number++) {
      this.#slots[this.#place(this.#packed, 4 * number)] = number;
    }
  }
}
