/**
 * A Bomb Busters table as plain values: what is in play, what a slot holds, the next table.
 * Pure functions; nothing here draws or asks. One file, because every one of them is a few lines
 * about the same slots and stands.
 */
export type Position = Whole<import("../../types/rack.js").Position>;
export type Stand = Position["stands"][number];
export type Slot = Stand["slots"][number];
export type Fact = Stand["facts"][number];
export type Wires = Position["wires"];
/** of tokens */
export type Kind = Position["token"];
/** stand and slot */
export type Place = [number, number];
export interface View {
  /** the slot whose pad is open */
  at?: Place | null;
  /** what was typed into it */
  typed?: string;
  tab?: "cut" | "indicate";
  /** the option whose reasons are shown */
  chosen?: string;
  /** a cut that is being noted */
  turn?: Partial<Draft> | null;
  /** the player whose turn is noted */
  actor?: number | null;
  /** a cut whose teammate's wire is asked for; `fails`: it may have failed, too */
  along?: { options: Outcome; value: string; fails?: boolean; own?: Place } | null;
  /** a slot that is being set by hand */
  setting?: { place: string; state: "cut" | "info" } | null;
  /** the stand whose facts are to be shown */
  facts?: number | null;
  /** gains are shown on the stand, in a practice game */
  scores?: boolean;
  /** all options are listed */
  every?: boolean;
  /** kinds of tokens are compared */
  compare?: boolean;
  /** what teammates learn counts */
  team?: boolean;
  model?: IndicateOptions["model"];
  /** equipment may be used */
  gear?: boolean;
  /** first tokens are ranked by the chance to win */
  tokensByWin?: boolean;
  /** ranked by the chance to win, where it can be computed; default: true */
  byWin?: boolean;
  /** the own stand whose wires are weighed */
  weigh?: number;
  /** the kind of token to show */
  token?: Kind | null;
  /** the slot compared with the best */
  picked?: number | null;
  /** no one takes a seat: the table is only looked at */
  looking?: boolean;
  /** the first tokens lie, or none are laid */
  noTokens?: boolean;
  /** the table lays first tokens by the desk's own order, and the choice is read */
  follows?: boolean;
  /** the turns that are looked back on, and the table before them */
  lookback?: { start: Position; turns: PlayedTurn[] } | null;
  /** in a practice game the others take their turns */
  partners?: boolean;
  /** a turn that is entered anew What a step was made of: a turn or a card as it was asked, a first token, a new table. */
  correcting?: Correcting | null;
}
export type Made =
  | { want: "outcome"; options: Outcome; exploded?: boolean }
  | { want: "use"; options: UseOptions; exploded?: boolean }
  | { want: "token"; place: Place }
  | { want: "fact"; stands: number[]; fact: Said }
  | { want: "table" };
type Step = { label: string; position: Position; turn?: Made };
interface Correcting {
  /** the id of the step before it */
  from: string;
  /** the id of the step where the correction was begun */
  back: string;
  /** as they were: the one to be entered anew, and those after it */
  steps: Step[];
  /** steps that are left out */
  left: number[];
  /** the step as it is entered now */
  first: Step | null;
  /** why a step no longer fits */
  stuck: string;
  /** its number */
  stuckAt?: number;
}
export type Compared = { [kind in `compare.${Kind}`]: "indicate" };
type Asked = {
  doubt: "doubt";
  posterior: "posterior";
  indicate: "indicate";
  cuts: "cuts";
  review: "review";
} & Compared;
export type Desk = { position: Position; view: View; verbs: Verbs; asked: Asked; made: Made };
export type Context = import("../desk.js").Context<Desk>;
export type Wanted = import("../desk.js").Wanted<Desk>;

import type { Reply } from "../../session/questions.js";
import type { Cuts, Doubt, IndicateOptions, PlayedTurn, UseOptions, Verbs } from "../../types/rack.js";
import { complete } from "../../validate.js";
import type { Whole } from "../desk.js";
import { MISSIONS, TURNED } from "./missions.js";
import type { Draft, Outcome } from "./turn.js";
import type { Said } from "./turn-order.js";

/** A place of which nothing is known. */
export const BLANK: Readonly<Required<Slot>> = { state: "hidden", wire: null, value: null, tokens: [] };
export const MOST_STEPS = 9;
export const NUMBERS = Array.from({ length: 12 }, (_, i) => String(i + 1));
export const MOST_AIR = 40;
/** What a token of each kind may show, other than a value. */
export const TOKEN_MARKS = { standard: null, parity: ["even", "odd"], multiplicity: ["x1", "x2", "x3"] };
export const TOKEN_KINDS = ["standard", "parity", "multiplicity"] as const;
export const LIMIT_CARDS = [..."ABCDEFGHIJKL"];
const MOST_ASIDE = 12;
const WIRE = /^(?:[1-9]|1[0-2]|[YR](?:[1-9]|1[01]))$/;
const VALUE = /^(?:[1-9]|1[0-2]|YELLOW|RED)$/;
const TOKEN =
  /^(?:even|odd|x[123]|unsorted|same-as-next|differs-from-next|moved|not:(?:[1-9]|1[0-2]|YELLOW|RED))$/;
function fits(form: RegExp, text: unknown) {
  return typeof text === "string" && form.test(text);
}

/** A table of the right shape as it can be drawn; throws a sentence where it cannot. */
export function accept(position: Position) {
  const { wires, stands, detonator } = position;
  if (wires.aside < 0 || wires.aside > MOST_ASIDE)
    throw new Error("Its wires next to the stands are damaged.");
  if (!wires.blue.every((n: number) => n > 0 && n < 13)) throw new Error("Its blue wires are damaged.");
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

/** What the desk itself was answered, as a whole table. */
export function whole(value: unknown) {
  return accept(complete("rack", value));
}

const MOST_CHOICES = 12;

/** The table after a turn, the turn among the choices where the table has agreed to keep them. */
export function tableAfter(found: { position: unknown; choice?: unknown }) {
  const next = whole(found.position);
  if (!next.choices || !found.choice) return next;
  return whole({ ...next, choices: [...next.choices, found.choice].slice(-MOST_CHOICES) });
}

function refuseDamaged({ slots, facts }: Required<Stand>, i: number) {
  const sound = ({ wire, value, tokens = [] }: Slot) =>
    (!wire || fits(WIRE, wire)) && (!value || fits(VALUE, value)) && tokens.every((t) => fits(TOKEN, t));
  if (!slots.every(sound)) throw new Error(`A slot of stand ${i + 1} is damaged.`);
  if (slots.length > 20) throw new Error("A stand has more than 20 slots.");
  if (!facts.every(({ value }) => fits(VALUE, value)))
    throw new Error(`What is said of stand ${i + 1} is damaged.`);
}

export function ownerOf(position: Position, i: number) {
  return position.stands[i]?.owner ?? i;
}

export function isMine(position: Position, i: number) {
  return ownerOf(position, i) === position.viewer;
}

/** How many players sit at the table. */
export function playersOf(position: Position) {
  return [...new Set(position.stands.map((_, i: number) => ownerOf(position, i)))].sort();
}

/** A stand of a player's: the first. */
export function standOfPlayer(position: Position, player: number | null) {
  return Math.max(
    0,
    position.stands.findIndex((_, i) => ownerOf(position, i) === player),
  );
}

/** Whether any wire is cut. */
export function anyCut({ stands }: Position) {
  return stands.some(({ slots }) => slots.some(({ state }) => state === "cut"));
}

/** The stands in the order they are drawn: the viewer's first. */
export function seating(position: Position): number[] {
  const all = position.stands.map((_, i: number) => i);
  return [
    ...all.filter((i: number) => isMine(position, i)),
    ...all.filter((i: number) => !isMine(position, i)),
  ];
}

/** Where a wire stands in the order: 7 → 70, Y7 → 71, R7 → 75. */
function codeOf(wire: string) {
  return 10 * Number(wire.replace(/\D/g, "")) + (wire[0] === "Y" ? 1 : wire[0] === "R" ? 5 : 0);
}

/** What a player calls a wire. */
export function calledOf(wire: string) {
  return wire[0] === "Y" ? "YELLOW" : wire[0] === "R" ? "RED" : wire;
}

/** How many wires lie on the stands: those left undrawn are not among them. */
export function dealtOf({ blue, yellow, red, groups, aside = 0 }: Wires) {
  const drawn = groups.reduce((n: number, g) => n + g.drawn, 0);
  return 4 * (blue[1] - blue[0] + 1) + yellow.length + red.length + drawn - aside;
}

/** Every wire that may be on the table, in order. */
export function wiresOf(position: Position): string[] {
  const { blue, yellow, red, groups } = position.wires;
  const numbers = Array.from({ length: blue[1] - blue[0] + 1 }, (_, i) => String(blue[0] + i));
  const grouped = groups.flatMap((g) => g.of);
  return [...numbers, ...yellow, ...red, ...grouped].sort((a, b) => codeOf(a) - codeOf(b));
}

/** Every value that may be named, in order. */
export function valuesOf(position: Position): string[] {
  return [...new Set(wiresOf(position).map(calledOf))].sort((a, b) => rank(a) - rank(b));
}

export function rank(value: string) {
  return value === "YELLOW" ? 13 : value === "RED" ? 14 : Number(value);
}

/** The value a slot shows or its owner sees, null if not known. */
export function seen(slot: Slot) {
  return slot.wire ? calledOf(slot.wire) : (slot.value ?? null);
}

/** Whether cuts are ranked by the chance to win, where it can be computed. */
export const ranksByWin = ({ byWin }: View) => byWin ?? true;

/** Values the viewer still holds. */
export function held(position: Position): string[] {
  const found = new Set() as Set<string>;
  position.stands.forEach((stand: Stand, i: number) => {
    if (isMine(position, i))
      for (const slot of stand.slots) {
        const value = slot.state === "cut" ? null : seen(slot);
        if (value) found.add(value);
      }
  });
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/** The advised cuts as far as they are known: while games are played out, their order so far. */
export function cutsSoFar(reply: Reply<Cuts> | undefined) {
  const early = reply?.state === "waiting" ? (reply.progress?.best ?? null) : null;
  return { found: early ?? reply?.value ?? null, early: early !== null };
}

/**
 * The newest posterior of this mission, for which controls its rules and cards have; its chances may be of an earlier position.
 */
export function ruling({ posterior: reply }: Context["replies"]) {
  const { before } = reply ?? {};
  const missionOf = (asked: unknown) => (asked as Position | undefined)?.mission;
  const same = before && missionOf(before.request.position) === missionOf(reply?.request.position);
  return reply?.value ?? (same ? before.value : null);
}

/** What may be wrong: each fact of the smallest sets once, those in most of them first. */
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
  return TURNED.has(mission ?? 0) && state === "hidden" && Boolean(tokens?.includes("unsorted"));
}

/** Whether the viewer sees a hidden wire: her own, or one that is turned away from a teammate. */
export function sees(position: Position, i: number, slot: Slot) {
  return position.viewer !== null && isMine(position, i) !== isTurned(position, slot);
}

/** The next slot whose wire the viewer sees and has not given, of the same stand first, else null. */
export function nextOpen(position: Position, [i, j]: Place = [seating(position)[0] ?? 0, -1]): Place | null {
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

/** Whether anything is cut or shown yet. */
export function begun(position: Position): boolean {
  return position.stands.some((stand: Stand) =>
    stand.slots.some((slot) => slot.state !== "hidden" || slot.tokens?.some((t) => t !== "unsorted")),
  );
}

/** Whether the viewer's own wires are all given; one that is turned away from her never is. */
export function ownKnown(position: Position) {
  const mine = position.stands.filter((_, i: number) => isMine(position, i));
  return mine.length > 0 && mine.every((s: Stand) => s.slots.length && s.slots.every((slot) => seen(slot)));
}

/** Slots by letter, three or more neighbours as a range: "B D", "A–K". */
export function letters(slots: number[]) {
  const last = slots[slots.length - 1];
  const together = slots.length > 2 && last - slots[0] === slots.length - 1;
  return together ? `${letter(slots[0])}–${letter(last)}` : slots.map(letter).join(" ");
}

/** A, B, C … */
export function letter(j: number) {
  return String.fromCharCode(65 + j);
}

const SIGNS = {
  even: "E",
  odd: "O",
  x1: "1×",
  x2: "2×",
  x3: "3×",
  unsorted: "X",
  "same-as-next": "=",
  "differs-from-next": "≠",
  moved: "↔",
} as Record<string, string>;

/** A token as it is drawn: "E", "2×", "≠7". */
export function sign(token: string) {
  if (token.startsWith("not:")) return `not ${short(token.slice(4))}`;
  return SIGNS[token] ?? token;
}

export function short(value: string) {
  return value === "YELLOW" ? "Y" : value === "RED" ? "R" : value;
}

/** The chances of a slot by value, likeliest first. */
export function byValue(chances: Record<string, number>): [string, number][] {
  const sums: Record<string, number> = {};
  for (const [wire, p] of Object.entries(chances)) sums[calledOf(wire)] = (sums[calledOf(wire)] ?? 0) + p;
  return Object.entries(sums).sort((a, b) => b[1] - a[1] || rank(a[0]) - rank(b[0]));
}

const SIGN = "!(?:1[0-2]|[1-9]|[YR])|[EO]|[123]x|X|=|/|@";
const SLOT = new RegExp(
  `^((?:${SIGN})*)(\\?|i)?((?:[YR](?:[1-9]|1[01])|(?:[1-9]|1[01])\\.[15]|1[0-2]|[1-9])(?!x)|[YR])?((?:${SIGN})*)$`,
);

/**
 * A slot typed in the players' shorthand: 7, ?, ?7, i5, Y3, !7, E, 2x, 2x?7, or with the number printed on its tile, 3.1; null if it is none.
 */
export function slotFromText(word: string): Slot | null {
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

function tokenOf(text: string) {
  const plain = {
    E: "even",
    O: "odd",
    "1x": "x1",
    "2x": "x2",
    "3x": "x3",
    X: "unsorted",
    "=": "same-as-next",
    "/": "differs-from-next",
    "@": "moved",
  } as Record<string, string>;
  if (text[0] !== "!") return plain[text];
  const value = text.slice(1);
  return `not:${value === "Y" ? "YELLOW" : value === "R" ? "RED" : value}`;
}

/**
 * The position to share: without the hidden wires that the viewer knows, her own and others', and no seat's: who opens it takes a seat. A practice game stays one player's.
 */
export function withoutSecrets(position: Position) {
  let changed = position.viewer !== null && !position.sealed;
  const stands = position.stands.map((stand: Stand) => ({
    ...stand,
    slots: stand.slots.map((slot) => {
      if (slot.state !== "hidden" || !slot.wire) return slot;
      changed = true;
      return { ...slot, wire: null };
    }),
  }));
  return changed ? { ...position, stands, viewer: position.sealed ? position.viewer : null } : position;
}

/**
 * A table from a link with the seat and the hidden wires that are known here, if it is the one that is open; else null.
 */
export function seated(kept: Position, linked: Position): Position | null {
  if (linked.viewer !== null || kept.viewer === null || !sameTable(kept, linked)) return null;
  const stands = linked.stands.map((stand: Stand, i: number) => ({
    ...stand,
    slots: stand.slots.map((slot, j: number) => {
      const { wire } = kept.stands[i].slots[j];
      return slot.state === "hidden" && !slot.wire && wire ? { ...slot, wire } : slot;
    }),
  }));
  return { ...linked, viewer: kept.viewer, stands };
}

/**
 * Whether two positions are of one game: the same wires on stands of the same sizes, nothing cut here that lies hidden there.
 */
function sameTable(kept: Position, linked: Position) {
  const shape = ({ mission, wires, stands }: Position) =>
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
