/** The mines desk without a browser: presses, texts of hints and errors, generating and rating puzzles. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";
import { zip } from "./fakes.mjs";
import { downloads } from "./template.mjs";

const { puzzles } = await import("../../web/desks/mines/puzzles.js");
const { unseal } = await import("../../web/desks/mines/sealed-solution.js");
const { notesOf } = await import("../../web/desks/mines/player-marks.js");
const { levelOf } = await import("../../web/desks/mines/editor/editor-page.js");

const titled = (title) => puzzles.find((one) => one.title === title).position;
const cell = (desk, i) => desk.page.all("[data-cell]")[i];
const shown = (desk, selector) => desk.page.all(selector).length;

/** The desk with a bundled puzzle, its solution unsealed. */
async function board(title = "First lock", options = {}) {
  const desk = await openDesk("mines", titled(title), options);
  await unseal(desk.position);
  return desk;
}

/** Presses a key on a cell. */
async function key(desk, i, name, held = {}) {
  cell(desk, i).dispatch("keydown", { key: name, ...held });
  await desk.settled();
}

/** A board typed as text. */
async function take(desk, text) {
  await desk.press("Puzzles");
  await desk.fill(/^Type a board/, text);
  await desk.press("Use it");
}

test("the help text describes presses for touch or for a mouse", async () => {
  assert.match(
    (await board("First lock", { narrow: true })).page.text,
    /Tap to open a cell; hold it to flag it\./,
  );
  assert.doesNotMatch((await board()).page.text, /Tap to open/);
});

test("keys on a cell open, flag and mark it; a wrong flag is shown on request", async () => {
  const desk = await board();
  await key(desk, 12, "Enter");
  assert.ok(cell(desk, 12).classList.includes("open"));
  await key(desk, 12, "ArrowUp");
  assert.equal(desk.view.focus, 6);
  await key(desk, 6, "f");
  assert.equal(cell(desk, 6).name, "A2, flag, row 2: 5 mines, column A: 4 mines");
  await key(desk, 7, "m");
  assert.equal(cell(desk, 7).all(".mark").length, 1);
  await desk.press("Is a flag wrong?");
  assert.match(desk.page.text, /No, the flags are right so far\./);
  await key(desk, 9, "f");
  await desk.press("Is a flag wrong?");
  assert.match(desk.page.text, /Yes, a flag is wrong\./);
});

test("hints are given in steps: existence, place, clues, move; then the move is made", async () => {
  const desk = await board();
  await desk.press("Is there a move?");
  assert.match(desk.page.text, /Yes: at least one cell is certain\. No guess is needed\./);
  assert.equal(shown(desk, ".ring.target"), 0);
  await desk.press("Where is it?");
  assert.deepEqual([shown(desk, ".ring.target"), shown(desk, ".edge.lit")], [6, 0]);
  assert.match(desk.page.text, /Look at the 6 outlined cells\./);
  await desk.press("Which clues?");
  assert.equal(shown(desk, ".edge.lit"), 1);
  assert.match(desk.page.one(".hint-text").text, /This clue decides it: (row|column) \w+\./);
  await desk.press("What is it, and why?");
  assert.match(desk.page.text, /They are safe\./);
  assert.match(desk.page.text, /One count is enough\./);
  assert.ok(desk.sentences.some((line) => /safe/.test(line)));
  await desk.press("Hide the hint");
  assert.equal(shown(desk, ".ring"), 0);
  for (const name of ["Is there a move?", "Where is it?", "Which clues?", "What is it, and why?"])
    await desk.press(name);
  await desk.press(desk.page.one(".hint-text").parent.one(".main"));
  assert.equal(shown(desk, ".cell.open"), 6);
});

test("without a certain cell the best guess is named with its chance to win and outlined", async () => {
  const desk = await openDesk("mines", undefined, { narrow: true });
  await take(desk, "1#\n##\ntotal 1");
  await desk.press("Is there a move?");
  await desk.press("Best guess");
  assert.match(desk.page.one(".advice-bar").text, /Guess B1: you win 33 %\s*mine in 33 %\s*Open B1/);
  assert.match(desk.page.text, /A2\s*none is safer\s*win 33 %\s*safe 67 %/); // all three cells tie
  assert.equal(shown(desk, ".ring.target"), 1);
});

test("chances of all cells are shown with the number of layouts, and a forced cell has its explanation", async () => {
  const desk = await board();
  await desk.press("Show every cell's chance");
  assert.match(desk.page.text, /395 layouts fit the clues\./);
  assert.equal(shown(desk, ".heat"), 36);
  await key(desk, 12, "ArrowRight");
  await desk.press("Why B3?");
  assert.equal(shown(desk, ".steps li"), 1);
  assert.ok(desk.sentences.includes("395 layouts fit the clues."));
});

test("a step is undone and redone, and the link contains the board with its flags", async () => {
  const desk = await board();
  await key(desk, 12, "Enter");
  await key(desk, 13, "Enter");
  await desk.move(-1);
  assert.equal(shown(desk, ".cell.open"), 1);
  await desk.move(1);
  await key(desk, 0, "f");
  const other = await openDesk("mines", await desk.address());
  assert.deepEqual([shown(other, ".cell.open"), shown(other, ".cell.flag")], [2, 1]);
  assert.equal(other.page.one("h1").text, "First lock");
});

test("a wrong flag is reported at once and named only on request", async () => {
  const desk = await board("Coat of many colours");
  assert.equal(shown(desk, ".fence"), 1);
  for (const i of [0, 1]) await key(desk, i, "f");
  await desk.press("Is there a move?");
  assert.match(desk.page.text, /At least one flag is wrong/);
  assert.equal(shown(desk, ".ring"), 0);
  assert.doesNotMatch(desk.page.text, /These clues contradict each other/);
  await desk.press("Which one?");
  assert.match(desk.page.text, /There (is no mine|are no mines) at A1/);
  assert.ok(shown(desk, ".ring.wrong"));
});

test("on a phone the bar offers to name the wrong flag", async () => {
  const desk = await openDesk("mines", await (await board("Coat of many colours")).address(), {
    narrow: true,
  });
  for (const i of [0, 1]) await key(desk, i, "f");
  const bar = () => desk.page.one(".advice-bar");
  await desk.press("Hint", bar());
  assert.match(bar().text, /A flag is wrong/);
  assert.doesNotMatch(bar().text, /A1/);
  await desk.press("Which one?", bar());
  assert.match(bar().text, /no mines? at A1/);
});

test("flags of a typed board are checked together, and the contradiction is shown on request", async () => {
  const desk = await openDesk("mines");
  await take(desk, "!#!\ntotal 1");
  assert.equal(shown(desk, ".cell.flag"), 2);
  await desk.press("Is a flag wrong?");
  assert.match(desk.page.text, /Yes, a flag is wrong\./);
  await desk.press("Show every cell's chance");
  assert.match(desk.page.text, /At least one flag is wrong/);
  assert.doesNotMatch(desk.page.text, /the flag at A1/);
  await desk.press("Which one?");
  assert.match(desk.page.text, /the total · the flag at A1 · the flag at C1/);
});

test("a contradiction of a typed board is named by its clues and disappears after a correction", async () => {
  const desk = await openDesk("mines");
  await take(desk, "3###\n####\ntotal 2");
  assert.match(desk.page.text, /These clues contradict each other/);
  assert.match(desk.page.text, /the total · the 3 at A1/);
  await key(desk, 0, "Enter");
  await desk.press("1");
  assert.doesNotMatch(desk.page.text, /These clues contradict each other/);
});

test("a malformed file is refused with its line and stays in the field", async () => {
  const desk = await openDesk("mines");
  await take(desk, "<PUZZLE>\n<GRAPH></PUZZLE>");
  assert.match(desk.page.one(".dialog [role=alert]").text, /line 2/);
  assert.equal(desk.page.role("textbox", /^Type a board/).value, "<PUZZLE>\n<GRAPH></PUZZLE>");
});

test("on a typed board, digits and ? go to the pressed cell", async () => {
  const desk = await openDesk("mines");
  await take(desk, "####\n####\n####");
  assert.match(desk.page.text, /Select a cell, then enter its number\./);
  await key(desk, 5, "Enter");
  await key(desk, 5, "3");
  assert.equal(cell(desk, 5).name, "B2, open, 3");
  await key(desk, 6, "Enter");
  await key(desk, 6, "?");
  assert.equal(cell(desk, 6).name, "C2, open, no number");
});

test("the help sheet lists the board's keys, digits only where they apply", async () => {
  const labels = (desk) => desk.desk.keys(desk.context).map(({ label }) => label);
  const first = labels(await board());
  for (const label of ["Open, or a number's neighbours", "Flag", "Mark", "Go through the neighbours"])
    assert.ok(first.includes(label), label);
  const typed = await openDesk("mines");
  await take(typed, "####\n####");
  assert.equal(labels(typed).length, first.length + 1);
});

test("a board's rating: its score, each step, other scales, other rounds", async () => {
  const desk = await board();
  await desk.unfold("How hard is it?");
  assert.match(desk.page.text, /solves it in/);
  assert.ok(desk.page.all(".scale .here").some((one) => /^easy/.test(one.text)));
  await desk.unfold("All steps");
  assert.ok(shown(desk, ".records tbody tr"));
  await desk.press("0");
  assert.equal(desk.page.role("button", "0").attributes["aria-pressed"], "true");
  assert.match(desk.page.text, /solves it in|stops here/);
  await desk.press("On the scale of published boards");
  assert.match(desk.page.text, /On the scale of the boards published in 2018: \d\.\d\d\./);
  assert.match(desk.page.text, /Without tie-breaking order: \d\.\d\d\./);
});

test("the easiest path is listed and replayed on the board without changing the game", async () => {
  const desk = await board();
  const { position } = desk;
  await desk.unfold("How hard is it?");
  await desk.press("Which moves does it need?");
  assert.match(desk.page.text, /needs \d+ moves:/);
  await desk.press("Show it move by move");
  const status = () => desk.page.role("region", "The solution, move by move").one("[role=status]").text;
  const moves = Number(/^Move 1 of (\d+)\./.exec(status())[1]);
  assert.ok(shown(desk, ".ring.target"));
  for (let move = 2; move <= moves; move++) {
    await desk.press("Next move");
    // All clues of a move have numbers before it.
    assert.match(status(), new RegExp(`^Move ${move} of ${moves}\\. By (?!.*undefined)`));
  }
  await desk.press("Next move");
  assert.match(status(), /That was all/);
  assert.ok(shown(desk, ".cell.flag"));
  await key(desk, 0, "Enter");
  await desk.press("Back to my game");
  assert.equal(shown(desk, ".cell.open"), 0);
  assert.equal(desk.position, position);
});

test("a proof highlights its steps one by one and opens as a tree down to the clues", async () => {
  const desk = await openDesk("mines");
  await take(desk, "###\n121");
  await desk.press("Show every cell's chance");
  assert.deepEqual(
    [1, 2].map((i) => cell(desk, i).one("text").text),
    ["0%", "100%"],
  );
  await key(desk, 0, "ArrowRight");
  await desk.press("Why B1?");
  const steps = () => desk.page.all(".steps .step");
  assert.equal(steps().length, 2);
  assert.equal(shown(desk, ".ring.clue"), 3);
  await desk.press(steps()[0]);
  assert.equal(steps()[0].attributes["aria-pressed"], "true");
  assert.deepEqual([shown(desk, ".ring.clue"), shown(desk, ".ring.target")], [2, 1]);
  await desk.press(steps()[0]);
  assert.equal(shown(desk, ".ring.clue"), 3);
  assert.match(desk.page.text, /All 2 steps use exact counts\./);
  assert.equal(shown(desk, ".tree summary"), 2);
  assert.ok(desk.page.all(".tree .leaf").some((one) => one.text === "the 2 at B2"));
});

test("a number with as many closed cells as it counts flags them all, as one step", async () => {
  const desk = await openDesk("mines");
  await take(desk, "*.*.");
  await unseal(desk.position);
  await key(desk, 1, "Enter");
  assert.match(cell(desk, 1).name, /^B1, open, 2/);
  await key(desk, 1, "Enter");
  assert.match(desk.page.text, /Press again to flag all 2 cells around it\./);
  assert.equal(shown(desk, ".ring.near"), 2);
  await key(desk, 1, "Enter");
  assert.equal(shown(desk, ".cell.flag"), 2);
  await desk.move(-1);
  assert.equal(shown(desk, ".cell.flag"), 0);
});

/** Fills in the generator's dialog; it gets a bundled puzzle with this rating. */
async function making({ kind, size, wish }, rating, change = async () => {}) {
  const asked = [];
  const answer = (request) => {
    if (request.want !== "generate") return undefined;
    asked.push(request.options);
    return { result: { ...titled("First lock"), title: undefined, rating } };
  };
  const desk = await openDesk("mines", undefined, { answer });
  await desk.press("Puzzles");
  await desk.select("Board", kind);
  await desk.select("Size", size);
  await desk.press(wish);
  await change(desk);
  await desk.press("Make it");
  return { desk, options: asked[0] };
}

test("another puzzle is shown from its top", async (t) => {
  const scrolled = t.mock.method(globalThis, "scrollTo");
  await making({ kind: "hex", size: "3", wish: "Easy" }, { hit: true, wanted: "", smooth: 1 });
  assert.deepEqual(scrolled.mock.calls.at(-1)?.arguments, [0, 0]);
});

test("a puzzle is generated as requested, and a missed difficulty is reported", async () => {
  const { desk, options } = await making({ kind: "hex", size: "3", wish: "Fiendish" }, { hit: false, wanted: "20..40", smooth: 7.24 }); // biome-ignore format: a case
  const { board: kind, size, difficulty } = options;
  assert.deepEqual({ kind, size, difficulty }, { kind: "hex", size: 3, difficulty: "20..40" });
  assert.match(desk.page.text, /You asked for a difficulty of 20 to 40\. The nearest found has 7\.2;/);
  const made = await making({ kind: "corner-bite", size: "6", wish: "Easy" }, { hit: true });
  assert.equal(made.desk.page.one("h1").text, "Corner bite 6");
  assert.equal(made.desk.page.all(".dialog").length, 0);
});

test("a puzzle is requested by its moves, and the result is shown", async () => {
  const wished = {
    met: true,
    lacks: [],
    looked: 12,
    hardest: { subset: 7 },
    kept: [{ kinds: {}, lacks: [] }],
  };
  const { desk, options } = await making({ kind: "combination-lock", size: "5", wish: "By required moves" }, { wished }, async (desk) => {
    await desk.select("Number of moves", "2");
    await desk.select("Kind", "subset");
    await desk.press("Another kind");
    await desk.press("Another kind");
    const lines = () => desk.page.all(".dialog .fields[role=group]");
    assert.equal(lines().length, 3);
    await desk.press("Leave out “a sum of counts”");
    await desk.select(desk.page.role("group", "a chain of counts").role("combobox", "Number of moves"), "0");
    assert.equal(lines().length, 2);
    await desk.select("Counts that one move may need", "3");
    await desk.check("No move harder than these", false);
  }); // biome-ignore format: a case
  assert.equal(options.wish, "2 subset, 0 chain, at most 3 counts");
  assert.match(desk.page.text, /As you asked\./);
  assert.match(
    desk.page.text,
    /12 candidates checked\. The hardest move of those that need no guess: 7 × one count inside another\./,
  );
});

test("marks of several kinds are set, counted, stored in the link and removed", async () => {
  const desk = await board();
  const marks = () => Object.fromEntries(notesOf(desk.position));
  await desk.press("Mark");
  await key(desk, 0, "Enter");
  assert.deepEqual(marks(), { 0: "dot" });
  assert.match(desk.page.text, /36 cells, 14 mines in all, 1 mark/);
  await desk.press(/^Tick: safe/);
  for (const i of [6, 7]) await key(desk, i, "Enter");
  await key(desk, 0, "m", { shiftKey: true });
  await key(desk, 0, "m", { shiftKey: true });
  await desk.press(/^Pencil 1/);
  await key(desk, 6, "Enter");
  assert.deepEqual(marks(), { 0: "unsure", 6: "first", 7: "safe" });
  assert.equal(cell(desk, 6).name, "A2, closed, marked by pencil 1, row 2: 5 mines, column A: 4 mines");
  const other = await openDesk("mines", await desk.address());
  assert.deepEqual(Object.fromEntries(notesOf(other.position)), marks());
  await key(desk, 8, "Enter");
  await desk.press("Remove all 2");
  assert.deepEqual(marks(), { 0: "unsure", 7: "safe" });
  await desk.move(-1);
  assert.equal(desk.page.role("button", /^Pencil 1/).name, "Pencil 1, on 2 cells");
});

test("a flag hides a mark, opening removes a mark, and keys cycle through the kinds", async () => {
  const desk = await board();
  await key(desk, 12, "m");
  await key(desk, 13, "m");
  await key(desk, 13, "f");
  assert.deepEqual([...notesOf(desk.position).keys()], [12]);
  await key(desk, 13, "m");
  assert.equal(desk.notices.at(-1), "B3 has a flag. Remove it before you set a mark.");
  await key(desk, 12, "Enter");
  assert.equal(notesOf(desk.position).size, 0);
  const kinds = [];
  for (let n = 0; n < 6; n++) {
    await key(desk, 0, "M", { shiftKey: true });
    kinds.push(notesOf(desk.position).get(0));
  }
  assert.deepEqual(kinds, ["dot", "safe", "unsure", "first", "second", undefined]);
  await desk.keys("k");
  const chosen = desk.page.role("group", "Which mark").all("[aria-pressed=true]");
  assert.deepEqual(
    chosen.map((one) => one.name),
    ["Tick: safe"],
  );
});

/** The level editor with an empty board of a kind. */
async function editor(kind, size, button = "Make an empty board") {
  const desk = await openDesk("mines", undefined);
  await desk.press("Puzzles");
  await desk.select("Board", kind);
  await desk.select("Size", String(size));
  await desk.press(button);
  return desk;
}
const brush = (desk, name) => desk.press(desk.page.all(".brush").find((one) => one.one("b").text === name));
const verdict = (desk) => desk.page.all("[data-verdict]").map((one) => one.attributes["data-verdict"]);

test("a board is built in the editor, repaired where it is stuck, and played", async () => {
  const desk = await editor("combination-lock", 5);
  assert.ok(verdict(desk).includes("no-guess"), verdict(desk));
  for (const i of [0, 6, 12]) await key(desk, i, "Enter");
  assert.equal(shown(desk, ".cell.mine"), 3);
  assert.ok(verdict(desk).includes("stuck"));
  assert.match(desk.page.text, /Needs a guess/);
  assert.ok(shown(desk, ".cell.stuck"));
  await desk.press(/cells from A1/);
  const changes = desk.page.role("group", "Single-cell changes that fix it").all("button");
  assert.equal(changes.length, 6);
  await desk.press(changes[0]);
  assert.ok(verdict(desk).includes("no-guess"));
  assert.equal(shown(desk, ".cell.stuck"), 0);
  await desk.move(-1);
  assert.ok(verdict(desk).includes("stuck"));
  await desk.move(1);
  await desk.press("Play it");
  assert.equal(shown(desk, ".mines-editor"), 0);
  assert.equal(desk.page.one("h1").text, "Combination lock 5");
});

test("fields of the game's list are entered with the board and stored in its link; invalid ones are refused", async () => {
  const desk = await editor("combination-lock", 5);
  const texts = { ID: "Ymine1", "ID of the next puzzle": "Ymine2", "On its tile": "M1", Author: "N." };
  for (const [name, text] of Object.entries(texts)) await desk.fill(name, text);
  await desk.fill("On its tile", "LONG");
  assert.equal(desk.notices.at(-1), "A tile has room for three characters.");
  const other = await openDesk("mines", await desk.address());
  assert.deepEqual(Object.values(levelOf(other.position)), Object.values(texts));
});

test("every brush changes the board, mirrored if selected", async () => {
  const desk = await editor("torus", 4);
  await desk.press("left ↔ right");
  await key(desk, 0, "Enter");
  assert.equal(shown(desk, ".cell.mine"), 2);
  await brush(desk, "Hidden number");
  await key(desk, 5, "Enter");
  assert.deepEqual(
    [5, 6].map((i) => cell(desk, i).one("text").text),
    ["?", "?"],
  );
  await brush(desk, "Open at the start");
  await key(desk, 9, "Enter");
  assert.equal(shown(desk, ".cell.start"), 2);
  await brush(desk, "Colour");
  await desk.press("dark green");
  await key(desk, 12, "Enter");
  assert.equal(shown(desk, ".cell.tint-green.dark"), 2);
  await desk.press(/^row 1: 2 mines/);
  assert.ok(desk.page.role("button", /^row 1: count hidden/));
  await desk.press("not at all");
  await brush(desk, "Cells");
  await key(desk, 15, "Enter");
  assert.equal(shown(desk, ".cell:not(.room)[data-cell]"), 15);
});

test("a counted set, a merged cell and a copy are made from cells selected one by one", async () => {
  const desk = await editor("torus", 4);
  const select = async (...cells) => {
    for (const i of cells) await key(desk, i, "Enter");
  };
  const rings = () => shown(desk, ".ring.target");
  await key(desk, 0, "Enter");
  await brush(desk, "Counted set");
  await select(0, 5, 10);
  assert.match(cell(desk, 5).name, /, selected$/);
  assert.equal(rings(), 3);
  await select(5);
  assert.equal(rings(), 2);
  await desk.press("Clear selection");
  assert.equal(rings(), 0);
  await select(0);
  assert.ok(desk.page.role("button", "Count as a set").disabled);
  await select(6);
  await desk.press("Count as a set");
  assert.deepEqual(desk.position.groups, [{ kind: "line", cells: [0, 6], count: 1 }]);
  assert.equal(rings(), 0);
  await brush(desk, "Copy");
  await select(0, 1);
  await desk.keys("a");
  await key(desk, 14, "Enter");
  assert.deepEqual(desk.position.mines, [0, 14]);
  await desk.press("Copy other cells");
  await brush(desk, "Join");
  await select(5, 15);
  await desk.press("Join cells");
  assert.match(desk.notices.at(-1), /not connected/);
  assert.equal(rings(), 2);
  await select(15, 6);
  await desk.press("Join cells");
  assert.equal(shown(desk, "[data-cell]"), 15);
});

test("cells are added on a lattice of hexagons", async () => {
  const desk = await editor("hex", 3);
  await brush(desk, "Cells");
  assert.equal(shown(desk, ".cell.room"), 18);
  desk.page.all(".cell.room")[0].dispatch("keydown", { key: "Enter" });
  await desk.settled();
  assert.equal(shown(desk, ".cell:not(.room)[data-cell]"), 20);
  const other = await openDesk("mines", await desk.address());
  assert.equal(shown(other, "[data-cell]"), 20);
});

test("a bundled puzzle opens in the editor, and every stroke is checked", async () => {
  const desk = await board();
  await desk.press("Puzzles");
  await desk.press("Edit this board");
  await unseal(titled("First lock"));
  await desk.settled();
  assert.ok(verdict(desk).includes("no-guess"));
  const mines = desk.position.mines.length;
  await key(desk, desk.position.mines[0], "Enter");
  assert.equal(desk.position.mines.length, mines - 1);
  assert.ok(!verdict(desk).includes("waiting"));
});

test("a board played elsewhere is entered by hand with the counts next to it", async () => {
  const desk = await editor("combination-lock", 5, "Enter the board yourself");
  const line = desk.page
    .all("[role=button]")
    .find((one) => one.name === "row 2: no count yet; select it to enter one");
  await desk.press(line);
  await desk.press(desk.page.role("group", "How many mines are in row 2, of 5 cells?").role("button", "0"));
  assert.ok(desk.page.role("button", "row 2: 0 mines in 5 cells"));
  await desk.fill("Mines in all", "4");
  await desk.press("Show every cell's chance");
  assert.match(desk.page.text, /Certain: 5 safe\./);
  assert.equal(shown(desk, ".heat.sure-safe"), 5);
  for (const hint of ["Is there a move?", "Where is it?", "Which clues?", "What is it, and why?"])
    await desk.press(hint);
  for (let n = 0; n < 3; n++) await desk.press("0", desk.page.one(".note.pad"));
  for (let n = 3; n < 5; n++) await desk.keys("0");
  assert.equal(shown(desk, ".cell.open"), 5);
});

const PUBLISHED = JSON.parse(
  readFileSync(new URL("../vectors/mines-published.json", import.meta.url), "utf8"),
).boards;
const locks = (size) =>
  PUBLISHED.filter((one) => one.size === size).map(({ layout }) =>
    layout.match(new RegExp(`.{${size}}`, "g")).join("\n"),
  );
const BROKEN = "<PUZZLE>\n<ID>\n1\n</ID>\nnonsense";
const names = (desk) => desk.page.all(".mines-rated tbody th").map((one) => one.text);

/** Waits until the desk shows something: files are read in the background. */
async function until(desk, holds) {
  for (let turns = 0; !holds(desk.page); turns++) {
    if (turns > 500) throw new Error(desk.page.text.slice(-700));
    await desk.settled();
  }
}

/** Chooses files to be rated. */
async function rate(desk, files, type = "change") {
  const part = desk.page.all(".mines-part").find((one) => /Rate many puzzles/.test(one.text));
  const chosen = files.map(([name, data]) => new File([data], name));
  if (type === "drop") part.dispatch("drop", { dataTransfer: { files: chosen } });
  else {
    const input = part.one("input");
    input.files = chosen;
    input.dispatch("change");
  }
  await until(desk, (page) => page.all("[aria-busy=false]").length && names(desk).length >= files.length);
}

test("many files and archives are rated in order, and a malformed one is named with its line", async () => {
  const desk = await openDesk("mines");
  await desk.press("Puzzles");
  const [first, second, third] = locks(6);
  const archive = zip([
    ["001-a.txt", first, true],
    ["002-b.puz", BROKEN, true],
    ["cover.png", "no puzzle", false],
  ]);
  await rate(desk, [["lock 1.txt", second], ["lock 2.puz", BROKEN], ["lock 10.txt", third], ["levels.zip", archive]]); // biome-ignore format: files
  assert.deepEqual(names(desk), ["levels.zip/001-a.txt", "levels.zip/002-b.puz", "lock 1.txt", "lock 2.puz", "lock 10.txt"]); // biome-ignore format: files
  const rows = desk.page.all(".mines-rated tbody tr").map((one) => one.text);
  assert.equal(rows.filter((text) => /no guess/.test(text)).length, 3);
  assert.match(rows[1], /line \d/i);
  await rate(desk, [["levels.zip", archive.slice(0, 90)]], "drop");
  assert.match(desk.page.all(".mines-rated tbody tr")[0].text, /This archive is damaged/);
  assert.equal(names(desk).length, 1);
});

test("ratings are saved as a table; after a stop the finished ones are kept", async () => {
  const desk = await openDesk("mines");
  await desk.press("Puzzles");
  const [first, second] = locks(6);
  await rate(desk, [["1.txt", first], ["2.puz", BROKEN]]); // biome-ignore format: files
  await desk.press("Save as a table");
  const { name, blob } = downloads.at(-1);
  const lines = (await blob.text()).trim().split("\r\n");
  assert.deepEqual([name, lines.length], ["ratings.csv", 3]);
  assert.match(lines[1], /^1\.txt,[^,]*,\d[\d.]*,\d+,true,\d+,/);
  assert.match(lines[2], /line \d/);
  desk.silent = ({ want }) => want === "rate";
  const part = desk.page
    .all(".mines-part")
    .find((one) => /Rate many puzzles/.test(one.text))
    .one("input");
  part.files = [new File([first], "3.txt"), new File([second], "4.txt")];
  part.dispatch("change");
  await until(desk, (page) => /1 of 2: 3\.txt/.test(page.text));
  await desk.press("Stop");
  assert.match(desk.page.text, /Stopped after 0 of 2\./);
});

test("rated levels are saved as one campaign, and levels with equal IDs are refused with their places", async () => {
  const desk = await openDesk("mines");
  await desk.press("Puzzles");
  const [first, second] = locks(6);
  await rate(desk, [["1.txt", first], ["2.txt", second]]); // biome-ignore format: files
  await desk.press("Save as a campaign");
  assert.equal(downloads.at(-1).name, "campaign.zip");
  assert.match(await downloads.at(-1).blob.text(), /^PK/);
  await rate(desk, [["1.txt", first], ["2.txt", second], ["3.txt", first]]); // biome-ignore format: files
  await desk.press("Save as a campaign");
  assert.match(desk.page.text, /Levels 1 and 3 have the same ID/);
});
