/** The steps of an explanation, as a list and as a proof tree from the conclusion to the clues. */

import type { Deduction } from "../../types/mines.js";
import { html, nothing } from "../../vendor.js";
import { clueName } from "./cell-names.js";
import type { Context } from "./model.js";
import { drawnOf } from "./model.js";
import { words } from "./strings.js";

type Link = Pick<Deduction, "from" | "gives">;
/** a node of the proof tree */
interface Node {
  /** index of the step */
  step: number;
  /** clue names and child nodes */
  from: (string | Node)[];
  /** whether it is expanded elsewhere in the tree */
  again: boolean;
}

/** The proof tree of the last step; a step that is used twice is expanded once. */
export function treeOf(list: readonly Link[]): Node {
  const seen: Set<number> = new Set();
  const node = (step: number): Node => {
    if (seen.has(step)) return { step, from: [], again: true };
    seen.add(step);
    const from = list[step].from.map((one) => (typeof one === "number" ? node(one) : one));
    return { step, from, again: false };
  };
  return node(list.length - 1);
}

/** The cells and clues of a step, to highlight. */
export function lightOf(list: readonly Link[] | null | undefined, at: number | null | undefined) {
  const step = at == null ? null : list?.[at];
  if (!list || !step) return null;
  const clues = step.from.filter((one) => typeof one === "string");
  const before = step.from.flatMap((one) => (typeof one === "number" ? list[one].gives.cells : []));
  return { cells: step.gives.cells, clues: clues as string[], before };
}

export function steps(context: Context, list: readonly Deduction[] | null) {
  if (!list?.length) return nothing;
  const { view } = context;
  const press = (i: number) => context.set({ step: view.step === i ? null : i });
  return html`<ol class="steps">${list.map(
    (step, i) =>
      html`<li><button class="step" aria-pressed=${view.step === i} title=${words.stepLights} @click=${() => press(i)}>${step.text}</button></li>`,
  )}</ol>${list.length > 1 ? tree(context, list) : nothing}`;
}

function tree(context: Context, list: readonly Deduction[]) {
  const bounds = list.filter((step) => step.stage === "inexact").length;
  return html`<details class="more"><summary>${words.tree}</summary>
    <p class="quiet">${words.treeStages(list.length, bounds)}</p>
    <div class="tree">${branch(context, list, treeOf(list), true)}</div></details>`;
}

function branch(
  context: Context,
  list: readonly Deduction[],
  { step, from, again }: Node,
  first: boolean = false,
): unknown {
  const { says, stage } = list[step];
  const line = html`<b>${words.stepName(step)}</b> ${says} <span class="faint">${words.stages[stage]}</span>`;
  if (again) return html`<p class="leaf">${line} <span class="faint">${words.asAbove}</span></p>`;
  return html`<details ?open=${first}><summary>${line}</summary><ul>${from.map(
    (one) => html`<li>${typeof one === "string" ? leaf(context, one) : branch(context, list, one)}</li>`,
  )}</ul></details>`;
}

/** A leaf: a clue. */
function leaf({ position }: Context, name: string) {
  const { groups } = drawnOf(position);
  const [kind, index] = name.split(":");
  const called = clueName(position, groups, name);
  if (kind !== "group") return html`<p class="leaf">${called}</p>`;
  const { count, cells } = groups[Number(index)];
  return html`<p class="leaf">${words.group(called, count, cells.length)}</p>`;
}
