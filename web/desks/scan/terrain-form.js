/** How a player enters terrain: "I can't stand there" for a tile, collision files for all regions. */
import { html, nothing } from "../../vendor.js";
import { paint } from "./edits.js";
import { spotsOf } from "./model.js";
import { byId } from "./regions.js";
import { words } from "./strings.js";
import { blockedIn, collisionFiles } from "./terrain.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("./terrain.js").Blocked} Blocked */
/** @typedef {import("./terrain.js").KeptGround} KeptGround */

const MOST_SPOTS = 64; // with which the engine walks round walls

/** Plan without a tile from now on: one cannot stand there. @param {Context} context @param {number[]} tile */
function cannotStand(context, tile) {
  const { position, view } = context;
  const [x, y] = tile;
  if (position.region == null) {
    paint(context, [x, y, x, y], true);
    return;
  }
  const kept = [...(view.blocked ?? []), { region: position.region, at: [x, y] }];
  context.set({ blocked: kept, chosen: "", routeWalk: null });
  context.tell(words.terrain.blocked(tile));
}

/** The button for an advised tile; where stairs are planned with there is none. @param {Context} context @param {number[]} tile */
export function cannotStandButton(context, tile) {
  const { position } = context;
  if (position.stairs?.length || spotsOf(position).length > MOST_SPOTS || context.readOnly) return nothing;
  return html`<button class="soft" data-edit @click=${() => cannotStand(context, tile)}>${words.terrain.cannot}</button>`;
}

/** Which tiles are left out, and the way back. @param {Context} context */
export function blockedTiles(context) {
  const { position, view } = context;
  const blocked = blockedIn(view, position.region);
  if (!blocked.length) return nothing;
  const without = (/** @type {Blocked[]} */ gone) =>
    context.set({
      blocked: (view.blocked ?? []).filter((one) => !gone.includes(one)),
      chosen: "",
      routeWalk: null,
    });
  return html`<p class="quiet">${words.terrain.kept(blocked.length)}
    <button class="plain" data-edit @click=${() => without(blocked.slice(-1))}>${words.terrain.lastBack}</button>
    ${blocked.length > 1 ? html`<button class="plain" data-edit @click=${() => without(blocked)}>${words.terrain.allBack}</button>` : nothing}</p>`;
}

/** Cut a ground for every region whose files are all there, and keep it. Returns the regions. @param {Context} context @param {Map<string, () => Promise<string>>} files base64 by name */
export async function takeGrounds(context, files) {
  /** @type {KeptGround[]} */
  const made = [];
  for (const region of byId.keys()) {
    const names = collisionFiles(region);
    if (!names.every((name) => files.has(name))) continue;
    const collision = await Promise.all(
      names.map(async (name) => ({ name, data: (await files.get(name)?.()) ?? "" })),
    );
    const found = await context.ask({ want: "walls", position: { region }, options: { collision } }).promise;
    if (found.ground) made.push({ region, ground: found.ground });
  }
  const { region } = context.position;
  if (region != null && !made.some((one) => one.region === region))
    throw new Error(words.terrain.missing(collisionFiles(region)));
  const others = (context.view.grounds ?? []).filter((one) => !made.some((m) => m.region === one.region));
  context.set({ grounds: [...others, ...made], chosen: "", routeWalk: null });
  return made.map((one) => one.region);
}
