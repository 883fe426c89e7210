import assert from "node:assert/strict";
import { test } from "node:test";
import {
  codesOf,
  hueOf,
  keysOf,
  labelOf,
  resized,
  SETS,
  setOf,
  spelled,
} from "../../web/desks/code/colour-names.js";
import * as drafts from "../../web/desks/code/draft-row.js";
import {
  answerText,
  codeCount,
  GAMES,
  gameOf,
  isOver,
  legalAnswer,
  legalGuess,
} from "../../web/desks/code/model.js";
import { words } from "../../web/desks/code/strings.js";
import { fixed, percent, whole } from "../../web/widgets/numbers.js";

const { p4c6r, p4c10n } = GAMES;
const LETTERS = SETS.colours(6);

test("typing a complete row gives its clue", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "0", "1", "1", "1", "2"]) draft = drafts.typeKey(draft, key, p4c6r);
  assert.deepEqual(drafts.toClue(draft, p4c6r), { guess: "0011", exact: 1, partial: 2 });
});

test("keys without a meaning do not change the row", () => {
  const draft = drafts.empty(p4c6r);
  for (const key of ["6", "x", "-"]) assert.equal(drafts.typeKey(draft, key, p4c6r), draft);
});

test("without repeats, a colour that is entered again moves", () => {
  let draft = drafts.empty(p4c10n);
  draft = drafts.setPeg(draft, "3", p4c10n);
  draft = drafts.setPeg(draft, "3", p4c10n);
  assert.deepEqual(draft.pegs.filter(Boolean), ["3"]);
});

test("erasing removes the answer first, then the pegs from the right", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "1", "2", "3", "2"]) draft = drafts.typeKey(draft, key, p4c6r);
  draft = drafts.erase(draft);
  assert.equal(draft.exact, null);
  draft = drafts.erase(draft);
  assert.deepEqual(draft.pegs, ["0", "1", "2", ""]);
});

test("if all pegs are in the right place, none can be in a wrong place", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "1", "2", "3"]) draft = drafts.typeKey(draft, key, p4c6r);
  assert.equal(drafts.answer(draft, "exact", 4, p4c6r).partial, 0);
});

test("3A1B is not an answer of a four-peg game", () => {
  assert.equal(legalAnswer(p4c6r, 3, 1), false);
  assert.equal(legalAnswer(p4c6r, 2, 2), true);
  assert.equal(legalAnswer(p4c6r, 3, 2), false);
});

test("the preset games are recognised and have the published sizes", () => {
  // 1296 and 5040: Knuth 1976; the product and permutation counts themselves.
  assert.equal(codeCount(p4c6r), 1296);
  assert.equal(codeCount(p4c10n), 5040);
  assert.equal(codeCount({ ...p4c10n, leading_zero: false }), 4536);
  for (const [name, rules] of Object.entries(GAMES)) assert.equal(gameOf(rules), name);
  assert.equal(gameOf({ ...p4c6r, blanks: true }), "other");
});

test("a guess outside the rules is detected", () => {
  assert.equal(legalGuess(p4c6r, "0015"), true);
  assert.equal(legalGuess(p4c6r, "0016"), false);
  assert.equal(legalGuess(p4c10n, "0011"), false);
  assert.equal(legalGuess(p4c6r, "00.1"), false);
});

test("numbers have thin spaces, and a share is never rounded to 0 or 100 %", () => {
  assert.equal(whole(1296), "1\u202f296");
  assert.equal(whole("12345678901234567890"), "12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890");
  assert.equal(fixed(-1.25, 1), "−1.3");
  assert.equal(percent(0.9999), "> 99 %");
  assert.equal(percent(0.0001), "< 1 %");
});

test("a winning row ends the game at any place, unless it is ignored", () => {
  const row = { guess: "0011", exact: 1, partial: 1 };
  const hit = { guess: "3142", exact: 4, partial: 0 };
  const at = (...clues) => ({ desk: "code", rules: p4c6r, clues });
  assert.equal(isOver(at(row)), false);
  assert.equal(isOver(at(row, hit)), true);
  assert.equal(isOver(at(hit, row)), true);
  assert.equal(isOver(at(row, { ...hit, ignored: true })), false);
  assert.equal(isOver({ ...at(row), sealed: "s1" }), false);
  assert.equal(isOver({ ...at(row), sealed: "s1", shown: true }), true);
});

test("a malformed line is reported as a whole, without a column", () => {
  const bad = { line: 3, column: null, text: "0011", why: "It has no answer." };
  assert.equal(words.pastePlace(bad), "Line 3");
  assert.equal(words.pastePlace({ ...bad, column: 6 }), "Line 3, column 6");
});

test("a code is written in the symbols of its game", () => {
  assert.equal(spelled("0123", []), "0123");
  assert.equal(spelled("0.23", SETS.ones(6)), "1.34");
  assert.equal(spelled("0123", LETTERS), "RGBY");
  assert.equal(spelled("0011", SETS.names(6)), "red red green green");
  assert.equal(spelled("01", SETS.emoji(6)), "🔴🟢");
});

test("a peg has the hue that its symbol names; letters in sequence have the palette's order", () => {
  assert.equal(hueOf("0", LETTERS), 1); // R is red
  assert.equal(hueOf("2", LETTERS), 0); // B is blue
  assert.equal(hueOf("1", SETS.letters(6)), 1); // A to F keep the palette's order
  assert.equal(hueOf("3", []), 3);
  assert.equal(labelOf("0", SETS.names(6)), "R");
  assert.equal(labelOf("2", SETS.names(9)), "Bl"); // blue, black and brown begin alike
});

test("every symbol set has one symbol per colour and is recognised", () => {
  for (const [name, make] of Object.entries(SETS))
    for (let colours = 2; colours <= 16; colours++) {
      const signs = make(colours);
      if (name !== "zero") assert.equal(new Set(signs).size, colours, `${name} ${colours}`);
      assert.equal(setOf(signs, colours), name);
    }
  assert.deepEqual(resized(LETTERS, 8), SETS.colours(8));
  assert.equal(new Set(resized(["R", "Q", "B"], 6)).size, 6);
});

test("in a game with letters, letters are typed as pegs and digits as the answer", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["r", "g", "b", "y", "1", "?"])
    draft = drafts.typeKey(draft, key, p4c6r, keysOf(LETTERS, 6));
  assert.deepEqual(drafts.toClue(draft, p4c6r), { guess: "0123", exact: 1, partial: null });
  assert.deepEqual(keysOf(SETS.names(9), 9), [..."123456789"]);
});

test("an answer with one unknown half is legal; one with both halves unknown is not", () => {
  assert.equal(answerText({ exact: 2, partial: null }), "2A?B");
  assert.equal(legalAnswer(p4c6r, null, 4), true);
  assert.equal(legalAnswer(p4c6r, null, null), false);
  assert.equal(legalAnswer({ ...p4c6r, feedback: "exact" }, null, 0), false);
  const clue = { guess: "0123", exact: null, partial: 1 };
  assert.deepEqual(drafts.toClue(drafts.fromClue(clue, 0), p4c6r), clue);
});

test("typed guesses are read as symbols, in the position's signs or in a known set", () => {
  const signs = SETS.names(6);
  const read = (/** @type {string[]} */ texts, /** @type {object} */ position) =>
    codesOf(texts, /** @type {any} */ ({ desk: "code", v: 1, rules: p4c6r, ...position }))?.codes;
  assert.deepEqual(read(["0011", "1 2 3 4"], {}), ["0011", "1234"]);
  assert.deepEqual(read(["rrgb", "R G B Y"], { signs: LETTERS }), ["0012", "0123"]);
  assert.deepEqual(read(["red red green blue", "0123"], { signs }), ["0012", "0123"]);
  assert.deepEqual(read(["1123", "4456"], { signs: SETS.ones(6) }), ["0012", "3345"]);
  assert.deepEqual(read(["RRGB", "YYOP"], {}), ["0012", "3345"]);
  assert.deepEqual(read(["🔴🔴🟢🔵", "🟡🟡🟠🟣"], {}), ["0012", "3345"]);
  assert.equal(read(["RRGB", "YYOP"], { clues: [{ guess: "0011", exact: 1 }] }), undefined);
  assert.equal(read(["RRG", "YYOP"], {}), undefined);
});
