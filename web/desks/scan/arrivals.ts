/** The first question of a hunt: where the player arrived. */

import { html } from "../../vendor.js";
import { dialog } from "../../widgets/dialog.js";
import { stand } from "./edits.js";
import { landingsOf, tileOf } from "./landings.js";
import type { Context, Position } from "./model.js";
import { hereOf } from "./model.js";
import { words } from "./strings.js";

/** Whether nothing says yet where the player is. */
export const wantsArrival = (position: Position) =>
  position.region != null && !hereOf(position) && !position.observations?.length;

/** A list of places to have arrived at; a press on the map says any other place. */
export function openArrivals(context: Context) {
  const close = () => context.open(null);
  context.open(() =>
    dialog({
      title: words.landing.title,
      onClose: close,
      body: html`${places(context, close)}<button class="soft" @click=${close}>${words.landing.elsewhere}</button>`,
    }),
  );
}

function places(context: Context, then: () => void) {
  const rows = landingsOf(context);
  if (!rows.length) return html`<p class="quiet">${words.landing.none}</p>`;
  const arrive = (at: [number, number]) => {
    stand(context, at);
    then();
  };
  return html`<div class="list" data-edit>${rows.map(
    (one) => html`<button class="list-item" @click=${() => arrive(tileOf(context, one))}>
      <b>${one.name}</b><span>${one.group}</span></button>`,
  )}</div>`;
}
