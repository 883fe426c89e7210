/** The page's live region for screen readers. */

/** Announces a text, also if it is the same as before; `assertive` for errors. */
export function say(text: string, how: "polite" | "assertive" = "polite") {
  const place = document.getElementById("live");
  if (!place) return;
  place.setAttribute("aria-live", how);
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
