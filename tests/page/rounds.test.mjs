/** What one click does: one round of questions, one record, one drawing, however many changes it makes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { History } from "../../web/session/history.js";
import { Questions } from "../../web/session/questions.js";

globalThis.location ??= { hash: "" };
globalThis.document ??= { documentElement: { dataset: {} } };
globalThis.window ??= globalThis;
globalThis.history ??= { replaceState() {} };
const { contextOf } = await import("../../web/shell/context.js");
const { RequestQueue } = await import("../../web/shell/requests.js");

/** A page in the middle of a game, and what it has been asked to do. */
function openPage() {
  const did = { wants: [], kept: 0, drawn: 0 };
  const page = {
    wants(position, view) {
      did.wants.push([position.n, view.chosen]);
      return { advise: { want: "advise", position } };
    },
  };
  const state = { desk: "code", page, history: History.begin("code", { n: 0 }), view: { chosen: "a" } };
  Object.assign(state, { phase: { name: "ready" }, embed: false, fragment: "" });
  const keeping = { keep: async () => Boolean(++did.kept) };
  const engine = { ask: () => ({ promise: new Promise(() => {}), cancel: () => {} }) };
  const questions = new Questions(engine, () => {});
  const rounds = new RequestQueue(state, { questions, keeping, redraw: () => did.drawn++, notice: () => {} });
  return { did, state, context: () => contextOf(state, { engine, questions, rounds }) };
}
const settled = () => new Promise((done) => setTimeout(done, 0));

test("a step and the view that goes with it are one round", async () => {
  const { did, state, context } = openPage();
  context().commit({ n: 1 }, "one", { view: { chosen: "" } });
  await settled();
  assert.deepEqual(did, { wants: [[1, ""]], kept: 1, drawn: 1 });
  assert.deepEqual([state.history.position, state.view], [{ n: 1 }, { chosen: "" }]);
});

test("several changes of one click are one round as well, and nothing in between is asked", async () => {
  const { did, context } = openPage();
  const hands = context();
  hands.set({ chosen: "b" });
  hands.commit({ n: 1 }, "one");
  hands.set({ chosen: "c" });
  await settled();
  assert.deepEqual(did, { wants: [[1, "c"]], kept: 1, drawn: 1 });
});

test("an answer that came along with a step is not asked for", async () => {
  const { context } = openPage();
  const request = { want: "advise", position: { n: 1 } };
  context().commit({ n: 1 }, "one", { known: { request, result: "known" } });
  await settled();
  const { advise } = context().replies;
  assert.deepEqual([advise.state, advise.value], ["done", "known"]);
});

test("what lasts beyond the game is kept at once, a view that changes with every key a moment later", async () => {
  const { did, state, context } = openPage();
  state.page.lasting = ["stop"];
  context().commit({ n: 1 }, "one");
  await settled();
  context().set({ chosen: "b" });
  await settled();
  assert.equal(did.kept, 1);
  context().set({ stop: 6 });
  await settled();
  assert.equal(did.kept, 2);
  context().set({ chosen: "c" });
  await settled();
  assert.equal(did.kept, 2);
});
