/**
 * The keyboard: one table of keys per place, from which the help sheet is drawn as well.
 *
 * `opens`: it shows a dialog, after which the focus comes back to where it was.
 *
 * @typedef {{keys: string[], label: string, run: (event: KeyboardEvent) => void,
 *   when?: () => boolean, opens?: boolean}} Binding
 */

/** "Ctrl+Shift+z" for an event, with Meta as Ctrl. @param {KeyboardEvent} event */
export function chord(event) {
  const shifted = event.key.length > 1 && event.shiftKey;
  const upper = event.shiftKey && event.key.length === 1 && (event.ctrlKey || event.metaKey);
  return [
    event.ctrlKey || event.metaKey ? "Ctrl+" : "",
    event.altKey ? "Alt+" : "",
    shifted || upper ? "Shift+" : "",
    event.key.length === 1 ? event.key.toLowerCase() : event.key,
  ].join("");
}

/**
 * Run the first binding that fits. Typing in a field is left alone, but for Escape and chords.
 * @param {KeyboardEvent} event
 * @param {Binding[]} bindings
 * @returns {boolean} whether one ran
 */
export function dispatch(event, bindings) {
  if (event.defaultPrevented || event.isComposing) return false;
  const pressed = chord(event);
  if (inField(event) && pressed !== "Escape" && !pressed.startsWith("Ctrl+")) return false;
  if (onControl(event) && (pressed === "Enter" || pressed === " ")) return false;
  const found = bindings.find((b) => b.keys.includes(pressed) && (b.when?.() ?? true));
  if (!found) return false;
  event.preventDefault();
  // Who types has left the button pressed before; a later Enter is meant for what was typed.
  const typed = pressed.length === 1 && !found.opens;
  if (typed && document.activeElement instanceof HTMLElement) document.activeElement.blur();
  found.run(event);
  return true;
}

/** @param {KeyboardEvent} event */
function inField(event) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** @param {KeyboardEvent} event */
function onControl(event) {
  const target = event.target;
  return target instanceof Element && target.closest("button, a, summary, [role=button]") !== null;
}
