/** The page's types: `any` is left only where it gives its reason. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../web/", import.meta.url);
/** Where a type stands: `: any`, `any[]`, `Record<string, any>`, `as any`. */
const TYPE = /(?<=(?:[<(|:,&=]|\bas)\s*)any\b(?=\s*(?:[>[\]|),;&={}]|$))/;

test("a type that is any gives its reason on its line or above it", () => {
  const places = [];
  let uses = 0;
  for (const name of readdirSync(WEB, { recursive: true })) {
    if (!/^(?!types\/).*\.ts$/.test(name)) continue;
    const lines = readFileSync(new URL(name, WEB), "utf8").split("\n");
    for (const [i, line] of lines.entries()) {
      if (/^\s*(\/[/*]|\*)/.test(line) || !TYPE.test(line.replace(/\/\*.*?\*\/|\/\/.*/g, ""))) continue;
      uses++;
      const reason = lines.slice(Math.max(0, i - 3), i + 1).join(" ");
      if (!/\bany: \w/.test(reason)) places.push(`${name}:${i + 1}`);
    }
  }
  assert.ok(uses > 15);
  assert.deepEqual(places, [], "uses of any without a reason");
});
