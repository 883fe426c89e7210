import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../web/session/history.js";
import { Questions } from "../../web/session/questions.js";

/** An engine whose answers the test resolves. */
function fakeEngine() {
  const jobs = [];
  return {
    jobs,
    ask(request, handlers) {
      const job = { request, handlers, cancelled: false };
      job.promise = new Promise((resolve, reject) => Object.assign(job, { resolve, reject }));
      job.cancel = () => {
        job.cancelled = true;
        job.reject({ kind: "stopped", message: "Stopped.", where: "$" });
      };
      jobs.push(job);
      return job;
    },
  };
}
const settled = () => new Promise((done) => setTimeout(done, 0));
const want = (position) => ({ advise: { desk: "code", want: "advise", position } });

test("equal requests are sent once", () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  questions.reconcile(want(1));
  assert.equal(engine.jobs.length, 1);
});

test("the most urgent request is sent last, since the worker runs the newest first", () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  const asked = (name, urgency) => ({ desk: "code", want: name, position: 1, urgency });
  questions.reconcile({
    count: asked("remaining", "first"),
    costs: asked("costs", "last"),
    advice: asked("advise"),
  });
  assert.deepEqual(
    engine.jobs.map((job) => job.request.want),
    ["costs", "advise", "remaining"],
  );
  assert.ok(engine.jobs.every((job) => !("urgency" in job.request)));
});

test("an answer for an earlier position is stale for a new one", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  engine.jobs[0].resolve({ result: "one", arrays: {} });
  await settled();
  questions.reconcile(want(2));
  questions.reconcile(want(3));
  assert.equal(engine.jobs[1].cancelled, true);
  const { value, stale, before } = questions.replies.advise;
  assert.deepEqual([value, stale, before.value, before.request.position], [null, true, "one", 1]);
  engine.jobs[2].resolve({ result: "three", arrays: {} });
  await settled();
  const now = questions.replies.advise;
  assert.deepEqual([now.value, now.stale, now.before], ["three", false, null]);
});

test("an answer to a dropped request changes nothing", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  questions.reconcile({});
  engine.jobs[0].resolve({ result: "late", arrays: {} });
  await settled();
  assert.deepEqual(questions.replies, {});
});

test("a stopped job reports it and can be requested again", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  questions.stop("advise");
  await settled();
  assert.equal(questions.replies.advise.fault.kind, "stopped");
  questions.again("advise");
  engine.jobs[1].resolve({ result: "one", arrays: {} });
  await settled();
  assert.equal(questions.replies.advise.value, "one");
});

test("a request dropped and repeated with equal content waits for its own answer", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  questions.clear();
  questions.reconcile(want(1));
  engine.jobs[0].handlers.onProgress({ done: 1, total: 2, note: "", best: null });
  await settled();
  assert.equal(questions.replies.advise.state, "waiting");
  assert.equal(questions.replies.advise.progress, null);
  engine.jobs[1].resolve({ result: "mine", arrays: {} });
  await settled();
  assert.equal(questions.replies.advise.value, "mine");
  assert.equal(questions.replies.advise.fault, null);
});

test("a precomputed answer is used if its request is equal", () => {
  const engine = fakeEngine();
  const notified = [];
  const questions = new Questions(engine, (key) => notified.push(key));
  const request = { desk: "code", want: "advise", position: 1 };
  questions.reconcile({ advise: request }, { request, result: "one" });
  assert.equal(engine.jobs.length, 0);
  assert.deepEqual(notified, ["advise"]);
  const { state, value, stale } = questions.replies.advise;
  assert.deepEqual([state, value, stale], ["done", "one", false]);
  questions.reconcile(want(2), { request, result: "one" });
  assert.equal(engine.jobs.length, 1);
});

test("a precomputed answer cancels the request before it", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  const request = want(2).advise;
  questions.reconcile(want(2), { request, result: "two" });
  assert.equal(engine.jobs[0].cancelled, true);
  engine.jobs[0].resolve({ result: "one", arrays: {} });
  await settled();
  assert.equal(questions.replies.advise.value, "two");
});

test("the best intermediate result is shown until a better one or the answer arrives", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  const tell = (done, best) => engine.jobs[0].handlers.onProgress({ done, total: 9, note: "", best });
  const sofar = () => questions.replies.advise.progress.best;
  tell(1, null);
  assert.equal(sofar(), null);
  tell(2, "good");
  tell(3, null);
  assert.equal(sofar(), "good");
  tell(4, "better");
  assert.deepEqual([sofar(), questions.replies.advise.progress.done], ["better", 4]);
  engine.jobs[0].resolve({ result: "best", arrays: {} });
  await settled();
  assert.deepEqual([questions.replies.advise.value, questions.replies.advise.progress], ["best", null]);
});

test("a request that the host failed is repeated after later answers, a limited number of times", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  const both = { ...want(1), doubt: { desk: "code", want: "doubt", position: 1 } };
  questions.reconcile(both);
  const asked = (name) => engine.jobs.filter((job) => job.request.want === name);
  for (let round = 0; round < 5; round++) {
    asked("advise").at(-1).reject({ kind: "host", message: "slow", where: "$" });
    await settled();
    questions.again("doubt");
    asked("doubt").at(-1).resolve({ result: "fine", arrays: {} });
    await settled();
  }
  assert.equal(asked("advise").length, 4);
});

test("a refused request is not repeated", async () => {
  const engine = fakeEngine();
  const questions = new Questions(engine, () => {});
  questions.reconcile(want(1));
  engine.jobs[0].reject({ kind: "bad_position", message: "no", where: "$" });
  await settled();
  questions.retry();
  assert.equal(engine.jobs.length, 1);
});

// A click with any number of changes: one round of questions, one stored record, one drawing.
globalThis.location ??= { hash: "" };
globalThis.document ??= { documentElement: { dataset: {} } };
globalThis.window ??= globalThis;
globalThis.history ??= { replaceState() {} };
const { contextOf } = await import("../../web/shell/context.js");
const { UpdateScheduler } = await import("../../web/shell/updates.js");

/** A page in the middle of a game, and a record of its calls. */
function openPage() {
  const did = { requests: [], saved: 0, drawn: 0 };
  const page = {
    listRequests(position, view) {
      did.requests.push([position.n, view.chosen]);
      return { advise: { want: "advise", position } };
    },
  };
  const state = { desk: "code", page, history: History.begin("code", { n: 0 }), view: { chosen: "a" } };
  Object.assign(state, { phase: { name: "ready" }, embed: false, fragment: "" });
  const gameStorage = { save: async () => Boolean(++did.saved) };
  const engine = { ask: () => ({ promise: new Promise(() => {}), cancel: () => {} }) };
  const questions = new Questions(engine, () => {});
  const updates = new UpdateScheduler(state, {
    questions,
    gameStorage,
    redraw: () => did.drawn++,
    notice: () => {},
  });
  return { did, state, context: () => contextOf(state, { engine, questions, updates }) };
}

test("a step and its change of the view are one round", async () => {
  const { did, state, context } = openPage();
  context().commit({ n: 1 }, "one", { view: { chosen: "" } });
  await settled();
  assert.deepEqual(did, { requests: [[1, ""]], saved: 1, drawn: 1 });
  assert.deepEqual([state.history.position, state.view], [{ n: 1 }, { chosen: "" }]);
});

test("several changes in one click are one round, without intermediate requests", async () => {
  const { did, context } = openPage();
  const hands = context();
  hands.set({ chosen: "b" });
  hands.commit({ n: 1 }, "one");
  hands.set({ chosen: "c" });
  await settled();
  assert.deepEqual(did, { requests: [[1, "c"]], saved: 1, drawn: 1 });
});

test("an answer received with a step is not requested", async () => {
  const { context } = openPage();
  const request = { want: "advise", position: { n: 1 } };
  context().commit({ n: 1 }, "one", { known: { request, result: "known" } });
  await settled();
  const { advise } = context().replies;
  assert.deepEqual([advise.state, advise.value], ["done", "known"]);
});

test("preferences are stored at once, and a view that changes with every key after a delay", async () => {
  const { did, state, context } = openPage();
  state.page.lasting = ["stop"];
  context().commit({ n: 1 }, "one");
  await settled();
  context().set({ chosen: "b" });
  await settled();
  assert.equal(did.saved, 1);
  context().set({ stop: 6 });
  await settled();
  assert.equal(did.saved, 2);
  context().set({ chosen: "c" });
  await settled();
  assert.equal(did.saved, 2);
});
