/** The head of the table: the detonator’s dial, the menu of the whole table, and taking a seat. */

import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { cardsDialog, textDialog } from "./dialogs.js";
import { gearDialog } from "./equipment.js";
import type { Context, Position } from "./model.js";
import { MOST_STEPS, nextOpen, playersOf } from "./model.js";
import { formOf, lay, namesOf, setupDialog } from "./setup.js";
import { playerName, words } from "./strings.js";

const setSteps = (context: Context, steps: number | null) =>
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
  return left === 1 ? html`<p class="note risk">${words.lastStep}</p>` : nothing;
}

export function needsSeat({ position, view, readOnly }: Pick<Context, "position" | "view" | "readOnly">) {
  return position.viewer === null && !view.looking && !readOnly && position.stands.length > 0;
}

/** A key for every player, and one for who only looks. */
export function seatButtons(context: Context) {
  const { position } = context;
  return html`${playersOf(position).map((player) => {
    const name = playerName(position, player);
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

/** Opens the dialogs of the table; each replaces the menu. */
export function tableMenu(context: Context) {
  const { mission, sealed, stands, detonator } = context.position;
  const players = playersOf(context.position).length;
  const deal = () => {
    context.open(null);
    const form = { ...formOf(context.position), mission: mission ?? 4, seat: 0 };
    lay(context, "deal", form, { names: namesOf(context.position) });
  };
  const count = () => {
    context.open(null);
    setSteps(context, detonator === null ? players : null);
  };
  const item = (label: string, run: () => void) =>
    html`<button class="menu-item" @click=${run}><b>${label}</b></button>`;
  context.open(() =>
    dialogIn(context, {
      title: words.table,
      close: words.close,
      body: html`<div class="menu sheet">
        ${item(words.changeGame, () => setupDialog(context))}
        ${mission ? item(words.missionCards, () => cardsDialog(context)) : nothing}
        ${sealed || !stands.length ? nothing : item(words.gear.open, () => gearDialog(context))}
        ${item(words.asText, () => textDialog(context))}
        ${stands.length ? item(detonator === null ? words.countSteps : words.noCount, count) : nothing}
        ${item(words.practice, deal)}</div>`,
    }),
  );
}
