import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { canonical, decode } from "../../web/session/link.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/links.json", import.meta.url), "utf8"));

test("links written by the terminal keep their meaning on the page", async () => {
  assert.ok(vectors.length >= 9);
  for (const { desk, link, position } of vectors) {
    const found = await decode(link);
    assert.equal(found.desk, desk);
    assert.equal(canonical(desk, found.position), canonical(desk, position));
  }
});
