/**
 * A Bomb Busters table as plain values: the wires in play, slots and stands, what follows from them, and
 * the state of the page. Pure functions: nothing here draws or asks.
 */

import type { Reply } from "../../session/questions.js";
import type { Cuts, Doubt, IndicateOptions, PlayedTurn, UseOptions, Verbs } from "../../types/rack.js";
import { complete } from "../../validate.js";
import type { Whole } from "../desk.js";
import { MISSIONS, TURNED } from "./missions.js";
import type { Along, Draft, Outcome } from "./turn.js";
import type { Correction, StatedFact } from "./turn-order.js";

export type Position = Whole<import("../../types/rack.js").Position>;
export type Stand = Position["stands"][number];
export type Slot = Stand["slots"][number];
export type Fact = Stand["facts"][number];
export type Wires = Position["wires"];
/** of tokens */
export type Kind = Position["token"];
/** stand and slot */
export type Place = [number, number];
/** What a step was made of: a turn or card with its options, a first token, a fact, a new table. */
export type Made =
  | { want: "outcome"; options: Outcome; exploded?: boolean }
  | { want: "use"; options: UseOptions; exploded?: boolean }
  | { want: "token"; place: Place }
  | { want: "fact"; stands: number[]; fact: StatedFact }
  | { want: "table" };
export type Compared = { [kind in `compare.${Kind}`]: "indicate" };
type Asked = {
  doubt: "doubt";
  posterior: "posterior";
  indicate: "indicate";
  cuts: "cuts";
  review: "review";
} & Compared;
export type View = typeof FIRST_VIEW;
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked; made: Made };
export type Context = import("../desk.js").Context<Desk>;
export type Requests = import("../desk.js").Requests<Desk>;
/** A table with the answers about it. */
export type Table = Pick<Context, "position" | "replies">;

/** What is being entered in the pad; a noted turn resets it. */
export const NO_ENTRY = {
  /** the slot whose pad is open */
  at: null as Place | null,
  /** what was typed for it */
  typed: "",
  /** the cut, as far as it differs from the empty draft (turn.ts) */
  turn: null as Partial<Draft> | null,
  /** the player whose turn it is; null: as the turns so far say */
  actor: null as number | null,
  /** a cut whose second wire is still to be tapped */
  along: null as Along | null,
  /** a slot that is being set directly ("stand.slot"), while its wire is not known */
  setting: null as { place: string; state: "cut" | "info" } | null,
};
/** What belongs to one table; a new table resets it. */
export const NEW_TABLE = {
  ...NO_ENTRY,
  /** null: cuts once a wire is cut */
  tab: null as "cut" | "indicate" | null,
  /** the option whose reasons are shown */
  chosen: "",
  /** kind of the token to indicate; null: the table's */
  token: null as Kind | null,
  /** the first tokens lie, or none are laid */
  noTokens: false,
  /** in a practice game: the gains are shown, the slot that is compared with the best */
  scores: false,
  picked: null as number | null,
  /** the reviewed turns and the table before them */
  lookback: null as { start: Position; turns: PlayedTurn[] } | null,
  /** a turn that is being entered again */
  correcting: null as Correction | null,
};
/** The state of the page that is not in the position, with its defaults. */
export const FIRST_VIEW = {
  ...NEW_TABLE,
  /** no seat is taken: the table is only watched */
  looking: false,
  /** in a practice game the partners take their turns */
  partners: false,
  /** first tokens follow Cluewise's convention */
  follows: false,
  /** cuts are ranked by the chance to win where it can be computed, first tokens too */
  byWin: true,
  tokensByWin: false,
  /** all cuts are listed */
  every: false,
  /** cuts with equipment are listed */
  gear: false,
  model: "bayes" as NonNullable<IndicateOptions["model"]>,
  /** tokens are measured as teammates see them */
  team: false,
  /** the kinds of tokens are compared */
  compare: false,
};

/** A slot of which nothing is known. */
export const BLANK: Readonly<Required<Slot>> = { state: "hidden", wire: null, value: null, tokens: [] };
export const MAX_STEPS = 9;
export const MAX_AIR = 40;
export const NUMBERS = Array.from({ length: 12 }, (_, i) => String(i + 1));
export const LIMIT_CARDS = [..."ABCDEFGHIJKL"];
/** What a token of each kind shows, other than a value. */
export const TOKEN_MARKS = { standard: null, parity: ["even", "odd"], multiplicity: ["x1", "x2", "x3"] };
export const TOKEN_KINDS = ["standard", "parity", "multiplicity"] as const;
const MAX_ASIDE = 12;
const MAX_CHOICES = 12;
const WIRE = /^(?:[1-9]|1[0-2]|[YR](?:[1-9]|1[01]))$/;
const VALUE = /^(?:[1-9]|1[0-2]|YELLOW|RED)$/;
const TOKEN =
  /^(?:even|odd|x[123]|unsorted|same-as-next|differs-from-next|moved|not:(?:[1-9]|1[0-2]|YELLOW|RED))$/;

/** A table of the right shape as it can be drawn; throws a sentence where it cannot. */
export function accept(position: Position) {
  const { wires, stands, detonator, mission, captain_card: holder, pairs } = position;
  const named = [...wires.yellow, ...wires.red, ...wires.groups.flatMap((g) => g.of)];
  const limits = [position.constraint, ...position.limits, ...position.limits_gone, ...Object.values(pairs)];
  const amounts = [position.reserve, position.track, ...position.air];
  const { numbers, numbers_left, locked } = position;
  const values = [...numbers, ...(numbers_left ?? []), ...Object.keys(pairs), ...locked];
  const isWithin = (n: number | null, least: number, most: number) => n === null || (n >= least && n <= most);
  const areCardsSound =
    isWithin(mission, 1, MISSIONS) &&
    isWithin(holder, 0, 7) &&
    limits.every((card) => card === null || LIMIT_CARDS.includes(card)) &&
    amounts.every((n) => isWithin(n, 0, MAX_AIR)) &&
    values.every((v) => VALUE.test(v));
  const isSlotSound = ({ wire, value, tokens }: Slot) =>
    (!wire || WIRE.test(wire)) && (!value || VALUE.test(value)) && tokens.every((t) => TOKEN.test(t));
  const checks: [boolean, string][] = [
    [isWithin(wires.aside, 0, MAX_ASIDE), "Its wires next to the stands are damaged."],
    [wires.blue.every((n) => isWithin(n, 1, 12)), "Its blue wires are damaged."],
    [named.every((name) => WIRE.test(name)), "Its yellow or red wires are damaged."],
    [stands.length <= 8, "It has more than eight stands."],
    ...stands.flatMap(({ slots, facts }, i): [boolean, string][] => [
      [slots.every(isSlotSound), `A slot of stand ${i + 1} is damaged.`],
      [slots.length <= 20, "A stand has more than 20 slots."],
      [facts.every(({ value }) => VALUE.test(value)), `What is said of stand ${i + 1} is damaged.`],
    ]),
    [isWithin(detonator, 0, MAX_STEPS), "Its detonator is damaged."],
    [areCardsSound, "Its mission cards are damaged."],
  ];
  const fault = checks.find(([isSound]) => !isSound);
  if (fault) throw new Error(fault[1]);
  return position;
}

/** A position of the engine's with all defaults filled in. */
export function completePosition(value: unknown) {
  return accept(complete("rack", value));
}

/** The table after a turn; the turn joins the choices where the table keeps them. */
export function tableAfter(found: { position: unknown; choice?: unknown }) {
  const next = completePosition(found.position);
  if (!next.choices || !found.choice) return next;
  return completePosition({ ...next, choices: [...next.choices, found.choice].slice(-MAX_CHOICES) });
}

export function ownerOf(position: Position, i: number) {
  return position.stands[i]?.owner ?? i;
}

export function isMine(position: Position, i: number) {
  return ownerOf(position, i) === position.viewer;
}

/** The numbers of a player's stands. */
export function standsOf(position: Position, player: number | null) {
  return position.stands.flatMap((_, i) => (ownerOf(position, i) === player ? [i] : []));
}

/** The players at the table, by number. */
export function playersOf(position: Position) {
  return [...new Set(position.stands.map((_, i) => ownerOf(position, i)))].sort();
}

/** The first stand of a player. */
export function standOfPlayer(position: Position, player: number | null) {
  return standsOf(position, player)[0] ?? 0;
}

/** The slots of a player's stands; without a player, of all. */
export function slotsOf(position: Position, player?: number | null) {
  return position.stands.flatMap(({ slots }, i) =>
    player === undefined || ownerOf(position, i) === player ? slots : [],
  );
}

/** The place of every slot on the table. */
export function placesOn(position: Position) {
  return position.stands.flatMap(({ slots }, i) => slots.map((_, j): Place => [i, j]));
}

export function isSamePlace(a: Place | null | undefined, b: Place) {
  return a?.[0] === b[0] && a[1] === b[1];
}

export function anyCut(position: Position) {
  return slotsOf(position).some(({ state }) => state === "cut");
}

/** Whether all of these wires are cut. */
export function areAllCut(slots: Slot[]) {
  return slots.length > 0 && slots.every(({ state }) => state === "cut");
}

/** The stands in the order in which they are drawn: the viewer's first. */
export function seating(position: Position) {
  const others = position.stands.flatMap((_, i) => (isMine(position, i) ? [] : [i]));
  return [...standsOf(position, position.viewer), ...others];
}

/** The rank of a wire in the order of a stand: 7 → 70, Y7 → 71, R7 → 75. */
function wireRank(wire: string) {
  return 10 * Number(wire.replace(/\D/g, "")) + (wire[0] === "Y" ? 1 : wire[0] === "R" ? 5 : 0);
}

export function valueRank(value: string) {
  return value === "YELLOW" ? 13 : value === "RED" ? 14 : Number(value);
}

/** What a player calls a wire: YELLOW for Y7. */
export function valueOfWire(wire: string) {
  return wire[0] === "Y" ? "YELLOW" : wire[0] === "R" ? "RED" : wire;
}

/** The number of wires on the stands, without those left undrawn. */
export function countDealt({ blue, yellow, red, groups, aside }: Wires) {
  const drawn = groups.reduce((n, g) => n + g.drawn, 0);
  return 4 * (blue[1] - blue[0] + 1) + yellow.length + red.length + drawn - aside;
}

/** Every wire that may be on the table, in order. */
export function wiresOf({ wires: { blue, yellow, red, groups } }: Position): string[] {
  const numbers = Array.from({ length: blue[1] - blue[0] + 1 }, (_, i) => String(blue[0] + i));
  const all = [...numbers, ...yellow, ...red, ...groups.flatMap((g) => g.of)];
  return all.sort((a, b) => wireRank(a) - wireRank(b));
}

/** Every value on the table, in order. */
export function valuesOf(position: Position): string[] {
  return [...new Set(wiresOf(position).map(valueOfWire))].sort((a, b) => valueRank(a) - valueRank(b));
}

/** The numbers among the values: those of blue wires. */
export function blueValuesOf(position: Position) {
  return valuesOf(position).filter((v) => v !== "YELLOW" && v !== "RED");
}

/** The value that a slot shows or that a player sees there; null if unknown. */
export function knownValue(slot: Slot) {
  return slot.wire ? valueOfWire(slot.wire) : (slot.value ?? null);
}

/** The values of the viewer's uncut wires, in order. */
export function heldValues(position: Position): string[] {
  const own = slotsOf(position, position.viewer).filter(({ state }) => state !== "cut");
  const held = new Set(own.map(knownValue).filter((value) => value !== null));
  return [...held].sort((a, b) => valueRank(a) - valueRank(b));
}

/** The advised cuts; while games are simulated, in their order so far. */
export function cutsSoFar(reply: Reply<Cuts> | undefined) {
  const early = reply?.state === "waiting" ? (reply.progress?.best ?? null) : null;
  return { found: early ?? reply?.value ?? null, early: early !== null };
}

/** The posterior of this very table; null while it is not computed. */
export function currentPosterior({ posterior: reply }: Context["replies"]) {
  return reply?.value ?? null;
}

/** The newest posterior of this mission, for its rules and cards; its chances may be of an earlier table. */
export function newestPosterior({ posterior: reply }: Context["replies"]) {
  const { before } = reply ?? {};
  const missionOf = (asked: unknown) => (asked as Position | undefined)?.mission;
  const isSame = before && missionOf(before.request.position) === missionOf(reply?.request.position);
  return reply?.value ?? (isSame ? before.value : null);
}

/** Whether the mission has a rule. */
export function hasRule({ replies }: Pick<Context, "replies">, rule: string) {
  return Boolean(newestPosterior(replies)?.rules.includes(rule));
}

/** The chances of a slot by wire; empty while they are unknown. */
export function chancesAt({ posterior }: Context["replies"], [i, j]: Place): Record<string, number> {
  return posterior?.value?.stands[i]?.slots[j] ?? {};
}

/** The chances of a slot by value, likeliest first. */
export function byValue(chances: Record<string, number>): [string, number][] {
  const sums: Record<string, number> = {};
  for (const [wire, p] of Object.entries(chances))
    sums[valueOfWire(wire)] = (sums[valueOfWire(wire)] ?? 0) + p;
  return Object.entries(sums).sort((a, b) => b[1] - a[1] || valueRank(a[0]) - valueRank(b[0]));
}

/** What may be wrong: each claim of the smallest sets once, those in most of them first. */
export function suspectsOf(doubt: Doubt) {
  const all = doubt.smallest.flat();
  const times = (s: { where: string }) => all.filter((other) => other.where === s.where).length;
  const once = all.filter((s, i) => all.findIndex((other) => other.where === s.where) === i);
  return once.sort((a, b) => times(b) - times(a));
}

/** The table with one slot changed. */
export function withSlot(position: Position, [i, j]: Place, slot: Slot) {
  const stand = position.stands[i];
  return withStand(position, i, { ...stand, slots: stand.slots.with(j, slot) });
}

export function withStand(position: Position, i: number, stand: Stand) {
  return { ...position, stands: position.stands.with(i, stand) };
}

export function slotAt(position: Position, place: Place | null | undefined): Slot | null {
  return place ? (position.stands[place[0]]?.slots[place[1]] ?? null) : null;
}

/** Whether a hidden wire is turned away from its owner. */
export function isTurned({ mission }: Position, { state, tokens }: Slot) {
  return TURNED.has(mission ?? 0) && state === "hidden" && tokens.includes("unsorted");
}

/** Whether the viewer sees a hidden wire: her own, or one that is turned away from a teammate. */
export function viewerSees(position: Position, i: number, slot: Slot) {
  return position.viewer !== null && isMine(position, i) !== isTurned(position, slot);
}

/** The next slot whose wire the viewer sees and has not entered, on the same stand first; null if none. */
export function nextUnknown(position: Position, [i, j]: Place = [seating(position)[0] ?? 0, -1]) {
  const places = (k: number) => (position.stands[k]?.slots ?? []).map((_, n): Place => [k, n]);
  const own = places(i);
  const all = [...own.slice(j + 1), ...own.slice(0, j + 1), ...seating(position).flatMap(places)];
  const isUnknown = ([k, n]: Place) => {
    const slot = position.stands[k].slots[n];
    return slot.state === "hidden" && !slot.wire && viewerSees(position, k, slot);
  };
  return all.find(isUnknown) ?? null;
}

/** Whether anything is cut or shown yet. */
export function hasBegun(position: Position) {
  return slotsOf(position).some(
    (slot) => slot.state !== "hidden" || slot.tokens.some((t) => t !== "unsorted"),
  );
}

/** Whether the viewer's own wires are all known; one that is turned away from her never is. */
export function knowsOwnWires(position: Position) {
  const own = standsOf(position, position.viewer).map((i) => position.stands[i].slots);
  return own.length > 0 && own.every((slots) => slots.length && slots.every(knownValue));
}

/** Slots by letter, three or more neighbours as a range: "B D", "A–K". */
export function letters(slots: number[]) {
  const last = slots[slots.length - 1];
  const isRange = slots.length > 2 && last - slots[0] === slots.length - 1;
  return isRange ? `${letter(slots[0])}–${letter(last)}` : slots.map(letter).join(" ");
}

/** A, B, C … */
export function letter(j: number) {
  return String.fromCharCode(65 + j);
}

/** Tokens as they are typed and as they are drawn. */
const SIGNS: Record<string, [typed: string, drawn: string]> = {
  even: ["E", "E"],
  odd: ["O", "O"],
  x1: ["1x", "1×"],
  x2: ["2x", "2×"],
  x3: ["3x", "3×"],
  unsorted: ["X", "X"],
  "same-as-next": ["=", "="],
  "differs-from-next": ["/", "≠"],
  moved: ["@", "↔"],
};

/** A token or a value as it is drawn: "E", "2×", "not 7", "7". */
export function sign(token: string) {
  return token.startsWith("not:") ? `not ${short(token.slice(4))}` : (SIGNS[token]?.[1] ?? token);
}

/** "Y" for YELLOW. */
export function short(value: string) {
  return value === "YELLOW" ? "Y" : value === "RED" ? "R" : value;
}

const TYPED = "!(?:1[0-2]|[1-9]|[YR])|[EO]|[123]x|X|=|/|@";
const SLOT = new RegExp(
  `^((?:${TYPED})*)(\\?|i)?((?:[YR](?:[1-9]|1[01])|(?:[1-9]|1[01])\\.[15]|1[0-2]|[1-9])(?!x)|[YR])?((?:${TYPED})*)$`,
);

/**
 * A slot typed in the players' shorthand: 7, ?, ?7, i5, Y3, !7, E, 2x, 2x?7, or with the number printed on
 * its tile, 3.1; null if it is none.
 */
export function slotFromText(text: string): Slot | null {
  const match = SLOT.exec(text);
  if (!match || !text) return null;
  const [, before, lead, printed, after] = match;
  const name = printed?.replace(/^(\d+)\.([15])$/, (_, n, colour) => (colour === "1" ? "Y" : "R") + n);
  const isColour = name === "Y" || name === "R";
  if (isColour ? lead !== "i" : lead === "i" && !name) return null;
  if (name && !lead && before.includes("!")) return null;
  const state = lead === "i" ? "info" : name && lead !== "?" ? "cut" : "hidden";
  return {
    state,
    wire: name && !isColour ? name : null,
    value: isColour ? valueOfWire(name) : null,
    tokens: ((before + after).match(new RegExp(TYPED, "g")) ?? []).map(tokenFromText),
  };
}

function tokenFromText(text: string) {
  if (text[0] === "!") return `not:${valueOfWire(text.slice(1))}`;
  return Object.keys(SIGNS).find((token) => SIGNS[token][0] === text) ?? text;
}

/**
 * The position to share: without the hidden wires that the viewer knows and without a seat; who opens it
 * takes one. A practice game stays one player's.
 */
export function withoutSecrets(position: Position) {
  let changed = position.viewer !== null && !position.sealed;
  const stands = position.stands.map((stand) => ({
    ...stand,
    slots: stand.slots.map((slot) => {
      if (slot.state !== "hidden" || !slot.wire) return slot;
      changed = true;
      return { ...slot, wire: null };
    }),
  }));
  return changed ? { ...position, stands, viewer: position.sealed ? position.viewer : null } : position;
}

/** A linked table with the seat and hidden wires that are known here; null if it is of another game. */
export function withSeat(kept: Position, linked: Position): Position | null {
  if (linked.viewer !== null || kept.viewer === null || !isSameGame(kept, linked)) return null;
  const stands = linked.stands.map((stand, i) => ({
    ...stand,
    slots: stand.slots.map((slot, j) => {
      const { wire } = kept.stands[i].slots[j];
      return slot.state === "hidden" && !slot.wire && wire ? { ...slot, wire } : slot;
    }),
  }));
  return { ...linked, viewer: kept.viewer, stands };
}

/** Whether the tables have the same wires and stands, and nothing cut here is hidden there. */
function isSameGame(kept: Position, linked: Position) {
  const shape = ({ mission, wires, stands }: Position) =>
    JSON.stringify([mission, wires, stands.map((stand, i) => [stand.owner ?? i, stand.slots.length])]);
  const isCutThere = ([i, j]: Place) => linked.stands[i].slots[j].state === "cut";
  const isCutHere = ([i, j]: Place) => kept.stands[i].slots[j].state === "cut";
  return shape(kept) === shape(linked) && placesOn(kept).filter(isCutHere).every(isCutThere);
}

/** An empty table of the usual kind. */
export function firstTable() {
  const slots = Array.from({ length: 6 }, () => BLANK);
  const stands = ["", "Ann", "Bob", "Cleo"].map((name) => ({ name, slots }));
  return completePosition({ mission: 1, wires: { blue: [1, 6] }, stands });
}
