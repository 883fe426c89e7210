import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as model from "../../web/desks/rack/model.js";
import "./template.mjs";
import { mayPoint } from "../../web/desks/rack/turn.js";
import { applyChange, firstTokens, withFirstToken } from "../../web/desks/rack/turn-order.js";

const { describeStands } = await import("../../web/desks/rack/board.js");

const slot = (text) => model.slotFromText(text);

test("a slot is typed in the players' notation", () => {
  assert.deepEqual(slot("7"), { state: "cut", wire: "7", value: null, tokens: [] });
  assert.deepEqual(slot("?R5"), { state: "hidden", wire: "R5", value: null, tokens: [] });
  assert.deepEqual(slot("iY"), { state: "info", wire: null, value: "YELLOW", tokens: [] });
  assert.deepEqual(slot("2x"), { state: "hidden", wire: null, value: null, tokens: ["x2"] });
  assert.deepEqual(slot("i12!3E"), { state: "info", wire: "12", value: null, tokens: ["not:3", "even"] });
  assert.deepEqual(slot("2x?7"), { state: "hidden", wire: "7", value: null, tokens: ["x2"] });
  assert.deepEqual(slot("?3.5"), { state: "hidden", wire: "R3", value: null, tokens: [] });
  assert.deepEqual(slot("1.1"), { state: "cut", wire: "Y1", value: null, tokens: [] });
  for (const junk of ["", "12.1", "!35", "13", "Y", "i", "?Y12", "banana", "R12", "7 7"])
    assert.equal(slot(junk), null, junk);
});

test("a detector may point at shown wires, and needs as many wires as it points at", () => {
  const slots = [{ state: "cut", wire: "1" }, { state: "info", wire: "2" }, {}, { tokens: ["unsorted"] }];
  const position = model.completePosition({ stands: [{ slots: [] }, { slots }] });
  const able = (device) => [0, 1, 2, 3].filter((j) => mayPoint(position, [1, j], device));
  assert.deepEqual(able("double"), [1, 2]);
  assert.deepEqual(able("triple"), []);
  assert.deepEqual(able("super"), [1, 2]);
  assert.deepEqual(able("either"), [2]);
});

test("probabilities are summed by the players' names of wires", () => {
  const chances = { Y2: 0.2, Y9: 0.3, 5: 0.5, R4: 0 };
  assert.deepEqual(model.byValue(chances)[0], ["5", 0.5]);
  assert.deepEqual(model.byValue(chances)[1], ["YELLOW", 0.5]);
});

test("shared positions omit the wires that only the viewer sees", () => {
  const position = model.completePosition({
    stands: [{ slots: [{ wire: "1" }, { state: "info", wire: "2" }] }, { slots: [{ wire: "3" }] }],
  });
  const shared = model.withoutSecrets(position);
  assert.equal(shared.stands[0].slots[0].wire, null);
  assert.equal(shared.stands[0].slots[1].wire, "2");
  assert.equal(shared.viewer, null);
  assert.equal(model.withoutSecrets(shared), shared);
});

test("a returned table restores this player's seat and wires if it is the same game", () => {
  const mine = model.completePosition({
    viewer: 1,
    stands: [{ slots: [{}, {}] }, { slots: [{ wire: "3" }, { wire: "5" }] }],
  });
  const sent = model.withoutSecrets(mine);
  const cut = model.withSlot(sent, [1, 1], { state: "cut", wire: "5", value: null, tokens: [] });
  const again = model.withSeat(mine, cut);
  assert.deepEqual(
    [again.viewer, again.stands[1].slots[0].wire, again.stands[1].slots[1].state],
    [1, "3", "cut"],
  );
  assert.equal(again.stands[0].slots[0].wire, null);
  assert.equal(model.withSeat(again, sent), null); // there it lies hidden still: another deal
  assert.equal(model.withSeat(mine, { ...cut, mission: 3 }), null);
  assert.equal(model.withSeat(sent, cut), null); // no player sits here
});

test("positions from links are completed or refused with a message", () => {
  assert.equal(model.completePosition({}).stands.length, 0);
  const junk = [
    { stands: 3 },
    { detonator: 10 },
    { detonator: "2" },
    { stands: [null] },
    { stands: [{ slots: [{ state: "flying" }] }] },
    { stands: [{ slots: [{ tokens: ["x9"] }] }] },
    { stands: [{ slots: [{ wire: "Y12" }] }] },
    { stands: [{ slots: [], facts: [{ kind: "has" }] }] },
    { wires: { blue: [0, 99] } },
    { wires: { groups: [{}] } },
    { wires: { yellow: ["Z"] } },
    { stands: Array(9).fill({ slots: [] }) },
  ];
  for (const position of junk)
    assert.throws(() => model.completePosition(position), /^Error: [A-Z“].*\.$/, JSON.stringify(position));
});

test("a turn is appended to the last twelve choices if the table records them", () => {
  const choice = { actor: 0, action: "solo", value: "2", was: { detonator: 4 } };
  const after = (choices) => model.tableAfter({ position: { choices }, choice });
  assert.equal(after(null).choices, null);
  const kept = after(Array(12).fill({ ...choice, value: "1" })).choices;
  assert.deepEqual([kept.length, kept[10].value, kept[11].value], [12, "1", "2"]);
});

test("the order of wires is the order of the stand", () => {
  const wires = model.wiresOf(
    model.completePosition({ wires: { blue: [1, 3], yellow: ["Y2"], red: ["R1"] } }),
  );
  assert.deepEqual(wires, ["1", "R1", "2", "Y2", "3"]);
  assert.deepEqual(model.valuesOf(model.completePosition({ wires: { blue: [1, 2], yellow: ["Y2"] } })), [
    "1",
    "2",
    "YELLOW",
  ]);
});

test("the changes of one step are applied to another table, and no others", () => {
  const before = {
    a: [
      { x: 1, y: 1 },
      { x: 2, y: 2 },
    ],
    n: null,
    list: ["p"],
  };
  const after = {
    a: [
      { x: 1, y: 9 },
      { x: 2, y: 2 },
    ],
    n: 4,
    list: ["p", "q"],
  };
  const here = {
    a: [
      { x: 7, y: 1 },
      { x: 8, y: 2 },
    ],
    n: null,
    list: ["p"],
  };
  const found = applyChange(before, after, here);
  assert.deepEqual(found, {
    a: [
      { x: 7, y: 9 },
      { x: 8, y: 2 },
    ],
    n: 4,
    list: ["p", "q"],
  });
  assert.equal(applyChange(before, before, here), here);
});

test("first tokens of a table that follows the desk are recorded in the order in which they were placed", () => {
  const blank = { slots: [{}, {}, {}] };
  const bare = model.completePosition({ stands: [blank, blank, blank] });
  const shown = (wire) => ({ state: "info", wire, value: null, tokens: [] });
  const one = withFirstToken(bare, [2, 1], shown("7"), true);
  const two = withFirstToken(one, [1, 0], shown("3"), true);
  assert.deepEqual(two.agreed, [
    { stand: 2, slot: 1, shows: "7" },
    { stand: 1, slot: 0, shows: "3" },
  ]);
  assert.deepEqual(withFirstToken(two, [2, 0], shown("6"), true).agreed.at(-1), {
    stand: 2,
    slot: 0,
    shows: "6",
  });
  assert.deepEqual(withFirstToken(two, [0, 0], shown("Y2"), true).agreed, two.agreed); // no rule lays a yellow one
  assert.deepEqual(withFirstToken(bare, [2, 1], shown("7"), false).agreed, []);
  const even = { state: "hidden", wire: null, value: null, tokens: ["not:3", "even"] };
  assert.equal(withFirstToken(bare, [0, 2], even, true).agreed[0].shows, "even");
});

test("earlier tokens of a table that starts to follow the desk are taken from the log, or else from the stands", () => {
  const blank = { slots: [{}, {}] };
  const bare = model.completePosition({ stands: [blank, blank] });
  const shown = { state: "info", wire: "2", value: null, tokens: [] };
  const one = withFirstToken(bare, [1, 0], shown, false);
  const step = (position, turn) => ({ id: 1, label: "", position, turn });
  const past = [step(bare, { want: "table" }), step(one, { want: "token", place: [1, 0] })];
  const there = [{ stand: 1, slot: 0, shows: "2" }];
  assert.deepEqual(firstTokens({ position: one, past }), there);
  assert.deepEqual(firstTokens({ position: one, past: [] }), there);
  const cut = model.withSlot(one, [0, 0], { state: "cut", wire: "1", value: null, tokens: [] });
  assert.deepEqual(firstTokens({ position: cut, past: [] }), []); // what lies there may be a failed cut
  assert.deepEqual(firstTokens({ position: cut, past }), there);
});

test("during rollouts the advice is the current order of cuts, not the previous one", () => {
  const early = { options: [2] };
  const waits = { state: "waiting", value: null, progress: null };
  assert.deepEqual(model.cutsSoFar(undefined), { found: null, early: false });
  assert.deepEqual(model.cutsSoFar(waits), { found: null, early: false });
  const running = { ...waits, progress: { done: 16, total: 64, note: "", best: early } };
  assert.deepEqual(model.cutsSoFar(running), { found: early, early: true });
  const done = { ...running, state: "done", value: { options: [3] }, progress: null };
  assert.deepEqual(model.cutsSoFar(done), { found: { options: [3] }, early: false });
  assert.equal(model.cutsSoFar({ ...running, state: "failed" }).found, null);
});

test("missions with turned wires turn them away from their owners and show them to the others", () => {
  const file = new URL("../../pysrc/cluewise/desks/rack/missions.json", import.meta.url);
  const cards = JSON.parse(readFileSync(file, "utf8"));
  const slots = [{}, { tokens: ["unsorted"] }];
  for (const { number, rules = [] } of cards) {
    const table = model.completePosition({ mission: number, stands: [{ slots }, { slots }] });
    const turned = rules.some(({ kind }) => kind === "flipped");
    const seen = table.stands.map((stand, i) => stand.slots.map((one) => model.viewerSees(table, i, one)));
    assert.deepEqual(
      seen,
      turned
        ? [
            [true, false],
            [false, true],
          ]
        : [
            [true, true],
            [false, false],
          ],
      number,
    );
  }
});

test("every stand has a spoken sentence: cut, shown, own and possible wires", () => {
  const position = model.completePosition({
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
  const bare = describeStands({
    position,
    replies: { posterior: { state: "waiting", value: null, stale: true } },
  });
  assert.equal(bare[1], "Ann: A, 7, shown; B, hidden, even; C, hidden; D, hidden.");
});
