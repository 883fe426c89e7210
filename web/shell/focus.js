/**
 * Keeps the keyboard focus on the page when a drawing removes or disables the focused element.
 *
 * The browser would move it to the body, where a screen reader starts again from the top. It goes to
 * the section around the element instead, and on to the next button of the same `data-part` there
 * once one is drawn (a hint's next degree comes only with its answer).
 */

const SECTIONS = "section, header, nav, main, [role=group], [role=region], [role=grid]";

/** Where the focus waits, and the `data-part` of the element that was removed. @type {{place: HTMLElement, part: string} | null} */
let waiting = null;

/**
 * Note the focused element before a drawing; the function returned is to be called after it.
 * @param {Document} page
 * @returns {() => void}
 */
export function holdFocus(page) {
  const focused = /** @type {HTMLElement | null} */ (page.activeElement);
  const outside = !focused || focused === page.body || focused.closest("dialog"); // dialogs keep their own
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

/** @param {HTMLElement} focused */
const isLost = (focused) => !focused.isConnected || focused.matches(":disabled");

/** @param {HTMLElement} element @returns {HTMLElement[]} */
function ancestors(element) {
  const found = [];
  for (let next = element.parentElement; next; next = next.parentElement) found.push(next);
  return found;
}

/** Move on to the button that takes the place of the removed one. @param {Document} page */
function follow(page) {
  if (waiting?.part && page.activeElement === waiting.place) {
    const next = waiting.place.querySelector(`[data-part="${waiting.part}"]:not(:disabled)`);
    if (!next) return;
    /** @type {HTMLElement} */ (next).focus({ preventScroll: true });
  }
  waiting = null;
}
