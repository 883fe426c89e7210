/**
 * A Bomb Busters table as plain values: what is in play, what a slot holds, the next table.
 * Pure functions; nothing here draws or asks. One file, because every one of them is a few lines
 * about the same slots and stands.
 *
 * @typedef {import("../../types/rack.js").Verbs} Verbs
 * @typedef {import("../desk.js").Whole<import("../../types/rack.js").Position>} Position
 * @typedef {Position["stands"][number]} Stand
 * @typedef {Stand["slots"][number]} Slot
 * @typedef {Stand["facts"][number]} Fact
 * @typedef {Position["wires"]} Wires
 * @typedef {Position["token"]} Kind of tokens
 * @typedef {[number, number]} Place stand and slot
 *
 * @typedef {object} View
 * @property {Place | null} [at] the slot whose pad is open
 * @property {string} [typed] what was typed into it
 * @property {"cut" | "indicate"} [tab]
 * @property {string} [chosen] the option whose reasons are shown
 * @property {Partial<import("./turn.js").Draft> | null} [turn] a cut that is being noted
 * @property {number | null} [actor] the player whose turn is noted
 * @property {{options: import("./turn.js").Outcome, value: string, fails?: boolean} | null} [along] a cut whose
 *   teammate's wire is asked for; `fails`: it may have failed, too
 * @property {{place: string, state: "cut" | "info"} | null} [setting] a slot that is being set by hand
 * @property {number | null} [facts] the stand whose facts are to be shown
 * @property {boolean} [scores] gains are shown on the stand, in a practice game
 * @property {boolean} [every] all options are listed
 * @property {boolean} [compare] kinds of tokens are compared
 * @property {boolean} [team] what teammates learn counts
 * @property {import("../../types/rack.js").IndicateOptions["model"]} [model]
 * @property {boolean} [gear] equipment may be used
 * @property {boolean} [tokensByWin] first tokens are ranked by the chance to win
 * @property {boolean} [byWin] ranked by the chance to win, where it can be computed; default: true
 * @property {number} [weigh] the own stand whose wires are weighed
 * @property {Kind | null} [token] the kind of token to show
 * @property {number | null} [picked] the slot compared with the best
 * @property {boolean} [looking] no one takes a seat: the table is only looked at
 * @property {boolean} [noTokens] the first tokens lie, or none are laid
 * @property {boolean} [follows] the table lays first tokens by the desk's own order, and the choice is read
 * @property {Correcting | null} [correcting] a turn that is entered anew
 *
 * What a step was made of: a turn or a card as it was asked, a first token, a new table.
 * @typedef {{want: "outcome", options: import("./turn.js").Outcome, exploded?: boolean}
 *   | {want: "use", options: import("../../types/rack.js").UseOptions, exploded?: boolean}
 *   | {want: "token", place: Place} | {want: "fact", stands: number[], fact: import("./turn-order.js").Said} | {want: "table"}} Made
 * @typedef {{label: string, position: Position, turn?: Made}} Step
 * @typedef {object} Correcting
 * @property {string} from the id of the step before it
 * @property {string} back the id of the step where the correction was begun
 * @property {Step[]} steps as they were: the one to be entered anew, and those after it
 * @property {number[]} left steps that are left out
 * @property {Step | null} first the step as it is entered now
 * @property {string} stuck why a step no longer fits
 * @property {number} [stuckAt] its number
 *
 * @typedef {{[kind in `compare.${Kind}`]: "indicate"}} Compared
 * @typedef {{doubt: "doubt", posterior: "posterior", indicate: "indicate", cuts: "cuts"} & Compared} Asked
 * @typedef {{position: Position, view: View, verbs: Verbs, asked: Asked, made: Made}} Desk
 * @typedef {import("../desk.js").Context<Desk>} Context
 * @typedef {import("../desk.js").Wanted<Desk>} Wanted
 */
import { complete } from "../../validate.js";
import { MISSIONS, TURNED } from "./missions.js";

/** A place of which nothing is known. @type {Readonly<Required<Slot>>} */
export const BLANK = { state: "hidden", wire: null, value: null, tokens: [] };
export const MOST_STEPS = 9;
export const NUMBERS = Array.from({ length: 12 }, (_, i) => String(i + 1));
export const MOST_AIR = 40;
export const LIMIT_CARDS = [..."ABCDEFGHIJKL"];
const MOST_ASIDE = 12;
const WIRE = /^(?:[1-9]|1[0-2]|[YR](?:[1-9]|1[01]))$/;
const VALUE = /^(?:[1-9]|1[0-2]|YELLOW|RED)$/;
const TOKEN =
  /^(?:even|odd|x[123]|unsorted|same-as-next|differs-from-next|moved|not:(?:[1-9]|1[0-2]|YELLOW|RED))$/;
/** @param {RegExp} form @param {unknown} text */
function fits(form, text) {
  return typeof text === "string" && form.test(text);
}

/** A table of the right shape as it can be drawn; throws a sentence where it cannot. @param {Position} position */
export function accept(position) {
  const { wires, stands, detonator } = position;
  if (wires.aside < 0 || wires.aside > MOST_ASIDE)
    throw new Error("Its wires next to the stands are damaged.");
  if (!wires.blue.every((/** @type {number} */ n) => n > 0 && n < 13))
    throw new Error("Its blue wires are damaged.");
  const named = [...wires.yellow, ...wires.red, ...wires.groups.flatMap((g) => g.of)];
  if (!named.every((name) => fits(WIRE, name))) throw new Error("Its yellow or red wires are damaged.");
  if (stands.length > 8) throw new Error("It has more than eight stands.");
  stands.forEach(refuseDamaged);
  if (detonator !== null && !(detonator >= 0 && detonator <= MOST_STEPS))
    throw new Error("Its detonator is damaged.");
  const { mission, captain_card: holder, constraint, limits, numbers, locked } = position;
  const letters = [constraint, ...limits, ...position.limits_gone, ...Object.values(position.pairs)];
  const amounts = [position.reserve ?? 0, position.track ?? 0, ...position.air];
  const sound =
    (mission === null || (mission > 0 && mission <= MISSIONS)) &&
    (holder === null || (holder >= 0 && holder < 8)) &&
    letters.every((card) => card === null || LIMIT_CARDS.includes(card)) &&
    amounts.every((n) => n >= 0 && n <= MOST_AIR) &&
    [...numbers, ...(position.numbers_left ?? []), ...Object.keys(position.pairs), ...locked].every((v) =>
      fits(VALUE, v),
    );
  if (!sound) throw new Error("Its mission cards are damaged.");
  return position;
}

/** What the desk itself was answered, as a whole table. @param {unknown} value */
export function whole(value) {
  return accept(complete("rack", value));
}

/** @param {Required<Stand>} stand @param {number} i */
function refuseDamaged({ slots, facts }, i) {
  const sound = (/** @type {Slot} */ { wire, value, tokens = [] }) =>
    (!wire || fits(WIRE, wire)) && (!value || fits(VALUE, value)) && tokens.every((t) => fits(TOKEN, t));
  if (!slots.every(sound)) throw new Error(`A slot of stand ${i + 1} is damaged.`);
  if (slots.length > 20) throw new Error("A stand has more than 20 slots.");
  if (!facts.every(({ value }) => fits(VALUE, value)))
    throw new Error(`What is said of stand ${i + 1} is damaged.`);
}

/** @param {Position} position @param {number} i */
export function ownerOf(position, i) {
  return position.stands[i]?.owner ?? i;
}

/** @param {Position} position @param {number} i */
export function isMine(position, i) {
  return ownerOf(position, i) === position.viewer;
}

/** How many players sit at the table. @param {Position} position */
export function playersOf(position) {
  return [...new Set(position.stands.map((_, /** @type {number} */ i) => ownerOf(position, i)))].sort();
}

/** The stands in the order they are drawn: the viewer's first. @param {Position} position @returns {number[]} */
export function seating(position) {
  const all = position.stands.map((_, /** @type {number} */ i) => i);
  return [
    ...all.filter((/** @type {number} */ i) => isMine(position, i)),
    ...all.filter((/** @type {number} */ i) => !isMine(position, i)),
  ];
}

/** Where a wire stands in the order: 7 → 70, Y7 → 71, R7 → 75. @param {string} wire */
export function codeOf(wire) {
  return 10 * Number(wire.replace(/\D/g, "")) + (wire[0] === "Y" ? 1 : wire[0] === "R" ? 5 : 0);
}

/** What a player calls a wire. @param {string} wire */
export function calledOf(wire) {
  return wire[0] === "Y" ? "YELLOW" : wire[0] === "R" ? "RED" : wire;
}

/** How many wires lie on the stands: those left undrawn are not among them. @param {Wires} wires */
export function dealtOf({ blue, yellow, red, groups, aside = 0 }) {
  const drawn = groups.reduce((/** @type {number} */ n, g) => n + g.drawn, 0);
  return 4 * (blue[1] - blue[0] + 1) + yellow.length + red.length + drawn - aside;
}

/** Every wire that may be on the table, in order. @param {Position} position @returns {string[]} */
export function wiresOf(position) {
  const { blue, yellow, red, groups } = position.wires;
  const numbers = Array.from({ length: blue[1] - blue[0] + 1 }, (_, i) => String(blue[0] + i));
  const grouped = groups.flatMap((g) => g.of);
  return [...numbers, ...yellow, ...red, ...grouped].sort((a, b) => codeOf(a) - codeOf(b));
}

/** Every value that may be named, in order. @param {Position} position @returns {string[]} */
export function valuesOf(position) {
  return [...new Set(wiresOf(position).map(calledOf))].sort((a, b) => rank(a) - rank(b));
}

/** @param {string} value */
export function rank(value) {
  return value === "YELLOW" ? 13 : value === "RED" ? 14 : Number(value);
}

/** The value a slot shows or its owner sees, null if not known. @param {Slot} slot */
export function seen(slot) {
  return slot.wire ? calledOf(slot.wire) : (slot.value ?? null);
}

/** Whether cuts are ranked by the chance to win, where it can be computed. @param {View} view */
export const ranksByWin = ({ byWin }) => byWin ?? true;

/** Values the viewer still holds. @param {Position} position @returns {string[]} */
export function held(position) {
  const found = /** @type {Set<string>} */ (new Set());
  position.stands.forEach((/** @type {Stand} */ stand, /** @type {number} */ i) => {
    if (isMine(position, i))
      for (const slot of stand.slots) {
        const value = slot.state === "cut" ? null : seen(slot);
        if (value) found.add(value);
      }
  });
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/**
 * The advised cuts as far as they are known: while games are played out, their order so far.
 * @param {import("../../session/questions.js").Reply<import("../../types/rack.js").Cuts> | undefined} reply
 */
export function cutsSoFar(reply) {
  const early = reply?.state === "waiting" ? (reply.progress?.best ?? null) : null;
  return { found: early ?? reply?.value ?? null, early: early !== null };
}

/** The newest posterior of this mission, for which controls its rules and cards have; its chances may be of an earlier position. @param {Context["replies"]} replies */
export function ruling({ posterior: reply }) {
  const { before } = reply ?? {};
  const missionOf = (/** @type {unknown} */ asked) => /** @type {Position | undefined} */ (asked)?.mission;
  const same = before && missionOf(before.request.position) === missionOf(reply?.request.position);
  return reply?.value ?? (same ? before.value : null);
}

/** What may be wrong: each fact of the smallest sets once, those in most of them first. @param {import("../../types/rack.js").Doubt} doubt */
export function suspectsOf(doubt) {
  const all = doubt.smallest.flat();
  const times = (/** @type {{where: string}} */ s) => all.filter((other) => other.where === s.where).length;
  const once = all.filter((s, i) => all.findIndex((other) => other.where === s.where) === i);
  return once.sort((a, b) => times(b) - times(a));
}

/** The table with one slot changed. @param {Position} position @param {Place} place @param {Slot} slot */
export function withSlot(position, [i, j], slot) {
  const stand = position.stands[i];
  return withStand(position, i, { ...stand, slots: stand.slots.with(j, slot) });
}

/** @param {Position} position @param {number} i @param {Stand} stand */
export function withStand(position, i, stand) {
  return { ...position, stands: position.stands.with(i, stand) };
}

/** @param {Position} position @param {Place | null | undefined} place @returns {Slot | null} */
export function slotAt(position, place) {
  return place ? (position.stands[place[0]]?.slots[place[1]] ?? null) : null;
}

/** Whether a hidden wire is turned away from its owner. @param {Position} position @param {Slot} slot */
export function isTurned({ mission }, { state, tokens }) {
  return TURNED.has(mission ?? 0) && state === "hidden" && Boolean(tokens?.includes("unsorted"));
}

/** Whether the viewer sees a hidden wire: her own, or one that is turned away from a teammate. @param {Position} position @param {number} i @param {Slot} slot */
export function sees(position, i, slot) {
  return position.viewer !== null && isMine(position, i) !== isTurned(position, slot);
}

/** The next slot whose wire the viewer sees and has not given, of the same stand first, else null. @param {Position} position @param {Place} [place] @returns {Place | null} */
export function nextOpen(position, [i, j] = [seating(position)[0] ?? 0, -1]) {
  for (const k of [i, ...seating(position)]) {
    const slots = position.stands[k]?.slots ?? []; // a table may have no stands yet
    const from = k === i ? j + 1 : 0;
    for (let n = 0; n < slots.length; n++) {
      const at = (from + n) % slots.length;
      const slot = slots[at];
      if (slot.state === "hidden" && !slot.wire && sees(position, k, slot)) return [k, at];
    }
  }
  return null;
}

/** Whether anything is cut or shown yet. @param {Position} position @returns {boolean} */
export function begun(position) {
  return position.stands.some((/** @type {Stand} */ stand) =>
    stand.slots.some((slot) => slot.state !== "hidden" || slot.tokens?.some((t) => t !== "unsorted")),
  );
}

/** Whether the viewer's own wires are all given; one that is turned away from her never is. @param {Position} position */
export function ownKnown(position) {
  const mine = position.stands.filter((_, /** @type {number} */ i) => isMine(position, i));
  return (
    mine.length > 0 &&
    mine.every((/** @type {Stand} */ s) => s.slots.length && s.slots.every((slot) => seen(slot)))
  );
}

/** Slots by letter, three or more neighbours as a range: "B D", "A–K". @param {number[]} slots */
export function letters(slots) {
  const last = slots[slots.length - 1];
  const together = slots.length > 2 && last - slots[0] === slots.length - 1;
  return together ? `${letter(slots[0])}–${letter(last)}` : slots.map(letter).join(" ");
}

/** A, B, C … @param {number} j */
export function letter(j) {
  return String.fromCharCode(65 + j);
}

const SIGNS = /** @type {Record<string, string>} */ ({
  even: "E",
  odd: "O",
  x1: "1×",
  x2: "2×",
  x3: "3×",
  unsorted: "X",
  "same-as-next": "=",
  "differs-from-next": "≠",
  moved: "↔",
});

/** A token as it is drawn: "E", "2×", "≠7". @param {string} token */
export function sign(token) {
  if (token.startsWith("not:")) return `not ${short(token.slice(4))}`;
  return SIGNS[token] ?? token;
}

/** @param {string} value */
export function short(value) {
  return value === "YELLOW" ? "Y" : value === "RED" ? "R" : value;
}

/** The chances of a slot by value, likeliest first. @param {Record<string, number>} chances @returns {[string, number][]} */
export function byValue(chances) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const [wire, p] of Object.entries(chances)) sums[calledOf(wire)] = (sums[calledOf(wire)] ?? 0) + p;
  return Object.entries(sums).sort((a, b) => b[1] - a[1] || rank(a[0]) - rank(b[0]));
}

const SIGN = "!(?:1[0-2]|[1-9]|[YR])|[EO]|[123]x|X|=|/|@";
const SLOT = new RegExp(
  `^((?:${SIGN})*)(\\?|i)?((?:[YR](?:[1-9]|1[01])|(?:[1-9]|1[01])\\.[15]|1[0-2]|[1-9])(?!x)|[YR])?((?:${SIGN})*)$`,
);

/** A slot typed in the players' shorthand: 7, ?, ?7, i5, Y3, !7, E, 2x, 2x?7, or with the number printed on its tile, 3.1; null if it is none. @param {string} word @returns {Slot | null} */
export function slotFromText(word) {
  const match = SLOT.exec(word);
  if (!match || !word) return null;
  const [, before, lead, printed, after] = match;
  const name = printed?.replace(/^(\d+)\.([15])$/, (_, n, colour) => (colour === "1" ? "Y" : "R") + n);
  const letters = name === "Y" || name === "R";
  if (letters && lead !== "i") return null;
  if (lead === "i" && !name) return null;
  if (name && !lead && before.includes("!")) return null;
  const tokens = ((before + after).match(new RegExp(SIGN, "g")) ?? []).map(tokenOf);
  const state = lead === "i" ? "info" : name && lead !== "?" ? "cut" : "hidden";
  return {
    state,
    wire: name && !letters ? name : null,
    value: letters ? (name === "Y" ? "YELLOW" : "RED") : null,
    tokens,
  };
}

/** @param {string} text */
function tokenOf(text) {
  const plain = /** @type {Record<string, string>} */ ({
    E: "even",
    O: "odd",
    "1x": "x1",
    "2x": "x2",
    "3x": "x3",
    X: "unsorted",
    "=": "same-as-next",
    "/": "differs-from-next",
    "@": "moved",
  });
  if (text[0] !== "!") return plain[text];
  const value = text.slice(1);
  return `not:${value === "Y" ? "YELLOW" : value === "R" ? "RED" : value}`;
}

/** The position to share: without the hidden wires that the viewer knows, her own and others', and no seat's: who opens it takes a seat. A practice game stays one player's. @param {Position} position */
export function withoutSecrets(position) {
  let changed = position.viewer !== null && !position.sealed;
  const stands = position.stands.map((/** @type {Stand} */ stand) => ({
    ...stand,
    slots: stand.slots.map((slot) => {
      if (slot.state !== "hidden" || !slot.wire) return slot;
      changed = true;
      return { ...slot, wire: null };
    }),
  }));
  return changed ? { ...position, stands, viewer: position.sealed ? position.viewer : null } : position;
}

/** A table from a link with the seat and the hidden wires that are known here, if it is the one that is open; else null. @param {Position} kept @param {Position} linked @returns {Position | null} */
export function seated(kept, linked) {
  if (linked.viewer !== null || kept.viewer === null || !sameTable(kept, linked)) return null;
  const stands = linked.stands.map((/** @type {Stand} */ stand, /** @type {number} */ i) => ({
    ...stand,
    slots: stand.slots.map((slot, /** @type {number} */ j) => {
      const { wire } = kept.stands[i].slots[j];
      return slot.state === "hidden" && !slot.wire && wire ? { ...slot, wire } : slot;
    }),
  }));
  return { ...linked, viewer: kept.viewer, stands };
}

/** Whether two positions are of one game: the same wires on stands of the same sizes, nothing cut here that lies hidden there. @param {Position} kept @param {Position} linked */
function sameTable(kept, linked) {
  const shape = (/** @type {Position} */ { mission, wires, stands }) =>
    JSON.stringify([mission, wires, stands.map((stand, i) => [stand.owner ?? i, stand.slots.length])]);
  if (shape(kept) !== shape(linked)) return false;
  return kept.stands.every((stand, i) =>
    stand.slots.every((slot, j) => slot.state !== "cut" || linked.stands[i].slots[j].state === "cut"),
  );
}

/** An empty table of the usual kind, before Python has come. */
export function firstTable() {
  const slots = Array.from({ length: 6 }, () => BLANK);
  const stands = ["", "Ann", "Bob", "Cleo"].map((name) => ({ name, slots }));
  return whole({ mission: 1, wires: { blue: [1, 6] }, stands });
}
