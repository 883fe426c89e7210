/** A whole strategy as a tree to look at: a guess, every answer with what it leaves, the guess after it. */

import type { Branch } from "../../types/code.js";
import { html, nothing } from "../../vendor.js";
import { whole } from "../../widgets/numbers.js";
import type { OnToggle } from "../../widgets/on.js";
import { signsOf, spelled } from "./colour-names.js";
import type { Context } from "./model.js";
import { answerOf, rulesOf } from "./model.js";
import { pegs, pins } from "./pegs.js";
import { words } from "./strings.js";

/** Each level is drawn once it is open: a tree of thousands of guesses costs what one sees of it. */
export function strategyTree(context: Context, root: Branch) {
  const signs = signsOf(context.position);
  return html`<section class="play-tree" aria-label=${words.treeTitle}>
    <p class="row wrap">${pegs(root.guess, signs)}<span>${words.treeFirst(spelled(root.guess, signs), root.left)}</span></p>
    ${answers(context, root, "")}</section>`;
}

/** @param path the answers so far */
function answers(context: Context, branch: Branch, path: string): unknown {
  const below = Object.entries(branch.answers ?? {}).sort(([, a], [, b]) => b.left - a.left);
  const { pegs: count } = rulesOf(context.position);
  const found = branch.left - below.reduce((sum, [, child]) => sum + child.left, 0);
  return html`<ul>
    ${below.map(([answer, child]) => html`<li>${next(context, answer, child, `${path} ${answer}`)}</li>`)}
    ${
      found
        ? html`<li><p class="leaf">${pins({ exact: count, partial: 0 }, count)}<span class="after"><span class="code">${count}A0B</span>${words.treeFound}</span></p></li>`
        : nothing
    }
  </ul>`;
}

/** What comes after an answer: the next guess, and its answers once it is opened. @param answer "1A2B" */
function next(context: Context, answer: string, branch: Branch, path: string) {
  const signs = signsOf(context.position);
  const rules = rulesOf(context.position);
  const depth = depthOf(branch);
  const said = words.treeNext(answer, spelled(branch.guess, signs), branch.left, depth);
  const line = html`${pins(answerOf(answer, rules), rules.pegs)}<span class="unseen">${said}</span>
    <span class="after" aria-hidden="true"><span class="code">${answer}</span><b>${whole(branch.left)}</b>${pegs(branch.guess, signs)}<span class="faint">${words.treeDepth(branch.left, depth)}</span></span>`;
  if (!branch.answers) return html`<p class="leaf">${line}</p>`;
  const open = context.view.unfolded?.includes(path) ?? false;
  return html`<details ?open=${open} @toggle=${(e: OnToggle) =>
    e.target.open !== open && unfold(context, path, e.target.open)}>
    <summary>${line}</summary>${open ? answers(context, branch, path) : nothing}</details>`;
}

function unfold(context: Context, path: string, open: boolean) {
  const others = (context.view.unfolded ?? []).filter((one) => one !== path);
  context.set({ unfolded: open ? [...others, path] : others });
}

/** a tree is drawn again at every press, and does not change */
const depths: WeakMap<Branch, number> = new WeakMap();

/** How many guesses it takes at most from here on. */
function depthOf(branch: Branch): number {
  const known = depths.get(branch);
  if (known !== undefined) return known;
  const depth = 1 + Math.max(0, ...Object.values(branch.answers ?? {}).map(depthOf));
  depths.set(branch, depth);
  return depth;
}
