/** A worker is replaced when it is silent for longer than this device has shown to need, and no sooner. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { createEngine } from "../../web/engine/client.js";
import { TICK, Watchdog } from "../../web/engine/watchdog.js";
import { FakeWorker, workers } from "./fakes.mjs";

let time;
const now = () => time;

/** Let time pass as a page does that is given all of its ticks. */
function pass(watchdog, ms) {
  let silent = 0;
  for (let passed = 0; passed < ms; passed += TICK) {
    time += TICK;
    silent = watchdog.tick();
  }
  return silent;
}

/** A worker that is ready `fetching + starting` ms after it began. */
function started({ fetching = 0, starting }) {
  const watchdog = new Watchdog({ now });
  watchdog.began();
  time += fetching;
  watchdog.phase({ done: 9, total: 9 });
  time += starting;
  watchdog.ready();
  watchdog.tick();
  watchdog.responded();
  return watchdog;
}

beforeEach(() => {
  time = 1000;
});

test("the time limit follows the start-up time without the download, with a minimum", () => {
  assert.equal(started({ starting: 500 }).limit, 10_000);
  assert.equal(started({ fetching: 60_000, starting: 500 }).limit, 10_000);
  assert.equal(started({ starting: 4000 }).limit, 20_000);
  const slow = started({ starting: 4000 });
  slow.asked("scan");
  assert.equal(slow.limit, 40_000);
  slow.answered("scan");
  slow.asked("scan");
  assert.equal(slow.limit, 20_000);
  slow.asked("rack");
  assert.equal(slow.limit, 40_000, "the first question of another desk");
  const quick = started({ starting: 500 });
  quick.asked("code");
  assert.equal(quick.limit, 30_000);
});

test("each restart doubles the limit, up to three minutes", () => {
  const watchdog = started({ starting: 500 });
  const limits = [];
  for (let i = 0; i < 6; i++) {
    limits.push(watchdog.limit / 1000);
    watchdog.restarted();
    watchdog.began();
    watchdog.ready();
  }
  assert.deepEqual(limits, [10, 20, 40, 80, 160, 180]);
  assert.equal(started({ starting: 90_000 }).limit, 180_000);
});

test("a start may be silent for one minute while files are missing, for three when they are present", () => {
  const watchdog = new Watchdog({ now });
  watchdog.began();
  watchdog.phase({ done: 4, total: 9 });
  assert.equal(watchdog.limit, 60_000);
  watchdog.phase({ done: 9, total: 9 });
  assert.equal(watchdog.limit, 180_000);
});

test("time in which the page itself was blocked does not count as silence", () => {
  const watchdog = started({ starting: 500 });
  watchdog.asked("code");
  pass(watchdog, 2000);
  for (let i = 0; i < 100; i++) {
    time += 3 * TICK;
    watchdog.tick();
  }
  assert.equal(pass(watchdog, TICK), 2000 + TICK);
  watchdog.responded();
  assert.equal(pass(watchdog, TICK), TICK);
});

const askedOf = (worker) => worker.asks.map((one) => one.id);
function becomeReady(worker) {
  worker.emit({ type: "phase", name: "starting", done: 9, total: 9, message: "" });
  worker.emit({ type: "ready", desks: ["code"], version: "1" });
}

/** The engine's clock and the page's ticks go on together. */
function wait(ms) {
  for (let passed = 0; passed < ms; passed += TICK) {
    time += TICK;
    mock.timers.tick(TICK);
  }
}

/** An engine of one ready worker that was asked a question. */
function asking() {
  const engine = createEngine({ workers: 1, watchdog: () => new Watchdog({ now }) });
  becomeReady(workers[0]);
  const notes = [];
  const ask = (desk = "code") =>
    engine
      .ask({ desk, want: "advise", position: {} }, { onProgress: ({ note }) => notes.push(note) })
      .promise.then(
        ({ result }) => result,
        (fault) => fault,
      );
  return { engine, notes, ask, answer: ask() };
}

const before = { window: globalThis.window, self: globalThis.self, Worker: globalThis.Worker };
beforeEach(() => {
  workers.length = 0;
  mock.timers.enable({ apis: ["setInterval"] });
  Object.assign(globalThis, { window: globalThis, self: globalThis, Worker: FakeWorker });
});
afterEach(() => {
  mock.timers.reset();
  Object.assign(globalThis, before);
});

for (const silence of [4500, 20_000])
  test(`a worker that is silent for ${silence / 1000} s at its first request is not replaced`, async () => {
    const { answer, notes } = asking();
    wait(silence);
    assert.equal(workers.length, 1);
    workers[0].emit({ type: "result", id: askedOf(workers[0])[0], result: "there" });
    assert.equal(await answer, "there");
    assert.deepEqual([...new Set(notes)], silence > 5000 ? ["This device is slow; still working"] : []);
  });

test("an idle worker is never replaced, and one that waits for others answers between its turns", async () => {
  const { answer } = asking();
  for (let i = 0; i < 40; i++) {
    wait(5000);
    assert.ok(workers[0].posted.some((one) => one.type === "ping"));
    workers[0].emit({ type: "pong" });
  }
  workers[0].emit({ type: "result", id: askedOf(workers[0])[0], result: "there" });
  await answer;
  wait(300_000);
  assert.equal(workers.length, 1);
});

test("a silent worker is replaced and its request repeated; the second message blames the device", async () => {
  const { answer } = asking();
  wait(30_000);
  assert.equal(workers.length, 2);
  becomeReady(workers[1]);
  assert.deepEqual(askedOf(workers[1]), askedOf(workers[0]));
  wait(59_500);
  assert.equal(workers.length, 2, "the limit has doubled");
  wait(TICK);
  const fault = await answer;
  assert.deepEqual(
    [fault.kind, fault.message],
    ["host", "This device is slow: there was no answer within a minute."],
  );
});
