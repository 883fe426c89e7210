/** The end of a game: whether it is won or lost, by what, and what the page then offers instead of advice. */

import { html, nothing } from "../../vendor.js";
import type { Context, Position } from "./model.js";
import { lookBack, playedTurns } from "./review.js";
import { words } from "./strings.js";
import { isLost, lostFor } from "./turn-order.js";

export type End = { won: boolean; title: string; reason: string };
type Game = Pick<Context, "position" | "past">;

/** Whether every wire on the table is cut. */
export function isDefused({ stands }: Position) {
  const slots = stands.flatMap((stand) => stand.slots);
  return slots.length > 0 && slots.every((slot) => slot.state === "cut");
}

/** Whether no turn follows, as far as the entries show it. */
export const isOver = (game: Game) => isLost(game) || isDefused(game.position);

/** How the game has ended, and by what; null while it goes on or a card may still save it. */
export function endOf({ position, past, replies }: Game & Pick<Context, "replies">): End | null {
  const last = past.at(-1);
  const exploded = last?.turn && "exploded" in last.turn && last.turn.exploded;
  if (isLost({ position, past })) return lost(exploded ? last.label : words.ranOut);
  const stuck = lostFor({ replies });
  if (stuck && !stuck.saved) return lost(stuck.text);
  return isDefused(position) ? { won: true, title: words.gameWon, reason: words.defused } : null;
}

const lost = (reason: string): End => ({ won: false, title: words.gameLost, reason });

/** The action that opens the review of the game; undefined while no turn is noted. */
export function reviewAction(context: Context) {
  return playedTurns(context)
    ? { label: words.review.open, main: true, run: () => lookBack(context, true) }
    : undefined;
}

/** In place of the advice: the result, its reason, the review and, after a loss, undo. */
export function endPanel(context: Context, { won, title, reason }: End) {
  const review = reviewAction(context);
  const before = won ? undefined : context.past.at(-2);
  return html`<section class="stack advice-box game-end">
    <h2 class="head">${title}</h2>
    <p class=${won ? "note" : "note risk"}>${reason}</p>
    <div class="row wrap">${review ? html`<button class="main" @click=${review.run}>${review.label}</button>` : nothing}
      ${before ? html`<button class="soft" data-edit @click=${() => context.follow(before.id, [])}>${words.takeBack}</button>` : nothing}</div>
  </section>`;
}
