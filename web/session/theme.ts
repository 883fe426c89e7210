/** Applies the theme and palette to the root element and to the browser's theme colour. */
import { setting } from "./store.js";

/** Applies the settings. */
export function applySettings() {
  const root = document.documentElement;
  for (const name of ["theme", "palette"]) root.dataset[name] = setting(name);
  const colours = document.querySelectorAll(
    'meta[name="theme-color"][data-theme]',
  ) as NodeListOf<HTMLMetaElement>;
  for (const meta of colours) {
    const { theme } = meta.dataset;
    const chosen = root.dataset.theme;
    meta.media = chosen ? (chosen === theme ? "all" : "not all") : `(prefers-color-scheme: ${theme})`;
  }
}
