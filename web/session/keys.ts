/**
 * Key bindings; the help sheet is made from the same tables.
 *
 * `opens`: shows a dialog; after it the focus returns.
 */
export type Binding = {
  keys: string[];
  label: string;
  run: (event: KeyboardEvent) => void;
  when?: () => boolean;
  opens?: boolean;
};

/** "Ctrl+Shift+z" for an event, with Meta as Ctrl. */
export function chord(event: KeyboardEvent) {
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
 * Runs the first binding that fits. In a text field only Escape and chords count.
 * @returns whether one ran
 */
export function dispatch(event: KeyboardEvent, bindings: Binding[]): boolean {
  if (event.defaultPrevented || event.isComposing) return false;
  const pressed = chord(event);
  if (inField(event) && pressed !== "Escape" && !pressed.startsWith("Ctrl+")) return false;
  if (onControl(event) && (pressed === "Enter" || pressed === " ")) return false;
  const found = bindings.find((b) => b.keys.includes(pressed) && (b.when?.() ?? true));
  if (!found) return false;
  event.preventDefault();
  // After typing, Enter belongs to the text, not to the button pressed before. A map or board keeps the focus.
  const typed = pressed.length === 1 && !found.opens;
  const focused = document.activeElement;
  if (typed && focused instanceof HTMLElement && focused.matches(CONTROLS)) focused.blur();
  found.run(event);
  return true;
}

const CONTROLS = "button, a, summary, [role=button]";

function inField(event: KeyboardEvent) {
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

function onControl(event: KeyboardEvent) {
  const target = event.target;
  return target instanceof Element && target.closest(CONTROLS) !== null;
}
