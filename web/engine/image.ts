/**
 * Python's memory as it is after its start, made by the build (wasm_build/site/snapshot.mjs), and put back
 * here: a start then imports nothing. The service worker keeps the file for later visits.
 *
 * Pyodide's own images hold no shared library, and msgspec is one. It is loaded here before the
 * runtime begins: memory is then handed out from its very start, so that the library lies at the
 * same place wherever the image is made or put back, and in a table of fixed length, since engines
 * differ in what they put there before.
 *
 * The file, packed by gzip: four 32-bit numbers (MAGIC, bytes of memory, of the head, runs), the
 * head as Pyodide made it, for each run its distance from the one before, for each run its length,
 * and the bytes of all runs, which are what differs from the memory before the start.
 */

import { members } from "../zip.js";

export type Files = {
  mkdirTree: (path: string) => void;
  writeFile: (path: string, bytes: Uint8Array) => void;
};
/** Emscripten's */
export type Module = {
  HEAPU8: Uint8Array;
  FS: Files;
  API: { restoreSnapshot: (head: Uint8Array) => unknown };
  wasmTable: WebAssembly.Table;
  preloadedWasm: Record<string, unknown>;
  growMemory: (size: number) => void;
  loadWebAssemblyModule: (code: Uint8Array, flags: object, name: string, scope: object) => Promise<unknown>;
  addRunDependency: (name: string) => void;
  removeRunDependency: (name: string) => void;
};
export type Settings = { preRun: ((module: Module) => void)[] };
export type Image = { memory: number; head: Uint8Array<ArrayBuffer>; runs: Uint32Array; body: Uint8Array };

export const MAGIC = 0x31637773;
const PACKAGES = "/lib/python3.14/site-packages/";
/** Where the runtime's own data end; all after them is 0 before the start. */
export const STATIC = 4 << 20;
const TABLE = 16384;
const LIBRARY = ".so";

/** What the image has in it already: our own modules; by the packages Python finds what there is. */
export const hasSnapshot = (name: string) => /^cluewise\/.*(?<!\/__init__)\.pyc$/.test(name);

/** Lay the members of wheels where Python looks for packages. */
export async function install(
  FS: Files,
  wheels: Uint8Array<ArrayBuffer>[],
  without: (name: string) => boolean = () => false,
) {
  for (const wheel of wheels) {
    for (const { name, bytes } of members(wheel)) {
      if (without(name)) continue;
      const path = PACKAGES + name;
      FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      FS.writeFile(path, await bytes());
    }
  }
}

/** Before the runtime begins: load the wheel's library, and tell of the memory as it is until then. */
export function withLibrary(
  settings: Settings,
  wheel: Promise<Uint8Array<ArrayBuffer>>,
  seen: (module: Module) => void | Promise<void>,
) {
  settings.preRun.push(async (module: Module) => {
    module.addRunDependency("library");
    await seen(module);
    module.wasmTable.grow(TABLE - module.wasmTable.length);
    for (const { name, bytes } of members(await wheel)) {
      if (!name.endsWith(LIBRARY)) continue;
      const [path, how] = [PACKAGES + name, { loadAsync: true, nodelete: true }];
      module.preloadedWasm[path] = await module.loadWebAssemblyModule(await bytes(), how, path, {});
    }
    module.removeRunDependency("library");
  });
}

/** What a file holds. Throws where it is none, or is cut short. */
export function read(file: ArrayBuffer): Image {
  const [magic, memory, head, count] = new Uint32Array(file, 0, 4);
  if (magic !== MAGIC) throw new Error("This is no image of Python's memory.");
  const at = 16 + head;
  const runs = new Uint32Array(file.slice(at, at + 8 * count));
  const body = new Uint8Array(file, at + 8 * count);
  const due = runs.subarray(count).reduce((sum, length) => sum + length, 0);
  if (body.length !== due) throw new Error("The image of Python's memory was cut short.");
  return { memory, head: new Uint8Array(file.slice(16, at)), runs, body };
}

/** Put a memory back, over what it was before the start. */
export function restore(module: Module, before: Uint8Array, { memory, runs, body }: Image) {
  if (module.HEAPU8.length < memory) module.growMemory(memory);
  const bytes = module.HEAPU8;
  bytes.set(before);
  bytes.fill(0, before.length);
  const count = runs.length / 2;
  for (let run = 0, to = 0, from = 0; run < count; run++) {
    const length = runs[count + run];
    to += runs[run];
    bytes.set(body.subarray(from, from + length), to);
    to += length;
    from += length;
  }
}
