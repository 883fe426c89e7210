/**
 * The browser's Back closes the dialog that is open, and nothing else: while one is, an entry of the
 * browser's history is on top that stands for it.
 */
import * as link from "./link.js";

let open = false;
let leaving = false; // we go back ourselves, from a dialog that is closed

/** Whether the entry on top stands for a dialog. */
const onTop = () => history.state?.dialog === true;

/** A dialog opened. */
export function opened() {
  if (open) return;
  open = true;
  if (!onTop()) history.pushState({ dialog: true }, "");
}

/** It closed; its entry goes unless what closed it has led elsewhere. */
export function closed() {
  if (!open) return;
  open = false;
  setTimeout(() => {
    if (open || !onTop()) return;
    leaving = true;
    history.back();
  });
}

/** @param {() => void} close closes the dialog */
export function listen(close) {
  addEventListener("popstate", () => {
    if (leaving || open) link.writeAgain(); // the position may have changed under the dialog
    if (open && !leaving) {
      open = false;
      close();
    }
    leaving = false;
  });
}
