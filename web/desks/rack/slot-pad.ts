/** What can be done with the chosen slot: note that somebody cut it, or set it. */
import { html, nothing } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { choice } from "../../widgets/panel.js";
import { cutting } from "./cut-advice.js";
import { laysToken, tokenPad } from "./first-tokens.js";
import type { Context, Place, Slot } from "./model.js";
import {
  begun,
  byValue,
  calledOf,
  isMine,
  isTurned,
  letter,
  nextOpen,
  sees,
  sign,
  slotAt,
  valuesOf,
  wiresOf,
  withSlot,
} from "./model.js";
import { nameOf, valueName, words } from "./strings.js";
import { draftOf } from "./turn.js";
import { put } from "./turn-order.js";

const TOKENS = ["even", "odd", "x1", "x2", "x3", "unsorted", "same-as-next", "differs-from-next"];

export function pad(context: Context, place: Place) {
  const slot = slotAt(context.position, place);
  if (!slot) return nothing;
  const { position } = context;
  const given = sees(position, place[0], slot) && slot.state === "hidden";
  const draft = draftOf(context, place);
  const atOnce = draft.device === "together"; // wires of several stands
  const many = draft.slots.length > 1 || atOnce;
  const title =
    draft.slots.length > 1
      ? words.slots(nameOf(position, place[0]), draft.slots)
      : words.slot(nameOf(position, place[0]), place[1]);
  const lays = laysToken(context, place, slot);
  const filling = given && !lays && !(slot.wire && begun(position));
  const answers = isMine(position, place[0]) && position.sealed && !isTurned(position, slot);
  return html`<div class="pad-box" data-part="entry" role="group" aria-label=${title}>
    <div class="between pad-top"><b>${title}</b>
      ${context.view.typed ? html`<kbd>${context.view.typed}</kbd>` : nothing}
      <button class="plain" @click=${() => context.set({ at: null, turn: null, along: null })}>${words.done}</button></div>
    ${many || (given && slot.wire) ? nothing : chancesOf(context, place)}
    <div class="stack-small" data-edit>
    ${lays ? html`<div class="turn-keys">${tokenPad(context, place, slot)}</div>` : slot.state === "cut" || filling || answers ? nothing : html`<div class="turn-keys">${cutting(context, place, slot)}</div>`}
    ${filling && !position.sealed ? wireKeys(context, place, slot) : nothing}
    ${position.sealed || context.view.along || atOnce ? nothing : direct(context, place, slot, filling)}</div>
  </div>`;
}

/** The slot set as it is, whatever happened. @param filling the wires are keys already */
function direct(context: Context, place: Place, slot: Slot, filling: boolean) {
  const asked = askedOf(context, place);
  const wires = !filling && (slot.state !== "hidden" || sees(context.position, place[0], slot));
  return html`<details class="direct"><summary>${words.setDirectly}</summary>
      ${stateChoice(context, place, slot, asked)}
      ${asked ? html`<p class="pad-line">${words.whatIsThere[asked]}</p>${wireKeys(context, place, { ...slot, state: asked })}` : wires ? wireKeys(context, place, slot) : nothing}
      ${tokenKeys(context, place, slot)}
    </details>`;
}

export function setSlot(context: Context, place: Place, slot: Slot) {
  const what = slot.wire ?? (slot.value ? valueName(slot.value) : words.unknownWire);
  const where = `${nameOf(context.position, place[0])} ${letter(place[1])}`;
  const step = { position: withSlot(context.position, place, slot), label: words.named.set(where, what) };
  put(context, step, { setting: null });
}

/** The state that was chosen for a slot whose wire is still to be entered. */
function askedOf({ view }: Context, place: Place): "cut" | "info" | null {
  return view.setting?.place === place.join(".") ? view.setting.state : null;
}

function chancesOf({ replies }: Context, place: Place) {
  const reply = replies.posterior;
  const found = reply?.value?.stands[place[0]]?.slots[place[1]];
  if (!found || reply?.fault) return nothing;
  const ranked = byValue(found);
  if (ranked.length === 1) return html`<p class="good">${words.sureWire(ranked[0][0])}</p>`;
  return html`<ul class=${reply?.stale ? "chance-list stale" : "chance-list"} aria-label=${words.chances}>${ranked
    .slice(0, 8)
    .map(
      ([
        value,
        p,
      ]) => html`<li class=${value === "RED" ? "r" : value === "YELLOW" ? "y" : ""}><b>${value === "RED" ? "✸ red" : value === "YELLOW" ? "◆ yellow" : value}</b>
      <span class="chance-bar"><i .style=${`width:${100 * p}%`}></i></span><span>${percent(p)}</span></li>`,
    )}</ul>`;
}

function wireKeys(context: Context, place: Place, slot: Slot) {
  const { position } = context;
  const given = sees(position, place[0], slot);
  const yellow = slot.state !== "hidden" && !given && valuesOf(position).includes("YELLOW");
  const choose = (wire: string) => {
    setSlot(context, place, { ...slot, wire, value: null });
    if (given && slot.state === "hidden")
      context.set({ at: nextOpen(withSlot(position, place, { ...slot, wire }), place) });
  };
  return html`<div class="keys-row numbers">${wiresOf(position).map(
    (
      wire,
    ) => html`<button class=${`soft key ${calledOf(wire) === "RED" ? "red" : calledOf(wire) === "YELLOW" ? "yellow" : ""}`}
      aria-pressed=${slot.wire === wire} aria-label=${wire} @click=${() => choose(wire)}><b>${wire[0] === "Y" ? `◆${wire.slice(1)}` : wire[0] === "R" ? `✸${wire.slice(1)}` : wire}</b></button>`,
  )}
    ${yellow ? html`<button class="soft key yellow" aria-pressed=${slot.value === "YELLOW"} @click=${() => setSlot(context, place, { ...slot, wire: null, value: "YELLOW" })}><b>◆ ?</b></button>` : nothing}
    ${given && slot.wire ? html`<button class="plain" @click=${() => setSlot(context, place, { ...slot, wire: null, value: null })}>${words.erase}</button>` : nothing}</div>`;
}

/** Hidden, shown or cut. What is shown or cut is entered by the player who saw it, never guessed. */
function stateChoice(context: Context, place: Place, slot: Slot, asked: "cut" | "info" | null) {
  const { position } = context;
  const change = (state: "hidden" | "cut" | "info") => {
    if (state !== "hidden" && !slot.wire && !slot.value)
      return context.set({ setting: { place: place.join("."), state } });
    setSlot(context, place, {
      ...slot,
      state,
      wire: state === "hidden" && !sees(position, place[0], { ...slot, state }) ? null : slot.wire,
      value: state === "hidden" ? null : (slot.value ?? null),
    });
  };
  return choice({
    label: words.setDirectly,
    options: words.states,
    value: asked ?? slot.state ?? "hidden",
    onChange: change,
  });
}

function tokenKeys(context: Context, place: Place, slot: Slot) {
  const { position } = context;
  const last = place[1] + 1 === position.stands[place[0]].slots.length;
  const tokens = slot.tokens ?? [];
  const nots = valuesOf(position).map((v) => `not:${v}`);
  const toggle = (t: string) =>
    setSlot(context, place, {
      ...slot,
      tokens: tokens.includes(t) ? tokens.filter((x) => x !== t) : [...tokens, t],
    });
  const key = (t: string) =>
    html`<button class="soft key" aria-pressed=${tokens.includes(t)} aria-label=${words.tokenName(t)} @click=${() => toggle(t)}>${sign(t)}</button>`;
  return html`<p class="pad-line">${words.tokens}</p>
    <div class="keys-row">${TOKENS.filter((t) => !last || !t.includes("next")).map(key)}</div>
    <details class="nots" ?open=${tokens.some((t) => t.startsWith("not:"))}><summary>${words.notValue}</summary><div class="keys-row">${nots.map(key)}</div></details>`;
}
