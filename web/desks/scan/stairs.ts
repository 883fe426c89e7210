/** Stairs between floors: where they are, which floor they lead to, kept for every region. */

import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import type { Context, Stairs, View } from "./model.js";
import { floorOf } from "./model.js";
import { folded } from "./route.js";
import { words } from "./strings.js";
import { entry } from "./teleports.js";

export type Kept = Stairs & { region: number };

const MOST = 16;
const TICKS = 2; // of stairs that do not say
const FLOORS = [0, 1, 2, 3];
const END = "end "; // of a tool, before the number of stairs

/** Those that a player keeps for a region. */
export const stairsFor = (view: View, region?: number | null): Stairs[] =>
  (view.stairs ?? []).filter((one) => one.region === region).map(({ region: _, ...rest }) => rest);

/** The next position with these stairs, which are kept for its region. */
function have(context: Context, stairs: Stairs[], said: string) {
  const { position, view } = context;
  const { stairs: _, ...rest } = position;
  const { region } = position;
  const others = (view.stairs ?? []).filter((one) => one.region !== region);
  const kept = region == null ? {} : { stairs: [...others, ...stairs.map((one) => ({ ...one, region }))] };
  context.commit(stairs.length ? { ...rest, stairs } : rest, said, {
    view: { ...kept, chosen: "", routeWalk: null, tool: "stand" },
  });
}

/** Stairs at a tile of the floor that is shown, to the floor above it, or down from the highest. */
export function addStairs(context: Context, [x, y]: [number, number]) {
  const { stairs = [] } = context.position;
  const floor = floorOf(context.position);
  const one: Stairs = { at: [x, y, floor], to: [x, y, floor < 3 ? floor + 1 : floor - 1] };
  if (stairs.length < MOST) have(context, [...stairs, one], words.stair.added);
}

/** The stairs whose other end is the next tile pressed, null without. */
const waiting = (view: View) => (view.tool?.startsWith(END) ? Number(view.tool.slice(END.length)) : null);

/** Move the other end of the stairs that wait for it to a tile of the floor that is shown. */
export function moveEnd(context: Context, [x, y]: [number, number]) {
  const { position, view } = context;
  const { stairs = [] } = position;
  const i = waiting(view);
  if (i === null || !stairs[i]) return false;
  const to: Stairs["to"] = [x, y, floorOf(position)];
  if (`${to}` !== `${stairs[i].at}`)
    have(context, stairs.with(i, { ...stairs[i], to }), words.stair.changed(i));
  return true;
}

/** They count where the sign of the level is used. */
export function stairs(context: Context) {
  if (context.position.levels !== "use") return nothing;
  return folded(context, "flights", words.stair.title, () => {
    const { position, view } = context;
    const there = position.stairs ?? [];
    const waits = view.tool === "stairs";
    return html`<p class="quiet">${words.stair.how}</p>
      ${there.map((one, i) => row(context, there, one, i))}
      <div class="row wrap" data-edit>
        <button class="soft" aria-pressed=${waits} ?disabled=${there.length >= MOST} @click=${() => context.set({ tool: waits ? "stand" : "stairs" })}>${waits ? words.stair.press : words.stair.add}</button>
      </div>`;
  });
}

function row(context: Context, there: Stairs[], one: Stairs, i: number) {
  const change = (part: Partial<Stairs>) =>
    have(context, there.with(i, { ...one, ...part }), words.stair.changed(i));
  const [x, y] = one.to;
  const apart = x !== one.at[0] || y !== one.at[1];
  const options = Object.fromEntries(
    FLOORS.filter((level) => apart || level !== one.at[2]).map((level) => [
      String(level),
      words.floorName(level),
    ]),
  );
  const tool = `${END}${i}`;
  const chosen = context.view.tool === tool;
  const where = html`<span class="quiet">${words.place({ at: [one.at[0], one.at[1]] })}, ${words.floorName(one.at[2])}, ${words.stair.to}</span>
    ${choice({ label: words.stair.floor(i), options, value: String(one.to[2]), onChange: (level) => change({ to: [x, y, Number(level)] }) })}
    <button class="plain" aria-pressed=${chosen} @click=${() => context.set({ tool: chosen ? "stand" : tool })}>${words.stair.end}</button>`;
  return entry(words.stair, one, i, one.ticks ?? TICKS, where, change, () =>
    have(context, there.toSpliced(i, 1), words.stair.gone(i)),
  );
}
