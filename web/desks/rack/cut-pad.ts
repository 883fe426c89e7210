/** The pad for a cut: who cuts, with which device, at which slots, the values named, and how it ended. */

import type { Cut } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { choice, tick } from "../../widgets/panel.js";
import { key, playerChoice, slotKey, tokenKey, valueKey } from "./keys.js";
import type { Context, Place, Position, Slot } from "./model.js";
import {
  byValue,
  chancesAt,
  hasRule,
  heldValues,
  isMine,
  knownValue,
  newestPosterior,
  ownerOf,
  playersOf,
  slotAt,
  standsOf,
  TOKEN_MARKS,
  valueRank,
  valuesOf,
  wiresOf,
} from "./model.js";
import { face, playerName, words } from "./strings.js";
import type { Along, Device, Draft, Outcome } from "./turn.js";
import {
  actorOf,
  changeDraft,
  choosable,
  draftOf,
  EMPTY_DRAFT,
  impliedCut,
  isNamed,
  isOwnTurned,
  isSolo,
  markedPlaces,
  mayPoint,
  namesTwo,
  recordCut,
  recordSuccess,
  sameColourPlaces,
  targetsOf,
  toggle,
  togglePlace,
  uncutOf,
  yellowAt,
} from "./turn.js";

/** A cut that is entered at a slot. */
type Entry = { context: Context; place: Place; slot: Slot; draft: Draft; actor: number };

const DETECTORS: Device[] = ["double", "triple", "super"];

export function cutPad(context: Context, place: Place, slot: Slot) {
  const { position, view } = context;
  const players = actorsAt(position, place);
  const actor = players.find((p) => p === actorOf(context)) ?? players[0];
  if (actor === undefined) return nothing;
  const entry = { context, place, slot, draft: draftOf(context, place), actor };
  if (view.along) return secondWireKeys(entry, view.along);
  if (isNamed(entry.draft)) return resultKeys(entry);
  const choose = (player: number) => context.set({ actor: player, turn: null });
  const isAlone = isSolo(context, place) && entry.draft.device !== "together";
  return html`${players.length > 1 ? playerChoice(words.who, position, { players, value: actor }, choose) : nothing}
    ${isAlone ? soloKeys(entry) : deviceKeys(entry)}`;
}

/** Who may have cut at this slot: its owner only alone, or a wire that is turned away from her. */
function actorsAt(position: Position, place: Place): number[] {
  if (position.sealed) return [position.viewer ?? 0];
  const owner = ownerOf(position, place[0]);
  const mayOwner = owner !== position.viewer || isOwnTurned(position, place, owner);
  return playersOf(position).filter((p) => p !== owner || mayOwner);
}

const line = (text: unknown, kind = "") => html`<p class=${`pad-line ${kind}`.trim()}>${text}</p>`;

/** A cut at another player's stand, or of several wires at once. */
function deviceKeys(entry: Entry) {
  const { context, place, slot, draft, actor } = entry;
  const { position } = context;
  const marked = markedPlaces(context);
  if (marked) return togetherKeys(entry, marked);
  const { slots, most } = choosable(context, place);
  const missing = slots.length ? most - draft.slots.length : 0;
  const implied = impliedCut(context);
  const who = playerName(position, actor);
  const devices = devicesAt(entry);
  const setDevice = (device: Device) =>
    changeDraft(context, { device, slots: [place[1]], values: [], ray: false });
  const setSlots = (j: number) => changeDraft(context, { slots: toggle(draft.slots, j, most) });
  const needsStabilizer = draft.failing && !isOwnTurned(position, place, actor) && mayStabilize(entry);
  return html`
    ${devices.length > 1 && !slot.tokens.includes("unsorted") ? choice({ label: words.device, options: devices, value: draft.device, onChange: setDevice }) : nothing}
    ${DETECTORS.includes(draft.device) && mayUse(entry, "either") ? tick(words.ray, draft.ray, (ray) => changeDraft(context, { ray, values: [] }), { kind: "steady" }) : nothing}
    ${slots.length ? html`${line(words.pointAt(most))}${targetKeys(slots, draft.slots, setSlots)}` : nothing}
    ${draft.device === "super" ? line(words.pointAll) : nothing}
    ${position.sealed ? nothing : choice({ label: words.ended, options: { yes: words.itWorked, no: words.itFailed }, value: draft.failing ? "no" : "yes", onChange: (v) => changeDraft(context, { failing: v === "no" }) })}
    ${needsStabilizer ? tick(words.stabilizer, draft.stabilized, (stabilized) => changeDraft(context, { stabilized }), { kind: "steady" }) : nothing}
    ${
      missing > 0
        ? line(words.pointMore(missing))
        : html`${implied ? line(words.alongWith(who, implied.value ?? "")) : line(words.names(draft, who, Boolean(position.sealed)), "asks")}${namedKeys(entry)}`
    }`;
}

/** The mission's cut of several wires at once, tapped on any stand. */
function togetherKeys({ context, actor }: Entry, places: Place[]) {
  const end = (success: boolean) =>
    recordCut(context, { action: "together", actor, success, ...targetsOf(places) });
  const button = (label: string, success: boolean) =>
    html`<button class="soft" ?disabled=${!places.length} @click=${() => end(success)}>${label}</button>`;
  return html`${line(words.pointAny)}<div class="row step">${button(words.itWorked, true)}${button(words.itFailed, false)}
    <button class="plain" @click=${() => changeDraft(context, { device: "dual" })}>${words.back}</button></div>`;
}

/** A plain cut and the equipment that the player may point at this wire; all of it until that is known. */
function devicesAt(entry: Entry) {
  const { context, place } = entry;
  return (Object.entries(words.devices) as [Device, string][]).filter(
    ([device]) => device === "dual" || (mayUse(entry, device) && mayPoint(context.position, place, device)),
  );
}

/** Whether the mission lets the player use a device now; true until that is known. */
const mayUse = ({ context, actor }: Entry, device: Cut["action"]) =>
  newestPosterior(context.replies)?.equipment[actor]?.includes(device) ?? true;

/** Whether the player may have the stabilizer. */
function mayStabilize({ context, actor }: Entry) {
  const { cards = [] } = newestPosterior(context.replies) ?? {};
  return !cards.length || cards[actor]?.["9"] === "";
}

/** The values that the mission forbids the player to name now, and why. */
const barredFor = ({ context, actor }: Entry): Record<string, string> =>
  newestPosterior(context.replies)?.barred[actor] ?? {};

/** Why some keys are grey, each reason once. @param values of the keys */
function greyReasons(barred: Record<string, string>, values: string[]) {
  const reasons = [...new Set(values.flatMap((v) => barred[v] ?? []))];
  if (!reasons.length) return nothing;
  return line(`${reasons.slice(0, 2).join(" ")}${reasons.length > 2 ? " …" : ""}`, "quiet");
}

/** The slots of a stand as keys, the targets pressed. */
function targetKeys(slots: number[], targets: number[], run: (j: number) => void) {
  const keys = slots.map((j) => slotKey(j, () => run(j), { pressed: targets.includes(j) }));
  return html`<div class="keys-row" role="group" aria-label=${words.pointed}>${keys}</div>`;
}

/** The values that may be named, and each yellow wire whose number the cut reveals. */
function namedKeys(entry: Entry) {
  const { context, place, slot, draft } = entry;
  const isPlain = draft.device === "dual";
  const isSingle = draft.slots.length === 1;
  const chances = chancesAt(context.replies, place);
  const likely = new Map(isSingle ? byValue(chances) : []);
  const known = isSingle && isPlain ? knownValue(slot) : null;
  const mine = isMine(context.position, place[0]); // a wrong value at one's own wire: the cut has failed
  const values = namableValues(entry);
  const barred = barredFor(entry);
  const keyFor = (value: string, wire: string | null) =>
    valueKey(wire ?? value, () => nameValue(entry, value, wire), {
      chance: wire ? chances[wire] : likely.get(value),
      kind: likely.size > 0 && !likely.has(value) ? "faint-key" : "",
      disabled:
        value in barred || (known !== null && (known === value ? draft.failing : !draft.failing && !mine)),
      pressed: namesTwo(draft) ? draft.values.includes(value) : undefined,
    });
  const keys = values.map((value) => {
    const wires = value === "YELLOW" && isPlain && !draft.failing ? yellowAt(context, place) : [];
    return wires.length ? wires.map((wire) => keyFor(value, wire)) : keyFor(value, null);
  });
  return html`${greyReasons(barred, values)}<div class="keys-row numbers step">${keys}${isPlain ? togetherKey(context, place) : nothing}</div>`;
}

/** The key for the mission's cut of several wires at once; those that are known are marked. */
function togetherKey(context: Context, place: Place) {
  if (!hasRule(context, "together") || context.position.sealed) return nothing;
  const start = () => changeDraft(context, { device: "together", places: sameColourPlaces(context, place) });
  return html`<button class="soft key" @click=${start}><small>${words.atOnce}</small></button>`;
}

/** The values that the player may name: the viewer only held ones; yellow alone where the mission says so. */
function namableValues({ context, draft, actor }: Entry): string[] {
  const { position } = context;
  const held = actor === position.viewer ? heldValues(position) : [];
  const mayYellow = draft.device === "dual" || draft.device === "either";
  const isYellowFree = draft.device === "dual" && hasRule(context, "one_by_one");
  return valuesOf(position).filter(
    (v) =>
      valueRank(v) <= valueRank(mayYellow ? "YELLOW" : "12") &&
      (!held.length || held.includes(v) || (isYellowFree && v === "YELLOW")),
  );
}

/** Add a named value to the draft; the cut is recorded if nothing else has to be asked. */
function nameValue(entry: Entry, value: string, wire: string | null) {
  const { context, place, slot, draft } = entry;
  const { position } = context;
  const values = namesTwo(draft) ? toggle(draft.values, value, 2) : [value];
  const isSingle = draft.slots.length === 1;
  const known = isSingle && isMine(position, place[0]) && draft.device === "dual" ? knownValue(slot) : null;
  const failing = draft.failing || (known !== null && known !== value);
  const named = { ...entry, draft: { ...draft, values, failing } };
  if (isNamed(named.draft)) {
    if (position.sealed) return recordCut(context, optionsOf(named));
    if (isSingle && failing) return placeToken(named, draft.slots[0]);
    if (isSingle && !namesTwo(draft))
      return recordSuccess(context, {
        ...optionsOf(named),
        at: draft.slots[0],
        ...(wire ? { shown: wire } : {}),
      });
  }
  return changeDraft(context, { values });
}

function optionsOf({ place: [stand], draft, actor }: Entry): Outcome {
  const { device: action, slots, values, stabilized, failing } = draft;
  const options = { action, actor, stand, slots, value: values.join("/") };
  return stabilized && failing ? { ...options, stabilized } : options;
}

/** Record a failed cut; `shown` is what the token on slot `at` shows, null without a token. */
function recordFailure(entry: Entry, at: number, shown: string | null) {
  return recordCut(entry.context, { ...optionsOf(entry), at, success: false, shown });
}

/** Put the token of a failed cut on a slot; what it shows is asked unless it is known. */
function placeToken(entry: Entry, at: number) {
  const { context, place, draft, actor } = entry;
  const { position } = context;
  if (isOwnTurned(position, place, actor)) return recordFailure(entry, at, null);
  const known = position.token === "standard" ? knownAt(entry, at) : null;
  return known ? recordFailure(entry, at, known) : changeDraft(context, { values: draft.values, at });
}

/** The value of a slot of the stand, if it is known. */
function knownAt({ context, place }: Entry, j: number) {
  const slot = slotAt(context.position, [place[0], j]);
  return slot && knownValue(slot);
}

/** What is still asked once the values are named. */
function resultKeys(entry: Entry) {
  const { context, draft, actor } = entry;
  const asksValue = draft.device === "either" || draft.at !== null;
  const keys = draft.failing
    ? draft.at === null
      ? tokenSlotKeys(entry)
      : html`${line(draft.slots.length > 1 ? words.whatShownOn(draft.at) : words.whatShown)}
        ${shownKeys(entry, draft.at, () => changeDraft(context, { values: [], at: null }))}`
    : asksValue
      ? cutValueKeys(entry)
      : cutSlotKeys(entry);
  return html`<p><b>${words.noted(draft, playerName(context.position, actor))}</b></p>${keys}`;
}

function question({ context }: Entry, text: string, keys: unknown) {
  return html`${line(text)}<div class="keys-row step">${keys}
    <button class="plain" @click=${() => changeDraft(context, { values: [], at: null })}>${words.back}</button></div>`;
}

/** The slots of the draft that may hold such a value, in order. */
function slotsThat(entry: Entry, fits: (value: string) => boolean) {
  const mayBe = (known: string | null) => known === null || fits(known);
  return entry.draft.slots.filter((j) => mayBe(knownAt(entry, j))).sort((a, b) => a - b);
}

/** Which of the slots was cut. */
function cutSlotKeys(entry: Entry) {
  const { context, draft } = entry;
  const cut = (at: number) =>
    draft.ray ? changeDraft(context, { at }) : recordSuccess(context, { ...optionsOf(entry), at });
  const slots = slotsThat(entry, (value) => draft.values.includes(value));
  return question(
    entry,
    words.whichCut,
    slots.map((j) => slotKey(j, () => cut(j))),
  );
}

/** Which of the two values was cut. */
function cutValueKeys(entry: Entry) {
  const { context, draft } = entry;
  const cut = (shown: string) =>
    recordSuccess(context, { ...optionsOf(entry), at: draft.at ?? draft.slots[0], shown });
  return question(
    entry,
    words.whichValue,
    draft.values.map((v) => valueKey(v, () => cut(v))),
  );
}

/** Which of the slots got the token; or all are red, or of the number that counts as red. */
function tokenSlotKeys(entry: Entry) {
  const { context, draft } = entry;
  const { position } = context;
  const deadly = hasRule(context, "treated_as_red") ? position.numbers[0] : undefined;
  const explodes = (v: string) => v === "RED" || v === deadly;
  const slots = slotsThat(entry, (v) => !explodes(v) && !draft.values.includes(v));
  const reds = wiresOf(position).filter((wire) => wire[0] === "R").length;
  const areAll = slotsThat(entry, explodes).length === draft.slots.length;
  const mayExplode = areAll && reds + (deadly ? 4 : 0) >= draft.slots.length;
  const [first] = draft.slots;
  const shown = knownAt(entry, first) ?? (reds ? "RED" : (deadly ?? "RED"));
  return question(
    entry,
    words.whichToken,
    html`${slots.map((j) => slotKey(j, () => placeToken(entry, j)))}
      ${mayExplode ? html`<button class="soft key boom" @click=${() => recordFailure(entry, first, shown)}>✸ ${words.allRed}</button>` : nothing}`,
  );
}

/** A teammate's cut: her second wire is tapped on her stand, or the token says that it failed. */
function secondWireKeys(entry: Entry, { options, value, own }: Along) {
  const { context, place, actor } = entry;
  const player = options.actor ?? actor;
  const who = playerName(context.position, player);
  if (own) {
    const record = (wire: string) => recordCut(context, { ...options, own, own_shown: wire });
    const wires = yellowAt(context, own, options.shown);
    return html`${line(words.whichNumber(who, own[1]))}
      <div class="keys-row numbers step">${wires.map((wire) => valueKey(wire, () => record(wire)))}</div>`;
  }
  const orFailed = isOwnTurned(context.position, place, player) ? nothing : words.orFailed;
  const draft = { ...EMPTY_DRAFT, slots: [place[1]], values: [value], failing: true };
  const failed = { ...entry, actor: player, draft };
  return html`${line(html`<b>${words.alongWith(who, value)}</b> ${orFailed}`)}
    ${shownKeys(failed, place[1], () => context.set({ along: null }))}`;
}

/** What the token on a slot shows after a failed cut, that there is none, or that the bomb went off. */
function shownKeys(entry: Entry, at: number, goBack: () => void) {
  const { context, place, draft, actor } = entry;
  const { position } = context;
  const back = html`<button class="plain" @click=${goBack}>${words.back}</button>`;
  const record = (shown: string | null) => recordFailure(entry, at, shown);
  if (isOwnTurned(position, place, actor))
    return html`<div class="keys-row step"><button class="soft key boom" @click=${() => record(null)}>✸ ${words.wrongGuess}</button>${back}</div>`;
  const values = valuesOf(position);
  const chances = new Map(byValue(chancesAt(context.replies, [place[0], at])));
  const marks = TOKEN_MARKS[position.token]?.map((mark) => tokenKey(mark, () => record(mark)));
  const others = values.filter((v) => !draft.values.includes(v) && v !== "RED");
  const keys = others.map((v) =>
    valueKey(v, () => record(v), { kind: chances.size && !chances.has(v) ? "faint-key" : "" }),
  );
  const red = { name: words.explode, small: words.bomb, kind: "boom one" };
  return html`<div class="keys-row numbers step">${marks ?? keys}
    ${draft.slots.length === 1 && values.includes("RED") ? key(face("RED"), () => record("RED"), red) : nothing}
    <button class="plain" @click=${() => record(null)}>${words.noTokenLaid}</button>${back}</div>`;
}

/** The owner cuts the last wires of a value alone, or shows that only red ones are left. */
function soloKeys(entry: Entry) {
  const { context, place, actor } = entry;
  const { position } = context;
  const places = markedPlaces(context) ?? [];
  const own = standsOf(position, actor).flatMap((i) => uncutOf(position, i).map((j): Place => [i, j]));
  const isDeadly = hasRule(context, "treated_as_red");
  const barred = hasRule(context, "together") ? {} : barredFor(entry); // all four alone are not some at once
  const solo = (value: string) =>
    valueKey(value, () => recordCut(context, { action: "solo", actor, value, ...targetsOf(places) }), {
      disabled: value in barred || !places.length,
    });
  const reveal = () => recordCut(context, { action: "reveal", actor, value: "RED", ...targetsOf(own) });
  const values = valuesOf(position);
  const targets = places.flatMap(([i, j]) => (i === place[0] ? [j] : []));
  return html`${line(words.aloneHow(playerName(position, actor)))}
    ${targetKeys(uncutOf(position, place[0]), targets, (j) => changeDraft(context, { places: togglePlace(places, [place[0], j]) }))}
    ${line(words.aloneWhat, "asks")}${greyReasons(barred, values)}
    <div class="keys-row numbers step">${values.filter((v) => v !== "RED").map(solo)}
    ${isDeadly || values.includes("RED") ? key(face("RED"), reveal, { small: words.onlyRed, kind: "boom one", disabled: "RED" in barred }) : nothing}${togetherKey(context, place)}</div>`;
}
