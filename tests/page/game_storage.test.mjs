/** GameStorage: tabs and files converge to one history in any order, also with damaged records. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { History } from "../../web/session/history.js";
import { read } from "../../web/session/load-records.js";
import { GameStorage } from "../../web/session/persistence.js";
import { historyEntry, keyOf, mergeRecords } from "../../web/session/records.js";

const FIRST = JSON.parse(
  readFileSync(new URL("../vectors/storage_first.json", import.meta.url), "utf8"),
).kept;
const ANY = { accept: (position) => position };
const TIMES = Number(process.env.CLUEWISE_MUTATIONS ?? 400);

/** A page that accepts any position with an integer `n`. */
const PAGE = {
  accept(position) {
    if (!Number.isInteger(position.n)) throw new Error("This is no position.");
    return { ...position };
  },
};

/** A browser: one storage and the tabs that share it. */
class Browser {
  constructor(stored = {}) {
    this.stored = new Map(Object.entries(structuredClone(stored)));
    this.tabs = [];
    this.full = false;
  }

  /** A tab with its own GameStorage. `received`: messages of other tabs; `memory`: unwritten entries, as in store.js. */
  tab(name = `t${this.tabs.length}`) {
    const memory = new Map();
    const put = (all, entries) => {
      for (const [key, value] of structuredClone(entries))
        if (value === undefined) all.delete(key);
        else all.set(key, value);
    };
    const store = {
      under: async (first, last = `${first}\uffff`) => {
        const all = new Map(this.stored);
        put(all, [...memory]);
        return structuredClone([...all].filter(([key]) => key >= first && key <= last));
      },
      write: async (entries) => {
        for (const [key, value] of structuredClone(entries)) memory.set(key, value);
        if (this.full || tab.refused) return false;
        put(this.stored, [...memory]);
        memory.clear();
        return true;
      },
      tab: () => name,
    };
    const broadcast = (entries) => {
      for (const other of this.tabs) if (other !== tab) other.received.push(structuredClone(entries));
    };
    const tab = {
      gameStorage: new GameStorage(store, broadcast),
      received: [],
      history: null,
      view: {},
      refused: false,
    };
    this.tabs.push(tab);
    return tab;
  }
}

/** Numbers from a seed (mulberry32): `dice(6)` is 0 to 5. */
function diceFrom(seed) {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (((t ^ (t >>> 14)) >>> 0) % 0x7fffffff) % sides;
  };
}

/** Opens the desk: the stored game, or a new one. */
async function open(tab, page = PAGE) {
  const { history, view, aside } = await tab.gameStorage.open("code", Promise.resolve(page));
  tab.history = history ?? History.begin("code", { n: 0 });
  tab.view = view;
  return aside;
}

async function step(tab, n) {
  tab.history = tab.history.add({ n }, `to ${n}`);
  return tab.gameStorage.save(tab.history, tab.view);
}

test("a history written by the first version opens with its steps, names, current entry and draft", async () => {
  const browser = new Browser(FIRST);
  const tab = browser.tab();
  assert.equal(await open(tab, ANY), 0);
  assert.deepEqual(
    tab.history.path.map((one) => one.label),
    ["", "Row 1 added", "Row 2 added"],
  );
  assert.equal(tab.history.index, 1);
  assert.equal(tab.history.nameOf(tab.history.present), "one row");
  assert.deepEqual(tab.view, { draft: "02" });
  assert.equal(browser.stored.has("desk.code"), false, "it is stored under its new keys only");
  const before = JSON.stringify([...browser.stored]);
  const again = browser.tab();
  assert.equal(await open(again, ANY), 0);
  assert.deepEqual([...again.history.tree.keys()], [...tab.history.tree.keys()]);
  assert.equal(JSON.stringify([...browser.stored]), before, "reading changes nothing");
});

test("two tabs on one desk both keep their branches", async () => {
  const browser = new Browser();
  const [a, b] = [browser.tab(), browser.tab()];
  await open(a);
  await step(a, 1);
  await open(b);
  await step(a, 2);
  await step(b, 3);
  await step(a, 4);
  const c = browser.tab();
  await open(c);
  assert.deepEqual([...c.history.tree.values()].map((one) => one.position.n).sort(), [0, 1, 2, 3, 4]);
  assert.equal(c.history.position.n, 4, "a new tab opens the newest entry");
  const again = browser.tab("t1");
  await open(again);
  assert.equal(again.history.position.n, 3, "a reloaded tab keeps its entry");
});

test("changes of another tab are received at once and do not move the current entry", async () => {
  const browser = new Browser();
  const [a, b] = [browser.tab(), browser.tab()];
  await open(a);
  await step(a, 1);
  await open(b);
  b.received.length = 0;
  await step(a, 2);
  const next = b.gameStorage.merge(b.history, b.received[0], PAGE);
  assert.equal(next.position.n, 1);
  assert.equal(next.redoLabel, "to 2");
  assert.equal(b.gameStorage.merge(next, b.received[0], PAGE), null, "merging twice changes nothing");
});

test("a desk opens whatever a record contains; unreadable entries are set aside and reported once", async () => {
  const good = History.begin("code", { n: 1 }).add({ n: 2 }, "to 2");
  const [root, last] = good.path;
  const junk = [
    ["moment/code/g/1", null],
    ["moment/code/g/2", { ...root, label: { a: 1 } }],
    ["moment/code/g/3", { ...root, position: [] }],
    [keyOf(historyEntry({ ...last, position: { n: "x" } })), historyEntry({ ...last, position: { n: "x" } })],
    ["name/code/a", { text: 5, made: 1 }],
    ["cursor/code/t9", "x"],
    ["desk.code", { moments: [{ position: {}, label: "" }], at: "x" }],
  ];
  const browser = new Browser(Object.fromEntries([...junk, [keyOf(root), root], [keyOf(last), last]]));
  const tab = browser.tab();
  assert.equal(await open(tab), junk.length);
  assert.equal(tab.history.position.n, 2);
  const aside = [...browser.stored].filter(([key]) => key.startsWith("aside/")).map(([, one]) => one);
  for (const [key, value] of junk.slice(0, 6))
    assert.deepEqual(aside.find((one) => one.key === key)?.value, value, key);
  assert.ok(aside.every((one) => /[.]$/.test(one.why)));
  assert.equal(await open(browser.tab()), 0, "not reported again");
});

test("an entry that an older page could not display is restored by a page that can", async () => {
  const history = History.begin("code", { n: 1, more: true }).add({ n: 2, more: true }, "to 2");
  const browser = new Browser(Object.fromEntries(history.path.map((one) => [keyOf(one), one])));
  const older = {
    ...PAGE,
    accept: (position) => {
      if ("more" in position) throw new Error("This page does not know this.");
      return position;
    },
  };
  assert.equal(await open(browser.tab(), older), 2);
  const tab = browser.tab();
  assert.equal(await open(tab), 0);
  assert.equal(tab.history.tree.size, 2);
  assert.equal([...browser.stored.keys()].filter((key) => key.startsWith("aside/")).length, 0);
});

/** Random records of several tabs and files, some equal, some under one key. */
function someRecords(dice) {
  const records = new Map();
  for (let i = dice(6); i > 0; i--) {
    const place = { desk: "code", game: `g${dice(2)}`, parent: null, label: `s${dice(3)}`, made: dice(3) };
    const one = historyEntry({ ...place, position: { n: dice(3) } });
    records.set(keyOf(one), one);
    records.set(`name/code/${dice(2)}`, { text: `n${dice(3)}`, made: dice(3) });
    records.set(`cursor/code/t${dice(2)}`, {
      game: "g0",
      at: "",
      tip: "",
      view: { v: dice(3) },
      made: dice(3),
    });
  }
  return records;
}

const sorted = (records) => JSON.stringify([...records].sort(([a], [b]) => (a < b ? -1 : 1)));

test("merging records is commutative, associative and idempotent", () => {
  const dice = diceFrom(12);
  let clashes = 0;
  for (let i = 0; i < TIMES; i++) {
    const [a, b, c] = [someRecords(dice), someRecords(dice), someRecords(dice)];
    assert.equal(sorted(mergeRecords(a, b)), sorted(mergeRecords(b, a)));
    assert.equal(sorted(mergeRecords(mergeRecords(a, b), c)), sorted(mergeRecords(a, mergeRecords(b, c))));
    assert.equal(sorted(mergeRecords(a, a)), sorted(a));
    assert.equal(sorted(mergeRecords(mergeRecords(a, b), b)), sorted(mergeRecords(a, b)));
    for (const [key, one] of a) clashes += b.has(key) && JSON.stringify(b.get(key)) !== JSON.stringify(one);
  }
  assert.ok(clashes > TIMES / 2, "some records have one key");
});

test("no entry is lost in any order of actions of several tabs", async () => {
  for (let seed = 0; seed < TIMES / 20; seed++) {
    const dice = diceFrom(seed);
    const browser = new Browser(dice(2) ? FIRST_NUMBERS : {});
    const tabs = [browser.tab(), browser.tab(), browser.tab()];
    for (const tab of tabs) await open(tab);
    const made = new Set();
    for (let i = 0; i < 40; i++) await act(browser, tabs[dice(3)], made, dice, i);
    const found = read(browser.stored);
    for (const key of made) assert.ok(found.records.has(key), `seed ${seed}: ${key}`);
    assert.equal(found.aside.length, 0);
  }
});

test("full or blocked storage loses nothing and is reported each time", async () => {
  let refusals = 0;
  for (let seed = 0; seed < TIMES / 20; seed++) {
    const dice = diceFrom(1000 + seed);
    const browser = new Browser(dice(2) ? FIRST_NUMBERS : {});
    const tabs = [browser.tab(), browser.tab(), browser.tab()];
    for (const tab of tabs) await open(tab);
    const made = new Set();
    for (let i = 0; i < 40; i++) {
      const tab = tabs[dice(3)];
      if (!dice(5)) browser.full = !browser.full;
      if (!dice(9)) tab.refused = !tab.refused;
      await act(browser, tab, made, dice, i);
      const kept = await step(tab, i);
      assert.equal(kept, !(browser.full || tab.refused), `seed ${seed}: the failure is returned`);
      refusals += !kept;
      for (const one of tab.history.tree.values()) made.add(keyOf(one));
    }
    browser.full = false;
    for (const tab of tabs) {
      tab.refused = false;
      assert.equal(await step(tab, 99), true);
    }
    const found = read(browser.stored);
    for (const key of made) assert.ok(found.records.has(key), `seed ${seed}: ${key}`);
    assert.equal(found.aside.length, 0);
  }
  assert.ok(refusals > TIMES / 4, "many writes were refused");
});

const FIRST_NUMBERS = {
  "desk.code": { moments: [0, 1, 2].map((n) => ({ position: { n }, label: `${n}` })), at: 2 },
};

/** A random action of a user in a tab. */
async function act(browser, tab, made, dice, i) {
  const what = dice(7);
  if (what < 3) await step(tab, i);
  else if (what === 3) tab.history = tab.history.move(-1 - dice(3));
  else if (what === 4) tab.history = tab.history.move(1);
  else if (what === 5) await open(tab);
  else
    for (const entries of tab.received.splice(0))
      tab.history = tab.gameStorage.merge(tab.history, entries, PAGE) ?? tab.history;
  if (what < 3) for (const one of tab.history.tree.values()) made.add(keyOf(one));
  if (!dice(12)) importBackup(browser, dice);
}

/** Merges a random part of the storage, as the import of a backup does. */
function importBackup(browser, dice) {
  const file = read([...browser.stored].filter(() => dice(2)));
  for (const [key, one] of mergeRecords(read(browser.stored).records, file.records))
    browser.stored.set(key, one);
}

const JUNK = [null, true, -1, 1e300, "", "x", {}, [], [[]], { moments: [] }, { label: {} }, "\u0000"];

/** The value with one part replaced or removed. */
function mutated(value, dice) {
  const copy = structuredClone(value);
  const spots = [];
  const walk = (item) => {
    for (const key of Object.keys(item)) {
      spots.push([item, key]);
      if (item[key] && typeof item[key] === "object") walk(item[key]);
    }
  };
  walk(copy);
  const [holder, key] = spots[dice(spots.length)];
  if (dice(3)) holder[key] = structuredClone(JUNK[dice(JUNK.length)]);
  else delete holder[key];
  return copy;
}

test("damaged storage of any version opens, and every entry is either read or set aside", async () => {
  const dice = diceFrom(33);
  let aside = 0;
  for (let i = 0; i < TIMES; i++) {
    const history = History.begin("code", { n: 0 }).add({ n: 1 }, "a").move(-1).add({ n: 2 }, "b");
    let kept = dice(2)
      ? structuredClone({ ...FIRST, ...FIRST_NUMBERS })
      : Object.fromEntries([...history.tree.values()].map((one) => [keyOf(one), one]));
    for (let times = dice(4); times > 0; times--) kept = mutated(kept, dice);
    const browser = new Browser(kept);
    const tab = browser.tab();
    const counted = await open(tab);
    aside += counted;
    assert.ok(Number.isInteger(tab.history.position.n));
    const { records } = read(browser.stored);
    for (const [key, one] of read(Object.entries(kept)).records)
      if (key.startsWith("name/code/") || Number.isInteger(one.position?.n)) assert.ok(records.has(key), key);
    assert.equal(await open(browser.tab()), 0, "reported once");
  }
  assert.ok(aside > TIMES / 4);
});

test("a game removed in one tab while another plays it is stored again with its next step", async () => {
  const browser = new Browser();
  const [a, b] = [browser.tab(), browser.tab()];
  await open(a);
  await step(a, 1);
  await open(b);
  await step(b, 2);
  await a.gameStorage.remove("code", b.history.present.game);
  for (const entries of b.received.splice(0)) b.gameStorage.merge(b.history, entries, PAGE);
  await step(b, 3);
  const c = browser.tab();
  await open(c);
  assert.deepEqual(
    c.history.path.map((one) => one.position.n),
    [0, 1, 2, 3],
  );
});

/** A page with two preferences. */
const LASTS = { ...PAGE, lasting: ["stop", "pictures"] };

async function setView(tab, view) {
  tab.view = view;
  return tab.gameStorage.save(tab.history, view, LASTS.lasting);
}

test("preferences are stored without a step and apply in every later tab and game", async () => {
  const browser = new Browser();
  const tab = browser.tab();
  await open(tab, LASTS);
  await setView(tab, { stop: 6, pictures: [{ src: "a" }, { src: "b" }] });
  assert.deepEqual(
    [...browser.stored.keys()].map((key) => key.split("/").slice(0, 3).join("/")),
    ["own/code/stop", "own/code/pictures", "own/code/pictures"],
    "a game without steps is not stored",
  );
  const before = JSON.stringify([...browser.stored]);
  await setView(tab, tab.view);
  assert.equal(JSON.stringify([...browser.stored]), before, "nothing is written twice");
  const later = browser.tab();
  await open(later, LASTS);
  assert.deepEqual(later.view, tab.view);
  later.history = later.history.add({ n: 1 }, "to 1");
  await setView(later, { ...later.view, draft: "x" });
  const cursor = [...browser.stored].find(([key]) => key.startsWith("cursor/"))[1];
  assert.deepEqual(cursor.view, { draft: "x" }, "a cursor has no preferences");
});

test("tabs that add to one list keep each other's items, and a removed item stays removed", async () => {
  const browser = new Browser();
  const [a, b] = [browser.tab(), browser.tab()];
  await open(a, LASTS);
  await open(b, LASTS);
  await setView(a, { pictures: [{ src: "a" }] });
  await setView(b, { pictures: [{ src: "b" }] });
  const c = browser.tab();
  await open(c, LASTS);
  assert.deepEqual(c.view, { pictures: [{ src: "a" }, { src: "b" }] });
  await setView(a, {}); // after a failed drawing the view is empty: no item was removed
  await setView(a, { pictures: [{ src: "d" }] });
  await setView(c, { pictures: [{ src: "b" }] });
  const d = browser.tab();
  await open(d, LASTS);
  assert.deepEqual(d.view, { pictures: [{ src: "b" }, { src: "d" }] });
  await setView(d, { pictures: [] });
  await open(browser.tab(), LASTS);
  assert.equal(browser.stored.size, 0);
});

test("preferences in records of earlier versions are moved to their own place", async () => {
  const browser = new Browser();
  const [a, b] = [browser.tab(), browser.tab()];
  for (const [tab, view] of [
    [a, { draft: "x", stop: 2, pictures: [{ src: "a" }] }],
    [b, { stop: 5, pictures: [{ src: "a" }, { src: "b" }] }],
  ]) {
    await open(tab);
    tab.view = view;
    await step(tab, 1);
  }
  const c = browser.tab("t0");
  await open(c, LASTS);
  assert.deepEqual(c.view, { draft: "x", stop: 5, pictures: [{ src: "a" }, { src: "b" }] });
  const left = [...browser.stored].filter(([key]) => key.startsWith("cursor/")).map(([, one]) => one.view);
  assert.deepEqual(left, [{ draft: "x" }, {}]);
});
