/**
 * The best guess, where the clues decide no cell: the cells with the greatest chance to win, and one
 * ring on the board. Where play could not be followed the text says "least likely a mine", never "best".
 */

import type { Guess } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import { waiting } from "../../widgets/waiting.js";
import { cellName } from "./cell-names.js";
import type { Context } from "./model.js";
import { words } from "./strings.js";

const LISTED = 5; // candidates in the list

/** The button, then the answer. */
export function bestGuess(context: Context) {
  const { position, view, replies } = context;
  const reply = replies.guess;
  if (!view.guess)
    return html`<button class="soft" @click=${() => context.set({ guess: true })}>${words.guesses.ask}</button>`;
  const found = reply && !reply.stale ? reply.value : null;
  const again = () => context.again("guess");
  if (!found) return waiting(reply, { phase: context.phase, stop: () => context.stop("guess"), again });
  const name = (cell: number) => cellName(position, cell);
  const cell = guessedCell(found);
  return html`<div class="stack-small" role="status">
    ${cell == null ? nothing : html`<p><b>${found.win == null ? words.guesses.safest(name(cell)) : words.guesses.best(name(cell), found.win)}</b></p>`}
    <ul class="candidates">${found.options.slice(0, LISTED).map((one) => html`<li class=${one.cell === cell ? "first" : nothing}><b>${name(one.cell)}</b><span>${one.cell === found.safest ? words.guesses.safestCell : ""}</span><span>${words.guesses.win(one)}</span><span>${words.guesses.safe(one.safe)}</span></li>`)}</ul>
    <p class="assumed">${found.win == null ? words.guesses.safestWhat : words.guesses.bestWhat}</p>
  </div>`;
}

/** The cell to open: the best one, or the least likely a mine. */
export function guessedCell(found: Guess): number | null {
  return found.win == null ? found.safest : (found.options[0]?.cell ?? null);
}
