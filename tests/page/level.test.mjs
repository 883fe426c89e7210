/** A puzzle in the game's list of levels. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FIELDS, levelled, levelOf, unbound } from "../../web/desks/mines/editor/level-info.js";

/** @typedef {import("../../web/desks/mines/model.js").Position} Position */

const BOARD = /** @type {Position} */ ({
  desk: "mines",
  v: 1,
  board: { kind: "square", width: 1, height: 1 },
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
