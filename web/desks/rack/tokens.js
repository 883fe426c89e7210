/** First tokens: before the first cut every player shows a wire; two taps each. */
import { html, nothing } from "../../vendor.js";
import { firstTokens, laid, put, standOfPlayer, tokensDue } from "./course.js";
import { byValue, ownerOf, short, sign, valuesOf } from "./model.js";
import { nameOf, words } from "./words.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Place} Place */
/** @typedef {import("./model.js").Slot} Slot */

const KINDS = { parity: ["even", "odd"], multiplicity: ["x1", "x2", "x3"] };

/** Whether a tap on the wire says which token lies there first. @param {Context} context @param {Place} place @param {Slot} slot */
export function laysToken(context, place, slot) {
  const owner = ownerOf(context.position, place[0]);
  const old = context.view.correcting?.steps[0].turn;
  const anew = old?.want === "token" && old.place.join() === place.join();
  return slot.state === "hidden" && (anew || tokensDue(context).includes(owner));
}

/** The keys of what it shows. @param {Context} context @param {Place} place @param {Slot} slot */
export function tokenPad(context, place, slot) {
  const { position, replies } = context;
  const { token } = position;
  const numbers = valuesOf(position).filter((v) => v !== "YELLOW" && v !== "RED");
  const chances = new Map(byValue(replies.posterior?.value?.stands[place[0]]?.slots[place[1]] ?? {}));
  const shows = token === "standard" ? numbers : KINDS[token];
  const key = (/** @type {string} */ v) => {
    const faint = token === "standard" && chances.size > 0 && !chances.has(v);
    return html`<button class=${faint ? "soft key faint-key" : "soft key"} aria-label=${token === "standard" ? short(v) : words.tokenName(v)} @click=${() => lay(context, place, slot, v)}><b>${sign(v)}</b></button>`;
  };
  return html`<p class="pad-line">${words.firstToken}</p>
    <div class="keys-row numbers step">${shows.map(key)}</div>
    <div class="row"><button class="plain" @click=${() => context.set({ noTokens: true })}>${words.noTokens}</button></div>`;
}

/** @param {Context} context @param {Place} place @param {Slot} slot @param {string} shown */
function lay(context, place, slot, shown) {
  const { position } = context;
  /** @type {Slot} */
  const next =
    position.token === "standard"
      ? { ...slot, state: "info", wire: shown, value: null }
      : { ...slot, tokens: [...(slot.tokens ?? []), shown] };
  const where = words.slot(nameOf(position, place[0]), place[1]);
  const label = words.named.set(where, position.token === "standard" ? shown : words.tokenName(shown));
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
