/** Long rows of numbers and keys in few bytes: a million lines must not fill a phone's memory. */

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
