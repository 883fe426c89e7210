/** Dialogs in the middle of the page: `dialog({title, body, close, onClose})` inside `open`. */
import { html, ref } from "../vendor.js";

/**
 * The platform's modal dialog: focus stays inside, Escape closes, the page behind is inert.
 * @param {{title: string, body: unknown, close: string, onClose: () => void, wide?: boolean}} parts
 */
export function dialog({ title, body, close, onClose, wide = false }) {
  return html`<dialog
    class=${wide ? "dialog wide" : "dialog"}
    aria-label=${title}
    ${ref(show)}
    @close=${onClose}
    @click=${closeOutside}
  >
    <header><h2>${title}</h2>
      <button class="icon" aria-label=${close} @click=${closeNearest}>✕</button>
    </header>
    <div class="dialog-body">${body}</div>
  </dialog>`;
}

/** @param {Element | undefined} element */
function show(element) {
  if (element instanceof HTMLDialogElement && !element.open) {
    // The element is not in the document until lit has finished this pass.
    queueMicrotask(() => element.isConnected && !element.open && element.showModal());
  }
}

/** @param {MouseEvent} event */
function closeNearest(event) {
  /** @type {HTMLElement} */ (event.currentTarget).closest("dialog")?.close();
}

/** A click on the backdrop arrives at the dialog itself. @param {MouseEvent} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) {
    /** @type {HTMLDialogElement} */ (event.currentTarget).close();
  }
}
