import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { decode, encode } from "../../web/session/link.js";

const DESKS = new URL("../../web/desks/", import.meta.url);
const BUDGET = 2000; // characters of a link that every messenger passes on whole

for (const entry of readdirSync(DESKS, { withFileTypes: true })) {
  const file = new URL(`${entry.name}/examples.js`, DESKS);
  if (!entry.isDirectory() || !existsSync(new URL("examples.ts", file))) continue;
  test(`every example of the ${entry.name} desk fits a link of ${BUDGET} characters`, async () => {
    const { examples } = await import(file.href);
    assert.ok(examples.length >= 3);
    for (const { title, fact, position } of examples) {
      assert.ok(title && fact, "an example says what it is and what it shows");
      const fragment = await encode(entry.name, position, {});
      assert.ok(`https://example.org/cluewise/${fragment}`.length <= BUDGET, `${title}: ${fragment.length}`);
      assert.equal((await decode(fragment)).desk, entry.name);
    }
  });
}
