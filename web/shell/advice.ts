/** The advice bar of the open desk, and the sheet with the reasons behind it. */

import type { Context, DeskPage } from "../desks/desk.js";
import { words } from "../strings.js";
import { html, nothing } from "../vendor.js";
import { adviceBar } from "../widgets/advice-bar.js";
import { dialog } from "../widgets/dialog.js";
import { withSender } from "./sender-note.js";

/** Screens without room for the full advice next to the board: phones upright and on their side; the
 * style sheets have the same sizes. */
export const narrow = matchMedia("(max-width: 760px), (max-width: 1000px) and (max-height: 499px)");

/** @param context the current state; the sheet is redrawn with every answer */
export function adviceFoot(
  page: DeskPage,
  context: () => Context,
  open: (draw: (() => unknown) | null) => void,
  sender: ReturnType<typeof import("./sender-note.js").senderAdvice>,
) {
  const bar = narrow.matches ? page.bar?.(context()) : null;
  if (!bar) return nothing;
  return adviceBar(withSender(bar, sender), {
    label: words.advice,
    open: words.adviceOpen,
    onOpen: () => open(() => sheet(page, context, open)),
  });
}

/** Closes the sheet after an input in it, which changes the board. */
function sheet(page: DeskPage, context: () => Context, open: (draw: (() => unknown) | null) => void) {
  const done = (event: MouseEvent) =>
    (event.target as Element).closest("[data-edit] button, button[data-edit]") && open(null);
  return dialog({
    title: words.advice,
    onClose: () => open(null),
    body: html`<div class=${`${page.name}-desk sheet`} @click=${done}>${page.bar?.(context()).sheet?.() ?? nothing}</div>`,
  });
}
