// The page's results for comparison with Python's: reads lines of JSON [desk, position], writes a line
// of JSON for each. `canonical`: the canonical text, or "!" and the error message, for
// tests/contract/test_page_fuzz.py. `drawing`: the SVG of the page's picture, for test_pictures.py.
import { createInterface } from "node:readline";
import { complete, lean, Misfit } from "../../web/validate.js";

// lit-html needs a document when it is loaded; a template is a list of texts and values without one.
globalThis.document ??= { createTreeWalker: () => ({}), createComment: () => ({}) };

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

async function drawn(desk, position) {
  const { picture } = await import(`../../dist/desks/${desk}/picture.js`);
  return JSON.stringify(written(picture(complete(desk, position), desk === "mines" ? undefined : "")));
}

function canonical(desk, position) {
  try {
    return JSON.stringify(lean(desk, complete(desk, position)));
  } catch (problem) {
    if (!(problem instanceof Misfit)) throw problem;
    return `!${problem.message.replaceAll("\n", " ")}`;
  }
}

const answer = process.argv[2] === "drawing" ? drawn : canonical;
for await (const line of createInterface({ input: process.stdin }))
  console.log(await answer(...JSON.parse(line)));
