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
import { FIRST, IMAGE, LATER } from "./download-sizes.js";
import type { Module, Settings } from "./image.js";
import { hasSnapshot, install, read, restore, STATIC, withLibrary } from "./image.js";

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
/** The whole standard library, of which the page has what it imports. */
const WHOLE_LIBRARY = "pyodide/python_console.bin";
/** What Python finds when it starts: the library's wheel, and our modules without those of the desks. */
const PACKAGES = Object.keys(FIRST).filter((name) => /^pyodide\/(msgspec|cluewise)-/.test(name));
/** In the order in which they are asked for. */
const WORKER = Object.keys(FIRST).filter((name) => name !== RUNTIME);
/** The console takes packages by their names, as its user does. */
const CONSOLE = [WHOLE_RUNTIME, WHOLE_LIBRARY, LOCK, KERNEL];
const ENVIRONMENT = { PYTHONDONTWRITEBYTECODE: "1" };
const EVERY = 100; // ms between two reports of bytes
/** The archive of the modules that only this desk needs, or that only pictures need. */
const archiveOf = (part: string) => `pyodide/cluewise-${part}.bin`;
/** The part of the modules that read pictures; numpy comes with it. */
export const PICTURES = "pictures";
const NUMPY = Object.keys(LATER).filter((name) => /^pyodide\/numpy-/.test(name));
/** Packages in the memory image or in files, no list of what could be loaded. */
const NO_PACKAGES = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.0" },
  packages: {},
});

/** What a started worker has. */
export interface Started {
  py: Pyodide;
  jobs: JobRunner;
  /** the `Ready` message as JSON */
  ready: string;
  /** whether the modules of that desk, or PICTURES, are still to be fetched */
  lacks: (part: string) => boolean;
  /** fetches them; rejects with a CannotStart */
  install: (part: string, onBytes: (done: number, total: number) => void) => Promise<void>;
}

/**
 * Start Python. `runtime` is Pyodide's compiled module and `desk` the open desk, whose modules come
 * with the first files. `plain` starts as the console needs it: from the files, with packages.
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
  /** what is being done, which more bytes do not change */
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
    due ||= setTimeout(reportNow, EVERY);
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

/** @param how `begins` reports which step of the start begins */
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
  const image = plain ? null : keptImage();
  const kernel = instantiateKernel(files);
  kernel.catch(() => {}); // awaited below; a failure until then is not an unhandled one
  const [{ loadPyodide }, { default: createPyodideModule }] = await scripts();
  globalThis.fetch = files.fetch;
  if (runtime) files.replace(WHOLE_RUNTIME);
  provideRuntime(files, runtime, onInstance);
  const settings = { indexURL: PYODIDE, packageBaseUrl: PYODIDE, createPyodideModule };
  const load = (more: object) => loadPyodide({ ...settings, ...more });
  const wheels = plain ? [] : [...PACKAGES, ...(isDesk(desk) ? [archiveOf(desk)] : [])];
  const archives = wheels.map((name) => files.bytes(name));
  for (const one of archives) one.catch(() => {}); // `failed` reports it
  const packages = { archives, kept: await image };
  const py: Pyodide = plain
    ? await load({
        lockFileContents: lockFile(files),
        packages: ["cluewise"],
        env: ENVIRONMENT,
        stdLibURL: new URL(WHOLE_LIBRARY, SITE).href,
      })
    : ((await fromImage(packages, createPyodideModule, load)) ??
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
      await install(py.FS, wheels, packages.kept && name !== PICTURES ? hasSnapshot : undefined);
      installed.add(name);
    },
  };
}

async function lockFile(files: Download) {
  return (await files.get(LOCK)).text();
}

/** Python with the packages laid into its file system. */
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

export type Image = Promise<import("./image.js").Image>;
/** the library's wheel first */
export type Packages = { archives: Promise<Uint8Array<ArrayBuffer>>[]; kept: { image: Image } | null };
export type CreateModule = (settings: Settings) => Promise<Module>;

/** The image that the service worker has kept for this build, if it has. */
async function keptImage(): Promise<{ image: Image } | null> {
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

/** Python as the image has it; null where there is none, or it cannot be used here. */
async function fromImage(
  packages: Packages,
  createModule: CreateModule,
  load: (more: object) => Promise<Pyodide>,
) {
  const { archives, kept } = packages;
  if (!kept) return null;
  try {
    let before: Uint8Array;
    const createPyodideModule = async (settings: Settings) => {
      withLibrary(settings, archives[0], async (module) => {
        before = module.HEAPU8.slice(0, STATIC);
        await install(module.FS, await Promise.all(archives), hasSnapshot);
      });
      const module = await createModule(settings);
      const image = await kept.image;
      restore(module, before, image);
      const { restoreSnapshot } = module.API; // the memory is in place: only the head is read
      module.API.restoreSnapshot = () => restoreSnapshot(image.head);
      return module;
    };
    const settings = { _loadSnapshot: new Uint8Array(0), createPyodideModule };
    const py = await load({ ...settings, lockFileContents: NO_PACKAGES });
    py.runPython("import random; random.seed(); del random");
    performance.mark("python_from_image"); // what the tests know it by
    return py;
  } catch (problem) {
    if (problem instanceof CannotStart) throw problem; // its files are those of the other way too
    packages.kept = null;
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

/**
 * Let Pyodide instantiate the page's module; without one it compiles a file, and a refusal is reported
 * here, because Pyodide itself only warns and then waits for ever.
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

/** The kernel's functions and one view of its memory, which never grows. */
async function instantiateKernel(files: Download) {
  try {
    const { instance } = await WebAssembly.instantiateStreaming(files.get(KERNEL));
    const exports = instance.exports as WebAssembly.Exports & { memory: WebAssembly.Memory };
    return { exports, view: new Uint8Array(exports.memory.buffer) };
  } catch (problem) {
    throw unusable(files, KERNEL, problem);
  }
}
