import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import {
  BadLink,
  canonical,
  decode,
  deskOf,
  encode,
  LaterLink,
  named,
  withAdvice,
} from "../../web/session/link.js";
import { words } from "../../web/strings.js";
import { complete, Unknown } from "../../web/validate.js";
import { FIRST, visit } from "./site.mjs";

const POSITION = {
  desk: "code",
  v: 1,
  rules: { pegs: 4, colours: 8, repeat: true },
  clues: [{ guess: "0011", exact: 0, partial: 1, ignored: false }],
};

test("a link may name a position instead of containing one", async () => {
  assert.deepEqual(await decode("#/sudoku/rspzfgc"), { desk: "sudoku", name: "rspzfgc" });
  assert.deepEqual(await decode("https://a.example/x/#/sudoku/rspzfgc-aaaaaaaaa"), {
    desk: "sudoku",
    name: "rspzfgc-aaaaaaaaa",
  });
  assert.equal(deskOf("#/sudoku/rspzfgc"), "sudoku");
  assert.equal(named("sudoku", "rspzfgc"), "#/sudoku/rspzfgc");
  for (const text of ["#/sudoku/-", "#/sudoku/a--b", "#/sudoku/a/b"])
    await assert.rejects(decode(text), BadLink);
});

test("values of another shape are refused with their path", () => {
  for (const [position, place] of [
    [{ clues: [{ guess: "0011" }] }, /“clues\[0\]” has no “exact”/],
    [{ clues: [{ guess: 11, exact: 0 }] }, /“clues\[0\]\.guess” should be a text, not 11/],
    [{ rules: { pegs: "four" } }, /“rules\.pegs” should be a whole number/],
    [{ rules: { feedback: "none" } }, /one of exact, full, keep, order, sum, not "none"/],
    [{ peg: 4 }, /has “peg”, which is not known here/],
    [{ clues: {} }, /“clues” should be a list/],
    [null, /should be an object, not null/],
  ])
    assert.throws(() => complete("code", position), { name: "Error", message: place });
});

test("completing a position adds all defaults and returns a copy", () => {
  const found = complete("code", {});
  const mastermind = { pegs: 4, colours: 6, repeat: true, blanks: false, feedback: "full" };
  assert.deepEqual(found.rules, { ...mastermind, leading_zero: true });
  found.rules.pegs = 9;
  assert.equal(complete("code", {}).rules.pegs, 4);
});

test("a position survives encoding and decoding", async () => {
  const fragment = await encode("code", POSITION);
  assert.match(fragment, /^#\/code\/1\/[\w-]+$/);
  const found = await decode(`https://example.org/sub/${fragment}`);
  assert.equal(found.desk, "code");
  assert.equal(canonical("code", found.position), canonical("code", POSITION));
});

test("text after a link in a sentence is not part of it", async () => {
  const fragment = await encode("code", POSITION);
  const whole = await decode(fragment);
  for (const after of [...'/.),”’…>"*]', ").", "%29", "%E2%80%9D", "/)"]) {
    assert.deepEqual(await decode(`https://a.example/${fragment}${after}`), whole, after);
    assert.deepEqual(await decode(`#/sudoku/rspzfgc${after}`), { desk: "sudoku", name: "rspzfgc" });
    assert.equal(deskOf(`#/code${after}`), "code");
  }
});

test("values that a newer version may know are distinguished from invalid ones", async () => {
  for (const position of [{ peg: 4 }, { rules: { feedback: "sums" } }, { rules: { later: 1 } }])
    assert.throws(() => complete("code", position), Unknown);
  for (const position of [{ clues: {} }, { rules: { feedback: 7 } }])
    assert.throws(
      () => complete("code", position),
      (problem) => problem instanceof Error && !(problem instanceof Unknown),
    );
  await assert.rejects(decode("#/code/7/abc"), LaterLink);
});

test("a fragment with only a desk contains no position", async () => {
  assert.equal(await decode("#/code"), null);
  assert.equal(deskOf("#/code"), "code");
  assert.equal(await decode("#/code/"), null);
  assert.equal(deskOf("#/code/"), "code");
  assert.equal(deskOf("nonsense!"), "");
});

const BAD = {
  "no link at all": "hello there",
  "a later version": "#/code/7/abc",
  "damaged base64": "#/code/1/ab%%c",
  "no deflate stream": "#/code/1/AAAA",
  "cut short": null,
  "JSON that is no position": null,
};

test("invalid links give an error message", async () => {
  const whole = await encode("code", POSITION);
  const texts = { ...BAD, "cut short": whole.slice(0, -9), "JSON that is no position": "#/code/1/MwQA" };
  for (const [name, text] of Object.entries(texts))
    await assert.rejects(
      decode(text),
      (problem) => problem instanceof BadLink && problem.message.length > 20,
      name,
    );
});

test("a link that expands to more than 256 KB is refused during decompression", async () => {
  const huge = await encode("code", { fill: "x".repeat(300_000) });
  await assert.rejects(decode(huge), /more than 256 KB/);
});

test("two thousand mutated links give a position or an error message", async () => {
  const whole = await encode("code", POSITION);
  let seed = 20_261_120;
  const random = (n) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % n;
  };
  let refused = 0;
  for (let i = 0; i < 2000; i++) {
    const at = random(whole.length);
    const char = "abcXYZ019-_#/%{}"[random(16)];
    const text = [
      whole.slice(0, at) + char + whole.slice(at + 1),
      whole.slice(0, at) + whole.slice(at + 1),
      whole.slice(at),
    ][random(3)];
    try {
      const found = await decode(text);
      assert.ok(found === null || typeof found.position === "object");
    } catch (problem) {
      assert.ok(problem instanceof BadLink, String(problem));
      refused++;
    }
  }
  assert.ok(refused > 1000);
});

const DESKS = new URL("../../web/desks/", import.meta.url);
const BUDGET = 2000; // characters of a link that every messenger passes on whole

for (const entry of readdirSync(DESKS, { withFileTypes: true })) {
  const file = new URL(`${entry.name}/examples.js`, DESKS);
  if (!entry.isDirectory() || !existsSync(new URL("examples.ts", file))) continue;
  test(`every example of the ${entry.name} desk fits a link of ${BUDGET} characters`, async () => {
    const { examples } = await import(file.href);
    assert.ok(examples.length >= 3);
    for (const { title, fact, position } of examples) {
      assert.ok(title && fact, "an example has a title and a fact");
      const fragment = await encode(entry.name, position, {});
      assert.ok(`https://example.org/cluewise/${fragment}`.length <= BUDGET, `${title}: ${fragment.length}`);
      assert.equal((await decode(fragment)).desk, entry.name);
    }
  });
}

// The sender's advice in a link: its encoding, and its text on the page.
const LINKS = JSON.parse(readFileSync(new URL("../vectors/links.json", import.meta.url), "utf8"));
const [{ link: EMPTY }, { link: ROW }] = LINKS;
const TEXT = "0203 · 3.36 bits";
/** Computed with Python: base64url of zlib.crc32(payload + text) and the text. */
const WITH_TEXT = `${ROW}/_M8zwTAyMDMgwrcgMy4zNiBiaXRz`;

test("a text of up to 60 characters follows the payload and does not change the position", async () => {
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

test("a text that is damaged, too long or of another position is dropped, and the position opens", async () => {
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

const ASKED = { desk: "code", v: 1, clues: [{ guess: "0011", exact: 1, partial: 1 }] };
const RECORDED = JSON.parse(
  readFileSync(new URL("../vectors/page_answers_code.json", import.meta.url), "utf8"),
).filter(({ ask }) => isDeepStrictEqual([ask.want, ask.position], ["advise", ASKED]));
const recorded = (/** @type {string} */ criterion) =>
  RECORDED.find(({ ask }) => ask.options.criterion === criterion && !ask.options.mine).result;

/** Opens a link with that advice; the page's own advice arrives when `release` is called. */
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
  const fragment = await encode("code", ASKED);
  const page = await visit(withAdvice(fragment, said), { answer });
  return { page, fragment, release };
}

const OWN = "0203 · 3.45 guesses";

test("the sender's advice is labelled until this page's own advice confirms or replaces it", async () => {
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

test("the shared link contains the displayed advice, once it is final", async () => {
  const { page, fragment, release } = await opened("");
  await page.press("Share");
  assert.ok(page.dialog.role("textbox", "Share").value.endsWith(fragment));
  await page.press("Close");
  release();
  await page.until(() => page.text.includes("3.45"));
  await page.press("Share");
  assert.equal((await decode(page.dialog.role("textbox", "Share").value)).said, OWN);
});

const VECTORS = JSON.parse(readFileSync(new URL("../vectors/links.json", import.meta.url), "utf8"));

test("links written by the terminal have the same meaning on the page", async () => {
  assert.ok(VECTORS.length >= 9);
  for (const { desk, link, position } of VECTORS) {
    const found = await decode(link);
    assert.equal(found.desk, desk);
    assert.equal(canonical(desk, found.position), canonical(desk, position));
  }
});
