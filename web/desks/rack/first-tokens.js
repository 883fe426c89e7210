/** First tokens: before the first cut every player shows a wire; two taps each. */
import { html, nothing } from "../../vendor.js";
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
  valuesOf,
} from "./model.js";
import { nameOf, valueName, words } from "./strings.js";
import { firstTokens, laid, put, standOfPlayer, state, tokensDue } from "./turn-order.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Place} Place */
/** @typedef {import("./model.js").Slot} Slot */

const KINDS = { parity: ["even", "odd"], multiplicity: ["x1", "x2", "x3"] };
const NEXT_TO_STAND = ["random", "absent"];
const UNCHOSEN = ["random", "absent", "false"];

/** What a player lays at the start: own_choice, random, absent, false, … @param {Pick<Context, "replies">} context @param {number} player @returns {string} */
function kindOf({ replies }, player) {
  return ruling(replies)?.tokens[player]?.[0] ?? "";
}

/** Whether the viewer's own first token is entered like another's: no one chooses it, or it cannot be weighed. @param {Context} context */
export function entersOwn(context) {
  const { position } = context;
  return !ownKnown(position) || UNCHOSEN.includes(kindOf(context, position.viewer ?? -1));
}

/** Whether the first tokens of a mission lie, all of them, so that cuts come next. @param {Context} context */
export function tokensLie(context) {
  const { posterior } = context.replies;
  const known = posterior?.value?.tokens.length && !posterior.stale && !posterior.fault;
  return known && !context.position.sealed && !nextOpen(context.position) && !tokensDue(context).length;
}

/** What the bar says of the next first token. @param {Context} context @param {number} due the stand it belongs to */
export function tokenAsks(context, due) {
  return words.tokenHow[kindOf(context, ownerOf(context.position, due))] ?? words.bar.tapToken;
}

/** Whether a tap on the wire says which token lies there first. @param {Context} context @param {Place} place @param {Slot} slot */
export function laysToken(context, place, slot) {
  const owner = ownerOf(context.position, place[0]);
  const old = context.view.correcting?.steps[0].turn;
  const anew = old?.want === "token" && old.place.join() === place.join();
  const due = tokensDue(context).includes(owner) && kindOf(context, owner) !== "absent";
  return (
    slot.state === "hidden" && (anew || (due && (owner !== context.position.viewer || entersOwn(context))))
  );
}

/** The stand next to which a token may lie now: one that is drawn, or of a value that is absent. @param {Context} context */
export function besideDue(context) {
  const due = context.view.at ? null : nextToken(context);
  const kind = due === null ? "" : kindOf(context, ownerOf(context.position, due));
  return NEXT_TO_STAND.includes(kind) ? due : null;
}

/** A token next to the stand: its player has no wire of the value, so of one's own hand none that one holds. @param {Context} context @param {number} i a stand of hers */
export function besidePad(context, i) {
  const { position } = context;
  const name = nameOf(position, i);
  const mine = isMine(position, i) ? held(position) : [];
  const how = kindOf(context, ownerOf(position, i)) === "absent" ? words.nextToShows : words.nextToOrOn;
  const own = position.stands.flatMap((_, k) => (ownerOf(position, k) === ownerOf(position, i) ? [k] : []));
  const key = (/** @type {string} */ value) => {
    const fact = /** @type {const} */ ({ kind: "lacks", value });
    return html`<button class="soft key" aria-label=${valueName(value)} @click=${() => state(context, own, fact, words.said(name, fact))}><b>${value === "YELLOW" ? "◆" : value}</b></button>`;
  };
  return html`<div class="pad-box" data-part="entry" role="group" aria-label=${name}>
    <div class="between pad-top"><b>${name}</b>
      <button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button></div>
    <p class="pad-line">${how}</p>
    <div class="keys-row numbers step" data-edit>${valuesOf(position)
      .filter((v) => v !== "RED" && !mine.includes(v))
      .map(key)}</div></div>`;
}

/** A drawn token on a blue wire of one's own can show nothing else: it is laid by the tap on it. @param {Context} context @param {Place} place @returns {boolean} whether it was */
export function layOwn(context, place) {
  const { position } = context;
  const slot = position.stands[place[0]].slots[place[1]];
  const own = isMine(position, place[0]) ? seen(slot) : null;
  const lies = kindOf(context, ownerOf(position, place[0])) === "false";
  if (!own || /^[YR]/.test(own) || lies || position.token !== "standard") return false;
  if (context.view.correcting || !laysToken(context, place, slot)) return false;
  lay(context, place, slot, own);
  return true;
}

/** The keys of what it shows. @param {Context} context @param {Place} place @param {Slot} slot */
export function tokenPad(context, place, slot) {
  const { position, replies } = context;
  const { token } = position;
  const numbers = valuesOf(position).filter((v) => v !== "YELLOW" && v !== "RED");
  const chances = new Map(byValue(replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {}));
  const lie = kindOf(context, ownerOf(position, place[0])) === "false";
  const own = isMine(position, place[0]) ? seen(slot) : null;
  const may = lie ? numbers.filter((v) => v !== own) : own ? [own] : numbers;
  const shows = token === "standard" ? may : KINDS[token];
  const key = (/** @type {string} */ v) => {
    const faint = token === "standard" && !lie && chances.size > 0 && !chances.has(v);
    return html`<button class=${faint ? "soft key faint-key" : "soft key"} aria-label=${token === "standard" ? short(v) : words.tokenName(v)} @click=${() => lay(context, place, slot, lie ? `not:${v}` : v)}><b>${sign(v)}</b></button>`;
  };
  return html`<p class="pad-line">${lie ? words.falseToken : own ? words.practiceTake : words.firstToken}</p>
    <div class="keys-row numbers step">${shows.map(key)}</div>
    <div class="row"><button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button></div>`;
}

/** @param {Context} context @param {Place} place @param {Slot} slot @param {string} shown */
function lay(context, place, slot, shown) {
  const { position } = context;
  const wire = position.token === "standard" && !shown.startsWith("not:");
  /** @type {Slot} */
  const next = wire
    ? { ...slot, state: "info", wire: slot.wire ?? shown, value: null }
    : { ...slot, tokens: [...(slot.tokens ?? []), shown] };
  const where = words.slot(nameOf(position, place[0]), place[1]);
  const label = words.named.set(where, wire ? shown : words.tokenName(shown));
  const step = {
    position: laid(position, place, next, follows(context)),
    label,
    turn: /** @type {const} */ ({ want: "token", place }),
  };
  put(context, step, { at: null, turn: null, actor: null });
}

/** Who lays the next first token: a stand, or null. @param {Context} context */
export function nextToken(context) {
  const [player] = tokensDue(context);
  return player === undefined ? null : standOfPlayer(context.position, player);
}

/** Whether the table shows the wire that stands first here, and that is read. @param {Pick<Context, "position" | "view">} context */
export function follows({ position, view }) {
  return position.agreed.length > 0 || Boolean(view.follows);
}

/** Turns the reading of choices on and off. @param {Context} context */
export function agreementSwitch(context) {
  const { position } = context;
  if (position.sealed) return nothing;
  const turn = (/** @type {boolean} */ on) => {
    const agreed = on ? firstTokens(context) : [];
    if (agreed.length === position.agreed.length) return context.set({ follows: on });
    context.commit({ ...position, agreed }, on ? words.follows : words.followsNot, { view: { follows: on } });
  };
  return html`<label class="check"><input type="checkbox" .checked=${follows(context)} @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => turn(e.target.checked)}><span>${words.follows}<br><span class="quiet">${words.followsHow}</span></span></label>`;
}
