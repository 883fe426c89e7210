/** A choice of one option: a row of toggle buttons. */
import { html } from "../vendor.js";

/**
 * @template {string} K
 * @param {{label: string, options: Record<K, string> | [K, string][], value: K, onChange: (value: K) => void}} parts
 */
export function choice({ label, options, value, onChange }) {
  const pairs = Array.isArray(options) ? options : Object.entries(options);
  return html`<div class="seg" role="group" aria-label=${label}>
    ${pairs.map(
      ([key, text]) => html`<button
        type="button"
        aria-pressed=${key === value}
        @click=${() => key !== value && onChange(/** @type {K} */ (key))}
      >${text}</button>`,
    )}
  </div>`;
}
