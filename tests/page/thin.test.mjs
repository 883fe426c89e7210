/** Pyodide's module as a first visit gets it: what stays, what is a stub, and that a stub is noticed. */
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { keptBy, probe, profileOf, withoutTables, withStubs } from "../../wasm_build/site/thin.mjs";
import * as wasm from "../../wasm_build/site/wasm.mjs";

// (import "e" "log" (func (param i32)))  (global i32 7)
// (func (export "a") (result i32) i32.const 1)
// (func (export "b") (result i32) (local i64) i32.const 2 call $log i32.const 100000 i32.const 3 i32.add)
const SMALL = Buffer.from(
  "0061736d0100000001090260017f00" + // types
    "6000017f" +
    "0209010165036c6f670000" + // imports
    "0303020101" + // functions
    "0606017f0041070b" + // globals
    "070902016100010162" + "0002" + // exports
    "0a160204" + "0041010b" + "0f" + "01017e" + "4102" + "1000" + "41a08d06" + "4103" + "6a" + "0b",
  "hex",
); // biome-ignore format: sections
const instantiate = async (bytes) => {
  const { instance } = await WebAssembly.instantiate(bytes, { e: { log() {} } });
  return instance.exports;
};

test("a function that no run has called is a stub that traps and sets the mark; others answer as before", async () => {
  const whole = await instantiate(SMALL);
  assert.deepEqual([whole.a(), whole.b()], [1, 100_003]);
  const thin = await instantiate(withStubs(SMALL, new Set([0])));
  assert.deepEqual([thin.a(), thin.missed.value], [1, 0]);
  assert.throws(() => thin.b(), WebAssembly.RuntimeError);
  assert.equal(thin.missed.value, 1);
  const probed = await instantiate(probe(SMALL));
  assert.deepEqual([probed.b(), probed.ran0.value], [100_003, 2]);
  assert.deepEqual([probed.a(), probed.ran0.value], [1, 3]);
});

test("the built module keeps every function of the profile, and no kept function can reach an emptied table", () => {
  const whole = fs.readFileSync("node_modules/pyodide/pyodide.asm.wasm");
  const profile = fs.readFileSync("wasm_build/site/runtime-profile.txt", "utf8");
  const kept = keptBy(whole, profile);
  assert.equal(profileOf(whole, kept), profile);
  assert.throws(() => keptBy(SMALL, profile), /recorded with another Pyodide/);
  const thin = withStubs(withoutTables(whole, kept), kept);
  const [before, after] = [wasm.bodies(whole), wasm.bodies(thin)];
  const stays = before.map(({ at, end }, i) =>
    whole.subarray(at, end).equals(thin.subarray(after[i].at, after[i].end)),
  );
  assert.ok([...kept].every((i) => stays[i]));
  assert.ok(stays.filter((same) => !same).length > 8000);
  // One more function of the codecs or of unicodedata, and their tables would have to stay.
  const { functions } = wasm.imported(whole);
  for (const name of ["PyInit__codecs_jp", "PyInit_unicodedata"]) {
    const { index } = wasm.exports(whole).find((one) => one.name === name);
    assert.throws(() => withoutTables(whole, new Set([...kept, index - functions])), /may read the table/);
  }
});
