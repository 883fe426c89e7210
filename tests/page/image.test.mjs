/** The image of Python's memory: what it is read from, what is refused, how it is put back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { install, MAGIC, read, restore, withLibrary } from "../../web/engine/image.js";
import { zip } from "./stand-ins.mjs";

const ENTRIES = [
  ["msgspec/_core.so", "library ".repeat(50), true],
  ["msgspec/__init__.py", "code", false],
  ["empty.txt", "", false],
];

/** An image of runs [from, bytes] in a memory of that many bytes. */
function image(memory, head, runs, { magic = MAGIC, lose = 0 } = {}) {
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

test("wheels are laid where Python looks, but for what is there", async () => {
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

test("the library is loaded into a table of one length before the runtime begins", async () => {
  const told = [];
  const module = {
    wasmTable: { length: 6000, grow: (by) => told.push(["table", by]) },
    preloadedWasm: {},
    addRunDependency: () => told.push("waits"),
    removeRunDependency: () => told.push("goes on"),
    loadWebAssemblyModule: async (bytes, how, path) => `${bytes.length} ${how.nodelete} ${path}`,
  };
  const settings = { preRun: [] };
  withLibrary(settings, zip(ENTRIES), () => told.push("seen"));
  await settings.preRun[0](module);
  assert.deepEqual(told, ["waits", "seen", ["table", 16384 - 6000], "goes on"]);
  const path = "/lib/python3.14/site-packages/msgspec/_core.so";
  assert.deepEqual(module.preloadedWasm, { [path]: `400 true ${path}` });
});

test("a memory is put back over what it was, and grows where it is too small", () => {
  const { head, ...rest } = read(
    image(
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
  restore(module, Uint8Array.from([1, 1, 1, 1]), rest);
  assert.deepEqual([...module.HEAPU8], [1, 7, 8, 1, 0, 0, 0, 0, 0, 0, 9, 0]);
});

test("what is no image, or not all of one, is refused", () => {
  const runs = [[1, [7, 8]]];
  assert.throws(() => read(image(4, [1, 2, 3, 4], runs, { magic: 5 })), /no image/);
  assert.throws(() => read(image(4, [1, 2, 3, 4], runs, { lose: 1 })), /cut short/);
  assert.throws(() => read(new ArrayBuffer(8)), RangeError);
});
