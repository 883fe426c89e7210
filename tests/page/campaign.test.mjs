/** Levels in the game's list, and several of them packed as one archive. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { campaignOf, Twice } from "../../web/desks/mines/campaign.js";
import { FIELDS, levelled, levelOf, unbound } from "../../web/desks/mines/level.js";
import { filesIn } from "../../web/widgets/archive.js";
import { zipOf } from "../../web/widgets/zipped.js";

/** @typedef {import("../../web/desks/mines/model.js").Position} Position */

const BOARD = /** @type {Position} */ ({
  desk: "mines",
  v: 1,
  board: { kind: "square", width: 1, height: 1 },
});
const unpacked = async (/** @type {Blob} */ archive) =>
  Promise.all((await filesIn(archive)).map(async ({ name, text }) => [name, await text()]));

test("texts come out of an archive as they went in, and the same ones make the same bytes", async () => {
  const files = [
    { name: "é.txt", text: "née\n" },
    { name: "empty", text: "" },
    { name: "long", text: "a level ".repeat(20_000) },
  ];
  const [first, second] = [zipOf(files), zipOf(files)];
  assert.deepEqual(
    await unpacked(first),
    files.map(({ name, text }) => [name, text]),
  );
  assert.deepEqual(await first.arrayBuffer(), await second.arrayBuffer());
  assert.deepEqual(await unpacked(zipOf([])), []);
});

test("what the game's list shows is set field by field, and taken away again", () => {
  const told = { id: "Y1", next: "Y2", tile: "A★1", author: "N. N." };
  let made = BOARD;
  for (const field of FIELDS) made = levelled(made, field, told[field]) ?? BOARD;
  assert.deepEqual(levelOf(made), told);
  assert.deepEqual(levelOf(BOARD), { id: "", next: "", tile: "", author: "" });
  for (const field of FIELDS) made = levelled(made, field, "") ?? BOARD;
  assert.deepEqual(made.puz, { id: "", meta: null });
});

test("other tags of the file stay, and a field refuses what it cannot hold", () => {
  const opened = /** @type {Position} */ ({
    ...BOARD,
    puz: {
      id: "Y9",
      meta: [
        ["SCORE", "7"],
        ["TILE_TEXT", "CLX"],
      ],
      node_ids: ["4"],
    },
  });
  assert.equal(levelOf(opened).tile, "CLX");
  assert.deepEqual(levelled(opened, "tile", "")?.puz?.meta, [["SCORE", "7"]]);
  assert.deepEqual(levelled(opened, "tile", "")?.puz?.node_ids, ["4"]);
  for (const [field, text] of /** @type {const} */ ([
    ["id", "a b"],
    ["id", "x".repeat(41)],
    ["next", "Y<"],
    ["tile", "LONG"],
    ["author", "x".repeat(81)],
  ]))
    assert.equal(levelled(opened, field, text), null);
});

test("where a board gets other cells, what the list shows stays and the file's cells go", () => {
  const puz = { id: "Y9", meta: /** @type {[string, string][]} */ ([["AUTHOR", "N."]]), node_ids: ["4"] };
  assert.deepEqual(unbound({ ...BOARD, puz }), { id: "Y9", meta: [["AUTHOR", "N."]] });
  assert.equal(unbound(BOARD), null);
  assert.equal(unbound({ ...BOARD, puz: { node_ids: ["4"] } }), null);
});

/** As the engine writes, as far as a campaign looks at it. @type {import("../../web/desks/mines/campaign.js").Write} */
const write = async (position, { id, next }) =>
  `<PUZZLE>\n<ID>${id ?? position.puz?.id}</ID><META><NEXT_PUZZLE_ID>${next ?? "–"}</NEXT_PUZZLE_ID></META></PUZZLE>`;
const level = (/** @type {string} */ id, /** @type {number | null} */ score) => ({
  position: { ...BOARD, puz: { id } },
  title: id === "Y1" ? "First" : "",
  score,
  steps: [1, 3, 12],
});

test("a campaign leads from level to level, and lists them with their curves", async () => {
  const files = await unpacked(await campaignOf([level("Y1", 1.5), level("Y2", null)], write));
  assert.deepEqual(files, [
    ["001-Y1.puz", await write(BOARD, { id: "Y1", next: "Y2" })],
    ["002-Y2.puz", await write(BOARD, { id: "Y2", next: "" })],
    ["campaign.txt", "order  id  score  title  curve\n1  Y1  1.50  First  ▁▃█\n2  Y2  –  –  ▁▃█\n"],
  ]);
});

test("two levels of one ID are told by their places", async () => {
  const levels = [level("Y1", 1), level("Y2", 1), level("Y1", 1)];
  await assert.rejects(
    campaignOf(levels, write),
    (problem) => problem instanceof Twice && problem.first === 1 && problem.second === 3,
  );
});
