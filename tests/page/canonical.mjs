// The page's half of a comparison: positions in as lines of JSON [desk, position], the canonical text
// of each out, or the sentence that refuses it after a "!". Used by tests/contract/test_page_fuzz.py.
import { createInterface } from "node:readline";
import { complete, lean, Misfit } from "../../web/validate.js";

for await (const line of createInterface({ input: process.stdin })) {
  const [desk, position] = JSON.parse(line);
  try {
    console.log(JSON.stringify(lean(desk, complete(desk, position))));
  } catch (problem) {
    if (!(problem instanceof Misfit)) throw problem;
    console.log(`!${problem.message.replaceAll("\n", " ")}`);
  }
}
