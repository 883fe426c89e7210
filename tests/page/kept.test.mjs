// What this browser keeps, told by desk.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deskOf, usageByPart } from "../../web/session/storage-usage.js";

test("every kind of entry is somebody's", () => {
  const owners = {
    "moment/code/g1/m1": "code",
    "name/rack/m1": "rack",
    "game/scan/g1": "scan",
    "cursor/mines/tab": "mines",
    "desk.sudoku": "sudoku",
    "shelf/1": "shelf",
    shelf: "shelf",
    "aside/1": "aside",
    "console.inputs": "console",
    last: "rest",
    "moment/": "rest",
  };
  for (const [key, owner] of Object.entries(owners)) assert.equal(deskOf(key), owner, key);
});

test("a part counts its games, its entries and the bytes of their text, the largest first", () => {
  const loop = {};
  loop.self = loop; // no text of it can be written
  const parts = usageByPart([
    ["moment/code/g1/m1", { label: "é" }],
    ["moment/code/g1/m2", {}],
    ["moment/code/g2/m1", {}],
    ["cursor/code/t", {}],
    ["last", "code"],
    ["shelf/1", loop],
  ]);
  const code = "moment/code/g1/m1".length * 3 + "cursor/code/t".length + '{"label":"é"}'.length + 1 + 3 * 2;
  assert.deepEqual(parts, [
    { of: "code", games: 2, entries: 4, bytes: code },
    { of: "rest", games: 0, entries: 1, bytes: 8 },
    { of: "shelf", games: 0, entries: 1, bytes: 7 },
  ]);
  assert.deepEqual(usageByPart([]), []);
});
