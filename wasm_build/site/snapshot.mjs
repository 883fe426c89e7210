// Python's memory after its start, with all desks imported: `node site/snapshot.mjs < job.json`.
//
//   {"lock": the site's lock file, "stdlib": zip, "library": wheel, "without": regex of members,
//    "packages": [wheels, the library's among them], "reader": web/engine/snapshot.js, "to": file}
//
// web/engine/snapshot.js says what the file holds and puts it back. The same job gives the same bytes:
// no clock runs, and what should be random is not. Anyone who puts it back seeds anew.
import fs from "node:fs";
import v8 from "node:v8";
import { loadPyodide } from "pyodide";
import createModule from "pyodide/pyodide.asm.mjs";

const NOW = 1580601600000; // 2020-02-02, as everything in the archives
const GAP = 16; // bytes alike that do not end a run

const IMPORTS = `
import gc, importlib, linecache, pkgutil, random, re, sys, typing
# Not importlib.invalidate_caches: it wants importlib.metadata, which the page's library lacks.
sys.path_importer_cache.clear()
import cluewise
from cluewise import desks

# The console has a start of its own; the functions are for programs.
ELSEWHERE = {"__main__", "browser.console", "functions", *desks.available()}
for found in pkgutil.walk_packages(cluewise.__path__, "cluewise."):
    pictures = re.search(r"\\.(pictures|ocr)\\.", found.name)  # they import numpy
    if not pictures and found.name.removeprefix("cluewise.") not in ELSEWHERE:
        importlib.import_module(found.name)
for name in desks.available():
    desks.load(name)

linecache.clearcache()
re.purge()
random.seed(0)
for forget in typing._cleanups:
    forget()
sys.path_importer_cache.clear()
if "zipimport" in sys.modules:
    sys.modules["zipimport"]._zip_directory_cache.clear()
sys._clear_internal_caches()
del ELSEWHERE, found, name, forget
gc.collect()
`;

function stopClocks() {
  const Real = Date;
  globalThis.Date = /** @type {DateConstructor} */ (
    class extends Real {
      constructor(/** @type {any[]} */ ...given) {
        super(.../** @type {[number]} */ (given.length ? given : [NOW]));
      }
      static now() {
        return NOW;
      }
    }
  );
  performance.now = () => 1000;
  crypto.getRandomValues = (array) => {
    if (array) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).fill(7);
    return array;
  };
}

/** Runs of bytes in which two memories differ, as [from, to). @param {Uint8Array} memory @param {Uint8Array} before */
function* differing(memory, before) {
  let [from, last] = [-1, -1];
  for (let i = 0; i < memory.length; i++) {
    if (memory[i] === (before[i] ?? 0)) continue;
    if (from >= 0 && i - last > GAP) yield [from, last + 1];
    if (from < 0 || i - last > GAP) from = i;
    last = i;
  }
  if (from >= 0) yield [from, last + 1];
}

/** @param {Uint8Array} snapshot as Pyodide makes it: its head, then the memory @param {Uint8Array} before @param {number} magic */
function encodeRuns(snapshot, before, magic) {
  const headLength = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1];
  const memory = snapshot.subarray(headLength);
  const runs = [...differing(memory, before)];
  const steps = runs.map(([from], i) => from - (i ? runs[i - 1][1] : 0));
  const words = [magic, memory.length, headLength, runs.length];
  const index = [...steps, ...runs.map(([from, to]) => to - from)];
  return Buffer.concat([
    Buffer.from(Uint32Array.from(words).buffer),
    snapshot.subarray(0, headLength),
    Buffer.from(Uint32Array.from(index).buffer),
    ...runs.map(([from, to]) => memory.subarray(from, to)),
  ]);
}

v8.setFlagsFromString("--wasm-tiering-budget=50000000"); // as in freeze.mjs
const job = JSON.parse(fs.readFileSync(0, "utf8"));
const { MAGIC, STATIC, install, withLibrary } = await import(job.reader);
const wheel = (/** @type {string} */ path) => new Uint8Array(fs.readFileSync(path));
stopClocks();
process.argv.splice(1, process.argv.length - 1, "/lib/python"); // Python keeps it

/** @type {Uint8Array} */
let before = new Uint8Array();
const py = await loadPyodide({
  stdLibURL: job.stdlib,
  lockFileContents: fs.readFileSync(job.lock, "utf8"),
  env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" },
  _makeSnapshot: true,
  _sysExecutable: "/lib/python",
  createPyodideModule: async (/** @type {any} */ settings) => {
    withLibrary(settings, wheel(job.library), (/** @type {any} */ module) => {
      before = module.HEAPU8.slice();
      if (before.subarray(STATIC).some(Boolean)) throw new Error("The runtime's own data have grown.");
    });
    return createModule(settings);
  },
});
// What needs numpy or draws is for the console, which has a start of its own.
const without = new RegExp(`^(?:${job.without})`);
await install(py.FS, job.packages.map(wheel), (name) => without.test(name));
try {
  py.runPython(IMPORTS);
} catch (problem) {
  console.error(problem.message); // Node would print Pyodide's whole script above it
  process.exit(1);
}
fs.writeFileSync(job.to, encodeRuns(py.makeMemorySnapshot(), before, MAGIC));
