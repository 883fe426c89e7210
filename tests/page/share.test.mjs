/** Sharing a board as link, text or frame; opening texts and files from outside. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "../../web/session/link.js";
import { guesses, Profile, reading, typed, visit } from "./site.mjs";

const ROWS = "0011 1A1B\n0203 1A0B";

test("the share dialog shows the link as text, as QR code, as Python and as a frame", async () => {
  const page = await typed();
  await page.press("Share");
  assert.equal(page.dialog.role("textbox", "Share").value, page.address);
  assert.ok(page.dialog.one("svg.qr").name === "QR code of the link");
  assert.match(
    page.dialog.role("textbox", "In Python").value,
    /^import cluewise\n[\s\S]*unlink\("#\/code\/1\/[\s\S]*code\.advise\(position\)\n$/,
  );
  const frame = page.dialog.role("textbox", "Embed in a web page").value;
  assert.match(frame, /title="Mastermind, 1 row, 208 codes left"/);
  const [, source] = /src="([^"]+)"/.exec(frame);
  assert.equal(source.replaceAll("&amp;", "&"), page.address.replace("/#", "/?embed=1#"));
  await page.press("Copy the link");
  assert.equal(page.profile.clipboard, page.address);
  assert.equal(page.notice, "Link copied.");
});

test("the text for a chat describes the board and ends with the link", async () => {
  const page = await visit("#/mines");
  await page.press("Share");
  await page.press("Copy text for a chat");
  const lines = page.profile.clipboard.split("\n");
  assert.equal(lines[0], "First lock, 0 of 22 safe cells open. Cluewise");
  assert.ok(
    lines.some((line) => /14 mines/.test(line)),
    page.profile.clipboard,
  );
  assert.equal(lines.at(-1), page.address);
});

test("a puzzle is shared without the player's input", async () => {
  const page = await visit("#/mines");
  page.all("[data-cell]")[12].dispatch("keydown", { key: "f" });
  await page.settled();
  await page.press("Share");
  await page.press("Without my clues");
  const { position } = await decode(page.dialog.role("textbox", "Share").value);
  assert.deepEqual([position.flags ?? [], position.revealed ?? []], [[], []]);
});

test("the device's share sheet gets title, text and link; cancelling it is no error", async () => {
  const page = await typed();
  await page.press("Share");
  page.profile.shareError = "AbortError";
  await page.press("Send…");
  await page.until(() => page.profile.shared.length === 1);
  assert.equal(page.notice, "");
  page.profile.shareError = "NotAllowedError";
  await page.press("Send…");
  await page.until(() => page.notice);
  assert.match(page.notice, /Sharing failed/);
  page.profile.shareError = "";
  await page.press("Send…");
  await page.until(() => page.dialog === null);
  const { title, text, url } = page.profile.shared.at(-1);
  assert.deepEqual([title, url], ["Mastermind, 1 row, 208 codes left", page.address]);
  assert.match(text, /^Mastermind, 1 row, 208 codes left\. Cluewise/);
});

test("a text shared with the installed app opens its desk and is removed from the address", async () => {
  const page = await visit(`?title=Rows&text=${encodeURIComponent(ROWS)}`, { answer: reading });
  assert.equal(guesses(page), 2);
  assert.doesNotMatch(page.address, /text=/);
  const link = new URL(page.address).hash;
  const other = await visit(`?url=${encodeURIComponent(`https://example.org/some/where${link}`)}`);
  assert.equal(guesses(other), 2);
});

test("files from the share sheet, the system or a drop are read and not stored", async () => {
  const file = new File([ROWS], "rows.txt", { type: "text/plain" });
  const profile = new Profile();
  const headers = { "content-type": "text/plain", "x-name": "r%C3%B6ws.txt" };
  profile.caches.set(
    `cluewise ${new URL("../../web/", import.meta.url)} shared`,
    new Map([["00", new Response(ROWS, { headers })]]),
  );
  const page = await visit("#/sudoku", { profile, answer: reading });
  assert.equal(guesses(page), 2);
  assert.equal(profile.caches.size, 0);
  await page.bring("drop", { files: [file] });
  assert.equal(guesses(page), 4);
  let launched;
  globalThis.launchQueue = { setConsumer: (take) => (launched = take) };
  const app = await visit("#/sudoku", { answer: reading });
  delete globalThis.launchQueue;
  await launched({ files: [{ getFile: async () => file }] });
  await app.settled();
  assert.equal(guesses(app), 2);
});

test("a dropped backup is imported on any page", async () => {
  const page = await visit("#/code");
  const text = JSON.stringify({ format: "cluewise-everything", version: 2, kept: {} });
  await page.bring("drop", { files: [new File([text], "all.json", { type: "application/json" })] });
  assert.match(page.notice, /Nothing new/);
});
