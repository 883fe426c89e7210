/** Helpers for tests of the rack desk: tables as text, the pad and its keys, the log. */
import assert from "node:assert/strict";
import "./template.mjs";

const { slotFromText } = await import("../../web/desks/rack/model.js");

/** Stands in shorthand, one per line: `7` cut, `?7` known, `i7` shown, `? | YELLOW` has one yellow wire. */
export const standsOf = (text, names) =>
  text.split("\n").map((line, i) => {
    const [slots, one] = line.split(" | ");
    const facts = one ? [{ kind: "one", value: one }] : [];
    return { name: names[i], slots: slots.split(" ").map((slot) => slotFromText(slot)), facts };
  });
export const tile = (desk, stand, slot) => desk.page.one(`[data-place="${stand}.${slot}"]`);
export const tap = (desk, stand, slot) => desk.press(tile(desk, stand, slot));
export const pad = (desk) => desk.page.one(".pad-box");
/** Presses keys of the pad; a chance may follow the name: `5 12 %`, `yellow 3, 12 %`. */
export async function press(desk, ...names) {
  for (const name of names) {
    const keys = pad(desk).all("button");
    const key = keys.find((one) => [name, `${name},`].includes(one.name.replace(/ [<>\d ]+ %$/, "")));
    assert.ok(key, `${name} is no key of: ${pad(desk).text}`);
    await desk.press(key);
  }
}
export const bar = (desk) => desk.page.one(".advice-bar");
export const log = (desk) => desk.page.all(".turns li span").map((one) => one.text);
export const cutTiles = (desk) => desk.page.all(".tile.cut").length;
export const dialog = (desk) => desk.page.one("dialog");
