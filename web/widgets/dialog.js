/** Dialogs in the middle of the page: `dialog({title, body, close, onClose})` inside `open`. */
import { html, ref } from "../vendor.js";
import { stroked } from "./stroke.js";

/** What had the focus when the first of several dialogs opened; it gets the focus back. @type {Element | null} */
let opener = null;

/** Where a dialog is a sheet at the foot of the screen, its head is drawn down to close it. */
const { start, move } = stroked("down", (event) => {
  const element = nearest(event);
  if (element?.querySelector(".sheet")) element.close();
});

/**
 * The platform's modal dialog: focus stays inside, Escape closes, the page behind is inert. One
 * dialog may follow another in the same element (menu, then settings); when the last is gone, the
 * focus is where it was before the first, whichever way they went.
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
    <header @pointerdown=${start} @pointermove=${move}><h2 tabindex="-1">${title}</h2>
      <button class="icon" aria-label=${close} @click=${closeNearest}>✕</button>
    </header>
    <div class="dialog-body">${body}</div>
  </dialog>`;
}

/** @param {Element | undefined} element the dialog, or nothing when it has gone from the page */
function show(element) {
  // The element is not in the document until lit has finished this pass, and the next dialog may
  // come in the same one.
  if (!(element instanceof HTMLDialogElement)) queueMicrotask(giveBack);
  else if (!element.open) queueMicrotask(() => open(element));
}

/** @param {HTMLDialogElement} element */
function open(element) {
  if (!element.isConnected || element.open) return;
  const before = document.activeElement;
  if (before && before !== document.body) opener ??= before;
  element.showModal();
  new MutationObserver(() => stayIn(element)).observe(element, {
    childList: true,
    subtree: true,
    attributeFilter: ["aria-label"],
  });
}

/** What had the focus may be gone: another dialog's content has come, or its row was removed. @param {HTMLDialogElement} element */
function stayIn(element) {
  if (!element.open || document.activeElement !== document.body) return;
  element.scrollTop = 0;
  element.querySelector("h2")?.focus();
}

function giveBack() {
  if (document.querySelector("dialog[open]")) return; // another has come in its place
  const before = opener;
  opener = null;
  if (document.activeElement !== document.body) return; // anyone who closed it has sent the focus on
  if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
  // It may be gone, or nothing may have had the focus: then reading goes on at the board.
  if (document.activeElement === document.body)
    document.querySelector("main")?.focus({ preventScroll: true });
}

/** @param {MouseEvent} event */
function nearest(event) {
  return /** @type {HTMLElement} */ (event.currentTarget).closest("dialog");
}

/** @param {MouseEvent} event */
function closeNearest(event) {
  nearest(event)?.close();
}

/** A click on the backdrop arrives at the dialog itself. @param {MouseEvent} event */
function closeOutside(event) {
  if (event.target === event.currentTarget) {
    /** @type {HTMLDialogElement} */ (event.currentTarget).close();
  }
}
