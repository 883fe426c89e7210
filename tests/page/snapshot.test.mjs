/**
 * What Python starts from on the page: the snapshot of its memory, read, refused and put back, and Pyodide's module
 * as a first visit gets it, with stubs for functions that no recorded run calls.
 */
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { keptBy, probe, profileOf, withoutTables, withStubs } from "../../wasm_build/site/thin.mjs";
import * as wasm from "../../wasm_build/site/wasm.mjs";
import { install, MAGIC, readSnapshot, restoreSnapshot, withLibrary } from "../../web/engine/snapshot.js";
import { zip } from "./fakes.mjs";

const ENTRIES = [
  ["msgspec/_core.so", "library ".repeat(50), true],
  ["msgspec/__init__.py", "code", false],
  ["empty.txt", "", false],
];

/** A snapshot of runs [from, bytes] in a memory of that many bytes. */
function snapshot(memory, head, runs, { magic = MAGIC, lose = 0 } = {}) {
  let before = 0;
  const steps = runs.map(([from, bytes]) => {
    const step = from - before;
    before = from + bytes.length;
    return step;
  });
  const words = [magic, memory, head.length, runs.length];
  const index = [...steps, ...runs.map(([, bytes]) => bytes.length)];
  const file = Buffer.concat([
    Buffer.from(Uint32Array.from(words).buffer),
    Buffer.from(head),
    Buffer.from(Uint32Array.from(index).buffer),
    ...runs.map(([, bytes]) => Buffer.from(bytes)),
  ]);
  return new Uint8Array(file.subarray(0, file.length - lose)).buffer;
}

test("wheels are unpacked into Python's path, except for existing files", async () => {
  const [files, folders] = [{}, new Set()];
  const FS = {
    mkdirTree: (path) => folders.add(path),
    writeFile: (path, bytes) => {
      files[path] = Buffer.from(bytes).toString();
    },
  };
  await install(FS, [zip(ENTRIES)], (name) => name.endsWith(".so"));
  const home = "/lib/python3.14/site-packages";
  assert.deepEqual(files, { [`${home}/msgspec/__init__.py`]: "code", [`${home}/empty.txt`]: "" });
  assert.deepEqual(folders, new Set([`${home}/msgspec`, home]));
});

test("the library is copied into a table of fixed length before the runtime starts", async () => {
  const events = [];
  const module = {
    wasmTable: { length: 6000, grow: (by) => events.push(["table", by]) },
    preloadedWasm: {},
    addRunDependency: () => events.push("waits"),
    removeRunDependency: () => events.push("goes on"),
    loadWebAssemblyModule: async (bytes, how, path) => `${bytes.length} ${how.nodelete} ${path}`,
  };
  const settings = { preRun: [] };
  withLibrary(settings, zip(ENTRIES), () => events.push("seen"));
  await settings.preRun[0](module);
  assert.deepEqual(events, ["waits", "seen", ["table", 16384 - 6000], "goes on"]);
  const path = "/lib/python3.14/site-packages/msgspec/_core.so";
  assert.deepEqual(module.preloadedWasm, { [path]: `400 true ${path}` });
});

test("a memory snapshot replaces the memory, which grows if it is too small", () => {
  const { head, ...rest } = readSnapshot(
    snapshot(
      12,
      [1, 2, 3, 4],
      [
        [1, [7, 8]],
        [10, [9]],
      ],
    ),
  );
  assert.deepEqual([...head], [1, 2, 3, 4]);
  const module = {
    HEAPU8: new Uint8Array(8).fill(5),
    growMemory: (size) => {
      module.HEAPU8 = new Uint8Array(size).fill(6);
    },
  };
  restoreSnapshot(module, Uint8Array.from([1, 1, 1, 1]), rest);
  assert.deepEqual([...module.HEAPU8], [1, 7, 8, 1, 0, 0, 0, 0, 0, 0, 9, 0]);
});

test("truncated files and files of another kind are refused", () => {
  const runs = [[1, [7, 8]]];
  assert.throws(() => readSnapshot(snapshot(4, [1, 2, 3, 4], runs, { magic: 5 })), /not a snapshot/);
  assert.throws(() => readSnapshot(snapshot(4, [1, 2, 3, 4], runs, { lose: 1 })), /cut short/);
  assert.throws(() => readSnapshot(new ArrayBuffer(8)), RangeError);
});

// (import "e" "log" (func (param i32)))  (global i32 7)
// (func (export "a") (result i32) i32.const 1)
// (func (export "b") (result i32) (local i64) i32.const 2 call $log i32.const 100000 i32.const 3 i32.add)
const SMALL = Buffer.from(
  "0061736d0100000001090260017f00" + // types
    "6000017f" +
    "0209010165036c6f670000" + // imports
    "0303020101" + // functions
    "0606017f0041070b" + // globals
    "070902016100010162" + "0002" + // exports
    "0a160204" + "0041010b" + "0f" + "01017e" + "4102" + "1000" + "41a08d06" + "4103" + "6a" + "0b",
  "hex",
); // biome-ignore format: sections
const instantiate = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes, { e: { log() {} } });
  return instance.exports;
};

test("the function that no run has called becomes a stub that traps and sets the flag; others are unchanged", async () => {
  const whole = await instantiate(SMALL);
  assert.deepEqual([whole.a(), whole.b()], [1, 100_003]);
  const thin = await instantiate(withStubs(SMALL, new Set([0])));
  assert.deepEqual([thin.a(), thin.missed.value], [1, 0]);
  assert.throws(() => thin.b(), WebAssembly.RuntimeError);
  assert.equal(thin.missed.value, 1);
  const probed = await instantiate(probe(SMALL));
  assert.deepEqual([probed.b(), probed.ran0.value], [100_003, 2]);
  assert.deepEqual([probed.a(), probed.ran0.value], [1, 3]);
});

test("the built module has every function of the profile, and no kept function can reach an emptied table", () => {
  const whole = fs.readFileSync("node_modules/pyodide/pyodide.asm.wasm");
  const profile = fs.readFileSync("wasm_build/site/runtime-profile.txt", "utf8");
  const kept = keptBy(whole, profile);
  assert.equal(profileOf(whole, kept), profile);
  assert.throws(() => keptBy(SMALL, profile), /recorded with another Pyodide/);
  const thin = withStubs(withoutTables(whole, kept), kept);
  const [before, after] = [wasm.bodies(whole), wasm.bodies(thin)];
  const stays = before.map(({ at, end }, i) =>
    whole.subarray(at, end).equals(thin.subarray(after[i].at, after[i].end)),
  );
  assert.ok([...kept].every((i) => stays[i]));
  assert.ok(stays.filter((same) => !same).length > 8000);
  // One more function of the codecs or of unicodedata, and their tables would have to stay.
  const { functions } = wasm.imported(whole);
  for (const name of ["PyInit__codecs_jp", "PyInit_unicodedata"]) {
    const { index } = wasm.exports(whole).find((one) => one.name === name);
    assert.throws(() => withoutTables(whole, new Set([...kept, index - functions])), /may read the table/);
  }
});
