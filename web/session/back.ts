/**
 * Makes the browser's Back close the open dialog: each open dialog has an entry in the browser's
 * history.
 */
import * as link from "./link.js";

let open = false;
let leaving = false; // true while this module calls history.back()

/** Whether the current history entry belongs to a dialog. */
const onTop = () => history.state?.dialog === true;

/** Adds the entry of a dialog that opened. */
export function opened() {
  if (open) return;
  open = true;
  if (!onTop()) history.pushState({ dialog: true }, "");
}

/** Removes the entry of a dialog that closed, unless closing it led to another address. */
export function closed() {
  if (!open) return;
  open = false;
  setTimeout(() => {
    if (open || !onTop()) return;
    leaving = true;
    history.back();
  });
}

/** @param close closes the dialog */
export function listen(close: () => void) {
  addEventListener("popstate", () => {
    if (leaving || open) link.writeAgain(); // the position may have changed under the dialog
    if (open && !leaving) {
      open = false;
      close();
    }
    leaving = false;
  });
}
