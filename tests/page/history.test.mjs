import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../web/session/history.js";

test("undo and redo walk fifty steps back and forth without losing one", () => {
  let history = History.from(0, "start");
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

test("a new step after an undo replaces what was ahead, and nothing behind", () => {
  const history = History.from("a").after("b", "to b").after("c", "to c").moved(-1).after("d", "to d");
  assert.deepEqual(
    history.moments.map((m) => m.position),
    ["a", "b", "d"],
  );
  assert.equal(history.undoLabel, "to d");
});

test("moving past either end stays there", () => {
  const history = History.from("a").after("b", "to b");
  assert.equal(history.moved(9).position, "b");
  assert.equal(history.moved(-9).position, "a");
});
