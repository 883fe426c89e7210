import assert from "node:assert/strict";
import { test } from "node:test";
import * as drafts from "../../web/desks/code/draft-row.js";
import { codeCount, GAMES, gameOf, isOver, legalAnswer, legalGuess } from "../../web/desks/code/model.js";
import { words } from "../../web/desks/code/strings.js";
import { fixed, percent, whole } from "../../web/widgets/numbers.js";

const { p4c6r, p4c10n } = GAMES;

test("typing a whole row gives its clue", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "0", "1", "1", "1", "2"]) draft = drafts.typed(draft, key, p4c6r);
  assert.deepEqual(drafts.toClue(draft, p4c6r), { guess: "0011", exact: 1, partial: 2 });
});

test("keys that mean nothing leave the row as it is", () => {
  const draft = drafts.empty(p4c6r);
  for (const key of ["6", "x", "-"]) assert.equal(drafts.typed(draft, key, p4c6r), draft);
});

test("without repeats a colour put down twice moves", () => {
  let draft = drafts.empty(p4c10n);
  draft = drafts.put(draft, "3", p4c10n);
  draft = drafts.put(draft, "3", p4c10n);
  assert.deepEqual(draft.pegs.filter(Boolean), ["3"]);
});

test("erasing takes the answer first, then the pegs from the right", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "1", "2", "3", "2"]) draft = drafts.typed(draft, key, p4c6r);
  draft = drafts.erase(draft);
  assert.equal(draft.exact, null);
  draft = drafts.erase(draft);
  assert.deepEqual(draft.pegs, ["0", "1", "2", ""]);
});

test("all right places leave nothing for wrong places", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["0", "1", "2", "3"]) draft = drafts.typed(draft, key, p4c6r);
  assert.equal(drafts.answer(draft, "exact", 4, p4c6r).partial, 0);
});

test("3A1B is no answer of a four-peg game", () => {
  assert.equal(legalAnswer(p4c6r, 3, 1), false);
  assert.equal(legalAnswer(p4c6r, 2, 2), true);
  assert.equal(legalAnswer(p4c6r, 3, 2), false);
});

test("the known games are recognised and have the known sizes", () => {
  // 1296 and 5040: Knuth 1976; the product and permutation counts themselves.
  assert.equal(codeCount(p4c6r), 1296);
  assert.equal(codeCount(p4c10n), 5040);
  for (const [name, rules] of Object.entries(GAMES)) assert.equal(gameOf(rules), name);
  assert.equal(gameOf({ ...p4c6r, blanks: true }), "other");
});

test("a guess outside the rules is seen", () => {
  assert.equal(legalGuess(p4c6r, "0015"), true);
  assert.equal(legalGuess(p4c6r, "0016"), false);
  assert.equal(legalGuess(p4c10n, "0011"), false);
  assert.equal(legalGuess(p4c6r, "00.1"), false);
});

test("numbers are written with thin spaces and honest roundings", () => {
  assert.equal(whole(1296), "1\u202f296");
  assert.equal(whole("12345678901234567890"), "12\u202f345\u202f678\u202f901\u202f234\u202f567\u202f890");
  assert.equal(fixed(-1.25, 1), "−1.3");
  assert.equal(percent(0.9999), "> 99 %");
  assert.equal(percent(0.0001), "< 1 %");
});

test("a row that hits ends the game wherever it stands, unless it is ignored", () => {
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

test("a line that is meant as a whole is named without a place in it", () => {
  const bad = { line: 3, column: null, text: "0011", why: "It has no answer." };
  assert.equal(words.pastePlace(bad), "Line 3");
  assert.equal(words.pastePlace({ ...bad, column: 6 }), "Line 3, place 6");
});
