/** A player's teleports: where each leads, what it takes and what it is called, kept for every region. */
import { html, nothing } from "../../vendor.js";
import { landingChoice } from "./landings.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./model.js").Teleport} Teleport */
/** @typedef {Teleport & {region: number}} Kept */

const MOST = 64;
const MOST_TICKS = 30; // to choose from; a position may say up to 100
const TICKS = 5; // of one that does not say

/** Those that a player keeps for a region. @param {import("./model.js").View} view @param {number | null} [region] @returns {Teleport[]} */
export const keptFor = (view, region) =>
  (view.teleports ?? []).filter((one) => one.region === region).map(({ region: _, ...rest }) => rest);

/** The next position with these teleports, which are kept for its region. @param {Context} context @param {Teleport[]} teleports @param {string} said */
function have(context, teleports, said) {
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

/** @param {Context} context @param {[number, number]} tile */
export function addTeleport(context, tile) {
  const there = context.position.teleports ?? [];
  if (there.length < MOST) have(context, [...there, { at: tile, ticks: TICKS }], words.teleport.added);
}

/** @param {Context} context */
export function teleports(context) {
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

/** @param {Context} context @param {Teleport[]} there @param {Teleport} one @param {number} i */
function row(context, there, one, i) {
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
 * @param {Pick<typeof words.teleport, "name" | "ticks" | "cost" | "remove">} said @param {{name?: string}} one @param {number} i
 * @param {number} now its ticks @param {unknown} where @param {(part: {name?: string, ticks?: number}) => void} change @param {() => void} remove
 */
export function entry(said, one, i, now, where, change, remove) {
  const numbers = [...new Set([...Array(MOST_TICKS + 1).keys(), now])];
  return html`<div class="row wrap teleport" data-edit>
    <input class="field" maxlength="40" aria-label=${said.name(i)} placeholder=${said.name(i)} .value=${one.name ?? ""}
      @change=${(/** @type {import("../../widgets/on.js").OnInput} */ e) => change({ name: e.target.value.trim() })}>
    <select class="field short" aria-label=${said.ticks(i)} .value=${String(now)} @change=${(/** @type {import("../../widgets/on.js").OnSelect} */ e) => change({ ticks: Number(e.target.value) })}>
      ${numbers.map((n) => html`<option value=${n} ?selected=${n === now}>${said.cost(n)}</option>`)}</select>
    ${where}
    <button class="plain" aria-label=${said.remove(i)} @click=${remove}>${words.remove}</button>
  </div>`;
}
