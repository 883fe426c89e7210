/** Earlier inputs for the arrow keys; the unfinished input is restored after the last one. */
const LONGEST = 200;

export class InputHistory {
  /** oldest first */
  #past: string[] = [];
  #at = 0;
  #draft = "";

  add(source: string) {
    if (this.#past.at(-1) !== source) this.#past.push(source);
    this.#past.splice(0, this.#past.length - LONGEST);
    this.#at = this.#past.length;
    this.#draft = "";
  }

  /** The previous input. @param present text of the field */
  back(present: string) {
    if (this.#at === this.#past.length) this.#draft = present;
    if (this.#at > 0) this.#at--;
    return this.#past[this.#at] ?? present;
  }

  /** The next input; after the last one, the draft. */
  forth(present: string) {
    if (this.#at === this.#past.length) return present;
    this.#at++;
    return this.#past[this.#at] ?? this.#draft;
  }

  /** The inputs as plain values for the store. */
  stored() {
    return [...this.#past];
  }

  /** Adds stored inputs before those of this visit. @param stored may have any form */
  restore(stored: unknown) {
    if (!Array.isArray(stored)) return;
    const texts = stored.filter((item) => typeof item === "string").slice(-LONGEST);
    this.#past = [...texts, ...this.#past];
    this.#at = this.#past.length;
  }
}
