/** The board in one svg, for pictures to keep and for the home page. */
import { html, svg } from "../../vendor.js";
import { drawnOf, knownOf, tintsOf } from "./model.js";

/** The board as it stands. @param {any} position */
export function picture(position) {
  const drawn = drawnOf(position);
  const known = knownOf(position);
  const tints = tintsOf(drawn.groups);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox=${drawn.view.join(" ")} class="mines-picture" role="img">${svg`<g class="board">${drawn.points.map(
    (points, i) => {
      const number = known.numbers.get(i);
      const face = known.numbers.has(i) ? "open" : known.flags.has(i) ? "flag" : "closed";
      const text = face === "open" ? (number ?? "?") : face === "flag" ? "⚑" : "";
      return svg`<g class=${`cell ${face} ${tints[i] ?? ""}`}><polygon class="face" points=${points}></polygon><text class="n" x=${drawn.x[i]} y=${drawn.y[i]} font-size=${drawn.size * 0.5}>${text}</text></g>`;
    },
  )}${drawn.labels.map((l) => svg`<g class="edge"><text x=${l.x} y=${l.y} font-size=${drawn.size * (l.inside ? 0.24 : 0.4)}>${drawn.groups[l.group].count}</text></g>`)}</g>`}</svg>`;
}

/** A corner of a board, as the home page shows the desk. */
export function mini() {
  const faces = [1, 0, 2, 0, 1, 2, 0, 0, 2, 1];
  const texts = ["1", "", "⚑", "", "2", "⚑", "", "", "⚑", "3"];
  return html`<svg viewBox="0 0 120 60">${faces.map(
    (
      face,
      i,
    ) => svg`<rect x=${(i % 5) * 24} y=${Math.floor(i / 5) * 30} width="22" height="28" rx="3" class=${face === 1 ? "mines-mini-open" : face === 2 ? "mines-mini-flag" : "mines-mini-shut"}></rect>
    <text x=${(i % 5) * 24 + 11} y=${Math.floor(i / 5) * 30 + 20} text-anchor="middle" font-size="14" class="mines-mini-text">${texts[i]}</text>`,
  )}</svg>`;
}
