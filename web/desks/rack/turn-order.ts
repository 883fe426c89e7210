/**
 * The course of a game: whose turn it is, first tokens, the end, steps of the log and their correction, and
 * the turns of partners in a practice game.
 */

import type { FaultFacts } from "../desk.js";
import type { Context, Fact, Made, Place, Position, Slot, View } from "./model.js";
import {
  anyCut,
  areAllCut,
  completePosition,
  currentPosterior,
  NO_ENTRY,
  newestPosterior,
  nextUnknown,
  placesOn,
  playersOf,
  slotsOf,
  standOfPlayer,
  tableAfter,
  withSlot,
  withStand,
} from "./model.js";
import { words } from "./strings.js";

type Past = Context["past"][number];
type Step = Pick<Past, "label" | "position" | "turn">;
type Game = Pick<Context, "position" | "past">;

/** A turn that is entered again, and the steps after it. */
export interface Correction {
  /** id of the step before it */
  from: string;
  /** id of the step where the correction began */
  back: string;
  /** the steps as they were, the one to be entered again first */
  steps: Step[];
  /** steps that are left out, by index */
  left: number[];
  /** the first step as it is entered now */
  first: Step | null;
  /** why a step no longer fits, and its index */
  stuck: string;
  stuckAt?: number;
}

/** Turns that can be corrected, from the last one back. */
export const MAX_CORRECTED = 5;

const FIRST_TOKEN = /^(?:even|odd|x[123])$/; // tokens without a number that are laid before the first cut
const TURN_CARDS = ["skip", "9.9"]; // moves other than cuts that are a player's turn

/** The player whose turn it is: the next one with wires after the last turn; the captain at first. */
export function nextActor({ position, past }: Game): number | null {
  const last = lastActor(past);
  if (position.sealed || (last === null && anyCut(position))) return position.viewer;
  return nextPlayer(position, last) ?? last ?? position.viewer;
}

/** The next player with an uncut wire after a player, or after null from the captain on. */
function nextPlayer(position: Position, last: number | null) {
  const players = playersOf(position);
  const from = last === null ? 0 : players.indexOf(last) + 1;
  const order = [...players.slice(from), ...players.slice(0, from)];
  return order.find((player) => slotsOf(position, player).some(({ state }) => state !== "cut"));
}

/** Who took the last turn on this table. */
function lastActor(past: readonly Past[]) {
  for (const { turn } of past.toReversed()) {
    if (turn?.want === "table") return null;
    if (turn?.want === "outcome" || (turn?.want === "use" && TURN_CARDS.includes(turn.options.card ?? "")))
      return turn.options.actor ?? null;
  }
  return null;
}

/** The last step, if the bomb went off by it. */
function explosion(past: readonly Past[]) {
  const last = past.at(-1);
  return last?.turn && "exploded" in last.turn && last.turn.exploded ? last : null;
}

/** Whether the bomb has gone off, by the last turn or by the dial. */
export const isLost = ({ position, past }: Game) => position.detonator === 0 || explosion(past) !== null;

/** Whether every wire on the table is cut. */
export const isDefused = (position: Position) => areAllCut(slotsOf(position));

/** Whether all of the viewer's wires are cut. */
export const isDone = (position: Position) => areAllCut(slotsOf(position, position.viewer));

/** Whether no turn follows, as far as the entries show it. */
export const isOver = (game: Game) => isLost(game) || isDefused(game.position);

/** Why no player can ever cut again, and whether a card may still help; null while one may. */
export function lostFor({ replies }: Pick<Context, "replies">) {
  const { lost, saved_by: card } = currentPosterior(replies) ?? {};
  return lost ? { text: lost, saved: Boolean(card) } : null;
}

/** How the game has ended, and by what; null while it goes on or a card may still save it. */
export function endOf({ position, past, replies }: Game & Pick<Context, "replies">) {
  const lose = (reason: string) => ({ won: false, title: words.gameLost, reason });
  if (isLost({ position, past })) return lose(explosion(past)?.label ?? words.ranOut);
  const stuck = lostFor({ replies });
  if (stuck && !stuck.saved) return lose(stuck.text);
  return isDefused(position) ? { won: true, title: words.gameWon, reason: words.defused } : null;
}

export type End = NonNullable<ReturnType<typeof endOf>>;

/** The players who still lay a first token, in order; none once a wire is cut. */
export function tokensDue({ position, view, replies }: Pick<Context, "position" | "view" | "replies">) {
  if (position.sealed || view.noTokens || nextUnknown(position) || anyCut(position)) return [];
  return playersWithoutTokens({ position, replies });
}

/** The players who have not laid all their first tokens, in order. */
function playersWithoutTokens({ position, replies }: Pick<Context, "position" | "replies">) {
  const kinds = newestPosterior(replies)?.tokens ?? [];
  return playersOf(position).filter(
    (player) => countFirstTokens(position, player, kinds[player]?.[0]) < (kinds[player]?.length ?? 0),
  );
}

/** The first tokens of a kind that a player has laid, on wires or next to the stand. */
function countFirstTokens(position: Position, player: number, kind: string | undefined) {
  const slots = slotsOf(position, player);
  const { facts } = position.stands[standOfPlayer(position, player)];
  const absent = facts.filter((f) => f.kind === "lacks" && f.value !== "RED").length;
  if (kind === "absent") return absent;
  if (kind === "false") return slots.filter((slot) => slot.tokens.some((t) => t.startsWith("not:"))).length;
  const onWires = slots.filter(
    (slot) => slot.state === "info" || slot.tokens.some((t) => FIRST_TOKEN.test(t)),
  );
  return onWires.length + (kind === "random" ? absent : 0);
}

/** A fact about stands; `none` removes what is known of the value. */
export type StatedFact = { kind: Fact["kind"] | "none"; value: string };

/** Add a fact about stands as a step. */
export function addFact(context: Context, stands: number[], fact: StatedFact, label: string) {
  const position = withFact(context.position, stands, fact);
  addStep(context, { position, label, turn: { want: "fact", stands, fact } }, { at: null });
}

function withFact(position: Position, stands: number[], { kind, value }: StatedFact) {
  return stands.reduce((table, i) => {
    const others = table.stands[i].facts.filter((f) => f.value !== value);
    const facts = kind === "none" ? others : [...others, { kind, value }];
    return withStand(table, i, { ...table.stands[i], facts });
  }, position);
}

/** The table with a first token on a slot. @param agreed it was chosen by the convention */
export function withFirstToken(position: Position, place: Place, slot: Slot, agreed: boolean): Position {
  const next = withSlot(position, place, slot);
  const token = agreed ? firstTokenAt(place, slot) : null;
  const others = position.agreed.filter(({ stand }) => stand !== place[0]);
  return token ? { ...next, agreed: [...others, token] } : next;
}

/** What a first token shows; null for one that the convention never lays. */
function firstTokenAt([stand, slot]: Place, { state, wire, tokens }: Slot) {
  const shows = state === "info" ? wire : tokens.find((t) => FIRST_TOKEN.test(t));
  return shows && !/^[YR]/.test(shows) ? { stand, slot, shows } : null;
}

/** The first tokens in the order of the log; without a log, as they lie while no wire is cut. */
export function firstTokens({ position, past }: Game): Position["agreed"] {
  const logged = loggedSteps({ past }).flatMap(({ turn, position: { stands } }) => {
    if (turn?.want !== "token") return [];
    const [i, j] = turn.place;
    return firstTokenAt(turn.place, stands[i].slots[j]) ?? [];
  });
  if (logged.length || anyCut(position)) return logged;
  const found = placesOn(position).flatMap(
    ([i, j]) => firstTokenAt([i, j], position.stands[i].slots[j]) ?? [],
  );
  return found.filter((one) => found.filter(({ stand }) => stand === one.stand).length === 1);
}

/** The turns, cards and tokens since the table was laid out. */
export function loggedSteps({ past }: Pick<Context, "past">): Past[] {
  const start = past.findLastIndex(({ turn }) => turn?.want === "table");
  return past.slice(Math.max(1, start + 1)).filter(({ turn }) => turn);
}

/** The correction that is under way, if the table is still the one where it goes on. */
export function correctionOf({ view, past }: Pick<Context, "view" | "past">) {
  return view.correcting && past.at(-1)?.id === view.correcting.from ? view.correcting : null;
}

/** Go back to the table before a step to enter it again; the steps after it are kept to be replayed. */
export function startCorrection(context: Context, step: Past) {
  const { past } = context;
  const i = past.indexOf(step);
  const from = past[i - 1].id;
  const steps = past.slice(i).map(({ label, position, turn }) => ({ label, position, turn }));
  const correcting = { from, back: past[past.length - 1].id, steps, left: [], first: null, stuck: "" };
  context.follow(from, [], { ...NO_ENTRY, ...entryOf(step.turn), correcting });
}

/** The pad as it was when the turn was entered, before the last key. */
function entryOf(made: Made | undefined): Partial<View> {
  if (made?.want === "token") return { at: made.place };
  if (made?.want !== "outcome") return {};
  const { action = "dual", actor = null, stand = 0, slots = [], success } = made.options;
  const device = action === "solo" || action === "reveal" || action === "together" ? "dual" : action;
  return { at: [stand, slots[0] ?? 0], actor, turn: { device, slots, failing: success === false } };
}

/** Go back to the table where the correction began. */
export function cancelCorrection(context: Context) {
  const { correcting } = context.view;
  if (correcting) context.follow(correcting.back, [], { ...NO_ENTRY, correcting: null });
}

/** Add a step; in a correction it takes the place of the old one, and the steps after that are replayed. */
export function addStep(context: Context, step: Step, view: Partial<View>) {
  const correction = correctionOf(context);
  if (!correction) return context.commit(step.position, step.label, { view, turn: step.turn });
  return replay(context, { ...correction, first: step }, view);
}

/** Replay the steps of a correction; where one no longer fits, the page asks. */
async function replay(context: Context, correction: Correction, view: Partial<View>) {
  const { first, steps, left, from } = correction;
  if (!first) return;
  const done = [first];
  for (let i = 1; i < steps.length; i++) {
    if (left.includes(i)) continue;
    try {
      done.push(await replayStep(context, steps[i], steps[i - 1].position, done[done.length - 1].position));
    } catch (fault) {
      const stuck = words.noLongerFits(steps[i].label, (fault as FaultFacts).message);
      context.set({ ...NO_ENTRY, correcting: { ...correction, stuck, stuckAt: i } });
      return;
    }
  }
  context.follow(from, done, { ...view, correcting: null });
  context.announce(words.corrected(done.length - 1));
}

/** Leave out the step that no longer fits, and go on. */
export function skipStuckStep(context: Context) {
  const { correcting } = context.view;
  if (correcting?.stuckAt === undefined) return;
  const left = [...correcting.left, correcting.stuckAt];
  replay(context, { ...correcting, left, stuck: "" }, NO_ENTRY);
}

/** The step made on another table: a turn by its options, any other by what it changed. */
async function replayStep(context: Context, step: Step, before: Position, table: Position): Promise<Step> {
  const { label, position, turn } = step;
  if (turn?.want === "token") {
    const [i, j] = turn.place;
    const agreed = position.agreed.some(({ stand }) => stand === i);
    return { label, turn, position: withFirstToken(table, [i, j], position.stands[i].slots[j], agreed) };
  }
  if (turn?.want === "fact") return { label, turn, position: withFact(table, turn.stands, turn.fact) };
  if (turn?.want !== "outcome" && turn?.want !== "use")
    return { label, turn, position: completePosition(applyChange(before, position, table)) };
  const found = await context.ask({ want: turn.want, position: table, options: turn.options }).promise;
  return { label: found.text, turn: { ...turn, exploded: found.exploded }, position: tableAfter(found) };
}

/**
 * Apply the difference between two values to a third one of the same shape.
 * @param before any: parts of positions
 * @returns any: as above
 */
export function applyChange(before: any, after: any, here: any): any {
  if (JSON.stringify(before) === JSON.stringify(after)) return here;
  const all = [before, after, here];
  if (all.every(Array.isArray)) {
    if (before.length !== after.length || here.length !== after.length) return after;
    return after.map((one: unknown, k: number) => applyChange(before[k], one, here[k]));
  }
  if (!all.every((v) => v !== null && typeof v === "object" && !Array.isArray(v))) return after;
  const keys = Object.keys({ ...here, ...after });
  return Object.fromEntries(keys.map((k) => [k, applyChange(before[k], after[k], here[k])]));
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

const MAX_PARTNER_TURNS = 60; // no game takes more

/**
 * The partner who acts next in a practice game with partners: an own first token, then turns; null while it
 * is the viewer's turn.
 */
export function partnerDue({ position, view, past, replies }: Game & Pick<Context, "view" | "replies">) {
  if (!position.sealed || !view.partners || nextUnknown(position) || isLost({ position, past })) return null;
  const last = lastActor(past);
  if (last === null && !anyCut(position)) {
    const owing = playersWithoutTokens({ position, replies });
    if (!newestPosterior(replies) || owing.some((player) => player === position.viewer)) return null;
    if (owing.length) return { actor: owing[0], token: true };
  }
  const actor = nextPlayer(position, last);
  return actor === undefined || actor === position.viewer ? null : { actor, token: false };
}

/** Play the partners' turns up to the viewer's next one, each as a step. */
export async function playPartners(context: Context) {
  let { position, past } = context;
  for (let turns = 0; turns < MAX_PARTNER_TURNS; turns++) {
    const due = partnerDue({ position, view: context.view, past, replies: context.replies });
    if (due === null) return;
    const { actor } = due;
    try {
      const request = { want: "partner", position, options: due } as const;
      const found = await computeOnce(position, () => context.ask(request).promise);
      if (!found) return;
      position = tableAfter(found);
      const { exploded } = found;
      const turn: Made = found.place
        ? { want: "token", place: found.place }
        : found.made
          ? { want: "outcome", options: found.made, exploded }
          : { want: "use", options: { card: "skip", actor }, exploded };
      const label = `${found.text} ${words.partners.because(found.reason)}`;
      context.commit(position, label, { turn, view: { at: null, turn: null, chosen: "" } });
      context.announce(label);
      past = [...past, { id: "", label, position, turn }];
    } catch (fault) {
      context.notify((fault as FaultFacts).message);
      return;
    }
  }
}
