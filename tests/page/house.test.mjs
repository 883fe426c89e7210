/** Rules for the page's source: no unused string or export, no class defined twice, no `any` without a reason. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

const root = new URL("../../", import.meta.url).pathname;
const read = (/** @type {string} */ folder) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(m?js|ts|html|py)$/.test(name) && !/__pycache__|^types\/|\.d\.ts$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, "utf8") }));
const page = read("web").filter(({ path }) => /\.[jt]s$/.test(path));
const users = [...page, ...["web", "tests", "e2e", "wasm_build"].flatMap(read)];
const tables = page.filter(({ path }) => /\/strings[^/]*\.[jt]s$/.test(path));

test("every key of a table of strings is used", async () => {
  assert.ok(tables.length > 5);
  const unused = [];
  for (const { path } of tables) {
    const among = path.startsWith("web/desks/")
      ? page.filter((one) => one.path.startsWith(dirname(path)))
      : page;
    const text = among.map((one) => one.text).join("\n");
    for (const key of Object.keys((await import(root + path)).words ?? {}))
      if (!new RegExp(`\\.${key}\\b`).test(text)) unused.push(`${path}: ${key}`);
  }
  assert.deepEqual(unused, []);
});

test("every export is imported by another file", () => {
  const unused = [];
  for (const { path, text } of page)
    for (const [, name] of text.matchAll(/^export (?:async )?(?:const|let|class|function\*?) (\w+)/gm))
      if (!users.some((one) => one.path !== path && new RegExp(`\\b${name}\\b`).test(one.text)))
        unused.push(`${path}: ${name}`);
  assert.deepEqual(unused, []);
});

test("a desk's style sheet has no class that the history or shared widgets define", () => {
  const classesOf = (/** @type {string} */ path) => {
    const css = readFileSync(`${root}web/${path}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list.split(","));
    return selectors.flatMap((one) => one.trim().match(/^\.([\w-]+)$/)?.[1] ?? []);
  };
  const shared = ["page", "parts"].flatMap((name) => classesOf(`style/${name}.css`));
  const desks = ["code", "rack", "scan", "mines", "sudoku"].flatMap((name) =>
    classesOf(`desks/${name}/${name}.css`),
  );
  assert.ok(shared.length > 20 && desks.length > 20);
  assert.deepEqual([...new Set(desks.filter((one) => shared.includes(one)))], []);
});

const WEB = new URL("../../web/", import.meta.url);
/** Where a type stands: `: any`, `any[]`, `Record<string, any>`, `as any`. */
const TYPE = /(?<=(?:[<(|:,&=]|\bas)\s*)any\b(?=\s*(?:[>[\]|),;&={}]|$))/;

test("every type that is any has its reason on its line or above it", () => {
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
