/** A board's difficulty drawn: its curve, one bar a step, and where its score lies on the scale. */
import { html, svg } from "../../vendor.js";
import { placeOf } from "./model.js";
import { words } from "./strings.js";

/** @param name what is drawn @param label what a bar says */
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

/** The levels side by side, and a mark where the score lies. @param label the score as it is written */
export function scale(
  score: number,
  levels: typeof words.scale = words.scale,
  label: string = score.toFixed(1),
) {
  const { level, at } = placeOf(score, levels);
  const part = 100 / levels.length;
  return html`<figure class="scale"><svg viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${words.onScale(label, levels[level].name)}>
    ${levels.map((_, i) => svg`<rect class=${i === level ? "here" : ""} x=${i * part + 0.4} width=${part - 0.8} y="3" height="4"></rect>`)}
    <rect class="mark" x=${Math.min(99, 100 * at)} width="1" y="0" height="10"></rect></svg>
    <figcaption>${levels.map((one, i) => html`<span class=${i === level ? "here" : ""}>${one.name}<br>${one.range}</span>`)}</figcaption></figure>`;
}
