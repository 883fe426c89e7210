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
import { CannotStart, Download, refuseWithoutWebAssembly, SITE, unusable } from "./download.js";

export interface Runtime {
  /** rejects with a CannotStart */
  module: Promise<WebAssembly.Module>;
  /** bytes that have arrived */
  done: number;
  total: number;
  /** called after every piece */
  onBytes: () => void;
}

const loaded: Map<string, Runtime> = new Map();

/** The module of that file; one that failed is fetched again. */
export function loadRuntime(name: string): Runtime {
  const known = loaded.get(name);
  if (known) return known;
  const files = new Download(() => runtime.onBytes());
  const runtime: Runtime = {
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

async function compile(files: Download, name: string) {
  refuseWithoutWebAssembly();
  try {
    const kept = await compileKept(name);
    if (kept) return kept;
    files.begin([name]);
    return await WebAssembly.compileStreaming(files.get(name));
  } catch (problem) {
    throw problem instanceof CannotStart ? problem : unusable(files, name, problem);
  }
}

/**
 * The module as the service worker keeps it, unpacked; null where there is none. Chromium stores the
 * code that it has optimised together with such an answer, and the next visit starts with it.
 */
async function compileKept(name: string) {
  try {
    if (!navigator.serviceWorker?.controller) return null; // throws in a sandboxed frame
    const answer = await fetch(new URL(name.replace(/\.bin$/, ".wasm"), SITE));
    return answer.ok ? await WebAssembly.compileStreaming(answer) : null;
  } catch {
    return null;
  }
}
