/** The chosen theme and palette on the root element, where the tokens look for them, and in the browser's own bars. */
import { setting } from "./store.js";

/** Bring the settings onto the page. */
export function applySettings() {
  const root = document.documentElement;
  for (const name of ["theme", "palette"]) root.dataset[name] = setting(name);
  const colours = /** @type {NodeListOf<HTMLMetaElement>} */ (
    document.querySelectorAll('meta[name="theme-color"][data-theme]')
  );
  for (const meta of colours) {
    const { theme } = meta.dataset;
    const chosen = root.dataset.theme;
    meta.media = chosen ? (chosen === theme ? "all" : "not all") : `(prefers-color-scheme: ${theme})`;
  }
}
