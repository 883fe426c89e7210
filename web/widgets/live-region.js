/** The page's one live region: what screen readers speak when something has changed. */

/** Speak politely, or at once where something is wrong; also when the same sentence comes twice. @param {string} text @param {"polite" | "assertive"} [how] */
export function say(text, how = "polite") {
  const place = document.getElementById("live");
  if (!place) return;
  place.setAttribute("aria-live", how);
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
