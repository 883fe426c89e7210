/** Turns: a cut and how it ended, asked of the engine and put on the table as one step. */
import { accept, isMine, ownerOf, playersOf, seen, slotAt } from "./model.js";
import { valueName, words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */

/** Note a turn; where the engine needs to know more, the page asks. @param {Context} context @param {any} options */
export function record(context, options) {
  const { position } = context;
  return context
    .ask({ want: "outcome", position, options })
    .promise.then((found) => {
      context.set({
        at: null,
        failed: null,
        failing: false,
        pointed: null,
        along: null,
        chosen: "",
        actor: nextPlayer(position, options.actor),
      });
      context.commit(accept(found.position), found.text);
      context.say(found.text);
      if (found.exploded) context.tell(words.exploded);
    })
    .catch((fault) => context.tell(fault.message ?? String(fault)));
}

/** Whose turn comes next, clockwise. @param {any} position @param {number | undefined} actor */
function nextPlayer(position, actor) {
  if (position.sealed) return null;
  const players = playersOf(position);
  return players[(players.indexOf(actor ?? position.viewer) + 1) % players.length] ?? null;
}

/** The player whose turn is noted. @param {Context} context */
export function actorOf({ position, view }) {
  return view.actor ?? position.viewer;
}

/** A cut that worked. @param {Context} context @param {[number, number]} place @param {string} value */
export function worked(context, place, value) {
  const actor = actorOf(context);
  const options = { action: "dual", actor, stand: place[0], slots: [place[1]], value, success: true };
  if (context.position.sealed || actor === context.position.viewer || shownOf(context, actor, value))
    return record(context, options);
  context.set({ along: { options, value }, at: null });
  return null;
}

/**
 * A cut that failed: the token shows what it shows. A detector points at more slots than the token's.
 * @param {Context} context @param {[number, number]} place @param {string} value @param {string} shown
 */
export function failed(context, place, value, shown) {
  const own = slotAt(context.position, place);
  const cut = /** @type {{stand: number, slots: number[]} | null | undefined} */ (context.view.pointed);
  const pointed = cut?.stand === place[0] && cut.slots.includes(place[1]) ? cut.slots : [place[1]];
  return record(context, {
    action: "dual",
    actor: actorOf(context),
    stand: place[0],
    slots: pointed,
    at: place[1],
    value,
    success: false,
    shown: (own && isMine(context.position, place[0]) && seen(own)) || shown,
  });
}

/** Whether a player has an uncut wire of the value on show. @param {Context} context @param {number} player @param {string} value */
function shownOf({ position }, player, value) {
  return position.stands.some(
    (/** @type {any} */ stand, /** @type {number} */ i) =>
      ownerOf(position, i) === player &&
      stand.slots.some((/** @type {any} */ s) => s.state === "info" && seen(s) === value),
  );
}

/** The tile of the acting player has been tapped. @param {Context} context */
export function finishAlong(context) {
  const { along } = context.view;
  if (!along?.own) return;
  context.set({ along: null });
  record(context, { ...along.options, own: along.own });
}

export { valueName };
