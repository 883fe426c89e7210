/** The map's geometry: cameras, hit tests, labels; the player's tile, and preferences of later clues. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { classesOf, floorOf, hereOf, parseTile, settingsFor } from "../../web/desks/scan/model.js";
import {
  bySplit,
  classAt,
  factsOf,
  fitAffine,
  fitting,
  isClear,
  outlineStrength,
  overlaps,
  pinched,
  placed,
  ringsOf,
  separateLabels,
  tileAt,
  toMap,
  toScreen,
  zoomed,
} from "../../web/widgets/map/geometry.js";
import { along, labelsOf, namesOf } from "../../web/widgets/map/labels.js";
import "./template.mjs";

const { endsOf } = await import("../../web/desks/scan/route.js");

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

test("a point of the map survives conversion to the screen and back", () => {
  const [px, py] = toScreen(CAMERA, SIZE, 3012.25, 3391.5);
  assert.deepEqual(toMap(CAMERA, SIZE, px, py), [3012.25, 3391.5]);
  assert.deepEqual(tileAt(CAMERA, SIZE, px, py), [3012, 3391]);
});

test("north is up", () => {
  assert.ok(toScreen(CAMERA, SIZE, 3000, 3410)[1] < toScreen(CAMERA, SIZE, 3000, 3390)[1]);
});

test("zooming fixes the point under the pointer and stays within limits", () => {
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

test("every tile has its class; walls and tiles outside have none", () => {
  assert.equal(classAt(AREAS, 10, 20), 0);
  assert.equal(classAt(AREAS, 12, 20), 1);
  assert.equal(classAt(AREAS, 13, 21), 0);
  assert.equal(classAt(AREAS, 11, 21), -1);
  assert.equal(classAt(AREAS, 9, 20), -1);
  assert.equal(classAt(AREAS, 14, 20), -1);
  assert.equal(classAt(AREAS, 10, 22), -1);
});

test("the label of a class has its counts, bits and tiles", () => {
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

test("a number does not cover a spot", () => {
  assert.equal(isClear(100, 100, 30, 13, [[110, 104]]), false);
  assert.equal(isClear(100, 100, 30, 13, [[140, 100]]), true);
});

test("a spot too close to a numbered one has no number", () => {
  assert.deepEqual(
    separateLabels(
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

test("two fingers pan the map, and spreading them zooms in about their midpoint", () => {
  const at = (x, y) => ({ x, y });
  const before = [at(300, 200), at(500, 400)];
  const moved = pinched(CAMERA, SIZE, before, [at(340, 170), at(540, 370)]);
  assert.equal(moved.scale, CAMERA.scale);
  assert.deepEqual(toMap(moved, SIZE, 440, 270), toMap(CAMERA, SIZE, 400, 300));
  const spread = pinched(CAMERA, SIZE, before, [at(200, 100), at(600, 500)]);
  assert.equal(spread.scale, 2 * CAMERA.scale);
  assert.deepEqual(toMap(spread, SIZE, 400, 300), toMap(CAMERA, SIZE, 400, 300));
});

test("a picture that was scaled down for storage is placed by the file's own pixels", () => {
  const points = [
    { pixel: [1000, 2000], tile: [2950, 3400] },
    { pixel: [3000, 4000], tile: [3050, 3300] },
  ];
  const whole = placed(points, { width: 4096, height: 4096 }, 1);
  const half = placed(points, { width: 2048, height: 2048 }, 2);
  for (const [picture, px] of [
    [whole, 1],
    [half, 2],
  ]) {
    assert.equal(picture.x + (3000 / px) * picture.tiles, 3050.5);
    assert.equal(picture.y - (4000 / px) * picture.tilesDown, 3300.5);
  }
});

test("a picture is fitted by selected spots, with the distance of each", () => {
  const tileAtPixel = (x, y) => [3000 + x / 5, 3400 - y / 5];
  const known = [
    [10, 20],
    [400, 20],
    [210, 300],
  ].map((pixel) => ({ pixel, tile: tileAtPixel(...pixel) }));
  for (const some of [known, known.slice(0, 2)]) {
    const { scale, anchors, off } = fitAffine(some);
    assert.ok(Math.abs(scale - 0.2) < 1e-12); // two spots side by side are enough
    assert.ok(off.every((tiles) => tiles < 1e-9));
    for (const { pixel, tile } of anchors)
      assert.ok(Math.hypot(tile[0] - tileAtPixel(...pixel)[0], tile[1] - tileAtPixel(...pixel)[1]) < 1e-9);
  }
});

test("contradictory points give the least-squares fit, and a rotated picture does not fit", () => {
  const rough = [
    { pixel: [0, 0], tile: [0, 0] },
    { pixel: [100, 0], tile: [21, 1] },
    { pixel: [0, 100], tile: [-1, -19] },
    { pixel: [100, 100], tile: [20, -20] },
  ];
  const squares = (scale, x, y) =>
    rough.reduce(
      (sum, { pixel, tile }) =>
        sum + (x + pixel[0] * scale - tile[0]) ** 2 + (y - pixel[1] * scale - tile[1]) ** 2,
      0,
    );
  const { scale, anchors, off } = fitAffine(rough);
  const [x, y] = anchors[0].tile;
  const least = off.reduce((sum, d) => sum + d * d, 0);
  assert.ok(Math.abs(least - squares(scale, x, y)) < 1e-9);
  for (const [ds, dx, dy] of [
    [1e-3, 0, 0],
    [-1e-3, 0, 0],
    [0, 0.1, 0],
    [0, -0.1, 0],
    [0, 0, 0.1],
    [0, 0, -0.1],
  ])
    assert.ok(squares(scale + ds, x + dx, y + dy) > least);
  const upside = rough.map(({ pixel, tile }) => ({ pixel, tile: [-tile[0], -tile[1]] }));
  assert.equal(fitAffine(upside), null);
  assert.equal(fitAffine([rough[0], rough[0]]), null);
});

test("a picture belongs to the maps that it overlaps", () => {
  const picture = { image: { width: 100, height: 50 }, x: 3000, y: 3400, tiles: 2, tilesDown: 2 };
  assert.ok(overlaps(picture, [2900, 3250, 3100, 3450]));
  assert.ok(overlaps(picture, [3150, 3350, 3300, 3500]));
  assert.ok(!overlaps(picture, [3201, 3250, 3400, 3450]));
  assert.ok(!overlaps(picture, [2900, 3401, 3100, 3450]));
});

const ROOM = { wide: 30, high: 13 };

test("a best area too small for its number has the number next to it, covering no spot", () => {
  const camera = { x: 12, y: 21, scale: 6 }; // the best area is 6 pixels wide
  const dots = /** @type {[number, number][]} */ ([[430, 300]]);
  const labels = labelsOf(AREAS, camera, SIZE, ROOM, dots);
  const best = labels.filter((label) => label.area === 0);
  assert.equal(best.length, 1);
  const [{ at, place }] = best;
  assert.ok(place);
  assert.deepEqual(at, toScreen(camera, SIZE, 10.5, 21));
  assert.ok(Math.hypot(place[0] - at[0], place[1] - at[1]) < 70);
  assert.ok(isClear(place[0], place[1], ROOM.wide, ROOM.high, dots));
});

test("a place's name is below it, or where it covers no number, place or other name", () => {
  const names = namesOf(
    [
      [100, 100],
      [300, 100],
      [300, 130],
    ],
    [40, 60, 60],
    [[110, 120]],
  );
  assert.deepEqual(names[0], [100, 82]); // a number is below
  assert.deepEqual(names[1], [300, 82]); // a place is below
  assert.deepEqual(names[2], [300, 148]);
  const crowd = /** @type {[number, number][]} */ ([
    [100, 118],
    [100, 82],
    [131, 100],
    [69, 100],
  ]);
  assert.deepEqual(namesOf([[100, 100]], [40], crowd), [[100, 118]]); // nowhere to go
});

test("numbers of areas do not overlap names", () => {
  const name = along([400, 300], 90);
  assert.deepEqual(name[0], [355, 300]);
  assert.deepEqual(name.at(-1), [445, 300]);
  for (let i = 1; i < name.length; i++) assert.ok(name[i][0] - name[i - 1][0] <= 16);
});

test("a label stays visible while its area is partly out of view", () => {
  const middle = labelsOf(AREAS, { x: 12, y: 21, scale: 40 }, SIZE, ROOM, []);
  const pushed = labelsOf(AREAS, { x: 21.5, y: 21, scale: 40 }, SIZE, ROOM, []);
  const of = (labels) => labels.find((label) => label.area === 1)?.at;
  assert.equal(of(middle)[0], 400);
  assert.ok(of(pushed)[0] > ROOM.wide / 2);
  assert.ok(of(pushed)[0] < 80);
});

test("outlines fade if cells are narrower than ten pixels", () => {
  assert.equal(outlineStrength(AREAS, 40), 1);
  assert.ok(outlineStrength(AREAS, 4) < 0.6);
  assert.equal(outlineStrength(AREAS, 0.01), 0.2);
});

test("without a place or a pulse the current tile is unknown", () => {
  assert.equal(hereOf({ region: 364 }), null);
  const observations = [{ at: [2950, 3330, 0], pulse: 2 }];
  assert.deepEqual(hereOf({ region: 364, observations }), [2950, 3330]);
  assert.deepEqual(hereOf({ region: 364, observations, here: [1, 2] }), [1, 2]);
});

test("a region whose spots are all on one floor is entered on that floor", () => {
  assert.deepEqual(
    [368, 371, 364, 356].map((region) => floorOf({ region })),
    [1, 1, 0, 0],
  );
  assert.equal(floorOf({ region: 368, floor: 0 }), 0);
});

test("sign, slack and misread apply to the next region too", () => {
  const reading = { meerkats: true, levels: "ignore", slack: 1, misread: 5 };
  assert.deepEqual(settingsFor({ region: 364, ...reading }, { region: 356 }), reading);
  assert.deepEqual(settingsFor({ region: 364 }, { region: 356 }), { levels: "use" });
  assert.deepEqual(settingsFor({ region: 364 }, { region: 351 }), {});
});

test("areas computed for one region are not shown for another", () => {
  const value = { classes: 537, left: [0] };
  const reply = (stale) => ({ replies: { classes: { value, stale } } });
  assert.equal(classesOf({ position: { region: 364 }, ...reply(false) }), value);
  assert.equal(classesOf({ position: { region: 351 }, ...reply(true) }), null);
  assert.equal(classesOf({ position: { region: 364 }, ...reply(true) }), value);
});

test("a place is typed as two numbers with a floor, and other input gives an error", () => {
  assert.deepEqual(parseTile("(3200, 9600, 2)"), [3200, 9600, 2]);
  assert.deepEqual(parseTile("x=3200 y=3400"), [3200, 3400]);
  for (const [text, why] of [
    ["here", /two whole numbers/],
    ["3200", /two whole numbers/],
    ["3200.5, 3400", /two whole numbers/],
    ["99999, 3400", /off the map/],
    ["3200, 3400, 7", /floor/],
  ])
    assert.throws(() => parseTile(text), { message: why });
});

test("a dig that may find nothing has its continuation as its end", () => {
  const next = { spot: 2 };
  const [end] = endsOf({ dig: [5, 6], spots: [0, 1], else: next });
  assert.deepEqual([end.next, end.at, end.rows], [next, [5, 6], []]);
});
