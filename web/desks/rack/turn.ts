/** Turns: a cut and how it ended, asked of the engine and put on the table as one step. */

import type { Cut, OutcomeOptions as Outcome } from "../../types/rack.js";
import type { Context, Made, Place, Position, View } from "./model.js";
import { byValue, isMine, isTurned, ownerOf, ruling, seen, slotAt, tableAfter, wiresOf } from "./model.js";
import { words } from "./strings.js";
import { computeOnce, nextActor, put } from "./turn-order.js";

type Known = Pick<Context, "position" | "view" | "past">;
type Along = NonNullable<View["along"]>;

export type { Outcome };
/** What the pad knows of a cut so far. */
export type Device = "dual" | "miss" | "together" | "double" | "triple" | "super" | "either";
export type Draft = {
  device: Device;
  slots: number[];
  values: string[];
  failing: boolean;
  at: number | null;
  ray?: boolean;
  stabilized?: boolean;
  places?: Place[];
};

const COPIES = 4; // of each blue value
const POINTS = { double: 2, triple: 3 };

/**
 * The slots that equipment may point at: detectors at all that is not cut, the ray at what is hidden; none at unsorted wires.
 */
function reachOf(position: Position, stand: number, device: Device): number[] {
  const slots = position.stands[stand]?.slots ?? [];
  return uncutOf(position, stand).filter(
    (j) => (device !== "either" || slots[j].state === "hidden") && !slots[j].tokens.includes("unsorted"),
  );
}

/** The slots of a stand that are not cut. */
export function uncutOf(position: Position, stand: number): number[] {
  const slots = position.stands[stand]?.slots ?? [];
  return slots.flatMap((s, j: number) => (s.state === "cut" ? [] : [j]));
}

/** Whether the owner of a stand acts, a teammate: she can only cut alone, but for what she does not see. */
export function isAlone(context: Known, place: Place) {
  const { position } = context;
  const owner = ownerOf(position, place[0]);
  const acts = !position.sealed && owner !== position.viewer && owner === actorOf(context);
  return acts && !isOwnTurned(position, place, owner);
}

/** Whether the wire at a place is turned away from the player who acts: a wrong guess ends the game. */
export function isOwnTurned(position: Position, place: Place, actor: number | null | undefined) {
  const slot = slotAt(position, place);
  return slot !== null && isTurned(position, slot) && ownerOf(position, place[0]) === actor;
}

/** The slots that may be chosen for a cut, and how many of them; none where the one tapped is meant. */
export function choosable(context: Known, place: Place): { slots: number[]; most: number } {
  const { position, view } = context;
  const [stand] = place;
  const device = (view.turn?.device ?? "dual") as Device;
  if ((device !== "double" && device !== "triple") || isAlone(context, place)) return { slots: [], most: 1 };
  return { slots: reachOf(position, stand, device), most: POINTS[device] };
}

/** Whether a device may point at this wire: a double or triple detector needs 2 or 3 wires of the stand. */
export function mayPoint(position: Position, [stand, slot]: Place, device: Device) {
  const slots = reachOf(position, stand, device);
  const many = device === "double" || device === "triple" ? POINTS[device] : 1;
  return slots.includes(slot) && slots.length >= many;
}

/** The cut that is being noted at a place. */
export function draftOf(context: Known, place: Place): Draft {
  const { position, view } = context;
  const draft: Draft = {
    device: "dual",
    slots: [place[1]],
    values: [],
    failing: false,
    at: null,
    ...view.turn,
  };
  if (draft.device === "super") return { ...draft, slots: reachOf(position, place[0], "super") };
  return choosable(context, place).slots.length ? draft : { ...draft, slots: [place[1]] };
}

/** The wires of a cut of several at once, or of one's own alone, that is being noted; null while none is. */
export function marked(context: Known): Place[] | null {
  const { at, turn } = context.view;
  if (!at || at[1] < 0 || (turn?.device !== "together" && !isAlone(context, at))) return null;
  return (turn?.places ?? [at]).filter((place) => slotAt(context.position, place)?.state !== "cut");
}

/** The marked wires with one more, or without it. */
export function remarked(places: Place[], place: Place) {
  const others = places.filter((one) => one.join() !== place.join());
  return others.length < places.length ? others : [...places, place];
}

/** Wires on several stands as the engine takes them. */
export function pointedAt([[stand, slot], ...also]: Place[]) {
  return { stand, slots: [slot], also };
}

/** One more is chosen or left out; where there are too many, the first one goes. */
export function toggled<T>(list: T[], one: T, most: number): T[] {
  return list.includes(one) ? list.filter((other) => other !== one) : [...list, one].slice(-most);
}

/** Whether two values are named: with the ray, alone or with a detector. */
export function namesTwo(draft: Draft) {
  return draft.device === "either" || Boolean(draft.ray);
}

/** Whether all is named that the device names. */
export function complete(draft: Draft) {
  return draft.values.length === (namesTwo(draft) ? 2 : 1);
}

/** Add one thing to the draft; the next key gets the focus. */
export function stepTo(context: Context, more: Partial<Draft>) {
  const asked = "at" in more || "values" in more;
  const first = () => (document.querySelector(".pad-box .step button") as HTMLElement | null)?.focus();
  context.set({ turn: { ...context.view.turn, ...more } }, asked ? first : undefined);
}

/** Note a turn; where the engine needs to know more, the page asks. */
export function record(context: Context, draft: Outcome) {
  const options = { ...draft, actor: draft.actor ?? context.position.viewer };
  return note(context, { want: "outcome", options }, NOTED).catch((fault) =>
    context.tell(fault.message ?? String(fault)),
  );
}

/** Note that the viewer's cut worked; for a yellow wire that may have several numbers the pad opens. */
export function recordSuccess(
  context: Context,
  options: Pick<Cut, "action" | "stand" | "slots" | "value" | "also">,
) {
  const place: Place = [options.stand, options.slots[0]];
  const wires = options.action === "dual" && options.value === "YELLOW" ? yellowAt(context, place) : [];
  if (wires.length > 1) return context.set({ at: place, actor: context.position.viewer, turn: null });
  return record(context, { ...options, success: true, ...(wires.length ? { shown: wires[0] } : {}) });
}

/** A turn or another move, worked out by the engine, is put on the table as a step. */
export async function note(context: Context, made: Extract<Made, { options: object }>, view: Partial<View>) {
  const { position } = context;
  const { want, options } = made;
  const found = await computeOnce(position, () => context.ask({ want, position, options }).promise);
  if (!found) return;
  const turn = { ...made, exploded: found.exploded };
  put(context, { position: tableAfter(found), label: found.text, turn }, view);
  context.say([found.text, ...(found.check ?? [])].join(" "));
  if (found.exploded) context.tell(words.exploded);
}

/** The view once a turn is noted. */
const NOTED: Partial<View> = { at: null, turn: null, along: null, chosen: "", actor: null };

/** The player whose turn is noted: chosen, or the next one. */
export function actorOf(context: Known) {
  return context.view.actor ?? nextActor(context);
}

/** Whether yellow wires are found one by one, by players who hold none. */
export function oneByOne({ replies }: Pick<Context, "replies">) {
  return Boolean(ruling(replies)?.rules.includes("one_by_one"));
}

/** A cut that worked: a teammate's own wire that went along is asked for, unless it lies in the open. */
export function worked(context: Context, options: Outcome) {
  const { position } = context;
  const wire = String(options.shown ?? options.value);
  const value = wire[0] === "Y" ? "YELLOW" : wire;
  const whole = { ...options, success: true };
  const alone = value === "YELLOW" && oneByOne(context);
  const shown = position.constraint === "H" ? [] : shownOf(context, options.actor ?? null, value);
  if (alone || options.actor === position.viewer) return record(context, whole);
  if (value === "YELLOW" && shown.length === 1)
    return recordAlong(context, { options: whole, value }, shown[0]);
  if (value !== "YELLOW" && shown.length) return record(context, whole);
  // A plain cut may have failed after all: then the pad takes what the token shows.
  const fails = options.action === "dual" && options.slots?.length === 1;
  const at = fails ? ([options.stand ?? 0, options.slots?.[0] ?? 0] as Place) : null;
  context.set({ along: { options: whole, value, fails }, at, turn: null });
  return null;
}

/** A cut that failed, the token on slot `at` showing `shown`; null where none was laid. */
export function failed(context: Context, options: Outcome, at: number, shown: string | null) {
  return record(context, { ...options, at, success: false, shown });
}

/**
 * A teammate points at a wire that is known, or that can be only one: the wire of her own that goes
 * along is all that is left to tap. Null where something else is to be reported.
 * @param own the wire of hers that is tapped, where both wires can have one value only
 */
export function fellowOf(context: Known & Pick<Context, "replies">, own?: Place): Outcome | null {
  const { position, view } = context;
  const { at, along } = view;
  if (!at || along || position.sealed) return null;
  const slot = position.stands[at[0]]?.slots[at[1]];
  const actor = actorOf(context);
  const draft = draftOf(context, at);
  const common = own ? commonValues(context, [at, own]) : [];
  const known = valueAt(context, at) ?? (common.length === 1 ? common[0] : null);
  const wire = known === "YELLOW" ? (slot.wire ?? onlyOne(yellowAt(context, at))) : null;
  const named = known && known !== "RED" && (known !== "YELLOW" || wire) ? known : null;
  const plain = draft.device === "dual" && !draft.failing && !draft.values.length;
  const alone = actor === ownerOf(position, at[0]) && !isOwnTurned(position, at, actor);
  if (!named || !plain || actor === position.viewer || alone) return null;
  const shown = wire ? { shown: wire } : {};
  const options = { actor, stand: at[0], slots: [at[1]], value: named, at: at[1], success: true };
  return { action: "dual", ...options, ...shown };
}

type Table = Pick<Context, "position" | "replies">;

/** The value of an uncut wire that is seen, or the only one it can have; null while there are several. */
function valueAt(context: Table, place: Place) {
  return onlyOne(possibleAt(context, place));
}

const onlyOne = (values: string[]) => (values.length === 1 ? values[0] : null);

/** The values that an uncut wire can have; none while that is not computed. */
function possibleAt({ position, replies: { posterior } }: Table, place: Place): string[] {
  const slot = slotAt(position, place);
  if (!slot || slot.state === "cut") return [];
  const known = seen(slot);
  if (known) return [known];
  const current = posterior && !posterior.stale && !posterior.fault ? posterior.value : null;
  return byValue(current?.stands[place[0]]?.slots[place[1]] ?? {}).map(([value]) => value);
}

/** The values that each of these wires can have, but red, which no one names. */
function commonValues(context: Table, places: Place[]) {
  const [first, ...others] = places.map((place) => possibleAt(context, place));
  return first.filter((value) => value !== "RED" && others.every((values) => values.includes(value)));
}

/** The value that the marked wires are all the uncut copies of, if no other fits; null else. */
export function soloValue(context: Table, places: Place[]) {
  const slots = context.position.stands.flatMap((stand) => stand.slots);
  const uncut = (value: string) =>
    COPIES - slots.filter((slot) => slot.state === "cut" && seen(slot) === value).length;
  const fits = commonValues(context, places).filter((value) => uncut(value) >= places.length);
  const [only] = fits;
  return fits.length === 1 && only !== "YELLOW" && uncut(only) === places.length ? only : null;
}

/** A place, and every other one whose wire is known to be of the same colour, if that is not blue. */
export function sameColour(context: Pick<Context, "position" | "replies">, at: Place): Place[] {
  const value = valueAt(context, at);
  const all = context.position.stands.flatMap(({ slots }, i) => slots.map((_, j): Place => [i, j]));
  const others = all.filter((place) => place.join() !== at.join() && valueAt(context, place) === value);
  return value === "YELLOW" || value === "RED" ? [at, ...others] : [at];
}

/** The uncut wires of the value that a player has on show. */
function shownOf({ position }: Context, player: number | null, value: string): Place[] {
  return position.stands.flatMap(({ slots }, i) =>
    slots.flatMap((slot, j): Place[] =>
      ownerOf(position, i) === player && slot.state === "info" && seen(slot) === value ? [[i, j]] : [],
    ),
  );
}

/**
 * The yellow wires that an uncut one may be whose number is not known: once cut, it lies open.
 * @param but a wire that is another one
 */
export function yellowAt({ position, replies }: Table, place: Place, but?: string | null): string[] {
  const slot = slotAt(position, place);
  if (!slot || slot.state === "cut" || slot.wire || position.sealed) return [];
  const chances = replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {};
  const yellow = wiresOf(position).filter((wire) => wire[0] === "Y" && wire !== but);
  const likely = yellow.filter((wire) => chances[wire]);
  return likely.length ? likely : yellow;
}

/** The wire that went along has been chosen: only an uncut one of the acting player's will do. */
export function takeAlong(context: Context, place: Place) {
  const { along } = context.view;
  const slot = context.position.stands[place[0]]?.slots[place[1]];
  if (!along || !slot) return;
  const { actor, stand, slots } = along.options;
  const pointed = stand === place[0] && slots?.includes(place[1]);
  if (ownerOf(context.position, place[0]) !== actor || slot.state === "cut" || pointed) {
    context.tell(words.alongHers);
    return;
  }
  recordAlong(context, along, place);
}

/** Both wires of a cut are known; of a yellow one that went along the number is asked for where several fit. */
export function recordAlong(context: Context, along: Along, place: Place) {
  const { options, value } = along;
  const wires = value === "YELLOW" ? yellowAt(context, place, options.shown) : [];
  if (wires.length > 1) {
    context.set({ along: { ...along, fails: true, own: place }, at: place, turn: null });
    return null;
  }
  context.set({ along: null });
  return record(context, { ...options, own: place, ...(wires.length ? { own_shown: wires[0] } : {}) });
}

/** Whether every wire of the viewer's own is cut. */
export function isDone(position: Position) {
  const own = position.stands.filter((_, i: number) => isMine(position, i));
  const slots = own.flatMap((stand) => stand.slots);
  return slots.length > 0 && slots.every((slot) => slot.state === "cut");
}
