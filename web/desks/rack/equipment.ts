/** Equipment and characters that are no cut: which card, and what everybody saw. */

import type { UseOptions as Used } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import type { OnSelect } from "../../widgets/on.js";
import { choice } from "../../widgets/panel.js";
import type { Context } from "./model.js";
import { letter, ownerOf, playersOf, ruling, standOfPlayer, TOKEN_MARKS, valuesOf } from "./model.js";
import { nameOf, playerName, words } from "./strings.js";
import { actorOf, note, toggled } from "./turn.js";

export type Form = { context: Context; draft: Required<Used>; set: (more: Partial<Used>) => void };
type Field = (form: Form) => unknown;
type Offer = { card: string; why: string };

/** A key is pressed for one of a few. */
const key = (label: string, name: string, pressed: boolean, run: () => void, off: boolean = false) =>
  html`<button type="button" class="soft key" aria-label=${name} aria-pressed=${pressed} ?disabled=${off} @click=${run}><b>${label}</b></button>`;

/** What each card asks, by its number. */
const ASKS: Record<string, Field[]> = {
  8: [number, answers],
  2: [wire, arrival, otherWire, otherArrival],
  12: [wire],
  1: [wire],
  4: [wire, token],
  6: [],
  2.2: [wire],
  9.9: [who, number, pair],
  "10.10": [number, gone],
  11.11: [wire, to, arrival],
  skip: [who, steps],
  draw: [to, arrival],
};
/** Cards that a player uses on her own wires or stand. */
const OWN = ["12", "1", "4", "2.2", "9.9", "11.11"];

export function gearDialog(context: Context) {
  const cards = offered(context);
  const free = cards.filter(({ why }) => !why).map(({ card }) => card);
  const draft = { ...untold(context), card: free.includes("8") ? "8" : (free[0] ?? "skip") };
  usable(context, draft);
  let fault = "";
  const draw = () => context.open(body);
  const set = (more: Partial<Used>) => {
    Object.assign(draft, more);
    if (more.card) usable(context, draft);
    fault = "";
    draw();
  };
  const take = () =>
    note(context, { want: "use", options: { ...draft, slot: Math.max(0, draft.slot) } }, {})
      .then(() => context.open(null))
      .catch((problem) => {
        fault = problem.message ?? String(problem);
        draw();
      });
  const body = () =>
    dialogIn(context, {
      title: words.gear.title,
      close: words.close,
      body: html`<label>${words.gear.card}<select class="field" @change=${(e: OnSelect) => set({ card: e.target.value })}>
          ${cards.map(({ card, why }) => html`<option value=${card} ?selected=${draft.card === card} ?disabled=${Boolean(why)}>${words.gear.cards[card]}</option>`)}</select></label>
        <p class="quiet">${words.gear.what[draft.card]}</p>
        ${ASKS[draft.card].map((field) => field({ context, draft, set }))}
        ${fault ? html`<p class="note risk" role="alert">${fault}</p>` : nothing}
        <div class="row lay-out"><button class="main" ?disabled=${ASKS[draft.card].includes(wire) && draft.slot < 0} @click=${take}>${words.gear.note}</button></div>
        ${notNow(cards)}`,
    });
  draw();
}

/** The cards that lie there but may not be used, and why. */
function notNow(cards: Offer[]) {
  const locked = cards.filter(({ why }) => why);
  return locked.length
    ? html`<details class="more" open><summary>${words.gear.notNow}</summary><ul class="quiet">${locked.map(
        ({ card, why }) => html`<li><b>${words.gear.cards[card]}</b>: ${why}</li>`,
      )}</ul></details>`
    : nothing;
}

/** What the mission has, each with why no one may use it now, "" where somebody may. */
function offered({ position, replies }: Context): Offer[] {
  const { cards = [], rules = [] } = ruling(replies) ?? {};
  const { aside, groups } = position.wires;
  const unseen = aside > 0 || groups.some((group) => group.drawn < group.of.length);
  return Object.keys(words.gear.cards).flatMap((card) => {
    if (card === "draw") return rules.includes("off_stands") && unseen ? [{ card, why: "" }] : [];
    const faults = cards.flatMap((one) => one[card] ?? []);
    if (card === "skip" || !cards.length) return [{ card, why: "" }];
    return faults.length ? [{ card, why: faults.includes("") ? "" : faults[0] }] : [];
  });
}

/** The stands whose players may use a card on what is their own; all of them for the others. */
function standsFor(context: Context, card: string) {
  const mays = ruling(context.replies)?.cards ?? [];
  const may = (i: number) => mays[ownerOf(context.position, i)]?.[card] === "";
  const all = standsOf(context);
  return OWN.includes(card) && mays.length ? all.filter(([i]) => may(Number(i))) : all;
}

/** Begins with a stand, or a player, that may. */
function usable(context: Context, draft: Required<Used>) {
  const stands = standsFor(context, draft.card).map(([i]) => Number(i));
  const owner = (i: number) => ownerOf(context.position, i);
  if (!stands.includes(draft.stand)) Object.assign(draft, { stand: stands[0] ?? 0, slot: -1 });
  if (!stands.includes(draft.to)) draft.to = stands[0] ?? 0;
  if (draft.card === "9.9" && !stands.some((i) => owner(i) === draft.actor))
    Object.assign(draft, { actor: owner(stands[0] ?? 0), stand: stands[0] ?? 0, slots: [] });
}

/** What is entered so far: the radar, of the one open number card where there is one. */
function untold(context: Context): Required<Used> {
  const { numbers } = context.position;
  return {
    card: "8",
    actor: actorOf(context),
    value: numbers.length === 1 ? numbers[0] : "",
    yes: [],
    stand: firstOther(context),
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
}

function firstOther({ position }: Context) {
  const others = position.stands.flatMap((stand, i) => ((stand.owner ?? i) === position.viewer ? [] : [i]));
  return others[0] ?? 0;
}

/** The stands as keys of a choice. */
function standsOf({ position }: Context): [string, string][] {
  return position.stands.map((_, i) => [String(i), nameOf(position, i)]);
}

function who({ context, draft, set }: Parameters<Field>[0]) {
  const { position } = context;
  const stands = standsFor(context, draft.card).map(([i]) => ownerOf(position, Number(i)));
  const options = playersOf(position)
    .filter((p) => stands.includes(p))
    .map((p) => [String(p), playerName(position, p)] as [string, string]);
  const choose = (p: string) =>
    set({ actor: Number(p), stand: standOfPlayer(position, Number(p)), slots: [] });
  return html`<p>${words.gear.who}</p>${choice({ label: words.gear.who, options, value: String(draft.actor), onChange: choose })}`;
}

function number({ context, draft, set }: Parameters<Field>[0]) {
  const numbers = valuesOf(context.position).filter((v) => v !== "YELLOW" && v !== "RED");
  return html`<p>${words.gear.number}</p><div class="keys-row numbers" role="group" aria-label=${words.gear.number}>
    ${numbers.map((v) => key(v, v, draft.value === v, () => set({ value: v })))}</div>`;
}

/** Every stand's answer, a teammate's with two stands for each of them. */
function answers({ context, draft, set }: Parameters<Field>[0]) {
  const turn = (i: number) => () => set({ yes: toggled(draft.yes, i, context.position.stands.length) });
  return html`<p>${words.gear.yes}</p><div class="row wrap" role="group" aria-label=${words.gear.yes}>
    ${standsOf(context).map(([i, name]) => html`<button type="button" class="soft" aria-pressed=${draft.yes.includes(Number(i))} @click=${turn(Number(i))}>${name}</button>`)}</div>`;
}

/**
 * The slots of a stand as keys; of a pair, the left ones.
 * @param which equipment leaves unsorted wires alone, the disintegrator does not
 */
function slotKeys(
  { position }: Context,
  stand: number,
  label: string,
  pressed: (j: number) => boolean,
  choose: (j: number) => void,
  which: "uncut" | "any" | "pair" | "gone" = "uncut",
) {
  const { slots } = position.stands[stand];
  const loose = (j: number) => which !== "gone" && slots[j]?.tokens.includes("unsorted");
  const cut = (j: number) => slots[j]?.state === "cut";
  const off = (j: number) =>
    loose(j) ||
    (which === "pair"
      ? j + 1 >= slots.length || loose(j + 1) || (cut(j) && cut(j + 1))
      : which !== "any" && cut(j));
  return html`<div class="keys-row numbers" role="group" aria-label=${label}>${slots.map((_, j) =>
    key(letter(j), words.slotKey(j), pressed(j), () => choose(j), off(j)),
  )}</div>`;
}

function wire({ context, draft, set }: Parameters<Field>[0]) {
  const pair = draft.card === "1" || draft.card === "12";
  const label = pair ? words.gear.left : words.gear.wire;
  const stands = draft.card === "11.11" ? standsOf(context) : standsFor(context, draft.card);
  return html`<p>${label}</p>${choice({ label, options: stands, value: String(draft.stand), onChange: (i) => set({ stand: Number(i), slot: -1 }) })}
    ${slotKeys(
      context,
      draft.stand,
      label,
      (j) => draft.slot === j,
      (slot) => set({ slot }),
      pair ? "pair" : draft.card === "4" && context.position.token === "multiplicity" ? "any" : "uncut",
    )}`;
}

function otherWire({ context, draft, set }: Parameters<Field>[0]) {
  const [stand, slot] = draft.other ?? [0, -1];
  const label = words.gear.other;
  return html`<p>${label}</p>${choice({ label, options: standsOf(context), value: String(stand), onChange: (i) => set({ other: [Number(i), 0] }) })}
    ${slotKeys(
      context,
      stand,
      label,
      (j) => draft.other !== null && slot === j,
      (j) => set({ other: [stand, j] }),
    )}`;
}

/** Before which slot a wire went in: the last place is behind them all. */
function places(label: string, many: number, at: number, choose: (at: number) => void) {
  const all = Array.from({ length: many }, (_, j) => j);
  return html`<p>${label}</p><div class="keys-row numbers" role="group" aria-label=${label}>
    ${all.map((j) => key(letter(j), words.slotKey(j), at === j, () => choose(j)))}</div>`;
}

function arrival({ context, draft, set }: Parameters<Field>[0]) {
  const comes = draft.card === "11.11" || draft.card === "draw";
  const stand = comes ? draft.to : draft.stand;
  const many = context.position.stands[stand].slots.length + (comes ? 1 : 0);
  return places(words.gear.at(nameOf(context.position, stand)), many, draft.at, (at) => set({ at }));
}

function otherArrival({ context, draft, set }: Parameters<Field>[0]) {
  const stand = draft.other?.[0] ?? 0;
  const many = context.position.stands[stand].slots.length;
  return places(words.gear.at(nameOf(context.position, stand)), many, draft.other_at, (at) =>
    set({ other_at: at }),
  );
}

function to({ context, draft, set }: Parameters<Field>[0]) {
  return html`<p>${words.gear.to}</p>${choice({ label: words.gear.to, options: standsFor(context, draft.card), value: String(draft.to), onChange: (i) => set({ to: Number(i) }) })}`;
}

function token({ context, draft, set }: Parameters<Field>[0]) {
  const marks = TOKEN_MARKS[context.position.token];
  const shows = marks ?? valuesOf(context.position).filter((v) => v !== "YELLOW" && v !== "RED");
  const name = (v: string) => (marks ? words.tokenName(v) : v);
  return html`<p>${words.whatShown}</p><div class="keys-row numbers" role="group" aria-label=${words.whatShown}>
    ${shows.map((v) => key(name(v), name(v), draft.shown === v, () => set({ shown: v })))}</div>`;
}

/** What a skipped turn costs. */
function steps({ draft, set }: Parameters<Field>[0]) {
  const label = words.gear.steps;
  const options = [0, 1, 2].map((n) => [String(n), String(n)] as [string, string]);
  return html`<p>${label}</p>${choice({ label, options, value: String(draft.steps), onChange: (n) => set({ steps: Number(n) }) })}`;
}

function pair({ context, draft, set }: Parameters<Field>[0]) {
  const stand = standOfPlayer(context.position, draft.actor ?? 0);
  const choose = (j: number) => set({ stand, slots: toggled(draft.slots, j, 2) });
  return html`<p>${words.gear.pair}</p>${slotKeys(context, stand, words.gear.pair, (j) => draft.slots.includes(j), choose)}`;
}

function gone({ context, draft, set }: Parameters<Field>[0]) {
  const has = (i: number, j: number) => draft.places.some(([a, b]) => a === i && b === j);
  const turn = (i: number, j: number) => {
    const rest = draft.places.filter(([a, b]) => a !== i || b !== j);
    set({ places: has(i, j) ? rest : [...rest, [i, j]] });
  };
  return html`<p>${words.gear.gone}</p>${standsOf(context).map(
    ([i, name]) =>
      html`<p class="quiet">${name}</p>${slotKeys(
        context,
        Number(i),
        name,
        (j) => has(Number(i), j),
        (j) => turn(Number(i), j),
        "gone",
      )}`,
  )}`;
}
