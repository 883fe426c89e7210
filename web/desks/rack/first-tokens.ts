/** First tokens: before the first cut every player indicates a wire; two taps each. */

import { html, nothing } from "../../vendor.js";
import { tick } from "../../widgets/panel.js";
import { tokenKey, valueKey } from "./keys.js";
import type { Context, Place, Slot } from "./model.js";
import {
  blueValuesOf,
  byValue,
  chancesAt,
  heldValues,
  isMine,
  isSamePlace,
  knownValue,
  knowsOwnWires,
  NO_ENTRY,
  newestPosterior,
  nextUnknown,
  ownerOf,
  standOfPlayer,
  standsOf,
  TOKEN_MARKS,
  valuesOf,
} from "./model.js";
import { nameOf, words } from "./strings.js";
import { addFact, addStep, firstTokens, tokensDue, withFirstToken } from "./turn-order.js";

const NEXT_TO_STAND = ["random", "absent"];
const UNCHOSEN = ["random", "absent", "false"];

/** What a player lays first: own_choice, random, absent, false, … */
function firstKind({ replies }: Pick<Context, "replies">, player: number | null): string {
  return newestPosterior(replies)?.tokens[player ?? -1]?.[0] ?? "";
}

/** Whether the viewer's own first token is entered like another's: it is not chosen, or cannot be ranked. */
function entersOwn(context: Context) {
  const { position } = context;
  return !knowsOwnWires(position) || UNCHOSEN.includes(firstKind(context, position.viewer));
}

/** Whether all first tokens of the mission lie, so that cuts come next. */
export function areTokensLaid(context: Context) {
  const { posterior } = context.replies;
  const known = posterior?.value?.tokens.length;
  return known && !context.position.sealed && !nextUnknown(context.position) && !tokensDue(context).length;
}

/** The stand of the player who lays the next first token; null if none is due. */
export function nextToken(context: Context) {
  const [player] = tokensDue(context);
  return player === undefined ? null : standOfPlayer(context.position, player);
}

/** The stand whose first token is to be entered now, what it is, and how; null if none is. */
export function tokenPrompt(context: Context) {
  const due = nextToken(context);
  if (due === null || (isMine(context.position, due) && !entersOwn(context))) return null;
  const kind = firstKind(context, ownerOf(context.position, due));
  return {
    due,
    title: words.bar.tokenOf(nameOf(context.position, due)),
    how: words.tokenHow[kind] ?? words.bar.tapToken,
  };
}

/** The button that ends the first tokens. */
export const noMoreTokens = (context: Context) =>
  html`<button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button>`;

/** Whether a tap on this wire enters a first token. */
export function laysToken(context: Context, place: Place, slot: Slot) {
  const owner = ownerOf(context.position, place[0]);
  const old = context.view.correcting?.steps[0].turn;
  const isCorrected = old?.want === "token" && isSamePlace(old.place, place);
  const isDue = tokensDue(context).includes(owner) && firstKind(context, owner) !== "absent";
  const isEntered = owner !== context.position.viewer || entersOwn(context);
  return slot.state === "hidden" && (isCorrected || (isDue && isEntered));
}

/** The stand next to which a token may lie now: a random one, or one of an absent value. */
export function tokenNextToStand(context: Context) {
  const due = context.view.at ? null : nextToken(context);
  if (due === null) return null;
  return NEXT_TO_STAND.includes(firstKind(context, ownerOf(context.position, due))) ? due : null;
}

/** The values that a token next to stand `i` may have: its player holds none of them. */
export function nextToStandPad(context: Context, i: number) {
  const { position } = context;
  const name = nameOf(position, i);
  const owner = ownerOf(position, i);
  const mine = isMine(position, i) ? heldValues(position) : [];
  const values = valuesOf(position).filter((v) => v !== "RED" && !mine.includes(v));
  const lay = (value: string) => {
    const fact = { kind: "lacks", value } as const;
    addFact(context, standsOf(position, owner), fact, words.said(name, fact));
  };
  return html`<div class="pad-box" data-part="entry" role="group" aria-label=${name}>
    <div class="between pad-top"><b>${name}</b>${noMoreTokens(context)}</div>
    <p class="pad-line">${firstKind(context, owner) === "absent" ? words.nextToShows : words.nextToOrOn}</p>
    <div class="keys-row numbers step" data-edit>${values.map((v) => valueKey(v, () => lay(v)))}</div></div>`;
}

/** Lay a random token on a blue wire of one's own, which can show nothing else; false where it may. */
export function layOwn(context: Context, place: Place, slot: Slot): boolean {
  const { position } = context;
  const value = isMine(position, place[0]) ? knownValue(slot) : null;
  const isFalse = firstKind(context, ownerOf(position, place[0])) === "false";
  if (!value || /^[YR]/.test(value) || isFalse || position.token !== "standard") return false;
  if (context.view.correcting || !laysToken(context, place, slot)) return false;
  lay(context, place, slot, value);
  return true;
}

/** The keys of what the token on a wire shows. */
export function tokenPad(context: Context, place: Place, slot: Slot) {
  const { position, replies } = context;
  const isFalse = firstKind(context, ownerOf(position, place[0])) === "false";
  const own = isMine(position, place[0]) ? knownValue(slot) : null;
  const numbers = blueValuesOf(position);
  const values = isFalse ? numbers.filter((v) => v !== own) : own ? [own] : numbers;
  const chances = new Map(byValue(chancesAt(replies, place)));
  const isFaint = (v: string) =>
    position.token === "standard" && !isFalse && chances.size > 0 && !chances.has(v);
  const keys = (TOKEN_MARKS[position.token] ?? values).map((v) =>
    tokenKey(v, () => lay(context, place, slot, isFalse ? `not:${v}` : v), {
      kind: isFaint(v) ? "faint-key" : "",
    }),
  );
  return html`<p class="pad-line">${isFalse ? words.falseToken : own ? words.practiceTake : words.firstToken}</p>
    <div class="keys-row numbers step">${keys}</div>
    <div class="row">${noMoreTokens(context)}</div>`;
}

function lay(context: Context, place: Place, slot: Slot, shown: string) {
  const isWire = context.position.token === "standard" && !shown.startsWith("not:");
  const next: Slot = isWire
    ? { ...slot, state: "info", wire: slot.wire ?? shown, value: null }
    : { ...slot, tokens: [...slot.tokens, shown] };
  addFirstToken(context, place, next, isWire ? shown : words.tokenName(shown));
}

/** Add a first token as a step. */
export function addFirstToken(
  context: Context,
  place: Place,
  slot: Slot,
  what: string,
  view: Partial<Context["view"]> = {},
) {
  const label = words.named.set(words.slot(nameOf(context.position, place[0]), place[1]), what);
  const position = withFirstToken(context.position, place, slot, followsConvention(context));
  addStep(context, { position, label, turn: { want: "token", place } }, { ...NO_ENTRY, ...view });
}

/** Whether the table indicates by Cluewise's convention, so that choices count. */
function followsConvention({ position, view }: Pick<Context, "position" | "view">) {
  return position.agreed.length > 0 || view.follows;
}

/** Turns the convention for first tokens on and off. */
export function conventionSwitch(context: Context) {
  const { position } = context;
  const change = (follows: boolean) => {
    const agreed = follows ? firstTokens(context) : [];
    if (agreed.length === position.agreed.length) return context.set({ follows });
    const label = follows ? words.follows : words.followsNot;
    context.commit({ ...position, agreed }, label, { view: { follows } });
  };
  if (position.sealed) return nothing;
  return tick(words.follows, followsConvention(context), change, { how: words.followsHow });
}

/** Turns the shared list of cuts, and the reading of past choices, on and off. */
export function choicesSwitch(context: Context) {
  const { position } = context;
  const change = (on: boolean) => {
    const label = on ? words.allFollow : words.notAllFollow;
    context.commit({ ...position, choices: on ? [] : null }, label, { view: { chosen: "" } });
  };
  return tick(words.allFollow, Boolean(position.choices), change, { how: words.allFollowHow });
}
