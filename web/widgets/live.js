/** The page's one live region: what screen readers speak when something has changed. */

/** Speak politely, also when the same sentence comes twice. @param {string} text */
export function say(text) {
  const place = document.getElementById("live");
  if (!place) return;
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
