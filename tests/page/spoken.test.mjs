// What screen readers announce: the board slot by slot, the advice bar as one line.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as model from "../../web/desks/rack/model.js";
import { describeStands } from "../../web/desks/rack/spoken-stands.js";
import "./template.mjs";

const { barSpoken, resultSpoken } = await import("../../web/widgets/advice-bar.js");

test("every stand is a sentence: what is cut, shown, one's own, and what the hidden wires may be", () => {
  const position = model.whole({
    viewer: 0,
    stands: [
      { slots: [{ wire: "4" }, { state: "cut", wire: "2" }] },
      { name: "Ann", slots: [{ state: "info", value: "7" }, { tokens: ["even"] }, {}, {}] },
    ],
  });
  const chances = [{ stands: [] }, { 6: 1 }, { 8: 0.75, R5: 0.25 }, {}];
  const value = { stands: [{ slots: [{ 9: 1 }, { 2: 1 }] }, { slots: chances }] };
  const [own, ann] = describeStands({ position, replies: { posterior: { state: "done", value } } });
  assert.equal(own, "You: A, 4, hidden; B, 2, cut.");
  assert.match(
    ann,
    /^Ann: A, 7, shown; B, hidden, .*6.*, even; C, hidden, 8 with 75 %, red with 25 %; D, hidden\.$/,
  );
  const bare = describeStands({ position, replies: { posterior: { state: "waiting", value, stale: true } } });
  assert.equal(bare[1], "Ann: A, 7, shown; B, hidden, even; C, hidden; D, hidden.");
});

test("the bar is told in a line, and not before it is settled", () => {
  const bar = {
    state: "advice",
    title: {},
    spoken: "0 2 0 3",
    number: "3.36",
    unit: "bits",
    facts: [{ text: "can be the code" }],
  };
  assert.equal(barSpoken(bar), "0 2 0 3, 3.36 bits, can be the code");
  assert.equal(barSpoken({ ...bar, state: "estimated" }), "0 2 0 3, ≈ 3.36 bits, can be the code");
  assert.equal(barSpoken({ state: "contradiction", title: "Rows 1, 4 contradict" }), "Rows 1, 4 contradict");
  for (const state of ["computing", "waiting"])
    assert.equal(barSpoken({ ...bar, state }) + barSpoken({ state: "input", title: {} }), "");
});

test("a wide screen speaks the advice too, but no key of the bar that it does not show", () => {
  const advice = { state: "certain", title: "Open B2", facts: [{ text: "safe." }, { text: "12 codes" }] };
  const input = { state: "input", title: "Press the answer" };
  assert.equal(resultSpoken("12 codes", advice, false), "12 codes. Open B2, safe");
  assert.equal(resultSpoken("12 codes.", input, false), "12 codes.");
  assert.equal(resultSpoken("12 codes.", input, true), "12 codes. Press the answer");
  assert.equal(resultSpoken("12 codes.", null, false), "12 codes.");
});
