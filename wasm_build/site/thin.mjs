// Pyodide's module without the functions that no recorded run has called.
//
//   node site/thin.mjs probe IN OUT           every function notes in exported globals that it ran
//   node site/thin.mjs thin IN PROFILE OUT    other bodies are one stub of nine bytes
//   node site/thin.mjs profile IN RAN PROFILE  write the profile of a JSON list of functions that ran
//
// A stub sets the exported global `missed` to 1 and traps. Numbers of functions, tables, types and
// memory stay as they are, so snapshots of the memory and Pyodide's script fit both modules. A worker
// that finds `missed` set gives no answer: the page starts one with the whole module (engine/client.js).
//
// Two tables of data are emptied as well. Their bytes lie between two addresses that only functions of
// their own object files name, and the linker places the data of object files in the order of their
// functions, so no other function can reach them; thinning refuses a profile that keeps one of these.
//
// The profile (runtime-profile.txt) names the module by its hash and lists ranges of functions. What it
// keeps besides those that ran: the bridge between Python and JavaScript, the interpreter, and modules
// of the library whose functions depend on a question's values more than on its kind.
import crypto from "node:crypto";
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import * as wasm from "./wasm.mjs";

/** Ranges that stay whole, by exported names: object files stand in the order in which they were linked. */
const WHOLE = [
  ["", "PyOS_Readline"],
  ["PyOS_Readline", "_PyUnicode_IsAlpha"],
  ["_PyWarnings_Init", "_PyWarnings_Init"],
  ["Py_GetRecursionLimit", "_Py_strhex"],
];
const MODULES =
  "array math _struct _sre _collections itertools _functools _operator _io _codecs gc errno _random _bisect _heapq _typing".split(
    " ",
  );
const MODULE_SPAN = 400; // functions before PyInit_…, at most, that may belong to a module

/**
 * Data of object files, from one address to another that their functions name. `immediates` are
 * numbers in kept functions that are no addresses: bounds of Unicode, and a multiplier of a generator.
 */
const TABLES = [
  {
    what: "East Asian codecs",
    functions: ["PyInit__codecs_cn", "PyInit__multibytecodec"],
    addresses: [1028928, 1310832],
    immediates: [0xffc00, 0xfffff, 0x100000, 0x101000, 0x10ffff, 0x110000, 0x120000],
  },
  {
    what: "names and decompositions of Unicode characters",
    functions: ["PyInit_unicodedata", "PyInit_fcntl"],
    addresses: [1573680, 2020000],
    immediates: [1664525],
  },
];

/** @param {Uint8Array} bytes */
export function probe(bytes) {
  const bodies = wasm.bodies(bytes);
  const first = wasm.imported(bytes).globals + wasm.globals(bytes);
  const code = bodies.map(({ at, end }, i) => {
    const global = wasm.unsigned(first + (i >> 5));
    const begin = wasm.instructions(bytes, at);
    // global |= 1 << (i & 31)
    const note = [0x23, ...global, 0x41, ...wasm.signed(1 << (i & 31)), 0x72, 0x24, ...global];
    return Buffer.concat([bytes.subarray(at, begin), Uint8Array.from(note), bytes.subarray(begin, end)]);
  });
  const names = Array.from({ length: Math.ceil(bodies.length / 32) }, (_, i) => `ran${i}`);
  return wasm.withCode(bytes, code, names);
}

/** @param {Uint8Array} bytes @param {Set<number>} kept numbers of functions that the module defines */
export function thin(bytes, kept) {
  return withStubs(withoutTables(bytes, kept), kept);
}

/** The module with a stub in place of the other functions. @param {Uint8Array} bytes @param {Set<number>} kept */
export function withStubs(bytes, kept) {
  const global = wasm.unsigned(wasm.imported(bytes).globals + wasm.globals(bytes));
  const stub = Uint8Array.from([0, 0x41, 1, 0x24, ...global, 0, 0x0b]); // missed = 1; unreachable
  const code = wasm
    .bodies(bytes)
    .map(({ at, end }, i) => (kept.has(i) || end - at <= stub.length ? bytes.subarray(at, end) : stub));
  return wasm.withCode(bytes, code, ["missed"]);
}

/** The module with the tables emptied. Throws where one might be reached. @param {Uint8Array} bytes @param {Set<number>} kept */
export function withoutTables(bytes, kept) {
  const places = placesOf(bytes);
  const named = wasm.bodies(bytes).map((body) => constants(bytes, body));
  const out = Buffer.from(bytes);
  for (const { what, functions, addresses, immediates } of TABLES) {
    const [first, after] = functions.map((name) => places.get(name) ?? -1);
    const [from, to] = addresses;
    const owners = new Set(named.slice(first, after).flatMap((found) => [...found]));
    if (!owners.has(from) || !owners.has(to)) throw new Error(`The table of ${what} lies elsewhere.`);
    named.forEach((found, i) => {
      if (!kept.has(i)) return;
      const reaches = [...found].some((one) => one >= from && one < to && !immediates.includes(one));
      if (reaches || (i >= first && i < after))
        throw new Error(`Function ${i} may read the table of ${what}.`);
    });
    for (const { at, end, address } of wasm.segments(bytes)) {
      const begin = Math.max(from, address);
      const until = Math.min(to, address + end - at);
      if (begin < until) out.fill(0, at + begin - address, at + until - address);
    }
  }
  return out;
}

/**
 * Numbers in a body that may be addresses: operands of i32.const and offsets of loads and stores. Every
 * byte that could be such an instruction is read as one, so some numbers are none, and none is missing.
 * @param {Uint8Array} bytes @param {{at: number, end: number}} body @returns {Set<number>}
 */
function constants(bytes, { at, end }) {
  const found = new Set();
  for (let p = at; p < end - 1; p++) {
    if (bytes[p] === 0x41) found.add(wasm.readSigned(bytes, p + 1)[0]);
    else if (bytes[p] >= 0x28 && bytes[p] <= 0x3e && bytes[p + 1] < 4)
      found.add(wasm.readUnsigned(bytes, p + 2)[0]);
  }
  return found;
}

/** Exported names of functions, with their numbers among those that the module defines. @param {Uint8Array} bytes @returns {Map<string, number>} */
function placesOf(bytes) {
  const { functions } = wasm.imported(bytes);
  const named = wasm.exports(bytes).filter(({ kind }) => kind === wasm.KIND.function);
  return new Map(named.map(({ name, index }) => [name, index - functions]));
}

/** The functions that stay whatever ran. @param {Uint8Array} bytes @returns {Set<number>} */
function always(bytes) {
  const places = placesOf(bytes);
  const placeOf = (/** @type {string} */ name) => {
    const place = places.get(name);
    if (place === undefined) throw new Error(`The module exports no ${name}.`);
    return place;
  };
  const kept = new Set();
  const keep = (/** @type {number} */ from, /** @type {number} */ to) => {
    for (let i = from; i <= to; i++) kept.add(i);
  };
  for (const [from, to] of WHOLE) keep(from ? placeOf(from) : 0, placeOf(to));
  const begins = [...places].filter(([name]) => name.startsWith("PyInit_")).map(([, place]) => place);
  for (const name of MODULES) {
    const end = placeOf(`PyInit_${name}`);
    keep(Math.max(...begins.filter((one) => one < end), end - MODULE_SPAN) + 1, end);
  }
  return kept;
}

/** @param {Uint8Array} bytes */
const hashOf = (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");

/** @param {Uint8Array} bytes @param {Iterable<number>} ran @returns {string} */
export function profileOf(bytes, ran) {
  const kept = [...new Set([...always(bytes), ...ran])].sort((a, b) => a - b);
  const ranges = [];
  for (const i of kept) {
    const last = ranges.at(-1);
    if (last && last[1] === i - 1) last[1] = i;
    else ranges.push([i, i]);
  }
  const lines = [""];
  for (const [from, to] of ranges) {
    const word = from === to ? `${from}` : `${from}-${to}`;
    if (lines[lines.length - 1].length + word.length > 98) lines.push("");
    lines[lines.length - 1] += lines[lines.length - 1] ? ` ${word}` : word;
  }
  return `sha256 ${hashOf(bytes)}\n${lines.join("\n")}\n`;
}

/** The functions that a profile keeps. Throws where it was recorded with another module. @param {Uint8Array} bytes @param {string} profile @returns {Set<number>} */
export function keptBy(bytes, profile) {
  const [head, ...lines] = profile.split("\n");
  if (head !== `sha256 ${hashOf(bytes)}`)
    throw new Error(
      "The profile was recorded with another Pyodide: run python -m wasm_build.site.profile_runtime.",
    );
  const kept = new Set();
  for (const word of lines.join(" ").split(" ").filter(Boolean)) {
    const [from, to = from] = word.split("-").map(Number);
    for (let i = from; i <= to; i++) kept.add(i);
  }
  return kept;
}

const [command, input, ...rest] =
  process.argv[1] === fileURLToPath(import.meta.url) ? process.argv.slice(2) : [];
if (command) {
  const bytes = fs.readFileSync(input);
  if (command === "probe") fs.writeFileSync(rest[0], probe(bytes));
  else if (command === "thin")
    fs.writeFileSync(rest[1], thin(bytes, keptBy(bytes, fs.readFileSync(rest[0], "utf8"))));
  else if (command === "profile")
    fs.writeFileSync(rest[1], profileOf(bytes, JSON.parse(fs.readFileSync(rest[0], "utf8"))));
  else throw new Error(`There is no command ${command}.`);
}
