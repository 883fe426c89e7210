/**
 * Starts Python in a worker: Pyodide, the kernel, and the cluewise package, from the site's files.
 *
 * Each failure becomes a CannotStart with a message for the user. `loadPyodide` never settles if
 * WebAssembly or its memory is refused, so both are tried first; nor if one of its files is missing or
 * unusable, so its files come through a Download.
 *
 * If the browser has a snapshot of Python's memory (snapshot.ts), nothing is imported; a snapshot that cannot
 * be used is deleted, and Python starts from the files.
 */

import type { PyodideAPI as Pyodide } from "pyodide";
import {
  CannotStart,
  Download,
  RUNTIME,
  refuseWithoutWebAssembly,
  SITE,
  unusable,
  WHOLE_RUNTIME,
  whyNotRun,
} from "./download.js";
import { FIRST, LATER, SNAPSHOT } from "./download-sizes.js";
import type { Module, Settings, Snapshot } from "./snapshot.js";
import { hasSnapshot, install, readSnapshot, restoreSnapshot, STATIC, withLibrary } from "./snapshot.js";

export type { Pyodide };
export { CannotStart };
export type Report = (name: "loading" | "starting", done: number, total: number, message: string) => void;
/** a view of Python's memory */
export type PyArray = {
  getBuffer: () => {
    data: ArrayBufferView<ArrayBuffer> & {
      slice: () => ArrayBufferView<ArrayBuffer>;
      set: (from: Uint8Array) => void;
    };
    release: () => void;
  };
  destroy: () => void;
};
/** the class of that name in cluewise/browser/worker.py */
export interface JobRunner {
  text_buffer: (length: number) => PyArray;
  begin: (text: string) => number;
  step: (id: number) => string | undefined;
  cancel: (id: number) => string | undefined;
  arrays: (id: number) => Map<string, PyArray> & { destroy: () => void };
  prepare: (desk: string) => void;
  lend: (id: number) => void;
  give: (text: string) => void;
  due: (id: number) => string;
}

const PYODIDE = new URL("pyodide/", SITE).href;
const SCRIPTS = ["pyodide/pyodide.js", "pyodide/pyodide.asm.js"];
const KERNEL = "kernel.wasm";
const LOCK = "pyodide/pyodide-lock.json";
/** The complete standard library; the page itself downloads only the modules that it imports. */
const WHOLE_LIBRARY = "pyodide/python_console.bin";
/** The first packages: msgspec, and cluewise without the modules of the desks. */
const PACKAGES = Object.keys(FIRST).filter((name) => /^pyodide\/(msgspec|cluewise)-/.test(name));
/** In the order of their requests. */
const WORKER = Object.keys(FIRST).filter((name) => name !== RUNTIME);
/** The console loads packages by name, so it needs Pyodide's lock file. */
const CONSOLE = [WHOLE_RUNTIME, WHOLE_LIBRARY, LOCK, KERNEL];
const ENVIRONMENT = { PYTHONDONTWRITEBYTECODE: "1" };
const REPORT_INTERVAL = 100; // ms between two reports of bytes
/** The archive of the modules of a desk, or of PICTURES. */
const archiveOf = (part: string) => `pyodide/cluewise-${part}.bin`;
/** The modules that read pictures; they need numpy. */
export const PICTURES = "pictures";
const NUMPY = Object.keys(LATER).filter((name) => /^pyodide\/numpy-/.test(name));
/** A lock file without packages: all are in the snapshot or in FIRST. */
const NO_PACKAGES = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.0" },
  packages: {},
});

/** A started Python. */
export interface Started {
  py: Pyodide;
  jobs: JobRunner;
  /** the `Ready` message as JSON */
  ready: string;
  /** whether the modules of a desk, or PICTURES, are not downloaded yet */
  lacks: (part: string) => boolean;
  /** downloads them; rejects with a CannotStart */
  install: (part: string, onBytes: (done: number, total: number) => void) => Promise<void>;
}

/**
 * Starts Python.
 * @param how `runtime`: Pyodide's compiled module; `desk`: the open desk, whose modules are among the first
 *   files; `plain`: for the console, from the files and with packages
 */
export async function boot(
  report: Report,
  {
    plain = false,
    runtime = null,
    desk = "",
    instantiated = () => {},
  }: {
    plain?: boolean;
    runtime?: Promise<WebAssembly.Module> | null;
    desk?: string;
    instantiated?: (instance: WebAssembly.Instance) => void;
  } = {},
): Promise<Started> {
  refuseWithoutWebAssembly();
  let due = 0;
  let step: [name: "loading" | "starting", message: string] = ["loading", "Downloading Python"];
  const reportNow = () => {
    clearTimeout(due);
    due = 0;
    report(step[0], files.done, files.total, step[1]);
  };
  const begins = (message: string) => {
    step = ["starting", message];
    reportNow();
  };
  const files = new Download(() => {
    due ||= setTimeout(reportNow, REPORT_INTERVAL);
  });
  files.begin(plain ? CONSOLE : [...WORKER, ...(isDesk(desk) ? [archiveOf(desk)] : [])]);
  reportNow();
  const onInstance = (instance: WebAssembly.Instance) => {
    instantiated(instance);
    begins("Starting Python");
  };
  return Promise.race([files.failed, started(files, { plain, runtime, desk, onInstance, begins })]);
}

const isDesk = (desk: string) => Object.hasOwn(LATER, archiveOf(desk));

/** @param how `begins` reports a step of the start */
async function started(
  files: Download,
  {
    plain,
    runtime,
    desk,
    onInstance,
    begins,
  }: {
    plain: boolean;
    runtime: Promise<WebAssembly.Module> | null;
    desk: string;
    onInstance: (instance: WebAssembly.Instance) => void;
    begins: (message: string) => void;
  },
): Promise<Started> {
  const snapshot = plain ? null : cachedSnapshot();
  const kernel = instantiateKernel(files);
  kernel.catch(() => {}); // awaited below
  const [{ loadPyodide }, { default: createPyodideModule }] = await scripts();
  globalThis.fetch = files.fetch;
  if (runtime) files.replace(WHOLE_RUNTIME);
  provideRuntime(files, runtime, onInstance);
  const settings = { indexURL: PYODIDE, packageBaseUrl: PYODIDE, createPyodideModule };
  const load = (more: object) => loadPyodide({ ...settings, ...more });
  const wheels = plain ? [] : [...PACKAGES, ...(isDesk(desk) ? [archiveOf(desk)] : [])];
  const archives = wheels.map((name) => files.bytes(name));
  for (const one of archives) one.catch(() => {}); // `failed` reports it
  const packages = { archives, cached: await snapshot };
  const py: Pyodide = plain
    ? await load({
        lockFileContents: lockFile(files),
        packages: ["cluewise"],
        env: ENVIRONMENT,
        stdLibURL: new URL(WHOLE_LIBRARY, SITE).href,
      })
    : ((await fromSnapshot(packages, createPyodideModule, load)) ??
      (await fromFiles(packages, createPyodideModule, load)));
  begins("Importing Cluewise");
  py.registerJsModule("cluewise_kernel", await kernel);
  const { JobRunner, ready } = py.pyimport("cluewise.browser.worker");
  const installed = new Set([desk]);
  return {
    py,
    jobs: JobRunner(),
    ready: ready(),
    lacks: (name) => !plain && isDesk(name) && !installed.has(name),
    async install(name, onBytes) {
      const later = new Download(() => onBytes(later.done, later.total));
      const archives = [...(name === PICTURES ? NUMPY : []), archiveOf(name)];
      later.begin(archives);
      const wheels = await Promise.all(archives.map((one) => later.bytes(one)));
      await install(py.FS, wheels, packages.cached && name !== PICTURES ? hasSnapshot : undefined);
      installed.add(name);
    },
  };
}

async function lockFile(files: Download) {
  return (await files.get(LOCK)).text();
}

/** Starts Python with the packages installed in its file system. */
function fromFiles(
  { archives }: Packages,
  createModule: CreateModule,
  load: (more: object) => Promise<Pyodide>,
) {
  const createPyodideModule = (settings: Settings) => {
    withLibrary(settings, archives[0], async (module) => install(module.FS, await Promise.all(archives)));
    return createModule(settings);
  };
  return load({ createPyodideModule, lockFileContents: NO_PACKAGES, env: ENVIRONMENT });
}

type CachedSnapshot = { snapshot: Promise<Snapshot> } | null;
/** msgspec first, which has a shared library */
type Packages = { archives: Promise<Uint8Array<ArrayBuffer>>[]; cached: CachedSnapshot };
type CreateModule = (settings: Settings) => Promise<Module>;

/** The snapshot of this build in the service worker's cache, if present. */
async function cachedSnapshot(): Promise<CachedSnapshot> {
  try {
    const response = await caches.match(new URL(SNAPSHOT, SITE));
    if (!response?.body) return null;
    const bytes = response.body.pipeThrough(new DecompressionStream("gzip"));
    const snapshot = new Response(bytes).arrayBuffer().then(readSnapshot);
    snapshot.catch(() => {}); // awaited in fromSnapshot
    return { snapshot };
  } catch {
    return null; // no caches on an insecure address or in a private window
  }
}

/** Starts Python from the snapshot; null if there is none or it cannot be used here. */
async function fromSnapshot(
  packages: Packages,
  createModule: CreateModule,
  load: (more: object) => Promise<Pyodide>,
) {
  const { archives, cached } = packages;
  if (!cached) return null;
  try {
    let before: Uint8Array;
    const createPyodideModule = async (settings: Settings) => {
      withLibrary(settings, archives[0], async (module) => {
        before = module.HEAPU8.slice(0, STATIC);
        await install(module.FS, await Promise.all(archives), hasSnapshot);
      });
      const module = await createModule(settings);
      const snapshot = await cached.snapshot;
      restoreSnapshot(module, before, snapshot);
      const readHead = module.API.restoreSnapshot; // the memory is restored already: only the head is read
      module.API.restoreSnapshot = () => readHead(snapshot.head);
      return module;
    };
    const settings = { _loadSnapshot: new Uint8Array(0), createPyodideModule };
    const py = await load({ ...settings, lockFileContents: NO_PACKAGES });
    py.runPython("import random; random.seed(); del random");
    performance.mark("python_from_snapshot"); // read by tests
    return py;
  } catch (problem) {
    if (problem instanceof CannotStart) throw problem; // fromFiles needs the same files
    packages.cached = null;
    for (const key of await caches.keys()) await (await caches.open(key)).delete(new URL(SNAPSHOT, SITE));
    return null;
  }
}

/** Imports Pyodide's two scripts. A failed import gives no reason, so the files are requested again. */
async function scripts() {
  try {
    return await Promise.all(SCRIPTS.map((name) => import(new URL(name, SITE).href)));
  } catch (problem) {
    throw new CannotStart((await whyNotRun(...SCRIPTS)) || `Python's own scripts do not run (${problem}).`);
  }
}

/**
 * Makes Pyodide instantiate the page's module, or compile a file without one. Failures are reported here,
 * because Pyodide only logs a warning and never settles.
 */
function provideRuntime(
  files: Download,
  runtime: Promise<WebAssembly.Module> | null,
  instantiated: (instance: WebAssembly.Instance) => void,
) {
  WebAssembly.instantiateStreaming = async (answer, imports) => {
    try {
      const module = await (runtime ?? WebAssembly.compileStreaming(answer));
      const instance = await WebAssembly.instantiate(module, imports);
      instantiated(instance);
      return { module, instance };
    } catch (problem) {
      throw unusable(files, WHOLE_RUNTIME, problem);
    }
  };
}

/** The kernel's functions and a view of its memory, which never grows. */
async function instantiateKernel(files: Download) {
  try {
    const { instance } = await WebAssembly.instantiateStreaming(files.get(KERNEL));
    const exports = instance.exports as WebAssembly.Exports & { memory: WebAssembly.Memory };
    return { exports, view: new Uint8Array(exports.memory.buffer) };
  } catch (problem) {
    throw unusable(files, KERNEL, problem);
  }
}
