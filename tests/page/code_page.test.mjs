/** The code desk without a browser: its texts, and the effects of keys and buttons. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";

const { bestAdvice } = await import("../../web/desks/code/advice.js");

const BULLS_AND_COWS = { pegs: 4, colours: 10, repeat: false };
const clue = (guess, exact, partial) => ({ guess, exact, partial });
const ROW = clue("0011", 1, 1); // leaves 208 codes of 1296
const TWO_LEFT = clue("0012", 0, 4);
/** No costs of guesses: most tests do not use them. */
const QUIET = { silent: ({ options = {} }) => options.settle };
const game = (...clues) => openDesk("code", { clues }, QUIET);
const left = (desk) => desk.page.one(".left b").text;
const best = (desk) => desk.page.all(".options:not(.stale) .option")[0];
const answer = (desk) => desk.page.all(".guess .code").map((one) => one.text);
const pegsOf = (desk) => desk.page.all(".guess .open").map((one) => one.all(".unseen")[0].text);

test("a typed row is added, undone and redone", async () => {
  const desk = await openDesk("code", {}, { silent: ["advise"] });
  await desk.keys("001111", "Enter");
  assert.deepEqual(answer(desk), ["1A1B"]);
  assert.equal(left(desk), "208");
  assert.equal(desk.step, "Row 1: 0011 1A1B");
  await desk.move(-1);
  assert.deepEqual([answer(desk), left(desk)], [[], "1\u202f296"]);
  await desk.move(1);
  assert.deepEqual(desk.position.clues, [ROW]);
});

test("a row can be typed before Python has started", async () => {
  const desk = await openDesk("code", {}, { phase: "starting" });
  await desk.keys("001111", "Enter");
  assert.deepEqual(answer(desk), ["1A1B"]);
  assert.match(desk.page.text, /Starting the engine/);
});

test("a row is edited, ignored, counted again and removed in its dialog", async () => {
  const desk = await game(ROW, clue("0203", 1, 0));
  const choose = async (name) => {
    desk.page.all(".guess .open")[0].press();
    await desk.press(name);
  };
  await choose("Ignore this row");
  assert.equal(desk.page.all(".guess.off").length, 1);
  await choose("Use this row again");
  assert.equal(desk.page.all(".guess.off").length, 0);
  await choose("Edit");
  await desk.keys("Backspace", "Backspace", "220", "Enter");
  assert.deepEqual(answer(desk), ["2A0B", "1A0B"]);
  assert.equal(pegsOf(desk)[0], "Row 1: 0 0 1 2,");
  await choose("Remove");
  assert.equal(desk.step, "Row 1: Remove");
  assert.deepEqual(answer(desk), ["1A0B"]);
});

test("pegs and answers can be pressed, selected and erased as well as typed", async () => {
  const desk = await openDesk("code", {}, { silent: ["advise"] });
  for (const c of "0012") await desk.press(`Colour ${c}`);
  await desk.press("Peg 2: 0");
  await desk.press("Colour 3");
  await desk.press("One number unknown?");
  await desk.press("2", desk.page.role("group", "Right place"));
  assert.equal(desk.page.role("button", "Add this row").disabled, true);
  await desk.press("unknown", desk.page.role("group", "Right colour, wrong place"));
  await desk.press("Add this row");
  assert.deepEqual(desk.position.clues, [clue("0312", 2, null)]);
  await desk.keys("01", "ArrowLeft", "4", "Escape");
  assert.equal(desk.page.one(".slots").text.startsWith("2"), true);
  assert.equal(desk.page.all(".slot.open").length, 4);
});

test("the slots show no guess while its rank by guesses is computed", async () => {
  const desk = await game(ROW);
  assert.match(best(desk).text, /bits/);
  assert.equal(desk.page.all(".slot.advised").length, 0);
});

test("the slots show the advised guess, and one key of the pad adds it with its answer", async () => {
  const desk = await openDesk("code", { clues: [ROW] });
  const pad = () => desk.page.role("group", "What was the answer?");
  assert.equal(desk.page.all(".slot.advised").length, 4);
  const sum = pad()
    .all(".an")
    .reduce((all, one) => all + (Number(one.text) || 0), 0);
  assert.equal(sum, 208, "every remaining code belongs to one key");
  await desk.keys("Enter");
  assert.equal(desk.page.all(".slot.advised").length, 0, "Enter takes it");
  assert.equal(pad().role("button", "1 in place, 1 elsewhere: 32 left").attributes["data-letter"], "g");
  await desk.keys("g"); // its letter presses it
  assert.deepEqual(answer(desk), ["1A1B", "1A1B"]);
  await desk.press("Colour 4");
  assert.equal(desk.page.all(".slot.advised").length, 0, "a pressed colour begins another guess");
  const off = pad()
    .all(".an")
    .filter((one) => one.disabled);
  assert.equal(off.length, 14, "answers are disabled until all slots are filled");
  await desk.keys("444");
  await desk.press("0 in place, 0 elsewhere: 17 left", pad());
  assert.equal(pegsOf(desk)[2], "Row 3: 4 4 4 4,");
});

test("the palette marks excluded and certain colours", async () => {
  const rows = [clue("0012", 1, 1), clue("0304", 1, 1), clue("2044", 0, 1)];
  const desk = await openDesk("code", { clues: rows }, QUIET);
  const named = desk.page.all(".palette button").map((one) => one.name);
  assert.deepEqual(named, [
    "Colour 0, in it",
    "Colour 1",
    "Colour 2, out",
    "Colour 3",
    "Colour 4, out",
    "Colour 5",
  ]);
  const dots = desk.page.all(".place").map((one) => one.all(".could-be .peg").length);
  assert.deepEqual(dots, [4, 3, 3, 4]);
});

test("guesses are ranked by expected guesses; bits are in the explanation", async () => {
  const desk = await openDesk("code", { clues: [ROW] });
  assert.equal(best(desk).one(".number").text, "3.45guesses");
  assert.match(best(desk).text, /at most 4/);
  assert.doesNotMatch(best(desk).text, /bits/);
  const guess = best(desk).dataset.key;
  const why = desk.page.one(".reason").text;
  assert.match(why, new RegExp(`If you guess ${guess}`));
  assert.match(why, /With best play you need 3\.452 guesses on average .* and at most 4\./);
  assert.match(why, /Expected information: 3\.\d\d bits/);
  assert.match(why, /The next in the list, \d{4}, needs/);
  await desk.press("Use this guess");
  assert.equal(desk.view.draft.pegs.join(""), guess);
});

test("until the costs are computed, guesses are ranked by bits", async () => {
  const desk = await game(ROW);
  assert.equal(best(desk).dataset.key, "0203");
  assert.equal(best(desk).one(".number").text, "3.36bits");
  assert.match(desk.page.one(".ask .sub").text, /^Most informative first/);
});

test("the first option is shown by guesses as soon as it is certain, before the rest of the list", () => {
  const advise = {
    state: "done",
    value: { criterion: "entropy", remaining: 9, options: [{ guess: "0012" }] },
  };
  const shown = (best) => {
    const progress = { best: { criterion: "guesses", remaining: 9, options: [{ guess: "0123" }], ...best } };
    return bestAdvice({ view: {}, replies: { advise, costs: { state: "waiting", progress } } }).criterion;
  };
  const exact = { least: { exact: true } };
  const reports = [{}, { least: { exact: false } }, { ...exact, remaining: 8 }, exact];
  assert.deepEqual(reports.map(shown), ["entropy", "entropy", "entropy", "guesses"]);
});

test("with weighted codes, codes found within the rows are a share of the weight", async () => {
  const position = { rules: { pegs: 2, colours: 3 }, prior: { kinds: { "00": 3 } } };
  const desk = await openDesk("code", position, { ...QUIET, view: { criterion: "within", board: 1 } });
  assert.match(best(desk).text, /20\s?% of the weight/); // 3 of 3 · 3 + 6
  assert.match(desk.page.one(".reason").text, /Codes count by their weights\./);
});

test("guesses are ranked by the codes found within the remaining rows", async () => {
  const desk = await openDesk("code", {}, { ...QUIET, view: { criterion: "within", board: 3 } });
  assert.equal(best(desk).dataset.key, "0012"); // 132 of 1296 within three rows
  assert.match(best(desk).text, /132 of 1\u202f296 codes/);
  assert.match(desk.page.one(".reason").text, /you find 132 of 1\u202f296 codes within 3 rows/);
  const full = await openDesk("code", { clues: [ROW] }, { view: { criterion: "within", board: 1 } });
  assert.match(full.page.one(".ask").text, /No rows are left/);
  assert.equal(full.questions.replies.advise, undefined);
});

for (const [name, unit] of [
  ["Worst case", "at worst"],
  ["Average", "on average"],
  ["Answers", "answers"],
])
  test(`guesses ranked by “${name}” show the number that ranks them`, async () => {
    const desk = await game(ROW);
    await desk.press(name);
    const numbers = desk.page.all(".option .number b").map((one) => Number(one.text.replace(",", ".")));
    const order = (a, b) => (name === "Answers" ? b - a : a - b);
    assert.deepEqual(numbers, [...numbers].sort(order));
    assert.equal(desk.page.all(".option .number")[0].all("span")[0].text, unit);
    await desk.keys("0123");
    assert.match(desk.page.one(".mine").text, /with the best/);
  });

test("by fewest guesses 0012 is first in Mastermind: 5625 guesses over 1296 codes", async () => {
  const desk = await openDesk("code", {});
  assert.equal(best(desk).dataset.key, "0012");
  assert.match(best(desk).text, /4\.34guesses/);
  await desk.keys("0123");
  assert.match(desk.page.one(".mine").text, /Your 0123: \d\.\d{3} guesses on average, .* more than the best/);
});

test("long cost computations run only on request", async () => {
  const short = await openDesk("code", {}, QUIET);
  assert.equal(short.page.all(".ask input").length, 1); // only guesses that can be the code
  const desk = await openDesk("code", { rules: BULLS_AND_COWS }, { silent: ["advise"] });
  const seconds = () => desk.questions.replies.costs.request.options.seconds;
  assert.equal(seconds(), 8);
  await desk.check("Compute exact guess counts (may take minutes)");
  assert.equal(seconds(), undefined);
});

test("a cost with lower and upper bound is shown as an interval", async () => {
  const guesses = { low: 5.2, high: 5.3, expected: null, worst: null, exact: false };
  const desk = await openDesk(
    "code",
    { clues: [ROW] },
    { view: { criterion: "guesses" }, silent: ["doubt"] },
  );
  const { value } = desk.questions.replies.costs;
  const bracketed = { ...value, options: value.options.map((o) => ({ ...o, guesses })) };
  const again = await openDesk(
    "code",
    { clues: [ROW] },
    {
      view: { criterion: "guesses" },
      answer: ({ want }) => (want === "advise" ? { result: bracketed } : undefined),
    },
  );
  assert.equal(best(again).one(".number b").text, "≤ 5.30");
  assert.match(again.page.one(".reason").text, /From here it takes 5\.20 to 5\.30 guesses on average/);
});

test("above a million codes the page labels every number as exact or estimated", async () => {
  const clues = [clue("01234567", 1, 3)];
  const desk = await openDesk("code", { rules: { pegs: 8, colours: 16 }, clues }, QUIET);
  assert.equal(left(desk), "420\u202f377\u202f160");
  const note = desk.page.one(".ask .note").text;
  assert.match(note, /Estimated from \d+\u202f\d{3} codes/);
  assert.match(note, /a better one may exist/);
  assert.match(note, /No guess is more than 0\.4\d bits/);
  assert.match(desk.page.one(".ask .sub").text, /of 4\u202f294\u202f967\u202f296 guesses/);
  assert.doesNotMatch(desk.page.one(".ask").text, / class|are exact/);
});

test("the text view contains the numbers of the drawing", async () => {
  const lines = (await game(ROW)).sentences;
  assert.equal(lines[0], "208 codes are still possible.");
  assert.ok(lines.some((line) => line.includes("3.36 bits")));
  const clash = await game(clue("0011", 0, 0), clue("0101", 2, 1));
  assert.match(clash.sentences.slice(0, 2).join(" "), /cannot all be right.* Rows 1, 2 contradict/);
});

test("a typed guess is compared with the best one", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.keys("0000");
  assert.match(desk.page.one(".mine").text, /fewer than the best/);
});

test("a guess with equal information that cannot be the code is not called equally good", async () => {
  const desk = await game(TWO_LEFT);
  assert.equal(left(desk), "2");
  await desk.keys("0100");
  const said = desk.page.one(".mine").text;
  assert.match(said, /cannot be the code; 1200 can/);
  assert.doesNotMatch(said, /as good as the best/);
});

test("the first example of a game without repeats contains no colour twice", async () => {
  const desk = await openDesk("code", { rules: { repeat: false, colours: 10 } }, { silent: () => true });
  const example = desk.page.one(".first-example").text;
  assert.match(example, /If you guess 0314:.*2 elsewhere: the 3 and the 1\. The 4 is not in the code\./);
});

test("with two codes left, only guesses with different partitions are listed", async () => {
  const desk = await game(TWO_LEFT);
  assert.match(desk.page.one(".ask .sub").text, /the same answer from every possible code count once/);
  const keys = desk.page.all(".option").map((one) => one.dataset.key);
  assert.equal(new Set(keys).size, 10);
});

test("a code of the list can be entered in the row", async () => {
  const desk = await game(TWO_LEFT);
  await desk.unfold("Show the possible codes");
  assert.equal(desk.page.one(".codes").attributes["aria-label"], "The possible codes, a list to scroll");
  await desk.press("Enter 2100 as the guess");
  assert.deepEqual(desk.view.draft.pegs, ["2", "1", "0", "0"]);
});

test("contradictory rows are named, and one press repairs them", async () => {
  const desk = await game(clue("0011", 0, 0), clue("0101", 2, 1));
  const doubt = desk.page.one("[role=alert]");
  assert.match(doubt.text, /Rows 1, 2 contradict each other\./);
  assert.equal(desk.page.all(".guess.doubted").length, 2);
  doubt.all("button")[0].press();
  await desk.settled();
  assert.equal(desk.page.all("[role=alert]").length, 0);
  assert.ok(best(desk));
});

test("a winning row that contradicts others is reported as a contradiction, not as a win", async () => {
  const desk = await game(clue("0011", 1, 0), clue("2233", 4, 0));
  assert.match(desk.page.one("[role=alert]").text, /Rows 1, 2 contradict each other\./);
  assert.doesNotMatch(desk.page.text, /Found in/);
});

test("rows that imply each other are not all called redundant", async () => {
  const desk = await game(clue("0011", 0, 0), clue("0011", 0, 0), clue("0011", 0, 0));
  const idle = desk.page.all(".guess").map((row) => row.text.includes("redundant"));
  assert.deepEqual(idle, [false, true, true]);
});

test("a won game shows no advice until the winning row is ignored", async () => {
  const desk = await game(clue("0011", 2, 0), clue("2345", 0, 2), clue("0513", 4, 0));
  assert.match(desk.page.text, /Found in 3 guesses\./);
  assert.equal(desk.page.all(".review tbody tr").length, 3);
  assert.equal(desk.page.all(".options").length + desk.page.all(".entry").length, 0);
  desk.page.all(".guess .open")[2].press();
  await desk.press("Ignore this row");
  assert.equal(desk.page.all(".entry").length, 1);
  assert.ok(best(desk));
});

test("a finished game is reviewed in guesses, and each row lists the remaining codes", async () => {
  const desk = await game(clue("0123", 2, 0), clue("0045", 1, 1), clue("2043", 0, 2), clue("0220", 4, 0));
  const summary = "needs 4.34 guesses on average. You lost 0.56, and luck saved 0.90: 4 guesses.";
  assert.ok(desk.page.one(".review .sum").text.includes(summary));
  const rows = desk.page.all(".review tbody tr");
  assert.equal(rows.length, 4);
  assert.match(rows[1].text, /0\.09.*0245/);
  rows[2].one("button").press();
  await desk.settled();
  const dialog = desk.page.one("dialog");
  assert.deepEqual([dialog.all(".codes li").length, dialog.text.includes("0220")], [4, true]);
  await desk.press("Close", dialog);
  assert.equal(desk.page.all("dialog").length, 0);
  assert.ok(desk.page.role("button", "Copy the result"));
});

test("an unfinished game can be reviewed, without codes of weight 0", async () => {
  const desk = await openDesk("code", { clues: [ROW], prior: { codes: { "0122": 0 } } });
  await desk.press("Review");
  assert.match(desk.page.one(".review tbody tr").text, /207.*0\.0\d/);
  assert.equal(desk.page.all(".entry").length, 1);
  desk.page.one(".review tbody tr button").press();
  await desk.settled();
  assert.equal(desk.page.all("dialog .codes li").length, 207);
});

test("a practice round is played against a sealed code without advice, given up and undone", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.press("Play a round");
  assert.match(desk.page.text, /A code is hidden/);
  assert.equal(desk.page.all(".options").length, 0);
  await desk.keys("0011", "Enter");
  assert.match(answer(desk)[0], /^\dA\dB$/);
  await desk.press("Show advice");
  assert.ok(best(desk));
  await desk.press("Show the code");
  assert.match(desk.page.text, /The code was [0-5]{4}\./);
  assert.equal(desk.page.all(".entry").length, 0);
  assert.equal(desk.page.all(".review tbody tr").length, 1);
  await desk.move(-1);
  assert.equal(desk.page.all(".entry").length, 1);
  assert.doesNotMatch(desk.page.text, /The code was/);
  await desk.press("Stop playing");
  assert.equal(desk.position.sealed, undefined);
});

test("an adversarial code maker gives the most expensive answer, and some code always fits", async () => {
  const desk = await openDesk("code", { rules: { pegs: 2, colours: 4 } }, QUIET);
  await desk.press("Play an undecided code maker");
  assert.match(desk.page.text, /has not decided/);
  assert.equal(desk.page.all(".options").length, 0);
  await desk.keys("00", "Enter");
  assert.deepEqual(answer(desk), ["0A0B"]); // 9 of 16 codes
  assert.equal(desk.position.sealed, undefined);
  await desk.press("Stop playing");
  assert.equal(left(desk), "9");
});

test("marks and sums are entered as answered and used in the advice", async () => {
  const marked = await openDesk("code", { rules: { pegs: 3, colours: 4, feedback: "order" } }, QUIET);
  await marked.keys("012", "102", "Enter");
  assert.deepEqual(marked.position.clues, [{ guess: "012", exact: null, marks: "102" }]);
  assert.deepEqual([answer(marked), left(marked)], [["102"], "2"]);
  await marked.keys("012");
  await marked.press("Peg 1: neither");
  await marked.press("Peg 1: right colour, wrong place");
  await marked.press("Add this row");
  assert.equal(marked.position.clues[1].marks, "200");
  const summed = await openDesk("code", { rules: { pegs: 3, colours: 4, feedback: "sum" } }, QUIET);
  await summed.keys("012", "2", "Enter");
  assert.deepEqual(summed.position.clues, [{ guess: "012", exact: null, sum: 2 }]);
  assert.equal(left(summed), "36");
  await summed.keys("013");
  await summed.press("all in the right place");
  await summed.press("Add this row");
  assert.equal(summed.page.text.includes("Found in 2 guesses"), true);
  const typed = await openDesk("code", { rules: { pegs: 3, colours: 4, feedback: "sum" } }, QUIET);
  await typed.keys("013", "!", "Enter");
  assert.deepEqual(typed.position.clues, [{ guess: "013", exact: null, sum: 3, won: true }]);
});

test("a player's own code is sealed in the link, not readable there, and can be guessed", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.press("Set a code");
  for (const symbol of "3142") await desk.press(`Colour ${symbol}`, desk.page.one("dialog"));
  await desk.press("Hide this code");
  assert.equal(desk.page.all("dialog").length, 0);
  assert.match(desk.page.text, /A code is hidden/);
  assert.ok(!JSON.stringify(desk.position).includes("3142"));
  const other = await openDesk("code", await desk.address(), QUIET);
  assert.doesNotMatch(other.page.text, /3142/);
  await other.keys("3124");
  await other.press("Guess");
  assert.deepEqual(answer(other), ["2A2B"]);
  await other.press("Show the code");
  assert.match(other.page.text, /The code was 3142\./);
  await desk.keys("3142", "Enter");
  assert.match(desk.page.one(".code-play").text, /Found in 1 guess\./);
});

test("pasted rows are added, and unreadable lines stay in the box with the reason", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.press("Paste a history");
  await desk.fill("Paste your guesses", "0011 1A1B\nhello\n0203: 1 0");
  await desk.press("Add these rows");
  assert.deepEqual(answer(desk), ["1A1B", "1A0B"]);
  assert.match(desk.page.one("dialog [role=alert]").text, /1 line could not be read/);
  assert.equal(desk.page.one("textarea").value, "hello");
});

test("pasted rows are read once, with a notice until the engine answers", async () => {
  const desk = await openDesk("code", {}, { phase: "loading" });
  await desk.press("Paste a history");
  await desk.fill("Paste your guesses", "0011 1A1B");
  const asked = [];
  desk.answer = (request) => void (request.want === "paste" && asked.push(request));
  await desk.press("Add these rows");
  assert.match(desk.page.one("dialog [role=status]").text, /Starting the engine/);
  assert.equal(desk.page.one("textarea").value, "0011 1A1B");
  await desk.press("Add these rows");
  assert.equal(asked.length, 1);
});

test("a text pasted while another is read keeps the rows of both", async () => {
  const desk = await openDesk("code", {}, QUIET);
  for (const text of ["0011 1A1B", "0203 1A0B"]) desk.desk.paste(text, desk.context);
  await desk.settled();
  assert.deepEqual(desk.position.clues.map((clue) => clue.guess).sort(), ["0011", "0203"]);
});

test("a text pasted while the game changes is read by the new rules", async () => {
  const desk = await openDesk("code", {}, QUIET);
  desk.desk.paste("00112 1A1B", desk.context);
  desk.context.commit({ ...desk.position, rules: { pegs: 5, colours: 8 } }, "5 pegs");
  await desk.settled();
  assert.deepEqual(
    desk.position.clues.map((clue) => clue.guess),
    ["00112"],
  );
  assert.equal(desk.position.rules.pegs, 5);
});

test("rows of another game are added with its rules or not at all", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.press("Paste a history");
  const text = "0011 1A1B\n00112 02";
  await desk.fill("Paste your guesses", text);
  await desk.press("Add these rows");
  assert.match(desk.page.one("dialog [role=alert]").text, /Line 2, column 5.*'00112' has 5/);
  assert.equal(desk.position.clues.length, 0);
  assert.equal(desk.page.one("textarea").value, text);
  await desk.fill("Paste your guesses", "00112 1A1B\n70112: 0 2");
  await desk.press("Add these rows");
  await desk.press("A new game with 2 rows: 5 pegs, 8 colours, repeats allowed");
  assert.equal(desk.position.clues.length, 2);
  assert.equal(desk.page.all("h1")[0].text, "Super Mastermind");
});

test("a game in letters is pasted, continued and restored from its link", async () => {
  const desk = await openDesk("code", {}, QUIET);
  await desk.press("Paste a history");
  await desk.fill("Paste your guesses", "RGBY -> Result: 1 black peg and 1 white peg\nOORR ++-");
  await desk.press("Add these rows");
  assert.equal(pegsOf(desk)[0], "Row 1: R G B Y,");
  await desk.keys("popr1u", "Enter");
  const other = await openDesk("code", await desk.address(), QUIET);
  assert.deepEqual([answer(other).at(-1), pegsOf(other).at(-1)], ["1A?B", "Row 3: P O P R,"]);
});

test("the notation of colours is chosen with the game", async () => {
  const desk = await game(ROW);
  await desk.press("Change game");
  await desk.press("1–6");
  await desk.press("Start with these rules");
  assert.deepEqual([pegsOf(desk), left(desk)], [["Row 1: 1 1 2 2,"], "208"]);
  assert.match(desk.page.one(".reason").text, /If you guess 1314/);
});

test("changing the game asks before it removes rows; cancelling keeps the selection", async () => {
  const desk = await game(ROW, clue("0123", 1, 1));
  await desk.press("Change game");
  await desk.press("Bulls & Cows");
  await desk.press("Start with these rules");
  assert.match(desk.page.one("dialog").text, /1 row does not fit the new rules and would be removed/);
  assert.equal(desk.position.clues.length, 2);
  await desk.press("Back");
  assert.equal(desk.page.role("button", "Bulls & Cows").attributes["aria-pressed"], "true");
  await desk.press("Start with these rules");
  await desk.press("Remove 1 row and change the game");
  assert.equal(desk.position.clues.length, 1);
  assert.equal(desk.page.all("h1")[0].text, "Bulls & Cows");
});

test("rules are set individually, and impossible ones cannot be started", async () => {
  const desk = await openDesk("code", { rules: BULLS_AND_COWS }, { silent: ["advise"] });
  await desk.press("Change game");
  await desk.check("The first peg is never 0");
  await desk.press("Start with these rules");
  assert.equal(left(desk), "4\u202f536");
  await desk.press("Change game");
  for (let i = 0; i < 7; i++) await desk.press("Colours −");
  assert.match(desk.page.one("dialog").text, /at least as many colours as pegs/);
  assert.equal(desk.page.role("button", "Start with these rules").disabled, true);
});

test("the theory page shows the relations, two guesses, a class, the filters and one code by four rules", async () => {
  const desk = await game(clue("0011", 0, 0));
  await desk.press("Equivalent guesses");
  const rows = () =>
    desk.page.all(".relations tbody tr").map((row) => row.all("td").map((one) => one.text.trim()));
  assert.deepEqual(
    rows().map(([classes]) => classes.replace("\u202f", "")),
    ["1296", "52", "39", "18", "17", "12", "12", "12", "17"],
  );
  assert.equal(rows()[1][1], "Chain");
  for (const [a, b, said] of [
    ["0002", "1113", /first joined by Colour/],
    ["0002", "0200", /first joined by Join.*1211.*excluded/s],
    ["0002", "2345", /None of the computed relations joins.*1.048 and/s],
  ]) {
    await desk.fill("Are two guesses equivalent? 1", a);
    await desk.fill("Are two guesses equivalent? 2", b);
    await desk.press("Compare");
    assert.match(desk.page.one("[data-part=pair]").text, said);
  }
  await desk.press("Constraint");
  await desk.fill("Class of a guess", "0022");
  await desk.press("List");
  assert.deepEqual(desk.page.one("[data-part=members]").all("li").length, 8);
  assert.equal(desk.page.one("[data-part=permutations]").all("li")[0].text, "1234 01····");
  await desk.press("Play");
  const games = desk.page
    .one("[data-part=race]")
    .all("ol")
    .map((one) => one.all("li").length);
  assert.deepEqual(games, [7, 5, 5, 5]);
  await desk.press("Back to the game");
  assert.equal(desk.page.all(".relations").length, 0);
});

test("another game is compared as a state, with the proof if they are equal", async () => {
  const clues = [clue("000", 1, 0), clue("011", 2, 0)];
  const desk = await openDesk("code", { rules: { pegs: 3, colours: 4 }, clues }, QUIET);
  await desk.press("Equivalent guesses");
  await desk.unfold("Is another game in the same state?");
  const compared = async (rows) => {
    await desk.fill("Rows of the other game", rows);
    await desk.press("Compare the games");
    return desk.page.one("[data-part=same-state]");
  };
  const parts = await compared("001 1A1B\n000 2A0B");
  assert.match(parts.text, /no swap turns one into the other/);
  assert.deepEqual([parts.all("li").length, parts.all("li")[0].text.includes("→")], [4, true]);
  assert.match((await compared("333 1A0B\n300 2A0B")).text, /one swap turns the 4 codes.*colour/);
  assert.match((await compared("011 2A0B\n000 1A0B")).text, /both leave the same 4 codes/);
  assert.match((await compared("012 0A0B")).text, /yours leaves 4 codes, the other 1 code/);
  await desk.fill("Rows of the other game", "01");
  await desk.press("Compare the games");
  assert.match(desk.page.one("[role=alert]").text, /Line 1/);
});

test("a strategy is computed from the current rows or from the first guess", async () => {
  const desk = await game(ROW);
  await desk.press("Equivalent guesses");
  await desk.unfold("Whole strategies");
  await desk.press("Optimal, proven");
  await desk.press("Compute");
  assert.match(desk.page.one(".more-box").text, /718 guesses over 208 codes: 3\.4/);
  desk.silent = () => true;
  await desk.press("From the first guess");
  await desk.press("Compute");
  assert.deepEqual(desk.questions.replies.strategy.request.position.clues, []);
});

test("the tree of a strategy has the counts of the partition and draws a branch when it is opened", async () => {
  const desk = await game(ROW);
  await desk.press("Equivalent guesses");
  await desk.unfold("Whole strategies");
  await desk.press("Compute");
  await desk.unfold("Show the decision tree");
  const tree = () => desk.page.role("region", "The decision tree");
  assert.match(tree().text, /with 208 codes possible\./);
  const counts = tree()
    .all(".after b")
    .map((one) => Number(one.text));
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
  const found = tree()
    .all(".leaf")
    .filter((one) => one.text.includes("4A0B")).length;
  assert.equal(counts.reduce((a, b) => a + b) + found, 208);
  const closed = tree().all("details").length;
  const first = tree().all("details")[0];
  assert.match(first.one("summary").name, /leaves \d+ codes: guess [0-5]{4}, at most \d+ more/);
  first.properties.open = true;
  first.dispatch("toggle");
  await desk.settled();
  assert.ok(tree().all("details").length + tree().all(".leaf").length > closed);
  assert.ok(tree().all("details")[0].all("ul").length > 0);
});

test("on a narrow screen the bar shows the next step, and its button performs it", async () => {
  const desk = await openDesk("code", { clues: [ROW] }, { narrow: true });
  const bar = () => desk.page.one(".advice-bar");
  assert.equal(bar().dataset.state, "advice");
  assert.match(bar().text, /0 2 0 3.*3\.45.*guesses/);
  assert.equal(bar().role("button", "Others").attributes.class, "bar-act other");
  await desk.press("Others", bar());
  assert.match(desk.page.one("dialog").text, /Guess next/, "the other guesses");
  await desk.press("Close");
  await desk.press("4 in place, 0 elsewhere: 1 left");
  assert.equal(bar().dataset.state, "finished");
  assert.match(bar().text, /is the code.*found in 2 guesses/);
  await desk.press("New game", bar());
  assert.deepEqual(desk.position.clues, []);
});

test("the bar corrects a mistyped row", async () => {
  const rows = [
    ["4005", 0, 3],
    ["2425", 2, 1],
    ["0112", 0, 2],
    ["3540", 0, 2],
    ["5135", 0, 0],
  ];
  const desk = await openDesk("code", { clues: rows.map((row) => clue(...row)) }, { ...QUIET, narrow: true });
  const bar = () => desk.page.one(".advice-bar");
  assert.equal(bar().dataset.state, "contradiction");
  assert.match(bar().text, /Rows 1, 4 contradict.*Row 1: was it 4205\?/);
  await desk.press("Fix");
  assert.equal(desk.position.clues[0].guess, "4205");
  assert.match(bar().text, /is the code, the only one left/);
});

test("a read-only board has no controls that change it", async () => {
  const desk = await openDesk("code", { clues: [TWO_LEFT] }, { ...QUIET, embed: true });
  await desk.unfold("Show the possible codes");
  assert.equal(desk.page.all("button.code-choice").length, 0);
  desk.context.commit({ ...desk.position, clues: [] }, "nothing");
  assert.equal(desk.position.clues.length, 1);
});

test("a link with a row of another game is refused with the row's path", async () => {
  await assert.rejects(openDesk("code", { clues: [{ guess: "00119", exact: 1, partial: 1 }] }), /row 1/);
  await assert.rejects(openDesk("code", { rules: { pegs: 9 } }), /more pegs/);
});

test("a pasted strategy is played against every code, and its faults are listed with their places", async () => {
  const desk = await openDesk("code", { rules: { pegs: 2, colours: 2 } }, QUIET);
  await desk.press("Equivalent guesses");
  await desk.unfold("Check a strategy");
  await desk.fill("The strategy", "01\n 0A2B 10\n 1A0B 00\n  1A0B 11");
  await desk.fill("A second strategy to compare", "{AB:{02:BA,10:AA}}");
  await desk.press("Play every code");
  const found = desk.page.one("[data-part=checked]").text;
  assert.match(found, /Strategy 1: 5 guesses over 3 of 4 codes: 1\.6667 on average, at most 2\./);
  assert.match(found, /1 code not found: 11/);
  assert.match(found, /Line 4, column 3: No code left answers 00 with 1A0B\./);
  assert.match(found, /Strategy 1 is faster for 0 codes, strategy 2 for 0 codes; 3 codes take as many/);
});
