/**
 * Python in a worker: Pyodide, the kernel next to it, and our package, from the files next door.
 *
 * Every way in which this can fail ends in a sentence for people. `loadPyodide` itself never
 * settles when WebAssembly or its memory is refused, so that is tried first, with the smallest
 * module there is and the memory that Python takes; nor when a file of its own does not come or
 * cannot be used, so its files come by way of a Download, and what the browser says is listened to.
 *
 * Where an image of Python's memory lies in this browser (image.js), nothing has to be imported; if
 * it is of no use, it is forgotten and the files do.
 */
import { CannotStart, Download, SITE, whyNotRun } from "./download.js";
import { FIRST, IMAGE } from "./download-sizes.js";
import { hasSnapshot, install, read, restore, STATIC, withLibrary } from "./image.js";

export { CannotStart };

/** @typedef {import("pyodide").PyodideAPI} Pyodide */
/** @typedef {(name: "loading" | "starting", done: number, total: number, message: string) => void} Report */
/**
 * @typedef {{getBuffer: () => {data: ArrayBufferView<ArrayBuffer> & {slice: () => ArrayBufferView<ArrayBuffer>}, release: () => void}, destroy: () => void}} PyArray a view of Python's memory
 * @typedef {object} JobRunner the class of that name in cluewise/browser/worker.py
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
const WHEELS = ["msgspec", "cluewise"].map(
  (name) => Object.keys(FIRST).find((file) => file.startsWith(`pyodide/${name}-`)) ?? "",
);
const EVERY = 100; // ms between two reports of bytes

/** `plain`: from the files, as packages for the console need it. @param {Report} report @param {{plain?: boolean}} [how] @returns {Promise<{py: Pyodide, jobs: JobRunner, ready: string}>} */
export async function boot(report, { plain = false } = {}) {
  refuseWithoutWebAssembly();
  let due = 0;
  /** @type {[name: "loading" | "starting", message: string]} what is being done, which more bytes do not change */
  let step = ["loading", "Downloading Python"];
  const tell = () => {
    clearTimeout(due);
    due = 0;
    report(step[0], files.done, files.total, step[1]);
  };
  const files = new Download(() => {
    due ||= setTimeout(tell, EVERY);
  });
  tell();
  files.begin();
  const starting = started(files, plain, (message) => {
    step = ["starting", message];
    tell();
  });
  return Promise.race([files.failed, starting]);
}

/** @param {Download} files @param {boolean} plain @param {(message: string) => void} begins says which step of the start begins */
async function started(files, plain, begins) {
  const image = plain ? null : keptImage();
  const kernel = instantiateKernel(files);
  kernel.catch(() => {}); // awaited below; a failure until then is not an unhandled one
  const [{ loadPyodide }, { default: createPyodideModule }] = await scripts();
  globalThis.fetch = files.fetch;
  hearRefusals(files, () => begins("Starting Python"));
  const lock = files.get("pyodide/pyodide-lock.json").then((answer) => answer.text());
  const settings = {
    indexURL: PYODIDE,
    packageBaseUrl: PYODIDE,
    lockFileContents: lock,
    createPyodideModule,
  };
  const load = (/** @type {object} */ more) => loadPyodide({ ...settings, ...more });
  /** @type {Pyodide} */
  const py =
    (await fromImage(files, await image, createPyodideModule, load)) ??
    (await load({ packages: ["cluewise"], env: { PYTHONDONTWRITEBYTECODE: "1" } }));
  begins("Importing Cluewise");
  py.registerJsModule("cluewise_kernel", await kernel);
  const { JobRunner, ready } = py.pyimport("cluewise.browser.worker");
  return { py, jobs: JobRunner(), ready: ready() };
}

/** @typedef {Promise<import("./image.js").Image>} Image */
/** @typedef {import("./image.js").Settings} Settings */

/** The image that the service worker has kept for this build, if it has. @returns {Promise<{image: Image} | null>} */
async function keptImage() {
  try {
    const kept = await caches.match(new URL(IMAGE, SITE));
    if (!kept?.body) return null;
    const bytes = kept.body.pipeThrough(new DecompressionStream("gzip"));
    const image = new Response(bytes).arrayBuffer().then(read);
    image.catch(() => {}); // awaited below
    return { image };
  } catch {
    return null; // an insecure address or a private window keeps nothing
  }
}

/**
 * Python as the image has it; nothing where there is none, or it does not serve here.
 * @param {Download} files
 * @param {{image: Image} | null} kept
 * @param {(settings: Settings) => Promise<import("./image.js").Module>} createModule
 * @param {(more: object) => Promise<Pyodide>} load
 */
async function fromImage(files, kept, createModule, load) {
  if (!kept) return null;
  try {
    const wheels = WHEELS.map((name) => files.bytes(name));
    /** @type {Uint8Array} */
    let before;
    const createPyodideModule = async (/** @type {Settings} */ settings) => {
      withLibrary(settings, wheels[0], async (module) => {
        before = module.HEAPU8.slice(0, STATIC);
        await install(module.FS, await Promise.all(wheels), hasSnapshot);
      });
      const module = await createModule(settings);
      const image = await kept.image;
      restore(module, before, image);
      const { restoreSnapshot } = module.API; // the memory is in place: only the head is read
      module.API.restoreSnapshot = () => restoreSnapshot(image.head);
      return module;
    };
    const py = await load({ _loadSnapshot: new Uint8Array(0), createPyodideModule });
    py.runPython("import random; random.seed(); del random");
    performance.mark("python_from_image"); // what the tests know it by
    return py;
  } catch (problem) {
    if (problem instanceof CannotStart) throw problem; // its files are those of the other way too
    await forgetImage();
    return null;
  }
}

async function forgetImage() {
  for (const key of await caches.keys()) await (await caches.open(key)).delete(new URL(IMAGE, SITE));
}

/** Pyodide's two scripts; a failed import says nothing of why, so the host is asked again. */
async function scripts() {
  try {
    return await Promise.all(SCRIPTS.map((name) => import(new URL(name, SITE).href)));
  } catch (problem) {
    throw new CannotStart((await whyNotRun(...SCRIPTS)) || `Python's own scripts do not run (${problem}).`);
  }
}

/** Pyodide only warns of WebAssembly that cannot be used, and then waits for ever. @param {Download} files @param {() => void} compiled */
function hearRefusals(files, compiled) {
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    try {
      const found = await instantiate(answer, imports);
      compiled();
      return found;
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
