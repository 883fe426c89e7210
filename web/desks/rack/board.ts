/** The stands as racks of tiles, and in sentences: what is cut, shown, yours, and the chances of what is hidden. */

import type { Indication, Posterior } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { fixed, percent } from "../../widgets/numbers.js";
import { bestCut, standOf } from "./advice-panels.js";
import { besideDue, besidePad, layOwn, nextToken } from "./first-tokens.js";
import type { Context, Place, Slot } from "./model.js";
import {
  byValue,
  isMine,
  isTurned,
  letter,
  ownerOf,
  rank,
  seating,
  seen,
  short,
  sign,
  slotAt,
  suspectsOf,
} from "./model.js";
import { pad } from "./slot-pad.js";
import { nameOf, words } from "./strings.js";
import {
  actorOf,
  choosable,
  complete,
  draftOf,
  fellowOf,
  marked,
  pointedAt,
  record,
  recordAlong,
  remarked,
  soloValue,
  stepTo,
  takeAlong,
  toggled,
} from "./turn.js";

/** of a slot */
export type Shown = {
  gain: Indication | undefined;
  most: number;
  chances: Record<string, number> | null;
  stale: boolean;
  doubted: boolean;
  advised: boolean;
  /** the viewer's own wire of the advised value */
  called: boolean;
  name: string;
};

const DANGER = 0.05; // from this chance of red on a tile is hatched; a smaller one is only written on it

export function board(context: Context) {
  const { position, replies } = context;
  const doubt = replies.doubt?.value;
  const suspects = new Set((doubt ? suspectsOf(doubt) : []).map((s) => `${s.stand}.${s.slot ?? ""}`));
  const chances = replies.posterior?.fault ? null : replies.posterior?.value;
  const stale = Boolean(replies.posterior?.stale);
  const open = openStands(context);
  return html`<div class="card racks">${seating(position).map((i) => stand(context, i, { suspects, chances, stale, open: open.includes(i) }))}</div>`;
}

/** The stands that a narrow screen draws large: where something is to be tapped or looked at now. */
function openStands(context: Context): number[] {
  const { position, view, replies } = context;
  const acts = view.along?.options.actor ?? fellowOf(context)?.actor;
  if (acts !== undefined && acts !== null)
    return position.stands.flatMap((_, i) => (ownerOf(position, i) === acts ? [i] : []));
  const due = nextToken(context);
  const slot = slotAt(position, view.at);
  if (view.at && slot && isMine(position, view.at[0]) && isTurned(position, slot)) return []; // the pad has its chances
  if (view.at) return [view.at[0]];
  if (due !== null) return [due];
  const shows = view.tab !== "cut" && replies.indicate?.value;
  return [shows ? standOf(position, view) : (bestCut(context)?.stand ?? standOf(position, view))];
}

function stand(
  context: Context,
  i: number,
  shown: { suspects: Set<string>; chances: Posterior | null | undefined; stale: boolean; open: boolean },
) {
  const { position, view } = context;
  const one = position.stands[i];
  const gains = gainsOf(context, i);
  const name = nameOf(position, i);
  const selected = view.at?.[0] === i;
  const best = view.at || view.tab === "indicate" ? null : bestCut(context);
  const classes = [
    "stand",
    shown.suspects.has(`${i}.`) ? "doubted" : "",
    shown.open ? "opened" : "",
    isMine(position, i) ? "own" : "",
  ];
  const hidden = one.slots.filter((slot) => slot.state === "hidden").length;
  return html`<section class=${classes.filter(Boolean).join(" ")} aria-label=${name}>
    <div class="between stand-head"><h2>${name}</h2><span class="how-many">${isMine(position, i) ? "" : words.hiddenWires(hidden)}</span>
      <span class="said">${one.facts.map((f) => html`<span class="chip-note">${words.factChip(f)}</span>`)}</span>
      <button class="icon more-dots" data-edit aria-label=${words.factTitle(name)} @click=${() => context.set({ facts: i })}>⋯</button>
    </div>
    <div class="rail" .style=${`--columns:${columnsOf(one.slots.length)};--all:${Math.max(10, one.slots.length)}`}>${one.slots.map(
      (slot: Slot, j: number) =>
        cell(context, [i, j], slot, {
          gain: gains?.by.get(j),
          most: gains?.most ?? 0,
          chances: isMine(position, i) && seen(slot) ? null : (shown.chances?.stands[i]?.slots[j] ?? null),
          advised: best?.stand === i && best.slots.includes(j),
          called: isMine(position, i) && slot.state === "hidden" && !!best && seen(slot) === best.value,
          stale: shown.stale,
          doubted: shown.suspects.has(`${i}.${j}`),
          name,
        }),
    )}</div>
    ${selected && view.at && (!view.along || view.along.fails) ? pad(context, view.at) : nothing}
    ${besideDue(context) === i ? besidePad(context, i) : nothing}
  </section>`;
}

function gainsOf({ replies, view, position }: Context, i: number) {
  const found = replies.indicate?.value;
  if (!found || replies.indicate?.stale || view.tab === "cut" || (position.sealed && !view.scores))
    return null;
  if ((replies.indicate?.request.options?.stand ?? 0) !== i) return null;
  const by = new Map(found.options.map((o) => [o.slot, o]));
  return {
    by,
    most: Math.max(0.001, ...found.options.map((o) => o.gain)),
    best: found.options[0]?.slot,
  };
}

function cell(context: Context, place: Place, slot: Slot, more: Shown) {
  const { view } = context;
  const among = marked(context)?.some((one) => one.join() === place.join());
  const on = among ?? (view.at?.[0] === place[0] && draftOf(context, view.at).slots.includes(place[1]));
  const best = more.gain && more.gain.gain >= more.most;
  return html`<div class=${best ? "cell best" : "cell"}>
    ${more.gain ? gainBar(more.gain, more.most) : nothing}
    ${tile(context, place, slot, more, on)}
  </div>`;
}

function gainBar(gain: Indication, most: number) {
  return html`<span class="gain" aria-hidden="true"><b>${fixed(gain.gain, 1)}</b>
    <i .style=${`height:${Math.max(2, (54 * Math.max(0, gain.gain)) / most)}px`}></i></span>`;
}

function tile(context: Context, place: Place, slot: Slot, more: Shown, on: boolean) {
  const value = seen(slot);
  const mine = isMine(context.position, place[0]);
  const ranked = more.chances ? byValue(more.chances) : [];
  const sure = ranked.length === 1 && slot.state === "hidden" ? ranked[0][0] : null;
  const red = ranked.find(([v]) => v === "RED")?.[1] ?? 0;
  const open = slot.state === "hidden" && !value;
  // What a wire is not says nothing more once it is seen, unless that is what cannot be.
  const marks = (slot.tokens ?? []).filter((t) => open || more.doubted || !t.startsWith("not:"));
  const face = value ?? sure;
  const colour = face === "YELLOW" ? "yellow" : face === "RED" ? "red" : "blue";
  const classes = [
    "tile",
    slot.state,
    colour,
    mine ? "mine" : "",
    open ? "open" : "",
    sure ? "sure" : "",
    on ? "on" : "",
    more.advised ? "advised" : "",
    more.called ? "called" : "",
    more.doubted ? "doubted" : "",
    more.stale ? "stale" : "",
    red >= DANGER && !sure ? "danger" : "",
  ];
  return html`<button class=${classes.filter(Boolean).join(" ")} aria-pressed=${on} data-place=${place.join(".")} @click=${() => press(context, place)}>
    <span class="unseen">${describeTile(words.slot(more.name, place[1]), { ...slot, tokens: marks }, more.chances)}${more.advised ? words.isAdvised : ""}</span>
    <span class="face" aria-hidden="true"><span class="corner">${letter(place[1])}</span>
    <b>${faceOf(slot, face, ranked)}</b>
    ${open && !sure ? html`<small>${ranked.length ? percent(ranked[0][1]) : ""}</small>` : html`<small>${colour === "blue" ? "" : colour === "red" ? "✸ red" : "yellow"}</small>`}
    ${marks.length ? html`<span class=${marks.every((t) => t.startsWith("not:")) ? "marks nots" : "marks"}>${marksOf(marks).map(([text, kind]) => html`<i class=${kind}>${text}</i>`)}</span>` : nothing}
    ${open && red > 0 && !sure ? html`<span class="warn-red">✸ ${percent(red)}</span>` : nothing}
    ${open && ranked.length > 1 ? html`<span class="odds" aria-hidden="true">${ranked.slice(0, 4).map(([v, p]) => html`<i class=${v === "RED" ? "r" : v === "YELLOW" ? "y" : "b"} .style=${`flex:${p}`}></i>`)}<i class="rest" .style=${`flex:${rest(ranked)}`}></i></span>` : nothing}</span>
  </button>`;
}

/** Tokens as they are drawn, each with its class; what the wire is not is one. */
function marksOf(tokens: string[]): [string, string][] {
  const nots = tokens.filter((t) => t.startsWith("not:")).map((t) => t.slice(4));
  const ordered = nots.sort((a, b) => rank(a) - rank(b)).map(short);
  const others = tokens.filter((t) => !t.startsWith("not:"));
  const found: [string, string][] = others.map((t) => [sign(t), t === "unsorted" ? "loose" : ""]);
  return nots.length ? [...found, [words.nots(ordered), "no"]] : found;
}

function rest(ranked: [string, number][]) {
  return Math.max(0, 1 - ranked.slice(0, 4).reduce((sum, [, p]) => sum + p, 0));
}

function faceOf(slot: Slot, face: string | null, ranked: [string, number][]) {
  if (slot.wire) return slot.wire.replace(/^[YR]/, "");
  if (face) return short(face);
  return ranked.length
    ? html`<span class=${ranked[0][1] >= 0.5 ? "maybe" : "guess"}>${short(ranked[0][0])}</span>`
    : "?";
}

/** The slots that a tap chooses or leaves out while a cut at several of them is noted. */
function choosing(context: Context, stand: number): number[] {
  const { at } = context.view;
  return at?.[0] === stand && !complete(draftOf(context, at)) ? choosable(context, at).slots : [];
}

function press(context: Context, place: Place) {
  const { view, position } = context;
  if (view.along) return takeAlong(context, place);
  const chosen = marked(context);
  const whose = (i: number) => ownerOf(position, i);
  if (chosen && (view.turn?.device === "together" || whose(place[0]) === whose(view.at?.[0] ?? -1)))
    return mark(context, remarked(chosen, place));
  const fellow = fellowOf(context, place);
  if (
    fellow &&
    ownerOf(position, place[0]) === fellow.actor &&
    position.stands[place[0]].slots[place[1]].state !== "cut"
  )
    return recordAlong(context, { options: fellow, value: String(fellow.value) }, place);
  const quiz = position.sealed && !view.scores && view.tab !== "cut";
  if (quiz && isMine(position, place[0])) return context.set({ scores: true, picked: place[1], at: null });
  if (view.at && choosing(context, place[0]).includes(place[1])) {
    const { most } = choosable(context, place);
    return stepTo(context, { slots: toggled(draftOf(context, view.at).slots, place[1], most) });
  }
  if (layOwn(context, place)) return;
  const same = view.at?.[0] === place[0] && view.at?.[1] === place[1];
  const inView = () => document.querySelector(".stand.opened")?.scrollIntoView({ block: "nearest" });
  context.set({ at: same ? null : place, turn: null, typed: "" }, same ? undefined : inView);
}

/** Wires are marked for a cut of several; a solo cut that they tell completely is noted. */
function mark(context: Context, places: Place[]) {
  const value = context.view.turn?.device === "together" ? null : soloValue(context, places);
  if (!value) return stepTo(context, { places });
  return record(context, { action: "solo", actor: actorOf(context), value, ...pointedAt(places) });
}

/** Tiles a row of a large stand on a phone: two even rows, one of up to seven. */
function columnsOf(slots: number) {
  return slots > 7 ? Math.ceil(slots / Math.ceil(slots / 7)) : Math.max(6, slots);
}

/** A sentence a stand, one's own first. */
export function describeStands({ position, replies }: Pick<Context, "position" | "replies">): string[] {
  const { posterior } = replies;
  const chances = posterior?.fault || posterior?.stale ? null : posterior?.value;
  return seating(position).map((i) => {
    const one = position.stands[i];
    const own = isMine(position, i);
    const tiles = one.slots.map((slot: Slot, j: number) =>
      describeTile(letter(j), slot, own && seen(slot) ? null : (chances?.stands[i]?.slots[j] ?? null)),
    );
    const facts = one.facts.map((fact) => (own ? words.factsOwn(fact) : words.facts(fact)));
    return words.standTold(nameOf(position, i), [...tiles, ...facts]);
  });
}

/** @param where "A", or the whole name @param chances by wire */
function describeTile(where: string, slot: Slot, chances: Record<string, number> | null) {
  const ranked = chances ? byValue(chances) : [];
  const value = seen(slot);
  const red = ranked.find(([v]) => v === "RED")?.[1] ?? 0;
  const what = value ? seenAs(slot, value) : hidden(ranked, red);
  return words.spokenTile(where, what, slot.tokens ?? []);
}

function seenAs({ state }: Slot, value: string) {
  if (state === "cut") return words.isCut(value);
  return state === "info" ? words.isShown(value) : words.isYours(value);
}

function hidden(ranked: [string, number][], red: number) {
  const likely =
    ranked.length === 1 ? words.certainly(ranked[0][0]) : ranked.length ? words.likely(...ranked[0]) : "";
  return [words.isHidden, likely, red ? words.danger(red) : ""].filter(Boolean).join(", ");
}
