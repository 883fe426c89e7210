/**
 * A list as it is worked through: lines come in pieces and answers go out in pieces. Both remain UTF-8
 * bytes: the page makes no string of a line that it does not show. What stays in memory is 24 bytes a
 * class and 4 bytes a line, and what is to be saved as far as KEPT; the rest of that lies in blobs, which
 * the browser may put on disk, but which take as long as half of the answer.
 */

import type { Duplicates, Grouped, GroupOptions, NearPair } from "../../types/sudoku.js";
import type { Bytes, Piece } from "./list-bytes.js";
import { KEY, Keys, NEWLINE, Numbers, split } from "./list-bytes.js";
import { words } from "./strings.js";

export const SHOWN = 40; // groups and bad lines that are listed
const MEMBERS = 12; // lines of a group that are listed
const HELD = 4_000_000; // bytes to be saved that are not in a blob yet
const ROOMY = 8; // GB of a device, as it says
const { deviceMemory = 0 } = (globalThis.navigator ?? {}) as { deviceMemory?: number };
const KEPT = deviceMemory < ROOMY ? 0 : 200_000_000; // bytes of a list to be saved that go into no blob
const BLOCK = 10_000; // lines that are written at a time
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
  #unique;
  #answers;
  #unread;
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

  /**
   * @param size bytes of the whole list
   * @param kept bytes that need not go into blobs
   */
  constructor(task: Task, size: number, kept = KEPT) {
    this.task = task;
    this.size = size;
    const room = { left: kept };
    this.#unique = new Saved(room);
    this.#answers = new Saved(room);
    this.#unread = new Saved(room);
  }

  get classes() {
    return this.#classes.size;
  }

  /** Lines to save: each class's first. */
  get unique() {
    return this.#unique.parts();
  }

  /** Lines to save: what was answered; of duplicates the class of each line, from 0. */
  get answers() {
    return this.task === "group" ? this.#classLines() : this.#answers.parts();
  }

  /** Written when they are asked for: as text they are larger than `#classOf`. */
  #classLines() {
    const saved = new Saved({ left: 0 });
    for (let at = 0; at < this.#classOf.length; at += BLOCK) {
      const end = Math.min(at + BLOCK, this.#classOf.length);
      const classes = Array.from({ length: end - at }, (_, i) => this.#classOf.at(at + i));
      saved.add(classes.map((k) => (k < 0 ? "" : k)).join("\n"));
    }
    return saved.parts();
  }

  /** Lines to save: what could not be read. */
  get unread() {
    return this.#unread.parts();
  }

  /** The first line with the board of the key at that place, -1 if there is none. */
  lineOf(keys: Bytes, at = 0) {
    const k = this.#classes.find(keys, at);
    return k < 0 ? -1 : this.#firsts.at(k);
  }

  /** Take in the answers to a piece: a line for each of its lines. */
  take({ bytes, count }: Piece, { bad, text }: Pick<Grouped, "bad"> & { text: Bytes }) {
    this.complain(bad);
    if (this.task === "group") this.#join(bytes, count, text);
    else if (this.task === "annotate") this.#annotate(split(text));
    else {
      this.boards += count - emptyLines(text, count);
      this.#answers.add(text);
    }
    this.lines += count;
  }

  complain(bad: { line: number; column: number | null; why: string }[]) {
    if (!bad.length) return;
    this.badCount += bad.length;
    const said = bad.map((one) => words.place(one));
    this.bad.push(...said.slice(0, SHOWN - this.bad.length));
    this.#unread.add(said.join("\n"));
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
    if (rows.length) this.#answers.add(rows.join("\n"));
  }

  /** @param keys a line each: the key of the board's class, nothing for a line without a board */
  #join(lines: Bytes, count: number, keys: Bytes) {
    const fresh: Bytes[] = [];
    const step = evenStep(lines, count);
    let at = 0; // in the lines
    let from = 0; // where lines begin that are the first of their classes
    let key = 0; // in the keys
    for (let i = 0; i < count; i++) {
      const next = step ? at + step : after(lines, at);
      const isBoard = key < keys.length && keys[key] !== NEWLINE;
      const k = isBoard ? this.#number(keys, key) : -1;
      this.#classOf.push(k);
      const size = isBoard ? this.#add(k, this.lines + i) : 0;
      const other = isBoard && this.base ? this.base.lineOf(keys, key) : -1;
      if (other >= 0) this.#meet(this.lines + i, other);
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

  /** Count a board of that class; returns how many the class has. */
  #add(k: number, line: number) {
    this.boards++;
    const size = this.#sizes.add(k);
    if (size === 1) this.#firsts.add(k, line);
    else this.#repeat(k, size, line);
    return size;
  }

  #meet(line: number, other: number) {
    this.known++;
    if (this.met.length < SHOWN) this.met.push([line, other]);
  }

  #number(keys: Bytes, at: number) {
    const number = this.#classes.number(keys, at);
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
    const saved = new Saved({ left: 0 });
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
 * Lines: the first in memory, as long as there is room, the others in blobs, a few large ones: the browser
 * takes milliseconds over each, however small.
 */
class Saved {
  #room;
  #kept: (string | Bytes)[] = [];
  #blobs: Blob[] = [];
  #waiting: (string | Bytes)[] = [];
  #length = 0;

  constructor(room: { left: number }) {
    this.#room = room;
  }

  /** @param lines newlines between, none at the end */
  add(lines: string | Bytes) {
    const length = lines.length + 1;
    if (!this.#blobs.length && !this.#length && this.#room.left >= length) {
      this.#room.left -= length;
      this.#kept.push(whole(lines), "\n");
      return;
    }
    this.#waiting.push(lines, "\n");
    this.#length += length;
    if (this.#length > HELD) this.#flush();
  }

  #flush() {
    if (this.#length) this.#blobs.push(new Blob(this.#waiting.splice(0)));
    this.#length = 0;
  }

  /** All that was added. */
  parts(): Blob[] {
    this.#flush();
    return this.#kept.length ? [new Blob(this.#kept), ...this.#blobs] : this.#blobs;
  }
}

/** The lines without a larger buffer behind them. */
const whole = (lines: string | Bytes) =>
  typeof lines === "string" || lines.length === lines.buffer.byteLength ? lines : lines.slice();

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

/** Bytes of a line and its end, where all are equally long; 0 where they are not. */
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
