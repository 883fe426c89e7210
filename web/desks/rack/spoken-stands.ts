/** The stands in sentences, for who hears them: slot by slot what is cut, shown, known or likely. */

import type { Context, Slot } from "./model.js";
import { byValue, isMine, letter, seating, seen } from "./model.js";
import { nameOf, words } from "./strings.js";

/** A sentence a stand, one's own first. */
export function describeStands({ position, replies }: Pick<Context, "position" | "replies">): string[] {
  const { posterior } = replies;
  const chances = posterior?.fault || posterior?.stale ? null : posterior?.value;
  return seating(position).map((i) => {
    const one = position.stands[i];
    const own = isMine(position, i);
    const tiles = one.slots.map((slot: Slot, j: number) =>
      describeTile(letter(j), slot, own && seen(slot) ? null : (chances?.stands[i]?.slots[j] ?? null)),
    );
    const facts = one.facts.map((fact) => (own ? words.factsOwn(fact) : words.facts(fact)));
    return words.standTold(nameOf(position, i), [...tiles, ...facts]);
  });
}

/** @param where "A", or the whole name @param chances by wire */
export function describeTile(where: string, slot: Slot, chances: Record<string, number> | null) {
  const ranked = chances ? byValue(chances) : [];
  const value = seen(slot);
  const red = ranked.find(([v]) => v === "RED")?.[1] ?? 0;
  const what = value ? seenAs(slot, value) : hidden(ranked, red);
  return words.spokenTile(where, what, slot.tokens ?? []);
}

function seenAs({ state }: Slot, value: string) {
  if (state === "cut") return words.isCut(value);
  return state === "info" ? words.isShown(value) : words.isYours(value);
}

function hidden(ranked: [string, number][], red: number) {
  const likely =
    ranked.length === 1 ? words.certainly(ranked[0][0]) : ranked.length ? words.likely(...ranked[0]) : "";
  return [words.isHidden, likely, red ? words.danger(red) : ""].filter(Boolean).join(", ");
}
