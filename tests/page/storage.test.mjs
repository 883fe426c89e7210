/** What this browser keeps, through the page itself: games, names, files, damaged entries, storage that refuses. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deskOf, historyEntry, keyOf, usageByPart } from "../../web/session/records.js";
import { FIRST, guesses, Profile, typed, visit } from "./site.mjs";
import { downloads } from "./template.mjs";

const EARLIER = JSON.parse(
  readFileSync(new URL("../vectors/storage_first.json", import.meta.url), "utf8"),
).kept;
const games = (page) => page.dialog.all(".games > li");
const file = (kept, version = 1) =>
  new File([JSON.stringify({ format: "cluewise-everything", version, kept })], "everything.json");

test("the game and a half-typed row survive a reload", async () => {
  let page = await typed();
  await page.keys("020310", "Enter", "02");
  page = await page.reload();
  assert.deepEqual([guesses(page), page.all(".slot.c2").length], [2, 1]);
  await page.keys("Ctrl+z");
  assert.equal(guesses(page), 1);
});

test("every step is stored before the page reports it as saved", async () => {
  const page = await visit("#/code");
  const states = [];
  page.root.dataset = new Proxy(page.root.dataset, {
    set(data, name, value) {
      if (name === "saved") states.push([value, page.profile.stored.size]);
      return Reflect.set(data, name, value);
    },
  });
  await page.keys(FIRST, "Enter");
  assert.equal(states[0][0], "behind");
  const [last, entries] = states.at(-1);
  assert.equal(last, "current");
  assert.ok(entries >= 3, "two history entries and a cursor are stored");
});

test("blocked or full storage is reported once, and pending steps are stored when there is room", async () => {
  const refused = Object.assign(new Profile(), { refused: true });
  let page = await typed({ profile: refused });
  assert.equal(guesses(page), 1);
  assert.equal(page.root.dataset.saved, "refused");
  assert.match(page.notice, /Storage is off in this browser/);
  await page.press("OK");
  await page.keys("020310", "Enter");
  assert.equal(page.notice, "");

  page = await typed();
  page.profile.full = true;
  await page.keys("020310", "Enter");
  assert.deepEqual([guesses(page), page.root.dataset.saved], [2, "refused"]);
  assert.match(page.notice, /Storage is off/);
  page.profile.full = false;
  await page.keys("450002", "Enter");
  page = await page.reload();
  assert.equal(guesses(page), 3);
  await page.keys("Ctrl+z", "Ctrl+z");
  assert.equal(guesses(page), 1);
});

test("a desk stores many games with names, dates and pictures; one is removed and restored", async () => {
  let page = await typed();
  await page.keys("020310", "Enter");
  await page.press("History");
  await page.press("New game");
  assert.equal(guesses(page), 0);
  await page.keys("234501", "Enter");
  await page.press("History");
  assert.deepEqual(games(page).map((one) => /open · 1 step|2 steps · \w+/.exec(one.text)?.[0].slice(0, 7)), ["open · ", "2 steps"]); // biome-ignore format: games
  assert.ok(games(page)[1].all(".thumb svg").length);
  await page.press(games(page)[1].role("button", /^Rename/));
  await page.submit("Name of the game", "against Ann");
  assert.equal(page.profile.persistRequests, 1, "naming something requests persistent storage");
  await page.press(games(page)[1].role("button", /^against Ann/));
  assert.equal(guesses(page), 2);
  page = await page.reload();
  assert.equal(guesses(page), 2);
  const before = JSON.stringify([...page.profile.stored].filter(([key]) => key.startsWith("moment/")).sort());
  await page.press("History");
  await page.press("Remove: against Ann");
  assert.equal(games(page).length, 1);
  await page.close();
  assert.match(page.notice, /“against Ann” was removed/);
  await page.press(page.all(".notice button")[0]);
  await page.press("History");
  assert.equal(games(page).length, 2);
  assert.equal(
    JSON.stringify([...page.profile.stored].filter(([key]) => key.startsWith("moment/")).sort()),
    before,
  );
});

test("a link opens as its own game, and the same link opens the same game", async () => {
  const link = new URL((await typed()).address).hash;
  const page = await visit("#/code");
  await page.keys("234501", "Enter", "020310", "Enter");
  await page.go(link);
  assert.equal(guesses(page), 1);
  assert.match(page.notice, /is in History/);
  await page.press("History");
  assert.equal(games(page).length, 2);
  await page.press(games(page)[1].all(".game")[0]);
  assert.equal(guesses(page), 2);
  await page.go("#/mines");
  await page.go(link);
  assert.equal(guesses(page), 1);
  await page.press("History");
  assert.equal(games(page).length, 2);
});

test("changes of the open game in another tab are reported and do not change the board", async () => {
  const page = await typed();
  const { history } = page.sent.at(-1)[1].desk ? { history: page.sent.at(-1)[1] } : {};
  const position = {
    ...history.position,
    clues: [...history.position.clues, { guess: "0203", exact: 1, partial: 0 }],
  };
  const next = historyEntry({ desk: "code", game: history.game, parent: history.id, label: "Row 2 added", made: history.made + 1, position }); // biome-ignore format: a record
  page.channel.onmessage({ data: [[keyOf(next), next]] });
  await page.settled();
  assert.equal(guesses(page), 1);
  assert.equal(page.notice, "This game was changed in another tab: Row 2 added.");
  await page.press("Go there");
  assert.equal(guesses(page), 2);
});

test("positions are saved, opened, removed and transferred to another browser as one file", async () => {
  const page = await typed();
  await page.menu("Saved positions");
  await page.submit("Name to save under", "after one row");
  assert.match(page.dialog.all(".list-item")[0].text, /^after one row/);
  assert.equal(page.profile.persistRequests, 1, "naming something requests persistent storage");
  await page.press("Export a backup");
  const saved = downloads.at(-1);
  assert.match(saved.name, /^cluewise-\d{4}-\d\d-\d\d\.json$/);
  const text = await saved.blob.text();
  assert.equal(JSON.parse(text).format, "cluewise-everything");
  await page.close();
  await page.keys("Ctrl+z");
  await page.menu("Saved positions");
  assert.match(page.dialog.text, /keeps this data until you delete it/);
  await page.press(page.dialog.all(".list-item")[0]);
  assert.equal(guesses(page), 1);

  const other = await visit("#/code");
  await other.menu("Saved positions");
  assert.match(other.dialog.text, /Nothing saved yet\./);
  await other.choose("dialog input[type=file]", new File([text], "everything.json"));
  assert.equal(guesses(other), 1, "who has done nothing yet goes where the file was");
  await other.menu("Saved positions");
  await other.press("Remove: after one row");
  assert.match(other.dialog.text, /Nothing saved yet\./);
});

test("importing a backup replaces nothing on any desk, and twice equals once", async () => {
  const page = await typed();
  await page.menu("Saved positions");
  await page.press("Export a backup");
  const text = await downloads.at(-1).blob.text();
  const other = await visit("#/code");
  await other.keys("234510", "Enter", "020310", "Enter");
  await other.go("#/mines");
  const before = new Map(other.profile.stored);
  const bring = async () => {
    await other.menu("Saved positions");
    await other.choose("dialog input[type=file]", new File([text], "everything.json"));
  };
  await bring();
  assert.match(other.notice, /entries imported/);
  const after = new Map(other.profile.stored);
  for (const [key, one] of before) assert.deepEqual(after.get(key), one, key);
  assert.ok(after.size > before.size);
  await bring();
  assert.match(other.notice, /Nothing new/);
  assert.deepEqual(other.profile.stored, after);
  await other.go("#/code");
  assert.equal(guesses(other), 2);
});

test("a foreign file, or one of a later version, is refused with a message", async () => {
  const page = await visit("#/code");
  const texts = {
    '{"format": "something else"}': /not written by Cluewise/,
    nonsense: /not a backup of Cluewise/,
  };
  for (const [text, said] of Object.entries(texts)) {
    await page.menu("Saved positions");
    await page.choose("dialog input[type=file]", new File([text], "other.json"));
    assert.match(page.notice, said);
    await page.close();
  }
  for (const [version, said] of [
    [3, /of version 3; this page reads 1 and 2/],
    [null, /has no version/],
  ]) {
    await page.bring("drop", { files: [file({}, version)] });
    assert.match(page.notice, said);
  }
});

const EMPTY_BOARD = EARLIER["desk.code"].moments[0].position;
const DAMAGED = {
  "moments that are no positions": { "desk.code": { moments: [{ position: {}, label: "" }], at: "x" } },
  "a label that is an object": { "desk.code": { moments: [{ position: EMPTY_BOARD, label: {} }], at: 0 } },
  "no history at all": { "desk.code": "x" },
  "a place nowhere": { "desk.code": { ...EARLIER["desk.code"], at: { a: 1 }, view: [1] } },
  "a view of another kind": {
    "desk.code": { ...EARLIER["desk.code"], view: { draft: { a: [1] }, criterion: 5, open: "x" } },
  },
  "records of no kind": {
    "moment/code/g/1": 5,
    "name/code/x": {},
    "cursor/code/y": [],
    "shelf/1": null,
    "aside/1": 3,
  },
};

for (const [what, kept] of Object.entries(DAMAGED)) {
  test(`a desk opens and continues whatever storage or a file contains: ${what}`, async (t) => {
    t.mock.method(console, "error", () => {}); // a view that cannot be drawn is logged there too
    let page = await visit("#/code", { profile: new Profile(kept) });
    const rows = guesses(page);
    await page.keys(FIRST, "Enter");
    page = await page.reload();
    assert.equal(guesses(page), rows + 1);

    let other = await typed();
    await other.menu("Saved positions");
    await other.choose("dialog input[type=file]", file(kept));
    other = await other.reload();
    assert.equal(guesses(other), 1);
    await other.keys("020310", "Enter");
    assert.equal(guesses(other), 2);
  });
}

test("unreadable entries are reported and listed with their reasons", async () => {
  const page = await visit("#/code", { profile: new Profile(DAMAGED["a label that is an object"]) });
  assert.match(page.notice, /1 entry could not be read\. It is listed under “Unreadable entries”/);
  await page.press(page.all(".notice").at(-1).role("button", "Close"));
  await page.menu("Saved positions");
  assert.match(page.dialog.text, /Unreadable entries .*desk\.code\.moments\[0\]/);
});

test("data of the first version opens with its current moment, redo and saved positions", async () => {
  const page = await visit("#/code", { profile: new Profile(EARLIER) });
  assert.equal(guesses(page), 1);
  await page.keys("Ctrl+y");
  assert.equal(guesses(page), 2);
  await page.menu("Saved positions");
  assert.match(page.dialog.all(".list-item")[0].text, /after one row/);
});

test("stored data is listed by desk and can be removed by desk or completely", async () => {
  const page = await typed();
  await page.go("#/mines");
  page.all("[data-cell]")[0].dispatch("keydown", { key: "f" });
  await page.settled();
  await page.go("#/code");
  await page.menu("Saved positions");
  await page.submit("Name to save under", "");
  await page.close();
  await page.menu("Saved positions");
  const parts = () =>
    page.dialog
      .all(".kept-parts li")
      .map((one) => one.text.replace(/ · .*/, ""))
      .sort();
  assert.deepEqual(parts(), ["Mastermind 1 game", "Saved positions 1 entry", "Tametsi 1 game"]);
  assert.match(
    page.dialog.text,
    /12\.3 KB in use, .*of about 1 GB that the browser allows\. .* keeps this data until you delete it/,
  );
  await page.press("Remove all games: Mastermind");
  assert.match(page.dialog.one("[role=alert]").text, /This deletes all games of Mastermind/);
  await page.press("Cancel");
  assert.equal(page.dialog.all("[role=alert]").length, 0);
  await page.press("Remove all games: Mastermind");
  await page.press(
    page.dialog.all(".buttons button").find((one) => one.name === "Remove all games: Mastermind"),
  );
  assert.deepEqual(parts(), ["Saved positions 1 entry", "Tametsi 1 game"]);
  const keys = [...page.profile.stored.keys()];
  assert.ok(keys.some((key) => key.startsWith("moment/mines/")));
  assert.ok(!keys.some((key) => key.includes("/code/")));
  await page.press("Remove everything…");
  assert.match(page.dialog.one("[role=alert]").text, /Export a backup first/);
  await page.press("Remove everything");
  assert.equal(guesses(page), 0);
  assert.equal(page.profile.stored.size, 0);
});

test("the browser is asked for persistent storage only on request or when a position is named", async () => {
  const page = await typed();
  assert.equal(page.profile.persistRequests, 0);
  await page.menu("Saved positions");
  assert.match(page.dialog.text, /Your browser may delete this data/);
  await page.press("Ask the browser to keep my data");
  assert.match(page.dialog.text, /keeps this data until you delete it/);
});

test("every kind of entry belongs to a desk or to the page", () => {
  const owners = {
    "moment/code/g1/m1": "code",
    "name/rack/m1": "rack",
    "game/scan/g1": "scan",
    "cursor/mines/tab": "mines",
    "desk.sudoku": "sudoku",
    "shelf/1": "shelf",
    shelf: "shelf",
    "aside/1": "aside",
    "console.inputs": "console",
    last: "rest",
    "moment/": "rest",
  };
  for (const [key, owner] of Object.entries(owners)) assert.equal(deskOf(key), owner, key);
});

test("a desk's data is counted as games, entries and bytes of text, the largest first", () => {
  const loop = {};
  loop.self = loop; // no text of it can be written
  const parts = usageByPart([
    ["moment/code/g1/m1", { label: "é" }],
    ["moment/code/g1/m2", {}],
    ["moment/code/g2/m1", {}],
    ["cursor/code/t", {}],
    ["last", "code"],
    ["shelf/1", loop],
  ]);
  const code = "moment/code/g1/m1".length * 3 + "cursor/code/t".length + '{"label":"é"}'.length + 1 + 3 * 2;
  assert.deepEqual(parts, [
    { of: "code", games: 2, entries: 4, bytes: code },
    { of: "rest", games: 0, entries: 1, bytes: 8 },
    { of: "shelf", games: 0, entries: 1, bytes: 7 },
  ]);
  assert.deepEqual(usageByPart([]), []);
});
