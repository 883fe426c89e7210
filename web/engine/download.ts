/**
 * Downloads of the site's own files: counts bytes and compares sizes with those of the build.
 *
 * Each failure of a host has its own message: a missing file, an HTML page instead of it, a truncated
 * file, a MIME type that browsers do not run, a broken connection. WebAssembly always gets the right MIME
 * type.
 */

import { messageOf } from "../errors.js";
import { FIRST, LATER } from "./download-sizes.js";

export const SITE = new URL("..", import.meta.url);
/** Pyodide's complete WebAssembly module, gzipped by the build because few hosts compress such files. */
export const WHOLE_RUNTIME = "pyodide/pyodide.asm.bin";
/** The module of a start: reduced to the functions in use, unless the build kept it complete. */
export const RUNTIME = Object.hasOwn(FIRST, WHOLE_RUNTIME) ? WHOLE_RUNTIME : "pyodide/runtime.bin";
const SIZES = { ...FIRST, ...LATER };

/** The name on the site of an archive that the build has gzipped (wasm_build/site/files.py). */
const gzipped = (name: string) => name.replace(/\.(zip|whl|wasm)$/, ".bin");

// Of the browser's six connections to a site; the others are for the open desk's files.
const MAX_PARALLEL = 2;

/** A reason shown to the user why the page cannot start. */
export class CannotStart extends Error {}

export class Download {
  /** Received bytes of the files passed to `begin`. */
  done = 0;
  total = 0;
  /** Rejects when the first file fails. */
  failed: Promise<never>;
  #fail: (problem: CannotStart) => void = () => {};
  #onBytes;
  #begun: Map<string, Promise<Response>> = new Map();
  #counts: Set<string> = new Set();
  #replaced: Set<string> = new Set();
  #free = MAX_PARALLEL;
  #waiting: (() => void)[] = [];

  /** @param onBytes called after every chunk */
  constructor(onBytes: () => void) {
    this.#onBytes = onBytes;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
  }

  /** Downloads files, MAX_PARALLEL at a time. */
  begin(names: string[]) {
    for (const name of names) {
      this.#counts.add(name);
      this.total += SIZES[name];
    }
    for (const name of names) {
      const answer = this.#acquire().then(() => this.#fetchChecked(name));
      answer.catch(() => {}); // `failed` reports it
      this.#begun.set(name, answer);
    }
  }

  /** Resolves when a download may start. */
  #acquire(): Promise<void> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }

  /** The response of a file; one that `begin` started is returned once. */
  get(name: string): Promise<Response> {
    const file = Object.hasOwn(SIZES, gzipped(name)) ? gzipped(name) : name;
    if (this.#replaced.has(file)) return Promise.resolve(new Response());
    const begun = this.#begun.get(file);
    this.#begun.delete(file);
    return begun ?? this.#fetchChecked(file);
  }

  async bytes(name: string) {
    return new Uint8Array(await (await this.get(name)).arrayBuffer());
  }

  /** `fetch` for Pyodide: `get` for the site's files, the browser's `fetch` for others. */
  fetch: typeof fetch = (resource, options) => {
    const address = resource instanceof Request ? resource.url : String(resource);
    const name = nameOf(address);
    const ours = Object.hasOwn(SIZES, name) || Object.hasOwn(SIZES, gzipped(name));
    return ours ? this.get(name) : plainFetch(resource, options);
  };

  /** Answers a file with an empty response: its content is already present. */
  replace(name: string) {
    this.#replaced.add(name);
  }

  /** Rejects `failed`; returns the error. */
  fail(sentence: string) {
    const problem = new CannotStart(sentence);
    this.#fail(problem);
    return problem;
  }

  async #fetchChecked(name: string) {
    let answer: Response;
    try {
      answer = await plainFetch(new URL(name, SITE));
    } catch (problem) {
      throw this.fail(`${name} could not be fetched (${messageOf(problem)}). Are you offline?`);
    }
    if (!answer.ok) throw this.fail(refused(name, answer.status));
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("text/html") || !answer.body) throw this.fail(replaced(name, type));
    const bytes = this.#counted(name, answer.body.getReader()) as ReadableStream<Uint8Array<ArrayBuffer>>;
    if (name === RUNTIME || name === WHOLE_RUNTIME)
      return webAssembly(bytes.pipeThrough(new DecompressionStream("gzip")));
    if (name.endsWith(".bin")) return this.#gunzip(name, bytes);
    if (name.endsWith(".wasm")) return webAssembly(bytes);
    return new Response(bytes, { headers: { "Content-Type": type } });
  }

  async #gunzip(name: string, bytes: ReadableStream<Uint8Array<ArrayBuffer>>) {
    try {
      const whole = new Response(bytes.pipeThrough(new DecompressionStream("gzip")));
      return new Response(await whole.arrayBuffer());
    } catch (problem) {
      if (problem instanceof CannotStart) throw problem;
      throw this.fail(damaged(name, problem));
    }
  }

  /**
   * Counts bytes and checks the size. Reads ahead of the consumer, because a response that is not read to
   * its end keeps one of the browser's six connections.
   */
  #counted(name: string, reader: ReadableStreamDefaultReader<Uint8Array>) {
    const counts = this.#counts.has(name);
    let received = 0;
    const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read().catch((problem) => {
        throw this.fail(
          `The connection broke while ${name} was downloaded (${messageOf(problem)}). Try again.`,
        );
      });
      if (done && received !== SIZES[name]) throw this.fail(otherSize(name, received));
      if (done) {
        if (counts) this.#release();
        return out.close();
      }
      received += value.length;
      if (counts) {
        this.done += value.length;
        this.#onBytes();
      }
      return out.enqueue(value);
    };
    return new ReadableStream({ pull }, { highWaterMark: Number.POSITIVE_INFINITY });
  }
}

/**
 * Finds out why the site's scripts did not run by requesting all recent ones again, because the browser's
 * error does not give the reason.
 * @param first requested before the others
 * @returns a sentence, or "" if all are fine now
 */
export async function whyNotRun(...first: string[]): Promise<string> {
  const asked = performance.getEntriesByType("resource").map((entry) => nameOf(entry.name));
  const ours = asked.filter((name) => /^[\w./-]+\.js$/.test(name));
  for (const name of new Set([...first, ...ours])) {
    try {
      const answer = await plainFetch(new URL(name, SITE));
      if (!answer.ok) return refused(name, answer.status);
      const type = (answer.headers.get("Content-Type") ?? "").split(";")[0].trim();
      if (type === "text/html") return replaced(name, type);
      if (!/^(text|application)\/(x-)?(java|ecma)script$/.test(type)) return mistyped(name, type);
    } catch (problem) {
      return `${name} could not be fetched (${messageOf(problem)}). Are you offline?`;
    }
  }
  return "";
}

/** A response with the MIME type of WebAssembly. */
const webAssembly = (bytes: ReadableStream<BufferSource>) =>
  new Response(bytes, { headers: { "Content-Type": "application/wasm" } });

export function unusable(files: Download, name: string, problem: unknown) {
  if (problem instanceof CannotStart) return problem;
  return files.fail(damaged(name, problem));
}

const PAGES = 1632; // of 64 KB: 480 for Python's start, 1152 for the kernel
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Throws a CannotStart if WebAssembly or its memory is not available. */
export function refuseWithoutWebAssembly() {
  if (typeof WebAssembly !== "object") {
    throw new CannotStart("This browser has no WebAssembly, which Cluewise needs.");
  }
  try {
    new WebAssembly.Module(EMPTY_MODULE);
  } catch {
    throw new CannotStart(
      "This page is not allowed to use WebAssembly, which Cluewise needs: the site's " +
        "Content-Security-Policy lacks 'wasm-unsafe-eval' for scripts.",
    );
  }
  try {
    new WebAssembly.Memory({ initial: PAGES });
  } catch {
    throw new CannotStart(
      "This device has too little free memory: Python needs about 100 MB. Close other tabs or programs.",
    );
  }
}

/** The browser's `fetch`; in the worker, boot.ts replaces the global one by a Download's. */
const plainFetch = fetch.bind(globalThis);

function nameOf(address: string) {
  const whole = new URL(address, SITE).href.replace(/[?#].*$/, "");
  return whole.startsWith(SITE.href) ? whole.slice(SITE.href.length) : whole;
}

function refused(name: string, status: number) {
  const help =
    status === 404
      ? "Upload every file of the page, including those in folders."
      : "Try again. If this persists, ask the site's owner.";
  return `${name} could not be fetched: the site answers ${status}. ${help}`;
}

function replaced(name: string, type: string) {
  return `The site sends something else instead of ${name} (${type || "nothing"}). Upload every file of the page.`;
}

function mistyped(name: string, type: string) {
  return `The site sends ${name} as “${type || "no type"}”, which browsers do not run. The host must send .js files as text/javascript.`;
}

function damaged(name: string, problem: unknown) {
  return `${name} is damaged, or this browser is too old for it (${messageOf(problem)}). Try again, use a newer browser, or upload that file again.`;
}

function otherSize(name: string, received: number) {
  const [got, due] = [received, SIZES[name]].map((n) => n.toLocaleString("en"));
  return received < SIZES[name]
    ? `${name} was cut short: ${got} of ${due} bytes. Try again. If this persists, upload that file again.`
    : `${name} is of another build: ${got} bytes instead of ${due}. Reload the page. If this persists, upload all files of one build.`;
}

/**
 * Pyodide's WebAssembly module, downloaded and compiled once by the page for all its workers.
 *
 *   const runtime = loadRuntime(RUNTIME);
 *   runtime.onBytes = () => show(runtime.done, runtime.total);
 *   worker.postMessage({ type: "runtime", module: await runtime.module });
 *
 * It is the largest file of a start, so its request does not wait for a worker's script. Workers that start
 * later get the compiled module.
 */
export interface Runtime {
  /** rejects with a CannotStart */
  module: Promise<WebAssembly.Module>;
  /** received bytes */
  done: number;
  total: number;
  /** called after every chunk */
  onBytes: () => void;
}

const loaded: Map<string, Runtime> = new Map();

/** Downloads a module once; one that failed is downloaded again. */
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
    const cached = await compileCached(name);
    if (cached) return cached;
    files.begin([name]);
    return await WebAssembly.compileStreaming(files.get(name));
  } catch (problem) {
    throw problem instanceof CannotStart ? problem : unusable(files, name, problem);
  }
}

/**
 * Compiles the module from the service worker's cache; null if it is not cached. Chromium stores the
 * optimised code with such a response, so that the next visit does not compile it again.
 */
async function compileCached(name: string) {
  try {
    if (!navigator.serviceWorker?.controller) return null; // throws in a sandboxed frame
    const answer = await fetch(new URL(name.replace(/\.bin$/, ".wasm"), SITE));
    return answer.ok ? await WebAssembly.compileStreaming(answer) : null;
  } catch {
    return null;
  }
}
