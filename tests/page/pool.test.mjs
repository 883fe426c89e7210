/** The pool of workers: leased to questions with tasks, assigned questions of a series, stopped with them, closed after a minute. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { WorkerPool, workersOf } from "../../web/engine/pool.js";

let posted, members, pool, first;

/** A worker whose tasks and questions end when the test ends them. */
class Member {
  constructor() {
    this.calls = [];
    this.turns = [];
    this.ended = false;
    this.ready = new Promise((resolve, reject) => Object.assign(this, { start: resolve, refuse: reject }));
  }

  call(name, args) {
    return job(this.calls, { name, args });
  }

  inTurn(question) {
    return job(this.turns, { question });
  }

  end() {
    this.ended = true;
    for (const turn of this.turns) turn.reject({ kind: "host" });
  }
}

function job(list, call) {
  call.cancelled = false;
  const promise = new Promise((resolve, reject) => Object.assign(call, { resolve, reject }));
  list.push(call);
  return {
    promise,
    cancel: () => {
      call.cancelled = true;
      call.reject({ kind: "stopped" });
    },
  };
}

const asked = (worker) => worker.turns.map((turn) => turn.question);

const running = () => members.filter((one) => !one.ended).length;
const settled = () => new Promise((resolve) => setImmediate(resolve));
const piece = (id, number) => ({ type: "piece", id, number, function: "f", arguments: [number] });

/** A pool of two ready workers, and question 1 with tasks. */
async function begun() {
  pool.shares(1);
  mock.timers.tick(300);
  for (const one of members) one.start();
  await settled();
}

beforeEach(() => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  posted = [];
  members = [];
  first = new Member();
  pool = new WorkerPool(
    2,
    () => members[members.push(new Member()) - 1],
    first,
    (message) => posted.push(message),
  );
});

test("a device gets as many workers as it has cores, at most four, and one with little memory", () => {
  assert.equal(workersOf({ hardwareConcurrency: 2, deviceMemory: 8 }), 2);
  assert.equal(workersOf({ hardwareConcurrency: 16, deviceMemory: 8 }), 4);
  assert.equal(workersOf({ hardwareConcurrency: 16 }), 2, "on a device of unknown memory");
  assert.equal(workersOf({ hardwareConcurrency: 8, deviceMemory: 2 }), 1);
  assert.equal(workersOf({}), 1);
});

test("the pool starts only after a parallel request has run for a while", async () => {
  pool.shares(1);
  mock.timers.tick(299);
  assert.equal(members.length, 0);
  mock.timers.tick(1);
  assert.equal(members.length, 2);
  assert.deepEqual(posted, []);
  members[0].start();
  await settled();
  assert.deepEqual(posted, [{ type: "hand", id: 1 }]);
});

test("a short request starts no workers", () => {
  pool.shares(1);
  mock.timers.tick(100);
  pool.over(1);
  mock.timers.tick(1000);
  assert.equal(running(), 0);
});

test("a worker runs a task, returns its result and is used again", async () => {
  await begun();
  pool.piece(piece(1, 7));
  assert.equal(pool.works, true);
  assert.deepEqual(members[0].calls[0].args, [7]);
  members[0].calls[0].resolve({ result: "seven" });
  await settled();
  assert.equal(pool.works, false);
  assert.deepEqual(posted.slice(2), [
    { type: "given", id: 1, number: 7, value: "seven" },
    { type: "hand", id: 1 },
  ]);
});

test("a failed task has its reason; a task of a lost worker is returned", async () => {
  await begun();
  pool.piece(piece(1, 7));
  members[0].calls[0].reject(new Error("no room"));
  await settled();
  assert.deepEqual(posted[2], { type: "given", id: 1, number: 7, error: "no room" });
  pool.piece(piece(9, 8));
  assert.deepEqual(posted.at(-1), { type: "given", id: 9, number: 8, error: "Its worker has ended." });
});

test("cancelling a request cancels its tasks and frees its workers for an older one", async () => {
  await begun();
  pool.shares(2);
  pool.piece(piece(1, 7));
  members[0].calls[0].resolve({ result: 0 });
  await settled();
  assert.deepEqual(posted.at(-1), { type: "hand", id: 2 }, "the newest question goes first");
  pool.piece(piece(2, 8));
  pool.over(2);
  await settled();
  assert.equal(members[0].calls[1].cancelled, true);
  assert.deepEqual(posted.at(-1), { type: "hand", id: 1 });
  assert.ok(!posted.some((one) => one.type === "given" && one.id === 2));
});

test("when the first worker restarts, all other workers are released", async () => {
  await begun();
  pool.piece(piece(1, 7));
  pool.reset();
  assert.equal(pool.works, false);
  assert.equal(members[0].calls[0].cancelled, true);
});

test("after an idle minute the workers are terminated; the next parallel request starts new ones", async () => {
  await begun();
  pool.over(1);
  mock.timers.tick(59_999);
  pool.shares(2);
  pool.over(2);
  mock.timers.tick(59_999);
  assert.equal(running(), 2);
  mock.timers.tick(1);
  assert.equal(running(), 0);
  assert.ok(members.every((one) => one.ended));
  await begun();
  assert.equal(members.length, 4);
});

test("if no second worker starts, the first one runs all tasks", async () => {
  pool.shares(1);
  mock.timers.tick(300);
  for (const one of members) one.refuse(new Error("no memory"));
  await settled();
  pool.over(1);
  pool.shares(2);
  mock.timers.tick(1000);
  assert.equal(members.length, 2);
  assert.deepEqual(posted, []);
});

test("ordered requests go to the first worker, two at a time, until others have started", async () => {
  const jobs = [1, 2, 3, 4, 5, 6, 7].map((n) => pool.ask(n));
  assert.deepEqual(asked(first), [1, 2]);
  mock.timers.tick(300);
  assert.equal(members.length, 2);
  members[1].start();
  await settled();
  assert.deepEqual(asked(members[1]), [3, 4]);
  assert.deepEqual(asked(members[0]), [], "it is not ready");
  first.turns[0].resolve("one");
  members[1].turns[0].resolve("three");
  members[1].turns[1].resolve("four");
  await settled();
  assert.deepEqual(asked(first), [1, 2, 5]);
  assert.deepEqual(asked(members[1]), [3, 4, 6, 7]);
  assert.deepEqual(await Promise.all([0, 2, 3].map((i) => jobs[i].promise)), ["one", "three", "four"]);
  assert.deepEqual(posted, [], "no worker is leased to them");
});

test("a cancelled ordered request leaves its worker, or never reaches one", async () => {
  const [one, two, three] = [1, 2, 3].map((n) => pool.ask(n));
  three.cancel();
  one.cancel();
  await assert.rejects(three.promise);
  await assert.rejects(one.promise);
  assert.equal(first.turns[0].cancelled, true);
  first.turns[1].resolve("two");
  assert.equal(await two.promise, "two");
  await settled();
  assert.deepEqual(asked(first), [1, 2]);
  mock.timers.tick(1000);
  assert.equal(running(), 0, "no task remains");
});

test("ordered requests of a lost worker are run by another", async () => {
  const jobs = [1, 2, 3, 4, 5].map((n) => pool.ask(n));
  mock.timers.tick(300);
  members[0].start();
  await settled();
  assert.deepEqual(asked(members[0]), [3, 4]);
  members[0].turns[0].reject({ kind: "host" });
  await settled();
  assert.equal(members[0].ended, true);
  for (let i = 0; i < 5; i++) {
    first.turns[i].resolve(first.turns[i].question);
    await settled();
  }
  assert.deepEqual(await Promise.all(jobs.map((one) => one.promise)), [1, 2, 3, 4, 5]);
});

test("a fault affects only its own ordered request", async () => {
  const [one, two] = [1, 2].map((n) => pool.ask(n));
  first.turns[0].reject({ kind: "bad_position" });
  first.turns[1].resolve("two");
  await assert.rejects(one.promise, { kind: "bad_position" });
  assert.equal(await two.promise, "two");
});

test("ordered requests keep the pool alive until a minute after the last", async () => {
  const job = pool.ask(1);
  mock.timers.tick(300);
  for (const one of members) one.start();
  await settled();
  pool.reset();
  mock.timers.tick(60_000);
  assert.equal(running(), 2);
  first.turns[0].resolve("one");
  await job.promise;
  await settled();
  mock.timers.tick(60_000);
  assert.equal(running(), 0);
});

test("the pool starts at once if much work is announced, and ends if none follows", async () => {
  pool.gather();
  assert.equal(members.length, 2);
  pool.gather();
  assert.equal(members.length, 2);
  mock.timers.tick(60_000);
  assert.equal(running(), 0);
  pool.gather();
  for (const one of members.slice(2)) one.start();
  await settled();
  const jobs = [1, 2, 3, 4, 5, 6].map((n) => pool.ask(n));
  assert.deepEqual([first, members[2], members[3]].map(asked), [
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
  mock.timers.tick(60_000);
  assert.equal(running(), 2, "tasks remain");
  for (const one of jobs) one.cancel();
  await Promise.allSettled(jobs.map((one) => one.promise));
});
