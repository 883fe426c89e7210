/** What has happened on this table, newest first; the last five steps can be edited, in place. */
import { html, nothing } from "../../vendor.js";
import type { Context } from "./model.js";
import { words } from "./strings.js";
import { BACK, correct, correctionOf, giveUp, leaveOut, logOf, lostFor } from "./turn-order.js";

export function log(context: Context) {
  const rows = logOf(context).reverse();
  if (!rows.length || correctionOf(context)) return nothing;
  const over = lostFor(context);
  return html`<section class="turns" aria-label=${words.log}>
    <h2>${words.log}</h2>
    ${over ? html`<p class="note risk">${over.text}</p>` : nothing}
    <ol reversed>${rows.map((step, i) => row(context, step, i))}</ol></section>`;
}

/** @param i how far back */
function row(context: Context, step: Context["past"][number], i: number) {
  if (i >= BACK || context.position.sealed) return html`<li><span>${step.label}</span></li>`;
  return html`<li><span>${step.label}</span>
    <button class="plain" data-edit aria-label=${`${words.correct}: ${step.label}`} @click=${() => correct(context, step)}>${words.correct}</button></li>`;
}

/** Above the table while a turn is entered anew: which one, and the way back. */
export function correcting(context: Context) {
  const now = correctionOf(context);
  if (!now) return nothing;
  return html`<div class="note along" role="status">
    <p>${now.stuck || words.correcting(now.steps[0].label, now.steps.length - 1)}</p>
    <div class="row wrap">${now.stuck ? html`<button class="soft" @click=${() => leaveOut(context)}>${words.leaveOut}</button>` : nothing}
      <button class="plain" @click=${() => giveUp(context)}>${words.cancel}</button></div></div>`;
}
