/** Turns: a cut and how it ended, asked of the engine and put on the table as one step. */
import { isMine, ownerOf, playersOf, seen, whole } from "./model.js";
import { words } from "./words.js";

/**
 * @typedef {import("../desk.js").Context} Context
 * @typedef {"dual" | "double" | "triple" | "super" | "either"} Device
 * What the pad has been told of a cut so far.
 * @typedef {{device: Device, slots: number[], values: string[], failing: boolean, at: number | null}} Told
 */

const POINTS = { double: 2, triple: 3 };

/** The slots that equipment may point at: a super detector at all that is not cut, others at what is hidden; none at unsorted wires. @param {any} position @param {number} stand @param {Device} device @returns {number[]} */
export function reachOf(position, stand, device) {
  const slots = position.stands[stand]?.slots ?? [];
  return uncutOf(position, stand).filter(
    (j) => (device === "super" || slots[j].state === "hidden") && !slots[j].tokens.includes("unsorted"),
  );
}

/** The slots of a stand that are not cut. @param {any} position @param {number} stand @returns {number[]} */
export function uncutOf(position, stand) {
  const slots = position.stands[stand]?.slots ?? [];
  return slots.flatMap((/** @type {any} */ s, /** @type {number} */ j) => (s.state === "cut" ? [] : [j]));
}

/** Whether the owner of a stand acts, a teammate: she can only cut alone. @param {Pick<Context, "position" | "view">} context @param {number} stand */
export function isAlone({ position, view }, stand) {
  const owner = ownerOf(position, stand);
  return !position.sealed && owner !== position.viewer && owner === actorOf({ position, view });
}

/** The slots that may be chosen for a cut, and how many of them; none where the one tapped is meant. @param {Pick<Context, "position" | "view">} context @param {number} stand @returns {{slots: number[], most: number}} */
export function choosable(context, stand) {
  const { position, view } = context;
  const device = /** @type {Device} */ (view.turn?.device ?? "dual");
  if (isAlone(context, stand)) {
    const slots = uncutOf(position, stand);
    return { slots, most: slots.length };
  }
  if (device !== "double" && device !== "triple") return { slots: [], most: 1 };
  const slots = reachOf(position, stand, device);
  return { slots, most: Math.min(POINTS[device], slots.length) };
}

/** The cut that is being noted at a place. @param {Pick<Context, "position" | "view">} context @param {[number, number]} place @returns {Told} */
export function toldOf(context, place) {
  const { position, view } = context;
  const told = { device: "dual", slots: [place[1]], values: [], failing: false, at: null, ...view.turn };
  if (told.device === "super") return { ...told, slots: reachOf(position, place[0], "super") };
  return choosable(context, place[0]).slots.length ? told : { ...told, slots: [place[1]] };
}

/** One more is chosen or left out; where there are too many, the first one goes. @template T @param {T[]} list @param {T} one @param {number} most @returns {T[]} */
export function toggled(list, one, most) {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one].slice(-most);
}

/** Whether all is named that the device names. @param {Told} told */
export function complete(told) {
  return told.values.length === (told.device === "either" ? 2 : 1);
}

/** One thing more is told; the next key is at hand for who types. @param {Context} context @param {Partial<Told>} more */
export function stepTo(context, more) {
  const asked = "at" in more || "values" in more;
  const first = () => /** @type {any} */ (document.querySelector(".pad-box .step button"))?.focus();
  context.set({ turn: { ...context.view.turn, ...more } }, asked ? first : undefined);
}

/** Note a turn; where the engine needs to know more, the page asks. @param {Context} context @param {any} options */
export function record(context, options) {
  const { position } = context;
  return context
    .ask({ want: "outcome", position, options })
    .promise.then((found) => {
      context.set({
        at: null,
        turn: null,
        along: null,
        chosen: "",
        actor: nextPlayer(position, options.actor),
      });
      context.commit(whole(found.position), found.text);
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

/** The player whose turn is noted. @param {Pick<Context, "position" | "view">} context */
export function actorOf({ position, view }) {
  return view.actor ?? position.viewer;
}

/** A cut that worked: a teammate's own wire that went along is asked for, unless it lies in the open. @param {Context} context @param {any} options */
export function worked(context, options) {
  const { position } = context;
  const wire = String(options.shown ?? options.value);
  const value = wire[0] === "Y" ? "YELLOW" : wire;
  const whole = { ...options, success: true };
  if (options.actor === position.viewer || shownOf(context, options.actor, value))
    return record(context, whole);
  context.set({ along: { options: whole, value }, at: null, turn: null });
  return null;
}

/** A cut that failed, the token on slot `at` showing `shown`. @param {Context} context @param {any} options @param {number} at @param {string} shown */
export function failed(context, options, at, shown) {
  return record(context, { ...options, at, success: false, shown });
}

/** Whether a player has an uncut wire of the value on show. @param {Context} context @param {number} player @param {string} value */
function shownOf({ position }, player, value) {
  return position.stands.some(
    (/** @type {any} */ stand, /** @type {number} */ i) =>
      ownerOf(position, i) === player &&
      stand.slots.some((/** @type {any} */ s) => s.state === "info" && seen(s) === value),
  );
}

/** The wire that went along has been chosen: only an uncut one of the acting player's will do. @param {Context} context @param {[number, number]} place */
export function takeAlong(context, place) {
  const { along } = context.view;
  const slot = context.position.stands[place[0]]?.slots[place[1]];
  if (!along || !slot) return;
  if (ownerOf(context.position, place[0]) !== along.options.actor || slot.state === "cut") {
    context.tell(words.alongHers);
    return;
  }
  context.set({ along: null });
  record(context, { ...along.options, own: place });
}

/** Whether every wire of the viewer's own is cut. @param {any} position */
export function isDone(position) {
  const own = position.stands.filter((/** @type {any} */ _, /** @type {number} */ i) => isMine(position, i));
  const slots = own.flatMap((/** @type {any} */ stand) => stand.slots);
  return slots.length > 0 && slots.every((/** @type {any} */ slot) => slot.state === "cut");
}

/** Whether every wire on the table is cut. @param {any} position */
export function isDefused(position) {
  const slots = position.stands.flatMap((/** @type {any} */ stand) => stand.slots);
  return slots.every((/** @type {any} */ slot) => slot.state === "cut");
}
