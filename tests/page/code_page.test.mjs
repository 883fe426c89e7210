/** The code desk's page: what its answers are called, what a press changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openDesk } from "./desk.mjs";

test("a row that is typed is added, and what is left of the codes is counted", async () => {
  const desk = await openDesk("code");
  await desk.keys("001111", "Enter");
  assert.equal(desk.page.all(".guess").length, 1);
  assert.equal(desk.page.one(".left b").text, "208");
  assert.match(desk.page.all(".option")[0].text, /3.36/);
  assert.match(desk.page.text, /208/);
});

test("second", async () => {
  const desk = await openDesk("code", { clues: [{ guess: "0012", exact: 0, partial: 4 }] });
  assert.equal(desk.page.one(".left b").text, "2");
});
