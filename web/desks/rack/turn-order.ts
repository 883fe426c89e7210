/** Where the game stands: first tokens, whose turn it is, turns that are made again, and turns of partners. */

import type { FaultFacts } from "../desk.js";
import type { Context, Fact, Made, Place, Position, Slot, View } from "./model.js";
import {
  anyCut,
  nextOpen,
  ownerOf,
  playersOf,
  ruling,
  tableAfter,
  whole,
  withSlot,
  withStand,
} from "./model.js";
import { words } from "./strings.js";

type Past = Context["past"][number];

/** How far back a turn can be corrected. */
export const BACK = 5;

const FIRST = /^(?:even|odd|x[123])$/; // what a first token says that is no number
const TURNS = ["skip", "9.9"]; // moves that are a player's turn, next to cuts

/**
 * The player whose turn it is: who comes after the last one noted and has wires left; the captain at first.
 */
export function nextActor({ position, past }: Pick<Context, "position" | "past">): number | null {
  if (position.sealed) return position.viewer;
  const last = lastActor(past);
  const players = playersOf(position);
  if (last === null)
    return anyCut(position)
      ? position.viewer // no one knows who acted last
      : (players[0] ?? position.viewer);
  const from = players.indexOf(last);
  const order = players.map((_, k) => players[(from + 1 + k) % players.length]);
  return order.find((player) => isIn(position, player)) ?? last;
}

/** Whether the bomb has gone off, by the last turn or by the dial. */
export function isLost({ position, past }: Pick<Context, "position" | "past">) {
  const turn = past.at(-1)?.turn;
  return position.detonator === 0 || Boolean(turn && "exploded" in turn && turn.exploded);
}

/**
 * That no one can ever cut a wire again, as the engine says it, and whether a card may still help; null while somebody may.
 */
export function lostFor({ replies: { posterior } }: Pick<Context, "replies">) {
  const { lost: text, saved_by: card } = (!posterior?.stale && !posterior?.fault && posterior?.value) || {};
  return text ? { text, saved: Boolean(card) } : null;
}

/** Who took the last turn that was noted on this table. */
function lastActor(past: readonly Past[]) {
  for (const { turn } of [...past].reverse()) {
    if (turn?.want === "table") return null;
    if (turn?.want === "outcome" || (turn?.want === "use" && TURNS.includes(turn.options.card ?? "")))
      return turn.options.actor ?? null;
  }
  return null;
}

/** Whether a player has a wire that is not cut. */
function isIn(position: Position, player: number) {
  return position.stands.some(
    (stand, i) => ownerOf(position, i) === player && stand.slots.some((slot) => slot.state !== "cut"),
  );
}

/** The players who still lay a first token, in their order; no one once a wire is cut. */
export function tokensDue({
  position,
  view,
  replies,
}: Pick<Context, "position" | "view" | "replies">): number[] {
  const lay = ruling(replies)?.tokens ?? [];
  if (position.sealed || view.noTokens || nextOpen(position) || !lay.length) return [];
  if (anyCut(position)) return [];
  return playersOf(position).filter(
    (player) => tokensLaid(position, player, lay[player]?.[0]) < (lay[player]?.length ?? 0),
  );
}

/** How many first tokens of a kind a player has laid, on wires or next to the stand. */
function tokensLaid(position: Position, player: number, kind: string | undefined) {
  const own = position.stands.filter((_, i) => ownerOf(position, i) === player);
  const slots = own.flatMap((stand) => stand.slots);
  const absent = own[0].facts.filter((f) => f.kind === "lacks" && f.value !== "RED").length;
  if (kind === "absent") return absent;
  if (kind === "false") return slots.filter((slot) => slot.tokens.some((t) => t.startsWith("not:"))).length;
  const lie = slots.filter((slot) => slot.state === "info" || slot.tokens.some((t) => FIRST.test(t)));
  return lie.length + (kind === "random" ? absent : 0);
}

/** What is said of stands, as a step of the log; `none`: no longer. */
export type Said = { kind: Fact["kind"] | "none"; value: string };

export function state(context: Context, stands: number[], fact: Said, label: string) {
  const position = stated(context.position, stands, fact);
  put(context, { position, label, turn: { want: "fact", stands, fact } }, { at: null });
}

function stated(position: Position, stands: number[], { kind, value }: Said) {
  return stands.reduce((table, i) => {
    const others = table.stands[i].facts.filter((f) => f.value !== value);
    const facts = kind === "none" ? others : [...others, { kind, value }];
    return withStand(table, i, { ...table.stands[i], facts });
  }, position);
}

/** The table with a first token on a slot, and that it was chosen by the agreed rule. */
export function laid(position: Position, place: Place, slot: Slot, chosen: boolean): Position {
  const next = withSlot(position, place, slot);
  const token = chosen ? shownAt(place, slot) : null;
  const others = position.agreed.filter(({ stand }) => stand !== place[0]);
  return token ? { ...next, agreed: [...others, token] } : next;
}

/** What a first token says; null for one that no rule lays. */
function shownAt([stand, slot]: Place, { state, wire, tokens }: Slot) {
  const shows = state === "info" ? wire : tokens.find((t) => FIRST.test(t));
  return shows && !/^[YR]/.test(shows) ? { stand, slot, shows } : null;
}

/** The first tokens as they were laid: by the log, or as they lie while no wire is cut. */
export function firstTokens({ position, past }: Pick<Context, "position" | "past">): Position["agreed"] {
  const steps = logOf({ past }).filter(({ turn }) => turn?.want === "token");
  const noted = steps.flatMap(({ turn, position: then }) => {
    const [i, j] = (turn as Extract<Made, { want: "token" }>).place;
    return shownAt([i, j], then.stands[i].slots[j]) ?? [];
  });
  if (noted.length || anyCut(position)) return noted;
  return position.stands.flatMap(({ slots }, i) => {
    const tokens = slots.flatMap((slot, j) => shownAt([i, j], slot) ?? []);
    return tokens.length === 1 ? tokens : [];
  });
}

/** The turns, cards and tokens since the table was laid out. */
export function logOf({ past }: Pick<Context, "past">): Past[] {
  const begin = past.findLastIndex(({ turn }) => turn?.want === "table");
  return past.slice(Math.max(1, begin + 1)).filter(({ turn }) => turn);
}

/** The correction that is under way, if the table is still the one from which it goes on. */
export function correctionOf({ view, past }: Pick<Context, "view" | "past">) {
  return view.correcting && past.at(-1)?.id === view.correcting.from ? view.correcting : null;
}

/** Back to the table before a step, to tell it anew; what followed it is kept to be made again. */
export function correct(context: Context, step: Past) {
  const { past } = context;
  const i = past.indexOf(step);
  const steps = past.slice(i).map(({ label, position, turn }) => ({ label, position, turn }));
  context.follow(past[i - 1].id, [], {
    correcting: {
      from: past[i - 1].id,
      back: past[past.length - 1].id,
      steps,
      left: [],
      first: null,
      stuck: "",
    },
    along: null,
    ...entryOf(step.turn),
  });
}

/** The pad as it was when the turn was entered, but for the last entry. */
function entryOf(made: Made | undefined): Partial<View> {
  if (made?.want === "token") return { at: made.place, turn: null, actor: null };
  if (made?.want !== "outcome") return { at: null, turn: null, actor: null };
  const { action = "dual", actor = null, stand = 0, slots = [], success } = made.options;
  const device = action === "solo" || action === "reveal" || action === "together" ? "dual" : action;
  return {
    at: [stand, slots[0] ?? 0],
    actor,
    turn: { device, slots, values: [], failing: success === false, at: null },
  };
}

/** The table as it was before the correction began. */
export function giveUp(context: Context) {
  const { correcting } = context.view;
  if (correcting)
    context.follow(correcting.back, [], { correcting: null, at: null, turn: null, actor: null });
}

/**
 * A step is done: it follows the present one; in a correction it takes the place of the old one, and
 * what followed is made again.
 * @param view what goes with it
 */
export function put(
  context: Context,
  step: { position: Position; label: string; turn?: Made },
  view: Partial<View>,
) {
  const correcting = correctionOf(context);
  if (!correcting) return context.commit(step.position, step.label, { view, turn: step.turn });
  return again(context, { ...correcting, first: step }, view);
}

/** Every step of a correction once more; where one no longer fits, the page asks. */
async function again(context: Context, correcting: NonNullable<View["correcting"]>, view: Partial<View>) {
  const { first, steps, left } = correcting;
  if (!first) return;
  const done = [first];
  for (let i = 1; i < steps.length; i++) {
    if (left.includes(i)) continue;
    const table = done[done.length - 1].position as Position;
    try {
      done.push(await madeAgain(context, steps[i], steps[i - 1].position, table));
    } catch (fault) {
      const { message } = fault as FaultFacts;
      const stuck = words.noLongerFits(steps[i].label, message);
      context.set({ correcting: { ...correcting, stuck, stuckAt: i }, at: null, turn: null, along: null });
      return;
    }
  }
  context.follow(correcting.from, done, { ...view, correcting: null });
  context.say(words.corrected(done.length - 1));
}

/** Leave out the turn that no longer fits, and go on. */
export function leaveOut(context: Context) {
  const { correcting } = context.view;
  if (correcting?.stuckAt === undefined) return;
  const left = [...correcting.left, correcting.stuckAt];
  again(context, { ...correcting, left, stuck: "" }, { at: null, turn: null, along: null, actor: null });
}

/** A step made on another table: a turn as it was entered, anything else by what it changed. */
async function madeAgain(
  context: Context,
  { label, position, turn }: { label: string; position: Position; turn?: Made },
  before: Position,
  table: Position,
) {
  if (turn?.want === "token") {
    const [i, j] = turn.place;
    const chosen = position.agreed.some(({ stand }) => stand === i);
    return { label, turn, position: laid(table, [i, j], position.stands[i].slots[j], chosen) };
  }
  if (turn?.want === "fact") return { label, turn, position: stated(table, turn.stands, turn.fact) };
  if (turn?.want !== "outcome" && turn?.want !== "use")
    return { label, turn, position: whole(changed(before, position, table)) };
  const found = await context.ask({ want: turn.want, position: table, options: turn.options }).promise;
  return { label: found.text, turn: { ...turn, exploded: found.exploded }, position: tableAfter(found) };
}

/**
 * What changed between two values, on a third of the same shape.
 * @param before any: parts of positions
 * @returns any: as above
 */
export function changed(before: any, after: any, here: any): any {
  if (JSON.stringify(before) === JSON.stringify(after)) return here;
  const all = [before, after, here];
  if (all.every(Array.isArray)) {
    if (before.length !== after.length || here.length !== after.length) return after;
    return after.map((one: unknown, k: number) => changed(before[k], one, here[k]));
  }
  if (!all.every((v) => v !== null && typeof v === "object" && !Array.isArray(v))) return after;
  const parts = Object.keys({ ...here, ...after }).map((k) => [k, changed(before[k], after[k], here[k])]);
  return Object.fromEntries(parts);
}

/** The tables from which a turn is being computed. */
const computing: WeakSet<Position> = new WeakSet();

/** Compute a turn; null if one is being computed from this table, so that two quick presses add one step. */
export async function computeOnce<T>(position: Position, compute: () => Promise<T>): Promise<T | null> {
  if (computing.has(position)) return null;
  computing.add(position);
  try {
    return await compute();
  } finally {
    computing.delete(position);
  }
}

const MOST_TURNS = 60; // no game takes more

/** The partner whose turn it is in a practice game with partners; null while it is the viewer's. */
export function partnerDue({ position, view, past }: Pick<Context, "position" | "view" | "past">) {
  if (!position.sealed || !view.partners || nextOpen(position) || isLost({ position, past })) return null;
  const players = playersOf(position);
  const last = lastActor(past);
  const begun =
    last !== null ||
    position.stands.some(
      (s, i) => (s.owner ?? i) === position.viewer && s.slots.some((slot) => slot.state === "info"),
    );
  if (!begun) return null; // the viewer shows her first token
  const from = last === null ? players.length - 1 : players.indexOf(last);
  const next = players.map((_, k) => players[(from + 1 + k) % players.length]).find((p) => isIn(position, p));
  return next === undefined || next === position.viewer ? null : next;
}

/** All partners' turns up to the viewer's next one, each a step of the log. */
export async function playPartners(context: Context) {
  let { position } = context;
  let { past } = context;
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const actor = partnerDue({ position, view: context.view, past });
    if (actor === null) return;
    try {
      const request = { want: "partner", position, options: { actor } } as const;
      const found = await computeOnce(position, () => context.ask(request).promise);
      if (!found) return;
      position = tableAfter(found);
      const { exploded } = found;
      const turn: Made = found.made
        ? { want: "outcome", options: found.made, exploded }
        : { want: "use", options: { card: "skip", actor }, exploded };
      const label = `${found.text} ${words.partners.because(found.reason)}`;
      context.commit(position, label, { turn, view: { at: null, turn: null, chosen: "" } });
      context.say(label);
      past = [...past, { id: "", label, position, turn }];
    } catch (fault) {
      context.tell((fault as FaultFacts).message);
      return;
    }
  }
}
