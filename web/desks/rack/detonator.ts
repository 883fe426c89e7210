/** The detonator's steps: counted if somebody wants them counted, one less for each failed cut. */
import { html, nothing } from "../../vendor.js";
import type { Context, Position } from "./model.js";
import { MOST_STEPS, playersOf } from "./model.js";
import { words } from "./strings.js";

export const setSteps = (context: Context, steps: number | null) =>
  context.commit({ ...context.position, detonator: steps }, words.setSteps(steps));

export function detonator(context: Context) {
  const left = context.position.detonator;
  if (left === null) return nothing;
  const step = (sign: string, label: string, next: number) =>
    html`<button class="soft key" data-edit aria-label=${label} ?disabled=${next < 0 || next > MOST_STEPS} @click=${() => setSteps(context, next)}><b>${sign}</b></button>`;
  return html`<div class=${left < 2 ? "detonator low" : "detonator"} role="group" aria-label=${words.detonator}>
    <span>${words.detonator}</span><i class="dots" aria-hidden="true">${dots(context, left)}</i>${step("−", words.stepLess, left - 1)}
    <b class="steps" role="status">${words.stepsLeft(left)}</b>${step("+", words.stepMore, left + 1)}</div>`;
}

/** A dot for each step, the used ones filled. */
function dots({ position }: Context, left: number) {
  const used = Math.max(0, playersOf(position).length - left);
  return Array.from({ length: used + left }, (_, i) => html`<i class=${i < used ? "used" : ""}></i>`);
}

/** What the last step means for the cuts. */
export function lastStep({ detonator: left }: Position) {
  if (left === null || left > 1) return nothing;
  return html`<p class="note risk">${left ? words.lastStep : words.ranOut}</p>`;
}
