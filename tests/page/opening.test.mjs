/** Opening links: notices and searches for a newer build. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./template.mjs";

const { desks } = await import("../../web/desks/index.js");
const { encode } = await import("../../web/session/link.js");
const { words } = await import("../../web/strings.js");
const { Opening } = await import("../../web/shell/open-link.js");

desks.code.load = async () => ({
  page: { name: "code", initial: () => ({ desk: "code", v: 1 }), accept: (position) => position },
});

/** Opens a link without stored games: the state, the notices and the number of searches for an update. */
async function opened(fragment, before = {}) {
  const seen = { notices: [], sought: 0 };
  const state = { pages: {}, newer: "", fragment: "", ...before };
  const opening = new Opening(state, {
    engine: { prepare() {} },
    questions: { clear() {} },
    gameStorage: {
      open: async () => ({ history: null, view: {} }),
      games: async () => [],
      leave: async () => {},
    },
    updates: { save: async () => {}, changed() {} },
    redraw() {},
    notice: (text) => seen.notices.push(text),
    lookForUpdate: () => seen.sought++,
    onKey() {},
  });
  await opening.go(fragment);
  return { state, ...seen };
}

test("a link with an unknown field looks for a newer build and keeps the link for it", async () => {
  const newer = await encode("code", { desk: "code", v: 1, invented: 3 });
  for (const fragment of [newer, newer.replace("/1/", "/2/")]) {
    const { state, notices, sought } = await opened(fragment);
    assert.equal(sought, 1);
    assert.equal(state.newer, fragment);
    assert.ok(notices.at(-1).startsWith(words.badLink));
    assert.ok(!notices.at(-1).includes(words.lastKept), "no game was stored before this link");
  }
});

test("a link that opens, or that no build can read, looks for no newer build", async () => {
  const whole = await encode("code", {
    desk: "code",
    v: 1,
    clues: [{ guess: "0011", exact: 1, partial: 1 }],
  });
  for (const [fragment, shown] of [
    [whole, 0],
    [whole.slice(0, -9), 1],
  ]) {
    const { state, notices, sought } = await opened(fragment);
    assert.deepEqual([sought, state.newer, notices.length], [0, "", shown]);
    assert.equal(state.desk, "code");
  }
});

test("a notice about one desk goes when another is opened, unless it has a button", async () => {
  const notice = { text: "2 rows added.", tone: "" };
  assert.deepEqual((await opened("#/code", { desk: "rack", notice })).notices, [""]);
  assert.deepEqual((await opened("#/code", { desk: "code", notice })).notices, []);
  assert.deepEqual((await opened("#/code", { desk: "rack", notice: { ...notice, action: {} } })).notices, []);
});
