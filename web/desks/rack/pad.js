/** What can be done with the chosen slot: set it, or note that somebody cut it. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { percent } from "../../widgets/numbers.js";
import { nameOf } from "./board.js";
import {
  byValue,
  calledOf,
  held,
  isMine,
  letter,
  nextOpen,
  ownerOf,
  playersOf,
  seen,
  short,
  sign,
  slotAt,
  valuesOf,
  wiresOf,
  withSlot,
} from "./model.js";
import { actorOf, failed, record, worked } from "./turn.js";
import { valueName, words } from "./words.js";

/** @typedef {import("../desk.js").Context} Context */
/** @typedef {[number, number]} Place */
/** @typedef {import("./model.js").Slot} Slot */

const TOKENS = ["even", "odd", "x1", "x2", "x3", "unsorted", "same-as-next", "differs-from-next"];

/** @param {Context} context @param {Place} place */
export function pad(context, place) {
  const slot = slotAt(context.position, place);
  if (!slot) return nothing;
  const { position } = context;
  const mine = isMine(position, place[0]);
  const name = nameOf(position, place[0]);
  return html`<div class="pad-box" role="group" aria-label=${words.slot(name, place[1])}>
    <div class="between pad-top"><b>${words.slot(name, place[1])}</b>
      ${context.view.typed ? html`<kbd>${context.view.typed}</kbd>` : nothing}
      <button class="plain" @click=${() => context.set({ at: null })}>${words.done}</button></div>
    ${mine ? nothing : chancesOf(context, place)}
    ${slot.state !== "cut" && !(mine && actorOf(context) === context.position.viewer) ? cutting(context, place, slot) : nothing}
    ${mine && slot.state === "hidden" && !position.sealed ? wireKeys(context, place, slot) : nothing}
${
  position.sealed
    ? nothing
    : html`<details><summary>${words.setDirectly}</summary>
      ${stateChoice(context, place, slot)}
      ${mine && slot.state === "hidden" ? nothing : slot.state === "hidden" ? nothing : wireKeys(context, place, slot)}
      ${tokenKeys(context, place, slot)}
    </details>`
}
  </div>`;
}

/** @param {Context} context @param {Place} place @param {Slot} slot */
export function setSlot(context, place, slot) {
  const what = slot.wire ?? (slot.value ? valueName(slot.value) : words.unknownWire);
  const where = `${nameOf(context.position, place[0])} ${letter(place[1])}`;
  context.commit(withSlot(context.position, place, slot), words.named.set(where, what));
}

/** @param {Context} context @param {Place} place */
function chancesOf({ replies }, place) {
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

/** Who cuts, what they name, and how it ended. @param {Context} context @param {Place} place @param {Slot} slot */
function cutting(context, place, slot) {
  const { position, view } = context;
  const actor = actorOf(context);
  const owner = ownerOf(position, place[0]);
  const players = playersOf(position).filter((p) => p !== owner);
  const who = (/** @type {number} */ p) =>
    nameOf(
      position,
      position.stands.findIndex(
        (/** @type {any} */ _, /** @type {number} */ i) => ownerOf(position, i) === p,
      ),
    );
  const acting = players.includes(actor) ? actor : players[0];
  const known = seen(slot);
  const values = acting === position.viewer && held(position).length ? held(position) : valuesOf(position);
  const named = values.filter((v) => v !== "RED");
  const chances = new Map(byValue(context.replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {}));
  if (view.failed && !position.sealed) return shownKeys(context, place, view.failed);
  return html`
    ${players.length > 1 ? choice({ label: words.who, options: players.map((p) => /** @type {[string, string]} */ ([String(p), who(p)])), value: String(acting), onChange: (p) => context.set({ actor: Number(p) }) }) : nothing}
    <p class="pad-line">${words.cutAs(who(acting))}</p>
    <div class="keys-row">${named.map(
      (v) => html`<button class="soft key" ?disabled=${Boolean(known) && known !== v && slot.state === "info"}
      @click=${() => (position.sealed ? record(context, { action: "dual", actor: acting, stand: place[0], slots: [place[1]], value: v }) : view.failing ? (known && isMine(position, place[0]) ? failed(context, place, v, known) : context.set({ failed: v })) : worked(context, place, v))}>
      <b>${v === "YELLOW" ? "◆" : v}</b>${chances.has(v) ? html`<small>${percent(chances.get(v) ?? 0)}</small>` : nothing}</button>`,
    )}</div>
    ${
      position.sealed
        ? nothing
        : choice({
            label: words.itWorked,
            options: /** @type {[string, string][]} */ ([
              ["yes", words.itWorked],
              ["no", words.itFailed],
            ]),
            value: view.failing ? "no" : "yes",
            onChange: (v) => context.set({ failing: v === "no" }),
          })
    }`;
}

/** @param {Context} context @param {Place} place @param {string} value */
function shownKeys(context, place, value) {
  const { position } = context;
  const kinds =
    position.token === "parity"
      ? ["even", "odd"]
      : position.token === "multiplicity"
        ? ["x1", "x2", "x3"]
        : null;
  const options = kinds ?? valuesOf(position).filter((v) => !value.split("/").includes(v) && v !== "RED");
  const red = valuesOf(position).includes("RED");
  return html`<p class="pad-line">${words.whatShown}</p>
    <div class="keys-row">${options.map((v) => html`<button class="soft key" @click=${() => failed(context, place, value, v)}><b>${kinds ? sign(v) : v === "YELLOW" ? "◆" : short(v)}</b></button>`)}
    ${red ? html`<button class="soft key boom" @click=${() => failed(context, place, value, "RED")}>✸ ${words.explode}</button>` : nothing}
    <button class="plain" @click=${() => context.set({ failed: null, pointed: null })}>${words.cancel}</button></div>`;
}

/** @param {Context} context @param {Place} place @param {Slot} slot */
function wireKeys(context, place, slot) {
  const { position } = context;
  const mine = isMine(position, place[0]);
  const yellow = slot.state === "info" && !mine && valuesOf(position).includes("YELLOW");
  const choose = (/** @type {string} */ wire) => {
    setSlot(context, place, { ...slot, wire, value: null });
    if (mine && slot.state === "hidden")
      context.set({ at: nextOpen(withSlot(position, place, { ...slot, wire }), place) });
  };
  return html`<div class="keys-row">${wiresOf(position).map(
    (
      wire,
    ) => html`<button class=${`soft key ${calledOf(wire) === "RED" ? "red" : calledOf(wire) === "YELLOW" ? "yellow" : ""}`}
      aria-pressed=${slot.wire === wire} aria-label=${wire} @click=${() => choose(wire)}><b>${wire[0] === "Y" ? `◆${wire.slice(1)}` : wire[0] === "R" ? `✸${wire.slice(1)}` : wire}</b></button>`,
  )}
    ${yellow ? html`<button class="soft key yellow" aria-pressed=${slot.value === "YELLOW"} @click=${() => setSlot(context, place, { ...slot, wire: null, value: "YELLOW" })}><b>◆ ?</b></button>` : nothing}
    ${mine && slot.wire ? html`<button class="plain" @click=${() => setSlot(context, place, { ...slot, wire: null, value: null })}>${words.erase}</button>` : nothing}</div>`;
}

/** @param {Context} context @param {Place} place @param {Slot} slot */
function stateChoice(context, place, slot) {
  const { position, replies } = context;
  const found = replies.posterior?.value?.stands[place[0]]?.slots[place[1]];
  const likely = found && Object.entries(found).sort((a, b) => b[1] - a[1])[0]?.[0];
  const change = (/** @type {"hidden" | "cut" | "info"} */ state) => {
    const wire = slot.wire ?? (state === "hidden" || slot.value ? null : (likely ?? wiresOf(position)[0]));
    setSlot(context, place, {
      ...slot,
      state,
      wire: state === "hidden" && !isMine(position, place[0]) ? null : wire,
      value: state === "hidden" ? null : (slot.value ?? null),
    });
  };
  return choice({
    label: words.setDirectly,
    options: words.states,
    value: slot.state ?? "hidden",
    onChange: change,
  });
}

/** @param {Context} context @param {Place} place @param {Slot} slot */
function tokenKeys(context, place, slot) {
  const { position } = context;
  const last = place[1] + 1 === position.stands[place[0]].slots.length;
  const tokens = slot.tokens ?? [];
  const nots = valuesOf(position).map((v) => `not:${v}`);
  const toggle = (/** @type {string} */ t) =>
    setSlot(context, place, {
      ...slot,
      tokens: tokens.includes(t) ? tokens.filter((x) => x !== t) : [...tokens, t],
    });
  const key = (/** @type {string} */ t) =>
    html`<button class="soft key" aria-pressed=${tokens.includes(t)} aria-label=${words.tokenName(t)} @click=${() => toggle(t)}>${sign(t)}</button>`;
  return html`<p class="pad-line">${words.tokens}</p>
    <div class="keys-row">${TOKENS.filter((t) => !last || !t.includes("next")).map(key)}</div>
    <details class="nots" ?open=${tokens.some((t) => t.startsWith("not:"))}><summary>${words.notValue}</summary><div class="keys-row">${nots.map(key)}</div></details>`;
}
