/**
 * Python in a worker: Pyodide, the kernel beside it, and our package, from the files next door.
 *
 * Every way in which this can fail ends in a sentence for people. `loadPyodide` itself never
 * settles when WebAssembly or its memory is refused, so that is tried first, with the smallest
 * module there is and the memory that Python takes.
 */

/** @typedef {import("pyodide").PyodideAPI} Pyodide */
/** @typedef {(name: "loading" | "starting", done: number, message: string) => void} Report */
/**
 * @typedef {object} Jobs the class of that name in cluewise/worker.py
 * @property {(text: string) => number} begin
 * @property {(id: number) => string | undefined} step
 * @property {(id: number) => string | undefined} cancel
 * @property {(id: number) => any} arrays
 * @property {(desk: string) => void} prepare
 */

export const STEPS = 4;
const PAGES = 1632; // of 64 KB: 480 with which Python begins, 1152 of the kernel
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const SITE = new URL("../", import.meta.url);
const PYODIDE = new URL("pyodide/", SITE).href;

/** What people read when the page cannot start; everything else is a defect of ours. */
export class CannotStart extends Error {}

/** @param {Report} report @returns {Promise<{py: Pyodide, jobs: Jobs, ready: string}>} */
export async function boot(report) {
  report("loading", 0, "Fetching Python");
  refuseWithoutWebAssembly();
  const stop = reportDownloads(report);
  const kernel = instantiateKernel();
  kernel.catch(() => {}); // awaited below; a failure until then is not an unhandled one
  const [{ loadPyodide }, lock] = await Promise.all([
    import(`${PYODIDE}pyodide.mjs`),
    fetched(`${PYODIDE}pyodide-lock.json`).then((answer) => answer.text()),
  ]);
  report("loading", 1, "Fetching Python");
  /** @type {Pyodide} */
  const py = await loadPyodide({
    indexURL: PYODIDE,
    packageBaseUrl: PYODIDE,
    lockFileContents: lock,
    packages: ["cluewise"],
    env: { PYTHONDONTWRITEBYTECODE: "1" },
  });
  stop();
  report("starting", 2, "Starting Python");
  py.registerJsModule("cluewise_kernel", await kernel);
  report("starting", 3, "Starting Python");
  const { Jobs, ready } = py.pyimport("cluewise.worker");
  return { py, jobs: Jobs(), ready: ready() };
}

/** The kernel's functions and one view of its memory, which never grows. */
async function instantiateKernel() {
  const answer = await fetched(new URL("kernel.wasm", SITE).href);
  const { instance } = await WebAssembly.instantiate(await answer.arrayBuffer());
  const exports = /** @type {Record<string, any>} */ (instance.exports);
  return { exports, view: new Uint8Array(exports.memory.buffer) };
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

/** @param {string} url */
async function fetched(url) {
  const name = url.slice(SITE.href.length);
  const answer = await fetch(url).catch((problem) => {
    throw new CannotStart(`${name} could not be fetched (${problem.message}). Are you offline?`);
  });
  if (!answer.ok) throw new CannotStart(`${name} could not be fetched: the site answers ${answer.status}.`);
  return answer;
}

/** A sign of life for each file that arrives, so that a slow line is told from a dead one. @param {Report} report */
function reportDownloads(report) {
  const observer = new PerformanceObserver(() => report("loading", 1, "Fetching Python"));
  observer.observe({ type: "resource" });
  return () => observer.disconnect();
}
