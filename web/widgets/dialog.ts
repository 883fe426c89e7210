/**
 * Modal dialogs: `dialogIn(context, {title, body})` or `dialog({title, body, onClose})` inside `open`; and the
 * swipes that open and close those that are sheets.
 */
import { words } from "../strings.js";
import { html, nothing, ref } from "../vendor.js";
import type { OnPress } from "./on.js";

const FAR = 28; // px, more than the movement of a tap

/** Start of the current swipe. */
let began: { id: number; x: number; y: number } | null = null;

/**
 * The pointer listeners of an element for vertical swipes: up on the advice bar opens its sheet, down on
 * the sheet's head closes it. The element has `touch-action: pan-x`, so that the browser does not scroll
 * vertically. A gesture that is more horizontal than vertical is ignored.
 * @param run called once per swipe
 */
export function swipe(direction: "up" | "down", run: (event: PointerEvent) => void) {
  return {
    start: ({ pointerId: id, clientX: x, clientY: y, isPrimary }: PointerEvent) => {
      if (isPrimary) began = { id, x, y };
    },
    move: (event: PointerEvent) => {
      if (event.pointerId !== began?.id) return;
      const along = (event.clientY - began.y) * (direction === "up" ? -1 : 1);
      const across = Math.abs(event.clientX - began.x);
      if (Math.max(along, across) < FAR) return;
      began = null;
      if (along > across) run(event);
    },
  };
}

/** The element focused before the first dialog; it gets the focus back. */
let opener: Element | null = null;

/** On screens where a dialog is a bottom sheet, swiping its head down closes it. */
const { start, move } = swipe("down", (event) => {
  const element = nearest(event);
  if (element?.querySelector(".sheet")) element.close();
});

type Parts = { title: string; body: unknown; onClose: () => void; wide?: boolean };

/** A dialog that `open(null)` of a desk's context or of the page's actions closes. */
export function dialogIn(context: { open: (dialog: null) => void }, parts: Omit<Parts, "onClose">) {
  return dialog({ ...parts, onClose: () => context.open(null) });
}

/**
 * A <dialog>: focus stays inside, Escape closes, the page behind is inert. One dialog may replace
 * another (menu, then settings); after the last one the focus returns to where it was before the
 * first.
 */
export function dialog({ title, body, onClose, wide = false }: Parts) {
  return html`<dialog
    class=${wide ? "dialog wide" : "dialog"}
    aria-label=${title}
    ${ref(show)}
    @close=${onClose}
    @click=${closeOutside}
  >
    <header @pointerdown=${start} @pointermove=${move}><h2 tabindex="-1">${title}</h2>
      <button class="icon" aria-label=${words.close} @click=${closeNearest}>✕</button>
    </header>
    <div class="dialog-body">${body}</div>
  </dialog>`;
}

/**
 * A dialog with a text to edit and a button that takes it.
 * @param above what to enter, or why the last text was refused; `between`, `below`: the same around the button
 * @param busy the last text is still being read
 */
export function textDialog(
  context: { open: (dialog: null) => void },
  parts: {
    title: string;
    text: string;
    button: string;
    onTake: (text: string) => void;
    above: unknown;
    between?: unknown;
    below?: unknown;
    placeholder?: string;
    busy?: boolean;
    wide?: boolean;
  },
) {
  const { title, text, button, onTake, above, between = nothing, below = nothing, busy = false } = parts;
  const take = (event: OnPress) =>
    busy || onTake(event.target.closest("dialog")?.querySelector("textarea")?.value ?? "");
  return dialogIn(context, {
    title,
    wide: parts.wide,
    body: html`${above}
      <textarea class="field" spellcheck="false" aria-label=${title} placeholder=${parts.placeholder ?? nothing} .value=${text}></textarea>
      ${between}
      <button class="main" aria-disabled=${busy} @click=${take}>${button}</button>
      ${below}`,
  });
}

/** A form with one text field and its button; `onName` gets the text without spaces around it. */
export function nameForm({
  label,
  button,
  onName,
  value = "",
  placeholder,
  longest = 120,
}: {
  label: string;
  button: string;
  onName: (name: string) => void;
  value?: string;
  placeholder?: string;
  longest?: number;
}) {
  const take = (event: SubmitEvent) => {
    event.preventDefault();
    onName((event.currentTarget as HTMLFormElement).querySelector("input")?.value.trim() ?? "");
  };
  return html`<form class="row" @submit=${take}>
    <input class="field" maxlength=${longest} aria-label=${label} placeholder=${placeholder ?? nothing} .value=${value}>
    <button class="main">${button}</button></form>`;
}

/** @param element the dialog, or undefined once removed */
function show(element: Element | undefined) {
  // lit inserts the element after this pass, and the next dialog may be in the same pass.
  if (!(element instanceof HTMLDialogElement)) queueMicrotask(restoreFocus);
  else if (!element.open) queueMicrotask(() => open(element));
}

function open(element: HTMLDialogElement) {
  if (!element.isConnected || element.open) return;
  const before = document.activeElement;
  if (before && before !== document.body) opener ??= before;
  element.showModal();
  new MutationObserver(() => keepFocusInside(element)).observe(element, {
    childList: true,
    subtree: true,
    attributeFilter: ["aria-label"],
  });
}

/** Focuses the title if the focused element was removed, with its row or by the content of another dialog. */
function keepFocusInside(element: HTMLDialogElement) {
  if (!element.open || document.activeElement !== document.body) return;
  element.scrollTop = 0;
  element.querySelector("h2")?.focus();
}

function restoreFocus() {
  if (document.querySelector("dialog[open]")) return; // replaced by another dialog
  const before = opener;
  opener = null;
  if (document.activeElement !== document.body) return; // the closing code has set the focus
  if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
  focusBoardIfLost(); // the opener may have been removed
}

/** Focuses the board if no element has the focus. */
export function focusBoardIfLost() {
  if (document.activeElement === document.body)
    document.querySelector("main")?.focus({ preventScroll: true });
}

function nearest(event: MouseEvent) {
  return (event.currentTarget as HTMLElement).closest("dialog");
}

function closeNearest(event: MouseEvent) {
  nearest(event)?.close();
}

/** A click on the backdrop arrives at the dialog itself. */
function closeOutside(event: MouseEvent) {
  if (event.target === event.currentTarget) (event.currentTarget as HTMLDialogElement).close();
}
