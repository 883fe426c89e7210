/**
 * Teleports and stairs: those of the player, kept for every region, and where teleports land in a region, also
 * as landmarks for directions in a player's words.
 */

import { html, nothing } from "../../vendor.js";
import { compassPoint, stepsBetween } from "../../widgets/map/geometry.js";
import type { OnInput, OnSelect } from "../../widgets/on.js";
import { choice } from "../../widgets/panel.js";
import type { Context, Stairs, Teleport, Tile, View } from "./model.js";
import { floorOf } from "./model.js";
import type { Landing } from "./regions.js";
import { landingsIn } from "./regions.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

type Kinds = { teleports: Teleport; stairs: Stairs };
/** one of a kind, kept for a region */
export type Kept<K extends keyof Kinds> = Kinds[K] & { region: number };

const MOST = { teleports: 64, stairs: 16 };
const MOST_TICKS = 30; // to choose from; a position may say up to 100
const TICKS = { teleports: 5, stairs: 2 }; // of one that does not say
const FLOORS = [0, 1, 2, 3];
const END = "end "; // of a tool, before the number of stairs

/** Those that a player keeps for a region. */
export function keptFor<K extends keyof Kinds>(kind: K, view: View, region?: number | null): Kinds[K][] {
  const all = (view[kind] ?? []) as Kept<K>[];
  return all
    .filter((one) => one.region === region)
    .map(({ region: _, ...rest }) => rest as unknown as Kinds[K]);
}

/** The next position with these teleports or stairs, which are kept for its region. */
function have<K extends keyof Kinds>(context: Context, kind: K, some: Kinds[K][], said: string) {
  const { position, view } = context;
  const { [kind]: _, ...rest } = position;
  const { region } = position;
  const others = ((view[kind] ?? []) as Kept<K>[]).filter((one) => one.region !== region);
  const kept = region == null ? {} : { [kind]: [...others, ...some.map((one) => ({ ...one, region }))] };
  context.commit(some.length ? { ...rest, [kind]: some } : rest, said, {
    view: { ...kept, chosen: "", routeWalk: null, tool: "stand" },
  });
}

export function addTeleport(context: Context, tile: [number, number]) {
  const there = context.position.teleports ?? [];
  if (there.length < MOST.teleports)
    have(context, "teleports", [...there, { at: tile, ticks: TICKS.teleports }], words.teleport.added);
}

export function teleports(context: Context) {
  return folded(context, "ports", words.teleport.title, () => {
    const { position, view } = context;
    const there = position.teleports ?? [];
    const mine = there.length ? [] : keptFor("teleports", view, position.region);
    const add = (some: Teleport[]) => have(context, "teleports", [...there, ...some], words.teleport.added);
    return html`<p class="quiet">${words.teleport.how}</p>
      ${there.map((one, i) => teleportRow(context, there, one, i))}
      <div class="row wrap" data-edit>
        ${there.length < MOST.teleports ? landingChoice(context, (one) => add([one])) : nothing}
        ${addButton(context, "port", there.length >= MOST.teleports, words.teleport)}
        ${mine.length ? html`<button class="plain" @click=${() => add(mine)}>${words.teleport.mine(mine.length)}</button>` : nothing}
      </div>`;
  });
}

/** The button after which a press on the map adds one. */
function addButton(context: Context, tool: string, full: boolean, said: { press: string; add: string }) {
  const waits = context.view.tool === tool;
  return html`<button class="soft" aria-pressed=${waits} ?disabled=${full} @click=${() => context.set({ tool: waits ? "stand" : tool })}>${waits ? said.press : said.add}</button>`;
}

function teleportRow(context: Context, there: Teleport[], one: Teleport, i: number) {
  const where = html`<span class="quiet">${words.place({ at: one.at })}</span>`;
  return entry(context, "teleports", there, i, where, words.teleport);
}

/**
 * One way to another place in a list of them: its name, its ticks, where it leads.
 */
function entry<K extends keyof Kinds>(
  context: Context,
  kind: K,
  there: Kinds[K][],
  i: number,
  where: unknown,
  said: Pick<typeof words.teleport, "name" | "ticks" | "cost" | "remove" | "changed" | "gone">,
) {
  const one = there[i];
  const now = one.ticks ?? TICKS[kind];
  const numbers = [...new Set([...Array(MOST_TICKS + 1).keys(), now])];
  const change = (part: { name?: string; ticks?: number }) =>
    have(context, kind, there.with(i, { ...one, ...part }), said.changed(i));
  return html`<div class="row wrap teleport" data-edit>
    <input class="field" maxlength="40" aria-label=${said.name(i)} placeholder=${said.name(i)} .value=${one.name ?? ""}
      @change=${(e: OnInput) => change({ name: e.target.value.trim() })}>
    <select class="field short" aria-label=${said.ticks(i)} .value=${String(now)} @change=${(e: OnSelect) => change({ ticks: Number(e.target.value) })}>
      ${numbers.map((n) => html`<option value=${n} ?selected=${n === now}>${said.cost(n)}</option>`)}</select>
    ${where}
    <button class="plain" aria-label=${said.remove(i)} @click=${() => have(context, kind, there.toSpliced(i, 1), said.gone(i))}>${words.remove}</button>
  </div>`;
}

/** Stairs at a tile of the floor that is shown, to the floor above it, or down from the highest. */
export function addStairs(context: Context, [x, y]: [number, number]) {
  const { stairs: there = [] } = context.position;
  const floor = floorOf(context.position);
  const one: Stairs = { at: [x, y, floor], to: [x, y, floor < 3 ? floor + 1 : floor - 1] };
  if (there.length < MOST.stairs) have(context, "stairs", [...there, one], words.stair.added);
}

/** The stairs whose other end is the next tile pressed, null without. */
const waiting = (view: View) => (view.tool?.startsWith(END) ? Number(view.tool.slice(END.length)) : null);

/** Move the other end of the stairs that wait for it to a tile of the floor that is shown. */
export function moveEnd(context: Context, [x, y]: [number, number]) {
  const { position, view } = context;
  const { stairs: there = [] } = position;
  const i = waiting(view);
  if (i === null || !there[i]) return false;
  const to: Stairs["to"] = [x, y, floorOf(position)];
  if (`${to}` !== `${there[i].at}`)
    have(context, "stairs", there.with(i, { ...there[i], to }), words.stair.changed(i));
  return true;
}

/** They count where the sign of the level is used. */
export function stairs(context: Context) {
  if (context.position.levels !== "use") return nothing;
  return folded(context, "flights", words.stair.title, () => {
    const there = context.position.stairs ?? [];
    return html`<p class="quiet">${words.stair.how}</p>
      ${there.map((one, i) => stairsRow(context, there, one, i))}
      <div class="row wrap" data-edit>${addButton(context, "stairs", there.length >= MOST.stairs, words.stair)}</div>`;
  });
}

function stairsRow(context: Context, there: Stairs[], one: Stairs, i: number) {
  const [x, y] = one.to;
  const lead = (level: string) =>
    have(context, "stairs", there.with(i, { ...one, to: [x, y, Number(level)] }), words.stair.changed(i));
  const apart = x !== one.at[0] || y !== one.at[1];
  const floors = FLOORS.filter((level) => apart || level !== one.at[2]);
  const options = Object.fromEntries(floors.map((level) => [String(level), words.floorName(level)]));
  const tool = `${END}${i}`;
  const chosen = context.view.tool === tool;
  const where = html`<span class="quiet">${words.place({ at: [one.at[0], one.at[1]] })}, ${words.floorName(one.at[2])}, ${words.stair.to}</span>
    ${choice({ label: words.stair.floor(i), options, value: String(one.to[2]), onChange: lead })}
    <button class="plain" aria-pressed=${chosen} @click=${() => context.set({ tool: chosen ? "stand" : tool })}>${words.stair.end}</button>`;
  return entry(context, "stairs", there, i, where, words.stair);
}

/* Where teleports land */

/** The landings of the region, those of the player's own teleports first. */
export function landingsOf({ position, view }: Context): Landing[] {
  const rows = position.region == null ? [] : landingsIn(position.region);
  const own = new Set((view.teleports ?? []).map((one) => one.name));
  return rows.sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)));
}

/** Where a landing is: with its floor only where stairs lead to others. */
export const tileOf = ({ position }: Context, { at }: Landing): [number, number] =>
  (position.stairs?.length ? at : at.slice(0, 2)) as number[] as [number, number];

/** A list to choose a teleport from. */
function landingChoice(context: Context, add: (one: { at: number[]; ticks: number; name: string }) => void) {
  const rows = landingsOf(context).filter((one) => one.anywhere);
  if (!rows.length) return nothing;
  return html`<select class="field" aria-label=${words.landing.add} .value=${""} @change=${(e: OnSelect) => {
    const one = rows[Number(e.target.value)];
    if (e.target.value && one)
      add({ at: tileOf(context, one), ticks: one.ticks, name: one.name.slice(0, 40) });
  }}><option value="">${words.landing.add}</option>
    ${rows.map((one, i) => html`<option value=${i}>${words.landing.row(one)}</option>`)}</select>`;
}

const NEAR = 20; // tiles, up to which a landmark says where a tile is

type Landmark = { name: string; at: number[] };

/**
 * The landings of the region without repetitions: of those within three tiles of each other the first.
 * Where several have the same name, the way there is named.
 */
export function landmarksOf(context: Context): Landmark[] {
  const kept: Landing[] = [];
  for (const landing of landingsOf(context))
    if (kept.every((one) => stepsBetween(one.at, landing.at) > 3)) kept.push(landing);
  const many = (name: string) => kept.filter((one) => one.name === name).length > 1;
  return kept.map(({ name, group, at }) => ({ name: many(name) ? `${name} (${group})` : name, at }));
}

/**
 * Where a tile is by the landmark nearest to it: "at", "before" or "past" one on the way, else a
 * distance from it; "" without one within NEAR tiles.
 */
export function nearestLandmark(context: Context, from: Tile, to: Tile): string {
  const near = landmarksOf(context)
    .map((one) => ({ ...one, steps: stepsBetween(one.at, to) }))
    .filter(({ steps }) => steps <= NEAR)
    .toSorted((a, b) => a.steps - b.steps)[0];
  if (!near) return "";
  const [wayX, wayY] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(wayX, wayY);
  const [x, y] = [near.at[0] - to[0], near.at[1] - to[1]];
  const along = length ? (x * wayX + y * wayY) / length : 0; // > 0: beyond the tile
  const across = length ? Math.abs(x * wayY - y * wayX) / length : Number.POSITIVE_INFINITY;
  const alongside = across <= 5 && Math.abs(along) > 2 && along > -length; // not where the way begins, or behind
  const where = near.steps <= 2 ? "at" : alongside ? (along < 0 ? "past" : "before") : "from";
  return words.landmark(near.name, where, near.steps, compassPoint(near.at, to));
}
