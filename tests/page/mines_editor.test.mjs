// The level editor: results of strokes, topology, symmetries, the entry in the list of levels.
import assert from "node:assert/strict";
import test from "node:test";
import "./template.mjs";

const { accept } = await import("../../web/desks/mines/accept.js");
const { applyStroke, has, isMade, layoutOf, applyRepair, resizeBoard, pasteCells, copyCells, toggleCount, withLineCounts, withMines, 
  withAll, withCount, withNewCells, withTotal } = await import("../../web/desks/mines/editor/edits.js"); // biome-ignore format: a list of names
const { FIELDS, withLevelField, levelOf } = await import("../../web/desks/mines/editor/editor-page.js");
const { linesOf, mergeCells, freePlaces, symmetricCells, toGraph, levelTexts, removeCells } = await import(
  "../../web/desks/mines/editor/topology.js"
);
const { drawnOf } = await import("../../web/desks/mines/model.js");
const { blank, entryOf } = await import("../../web/desks/mines/pads.js");
const { complete } = await import("../../web/validate.js");

const PLAIN = { colour: "BLUE", dark: false };
const square = (width, height) => ({
  desk: "mines",
  v: 1,
  board: {
    kind: "square",
    width,
    height,
    rows: Array(height).fill(0),
    columns: Array(width).fill(0),
    total: 0,
  },
  mines: [],
});
const hexagon = () => {
  const axial = [];
  for (let r = -1; r <= 1; r++) for (let q = -1; q <= 1; q++) if (Math.abs(q + r) <= 1) axial.push([q, r]);
  const pos = axial.map(([q, r]) => [Math.round(1000 * (q + r / 2)), Math.round(866 * r)]);
  const near = ([q, r], [p, s]) => Math.max(Math.abs(q - p), Math.abs(r - s), Math.abs(q + r - p - s)) === 1;
  const corner = 1000 / Math.sqrt(3);
  const shape = [0, 1, 2, 3, 4, 5].map((k) => [30 + 60 * k].map((d) => (d * Math.PI) / 180).flatMap((a) => [Math.round(corner * Math.cos(a)), Math.round(corner * Math.sin(a))])); // biome-ignore format: a shape
  return {
    desk: "mines", v: 1, pos, polygons: [shape], unit: 1000, mines: [],
    neighbours: axial.map((a) => axial.flatMap((b, i) => (near(a, b) ? [i] : []))),
    groups: [{ kind: "total", cells: axial.map((_, i) => i), count: 0 }],
  }; // biome-ignore format: a board
};
/** All counts of a board, computed from its mines. */
const soundly = (position) => {
  const mines = new Set(position.mines);
  for (const g of drawnOf(position).groups) assert.equal(g.count, g.cells.filter((c) => mines.has(c)).length);
  for (const { cell, number } of position.revealed ?? []) {
    assert.ok(!mines.has(cell));
    const around = drawnOf(position).neighbours[cell].filter((c) => mines.has(c)).length;
    assert.equal(number, (position.secret ?? []).includes(cell) ? null : around);
  }
  return position;
};

test("a stroke applies its brush, and all counts are updated", () => {
  let board = applyStroke(square(4, 3), "mine", [0, 5, 6], true, PLAIN);
  assert.deepEqual(soundly(board).board.rows, [1, 2, 0]);
  assert.equal(board.board.total, 3);
  board = soundly(applyStroke(board, "start", [1, 5], true, PLAIN));
  assert.deepEqual(board.mines, [0, 6]);
  board = soundly(applyStroke(board, "secret", [1], true, PLAIN));
  assert.deepEqual(board.revealed[0], { cell: 1, number: null });
  board = soundly(applyStroke(board, "mine", [1], true, PLAIN));
  assert.deepEqual(board.secret, []);
  assert.ok(has(board, "mine", 1, PLAIN) && !has(board, "start", 1, PLAIN));
});

test("an edited board has its mines in the link; a played one only as a seal", () => {
  const made = accept(complete("mines", applyStroke(square(3, 3), "mine", [4], true, PLAIN)));
  assert.ok(isMade(made));
  assert.deepEqual(made.mines, [4]);
  const played = accept(complete("mines", { ...square(3, 3), sealed: "s1zz" }));
  assert.ok(!isMade(played));
  assert.throws(() => accept(complete("mines", { ...square(3, 3), mines: [9] })));
});

test("a count at the edge is hidden and shown again, on squares and on hexagons", () => {
  const board = applyStroke(square(4, 3), "mine", [0, 5], true, PLAIN);
  const hidden = toggleCount(board, 1);
  assert.deepEqual(hidden.board.rows, [1, null, 0]);
  assert.deepEqual([...withLineCounts(hidden).hidden], [1]);
  assert.deepEqual(toggleCount(hidden, 1).board, board.board);
  const cells = hexagon();
  assert.equal(linesOf(cells).length, 9);
  assert.equal(withLineCounts(cells).hidden.size, 9);
  const shown = soundly(toggleCount(applyStroke(cells, "mine", [3], true, PLAIN), 2));
  assert.equal(withLineCounts(shown).hidden.size, 8);
  assert.equal(shown.groups.length, 2);
  assert.equal(toggleCount(shown, 1).groups.length, 1);
  assert.equal(withTotal(shown, false).groups.length, 1);
});

test("colours are groups, cells without a colour are counted too, and choosing a set twice removes it", () => {
  let board = applyStroke(square(3, 2), "mine", [0, 4], true, PLAIN);
  board = soundly(applyStroke(board, "colour", [0, 1], true, PLAIN));
  assert.deepEqual(board.groups.map((g) => [g.kind, g.cells, g.count]), [["colour", [0, 1], 1], ["rest", [2, 3, 4, 5], 1]]); // biome-ignore format: a table
  board = soundly(applyStroke(board, "colour", [1, 2], true, { colour: "RED", dark: true }));
  assert.deepEqual(board.groups[0].cells, [0]);
  board = applyStroke(board, "colour", [0, 1, 2], false, PLAIN);
  assert.deepEqual(board.groups, []);
  const lines = soundly(applyStroke(board, "line", [0, 4], true, PLAIN));
  assert.equal(lines.groups[0].count, 2);
  assert.deepEqual(applyStroke(lines, "line", [4, 0], true, PLAIN).groups, []);
});

test("removing and restoring a cell restores the board", () => {
  for (const board of [toGraph(square(4, 4)), hexagon()]) {
    const mined = withMines(board, { mines: new Set([0, 2]), secret: new Set(), start: new Set([3]) });
    const cell = drawnOf(mined).cells - 1;
    const fewer = soundly(withMines(removeCells(mined, [cell]), layoutOf(removeCells(mined, [cell]))));
    assert.equal(drawnOf(fewer).cells, cell);
    const at = mined.pos[cell];
    const place = freePlaces(fewer).find((p) => Math.hypot(p.x - at[0], p.y - at[1]) < 0.05 * mined.unit);
    assert.ok(place);
    const again = soundly(withNewCells(fewer, [place]));
    assert.deepEqual(
      drawnOf(again).neighbours.map((n) => [...n].sort((a, b) => a - b)),
      drawnOf(mined).neighbours,
    );
    assert.deepEqual(again.groups.map((g) => [...g.cells].sort((a, b) => a - b)), mined.groups.map((g) => g.cells)); // biome-ignore format: two lists
  }
});

test("possible new cells surround the board and never cover it", () => {
  assert.equal(freePlaces(square(3, 2)).length, 10);
  assert.equal(freePlaces(hexagon()).length, 12);
  const holed = removeCells(toGraph(square(3, 3)), [4]);
  assert.ok(freePlaces(holed).some((p) => p.x === 1 && p.y === 1));
});

test("joined cells have one outline and the neighbours of all", () => {
  const board = toGraph(square(3, 3));
  const made = mergeCells(board, [0, 1, 3]);
  assert.equal(drawnOf(made).cells, 7);
  const whole = made.polygon_of.findIndex((shape) => shape > 0);
  assert.deepEqual([...made.neighbours[whole]].sort(), [1, 2, 3, 4, 5].filter((c) => c !== whole).concat(whole === 0 ? [] : [0]).sort()); // biome-ignore format: a list
  assert.equal(made.polygons[made.polygon_of[whole]].length, 8);
  assert.ok(made.groups.every((g) => new Set(g.cells).size === g.cells.length));
  assert.equal(mergeCells(board, [0, 2]), null, "two cells apart");
  assert.equal(mergeCells(board, [0, 1, 2, 3, 5, 6, 7, 8]), null, "a ring round a hole");
});

test("strokes are mirrored on a symmetric board", () => {
  const all = drawnOf(square(5, 4));
  const places = all.x.map((x, i) => ({ x, y: all.y[i] }));
  assert.deepEqual(symmetricCells([1], places, "sides", 4).sort((a, b) => a - b), [1, 3]); // biome-ignore format: a list
  assert.deepEqual(symmetricCells([1], places, "heads", 4).sort((a, b) => a - b), [1, 16]); // biome-ignore format: a list
  assert.deepEqual(symmetricCells([1], places, "half", 4).sort((a, b) => a - b), [1, 18]); // biome-ignore format: a list
  const even = drawnOf(square(4, 4));
  assert.equal(symmetricCells([1], even.x.map((x, i) => ({ x, y: even.y[i] })), "turns", 4).length, 4); // biome-ignore format: a list
  const hex = drawnOf(hexagon());
  assert.equal(symmetricCells([0], hex.x.map((x, i) => ({ x, y: hex.y[i] })), "turns", 6).length, 6); // biome-ignore format: a list
});

test("a copy is placed elsewhere, and cells outside the board are left out", () => {
  const board = applyStroke(square(4, 4), "mine", [0, 5], true, PLAIN);
  const stamp = copyCells(board, [0, 1, 4, 5]);
  assert.deepEqual(soundly(pasteCells(board, stamp, 10)).mines, [0, 5, 10, 15]);
  assert.deepEqual(pasteCells(board, stamp, 15).mines, [0, 5, 15]);
});

test("a rectangle grows and shrinks at its right and lower edge", () => {
  const board = applyStroke(square(3, 3), "mine", [2, 4], true, PLAIN);
  const wider = soundly(resizeBoard(board, 1, 0));
  assert.deepEqual(wider.mines, [2, 5]);
  assert.deepEqual(soundly(resizeBoard(wider, -2, -1)).mines, [3]);
});

test("repairs have their stated effect", () => {
  const board = applyStroke(applyStroke(square(2, 2), "mine", [0], true, PLAIN), "secret", [3], true, PLAIN);
  const after = (kind, cell) => soundly(applyRepair(board, { kind, cell }));
  assert.deepEqual(after("number", 3).secret, []);
  assert.deepEqual(after("open", 1).revealed, [{ cell: 1, number: 1 }]);
  assert.deepEqual(after("clear", 0).mines, []);
  assert.deepEqual(after("mine", 3).mines, [0, 3]);
});

test("line counts are added outside the board and removed again", () => {
  const board = blank(square(3, 2));
  assert.equal(entryOf(board).hidden.size, 5);
  let counted = withCount(board, 1, 2);
  counted = withCount(counted, 4, 1);
  counted = withAll(counted, 3);
  assert.deepEqual([counted.board.rows, counted.board.columns, counted.board.total], [[null, 2], [null, null, 1], 3]); // biome-ignore format: a board
  assert.deepEqual(withCount(counted, 1, null).board.rows, [null, null]);
  const { mines: _, ...cells } = hexagon();
  const first = withCount({ ...cells, groups: [] }, 2, 1);
  assert.equal(first.groups.length, 1);
  assert.deepEqual(withCount({ ...cells, groups: [] }, 2, null).groups, [], "there is no count to remove");
  assert.equal(withCount(counted, 5, null).board.total, null);
  assert.equal(withCount(first, 0, 2).groups[0].count, 2);
  assert.deepEqual(withCount(first, 0, null).groups, []);
  assert.equal(withAll(first, 4).groups[1].count, 4);
});

const LEVEL = /** @type {import("../../web/desks/mines/model.js").Position} */ ({
  desk: "mines",
  v: 1,
  board: { kind: "square", width: 1, height: 1 },
});

test("the fields of the game's list are set one by one and removed again", () => {
  const entered = { id: "Y1", next: "Y2", tile: "A★1", author: "N. N." };
  let made = LEVEL;
  for (const field of FIELDS) made = withLevelField(made, field, entered[field]) ?? LEVEL;
  assert.deepEqual(levelOf(made), entered);
  assert.deepEqual(levelOf(LEVEL), { id: "", next: "", tile: "", author: "" });
  for (const field of FIELDS) made = withLevelField(made, field, "") ?? LEVEL;
  assert.deepEqual(made.puz, { id: "", meta: null });
});

test("other tags of the file are kept, and a field refuses values that do not fit", () => {
  const opened = /** @type {import("../../web/desks/mines/model.js").Position} */ ({
    ...LEVEL,
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
  assert.deepEqual(withLevelField(opened, "tile", "")?.puz?.meta, [["SCORE", "7"]]);
  assert.deepEqual(withLevelField(opened, "tile", "")?.puz?.node_ids, ["4"]);
  for (const [field, text] of /** @type {const} */ ([
    ["id", "a b"],
    ["id", "x".repeat(41)],
    ["next", "Y<"],
    ["tile", "LONG"],
    ["author", "x".repeat(81)],
  ]))
    assert.equal(withLevelField(opened, field, text), null);
});

test("when the cells change, the fields of the list stay and the file's cells are removed", () => {
  const puz = { id: "Y9", meta: /** @type {[string, string][]} */ ([["AUTHOR", "N."]]), node_ids: ["4"] };
  assert.deepEqual(levelTexts({ ...LEVEL, puz }), { id: "Y9", meta: [["AUTHOR", "N."]] });
  assert.equal(levelTexts(LEVEL), null);
  assert.equal(levelTexts({ ...LEVEL, puz: { node_ids: ["4"] } }), null);
});
