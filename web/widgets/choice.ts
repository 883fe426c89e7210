/** A choice of one option: a row of toggle buttons. */
import { html } from "../vendor.js";

export function choice<K extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: Record<K, string> | [K, string][];
  value: K;
  onChange: (value: K) => void;
}) {
  const pairs = Array.isArray(options) ? options : Object.entries(options);
  return html`<div class="seg" role="group" aria-label=${label}>
    ${pairs.map(
      ([key, text]) => html`<button
        type="button"
        aria-pressed=${key === value}
        @click=${() => key !== value && onChange(key as K)}
      >${text}</button>`,
    )}
  </div>`;
}
