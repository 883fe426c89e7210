/** The page of the noughts desk: nine buttons, the cells that do not lose marked. */
import { html } from "../../vendor.js";

/** @type {import("../../../web/desks/desk.js").DeskPage} */
export const page = {
  name: "noughts",
  initial: () => ({ desk: "noughts", v: 1, cells: "........." }),
  accept: (position) => position,
  title: () => ["Noughts and crosses", ""],
  listRequests: (position) => ({ advice: { want: "advise", position } }),
  draw: ({ position, replies, commit }) => html`<div>${[...position.cells].map(
    (cell, at) =>
      html`<button aria-label=${`cell ${at + 1}`} ?data-best=${replies.advice?.value?.cells.includes(at)}
        @click=${() => commit(taken(position, at), `cell ${at + 1}`)}>${cell}</button>`,
  )}</div>`,
  keys: () => [],
  examples: [],
};

/** @param {{cells: string}} position @param {number} at */
export function taken(position, at) {
  const mark = position.cells.split("x").length === position.cells.split("o").length ? "x" : "o";
  return { ...position, cells: position.cells.slice(0, at) + mark + position.cells.slice(at + 1) };
}
