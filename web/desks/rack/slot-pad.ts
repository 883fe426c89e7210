/** The pad of the selected slot: add a cut or first token, enter a wire, or set the slot directly. */

import { html, nothing } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { choice } from "../../widgets/panel.js";
import { cutPad } from "./cut-pad.js";
import { laysToken, tokenPad } from "./first-tokens.js";
import { key, tokenKey, valueKey } from "./keys.js";
import type { Context, Place, Slot } from "./model.js";
import {
  byValue,
  chancesAt,
  hasBegun,
  isMine,
  isTurned,
  NO_ENTRY,
  nextUnknown,
  slotAt,
  valuesOf,
  viewerSees,
  wiresOf,
  withSlot,
} from "./model.js";
import { face, nameOf, valueName, words } from "./strings.js";
import { draftOf } from "./turn.js";
import { addStep } from "./turn-order.js";

const TOKENS = ["even", "odd", "x1", "x2", "x3", "unsorted", "same-as-next", "differs-from-next"];
const MAX_CHANCES = 8; // values in the list

export function pad(context: Context, place: Place) {
  const { position, view } = context;
  const slot = slotAt(position, place);
  if (!slot) return nothing;
  const { device, slots } = draftOf(context, place);
  const name = nameOf(position, place[0]);
  const title = slots.length > 1 ? words.slots(name, slots) : words.slot(name, place[1]);
  const isSeen = viewerSees(position, place[0], slot) && slot.state === "hidden";
  const lays = laysToken(context, place, slot);
  const fills = isSeen && !lays && !(slot.wire && hasBegun(position));
  const isAnswered = isMine(position, place[0]) && position.sealed && !isTurned(position, slot);
  const turn = lays
    ? tokenPad(context, place, slot)
    : slot.state === "cut" || fills || isAnswered
      ? null
      : cutPad(context, place, slot);
  return html`<div class="pad-box" data-part="entry" role="group" aria-label=${title}>
    <div class="between pad-top"><b>${title}</b>
      ${view.typed ? html`<kbd>${view.typed}</kbd>` : nothing}
      <button class="plain" @click=${() => context.set(NO_ENTRY)}>${words.done}</button></div>
    ${slots.length > 1 || device === "together" || (isSeen && slot.wire) ? nothing : chanceList(context, place)}
    <div class="stack-small" data-edit>
    ${turn ? html`<div class="turn-keys">${turn}</div>` : nothing}
    ${fills && !position.sealed ? wireKeys(context, place, slot) : nothing}
    ${position.sealed || view.along || device === "together" ? nothing : directKeys(context, place, slot, fills)}</div>
  </div>`;
}

/** Sets the slot without a turn. @param fills the keys for its wire are drawn already */
function directKeys(context: Context, place: Place, slot: Slot, fills: boolean) {
  const { setting } = context.view;
  const state = setting?.place === place.join(".") ? setting.state : null; // chosen, its wire not yet
  const hasKeys = !fills && (slot.state !== "hidden" || viewerSees(context.position, place[0], slot));
  return html`<details class="direct"><summary>${words.setDirectly}</summary>
      ${choice({ label: words.setDirectly, options: words.states, value: state ?? slot.state, onChange: (next) => setState(context, place, slot, next) })}
      ${state ? html`<p class="pad-line">${words.whatIsThere[state]}</p>${wireKeys(context, place, { ...slot, state })}` : hasKeys ? wireKeys(context, place, slot) : nothing}
      ${tokenKeys(context, place, slot)}
    </details>`;
}

/** Add a changed slot as a step. */
export function setSlot(context: Context, place: Place, slot: Slot) {
  const what = valueName(slot.wire ?? slot.value ?? words.unknownWire);
  const label = words.named.set(words.place(nameOf(context.position, place[0]), place[1]), what);
  addStep(context, { position: withSlot(context.position, place, slot), label }, { setting: null });
}

/** Hide, show or cut a wire; what is shown or cut is asked for where it is not known. */
function setState(context: Context, place: Place, slot: Slot, state: Slot["state"]) {
  if (state !== "hidden" && !slot.wire && !slot.value)
    return context.set({ setting: { place: place.join("."), state } });
  const isSeen = state !== "hidden" || viewerSees(context.position, place[0], { ...slot, state });
  const value = state === "hidden" ? null : slot.value;
  setSlot(context, place, { ...slot, state, wire: isSeen ? slot.wire : null, value });
}

function chanceList({ replies }: Context, place: Place) {
  const ranked = byValue(chancesAt(replies, place));
  if (!ranked.length || replies.posterior?.fault) return nothing;
  if (ranked.length === 1) return html`<p class="good">${words.sureWire(ranked[0][0])}</p>`;
  const row = ([value, p]: [string, number]) => {
    const colour = value === "RED" ? "r" : value === "YELLOW" ? "y" : "";
    return html`<li class=${colour}><b>${colour ? `${face(value)} ${valueName(value)}` : value}</b>
      <span class="chance-bar"><i .style=${`width:${100 * p}%`}></i></span><span>${percent(p)}</span></li>`;
  };
  const classes = replies.posterior?.stale ? "chance-list stale" : "chance-list";
  return html`<ul class=${classes} aria-label=${words.chances}>${ranked.slice(0, MAX_CHANCES).map(row)}</ul>`;
}

function wireKeys(context: Context, place: Place, slot: Slot) {
  const { position } = context;
  const isSeen = viewerSees(position, place[0], slot);
  const mayShowColour = slot.state !== "hidden" && !isSeen && valuesOf(position).includes("YELLOW");
  const set = (wire: string | null, value: string | null = null) =>
    setSlot(context, place, { ...slot, wire, value });
  const choose = (wire: string) => {
    set(wire);
    if (isSeen && slot.state === "hidden")
      context.set({ ...NO_ENTRY, at: nextUnknown(withSlot(position, place, { ...slot, wire }), place) });
  };
  const yellow = { name: valueName("YELLOW"), kind: "yellow", pressed: slot.value === "YELLOW" };
  return html`${isSeen && !isMine(position, place[0]) ? html`<p class="pad-line">${words.bar.turned}</p>` : nothing}
    <div class="keys-row numbers">${wiresOf(position).map((wire) =>
      valueKey(wire, () => choose(wire), { pressed: slot.wire === wire }),
    )}
    ${mayShowColour ? key(`${face("YELLOW")} ?`, () => set(null, "YELLOW"), yellow) : nothing}
    ${isSeen && slot.wire ? html`<button class="plain" @click=${() => set(null)}>${words.erase}</button>` : nothing}</div>`;
}

function tokenKeys(context: Context, place: Place, slot: Slot) {
  const { position } = context;
  const isLast = place[1] + 1 === position.stands[place[0]].slots.length;
  const { tokens } = slot;
  const toggle = (t: string) => {
    const others = tokens.filter((one) => one !== t);
    setSlot(context, place, { ...slot, tokens: tokens.includes(t) ? others : [...tokens, t] });
  };
  const keyFor = (t: string) => tokenKey(t, () => toggle(t), { pressed: tokens.includes(t) });
  return html`<p class="pad-line">${words.tokens}</p>
    <div class="keys-row">${TOKENS.filter((t) => !isLast || !t.includes("next")).map(keyFor)}</div>
    <details class="nots" ?open=${tokens.some((t) => t.startsWith("not:"))}><summary>${words.notValue}</summary>
      <div class="keys-row">${valuesOf(position).map((v) => keyFor(`not:${v}`))}</div></details>`;
}
