/** A player's teleports: where each leads, what it takes and what it is called, kept for every region. */
import { html, nothing } from "../../vendor.js";
import type { OnInput, OnSelect } from "../../widgets/on.js";
import { landingChoice } from "./landings.js";
import type { Context, Teleport, View } from "./model.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

export type Kept = Teleport & { region: number };

const MOST = 64;
const MOST_TICKS = 30; // to choose from; a position may say up to 100
const TICKS = 5; // of one that does not say

/** Those that a player keeps for a region. */
export const keptFor = (view: View, region?: number | null): Teleport[] =>
  (view.teleports ?? []).filter((one) => one.region === region).map(({ region: _, ...rest }) => rest);

/** The next position with these teleports, which are kept for its region. */
function have(context: Context, teleports: Teleport[], said: string) {
  const { position, view } = context;
  const { teleports: _, ...rest } = position;
  const { region } = position;
  const others = (view.teleports ?? []).filter((one) => one.region !== region);
  const kept =
    region == null ? {} : { teleports: [...others, ...teleports.map((one) => ({ ...one, region }))] };
  context.commit(teleports.length ? { ...rest, teleports } : rest, said, {
    view: { ...kept, chosen: "", routeWalk: null, tool: "stand" },
  });
}

export function addTeleport(context: Context, tile: [number, number]) {
  const there = context.position.teleports ?? [];
  if (there.length < MOST) have(context, [...there, { at: tile, ticks: TICKS }], words.teleport.added);
}

export function teleports(context: Context) {
  return folded(context, "ports", words.teleport.title, () => {
    const { position, view } = context;
    const there = position.teleports ?? [];
    const mine = there.length ? [] : keptFor(view, position.region);
    const waits = view.tool === "port";
    return html`<p class="quiet">${words.teleport.how}</p>
      ${there.map((one, i) => row(context, there, one, i))}
      <div class="row wrap" data-edit>
        ${there.length < MOST ? landingChoice(context, (one) => have(context, [...there, one], words.teleport.added)) : nothing}
        <button class="soft" aria-pressed=${waits} ?disabled=${there.length >= MOST} @click=${() => context.set({ tool: waits ? "stand" : "port" })}>${waits ? words.teleport.press : words.teleport.add}</button>
        ${mine.length ? html`<button class="plain" @click=${() => have(context, mine, words.teleport.added)}>${words.teleport.mine(mine.length)}</button>` : nothing}
      </div>`;
  });
}

function row(context: Context, there: Teleport[], one: Teleport, i: number) {
  return entry(
    words.teleport,
    one,
    i,
    one.ticks ?? TICKS,
    html`<span class="quiet">${words.place({ at: one.at })}</span>`,
    (part) => have(context, there.with(i, { ...one, ...part }), words.teleport.changed(i)),
    () => have(context, there.toSpliced(i, 1), words.teleport.gone(i)),
  );
}

/**
 * One way to another place in a list of them: its name, its ticks, where it leads.
 * @param now its ticks
 */
export function entry(
  said: Pick<typeof words.teleport, "name" | "ticks" | "cost" | "remove">,
  one: { name?: string },
  i: number,
  now: number,
  where: unknown,
  change: (part: { name?: string; ticks?: number }) => void,
  remove: () => void,
) {
  const numbers = [...new Set([...Array(MOST_TICKS + 1).keys(), now])];
  return html`<div class="row wrap teleport" data-edit>
    <input class="field" maxlength="40" aria-label=${said.name(i)} placeholder=${said.name(i)} .value=${one.name ?? ""}
      @change=${(e: OnInput) => change({ name: e.target.value.trim() })}>
    <select class="field short" aria-label=${said.ticks(i)} .value=${String(now)} @change=${(e: OnSelect) => change({ ticks: Number(e.target.value) })}>
      ${numbers.map((n) => html`<option value=${n} ?selected=${n === now}>${said.cost(n)}</option>`)}</select>
    ${where}
    <button class="plain" aria-label=${said.remove(i)} @click=${remove}>${words.remove}</button>
  </div>`;
}
