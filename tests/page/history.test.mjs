import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../web/session/history.js";
import { historyEntry } from "../../web/session/records.js";

const positions = (/** @type {any} */ history) => history.path.map((one) => one.position);

test("undo and redo traverse fifty steps without losing one", () => {
  let history = History.begin("code", 0, "start");
  for (let i = 1; i <= 50; i++) history = history.add(i, `step ${i}`);
  for (let i = 49; i >= 0; i--) {
    history = history.move(-1);
    assert.equal(history.position, i);
  }
  assert.equal(history.canUndo, false);
  for (let i = 1; i <= 50; i++) history = history.move(1);
  assert.equal(history.position, 50);
  assert.equal(history.canRedo, false);
});

test("a new step after undo starts a branch and keeps the old one", () => {
  const first = History.begin("code", "a").add("b", "to b").add("c", "to c");
  const history = first.move(-1).add("d", "to d");
  assert.deepEqual(positions(history), ["a", "b", "d"]);
  assert.equal(history.undoLabel, "to d");
  assert.equal(history.canRedo, false);
  assert.equal(history.tree.size, 4);
  const back = history.jump(first.present.id);
  assert.deepEqual(positions(back), ["a", "b", "c"]);
  assert.equal(back.position, "c");
});

test("the same step from the same entry is stored once", () => {
  const history = History.begin("code", "a").add("b", "to b").move(-1).add("b", "to b");
  assert.equal(history.tree.size, 2);
  assert.equal(history.position, "b");
});

test("undo and redo stop at the ends", () => {
  const history = History.begin("code", "a").add("b", "to b");
  assert.equal(history.move(9).position, "b");
  assert.equal(history.move(-9).position, "a");
});

test("a name is shown with its entry on every branch", () => {
  const game = History.begin("code", "a").add("b", "to b");
  const named = game.merge([], [[game.present.id, { text: "before trying", made: 1 }]]);
  const history = named.add("c", "to c");
  const there = history.move(-1);
  assert.equal(there.nameOf(there.present), "before trying");
  assert.equal(history.nameOf(history.present), "");
});

test("the list contains every entry once, with the current branch not indented", () => {
  let history = History.begin("code", 0);
  for (const n of [1, 2, 3]) history = history.add(n, `to ${n}`);
  for (const n of [4, 5]) history = history.move(-2).add(n, `to ${n}`);
  const rows = history.rows();
  assert.equal(new Set(rows.map(({ entry }) => entry.id)).size, history.tree.size);
  assert.deepEqual(
    rows.filter(({ depth }) => depth === 0).map(({ entry }) => entry.position),
    positions(history),
  );
});

test("entries without a parent become roots, and cycles are cut", () => {
  const place = { desk: "code", game: "g", label: "", made: 1 };
  const lone = historyEntry({ ...place, parent: "gone", position: 1 });
  const circle = { ...place, id: "x", parent: "x", position: 2 };
  const tree = new Map([lone, circle].map((one) => [one.id, one]));
  assert.deepEqual(positions(new History(tree, lone.id, lone.id)), [1]);
  const round = new History(tree, "x", "x");
  assert.equal(round.position, 2);
  assert.equal(round.merge([], []).position, 2);
  assert.ok(round.rows().length <= 2);
});

test("steps that another tab added after the current one can be redone", () => {
  const here = History.begin("code", 0).add(1, "one");
  const there = here.add(2, "two").add(3, "three");
  const next = here.merge(there.tree.values());
  assert.equal(next.position, 1);
  assert.deepEqual(positions(next), [0, 1, 2, 3]);
});

test("a trial branch is separate, and the game continues from where it was left", () => {
  const game = History.begin("code", 0).add(1, "one");
  const tried = game.startTrial("a 3 is in it").add(2, "two").add(3, "three");
  assert.equal(tried.trialName, "a 3 is in it");
  const back = tried.leaveTrial();
  assert.equal(back.position, 1);
  assert.equal(back.trialName, null);
  assert.equal(back.canRedo, false, "redo follows the game, not the trial branch");
  const on = back.add(4, "four");
  assert.deepEqual(positions(on), [0, 1, 4]);
  const rows = on.rows().map(({ entry, depth, first }) => [entry.position, depth, first]);
  assert.deepEqual(rows, [
    [0, 0, false],
    [1, 0, false],
    [2, 1, true],
    [3, 1, false],
    [4, 0, false],
  ]);
});

test("starting a trial branch without a step leaves nothing behind", () => {
  const game = History.begin("code", 0).add(1, "one");
  const back = game.startTrial("x").leaveTrial();
  assert.equal(back.trialName, null);
  assert.equal(back.tree.size, 2);
  assert.equal(game.startTrial("x").move(-1).trialName, null);
});

test("leaving a nested trial branch returns to the enclosing one", () => {
  const outer = History.begin("code", 0).startTrial("a").add(1, "one");
  const inner = outer.startTrial("b").add(2, "two");
  assert.equal(inner.trialName, "b");
  assert.equal(inner.leaveTrial().trialName, "a");
  assert.equal(inner.leaveTrial().leaveTrial().trialName, null);
});

test("the origin of a step is stored with it; two origins are two steps", () => {
  const first = History.begin("rack", "a");
  const made = first.add("b", "Ann cuts", { actor: 1 });
  assert.deepEqual(made.present.turn, { actor: 1 });
  const other = made.move(-1).add("b", "Ann cuts", { actor: 2 });
  assert.notEqual(other.present.id, made.present.id);
  assert.equal(made.move(-1).add("b", "Ann cuts", { actor: 1 }).tree.size, 2);
});
