/**
 * A list as it is worked through: lines come in pieces and answers go out in pieces. What stays in
 * memory is 24 bytes a class and 4 bytes a line; what is to be saved lies in blobs, which the
 * browser may put on disk.
 */

import type { Duplicates, Grouped, GroupOptions, NearPair } from "../../types/sudoku.js";
import { Keys, Numbers } from "./packed-columns.js";
import { words } from "./strings.js";

export const SHOWN = 40; // groups and bad lines that are listed
const MEMBERS = 12; // lines of a group that are listed
const LONGEST = 1_000_000; // characters of a line
const HELD = 4_000_000; // characters to be saved that are not in a blob yet
const ASKED = 250; // ms between two answers, about
const MOST = 16_000; // lines of a request

/** what is asked of every line */
export type Each = Exclude<NonNullable<GroupOptions["task"]>, "keys">;
export type Task = Each | "near";
/** what a group has in common */
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
  form = "straight" as Form; // of what is answered
  numbers = false; // whether grids are numbered
  /** the first few that could not be read */
  bad: string[] = [];
  /** class → its first few lines, for the first classes with repeats */
  shown: Map<number, number[]> = new Map();
  #unique = new Saved();
  #answers = new Saved();
  #unread = new Saved();
  /** what `duplicates` found */
  near: Duplicates | null = null;
  /** where its lines are read again */
  source: Blob | null = null;
  /** an earlier list that this one is held against */
  base: Listing | null = null;
  known = 0; // boards of this list that the earlier one has
  /** the first few of them: their line, and the other list's line */
  met: [number, number][] = [];
  /** least form → class, where a table is made */
  #forms: Map<string, number> = new Map();
  #classes = new Keys();
  #classOf = new Numbers(); // by line; -1 for a line without a board
  #firsts = new Numbers(); // by class
  #sizes = new Numbers();

  /** @param size bytes of the whole list */
  constructor(task: Task, size: number) {
    this.task = task;
    this.size = size;
  }

  get classes() {
    return this.#classes.size;
  }

  /** Lines to save: each class's first. */
  get unique() {
    return this.#unique.parts();
  }

  /** Lines to save: what was answered. */
  get answers() {
    return this.#answers.parts();
  }

  /** Lines to save: what could not be read. */
  get unread() {
    return this.#unread.parts();
  }

  /** The first line with that board, -1 if there is none. */
  lineOf(key: string) {
    const k = this.#classes.find(key);
    return k < 0 ? -1 : this.#firsts.at(k);
  }

  /** Take in what the worker made of a piece. */
  take(lines: string[], found: Grouped) {
    this.complain(found.bad);
    if (this.task === "group") this.#join(lines, found);
    else if (this.task === "annotate") this.#annotate(found.answers);
    else {
      this.boards += found.answers.filter(Boolean).length;
      this.#answers.add(found.answers);
    }
    this.lines += lines.length;
  }

  complain(bad: { line: number; column: number | null; why: string }[]) {
    if (!bad.length) return;
    this.badCount += bad.length;
    const said = bad.map((one) => words.place(one));
    this.bad.push(...said.slice(0, SHOWN - this.bad.length));
    this.#unread.add(said);
  }

  /** A row of the table for every board: its line and class, from 1, before what is known of it. */
  #annotate(answers: string[]) {
    const rows = [];
    for (const [i, answer] of answers.entries()) {
      if (!answer) continue;
      this.boards++;
      const form = answer.split(",")[2];
      const number = this.#forms.get(form) ?? this.#forms.size + 1;
      this.#forms.set(form, number);
      rows.push(`${this.lines + i + 1},${number},${answer}`);
    }
    this.#answers.add(rows);
  }

  #join(lines: string[], found: Grouped) {
    const numbers = found.keys.map((key) => this.#number(key));
    const there = found.keys.map((key) => this.base?.lineOf(key) ?? -1);
    const fresh = [];
    const out = [];
    for (let i = 0; i < lines.length; i++) {
      const own = found.classes[i] ?? -1;
      const k = numbers[own] ?? -1;
      this.#classOf.push(k);
      out.push(k < 0 ? "" : k);
      if (k < 0) continue;
      this.boards++;
      if (there[own] >= 0) this.#meet(this.lines + i, there[own]);
      const size = this.#sizes.add(k);
      if (size === 1) {
        this.#firsts.add(k, this.lines + i);
        fresh.push(lines[i]);
      } else this.#repeat(k, size, this.lines + i);
    }
    this.#unique.add(fresh);
    this.#answers.add(out);
  }

  #meet(line: number, other: number) {
    this.known++;
    if (this.met.length < SHOWN) this.met.push([line, other]);
  }

  #number(key: string) {
    const number = this.#classes.number(key);
    if (number === this.#firsts.length) {
      this.#firsts.push(0);
      this.#sizes.push(0);
    }
    return number;
  }

  #repeat(k: number, size: number, line: number) {
    if (size === 2) {
      this.repeated++;
      if (this.shown.size < SHOWN) this.shown.set(k, [this.#firsts.at(k)]);
    }
    const members = this.shown.get(k);
    if (members && members.length < MEMBERS) members.push(line);
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
    const saved = new Saved();
    const text: string[] = [];
    for (let k = 0; k < this.classes; k++) {
      if (starts[k + 1] - starts[k] < 2) continue;
      const [first, ...rest] = order.subarray(starts[k], starts[k + 1]);
      text.push(`${first} = ${rest.join(", ")}`);
      if (text.length === 10_000) saved.add(text.splice(0));
    }
    saved.add(text);
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

/** Lines in blobs, a few large ones: the browser takes milliseconds over each, however small. */
class Saved {
  #parts: Blob[] = [];
  #waiting: string[] = [];
  #length = 0;

  add(lines: (string | number)[]) {
    if (!lines.length) return;
    const text = `${lines.join("\n")}\n`;
    this.#waiting.push(text);
    this.#length += text.length;
    if (this.#length > HELD) this.parts();
  }

  /** All that was added. */
  parts(): Blob[] {
    if (this.#length) this.#parts.push(new Blob(this.#waiting.splice(0)));
    this.#length = 0;
    return this.#parts;
  }
}

/** How many lines the next request has: so many that an answer comes every quarter of a second. */
export class Pace {
  least;
  lines;
  constructor(least: number) {
    this.least = least;
    this.lines = least;
  }

  /** @param took ms */
  took(lines: number, took: number) {
    const aim = Math.min((lines * ASKED) / Math.max(took, 1), 2 * lines, MOST);
    this.lines = Math.max(this.least, Math.round(aim));
  }
}

/**
 * The lines of a file or a text, so many at a time as `size` says each time, whatever system its
 * line ends are from. Throws an Error with a sentence for a file that is packed or has no lines.
 */
export async function* pieces(
  source: Blob,
  size: () => number = () => 4000,
  onRead: (bytes: number) => void = () => {},
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder(await encoding(source));
  const reader = source.stream().getReader();
  let waiting: string[] = [];
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    onRead(value?.length ?? 0);
    rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
    // A return at the very end may be the first half of a line end.
    const half = !done && rest.endsWith("\r");
    const lines = (half ? rest.slice(0, -1) : rest).split(rest.includes("\r") ? /\r\n?|\n/ : "\n");
    rest = done ? "" : lines.pop() + (half ? "\r" : "");
    if (rest.length > LONGEST) throw new Error(words.listNoLines);
    if (done && lines.at(-1) === "") lines.pop();
    waiting = waiting.concat(lines);
    let from = 0;
    for (let count = size(); waiting.length - from >= count; count = size()) {
      yield waiting.slice(from, from + count);
      from += count;
    }
    waiting = waiting.slice(from);
    if (done) break;
  }
  if (waiting.length) yield waiting;
}

/** Some lines of a list, by their numbers from 0; empty where there is none. */
export async function linesAt(source: Blob, wanted: number[]): Promise<string[]> {
  const found = wanted.map(() => "");
  const last = Math.max(...wanted);
  let first = 0;
  for await (const lines of pieces(source)) {
    wanted.forEach((n, i) => {
      if (n >= first && n < first + lines.length) found[i] = lines[n - first];
    });
    first += lines.length;
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
