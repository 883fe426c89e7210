/** The page's types: `any` is left only where it gives its reason. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../web/", import.meta.url);

/** Where a type stands: `{any}`, `any[]`, `Record<string, any>`, `(x: any)`. */
const TYPE = /(?<=[{<(|:,&=]\s*)any(?=\s*[}>[\]|),;&=*])/g;

/** Every use with its place, such as desks/code/page.js:12, and whether "any: …" beside it says why. */
function uses() {
  const files = readdirSync(WEB, { recursive: true }).filter(
    (name) => /\.(js|d\.ts)$/.test(name) && !/^(vendor|types)\//.test(name) && name !== "sw.js",
  );
  return files.flatMap((name) => {
    const lines = readFileSync(new URL(name, WEB), "utf8").split("\n");
    return lines.flatMap((line, i) => {
      const typed = /\/\*\*|^\s*\*/.test(line) || name.endsWith(".d.ts");
      const found = typed ? (line.match(TYPE) ?? []) : [];
      const reason = `${line} ${lines[i + 1] ?? ""}`;
      return found.map(() => ({ place: `${name}:${i + 1}`, reason: /\bany: \w/.test(reason) }));
    });
  });
}

test("a type that is any gives its reason beside it", () => {
  const bare = uses().filter((use) => !use.reason);
  const places = bare.map((use) => use.place);
  assert.deepEqual(places, [], "uses of any without a reason");
});
