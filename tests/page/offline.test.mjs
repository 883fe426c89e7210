/** What a later visit starts sooner with is fetched, but not over a line that is to be spared. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keepOffline } from "../../web/session/offline.js";

/** What the service worker is told on a line that saves data, or does not, or says nothing of it. */
async function told(connection) {
  const messages = [];
  const active = { postMessage: (message) => messages.push(message) };
  const registration = { waiting: null, addEventListener: () => {} };
  const serviceWorker = { register: async () => registration, ready: Promise.resolve({ active }) };
  Object.defineProperty(globalThis, "navigator", {
    value: { serviceWorker, connection },
    configurable: true,
  });
  let kept = false;
  await keepOffline({
    onKept: () => {
      kept = true;
    },
  });
  assert.ok(kept);
  return messages;
}

test("the image of Python's memory is fetched unless the browser saves data", async () => {
  assert.deepEqual(await told(undefined), ["start sooner"]);
  assert.deepEqual(await told({ saveData: false }), ["start sooner"]);
  assert.deepEqual(await told({ saveData: true }), []);
});
