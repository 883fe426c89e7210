/**
 * Long lists: lines out of bytes, classes out of keys, and what is kept to be saved. A constraint from a
 * link is one that its board can have: as cluewise/desks/sudoku/constraints.py asks.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { globalFor, possible } from "../../web/desks/sudoku/constraints.js";
import { Keys, linesAt, Numbers, pieces, split } from "../../web/desks/sudoku/list-bytes.js";
import { Listing, tableOf } from "../../web/desks/sudoku/list-job.js";
import { words } from "../../web/desks/sudoku/strings.js";

const encoded = (text) => new TextEncoder().encode(text);
const piece = (...lines) => ({ bytes: encoded(lines.join("\n")), count: lines.length });
const hex = (n, k = 0) => [n, k, 7, 0xffffffff].map((x) => x.toString(16).padStart(8, "0")).join("");

async function linesOf(...parts) {
  const all = [];
  let bytes = 0;
  for await (const some of pieces(
    new Blob(parts),
    () => 3,
    (n) => (bytes += n),
  )) {
    assert.ok(some.count <= 3 && split(some.bytes).length === some.count);
    all.push(...split(some.bytes));
  }
  assert.equal(bytes, new Blob(parts).size);
  return all;
}

test("a growable array keeps its numbers", () => {
  const numbers = new Numbers();
  for (let i = 0; i < 5000; i++) numbers.push(i - 1);
  assert.deepEqual([numbers.length, numbers.at(0), numbers.at(4999)], [5000, -1, 4998]);
  assert.equal(numbers.add(4999, 2), 5000);
});

test("keys are numbered in order of appearance, also if their first words are equal", () => {
  const keys = new Keys();
  const map = new Map();
  for (let i = 0; i < 20_000; i++) {
    const key = hex((i * 7919) % 5000, i % 3);
    if (!map.has(key)) map.set(key, map.size);
    assert.equal(keys.number(encoded(key), 0), map.get(key));
  }
  assert.equal(keys.size, map.size);
});

test("lines end as on any system, in any encoding that a file declares", async () => {
  assert.deepEqual(await linesOf("a\r\nb\rc\n\nd"), ["a", "b", "c", "", "d"]);
  assert.deepEqual(await linesOf("a\nb\n"), ["a", "b"]);
  assert.deepEqual(await linesOf(""), []);
  const wide = new Uint8Array([0xff, 0xfe, 0x31, 0, 0x0d, 0, 0x0a, 0, 0x32, 0]);
  assert.deepEqual(await linesOf(wide), ["1", "2"]);
});

test("each chunk has the requested number of lines", async () => {
  const sizes = [2, 1, 4];
  const found = [];
  const source = new Blob(["a\nb\nc\nd\ne\nf"]);
  for await (const { bytes } of pieces(source, () => sizes[found.length] ?? 9)) found.push(split(bytes));
  assert.deepEqual(found, [["a", "b"], ["c"], ["d", "e", "f"]]);
});

test("a line end across two chunks is one line end", async () => {
  const stream = () =>
    new ReadableStream({
      start(control) {
        for (const part of ["a\r", "\nb", "\r", "c"]) control.enqueue(new TextEncoder().encode(part));
        control.close();
      },
    });
  const source = Object.assign(new Blob(["a\r\nb\rc"]), { stream });
  const all = [];
  for await (const { bytes } of pieces(source, () => 2)) all.push(...split(bytes));
  assert.deepEqual(all, ["a", "b", "c"]);
});

test("a compressed file and one without lines are named", async () => {
  await assert.rejects(linesOf(new Uint8Array([0x1f, 0x8b, 8, 0])), /packed/);
  await assert.rejects(linesOf("5".repeat(2_000_001)), /not a list/);
});

for (const kept of [0, 14, 1000])
  test(`classes are merged over chunks and saved, with ${kept} bytes in memory`, async () => {
    const work = new Listing("group", 0, kept);
    const found = (keys, bad = []) => ({ bad, text: encoded(keys.join("\n")) });
    work.add(piece("p", "q", "p2"), found([hex(1), hex(2), hex(1)]));
    const bad = { line: 4, column: 1, text: "?", why: "what is this?" };
    work.add(piece("?", "q2", "p3", "r"), found(["", hex(2), hex(1), hex(3)], [bad]));
    const text = (parts) => new Blob(parts).text();
    assert.deepEqual([work.lines, work.boards, work.classes, work.repeated], [7, 6, 3, 2]);
    assert.deepEqual(work.groups(), [
      { lines: [0, 2, 5], more: 0 },
      { lines: [1, 4], more: 0 },
    ]);
    assert.equal(await text(work.unique), "p\nq\nr\n");
    assert.equal(await text(work.answers), "0\n1\n0\n\n1\n0\n2\n");
    assert.equal(await text(work.equal()), "1 = 3, 6\n2 = 5\n");
    assert.equal(await text(work.unread), "Line 4, column 1: what is this?\n");
  });

test("boards are counted by lines with an answer, of any length", () => {
  const work = new Listing("solve", 0);
  for (const answers of [["ab", "cd"], ["ab", "", "abcde"], [""], ["", "", "abcd", ""]])
    work.add(piece(...answers), { bad: [], text: piece(...answers).bytes });
  assert.deepEqual([work.lines, work.boards], [10, 5]);
});

test("a line is found again by its number with any line ends", async () => {
  const list = new Blob([Array.from({ length: 9000 }, (_, i) => `line ${i}`).join("\r\n")]);
  assert.deepEqual(await linesAt(list, [8999, 0, 4000]), ["line 8999", "line 0", "line 4000"]);
  assert.deepEqual(await linesAt(list, [9000]), [""]);
});

test("comparing two lists gives what they share and the line numbers", () => {
  const first = new Listing("group", 0);
  first.add(piece("a", "b"), { bad: [], text: encoded(`${hex(1)}\n${hex(2)}`) });
  const second = new Listing("group", 0);
  second.base = first;
  second.add(piece("x", "", "z"), { bad: [], text: encoded(`${hex(2)}\n\n${hex(3)}`) });
  assert.deepEqual([second.shared, second.sharedLines], [1, [[0, 1]]]);
  assert.deepEqual([first.lineOf(encoded(hex(2))), first.lineOf(encoded(hex(9)))], [1, -1]);
});

test("near pairs are saved as a table with line numbers from 1", () => {
  const pair = {
    first: 0,
    second: 4,
    edits: 1,
    only_first: 0,
    only_second: 1,
    changed: 0,
    text: "the same with 1 given more",
  };
  assert.equal(
    tableOf([{ ...pair, witness: {}, differs: [3] }]),
    "first,second,cells,only_first,only_second,changed,text\n1,5,1,0,1,0,the same with 1 given more\n",
  );
});

test("a pair's label lists the cells that the later line adds, lacks and changes", () => {
  const sign = (only_second, only_first, changed) =>
    words.nearSign({ edits: only_first + only_second + changed, only_first, only_second, changed });
  assert.deepEqual([sign(1, 0, 0), sign(0, 2, 0), sign(1, 0, 1), sign(0, 0, 0)], ["+1", "−2", "+1 ≠1", "="]);
});

const boxes = Array.from({ length: 16 }, (_, i) => 2 * Math.floor(i / 8) + Math.floor((i % 4) / 2));

test("constraints that fit a board are accepted", () => {
  for (const one of [
    { kind: "killer", cells: [0, 1], sum: 5 },
    { kind: "arrow", cells: [0, 1, 2, 3, 7] },
    { kind: "diagonals" },
    { kind: "regions", cells: boxes },
    { kind: "other", name: "little killer" },
    { kind: "arrow", cells: [0, 1, 2], head: 2 },
    { kind: "whispers", cells: [0, 1, 5, 0] },
    { kind: "xv", cells: [0, 1], value: 5 },
    { kind: "negative", of: "xv" },
    { kind: "quadruple", cells: [0, 1, 4, 5], values: [1, 1] },
    { kind: "sandwich", cells: [0, 1, 2, 3], sum: 0 },
  ])
    assert.ok(possible(/** @type {any} */ (one), [2, 2]), one.kind);
});

test("constraints without cells, beyond the board or with a wrong number are refused", () => {
  for (const one of [
    { kind: "killer" },
    { kind: "thermometer", cells: [3] },
    { kind: "renban", cells: [0, 1, 2, 3, 4] },
    { kind: "killer", cells: [16] },
    { kind: "odd", cells: [-1] },
    { kind: "even", cells: [2, 2] },
    { kind: "windows", cells: [0] },
    { kind: "regions", cells: boxes.slice(1) },
    { kind: "regions", cells: boxes.map(() => 0) },
    { kind: "arrow", cells: [0, 1], head: 2 },
    { kind: "xv", cells: [0, 1] },
    { kind: "ratio", cells: [0, 1, 2] },
    { kind: "negative" },
    { kind: "quadruple", cells: [0, 1], values: [5] },
    { kind: "sandwich", cells: [0, 1, 2, 7], sum: 3 },
    { kind: "clone", cells: [0, 1, 2] },
  ])
    assert.ok(!possible(/** @type {any} */ (one), [2, 2]), JSON.stringify(one));
});

test("windows need square boxes and are offered only there", () => {
  const one = /** @type {any} */ ({ kind: "windows" });
  assert.ok(possible(one, [3, 3]) && !possible(one, [2, 3]));
  assert.ok(globalFor([3, 3]).includes("windows") && !globalFor([2, 3]).includes("windows"));
});
