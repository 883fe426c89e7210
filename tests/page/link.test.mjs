import assert from "node:assert/strict";
import { test } from "node:test";
import { BadLink, canonical, decode, deskOf, encode } from "../../web/session/link.js";

const DEFAULTS = { rules: { pegs: 4, colours: 6, repeat: true }, clues: [{ ignored: false }] };
const POSITION = {
  desk: "code",
  v: 1,
  rules: { pegs: 4, colours: 8, repeat: true },
  clues: [{ guess: "0011", exact: 0, partial: 1, ignored: false }],
};

test("canonical JSON has sorted keys and leaves defaults out", () => {
  assert.equal(
    canonical(POSITION, DEFAULTS),
    '{"clues":[{"exact":0,"guess":"0011","partial":1}],"desk":"code","rules":{"colours":8},"v":1}',
  );
});

test("empty lists and objects that are defaults vanish, others stay", () => {
  assert.equal(canonical({ rules: { pegs: 4 }, clues: [] }, DEFAULTS), "{}");
  assert.equal(canonical({ other: [] }, DEFAULTS), '{"other":[]}');
});

test("a position survives the link", async () => {
  const fragment = await encode("code", POSITION, DEFAULTS);
  assert.match(fragment, /^#\/code\/1\/[\w-]+$/);
  const found = await decode(`https://example.org/sub/${fragment}`);
  assert.equal(found.desk, "code");
  assert.equal(canonical(found.position, DEFAULTS), canonical(POSITION, DEFAULTS));
});

test("a slash that was added at the end changes nothing", async () => {
  const fragment = await encode("code", POSITION, DEFAULTS);
  assert.deepEqual(await decode(`${fragment}/`), await decode(fragment));
});

test("a fragment that names only a desk holds no position", async () => {
  assert.equal(await decode("#/code"), null);
  assert.equal(deskOf("#/code"), "code");
  assert.equal(await decode("#/code/"), null);
  assert.equal(deskOf("#/code/"), "code");
  assert.equal(deskOf("nonsense!"), "");
});

const BAD = {
  "no link at all": "hello there",
  "a later version": "#/code/7/abc",
  "damaged base64": "#/code/1/ab%%",
  "no deflate stream": "#/code/1/AAAA",
  "cut short": null,
  "JSON that is no position": null,
};

test("bad links are refused in words", async () => {
  const whole = await encode("code", POSITION, DEFAULTS);
  const texts = { ...BAD, "cut short": whole.slice(0, -9), "JSON that is no position": "#/code/1/MwQA" };
  for (const [name, text] of Object.entries(texts))
    await assert.rejects(
      decode(text),
      (problem) => problem instanceof BadLink && problem.message.length > 20,
      name,
    );
});

test("a link that unpacks to more than 256 KB is refused while it unpacks", async () => {
  const huge = await encode("code", { fill: "x".repeat(300_000) }, {});
  await assert.rejects(decode(huge), /more than 256 KB/);
});

test("two thousand mutated links give a position or a sentence, never anything else", async () => {
  const whole = await encode("code", POSITION, DEFAULTS);
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
