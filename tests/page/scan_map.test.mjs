/** The map's geometry: cameras, hit tests, what fits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  apart,
  bySplit,
  classAt,
  clearOf,
  factsOf,
  fitting,
  ringsOf,
  tileAt,
  toMap,
  toScreen,
  zoomed,
} from "../../web/widgets/map/geometry.js";

const SIZE = { width: 800, height: 600 };
const CAMERA = { x: 3000, y: 3400, scale: 4 };

/** Two classes and a wall: a 4 × 2 window at (10, 20), cut into columns 0, 1, 3 and rows 0, 1. */
const AREAS = {
  ox: 10,
  oy: 20,
  rects: Int16Array.of(0, 0, 0, 1, 1, 0, 2, 0, 3, 0, 3, 1),
  owners: Int32Array.of(0, 1, 0),
  boxes: Int16Array.of(0, 0, 1, 2, 1, 0, 2, 1),
  split: Int32Array.of(1, 0),
  tiles: Int32Array.of(4, 2),
  splits: Int16Array.of(2, 1, 0, 1, 1, 1),
  bits: Float64Array.of(0.5, 1.5),
  best: Uint8Array.of(0, 1),
  columns: Int16Array.of(0, 1, 3, 4),
  rows: Int16Array.of(0, 1, 2),
  labels: Int32Array.of(0, 1, 0, 0, -1, 0),
  vertices: Int16Array.of(0, 0, 1, 0, 1, 2, 0, 2, 1, 0, 3, 0, 3, 1, 1, 1),
  ring_ends: Int32Array.of(4, 8),
  ring_owners: Int32Array.of(0, 1),
};

test("a point of the map survives the way to the screen and back", () => {
  const [px, py] = toScreen(CAMERA, SIZE, 3012.25, 3391.5);
  assert.deepEqual(toMap(CAMERA, SIZE, px, py), [3012.25, 3391.5]);
  assert.deepEqual(tileAt(CAMERA, SIZE, px, py), [3012, 3391]);
});

test("north is up", () => {
  assert.ok(toScreen(CAMERA, SIZE, 3000, 3410)[1] < toScreen(CAMERA, SIZE, 3000, 3390)[1]);
});

test("zooming keeps the point under the pointer and stays within limits", () => {
  const before = toMap(CAMERA, SIZE, 120, 80);
  const near = zoomed(CAMERA, SIZE, 1.7, 120, 80);
  const after = toMap(near, SIZE, 120, 80);
  assert.ok(Math.hypot(before[0] - after[0], before[1] - after[1]) < 1e-9);
  assert.equal(zoomed(CAMERA, SIZE, 1e9, 0, 0).scale, 40);
  assert.equal(zoomed(CAMERA, SIZE, 1e-9, 0, 0).scale, 0.25);
});

test("a fitting view shows the whole box", () => {
  const camera = fitting([100, 200, 299, 249], SIZE);
  const [left, top] = toScreen(camera, SIZE, 100, 250);
  const [right, bottom] = toScreen(camera, SIZE, 300, 200);
  assert.ok(left >= 0 && top >= 0 && right <= SIZE.width && bottom <= SIZE.height);
});

test("every tile knows its class, walls and what lies outside have none", () => {
  assert.equal(classAt(AREAS, 10, 20), 0);
  assert.equal(classAt(AREAS, 12, 20), 1);
  assert.equal(classAt(AREAS, 13, 21), 0);
  assert.equal(classAt(AREAS, 11, 21), -1);
  assert.equal(classAt(AREAS, 9, 20), -1);
  assert.equal(classAt(AREAS, 14, 20), -1);
  assert.equal(classAt(AREAS, 10, 22), -1);
});

test("a class tells its counts, bits and tiles", () => {
  assert.deepEqual(factsOf(AREAS, 0), { counts: [1, 1, 1], bits: 1.5, best: true, tiles: 4 });
  assert.deepEqual(factsOf(AREAS, 1), { counts: [2, 1, 0], bits: 0.5, best: false, tiles: 2 });
});

test("rectangles are drawn split by split, each once", () => {
  const { starts, order } = bySplit(AREAS);
  assert.deepEqual([...starts], [0, 1, 3]);
  assert.deepEqual([...order], [1, 0, 2]);
});

test("the rings of a class are found by its number", () => {
  assert.deepEqual(
    ringsOf(AREAS, (n) => n === 1),
    [[4, 8]],
  );
});

test("a number does not stand on a spot", () => {
  assert.equal(clearOf(100, 100, 30, 13, [[110, 104]]), false);
  assert.equal(clearOf(100, 100, 30, 13, [[140, 100]]), true);
});

test("a spot too near to one with a number goes without", () => {
  assert.deepEqual(
    apart(
      [
        [0, 0],
        [10, 0],
        [20, 0],
        [20, 0],
        [40, 9],
      ],
      17,
    ),
    [true, false, true, false, true],
  );
});
