/** Sections that fold, the question which board they are about, and what an answer left out. */
import { html, nothing } from "../../vendor.js";
import { choice } from "../../widgets/choice.js";
import { explained } from "../../widgets/term.js";
import { words } from "./strings.js";
import { filled, focus } from "./witness-player.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {"symmetries" | "solving" | "table" | "near" | "numbering" | "viewing" | "making" | "carrying" | "listing"} Flag */

/** @param {Context} context @param {Flag} flag @param {string} title @param {() => unknown} body */
export function fold(context, flag, title, body) {
  const open = Boolean(context.view[flag]);
  return html`<details class="more" ?open=${open} @toggle=${(
    /** @type {import("../../widgets/on.js").OnToggle} */ e,
  ) => e.target.open !== open && context.set({ [flag]: e.target.open })}>
    <summary>${title}</summary>${open ? html`<div class="fold-body">${body()}</div>` : nothing}</details>`;
}

/** First or second, where there are two. @param {Context} context */
export function which(context) {
  if (filled(context.position).length < 2) return nothing;
  return choice({
    label: words.which,
    options: [
      ["0", words.whichNames[0]],
      ["1", words.whichNames[1]],
    ],
    value: String(focus(context)),
    onChange: (value) => context.set({ board: Number(value), browse: null, stage: 0 }),
  });
}

/** The constraints that an answer takes into account, and how many maps keep them. @param {{compared?: string[], cell_maps?: number}} found */
export const within = (found) =>
  found.compared ? html`<p class="quiet">${explained(words.comparedWith(found))}</p>` : nothing;

/** The constraints that an answer left out of account. @param {{not_compared?: string[]}} found */
export const left = ({ not_compared: names }) =>
  names ? html`<p class="note warn">${words.notCompared(names)}</p>` : nothing;
