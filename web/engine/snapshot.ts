/**
 * A snapshot of Python's memory after its start, made by the build (wasm_build/site/snapshot.mjs) and
 * restored here, so that a start imports nothing. The service worker caches the file for later visits.
 *
 * Pyodide's own snapshots exclude shared libraries, and msgspec is one. It is loaded before the runtime
 * starts: the allocator then begins at its lowest address, so the library gets the same address where the
 * snapshot is made and restored. The function table has a fixed length, since engines differ in its first
 * entries.
 *
 * The gzipped file stores the runs of bytes that differ from the memory before the start:
 *
 *   MAGIC | bytes of memory | bytes of head | n runs | head (Pyodide's) | n gaps | n lengths | bytes
 *   32 bits each                                                        | 32 bits each
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
export type Snapshot = { memory: number; head: Uint8Array<ArrayBuffer>; runs: Uint32Array; body: Uint8Array };

export const MAGIC = 0x31637773;
const PACKAGES = "/lib/python3.14/site-packages/";
/** End of the runtime's static data; the memory above is 0 before the start. */
export const STATIC = 4 << 20;
const TABLE = 16384; // entries
const LIBRARY = ".so";

/** Whether the snapshot contains a file: cluewise's modules, except package files, by which Python finds modules. */
export const hasSnapshot = (name: string) => /^cluewise\/.*(?<!\/__init__)\.pyc$/.test(name);

/** Unpacks wheels into Python's site-packages. */
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

/** Loads the wheel's shared library before the runtime starts. @param seen called before that */
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

/** Parses a snapshot; throws if it is none or truncated. */
export function readSnapshot(file: ArrayBuffer): Snapshot {
  const [magic, memory, head, count] = new Uint32Array(file, 0, 4);
  if (magic !== MAGIC) throw new Error("This is not a snapshot of Python's memory.");
  const at = 16 + head;
  const runs = new Uint32Array(file.slice(at, at + 8 * count));
  const body = new Uint8Array(file, at + 8 * count);
  const due = runs.subarray(count).reduce((sum, length) => sum + length, 0);
  if (body.length !== due) throw new Error("The snapshot of Python's memory was cut short.");
  return { memory, head: new Uint8Array(file.slice(16, at)), runs, body };
}

/** Restores a snapshot. @param before the static data before the start */
export function restoreSnapshot(module: Module, before: Uint8Array, { memory, runs, body }: Snapshot) {
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
