import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../web/session/history.js";
import { historyEntry } from "../../web/session/records.js";

const positions = (/** @type {any} */ history) => history.path.map((one) => one.position);

test("undo and redo traverse fifty steps without losing one", () => {
  let history = History.begin("code", 0, "start");
  for (let i = 1; i <= 50; i++) history = history.after(i, `step ${i}`);
  for (let i = 49; i >= 0; i--) {
    history = history.moved(-1);
    assert.equal(history.position, i);
  }
  assert.equal(history.canUndo, false);
  for (let i = 1; i <= 50; i++) history = history.moved(1);
  assert.equal(history.position, 50);
  assert.equal(history.canRedo, false);
});

test("a new step after undo starts a branch and keeps the old one", () => {
  const first = History.begin("code", "a").after("b", "to b").after("c", "to c");
  const history = first.moved(-1).after("d", "to d");
  assert.deepEqual(positions(history), ["a", "b", "d"]);
  assert.equal(history.undoLabel, "to d");
  assert.equal(history.canRedo, false);
  assert.equal(history.tree.size, 4);
  const back = history.to(first.present.id);
  assert.deepEqual(positions(back), ["a", "b", "c"]);
  assert.equal(back.position, "c");
});

test("the same step from the same moment is stored once", () => {
  const history = History.begin("code", "a").after("b", "to b").moved(-1).after("b", "to b");
  assert.equal(history.tree.size, 2);
  assert.equal(history.position, "b");
});

test("undo and redo stop at the ends", () => {
  const history = History.begin("code", "a").after("b", "to b");
  assert.equal(history.moved(9).position, "b");
  assert.equal(history.moved(-9).position, "a");
});

test("a name is shown with its moment on every branch", () => {
  const way = History.begin("code", "a").after("b", "to b");
  const named = way.joined([], [[way.present.id, { text: "before trying", made: 1 }]]);
  const history = named.after("c", "to c");
  const there = history.moved(-1);
  assert.equal(there.nameOf(there.present), "before trying");
  assert.equal(history.nameOf(history.present), "");
});

test("the list contains every moment once, with the current branch not indented", () => {
  let history = History.begin("code", 0);
  for (const n of [1, 2, 3]) history = history.after(n, `to ${n}`);
  for (const n of [4, 5]) history = history.moved(-2).after(n, `to ${n}`);
  const rows = history.listed();
  assert.equal(new Set(rows.map(({ one }) => one.id)).size, history.tree.size);
  assert.deepEqual(
    rows.filter(({ depth }) => depth === 0).map(({ one }) => one.position),
    positions(history),
  );
});

test("moments without a parent become roots, and cycles are cut", () => {
  const place = { desk: "code", game: "g", label: "", made: 1 };
  const lone = historyEntry({ ...place, parent: "gone", position: 1 });
  const circle = { ...place, id: "x", parent: "x", position: 2 };
  const tree = new Map([lone, circle].map((one) => [one.id, one]));
  assert.deepEqual(positions(new History(tree, lone.id, lone.id)), [1]);
  const round = new History(tree, "x", "x");
  assert.equal(round.position, 2);
  assert.equal(round.joined([], []).position, 2);
  assert.ok(round.listed().length <= 2);
});

test("steps that another tab added after the current one can be redone", () => {
  const here = History.begin("code", 0).after(1, "one");
  const there = here.after(2, "two").after(3, "three");
  const next = here.joined(there.tree.values());
  assert.equal(next.position, 1);
  assert.deepEqual(positions(next), [0, 1, 2, 3]);
});

test("a trial branch is separate, and the game continues from where it was left", () => {
  const game = History.begin("code", 0).after(1, "one");
  const tried = game.supposing("a 3 is in it").after(2, "two").after(3, "three");
  assert.equal(tried.supposed, "a 3 is in it");
  const back = tried.returned();
  assert.equal(back.position, 1);
  assert.equal(back.supposed, null);
  assert.equal(back.canRedo, false, "redo goes on with the game, not with what was tried");
  const on = back.after(4, "four");
  assert.deepEqual(positions(on), [0, 1, 4]);
  const rows = on.listed().map(({ one, depth, first }) => [one.position, depth, first]);
  assert.deepEqual(rows, [
    [0, 0, false],
    [1, 0, false],
    [2, 1, true],
    [3, 1, false],
    [4, 0, false],
  ]);
});

test("starting a trial branch without a step leaves nothing behind", () => {
  const game = History.begin("code", 0).after(1, "one");
  const back = game.supposing("x").returned();
  assert.equal(back.supposed, null);
  assert.equal(back.tree.size, 2);
  assert.equal(game.supposing("x").moved(-1).supposed, null);
});

test("leaving a nested trial branch returns to the enclosing one", () => {
  const outer = History.begin("code", 0).supposing("a").after(1, "one");
  const inner = outer.supposing("b").after(2, "two");
  assert.equal(inner.supposed, "b");
  assert.equal(inner.returned().supposed, "a");
  assert.equal(inner.returned().returned().supposed, null);
});

test("the origin of a step is stored with it; two origins are two steps", () => {
  const first = History.begin("rack", "a");
  const made = first.after("b", "Ann cuts", { actor: 1 });
  assert.deepEqual(made.present.turn, { actor: 1 });
  const other = made.moved(-1).after("b", "Ann cuts", { actor: 2 });
  assert.notEqual(other.present.id, made.present.id);
  assert.equal(made.moved(-1).after("b", "Ann cuts", { actor: 1 }).tree.size, 2);
});
