/** What the mines page asks the engine, and how it words what comes back. */
import assert from "node:assert/strict";
import test from "node:test";
import "./template.mjs";

const { bareOf, freshOf } = await import("../../web/desks/mines/model.js");
const { cellName, clueName } = await import("../../web/desks/mines/cell-names.js");
const { puzzles } = await import("../../web/desks/mines/puzzles.js");
const { page } = await import("../../web/desks/mines/page.js");
const { words } = await import("../../web/desks/mines/strings.js");

const names = (position, { cells }) => Array.from({ length: cells }, (_, c) => cellName(position, c));

test("every question carries the places that name the board's cells", () => {
  const view = { degree: 4, check: true, chances: true, why: 0, rate: true, published: true, path: true };
  for (const one of puzzles) {
    const puzzle = { ...one.position };
    const board = { ...puzzle, sealed: undefined, mines: [] };
    for (const asked of [page.wants(puzzle, view), page.wants(board, { region: 0 })])
      for (const [kind, { position }] of Object.entries(asked))
        assert.deepEqual(names(position, one), names(puzzle, one), `${one.title}: ${kind}`);
    assert.deepEqual(names(bareOf(freshOf(puzzle)), one), names(puzzle, one), one.title);
  }
});

test("a score that needs more inexact rounds is shown with their number", () => {
  const score = (allowed) => words.published({ score: -1, allowed });
  assert.match(score({ score: 33.333, inexact_rounds: 2 }), /, with 2 inexact rounds in a row: 33\.33\.$/);
  assert.match(score({ score: 15.25, inexact_rounds: -1 }), /, without a limit of inexact rounds: 15\.25\.$/);
  assert.match(score(null), /no score/);
});

test("a game that JSMinesweeper saved is recognised as a board", () => {
  assert.ok(page.recognises("30x1x2\r\n1FH?\r\n"));
  assert.ok(page.recognises("2x2x1\n1H\nHH"));
  assert.ok(!page.recognises("1920x1080x32\nwide"));
});

test("a Hexcells level is recognised, and its clues say together or apart", () => {
  assert.ok(page.recognises(`Look:\nHexcells level v1\ntitle\n`));
  const position = { forms: { 1: "together" }, revealed: [{ cell: 1, number: 2 }] };
  const groups = [{ kind: "line", cells: [0, 1, 2], count: 2, form: "apart" }];
  const named = ["number:1", "group:0", "spot:2"].map((name) => clueName(position, groups, name));
  assert.deepEqual(named, ["the {2} at cell 1", "line 1, apart", "the count on cell 2"]);
});
