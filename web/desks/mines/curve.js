/** A board's curve: one bar a step, as high as it took rounds. */
import { html, svg } from "../../vendor.js";
import { words } from "./words.js";

/** @param {number[]} list @param {number} most */
export function curve(list, most) {
  const wide = 100 / list.length;
  return html`<figure class="curve"><svg viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label=${`${words.chart}: ${list.join(", ")}`}>
    ${list.map((n, i) => svg`<rect x=${i * wide + wide * 0.1} width=${wide * 0.8} y=${32 - (30 * n) / most} height=${(30 * n) / most}><title>${words.chartStep(i, n)}</title></rect>`)}
  </svg><figcaption class="quiet">${words.chart}</figcaption></figure>`;
}
