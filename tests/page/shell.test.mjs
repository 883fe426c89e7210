/** The frame around every desk, in the whole page: home, links, menu, trial branches, keys, pasted text. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FIRST, guesses, reading, typed, visit } from "./site.mjs";

test("home shows every game with its question, a picture and two examples", async () => {
  const page = await visit("");
  const cards = page.all(".cards .card");
  const names = cards.map((card) => card.one(".door-text b").text);
  assert.deepEqual(names, ["Mastermind", "Bomb Busters", "Scan clues", "Tametsi", "Sudoku"]);
  for (const card of cards) {
    assert.ok(card.all(".mini svg *").length > 10, "a picture of a real position has parts");
    assert.match(card.one(".asks").text, /\?$/);
    const facts = card.all(".examples button");
    assert.equal(facts.length, 2);
    for (const fact of facts) assert.doesNotMatch(fact.text, /\bbits?\b|metric/);
  }
  assert.equal(page.drawn.role("link", "Guide").attributes.href, "docs/index.html");
  assert.equal(page.all("button.main").length, 1, "one primary button");
  assert.equal(page.all(".go-on").length, 0, "a first visit has no games");
});

test("home lists the visitor's games of all desks, newest first, and opens the selected one", async () => {
  let page = await visit("#/code");
  await page.keys(FIRST, "Enter");
  await page.press("History");
  await page.press("New game");
  await page.keys("234510", "Enter");
  await page.go("#/");
  await page.press(page.all(".examples [data-desk=rack]")[0]);
  page = await page.reload("#/");
  const games = page.all(".own-game");
  assert.equal(games.length, 3);
  assert.deepEqual(
    games.map((one) => one.one(".quiet").text),
    ["2 of 27 wires cut", "1 row, 108 codes left", "1 row, 208 codes left"],
  );
  assert.ok(games[0].all(".svg-tile").length > 5, "a drawing of its own position");
  await page.press(games[2]);
  assert.equal(page.places.desk.dataset.desk, "code");
  assert.match(page.all(".guess")[0].text, /0 0 1 1,[\s\S]*208 left/);
});

test("a text pasted at home opens the matching desk; without one an error is shown", async () => {
  const page = await visit("", { answer: reading });
  await page.submit("Have it as text, link or picture?", "0011 1A1B\n0203 1A0B");
  assert.equal(guesses(page), 2);
  await page.go("#/");
  await page.bring("paste", { text: "0011 1A1B" });
  assert.equal(guesses(page), 3, "the desk shows the stored game");
  await page.go("#/");
  await page.bring("drop", { text: "Rows and columns." });
  assert.equal(page.notice, "This text was not recognised.");
});

test("an invalid link opens a page with the reason", async () => {
  const bad = {
    "#/chess": /There is no desk “chess”/,
    "#/code/9/abc": /This link is of version 9; this page reads version 1/,
    "#/code/1/%%": /damaged: part of it is missing or changed/,
    "#what is this": /This is not a Cluewise link/,
    "#/constructor": /There is no desk “constructor”/,
  };
  for (const [fragment, why] of Object.entries(bad)) {
    const page = await visit(fragment);
    assert.match(page.notice, /^This link could not be opened\./);
    assert.match(page.notice, why);
    assert.ok(page.all("[role=alert]").length);
    assert.ok(page.all("h1").length, "a board or the home page is shown");
  }
});

test("a desk is found in any spelling of its address", async () => {
  for (const fragment of ["#/code/", "#code", "#code/"]) {
    const page = await visit(fragment);
    assert.deepEqual([page.places.desk.dataset.desk, page.notice], ["code", ""], fragment);
  }
});

test("navigation during an update of the address reaches its target", async () => {
  const page = await visit("#/code");
  let behind = 0;
  page.root.dataset = new Proxy(page.root.dataset, {
    set(data, name, value) {
      data[name] = value;
      if (name === "address" && value === "behind" && !behind++) page.go("#/mines");
      return true;
    },
  });
  await page.go("#/rack");
  assert.equal(behind > 0, true);
  assert.equal(page.places.desk.dataset.desk, "mines");
  assert.match(page.address, /#\/mines\/1\//);
});

test("a branch is tried, survives a reload, and leads back to the game", async () => {
  let page = await visit("#/code");
  await page.keys(FIRST, "Enter");
  await page.press("History");
  await page.press("Try a branch…");
  await page.submit("Name this branch", "a 3 is in it");
  assert.match(page.all(".suppose-line")[0].text, /You are on the branch “a 3 is in it”\./);
  await page.keys("020310", "Enter", "020300", "Enter");
  page = await page.reload();
  assert.match(page.all(".suppose-line")[0].text, /a 3 is in it/);
  await page.press("Back to the game");
  assert.deepEqual([guesses(page), page.all(".suppose-line").length], [1, 0]);
  await page.keys("234510", "Enter");
  await page.press("History");
  const tree = page.dialog.all(".moment");
  assert.equal(tree.length, 5);
  assert.match(tree.find((one) => /current step/.test(one.text)).text, /2345/);
  await page.press(tree.find((one) => /a 3 is in it/.test(one.text)).one("button"));
  assert.equal(guesses(page), 2);
  assert.match(page.all(".suppose-line")[0].text, /a 3 is in it/);
});

test("the sheet of keys is generated from the active keys, without Escape", async () => {
  const page = await visit("#/code");
  await page.keys("?");
  const [desk, everywhere] = page.dialog.all(".keys");
  assert.match(desk.text, /0–5/);
  assert.match(everywhere.text, /Ctrl Enter The button of the advice\s*Ctrl z Undo/);
  await page.keys("1");
  await page.close();
  assert.equal(page.dialog, null);
  assert.equal(page.all(".slot.c1").length, 0, "keys belong to the dialog while it is open");
});

test("theme and colours are stored and applied before the first drawing of the next visit", async () => {
  let page = await visit("#/code");
  await page.menu("Settings");
  await page.press("Dark");
  await page.press("Easy to tell apart");
  assert.equal(page.dialog.role("button", "Dark").attributes["aria-pressed"], "true");
  page = await page.reload();
  assert.deepEqual([page.root.dataset.theme, page.root.dataset.palette], ["dark", "clear"]);
});

test("the menu shows the running version and links to stored data, licences and all examples", async () => {
  const page = await visit("#/code", { answer: () => null });
  await page.press("Menu");
  assert.match(page.dialog.one(".version").text, /^Cluewise 0\.1\.0 · What is stored · Licences$/);
  assert.equal(page.dialog.role("link", "Licences").attributes.href, "docs/licences.html");
  assert.equal(page.dialog.role("link", "What is stored").attributes.href, "docs/index.html#kept");
  assert.match(
    readFileSync(new URL("../../dist/docs/index.html", import.meta.url), "utf8"),
    /<h2 id="kept">/,
  );
  await page.press(page.dialog.all(".menu-item").find((one) => /^Examples/.test(one.text)));
  assert.ok(page.dialog.all(".list-item").length > 2);
  await page.press(page.dialog.all(".list-item")[1]);
  assert.equal(page.dialog, null);
  assert.equal(guesses(page), 1);
});

test("the text view is shown on request in the desk's words", async () => {
  const page = await visit("#/mines");
  await page.press("Share");
  await page.press("Text view");
  const text = page.all(".text-view")[0].text;
  assert.match(text, /All other cells are covered\.$/);
  await page.keys("Ctrl+e");
  assert.equal(page.all(".text-view").length, 0);
  await page.keys("Ctrl+Enter");
  assert.ok(page.drawn.role("button", "Hide the hint"), "the button of the advice has a key");
});

test("one press sends each request once and writes one link", async () => {
  const page = await visit("#/code", { answer: () => null });
  await page.keys(FIRST);
  page.questions.length = 0;
  const Compressing = globalThis.CompressionStream;
  let links = 0;
  globalThis.CompressionStream = function Counted(kind) {
    links++;
    return new Compressing(kind);
  };
  await page.keys("Enter");
  globalThis.CompressionStream = Compressing;
  assert.equal(guesses(page), 1);
  const asked = page.questions.map((question) => JSON.stringify(question));
  assert.ok(asked.length > 0);
  assert.deepEqual(asked, [...new Set(asked)]);
  assert.equal(links, 1);
});

test("an embedded board ignores keys, stores nothing and links to the full page", async () => {
  const fragment = new URL((await typed()).address).hash;
  const page = await visit(`?embed=1${fragment}`);
  await page.keys("020310", "Enter");
  assert.equal(guesses(page), 1);
  assert.equal(page.profile.stored.size, 0);
  assert.equal(
    page.drawn.role("link", "Open this in Cluewise").attributes.href,
    `https://example.org/${fragment}`,
  );
});

test("if Python does not start, the reason is shown with a retry button", async () => {
  const page = await visit("#/code");
  page.worker.onmessage({ data: { type: "phase", name: "loading", done: 1, total: 2, message: "" } });
  await page.settled();
  assert.equal(page.all(".phase")[0].attributes["aria-valuenow"], "50");
  page.worker.onmessage({
    data: { type: "phase", name: "failed", done: 0, total: 1, message: "No memory." },
  });
  await page.settled();
  assert.match(
    page.notice,
    /^The engine did not start\. No memory\. The board, undo and links still work\.$/,
  );
  const { worker } = page;
  await page.press(page.all(".notice button")[0]);
  assert.notEqual(page.worker, worker);
  assert.equal(page.notice, "");
});

test("the notice of an opened mine stays until the next step, and its button takes the step back", async () => {
  const page = await visit("#/mines");
  const open = (i) => page.all("[data-cell]")[i].dispatch("keydown", { key: "Enter" });
  for (let i = 0; !page.notice; i++) {
    open(i);
    await page.settled();
  }
  assert.match(page.notice, /^[A-Z]\d was a mine and is now flagged\./);
  const flags = page.all(".cell.flag").length;
  page.all(".cell.closed")[0].dispatch("keydown", { key: "f" });
  await page.settled();
  assert.deepEqual([page.all(".cell.flag").length, page.notice], [flags + 1, ""]);
  await page.keys("Ctrl+z");
  await page.press(page.all(".notice button").find((one) => one.text === "Undo"));
  assert.deepEqual([page.all(".cell.flag").length, page.notice], [flags - 1, ""]);
});

test("a named position is looked up, and an unknown name gives an error", async () => {
  const grid = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
  const answer = ({ want, options }) => {
    if (want !== "grid") return null;
    return options.code === "rspzfgc"
      ? { result: { grid } }
      : { error: { kind: "bad_option", message: "Grids have the numbers 1 to 9." } };
  };
  const page = await visit("#/sudoku/rspzfgc", { answer });
  assert.match(page.address, /#\/sudoku\/1\//);
  assert.equal(page.all(".board .grid-token").filter((one) => one.text !== ".").length, 81);
  const { address } = page;
  await page.go("#/sudoku/zzzzzzz");
  assert.match(page.notice, /^This link could not be opened\. Grids have the numbers 1 to 9\.$/);
  assert.equal(page.all(".board .grid-token").filter((one) => one.text !== ".").length, 81, address);
});
