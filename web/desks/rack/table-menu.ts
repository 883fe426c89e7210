/** One menu of what is done with the whole table. */
import { html, nothing } from "../../vendor.js";
import { dialogIn } from "../../widgets/dialog.js";
import { setSteps } from "./detonator.js";
import { cardsDialog, textDialog } from "./dialogs.js";
import { gearDialog } from "./equipment.js";
import type { Context } from "./model.js";
import { playersOf } from "./model.js";
import { lay, setupDialog } from "./setup.js";
import { words } from "./strings.js";

/** Opens the dialogs of the table; each replaces the menu. */
export function tableMenu(context: Context) {
  const { mission, sealed, stands, detonator } = context.position;
  const players = playersOf(context.position).length;
  const deal = () => {
    context.open(null);
    const seed = Math.floor(Math.random() * 1e6);
    lay(context, "deal", {
      mission: mission ?? 4,
      players: Math.max(2, Math.min(5, players)),
      seed,
      seat: 0,
    });
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
