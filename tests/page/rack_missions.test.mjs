/** Missions without a browser: new tables, their cards, and turns by special rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { foundMissions } from "../../web/desks/rack/mission-notes.js";
import { openDesk } from "./desk.mjs";
import { bar, cutTiles, dialog, log, pad, press, standsOf, tap, tile } from "./rack.mjs";

Math.random = () => 0.5; // the seed of what is drawn
const NAMES = ["Ann", "Bob", "Cleo", "Dan"];
const BLUE4 = { blue: [1, 4] };
const LAID = "? i2 ? ?\n? i2 ? ?\n? i3 ? ?\n?1 ?2 i3 ?4"; // the first tokens lie; the viewer is Dan
const POSTERIOR = { silent: ["indicate", "cuts", "doubt"] };
const NOTHING = { silent: () => true };

/** A small table of a mission: a stand a line, `?7` where the viewer sees the wire, `X` where it is unsorted. */
const open = (mission, viewer, text, more = {}, { view, ...options } = POSTERIOR) =>
  openDesk(
    "rack",
    { mission, viewer, wires: BLUE4, ...more, stands: standsOf(text, NAMES) },
    { ...options, view: { byWin: false, ...view } },
  );
const phone = (options = POSTERIOR) => ({ ...options, narrow: true });
/** Lays out a table: New table…, the mission, `pressed` wires and cards, and a seat. */
async function layOut(desk, mission, pressed, seat) {
  await desk.fromMenu("Table", "New table…");
  await desk.press(`Mission ${mission}`, dialog(desk));
  for (const [group, ...names] of pressed)
    for (const name of names) await desk.press(name, dialog(desk).role("group", group));
  await desk.press(seat, dialog(desk));
}
const CAPTAIN = "4 players, you are the captain";

test("a mission uses either all of the table's yellow and red wires or none", async () => {
  const desk = await openDesk("rack", undefined, NOTHING);
  desk.silent = ({ want }) => want !== "mission";
  const yellow = /^Yellow wires, 2 of 3/;
  await layOut(desk, 5, [[yellow, "3", "7"]], CAPTAIN);
  assert.match(dialog(desk).one("[role=alert]").text, /3 yellow and 1 red numbers, or none/);
  await desk.press("9", dialog(desk).role("group", yellow));
  await desk.press("2", dialog(desk).role("group", /^Red wires, 1/));
  await desk.press("5", dialog(desk).role("group", /^Red wires, 1/)); // one is in play: the 2 goes out
  await desk.press(CAPTAIN, dialog(desk));
  assert.match(desk.page.all(".sub")[0].text, /red 5 · 2 of yellow 3, 7, 9/);
  assert.equal(desk.page.all("h1")[0].text, "Mission 5");
});

test("the rules of a mission are one tap away, in the list and at the table", async () => {
  const { MISSION_NOTES, MISSION_TITLES } = await import("../../web/desks/rack/mission-notes.js");
  assert.deepEqual([MISSION_NOTES.length, new Set(MISSION_TITLES).size], [66, 66]);
  assert.ok(MISSION_NOTES.every((note) => /^[A-Z].*\.$/.test(note)));
  const desk = await openDesk("rack", undefined, NOTHING);
  await desk.fromMenu("Table", "New table…");
  await desk.press("Mission 11", dialog(desk));
  assert.equal(dialog(desk).all("h3")[0].text, "Mission 11: A blue number that counts as red");
  assert.match(dialog(desk).text, /One open blue number counts as red/);
  const table = await open(11, 3, LAID, {}, NOTHING);
  assert.match(table.page.one(".board-side > details.more").text, /One open blue number counts as red/);
});

test("the mission's actions stay on the pad while the next position is computed", async () => {
  const desk = await open(2, 3, LAID);
  const devices = async (stand) => {
    await tap(desk, stand, 0);
    await press(desk, "Ann");
    return ["Double", "Triple"].filter((name) => pad(desk).text.includes(name));
  };
  assert.deepEqual(await devices(1), ["Double"]);
  desk.silent = ({ want }) => want !== "outcome";
  await press(desk, "1");
  await tap(desk, 0, 0);
  assert.deepEqual([cutTiles(desk), await devices(2)], [2, ["Double"]]);
});

test("names are entered in the set-up, and a second stand has its owner's name", async () => {
  const desk = await openDesk("rack", undefined, NOTHING);
  desk.silent = ({ want }) => want !== "mission";
  await desk.fromMenu("Table", "New table…");
  await desk.press("Mission 1", dialog(desk));
  await desk.fill("Name 1, clockwise from the captain", "Dora");
  await desk.fill("Name 2, clockwise from the captain", "Emil");
  await desk.press("3 players, you are player 2", dialog(desk));
  const heads = desk.page.all(".stand-head h2").map((one) => one.text);
  assert.deepEqual(heads, ["You", "Dora", "Dora, second stand", "Emil"]);
});

test("a mission for three players reports it if two are selected", async () => {
  const desk = await openDesk("rack", undefined, NOTHING);
  desk.silent = ({ want }) => want !== "mission";
  await layOut(desk, 34, [], "2 players, you are the captain");
  assert.match(dialog(desk).one("[role=alert]").text, /Mission 34 is for 3 players/);
  await desk.press("3 players, you are player 2", dialog(desk));
  assert.equal(desk.page.all("h1")[0].text, "Mission 34");
});

test("number cards and the captain card are requested in the set-up and never guessed", async () => {
  const cards = "Open number cards, in their order";
  for (const [mission, group, pressed, found] of [
    [9, cards, ["3", "9", "4"], { numbers: ["3", "9", "4"] }],
    [9, cards, [], { numbers: [] }],
    [14, "Who holds the captain card", ["3"], { captain_card: 2 }],
  ]) {
    const desk = await openDesk("rack", undefined, NOTHING);
    desk.silent = ({ want }) => want !== "mission";
    await layOut(desk, mission, pressed.length ? [[group, ...pressed]] : [], CAPTAIN);
    for (const [field, value] of Object.entries(found)) assert.deepEqual(desk.position[field], value);
  }
});

test("rules that the numbers do not include are named in the advice and, on a phone, in the bar", async () => {
  const desk = await open(
    44,
    3,
    LAID,
    { detonator: 4 },
    { silent: ["doubt", "indicate"], view: { tab: "cut" }, narrow: true },
  );
  const card = desk.page.one(".check-card");
  assert.match(card.text, /Check the card \(\d rules? not included\)/);
  assert.match(card.text, /Cuts cost air/);
  assert.match(bar(desk).text, /see the card/);
});

test("the pad offers the mission's equipment", async () => {
  const desk = await open(2, 3, LAID);
  await tap(desk, 1, 2);
  const devices = pad(desk)
    .role("group", "With")
    .all("button")
    .map((one) => one.text);
  assert.deepEqual(devices, ["Cut", "Double"]);
});

test("other actions are those that the mission allows now; the others show the reason", async () => {
  const desk = await open(9, 3, LAID);
  await desk.fromMenu("Table", "Other moves…");
  const cards = () => dialog(desk).all("option");
  assert.ok(!cards().some((one) => one.text === "Single label")); // of a later box
  const free = cards()
    .filter((one) => !("disabled" in one.attributes))
    .map((one) => one.text);
  assert.deepEqual(free, ["A turn is skipped"]);
  const locked = dialog(desk)
    .all("li")
    .map((one) => one.text);
  assert.ok(locked.includes("Radar: This equipment is usable once two 8s are cut."), locked.join("|"));
  const early = await open(2, 3, LAID);
  await early.fromMenu("Table", "Other moves…");
  assert.deepEqual(
    dialog(early)
      .all("option")
      .map((one) => one.text),
    ["A turn is skipped"],
  );
  assert.doesNotMatch(dialog(early).text, /Not now/);
});

test("values locked by the mission are grey with the reason", async () => {
  const desk = await open(9, 3, LAID);
  await desk.fromMenu("Table", "Mission cards…");
  for (const number of ["2", "4"])
    await desk.press(number, dialog(desk).role("group", "Open number cards, in their order"));
  assert.deepEqual(desk.position.numbers, ["2", "4"]);
  await desk.press("Close");
  await tap(desk, 0, 2);
  await desk.press("Bob", pad(desk).role("group", "Whose turn"));
  const grey = pad(desk)
    .one(".keys-row.numbers")
    .all("button")
    .filter((one) => one.disabled);
  assert.deepEqual(
    grey.map((one) => one.name.split(" ")[0]),
    ["4"],
  );
  assert.match(pad(desk).text, /4 is locked until two 2s are cut\./);
});

test("the remaining number cards are entered; by default all but the open one", async () => {
  const desk = await open(45, 3, LAID, { numbers: ["4"] });
  await desk.fromMenu("Table", "Mission cards…");
  const deck = () => dialog(desk).role("group", "Number cards left in the deck");
  assert.equal(deck().all("[aria-pressed=true]").length, 11);
  await desk.press("7", deck());
  assert.deepEqual(desk.position.numbers_left, ["1", "2", "3", "5", "6", "8", "9", "10", "11", "12"]);
});

test("a mission is found by its number or by words of its title and note", () => {
  assert.deepEqual(foundMissions("6"), [6, 60, 61, 62, 63, 64, 65, 66]);
  assert.deepEqual(foundMissions("sound file"), [19, 30, 42, 66]);
  assert.equal(foundMissions("").length, 66);
});

test("each player's limit card is entered with the mission's cards", async () => {
  const desk = await open(31, 3, LAID);
  await desk.fromMenu("Table", "Mission cards…");
  await desk.select(/^Limit card: Bob/, "C");
  await desk.select(/^Limit card: You/, "A");
  assert.deepEqual(desk.position.limits, [null, "C", null, "A"]);
  assert.equal(desk.position.constraint, "A");
});

test("the deadly number is entered with its card and never advised", async () => {
  const desk = await open(11, 3, LAID, {}, { silent: ["doubt", "indicate"], view: { tab: "cut" } });
  await desk.fromMenu("Table", "Mission cards…");
  const cards = () => dialog(desk).role("group", "Open number cards, in their order");
  assert.equal(cards().all("[aria-pressed=true]").length, 0); // none is guessed
  await desk.press("1", cards());
  await desk.press("Close");
  assert.match(desk.page.all(".sub")[0].text, /^card 1/);
  await desk.press(/^All/);
  const named = desk.page.all(".option .mini-tile").map((one) => one.text);
  assert.ok(named.length > 0);
  assert.ok(!named.includes("1"));
  assert.ok(desk.page.all(".option").some((one) => /red/.test(one.text)));
});

test("a detector that pointed only at the deadly number is recorded as the end", async () => {
  const desk = await open(11, 3, LAID, { numbers: ["3"] }, phone());
  await tap(desk, 2, 2);
  await press(desk, "You", "Double", "It failed");
  await tap(desk, 2, 1);
  await press(desk, "2");
  assert.doesNotMatch(pad(desk).text, /Slot B/); // a token lies on no deadly wire
  await press(desk, "✸ All of them red: the bomb");
  assert.match(desk.step, /red at Cleo B C\. The bomb has gone off\./);
});

const TURNED = "?1 i2 ?3 X\n? i2 ? ?\n? i3 ? ?\n? ? i4 ?"; // mission 38: the captain does not see her last wire

test("an owner cuts her own turned wire, and a wrong guess ends the game", async () => {
  const desk = await open(38, 0, TURNED, {}, phone());
  await tap(desk, 0, 3);
  assert.equal(
    pad(desk)
      .all("[role=group]")
      .filter((one) => one.name === "With").length,
    0,
  ); // no equipment helps
  await press(desk, "3");
  assert.equal(cutTiles(desk), 2);
  await desk.move(-1);
  await tap(desk, 0, 3);
  await press(desk, "It failed");
  assert.doesNotMatch(pad(desk).text, /With the stabilizer/);
  await press(desk, "3");
  assert.match(log(desk)[0], /The bomb has gone off/);
  assert.match(bar(desk).text, /The bomb has gone off/);
  assert.equal(desk.page.one("[data-part=act]").text, "Look back");
  await desk.move(-1);
  assert.doesNotMatch(bar(desk).text, /gone off/);
});

test("advice for a player's own turned wire warns that failing ends the game", async () => {
  const desk = await open(
    38,
    0,
    TURNED,
    {},
    { silent: ["doubt", "indicate"], view: { tab: "cut", every: true } },
  );
  const row = desk.page.all(".option").find((one) => one.text.includes("You"));
  assert.match(row.text, /game over/);
  assert.doesNotMatch(row.text, /red/);
});

const TURNED_ALL = "? i2 ? ?3X\n?1 i2 ?3 X\n? i3 ? ?1X\n? ? i4 ?4X"; // mission 56, seen by Bob

test("a teammate cuts her own turned wire in two presses", async () => {
  const desk = await open(56, 1, TURNED_ALL, { detonator: 4 });
  await tap(desk, 0, 3); // Ann is the captain: it is her turn
  await tap(desk, 0, 2);
  assert.equal(log(desk)[0], "Ann: 3 at Ann D, cut.");
  assert.equal(desk.position.detonator, 4);
});

test("turned wires of teammates are requested, and no shared link contains them", async () => {
  const desk = await open(56, 1, TURNED_ALL.replace("?3X", "X").replaceAll("i", "?"), {}, phone());
  assert.match(bar(desk).text, /Ann’s turned wire/);
  await desk.press("Enter them");
  await press(desk, "3");
  assert.match(bar(desk).text, /Ann’s token/);
  const seen = (position) =>
    position.stands.flatMap(({ slots }) => slots.filter((one) => one.state === "hidden" && one.wire));
  assert.ok(seen(desk.position).length > 0);
  assert.equal(seen(desk.desk.shared(desk.position)).length, 0);
});

test("cutting another player's turned wire takes a step, as the advice states", async () => {
  const desk = await open(
    56,
    1,
    TURNED_ALL,
    { detonator: 4 },
    { silent: ["doubt", "indicate"], view: { tab: "cut", every: true } },
  );
  const row = desk.page.all(".option").find((one) => /Ann\s*D/.test(one.one(".where").text));
  assert.match(row.text, /takes a step/);
});

test("lying tokens are placed in two presses each and state what a wire is not", async () => {
  const fresh = "? ? ? ?\n? ? ? ?\n? ? ? ?\n?1 ?2 ?3 ?4";
  const desk = await open(17, 3, fresh, { captain_card: 2 }, phone());
  for (const [i, name] of ["Ann", "Bob"].entries()) {
    assert.match(bar(desk).text, new RegExp(`${name}’s token`));
    await tap(desk, i, 1);
    await press(desk, "2");
  }
  for (const j of [1, 2]) {
    assert.match(bar(desk).text, /Cleo’s token.*The token is false/);
    await tap(desk, 2, j);
    await press(desk, "4");
  }
  assert.deepEqual(
    desk.position.stands[2].slots.map((one) => one.tokens.join()),
    ["", "not:4", "not:4", ""],
  );
});

test("tokens of absent values are placed next to the stand", async () => {
  const hidden = "? ? ? ? ? ?";
  const own = "?1 ?2 ?3 ?3 ?4 ?4";
  const desk = await open(
    22,
    0,
    [own, hidden, hidden, hidden].join("\n"),
    { wires: { blue: [1, 6] } },
    phone(),
  );
  for (const values of ["56", "12", "12", "56"])
    for (const value of values) {
      assert.match(bar(desk).text, /no wire has this value/);
      await press(desk, value);
    }
  const facts = desk.position.stands.map((stand) => stand.facts.map((one) => one.kind + one.value).join(" "));
  assert.deepEqual(facts, ["lacks5 lacks6", "lacks1 lacks2", "lacks1 lacks2", "lacks5 lacks6"]);
});

const REDS = { wires: { blue: [1, 4], red: ["R1", "R2", "R3"] } };

test("a drawn token is placed on a wire or next to it", async () => {
  const text = "?1 ?R1 ?2 ?3 ?4 | RED\n? ? ? ? ? | RED\n? ? ? ? ? | RED\n? ? ? ?";
  const desk = await open(13, 0, text, REDS, phone());
  assert.match(bar(desk).text, /Your token/);
  await tap(desk, 0, 0);
  assert.ok(tile(desk, 0, 0).classList.includes("info"));
  assert.match(bar(desk).text, /Bob’s token/);
  await press(desk, "4");
  assert.match(bar(desk).text, /Cleo’s token/);
  assert.deepEqual(desk.position.stands[1].facts.at(-1), { kind: "lacks", value: "4" });
});

test("a cut of several wires at once is entered in any order of stands", async () => {
  const text = "i1 ? ? ? ? | RED\ni1 ? ? ? ? | RED\ni1 ? ? ? ? | RED\ni1 ?2 ?3 ?4";
  const desk = await open(13, 3, text, REDS);
  await tap(desk, 0, 1);
  await press(desk, "at once");
  await tap(desk, 1, 2);
  await tap(desk, 2, 3);
  await press(desk, "It worked");
  assert.match(log(desk)[0], /Ann: 3 × red/);
  assert.equal(cutTiles(desk), 3);
  await desk.move(-1);
  await tap(desk, 0, 1);
  await press(desk, "at once", "It failed");
  assert.match(desk.notices.at(-1), /Together, three red wires are cut\./);
});

test("a skipped turn is recorded with its cost, and the next player acts", async () => {
  const desk = await open(44, 3, LAID, { detonator: 4 });
  await desk.fromMenu("Table", "Other moves…");
  await desk.select(/^What happened/, "skip");
  await desk.press("1", dialog(desk).role("group", "Steps it costs"));
  await desk.press("Add to log");
  assert.equal(log(desk)[0], "Turn skipped: Ann. 3 steps left on the detonator.");
  await tap(desk, 2, 3);
  assert.equal(pad(desk).role("group", "Whose turn").one("[aria-pressed=true]").text, "Bob");
});

for (const who of ["You", "Ann"])
  test(`a yellow wire is cut by ${who} without holding one, and a step is returned`, async () => {
    const text = "i1 ? ? ? ? | YELLOW\ni1 ? ? ? ? | YELLOW\ni1 ?2 ?Y2 ?3 ?3 | YELLOW";
    const wires = { blue: [1, 3], yellow: ["Y1", "Y2", "Y3"] };
    const desk = await open(41, 2, text, { wires, detonator: 1 });
    await tap(desk, 1, 2);
    await desk.press(who, pad(desk).role("group", "Whose turn"));
    await press(desk, "yellow 1");
    assert.equal(cutTiles(desk), 1);
    assert.ok(tile(desk, 1, 2).matches(".cut.yellow"));
    assert.equal(desk.position.detonator, 2);
  });

test("a wire next to the stands is added to the player's own", async () => {
  const text = "i1 ? ?\ni1 ? ?\ni1 ? ?\ni1 ?2 ?3";
  const desk = await open(43, 3, text, { wires: { blue: [1, 4], aside: 4 } });
  assert.match(desk.page.all(".sub")[0].text, /4 wires set aside/);
  await desk.fromMenu("Table", "Other moves…");
  await desk.select(/^What happened/, "draw");
  await desk.press("You", dialog(desk).role("group", "To which stand"));
  await desk.press("Slot B", dialog(desk).role("group", "Place of the new wire: You"));
  await desk.press("Add to log");
  assert.match(desk.page.all(".sub")[0].text, /3 wires set aside/);
  assert.equal(desk.position.stands[3].slots.length, 4);
});

/** Mission 56 nearly over: a pair of the lowest number is left, and a pair that is turned away. */
function nearlyOver(low) {
  const [a, b, c] = [low, low + 1, low + 2];
  const bob = `${a} ${b} ${c} ${c} ${c} ${c} R11`;
  const wires = { blue: [low, low + 2], red: ["R11"] };
  return [56, 0, `?${a} ${a} X\n? ${b} ?${b}X\n${bob}`, { wires, detonator: 3 }];
}

for (const [low, title, more, keys] of [
  [1, "The mission is lost", /No player can cut any more/, 0],
  [8, "No player can cut any more", /lost, unless a Disintegrator is still unused/, 1],
])
  test(`when no player can cut from ${low} to ${low + 2}, the bar and the log state it until undo`, async () => {
    const desk = await open(...nearlyOver(low), { silent: ["indicate", "doubt"], narrow: true });
    const advised = new RegExp(`Cut ${low} at Bob A`);
    assert.match(bar(desk).text, advised);
    await desk.press("It worked", bar(desk));
    assert.equal(bar(desk).one(".bar-title").text, title);
    assert.match(bar(desk).text, more);
    assert.deepEqual(
      desk.page.all("[data-part=act]").map((one) => one.text),
      keys ? [] : ["Look back"],
    );
    assert.equal(bar(desk).all("[data-part=entry] button").length, keys);
    assert.match(desk.page.one(".turns").text, /can cut a wire, now or later: the mission is lost/);
    await desk.move(-1);
    assert.match(bar(desk).text, advised);
  });
