/** Practice with partners: the others' turns, played by the package, with their reasons. */
import type { FaultFacts } from "../desk.js";
import type { Context, Made } from "./model.js";
import { nextOpen, playersOf, tableAfter } from "./model.js";
import { words } from "./strings.js";
import { isIn, isLost, lastActor } from "./turn-order.js";

const MOST_TURNS = 60; // no game takes more

/** The partner whose turn it is in a practice game with partners; null while it is the viewer's. */
export function partnerDue({ position, view, past }: Pick<Context, "position" | "view" | "past">) {
  if (!position.sealed || !view.partners || nextOpen(position) || isLost({ position, past })) return null;
  const players = playersOf(position);
  const last = lastActor(past);
  const begun =
    last !== null ||
    position.stands.some(
      (s, i) => (s.owner ?? i) === position.viewer && s.slots.some((slot) => slot.state === "info"),
    );
  if (!begun) return null; // the viewer shows her first token
  const from = last === null ? players.length - 1 : players.indexOf(last);
  const next = players.map((_, k) => players[(from + 1 + k) % players.length]).find((p) => isIn(position, p));
  return next === undefined || next === position.viewer ? null : next;
}

/** All partners' turns up to the viewer's next one, each a step of the log. */
export async function playPartners(context: Context) {
  let { position } = context;
  let { past } = context;
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const actor = partnerDue({ position, view: context.view, past });
    if (actor === null) return;
    try {
      const found = await context.ask({ want: "partner", position, options: { actor } }).promise;
      position = tableAfter(found);
      const { exploded } = found;
      const turn: Made = found.made
        ? { want: "outcome", options: found.made, exploded }
        : { want: "use", options: { card: "skip", actor }, exploded };
      const label = `${found.text} ${words.partners.because(found.reason)}`;
      context.commit(position, label, { turn, view: { at: null, turn: null, chosen: "" } });
      context.say(label);
      past = [...past, { id: "", label, position, turn }];
    } catch (fault) {
      context.tell((fault as FaultFacts).message);
      return;
    }
  }
}
