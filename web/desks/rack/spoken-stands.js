/** The stands in sentences, for who hears them: slot by slot what is cut, shown, known or likely. */
import { byValue, isMine, letter, seating, seen } from "./model.js";
import { nameOf, words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Slot} Slot */

/** A sentence a stand, one's own first. @param {Pick<Context, "position" | "replies">} context @returns {string[]} */
export function describeStands({ position, replies }) {
  const { posterior } = replies;
  const chances = posterior?.fault || posterior?.stale ? null : posterior?.value;
  return seating(position).map((i) => {
    const one = position.stands[i];
    const own = isMine(position, i);
    const tiles = one.slots.map((/** @type {Slot} */ slot, /** @type {number} */ j) =>
      describeTile(letter(j), slot, own && seen(slot) ? null : (chances?.stands[i]?.slots[j] ?? null)),
    );
    const facts = one.facts.map((fact) => (own ? words.factsOwn(fact) : words.facts(fact)));
    return words.standTold(nameOf(position, i), [...tiles, ...facts]);
  });
}

/** @param {string} where "A", or the whole name @param {Slot} slot @param {Record<string, number> | null} chances by wire */
export function describeTile(where, slot, chances) {
  const ranked = chances ? byValue(chances) : [];
  const value = seen(slot);
  const red = ranked.find(([v]) => v === "RED")?.[1] ?? 0;
  const what = value ? seenAs(slot, value) : hidden(ranked, red);
  return words.spokenTile(where, what, slot.tokens ?? []);
}

/** @param {Slot} slot @param {string} value */
function seenAs({ state }, value) {
  if (state === "cut") return words.isCut(value);
  return state === "info" ? words.isShown(value) : words.isYours(value);
}

/** @param {[string, number][]} ranked @param {number} red */
function hidden(ranked, red) {
  const likely =
    ranked.length === 1 ? words.sureWire(ranked[0][0]) : ranked.length ? words.likely(...ranked[0]) : "";
  return [words.isHidden, likely, red ? words.danger(red) : ""].filter(Boolean).join(", ");
}
