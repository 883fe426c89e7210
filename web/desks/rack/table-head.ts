/** The head of the table: the detonator's dial, the menu of the table, and taking a seat. */

import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { cardsDialog, tableTextDialog } from "./dialogs.js";
import { gearDialog } from "./equipment.js";
import { key } from "./keys.js";
import type { Context, Position } from "./model.js";
import { MAX_STEPS, NO_ENTRY, nextUnknown, playersOf } from "./model.js";
import { formOf, lay, namesOf, setupDialog } from "./setup.js";
import { playerName, words } from "./strings.js";

const setSteps = (context: Context, steps: number | null) =>
  context.commit({ ...context.position, detonator: steps }, words.setSteps(steps));

export function detonator(context: Context) {
  const { position } = context;
  const left = position.detonator;
  if (left === null) return nothing;
  const used = Math.max(0, playersOf(position).length - left);
  const dots = Array.from({ length: used + left }, (_, i) => html`<i class=${i < used ? "used" : ""}></i>`);
  const step = (sign: string, name: string, next: number) =>
    key(sign, () => setSteps(context, next), { name, edits: true, disabled: next < 0 || next > MAX_STEPS });
  return html`<div class=${left < 2 ? "detonator low" : "detonator"} role="group" aria-label=${words.detonator}>
    <span>${words.detonator}</span><i class="dots" aria-hidden="true">${dots}</i>${step("−", words.stepLess, left - 1)}
    <b class="steps" role="status">${words.stepsLeft(left)}</b>${step("+", words.stepMore, left + 1)}</div>`;
}

/** What the last step means for the cuts. */
export function lastStep({ detonator: left }: Position) {
  return left === 1 ? html`<p class="note risk">${words.lastStep}</p>` : nothing;
}

export function needsSeat({ position, view, readOnly }: Pick<Context, "position" | "view" | "readOnly">) {
  return position.viewer === null && !view.looking && !readOnly && position.stands.length > 0;
}

/** A button for every player, and one for watching. */
export function seatButtons(context: Context) {
  const { position } = context;
  const sit = (viewer: number, name: string) => {
    const seated = { ...position, viewer };
    context.commit(seated, words.named.seat(name), { view: { ...NO_ENTRY, at: nextUnknown(seated) } });
  };
  return html`${playersOf(position).map((player) => {
    const name = playerName(position, player);
    return html`<button class="soft" @click=${() => sit(player, name)}>${name}</button>`;
  })}<button class="plain" @click=${() => context.set({ looking: true })}>${words.onlyLook}</button>`;
}

/** The menu of the table; each dialog replaces it. */
export function tableMenu(context: Context) {
  const { position } = context;
  const { mission, sealed, stands, detonator } = position;
  const deal = () => {
    context.open(null);
    lay(
      context,
      "deal",
      { ...formOf(position), mission: mission ?? 4, seat: 0 },
      { names: namesOf(position) },
    );
  };
  const count = () => {
    context.open(null);
    setSteps(context, detonator === null ? playersOf(position).length : null);
  };
  const item = (label: string, run: () => void) =>
    html`<button class="menu-item" @click=${run}><b>${label}</b></button>`;
  context.open(() =>
    dialogIn(context, {
      title: words.table,
      body: html`<div class="menu sheet">
        ${item(words.changeGame, () => setupDialog(context))}
        ${mission ? item(words.missionCards, () => cardsDialog(context)) : nothing}
        ${sealed || !stands.length ? nothing : item(words.gear.open, () => gearDialog(context))}
        ${item(words.asText, () => tableTextDialog(context))}
        ${stands.length ? item(detonator === null ? words.countSteps : words.noCount, count) : nothing}
        ${item(words.practice, deal)}</div>`,
    }),
  );
}
