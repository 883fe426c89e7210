/** Which mark a press sets: one row under what a press does, and only while it marks. */
import { html, nothing } from "../../vendor.js";
import { playerMark } from "../../widgets/board.js";
import { eraseMarks, kindOf } from "./board-actions.js";
import type { Context } from "./model.js";
import { KINDS, shownOf } from "./player-marks.js";
import { words } from "./strings.js";

/** The kinds, each with how many cells have it, and what takes the chosen ones away. */
export function pencils(context: Context) {
  const { position, view, set } = context;
  const chosen = kindOf(view);
  const shown = shownOf(position);
  const n = shown[chosen].length;
  return html`<div class="modes pencils" data-edit>
    <div class="seg" role="group" aria-label=${words.pencil}>${KINDS.map(
      (kind) =>
        html`<button type="button" title=${words.pencils[kind]} aria-label=${words.pencilOf(kind, shown[kind].length)} aria-pressed=${kind === chosen} @click=${() => set({ kind })}>
          <svg viewBox="-1.3 -1.3 2.6 2.6" aria-hidden="true">${playerMark(kind, 0, 0, 1)}</svg>${shown[kind].length ? html`<span>${shown[kind].length}</span>` : nothing}</button>`,
    )}</div>
    ${n ? html`<button class="plain" @click=${() => eraseMarks(context)}>${words.rubOut(n)}</button>` : nothing}
  </div>`;
}
