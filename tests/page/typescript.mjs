/**
 * Lets Node load the page's TypeScript modules:
 *
 *   node --import ./tests/page/typescript.mjs --test tests/page/link.test.mjs
 *
 * An import of "./x.js" finds x.ts, as in the built site, and one of "./vendor/" what npm installed.
 * Types become blanks, so that lines and columns stay; the results are kept in .cache/ under the
 * hash of the module's text.
 */
import { createHash } from "node:crypto";
import fs from "node:fs";
import { register } from "node:module";
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

const CACHE = new URL("../../.cache/page-modules/", import.meta.url);
const MODULES = new URL("../../node_modules/", import.meta.url);
if (isMainThread) register(import.meta.url);

/** Node's hook: the address of a module. */
export async function resolve(specifier, context, next) {
  if (/^(\.|file:)/.test(specifier) && /\.js(\?.*)?$/.test(specifier)) {
    const source = new URL(specifier.replace(/\.js(?=\?|$)/, ".ts"), context.parentURL);
    if (fs.existsSync(fileURLToPath(source)))
      return { url: source.href, format: "module", shortCircuit: true };
  }
  if (specifier.startsWith("./vendor/")) {
    const path = specifier.replace("./vendor/", "").replace("lit-html/", "lit-html/node/");
    return next(new URL(path.replace("uqr/dist/index.js", "uqr/dist/index.mjs"), MODULES).href, context);
  }
  return next(specifier, context);
}

/** Node's hook: the text of a module. */
export async function load(url, context, next) {
  if (!/\.ts(\?.*)?$/.test(url)) return next(url, context);
  const text = fs.readFileSync(fileURLToPath(url), "utf8");
  const kept = new URL(`${createHash("sha256").update(text).digest("hex").slice(0, 24)}.js`, CACHE);
  let source = fs.existsSync(kept) ? fs.readFileSync(kept, "utf8") : "";
  if (!source) {
    const { default: blankTypes } = await import("ts-blank-space");
    source = blankTypes(text);
    fs.mkdirSync(CACHE, { recursive: true });
    const part = fileURLToPath(kept) + process.pid;
    fs.writeFileSync(part, source);
    fs.renameSync(part, kept); // another process may write the same
  }
  return { format: "module", source, shortCircuit: true };
}
