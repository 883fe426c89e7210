/** The empty desk: three examples to press; on a phone in place of two blank boards. */
import { html } from "../../vendor.js";
import { examples } from "./examples.js";
import type { Context, Position } from "./model.js";
import { boardOf, boxOf } from "./model.js";
import { words } from "./strings.js";
import { filled } from "./witness-player.js";

const SHOWN = ["One puzzle in disguise", "The most symmetric grid", "Inkala's puzzle"];
const CELL = 6;

/** Whether nothing is there and no one has begun to type. */
export const isEmpty = ({ position, view }: Context) => !filled(position).length && !view.typing && !view.at;

export function start(context: Context) {
  const shown = examples.filter((one) => SHOWN.includes(one.title));
  return html`<section class="card verdict start">
    <p class="start-lead">${words.start.lead}</p>
    <h2>${words.start.look}</h2>
    <ul class="start-examples" data-edit>${shown.map(
      (one) => html`<li><button @click=${() => context.commit(one.position, one.title)}>
        ${small(one.position)}<span><b>${one.title}</b><span class="quiet">${one.fact}</span></span><span class="chevron" aria-hidden="true">›</span></button></li>`,
    )}</ul>
  </section>`;
}

/** A board so small that its givens are dots. */
function small(position: Position) {
  const [rows, cols] = boxOf(position);
  const size = rows * cols;
  const side = size * CELL;
  const given = [...boardOf(position, 0)].flatMap((symbol, i) => (symbol === "." ? [] : [i]));
  const dots = given.map((i) => `M${(i % size) * CELL + 2} ${Math.floor(i / size) * CELL + 2}h2v2h-2z`);
  const lines = [
    ...Array.from({ length: cols + 1 }, (_, i) => `M0 ${i * rows * CELL}H${side}`),
    ...Array.from({ length: rows + 1 }, (_, i) => `M${i * cols * CELL} 0V${side}`),
  ];
  return html`<svg class="start-board" viewBox=${`-1 -1 ${side + 2} ${side + 2}`} aria-hidden="true"><path class="grid-thick" d=${lines.join("")}></path><path class="start-dots" d=${dots.join("")}></path></svg>`;
}
