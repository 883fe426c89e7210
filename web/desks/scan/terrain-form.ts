/** How a player enters terrain: "I can't stand there" for a tile, collision files for all regions. */
import { html, nothing } from "../../vendor.js";
import { paint } from "./edits.js";
import type { Context } from "./model.js";
import { floorOf, spotsOf } from "./model.js";
import { byId } from "./regions.js";
import { words } from "./strings.js";
import type { Blocked, KeptGround } from "./terrain.js";
import { blockedIn, collisionFiles } from "./terrain.js";

const MOST_SPOTS = 64; // with which the engine walks round walls

/** Plan without a tile from now on: one cannot stand there. */
function cannotStand(context: Context, tile: number[]) {
  const { position, view } = context;
  const [x, y, level = floorOf(position)] = tile;
  if (position.region == null) {
    paint(context, [x, y, x, y], true);
    return;
  }
  const kept = [...(view.blocked ?? []), { region: position.region, at: [x, y, level] }];
  context.set({ blocked: kept, chosen: "", routeWalk: null });
  context.tell(words.terrain.blocked(tile));
}

/** The button for an advised tile. */
export function cannotStandButton(context: Context, tile: number[]) {
  const { position } = context;
  if (spotsOf(position).length > MOST_SPOTS || context.readOnly) return nothing;
  return html`<button class="soft" data-edit @click=${() => cannotStand(context, tile)}>${words.terrain.cannot}</button>`;
}

/** Which tiles are left out, and the way back. */
export function blockedTiles(context: Context) {
  const { position, view } = context;
  const blocked = blockedIn(view, position.region);
  if (!blocked.length) return nothing;
  const without = (gone: Blocked[]) =>
    context.set({
      blocked: (view.blocked ?? []).filter((one) => !gone.includes(one)),
      chosen: "",
      routeWalk: null,
    });
  return html`<p class="quiet">${words.terrain.kept(blocked.length)}
    <button class="plain" data-edit @click=${() => without(blocked.slice(-1))}>${words.terrain.lastBack}</button>
    ${blocked.length > 1 ? html`<button class="plain" data-edit @click=${() => without(blocked)}>${words.terrain.allBack}</button>` : nothing}</p>`;
}

/**
 * Cut a ground for every region whose files are all there, and keep it. Returns the regions.
 * @param files base64 by name
 */
export async function takeGrounds(context: Context, files: Map<string, () => Promise<string>>) {
  const made: KeptGround[] = [];
  for (const region of byId.keys()) {
    const names = collisionFiles(region);
    if (!names.every((name) => files.has(name))) continue;
    const collision = await Promise.all(
      names.map(async (name) => ({ name, data: (await files.get(name)?.()) ?? "" })),
    );
    const found = await context.ask({ want: "walls", position: { region }, options: { collision } }).promise;
    if (!found.ground) continue;
    made.push({ region, ground: found.ground, ...(found.floors ? { floors: found.floors } : {}) });
  }
  const { region } = context.position;
  if (region != null && !made.some((one) => one.region === region))
    throw new Error(words.terrain.missing(collisionFiles(region)));
  const others = (context.view.grounds ?? []).filter((one) => !made.some((m) => m.region === one.region));
  context.set({ grounds: [...others, ...made], chosen: "", routeWalk: null });
  return made.map((one) => one.region);
}
