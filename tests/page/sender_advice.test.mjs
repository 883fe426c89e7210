/** The sender's advice in a link: how it is packed, and what the page says of it. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { decode, encode, withAdvice } from "../../web/session/link.js";
import { words } from "../../web/strings.js";
import { FIRST, visit } from "./site.mjs";

const LINKS = JSON.parse(readFileSync(new URL("../vectors/links.json", import.meta.url), "utf8"));
const [{ link: EMPTY }, { link: ROW }] = LINKS;
const TEXT = "0203 · 3.36 bits";
/** Computed with Python: base64url of zlib.crc32(payload + text) and the text. */
const WITH_TEXT = `${ROW}/_M8zwTAyMDMgwrcgMy4zNiBiaXRz`;

test("a text of up to 60 characters travels behind the payload and leaves the position as it is", async () => {
  assert.equal(withAdvice(ROW, TEXT), WITH_TEXT);
  const long = "ẅ".repeat(60);
  for (const text of [TEXT, long, "Cut 4 at Bob D", "לוח א"]) {
    const fragment = withAdvice(ROW, text);
    const found = await decode(`See https://a.example/x/${fragment}).`.slice(4));
    assert.equal(found.said, text);
    assert.deepEqual(found.position, (await decode(ROW)).position);
  }
  for (const text of ["", `${long}x`, "two\nlines", "\u202eturned", "\u0007"])
    assert.equal(withAdvice(ROW, text), ROW);
});

test("a text that is damaged, too long or of another position is dropped and the position opens", async () => {
  const said = WITH_TEXT.slice(ROW.length + 1);
  const crc = (text) => withAdvice(ROW, "x").replace(/[^/]*$/, Buffer.from(text).toString("base64url"));
  for (const fragment of [
    `${ROW}/${said.slice(0, -1)}`,
    `${ROW}/${said.slice(0, 5)}`,
    `${ROW}/A${said.slice(1)}`,
    `${ROW}/%20`,
    `${ROW}/`,
    `${ROW}/${said}/${said}`.replace(/\/[^/]*$/, "/"),
    crc("aaaaForged"),
  ]) {
    const found = await decode(fragment);
    assert.deepEqual(found.position, (await decode(ROW)).position, fragment);
    assert.equal(found.said, fragment.includes(`${said}/`) ? TEXT : "", fragment);
  }
  assert.equal((await decode(`${EMPTY}/${said}`)).said, "");
});

const POSITION = { desk: "code", v: 1, clues: [{ guess: "0011", exact: 1, partial: 1 }] };
const RECORDED = JSON.parse(
  readFileSync(new URL("../vectors/page_answers_code.json", import.meta.url), "utf8"),
).filter(({ ask }) => isDeepStrictEqual([ask.want, ask.position], ["advise", POSITION]));
const recorded = (/** @type {string} */ criterion) =>
  RECORDED.find(({ ask }) => ask.options.criterion === criterion && !ask.options.mine).result;

/** The page opened at a link with that text, its own advice held back until `release` is called. */
async function opened(said) {
  let release = () => {};
  const held = new Promise((resolve) => {
    release = resolve;
  });
  const answer = async ({ want, options }) => {
    if (want !== "advise") return { result: null };
    await held;
    return { result: recorded(options.criterion) };
  };
  const fragment = await encode("code", POSITION);
  const page = await visit(withAdvice(fragment, said), { answer });
  return { page, fragment, release };
}

const OWN = "0203 · 3.45 guesses";

test("the sender's advice is marked as such until this page's own is there, which agrees or not", async () => {
  for (const [said, verdict] of [
    [OWN, words.senderVerdict.same],
    ["1234 · 3.26 bits", words.senderVerdict.other],
  ]) {
    const { page, fragment, release } = await opened(said);
    const line = () => page.all(".sender-line")[0];
    assert.match(line().text, new RegExp(`^${words.senderSaid} ${said}. ${words.senderVerdict.waiting}$`));
    assert.equal(line().all("button").length, 0);
    assert.ok(page.address.endsWith(fragment), "the page's own address is the position alone");
    release();
    await page.until(() => line().text.endsWith(verdict));
    await page.keys(FIRST, "Enter");
    assert.equal(page.all(".sender-line").length, 0, "another position has no sender");
  }
});

test("the link to share carries the advice shown, and not before it is settled", async () => {
  const { page, fragment, release } = await opened("");
  await page.press("Share");
  assert.ok(page.dialog.role("textbox", "Share").value.endsWith(fragment));
  await page.press("Close");
  release();
  await page.until(() => page.text.includes("3.45"));
  await page.press("Share");
  assert.equal((await decode(page.dialog.role("textbox", "Share").value)).said, OWN);
});
