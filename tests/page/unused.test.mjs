/** Every string of a page's table is shown somewhere, and every export of a module is imported somewhere. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

const root = new URL("../../", import.meta.url).pathname;
const read = (/** @type {string} */ folder) =>
  readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(m?js|html|py)$/.test(name) && !/__pycache__|^types\//.test(name))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(`${root}${folder}/${name}`, "utf8") }));
const page = read("web").filter(({ path }) => path.endsWith(".js"));
const users = [...page, ...["web", "tests", "e2e", "wasm_build"].flatMap(read)];
const tables = page.filter(({ path }) => /\/strings[^/]*\.js$/.test(path));

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

test("a desk's style sheet styles no class that the history or shared parts define", () => {
  const classesOf = (/** @type {string} */ path) => {
    const css = readFileSync(`${root}web/${path}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    const selectors = [...css.matchAll(/([^{}]+)\{/g)].flatMap(([, list]) => list.split(","));
    return selectors.flatMap((one) => one.trim().match(/^\.([\w-]+)$/)?.[1] ?? []);
  };
  const shared = ["page", "parts", "history", "pictures"].flatMap((name) => classesOf(`style/${name}.css`));
  const desks = ["code", "rack", "scan", "mines", "sudoku"].flatMap((name) =>
    classesOf(`desks/${name}/${name}.css`),
  );
  assert.ok(shared.length > 20 && desks.length > 20);
  assert.deepEqual([...new Set(desks.filter((one) => shared.includes(one)))], []);
});
