/** The scan desk without a browser: its texts, and the effects of the map and the keys. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";
import { collisionFiles, withStroke, withTerrain } from "../../web/desks/scan/terrain.js";
import { landmarksOf, nearestLandmark } from "../../web/desks/scan/transports.js";
import { openDesk } from "./desk.mjs";
import { downloads } from "./template.mjs";

/** Four spots; small enough that the areas of the map are recorded too. */
const OWN = { range: 3, spots: [[0, 0, 0], [7, 0, 0], [20, 0, 0], [3, 3, 0]] }; // biome-ignore format: a list of tiles
/** The same, from a known place. */
const HERE = { ...OWN, here: [7, 1] };
/** Two spots upstairs, reached by a ladder. */
const HALL = {
  range: 3,
  levels: "use",
  here: [3000, 3000],
  spots: [[3030, 3000, 1], [3040, 3000, 1], [3004, 3002, 0]], // biome-ignore format: a list of tiles
  ruled_out: [2],
  stairs: [{ at: [3001, 3000, 0], to: [3001, 3003, 1], ticks: 2, name: "the ladder" }],
};
const CLASH = [
  { pulse: 3, at: [2960, 3340, 0] },
  { pulse: 3, at: [3040, 3400, 0] },
];
const FALADOR = { region: 364 };

const left = (desk) => desk.page.one(".left b").text;
const best = (desk) => desk.page.all(".options:not(.stale) .option")[0];
const spoken = (desk) => best(desk).all(".unseen")[0].text.replace(/,\s*$/, "");
const ticks = (desk) => Number(best(desk).one(".number b").text);
const entries = (desk) => desk.page.all(".entry").map((one) => one.one(".what").text);
/** The properties of the map: model and events. */
const map = (desk) => desk.page.one("tile-map").properties;
const bar = (desk) => desk.page.one(".advice-bar");
/** Presses a tile of the map, or one of its spots if the tool selects spots. */
async function pressMap(desk, x, y) {
  const { events, model } = map(desk);
  const spot = model.spots.findIndex((one) => one.x === x && one.y === y);
  if (spot < 0 || !events.onSpot(spot)) events.onTile([x, y]);
  await desk.settled();
}
const drag = async (desk, box) => {
  map(desk).events.onBox(box);
  await desk.settled();
};
/** The pulse of a spot at a tile. */
function pulse([x, y], [sx, sy], range) {
  const away = Math.max(Math.abs(x - sx), Math.abs(y - sy));
  return away <= range ? 3 : away <= 2 * range ? 2 : 1;
}

test("an area is advised with its bits, ticks and runner-up, and its answer is entered there", async () => {
  const desk = await openDesk("scan", FALADOR);
  assert.equal(left(desk), "18");
  assert.match(desk.page.one(".sub").text, /range 22, 18 spots, 537 areas/);
  const why = desk.page.one(".reason").text;
  assert.match(why, /until you can dig.*The next best \([-a-z]+, \d+ tiles\) takes \d\.\d ticks more/);
  assert.match(why, /a scan takes 3 ticks/);
  const tile = best(desk).dataset.key.split(",").map(Number);
  const double = desk.page.all(".reason .answer")[1];
  const kept = double.one("b").text;
  await desk.press(double);
  assert.equal(left(desk), kept);
  assert.deepEqual(desk.position.observations, [{ at: [...tile, 0], pulse: 2 }]);
  assert.deepEqual(desk.position.here, tile);
  const next = best(desk).dataset.key;
  await desk.keys("1"); // what is seen here is noted: it is seen at the next place
  assert.equal(desk.position.observations[1].at.join(), `${next},0`);
});

test("each pulse's count next to the map is the number of spots that it leaves", async () => {
  const desk = await openDesk("scan", { ...OWN, here: [3, 0] });
  const at = desk.page.all(".trio .quiet").map((one) => one.text);
  const counts = [1, 2, 3].map((p) => OWN.spots.filter((spot) => pulse([3, 0], spot, 3) === p).length);
  assert.deepEqual(
    at,
    counts.map((n) => (n ? `${n} left` : "none left")),
  );
});

test("the counts next to the map follow the level sign", async () => {
  const desk = await openDesk("scan", { ...HALL, ruled_out: [], here: [3004, 3000] });
  const counts = (other) =>
    [1, 2, 3].map((p) => {
      const n = HALL.spots.filter(
        (spot) => pulse([3004, 3000], spot, 3) === p && (other === null || (spot[2] !== 0) === other),
      ).length;
      return n ? `${n} left` : "none left";
    });
  for (const [name, other] of [
    ["not noticed", null],
    ["yes", true],
    ["no", false],
  ]) {
    await desk.press(name, desk.page.one(".side"));
    const shown = desk.page.all(".trio .quiet").map((one) => one.text);
    assert.deepEqual(shown, counts(other), name);
  }
});

test("the profile of a place lists the pulse of each spot and the spots that each pulse leaves", async () => {
  const desk = await openDesk("scan", OWN);
  await pressMap(desk, 3, 0);
  await desk.unfold("Spot by spot");
  assert.equal(desk.page.one(".profile-line").text, "[3,2,1,3]");
  assert.match(desk.page.all(".profile li")[0].text, /leaves 1 of 4: log₂\(4 \/ 1\) = 2\.00/);
});

test("position, ruled-out spots, drawn areas and walls change the map, and each is a step", async () => {
  const desk = await openDesk("scan", FALADOR);
  await pressMap(desk, 2990, 3390);
  assert.equal(desk.step, "Stand at 2990, 3390");
  assert.match(desk.page.text, /at 2990, 3390/);
  const [x, y] = [map(desk).model.spots[0].x, map(desk).model.spots[0].y];
  await desk.keys("x");
  await pressMap(desk, x, y);
  assert.equal(left(desk), "17");
  await desk.press("Restore spot 1");
  assert.equal(left(desk), "18");
  await desk.keys("a");
  await drag(desk, [2940, 3385, 2950, 3392]);
  assert.match(desk.page.text, /In the drawn area I saw/);
  assert.deepEqual(map(desk).model.regions, [{ rect: [2940, 3385, 2950, 3392], off: false }]);
  await desk.keys("3");
  await desk.press(desk.page.all(".answer-button")[2]);
  assert.equal(entries(desk).length, 2);
  await desk.move(-2);
  await desk.press("Walls");
  await drag(desk, [2985, 3360, 2990, 3380]);
  assert.match(desk.page.text, /With walls, the search looks/);
  await desk.press("Remove all walls");
  assert.doesNotMatch(desk.page.text, /With walls, the search looks/);
});

test("a pulse in the log is changed, ignored and removed", async () => {
  const desk = await openDesk("scan", { ...OWN, observations: [{ pulse: 1, at: [3, 0, 0] }] });
  await desk.press(/^single\. Make it double/);
  assert.equal(desk.position.observations[0].pulse, 2);
  await desk.press("Ignore");
  assert.equal(desk.page.all(".entry.off").length, 1);
  await desk.press("Use again");
  await desk.press("Remove: Row 1");
  assert.match(desk.page.text, /No scans yet/);
});

test("while the next scan is planned no pulse is entered twice at a scanned tile", async () => {
  const options = { narrow: true, silent: ["next", "classes", "doubt"] };
  const keys = async (more) => bar(await openDesk("scan", { ...FALADOR, ...more }, options)).all(".bar-key");
  const at = [2990, 3390, 0];
  assert.equal((await keys({ here: [2990, 3390] })).length, 3);
  assert.equal((await keys({ observations: [{ pulse: 1, at }] })).length, 0);
});

test("contradictory pulses are named and repaired by one press", async () => {
  const desk = await openDesk("scan", { ...FALADOR, observations: CLASH });
  assert.match(desk.page.text, /No spot fits all entries/);
  assert.equal(desk.page.all(".entry.doubted").length, 2);
  assert.equal(desk.page.all(".option").length, 0);
  assert.doesNotMatch(desk.page.text, /A whole route|bits to go/); // there is nothing to plan
  await desk.press(desk.page.all(".repairs button")[0]);
  assert.doesNotMatch(desk.page.text, /No spot fits all entries/);
  assert.match(desk.page.text, /A whole route/);
  const phone = await openDesk("scan", { ...FALADOR, observations: CLASH }, { narrow: true });
  assert.equal(bar(phone).dataset.state, "contradiction");
  assert.match(bar(phone).text, /Row \d: was it (single|double|triple)\? ?\d+ left/);
  await phone.press("Fix", bar(phone));
  assert.notEqual(bar(phone).dataset.state, "contradiction");
});

test("misreadings are tolerated if the player allows them", async () => {
  const desk = await openDesk("scan", { ...FALADOR, observations: CLASH });
  await desk.press("Change", desk.page.one("header"));
  await desk.select(/^Single and double/, "5");
  await desk.press("Close");
  assert.match(desk.page.text, /Most likely: spot \d+ \(\d+ %\)/);
  assert.match(desk.page.text, /The arrow shows the spot\. Which one\?/);
  await desk.press("Change", desk.page.one("header"));
  await desk.select(/^Single and double/, "0");
  await desk.select(/^My position is/, "2");
  await desk.press("Close");
  assert.match(desk.page.text, /No spot fits all entries/);
});

test("the spot of a triple's arrow is entered by one press, also on the map", async () => {
  const seen = { region: 349, observations: [{ pulse: 3, at: [3435, 3045, 0] }] };
  const desk = await openDesk("scan", seen);
  assert.equal(left(desk), "7");
  await desk.press("The arrow shows spot 19");
  assert.match(desk.page.text, /Only spot 19 is left\. Dig there/);
  assert.doesNotMatch(desk.page.text, /Which one\?/);
  await desk.move(-1);
  assert.equal(left(desk), "7");
  map(desk).events.onSpot(18);
  await desk.settled();
  assert.equal(left(desk), "1");
});

test("the player's stop cost is used in the ranking and listed as an assumption", async () => {
  const desk = await openDesk("scan", OWN);
  const before = ticks(desk);
  await desk.select(/^Time per scan/, "6");
  assert.ok(ticks(desk) > before);
  assert.match(desk.page.text, /a scan takes 6 ticks/);
});

test("the player's preferences apply to every clue", async () => {
  const desk = await openDesk("scan", OWN);
  assert.deepEqual(desk.desk.lasting, [
    "study",
    "pictures",
    "stop",
    "policy",
    "listen",
    "reaction",
    "abilities",
    "teleports",
    "stairs",
    "blocked",
    "grounds",
  ]);
});

test("while the player's tile is not set, no sentence refers to it as the player's position", async () => {
  const there = /where you are|you are there|from here|\bhere\b/i;
  const wide = await openDesk("scan", FALADOR);
  assert.match(wide.page.one(".reason").text, /from the middle of the spots \d+\.\d ticks on average/);
  assert.doesNotMatch(wide.page.one(".options").text, there);
  const phone = await openDesk("scan", FALADOR, { narrow: true });
  assert.match(bar(phone).text, /Scan at \d+, \d+.*Your tile is not set/);
  assert.doesNotMatch(bar(phone).text, there);
});

test("the bar describes the path by compass point, steps, seconds and landmark; the map shows bits on request", async () => {
  const desk = await openDesk("scan", { ...FALADOR, here: [2967, 3403] }, { narrow: true });
  assert.match(bar(desk).text, /(North|South|East|West)[a-z-]*, \d+ tiles.*\d+ s · .*to the spot/);
  assert.doesNotMatch(bar(desk).text, /bits|ticks/);
  const model = () => map(desk).model;
  assert.equal(model().plain, true);
  assert.ok(model().landmarks.some(({ name }) => name.includes("Falador")));
  await desk.press("Show bits");
  assert.deepEqual([model().plain, model().landmarks], [false, []]);
  const points = [[0, 5], [4, 4], [5, 1], [4, -5], [0, -3], [-3, -3], [-9, 1], [-4, 5]]; // biome-ignore format: a table
  const { compassPoint } = await import("../../web/widgets/map/geometry.js");
  assert.deepEqual(
    points.map((to) => compassPoint([0, 0], to)),
    [0, 1, 2, 3, 4, 5, 6, 7],
  );
});

test("a landmark is named as on the way only where the way passes it or leads to it", () => {
  const context = { position: FALADOR, view: {}, replies: {} };
  const at = landmarksOf(context).find(({ name }) => name === "Falador Tree Patch").at;
  const from = (dx) => nearestLandmark(context, [at[0] + dx, at[1]], [at[0] + 4, at[1]]);
  assert.equal(from(-20), "just past Falador Tree Patch");
  assert.equal(from(20), "just before Falador Tree Patch");
  for (const dx of [0, 2]) assert.equal(from(dx), "4 tiles east of Falador Tree Patch");
});

test("a route is followed step by step, entered in the log and saved as text", async () => {
  const desk = await openDesk("scan", HERE);
  await desk.unfold("A whole route");
  assert.match(desk.page.text, /ticks on average \(\d+ s\)/);
  assert.match(desk.page.text, /Proven fastest on open ground among routes/);
  assert.equal(desk.page.all("button").filter((one) => /Search for/.test(one.name)).length, 0);
  const legs = () => desk.page.all(".legs li").length;
  assert.equal(legs(), 1);
  await desk.press("single");
  assert.equal(legs(), 2);
  assert.equal(map(desk).model.path.length >= 2, true);
  await desk.press("Save as text");
  const { name, blob } = downloads.at(-1);
  assert.equal(name, "route.txt");
  assert.match(await blob.text(), /ticks on average/);
  await desk.press("Add these pulses to my log");
  assert.equal(entries(desk).length, 1);
});

test("on a phone the bar has the next step of the route, and the map only the spots that remain", async () => {
  const phone = await openDesk("scan", HERE, { view: { route: true }, narrow: true });
  const open = () => map(phone).model.spots.filter((spot) => spot.open).length;
  assert.match(bar(phone).text, /Plan, step 1 · 4 spots left/);
  assert.equal(open(), 4);
  await phone.press("single", bar(phone));
  assert.match(bar(phone).text, /Dig at spot 3 .*plan ends/);
  assert.deepEqual([open(), left(phone)], [1, "4"]);
  await phone.press("Add to log", bar(phone));
  assert.deepEqual([entries(phone).length, left(phone)], [1, "1"]);
});

test("a route that is being followed does not change while a better one is found for the start", async () => {
  const open = await openDesk("scan", HERE, { view: { route: true } });
  const least = open.questions.replies.route.value;
  const quick = { ...least, expected_ticks: least.expected_ticks + 1, lower_bound: null };
  const desk = await openDesk("scan", HERE, { view: { route: true }, silent: ["route"] });
  const reply = { ...desk.questions.replies.route, progress: { done: 1, total: 2, note: "", best: quick } };
  desk.questions.replies.route = reply;
  const sum = (found) => `${found.expected_ticks.toFixed(1)} ticks on average`;
  assert.ok(desk.page.text.includes(sum(quick)));
  await desk.press("single");
  desk.questions.replies.route = { ...reply, state: "done", value: least, progress: null };
  assert.ok(desk.page.text.includes(sum(quick)));
  await desk.press("From the start");
  assert.ok(desk.page.text.includes(sum(least)));
});

test("the fewest scans are computed while their section is open", async () => {
  const desk = await openDesk("scan", OWN);
  await desk.unfold("Fewest scans, at any distance");
  assert.match(desk.page.text, /scans on average until one spot is left, proven to be the fewest/);
});

test("the abilities of the next path are shown on the map and in the bar", async () => {
  const view = { abilities: { dive: true, surge: 1 } };
  const far = { ...FALADOR, here: [3100, 3402] };
  const desk = await openDesk("scan", far, { view });
  const [option] = desk.questions.replies.next.value.options;
  assert.deepEqual(
    option.uses.map((use) => use.ability),
    ["dive", "surge"],
  );
  const { to } = option.uses[1];
  const run = Math.max(Math.abs(to[0] - option.tile[0]), Math.abs(to[1] - option.tile[1]));
  assert.match(desk.page.text, new RegExp(`Dive at once, surge .*, then run ${run} tiles?\\.`));
  const plan = desk.questions.replies.next.value.ability_ticks;
  assert.ok(desk.page.text.includes(`this plan takes ${plan.toFixed(1)} ticks.`));
  assert.match(desk.page.all(".option")[0].text, new RegExp(`${option.walk_ticks} ticks to walk`));
  assert.deepEqual(
    map(desk).model.hops.map(({ from, to }) => [from, to]),
    option.uses.map(({ at, to }) => [at, to]),
  );
  const phone = await openDesk("scan", far, { view, narrow: true });
  assert.match(bar(phone).one(".bar-facts").text, new RegExp(`Dive, surge, run ${run} tile`));
});

test("abilities are selected with the route, also when the pulse is watched", async () => {
  const desk = await openDesk("scan", FALADOR);
  await desk.unfold("A whole route");
  await desk.check("Dive");
  await desk.select(/^Charges of Surge/, "1");
  assert.deepEqual(desk.view.abilities, { surge: 1, dive: true, escape: 0, mobile: false });
  await desk.check("I watch the orb while running");
  assert.match(desk.page.text, /Charges of Surge/);
  assert.match(desk.page.one(".reason").text, /Run towards/);
  await desk.select(/^I report a change/, "3");
  assert.equal(desk.view.reaction, 3);
});

test("a watched run has a key for every possible answer", async () => {
  const desk = await openDesk("scan", FALADOR, { view: { listen: true }, narrow: true });
  const { changes } = desk.questions.replies.next.value;
  const keys = bar(desk).all(".bar-key");
  assert.equal(keys.length, changes.length);
  await desk.press(keys[0]);
  assert.deepEqual(desk.position.observations, changes[0].rows);
});

test("a teleport is placed on the map, named, stored for its region and advised", async () => {
  const desk = await openDesk("scan", { ...FALADOR, here: [3100, 3450] });
  const onFoot = ticks(desk);
  await desk.unfold("Teleports");
  await desk.press("Add a teleport");
  await pressMap(desk, 2966, 3403);
  assert.deepEqual(desk.position.teleports, [{ at: [2966, 3403], ticks: 5 }]);
  await desk.fill("Teleport 1", "Falador lodestone");
  await desk.select("Ticks of teleport 1", "4");
  assert.ok(ticks(desk) < onFoot);
  const [{ uses, tile }] = desk.questions.replies.next.value.options;
  const run = Math.max(Math.abs(uses[0].to[0] - tile[0]), Math.abs(uses[0].to[1] - tile[1]));
  assert.match(desk.page.text, new RegExp(`Teleport to Falador lodestone, then run ${run} tile`));
  assert.deepEqual(map(desk).model.hops, [{ from: uses[0].at, to: uses[0].to, name: "Teleport" }]);
  for (const [region, count] of [
    ["Keldagrim", 0],
    ["Falador", 1],
  ]) {
    await desk.press("Change", desk.page.one("header"));
    await desk.press(new RegExp(`^${region}`));
    assert.equal((desk.position.teleports ?? []).length, count, region);
  }
  await desk.press("Remove teleport 1");
  assert.equal(desk.position.teleports, undefined);
});

test("stairs are placed on the map, and advice uses them between floors", async () => {
  const { stairs: _, ...flat } = HALL;
  const desk = await openDesk("scan", flat);
  assert.doesNotMatch(desk.page.text, /No stairs lead/);
  await desk.unfold("Stairs");
  await desk.press("Add stairs");
  await pressMap(desk, 3001, 3000);
  await desk.fill("Stairs 1", "the east ladder");
  await desk.select("Ticks of stairs 1", "3");
  const [one] = desk.position.stairs;
  assert.deepEqual(one, { at: [3001, 3000, 0], to: [3001, 3000, 1], ticks: 3, name: "the east ladder" });
  assert.match(desk.page.text, /Up by the east ladder to floor 1/);
  await desk.press("floor 2", desk.page.role("group", "Floor that stairs 1 lead to"));
  assert.deepEqual(desk.position.stairs[0].to, [3001, 3000, 2]);
  assert.match(desk.page.text, /No stairs lead to the floor of spots 1 and 2/);
  await desk.press("Select the other end");
  await pressMap(desk, 3020, 3001);
  assert.deepEqual(desk.position.stairs[0].to, [3020, 3001, 0]);
  assert.ok(map(desk).model.places.every(({ name }) => name === "↔ shortcut"));
  await desk.press("Remove stairs 1");
  assert.equal(desk.position.stairs, undefined);
});

test("a path ends at the stairs, and the map switches to the floor above", async () => {
  const shown = (desk) => {
    const { path, target, spots, places } = map(desk).model;
    return [path, target, spots.map((one) => one.other), places.map((one) => one.name)];
  };
  for (const narrow of [false, true]) {
    const desk = await openDesk("scan", HALL, { narrow });
    const way = [[3000, 3000], [3001, 3000, 0]]; // biome-ignore format: a list of tiles
    assert.deepEqual(shown(desk), [way, null, [true, true, false], ["↑ floor 1"]]);
    assert.match(narrow ? bar(desk).text : desk.page.one(".reason").text, /by the ladder|Go 1 E/);
    await desk.press("I am up", narrow ? bar(desk) : desk.page.one(".reason"));
    assert.equal(desk.page.role("button", "floor 1").attributes["aria-pressed"], "true");
    assert.match(best(desk).dataset.key, /,1$/);
    const [path, target, other, names] = shown(desk);
    assert.deepEqual([path[0], path.at(-1), target[2]], [[3001, 3003], target, 1]);
    assert.deepEqual([other, names], [[false, false, true], ["↓ ground"]]);
    assert.deepEqual([desk.position.here, desk.position.floor], [[3001, 3003], 1]);
  }
});

test("with stairs, walls, terrain and blocked tiles apply to their floor", () => {
  const ground = (level) => ({ at: [0, 0], size: [1, 1], packed: "", level });
  const floors = [{ level: 1, ground: ground(1) }];
  const view = {
    blocked: [{ region: 365, at: [5, 6, 1] }],
    grounds: [{ region: 365, ground: ground(0), floors }],
  };
  const position = { region: 365, stairs: [{ at: [1, 1, 0], to: [1, 1, 1] }], floor: 1 };
  const walls = withStroke(position, [2, 2, 3, 3, 1]);
  const painted = [[2, 2, 3, 3, 1], [5, 6, 5, 6, 1]]; // biome-ignore format: a list of strokes
  assert.deepEqual(withTerrain({ ...position, walls }, view).walls, {
    floors: [
      { level: 0, ground: ground(0) },
      { level: 1, ground: ground(1), painted },
    ],
  });
  assert.equal(withTerrain({ region: 365, floor: 1 }, view).walls.ground.level, 1);
});

test("the dig instruction includes its stairs", async () => {
  const desk = await openDesk("scan", { ...HALL, ruled_out: [1, 2] }, { narrow: true });
  assert.equal(bar(desk).dataset.state, "finished");
  assert.match(bar(desk).text, /Dig at spot 1.*up by the ladder to floor 1/);
  assert.match(desk.page.one(".note.solved").text, /Only spot 1 is left/);
  const shut = await openDesk("scan", { ...HALL, ruled_out: [1, 2], floor: 2 }, { narrow: true });
  assert.match(bar(shut).text, /No path leads to spot 1/);
});

test("with the level sign, all six answers can be entered next to the advice and in the bar", async () => {
  const desk = await openDesk("scan", { ...HALL, ruled_out: [] });
  assert.equal(desk.page.all(".reason .answer").length, 6);
  await desk.press("floor 1", desk.page.one(".lift"));
  const [option] = desk.questions.replies.next.value.options;
  const phone = await openDesk("scan", await desk.address(), { narrow: true });
  const keys = bar(phone).all(".bar-key");
  assert.equal(keys.length, 6);
  const i = option.leaves.findLastIndex((n) => n > 0);
  await phone.press(keys[i]);
  assert.equal(left(phone), String(option.leaves[i]));
  const [row] = phone.position.observations;
  assert.deepEqual([row.at[2], row.pulse, row.different_level], [1, (i % 3) + 1, i > 2]);
  assert.match(entries(phone)[0], i > 2 ? /≠/ : /=/);
});

test("a practice hides the advice, counts its ticks, and ends with the spot and the plan", async () => {
  const desk = await openDesk("scan", { ...HALL, ruled_out: [] });
  await desk.unfold("Practice");
  await desk.press("Hide a spot");
  assert.match(desk.page.text, /A spot is hidden\. Select a tile/);
  assert.match(desk.page.text, /Advice is hidden while you practise\./);
  await pressMap(desk, 3010, 3000);
  assert.match(desk.page.text, /8 ticks so far, 1 scan/);
  await desk.press("floor 1", desk.page.one(".lift"));
  assert.match(desk.page.text, /8 ticks so far, 1 scan/); // looking at a floor is no scan
  await pressMap(desk, 3003, 3003);
  assert.equal(entries(desk).length, 2);
  await desk.press("Show the spot");
  assert.match(desk.page.text, /It was spot \d\. You took \d+ ticks with 2 scans/);
  assert.equal(map(desk).model.spots.filter((one) => one.chosen).length, 1);
});

test("a dig without a result rules out the last spot, and the repair is named", async () => {
  const ruled_out = Array.from({ length: 17 }, (_, i) => i);
  const desk = await openDesk("scan", { ...FALADOR, ruled_out }, { narrow: true, silent: ["classes"] });
  assert.match(bar(desk).text, /Dig at spot 18/);
  await desk.press("Nothing found", bar(desk));
  assert.match(bar(desk).text, /No spot fits all entries Restore spot \d+\? ?1 left/);
  assert.match(desk.page.one(".repairs").text, /Restore spot \d+ → 1 left/);
  await desk.press("Fix", bar(desk));
  assert.equal(desk.position.ruled_out.length, 17);
});

test("after the dig the hunt is reviewed scan by scan", async () => {
  const position = {
    ...FALADOR,
    observations: [
      { pulse: 1, at: [2990, 3390, 0] },
      { pulse: 3, at: [2968, 3332, 0] },
    ],
    ruled_out: [2, 5],
  };
  const desk = await openDesk("scan", position);
  assert.equal(left(desk), "1");
  await desk.unfold("Review");
  const found = desk.questions.replies.review.value;
  assert.match(desk.page.text, new RegExp(`${found.ticks} ticks .* with 2 scans; the plan`));
  const row = desk.page.all(".review-table tbody tr")[1];
  assert.ok(row.text.includes(found.scans[1].expected_ticks.toFixed(1)));
});

test("own spots are typed, malformed ones stay in the box, and more are placed on the map", async () => {
  const desk = await openDesk("scan", FALADOR);
  const typed = "3200, 3200\n3210 hello";
  await desk.press("Change", desk.page.one("header"));
  await desk.fill("Your own spots", typed);
  await desk.press("Use these spots");
  assert.match(desk.page.text, /line 2: Expected x, y/);
  assert.equal(desk.page.role("textbox", "Your own spots").value, typed);
  await desk.fill("Your own spots", "3200, 3200\n3260, 3240");
  await desk.press("Use these spots");
  assert.equal(left(desk), "2");
  assert.equal(desk.page.one("h1").text, "Your own spots");
  await desk.press("Spots");
  await pressMap(desk, 3230, 3220);
  assert.equal(left(desk), "3");
  await pressMap(desk, 3230, 3220);
  assert.equal(left(desk), "2");
});

test("a region is found by its name, and the reading options are next to it", async () => {
  const desk = await openDesk("scan", FALADOR);
  await desk.press("Change", desk.page.one("header"));
  assert.equal(desk.page.all(".list-item").length, 26);
  await desk.fill("Find a region", "brim");
  assert.deepEqual(
    desk.page.all(".list-item b").map((one) => one.text),
    ["Brimhaven Dungeon"],
  );
  await desk.check("Meerkats (range + 5)");
  assert.match(desk.page.one(".sub").text, /range 27 with meerkats/);
});

/** Chooses files with walls or terrain. */
async function chooseWalls(desk, ...files) {
  const input = desk.page.all("input[type=file]").find((one) => one.name.includes("Choose files"));
  input.properties.files = files;
  input.files = files;
  input.dispatch("change");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await desk.settled();
}

test("collision files become the terrain of every region they contain and are not in the link", async () => {
  const desk = await openDesk("scan", FALADOR);
  const before = JSON.stringify(desk.position);
  await desk.press("Change", desk.page.one("header"));
  await chooseWalls(desk, new File([deflateSync(Buffer.alloc(1280 * 1280, 255))], "collision-2-2-0.bin"));
  const regions = desk.state.view.grounds.map((one) => one.region);
  assert.ok(regions.includes(364));
  assert.ok(regions.every((region) => `${collisionFiles(region)}` === "collision-2-2-0.bin"));
  assert.match(desk.page.text, /Terrain of \d regions? read/);
  assert.match(desk.page.text, /Plans use the terrain of your collision files/);
  assert.equal(JSON.stringify(desk.position), before);
  await chooseWalls(desk, new File(["x"], "collision-0-0-0.bin"));
  assert.match(desk.page.one("dialog").text, /This region needs collision-2-2-0\.bin\./);
});

test("walls are read from a text grid at the given tile", async () => {
  const desk = await openDesk("scan", FALADOR);
  await desk.press("Change", desk.page.one("header"));
  await desk.fill(/^Lowest left tile/, "2960, 3350");
  await chooseWalls(desk, new File(["##\n..\n"], "walls.txt", { type: "text/plain" }));
  assert.match(desk.page.one("dialog").text, /2 × 2 tiles read, 2 of them walls\./);
});

test("the text view contains the numbers of the drawing", async () => {
  const desk = await openDesk("scan", FALADOR);
  assert.equal(desk.sentences[0], "18 spots left.");
  assert.ok(desk.sentences.some((line) => line.startsWith(spoken(desk))));
});

test("the map is shown before Python has started and records the player's tile", async () => {
  const desk = await openDesk("scan", FALADOR, { phase: "loading" });
  await pressMap(desk, 2990, 3390);
  assert.match(desk.page.text, /at 2990, 3390/);
  assert.equal(map(desk).model.spots.length, 18);
  assert.equal(map(desk).model.describe(2990, 3390), "2990, 3390");
});

test("the information of a tile is shown in bits, spots and tiles", async () => {
  const desk = await openDesk("scan", OWN);
  assert.match(
    map(desk).model.describe(3, 0),
    /^3, 0 · 2\.00 bits, the most · leaves single 1, double 1, triple 2 · \d+ tiles?$/,
  );
  assert.match(map(desk).model.describe(500, 0), /a scan here excludes no spot/);
  assert.match(map(desk).model.describe(0, 0), /spot 1/);
});

test("links that cannot be drawn are refused with a message", async () => {
  for (const [position, why] of [
    [{ region: 1 }, /region is unknown/],
    [{ spots: [[1]] }, /spots/],
    [{ range: 501, spots: [[0, 0]] }, /range/],
    [{ region: 364, observations: [{ pulse: 1 }] }, /no place/],
  ])
    await assert.rejects(openDesk("scan", position), why);
});

test("the level sign is computed for places above and below before the player moves", async () => {
  const desk = await openDesk("scan", HERE, { silent: () => true });
  await desk.press("Stand above or below, 7, 6401");
  assert.deepEqual(desk.position.here, [7, 6401]);
  const keys = desk.page.all(".answer-button").filter((one) => /sign/.test(one.text));
  assert.deepEqual(
    [desk.page.all(".afar rect").length, keys.map((one) => one.text)],
    [4, ["≠ sign shows4 left", "= no signnone left"]],
  );
  await desk.press("yes", desk.page.one(".side"));
  await desk.press(keys[0]);
  assert.equal(desk.position.levels, "use");
  assert.deepEqual(desk.position.observations, [{ at: [7, 6401, 0], pulse: 1, different_level: true }]);
  assert.deepEqual(desk.position.here, [7, 1]);
});

test("a blocked tile is excluded from plans, also in later hunts, until it is unblocked", async () => {
  const desk = await openDesk("scan", FALADOR);
  const first = best(desk).dataset.key;
  const answers = JSON.stringify(desk.position);
  await desk.press("I can't stand there");
  assert.notEqual(best(desk).dataset.key, first);
  assert.equal(JSON.stringify(desk.position), answers, "the position, and so its link, is as before");
  const [x, y] = first.split(",").map(Number);
  const { blocked } = desk.state.view;
  assert.deepEqual(blocked, [{ region: 364, at: [x, y, 0] }]);
  const later = await openDesk("scan", FALADOR, { view: { blocked } });
  assert.notEqual(best(later).dataset.key, first);
  await later.press("Unblock the last one");
  assert.equal(best(later).dataset.key, first);
});

test("a hunt begins at the arrival tile, and an owned teleport is added from the same table", async () => {
  const desk = await openDesk("scan", FALADOR);
  await desk.press("Where did you arrive?");
  const place = desk.page.all(".list-item").find((one) => one.text.includes("Falador"));
  await desk.press(place);
  assert.equal(desk.position.here.length, 2);
  await desk.unfold(/^Teleports/);
  await desk.select("Add a teleport you have", "0");
  const [port] = desk.position.teleports;
  assert.ok(port.name && port.ticks);
  assert.deepEqual(desk.state.view.teleports, [{ ...port, region: 364 }]);
  assert.deepEqual(
    desk.page.all("button").filter((one) => one.text === "Where did you arrive?"),
    [],
  );
});

test("a region's route is saved as a method pack", async () => {
  const asked = [];
  const answer = (request) => {
    if (request.want !== "pack") return undefined;
    asked.push(request);
    return { result: { pack: { methods: [] } } };
  };
  const desk = await openDesk("scan", FALADOR, { answer });
  await desk.unfold("A whole route");
  await desk.press("Save as method pack");
  const { name, blob } = downloads.at(-1);
  assert.equal(name, "method-pack.json");
  assert.deepEqual(JSON.parse(await blob.text()), { methods: [] });
  assert.deepEqual(
    asked.map(({ options }) => options),
    [{ stop: 3 }],
  );
});
