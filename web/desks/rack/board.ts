/** The stands as rows of tiles, and as sentences: what is cut, shown and held, and chances of the rest. */

import type { Indication, Posterior } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { fixed, percent } from "../../widgets/numbers.js";
import { bestCut, weighedStand } from "./advice-panels.js";
import { factsDialog } from "./dialogs.js";
import { layOwn, nextToken, nextToStandPad, tokenNextToStand } from "./first-tokens.js";
import type { Context, Place, Slot } from "./model.js";
import {
  byValue,
  currentPosterior,
  isMine,
  isSamePlace,
  isTurned,
  knownValue,
  letter,
  ownerOf,
  seating,
  short,
  sign,
  slotAt,
  standsOf,
  suspectsOf,
  valueRank,
} from "./model.js";
import { pad } from "./slot-pad.js";
import { nameOf, words } from "./strings.js";
import {
  actorOf,
  changeDraft,
  choosable,
  draftOf,
  impliedCut,
  isNamed,
  markedPlaces,
  recordCut,
  recordSecondWire,
  soloValue,
  takeSecondWire,
  targetsOf,
  toggle,
  togglePlace,
} from "./turn.js";

/** What is drawn on a tile besides its slot. */
interface Shown {
  chances: Record<string, number> | null;
  stale: boolean;
  selected: boolean;
  doubted: boolean;
  /** target of the advised cut */
  advised: boolean;
  /** the viewer's own wire of the advised value */
  called: boolean;
}
interface StandParts {
  /** doubted places, "stand.slot", or "stand." for the facts about it */
  suspects: Set<string>;
  posterior: Posterior | null | undefined;
  isOpen: boolean;
}

const DANGER = 0.05; // from this chance of red on a tile is hatched
const MAX_ODDS = 4; // values in a tile's bar of chances
const GAIN_HEIGHT = 54; // px of the largest gain

export function board(context: Context) {
  const { position, replies } = context;
  const { doubt, posterior: reply } = replies;
  const suspected = doubt?.value ? suspectsOf(doubt.value) : [];
  const suspects = new Set(suspected.map((s) => `${s.stand}.${s.slot ?? ""}`));
  const posterior = reply?.fault ? null : reply?.value;
  const open = openStands(context);
  return html`<div class="card racks">${seating(position).map((i) =>
    stand(context, i, { suspects, posterior, isOpen: open.includes(i) }),
  )}</div>`;
}

/** The stands that a narrow screen draws large: where something is to be tapped or read now. */
function openStands(context: Context): number[] {
  const { position, view, replies } = context;
  const acts = view.along?.options.actor ?? impliedCut(context)?.actor;
  if (acts !== undefined && acts !== null) return standsOf(position, acts);
  const slot = slotAt(position, view.at);
  if (view.at && slot && isMine(position, view.at[0]) && isTurned(position, slot)) return []; // the pad has its chances
  if (view.at) return [view.at[0]];
  const indicates = view.tab !== "cut" && replies.indicate?.value;
  const advised = indicates ? undefined : bestCut(context)?.stand;
  return [nextToken(context) ?? advised ?? weighedStand(position, view)];
}

function stand(context: Context, i: number, { suspects, posterior, isOpen }: StandParts) {
  const { position, view } = context;
  const { slots, facts } = position.stands[i];
  const mine = isMine(position, i);
  const name = nameOf(position, i);
  const gains = gainsOf(context, i);
  const best = view.at || view.tab === "indicate" ? null : bestCut(context);
  const selected = markedPlaces(context);
  const targets = view.at?.[0] === i ? draftOf(context, view.at).slots : [];
  const cell = (slot: Slot, j: number) => {
    const place: Place = [i, j];
    const gain = gains?.by.get(j);
    const shown = {
      chances: mine && knownValue(slot) ? null : (posterior?.stands[i]?.slots[j] ?? null),
      stale: Boolean(context.replies.posterior?.stale),
      selected: selected ? selected.some((one) => isSamePlace(one, place)) : targets.includes(j),
      doubted: suspects.has(place.join(".")),
      advised: best?.stand === i && best.slots.includes(j),
      called: mine && slot.state === "hidden" && !!best && knownValue(slot) === best.value,
    };
    return html`<div class=${gain && gain.gain >= (gains?.most ?? 0) ? "cell best" : "cell"}>
      ${gain ? gainBar(gain, gains?.most ?? 1) : nothing}${tile(context, place, slot, shown)}</div>`;
  };
  const hidden = slots.filter(({ state }) => state === "hidden").length;
  const size = `--columns:${columnsOf(slots.length)};--all:${Math.max(10, slots.length)}`;
  return html`<section class=${classes("stand", { doubted: suspects.has(`${i}.`), opened: isOpen, own: mine })} aria-label=${name}>
    <div class="between stand-head"><h2>${name}</h2><span class="how-many">${mine ? "" : words.hiddenWires(hidden)}</span>
      <span class="said">${facts.map((f) => html`<span class="chip-note">${words.factChip(f)}</span>`)}</span>
      <button class="icon more-dots" data-edit aria-label=${words.factTitle(name)} @click=${() => factsDialog(context, i)}>⋯</button>
    </div>
    <div class="rail" .style=${size}>${slots.map(cell)}</div>
    ${view.at?.[0] === i && (!view.along || view.along.fails) ? pad(context, view.at) : nothing}
    ${tokenNextToStand(context) === i ? nextToStandPad(context, i) : nothing}
  </section>`;
}

const classes = (first: string, others: Record<string, boolean>) =>
  [first, ...Object.keys(others).filter((name) => others[name])].join(" ");

/** The gains of the tokens on a stand by slot; null where none are shown. */
function gainsOf({ replies, view, position }: Context, i: number) {
  const reply = replies.indicate;
  const isHidden = view.tab === "cut" || (position.sealed && !view.scores);
  if (!reply?.value || isHidden || (reply.request.options?.stand ?? 0) !== i) return null;
  const { options } = reply.value;
  return {
    by: new Map(options.map((one) => [one.slot, one])),
    most: Math.max(0.001, ...options.map(({ gain }) => gain)),
  };
}

function gainBar({ gain }: Indication, most: number) {
  const height = Math.max(2, (GAIN_HEIGHT * Math.max(0, gain)) / most);
  return html`<span class="gain" aria-hidden="true"><b>${fixed(gain, 1)}</b><i .style=${`height:${height}px`}></i></span>`;
}

function tile(context: Context, place: Place, slot: Slot, shown: Shown) {
  const { chances, stale, selected, doubted, advised, called } = shown;
  const value = knownValue(slot);
  const ranked = chances ? byValue(chances) : [];
  const open = slot.state === "hidden" && !value;
  const sure = ranked.length === 1 && slot.state === "hidden" ? ranked[0][0] : null;
  const red = sure ? 0 : chanceOfRed(ranked);
  // What a wire is not matters only while it is unknown, or in doubt.
  const tokens = slot.tokens.filter((t) => open || doubted || !t.startsWith("not:"));
  const face = value ?? sure;
  const colour = face === "YELLOW" ? "yellow" : face === "RED" ? "red" : "blue";
  const kinds = {
    [slot.state]: true,
    [colour]: true,
    mine: isMine(context.position, place[0]),
    open,
    sure: sure !== null,
    on: selected,
    advised,
    called,
    doubted,
    stale,
    danger: red >= DANGER,
  };
  const name = words.slot(nameOf(context.position, place[0]), place[1]);
  const small =
    open && !sure
      ? ranked.length
        ? percent(ranked[0][1])
        : ""
      : { blue: "", red: "✸ red", yellow: "yellow" }[colour];
  return html`<button class=${classes("tile", kinds)} aria-pressed=${selected} data-place=${place.join(".")} @click=${() => press(context, place, slot)}>
    <span class="unseen">${describeTile(name, { ...slot, tokens }, chances)}${advised ? words.isAdvised : ""}</span>
    <span class="face" aria-hidden="true"><span class="corner">${letter(place[1])}</span>
    <b>${faceOf(slot, face, ranked)}</b><small>${small}</small>
    ${tokens.length ? tokenMarks(tokens) : nothing}
    ${open && red > 0 ? html`<span class="warn-red">✸ ${percent(red)}</span>` : nothing}
    ${open && ranked.length > 1 ? odds(ranked) : nothing}</span>
  </button>`;
}

const chanceOfRed = (ranked: [string, number][]) => ranked.find(([value]) => value === "RED")?.[1] ?? 0;

/** The likeliest values as a bar. */
function odds(ranked: [string, number][]) {
  const likely = ranked.slice(0, MAX_ODDS);
  const rest = Math.max(0, 1 - likely.reduce((sum, [, p]) => sum + p, 0));
  const part = (kind: string, p: number) => html`<i class=${kind} .style=${`flex:${p}`}></i>`;
  return html`<span class="odds" aria-hidden="true">${likely.map(([value, p]) =>
    part(value === "RED" ? "r" : value === "YELLOW" ? "y" : "b", p),
  )}${part("rest", rest)}</span>`;
}

/** Tokens as they are drawn; all values that the wire does not have are one mark. */
function tokenMarks(tokens: string[]) {
  const nots = tokens.filter((t) => t.startsWith("not:")).map((t) => t.slice(4));
  const others = tokens.filter((t) => !t.startsWith("not:"));
  const values = nots.sort((a, b) => valueRank(a) - valueRank(b)).map(short);
  return html`<span class=${others.length ? "marks" : "marks nots"}>${others.map((t) => html`<i class=${t === "unsorted" ? "loose" : ""}>${sign(t)}</i>`)}
    ${nots.length ? html`<i class="no">${words.nots(values)}</i>` : nothing}</span>`;
}

function faceOf(slot: Slot, face: string | null, ranked: [string, number][]) {
  if (slot.wire) return slot.wire.replace(/^[YR]/, "");
  if (face) return short(face);
  if (!ranked.length) return "?";
  const [[value, p]] = ranked;
  return html`<span class=${p >= 0.5 ? "maybe" : "guess"}>${short(value)}</span>`;
}

/** A tap on a tile: part of the cut that is entered, or the selection of its slot. */
function press(context: Context, place: Place, slot: Slot) {
  const { view, position } = context;
  const { at } = view;
  if (view.along) return takeSecondWire(context, place);
  const marked = markedPlaces(context);
  const isSameOwner = at !== null && ownerOf(position, place[0]) === ownerOf(position, at[0]);
  if (marked && (view.turn?.device === "together" || isSameOwner))
    return mark(context, togglePlace(marked, place));
  const implied = impliedCut(context, place);
  if (implied && ownerOf(position, place[0]) === implied.actor && slot.state !== "cut")
    return recordSecondWire(context, { options: implied, value: implied.value ?? "" }, place);
  const isQuiz = position.sealed && !view.scores && view.tab !== "cut";
  if (isQuiz && isMine(position, place[0])) return context.set({ scores: true, picked: place[1], at: null });
  if (at?.[0] === place[0] && !isNamed(draftOf(context, at))) {
    const { slots, most } = choosable(context, at);
    if (slots.includes(place[1]))
      return changeDraft(context, { slots: toggle(draftOf(context, at).slots, place[1], most) });
  }
  if (layOwn(context, place, slot)) return;
  const showStand = () => document.querySelector(".stand.opened")?.scrollIntoView({ block: "nearest" });
  const isSame = isSamePlace(at, place);
  context.set({ at: isSame ? null : place, turn: null, typed: "" }, isSame ? undefined : showStand);
}

/** Mark wires of a cut of several; a solo cut is recorded once only one value fits. */
function mark(context: Context, places: Place[]) {
  const value = context.view.turn?.device === "together" ? null : soloValue(context, places);
  if (!value) return changeDraft(context, { places });
  return recordCut(context, { action: "solo", actor: actorOf(context), value, ...targetsOf(places) });
}

/** Tiles in a row of a large stand on a phone: two even rows, or one of up to seven. */
function columnsOf(slots: number) {
  return slots > 7 ? Math.ceil(slots / Math.ceil(slots / 7)) : Math.max(6, slots);
}

/** A sentence for each stand, the viewer's own first. */
export function describeStands({ position, replies }: Pick<Context, "position" | "replies">): string[] {
  const posterior = currentPosterior(replies);
  return seating(position).map((i) => {
    const { slots, facts } = position.stands[i];
    const mine = isMine(position, i);
    const tiles = slots.map((slot, j) => {
      const chances = mine && knownValue(slot) ? null : (posterior?.stands[i]?.slots[j] ?? null);
      return describeTile(letter(j), slot, chances);
    });
    const known = facts.map((fact) => (mine ? words.factsOwn(fact) : words.facts(fact)));
    return words.standTold(nameOf(position, i), [...tiles, ...known]);
  });
}

/** @param where "A", or the whole name @param chances by wire */
function describeTile(where: string, slot: Slot, chances: Record<string, number> | null) {
  const ranked = chances ? byValue(chances) : [];
  const wire = slot.wire ?? slot.value;
  const red = chanceOfRed(ranked);
  const likely =
    ranked.length === 1 ? words.certainly(ranked[0][0]) : ranked.length ? words.likely(...ranked[0]) : "";
  const unknown = [words.isHidden, likely, red ? words.danger(red) : ""].filter(Boolean).join(", ");
  const known = { cut: words.isCut, info: words.isShown, hidden: words.isYours };
  return words.spokenTile(where, wire ? known[slot.state](wire) : unknown, slot.tokens);
}
