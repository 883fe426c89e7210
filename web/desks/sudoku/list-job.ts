/**
 * The state of a list while its pieces are processed. Lines and answers remain UTF-8 bytes: the page makes
 * no string of a line that it does not show. Memory: 24 bytes a class, 4 bytes a line, and up to
 * MEMORY_BYTES of what can be saved; the rest of that is in blobs, which the browser may put on disk, but
 * which take half as long as the answers.
 */

import type { Duplicates, Grouped, GroupOptions, NearPair } from "../../types/sudoku.js";
import type { Bytes, Piece } from "./list-bytes.js";
import { KEY, Keys, NEWLINE, Numbers, split } from "./list-bytes.js";
import { words } from "./strings.js";

export const SHOWN = 40; // groups and bad lines that are listed
const MEMBERS = 12; // lines of a group that are listed
const BLOB_BYTES = 4_000_000;
const { deviceMemory = 0 } = (globalThis.navigator ?? {}) as { deviceMemory?: number }; // GB
const MEMORY_BYTES = deviceMemory < 8 ? 0 : 200_000_000;
const BLOCK = 10_000; // lines that are written at a time
const AIM_MS = 250; // time of a request
const MAX_LINES = 16_000; // of a request

/** a task that answers each line by itself */
export type Each = Exclude<NonNullable<GroupOptions["task"]>, "keys">;
export type Task = Each | "near";
/** what groups the boards */
export type By = NonNullable<GroupOptions["by"]>;
export type Form = NonNullable<GroupOptions["convention"]>;
export type { Grouped };

export class Listing {
  task;
  size;
  lines = 0;
  boards = 0;
  bytes = 0;
  badCount = 0;
  repeated = 0;
  stopped = false;
  note = "";
  by = "class" as By;
  form = "straight" as Form;
  numbers = false; // whether grids are numbered
  /** the first few that could not be read */
  bad: string[] = [];
  /** class → its first few lines, for the first classes with repeats */
  shown: Map<number, number[]> = new Map();
  #unique;
  #answers;
  #unread;
  /** what `duplicates` found */
  near: Duplicates | null = null;
  /** where its lines are read again */
  source: Blob | null = null;
  /** an earlier list to compare with */
  base: Listing | null = null;
  shared = 0; // boards of this list that the base has
  /** the first few of them: their line, and the base's line */
  sharedLines: [number, number][] = [];
  /** least form → class, where a table is made */
  #forms: Map<string, number> = new Map();
  #classes = new Keys();
  #classOf = new Numbers(); // by line; -1 for a line without a board
  #firsts = new Numbers(); // by class
  #sizes = new Numbers();

  /**
   * @param size bytes of the whole list
   * @param memory bytes that need not go into blobs
   */
  constructor(task: Task, size: number, memory = MEMORY_BYTES) {
    this.task = task;
    this.size = size;
    const budget = { left: memory };
    this.#unique = new LineStore(budget);
    this.#answers = new LineStore(budget);
    this.#unread = new LineStore(budget);
  }

  get classes() {
    return this.#classes.size;
  }

  /** Lines to save: each class's first. */
  get unique() {
    return this.#unique.parts();
  }

  /** Lines to save: the answers; when grouping, the class of each line, from 0. */
  get answers() {
    return this.task === "group" ? this.#classLines() : this.#answers.parts();
  }

  /** Written on request: as text they are larger than `#classOf`. */
  #classLines() {
    const saved = new LineStore({ left: 0 });
    for (let at = 0; at < this.#classOf.length; at += BLOCK) {
      const end = Math.min(at + BLOCK, this.#classOf.length);
      const classes = Array.from({ length: end - at }, (_, i) => this.#classOf.at(at + i));
      saved.add(classes.map((k) => (k < 0 ? "" : k)).join("\n"));
    }
    return saved.parts();
  }

  /** Lines to save: why lines could not be read. */
  get unread() {
    return this.#unread.parts();
  }

  /** The first line with the board of the key at that place, -1 if there is none. */
  lineOf(keys: Bytes, at = 0) {
    const k = this.#classes.find(keys, at);
    return k < 0 ? -1 : this.#firsts.at(k);
  }

  /** Merge the answers to the next piece: a line for each of its lines. */
  add({ bytes, count }: Piece, { bad, text }: Pick<Grouped, "bad"> & { text: Bytes }) {
    this.addBad(bad);
    if (this.task === "group") this.#addKeys(bytes, count, text);
    else if (this.task === "annotate") this.#addRows(split(text));
    else {
      this.boards += count - emptyLines(text, count);
      this.#answers.add(text);
    }
    this.lines += count;
  }

  addBad(bad: { line: number; column: number | null; why: string }[]) {
    if (!bad.length) return;
    this.badCount += bad.length;
    const texts = bad.map((one) => words.place(one));
    this.bad.push(...texts.slice(0, SHOWN - this.bad.length));
    this.#unread.add(texts.join("\n"));
  }

  /** Add a row of the table for every board: its line and class, from 1, before the answer. */
  #addRows(answers: string[]) {
    const rows = [];
    for (const [i, answer] of answers.entries()) {
      if (!answer) continue;
      this.boards++;
      const form = answer.split(",")[2];
      const number = this.#forms.get(form) ?? this.#forms.size + 1;
      this.#forms.set(form, number);
      rows.push(`${this.lines + i + 1},${number},${answer}`);
    }
    if (rows.length) this.#answers.add(rows.join("\n"));
  }

  /** @param keys per line the key of the board's class; empty for a line without a board */
  #addKeys(lines: Bytes, count: number, keys: Bytes) {
    const fresh: Bytes[] = [];
    const step = evenStep(lines, count);
    let at = 0; // in the lines
    let from = 0; // the start of a run of lines that are the first of their classes
    let key = 0; // in the keys
    for (let i = 0; i < count; i++) {
      const next = step ? at + step : after(lines, at);
      const isBoard = key < keys.length && keys[key] !== NEWLINE;
      const k = isBoard ? this.#number(keys, key) : -1;
      this.#classOf.push(k);
      const size = isBoard ? this.#addMember(k, this.lines + i) : 0;
      const other = isBoard && this.base ? this.base.lineOf(keys, key) : -1;
      if (other >= 0 && ++this.shared <= SHOWN) this.sharedLines.push([this.lines + i, other]);
      if (size !== 1) {
        if (from < at) fresh.push(lines.subarray(from, at - 1));
        from = next;
      }
      key += isBoard ? KEY + 1 : 1;
      at = next;
    }
    if (from < at) fresh.push(lines.subarray(from));
    for (const some of fresh) this.#unique.add(some);
  }

  /** Count a board of a class; returns the size of the class. */
  #addMember(k: number, line: number) {
    this.boards++;
    const size = this.#sizes.add(k);
    if (size === 1) this.#firsts.add(k, line);
    if (size === 2 && ++this.repeated <= SHOWN) this.shown.set(k, [this.#firsts.at(k)]);
    const members = this.shown.get(k);
    if (members && members.length < MEMBERS) members.push(line);
    return size;
  }

  #number(keys: Bytes, at: number) {
    const number = this.#classes.number(keys, at);
    if (number === this.#firsts.length) {
      this.#firsts.push(0);
      this.#sizes.push(0);
    }
    return number;
  }

  /** The first groups with repeats: lines from 0, and how many more there are. */
  groups(): { lines: number[]; more: number }[] {
    return [...this.shown]
      .map(([k, lines]) => ({ lines, more: this.#sizes.at(k) - lines.length }))
      .sort((a, b) => a.lines[0] - b.lines[0]);
  }

  /** Every group with repeats as text, "4 = 5, 10, 11": lines from 1, by the first of them. */
  equal(): Blob[] {
    const starts = new Int32Array(this.classes + 1);
    for (let k = 0; k < this.classes; k++) starts[k + 1] = starts[k] + this.#sizes.at(k);
    const order = new Int32Array(starts[this.classes]);
    const filled = starts.slice();
    for (let i = 0; i < this.#classOf.length; i++) {
      const k = this.#classOf.at(i);
      if (k >= 0) order[filled[k]++] = i + 1;
    }
    const saved = new LineStore({ left: 0 });
    const text: string[] = [];
    for (let k = 0; k < this.classes; k++) {
      if (starts[k + 1] - starts[k] < 2) continue;
      const [first, ...rest] = order.subarray(starts[k], starts[k + 1]);
      text.push(`${first} = ${rest.join(", ")}`);
      if (text.length === BLOCK) saved.add(text.splice(0).join("\n"));
    }
    if (text.length) saved.add(text.join("\n"));
    return saved.parts();
  }
}

/** Every listed pair, as a table: lines from 1. */
export function tableOf(pairs: NearPair[]) {
  const rows = pairs.map((p) =>
    [p.first + 1, p.second + 1, p.edits, p.only_first, p.only_second, p.changed, p.text].join(","),
  );
  return `first,second,cells,only_first,only_second,changed,text\n${rows.map((row) => `${row}\n`).join("")}`;
}

/**
 * Lines to save: the first in memory while the shared budget lasts, the others in a few large blobs: the
 * browser takes milliseconds to make one, however small.
 */
class LineStore {
  #budget;
  #memory: (string | Bytes)[] = [];
  #blobs: Blob[] = [];
  #buffer: (string | Bytes)[] = []; // of the next blob
  #length = 0; // its bytes

  constructor(budget: { left: number }) {
    this.#budget = budget;
  }

  /** @param lines newlines between, none at the end */
  add(lines: string | Bytes) {
    const length = lines.length + 1;
    if (!this.#blobs.length && !this.#length && this.#budget.left >= length) {
      this.#budget.left -= length;
      this.#memory.push(trimmed(lines), "\n");
      return;
    }
    this.#buffer.push(lines, "\n");
    this.#length += length;
    if (this.#length > BLOB_BYTES) this.#flush();
  }

  #flush() {
    if (this.#length) this.#blobs.push(new Blob(this.#buffer.splice(0)));
    this.#length = 0;
  }

  /** All lines so far. */
  parts(): Blob[] {
    this.#flush();
    return this.#memory.length ? [new Blob(this.#memory), ...this.#blobs] : this.#blobs;
  }
}

/** The lines without the larger buffer that they are part of. */
const trimmed = (lines: string | Bytes) =>
  typeof lines === "string" || lines.length === lines.buffer.byteLength ? lines : lines.slice();

/** The number of lines of the next request, such that it takes about AIM_MS. */
export class Pace {
  lines;
  readonly least;
  constructor(least: number) {
    this.least = least;
    this.lines = least;
  }

  update(lines: number, ms: number) {
    const aim = Math.min((lines * AIM_MS) / Math.max(ms, 1), 2 * lines, MAX_LINES);
    this.lines = Math.max(this.least, Math.round(aim));
  }
}

/** Bytes of a line and its newline if all are equally long, else 0. */
function evenStep(text: Bytes, count: number) {
  const step = (text.length + 1) / count;
  let line = 1;
  while (line < count && text[line * step - 1] === NEWLINE) line++;
  return line === count ? step : 0;
}

/** Where the next line begins. */
function after(bytes: Bytes, at: number) {
  const end = bytes.indexOf(NEWLINE, at);
  return end < 0 ? bytes.length + 1 : end + 1;
}

/** How many of the text's `count` lines are empty. */
function emptyLines(text: Bytes, count: number) {
  if (evenStep(text, count) > 1) return 0;
  let empty = text.length && text[text.length - 1] !== NEWLINE ? 0 : 1;
  for (let i = 0, last = NEWLINE; i < text.length; last = text[i++])
    if (text[i] === NEWLINE && last === NEWLINE) empty++;
  return empty;
}
