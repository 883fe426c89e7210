/**
 * Pyodide's WebAssembly module, fetched and compiled by the page once for all its workers.
 *
 *   const runtime = loadRuntime(RUNTIME);
 *   runtime.onBytes = () => show(runtime.done, runtime.total);
 *   worker.postMessage({ type: "runtime", module: await runtime.module });
 *
 * It is the largest file of a start, so its request does not wait for a worker's script; a worker that
 * is started later or again gets the compiled module and compiles nothing.
 */
import { CannotStart, Download, refuseWithoutWebAssembly, unusable } from "./download.js";

/**
 * @typedef {object} Runtime
 * @property {Promise<WebAssembly.Module>} module rejects with a CannotStart
 * @property {number} done bytes that have arrived
 * @property {number} total
 * @property {() => void} onBytes called after every piece
 */

/** @type {Map<string, Runtime>} */
const loaded = new Map();

/** The module of that file; one that failed is fetched again. @param {string} name @returns {Runtime} */
export function loadRuntime(name) {
  const known = loaded.get(name);
  if (known) return known;
  const files = new Download(() => runtime.onBytes());
  files.begin([name]);
  /** @type {Runtime} */
  const runtime = {
    module: compile(files, name),
    get done() {
      return files.done;
    },
    get total() {
      return files.total;
    },
    onBytes() {},
  };
  loaded.set(name, runtime);
  runtime.module.catch(() => loaded.delete(name));
  return runtime;
}

/** @param {Download} files @param {string} name */
async function compile(files, name) {
  refuseWithoutWebAssembly();
  try {
    return await WebAssembly.compileStreaming(files.get(name));
  } catch (problem) {
    throw problem instanceof CannotStart ? problem : unusable(files, name, problem);
  }
}
