/** Messages for files of the start that are missing, truncated, damaged or replaced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { FIRST, LATER } from "../../web/engine/download-sizes.js";

const KERNEL = Uint8Array.from([0, 97, 115, 109, 1, 0, 0, 0]);
const LIBRARY = gzipSync("the standard library");
Object.assign(FIRST, { "kernel.wasm": KERNEL.length, "pyodide/lib.bin": LIBRARY.length, "a.json": 2 });
Object.assign(LATER, { "data/numbers.bin": 4 });

/** The site's response by file name, or a network error. */
const site = new Map();
globalThis.fetch = async (resource) => {
  const name = String(resource).replace(/^.*\/web\//, "");
  const answer = site.get(name) ?? site.get("*");
  if (answer instanceof Error) throw answer;
  return answer?.() ?? new Response("Not found", { status: 404 });
};
const { CannotStart, Download, whyNotRun } = await import("../../web/engine/download.js");

const sent =
  (bytes, type = "application/octet-stream", status = 200) =>
  () =>
    new Response(bytes, { status, headers: { "Content-Type": type } });

/** A stream that ends with an error after its first bytes. */
const broken = () =>
  new Response(
    new ReadableStream({
      start: (out) => out.enqueue(KERNEL.slice(0, 4)),
      pull: (out) => out.error(new TypeError("network error")),
    }),
    { headers: { "Content-Type": "application/wasm" } },
  );

/** The error message of a file of the start. */
async function sentence(name, answer) {
  site.clear();
  site.set(name, answer);
  const files = new Download(() => {});
  const [one, whole] = await Promise.allSettled([files.bytes(name), files.failed]);
  assert.ok(one.reason instanceof CannotStart, "the file itself is refused");
  assert.ok(whole.reason instanceof CannotStart, "`failed` rejects too");
  return one.reason.message;
}

test("a wrong file of the start is named with the reason", async () => {
  const cases = [
    ["kernel.wasm", undefined, /^kernel\.wasm could not be fetched: the site answers 404\. Upload every file/],
    ["kernel.wasm", sent("", "text/plain", 503), /answers 503\. Try again/],
    ["kernel.wasm", new TypeError("Failed to fetch"), /^kernel\.wasm could not be fetched \(Failed to fetch\)\. Are you offline\?/],
    ["kernel.wasm", sent("<!doctype html>", "text/html; charset=utf-8"), /^The site sends something else instead of kernel\.wasm \(text\/html/],
    ["kernel.wasm", sent(KERNEL.slice(0, 5)), /^kernel\.wasm was cut short: 5 of 8 bytes\./],
    ["kernel.wasm", sent(new Uint8Array(11)), /^kernel\.wasm is of another build: 11 bytes instead of 8\./],
    ["kernel.wasm", broken, /^The connection broke while kernel\.wasm was downloaded \(network error\)\. Try again\./],
    ["pyodide/lib.bin", sent(LIBRARY.slice(0, 9)), /^pyodide\/lib\.bin was cut short/],
    ["pyodide/lib.bin", sent(new Uint8Array(LIBRARY.length)), /^pyodide\/lib\.bin is damaged/],
  ]; // biome-ignore format: a table
  for (const [name, answer, said] of cases) assert.match(await sentence(name, answer), said);
});

test("a start counts the bytes of its own files, loads two at a time and passes each on once", async () => {
  site.clear();
  for (const [name, bytes] of [["kernel.wasm", KERNEL], ["pyodide/lib.bin", LIBRARY], ["a.json", "{}"]]) site.set(name, sent(bytes)); // biome-ignore format: a table
  site.set("data/numbers.bin", sent(gzipSync("")));
  const counted = [];
  const files = new Download(() => counted.push(files.done));
  files.begin(Object.keys(FIRST));
  const kernel = await files.get("kernel.wasm");
  assert.equal(kernel.headers.get("Content-Type"), "application/wasm", "whatever type the host sends");
  assert.deepEqual(new Uint8Array(await kernel.arrayBuffer()), KERNEL);
  // Archives come packed under another name; they are unpacked, also when Pyodide asks for them.
  const library = await files.fetch(new URL("../../web/pyodide/lib.whl", import.meta.url).href);
  assert.equal(await library.text(), "the standard library");
  assert.equal(
    await (await files.fetch(new Request(new URL("../../web/a.json", import.meta.url)))).text(),
    "{}",
  );
  assert.equal(files.done, files.total);
  assert.deepEqual(
    counted,
    [...counted].sort((a, b) => a - b),
  );
  assert.deepEqual(await files.bytes("kernel.wasm"), KERNEL, "a second request fetches it again");
  assert.equal(
    (await files.fetch("https://example.org/other.js")).status,
    404,
    "other addresses are passed to fetch",
  );
});

test("a script that fails is requested again and reported with the site's response", async () => {
  site.clear();
  site.set("*", sent("", "text/javascript; charset=utf-8"));
  assert.equal(await whyNotRun("engine/boot.js"), "");
  const cases = [
    [sent("", "text/plain", 404), /^engine\/boot\.js could not be fetched: the site answers 404/],
    [sent("<!doctype html>", "text/html"), /^The site sends something else instead of engine\/boot\.js/],
    [sent("", "application/octet-stream"), /^The site sends engine\/boot\.js as “application\/octet-stream”/],
    [new TypeError("offline"), /^engine\/boot\.js could not be fetched \(offline\)/],
  ];
  for (const [answer, said] of cases) {
    site.set("engine/boot.js", answer);
    assert.match(await whyNotRun("engine/worker.js", "engine/boot.js"), said);
  }
});
