/** Reading archives: their files, and the errors of damaged ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { filesIn, isArchive, MOST, Unreadable } from "../../web/zip.js";
import "./template.mjs";
import { zip } from "./fakes.mjs";

const { inOrder, levelsOf } = await import("../../web/desks/mines/editor/batch.js");

const LONG = "a level ".repeat(5000);
const ENTRIES = [
  ["levels/", "", false],
  ["levels/10.puz", LONG, true],
  ["levels/9.puz", "née\n", false],
  ["levels/empty.txt", "", true],
];
const why = (/** @type {string} */ word) => (/** @type {unknown} */ problem) =>
  problem instanceof Unreadable && problem.why === word;
const all = async (/** @type {Uint8Array<ArrayBuffer>} */ bytes) => {
  const files = await filesIn(new Blob([bytes]));
  return Promise.all(files.map(async ({ name, text }) => [name, await text()]));
};

test("the files of an archive are read in order, decompressed, without folders", async () => {
  assert.deepEqual(
    await all(zip(ENTRIES)),
    ENTRIES.slice(1).map(([name, text]) => [name, text]),
  );
  assert.deepEqual(await all(zip([])), []);
});

test("an archive is recognised by its first bytes", async () => {
  const begins = [zip(ENTRIES), zip([]).subarray(0, 22), "PK\n..*", "<PUZZLE>", ""];
  const found = await Promise.all(begins.map((data) => isArchive(new Blob([data]))));
  assert.deepEqual(found, [true, true, false, false, false]);
});

test("a truncated archive is reported as damaged and causes no other error", async () => {
  const whole = zip(ENTRIES);
  const bare = whole.length - "a note at the end".length;
  for (let length = 0; length < bare; length++) {
    await assert.rejects(filesIn(new Blob([whole.subarray(0, length)])), why("damaged"));
  }
});

test("a changed byte gives a different text or an error that names the archive", async () => {
  const whole = zip(ENTRIES);
  for (let at = 0; at < whole.length; at++) {
    const damaged = whole.slice();
    damaged[at] ^= 0x55;
    await all(damaged).catch((problem) => assert.ok(problem instanceof Unreadable, `${at}: ${problem}`));
  }
});

test("encrypted, oversized and over-expanding archives are refused when they are read", async () => {
  const index = (/** @type {(view: DataView, at: number) => void} */ change) => {
    const bytes = zip([["a.puz", LONG, true]]);
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    let at = 0;
    while (view.getUint32(at, true) !== 0x02014b50) at++;
    change(view, at);
    return bytes;
  };
  await assert.rejects(all(index((view, at) => view.setUint16(at + 8, 1, true))), why("locked"));
  const large = (/** @type {number} */ size) => index((view, at) => view.setUint32(at + 24, size, true));
  await assert.rejects(all(large(MOST.file + 1)), why("large"));
  await assert.rejects(all(large(LONG.length - 1)), why("damaged"));
  await assert.rejects(all(large(LONG.length + 1)), why("damaged"));
  const packed = (/** @type {number} */ way) => index((view, at) => view.setUint16(at + 10, way, true));
  await assert.rejects(all(packed(9)), why("damaged"));
  const huge = /** @type {any} */ ({ size: MOST.archive + 1 });
  await assert.rejects(filesIn(huge), why("large"));
});

test("the puzzles of an archive are rated in the order of names, numbers by value", () => {
  const names = ["10-b.puz", "campaign.txt", "9-a.PUZ", "x/campaign.txt", "x/.hidden.puz"];
  const more = ["__MACOSX/9-a.puz", "picture.png", "x/2.txt", "x/my campaign.txt", "a.json"];
  const list = [...names, ...more].map((name) => ({ name }));
  const kept = levelsOf(list).map(({ name }) => name);
  assert.deepEqual(kept, ["9-a.PUZ", "10-b.puz", "a.json", "x/2.txt", "x/my campaign.txt"]);
  assert.deepEqual(inOrder([{ name: "b10" }, { name: "b9" }]), [{ name: "b9" }, { name: "b10" }]);
});
