/** Charts of difficulty: the curve, one bar per step, and the score on its scale. */
import { html, svg } from "../../vendor.js";
import { words } from "./strings.js";

/** @param name of the chart @param label of a bar */
export function curve(
  list: number[],
  most: number,
  name: string = words.chart,
  label: (i: number, n: number) => string = words.chartStep,
) {
  const wide = 100 / list.length;
  return html`<figure class="curve"><svg viewBox="0 0 100 32" preserveAspectRatio="none" role="img" aria-label=${`${name}: ${list.join(", ")}`}>
    ${list.map((n, i) => svg`<rect x=${i * wide + wide * 0.1} width=${wide * 0.8} y=${32 - (30 * n) / most} height=${(30 * n) / most}><title>${label(i, n)}</title></rect>`)}
  </svg><figcaption class="quiet">${name}</figcaption></figure>`;
}

/** The levels side by side, with a mark at the score. @param label the score as text */
export function scale(
  score: number,
  levels: typeof words.scale = words.scale,
  label: string = score.toFixed(1),
) {
  const { level, at } = scalePosition(score, levels);
  const part = 100 / levels.length;
  return html`<figure class="scale"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${words.onScale(label, levels[level].name)}>
    ${levels.map((_, i) => svg`<rect class=${i === level ? "here" : ""} x=${i * part + 0.4} width=${part - 0.8} y="3" height="4"></rect>`)}
    <rect class="mark" x=${Math.min(99, 100 * at)} width="1" y="0" height="10"></rect></svg>
    <figcaption>${levels.map((one, i) => html`<span class=${i === level ? "here" : ""}>${one.name}<br>${one.range}</span>`)}</figcaption></figure>`;
}

/** The level of a score, and its position from 0 to 1 along all levels, which are drawn equally wide. */
export function scalePosition(score: number, levels: readonly { to: number }[]) {
  const found = levels.findIndex((level) => score < level.to);
  const level = found < 0 ? levels.length - 1 : found;
  const from = level ? levels[level - 1].to : 0;
  const inside = Math.min(1, (score - from) / (levels[level].to - from));
  return { level, at: (level + inside) / levels.length };
}
