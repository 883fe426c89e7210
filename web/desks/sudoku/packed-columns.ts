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
    for (let k = 0; k < 4; k++) {
      let word = 0;
      for (let i = from + 8 * k; i < from + 8 * k + 8; i++) {
        const code = bytes[i];
        word = (word << 4) | ((code & 15) + 9 * (code >> 6)); // no branch: digits come as they like
      }
      this.#key[k] = word;
    }
    return this.#place(this.#key, 0);
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
