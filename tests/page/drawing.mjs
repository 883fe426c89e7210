// The page's half of a comparison: positions in as lines of JSON [desk, position], the page's picture
// of each out as a line of JSON with its SVG. Used by tests/contract/test_pictures.py.
import { createInterface } from "node:readline";

// lit-html wants a document when it is loaded; a template is a list of texts and values without one.
globalThis.document ??= { createTreeWalker: () => ({}), createComment: () => ({}) };
const dist = new URL("../../dist/", import.meta.url);
const { complete } = await import(`${dist}validate.js`);

/** A template as text. */
function written(part) {
  if (part === null || part === undefined || part === false || typeof part === "symbol") return "";
  if (Array.isArray(part)) return part.map(written).join("");
  if (typeof part !== "object") return String(part).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const { strings, values } = part;
  return strings.reduce((text, next, i) => {
    const value = written(values[i - 1]);
    return text + (text.endsWith("=") ? `"${value}"` : value) + next;
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const [desk, position] = JSON.parse(line);
  const { picture } = await import(`${dist}desks/${desk}/picture.js`);
  console.log(JSON.stringify(written(picture(complete(desk, position), desk === "mines" ? undefined : ""))));
}
