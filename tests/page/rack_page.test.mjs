/** The rack desk without a browser: recording turns, the steps of the pad, texts of the advice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";
import { bar, cutTiles, dialog, log, pad, press, standsOf, tap, tile } from "./rack.mjs";

const { barSpoken } = await import("../../web/widgets/advice-bar.js");

const NAMES = ["", "Ann", "Bob", "Cleo"];
const FRESH = "?1 ?2 ?3 ?3 ?4 ?6\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?";
const MIDDLE = "?1 ?2 ?3 ?3 ?5 ?6\n? ? i3 ? ? ?\n? ? ? ? i5 ?\n? i2 ? ? ? ?";
/** Four wires each; the lists of cuts are short. */
const SMALL = "?1 ?2 ?3 ?4\n? ? ? ?\n? ? ? ?\n? ? ? ?";
const RED_KEY = "Red: the bomb";
const SMALL_WIRES = { wires: { blue: [1, 4] } };
/** Requests of every step are answered only in tests that use the answers. */
const NO_ADVICE = { silent: ["indicate", "cuts", "doubt", "posterior"] };
const CHANCES = { silent: ["indicate", "cuts", "doubt"] };
const CUTS = { silent: ["indicate", "doubt", "posterior"] };

/** A table of four with blue wires 1 to 6 and no mission, so that any equipment may be used. */
const table = (text, more = {}) => ({ wires: { blue: [1, 6] }, stands: standsOf(text, NAMES), ...more });
const open = (text = FRESH, more = {}, { view, ...options } = NO_ADVICE) =>
  openDesk("rack", table(text, more), { ...options, view: { byWin: false, ...view } });

/** The stands in the dialog's shorthand: `? i5 | +3`. */
const stands = (desk) =>
  desk.position.stands.map(({ slots, facts }) => {
    const state = { cut: "", info: "i", hidden: "?" };
    const signs = (token) =>
      token.startsWith("not:") ? `!${token.slice(4)}` : { unsorted: "X", moved: "@" }[token];
    const texts = slots.map(
      (one) => state[one.state] + (one.wire ?? one.value ?? "") + one.tokens.map(signs).join(""),
    );
    const said = facts.map((fact) => ({ has: "+", lacks: "-", one: "1×" })[fact.kind] + fact.value);
    return [texts.join(" "), ...(said.length ? [said.join(" ")] : [])].join(" | ");
  });
/** Records a teammate's cut of a hidden wire, with her own wire. */
async function cut(desk, who, at, value, along) {
  await tap(desk, ...at);
  await press(desk, who, value);
  await tap(desk, ...along);
}

test("own wires are entered from left to right, then a token is indicated", async () => {
  const desk = await openDesk("rack", table(FRESH.replace(/\?\d/g, "?")));
  await tap(desk, 0, 0);
  await press(desk, "1", "2", "3", "3", "4", "6");
  assert.equal(stands(desk)[0], "?1 ?2 ?3 ?3 ?4 ?6");
  await desk.press("Indicate this wire");
  assert.equal(desk.page.all(".tile.info").length, 1);
  const before = desk.page.one(".left b").text;
  await tap(desk, 1, 0);
  await desk.press(pad(desk).all(".soft.key")[0]);
  assert.equal(cutTiles(desk), 2);
  assert.notEqual(desk.page.one(".left b").text, before);
  await desk.move(-1);
  assert.deepEqual([cutTiles(desk), desk.page.one(".left b").text], [0, before]);
});

test("a teammate's failed cut leaves a token and shows a value that she holds", async () => {
  const desk = await open();
  await tap(desk, 2, 3);
  await press(desk, "Ann", "It failed", "4");
  assert.match(pad(desk).text, /What does the token show\?/);
  await press(desk, "3");
  assert.deepEqual(stands(desk).slice(1, 3), ["? ? ? ? ? ? | +4", "? ? ? i3 ? ?"]);
  assert.match(desk.page.text, /has 4/);
});

test("a teammate's cut also takes a wire of hers, and no other player's", async () => {
  const desk = await open();
  await tap(desk, 2, 3);
  await press(desk, "Ann", "4");
  assert.match(desk.page.text, /Now tap the 4 that Ann cut along with it\./);
  await tap(desk, 3, 3);
  assert.match(desk.notices.at(-1), /Tap an uncut wire of the player who made the cut/);
  await tap(desk, 1, 3);
  assert.deepEqual(stands(desk).slice(1, 3), ["? ? ? 4 ? ?", "? ? ? 4 ? ?"]);
});

test("the number of a yellow wire is requested for both cut wires if it is ambiguous", async () => {
  const wires = { blue: [1, 5], yellow: ["Y2", "Y3", "Y4"] };
  const desk = await open("?1 ?2 ?3 ?3 ?4 ?5\n? ? ? ? ? ?\n? ? ? ? ? ?\n? ? ? ? ?", { wires }, CHANCES);
  await cut(desk, "Ann", [2, 3], "yellow 3", [1, 3]);
  assert.match(pad(desk).text, /Which yellow wire was Ann’s D\?/);
  assert.deepEqual(
    pad(desk)
      .all(".soft.key")
      .map((key) => key.name),
    ["yellow 2", "yellow 4"],
  );
  await press(desk, "yellow 4");
  assert.deepEqual([stands(desk)[1], stands(desk)[2]], ["? ? ? Y4 ? ?", "? ? ? Y3 ? ?"]);
  await desk.move(-1);
  await cut(desk, "Ann", [2, 3], "yellow 3", [1, 0]);
  assert.equal(stands(desk)[1], "Y2 ? ? ? ? ?"); // Y4 cannot be the lowest
});

test("a teammate's failed double detector excludes the value from both slots", async () => {
  const desk = await open();
  await tap(desk, 2, 0);
  await press(desk, "Ann", "Double", "It failed");
  assert.match(pad(desk).text, /One more slot\./);
  await tap(desk, 2, 3);
  await press(desk, "5");
  assert.match(pad(desk).text, /Ann named 5: it failed\./);
  await press(desk, "Slot D", "4");
  assert.deepEqual(stands(desk).slice(1, 3), ["? ? ? ? ? ? | +5", "?!5 ? ? i4 ? ?"]);
  assert.match(desk.step, /Ann, double detector: no 5 at Bob A D\. Slot D shows 4\./);
  await desk.move(-1);
  assert.deepEqual(stands(desk), FRESH.split("\n"));
});

test("a ray names two values, and the slot and value that were cut are requested", async () => {
  const desk = await open();
  await tap(desk, 2, 0);
  await press(desk, "Ann", "Double");
  await desk.check("With the X-or-Y ray");
  await tap(desk, 2, 3);
  await press(desk, "3", "5");
  assert.match(pad(desk).text, /Ann named 3 or 5: it worked\./);
  await press(desk, "Slot D", "5");
  await tap(desk, 1, 4);
  assert.deepEqual(stands(desk).slice(1, 3), ["? ? ? ? 5 ? | +3", "? ? ? 5 ? ?"]);
});

test("a teammate's successful triple detector states only what was cut", async () => {
  const desk = await open();
  await tap(desk, 3, 1);
  await press(desk, "Bob", "Triple", "Slot C", "Slot D", "4", "Slot D");
  await tap(desk, 2, 4);
  assert.deepEqual(stands(desk).slice(1), ["? ? ? ? ? ?", "? ? ? ? 4 ?", "? ? ? 4 ? ?"]);
});

test("a super detector at the player's own stand shows its wires", async () => {
  const desk = await open(FRESH.replace("\n? ", "\ni1 "));
  await tap(desk, 0, 2);
  await press(desk, "Cleo", "Super", "It failed", "5", "Slot E");
  assert.equal(stands(desk)[0], "?1!5 ?2!5 ?3!5 ?3!5 i4 ?6!5");
  assert.equal(stands(desk)[3], "? ? ? ? ? ? | +5");
});

test("a teammate cuts the last wires of a value alone", async () => {
  const desk = await open("?1 ?1 ?3 3 ?4 ?6\n? ? 3 ? ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?");
  await tap(desk, 2, 1);
  await press(desk, "Bob", "3");
  assert.match(desk.notices.at(-1), /the last two or all four/);
  await tap(desk, 2, 2);
  await press(desk, "3");
  assert.equal(stands(desk)[2], "? 3 3 ? ? ?");
});

test("a teammate makes a solo cut from both of her stands", async () => {
  const own = [{ state: "cut", wire: "1" }, { wire: "2" }, { wire: "3" }];
  const blank = [{}, {}, {}];
  const desk = await openDesk(
    "rack",
    {
      viewer: 1,
      wires: { blue: [1, 3] },
      stands: [{ name: "Ann", slots: blank }, { owner: 0, slots: blank }, { owner: 1, slots: own }, { owner: 1, slots: own }], // biome-ignore format: a list of stands
    },
    NO_ADVICE,
  );
  await tap(desk, 0, 0);
  await press(desk, "Ann");
  await tap(desk, 1, 0);
  await press(desk, "1");
  assert.deepEqual([log(desk)[0], cutTiles(desk)], ["Ann: 2 × 1 cut alone.", 4]);
});

test("every certain cut is listed, and the result of a detector is entered there", async () => {
  const desk = await open(SMALL, SMALL_WIRES, CUTS);
  await desk.press("Cut");
  await desk.check(/^With detectors and rays too/);
  await desk.press(/^All/);
  const [double] = desk.page.all(".option").filter((one) => /double detector(?! with)/.test(one.text));
  await desk.press(double);
  const why = () => desk.page.one(".reason");
  assert.match(why().text, /It worked\. Which one was cut\?/);
  const [worked, failed] = why().all(".keys-row");
  await desk.press(worked.all("button")[1]);
  assert.equal(cutTiles(desk), 2);
  await desk.move(-1);
  await desk.press(desk.page.all(".option").find((one) => one.dataset.key === double.dataset.key));
  await desk.press(why().all(".keys-row").at(-1).all("button")[0]);
  assert.match(pad(desk).text, /What does the token on . show/);
  assert.ok(failed);
  assert.ok(desk.page.all(".option").some((one) => /double detector with the ray/.test(one.text)));
});

test("the detonator is counted down, also by failed cuts, and its last step has a warning", async () => {
  const desk = await open(SMALL, SMALL_WIRES, CUTS);
  const bare = await desk.address();
  await desk.fromMenu("Table", "Count the detonator’s steps");
  const dial = () => desk.page.role("group", "Detonator");
  assert.match(dial().text, /4 steps left/);
  await desk.press("One step less");
  await desk.press("One step less");
  await tap(desk, 2, 0);
  await press(desk, "Ann", "It failed", "3", "1");
  assert.match(dial().text, /1 step left/);
  await desk.press("Cut");
  assert.match(desk.page.text, /a cut that fails ends the game/);
  const [row] = desk.page.all(".option").filter((one) => one.text.includes("game over"));
  const [works, ends] = [/(\d+) %\s*works/, /game over (\d+) %/].map((one) => Number(one.exec(row.text.replace(/\s+/g, " "))[1])); // biome-ignore format: one line
  assert.ok(Math.abs(works + ends - 100) <= 1); // each is rounded
  await desk.move(-1);
  assert.match(dial().text, /2 steps left/);
  await desk.fromMenu("Table", "Stop counting the detonator’s steps");
  assert.equal(await desk.address(), bare);
});

test("a stabilizer prevents the loss of a step", async () => {
  const desk = await open(MIDDLE, { detonator: 4 });
  await tap(desk, 2, 0);
  await press(desk, "Ann", "It failed");
  await desk.check("With the stabilizer");
  await press(desk, "5", "1");
  assert.equal(desk.position.detonator, 4);
  assert.match(log(desk)[0], /The stabilizer held\./);
});

test("slots are selected and set by keys alone; a dot is an unknown wire", async () => {
  const desk = await open(FRESH.replace(/\?\d/g, "?"));
  await desk.keys("ArrowDown", "1", "Enter", "2", "Enter", ".4", "Enter");
  assert.equal(stands(desk)[0], "?1 ?2 ?4 ? ? ?");
  await desk.keys("ArrowDown", "b", "i5", "Enter");
  assert.match(stands(desk)[1], /^\? i5 /);
  await desk.move(-1);
  assert.equal(desk.page.all(".tile.info").length, 0);
  await desk.keys("qz99", "Enter");
  assert.match(desk.notices.at(-1), /On a keyboard: arrows or a letter/);
});

test("the value of a shown wire is requested and never guessed", async () => {
  const desk = await open(FRESH);
  await desk.keys("b", "5", "Enter");
  assert.equal(stands(desk)[0], "?1 ?5 ?3 ?3 ?4 ?6");
  const later = await open(MIDDLE);
  await later.keys("b", "2", "Enter");
  assert.equal(stands(later)[0], "?1 2 ?3 ?3 ?5 ?6");
});

test("a turn whose key is pressed twice is added once, and partners play one turn each", async () => {
  const desk = await open(MIDDLE);
  await tap(desk, 2, 0);
  await press(desk, "You");
  const [key] = pad(desk).all(".keys-row.numbers button");
  key.press();
  await desk.press(key);
  assert.deepEqual(log(desk), ["You: 1 at Bob A, cut."]);

  Math.random = () => 0.5; // the seed of the deal
  const practice = await openDesk("rack", undefined, {
    ...NO_ADVICE,
    view: { partners: true, scores: true },
  });
  practice.silent = ({ want }) => want === "doubt";
  await practice.fromMenu("Table", "Practise");
  await practice.press("Only show the scores");
  await practice.press("Indicate this wire");
  await practice.press("Let them play"); // the tokens of the players after the captain
  await practice.press("Cut", practice.page.role("group", "Your move"));
  await practice.press(practice.page.all(".reason .plain")[0]);
  const go = practice.page.role("button", "Let them play");
  go.press();
  await practice.press(go);
  const turns = log(practice).toReversed();
  const actors = turns.map((turn) => turn.match(/You|Ann|Bob|Cleo/)[0]);
  assert.deepEqual(actors, ["You", "Ann", "Bob", "Cleo", "You", "Ann", "Bob", "Cleo"]);
  assert.deepEqual(
    turns.map((turn) => turn.startsWith("First token at")),
    actors.map((_, i) => i > 0 && i < 4),
  );
});

test("what a wire shows is asked for and never guessed", async () => {
  const desk = await open();
  await tap(desk, 2, 3);
  const states = () => pad(desk).role("group", "Set slot directly");
  await desk.press("Shown", states());
  assert.match(pad(desk).text, /What does it show\?/);
  assert.equal(stands(desk)[2], "? ? ? ? ? ?");
  await desk.press("Cut", states());
  assert.match(pad(desk).text, /Which wire was cut\?/);
  await desk.press("Shown", states());
  await desk.press("2", pad(desk).one("details.direct"));
  assert.equal(stands(desk)[2], "? ? ? i2 ? ?");
});

test("printed tokens are set as they are", async () => {
  const desk = await open();
  await tap(desk, 2, 3);
  const direct = () => pad(desk).one("details.direct");
  await desk.press("even", direct());
  await desk.press("not 5", direct());
  assert.deepEqual(desk.position.stands[2].slots[3].tokens, ["even", "not:5"]);
  await desk.press("even", direct());
  assert.deepEqual(desk.position.stands[2].slots[3].tokens, ["not:5"]);
});

test("an excluded value is entered by selecting the slot and stored", async () => {
  const desk = await open("? ? ? ? ? ?\n? 5 ? 2 ? ?\n? ? ? ? ? ?\n? ? ? ? ? ?", {}, {});
  assert.match(desk.page.one("[role=alert]").text, /cannot all hold.*Ann B.*Ann D/s);
  assert.equal(desk.page.all(".tile.doubted").length, 2);
  assert.match(tile(desk, 1, 1).text, /5/);
  assert.match(desk.sentences[0], /^These cannot all hold/);
});

test("stands are read from text, and malformed text gives an error with its place", async () => {
  const desk = await open(MIDDLE);
  await desk.fromMenu("Table", "Table as text…");
  assert.match(desk.page.one("textarea").value, /^\?1 \?2 \?3 \?3 \?5 \?6\nAnn: \? \? i3/);
  await desk.fill("The stands as text", "1 2 banana");
  await desk.press("Use these stands");
  assert.match(dialog(desk).one("[role=alert]").text, /slot 3/);
  assert.equal(desk.page.one("textarea").value, "1 2 banana");
  await desk.fill("The stands as text", `${FRESH.replace("?4", "?5")}`);
  await desk.press("Use these stands");
  assert.equal(stands(desk)[0], "?1 ?2 ?3 ?3 ?5 ?6");
});

test("the last cut defuses the bomb; a mark for what a wire is not is no cut", async () => {
  const almost = "?1 1 1 2 2 2\n1!3 2 3 3 3 3\n4 4 4 4 5 5\n5 5 6 6 6 ?";
  const desk = await open(almost, {}, { view: { tab: "cut" }, ...NO_ADVICE });
  assert.doesNotMatch(tile(desk, 1, 0).text, /not 3/);
  assert.doesNotMatch(desk.page.text, /the bomb is defused/);
  const done = await open(
    almost.replaceAll("?1", "1").replace(" ?", " 6"),
    {},
    { ...NO_ADVICE, narrow: true },
  );
  assert.match(done.page.text, /All wires are cut: the bomb is defused/);
  assert.match(done.page.one(".game-end").text, /You have won/);
  assert.equal(done.page.all(".left, .option, [aria-label=Turn]").length, 0);
  assert.equal(bar(done).dataset.state, "finished");
});

for (const [what, text, more, keys, reason] of [
  ["by the detonator", SMALL, { detonator: 1 }, ["3", "4"], /D shows 4\. The detonator has run out/],
  ["by red", `${SMALL} ?`, { wires: { blue: [1, 4], red: ["R3"] } }, ["4", RED_KEY], /red at Bob D/],
])
  test(`a game lost ${what} shows the reason, the review and undo, and no advice`, async () => {
    const asked = { silent: ["doubt", "posterior", "indicate"], view: { tab: "cut" } };
    const desk = await open(text, { ...SMALL_WIRES, ...more }, asked);
    const heads = () => desk.page.all(".head").map((one) => one.text);
    const advice = ".option, .tile.advised, .reason";
    assert.notEqual(desk.page.all(advice).length, 0);
    await tap(desk, 2, 3);
    await press(desk, "It failed", ...keys);
    assert.deepEqual(heads(), ["The game is lost"]);
    const end = desk.page.one(".game-end");
    assert.match(end.text, reason);
    assert.equal(desk.page.all(advice).length, 0);
    assert.match(desk.sentences.join(" "), reason);
    assert.deepEqual(
      end.all("button").map((one) => one.name),
      ["Look back", "Take back the turn"],
    );
    await desk.press("Take back the turn");
    assert.deepEqual(heads(), ["What to cut"]);
    assert.notEqual(desk.page.all(advice).length, 0);
  });

test("the review names a better cut only where the decision lost chances", async () => {
  const best = { action: "dual", stand: 1, slots: [0], value: "1", also: [] };
  const at = (chance) => ({ chance, error: 0 });
  const turn = (text, change) => ({
    text,
    before: at(0.5),
    after: at(0),
    decision: at(change),
    luck: 0,
    best,
    note: "",
  });
  const turns = [turn("A gain by chance", 0.03), turn("A loss", -0.08)];
  const result = { turns, ended: "lost", decisions: 0, luck: 0, lost: 1, mistake: 1, summary: [] };
  const answer = ({ want }) => (want === "review" ? { result } : undefined);
  const options = { silent: ["doubt", "posterior", "indicate", "cuts"], view: { tab: "cut" }, answer };
  const desk = await open(SMALL, { ...SMALL_WIRES, detonator: 1 }, options);
  await tap(desk, 2, 3);
  await press(desk, "It failed", "3", "4");
  await desk.press("Look back");
  const rows = desk.page.all(".review tbody tr").map((one) => one.text);
  assert.deepEqual(
    rows.map((row) => row.includes("better:")),
    [false, true],
  );
});

test("the three kinds of token are compared slot by slot", async () => {
  const desk = await open(FRESH.replace("\n? ?", "\n? i5"), {}, { silent: ["doubt"] });
  await desk.press("Compare the three tokens on this rack");
  assert.equal(desk.page.all(".compare tbody tr").length, 6);
  assert.equal(desk.page.all(".compare .most").length, 3); // the best slot of each token
});

test("cuts are ranked by the chance to win, with its error", async () => {
  const late = "?1 1 ?2 2 ?3 3\n1 2 3 4 4 4\n? ? 4 5 5 5\n? 5 6 6 6 6"; // few wires are left: games are short
  const desk = await open(late, {}, { view: { tab: "cut", byWin: true }, ...CUTS });
  const rows = desk.page.all(".option").map((one) => one.text);
  assert.match(rows[0], /wins (?:> )?\d+ % ± \d+/);
  const shares = rows.map((row) => Number(/wins (?:> )?(\d+)/.exec(row)[1]));
  assert.deepEqual(
    shares,
    shares.toSorted((a, b) => b - a),
  );
  assert.doesNotMatch(desk.page.one(".reason").text, /Not clearly worse/); // it is the best one
});

const MISS = "1 2 ?2 3 3\ni1 ? 3 3\n1 i1 2 ?"; // the best cut wins two of three games, a miss all of them
const missTable = (desk = {}) =>
  openDesk(
    "rack",
    { wires: { blue: [1, 3], red: ["R2"] }, detonator: 3, stands: standsOf(MISS, NAMES) },
    {
      ...CUTS,
      narrow: true,
      view: { tab: "cut" },
      ...desk,
    },
  );

test("by default cuts are ranked by the chance to win, and a best deliberate miss is noted", async () => {
  const desk = await missTable();
  assert.match(barSpoken(desk.desk.bar(desk.context)), /^Say 2 at Ann A, to miss, 100 % wins, costs a step/);
  const rows = desk.page.all(".option").map((one) => one.text.replace(/\s+/g, " "));
  assert.match(rows[0], /miss on purpose|costs a step/);
  assert.equal(rows.filter((row) => /costs a step/.test(row)).length, 1); // one line
  await desk.press("I missed", bar(desk));
  assert.match(log(desk)[0], /^You, miss on purpose: no 2 at Ann A\. Slot A shows 1\. 2 steps left/);
});

test("a chance to win is shown if its interval is at most five points either way", async () => {
  const { words } = await import("../../web/desks/rack/strings.js");
  assert.equal(words.wins({ chance: 0.5, error: 0.02 }), "wins 50 % ± 4");
  assert.doesNotMatch(words.wins({ chance: 0.5, error: 0.03 }, true), /50/);
  assert.equal(words.winNumber({ chance: 0.5, error: 0.03 }), "");
  assert.equal(words.wins({ chance: 0.5, error: 0.03 }), words.winsVague);
});

test("a turn is corrected five turns back, and later turns are replayed", async () => {
  const desk = await open(MIDDLE);
  await cut(desk, "Ann", [2, 1], "4", [1, 4]); // it was Cleo's D in truth
  await cut(desk, "Bob", [3, 2], "4", [2, 2]);
  await cut(desk, "Cleo", [1, 5], "6", [3, 5]);
  await tap(desk, 2, 0);
  await press(desk, "You", "1");
  await cut(desk, "Ann", [3, 0], "1", [1, 0]);
  assert.equal(log(desk).length, 5);
  await desk.press(/^Correct: Ann: 4 at Bob B, cut/);
  assert.match(desk.page.text, /Edit this turn/);
  assert.equal(cutTiles(desk), 0);
  await press(desk, "Done");
  await cut(desk, "Ann", [3, 3], "4", [1, 4]);
  assert.deepEqual(log(desk), [
    "Ann: 1 at Cleo A, cut.",
    "You: 1 at Bob A, cut.",
    "Cleo: 6 at Ann F, cut.",
    "Bob: 4 at Cleo C, cut.",
    "Ann: 4 at Cleo D, cut.",
  ]);
  assert.equal(cutTiles(desk), 10);
  await desk.move(-1);
  assert.equal(cutTiles(desk), 8);
});

test("a later turn that no longer fits is named and omitted on request; cancelling changes nothing", async () => {
  const desk = await open(MIDDLE);
  await cut(desk, "Ann", [2, 1], "4", [1, 4]);
  await cut(desk, "Bob", [3, 2], "4", [2, 2]);
  const before = stands(desk);
  const correct = async () => {
    await desk.press(/^Correct: Ann/);
    await press(desk, "Done");
    await cut(desk, "Ann", [3, 2], "4", [1, 4]); // what Bob cuts afterwards
    assert.match(desk.page.one(".note.along").text, /“Bob: 4 at Cleo C, cut\.” no longer fits/);
  };
  await correct();
  await desk.press("Cancel", desk.page.one(".note.along"));
  assert.deepEqual(stands(desk), before);
  await correct();
  await desk.press("Delete the turn");
  assert.deepEqual(log(desk), ["Ann: 4 at Cleo C, cut."]);
});

test("the acting player follows the turns and undo", async () => {
  const desk = await open(MIDDLE, {}, { ...NO_ADVICE, narrow: true });
  const turn = () =>
    bar(desk)
      .all("[data-part=entry] .soft")
      .map((one) => one.text);
  await cut(desk, "Ann", [2, 1], "4", [1, 4]);
  assert.ok(turn().includes("Bob’s turn"));
  await cut(desk, "Bob", [3, 5], "6", [2, 5]);
  assert.ok(turn().includes("Cleo’s turn"));
  await desk.move(-1);
  assert.ok(turn().includes("Bob’s turn"));
});

test("an unknown own wire shows its chances, a known one none", async () => {
  const desk = await open(MIDDLE.replace("?2", "?"), {}, CHANCES);
  assert.match(tile(desk, 0, 1).one("small").text, /%/);
  assert.equal(tile(desk, 0, 0).all(".odds").length, 0);
});

test("a fact about a stand is entered in two presses", async () => {
  const desk = await open(MIDDLE);
  await desk.press("What is known of Bob");
  await desk.press("Has none", dialog(desk).role("group", "5"));
  assert.equal(desk.page.all("dialog").length, 0);
  assert.equal(stands(desk)[2], "? ? ? ? i5 ? | -5");
  assert.match(desk.sentences.join(" "), /Bob: .*has no hidden 5/);
});

test("a received table asks for the seat, then for its wires", async () => {
  const desk = await open(FRESH.replace(/\?\d/g, "?"), { viewer: null }, { ...NO_ADVICE, narrow: true });
  assert.match(bar(desk).text, /Who are you\?/);
  await desk.press("Bob", bar(desk));
  for (const wire of "124466") await press(desk, wire);
  assert.equal(stands(desk)[2], "?1 ?2 ?4 ?4 ?6 ?6");
  assert.deepEqual([desk.position.viewer, desk.desk.shared(desk.position).viewer], [2, null]);
});

test("a table that follows the desk interprets its first tokens, and can stop", async () => {
  const desk = await open(MIDDLE, {}, { view: { tab: "cut" }, silent: ["doubt", "indicate"] });
  const deals = () => desk.page.one(".left b").text;
  assert.equal(deals(), "806");
  await desk.check(/^We use Cluewise’s token convention/);
  assert.equal(deals(), "120");
  const note = () => desk.page.one(".advice-box .note").text;
  assert.match(note(), /The choice of first tokens is read \(Ann\)/);
  assert.match(note(), /Bob: no hand that fits would have shown 5 there under the convention/);
  await desk.check(/^We use Cluewise’s token convention/, false);
  assert.equal(desk.page.all(".advice-box .note").length, 0);
  await desk.move(-1);
  assert.equal(desk.position.agreed.length > 0, true);
});

test("a radar is one dialog, and a refusal has its reason", async () => {
  const desk = await open(MIDDLE);
  await desk.fromMenu("Table", "Other moves…");
  await desk.press("3", dialog(desk).role("group", "Which number"));
  await desk.press("You", dialog(desk).role("group", "Who said yes"));
  await desk.press("Add to log");
  assert.match(dialog(desk).one("[role=alert]").text, /A 3 lies open there: that is a yes\./);
  await desk.press("Ann", dialog(desk).role("group", "Who said yes"));
  await desk.press("Add to log");
  assert.equal(desk.page.all("dialog").length, 0);
  assert.deepEqual(
    stands(desk).map((line) => line.split(" | ")[1] ?? ""),
    ["+3", "", "-3", "-3"],
  );
});

test("walkie-talkies change the stands and are recorded in the log", async () => {
  const desk = await open(MIDDLE);
  await desk.fromMenu("Table", "Other moves…");
  await desk.select(/^What happened/, "2");
  for (const [label, who, slot] of [
    ["Which wire", "You", "A"],
    ["Compared with which wire", "Ann", "F"],
  ]) {
    const groups = () =>
      dialog(desk)
        .all("[role=group]")
        .filter((one) => one.name === label);
    await desk.press(who, groups()[0]);
    await desk.press(`Slot ${slot}`, groups().at(-1));
  }
  const places = () =>
    dialog(desk)
      .all("[role=group]")
      .filter((one) => /^Place of the new wire/.test(one.name));
  await desk.press("Slot F", places()[0]);
  await desk.press("Slot A", places().at(-1));
  await desk.press("Add to log");
  assert.deepEqual(stands(desk).slice(0, 2), ["?2 ?3 ?3 ?5 ?6 ?@", "?1@ ? ? i3 ? ?"]);
  assert.deepEqual(log(desk), ["Swap: you A against Ann F."]);
});

for (const [card, presses, said] of [
  ["9.9", [["Which number", "3"], ["Which two wires", "Slot C", "Slot D"]], /2 × 3 cut/],
  ["10.10", [["Which number", "3"], ["You", "Slot C", "Slot D"], ["Ann", "Slot C"], ["Bob", "Slot B"]], /4 × 3 cut/],
  ["11.11", [["Which wire", "Slot C"], ["To which stand", "You"], ["Place of the new wire: You", "Slot D"]], /Ann C to you/],
  ["4", [["Which wire", "Slot A"], ["What does the token show?", "1"]], /1/],
  ["6", [], /not counted/],
]) // biome-ignore format: a row a card
  test(`card ${card} is recorded by its dialog`, async () => {
    const desk = await open(MIDDLE);
    await desk.fromMenu("Table", "Other moves…");
    await desk.select(/^What happened/, card);
    for (const [group, ...names] of presses)
      for (const name of names) {
        const keys = dialog(desk)
          .all("[role=group]")
          .filter((one) => one.name === group);
        await desk.press(name, keys.at(-1));
      }
    await desk.press("Add to log");
    assert.match(log(desk)[0] ?? dialog(desk).text, said);
  });

test("a practice game asks for the indicated wire, scores the choice and answers cuts", async () => {
  Math.random = () => 0.5; // the seed of the deal
  const desk = await openDesk("rack", undefined, NO_ADVICE);
  desk.silent = ({ want }) => want === "doubt" || want === "posterior";
  await desk.fromMenu("Table", "Practise");
  assert.match(desk.page.text, /Which wire would you indicate\?/);
  await tap(desk, 0, 1);
  assert.match(desk.page.text, /of the bits of the best slot|is the best choice/);
  await desk.press("Indicate this wire");
  const before = stands(desk);
  await desk.press("Cut", desk.page.role("group", "Your move"));
  await desk.press(desk.page.all(".reason .plain")[0]);
  assert.notDeepEqual(stands(desk), before);
});

test("a table without stands is drawn, also on a phone, and a new one can be set up", async () => {
  for (const narrow of [false, true]) {
    const desk = await openDesk("rack", {}, { narrow });
    await desk.fromMenu("Table", "New table…");
    assert.ok(dialog(desk).role("button", "Mission 66"));
  }
});
