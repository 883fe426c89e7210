/** The first question of a hunt: where the player arrived. */
import { html, nothing } from "../../vendor.js";
import { stand } from "./edits.js";
import { landingsOf, tileOf } from "./landings.js";
import type { Context } from "./model.js";
import { hereOf } from "./model.js";
import { folded } from "./route.js";
import { words } from "./strings.js";

/** Until the player has said where they are: a list of places to have arrived at. */
export function arrivals(context: Context) {
  const { position } = context;
  if (position.region == null || hereOf(position) || position.observations?.length) return nothing;
  return folded(context, "arrivals", words.landing.title, () => {
    const rows = landingsOf(context);
    if (!rows.length) return html`<p class="quiet">${words.landing.none}</p>`;
    return html`<div class="list" data-edit>${rows.map(
      (one) => html`<button class="list-item" @click=${() => stand(context, tileOf(context, one))}>
        <b>${one.name}</b><span>${one.group}</span></button>`,
    )}</div>`;
  });
}
