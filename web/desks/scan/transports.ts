/**
 * The player's teleports and stairs, saved for each region, and the landings of teleports in a region, which
 * are also landmarks in directions.
 */

import { html, nothing } from "../../vendor.js";
import { compassPoint, stepsBetween } from "../../widgets/map/geometry.js";
import type { OnInput } from "../../widgets/on.js";
import { choice, select } from "../../widgets/panel.js";
import type { Context, Stairs, Teleport, Tile, View } from "./model.js";
import { floorOf } from "./model.js";
import type { Landing } from "./regions.js";
import { landingsIn } from "./regions.js";
import { foldPanel } from "./route.js";
import { words } from "./strings.js";

type Kinds = { teleports: Teleport; stairs: Stairs };
/** a teleport or stairs, saved for a region */
export type Saved<K extends keyof Kinds> = Kinds[K] & { region: number };

const MAX_COUNT = { teleports: 64, stairs: 16 };
const MAX_TICKS = 30; // in the list; positions may contain up to 100
const TICKS = { teleports: 5, stairs: 2 }; // by default
const FLOORS = [0, 1, 2, 3];
const END = "end "; // prefix of the tool that moves an end of stairs; their index follows

/** The saved teleports or stairs of a region. */
export function savedFor<K extends keyof Kinds>(kind: K, view: View, region?: number | null): Kinds[K][] {
  const all = (view[kind] ?? []) as Saved<K>[];
  return all
    .filter((one) => one.region === region)
    .map(({ region: _, ...rest }) => rest as unknown as Kinds[K]);
}

/** Commit a position with these teleports or stairs, and save them for its region. */
function setTransports<K extends keyof Kinds>(context: Context, kind: K, some: Kinds[K][], step: string) {
  const { position, view } = context;
  const { [kind]: _, ...rest } = position;
  const { region } = position;
  const others = ((view[kind] ?? []) as Saved<K>[]).filter((one) => one.region !== region);
  const saved = region == null ? {} : { [kind]: [...others, ...some.map((one) => ({ ...one, region }))] };
  context.commit(some.length ? { ...rest, [kind]: some } : rest, step, {
    view: { ...saved, chosen: "", routeWalk: null, tool: "stand" },
  });
}

export function addTeleport(context: Context, tile: [number, number]) {
  const there = context.position.teleports ?? [];
  if (there.length < MAX_COUNT.teleports)
    setTransports(
      context,
      "teleports",
      [...there, { at: tile, ticks: TICKS.teleports }],
      words.teleport.added,
    );
}

/** The panel of teleports. */
export function teleports(context: Context) {
  return foldPanel(context, "ports", words.teleport.title, () => {
    const { position, view } = context;
    const there = position.teleports ?? [];
    const mine = there.length ? [] : savedFor("teleports", view, position.region);
    const add = (some: Teleport[]) =>
      setTransports(context, "teleports", [...there, ...some], words.teleport.added);
    return html`<p class="quiet">${words.teleport.how}</p>
      ${there.map((one, i) => teleportRow(context, there, one, i))}
      <div class="row wrap" data-edit>
        ${there.length < MAX_COUNT.teleports ? landingChoice(context, (one) => add([one])) : nothing}
        ${addButton(context, "port", there.length >= MAX_COUNT.teleports, words.teleport)}
        ${mine.length ? html`<button class="plain" @click=${() => add(mine)}>${words.teleport.mine(mine.length)}</button>` : nothing}
      </div>`;
  });
}

/** The button of the tool that adds one at the next tile pressed. */
function addButton(context: Context, tool: string, full: boolean, texts: { press: string; add: string }) {
  const waits = context.view.tool === tool;
  return html`<button class="soft" aria-pressed=${waits} ?disabled=${full} @click=${() => context.set({ tool: waits ? "stand" : tool })}>${waits ? texts.press : texts.add}</button>`;
}

function teleportRow(context: Context, there: Teleport[], one: Teleport, i: number) {
  const where = html`<span class="quiet">${words.place({ at: one.at })}</span>`;
  return transportRow(context, "teleports", there, i, where, words.teleport);
}

/** A row of the list: name, ticks, destination, and a button to remove it. */
function transportRow<K extends keyof Kinds>(
  context: Context,
  kind: K,
  there: Kinds[K][],
  i: number,
  where: unknown,
  texts: Pick<typeof words.teleport, "name" | "ticks" | "cost" | "remove" | "changed" | "gone">,
) {
  const one = there[i];
  const now = one.ticks ?? TICKS[kind];
  const numbers = [...new Set([...Array(MAX_TICKS + 1).keys(), now])];
  const costs = numbers.map((n): [number, string] => [n, texts.cost(n)]);
  const change = (part: { name?: string; ticks?: number }) =>
    setTransports(context, kind, there.with(i, { ...one, ...part }), texts.changed(i));
  return html`<div class="row wrap teleport" data-edit>
    <input class="field" maxlength="40" aria-label=${texts.name(i)} placeholder=${texts.name(i)} .value=${one.name ?? ""}
      @change=${(e: OnInput) => change({ name: e.target.value.trim() })}>
    ${select(costs, now, (ticks) => change({ ticks }), { label: texts.ticks(i), kind: "short" })}
    ${where}
    <button class="plain" aria-label=${texts.remove(i)} @click=${() => setTransports(context, kind, there.toSpliced(i, 1), texts.gone(i))}>${words.remove}</button>
  </div>`;
}

/** Add stairs at a tile of the current floor, to the floor above; from the highest to the one below. */
export function addStairs(context: Context, [x, y]: [number, number]) {
  const { stairs: there = [] } = context.position;
  const floor = floorOf(context.position);
  const one: Stairs = { at: [x, y, floor], to: [x, y, floor < 3 ? floor + 1 : floor - 1] };
  if (there.length < MAX_COUNT.stairs) setTransports(context, "stairs", [...there, one], words.stair.added);
}

/** The index of the stairs whose other end is the next tile pressed, else null. */
const movedStairs = (view: View) => (view.tool?.startsWith(END) ? Number(view.tool.slice(END.length)) : null);

/** Move the other end of the selected stairs to a tile of the current floor; returns whether any are selected. */
export function moveEnd(context: Context, [x, y]: [number, number]) {
  const { position, view } = context;
  const { stairs: there = [] } = position;
  const i = movedStairs(view);
  if (i === null || !there[i]) return false;
  const to: Stairs["to"] = [x, y, floorOf(position)];
  if (`${to}` !== `${there[i].at}`)
    setTransports(context, "stairs", there.with(i, { ...there[i], to }), words.stair.changed(i));
  return true;
}

/** The panel of stairs; they count only if the level sign does. */
export function stairs(context: Context) {
  if (context.position.levels !== "use") return nothing;
  return foldPanel(context, "flights", words.stair.title, () => {
    const there = context.position.stairs ?? [];
    return html`<p class="quiet">${words.stair.how}</p>
      ${there.map((one, i) => stairsRow(context, there, one, i))}
      <div class="row wrap" data-edit>${addButton(context, "stairs", there.length >= MAX_COUNT.stairs, words.stair)}</div>`;
  });
}

function stairsRow(context: Context, there: Stairs[], one: Stairs, i: number) {
  const [x, y] = one.to;
  const lead = (level: string) =>
    setTransports(
      context,
      "stairs",
      there.with(i, { ...one, to: [x, y, Number(level)] }),
      words.stair.changed(i),
    );
  const elsewhere = x !== one.at[0] || y !== one.at[1];
  const floors = FLOORS.filter((level) => elsewhere || level !== one.at[2]);
  const options = Object.fromEntries(floors.map((level) => [String(level), words.floorName(level)]));
  const tool = `${END}${i}`;
  const chosen = context.view.tool === tool;
  const where = html`<span class="quiet">${words.place({ at: [one.at[0], one.at[1]] })}, ${words.floorName(one.at[2])}, ${words.stair.to}</span>
    ${choice({ label: words.stair.floor(i), options, value: String(one.to[2]), onChange: lead })}
    <button class="plain" aria-pressed=${chosen} @click=${() => context.set({ tool: chosen ? "stand" : tool })}>${words.stair.end}</button>`;
  return transportRow(context, "stairs", there, i, where, words.stair);
}

/* Landings of teleports */

/** The landings of the region, those of the player's own teleports first. */
export function landingsOf({ position, view }: Context): Landing[] {
  const rows = position.region == null ? [] : landingsIn(position.region);
  const own = new Set((view.teleports ?? []).map((one) => one.name));
  return rows.sort((a, b) => Number(own.has(b.name)) - Number(own.has(a.name)));
}

/** The tile of a landing, with its floor only if the position has stairs. */
export const tileOf = ({ position }: Context, { at }: Landing): [number, number] =>
  (position.stairs?.length ? at : at.slice(0, 2)) as number[] as [number, number];

/** The list of known teleports to add. */
function landingChoice(context: Context, add: (one: { at: number[]; ticks: number; name: string }) => void) {
  const rows = landingsOf(context).filter((one) => one.anywhere);
  if (!rows.length) return nothing;
  const label = words.landing.add;
  const options = rows.map((one, i): [number, string] => [i, words.landing.row(one)]);
  const onChange = (i: number) => {
    const one = rows[i];
    if (one) add({ at: tileOf(context, one), ticks: one.ticks, name: one.name.slice(0, 40) });
  };
  return select([[-1, label], ...options], -1, onChange, { label });
}

const MAX_LANDMARK_STEPS = 20; // from a tile that is described by a landmark

type Landmark = { name: string; at: number[] };

/**
 * The landings of the region, of those within three tiles of each other the first. Names that occur twice are
 * followed by their group.
 */
export function landmarksOf(context: Context): Landmark[] {
  const distinct: Landing[] = [];
  for (const landing of landingsOf(context))
    if (distinct.every((one) => stepsBetween(one.at, landing.at) > 3)) distinct.push(landing);
  const many = (name: string) => distinct.filter((one) => one.name === name).length > 1;
  return distinct.map(({ name, group, at }) => ({ name: many(name) ? `${name} (${group})` : name, at }));
}

/**
 * A tile by the landmark nearest to it: "at", "before" or "past" one on the path, else the distance from it; ""
 * without one within MAX_LANDMARK_STEPS.
 */
export function nearestLandmark(context: Context, from: Tile, to: Tile): string {
  const near = landmarksOf(context)
    .map((one) => ({ ...one, steps: stepsBetween(one.at, to) }))
    .filter(({ steps }) => steps <= MAX_LANDMARK_STEPS)
    .toSorted((a, b) => a.steps - b.steps)[0];
  if (!near) return "";
  const [wayX, wayY] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(wayX, wayY);
  const [x, y] = [near.at[0] - to[0], near.at[1] - to[1]];
  const along = length ? (x * wayX + y * wayY) / length : 0; // > 0: beyond the tile
  const across = length ? Math.abs(x * wayY - y * wayX) / length : Number.POSITIVE_INFINITY;
  const alongside = across <= 5 && Math.abs(along) > 2 && along > -length; // not at the start of the path or behind it
  const where = near.steps <= 2 ? "at" : alongside ? (along < 0 ? "past" : "before") : "from";
  return words.landmark(near.name, where, near.steps, compassPoint(near.at, to));
}
