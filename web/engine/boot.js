/**
 * Python in a worker: Pyodide, the kernel beside it, and our package, from the files next door.
 *
 * Every way in which this can fail ends in a sentence for people. `loadPyodide` itself never
 * settles when WebAssembly or its memory is refused, so that is tried first, with the smallest
 * module there is and the memory that Python takes; nor when a file of its own does not come or
 * cannot be used, so its files come by way of a Download, and what the browser says is listened to.
 */
import { CannotStart, Download, SITE, whyNotRun } from "./download.js";

export { CannotStart };

/** @typedef {import("pyodide").PyodideAPI} Pyodide */
/** @typedef {(name: "loading" | "starting", done: number, total: number, message: string) => void} Report */
/**
 * @typedef {{getBuffer: () => {data: ArrayBufferView<ArrayBuffer> & {slice: () => ArrayBufferView<ArrayBuffer>}, release: () => void}, destroy: () => void}} PyArray a view of Python's memory
 * @typedef {object} Jobs the class of that name in cluewise/worker.py
 * @property {(text: string) => number} begin
 * @property {(id: number) => string | undefined} step
 * @property {(id: number) => string | undefined} cancel
 * @property {(id: number) => Map<string, PyArray> & {destroy: () => void}} arrays
 * @property {(desk: string) => void} prepare
 * @property {(id: number) => void} lend
 * @property {(text: string) => void} give
 * @property {(id: number) => string} due
 */

const PAGES = 1632; // of 64 KB: 480 with which Python begins, 1152 of the kernel
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const PYODIDE = new URL("pyodide/", SITE).href;
const SCRIPTS = ["pyodide/pyodide.js", "pyodide/pyodide.asm.js"];
const EVERY = 100; // ms between two reports of bytes

/** @param {Report} report @returns {Promise<{py: Pyodide, jobs: Jobs, ready: string}>} */
export async function boot(report) {
  refuseWithoutWebAssembly();
  let due = 0;
  const tell = () => {
    due = 0;
    report("loading", files.done, files.total, "Fetching Python");
  };
  const files = new Download(() => {
    due ||= setTimeout(tell, EVERY);
  });
  tell();
  files.begin();
  const starting = started(files, (...words) => {
    clearTimeout(due);
    report(...words);
  });
  return Promise.race([files.failed, starting]);
}

/** @param {Download} files @param {Report} report */
async function started(files, report) {
  const kernel = instantiateKernel(files);
  kernel.catch(() => {}); // awaited below; a failure until then is not an unhandled one
  const [{ loadPyodide }, { default: createPyodideModule }] = await scripts();
  globalThis.fetch = files.fetch;
  hearRefusals(files);
  const lock = files.get("pyodide/pyodide-lock.json").then((answer) => answer.text());
  /** @type {Pyodide} */
  const py = await loadPyodide({
    indexURL: PYODIDE,
    packageBaseUrl: PYODIDE,
    lockFileContents: lock,
    packages: ["cluewise"],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
    createPyodideModule,
  });
  report("starting", files.total, files.total, "Starting Python");
  py.registerJsModule("cluewise_kernel", await kernel);
  const { Jobs, ready } = py.pyimport("cluewise.worker");
  return { py, jobs: Jobs(), ready: ready() };
}

/** Pyodide's two scripts; a failed import says nothing of why, so the host is asked again. */
async function scripts() {
  try {
    return await Promise.all(SCRIPTS.map((name) => import(new URL(name, SITE).href)));
  } catch (problem) {
    throw new CannotStart((await whyNotRun(...SCRIPTS)) || `Python's own scripts do not run (${problem}).`);
  }
}

/** Pyodide only warns of WebAssembly that cannot be used, and then waits for ever. @param {Download} files */
function hearRefusals(files) {
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    try {
      return await instantiate(answer, imports);
    } catch (problem) {
      throw unusable(files, "pyodide/pyodide.asm.wasm", problem);
    }
  };
}

/** @param {Download} files @param {string} name @param {unknown} problem */
function unusable(files, name, problem) {
  if (problem instanceof CannotStart) return problem;
  return files.fail(
    `${name} is damaged, or this browser is too old for it (${problem}). Try again; a newer browser helps, or uploading that file anew.`,
  );
}

/** The kernel's functions and one view of its memory, which never grows. @param {Download} files */
async function instantiateKernel(files) {
  const name = "kernel.wasm";
  try {
    const { instance } = await WebAssembly.instantiateStreaming(files.get(name));
    const exports = /** @type {WebAssembly.Exports & {memory: WebAssembly.Memory}} */ (instance.exports);
    return { exports, view: new Uint8Array(exports.memory.buffer) };
  } catch (problem) {
    throw unusable(files, name, problem);
  }
}

function refuseWithoutWebAssembly() {
  if (typeof WebAssembly !== "object") {
    throw new CannotStart("This browser has no WebAssembly, which Cluewise calculates with.");
  }
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch {
    throw new CannotStart(
      "This page is not allowed to use WebAssembly, which Cluewise calculates with: the site that " +
        "serves it forbids it (its Content-Security-Policy lacks 'wasm-unsafe-eval' for scripts).",
    );
  }
  try {
    new WebAssembly.Memory({ initial: PAGES });
  } catch {
    throw new CannotStart(
      "This device has no memory left for Python, which needs about 100 MB. Close other tabs or programs.",
    );
  }
}
