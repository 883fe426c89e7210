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
import { answerText, codeCount, GAMES, legalAnswer } from "../../web/desks/code/model.js";

const { p4c6r } = GAMES;
const LETTERS = SETS.colours(6);

test("a code is written in the signs of its game", () => {
  assert.equal(spelled("0123", []), "0123");
  assert.equal(spelled("0.23", SETS.ones(6)), "1.34");
  assert.equal(spelled("0123", LETTERS), "RGBY");
  assert.equal(spelled("0011", SETS.names(6)), "red red green green");
  assert.equal(spelled("01", SETS.emoji(6)), "🔴🟢");
});

test("a peg has the hue that its sign names, and letters in order have none", () => {
  assert.equal(hueOf("0", LETTERS), 1); // R is red
  assert.equal(hueOf("2", LETTERS), 0); // B is blue
  assert.equal(hueOf("1", SETS.letters(6)), 1); // A to F keep the palette's order
  assert.equal(hueOf("3", []), 3);
  assert.equal(labelOf("0", SETS.names(6)), "R");
  assert.equal(labelOf("2", SETS.names(9)), "Bl"); // blue, black and brown begin alike
});

test("every set has as many different signs as there are colours, and is known again", () => {
  for (const [name, make] of Object.entries(SETS))
    for (let colours = 2; colours <= 16; colours++) {
      const signs = make(colours);
      if (name !== "zero") assert.equal(new Set(signs).size, colours, `${name} ${colours}`);
      assert.equal(setOf(signs, colours), name);
    }
  assert.deepEqual(resized(LETTERS, 8), SETS.colours(8));
  assert.equal(new Set(resized(["R", "Q", "B"], 6)).size, 6);
});

test("letters are typed as letters, and numbers then answer", () => {
  let draft = drafts.empty(p4c6r);
  for (const key of ["r", "g", "b", "y", "1", "?"])
    draft = drafts.typed(draft, key, p4c6r, keysOf(LETTERS, 6));
  assert.deepEqual(drafts.toClue(draft, p4c6r), { guess: "0123", exact: 1, partial: null });
  assert.deepEqual(keysOf(SETS.names(9), 9), [..."123456789"]);
});

test("a half that is not known is a half of a legal answer, both are none", () => {
  assert.equal(answerText({ exact: 2, partial: null }), "2A?B");
  assert.equal(legalAnswer(p4c6r, null, 4), true);
  assert.equal(legalAnswer(p4c6r, null, null), false);
  assert.equal(legalAnswer({ ...p4c6r, feedback: "exact" }, null, 0), false);
  const clue = { guess: "0123", exact: null, partial: 1 };
  assert.deepEqual(drafts.toClue(drafts.fromClue(clue, 0), p4c6r), clue);
});

test("codes that never begin with 0 are fewer", () => {
  assert.equal(codeCount({ ...GAMES.p4c10n, leading_zero: false }), 4536);
});

test("typed guesses are read in symbols, in the signs of the position, or in a known set", () => {
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
