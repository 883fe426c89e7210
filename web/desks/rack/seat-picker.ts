/** Taking a seat: a table that somebody sent has no viewer until a seat is taken. */
import { html } from "../../vendor.js";
import type { Context } from "./model.js";
import { nextOpen, playersOf } from "./model.js";
import { nameOf, words } from "./strings.js";
import { standOfPlayer } from "./turn-order.js";

export function needsSeat({ position, view, readOnly }: Pick<Context, "position" | "view" | "readOnly">) {
  return position.viewer === null && !view.looking && !readOnly && position.stands.length > 0;
}

/** A key for every player, and one for who only looks. */
export function seatButtons(context: Context) {
  const { position } = context;
  return html`${playersOf(position).map((player) => {
    const name = nameOf(position, standOfPlayer(position, player));
    return html`<button class="soft" @click=${() => sit(context, player, name)}>${name}</button>`;
  })}<button class="plain" @click=${() => context.set({ looking: true })}>${words.onlyLook}</button>`;
}

/** One's own wires come next, into this browser alone. */
function sit(context: Context, player: number, name: string) {
  const position = { ...context.position, viewer: player };
  context.commit(position, words.named.seat(name), {
    view: { at: nextOpen(position), turn: null, actor: null },
  });
}
