/** Where one stands, and what goes along to another clue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { classesOf, floorOf, hereOf, placeOf, readingFor } from "../../web/desks/scan/model.js";
import "./template.mjs";

const { endsOf } = await import("../../web/desks/scan/route.js");

test("without a place or a pulse it is not known where one stands", () => {
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

test("sign, slack and misread go along to another region", () => {
  const reading = { meerkats: true, levels: "ignore", slack: 1, misread: 5 };
  assert.deepEqual(readingFor({ region: 364, ...reading }, { region: 356 }), reading);
  assert.deepEqual(readingFor({ region: 364 }, { region: 356 }), { levels: "use" });
  assert.deepEqual(readingFor({ region: 364 }, { region: 351 }), {});
});

test("areas counted for one region are not shown for another", () => {
  const value = { classes: 537, left: [0] };
  const reply = (stale) => ({ replies: { classes: { value, stale } } });
  assert.equal(classesOf({ position: { region: 364 }, ...reply(false) }), value);
  assert.equal(classesOf({ position: { region: 351 }, ...reply(true) }), null);
  assert.equal(classesOf({ position: { region: 364 }, ...reply(true) }), value);
});

test("a place is typed as two numbers with a floor, and anything else says what is wrong", () => {
  assert.deepEqual(placeOf("(3200, 9600, 2)"), [3200, 9600, 2]);
  assert.deepEqual(placeOf("x=3200 y=3400"), [3200, 3400]);
  for (const [text, why] of [
    ["here", /two whole numbers/],
    ["3200", /two whole numbers/],
    ["3200.5, 3400", /two whole numbers/],
    ["99999, 3400", /off the map/],
    ["3200, 3400, 7", /floor/],
  ])
    assert.throws(() => placeOf(text), { message: why });
});

test("a dig that may find nothing has what follows it as its end", () => {
  const next = { spot: 2 };
  const [end] = endsOf({ dig: [5, 6], spots: [0, 1], else: next });
  assert.deepEqual([end.next, end.at, end.rows], [next, [5, 6], []]);
});
