/**
 * The site's own files as they arrive: counted, and compared with what the build made.
 *
 * Hosts go wrong in few ways, and each has its sentence here: a file is missing, a page of the host
 * comes in its place, it is cut short, it has a type that browsers do not run, the line breaks.
 * WebAssembly comes with the right type whatever the host calls it.
 */

import { FIRST, LATER } from "./download-sizes.js";

export const SITE = new URL("..", import.meta.url);
/** Pyodide's WebAssembly module with all functions, packed: few hosts compress such files themselves. */
export const WHOLE_RUNTIME = "pyodide/pyodide.asm.bin";
/** What a start takes of it; the build may leave it whole. */
export const RUNTIME = Object.hasOwn(FIRST, WHOLE_RUNTIME) ? WHOLE_RUNTIME : "pyodide/runtime.bin";
const SIZES = { ...FIRST, ...LATER };

/** An archive that comes packed as one, as the build makes it (site/files.py): its name on the site. */
const solid = (name: string) => name.replace(/\.(zip|whl|wasm)$/, ".bin");

// Browsers have six connections for a site, and the open desk's own files must not wait until
// Python's are there.
const LANES = 2;

/** What people read when the page cannot start; everything else is a defect of ours. */
export class CannotStart extends Error {}

export class Download {
  /** Bytes that are there, of all those that `begin` asked for. */
  done = 0;
  total = 0;
  /** Rejects when the first file fails. */
  failed: Promise<never>;
  #fail: (problem: CannotStart) => void = () => {};
  #onBytes;
  #begun: Map<string, Promise<Response>> = new Map();
  #counts: Set<string> = new Set();
  #replaced: Set<string> = new Set();
  #lanes = LANES;
  #waiting: (() => void)[] = [];

  /** @param onBytes called after every piece */
  constructor(onBytes: () => void) {
    this.#onBytes = onBytes;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {});
  }

  /** Ask for these files, a few at a time. */
  begin(names: string[]) {
    for (const name of names) {
      this.#counts.add(name);
      this.total += SIZES[name];
    }
    for (const name of names) {
      const answer = this.#lane().then(() => this.#checked(name));
      answer.catch(() => {}); // `failed` reports it
      this.#begun.set(name, answer);
    }
  }

  /** A turn to be asked for, once another file of the start is there. */
  #lane(): Promise<void> {
    if (this.#lanes > 0) {
      this.#lanes--;
      return Promise.resolve();
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #leaveLane() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#lanes++;
  }

  /** The file as it comes in; a promise that was begun is handed out once. */
  get(name: string): Promise<Response> {
    const there = Object.hasOwn(SIZES, solid(name)) ? solid(name) : name;
    if (this.#replaced.has(there)) return Promise.resolve(new Response());
    const begun = this.#begun.get(there);
    this.#begun.delete(there);
    return begun ?? this.#checked(there);
  }

  async bytes(name: string) {
    return new Uint8Array(await (await this.get(name)).arrayBuffer());
  }

  /** `fetch` for Pyodide: the site's files by way of this, others as they are. */
  fetch: typeof fetch = (resource, options) => {
    const address = resource instanceof Request ? resource.url : String(resource);
    const name = nameOf(address);
    const ours = Object.hasOwn(SIZES, name) || Object.hasOwn(SIZES, solid(name));
    return ours ? this.get(name) : plainFetch(resource, options);
  };

  /** Answer that file with nothing: what is in it is there already. */
  replace(name: string) {
    this.#replaced.add(name);
  }

  /** Say what failed, to anyone who waits for `failed`. */
  fail(sentence: string) {
    const problem = new CannotStart(sentence);
    this.#fail(problem);
    return problem;
  }

  async #checked(name: string) {
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
    if (name.endsWith(".bin")) return this.#unpacked(name, bytes);
    if (name.endsWith(".wasm")) return webAssembly(bytes);
    return new Response(bytes, { headers: { "Content-Type": type } });
  }

  async #unpacked(name: string, bytes: ReadableStream<Uint8Array<ArrayBuffer>>) {
    try {
      const whole = new Response(bytes.pipeThrough(new DecompressionStream("gzip")));
      return new Response(await whole.arrayBuffer());
    } catch (problem) {
      if (problem instanceof CannotStart) throw problem;
      throw this.fail(damaged(name, problem));
    }
  }

  #more(bytes: number) {
    this.done += bytes;
    this.#onBytes();
  }

  /**
   * Read ahead of anyone who takes it: browsers have six connections for a site, and one that is not
   * read to its end keeps a file waiting that is.
   */
  #counted(name: string, reader: ReadableStreamDefaultReader<Uint8Array>) {
    let there = 0;
    const pull = async (out: ReadableStreamDefaultController<Uint8Array>) => {
      const { done, value } = await reader.read().catch((problem) => {
        throw this.fail(`The line broke while ${name} came (${messageOf(problem)}). Try again.`);
      });
      if (done && there !== SIZES[name]) throw this.fail(otherSize(name, there));
      if (done) {
        if (this.#counts.has(name)) this.#leaveLane();
        return out.close();
      }
      there += value.length;
      if (this.#counts.has(name)) this.#more(value.length);
      return out.enqueue(value);
    };
    return new ReadableStream({ pull }, { highWaterMark: Number.POSITIVE_INFINITY });
  }
}

/**
 * Why scripts of ours did not run: browsers keep that to themselves, so each is asked for again,
 * and all others that were asked for of late.
 * @param first those that come to mind first
 * @returns a sentence, or "" where nothing is wrong with them now
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

const webAssembly = (bytes: ReadableStream<BufferSource>) =>
  new Response(bytes, { headers: { "Content-Type": "application/wasm" } });

export function unusable(files: Download, name: string, problem: unknown) {
  if (problem instanceof CannotStart) return problem;
  return files.fail(damaged(name, problem));
}

const PAGES = 1632; // of 64 KB: 480 with which Python begins, 1152 of the kernel
const EMPTY_MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);

/** Throw a CannotStart where WebAssembly, or memory for it, cannot be had. */
export function refuseWithoutWebAssembly() {
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

/** As it was before the worker's `fetch` became a Download's. */
const plainFetch = fetch.bind(globalThis);

function nameOf(address: string) {
  const whole = new URL(address, SITE).href.replace(/[?#].*$/, "");
  return whole.startsWith(SITE.href) ? whole.slice(SITE.href.length) : whole;
}

function refused(name: string, status: number) {
  const help =
    status === 404
      ? "Was every file of the page uploaded, also those in folders?"
      : "Try again; if it stays so, ask the site's owner.";
  return `${name} could not be fetched: the site answers ${status}. ${help}`;
}

function replaced(name: string, type: string) {
  return `In place of ${name} the site sends something else (${type || "nothing"}). Was every file of the page uploaded?`;
}

function mistyped(name: string, type: string) {
  return `The site sends ${name} as “${type || "no type"}”, which browsers do not run: it has to send .js files as text/javascript.`;
}

function damaged(name: string, problem: unknown) {
  return `${name} is damaged, or this browser is too old for it (${messageOf(problem)}). Try again; a newer browser helps, or uploading that file anew.`;
}

function otherSize(name: string, there: number) {
  const [got, due] = [there, SIZES[name]].map((n) => n.toLocaleString("en"));
  return there < SIZES[name]
    ? `${name} came cut short: ${got} of ${due} bytes. Try again; if it stays so, upload that file anew.`
    : `${name} is not the file that belongs to this page: ${got} bytes in place of ${due}. Load the page anew; if it stays so, upload all files of one build.`;
}

function messageOf(problem: unknown) {
  return problem instanceof Error ? problem.message : String(problem);
}

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
