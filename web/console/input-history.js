/** Earlier inputs, to step through with the arrow keys; what is half typed is not lost on the way. */
const LONGEST = 200;

export class History {
  /** @type {string[]} oldest first */
  #past = [];
  #at = 0;
  #draft = "";

  /** @param {string} source */
  add(source) {
    if (this.#past.at(-1) !== source) this.#past.push(source);
    this.#past.splice(0, this.#past.length - LONGEST);
    this.#at = this.#past.length;
    this.#draft = "";
  }

  /** The input before. @param {string} present what stands in the field */
  back(present) {
    if (this.#at === this.#past.length) this.#draft = present;
    if (this.#at > 0) this.#at--;
    return this.#past[this.#at] ?? present;
  }

  /** The input after, and behind the last the draft. @param {string} present */
  forth(present) {
    if (this.#at === this.#past.length) return present;
    this.#at++;
    return this.#past[this.#at] ?? this.#draft;
  }

  /** Plain values for the store. */
  kept() {
    return [...this.#past];
  }

  /** @param {unknown} kept from the store, from an earlier version, or junk */
  revive(kept) {
    if (!Array.isArray(kept)) return;
    const texts = kept.filter((item) => typeof item === "string").slice(-LONGEST);
    this.#past = [...texts, ...this.#past];
    this.#at = this.#past.length;
  }
}
