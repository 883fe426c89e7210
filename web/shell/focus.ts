/**
 * Keeps the keyboard focus on the page when a drawing removes or disables the focused element.
 *
 * The browser would move it to the body, and a screen reader would restart at the top. Here it moves to
 * the section around the element, and to the next button with the same `data-part` once that is drawn
 * (a hint's next level appears only with its answer).
 */

const SECTIONS = "section, header, nav, main, [role=group], [role=region], [role=grid]";

/** The section that has the focus, and the `data-part` of the removed element. */
let waiting: { place: HTMLElement; part: string } | null = null;

/** Records the focused element before a drawing; call the returned function after it. */
export function holdFocus(page: Document): () => void {
  const focused = page.activeElement as HTMLElement | null;
  const outside = !focused || focused === page.body || focused.closest("dialog"); // dialogs manage their focus
  const around = outside ? [] : ancestors(focused);
  return () => {
    if (!outside && isLost(focused) && (page.activeElement === page.body || page.activeElement === focused)) {
      const place = around.find((one) => one.isConnected && one.matches(SECTIONS));
      if (place) waiting = { place, part: focused.dataset?.part ?? "" };
      if (place && !place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
      place?.focus({ preventScroll: true });
    }
    follow(page);
  };
}

/** Moves the focus to what a skip link leads to; the address keeps the position. */
export function followSkipLink(event: MouseEvent) {
  const to = (event.target as HTMLElement | null)?.dataset?.to;
  if (!to) return;
  event.preventDefault();
  const places = to.split("|").map((one) => document.querySelector<HTMLElement>(one));
  const place = places.find(Boolean);
  if (place && !place.hasAttribute("tabindex")) place.setAttribute("tabindex", "-1");
  place?.focus();
}

const isLost = (focused: HTMLElement) => !focused.isConnected || focused.matches(":disabled");

function ancestors(element: HTMLElement): HTMLElement[] {
  const found = [];
  for (let next = element.parentElement; next; next = next.parentElement) found.push(next);
  return found;
}

/** Moves the focus to the button that replaces the removed one. */
function follow(page: Document) {
  if (waiting?.part && page.activeElement === waiting.place) {
    const next = waiting.place.querySelector(`[data-part="${waiting.part}"]:not(:disabled)`);
    if (!next) return;
    (next as HTMLElement).focus({ preventScroll: true });
  }
  waiting = null;
}
