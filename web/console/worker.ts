/**
 * The console's own worker: Python with cluewise, one input at a time.
 *
 * In:  {type: "enter", source}          run it, or report that another line is needed
 *      {type: "wheels", files}          [{name, bytes}] to install
 * Out: {type: "phase", name, message}   "loading" | "starting" | "ready" (and whether it is `bound`) | "failed"
 *      {type: "more"}                   the source is not complete yet
 *      {type: "out", text}              printed output, as it is printed
 *      {type: "done", value, drawing}   text, or undefined if there is no value; SVG if it has a drawing
 *      {type: "fault", text}            a traceback or a message
 *
 * To stop an input, the page terminates this worker and starts another.
 */

import type { Pyodide } from "../engine/boot.js";
import { boot, CannotStart } from "../engine/boot.js";

const PAUSE = 40; // ms between two portions
const LONGEST = 400_000; // characters of one input

/** Defines the console's names. */
const PREPARE = `
import sys, cluewise
from cluewise.browser.console import Help, InteractiveConsole
prompt = InteractiveConsole({"cluewise": cluewise, "run": cluewise.run, "help": Help()})
`;

const INSTALL = `
import importlib, importlib.metadata, micropip, re
from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

async def install(paths):
    names = [parse_wheel_filename(path.rpartition("/")[2])[0] for path in paths]
    await micropip.install(["emfs:" + path for path in paths], deps=False, reinstall=True)
    importlib.invalidate_caches()
    lines = []
    for name in names:
        found = importlib.metadata.distribution(name)
        tops = sorted({str(f).split("/")[0].removesuffix(".py") for f in found.files or []
                       if str(f).endswith(".py")})
        lines.append(f"{found.name} {found.version} is installed: import " + ", ".join(tops))
        for text in found.requires or []:
            need = Requirement(text)
            if (need.marker is None or need.marker.evaluate({"extra": ""})) and not there(need.name):
                lines.append(f"It requires {need}, which is not installed. Drop that wheel too.")
    return "\\n".join(lines)

def there(name):
    try:
        importlib.metadata.distribution(name)
        return True
    except importlib.metadata.PackageNotFoundError:
        return name in ("numpy", "msgspec")
`;

/** Sends printed output: immediately, or in portions if there is much of it; truncated at a limit. */
class Output {
  #send: (text: string) => void;
  #decoder = new TextDecoder();
  #waiting = "";
  #sent = 0;
  #last = 0;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Starts the output of a new input. */
  begin() {
    this.#sent = 0;
    this.#last = 0;
  }

  /** Bytes as Python writes them; a character may be split between two calls. */
  write(bytes: Uint8Array) {
    this.#waiting += this.#decoder.decode(bytes, { stream: true });
    if (performance.now() - this.#last >= PAUSE) this.#pass();
    return bytes.length;
  }

  /** Sends the rest of the output. */
  end() {
    this.#pass();
  }

  #pass() {
    const room = LONGEST - this.#sent;
    const text = this.#waiting.slice(0, Math.max(0, room));
    const cut = room > 0 && this.#waiting.length > room;
    this.#sent += this.#waiting.length;
    this.#waiting = "";
    this.#last = performance.now();
    if (text) this.#send(cut ? `${text}\n… the rest is not shown\n` : text);
  }
}

let py: Pyodide;
/** any: a Python dict, as Pyodide shows it */
let names: any;
const output = new Output((text) => post({ type: "out", text }));

self.onmessage = ({ data }) => receive(data);
start();

async function start() {
  try {
    const begun = await boot((name, _done, _total, message) => post({ type: "phase", name, message }), {
      plain: true, // micropip asks Pyodide what is installed
    });
    py = begun.py;
    blockOtherSites();
    await py.loadPackage("numpy", { messageCallback: () => {}, errorCallback: () => {} });
    if (!("numpy" in py.loadedPackages))
      throw new CannotStart("numpy could not be fetched, which the console has. Are you offline?");
    py.setStdout({ write: (bytes) => output.write(bytes), isatty: false });
    py.setStderr({ write: (bytes) => output.write(bytes), isatty: false });
    py.setStdin({ error: true });
    names = py.toPy({});
    py.runPython(PREPARE, { globals: names });
    const version = py.runPython("import sys; sys.version.split()[0]");
    post({ type: "phase", name: "ready", message: version, bound: isBound() });
  } catch (problem) {
    const message = problem instanceof CannotStart ? problem.message : `Python did not start (${problem}).`;
    post({ type: "phase", name: "failed", message });
  }
}

/** @param message any: of one of the shapes that page.js posts */
async function receive(message: any) {
  output.begin();
  try {
    if (message.type === "wheels") await installed(message.files);
    else await entered(message.source);
  } catch (problem) {
    output.end();
    post({ type: "fault", text: faultText(problem) });
  }
}

async function entered(source: string) {
  const prompt = names.get("prompt");
  try {
    if (prompt.wants_more(source)) return post({ type: "more" });
    post({ type: "begun" });
    await py.loadPackagesFromImports(source, { messageCallback: () => {}, errorCallback: () => {} });
    const value = await prompt.run(source);
    done(value, prompt.drawing);
  } finally {
    prompt.destroy();
  }
}

async function installed(files: { name: string; bytes: Uint8Array }[]) {
  post({ type: "begun" });
  if (!names.has("install")) {
    await py.loadPackage("micropip", { messageCallback: () => {} });
    py.runPython(INSTALL, { globals: names });
  }
  py.FS.mkdirTree("/wheels");
  for (const { name, bytes } of files) py.FS.writeFile(`/wheels/${name}`, bytes);
  const install = names.get("install");
  try {
    output.write(new TextEncoder().encode(`${await install(files.map(({ name }) => `/wheels/${name}`))}\n`));
  } finally {
    install.destroy();
  }
  done(undefined);
}

function done(value: string | undefined, drawing = "") {
  flush();
  output.end();
  post({ type: "done", value, drawing });
}

function flush() {
  py.runPython("sys.stdout.flush(); sys.stderr.flush()", { globals: names });
}

/**
 * The traceback of a ConsoleError; of any other error the last line.
 * @param problem any: whatever was thrown
 */
function faultText(problem: any) {
  flush();
  const text = String(problem?.message ?? problem).trim();
  const mark = "cluewise.browser.console.ConsoleError: ";
  const at = text.indexOf(mark);
  return at >= 0 ? text.slice(at + mark.length) : (text.split("\n").pop() ?? text);
}

function post(message: object) {
  self.postMessage(message);
}

/** Whether the page's policy applies to this worker; it forbids code from strings. */
function isBound() {
  try {
    new Function("");
    return false;
  } catch {
    return true;
  }
}

/** Makes `fetch` to other sites fail with a clear message and removes other network interfaces; also a fallback where the policy is not enforced. */
function blockOtherSites() {
  const here = self as any; // any: its interfaces are deleted by name
  const fetched = here.fetch.bind(here);
  here.fetch = (resource: RequestInfo | URL, options: RequestInit | undefined) => {
    const address = new URL(resource instanceof Request ? resource.url : resource, import.meta.url);
    if (address.origin === new URL(import.meta.url).origin) return fetched(resource, options);
    return Promise.reject(new TypeError(`The console blocks requests to other sites (${address.origin}).`));
  };
  for (const way of ["XMLHttpRequest", "WebSocket", "WebTransport", "EventSource"]) delete here[way];
}
