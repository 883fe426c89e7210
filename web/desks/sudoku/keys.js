/** Long rows of numbers and keys in few bytes: a million lines must not fill a phone's memory. */

/** Whole numbers in a row that grows, four bytes each. */
export class Numbers {
  #data = new Int32Array(1024);
  length = 0;

  /** @param {number} value */
  push(value) {
    if (this.length === this.#data.length) {
      const more = new Int32Array(2 * this.length);
      more.set(this.#data);
      this.#data = more;
    }
    this.#data[this.length++] = value;
  }

  /** @param {number} i */
  at(i) {
    return this.#data[i];
  }

  /** Add to a number; returns what it is then. @param {number} i @param {number} [by] */
  add(i, by = 1) {
    this.#data[i] += by;
    return this.#data[i];
  }
}

/** Keys of 32 hexadecimal digits, numbered from 0 as they first appear; 16 bytes each, and a table. */
export class Keys {
  #words = new Numbers();
  #slots = new Int32Array(4096).fill(-1);
  size = 0;

  /** The key's number; a new one if it has not been seen. @param {string} key */
  number(key) {
    if (2 * this.size >= this.#slots.length) this.#grow();
    const words = [0, 8, 16, 24].map((i) => Number.parseInt(key.slice(i, i + 8), 16) | 0);
    const at = this.#place(words);
    if (this.#slots[at] < 0) {
      this.#slots[at] = this.size++;
      for (const word of words) this.#words.push(word);
    }
    return this.#slots[at];
  }

  /** The key's number, -1 if it has not been seen. @param {string} key */
  find(key) {
    const words = [0, 8, 16, 24].map((i) => Number.parseInt(key.slice(i, i + 8), 16) | 0);
    return this.#slots[this.#place(words)];
  }

  /** Where the key stands or would stand. @param {number[]} words */
  #place(words) {
    const mask = this.#slots.length - 1;
    let at = words[0] & mask;
    for (;;) {
      const number = this.#slots[at];
      if (number < 0 || words.every((word, i) => this.#words.at(4 * number + i) === word)) return at;
      at = (at + 1) & mask;
    }
  }

  #grow() {
    this.#slots = new Int32Array(2 * this.#slots.length).fill(-1);
    for (let number = 0; number < this.size; number++) {
      const words = [0, 1, 2, 3].map((i) => this.#words.at(4 * number + i));
      this.#slots[this.#place(words)] = number;
    }
  }
}
