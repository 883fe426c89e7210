/** First tokens: before the first cut every player shows a wire; two taps each. */

import { html, nothing } from "../../vendor.js";
import { tick } from "../../widgets/panel.js";
import type { Context, Place, Slot } from "./model.js";
import {
  byValue,
  held,
  isMine,
  nextOpen,
  ownerOf,
  ownKnown,
  ruling,
  seen,
  short,
  sign,
  standOfPlayer,
  TOKEN_MARKS,
  valuesOf,
} from "./model.js";
import { face, nameOf, valueName, words } from "./strings.js";
import { firstTokens, laid, put, state, tokensDue } from "./turn-order.js";

const NEXT_TO_STAND = ["random", "absent"];
const UNCHOSEN = ["random", "absent", "false"];

/** What a player lays at the start: own_choice, random, absent, false, … */
function kindOf({ replies }: Pick<Context, "replies">, player: number): string {
  return ruling(replies)?.tokens[player]?.[0] ?? "";
}

/**
 * Whether the viewer's own first token is entered like another's: no one chooses it, or it cannot be weighed.
 */
export function entersOwn(context: Context) {
  const { position } = context;
  return !ownKnown(position) || UNCHOSEN.includes(kindOf(context, position.viewer ?? -1));
}

/** Whether the first tokens of a mission lie, all of them, so that cuts come next. */
export function tokensLie(context: Context) {
  const { posterior } = context.replies;
  const known = posterior?.value?.tokens.length && !posterior.stale && !posterior.fault;
  return known && !context.position.sealed && !nextOpen(context.position) && !tokensDue(context).length;
}

/** What the bar says of the next first token. @param due the stand it belongs to */
export function tokenAsks(context: Context, due: number) {
  return words.tokenHow[kindOf(context, ownerOf(context.position, due))] ?? words.bar.tapToken;
}

/** Whether a tap on the wire says which token lies there first. */
export function laysToken(context: Context, place: Place, slot: Slot) {
  const owner = ownerOf(context.position, place[0]);
  const old = context.view.correcting?.steps[0].turn;
  const anew = old?.want === "token" && old.place.join() === place.join();
  const due = tokensDue(context).includes(owner) && kindOf(context, owner) !== "absent";
  return (
    slot.state === "hidden" && (anew || (due && (owner !== context.position.viewer || entersOwn(context))))
  );
}

/** The stand next to which a token may lie now: one that is drawn, or of a value that is absent. */
export function besideDue(context: Context) {
  const due = context.view.at ? null : nextToken(context);
  const kind = due === null ? "" : kindOf(context, ownerOf(context.position, due));
  return NEXT_TO_STAND.includes(kind) ? due : null;
}

/**
 * A token next to the stand: its player has no wire of the value, so of one's own hand none that one holds.
 * @param i a stand of hers
 */
export function besidePad(context: Context, i: number) {
  const { position } = context;
  const name = nameOf(position, i);
  const mine = isMine(position, i) ? held(position) : [];
  const how = kindOf(context, ownerOf(position, i)) === "absent" ? words.nextToShows : words.nextToOrOn;
  const own = position.stands.flatMap((_, k) => (ownerOf(position, k) === ownerOf(position, i) ? [k] : []));
  const key = (value: string) => {
    const fact = { kind: "lacks", value } as const;
    return html`<button class="soft key" aria-label=${valueName(value)} @click=${() => state(context, own, fact, words.said(name, fact))}><b>${face(value)}</b></button>`;
  };
  return html`<div class="pad-box" data-part="entry" role="group" aria-label=${name}>
    <div class="between pad-top"><b>${name}</b>
      <button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button></div>
    <p class="pad-line">${how}</p>
    <div class="keys-row numbers step" data-edit>${valuesOf(position)
      .filter((v) => v !== "RED" && !mine.includes(v))
      .map(key)}</div></div>`;
}

/**
 * A drawn token on a blue wire of one's own can show nothing else: it is laid by the tap on it.
 * @returns whether it was
 */
export function layOwn(context: Context, place: Place): boolean {
  const { position } = context;
  const slot = position.stands[place[0]].slots[place[1]];
  const own = isMine(position, place[0]) ? seen(slot) : null;
  const lies = kindOf(context, ownerOf(position, place[0])) === "false";
  if (!own || /^[YR]/.test(own) || lies || position.token !== "standard") return false;
  if (context.view.correcting || !laysToken(context, place, slot)) return false;
  lay(context, place, slot, own);
  return true;
}

/** The keys of what it shows. */
export function tokenPad(context: Context, place: Place, slot: Slot) {
  const { position, replies } = context;
  const { token } = position;
  const numbers = valuesOf(position).filter((v) => v !== "YELLOW" && v !== "RED");
  const chances = new Map(byValue(replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {}));
  const lie = kindOf(context, ownerOf(position, place[0])) === "false";
  const own = isMine(position, place[0]) ? seen(slot) : null;
  const may = lie ? numbers.filter((v) => v !== own) : own ? [own] : numbers;
  const shows = TOKEN_MARKS[token] ?? may;
  const key = (v: string) => {
    const faint = token === "standard" && !lie && chances.size > 0 && !chances.has(v);
    return html`<button class=${faint ? "soft key faint-key" : "soft key"} aria-label=${token === "standard" ? short(v) : words.tokenName(v)} @click=${() => lay(context, place, slot, lie ? `not:${v}` : v)}><b>${sign(v)}</b></button>`;
  };
  return html`<p class="pad-line">${lie ? words.falseToken : own ? words.practiceTake : words.firstToken}</p>
    <div class="keys-row numbers step">${shows.map(key)}</div>
    <div class="row"><button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button></div>`;
}

function lay(context: Context, place: Place, slot: Slot, shown: string) {
  const { position } = context;
  const wire = position.token === "standard" && !shown.startsWith("not:");
  const next: Slot = wire
    ? { ...slot, state: "info", wire: slot.wire ?? shown, value: null }
    : { ...slot, tokens: [...(slot.tokens ?? []), shown] };
  const where = words.slot(nameOf(position, place[0]), place[1]);
  const label = words.named.set(where, wire ? shown : words.tokenName(shown));
  const step = {
    position: laid(position, place, next, follows(context)),
    label,
    turn: { want: "token", place } as const,
  };
  put(context, step, { at: null, turn: null, actor: null });
}

/** Who lays the next first token: a stand, or null. */
export function nextToken(context: Context) {
  const [player] = tokensDue(context);
  return player === undefined ? null : standOfPlayer(context.position, player);
}

/** Whether the table shows the wire that stands first here, and that is read. */
export function follows({ position, view }: Pick<Context, "position" | "view">) {
  return position.agreed.length > 0 || Boolean(view.follows);
}

/** Turns the reading of choices on and off. */
export function agreementSwitch(context: Context) {
  const { position } = context;
  if (position.sealed) return nothing;
  const turn = (on: boolean) => {
    const agreed = on ? firstTokens(context) : [];
    if (agreed.length === position.agreed.length) return context.set({ follows: on });
    context.commit({ ...position, agreed }, on ? words.follows : words.followsNot, { view: { follows: on } });
  };
  return tick(words.follows, follows(context), turn, { how: words.followsHow });
}

/** Turns the list that all cut by, and the reading of their past choices, on and off. */
export function choicesSwitch(context: Context) {
  const { position } = context;
  const turn = (on: boolean) =>
    context.commit({ ...position, choices: on ? [] : null }, on ? words.allFollow : words.notAllFollow, {
      view: { chosen: "" },
    });
  return tick(words.allFollow, Boolean(position.choices), turn, { how: words.allFollowHow });
}
