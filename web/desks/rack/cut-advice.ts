/** Noting a cut in the pad: who cuts, with which device, at which slots, what was named, how it ended. */

import type { Cut } from "../../types/rack.js";
import { html, nothing } from "../../vendor.js";
import { percent } from "../../widgets/numbers.js";
import { choice, tick } from "../../widgets/panel.js";
import type { Context, Place, Position, Slot, View } from "./model.js";
import {
  byValue,
  held,
  isMine,
  letter,
  ownerOf,
  playersOf,
  rank,
  ruling,
  seen,
  sign,
  TOKEN_MARKS,
  valuesOf,
  wiresOf,
} from "./model.js";
import { face, playerName, valueName, words } from "./strings.js";
import type { Device, Draft, Outcome } from "./turn.js";
import {
  actorOf,
  choosable,
  complete,
  draftOf,
  failed,
  fellowOf,
  isAlone,
  isOwnTurned,
  marked,
  mayPoint,
  namesTwo,
  oneByOne,
  pointedAt,
  record,
  remarked,
  sameColour,
  stepTo,
  toggled,
  uncutOf,
  worked,
  yellowAt,
} from "./turn.js";

/** Who may have acted on this slot: its owner only alone, or where it is turned away from her. */
function actorsAt(position: Position, place: Place): number[] {
  if (position.sealed) return [position.viewer ?? 0];
  const owner = ownerOf(position, place[0]);
  const turned = isOwnTurned(position, place, owner);
  return playersOf(position).filter((p) => p !== owner || turned || owner !== position.viewer);
}

export function cutting(context: Context, place: Place, slot: Slot) {
  const { position } = context;
  const actors = actorsAt(position, place);
  const actor = actors.find((p) => p === actorOf(context)) ?? actors[0];
  if (actor === undefined) return nothing;
  const draft = draftOf(context, place);
  if (context.view.along) return alongStep(context, place, context.view.along);
  if (complete(draft)) return step(context, place, draft, actor);
  return html`
    ${actors.length > 1 ? html`<div class="who">${choice({ label: words.who, options: actors.map((p) => [String(p), playerName(position, p)] as [string, string]), value: String(actor), onChange: (p) => context.set({ actor: Number(p), turn: null }) })}</div>` : nothing}
    ${isAlone(context, place) && draft.device !== "together" ? alone(context, place, actor) : atOther(context, place, slot, draft, actor)}`;
}

/** Somebody cuts at another player's stand. */
function atOther(context: Context, place: Place, slot: Slot, draft: Draft, actor: number) {
  const { position } = context;
  const { slots, most } = choosable(context, place);
  const missing = slots.length ? most - draft.slots.length : 0;
  const fellow = fellowOf(context);
  const places = marked(context);
  if (places)
    return html`<p class="pad-line">${words.pointAny}</p><div class="row step">${[true, false].map(
      (success) =>
        html`<button class="soft" ?disabled=${!places.length} @click=${() => record(context, { action: "together", actor, success, ...pointedAt(places) })}>${success ? words.itWorked : words.itFailed}</button>`,
    )}<button class="plain" @click=${() => stepTo(context, { device: "dual" })}>${words.back}</button></div>`;
  const devices = devicesOf(context, actor, place);
  return html`
    ${devices.length > 1 && slot.state !== "cut" && !slot.tokens.includes("unsorted") ? html`<div class="with">${choice({ label: words.device, options: devices, value: draft.device, onChange: (device) => stepTo(context, { device, slots: [place[1]], values: [], ray: false }) })}</div>` : nothing}
    ${joins(context, draft, actor) ? tick(words.ray, draft.ray, (ray) => stepTo(context, { ray, values: [] }), { kind: "steady" }) : nothing}
    ${
      slots.length
        ? html`<p class="pad-line">${words.pointAt(most)}</p>${lettersOf(
            slots,
            (j) => draft.slots.includes(j),
            (j) => stepTo(context, { slots: toggled(draft.slots, j, most) }),
          )}`
        : nothing
    }
    ${draft.device === "super" ? html`<p class="pad-line">${words.pointAll}</p>` : nothing}
    ${
      position.sealed
        ? nothing
        : html`<div class="ended">${choice({
            label: words.ended,
            options: [
              ["yes", words.itWorked],
              ["no", words.itFailed],
            ] as [string, string][],
            value: draft.failing ? "no" : "yes",
            onChange: (v) => stepTo(context, { failing: v === "no" }),
          })}</div>`
    }
    ${draft.failing && !isOwnTurned(position, place, actor) && steadies(context, actor) ? tick(words.stabilizer, draft.stabilized, (stabilized) => stepTo(context, { stabilized }), { kind: "steady" }) : nothing}
    <p class=${missing > 0 || fellow ? "pad-line" : "pad-line asks"}>${missing > 0 ? words.pointMore(missing) : fellow ? words.alongWith(playerName(position, actor), String(fellow.value)) : words.names(draft, playerName(position, actor), Boolean(position.sealed))}</p>
    ${missing > 0 ? nothing : valueKeys(context, place, slot, draft, actor)}`;
}

/**
 * A plain cut and what else the mission lets this player point with at a wire; all of it until that is known.
 */
function devicesOf(context: Context, actor: number, place: Place) {
  const all = Object.entries(words.devices) as [Device, string][];
  return all.filter(([device]) =>
    device === "together"
      ? ruling(context.replies)?.rules.includes(device)
      : device === "dual" || (mayUse(context, actor, device) && mayPoint(context.position, place, device)),
  );
}

/** Whether the mission lets a player use a device now; true until that is known. */
const mayUse = ({ replies }: Context, actor: number, device: Cut["action"]) =>
  ruling(replies)?.equipment[actor]?.includes(device) ?? true;

/** Whether the ray may join the detector that is chosen. */
function joins(context: Context, draft: Draft, actor: number) {
  const detector = draft.device === "double" || draft.device === "triple" || draft.device === "super";
  return detector && mayUse(context, actor, "either");
}

/** Whether the player may have the stabilizer. */
function steadies({ replies }: Context, actor: number) {
  const cards = ruling(replies)?.cards ?? [];
  return !cards.length || cards[actor]?.["9"] === "";
}

/** The values that the mission forbids a player to name now, and why. */
const barredTo = ({ replies }: Context, actor: number): Record<string, string> =>
  ruling(replies)?.barred[actor] ?? {};

/** Why some of the keys are grey, each reason once. @param shown the values of the keys */
function whyGrey(barred: Record<string, string>, shown: string[]) {
  const reasons = [...new Set(shown.flatMap((v) => barred[v] ?? []))];
  return reasons.length
    ? html`<p class="pad-line quiet">${reasons.slice(0, 2).join(" ")}${reasons.length > 2 ? " …" : ""}</p>`
    : nothing;
}

/** Slots as keys, the chosen ones pressed. */
function lettersOf(slots: number[], pressed: (j: number) => boolean, run: (j: number) => void) {
  return html`<div class="keys-row" role="group" aria-label=${words.pointed}>${slots.map(
    (j) =>
      html`<button class="soft key" aria-pressed=${pressed(j)} aria-label=${words.slotKey(j)} @click=${() => run(j)}><b>${letter(j)}</b></button>`,
  )}</div>`;
}

/** The values that may be named, each a key. */
function valueKeys(context: Context, place: Place, slot: Slot, draft: Draft, actor: number) {
  const single = draft.slots.length === 1;
  const chances = context.replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {};
  const likely = new Map(single ? byValue(chances) : []);
  const known = single ? seen(slot) : null;
  const isRead = known !== null && draft.device === "dual";
  const mine = isMine(context.position, place[0]); // who names another value at one's own wire has failed
  const values = nameable(context, draft, actor);
  const barred = barredTo(context, actor);
  const key = (v: string, wire: string | null) =>
    valueKey({
      value: v,
      wire,
      chance: wire ? chances[wire] : likely.get(v),
      faint: likely.size > 0 && !likely.has(v),
      cannot: v in barred || (isRead && (known === v ? draft.failing : !draft.failing && !mine)),
      pressed: namesTwo(draft) ? draft.values.includes(v) : null,
      run: () => name(context, place, draft, actor, v, wire),
    });
  return html`<div class="keys-row numbers step">${values.map((v) => {
    const asked = v === "YELLOW" && draft.device === "dual" && !draft.failing;
    const wires = asked ? yellowAt(context, place) : [];
    return wires.length ? wires.map((wire) => key(v, wire)) : key(v, null);
  })}
    ${draft.device === "dual" ? atOnceKey(context, place) : nothing}</div>${whyGrey(barred, values)}`;
}

/** Begins the mission's cut of several wires, wherever they stand; those that are known are marked. */
function atOnceKey(context: Context, place: Place) {
  const may = ruling(context.replies)?.rules.includes("together") && !context.position.sealed;
  return may
    ? html`<button class="soft key" @click=${() => stepTo(context, { device: "together", places: sameColour(context, place) })}><small>${words.atOnce}</small></button>`
    : nothing;
}

/**
 * The values that the player may name with the device: of one's own hand those one holds, and yellow where the mission has it found one by one.
 */
function nameable(context: Context, draft: Draft, actor: number): string[] {
  const { position } = context;
  const own = actor === position.viewer ? held(position) : [];
  const found = draft.device === "dual" && oneByOne(context);
  const most = draft.device === "dual" || draft.device === "either" ? "YELLOW" : "12";
  return valuesOf(position).filter(
    (v) => rank(v) <= rank(most) && (!own.length || own.includes(v) || (found && v === "YELLOW")),
  );
}

/** One key: the value, or the yellow wire, with its chance. */
function valueKey({
  value,
  wire,
  chance,
  faint,
  cannot,
  pressed,
  run,
}: {
  value: string;
  wire: string | null;
  chance: number | undefined;
  faint: boolean;
  cannot: boolean;
  pressed: boolean | null;
  run: () => void;
}) {
  const yellow = value === "YELLOW";
  const classes = ["soft key", yellow ? "yellow" : "", faint ? "faint-key" : ""].filter(Boolean).join(" ");
  return html`<button class=${classes} ?disabled=${cannot} aria-pressed=${pressed ?? nothing} @click=${run}>
    <b>${yellow ? `◆${wire?.slice(1) ?? ""}` : value}</b>${chance === undefined ? nothing : html`<small>${percent(chance)}</small>`}</button>`;
}

/** A value was named. */
function name(
  context: Context,
  place: Place,
  draft: Draft,
  actor: number,
  value: string,
  wire: string | null,
) {
  const values = namesTwo(draft) ? toggled(draft.values, value, 2) : [value];
  const isOwn = draft.slots.length === 1 && isMine(context.position, place[0]);
  const known = isOwn ? seenAt(context, place) : null;
  const missed = draft.device === "dual" && known !== null && known !== value;
  const next = { ...draft, values, failing: draft.failing || missed };
  if (!complete(next)) return stepTo(context, { values });
  const options = optionsOf(place, next, actor);
  if (context.position.sealed) return record(context, options);
  if (next.failing && next.slots.length === 1) return tokenOn(context, place, next, actor, next.slots[0]);
  if (!next.failing && next.slots.length === 1 && !namesTwo(draft))
    return worked(context, { ...options, at: next.slots[0], ...(wire ? { shown: wire } : {}) });
  return stepTo(context, { values });
}

function seenAt({ position }: Pick<Context, "position">, [stand, j]: Place) {
  return seen(position.stands[stand].slots[j]);
}

function optionsOf([stand]: Place, draft: Draft, actor: number) {
  const { device: action, slots, values, stabilized } = draft;
  const held = stabilized && draft.failing ? { stabilized } : {};
  return { action, actor, stand, slots, value: values.join("/"), ...held };
}

/** A failed cut's token lies on the slot: a wire that is known is not asked for. */
function tokenOn(context: Context, place: Place, draft: Draft, actor: number, at: number) {
  const { position } = context;
  const slot = position.stands[place[0]].slots[at];
  if (isOwnTurned(position, place, actor)) return failed(context, optionsOf(place, draft, actor), at, null);
  const known = position.token === "standard" ? seen(slot) : null;
  return known
    ? failed(context, optionsOf(place, draft, actor), at, known)
    : stepTo(context, { values: draft.values, at });
}

/** What is still to be entered once the values are named. */
function step(context: Context, place: Place, draft: Draft, actor: number) {
  const options = optionsOf(place, draft, actor);
  const title = words.noted(draft, playerName(context.position, actor));
  return html`<p><b>${title}</b></p>
    ${
      draft.failing
        ? draft.at === null
          ? tokenKeys(context, place, draft, actor)
          : shownKeys(context, place, draft, options, draft.at)
        : draft.device === "either" || draft.at !== null
          ? rayKeys(context, draft, options)
          : cutKeys(context, place, draft, options)
    }`;
}

function ask(context: Context, question: string, keys: unknown) {
  return html`<p class="pad-line">${question}</p>
    <div class="keys-row step">${keys}
      <button class="plain" @click=${() => stepTo(context, { values: [], at: null })}>${words.back}</button></div>`;
}

/** A teammate's cut: the wire that went along is tapped on her stand, or the token says that it failed. */
function alongStep(context: Context, place: Place, { options, value, own }: NonNullable<View["along"]>) {
  const { position } = context;
  const who = playerName(position, options.actor ?? 0);
  const draft: Draft = { device: "dual", slots: [place[1]], values: [value], failing: true, at: place[1] };
  const { shown: _, success: __, ...named } = options;
  if (own) return numberStep(context, options, own);
  const asks = isOwnTurned(position, place, options.actor) ? nothing : words.orFailed;
  return html`<p class="pad-line"><b>${words.alongWith(who, value)}</b> ${asks}</p>
    ${shownRow(context, place, draft, named, place[1], () => context.set({ along: null }))}`;
}

/** Which number the yellow wire has that went along: it lies open now. */
function numberStep(context: Context, options: Outcome, own: Place) {
  const key = (wire: string) =>
    valueKey({
      value: "YELLOW",
      wire,
      chance: undefined,
      faint: false,
      cannot: false,
      pressed: null,
      run: () => record(context, { ...options, own, own_shown: wire }),
    });
  return html`<p class="pad-line">${words.whichNumber(playerName(context.position, options.actor ?? 0), own[1])}</p>
    <div class="keys-row numbers step">${yellowAt(context, own, options.shown).map(key)}</div>`;
}

/** Which one of them was cut. */
function cutKeys(context: Context, place: Place, draft: Draft, options: Outcome) {
  const able = draft.slots.filter((j) => mayBe(context, [place[0], j], (v) => draft.values.includes(v)));
  const cut = (j: number) =>
    draft.ray ? stepTo(context, { at: j }) : worked(context, { ...options, at: j });
  const key = (j: number) =>
    html`<button class="soft key" aria-label=${words.slotKey(j)} @click=${() => cut(j)}><b>${letter(j)}</b></button>`;
  return ask(context, words.whichCut, able.sort((a, b) => a - b).map(key));
}

/** Which of the two values it was. */
function rayKeys(context: Context, draft: Draft, options: Outcome) {
  const key = (v: string) =>
    html`<button class="soft key" aria-label=${valueName(v)} @click=${() => worked(context, { ...options, at: draft.at ?? draft.slots[0], shown: v })}><b>${face(v)}</b></button>`;
  return ask(context, words.whichValue, draft.values.map(key));
}

/** Which of them got the token. */
function tokenKeys(context: Context, place: Place, draft: Draft, actor: number) {
  const { position, replies } = context;
  const deadly = ruling(replies)?.rules.includes("treated_as_red") ? position.numbers?.[0] : undefined;
  const kills = (v: string) => v === "RED" || v === deadly;
  const able = draft.slots.filter((j) =>
    mayBe(context, [place[0], j], (v) => !kills(v) && !draft.values.includes(v)),
  );
  const red = wiresOf(position).filter((wire) => wire[0] === "R").length;
  const enough = red + (deadly ? 4 : 0) >= draft.slots.length;
  const reds = enough && draft.slots.every((j) => mayBe(context, [place[0], j], kills));
  const first = seenAt(context, [place[0], draft.slots[0]]) ?? (red ? "RED" : (deadly ?? "RED"));
  const key = (j: number) =>
    html`<button class="soft key" aria-label=${words.slotKey(j)} @click=${() => tokenOn(context, place, draft, actor, j)}><b>${letter(j)}</b></button>`;
  return ask(
    context,
    words.whichToken,
    html`${able.sort((a, b) => a - b).map(key)}
      ${reds ? html`<button class="soft key boom" @click=${() => failed(context, optionsOf(place, draft, actor), draft.slots[0], first)}>✸ ${words.allRed}</button>` : nothing}`,
  );
}

/** Whether a slot may hold a wire, as far as it is known. */
function mayBe({ position }: Context, [stand, j]: Place, fits: (value: string) => boolean) {
  const known = seen(position.stands[stand].slots[j]);
  return known === null || fits(known);
}

/** What the token shows. */
function shownKeys(context: Context, place: Place, draft: Draft, options: Outcome, at: number) {
  return html`<p class="pad-line">${draft.slots.length > 1 ? words.whatShownOn(at) : words.whatShown}</p>
    ${shownRow(context, place, draft, options, at, () => stepTo(context, { values: [], at: null }))}`;
}

/** The keys of what the token shows. */
function shownRow(
  context: Context,
  place: Place,
  draft: Draft,
  options: Outcome,
  at: number,
  back: () => void,
) {
  const { position } = context;
  const leave = html`<button class="plain" @click=${back}>${words.back}</button>`;
  if (isOwnTurned(position, place, options.actor))
    return html`<div class="keys-row step"><button class="soft key boom" @click=${() => failed(context, options, at, null)}>✸ ${words.wrongGuess}</button>${leave}</div>`;
  const marks = TOKEN_MARKS[position.token];
  const others = valuesOf(position).filter((v) => !draft.values.includes(v) && v !== "RED");
  const chances = new Map(byValue(context.replies.posterior?.value?.stands[place[0]]?.slots[at] ?? {}));
  const red = draft.slots.length === 1 && valuesOf(position).includes("RED");
  const key = (v: string) =>
    html`<button class=${!marks && chances.size && !chances.has(v) ? "soft key faint-key" : "soft key"} aria-label=${marks ? words.tokenName(v) : nothing} @click=${() => failed(context, options, at, v)}><b>${marks ? sign(v) : face(v)}</b></button>`;
  return html`<div class="keys-row numbers step">${(marks ?? others).map(key)}
    ${red ? html`<button class="soft key boom one" aria-label=${words.explode} @click=${() => failed(context, options, at, "RED")}><b>✸</b><small>${words.bomb}</small></button>` : nothing}
    <button class="plain" @click=${() => failed(context, options, at, null)}>${words.noTokenLaid}</button>
    ${leave}</div>`;
}

/** The owner cuts the last of a value alone, or shows that only red is left. */
function alone(context: Context, place: Place, actor: number) {
  const { position, replies } = context;
  const places = marked(context) ?? [];
  const own = position.stands.flatMap((_, i) =>
    ownerOf(position, i) === actor ? uncutOf(position, i).map((j) => [i, j] as Place) : [],
  );
  const run = (value: string) =>
    value === "RED"
      ? record(context, { action: "reveal", actor, value, ...pointedAt(own) })
      : record(context, { action: "solo", actor, value, ...pointedAt(places) });
  const colour = (v: string) => (v === "YELLOW" ? " yellow" : v === "RED" ? " boom one" : "");
  const label = (v: string) =>
    html`<b>${face(v)}</b>${v === "RED" ? html`<small>${words.onlyRed}</small>` : nothing}`;
  const { rules = [] } = ruling(replies) ?? {};
  const deadly = rules.includes("treated_as_red") ? ["RED"] : [];
  const barred = rules.includes("together") ? {} : barredTo(context, actor); // all four alone are no cut of some
  return html`<p class="pad-line">${words.aloneHow(playerName(position, actor))}</p>
    ${lettersOf(
      uncutOf(position, place[0]),
      (j) => places.some(([i, k]) => i === place[0] && k === j),
      (j) => stepTo(context, { places: remarked(places, [place[0], j]) }),
    )}
    <p class="pad-line asks">${words.aloneWhat}</p>
    <div class="keys-row numbers step">${[...valuesOf(position), ...deadly].map(
      (v) =>
        html`<button class=${`soft key${colour(v)}`} ?disabled=${v in barred || (v !== "RED" && !places.length)} @click=${() => run(v)}>${label(v)}</button>`,
    )}${atOnceKey(context, place)}</div>${whyGrey(barred, valuesOf(position))}`;
}
