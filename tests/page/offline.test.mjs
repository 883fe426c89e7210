/** The files of a faster next start are prefetched, but not over a connection with Save-Data. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { keepOffline, lookForUpdate } from "../../web/session/offline.js";

/** The messages to the service worker, given the browser's `navigator.connection`. */
async function messagesSent(connection) {
  const messages = [];
  const active = { postMessage: (message) => messages.push(message) };
  const registration = { waiting: null, addEventListener: () => {} };
  const serviceWorker = { register: async () => registration, ready: Promise.resolve({ active }) };
  Object.defineProperty(globalThis, "navigator", {
    value: { serviceWorker, connection },
    configurable: true,
  });
  await keepOffline(() => {});
  return messages;
}

test("the snapshot of Python's memory is fetched unless the browser saves data", async () => {
  assert.deepEqual(await messagesSent(undefined), ["start sooner"]);
  assert.deepEqual(await messagesSent({ saveData: false }), ["start sooner"]);
  assert.deepEqual(await messagesSent({ saveData: true }), []);
});

/** A host with a newer build: `update` finds it, as a browser that is asked for a service worker's script. */
class Host extends EventTarget {
  waiting = null;
  messages = [];

  update = async () => {
    if (this.waiting) return; // the same script is there already
    this.installing = Object.assign(new EventTarget(), {
      postMessage: (message) => this.messages.push(message),
    });
    this.dispatchEvent(new Event("updatefound"));
    this.waiting = Object.assign(this.installing, { state: "installed" });
    this.installing.dispatchEvent(new Event("statechange"));
  };
}

test("a link that needs a newer build offers that build, which is loaded on acceptance", async () => {
  const host = new Host();
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: { postMessage: (message, [port]) => port.postMessage(host.messages.push(message)) },
    register: async () => host,
    getRegistration: async () => host,
    ready: Promise.resolve({ active: null }),
  });
  Object.defineProperty(globalThis, "navigator", { value: { serviceWorker }, configurable: true });
  let loads = 0;
  globalThis.location = { reload: () => loads++ };
  const offers = [];
  const onUpdate = (apply, elsewhere) => offers.push({ apply, elsewhere });
  await keepOffline(onUpdate);
  assert.equal(offers.length, 0);
  await lookForUpdate(onUpdate); // the first link with a field that this build does not know
  assert.equal(offers.length, 1);
  await lookForUpdate(onUpdate); // a second one, while the newer build waits
  assert.equal(offers.length, 2);
  assert.deepEqual([loads, host.messages], [0, []], "nothing is loaded unasked");
  await offers[1].apply();
  assert.deepEqual(host.messages, ["stop downloads", "take over"]);
  serviceWorker.dispatchEvent(new Event("controllerchange"));
  assert.equal(loads, 1);
  assert.ok(offers.every(({ elsewhere }) => !elsewhere));
});

/**
 * The service worker's answer to a request without a network; undefined if it leaves it to the browser.
 * @param stored bodies in its cache by address
 */
function answerOffline(request, stored = {}) {
  const handlers = {};
  const bodies = new Map(Object.entries(stored));
  const cache = {
    match: async (address) => (bodies.has(address) ? new Response(bodies.get(address)) : undefined),
    put: async (address, response) => bodies.set(address, await response.arrayBuffer()),
    keys: async () => [],
  };
  const parts = {
    self: {
      location: { href: "https://site.example/play/sw.js" },
      addEventListener: (name, run) => Object.assign(handlers, { [name]: run }),
    },
    caches: { open: async () => cache, keys: async () => [] },
    fetch: async () => {
      throw new TypeError("Failed to fetch");
    },
    indexedDB: undefined, // forbidden: the caches alone must do
  };
  const source = readFileSync(new URL("../../web/sw.js", import.meta.url), "utf8");
  const files = '{"docs/theory.html": "00", "app.js": "11", "pyodide/pyodide.asm.bin": "22"}';
  new Function(...Object.keys(parts), source.replace("/* PRECACHE */ {}", files))(...Object.values(parts));
  let answer;
  handlers.fetch({ request: { method: "GET", ...request }, respondWith: (given) => (answer = given) });
  return answer;
}

const SITE = "https://site.example/play/";

test("offline, a page that is not cached is answered with the site's own page and a link home", async () => {
  for (const name of ["docs/theory.html", "docs/never-heard-of.html", "some/folder/"]) {
    const response = await answerOffline({ url: SITE + name, mode: "navigate", destination: "document" });
    const text = await response.text();
    assert.match(response.headers.get("content-type"), /^text\/html/);
    assert.match(text, /Not available offline/);
    assert.ok(text.includes(`href="${SITE}index.html"`));
  }
});

test("offline, a missing picture has a placeholder, and a missing script fails normally", async () => {
  const picture = { url: `${SITE}docs/pictures/code.webp`, mode: "no-cors", destination: "image" };
  assert.match(await (await answerOffline(picture)).text(), /<svg[\s\S]*not available offline/);
  const script = { url: `${SITE}app.js`, mode: "cors", destination: "script" };
  await assert.rejects(answerOffline(script), TypeError);
  assert.equal(answerOffline({ ...picture, url: "https://site.example/other/a.png" }), undefined);
});

test("Pyodide's module is answered gzipped as the console reads it, and unpacked as .wasm", async () => {
  const address = `${SITE}pyodide/pyodide.asm`;
  const stored = { [`${address}.bin`]: gzipSync("module") };
  const answer = async (ending) => (await answerOffline({ url: address + ending }, stored)).arrayBuffer();
  assert.deepEqual(Buffer.from(await answer(".bin")), stored[`${address}.bin`]);
  assert.equal(Buffer.from(await answer(".wasm")).toString(), "module");
});
