// A constraint from a link is one that its board can have: as cluewise/desks/sudoku/constraints.py asks.
import assert from "node:assert/strict";
import test from "node:test";
import { globalFor, possible } from "../../web/desks/sudoku/constraints.js";

const boxes = Array.from({ length: 16 }, (_, i) => 2 * Math.floor(i / 8) + Math.floor((i % 4) / 2));

test("constraints that a board can have are taken", () => {
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

test("constraints without their cells, beyond the board or of a wrong number are not", () => {
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

test("windows need square boxes, and are offered with them only", () => {
  const one = /** @type {any} */ ({ kind: "windows" });
  assert.ok(possible(one, [3, 3]) && !possible(one, [2, 3]));
  assert.ok(globalFor([3, 3]).includes("windows") && !globalFor([2, 3]).includes("windows"));
});
