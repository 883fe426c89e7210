/** Examples with known answers; the empty desk offers three of them. */

import { html } from "../../vendor.js";
import type { Example } from "../desk.js";
import type { Context, Position } from "./model.js";
import { boardOf, boxOf, filled } from "./model.js";
import { words } from "./strings.js";

const at = (grids: string[], box: [number, number] = [3, 3]): Position & { grids: string[] } => ({
  desk: "sudoku",
  v: 1,
  box,
  grids,
});

export const examples: Example<ReturnType<typeof at>>[] = [
  {
    title: "One puzzle in disguise",
    fact: "the same: 13 steps turn one into the other",
    position: at([
      "......28.1.....67...9.2.......7....132.........6.81........5.1..4.3.9..77......4.",
      ".6.87....1.....9.....49....7.....46......6..8.59........3..8.15.8.3........6...2.",
    ]),
  },
  {
    title: "One grid in disguise",
    fact: "the same: two full grids, one transform apart",
    position: at([
      "645729183172438596893516742456187329387294651921365478539841267264973815718652934",
      "549267138361458972278931564496725813813694725725183649657842391934516287182379456",
    ]),
  },
  {
    title: "Equal tables, different grids",
    fact: "The table method cannot tell them apart; the exact comparison can.",
    position: at([
      "574831926612479853983625714435798162796142385821356497157963248368214579249587631",
      "514382679982567134673149825865213497341976582729458316438795261257631948196824753",
    ]),
  },
  {
    title: "One table, three classes",
    fact: "Two of 12⁶ grids with one table; 648 and 108 symmetries.",
    position: at([
      "123456789456789123789123456231564897564897231897231564312645978645978312978312645",
      "123456789456789123789123456231564978564897312897231645312645897645978231978312564",
    ]),
  },
  {
    title: "The most symmetric grid",
    fact: "648 transforms take it to itself.",
    position: at(["123456789456789123789123456231564897564897231897231564312645978645978312978312645"]),
  },
  {
    title: "The last minlex grid",
    fact: "The largest of all 5 472 730 538 least forms; 72 symmetries.",
    position: at(["123456789457893612986217354274538196531964827698721435342685971715349268869172543"]),
  },
  {
    title: "Nearly the same puzzle",
    fact: "All givens of the second board but one more on the first.",
    position: at([
      "6.92.....4.1..83..3.......49....78.3....6......3....9.85....7.......1......59....",
      "....7.3.....92.....4.83..7..8.......9.1..........41.6....7....92.........6..9.74.",
    ]),
  },
  {
    title: "Inkala's puzzle",
    fact: "Straight and pattern-first forms agree, which is rare.",
    position: at(["8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."]),
  },
  {
    title: "4\u00d74",
    fact: "All 288 grids of this size are one of two; these are those two.",
    position: at(["1234341221434321", "1234341223414123"], [2, 2]),
  },
];

const SHOWN = ["One puzzle in disguise", "The most symmetric grid", "Inkala's puzzle"];
const CELL = 6;

/** Whether both boards are blank and typing has not begun. */
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

/** A thumbnail with dots for the givens. */
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
