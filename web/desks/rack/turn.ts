/** A cut while it is entered: its draft, what is still to be asked, and its recording as a step. */

import type { Cut, OutcomeOptions as Outcome } from "../../types/rack.js";
import type { FaultFacts } from "../desk.js";
import type { Context, Made, Place, Position, Table, View } from "./model.js";
import {
  byValue,
  chancesAt,
  currentPosterior,
  hasRule,
  isSamePlace,
  isTurned,
  knownValue,
  NO_ENTRY,
  ownerOf,
  placesOn,
  slotAt,
  slotsOf,
  tableAfter,
  wiresOf,
} from "./model.js";
import { words } from "./strings.js";
import { addStep, computeOnce, nextActor } from "./turn-order.js";

export type { Outcome };
export type Device = "dual" | "miss" | "together" | "double" | "triple" | "super" | "either";
type Known = Pick<Context, "position" | "view" | "past">;

/** What the pad knows of a cut. */
export interface Draft {
  device: Device;
  /** slots pointed at */
  slots: number[];
  /** wires of a solo cut or of one of several at once, on any stand; null: none chosen yet */
  places: Place[] | null;
  /** values named */
  values: string[];
  failing: boolean;
  /** the slot that was cut or got the token */
  at: number | null;
  /** the X-or-Y ray joins the detector */
  ray: boolean;
  /** the stabilizer is used */
  stabilized: boolean;
}
export const EMPTY_DRAFT: Draft = {
  device: "dual",
  slots: [],
  places: null,
  values: [],
  failing: false,
  at: null,
  ray: false,
  stabilized: false,
};
/** A cut that worked, whose second wire is still to be tapped. */
export interface Along {
  options: Outcome;
  value: string;
  /** the cut may have failed after all: the pad stays open */
  fails?: boolean;
  /** the second wire, whose number is asked for */
  own?: Place;
}

const COPIES = 4; // of each blue value
const POINTS: Partial<Record<Device, number>> = { double: 2, triple: 3 };

/** The slots that a device may point at: the ray at hidden ones only, none at unsorted wires. */
function reachOf(position: Position, stand: number, device: Device) {
  const slots = position.stands[stand]?.slots ?? [];
  return uncutOf(position, stand).filter(
    (j) => (device !== "either" || slots[j].state === "hidden") && !slots[j].tokens.includes("unsorted"),
  );
}

/** The uncut slots of a stand. */
export function uncutOf(position: Position, stand: number) {
  const slots = position.stands[stand]?.slots ?? [];
  return slots.flatMap((slot, j) => (slot.state === "cut" ? [] : [j]));
}

/** Whether a teammate acts at her own stand: a solo cut, except of a wire that she does not see. */
export function isSolo(context: Known, place: Place) {
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

/** The slots among which a detector's targets are chosen, and their number; none for other devices. */
export function choosable(context: Known, place: Place): { slots: number[]; most: number } {
  const device = context.view.turn?.device ?? EMPTY_DRAFT.device;
  const most = POINTS[device];
  if (!most || isSolo(context, place)) return { slots: [], most: 1 };
  return { slots: reachOf(context.position, place[0], device), most };
}

/** Whether a device may point at this wire; a detector needs as many wires as it points at. */
export function mayPoint(position: Position, [stand, slot]: Place, device: Device) {
  const slots = reachOf(position, stand, device);
  return slots.includes(slot) && slots.length >= (POINTS[device] ?? 1);
}

/** The cut that is being entered at a place. */
export function draftOf(context: Known, place: Place): Draft {
  const draft = { ...EMPTY_DRAFT, slots: [place[1]], ...context.view.turn };
  if (draft.device === "super") return { ...draft, slots: reachOf(context.position, place[0], "super") };
  return choosable(context, place).slots.length ? draft : { ...draft, slots: [place[1]] };
}

/** The wires marked for a solo cut or a cut of several at once; null if another cut is entered. */
export function markedPlaces(context: Known): Place[] | null {
  const { at, turn } = context.view;
  if (!at || at[1] < 0 || (turn?.device !== "together" && !isSolo(context, at))) return null;
  return (turn?.places ?? [at]).filter((place) => slotAt(context.position, place)?.state !== "cut");
}

/** The places with one more, or without it. */
export function togglePlace(places: Place[], place: Place) {
  const others = places.filter((one) => !isSamePlace(one, place));
  return others.length < places.length ? others : [...places, place];
}

/** Wires on several stands as options of a cut. */
export function targetsOf([[stand, slot], ...also]: Place[]) {
  return { stand, slots: [slot], also };
}

/** The list with one more item, or without it; beyond `most` the first one goes. */
export function toggle<T>(list: T[], item: T, most: number): T[] {
  return list.includes(item) ? list.filter((other) => other !== item) : [...list, item].slice(-most);
}

/** Whether two values are named: with the ray, alone or joined to a detector. */
export function namesTwo({ device, ray }: Draft) {
  return device === "either" || ray;
}

/** Whether all values are named. */
export function isNamed(draft: Draft) {
  return draft.values.length === (namesTwo(draft) ? 2 : 1);
}

/** Change the draft; after a named value or chosen slot the focus goes to the next keys. */
export function changeDraft(context: Context, change: Partial<Draft>) {
  const focusKeys = () => document.querySelector<HTMLElement>(".pad-box .step button")?.focus();
  const isAnswer = "at" in change || "values" in change;
  context.set({ turn: { ...context.view.turn, ...change } }, isAnswer ? focusKeys : undefined);
}

/** Add a turn or another move as a step; the engine computes the table after it. */
export async function addTurn(
  context: Context,
  made: Extract<Made, { options: object }>,
  view: Partial<View>,
) {
  const { position } = context;
  const { want, options } = made;
  const found = await computeOnce(position, () => context.ask({ want, position, options }).promise);
  if (!found) return;
  const { exploded } = found;
  addStep(context, { position: tableAfter(found), label: found.text, turn: { ...made, exploded } }, view);
  context.announce([found.text, ...(found.check ?? [])].join(" "));
  if (exploded) context.notify(words.exploded);
}

/** Show why a turn could not be added. */
export const notifyFault = (context: Context) => (fault: FaultFacts) =>
  context.notify(fault.message ?? String(fault));

/** Add a cut as a step. */
export function recordCut(context: Context, cut: Outcome) {
  const options = { ...cut, actor: cut.actor ?? context.position.viewer };
  const view = { ...NO_ENTRY, chosen: "" };
  return addTurn(context, { want: "outcome", options }, view).catch(notifyFault(context));
}

/** Add the viewer's cut that worked; for a yellow wire that may have several numbers the pad opens. */
export function recordOwnSuccess(
  context: Context,
  cut: Pick<Cut, "action" | "stand" | "slots" | "value" | "also">,
) {
  const place: Place = [cut.stand, cut.slots[0]];
  const wires = cut.action === "dual" && cut.value === "YELLOW" ? yellowAt(context, place) : [];
  if (wires.length > 1) return context.set({ ...NO_ENTRY, at: place, actor: context.position.viewer });
  return recordCut(context, { ...cut, success: true, ...(wires.length ? { shown: wires[0] } : {}) });
}

/** The player whose turn is entered. */
export function actorOf(context: Known) {
  return context.view.actor ?? nextActor(context);
}

/** Add a cut that worked; a teammate's second wire is asked for unless it is known which one it is. */
export function recordSuccess(context: Context, cut: Outcome) {
  const { position } = context;
  const wire = cut.shown ?? cut.value ?? "";
  const value = wire[0] === "Y" ? "YELLOW" : wire;
  const options = { ...cut, success: true };
  const isSingle = value === "YELLOW" && hasRule(context, "one_by_one");
  const indicated = position.constraint === "H" ? [] : indicatedPlaces(position, cut.actor ?? null, value);
  if (isSingle || cut.actor === position.viewer) return recordCut(context, options);
  if (value === "YELLOW" && indicated.length === 1)
    return recordSecondWire(context, { options, value }, indicated[0]);
  if (value !== "YELLOW" && indicated.length) return recordCut(context, options);
  const fails = cut.action === "dual" && cut.slots?.length === 1; // then the pad takes what the token shows
  const at: Place | null = fails ? [cut.stand ?? 0, cut.slots?.[0] ?? 0] : null;
  context.set({ along: { options, value, fails }, at, turn: null });
  return null;
}

/**
 * The teammate's plain cut that the open slot stands for, if its value is known: then only her second wire
 * is left to tap. Null where something else is entered.
 * @param own that second wire, if both wires together can have one value only
 */
export function impliedCut(context: Known & Table, own?: Place): Outcome | null {
  const { position, view } = context;
  const { at, along } = view;
  const slot = slotAt(position, at);
  const actor = actorOf(context);
  if (!at || !slot || along || position.sealed || actor === position.viewer) return null;
  const draft = draftOf(context, at);
  const isPlain = draft.device === "dual" && !draft.failing && !draft.values.length;
  if (!isPlain || (actor === ownerOf(position, at[0]) && !isOwnTurned(position, at, actor))) return null;
  const value = onlyValueAt(context, at) ?? (own ? onlyOne(commonValues(context, [at, own])) : null);
  const wire = value === "YELLOW" ? (slot.wire ?? onlyOne(yellowAt(context, at))) : null;
  if (!value || value === "RED" || (value === "YELLOW" && !wire)) return null;
  const cut: Outcome = { actor, stand: at[0], slots: [at[1]], value, at: at[1], success: true };
  return { action: "dual", ...cut, ...(wire ? { shown: wire } : {}) };
}

const onlyOne = (values: string[]) => (values.length === 1 ? values[0] : null);

/** The value of an uncut wire that is seen, or the only one it can have. */
function onlyValueAt(context: Table, place: Place) {
  return onlyOne(possibleValues(context, place));
}

/** The values that an uncut wire can have; none while they are not computed. */
function possibleValues({ position, replies }: Table, place: Place): string[] {
  const slot = slotAt(position, place);
  if (!slot || slot.state === "cut") return [];
  const known = knownValue(slot);
  if (known) return [known];
  const chances = currentPosterior(replies)?.stands[place[0]]?.slots[place[1]] ?? {};
  return byValue(chances).map(([value]) => value);
}

/** The values that all of these wires can have, except red, which is never named. */
function commonValues(context: Table, places: Place[]) {
  const [first, ...others] = places.map((place) => possibleValues(context, place));
  return first.filter((value) => value !== "RED" && others.every((values) => values.includes(value)));
}

/** The value of which the marked wires are all uncut copies, if no other value fits them; else null. */
export function soloValue(context: Table, places: Place[]) {
  const cut = slotsOf(context.position).filter(({ state }) => state === "cut");
  const uncut = (value: string) => COPIES - cut.filter((slot) => knownValue(slot) === value).length;
  const value = onlyOne(commonValues(context, places).filter((one) => uncut(one) >= places.length));
  return value && value !== "YELLOW" && uncut(value) === places.length ? value : null;
}

/** A place and every other one whose wire is known to be of the same colour, if that is yellow or red. */
export function sameColourPlaces(context: Table, at: Place): Place[] {
  const value = onlyValueAt(context, at);
  if (value !== "YELLOW" && value !== "RED") return [at];
  const others = placesOn(context.position).filter((place) => !isSamePlace(place, at));
  return [at, ...others.filter((place) => onlyValueAt(context, place) === value)];
}

/** The indicated uncut wires of a value on a player's stands. */
function indicatedPlaces(position: Position, player: number | null, value: string) {
  return placesOn(position).filter(([i, j]) => {
    const slot = position.stands[i].slots[j];
    return ownerOf(position, i) === player && slot.state === "info" && knownValue(slot) === value;
  });
}

/**
 * The yellow wires that an uncut one may be while its number is not known: once cut, it lies open.
 * @param other a wire that it is not
 */
export function yellowAt({ position, replies }: Table, place: Place, other?: string | null): string[] {
  const slot = slotAt(position, place);
  if (!slot || slot.state === "cut" || slot.wire || position.sealed) return [];
  const chances = chancesAt(replies, place);
  const yellow = wiresOf(position).filter((wire) => wire[0] === "Y" && wire !== other);
  const likely = yellow.filter((wire) => chances[wire]);
  return likely.length ? likely : yellow;
}

/** Take the tapped wire as the second one of a cut, if it is an uncut one of the player who cut. */
export function takeSecondWire(context: Context, place: Place) {
  const { along } = context.view;
  const slot = slotAt(context.position, place);
  if (!along || !slot) return;
  const { actor, stand, slots } = along.options;
  const isTarget = stand === place[0] && slots?.includes(place[1]);
  if (ownerOf(context.position, place[0]) !== actor || slot.state === "cut" || isTarget)
    context.notify(words.alongHers);
  else recordSecondWire(context, along, place);
}

/** Add a cut with both its wires; the number of a yellow second wire is asked for where several fit. */
export function recordSecondWire(context: Context, along: Along, own: Place) {
  const { options, value } = along;
  const wires = value === "YELLOW" ? yellowAt(context, own, options.shown) : [];
  if (wires.length > 1) {
    context.set({ along: { ...along, fails: true, own }, at: own, turn: null });
    return null;
  }
  context.set({ along: null });
  return recordCut(context, { ...options, own, ...(wires.length ? { own_shown: wires[0] } : {}) });
}
