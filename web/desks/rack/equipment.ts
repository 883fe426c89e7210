/** The dialog for equipment and other moves that are no cut: which card, and what everybody saw. */

import type { UseOptions } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { choice, select } from "../../widgets/panel.js";
import type { FaultFacts } from "../desk.js";
import { key, keyGroup, playerChoice, slotKey, tokenKey } from "./keys.js";
import type { Context } from "./model.js";
import {
  blueValuesOf,
  hasRule,
  isMine,
  newestPosterior,
  ownerOf,
  playersOf,
  standOfPlayer,
  TOKEN_MARKS,
} from "./model.js";
import { nameOf, words } from "./strings.js";
import { actorOf, addTurn, toggle, togglePlace } from "./turn.js";

type Draft = Required<UseOptions>;
type Form = { context: Context; draft: Draft; set: (change: Partial<Draft>) => void };
type Field = (form: Form) => unknown;
/** A card, and why it may not be used now ("" where it may). */
type Offer = { card: string; why: string };

/** The fields of each card, by its number. */
const FIELDS: Record<string, Field[]> = {
  8: [number, answers],
  2: [wire, arrival, otherWire, otherArrival],
  12: [wire],
  1: [wire],
  4: [wire, token],
  6: [],
  2.2: [wire],
  9.9: [who, number, pair],
  "10.10": [number, cutWires],
  11.11: [wire, to, arrival],
  skip: [who, steps],
  draw: [to, arrival],
};
/** Cards that a player uses on her own wires or stand. */
const OWN = ["12", "1", "4", "2.2", "9.9", "11.11"];

export function gearDialog(context: Context) {
  const offers = offersOf(context);
  const free = offers.filter(({ why }) => !why).map(({ card }) => card);
  const draft = firstDraft(context, free.includes("8") ? "8" : (free[0] ?? "skip"));
  let fault = "";
  const draw = () => context.open(body);
  const set = (change: Partial<Draft>) => {
    Object.assign(draft, change);
    if (change.card) chooseUser(context, draft);
    fault = "";
    draw();
  };
  const take = async () => {
    const options = { ...draft, slot: Math.max(0, draft.slot) };
    try {
      await addTurn(context, { want: "use", options }, {});
      context.open(null);
    } catch (problem) {
      fault = (problem as FaultFacts).message ?? String(problem);
      draw();
    }
  };
  const body = () => {
    const fields = FIELDS[draft.card];
    return dialogIn(context, {
      title: words.gear.title,
      body: html`<label>${words.gear.card}${select(
        offers.map(({ card, why }) => [card, words.gear.cards[card], Boolean(why)]),
        draft.card,
        (card) => set({ card }),
      )}</label>
        <p class="quiet">${words.gear.what[draft.card]}</p>
        ${fields.map((field) => field({ context, draft, set }))}
        ${fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing}
        <div class="row dialog-foot"><button class="main" ?disabled=${fields.includes(wire) && draft.slot < 0} @click=${take}>${words.gear.note}</button></div>
        ${lockedCards(offers)}`,
    });
  };
  draw();
}

/** The cards that may not be used now, and why. */
function lockedCards(offers: Offer[]) {
  const locked = offers.filter(({ why }) => why);
  if (!locked.length) return nothing;
  return html`<details class="more" open><summary>${words.gear.notNow}</summary><ul class="quiet">${locked.map(
    ({ card, why }) => html`<li><b>${words.gear.cards[card]}</b>: ${why}</li>`,
  )}</ul></details>`;
}

/** What the mission has; all of it while that is not known. */
function offersOf(context: Context): Offer[] {
  const { cards = [] } = newestPosterior(context.replies) ?? {};
  const { aside, groups } = context.position.wires;
  const hasUndrawn = aside > 0 || groups.some((group) => group.drawn < group.of.length);
  const mayDraw = hasUndrawn && hasRule(context, "off_stands");
  return Object.keys(words.gear.cards).flatMap((card) => {
    if (card === "draw" ? mayDraw : card === "skip" || !cards.length) return [{ card, why: "" }];
    const faults = cards.flatMap((one) => one[card] ?? []);
    return faults.length ? [{ card, why: faults.includes("") ? "" : faults[0] }] : [];
  });
}

/** The stands whose players may use a card on what is their own; all stands for other cards. */
function standsFor({ position, replies }: Context, card: string): number[] {
  const { cards = [] } = newestPosterior(replies) ?? {};
  const may = (i: number) => cards[ownerOf(position, i)]?.[card] === "";
  return position.stands.flatMap((_, i) => (!OWN.includes(card) || !cards.length || may(i) ? [i] : []));
}

/** Choose a stand, and for a fast pass a player, that may use the card. */
function chooseUser(context: Context, draft: Draft) {
  const stands = standsFor(context, draft.card);
  const [first = 0] = stands;
  const owner = (i: number) => ownerOf(context.position, i);
  if (!stands.includes(draft.stand)) Object.assign(draft, { stand: first, slot: -1 });
  if (!stands.includes(draft.to)) draft.to = first;
  if (draft.card === "9.9" && !stands.some((i) => owner(i) === draft.actor))
    Object.assign(draft, { actor: owner(first), stand: first, slots: [] });
}

function firstDraft(context: Context, card: string): Draft {
  const { position } = context;
  const { numbers } = position;
  const draft: Draft = {
    card,
    actor: actorOf(context),
    value: numbers.length === 1 ? numbers[0] : "",
    yes: [],
    stand: allStands(context).find((i) => !isMine(position, i)) ?? 0,
    slot: -1,
    slots: [],
    shown: null,
    places: [],
    other: null,
    at: 0,
    other_at: 0,
    to: 0,
    steps: 0,
  };
  chooseUser(context, draft);
  return draft;
}

function standChoice(
  { position }: Context,
  label: string,
  stands: number[],
  value: number,
  run: (i: number) => void,
) {
  const options = stands.map((i): [string, string] => [String(i), nameOf(position, i)]);
  return html`<p>${label}</p>${choice({ label, options, value: String(value), onChange: (i) => run(Number(i)) })}`;
}

const allStands = ({ position }: Context) => position.stands.map((_, i) => i);

function who({ context, draft, set }: Form) {
  const { position } = context;
  const owners = standsFor(context, draft.card).map((i) => ownerOf(position, i));
  const players = playersOf(position).filter((p) => owners.includes(p));
  const label = words.gear.who;
  const choose = (actor: number) => set({ actor, stand: standOfPlayer(position, actor), slots: [] });
  return html`<p>${label}</p>${playerChoice(label, position, { players, value: draft.actor }, choose)}`;
}

function number({ context, draft, set }: Form) {
  const keys = blueValuesOf(context.position).map((value) =>
    key(value, () => set({ value }), { pressed: draft.value === value }),
  );
  return keyGroup(words.gear.number, keys);
}

/** The stands that said yes. */
function answers({ context, draft, set }: Form) {
  const stands = allStands(context);
  const label = words.gear.yes;
  const button = (i: number) =>
    html`<button type="button" class="soft" aria-pressed=${draft.yes.includes(i)} @click=${() => set({ yes: toggle(draft.yes, i, stands.length) })}>${nameOf(context.position, i)}</button>`;
  return html`<p>${label}</p><div class="row wrap" role="group" aria-label=${label}>${stands.map(button)}</div>`;
}

/**
 * The slots of a stand as keys; of a pair, the left ones.
 * @param which slots that may be chosen; only the disintegrator (`gone`) takes unsorted wires
 */
function slotGroup(
  { position }: Context,
  [label, stand]: [string, number],
  pressed: number[],
  run: (j: number) => void,
  which: "uncut" | "any" | "pair" | "gone" = "uncut",
) {
  const { slots } = position.stands[stand];
  const isLoose = (j: number) => which !== "gone" && slots[j]?.tokens.includes("unsorted");
  const isCut = (j: number) => slots[j]?.state === "cut";
  const isNoPair = (j: number) => j + 1 >= slots.length || isLoose(j + 1) || (isCut(j) && isCut(j + 1));
  const isOff = (j: number) => isLoose(j) || (which === "pair" ? isNoPair(j) : which !== "any" && isCut(j));
  const keys = slots.map((_, j) =>
    slotKey(j, () => run(j), { pressed: pressed.includes(j), disabled: isOff(j) }),
  );
  return html`<div class="keys-row numbers" role="group" aria-label=${label}>${keys}</div>`;
}

function wire({ context, draft, set }: Form) {
  const { card, stand, slot } = draft;
  const isPair = card === "1" || card === "12";
  const mayBeCut = card === "4" && context.position.token === "multiplicity";
  const label = isPair ? words.gear.left : words.gear.wire;
  const stands = card === "11.11" ? allStands(context) : standsFor(context, card);
  const which = isPair ? "pair" : mayBeCut ? "any" : "uncut";
  return html`${standChoice(context, label, stands, stand, (i) => set({ stand: i, slot: -1 }))}
    ${slotGroup(context, [label, stand], [slot], (j) => set({ slot: j }), which)}`;
}

function otherWire({ context, draft: { other }, set }: Form) {
  const [stand, slot] = other ?? [0, -1];
  const label = words.gear.other;
  return html`${standChoice(context, label, allStands(context), stand, (i) => set({ other: [i, 0] }))}
    ${slotGroup(context, [label, stand], [slot], (j) => set({ other: [stand, j] }))}`;
}

/** The slots before which a wire may have gone in; after the last one where the stand grows. */
function arrivalKeys(
  { position }: Context,
  stand: number,
  grows: boolean,
  at: number,
  run: (at: number) => void,
) {
  const slots = Array.from({ length: position.stands[stand].slots.length + (grows ? 1 : 0) }, (_, j) => j);
  const keys = slots.map((j) => slotKey(j, () => run(j), { pressed: at === j }));
  return keyGroup(words.gear.at(nameOf(position, stand)), keys);
}

function arrival({ context, draft, set }: Form) {
  const grows = draft.card === "11.11" || draft.card === "draw";
  return arrivalKeys(context, grows ? draft.to : draft.stand, grows, draft.at, (at) => set({ at }));
}

function otherArrival({ context, draft, set }: Form) {
  return arrivalKeys(context, draft.other?.[0] ?? 0, false, draft.other_at, (at) => set({ other_at: at }));
}

function to({ context, draft, set }: Form) {
  return standChoice(context, words.gear.to, standsFor(context, draft.card), draft.to, (i) => set({ to: i }));
}

function token({ context: { position }, draft, set }: Form) {
  const keys = (TOKEN_MARKS[position.token] ?? blueValuesOf(position)).map((shown) =>
    tokenKey(shown, () => set({ shown }), { pressed: draft.shown === shown }),
  );
  return keyGroup(words.whatShown, keys);
}

/** What a skipped turn costs. */
function steps({ draft, set }: Form) {
  const label = words.gear.steps;
  const options: [string, string][] = ["0", "1", "2"].map((n) => [n, n]);
  return html`<p>${label}</p>${choice({ label, options, value: String(draft.steps), onChange: (n) => set({ steps: Number(n) }) })}`;
}

function pair({ context, draft: { actor, slots }, set }: Form) {
  const stand = standOfPlayer(context.position, actor);
  const label = words.gear.pair;
  const choose = (j: number) => set({ stand, slots: toggle(slots, j, 2) });
  return html`<p>${label}</p>${slotGroup(context, [label, stand], slots, choose)}`;
}

function cutWires({ context, draft: { places }, set }: Form) {
  const stand = (i: number) => {
    const name = nameOf(context.position, i);
    const slots = places.flatMap(([k, j]) => (k === i ? [j] : []));
    const choose = (j: number) => set({ places: togglePlace(places, [i, j]) });
    return html`<p class="quiet">${name}</p>${slotGroup(context, [name, i], slots, choose, "gone")}`;
  };
  return html`<p>${words.gear.gone}</p>${allStands(context).map(stand)}`;
}
