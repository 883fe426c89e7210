/** Why: the steps of a reason, in order, and as a tree from what follows back to the clues. */
import { html, nothing } from "../../vendor.js";
import { clueName } from "./cell-names.js";
import { drawnOf } from "./model.js";
import { treeOf } from "./proof-tree.js";
import { words } from "./strings.js";

/** @typedef {import("./model.js").Context} Context */
/** @typedef {import("../../types/mines.js").Deduction} Deduction */

/** @param {Context} context @param {readonly Deduction[] | null} list */
export function steps(context, list) {
  if (!list?.length) return nothing;
  const { view } = context;
  const press = (/** @type {number} */ i) => context.set({ step: view.step === i ? null : i });
  return html`<ol class="steps">${list.map(
    (step, i) =>
      html`<li><button class="step" aria-pressed=${view.step === i} title=${words.stepLights} @click=${() => press(i)}>${step.text}</button></li>`,
  )}</ol>${list.length > 1 ? tree(context, list) : nothing}`;
}

/** @param {Context} context @param {readonly Deduction[]} list */
function tree(context, list) {
  const bounds = list.filter((step) => step.stage === "inexact").length;
  return html`<details class="more"><summary>${words.tree}</summary>
    <p class="quiet">${words.treeStages(list.length, bounds)}</p>
    <div class="tree">${branch(context, list, treeOf(list), true)}</div></details>`;
}

/** @param {Context} context @param {readonly Deduction[]} list @param {import("./proof-tree.js").Node} node @param {boolean} [first] @returns {unknown} */
function branch(context, list, { step, from, again }, first = false) {
  const { says, stage } = list[step];
  const line = html`<b>${words.stepName(step)}</b> ${says} <span class="faint">${words.stages[stage]}</span>`;
  if (again) return html`<p class="leaf">${line} <span class="faint">${words.asAbove}</span></p>`;
  return html`<details ?open=${first}><summary>${line}</summary><ul>${from.map(
    (one) => html`<li>${typeof one === "string" ? leaf(context, one) : branch(context, list, one)}</li>`,
  )}</ul></details>`;
}

/** A clue at the end of a branch. @param {Context} context @param {string} name */
function leaf({ position }, name) {
  const { groups } = drawnOf(position);
  const [kind, index] = name.split(":");
  const called = clueName(position, groups, name);
  if (kind !== "group") return html`<p class="leaf">${called}</p>`;
  const { count, cells } = groups[Number(index)];
  return html`<p class="leaf">${words.group(called, count, cells.length)}</p>`;
}
