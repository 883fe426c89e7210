/** The engine's client, the worker's turns, and the start of Python, each with a fake of the other side. */
import assert from "node:assert/strict";
import { register } from "node:module";
import { beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { FIRST, LATER } from "../../web/engine/download-sizes.js";
import { FakeWorker, workers, zip } from "./fakes.mjs";

const KERNEL = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 10, 1, 6, 109, 101, 109, 111, 114, 121, 2, 0]); // biome-ignore format: a module with a memory
Object.assign(FIRST, { "kernel.wasm": KERNEL.length });
const ASK = { desk: "code", want: "advise", position: { clues: [] }, options: {} };
// A module with a mutable global `missed`, as Pyodide's is built (wasm_build/site/thin.mjs).
const RUNTIME = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0, 6, 6, 1, 127, 1, 65, 0, 11, 7, 10, 1, 6, 109, 105, 115, 115, 101, 100, 3, 0]); // biome-ignore format: a module
const PACKED = gzipSync(RUNTIME);
const PACKED_WHOLE = gzipSync(RUNTIME, { level: 0 });
const RACK = gzipSync(zip([["cluewise/desks/rack/board.pyc", "code", false]]));
const WHOLE = "pyodide/pyodide.asm.bin";
Object.assign(FIRST, { "pyodide/runtime.bin": PACKED.length });
Object.assign(LATER, { [WHOLE]: PACKED_WHOLE.length, "pyodide/cluewise-rack.bin": RACK.length });
const KNOWN = {
  [JSON.stringify(["advise", { clues: [] }, {}])]: { result: 7, arrays: { costs: ["h", "AQACAA=="] } },
};
const MODULES = {
  "/known/code.js": `export default ${JSON.stringify(KNOWN)}`,
  "/pyodide/pyodide.js": "export const loadPyodide = (settings) => globalThis.loadPyodide(settings)",
  "/pyodide/pyodide.asm.js": "export default () => {}",
};
const HOOK = `const modules = ${JSON.stringify(MODULES)};
export const resolve = (name, context, next) => {
  const found = Object.keys(modules).find((end) => name.endsWith(end));
  return found ? { url: "data:text/javascript," + encodeURIComponent(modules[found]), shortCircuit: true } : next(name, context);
};`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

const READY = { type: "ready", desks: ["code"], version: "0.1.0" };
const asks = (worker) => worker.asks;
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const site = new Map();
Object.assign(globalThis, {
  Worker: FakeWorker,
  window: { setInterval: () => 0, setTimeout },
  self: { origin: "https://example.org" },
  fetch: async (resource) =>
    site.get(String(resource).replace(/^.*\/web\//, ""))?.() ?? new Response("", { status: 404 }),
});
/** The host's response with those bytes. */
const sent = (data) => () => new Response(data, { headers: { "Content-Type": "application/octet-stream" } });
site.set("pyodide/runtime.bin", sent(PACKED));
site.set(WHOLE, sent(PACKED_WHOLE));
site.set("pyodide/cluewise-rack.bin", sent(RACK));
const { createEngine } = await import("../../web/engine/client.js");

const { instantiateStreaming } = WebAssembly;
beforeEach(() => {
  WebAssembly.instantiateStreaming = instantiateStreaming; // a start replaces it in its own worker
  workers.length = 0;
  FakeWorker.refused = false;
});

/** An engine whose worker is ready, and the worker. */
async function ready() {
  const engine = createEngine({ workers: 1 });
  workers[0].emit(READY);
  assert.deepEqual(await engine.ready, { desks: ["code"], version: "0.1.0" });
  return { engine, worker: workers[0] };
}

test("a request sent before Python is ready is posted later; its answer includes arrays and progress", async () => {
  const engine = createEngine({ workers: 2 });
  const seen = [];
  const job = engine.ask(
    { ...ASK, want: "remaining" },
    { onProgress: (progress) => seen.push(progress.done) },
  );
  assert.deepEqual(asks(workers[0]), []);
  workers[0].emit(READY);
  const [{ id, ...asked }] = asks(workers[0]);
  assert.deepEqual(asked, { type: "ask", ...ASK, want: "remaining", workers: 2 });
  workers[0].emit({ type: "progress", id, done: 3, total: 9, note: "", best: null });
  workers[0].emit({ type: "result", id, result: 5, arrays: { a: [1] } });
  assert.deepEqual([await job.promise, seen], [{ result: 5, arrays: { a: [1] } }, [3]]);
});

test("precomputed answers are available without Python, with their arrays decoded", async () => {
  const engine = createEngine({ workers: 1 });
  const { result, arrays } = await engine.ask(ASK).promise;
  assert.deepEqual([result, [...arrays.costs]], [7, [1, 2]]);
  assert.deepEqual(asks(workers[0]), []);
});

test("a fault has kind and path; a cancelled request is settled at once and cancelled in the worker", async () => {
  const { engine, worker } = await ready();
  const bad = engine.ask(ASK);
  worker.emit({
    type: "error",
    id: asks(worker)[0].id,
    kind: "bad_position",
    message: "No.",
    where: "$.clues[0]",
  });
  await assert.rejects(bad.promise, {
    name: "Fault",
    kind: "bad_position",
    where: "$.clues[0]",
    message: "No.",
  });
  const job = engine.ask(ASK);
  job.cancel();
  await assert.rejects(job.promise, { kind: "stopped" });
  assert.deepEqual(worker.posted.at(-1), { type: "cancel", id: asks(worker)[1].id });
});

test("a worker that crashes is replaced and its request repeated; after two crashes the request fails", async () => {
  const { engine, worker } = await ready();
  const job = engine.ask(ASK);
  const dies = (one) => one.onerror({ preventDefault() {}, message: "Out of memory." });
  dies(worker);
  assert.equal(worker.terminated, true);
  workers[1].emit(READY);
  assert.equal(asks(workers[1]).length, 1);
  dies(workers[1]);
  await assert.rejects(job.promise, /stopped the worker twice\. Out of memory\./);
  assert.equal(workers.length, 3);
});

test("a manual restart repeats the pending requests", async () => {
  const { engine, worker } = await ready();
  const job = engine.ask({ ...ASK, want: "remaining" });
  engine.restart();
  assert.equal(worker.terminated, true);
  workers[1].emit(READY);
  workers[1].emit({ type: "result", id: asks(workers[1])[0].id, result: 9 });
  assert.equal((await job.promise).result, 9);
});

test("a failed start is reported with its reason, and the next request tries again", async () => {
  const phases = [];
  const engine = createEngine({ workers: 1, onPhase: ({ name, message }) => phases.push([name, message]) });
  await settled();
  workers[0].emit({ type: "phase", name: "failed", done: 0, total: 1, message: "No memory." });
  await assert.rejects(engine.ready, /No memory\./);
  assert.deepEqual(phases.at(-1), ["failed", "No memory."]);
  const job = engine.ask({ ...ASK, want: "remaining" });
  workers[1].emit(READY);
  workers[1].emit({ type: "result", id: asks(workers[1])[0].id, result: 1 });
  assert.equal((await job.promise).result, 1);
});

test("a worker script that does not run is named", async () => {
  const engine = createEngine({ workers: 1 });
  workers[0].onerror({ preventDefault() {}, message: "" });
  await assert.rejects(
    engine.ready,
    /^Fault: engine\/worker\.js could not be fetched: the site answers 404\./,
  );
});

test("if workers are blocked, the reason is shown, and in a sandboxed frame what to do", async () => {
  FakeWorker.refused = true;
  await assert.rejects(createEngine({ workers: 1 }).ready, /did not start a worker/);
  self.origin = "null";
  await assert.rejects(createEngine({ workers: 1 }).ready, /Open the page outside the frame\./);
  self.origin = "https://example.org";
});

test("a lazy engine starts when a desk is prepared, and its worker gets the desk's name", async () => {
  const engine = createEngine({ workers: 1, lazy: true });
  await settled();
  assert.deepEqual(workers, []);
  engine.prepare("rack");
  engine.begin();
  assert.deepEqual([workers.length, workers[0].name], [1, "rack"]);
  workers[0].emit(READY);
  assert.deepEqual(await engine.ready, { desks: ["code"], version: "0.1.0" });
});

test("the page compiles Pyodide once for all workers; a missing function loads the whole module and repeats the request", async (t) => {
  const compiled = t.mock.method(WebAssembly, "compileStreaming");
  const warned = t.mock.method(console, "info", () => {});
  const moduleOf = async (worker) => {
    while (!worker.posted.some(({ type }) => type === "runtime")) await settled();
    return worker.posted.find(({ type }) => type === "runtime").module;
  };
  const { engine, worker } = await ready();
  createEngine({ workers: 1 });
  assert.equal(await moduleOf(worker), await moduleOf(workers[1]));
  const job = engine.ask({ ...ASK, want: "remaining" });
  worker.emit({ type: "missed" });
  const [, , next] = workers;
  assert.equal(worker.terminated, true);
  assert.notEqual(await moduleOf(next), await moduleOf(worker));
  next.emit(READY);
  const [{ id, want }] = asks(next);
  next.emit({ type: "result", id, result: 5 });
  assert.deepEqual([want, (await job.promise).result], ["remaining", 5]);
  assert.equal(warned.mock.callCount(), 1);
  // A missing function of the start itself: `ready` then waits for the second worker.
  const starting = createEngine({ workers: 1 });
  const first = starting.ready;
  workers.at(-1).emit({ type: "missed" });
  workers.at(-1).emit(READY);
  assert.deepEqual(await first, { desks: ["code"], version: "0.1.0" });
  // Every later worker gets the whole module.
  const count = compiled.mock.callCount();
  createEngine({ workers: 1 });
  assert.equal(await moduleOf(workers.at(-1)), await moduleOf(next));
  assert.equal(compiled.mock.callCount(), count);
});

// The start of Python ------------------------------------------------------------------------------

const { boot } = await import("../../web/engine/boot.js");

/** A site with correct files, except for `files`. */
function hosted(files = {}) {
  const right = { "kernel.wasm": KERNEL };
  for (const [name, data] of Object.entries({ ...right, ...files }))
    site.set(name, data === null ? undefined : sent(data));
}

test("Python starts in parallel with the kernel and reports progress", async () => {
  hosted();
  const registered = {};
  globalThis.loadPyodide = async ({ lockFileContents }) => ({
    packages: JSON.parse(lockFileContents).packages,
    registerJsModule: (name, module) => (registered[name] = module),
    pyimport: () => ({ JobRunner: () => "jobs", ready: () => "ready" }),
  });
  const steps = [];
  const { py, jobs, ready: text } = await boot((name, done, total) => steps.push([name, done <= total]));
  assert.deepEqual([py.packages, jobs, text], [{}, "jobs", "ready"]);
  assert.equal(registered.cluewise_kernel.view.length, 65_536);
  assert.deepEqual(
    [steps[0], steps.at(-1)],
    [
      ["loading", true],
      ["starting", true],
    ],
  );
});

test("a missing or damaged kernel ends the start with the file's name", async () => {
  globalThis.loadPyodide = () => new Promise(() => {}); // as Pyodide does when something is wrong
  hosted({ "kernel.wasm": null });
  await assert.rejects(
    boot(() => {}),
    /^Error: kernel\.wasm could not be fetched: the site answers 404/,
  );
  WebAssembly.instantiateStreaming = instantiateStreaming;
  hosted({ "kernel.wasm": new Uint8Array(KERNEL.length) });
  await assert.rejects(
    boot(() => {}),
    /^Error: kernel\.wasm is damaged, or this browser is too old for it/,
  );
});

test("a browser without WebAssembly, permission or memory for it gets a message", async (t) => {
  t.mock.method(WebAssembly, "Memory", () => {
    throw new RangeError("out of memory");
  });
  await assert.rejects(
    boot(() => {}),
    /too little free memory: Python needs about 100 MB/,
  );
  t.mock.method(WebAssembly, "Module", () => {
    throw new Error("refused");
  });
  await assert.rejects(
    boot(() => {}),
    /lacks 'wasm-unsafe-eval'/,
  );
  const whole = globalThis.WebAssembly;
  globalThis.WebAssembly = undefined;
  await assert.rejects(
    boot(() => {}),
    /This browser has no WebAssembly/,
  );
  globalThis.WebAssembly = whole;
});

// The worker ---------------------------------------------------------------------------------------

const did = [];
const posted = [];
const worker = {};
const ask = (id, turns, more = {}) =>
  worker.send({ data: { type: "ask", id, turns, desk: "code", want: "x", ...more } });
const send = (message) => worker.send({ data: message });

/** Starts the worker's script once, with a fake Python that records its turns. */
async function startWorker() {
  hosted();
  const left = new Map();
  const jobs = {
    begin: (text) => {
      const { id, turns } = JSON.parse(text);
      left.set(id, turns);
      return id;
    },
    step: (id) => {
      did.push(id);
      left.set(id, left.get(id) - 1);
      return left.get(id) ? undefined : JSON.stringify({ type: "result", id, result: id });
    },
    cancel: () => undefined,
    arrays: (id) => {
      const item = { getBuffer: () => ({ data: new Int16Array([id]), release() {} }), destroy() {} };
      return Object.assign(new Map([["a", item]]), { destroy() {} });
    },
    prepare: (desk) => did.push(desk),
    lend: (id) => did.push(`lent ${id}`),
    give: () => {},
    due: (id) => JSON.stringify(left.get(id) === 1 ? [{ type: "waits", id }] : []),
  };
  globalThis.loadPyodide = async () => {
    const { instance } = await WebAssembly.instantiateStreaming();
    worker.missed = instance.exports.missed;
    return {
      FS: { mkdirTree() {}, writeFile() {} },
      registerJsModule() {},
      pyimport: () => ({ JobRunner: () => jobs, ready: () => JSON.stringify(READY) }),
    };
  };
  globalThis.self = { postMessage: (message) => posted.push(message) };
  const Channel = globalThis.MessageChannel;
  const ports = [];
  globalThis.MessageChannel = class {
    constructor() {
      const other = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
      Object.assign(this, { port1: {}, port2: other });
      ports.push(this);
    }
  };
  await import("../../web/engine/worker.js");
  worker.send = globalThis.self.onmessage;
  worker.send({ data: { type: "runtime", module: new WebAssembly.Module(RUNTIME) } });
  while (!posted.some(({ type }) => type === "ready")) await settled();
  globalThis.MessageChannel = Channel;
}

test("the worker runs the newest request first, then requests already started, and no cancelled one", async () => {
  await startWorker();
  send({ type: "prepare", desk: "code" });
  ask(1, 2);
  ask(2, 2);
  ask(3, 1, { in_turn: true });
  ask(4, 9);
  send({ type: "cancel", id: 4 });
  while (posted.filter(({ type }) => type === "result").length < 3) await settled();
  assert.deepEqual(did, ["code", 2, 2, 1, 1, 3]);
  assert.deepEqual(posted.filter(({ type }) => type === "result").map(({ id, arrays }) => [id, [...arrays.a]]), [[2, [2]], [1, [1]], [3, [3]]]); // biome-ignore format: answers
  // A question whose tasks other workers do waits for their results, then continues.
  ask(5, 2, { workers: 2 });
  send({ type: "hand", id: 5 });
  await settled();
  assert.deepEqual(did.slice(6), ["lent 5", 5]);
  send({ type: "given", id: 5, number: 1, value: 1 });
  await settled();
  assert.equal(posted.at(-1).id, 5);
});

test("a request to a desk without modules fetches them and can be cancelled meanwhile", async () => {
  ask(6, 1, { desk: "rack" });
  ask(7, 1, { desk: "rack" });
  send({ type: "cancel", id: 6 });
  assert.deepEqual([posted.at(-1).kind, posted.at(-1).id], ["stopped", 6]);
  while (posted.at(-1).id !== 7 || posted.at(-1).type !== "result") await settled();
  assert.deepEqual([did.at(-1), did.includes(6)], [7, false]);
});

test("no result is posted after a missing function was called", async () => {
  ask(8, 1);
  worker.missed.value = 1;
  await settled();
  send({ type: "ping" });
  assert.deepEqual([did.at(-1), posted.at(-1)], [8, { type: "missed" }]);
  assert.equal(posted.filter(({ id, type }) => id === 8 || type === "missed").length, 1);
});
