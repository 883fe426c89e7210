// The mines desk: positions of labels, neighbours, sealed solutions, requests, texts of answers.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import "./template.mjs";

const { accept } = await import("../../web/desks/mines/accept.js");
const { cellName, clueName, groupName } = await import("../../web/desks/mines/cell-names.js");
const { csvOf, faultOf, kindsOf } = await import("../../web/desks/mines/editor/batch.js");
const { scalePosition } = await import("../../web/desks/mines/difficulty-chart.js");
const { drawnOf, queryPosition, startPosition } = await import("../../web/desks/mines/model.js");
const { page } = await import("../../web/desks/mines/page.js");
const { after, KINDS, withMarks, notesOf, shownOf } = await import("../../web/desks/mines/player-marks.js");
const { lightOf, treeOf } = await import("../../web/desks/mines/proof-steps.js");
const { puzzles } = await import("../../web/desks/mines/puzzles.js");
const { solutionOf, unseal } = await import("../../web/desks/mines/sealed-solution.js");
const { words } = await import("../../web/desks/mines/strings.js");
const { wishText, withAnotherKind } = await import("../../web/desks/mines/puzzles-dialog.js");
const { decode, encode } = await import("../../web/session/link.js");
const { complete } = await import("../../web/validate.js");

test("every bundled puzzle's seal opens and fits its board", async () => {
  for (const { position, mines, cells } of puzzles) {
    assert.equal(solutionOf(position), null);
    const solution = await unseal(position);
    assert.equal(solution?.mines.size, mines);
    assert.equal(solutionOf(position), solution);
    const drawn = drawnOf(position);
    assert.equal(drawn.cells, cells);
    for (const group of drawn.groups)
      assert.equal(group.cells.filter((c) => solution?.mines.has(c)).length, group.count);
    for (const { cell, number } of position.revealed ?? [])
      if (number !== null)
        assert.equal(drawn.neighbours[cell].filter((n) => solution?.mines.has(n)).length, number);
  }
});

test("a damaged seal gives null", async () => {
  assert.equal(await unseal({ sealed: "s1zz" }), null);
  assert.equal(await unseal({ sealed: "nonsense" }), null);
});

test("labels overlap neither cells nor each other, and every line has one", () => {
  for (const { position, title } of puzzles) {
    const drawn = drawnOf(position);
    const lines = drawn.groups.filter((g) => g.kind !== "total" && !g.colour);
    const outside = drawn.labels.filter((l) => !l.inside);
    assert.equal(outside.length, lines.length, title);
    outside.forEach((a, i) => {
      drawn.x.forEach((x, c) => {
        assert.ok(Math.hypot(x - a.x, drawn.y[c] - a.y) > 20, title);
      });
      for (const b of outside.slice(i + 1)) assert.ok(Math.hypot(b.x - a.x, b.y - a.y) > 20, title);
    });
  }
});

test("a coloured shape has its count in one of its cells and a border around it", () => {
  const colours = puzzles.filter((p) => p.kind === "colours");
  assert.equal(colours.length, 3);
  for (const { position, title } of colours) {
    const drawn = drawnOf(position);
    for (const [index, { colour, cells }] of drawn.groups.entries()) {
      if (!colour) continue;
      const inside = drawn.labels.filter((l) => l.inside && l.group === index);
      assert.equal(inside.length, 1, title);
      const near = cells.filter((c) => Math.hypot(drawn.x[c] - inside[0].x, drawn.y[c] - inside[0].y) < 22);
      assert.equal(near.length, 1, title);
    }
  }
  const two = { width: 2, height: 1, kind: "square" };
  const groups = [
    { kind: "set", colour: "RED", cells: [0], count: 0 },
    { kind: "set", colour: "BLUE", cells: [1], count: 1 },
  ];
  assert.equal(drawnOf({ board: two, groups }).fences.split("M").length - 1, 8);
  const one = [{ kind: "set", colour: "RED", cells: [0, 1], count: 1 }];
  assert.equal(drawnOf({ board: { ...two }, groups: one }).fences.split("M").length - 1, 6);
});

test("a torus has wrap-around neighbours, a square does not", () => {
  const at = (kind) => drawnOf({ board: { kind, width: 4, height: 4 } }).neighbours[0];
  assert.deepEqual(at("square"), [1, 4, 5]);
  assert.deepEqual(at("torus"), [1, 3, 4, 5, 7, 12, 13, 15]);
});

test("requests contain no secrets and no decoration; a fresh copy contains no player input", () => {
  const position = {
    ...puzzles[3].position,
    start: [],
    revealed: [{ cell: 1, number: 2 }],
    flags: [4],
    marks: [5],
    notes: { safe: [6] },
  };
  assert.equal("sealed" in queryPosition(position), false);
  assert.equal("polygons" in queryPosition(position), false);
  assert.equal("notes" in queryPosition(position) || "marks" in queryPosition(position), false);
  assert.equal("notes" in startPosition(position) || "marks" in startPosition(position), false);
  assert.deepEqual(startPosition(position).revealed, []);
  assert.equal("flags" in startPosition(position), false);
});

test("cells and groups have the names that the engine uses", () => {
  const { cases } = JSON.parse(readFileSync(new URL("../vectors/mines-names.json", import.meta.url), "utf8"));
  for (const { position: given, cells, groups } of cases) {
    const position = accept(complete("mines", given));
    const drawn = drawnOf(position);
    assert.deepEqual(
      drawn.x.map((_, c) => cellName(position, c)),
      cells,
    );
    assert.deepEqual(
      drawn.groups.map((_, i) => groupName(position, drawn.groups, i)),
      groups,
    );
  }
});

test("every used name is drawn, and never over a cell's centre or a count", () => {
  const { cases } = JSON.parse(readFileSync(new URL("../vectors/mines-names.json", import.meta.url), "utf8"));
  for (const { position: given, cells } of cases) {
    const position = accept(complete("mines", given));
    if (!position.board && !position.pos) continue;
    const { names, labels, x, y } = drawnOf(position);
    const grid = !cells[0].startsWith("cell ");
    const wanted = new Set(grid ? cells.flatMap((c) => c.match(/[A-Z]+|\d+/g)) : x.map((_, c) => String(c)));
    assert.deepEqual(new Set(names.map((n) => n.text)), wanted);
    for (const name of names) {
      for (const label of labels) assert.ok(Math.hypot(label.x - name.x, label.y - name.y) > 14);
      for (const c of x.keys()) assert.ok(Math.hypot(x[c] - name.x, y[c] - name.y) > 8);
    }
  }
});

test("names of triangles do not overlap", () => {
  const boards = puzzles.filter((p) => p.kind === "triangle");
  assert.ok(boards.length > 0);
  for (const { position, title } of boards) {
    const { names } = drawnOf(position);
    // A name is at most 16 units wide and 11 high, in the larger letters of a phone.
    names.forEach((a, i) => {
      for (const b of names.slice(i + 1))
        assert.ok(Math.abs(a.x - b.x) > 16 || Math.abs(a.y - b.y) > 11, `${title}: ${a.text}, ${b.text}`);
    });
  }
});

test("a board with ten units between cells is drawn at the same size as others", () => {
  const near = [[1], [0, 2], [1]];
  const drawn = (unit, pos) => drawnOf({ neighbours: near.map((n) => [...n]), pos, unit, groups: [] });
  const wide = drawn(1, [
    [0, 0],
    [10, 0],
    [20, 0],
  ]);
  const usual = drawn(1, [
    [0, 0],
    [1, 0],
    [2, 0],
  ]);
  assert.deepEqual(wide.x, usual.x);
  assert.deepEqual(wide.view, usual.view);
});

test("the steps of a proof form a tree from the conclusion to the clues, each expanded once", () => {
  const gives = (...cells) => ({ cells, min: 0, max: 0 });
  const steps = [
    { from: ["number:1", "group:0"], gives: gives(4) },
    { from: [0, "number:2"], gives: gives(5) },
    { from: [1, 0], gives: gives(6) },
  ];
  assert.deepEqual(treeOf(steps), {
    step: 2,
    again: false,
    from: [
      {
        step: 1,
        again: false,
        from: [{ step: 0, again: false, from: ["number:1", "group:0"] }, "number:2"],
      },
      { step: 0, again: true, from: [] },
    ],
  });
  assert.deepEqual(lightOf(steps, 1), { cells: [5], clues: ["number:2"], before: [4] });
  assert.equal(lightOf(steps, 7), null);
  assert.equal(lightOf(null, 0), null);
});

const LEVELS = [{ to: 5 }, { to: 11 }, { to: 19 }, { to: 40 }];

test("a score is shown on a scale of four levels of equal width", () => {
  assert.deepEqual(scalePosition(0, LEVELS), { level: 0, at: 0 });
  assert.deepEqual(scalePosition(2.5, LEVELS), { level: 0, at: 0.125 });
  assert.deepEqual(scalePosition(5, LEVELS), { level: 1, at: 0.25 });
  assert.deepEqual(scalePosition(15, LEVELS), { level: 2, at: 0.625 });
  assert.deepEqual(scalePosition(72.13, LEVELS), { level: 3, at: 1 });
});

test("a table of ratings quotes fields where necessary, counts kinds from the easiest on, and names errors", () => {
  const path = ["sum", "one", "sum"].map((technique) => ({
    technique,
    clues: [],
    cells: [],
    verdict: "safe",
  }));
  const rated = /** @type {any} */ ({ smooth: 7.25, no_guess: true, path, thought: 40 });
  assert.deepEqual(Object.entries(kindsOf(rated)), [
    ["one", 1],
    ["sum", 2],
  ]);
  const rows = [
    { file: 'a, "b".puz', title: "One", rated, fault: "" },
    { file: "c.puz", title: "", rated: null, fault: "line 1: x" },
  ];
  assert.equal(
    csvOf(rows),
    "file,title,difficulty,thought,no_guess,moves,kinds,fault\r\n" +
      '"a, ""b"".puz",One,7.25,40,true,3,one:1 sum:2,\r\nc.puz,,,,,,,line 1: x\r\n',
  );
  const where = (/** @type {string} */ place) => faultOf(/** @type {any} */ ({ message: "x", where: place }));
  assert.deepEqual(["line 1", "$.board", ""].map(where), ["line 1: x", "x", "x"]);
});

test("a wish lists every kind with its number, then the conditions on all moves", () => {
  const times = [
    { many: "3", kind: "sum" },
    { many: "0", kind: "chain" },
    { many: "2+", kind: "subset" },
  ];
  const plain = { none: false, widest: 0, rising: false };
  assert.equal(wishText({ times, ...plain }), "3 sum, 0 chain, 2+ subset");
  assert.equal(
    wishText({ times, none: true, widest: 6, rising: true }),
    "3 sum, 0 chain, 2+ subset, none deeper, at most 6 counts, rising",
  );
  // No kind is requested, so there is none to compare with.
  assert.equal(wishText({ times: [times[1]], ...plain, none: true, rising: true }), "0 chain, rising");
});

test("adding a kind to a wish takes one that it does not contain, while there is one", () => {
  let times = [{ many: "3", kind: "chain" }];
  for (let n = 2; n <= 6; n++) {
    times = withAnotherKind(times);
    assert.equal(new Set(times.map(({ kind }) => kind)).size, n);
  }
  assert.equal(withAnotherKind(times), times);
});

test("a cell has at most one mark, independent of earlier marks", () => {
  const board = { kind: "square", width: 4, height: 2 };
  let a = withMarks({ board }, [3, 1], "safe");
  a = withMarks(a, [1], "first");
  a = withMarks(a, [0, 5], "dot");
  a = withMarks(a, [5], null);
  assert.deepEqual(a, { board, marks: [0], notes: { safe: [3], unsure: [], first: [1], second: [] } });
  let b = withMarks({ board }, [0], "dot");
  b = withMarks(withMarks(b, [1, 3], "safe"), [1], "first");
  assert.deepEqual(a, b);
  assert.deepEqual(
    [...notesOf(a)],
    [
      [0, "dot"],
      [3, "safe"],
      [1, "first"],
    ],
  );
  const flagged = { ...a, flags: [3] };
  assert.deepEqual(shownOf(flagged), { dot: [0], safe: [], unsure: [], first: [1], second: [] });
});

test("cycling through the marks visits each once, then none", () => {
  const met = [];
  for (let kind = after(undefined); kind; kind = after(kind)) met.push(kind);
  assert.deepEqual(met, [...KINDS]);
});

test("marks are restored from a link, also from links of the version with one kind", async () => {
  const { position } = puzzles[0];
  let noisy = accept(complete("mines", position));
  for (const [i, kind] of KINDS.entries()) noisy = withMarks(noisy, [3 * i, 3 * i + 1], kind);
  const again = accept((await decode(await encode("mines", noisy))).position);
  assert.deepEqual([...notesOf(again)], [...notesOf(noisy)]);
  assert.equal(await encode("mines", again), await encode("mines", noisy));
  const bare = withMarks(noisy, [...notesOf(noisy).keys()], null);
  assert.equal(await encode("mines", bare), await encode("mines", position));
  const old = await encode("mines", { ...position, marks: [2, 0] });
  const read = accept((await decode(old)).position);
  assert.deepEqual(
    [...notesOf(read)],
    [
      [2, "dot"],
      [0, "dot"],
    ],
  );
});

test("a mark on no cell is refused", () => {
  const board = { kind: "square", width: 2, height: 2 };
  assert.throws(() => accept(complete("mines", { board, notes: { second: [4] } })), /not there/);
});

const names = (position, { cells }) => Array.from({ length: cells }, (_, c) => cellName(position, c));

test("every request contains the coordinates that name the board's cells", () => {
  const view = { degree: 4, check: true, chances: true, why: 0, rate: true, published: true, path: true };
  for (const one of puzzles) {
    const puzzle = { ...one.position };
    const board = { ...puzzle, sealed: undefined, mines: [] };
    for (const asked of [page.listRequests(puzzle, view), page.listRequests(board, { region: 0 })])
      for (const [kind, { position }] of Object.entries(asked))
        assert.deepEqual(names(position, one), names(puzzle, one), `${one.title}: ${kind}`);
    assert.deepEqual(names(queryPosition(startPosition(puzzle)), one), names(puzzle, one), one.title);
  }
});

test("a score that needs inexact rounds is shown with their number", () => {
  const score = (allowed) => words.published({ score: -1, allowed });
  assert.match(score({ score: 33.333, inexact_rounds: 2 }), /, with 2 inexact rounds in a row: 33\.33\.$/);
  assert.match(score({ score: 15.25, inexact_rounds: -1 }), /, without a limit of inexact rounds: 15\.25\.$/);
  assert.match(score(null), /no score/);
});

test("a game saved by JSMinesweeper is recognised as a board", () => {
  assert.ok(page.recognises("30x1x2\r\n1FH?\r\n"));
  assert.ok(page.recognises("2x2x1\n1H\nHH"));
  assert.ok(!page.recognises("1920x1080x32\nwide"));
});

test("a Hexcells level is recognised, and its clues show whether mines are adjacent", () => {
  assert.ok(page.recognises(`Look:\nHexcells level v1\ntitle\n`));
  const position = { forms: { 1: "together" }, revealed: [{ cell: 1, number: 2 }] };
  const groups = [{ kind: "line", cells: [0, 1, 2], count: 2, form: "apart" }];
  const named = ["number:1", "group:0", "spot:2"].map((name) => clueName(position, groups, name));
  assert.deepEqual(named, ["the {2} at cell 1", "line 1, apart", "the count on cell 2"]);
});
