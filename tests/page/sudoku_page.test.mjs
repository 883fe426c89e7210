/** The sudoku desk's page: boards read and compared, steps played, forms, symmetries, numbers, lists, rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";
import { downloads } from "./template.mjs";

const FIRST = "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4.";
const SECOND = ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2.";
const HARD = "574831926612479853983625714435798162796142385821356497157963248368214579249587631";
const TWIN = "514382679982567134673149825865213497341976582729458316438795261257631948196824753";
const MOST = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
const LAST = "123456789457893612986217354274538196531964827698721435342685971715349268869172543";
const SOLUTION = "467153289152894673839627154984732561321546798576981432298475316645319827713268945"; // of FIRST

let clipboard = "";
Object.defineProperty(globalThis, "navigator", {
  value: { clipboard: { writeText: async (text) => (clipboard = text) } },
  configurable: true,
});

const verdict = (desk) => desk.page.one(".verdict .answer-word").text;
const heads = (desk) => desk.page.all(".board-head p").map((one) => one.text);

/** The desk with these boards. */
const open = (...grids) => openDesk("sudoku", { grids: grids.filter((one) => typeof one === "string") });

/** What a drawn grid shows, as 81 characters. */
function shows(grid) {
  const out = Array(81).fill(".");
  for (const token of grid.all(".grid-token")) {
    const [x, y] = token.properties.style.match(/[\d.]+/g).map(Number);
    out[Math.floor(y / 40) * 9 + Math.floor(x / 40)] = token.text;
  }
  return out.join("");
}
const cells = (desk, i) => shows(desk.page.all(".board .grid")[i]);

/** The place of a marked cell. */
const place = (mark) => (Number(mark.attributes.y) / 40) * 9 + Number(mark.attributes.x) / 40;
const marked = (desk, i) => desk.page.all(".board .grid")[i].all(".grid-mark.moved").map(place);

/** An event of the mouse over a cell of a grid. */
async function at(desk, grid, cell, type = "click") {
  grid.getBoundingClientRect = () => ({ left: 0, top: 0, width: 364 });
  const [clientX, clientY] = [(cell % 9) * 40 + 22, Math.floor(cell / 9) * 40 + 22];
  grid.dispatch(type, { clientX, clientY, pointerType: "mouse" });
  await desk.settled();
}

/** Until it holds: files are read beside the page. */
async function until(desk, holds) {
  for (let turns = 0; !holds(); turns++) {
    if (turns > 500) throw new Error(desk.page.text.slice(-500));
    await desk.settled();
  }
}

/** A text pasted outside any field. */
async function paste(desk, text, last = false) {
  const taken = desk.desk.paste(text, desk.context, last);
  await desk.settled();
  return taken;
}

test("an equivalence is found, and keys play its steps up to the second board", async () => {
  const desk = await open(FIRST, SECOND);
  assert.equal(verdict(desk), "The same");
  const steps = desk.page.all(".steps li").length;
  assert.equal(steps, 13);
  for (let n = 0; n < steps; n++) await desk.keys("Shift+ArrowRight");
  assert.equal(desk.page.all(".step.done").length, steps);
  assert.equal(cells(desk, 0), SECOND);
  await desk.keys("Shift+ArrowLeft");
  assert.equal(desk.page.all(".step.done").length, steps - 1);
  await desk.press("From the start");
  assert.equal(cells(desk, 0), FIRST);
  await desk.press("Play");
  assert.ok(desk.page.role("button", "Pause"));
  await desk.press("Pause");
  assert.ok(
    desk.sentences.some((line) => /^The same\. 13 steps turn the first board into the second\.$/.test(line)),
  );
});

test("a selected or hovered cell is linked with its image on the other board", async () => {
  const desk = await open(FIRST, SECOND);
  await at(desk, desk.page.all(".board .grid")[0], 0);
  const linked = desk.page.all(".board .grid")[1].all(".grid-mark.linked");
  assert.equal(linked.length, 1);
  await at(desk, desk.page.all(".board .grid")[1], place(linked[0]), "pointermove");
  assert.deepEqual(desk.page.all(".board .grid")[0].all(".grid-mark.linked").map(place), [0]);
});

// The fact that the sentence states, seen on both boards, and how many cells have a mark.
const MARKED = {
  "unavoidable rectangles": [HARD, TWIN, ["5 rectangles", "13 rectangles"], "19,44"],
  "pairs of digits that share a strip": [
    "735248691412396875689517342357621984164879253928453167876134529291785436543962718",
    "724851963195463287836927415478135629361792854952684371647219538213548796589376142",
    ["2 and 5 share 9 strips", "no pair with 9 strips"],
    "18,0",
  ],
  "counting symbols": [FIRST, `......18${FIRST.slice(8)}`, ["1 stands 4 times", "1 stands 5 times"], "4,5"],
  "givens in rows and columns": [
    FIRST,
    `2......8${FIRST.slice(8)}`,
    ["columns 4 to 6: 2, 2, 3 givens", "columns 7 to 9: 1, 2, 4 givens"],
    "27,27",
  ],
  "cycles of two parallel lines": [
    "652314431256316425245631124563563142",
    "634512251643165234423156316425542361",
    ["column 4, column 5", "none here"],
    "12,0",
  ],
  "the co-occurrence table": [
    "...7.....5..48..2.....354...69.......7......63....4.8.......83....9....12....35..",
    ".....1.25..2.3.9........36....69.2....63...7..8...5.....3.7..9.1........84.......",
    ["1, 2 with these counts", "7 with these counts"],
    "3,2",
  ],
};
for (const [reason, [a, b, shown, counts]] of Object.entries(MARKED))
  test(`different boards are marked at their reason: ${reason}`, async () => {
    const desk = await openDesk("sudoku", { box: a.length === 36 ? [2, 3] : [3, 3], grids: [a, b] });
    assert.match(desk.page.one(".verdict").text, new RegExp(`Decided by: ${reason}`));
    assert.deepEqual([heads(desk), [0, 1].map((i) => marked(desk, i).length).join()], [shown, counts]);
  });

test("an entry of the key is marked on both boards on hover, and stays marked when pressed", async () => {
  const desk = await open(FIRST, SECOND);
  const entry = (name) => desk.page.all(".key-entry").find((one) => one.name === name);
  entry("Row 1 → 3").dispatch("pointerenter", { pointerType: "mouse" });
  assert.deepEqual(heads(desk), ["row 1", "row 3"]);
  assert.deepEqual([marked(desk, 0)[0], marked(desk, 1)[0]], [0, 18]);
  entry("Row 1 → 3").dispatch("pointerleave");
  assert.equal(marked(desk, 0).length, 0);
  await desk.press("Digit 3 → 5");
  for (const i of [0, 1]) assert.ok(marked(desk, i).every((cell) => cells(desk, i)[cell] === "35"[i]));
  assert.equal(marked(desk, 0).length, 2);
  await desk.press("Digit 3 → 5");
  assert.equal(marked(desk, 1).length, 0);
});

test("boards are pasted in the dialog, edited symbol by symbol, and undone", async () => {
  const desk = await open();
  await desk.press("Paste or type boards");
  await desk.fill("Paste boards", `${FIRST}\n${SECOND}\n`);
  await desk.press("Read this");
  assert.equal(verdict(desk), "The same");
  await at(desk, desk.page.all(".board .grid")[0], 0);
  await desk.press("Symbol 5");
  assert.equal(verdict(desk), "Different");
  assert.match(desk.page.one(".verdict").text, /The first has 23 givens, the second 22\./);
  await desk.press("Symbol 2");
  assert.match(desk.page.all(".board")[0].text, /break the rules/);
  await desk.move(-2);
  assert.equal(verdict(desk), "The same");
});

test("a board pasted while another is read goes to the other place", async () => {
  const desk = await openDesk("sudoku");
  for (const text of [FIRST, SECOND]) desk.desk.paste(text, desk.context);
  await desk.settled();
  assert.equal(desk.position.grids.filter((board) => /\d/.test(board)).length, 2);
});

test("a pasted pair shows its verdict; a third board asks which one to replace", async () => {
  const asked = [];
  const desk = await openDesk("sudoku", undefined, { answer: ({ want }) => void asked.push(want) });
  await paste(desk, FIRST);
  assert.match(heads(desk)[0], /22 givens, one solution/);
  await paste(desk, SECOND);
  assert.equal(verdict(desk), "The same");
  assert.ok(!asked.includes("same"), asked.join());
  await paste(desk, HARD);
  assert.match(desk.page.one("dialog").text, /There are already two boards\./);
  await desk.press("Neither");
  assert.deepEqual([cells(desk, 0), cells(desk, 1)], [FIRST, SECOND]);
  await paste(desk, HARD);
  await desk.press("The first");
  assert.equal(verdict(desk), "Different");
  assert.deepEqual([cells(desk, 0), cells(desk, 1)], [HARD, SECOND]);
  await desk.move(-1);
  assert.equal(verdict(desk), "The same");
  await desk.check(/^Do not rename digits/);
  assert.equal(verdict(desk), "Different");
});

test("a table of cells is read as a board; a sentence is refused and can be edited", async () => {
  const desk = await open();
  const lines = FIRST.match(/.{9}/g).map((line) => [...line].map((c) => c.replace(".", "")).join(","));
  assert.equal(await paste(desk, lines.join("\n"), true), true);
  assert.match(heads(desk)[0], /22 givens, one solution/);
  const text = "This is a sentence about nothing in particular.";
  assert.equal(await paste(desk, text), false, "other desks are asked first");
  await paste(desk, text, true);
  assert.match(desk.page.one("dialog").text, /What could not be read/);
  assert.equal(desk.page.role("textbox", "Paste boards").value, text);
});

test("a board is typed with keys and stored in its link", async () => {
  const desk = await open();
  await desk.keys("ArrowDown", "5", "ArrowRight", "3", "ArrowDown", "7");
  assert.match(heads(desk)[0], /3 givens, several solutions/);
  assert.equal(cells(desk, 0).slice(0, 11), "53........7");
  await desk.keys("Backspace");
  assert.match(heads(desk)[0], /2 givens/);
  await desk.move(-1);
  const other = await openDesk("sudoku", await desk.address());
  assert.match(heads(other)[0], /3 givens, several solutions/);
  assert.equal(cells(other, 0), cells(desk, 0));
});

test("unreadable input is reported with line and column", async () => {
  const desk = await open();
  await desk.press("Paste or type boards");
  await desk.fill("Paste boards", `${FIRST}\n${SECOND.slice(0, 80)}\n`);
  await desk.press("Read this");
  assert.match(desk.page.one("dialog").text, /Line 2, column 81/);
  assert.match(desk.page.one("dialog").text, /1 board/);
});

test("all symmetries can be browsed, in words and on the board", async () => {
  const desk = await open(MOST);
  await desk.unfold("Symmetries");
  assert.match(desk.page.text, /648 transforms map this board to itself\./);
  const counter = () => desk.page.one(".counter").text;
  assert.equal(counter(), "2 of 648");
  await desk.press("Previous");
  assert.equal(desk.page.one(".cycles").text, "The identity: nothing moves.");
  await desk.press("Previous");
  assert.equal(counter(), "648 of 648");
  await desk.press("Next");
  await desk.press("Next");
  assert.equal(counter(), "2 of 648");
  const goes = Number(/columns 1→(\d)→/.exec(desk.page.one(".cycles").text)[1]);
  await at(desk, desk.page.one(".symmetry .grid"), 0, "pointermove");
  assert.equal(place(desk.page.one(".symmetry .linked")), goes - 1);
  assert.equal(shows(desk.page.one(".symmetry .grid")), MOST);
});

test("boards that differ only by symbols do not contradict their equal minlex forms", async () => {
  const desk = await open(HARD, [...HARD].map((c) => ({ 1: "2", 2: "1" })[c] ?? c).join(""));
  assert.equal(verdict(desk), "The same");
  await desk.check(/^Do not rename digits/);
  assert.equal(verdict(desk), "Different");
  assert.match(desk.page.one(".verdict").text, /With digits renamed they are the same\./);
  assert.match(heads(desk)[0], /^row 9$/);
  await desk.unfold("For other programs");
  assert.match(desk.page.one(".forms").text, /Least forms rename digits\./);
});

test("minlex forms are lines to copy, and boards on request", async () => {
  const desk = await open(FIRST, SECOND);
  await desk.unfold("For other programs");
  const lines = desk.page.all(".form-text").map((one) => one.text);
  assert.equal(lines.length, 2);
  assert.equal(lines[0], lines[1]);
  assert.equal(desk.page.all(".forms .grid").length, 0);
  await desk.press(desk.page.all(".forms button").find((one) => one.name === "Show board"));
  assert.deepEqual(desk.page.all(".forms .grid").map(shows), lines);
  await desk.press("Copy both");
  assert.deepEqual([clipboard, desk.notices.at(-1)], [lines.join("\n"), "Copied."]);
  await desk.press("Solution carried");
  assert.notEqual(desk.page.all(".form-text")[0].text, lines[0]);
});

test("the empty desk offers three examples and a board for typing", async () => {
  const desk = await openDesk("sudoku", undefined, { narrow: true });
  assert.equal(desk.page.all(".start-examples button").length, 3);
  await desk.press(desk.page.all("button").find((one) => one.name === "Fill in a board"));
  await desk.press("Symbol 5");
  assert.equal(desk.page.all(".board .grid-token").length, 1);
  const other = await open();
  await other.press(other.page.all(".start-examples button")[0]);
  assert.equal(other.page.all(".start").length, 0);
  assert.equal(verdict(other), "The same");
});

// Making and disguising --------------------------------------------------------------------------

test("a board is scrambled next to the original, and the transform is described in a sentence", async () => {
  const desk = await open(FIRST);
  await desk.unfold("Make a board");
  await desk.press("Scrambled board");
  await desk.press("Most");
  await desk.press("Make it");
  assert.equal(verdict(desk), "The same");
  assert.equal(desk.page.all(".steps li").length, 18);
  assert.match(desk.page.one(".witness").text, /Yours is mine transposed/);
  assert.match(desk.page.one(".key").text, /Column → row/);
  const board = [...cells(desk, 0)];
  const [digits, rows, cols] = desk.page.all(".key dd").map((part) => {
    const pairs = part.all(".key-entry").map((one) => one.all("b")[0].text);
    return (to) => pairs.indexOf(String(to)) + 1; // from the second board to the first
  });
  [...cells(desk, 1)].forEach((d, i) => {
    const source = (cols((i % 9) + 1) - 1) * 9 + rows(Math.floor(i / 9) + 1) - 1;
    assert.equal(board[source], String(digits(d) || d));
  });
  assert.equal(cells(desk, 0), FIRST);
  await desk.unfold("Closest match");
  assert.match(desk.page.text, /Proven: no transform does better\./);
});

test("a puzzle is generated from the current grid", async () => {
  const desk = await open(HARD);
  await desk.unfold("Make a board");
  await desk.press("Make it");
  assert.match(heads(desk).at(-1), /one solution/);
  assert.ok([...cells(desk, 1)].every((c, i) => c === "." || c === HARD[i]));
});

test("a puzzle is chosen from a file by its number of givens", async () => {
  const desk = await open();
  await desk.unfold("Make a board");
  const input = desk.page.all(".folds input[type=file]").find((one) => /sdm/.test(one.attributes.accept));
  input.files = [new File([`${FIRST}\n${".".repeat(7)}1${".".repeat(73)}\n`], "known.txt")];
  input.dispatch("change");
  await until(desk, () => desk.page.all("button").some((one) => /^Use one/.test(one.name)));
  await desk.fill("Givens", "22");
  await desk.press("Use one of 22 givens");
  assert.match(heads(desk)[0], /22 givens, one solution/);
  assert.equal(cells(desk, 0), FIRST);
});

test("boards are saved as files of other programs", async () => {
  const desk = await open(FIRST, SECOND);
  await desk.unfold("For other programs");
  await desk.press("Save as .sdm");
  assert.equal(downloads.at(-1).name, "boards.sdm");
  assert.equal(await downloads.at(-1).blob.text(), `${FIRST}\n${SECOND}\n`);
});

// Lists ------------------------------------------------------------------------------------------

const result = (desk) => desk.page.all(".list-result")[0]?.text ?? "";

/** A text in the list's field, and what comes of it. */
async function list(desk, text, task) {
  if (!desk.view.listing) await desk.unfold("A list");
  if (task) await desk.press(task);
  await desk.fill("One board per line", text);
  await desk.press("Go");
  await until(desk, () => result(desk) && !desk.page.all(".list-fold progress").length);
}
const saved = async () => (await downloads.at(-1).blob.text()).trimEnd().split("\n");

test("a list loses its duplicates, and a selected pair shows both boards", async () => {
  const desk = await open();
  await list(desk, `${FIRST} one\n${HARD}\n${SECOND}\n${TWIN}\nnonsense here and there\n`);
  assert.match(result(desk), /4 boards, 3 different ones, 1 duplicate/);
  assert.match(result(desk), /Line 5/);
  await desk.press("Save without duplicates");
  assert.deepEqual(await saved(), [`${FIRST} one`, HARD, TWIN]);
  await desk.press("Line 1 = line 3");
  assert.equal(verdict(desk), "The same");
  await desk.press("Is the second board in the list?");
  assert.match(result(desk), /The second board is in the list: it is line 1\./);
  await desk.press("Compare with another list");
  await list(desk, `${HARD}\n${MOST}\n`);
  assert.match(result(desk), /1 of 2 boards is in the first list as well\./);
  await desk.press("Line 1 = line 2 of the first list");
  assert.equal(verdict(desk), "The same");
});

test("near duplicates of a list are drawn and saved, and a selected pair shows the differences", async () => {
  const desk = await open();
  const more = (n) => [...FIRST].map((c, i) => (c === "." && i < n ? SOLUTION[i] : c)).join("");
  await list(desk, [FIRST, HARD, more(1), SECOND, more(2)].join("\n"), "Near duplicates");
  assert.match(result(desk), /5 boards, 1 duplicate: 4 near pairs in 1 cluster\./);
  assert.ok(
    desk.page.all(".list-result [role=img]").some((one) => one.name.startsWith("A cluster of 4 lines")),
  );
  assert.equal(desk.page.all(".cluster-edge").length, 4);
  await desk.press("Save the pairs (CSV)");
  assert.deepEqual((await saved()).slice(1), [
    "1,3,1,0,1,0,the same with 1 given more",
    "1,4,0,0,0,0,the same board in disguise",
    "1,5,2,0,2,0,the same with 2 givens more",
    "3,5,1,0,1,0,the same with 1 given more",
  ]);
  await desk.press("Line 1 ~ line 5: the same with 2 givens more");
  assert.equal(verdict(desk), "Different");
  assert.equal(cells(desk, 1), more(2));
  assert.match(desk.page.text, /All givens of one board are in the other\./);
  assert.equal(desk.page.all(".fold-body .grid-mark.wrong").length, 2);
  await desk.press(desk.page.one(".cluster-edge.same"));
  assert.equal(verdict(desk), "The same");
});

test("a list without near duplicates states so, and the options that were not used", async () => {
  const desk = await open();
  await list(desk, `${FIRST}\n${HARD}\nnonsense here\n`, "Near duplicates");
  assert.match(result(desk), /No two boards differ in at most 2 cells/);
  assert.match(result(desk), /Line 3/);
  await list(desk, "1234341221434321\n3412123421434321\n");
  assert.match(result(desk), /among 9×9 boards only/);
});

test("a table of a list has the selected form and the numbers of grids", async () => {
  const desk = await open();
  const tables = [];
  for (const [form, number] of [["Straight", "Without numbers"], ["Solution carried", "Numbers, 10 ms each"]]) {
    if (!desk.view.listing) await desk.unfold("A list");
    await desk.press("Table");
    const fold = () => desk.page.one(".list-fold");
    for (const name of [form, number]) await desk.press(name, fold());
    await list(desk, `${FIRST}\n${SECOND}\n${HARD.slice(0, 80)}\n`);
    assert.match(result(desk), /Line 3, column 81/);
    await desk.press("Save the table (CSV)");
    tables.push((await saved()).map((line) => line.split(",")));
  } // biome-ignore format: two tables
  const [straight, carried] = tables;
  for (const table of tables) assert.deepEqual(table[0].slice(-3), ["carried", "grid", "number"]);
  assert.deepEqual(straight.slice(1).map((row) => row.slice(0, 2)), [["1", "1"], ["2", "1"]]); // biome-ignore format: rows
  assert.equal(straight[1][4], straight[2][4]);
  assert.equal(carried[1][4], carried[2][4]);
  assert.notEqual(straight[1][4], carried[1][4]);
  assert.equal(straight[1][8], "");
  assert.ok(Number(carried[1][8]) > 0 && carried[1][8] === carried[2][8]);
});

test("drawn boards and boards of another size can be listed", async () => {
  const desk = await open();
  const drawn = [FIRST, HARD, SECOND].map((board) => board.match(/.{9}/g).join("\n"));
  await list(desk, drawn.join("\n\n"));
  assert.match(result(desk), /Recognised: grid; its boards are numbered below, 9×9/);
  assert.match(result(desk), /Line 1 = line 3/);
  await list(desk, "1234341221434321\n2143432112343412\n1234341243212143\n12\n");
  assert.match(result(desk), /The boards are 4×4/);
  assert.match(result(desk), /4 lines: 3 boards/);
  assert.match(result(desk), /Line 4, column 1: There is no board here/);
});

// Numbers ----------------------------------------------------------------------------------------

const spaced = (n) => n.toLocaleString("en").replaceAll(",", "\u00a0");
const number = (desk) => desk.page.one(".number").text.replaceAll(/\s/g, "\u00a0");

test("the number of a grid is shown with its address, its symmetries and its sets", async () => {
  const desk = await open(LAST);
  await desk.unfold("The number of a grid");
  assert.equal(number(desk), spaced(5_472_730_538));
  assert.match(desk.page.one(".identity").text, /72 transforms map it to itself/);
  assert.match(desk.page.one(".identity").text, /rspzfgc-aaaaaaaaa/);
  assert.match(desk.page.all(".fold-body")[0].text, /0 of four cells and 66 of six/);
  assert.equal(desk.page.all(".fold-body .grid-mark.moved").length, 6);
  await desk.press("Next set");
  assert.equal(desk.page.all(".fold-body .counter")[0].text, "2 of 66");
  assert.equal(desk.page.role("button", "Next grid").disabled, true);
  await desk.press("Previous grid");
  assert.equal(number(desk), spaced(5_472_730_537));
});

test("a typed number or address opens its grid, arrow keys step to the next, and undo goes back", async () => {
  const desk = await open();
  await desk.unfold("The number of a grid");
  const type = async (text) => {
    const field = desk.page.role("textbox", "A number, or an address");
    field.properties.value = text;
    field.closest("form").dispatch("submit", { target: field });
    await desk.settled();
    await desk.settled();
  };
  await type("1 234 567 890");
  assert.equal(number(desk), spaced(1_234_567_890));
  for (const next of [1_234_567_891, 1_234_567_892]) {
    await desk.press("Next grid");
    assert.equal(number(desk), spaced(next));
  }
  await desk.move(-1);
  assert.equal(number(desk), spaced(1_234_567_891));
  await type("5472730539");
  assert.match(desk.page.text, /Grids have the numbers 1 to/);
  await type("rspzfgc-aaaaaaaaa");
  assert.equal(cells(desk, 0), LAST);
});

test("the views of a grid are counted, and a layout that obeys a rule becomes the second board", async () => {
  const grid = "839647251675182934214953678597261843461738592382495167928574316753816429146329785";
  const desk = await open(grid);
  await desk.unfold("What this grid can be");
  const ways = desk.page.all(".views li").map((one) => one.text.replace(/\s+/g, " "));
  assert.match(ways[0], /X: both diagonals: 1 way/);
  assert.match(ways[2], /Disjoint groups: in no way/);
  await desk.press(desk.page.all(".views button")[0]);
  assert.match(heads(desk)[1], /complete/);
  assert.equal(desk.page.all(".board .rule-line").length, 2);
  const puzzle = await open(FIRST);
  await puzzle.unfold("What this grid can be");
  assert.match(puzzle.page.text, /Enter a complete 9×9 grid\./);
});

// Rules ------------------------------------------------------------------------------------------

const PLAIN = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const SWAPPED = PLAIN.slice(9, 18) + PLAIN.slice(0, 9) + PLAIN.slice(18);
const THERMO = { kind: "other", name: "thermometers" };

test("the verdict of a pair with constraints always names them", async () => {
  const desk = await openDesk("sudoku", { grids: [PLAIN, SWAPPED], constraints: [THERMO] });
  assert.equal(verdict(desk), "The same as plain sudoku");
  assert.equal(desk.page.one(".verdict .note").text, "Not compared: thermometers.");
  assert.match(desk.page.all(".also")[0].text, /With thermometers\./);
  assert.equal(heads(desk)[0], "30 givens, one solution by plain rules");
  await desk.unfold("For other programs");
  assert.equal(desk.page.all(".forms .note")[0].text, "Not compared: thermometers.");
  await desk.unfold("Solutions");
  assert.match(desk.page.text, /As plain sudoku: It has exactly one solution\./);
  const other = await openDesk("sudoku", await desk.address());
  for (let n = 0; n < 2; n++)
    await other.press(other.page.all("button").find((one) => one.name === "Ignore these rules"));
  assert.equal(verdict(other), "The same");
  assert.equal(other.page.all(".verdict .note").length, 0);
  await other.move(-1);
  assert.equal(other.page.all(".also").length, 1);
});

// A 5 in the first cell, and a thermometer.
const LINKED =
  "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT1ADcBDAGwFc54BWVNCImAOwQBcMqBfZYHv3vyGCRfALrJCwgTOlyJU0XKVKFsles1c1yrRu2S9R+Yd1nVp/Vdk7r58RJBsAFjAwBbAPbuYbN/gBGMS4gA=";

test("a pasted link includes its constraints, and clearing the board removes them", async () => {
  const desk = await open();
  await paste(desk, LINKED);
  assert.equal(cells(desk, 0)[0], "5");
  assert.match(desk.page.one(".also").text, /With thermometers\./);
  assert.equal(desk.page.all(".also").length, 1);
  await desk.press(desk.page.all("button").find((one) => one.name === "Clear"));
  assert.equal(desk.page.all(".also").length, 0);
});

test("two X-sudokus are compared within the symmetries of both diagonals", async () => {
  const desk = await openDesk("sudoku", {
    grids: [PLAIN, [...PLAIN].reverse().join("")],
    constraints: [{ kind: "diagonals" }],
  });
  assert.equal(verdict(desk), "The same");
  assert.match(
    desk.page.one(".verdict").text,
    /Compared with both diagonals: 96 symmetries of the cells keep these rules\./,
  );
  assert.deepEqual(
    desk.page.all(".steps .step").map((one) => one.text),
    ["Turn the board by half"],
  );
  assert.equal(desk.page.all(".board .rule-line").length, 4);
  await desk.press(desk.page.one(".steps .step"));
  assert.equal(heads(desk)[0], "Now it is the second board");
});

/** Press the check box of the diagonals in the dialog. */
async function tickDiagonals(desk) {
  await desk.press(desk.page.all("button").find((one) => one.name === "Rules"));
  await desk.check(/^X: both diagonals/);
  desk.state.dialog = null;
}

test("a rule selected before the boards applies to boards pasted later as strings", async () => {
  const desk = await open();
  await tickDiagonals(desk);
  await paste(desk, `${PLAIN}\n${SWAPPED}\n`);
  assert.deepEqual(desk.position.constraints, [{ kind: "diagonals" }]);
  assert.equal(verdict(desk), "Different");
});

test("a rule selected before the boards applies to boards entered one after the other", async () => {
  const desk = await open();
  await tickDiagonals(desk);
  await desk.keys("ArrowDown", "5", "Backspace", "5");
  assert.deepEqual(desk.position.constraints, [{ kind: "diagonals" }]);
  await at(desk, desk.page.all(".board .grid")[1], 0);
  await desk.keys("5");
  assert.equal(desk.page.all(".board .rule-line").length, 4);
  const clear = (i) => desk.press(desk.page.all("button").filter((one) => one.name === "Clear")[i]);
  await clear(0);
  assert.deepEqual(desk.position.constraints, [{ kind: "diagonals" }]);
  await clear(1);
  assert.equal(desk.position.constraints, undefined);
});

test("a rule of one pasted board is not shown as one of both boards", async () => {
  const desk = await openDesk("sudoku", {
    grids: [PLAIN, SWAPPED],
    constraints: [{ kind: "diagonals", board: 0 }],
  });
  await tickDiagonals(desk);
  assert.deepEqual(desk.position.constraints, [{ kind: "diagonals" }]);
});

test("every section of a board that breaks the rules asks to correct it", async () => {
  const desk = await open(FIRST, `55${".".repeat(79)}`);
  const notes = () =>
    desk.page.all(".note").filter((one) => /Correct the marked cells/.test(one.text)).length;
  assert.equal(notes(), 1);
  await desk.unfold("Closest match");
  await desk.unfold("Symmetries");
  assert.equal(notes(), 2);
  assert.match(desk.page.text, /Only the identity maps this board to itself\./);
  await desk.press("Second");
  assert.equal(notes(), 3);
  assert.doesNotMatch(desk.page.text, /Only the identity/);
});

test("rules are switched on for both boards and undone; equal digits on a diagonal are marked", async () => {
  const desk = await open(PLAIN, SWAPPED);
  await tickDiagonals(desk);
  assert.equal(verdict(desk), "Different");
  assert.match(desk.page.one(".verdict").text, /96 maps of cells keep the constraints/);
  await desk.move(-1);
  assert.equal(verdict(desk), "The same");
  const clash = await openDesk("sudoku", {
    grids: [`5${".".repeat(79)}5`],
    constraints: [{ kind: "diagonals" }],
  });
  assert.equal(clash.page.all(".grid-mark.wrong").length, 2);
});
